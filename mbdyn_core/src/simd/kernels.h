// SIMD kernels of the hot functions: for one state (single), and for several states as structure
// of arrays (batch); compiled for several instruction sets (kernels.c), chosen at run time
// (dispatch.c). A kernel that a set does not have is NULL: src/tree computes it.
//
//   mbdi_plan_t          the model as kernels read it
//   mbdi_kernels_t       table of the kernels for one instruction set
//   mbdi_kernels_single, mbdi_kernels_batch   the tables for this machine
#ifndef KERNELS_H_
#define KERNELS_H_

#include "mbdyn/jacobian.h"
#include "mbdyn/model.h"
#include "simd/dh_frames.h"

// Inverse dynamics of one state is in world axes up to this depth, 18 ns a body; beyond, its scratch
// memory no longer fits in L2, and body axes take less time (26 ns a body; equal at 4 000 to 5 000
// bodies). The largest error of the two, of the largest torque, against quadruple precision: 1e-15 and
// 1e-15 of 1 000 bodies, 3e-15 and 2e-15 of 3 000, 2e-14 and 9e-15 of 10 000. Other kernels of one state
// but gravity are in world axes at any depth.
#define PLAN_WORLD_AXES 4096

// Gravity of deeper trees is in body axes.
#define PLAN_DEEPEST 256

// Batches of deeper trees are computed state by state.
#define PLAN_BATCH_DEEPEST 1024

// Kernels that store something of every degree of freedom at every branch are not used beyond this
// number of branches on one path, where they would need too much memory.
#define PLAN_SLOTS 16

// The plan lists the blocks of the mass matrix up to this number of degrees of freedom: the list
// grows with its square, and larger ones are bound by memory bandwidth.
#define PLAN_LISTED 256

// Mass matrices of one state without vectors of four are expanded in one piece up to this number of degrees of freedom.
#define PLAN_MATRIX 32

// Complete matrices of several states are computed as structure of arrays up to this number of degrees of
// freedom; larger ones one by one, since packed ones do not fit into L2.
#define PLAN_COMPLETE 64

// Mass matrices of several states are computed in body axes (batch/crba_body.inc) up to this
// average number of ancestors.
#define PLAN_SHALLOW 8

// Sines of larger angles [rad] are those of the C library.
#define SINCOS_LARGEST 1e5

typedef enum mbdi_plan_kind {
  PLAN_REVOLUTE,
  PLAN_PRISMATIC,
  PLAN_FREE,
  PLAN_GENERAL  // any other
} mbdi_plan_kind_t;

// A joint of any other type (spherical, helical, universal, cylindrical, planar, user) at the current
// state. Kernels take it as a free joint with its relative velocity S v and acceleration
// S u + (dS/dt) v, and project on its subspace S. Of a spherical joint nothing is stored: kernels read
// its quaternion.
typedef struct mbdi_general_joint {
  mbd_placement_t J;       // in the joint frame: X_tree J is the placement in the parent
  mbd_motion_t S_rate[6];  // dS/dt, only if
  int64_t subspace_moves;  // S depends on q
} mbdi_general_joint_t;

// The same of a batch, in vectors: numbers of J, then of S_rate, then the flag.
enum { GENERAL_S_RATE = 12, GENERAL_MOVES = 48, GENERAL_NUMBERS = 49 };

// a frame in the DH frame of its body
typedef struct mbdi_plan_frame {
  double column[3][4], origin[4];
  double arm[3][4];  // origin x column
  int32_t body;
} __attribute__((aligned(32))) mbdi_plan_frame_t;

// 256 bytes, aligned to 32
typedef struct mbdi_plan_body {
  double column[3][4];  // of the rotation of X_tree, padded with zeros
  double origin[4];     // of X_tree
  double R[9], p[3];    // X_tree, row-major
  int32_t parent;
  int32_t kind;
  int32_t q, v;                 // first index in q and v
  int32_t depth;                // number of bodies from the base to it
  int32_t serial_run_begin;     // first of consecutive bodies, each the parent of the next
  int32_t identity_transform;   // X_tree is the identity
  int32_t revolute_run_length;  // revolute bodies of its serial run from here on
} mbdi_plan_body_t;

