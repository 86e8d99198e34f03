// Torques and contact forces of robots that stand, against MuJoCo's inverse dynamics: under these forces at
// its own points and for the acceleration that we return, it finds our torques, and none on the base.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/dynamics/support.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"
#include "mujoco_robot.h"
#include "random_tree.h"

enum { MOST = 64, STATES = 50 };

typedef struct robot {
  const char * name;
  int n;
  const char * foot[4];
  double x[2], y[2], radius;
} robot_t;

static const robot_t ROBOTS[2] = {
  {"quadruped", 4, {"fl_foot", "fr_foot", "rl_foot", "rr_foot"}, {0, 0}, {0, 0}, 0.02},
  {"humanoid", 2, {"l_sole", "r_sole"}, {-0.0635, 0.1905}, {-0.045, 0.045}, 0}};

typedef struct both {
  mbd_model_t * model;
  mbd_data_t * data;
  mjModel * m;
  mjData * d;
  mujoco_map_t map;
  int q_index[MOST], v_index[MOST], body[4];
} both_t;

static void
load(both_t * b, const robot_t * r)
{
  static char text[1 << 20];
  char path[512], why[MUJOCO_WHY] = "";
  const char * joint[MOST];
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  snprintf(path, sizeof path, "%s/config/robots/%s.urdf", MBDYN_SOURCE_DIR, r->name);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  options.base = MBDX_BASE_FLOATING;
  assert_ok(mbdx_urdf_load_file(path, &options, &b->model, NULL));
  assert_ok(mbd_data_create(b->model, &b->data));
  const int n = b->model->nbody - 1;
  for (int i = 0; i < n; i++) joint[i] = b->model->body[i + 1].joint_name;
  const mujoco_robot_t robot = {text, "base_link", true, n, joint, r->n, r->foot};
  b->m = mujoco_robot_load(&robot, why);
  if (!b->m) fail_msg("%s", why);
  b->d = mj_makeData(b->m);
  b->map = (mujoco_map_t){0, b->q_index, b->v_index, b->body};
  if (!mujoco_robot_map(&robot, b->m, &b->map, why)) fail_msg("%s", why);
  assert_int_equal(b->m->nv, b->model->nv);
}

// the linear part of a free joint is in world axes there, and its quaternion w x y z
static void
set_state(both_t * b, const double * q, const double * v, const double * a)
{
  const mbd_quat_t turn = {q[3], q[4], q[5], q[6]};
  const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
  const mbd_vec3_t lin = {v[0], v[1], v[2]}, ang = {v[3], v[4], v[5]};
  const mbd_vec3_t rate = {a[0], a[1], a[2]};
  const mbd_vec3_t velocity = mbdu_mat3_vec(&R, lin);
  const mbd_vec3_t acceleration = mbdu_mat3_vec(&R, mbdu_vec3_add(rate, mbdu_vec3_cross(ang, lin)));
  double * qpos = b->d->qpos + b->map.base;
  const double position[7] = {q[0], q[1], q[2], q[6], q[3], q[4], q[5]};
  memcpy(qpos, position, sizeof position);
  for (int i = 0; i < b->model->nv; i++) {
    b->d->qvel[b->v_index[i]] = v[i];
    b->d->qacc[b->v_index[i]] = a[i];
  }
  const double first[2][3] = {
    {velocity.x, velocity.y, velocity.z}, {acceleration.x, acceleration.y, acceleration.z}};
  for (int i = 0; i < 3; i++) {
    b->d->qvel[b->v_index[i]] = first[0][i];
    b->d->qacc[b->v_index[i]] = first[1][i];
  }
  for (int i = 0; i < b->model->nbody - 1; i++) b->d->qpos[b->q_index[i]] = q[7 + i];
}

