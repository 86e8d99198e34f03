// A model in time: charts, dynamics, steps, events, energy.
#include "mbdyn/simulate/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/forward.h"
#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/jacobian.h"
#include "simulate/chart_internal.h"
#include "simulate/simulation_internal.h"
#include "state/state.h"
#include "tree/element.h"
#include "util/arena.h"
#include "util/dense.h"

mbd_simulation_options_t
mbd_simulation_options_default(void)
{
  return (mbd_simulation_options_t){
    .ode = mbd_ode_options_default(), .limits = mbd_chart_limits_default(), .tolerance = 1e-14};
}

//---------- memory ----------

static mbd_status_t
rates(void * ctx, double t, const double * x, const double * xd, double * out)
{
  mbd_simulation_t * sim = ctx;
  return mbdi_simulation_evaluate(sim, t, x, xd, &sim->now, out, out + sim->info.n);
}

// velocities satisfy nonholonomic rows too
static mbd_status_t
project(void * ctx, double t, double * x, double * xd)
{
  mbd_simulation_t * sim = ctx;
  CHECK(mbd_chart_state(sim->chart, sim->data, t, x, xd, sim->now.q, sim->now.v));
  return mbd_chart_velocity(sim->chart, sim->now.v, xd);
}

static mbd_ode_problem_t
problem_of(mbd_simulation_t * sim, int n)
{
  const bool nonholonomic = sim->chart && mbdi_chart_has_velocity_rows(sim->chart);
  return (mbd_ode_problem_t){
    .n = n,
    .nquad = 1,
    .f = rates,
    .jacobian = nonholonomic ? NULL : mbdi_simulation_jacobian,
    .project = nonholonomic ? project : NULL,
    .ctx = sim};
}

static void
lay_out_evaluation(const mbd_model_t * model, char * base, size_t * offset, mbdi_evaluation_t * e)
{
  const size_t nv = (size_t)model->nv, word = sizeof(double);
  e->q = mbdi_arena_take(base, offset, (size_t)model->nq, word);
  e->v = mbdi_arena_take(base, offset, nv, word);
  e->qdd = mbdi_arena_take(base, offset, nv, word);
  e->tau = mbdi_arena_take(base, offset, nv, word);
  e->lambda = mbdi_arena_take(base, offset, (size_t)model->nrow, word);
}

static void
lay_out_column(const mbd_model_t * model, char * base, size_t * offset, mbdi_bearing_column_t * c)
{
  const size_t n = (size_t)model->nbearing, nv = (size_t)model->nv, word = sizeof(double);
  c->at = mbdi_arena_take(base, offset, n, sizeof *c->at);
  c->moved = mbdi_arena_take(base, offset, n, sizeof *c->moved);
  c->response = mbdi_arena_take(base, offset, n * nv, word);
  c->f = mbdi_arena_take(base, offset, 6 * n, word);
  c->df = mbdi_arena_take(base, offset, 6 * n, word);
  c->inverse = mbdi_arena_take(base, offset, n * n, word);
  c->A = mbdi_arena_take(base, offset, n * n, word);
  c->change = mbdi_arena_take(base, offset, n, word);
  c->list = mbdi_arena_take(base, offset, MBD_SIMULATION_WRENCHES_MAX + 2 * n, sizeof *c->list);
}

typedef struct parts {
  void *chart, *data;
} parts_t;

static size_t
lay_out_simulation(const mbd_model_t * model, char * base, mbd_simulation_t * sim, parts_t * parts)
{
  size_t offset = 0;
  const size_t nv = (size_t)model->nv, m = (size_t)model->nrow, word = sizeof(double);
  const mbd_ode_problem_t problem = {.n = model->nv, .nquad = 1, .f = rates};
  const size_t assembly = mbd_assembly_work(model), constrained = mbd_constrained_work(model);
  mbdi_arena_take(base, &offset, 1, sizeof *sim);
  lay_out_evaluation(model, base, &offset, &sim->now);
  lay_out_evaluation(model, base, &offset, &sim->other);
  double ** vectors[] = {&sim->x,    &sim->xd,     &sim->xdd, &sim->friction,
                         &sim->base, &sim->torque, &sim->sum, &sim->step};
  double ** squares[] = {&sim->N, &sim->M, &sim->dq, &sim->dv, &sim->reduced, &sim->root};
  for (int k = 0; k < 8; k++) *vectors[k] = mbdi_arena_take(base, &offset, nv, word);
  mbdi_lay_out_projected(model, base, &offset, &sim->projected);
  for (int k = 0; k < 6; k++) *squares[k] = mbdi_arena_take(base, &offset, nv * nv, word);
  sim->rate = mbdi_arena_take(base, &offset, m, word);
  sim->gamma = mbdi_arena_take(base, &offset, m, word);
  if (model->nbearing > 0) {
    sim->load = mbdi_arena_take(base, &offset, (size_t)model->nbearing, word);
    sim->load_now = mbdi_arena_take(base, &offset, (size_t)model->nbearing, word);
    sim->bearing =
      mbdi_arena_take(base, &offset, mbd_bearing_work(model, MBD_SIMULATION_WRENCHES_MAX), word);
    lay_out_column(model, base, &offset, &sim->column);
  }
  sim->work = mbdi_arena_take(base, &offset, assembly > constrained ? assembly : constrained, word);
  sim->derivatives = mbdi_arena_take(base, &offset, mbd_derivatives_work(model), word);
  sim->ode_size = mbd_ode_size(&problem);
  sim->ode_memory = mbdi_arena_take(base, &offset, sim->ode_size, 1);
  parts->chart = mbdi_arena_take(base, &offset, mbd_chart_size(model), 1);
  parts->data = mbdi_arena_take(base, &offset, mbd_data_size(model), 1);
  return offset;
}

