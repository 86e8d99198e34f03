/// \file random_modes.h
/// Flexible links, for tests: random modal bodies on random trees.
///
///   random_modal_body    a few nodes and modes; now and then free at its hinge, with second-order
///                        displacements, or with a modal mass of its own
///   random_flexible_robot    a random robot with some flexible links, and a state
///   flexible_robot_free
#ifndef RANDOM_MODES_H_
#define RANDOM_MODES_H_

#include <stdlib.h>

#include "close.h"
#include "flexible_state.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"
#include "random_tree.h"

/// A random symmetric positive matrix.
static inline void
random_positive(uint64_t * state, int n, double size, double * A)
{
  double * B = calloc((size_t)(n * n), sizeof *B);
  assert_non_null(B);
  for (int i = 0; i < n * n; i++) B[i] = random_signed(state);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
      A[i * n + j] = size * sum;
    }
  }
  free(B);
}

static inline mbd_modal_body_t *
random_modal_body(uint64_t * state)
{
  // a joint of six and four modes need two bodies to move
  const int nmode = 1 + random_below(state, 4), nnode = 2 + random_below(state, 2);
  mbd_modal_body_t * body;
  assert_ok(mbd_modal_body_create(nmode, nnode + 1, &body));
  body->has_bend = random_below(state, 2), body->has_hinge = random_below(state, 2);
  // the last node is a place alone
  for (int k = 0; k <= nnode; k++) {
    body->position[k] = random_vec3(state, 0.5);
    if (k < nnode) body->inertia[k] = random_inertia(state);
    for (int i = 0; i < nmode; i++) {
      body->shape[k * nmode + i] = random_motion(state);
      for (int j = 0; j <= i && body->has_bend; j++) {
        const mbd_vec3_t bend = random_vec3(state, 0.5);
        body->bend[(k * nmode + i) * nmode + j] = body->bend[(k * nmode + j) * nmode + i] = bend;
      }
    }
  }
  for (int i = 0; i < nmode && body->has_hinge; i++) body->hinge[i] = random_motion(state);
  random_positive(state, nmode, 10, body->stiffness);
  random_positive(state, nmode, 1, body->damping);
  body->has_mass = random_below(state, 3) == 0;
  if (body->has_mass) {
    // more than the nodes have: moving each by all modes at once is an upper bound
    random_positive(state, nmode, 1, body->mass);
    for (int k = 0; k < nnode; k++) {
      for (int i = 0; i < nmode; i++) {
        for (int j = 0; j < nmode; j++) {
          const mbd_force_t f = mbdu_inertia_mul(&body->inertia[k], body->shape[k * nmode + i]);
          body->mass[i * nmode + j] += mbdu_power(f, body->shape[k * nmode + j]);
        }
      }
    }
  }
  return body;
}

/// A robot with some flexible links, and a state.
typedef struct flexible_robot {
  mbd_model_t * flexible;
  mbd_data_t * data;
  double *q, *v, *qdd, *tau;
} flexible_robot_t;

static inline double *
extend(uint64_t * state, const double * x, int n, int modes, double scale)
{
  double * y = calloc((size_t)(n + modes) + 1, sizeof *y);
  assert_non_null(y);
  for (int i = 0; i < n; i++) y[i] = x[i];
  for (int i = n; i < n + modes; i++) y[i] = scale * random_signed(state);
  return y;
}

static inline flexible_robot_t
random_flexible_robot(const tree_t * t, uint64_t * state)
{
  enum { MOST = 4 };
  mbd_flexible_link_t link[MOST] = {{0}};
  int n = 0;
  for (int f = 0; f < t->model->nframe && n < MOST; f++) {
    if (!t->model->frame[f].is_link || random_below(state, 3) > 0) continue;
    link[n].frame = f;
    link[n++].body = random_modal_body(state);
  }
  flexible_robot_t flexible_robot;
  assert_ok(mbd_model_with_flexible_links(t->model, n, link, &flexible_robot.flexible, NULL));
  for (int k = 0; k < n; k++) mbd_modal_body_destroy((mbd_modal_body_t *)(uintptr_t)link[k].body);
  assert_ok(mbd_data_create(flexible_robot.flexible, &flexible_robot.data));
  const int modes = flexible_robot.flexible->flexible->nmode;
  flexible_robot.q = extend(state, t->q, t->model->nq, modes, 0.4);
  flexible_robot.v = extend(state, t->v, t->model->nv, modes, 1);
  flexible_robot.qdd = extend(state, t->qdd, t->model->nv, modes, 1);
  flexible_robot.tau = extend(state, t->tau, t->model->nv, modes, 1);
  return flexible_robot;
}

static inline void
flexible_robot_free(flexible_robot_t * flexible_robot)
{
  free(flexible_robot->q);
  free(flexible_robot->v);
  free(flexible_robot->qdd);
  free(flexible_robot->tau);
  mbd_data_destroy(flexible_robot->data);
  mbd_model_destroy(flexible_robot->flexible);
}

#endif  // RANDOM_MODES_H_
