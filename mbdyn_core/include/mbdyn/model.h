/// \file model.h
/// The robot model: bodies, joints and frames; constant after finalize and shared between threads.
///
///   mbd_model_create        create an empty model
///   mbd_body_spec_default   default body description
///   mbd_model_add_body      add a link and its joint
///   mbd_model_add_frame     add a named frame fixed to a link
///   mbd_model_set_gravity   set gravity, before finalize
///   mbd_model_set_mimic_independent   treat mimic joints as independent joints
///   mbd_model_finalize      merge fixed joints, number the bodies, align joint axes with z
///   mbd_model_lock          reduced model: some joints locked, as if they were fixed
///   mbd_model_destroy       free the model
///   mbd_find_frame, mbd_find_joint    index of a name
///   mbd_joint_type_name     "revolute", ...
///
/// **Numbering.** Bodies are numbered depth first from the base, siblings sorted by joint name
/// (strcmp), so that parent < body. Joint i connects body i to its parent. A link on a fixed joint is
/// merged into its parent body and remains available as a frame.
///
/// **Frames.** A link frame coincides with its joint frame at q = 0, as in URDF. The *body frame* is
/// the link frame rotated so that one-axis joints move about or along z, which the kernels require.
/// Body frames appear only in model.h and data.h; all other functions use named frames, and the frame
/// of a link is the link frame.
#ifndef MBDYN__MODEL_H_
#define MBDYN__MODEL_H_

#include "mbdyn/status.h"
#include "mbdyn/types.h"
#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The world as the parent of a body, or as the body of a frame.
#define MBD_WORLD_BODY (-1)

/// Joint types, with the joint's entries in the configuration q and the velocity v.
///
/// The x and y axes of a planar joint are those of the joint frame after the shortest rotation that
/// takes z to the joint axis: for the axis z they are x and y; for x: -z and y; for y: x and -z; for
/// -z: x and -y.
typedef enum mbd_joint_type {
  MBD_JOINT_FIXED = 0,        ///< merged at finalize
  MBD_JOINT_REVOLUTE = 1,     ///< q angle about axis
  MBD_JOINT_CONTINUOUS = 2,   ///< revolute without position limits
  MBD_JOINT_PRISMATIC = 3,    ///< q displacement along axis
  MBD_JOINT_HELICAL = 4,      ///< q angle about axis; advances by pitch * q along it
  MBD_JOINT_CYLINDRICAL = 5,  ///< q angle about axis, displacement along axis
  MBD_JOINT_UNIVERSAL = 6,    ///< q angle about x, then about the rotated y of the joint frame
  MBD_JOINT_SPHERICAL = 7,    ///< q quaternion x y z w; v angular velocity in child axes
  MBD_JOINT_PLANAR = 8,       ///< q x y angle, plane normal to axis; v = vx vy wz in child axes
  MBD_JOINT_FREE = 9,         ///< q x y z, quaternion x y z w; v linear, angular in child axes
  MBD_JOINT_USER = 10         ///< mbd_user_joint_t
} mbd_joint_type_t;

/// User-defined joint with up to six degrees of freedom. The callbacks must be pure functions: they are
/// called on the hot path from every thread that uses the model. `ctx` must outlive the model.
typedef struct mbd_user_joint {
  int nq;  ///< configuration numbers, 1 to 8
  int nv;  ///< velocity numbers, 1 to 6
  void * ctx;
  /// Pose of the child frame in the joint frame at q.
  void (*transform)(void * ctx, const double * q, mbd_placement_t * X);
  /// Columns of the motion subspace S(q), in child axes at the child origin.
  void (*subspace)(void * ctx, const double * q, mbd_motion_t * S);
  /// Columns of dS/dt at (q, v): time derivative of the components of S in child axes.
  void (*subspace_rate)(void * ctx, const double * q, const double * v, mbd_motion_t * dS);
  /// q_out = q integrated along v for dt. NULL: q + v dt (requires nq == nv).
  void (*integrate)(void * ctx, const double * q, const double * v, double dt, double * q_out);
  /// v such that integrate(q0, v, 1) = q1. NULL: q1 - q0.
  void (*difference)(void * ctx, const double * q0, const double * q1, double * v);
  /// The neutral configuration. NULL: zeros.
  void (*neutral)(void * ctx, double * q);
} mbd_user_joint_t;

/// Limits of each degree of freedom of a joint; infinite if there is no limit.
typedef struct mbd_limits {
  double lower, upper;  ///< position [rad or m]
  double velocity;      ///< [rad/s or m/s]
  double effort;        ///< [N m or N]
  double acceleration;  ///< while speeding up [rad/s^2 or m/s^2]
  double deceleration;  ///< while slowing down [rad/s^2 or m/s^2]
  double jerk;          ///< [rad/s^3 or m/s^3]
} mbd_limits_t;

