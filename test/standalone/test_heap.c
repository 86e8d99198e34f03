// No heap per message in our layer: malloc and its family are counted by who calls them.
#define _GNU_SOURCE  // dl_iterate_phdr
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rmw/rmw.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "support.h"

//---------- counting ----------

static atomic_bool counting;
static atomic_uint ours, cyclone, others;
static uintptr_t program_start, program_end, cyclone_start, cyclone_end;

extern void * __libc_malloc(size_t size);
extern void * __libc_calloc(size_t n, size_t size);
extern void * __libc_realloc(void * pointer, size_t size);

static void
count(const void * caller)
{
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  uintptr_t at = (uintptr_t)caller;
  if (at >= program_start && at < program_end) {
    atomic_fetch_add(&ours, 1);
  } else if (at >= cyclone_start && at < cyclone_end) {
    atomic_fetch_add(&cyclone, 1);
  } else {
    atomic_fetch_add(&others, 1);
  }
}

void * counted_malloc(size_t size) __asm__("malloc");
void * counted_calloc(size_t n, size_t size) __asm__("calloc");
void * counted_realloc(void * pointer, size_t size) __asm__("realloc");

__attribute__((visibility("default"))) void *
counted_malloc(size_t size)
{
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *
counted_calloc(size_t n, size_t size)
{
  count(__builtin_return_address(0));
  return __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *
counted_realloc(void * pointer, size_t size)
{
  count(__builtin_return_address(0));
  return __libc_realloc(pointer, size);
}

// where this program (with the stand-in in it) and Cyclone are in memory
static int
find_modules(struct dl_phdr_info * info, size_t size, void * arg)
{
  (void)size;
  (void)arg;
  uintptr_t start = UINTPTR_MAX;
  uintptr_t end = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (at < start) start = at;
    if (at + info->dlpi_phdr[i].p_memsz > end) end = at + info->dlpi_phdr[i].p_memsz;
  }
  if (info->dlpi_name[0] == '\0') {
    program_start = start;
    program_end = end;
  } else if (strstr(info->dlpi_name, "libddsc") != NULL) {
    cyclone_start = start;
    cyclone_end = end;
  }
  return 0;
}

//---------- tests ----------

enum { WARM_UP = 500, MESSAGES = 2000 };

static session_t session;

static void
report(const char * what)
{
  print_message(
    "[ mallocs  ] %s, %d messages: ours %u, Cyclone %u, others %u\n", what, MESSAGES,
    atomic_load(&ours), atomic_load(&cyclone), atomic_load(&others));
}

static void
start_counting(void)
{
  atomic_store(&ours, 0);
  atomic_store(&cyclone, 0);
  atomic_store(&others, 0);
  atomic_store(&counting, true);
}

// the loop of the node's control thread; `typed` takes and publishes structures instead
static void
loop(bool typed, rcl_publisher_t * out, rcl_subscription_t * in)
{
  sensor_msgs__msg__JointState message;
  assert_true(sensor_msgs__msg__JointState__init(&message));
  assert_true(rosidl_runtime_c__String__Sequence__init(&message.name, 7));
  assert_true(rosidl_runtime_c__double__Sequence__init(&message.position, 7));
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  rcl_serialized_message_t back = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&bytes, 0, &session.allocator), RCUTILS_RET_OK);
  assert_int_equal(rmw_serialized_message_init(&back, 1024, &session.allocator), RCUTILS_RET_OK);
  OK(rmw_serialize(&message, JOINT_STATE, &bytes));
  rcl_guard_condition_t guard = rcl_get_zero_initialized_guard_condition();
  OK(rcl_guard_condition_init(
    &guard, &session.support.context, rcl_guard_condition_get_default_options()));
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 1, 1, 0, 0, 0, 0, &session.support.context, session.allocator));
  for (int i = 0; i < WARM_UP + MESSAGES; i++) {
    if (i == WARM_UP) start_counting();
    if (typed) {
      OK(rcl_publish(out, &message, NULL));
    } else {
      OK(rcl_publish_serialized_message(out, &bytes, NULL));
    }
    OK(rcl_wait_set_clear(&set));
    OK(rcl_wait_set_add_subscription(&set, in, NULL));
    OK(rcl_wait_set_add_guard_condition(&set, &guard, NULL));
    OK(rcl_wait(&set, RCL_S_TO_NS(2LL)));
    assert_non_null(set.subscriptions[0]);
    if (typed) {
      OK(rcl_take(in, &message, NULL, NULL));
    } else {
      OK(rcl_take_serialized_message(in, &back, NULL, NULL));
    }
  }
  atomic_store(&counting, false);
  OK(rcl_wait_set_fini(&set));
  OK(rcl_guard_condition_fini(&guard));
  assert_int_equal(rmw_serialized_message_fini(&bytes), RCUTILS_RET_OK);
  assert_int_equal(rmw_serialized_message_fini(&back), RCUTILS_RET_OK);
  sensor_msgs__msg__JointState__fini(&message);
}

