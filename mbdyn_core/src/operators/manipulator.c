// Manipulators: inputs, outputs and closures as two systems; singularities, velocities, dynamics.
#include "mbdyn/manipulator.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "mbdyn/inertia.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "operators/manipulator_internal.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

mbd_manipulator_options_t
mbd_manipulator_options_default(void)
{
  const mbd_manipulator_options_t o = {.tolerance = 1e-10, .step = 0.1, .restarts = 30};
  return o;
}

const char *
mbd_manipulator_class_name(mbd_manipulator_class_t type)
{
  static const char * const names[] = {"serial", "parallel", "implicit", "compound"};
  return (unsigned)type < 4 ? names[type] : "unknown";
}

//---------- memory ----------

static size_t
lay_out(const mbd_model_t * model, int ninput, int noutput, char * base, mbd_manipulator_t * m)
{
  size_t offset = 0;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  const size_t f = (size_t)(ninput > noutput ? ninput : noutput);
  mbdi_arena_take(base, &offset, 1, sizeof *m);
  m->of_input.model = m->of_output.model = m->curve.rows.model = model;
  m->of_input.nmeasure = ninput;
  m->of_output.nmeasure = noutput;
  m->curve.rows.nmeasure = (int)f;
  mbdi_rows_lay_out(&m->of_input, base, &offset);
  mbdi_rows_lay_out(&m->of_output, base, &offset);
  mbdi_curve_lay_out(&m->curve, base, &offset);
  double ** part[] = {&m->T,      &m->mass,  &m->qdd,    &m->tau,   &m->gamma, &m->start,
                      &m->change, &m->e,     &m->P,      &m->A,     &m->L,     &m->x,
                      &m->q,      &m->q_try, &m->q_best, &m->q_seed};
  const size_t size[] = {
    nv * f, nv * nv, nv, nv, (size_t)model->nrow, f, f, f, f * nv, f * f, f * f, nv,
    nq,     nq,      nq, nq};
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    *part[i] = mbdi_arena_take(base, &offset, size[i], sizeof(double));
  }
  return offset;
}

size_t
mbd_manipulator_size(const mbd_model_t * model, int ninput, int noutput)
{
  mbd_manipulator_t unused;
  const bool good = model && model->finalized && ninput >= 0 && noutput >= 0;
  return good ? lay_out(model, ninput, noutput, NULL, &unused) : 0;
}

mbdi_rows_t *
mbdi_manipulator_rows(
  mbd_manipulator_t * m, mbd_data_t * data, bool of_inputs, const double * value)
{
  mbdi_rows_t * rows = of_inputs ? &m->of_input : &m->of_output;
  rows->data = data;
  if (value) copy_array(rows->wanted, value, rows->nmeasure);
  return rows;
}

//---------- kind ----------

// marks the columns that a measure is a coordinate of: its joint, or the free or planar joint of its frame
static void
mark_coordinates(const mbdi_rows_t * rows, bool * given)
{
  const mbd_model_t * model = rows->model;
  // by how many measures a body is measured that nothing else moves
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    int measures = 0;
    for (int k = 0; k < rows->nmeasure; k++) {
      const mbd_measure_t * x = &rows->measure[k];
      if (x->type == MBD_MEASURE_JOINT && x->body == i) {
        given[body->v_index + x->coordinate] = true;
        continue;
      }
      const bool of_frame = x->type >= MBD_MEASURE_X && x->type <= MBD_MEASURE_ROTATION_Z &&
                            x->frame_a == MBD_WORLD_BODY && x->frame_b >= 0;
      measures += of_frame && body->parent < 0 && model->frame[x->frame_b].body == i;
    }
    for (int k = 0; k < body->nv && measures >= body->nv; k++) given[body->v_index + k] = true;
  }
}

