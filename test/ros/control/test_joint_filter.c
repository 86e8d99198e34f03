// Joint states over time: velocities and accelerations that are not given, and stamps.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "joint_arm.h"

static const double PI = 3.14159265358979323846;
enum { JOINT = 0, TURNTABLE = 1, LIFT = 2 };  // revolute, continuous, prismatic

// one joint; velocity NaN: not in the message
static bool
sample(
  joint_input_t * input, int joint, double position, double velocity, int64_t stamp,
  int64_t arrival)
{
  const joint_state_t m = {
    .stamp = stamp,
    .n = 1,
    .name = &ARM_JOINTS[joint].name,
    .position = &position,
    .velocity = isnan(velocity) ? NULL : &velocity};
  return send(input, &m, arrival);
}

static const double NOT_GIVEN = (double)NAN;

static void
assert_is(double a, double b, double tolerance, const char * what)
{
  assert_close_(&a, &b, 1, tolerance, 1e-9, __FILE__, __LINE__, "%s", what);
}

//---------- velocity and acceleration ----------

// A ramp has a constant derivative: sampled however irregularly, the filter must be on the step
// response of a first-order system, w (1 - exp(-2 pi f t)), at each sample.
static void
velocity_of_a_ramp(void ** state)
{
  (void)state;
  const double cutoff[] = {0, 0.5, 10, 300}, w = -1.7;
  uint64_t seed = 1;
  for (int c = 0; c < 4; c++) {
    joint_input_options_t options = OPTIONS;
    options.velocity_cutoff = cutoff[c];
    arm_t arm = make(ARM_JOINTS, ARM, &options);
    const int64_t start = 1000 * MS;
    int64_t stamp = start;
    for (int i = 0; i < 500; i++) {
      const double t = 1e-9 * (double)(stamp - start);
      // arrival is late by anything: it does not matter
      const int64_t arrival = 7 * stamp / 3 + random_below(&seed, 1000000);
      assert_true(sample(arm.input, JOINT, 0.3 + w * t, NOT_GIVEN, stamp, arrival));
      assert_false(arm.input->velocity_given[JOINT]);
      const double settled = cutoff[c] > 0 ? 1 - exp(-2 * PI * cutoff[c] * t) : 1;
      assert_is(arm.input->v[JOINT], i == 0 ? 0 : w * settled, 1e-6, "v");
      stamp += MS / 10 + random_below(&seed, (int)(3 * MS));
    }
    assert_int_equal(arm.input->count.differentiated, 500);
    destroy(&arm);
  }
}

static void
acceleration_of_a_ramp_of_velocity(void ** state)
{
  (void)state;
  const double cutoff[] = {0, 2, 50}, a = 3.1;
  uint64_t seed = 2;
  for (int c = 0; c < 3; c++) {
    joint_input_options_t options = OPTIONS;
    options.acceleration_cutoff = cutoff[c];
    arm_t arm = make(ARM_JOINTS, ARM, &options);
    const int64_t start = 1000 * MS;
    int64_t stamp = start;
    for (int i = 0; i < 300; i++) {
      const double t = 1e-9 * (double)(stamp - start);
      // the position says nothing
      assert_true(sample(arm.input, JOINT, random_signed(&seed), 5 + a * t, stamp, stamp));
      assert_true(arm.input->velocity_given[JOINT]);
      assert_true(arm.input->v[JOINT] == 5 + a * t);
      const double settled = cutoff[c] > 0 ? 1 - exp(-2 * PI * cutoff[c] * t) : 1;
      assert_is(arm.input->acceleration[JOINT], i == 0 ? 0 : a * settled, 1e-7, "acceleration");
      stamp += MS / 10 + random_below(&seed, (int)(3 * MS));
    }
    assert_int_equal(arm.input->count.differentiated, 0);
    destroy(&arm);
  }
}

// the velocity of the first message is not known: it does not jump from zero to what it is
static void
acceleration_starts_with_a_known_velocity(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  const double q[] = {0, 0.02, 0.04, 0.08}, v[] = {0, 2, 2, 4}, a[] = {0, 0, 0, 200};
  for (int i = 0; i < 4; i++) {
    assert_true(sample(arm.input, JOINT, q[i], NOT_GIVEN, (i + 1) * 10 * MS, 0));
    assert_is(arm.input->v[JOINT], v[i], 1e-12, "v");
    assert_is(arm.input->acceleration[JOINT], a[i], 1e-12, "acceleration");
  }
  destroy(&arm);
}

