/// \file mechanisms_bearings.h
/// Mechanisms of Haug, chapter 8: joints whose friction grows with their load.
///
///   three_masses                three sliders, a rod and two springs: 8.1.2 and 8.8.1
///   four_masses                 four sliders, two rods and four springs: 8.3.2 and 8.10.3
///   slider_crank_with_friction  8.8.2
///   quick_return_with_friction  8.8.3; crank_torque: its input
///   coil                        8.8.4
///   disk                        8.8.5 and 8.10.4
///   cylinder                    8.10.1
///   spatial_crank               8.10.2
#ifndef MECHANISMS_BEARINGS_H_
#define MECHANISMS_BEARINGS_H_

#include "mbdyn/dynamics.h"
#include "mechanisms.h"

static inline void
bear(mechanism_t * m, mbd_bearing_spec_t spec, const char * joint)
{
  spec.joint = joint;
  assert_ok(mbd_model_add_bearing(m->model, &spec, NULL));
}

static inline mbd_bearing_spec_t
friction(double mu_static, double mu_dynamic, double velocity)
{
  mbd_bearing_spec_t spec = mbd_bearing_spec_default();
  spec.mu_static = mu_static, spec.mu_dynamic = mu_dynamic;
  spec.velocity = spec.smoothing = velocity;
  return spec;
}

static inline void
spring(
  mechanism_t * m, const char * name, int a, mbd_placement_t X_a, int b, mbd_placement_t X_b,
  double stiffness, double rest)
{
  mbd_element_spec_t spec = mbd_element_spec_default();
  spec.name = name, spec.type = MBD_ELEMENT_SPRING;
  spec.frame_a = a, spec.X_a = X_a, spec.frame_b = b, spec.X_b = X_b;
  spec.stiffness = stiffness, spec.rest = rest;
  assert_ok(mbd_model_add_element(m->model, &spec, NULL));
}

/// z of the frame along the given axis of the link.
static inline mbd_placement_t
along(char axis)
{
  mbd_placement_t X = point(0, 0, 0);
  const mbd_mat3_t x = {{0, 0, 1, 1, 0, 0, 0, 1, 0}}, y = {{0, 1, 0, 0, 0, 1, 1, 0, 0}};
  if (axis == 'x') X.R = x;
  if (axis == 'y') X.R = y;
  return X;
}

/// A body that slides along an axis through the origin, at a place and speed; `guide` is its closure.
static inline int
slider(
  mechanism_t * m, bool cartesian, const char * name, const char * guide, char axis, double mass,
  double J)
{
  const int frame = body(
    m, name, MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC, axis, point(0, 0, 0),
    mass, ORIGIN, J, J, J);
  if (cartesian)
    closure(m, guide, MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along(axis), frame, along(axis), 0);
  return frame;
}

static inline void
start_slider(mechanism_t * m, bool cartesian, const char * name, char axis, double x, double xd)
{
  double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0};
  q[axis - 'x'] = x, v[axis - 'x'] = xd;
  start_joint(m, name, cartesian ? q : &x, cartesian ? v : &xd);
}

static inline double
speed_of(
  const mbd_simulation_t * sim, const mechanism_t * m, bool cartesian, const char * name, char axis)
{
  return mbd_simulation_info(sim)->v[joint_of(m, name)->v_index + (cartesian ? axis - 'x' : 0)];
}

static inline double
place_of(
  const mbd_simulation_t * sim, const mechanism_t * m, bool cartesian, const char * name, char axis)
{
  return mbd_simulation_info(sim)->q[joint_of(m, name)->q_index + (cartesian ? axis - 'x' : 0)];
}

//---------- 8.1.2 and 8.8.1: three masses ----------

static inline mechanism_t
three_masses(bool cartesian, double m1, double velocity)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  const int one = slider(&m, cartesian, "1", "guide 1", 'y', m1, 1);
  const int two = slider(&m, cartesian, "2", "guide 2", 'x', 2, 1);
  const int three = slider(&m, cartesian, "3", "guide 3", 'x', 2, 1);
  closure(&m, "rod", MBD_CLOSURE_DISTANCE, one, point(0, 0, 0), two, point(0, 0, 0), 5);
  spring(&m, "k1", MBD_WORLD_BODY, point(0, -10, 0), one, point(0, 0, 0), 10, 10);
  spring(&m, "k2", two, point(0, 0, 0), three, point(10, 0, 0), 10, 11);
  const char * tree[3] = {"1", "2", "3"};
  const char * closed[3] = {"guide 1", "guide 2", "guide 3"};
  for (int k = 0; k < 3; k++)
    bear(&m, friction(0.5, 0.3, velocity), cartesian ? closed[k] : tree[k]);
  assert_ok(mbd_model_finalize(m.model));
  start_slider(&m, cartesian, "1", 'y', 0, 0);
  start_slider(&m, cartesian, "2", 'x', 5, 0);
  start_slider(&m, cartesian, "3", 'x', 6, -1);
  return m;
}

