// Products of the derivatives of the dynamics, compiled once per instruction set. World axes, motions
// and forces at the origin of the first body.
#ifndef TREE__DERIVATIVE_KERNELS_H_
#define TREE__DERIVATIVE_KERNELS_H_

#include <stdbool.h>
#include <stddef.h>

#include "mbdyn/data.h"
#include "mbdyn/spatial.h"

// numbers of a motion in arrays of structures
enum { DERIVATIVE_MOTION = 8 };

// Sums over a subtree: inertia (mass, h, I), 2 B (T, p) and force, padded to whole vectors.
enum { COMPOSITE_B = 10, COMPOSITE_FORCE = 22, COMPOSITE_NUMBERS = 28, COMPOSITE_STRIDE = 32 };

// Neighbouring degrees of freedom, as many as a vector has elements at most, each of which carries the next one (or
// is of the same joint) and nothing else: columns of the matrices that have the same rows.
typedef struct mbdi_derivative_block {
  int first, next;  // degrees of freedom
  int joint, end;   // first of the joint of the first one, and behind the subtree
  int above;        // block that carries it, or -1
} mbdi_derivative_block_t;

// Components of a degree of freedom: motion subspace, velocity psi and acceleration c when it moves, acceleration when its
// velocity changes, U = I^C S, the moment W of 2 B^C^T S, and the forces on the parent of a change of q and of v
enum {
  DOF_S = 0,
  DOF_PSI = 6,
  DOF_C = 12,
  DOF_C_V = 18,
  DOF_U = 24,
  DOF_F_Q = 30,
  DOF_F_V = 36,
  DOF_W = 42,
  DOF_NUMBERS = 45
};

typedef struct mbdi_derivative_dofs {
  size_t stride;  // nv in whole vectors, and one more
  double * x;     // zeros behind the last degree of freedom  [DOF_NUMBERS][stride]
  mbdi_derivative_block_t * block;  // [nblock]
  int * block_of;                   // [nv]
  // one after the other: S and the last component of W; psi; U and the other two  [nv + length][DERIVATIVE_MOTION]
  double *S_row, *psi_row, *U_row;
} mbdi_derivative_dofs_t;

typedef struct mbdi_derivative_bodies {
  double *V, *A;       // [nbody + 1][DERIVATIVE_MOTION]; the first one is the world, A with gravity
  double * composite;  // [nbody][COMPOSITE_STRIDE]
  // accelerations that came after the forces were summed, of the world too, or NULL  [nbody + 1][DERIVATIVE_MOTION]
  double * late;
} mbdi_derivative_bodies_t;

typedef struct mbdi_derivative_outputs {
  double *dq, *dv, *M;  // [nv][stride]; M NULL if not wanted
  size_t stride;
} mbdi_derivative_outputs_t;

// Several states, one in each element of the vectors. Vectors are those of the kernels.
typedef struct mbdi_derivative_batch {
  const mbd_model_t * model;
  const mbd_data_t * data;  // inertias, gravity, terms
  const void * placement;   // of the bodies in the world, rotation row-major and origin [nbody][12]
  const void *v, *qdd;      // [nv]; qdd NULL: zero
  void * work;              // batch_work bytes, zeros at first
} mbdi_derivative_batch_t;

// Batches have kernels for matrices of up to this number of degrees of freedom; their memory grows with its square.
enum { DERIVATIVE_BATCH_LARGEST = 64 };

// in double or single precision
typedef struct mbdi_derivative_batch_kernels {
  int vector_length;
  // bytes of work memory
  size_t (*work)(const mbd_model_t * model);
  // related elements of dtau/dq, dtau/dv by rows, and those of M on and below the diagonal (or NULL); of any number of
  // degrees of freedom; false if they may not be finite
  bool (*inverse)(const mbdi_derivative_batch_t * args, void * const out[3]);
  // - M^-1 dtau/dq, - M^-1 dtau/dv, M^-1 [nv][nv]; false if not finite
  bool (*forward)(const mbdi_derivative_batch_t * args, void * const out[3]);
  // one of three matrices [nv][nv] in the work memory, for results that are stored elsewhere
  void * (*matrix)(const mbdi_derivative_batch_t * args, int k);
} mbdi_derivative_batch_kernels_t;

