/// \file linkage.h
/// Linkages made of a few parts, for tests.
///
///   start, add, pin      a tree of hinged parts, and what closes it
///   joint                number of a part's joint in q and v of the tree
///   embed_with           finalize and embed it, one joint being independent
///   parallelogram        links of 0.5 and 1.2 m in the x-y plane
///   crank_rocker         a four-bar whose crank goes round
#ifndef LINKAGE_H_
#define LINKAGE_H_

#include <stdio.h>

#include "core_test.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/spatial.h"

typedef struct part {
  const char *name, *parent;
  char axis;
  double x, y, z;  // joint in the parent
  double mass;
  double cx, cy, cz;  // centre of mass
  double jx, jy, jz;  // about it
} part_t;

static inline mbd_model_t *
start(double gx, double gy, double gz)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("example", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(gx, gy, gz)));
  return model;
}

static inline mbd_inertia_t
inertia_of(const part_t * p)
{
  const mbd_sym3_t I = {p->jx, 0, 0, p->jy, 0, p->jz};
  return mbdu_inertia_from_com(p->mass, mbdu_vec3(p->cx, p->cy, p->cz), I);
}

static inline int
frame_named(const mbd_model_t * model, const char * name)
{
  int frame = MBD_WORLD_BODY;
  if (name) assert_ok(mbd_find_frame(model, name, &frame));
  return frame;
}

static inline void
add(mbd_model_t * model, const part_t * p)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  char joint[32];
  snprintf(joint, sizeof joint, "j_%s", p->name);
  spec.name = p->name;
  spec.joint_name = joint;
  spec.parent = frame_named(model, p->parent);
  spec.type = MBD_JOINT_CONTINUOUS;
  spec.axis = mbdu_vec3(p->axis == 'x', p->axis == 'y', p->axis == 'z');
  spec.placement.p = mbdu_vec3(p->x, p->y, p->z);
  spec.inertia = inertia_of(p);
  int frame;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
}

static inline mbd_placement_t
at_point(double x, double y, double z)
{
  mbd_placement_t X = mbdu_placement_identity();
  X.p = mbdu_vec3(x, y, z);
  return X;
}

static inline void
pin(
  mbd_model_t * model, mbd_closure_type_t type, const char * a, mbd_placement_t X_a, const char * b,
  mbd_placement_t X_b)
{
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "pin";
  spec.type = type;
  spec.frame_a = frame_named(model, a);
  spec.frame_b = frame_named(model, b);
  spec.X_a = X_a, spec.X_b = X_b;
  assert_ok(mbd_model_add_closure(model, &spec, NULL));
}

// number of a joint in the tree's q and v (all joints have one)
static inline int
joint(const mbd_model_t * tree, const char * name)
{
  char full[32];
  int body;
  snprintf(full, sizeof full, "j_%s", name);
  assert_ok(mbd_find_joint(tree, full, &body));
  return tree->body[body].v_index;
}

static inline mbd_model_t *
embed_with(mbd_model_t * tree, const double * q, const char * preferred)
{
  char full[32];
  snprintf(full, sizeof full, "j_%s", preferred);
  const char * const joints[] = {full};
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q;
  options.independent = joints;
  options.nindependent = 1;
  options.own_tree = true;
  mbd_model_t * model;
  assert_ok(mbd_model_finalize(tree));
  assert_ok(mbd_model_embed(tree, &options, &model));
  return model;
}

static inline mbd_model_t *
parallelogram(void)
{
  const part_t parts[] = {
    {"a", NULL, 'z', 0, 0, 0, 0.6, 0.2, 0, 0, 0.001, 0.012, 0.012},
    {"b", "a", 'z', 0.5, 0, 0, 1.5, 0.6, 0, 0, 0.001, 0.1, 0.1},
    {"c", NULL, 'z', 1.2, 0, 0, 1.0, 0.25, 0, 0, 0.001, 0.042, 0.042}};
  mbd_model_t * tree = start(0, -9.81, 0);
  for (int k = 0; k < 3; k++) add(tree, &parts[k]);
  pin(tree, MBD_CLOSURE_ON_LINE, "c", at_point(0.5, 0, 0), "b", at_point(1.2, 0, 0));
  return tree;
}

/// Ground 1 m, crank 0.3, coupler 0.9, rocker 0.6 in the x-y plane; the rocker's ends are where
/// crank and coupler are in line.
static inline mbd_model_t *
crank_rocker(mbd_closure_type_t type)
{
  const part_t parts[] = {
    {"crank", NULL, 'z', 0, 0, 0, 0.5, 0.15, 0, 0, 0.001, 0.004, 0.004},
    {"coupler", "crank", 'z', 0.3, 0, 0, 1.2, 0.45, 0.02, 0, 0.002, 0.08, 0.08},
    {"rocker", NULL, 'z', 1.0, 0, 0, 0.8, 0.3, 0, 0, 0.001, 0.03, 0.03}};
  mbd_model_t * tree = start(0, -9.81, 0);
  for (int k = 0; k < 3; k++) add(tree, &parts[k]);
  pin(tree, type, "rocker", at_point(0.6, 0, 0), "coupler", at_point(0.9, 0, 0));
  return tree;
}

/// The rocker's angle for a crank's, elbow up, and the coupler's relative to the crank.
static inline void
close_crank_rocker(double crank, double * coupler, double * rocker)
{
  // pin: 0.9 from the crank's end, 0.6 from (1, 0)
  const double x = 0.3 * cos(crank), y = 0.3 * sin(crank), dx = 1 - x, dy = -y;
  const double d = sqrt(dx * dx + dy * dy), a = (0.81 - 0.36 + d * d) / (2 * d);
  const double h = sqrt(0.81 - a * a);
  const double px = x + (a * dx - h * dy) / d, py = y + (a * dy + h * dx) / d;
  *coupler = atan2(py - y, px - x) - crank;
  *rocker = atan2(py, px - 1);
}

#endif  // LINKAGE_H_
