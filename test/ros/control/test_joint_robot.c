// Is the whole robot known: freshness, optional and mimic joints, the free base.
#include <math.h>
#include <string.h>

#include "joint_arm.h"

static void
send_joint(joint_input_t * input, const char * name, double q, int64_t time)
{
  const joint_state_t m = {.stamp = time, .n = 1, .name = &name, .position = &q};
  assert_true(send(input, &m, time));
}

static void
each_joint_has_its_freshness(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  int64_t time = 1000 * MS;
  for (int silent = 0; silent < ARM; silent++, time += 1000 * MS) {
    for (int i = 0; i < ARM; i++) {
      if (i != silent) send_joint(arm.input, ARM_JOINTS[i].name, 0, time);
    }
    assert_false(joint_input_state(arm.input, time));
    assert_string_equal(arm.input->missing_name, ARM_JOINTS[silent].name);
    send_joint(arm.input, ARM_JOINTS[silent].name, 0, time + 50 * MS);
    assert_true(joint_input_state(arm.input, time + 100 * MS));
    assert_false(joint_input_state(arm.input, time + 100 * MS + 1));
    assert_string_equal(arm.input->missing_name, ARM_JOINTS[silent == 0].name);
  }
  joint_input_options_t slow = OPTIONS;
  slow.timeout = 1e300;
  joint_input_tune(arm.input, &slow);
  assert_true(joint_input_state(arm.input, 1000 * time));
  destroy(&arm);
}

static void
restart_forgets_all_but_layouts(void ** state)
{
  (void)state;
  arm_t arm = make(ARM_JOINTS, ARM, &OPTIONS);
  uint64_t seed = 10;
  mix_t mix;
  mix_up(&mix, &seed, 0, ARM, 0);
  joint_state_t m = message_of(&mix, 100 * MS);
  assert_true(send(arm.input, &m, 100 * MS));
  joint_input_restart(arm.input);
  assert_false(joint_input_state(arm.input, 100 * MS));
  assert_false(arm.input->effort_known);
  for (int k = 0; k < ARM; k++) {
    assert_true(arm.input->q[k] == 0 && arm.input->v[k] == 0 && isnan(arm.input->effort[k]));
  }
  // an older stamp is as good as any, and nothing is differentiated from before
  m.stamp = 50 * MS;
  m.velocity = NULL;
  assert_true(send(arm.input, &m, 101 * MS));
  assert_true(joint_input_state(arm.input, 101 * MS));
  for (int k = 0; k < ARM; k++) assert_true(arm.input->v[k] == 0);
  assert_int_equal(arm.input->count.new_layouts, 1);
  assert_int_equal(arm.input->count.clock_jumps, 0);
  destroy(&arm);
}

static void
optional_joints_may_be_missing(void ** state)
{
  (void)state;
  static const char * const optional[] = {"elbow_2", "no such joint", "ball", NULL};
  static const robot_joint_t joint[] = {
    {"elbow", MBD_JOINT_REVOLUTE, NULL, 0, 0},
    {"elbow_2", MBD_JOINT_REVOLUTE, NULL, 0, 0},
    {"ball", MBD_JOINT_SPHERICAL, NULL, 0, 0}};
  joint_input_options_t options = OPTIONS;
  options.optional = optional;
  arm_t arm = make(joint, 3, &options);
  assert_int_equal(arm.input->count.missing_joints, 1);
  send_joint(arm.input, "elbow", 1, MS);
  assert_int_equal(arm.input->count.missing_joints, 0);
  assert_true(joint_input_state(arm.input, MS));
  assert_close(arm.input->q, ((const double[]){1, 0, 0, 0, 0, 1}), 6, 0, "q");
  // once heard of, it is like any other
  send_joint(arm.input, "elbow_2", 2, 2 * MS);
  send_joint(arm.input, "elbow", 1, 103 * MS);
  assert_false(joint_input_state(arm.input, 103 * MS));
  assert_string_equal(arm.input->missing_name, "elbow_2");
  destroy(&arm);
}

