// Engine of models with force elements: wraps the engine that the model has without them with these
// functions. They only forward the call while MBD_TERM_ELEMENTS is off; models without elements do not
// use them. Forces on links are passed on as external wrenches, so that joint reaction forces are right as
// well. For embedded models only the engine of the tree is wrapped.
#include <string.h>

#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/mbdyn.h"
#include "tree/element.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

static inline const mbdi_engine_t *
base_of(const mbd_model_t * model)
{
  return model->internal->base;
}

static inline bool
counted(const mbd_data_t * data)
{
  return data->terms & MBD_TERM_ELEMENTS;
}

// a call of the wrapped engine, with elements off
#define WITHOUT_ELEMENTS(data, status, call)       \
  do {                                             \
    (data)->terms &= ~(uint32_t)MBD_TERM_ELEMENTS; \
    (status) = (call);                             \
    (data)->terms |= MBD_TERM_ELEMENTS;            \
  } while (0)

//---------- memory ----------

static size_t
element_lay_out(const mbd_model_t * model, char * base, mbd_data_t * data)
{
  size_t offset = base_of(model)->lay_out_workspace(model, base, data);
  if (offset == 0) return 0;
  struct mbdi_elements w = {0};
  const size_t nv = (size_t)model->nv;
  const size_t wrenches = 3 * (size_t)model->nframe + 2 * (size_t)model->nelement;
  struct mbdi_elements * self = mbdi_arena_take(base, &offset, 1, sizeof w);
  w.list = mbdi_arena_take(base, &offset, wrenches, sizeof *w.list);
  w.tau = mbdi_arena_take(base, &offset, nv, sizeof *w.tau);
  w.dof = mbdi_arena_take(base, &offset, nv, sizeof *w.dof);
  w.S = mbdi_arena_take(base, &offset, nv, sizeof *w.S);
  if (base) *self = w;
  data->work->elements = self;
  return offset;
}

//---------- wrenches ----------

// Wrenches of the caller. If there are more than the list holds, they are summed by frame and reference.
static int
merge_wrenches(const mbd_model_t * model, const mbd_wrenches_t * f_ext, mbd_wrench_t * list)
{
  const int most = 3 * model->nframe;
  int n = 0;
  for (int k = 0; f_ext && k < f_ext->n; k++) {
    const mbd_wrench_t * w = &f_ext->w[k];
    int to = n;
    if (f_ext->n > most) {
      for (to = 0; to < n; to++) {
        if (list[to].frame == w->frame && list[to].reference == w->reference) break;
      }
    }
    if (to == n)
      list[n++] = *w;
    else
      list[to].f = mbdu_force_add(list[to].f, w->f);
  }
  return n;
}

// the state of a call, and its wrenches with those of the elements
static mbd_status_t
load_wrenches(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const mbd_wrenches_t * f_ext, mbd_wrenches_t * all)
{
  CHECK(check_mimic(model, data));
  CHECK(mbdi_check_wrenches(model, f_ext));
  if (v && !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (q && v)
    CHECK(mbd_set_state(model, data, q, v));
  else if (q)
    CHECK(mbd_set_position(model, data, q));
  else if (v)
    CHECK(mbd_set_velocity(model, data, v));
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  mbd_wrench_t * list = data->work->elements->list;
  const int n = merge_wrenches(model, f_ext, list);
  *all = (mbd_wrenches_t){n + mbdi_element_wrenches(model, data, true, list + n), list};
  return MBD_OK;
}

//---------- inverse, forward and hybrid dynamics ----------

static mbd_status_t
element_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) return base->inverse_dynamics(model, data, q, v, qdd, f_ext, tau);
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbd_wrenches_t all;
  mbd_status_t status;
  CHECK(load_wrenches(model, data, q, v, f_ext, &all));
  WITHOUT_ELEMENTS(data, status, base->inverse_dynamics(model, data, q, v, qdd, &all, tau));
  return status;
}

static mbd_status_t
element_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) return base->forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbd_wrenches_t all;
  mbd_status_t status;
  CHECK(load_wrenches(model, data, q, v, f_ext, &all));
  WITHOUT_ELEMENTS(data, status, base->forward_dynamics(model, data, q, v, tau, &all, qdd));
  return status;
}

