/// \file rolling.h
/// Nonholonomic mechanisms of Haug, chapter 6, for a peer.
#ifndef ROLLING_H_
#define ROLLING_H_

#include "mechanism.h"

/// The origin of A has no velocity along its x axis.
static inline void
add_edge(mechanism_t * m, const char * name, int link, mbd_placement_t X)
{
  closure(m, name, MBD_CLOSURE_NO_SLIP, link, X, link, X, 0);
}

/// x of the frame along y of the link.
static inline mbd_placement_t
sideways(double x)
{
  mbd_placement_t X = point(x, 0, 0);
  X.R = mbdu_rotation_z(0, 1);
  return X;
}

/// 6.3.1, with 2 kg m^2 about the centre of mass.
static inline mechanism_t
three_wheels(void)
{
  mechanism_t m = mechanism(0, 0, 0);
  const int link = body(
    &m, "chassis", MBD_WORLD_BODY, MBD_JOINT_PLANAR, 'z', point(0, 0, 0), 10, mbdu_vec3(0, 1, 0), 2,
    2, 2);
  add_edge(&m, "axle", link, point(0, 0, 0));
  assert_ok(mbd_model_finalize(m.model));
  m.v[1] = 5;
  return m;
}

static inline void
steer(void * ctx, double t, double * value, double * rate, double * second)
{
  (void)ctx;
  *value = 0.017 * sin(t), *rate = 0.017 * cos(t), *second = -0.017 * sin(t);
}

/// 6.3.2
static inline mechanism_t
tractor_with_trailer(void)
{
  mechanism_t m = mechanism(0, 0, 0);
  const mbd_vec3_t centre_of_mass = {0, 0, 0};
  const int tractor = body(
    &m, "tractor", MBD_WORLD_BODY, MBD_JOINT_PLANAR, 'z', point(6, 0, 0), 1500, centre_of_mass,
    1500, 1500, 1500);
  const int trailer = body(
    &m, "trailer", tractor, MBD_JOINT_CONTINUOUS, 'z', point(-3, 0, 0), 1500, mbdu_vec3(-3, 0, 0),
    1500, 1500, 1500);
  const int wheels = body(
    &m, "wheels", tractor, MBD_JOINT_CONTINUOUS, 'z', point(3, 0, 0), 1e-3, centre_of_mass, 1e-3,
    1e-3, 1e-3);
  add_edge(&m, "front", wheels, sideways(0));
  add_edge(&m, "middle", tractor, sideways(-3));
  add_edge(&m, "rear", trailer, sideways(-6));
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "steer", spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
  spec.joint[0] = "wheels", spec.coefficient[0] = 1, spec.driver.at = steer;
  assert_ok(mbd_model_add_closure(m.model, &spec, NULL));
  assert_ok(mbd_model_finalize(m.model));
  start_joint(&m, "tractor", (double[3]){0, 0, 0}, (double[3]){15, 0, 0});
  start_joint(&m, "wheels", (double[1]){0}, (double[1]){0.017});
  return m;
}

/// Surfaces in contact that do not slip.
static inline void
add_roll(
  mechanism_t * m, int a, mbd_surface_t surface_a, int b, mbd_placement_t X_b,
  mbd_surface_t surface_b)
{
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.frame_a = a, spec.surface_a = surface_a;
  spec.frame_b = b, spec.surface_b = surface_b, spec.X_b = X_b;
  spec.name = "contact", spec.type = MBD_CLOSURE_TOUCH;
  assert_ok(mbd_model_add_closure(m->model, &spec, NULL));
  spec.name = "grip", spec.type = MBD_CLOSURE_ROLL;
  assert_ok(mbd_model_add_closure(m->model, &spec, NULL));
}

/// 6.3.3
static inline mechanism_t
disk(void)
{
  mechanism_t m = mechanism(0, 0, -9.6);
  const int link = body(
    &m, "disk", MBD_WORLD_BODY, MBD_JOINT_FREE, 'z', point(0, 0, 1), 10, mbdu_vec3(0, 0, 0), 5,
    2.5001, 2.5001);
  const mbd_surface_t ground = {.type = MBD_SURFACE_PLANE};
  const mbd_surface_t rim = {.type = MBD_SURFACE_DISK, .size = {1}};
  add_roll(&m, MBD_WORLD_BODY, ground, link, along_x(0, 0, 0), rim);
  assert_ok(mbd_model_finalize(m.model));
  start_joint(&m, "disk", (double[7]){0, 0, 0, 0, 0, 0, 1}, (double[6]){0.01, -1, 0, 1, 0.01, 0});
  return m;
}

static inline void
wave(void * ctx, double t, double * value, double * rate, double * second)
{
  (void)ctx;
  *value = 0.1 * (1 - cos(3 * t)), *rate = 0.3 * sin(3 * t), *second = 0.9 * cos(3 * t);
}

/// 6.3.4, without the spring. The bowl is on a prismatic joint, or free and welded to a moving frame.
static inline mechanism_t
ellipsoid_in_bowl(bool cartesian)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  const mbd_vec3_t o = {0, 0, 0};
  const int bowl = body(
    &m, "bowl", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC, 'z',
    point(0, 0, 0), 10, o, 1, 1, 1);
  const int link = body(
    &m, "ellipsoid", MBD_WORLD_BODY, MBD_JOINT_FREE, 'z', point(0, 0, 0.3), 35.18583772, o,
    1.759291886, 2.392636965, 2.885238693);
  const mbd_surface_t a = {.type = MBD_SURFACE_PARABOLOID, .size = {0.1, 0.2}};
  const mbd_surface_t b = {.type = MBD_SURFACE_ELLIPSOID, .size = {0.5, 0.4, 0.3}};
  add_roll(&m, bowl, a, link, point(0, 0, 0), b);
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "wave", spec.driver.at = wave;
  if (cartesian) {
    spec.frame_b = bowl, spec.driver.row = 2;
  } else {
    spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
    spec.joint[0] = "bowl", spec.coefficient[0] = 1;
  }
  assert_ok(mbd_model_add_closure(m.model, &spec, NULL));
  assert_ok(mbd_model_finalize(m.model));
  const double rest[7] = {0, 0, 0, 0, 0, 0, 1};
  if (cartesian) start_joint(&m, "bowl", rest, (double[6]){0});
  start_joint(&m, "ellipsoid", rest, (double[6]){0.3, 0.3, 0, -1, 1, 10});
  return m;
}

#endif  // ROLLING_H_
