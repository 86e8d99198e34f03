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
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_plugin.h"

typedef struct mujoco {
  const bench_robot_t * robot;
  mjModel * m;
  mjData * d;
  int base;                      // first number of the free joint in qpos
  int * q_index;                 // of each joint in qpos                        [njoint]
  int * v_index;                 // of each of our degrees of freedom in qvel    [nv]
  int * body;                    // of each frame                                [nframe]
  double * qpos;                 // all states in MuJoCo's order                 [nstate x nq]
  double *qvel, *qacc, *force;   //                               [nstate x nv]
  double * still;                // what a = 0 is in MuJoCo       [nstate x nv]
  double * zero;                 // [nv]
  double * vector;               // [nv]
  double *matrix, *identity;     // [nv x nv]
  double *jacobian, *response;   // of all frames, angular rows first   [6 nframe x nv]
  double *compliance, *inertia;  // [(6 nframe)^2]
  double momentum[6];
} mujoco_t;

static const char compiler[] =
  "<mujoco><compiler balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\" "
  "inertiafromgeom=\"false\" fusestatic=\"true\"/></mujoco>";

static const char free_joint[] =
  "<link name=\"world\"/><joint name=\"bench_free\" type=\"floating\">"
  "<parent link=\"world\"/><child link=\"%s\"/></joint>";

//---------- loading ----------

// the URDF with what MuJoCo has to be told, before its last tag
static char *
with_options(const bench_robot_t * robot)
{
  const char * end = strstr(robot->urdf, "</robot>");
  const size_t size = strlen(robot->urdf) + sizeof compiler + sizeof free_joint;
  const size_t room = size + strlen(robot->link[0].name);
  char * text = calloc(room, 1);
  if (text == NULL || end == NULL) return text;
  const size_t head = (size_t)(end - robot->urdf);
  memcpy(text, robot->urdf, head);
  int used = snprintf(text + head, room - head, "%s", compiler);
  char * rest = text + head + used;
  used = robot->floating
           ? snprintf(rest, room - (size_t)(rest - text), free_joint, robot->link[0].name)
           : 0;
  snprintf(rest + used, room - (size_t)(rest + used - text), "%s", end);
  return text;
}

