// A complementarity problem with round friction cones, in whitened rows: solver of contact.c.
#ifndef COMPLEMENTARITY_H_
#define COMPLEMENTARITY_H_

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "constraints/row_kernels.h"

// A contact, limit or joint friction that takes part: a round cone (size 3: normal, two tangents), a
// half-line (size 1: a limit, a contact without friction, or one whose friction follows a given slip) or
// an interval (size 1 with a bound: joint friction).
typedef struct mbdi_cone {
  int row;            // first row of the whole problem
  int at;             // first row of the reduced problem
  int size;           // 3 or 1
  double mu;          // friction coefficient
  double bound;       // of an interval: |f| <= bound; 0: no interval
  double slip[2];     // given direction of slip of a half-line, else zeros
  double compliance;  // sum of the squares of its rows
  double root;        // of the compliance
} mbdi_cone_t;

// Three rows of each contact (normal, two tangents), then one of each limit or joint friction.
//   w = bias + B B^T p,   normal rows and limits: 0 <= w _|_ p >= 0,
//   tangents: |p_t| <= mu p_n, and p_t = -mu p_n w_t / |w_t| where w_t is not zero
//   joint friction: |p| <= bound, and p = -bound sign(w) where w is not zero
typedef struct mbdi_complementarity {
  const mbdi_row_kernels_t * kernels;
  int n, ncontact, nlimit;  // numbers of a row (a multiple of MBDI_ROW_PAD), contacts, limits
  bool * on;        // rows that take part: of the others only p = 0 and motion = 0 are there [nrow]
  double * B;       // rows                                               [nrow n]
  double * bias;    // w without forces                                   [nrow]
  double * motion;  // bias without gap and restitution terms             [nrow]
  double * p;       // forces; a start on entry                           [nrow]
  double * square;  // |row|^2                                            [nrow]
  double * mu;      // of each contact                                    [ncontact]
  double * bound;   // of joint friction, may be infinite; 0: a limit     [nlimit]
  double * slip;    // direction of slip of each contact where it slides already, two numbers
                    // of unit length, else zeros                         [2 ncontact]
  double * x;       // B^T p                                              [n]
  double * w;       // of the solution, of contacts with force            [nrow]
  // Reduced problem of the cones with non-zero rows: u = A f + b
  int ncone, m, ld;       // cones and their rows; numbers of a row of A
  mbdi_cone_t * cone;     //                                                      [ncone]
  double scale;           // of the residual: largest |b| / sqrt(compliance), see mbdi_cone_residual
  double *rows, *forces;  // A = rows forces^T: they differ where the slip is given  [m n]
  bool symmetric;         // they are the same
  double *A, *b, *f, *u;  //                                                      [m ld], [m]
  // scratch
  double *best, *start;                   // iterates                                         [m]
  double *J, *F, *step;                   // a linear system                    [(m + 1) ld], [ld]
  double * path;                          // of complementarity_path.c
  double *equations, *small;              // of the active set: factorisations by rows
  mbdi_pivots_t all, redundant;           // by A; by L^T L of it
  double *roots, *diagonal, *rhs, *gram;  //                             [ld], [ld ld]
  double *force, *y, *trial;              //                             [ld], [ld], [n]
  double * held;                          // forces of inactive rows     [m]
  bool * active;                          //                             [m]
} mbdi_complementarity_t;

// iterations and residual of a solution
typedef struct mbdi_complementarity_info {
  bool solved;      // residual <= tolerance; else p is a fallback: in the cones, adding no energy
  int iterations;   // sweeps, Newton steps and steps along the path; 0: the active set of p did
  double residual;  // as mbdi_cone_residual
} mbdi_complementarity_info_t;

// f inside an interval
static inline double
mbdi_interval_project(double bound, double f)
{
  return f > bound ? bound : f < -bound ? -bound : f;
}

// of a tangent; its numbers are no extremes as hypot allows for
static inline double
mbdi_cone_length(double x, double y)
{
  return sqrt(x * x + y * y);
}

static inline int
mbdi_complementarity_rows(const mbdi_complementarity_t * c)
{
  return 3 * c->ncontact + c->nlimit;
}

// number of doubles in all arrays, scratch included
size_t mbdi_complementarity_work(int n, int ncontact, int nlimit);

// lay the arrays out in work (NULL: none); returns the number of doubles. n: degrees of freedom, of which
// c->n is the padded number
size_t mbdi_complementarity_init(
  mbdi_complementarity_t * c, int n, int ncontact, int nlimit, double * work);

// solve within `most` iterations. p, x and w are the solution, or a fallback.
mbdi_complementarity_info_t mbdi_complementarity_solve(
  mbdi_complementarity_t * c, double tolerance, int most);

//---------- parts of it, on the reduced problem ----------

// u = A f + b
void mbdi_cone_motion(mbdi_complementarity_t * c);

// nearest point of the cone |z_t| <= mu z_n
void mbdi_cone_project(double mu, double * z);

// By how much f changes when each cone projects one gradient step: zero for a solution. Per cone
//   sqrt(compliance) |f - P(f - (u + mu |u_t| n) / compliance)|
// over c->scale, which is set: the largest |b| / sqrt(compliance) of the cones that act or would be gone
// through. u is that of f.
double mbdi_cone_residual(mbdi_complementarity_t * c);

// f into the cones, then u; returns the residual
double mbdi_cone_check(mbdi_complementarity_t * c);

// solve the active set of f as equations, exchanging rows; false, with f unchanged, if that
// finds no solution. Sets with sliding contacts are not tried.
bool mbdi_cone_try_set(mbdi_complementarity_t * c, double tolerance);

// one sweep of projected Gauss-Seidel: each cone by itself, exactly
void mbdi_cone_sweep(mbdi_complementarity_t * c);

// semismooth Newton steps from f, at most `most`, each halved up to `halvings` times; returns how
// many. f need not be in the cones after it.
int mbdi_cone_newton(mbdi_complementarity_t * c, double tolerance, int most, int halvings);

// numbers of work of a path in m rows
size_t mbdi_cone_path_work(int m);

// follows a path of smoothed problems to the solution; returns the iterations, at most `most`,
// Newton steps from points of the path included. f is the solution or, if not solved, anything.
int mbdi_cone_follow_path(mbdi_complementarity_t * c, double tolerance, int most);

#endif  // COMPLEMENTARITY_H_
