// The robot as generated code sees it: frames, geometry and regrouped inertias.
#include "codegen_robot.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "codegen_axes.h"
#include "mbdyn/spatial.h"

//---------- geometry ----------

static const double QUARTER = 1.57079632679489661923;

// cosine and sine of an angle, exact where it is nearly a right one
static void
snapped_turn(double c, double s, double snap, double * out_c, double * out_s)
{
  const double norm = sqrt(c * c + s * s);
  c /= norm, s /= norm;
  if (fabs(s) < snap) {
    c = c < 0 ? -1 : 1, s = 0;
  } else if (fabs(c) < snap) {
    c = 0, s = s < 0 ? -1 : 1;
  }
  *out_c = c, *out_s = s;
}

static void
store_vec(mbd_vec3_t v, double tiny, double x[3])
{
  x[0] = fabs(v.x) < tiny ? 0 : v.x;
  x[1] = fabs(v.y) < tiny ? 0 : v.y;
  x[2] = fabs(v.z) < tiny ? 0 : v.z;
}

// R = Rz(gamma) Rx(alpha) Rz(angle at q = 0)
static void
decompose(const mbd_mat3_t * R, double snap, gen_body_t * body)
{
  // Rz(gamma) Rx(alpha) z = (sin g sin a, -cos g sin a, cos a); gamma within a quarter turn
  const double ux = R->m[2], uy = R->m[5], uz = R->m[8];
  const double length = hypot(ux, uy);
  const double sign = uy > snap || (fabs(uy) <= snap && ux < 0) ? -1 : 1;
  snapped_turn(uz, sign * length, snap, &body->cos_alpha, &body->sin_alpha);
  body->cos_gamma = 1, body->sin_gamma = 0;
  if (body->sin_alpha != 0) {
    snapped_turn(-sign * uy, sign * ux, snap, &body->cos_gamma, &body->sin_gamma);
  }
  // first column of what is left: Rx(-alpha) Rz(-gamma) R x
  const double cg = body->cos_gamma, sg = body->sin_gamma;
  const double x = cg * R->m[0] + sg * R->m[3], y = cg * R->m[3] - sg * R->m[0];
  const double angle = atan2(body->cos_alpha * y + body->sin_alpha * R->m[6], x);
  const double quarters = round(angle / QUARTER);
  body->offset = angle - quarters * QUARTER;
  if (fabs(body->offset) < snap) body->offset = 0;
  body->quarters = ((int)quarters + 4) % 4;
}

// length against which a displacement is nothing
static double
tiny_length(const gen_robot_t * robot)
{
  double longest = 0;
  for (int i = 0; i < robot->n; i++) {
    longest = fmax(longest, mbdu_vec3_norm(robot->model->body[i].X_tree.p));
  }
  return 1e-12 * longest;
}

void
gen_place_body(gen_robot_t * robot, int i)
{
  gen_body_t * body = &robot->body[i];
  const gen_choice_t * choice = &robot->choice[i];
  mbd_placement_t T = body->model->X_tree;
  if (body->parent >= 0) {
    const mbd_placement_t from = mbdu_placement_inverse(&robot->body[body->parent].X_model);
    T = mbdu_placement_mul(&from, &T);
  }
  body->X_model = mbdu_placement_identity();
  if (body->kind == GEN_REVOLUTE) {
    body->X_model.R = mbdu_rotation_z(cos(choice->angle), sin(choice->angle));
    body->X_model.p.z = choice->slide;
    T = mbdu_placement_mul(&T, &body->X_model);
    decompose(&T.R, robot->snap, body);
    const double ca = body->cos_alpha, sa = body->sin_alpha;
    body->axis[0] = body->sin_gamma * sa;
    body->axis[1] = -body->cos_gamma * sa;
    body->axis[2] = ca;
    body->pitch = body->model->pitch;
  } else if (body->kind == GEN_PRISMATIC) {
    const mbd_vec3_t origin = {choice->origin[0], choice->origin[1], choice->origin[2]};
    store_vec(mbdu_vec3(T.R.m[2], T.R.m[5], T.R.m[8]), robot->snap, body->axis);
    body->X_model.R = mbdu_mat3_transpose(&T.R);
    body->X_model.p = mbdu_mat3_tvec(&T.R, mbdu_vec3_sub(origin, T.p));
    T.p = origin;
  }
  store_vec(T.p, robot->tiny, body->p);
}

