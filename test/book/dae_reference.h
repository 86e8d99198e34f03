/// \file dae_reference.h
/// Redundant coordinates integrated as differential-algebraic equations of index 1, 2 or 3: Haug, chapter 7. Only for
/// tests: what the book shows of these methods, beside our charts. Nothing of the library is in it.
///
/// Bodies are planar (x, y, phi) or spatial (r, Euler parameters); every row is a product of two vectors,
/// Phi = scale u.w - constant, so that its derivatives follow from those of the vectors.
#ifndef DAE_REFERENCE_H_
#define DAE_REFERENCE_H_

#include <stdbool.h>

enum { DAE_BODIES = 4, DAE_N = 14, DAE_M = 13 };  // bodies, coordinates, rows at most
enum { DAE_GROUND = -1 };

/// Vector with derivatives: from point s_i of body i to point s_j of body j; direction s_i of body i, of the ground a
/// constant; Euler parameters of body i.
typedef enum dae_kind { DAE_DIFFERENCE, DAE_DIRECTION, DAE_PARAMETERS } dae_kind_t;

typedef struct dae_vector {
  dae_kind_t kind;
  int i, j;
  double s_i[3], s_j[3];
} dae_vector_t;

typedef struct dae_row {
  dae_vector_t u, w;
  double scale, constant;
  // found when it is added: coordinates of its bodies; u is constant; u and w are the same
  int columns, column[DAE_N];
  bool fixed, square;
} dae_row_t;

typedef void (*dae_force_fn)(const void * ctx, const double * q, const double * qd, double * Q);

/// A system: centroidal bodies, rows, applied forces beside gravity (null: none).
typedef struct dae_system {
  bool planar;
  int bodies, n, m;
  double mass[DAE_BODIES], inertia[DAE_BODIES][3], gravity[3];
  dae_row_t row[DAE_M];
  dae_force_fn force;
  const void * ctx;
} dae_system_t;

void dae_body(dae_system_t * s, double mass, double jx, double jy, double jz);
void dae_points_meet(
  dae_system_t * s, int i, const double * s_i, int j, const double * s_j, int dimensions);
void dae_distance(
  dae_system_t * s, int i, const double * s_i, int j, const double * s_j, double length);
/// a of body i is normal to b of body j.
void dae_normal(dae_system_t * s, int i, const double * a, int j, const double * b);
/// a of body i is normal to the line from s_i to s_j.
void dae_normal_to_line(
  dae_system_t * s, int i, const double * s_i, const double * a, int j, const double * s_j);
/// Rows of norm 1 of all Euler parameters: last.
void dae_normalise(dae_system_t * s);

typedef enum dae_method { DAE_RKFN45, DAE_TRAPEZOIDAL, DAE_HHT } dae_method_t;

typedef struct dae_options {
  dae_method_t method;  // HHT: alpha = -1/3
  int index;            // 1, 2 or 3; 1 with RKFN45
  double intol, atol;
  double h, hmax;
  bool fixed;    // step h
  bool correct;  // position, velocity and acceleration beyond 1e-4, 1e-3 and 1e-2
} dae_options_t;

typedef enum dae_end { DAE_DONE, DAE_NO_CONVERGENCE, DAE_STEP_VANISHED, DAE_DIVERGED } dae_end_t;

typedef struct dae_result {
  dae_end_t end;
  int steps, rejected, corrected;
  double t;
  double q[DAE_N], qd[DAE_N], qdd[DAE_N], lambda[DAE_M];
  double position, velocity, acceleration;  // largest norms of the errors of constraints
  double equation;                          // largest norm of V^T (M qdd - S - Q)
  double energy_start, energy;              // kinetic and of gravity
} dae_result_t;

/// Integrate from q, qd to a time. watch, if not null, sees every step.
dae_result_t dae_integrate(
  const dae_system_t * s, const dae_options_t * options, const double * q, const double * qd,
  double end, void (*watch)(void * ctx, const dae_result_t * r), void * ctx);

/// Index 1 at a state: accelerations and multipliers, and their responses to k further forces alone. J: the rows'
/// Jacobian. False if singular.
bool dae_respond(
  const dae_system_t * s, const double * q, const double * qd, int k, double force[][DAE_N],
  double qdd[][DAE_N], double lambda[][DAE_M], double J[DAE_M][DAE_N]);

#endif  // DAE_REFERENCE_H_
