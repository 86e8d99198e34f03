/// \file rig.h
/// A robot with loops, its workspace and a state that obeys them: for tests of what acts on them.
#ifndef RIG_H_
#define RIG_H_

#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/constrained.h"

// a robot with loops in a state that obeys them
typedef struct rig {
  const mbd_model_t * model;
  mbd_data_t * data;
  double * work;
  double *q, *v, *tau;
} rig_t;

static inline size_t
most_work(const mbd_model_t * model)
{
  const size_t a = mbd_assembly_work(model), c = mbd_constrained_work(model);
  return a > c ? a : c;
}

static inline rig_t
rig_of(const mbd_model_t * model)
{
  rig_t r = {.model = model};
  assert_ok(mbd_data_create(model, &r.data));
  r.work = calloc(most_work(model) + 1, sizeof *r.work);
  r.q = calloc((size_t)model->nq + 1, sizeof *r.q);
  r.v = calloc((size_t)model->nv + 1, sizeof *r.v);
  r.tau = calloc((size_t)model->nv + 1, sizeof *r.tau);
  return r;
}

static inline void
rig_free(rig_t * r)
{
  mbd_data_destroy(r->data);
  free(r->work), free(r->q), free(r->v), free(r->tau);
}

// from a rough state to one that obeys the closures
static inline void
rig_assemble(rig_t * r)
{
  assert_ok(mbd_assemble(r->model, r->data, NULL, r->q, r->work, r->q, NULL));
  assert_ok(mbd_project_velocity(r->model, r->data, NULL, r->v, r->work, r->v, NULL));
  assert_ok(mbd_set_velocity(r->model, r->data, r->v));
}

static inline int
dof(const mbd_model_t * model, const char * joint)
{
  int body;
  assert_ok(mbd_find_joint(model, joint, &body));
  return model->body[body].v_index;
}

typedef struct answer {
  mat_t qdd, lambda;
  mbd_constrained_t info;
} answer_t;

static inline answer_t
forward(const rig_t * r, const mbd_wrenches_t * f, const mbd_constrained_options_t * options)
{
  answer_t a = {mat(r->model->nv, 1), mat(r->model->nrow, 1), {0}};
  assert_ok(mbd_constrained_forward_dynamics(
    r->model, r->data, r->q, r->v, r->tau, f, options, r->work, a.qdd.a, a.lambda.a, &a.info));
  return a;
}

#endif  // RIG_H_