//---------- inertias ----------

static void
take_inertia(gen_body_t * body)
{
  const mbd_placement_t from_model = mbdu_placement_inverse(&body->X_model);
  const mbd_inertia_t M = mbdu_inertia_to_parent(&from_model, &body->model->inertia);
  const double half = 0.5 * (M.I.xx + M.I.yy + M.I.zz);
  body->mass = M.mass;
  body->h[0] = M.h.x, body->h[1] = M.h.y, body->h[2] = M.h.z;
  body->S[0] = half - M.I.xx, body->S[1] = -M.I.xy, body->S[2] = -M.I.xz;
  body->S[3] = half - M.I.yy, body->S[4] = -M.I.yz;
  body->S[5] = half - M.I.zz;
}

// what a part of a body on its axis, or all of one that slides, is to the parent: mass m at p,
// first moment h along u from there, second moment s along u
static void
give_to_parent(gen_body_t * parent, const double p[3], const double u[3], const double mhs[3])
{
  parent->mass += mhs[0];
  for (int i = 0; i < 3; i++) {
    parent->h[i] += mhs[0] * p[i] + mhs[1] * u[i];
    for (int j = i; j < 3; j++) {
      parent->S[sym_at(i, j)] +=
        mhs[0] * p[i] * p[j] + mhs[1] * (p[i] * u[j] + u[i] * p[j]) + mhs[2] * u[i] * u[j];
    }
  }
}

// numbers that are rounding errors of the others
static void
drop_noise(double * x, int n)
{
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < n; i++) {
    if (fabs(x[i]) < 1e-13 * largest) x[i] = 0;
  }
}

// hand to the parent (or the world, where it is forgotten) what the joint does not feel
static void
regroup(gen_robot_t * robot, int i)
{
  gen_body_t * body = &robot->body[i];
  gen_body_t * parent = body->parent >= 0 ? &robot->body[body->parent] : NULL;
  drop_noise(body->h, 3);
  drop_noise(body->S, 6);
  if (body->kind == GEN_REVOLUTE) {
    // a mass on the axis of a screw does move
    const bool turns_only = body->pitch == 0;
    const double mhs[3] = {turns_only ? body->mass : 0, turns_only ? body->h[2] : 0, body->S[5]};
    if (parent) give_to_parent(parent, body->p, body->axis, mhs);
    if (turns_only) body->mass = body->h[2] = 0;
    body->S[5] = 0;
  } else if (body->kind == GEN_PRISMATIC) {
    for (int k = 0; k < 6; k++) {
      if (parent) parent->S[k] += body->S[k];
      body->S[k] = 0;
    }
  }
}

void
gen_robot_derive(gen_robot_t * robot)
{
  for (int i = 0; i < robot->n; i++) {
    gen_place_body(robot, i);
    take_inertia(&robot->body[i]);
  }
  for (int i = robot->n - 1; i >= 0; i--) regroup(robot, i);
}

//---------- life ----------

static gen_kind_t
kind_of(mbd_joint_type_t type)
{
  switch (type) {
    case MBD_JOINT_PRISMATIC: return GEN_PRISMATIC;
    case MBD_JOINT_FREE: return GEN_FREE;
    default: return GEN_REVOLUTE;
  }
}

