/// \file model.h
/// The robot: bodies, joints and frames. Built once, then constant and shared between threads.
///
///   mbd_model_create        an empty model
///   mbd_body_spec_default   a body description to fill in
///   mbd_model_add_body      a link and the joint that carries it
///   mbd_model_add_frame     a named frame fixed to a link
///   mbd_model_set_gravity   gravity of the world, before finalize
///   mbd_model_set_mimic_independent   treat mimic joints as joints of their own
///   mbd_model_finalize      merge fixed joints, order, turn joint axes to z; constant from here on
///   mbd_model_destroy       give the memory back
///   mbd_find_frame, mbd_find_joint    index of a name
///   mbd_joint_type_name     "revolute", ...
///
/// **Numbering.** Bodies are numbered base to tip, depth first, siblings by the name of their
/// joint (strcmp); parent < body. Body i hangs on joint i. A link that a fixed joint carries is
/// merged into the body above it and stays as a frame.
///
/// **Frames.** A link frame is where its joint's frame is at rest (URDF). The *body frame* is the
/// link frame turned so that a one-axis joint moves about or along z: kernels are written for
/// that. Body frames appear in model.h and data.h only; every other function speaks of named
/// frames, and the frames of links are the link frames.
#ifndef MBDYN__MODEL_H_
#define MBDYN__MODEL_H_

#include "mbdyn/status.h"
#include "mbdyn/types.h"
#include "mbdyn/visibility.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Parent of a body that hangs on the world; body of a frame that is fixed to the world.
#define MBD_WORLD_BODY (-1)

/// Joint types. q and v are what the joint takes from the configuration and velocity vectors.
///
/// The x and y of a planar joint are those of the joint frame after the shortest rotation that takes z
/// to the axis; they do not depend on its length. Axis z: x and y themselves; x: -z and y; y: x and
/// -z; -z: x and -y.
typedef enum mbd_joint_type {
  MBD_JOINT_FIXED = 0,        ///< merged at finalize
  MBD_JOINT_REVOLUTE = 1,     ///< q angle about axis
  MBD_JOINT_CONTINUOUS = 2,   ///< as revolute, without position limits
  MBD_JOINT_PRISMATIC = 3,    ///< q displacement along axis
  MBD_JOINT_HELICAL = 4,      ///< q angle about axis; advances by pitch * q along it
  MBD_JOINT_CYLINDRICAL = 5,  ///< q angle about axis, displacement along axis
  MBD_JOINT_UNIVERSAL = 6,    ///< q angle about x, then about the turned y of the joint frame
  MBD_JOINT_SPHERICAL = 7,    ///< q quaternion x y z w; v angular velocity in child axes
  MBD_JOINT_PLANAR = 8,       ///< q x y angle, plane normal to axis; v = vx vy wz in child axes
  MBD_JOINT_FREE = 9,         ///< q x y z, quaternion x y z w; v linear, angular in child axes
  MBD_JOINT_USER = 10         ///< mbd_user_joint_t
} mbd_joint_type_t;

/// A joint of the caller's own, up to six degrees of freedom. The callbacks must be pure: they are
/// called from every thread that uses the model, on the hot path. `ctx` must outlive the model.
typedef struct mbd_user_joint {
  int nq;  ///< configuration numbers, 1 to 8
  int nv;  ///< velocity numbers, 1 to 6
  void * ctx;
  /// Child frame in the joint frame at q.
  void (*transform)(void * ctx, const double * q, mbd_placement_t * X);
  /// Columns of the motion subspace S(q), in child axes at the child origin.
  void (*subspace)(void * ctx, const double * q, mbd_motion_t * S);
  /// Columns of dS/dt at (q, v), of the child-axes numbers of S.
  void (*subspace_rate)(void * ctx, const double * q, const double * v, mbd_motion_t * dS);
  /// q_out = q moved by v for dt. NULL: q + v dt (needs nq == nv).
  void (*integrate)(void * ctx, const double * q, const double * v, double dt, double * q_out);
  /// v such that integrate(q0, v, 1) = q1. NULL: q1 - q0.
  void (*difference)(void * ctx, const double * q0, const double * q1, double * v);
  /// The rest configuration. NULL: zeros.
  void (*neutral)(void * ctx, double * q);
} mbd_user_joint_t;

