/// \file codegen_groups.h
/// Similar limbs in the lanes of vectors: two legs, two arms or the fingers of a hand are computed
/// together, as far as their joints are of the same kinds in the same places.
///
///   gen_group_limbs      put bodies of similar limbs into groups
///   gen_ungrouped        the robot with every body on its own
///   gen_lift             a number of a group's parent, for each body of the group
///   gen_lower            a sum over the bodies of a group, for each body of its parent
///   gen_put              write a number of each body to the outputs
///   gen_above            parents of bodies
#ifndef CODEGEN_GROUPS_H_
#define CODEGEN_GROUPS_H_

#include "codegen_robot.h"

/// Group bodies whose subtrees have the same joints in the same order, siblings of each other or on
/// bodies of one group. False without memory.
/// \param[in] most  lanes of the widest group: 1, 2 or 4
bool gen_group_limbs(gen_robot_t * robot, int most);

/// A copy that shares everything but the groups, which are in `group` [n].
gen_robot_t gen_ungrouped(const gen_robot_t * robot, gen_group_t * group);

/// Numbers of the parent of group i in the lanes of the group.
expr_t gen_lift(graph_t * g, const gen_robot_t * robot, int i, expr_t x);
vec_t gen_lift_vec(graph_t * g, const gen_robot_t * robot, int i, vec_t x);

/// What the bodies of group i add up to on each body of the parent.
expr_t gen_lower(graph_t * g, const gen_robot_t * robot, int i, expr_t x);
vec_t gen_lower_vec(graph_t * g, const gen_robot_t * robot, int i, vec_t x);

/// out[k-th degree of freedom of each body] = its lane of x.
void gen_put(
  graph_t * g, const gen_robot_t * robot, bodies_t bodies, int k, expr_t x, expr_t * out);

/// The body of each lane's parent; n = 0 at the world.
bodies_t gen_above(const gen_robot_t * robot, bodies_t bodies);

/// What the next numbers belong to.
static inline void
gen_section(graph_t * g, const gen_robot_t * robot, int group)
{
  graph_section(g, robot->group[group].bodies.at[0]);
}

static inline const gen_body_t *
gen_first(const gen_robot_t * robot, int group)
{
  return &robot->body[robot->group[group].bodies.at[0]];
}

#endif  // CODEGEN_GROUPS_H_
