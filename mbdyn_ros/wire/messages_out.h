/// \file messages_out.h
/// Messages that are written once, names and all, and then only get new numbers: CDR bytes with the
/// offsets of what changes. Little endian. Building allocates, filling does not.
///
///   out_message_t       bytes and offsets         out_message_fini
///   out_*_build         one per message type
///   out_stamp           the stamp
///   out_numbers, out_number, out_flags, out_u32, out_u64    into a slot
#ifndef MBDYN_ROS__MESSAGES_OUT_H_
#define MBDYN_ROS__MESSAGES_OUT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
void out_flags(out_message_t * message, int k, const bool * x);  ///< n bytes of 0 or 1
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

/// mbdyn/JointTorques, every array present.
enum {
  OUT_JT_TOTAL,
  OUT_JT_GRAVITY,
  OUT_JT_CORIOLIS,
  OUT_JT_INERTIA,
  OUT_JT_FRICTION,
  OUT_JT_EXTERNAL,
  OUT_JT_COMMAND,
  OUT_JT_SATURATED /* flags */
};
bool out_joint_torques_build(out_message_t * m, const char * frame_id, out_names_t names);

/// mbdyn/JointDynamicsArray. Joint i is written whole.
typedef struct out_joint_dynamics {
  double position, velocity, acceleration, measured, total, gravity, coriolis, inertia, friction,
    external, command, limit;
  bool saturated;
} out_joint_dynamics_t;
/// Joints lie at different alignments: their offsets are kept in offset[], which out_message_fini
/// does not know; out_joint_dynamics_fini frees both.
typedef struct out_joint_dynamics_message {
  out_message_t message;
  size_t * offset;  ///< of the twelve doubles of joint i; the flag follows
  size_t n;
} out_joint_dynamics_message_t;
bool out_joint_dynamics_build(
  out_joint_dynamics_message_t * m, const char * frame_id, out_names_t names);
void out_joint_dynamics_set(
  out_joint_dynamics_message_t * m, size_t i, const out_joint_dynamics_t * x);
void out_joint_dynamics_fini(out_joint_dynamics_message_t * m);

/// mbdyn/MassMatrix
enum { OUT_MM_DATA, OUT_MM_DIAGONAL, OUT_MM_CONDITION };
bool out_mass_matrix_build(out_message_t * m, const char * frame_id, out_names_t names);

/// mbdyn/Jacobian; rows are named linear_x ... angular_z. reference as in the message.
enum { OUT_J_DATA, OUT_J_BIAS };
bool out_jacobian_build(
  out_message_t * m, const char * frame, uint8_t reference, const char * point_frame,
  const char * axes_frame, out_names_t columns);

/// mbdyn/OperationalSpaceInertia of several frames; rows are named FRAME.linear_x ...
enum { OUT_OSI_DATA, OUT_OSI_COMPLIANCE, OUT_OSI_RANK /* u32 */, OUT_OSI_CONDITION };
bool out_operational_space_inertia_build(
  out_message_t * m, const char * frame_id, out_names_t frames, uint8_t reference,
  out_names_t point_frames, out_names_t axes_frames);

/// mbdyn/DynamicsSummary
enum {
  OUT_DS_ENERGIES,   // kinetic, potential, power
  OUT_DS_MASS,       // then gravity (3), centre of mass (3), its velocity (3), linear (3) and
                     // angular momentum (3): 16 numbers in one slot
  OUT_DS_CONDITION,  // condition, log det M
  OUT_DS_EFFECTIVE,  // one per link
  OUT_DS_CYCLES,     // u64
  OUT_DS_DROPPED,    // u64
  OUT_DS_SATURATED,  // u32
  OUT_DS_TIMES       // input_age, compute_time, compute_time_max
};
bool out_summary_build(
  out_message_t * m, const char * frame_id, const char * model_name, const char * mode,
  uint32_t degrees_of_freedom, out_names_t links);

/// geometry_msgs/WrenchStamped
enum { OUT_WRENCH /* force, torque */ };
bool out_wrench_build(out_message_t * m, const char * frame_id);

#endif  // MBDYN_ROS__MESSAGES_OUT_H_