static void
run_session(bool typed, const char * topic)
{
  session_open(&session, "heap", NULL);
  rcl_publisher_t out;
  rcl_subscription_t in;
  OK(rclc_publisher_init_default(&out, &session.node, JOINT_STATE, topic));
  OK(rclc_subscription_init_default(&in, &session.node, JOINT_STATE, topic));
  assert_true(wait_matched(&out, 1, 2000));
  uint64_t misses = raw_pool_misses();
  loop(typed, &out, &in);
  assert_int_equal(raw_pool_misses(), misses);
  OK(rcl_publisher_fini(&out, &session.node));
  OK(rcl_subscription_fini(&in, &session.node));
  session_close(&session);
}

// another process, in a hurry
static int
role_source(void)
{
  session_open(&session, "source", NULL);
  rcl_publisher_t out;
  OK(rclc_publisher_init_default(&out, &session.node, JOINT_STATE, "joint_states"));
  uint8_t data[308] = {0, 1};
  rcl_serialized_message_t bytes = {.buffer = data, .buffer_length = sizeof data};
  for (int i = 0; i < 20000; i++) {
    OK(rcl_publish_serialized_message(&out, &bytes, NULL));
    sleep_ms(1);
  }
  return 0;
}

// from the network, through the receive thread
static void
received(void ** state)
{
  (void)state;
  session_open(&session, "sink", NULL);
  rcl_subscription_t in;
  OK(rclc_subscription_init_default(&in, &session.node, JOINT_STATE, "joint_states"));
  pid_t source = start_role("source");
  rcl_serialized_message_t bytes = rmw_get_zero_initialized_serialized_message();
  assert_int_equal(rmw_serialized_message_init(&bytes, 1024, &session.allocator), RCUTILS_RET_OK);
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(&set, 1, 0, 0, 0, 0, 0, &session.support.context, session.allocator));
  for (int n = 0; n < WARM_UP + MESSAGES;) {
    OK(rcl_wait_set_clear(&set));
    OK(rcl_wait_set_add_subscription(&set, &in, NULL));
    OK(rcl_wait(&set, RCL_S_TO_NS(5LL)));
    while (rcl_take_serialized_message(&in, &bytes, NULL, NULL) == RCL_RET_OK) {
      if (++n == WARM_UP) start_counting();
    }
  }
  atomic_store(&counting, false);
  kill(source, SIGKILL);
  exit_code(source);
  report("received");
  assert_int_equal(atomic_load(&ours), 0);
  OK(rcl_wait_set_fini(&set));
  assert_int_equal(rmw_serialized_message_fini(&bytes), RCUTILS_RET_OK);
  OK(rcl_subscription_fini(&in, &session.node));
  session_close(&session);
}

// bytes in and out, as the node's control thread does it
static void
serialized(void ** state)
{
  (void)state;
  run_session(false, "bytes");
  report("serialized");
  assert_int_equal(atomic_load(&ours), 0);
}

// structures, with memory reused
static void
typed(void ** state)
{
  (void)state;
  run_session(true, "structures");
  report("typed");
  assert_int_equal(atomic_load(&ours), 0);
}

// the counter counts
static void
counter(void ** state)
{
  (void)state;
  start_counting();
  void * volatile block = malloc(10);
  atomic_store(&counting, false);
  free(block);
  assert_int_equal(atomic_load(&ours), 1);
  assert_true(cyclone_end > cyclone_start);
}

int
main(int argc, char ** argv)
{
  own_domain();
  if (role_of(argc, argv) != NULL) return role_source();
  dl_iterate_phdr(find_modules, NULL);
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(counter), cmocka_unit_test(serialized), cmocka_unit_test(typed),
    cmocka_unit_test(received)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
