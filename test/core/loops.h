/// \file loops.h
/// Robots with loops for tests, and the equations of motion with multipliers as an oracle.
///
///   closed_tree          a random tree with random closures, closed at its configuration
///   kkt                  accelerations and multipliers by the dense saddle system (11.5)
///   independent_rows     a basis of the rows of a matrix
#ifndef LOOPS_H_
#define LOOPS_H_

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/embedding.h"
#include "surfaces.h"

/// A spanning tree with closures that hold at q, and the embedding of it.
typedef struct closed {
  tree_t * t;           // what it was made from
  mbd_model_t * tree;   // the same with closures
  mbd_model_t * model;  // embedded
  mbd_data_t *on, *data;
  double * q;
  mat_t v, v_tree;  // velocity of the independent ones, and of all
} closed_t;

static inline mbd_placement_t
link_in_world(const tree_t * t, int link)
{
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(t->model, t->data, t->link[link].frame, &X));
  return X;
}

// a closure between two links, or a link and the world, that holds at the robot's configuration
static inline bool
random_closure(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  static const mbd_closure_type_t types[] = {
    MBD_CLOSURE_REVOLUTE,  MBD_CLOSURE_PRISMATIC, MBD_CLOSURE_CYLINDRICAL, MBD_CLOSURE_UNIVERSAL,
    MBD_CLOSURE_SPHERICAL, MBD_CLOSURE_PLANAR,    MBD_CLOSURE_ON_LINE,     MBD_CLOSURE_DISTANCE,
    MBD_CLOSURE_ON_PLANE,  MBD_CLOSURE_DISTANCE,  MBD_CLOSURE_ON_PLANE,    MBD_CLOSURE_SPHERICAL,
    MBD_CLOSURE_NO_SLIP,   MBD_CLOSURE_ROLLING,   MBD_CLOSURE_SCREW,       MBD_CLOSURE_ON_SURFACE,
    MBD_CLOSURE_TOUCH,     MBD_CLOSURE_ROLL};
  spec->type = types[random_below(state, (int)(sizeof types / sizeof *types))];
  const int a = random_below(state, t->nlink + 1) - 1, b = random_below(state, t->nlink);
  const int body_b = t->model->frame[t->link[b].frame].body;
  const int body_a = a < 0 ? -1 : t->model->frame[t->link[a].frame].body;
  if (body_a == body_b || body_b < 0) return false;
  spec->frame_a = a < 0 ? MBD_WORLD_BODY : t->link[a].frame;
  spec->frame_b = t->link[b].frame;
  spec->X_a = random_placement(state);
  mbd_placement_t A = spec->X_a;
  if (a >= 0) {
    const mbd_placement_t X = link_in_world(t, a);
    A = mbdu_placement_mul(&X, &spec->X_a);
  }
  mbd_placement_t B = A;
  if (spec->type == MBD_CLOSURE_DISTANCE) {
    const mbd_vec3_t p = random_vec3(state, 1);
    B.p = mbdu_vec3_add(B.p, p);
    spec->distance = mbdu_vec3_norm(p);
  }
  random_surfaces(state, spec);
  mbd_placement_t free = mbdu_placement_identity();
  if (has_surfaces(spec->type)) free = touching(spec, state);
  if (spec->type == MBD_CLOSURE_SCREW) free = turn_screw(spec, state);
  B = mbdu_placement_mul(&B, &free);
  const mbd_placement_t X = link_in_world(t, b), inverse_X = mbdu_placement_inverse(&X);
  spec->X_b = mbdu_placement_mul(&inverse_X, &B);
  return true;
}

static inline bool
scalar_joint(const mbd_body_t * body)
{
  return body->nq == 1 && body->nv == 1 && body->type != MBD_JOINT_USER;
}

// a coupling of two or three joints that holds at the robot's configuration
static inline bool
random_coupling(const tree_t * t, uint64_t * state, mbd_closure_spec_t * spec)
{
  spec->type = MBD_CLOSURE_COUPLING;
  int used[3];
  const int wanted = 2 + random_below(state, 2);
  for (int k = 0; k < 20 && spec->ncoupled < wanted; k++) {
    const int i = random_below(state, t->model->nbody);
    bool again = !scalar_joint(&t->model->body[i]);
    for (int j = 0; j < spec->ncoupled; j++) again |= used[j] == i;
    if (again) continue;
    used[spec->ncoupled] = i;
    spec->joint[spec->ncoupled] = t->model->body[i].joint_name;
    spec->coefficient[spec->ncoupled] =
      random_signed(state) + (random_signed(state) > 0 ? 1.2 : -1.2);
    spec->offset -= spec->coefficient[spec->ncoupled] * t->q[t->model->body[i].q_index];
    spec->ncoupled++;
  }
  return spec->ncoupled >= 2;
}

