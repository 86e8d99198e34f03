#include "random_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"

//---------- numbers ----------

// splitmix64
static uint64_t
random_bits(uint64_t * state)
{
  *state += 0x9e3779b97f4a7c15u;
  uint64_t x = *state;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double
random_signed(uint64_t * state)
{
  return (double)(random_bits(state) >> 11) * 0x1p-52 - 1;
}

int
random_below(uint64_t * state, int n)
{
  return (int)(random_bits(state) % (uint64_t)n);
}

double
random_between(uint64_t * state, double low, double high)
{
  return low + (high - low) * 0.5 * (1 + random_signed(state));
}

mbd_vec3_t
random_vec3(uint64_t * state, double scale)
{
  const double x = random_signed(state), y = random_signed(state), z = random_signed(state);
  return mbdu_vec3(scale * x, scale * y, scale * z);
}

mbd_motion_t
random_motion(uint64_t * state)
{
  mbd_motion_t V;
  V.ang = random_vec3(state, 1);
  V.lin = random_vec3(state, 1);
  return V;
}

mbd_force_t
random_force(uint64_t * state)
{
  mbd_force_t f;
  f.ang = random_vec3(state, 1);
  f.lin = random_vec3(state, 1);
  return f;
}

mbd_quat_t
random_quat(uint64_t * state)
{
  // points of the cube that lie in the ball, scaled to the sphere: no trigonometry, so that the
  // bits are the same everywhere
  for (;;) {
    mbd_quat_t q;
    q.x = random_signed(state), q.y = random_signed(state);
    q.z = random_signed(state), q.w = random_signed(state);
    const double n = mbdu_quat_norm(q);
    if (n > 0.1 && n <= 1) return mbdu_quat_normalize(q);
  }
}

mbd_mat3_t
random_rotation(uint64_t * state)
{
  return mbdu_quat_to_mat3(random_quat(state));
}

mbd_placement_t
random_placement(uint64_t * state)
{
  mbd_placement_t X;
  X.R = random_rotation(state);
  X.p = random_vec3(state, 0.5);
  return X;
}

mbd_inertia_t
random_inertia(uint64_t * state)
{
  mbd_inertia_t M = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (int k = 0; k < 4; k++) {
    const double m = random_between(state, 0.1, 1);
    const mbd_vec3_t c = random_vec3(state, 0.3);
    M.mass += m;
    M.h = mbdu_vec3_add(M.h, mbdu_vec3_scale(m, c));
    M.I = mbdu_sym3_add(M.I, mbdu_sym3_point_mass(m, c));
  }
  // a ball of 10 cm keeps every direction heavy
  const double ball = 0.4 * M.mass * 0.01;
  mbd_sym3_t sphere = {ball, 0, 0, ball, 0, ball};
  M.I = mbdu_sym3_add(M.I, sphere);
  return M;
}

mbd_vec3_t
random_axis(uint64_t * state)
{
  const double length = random_between(state, 0.5, 2);
  const double sign = random_below(state, 2) ? 1 : -1;
  switch (random_below(state, 6)) {
    case 0: return mbdu_vec3(sign * length, 0, 0);
    case 1: return mbdu_vec3(0, sign * length, 0);
    case 2: return mbdu_vec3(0, 0, sign * length);
    default: break;
  }
  mbd_vec3_t axis;
  do axis = random_vec3(state, length);
  while (mbdu_vec3_norm(axis) < 0.1);
  return axis;
}

//---------- user-defined joints ----------

// a screw about the axis parameter[0..2] through the point parameter[3..5], pitch parameter[6]:
// S is the same constant in parent and child axes
static void
screw_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  const double * c = ctx;
  const mbd_vec3_t w = mbdu_vec3(c[0], c[1], c[2]), r = mbdu_vec3(c[3], c[4], c[5]);
  X->R = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(q[0], w)));
  X->p = mbdu_vec3_sub(r, mbdu_mat3_vec(&X->R, r));
  X->p = mbdu_vec3_add(X->p, mbdu_vec3_scale(c[6] * q[0], w));
}

