// The thread of an executor, and the clock that it keeps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "mbdyn_ros/process/ros_process.h"
#include "rosidl_runtime_c/string_functions.h"
#include "test/dds/session.h"
#include "test/support/process.h"

enum { WAIT_TIMEOUT = 20000 };  // ms

static session_t session;
static rclc_executor_t executor;
static spinner_t spinner;

static int
set_up(void ** state)
{
  (void)state;
  session_open(&session, "spun", false);
  executor = rclc_executor_get_zero_initialized_executor();
  rcl_context_t * context = &session.support.context;
  const size_t handles = SPINNER_HANDLES + ROS_CLOCK_HANDLES + 1;
  OK(rclc_executor_init(&executor, context, handles, &session.allocator));
  return spinner_init(&spinner, context, &executor) ? 0 : -1;
}

static int
tear_down(void ** state)
{
  (void)state;
  spinner_stop(&spinner);
  OK(rclc_executor_fini(&executor));
  spinner_fini(&spinner);
  session_close(&session);
  return 0;
}

// waits for a number that another thread counts
static void
expect_at_least(atomic_int * counter, int value)
{
  const int64_t end = steady_now() + (int64_t)WAIT_TIMEOUT * 1000000;
  while (atomic_load(counter) < value && steady_now() < end) sleep_ms(1);
  assert_true(atomic_load(counter) >= value);
}

//---------- the thread ----------

static atomic_int ticks;
static char thread_name[32];
static sigset_t thread_mask;

static void
tick(rcl_timer_t * timer, int64_t last_call)
{
  (void)timer;
  (void)last_call;
  if (atomic_load(&ticks) == 0) {
    pthread_getname_np(pthread_self(), thread_name, sizeof thread_name);
    pthread_sigmask(SIG_SETMASK, NULL, &thread_mask);
  }
  atomic_fetch_add(&ticks, 1);
}

static void
it_spins_until_told(void ** state)
{
  (void)state;
  rcl_timer_t timer = rcl_get_zero_initialized_timer();
  OK(rclc_timer_init_default(&timer, &session.support, RCL_MS_TO_NS(1), tick));
  OK(rclc_executor_add_timer(&executor, &timer));
  atomic_store(&ticks, 0);
  assert_true(spinner_start(&spinner, "a name that is far too long"));
  expect_at_least(&ticks, 5);
  spinner_stop(&spinner);
  assert_string_equal(thread_name, "a name that is ");
  for (int i = 1; i < SIGRTMIN; i++) {
    if (i == SIGKILL || i == SIGSTOP || i >= 32) continue;
    if (sigismember(&thread_mask, i) != 1) fail_msg("signal %d is not blocked", i);
  }
  // and ours are as before
  sigset_t own;
  pthread_sigmask(SIG_SETMASK, NULL, &own);
  assert_int_equal(sigismember(&own, SIGUSR1), 0);

  // stopped is stopped, and it may start again
  const int stopped = atomic_load(&ticks);
  spinner_stop(&spinner);
  assert_int_equal(atomic_load(&ticks), stopped);
  assert_true(spinner_start(&spinner, "again"));
  expect_at_least(&ticks, stopped + 5);
  spinner_stop(&spinner);
  OK(rclc_executor_remove_timer(&executor, &timer));
  OK(rcl_timer_fini(&timer));
}

// a stop that comes before the thread waits is not forgotten
static void
a_stop_at_once(void ** state)
{
  (void)state;
  for (int i = 0; i < 200; i++) {
    assert_true(spinner_start(&spinner, "short"));
    spinner_stop(&spinner);
  }
}

// a component container shuts the context down before we hear of it
static void
the_context_goes_first(void ** state)
{
  (void)state;
  assert_true(spinner_start(&spinner, "late"));
  OK(rcl_shutdown(&session.support.context));
  spinner_stop(&spinner);

  OK(rclc_executor_fini(&executor));
  spinner_fini(&spinner);
  OK(rcl_node_fini(&session.node));
  OK(rcl_clock_fini(&session.support.clock));
  OK(rcl_context_fini(&session.support.context));
}

static void
the_executor_is_full(void ** state)
{
  (void)state;
  spinner_t others[3];
  rcl_context_t * context = &session.support.context;
  assert_true(spinner_init(&others[0], context, &executor));
  assert_true(spinner_init(&others[1], context, &executor));
  assert_false(spinner_init(&others[2], context, &executor));
  OK(rclc_executor_remove_guard_condition(&executor, &others[0].wake));
  OK(rclc_executor_remove_guard_condition(&executor, &others[1].wake));
  spinner_fini(&others[0]);
  spinner_fini(&others[1]);
}

//---------- errors ----------

#ifdef ROS2_STANDALONE  // a real rmw believes the size of a text, and reads on

static atomic_int calls;

// an answer that cannot be sent if asked for: its text is longer than any message
static void
answer(const void * request, void * response)
{
  const std_srvs__srv__SetBool_Request * asked = request;
  std_srvs__srv__SetBool_Response * r = response;
  r->message.size = asked->data ? SIZE_MAX / 2 : 0;
  r->success = true;
  atomic_fetch_add(&calls, 1);
}