//---------- 8.3.2 and 8.10.3: four masses ----------

/// Coefficients of friction, and where the springs of the first three are free.
typedef struct four_masses_data {
  double mu_static, mu_dynamic, velocity, rest[3];
} four_masses_t;

static const four_masses_t FOUR_MASSES_8_3_2 = {0.2, 0.13, 2e-3, {0, 0, 0}};
static const four_masses_t FOUR_MASSES_8_10_3 = {0.14, 0.12, 1e-3, {-3, -4, -3}};

static inline mechanism_t
four_masses(bool cartesian, const four_masses_t * p)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  const int one = slider(&m, cartesian, "1", "guide 1", 'x', 2, 1);
  const int two = slider(&m, cartesian, "2", "guide 2", 'y', 2, 1);
  const int three = slider(&m, cartesian, "3", "guide 3", 'z', 6, 1);
  const int four = slider(&m, cartesian, "4", "guide 4", 'x', 6, 1);
  const mbd_placement_t o = point(0, 0, 0);
  closure(&m, "rod 1", MBD_CLOSURE_DISTANCE, one, o, two, o, 5);
  closure(&m, "rod 2", MBD_CLOSURE_DISTANCE, two, o, three, o, 7);
  spring(&m, "k1", MBD_WORLD_BODY, point(-20, 0, 0), one, o, 2, 20 + p->rest[0]);
  spring(&m, "k2", MBD_WORLD_BODY, point(0, -20, 0), two, o, 2, 20 + p->rest[1]);
  spring(&m, "k3", MBD_WORLD_BODY, point(0, 0, -20), three, o, 2, 20 + p->rest[2]);
  spring(&m, "k4", one, o, four, point(10, 0, 0), 10, 11);
  const char * tree[4] = {"1", "2", "3", "4"};
  const char * closed[4] = {"guide 1", "guide 2", "guide 3", "guide 4"};
  mbd_bearing_spec_t spec = friction(p->mu_static, p->mu_dynamic, p->velocity);
  // 8.10.3 has them; the rods act at point 1, so that no moment loads them
  spec.span = spec.key = 0.1;
  for (int k = 0; k < 4; k++) bear(&m, spec, cartesian ? closed[k] : tree[k]);
  assert_ok(mbd_model_finalize(m.model));
  start_slider(&m, cartesian, "1", 'x', 4, 0), start_slider(&m, cartesian, "2", 'y', 3, 0);
  start_slider(&m, cartesian, "3", 'z', sqrt(40), 0);
  start_slider(&m, cartesian, "4", 'x', 5, -1);
  return m;
}

//---------- 8.8.2: slider-crank ----------

static inline mechanism_t
slider_crank_with_friction(bool cartesian, double length)
{
  mechanism_t m = slider_crank_bodies(cartesian, length);
  mbd_bearing_spec_t spec = friction(0.25, 0.2, 2e-3);
  spec.radius = spec.span = 0.1;
  bear(&m, spec, cartesian ? "rev" : "1");
  bear(&m, spec, cartesian ? "tran" : "2");
  slider_crank_start(&m, cartesian, length);
  return m;
}

//---------- 8.8.3: quick return ----------

static inline mbd_status_t
crank_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  tau[*(const int *)ctx] = 5000;
  return MBD_OK;
}

static inline mechanism_t
quick_return_with_friction(bool cartesian, bool slot_on_bar)
{
  mechanism_t m = quick_return_bodies(cartesian);
  mbd_bearing_spec_t spec = friction(0.3, 0.25, 2e-3);
  spec.radius = spec.span = 0.1;
  bear(&m, spec, cartesian ? "rev 1" : "1");
  bear(&m, spec, cartesian ? "rev 2" : "2");
  bear(&m, spec, cartesian ? "rev 3" : "3");
  bear(&m, spec, cartesian ? "tran 4" : "4");
  spec.span = 0.2, spec.on_a = slot_on_bar;
  bear(&m, spec, "slot");
  quick_return_start(&m, cartesian);
  return m;
}

//---------- 8.8.4: coil spring ----------

static inline mechanism_t
coil(bool cartesian)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  static const char * const closed[5] = {"g1", "g2", "g3", "g4", "g5"};
  static const char * const turn[5] = {"c1", "c2", "c3", "c4", "c5"};
  int before = MBD_WORLD_BODY;
  mbd_bearing_spec_t spec = friction(0.2, 0.19, 2e-3);
  spec.span = 0.1;
  for (int k = 0; k < 5; k++) {
    const int mass = slider(&m, cartesian, COIL[k], closed[k], 'x', 0.2, 0.1);
    spring(&m, turn[k], before, point(0, 0, 0), mass, point(0, 0, 0), 5000, 0.2);
    bear(&m, spec, cartesian ? closed[k] : COIL[k]);
    before = mass;
  }
  assert_ok(mbd_model_finalize(m.model));
  for (int k = 0; k < 5; k++)
    start_slider(&m, cartesian, COIL[k], 'x', 0.2 * (k + 1), k == 4 ? -1 : 0);
  return m;
}

