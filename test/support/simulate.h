/// \file simulate.h
/// A robot in motion, for tests: classical Runge-Kutta of fourth order on the manifold.
///
///   sim_begin    at a state
///   sim_step     one step under motor torques, hidden torques and wrenches
///
/// Free joints move on their group (Munthe-Kaas); other joints whose v is no qdot (spherical,
/// planar, some user joints) are for second order only. Header only, for C and C++.
#ifndef SIMULATE_H_
#define SIMULATE_H_

#include <string.h>

#include "close.h"
#include "mbdyn/forward.h"
#include "mbdyn/integrate.h"
#include "mbdyn/spatial.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SIM_MAX = 64 };

typedef struct sim {
  const mbd_model_t * model;
  mbd_data_t * data;  // its terms and gravity count
  double t;           // [s]
  double q[SIM_MAX], v[SIM_MAX];
  double qdd[SIM_MAX];  // at the beginning of the last step
  /// Torque of the motors; NULL for none. It may use sim->data.
  void (*motors)(
    const struct sim * sim, double t, const double * q, const double * v, double * tau);
  const double * hidden;         // torques beside the motors, or NULL
  const mbd_wrenches_t * f_ext;  // or NULL
  void * ctx;                    // of motors
} sim_t;

static inline sim_t
sim_begin(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  sim_t sim;
  memset(&sim, 0, sizeof sim);
  assert_true(model->nq <= SIM_MAX);
  sim.model = model;
  sim.data = data;
  memcpy(sim.q, q, (size_t)model->nq * sizeof *q);
  memcpy(sim.v, v, (size_t)model->nv * sizeof *v);
  return sim;
}

static inline void
sim_motors(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  memset(tau, 0, SIM_MAX * sizeof *tau);
  if (sim->motors) sim->motors(sim, t, q, v, tau);
}

static inline void
sim_acceleration(const sim_t * sim, double t, const double * q, const double * v, double * qdd)
{
  sim_motors(sim, t, q, v, qdd);
  for (int k = 0; sim->hidden && k < sim->model->nv; k++) qdd[k] += sim->hidden[k];
  assert_ok(mbd_forward_dynamics(sim->model, sim->data, q, v, qdd, sim->f_ext, qdd));
}

/// udot of q = q0 exp(u) at velocity v: v + 1/2 [u, v] + 1/12 [u, [u, v]] on free joints
static inline void
sim_chart_rate(const sim_t * sim, const double * u, const double * v, double * rate)
{
  memcpy(rate, v, (size_t)sim->model->nv * sizeof *v);
  for (int i = 0; i < sim->model->nbody; i++) {
    if (sim->model->body[i].type != MBD_JOINT_FREE) continue;
    const int k = sim->model->body[i].v_index;
    const mbd_motion_t U = {{u[k + 3], u[k + 4], u[k + 5]}, {u[k], u[k + 1], u[k + 2]}};
    const mbd_motion_t V = {{v[k + 3], v[k + 4], v[k + 5]}, {v[k], v[k + 1], v[k + 2]}};
    const mbd_motion_t one = mbdu_motion_cross(U, V), two = mbdu_motion_cross(U, one);
    rate[k] += one.lin.x / 2 + two.lin.x / 12;
    rate[k + 1] += one.lin.y / 2 + two.lin.y / 12;
    rate[k + 2] += one.lin.z / 2 + two.lin.z / 12;
    rate[k + 3] += one.ang.x / 2 + two.ang.x / 12;
    rate[k + 4] += one.ang.y / 2 + two.ang.y / 12;
    rate[k + 5] += one.ang.z / 2 + two.ang.z / 12;
  }
}

/// One step; afterwards sim->data holds some state of its own.
static inline void
sim_step(sim_t * sim, double dt)
{
  static const double when[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const size_t nv = (size_t)sim->model->nv;
  double u[SIM_MAX] = {0}, q[SIM_MAX], v[SIM_MAX];
  double du[SIM_MAX] = {0}, dv[SIM_MAX] = {0}, du_sum[SIM_MAX] = {0}, dv_sum[SIM_MAX] = {0};
  for (int stage = 0; stage < 4; stage++) {
    // du and dv are those of the stage before
    for (size_t k = 0; k < nv; k++) {
      u[k] = when[stage] * dt * du[k];
      v[k] = sim->v[k] + when[stage] * dt * dv[k];
    }
    assert_ok(mbd_integrate(sim->model, sim->q, u, 1, q));
    sim_chart_rate(sim, u, v, du);
    sim_acceleration(sim, sim->t + when[stage] * dt, q, v, dv);
    if (stage == 0) memcpy(sim->qdd, dv, nv * sizeof *dv);
    for (size_t k = 0; k < nv; k++) {
      du_sum[k] += weight[stage] / 6 * du[k];
      dv_sum[k] += weight[stage] / 6 * dv[k];
    }
  }
  for (size_t k = 0; k < nv; k++) sim->v[k] += dt * dv_sum[k];
  assert_ok(mbd_integrate(sim->model, sim->q, du_sum, dt, sim->q));
  sim->t += dt;
}

#ifdef __cplusplus
}
#endif

#endif  // SIMULATE_H_
