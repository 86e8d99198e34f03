// Charts: tangent-space coordinates of a tree with closures, Haug 5.2 and 6.1.
#include "mbdyn/simulate/chart.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "simulate/chart_internal.h"
#include "simulate/chart_joint.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"
#include "util/lq.h"

// independent rows and the basis of what they span at the centre
typedef struct span {
  int rank;
  int * row;       // rows of the closures                                                [rank]
  double * basis;  // orthonormal, row by row                                             [rank nv]
  double * LU;  // of rows times basis, here                                           [rank rank]
  int * pivot;  //                                                                     [rank]
} span_t;

struct mbd_chart {
  const mbd_model_t * model;
  mbd_chart_info_t info;
  double tolerance;
  bool has_velocity_rows;
  bool centred, has_state;
  double t;
  double * q0;  // centre                                                              [nq]
  double * Vx;  // V x of the state                                                    [nv]
  double * u;   //                                                                     [nrow]
  double * xi;  // and of the tree                                                     [nv]
  // last state, and one before it that is not too near, if t_before is finite
  double t_before;
  double *Vx_last, *Vx_before;  //                                                     [nv]
  double * u_before;            //                                                     [nrow]
  double * steps;               // of Newton's method                                  [FROZEN nrow]
  mbdi_closure_form_t * form;   // of closures at the position of the last move        [nclosure]
  mbdi_chart_joint_t * joint;   // that are not flat, at xi                            [ncurved]
  double * xid;     // rates of the last state                                             [nv]
  double * c;       // T^-1 T' xi'                                                         [nv]
  double * C;       // rows by xi, divided by their scales                                 [nrow nv]
  double * scale;   // of rows                                                             [nrow]
  double * V;       // basis of the tangent space, row by row                              [n nv]
  double * free;    // of velocities at the centre; V without rows of velocity             [nv nv]
  double * d;       // scratch                                                             [nrow]
  double * target;  // rates of the drivers at t                                           [nrow]
  double * r;       // scratch                                                             [nrow]
  double * y;       // scratch                                                             [nv]
  double * work;    // of a factorisation
  span_t position, all;
};

mbd_chart_limits_t
mbd_chart_limits_default(void)
{
  return (mbd_chart_limits_t){.x = HUGE_VAL, .rotation = 1.5, .slope = 2, .iterations = 8};
}

enum { MOST_ITERATIONS = 20, FROZEN_ITERATIONS = 4 };

//---------- memory ----------

static void
lay_out_span(const mbd_model_t * model, char * base, size_t * offset, span_t * span)
{
  const size_t nv = (size_t)model->nv, m = (size_t)model->nrow;
  const size_t most = m < nv ? m : nv;
  span->row = mbdi_arena_take(base, offset, most, sizeof(int));
  span->pivot = mbdi_arena_take(base, offset, most, sizeof(int));
  span->basis = mbdi_arena_take(base, offset, most * nv, sizeof(double));
  span->LU = mbdi_arena_take(base, offset, most * most, sizeof(double));
}

static bool
has_velocity_rows(const mbd_model_t * model)
{
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].nposition == 0) return true;
  }
  return false;
}

static size_t
lay_out_chart(const mbd_model_t * model, char * base, mbd_chart_t * chart)
{
  size_t offset = 0;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv, m = (size_t)model->nrow;
  const size_t word = sizeof(double);
  mbdi_arena_take(base, &offset, 1, sizeof *chart);
  const size_t ncurved = (size_t)model->internal->ncurved;
  double ** vectors[] = {&chart->Vx,  &chart->Vx_last, &chart->Vx_before, &chart->xi,
                         &chart->xid, &chart->c,       &chart->y};
  double ** rows[] = {&chart->u, &chart->u_before, &chart->scale,
                      &chart->d, &chart->target,   &chart->r};
  chart->q0 = mbdi_arena_take(base, &offset, nq, word);
  for (int k = 0; k < 7; k++) *vectors[k] = mbdi_arena_take(base, &offset, nv, word);
  for (int k = 0; k < 6; k++) *rows[k] = mbdi_arena_take(base, &offset, m, word);
  chart->joint = mbdi_arena_take(base, &offset, ncurved, sizeof *chart->joint);
  if (m == 0) return offset;
  chart->steps = mbdi_arena_take(base, &offset, (FROZEN_ITERATIONS + 1) * m, word);
  chart->form = mbdi_arena_take(base, &offset, (size_t)model->nclosure, sizeof *chart->form);
  chart->C = mbdi_arena_take(base, &offset, m * nv, word);
  chart->free = chart->V = mbdi_arena_take(base, &offset, nv * nv, word);
  chart->work = mbdi_arena_take(base, &offset, mbdi_lq_work(model->nrow, model->nv), word);
  lay_out_span(model, base, &offset, &chart->position);
  chart->all = chart->position;
  if (!has_velocity_rows(model)) return offset;
  lay_out_span(model, base, &offset, &chart->all);
  chart->free = mbdi_arena_take(base, &offset, nv * nv, word);
  return offset;
}