//---------- 8.8.5 and 8.10.4: disk ----------

static inline mechanism_t
disk(bool cartesian, double mu_static, double mu_dynamic)
{
  mechanism_t m = mechanism(0, 0, 0);
  mbd_placement_t slot = along('y');
  slot.p = mbdu_vec3(1, 0, 0);
  mbd_bearing_spec_t spec = friction(mu_static, mu_dynamic, 0.02);
  spec.radius = spec.span = 0.1;
  const int one = body(
    &m, "disk", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_CONTINUOUS, 'z',
    point(0, 0, 0), 10, ORIGIN, 10, 10, 10);
  const int two = body(
    &m, "body", cartesian ? MBD_WORLD_BODY : one, cartesian ? MBD_JOINT_FREE : MBD_JOINT_PRISMATIC,
    'y', cartesian ? point(0, 0, 0) : point(1, 0, 0), 5, ORIGIN, 5, 5, 5);
  if (cartesian) {
    closure(
      &m, "shaft", MBD_CLOSURE_REVOLUTE, MBD_WORLD_BODY, point(0, 0, 0), one, point(0, 0, 0), 0);
    closure(&m, "slot", MBD_CLOSURE_PRISMATIC, one, slot, two, along('y'), 0);
  }
  spring(&m, "spring", one, point(1, 10, 0), two, point(0, 0, 0), 10, 10.1);
  bear(&m, spec, cartesian ? "shaft" : "disk");
  // the points of contact are those of the slot
  spec.on_a = true;
  spec.key = 0.1;
  bear(&m, spec, cartesian ? "slot" : "body");
  assert_ok(mbd_model_finalize(m.model));
  const double at_0[7] = {0, 0, 0, 0, 0, 0, 1}, at_1[7] = {1, 0, 0, 0, 0, 0, 1}, rest[6] = {0};
  start_joint(&m, "disk", at_0, rest);
  start_joint(&m, "body", cartesian ? at_1 : at_0, rest);
  return m;
}

//---------- 8.10.1: cylindrical joint ----------

static inline mechanism_t
cylinder(bool cartesian)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  const int one = body(
    &m, "body", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_CYLINDRICAL, 'z',
    point(0, 0, 0), 1, ORIGIN, 0.1, 0.1, 0.1);
  if (cartesian)
    closure(
      &m, "post", MBD_CLOSURE_CYLINDRICAL, MBD_WORLD_BODY, point(0, 0, 0), one, point(0, 0, 0), 0);
  spring(&m, "spring", MBD_WORLD_BODY, point(-1, 1, 1), one, point(0, 1, 1), 10, 1);
  mbd_bearing_spec_t spec = friction(0.24, 0.2, 2e-3);
  spec.radius = 0.05, spec.span = 0.1;
  bear(&m, spec, cartesian ? "post" : "body");
  assert_ok(mbd_model_finalize(m.model));
  const double free_q[7] = {0, 0, 0, 0, 0, 0, 1}, free_v[6] = {0, 0, 0, 0, 0, 10}, q[2] = {0},
               v[2] = {10, 0};
  start_joint(&m, "body", cartesian ? free_q : q, cartesian ? free_v : v);
  return m;
}

//---------- 8.10.2: spatial slider-crank ----------

static inline mechanism_t
spatial_crank(bool cartesian, double length, double speed)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  mbd_placement_t shaft = along('x');
  shaft.p = mbdu_vec3(0, 0.1, 0.12);
  const int crank = body(
    &m, "1", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_CONTINUOUS, 'x',
    cartesian ? point(0, 0, 0) : point(0, 0.1, 0.12), 0.5, ORIGIN, 0.2, 0.2, 0.2);
  const int two = slider(&m, cartesian, "2", "guide", 'x', 5, 0.2);
  if (cartesian)
    closure(&m, "rev", MBD_CLOSURE_REVOLUTE, MBD_WORLD_BODY, shaft, crank, along('x'), 0);
  closure(
    &m, "rod", MBD_CLOSURE_DISTANCE, crank, point(0, 0, 0.08), two, point(0, 0, 0.02), length);
  mbd_bearing_spec_t spec = friction(0.1, 0.08, 2e-3);
  spec.radius = spec.span = 0.1;
  bear(&m, spec, cartesian ? "rev" : "1");
  assert_ok(mbd_model_finalize(m.model));
  const double x = sqrt(length * length - 0.0424), angle = 0;
  const double q[7] = {0, 0.1, 0.12, 0, 0, 0, 1}, v[6] = {0, 0, 0, speed, 0, 0};
  start_joint(&m, "1", cartesian ? q : &angle, cartesian ? v : &speed);
  start_slider(&m, cartesian, "2", 'x', x, 0.008 * speed / x);
  return m;
}

#endif  // MECHANISMS_BEARINGS_H_
