// Wait sets, guard conditions, timers, clocks, and the executor on top of them.
#include <pthread.h>
#include <string.h>

#include "rcl/time.h"
#include "rclc/executor.h"
#include "rosidl_runtime_c/string_functions.h"
#include "std_msgs/msg/string.h"
#include "support.h"

static session_t session;

static int
setup(void ** state)
{
  (void)state;
  session_open(&session, "wait", NULL);
  return 0;
}

static int
teardown(void ** state)
{
  (void)state;
  session_close(&session);
  return 0;
}

static rcl_ret_t
wait_guard(rcl_wait_set_t * set, rcl_guard_condition_t * guard, int64_t milliseconds)
{
  OK(rcl_wait_set_clear(set));
  OK(rcl_wait_set_add_guard_condition(set, guard, NULL));
  return rcl_wait(set, milliseconds < 0 ? -1 : RCL_MS_TO_NS(milliseconds));
}

static void *
trigger_later(void * arg)
{
  sleep_ms(50);
  OK(rcl_trigger_guard_condition(arg));
  return NULL;
}

// a trigger is remembered, two make one wake, a shutdown wakes nobody
static void
guards(void ** state)
{
  (void)state;
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  rcl_guard_condition_t guard = rcl_get_zero_initialized_guard_condition();
  FAILS(rcl_wait(&set, 0), RCL_RET_WAIT_SET_INVALID);
  OK(rcl_guard_condition_init(
    &guard, &session.support.context, rcl_guard_condition_get_default_options()));
  OK(rcl_wait_set_init(&set, 0, 1, 0, 0, 0, 0, &session.support.context, session.allocator));
  assert_int_equal(wait_guard(&set, &guard, 0), RCL_RET_TIMEOUT);
  assert_null(set.guard_conditions[0]);
  OK(rcl_trigger_guard_condition(&guard));
  OK(rcl_trigger_guard_condition(&guard));
  OK(wait_guard(&set, &guard, -1));
  assert_ptr_equal(set.guard_conditions[0], &guard);
  int64_t start = now_ns();
  assert_int_equal(wait_guard(&set, &guard, 30), RCL_RET_TIMEOUT);
  assert_true(now_ns() - start >= RCL_MS_TO_NS(29));
  FAILS(rcl_wait_set_add_guard_condition(&set, &guard, NULL), RCL_RET_WAIT_SET_FULL);
  // without adding again, what was not ready is left out
  assert_int_equal(wait_guard(&set, &guard, 0), RCL_RET_TIMEOUT);
  assert_int_equal(rcl_wait(&set, 0), RCL_RET_TIMEOUT);
  // from another thread
  pthread_t thread;
  pthread_create(&thread, NULL, trigger_later, &guard);
  OK(wait_guard(&set, &guard, -1));
  pthread_join(thread, NULL);
  // a cleared set that is waited on sees nothing
  OK(rcl_trigger_guard_condition(&guard));
  OK(rcl_wait_set_clear(&set));
  assert_int_equal(rcl_wait(&set, 0), RCL_RET_TIMEOUT);
  OK(wait_guard(&set, &guard, 0));
  OK(rcl_wait_set_fini(&set));
  OK(rcl_wait_set_fini(&set));
  OK(rcl_guard_condition_fini(&guard));
  OK(rcl_wait_set_init(&set, 0, 0, 0, 0, 0, 0, &session.support.context, session.allocator));
  FAILS(rcl_wait(&set, 0), RCL_RET_WAIT_SET_EMPTY);
  OK(rcl_wait_set_fini(&set));
  FAILS(
    rcl_wait_set_init(&set, 0, 0, 0, 0, 0, 1, &session.support.context, session.allocator),
    RCL_RET_UNSUPPORTED);
}

static int calls;
static int64_t last_gap;

static void
on_timer(rcl_timer_t * timer, int64_t since_last)
{
  (void)timer;
  calls++;
  last_gap = since_last;
}