static void
screw_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  (void)q;
  const double * c = ctx;
  const mbd_vec3_t w = mbdu_vec3(c[0], c[1], c[2]), r = mbdu_vec3(c[3], c[4], c[5]);
  S->ang = w;
  S->lin = mbdu_vec3_add(mbdu_vec3_cross(r, w), mbdu_vec3_scale(c[6], w));
}

static void
screw_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  (void)ctx, (void)q, (void)v;
  memset(dS, 0, sizeof *dS);
}

// q[0] about x, then q[1] about the turned z
static void
gimbal_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  (void)ctx;
  const double c = cos(q[0]), s = sin(q[0]);
  const mbd_mat3_t Rx = {{1, 0, 0, 0, c, -s, 0, s, c}};
  const mbd_mat3_t Rz = mbdu_rotation_z(cos(q[1]), sin(q[1]));
  X->R = mbdu_mat3_mul(&Rx, &Rz);
  X->p = mbdu_vec3(0, 0, 0);
}

static void
gimbal_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  (void)ctx;
  memset(S, 0, 2 * sizeof *S);
  S[0].ang = mbdu_vec3(cos(q[1]), -sin(q[1]), 0);
  S[1].ang = mbdu_vec3(0, 0, 1);
}

static void
gimbal_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  (void)ctx;
  memset(dS, 0, 2 * sizeof *dS);
  dS[0].ang = mbdu_vec3(-sin(q[1]) * v[1], -cos(q[1]) * v[1], 0);
}

// a cam: turns about z by q and lifts by parameter[0] sin(parameter[1] q)
static void
cam_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  const double * c = ctx;
  X->R = mbdu_rotation_z(cos(q[0]), sin(q[0]));
  X->p = mbdu_vec3(0, 0, c[0] * sin(c[1] * q[0]));
}

static void
cam_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  const double * c = ctx;
  S->ang = mbdu_vec3(0, 0, 1);
  S->lin = mbdu_vec3(0, 0, c[0] * c[1] * cos(c[1] * q[0]));
}

static void
cam_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  const double * c = ctx;
  memset(dS, 0, sizeof *dS);
  dS->lin.z = -c[0] * c[1] * c[1] * sin(c[1] * q[0]) * v[0];
}

// the child runs on a circle of radius parameter[0] and turns with it; q is (cos, sin)
static void
circle_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  const double * r = ctx;
  const double n = sqrt(q[0] * q[0] + q[1] * q[1]);
  X->R = mbdu_rotation_z(q[0] / n, q[1] / n);
  X->p = mbdu_vec3(r[0] * (q[0] / n - 1), r[0] * q[1] / n, 0);
}

static void
circle_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  (void)q;
  const double * r = ctx;
  S->ang = mbdu_vec3(0, 0, 1);
  S->lin = mbdu_vec3(0, r[0], 0);
}

static void
circle_integrate(void * ctx, const double * q, const double * v, double dt, double * q_out)
{
  (void)ctx;
  const double n = sqrt(q[0] * q[0] + q[1] * q[1]);
  const double c0 = q[0] / n, s0 = q[1] / n;
  const double c = cos(v[0] * dt), s = sin(v[0] * dt);
  q_out[0] = c * c0 - s * s0;
  q_out[1] = s * c0 + c * s0;
}

static void
circle_difference(void * ctx, const double * q0, const double * q1, double * v)
{
  (void)ctx;
  v[0] = atan2(q0[0] * q1[1] - q0[1] * q1[0], q0[0] * q1[0] + q0[1] * q1[1]);
}

static void
circle_neutral(void * ctx, double * q)
{
  (void)ctx;
  q[0] = 1, q[1] = 0;
}

static mbd_quat_t
unit_quat(const double * q)
{
  mbd_quat_t u = {q[0], q[1], q[2], q[3]};
  return mbdu_quat_normalize(u);
}

// like a free joint, but the linear velocity is in the axes of the joint frame
static void
float_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  (void)ctx;
  X->R = mbdu_quat_to_mat3(unit_quat(q + 3));
  X->p = mbdu_vec3(q[0], q[1], q[2]);
}

