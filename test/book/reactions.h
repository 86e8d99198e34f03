/// \file reactions.h
/// Motion and reactions of a mechanism in two layouts: poses of its bodies; what a joint of the tree transmits in one,
/// and the closure that takes its place in the other.
#ifndef REACTIONS_H_
#define REACTIONS_H_

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/simulate.h"

enum { REACTIONS_MAX = 48, REACTION_TIMES = 24, REACTION_ROWS = 96 };

/// Wrench of a joint or closure on link b at the world's origin, in world axes.
typedef struct reaction {
  char name[32], a[32], b[32];
  int closure, body;    // which it is; the other one is -1
  bool used, massless;  // of a link that one layout need not have
  mbd_force_t f;
} reaction_t;

/// Centre of mass and orientation of a body in the world.
typedef struct body_pose {
  char name[32];
  double inertia;  // about the centre of mass: its trace
  mbd_vec3_t c;
  mbd_mat3_t R;
} body_pose_t;

/// Those of a tree, and what their comparison gave.
typedef struct reactions {
  bool
    planar;  // bodies of the other layout are on planar joints: forces along x and y, moments about z
  int times[2], n[REACTION_TIMES];
  reaction_t tree[REACTION_TIMES][REACTIONS_MAX];
  int compared, left_out;             // components; left out where redundant constraints share them
  double worst;                       // difference, relative to the largest reaction of its time
  char shared[256];                   // joints with such components
  int bodies[REACTION_TIMES], poses;  // of the tree; compared
  body_pose_t pose[REACTION_TIMES][REACTIONS_MAX];
  double motion, off;  // tolerance of poses [m, 1], 0: 1e-8; largest difference
} reactions_t;

static inline const char *
link_name(const mbd_model_t * model, int body)
{
  return body < 0 ? "world" : model->body[body].name;
}

// pose of a moving body's frame, which differs from that of its link
static inline mbd_placement_t
body_placement(const mbd_model_t * model, mbd_data_t * data, int body)
{
  mbd_placement_t X = mbdu_placement_identity();
  if (body < 0) return X;
  const int link = model->body[body].link_frame;
  assert_ok(mbd_frame_placement(model, data, link, &X));
  const mbd_placement_t back = mbdu_placement_inverse(&model->frame[link].X);
  return mbdu_placement_mul(&X, &back);
}

static inline mbd_force_t
rotated(const mbd_mat3_t * R, mbd_force_t f)
{
  return (mbd_force_t){mbdu_mat3_vec(R, f.ang), mbdu_mat3_vec(R, f.lin)};
}

// the same wrench about another point
static inline mbd_force_t
about(mbd_vec3_t from, mbd_vec3_t to, mbd_force_t f)
{
  f.ang = mbdu_vec3_add(f.ang, mbdu_vec3_cross(mbdu_vec3_sub(from, to), f.lin));
  return f;
}

static inline mbd_force_t
closure_reaction(const mbd_model_t * model, mbd_data_t * data, int closure, const double * lambda)
{
  const mbd_closure_t * c = &model->closure[closure];
  const bool at_a = c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING;
  mbd_placement_t A = body_placement(model, data, c->body_a);
  mbd_placement_t B = body_placement(model, data, c->body_b);
  A = mbdu_placement_mul(&A, &c->X_a), B = mbdu_placement_mul(&B, &c->X_b);
  mbd_force_t f;
  assert_ok(mbd_closure_wrench(model, data, closure, lambda, &f));
  return about(at_a ? A.p : B.p, mbdu_vec3(0, 0, 0), rotated(&A.R, f));
}

// what closures ask of a joint of the tree: the opposite of what they do to the links that it carries
static inline mbd_force_t
joint_share(const mbd_model_t * model, mbd_data_t * data, int body, const double * lambda)
{
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type == MBD_CLOSURE_COUPLING) continue;
    const int end = model->body[body].subtree_end;
    const int sign =
      (c->body_a >= body && c->body_a < end) - (c->body_b >= body && c->body_b < end);
    if (sign == 0) continue;
    const mbd_force_t f = closure_reaction(model, data, k, lambda);
    sum = mbdu_force_add(sum, mbdu_force_scale(sign, f));
  }
  return sum;
}

