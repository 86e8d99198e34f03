/// \file manipulator.h
/// Manipulators of any kind, serial, parallel or with closed loops: outputs from inputs, inputs from outputs,
/// all solutions, singularities, dynamics in inputs or outputs.
///
///   mbd_manipulator_options_default   tolerances, restarts, limits
///   mbd_manipulator_size              size in bytes
///   mbd_manipulator_init              create in the caller's memory: model, inputs, outputs
///   mbd_manipulator_class_name        "serial", "parallel", ...
///   mbd_manipulator_forward           configuration and outputs z for inputs y
///   mbd_manipulator_inverse           configuration and inputs y for outputs z
///   mbd_manipulator_solutions         all configurations for inputs (assembly modes) or outputs
///   mbd_manipulator_monitor           signs, reciprocal conditions, component, nearest singular row
///   mbd_manipulator_velocity          dz/dy and dy/dz
///   mbd_manipulator_input_dynamics    M ydd + bias in inputs
///   mbd_manipulator_output_dynamics   M zdd + bias in outputs
///
/// Inputs y and outputs z are measures (measure.h) of a tree with cut closures Phi(q) = 0. The two systems
///
///   Omega(q, y) = [Phi(q); psi(q) - y] = 0,   Lambda(q, z) = [Phi(q); gamma(q) - z] = 0
///
/// have as many rows as columns. A configuration is regular if neither Jacobian is singular: velocities of
/// inputs and outputs determine each other. The signs of the two determinants distinguish singularity-free
/// components of the configuration space; between configurations of different signs there is always a
/// singularity (Haug 9.2 to 9.7). Equal signs do not prove that there is none.
///
/// Redundant rows of the closures are dropped, the same ones always: those that are redundant at the configuration
/// of mbd_manipulator_init. Signs depend on the order of inputs, outputs and joints, not on anything else.
#ifndef MBDYN__MANIPULATOR_H_
#define MBDYN__MANIPULATOR_H_

#include "mbdyn/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of manipulators, Haug 9.1. A finding: nothing else depends on it.
typedef enum mbd_manipulator_class {
  MBD_MANIPULATOR_SERIAL = 0,  ///< inputs are the joint coordinates: z is an explicit function of y
  MBD_MANIPULATOR_PARALLEL = 1,  ///< outputs are the coordinates: y is an explicit function of z
  MBD_MANIPULATOR_IMPLICIT = 2,  ///< inputs and outputs together are the coordinates: F(y, z) = 0
  MBD_MANIPULATOR_COMPOUND = 3   ///< there are other coordinates
} mbd_manipulator_class_t;

typedef struct mbd_manipulator_options {
  double tolerance;      ///< largest error of closures, inputs and outputs; default 1e-10 [m, rad]
  double step;           ///< longest step of a continuation; default 0.1 [rad, m]
  int restarts;          ///< random starts without a new solution before a search ends; default 30
  uint64_t random_seed;  ///< of the random starts; default 0
  bool ignore_limits;    ///< accept solutions outside position limits; default false
  double t;              ///< time of drivers [s]
} mbd_manipulator_options_t;

typedef struct mbd_manipulator_information {
  mbd_manipulator_class_t type;
  int ninput, noutput;
  int freedom;     ///< degrees of freedom that the closures leave: ninput
  bool redundant;  ///< fewer outputs than inputs
  int nredundant;  ///< redundant rows of closures
} mbd_manipulator_info_t;

/// How a solve ended.
typedef enum mbd_manipulator_outcome {
  MBD_MANIPULATOR_SOLVED =
    0,                        ///< reached from the seed, without a singularity of the solved system
  MBD_MANIPULATOR_OTHER = 1,  ///< solved, but not by a path from the seed: beyond a singularity
  MBD_MANIPULATOR_UNREACHABLE = 2,  ///< not solved; q is the nearest configuration found
  MBD_MANIPULATOR_AT_LIMIT = 3  ///< the solutions found are outside limits; q is the first of them
} mbd_manipulator_outcome_t;

typedef struct mbd_manipulator_result {
  mbd_manipulator_outcome_t outcome;
  double error;  ///< largest difference of a wanted value [m, rad]
  double
    fraction;  ///< of the straight path of values from those of the seed that was free of singularities
  bool crossed;  ///< the other determinant has another sign than at the seed
  int limit;     ///< degree of freedom furthest outside its limits, or -1
} mbd_manipulator_result_t;

/// How regular a configuration is.
typedef struct mbd_singularity {
  int input_sign,
    output_sign;  ///< of |Omega_q|, |Lambda_q|; 0: singular, or no square matrix (redundant)
  double input_determinant, output_determinant;
  /// Reciprocal condition numbers: smallest over largest singular value of Omega_q and Lambda_q, rows
  /// divided by their length or that at mbd_manipulator_init, whichever is larger; by twelve power
  /// iterations: never too small, at most a quarter too large. Input near 0: the inputs do not hold the
  /// mechanism. Output near 0: not all outputs can be moved
  double input_condition, output_condition;
  int component;    ///< signs as a number: (input > 0) + 2 (output > 0)
  bool of_outputs;  ///< the row below is of Lambda_q, the less regular one of the two
  int closure, input,
    output;  ///< the row nearest to dependent on the others: index, the other two are -1
} mbd_singularity_t;

typedef struct mbd_manipulator mbd_manipulator_t;  ///< a manipulator

/// Default options, as above.
MBD_PUBLIC
mbd_manipulator_options_t mbd_manipulator_options_default(void);

