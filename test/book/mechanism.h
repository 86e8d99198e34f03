/// \file mechanism.h
/// Mechanisms of Haug's book, built in two ways: as a tree with few closures, and with every body free
/// and every joint a closure (the book's own layout).
#ifndef MECHANISM_H_
#define MECHANISM_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/simulate.h"

#define PI 3.14159265358979323846

static const mbd_vec3_t ORIGIN = {0, 0, 0};

/// A model and where it starts.
typedef struct mechanism {
  mbd_model_t * model;
  double q[64], v[64];
} mechanism_t;

static inline mechanism_t
mechanism(double gx, double gy, double gz)
{
  mechanism_t m;
  memset(&m, 0, sizeof m);
  assert_ok(mbd_model_create("book", &m.model));
  assert_ok(mbd_model_set_gravity(m.model, mbdu_vec3(gx, gy, gz)));
  return m;
}

static inline mbd_placement_t
point(double x, double y, double z)
{
  mbd_placement_t X = mbdu_placement_identity();
  X.p = mbdu_vec3(x, y, z);
  return X;
}

/// z of the frame along x of the link, y as it is.
static inline mbd_placement_t
along_x(double x, double y, double z)
{
  mbd_placement_t X = point(x, y, z);
  const mbd_mat3_t R = {{0, 0, 1, 0, 1, 0, -1, 0, 0}};
  X.R = R;
  return X;
}

/// A body: centre of mass c and inertia about it, in the link frame. Its joint has its name.
static inline int
body(
  mechanism_t * m, const char * name, int parent, mbd_joint_type_t type, char axis,
  mbd_placement_t at, double mass, mbd_vec3_t c, double jx, double jy, double jz)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  const mbd_sym3_t I = {jx, 0, 0, jy, 0, jz};
  int frame;
  spec.name = spec.joint_name = name;
  spec.parent = parent;
  spec.type = type;
  spec.axis = mbdu_vec3(axis == 'x', axis == 'y', axis == 'z');
  spec.placement = at;
  spec.inertia = mbdu_inertia_from_com(mass, c, I);
  assert_ok(mbd_model_add_body(m->model, &spec, &frame));
  return frame;
}

/// Planar body about its centre of mass.
static inline int
planar(mechanism_t * m, const char * name, double mass, double J)
{
  return body(
    m, name, MBD_WORLD_BODY, MBD_JOINT_PLANAR, 'z', point(0, 0, 0), mass, mbdu_vec3(0, 0, 0), J, J,
    J);
}

static inline void
closure(
  mechanism_t * m, const char * name, mbd_closure_type_t type, int a, mbd_placement_t X_a, int b,
  mbd_placement_t X_b, double distance)
{
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = name;
  spec.type = type;
  spec.frame_a = a, spec.frame_b = b;
  spec.X_a = X_a, spec.X_b = X_b;
  spec.distance = distance;
  assert_ok(mbd_model_add_closure(m->model, &spec, NULL));
}

static inline const mbd_body_t *
joint_of(const mechanism_t * m, const char * name)
{
  int i;
  assert_ok(mbd_find_joint(m->model, name, &i));
  return &m->model->body[i];
}

/// A joint's part of a start: nq and nv numbers.
static inline void
start_joint(mechanism_t * m, const char * name, const double * q, const double * v)
{
  const mbd_body_t * b = joint_of(m, name);
  memcpy(m->q + b->q_index, q, (size_t)b->nq * sizeof *q);
  memcpy(m->v + b->v_index, v, (size_t)b->nv * sizeof *v);
}

static inline mbd_simulation_t *
simulation(const mechanism_t * m, const mbd_simulation_options_t * options)
{
  mbd_simulation_t * sim;
  assert_ok(mbd_simulation_create(m->model, options, &sim));
  return sim;
}

static inline mbd_simulation_t *
started(const mechanism_t * m, const mbd_simulation_options_t * options)
{
  mbd_simulation_t * sim = simulation(m, options);
  assert_ok(mbd_simulation_start(sim, 0, m->q, m->v, NULL));
  return sim;
}

static inline mbd_simulation_options_t
options_of(mbd_method_t method, double tolerance)
{
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.rtol = options.ode.atol = tolerance;
  return options;
}

