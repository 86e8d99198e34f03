// Joint states of any kind to q and v: names, and what is refused. The robot as a whole:
// test_joint_robot.c. Velocities that are not given, and stamps: test_joint_filter.c.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joint_arm.h"

static const char *
first_unknown(const mix_t * mix)
{
  for (uint32_t i = 0; i < mix->n; i++) {
    if (mix->joint[i] < 0) return mix->name[i];
  }
  return "";
}

//---------- names ----------

static void
any_order_and_superset(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 1;
  for (int round = 1; round < 300; round++) {
    mix_t mix;
    mix_up(&mix, &seed, 0, ARM, random_below(&seed, 7));
    joint_state_t m = message_of(&mix, round * MS);
    m.big_endian = round % 3 == 0;
    assert_true(send(arm.input, &m, round * MS));
    assert_taken(arm.input, &mix);
    assert_true(joint_input_state(arm.input, round * MS));
    assert_int_equal(arm.input->count.unknown_joints, mix.n - ARM);
    assert_string_equal(arm.input->unknown_name, first_unknown(&mix));
    assert_true(arm.input->stamp == round * MS);
    assert_true(arm.input->effort_known);
  }
  assert_int_equal(arm.input->count.taken, 299);
  assert_int_equal(arm.input->count.messages, 299);
  destroy(&arm);
}

static void
two_publishers_of_parts(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 2;
  mix_t low, high;
  assert_int_equal(arm.input->count.missing_joints, ARM);
  assert_false(joint_input_state(arm.input, 0));
  assert_string_equal(arm.input->missing_name, "shoulder");
  mix_up(&low, &seed, 0, 4, 1);
  mix_up(&high, &seed, 4, 3, 0);
  for (int round = 1; round < 20; round++) {
    const joint_state_t a = message_of(&low, round * MS), b = message_of(&high, round * MS);
    assert_true(send(arm.input, &a, round * MS));
    if (round == 1) {
      assert_int_equal(arm.input->count.missing_joints, 3);
      assert_false(joint_input_state(arm.input, MS));
      assert_string_equal(arm.input->missing_name, "elbow");
      assert_string_equal(arm.input->unknown_name, "elbo");
    }
    assert_true(send(arm.input, &b, round * MS));
    assert_taken(arm.input, &low);
    assert_taken(arm.input, &high);
    assert_true(joint_input_state(arm.input, round * MS));
    assert_string_equal(arm.input->missing_name, "");
  }
  assert_int_equal(arm.input->count.new_layouts, 2);
  assert_int_equal(arm.input->count.missing_joints, 0);
  assert_int_equal(arm.input->count.unknown_joints, 0);
  destroy(&arm);
}

// padding that was not cleared, or another endianness, is no other layout
static void
same_names_in_other_bytes(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 3;
  mix_t mix;
  mix_up(&mix, &seed, 0, ARM, 3);
  for (int round = 1; round < 50; round++) {
    joint_state_t m = message_of(&mix, round * MS);
    m.padding = (uint8_t)(round / 5);
    m.big_endian = round % 7 == 0;
    assert_true(send(arm.input, &m, round * MS));
    assert_taken(arm.input, &mix);
    for (uint32_t i = 0; i < mix.n; i++) mix.q[i] += 0.1;
  }
  assert_int_equal(arm.input->count.new_layouts, 1);
  destroy(&arm);
}

// more layouts than are remembered
static void
many_layouts(void ** state)
{
  (void)state;
  enum { MANY = 3 * JOINT_INPUT_LAYOUTS };
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 4;
  static mix_t mix[MANY];
  for (int i = 0; i < MANY; i++) mix_up(&mix[i], &seed, 0, ARM, i % 5);
  for (int round = 1; round < 5 * MANY; round++) {
    const joint_state_t m = message_of(&mix[round % MANY], round * MS);
    assert_true(send(arm.input, &m, round * MS));
    assert_taken(arm.input, &mix[round % MANY]);
  }
  destroy(&arm);
}

