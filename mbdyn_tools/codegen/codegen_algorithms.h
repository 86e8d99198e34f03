/// \file codegen_algorithms.h
/// The algorithms, run once on recorded numbers. Each fills `out` with what the generated function
/// returns; false without memory. Inputs are q, v, qdd or tau of the graph. Newton and Euler, composite
/// and articulated bodies run over groups of bodies; the others take a robot without groups.
///
///   gen_inverse_dynamics      q, v, qdd -> tau     Newton and Euler in body axes
///   gen_bias                  q, v -> C v + g
///   gen_gravity               q -> g               first moments of subtrees
///   gen_mass_matrix           q -> M               composite bodies
///   gen_forward_by_matrix     q, v, tau -> qdd     mass matrix, factored along the tree
///   gen_forward_by_bodies     q, v, tau -> qdd     articulated bodies
///   gen_pose                  q -> p, R of a frame
///   gen_jacobian              q -> J of a frame
///   gen_inverse_derivatives   q, v, qdd -> dtau/dq, dtau/dv
///   gen_forward_derivatives   q, v, tau -> dqdd/dq, dqdd/dv
#ifndef CODEGEN_ALGORITHMS_H_
#define CODEGEN_ALGORITHMS_H_

#include "codegen_groups.h"

/// tau = M qdd + C v + g, with rotors and friction as robot says. out: nv
bool gen_inverse_dynamics(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// C v + g of the rigid bodies. out: nv
bool gen_bias(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// g of the rigid bodies. out: nv
bool gen_gravity(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// Mass matrix, row-major, whole; with rotors as robot says. out: nv x nv
bool gen_mass_matrix(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// M^-1 (tau - C v - g): M = L^T D L, which leaves the zeros of branches. out: nv
bool gen_forward_by_matrix(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// The same by articulated bodies. out: nv
bool gen_forward_by_bodies(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// Place of a frame in the world. out: 3 of p, 9 of R row-major
bool gen_pose(graph_t * g, const gen_robot_t * robot, int frame, expr_t * out);

/// Jacobian of a frame, row-major 6 x nv, linear first. out: 6 nv
bool gen_jacobian(
  graph_t * g, const gen_robot_t * robot, int frame, mbd_reference_t reference, expr_t * out);

/// Derivatives of inverse dynamics in the tangent space, row-major: dtau/dq, then dtau/dv. out: 2 nv nv
bool gen_inverse_derivatives(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// Derivatives of forward dynamics: dqdd/dq, then dqdd/dv. out: 2 nv nv
bool gen_forward_derivatives(graph_t * g, const gen_robot_t * robot, expr_t * out);

//---------- what they share ----------

/// Motion of a body in its own axes.
typedef struct gen_motion {
  vec_t w, dw;  ///< angular velocity, its rate
  vec_t a;      ///< acceleration of the origin
} gen_motion_t;

/// Which terms of the motion there are.
typedef struct gen_terms {
  bool velocity, acceleration;
  bool gravity;       ///< the base is accelerated against it
  bool free_at_rest;  ///< but not a free base, and its linear velocity is zero
} gen_terms_t;

/// U = [dw] + [w][w]: acceleration of a point r of the body is a + U r.
mat_t gen_point_matrix(graph_t * g, const gen_motion_t * motion);

/// Motion of group i from that of its parent (NULL for the world).
gen_motion_t gen_next_motion(
  graph_t * g, const gen_robot_t * robot, int i, gen_terms_t terms, const gen_motion_t * parent);

/// Force and moment about the origin that the motion takes.
void gen_body_force(
  graph_t * g, const gen_robot_t * robot, int i, const gen_motion_t * motion, vec_t * force,
  vec_t * moment);

/// Joint torques from forces and moments on the groups; these become those through the joints.
void gen_gather(
  graph_t * g, const gen_robot_t * robot, vec_t * force, vec_t * moment, expr_t * out);

/// C v + g; a free base falls, so that only its own acceleration is to be corrected for that.
bool gen_bias_falling(graph_t * g, const gen_robot_t * robot, expr_t * out);

/// Friction of a degree of freedom.
expr_t gen_friction(graph_t * g, const gen_robot_t * robot, int i, int dof);

/// Reflected rotor inertia of a body's joint, if it counts; else 0.
double gen_rotor(const gen_robot_t * robot, int i);

/// The same of bodies.
expr_t gen_rotors(graph_t * g, const gen_robot_t * robot, bodies_t bodies);

/// Gravity in the axes of bodies on the world.
vec_t gen_base_gravity(graph_t * g, const gen_robot_t * robot, bodies_t bodies);

/// w x v - gravity of a free base: what its linear acceleration has to be corrected by.
vec_t gen_free_correction(graph_t * g, const gen_robot_t * robot, int i);

/// The degree of freedom above each one, -1 at the base. parent: nv
void gen_dof_parents(const gen_robot_t * robot, int * parent);

/// Solve M x = b: M, of which the lower half is used and lost, has the zeros of the tree.
/// \param[in,out] x  b, then x
void gen_solve(graph_t * g, int n, const int * parent, expr_t * M, expr_t * x);

#endif  // CODEGEN_ALGORITHMS_H_