size_t
mbd_chart_size(const mbd_model_t * model)
{
  mbd_chart_t unused;
  return model && model->finalized ? lay_out_chart(model, NULL, &unused) : 0;
}

mbd_status_t
mbd_chart_init(
  const mbd_model_t * model, double tolerance, void * memory, size_t size, mbd_chart_t ** out)
{
  if (!model || !memory || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (!(tolerance >= 0 && tolerance < 1)) return MBD_ERROR_BAD_ARGUMENT;
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].type == MBD_JOINT_USER && model->body[i].user.integrate) {
      return MBD_ERROR_BAD_JOINT;
    }
  }
  if (size < mbd_chart_size(model)) return MBD_ERROR_TOO_SMALL;
  mbd_chart_t * chart = memory;
  memset(memory, 0, mbd_chart_size(model));
  lay_out_chart(model, memory, chart);
  chart->model = model;
  chart->tolerance = tolerance > 0 ? tolerance : 1e-14;
  chart->has_velocity_rows = has_velocity_rows(model);
  *out = chart;
  return MBD_OK;
}

const mbd_chart_info_t *
mbd_chart_info(const mbd_chart_t * chart)
{
  return chart ? &chart->info : NULL;
}

//---------- joints ----------

// those that are not flat, at xi
static void
find_joints(mbd_chart_t * chart)
{
  const mbd_model_t * model = chart->model;
  for (int i = 0; i < model->internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[model->internal->curved[i]];
    if (!mbdi_chart_is_flat(body))
      chart->joint[i] = mbdi_chart_joint(body, chart->xi + body->v_index);
  }
}

// y = T x (+1), T^-1 x (-1), or T' x (0), joint by joint; y may not be x
static void
map_joints(const mbd_chart_t * chart, int kind, const double * x, double * y)
{
  const mbd_model_t * model = chart->model;
  if (kind == 0) {
    memset(y, 0, (size_t)model->nv * sizeof *y);
  } else {
    copy_array(y, x, model->nv);
  }
  for (int i = 0; i < model->internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[model->internal->curved[i]];
    const mbdi_chart_joint_t * at = &chart->joint[i];
    if (mbdi_chart_is_flat(body)) continue;
    const int k = body->v_index;
    if (kind > 0) mbdi_chart_T(body, at, x + k, y + k);
    if (kind < 0) mbdi_chart_T_inverse(body, at, x + k, y + k);
    if (kind == 0) mbdi_chart_T_rate(body, at, x + k, y + k);
  }
}

static void
place(const mbd_chart_t * chart, double * q)
{
  const mbd_model_t * model = chart->model;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const double *q0 = chart->q0 + body->q_index, *xi = chart->xi + body->v_index;
    double * to = q + body->q_index;
    if (!mbdi_chart_is_flat(body)) {
      mbdi_chart_place(body, q0, xi, to);
    } else {
      for (int k = 0; k < body->nv; k++) to[k] = q0[k] + xi[k];
    }
  }
}

//---------- rows ----------