static mbd_status_t
create(const mbd_model_t * model, mbd_simulation_t * sim, const parts_t * parts)
{
  sim->model = model;
  CHECK(mbd_chart_init(
    model, sim->options.tolerance, parts->chart, mbd_chart_size(model), &sim->chart));
  CHECK(mbd_data_init(model, parts->data, mbd_data_size(model), &sim->data));
  // options are checked here, not at the start
  const mbd_ode_problem_t problem = problem_of(sim, model->nv);
  CHECK(mbd_ode_init(&problem, &sim->options.ode, sim->ode_memory, sim->ode_size, &sim->ode));
  sim->info.q = sim->now.q, sim->info.v = sim->now.v, sim->info.qdd = sim->now.qdd;
  sim->info.tau = sim->now.tau, sim->info.lambda = sim->now.lambda;
  sim->info.load = sim->load_now;
  sim->info.record = sim->record;
  sim->info.event = -1;
  return MBD_OK;
}

mbd_status_t
mbd_simulation_create(
  const mbd_model_t * model, const mbd_simulation_options_t * options, mbd_simulation_t ** out)
{
  if (!model || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (model->nv == 0) return MBD_ERROR_BAD_ARGUMENT;
  mbd_simulation_t unused;
  parts_t parts;
  const size_t size = lay_out_simulation(model, NULL, &unused, &parts);
  mbd_simulation_t * sim = calloc(1, size);
  if (!sim) return MBD_ERROR_OUT_OF_MEMORY;
  lay_out_simulation(model, (char *)sim, sim, &parts);
  sim->options = options ? *options : mbd_simulation_options_default();
  const mbd_status_t status = create(model, sim, &parts);
  if (status != MBD_OK) {
    free(sim);
    return status;
  }
  *out = sim;
  return MBD_OK;
}

void
mbd_simulation_destroy(mbd_simulation_t * sim)
{
  free(sim);
}

mbd_data_t *
mbd_simulation_data(mbd_simulation_t * sim)
{
  return sim ? sim->data : NULL;
}

const mbd_simulation_info_t *
mbd_simulation_info(const mbd_simulation_t * sim)
{
  return sim ? &sim->info : NULL;
}

mbd_status_t
mbd_simulation_set_input(mbd_simulation_t * sim, mbd_input_fn input, void * ctx)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  sim->input = input;
  sim->input_ctx = ctx;
  return MBD_OK;
}

mbd_status_t
mbd_simulation_set_wrenches(mbd_simulation_t * sim, const mbd_wrenches_t * wrenches)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  if (wrenches && (wrenches->n < 0 || wrenches->n > MBD_SIMULATION_WRENCHES_MAX))
    return MBD_ERROR_BAD_ARGUMENT;
  sim->wrenches = wrenches;
  return MBD_OK;
}

mbd_status_t
mbd_simulation_add_event(mbd_simulation_t * sim, const mbd_event_t * event, int * index)
{
  if (!sim || !event || !event->value) return MBD_ERROR_NULL_ARGUMENT;
  const bool good = event->direction >= -1 && event->direction <= 1;
  if (!good || sim->nevent == MBD_EVENTS_MAX) return MBD_ERROR_BAD_ARGUMENT;
  if (index) *index = sim->nevent;
  sim->event[sim->nevent++] = *event;
  sim->started = false;
  return MBD_OK;
}

//---------- errors and energy ----------

static void
larger_error(double * largest, const double * error, int n)
{
  for (int k = 0; k < n; k++) *largest = fmax(*largest, fabs(error[k]));
}

