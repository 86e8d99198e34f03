// Inverse kinematics of arms with and without a closed form, with the heap watched.
#include <stdlib.h>
#include <string.h>

#include "mbdyn/ik.h"
#include "mbdyn/measure.h"
#include "mbdyn/operators/dh.h"
#include "quiet_calls.h"

enum { JOINTS = 7, MOST = 4 };

static mbd_model_t *
arm_of(int n, const double (*row)[3])
{
  mbd_dh_row_t rows[JOINTS];
  for (int i = 0; i < n; i++) {
    rows[i] = mbd_dh_row_default();
    rows[i].a = row[i][0], rows[i].alpha = row[i][1], rows[i].d = row[i][2];
    rows[i].inertia = (mbd_inertia_t){1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
    rows[i].limits.lower = -3, rows[i].limits.upper = 3;
  }
  const mbd_dh_t table = {
    .n = n,
    .row = rows,
    .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(),
    .tool_name = "tool"};
  mbd_model_t * model;
  assert_int_equal(mbd_dh_to_model(&table, &model, NULL), MBD_OK);
  return model;
}

static void
call_arm(int n, const double (*row)[3], mbd_ik_form_t form)
{
  mbd_model_t * m = arm_of(n, row);
  mbd_data_t * d;
  const double some[JOINTS] = {0.4, -0.9, 1.1, 0.3, 0.8, -0.6, 0.5};
  double q[MOST * JOINTS], v[JOINTS], t[MBD_IK_BRANCHES][7], swivel = 0;
  mbd_ik_target_t target = mbdu_ik_pose(0, mbdu_placement_identity());
  const mbd_ik_targets_t list = {1, &target};
  mbd_ik_result_t r;
  mbd_ik_measure_t measure;
  mbd_ik_closed_form_t closed;
  int found;
  assert_int_equal(mbd_data_create(m, &d), MBD_OK);
  assert_int_equal(mbd_find_frame(m, "tool", &target.frame), MBD_OK);
  assert_int_equal(mbd_set_position(m, d, some), MBD_OK);
  assert_int_equal(mbd_frame_placement(m, d, target.frame, &target.pose), MBD_OK);
  QUIET_VALUE(mbd_ik_work(m, &list));
  double * work = malloc(mbd_ik_work(m, &list) * sizeof *work);
  QUIET_VALUE(mbd_ik_options_default().iterations);
  QUIET_VALUE(mbd_ik_track_options_default().iterations);
  QUIET(mbd_ik(m, d, &list, NULL, NULL, work, q, &r));
  assert_int_equal(r.outcome, MBD_IK_SOLVED);
  QUIET(mbd_ik_measure(m, d, &list, NULL, q, work, &measure));
  QUIET(mbd_ik_track(m, d, &list, NULL, q, work, q, v, &r));
  mbd_ik_options_t posed = mbd_ik_options_default();
  mbd_ik_track_options_t pulled = mbd_ik_track_options_default();
  posed.posture = pulled.posture = some;
  QUIET(mbd_ik(m, d, &list, &posed, NULL, work, q, &r));
  QUIET(mbd_ik_track(m, d, &list, &pulled, q, work, q, v, &r));
  QUIET(mbd_ik_find_closed_form(m, target.frame, &closed));
  assert_int_equal(closed.form, form);
  if (form == MBD_IK_SHOULDER_AND_WRIST) QUIET(mbd_ik_swivel(&closed, some, &swivel));
  if (form) QUIET(mbd_ik_closed_form(&closed, &target.pose, swivel, t, &found));
  QUIET(mbd_ik_all(m, d, &list, NULL, some, MOST, work, q, &found, &r, NULL));
  assert_true(found > 1);
  mbd_measure_t y = mbd_measure_default();
  double number, bias;
  QUIET_VALUE(mbd_measure_default().body);
  QUIET_VALUE(mbd_measure_type_name(MBD_MEASURE_ANGLE));
  assert_int_equal(mbd_set_velocity(m, d, some), MBD_OK);
  for (int k = MBD_MEASURE_DISTANCE; k < MBD_MEASURE_USER; k++) {
    y.type = (mbd_measure_type_t)k, y.frame_b = target.frame;
    QUIET(mbd_measure(m, d, &y, &number, v, &bias));
  }
  QUIET(mbd_measure_joint(m, m->body[0].joint_name, &y));
  QUIET(mbd_measure(m, d, &y, &number, v, &bias));
  target.pose.p.x = 9;
  QUIET(mbd_ik_all(m, d, &list, NULL, some, MOST, work, q, &found, &r, NULL));
  assert_int_equal(found, 0);
  free(work);
  mbd_data_destroy(d);
  mbd_model_destroy(m);
}

void
call_ik(void)
{
  const double h = 1.57079632679489661923;
  const double spherical[6][3] = {{0, h, 0.3}, {0.4, 0, 0}, {0, -h, 0},
                                  {0, h, 0.4}, {0, -h, 0},  {0, 0, 0.1}};
  const double parallel[6][3] = {{0, h, 0.1}, {-0.4, 0, 0}, {-0.4, 0, 0},
                                 {0, h, 0.1}, {0, -h, 0.1}, {0, 0, 0.1}};
  const double seven[7][3] = {{0, -h, 0.3}, {0, h, 0}, {0, h, 0.4}, {0, -h, 0},
                              {0, -h, 0.4}, {0, h, 0}, {0, 0, 0.1}};
  const double any[6][3] = {{0.1, h, 0.3}, {0.4, 0.2, 0}, {0.1, -h, 0},
                            {0, 1, 0.4},   {0.05, -h, 0}, {0, 0, 0.1}};
  call_arm(6, spherical, MBD_IK_WRIST_PARALLEL);
  call_arm(6, parallel, MBD_IK_THREE_PARALLEL);
  call_arm(7, seven, MBD_IK_SHOULDER_AND_WRIST);
  call_arm(6, any, MBD_IK_NO_FORM);
}