/// Drive of a joint: rotor and friction, equal for all its degrees of freedom.
typedef struct mbd_drive {
  double rotor_inertia;     ///< rotor inertia on the motor side [kg m^2]
  double gear_ratio;        ///< motor turns per joint turn; reflected inertia = ratio^2 * inertia
  double viscous;           ///< viscous friction coefficient [N m s/rad or N s/m]
  double coulomb;           ///< Coulomb friction torque [N m or N]
  double coulomb_velocity;  ///< smoothing velocity in tanh(v / coulomb_velocity) [rad/s or m/s]
} mbd_drive_t;

/// Mimic joint: q = multiplier * q_other + offset.
typedef struct mbd_mimic {
  const char * joint;  ///< name of the leading joint, NULL for none
  double multiplier, offset;
} mbd_mimic_t;

/// Description of a link and its joint for mbd_model_add_body.
typedef struct mbd_body_spec {
  const char * name;        ///< link name, unique among links and frames
  const char * joint_name;  ///< unique among joints
  int parent;               ///< frame index of the parent link, or MBD_WORLD_BODY
  mbd_joint_type_t type;
  mbd_vec3_t axis;            ///< in joint axes, of any nonzero length; for types that have an axis
  double pitch;               ///< helical: advance per angle [m/rad]
  mbd_placement_t placement;  ///< joint frame (= link frame at q = 0) in the parent link frame
  mbd_inertia_t inertia;      ///< about the link frame origin, in link axes
  mbd_limits_t limits;
  mbd_drive_t drive;
  mbd_mimic_t mimic;
  const mbd_user_joint_t * user;  ///< copied; MBD_JOINT_USER only
} mbd_body_spec_t;

/// A moving body and its joint.
typedef struct mbd_body {
  const char * name;  ///< name of the joint's child link
  const char * joint_name;
  int parent;       ///< parent body, or MBD_WORLD_BODY
  int subtree_end;  ///< bodies [i, subtree_end) are the subtree of body i
  int link_frame;   ///< frame index of the joint's child link
  mbd_joint_type_t type;
  int nq, nv;
  int q_index, v_index;    ///< first entry of this joint in q, in v
  int d_index;             ///< first entry of its nv x nv block in data->D_inv
  double pitch;            ///< helical [m/rad]
  mbd_placement_t X_tree;  ///< body frame at neutral q in the parent's body frame
  mbd_inertia_t inertia;   ///< including merged links; body frame
  mbd_limits_t limits;
  mbd_drive_t drive;
  int mimic_body;  ///< body of the leading joint, or -1
  double mimic_multiplier, mimic_offset;
  mbd_user_joint_t user;
} mbd_body_t;

/// A named frame. Every link has one; mbd_model_add_body and mbd_model_add_frame return its index.
typedef struct mbd_frame {
  const char * name;
  int body;           ///< moving body it is fixed to, or MBD_WORLD_BODY; from nbody on: a node of a
                      ///< flexible link (flexible.h)
  bool is_link;       ///< frame of a link, not added by mbd_model_add_frame
  mbd_placement_t X;  ///< frame in the body frame (in the world for MBD_WORLD_BODY)
} mbd_frame_t;

/// The robot model. Fields are read-only.
typedef struct mbd_model {
  const char * name;
  int nq;     ///< size of a configuration
  int nv;     ///< size of a velocity, acceleration or torque: degrees of freedom
  int nbody;  ///< number of moving bodies (= moving joints)
  int nframe;
  int nD;                     ///< sum of nv^2 over the joints
  const mbd_body_t * body;    ///< [nbody]
  const mbd_frame_t * frame;  ///< [nframe]
  const int * dof_body;       ///< body of each degree of freedom [nv]
  mbd_vec3_t gravity;         ///< physical gravity in world axes [m/s^2]; default (0, 0, -9.81)
  double mass;                ///< of all moving bodies [kg]
  double mass_fixed;          ///< of the links fixed to the world [kg]
  int nmimic;                 ///< number of mimic joints
  bool mimic_independent;     ///< mimic joints are treated as independent joints
  bool finalized;
  const char * error_name;             ///< link or joint that caused the last error, or NULL
  int nclosure;                        ///< loops, gears, drivers: closure.h
  int nrow;                            ///< constraint rows of all closures
  const struct mbd_closure * closure;  ///< [nclosure]
  int nelement;                        ///< springs, bushings, actuators: element.h
  const struct mbd_element * element;  ///< [nelement]
  int nbearing;                        ///< joint friction that grows with the load: bearing.h
  const struct mbd_bearing * bearing;  ///< [nbearing]
  /// Embedded models (embedding.h): bodies, frames and q are those of the spanning tree, v contains
  /// only the independent degrees of freedom.
  const struct mbd_model * tree;  ///< the spanning tree, or NULL if the model is not embedded
  const int * dof_tree;           ///< index in the tree of each degree of freedom, or NULL [nv]
  /// Flexible links (flexible.h): in q and v the modes follow the joints; in body[] and in the arrays
  /// of a workspace the nodes of flexible links follow the bodies.
  const struct mbd_flexible * flexible;  ///< or NULL: all links are rigid
  int nnode;                             ///< nodes: body[nbody] to body[nbody + nnode - 1]
  struct mbdi_model * internal;          ///< private
} mbd_model_t;

