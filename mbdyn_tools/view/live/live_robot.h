/// \file live_robot.h
/// What is known about one robot: its joints, the newest numbers, the last minutes of them, and the
/// last message of every kind. No ROS; not for two threads at a time.
///
///   live_robot_create, _destroy
///   live_robot_take_*          a message, as it came
///   live_robot_set_urdf        limits, types and axes of the joints
///   live_robot_tick            rates, once a second
///   live_robot_record, _reuse, _rewind, _settle   a robot of a recording
///   live_column_name, live_scalar_name
#ifndef LIVE_ROBOT_H_
#define LIVE_ROBOT_H_

#include "live_read.h"
#include "live_rows.h"
#include "mbdyn/model.h"
#include "message_layout.h"

/// LIVE_POSITION, ...: the numbers of mbdyn/JointDynamics, and the residual of the observer.
typedef enum live_column {
#define LIVE_COLUMN_FLOAT64(id) LIVE_##id,
#define LIVE_COLUMN_FLOAT64_INFO(id)
#define LIVE_COLUMN_STRING(id)
#define LIVE_COLUMN_BOOL(id)
#define FIELD(id, name, type, length) LIVE_COLUMN_##type(id)
#include "layout/joint_dynamics.inc"
  LIVE_RESIDUAL,
  LIVE_COLUMNS
} live_column_t;

typedef enum live_scalar {
  LIVE_KINETIC,
  LIVE_POTENTIAL,
  LIVE_POWER,
  LIVE_AGE,
  LIVE_COMPUTE,
  LIVE_CONDITION,
  LIVE_SCALARS
} live_scalar_t;

const char * live_column_name(live_column_t column);
const char * live_scalar_name(live_scalar_t scalar);

#define LIVE_ROBOTS  16   ///< in all
#define LIVE_JOINTS  512  ///< velocity coordinates of one
#define LIVE_FRAMES  16   ///< with a Jacobian
#define LIVE_TOPICS  48   ///< of one robot
#define LIVE_NAME    256
#define LIVE_MESSAGE (4u << 20)  ///< longest message that is taken [bytes]

#define LIVE_ROW_PERIOD     (1.0 / 30)  ///< two rows each
#define LIVE_HISTORY_PERIOD 0.2
#define LIVE_ROW_KEPT       256   ///< rows, some seconds
#define LIVE_RECORDED_ROWS  4096  ///< of a recorded robot: what is shown before a moment

/// What a topic is about.
typedef enum live_kind {
  LIVE_JOINT_DYNAMICS,
  LIVE_JOINT_STATES,
  LIVE_EXTERNAL_TORQUE,
  LIVE_DYNAMICS,
  LIVE_MASS_MATRIX,
  LIVE_JACOBIAN,
  LIVE_OPERATIONAL_INERTIA,
  LIVE_SINGULARITY,
  LIVE_EXTERNAL_WRENCH,
  LIVE_ODOMETRY,
  LIVE_DESCRIPTION,
  LIVE_KINDS
} live_kind_t;

/// Messages of a topic, counted.
typedef struct live_count {
  char topic[LIVE_NAME];
  const char * type;
  uint64_t count, counted;  ///< in all; at the last tick
  double hz;
  double age;  ///< arrival less stamp of the last one [s]; NaN: no stamp
} live_count_t;

/// The last message of a kind, as bytes.
typedef struct live_bytes {
  uint8_t * bytes;
  size_t size, capacity;
  uint64_t version;  ///< grows with each message; 0: none yet
} live_bytes_t;

typedef struct live_joint_info {
  char name[LIVE_NAME];   ///< of the velocity coordinate
  char joint[LIVE_NAME];  ///< of the URDF's joint
  const char * type;      ///< NULL: not known
  double axis[3];
  bool slides;                            ///< m and N, not rad and N m
  double lower, upper, velocity, effort;  ///< limits; not finite where there are none
  bool saturated;                         ///< in the last message
} live_joint_info_t;

