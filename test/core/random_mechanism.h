/// \file random_mechanism.h
/// Random mechanisms for tests: a random tree of joints with one degree of freedom, and rods (distance
/// closures) between points of its links that have the right lengths at the tree's state q.
///
///   random_mechanism, mechanism_free
///   rods_at                    lengths of the rods less those at the start, by poses of links alone
///   random_measures            measures of joints, distances, coordinates and angles of frames
///   values_at                  values of measures
///   slopes                     derivatives of rods or measures by differences, one row each
///   weakest                    smallest over largest singular value of a matrix
#ifndef RANDOM_MECHANISM_H_
#define RANDOM_MECHANISM_H_

#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/constraints/closure.h"

enum { MOST_RODS = 4, MOST_MEASURES = 8, MOST_JOINTS = 16 };

typedef struct rod {
  int frame_a, frame_b;
  mbd_placement_t X_a, X_b;
  double length;
} rod_t;

typedef struct mechanism {
  const tree_t * t;
  mbd_model_t * model;
  mbd_data_t *data, *other;  // of the test, of its differences
  int nrod;
  rod_t rod[MOST_RODS];
  int nmeasure;  // for slopes: of these, or of the rods
  const mbd_measure_t * measure;
} mechanism_t;

static inline tree_options_t
mechanism_trees(int most)
{
  tree_options_t options = tree_options_default();
  options.min_bodies = 2, options.max_bodies = most, options.one_dof_only = true;
  return options;
}

static inline mbd_placement_t
point_of(const mbd_model_t * model, mbd_data_t * data, int frame, const mbd_placement_t * X)
{
  mbd_placement_t F = mbdu_placement_identity();
  if (frame >= 0) assert_ok(mbd_frame_placement(model, data, frame, &F));
  return mbdu_placement_mul(&F, X);
}

static inline double
rod_length(const mbd_model_t * model, mbd_data_t * data, const rod_t * rod)
{
  const mbd_placement_t A = point_of(model, data, rod->frame_a, &rod->X_a);
  const mbd_placement_t B = point_of(model, data, rod->frame_b, &rod->X_b);
  return mbdu_vec3_norm(mbdu_vec3_sub(A.p, B.p));
}

/// The tree with `nrod` rods, the last `twice` of which repeat the one before; the caller adds to the
/// model and finalizes it, then calls mechanism_begin.
static inline mechanism_t
mechanism_with(const tree_t * t, uint64_t seed, int nrod, int twice)
{
  mechanism_t m = {.t = t, .nrod = nrod};
  uint64_t r = 77 * seed + 5;
  assert_ok(mbd_model_create("mechanism", &m.model));
  assert_ok(mbd_model_set_gravity(m.model, t->model->gravity));
  for (int k = 0; k < t->nlink; k++) {
    int frame;
    assert_ok(mbd_model_add_body(m.model, &t->link[k].spec, &frame));
    // extra frames of the tree are left out
    assert_int_equal(frame, t->link[k].frame);
  }
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  for (int k = 0; k < nrod; k++) {
    static const char * const names[MOST_RODS] = {"rod_1", "rod_2", "rod_3", "rod_4"};
    rod_t * rod = &m.rod[k];
    // on two bodies, or on a body and the base
    do {
      rod->frame_b = t->link[random_below(&r, t->nlink)].frame;
    } while (t->model->frame[rod->frame_b].body < 0);
    rod->frame_a = random_below(&r, 2) ? MBD_WORLD_BODY : t->link[random_below(&r, t->nlink)].frame;
    const int body_a = rod->frame_a < 0 ? -1 : t->model->frame[rod->frame_a].body;
    if (body_a == t->model->frame[rod->frame_b].body) rod->frame_a = MBD_WORLD_BODY;
    rod->X_a = random_placement(&r), rod->X_b = random_placement(&r);
    if (k >= nrod - twice && k > 0) *rod = m.rod[k - 1];
    rod->length = rod_length(t->model, t->data, rod);
    mbd_closure_spec_t c = mbd_closure_spec_default();
    c.name = names[k], c.type = MBD_CLOSURE_DISTANCE, c.distance = rod->length;
    c.frame_a = rod->frame_a, c.frame_b = rod->frame_b, c.X_a = rod->X_a, c.X_b = rod->X_b;
    assert_ok(mbd_model_add_closure(m.model, &c, NULL));
  }
  return m;
}

static inline void
mechanism_begin(mechanism_t * m)
{
  assert_ok(mbd_model_finalize(m->model));
  assert_ok(mbd_data_create(m->model, &m->data));
  assert_ok(mbd_data_create(m->model, &m->other));
}