// forms of the closures and their errors, into d
static mbd_status_t
find_rows(mbd_chart_t * chart, mbd_data_t * data, double t)
{
  const mbd_model_t * model = chart->model;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type == MBD_CLOSURE_COUPLING) {
      CHECK(mbdi_closure_fill_error(model, data, c, t, chart->d + c->row));
    } else {
      chart->form[k] = mbdi_closure_form(model, data, c);
      CHECK(mbdi_closure_form_error(c, &chart->form[k], t, chart->d + c->row));
    }
  }
  return MBD_OK;
}

// C: rows by xi at the position of find_rows, divided by their scales
static void
fill_rows(mbd_chart_t * chart, mbd_data_t * data)
{
  const mbd_model_t * model = chart->model;
  const int nv = model->nv;
  find_joints(chart);
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    double * G = chart->C + (size_t)c->row * (size_t)nv;
    if (c->type == MBD_CLOSURE_COUPLING)
      mbdi_closure_fill(model, data, c, NULL, nv, G);
    else
      mbdi_closure_form_fill(model, data, c, &chart->form[k], NULL, nv, G);
  }
  for (int r = 0; r < model->nrow; r++) {
    double * row = chart->C + (size_t)r * (size_t)nv;
    const double inverse = 1 / chart->scale[r];
    for (int k = 0; k < nv; k++) row[k] *= inverse;
    for (int i = 0; i < model->internal->ncurved; i++) {
      const mbd_body_t * body = &model->body[model->internal->curved[i]];
      if (!mbdi_chart_is_flat(body)) {
        mbdi_chart_T_row(body, &chart->joint[i], row + body->v_index);
      }
    }
  }
}

// scaled row r of C times a vector
static double
row_times(const mbd_chart_t * chart, int r, const double * x)
{
  const int nv = chart->model->nv;
  return mbdi_dot(nv, chart->C + (size_t)r * (size_t)nv, x);
}

static bool
factorize(const mbd_chart_t * chart, span_t * span)
{
  const int n = span->rank, nv = chart->model->nv;
  double * A = span->LU;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = row_times(chart, span->row[i], span->basis + (size_t)j * (size_t)nv);
    }
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    }
    span->pivot[k] = best;
    if (!(fabs(A[best * n + k]) > 1e-12)) return false;
    for (int j = 0; best != k && j < n; j++) {
      const double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] /= A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
    }
  }
  return true;
}

static void
solve(const span_t * span, double * x)
{
  const int n = span->rank;
  const double * A = span->LU;
  for (int k = 0; k < n; k++) {
    const double swap = x[k];
    x[k] = x[span->pivot[k]];
    x[span->pivot[k]] = swap;
  }
  for (int i = 0; i < n; i++) x[i] -= mbdi_dot(i, A + i * n, x);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

// y += factor * sum of r_i basis_i
static void
add_basis(const mbd_chart_t * chart, const double * basis, int n, const double * r, double * y)
{
  const int nv = chart->model->nv;
  for (int i = 0; i < n; i++) {
    const double * b = basis + (size_t)i * (size_t)nv;
    for (int k = 0; k < nv; k++) y[k] += r[i] * b[k];
  }
}

// V x
static void
tangent(const mbd_chart_t * chart, const double * x, double * y)
{
  if (chart->model->nrow == 0) {
    copy_array(y, x, chart->model->nv);
    return;
  }
  memset(y, 0, (size_t)chart->model->nv * sizeof *y);
  add_basis(chart, chart->V, chart->info.n, x, y);
}

// V^T y
static void
coordinates(const mbd_chart_t * chart, const double * y, double * x)
{
  const int nv = chart->model->nv;
  if (chart->model->nrow == 0) {
    copy_array(x, y, nv);
    return;
  }
  for (int i = 0; i < chart->info.n; i++) {
    x[i] = mbdi_dot(nv, chart->V + (size_t)i * (size_t)nv, y);
  }
}

// y := y + X (C X)^-1 (r - C y): what of y is against the rows is replaced; r has all rows, unscaled
static void
satisfy(mbd_chart_t * chart, const double * r, double * y)
{
  const span_t * span = &chart->all;
  for (int i = 0; i < span->rank; i++) {
    const int k = span->row[i];
    chart->d[i] = r[k] / chart->scale[k] - row_times(chart, k, y);
  }
  solve(span, chart->d);
  add_basis(chart, span->basis, span->rank, chart->d, y);
}

//---------- centre ----------

// independent rows and their span at the centre; V too if it is asked for
static void
find_span(mbd_chart_t * chart, bool velocities, span_t * span, double * V)
{
  const mbd_model_t * model = chart->model;
  const int nv = model->nv;
  const size_t bytes = (size_t)nv * sizeof(double);
  mbdi_lq_t lq;
  mbdi_lq_init(&lq, model->nrow, nv, chart->work);
  memcpy(lq.A, chart->C, (size_t)model->nrow * bytes);
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    for (int r = c->row; r < c->row + c->nrow; r++) {
      lq.scale[r] = 1;
      if (!velocities && c->nposition == 0) memset(lq.A + (size_t)r * (size_t)nv, 0, bytes);
    }
  }
  mbdi_lq_factor(&lq, 1e-7, -1);
  span->rank = lq.rank;
  for (int i = 0; i < nv; i++) {
    double * to = i < lq.rank ? span->basis + (size_t)i * (size_t)nv
                              : (V ? V + (size_t)(i - lq.rank) * (size_t)nv : NULL);
    if (i < lq.rank) span->row[i] = lq.row[i];
    if (!to) break;
    memset(to, 0, bytes);
    to[i] = 1;
    mbd_lq_Q_transpose(&lq, to);
  }
}

