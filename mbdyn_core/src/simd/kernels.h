// The hot functions as kernels: for one state, and for several states in the lanes of a vector;
// compiled for several instruction sets (kernel_instance.c), chosen at run time (dispatch.c).
//
//   mbdi_plan_t          what a kernel reads of a model, in the order in which it reads it
//   mbdi_kernels_t       a table of kernels for one instruction set
//   mbdi_kernels_one, mbdi_kernels_many   the tables for this machine
#ifndef KERNELS_H_
#define KERNELS_H_

#include "mbdyn/model.h"
#include "simd/lean.h"

// Inverse dynamics of trees that are deeper than this is in body axes, where forces of far away bodies
// are turned on the way and less is lost when they cancel; batches of them go state by state. Kernels
// of one state with inertias are in world axes at any depth: rotations are products along the way, but
// their rounding adds up to no more than that of the forces (test_long_chain has 10 000 bodies).
#define PLAN_DEEPEST 256

// Sweeps that keep something of every degree of freedom at every branch go the general way beyond
// this number of branches on one path, rather than take that much memory.
#define PLAN_SLOTS 16

// Up to so many degrees of freedom the plan lists the blocks of the mass matrix; the list grows with
// the square of their number, and beyond it is memory that the kernel waits for.
#define PLAN_LISTED 256

// Up to so many degrees of freedom whole mass matrices of several states are computed in lanes; larger
// ones by the kernel for one state, as what costs is then to write them.
#define PLAN_MATRIX 32

// Mass matrices of several states: up to so many bodies between a body and its base, on average,
// forces are carried from body to body.
#define PLAN_SHALLOW 8

// Beyond this angle [rad] sines come from the C library.
#define SINCOS_LARGEST 1e5

typedef enum mbdi_plan_kind { PLAN_REVOLUTE, PLAN_PRISMATIC, PLAN_FREE } mbdi_plan_kind_t;

// one body: 256 bytes, to be aligned to 32
typedef struct mbdi_plan_body {
  double column[3][4];  // of the rotation of X_tree, padded by zeros
  double origin[4];     // of X_tree
  double R[9], p[3];    // X_tree once more, row by row
  int32_t parent;
  int32_t kind;
  int32_t q, v;   // where its numbers begin
  int32_t depth;  // bodies from its base to it
  int32_t run;  // first of the bodies before it that follow each other, each the parent of the next
  int32_t upright;  // X_tree is the identity
  int32_t turns;    // it and bodies behind it that are revolute and each the parent of the next
} mbdi_plan_body_t;

// what hangs on a body, as degrees of freedom, which are numbered depth first
typedef struct mbdi_plan_span {
  int32_t end;       // one past the last of its subtree
  int32_t tree_end;  // one past the last of the tree that it is in
  int32_t nv;        // its own
  int32_t leaf;      // no body hangs on it
  int32_t slot;      // where a sweep from bases to tips keeps what it knows of this body, until the
  int32_t from;      // last child takes it over; and where its parent's is
} mbdi_plan_span_t;

// a joint whose configuration holds a quaternion
typedef struct mbdi_plan_quaternion {
  int32_t body, q;  // and where it begins
} mbdi_plan_quaternion_t;

// four rows and four columns of the mass matrix, on or below its diagonal
typedef struct mbdi_plan_block {
  int32_t row, column;
  uint32_t mask;       // bit 4 r + c: column + c carries row + r; 0: all are zero
  int32_t at, mirror;  // where it and its image across the diagonal begin
} mbdi_plan_block_t;

struct mbd_plan {
  int32_t nbody, nq, nv;
  int32_t plain;       // joints of these kinds alone: kernels can be used
  int32_t single;      // and those for one state are faster than the sweeps
  int32_t depth;       // bodies on the longest path from a base
  int32_t shallow;     // paths are short enough for forces to be carried from body to body
  int32_t free_base;   // the first body has a free joint
  int32_t free_rotor;  // a free joint has a rotor, which forward dynamics by kernel leaves out
  int32_t slots;       // that sweeps need
  int32_t nquaternion;
  int32_t nblock;
  int32_t nbelow, nzero;                // of these come first: below the diagonal, then zeros there
  double * rotor;                       // reflected inertia of each degree of freedom [nv]
  mbdi_plan_span_t * span;              // [nbody]
  mbdi_lean_body_t * lean;              // [nbody]
  double *zero_cosine, *zero_sine;      // of the angles of lean joints at q = 0, to whole vectors
  size_t * pack;                        // where the rows of a packed mass matrix begin [nv + 1]
  double * reach;                       // end of the subtree of each degree of freedom [nv]
  mbdi_plan_block_t * block;            // of the mass matrix [nblock], or none: PLAN_LISTED
  mbdi_plan_quaternion_t * quaternion;  // of the joints that have one
  const struct mbdi_kernels * one;      // kernels for one state
  void * memory;                        // what is freed
  mbdi_plan_body_t body[] __attribute__((aligned(64)));
};
typedef struct mbd_plan mbdi_plan_t;

// NULL if out of memory
mbdi_plan_t * mbdi_plan_create(const mbd_model_t * model);
void mbdi_plan_destroy(mbdi_plan_t * plan);

