/// \file joint_arm.h
/// An arm, joint states of it in any order, and what the joint input must make of them. Included by
/// the tests of the joint input, once each.
///
///   arm_t, make, destroy    a robot and its input
///   send                    a joint state
///   mix_t, mix_up, message_of, assert_taken    names in a random order
#ifndef JOINT_ARM_H_
#define JOINT_ARM_H_

#include "close.h"
#include "joint_input.h"
#include "joint_messages.h"
#include "random_tree.h"

static const int64_t MS = 1000000;
static uint8_t buffer[MESSAGE_CAPACITY];

enum { ARM = 7 };
static const robot_joint_t ARM_JOINTS[ARM] = {
  {"shoulder", MBD_JOINT_REVOLUTE, NULL, 0, 0}, {"arm", MBD_JOINT_CONTINUOUS, NULL, 0, 0},
  {"lift", MBD_JOINT_PRISMATIC, NULL, 0, 0},    {"screw", MBD_JOINT_HELICAL, NULL, 0, 0},
  {"elbow", MBD_JOINT_REVOLUTE, NULL, 0, 0},    {"elbow_2", MBD_JOINT_REVOLUTE, NULL, 0, 0},
  {"wrist", MBD_JOINT_REVOLUTE, NULL, 0, 0}};
static const joint_input_options_t OPTIONS = {.timeout = 0.1};

typedef struct arm {
  mbd_model_t * model;
  joint_input_t * input;
} arm_t;

static inline arm_t
make(const robot_joint_t * joint, int n, const joint_input_options_t * options)
{
  arm_t arm = {.model = make_robot(joint, n)};
  arm.input = joint_input_create(arm.model, options);
  assert_non_null(arm.input);
  return arm;
}

static inline void
destroy(arm_t * arm)
{
  joint_input_destroy(arm->input);
  mbd_model_destroy(arm->model);
}

static inline bool
send(joint_input_t * input, const joint_state_t * message, int64_t arrival)
{
  const size_t size = write_joint_state(message, buffer);
  return joint_input_take(input, buffer, size, arrival, arrival);
}

// names of the arm in a random order, with n_unknown others in between
typedef struct mix {
  uint32_t n;
  const char * name[64];
  int joint[64];  // of the arm, or -1
  double q[64], v[64], f[64];
} mix_t;

static inline void
mix_up(mix_t * mix, uint64_t * seed, int first, int joints, int unknown)
{
  static const char * const UNKNOWN[] = {"elbo", "elbow_", "", "elbow_22", "wheel", "Arm", "x"};
  mix->n = (uint32_t)(joints + unknown);
  for (int i = 0; i < joints + unknown; i++) {
    mix->joint[i] = i < joints ? first + i : -1;
    mix->name[i] = i < joints ? ARM_JOINTS[first + i].name : UNKNOWN[(i - joints) % 7];
  }
  for (uint32_t i = mix->n; i > 1; i--) {
    const int k = random_below(seed, (int)i);
    const char * name = mix->name[i - 1];
    const int joint = mix->joint[i - 1];
    mix->name[i - 1] = mix->name[k], mix->joint[i - 1] = mix->joint[k];
    mix->name[k] = name, mix->joint[k] = joint;
  }
  for (uint32_t i = 0; i < mix->n; i++) {
    mix->q[i] = random_signed(seed);
    mix->v[i] = random_signed(seed);
    mix->f[i] = random_signed(seed);
  }
}

static inline joint_state_t
message_of(const mix_t * mix, int64_t stamp)
{
  return (joint_state_t){
    .stamp = stamp,
    .n = mix->n,
    .name = mix->name,
    .position = mix->q,
    .velocity = mix->v,
    .effort = mix->f};
}

static inline void
assert_taken(const joint_input_t * input, const mix_t * mix)
{
  for (uint32_t i = 0; i < mix->n; i++) {
    if (mix->joint[i] < 0) continue;
    assert_true(input->q[mix->joint[i]] == mix->q[i]);
    assert_true(input->v[mix->joint[i]] == mix->v[i]);
    assert_true(input->effort[mix->joint[i]] == mix->f[i]);
    assert_true(input->velocity_given[mix->joint[i]]);
  }
}

#endif  // JOINT_ARM_H_
