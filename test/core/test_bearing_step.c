// Bearings that stick in steps in time: friction that grows with the load, by closed forms.
#include <math.h>
#include <stdlib.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"

static const double G = 9.81, H = 1e-3, MASS = 2;

// a joint with a bearing, and its state
typedef struct rig {
  mbd_model_t * m;
  mbd_data_t * data;
  double *work, q[8], v[6], load, impulse[6];
  bool sticks[6];
  mbd_contact_t contact;
} rig_t;

static void
rig_start(rig_t * r, mbd_joint_type_t type, mbd_vec3_t axis, mbd_vec3_t com, double slope)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  mbd_bearing_spec_t bearing = mbd_bearing_spec_default();
  int frame;
  *r = (rig_t){.contact = mbd_contact_default()};
  spec.name = "body", spec.joint_name = "joint", spec.type = type, spec.axis = axis;
  spec.inertia = mbdu_inertia_from_com(MASS, com, (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  bearing.joint = "joint", bearing.mu_static = 0.5, bearing.mu_dynamic = 0.3, bearing.radius = 0.05;
  bearing.smoothing = 1e-9;
  assert_ok(mbd_model_create("rig", &r->m));
  assert_ok(mbd_model_add_body(r->m, &spec, &frame));
  assert_ok(mbd_model_add_bearing(r->m, &bearing, NULL));
  assert_ok(mbd_model_finalize(r->m));
  assert_ok(mbd_data_create(r->m, &r->data));
  assert_ok(mbd_set_gravity(r->data, mbdu_vec3(-G * sin(slope), 0, -G * cos(slope))));
  r->work = calloc(mbd_bearing_step_work(r->m, 1, 1), sizeof *r->work);
  r->contact.frame_b = frame;
  for (int k = 0; k < 6; k++) r->sticks[k] = true;
}

static void
rig_end(rig_t * r)
{
  free(r->work);
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->m);
}

static void
rig_step(rig_t * r, const double * tau, const mbd_wrenches_t * f_ext, int contacts)
{
  mbd_bearing_friction_t bearings = mbd_bearing_friction_default();
  const mbd_joint_friction_t friction = {r->m->nv, NULL, NULL, r->impulse};
  bearings.load = &r->load, bearings.sticks = r->sticks;
  assert_ok(mbd_set_state(r->m, r->data, r->q, r->v));
  assert_ok(mbd_bearing_step(
    r->m, r->data, tau, f_ext, H, contacts, &r->contact, &friction, &bearings, NULL, r->work, r->v,
    NULL, NULL, NULL));
  assert_ok(mbd_integrate(r->m, r->q, r->v, H, r->q));
}

static void
near_to(const char * what, double a, double b, double tolerance)
{
  if (!(fabs(a - b) <= tolerance)) fail_msg("%s: %.12g instead of %.12g", what, a, b);
}

// a slider on a slope: sticks up to tan(slope) = mu_static without creep, then a = g (sin - mu_dynamic cos)
static void
slider_on_a_slope(void ** state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    rig_t r;
    const double slope = atan(0.5) * (k == 0 ? 1 - 1e-6 : 1 + 1e-6);
    rig_start(&r, MBD_JOINT_PRISMATIC, mbdu_vec3(1, 0, 0), mbdu_vec3(0, 0, 0), slope);
    const int steps = k == 0 ? 60000 : 1001;
    for (int i = 0; i < steps; i++) rig_step(&r, NULL, NULL, 0);
    near_to("load", r.load, MASS * G * cos(slope), 1e-8);
    // the first step lets go against static friction
    const double t = 1000 * H, a = G * (sin(slope) - 0.3 * cos(slope));
    const double first = G * (sin(slope) - 0.5 * cos(slope)) * H;
    if (k == 0)
      assert_true(fabs(r.q[0]) < 1e-12 && fabs(r.v[0]) < 1e-12);
    else
      near_to("way", -r.q[0], a * t * (t + H) / 2 + first * (t + H), 1e-9);
    rig_end(&r);
  }
}

// a pin: torques up to mu r N, N = m g, whatever the load does
static void
pin_lets_go_at_its_limit(void ** state)
{
  (void)state;
  rig_t r;
  rig_start(&r, MBD_JOINT_REVOLUTE, mbdu_vec3(0, 1, 0), mbdu_vec3(0, 0, 0), 0);
  const double limit = 0.5 * 0.05 * MASS * G;
  double tau = 0;
  while (fabs(r.v[0]) < 1e-12 && tau < 2 * limit) {
    tau += 1e-4 * limit;
    rig_step(&r, &tau, NULL, 0);
  }
  near_to("torque", tau, limit, 2e-4 * limit);
  rig_end(&r);
  // twice the load by a wrench: twice the torque
  rig_start(&r, MBD_JOINT_REVOLUTE, mbdu_vec3(0, 1, 0), mbdu_vec3(0, 0, 0), 0);
  const mbd_wrench_t down = {
    r.contact.frame_b, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, -MASS * G}}};
  const mbd_wrenches_t f = {1, &down};
  for (tau = 0; fabs(r.v[0]) < 1e-12 && tau < 4 * limit;) {
    tau += 1e-4 * limit;
    rig_step(&r, &tau, &f, 0);
  }
  near_to("torque", tau, 2 * limit, 3e-4 * limit);
  rig_end(&r);
}

