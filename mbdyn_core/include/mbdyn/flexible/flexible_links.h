/// \file flexible/flexible_links.h
/// Flexible links: modal bodies and beams, combined with rigid links in one robot.
///
///   mbd_modal_body_create, _destroy   mode shapes, masses, stiffness and damping of a link
///   mbd_modal_body_check              check modal data
///   mbd_beam_spec_default             default beam
///   mbd_beam_create                   modal body of a cantilever, pinned or free beam
///   mbd_beam_root                     roots of the frequency equations: 1.8751, 4.6941, ...
///   mbd_model_with_flexible_links     a model some of whose links are flexible
///   mbd_flexible_strain_energy        strain energy of the modes
///   mbd_flexible_frequencies          natural frequencies at a configuration
///   mbd_flexible_static               static deflection under weight and payloads
///
/// **Model.** A model with flexible links is used like any other: mbd_data_create, mbd_set_state,
/// mbd_inverse_dynamics, mbd_forward_dynamics and almost all other functions support it;
/// docs/flexible.md lists the exceptions. Its q = [q of the joints, eta of the modes], v and tau
/// likewise: the entries of the rigid robot keep their indices, and the modes follow, link by link.
/// Jacobians have columns for the modes. The modal rows of mbd_inverse_dynamics are generalised forces
/// in addition to stiffness and damping: zero for a motion that the joints alone can produce.
/// mbd_gravity and mbd_bias include the stiffness at the current eta (mbd_bias also the damping),
/// mbd_potential_energy includes the strain energy.
///
/// **A modal body** is a set of nodes. Each node is a small rigid body, or a massless attachment point.
/// With the modal coordinates eta, a node rotates by theta = sum of shape.ang eta (a rotation vector)
/// and translates by sum of shape.lin eta + 1/2 eta^T bend eta, relative to the undeformed link. The
/// quadratic part is the axial shortening of a bent beam: without it a spinning beam would soften
/// instead of stiffen. Only the mode shapes are linearised; the kinematics of the nodes is exact, so
/// that energy is conserved.                                                 Jain (13.20), (13.27)
///
/// **The hinge** of a link is the origin of its link frame. If the mode shapes displace it (pinned, free),
/// nodes are placed relative to the displaced hinge, so that the link frame stays fixed to the material
/// point at the hinge.                                                             Jain (13.28)
///
/// Source: Jain, Robot and Multibody Dynamics, chapter 13. Modal damping and axial shortening are
/// additions.
#ifndef MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_
#define MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_

#include "mbdyn/jacobian.h"
#include "mbdyn/operators/sko.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- modal bodies ----------

/// Modal data of a flexible link. Arrays are row-major; vectors are in link axes. The caller fills in the
/// arrays after mbd_modal_body_create.
typedef struct mbd_modal_body {
  int nmode, nnode;
  mbd_vec3_t * position;    ///< of each node at rest, in the link frame [m]                [nnode]
  mbd_inertia_t * inertia;  ///< of each node about its origin; zero: attachment point only [nnode]
  mbd_motion_t * shape;     ///< rotation [rad] and displacement [m] of each node per unit of
                            ///< each mode                                          [nnode x nmode]
  mbd_vec3_t * bend;     ///< second-order displacement [m], symmetric       [nnode x nmode x nmode]
  bool has_bend;         ///< bend is not zero
  mbd_motion_t * hinge;  ///< shape at the origin of the link frame; zero: clamped       [nmode]
  bool has_hinge;        ///< hinge is not zero
  double * mass;         ///< modal mass if has_mass; else computed from the nodes [nmode x nmode]
  bool has_mass;
  double * stiffness;  ///< symmetric positive semidefinite                     [nmode x nmode]
  double * damping;    ///< symmetric positive semidefinite                     [nmode x nmode]
} mbd_modal_body_t;

