/// \file flexible.h
/// Links that bend, beside rigid ones in one robot: modal bodies as nodes of the SKO engine.
///
///   mbd_modal_body_create, _destroy   mode shapes, masses, stiffness and damping of a link
///   mbd_modal_body_check              what is wrong with them, in a sentence
///   mbd_beam_spec_default             a beam to fill in
///   mbd_beam_create                   its modes: cantilever, pinned or free, as many as wanted
///   mbd_beam_root                     roots of the frequency equations: 1.8751, 4.6941, ...
///   mbd_flexible_create, _destroy     a robot some of whose links bend
///   mbd_flexible_data_size, _init, _create, _destroy   a workspace
///   mbd_flexible_set_gravity, _set_terms               of a workspace
///   mbd_flexible_neutral              the robot at rest
///   mbd_flexible_set_state            q and v: everything that depends on them
///   mbd_flexible_inverse_dynamics     qdd -> tau                                    (Alg 13.1)
///   mbd_flexible_mass_matrix          by composite inertias                         (Alg 13.2)
///   mbd_flexible_forward_dynamics     tau -> qdd, modes first, then hinges    (Alg 13.6, 13.7)
///   mbd_flexible_energy               kinetic, potential, strain
///   mbd_flexible_frame                placement and velocity of a frame
///   mbd_flexible_frequencies          natural frequencies at a configuration
///   mbd_flexible_integrate, _step     motion in time
///
/// **State.** q = [q of the model's joints, eta of the modes], v and tau likewise: what was known of
/// the rigid robot keeps its place, and the modes of the links follow, link by link.
///
/// **A modal body** is a set of nodes, each a small rigid body (or a massless place where something
/// is attached). With the modal coordinates eta, a node turns by theta = sum of shape.ang eta (a
/// rotation vector) and moves by sum of shape.lin eta + 1/2 eta^T bend eta, seen from the link frame
/// at rest. The second, quadratic part is what a beam shortens when it bends: without it a spinning
/// beam would lose stiffness instead of gaining it. The motion is followed exactly, so that energy
/// is conserved; nothing but the shapes is linearised.                            (13.20), (13.27)
///
/// **The hinge** of a link is where its frame is. Shapes that move it (pinned, free) are taken from
/// all nodes: the link frame stays on the material.                                     (13.28)
///
/// Sources: Jain, Robot and Multibody Dynamics, chapter 13. Modal damping and shortening are not in
/// it.
#ifndef MBDYN__FLEXIBLE_H_
#define MBDYN__FLEXIBLE_H_

#include "mbdyn/jacobian.h"
#include "mbdyn/sko.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- modal bodies ----------

/// A link that bends. Arrays are row-major; vectors are in link axes. Written by the caller after
/// mbd_modal_body_create.
typedef struct mbd_modal_body {
  int nmode, nnode;
  mbd_vec3_t * position;    ///< of each node at rest, in the link frame [m]                [nnode]
  mbd_inertia_t * inertia;  ///< of each node about itself; zero: a place to attach to      [nnode]
  mbd_motion_t * shape;     ///< rotation [rad] and displacement [m] of each node by one unit of
                            ///< each mode                                          [nnode x nmode]
  mbd_vec3_t * bend;     ///< second-order displacement [m], symmetric       [nnode x nmode x nmode]
  bool has_bend;         ///< bend is not zero
  mbd_motion_t * hinge;  ///< shape at the origin of the link frame; zero: clamped       [nmode]
  bool has_hinge;        ///< hinge is not zero
  double * mass;         ///< modal mass, if has_mass; else that of the nodes    [nmode x nmode]
  bool has_mass;
  double * stiffness;  ///< symmetric, not negative                            [nmode x nmode]
  double * damping;    ///< symmetric, not negative                            [nmode x nmode]
} mbd_modal_body_t;

