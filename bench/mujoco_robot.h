/// \file mujoco_robot.h
/// A URDF robot in MuJoCo 2.2, for the benchmark's plug-in and for the oracle of the tests.
///
///   mujoco_robot_load    the model: rigid bodies and joints alone
///   mujoco_robot_map     where joints and links are in it
#ifndef MUJOCO_ROBOT_H_
#define MUJOCO_ROBOT_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

/// Memory for the text that says why a robot was refused.
enum { MUJOCO_WHY = 512 };

typedef struct mujoco_robot {
  const char * urdf;  ///< text
  const char * root;  ///< link that a free joint carries, below a link named world; NULL: none does
  bool keep_links;    ///< links without joint stay bodies of their own
  int njoint;
  const char * const * joint;  ///< in our order [njoint]
  int nframe;
  const char * const * frame;  ///< links that are asked for [nframe]
} mujoco_robot_t;

/// Inertias are neither balanced nor bounded; contacts, limits, damping, dry friction, springs and
/// armatures are off. NULL with the reason in `why` if MuJoCo cannot read it.
mjModel * mujoco_robot_load(const mujoco_robot_t * robot, char * why);

/// What comes out of mujoco_robot_map; the arrays are the caller's.
typedef struct mujoco_map {
  int base;       ///< first number of the free joint in qpos
  int * q_index;  ///< of each joint in qpos                        [njoint]
  int * v_index;  ///< of each of our degrees of freedom in qvel    [nv]
  int * body;     ///< of each frame                                [nframe]
} mujoco_map_t;

/// False with the reason in `why` if a name is not there.
bool mujoco_robot_map(
  const mujoco_robot_t * robot, const mjModel * m, mujoco_map_t * map, char * why);

#endif  // MUJOCO_ROBOT_H_