static void
mimic_joints_follow(void ** state)
{
  (void)state;
  // a chain of followers, against the order of the joints
  static const robot_joint_t joint[] = {
    {"c", MBD_JOINT_REVOLUTE, "b", -2, 0.5},
    {"b", MBD_JOINT_PRISMATIC, "a", 3, 0.25},
    {"a", MBD_JOINT_REVOLUTE, NULL, 0, 0}};
  joint_input_options_t options = OPTIONS;
  arm_t arm = make(joint, 3, &options);
  assert_close(arm.input->q, ((const double[]){0, 0.25, 0}), 3, 1e-15, "q at rest");
  assert_int_equal(arm.input->count.missing_joints, 1);
  static const char *const a[] = {"a"}, *const ab[] = {"b", "a"};
  const double q[] = {0.7, 0.1}, v[] = {5, 7}, v_later[] = {5, 7.5};
  joint_state_t m = {.stamp = 10 * MS, .n = 1, .name = a, .position = q + 1, .velocity = v + 1};
  assert_true(send(arm.input, &m, 10 * MS));
  m.stamp = 20 * MS, m.velocity = v_later + 1;
  assert_true(send(arm.input, &m, 20 * MS));
  assert_true(joint_input_state(arm.input, 20 * MS));
  const double b_follows = 3 * 0.1 + 0.25;
  assert_close(
    arm.input->q, ((const double[]){-2 * b_follows + 0.5, b_follows, 0.1}), 3, 1e-15, "q");
  assert_close(arm.input->v, ((const double[]){-6 * 7.5, 3 * 7.5, 7.5}), 3, 1e-15, "v");
  assert_close(arm.input->acceleration, ((const double[]){-300, 150, 50}), 3, 1e-12, "a");
  assert_true(arm.input->velocity_given[0] && isnan(arm.input->effort[0]));
  // a follower that is in a message does not follow, but leads its own
  m = (joint_state_t){.stamp = 30 * MS, .n = 2, .name = ab, .position = q, .velocity = v};
  assert_true(send(arm.input, &m, 30 * MS));
  assert_close(arm.input->q, ((const double[]){-2 * 0.7 + 0.5, 0.7, 0.1}), 3, 1e-15, "q");
  assert_close(arm.input->v, ((const double[]){-10, 5, 7}), 3, 1e-15, "v");
  send_joint(arm.input, "a", 0, 131 * MS);
  assert_false(joint_input_state(arm.input, 131 * MS));
  assert_string_equal(arm.input->missing_name, "b");
  destroy(&arm);
}

//---------- the free base ----------

static bool
send_base(joint_input_t * input, const double * pose, const double * twist, int64_t time)
{
  const size_t size = write_odometry(time, pose, twist, buffer);
  return joint_input_take_base(input, buffer, size, time, time);
}

static const robot_joint_t BOAT[] = {
  {"root_joint", MBD_JOINT_FREE, NULL, 0, 0}, {"mast", MBD_JOINT_REVOLUTE, NULL, 0, 0}};

static void
free_base_from_odometry(void ** state)
{
  (void)state;
  arm_t arm = make(BOAT, 2, &OPTIONS);
  assert_int_equal(arm.input->count.missing_joints, 2);
  send_joint(arm.input, "mast", 0.3, MS);
  assert_false(joint_input_state(arm.input, MS));
  assert_string_equal(arm.input->missing_name, "root_joint");
  assert_true(arm.input->q[6] == 1);
  static const double pose[] = {1, 2, 3, 0, 2, 0, 2}, twist[] = {4, 5, 6, 7, 8, 9};
  assert_true(send_base(arm.input, pose, twist, 2 * MS));
  assert_true(joint_input_state(arm.input, 2 * MS));
  assert_int_equal(arm.input->count.missing_joints, 0);
  const double h = sqrt(0.5);
  assert_close(arm.input->q, ((const double[]){1, 2, 3, 0, h, 0, h, 0.3}), 8, 1e-15, "q");
  assert_close(arm.input->v, twist, 6, 0, "v");
  assert_true(arm.input->stamp == MS);
  static const double faster[] = {5, 5, 6, 7, 8, 7};
  assert_true(send_base(arm.input, pose, faster, 12 * MS));
  assert_close(
    arm.input->acceleration, ((const double[]){100, 0, 0, 0, 0, -200}), 6, 1e-12, "acceleration");
  // the mast has been silent for longer, then the base
  assert_false(joint_input_state(arm.input, 102 * MS));
  assert_string_equal(arm.input->missing_name, "mast");
  send_joint(arm.input, "mast", 0.3, 102 * MS);
  assert_false(joint_input_state(arm.input, 112 * MS + 1));
  assert_string_equal(arm.input->missing_name, "root_joint");
  destroy(&arm);
}

