// Integration of a mechanism on a grid of output times.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "limit_stops.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "simulate_parts.h"

typedef struct runner {
  const subject_t * s;
  const simulate_options_t * options;
  mbd_simulation_t * sim;
  double *q, *v, *qdd, *tau, *lambda, *constant;
  mbd_force_t * joint;  // forces through the joints                            [nbody]
  limit_stops_t stops;
  double began;  // wall clock [s]
} runner_t;

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

//---------- grid ----------

double
simulate_rate(const subject_t * s, const simulate_options_t * o)
{
  return o->rate > 0 ? o->rate : fmax(100, 200 / s->time);
}

// times on the grid, without an end that is not on it
static long
on_grid(const subject_t * s, const simulate_options_t * o)
{
  return (long)floor(s->time * simulate_rate(s, o) * (1 + 1e-12)) + 1;
}

long
simulate_samples(const subject_t * s, const simulate_options_t * o)
{
  const long n = on_grid(s, o);
  return n + ((double)(n - 1) / simulate_rate(s, o) < s->time * (1 - 1e-9));
}

double
simulate_sample_time(const subject_t * s, const simulate_options_t * o, long i)
{
  return fmin(i < on_grid(s, o) ? (double)i / simulate_rate(s, o) : s->time, s->time);
}

//---------- torques ----------

static mbd_status_t
torque_input(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)t;
  const runner_t * r = ctx;
  mbd_status_t status = MBD_OK;
  if (r->options->torque == TORQUE_GRAVITY)
    status = mbd_gravity(r->s->model, data, tau);
  else
    memcpy(tau, r->constant, sizeof *tau * (size_t)r->s->model->nv);
  if (r->options->limits == LIMITS_SPRING) limit_stops_push(&r->stops, q, v, tau);
  return status;
}

static bool
has_torques(const simulate_options_t * o)
{
  return o->torque != TORQUE_ZERO || o->limits == LIMITS_SPRING;
}

static bool
set_constants(runner_t * r)
{
  for (int k = 0; k < r->options->nconstant; k++) {
    const setting_t * x = &r->options->constant[k];
    int dof = 0;
    while (dof < r->s->model->nv && strcmp(r->s->dof[dof], x->name) != 0) dof++;
    if (dof == r->s->model->nv) {
      fprintf(stderr, "mbdyn simulate: --torque %s: no such joint\n", x->name);
      return false;
    }
    r->constant[dof] = x->x;
  }
  return true;
}

//---------- samples ----------

static mbd_status_t
fill_sample(runner_t * r, double t, sample_t * x)
{
  const mbd_model_t * model = r->s->model;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  mbd_status_t status = mbd_simulation_at(r->sim, t, r->q, r->v, r->qdd, r->lambda);
  for (int i = 0; status == MBD_OK && i < model->nbody; i++) {
    status = mbd_joint_force(model, data, i, &r->joint[i]);
  }
  if (status == MBD_OK) status = mbd_set_state(model, data, r->q, r->v);
  memset(r->tau, 0, sizeof *r->tau * (size_t)model->nv);
  if (status == MBD_OK && has_torques(r->options))
    status = torque_input(r, data, t, r->q, r->v, r->tau);
  if (status == MBD_OK) status = mbd_kinetic_energy(model, data, &x->kinetic);
  if (status == MBD_OK) status = mbd_potential_energy(model, data, &x->potential);
  x->t = t;
  x->q = r->q, x->v = r->v, x->qdd = r->qdd, x->tau = r->tau, x->lambda = r->lambda;
  x->joint = r->joint;
  x->info = mbd_simulation_info(r->sim);
  x->data = data;
  return status;
}

//---------- limits ----------

// event: distance to the nearest limit
static double
to_limit(void * ctx, mbd_data_t * data, double t, const double * q, const double * v)
{
  (void)data, (void)t, (void)v;
  return limit_stops_nearest(&((runner_t *)ctx)->stops, q).gap;
}

// the first pass, at the positions r->q
static void
pass_limit(const runner_t * r, double t, outcome_t * o)
{
  const near_limit_t near = limit_stops_nearest(&r->stops, r->q);
  // located to 1e-10 s
  if (o->limit_dof >= 0 || near.stop < 0 || near.gap > (t > 0 ? 1e-6 : -1e-9)) return;
  const struct limit_stop * stop = &r->stops.stop[near.stop];
  o->limit_dof = stop->v_index;
  o->limit_time = t;
  o->limit_upper = near.upper;
  o->limit = near.upper ? stop->upper : stop->lower;
  o->limit_stiffness = stop->mass * r->stops.frequency * r->stops.frequency;
  o->limit_ends = r->options->limits == LIMITS_STOP;
}

