// Denavit-Hartenberg frames of the bodies and their base inertial parameters: the robot that the
// kernels for dynamics compute with.
//
//   mbdi_dh_body_t        a body in a frame that is rotated about and shifted along its joint axis
//                         so that the transform to the next joint is that of Denavit and
//                         Hartenberg: a and alpha along and about x, d and theta those of the joint
//   mbdi_base_inertia_t   its regrouped inertial parameters: the part of a revolute body on its
//                         axis (mass, first and second moment along it) moves with the parent and
//                         is added to it; that of a base has no effect and is dropped
//   mbdi_dh_frames        computes the former from a model
//   mbdi_base_inertias    computes the latter from the inertias in use
#ifndef DH_FRAMES_H_
#define DH_FRAMES_H_

#include "mbdyn/model.h"

typedef enum mbdi_dh_kind {
  KIND_REVOLUTE_DH,       // rotates about z, after alpha about the parent's x
  KIND_REVOLUTE_GENERAL,  // the same after a mount angle about the parent's z
  KIND_PRISMATIC,
  KIND_FREE,
  KIND_GENERAL,  // any other: see mbdi_general_joint_t
  // special cases of KIND_REVOLUTE_DH that most robots consist of; origin: dh_a along the parent's
  // x, dh_d along the joint axis
  KIND_DH_ALPHA_90,  // alpha = -90 degrees: the joint axis is the parent's y
  KIND_DH_ALPHA_0,   // alpha = 0: the joint axis is the parent's z
  // special case of KIND_GENERAL
  KIND_SPHERICAL
} mbdi_dh_kind_t;

// transform from a body to its parent, as articulated inertias need it
typedef enum mbdi_transform_kind {
  TRANSFORM_ALPHA_90,  // DH with alpha = -90 degrees
  TRANSFORM_ALPHA_0,   // DH with alpha = 0
  TRANSFORM_DH,        // DH with any alpha
  TRANSFORM_REVOLUTE,  // any other revolute joint
  TRANSFORM_PRISMATIC,
  TRANSFORM_FREE,
  TRANSFORM_ROTOR  // revolute with rotor inertia: transmits some inertia about its axis
} mbdi_transform_kind_t;

// cosine and sine
typedef struct mbdi_angle {
  double c, s;
} mbdi_angle_t;

// c^2, s^2, c s, sin 2x, cos 2x
typedef struct mbdi_angle_products {
  double cc, ss, cs, sin2, cos2;
} mbdi_angle_products_t;

// The first 64 bytes (one cache line) are what most sweeps read; the next line is for transforms of
// inertias.
typedef struct mbdi_dh_body {
  double p[3];         // origin of the joint in the parent frame
  mbdi_angle_t alpha;  // of revolute kinds
  int32_t parent, kind;
  int32_t q, v;              // first index in q and v
  int16_t form;              // the kind, or its special case
  int16_t massless_subtree;  // no regrouped mass is left in the subtree
  int16_t leaf;              // has no children
  int16_t has_branch;        // has a child that is not the next body

  int32_t transform;
  int32_t general;                       // index of the general joint, or -1
  double dh_a, dh_d;                     // of the three DH transforms
  mbdi_angle_products_t alpha_products;  // of alpha

  mbdi_angle_t mount_angle;   // of KIND_REVOLUTE_GENERAL
  mbdi_angle_t theta_offset;  // rotation of the DH frame about z, from the frame of the body,
  double d_offset;            // and its shift along z
  mbdi_angle_t theta0;        // theta at q = 0
  double T[9];                // rotation from the parent frame to the joint at theta = 0, row-major
} mbdi_dh_body_t;

typedef struct mbdi_base_inertia {
  double mass, total;  // of the body, and of its subtree
  mbd_vec3_t h;        // first moment
  mbd_sym3_t J;        // second moments about the origin
} mbdi_base_inertia_t;

struct mbdi_plan;
// into plan->dh, plan->frame and plan->general_body
void mbdi_dh_frames(const mbd_model_t * model, struct mbdi_plan * plan);
// a placement in a body, relative to its DH frame instead of its body frame
mbd_placement_t mbdi_in_dh_frame(const struct mbdi_plan * plan, int body, mbd_placement_t X);
// out[nbody + i] is the inertia of body i before regrouping, in the same frame, with moments of
// inertia for second moments: articulated inertias of a long chain would lose digits to the masses
// that are regrouped along all of it.
void mbdi_base_inertias(
  const struct mbdi_plan * plan, const mbd_inertia_t * inertia, mbdi_base_inertia_t * out);

#endif  // DH_FRAMES_H_