// robots of others on the same topic do not push our layouts out
static void
strangers_do_not_displace_friends(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 5;
  static mix_t mix[JOINT_INPUT_LAYOUTS];
  const double zero = 0;
  int64_t time = MS;
  for (int i = 0; i < JOINT_INPUT_LAYOUTS; i++) mix_up(&mix[i], &seed, 0, ARM, 0);
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < JOINT_INPUT_LAYOUTS; i++, time += MS) {
      const joint_state_t m = message_of(&mix[i], time);
      assert_true(send(arm.input, &m, time));
      assert_taken(arm.input, &mix[i]);
    }
    const uint64_t before = arm.input->count.new_layouts;
    for (int i = 0; i < 100; i++) {
      char text[16];
      snprintf(text, sizeof text, "other_%d", i);
      const char * name[] = {text};
      const joint_state_t m = {.stamp = time, .n = 1, .name = name, .position = &zero};
      assert_false(send(arm.input, &m, time));
      assert_string_equal(arm.input->unknown_name, text);
    }
    // all of the strangers are new each time, and nobody else is
    assert_int_equal(before, JOINT_INPUT_LAYOUTS + 100 * round);
  }
  assert_int_equal(arm.input->count.no_joint, 500);
  destroy(&arm);
}

static void
names_beyond_what_is_remembered(void ** state)
{
  (void)state;
  enum { NAMES = WIRE_MAX_NAMES };
  static char text[NAMES][40];
  static const char * name[NAMES];
  static double q[NAMES];
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  for (int i = 0; i < NAMES; i++) {
    const bool ours = i % 512 == 100 && i / 512 < ARM;
    if (ours) {
      snprintf(text[i], sizeof text[i], "%s", ARM_JOINTS[i / 512].name);
    } else {
      snprintf(text[i], sizeof text[i], "a_joint_of_something_large_%d", i);
    }
    name[i] = text[i];
  }
  for (int round = 1; round < 5; round++) {
    for (int i = 0; i < NAMES; i++) q[i] = i + round;
    joint_state_t m = {.stamp = round * MS, .n = NAMES, .name = name, .position = q};
    assert_true(send(arm.input, &m, round * MS));
    for (int i = 0; i < ARM; i++) assert_true(arm.input->q[i] == 512 * i + 100 + round);
    assert_int_equal(arm.input->count.unknown_joints, NAMES - ARM);
    // the same message again is older than what is there
    assert_false(send(arm.input, &m, round * MS));
    assert_int_equal(arm.input->count.backwards, round);
  }
  destroy(&arm);
}

static void
joints_of_several_degrees(void ** state)
{
  (void)state;
  static const robot_joint_t joint[] = {
    {"cart", MBD_JOINT_PLANAR, NULL, 0, 0},
    {"tube", MBD_JOINT_CYLINDRICAL, NULL, 0, 0},
    {"cross", MBD_JOINT_UNIVERSAL, NULL, 0, 0},
    {"ball", MBD_JOINT_SPHERICAL, NULL, 0, 0},
    {"last", MBD_JOINT_REVOLUTE, NULL, 0, 0}};
  static const char * const name[] = {
    "cross.y",    "ball.wx", "tube.displacement", "cart.wz", "last", "cart.vx",
    "tube.angle", "cross.x", "cart.vy",           "cart",    "ball"};
  static const double q[11] = {1, 99, 2, 3, 4, 5, 6, 7, 8, 99, 99};
  static const double v[11] = {11, 99, 12, 13, 14, 15, 16, 17, 18, 99, 99};
  arm_t arm = make(joint, 5, &OPTIONS);
  const joint_state_t m = {.stamp = 1, .n = 11, .name = name, .position = q, .velocity = v};
  assert_true(send(arm.input, &m, 1));
  // cart, tube, cross, ball (at rest: quaternion), last
  static const double q_expected[] = {5, 8, 3, 6, 2, 7, 1, 0, 0, 0, 1, 4};
  static const double v_expected[] = {15, 18, 13, 16, 12, 17, 11, 0, 0, 0, 14};
  assert_close(arm.input->q, q_expected, 12, 0, "q");
  assert_close(arm.input->v, v_expected, 11, 0, "v");
  assert_int_equal(arm.input->count.unknown_joints, 3);
  assert_false(joint_input_state(arm.input, 1));
  assert_string_equal(arm.input->missing_name, "ball");
  assert_int_equal(arm.input->count.missing_joints, 1);
  destroy(&arm);
}

