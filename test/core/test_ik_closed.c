// Closed forms of inverse kinematics: all branches against dense forward kinematics, and those of the UR5
// against a closed form written by hand.
#include "ik_arms.h"

// branches of a pose: each gives it, no two are the same, and the configuration it comes from is one of them
static int
check_branches(
  const ik_arm_t * arm, const mbd_ik_closed_form_t * closed, const double * wanted,
  double tolerance)
{
  const mbd_placement_t pose = dense_pose(arm->model, arm->frame, wanted);
  double swivel = 0, t[MBD_IK_BRANCHES][7];
  int n;
  if (closed->form == MBD_IK_SHOULDER_AND_WRIST) assert_ok(mbd_ik_swivel(closed, wanted, &swivel));
  assert_ok(mbd_ik_closed_form(closed, &pose, swivel, t, &n));
  double nearest = HUGE_VAL;
  for (int k = 0; k < n; k++) {
    const mbd_placement_t X = dense_pose(arm->model, arm->frame, t[k]);
    assert_true(pose_distance(&X, &pose) < tolerance);
    nearest = fmin(nearest, angle_distance(t[k], wanted, arm->n));
    for (int j = 0; j < k; j++) assert_true(angle_distance(t[j], t[k], arm->n) > 1e-7);
  }
  assert_true(nearest < 1e-5);
  return n;
}

static void
check_arm(int joints, const double (*row)[3], mbd_ik_form_t form, bool mirrored, int least_branches)
{
  ik_arm_t arm = arm_of(joints, row, 3.1);
  mbd_ik_closed_form_t closed;
  assert_ok(mbd_ik_find_closed_form(arm.model, arm.frame, &closed));
  assert_int_equal(closed.form, form);
  assert_int_equal(closed.mirrored, mirrored);
  assert_true(closed.deviation < 1e-12);
  int full = 0;
  FOR_SEEDS(TREES)
  {
    double wanted[7];
    assert_ok(mbd_random_configuration(arm.model, seed, wanted));
    full += check_branches(&arm, &closed, wanted, 1e-8) == 8;
    mats_free();
  }
  assert_count(full, least_branches);
  arm_free(&arm);
}

static void
ur5_has_eight(void ** context)
{
  (void)context;
  check_arm(6, UR5, MBD_IK_THREE_PARALLEL, false, 150);
}

static void
puma_has_eight(void ** context)
{
  (void)context;
  check_arm(6, PUMA, MBD_IK_WRIST_PARALLEL, false, 150);
}

static void
skew_arm_has_up_to_eight(void ** context)
{
  (void)context;
  check_arm(6, SKEW, MBD_IK_WRIST_INTERSECT, false, 20);
}

static void
mirrored_arm_has_eight(void ** context)
{
  (void)context;
  check_arm(6, MIRRORED, MBD_IK_THREE_PARALLEL, true, 150);
}

static void
seven_axes_have_eight_for_a_swivel_angle(void ** context)
{
  (void)context;
  check_arm(7, IIWA, MBD_IK_SHOULDER_AND_WRIST, false, 190);
}

// all swivel angles give the pose, and the swivel angle comes back
static void
swivel_angle_is_that_of_the_branch(void ** context)
{
  (void)context;
  ik_arm_t arm = arm_of(7, IIWA, 3);
  mbd_ik_closed_form_t closed;
  assert_ok(mbd_ik_find_closed_form(arm.model, arm.frame, &closed));
  int compared = 0;
  for (int k = -17; k <= 18; k++) {
    const double wanted[7] = {0.2, 0.7, -0.4, 1.1, 0.3, -0.8, 0.5}, swivel = k * QUARTER / 9;
    const mbd_placement_t pose = dense_pose(arm.model, arm.frame, wanted);
    double t[MBD_IK_BRANCHES][7], back;
    int n;
    assert_ok(mbd_ik_closed_form(&closed, &pose, swivel, t, &n));
    for (int b = 0; b < n; b++, compared++) {
      const mbd_placement_t X = dense_pose(arm.model, arm.frame, t[b]);
      assert_true(pose_distance(&X, &pose) < 1e-9);
      assert_ok(mbd_ik_swivel(&closed, t[b], &back));
      assert_true(fabs(remainder(back - swivel, 4 * QUARTER)) < 1e-9);
    }
    mats_free();
  }
  assert_int_equal(compared, 36 * 8);
  arm_free(&arm);
}