static mbd_manipulator_class_t
classify(mbd_manipulator_t * m)
{
  bool * given = (bool *)(void *)m->mass;
  const mbdi_rows_t * rows = &m->of_input;
  const size_t nv = (size_t)rows->model->nv;
  bool all[3] = {true, true, true};
  // inputs, outputs, both
  for (int kind = 0; kind < 3; kind++) {
    memset(given, 0, nv * sizeof *given);
    if (kind != 1) mark_coordinates(&m->of_input, given);
    if (kind != 0) mark_coordinates(&m->of_output, given);
    for (size_t k = 0; k < nv; k++) all[kind] = all[kind] && (given[k] || rows->column[k] < 0);
  }
  const bool closed = rows->closed_rank > 0;
  if (all[0] && !closed) return MBD_MANIPULATOR_SERIAL;
  if (all[1] && !closed) return MBD_MANIPULATOR_PARALLEL;
  return all[2] ? MBD_MANIPULATOR_IMPLICIT : MBD_MANIPULATOR_COMPOUND;
}

//---------- creation ----------

static mbd_status_t
check_options(const mbd_manipulator_options_t * o)
{
  // written so that NaN fails
  const bool good =
    o->tolerance > 0 && o->step > 0 && o->step < HUGE_VAL && o->restarts >= 0 && isfinite(o->t);
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

static mbd_status_t
choose(mbd_manipulator_t * m, const double * q)
{
  mbdi_rows_t *in = &m->of_input, *out = &m->of_output;
  CHECK(mbdi_rows_choose(in, q, true));
  for (int i = 0; i < in->nclosed; i++) {
    if (fabs(in->e[i]) > 1e-6) return MBD_ERROR_NOT_ASSEMBLED;
  }
  CHECK(mbdi_rows_choose(out, q, true));
  mbdi_rows_share_columns(in, out);
  m->info.ninput = in->nmeasure, m->info.noutput = out->nmeasure;
  m->info.freedom = in->n - in->closed_rank;
  m->info.nredundant = in->nclosed - in->closed_rank;
  m->info.redundant = out->nmeasure < m->info.freedom;
  if (in->nmeasure != m->info.freedom || out->nmeasure > in->nmeasure) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  m->info.type = classify(m);
  return MBD_OK;
}

mbd_status_t
mbd_manipulator_init(
  const mbd_model_t * model, mbd_data_t * data, int ninput, const mbd_measure_t * input,
  int noutput, const mbd_measure_t * output, const double * q,
  const mbd_manipulator_options_t * options, void * memory, size_t size,
  mbd_manipulator_info_t * info, mbd_manipulator_t ** out)
{
  if (!input || !output || !q || !memory || !out) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(model, data, 0));
  CHECK(mbdi_rows_check(model));
  if (ninput < 1 || noutput < 1) return MBD_ERROR_BAD_ARGUMENT;
  const mbd_manipulator_options_t defaults = mbd_manipulator_options_default();
  if (!options) options = &defaults;
  CHECK(check_options(options));
  const size_t needed = mbd_manipulator_size(model, ninput, noutput);
  if (size < needed) return MBD_ERROR_TOO_SMALL;
  mbd_manipulator_t * m = memory;
  memset(memory, 0, needed);
  (void)lay_out(model, ninput, noutput, memory, m);
  m->options = *options;
  m->of_input.measure = input;
  m->of_output.measure = output;
  m->of_input.data = m->of_output.data = data;
  m->of_input.t = m->of_output.t = options->t;
  const mbd_status_t status = choose(m, q);
  if (info) *info = m->info;
  CHECK(status);
  *out = m;
  return MBD_OK;
}

//---------- singularities ----------

// sign, determinant, reciprocal condition of one system, and the row (of its m) nearest to dependent
static mbd_status_t
look(mbdi_rows_t * rows, const double * q, int * sign, double * det, double * condition, int * row)
{
  double largest;
  CHECK(mbdi_rows_errors(rows, q, &largest));
  const mbd_status_t status = mbdi_rows_factor(rows);
  if (status != MBD_OK && status != MBD_ERROR_SINGULAR) return status;
  *sign = 0, *det = 0;
  if (status == MBD_OK && mbdi_manipulator_square(rows)) {
    const double logarithm = mbdi_rows_determinant(rows, NULL, sign);
    *det = *sign * exp(logarithm);
  }
  *condition = mbdi_rows_condition(rows, row);
  return MBD_OK;
}