// whether the last step has passed a limit
static mbd_status_t
find_pass(runner_t * r, outcome_t * o)
{
  const mbd_event_record_t * record = mbd_simulation_info(r->sim)->record;
  if (r->stops.n == 0 || record[0].count == 0 || o->limit_dof >= 0) return MBD_OK;
  const mbd_status_t status = mbd_simulation_at(r->sim, record[0].t, r->q, NULL, NULL, NULL);
  if (status == MBD_OK) pass_limit(r, record[0].t, o);
  return status;
}

// how far, at an output time
static void
keep_beyond(const runner_t * r, outcome_t * o)
{
  const near_limit_t near = limit_stops_nearest(&r->stops, r->q);
  if (near.stop < 0 || -near.gap <= o->limit_beyond) return;
  o->limit_beyond = -near.gap;
  o->limit_beyond_dof = r->stops.stop[near.stop].v_index;
}

// waits until the wall clock has come to t
static void
pace(const runner_t * r, double t, const atomic_bool * stop)
{
  for (double left; !atomic_load(stop) && (left = r->began + t - now()) > 0;) {
    const double nap = fmin(left, 0.1);
    const struct timespec wait = {0, (long)(1e9 * nap)};
    nanosleep(&wait, NULL);
  }
}

static void
show_progress(const runner_t * r, const char * label, double * next)
{
  if (!isatty(STDERR_FILENO) || now() < *next) return;
  const mbd_simulation_info_t * info = mbd_simulation_info(r->sim);
  const int part = (int)(30 * info->t / r->s->time);
  *next = now() + 0.1;
  fprintf(
    stderr, "\r%s [%.*s%*s] %3.0f %%  t = %.4g s, %ld steps ", label, part,
    "##############################", 30 - part, "", 100 * info->t / r->s->time, info->t,
    info->steps);
}

static bool
integrate(
  runner_t * r, bool (*take)(void * to, const sample_t * sample), void * to, const char * label,
  const atomic_bool * stop, outcome_t * o)
{
  const subject_t * s = r->s;
  const mbd_simulation_info_t * info = mbd_simulation_info(r->sim);
  const long n = simulate_samples(s, r->options);
  memcpy(r->q, info->q, sizeof *r->q * (size_t)s->model->nq);
  pass_limit(r, info->t, o);
  double next = now() + 0.3;
  for (long i = 0; o->status == MBD_OK;) {
    // the output times up to the end of the step
    for (double t; i < n && (t = simulate_sample_time(s, r->options, i)) <= info->t; i++) {
      sample_t x = {.index = i};
      o->status = fill_sample(r, t, &x);
      if (o->status != MBD_OK) return true;
      keep_beyond(r, o);
      if (r->options->realtime && take) pace(r, t, stop);
      if (take && !take(to, &x)) return false;
      o->samples = i + 1;
    }
    o->interrupted = atomic_load(stop);
    if (i == n || o->interrupted) break;
    show_progress(r, label, &next);
    if (o->limit_ends) break;
    // the step that ends at a limit has no states within it any more: none is at an output time
    const bool ends = r->options->limits == LIMITS_STOP;
    o->status =
      mbd_simulation_step(r->sim, ends ? simulate_sample_time(s, r->options, i) : s->time);
    if (o->status == MBD_OK) o->status = find_pass(r, o);
    o->implicit_steps += o->status == MBD_OK && info->method == MBD_METHOD_SDIRK54;
  }
  return true;
}