// A pendulum swings and stays where |m g l sin q| <= mu_static r N; the work of friction is that of mu_dynamic.
static void
pendulum_comes_to_rest(void ** state)
{
  (void)state;
  rig_t r;
  const double l = 0.3;
  rig_start(&r, MBD_JOINT_REVOLUTE, mbdu_vec3(0, 1, 0), mbdu_vec3(0, 0, -l), 0);
  r.q[0] = 1;
  for (int k = 0; k < 6; k++) r.sticks[k] = false;
  double turned = 0, energy = -MASS * G * l * cos(r.q[0]), work = 0;
  for (int i = 0; i < 60000; i++) {
    const double before = r.q[0];
    rig_step(&r, NULL, NULL, 0);
    turned += fabs(r.q[0] - before);
    work += r.impulse[0] / H * (r.q[0] - before);
  }
  energy += MASS * G * l * cos(r.q[0]);
  print_message("turned %.3f rad, rests at %.5f rad\n", turned, r.q[0]);
  assert_true(fabs(r.v[0]) < 1e-12);
  assert_true(fabs(MASS * G * l * sin(r.q[0])) <= 0.5 * 0.05 * MASS * G);
  // semi-implicit steps do not keep the energy better
  near_to("work", work, -fabs(energy), 2e-2 * fabs(energy));
  rig_end(&r);
}

// what presses in a contact presses in the bearing: a slider that leans on a wall
static void
contact_loads_the_bearing(void ** state)
{
  (void)state;
  rig_t r;
  rig_start(&r, MBD_JOINT_PRISMATIC, mbdu_vec3(1, 0, 0), mbdu_vec3(0, 0, 0), 0);
  // a wall at 45 degrees: its normal force N has N / sqrt(2) along the slider
  r.contact.normal = mbdu_vec3(-sqrt(0.5), 0, -sqrt(0.5));
  r.contact.mode = MBD_CONTACT_STICK;
  const double tau = 100;
  for (int i = 0; i < 3; i++) rig_step(&r, &tau, NULL, 1);
  // 100 = mu N + p / sqrt(2) with N = m g + p / sqrt(2), or less friction: the bearing is at rest anyway
  near_to("v", r.v[0], 0, 1e-12);
  const double p = -r.contact.force.z / H;
  near_to("load", r.load, MASS * G + p, 1e-6);
  near_to("balance", tau + r.impulse[0] / H - p, 0, 1e-6);
  rig_end(&r);
}

static void
bad_arguments_are_refused(void ** state)
{
  (void)state;
  rig_t r;
  rig_start(&r, MBD_JOINT_PRISMATIC, mbdu_vec3(1, 0, 0), mbdu_vec3(0, 0, 0), 0);
  mbd_bearing_friction_t b = mbd_bearing_friction_default();
  assert_ok(mbd_set_state(r.m, r.data, r.q, r.v));
  for (int k = 0; k < 5; k++) {
    b = mbd_bearing_friction_default();
    b.load = &r.load, b.sticks = r.sticks;
    mbd_status_t want = MBD_ERROR_BAD_ARGUMENT;
    r.load = 0, r.v[0] = 17;
    switch (k) {
      case 0: b.sweeps = 0; break;
      case 1: r.load = -1; break;
      case 2: r.load = NAN, want = MBD_ERROR_NOT_FINITE; break;
      case 3: b.load = NULL, want = MBD_ERROR_NULL_ARGUMENT; break;
      default: b.tolerance = NAN;
    }
    assert_int_equal(
      mbd_bearing_step(
        r.m, r.data, NULL, NULL, H, 0, NULL, NULL, &b, NULL, r.work, r.v, NULL, NULL, NULL),
      want);
    assert_true(r.v[0] == 17);
  }
  assert_int_equal(mbd_bearing_step_work(NULL, 0, 0), 0);
  rig_end(&r);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(slider_on_a_slope),         cmocka_unit_test(pin_lets_go_at_its_limit),
    cmocka_unit_test(pendulum_comes_to_rest),    cmocka_unit_test(contact_loads_the_bearing),
    cmocka_unit_test(bad_arguments_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
