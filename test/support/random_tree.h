/// \file random_tree.h
/// Seeded robots for tests: random trees of every joint type, and long chains.
///
///   random_tree, chain, tree_free    robots with a workspace and a state
///   user_joint                       joints of the caller's own, for tests
///   random_signed, random_below, random_quat, random_rotation, random_placement,
///   random_inertia, random_axis      numbers and things made of them, from a 64-bit state
#ifndef RANDOM_TREE_H_
#define RANDOM_TREE_H_

#include "mbdyn/mbdyn.h"

/// What a robot was built from: one call of mbd_model_add_body.
typedef struct tree_link {
  mbd_body_spec_t spec;
  int frame;  // what the builder returned
  char name[16], joint_name[16];
  mbd_user_joint_t user;
  double parameter[8];  // ctx of user
} tree_link_t;

/// A robot with a workspace and a random state. Free with tree_free.
typedef struct tree {
  uint64_t seed;
  mbd_model_t * model;
  mbd_data_t * data;
  double *q, *v, *qdd, *tau;  // q on the manifold; v, qdd, tau in [-1, 1] times a scale
  int nwrench;
  mbd_wrench_t * wrench;  // on random frames, in random references
  mbd_wrenches_t f_ext;   // the list of them
  int nlink;
  tree_link_t * link;  // in the order of the calls [nlink]
} tree_t;

/// What random_tree may make.
typedef struct tree_options {
  int min_bodies, max_bodies;  // moving bodies
  bool one_dof_only;           // revolute, continuous, prismatic, helical alone
  bool floating_base;          // the first base body is carried by a free joint
  bool forest;                 // may have several base bodies
  bool plain;                  // joints that kernels know: revolute, prismatic, free now and then
} tree_options_t;

/// 1 to 12 bodies, every joint type (user-defined ones too), fixed joints in between, extra
/// frames, several base bodies now and then, base fixed or floating, random gravity, drives.
tree_options_t tree_options_default(void);

/// The same robot and state for the same seed, on every machine. Never NULL; aborts the test on
/// an error. NULL options are the default ones.
tree_t * random_tree(uint64_t seed, const tree_options_t * options);

/// A chain of n bodies of every joint type.
tree_t * chain_of_all_joints(int n, uint64_t seed);

/// A chain of n bodies: revolute joints with axes turning from link to link.
tree_t * chain(int n, uint64_t seed);

/// The same with a side branch of five bodies after every five.
tree_t * branched_chain(int n, uint64_t seed);

void tree_free(tree_t * tree);

/// User-defined joints: what each shows is said where it is defined.
typedef enum user_kind {
  USER_SCREW = 0,   // constant S about a skew axis
  USER_GIMBAL = 1,  // S depends on q
  USER_CAM = 2,     // S depends on q
  USER_CIRCLE = 3,  // two configuration numbers, one velocity
  USER_FLOAT = 4,   // six degrees of freedom, translation in parent axes
  USER_ROLL = 5,    // a rolling ball: five configuration freedoms, three velocities
  USER_KINDS = 6
} user_kind_t;

/// A user joint; `parameter` (8 numbers, drawn from the state) is its ctx and must outlive it.
mbd_user_joint_t user_joint(user_kind_t kind, uint64_t * state, double * parameter);

/// Uniform numbers in [-1, 1) from a 64-bit state (splitmix64); the state moves on.
double random_signed(uint64_t * state);

/// Uniform integer in [0, n).
int random_below(uint64_t * state, int n);

/// Uniform in [low, high).
double random_between(uint64_t * state, double low, double high);

mbd_vec3_t random_vec3(uint64_t * state, double scale);

mbd_motion_t random_motion(uint64_t * state);

mbd_force_t random_force(uint64_t * state);

/// Unit quaternion, uniform on the sphere.
mbd_quat_t random_quat(uint64_t * state);

mbd_mat3_t random_rotation(uint64_t * state);

mbd_placement_t random_placement(uint64_t * state);

/// A body of a few point masses and a ball: consistent, and no direction without inertia.
mbd_inertia_t random_inertia(uint64_t * state);

/// Along +-x, +-y, +-z or anywhere; not of unit length.
mbd_vec3_t random_axis(uint64_t * state);

#endif  // RANDOM_TREE_H_