/// Errors of modal data.
typedef enum mbd_modal_fault {
  MBD_MODAL_GOOD = 0,
  MBD_MODAL_NOT_FINITE = 1,
  MBD_MODAL_NODE_INERTIA = 2,        ///< inertia of a node is not physically consistent
  MBD_MODAL_BEND_NOT_SYMMETRIC = 3,  ///< bend of a node
  MBD_MODAL_MASS_NOT_SYMMETRIC = 4,
  MBD_MODAL_MASS_NOT_POSITIVE = 5,  ///< the modal mass matrix is not positive definite
  MBD_MODAL_STIFFNESS_NOT_SYMMETRIC = 6,
  MBD_MODAL_STIFFNESS_NEGATIVE = 7,
  MBD_MODAL_DAMPING_NOT_SYMMETRIC = 8,
  MBD_MODAL_DAMPING_NEGATIVE = 9
} mbd_modal_fault_t;

/// Create a modal body with all values zero.
/// \param[in] nmode  at least 1, at most 100
/// \param[in] nnode  at least 1, at most 10000
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_modal_body_create(int nmode, int nnode, mbd_modal_body_t ** body);

/// Free a modal body; NULL is allowed.
MBD_PUBLIC
void mbd_modal_body_destroy(mbd_modal_body_t * body);

/// Check that modal data are consistent.
/// \param[out] fault  first error found, or NULL
/// \param[out] index  node or matrix row with the error, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_MODES,
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_modal_body_check(
  const mbd_modal_body_t * body, mbd_modal_fault_t * fault, int * index);

/// Description of an error: "stiffness is not symmetric", ... Never NULL.
MBD_PUBLIC
const char * mbd_modal_fault_text(mbd_modal_fault_t fault);

//---------- beams ----------

/// Support of a beam in its mode shapes.
typedef enum mbd_beam_support {
  MBD_BEAM_CANTILEVER = 0,  ///< clamped at x = 0, free at x = length
  MBD_BEAM_PINNED = 1,      ///< both ends can rotate
  MBD_BEAM_FREE = 2         ///< both ends are free
} mbd_beam_support_t;

/// A straight Euler-Bernoulli beam along x of the beam frame, from its origin.
typedef struct mbd_beam_spec {
  double length;                ///< [m]
  double mass_per_length;       ///< [kg/m]
  double polar;                 ///< moment of inertia about x per length [kg m]; 0: none
  double bending_y, bending_z;  ///< EI of deflections along y, along z [N m^2]
  int modes_y, modes_z;         ///< number of modes along y, along z; y first
  mbd_beam_support_t support;
  double damping_ratio;  ///< of every mode, relative to critical damping
  bool no_shortening;    ///< neglect the shortening of a bent beam: valid for small rotation rates
  mbd_placement_t X;     ///< beam frame in the link frame; a rotation: both have the same origin
  int points;            ///< nodes with mass, at Gauss points; 0: chosen by the number of modes
  int nstation;          ///< additional massless nodes, e.g. attachment points of other links
  const double * station;  ///< their x coordinates [m], 0 to length                 [nstation]
} mbd_beam_spec_t;

/// Default beam: 1 m, 1 kg/m, no stiffness, no modes, cantilever, no damping.
MBD_PUBLIC
mbd_beam_spec_t mbd_beam_spec_default(void);

/// Root b = beta L of the frequency equation of a mode: cos b cosh b = -1 (cantilever), sin b = 0
/// (pinned), cos b cosh b = 1 (free). The natural frequency is b^2 sqrt(EI / (mass_per_length L^4)).
/// \param[in] mode  1, 2, ...
/// \return 0 if there is no such mode
MBD_PUBLIC
double mbd_beam_root(mbd_beam_support_t support, int mode);

/// Create the modal body of a beam. Modes are scaled to the mass of the beam as modal mass. Nodes, in this
/// order: Gauss points with mass, the stations, the end of the beam.
/// \param[out] body  free with mbd_modal_body_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (a value
///   that must be positive, modes, points, a station outside the beam, X with a translation),
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_beam_create(const mbd_beam_spec_t * spec, mbd_modal_body_t ** body);

//---------- models ----------