static mbd_status_t
find_spans(mbd_chart_t * chart, mbd_data_t * data, double t)
{
  const mbd_model_t * model = chart->model;
  CHECK(find_rows(chart, data, t));
  for (int k = 0; k < model->nclosure; k++) {
    mbdi_closure_scale(model, data, &model->closure[k], chart->scale + model->closure[k].row);
  }
  for (int r = 0; r < model->nrow; r++) {
    if (!(chart->scale[r] > 0)) chart->scale[r] = 1;
  }
  fill_rows(chart, data);
  find_span(chart, false, &chart->position, chart->V);
  if (chart->has_velocity_rows) {
    find_span(chart, true, &chart->all, chart->free);
  } else {
    chart->all.rank = chart->position.rank;
  }
  return factorize(chart, &chart->position) ? MBD_OK : MBD_ERROR_SINGULAR;
}

// the state is the centre, and none before it is known
static void
forget_states(mbd_chart_t * chart)
{
  memset(chart->xi, 0, (size_t)chart->model->nv * sizeof *chart->xi);
  memset(chart->Vx_last, 0, (size_t)chart->model->nv * sizeof *chart->Vx_last);
  memset(chart->u, 0, (size_t)chart->model->nrow * sizeof *chart->u);
  chart->t_before = HUGE_VAL;
}

mbd_status_t
mbd_chart_set(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * q, const double * v, double * x,
  double * xd)
{
  if (!chart || !q || !v || !x || !xd) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = chart->model;
  chart->centred = chart->has_state = false;
  if (!finite_array(&t, 1) || !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_set_position(model, data, q));
  memmove(chart->q0, q, (size_t)model->nq * sizeof *q);
  CHECK(mbd_normalize(model, chart->q0));
  forget_states(chart);
  chart->position.rank = chart->all.rank = 0;
  if (model->nrow > 0) {
    CHECK(find_spans(chart, data, t));
    CHECK(mbd_closure_target(model, t, chart->target));
  }
  chart->info = (mbd_chart_info_t){
    .n = model->nv - chart->position.rank,
    .rank = chart->position.rank,
    .velocity_rank = chart->all.rank};
  if (chart->info.n == 0) return MBD_ERROR_LOCKED;
  chart->t = t;
  copy_array(chart->y, v, model->nv);
  coordinates(chart, chart->y, xd);
  memset(x, 0, (size_t)chart->info.n * sizeof *x);
  chart->centred = true;
  return MBD_OK;
}

//---------- state ----------

// below this, an error that does not become smaller is rounding: far from the origin of the world
static const double STAGNANT = 1e-10;