/// Create an empty model.
/// \param[in]  name   of the robot, copied
/// \param[out] model  free with mbd_model_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_create(const char * name, mbd_model_t ** model);

/// Create a reduced model with some joints locked where they are at q, as if they were fixed joints: their
/// links are merged into the parents' bodies, and all links remain as frames. Rotors and friction of locked
/// joints no longer count; rotors on other joints do.
///
/// Joints that cannot move any more are locked too: mimic joints, gears, loops without mobility left. A
/// closure between links that are now one body is dropped if q closes it; couplings keep the joints that
/// still move; springs and bearings of locked joints are dropped. An embedded model gives an embedded
/// model, or a tree if no closure is left.
/// \param[in]  model   finalized; not needed by the result
/// \param[in]  n       number of joints to lock
/// \param[in]  joint   their names                                        [n]
/// \param[in]  q       configuration; positions of the other joints matter only to closures [model->nq]
/// \param[out] locked  new model, finalized, NULL on error; free with mbd_model_destroy
/// \return MBD_OK; MBD_ERROR_NOT_FOUND (no moving joint of that name); MBD_ERROR_NOT_ASSEMBLED (q does not
///   close the loops that the lock makes rigid); MBD_ERROR_BAD_CLOSURE (a locked joint is moved by a driver);
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_QUATERNION (q); MBD_ERROR_UNSUPPORTED (flexible links);
///   MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_BAD_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_OUT_OF_MEMORY;
///   otherwise as mbd_model_embed
///
/// Complexity O(N), with closures O((rows + nv)^2 nv) | Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_lock(
  const mbd_model_t * model, int n, const char * const * joint, const double * q,
  mbd_model_t ** locked);

/// Free a model; NULL is allowed.
MBD_PUBLIC
void mbd_model_destroy(mbd_model_t * model);

/// Default body description: fixed joint to the world at the origin, no inertia, no limits, no drive.
MBD_PUBLIC
mbd_body_spec_t mbd_body_spec_default(void);

/// Add a link and its joint.
/// \param[in,out] model  not yet finalized
/// \param[in]     spec   names are copied
/// \param[out]    frame  index of the link frame, for use as the parent of further links; it stays
///   valid
/// \return MBD_OK; MBD_ERROR_DUPLICATE_NAME, MBD_ERROR_BAD_INERTIA, MBD_ERROR_BAD_AXIS,
///   MBD_ERROR_BAD_JOINT, MBD_ERROR_NOT_FINITE (model->error_name has the name);
///   MBD_ERROR_BAD_ARGUMENT (parent), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_FINALIZED,
///   MBD_ERROR_OUT_OF_MEMORY. The model is unchanged on error.
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_body(mbd_model_t * model, const mbd_body_spec_t * spec, int * frame);

/// Add a named frame fixed to a link.
/// \param[in]  link       frame index of a link or frame, or MBD_WORLD_BODY
/// \param[in]  placement  pose of the new frame in that frame
/// \param[out] frame      index of the new frame
/// \return as mbd_model_add_body
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_frame(
  mbd_model_t * model, const char * name, int link, const mbd_placement_t * placement, int * frame);

/// Set gravity in world axes [m/s^2]: the physical vector, (0, 0, -9.81) if z points up.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_set_gravity(mbd_model_t * model, mbd_vec3_t gravity);

/// Treat mimic joints as independent joints in dynamics. Otherwise dynamics functions return
/// MBD_ERROR_MIMIC for a model with a mimic joint; kinematics functions work in both cases.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_set_mimic_independent(mbd_model_t * model, bool independent);

/// Merge fixed joints, number the bodies and align the axes of one-axis joints with z. The model is
/// constant afterwards.
/// \return MBD_OK; MBD_ERROR_BAD_JOINT if a mimic joint follows an unknown joint, itself (directly or
///   through others), or a joint that does not have exactly one degree of freedom (model->error_name
///   is the joint); MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_finalize(mbd_model_t * model);

/// Find the index of a frame; every link has a frame of its name.
/// \return MBD_OK or MBD_ERROR_NOT_FOUND
///
/// Complexity O(frames) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_frame(const mbd_model_t * model, const char * name, int * frame);

/// Find the index of the child body of a joint.
/// \return MBD_OK or MBD_ERROR_NOT_FOUND (also for fixed joints, which are merged)
///
/// Complexity O(bodies) | Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_joint(const mbd_model_t * model, const char * joint_name, int * body);

/// Name of a joint type: "fixed", "revolute", ...; "unknown" for other values. Never NULL.
MBD_PUBLIC
const char * mbd_joint_type_name(mbd_joint_type_t type);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MODEL_H_
