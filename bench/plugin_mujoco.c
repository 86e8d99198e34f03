// MuJoCo 2.2 as a plug-in. It reads the URDF itself; its steps are called one by one, so that each
// function has just those it needs. Where it differs from our conventions:
//
//  - no balancing or bounding of inertias; the free joint of a floating base is written into the
//    URDF, below a link named world, which MuJoCo takes for its own.
//  - each inertia is turned to its principal axes, found by iteration: agreement 1e-6, not 1e-9.
//  - quaternions are w x y z.
//  - a free joint's velocity is linear in world axes, angular in body axes; ours is all in body
//    axes. With T = diag(R, 1):  v' = T v,  a' = T a + (R (w x v), 0),  tau' = T tau,
//    M = T^T M' T,  J = J' T. So our bias is its inverse dynamics at a' = (R (w x v), 0).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_plugin.h"
#include "mujoco_robot.h"

typedef struct mujoco {
  const bench_robot_t * robot;
  mjModel * m;
  mjData * d;
  mujoco_map_t map;              // where our joints and frames are
  double * qpos;                 // all states in MuJoCo's order                 [nstate x nq]
  double *qvel, *qacc, *force;   //                               [nstate x nv]
  double * still;                // what a = 0 is in MuJoCo       [nstate x nv]
  double * zero;                 // [nv]
  double * vector;               // [nv]
  double *matrix, *identity;     // [nv x nv]
  double *jacobian, *response;   // of all frames, angular rows first   [6 nframe x nv]
  double *compliance, *inertia;  // [(6 nframe)^2]
  double momentum[6];
  double energy;
} mujoco_t;

//---------- loading ----------

static void
unload(void * loaded)
{
  mujoco_t * o = loaded;
  if (o == NULL) return;
  mj_deleteData(o->d);
  mj_deleteModel(o->m);
  free(o->map.q_index);
  free(o->map.v_index);
  free(o->map.body);
  double * const block[] = {o->qpos,     o->qvel,       o->qacc,   o->still,    o->force,
                            o->zero,     o->vector,     o->matrix, o->identity, o->jacobian,
                            o->response, o->compliance, o->inertia};
  for (size_t i = 0; i < sizeof block / sizeof *block; i++) free(block[i]);
  free(o);
}

static double *
numbers(size_t n)
{
  return calloc(n + 1, sizeof(double));
}

static bool
reserve(mujoco_t * o)
{
  const bench_robot_t * robot = o->robot;
  const size_t nv = (size_t)robot->nv, nstate = (size_t)robot->nstate;
  const size_t rows = 6 * (size_t)robot->nframe, dense = robot->dense ? nv * nv : 0;
  o->map.q_index = calloc(nv + 1, sizeof(int));
  o->map.v_index = calloc(nv + 1, sizeof(int));
  o->map.body = calloc((size_t)robot->nframe, sizeof(int));
  o->qpos = numbers(nstate * (size_t)robot->nq);
  o->qvel = numbers(nstate * nv), o->qacc = numbers(nstate * nv), o->force = numbers(nstate * nv);
  o->still = numbers(nstate * nv);
  o->zero = numbers(nv), o->vector = numbers(nv);
  o->matrix = numbers(dense), o->identity = numbers(dense);
  o->jacobian = numbers(rows * nv), o->response = numbers(rows * nv);
  o->compliance = numbers(rows * rows), o->inertia = numbers(rows * rows);
  for (size_t i = 0; o->identity && i < nv && dense > 0; i++) o->identity[i * nv + i] = 1;
  return o->map.q_index && o->map.v_index && o->map.body && o->qpos && o->qvel && o->qacc &&
         o->force && o->still && o->zero && o->vector && o->matrix && o->identity && o->jacobian &&
         o->response && o->compliance && o->inertia;
}

//---------- from our coordinates to MuJoCo's, and back ----------

static const double *
base_quaternion(const mujoco_t * o, int state)
{
  return o->qpos + (size_t)state * (size_t)o->robot->nq + o->map.base + 3;
}

// the three linear numbers of the base from body to world axes, in our order
static void
base_to_world(const mujoco_t * o, int state, double * x)
{
  double R[9], y[3];
  mju_quat2Mat(R, base_quaternion(o, state));
  mju_rotVecMat(y, x, R);
  mju_copy3(x, y);
}

