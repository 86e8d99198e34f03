/// \file control_internal.h
/// What the files of mbdyn/control.h share.
///
///   control_refuse          an error with its reason
///   control_take_targets    targets that other threads have set
#ifndef MBDYN_ROS__CONTROL_INTERNAL_H_
#define MBDYN_ROS__CONTROL_INTERNAL_H_

#include <pthread.h>

#include "mbdyn/control.h"
#include "robot_load.h"
#include "rt_loop.h"
#include "stream.h"

enum { CONTROL_EXTERNAL = 8 };

struct mbdc_settings {
  param_values_t * values;
};

/// A target as it was set; `count` grows with each.
typedef struct control_target {
  uint64_t count;
  int frame;
  double number[7];
} control_target_t;

/// All that other threads have set, of which the control thread looks at what is new.
typedef struct control_targets {
  control_target_t target[MBDC_EXTERNAL_WRENCH];
  int nexternal;
  control_target_t external[CONTROL_EXTERNAL];
  uint64_t holds;
} control_targets_t;

/// What the control thread tells; q, v of the state and of the reference follow.
typedef struct control_snapshot {
  mbdc_status_t status;
  bool whole;
  int64_t time;  ///< of the last input [ns]
} control_snapshot_t;

struct mbdc_controller {
  const mbd_model_t * model;
  const mbd_model_t * tree;
  robot_load_t load;  ///< of mbdc_create_from_urdf
  node_robot_t robot;

  // joints: degrees of freedom of the tree, but for those of a floating base
  int base;  ///< degrees of freedom of the base: 0 or 6
  int njoint;
  char ** name;  ///< [njoint]
  int * dof;     ///< of the model; -1: dependent [njoint]

  // the control thread's own
  rt_loop_t rt;
  stream_t stream;
  int64_t time, arrival;
  mbdc_status_t status;
  uint64_t refused_references, refused_targets, commands;
  double * feedforward;    ///< [nv]
  int64_t * effort_since;  ///< arrival of each joint's last effort reference; 0: none [nv]
  control_targets_t taken;

  // between the threads
  atomic_bool active;
  mailbox_t settings_box, trajectory_box;
  snapshot_t targets;  ///< of control_targets_t, written by others
  snapshot_t state;    ///< of control_snapshot_t, read by others

  // the other threads'
  pthread_mutex_t lock;
  param_values_t * values;  ///< as last configured
  control_targets_t set;
};

/// \return status
__attribute__((format(printf, 4, 5))) mbd_status_t control_refuse(
  char * reason, size_t size, mbd_status_t status, const char * format, ...);

void control_take_targets(mbdc_controller_t * controller);

#endif  // MBDYN_ROS__CONTROL_INTERNAL_H_
