// Recorded motions for `mbdyn identify`: joint by joint from a table, a sample at a time.
#include "identify_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

// names that a message lists before it stops; steps that differ by more are no steady clock
enum { LISTED = 8 };
static const double JITTER = 0.2;

// what a joint has, in the order of samples->source
static const char * const QUANTITY[4] = {"q_", "v_", "a_", "tau_"};

//---------- columns ----------

// which number of a sample a column is: 0 for t, 1 + 4 joint + quantity, or -1
static int
meaning(const mbd_model_t * model, const char * name)
{
  if (strcmp(name, "t") == 0) return 0;
  for (int k = 0; k < 4; k++) {
    const size_t length = strlen(QUANTITY[k]);
    if (strncmp(name, QUANTITY[k], length) != 0) continue;
    for (int i = 0; i < model->nbody; i++) {
      if (strcmp(name + length, model->body[i].joint_name) == 0) return 1 + 4 * i + k;
    }
  }
  return -1;
}

// v and a are not looked for when they are computed
static bool
is_needed(const samples_t * samples, int what)
{
  const int quantity = (what - 1) % 4;
  return what == 0 || samples->cutoff == 0 || (quantity != 1 && quantity != 2);
}

static void
warn_ignored(const samples_t * samples)
{
  const csv_t * csv = &samples->csv;
  int n = 0;
  for (int c = 0; c < csv->ncolumn; c++) {
    if (samples->wanted[c]) continue;
    if (n == 0) fprintf(stderr, "%s: warning: unused columns:", csv->source);
    if (n < LISTED) fprintf(stderr, "%s %s", n ? "," : "", csv->name[c]);
    n++;
  }
  if (n > LISTED) fprintf(stderr, " and %d more", n - LISTED);
  if (n > 0) fputc('\n', stderr);
}

// the name that a column should have
static void
column_name(const mbd_model_t * model, int what, char * name, size_t size)
{
  if (what == 0) {
    snprintf(name, size, "t");
  } else {
    snprintf(name, size, "%s%s", QUANTITY[(what - 1) % 4], model->body[(what - 1) / 4].joint_name);
  }
}

static bool
refuse_missing(const samples_t * samples)
{
  const csv_t * csv = &samples->csv;
  char name[300], first[300] = "";
  bool derivative = false;
  int n = 0;
  for (int what = 0; what < 1 + 4 * samples->model->nbody; what++) {
    if (samples->source[what] >= 0 || !is_needed(samples, what)) continue;
    column_name(samples->model, what, name, sizeof name);
    if (n == 0) {
      snprintf(first, sizeof first, "%s", name);
      fprintf(stderr, "%s:%ld: missing columns:", csv->source, csv->line);
    }
    if (n < LISTED) fprintf(stderr, "%s %s", n ? "," : "", name);
    derivative = derivative || (what > 0 && ((what - 1) % 4 == 1 || (what - 1) % 4 == 2));
    n++;
  }
  if (n == 0) return false;
  if (n > LISTED) fprintf(stderr, " and %d more", n - LISTED);
  closest_t closest = closest_to(first);
  for (int c = 0; c < csv->ncolumn; c++) {
    if (!samples->wanted[c]) closest_offer(&closest, csv->name[c]);
  }
  if (closest.best) fprintf(stderr, "; is column '%s' a misspelling of %s?", closest.best, first);
  if (derivative) fputs("; --differentiate computes v and a from q", stderr);
  fputc('\n', stderr);
  return true;
}

static bool
find_columns(samples_t * samples)
{
  const csv_t * csv = &samples->csv;
  for (int what = 0; what < 1 + 4 * samples->model->nbody; what++) samples->source[what] = -1;
  for (int c = 0; c < csv->ncolumn; c++) {
    const int what = meaning(samples->model, csv->name[c]);
    if (what < 0 || !is_needed(samples, what)) continue;
    if (samples->source[what] >= 0) {
      csv_refuse(csv, c, "duplicate of column %d", samples->source[what] + 1);
      return false;
    }
    samples->source[what] = c;
    samples->wanted[c] = true;
  }
  if (refuse_missing(samples)) return false;
  warn_ignored(samples);
  return true;
}

bool
samples_open(const char * path, const mbd_model_t * model, double cutoff, samples_t * samples)
{
  *samples = (samples_t){.model = model, .cutoff = cutoff};
  if (!csv_open(path, &samples->csv)) return false;
  const size_t n = (size_t)model->nbody;
  samples->source = calloc(1 + 4 * n, sizeof *samples->source);
  samples->wanted = calloc((size_t)samples->csv.ncolumn, sizeof *samples->wanted);
  samples->x = calloc(4 * n + 1 + 2 * n + 1 + n, sizeof *samples->x);
  if (!samples->source || !samples->wanted || !samples->x) {
    fputs("mbdyn identify: out of memory\n", stderr);
    return false;
  }
  double * x = samples->x;
  samples->sample = (sample_t){0, x, x + n, x + 2 * n, x + 3 * n};
  samples->raw = x + 4 * n;
  samples->rider = samples->raw + 1 + 2 * n;
  return find_columns(samples);
}

