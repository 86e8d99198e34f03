/// \file codegen_robot.h
/// The robot as generated code sees it: frames in which most numbers are zero, and inertias with
/// everything that can be moved towards the base moved there.
///
///   gen_robot_init, _free     from a model, with the frames of its bodies
///   gen_robot_derive          all that follows from a choice of frames
///   gen_number, gen_vector, gen_input   constants and inputs of bodies as recorded numbers
///   gen_to_parent, _to_child  vectors between the axes of a body and of its parent
///   gen_offset                where a body's origin is in its parent
///
/// **Frames.** A body that turns may have its frame turned about its axis and slid along it; so it
/// is put where the common normal with the next axis is (Denavit and Hartenberg), and a vector
/// goes to the parent by a turn about z by q, a constant one about x and, on branches, a constant
/// one about z. A body that slides has the axes of its parent and its origin anywhere.
///
/// **Inertias.** Mass m, first moment h = integral of r dm, second moments S = integral of r r^T
/// dm. Of a body that turns about z, a part of these stays the same whatever its angle is: mass
/// and h_z of a mass on the axis, and S_zz. They are added to the parent instead, and m, h_z, S_zz
/// of the body become zero (base parameters: Gautier and Khalil 1990); of a body that slides all
/// of S. Dynamics stays the same, the multiplications go away.
///
/// **Groups.** Bodies at the same place of similar limbs (two legs, fingers) can be computed in the
/// lanes of vectors: codegen_groups.h. What is said here of a body takes any such bodies.
#ifndef CODEGEN_ROBOT_H_
#define CODEGEN_ROBOT_H_

#include <stddef.h>

#include "codegen_vector.h"
#include "mbdyn/model.h"

typedef enum gen_kind {
  GEN_REVOLUTE,   ///< revolute, continuous, helical
  GEN_PRISMATIC,  ///< prismatic
  GEN_FREE        ///< floating base
} gen_kind_t;

/// Where the frame of a body is: free to choose.
typedef struct gen_choice {
  double angle;      ///< turn: of the frame about the axis
  double slide;      ///< turn: of the frame along the axis
  double origin[3];  ///< slide: origin in the parent's axes at q = 0
} gen_choice_t;

typedef struct gen_body {
  const mbd_body_t * model;
  gen_kind_t kind;
  int parent;               ///< body, or -1 for the world
  mbd_placement_t X_model;  ///< this frame in the model's body frame

  // from own axes to the parent's: about z by angle, about x by alpha, about z by gamma
  int quarters;   ///< angle = q + quarters * pi/2 + offset
  double offset;  ///< [rad], 0 in most robots
  double cos_alpha, sin_alpha, cos_gamma, sin_gamma;

  double p[3];     ///< origin in the parent's axes at q = 0 [m]
  double axis[3];  ///< in the parent's axes
  double pitch;    ///< turn: of a helical joint [m/rad]

  double mass, h[3], S[6];  ///< own axes, about own origin, regrouped
} gen_body_t;

/// Bodies that are computed together, one in each lane; often a single one.
typedef struct bodies {
  int n;
  int at[MAX_LANES];
} bodies_t;

static inline bodies_t
one_body(int i)
{
  return (bodies_t){1, {i, i, i, i}};
}

/// Bodies at the same place of similar limbs.
typedef struct gen_group {
  bodies_t bodies;
  int parent;           ///< group, or -1 for the world; before this one
  int lane[MAX_LANES];  ///< in which lane of the parent each body hangs
} gen_group_t;

typedef struct gen_robot {
  const mbd_model_t * model;
  int n;
  gen_body_t * body;
  gen_choice_t * choice;
  gen_group_t *
    group;  ///< all bodies, each in one group; one by one unless gen_group_limbs is called
  int ngroup;
  double snap;    ///< angles nearer than this to a right angle are right angles [rad]
  double tiny;    ///< displacements below this are zero [m]
  bool rotors;    ///< reflected rotor inertia counts
  bool friction;  ///< joint friction counts
} gen_robot_t;

/// Take a finalized model whose joints are all supported, with each body's frame chosen from the
/// geometry. False without memory.
bool gen_robot_init(const mbd_model_t * model, double snap, gen_robot_t * robot);
void gen_robot_free(gen_robot_t * robot);

/// Frame and geometry of one body from robot->choice; its parent's must be there.
void gen_place_body(gen_robot_t * robot, int i);

/// Frames, geometry and inertias of all bodies from robot->choice.
void gen_robot_derive(gen_robot_t * robot);

/// A number of each body, by its place in gen_body_t.
expr_t gen_number(graph_t * g, const gen_robot_t * robot, bodies_t bodies, size_t offset);
vec_t gen_vector(graph_t * g, const gen_robot_t * robot, bodies_t bodies, size_t offset);

/// Element k of what the joints have in q, v, qdd or tau; sine or cosine of the angles.
expr_t gen_input(graph_t * g, const gen_robot_t * robot, bodies_t bodies, input_t array, int k);

vec_t gen_to_parent(graph_t * g, const gen_robot_t * robot, bodies_t bodies, vec_t x);
vec_t gen_to_child(graph_t * g, const gen_robot_t * robot, bodies_t bodies, vec_t x);

/// The turns that take own axes to the parent's, in order; returns how many (at most 3).
int gen_rotations(graph_t * g, const gen_robot_t * robot, bodies_t bodies, rotation_t rotations[3]);

/// Origin of the body in its parent, in the parent's axes.
vec_t gen_offset(graph_t * g, const gen_robot_t * robot, bodies_t bodies);

/// Rotation from the axes of a free body to the world's: of its quaternion, normalised.
mat_t gen_free_rotation(graph_t * g, const gen_robot_t * robot, int i);

/// A frame of the model in the generated frame of its body (in the world if it is fixed there).
mbd_placement_t gen_frame(const gen_robot_t * robot, const mbd_frame_t * frame);

#endif  // CODEGEN_ROBOT_H_