static void
velocity_that_comes_and_goes(void ** state)
{
  (void)state;
  joint_input_options_t options = OPTIONS;
  options.velocity_cutoff = 10;
  arm_t arm = make(ARM_JOINTS, ARM, &options);
  const double keep = exp(-2 * PI * 10 * 0.01);
  assert_true(sample(arm.input, JOINT, 0, 4, 10 * MS, 0));
  assert_true(sample(arm.input, JOINT, 0.01, 6, 20 * MS, 0));
  assert_true(arm.input->v[JOINT] == 6);
  // the filter goes on from what was given
  assert_true(sample(arm.input, JOINT, 0.02, NOT_GIVEN, 30 * MS, 0));
  assert_is(arm.input->v[JOINT], keep * 6 + (1 - keep) * 1, 1e-12, "v");
  assert_false(arm.input->velocity_given[JOINT]);
  assert_true(sample(arm.input, JOINT, 0.02, 7, 40 * MS, 0));
  assert_true(arm.input->v[JOINT] == 7 && arm.input->velocity_given[JOINT]);
  destroy(&arm);
}

static void
time_without_stamps(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  const int64_t start = 5000 * MS;
  assert_true(sample(arm.input, JOINT, 1, NOT_GIVEN, 0, start));
  assert_true(arm.input->stamp == start);
  assert_true(sample(arm.input, JOINT, 1.5, NOT_GIVEN, 0, start + 100 * MS));
  assert_is(arm.input->v[JOINT], 5, 1e-12, "v");
  // some with, some without: arrival counts if one of the two has none
  assert_true(sample(arm.input, JOINT, 1.7, NOT_GIVEN, 77 * MS, start + 200 * MS));
  assert_is(arm.input->v[JOINT], 2, 1e-12, "v");
  assert_true(arm.input->stamp == 77 * MS);
  assert_true(sample(arm.input, JOINT, 1.8, NOT_GIVEN, 0, start + 300 * MS));
  assert_is(arm.input->v[JOINT], 1, 1e-12, "v");
  // several that came at once: no spike, and the next difference is over the whole time
  assert_true(sample(arm.input, JOINT, 1.9, NOT_GIVEN, 0, start + 300 * MS));
  assert_true(sample(arm.input, JOINT, 2.0, NOT_GIVEN, 0, start + 300 * MS + 10000));
  assert_is(arm.input->v[JOINT], 1, 1e-12, "v");
  assert_true(arm.input->q[JOINT] == 2.0);
  assert_true(sample(arm.input, JOINT, 2.1, NOT_GIVEN, 0, start + 400 * MS));
  assert_is(arm.input->v[JOINT], 3, 1e-12, "v");
  assert_int_equal(arm.input->count.backwards, 0);
  destroy(&arm);
}

// the same with velocities: what came at once says nothing about acceleration
static void
acceleration_without_stamps(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  const int64_t start = 5000 * MS;
  assert_true(sample(arm.input, JOINT, 0, 1, 0, start));
  assert_true(sample(arm.input, JOINT, 0, 2, 0, start + 10 * MS));
  assert_is(arm.input->acceleration[JOINT], 100, 1e-12, "acceleration");
  assert_true(sample(arm.input, JOINT, 0, 3, 0, start + 10 * MS + 1));
  assert_true(arm.input->v[JOINT] == 3);
  assert_is(arm.input->acceleration[JOINT], 100, 1e-12, "acceleration");
  assert_true(sample(arm.input, JOINT, 0, 4, 0, start + 20 * MS));
  assert_is(arm.input->acceleration[JOINT], 200, 1e-12, "acceleration");
  destroy(&arm);
}

// the largest numbers that are taken do not stay in the filters
static void
huge_numbers_pass(void ** state)
{
  (void)state;
  joint_input_options_t options = OPTIONS;
  options.velocity_cutoff = options.acceleration_cutoff = 10;
  arm_t arm = make(ARM_JOINTS, ARM, &options);
  const double q[] = {0, 0.9e9, -0.9e9, 0, 0};
  for (int i = 0; i < 300; i++) {
    const double x = i < 5 ? q[i] : 0;
    assert_true(sample(arm.input, JOINT, x, NOT_GIVEN, (i + 1) * 10 * MS, 0));
    assert_true(sample(arm.input, TURNTABLE, x, NOT_GIVEN, (i + 1) * 10 * MS, 0));
    for (int k = 0; k < 2; k++) {
      assert_true(isfinite(arm.input->v[k]) && isfinite(arm.input->acceleration[k]));
    }
  }
  for (int k = 0; k < 2; k++) assert_is(arm.input->v[k], 0, 1e-9, "v");
  destroy(&arm);
}

