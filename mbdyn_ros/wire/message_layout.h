/// \file message_layout.h
/// The fields of mbdyn's own messages, from one table each (layout/*.inc): the writer
/// (messages_out.c), the reader below, mbdyn view and the tests follow it. The .msg files say the same
/// for ROS; test_wire_layout compares the two.
///
///   wire_read_message        bytes to a view
///   wire_LAYOUT              tables: wire_layout_joint_torques, ...
///   wire_joint_torques_t ... views: the fields by name, pointing into the bytes
///   JT_ JD_ MM_ JAC_ OSI_ DS_ SI_    indices of the fields
///   wire_read_joints, wire_next_joint    JointDynamicsArray, joint by joint
///
/// A row of a table is FIELD(id, name, type, length):
///
///   id      enumerator without its prefix; the order is that of the .msg file
///   name    as in the .msg file
///   type    | .msg                   | type             | .msg                  | type      |
///           | std_msgs/Header        | HEADER           | string                | STRING    |
///           | float64                | FLOAT64, _INFO   | string[]              | STRINGS   |
///           | float64[]              | FLOAT64S         | uint8, uint32, uint64 | UINT8 ... |
///           | float64[], or empty    | FLOAT64S_OR_NONE | geometry_msgs/Vector3 | VECTOR3   |
///           | bool[], or empty       | BOOLS_OR_NONE    | geometry_msgs/Point   | POINT     |
///           | bool                   | BOOL             | int32[]               | INT32S    |
///   length  of a sequence, or ONE. All of a message that say the same length have it, or the reader
///           refuses the message; an UINT32 with a length other than ONE is that length.
#ifndef MBDYN_ROS__MESSAGE_LAYOUT_H_
#define MBDYN_ROS__MESSAGE_LAYOUT_H_

#include "messages_in.h"

typedef enum wire_type {
  WIRE_HEADER,
  WIRE_STRING,
  WIRE_STRINGS,
  WIRE_UINT8,
  WIRE_UINT32,
  WIRE_UINT64,
  WIRE_BOOL,
  WIRE_FLOAT64,
  WIRE_FLOAT64_INFO,
  WIRE_VECTOR3,
  WIRE_POINT,
  WIRE_FLOAT64S,
  WIRE_FLOAT64S_OR_NONE,
  WIRE_BOOLS_OR_NONE,
  WIRE_INT32S
} wire_type_t;

typedef enum wire_length {
  WIRE_ONE,
  WIRE_JOINTS,
  WIRE_LINKS,
  WIRE_FRAMES,
  WIRE_ROWS,
  WIRE_COLS,
  WIRE_ROWS_COLS,
  WIRE_LENGTHS
} wire_length_t;

typedef struct wire_field {
  const char * name;
  wire_type_t type;
  wire_length_t length;
  size_t offset;  ///< in the view
} wire_field_t;

typedef struct wire_layout {
  const char * type;  ///< "mbdyn/msg/JointTorques"
  int n;              ///< fields
  const wire_field_t * field;
  size_t view_size;
} wire_layout_t;

//---------- views ----------

typedef struct wire_header {
  int64_t stamp;  ///< [ns]
  wire_text_t frame_id;
} wire_header_t;

typedef struct wire_bools {
  const uint8_t * data;  ///< a byte each
  uint32_t n;
} wire_bools_t;

typedef struct wire_vector3 {
  double x[3];
} wire_vector3_t;

#define WIRE_VIEW_HEADER           wire_header_t
#define WIRE_VIEW_STRING           wire_text_t
#define WIRE_VIEW_STRINGS          wire_names_t
#define WIRE_VIEW_UINT8            uint8_t
#define WIRE_VIEW_UINT32           uint32_t
#define WIRE_VIEW_UINT64           uint64_t
#define WIRE_VIEW_BOOL             bool
#define WIRE_VIEW_FLOAT64          double
#define WIRE_VIEW_FLOAT64_INFO     double
#define WIRE_VIEW_VECTOR3          wire_vector3_t
#define WIRE_VIEW_POINT            wire_vector3_t
#define WIRE_VIEW_FLOAT64S         wire_numbers_t
#define WIRE_VIEW_FLOAT64S_OR_NONE wire_numbers_t
#define WIRE_VIEW_BOOLS_OR_NONE    wire_bools_t
#define WIRE_VIEW_INT32S           wire_integers_t

typedef struct wire_joint_torques {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/joint_torques.inc"
} wire_joint_torques_t;

typedef struct wire_joint_dynamics {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/joint_dynamics.inc"
} wire_joint_dynamics_t;

typedef struct wire_mass_matrix {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/mass_matrix.inc"
} wire_mass_matrix_t;

typedef struct wire_jacobian {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/jacobian.inc"
} wire_jacobian_t;

typedef struct wire_operational_space_inertia {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/operational_space_inertia.inc"
} wire_operational_space_inertia_t;

typedef struct wire_dynamics_summary {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/dynamics_summary.inc"
} wire_dynamics_summary_t;

typedef struct wire_singularity {
#define FIELD(id, name, type, length) WIRE_VIEW_##type name;
#include "layout/singularity.inc"
} wire_singularity_t;

//---------- fields ----------

enum {
#define FIELD(id, name, type, length) JT_##id,
#include "layout/joint_torques.inc"
  JT_FIELDS
};

enum {
#define FIELD(id, name, type, length) JD_##id,
#include "layout/joint_dynamics.inc"
  JD_FIELDS
};

enum {
#define FIELD(id, name, type, length) MM_##id,
#include "layout/mass_matrix.inc"
  MM_FIELDS
};

enum {
#define FIELD(id, name, type, length) JAC_##id,
#include "layout/jacobian.inc"
  JAC_FIELDS
};

enum {
#define FIELD(id, name, type, length) OSI_##id,
#include "layout/operational_space_inertia.inc"
  OSI_FIELDS
};

enum {
#define FIELD(id, name, type, length) DS_##id,
#include "layout/dynamics_summary.inc"
  DS_FIELDS
};

enum {
#define FIELD(id, name, type, length) SI_##id,
#include "layout/singularity.inc"
  SI_FIELDS
};

extern const wire_layout_t wire_layout_joint_torques, wire_layout_joint_dynamics,
  wire_layout_mass_matrix, wire_layout_jacobian, wire_layout_operational_space_inertia,
  wire_layout_dynamics_summary, wire_layout_singularity;

//---------- reading ----------

/// Bytes may be anything; false for what is not the message. Up to three bytes may follow it.
/// \param[out] view  the structure of the layout
bool wire_read_message(
  const wire_layout_t * layout, const uint8_t * buffer, size_t size, void * view);

/// A walk through the joints of a JointDynamicsArray; wire_ok(&reader) after the last one.
typedef struct wire_joints {
  wire_reader_t reader;
  wire_header_t header;
  uint32_t n;
} wire_joints_t;

bool wire_read_joints(const uint8_t * buffer, size_t size, wire_joints_t * out);
bool wire_next_joint(wire_joints_t * joints, wire_joint_dynamics_t * out);

#endif  // MBDYN_ROS__MESSAGE_LAYOUT_H_