static inline void
name_reaction(reaction_t * r, const char * name, const char * a, const char * b)
{
  snprintf(r->name, sizeof r->name, "%s", name);
  // joints of files carry a link of theirs, LINK@JOINT
  snprintf(r->a, sizeof r->a, "%.*s", (int)strcspn(a, "@"), a);
  snprintf(r->b, sizeof r->b, "%.*s", (int)strcspn(b, "@"), b);
}

// of all closures and joints but free ones, at the state of the simulation
static inline int
find_reactions(
  mbd_simulation_t * sim, const mbd_model_t * model, bool planar, double * lambda, reaction_t * out)
{
  mbd_data_t * data = mbd_simulation_data(sim);
  int n = 0;
  assert_true(model->nrow <= REACTION_ROWS && model->nclosure + model->nbody <= REACTIONS_MAX);
  // sets the force stage, too
  assert_ok(mbd_simulation_at(sim, mbd_simulation_info(sim)->t, NULL, NULL, NULL, lambda));
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type == MBD_CLOSURE_COUPLING) continue;
    out[n] = (reaction_t){.closure = k, .body = -1};
    name_reaction(&out[n], c->name, link_name(model, c->body_a), link_name(model, c->body_b));
    out[n++].f = closure_reaction(model, data, k, lambda);
  }
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * b = &model->body[i];
    mbd_placement_t X;
    mbd_force_t f;
    if (b->type == MBD_JOINT_FREE || (planar && b->type == MBD_JOINT_PLANAR)) continue;
    out[n] = (reaction_t){.closure = -1, .body = i, .massless = b->inertia.mass == 0};
    name_reaction(&out[n], b->joint_name, link_name(model, b->parent), b->name);
    assert_ok(mbd_frame_placement(model, data, b->link_frame, &X));
    assert_ok(mbd_joint_force(model, data, i, &f));
    out[n++].f = about(X.p, mbdu_vec3(0, 0, 0), rotated(&X.R, f));
  }
  return n;
}

// by name, otherwise by links
static inline reaction_t *
same_joint(reaction_t * list, int n, const reaction_t * r)
{
  for (int k = 0; k < n; k++)
    if (!list[k].used && strcmp(list[k].name, r->name) == 0) return &list[k];
  for (int k = 0; k < n; k++) {
    const bool ahead = strcmp(list[k].a, r->a) == 0 && strcmp(list[k].b, r->b) == 0;
    const bool back = strcmp(list[k].a, r->b) == 0 && strcmp(list[k].b, r->a) == 0;
    if (!list[k].used && list[k].closure < 0 && (ahead || back)) return &list[k];
  }
  return NULL;
}

// Where reactions are compared: about B, in axes of A. A joint of the tree has the torque of its motor and the friction
// of its bearing in the directions in which it moves; a closure does not.
typedef struct view {
  mbd_placement_t A, B;
  bool moves[6];  // x, y, z: rotations, translations
  bool planar;
} view_t;

static inline view_t
view_of(const mbd_model_t * model, mbd_data_t * data, const reaction_t * r, bool motor, bool planar)
{
  view_t v = {.planar = planar};
  if (r->closure < 0) {
    v.A = v.B = body_placement(model, data, r->body);
    return v;
  }
  const mbd_closure_t * c = &model->closure[r->closure];
  v.A = body_placement(model, data, c->body_a), v.B = body_placement(model, data, c->body_b);
  v.A = mbdu_placement_mul(&v.A, &c->X_a), v.B = mbdu_placement_mul(&v.B, &c->X_b);
  if (!motor) return v;
  static const int moves[][2] = {{MBD_CLOSURE_REVOLUTE, 4},     {MBD_CLOSURE_PRISMATIC, 32},
                                 {MBD_CLOSURE_CYLINDRICAL, 36}, {MBD_CLOSURE_UNIVERSAL, 7},
                                 {MBD_CLOSURE_SPHERICAL, 7},    {MBD_CLOSURE_PLANAR, 28},
                                 {MBD_CLOSURE_ON_LINE, 32 + 7}};
  for (size_t k = 0; k < sizeof moves / sizeof *moves; k++)
    for (int i = 0; i < 6 && moves[k][0] == (int)c->type; i++) v.moves[i] = moves[k][1] >> i & 1;
  return v;
}