static void
continuous_joints_wrap(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  double angle = 3;
  for (int i = 0; i < 200; i++, angle += 0.1) {
    const double wrapped = remainder(angle, 2 * PI);
    const int64_t stamp = (i + 1) * 10 * MS;
    const double before = arm.input->q[JOINT];
    assert_true(sample(arm.input, TURNTABLE, wrapped, NOT_GIVEN, stamp, stamp));
    assert_true(sample(arm.input, JOINT, wrapped, NOT_GIVEN, stamp, stamp));
    if (i == 0) continue;
    assert_is(arm.input->v[TURNTABLE], 10, 1e-9, "v");
    // a revolute joint goes where it says it goes
    assert_is(arm.input->v[JOINT], (wrapped - before) / 0.01, 1e-9, "v");
    assert_true(arm.input->q[TURNTABLE] == wrapped);
  }
  destroy(&arm);
}

// against the logarithm on the manifold, for steps that are small enough
static void
velocity_of_a_planar_joint(void ** state)
{
  (void)state;
  static const robot_joint_t joint[] = {{"cart", MBD_JOINT_PLANAR, NULL, 0, 0}};
  static const char * const name[] = {"cart.wz", "cart.vx", "cart.vy"};
  arm_t arm = make(joint, 1, &OPTIONS);
  const double dt = 1e-4;
  double last[3] = {0}, v_last[3] = {0};
  for (int i = 0; i < 20000; i++) {
    const double t = i * dt;
    const double q[3] = {cos(t), 2 * sin(t), remainder(7 * t, 2 * PI)};
    const double position[3] = {q[2], q[0], q[1]};
    const joint_state_t m = {
      .stamp = (i + 1) * (int64_t)(1e9 * dt), .n = 3, .name = name, .position = position};
    assert_true(send(arm.input, &m, m.stamp));
    double v[3], a[3];
    if (i > 0) {
      assert_ok(mbd_difference(arm.model, last, q, v));
      for (int k = 0; k < 3; k++) v[k] /= dt;
      assert_close(arm.input->v, v, 3, 1e-3, "v %d", i);
      for (int k = 0; k < 3; k++) a[k] = (arm.input->v[k] - v_last[k]) / dt;
      if (i > 1) assert_close(arm.input->acceleration, a, 3, 1e-9, "a %d", i);
    }
    memcpy(last, q, sizeof last);
    memcpy(v_last, arm.input->v, sizeof v_last);
  }
  destroy(&arm);
}

//---------- stamps ----------

static void
stamps_must_grow(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  assert_true(sample(arm.input, JOINT, 1, 1, 100 * MS, 10 * MS));
  assert_false(sample(arm.input, JOINT, 2, 2, 100 * MS, 11 * MS));
  assert_false(sample(arm.input, JOINT, 3, 3, 99 * MS, 12 * MS));
  assert_int_equal(arm.input->count.backwards, 2);
  assert_true(arm.input->q[JOINT] == 1 && arm.input->v[JOINT] == 1);
  assert_true(arm.input->stamp == 100 * MS);
  assert_true(sample(arm.input, JOINT, 4, 4, 100 * MS + 1, 13 * MS));
  // other joints have stamps of their own
  assert_true(sample(arm.input, LIFT, 5, 5, 50 * MS, 14 * MS));
  assert_true(sample(arm.input, LIFT, 5, 5, 51 * MS, 14 * MS));
  assert_int_equal(arm.input->count.backwards, 2);
  destroy(&arm);
}

static void
stamps_far_from_now(void ** state)
{
  (void)state;
  joint_input_options_t options = OPTIONS;
  options.check_stamp = true;
  arm_t arm = make(ARM_JOINTS, ARM, &options);
  const int64_t now = 10000 * MS, limit = 100 * MS;
  const double q = 1;
  joint_state_t m = {.n = 1, .name = &ARM_JOINTS[0].name, .position = &q};
  const int64_t stamp[] = {now - limit - 1, now + limit + 1, now - limit, now + limit, 0, 1};
  const bool fine[] = {false, false, true, true, true, false};
  for (int i = 0; i < 6; i++) {
    m.stamp = stamp[i];
    const size_t size = write_joint_state(&m, buffer);
    assert_int_equal(joint_input_take(arm.input, buffer, size, now, i), fine[i]);
  }
  assert_int_equal(arm.input->count.late, 2);
  assert_int_equal(arm.input->count.future, 1);
  assert_int_equal(arm.input->count.backwards, 0);
  // nobody looks
  options.check_stamp = false;
  joint_input_tune(arm.input, &options);
  m.stamp = 1000 * now;
  const size_t size = write_joint_state(&m, buffer);
  assert_true(joint_input_take(arm.input, buffer, size, now, 10));
  destroy(&arm);
}