bool
gen_robot_init(const mbd_model_t * model, double snap, gen_robot_t * robot)
{
  memset(robot, 0, sizeof *robot);
  robot->model = model;
  robot->n = model->nbody;
  robot->snap = snap;
  robot->body = calloc((size_t)robot->n + 1, sizeof *robot->body);
  robot->choice = calloc((size_t)robot->n + 1, sizeof *robot->choice);
  robot->group = calloc((size_t)robot->n + 1, sizeof *robot->group);
  if (!robot->body || !robot->choice || !robot->group) return false;
  robot->ngroup = robot->n;
  for (int i = 0; i < robot->n; i++) {
    robot->group[i] = (gen_group_t){one_body(i), model->body[i].parent, {0, 0, 0, 0}};
    robot->body[i].model = &model->body[i];
    robot->body[i].kind = kind_of(model->body[i].type);
    robot->body[i].parent = model->body[i].parent;
  }
  robot->tiny = tiny_length(robot);
  axes_choose(robot);
  gen_robot_derive(robot);
  return true;
}

void
gen_robot_free(gen_robot_t * robot)
{
  free(robot->body);
  free(robot->choice);
  free(robot->group);
  memset(robot, 0, sizeof *robot);
}

//---------- numbers of bodies ----------

expr_t
gen_number(graph_t * g, const gen_robot_t * robot, bodies_t bodies, size_t offset)
{
  expr_t lane[MAX_LANES];
  for (int l = 0; l < bodies.n; l++) {
    double x;
    memcpy(&x, (const char *)&robot->body[bodies.at[l]] + offset, sizeof x);
    lane[l] = expr_constant(g, x);
  }
  return expr_pack(g, lane, bodies.n);
}

vec_t
gen_vector(graph_t * g, const gen_robot_t * robot, bodies_t bodies, size_t offset)
{
  vec_t x;
  for (size_t k = 0; k < 3; k++) x.e[k] = gen_number(g, robot, bodies, offset + k * sizeof(double));
  return x;
}

expr_t
gen_input(graph_t * g, const gen_robot_t * robot, bodies_t bodies, input_t array, int k)
{
  expr_t lane[MAX_LANES];
  for (int l = 0; l < bodies.n; l++) {
    const int i = bodies.at[l];
    const gen_body_t * body = &robot->body[i];
    const int at = array == INPUT_Q ? body->model->q_index : body->model->v_index;
    lane[l] = expr_input(g, array, array <= INPUT_COS ? i : at + k);
  }
  return expr_pack(g, lane, bodies.n);
}

//---------- vectors between bodies ----------

// cosine and sine of q + quarters * pi/2
static rotation_t
joint_rotation(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  expr_t cosines[MAX_LANES] = {EXPR_ZERO}, sines[MAX_LANES] = {EXPR_ZERO};
  for (int l = 0; l < bodies.n; l++) {
    const int i = bodies.at[l], quarters = robot->body[i].quarters;
    const expr_t s = expr_input(g, INPUT_SIN, i), c = expr_input(g, INPUT_COS, i);
    cosines[l] = (const expr_t[]){c, -s, -c, s}[quarters];
    sines[l] = (const expr_t[]){s, c, -s, -c}[quarters];
  }
  const expr_t c = expr_pack(g, cosines, bodies.n);
  return (rotation_t){2, c, expr_pack(g, sines, bodies.n)};
}

int
gen_rotations(graph_t * g, const gen_robot_t * robot, bodies_t bodies, rotation_t rotations[3])
{
  if (robot->body[bodies.at[0]].kind != GEN_REVOLUTE) return 0;
  rotations[0] = joint_rotation(g, robot, bodies);
  rotations[1].axis = 0;
  rotations[1].c = gen_number(g, robot, bodies, offsetof(gen_body_t, cos_alpha));
  rotations[1].s = gen_number(g, robot, bodies, offsetof(gen_body_t, sin_alpha));
  rotations[2].axis = 2;
  rotations[2].c = gen_number(g, robot, bodies, offsetof(gen_body_t, cos_gamma));
  rotations[2].s = gen_number(g, robot, bodies, offsetof(gen_body_t, sin_gamma));
  return 3;
}