static int
closure_of(const mbd_model_t * model, int row)
{
  for (int k = 0; k < model->nclosure; k++) {
    row -= model->closure[k].nposition;
    if (row < 0) return k;
  }
  return -1;
}

mbd_status_t
mbd_manipulator_monitor(
  mbd_manipulator_t * m, mbd_data_t * data, const double * q, mbd_singularity_t * singularity)
{
  if (!m || !q || !singularity) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(m->of_input.model, data, 0));
  mbd_singularity_t s = {.closure = -1, .input = -1, .output = -1};
  int in, out;
  CHECK(look(
    mbdi_manipulator_rows(m, data, true, NULL), q, &s.input_sign, &s.input_determinant,
    &s.input_condition, &in));
  CHECK(look(
    mbdi_manipulator_rows(m, data, false, NULL), q, &s.output_sign, &s.output_determinant,
    &s.output_condition, &out));
  s.component = (s.input_sign > 0) + 2 * (s.output_sign > 0);
  s.of_outputs = s.output_condition < s.input_condition;
  const mbdi_rows_t * rows = s.of_outputs ? &m->of_output : &m->of_input;
  const int row = s.of_outputs ? out : in;
  if (row < rows->nclosed) s.closure = closure_of(rows->model, row);
  if (row >= rows->nclosed) *(s.of_outputs ? &s.output : &s.input) = row - rows->nclosed;
  *singularity = s;
  return MBD_OK;
}

//---------- velocities ----------

// factors; singular too if a row adds nothing but rounding errors to those before
static mbd_status_t
factor_regular(mbdi_rows_t * rows)
{
  CHECK(mbdi_rows_factor(rows));
  const mbdi_lq_t * lq = &rows->lq;
  for (int i = 0; i < lq->rank; i++) {
    const double * L = lq->A + (size_t)lq->row[i] * (size_t)lq->n;
    if (L[i] * L[i] < 1e-26 * mbdi_dot(i + 1, L, L)) return MBD_ERROR_SINGULAR;
  }
  return MBD_OK;
}

// columns of T: velocities that keep the closures and give one measure of the system a unit rate
static mbd_status_t
unit_motions(mbd_manipulator_t * m, mbdi_rows_t * rows)
{
  const int nv = rows->model->nv;
  CHECK(factor_regular(rows));
  for (int k = 0; k < rows->nmeasure; k++) {
    memset(rows->b, 0, (size_t)rows->rank * sizeof *rows->b);
    rows->b[rows->closed_rank + k] = 1;
    (void)mbdi_lq_solve(&rows->lq, rows->b, rows->y, rows->step, NULL);
    for (int i = 0; i < nv; i++) {
      m->T[k * nv + i] = rows->column[i] >= 0 ? rows->step[rows->column[i]] : 0;
    }
  }
  return finite_array(m->T, rows->nmeasure * nv) ? MBD_OK : MBD_ERROR_SINGULAR;
}

// rates of measures for the motions in T
static mbd_status_t
rates(mbd_manipulator_t * m, mbdi_rows_t * rows, int n, double * G)
{
  const int nv = rows->model->nv;
  for (int i = 0; i < rows->nmeasure; i++) {
    CHECK(mbd_measure(rows->model, rows->data, &rows->measure[i], NULL, rows->g, NULL));
    for (int k = 0; k < n; k++) G[i * n + k] = mbdi_dot(nv, rows->g, m->T + k * nv);
  }
  return MBD_OK;
}

static mbd_status_t
values(mbdi_rows_t * rows, double * value)
{
  for (int k = 0; k < rows->nmeasure && value; k++) {
    CHECK(mbd_measure(rows->model, rows->data, &rows->measure[k], &value[k], NULL, NULL));
  }
  return MBD_OK;
}