// a timer ends the wait when it is due; missed periods are skipped, the phase is kept
static void
timers(void ** state)
{
  (void)state;
  rcl_timer_t timer = rcl_get_zero_initialized_timer();
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_timer_init(
    &timer, &session.support.clock, &session.support.context, RCL_MS_TO_NS(20), on_timer,
    session.allocator));
  OK(rcl_wait_set_init(&set, 0, 0, 1, 0, 0, 0, &session.support.context, session.allocator));
  calls = 0;
  int64_t start = now_ns();
  for (int i = 0; i < 10; i++) {
    OK(rcl_wait_set_clear(&set));
    OK(rcl_wait_set_add_timer(&set, &timer, NULL));
    OK(rcl_wait(&set, -1));
    assert_ptr_equal(set.timers[0], &timer);
    OK(rcl_timer_call(&timer));
  }
  int64_t took = now_ns() - start;
  assert_int_equal(calls, 10);
  assert_in_range(took, RCL_MS_TO_NS(190), RCL_MS_TO_NS(400));
  sleep_ms(70);
  OK(rcl_timer_call(&timer));
  assert_true(last_gap >= RCL_MS_TO_NS(60));
  int64_t until = 0;
  OK(rcl_timer_get_time_until_next_call(&timer, &until));
  assert_in_range(until, 0, RCL_MS_TO_NS(20));
  // the wait is over before the timer is due
  OK(rcl_wait_set_clear(&set));
  OK(rcl_wait_set_add_timer(&set, &timer, NULL));
  OK(rcl_timer_reset(&timer));
  OK(rcl_wait(&set, RCL_MS_TO_NS(5)));
  assert_null(set.timers[0]);
  OK(rcl_wait_set_clear(&set));
  OK(rcl_wait_set_add_timer(&set, &timer, NULL));
  assert_int_equal(rcl_wait(&set, RCL_MS_TO_NS(2)), RCL_RET_TIMEOUT);
  // a canceled one is never due
  OK(rcl_timer_cancel(&timer));
  FAILS(rcl_timer_call(&timer), RCL_RET_TIMER_CANCELED);
  OK(rcl_wait_set_clear(&set));
  OK(rcl_wait_set_add_timer(&set, &timer, NULL));
  assert_int_equal(rcl_wait(&set, RCL_MS_TO_NS(40)), RCL_RET_TIMEOUT);
  assert_null(set.timers[0]);
  int64_t period = 0;
  OK(rcl_timer_exchange_period(&timer, 5, &period));
  assert_int_equal(period, RCL_MS_TO_NS(20));
  OK(rcl_wait_set_fini(&set));
  OK(rcl_timer_fini(&timer));
  OK(rcl_timer_fini(&timer));
}

// simulated time: nothing before the first /clock, then as the clock says
static void
ros_time(void ** state)
{
  (void)state;
  rcl_clock_t clock;
  rcl_time_point_value_t now = 0;
  OK(rcl_clock_init(RCL_ROS_TIME, &clock, &session.allocator));
  OK(rcl_clock_get_now(&clock, &now));
  assert_true(now > RCL_S_TO_NS(1000000000LL));
  OK(rcl_enable_ros_time_override(&clock));
  OK(rcl_clock_get_now(&clock, &now));
  assert_int_equal(now, 0);
  assert_false(rcl_clock_time_started(&clock));
  rcl_timer_t timer = rcl_get_zero_initialized_timer();
  OK(rcl_timer_init(
    &timer, &clock, &session.support.context, RCL_MS_TO_NS(200), on_timer, session.allocator));
  rclc_executor_t executor;
  OK(rclc_executor_init(&executor, &session.support.context, 1, &session.allocator));
  OK(rclc_executor_add_timer(&executor, &timer));
  calls = 0;
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(10)));
  assert_int_equal(calls, 0);
  for (int i = 1; i <= 200; i++) {
    OK(rcl_set_ros_time_override(&clock, RCL_MS_TO_NS((int64_t)20 * i)));
    OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(1)));
  }
  assert_int_equal(calls, 20);
  // back in time: one period from there
  OK(rcl_set_ros_time_override(&clock, RCL_MS_TO_NS(1000)));
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(1)));
  OK(rcl_set_ros_time_override(&clock, RCL_MS_TO_NS(1200)));
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(1)));
  assert_int_equal(calls, 21);
  OK(rcl_disable_ros_time_override(&clock));
  bool enabled = true;
  OK(rcl_is_enabled_ros_time_override(&clock, &enabled));
  assert_false(enabled);
  OK(rclc_executor_fini(&executor));
  OK(rcl_timer_fini(&timer));
  OK(rcl_clock_fini(&clock));
  OK(rcl_clock_init(RCL_SYSTEM_TIME, &clock, &session.allocator));
  FAILS(rcl_enable_ros_time_override(&clock), RCL_RET_ERROR);
  OK(rcl_clock_fini(&clock));
}