// and back, for numbers that lie stride apart
static void
base_to_body(const mujoco_t * o, int state, double * x, int stride)
{
  if (!o->robot->floating) return;
  const double y[3] = {x[0], x[stride], x[2 * stride]};
  double R[9], z[3];
  mju_quat2Mat(R, base_quaternion(o, state));
  mju_rotVecMatT(z, y, R);
  for (int i = 0; i < 3; i++) x[i * stride] = z[i];
}

static void
take_position(const mujoco_t * o, const double * q, double * qpos)
{
  if (o->robot->floating) {
    for (int i = 0; i < 3; i++) qpos[o->map.base + i] = q[i];
    qpos[o->map.base + 3] = q[6];
    for (int i = 0; i < 3; i++) qpos[o->map.base + 4 + i] = q[3 + i];
    q += 7;
  }
  for (int i = 0; i < o->robot->njoint; i++) qpos[o->map.q_index[i]] = q[i];
}

// velocity, or torque: T is orthogonal, so that both are turned alike; for an acceleration `more`
// is w x v of the base in body axes
static void
take_vector(const mujoco_t * o, int state, const double * x, const double * more, double * out)
{
  double base[3] = {0, 0, 0};
  if (o->robot->floating) {
    for (int i = 0; i < 3; i++) base[i] = x[i] + (more != NULL ? more[i] : 0);
    base_to_world(o, state, base);
  }
  for (int i = 0; i < o->robot->nv; i++)
    out[o->map.v_index[i]] = o->robot->floating && i < 3 ? base[i] : x[i];
}

static void
take_states(mujoco_t * o)
{
  const bench_robot_t * robot = o->robot;
  for (int s = 0; s < robot->nstate; s++) {
    const int at = s * robot->nv;
    double more[3] = {0, 0, 0};
    take_position(o, robot->q + s * robot->nq, o->qpos + s * robot->nq);
    if (robot->floating) mju_cross(more, robot->v + at + 3, robot->v + at);
    take_vector(o, s, robot->v + at, NULL, o->qvel + at);
    take_vector(o, s, robot->a + at, more, o->qacc + at);
    take_vector(o, s, robot->tau + at, NULL, o->force + at);
    take_vector(o, s, o->zero, more, o->still + at);
  }
}

static void *
load(const bench_robot_t * robot, char * why)
{
  const mujoco_robot_t r = {robot->urdf,  robot->floating ? robot->link[0].name : NULL,
                            false,        robot->njoint,
                            robot->joint, robot->nframe,
                            robot->frame};
  mujoco_t * o = calloc(1, sizeof *o);
  if (o == NULL) return snprintf(why, BENCH_WHY, "out of memory"), NULL;
  o->robot = robot;
  o->m = mujoco_robot_load(&r, why);
  if (o->m == NULL) return free(o), NULL;
  for (int i = 0; i < 3; i++) o->m->opt.gravity[i] = robot->gravity[i];
  o->m->opt.timestep = BENCH_TIME_STEP;
  snprintf(why, BENCH_WHY, "out of memory");
  if (o->m->nv != robot->nv) {
    snprintf(why, BENCH_WHY, "%d degrees of freedom in place of %d", o->m->nv, robot->nv);
  } else if (
    (o->d = mj_makeData(o->m)) != NULL && reserve(o) && mujoco_robot_map(&r, o->m, &o->map, why)) {
    take_states(o);
    return o;
  }
  unload(o);
  return NULL;
}

//---------- calls ----------

static void
position(mujoco_t * o, int state)
{
  mju_copy(o->d->qpos, o->qpos + state * o->m->nq, o->m->nq);
  mj_kinematics(o->m, o->d);
}

static void
velocity(mujoco_t * o, const double * qvel)
{
  mju_copy(o->d->qvel, qvel, o->m->nv);
  mj_comVel(o->m, o->d);
}

static void
forward_kinematics(void * loaded, int state)
{
  position(loaded, state);
}