/// Attachment of a link or frame to a flexible link; default: the nearest node.
typedef struct mbd_flexible_attachment {
  int frame;  ///< child link or frame that is attached directly to the flexible link
  int node;   ///< node of the modal body, or -1: fixed to the link frame
} mbd_flexible_attachment_t;

/// Description of a flexible link for mbd_model_with_flexible_links.
typedef struct mbd_flexible_link {
  int frame;                      ///< frame index of the link; any type of joint, including fixed
  const mbd_modal_body_t * body;  ///< copied; replaces the inertia of the link
  int nattachment;
  const mbd_flexible_attachment_t * attachment;  ///< [nattachment]
} mbd_flexible_link_t;

/// A flexible link of a model.
typedef struct mbd_flexible_part {
  int frame;             ///< frame index of the link
  int q_index, v_index;  ///< index of its first modal coordinate in q, in v
  mbd_modal_body_t * body;
  double * extra_mass;  ///< private: modal mass beyond that of the nodes
} mbd_flexible_part_t;

/// Flexible links of a model: model->flexible.
typedef struct mbd_flexible {
  const mbd_model_t * rigid;  ///< the same model with rigid links
  int nmode;                  ///< total number of modes
  int npart;
  mbd_flexible_part_t * part;            ///< [npart]
  struct mbdi_flexible_layout * layout;  ///< private
} mbd_flexible_t;

/// Create a model some of whose links are flexible. Bodies, joints, frames and their names are those of
/// the rigid model. The nodes of flexible links follow the bodies in model->body, as bodies without a
/// joint, and each frame on a flexible link is fixed to a node. Links on fixed joints are merged into the
/// node to which they are attached. Closures are kept, for mbd_constrained_* (cut joints).
/// \param[in]  rigid   finalized, not embedded; must outlive the model
/// \param[in]  nlink   0 for a rigid robot
/// \param[in]  link    [nlink]
/// \param[out] model   free with mbd_model_destroy
/// \param[out] fault   index in `link` of the entry that caused the error, or -1; may be NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED (embedded
///   loops, flexible links, force elements), MBD_ERROR_MIMIC, MBD_ERROR_BAD_ARGUMENT (a frame that is not a
///   link frame, a duplicate link, an attachment to another link, an unknown node), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_MODES, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_with_flexible_links(
  const mbd_model_t * rigid, int nlink, const mbd_flexible_link_t * link, mbd_model_t ** model,
  int * fault);

/// Strain energy of the modes [J], which is part of mbd_potential_energy. Needs the position stage.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_UNSUPPORTED (a model
///   without flexible links), MBD_ERROR_STAGE, MBD_ERROR_NOT_FINITE
///
/// Complexity O(modes^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_strain_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);

/// Natural frequencies of the robot at the current configuration, from M and the modal stiffness; stiffening
/// by gravity or rotation is neglected. Needs the position stage.
/// \param[in]  locked  true: joints locked, flexible->nmode frequencies; false: joints free, model->nv
///   frequencies, zero for motion without stiffness
/// \param[out] omega   ascending [rad/s]
/// \return as mbd_flexible_strain_energy, and MBD_ERROR_SINGULAR (mass matrix)
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_frequencies(
  const mbd_model_t * model, mbd_data_t * data, bool locked, double * omega);

/// Static deflection: modal coordinates eta in equilibrium with gravity (modal rows of mbd_gravity are zero)
/// at the joint positions of q. At the result, mbd_gravity gives the joint torques that hold the robot with
/// its links deflected by their weight and payloads. Newton's method starts from the eta in q: three or four
/// steps from zero, fewer from the eta of a nearby configuration. Sets the position stage to the result.
/// \param[in,out] q  model->nq; eta is written
/// \return as mbd_flexible_strain_energy and mbd_set_position; MBD_ERROR_SINGULAR (the links
///   buckle under their load), MBD_ERROR_NO_SOLUTION. On error, q is unchanged.
///
/// Complexity (2 modes + 1) times mbd_gravity per step | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_static(const mbd_model_t * model, mbd_data_t * data, double * q);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_
