// A plant on charts of the core (simulate.h): loops closed to rounding, bearings, drivers. Steps are fixed;
// one that fails is tried again in halves, as often as max_steps allows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limit_stops.h"
#include "plant_internal.h"

typedef struct plant_chart {
  mbd_simulation_t * sim;
  double t;      // of the drivers: since the reset, without brakes
  bool start;    // the state is the plant's: after a reset or brakes
  bool refresh;  // torques, wrenches or options have changed
  limit_stops_t stops;
} plant_chart_t;

// the plant's torques, which are constant in a step, and the stops
static mbd_status_t
take_effort(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t;
  const plant_t * plant = ctx;
  memcpy(tau, plant->effort, (size_t)plant->model->nv * sizeof *tau);
  if (plant->options.limits) limit_stops_push(&plant->chart->stops, q, v, tau);
  return MBD_OK;
}

// from the plant's state, which is projected onto the closures
static mbd_status_t
start(plant_t * plant)
{
  plant_chart_t * c = plant->chart;
  const mbd_status_t status = mbd_simulation_start(c->sim, c->t, plant->q, plant->v, NULL);
  if (status != MBD_OK) return status;
  const mbd_simulation_info_t * info = mbd_simulation_info(c->sim);
  memcpy(plant->q, info->q, (size_t)plant->model->nq * sizeof *info->q);
  memcpy(plant->v, info->v, (size_t)plant->model->nv * sizeof *info->v);
  c->start = c->refresh = false;
  return MBD_OK;
}

bool
plant_set_chart(plant_t * plant, const mbd_model_t * model, mbd_method_t method)
{
  const bool same = model->nq == plant->model->nq && model->nv == plant->model->nv;
  if (plant->chart || plant->flexible || !same) return false;
  plant_chart_t * c = plant->chart = calloc(1, sizeof *c);
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.fixed = true;
  options.ode.step = 1e9;  // steps end where they are asked to
  options.ode.rtol = options.ode.atol = 1e-8;
  if (!c || mbd_simulation_create(model, &options, &c->sim) != MBD_OK) return false;
  c->start = true;
  plant_chart_options(plant);
  if (
    limit_stops_open(&c->stops, model, plant_chart_data(plant), plant->q, LIMIT_STOPS_FREQUENCY) !=
    MBD_OK)
    return false;
  // what cannot be assembled or accelerated shows here, not in the loop
  return mbd_simulation_set_input(c->sim, take_effort, plant) == MBD_OK &&
         mbd_simulation_set_wrenches(c->sim, &plant->work->wrenches) == MBD_OK &&
         start(plant) == MBD_OK;
}

void
plant_chart_fini(plant_t * plant)
{
  if (!plant->chart) return;
  mbd_simulation_destroy(plant->chart->sim);
  limit_stops_close(&plant->chart->stops);
  free(plant->chart);
  plant->chart = NULL;
}

mbd_data_t *
plant_chart_data(const plant_t * plant)
{
  return mbd_simulation_data(plant->chart->sim);
}

void
plant_chart_options(plant_t * plant)
{
  const plant_options_t * options = &plant->options;
  mbd_data_t * data = plant_chart_data(plant);
  const uint32_t terms = MBD_TERM_ELEMENTS | (options->rotors ? MBD_TERM_ROTORS : 0) |
                         (options->friction ? MBD_TERM_FRICTION : 0);
  mbd_status_t status = mbd_set_terms(data, terms);
  if (status == MBD_OK) status = mbd_set_gravity(data, options->gravity);
  (void)status;  // a gravity that is not finite leaves the old one
  plant->chart->refresh = true;
}

void
plant_chart_changed(plant_t * plant, bool start_again)
{
  if (start_again)
    plant->chart->start = true;
  else
    plant->chart->refresh = true;
}

mbd_status_t
plant_chart_reset(plant_t * plant)
{
  plant->chart->t = 0;
  return start(plant);
}

static bool
is_numerical(mbd_status_t status)
{
  return status >= 300 && status < 400;
}

// largest errors are of all steps: a start forgets them
static void
keep_errors(plant_t * plant)
{
  const mbd_simulation_info_t * info = mbd_simulation_info(plant->chart->sim);
  plant->integration.error = fmax(plant->integration.error, info->error_position);
  plant->integration.condition = fmax(plant->integration.condition, info->condition);
}

static mbd_status_t
prepare(plant_t * plant)
{
  plant_chart_t * c = plant->chart;
  if (c->start) return start(plant);
  const bool refresh = c->refresh || plant->work->wrenches.n > 0;
  c->refresh = plant->work->wrenches.n > 0;  // those that end now
  return refresh ? mbd_simulation_refresh(c->sim) : MBD_OK;
}

// joints at their stops, and how many have arrived there
static void
count_stops(plant_t * plant)
{
  const limit_stops_t * stops = &plant->chart->stops;
  for (int i = 0; i < stops->n; i++) {
    const struct limit_stop * stop = &stops->stop[i];
    const double x = plant->q[stop->q_index];
    const bool beyond = plant->options.limits && (x < stop->lower || x > stop->upper);
    if (beyond && !plant->at_limit[stop->v_index]) plant->stops++;
    plant->at_limit[stop->v_index] = beyond;
  }
}

mbd_status_t
plant_chart_step(plant_t * plant, double dt)
{
  plant_chart_t * c = plant->chart;
  c->stops.frequency = fmin(LIMIT_STOPS_FREQUENCY, LIMIT_STOPS_STEP * plant->options.substeps / dt);
  const mbd_simulation_info_t * info = mbd_simulation_info(c->sim);
  mbd_status_t status = prepare(plant);
  if (status != MBD_OK) return status;
  const double begin = c->t, end = begin + dt;
  const double least = 1e-9 * dt;
  mbd_status_t failure = MBD_OK;
  double h = dt / plant->options.substeps;
  int left = plant->options.max_steps;
  while (c->t < end && left > 0 && h > least && (status == MBD_OK || is_numerical(status))) {
    // no sliver is left by rounding
    const double to = end - c->t <= h * (1 + 1e-9) ? end : c->t + h;
    left--;
    status = mbd_simulation_step(c->sim, to);
    if (status == MBD_OK) {
      c->t = info->t;
      plant->integration.steps++;
    } else {
      h = (to - c->t) / 2;
      if (failure == MBD_OK) failure = status;
      plant->integration.halved++;
    }
  }
  // a failed step that left no state
  c->start = status == MBD_ERROR_STAGE;
  keep_errors(plant);
  // a failed step has left the state before it
  memcpy(plant->q, info->q, (size_t)plant->model->nq * sizeof *info->q);
  memcpy(plant->v, info->v, (size_t)plant->model->nv * sizeof *info->v);
  count_stops(plant);
  if (c->t == end) return MBD_OK;
  if (!is_numerical(failure)) return failure;
  plant->integration.lost += end - c->t;
  plant->integration.exceeded++;
  return c->t > begin ? MBD_OK : failure;
}
