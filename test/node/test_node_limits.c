// Robot descriptions that are too large: refused before they are copied, and nothing of them stays.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/srv/load_model.h"
#include "node_core.h"
#include "rcl_interfaces/msg/parameter.h"
#include "rcl_interfaces/srv/set_parameters.h"
#include "rosidl_runtime_c/string_functions.h"

enum { MEGABYTE = 1024 * 1024, SIZE = 18, LARGE = 60, KEPT = 6 };

static peer_t peer;
static rcl_publisher_t * topic;
static long before;

// "VmRSS" or "VmHWM" of the node [MB]
static long
memory(const char * what)
{
  char path[64], line[128];
  snprintf(path, sizeof path, "/proc/%d/status", (int)peer.node.pid);
  FILE * file = fopen(path, "r");
  long kilobytes = -1;
  assert_non_null(file);
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, what, strlen(what)) == 0) kilobytes = atol(line + strlen(what) + 1);
  }
  fclose(file);
  assert_true(kilobytes > 0);
  return kilobytes / 1024;
}

static int
set_up(void ** state)
{
  (void)state;
  peer_open(&peer);
  topic = peer_publisher(&peer, STRING, "/robot_description");
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, "-p", "autostart:=false", NULL});
  assert_true(peer_change_state(&peer, "configure"));
  peer_wait_matched(&peer, topic);
  before = memory("VmRSS");
  return 0;
}

static int
tear_down(void ** state)
{
  const int code = peer_is_alive(&peer) ? peer_stop(&peer, SIGTERM) : -1;
  peer_close(&peer);
  assert_int_equal(code, 0);
  return process_kill_all(state);
}

// of so many megabytes, and no robot
static char *
text_of(size_t megabytes)
{
  char * text = malloc(megabytes * MEGABYTE + 1);
  assert_non_null(text);
  memset(text, 'x', megabytes * MEGABYTE);
  text[megabytes * MEGABYTE] = 0;
  return text;
}

static void
publish(const char * text)
{
  // the message borrows the text
  std_msgs__msg__String message = {{(char *)(uintptr_t)text, strlen(text), strlen(text) + 1}};
  OK(rcl_publish(topic, &message, NULL));
}

// copies that the node has had at the same time, and what is left
static void
expect_small(const char * what, long peak)
{
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (memory("VmRSS") - before > KEPT && now_ns() < end) peer_spin(&peer, 100);
  const long most = memory("VmHWM") - before, now = memory("VmRSS") - before;
  print_message("%s: %ld MB at most, %ld MB now\n", what, most, now);
  assert_in_range(most, 0, peak);
  assert_in_range(now < 0 ? 0 : now, 0, KEPT);
}

// DDS holds it twice, as fragments and put together; the node not at all
static void
test_topic(void ** state)
{
  (void)state;
  char * text = text_of(SIZE);
  publish(text);
  peer_logged(&peer, "ERROR rejected the message on robot_description: 188743");
  expect_small("by topic", 2 * SIZE + KEPT);
  free(text);
  assert_string_equal(peer_state(&peer), "inactive");
}

// not even DDS holds it; what comes after it is heard
static void
test_huge_topic(void ** state)
{
  (void)state;
  char * text = text_of(LARGE);
  publish(text);
  publish("<robot name=\"x\"><link name=\"a\"/>\n</robot>");
  peer_logged(
    &peer, "ERROR rejected the new robot description, keeping the old one: the robot: no");
  expect_small("60 MB by topic", KEPT);
  free(text);
}

// a request is unpacked before anybody can look: once more than by topic
static void
test_parameter(void ** state)
{
  (void)state;
  rcl_interfaces__srv__SetParameters_Request request = {0};
  rcl_interfaces__srv__SetParameters_Response response = {0};
  assert_string_equal(peer_set_bool(&peer, "clamp_effort", true), "");
  assert_true(rcl_interfaces__srv__SetParameters_Request__init(&request));
  assert_true(rcl_interfaces__srv__SetParameters_Response__init(&response));
  assert_true(rcl_interfaces__msg__Parameter__Sequence__init(&request.parameters, 1));
  rcl_interfaces__msg__Parameter * p = &request.parameters.data[0];
  char * text = text_of(SIZE);
  assert_true(rosidl_runtime_c__String__assign(&p->name, "robot_description"));
  assert_true(rosidl_runtime_c__String__assign(&p->value.string_value, text));
  p->value.type = 4;
  free(text);
  peer_call_once(
    &peer, ROSIDL_GET_SRV_TYPE_SUPPORT(rcl_interfaces, srv, SetParameters), "/mbdyn/set_parameters",
    &request, &response);
  assert_int_equal(response.results.size, 1);
  const char * reason = response.results.data[0].reason.data;
  assert_non_null(strstr(reason, "must have at most 16777216 bytes, not"));
  expect_small("by parameter", 3 * SIZE + KEPT);
  rcl_interfaces__srv__SetParameters_Request__fini(&request);
  rcl_interfaces__srv__SetParameters_Response__fini(&response);
}

static void
test_service(void ** state)
{
  (void)state;
  const rosidl_service_type_support_t * type = ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, LoadModel);
  mbdyn__srv__LoadModel_Request request = {0};
  mbdyn__srv__LoadModel_Response response = {0};
  assert_true(mbdyn__srv__LoadModel_Request__init(&request));
  assert_true(mbdyn__srv__LoadModel_Response__init(&response));
  peer_call(&peer, type, "/mbdyn/load_model", &request, &response);
  assert_false(response.success);
  char * text = text_of(SIZE);
  assert_true(rosidl_runtime_c__String__assign(&request.urdf, text));
  free(text);
  peer_call_once(&peer, type, "/mbdyn/load_model", &request, &response);
  assert_false(response.success);
  assert_non_null(strstr(response.message.data, "exceed max_description_size, 16777216"));
  expect_small("by service", 3 * SIZE + KEPT);
  mbdyn__srv__LoadModel_Request__fini(&request);
  mbdyn__srv__LoadModel_Response__fini(&response);
}

// the parameter says how much
static void
test_own_limit(void ** state)
{
  (void)state;
  assert_int_equal(peer_stop(&peer, SIGTERM), 0);
  static const char limit[] = "max_description_size:=4000";
  peer_start(&peer, (const char *[]){PEER_ROBOT_ARG, "-p", limit, NULL});
  assert_int_equal(peer_stop(&peer, 0), 1);  // its file is larger
  peer_start(&peer, (const char *[]){"-p", "autostart:=false", "-p", limit, NULL});
  char text[4002];
  memset(text, 'x', sizeof text);
  text[4001] = 0;
  assert_non_null(strstr(peer_set_string(&peer, "robot_description", text), "4000 bytes"));
  text[4000] = 0;
  assert_non_null(strstr(peer_set_string(&peer, "robot_description", text), "XML"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(int argc, char ** argv)
{
  own_domain();
  if (argc == 2) cmocka_set_test_filter(argv[1]);
  const struct CMUnitTest tests[] = {
    TEST(test_topic), TEST(test_huge_topic), TEST(test_parameter), TEST(test_service),
    TEST(test_own_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
