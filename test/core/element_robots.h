/// \file element_robots.h
/// Random robots with force elements, their energies by definition, and their forces as wrenches.
///
///   add_elements, FOR_ELEMENTS   elements on a random robot
///   is_smooth                    no element is where its energy has no gradient
///   make_outside                 a second workspace, for the same forces as external wrenches
///   differences                  derivatives of dynamics by differences of fourth order
#ifndef ELEMENT_ROBOTS_H_
#define ELEMENT_ROBOTS_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"

enum { MOST = 6 };

// fourth order
static const double OFFSET[4] = {-2, -1, 1, 2};
static const double WEIGHT[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

//---------- robots with elements ----------

// what random elements may have
typedef struct kinds {
  bool damping, callback, wrench;
} kinds_t;

static const kinds_t CONSERVATIVE = {false, false, false}, DAMPED = {true, false, false},
                     ALL = {true, true, true};

// grows with time, position and rate
static inline void
callback(void * ctx, double t, double x, double rate, double * f, double * f_x, double * f_rate)
{
  const double a = *(const double *)ctx;
  *f = a * (sin(x) + 0.3 * rate * rate + 0.2 * t);
  *f_x = a * cos(x);
  *f_rate = 0.6 * a * rate;
}

static double gain = 0.7;

static inline mbd_element_spec_t
random_element(const tree_t * t, uint64_t * state, const kinds_t * kinds)
{
  mbd_element_spec_t e = mbd_element_spec_default();
  const int types = kinds->wrench ? MBD_ELEMENT_TYPES : MBD_ELEMENT_WRENCH;
  e.type = (mbd_element_type_t)random_below(state, types);
  // the world now and then
  e.frame_a = random_below(state, 4) == 0 ? -1 : t->link[random_below(state, t->nlink)].frame;
  do {
    e.frame_b = random_below(state, 6) == 0 ? -1 : t->link[random_below(state, t->nlink)].frame;
  } while (e.frame_b == e.frame_a);
  e.X_a = random_placement(state), e.X_b = random_placement(state);
  for (int i = 0; e.type == MBD_ELEMENT_JOINT && i < t->nlink; i++) {
    const mbd_body_spec_t * spec = &t->link[i].spec;
    if (
      spec->type == MBD_JOINT_REVOLUTE || spec->type == MBD_JOINT_CONTINUOUS ||
      spec->type == MBD_JOINT_PRISMATIC || spec->type == MBD_JOINT_HELICAL)
      e.joint = spec->joint_name;
  }
  if (e.type == MBD_ELEMENT_JOINT && !e.joint) e.type = MBD_ELEMENT_SPRING;
  e.stiffness = random_between(state, 1, 20);
  e.rest = random_between(state, -1, 1);
  e.preload = random_between(state, -3, 3);
  for (int k = 0; k < 6; k++) e.stiffness6[k] = random_between(state, 1, 10);
  for (int k = 0; kinds->damping && k < 6; k++) e.damping6[k] = random_between(state, 0, 3);
  if (kinds->damping) e.damping = random_between(state, 0, 3);
  if (kinds->callback && e.type != MBD_ELEMENT_BUSHING && e.type != MBD_ELEMENT_WRENCH)
    e.at = callback, e.ctx = &gain;
  e.wrench = random_force(state);
  return e;
}

// the robot's links again, with closures (or NULL) and elements; model and workspace are replaced
static inline void
add_elements(tree_t * t, const loops_t * loops, uint64_t * state, const kinds_t * kinds)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("elements", &model));
  assert_ok(mbd_model_set_gravity(model, t->model->gravity));
  for (int k = 0, frame; k < t->nlink; k++)
    assert_ok(mbd_model_add_body(model, &t->link[k].spec, &frame));
  for (int k = 0; loops && k < loops->n; k++) {
    mbd_closure_spec_t spec = loops->spec[k];
    spec.name = loops->name[k];
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
  }
  const int n = 1 + random_below(state, MOST);
  for (int k = 0; k < n; k++) {
    char name[24];
    snprintf(name, sizeof name, "element_%d", k);
    mbd_element_spec_t e = random_element(t, state, kinds);
    e.name = name;
    int index;
    assert_ok(mbd_model_add_element(model, &e, &index));
    assert_int_equal(index, k);
  }
  assert_ok(mbd_model_finalize(model));
  mbd_data_destroy(t->data);
  mbd_model_destroy(t->model);
  t->model = model;
  assert_ok(mbd_data_create(model, &t->data));
  assert_ok(mbd_set_terms(t->data, MBD_TERM_ELEMENTS));
  t->nwrench = t->f_ext.n = 0;
}