mbd_status_t
mbd_manipulator_velocity(
  mbd_manipulator_t * m, mbd_data_t * data, const double * q, double * y, double * z, double * G,
  double * H)
{
  if (!m || !q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(m->of_input.model, data, 0));
  mbdi_rows_t * in = mbdi_manipulator_rows(m, data, true, NULL);
  mbdi_rows_t * out = mbdi_manipulator_rows(m, data, false, NULL);
  CHECK(mbd_set_position(in->model, data, q));
  if (G) CHECK(factor_regular(in));
  if (H) CHECK(factor_regular(out));
  CHECK(values(in, y));
  CHECK(values(out, z));
  if (G) {
    CHECK(unit_motions(m, in));
    CHECK(rates(m, out, in->nmeasure, G));
  }
  if (H) {
    CHECK(unit_motions(m, out));
    CHECK(rates(m, in, out->nmeasure, H));
  }
  return MBD_OK;
}

//---------- dynamics ----------

// acceleration at which the measures have none: closures G qdd = gamma, measures g qdd = -b
static mbd_status_t
still_acceleration(mbd_manipulator_t * m, mbdi_rows_t * rows)
{
  const mbd_model_t * model = rows->model;
  if (model->nclosure > 0) CHECK(mbd_closure_bias(model, rows->data, rows->t, m->gamma));
  for (int i = 0; i < rows->rank; i++) {
    const int row = rows->keep[i];
    if (row < rows->nclosed) {
      rows->b[i] = m->gamma[row];
      continue;
    }
    double bias;
    const mbd_measure_t * measure = &rows->measure[row - rows->nclosed];
    CHECK(mbd_measure(model, rows->data, measure, NULL, NULL, &bias));
    rows->b[i] = -bias;
  }
  (void)mbdi_lq_solve(&rows->lq, rows->b, rows->y, rows->step, NULL);
  for (int i = 0; i < model->nv; i++) {
    m->qdd[i] = rows->column[i] >= 0 ? rows->step[rows->column[i]] : 0;
  }
  return MBD_OK;
}

// T^T M T and T^T (M qdd + C), Haug 9.11
static mbd_status_t
dynamics(
  mbd_manipulator_t * m, mbdi_rows_t * rows, const double * q, const double * v, double * M,
  double * bias)
{
  const mbd_model_t * model = rows->model;
  const int nv = model->nv, n = rows->nmeasure;
  CHECK(mbd_set_position(model, rows->data, q));
  CHECK(mbd_set_velocity(model, rows->data, v));
  CHECK(unit_motions(m, rows));
  CHECK(still_acceleration(m, rows));
  CHECK(mbd_inverse_dynamics(model, rows->data, NULL, NULL, m->qdd, NULL, m->tau));
  CHECK(mbd_mass_matrix(model, rows->data, m->mass));
  for (int k = 0; k < n; k++) {
    const double * T = m->T + k * nv;
    bias[k] = mbdi_dot(nv, T, m->tau);
    for (int i = 0; i < nv; i++) m->x[i] = mbdi_dot(nv, m->mass + i * nv, T);
    for (int i = 0; i < n; i++) M[i * n + k] = mbdi_dot(nv, m->T + i * nv, m->x);
  }
  return MBD_OK;
}

mbd_status_t
mbd_manipulator_input_dynamics(
  mbd_manipulator_t * m, mbd_data_t * data, const double * q, const double * v, double * M,
  double * bias)
{
  if (!m || !q || !v || !M || !bias) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(m->of_input.model, data, 0));
  return dynamics(m, mbdi_manipulator_rows(m, data, true, NULL), q, v, M, bias);
}

mbd_status_t
mbd_manipulator_output_dynamics(
  mbd_manipulator_t * m, mbd_data_t * data, const double * q, const double * v, double * M,
  double * bias)
{
  if (!m || !q || !v || !M || !bias) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_cut(m->of_input.model, data, 0));
  if (m->info.redundant) return MBD_ERROR_UNSUPPORTED;
  return dynamics(m, mbdi_manipulator_rows(m, data, false, NULL), q, v, M, bias);
}