static void
inverse_dynamics(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  velocity(o, o->qvel + state * o->m->nv);
  mju_copy(o->d->qacc, o->qacc + state * o->m->nv, o->m->nv);
  mj_rne(o->m, o->d, 1, o->vector);
}

static void
gravity(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  velocity(o, o->zero);
  mj_rne(o->m, o->d, 0, o->vector);
}

static void
bias(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  velocity(o, o->qvel + state * o->m->nv);
  if (o->robot->floating) mju_copy(o->d->qacc, o->still + state * o->m->nv, o->m->nv);
  mj_rne(o->m, o->d, o->robot->floating, o->vector);
}

static void
mass_matrix(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  mj_crb(o->m, o->d);
}

static void
forward_dynamics(void * loaded, int state)
{
  mujoco_t * o = loaded;
  mass_matrix(o, state);
  mj_factorM(o->m, o->d);
  velocity(o, o->qvel + state * o->m->nv);
  mj_rne(o->m, o->d, 0, o->d->qfrc_bias);
  mju_sub(o->vector, o->force + state * o->m->nv, o->d->qfrc_bias, o->m->nv);
  mj_solveM(o->m, o->d, o->vector, o->vector, 1);
}

static void
mass_inverse(void * loaded, int state)
{
  mujoco_t * o = loaded;
  mass_matrix(o, state);
  mj_factorM(o->m, o->d);
  mj_solveM(o->m, o->d, o->matrix, o->identity, o->m->nv);
}

static void
jacobian(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  mj_jacBody(o->m, o->d, o->jacobian + 3 * o->m->nv, o->jacobian, o->map.body[0]);
}

// (J M^-1 J^T)^-1 of the first n frames
static void
inertia_of(mujoco_t * o, int state, int n)
{
  const int nv = o->m->nv, rows = 6 * n;
  mass_matrix(o, state);
  mj_factorM(o->m, o->d);
  for (int i = 0; i < n; i++) {
    double * J = o->jacobian + 6 * i * nv;
    mj_jacBody(o->m, o->d, J + 3 * nv, J, o->map.body[i]);
  }
  mj_solveM(o->m, o->d, o->response, o->jacobian, rows);
  mju_mulMatMatT(o->compliance, o->jacobian, o->response, rows, nv, rows);
  mju_cholFactor(o->compliance, rows, 0);
  mju_zero(o->inertia, rows * rows);
  for (int i = 0; i < rows; i++) {
    o->inertia[i * rows + i] = 1;
    mju_cholSolve(o->inertia + i * rows, o->compliance, o->inertia + i * rows, rows);
  }
}

static void
operational_inertia(void * loaded, int state)
{
  inertia_of(loaded, state, 1);
}

static void
operational_inertias(void * loaded, int state)
{
  mujoco_t * o = loaded;
  inertia_of(o, state, o->robot->nframe);
}

static void
centroidal_momentum(void * loaded, int state)
{
  mujoco_t * o = loaded;
  position(o, state);
  mj_comPos(o->m, o->d);
  velocity(o, o->qvel + state * o->m->nv);
  mj_subtreeVel(o->m, o->d);
  mju_copy3(o->momentum, o->d->subtree_angmom);
  mju_scl3(o->momentum + 3, o->d->subtree_linvel, o->m->body_subtreemass[0]);
}

static void
kinetic_energy(void * loaded, int state)
{
  mujoco_t * o = loaded;
  mass_matrix(o, state);
  const double * v = o->qvel + state * o->m->nv;
  mj_mulM(o->m, o->d, o->vector, v);
  o->energy = 0.5 * mju_dot(v, o->vector, o->m->nv);
}

// no geoms, limits or friction: collision detection and the constraint solver find nothing to do
static void
contact_step(void * loaded, int state)
{
  mujoco_t * o = loaded;
  const int nv = o->m->nv;
  mju_copy(o->d->qpos, o->qpos + state * o->m->nq, o->m->nq);
  mju_copy(o->d->qvel, o->qvel + state * nv, nv);
  mju_copy(o->d->qfrc_applied, o->force + state * nv, nv);
  mj_step(o->m, o->d);
}

