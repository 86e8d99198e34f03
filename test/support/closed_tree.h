/// \file closed_tree.h
/// Robots with loops for tests: closures on random trees, and planar four-bars.
///
///   close_tree             a random robot again, with closures
///   assembled_loops        random closures that hold at the robot's configuration
///   closed_tree            both
///   four_bar               crank, coupler and rocker, closed by a closure of any type
#ifndef CLOSED_TREE_H_
#define CLOSED_TREE_H_

#include "mbdyn/constraints/closure.h"
#include "random_tree.h"

enum { MOST_LOOPS = 20 };

/// Closures to add; frames are those of the robot that they are for.
typedef struct loops {
  int n;
  mbd_closure_spec_t spec[MOST_LOOPS];
  char name[MOST_LOOPS][16];
} loops_t;

/// Add a closure; its name is made up, its joints' names are to outlive it.
void loops_add(loops_t * loops, const mbd_closure_spec_t * spec);

/// The same joint name in memory that outlives the model.
const char * lasting_name(const tree_t * t, const char * joint);

/// A joint that a coupling may have.
bool can_couple(const mbd_body_t * body);

/// The robot's links again, with closures; model and workspace are replaced. Extra frames are left
/// out, and wrenches with them.
void close_tree(tree_t * t, const loops_t * loops);

/// Random closures of any type that hold at t->q, at most `most_rows` rows of them.
loops_t assembled_loops(const tree_t * t, uint64_t * state, int most_rows);

/// A random robot with closures that hold at its q; `spare` degrees of freedom are left at least.
tree_t * closed_tree(uint64_t seed, const tree_options_t * options, int spare);

/// Lengths of a planar four-bar, and what closes it.
typedef struct four_bar {
  double ground, crank, coupler, rocker;  ///< [m]
  mbd_closure_type_t type;                ///< revolute, spherical, on_line, ...
  mbd_placement_t base;                   ///< where it stands; the links move in its x-y plane
  const mbd_closure_spec_t * extra;       ///< a further closure, or NULL
} four_bar_t;

/// Ground 1, crank 0.4, coupler 1.1, rocker 0.8; on_line; at the origin.
four_bar_t four_bar_default(void);

/// Joints crank, coupler (on crank), rocker; closure "pin" between coupler and rocker. Links are
/// rods of 1 kg per metre and some thickness.
mbd_model_t * four_bar(const four_bar_t * bar);

/// q of the four-bar at a crank angle, in the branch with the coupler above; false if there is none.
bool four_bar_at(const four_bar_t * bar, const mbd_model_t * model, double angle, double * q);

#endif  // CLOSED_TREE_H_