// rows at three levels at the state of `now`, whose stages are set
static mbd_status_t
measure_rows(mbd_simulation_t * sim)
{
  const mbd_model_t * model = sim->model;
  mbd_simulation_info_t * info = &sim->info;
  if (model->nrow == 0) return MBD_OK;
  CHECK(mbd_closure_error(model, sim->data, info->t, sim->rate));
  larger_error(&info->error_position, sim->rate, model->nrow);
  CHECK(mbd_closure_target(model, info->t, sim->rate));
  CHECK(mbd_closure_bias(model, sim->data, info->t, sim->gamma));
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    double rate[MBD_CLOSURE_ROWS_MAX], second[MBD_CLOSURE_ROWS_MAX];
    mbdi_closure_product(model, sim->data, c, sim->now.v, rate);
    mbdi_closure_product(model, sim->data, c, sim->now.qdd, second);
    for (int r = 0; r < c->nrow; r++) {
      sim->rate[c->row + r] -= rate[r];
      sim->gamma[c->row + r] -= second[r];
    }
  }
  larger_error(&info->error_velocity, sim->rate, model->nrow);
  larger_error(&info->error_acceleration, sim->gamma, model->nrow);
  return MBD_OK;
}

// info of the state that the integrator has
static mbd_status_t
update_info(mbd_simulation_t * sim)
{
  const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
  mbd_simulation_info_t * info = &sim->info;
  double kinetic, potential;
  info->t = ode->t;
  CHECK(mbdi_simulation_multipliers(sim, &sim->now));
  CHECK(measure_rows(sim));
  CHECK(mbd_kinetic_energy(sim->model, sim->data, &kinetic));
  CHECK(mbd_potential_energy(sim->model, sim->data, &potential));
  info->energy = kinetic + potential;
  if (sim->model->nbearing > 0) {
    copy_array(sim->load_now, sim->load, sim->model->nbearing);
    info->condition = fmax(info->condition, sim->now.bearing.condition);
  }
  info->work = sim->work_base + ode->quad[0];
  info->steps = ode->steps, info->rejected = ode->rejected;
  info->evaluations = ode->evaluations, info->jacobians = ode->jacobians;
  info->newton = ode->newton, info->step = ode->step;
  info->method = ode->method, info->stiff = ode->stiff;
  return MBD_OK;
}

//---------- start ----------

static mbd_status_t
centre_chart(mbd_simulation_t * sim, double t, bool restart)
{
  CHECK(mbd_chart_set(sim->chart, sim->data, t, sim->other.q, sim->other.v, sim->x, sim->xd));
  const int n = mbd_chart_info(sim->chart)->n;
  if (restart) {
    const mbd_ode_problem_t problem = problem_of(sim, n);
    sim->info.n = n;
    CHECK(mbd_ode_init(&problem, &sim->options.ode, sim->ode_memory, sim->ode_size, &sim->ode));
  }
  if (n != sim->info.n) return MBD_ERROR_LOCKED;
  if (!restart) sim->work_base += mbd_ode_info(sim->ode)->quad[0];
  sim->info.charts++;
  return mbd_ode_set(sim->ode, t, sim->x, sim->xd, restart);
}

static mbd_status_t
assemble(
  mbd_simulation_t * sim, double t, const double * q, const double * v, mbd_assembly_t * result)
{
  const mbd_model_t * model = sim->model;
  mbd_assembly_t rates_result = {0};
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.t = t;
  if (v) {
    memmove(sim->other.v, v, (size_t)model->nv * sizeof *v);
  } else {
    memset(sim->other.v, 0, (size_t)model->nv * sizeof *v);
  }
  memmove(sim->other.q, q, (size_t)model->nq * sizeof *q);
  CHECK(mbd_normalize(model, sim->other.q));
  memset(result, 0, sizeof *result);
  result->error_closure = -1;
  result->mobility = model->nv;
  if (model->nrow == 0) return MBD_OK;
  CHECK(mbd_assemble(model, sim->data, &options, sim->other.q, sim->work, sim->other.q, result));
  const mbd_status_t status = mbd_project_velocity(
    model, sim->data, &options, sim->other.v, sim->work, sim->other.v, &rates_result);
  if (status != MBD_OK) result->error_closure = rates_result.error_closure;
  return status;
}

static double
event_value(mbd_simulation_t * sim, int k, double t, const mbdi_evaluation_t * e)
{
  return sim->event[k].value(sim->event[k].ctx, sim->data, t, e->q, e->v);
}