static void
odometry_that_is_refused(void ** state)
{
  (void)state;
  arm_t arm = make(BOAT, 2, &OPTIONS);
  static const double pose[] = {1, 2, 3, 0, 0, 0, 1}, twist[] = {4, 5, 6, 7, 8, 9};
  double wrong[7];
  assert_true(send_base(arm.input, pose, twist, MS));
  for (int i = 0; i < 13; i++) {
    double p[7], t[6];
    memcpy(p, pose, sizeof p), memcpy(t, twist, sizeof t);
    *(i < 7 ? &p[i] : &t[i - 7]) = i % 2 ? (double)NAN : HUGE_VAL;
    assert_false(send_base(arm.input, p, t, 2 * MS));
    assert_int_equal(arm.input->count.not_finite, i + 1);
  }
  memcpy(wrong, pose, sizeof wrong), wrong[6] = 0;
  assert_false(send_base(arm.input, wrong, twist, 2 * MS));
  assert_int_equal(arm.input->count.malformed, 1);
  // tiny is still a direction
  wrong[3] = 1e-200;
  assert_true(send_base(arm.input, wrong, twist, 2 * MS));
  assert_close(arm.input->q, ((const double[]){1, 2, 3, 1, 0, 0, 0}), 7, 1e-15, "q");
  assert_false(send_base(arm.input, pose, twist, 2 * MS));
  assert_false(send_base(arm.input, pose, twist, MS));
  assert_int_equal(arm.input->count.backwards, 2);
  const size_t size = write_odometry(9 * MS, pose, twist, buffer);
  for (size_t n = 0; n < size; n++) {
    assert_false(joint_input_take_base(arm.input, buffer, n, 9 * MS, 9 * MS));
  }
  assert_int_equal(arm.input->count.malformed, 1 + size);
  destroy(&arm);

  arm = make(ARM_JOINTS, ARM, &OPTIONS);
  assert_false(send_base(arm.input, pose, twist, MS));
  assert_int_equal(arm.input->count.no_joint, 1);
  destroy(&arm);
}

// nothing but a base: results carry the stamp of odometry
static void
robot_without_joints(void ** state)
{
  (void)state;
  arm_t arm = make(BOAT, 1, &OPTIONS);
  static const double pose[] = {1, 2, 3, 0, 0, 0, 1}, twist[] = {4, 5, 6, 7, 8, 9};
  assert_true(send_base(arm.input, pose, twist, 5 * MS));
  assert_true(joint_input_state(arm.input, 5 * MS));
  assert_true(arm.input->stamp == 5 * MS);
  destroy(&arm);

  mbd_model_t * empty;
  assert_ok(mbd_model_create("empty", &empty));
  assert_ok(mbd_model_finalize(empty));
  joint_input_t * input = joint_input_create(empty, &OPTIONS);
  assert_non_null(input);
  assert_true(joint_input_state(input, 0));
  assert_false(send_base(input, pose, twist, MS));
  const joint_state_t m = {.stamp = 1, .n = 1, .name = &BOAT[1].name, .position = pose};
  assert_false(send(input, &m, MS));
  joint_input_destroy(input);
  joint_input_destroy(NULL);
  mbd_model_destroy(empty);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_joint_has_its_freshness),
    cmocka_unit_test(restart_forgets_all_but_layouts),
    cmocka_unit_test(optional_joints_may_be_missing),
    cmocka_unit_test(mimic_joints_follow),
    cmocka_unit_test(free_base_from_odometry),
    cmocka_unit_test(odometry_that_is_refused),
    cmocka_unit_test(robot_without_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