// xi = V x - U u and the position there; the largest scaled row
static mbd_status_t
move(mbd_chart_t * chart, mbd_data_t * data, double t, double * q, double * error)
{
  const mbd_model_t * model = chart->model;
  const span_t * span = &chart->position;
  copy_array(chart->xi, chart->Vx, model->nv);
  for (int i = 0; i < span->rank; i++) chart->r[i] = -chart->u[i];
  add_basis(chart, span->basis, span->rank, chart->r, chart->xi);
  if (!finite_array(chart->xi, model->nv)) return MBD_ERROR_NOT_FINITE;
  place(chart, q);
  *error = 0;
  // stages of a tree are deferred until something needs them
  if (model->nrow == 0) return MBD_OK;
  CHECK(mbd_set_position(model, data, q));
  CHECK(find_rows(chart, data, t));
  for (int r = 0; r < model->nrow; r++) {
    *error = fmax(*error, fabs(chart->d[r]) / fmax(1, chart->scale[r]));
  }
  return MBD_OK;
}

// du of first order for V dx and dt from the last state: C (V dx - U du) - U_t dt = 0
static void
first_order(const mbd_chart_t * chart, const double * dVx, double dt, double * du)
{
  const span_t * span = &chart->position;
  for (int i = 0; i < span->rank; i++) {
    const int k = span->row[i];
    du[i] = row_times(chart, k, dVx) - chart->target[k] / chart->scale[k] * dt;
  }
  solve(span, du);
}

// u from the last state to second order: the curvature along the way to the state before it
static void
predict(mbd_chart_t * chart, double t)
{
  const int nv = chart->model->nv, rank = chart->position.rank;
  double *step = chart->y, *way = chart->c, along = 0, square = 0;
  for (int k = 0; k < nv; k++) step[k] = chart->Vx[k] - chart->Vx_last[k];
  first_order(chart, step, t - chart->t, chart->d);
  for (int i = 0; i < rank; i++) chart->r[i] = chart->d[i];
  if (isfinite(chart->t_before)) {
    for (int k = 0; k < nv; k++) {
      way[k] = chart->Vx_before[k] - chart->Vx_last[k];
      along += way[k] * step[k];
      square += way[k] * way[k];
    }
    // not far beyond what is known
    const double part = along / square;
    if (fabs(part) < 4) {
      first_order(chart, way, chart->t_before - chart->t, chart->d);
      for (int i = 0; i < rank; i++)
        chart->r[i] += part * part * (chart->u_before[i] - chart->u[i] - chart->d[i]);
    }
  }
  // the last state is the one before from here on, unless it is much nearer than that one
  double nearer = 0;
  for (int k = 0; k < nv; k++) nearer += step[k] * step[k];
  if (nearer > 0 && (!isfinite(chart->t_before) || nearer > 0.01 * square)) {
    copy_array(chart->Vx_before, chart->Vx_last, nv);
    copy_array(chart->u_before, chart->u, rank);
    chart->t_before = chart->t;
  }
  for (int i = 0; i < rank; i++) chart->u[i] += chart->r[i];
}

// Broyden's correction of step n, from the rows, by the steps before it        (Kelley 1995, section 7.3)
static void
correct_step(mbd_chart_t * chart, int n)
{
  const int rank = chart->position.rank;
  double * step = chart->steps + n * rank;
  for (int k = 0; k < n; k++) {
    const double * before = chart->steps + k * rank;
    const double share = mbdi_dot(rank, before, step) / mbdi_dot(rank, before, before);
    if (k + 1 < n) {
      const double * next = before + rank;
      for (int i = 0; i < rank; i++) step[i] += share * next[i];
    } else if (share < 0.5) {
      for (int i = 0; i < rank; i++) step[i] /= 1 - share;
    }
  }
}

static mbd_status_t
close_rows(mbd_chart_t * chart, mbd_data_t * data, double t, double * q)
{
  const span_t * span = &chart->position;
  double error, before = HUGE_VAL;
  int n = 0;
  chart->info.iterations = 0;
  CHECK(move(chart, data, t, q, &error));
  // to the tolerance, or as far as rounding lets it
  while (!(error <= chart->tolerance || (error < STAGNANT && error > 0.5 * before))) {
    before = error;
    if (++chart->info.iterations > MOST_ITERATIONS) return MBD_ERROR_NOT_ASSEMBLED;
    if (chart->info.iterations > FROZEN_ITERATIONS) {
      fill_rows(chart, data);
      if (!factorize(chart, &chart->position)) return MBD_ERROR_SINGULAR;
      n = 0;
    }
    double * step = chart->steps + n * span->rank;
    for (int i = 0; i < span->rank; i++) {
      step[i] = chart->d[span->row[i]] / chart->scale[span->row[i]];
    }
    solve(span, step);
    correct_step(chart, n++);
    for (int i = 0; i < span->rank; i++) chart->u[i] += step[i];
    CHECK(move(chart, data, t, q, &error));
  }
  chart->info.error = error;
  return MBD_OK;
}

