/// \file control_rig.h
/// A controller on a bench: a robot, its settings, and states to feed it with; or a simulated robot
/// that it drives.
///
///   rig_on, rig_arm, rig_free      on a model, on the seven-axis arm
///   rig_state, rig_step            one cycle at a state
///   rig_expected                   inverse dynamics in a workspace of its own
///   rig_motors                     torques for sim.h: the controller without delay
///   rig_trajectory, rig_drop       a trajectory of some joints, from positions to positions
///
/// Header only. Clocks: time t is t seconds on the steady clock, and ten seconds more on the other.
#ifndef CONTROL_RIG_H_
#define CONTROL_RIG_H_

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "controller.h"
#include "mbdyn/urdf.h"
#include "random_tree.h"
#include "simulate.h"

enum { RIG_MAX = SIM_MAX, ALL_TERMS = 31 };

typedef struct rig {
  mbd_model_t * model;  // of rig_arm
  mbd_data_t * plant;   // workspace of the simulated or expected robot
  controller_t * c;
  controller_settings_t * s;
  joint_input_t input;
  double q[RIG_MAX], v[RIG_MAX], a[RIG_MAX], effort[RIG_MAX];
} rig_t;

static const double RIG_POSE[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};

static inline void
rig_on(rig_t * rig, const mbd_model_t * model)
{
  memset(rig, 0, sizeof *rig);
  assert_true(model->nq <= RIG_MAX);
  assert_ok(mbd_data_create(model, &rig->plant));
  rig->c = controller_create(model);
  rig->s = controller_settings_create(model);
  assert_non_null(rig->c);
  assert_non_null(rig->s);
  rig->input.model = model;
  rig->input.q = rig->q, rig->input.v = rig->v;
  rig->input.acceleration = rig->a, rig->input.effort = rig->effort;
  rig->s->command_terms = ALL_TERMS;
  assert_ok(mbd_neutral(model, rig->q));
}

/// The arm, with drives that have rotors.
static inline void
rig_arm(rig_t * rig)
{
  static const mbdx_joint_drive_t drive[2] = {
    {"joint1", {1e-4, 100, 0.3, 0.5, 0.1}}, {"joint4", {2e-5, 80, 0.1, 0.4, 0.1}}};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  options.ndrive = 2, options.drive = drive;
  assert_ok(
    mbdx_urdf_load_file(MBDYN_SOURCE_DIR "/config/robots/arm7.urdf", &options, &model, NULL));
  rig_on(rig, model);
  rig->model = model;
  memcpy(rig->q, RIG_POSE, sizeof RIG_POSE);
}

static inline void
rig_free(rig_t * rig)
{
  rig->s->mail.destroy(&rig->s->mail);
  controller_destroy(rig->c);
  mbd_data_destroy(rig->plant);
  mbd_model_destroy(rig->model);
}

static inline int
rig_frame(const rig_t * rig, const char * name)
{
  int frame;
  assert_ok(mbd_find_frame(rig->c->model, name, &frame));
  return frame;
}

static inline void
rig_state(rig_t * rig, const double * q, const double * v)
{
  memcpy(rig->q, q, (size_t)rig->c->model->nq * sizeof *q);
  memcpy(rig->v, v, (size_t)rig->c->model->nv * sizeof *v);
}

static inline int64_t
rig_ns(double t)
{
  return (int64_t)llround(1e9 * t);
}

static inline mbd_status_t
rig_try(rig_t * rig, double t, double dt, const double * sent)
{
  return controller_step(rig->c, &rig->input, rig_ns(t + 10), rig_ns(t), dt, sent);
}

static inline void
rig_step(rig_t * rig, double t, double dt, const double * sent)
{
  assert_ok(rig_try(rig, t, dt, sent));
}

/// Torques of a motion by the core's inverse dynamics, with the settings' terms and payloads.
static inline void
rig_expected(
  rig_t * rig, const double * q, const double * v, const double * a, const mbd_wrenches_t * f,
  double * tau)
{
  const mbd_model_t * model = rig->c->model;
  assert_ok(mbd_set_terms(rig->plant, rig->s->model_terms));
  assert_ok(mbd_set_gravity(rig->plant, rig->s->gravity));
  assert_ok(mbd_payload_clear(model, rig->plant));
  for (int i = 0; i < rig->s->npayload; i++) {
    const controller_payload_t * p = &rig->s->payload[i];
    assert_ok(mbd_payload_attach(model, rig->plant, p->frame, &p->inertia));
  }
  assert_ok(mbd_inverse_dynamics(model, rig->plant, q, v, a, f, tau));
}

/// For sim_t: the command at this very state; sim->ctx is the rig.
static inline void
rig_motors(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  rig_t * rig = sim->ctx;
  rig_state(rig, q, v);
  rig_step(rig, t, 0, NULL);
  memcpy(tau, rig->c->command, (size_t)rig->c->model->nv * sizeof *tau);
}

static inline sim_t
rig_simulation(rig_t * rig)
{
  assert_ok(mbd_set_terms(rig->plant, rig->s->model_terms));
  assert_ok(mbd_set_gravity(rig->plant, rig->s->gravity));
  sim_t sim = sim_begin(rig->c->model, rig->plant, rig->q, rig->v);
  sim.motors = rig_motors;
  sim.ctx = rig;
  return sim;
}

/// From `from` at t = start to `to` after `duration`, at rest and without acceleration at both ends:
/// quintic, by the part rig_way of it.
static inline trajectory_t *
rig_trajectory(
  const rig_t * rig, int njoint, const char * const * name, const double * from, const double * to,
  double start, double duration)
{
  static const double rest[RIG_MAX];
  const trajectory_point_t point[2] = {{0, from, rest, rest}, {duration, to, rest, rest}};
  char reason[200] = "";
  trajectory_t * t = trajectory_create(
    rig->c->model, njoint, name, 2, point, NULL, NULL, NULL, rig_ns(start + 10), reason,
    sizeof reason);
  if (!t) fail_msg("refused: %s", reason);
  return t;
}

/// Part of the way after the part x of the time.
static inline double
rig_way(double x)
{
  const double t = fmin(fmax(x, 0), 1);
  return t * t * t * (10 - 15 * t + 6 * t * t);
}

static inline void
rig_drop(trajectory_t * t)
{
  if (t) t->mail.destroy(&t->mail);
}

/// x'' + kd x' + kp x = 0 from x0, v0: x at t, by the formula of each kind of damping.
static inline double
rig_oscillator(double kp, double kd, double x0, double v0, double t)
{
  const double half = kd / 2, d = half * half - kp;
  const double decay = exp(-half * t);
  if (fabs(d) < 1e-9) return decay * (x0 + (v0 + half * x0) * t);
  const double w = sqrt(fabs(d)), b = (v0 + half * x0) / w;
  return d < 0 ? decay * (x0 * cos(w * t) + b * sin(w * t))
               : decay * (x0 * cosh(w * t) + b * sinh(w * t));
}

#endif  // CONTROL_RIG_H_
