// Services: every client gets its own answer.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "impl.h"
#include "rcl/graph.h"
#include "rclc/executor.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/string_functions.h"
#include "std_srvs/srv/set_bool.h"
#include "support.h"

enum { CLIENTS = 4, CALLS = 100 };

static session_t session;
static atomic_bool stop;

// answers with what was asked, and counts
static void
on_request(const void * request_, void * response_, void * context)
{
  const std_srvs__srv__SetBool_Request * request = request_;
  std_srvs__srv__SetBool_Response * response = response_;
  int * count = context;
  ++*count;
  response->success = !request->data;
  assert_true(rosidl_runtime_c__String__assign(&response->message, request->data ? "on" : "off"));
}

static void *
serve(void * arg)
{
  while (!atomic_load(&stop)) {
    rcl_ret_t ret = rclc_executor_spin_some(arg, RCL_MS_TO_NS(20));
    assert_true(ret == RCL_RET_OK || ret == RCL_RET_TIMEOUT);
  }
  return NULL;
}

typedef struct {
  pthread_t thread;
  session_t session;
  rcl_client_t client;
  bool ask;
  int answers;
  int wrong;
} caller_t;

static bool
is_available(void * arg)
{
  caller_t * caller = arg;
  bool available = false;
  OK(rcl_service_server_is_available(&caller->session.node, &caller->client, &available));
  return available;
}

static void
call_once(caller_t * caller, rcl_wait_set_t * set, std_srvs__srv__SetBool_Response * response)
{
  std_srvs__srv__SetBool_Request request = {.data = caller->ask};
  int64_t sequence = 0;
  rmw_request_id_t id;
  OK(rcl_send_request(&caller->client, &request, &sequence));
  for (int64_t end = now_ns() + RCL_S_TO_NS(5LL); now_ns() < end;) {
    OK(rcl_wait_set_clear(set));
    OK(rcl_wait_set_add_client(set, &caller->client, NULL));
    rcl_ret_t ret = rcl_wait(set, RCL_MS_TO_NS(500));
    // replies to others wake us, too
    if (ret == RCL_RET_OK) ret = rcl_take_response(&caller->client, &id, response);
    if (ret != RCL_RET_OK) continue;
    caller->answers++;
    bool right = id.sequence_number == sequence && response->success == !caller->ask &&
                 strcmp(response->message.data, caller->ask ? "on" : "off") == 0;
    if (!right) caller->wrong++;
    return;
  }
}

static void *
call(void * arg)
{
  caller_t * caller = arg;
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(
    &set, 0, 0, 0, 1, 0, 0, &caller->session.support.context, caller->session.allocator));
  for (int i = 0; i < CALLS; i++) call_once(caller, &set, &response);
  OK(rcl_wait_set_fini(&set));
  std_srvs__srv__SetBool_Response__fini(&response);
  return NULL;
}

// four contexts ask at the same time; no answer is lost, none goes astray
static void
parallel_clients(void ** state)
{
  (void)state;
  session_open(&session, "server", NULL);
  rcl_service_t service;
  OK(rclc_service_init(&service, &session.node, SET_BOOL, "~/enable", &rmw_qos_profile_parameters));
  assert_string_equal(rcl_service_get_service_name(&service), "/server/enable");
  std_srvs__srv__SetBool_Request request;
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Request__init(&request));
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  rclc_executor_t executor = rclc_executor_get_zero_initialized_executor();
  OK(rclc_executor_init(&executor, &session.support.context, 1, &session.allocator));
  int count = 0;
  OK(rclc_executor_add_service_with_context(
    &executor, &service, &request, &response, on_request, &count));
  pthread_t server;
  pthread_create(&server, NULL, serve, &executor);

  static caller_t callers[CLIENTS];
  for (int i = 0; i < CLIENTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "client_%d", i);
    session_open(&callers[i].session, name, NULL);
    // a client's reader gets the replies to all clients: ten deep, a burst would push ours out
    OK(rclc_client_init(
      &callers[i].client, &callers[i].session.node, SET_BOOL, "/server/enable",
      &rmw_qos_profile_parameters));
    callers[i].ask = i % 2 == 0;
    assert_true(wait_until(is_available, &callers[i], 3000));
  }
  for (int i = 0; i < CLIENTS; i++) pthread_create(&callers[i].thread, NULL, call, &callers[i]);
  for (int i = 0; i < CLIENTS; i++) pthread_join(callers[i].thread, NULL);
  atomic_store(&stop, true);
  pthread_join(server, NULL);
  for (int i = 0; i < CLIENTS; i++) {
    assert_int_equal(callers[i].answers, CALLS);
    assert_int_equal(callers[i].wrong, 0);
    OK(rcl_client_fini(&callers[i].client, &callers[i].session.node));
    session_close(&callers[i].session);
  }
  assert_int_equal(count, CLIENTS * CALLS);
  OK(rclc_executor_fini(&executor));
  std_srvs__srv__SetBool_Request__fini(&request);
  std_srvs__srv__SetBool_Response__fini(&response);
  OK(rcl_service_fini(&service, &session.node));
  session_close(&session);
}