static inline void
look_at(const view_t * v, mbd_force_t f, double out[6])
{
  const mbd_mat3_t back = mbdu_mat3_transpose(&v->A.R);
  f = rotated(&back, about(mbdu_vec3(0, 0, 0), v->B.p, f));
  double x[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  for (int i = 0; i < 6; i++) x[i] = v->moves[i] ? 0 : x[i];
  f = (mbd_force_t){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  if (v->planar) {
    f = rotated(&v->A.R, f);
    f.ang.x = f.ang.y = f.lin.z = 0;
  }
  memcpy(out, (double[6]){f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z}, 6 * sizeof *out);
}

// of all bodies but massless ones; links of files that joints carry are named LINK@JOINT
static inline int
find_poses(const mbd_model_t * model, mbd_data_t * data, body_pose_t * out)
{
  int n = 0;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * b = &model->body[i];
    const mbd_placement_t X = body_placement(model, data, i);
    int link;
    mbd_placement_t L;
    if (b->inertia.mass == 0) continue;
    snprintf(out[n].name, sizeof out[n].name, "%.*s", (int)strcspn(b->name, "@"), b->name);
    assert_ok(mbd_find_frame(model, out[n].name, &link));
    assert_ok(mbd_frame_placement(model, data, link, &L));
    const mbd_vec3_t c = mbdu_vec3_scale(1 / b->inertia.mass, b->inertia.h);
    const mbd_sym3_t I = b->inertia.I;
    out[n].inertia = I.xx + I.yy + I.zz - 2 * mbdu_vec3_dot(c, b->inertia.h);
    out[n].c = mbdu_vec3_add(X.p, mbdu_mat3_vec(&X.R, c));
    out[n++].R = L.R;
  }
  return n;
}

// Poses of bodies with the same names: centres of mass, and orientations of those that are not particles.
static inline void
same_poses(reactions_t * all, int at, const mbd_simulation_t * sim, const body_pose_t * mine, int n)
{
  const double tolerance = all->motion > 0 ? all->motion : 1e-8;
  if (n != all->bodies[at]) fail_msg("%d bodies, %d in the tree", n, all->bodies[at]);
  for (int k = 0; k < n; k++) {
    const body_pose_t * other = all->pose[at];
    while (other < all->pose[at] + n && strcmp(other->name, mine[k].name) != 0) other++;
    if (other == all->pose[at] + n) fail_msg("body %s: not in the tree", mine[k].name);
    const mbd_vec3_t d = mbdu_vec3_sub(mine[k].c, other->c);
    double off = sqrt(mbdu_vec3_dot(d, d) / fmax(1, mbdu_vec3_dot(other->c, other->c)));
    // particles of one layout are at the end of an arm
    const bool particle = mine[k].inertia <= 1e-12 || other->inertia <= 1e-12;
    for (int i = 0; i < 9 && !particle; i++)
      off = larger(off, fabs(mine[k].R.m[i] - other->R.m[i]));
    all->off = larger(all->off, off), all->poses++;
    if (!(off <= tolerance))
      fail_msg(
        "body %s at %g s: %.1e off its pose in the tree", mine[k].name, mbd_simulation_info(sim)->t,
        off);
  }
}

// orthonormal basis of the range of G, by Gram and Schmidt, twice for orthogonality
static inline int
range_of_rows(const mbd_model_t * model, mbd_data_t * data, double Q[][REACTION_ROWS])
{
  static double G[REACTION_ROWS * 256];
  const int m = model->nrow, nv = model->nv;
  int rank = 0;
  assert_true(nv <= 256);
  if (m == 0) return 0;
  assert_ok(mbd_closure_jacobian(model, data, G));
  for (int j = 0; j < nv && rank < m; j++) {
    double x[REACTION_ROWS], size = 0, rest = 0;
    for (int i = 0; i < m; i++) x[i] = G[i * nv + j], size += x[i] * x[i];
    for (int k = 0; k < 2 * rank; k++) {
      double dot = 0;
      for (int i = 0; i < m; i++) dot += x[i] * Q[k % rank][i];
      for (int i = 0; i < m; i++) x[i] -= dot * Q[k % rank][i];
    }
    for (int i = 0; i < m; i++) rest += x[i] * x[i];
    if (rest <= 1e-14 * size || size == 0) continue;
    for (int i = 0; i < m; i++) Q[rank][i] = x[i] / sqrt(rest);
    rank++;
  }
  return rank;
}

// Which components of a reaction do not depend on how redundant rows share a load: those whose row over lambda is in the
// range of G.
static inline void
find_unique(
  const mbd_model_t * model, mbd_data_t * data, const reaction_t * r, const view_t * view,
  double Q[][REACTION_ROWS], int rank, bool unique[6])
{
  double row[6][REACTION_ROWS] = {{0}}, e[REACTION_ROWS] = {0};
  for (int i = 0; i < model->nrow; i++) {
    double column[6];
    e[i] = 1;
    look_at(
      view,
      r->closure >= 0 ? closure_reaction(model, data, r->closure, e)
                      : joint_share(model, data, r->body, e),
      column);
    e[i] = 0;
    for (int k = 0; k < 6; k++) row[k][i] = column[k];
  }
  for (int k = 0; k < 6; k++) {
    double size = 0, rest = 0;
    for (int i = 0; i < model->nrow; i++) size += row[k][i] * row[k][i];
    for (int j = 0; j < 2 * rank; j++) {
      double dot = 0;
      for (int i = 0; i < model->nrow; i++) dot += row[k][i] * Q[j % rank][i];
      for (int i = 0; i < model->nrow; i++) row[k][i] -= dot * Q[j % rank][i];
    }
    for (int i = 0; i < model->nrow; i++) rest += row[k][i] * row[k][i];
    unique[k] = rest <= 1e-12 * fmax(size, 1e-12);
  }
}

// Sum of those on the world: unique however redundant constraints share it.
static inline mbd_force_t
on_world(const reaction_t * list, int n)
{
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < n; k++) {
    const int sign = (strcmp(list[k].b, "world") == 0) - (strcmp(list[k].a, "world") == 0);
    sum = mbdu_force_add(sum, mbdu_force_scale(sign, list[k].f));
  }
  return sum;
}

