// Reading and filling do not touch the heap; building gives up cleanly wherever memory ends. How
// long a joint state takes is printed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "messages_out.h"
#include "wire_oracle.h"

//---------- the interposer ----------

extern void * __libc_malloc(size_t);
extern void * __libc_calloc(size_t, size_t);
extern void * __libc_realloc(void *, size_t);
extern void __libc_free(void *);

// calls while armed; blocks that live; the call that fails, 0: none
static volatile int armed, touched, alive, failing;

static bool
fails(void)
{
  if (!armed) return false;
  touched++;
  return touched == failing;
}

void *
malloc(size_t n)
{
  if (fails()) return NULL;
  void * p = __libc_malloc(n);
  if (armed && p) alive++;
  return p;
}

void *
calloc(size_t n, size_t size)
{
  if (fails()) return NULL;
  void * p = __libc_calloc(n, size);
  if (armed && p) alive++;
  return p;
}

void *
realloc(void * old, size_t n)
{
  if (fails()) return NULL;
  void * p = __libc_realloc(old, n);
  if (armed && p && !old) alive++;
  return p;
}

void
free(void * p)
{
  if (armed && p) alive--;
  __libc_free(p);
}

static void
arm(int fail)
{
  touched = alive = 0;
  failing = fail;
  armed = 1;
}

//---------- every message, built and filled ----------

static const char * const names[7] = {"joint_1", "joint_2", "joint_3", "joint_4",
                                      "joint_5", "joint_6", "joint_7"};

typedef struct outputs {
  out_message_t joint_state, array, torques, mass, jacobian, inertia, summary, wrench;
  out_joint_dynamics_message_t dynamics;
} outputs_t;

static void
outputs_fini(outputs_t * o)
{
  out_message_t * list[] = {&o->joint_state, &o->array,   &o->torques, &o->mass,
                            &o->jacobian,    &o->inertia, &o->summary, &o->wrench};
  for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) out_message_fini(list[i]);
  out_joint_dynamics_fini(&o->dynamics);
}

// on failure what was built stays, and what was not is empty
static bool
outputs_build(outputs_t * o)
{
  *o = (outputs_t){0};
  const out_names_t n = {7, names}, f = {2, names};
  return out_joint_state_build(&o->joint_state, "base_link", n) && out_array_build(&o->array, 7) &&
         out_joint_torques_build(&o->torques, "base_link", n) &&
         out_mass_matrix_build(&o->mass, "base_link", n) &&
         out_jacobian_build(&o->jacobian, "tool0", 2, "tool0", "world", n) &&
         out_operational_space_inertia_build(&o->inertia, "base_link", f, 2, f, f) &&
         out_summary_build(&o->summary, "world", "arm", "passive", 7, n) &&
         out_wrench_build(&o->wrench, "tool0") &&
         out_joint_dynamics_build(&o->dynamics, "base_link", n);
}

static void
outputs_fill(outputs_t * o)
{
  static const double x[200];
  static const bool flag[7];
  out_stamp(&o->joint_state, 1);
  for (int k = OUT_JS_POSITION; k <= OUT_JS_EFFORT; k++) out_numbers(&o->joint_state, k, x);
  out_numbers(&o->array, OUT_ARRAY_DATA, x);
  for (int k = JT_TOTAL; k <= JT_COMMAND; k++) out_numbers(&o->torques, k, x);
  out_flags(&o->torques, JT_SATURATED, flag);
  out_numbers(&o->mass, MM_DATA, x);
  out_number(&o->mass, MM_CONDITION, 1);
  out_numbers(&o->jacobian, JAC_DATA, x);
  out_numbers(&o->inertia, OSI_DATA, x);
  out_u32(&o->inertia, OSI_RANK, 6);
  out_u64(&o->summary, DS_CYCLES, 1);
  out_numbers(&o->wrench, OUT_WRENCH, x);
  for (size_t i = 0; i < 7; i++)
    out_joint_dynamics_set(&o->dynamics, i, &(wire_joint_dynamics_t){.position = 1});
}

//---------- the tests ----------

static void
building(void ** state)
{
  (void)state;
  // how many times memory is asked for
  outputs_t o;
  arm(0);
  bool ok = outputs_build(&o);
  outputs_fini(&o);
  armed = 0;
  const int calls = touched;
  assert_true(ok);
  assert_int_equal(alive, 0);
  assert_true(calls > 9);

  for (int fail = 1; fail <= calls; fail++) {
    arm(fail);
    ok = outputs_build(&o);
    const bool last_empty = !o.dynamics.offset && !o.dynamics.message.bytes;
    outputs_fini(&o);
    armed = 0;
    assert_true(last_empty);
    if (ok || alive != 0) fail_msg("call %d of %d fails: %d blocks are left", fail, calls, alive);
  }
}

static void
filling(void ** state)
{
  (void)state;
  outputs_t o;
  assert_true(outputs_build(&o));
  arm(0);
  outputs_fill(&o);
  armed = 0;
  assert_int_equal(touched, 0);
  outputs_fini(&o);
}

static void
reading(void ** state)
{
  (void)state;
  size_t kinds;
  const oracle_kind_t * kind = oracle_kinds(&kinds);
  for (size_t k = 0; k < kinds; k++) {
    uint64_t seed = 1;
    size_t size;
    oracle_result_t result;
    void * message = oracle_random(&kind[k], &seed);
    uint8_t * bytes = oracle_encode(&kind[k], message, false, &size);
    arm(0);
    const bool ok = kind[k].read(bytes, size, &result);
    for (size_t n = 0; n < size; n++) (void)kind[k].read(bytes, n, &result);
    armed = 0;
    assert_true(ok);
    assert_int_equal(touched, 0);
    free(bytes);
    oracle_free(&kind[k], message);
  }
}

static double
seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// the least of many, as other programs run here, too
static double
time_joint_state(const uint8_t * bytes, size_t size)
{
  enum { INNER = 1000 };
  double least = 1;
  for (int i = 0; i < 200; i++) {
    double x[3][7], sum = 0;
    const double start = seconds();
    for (int k = 0; k < INNER; k++) {
      wire_joint_state_t s;
      if (!wire_read_joint_state(bytes, size, &s)) return -1;
      wire_copy_numbers(&s.position, x[0]);
      wire_copy_numbers(&s.velocity, x[1]);
      wire_copy_numbers(&s.effort, x[2]);
      sum += x[0][k % 7] + x[2][k % 7];
    }
    const double one = (seconds() - start) / INNER;
    if (one < least && sum > -1) least = one;
  }
  return least;
}

static void
speed(void ** state)
{
  (void)state;
  outputs_t o;
  assert_true(outputs_build(&o));
  outputs_fill(&o);
  const double read = time_joint_state(o.joint_state.bytes, o.joint_state.size);
  assert_true(read >= 0);
  double fill = 1;
  for (int i = 0; i < 2000; i++) {
    const double start = seconds();
    outputs_fill(&o);
    const double one = seconds() - start;
    if (one < fill) fill = one;
  }
  print_message(
    "             JointState of 7 joints, %zu bytes: read %.0f ns; all outputs filled: %.0f ns\n",
    o.joint_state.size, 1e9 * read, 1e9 * fill);
  outputs_fini(&o);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(building),
    cmocka_unit_test(filling),
    cmocka_unit_test(reading),
    cmocka_unit_test(speed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