static inline mechanism_t
random_mechanism(const tree_t * t, uint64_t seed, int nrod)
{
  mechanism_t m = mechanism_with(t, seed, nrod, 0);
  mechanism_begin(&m);
  return m;
}

static inline void
mechanism_free(mechanism_t * m)
{
  mbd_data_destroy(m->data);
  mbd_data_destroy(m->other);
  mbd_model_destroy(m->model);
}

/// Frames of links, or the world as frame A; joints of the model.
static inline void
random_measures(const mechanism_t * m, uint64_t seed, int n, mbd_measure_t * measure)
{
  static const mbd_measure_type_t types[] = {MBD_MEASURE_JOINT, MBD_MEASURE_DISTANCE,
                                             MBD_MEASURE_X,     MBD_MEASURE_Y,
                                             MBD_MEASURE_Z,     MBD_MEASURE_ANGLE};
  uint64_t r = 991 * seed + 3;
  for (int k = 0; k < n; k++) {
    mbd_measure_t * y = &measure[k];
    *y = mbd_measure_default();
    y->type = types[random_below(&r, 6)];
    y->body = random_below(&r, m->model->nbody);
    y->frame_b = random_below(&r, m->model->nframe);
    y->X_a = random_placement(&r), y->X_b = random_placement(&r);
  }
}

static inline mat_t
rods_at(const mechanism_t * m, const double * q)
{
  mat_t d = mat(m->nrod, 1);
  assert_ok(mbd_set_position(m->model, m->other, q));
  for (int k = 0; k < m->nrod; k++)
    d.a[k] = rod_length(m->model, m->other, &m->rod[k]) - m->rod[k].length;
  return d;
}

static inline mat_t
values_at(const mechanism_t * m, int n, const mbd_measure_t * measure, const double * q)
{
  mat_t y = mat(n, 1);
  assert_ok(mbd_set_position(m->model, m->other, q));
  for (int k = 0; k < n; k++)
    assert_ok(mbd_measure(m->model, m->other, &measure[k], &y.a[k], NULL, NULL));
  return y;
}

/// Differences of sixth order by the coordinates, which are the velocities' integrals; angles are compared as
/// angles. measure NULL: the rods.
static inline mat_t
slopes(const mechanism_t * m, int n, const mbd_measure_t * measure, const double * q)
{
  static const double OFFSET[6] = {1, -1, 2, -2, 3, -3},
                      WEIGHT[6] = {0.75, -0.75, -0.15, 0.15, 1.0 / 60, -1.0 / 60};
  const double h = 2e-3;
  const int nv = m->model->nv;
  mat_t D = mat(n, nv);
  const mat_t y = measure ? values_at(m, n, measure, q) : rods_at(m, q);
  for (int j = 0; j < nv; j++) {
    for (int k = 0; k < 6; k++) {
      mat_t moved = column(nv, q);
      moved.a[j] += h * OFFSET[k];
      const mat_t z = measure ? values_at(m, n, measure, moved.a) : rods_at(m, moved.a);
      for (int i = 0; i < n; i++) {
        const bool angle = measure && measure[i].type == MBD_MEASURE_ANGLE;
        const double change = z.a[i] - y.a[i];
        *at(D, i, j) += WEIGHT[k] / h * (angle ? mbdu_angle_between(0, change) : change);
      }
    }
  }
  return D;
}

static inline mat_t
stack(mat_t A, mat_t B)
{
  mat_t C = mat(A.r + B.r, A.c > B.c ? A.c : B.c);
  if (A.r > 0) set_block(C, 0, 0, A);
  if (B.r > 0) set_block(C, A.r, 0, B);
  return C;
}

/// Rows of length one; rows of zeros stay.
static inline mat_t
unit_rows(mat_t A)
{
  mat_t B = mat(A.r, A.c);
  for (int i = 0; i < A.r; i++) {
    double square = 0;
    for (int j = 0; j < A.c; j++) square += *at(A, i, j) * *at(A, i, j);
    for (int j = 0; j < A.c; j++) *at(B, i, j) = *at(A, i, j) / fmax(sqrt(square), 1e-300);
  }
  return B;
}

/// Rows are at most as many as columns.
static inline double
weakest(mat_t A)
{
  const mat_t S = PROD(A, tr(A));
  const double low = smallest_eigenvalue(S), high = -smallest_eigenvalue(scale(-1, S));
  return sqrt(fmax(low, 0) / high);
}

#endif  // RANDOM_MECHANISM_H_