// the same set of solutions as the closed form by hand
static void
ur5_by_hand_agrees(void ** context)
{
  (void)context;
  ik_arm_t arm = arm_of(6, UR5, 3.2);
  int compared = 0;
  FOR_SEEDS(TREES)
  {
    double wanted[6], hand[8][6], all[16 * 6];
    assert_ok(mbd_random_configuration(arm.model, seed, wanted));
    const mbd_ik_target_t target =
      mbdu_ik_pose(arm.frame, dense_pose(arm.model, arm.frame, wanted));
    const mbd_ik_targets_t list = {1, &target};
    const int n = ur5_by_hand(&target.pose, hand);
    int found;
    mbd_ik_result_t r;
    mbd_ik_form_t form;
    assert_ok(
      mbd_ik_all(arm.model, arm.data, &list, NULL, wanted, 16, arm.work, all, &found, &r, &form));
    assert_int_equal(form, MBD_IK_THREE_PARALLEL);
    assert_int_equal(found, n);
    // the first is where the seed is
    assert_true(angle_distance(all, wanted, 6) < 1e-5);
    for (int k = 0; k < n; k++) {
      double nearest = HUGE_VAL;
      for (int j = 0; j < found; j++) {
        nearest = fmin(nearest, angle_distance(hand[k], all + 6 * j, 6));
      }
      assert_true(nearest < 1e-5);
      compared++;
    }
    mats_free();
  }
  assert_count(compared, 1400);
  arm_free(&arm);
}

// solutions within limits alone, and the restarts of an arm without closed form find those of one with it
static void
restarts_find_the_branches(void ** context)
{
  (void)context;
  ik_arm_t arm = arm_of(6, PUMA, 3.2);
  // the same arm whose position and rotation are two targets: no closed form is looked for
  mbd_ik_target_t part[2];
  for (int k = 0; k < 2; k++) {
    part[k] = mbdu_ik_pose(arm.frame, mbdu_placement_identity());
    for (int i = 0; i < 6; i++) part[k].axis[i] = i / 3 == k;
  }
  const mbd_ik_targets_t parts = {2, part};
  double * work = malloc(mbd_ik_work(arm.model, &parts) * sizeof *work);
  int solutions = 0, found = 0;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    double wanted[6], all[16 * 6], some[16 * 6];
    assert_ok(mbd_random_configuration(arm.model, seed, wanted));
    const mbd_ik_target_t target =
      mbdu_ik_pose(arm.frame, dense_pose(arm.model, arm.frame, wanted));
    const mbd_ik_targets_t list = {1, &target};
    part[0].pose = part[1].pose = target.pose;
    int n, m;
    mbd_ik_result_t r;
    mbd_ik_form_t form;
    assert_ok(
      mbd_ik_all(arm.model, arm.data, &list, NULL, wanted, 16, arm.work, all, &n, &r, &form));
    assert_int_equal(form, MBD_IK_WRIST_PARALLEL);
    assert_ok(mbd_ik_all(arm.model, arm.data, &parts, NULL, wanted, 16, work, some, &m, &r, &form));
    assert_int_equal(form, MBD_IK_NO_FORM);
    solutions += n;
    for (int k = 0; k < m; k++) {
      double nearest = HUGE_VAL;
      for (int j = 0; j < n; j++) {
        nearest = fmin(nearest, angle_distance(some + 6 * k, all + 6 * j, 6));
      }
      assert_true(nearest < 1e-2);
      found += nearest < 1e-3;
    }
    mats_free();
  }
  print_message("%d solutions, %d of them found by restarts\n", solutions, found);
  assert_true(found >= 0.98 * solutions && found <= solutions);
  free(work);
  arm_free(&arm);
}