//---------- refusals ----------

// nothing of them remains: neither numbers nor that the joints were there
static void
implausible_numbers_are_refused(void ** state)
{
  (void)state;
  static const char * const name[] = {"lift", "arm"};
  static const double bad[] = {1e308, -1e308, 1.1e9, -1.1e9};
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  double q[] = {0.5, 0}, v[] = {0, 0};
  joint_state_t m = {.n = 2, .name = name, .position = q, .velocity = v};
  for (int i = 0; i < 4; i++) {
    m.stamp = i + 1;
    q[1] = bad[i];
    assert_false(send(arm.input, &m, i + 1));
  }
  q[1] = 0, v[1] = 1.1e6, m.stamp = 5;
  assert_false(send(arm.input, &m, 5));
  assert_int_equal(arm.input->count.implausible, 5);
  assert_true(arm.input->q[1] == 0 && arm.input->q[2] == 0);
  assert_int_equal(arm.input->count.missing_joints, ARM);
  // a refused stamp does not count either
  q[1] = 0.9e9, v[1] = -0.9e6, m.stamp = 1;
  assert_true(send(arm.input, &m, 6));
  assert_true(arm.input->q[1] == 0.9e9 && arm.input->v[1] == -0.9e6 && arm.input->q[2] == 0.5);
  assert_int_equal(arm.input->count.missing_joints, ARM - 2);
  destroy(&arm);
}

static void
duplicate_joints_are_refused(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  static const char * const twice[] = {"arm", "lift", "x", "arm"};
  static const char * const fine[] = {"x", "arm", "x", "lift"};
  static const double q[] = {1, 2, 3, 4};
  joint_state_t m = {.stamp = 1, .n = 4, .name = twice, .position = q};
  for (int i = 1; i < 4; i++) {
    m.stamp = i;
    assert_false(send(arm.input, &m, i));
    assert_int_equal(arm.input->count.duplicates, i);
  }
  assert_true(arm.input->q[1] == 0 && arm.input->q[2] == 0);
  assert_int_equal(arm.input->count.missing_joints, ARM);
  // joints that are not ours may be what they want
  m.name = fine;
  assert_true(send(arm.input, &m, 4));
  assert_true(arm.input->q[1] == 2 && arm.input->q[2] == 4);
  destroy(&arm);
}

static void
set_number(mix_t * mix, int kind, int i, double x)
{
  double * number[] = {mix->q, mix->v, mix->f};
  number[kind][i] = x;
}

static void
numbers_that_are_not_finite(void ** state)
{
  (void)state;
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  enum { EFFORT = 2 };
  uint64_t seed = 6;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  mix_t good, mix;
  mix_up(&good, &seed, 0, ARM, 2);
  joint_state_t m = message_of(&good, MS);
  assert_true(send(arm.input, &m, MS));
  uint64_t refused = 0;
  int64_t time = 2 * MS;
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < (int)good.n; i++) {
      for (int b = 0; b < 3; b++, time += MS) {
        mix = good;
        for (uint32_t k = 0; k < mix.n; k++) mix.q[k] += 1;
        set_number(&mix, kind, i, bad[b]);
        m = message_of(&mix, time);
        const bool fine = mix.joint[i] < 0 || (kind == EFFORT && b == 0);
        assert_int_equal(send(arm.input, &m, time), fine);
        if (!fine) assert_int_equal(arm.input->count.not_finite, ++refused);
        if (!fine) assert_taken(arm.input, &good);
        // unknown effort
        if (fine && mix.joint[i] >= 0) {
          assert_true(isnan(arm.input->effort[mix.joint[i]]));
          assert_false(arm.input->effort_known);
        }
        m = message_of(&good, time += MS);
        assert_true(send(arm.input, &m, time));
        assert_true(arm.input->effort_known);
      }
    }
  }
  destroy(&arm);
}