// subtree of a body, in degrees of freedom (numbered depth first)
typedef struct mbdi_plan_span {
  int32_t end;       // one past the last of the subtree
  int32_t tree_end;  // one past the last of its tree
  int32_t nv;        // of the body
  int32_t leaf;      // has no children
  int32_t slot;      // where an outward sweep stores the body until its last child replaces it
  int32_t parent_slot;
} mbdi_plan_span_t;

// a joint with a quaternion
typedef struct mbdi_plan_quaternion {
  int32_t body, q;  // first index of the quaternion
} mbdi_plan_quaternion_t;

typedef enum mbdi_block_kind {
  BLOCK_BELOW,     // the diagonal
  BLOCK_DIAGONAL,  // whole
  BLOCK_CORNER,    // straddles the end of the matrix
  BLOCK_END        // of the list
} mbdi_block_kind_t;

// 4 x 4 block of the mass matrix that is not zero, on or below its diagonal
typedef struct mbdi_plan_block {
  int16_t row, column;
  uint16_t mask;  // bit 4 r + c: column + c is an ancestor of row + r
  int16_t kind;
  int32_t at, mirror;  // first index of the block and of its transpose
} mbdi_plan_block_t;

struct mbdi_plan {
  int32_t nbody, nq, nv;
  int32_t ngeneral;           // joints of PLAN_GENERAL
  int32_t nloaded;            // of them: all but spherical ones, see mbdi_general_joint_t
  size_t sine_offset;         // of sines in data->kernel, see simd_args.h,
  size_t work_offset;         // of the work memory,
  size_t articulated_offset;  // and of that of articulated inertias
  int32_t simd_supported;     // all joints have kernels
  int32_t single_supported;   // and those for one state are faster than src/tree
  int32_t depth;              // bodies on the longest path from a base
  int32_t shallow;            // batch/crba_body.inc rather than batch/crba_world.inc
  int32_t free_base;          // the first body has a free joint
  int32_t free_rotor;  // a free joint has rotor inertia, which articulated kernels do not have
  int32_t slots;       // number of slots of the sweeps, see mbdi_plan_span_t
  int32_t nquaternion;
  int32_t nzero;
  double * rotor;                       // reflected inertia of each degree of freedom [nv]
  mbdi_plan_span_t * span;              // [nbody]
  mbdi_plan_frame_t * frame;            // [nframe]
  int32_t * general_body;               // [ngeneral]
  mbdi_dh_body_t * dh;                  // [nbody]
  double *theta0_cosine, *theta0_sine;  // of DH angles at q = 0, padded
  size_t * packed_row_begin;            // first index of each row of a packed mass matrix [nv + 1]
  double * subtree_dof_end;             // one past the subtree of each degree of freedom [nv]
  int32_t * dof_above;                  // the one before it on the path to its base, or -1 [nv]
  mbdi_plan_block_t * block;            // of the mass matrix, by column, or none: PLAN_LISTED
  int32_t * zero;                       // where four zeros are stored before blocks [nzero]
  mbdi_plan_quaternion_t * quaternion;  // [nquaternion]
  const struct mbdi_kernels * kernels;  // kernels for one state
  void * memory;                        // to be freed
  mbdi_plan_body_t body[] __attribute__((aligned(64)));
};
typedef struct mbdi_plan mbdi_plan_t;

// NULL if out of memory
mbdi_plan_t * mbdi_plan_create(const mbd_model_t * model);
void mbdi_plan_destroy(mbdi_plan_t * plan);

// frames of kinematic kernels
typedef struct mbdi_kernel_frames {
  int n;
  const int * index;        // [n] in `all`; Jacobians are of the first
  const mbd_frame_t * all;  // of the model
  mbd_reference_t reference;
} mbdi_kernel_frames_t;

