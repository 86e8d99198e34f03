/// \file identify_samples.h
/// Recorded motions for `mbdyn identify`: joint by joint from a table, a sample at a time.
///
///   samples_open, samples_close   find the columns of every joint
///   samples_next                  the next sample
#ifndef IDENTIFY_SAMPLES_H_
#define IDENTIFY_SAMPLES_H_

#include <stdbool.h>

#include "csv.h"
#include "mbdyn/model.h"
#include "smooth.h"

/// One sample, in the order of the model's joints; [nv] each.
typedef struct sample {
  double t;
  double *q, *v, *a, *tau;
} sample_t;

typedef struct samples {
  const mbd_model_t * model;
  csv_t csv;
  double cutoff;       ///< [Hz] of the derivatives; 0: v and a are in the table
  int * source;        ///< column of t, and of q, v, a, tau of each joint; [1 + 4 nv]
  bool * wanted;       ///< [columns of the table]
  double * x;          ///< numbers of the sample
  double * raw;        ///< t, tau, q as read, for the low-pass; [1 + 2 nv]
  double * rider;      ///< t, tau of the smoothed sample; [1 + nv]
  double t_last;       ///< of the row last read
  long nrow, nsample;  ///< rows read, samples given
  double step;         ///< between the first two rows [s]
  double t_first;      ///< of the first sample
  smooth_t smooth;
  sample_t sample;  ///< points into x
} samples_t;

/// Open a table and find the columns of all joints, each of which has one degree of freedom. False
/// after a message; close it all the same.
/// \param[in] path    CSV file, or "-" for standard input
/// \param[in] cutoff  [Hz] compute v and a from q below this frequency; 0: take them as given
bool samples_open(const char * path, const mbd_model_t * model, double cutoff, samples_t * samples);
void samples_close(samples_t * samples);

/// The next sample, in samples->sample.
/// \return 1; 0 at the end; -1 after a message
int samples_next(samples_t * samples);

#endif  // IDENTIFY_SAMPLES_H_