/// What may be wrong with a modal body.
typedef enum mbd_modal_fault {
  MBD_MODAL_GOOD = 0,
  MBD_MODAL_NOT_FINITE = 1,
  MBD_MODAL_NODE_INERTIA = 2,        ///< of a node: negative, or not that of a body
  MBD_MODAL_BEND_NOT_SYMMETRIC = 3,  ///< of a node
  MBD_MODAL_MASS_NOT_SYMMETRIC = 4,
  MBD_MODAL_MASS_NOT_POSITIVE = 5,  ///< some motion of the modes moves no mass
  MBD_MODAL_STIFFNESS_NOT_SYMMETRIC = 6,
  MBD_MODAL_STIFFNESS_NEGATIVE = 7,
  MBD_MODAL_DAMPING_NOT_SYMMETRIC = 8,
  MBD_MODAL_DAMPING_NEGATIVE = 9
} mbd_modal_fault_t;

/// A modal body with every number zero.
/// \param[in] nmode  at least 1, at most 100
/// \param[in] nnode  at least 1, at most 10000
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_modal_body_create(int nmode, int nnode, mbd_modal_body_t ** body);

/// Free a modal body; NULL is fine.
MBD_PUBLIC
void mbd_modal_body_destroy(mbd_modal_body_t * body);

/// Whether the numbers can be those of a body that bends.
/// \param[out] fault  what is wrong, or NULL
/// \param[out] index  of the node, or the row of the matrix, that it is about; or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_MODES,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_modal_body_check(
  const mbd_modal_body_t * body, mbd_modal_fault_t * fault, int * index);

/// "stiffness is not symmetric", ... Never NULL.
MBD_PUBLIC
const char * mbd_modal_fault_text(mbd_modal_fault_t fault);

//---------- beams ----------

/// How the ends of a beam are held in its mode shapes.
typedef enum mbd_beam_support {
  MBD_BEAM_CANTILEVER = 0,  ///< clamped at its beginning, free at its end
  MBD_BEAM_PINNED = 1,      ///< both ends may turn
  MBD_BEAM_FREE = 2         ///< both ends are free
} mbd_beam_support_t;

/// A straight Euler-Bernoulli beam along x of its frame, beginning at the frame's origin.
typedef struct mbd_beam_spec {
  double length;                ///< [m]
  double mass_per_length;       ///< [kg/m]
  double polar;                 ///< moment of inertia about x per length [kg m]; 0: a line
  double bending_y, bending_z;  ///< EI of deflections along y, along z [N m^2]
  int modes_y, modes_z;         ///< how many modes that deflect along y, along z; y come first
  mbd_beam_support_t support;
  double damping_ratio;    ///< of every mode, to critical
  bool no_shortening;      ///< leave out that a bent beam is shorter: small rotation rates only
  mbd_placement_t X;       ///< beam frame in the link frame; its origin is the link's
  int points;              ///< nodes with mass, at Gauss points; 0: enough for the modes
  int nstation;            ///< massless nodes after them, e.g. where other links are attached
  const double * station;  ///< at which x [m], 0 to length                          [nstation]
} mbd_beam_spec_t;

/// One metre, 1 kg/m, no stiffness, no modes, cantilever, no damping: to be filled in.
MBD_PUBLIC
mbd_beam_spec_t mbd_beam_spec_default(void);

/// beta L of a mode: cos cosh = -1 (cantilever), sin = 0 (pinned), cos cosh = 1 (free). The natural
/// frequency is (beta L)^2 sqrt(EI / (mass_per_length L^4)).
/// \param[in] mode  1, 2, ...
/// \return 0 if there is no such mode
MBD_PUBLIC
double mbd_beam_root(mbd_beam_support_t support, int mode);

/// A beam as a modal body. Each mode is scaled so that its modal mass is that of the beam. Nodes:
/// Gauss points with mass, the stations, and the end of the beam, which is the last.
/// \param[out] body  give it to mbd_modal_body_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (a number
///   that must be positive, modes, points, a station off the beam, X that moves the origin),
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_beam_create(const mbd_beam_spec_t * spec, mbd_modal_body_t ** body);

