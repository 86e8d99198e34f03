/// \file identify_report.h
/// What `mbdyn identify` found, for people, for programs, and as a robot description.
///
///   identify_result_t        everything that is reported
///   identify_print           tables
///   identify_write_json      JSON
///   identify_write_urdf      the URDF with the new parameters in it
#ifndef IDENTIFY_REPORT_H_
#define IDENTIFY_REPORT_H_

#include <stdbool.h>
#include <stdio.h>

#include "identify_base.h"
#include "identify_fit.h"
#include "identify_normal.h"

/// Torques of a recording, and how far the robot's are from them; root mean squares.
typedef struct recording {
  const char * source;  ///< NULL: there is none
  long nsample;
  double duration;  ///< [s]
  double * tau;     ///< [nv] measured
  double * before;  ///< [nv] less those of the URDF's parameters
  double * after;   ///< [nv] less those of the parameters found
} recording_t;

typedef struct identify_result {
  const mbd_model_t * model;
  normal_terms_t terms;
  double cutoff;  ///< [Hz] of derivatives; 0: none were computed
  const normal_t * normal;
  const fit_t * fit;
  const base_t * base;
  double * theta;   ///< [parameters with drives] found, or kept
  double * margin;  ///< [nbody] of consistency: mbd_parameters_check
  recording_t data, validation;
} identify_result_t;

void identify_print(FILE * to, const identify_result_t * result);
void identify_write_json(FILE * to, const identify_result_t * result);

/// A copy of a URDF in which moving links have the parameters found. False after a message.
bool identify_write_urdf(
  const char * urdf_path, const char * path, const identify_result_t * result);

#endif  // IDENTIFY_REPORT_H_
