// Values and derivatives of sampled signals: a zero-phase low-pass, then central differences.
#include "smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// five-point differences reach two samples to either side
enum { REACH = 2 };

// periods of the cut-off frequency on either side of the middle
static const double PERIODS = 3;

//---------- weights ----------

// low-pass of half-length n: sinc under a Blackman window, of sum 1
static void
low_pass(int n, double cutoff_per_sample, double * weight)
{
  double sum = 0;
  for (int i = -n; i <= n; i++) {
    const double x = 2 * PI * cutoff_per_sample * i, w = PI * i / (n + 1);
    const double sinc = i == 0 ? 1 : sin(x) / x;
    weight[i + n] = sinc * (0.42 + 0.5 * cos(w) + 0.08 * cos(2 * w));
    sum += weight[i + n];
  }
  for (int i = 0; i <= 2 * n; i++) weight[i] /= sum;
}

// a difference of five points of the low-passed signal, as weights of the raw one
static void
combine(int n, const double * low, const double * five, double * weight)
{
  memset(weight, 0, (size_t)(2 * (n + REACH) + 1) * sizeof *weight);
  for (int k = 0; k <= 2 * REACH; k++) {
    for (int i = 0; i <= 2 * n; i++) weight[i + k] += five[k] * low[i];
  }
}

double
smooth_length(double step, double cutoff)
{
  // a step that is 0.005 but for rounding is 0.005
  return 2 * (ceil((1 - 1e-6) * PERIODS / (cutoff * step)) + REACH) + 1;
}

bool
smooth_create(int nsignal, int nrider, double step, double cutoff, smooth_t * smooth)
{
  static const double VALUE[5] = {0, 0, 1, 0, 0};
  static const double FIRST[5] = {1. / 12, -8. / 12, 0, 8. / 12, -1. / 12};
  static const double SECOND[5] = {-1. / 12, 16. / 12, -30. / 12, 16. / 12, -1. / 12};
  *smooth = (smooth_t){.nsignal = nsignal, .nrider = nrider};
  const double length = smooth_length(step, cutoff);
  // a window of a million samples is a mistake
  if (!(length < 1e6)) return false;
  smooth->length = (int)length;
  const size_t width = (size_t)(nsignal + nrider), n = (size_t)smooth->length;
  double * weight = calloc(4 * n, sizeof *weight);
  smooth->value = weight;
  smooth->row = calloc(width * n, sizeof *smooth->row);
  if (!weight || !smooth->row) return false;
  smooth->first = weight + n;
  smooth->second = weight + 2 * n;

  const int half = smooth->length / 2 - REACH;
  double * low = weight + 3 * n;
  low_pass(half, cutoff * step, low);
  combine(half, low, VALUE, smooth->value);
  combine(half, low, FIRST, smooth->first);
  combine(half, low, SECOND, smooth->second);
  return true;
}

void
smooth_free(smooth_t * smooth)
{
  // the other weights are in the same block
  free(smooth->value);
  free(smooth->row);
  *smooth = (smooth_t){0};
}

//---------- samples ----------

// sample i of the window, the oldest being 0
static const double *
sample_at(const smooth_t * smooth, int i)
{
  int slot = smooth->oldest + i;
  if (slot >= smooth->length) slot -= smooth->length;
  return smooth->row + (size_t)slot * (size_t)(smooth->nsignal + smooth->nrider);
}

static void
keep(smooth_t * smooth, const double * sample)
{
  const size_t width = (size_t)(smooth->nsignal + smooth->nrider);
  const bool full = smooth->filled == smooth->length;
  const int slot = full ? smooth->oldest : smooth->filled;
  memcpy(smooth->row + (size_t)slot * width, sample, width * sizeof *sample);
  if (full) {
    smooth->oldest = (smooth->oldest + 1) % smooth->length;
  } else {
    smooth->filled++;
  }
}

// Sums over the window. Weights are even, those of the first derivative odd: what is as long before
// the middle as after it is added, or subtracted, first.
static void
sum_up(const smooth_t * smooth, double * restrict x, double * restrict dx, double * restrict ddx)
{
  const int n = smooth->nsignal, middle = smooth->length / 2;
  const double * signal = sample_at(smooth, middle) + smooth->nrider;
  for (int k = 0; k < n; k++) {
    x[k] = smooth->value[middle] * signal[k];
    dx[k] = 0;
    ddx[k] = smooth->second[middle] * signal[k];
  }
  for (int i = 1; i <= middle; i++) {
    const double * before = sample_at(smooth, middle - i) + smooth->nrider;
    const double * after = sample_at(smooth, middle + i) + smooth->nrider;
    const double value = smooth->value[middle + i], first = smooth->first[middle + i];
    const double second = smooth->second[middle + i];
    for (int k = 0; k < n; k++) {
      const double sum = after[k] + before[k];
      x[k] += value * sum;
      dx[k] += first * (after[k] - before[k]);
      ddx[k] += second * sum;
    }
  }
}

bool
smooth_push(
  smooth_t * smooth, const double * sample, double * rider, double * x, double * dx, double * ddx)
{
  keep(smooth, sample);
  if (smooth->filled < smooth->length) return false;
  const size_t n = (size_t)smooth->nsignal;
  sum_up(smooth, x, dx, ddx);
  // the step is that of the window as a whole: clocks jitter
  const int last = smooth->length - 1;
  const double step = (sample_at(smooth, last)[0] - sample_at(smooth, 0)[0]) / last;
  for (size_t k = 0; k < n; k++) dx[k] /= step, ddx[k] /= step * step;
  memcpy(rider, sample_at(smooth, last / 2), (size_t)smooth->nrider * sizeof *rider);
  return true;
}