static inline void
destroy_simulation(mbd_simulation_t * sim, mechanism_t * m)
{
  mbd_simulation_destroy(sim);
  mbd_model_destroy(m->model);
}

/// Centre of mass of a link in the world, at the state of a simulation.
static inline mbd_vec3_t
centre(mbd_simulation_t * sim, const mechanism_t * m, const char * link, mbd_vec3_t c)
{
  int frame;
  mbd_placement_t X;
  assert_ok(mbd_find_frame(m->model, link, &frame));
  assert_ok(mbd_frame_placement(m->model, mbd_simulation_data(sim), frame, &X));
  return mbdu_vec3_add(X.p, mbdu_mat3_vec(&X.R, c));
}

/// First multiplier of a closure.
static inline double
multiplier(const mbd_simulation_t * sim, const mechanism_t * m, const char * name)
{
  int k;
  assert_ok(mbd_find_closure(m->model, name, &k));
  return mbd_simulation_info(sim)->lambda[m->model->closure[k].row];
}

static inline double
rate_at(mbd_simulation_t * sim, double t, int k)
{
  double v[64];
  assert_ok(mbd_simulation_at(sim, t, NULL, v, NULL, NULL));
  return v[k];
}

/// Largest value of sign v[k] between two times of the last step, which have one maximum: golden section.
static inline double
peak_between(mbd_simulation_t * sim, double from, double to, int k, double sign)
{
  const double golden = (sqrt(5) - 1) / 2;
  for (int i = 0; i < 20; i++) {
    const double a = to - golden * (to - from), b = from + golden * (to - from);
    const bool left = sign * rate_at(sim, a, k) > sign * rate_at(sim, b, k);
    from = left ? from : a, to = left ? b : to;
  }
  return rate_at(sim, (from + to) / 2, k);
}

/// Least and largest value of number k of v within the last step, which began at `before`.
static inline void
range_in_step(mbd_simulation_t * sim, double before, int k, double range[2])
{
  const double t = mbd_simulation_info(sim)->t, part = (t - before) / 8;
  double v[9];
  if (mbd_simulation_info(sim)->event >= 0) return;
  for (int j = 0; j <= 8; j++) v[j] = rate_at(sim, j < 8 ? before + part * j : t, k);
  for (int j = 0; j <= 8; j++) {
    range[0] = fmin(range[0], v[j]), range[1] = fmax(range[1], v[j]);
    if (j == 0 || j == 8) continue;
    const double from = before + part * (j - 1), to = before + part * (j + 1);
    if (v[j] < fmin(v[j - 1], v[j + 1]))
      range[0] = fmin(range[0], peak_between(sim, from, fmin(to, t), k, -1));
    if (v[j] > fmax(v[j - 1], v[j + 1]))
      range[1] = fmax(range[1], peak_between(sim, from, fmin(to, t), k, 1));
  }
}

/// Say what a run gave, for the log.
static inline void
say(const char * what, const mbd_simulation_t * sim)
{
  const mbd_simulation_info_t * i = mbd_simulation_info(sim);
  print_message(
    "%-36s %6ld steps %3ld rejected %7ld evaluations %4d charts; rows %.0e %.0e %.0e; energy %.1e "
    "J\n",
    what, i->steps, i->rejected, i->evaluations, i->charts, i->error_position, i->error_velocity,
    i->error_acceleration, i->energy - i->energy_start - i->work);
}

/// Fail unless |is - want| <= tolerance.
static inline void
near_to(const char * what, double is, double want, double tolerance)
{
  if (fabs(is - want) <= tolerance) return;
  print_error("%s: %.12g, in the book %.12g, off by %.2g\n", what, is, want, is - want);
  fail();
}

/// Balance of energy and work within a tolerance [J].
static inline void
balanced(const mbd_simulation_t * sim, double tolerance)
{
  const mbd_simulation_info_t * i = mbd_simulation_info(sim);
  near_to("energy less work", i->energy - i->work, i->energy_start, tolerance);
}

/// Balance of energy and work to 1e-8 of the energy in motion [J]: every run with a tolerance that allows it.
static inline void
in_balance(const mbd_simulation_t * sim, double energy)
{
  balanced(sim, 1e-8 * energy);
}

#endif  // MECHANISM_H_