static void
float_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  (void)ctx;
  const mbd_mat3_t R = mbdu_quat_to_mat3(unit_quat(q + 3));
  memset(S, 0, 6 * sizeof *S);
  for (int i = 0; i < 3; i++) {
    S[i].lin = mbdu_vec3(R.m[3 * i], R.m[3 * i + 1], R.m[3 * i + 2]);
    S[3 + i].ang = mbdu_vec3(i == 0, i == 1, i == 2);
  }
}

static void
float_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  mbd_motion_t S[6];
  float_subspace(ctx, q, S);
  memset(dS, 0, 6 * sizeof *dS);
  const mbd_vec3_t w = mbdu_vec3(v[3], v[4], v[5]);
  for (int i = 0; i < 3; i++) dS[i].lin = mbdu_vec3_cross(S[i].lin, w);
}

static void
float_integrate(void * ctx, const double * q, const double * v, double dt, double * q_out)
{
  (void)ctx;
  const mbd_quat_t turn = mbdu_quat_exp(mbdu_vec3(v[3] * dt, v[4] * dt, v[5] * dt));
  const mbd_quat_t u = mbdu_quat_normalize(mbdu_quat_mul(unit_quat(q + 3), turn));
  for (int i = 0; i < 3; i++) q_out[i] = q[i] + v[i] * dt;
  q_out[3] = u.x, q_out[4] = u.y, q_out[5] = u.z, q_out[6] = u.w;
}

static void
float_difference(void * ctx, const double * q0, const double * q1, double * v)
{
  (void)ctx;
  const mbd_quat_t back = mbdu_quat_conjugate(unit_quat(q0 + 3));
  const mbd_vec3_t w = mbdu_quat_log(mbdu_quat_mul(back, unit_quat(q1 + 3)));
  for (int i = 0; i < 3; i++) v[i] = q1[i] - q0[i];
  v[3] = w.x, v[4] = w.y, v[5] = w.z;
}

static void
float_neutral(void * ctx, double * q)
{
  (void)ctx;
  memset(q, 0, 6 * sizeof *q);
  q[6] = 1;
}

// a ball of radius parameter[0] that rolls on the plane below it without slipping: q is x, y and a
// quaternion, v the angular velocity in child axes; three velocities cannot be integrated to five
// coordinates, so that difference gives the turn alone
static mbd_vec3_t
roll_contact(const double * ctx, const double * q)
{
  const mbd_mat3_t R = mbdu_quat_to_mat3(unit_quat(q + 2));
  return mbdu_mat3_tvec(&R, mbdu_vec3(0, 0, -ctx[0]));
}

static void
roll_transform(void * ctx, const double * q, mbd_placement_t * X)
{
  (void)ctx;
  X->R = mbdu_quat_to_mat3(unit_quat(q + 2));
  X->p = mbdu_vec3(q[0], q[1], 0);
}

static void
roll_subspace(void * ctx, const double * q, mbd_motion_t * S)
{
  const mbd_vec3_t l = roll_contact(ctx, q);
  for (int i = 0; i < 3; i++) {
    S[i].ang = mbdu_vec3(i == 0, i == 1, i == 2);
    S[i].lin = mbdu_vec3_cross(l, S[i].ang);
  }
}

static void
roll_rate(void * ctx, const double * q, const double * v, mbd_motion_t * dS)
{
  const mbd_vec3_t l_rate = mbdu_vec3_cross(roll_contact(ctx, q), mbdu_vec3(v[0], v[1], v[2]));
  for (int i = 0; i < 3; i++) {
    dS[i].ang = mbdu_vec3(0, 0, 0);
    dS[i].lin = mbdu_vec3_cross(l_rate, mbdu_vec3(i == 0, i == 1, i == 2));
  }
}