// our torques of the joints, by MuJoCo; those of the base in its own axes
static void
torques_of_mujoco(both_t * b, const robot_t * r, const mbd_support_t * support, double * tau)
{
  double applied[MOST] = {0};
  mj_inverse(b->m, b->d);
  for (int k = 0; k < r->n; k++) {
    const double *foot = b->d->xpos + 3 * b->body[k], *R = b->d->xmat + 9 * b->body[k];
    for (int p = 0; p < mbd_support_points(&support[k]); p++) {
      const double local[3] = {r->x[p == 1 || p == 2], r->y[p > 1], 0};
      const double zero[3] = {0},
                   force[3] = {support[k].force[p].x, support[k].force[p].y, support[k].force[p].z};
      double at[3];
      mju_rotVecMat(at, local, R);
      mju_addTo3(at, foot);
      at[2] -= r->radius;
      mj_applyFT(b->m, b->d, force, zero, at, b->body[k], applied);
    }
  }
  for (int i = 0; i < b->model->nv; i++) {
    tau[i] = b->d->qfrc_inverse[b->v_index[i]] - applied[b->v_index[i]];
  }
}

static void
torques_are_those_of_mujoco(void ** state)
{
  (void)state;
  uint64_t seed = 4;
  int reached = 0;
  for (int r = 0; r < 2; r++) {
    both_t b;
    mbd_support_t support[4];
    load(&b, &ROBOTS[r]);
    const int nv = b.model->nv;
    double * work = calloc(mbd_support_work(b.model, 4), sizeof *work);
    for (int k = 0; k < ROBOTS[r].n; k++) {
      support[k] = mbd_support_default();
      assert_ok(mbd_find_frame(b.model, ROBOTS[r].foot[k], &support[k].frame));
      memcpy(support[k].x, ROBOTS[r].x, sizeof support[k].x);
      memcpy(support[k].y, ROBOTS[r].y, sizeof support[k].y);
      support[k].radius = ROBOTS[r].radius;
    }
    for (int n = 0; n < STATES; n++) {
      double q[MOST], v[MOST], a[MOST], wanted[MOST], tau[MOST], expected[MOST], scale = 1;
      mbd_support_info_t info;
      // every other one so slow that the ground can give what it takes
      const double size = n % 2 ? 0.02 : 2;
      assert_ok(mbd_neutral(b.model, q));
      for (int i = 7; i < b.model->nq; i++) {
        const mbd_limits_t limits = b.model->body[i - 6].limits;
        const double middle = r == 0 && i % 3 == 0 ? -1.6 : r == 0 && i % 3 == 2 ? 0.8 : 0;
        q[i] = fmin(fmax(middle + 0.1 * random_signed(&seed), limits.lower), limits.upper);
      }
      for (int i = 0; i < nv; i++) {
        v[i] = size * random_signed(&seed);
        a[i] = 5 * size * random_signed(&seed);
      }
      assert_ok(mbd_inverse_dynamics(b.model, b.data, q, v, a, NULL, wanted));
      assert_ok(mbd_set_position(b.model, b.data, q));
      assert_ok(mbd_set_velocity(b.model, b.data, v));
      assert_ok(mbd_support_torques(
        b.model, b.data, 0, wanted, a, ROBOTS[r].n, support, work, tau, a, &info));
      reached += info.reached;
      set_state(&b, q, v, a);
      torques_of_mujoco(&b, &ROBOTS[r], support, expected);
      for (int i = 0; i < nv; i++) scale = fmax(scale, fabs(wanted[i]));
      assert_close_(
        tau, expected, (size_t)nv, 1e-6, scale, __FILE__, __LINE__, "%s, state %d", ROBOTS[r].name,
        n);
      for (int i = 0; i < 6; i++) assert_true(tau[i] == 0);
    }
    free(work);
    mj_deleteData(b.d);
    mj_deleteModel(b.m);
    mbd_data_destroy(b.data);
    mbd_model_destroy(b.model);
  }
  print_message("%d of %d within the cones\n", reached, 2 * STATES);
  assert_true(reached >= STATES / 2 && reached <= 3 * STATES / 2);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(torques_are_those_of_mujoco)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
