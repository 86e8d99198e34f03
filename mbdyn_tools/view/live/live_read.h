/// \file live_read.h
/// Messages of mbdyn_node as views into the received bytes, beside those of messages_in.h. Bytes may
/// be anything; every function returns false for what is not the message.
///
///   live_read_joints       mbdyn/JointDynamicsArray, joint by joint
///   live_read_mass_matrix, live_read_jacobian, live_read_inertia, live_read_summary
///   live_read_diagnostics  diagnostic_msgs/DiagnosticArray, status by status
///   live_read_text         std_msgs/String
#ifndef LIVE_READ_H_
#define LIVE_READ_H_

#include "messages_in.h"

/// position velocity acceleration measured total gravity coriolis inertia friction external command
/// limit
enum { LIVE_JOINT_NUMBERS = 12 };

typedef struct live_joint {
  wire_text_t name;
  double x[LIVE_JOINT_NUMBERS];
  bool saturated;
} live_joint_t;

/// A walk through the joints; wire_ok(&reader) after the last one.
typedef struct live_joints {
  wire_reader_t reader;
  int64_t stamp;
  wire_text_t frame_id;
  uint32_t n;
} live_joints_t;

bool live_read_joints(const uint8_t * buffer, size_t size, live_joints_t * out);
bool live_next_joint(live_joints_t * joints, live_joint_t * out);

typedef struct live_matrix {
  int64_t stamp;
  wire_text_t frame_id;
  wire_names_t frames, point_frames, axes_frames;  ///< inertia
  wire_text_t frame, point_frame, axes_frame;      ///< Jacobian
  uint8_t reference;
  wire_names_t row_names, col_names;
  uint32_t rows, cols;
  wire_numbers_t data;   ///< rows * cols
  wire_numbers_t extra;  ///< diagonal, bias or compliance
  uint32_t rank;
  double condition;
} live_matrix_t;

bool live_read_mass_matrix(const uint8_t * buffer, size_t size, live_matrix_t * out);
bool live_read_jacobian(const uint8_t * buffer, size_t size, live_matrix_t * out);
bool live_read_inertia(const uint8_t * buffer, size_t size, live_matrix_t * out);

typedef struct live_summary {
  int64_t stamp;
  wire_text_t frame_id, model_name, mode;
  uint32_t degrees_of_freedom;
  double energies[3];  ///< kinetic, potential, power
  double mass, gravity[3], center_of_mass[3], com_velocity[3], linear[3], angular[3];
  double condition, log_det;
  wire_names_t links;
  wire_numbers_t effective_mass;
  uint64_t cycles, dropped;
  uint32_t saturated_joints;
  double input_age, compute_time, compute_time_max;
} live_summary_t;

bool live_read_summary(const uint8_t * buffer, size_t size, live_summary_t * out);

typedef struct live_status {
  uint8_t level;
  wire_text_t name, message, hardware_id;
  uint32_t n;            ///< pairs that follow
  wire_reader_t values;  ///< at the first of them: key and value, both strings
} live_status_t;

typedef struct live_statuses {
  wire_reader_t reader;
  int64_t stamp;
  uint32_t n;
} live_statuses_t;

bool live_read_diagnostics(const uint8_t * buffer, size_t size, live_statuses_t * out);
bool live_next_status(live_statuses_t * statuses, live_status_t * out);

bool live_read_text(const uint8_t * buffer, size_t size, wire_text_t * out);

#endif  // LIVE_READ_H_
