// The inside of outputs: shared by outputs.c (making) and outputs_cycle.c (filling and sending).
#ifndef MBDYN_NODE__OUTPUTS_INTERNAL_H_
#define MBDYN_NODE__OUTPUTS_INTERNAL_H_

#include <stdatomic.h>

#include "mbdyn/dynamics/task.h"
#include "messages_out.h"
#include "outputs.h"

enum { NTERM = 5 };

// a publisher and its message
typedef struct output {
  rcl_publisher_t publisher;
  out_message_t message;
  bool open;
  atomic_bool wanted;  // somebody listens
} output_t;

struct outputs {
  const node_robot_t * robot;
  output_t command, torques, term[NTERM], joint_torques, joint_dynamics, mass_matrix;
  output_t * jacobian;  // [nframe]
  output_t inertia, dynamics, external_torque, external_wrench, singularity;
  out_joint_dynamics_message_t joints;
  out_message_t summary[CONTROLLER_MODES];  // one per mode: its name is in the message
  mbd_task_t * task;                        // [nframe], rows linear first
  mbd_data_t * varied;                      // workspace of singularities
  int nlink;
  int * link;         // frames of the links
  double * position;  // [nv]
  double * work;      // matrices of a cycle
  double * array;     // numbers of the command
};

#endif  // MBDYN_NODE__OUTPUTS_INTERNAL_H_