static void
measure(mbd_chart_t * chart, const double * x)
{
  const mbd_model_t * model = chart->model;
  chart->info.distance = sqrt(mbdi_dot(chart->info.n, x, x));
  chart->info.rotation = 0;
  for (int i = 0; i < model->internal->ncurved; i++) {
    const mbd_body_t * body = &model->body[model->internal->curved[i]];
    if (mbdi_chart_is_flat(body)) continue;
    const double angle = mbdi_chart_rotation(body, chart->xi + body->v_index);
    chart->info.rotation = fmax(chart->info.rotation, angle);
  }
}

// the rows of the centre again, after a state outside the chart
static void
recover(mbd_chart_t * chart, mbd_data_t * data)
{
  const mbd_model_t * model = chart->model;
  forget_states(chart);
  chart->centred = model->nrow == 0;
  if (model->nrow == 0 || mbd_set_position(model, data, chart->q0) != MBD_OK) return;
  if (find_rows(chart, data, chart->t) != MBD_OK) return;
  fill_rows(chart, data);
  chart->centred = factorize(chart, &chart->position);
}

static mbd_status_t
state_at(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * x, const double * xd, double * q,
  double * v)
{
  const mbd_model_t * model = chart->model;
  tangent(chart, x, chart->Vx);
  if (chart->info.rank > 0) predict(chart, t);
  CHECK(close_rows(chart, data, t, q));
  tangent(chart, xd, chart->xid);
  if (model->nrow > 0) {
    fill_rows(chart, data);
    if (!factorize(chart, &chart->position)) return MBD_ERROR_SINGULAR;
    if (chart->has_velocity_rows && !factorize(chart, &chart->all)) return MBD_ERROR_SINGULAR;
    CHECK(mbd_closure_target(model, t, chart->target));
    satisfy(chart, chart->target, chart->xid);
  } else {
    find_joints(chart);
  }
  map_joints(chart, 1, chart->xid, v);
  CHECK(model->nrow == 0 ? mbd_set_state(model, data, q, v) : mbd_set_velocity(model, data, v));
  map_joints(chart, 0, chart->xid, chart->y);
  map_joints(chart, -1, chart->y, chart->c);
  return MBD_OK;
}

mbd_status_t
mbd_chart_state(
  mbd_chart_t * chart, mbd_data_t * data, double t, const double * x, const double * xd, double * q,
  double * v)
{
  if (!chart || !x || !xd || !q || !v) return MBD_ERROR_NULL_ARGUMENT;
  if (!chart->centred) return MBD_ERROR_STAGE;
  if (!finite_array(&t, 1) || !finite_array(x, chart->info.n)) return MBD_ERROR_NOT_FINITE;
  if (!finite_array(xd, chart->info.n)) return MBD_ERROR_NOT_FINITE;
  chart->has_state = false;
  const mbd_status_t status = state_at(chart, data, t, x, xd, q, v);
  if (status != MBD_OK) {
    recover(chart, data);
    return status;
  }
  copy_array(chart->Vx_last, chart->Vx, chart->model->nv);
  chart->t = t;
  measure(chart, x);
  chart->has_state = true;
  return MBD_OK;
}

mbd_status_t
mbd_chart_velocity(const mbd_chart_t * chart, const double * v, double * xd)
{
  if (!chart || !v || !xd) return MBD_ERROR_NULL_ARGUMENT;
  if (!chart->has_state) return MBD_ERROR_STAGE;
  map_joints(chart, -1, v, chart->y);
  coordinates(chart, chart->y, xd);
  return MBD_OK;
}

