// Gauss-Newton on the closure equations, without redundant rows.
#include "mbdyn/constraints/assembly.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "state/state.h"
#include "util/lq.h"

// arguments and workspace of a call
typedef struct job {
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_assembly_options_t options;
  bool holds_modes;           // of flexible links, unless options.held says otherwise
  int nfree;                  // degrees of freedom that are not held
  int nposition;              // rows of positions
  mbdi_lq_t lq;               // of G on the free ones, rows in the model's order
  double * square;            // workspace for redundant rows
  double * d;                 // rows                                                         [nrow]
  double * y;                 // scratch                                                      [nrow]
  double * x;                 // step of the free ones                                        [nv]
  double * step;              // step of all                                                  [nv]
  double * sum;               // steps so far                                              [nv]
  double * tangent;           // a direction in the null space of G                        [nv]
  double *q, *trial, *guess;  //                                                  [nq]
  int * column;               // of each degree of freedom in lq, or -1                        [nv]
} job_t;

mbd_assembly_options_t
mbd_assembly_options_default(void)
{
  mbd_assembly_options_t options = {0};
  options.tolerance = 1e-10;
  options.rank_tolerance = 1e-7;
  options.iterations = 100;
  options.restarts = 8;
  return options;
}

size_t
mbd_assembly_work(const mbd_model_t * model)
{
  if (!model || !model->finalized) return 0;
  const size_t m = (size_t)model->nrow, nv = (size_t)model->nv, nq = (size_t)model->nq;
  return mbdi_lq_work(model->nrow, model->nv) + mbdi_lq_work(model->nrow, model->nrow) + 2 * m +
         5 * nv + 3 * nq;
}

