/// \file ik_output.h
/// What `mbdyn ik` found, as text or JSON.
#ifndef IK_OUTPUT_H_
#define IK_OUTPUT_H_

#include "mbdyn/ik.h"

typedef struct ik_found {
  const mbd_model_t * model;
  const mbd_ik_targets_t * targets;
  bool all;  ///< all solutions were asked for
  bool ignore_limits;
  bool beyond_limits;  ///< no solution within limits, but one without
  mbd_ik_form_t form;
  mbd_ik_result_t result;            ///< of the first row
  int n;                             ///< solutions; 0: the only row is the nearest pose found
  const double * q;                  ///< [max(n, 1) nq]
  const mbd_ik_measure_t * measure;  ///< of each row
  const mbd_placement_t * reached;   ///< poses of the targets' frames in the first row
} ik_found_t;

void ik_text(const ik_found_t * found);
void ik_json(const ik_found_t * found);

#endif  // IK_OUTPUT_H_