mbd_status_t
mbd_chart_acceleration(const mbd_chart_t * chart, const double * qdd, double * xdd)
{
  if (!chart || !qdd || !xdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!chart->has_state) return MBD_ERROR_STAGE;
  map_joints(chart, -1, qdd, chart->y);
  for (int k = 0; k < chart->model->nv; k++) chart->y[k] -= chart->c[k];
  coordinates(chart, chart->y, xdd);
  return MBD_OK;
}

// gamma of all rows, into r
static mbd_status_t
find_bias(mbd_chart_t * chart, mbd_data_t * data, double t)
{
  const mbd_model_t * model = chart->model;
  CHECK(check_cut(model, data, MBD_STAGE_VELOCITY));
  model->internal->engine->bias_stage(model, data);
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    double * gamma = chart->r + c->row;
    if (c->type == MBD_CLOSURE_COUPLING)
      CHECK(mbdi_closure_fill_bias(model, data, c, t, gamma));
    else
      CHECK(mbdi_closure_form_bias(data, c, &chart->form[k], t, gamma));
  }
  return MBD_OK;
}

mbd_status_t
mbd_chart_motion(mbd_chart_t * chart, mbd_data_t * data, double t, const double * xdd, double * qdd)
{
  if (!chart || !xdd || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  if (!chart->has_state) return MBD_ERROR_STAGE;
  const mbd_model_t * model = chart->model;
  tangent(chart, xdd, chart->y);
  // G qdd = gamma with qdd = T (xi'' + c)
  for (int k = 0; k < model->nv; k++) chart->y[k] += chart->c[k];
  if (model->nrow > 0) {
    CHECK(find_bias(chart, data, t));
    satisfy(chart, chart->r, chart->y);
  }
  map_joints(chart, 1, chart->y, qdd);
  return MBD_OK;
}

void
mbdi_chart_column(mbd_chart_t * chart, int j, double * v)
{
  const mbd_model_t * model = chart->model;
  if (model->nrow == 0) {
    memset(chart->y, 0, (size_t)model->nv * sizeof *chart->y);
    chart->y[j] = 1;
  } else {
    copy_array(chart->y, chart->free + (size_t)j * (size_t)model->nv, model->nv);
    memset(chart->r, 0, (size_t)model->nrow * sizeof *chart->r);
    satisfy(chart, chart->r, chart->y);
  }
  map_joints(chart, 1, chart->y, v);
}

void
mbdi_chart_driven(mbd_chart_t * chart, double * v)
{
  memset(chart->y, 0, (size_t)chart->model->nv * sizeof *chart->y);
  satisfy(chart, chart->target, chart->y);
  map_joints(chart, 1, chart->y, v);
}

bool
mbdi_chart_has_velocity_rows(const mbd_chart_t * chart)
{
  return chart->has_velocity_rows;
}

//---------- limits ----------

// Frobenius norm of (C X)^-1 C F: tangent of the angle between the velocities that the rows leave here and those that
// they leave at the centre. Without rows of velocity that is du/dx, the angle between the manifold and the chart.
static double
slope_of(mbd_chart_t * chart)
{
  const span_t * span = &chart->all;
  const int nv = chart->model->nv;
  double sum = 0;
  for (int j = 0; j < nv - span->rank; j++) {
    const double * column = chart->free + (size_t)j * (size_t)nv;
    for (int i = 0; i < span->rank; i++) chart->r[i] = row_times(chart, span->row[i], column);
    solve(span, chart->r);
    sum += mbdi_dot(span->rank, chart->r, chart->r);
  }
  return sqrt(sum);
}

bool
mbd_chart_wanted(mbd_chart_t * chart, const mbd_chart_limits_t * limits)
{
  if (!chart || !chart->has_state) return false;
  const mbd_chart_limits_t defaults = mbd_chart_limits_default();
  const mbd_chart_limits_t * most = limits ? limits : &defaults;
  if (chart->all.rank > 0) chart->info.slope = slope_of(chart);
  return chart->info.distance > most->x || chart->info.rotation > most->rotation ||
         chart->info.slope > most->slope || chart->info.iterations > most->iterations;
}
