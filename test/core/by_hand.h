/// \file by_hand.h
/// Robots that are made by hand, and what the tests of operators and tasks share.
///
///   arm_by_hand      joints one after the other, standing askew
///   mimic_by_hand    two hinges, the second follows the first
///   needle_by_hand   a hinge that moves nothing
///   mass_with        the oracle's mass matrix, with rotors if the terms say so
///   state_at         position and velocity stages, with terms
#ifndef BY_HAND_H_
#define BY_HAND_H_

#include <math.h>

#include "core_test.h"

/// A joint of an arm: where it is on the link before, and its axis.
typedef struct joint_by_hand {
  mbd_joint_type_t type;
  mbd_vec3_t axis, place;
} joint_by_hand_t;

/// An arm of n joints in random places of the world, with a frame at `tip` of the last link.
static inline mbd_model_t *
arm_by_hand(const joint_by_hand_t * joint, int n, mbd_vec3_t tip, uint64_t * state, int * frame)
{
  mbd_model_t * model;
  int parent = MBD_WORLD_BODY;
  assert_ok(mbd_model_create("arm", &model));
  for (int k = 0; k < n; k++) {
    const char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = parent;
    spec.type = joint[k].type;
    spec.axis = joint[k].axis;
    spec.placement.p = joint[k].place;
    if (k == 0) spec.placement = random_placement(state);
    spec.inertia = random_inertia(state);
    assert_ok(mbd_model_add_body(model, &spec, &parent));
  }
  const mbd_placement_t X = {random_rotation(state), tip};
  assert_ok(mbd_model_add_frame(model, "tip", parent, &X, frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

/// A hinge with the given body.
static inline mbd_body_spec_t
hinge_by_hand(const char * name, int parent, mbd_inertia_t inertia)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = spec.joint_name = name;
  spec.parent = parent;
  spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.inertia = inertia;
  return spec;
}

static inline mbd_model_t *
mimic_by_hand(void)
{
  const mbd_inertia_t ball = {1, {0, 0, 0}, {1, 0, 0, 1, 0, 1}};
  mbd_model_t * model;
  int frame;
  assert_ok(mbd_model_create("mimic", &model));
  mbd_body_spec_t spec = hinge_by_hand("leader", MBD_WORLD_BODY, ball);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  spec = hinge_by_hand("follower", frame, ball);
  spec.mimic.joint = "leader", spec.mimic.multiplier = 2;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static inline mbd_model_t *
needle_by_hand(void)
{
  const mbd_inertia_t needle = {1, {0, 0, 1}, {1, 0, 0, 1, 0, 0}};
  mbd_model_t * model;
  int frame;
  assert_ok(mbd_model_create("needle", &model));
  const mbd_body_spec_t spec = hinge_by_hand("pivot", MBD_WORLD_BODY, needle);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static inline mat_t
mass_with(const dense_t * d, uint32_t terms)
{
  mat_t M = dense_mass(d);
  const mat_t rotors = dense_rotors(d->model);
  for (int k = 0; (terms & MBD_TERM_ROTORS) && k < d->nv; k++) *at(M, k, k) += rotors.a[k];
  return M;
}

static inline void
state_at(const tree_t * t, uint32_t terms)
{
  assert_ok(mbd_set_terms(t->data, terms));
  set_state(t);
}

static inline mat_t
random_column(int n, uint64_t * state)
{
  mat_t x = mat(n, 1);
  for (int k = 0; k < n; k++) x.a[k] = random_signed(state);
  return x;
}

/// The columns that a linear function makes of the unit vectors are its matrix.
static inline mat_t
unit_column(int n, int k)
{
  mat_t x = mat(n, 1);
  x.a[k] = 1;
  return x;
}

static inline bool
all_finite(mat_t A)
{
  for (int k = 0; k < A.r * A.c; k++) {
    if (!isfinite(A.a[k])) return false;
  }
  return true;
}

#endif  // BY_HAND_H_