static mbd_status_t
create(runner_t * r, mbd_method_t method)
{
  const subject_t * s = r->s;
  const mbd_model_t * model = s->model;
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  options.ode.rtol = s->rtol;
  options.ode.atol = s->atol;
  if (s->step > 0) options.ode.step = s->step;
  if (s->max_step > 0) options.ode.step_max = s->max_step;
  if (r->options->limits == LIMITS_SPRING)
    options.ode.step_max = fmin(options.ode.step_max, LIMIT_STOPS_STEP / LIMIT_STOPS_FREQUENCY);
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, nrow = (size_t)model->nrow;
  r->q = calloc(nq + 4 * nv + nrow + 1, sizeof *r->q);
  r->joint = calloc((size_t)model->nbody, sizeof *r->joint);
  if (!r->q || !r->joint) return MBD_ERROR_OUT_OF_MEMORY;
  r->v = r->q + nq;
  r->qdd = r->v + nv;
  r->tau = r->qdd + nv;
  r->constant = r->tau + nv;
  r->lambda = r->constant + nv;
  mbd_status_t status = mbd_simulation_create(model, &options, &r->sim);
  if (status != MBD_OK) return status;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  status = mbd_set_terms(data, r->options->terms);
  if (status == MBD_OK && r->options->gravity_given)
    status = mbd_set_gravity(data, r->options->robot.urdf.gravity);
  if (status == MBD_OK)
    status = limit_stops_open(
      &r->stops, model, data, s->q,
      r->options->limits == LIMITS_SPRING ? LIMIT_STOPS_FREQUENCY : 0);
  const mbd_event_t event = {
    .value = to_limit, .ctx = r, .direction = -1, .terminal = r->options->limits == LIMITS_STOP};
  if (status == MBD_OK && r->stops.n > 0) status = mbd_simulation_add_event(r->sim, &event, NULL);
  if (status == MBD_OK && has_torques(r->options))
    status = mbd_simulation_set_input(r->sim, torque_input, r);
  return status;
}

// what the message names: the closure that is nearly singular where the integration ends, and the joint
// with the largest acceleration
static void
find_cause(runner_t * r, outcome_t * o)
{
  const mbd_model_t * model = r->s->model;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  o->error_joint = mbd_error_joint_name(data);
  const bool stuck = o->status == MBD_ERROR_STEP || o->status == MBD_ERROR_NOT_ASSEMBLED;
  if ((!stuck && o->status != MBD_ERROR_NOT_FINITE) || !o->started) return;
  const double t = mbd_simulation_info(r->sim)->t;
  if (mbd_simulation_at(r->sim, t, r->q, r->v, r->qdd, NULL) != MBD_OK) return;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = body->v_index; k < body->v_index + body->nv; k++) {
      if (!(fabs(r->qdd[k]) > o->acceleration)) continue;
      o->acceleration = fabs(r->qdd[k]);
      o->error_joint = body->joint_name;
    }
  }
  if (!stuck) return;
  double * work = malloc(sizeof *work * mbd_assembly_work(model));
  bool * independent = calloc((size_t)model->nrow + 1, sizeof *independent);
  mbd_assembly_options_t options = mbd_assembly_options_default();
  int rank, nearly = 0;
  if (
    work && independent && model->nrow > 0 && mbd_set_position(model, data, r->q) == MBD_OK &&
    mbd_closure_rank(model, data, &options, work, NULL, &rank) == MBD_OK) {
    options.rank_tolerance = 1e-3;
    if (mbd_closure_rank(model, data, &options, work, independent, &nearly) != MBD_OK)
      nearly = rank;
    // a row that only just counts
    for (int k = 0; nearly < rank && k < model->nclosure && o->error_closure < 0; k++) {
      const mbd_closure_t * c = &model->closure[k];
      for (int i = c->row; i < c->row + c->nrow; i++) {
        if (!independent[i]) o->error_closure = k;
      }
    }
  }
  // rows are compared with each other: a single closure is singular alone
  if (o->error_closure < 0 && o->status == MBD_ERROR_NOT_ASSEMBLED && model->nclosure == 1)
    o->error_closure = 0;
  free(work);
  free(independent);
}

bool
simulate_run(
  const subject_t * s, const simulate_options_t * options, mbd_method_t method,
  bool (*take)(void * to, const sample_t * sample), void * to, const char * label,
  const atomic_bool * stop, outcome_t * o)
{
  runner_t r = {.s = s, .options = options, .began = now()};
  *o = (outcome_t){.error_closure = -1, .limit_dof = -1, .limit_beyond_dof = -1};
  bool ok = true;
  o->status = create(&r, method);
  if (o->status == MBD_OK) ok = set_constants(&r);
  mbd_assembly_t assembly = {.error_closure = -1};
  if (o->status == MBD_OK && ok) {
    o->status = mbd_simulation_start(r.sim, 0, s->q, s->v, &assembly);
    o->error_closure = assembly.error_closure;
    o->mobility = assembly.mobility;
    o->started = o->status == MBD_OK;
  }
  if (o->started) ok = integrate(&r, take, to, label, stop, o);
  if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
  if (o->status != MBD_OK && r.sim) find_cause(&r, o);
  if (o->started) o->info = *mbd_simulation_info(r.sim);
  o->t = o->info.t;
  o->wall_time = now() - r.began;
  mbd_simulation_destroy(r.sim);
  free(r.q);
  free(r.joint);
  limit_stops_close(&r.stops);
  return ok;
}