vec_t
gen_to_parent(graph_t * g, const gen_robot_t * robot, bodies_t bodies, vec_t x)
{
  rotation_t rotations[3];
  const int n = gen_rotations(g, robot, bodies, rotations);
  for (int k = 0; k < n; k++) x = vec_rotate(g, rotations[k], x);
  return x;
}

vec_t
gen_to_child(graph_t * g, const gen_robot_t * robot, bodies_t bodies, vec_t x)
{
  rotation_t rotations[3];
  const int n = gen_rotations(g, robot, bodies, rotations);
  for (int k = n - 1; k >= 0; k--) x = vec_rotate(g, rotation_inverse(rotations[k]), x);
  return x;
}

vec_t
gen_offset(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  const vec_t p = gen_vector(g, robot, bodies, offsetof(gen_body_t, p));
  const gen_kind_t kind = robot->body[bodies.at[0]].kind;
  const expr_t rate = kind == GEN_PRISMATIC ? EXPR_ONE
                      : kind == GEN_REVOLUTE
                        ? gen_number(g, robot, bodies, offsetof(gen_body_t, pitch))
                        : EXPR_ZERO;
  if (rate == EXPR_ZERO) return p;
  const expr_t slide = expr_mul(g, rate, gen_input(g, robot, bodies, INPUT_Q, 0));
  const vec_t axis = gen_vector(g, robot, bodies, offsetof(gen_body_t, axis));
  return vec_add(g, p, vec_scale(g, slide, axis));
}

mat_t
gen_free_rotation(graph_t * g, const gen_robot_t * robot, int i)
{
  const int at = robot->body[i].model->q_index + 3;
  expr_t q[4], k[4], norm = EXPR_ZERO;
  for (int j = 0; j < 4; j++) {
    q[j] = expr_input(g, INPUT_Q, at + j);
    norm = expr_add(g, norm, expr_mul(g, q[j], q[j]));
  }
  const expr_t two = expr_div(g, expr_constant(g, 2), norm);
  for (int j = 0; j < 4; j++) k[j] = expr_mul(g, two, q[j]);
  mat_t R;
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    const expr_t squares = expr_add(g, expr_mul(g, k[b], q[b]), expr_mul(g, k[c], q[c]));
    const expr_t product = expr_mul(g, k[a], q[b]), rotation = expr_mul(g, k[c], q[3]);
    R.e[a][a] = expr_sub(g, EXPR_ONE, squares);
    R.e[a][b] = expr_sub(g, product, rotation);
    R.e[b][a] = expr_add(g, product, rotation);
  }
  // the joint's own frame in the world
  const mbd_mat3_t * tree = &robot->body[i].model->X_tree.R;
  mat_t fixed, world;
  for (int a = 0; a < 9; a++) {
    const double x = fabs(tree->m[a]) < robot->snap ? 0 : tree->m[a];
    fixed.e[a / 3][a % 3] = expr_constant(g, x);
  }
  for (int j = 0; j < 3; j++) {
    const vec_t column = mat_vec(g, &fixed, (vec_t){{R.e[0][j], R.e[1][j], R.e[2][j]}});
    for (int a = 0; a < 3; a++) world.e[a][j] = column.e[a];
  }
  return world;
}

mbd_placement_t
gen_frame(const gen_robot_t * robot, const mbd_frame_t * frame)
{
  mbd_placement_t X = frame->X;
  if (frame->body >= 0) {
    const mbd_placement_t from_model = mbdu_placement_inverse(&robot->body[frame->body].X_model);
    X = mbdu_placement_mul(&from_model, &X);
  }
  for (int k = 0; k < 9; k++) {
    if (fabs(X.R.m[k]) < robot->snap) X.R.m[k] = 0;
    if (fabs(fabs(X.R.m[k]) - 1) < robot->snap) X.R.m[k] = X.R.m[k] < 0 ? -1 : 1;
  }
  double p[3];
  store_vec(X.p, robot->tiny, p);
  X.p = mbdu_vec3(p[0], p[1], p[2]);
  return X;
}
