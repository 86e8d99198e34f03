/// \file mechanisms.h
/// Mechanisms of Haug, chapters 3 to 5.
///
///   particle_on_sphere        3.6.2
///   particles                 4.9.2.1: two particles on bars
///   heavy_slider              4.9.2.2: crank and slider joined by a rod
///   spatial_double_pendulum   two spheres and a rod
///   top                       tip fixed, 1 m below the centre of mass; top_drag: drag about its axis as input
///   sliding_top               its tip on a plane
///   double_pendulum           two bars; bar_springs: torsional springs and dampers as input
///   coil_spring               5.8.3; coil_springs: springs as input
///   quick_return              bar, crank, key and cutter
///   slider_crank              crank and slider joined by a rod
#ifndef MECHANISMS_H_
#define MECHANISMS_H_

#include "mechanism.h"

//---------- 3.6.2: particle on a sphere, tilted ----------

/// Of three coordinates, or with those of a free body.
static inline mechanism_t
particle_on_sphere(bool cartesian)
{
  mechanism_t m = mechanism(-4.9, 0, -9.8);
  const mbd_placement_t o = point(0, 0, 0);
  int z;
  if (cartesian) {
    z = body(&m, "z", MBD_WORLD_BODY, MBD_JOINT_FREE, 0, o, 1, ORIGIN, 1, 1, 1);
  } else {
    const int x = body(&m, "x", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', o, 0, ORIGIN, 0, 0, 0);
    const int y = body(&m, "y", x, MBD_JOINT_PRISMATIC, 'y', o, 0, ORIGIN, 0, 0, 0);
    z = body(&m, "z", y, MBD_JOINT_PRISMATIC, 'z', o, 1, ORIGIN, 0, 0, 0);
  }
  closure(&m, "r", MBD_CLOSURE_DISTANCE, MBD_WORLD_BODY, o, z, o, 1);
  assert_ok(mbd_model_finalize(m.model));
  m.q[2] = 1, m.v[1] = 1;
  if (cartesian) m.q[6] = 1;
  return m;
}

//---------- 4.9.2.1: double pendulum of two particles ----------

static inline mechanism_t
particles(bool cartesian, double m1, double m2)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  const mbd_placement_t at = point(0, 0, 0);
  if (cartesian) {
    const mbd_joint_type_t slide = MBD_JOINT_PRISMATIC;
    const int x1 = body(&m, "1x", MBD_WORLD_BODY, slide, 'x', at, 0, ORIGIN, 0, 0, 0);
    const int one = body(&m, "1", x1, slide, 'y', at, m1, ORIGIN, 0, 0, 0);
    const int x2 = body(&m, "2x", MBD_WORLD_BODY, slide, 'x', at, 0, ORIGIN, 0, 0, 0);
    const int two = body(&m, "2", x2, slide, 'y', at, m2, ORIGIN, 0, 0, 0);
    closure(&m, "bar 1", MBD_CLOSURE_DISTANCE, MBD_WORLD_BODY, at, one, at, 1);
    closure(&m, "bar 2", MBD_CLOSURE_DISTANCE, one, at, two, at, 1);
    assert_ok(mbd_model_finalize(m.model));
    const double one_m = 1, two_m = 2, zero = 0;
    start_joint(&m, "1x", &one_m, &zero);
    start_joint(&m, "2x", &two_m, &zero);
  } else {
    const mbd_vec3_t end = {1, 0, 0};
    const int one = body(&m, "1", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', at, m1, end, 0, 0, 0);
    body(&m, "2", one, MBD_JOINT_CONTINUOUS, 'z', point(1, 0, 0), m2, end, 0, 0, 0);
    assert_ok(mbd_model_finalize(m.model));
  }
  return m;
}

//---------- 4.9.2.2: slider-crank ----------

static inline mechanism_t
heavy_slider(bool cartesian, double R)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  int crank, slider;
  if (cartesian) {
    crank = planar(&m, "1", 1, 20), slider = planar(&m, "2", 20, 1);
    closure(
      &m, "rev", MBD_CLOSURE_ON_LINE, MBD_WORLD_BODY, point(0, 0, 0), crank, point(0, 0, 0), 0);
    closure(
      &m, "tran", MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along_x(0, 0, 0), slider, along_x(0, 0, 0),
      0);
  } else {
    crank = body(
      &m, "1", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', point(0, 0, 0), 1, ORIGIN, 20, 20, 20);
    slider =
      body(&m, "2", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', point(0, 0, 0), 20, ORIGIN, 1, 1, 1);
  }
  closure(&m, "rod", MBD_CLOSURE_DISTANCE, crank, point(R, 0, 0), slider, point(0, 0, 0), 2);
  assert_ok(mbd_model_finalize(m.model));
  const double q1[3] = {0, 0, 0}, v1[3] = {0, 0, 10}, q2[3] = {R + 2, 0, 0}, v2[3] = {0};
  start_joint(&m, "1", cartesian ? q1 : q1 + 2, cartesian ? v1 : v1 + 2);
  start_joint(&m, "2", q2, v2);
  return m;
}

//---------- 5.4.4: spatial double pendulum ----------

static inline mechanism_t
spatial_double_pendulum(bool cartesian, double omega)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  const int one = body(
    &m, "1", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_SPHERICAL, 0, point(0, 0, 0),
    75, ORIGIN, 30, 30, 30);
  const int two =
    body(&m, "2", MBD_WORLD_BODY, MBD_JOINT_FREE, 0, point(0, 0, 0), 75, ORIGIN, 30, 30, 30);
  closure(&m, "rod", MBD_CLOSURE_DISTANCE, one, point(0, 0, -1), two, point(0, 0, 1), 1);
  if (cartesian) {
    closure(
      &m, "ball", MBD_CLOSURE_SPHERICAL, MBD_WORLD_BODY, point(0, 0, 0), one, point(0, 0, 0), 0);
  }
  assert_ok(mbd_model_finalize(m.model));
  const double free_1[7] = {0, 0, 0, 0, 0, 0, 1}, free_2[7] = {0, 0, -3, 0, 0, 0, 1};
  const double rest[6] = {0}, turning[6] = {0, 0, 0, 0, omega, 0};
  start_joint(&m, "1", cartesian ? free_1 : free_1 + 3, rest);
  start_joint(&m, "2", free_2, turning);
  return m;
}

//---------- 5.4.2: tops ----------

typedef struct top {
  double mass, jx, jz;  // about the centre of mass, 1 m above the tip
  double gravity[3], omega[3];
} top_t;

static inline mechanism_t
top(const top_t * p, bool cartesian)
{
  mechanism_t m = mechanism(p->gravity[0], p->gravity[1], p->gravity[2]);
  const mbd_vec3_t c = {0, 0, cartesian ? 0 : 1};
  const int frame = body(
    &m, "top", MBD_WORLD_BODY, cartesian ? MBD_JOINT_FREE : MBD_JOINT_SPHERICAL, 0, point(0, 0, 0),
    p->mass, c, p->jx, p->jx, p->jz);
  if (cartesian) {
    closure(
      &m, "tip", MBD_CLOSURE_SPHERICAL, MBD_WORLD_BODY, point(0, 0, 0), frame, point(0, 0, -1), 0);
  }
  assert_ok(mbd_model_finalize(m.model));
  const double * w = p->omega;
  // the centre moves with w x uz
  const double q[7] = {0, 0, 1, 0, 0, 0, 1}, v[6] = {w[1], -w[0], 0, w[0], w[1], w[2]};
  start_joint(&m, "top", cartesian ? q : q + 3, cartesian ? v : v + 3);
  return m;
}

/// Drag about the axis of the top; its spin by w(t) = w0 / (1 + D w0 t / J_z)
typedef struct drag {
  int number;  // of the angular velocity about x in v
} drag_t;

static inline mbd_status_t
top_drag(void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  const double * w = v + ((drag_t *)ctx)->number;
  (void)data, (void)t, (void)q;
  tau[((drag_t *)ctx)->number + 2] = -0.005 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return MBD_OK;
}

//---------- 5.4.3: top whose tip slides on a plane ----------

/// The tip is the origin of the body, the centre of mass at rest: as a free body, or with a massless carrier of the tip.
static inline mechanism_t
sliding_top(bool cartesian, double spin, double tilt)
{
  mechanism_t m = mechanism(0, 0, -9.8);
  const mbd_placement_t o = point(0, 0, 0);
  const mbd_vec3_t c = {0, 0, 1};
  const double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {-tilt, tilt, 0, tilt, tilt, spin};
  if (cartesian) {
    const int frame = body(&m, "top", MBD_WORLD_BODY, MBD_JOINT_FREE, 0, o, 30, c, 90, 90, 30);
    closure(&m, "top", MBD_CLOSURE_ON_PLANE, MBD_WORLD_BODY, o, frame, o, 0);
    assert_ok(mbd_model_finalize(m.model));
    start_joint(&m, "top", q, v);
    return m;
  }
  const int x = body(&m, "x", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', o, 0, ORIGIN, 0, 0, 0);
  const int y = body(&m, "y", x, MBD_JOINT_PRISMATIC, 'y', o, 0, ORIGIN, 0, 0, 0);
  body(&m, "top", y, MBD_JOINT_SPHERICAL, 0, o, 30, c, 90, 90, 30);
  assert_ok(mbd_model_finalize(m.model));
  start_joint(&m, "x", q, v), start_joint(&m, "y", q, v + 1);
  start_joint(&m, "top", q + 3, v + 3);
  return m;
}

//---------- 5.4.1: planar double pendulum ----------

typedef struct springs {
  const mechanism_t * m;
  bool cartesian;
  double k[2], c[2];
} springs_t;

static inline void
bar_angles(const mechanism_t * m, bool cartesian, const double * x, bool rates, double out[2])
{
  const mbd_body_t *one = joint_of(m, "1"), *two = joint_of(m, "2");
  const int k = cartesian ? 2 : 0;
  out[0] = x[(rates ? one->v_index : one->q_index) + k];
  out[1] = x[(rates ? two->v_index : two->q_index) + k] + (cartesian ? 0 : out[0]);
}

// torsional springs and dampers, ground to 1 and 1 to 2
static inline mbd_status_t
bar_springs(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  const springs_t * s = ctx;
  double phi[2], w[2];
  (void)data, (void)t;
  bar_angles(s->m, s->cartesian, q, false, phi);
  bar_angles(s->m, s->cartesian, v, true, w);
  const double one = s->k[0] * (phi[0] + PI / 2) + s->c[0] * w[0];
  const double two = s->k[1] * (phi[1] - phi[0]) + s->c[1] * (w[1] - w[0]);
  const int k = s->cartesian ? 2 : 0;
  tau[joint_of(s->m, "1")->v_index + k] = -one + (s->cartesian ? two : 0);
  tau[joint_of(s->m, "2")->v_index + k] = -two;
  return MBD_OK;
}

static inline mechanism_t
double_pendulum(bool cartesian, const double phi[2], const double w[2])
{
  mechanism_t m = mechanism(0, -9.8, 0);
  if (cartesian) {
    const int one = planar(&m, "1", 1, 0.3), two = planar(&m, "2", 1, 0.3);
    closure(
      &m, "pin 1", MBD_CLOSURE_ON_LINE, MBD_WORLD_BODY, point(0, 0, 0), one, point(-1, 0, 0), 0);
    closure(&m, "pin 2", MBD_CLOSURE_ON_LINE, one, point(1, 0, 0), two, point(-1, 0, 0), 0);
  } else {
    const mbd_vec3_t c = {1, 0, 0};
    const int one =
      body(&m, "1", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', point(0, 0, 0), 1, c, 0.3, 0.3, 0.3);
    body(&m, "2", one, MBD_JOINT_CONTINUOUS, 'z', point(2, 0, 0), 1, c, 0.3, 0.3, 0.3);
  }
  assert_ok(mbd_model_finalize(m.model));
  const double c1 = cos(phi[0]), s1 = sin(phi[0]), c2 = cos(phi[1]), s2 = sin(phi[1]);
  if (cartesian) {
    // velocities of the centres in the bars' axes
    const double q1[3] = {c1, s1, phi[0]}, q2[3] = {2 * c1 + c2, 2 * s1 + s2, phi[1]};
    const double between = phi[1] - phi[0];
    const double v1[3] = {0, w[0], w[0]};
    const double v2[3] = {2 * w[0] * sin(between), 2 * w[0] * cos(between) + w[1], w[1]};
    start_joint(&m, "1", q1, v1);
    start_joint(&m, "2", q2, v2);
  } else {
    const double relative = phi[1] - phi[0], rate = w[1] - w[0];
    start_joint(&m, "1", &phi[0], &w[0]);
    start_joint(&m, "2", &relative, &rate);
  }
  return m;
}

//---------- 5.8.3: surge waves in a coil spring ----------

// n coils of 1 / n kg and 1000 n N/m, 1 / n m long
static const char * const COIL[10] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};

typedef struct coil {
  const mechanism_t * m;
  int n;
} coil_t;

static inline mbd_status_t
coil_springs(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  const mechanism_t * m = ((const coil_t *)ctx)->m;
  const int n = ((const coil_t *)ctx)->n;
  double before = 0;
  (void)data, (void)t, (void)v;
  for (int k = 0; k < n; k++) {
    const mbd_body_t * b = joint_of(m, COIL[k]);
    const double force = 1000 * n * (q[b->q_index] - before - 1.0 / n);
    tau[b->v_index] -= force;
    if (k > 0) tau[joint_of(m, COIL[k - 1])->v_index] += force;
    before = q[b->q_index];
  }
  return MBD_OK;
}

static inline mechanism_t
coil_spring(bool cartesian, int n)
{
  mechanism_t m = mechanism(0, 0, 0);
  for (int k = 0; k < n; k++) {
    if (cartesian) {
      const int frame = planar(&m, COIL[k], 1.0 / n, 0.1);
      char name[8];
      snprintf(name, sizeof name, "tran %d", k);
      closure(
        &m, name, MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along_x(0, 0, 0), frame, along_x(0, 0, 0),
        0);
    } else {
      body(
        &m, COIL[k], MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', point(0, 0, 0), 1.0 / n, ORIGIN, 0.1,
        0.1, 0.1);
    }
  }
  assert_ok(mbd_model_finalize(m.model));
  for (int k = 0; k < n; k++) {
    const double q[3] = {(k + 1.0) / n, 0, 0}, v[3] = {k == n - 1 ? -1 : 0, 0, 0};
    start_joint(&m, COIL[k], q, v);
  }
  return m;
}

//---------- 5.8.2: quick return ----------

// without the end: what is added to it may follow
static inline mechanism_t
quick_return_bodies(bool cartesian)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  const mbd_vec3_t middle = {2, 0, 0};
  int bar, crank, key, cutter;
  const double x = cartesian ? 0 : 2;  // of the middle of the bar in its link
  if (cartesian) {
    bar = planar(&m, "1", 100, 100);
    crank = planar(&m, "2", 1000, 1000);
    key = planar(&m, "3", 1, 1);
    cutter = planar(&m, "4", 50, 50);
    closure(
      &m, "rev 1", MBD_CLOSURE_ON_LINE, MBD_WORLD_BODY, point(0, 0, 0), bar, point(-2, 0, 0), 0);
    closure(
      &m, "rev 2", MBD_CLOSURE_ON_LINE, MBD_WORLD_BODY, point(0, 2, 0), crank, point(0, 0, 0), 0);
    closure(&m, "rev 3", MBD_CLOSURE_ON_LINE, crank, point(1.5, 0, 0), key, point(0, 0, 0), 0);
    closure(
      &m, "tran 4", MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along_x(0, 4, 0), cutter,
      along_x(0, 0, 0), 0);
  } else {
    bar = body(
      &m, "1", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', point(0, 0, 0), 100, middle, 100, 100,
      100);
    crank = body(
      &m, "2", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', point(0, 2, 0), 1000, ORIGIN, 1000, 1000,
      1000);
    key = body(&m, "3", crank, MBD_JOINT_CONTINUOUS, 'z', point(1.5, 0, 0), 1, ORIGIN, 1, 1, 1);
    cutter = body(
      &m, "4", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', point(0, 4, 0), 50, ORIGIN, 50, 50, 50);
  }
  // planar: three of five rows are redundant
  closure(&m, "slot", MBD_CLOSURE_PRISMATIC, bar, along_x(x, 0, 0), key, along_x(0, 0, 0), 0);
  closure(
    &m, "link", MBD_CLOSURE_DISTANCE, bar, point(x + 2, 0, 0), cutter, point(0, 0, 0), 2.5298);
  return m;
}

static inline void
quick_return_start(mechanism_t * m, bool cartesian)
{
  // exactly where the loops put it: the data of the book has four digits
  const double a = atan2(2, 1.5), x4 = 4 * cos(a) - sqrt(2.5298 * 2.5298 - pow(4 - 4 * sin(a), 2));
  assert_ok(mbd_model_finalize(m->model));
  const double rate = 6 * 1.5 * cos(a) / 2.5;  // of the bar: the key is 2.5 m from its pin
  const double end[2] = {-4 * sin(a) * rate, 4 * cos(a) * rate}, dx = 4 * cos(a) - x4,
               dy = 4 * sin(a) - 4;
  const double speed = end[0] + end[1] * dy / dx;
  if (cartesian) {
    const double q1[3] = {2 * cos(a), 2 * sin(a), a}, v1[3] = {0, 2 * rate, rate};
    const double q2[3] = {0, 2, 0}, v2[3] = {0, 0, 6};
    const double q3[3] = {1.5, 2, a}, v3[3] = {9 * sin(a), 9 * cos(a), rate};
    const double q4[3] = {x4, 4, 0}, v4[3] = {speed, 0, 0};
    start_joint(m, "1", q1, v1), start_joint(m, "2", q2, v2);
    start_joint(m, "3", q3, v3), start_joint(m, "4", q4, v4);
  } else {
    const double zero = 0, six = 6, relative = rate - 6;
    start_joint(m, "1", &a, &rate), start_joint(m, "2", &zero, &six);
    start_joint(m, "3", &a, &relative), start_joint(m, "4", &x4, &speed);
  }
}

static inline mechanism_t
quick_return(bool cartesian)
{
  mechanism_t m = quick_return_bodies(cartesian);
  quick_return_start(&m, cartesian);
  return m;
}

//---------- 5.8.5: slider-crank ----------

// without the end: what is added to it may follow
static inline mechanism_t
slider_crank_bodies(bool cartesian, double length)
{
  mechanism_t m = mechanism(0, -9.8, 0);
  int crank, slider;
  if (cartesian) {
    crank = planar(&m, "1", 5, 5), slider = planar(&m, "2", 1, 1);
    closure(
      &m, "rev", MBD_CLOSURE_ON_LINE, MBD_WORLD_BODY, point(0, 0, 0), crank, point(0, 0, 0), 0);
    closure(
      &m, "tran", MBD_CLOSURE_PRISMATIC, MBD_WORLD_BODY, along_x(0, 0, 0), slider, along_x(0, 0, 0),
      0);
  } else {
    crank =
      body(&m, "1", MBD_WORLD_BODY, MBD_JOINT_CONTINUOUS, 'z', point(0, 0, 0), 5, ORIGIN, 5, 5, 5);
    slider =
      body(&m, "2", MBD_WORLD_BODY, MBD_JOINT_PRISMATIC, 'x', point(0, 0, 0), 1, ORIGIN, 1, 1, 1);
  }
  closure(&m, "rod", MBD_CLOSURE_DISTANCE, crank, point(1, 0, 0), slider, point(0, 0, 0), length);
  return m;
}

static inline void
slider_crank_start(mechanism_t * m, bool cartesian, double length)
{
  assert_ok(mbd_model_finalize(m->model));
  const double q1[3] = {0, 0, 0}, v1[3] = {0, 0, 100}, q2[3] = {1 + length, 0, 0}, v2[3] = {0};
  start_joint(m, "1", cartesian ? q1 : q1 + 2, cartesian ? v1 : v1 + 2);
  start_joint(m, "2", q2, v2);
}

static inline mechanism_t
slider_crank(bool cartesian, double length)
{
  mechanism_t m = slider_crank_bodies(cartesian, length);
  slider_crank_start(&m, cartesian, length);
  return m;
}

#endif  // MECHANISMS_H_
