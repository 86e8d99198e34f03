/// \file random_tree.h
/// Seeded robots for tests: random trees of every joint type, and long chains.
#ifndef RANDOM_TREE_H_
#define RANDOM_TREE_H_

#include "mbdyn/mbdyn.h"

/// A robot with a workspace and a random state. Free with tree_free.
typedef struct tree {
  mbd_model_t * model;
  mbd_data_t * data;
  double *q, *v, *qdd, *tau;  // q on the manifold; v, qdd, tau in [-1, 1] times a scale
  int nwrench;
  mbd_wrench_t * wrench;  // on random frames, in random references
  mbd_wrenches_t f_ext;   // the list of them
} tree_t;

/// What random_tree may make.
typedef struct tree_options {
  int min_bodies, max_bodies;  // moving bodies
  bool one_dof_only;           // revolute, continuous, prismatic, helical alone
  bool floating_base;          // the first base body is carried by a free joint
  bool forest;                 // may have several base bodies
} tree_options_t;

/// 1 to 12 bodies, every joint type (user-defined ones too), fixed joints in between, extra
/// frames, several base bodies now and then, base fixed or floating, random gravity, drives.
tree_options_t tree_options_default(void);

/// The same robot and state for the same seed, on every machine. Never NULL; aborts the test on
/// an error.
tree_t * random_tree(uint64_t seed, const tree_options_t * options);

/// A chain of n bodies: revolute joints with axes turning from link to link.
tree_t * chain(int n, uint64_t seed);

void tree_free(tree_t * tree);

/// Uniform numbers in [-1, 1) from a 64-bit state (splitmix64); the state moves on.
double random_signed(uint64_t * state);

/// Uniform integer in [0, n).
int random_below(uint64_t * state, int n);

#endif  // RANDOM_TREE_H_