static mjModel *
compile(const char * text, char * why)
{
  mjVFS * vfs = malloc(sizeof *vfs);
  if (vfs == NULL) return NULL;
  mj_defaultVFS(vfs);
  mjModel * m = NULL;
  if (mj_makeEmptyFileVFS(vfs, "robot.urdf", (int)strlen(text)) == 0) {
    memcpy(vfs->filedata[0], text, strlen(text));
    m = mj_loadXML("robot.urdf", vfs, why, BENCH_WHY);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  // in one line
  for (char * c = why; m == NULL && (c = strchr(c, '\n')) != NULL;) *c = ' ';
  return m;
}

// where our joints and frames are in MuJoCo
static bool
map_names(mujoco_t * o, char * why)
{
  const bench_robot_t * robot = o->robot;
  const int first = robot->floating ? 6 : 0;
  if (robot->floating) {
    const int free = mj_name2id(o->m, mjOBJ_JOINT, "bench_free");
    if (free < 0) return snprintf(why, BENCH_WHY, "no free joint"), false;
    o->base = o->m->jnt_qposadr[free];
    for (int i = 0; i < 6; i++) o->v_index[i] = o->m->jnt_dofadr[free] + i;
  }
  for (int i = 0; i < robot->njoint; i++) {
    const int id = mj_name2id(o->m, mjOBJ_JOINT, robot->joint[i]);
    if (id < 0) return snprintf(why, BENCH_WHY, "no joint %s", robot->joint[i]), false;
    o->q_index[i] = o->m->jnt_qposadr[id];
    o->v_index[first + i] = o->m->jnt_dofadr[id];
  }
  for (int i = 0; i < robot->nframe; i++) {
    o->body[i] = mj_name2id(o->m, mjOBJ_BODY, robot->frame[i]);
    if (o->body[i] < 0) return snprintf(why, BENCH_WHY, "no link %s", robot->frame[i]), false;
  }
  return true;
}

// rigid bodies alone
static void
switch_off(mjModel * m)
{
  m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS |
                         mjDSBL_PASSIVE | mjDSBL_ACTUATION;
  for (int i = 0; i < m->nv; i++) m->dof_damping[i] = m->dof_frictionloss[i] = 0;
  for (int i = 0; i < m->nv; i++) m->dof_armature[i] = 0;
}

static void
unload(void * loaded)
{
  mujoco_t * o = loaded;
  if (o == NULL) return;
  mj_deleteData(o->d);
  mj_deleteModel(o->m);
  free(o->q_index);
  free(o->v_index);
  free(o->body);
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
make_room(mujoco_t * o)
{
  const bench_robot_t * robot = o->robot;
  const size_t nv = (size_t)robot->nv, nstate = (size_t)robot->nstate;
  const size_t rows = 6 * (size_t)robot->nframe, dense = robot->dense ? nv * nv : 0;
  o->q_index = calloc(nv + 1, sizeof(int));
  o->v_index = calloc(nv + 1, sizeof(int));
  o->body = calloc((size_t)robot->nframe, sizeof(int));
  o->qpos = numbers(nstate * (size_t)robot->nq);
  o->qvel = numbers(nstate * nv), o->qacc = numbers(nstate * nv), o->force = numbers(nstate * nv);
  o->still = numbers(nstate * nv);
  o->zero = numbers(nv), o->vector = numbers(nv);
  o->matrix = numbers(dense), o->identity = numbers(dense);
  o->jacobian = numbers(rows * nv), o->response = numbers(rows * nv);
  o->compliance = numbers(rows * rows), o->inertia = numbers(rows * rows);
  for (size_t i = 0; o->identity && i < nv && dense > 0; i++) o->identity[i * nv + i] = 1;
  return o->q_index && o->v_index && o->body && o->qpos && o->qvel && o->qacc && o->force &&
         o->still && o->zero && o->vector && o->matrix && o->identity && o->jacobian &&
         o->response && o->compliance && o->inertia;
}

//---------- from our coordinates to MuJoCo's, and back ----------

static const double *
base_quaternion(const mujoco_t * o, int state)
{
  return o->qpos + (size_t)state * (size_t)o->robot->nq + o->base + 3;
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
    for (int i = 0; i < 3; i++) qpos[o->base + i] = q[i];
    qpos[o->base + 3] = q[6];
    for (int i = 0; i < 3; i++) qpos[o->base + 4 + i] = q[3 + i];
    q += 7;
  }
  for (int i = 0; i < o->robot->njoint; i++) qpos[o->q_index[i]] = q[i];
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
    out[o->v_index[i]] = o->robot->floating && i < 3 ? base[i] : x[i];
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
  mujoco_t * o = calloc(1, sizeof *o);
  char * text = with_options(robot);
  snprintf(why, BENCH_WHY, "out of memory");
  if (o != NULL && text != NULL) o->m = compile(text, why);
  free(text);
  if (o == NULL || o->m == NULL) return free(o), NULL;
  o->robot = robot;
  for (int i = 0; i < 3; i++) o->m->opt.gravity[i] = robot->gravity[i];
  switch_off(o->m);
  if (o->m->nv != robot->nv) {
    snprintf(why, BENCH_WHY, "%d degrees of freedom in place of %d", o->m->nv, robot->nv);
  } else if ((o->d = mj_makeData(o->m)) != NULL && make_room(o) && map_names(o, why)) {
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
  mj_jacBody(o->m, o->d, o->jacobian + 3 * o->m->nv, o->jacobian, o->body[0]);
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
    mj_jacBody(o->m, o->d, J + 3 * nv, J, o->body[i]);
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

static const bench_way_t ways[] = {
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
  {BENCH_FUNCTIONS, NULL, NULL},
};

//---------- results ----------

static void
vector_back(const mujoco_t * o, int state, const double * x, double * out)
{
  for (int i = 0; i < o->m->nv; i++) out[i] = x[o->v_index[i]];
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
    for (int j = 0; j < n; j++) out[n * i + j] = in[n * o->v_index[i] + o->v_index[j]];
  for (int i = 0; i < n; i++) base_to_body(o, state, out + n * i, 1);
  for (int j = 0; j < n; j++) base_to_body(o, state, out + j, n);
}

static void
placements(const mujoco_t * o, double * out)
{
  for (int i = 0; i < o->robot->nframe; i++) {
    mju_copy(out + 12 * i, o->d->xmat + 9 * o->body[i], 9);
    mju_copy3(out + 12 * i + 9, o->d->xpos + 3 * o->body[i]);
  }
}

static bool
result(void * loaded, int way, int state, double * out)
{
  mujoco_t * o = loaded;
  const int nv = o->m->nv, nframe = o->robot->nframe;
  switch (ways[way].function) {
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
    default: vector_back(o, state, o->vector, out);
  }
  return true;
}

static const bench_plugin_t plugin = {
  .version = BENCH_PLUGIN_VERSION,
  .name = "MuJoCo",
  .library = NULL,
  .tolerance = 1e-6,
  .way = ways,
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