// branches that the limits forbid are left out
static void
all_solutions_respect_limits(void ** context)
{
  (void)context;
  ik_arm_t arm = arm_of(6, UR5, 2);
  int within = 0, without = 0;
  mbd_ik_options_t ignore = mbd_ik_options_default();
  ignore.ignore_limits = true;
  FOR_SEEDS(TREES)
  {
    double wanted[6], all[8 * 6], any[8 * 6];
    assert_ok(mbd_random_configuration(arm.model, seed, wanted));
    const mbd_ik_target_t target =
      mbdu_ik_pose(arm.frame, dense_pose(arm.model, arm.frame, wanted));
    const mbd_ik_targets_t list = {1, &target};
    int n, m;
    mbd_ik_result_t r;
    assert_ok(mbd_ik_all(arm.model, arm.data, &list, NULL, wanted, 8, arm.work, all, &n, &r, NULL));
    assert_ok(
      mbd_ik_all(arm.model, arm.data, &list, &ignore, wanted, 8, arm.work, any, &m, &r, NULL));
    assert_true(n >= 1);
    for (int k = 0; k < 6 * n; k++) assert_true(fabs(all[k]) <= 2);
    int inside = 0;
    for (int k = 0; k < m; k++) {
      double most = 0;
      for (int i = 0; i < 6; i++) most = fmax(most, fabs(remainder(any[6 * k + i], 4 * QUARTER)));
      inside += most <= 2;
    }
    assert_int_equal(inside, n);
    within += n, without += m;
    mats_free();
  }
  assert_true(within < without / 2);
  arm_free(&arm);
}

// arms without a closed form, and poses out of reach
static void
no_form_and_no_branch(void ** context)
{
  (void)context;
  double row[6][3];
  memcpy(row, PUMA, sizeof row);
  row[4][0] = 0.01;  // the wrist's axes miss each other
  ik_arm_t arm = arm_of(6, (const double(*)[3])row, 3), ur5 = arm_of(6, UR5, 3);
  mbd_ik_closed_form_t closed;
  double t[MBD_IK_BRANCHES][7], swivel;
  int n;
  mbd_placement_t far = mbdu_placement_identity();
  assert_ok(mbd_ik_find_closed_form(arm.model, arm.frame, &closed));
  assert_int_equal(closed.form, MBD_IK_NO_FORM);
  assert_status(mbd_ik_closed_form(&closed, &far, 0, t, &n), MBD_ERROR_UNSUPPORTED);
  assert_ok(mbd_ik_find_closed_form(ur5.model, ur5.frame, &closed));
  far.p.x = 2;
  assert_ok(mbd_ik_closed_form(&closed, &far, 0, t, &n));
  assert_int_equal(n, 0);
  assert_status(mbd_ik_swivel(&closed, t[0], &swivel), MBD_ERROR_UNSUPPORTED);
  far.p.x = NAN;
  assert_status(mbd_ik_closed_form(&closed, &far, 0, t, &n), MBD_ERROR_NOT_FINITE);
  arm_free(&arm);
  arm_free(&ur5);
}

// axes that are nearly parallel, and nearly intersect, as by rounded angles in a file
static void
rounded_angles_still_have_a_form(void ** context)
{
  (void)context;
  double row[6][3];
  memcpy(row, UR5, sizeof row);
  row[1][1] = 1e-5, row[2][1] = -7e-6, row[4][0] = 1e-5;
  ik_arm_t arm = arm_of(6, (const double(*)[3])row, 3.2);
  mbd_ik_closed_form_t closed;
  assert_ok(mbd_ik_find_closed_form(arm.model, arm.frame, &closed));
  assert_int_equal(closed.form, MBD_IK_THREE_PARALLEL);
  int full = 0;
  FOR_SEEDS(50)
  {
    double wanted[6], all[8 * 6];
    assert_ok(mbd_random_configuration(arm.model, seed, wanted));
    const mbd_ik_target_t target =
      mbdu_ik_pose(arm.frame, dense_pose(arm.model, arm.frame, wanted));
    const mbd_ik_targets_t list = {1, &target};
    int n;
    mbd_ik_result_t r;
    assert_ok(mbd_ik_all(arm.model, arm.data, &list, NULL, wanted, 8, arm.work, all, &n, &r, NULL));
    for (int k = 0; k < n; k++) {
      const mbd_placement_t X = dense_pose(arm.model, arm.frame, all + 6 * k);
      assert_true(pose_distance(&X, &target.pose) < 2e-6);
    }
    full += n == 8;
    mats_free();
  }
  assert_count(full, 35);
  arm_free(&arm);
}