#define FOR_ELEMENTS(n, kinds)                                   \
  const tree_options_t options_ = small_trees();                 \
  FOR_TREES(n, &options_)                                        \
  for (uint64_t state_ = seed + 77, once_ = 1; once_; once_ = 0) \
    if ((t->nlink > 1 && t->model->nv > 0) && (add_elements(t, NULL, &state_, kinds), true))

//---------- energy by definition ----------

static inline mbd_placement_t
frame_pose(const tree_t * t, mbd_data_t * data, int frame, const mbd_placement_t * X)
{
  mbd_placement_t F = mbdu_placement_identity();
  if (frame >= 0) assert_ok(mbd_frame_placement(t->model, data, frame, &F));
  return mbdu_placement_mul(&F, X);
}

// coordinate of a scalar law; of a bushing: displacement and rotation vector in z
static inline double
coordinate(const tree_t * t, mbd_data_t * data, int k, double * z)
{
  const mbd_element_spec_t * e = &t->model->element[k].spec;
  const mbd_placement_t A = frame_pose(t, data, e->frame_a, &e->X_a);
  const mbd_placement_t B = frame_pose(t, data, e->frame_b, &e->X_b);
  const mbd_vec3_t p = mbdu_mat3_tvec(&A.R, mbdu_vec3_sub(B.p, A.p));
  const mbd_mat3_t R = mbdu_mat3_tmul(&A.R, &B.R);
  switch (e->type) {
    case MBD_ELEMENT_SPRING: return mbdu_vec3_norm(p);
    case MBD_ELEMENT_TORSION: return atan2(R.m[3], R.m[0]);
    case MBD_ELEMENT_JOINT: {
      int body;
      assert_ok(mbd_find_joint(t->model, e->joint, &body));
      return data->q[t->model->body[body].q_index];
    }
    case MBD_ELEMENT_BUSHING: {
      // angle and axis of R
      const double c = 0.5 * (R.m[0] + R.m[4] + R.m[8] - 1), angle = acos(fmax(-1, fmin(1, c)));
      const double s = angle > 1e-9 ? 0.5 * angle / sin(angle) : 0.5;
      z[0] = s * (R.m[7] - R.m[5]), z[1] = s * (R.m[2] - R.m[6]), z[2] = s * (R.m[3] - R.m[1]);
      z[3] = p.x, z[4] = p.y, z[5] = p.z;
      return 0;
    }
    default: return 0;
  }
}

static inline double
energy_of(const tree_t * t, mbd_data_t * data, int k)
{
  const mbd_element_spec_t * e = &t->model->element[k].spec;
  double z[6] = {0}, sum = 0;
  const double x = coordinate(t, data, k, z);
  double s = x - e->rest;
  if (e->type == MBD_ELEMENT_WRENCH) return 0;
  if (e->type == MBD_ELEMENT_TORSION) s = atan2(sin(s), cos(s));
  for (int i = 0; e->type == MBD_ELEMENT_BUSHING && i < 6; i++)
    sum += 0.5 * e->stiffness6[i] * z[i] * z[i];
  return e->type == MBD_ELEMENT_BUSHING ? sum : 0.5 * e->stiffness * s * s + e->preload * s;
}

static inline double
energy_at(const tree_t * t, mbd_data_t * data, const double * q)
{
  double sum = 0;
  assert_ok(mbd_set_position(t->model, data, q));
  for (int k = 0; k < t->model->nelement; k++) sum += energy_of(t, data, k);
  return sum;
}

// angles that jump within a difference, and a bushing near half a turn, have no gradient
static inline bool
is_smooth(const tree_t * t)
{
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  for (int k = 0; k < t->model->nelement; k++) {
    const mbd_element_spec_t * e = &t->model->element[k].spec;
    double z[6] = {0};
    const double x = coordinate(t, t->data, k, z) - e->rest;
    if (e->type == MBD_ELEMENT_TORSION && cos(x) < -0.99) return false;
    if (e->type == MBD_ELEMENT_SPRING && x + e->rest < 0.1) return false;
    const double turn = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
    if (e->type == MBD_ELEMENT_BUSHING && turn > 2.8) return false;
    if (e->type != MBD_ELEMENT_TORSION) continue;
    // x of B along z of A has no angle
    const mbd_placement_t A = frame_pose(t, t->data, e->frame_a, &e->X_a);
    const mbd_placement_t B = frame_pose(t, t->data, e->frame_b, &e->X_b);
    const mbd_mat3_t R = mbdu_mat3_tmul(&A.R, &B.R);
    if (fabs(R.m[6]) > 0.9) return false;
  }
  return true;
}

