// MuJoCo 2.2 as an oracle. It reads the URDF itself. Where it differs, and what is done about it:
//
//  - compiler: static bodies are kept (fusestatic off), so that every link can be asked for; no
//    balancing or bounding of inertias; masses come from <inertial> alone; the free joint of a
//    floating base is written into the URDF, below a link
//    named world, which MuJoCo takes for its own.
//  - each inertia is turned to its principal axes, found by iteration: agreement 1e-6, not 1e-9.
//  - gravity is an option of the model, set here; contacts, limits, damping and dry friction,
//    which the URDF may ask for, are switched off.
//  - quaternions are w x y z.
//  - a free joint's velocity is linear in world axes, angular in body axes; ours is all in body
//    axes. With T = diag(R, 1):  v' = T v,  a' = T a + (R (w x v), 0),  tau = T^T tau',
//    M = T^T M' T,  J = J' T.
//  - potential energy counts what is fixed to the world; ours does not.
//  - a frame's acceleration has gravity in it; it is taken with gravity off.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mujoco_robot.h"
#include "oracle.h"

typedef struct mujoco {
  mjModel * m;
  mjData * d;
  int nv, njoint, nframe;
  bool floating;
  mujoco_map_t map;  // where our joints and frames are
  double * peer;     // a vector or matrix in MuJoCo's order         [nv x nv, 6 x nv]
  double * zero;     // [nv]
  double gravity[3];
} mujoco_t;

//---------- loading ----------

static void
mujoco_unload(void * loaded)
{
  mujoco_t * o = loaded;
  if (o == NULL) return;
  mj_deleteData(o->d);
  mj_deleteModel(o->m);
  free(o->map.q_index);
  free(o->map.v_index);
  free(o->map.body);
  free(o->peer);
  free(o->zero);
  free(o);
}

static bool
make_outputs(mujoco_t * o)
{
  const size_t nv = (size_t)o->nv;
  o->d = mj_makeData(o->m);
  o->map.q_index = calloc((size_t)o->njoint + 1, sizeof(int));
  o->map.v_index = calloc(nv + 1, sizeof(int));
  o->map.body = calloc((size_t)o->nframe + 1, sizeof(int));
  o->peer = calloc(nv * (nv + 6) + 1, sizeof(double));
  o->zero = calloc(nv + 1, sizeof(double));
  return o->d && o->map.q_index && o->map.v_index && o->map.body && o->peer && o->zero;
}

static void *
mujoco_load(const oracle_robot_t * robot, char * why)
{
  const mujoco_robot_t r = {robot->urdf,  robot->floating ? robot->root : NULL,
                            true,         robot->njoint,
                            robot->joint, robot->nframe,
                            robot->frame};
  mujoco_t * o = calloc(1, sizeof *o);
  if (o == NULL) return snprintf(why, ORACLE_WHY, "no memory"), NULL;
  o->m = mujoco_robot_load(&r, why);
  if (o->m == NULL) return free(o), NULL;
  o->m->opt.enableflags |= mjENBL_ENERGY;
  o->nv = oracle_nv(robot), o->njoint = robot->njoint, o->nframe = robot->nframe;
  o->floating = robot->floating;
  for (int i = 0; i < 3; i++) o->gravity[i] = o->m->opt.gravity[i] = robot->gravity[i];
  if (o->m->nv != o->nv) {
    snprintf(why, ORACLE_WHY, "%d degrees of freedom in place of %d", o->m->nv, o->nv);
  } else if (make_outputs(o) && mujoco_robot_map(&r, o->m, &o->map, why)) {
    return o;
  }
  mujoco_unload(o);
  return NULL;
}

//---------- from our coordinates to MuJoCo's, and back ----------

// rotation of the base, row-major
static void
base_rotation(const mujoco_t * o, double * R)
{
  mju_quat2Mat(R, o->d->qpos + o->map.base + 3);
}

// the three numbers of a linear base velocity, from body to world axes
static void
base_to_world(const mujoco_t * o, double * x)
{
  double R[9], y[3];
  base_rotation(o, R);
  mju_rotVecMat(y, x, R);
  mju_copy3(x, y);
}

// and back, for numbers that lie stride apart
static void
base_to_body(const mujoco_t * o, double * x, int stride)
{
  if (!o->floating) return;
  const double y[3] = {x[0], x[stride], x[2 * stride]};
  double R[9], z[3];
  base_rotation(o, R);
  mju_rotVecMatT(z, y, R);
  for (int i = 0; i < 3; i++) x[i * stride] = z[i];
}

static void
set_position(const mujoco_t * o, const double * q)
{
  double * qpos = o->d->qpos;
  if (o->floating) {
    for (int i = 0; i < 3; i++) qpos[o->map.base + i] = q[i];
    qpos[o->map.base + 3] = q[6];
    for (int i = 0; i < 3; i++) qpos[o->map.base + 4 + i] = q[3 + i];
  }
  for (int i = 0; i < o->njoint; i++) qpos[o->map.q_index[i]] = q[i + (o->floating ? 7 : 0)];
}

