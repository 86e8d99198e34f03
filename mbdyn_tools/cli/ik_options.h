/// \file ik_options.h
/// Options of `mbdyn ik`, and its parts.
///
///   ik_find_frame    a frame by name, with a message
///   ik_self_motion   --self-motion
///   ik_mechanism     inputs and outputs of a mechanism file
#ifndef IK_OPTIONS_H_
#define IK_OPTIONS_H_

#include "mbdyn/clearance.h"
#include "mbdyn/ik.h"

// of a pose: squares of it are finite, and 1 mm is not lost in rounding
#define IK_LARGEST_NUMBER 1e9

enum { IK_MOST_TARGETS = 8, IK_MOST_SOLUTIONS = 64, IK_MOST_OBSTACLES = 32, IK_MOST_VALUES = 64 };

typedef struct ik_options {
  int nframe, npose;
  const char * frame[IK_MOST_TARGETS];
  int numbers[IK_MOST_TARGETS];  // of each pose: 3 or 6
  double pose[IK_MOST_TARGETS][6];
  const char *seed, *posture;  // or NULL
  bool all, json;
  mbd_ik_options_t solve;
  // self-motion
  bool self_motion;
  const char * html;  // file, or NULL
  int nobstacle;
  mbd_capsule_t obstacle[IK_MOST_OBSTACLES];
  double radius;  // of links [m]
  // mechanisms
  int ninput, noutput;  // 0: not given
  double input[IK_MOST_VALUES], output[IK_MOST_VALUES];
} ik_options_t;

/// Roll, pitch and yaw of URDF.
mbd_placement_t ik_pose_of(const double * x);

/// False after a message with the frames there are.
bool ik_find_frame(const char * path, const mbd_model_t * model, const char * name, int * frame);

/// The curve of configurations with the pose of q. Returns the exit code.
int ik_self_motion(
  const char * path, const mbd_model_t * model, mbd_data_t * data, const ik_options_t * options,
  int frame, double * q);

/// Returns the exit code.
int ik_mechanism(const char * path, const ik_options_t * options, bool strict);

#endif  // IK_OPTIONS_H_