// Arguments of the kernels. q, v, ... are doubles (single) or vectors (batch).
typedef struct mbdi_kernel_args {
  const mbdi_plan_t * plan;
  const mbd_inertia_t * inertia;             // [nbody], payloads included; single only
  const mbd_sym3_t * moments;                // second moments of the same [nbody]; single only
  const mbdi_base_inertia_t * base_inertia;  // [2 nbody], see dh_frames.h
  const double * rotor;                      // reflected inertia [nv], or NULL
  const void * gravity;                      // 3
  const void *q, *v,
    *u;        // single: four numbers behind q may be read; u: accelerations or torques; NULL: zero
  void * out;  // torques, accelerations, or the matrix, row-major
  void * work;      // mbdi_kernels_t.work bytes
  double * matrix;  // of mass_and_torques, of inverse_of
  // single only, of torques and mass matrices: sines and cosines of q by mbdi_kernels_t.dh_sincos, or NULL
  double *sine, *cosine;
  void * articulated;  // mbdi_kernels_t.articulated_work bytes; single only
  const mbdi_kernel_frames_t * frames;
  const void * general;  // [plan->ngeneral] mbdi_general_joint_t, or vectors of their numbers
  const void * S;  // motion subspaces [nv], six numbers or vectors each, of general joints only
  // of forward dynamics and the two kernels with wrenches; 8 bytes behind the last may be read [nwrench]
  const mbd_wrench_t * wrench;
  int nwrench;
  int
    count;  // number of states, for complete mass matrices, and where their elements are: see matrix_to_aos
  const int * elements;
} mbdi_kernel_args_t;

// bytes of work memory
typedef size_t (*mbdi_kernel_work_t)(const mbdi_plan_t * plan);
// false: a joint moves a subtree without inertia (in any state)
typedef bool (*mbdi_kernel_t)(const mbdi_kernel_args_t * args);
// of a frame of a body; path: nbody elements of scratch
typedef bool (*mbdi_frame_kernel_t)(
  const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference,
  int * path);