mbd_status_t
mbd_simulation_start(
  mbd_simulation_t * sim, double t, const double * q, const double * v, mbd_assembly_t * result)
{
  mbd_assembly_t unasked;
  if (!sim || !q) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = sim->model;
  if (!finite_array(&t, 1) || !finite_array(q, model->nq)) return MBD_ERROR_NOT_FINITE;
  if (v && !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  sim->started = false;
  sim->chart_due = false;
  sim->work_base = 0;
  sim->info.charts = 0;
  sim->info.event = -1;
  sim->info.condition = 0;
  // no loads yet
  for (int k = 0; k < model->nbearing; k++) sim->load[k] = -1;
  sim->info.error_position = sim->info.error_velocity = sim->info.error_acceleration = 0;
  memset(sim->record, 0, sizeof sim->record);
  CHECK(assemble(sim, t, q, v, result ? result : &unasked));
  CHECK(centre_chart(sim, t, true));
  CHECK(update_info(sim));
  sim->info.energy_start = sim->info.energy;
  for (int k = 0; k < sim->nevent; k++) sim->value[k] = event_value(sim, k, t, &sim->now);
  sim->started = true;
  return MBD_OK;
}

mbd_status_t
mbd_simulation_refresh(mbd_simulation_t * sim)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  if (!sim->started) return MBD_ERROR_STAGE;
  const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
  sim->work_base += ode->quad[0];
  copy_array(sim->x, ode->x, sim->info.n), copy_array(sim->xd, ode->xd, sim->info.n);
  mbd_status_t status = mbd_ode_set(sim->ode, sim->info.t, sim->x, sim->xd, false);
  if (status == MBD_OK) status = update_info(sim);
  sim->started = status == MBD_OK;
  return status;
}

//---------- within a step ----------

// state within the last step, into `other`; with `dynamics`, accelerations and multipliers too
static mbd_status_t
state_within(mbd_simulation_t * sim, double t, bool dynamics)
{
  mbdi_evaluation_t * e = &sim->other;
  CHECK(mbd_ode_at(sim->ode, t, sim->x, sim->xd, NULL));
  if (!dynamics) return mbd_chart_state(sim->chart, sim->data, t, sim->x, sim->xd, e->q, e->v);
  CHECK(mbdi_simulation_evaluate(sim, t, sim->x, sim->xd, e, sim->xdd, NULL));
  return mbdi_simulation_forces(sim, e);
}

mbd_status_t
mbd_simulation_at(
  mbd_simulation_t * sim, double t, double * q, double * v, double * qdd, double * lambda)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  if (!sim->started) return MBD_ERROR_STAGE;
  const mbdi_evaluation_t * e = &sim->now;
  const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
  if (t != sim->info.t) {
    CHECK(state_within(sim, t, qdd || lambda));
    e = &sim->other;
  } else if (qdd || lambda) {
    // for the stages of the workspace alone
    CHECK(mbdi_simulation_evaluate(sim, t, ode->x, ode->xd, &sim->other, sim->xdd, NULL));
    CHECK(mbdi_simulation_forces(sim, &sim->other));
  }
  const mbd_model_t * model = sim->model;
  if (q) copy_array(q, e->q, model->nq);
  if (v) copy_array(v, e->v, model->nv);
  if (qdd) copy_array(qdd, e->qdd, model->nv);
  if (lambda) copy_array(lambda, e->lambda, model->nrow);
  return MBD_OK;
}

static bool
crosses(const mbd_event_t * event, double before, double after)
{
  if (before < 0 && after >= 0) return event->direction >= 0;
  return before > 0 && after <= 0 && event->direction <= 0;
}

// time of a sign change in the last step: false position with halved ends (Illinois)
static mbd_status_t
locate(mbd_simulation_t * sim, int k, double after, double * time)
{
  const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
  double a = ode->t_begin, b = ode->t, fa = sim->value[k], fb = after;
  for (int round = 0, side = 0; round < 100 && b - a > 1e-10; round++) {
    double t = b - fb * (b - a) / (fb - fa);
    // bisect where false position does not move
    if (!(t > a && t < b) || round % 8 == 7) t = a + (b - a) / 2;
    CHECK(state_within(sim, t, false));
    const double f = event_value(sim, k, t, &sim->other);
    if (f == 0) {
      *time = t;
      return MBD_OK;
    }
    if ((f > 0) == (fb > 0)) {
      b = t, fb = f;
      if (side == 1) fa /= 2;
      side = 1;
    } else {
      a = t, fa = f;
      if (side == -1) fb /= 2;
      side = -1;
    }
  }
  *time = b;
  return MBD_OK;
}