/// When messages of a source arrive, by the monotonic clock.
typedef struct live_beat {
  double last;  ///< 0: never
  double gap;   ///< longest between two of them, of late
} live_beat_t;

typedef struct live_robot {
  char id[LIVE_NAME], node[LIVE_NAME];
  char model_name[LIVE_NAME], state[64], mode[64], world_frame[LIVE_NAME];
  double threshold;     ///< of the observer; 0: none
  bool recorded;        ///< its messages come from a recording
  bool held;            ///< pages are not to see it now: the recording jumps
  double wait_timeout;  ///< for joint_dynamics, before joint_states alone are shown [s]

  int n;                      ///< joints; 0: not known yet
  live_joint_info_t * joint;  ///< [n]
  uint64_t version;           ///< of joints and URDF
  uint64_t resets;            ///< times that the clock went back

  double t;    ///< of the newest numbers [s since 1970]
  double met;  ///< time of the first joint state, by the monotonic clock; 0: never
  live_beat_t numbers, node_messages, joint_states;
  double told;  ///< time of the node's last diagnostics; 0: never
  float * now;  ///< [width]: LIVE_COLUMNS * n, then LIVE_SCALARS
  size_t width;
  double * position;  ///< [n], whole
  double base[7];     ///< pose of a floating base; NaN: none
  live_rows_t rows, history;
  live_thin_t row_thin, history_thin;
  double history_seconds;

  live_bytes_t message[LIVE_KINDS];  ///< of matrices, summary and wrench
  live_bytes_t jacobian[LIVE_FRAMES];
  char frame[LIVE_FRAMES][LIVE_NAME];
  int nframe;
  uint64_t saturated_version;

  char * urdf;
  size_t urdf_size;
  mbd_model_t * model;  ///< of the URDF; NULL: not known
  bool floating;

  live_count_t count[LIVE_TOPICS];
  int ncount;
} live_robot_t;

/// \param[in] node     "/ns/mbdyn"
/// \param[in] seconds  of history
/// \return NULL if out of memory
live_robot_t * live_robot_create(const char * node, double seconds);
void live_robot_destroy(live_robot_t * robot);

/// Takes a message of a kind; false if it is not one. `now` is the monotonic clock, `wall` that of
/// stamps [s].
bool live_robot_take(
  live_robot_t * robot, live_kind_t kind, int count, const uint8_t * bytes, size_t size, double now,
  double wall);

/// False if the text is no robot; what was known stays then.
bool live_robot_set_urdf(live_robot_t * robot, const char * text, size_t size);
/// Whether its root link is free.
void live_robot_set_floating(live_robot_t * robot, bool floating);

/// Counts and rates of its topics.
/// \return index of the new one; -1 if there are too many
int live_robot_add_topic(live_robot_t * robot, const char * topic, const char * type);
void live_robot_tick(live_robot_t * robot, double seconds);

/// Its messages come from a recording: more rows are kept, and no history beside them.
void live_robot_record(live_robot_t * robot);
/// Another recording: everything is forgotten but the ID; versions grow.
void live_robot_reuse(live_robot_t * robot, const char * node);
/// Another moment: numbers and messages are forgotten, joints and description stay.
void live_robot_rewind(live_robot_t * robot);
/// No message follows for now: the newest numbers become a row of their own time.
void live_robot_settle(live_robot_t * robot);

/// Numbers of the joints come, from the node or from its joint states. False after 0.4 s without,
/// or twice the longest gap of late, up to 5 s.
bool live_robot_alive(const live_robot_t * robot, double now);
/// The node itself publishes. False once joint states have gone on without it for as long; where
/// those have stopped, too, a node has nothing to compute, and this stays what it was.
bool live_robot_node_alive(const live_robot_t * robot, double now);
/// Lifecycle state by the node's diagnostics; "" if it has said nothing for 3 s.
const char * live_robot_state(const live_robot_t * robot, double now);

float live_robot_number(const live_robot_t * robot, live_column_t column, int joint);

#endif  // LIVE_ROBOT_H_