static void
roll_integrate(void * ctx, const double * q, const double * v, double dt, double * q_out)
{
  const double * r = ctx;
  const mbd_quat_t u = unit_quat(q + 2);
  const mbd_mat3_t R = mbdu_quat_to_mat3(u);
  // the axis stays where it is in the plane's axes: the centre moves on a straight line
  const mbd_vec3_t w = mbdu_mat3_vec(&R, mbdu_vec3(v[0], v[1], v[2]));
  const mbd_quat_t turn = mbdu_quat_exp(mbdu_vec3(v[0] * dt, v[1] * dt, v[2] * dt));
  const mbd_quat_t n = mbdu_quat_normalize(mbdu_quat_mul(u, turn));
  q_out[0] = q[0] + r[0] * w.y * dt;
  q_out[1] = q[1] - r[0] * w.x * dt;
  q_out[2] = n.x, q_out[3] = n.y, q_out[4] = n.z, q_out[5] = n.w;
}

static void
roll_difference(void * ctx, const double * q0, const double * q1, double * v)
{
  (void)ctx;
  const mbd_quat_t back = mbdu_quat_conjugate(unit_quat(q0 + 2));
  const mbd_vec3_t w = mbdu_quat_log(mbdu_quat_mul(back, unit_quat(q1 + 2)));
  v[0] = w.x, v[1] = w.y, v[2] = w.z;
}

static void
roll_neutral(void * ctx, double * q)
{
  (void)ctx;
  memset(q, 0, 5 * sizeof *q);
  q[5] = 1;
}

static void
draw_parameters(user_kind_t kind, uint64_t * state, double * c)
{
  for (int k = 0; k < 8; k++) c[k] = random_between(state, 0.1, 0.5);
  if (kind == USER_CAM) c[1] = random_between(state, 0.5, 2);
  if (kind != USER_SCREW) return;
  const mbd_vec3_t axis = random_axis(state);
  const mbd_vec3_t w = mbdu_vec3_scale(1 / mbdu_vec3_norm(axis), axis);
  c[0] = w.x, c[1] = w.y, c[2] = w.z;
}

mbd_user_joint_t
user_joint(user_kind_t kind, uint64_t * state, double * parameter)
{
  static const mbd_user_joint_t joints[USER_KINDS] = {
    {1, 1, NULL, screw_transform, screw_subspace, screw_rate, NULL, NULL, NULL},
    {2, 2, NULL, gimbal_transform, gimbal_subspace, gimbal_rate, NULL, NULL, NULL},
    {1, 1, NULL, cam_transform, cam_subspace, cam_rate, NULL, NULL, NULL},
    {2, 1, NULL, circle_transform, circle_subspace, screw_rate, circle_integrate, circle_difference,
     circle_neutral},
    {7, 6, NULL, float_transform, float_subspace, float_rate, float_integrate, float_difference,
     float_neutral},
    {6, 3, NULL, roll_transform, roll_subspace, roll_rate, roll_integrate, roll_difference,
     roll_neutral}};
  draw_parameters(kind, state, parameter);
  mbd_user_joint_t joint = joints[kind];
  joint.ctx = parameter;
  return joint;
}

//---------- building ----------

typedef struct build {
  tree_t * tree;
  uint64_t state;
  tree_options_t options;
  bool chain;  // each body on the one before it
  int nmoving;
  bool * moves;  // whether a moving joint carries the link [nlink]
} build_t;

static tree_t *
tree_alloc(int max_links, uint64_t seed)
{
  tree_t * tree = calloc(1, sizeof *tree);
  assert_non_null(tree);
  tree->seed = seed;
  tree->link = calloc((size_t)max_links, sizeof *tree->link);
  assert_non_null(tree->link);
  assert_ok(mbd_model_create("random", &tree->model));
  return tree;
}

static mbd_drive_t
random_drive(uint64_t * state)
{
  mbd_drive_t drive;
  drive.rotor_inertia = random_between(state, 1e-5, 1e-4);
  drive.gear_ratio = random_between(state, -100, 100);
  drive.viscous = random_between(state, 0, 0.5);
  drive.coulomb = random_between(state, 0, 0.5);
  drive.coulomb_velocity = random_between(state, 0.02, 0.2);
  return drive;
}

