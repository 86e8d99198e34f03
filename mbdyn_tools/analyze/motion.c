// From joint states to motion.
#include "motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// riders: t, two parts of either time, 0 for what bridges a dropout, then q, v, effort
enum { T, STAMP_S, STAMP_NS, LOG_S, LOG_NS, REAL, ARRAYS };

bool
motion_create(motion_t * m, const mbd_model_t * model, const survey_t * survey, double cutoff)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  *m = (motion_t){
    .model = model,
    .from_position = !survey->velocity,
    .cutoff = cutoff,
    .step = survey->step,
    .gap = fmax(5 * survey->step, cutoff > 0 ? 0.25 / cutoff : 0),
    .first = survey->first,
    .restart = true,
    .nrider = ARRAYS + (int)(nq + 2 * nv),
    .nsignal = (int)nv};
  const size_t width = (size_t)(m->nrider + m->nsignal);
  m->sample = calloc(3 * width + (size_t)m->nrider + 3 * nv, sizeof *m->sample);
  m->window = calloc(3 * width, sizeof *m->window);
  if (!m->sample || !m->window) return false;
  m->before = m->sample + width;
  m->between = m->before + width;
  m->rider = m->between + width;
  m->x = m->rider + m->nrider;
  m->dx = m->x + nv;
  m->ddx = m->dx + nv;
  return cutoff == 0 || smooth_create(m->nsignal, m->nrider, survey->step, cutoff, &m->smooth);
}

void
motion_free(motion_t * m)
{
  smooth_free(&m->smooth);
  free(m->sample);
  free(m->window);
  *m = (motion_t){0};
}

//---------- in ----------

static void
put_time(double * to, int64_t time)
{
  // a double does not hold nanoseconds since 1970
  to[0] = (double)(time / 1000000000);
  to[1] = (double)(time % 1000000000);
}

static int64_t
get_time(const double * from)
{
  return (int64_t)from[0] * 1000000000 + (int64_t)from[1];
}

// angles of continuous joints go on where they would wrap
static void
unwrap(const motion_t * m, const double * before, double * signal)
{
  for (int i = 0; i < m->model->nbody; i++) {
    const mbd_body_t * body = &m->model->body[i];
    if (body->type != MBD_JOINT_CONTINUOUS) continue;
    double * x = &signal[body->v_index];
    *x -= 2 * PI * round((*x - before[body->v_index]) / (2 * PI));
  }
}

static void
fill_sample(motion_t * m, const states_t * s, bool goes_on)
{
  const size_t nq = (size_t)m->model->nq, nv = (size_t)m->model->nv;
  double * signal = m->sample + m->nrider;
  memcpy(m->before, m->sample, (size_t)(m->nrider + m->nsignal) * sizeof *m->sample);
  put_time(m->sample + STAMP_S, s->stamp);
  put_time(m->sample + LOG_S, s->log_time);
  memcpy(m->sample + ARRAYS, s->input->q, nq * sizeof(double));
  memcpy(m->sample + ARRAYS + nq, s->input->v, nv * sizeof(double));
  memcpy(m->sample + ARRAYS + nq + nv, s->input->effort, nv * sizeof(double));
  memcpy(signal, m->from_position ? s->input->q : s->input->v, nv * sizeof(double));
  if (m->from_position && goes_on) unwrap(m, m->before + m->nrider, signal);
  m->sample[REAL] = 1;
}

//---------- out ----------

// differences of three samples that need not be equally far apart
static bool
push_plain(motion_t * m)
{
  const size_t width = (size_t)(m->nrider + m->nsignal);
  memmove(m->window, m->window + width, 2 * width * sizeof *m->window);
  memcpy(m->window + 2 * width, m->sample, width * sizeof *m->window);
  if (m->filled < 3) m->filled++;
  if (m->filled < 3) return false;
  const double *a = m->window, *b = a + width, *c = b + width;
  const double h = b[T] - a[T], k = c[T] - b[T];
  memcpy(m->rider, b, (size_t)m->nrider * sizeof *m->rider);
  for (int i = 0; i < m->nsignal; i++) {
    const double x = a[m->nrider + i], y = b[m->nrider + i], z = c[m->nrider + i];
    const double before = (y - x) / h, after = (z - y) / k;
    m->x[i] = y;
    m->dx[i] = (before * k + after * h) / (h + k);
    m->ddx[i] = 2 * (after - before) / (h + k);
  }
  return true;
}

static void
fill_moved(motion_t * m, moved_t * out)
{
  const int nq = m->model->nq, nv = m->model->nv;
  const double * recorded = m->rider + ARRAYS;
  *out = (moved_t){
    .stamp = get_time(m->rider + STAMP_S),
    .log_time = get_time(m->rider + LOG_S),
    .t = m->rider[T],
    .q = m->from_position ? m->x : recorded,
    .v = m->from_position ? m->dx : m->x,
    .a = m->from_position ? m->ddx : m->dx,
    .v_raw = m->from_position ? m->dx : recorded + nq,
    .effort = recorded + nq + nv,
    .restart = m->restart};
  m->restart = false;
}

typedef bool (*take_t)(void * to, const moved_t * moved);

static bool
push_row(motion_t * m, const double * row, take_t on_row, void * to)
{
  moved_t out;
  const bool full =
    m->cutoff > 0 ? smooth_push(&m->smooth, row, m->rider, m->x, m->dx, m->ddx) : push_plain(m);
  if (!full || m->rider[REAL] == 0) return true;
  fill_moved(m, &out);
  return on_row(to, &out);
}

// straight lines over what was dropped between the last two samples
static bool
bridge(motion_t * m, take_t on_row, void * to)
{
  const int width = m->nrider + m->nsignal;
  const int n = (int)lround((m->sample[T] - m->before[T]) / m->step);
  for (int k = 1; k < n; k++) {
    const double part = (double)k / n;
    for (int i = 0; i < width; i++) {
      m->between[i] = m->before[i] + part * (m->sample[i] - m->before[i]);
    }
    m->between[REAL] = 0;
    if (!push_row(m, m->between, on_row, to)) return false;
  }
  return true;
}

bool
motion_push(motion_t * m, const states_t * s, take_t on_row, void * to)
{
  const double t = (double)(s->stamp - m->first) * 1e-9;
  const bool any = m->filled > 0 || m->smooth.filled > 0;
  const bool gap = any && t - m->last > m->gap;
  // a time twice has no rate
  if (any && t <= m->last) return true;
  if (gap) {
    m->gaps++;
    m->filled = 0;
    m->smooth.filled = m->smooth.oldest = 0;
    m->restart = true;
  }
  fill_sample(m, s, any && !gap);
  m->sample[T] = m->last = t;
  if (m->cutoff > 0 && any && !gap && !bridge(m, on_row, to)) return false;
  return push_row(m, m->sample, on_row, to);
}
