/// \file identify_base.h
/// What of the parameters a robot's torques depend on at all, and how well a motion shows it.
///
///   base_find, base_free   base parameters, condition number, what was poorly excited
#ifndef IDENTIFY_BASE_H_
#define IDENTIFY_BASE_H_

#include <stdbool.h>

#include "identify_fit.h"
#include "identify_normal.h"

typedef struct base {
  int rank;          ///< base parameters: independent columns of the regressor, for any motion
  int excited;       ///< of these, what the samples show: rank of their regressor
  double condition;  ///< of the samples' regressor, columns of unit length; infinite if singular
  int * column;      ///< [rank] parameters that stand for the base parameters
  double *
    uncertainty;  ///< [rank] standard deviation over the size such a parameter of the body has
  int npoor;      ///< with an uncertainty of more than BASE_POOR
} base_t;

/// Beyond this a base parameter is called poorly excited.
#define BASE_POOR 0.3

/// False after a message; free it all the same.
/// \param[in] fit  done: its sigma and parameters are used
bool base_find(const normal_t * normal, const fit_t * fit, base_t * base);
void base_free(base_t * base);

#endif  // IDENTIFY_BASE_H_