// drivers say NaN for what they have no sensor for
static void
velocity_that_never_was(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  static const char * const name[] = {"arm", "lift"};
  double q[] = {1, 2}, v[] = {3, (double)NAN};
  joint_state_t m = {.n = 2, .name = name, .position = q, .velocity = v};
  for (int i = 1; i <= 3; i++) {
    m.stamp = i * 10 * MS;
    assert_true(send(arm.input, &m, m.stamp));
    assert_true(arm.input->velocity_given[1]);
    assert_false(arm.input->velocity_given[2]);
    assert_true(arm.input->v[1] == 3);
    assert_close_(
      &arm.input->v[2], (const double[]){i == 1 ? 0 : 50}, 1, 1e-12, 1, __FILE__, __LINE__, "v");
    q[1] += 0.5;
  }
  assert_int_equal(arm.input->count.differentiated, 3);
  v[0] = (double)NAN;
  m.stamp = 40 * MS;
  assert_false(send(arm.input, &m, m.stamp));
  assert_int_equal(arm.input->count.not_finite, 1);
  v[0] = 1, v[1] = 1;
  assert_true(send(arm.input, &m, m.stamp));
  v[1] = (double)NAN;
  m.stamp = 50 * MS;
  assert_false(send(arm.input, &m, m.stamp));
  destroy(&arm);
}

static void
messages_that_are_none(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 8;
  mix_t mix;
  mix_up(&mix, &seed, 0, ARM, 2);
  joint_state_t m = message_of(&mix, MS);
  const size_t size = write_joint_state(&m, buffer);
  for (size_t n = 0; n < size; n++) assert_false(joint_input_take(arm.input, buffer, n, MS, MS));
  assert_int_equal(arm.input->count.malformed, size);
  m.position = NULL;
  assert_false(send(arm.input, &m, MS));
  assert_int_equal(arm.input->count.malformed, size + 1);
  m.n = 0;
  assert_false(send(arm.input, &m, MS));
  assert_int_equal(arm.input->count.no_joint, 1);
  assert_int_equal(arm.input->count.taken, 0);
  for (int k = 0; k < ARM; k++) assert_true(arm.input->q[k] == 0);
  destroy(&arm);
}

// whatever bytes come, the state stays finite, and the counters add up
static void
messages_with_wrong_bytes(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 9;
  for (int round = 1; round < 20000; round++) {
    mix_t mix;
    mix_up(&mix, &seed, 0, random_below(&seed, ARM + 1), random_below(&seed, 4));
    const joint_state_t m = message_of(&mix, round * MS);
    const size_t size = write_joint_state(&m, buffer);
    for (int k = random_below(&seed, 4); k > 0; k--) {
      buffer[random_below(&seed, (int)size)] = (uint8_t)random_below(&seed, 256);
    }
    uint8_t * exact = malloc(size);
    assert_non_null(exact);
    memcpy(exact, buffer, size);
    (void)joint_input_take(arm.input, exact, size, round * MS, round * MS);
    free(exact);
    for (int k = 0; k < ARM; k++) {
      assert_true(isfinite(arm.input->q[k]) && isfinite(arm.input->v[k]));
      assert_true(isfinite(arm.input->acceleration[k]) && !isinf(arm.input->effort[k]));
    }
  }
  const joint_input_counts_t * c = &arm.input->count;
  assert_true(
    c->messages == c->taken + c->malformed + c->duplicates + c->not_finite + c->implausible +
                     c->late + c->future + c->backwards + c->no_joint);
  assert_true(c->taken > 5000 && c->malformed > 1000 && c->no_joint > 1000);
  destroy(&arm);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_order_and_superset),
    cmocka_unit_test(two_publishers_of_parts),
    cmocka_unit_test(same_names_in_other_bytes),
    cmocka_unit_test(many_layouts),
    cmocka_unit_test(strangers_do_not_displace_friends),
    cmocka_unit_test(names_beyond_what_is_remembered),
    cmocka_unit_test(joints_of_several_degrees),
    cmocka_unit_test(duplicate_joints_are_refused),
    cmocka_unit_test(implausible_numbers_are_refused),
    cmocka_unit_test(numbers_that_are_not_finite),
    cmocka_unit_test(velocity_that_never_was),
    cmocka_unit_test(messages_that_are_none),
    cmocka_unit_test(messages_with_wrong_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