// at singularities the pose is still reached: stretched, wrist straight, wrist above the base
static void
singular_poses_are_reached(void ** context)
{
  (void)context;
  ik_arm_t puma = arm_of(6, PUMA, 3.2), ur5 = arm_of(6, UR5, 3.2), iiwa = arm_of(7, IIWA, 3.2);
  const ik_arm_t * arms[3] = {&puma, &ur5, &iiwa};
  int reached = 0, cases = 0;
  for (int a = 0; a < 3; a++) {
    mbd_ik_closed_form_t closed;
    assert_ok(mbd_ik_find_closed_form(arms[a]->model, arms[a]->frame, &closed));
    for (int zeros = 0; zeros < 128; zeros++) {
      // every set of joints at zero
      const double some[7] = {0.4, -0.9, 1.1, 0.3, 0.8, -0.6, 0.5};
      double wanted[7], t[MBD_IK_BRANCHES][7], swivel = 0;
      for (int k = 0; k < 7; k++) wanted[k] = zeros >> k & 1 ? 0 : some[k];
      const mbd_placement_t pose = dense_pose(arms[a]->model, arms[a]->frame, wanted);
      int n;
      if (a == 2) assert_ok(mbd_ik_swivel(&closed, wanted, &swivel));
      assert_ok(mbd_ik_closed_form(&closed, &pose, swivel, t, &n));
      for (int k = 0; k < n; k++) {
        const mbd_placement_t X = dense_pose(arms[a]->model, arms[a]->frame, t[k]);
        assert_true(pose_distance(&X, &pose) < 2e-6);
        for (int j = 0; j < k; j++) assert_true(angle_distance(t[j], t[k], arms[a]->n) > 1e-7);
      }
      cases++, reached += n > 0;
      mats_free();
    }
  }
  print_message("%d of %d singular poses\n", reached, cases);
  assert_int_equal(reached, cases);
  arm_free(&puma), arm_free(&ur5), arm_free(&iiwa);
}

// the wrist above the shoulder: the first joint may have any angle, and is zero
static void
an_arbitrary_angle_is_zero(void ** context)
{
  (void)context;
  double row[6][3];
  memcpy(row, PUMA, sizeof row);
  row[1][0] = row[3][2] = 0.4, row[2][0] = row[2][2] = 0;
  ik_arm_t arm = arm_of(6, (const double(*)[3])row, 3.2);
  mbd_ik_closed_form_t closed;
  assert_ok(mbd_ik_find_closed_form(arm.model, arm.frame, &closed));
  assert_int_equal(closed.form, MBD_IK_WRIST_PARALLEL);
  int above = 0;
  for (int k = 0; k < 2; k++) {
    const double second = 1.1, third = (k ? 1 : -1) * asin(cos(second)) - second;
    const double wanted[6] = {0.7, second, third, 0.3, 0.8, -0.6};
    const mbd_placement_t pose = dense_pose(arm.model, arm.frame, wanted);
    if (hypot(pose.p.x, pose.p.y) > 1e-12) continue;
    double t[MBD_IK_BRANCHES][7];
    int n;
    above++;
    assert_ok(mbd_ik_closed_form(&closed, &pose, 0, t, &n));
    assert_int_equal(n, 4);
    for (int b = 0; b < n; b++) {
      const mbd_placement_t X = dense_pose(arm.model, arm.frame, t[b]);
      assert_true(pose_distance(&X, &pose) < 1e-9);
      assert_true(t[b][0] == 0);
    }
  }
  assert_int_equal(above, 1);
  arm_free(&arm);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ur5_has_eight),
    cmocka_unit_test(puma_has_eight),
    cmocka_unit_test(skew_arm_has_up_to_eight),
    cmocka_unit_test(mirrored_arm_has_eight),
    cmocka_unit_test(seven_axes_have_eight_for_a_swivel_angle),
    cmocka_unit_test(swivel_angle_is_that_of_the_branch),
    cmocka_unit_test(ur5_by_hand_agrees),
    cmocka_unit_test(restarts_find_the_branches),
    cmocka_unit_test(all_solutions_respect_limits),
    cmocka_unit_test(no_form_and_no_branch),
    cmocka_unit_test(rounded_angles_still_have_a_form),
    cmocka_unit_test(singular_poses_are_reached),
    cmocka_unit_test(an_arbitrary_angle_is_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