static mbd_status_t
element_hybrid_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const bool * active, const mbd_wrenches_t * f_ext, double * qdd, double * tau)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) return base->hybrid_dynamics(model, data, q, v, active, f_ext, qdd, tau);
  mbd_wrenches_t all;
  mbd_status_t status;
  CHECK(load_wrenches(model, data, q, v, f_ext, &all));
  WITHOUT_ELEMENTS(data, status, base->hybrid_dynamics(model, data, q, v, active, &all, qdd, tau));
  return status;
}

//---------- bias and gravity ----------

// y += sign * generalised force of the elements, if that is finite
static mbd_status_t
add_torque(const mbd_model_t * model, mbd_data_t * data, bool moving, double sign, double * y)
{
  double * tau = data->work->elements->tau;
  CHECK(mbdi_element_torque(model, data, moving, tau));
  for (int k = 0; k < model->nv; k++) tau[k] = y[k] + sign * tau[k];
  return copy_checked(y, tau, model->nv);
}

static mbd_status_t
element_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  if (!counted(data)) return base_of(model)->bias(model, data, h);
  mbd_status_t status;
  WITHOUT_ELEMENTS(data, status, base_of(model)->bias(model, data, h));
  if (status != MBD_OK) return status;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  return add_torque(model, data, true, -1, h);
}

static mbd_status_t
element_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  if (!counted(data)) return base_of(model)->gravity(model, data, g);
  mbd_status_t status;
  WITHOUT_ELEMENTS(data, status, base_of(model)->gravity(model, data, g));
  if (status != MBD_OK) return status;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  return add_torque(model, data, false, -1, g);
}

//---------- energy and momentum ----------

static mbd_status_t
element_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  double sum;
  if (!counted(data) || !energy) return base_of(model)->potential_energy(model, data, energy);
  CHECK(base_of(model)->potential_energy(model, data, &sum));
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  for (int k = 0; k < model->nelement; k++) {
    mbdi_element_at_t at;
    mbdi_element_at(model, data, k, false, &at);
    sum += mbdi_element_energy(&at);
  }
  return copy_checked(energy, &sum, 1);
}

// power stored in an element, dissipated by its damper, and supplied by its actuator
static void
add_powers(const mbd_model_t * model, const mbd_data_t * data, int k, mbd_energy_rates_t * sum)
{
  mbdi_element_at_t at, rest;
  mbdi_element_at(model, data, k, true, &at);
  const double all = -mbdu_power(at.f, at.V);
  double potential = at.law.spring * at.rate, damping = at.law.damper * at.rate;
  if (at.spec->type == MBD_ELEMENT_BUSHING) {
    mbdi_element_at(model, data, k, false, &rest);
    potential = -mbdu_power(rest.f, at.V);
    damping = all - potential;
  }
  sum->potential += potential;
  sum->friction += damping;
  sum->external -= all - potential - damping;
  sum->kinetic -= all;
}

static mbd_status_t
element_energy_rates(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  mbd_energy_rates_t * rates)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data) || !rates) return base->energy_rates(model, data, tau, f_ext, rates);
  mbd_energy_rates_t sum;
  mbd_status_t status;
  WITHOUT_ELEMENTS(data, status, base->energy_rates(model, data, tau, f_ext, &sum));
  if (status != MBD_OK) return status;
  for (int k = 0; k < model->nelement; k++) add_powers(model, data, k, &sum);
  *rates = sum;
  return MBD_OK;
}

static mbd_status_t
element_momentum_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * pdot)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) return base->momentum_rate(model, data, tau, f_ext, pdot);
  mbd_status_t status;
  WITHOUT_ELEMENTS(data, status, base->momentum_rate(model, data, tau, f_ext, pdot));
  if (status != MBD_OK) return status;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  return add_torque(model, data, true, 1, pdot);
}

static mbd_status_t
element_momentum_and_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) return base->momentum_and_rate(model, data, tau, p, pdot);
  mbd_status_t status;
  WITHOUT_ELEMENTS(data, status, base->momentum_and_rate(model, data, tau, p, pdot));
  if (status != MBD_OK) return status;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  return add_torque(model, data, true, 1, pdot);
}

//---------- derivatives ----------