/// Poses at the state of a simulation: those of the tree are kept, those of the other layout, at the same times in the
/// same order, are compared with them, within `motion`.
static inline void
same_motion(
  reactions_t * all, bool cartesian, const mbd_simulation_t * sim, mbd_data_t * data,
  const mbd_model_t * model)
{
  static body_pose_t mine[REACTIONS_MAX];
  const int at = all->times[cartesian]++;
  assert_true(at < REACTION_TIMES && model->nbody <= REACTIONS_MAX);
  if (!cartesian) {
    all->bodies[at] = find_poses(model, data, all->pose[at]);
    return;
  }
  assert_true(at < all->times[0]);
  same_poses(all, at, sim, mine, find_poses(model, data, mine));
}

/// The same for reactions and poses: within `tolerance` of the largest reaction. Every joint must have its partner, but those of massless links. Of components that redundant constraints share, the sum on the world.
static inline void
same_reactions(
  reactions_t * all, bool cartesian, mbd_simulation_t * sim, const mbd_model_t * model,
  double tolerance)
{
  static reaction_t mine[REACTIONS_MAX];
  static double Q[REACTION_ROWS][REACTION_ROWS];
  double lambda[REACTION_ROWS];
  mbd_data_t * data = mbd_simulation_data(sim);
  const int n = find_reactions(sim, model, cartesian && all->planar, lambda, mine);
  same_motion(all, cartesian, sim, data, model);
  const int at = all->times[cartesian] - 1;
  if (!cartesian) {
    memcpy(all->tree[at], mine, (size_t)n * sizeof *mine);
    all->n[at] = n;
    return;
  }
  const int rank = range_of_rows(model, data, Q);
  double largest = 0;
  for (int k = 0; k < n; k++)
    largest = fmax(largest, sqrt(mbdu_vec3_dot(mine[k].f.lin, mine[k].f.lin)));
  // bodies that move freely
  if (largest < 1e-9) largest = 1;
  bool some_shared = false;
  for (int k = 0; k < n; k++) {
    reaction_t * other = same_joint(all->tree[at], all->n[at], &mine[k]);
    // joints of the other layout are its coordinates, where the tree does not have them
    if (!other && mine[k].closure < 0) continue;
    if (!other) fail_msg("reaction of %s: not in the tree", mine[k].name);
    other->used = true;
    const bool motor = (other->closure < 0) != (mine[k].closure < 0);
    const view_t view = view_of(model, data, &mine[k], motor, all->planar);
    const bool back = strcmp(other->b, mine[k].b) != 0;
    double is[6], want[6];
    bool unique[6], shared = false;
    look_at(&view, mine[k].f, is);
    look_at(&view, back ? mbdu_force_scale(-1, other->f) : other->f, want);
    find_unique(model, data, &mine[k], &view, Q, rank, unique);
    for (int i = 0; i < 6; i++) {
      if (is[i] == 0 && want[i] == 0) continue;
      if (!unique[i]) {
        shared = true, all->left_out++;
        continue;
      }
      const double off = fabs(is[i] - want[i]) / largest;
      all->worst = larger(all->worst, off), all->compared++;
      if (!(off <= tolerance))
        fail_msg(
          "reaction of %s at %g s, component %d: %.9g, in the tree %.9g; the largest is %.3g N",
          mine[k].name, mbd_simulation_info(sim)->t, i, is[i], want[i], largest);
    }
    some_shared = some_shared || shared;
    if (shared && !strstr(all->shared, mine[k].name)) {
      const size_t used = strlen(all->shared);
      snprintf(all->shared + used, sizeof all->shared - used, " %s", mine[k].name);
    }
  }
  if (some_shared && !all->planar) {
    const mbd_force_t is = on_world(mine, n), want = on_world(all->tree[at], all->n[at]);
    assert_close(&is.ang.x, &want.ang.x, 3, 10 * tolerance, "moment on the world");
    assert_close(&is.lin.x, &want.lin.x, 3, 10 * tolerance, "force on the world");
    all->compared += 6;
  }
  for (int k = 0; k < all->n[at]; k++)
    if (!all->tree[at][k].used && !all->tree[at][k].massless)
      fail_msg("reaction of %s: in the tree only", all->tree[at][k].name);
}

/// What was compared, for the log. Fails unless there are at least `least` components.
static inline void
reactions_compared(const char * what, const reactions_t * all, int least)
{
  print_message(
    "%-20s %d poses, off by %.1e; reactions: %d components at %d times, off by %.1e of the "
    "largest; %d shared by redundant constraints%s%s\n",
    what, all->poses, all->off, all->compared, all->times[1], all->worst, all->left_out,
    all->shared[0] ? ":" : "", all->shared);
  if (all->poses < all->times[1]) fail_msg("%s: only %d poses compared", what, all->poses);
  if (all->compared < least)
    fail_msg("%s: %d components of reactions compared, not %d", what, all->compared, least);
}

#endif  // REACTIONS_H_