// without a server nothing is there, and nothing is taken
static void
nobody_there(void ** state)
{
  (void)state;
  session_open(&session, "lonely", NULL);
  rcl_client_t client;
  rcl_service_t service;
  OK(rclc_client_init_default(&client, &session.node, SET_BOOL, "nobody"));
  bool available = true;
  OK(rcl_service_server_is_available(&session.node, &client, &available));
  assert_false(available);
  FAILS(rcl_service_server_is_available(&session.node, NULL, &available), RCL_RET_INVALID_ARGUMENT);
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "nothing"));
  rmw_request_id_t id;
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  FAILS(rcl_take_response(&client, &id, &response), RCL_RET_CLIENT_TAKE_FAILED);
  std_srvs__srv__SetBool_Request request = {0};
  FAILS(rcl_take_request(&service, &id, &request), RCL_RET_SERVICE_TAKE_FAILED);
  // whoever asked has gone: no reply, no error
  memset(&id, 0, sizeof id);
  OK(rcl_send_response(&service, &id, &response));
  std_srvs__srv__SetBool_Response__fini(&response);
  OK(rcl_service_fini(&service, &session.node));
  OK(rcl_client_fini(&client, &session.node));
  session_close(&session);
}

// requests that do not decode are dropped and counted, also without a whole header
static void
malformed_requests(void ** state)
{
  (void)state;
  session_open(&session, "robust", NULL);
  rcl_service_t service;
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "robust"));
  sa_writer_t raw;
  OK(sa_writer_open(
    &raw, &session.support.context, service.impl->ends.in.members, "rq/robustRequest",
    &(rmw_qos_profile_t){.depth = 100}, NULL));
  sleep_ms(50);
  static const uint8_t sample[] = {0, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0, 0, 0, 0, 0, 0, 1};
  size_t bad = 0;
  for (size_t n = 0; n < sizeof sample; n += 4, bad++) {
    raw_sample_t * block = raw_sample_new(raw.type, n);
    memcpy(block->data, sample, n);
    assert_true(dds_writecdr(raw.writer, &block->base) >= 0);
  }
  raw_sample_t * block = raw_sample_new(raw.type, sizeof sample);
  memcpy(block->data, sample, sizeof sample);
  assert_true(dds_writecdr(raw.writer, &block->base) >= 0);
  rmw_request_id_t id;
  std_srvs__srv__SetBool_Request request = {0};
  OK(rcl_take_request(&service, &id, &request));
  assert_true(request.data);
  assert_int_equal(id.sequence_number, 1);
  assert_int_equal(id.writer_guid[0], 1);
  assert_int_equal(atomic_load(&service.impl->ends.in.dropped), bad);
  // a client without a mark is answered at once
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  int64_t start = now_ns();
  OK(rcl_send_response(&service, &id, &response));
  assert_true(now_ns() - start < RCL_MS_TO_NS(50));
  std_srvs__srv__SetBool_Response__fini(&response);
  sa_writer_close(&raw);
  OK(rcl_service_fini(&service, &session.node));
  session_close(&session);
}

// a client whose reader of replies is never seen: 100 ms, then a timeout
static void
reply_wait(void ** state)
{
  (void)state;
  session_open(&session, "patient", NULL);
  rcl_service_t service;
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "patient"));
  sa_writer_t raw;
  OK(sa_writer_open(
    &raw, &session.support.context, service.impl->ends.in.members, "rq/patientRequest",
    &(rmw_qos_profile_t){.depth = 1}, "clientid= 1.2.3;"));
  std_srvs__srv__SetBool_Request request = {.data = true};
  cdr_request_id_t mark = {.guid = 5, .sequence = 6};
  sleep_ms(50);
  OK(sa_write(&raw, &request, &mark));
  rmw_request_id_t id;
  OK(rcl_take_request(&service, &id, &request));
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  int64_t start = now_ns();
  FAILS(rcl_send_response(&service, &id, &response), RCL_RET_TIMEOUT);
  int64_t took = now_ns() - start;
  assert_in_range(took, RCL_MS_TO_NS(90), RCL_MS_TO_NS(1000));
  std_srvs__srv__SetBool_Response__fini(&response);
  sa_writer_close(&raw);
  OK(rcl_service_fini(&service, &session.node));
  session_close(&session);
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parallel_clients),
    cmocka_unit_test(nobody_there),
    cmocka_unit_test(malformed_requests),
    cmocka_unit_test(reply_wait),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