// velocity, or torque: T is orthogonal, so that both are turned alike
static void
to_peer(const mujoco_t * o, const double * x, double * peer)
{
  for (int i = 0; i < o->nv; i++) peer[o->map.v_index[i]] = x[i];
  if (o->floating) base_to_world(o, peer + o->map.v_index[0]);
}

static void
from_peer(const mujoco_t * o, const double * peer, double * x)
{
  for (int i = 0; i < o->nv; i++) x[i] = peer[o->map.v_index[i]];
  base_to_body(o, x, 1);
}

// (w x v) of the base, in body axes: what its acceleration has beside ours
static void
base_coriolis(const mujoco_t * o, const double * v, double * c)
{
  mju_zero3(c);
  if (o->floating) mju_cross(c, v + 3, v);
}

static void
set_acceleration(const mujoco_t * o, const double * v, const double * a)
{
  double c[3];
  to_peer(o, a, o->d->qacc);
  base_coriolis(o, v, c);
  if (!o->floating) return;
  base_to_world(o, c);
  mju_addTo3(o->d->qacc + o->map.v_index[0], c);
}

//---------- what is asked ----------

static void
inverse_dynamics(mujoco_t * o, const double * v, const double * a, double * tau)
{
  to_peer(o, v, o->d->qvel);
  set_acceleration(o, v, a);
  mj_inverse(o->m, o->d);
  from_peer(o, o->d->qfrc_inverse, tau);
}

static void
forward_dynamics(mujoco_t * o, const oracle_state_t * s, double * qdd)
{
  double c[3];
  to_peer(o, s->v, o->d->qvel);
  to_peer(o, s->tau, o->d->qfrc_applied);
  mj_forward(o->m, o->d);
  from_peer(o, o->d->qacc, qdd);
  base_coriolis(o, s->v, c);
  if (o->floating) mju_subFrom3(qdd, c);
  mju_zero(o->d->qfrc_applied, o->nv);
}

static void
mass_matrix(mujoco_t * o, double * M)
{
  const int n = o->nv;
  mj_fullM(o->m, o->peer, o->d->qM);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) M[n * i + j] = o->peer[n * o->map.v_index[i] + o->map.v_index[j]];
  }
  for (int i = 0; i < n; i++) base_to_body(o, M + n * i, 1);
  for (int j = 0; j < n; j++) base_to_body(o, M + j, n);
}

static double
potential_energy(const mujoco_t * o)
{
  double energy = o->d->energy[0];
  for (int i = 1; i < o->m->nbody; i++) {
    if (o->m->body_weldid[i] != 0) continue;
    energy += o->m->body_mass[i] * mju_dot3(o->gravity, o->d->xipos + 3 * i);
  }
  return energy;
}

static void
jacobian(mujoco_t * o, int body, double * J)
{
  const int n = o->nv;
  mj_jacBody(o->m, o->d, o->peer + 3 * n, o->peer, body);
  for (int row = 0; row < 6; row++) from_peer(o, o->peer + n * row, J + n * row);
}

// Jdot v of all frames: their accelerations at a = 0, without gravity
static void
jacobian_bias(mujoco_t * o, const double * v, double * bias)
{
  mju_zero3(o->m->opt.gravity);
  to_peer(o, v, o->d->qvel);
  set_acceleration(o, v, o->zero);
  mj_rnePostConstraint(o->m, o->d);
  for (int i = 0; i < o->nframe; i++) {
    mj_objectAcceleration(o->m, o->d, mjOBJ_XBODY, o->map.body[i], bias + 6 * i, 0);
  }
  mju_copy3(o->m->opt.gravity, o->gravity);
}

static void
mujoco_compute(void * loaded, const oracle_state_t * s, oracle_results_t * r)
{
  mujoco_t * o = loaded;
  set_position(o, s->q);
  inverse_dynamics(o, o->zero, o->zero, r->gravity);
  inverse_dynamics(o, s->v, o->zero, r->bias);
  inverse_dynamics(o, s->v, s->a, r->tau);
  forward_dynamics(o, s, r->qdd);
  mass_matrix(o, r->M);
  r->kinetic = o->d->energy[1];
  r->potential = potential_energy(o);
  for (int i = 0; i < o->nframe; i++) {
    mju_copy(r->placement + 12 * i, o->d->xmat + 9 * o->map.body[i], 9);
    mju_copy3(r->placement + 12 * i + 9, o->d->xpos + 3 * o->map.body[i]);
    jacobian(o, o->map.body[i], r->jacobian + 6 * o->nv * i);
  }
  jacobian_bias(o, s->v, r->jacobian_bias);
  r->has = (1u << ORACLE_QUANTITIES) - 1;
}

const oracle_t oracle_mujoco = {"MuJoCo", 1e-6, true, mujoco_load, mujoco_compute, mujoco_unload};