/// Limits of each degree of freedom of a joint; infinite where there is none.
typedef struct mbd_limits {
  double lower, upper;  ///< position [rad or m]
  double velocity;      ///< [rad/s or m/s]
  double effort;        ///< [N m or N]
  double acceleration;  ///< while the joint speeds up [rad/s^2 or m/s^2]
  double deceleration;  ///< while it slows down
  double jerk;          ///< [rad/s^3 or m/s^3]
} mbd_limits_t;

/// What the drive of a joint adds to the rigid bodies; the same for each of its degrees of freedom.
typedef struct mbd_drive {
  double rotor_inertia;     ///< of the motor, on the motor's side [kg m^2]
  double gear_ratio;        ///< motor turns per joint turn; reflected inertia = ratio^2 * inertia
  double viscous;           ///< friction torque per velocity [N m s/rad or N s/m]
  double coulomb;           ///< dry friction torque [N m or N]
  double coulomb_velocity;  ///< velocity at which tanh(v / this) smooths its sign [rad/s or m/s]
} mbd_drive_t;

/// A joint that follows another: q = multiplier * q_other + offset.
typedef struct mbd_mimic {
  const char * joint;  ///< name of the followed joint, NULL for none
  double multiplier, offset;
} mbd_mimic_t;

/// A link and the joint that carries it, as given to mbd_model_add_body.
typedef struct mbd_body_spec {
  const char * name;        ///< link name, unique among links and frames
  const char * joint_name;  ///< unique among joints
  int parent;               ///< frame index of the parent link, or MBD_WORLD_BODY
  mbd_joint_type_t type;
  mbd_vec3_t axis;            ///< in joint axes; any length but zero; where the type has one
  double pitch;               ///< helical: advance per angle [m/rad]
  mbd_placement_t placement;  ///< joint frame (= link frame at rest) in the parent link frame
  mbd_inertia_t inertia;      ///< about the link frame origin, in link axes
  mbd_limits_t limits;
  mbd_drive_t drive;
  mbd_mimic_t mimic;
  const mbd_user_joint_t * user;  ///< copied; MBD_JOINT_USER only
} mbd_body_spec_t;

/// A moving body and the joint that carries it.
typedef struct mbd_body {
  const char * name;  ///< of the link that the joint carries
  const char * joint_name;
  int parent;       ///< body, or MBD_WORLD_BODY
  int subtree_end;  ///< bodies [i, subtree_end) are i and all that it carries
  int link_frame;   ///< frame index of the link that the joint carries
  mbd_joint_type_t type;
  int nq, nv;
  int q_index, v_index;    ///< first number of this joint in q, in v
  int d_index;             ///< first number of its nv x nv block in data->D_inv
  double pitch;            ///< helical [m/rad]
  mbd_placement_t X_tree;  ///< body frame at rest (q neutral) in the parent's body frame
  mbd_inertia_t inertia;   ///< with everything merged into it; body frame
  mbd_limits_t limits;
  mbd_drive_t drive;
  int mimic_body;  ///< body whose joint this one follows, or -1
  double mimic_multiplier, mimic_offset;
  mbd_user_joint_t user;
} mbd_body_t;

/// A named frame. Every link has one; the index is what mbd_model_add_body and _add_frame returned.
typedef struct mbd_frame {
  const char * name;
  int body;           ///< moving body it is fixed to, or MBD_WORLD_BODY; from nbody on: a node of a
                      ///< flexible link (flexible.h)
  bool is_link;       ///< a link's frame, not one added by mbd_model_add_frame
  mbd_placement_t X;  ///< frame in the body frame (in the world for MBD_WORLD_BODY)
} mbd_frame_t;

