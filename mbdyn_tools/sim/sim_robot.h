/// \file sim_robot.h
/// The robot that is simulated: its description, its model, and the names of its joints.
///
///   sim_robot_load, sim_robot_fini
///   sim_robot_initial       configuration at the start, as the parameters say
///   sim_robot_payload       load, as the parameters say
#ifndef MBDYN_SIM__SIM_ROBOT_H_
#define MBDYN_SIM__SIM_ROBOT_H_

#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"
#include "plant.h"
#include "sim_parameters.h"

/// A number of joint_states.
typedef struct sim_joint {
  char * name;  ///< of the joint; with ".vx", ".vy", ".wz" behind it for a planar one
  int body, q_index, v_index;
} sim_joint_t;

typedef struct sim_robot {
  char * text;  ///< URDF
  size_t size;
  mbd_model_t * model;           ///< all joints
  mbd_model_t * embedded;        ///< in independent velocities; NULL without loops and gears
  mbd_model_t * flexible;        ///< with flexible links; NULL: all are rigid
  mbdx_mechanism_t * mechanism;  ///< of mechanism_file, or NULL
  mbd_model_t *
    chart;  ///< with a chart integrator: the tree with its closures; NULL: another integrator
  mbd_method_t method;  ///< of that integrator
  mbd_data_t * data;    ///< workspace of the executor's thread
  char * warnings;      ///< a line each, or NULL
  int njoint;
  sim_joint_t * joint;  ///< in the model's order
  int ncommand;
  int * command_dof;
  int base;      ///< body of the floating base, or -1
  int ncontact;  ///< with ground
  plant_contact_t * contact;
  int npublished;
  int * published;  ///< frames whose contact forces are published
} sim_robot_t;

/// \param[out] reason  what is wrong, with file and line where it is the URDF
bool sim_robot_load(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size);
void sim_robot_fini(sim_robot_t * robot);

/// Method of a chart integrator; -1 for the others.
int sim_robot_method(const param_values_t * values);

/// \param[out] q  [nq]
bool sim_robot_initial(
  const sim_robot_t * robot, const param_values_t * values, double * q, char * reason, size_t size);

/// \param[out] frame    -1: no load
/// \param[out] inertia  about the frame's origin
bool sim_robot_payload(
  const sim_robot_t * robot, const param_values_t * values, int * frame, mbd_inertia_t * inertia,
  char * reason, size_t size);

#endif  // MBDYN_SIM__SIM_ROBOT_H_