static mbd_joint_type_t
random_type(uint64_t * state, const tree_options_t * options)
{
  static const mbd_joint_type_t plain[] = {
    MBD_JOINT_REVOLUTE, MBD_JOINT_CONTINUOUS, MBD_JOINT_PRISMATIC, MBD_JOINT_REVOLUTE,
    MBD_JOINT_REVOLUTE, MBD_JOINT_CONTINUOUS, MBD_JOINT_PRISMATIC, MBD_JOINT_FREE};
  if (options->plain) return plain[random_below(state, 8)];
  static const mbd_joint_type_t types[] = {
    MBD_JOINT_REVOLUTE,    MBD_JOINT_REVOLUTE,  MBD_JOINT_CONTINUOUS,  MBD_JOINT_PRISMATIC,
    MBD_JOINT_HELICAL,     MBD_JOINT_REVOLUTE,  MBD_JOINT_CONTINUOUS,  MBD_JOINT_PRISMATIC,
    MBD_JOINT_HELICAL,     MBD_JOINT_UNIVERSAL, MBD_JOINT_CYLINDRICAL, MBD_JOINT_SPHERICAL,
    MBD_JOINT_CYLINDRICAL, MBD_JOINT_UNIVERSAL, MBD_JOINT_PLANAR,      MBD_JOINT_FREE,
    MBD_JOINT_USER,        MBD_JOINT_USER,      MBD_JOINT_USER,        MBD_JOINT_USER};
  return types[random_below(state, options->one_dof_only ? 9 : 20)];
}

static void
random_limits(uint64_t * state, mbd_body_spec_t * spec)
{
  const bool limited = spec->type == MBD_JOINT_REVOLUTE || spec->type == MBD_JOINT_PRISMATIC;
  if (limited && random_below(state, 2)) {
    spec->limits.lower = random_between(state, -2, 0.3);
    spec->limits.upper = spec->limits.lower + random_between(state, 0.1, 3);
  }
  spec->limits.velocity = random_between(state, 1, 5);
  spec->limits.effort = random_between(state, 10, 100);
}

// names that do not sort in the order of building
static tree_link_t *
new_link(tree_t * tree, uint64_t * state, int parent)
{
  tree_link_t * link = &tree->link[tree->nlink];
  snprintf(link->name, sizeof link->name, "l%02d_%d", random_below(state, 100), tree->nlink);
  snprintf(
    link->joint_name, sizeof link->joint_name, "j%02d_%d", random_below(state, 100), tree->nlink);
  link->spec = mbd_body_spec_default();
  link->spec.name = link->name;
  link->spec.joint_name = link->joint_name;
  link->spec.parent = parent;
  link->spec.placement = random_placement(state);
  tree->nlink++;
  return link;
}

static void
add_link(tree_t * tree, tree_link_t * link)
{
  assert_ok(mbd_model_add_body(tree->model, &link->spec, &link->frame));
}

static int
add_fixed(build_t * b, int parent, bool moves, bool heavy)
{
  tree_link_t * link = new_link(b->tree, &b->state, parent);
  if (heavy) link->spec.inertia = random_inertia(&b->state);
  add_link(b->tree, link);
  b->moves[b->tree->nlink - 1] = moves;
  return link->frame;
}

// frame of a link to hang the next one on
static int
random_parent(build_t * b)
{
  tree_t * tree = b->tree;
  uint64_t * state = &b->state;
  const bool base = b->nmoving == 0 || (b->options.forest && random_below(state, 7) == 0);
  if (base) {
    return random_below(state, 3) ? MBD_WORLD_BODY : add_fixed(b, MBD_WORLD_BODY, false, true);
  }
  // mostly the newest link, else any that moves
  int k = tree->nlink - 1;
  const bool any = !b->chain && random_below(state, 2);
  if (any) k = random_below(state, tree->nlink);
  while (!b->moves[k]) k = b->chain ? k - 1 : random_below(state, tree->nlink);
  return tree->link[k].frame;
}

