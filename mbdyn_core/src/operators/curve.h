// The curve of solutions of a system with one row less than columns.
#ifndef OPERATORS__CURVE_H_
#define OPERATORS__CURVE_H_

#include "operators/rows.h"

typedef struct mbdi_curve {
  mbdi_rows_t rows;
  double tolerance;
  double * q;             // point                                                    [nq]
  double * tangent;       // unit, in columns                                         [nv]
  double * q_next;        // trial                                                    [nq]
  double * tangent_next;  //                                                     [nv]
  double * chord;         // from q to q_next, in columns                        [nv]
  int sign;               // of the determinant with the tangent
  double logarithm;       // of its size
} mbdi_curve_t;

// lay out in a block at base; rows.model and rows.nmeasure are set
void mbdi_curve_lay_out(mbdi_curve_t * curve, char * base, size_t * offset);

// rows are chosen; corrects curve->q and finds the tangent: that which goes along `forward` (columns), or NULL:
// that whose largest component is positive
mbd_status_t mbdi_curve_begin(mbdi_curve_t * curve, const double * forward);

// one step of at most *h (any sign) from q to q_next, at the first length that stays on this branch; *h is the
// length of the arc then. False: singular, nothing is left of the step. Errors of mbd_set_position end up in
// *status, otherwise MBD_OK.
bool mbdi_curve_step(mbdi_curve_t * curve, double * h, mbd_status_t * status);

// q_next becomes the point
void mbdi_curve_accept(mbdi_curve_t * curve);

// q_next = the point of the curve near q + fraction chord
mbd_status_t mbdi_curve_between(mbdi_curve_t * curve, double fraction);

#endif  // OPERATORS__CURVE_H_
