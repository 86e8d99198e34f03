/// \file bearing_oracle.h
/// Mechanisms with friction in redundant coordinates: accelerations with friction that depends on the multipliers, by
/// the formulas of Haug, 8.4 and 8.5. Nothing of the library is in it.
#ifndef BEARING_ORACLE_H_
#define BEARING_ORACLE_H_

#include <stdbool.h>

#include "dae_reference.h"

/// Brown and McPhee (8.1.12).
typedef struct curve {
  double mu_static, mu_dynamic, velocity;
} curve_t;

double oracle_coefficient(const curve_t * c, double v);

/// |x|, smooth below the curve's velocity (8.1.13).
double oracle_size(const curve_t * c, double x);

enum { BEARINGS = 5 };

typedef enum kind { PIN, GUIDE, SLEEVE, SHAFT } kind_t;

/// A joint of rows first to last - 1 between body a (or the ground) and body b. PIN and GUIDE are planar. axis: of the
/// joint in the axes of a. Points of contact are on b at its origin, or on a at `at`.
typedef struct joint {
  kind_t kind;
  int first, last, a, b;
  double axis[3], radius, span;
  bool on_a;
  double at[3];
} joint_t;

typedef struct oracle {
  dae_system_t system;
  curve_t curve;
  joint_t joint[BEARINGS];
  int joints;
  double load[BEARINGS];
} oracle_t;

void oracle_cross(const double * a, const double * b, double x[3]);

/// Adds a force at the origin of a body and a moment, in world axes, to generalised forces.
void oracle_act(
  const oracle_t * o, int body, const double * q, const double * F, const double * T, double * Q);

/// Accelerations; false if no loads solve the equations.
bool oracle_accelerations(oracle_t * o, const double * q, const double * qd, double * out);

#endif  // BEARING_ORACLE_H_