static void
clock_that_jumps_back(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  int64_t arrival = 1000 * MS, stamp = 900000 * MS;
  for (int i = 0; i < 20; i++, arrival += 10 * MS, stamp += 10 * MS) {
    for (int k = 0; k < ARM; k++) assert_true(sample(arm.input, k, i, NOT_GIVEN, stamp, arrival));
  }
  assert_true(joint_input_state(arm.input, arrival));
  assert_is(arm.input->v[JOINT], 100, 1e-9, "v");
  // simulated time starts over: 100 ms of refusals, then everything starts over
  const int64_t jump = arrival;
  stamp = 10 * MS;
  for (; arrival < jump + 100 * MS; arrival += 10 * MS, stamp += 10 * MS) {
    assert_false(sample(arm.input, JOINT, 50, NOT_GIVEN, stamp, arrival));
    assert_false(sample(arm.input, LIFT, 50, NOT_GIVEN, stamp, arrival));
  }
  assert_int_equal(arm.input->count.backwards, 20);
  assert_int_equal(arm.input->count.clock_jumps, 0);
  assert_true(sample(arm.input, JOINT, 50, NOT_GIVEN, stamp, arrival));
  assert_int_equal(arm.input->count.clock_jumps, 1);
  assert_int_equal(arm.input->count.backwards, 20);
  assert_true(arm.input->q[JOINT] == 50 && arm.input->v[JOINT] == 0);
  assert_true(arm.input->stamp == stamp);
  assert_false(joint_input_state(arm.input, arrival));
  assert_string_equal(arm.input->missing_name, ARM_JOINTS[1].name);
  // for the others, too
  for (int k = 1; k < ARM; k++) assert_true(sample(arm.input, k, 50, NOT_GIVEN, stamp, arrival));
  assert_true(joint_input_state(arm.input, arrival));
  for (int k = 0; k < ARM; k++) assert_true(arm.input->v[k] == 0);
  assert_int_equal(arm.input->count.clock_jumps, 1);
  assert_int_equal(arm.input->count.new_layouts, ARM);
  destroy(&arm);
}

// one that is late now and then, or delivers twice, or whose clock stands still, has not jumped
static void
clock_that_does_not_jump(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  int64_t arrival = 1000 * MS;
  for (int i = 1; i < 50; i++, arrival += 60 * MS) {
    assert_true(sample(arm.input, JOINT, i, 0, 1000 * MS + i, arrival));
    assert_false(sample(arm.input, JOINT, -1, 0, 500 * MS + i, arrival + 20 * MS));
    assert_false(sample(arm.input, JOINT, -1, 0, 500 * MS + i, arrival + 40 * MS));
    assert_true(arm.input->q[JOINT] == i);
  }
  assert_int_equal(arm.input->count.backwards, 98);
  for (int i = 0; i < 50; i++, arrival += 60 * MS) {
    assert_false(sample(arm.input, JOINT, 5, 0, 1000 * MS + 49, arrival));
  }
  assert_false(joint_input_state(arm.input, arrival));
  assert_int_equal(arm.input->count.clock_jumps, 0);
  destroy(&arm);
}