static void
add_moving(build_t * b)
{
  uint64_t * state = &b->state;
  const int parent = random_parent(b);
  tree_link_t * link = new_link(b->tree, state, parent);
  mbd_body_spec_t * spec = &link->spec;
  spec->type = random_type(state, &b->options);
  const bool floating =
    b->options.floating_base || (!b->options.one_dof_only && random_below(state, 4) == 0);
  if (b->nmoving == 0 && floating) spec->type = MBD_JOINT_FREE;
  spec->axis = random_axis(state);
  spec->pitch = spec->type == MBD_JOINT_HELICAL ? random_between(state, -0.3, 0.3) : 0;
  spec->drive = random_drive(state);
  random_limits(state, spec);
  if (spec->type == MBD_JOINT_USER) {
    link->user = user_joint((user_kind_t)random_below(state, USER_KINDS), state, link->parameter);
    spec->user = &link->user;
  }
  // now and then the mass comes from a merged link alone
  const bool bare = random_below(state, 8) == 0;
  if (!bare) spec->inertia = random_inertia(state);
  add_link(b->tree, link);
  b->moves[b->tree->nlink - 1] = true;
  b->nmoving++;
  if (bare || random_below(state, 4) == 0) {
    add_fixed(b, link->frame, true, bare || random_below(state, 2));
  }
}

static void
add_frames(build_t * b)
{
  tree_t * tree = b->tree;
  const int n = random_below(&b->state, 4);
  int last = MBD_WORLD_BODY;
  for (int k = 0; k < n; k++) {
    char name[32];
    snprintf(name, sizeof name, "frame_%d", k);
    // on the world, on a frame or on a link
    const int pick = random_below(&b->state, 6);
    int on = tree->link[random_below(&b->state, tree->nlink)].frame;
    if (pick == 0) on = MBD_WORLD_BODY;
    if (pick == 1) on = last;
    const mbd_placement_t X = random_placement(&b->state);
    assert_ok(mbd_model_add_frame(tree->model, name, on, &X, &last));
  }
}

//---------- states ----------

static void
random_user_q(const mbd_user_joint_t * user, uint64_t * state, double * q)
{
  double rest[8] = {0}, v[6];
  for (int i = 0; i < user->nv; i++) v[i] = 1.5 * random_signed(state);
  if (user->neutral) user->neutral(user->ctx, rest);
  if (user->integrate) {
    user->integrate(user->ctx, rest, v, 1, q);
  } else {
    for (int i = 0; i < user->nv; i++) q[i] = rest[i] + v[i];
  }
}

static void
random_joint_q(const mbd_body_t * body, uint64_t * state, double * q)
{
  const mbd_quat_t u = random_quat(state);
  const int quat = body->type == MBD_JOINT_FREE ? 3 : 0;
  for (int i = 0; i < body->nq; i++) q[i] = random_signed(state);
  switch (body->type) {
    case MBD_JOINT_USER: random_user_q(&body->user, state, q); return;
    case MBD_JOINT_SPHERICAL:
    case MBD_JOINT_FREE:
      q[quat] = u.x, q[quat + 1] = u.y, q[quat + 2] = u.z, q[quat + 3] = u.w;
      return;
    case MBD_JOINT_PLANAR: q[2] *= 3; return;
    case MBD_JOINT_CYLINDRICAL: q[0] *= 3; return;
    case MBD_JOINT_PRISMATIC: break;
    default:
      for (int i = 0; i < body->nq; i++) q[i] *= 3;
      break;
  }
  if (isfinite(body->limits.lower) && isfinite(body->limits.upper)) {
    q[0] = random_between(state, body->limits.lower, body->limits.upper);
  }
}