typedef struct mbdi_derivative_kernels {
  size_t vector_length;
  // blocks, S, psi; V, A, inertia, 2 B and force of each body; writes data->S_rate
  void (*bodies)(
    const mbd_model_t * model, const mbd_data_t * data, const double * qdd,
    const mbdi_derivative_dofs_t * dof, const mbdi_derivative_bodies_t * bodies);
  // sums over subtrees, from those of each body
  void (*sum_subtrees)(const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies);
  // U, the torques at qdd of `bodies`, and rows of M, whose elements above the diagonal may be anything where they are
  // not zero; rows are `stride` long, those of tau as many numbers as a vector longer than nv
  void (*mass)(
    const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies,
    const mbdi_derivative_dofs_t * dof, size_t stride, double * tau, double * M);
  // qdd after `mass`, which had none: A, `late`, and forces but for those that `forces` finds by `late`; work:
  // DERIVATIVE_MOTION nbody numbers
  void (*accelerate)(
    const mbd_model_t * model, const double * qdd, const mbdi_derivative_dofs_t * dof,
    double * work, const mbdi_derivative_bodies_t * bodies);
  // c, c_v
  void (*motions)(
    const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies,
    const mbdi_derivative_dofs_t * dof);
  // U, W, F_q, F_v, from sums over subtrees; false if products of these and of motions may not be finite
  bool (*forces)(
    const mbd_model_t * model, const mbdi_derivative_bodies_t * bodies,
    const mbdi_derivative_dofs_t * dof);
  void (*matrices)(
    const mbd_model_t * model, const mbdi_derivative_dofs_t * dof,
    const mbdi_derivative_outputs_t * out);
  bool (*finite)(const double * x, size_t n);
  // y = A x of a symmetric A
  void (*multiply)(size_t n, const double * A, const double * x, double * y);
  // columns [begin, end) of out[0] = - M_inv A[0] and out[1] = - M_inv A[1], where only rows in `run`
  // (pairs of first and last + 1) of A are not zero; rows of A are ld long
  void (*product)(
    size_t nv, size_t begin, size_t end, int runs, const int * run, size_t ld, const double * M_inv,
    const double * const A[2], double * const out[2]);
  // D^-1 of the joints, as data->D_inv, and G in the world [nv][DERIVATIVE_MOTION]; work: mbdi_derivative_solve_work
  // numbers; false if a joint moves a subtree without inertia
  bool (*articulate)(
    const mbd_model_t * model, const mbd_data_t * data, const double * S_row, double * work,
    double * D_inv, double * G_row);
  // out = - M^-1 A of two matrices by articulated bodies: rows of A are ld long, those of out nv; A is zero
  // where a row and a column are not related
  void (*solve)(
    const mbd_model_t * model, const mbdi_derivative_dofs_t * dof, const double * D_inv,
    const double * G_row, size_t ld, double * work, const double * const A[2],
    double * const out[2]);
  mbdi_derivative_batch_kernels_t batch;
} mbdi_derivative_kernels_t;

// The base is free, and nothing but gravity depends on where it is and how fast it moves: columns of its position
// and linear velocity of derivatives of forward dynamics without wrenches have a closed form.
bool mbdi_base_is_free(const mbd_model_t * model, const mbd_data_t * data);

// The placement of a body in world axes, from the origin of the first one: moments about a point far away, as the
// world's origin may be from a mobile robot, would lose digits.
static inline mbd_placement_t
mbdi_derivative_placement(const mbd_data_t * data, int i)
{
  mbd_placement_t X = data->X_world[i];
  X.p = mbdu_vec3_sub(X.p, data->X_world[0].p);
  return X;
}

// a body continues the run of degrees of freedom of the one before
static inline bool
mbdi_derivative_continues(const mbd_model_t * model, int i)
{
  const mbd_body_t * body = &model->body[i];
  return i > 0 && body->parent == i - 1 && body[-1].nv > 0 &&
         body[-1].subtree_end == body->subtree_end;
}

// components of degree of freedom j; the next component is `stride` further
static inline double *
mbdi_derivative_dof(const mbdi_derivative_dofs_t * dof, int j)
{
  return dof->x + j;
}

// six numbers, `stride` apart
static inline mbd_motion_t
get_motion(const double * x, size_t stride)
{
  return (mbd_motion_t){
    {x[0], x[stride], x[2 * stride]}, {x[3 * stride], x[4 * stride], x[5 * stride]}};
}

static inline void
put_motion(mbd_motion_t V, double * x, size_t stride)
{
  const double number[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  for (size_t k = 0; k < 6; k++) x[k * stride] = number[k];
}

// numbers of an articulated body, and of what a solution reads of a body
enum { ARTICULATED_NUMBERS = 27, LINK_NUMBERS = 4 };

// numbers of work of `articulate` and `solve`
static inline size_t
mbdi_derivative_solve_work(const mbd_model_t * model)
{
  return (96 + LINK_NUMBERS) * (size_t)model->nbody + 16 * (size_t)model->nv;
}

extern const mbdi_derivative_kernels_t mbdi_derivative_kernels_baseline, mbdi_derivative_kernels_v3,
  mbdi_derivative_kernels_v4;

extern const mbdi_derivative_batch_kernels_t mbdi_derivative_kernels_f32_baseline,
  mbdi_derivative_kernels_f32_v3, mbdi_derivative_kernels_f32_v4;

const mbdi_derivative_kernels_t * mbdi_derivative_kernels(const mbd_model_t * model);
const mbdi_derivative_batch_kernels_t * mbdi_derivative_kernels_f32(const mbd_model_t * model);

// q, v and the placements of the bodies; accelerations and forces at qdd are deferred (derivatives.c)
mbd_status_t mbdi_derivative_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd);

#endif  // TREE__DERIVATIVE_KERNELS_H_
