/// \file ik_arms.h
/// Arms for the tests of inverse kinematics, from published Denavit-Hartenberg tables, and the closed form of
/// one of them, written by hand.
#ifndef IK_ARMS_H_
#define IK_ARMS_H_

#include <math.h>
#include <stdlib.h>

#include "core_test.h"
#include "mbdyn/constraints/limits.h"
#include "mbdyn/ik.h"
#include "mbdyn/operators/dh.h"

enum { ARM_JOINTS = 7 };

#define QUARTER 1.57079632679489661923

typedef struct arm {
  mbd_model_t * model;
  mbd_data_t * data;
  int frame;
  double * work;  // of one full pose
  int n;
} ik_arm_t;

/// a, alpha, d of each joint, standard convention; limits are +- `limit`.
static inline ik_arm_t
arm_of(int n, const double (*row)[3], double limit)
{
  mbd_dh_row_t rows[ARM_JOINTS];
  for (int i = 0; i < n; i++) {
    rows[i] = mbd_dh_row_default();
    rows[i].a = row[i][0], rows[i].alpha = row[i][1], rows[i].d = row[i][2];
    rows[i].inertia = mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
    rows[i].limits.lower = -limit, rows[i].limits.upper = limit;
  }
  const mbd_dh_t table = {
    .name = "arm",
    .n = n,
    .row = rows,
    .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(),
    .tool_name = "tool"};
  ik_arm_t arm = {.n = n};
  assert_ok(mbd_dh_to_model(&table, &arm.model, NULL));
  assert_ok(mbd_data_create(arm.model, &arm.data));
  assert_ok(mbd_find_frame(arm.model, "tool", &arm.frame));
  const mbd_ik_target_t t = mbdu_ik_pose(arm.frame, mbdu_placement_identity());
  const mbd_ik_targets_t list = {1, &t};
  arm.work = malloc(mbd_ik_work(arm.model, &list) * sizeof *arm.work);
  assert_non_null(arm.work);
  return arm;
}

static inline void
arm_free(ik_arm_t * arm)
{
  free(arm->work);
  mbd_data_destroy(arm->data);
  mbd_model_destroy(arm->model);
}

// Universal Robots UR5, PUMA 560, KUKA LBR iiwa 7 without flange
static const double UR5[6][3] = {{0, QUARTER, 0.089159}, {-0.425, 0, 0},         {-0.39225, 0, 0},
                                 {0, QUARTER, 0.10915},  {0, -QUARTER, 0.09465}, {0, 0, 0.0823}};
static const double PUMA[6][3] = {
  {0, QUARTER, 0},      {0.4318, 0, 0},   {0.0203, -QUARTER, 0.15005},
  {0, QUARTER, 0.4318}, {0, -QUARTER, 0}, {0, 0, 0}};
static const double IIWA[7][3] = {{0, -QUARTER, 0.34}, {0, QUARTER, 0},    {0, QUARTER, 0.4},
                                  {0, -QUARTER, 0},    {0, -QUARTER, 0.4}, {0, QUARTER, 0},
                                  {0, 0, 0.126}};
// invented: axes 1 and 2 intersect, 2 and 3 are skew, spherical wrist
static const double SKEW[6][3] = {{0, 1.1, 0.3},  {0.4, 0.7, 0.12}, {0.1, -1.3, 0.05},
                                  {0, 1.2, 0.35}, {0, -1.4, 0},     {0.02, 0.3, 0.1}};
// the UR5 read from its tip: its closed form needs mirroring
static const double MIRRORED[6][3] = {{0, QUARTER, 0.0823},  {0, -QUARTER, 0.09465},
                                      {0.39225, 0, 0.10915}, {0.425, 0, 0},
                                      {0, QUARTER, 0},       {0, 0, 0.089159}};

/// Pose of a frame by the dense oracle.
static inline mbd_placement_t
dense_pose(const mbd_model_t * model, int frame, const double * q)
{
  const dense_t d = dense_at(model, NULL, q, NULL, model->gravity);
  const mat_t X = dense_frame(&d, frame);
  mbd_placement_t pose;
  for (int i = 0; i < 9; i++) pose.R.m[i] = X.a[4 * (i / 3) + i % 3];
  pose.p = mbdu_vec3(X.a[3], X.a[7], X.a[11]);
  return pose;
}

/// Largest difference of two poses, a number of their matrices.
static inline double
pose_distance(const mbd_placement_t * A, const mbd_placement_t * B)
{
  double most = mbdu_vec3_norm(mbdu_vec3_sub(A->p, B->p));
  for (int i = 0; i < 9; i++) most = larger(most, fabs(A->R.m[i] - B->R.m[i]));
  return most;
}

static inline double
angle_distance(const double * a, const double * b, int n)
{
  double most = 0;
  for (int i = 0; i < n; i++) most = larger(most, fabs(remainder(a[i] - b[i], 4 * QUARTER)));
  return most;
}

/// A_i of a row of UR5.
static inline mbd_placement_t
ur5_row(int i, double theta)
{
  mbd_dh_row_t row = mbd_dh_row_default();
  row.a = UR5[i][0], row.alpha = UR5[i][1], row.d = UR5[i][2];
  return mbd_dh_row_transform(&row, MBD_DH_STANDARD, theta);
}

/// The eight configurations of the UR5: geometry as in Hawkins, Analytic Inverse Kinematics for the Universal
/// Robots UR-5/UR-10 Arms, Georgia Tech 2013. z1 = (sin t1, -cos t1, 0) is the direction of axes 2, 3 and 4.
static inline int
ur5_by_hand(const mbd_placement_t * T, double t[8][6])
{
  const double d4 = UR5[3][2], d6 = UR5[5][2], a2 = UR5[1][0], a3 = UR5[2][0];
  const double * R = T->R.m;
  const double x5 = T->p.x - d6 * R[2], y5 = T->p.y - d6 * R[5];
  int n = 0;
  for (int k = 0; k < 8; k++) {
    const double lift = asin(d4 / hypot(x5, y5));
    const double t1 = atan2(y5, x5) + (k & 1 ? 2 * QUARTER - lift : lift);
    const double s1 = sin(t1), c1 = cos(t1);
    const double t5 = (k & 2 ? -1 : 1) * acos(R[2] * s1 - R[5] * c1);
    const double s5 = sin(t5);
    const double t6 = atan2(-(R[1] * s1 - R[4] * c1) / s5, (R[0] * s1 - R[3] * c1) / s5);
    const mbd_placement_t A1 = ur5_row(0, t1), A5 = ur5_row(4, t5), A6 = ur5_row(5, t6);
    const mbd_placement_t B1 = mbdu_placement_inverse(&A1), A56 = mbdu_placement_mul(&A5, &A6);
    const mbd_placement_t B56 = mbdu_placement_inverse(&A56);
    mbd_placement_t T14 = mbdu_placement_mul(&B1, T);
    T14 = mbdu_placement_mul(&T14, &B56);
    const double px = T14.p.x, py = T14.p.y;
    const double c3 = (px * px + py * py - a2 * a2 - a3 * a3) / (2 * a2 * a3);
    if (!(fabs(c3) <= 1)) continue;
    const double t3 = (k & 4 ? -1 : 1) * acos(c3);
    const double t2 = atan2(py, px) - atan2(a3 * sin(t3), a2 + a3 * cos(t3));
    const double t4 = atan2(T14.R.m[3], T14.R.m[0]) - t2 - t3;
    const double all[6] = {t1, t2, t3, t4, t5, t6};
    for (int i = 0; i < 6; i++) t[n][i] = all[i];
    n++;
  }
  return n;
}

#endif  // IK_ARMS_H_