static double *
numbers(int n)
{
  double * x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static void
random_state(tree_t * tree, uint64_t * state)
{
  const mbd_model_t * model = tree->model;
  tree->q = numbers(model->nq);
  tree->v = numbers(model->nv);
  tree->qdd = numbers(model->nv);
  tree->tau = numbers(model->nv);
  for (int i = 0; i < model->nbody; i++) {
    random_joint_q(&model->body[i], state, &tree->q[model->body[i].q_index]);
  }
  for (int i = 0; i < model->nv; i++) {
    tree->v[i] = 2 * random_signed(state);
    tree->qdd[i] = 5 * random_signed(state);
    tree->tau[i] = 10 * random_signed(state);
  }
}

static void
random_wrenches(tree_t * tree, uint64_t * state)
{
  tree->nwrench = random_below(state, 5);
  tree->wrench = calloc((size_t)tree->nwrench + 1, sizeof *tree->wrench);
  assert_non_null(tree->wrench);
  for (int k = 0; k < tree->nwrench; k++) {
    mbd_wrench_t * w = &tree->wrench[k];
    w->frame = random_below(state, tree->model->nframe);
    w->reference = (mbd_reference_t)random_below(state, 3);
    w->f.ang = random_vec3(state, 5);
    w->f.lin = random_vec3(state, 20);
  }
  tree->f_ext.n = tree->nwrench;
  tree->f_ext.w = tree->wrench;
}

static void
tree_finish(tree_t * tree, uint64_t * state)
{
  assert_ok(mbd_model_finalize(tree->model));
  assert_ok(mbd_data_create(tree->model, &tree->data));
  random_state(tree, state);
  random_wrenches(tree, state);
}

//---------- the robots ----------

tree_options_t
tree_options_default(void)
{
  tree_options_t options = {1, 12, false, false, true, false};
  return options;
}

static tree_t *
build(uint64_t seed, const tree_options_t * options, bool chain)
{
  build_t b = {0};
  b.options = *options;
  b.chain = chain;
  b.state = seed;
  const int spread = b.options.max_bodies - b.options.min_bodies + 1;
  const int n = b.options.min_bodies + random_below(&b.state, spread);
  b.tree = tree_alloc(3 * n, seed);
  b.moves = calloc((size_t)(3 * n), sizeof *b.moves);
  assert_non_null(b.moves);
  assert_ok(mbd_model_set_gravity(b.tree->model, random_vec3(&b.state, 10)));
  for (int k = 0; k < n; k++) add_moving(&b);
  add_frames(&b);
  free(b.moves);
  tree_finish(b.tree, &b.state);
  return b.tree;
}

tree_t *
random_tree(uint64_t seed, const tree_options_t * options)
{
  const tree_options_t standard = tree_options_default();
  return build(seed, options ? options : &standard, false);
}

tree_t *
chain_of_all_joints(int n, uint64_t seed)
{
  tree_options_t options = tree_options_default();
  options.min_bodies = options.max_bodies = n;
  options.forest = false;
  return build(seed, &options, true);
}

// branch > 0: the second half of every `branch` bodies is a side branch
static tree_t *
make_chain(int n, int branch, uint64_t seed)
{
  uint64_t state = seed;
  tree_t * tree = tree_alloc(n, seed);
  int parent = MBD_WORLD_BODY;
  for (int k = 0; k < n; k++) {
    tree_link_t * link = new_link(tree, &state, parent);
    link->spec.type = MBD_JOINT_REVOLUTE;
    link->spec.axis = mbdu_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    link->spec.placement.R = mbdu_mat3_identity();
    link->spec.placement.p = mbdu_vec3(0.3, 0, 0);
    link->spec.inertia = random_inertia(&state);
    link->spec.drive = random_drive(&state);
    add_link(tree, link);
    const bool ends = branch > 0 && k % branch == branch - 1;
    parent = ends ? tree->link[k - branch / 2].frame : link->frame;
  }
  tree_finish(tree, &state);
  return tree;
}

tree_t *
chain(int n, uint64_t seed)
{
  return make_chain(n, 0, seed);
}

tree_t *
branched_chain(int n, uint64_t seed)
{
  return make_chain(n, 10, seed);
}

void
tree_free(tree_t * tree)
{
  if (!tree) return;
  mbd_data_destroy(tree->data);
  mbd_model_destroy(tree->model);
  free(tree->q);
  free(tree->v);
  free(tree->qdd);
  free(tree->tau);
  free(tree->wrench);
  free(tree->link);
  free(tree);
}
