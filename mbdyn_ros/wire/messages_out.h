/// \file messages_out.h
/// Messages that are written once, names and all, and then only get new numbers: CDR bytes with the
/// offsets of what changes. Little endian. Building allocates, filling does not.
///
///   out_message_t       bytes and offsets         out_message_fini
///   out_*_build         one per message type
///   out_stamp           the stamp
///   out_numbers, out_number, out_vector, out_flags, out_integers, out_u32, out_u64    into a slot
#ifndef MBDYN_ROS__MESSAGES_OUT_H_
#define MBDYN_ROS__MESSAGES_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "message_layout.h"

/// A place in the message: n numbers from an offset on.
typedef struct out_slot {
  size_t at;
  size_t n;
} out_slot_t;

#define OUT_MAX_SLOTS 32

typedef struct out_message {
  uint8_t * bytes;  ///< from malloc; padded to a multiple of 4
  size_t size;      ///< padding included: what is published
  size_t stamp_at;  ///< 0: this type has no header
  out_slot_t slot[OUT_MAX_SLOTS];
} out_message_t;

void out_message_fini(out_message_t * message);

/// Seconds that do not fit into 32 bits are cut to what does.
void out_stamp(out_message_t * message, int64_t nanoseconds);
/// slot[k] gets its n doubles.
void out_numbers(out_message_t * message, int k, const double * x);
void out_number(out_message_t * message, int k, double x);
void out_vector(out_message_t * message, int k, double x, double y, double z);
void out_flags(out_message_t * message, int k, const bool * x);        ///< n bytes of 0 or 1
void out_integers(out_message_t * message, int k, const int32_t * x);  ///< n integers
void out_flag(out_message_t * message, int k, bool x);
void out_u32(out_message_t * message, int k, uint32_t x);
void out_u64(out_message_t * message, int k, uint64_t x);

typedef struct out_names {
  size_t n;
  const char * const * name;
} out_names_t;

// All builders: false if out of memory, and then the message is empty; filling an empty message
// (also one of zeros) does nothing. frame_id goes into the header. NULL text counts as empty. Numbers
// start as NaN, flags as false, integers as 0.

/// sensor_msgs/JointState with all four sequences.
enum { OUT_JS_POSITION, OUT_JS_VELOCITY, OUT_JS_EFFORT };
bool out_joint_state_build(out_message_t * m, const char * frame_id, out_names_t names);

/// std_msgs/Float64MultiArray with an empty layout.
enum { OUT_ARRAY_DATA };
bool out_array_build(out_message_t * m, size_t n);

// mbdyn's own messages: the slots are the fields of message_layout.h.

/// mbdyn/JointTorques, every array present: JT_TOTAL ... JT_COMMAND, flags JT_SATURATED.
bool out_joint_torques_build(out_message_t * m, const char * frame_id, out_names_t names);

/// mbdyn/JointDynamicsArray. Joints lie at different alignments: their offsets are kept in offset[],
/// which out_message_fini does not know; out_joint_dynamics_fini frees both.
typedef struct out_joint_dynamics_message {
  out_message_t message;
  size_t * offset;  ///< of what follows the name of joint i
  size_t n;
} out_joint_dynamics_message_t;
bool out_joint_dynamics_build(
  out_joint_dynamics_message_t * m, const char * frame_id, out_names_t names);
/// Joint i is written whole, except for its name.
void out_joint_dynamics_set(
  out_joint_dynamics_message_t * m, size_t i, const wire_joint_dynamics_t * x);
void out_joint_dynamics_fini(out_joint_dynamics_message_t * m);

/// mbdyn/MassMatrix: MM_DATA, MM_DIAGONAL, MM_CONDITION.
bool out_mass_matrix_build(out_message_t * m, const char * frame_id, out_names_t names);

/// mbdyn/Jacobian: JAC_DATA, JAC_BIAS. Rows are named linear_x ... angular_z.
bool out_jacobian_build(
  out_message_t * m, const char * frame, uint8_t reference, const char * point_frame,
  const char * axes_frame, out_names_t columns);

/// mbdyn/OperationalSpaceInertia of several frames: OSI_DATA, OSI_COMPLIANCE, OSI_RANK,
/// OSI_CONDITION. Rows are named FRAME.linear_x ...
bool out_operational_space_inertia_build(
  out_message_t * m, const char * frame_id, out_names_t frames, uint8_t reference,
  out_names_t point_frames, out_names_t axes_frames);

/// mbdyn/DynamicsSummary: from DS_KINETIC_ENERGY on.
bool out_summary_build(
  out_message_t * m, const char * frame_id, const char * model_name, const char * mode,
  uint32_t degrees_of_freedom, out_names_t links);

/// mbdyn/Singularity: from SI_RECIPROCAL on.
bool out_singularity_build(
  out_message_t * m, const char * frame_id, out_names_t joints, out_names_t frames);

/// geometry_msgs/WrenchStamped
enum { OUT_WRENCH /* force, torque */ };
bool out_wrench_build(out_message_t * m, const char * frame_id);

#endif  // MBDYN_ROS__MESSAGES_OUT_H_
