/// \file curves.h
/// Curves of a fixed size for plots, however many rows there are: the least and the greatest value
/// of each slice of time, so that no peak is lost.
///
///   curves_create, curves_free, curves_take
///   curves_write      as JSON
#ifndef CURVES_H_
#define CURVES_H_

#include "json_out.h"
#include "terms.h"

/// Curves of the whole robot, after those of the joints.
typedef enum robot_curve {
  CURVE_KINETIC,
  CURVE_POTENTIAL,
  CURVE_ENERGY,
  CURVE_POWER_MODEL,
  CURVE_POWER_MEASURED,
  CURVE_POWER_FRICTION,
  CURVE_ROBOT_COUNT
} robot_curve_t;

typedef struct curves {
  int nv;
  int slices;
  double first, last;  ///< [s]
  int ncurve;
  float * min;  ///< [ncurve][slices]; min > max: nothing there
  float * max;
} curves_t;

/// Index of a curve.
int curve_of_joint(int dof, quantity_t what);
int curve_of_robot(const curves_t * curves, robot_curve_t what);

/// \param[in] first, last  range of time [s]
/// \return false if out of memory
bool curves_create(curves_t * curves, int nv, double first, double last);
/// The same with ncurve curves of any meaning.
bool curves_allocate(curves_t * curves, int ncurve, double first, double last);
void curves_free(curves_t * curves);
/// A value of one curve at time t.
void curves_add(curves_t * curves, int curve, double t, double x);
void curves_take(curves_t * curves, const row_t * row);

/// {"min": ..., "max": ..., "data": "..."}: for each slice two numbers of 16 bits, little endian, in
/// base64, that count from min (0) to max (65534); 65535 is nothing. null if the curve is empty.
void curves_write(json_out_t * out, const char * key, const curves_t * curves, int curve);

/// A page with the JSON text in place of its mark "@DATA@".
void page_write(FILE * out, const char * page, const json_out_t * data);

#endif  // CURVES_H_
