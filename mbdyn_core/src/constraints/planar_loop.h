// Loops that move in parallel planes (four-bars, parallelograms, slider-cranks): their rows, and what
// these are at zero acceleration, in two dimensions and relative to the body that carries the loop.
#ifndef PLANAR_LOOP_H_
#define PLANAR_LOOP_H_

#include "mbdyn/constraints/closure.h"
#include "mbdyn/model.h"

struct mbdi_group;

// a body of the group, which has one degree of freedom, in the axes of its parent
typedef struct mbdi_planar_body {
  int parent;   // place in the group, or -1
  int q;        // index of its joint in q,
  int v;        // and in v
  double turn;  // 1 or -1: a revolute joint along or against the normal of the plane; 0: prismatic
  double x, y;  // origin at q = 0
  double ux, uy;  // direction of a prismatic joint
} mbdi_planar_body_t;

// the point where a closure pins one body to another
typedef struct mbdi_planar_pin {
  int a, b;             // bodies: places in the group, or -1
  double xa, ya;        // of A's origin in a
  double xb, yb;        // of B's in b
  double axis[2][2];    // in a: axes of A that are not normal to the plane
  int row[2];           // rows of the group that these are of
  const double * sign;  // of each body: 1 if it carries b, -1 if a, 0 if none or both   [nbody]
} mbdi_planar_pin_t;

typedef struct mbdi_planar {
  const struct mbdi_planar_kernels * kernels;
  int nbody, npin;
  int first;  // of its bodies among those of all planar loops
  mbdi_planar_body_t * body;
  mbdi_planar_pin_t * pin;
} mbdi_planar_t;

// placement of a body in the plane
typedef struct mbdi_planar_place {
  double c, s, x, y;
} mbdi_planar_place_t;

// what a pin is between where the bodies are, in the plane's axes
typedef struct mbdi_planar_pin_place {
  double xa, ya, xb, yb;  // A's and B's origins less those of their bodies
  double rx, ry;          // from A to B
  double ex[2], ey[2];    // axes of A
} mbdi_planar_pin_place_t;

// angular velocity of a body, velocity and acceleration of its origin
typedef struct mbdi_planar_motion {
  double w, vx, vy, ax, ay;
} mbdi_planar_motion_t;

// *to is NULL if the group does not move in parallel planes, or has drivers or redundant pins; freed with
// free(). Fails without memory.
mbd_status_t mbdi_planar_create(
  const mbd_model_t * tree, const struct mbdi_group * group, mbdi_planar_t ** to);

// Kernels, compiled once per instruction set.
typedef struct mbdi_planar_kernels {
  // placements of the bodies and pins, from the sines and cosines of q
  void (*place)(
    const mbdi_planar_t * planar, const double * q, const double * sine, const double * cosine,
    mbdi_planar_place_t * place, mbdi_planar_pin_place_t * at);
  // errors of the rows, d[0..2) of the first pin, and so on; the largest
  double (*gaps)(const mbdi_planar_t * planar, const mbdi_planar_pin_place_t * at, double * d);
  // rows of the pins into Y (rows of the group x nbody), of which all other rows are zero
  void (*rows)(
    const mbdi_planar_t * planar, const mbdi_planar_place_t * place,
    const mbdi_planar_pin_place_t * at, double * Y);
  // The same of a loop with one pin, the inverse of its dependent columns, and X = -Y1^-1 Y2 of these, row
  // by row (15.25). Returns their determinant over the square of the largest number, 0: no inverse.
  double (*matrix)(
    const mbdi_planar_t * planar, const mbdi_planar_place_t * place,
    const mbdi_planar_pin_place_t * at, const int * dep, int nind, const int * ind, double * Y,
    double * inverse, double * X);
  // gamma of the pins' rows: minus their second rates at zero joint acceleration. motion: scratch [nbody]
  void (*bias)(
    const mbdi_planar_t * planar, const double * v, const mbdi_planar_place_t * place,
    const mbdi_planar_pin_place_t * at, mbdi_planar_motion_t * motion, double * gamma);
} mbdi_planar_kernels_t;

extern const mbdi_planar_kernels_t mbdi_planar_kernels_baseline, mbdi_planar_kernels_v3;

// those for the machine and the model
const mbdi_planar_kernels_t * mbdi_planar_kernels(const mbd_model_t * tree);

#endif  // PLANAR_LOOP_H_