void
samples_close(samples_t * samples)
{
  csv_close(&samples->csv);
  smooth_free(&samples->smooth);
  free(samples->source);
  free(samples->wanted);
  free(samples->x);
  *samples = (samples_t){0};
}

//---------- rows ----------

static double
number_of(const samples_t * samples, int joint, int quantity)
{
  return samples->csv.number[samples->source[1 + 4 * joint + quantity]];
}

// the next row; its time must be after the last one's
static int
next_row(samples_t * samples)
{
  const int code = csv_next(&samples->csv, samples->wanted);
  if (code <= 0) return code;
  const int c = samples->source[0];
  const double t = samples->csv.number[c];
  if (samples->nrow > 0 && !(t > samples->t_last)) {
    return csv_refuse(
      &samples->csv, c, "time %g is not later than the previous time %g", t, samples->t_last);
  }
  const double step = t - samples->t_last;
  if (samples->nrow == 1) samples->step = step;
  const bool steady = samples->nrow < 2 || fabs(step - samples->step) <= JITTER * samples->step;
  if (samples->cutoff > 0 && !steady) {
    return csv_refuse(
      &samples->csv, c,
      "time step of %g s after steps of %g s; --differentiate needs a constant sample rate", step,
      samples->step);
  }
  samples->t_last = t;
  samples->nrow++;
  return 1;
}

static int
count_sample(samples_t * samples, double t)
{
  if (samples->nsample == 0) samples->t_first = t;
  samples->nsample++;
  samples->sample.t = t;
  return 1;
}

static int
next_as_given(samples_t * samples)
{
  const int code = next_row(samples);
  if (code <= 0) return code;
  const sample_t * s = &samples->sample;
  double * const to[4] = {s->q, s->v, s->a, s->tau};
  for (int i = 0; i < samples->model->nbody; i++) {
    for (int k = 0; k < 4; k++) to[k][i] = number_of(samples, i, k);
  }
  return count_sample(samples, samples->t_last);
}

//---------- derivatives ----------

// a window for the clock of this table, once its step is known
static bool
start_smoothing(samples_t * samples)
{
  const int n = samples->model->nbody;
  if (!(samples->cutoff * samples->step <= 0.4)) {
    fprintf(
      stderr, "%s: --cutoff %g Hz is too high for %g samples per second; at most %g\n",
      samples->csv.source, samples->cutoff, 1 / samples->step, 0.4 / samples->step);
    return false;
  }
  if (!smooth_create(n, 1 + n, samples->step, samples->cutoff, &samples->smooth)) {
    fprintf(
      stderr, "%s: --cutoff %g Hz is too low: it needs a filter window of %.0f samples\n",
      samples->csv.source, samples->cutoff, smooth_length(samples->step, samples->cutoff));
    return false;
  }
  return true;
}

static void
keep_raw(samples_t * samples)
{
  const int n = samples->model->nbody;
  samples->raw[0] = samples->t_last;
  for (int i = 0; i < n; i++) {
    samples->raw[1 + i] = number_of(samples, i, 3);
    samples->raw[1 + n + i] = number_of(samples, i, 0);
  }
}

static int
refuse_short(const samples_t * samples)
{
  fprintf(
    stderr, "%s: %ld rows are too few for --differentiate: its filter window has %d\n",
    samples->csv.source, samples->nrow, samples->smooth.length);
  return -1;
}

static int
next_smoothed(samples_t * samples)
{
  const sample_t * s = &samples->sample;
  for (;;) {
    const bool second = samples->nrow == 1;
    const int code = next_row(samples);
    if (code == 0 && samples->nsample == 0 && samples->nrow > 1) return refuse_short(samples);
    if (code <= 0) return code;
    bool full = false;
    if (second) {
      // the first row has waited for the step to be known
      if (!start_smoothing(samples)) return -1;
      full = smooth_push(&samples->smooth, samples->raw, samples->rider, s->q, s->v, s->a);
    }
    keep_raw(samples);
    if (samples->nrow > 1) {
      full = smooth_push(&samples->smooth, samples->raw, samples->rider, s->q, s->v, s->a);
    }
    if (!full) continue;
    const size_t n = (size_t)samples->model->nbody;
    memcpy(s->tau, samples->rider + 1, n * sizeof *s->tau);
    return count_sample(samples, samples->rider[0]);
  }
}

int
samples_next(samples_t * samples)
{
  return samples->cutoff > 0 ? next_smoothed(samples) : next_as_given(samples);
}
