// Manipulators: their parts.
#ifndef OPERATORS__MANIPULATOR_INTERNAL_H_
#define OPERATORS__MANIPULATOR_INTERNAL_H_

#include "mbdyn/manipulator.h"
#include "operators/curve.h"

struct mbd_manipulator {
  mbd_manipulator_options_t options;
  mbd_manipulator_info_t info;
  mbdi_rows_t of_input, of_output;  // Omega, Lambda
  mbdi_curve_t curve;               // of one of them without a row
  double * T;         // columns of the solution of unit velocities                 [nv freedom]
  double * mass;      //                                                            [nv nv]
  double *qdd, *tau;  //                                                            [nv]
  double * gamma;     //                                                            [nrow]
  double * start;     // values                                                     [freedom]
  double * change;    //                                                            [freedom]
  double * e;         //                                                            [freedom]
  double * P;         // rows of measures within the closures                       [freedom nv]
  double *A, *L;  //                                                            [freedom freedom]
  double * x;     // step                                                       [nv]
  double *q, *q_try, *q_best, *q_seed;  //                                              [nq]
};

// the system of the inputs or of the outputs, with these wanted values
mbdi_rows_t * mbdi_manipulator_rows(
  mbd_manipulator_t * manipulator, mbd_data_t * data, bool of_inputs, const double * value);

// a square system
static inline bool
mbdi_manipulator_square(const mbdi_rows_t * rows)
{
  return rows->rank == rows->n;
}

// furthest outside its limits of a degree of freedom, and which; not positive: within them
double mbdi_manipulator_outside(const mbd_manipulator_t * manipulator, const double * q, int * dof);

// damped steps within the closures to the nearest values; true: reached
mbd_status_t mbdi_manipulator_descend(
  mbd_manipulator_t * manipulator, mbdi_rows_t * rows, double * q, double * error);

// closures alone, from q
mbd_status_t mbdi_manipulator_assemble(
  mbd_manipulator_t * manipulator, mbdi_rows_t * rows, int iterations, double * q);

// a random configuration, not assembled
mbd_status_t mbdi_manipulator_random(
  mbd_manipulator_t * manipulator, const mbdi_rows_t * rows, uint64_t number, const double * seed,
  double * q);

#endif  // OPERATORS__MANIPULATOR_INTERNAL_H_
