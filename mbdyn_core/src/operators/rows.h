// Position rows of the closures of a model together with measures that have given values: one system
// F(q) = 0, solved by steps of least norm.
#ifndef OPERATORS__ROWS_H_
#define OPERATORS__ROWS_H_

#include "mbdyn/measure.h"
#include "util/lq.h"

typedef struct mbdi_rows {
  const mbd_model_t * model;
  mbd_data_t * data;
  double t;  // of drivers [s]
  int nmeasure;
  const mbd_measure_t * measure;
  double * wanted;  // values of the measures                                    [nmeasure]
  int nclosed;      // position rows of closures, which come first
  int m;            // all rows
  int n;            // columns: degrees of freedom that move a row
  int * column;     // column of a degree of freedom, or -1                       [nv]
  int closed_rank;  // independent rows of closures
  int rank;         // independent rows, those of the closures first
  int checked;      // rows whose errors count: all, or nclosed
  int skip;         // but this one, or -1
  int * keep;       // they, ascending                                            [m]
  double * e;       // errors                                                     [m]
  double * J;       // Jacobian                                                   [m nv]
  mbdi_lq_t lq;     // of the independent rows: mbdi_rows_factor
  double * scale;   // of each row, for its error                                 [m]
  double * g;       // scratch                                                    [nv]
  double * q;       // scratch                                                    [nq]
  double * y;       // scratch                                                    [m]
  double * b;       // scratch                                                    [m]
  double * step;    // in columns                                                 [nv]
  double * v;       // in degrees of freedom                                      [nv]
  double * work;    // of factorisations
} mbdi_rows_t;

// lay out in a block at base, counting bytes in *offset; model and nmeasure are set
void mbdi_rows_lay_out(mbdi_rows_t * rows, char * base, size_t * offset);

// models that the system can have
mbd_status_t mbdi_rows_check(const mbd_model_t * model);

// columns and independent rows at q, which satisfies the closures: those of the closures first, then of the
// measures, all of them if `every`. Without `every`, MBD_ERROR_SINGULAR if measures have a lower rank at q than near it.
mbd_status_t mbdi_rows_choose(mbdi_rows_t * rows, const double * q, bool every);

// the same columns for two systems of a model: those of either
void mbdi_rows_share_columns(mbdi_rows_t * a, mbdi_rows_t * b);

// errors at q, the largest of the checked rows in *largest; sets the position stage
mbd_status_t mbdi_rows_errors(mbdi_rows_t * rows, const double * q, double * largest);

// Jacobian at the position stage, all rows
mbd_status_t mbdi_rows_jacobian(mbdi_rows_t * rows);

// Jacobian and its factors; MBD_ERROR_SINGULAR: an independent row is dependent here
mbd_status_t mbdi_rows_factor(mbdi_rows_t * rows);

// q moved to F = 0 by Newton's method, at most `iterations` steps; *taken (or NULL) is their number.
// MBD_ERROR_NOT_CONVERGED: q is not a solution
mbd_status_t mbdi_rows_correct(
  mbdi_rows_t * rows, double tolerance, int iterations, double * q, int * taken);

// q moved by a step in columns
mbd_status_t mbdi_rows_move(
  mbdi_rows_t * rows, const double * step, const double * q, double * q_out);

// q1 less q0 in columns; rotations are the shortest ones, joint angles are not wrapped
mbd_status_t mbdi_rows_difference(
  mbdi_rows_t * rows, const double * q0, const double * q1, double * step);

// unit vector that no row sees, of a system with one row less than columns; after mbdi_rows_factor
void mbdi_rows_tangent(const mbdi_rows_t * rows, double * tangent);

// logarithm of |det| and the sign of det of the independent rows, with the tangent as the last row if there
// is one row less than columns (tangent NULL otherwise); after mbdi_rows_factor
double mbdi_rows_determinant(const mbdi_rows_t * rows, const double * tangent, int * sign);

// smallest over largest singular value of the independent rows, each divided by its norm or that
// at mbdi_rows_choose if it was larger, and the row (of m)
// that is nearest to dependent on the others; overwrites the factors
double mbdi_rows_condition(mbdi_rows_t * rows, int * nearest);

#endif  // OPERATORS__ROWS_H_