//---------- against external wrenches ----------

// wrenches of the elements at the velocity stage
static inline int
wrenches_of(const mbd_model_t * model, mbd_data_t * data, mbd_wrench_t * list)
{
  int n = 0;
  for (int k = 0; k < model->nelement; k++) {
    const mbd_element_spec_t * e = &model->element[k].spec;
    mbd_element_state_t s;
    assert_ok(mbd_element_state(model, data, k, &s));
    mbd_placement_t F = mbdu_placement_identity();
    if (e->frame_b >= 0) assert_ok(mbd_frame_placement(model, data, e->frame_b, &F));
    const mbd_vec3_t p = mbdu_placement_point(&F, e->X_b.p);
    const mbd_force_t f = {
      mbdu_vec3_add(s.wrench.ang, mbdu_vec3_cross(p, s.wrench.lin)), s.wrench.lin};
    if (e->frame_b >= 0) list[n++] = (mbd_wrench_t){e->frame_b, MBD_WORLD, f};
    if (e->frame_a >= 0) list[n++] = (mbd_wrench_t){e->frame_a, MBD_WORLD, mbdu_force_scale(-1, f)};
  }
  return n;
}

// a second workspace with the other terms, and the element's wrenches with one of the caller
typedef struct outside {
  mbd_data_t * data;
  mbd_wrench_t list[2 * MOST + 1], own;
  mbd_wrenches_t all, mine;
} outside_t;

static inline void
make_outside(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v, uint32_t terms,
  uint64_t * state, outside_t * o)
{
  assert_ok(mbd_data_create(model, &o->data));
  assert_ok(mbd_set_terms(o->data, terms));
  assert_ok(mbd_set_terms(data, terms | MBD_TERM_ELEMENTS));
  assert_ok(mbd_set_time(model, data, 0.3));
  assert_ok(mbd_set_position(model, data, q));
  assert_ok(mbd_set_velocity(model, data, v));
  o->own = (mbd_wrench_t){
    random_below(state, model->nframe), (mbd_reference_t)random_below(state, 3),
    random_force(state)};
  o->list[0] = o->own;
  o->all = (mbd_wrenches_t){1 + wrenches_of(model, data, o->list + 1), o->list};
  o->mine = (mbd_wrenches_t){1, &o->own};
}

static inline void
same_joint_forces(const mbd_model_t * model, mbd_data_t * a, mbd_data_t * b, uint64_t seed)
{
  for (int i = 0; i < model->nbody; i++) {
    mbd_force_t f, g;
    assert_ok(mbd_joint_force(model, a, i, &f));
    assert_ok(mbd_joint_force(model, b, i, &g));
    assert_close(&f.ang.x, &g.ang.x, 6, 1e-9, "joint force %d, seed %d", i, (int)seed);
  }
}

//---------- derivatives ----------

typedef mbd_status_t dynamics_fn(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * in, const mbd_wrenches_t * f_ext, double * out);

static inline bool
differences(
  const mbd_model_t * m, mbd_data_t * data, dynamics_fn * f, const double * q0, const double * v0,
  const double * in, const mbd_wrenches_t * f_ext, mat_t dq, mat_t dv)
{
  const int nv = m->nv;
  const double h = 1e-4;
  mat_t q = mat(m->nq, 1), v = mat(nv, 1), unit = mat(nv, 1), part = mat(nv, 1);
  for (int j = 0; j < nv; j++) {
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < nv; i++) unit.a[i] = i == j;
      if (mbd_integrate(m, q0, unit.a, OFFSET[k] * h, q.a) != MBD_OK) return false;
      if (f(m, data, q.a, v0, in, f_ext, part.a) != MBD_OK) return false;
      for (int i = 0; i < nv; i++) *at(dq, i, j) += WEIGHT[k] / h * part.a[i];
      for (int i = 0; i < nv; i++) v.a[i] = v0[i] + (i == j) * OFFSET[k] * h;
      if (f(m, data, q0, v.a, in, f_ext, part.a) != MBD_OK) return false;
      for (int i = 0; i < nv; i++) *at(dv, i, j) += WEIGHT[k] / h * part.a[i];
    }
  }
  return true;
}

#endif  // ELEMENT_ROBOTS_H_