// one answer that fails does not end the service
static void
an_error_is_not_the_end(void ** state)
{
  (void)state;
  std_srvs__srv__SetBool_Request request = {0};
  std_srvs__srv__SetBool_Response response;
  assert_true(std_srvs__srv__SetBool_Response__init(&response));
  rcl_service_t service = rcl_get_zero_initialized_service();
  OK(rclc_service_init_default(&service, &session.node, SET_BOOL, "set"));
  OK(rclc_executor_add_service(&executor, &service, &request, &response, answer));
  atomic_store(&calls, 0);
  assert_true(spinner_start(&spinner, "server"));

  session_t other;
  session_open(&other, "client", false);
  rcl_client_t client = rcl_get_zero_initialized_client();
  OK(rclc_client_init_default(&client, &other.node, SET_BOOL, "set"));
  std_srvs__srv__SetBool_Request ask = {.data = true};
  int64_t sequence = 0;
  // what is sent before the server knows the client is lost
  for (int i = 0; i < 100 && atomic_load(&calls) < 3; i++) {
    OK(rcl_send_request(&client, &ask, &sequence));
    sleep_ms(20);
  }
  assert_true(atomic_load(&calls) >= 3);
  ask.data = false;
  OK(rcl_send_request(&client, &ask, &sequence));
  assert_true(session_wait(&other, NULL, &client, WAIT_TIMEOUT));
  std_srvs__srv__SetBool_Response reply;
  rmw_request_id_t id;
  assert_true(std_srvs__srv__SetBool_Response__init(&reply));
  OK(rcl_take_response(&client, &id, &reply));
  assert_int_equal(id.sequence_number, sequence);
  assert_true(reply.success);

  std_srvs__srv__SetBool_Response__fini(&reply);
  OK(rcl_client_fini(&client, &other.node));
  session_close(&other);
  spinner_stop(&spinner);
  OK(rclc_executor_remove_service(&executor, &service));
  OK(rcl_service_fini(&service, &session.node));
  std_srvs__srv__SetBool_Response__fini(&response);
}

#endif

//---------- the clock ----------

static int64_t
real_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
the_clock_of_the_machine(void ** state)
{
  (void)state;
  ros_clock_t clock;
  assert_true(ros_clock_init(&clock, &session.node, false));
  assert_true(ros_clock_add(&clock, &executor));
  const int64_t before = real_now();
  const int64_t now = ros_clock_now(&clock);
  const int64_t after = real_now();
  assert_true(before <= now && now <= after);
  ros_clock_fini(&clock, &session.node);
}

static ros_clock_t simulated;
static rcl_publisher_t publisher;

// sends a time again and again (it is best effort) until the clock shows what is expected
static void
expect_clock(int32_t sec, uint32_t nanosec, int64_t expected)
{
  const rosgraph_msgs__msg__Clock message = {.clock = {.sec = sec, .nanosec = nanosec}};
  const int64_t end = steady_now() + (int64_t)WAIT_TIMEOUT * 1000000;
  do {
    OK(rcl_publish(&publisher, &message, NULL));
    sleep_ms(2);
  } while (ros_clock_now(&simulated) != expected && steady_now() < end);
  assert_int_equal(ros_clock_now(&simulated), expected);
}

static void
the_clock_of_a_simulation(void ** state)
{
  (void)state;
  assert_true(ros_clock_init(&simulated, &session.node, true));
  assert_true(ros_clock_add(&simulated, &executor));
  assert_true(spinner_start(&spinner, "clock"));
  assert_int_equal(ros_clock_now(&simulated), 0);
  session_t other;
  session_open(&other, "simulator", false);
  publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init_default(
    &publisher, &other.node, ROSIDL_GET_MSG_TYPE_SUPPORT(rosgraph_msgs, msg, Clock), "/clock"));
  expect_clock(12, 500000000, 12500000000);
  // further than a double or 32 bits can tell, and back to the start
  expect_clock(INT32_MAX, 999999999, 2147483647999999999);
  expect_clock(0, 1, 1);
  // no times: they change nothing, and what follows counts
  const rosgraph_msgs__msg__Clock wrong[] = {
    {.clock = {.sec = 3, .nanosec = 1000000000}}, {.clock = {.sec = -1, .nanosec = 5}}};
  for (int i = 0; i < 20; i++) {
    OK(rcl_publish(&publisher, &wrong[i % 2], NULL));
    sleep_ms(2);
    assert_int_equal(ros_clock_now(&simulated), 1);
  }
  expect_clock(7, 0, 7000000000);

  OK(rcl_publisher_fini(&publisher, &other.node));
  session_close(&other);
  spinner_stop(&spinner);
  OK(rclc_executor_remove_subscription(&executor, &simulated.subscription));
  ros_clock_fini(&simulated, &session.node);
}

#define SPUN(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    SPUN(it_spins_until_told),
    SPUN(a_stop_at_once),
    cmocka_unit_test_setup(the_context_goes_first, set_up),
    SPUN(the_executor_is_full),
#ifdef ROS2_STANDALONE
    SPUN(an_error_is_not_the_end),
#endif
    SPUN(the_clock_of_the_machine),
    SPUN(the_clock_of_a_simulation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
