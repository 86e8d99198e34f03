// What an analysis found.
#include "findings.h"

#include <math.h>
#include <stdlib.h>

const char * const LIMIT_NAMES[LIMIT_KINDS] = {"lower", "upper", "velocity", "effort"};

bool
findings_create(findings_t * f, const mbd_model_t * model)
{
  const size_t nv = (size_t)model->nv;
  *f = (findings_t){.model = model, .measured = true};
  f->range = calloc(nv * Q_COUNT, sizeof *f->range);
  f->reached = calloc(nv * LIMIT_KINDS, sizeof *f->reached);
  for (size_t i = 0; f->reached && i < nv * LIMIT_KINDS; i++) f->reached[i].since = -1;
  return f->range && f->reached;
}

void
findings_free(findings_t * f)
{
  free(f->range);
  free(f->reached);
  *f = (findings_t){0};
}

//---------- ranges ----------

static void
range_add(range_t * r, double x, double t)
{
  if (!isfinite(x)) return;
  if (r->n == 0 || fabs(x) > fmax(fabs(r->min), fabs(r->max))) r->peak_t = t;
  r->min = r->n == 0 ? x : fmin(r->min, x);
  r->max = r->n == 0 ? x : fmax(r->max, x);
  r->rms += x * x;
  r->n++;
}

static void
range_end(range_t * r)
{
  if (r->n > 0) r->rms = sqrt(r->rms / (double)r->n);
}

//---------- limits ----------

double
findings_limit(const mbd_model_t * model, int dof, limit_kind_t kind)
{
  const mbd_limits_t * l = &model->body[model->dof_body[dof]].limits;
  if (kind == LIMIT_LOWER) return l->lower;
  if (kind == LIMIT_UPPER) return l->upper;
  return kind == LIMIT_VELOCITY ? l->velocity : l->effort;
}

// how far beyond the limit a value is; NaN counts as within
static double
beyond(const mbd_model_t * model, int dof, limit_kind_t kind, double x)
{
  const double limit = findings_limit(model, dof, kind);
  const double lower = findings_limit(model, dof, LIMIT_LOWER);
  const double upper = findings_limit(model, dof, LIMIT_UPPER);
  const double range = isfinite(upper - lower) ? upper - lower : 0;
  if (!isfinite(limit) || !isfinite(x)) return -1;
  if (kind == LIMIT_LOWER) return limit + 1e-3 * range - x;
  if (kind == LIMIT_UPPER) return x - limit + 1e-3 * range;
  return limit > 0 ? fabs(x) - (1 - 1e-3) * limit : -1;
}

static void
end_stretch(reached_t * r, double t)
{
  if (r->since < 0) return;
  r->total += t - r->since;
  r->longest = fmax(r->longest, t - r->since);
  r->last = t;
  r->since = -1;
}

static void
look_at_limit(findings_t * f, int dof, limit_kind_t kind, double x, double t)
{
  reached_t * r = &f->reached[dof * LIMIT_KINDS + (int)kind];
  if (beyond(f->model, dof, kind, x) < 0) {
    end_stretch(r, t);
    return;
  }
  const bool farther = kind == LIMIT_LOWER ? x < r->extreme : fabs(x) > fabs(r->extreme);
  if (r->times == 0 || farther) r->extreme = x;
  if (r->since >= 0) return;
  if (r->times == 0) r->first = t;
  r->times++;
  r->since = t;
}

static void
look_at_limits(findings_t * f, const row_t * row)
{
  for (int i = 0; i < f->model->nv; i++) {
    const double measured = row->x[Q_MEASURED][i];
    look_at_limit(f, i, LIMIT_LOWER, row->x[Q_POSITION][i], row->t);
    look_at_limit(f, i, LIMIT_UPPER, row->x[Q_POSITION][i], row->t);
    look_at_limit(f, i, LIMIT_VELOCITY, row->x[Q_VELOCITY][i], row->t);
    // what the motor gave, or, where that is not recorded, what it must have given
    look_at_limit(f, i, LIMIT_EFFORT, isfinite(measured) ? measured : row->x[Q_TOTAL][i], row->t);
  }
}

static void
end_stretches(findings_t * f, double t)
{
  for (int i = 0; i < f->model->nv * LIMIT_KINDS; i++) end_stretch(&f->reached[i], t);
}

//---------- energies ----------

static void
add_work(findings_t * f, const row_t * row)
{
  const row_t * b = &f->before;
  const double half = (row->t - b->t) / 2;
  f->work_model += half * (b->power_model + row->power_model);
  f->work_measured += half * (b->power_measured + row->power_measured);
  f->work_friction += half * (b->power_friction + row->power_friction);
  // the observer starts a step later than the rest
  const double external = half * (b->power_external + row->power_external);
  if (isfinite(external)) f->work_external += external;
  f->energy_change += row->kinetic + row->potential - b->kinetic - b->potential;
}

void
findings_take(findings_t * f, const row_t * row)
{
  const int nv = f->model->nv;
  if (f->rows == 0) {
    f->t_first = row->t;
  } else if (row->restart) {
    f->gaps++;
    end_stretches(f, f->t_last);
  } else {
    add_work(f, row);
  }
  for (int i = 0; i < nv; i++) {
    for (int k = 0; k < Q_COUNT; k++) range_add(&f->range[i * Q_COUNT + k], row->x[k][i], row->t);
  }
  range_add(&f->kinetic, row->kinetic, row->t);
  range_add(&f->potential, row->potential, row->t);
  range_add(&f->power, row->power_model, row->t);
  look_at_limits(f, row);
  f->measured = f->measured && isfinite(row->power_measured);
  f->observed = f->observed || isfinite(row->power_external);
  f->t_last = row->t;
  f->before = *row;
  f->rows++;
}

void
findings_end(findings_t * f)
{
  end_stretches(f, f->t_last);
  for (int i = 0; i < f->model->nv * Q_COUNT; i++) range_end(&f->range[i]);
  range_end(&f->kinetic);
  range_end(&f->potential);
  range_end(&f->power);
}