static mbd_status_t
check_options(const mbd_assembly_options_t * o)
{
  if (!finite_array(&o->t, 1)) return MBD_ERROR_NOT_FINITE;
  const bool good = o->tolerance > 0 && o->rank_tolerance > 0 && o->rank_tolerance < 1 &&
                    o->iterations > 0 && o->restarts >= 0;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

// flexible modes are held by default: otherwise links would deform to close a loop; see options.held
static bool
is_held(const job_t * job, int k)
{
  if (job->options.held) return job->options.held[k];
  const mbd_flexible_t * flexible = job->model->flexible;
  return job->holds_modes && flexible && k >= flexible->rigid->nv;
}

static mbd_status_t
begin(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  bool holds_modes, double * work, job_t * job)
{
  memset(job, 0, sizeof *job);
  job->model = model;
  job->data = data;
  job->options = options ? *options : mbd_assembly_options_default();
  CHECK(check_options(&job->options));
  job->holds_modes = holds_modes;
  for (int k = 0; k < model->nv; k++) job->nfree += !is_held(job, k);
  for (int k = 0; k < model->nclosure; k++) job->nposition += model->closure[k].nposition;
  work = mbdi_lq_init(&job->lq, model->nrow, job->nfree, work);
  job->square = work;
  job->d = job->square + mbdi_lq_work(model->nrow, model->nrow);
  job->y = job->d + model->nrow;
  job->x = job->y + model->nrow;
  job->step = job->x + model->nv;
  job->sum = job->step + model->nv;
  job->tangent = job->sum + model->nv;
  job->q = job->tangent + model->nv;
  job->trial = job->q + model->nq;
  job->guess = job->trial + model->nq;
  job->column = (int *)(void *)(job->guess + model->nq);
  for (int k = 0, free = 0; k < model->nv; k++) job->column[k] = is_held(job, k) ? -1 : free++;
  return MBD_OK;
}

//---------- rows ----------

// G on the free degrees of freedom; without `velocities` those rows are zero
static void
fill(job_t * job, bool velocities)
{
  for (int k = 0; k < job->model->nclosure; k++) {
    const mbd_closure_t * c = &job->model->closure[k];
    double * A = job->lq.A + (size_t)c->row * (size_t)job->nfree;
    if (velocities || c->nposition > 0) {
      mbdi_closure_fill(job->model, job->data, c, job->column, job->nfree, A);
      mbdi_closure_scale(job->model, job->data, c, job->lq.scale + c->row);
    } else {
      memset(A, 0, (size_t)c->nrow * (size_t)job->nfree * sizeof *A);
      for (int r = 0; r < c->nrow; r++) job->lq.scale[c->row + r] = 1;
    }
  }
}

// closure with the largest error, relative to the scale of its row
static int
worst_closure(const job_t * job, const double * d)
{
  int worst = -1;
  double largest = 0;
  for (int r = 0; r < job->model->nrow; r++) {
    const double size = fabs(d[r]) / (job->lq.scale[r] > 0 ? job->lq.scale[r] : 1);
    if (size > largest) largest = size, worst = r;
  }
  return worst < 0 ? -1 : mbdi_closure_of_row(job->model, worst);
}

static void
largest_errors(const job_t * job, const double * d, double * position, double * angle)
{
  *position = *angle = 0;
  for (int k = 0; k < job->model->nclosure; k++) {
    const mbd_closure_t * c = &job->model->closure[k];
    for (int r = 0; r < c->nrow; r++) {
      double * largest = mbdi_closure_is_angle(job->model, c, r) ? angle : position;
      *largest = fmax(*largest, fabs(d[c->row + r]));
    }
  }
}

static double
merit(const job_t * job)
{
  double sum = 0;
  for (int r = 0; r < job->model->nrow; r++) {
    const double size = job->d[r] / job->lq.scale[r];
    sum += size * size;
  }
  return sum;
}

static double
largest_error(const job_t * job)
{
  double position, angle;
  largest_errors(job, job->d, &position, &angle);
  return fmax(position, angle);
}

//---------- Newton ----------

static mbd_status_t
closure_error_at(job_t * job, const double * q)
{
  CHECK(mbd_set_position(job->model, job->data, q));
  return mbd_closure_error(job->model, job->data, job->options.t, job->d);
}

// expand x from free to all degrees of freedom
static void
step_from_free(job_t * job, double factor)
{
  for (int k = 0; k < job->model->nv; k++) {
    job->step[k] = job->column[k] < 0 ? 0 : factor * job->x[job->column[k]];
  }
}

// no joint moves by more than this in one step [rad or m]
static const double LARGEST_STEP = 0.5;

// step of least norm against d; rows are truncated early while the error is large
static void
newton_direction(job_t * job)
{
  fill(job, false);
  const double o = job->options.rank_tolerance;
  for (int r = 0; r < job->model->nrow; r++) {
    if (!(job->lq.scale[r] > 0)) job->lq.scale[r] = 1;
  }
  const double coarse = fmin(1e-2, 0.1 * sqrt(merit(job)));
  mbdi_lq_factor(&job->lq, fmax(o, coarse), -1);
  if (job->lq.rank < job->nposition) {
    // more rows than free degrees of freedom: least squares over all rows
    memcpy(job->y, job->d, (size_t)job->model->nrow * sizeof *job->y);
    mbdi_lq_solve_least(&job->lq, job->y, job->square, job->x);
  } else {
    mbdi_lq_solve(&job->lq, job->d, job->y, job->x, NULL);
  }
  double largest = 0;
  for (int k = 0; k < job->nfree; k++) largest = fmax(largest, fabs(job->x[k]));
  step_from_free(job, largest > LARGEST_STEP ? -LARGEST_STEP / largest : -1);
}

// one step with a line search; false if no step makes the error smaller
static mbd_status_t
newton_step(job_t * job, bool * better)
{
  const size_t bytes = (size_t)job->model->nq * sizeof(double);
  newton_direction(job);
  const double before = merit(job);
  *better = false;
  for (double alpha = 1; alpha > 1e-3 && !*better; alpha *= 0.5) {
    double * trial = job->trial;
    CHECK(mbd_integrate(job->model, job->q, job->step, alpha, trial));
    CHECK(closure_error_at(job, trial));
    if (!(merit(job) < before * (1 - 1e-4 * alpha))) continue;
    *better = true;
    memcpy(job->q, trial, bytes);
    for (int k = 0; k < job->model->nv; k++) job->sum[k] += alpha * job->step[k];
  }
  return *better ? MBD_OK : closure_error_at(job, job->q);
}

// from job->q; the remaining error is in job->d
static mbd_status_t
newton(job_t * job, int most, int * iterations)
{
  CHECK(closure_error_at(job, job->q));
  memset(job->sum, 0, (size_t)job->model->nv * sizeof *job->sum);
  bool better = true;
  for (int k = 0; k < most && better; k++) {
    const double before = largest_error(job);
    if (before == 0) break;
    CHECK(newton_step(job, &better));
    ++*iterations;
    // below the tolerance, continue while the error decreases
    if (before < job->options.tolerance && largest_error(job) > 0.1 * before) break;
  }
  return MBD_OK;
}

// pseudorandom number in [-1, 1) from a counter: identical on every machine
static double
scatter(uint64_t counter)
{
  uint64_t z = counter * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// starts from the guess, then from points around it, further away each time; keeps the best
static mbd_status_t
search(job_t * job, double * q, mbd_assembly_t * result)
{
  const size_t bytes = (size_t)job->model->nq * sizeof *q;
  double best = HUGE_VAL;
  for (int start = 0; start <= job->options.restarts; start++) {
    for (int k = 0; k < job->nfree; k++) {
      job->x[k] = scatter((uint64_t)(start * 1000003 + k));
    }
    step_from_free(job, start * 0.1);
    CHECK(mbd_integrate(job->model, job->guess, job->step, 1, job->q));
    CHECK(newton(job, job->options.iterations, &result->iterations));
    const double error = largest_error(job);
    if (error < best) {
      best = error;
      memcpy(q, job->q, bytes);
    }
    if (best <= job->options.tolerance) break;
  }
  return MBD_OK;
}

//---------- rank ----------

static void
rank_here(job_t * job, bool velocities)
{
  fill(job, velocities);
  mbdi_lq_factor(&job->lq, job->options.rank_tolerance, -1);
}

// trial step along the null space, to test whether the loops have mobility
static const double TRIAL_STEP = 1e-3;

// a null-space direction with largest component one; false if the null space is empty
static bool
free_direction(job_t * job)
{
  if (job->lq.rank == job->nfree) return false;
  for (int k = 0; k < job->nfree; k++) job->x[k] = scatter((uint64_t)k + 77);
  mbdi_lq_null_part(&job->lq, job->x);
  double largest = 0;
  for (int k = 0; k < job->nfree; k++) largest = fmax(largest, fabs(job->x[k]));
  if (!(largest > 1e-12)) return false;
  for (int k = 0; k < job->nfree; k++) job->x[k] /= largest;
  return true;
}

// fraction of the trial step that remains after closing the loops again
static mbd_status_t
move_and_close(job_t * job, const double * q, double * left)
{
  const size_t bytes = (size_t)job->model->nv * sizeof(double);
  int unused = 0;
  step_from_free(job, TRIAL_STEP);
  memcpy(job->tangent, job->step, bytes);
  CHECK(mbd_integrate(job->model, q, job->step, 1, job->q));
  CHECK(newton(job, job->options.iterations, &unused));
  double along = 0, square = 0;
  for (int k = 0; k < job->model->nv; k++) {
    square += job->tangent[k] * job->tangent[k];
    along += job->tangent[k] * (job->tangent[k] + job->sum[k]);
  }
  *left = along / square;
  return MBD_OK;
}

// singular: the rank changes along the motion, or the null space is not empty but the loops cannot move
static mbd_status_t
look_around(job_t * job, const double * q, mbd_assembly_t * result)
{
  const int rank = job->lq.rank;
  const int doubtful = rank < job->lq.m ? job->lq.row[rank] : 0;
  double left;
  if (rank == 0 || !free_direction(job)) return MBD_OK;
  CHECK(move_and_close(job, q, &left));
  rank_here(job, false);
  result->singular = job->lq.rank != rank || !(left > 0.5);
  if (!result->singular) return MBD_OK;
  const int row = job->lq.rank > rank ? job->lq.row[rank] : doubtful;
  result->error_closure = mbdi_closure_of_row(job->model, row);
  return MBD_OK;
}

static mbd_status_t
finish_assembly(job_t * job, double * q, mbd_assembly_t * result)
{
  CHECK(closure_error_at(job, q));
  rank_here(job, false);
  largest_errors(job, job->d, &result->error_position, &result->error_angle);
  result->rank = job->lq.rank;
  result->nredundant = job->nposition - job->lq.rank;
  result->mobility = job->nfree - job->lq.rank;
  if (!(largest_error(job) <= job->options.tolerance)) {
    result->error_closure = worst_closure(job, job->d);
    return MBD_ERROR_NOT_ASSEMBLED;
  }
  CHECK(look_around(job, q, result));
  // restore the workspace to q after the trial step
  CHECK(closure_error_at(job, q));
  return result->singular ? MBD_ERROR_LOCKED : MBD_OK;
}

mbd_status_t
mbd_assemble(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * guess, double * work, double * q, mbd_assembly_t * result)
{
  CHECK(check_cut(model, data, 0));
  if (!guess || !work || !q) return MBD_ERROR_NULL_ARGUMENT;
  mbd_assembly_t unasked;
  if (!result) result = &unasked;
  memset(result, 0, sizeof *result);
  result->error_closure = -1;
  job_t job;
  CHECK(begin(model, data, options, true, work, &job));
  if (!finite_array(guess, model->nq)) return MBD_ERROR_NOT_FINITE;
  memcpy(job.guess, guess, (size_t)model->nq * sizeof *guess);
  CHECK(mbd_normalize(model, job.guess));
  CHECK(search(&job, q, result));
  return finish_assembly(&job, q, result);
}

//---------- velocities and rank ----------

// job->d = U - G v
static mbd_status_t
missing_rates(job_t * job, const double * v)
{
  CHECK(mbd_closure_target(job->model, job->options.t, job->d));
  for (int k = 0; k < job->model->nclosure; k++) {
    const mbd_closure_t * c = &job->model->closure[k];
    double rate[MBD_CLOSURE_ROWS_MAX];
    mbdi_closure_product(job->model, job->data, c, v, rate);
    for (int r = 0; r < c->nrow; r++) job->d[c->row + r] -= rate[r];
  }
  return MBD_OK;
}

static void
count(const job_t * job, mbd_assembly_t * result)
{
  result->rank = job->lq.rank;
  result->nredundant = job->model->nrow - job->lq.rank;
  result->mobility = job->nfree - job->lq.rank;
}

mbd_status_t
mbd_project_velocity(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  const double * v, double * work, double * v_out, mbd_assembly_t * result)
{
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!v || !work || !v_out) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbd_assembly_t unasked;
  if (!result) result = &unasked;
  memset(result, 0, sizeof *result);
  result->error_closure = -1;
  job_t job;
  CHECK(begin(model, data, options, false, work, &job));
  CHECK(missing_rates(&job, v));
  rank_here(&job, true);
  count(&job, result);
  mbdi_lq_solve(&job.lq, job.d, job.y, job.x, NULL);
  step_from_free(&job, 1);
  for (int k = 0; k < model->nv; k++) job.step[k] += v[k];
  CHECK(missing_rates(&job, job.step));
  largest_errors(&job, job.d, &result->error_position, &result->error_angle);
  double largest = 1;
  for (int k = 0; k < model->nv; k++) largest = fmax(largest, fabs(job.step[k]));
  if (!(largest_error(&job) <= job.options.tolerance * largest)) {
    result->error_closure = worst_closure(&job, job.d);
    return MBD_ERROR_NOT_ASSEMBLED;
  }
  return copy_checked(v_out, job.step, model->nv);
}

mbd_status_t
mbd_closure_rank(
  const mbd_model_t * model, mbd_data_t * data, const mbd_assembly_options_t * options,
  double * work, bool * independent, int * rank)
{
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!work || !rank) return MBD_ERROR_NULL_ARGUMENT;
  job_t job;
  CHECK(begin(model, data, options, false, work, &job));
  rank_here(&job, true);
  *rank = job.lq.rank;
  for (int i = 0; independent && i < model->nrow; i++) {
    independent[job.lq.row[i]] = i < job.lq.rank;
  }
  return MBD_OK;
}