/// closed_tree with links that `edit` has changed, or NULL.
static inline closed_t
closed_tree_edited(
  uint64_t seed, const tree_options_t * options, int loops, int couplings,
  void (*edit)(tree_t * t, uint64_t seed))
{
  closed_t c = {0};
  c.t = random_tree(seed, options);
  if (edit) edit(c.t, seed);
  uint64_t state = seed ^ 0x5555;
  assert_ok(mbd_set_position(c.t->model, c.t->data, c.t->q));
  assert_ok(mbd_model_create("closed", &c.tree));
  assert_ok(mbd_model_set_gravity(c.tree, c.t->model->gravity));
  for (int k = 0; k < c.t->nlink; k++) {
    int frame;
    assert_ok(mbd_model_add_body(c.tree, &c.t->link[k].spec, &frame));
  }
  for (int k = 0; k < loops + couplings; k++) {
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    char name[24];
    snprintf(name, sizeof name, "closure%d", k);
    spec.name = name;
    const bool good =
      k < loops ? random_closure(c.t, &state, &spec) : random_coupling(c.t, &state, &spec);
    if (good) assert_ok(mbd_model_add_closure(c.tree, &spec, NULL));
  }
  assert_ok(mbd_model_finalize(c.tree));
  assert_ok(mbd_data_create(c.tree, &c.on));
  return c;
}

/// Closures: `loops` between frames, `couplings` of joints; at most that many.
static inline closed_t
closed_tree(uint64_t seed, const tree_options_t * options, int loops, int couplings)
{
  return closed_tree_edited(seed, options, loops, couplings, NULL);
}

/// The embedding at the robot's configuration, with a random velocity; false if it is singular.
static inline bool
embed(closed_t * c, const char * const * independent, int n)
{
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = c->t->q;
  options.independent = independent;
  options.nindependent = n;
  const mbd_status_t status = mbd_model_embed(c->tree, &options, &c->model);
  if (status == MBD_ERROR_LOCKED || status == MBD_ERROR_NOT_ASSEMBLED) return false;
  assert_ok(status);
  assert_ok(mbd_data_create(c->model, &c->data));
  uint64_t state = c->t->seed + 77;
  c->v = mat(c->model->nv, 1);
  for (int k = 0; k < c->model->nv; k++) c->v.a[k] = random_signed(&state);
  c->v_tree = mat(c->tree->nv, 1);
  return true;
}

static inline void
closed_free(closed_t * c)
{
  mbd_data_destroy(c->data);
  mbd_data_destroy(c->on);
  mbd_model_destroy(c->model);
  mbd_model_destroy(c->tree);
  tree_free(c->t);
  mats_free();
}

/// Rows of G that the ones before do not imply.
static inline mat_t
independent_rows(mat_t G, int * keep)
{
  int rank = 0;
  mat_t Q = mat(G.r, G.c);
  for (int i = 0; i < G.r; i++) {
    double size = 0, rest = 0;
    mat_t row = block(G, i, 0, 1, G.c);
    for (int k = 0; k < G.c; k++) size += row.a[k] * row.a[k];
    for (int round = 0; round < 2; round++) {
      for (int j = 0; j < rank; j++) {
        double dot = 0;
        for (int k = 0; k < G.c; k++) dot += row.a[k] * *at(Q, j, k);
        for (int k = 0; k < G.c; k++) row.a[k] -= dot * *at(Q, j, k);
      }
    }
    for (int k = 0; k < G.c; k++) rest += row.a[k] * row.a[k];
    if (!(rest > 1e-14 * size)) continue;
    for (int k = 0; k < G.c; k++) *at(Q, rank, k) = row.a[k] / sqrt(rest);
    keep[rank++] = i;
  }
  mat_t out = mat(rank, G.c);
  for (int i = 0; i < rank; i++) set_block(out, i, 0, block(G, keep[i], 0, 1, G.c));
  return out;
}

/// M qdd + h = tau + G^T lambda, G qdd = gamma; lambda of rows that are not needed is zero.
static inline void
kkt(mat_t M, mat_t G, mat_t gamma, mat_t rhs, mat_t * qdd, mat_t * lambda)
{
  int keep[256];
  const int n = M.r;
  const mat_t B = independent_rows(G, keep);
  mat_t K = mat(n + B.r, n + B.r), right = mat(n + B.r, 1);
  set_block(K, 0, 0, M);
  set_block(K, 0, n, scale(-1, tr(B)));
  set_block(K, n, 0, B);
  set_block(right, 0, 0, rhs);
  for (int i = 0; i < B.r; i++) right.a[n + i] = gamma.a[keep[i]];
  const mat_t x = PROD(inverse(K), right);
  *qdd = block(x, 0, 0, n, 1);
  *lambda = mat(G.r, 1);
  for (int i = 0; i < B.r; i++) lambda->a[keep[i]] = x.a[n + i];
}

#endif  // LOOPS_H_