// two that know the same joint by different times
static void
publishers_that_disagree(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  static const char * const pair[] = {"lift", "shoulder"};
  const double q[] = {7, 8};
  int64_t ahead = 9000 * MS, behind = 8000 * MS, arrival = 10 * MS;
  for (int i = 0; i < 10; i++, arrival += 10 * MS, ahead += 10 * MS, behind += 10 * MS) {
    assert_true(sample(arm.input, JOINT, i, i, ahead, arrival));
    const joint_state_t m = {.stamp = behind, .n = 2, .name = pair, .position = q};
    // what it says about the other joint is taken
    assert_true(send(arm.input, &m, arrival));
    assert_true(arm.input->q[JOINT] == i && arm.input->q[LIFT] == 7);
    assert_true(arm.input->v[JOINT] == i);
    assert_is(arm.input->acceleration[JOINT], i ? 100 : 0, 1e-9, "acceleration");
  }
  // the one ahead falls silent, and after the timeout the other is heard: as if for the first time
  const int64_t last = arrival - 10 * MS;
  for (int i = 0; i < 20; i++, arrival += 10 * MS, behind += 10 * MS) {
    const joint_state_t m = {.stamp = behind, .n = 2, .name = pair, .position = q};
    assert_true(send(arm.input, &m, arrival));
    const bool heard = arrival - last > 100 * MS;
    assert_true(arm.input->q[JOINT] == (heard ? 8 : 9));
    assert_is(arm.input->v[JOINT], heard ? 0 : 9, 1e-9, "v");
  }
  assert_int_equal(arm.input->count.clock_jumps, 0);
  destroy(&arm);
}

// a merger that sends on, in another order, what was sent
static void
same_stamp_in_another_layout(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  static const char *const one[] = {"lift", "shoulder"}, *const two[] = {"shoulder", "lift"};
  static const char * const third[] = {"shoulder", "elbow"};
  const double q[] = {1, 2};
  joint_state_t m = {.stamp = MS, .n = 2, .name = one, .position = q};
  assert_true(send(arm.input, &m, 1));
  m.name = two;
  assert_false(send(arm.input, &m, 2));
  assert_int_equal(arm.input->count.backwards, 1);
  assert_true(arm.input->q[LIFT] == 1 && arm.input->q[JOINT] == 2);
  m.name = third;
  assert_true(send(arm.input, &m, 3));
  assert_true(arm.input->q[JOINT] == 2 && arm.input->q[4] == 2);
  destroy(&arm);
}

// a layout that was forgotten leaves no stamp behind for the one that takes its place
static void
stamps_of_forgotten_layouts(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  const double q[] = {1, 2};
  for (int i = 0; i < 3 * JOINT_INPUT_LAYOUTS; i++) {
    char other[16];
    snprintf(other, sizeof other, "other_%d", i);
    const char * name[] = {"shoulder", other};
    const joint_state_t m = {.stamp = 9000 * MS + i, .n = 2, .name = name, .position = q};
    assert_true(send(arm.input, &m, i));
  }
  assert_true(sample(arm.input, LIFT, 3, 0, MS, 100));
  assert_int_equal(arm.input->count.backwards, 0);
  destroy(&arm);
}

static void
cutoff_while_running(void ** state)
{
  (void)state;
  joint_input_options_t options = OPTIONS;
  options.velocity_cutoff = 1;
  arm_t arm = make(ARM_JOINTS, ARM, &options);
  const double slow = exp(-2 * PI * 1 * 0.01), fast = exp(-2 * PI * 20 * 0.01);
  assert_true(sample(arm.input, JOINT, 0, NOT_GIVEN, 10 * MS, 0));
  assert_true(sample(arm.input, JOINT, 0.1, NOT_GIVEN, 20 * MS, 0));
  assert_is(arm.input->v[JOINT], (1 - slow) * 10, 1e-12, "v");
  options.velocity_cutoff = 20;
  joint_input_tune(arm.input, &options);
  assert_true(sample(arm.input, JOINT, 0.2, NOT_GIVEN, 30 * MS, 0));
  assert_is(arm.input->v[JOINT], fast * (1 - slow) * 10 + (1 - fast) * 10, 1e-12, "v");
  destroy(&arm);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(velocity_of_a_ramp),
    cmocka_unit_test(acceleration_of_a_ramp_of_velocity),
    cmocka_unit_test(acceleration_starts_with_a_known_velocity),
    cmocka_unit_test(velocity_that_comes_and_goes),
    cmocka_unit_test(time_without_stamps),
    cmocka_unit_test(acceleration_without_stamps),
    cmocka_unit_test(huge_numbers_pass),
    cmocka_unit_test(continuous_joints_wrap),
    cmocka_unit_test(velocity_of_a_planar_joint),
    cmocka_unit_test(stamps_must_grow),
    cmocka_unit_test(stamps_far_from_now),
    cmocka_unit_test(clock_that_jumps_back),
    cmocka_unit_test(clock_that_does_not_jump),
    cmocka_unit_test(publishers_that_disagree),
    cmocka_unit_test(same_stamp_in_another_layout),
    cmocka_unit_test(stamps_of_forgotten_layouts),
    cmocka_unit_test(cutoff_while_running),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