//---------- executor ----------

static char trace[64];

static void
note(const char * what)
{
  strncat(trace, what, sizeof trace - strlen(trace) - 1);
}

static void
on_message(const void * message)
{
  note(message == NULL ? "-" : "a");
}

static void
on_message_with_context(const void * message, void * context)
{
  note(message == NULL ? "-" : context);
}

static void
on_guard(void)
{
  note("g");
}

static void
on_timer_note(rcl_timer_t * timer, int64_t since_last)
{
  (void)timer;
  (void)since_last;
  note("t");
}

// callbacks come in the order of adding; ALWAYS is called without data; handles can be removed
static void
executor_order(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t first;
  rcl_subscription_t second;
  rcl_timer_t timer = rcl_get_zero_initialized_timer();
  rcl_guard_condition_t guard = rcl_get_zero_initialized_guard_condition();
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "order"));
  OK(rclc_subscription_init_default(&first, &session.node, STRING, "order"));
  OK(rclc_subscription_init_default(&second, &session.node, STRING, "order"));
  OK(rclc_timer_init_default(&timer, &session.support, RCL_MS_TO_NS(1000), on_timer_note));
  OK(rcl_guard_condition_init(
    &guard, &session.support.context, rcl_guard_condition_get_default_options()));
  std_msgs__msg__String a;
  std_msgs__msg__String b;
  assert_true(std_msgs__msg__String__init(&a) && std_msgs__msg__String__init(&b));
  rclc_executor_t executor;
  OK(rclc_executor_init(&executor, &session.support.context, 4, &session.allocator));
  OK(rclc_executor_add_guard_condition(&executor, &guard, on_guard));
  OK(rclc_executor_add_subscription_with_context(
    &executor, &second, &b, on_message_with_context, "b", ON_NEW_DATA));
  OK(rclc_executor_add_subscription(&executor, &first, &a, on_message, ALWAYS));
  OK(rclc_executor_add_timer(&executor, &timer));
  FAILS(rclc_executor_add_timer(&executor, &timer), RCL_RET_ERROR);
  assert_int_equal(executor.index, 4);
  assert_true(wait_matched(&publisher, 2, 2000));
  trace[0] = '\0';
  OK(rclc_executor_spin_some(&executor, 0));
  assert_string_equal(trace, "");
  OK(rcl_publish(&publisher, &a, NULL));
  OK(rcl_trigger_guard_condition(&guard));
  sleep_ms(20);
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(100)));
  assert_string_equal(trace, "gba");
  trace[0] = '\0';
  OK(rcl_trigger_guard_condition(&guard));
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(100)));
  assert_string_equal(trace, "g-");
  // only when this one has data
  OK(rclc_executor_set_trigger(&executor, rclc_executor_trigger_one, &second));
  OK(rclc_executor_set_semantics(&executor, LET));
  trace[0] = '\0';
  OK(rcl_trigger_guard_condition(&guard));
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(100)));
  assert_string_equal(trace, "");
  OK(rcl_publish(&publisher, &a, NULL));
  sleep_ms(20);
  OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(100)));
  assert_string_equal(trace, "ba");
  OK(rclc_executor_remove_subscription(&executor, &second));
  FAILS(rclc_executor_remove_subscription(&executor, &second), RCL_RET_ERROR);
  OK(rclc_executor_set_trigger(&executor, rclc_executor_trigger_always, NULL));
  trace[0] = '\0';
  OK(rclc_executor_spin_some(&executor, 0));
  assert_string_equal(trace, "-");
  OK(rclc_executor_fini(&executor));
  assert_false(rcl_error_is_set());
  OK(rclc_executor_fini(&executor));
  assert_true(rcl_error_is_set());
  rcl_reset_error();
  std_msgs__msg__String__fini(&a);
  std_msgs__msg__String__fini(&b);
  OK(rcl_guard_condition_fini(&guard));
  OK(rcl_timer_fini(&timer));
  OK(rcl_subscription_fini(&second, &session.node));
  OK(rcl_subscription_fini(&first, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

// a subscription that is there twice: one callback for each message, of the first handle
static void
executor_twice(void ** state)
{
  (void)state;
  rcl_publisher_t publisher;
  rcl_subscription_t subscription;
  OK(rclc_publisher_init_default(&publisher, &session.node, STRING, "twice"));
  OK(rclc_subscription_init_default(&subscription, &session.node, STRING, "twice"));
  std_msgs__msg__String text;
  assert_true(std_msgs__msg__String__init(&text));
  rclc_executor_t executor;
  OK(rclc_executor_init(&executor, &session.support.context, 2, &session.allocator));
  OK(rclc_executor_add_subscription(&executor, &subscription, &text, on_message, ON_NEW_DATA));
  OK(rclc_executor_add_subscription_with_context(
    &executor, &subscription, &text, on_message_with_context, "b", ON_NEW_DATA));
  assert_true(wait_matched(&publisher, 1, 2000));
  trace[0] = '\0';
  for (int i = 0; i < 3; i++) {
    OK(rcl_publish(&publisher, &text, NULL));
    OK(rclc_executor_spin_some(&executor, RCL_MS_TO_NS(1000)));
  }
  assert_string_equal(trace, "aaa");
  OK(rclc_executor_fini(&executor));
  std_msgs__msg__String__fini(&text);
  OK(rcl_subscription_fini(&subscription, &session.node));
  OK(rcl_publisher_fini(&publisher, &session.node));
}

static rcl_context_t * to_shut_down;

static void
on_timer_shutdown(rcl_timer_t * timer, int64_t since_last)
{
  (void)timer;
  (void)since_last;
  OK(rcl_shutdown(to_shut_down));
}

// spin ends with an error when the context is shut down
static void
executor_spin(void ** state)
{
  (void)state;
  session_t other;
  session_open(&other, "spin", NULL);
  rcl_timer_t timer = rcl_get_zero_initialized_timer();
  OK(rclc_timer_init_default(&timer, &other.support, RCL_MS_TO_NS(30), on_timer_shutdown));
  rclc_executor_t executor;
  OK(rclc_executor_init(&executor, &other.support.context, 1, &other.allocator));
  OK(rclc_executor_add_timer(&executor, &timer));
  OK(rclc_executor_prepare(&executor));
  OK(rclc_executor_set_timeout(&executor, RCL_MS_TO_NS(100)));
  to_shut_down = &other.support.context;
  assert_int_equal(rclc_executor_spin(&executor), RCL_RET_ERROR);
  assert_true(rcl_error_is_set());
  rcl_reset_error();
  OK(rclc_executor_fini(&executor));
  OK(rcl_timer_fini(&timer));
  OK(rcl_node_fini(&other.node));
  OK(rcl_clock_fini(&other.support.clock));
  OK(rcl_context_fini(&other.support.context));
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(guards),        cmocka_unit_test(timers),
    cmocka_unit_test(ros_time),      cmocka_unit_test(executor_order),
    cmocka_unit_test(executor_spin), cmocka_unit_test(executor_twice),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