/// Size in bytes; 0 for a model that is NULL or not finalized, or negative numbers.
MBD_PUBLIC
size_t mbd_manipulator_size(const mbd_model_t * model, int ninput, int noutput);

/// Create a manipulator in memory of the caller, aligned as by malloc.
/// \param[in]  model          finalized; must outlive the manipulator, as must inputs and outputs
/// \param[in,out] data        the position stage of q is set
/// \param[in]  q              an assembled configuration, not a singular one
/// \param[in]  options        NULL: defaults
/// \param[out] info           or NULL; its freedom is set also if the number of inputs is wrong
/// \return MBD_OK; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_TOO_SMALL, MBD_ERROR_MODEL_MISMATCH; MBD_ERROR_BAD_ARGUMENT
///   (options; no inputs or outputs; inputs are not as many as degrees of freedom, or fewer than outputs);
///   MBD_ERROR_NOT_ASSEMBLED (q); MBD_ERROR_UNSUPPORTED (embedded loops, flexible links, nonholonomic closures);
///   as mbd_set_position and mbd_measure
///
/// Allocates no | Thread-safe per data | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_init(
  const mbd_model_t * model, mbd_data_t * data, int ninput, const mbd_measure_t * input,
  int noutput, const mbd_measure_t * output, const double * q,
  const mbd_manipulator_options_t * options, void * memory, size_t size,
  mbd_manipulator_info_t * info, mbd_manipulator_t ** manipulator);

/// Name of a class: "serial", "parallel", "implicit", "compound"; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_manipulator_class_name(mbd_manipulator_class_t type);

/// Configuration and outputs for given inputs, on the branch of the seed: the inputs go to the wanted values on a
/// straight path, configurations follow. If a singularity or the end of the workspace is in the way, damped
/// steps from the seed and from random configurations look for a solution elsewhere.
/// \param[in]  y       inputs [ninput]
/// \param[in]  seed    model->nq; assembled, or near
/// \param[out] q       model->nq; may alias seed
/// \param[out] z       outputs [noutput], or NULL
/// \param[out] result  required
/// \return MBD_OK, also if it is not solved; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_MODEL_MISMATCH;
///   as mbd_set_position and mbd_measure
///
/// Allocates no | Thread-safe per data | Real-time safe yes: bounded by options
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_forward(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * y, const double * seed,
  double * q, double * z, mbd_manipulator_result_t * result);

/// Configuration and inputs for given outputs; if there are fewer outputs than inputs, the steps are those of
/// least norm.
/// \param[in]  z  outputs [noutput]
/// \param[out] y  inputs [ninput], or NULL
/// \return as mbd_manipulator_forward
///
/// Allocates no | Thread-safe per data | Real-time safe yes: bounded by options
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_inverse(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * z, const double * seed,
  double * q, double * y, mbd_manipulator_result_t * result);

/// Configurations for given inputs (the assembly modes) or given outputs. From each solution, one value after
/// the other is released and the curve of the rest followed: where it passes the wanted value again is another
/// solution. Between them, Newton steps start at random configurations, deflated: solutions that are known
/// repel them. Configurations that agree in all inputs and outputs count once. Solutions are found, not
/// proved to be all.
/// \param[in]  of_inputs  the values are those of inputs
/// \param[in]  value      [ninput] or [noutput]
/// \param[in]  most       space
/// \param[out] q          row-major most x nq, in the order in which they are found
/// \param[out] n          number of solutions
/// \return as mbd_manipulator_forward; MBD_ERROR_BAD_ARGUMENT (most < 1; outputs of a redundant manipulator, which
///   has infinitely many: self_motion.h)
///
/// Allocates no | Thread-safe per data | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_solutions(
  mbd_manipulator_t * manipulator, mbd_data_t * data, bool of_inputs, const double * value,
  const double * seed, int most, double * q, int * n);

/// How near to a singularity a configuration is.
/// \param[in]  q  model->nq, assembled
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH; as mbd_set_position and mbd_measure
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_monitor(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * q,
  mbd_singularity_t * singularity);

/// Values of inputs and outputs, and their velocities in terms of each other: zd = G' yd, yd = H' zd.
/// \param[in]  q  model->nq, assembled
/// \param[out] y, z  or NULL
/// \param[out] G  row-major noutput x ninput, or NULL
/// \param[out] H  row-major ninput x noutput, or NULL; of least norm for a redundant manipulator
/// \return as mbd_manipulator_monitor; MBD_ERROR_SINGULAR (Omega_q for G, Lambda_q for H)
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_velocity(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * q, double * y, double * z,
  double * G, double * H);

/// Equations of motion in inputs: M ydd + bias = F, F the generalised forces of the inputs (Haug 9.11.1.1). A force
/// Q on the outputs adds G'^T Q to F. Terms are those of mbd_set_terms.
/// \param[in]  q, v  a state that satisfies the closures
/// \param[out] M     row-major ninput x ninput
/// \param[out] bias  velocity and gravity terms [ninput]
/// \return as mbd_manipulator_velocity; as mbd_inverse_dynamics
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_input_dynamics(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * q, const double * v,
  double * M, double * bias);

/// Equations of motion in outputs: M zdd + bias = Q, Q the generalised forces of the outputs (Haug 9.11.1.2). Forces
/// F of the inputs add H'^T F to Q.
/// \return as mbd_manipulator_input_dynamics; MBD_ERROR_UNSUPPORTED (a redundant manipulator)
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_manipulator_output_dynamics(
  mbd_manipulator_t * manipulator, mbd_data_t * data, const double * q, const double * v,
  double * M, double * bias);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MANIPULATOR_H_