typedef struct mbdi_kernels {
  const char * name;
  int vector_length;  // states of a batch kernel; 1: single
  mbdi_kernel_work_t work, articulated_work;
  mbdi_kernel_t inverse_dynamics, bias, gravity, mass_matrix, forward_dynamics;
  mbdi_kernel_t inverse_dynamics_wrenches, forward_dynamics_wrenches;  // single only
  // single only: mass matrix and inverse dynamics; false: one after the other
  mbdi_kernel_t mass_and_torques;
  mbdi_kernel_t mass_inverse;  // single only, and at most PLAN_SLOTS slots
  // single only: the same of small or shallow trees, without articulated inertias; false: not for this tree or
  // state
  mbdi_kernel_t factored_inverse;
  mbdi_kernel_t inverse_of;  // the same of args->matrix (mbdi_inverse_of_fn)
  // batch only: 12 numbers a frame (rotation row-major, origin); 6 x nv
  mbdi_kernel_t frame_placements, frame_jacobian;
  // `width` numbers of each of `count` states from array of structures to structure of arrays
  // (missing states are copies of the last), false if one is not finite; and back, with nothing
  // written then
  bool (*aos_to_soa)(const double * from, size_t width, int count, void * to);
  bool (*soa_to_aos)(const void * from, size_t width, int count, double * to);
  // the same of matrices, without a check: element k is number index[k] (NULL: k), and all `vector_length` elements
  // from k on are zero if index[k] is negative and the length divides k
  void (*matrix_to_aos)(const void * from, const int * index, size_t size, int count, double * to);
  // the same of `count` states one after the other to structure of arrays, also without a check
  void (*matrix_to_soa)(const double * from, size_t size, int count, double * to);
  // normalizes quaternions; false if that has to be done state by state
  bool (*unit_quaternions)(const mbdi_plan_t * plan, void * q);
  // the same for arrays of the caller that are structures of arrays
  bool (*load_soa)(const double * from, size_t width, int count, void * to);
  bool (*store_soa)(const void * from, size_t width, int count, double * to);
  // lower triangle of the mass matrix without structural zeros, row by row, structure of arrays
  // (out: at any address)
  mbdi_kernel_t mass_packed;
  // articulated inertias, left in args->articulated for mass_inverse and the next six (a set has the first
  // four of them all or none); single only
  mbdi_kernel_t articulate;
  // x := M^-1 x, and the accelerations of the bodies in their axes [nbody]
  void (*solve)(const mbdi_kernel_args_t * args, double * x, mbd_motion_t * W);
  // x := F x of M = F D F^T, or F^-1 x, F^T x, F^-T x
  void (*factor_apply)(const mbdi_kernel_args_t * args, bool transpose, bool inverse, double * x);
  // D^-1 of the joints, as data->D_inv
  void (*hinge_inverses)(const mbdi_kernel_args_t * args, double * D_inv);
  // G at the parents' origins in world axes [nv][8]: six numbers and two of any value
  void (*hinge_gains)(const mbdi_kernel_args_t * args, double * G);
  // factor E of a frame of a body [8 nv], set on its path only; returns the distance of the frame
  // from the base along the bodies
  double (*factor)(
    const mbdi_kernel_args_t * args, const mbd_frame_t * frame, mbd_reference_t reference,
    double * E);
  // cross compliance of two frames, 6 x 6, row stride `stride`: a sum over a body and its ancestors
  void (*factor_product)(
    const mbdi_plan_t * plan, int body, const double * E_a, const double * E_b, int stride,
    double * C);
  // W A^-1 W of a positive definite A = W C W, W = diag(w), n rows; work: 2 n^2 doubles. Returns
  // the 1-norm of A^-1, or 0 at a pivot that is not larger than the floor
  double (*invert)(
    int n, double floor, const double * C, const double * w, double * work, double * inverse);
  // sines and cosines of the DH angles q + theta0 of all bodies, padded by eight
  void (*dh_sincos)(const mbdi_plan_t * plan, const double * q, double * sine, double * cosine);
  // sines and cosines of n angles
  void (*sincos)(int n, const double * x, double * sine, double * cosine);

  // single only, all of the following
  // copies n numbers if all are finite; false and no copy otherwise
  bool (*copy_if_finite)(int n, const double * from, double * to);
  // the same of q, and of v and u unless NULL; four numbers behind to_q may be set
  bool (*copy_state_if_finite)(
    const mbdi_plan_t * plan, const double * q, const double * v, const double * u, double * to_q,
    double * to_v, double * to_u);
  // copies n wrenches on nframe frames and checks them: MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINITE
  mbd_status_t (*copy_wrenches)(int n, const mbd_wrench_t * from, int nframe, mbd_wrench_t * to);
  // placements of all bodies in their parents and in the world
  void (*placements)(
    const mbdi_kernel_args_t * args, mbd_placement_t * X_parent, mbd_placement_t * X_world);
  // q moved by v for dt, of joints of plain numbers and a free base (plan->free_base); q_out may be q.
  // False, and nothing is written: to be done otherwise, or not finite
  bool (*step)(
    const mbdi_plan_t * plan, const double * q, const double * v, double dt, double * q_out);
  mbdi_kernel_t kinetic_energy, potential_energy;  // one number
  mbdi_kernel_t momentum;             // about the centre of mass: mbd_force_t; false: no mass
  mbdi_kernel_t joint_momentum;       // M v without rotors, then C^T v - g; out: 3 nv numbers
  mbdi_frame_kernel_t jacobian;       // 6 x nv
  mbdi_frame_kernel_t jacobian_bias;  // Jdot v: mbd_motion_t
} mbdi_kernels_t;

// False in a build without kernels (MBDYN_KERNELS=none), and where the environment says MBDYN_SIMD=off
// when a model is finalized: src/tree computes everything then.
bool mbdi_simd_enabled(void);

// The best for this machine, NULL in a build without kernels: for one state, and for as many states as a
// vector has elements.
const mbdi_kernels_t * mbdi_kernels_single(void);
const mbdi_kernels_t * mbdi_kernels_batch(void);

#endif  // KERNELS_H_