//---------- robots ----------

/// Where a link or frame sits on a link that bends; for what is not said, the nearest node.
typedef struct mbd_flexible_attachment {
  int frame;  ///< of the link or frame whose joint or origin is directly on the bending link
  int node;   ///< of the modal body, or -1: fixed to the link frame
} mbd_flexible_attachment_t;

/// A link that bends, as given to mbd_flexible_create.
typedef struct mbd_flexible_link {
  int frame;                      ///< of the link, on any joint (fixed ones, too)
  const mbd_modal_body_t * body;  ///< copied; takes the place of the link's own inertia
  int nattachment;
  const mbd_flexible_attachment_t * attachment;  ///< [nattachment]
} mbd_flexible_link_t;

/// A link that bends, of a robot.
typedef struct mbd_flexible_part {
  int frame;  ///< of the link
  int eta;    ///< its first modal coordinate in q is model->nq + eta, in v model->nv + eta
  mbd_modal_body_t * body;
  double * extra_mass;  ///< private: modal mass that is not of the nodes
} mbd_flexible_part_t;

/// A robot with links that bend: constant, shared between threads.
typedef struct mbd_flexible {
  const mbd_model_t * model;  ///< the robot with these links rigid
  int nq, nv;                 ///< of joints and modes
  int nmode;                  ///< of all links
  int npart;
  mbd_flexible_part_t * part;           ///< [npart]
  struct mbd_flexible_layout * layout;  ///< private
} mbd_flexible_t;

/// One thread's workspace: opaque.
typedef struct mbd_flexible_data mbd_flexible_data_t;

/// A robot some of whose links bend. What fixed joints carry on such a link goes with the node that
/// it is attached to.
/// \param[in]  model   finalized, without closures (or embedded loops); must outlive the robot
/// \param[in]  nlink   0 is fine: a rigid robot
/// \param[in]  link    [nlink]
/// \param[out] fault   the link that an error is about, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED (loops),
///   MBD_ERROR_MIMIC, MBD_ERROR_BAD_ARGUMENT (a frame that is no link, a link twice, an attachment
///   that is not on the link, a node), MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_MODES,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_create(
  const mbd_model_t * model, int nlink, const mbd_flexible_link_t * link,
  mbd_flexible_t ** flexible, int * fault);

/// Free a robot; NULL is fine. The model stays.
MBD_PUBLIC
void mbd_flexible_destroy(mbd_flexible_t * flexible);

/// Bytes that mbd_flexible_data_init needs; 0 for NULL.
MBD_PUBLIC
size_t mbd_flexible_data_size(const mbd_flexible_t * flexible);

/// Lay a workspace out in memory of the caller, at any alignment.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_TOO_SMALL
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_data_init(
  const mbd_flexible_t * flexible, void * memory, size_t size, mbd_flexible_data_t ** data);

/// mbd_flexible_data_init in memory from malloc.
/// \return as mbd_flexible_data_init, and MBD_ERROR_OUT_OF_MEMORY
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_data_create(const mbd_flexible_t * flexible, mbd_flexible_data_t ** data);

/// Free a workspace made by mbd_flexible_data_create; NULL is fine.
MBD_PUBLIC
void mbd_flexible_data_destroy(mbd_flexible_data_t * data);

/// Gravity for this workspace, physical, in world axes [m/s^2]; the model's at first.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_set_gravity(mbd_flexible_data_t * data, mbd_vec3_t gravity);

/// Count friction and rotor inertia of the joints in: an or of mbd_term_t, 0 at first.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT (unknown bit)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_set_terms(mbd_flexible_data_t * data, uint32_t terms);

/// The robot at rest, not bent: flexible->nq numbers.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_neutral(const mbd_flexible_t * flexible, double * q);