// frames that kinematic kernels are asked for
typedef struct mbdi_kernel_frames {
  int n;
  const int * index;        // [n] in `all`; Jacobians are those of the first
  const mbd_frame_t * all;  // of the model
  mbd_reference_t reference;
} mbdi_kernel_frames_t;

// Arguments of the kernels. q, v, ... are arrays of numbers or of vectors, by kernel.
typedef struct mbdi_kernel_args {
  const mbdi_plan_t * plan;
  const mbd_inertia_t * inertia;  // [nbody], payloads included
  const mbd_sym3_t * moments;     // second moments of the same [nbody]; kernels for one state alone
  const mbdi_lean_inertia_t * lean;
  const double * rotor;   // reflected inertia [nv], or NULL
  const void * gravity;   // 3
  const void *q, *v, *u;  // u: accelerations or torques; NULL: zero
  void * out;             // torques, accelerations, or the matrix row by row
  void * work;            // mbdi_kernels_t.work bytes
  const mbdi_kernel_frames_t * frames;
  int count;  // states, where `out` is of numbers: mass matrices of several states
} mbdi_kernel_args_t;

// number of bytes of memory that kernels need
typedef size_t (*mbdi_kernel_work_t)(const mbdi_plan_t * plan);
// false: a joint moves a subtree without inertia (in any lane)
typedef bool (*mbdi_kernel_t)(const mbdi_kernel_args_t * args);
// of one frame, which a body carries; path: room for as many bodies as the tree has
typedef bool (*mbdi_frame_kernel_t)(
  const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference,
  int * path);

typedef struct mbdi_kernels {
  const char * name;
  int lanes;
  mbdi_kernel_work_t work;
  mbdi_kernel_t inverse_dynamics, bias, gravity, mass_matrix, forward_dynamics;
  mbdi_kernel_t mass_inverse;  // of one state only, and of no more than PLAN_SLOTS
  // of several states only: 12 numbers a frame (rotation by rows, origin); 6 x nv
  mbdi_kernel_t frame_placements, frame_jacobian;
  // `width` numbers of each of `count` states to lanes (missing ones are copies of the last), false
  // if one is not finite; and back, likewise, with nothing written then
  bool (*spread)(const double * from, size_t width, int count, void * to);
  bool (*collect)(const void * from, size_t width, int count, double * to);
  // quaternions in lanes to unit length; false if that has to be done number by number
  bool (*unit_quaternions)(const mbdi_plan_t * plan, void * q);
  // the same as spread and collect for numbers that are in lanes before, or are to be
  bool (*take_lanes)(const double * from, size_t width, int count, void * to);
  bool (*give_lanes)(const void * from, size_t width, int count, double * to);
  // elements of the mass matrix on or below the diagonal that are not zero by structure, row by row,
  // lane by lane (out: numbers at any address)
  mbdi_kernel_t mass_packed;
  // articulated bodies, left in the memory for the two that follow; these only of one state
  mbdi_kernel_t articulate;
  // factor E of a frame that a body carries [8 nv], set on its path alone; returns how far the frame
  // is from the base along the bodies
  double (*factor)(
    const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference,
    double * E);
  // compliance of one frame as to the other, 6 x 6, row-major in rows of `stride` numbers: a sum over
  // body and what carries it
  void (*factor_product)(
    const mbdi_plan_t * plan, int body, const double * E_a, const double * E_b, int stride,
    double * C);
  // W A^-1 W of a positive definite A = W C W, W = diag(w), n rows; work: 2 n^2 numbers. Returns the
  // 1-norm of A^-1, or 0 at a pivot that is not larger than the floor
  double (*invert)(
    int n, double floor, const double * C, const double * w, double * work, double * inverse);
  // sines and cosines of n angles (of numbers)
  void (*sincos)(int n, const double * x, double * sine, double * cosine);

  // NULL in the tables for several states
  // copy n numbers to another place; false, and nothing is copied: not all are finite
  bool (*take_numbers)(int n, const double * from, double * to);
  // the same of q, and of v and u unless they are NULL
  bool (*take_state)(
    const mbdi_plan_t * plan, const double * q, const double * v, const double * u, double * to_q,
    double * to_v, double * to_u);
  // all bodies in their parents and in the world
  void (*placements)(
    const mbdi_plan_t * plan, const double * q, void * work, mbd_placement_t * X_parent,
    mbd_placement_t * X_world);
  mbdi_kernel_t momentum;             // about the centre of mass: mbd_force_t; false: no mass
  mbdi_frame_kernel_t jacobian;       // 6 x nv
  mbdi_frame_kernel_t jacobian_bias;  // Jdot v: mbd_motion_t
} mbdi_kernels_t;

// False without vectors of four numbers: a kernel for one state keeps the numbers of a body in them,
// and in halves it takes two to seven times as long as the sweeps. Kernels for many states are faster
// all the same.
bool mbdi_kernels_one_pay(void);

// The best for this machine: for one state, and for as many states as its vectors have lanes.
const mbdi_kernels_t * mbdi_kernels_one(void);
const mbdi_kernels_t * mbdi_kernels_many(void);

#endif  // KERNELS_H_
