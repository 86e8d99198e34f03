// Forces of least norm in friction cones that give a wrench, or the nearest one that they can give.
#ifndef CONE_FORCES_H_
#define CONE_FORCES_H_

#include <stdbool.h>

#include "mbdyn/types.h"

typedef struct mbdi_cone_point {
  mbd_vec3_t arm;     // from where moments are about
  mbd_vec3_t normal;  // unit
  double friction;
  mbd_vec3_t force;  // out
} mbdi_cone_point_t;

// min |f|^2 with sum (arm x f, f) = wrench in the cones |f_t| <= friction f_n; where there is none, the
// same for the wrench with the least missing^T metric^-1 missing. Six numbers are angular first, and of
// similar size in both parts: moments are divided by a length of the order of the arms.
//   metric   symmetric positive definite, row-major
//   missing  wrench less that of the forces
// Returns whether the wrench is reached. At most 100 Newton steps.
bool mbdi_cone_forces(
  int n, mbdi_cone_point_t * point, const double wrench[6], const double metric[36],
  double missing[6], int * iterations);

#endif  // CONE_FORCES_H_