static const bench_variant_t variants[] = {
  {BENCH_FORWARD_KINEMATICS, NULL, forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, NULL, inverse_dynamics},
  {BENCH_GRAVITY, NULL, gravity},
  {BENCH_BIAS, NULL, bias},
  {BENCH_MASS_MATRIX, "sparse", mass_matrix},
  {BENCH_FORWARD_DYNAMICS, "by M", forward_dynamics},
  {BENCH_MASS_INVERSE, NULL, mass_inverse},
  {BENCH_JACOBIAN, NULL, jacobian},
  {BENCH_OPERATIONAL_INERTIA, NULL, operational_inertia},
  {BENCH_OPERATIONAL_INERTIAS, NULL, operational_inertias},
  {BENCH_CENTROIDAL_MOMENTUM, NULL, centroidal_momentum},
  {BENCH_KINETIC_ENERGY, NULL, kinetic_energy},
  {BENCH_CONTACT_STEP, NULL, contact_step},
  {BENCH_FUNCTIONS, NULL, NULL},
};

//---------- results ----------

static void
vector_back(const mujoco_t * o, int state, const double * x, double * out)
{
  for (int i = 0; i < o->m->nv; i++) out[i] = x[o->map.v_index[i]];
  base_to_body(o, state, out, 1);
}

static void
acceleration_back(const mujoco_t * o, int state, double * out)
{
  vector_back(o, state, o->vector, out);
  const double * v = o->robot->v + state * o->m->nv;
  double more[3];
  if (!o->robot->floating) return;
  mju_cross(more, v + 3, v);
  mju_subFrom3(out, more);
}

static void
matrix_back(const mujoco_t * o, int state, const double * in, double * out)
{
  const int n = o->m->nv;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[n * i + j] = in[n * o->map.v_index[i] + o->map.v_index[j]];
  for (int i = 0; i < n; i++) base_to_body(o, state, out + n * i, 1);
  for (int j = 0; j < n; j++) base_to_body(o, state, out + j, n);
}

static void
placements(const mujoco_t * o, double * out)
{
  for (int i = 0; i < o->robot->nframe; i++) {
    mju_copy(out + 12 * i, o->d->xmat + 9 * o->map.body[i], 9);
    mju_copy3(out + 12 * i + 9, o->d->xpos + 3 * o->map.body[i]);
  }
}

static bool
result(void * loaded, int variant, int state, double * out)
{
  mujoco_t * o = loaded;
  const int nv = o->m->nv, nframe = o->robot->nframe;
  switch (variants[variant].function) {
    case BENCH_FORWARD_KINEMATICS: placements(o, out); break;
    case BENCH_MASS_MATRIX:
      mj_fullM(o->m, o->matrix, o->d->qM);
      matrix_back(o, state, o->matrix, out);
      break;
    case BENCH_MASS_INVERSE: matrix_back(o, state, o->matrix, out); break;
    case BENCH_FORWARD_DYNAMICS: acceleration_back(o, state, out); break;
    case BENCH_JACOBIAN:
      for (int i = 0; i < 6; i++) vector_back(o, state, o->jacobian + i * nv, out + i * nv);
      break;
    case BENCH_OPERATIONAL_INERTIA: mju_copy(out, o->inertia, 36); break;
    case BENCH_OPERATIONAL_INERTIAS: mju_copy(out, o->inertia, 36 * nframe * nframe); break;
    case BENCH_CENTROIDAL_MOMENTUM: mju_copy(out, o->momentum, 6); break;
    case BENCH_KINETIC_ENERGY: out[0] = o->energy; break;
    case BENCH_CONTACT_STEP:
      mju_sub(o->vector, o->d->qvel, o->qvel + state * nv, nv);
      mju_scl(o->vector, o->vector, 1 / BENCH_TIME_STEP, nv);
      acceleration_back(o, state, out);
      break;
    default: vector_back(o, state, o->vector, out);
  }
  return true;
}

static const bench_plugin_t plugin = {
  .version = BENCH_PLUGIN_VERSION,
  .name = "MuJoCo",
  .library = NULL,
  .tolerance = 1e-6,
  .variant = variants,
  .load = load,
  .result = result,
  .unload = unload,
};

const bench_plugin_t *
bench_plugin_get(void)
{
  static bench_plugin_t filled;
  filled = plugin;
  filled.library = mj_versionString();
  return &filled;
}