typedef struct mbd_model {
  const char * name;
  int nq;     ///< length of a configuration
  int nv;     ///< length of a velocity, torque, ...
  int nbody;  ///< moving bodies (= moving joints)
  int nframe;
  int nD;                     ///< sum of nv^2 over the joints
  const mbd_body_t * body;    ///< [nbody]
  const mbd_frame_t * frame;  ///< [nframe]
  const int * dof_body;       ///< body of each degree of freedom [nv]
  mbd_vec3_t gravity;         ///< physical gravity in world axes [m/s^2]; default (0, 0, -9.81)
  double mass;                ///< of all moving bodies [kg]
  double mass_fixed;          ///< of what is fixed to the world [kg]
  int nmimic;                 ///< joints that follow another
  bool mimic_independent;     ///< they are treated as joints of their own
  bool finalized;
  const char * error_name;             ///< link or joint that the last error is about, or NULL
  int nclosure;                        ///< loops, gears, drivers: closure.h
  int nrow;                            ///< rows of them all
  const struct mbd_closure * closure;  ///< [nclosure]
  /// A model in independent velocities: embedding.h. Its bodies, frames and q are those of the
  /// spanning tree, its v is of the independent degrees of freedom alone.
  const struct mbd_model * tree;  ///< the spanning tree, or NULL: this is one itself
  const int * dof_tree;           ///< tree's number of each degree of freedom, or NULL [nv]
  /// Flexible links (flexible.h): modes follow the joints in q and v, and nodes of the links the
  /// bodies in body[] and in the arrays of a workspace.
  const struct mbd_flexible * flexible;  ///< or NULL: all links are rigid
  int nnode;                             ///< nodes: body[nbody] to body[nbody + nnode - 1]
  struct mbdi_model * internal;          ///< private
} mbd_model_t;

/// A new, empty model.
/// \param[in]  name   of the robot, copied
/// \param[out] model  give it to mbd_model_destroy
/// \return MBD_OK, MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe yes | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_create(const char * name, mbd_model_t ** model);

/// Free a model; NULL is fine.
MBD_PUBLIC
void mbd_model_destroy(mbd_model_t * model);

/// A fixed joint to the world at the origin, no inertia, no limits, no drive.
MBD_PUBLIC
mbd_body_spec_t mbd_body_spec_default(void);

/// Add a link and the joint that carries it.
/// \param[in,out] model  not yet finalized
/// \param[in]     spec   names are copied
/// \param[out]    frame  index of the link's frame: parent of further links; valid for good
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
/// \param[in]  placement  the new frame in that one
/// \param[out] frame      its index
/// \return as mbd_model_add_body
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_add_frame(
  mbd_model_t * model, const char * name, int link, const mbd_placement_t * placement, int * frame);

/// Gravity in world axes [m/s^2]: the physical vector, (0, 0, -9.81) on a floor with z up.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_set_gravity(mbd_model_t * model, mbd_vec3_t gravity);

/// Let dynamics treat mimic joints as joints of their own. Otherwise dynamics of a model with a
/// mimic joint returns MBD_ERROR_MIMIC; kinematics work all the same.
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_set_mimic_independent(mbd_model_t * model, bool independent);

/// Merge fixed joints (with the full rotation of the inertia), order the bodies, turn one-axis
/// joints to z. The model is constant afterwards.
/// \return MBD_OK; MBD_ERROR_BAD_JOINT when a mimic follows an unknown joint, itself (also by way
/// of
///   others), or a joint that is not of one degree of freedom (model->error_name has the joint);
///   MBD_ERROR_OUT_OF_MEMORY
///
/// Allocates yes | Thread-safe no | Real-time safe no
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_model_finalize(mbd_model_t * model);

/// Index of a frame (every link is one). MBD_OK or MBD_ERROR_NOT_FOUND; O(frames).
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_frame(const mbd_model_t * model, const char * name, int * frame);

/// Index of the moving body that a joint carries. MBD_OK or MBD_ERROR_NOT_FOUND (also for a fixed
/// joint, which is merged); O(bodies).
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_find_joint(const mbd_model_t * model, const char * joint_name, int * body);

/// "fixed", "revolute", ...; "unknown" for a number that is none. Never NULL.
MBD_PUBLIC
const char * mbd_joint_type_name(mbd_joint_type_t type);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__MODEL_H_
