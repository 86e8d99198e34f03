/// \file smooth.h
/// Values and derivatives of sampled signals: a zero-phase low-pass, then central differences.
///
///   smooth_create, smooth_free   a window for so many signals
///   smooth_push                  a new sample; the smoothed middle of the window once it is full
///
/// The low-pass is a symmetric finite impulse response (sinc under a Blackman window) of three
/// periods of the cut-off frequency on either side: half the amplitude at the cut-off, within 0.1 %
/// of all of it below half the cut-off, less than 0.1 % above one and a half. The differences are
/// those of five points, exact to fourth order in the step. Only the window is kept in memory.
#ifndef SMOOTH_H_
#define SMOOTH_H_

#include <stdbool.h>

typedef struct smooth {
  int nsignal;                     ///< signals that are smoothed
  int nrider;                      ///< numbers that come along unchanged, the time first
  int length;                      ///< samples of the window, odd
  int filled;                      ///< samples in it
  int oldest;                      ///< where the oldest one is
  double * row;                    ///< [length x (nrider + nsignal)] ring of samples
  double *value, *first, *second;  ///< [length] weights; derivatives per step
} smooth_t;

/// \param[in] step    [s] between two samples
/// \param[in] cutoff  [Hz], below 0.4 / step
/// \return false if the window does not fit into memory; free it all the same
bool smooth_create(int nsignal, int nrider, double step, double cutoff, smooth_t * smooth);
void smooth_free(smooth_t * smooth);

/// Samples of the window for these: what a table must have at least.
double smooth_length(double step, double cutoff);

/// Take a sample; true if the window is full. Then the riders of its middle, and the smoothed
/// signals with their first and second derivatives there.
/// \param[in]  sample  riders (time [s] first), then signals
/// \param[out] rider   [nrider]
/// \param[out] x, dx, ddx  [nsignal]
bool smooth_push(
  smooth_t * smooth, const double * sample, double * rider, double * x, double * dx, double * ddx);

#endif  // SMOOTH_H_
