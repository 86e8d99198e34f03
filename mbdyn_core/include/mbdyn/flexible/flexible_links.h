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
/// **A modal body** is a set of nodes, each a small rigid body (or a massless place where something
/// is attached). With the modal coordinates eta, a node rotates by theta = sum of shape.ang eta (a
/// rotation vector) and translates by sum of shape.lin eta + 1/2 eta^T bend eta, relative to the
/// undeformed link. The quadratic part is the axial shortening of a bent beam: without it a spinning
/// beam would soften instead of stiffen. The kinematics is otherwise exact, so that energy
/// is conserved; nothing but the shapes is linearised.                       Jain (13.20), (13.27)
///
/// **The hinge** of a link is where its frame is. Shapes that move it (pinned, free) are taken from
/// all nodes: the link frame stays on the material.                                Jain (13.28)
///
/// Sources: Jain, Robot and Multibody Dynamics, chapter 13. Modal damping and shortening are not in
/// it.
#ifndef MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_
#define MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_

#include "mbdyn/jacobian.h"
#include "mbdyn/operators/sko.h"

#ifdef __cplusplus
extern "C" {
#endif

//---------- modal bodies ----------

/// A flexible link. Arrays are row-major; vectors are in link axes. Written by the caller after
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

/// Errors of modal data.
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

/// Support of a beam in its mode shapes.
typedef enum mbd_beam_support {
  MBD_BEAM_CANTILEVER = 0,  ///< clamped at its beginning, free at its end
  MBD_BEAM_PINNED = 1,      ///< both ends can rotate
  MBD_BEAM_FREE = 2         ///< both ends are free
} mbd_beam_support_t;

/// A straight Euler-Bernoulli beam along x of its frame, beginning at the frame's origin.
typedef struct mbd_beam_spec {
  double length;                ///< [m]
  double mass_per_length;       ///< [kg/m]
  double polar;                 ///< moment of inertia about x per length [kg m]; 0: a line
  double bending_y, bending_z;  ///< EI of deflections along y, along z [N m^2]
  int modes_y, modes_z;         ///< number of modes along y, along z; y first
  mbd_beam_support_t support;
  double damping_ratio;  ///< of every mode, to critical
  bool no_shortening;    ///< neglect the shortening of a bent beam: valid for small rotation rates
  mbd_placement_t X;     ///< beam frame in the link frame; its origin is the link's
  int points;            ///< nodes with mass, at Gauss points; 0: enough for the modes
  int nstation;          ///< massless nodes after them, e.g. where other links are attached
  const double * station;  ///< at which x [m], 0 to length                          [nstation]
} mbd_beam_spec_t;

/// Default beam: 1 m, 1 kg/m, no stiffness, no modes, cantilever, no damping.
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
/// \param[out] body  free with mbd_modal_body_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (a number
///   that must be positive, modes, points, a station off the beam, X that moves the origin),
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_beam_create(const mbd_beam_spec_t * spec, mbd_modal_body_t ** body);

//---------- models ----------

/// Attachment of a link or frame to a flexible link; default: the nearest node.
typedef struct mbd_flexible_attachment {
  int frame;  ///< of the link or frame whose joint or origin is directly on the flexible link
  int node;   ///< of the modal body, or -1: fixed to the link frame
} mbd_flexible_attachment_t;

/// Description of a flexible link for mbd_model_with_flexible_links.
typedef struct mbd_flexible_link {
  int frame;                      ///< of the link, on any joint (fixed ones, too)
  const mbd_modal_body_t * body;  ///< copied; takes the place of the link's own inertia
  int nattachment;
  const mbd_flexible_attachment_t * attachment;  ///< [nattachment]
} mbd_flexible_link_t;

/// A flexible link of a model.
typedef struct mbd_flexible_part {
  int frame;             ///< of the link
  int q_index, v_index;  ///< its first modal coordinate in q, in v
  mbd_modal_body_t * body;
  double * extra_mass;  ///< private: modal mass that is not of the nodes
} mbd_flexible_part_t;

/// Flexible links of a model: model->flexible.
typedef struct mbd_flexible {
  const mbd_model_t * rigid;  ///< the model with these links rigid
  int nmode;                  ///< of all links
  int npart;
  mbd_flexible_part_t * part;            ///< [npart]
  struct mbdi_flexible_layout * layout;  ///< private
} mbd_flexible_t;

/// A model some of whose links are flexible. Bodies, joints, frames and their names are those of the
/// rigid one; nodes of the links follow the bodies in model->body, as bodies without joint, and a frame
/// on a flexible link is on one of them. What fixed joints carry on such a link goes with the node that
/// it is attached to. Closures stay, for mbd_constrained_* (cut joints).
/// \param[in]  rigid   finalized, not embedded; must outlive the model
/// \param[in]  nlink   0 for a rigid robot
/// \param[in]  link    [nlink]
/// \param[out] model   free with mbd_model_destroy
/// \param[out] fault   the link that caused the error, or NULL
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_UNSUPPORTED (embedded
///   loops, flexible links, force elements), MBD_ERROR_MIMIC, MBD_ERROR_BAD_ARGUMENT (a frame that is no link, a link
///   twice, an attachment that is not on the link, a node), MBD_ERROR_NOT_FINITE,
///   MBD_ERROR_BAD_MODES, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_with_flexible_links(
  const mbd_model_t * rigid, int nlink, const mbd_flexible_link_t * link, mbd_model_t ** model,
  int * fault);

/// Strain energy of the modes at the state [J]; mbd_potential_energy includes it. Needs the position
/// stage.
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_UNSUPPORTED (a model
///   without flexible links), MBD_ERROR_STAGE, MBD_ERROR_NOT_FINITE
///
/// Complexity O(modes^2) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_strain_energy(
  const mbd_model_t * model, mbd_data_t * data, double * energy);

/// Natural frequencies of the robot at the state's configuration, by stiffness of the modes alone:
/// neither gravity nor rotation stiffens it here. Needs the position stage.
/// \param[in]  locked  joints do not move: flexible->nmode frequencies; else model->nv of them,
///   of which those without stiffness are zero
/// \param[out] omega   ascending [rad/s]
/// \return as mbd_flexible_strain_energy, MBD_ERROR_SINGULAR (mass matrix)
///
/// Complexity O(nv^3) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_frequencies(
  const mbd_model_t * model, mbd_data_t * data, bool locked, double * omega);

/// Quasi-static modal state: eta at which the modal rows of mbd_gravity are zero, joints being where q
/// has them. With it mbd_gravity gives the joint torques that hold the robot with its links deflected
/// by weight and payloads. Newton's method from the eta in q: three or four steps from zero, fewer from
/// the eta of a configuration nearby. The workspace is left with the position stage of the result.
/// \param[in,out] q  model->nq; eta is written
/// \return as mbd_flexible_strain_energy, mbd_set_position, MBD_ERROR_SINGULAR (the links are not
///   stable under this weight), MBD_ERROR_NO_SOLUTION; on an error q is as it was
///
/// Complexity 2 modes + 1 times mbd_gravity a step | Allocates no | Thread-safe per data |
/// Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_flexible_static(const mbd_model_t * model, mbd_data_t * data, double * q);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__FLEXIBLE__FLEXIBLE_LINKS_H_
