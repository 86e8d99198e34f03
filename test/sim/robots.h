/// \file robots.h
/// Robots small enough to calculate by hand.
///
///   pendulum        one body on a revolute joint about y, hanging along -z
///   free_body       one body in space
///   file_robot      one of test/data
#ifndef ROBOTS_H_
#define ROBOTS_H_

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"
#include "plant.h"

/// Mass 2, centre 0.5 below the joint, moment about the joint 0.7.
#define PENDULUM_INERTIA 0.7
#define PENDULUM_WEIGHT  (2 * 9.81 * 0.5)

static inline mbd_model_t *
one_body(const mbd_body_spec_t * spec)
{
  mbd_model_t * model;
  int frame;
  assert_ok(mbd_model_create("robot", &model));
  assert_ok(mbd_model_add_body(model, spec, &frame));
  assert_ok(mbd_model_finalize(model));
  return model;
}

static inline mbd_body_spec_t
pendulum_spec(void)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "bob";
  spec.joint_name = "hinge";
  spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = (mbd_vec3_t){0, 1, 0};
  spec.inertia = mbdu_inertia_from_com(
    2, (mbd_vec3_t){0, 0, -0.5}, (mbd_sym3_t){0.2, 0, 0, PENDULUM_INERTIA - 0.5, 0, 0.1});
  return spec;
}

static inline mbd_model_t *
free_body(mbd_sym3_t inertia)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "body";
  spec.joint_name = "free";
  spec.type = MBD_JOINT_FREE;
  spec.inertia = mbdu_inertia_from_com(3, (mbd_vec3_t){0, 0, 0}, inertia);
  return one_body(&spec);
}

static inline mbd_model_t *
file_robot(const char * name)
{
  char path[512];
  snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/test/data/%s.urdf", name);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.mimic_independent = true;
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  if (model->nclosure == 0) return model;
  mbd_embed_options_t embed = mbd_embed_options_default();
  mbd_model_t * embedded;
  embed.own_tree = true;
  assert_ok(mbd_model_embed(model, &embed, &embedded));
  return embedded;
}

static inline double
total_energy(plant_t * plant)
{
  double kinetic, potential;
  assert_ok(plant_energy(plant, &kinetic, &potential));
  return kinetic + potential;
}

/// Steps without motor torques.
static inline void
coast(plant_t * plant, double dt, int n)
{
  static const double zero[64];
  assert_true(plant->model->nv <= 64);
  for (int i = 0; i < n; i++) assert_ok(plant_step(plant, zero, dt));
}

static inline plant_t *
plant_of(const mbd_model_t * model, plant_integrator_t integrator)
{
  plant_t * plant = plant_create(model);
  assert_non_null(plant);
  plant_options_t options = plant_options_default(model);
  options.integrator = integrator;
  plant_set_options(plant, &options);
  return plant;
}

static inline void
plant_end(plant_t * plant)
{
  const mbd_model_t * model = plant->embedded ? plant->embedded : plant->model;
  mbd_model_destroy((mbd_model_t *)(uintptr_t)model);
  plant_destroy(plant);
}

#endif  // ROBOTS_H_