static mbd_status_t
element_inverse_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * work, double * dtau_dq,
  double * dtau_dv, double * M)
{
  const mbdi_engine_t * base = base_of(model);
  mbd_status_t status;
  if (!counted(data)) {
    return base->inverse_dynamics_derivatives(
      model, data, q, v, qdd, f_ext, work, dtau_dq, dtau_dv, M);
  }
  if (!base->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  WITHOUT_ELEMENTS(
    data, status,
    base->inverse_dynamics_derivatives(model, data, q, v, qdd, f_ext, work, dtau_dq, dtau_dv, M));
  if (status != MBD_OK) return status;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  // joint reaction forces exclude those of the elements
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  mbdi_add_element_derivatives(model, data, -1, dtau_dq, dtau_dv);
  const int n = model->nv * model->nv;
  const bool finite =
    (!dtau_dq || finite_array(dtau_dq, n)) && (!dtau_dv || finite_array(dtau_dv, n));
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// dqdd/dx = - M^-1 dtau/dx at the acceleration with elements
static mbd_status_t
element_forward_derivatives(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * work, double * qdd, double * dqdd_dq,
  double * dqdd_dv, double * M_inv)
{
  const mbdi_engine_t * base = base_of(model);
  if (!counted(data)) {
    return base->forward_dynamics_derivatives(
      model, data, q, v, tau, f_ext, work, qdd, dqdd_dq, dqdd_dv, M_inv);
  }
  if (!base->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (!work || !qdd || !dqdd_dq || !dqdd_dv || !M_inv) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd));
  const size_t nv = (size_t)model->nv;
  double *dq = work + base->derivatives_work(model), *dv = dq + nv * nv;
  CHECK(mbd_inverse_dynamics_derivatives(model, data, NULL, NULL, qdd, f_ext, work, dq, dv, NULL));
  CHECK(mbd_mass_matrix_inverse(model, data, M_inv));
  mbdi_minus_product(nv, M_inv, dq, dqdd_dq);
  mbdi_minus_product(nv, M_inv, dv, dqdd_dv);
  const bool finite =
    finite_array(dqdd_dq, (int)(nv * nv)) && finite_array(dqdd_dv, (int)(nv * nv));
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static size_t
element_derivatives_work(const mbd_model_t * model)
{
  const size_t nv = (size_t)model->nv;
  return base_of(model)->derivatives_work(model) + 2 * nv * nv;
}

// not implemented: third derivatives of lengths
static mbd_status_t
element_inverse_second(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const double * lambda, double * work, double * d2_dq2, double * d2_dqdv,
  double * d2_dv2, double * d2_dqdqdd)
{
  if (counted(data)) return MBD_ERROR_UNSUPPORTED;
  return base_of(model)->inverse_second_derivatives(
    model, data, q, v, qdd, lambda, work, d2_dq2, d2_dqdv, d2_dv2, d2_dqdqdd);
}

static mbd_status_t
element_forward_second(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const double * mu, double * work, double * qdd, double * d2_dq2,
  double * d2_dqdv, double * d2_dv2, double * d2_dqdtau)
{
  if (counted(data)) return MBD_ERROR_UNSUPPORTED;
  return base_of(model)->forward_second_derivatives(
    model, data, q, v, tau, mu, work, qdd, d2_dq2, d2_dqdv, d2_dv2, d2_dqdtau);
}

//---------- the table ----------

void
mbdi_engine_add_elements(mbd_model_t * model)
{
  struct mbdi_model * internal = model->internal;
  if (model->nelement == 0) return;
  internal->base = internal->engine;
  internal->with_elements = *internal->engine;
  mbdi_engine_t * engine = &internal->with_elements;
  engine->lay_out_workspace = element_lay_out;
  engine->inverse_dynamics = element_inverse_dynamics;
  engine->mass_and_torques = NULL;
  engine->forward_dynamics = element_forward_dynamics;
  engine->bias = element_bias;
  engine->gravity = element_gravity;
  engine->potential_energy = element_potential_energy;
  engine->energy_rates = element_energy_rates;
  engine->momentum_rate = element_momentum_rate;
  if (engine->momentum_and_rate) engine->momentum_and_rate = element_momentum_and_rate;
  if (engine->hybrid_dynamics) engine->hybrid_dynamics = element_hybrid_dynamics;
  engine->inverse_dynamics_derivatives = element_inverse_derivatives;
  engine->forward_dynamics_derivatives = element_forward_derivatives;
  engine->derivatives_work = element_derivatives_work;
  if (engine->inverse_second_derivatives)
    engine->inverse_second_derivatives = element_inverse_second;
  if (engine->forward_second_derivatives)
    engine->forward_second_derivatives = element_forward_second;
  internal->engine = engine;
}
