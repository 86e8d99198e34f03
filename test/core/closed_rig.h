/// \file closed_rig.h
/// Random robots with loops in states that obey them, and the equations of motion that they are held
/// against: for tests of cut joints.
#ifndef CLOSED_RIG_H_
#define CLOSED_RIG_H_

#include "closed_tree.h"
#include "mbdyn/constraints/closure.h"
#include "null_space.h"
#include "rig.h"

// M qdd + h = tau + G^T lambda, G qdd = gamma, by dense matrices
typedef struct oracle {
  dense_t dense;
  mat_t M, h, G, gamma;  // M with rotors, h with friction
} oracle_t;

static inline oracle_t
oracle_of(const rig_t * r, double time)
{
  oracle_t o;
  const mbd_model_t * model = r->model;
  o.dense = dense_at(model, NULL, r->q, r->v, model->gravity);
  o.M = dense_mass(&o.dense);
  o.h = dense_bias(&o.dense);
  const mat_t rotors = dense_rotors(model);
  mat_t friction = mat(model->nv, 1);
  assert_ok(mbd_friction(model, r->v, friction.a));
  for (int k = 0; k < model->nv; k++) {
    if (r->data->terms & MBD_TERM_ROTORS) *at(o.M, k, k) += rotors.a[k];
    if (r->data->terms & MBD_TERM_FRICTION) o.h.a[k] += friction.a[k];
  }
  o.G = mat(model->nrow, model->nv);
  o.gamma = mat(model->nrow, 1);
  assert_ok(mbd_set_position(model, r->data, r->q));
  assert_ok(mbd_set_velocity(model, r->data, r->v));
  assert_ok(mbd_closure_jacobian(model, r->data, o.G.a));
  assert_ok(mbd_closure_bias(model, r->data, time, o.gamma.a));
  return o;
}

// well enough conditioned that 1e-9 can be asked for: no rank in doubt
static inline bool
decent(const oracle_t * o)
{
  return null_space(o->G, 1e-4).c == null_space(o->G, 1e-9).c;
}

static inline mat_t
wrenches_in_joints(const oracle_t * o, const mbd_wrenches_t * wrenches)
{
  mat_t sum = mat(o->dense.nv, 1);
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mat_t J = dense_jacobian(&o->dense, wrenches->w[k].frame, wrenches->w[k].reference);
    sum = SUM(sum, PROD(tr(J), force6(wrenches->w[k].f)));
  }
  return sum;
}

// a closed robot from a seed, assembled; wrenches on two frames
typedef struct closed {
  tree_t * t;
  rig_t r;
  mbd_wrench_t w[2];
  mbd_wrenches_t wrenches;
} closed_t;

static inline void
closed_begin(closed_t * c, uint64_t seed, const tree_options_t * options)
{
  c->t = closed_tree(seed, options, 1);
  c->r = rig_of(c->t->model);
  uint64_t state = seed + 7;
  memcpy(c->r.q, c->t->q, (size_t)c->t->model->nq * sizeof *c->r.q);
  memcpy(c->r.v, c->t->v, (size_t)c->t->model->nv * sizeof *c->r.v);
  memcpy(c->r.tau, c->t->tau, (size_t)c->t->model->nv * sizeof *c->r.tau);
  for (int k = 0; k < 2; k++) {
    c->w[k].frame = random_below(&state, c->t->model->nframe);
    c->w[k].reference = (mbd_reference_t)random_below(&state, 3);
    c->w[k].f = random_force(&state);
  }
  c->wrenches = (mbd_wrenches_t){2, c->w};
  assert_ok(mbd_set_terms(c->r.data, (uint32_t)random_below(&state, 4)));
  rig_assemble(&c->r);
}

static inline bool
closed_end(closed_t * c)
{
  rig_free(&c->r);
  tree_free(c->t);
  mats_free();
  return false;
}

// for each seeded robot: `body` with `the` and seed in scope
#define FOR_CLOSED(n, options) \
  FOR_SEEDS(n)                 \
  for (bool open_ = (closed_begin(&the, seed, options), true); open_; open_ = closed_end(&the))

static closed_t the;

// gravity acts in its plane: y is up
static inline four_bar_t
upright_four_bar(void)
{
  four_bar_t bar = four_bar_default();
  bar.base.R = (mbd_mat3_t){{1, 0, 0, 0, 0, -1, 0, 1, 0}};
  return bar;
}

#endif  // CLOSED_RIG_H_