// work from the beginning of the last step to t within it: Gauss, three points
static mbd_status_t
work_within(mbd_simulation_t * sim, double t, double * work)
{
  static const double node[3] = {-0.7745966692414834, 0, 0.7745966692414834};
  static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double begin = mbd_ode_info(sim->ode)->t_begin, h = t - begin;
  *work = 0;
  for (int k = 0; k < 3; k++) {
    double power;
    const double at = begin + h / 2 * (1 + node[k]);
    CHECK(mbd_ode_at(sim->ode, at, sim->x, sim->xd, NULL));
    CHECK(mbdi_simulation_evaluate(sim, at, sim->x, sim->xd, &sim->other, sim->xdd, &power));
    *work += h * weight[k] * power;
  }
  return MBD_OK;
}

// the state becomes that of an event in the last step
static mbd_status_t
stop_at(mbd_simulation_t * sim, double t)
{
  double work;
  CHECK(work_within(sim, t, &work));
  sim->work_base = sim->work_begin + work;
  CHECK(mbd_ode_at(sim->ode, t, sim->x, sim->xd, NULL));
  CHECK(mbd_ode_set(sim->ode, t, sim->x, sim->xd, false));
  sim->chart_due = mbd_chart_wanted(sim->chart, &sim->options.limits);
  return update_info(sim);
}

// events of the last step; the state is at its end before, and again after unless one is terminal
static mbd_status_t
find_events(mbd_simulation_t * sim)
{
  double after[MBD_EVENTS_MAX], time[MBD_EVENTS_MAX], first = HUGE_VAL;
  bool found = false;
  for (int k = 0; k < sim->nevent; k++) {
    after[k] = event_value(sim, k, sim->info.t, &sim->now);
  }
  for (int k = 0; k < sim->nevent; k++) {
    time[k] = HUGE_VAL;
    if (!crosses(&sim->event[k], sim->value[k], after[k])) continue;
    CHECK(locate(sim, k, after[k], &time[k]));
    found = true;
    if (sim->event[k].terminal && time[k] < first) {
      first = time[k];
      sim->info.event = k;
    }
  }
  for (int k = 0; k < sim->nevent; k++) {
    if (time[k] <= first && time[k] < HUGE_VAL) {
      sim->record[k].count++;
      sim->record[k].t = time[k];
    }
    // what comes after a terminal event has not happened
    if (first == HUGE_VAL || time[k] <= first) sim->value[k] = after[k];
  }
  if (first < HUGE_VAL) return stop_at(sim, first);
  if (!found) return MBD_OK;
  // stages of the workspace as info has them
  return mbd_chart_state(
    sim->chart, sim->data, sim->info.t, mbd_ode_info(sim->ode)->x, mbd_ode_info(sim->ode)->xd,
    sim->other.q, sim->other.v);
}

//---------- steps ----------

static mbd_status_t
step(mbd_simulation_t * sim, double t_end)
{
  if (sim->chart_due) {
    copy_array(sim->other.q, sim->now.q, sim->model->nq);
    copy_array(sim->other.v, sim->now.v, sim->model->nv);
    sim->chart_due = false;
    CHECK(centre_chart(sim, sim->info.t, false));
  }
  sim->work_begin = sim->info.work;
  return mbd_ode_step(sim->ode, t_end);
}

mbd_status_t
mbd_simulation_step(mbd_simulation_t * sim, double t_end)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  if (!sim->started) return MBD_ERROR_STAGE;
  sim->info.event = -1;
  const mbd_status_t status = step(sim, t_end);
  if (status != MBD_OK) {
    // evaluations of the failed step have left their traces
    const mbd_ode_info_t * ode = mbd_ode_info(sim->ode);
    sim->info.stiff = ode->stiff, sim->info.step = ode->step;
    double power;
    const mbd_status_t back =
      mbdi_simulation_evaluate(sim, ode->t, ode->x, ode->xd, &sim->now, sim->xdd, &power);
    sim->started = back == MBD_OK && mbdi_simulation_multipliers(sim, &sim->now) == MBD_OK;
    return status;
  }
  CHECK(update_info(sim));
  sim->chart_due = mbd_chart_wanted(sim->chart, &sim->options.limits);
  return sim->nevent > 0 ? find_events(sim) : MBD_OK;
}

mbd_status_t
mbd_simulation_run(mbd_simulation_t * sim, double t_end)
{
  if (!sim) return MBD_ERROR_NULL_ARGUMENT;
  if (!sim->started) return MBD_ERROR_STAGE;
  sim->info.event = -1;
  while (sim->info.t < t_end && sim->info.event < 0) CHECK(mbd_simulation_step(sim, t_end));
  return MBD_OK;
}
