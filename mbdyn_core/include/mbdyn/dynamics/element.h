/// \file dynamics/element.h
/// Force elements: springs, dampers, bushings and actuators between links, as terms of the model.
///
///   mbd_element_spec_default   default element description
///   mbd_model_add_element      add an element to a model, before finalize
///   mbd_element_type_name      "spring", "torsion", ...
///   mbd_find_element           index of a name
///   mbd_element_torque         generalised force of all elements
///   mbd_element_state          length, rate, force, energy and wrench of one element
///
/// An element acts between frame A of one link and frame B of another (or of the world). With
/// MBD_TERM_ELEMENTS in mbd_set_terms every function counts the elements: inverse, forward and hybrid
/// dynamics, bias forces, gravity, momentum rates, energies, derivatives, joint forces, cut joints and
/// embedded loops. mbd_gravity then returns the torques that hold the robot at rest, elements at zero
/// velocity included, so that gravity compensation of a spring-balanced arm is right; the potential
/// energy contains that of the elements. mbd_free_flyer_dynamics and second derivatives return
/// MBD_ERROR_UNSUPPORTED if elements count; regressors are those of bodies and drives alone; models with
/// elements cannot have flexible links, and their batches compute state by state.
///
/// **Scalar laws** (spring, torsion, joint). With the coordinate x and its rate
///   f = stiffness (x - rest) + damping rate + preload + force of the callback
/// and f acts against x: a positive f pulls a spring together. Haug is E. J. Haug, Computer-Aided
/// Kinematics and Dynamics of Mechanical Systems, volume 2 (TSDA: spring, RSDA: torsion, section 4.5).
///
/// **One-sided elements** act only beyond `rest`: MBD_ONE_SIDED_PUSH at x < rest (bump stop),
/// MBD_ONE_SIDED_PULL at x > rest (rope). Their damping grows linearly over `ramp`, so that the force is
/// continuous at any velocity, Haug 4.5.1.
#ifndef MBDYN__DYNAMICS__ELEMENT_H_
#define MBDYN__DYNAMICS__ELEMENT_H_

#include "mbdyn/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Element types.
typedef enum mbd_element_type {
  MBD_ELEMENT_SPRING = 0,  ///< x: distance of the origins of A and B [m] (TSDA)
  MBD_ELEMENT_TORSION =
    1,  ///< x: angle of B's x axis about A's z axis, x - rest in (-pi, pi] (RSDA)
  MBD_ELEMENT_BUSHING = 2,  ///< six stiffnesses and dampings in the axes of A
  MBD_ELEMENT_JOINT = 3,    ///< x: coordinate of a joint with one degree of freedom, turns counted
  MBD_ELEMENT_WRENCH = 4    ///< constant wrench on B at its origin, in the axes of A; reaction on A
} mbd_element_type_t;

/// Number of element types.
#define MBD_ELEMENT_TYPES 5

/// Side of `rest` on which a scalar law acts.
typedef enum mbd_one_sided {
  MBD_ONE_SIDED_BOTH = 0,  ///< always
  MBD_ONE_SIDED_PUSH = 1,  ///< x < rest: bump stop
  MBD_ONE_SIDED_PULL = 2   ///< x > rest: rope
} mbd_one_sided_t;

/// Description of an element for mbd_model_add_element.
typedef struct mbd_element_spec {
  const char * name;  ///< unique among elements
  mbd_element_type_t type;
  int frame_a, frame_b;      ///< frame indices, or MBD_WORLD_BODY
  mbd_placement_t X_a, X_b;  ///< frame A in frame_a, B in frame_b
  const char * joint;        ///< MBD_ELEMENT_JOINT: name of the joint; frames are not used
  double stiffness;          ///< [N/m or N m/rad]
  double damping;            ///< [N s/m or N m s/rad]
  double rest;               ///< [m or rad]
  double preload;            ///< constant force of an actuator [N or N m]
  mbd_one_sided_t one_sided;
  double ramp;  ///< of the damping of one-sided elements [m or rad]; 0: 1 % of |rest|, or 0.01
  /// MBD_ELEMENT_BUSHING, angular first: rotation about x, y, z of A [N m/rad, N m s/rad], then
  /// translation along them [N/m, N s/m]. The moment is the gradient of the energy 1/2 r^T K r of the
  /// rotation vector r from A to B, for rotations below half a turn.
  double stiffness6[6], damping6[6];
  mbd_force_t wrench;  ///< MBD_ELEMENT_WRENCH: moment and force
  /// Further force of a scalar law at time t (mbd_set_time), with its derivatives; NULL: none. Must be a
  /// pure function: it is called on the hot path from every thread that uses the model.
  void (*at)(
    void * ctx, double t, double x, double rate, double * f, double * df_dx, double * df_drate);
  void * ctx;  ///< must outlive the model
} mbd_element_spec_t;

/// An element of a finalized model.
typedef struct mbd_element {
  mbd_element_spec_t
    spec;    ///< as it was added, `ramp` resolved; frames of a joint are those of its links
  int body;  ///< MBD_ELEMENT_JOINT: child body of the joint; otherwise -1
} mbd_element_t;

/// An element at a state.
typedef struct mbd_element_result {
  double x, rate;      ///< coordinate of a scalar law and its rate; otherwise 0
  double force;        ///< f of a scalar law; otherwise 0
  double energy;       ///< potential energy of springs and preload [J]
  double dissipation;  ///< power of the damping, not negative but for negative damping [W]
  mbd_force_t wrench;  ///< on B: moment and force at its origin, in world axes
} mbd_element_state_t;

/// Default element: a spring of the world to itself without stiffness. Fill in the rest.
MBD_PUBLIC
mbd_element_spec_t mbd_element_spec_default(void);

/// Add an element.
/// \param[in,out] model    not yet finalized
/// \param[in]     spec     names are copied; the joint is looked up at finalize
/// \param[out]    element  its index, or NULL
/// \return MBD_OK; MBD_ERROR_DUPLICATE_NAME, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (frame,
///   type, placement, equal frames, negative ramp, a callback or one side of a bushing or wrench),
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_FINALIZED, MBD_ERROR_OUT_OF_MEMORY. model->error_name has the
///   name. The model is unchanged on error.
///
/// mbd_model_finalize returns MBD_ERROR_BAD_JOINT with the element's name in model->error_name if its
/// joint does not exist or is not revolute, continuous, prismatic or helical.
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_element(
  mbd_model_t * model, const mbd_element_spec_t * spec, int * element);

/// Name of an element type: "spring", "torsion", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_element_type_name(mbd_element_type_t type);

/// Find the index of an element by name.
/// \return MBD_OK or MBD_ERROR_NOT_FOUND
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_element(const mbd_model_t * model, const char * name, int * element);

/// Generalised force of all elements, whether or not MBD_TERM_ELEMENTS is set. Needs the velocity stage.
/// \param[out] tau  model->nv [N m, N]
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE,
///   MBD_ERROR_NOT_FINITE
///
/// Complexity O(N + elements) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_element_torque(const mbd_model_t * model, mbd_data_t * data, double * tau);

/// Coordinate, rate, force, energy and wrench of one element. Needs the velocity stage.
/// \return as mbd_element_torque, and MBD_ERROR_BAD_ARGUMENT (element)
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_element_state(
  const mbd_model_t * model, mbd_data_t * data, int element, mbd_element_state_t * state);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__DYNAMICS__ELEMENT_H_