/// Take a state: placements, velocities, inertias of all bodies.
/// \param[in] q  flexible->nq [rad, m; modal coordinates]
/// \param[in] v  flexible->nv, or NULL: zero
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_QUATERNION
///
/// Complexity O(bodies + nodes modes^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_set_state(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v);

/// Torques of joints and modal forces that make the robot accelerate by qdd. The rows of the modes
/// are what would have to act on them beside their own stiffness and damping: zero in a motion that
/// joints alone can produce.                                                        (Alg 13.1)
/// \param[in]  q, v   as mbd_flexible_set_state; both NULL: the state as it is
/// \param[in]  qdd    flexible->nv, or NULL: zero
/// \param[in]  f_ext  wrenches on frames of the model, or NULL
/// \param[out] tau    flexible->nv; may alias qdd
/// \return as mbd_flexible_set_state, MBD_ERROR_STAGE, MBD_ERROR_BAD_ARGUMENT (a wrench). On an
///   error tau is not written.
///
/// Complexity O(bodies + nodes modes^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_inverse_dynamics(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau);

/// The mass matrix of joints and modes.                                             (Alg 13.2)
/// \param[in]  q  as mbd_flexible_set_state; NULL: the state as it is
/// \param[out] M  row-major flexible->nv x flexible->nv
/// \return as mbd_flexible_inverse_dynamics
///
/// Complexity O(nv^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_mass_matrix(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, double * M);

/// Accelerations of joints and modes: articulated bodies in two stages, first the modes of a link
/// and then its hinge, so that six by six inertias alone go from link to link. (Alg 13.6, 13.7)
/// \param[in]  tau  torques of joints, and forces on modes (zero if nothing acts on them alone),
///   flexible->nv; NULL: zero
/// \param[out] qdd  flexible->nv; may alias tau
/// \return as mbd_flexible_inverse_dynamics, MBD_ERROR_MASSLESS_SUBTREE
///
/// Complexity O(bodies + modes^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_forward_dynamics(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd);

/// Energies of the state [J].
/// \param[out] kinetic    or NULL
/// \param[out] potential  of the weight, zero at the origin of the world; or NULL
/// \param[out] strain     of the modes; or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_STAGE
///
/// Complexity O(bodies + nodes) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_energy(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, double * kinetic, double * potential,
  double * strain);

/// Where a frame of the model is, with the links bent as they are.
/// \param[out] X  in the world, or NULL
/// \param[out] V  its velocity at its origin in its own axes (MBD_LOCAL), or NULL
/// \return as mbd_flexible_energy, MBD_ERROR_BAD_ARGUMENT (frame)
///
/// Complexity O(1) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_frame(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, int frame, mbd_placement_t * X,
  mbd_motion_t * V);

/// Natural frequencies of the robot at the state's configuration, by stiffness of the modes alone:
/// neither gravity nor rotation stiffens it here.
/// \param[in]  locked  joints do not move: flexible->nmode frequencies; else flexible->nv of them,
///   of which those without stiffness are zero
/// \param[out] omega   ascending [rad/s]
/// \return as mbd_flexible_energy, MBD_ERROR_SINGULAR (mass matrix), MBD_ERROR_NOT_FINITE
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_frequencies(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, bool locked, double * omega);

/// q moved along v for dt, as mbd_integrate does.
/// \param[out] q_out  flexible->nq; may alias q
/// \return as mbd_integrate
///
/// Complexity O(bodies) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_integrate(
  const mbd_flexible_t * flexible, const double * q, const double * v, double dt, double * q_out);

/// One step in time by a Runge-Kutta method of fourth order (commutator-free on joints that turn
/// freely). Explicit: dt times the highest natural frequency must stay below 2.8.
/// \param[in,out] q, v   flexible->nq, flexible->nv
/// \param[in]     tau    constant over the step, or NULL
/// \param[in]     f_ext  likewise
/// \return as mbd_flexible_forward_dynamics; on an error q and v are as they were
///
/// Complexity four times forward dynamics | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_step(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, double * q, double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double dt);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FLEXIBLE_H_
