// Beams as flexible links: roots and shapes, natural frequencies against closed forms, a spinning
// beam against a fine chain of rigid links, and energy over ten seconds.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "by_hand.h"
#include "flexible_state.h"
#include "mbdyn/flexible/flexible_links.h"
#include "simulate.h"

static const mbd_vec3_t ALONG_Z = {0, 0, 1};

//---------- roots and shapes ----------

static void
roots_are_the_known_ones(void ** context)
{
  (void)context;
  static const double known[3][3] = {
    {1.875104068711961, 4.694091132974175, 7.854757438237613},
    {3.141592653589793, 6.283185307179586, 9.424777960769379},
    {4.730040744862704, 7.853204624095838, 10.995607838001671}};
  for (int s = 0; s < 3; s++) {
    for (int k = 0; k < 3; k++) {
      const double root = mbd_beam_root((mbd_beam_support_t)s, k + 1);
      assert_close(&root, &known[s][k], 1, 1e-14, "support %d, mode %d", s, k + 1);
    }
  }
  assert_true(mbd_beam_root(MBD_BEAM_FREE, 0) == 0);
  assert_true(mbd_beam_root((mbd_beam_support_t)7, 1) == 0);
}

// modes are orthogonal, their curvature has the stiffness, and the ends are as the supports say
static void
shapes_are_those_of_a_beam(void ** context)
{
  (void)context;
  enum { MODES = 12, FINE = 1000 };
  static double station[FINE + 1];
  for (int k = 0; k <= FINE; k++) station[k] = 2.0 * k / FINE;
  for (int s = 0; s < 3; s++) {
    mbd_beam_spec_t spec = mbd_beam_spec_default();
    spec.length = 2, spec.mass_per_length = 1.5, spec.bending_y = 3;
    spec.modes_y = MODES, spec.support = (mbd_beam_support_t)s;
    spec.nstation = FINE + 1, spec.station = station;
    mbd_modal_body_t * body;
    assert_ok(mbd_beam_create(&spec, &body));
    const int points = body->nnode - FINE - 2;
    const mbd_motion_t * fine = body->shape + points * MODES;
    for (int i = 0; i < MODES; i++) {
      double mass[MODES] = {0}, expected[MODES] = {0}, stiffness = 0;
      expected[i] = 3;
      for (int k = 0; k < points; k++) {
        for (int j = 0; j < MODES; j++) {
          mass[j] += body->inertia[k].mass * body->shape[k * MODES + i].lin.y *
                     body->shape[k * MODES + j].lin.y;
        }
      }
      assert_close(mass, expected, MODES, 1e-9, "support %d, mode %d", s, i + 1);
      for (int k = 0; k < FINE; k++) {
        const mbd_motion_t *a = &fine[k * MODES + i], *b = &fine[(k + 1) * MODES + i];
        const double h = 2.0 / FINE, turn = b->ang.z - a->ang.z;
        stiffness += 3 * turn * turn / h;
        const double slope = (b->lin.y - a->lin.y) / h, mean = 0.5 * (a->ang.z + b->ang.z);
        assert_true(fabs(slope - mean) < 1e-3 * mbd_beam_root(spec.support, i + 1) + 1e-4);
      }
      assert_close(&body->stiffness[i * (MODES + 1)], &stiffness, 1, 2e-3, "mode %d", i + 1);
      const mbd_motion_t *begin = &fine[i], *end = &fine[FINE * MODES + i];
      if (s != MBD_BEAM_FREE) assert_true(fabs(begin->lin.y) < 1e-12);
      if (s == MBD_BEAM_CANTILEVER) assert_true(fabs(begin->ang.z) < 1e-10);
      if (s == MBD_BEAM_PINNED) assert_true(fabs(end->lin.y) < 1e-12);
      // free ends do not bend: the last two pieces turn alike
      const mbd_motion_t * before = &fine[(FINE - 1) * MODES + i];
      assert_true(fabs(end->ang.z - before->ang.z) < 1e-3 * stiffness / 3);
    }
    mbd_modal_body_destroy(body);
  }
}

//---------- a beam on something ----------

typedef struct rig {
  mbd_model_t * model;
  mbd_model_t * flexible;
  mbd_data_t * data;
  int beam, tip;
} rig_t;

// "beam" on the world by a joint, with a tip of some mass at its end
static rig_t
beam_on(mbd_joint_type_t type, const mbd_beam_spec_t * spec, double tip_mass)
{
  rig_t rig;
  assert_ok(mbd_model_create("beam", &rig.model));
  assert_ok(mbd_model_set_gravity(rig.model, mbdu_vec3(0, -9.81, 0)));
  mbd_body_spec_t body = mbd_body_spec_default();
  body.name = body.joint_name = "beam", body.type = type, body.axis = ALONG_Z;
  assert_ok(mbd_model_add_body(rig.model, &body, &rig.beam));
  body = mbd_body_spec_default();
  body.name = body.joint_name = "tip", body.parent = rig.beam;
  body.placement.p = mbdu_vec3(spec->length, 0, 0);
  body.inertia.mass = tip_mass;
  assert_ok(mbd_model_add_body(rig.model, &body, &rig.tip));
  assert_ok(mbd_model_finalize(rig.model));
  mbd_modal_body_t * modes;
  assert_ok(mbd_beam_create(spec, &modes));
  const mbd_flexible_link_t link = {rig.beam, modes, 0, NULL};
  assert_ok(mbd_model_with_flexible_links(rig.model, 1, &link, &rig.flexible, NULL));
  mbd_modal_body_destroy(modes);
  assert_ok(mbd_data_create(rig.flexible, &rig.data));
  return rig;
}

static void
rig_free(rig_t * rig)
{
  mbd_data_destroy(rig->data);
  mbd_model_destroy(rig->flexible);
  mbd_model_destroy(rig->model);
}

enum { MOST = 64 };

static void
frequencies_at_rest(const rig_t * rig, bool locked, double * omega)
{
  double q[MOST];
  assert_ok(mbd_neutral(rig->flexible, q));
  assert_ok(flexible_state(rig->flexible, rig->data, q, NULL));
  assert_ok(mbd_flexible_frequencies(rig->flexible, rig->data, locked, omega));
}

// 1.8751, 4.6941, 7.8548 within 0.1 %                                         (Must show)
static void
cantilever_has_its_frequencies(void ** context)
{
  (void)context;
  static const double root[3] = {1.8751, 4.6941, 7.8548};
  mbd_beam_spec_t spec = mbd_beam_spec_default();
  spec.length = 1.7, spec.mass_per_length = 0.8, spec.bending_y = 25, spec.bending_z = 60;
  spec.modes_y = 3, spec.modes_z = 2;
  rig_t rig = beam_on(MBD_JOINT_FIXED, &spec, 0);
  double omega[MOST], y[3], expected[5];
  frequencies_at_rest(&rig, true, omega);
  const double L4 = pow(1.7, 4), c_y = sqrt(25 / (0.8 * L4)), c_z = sqrt(60 / (0.8 * L4));
  // ascending: y1 z1 y2 z2 y3
  for (int k = 0; k < 3; k++) expected[2 * k] = root[k] * root[k] * c_y;
  for (int k = 0; k < 2; k++) expected[2 * k + 1] = root[k] * root[k] * c_z;
  for (int k = 0; k < 5; k++) {
    const double error = fabs(omega[k] / expected[k] - 1);
    assert_true(error < 1e-3);
  }
  for (int k = 0; k < 3; k++) y[k] = omega[2 * k];
  print_message(
    "cantilever: beta L = %.6f %.6f %.6f\n", sqrt(y[0] / c_y), sqrt(y[1] / c_y), sqrt(y[2] / c_y));
  rig_free(&rig);
}

// the same motions from modes of another support, by Ritz: what the library has to put together
static void
other_supports_come_out_of_the_dynamics(void ** context)
{
  (void)context;
  mbd_beam_spec_t spec = mbd_beam_spec_default();
  spec.bending_y = 1;
  double omega[MOST];
  // a hinge lets a cantilever turn: pinned-free, tan = tanh, beside the rigid rotation
  static const double pinned_free[3] = {3.926602312, 7.068582746, 10.210176123};
  spec.modes_y = 12;
  rig_t rig = beam_on(MBD_JOINT_REVOLUTE, &spec, 0);
  frequencies_at_rest(&rig, false, omega);
  assert_true(omega[0] < 1e-6);
  for (int k = 0; k < 3; k++) {
    const double error = sqrt(omega[k + 1]) / pinned_free[k] - 1;
    assert_true(error > -1e-9 && error < 1e-3);
  }
  rig_free(&rig);
  // free: a beam in space, from cantilever modes
  rig = beam_on(MBD_JOINT_PLANAR, &spec, 0);
  frequencies_at_rest(&rig, false, omega);
  for (int k = 0; k < 3; k++) {
    const double error = sqrt(omega[k + 3]) / mbd_beam_root(MBD_BEAM_FREE, k + 1) - 1;
    assert_true(omega[k] < 1e-5 && error > -1e-9 && error < 1e-3);
  }
  rig_free(&rig);
  // free modes in space are what they are, though the link frame is on their end
  spec.support = MBD_BEAM_FREE, spec.modes_y = 3;
  rig = beam_on(MBD_JOINT_PLANAR, &spec, 0);
  frequencies_at_rest(&rig, false, omega);
  for (int k = 0; k < 3; k++) {
    const double expected = pow(mbd_beam_root(MBD_BEAM_FREE, k + 1), 2);
    assert_close(&omega[k + 3], &expected, 1, 1e-9, "free mode %d", k + 1);
  }
  rig_free(&rig);
  // pinned or free modes that a fixed joint clamps: slow, but from above
  for (int s = MBD_BEAM_PINNED; s <= MBD_BEAM_FREE; s++) {
    spec.support = (mbd_beam_support_t)s, spec.modes_y = 20;
    rig = beam_on(MBD_JOINT_FIXED, &spec, 0);
    frequencies_at_rest(&rig, true, omega);
    const double error = sqrt(omega[0]) / 1.8751040687 - 1;
    assert_true(error > -1e-9 && error < 0.02);
    rig_free(&rig);
  }
}

// a mass at the end: 1 + cos cosh + mu x (cos sinh - sin cosh) = 0
static double
root_with_tip_mass(double mu, double low, double high)
{
  for (int k = 0; k < 200; k++) {
    const double x = 0.5 * (low + high);
    const double f = 1 + cos(x) * cosh(x) + mu * x * (cos(x) * sinh(x) - sin(x) * cosh(x));
    // positive at 0
    if (f > 0) {
      low = x;
    } else {
      high = x;
    }
  }
  return low;
}

static void
a_tip_mass_slows_the_beam_down(void ** context)
{
  (void)context;
  mbd_beam_spec_t spec = mbd_beam_spec_default();
  spec.bending_y = 1, spec.modes_y = 12;
  for (double mu = 0.1; mu < 20; mu *= 3) {
    rig_t rig = beam_on(MBD_JOINT_FIXED, &spec, mu);
    double omega[MOST];
    frequencies_at_rest(&rig, true, omega);
    const double expected = root_with_tip_mass(mu, 0.01, 1.8751),
                 error = sqrt(omega[0]) / expected - 1;
    assert_true(error > -1e-9 && error < 1e-3);
    rig_free(&rig);
  }
}

// how far the tip goes under modal forces, at first order
static double
tip_deflection(const rig_t * rig, const double * force)
{
  const int nv = rig->flexible->nv;
  double q[MOST], sum = 0;
  assert_ok(mbd_neutral(rig->flexible, q));
  for (int k = 0; k < nv; k++) {
    double v[MOST] = {0};
    mbd_motion_t V;
    v[k] = 1;
    assert_ok(flexible_state(rig->flexible, rig->data, q, v));
    assert_ok(flexible_frame(rig->flexible, rig->data, rig->tip, NULL, &V));
    sum += V.lin.y * force[k] / rig->flexible->flexible->part[0].body->stiffness[k * (nv + 1)];
  }
  return sum;
}

// q L^4 / (8 EI) by its own weight, F L^3 / (3 EI) by a force at its end
static void
a_beam_sags_as_it_should(void ** context)
{
  (void)context;
  mbd_beam_spec_t spec = mbd_beam_spec_default();
  spec.length = 1.5, spec.mass_per_length = 0.7, spec.bending_y = 40, spec.modes_y = 12;
  rig_t rig = beam_on(MBD_JOINT_FIXED, &spec, 0);
  double q[MOST], held[MOST], pushed[MOST], force[MOST];
  const mbd_wrench_t push = {rig.tip, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 3, 0}}};
  const mbd_wrenches_t f_ext = {1, &push};
  assert_ok(mbd_neutral(rig.flexible, q));
  assert_ok(flexible_state(rig.flexible, rig.data, q, NULL));
  assert_ok(mbd_inverse_dynamics(rig.flexible, rig.data, NULL, NULL, NULL, NULL, held));
  assert_ok(mbd_inverse_dynamics(rig.flexible, rig.data, NULL, NULL, NULL, &f_ext, pushed));
  for (int k = 0; k < 12; k++) force[k] = -held[k];
  const double sag = tip_deflection(&rig, force), weight = -9.81 * 0.7 * pow(1.5, 4) / (8 * 40);
  assert_close(&sag, &weight, 1, 1e-4, "under its weight");
  for (int k = 0; k < 12; k++) force[k] = held[k] - pushed[k];
  const double deflection = tip_deflection(&rig, force), expected = 3 * pow(1.5, 3) / (3 * 40);
  assert_close(&deflection, &expected, 1, 1e-4, "under a force");
  rig_free(&rig);
}

//---------- a spinning beam ----------

static const double HUB = 0.5, STIFFNESS = 2, SPIN = 6, PUSH = 0.15, PUSH_TIME = 0.4, END = 2;

// springs between the links, and the push on the hub
static void
chain_torques(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  (void)v;
  tau[0] = t < PUSH_TIME ? PUSH : 0;
  for (int k = 1; k < sim->model->nv; k++) tau[k] = -STIFFNESS * (sim->model->nv - 1) * q[k];
}

// rods of 1 kg/m: half a link on the hub, links that are sprung against each other, half a link
static mbd_model_t *
make_chain(int links, int * tip)
{
  mbd_model_t * model;
  const double h = 1.0 / links;
  int parent;
  assert_ok(mbd_model_create("chain", &model));
  assert_ok(mbd_model_set_gravity(model, mbdu_vec3(0, 0, 0)));
  const mbd_inertia_t half = mbdu_inertia_from_com(
    h / 2, mbdu_vec3(h / 4, 0, 0), (mbd_sym3_t){0, 0, 0, h * h * h / 96, 0, h * h * h / 96});
  const mbd_inertia_t whole = mbdu_inertia_from_com(
    h, mbdu_vec3(h / 2, 0, 0), (mbd_sym3_t){0, 0, 0, h * h * h / 12, 0, h * h * h / 12});
  mbd_inertia_t hub = half;
  hub.I.zz += HUB;
  mbd_body_spec_t spec = hinge_by_hand("hub", MBD_WORLD_BODY, hub);
  assert_ok(mbd_model_add_body(model, &spec, &parent));
  for (int k = 0; k < links; k++) {
    char name[16];
    snprintf(name, sizeof name, "l%d", k);
    spec = hinge_by_hand(name, parent, k == links - 1 ? half : whole);
    spec.placement.p.x = k == 0 ? h / 2 : h;
    assert_ok(mbd_model_add_body(model, &spec, &parent));
  }
  mbd_placement_t X = mbdu_placement_identity();
  X.p.x = h / 2;
  assert_ok(mbd_model_add_frame(model, "tip", parent, &X, tip));
  assert_ok(mbd_model_finalize(model));
  return model;
}

// hub with a beam fixed to it
static rig_t
make_hub(bool shortening)
{
  rig_t rig;
  int hub;
  assert_ok(mbd_model_create("hub", &rig.model));
  assert_ok(mbd_model_set_gravity(rig.model, mbdu_vec3(0, 0, 0)));
  mbd_body_spec_t spec =
    hinge_by_hand("hub", MBD_WORLD_BODY, (mbd_inertia_t){0, {0, 0, 0}, {0, 0, 0, 0, 0, HUB}});
  assert_ok(mbd_model_add_body(rig.model, &spec, &hub));
  spec = mbd_body_spec_default();
  spec.name = spec.joint_name = "beam", spec.parent = hub;
  assert_ok(mbd_model_add_body(rig.model, &spec, &rig.beam));
  mbd_placement_t X = mbdu_placement_identity();
  X.p.x = 1;
  assert_ok(mbd_model_add_frame(rig.model, "tip", rig.beam, &X, &rig.tip));
  assert_ok(mbd_model_finalize(rig.model));
  mbd_beam_spec_t beam = mbd_beam_spec_default();
  beam.bending_y = STIFFNESS, beam.modes_y = 5, beam.no_shortening = !shortening;
  mbd_modal_body_t * modes;
  assert_ok(mbd_beam_create(&beam, &modes));
  const mbd_flexible_link_t link = {rig.beam, modes, 0, NULL};
  assert_ok(mbd_model_with_flexible_links(rig.model, 1, &link, &rig.flexible, NULL));
  mbd_modal_body_destroy(modes);
  assert_ok(mbd_data_create(rig.flexible, &rig.data));
  return rig;
}

enum { SAMPLES = 30 };

// how far the tip is beside the hub's x axis, and the hub's angle, at the samples
static void
chain_motion(int links, double * tip, double * angle)
{
  int frame;
  mbd_model_t * model = make_chain(links, &frame);
  mbd_data_t * data;
  double q[SIM_MAX] = {0}, v[SIM_MAX] = {SPIN};
  assert_ok(mbd_data_create(model, &data));
  sim_t sim = sim_begin(model, data, q, v);
  sim.motors = chain_torques;
  // links shake against their springs at 7 links^2 sqrt(EI)
  const int steps = links * links / 3;
  for (int s = 0; s < SAMPLES; s++) {
    for (int k = 0; k < steps; k++) sim_step(&sim, END / SAMPLES / steps);
    mbd_placement_t X;
    assert_ok(mbd_set_position(model, data, sim.q));
    assert_ok(mbd_frame_placement(model, data, frame, &X));
    angle[s] = sim.q[0];
    tip[s] = cos(sim.q[0]) * X.p.y - sin(sim.q[0]) * X.p.x;
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

static void
beam_motion(bool shortening, double * tip, double * angle)
{
  rig_t rig = make_hub(shortening);
  double q[MOST] = {0}, v[MOST] = {SPIN}, tau[MOST] = {0};
  const int steps = 200;
  for (int s = 0; s < SAMPLES; s++) {
    for (int k = 0; k < steps; k++) {
      const double h = END / SAMPLES / steps;
      tau[0] = (s * steps + k + 0.5) * h < PUSH_TIME ? PUSH : 0;
      assert_ok(flexible_step(rig.flexible, rig.data, q, v, tau, NULL, h));
    }
    mbd_placement_t X;
    assert_ok(flexible_state(rig.flexible, rig.data, q, v));
    assert_ok(flexible_frame(rig.flexible, rig.data, rig.tip, &X, NULL));
    angle[s] = q[0];
    tip[s] = cos(q[0]) * X.p.y - sin(q[0]) * X.p.x;
  }
  rig_free(&rig);
}

static double
largest_difference(const double * a, const double * b)
{
  double most = 0;
  for (int s = 0; s < SAMPLES; s++) most = larger(most, fabs(a[s] - b[s]));
  return most;
}

// at six radians per second, above its first natural frequency at rest (4.97), the beam is held
// straight by its own rotation. A chain of n links is off by 1 / n^2, which two of them show and
// take away                                                                         (Must show)
static void
a_spinning_beam_moves_as_a_chain(void ** context)
{
  (void)context;
  double coarse[SAMPLES], fine[SAMPLES], coarse_angle[SAMPLES], fine_angle[SAMPLES];
  double chain[SAMPLES], chain_angle[SAMPLES], tip[SAMPLES], angle[SAMPLES], zero[SAMPLES] = {0};
  chain_motion(20, coarse, coarse_angle);
  chain_motion(40, fine, fine_angle);
  for (int s = 0; s < SAMPLES; s++) {
    chain[s] = (4 * fine[s] - coarse[s]) / 3;
    chain_angle[s] = (4 * fine_angle[s] - coarse_angle[s]) / 3;
  }
  beam_motion(true, tip, angle);
  const double size = largest_difference(chain, zero);
  const double plain = largest_difference(tip, fine) / size;
  const double error = largest_difference(tip, chain) / size;
  const double turned = largest_difference(angle, chain_angle);
  beam_motion(false, tip, angle);
  const double without = largest_difference(tip, chain) / size;
  print_message(
    "spinning beam: tip to %.4f m; off 40 links by %.2f %%, the limit of links by %.2f %%, angle "
    "by %.1e rad; without shortening by %.0f %%\n",
    size, 100 * plain, 100 * error, turned, 100 * without);
  assert_true(size > 0.01);
  assert_true(plain < 0.01 && error < 0.003);
  assert_true(turned < 1e-4);
  // and the test would see it if the beam did not stiffen
  assert_true(without > 0.3);
}

//---------- energy ----------

static double
energy_of(const rig_t * rig, const double * q, const double * v)
{
  double kinetic = 0, potential = 0, strain = 0;
  assert_ok(flexible_state(rig->flexible, rig->data, q, v));
  assert_ok(flexible_energy(rig->flexible, rig->data, &kinetic, &potential, &strain));
  return kinetic + potential + strain;
}

// largest change of energy over ten seconds, relative to the largest kinetic energy
static double
energy_drift(const rig_t * rig, double * q, double * v, double h)
{
  const double E = energy_of(rig, q, v);
  double most = 0, size = 0;
  for (int s = 0; s < 100; s++) {
    for (int k = 0; k < (int)(0.1 / h + 0.5); k++) {
      assert_ok(flexible_step(rig->flexible, rig->data, q, v, NULL, NULL, h));
    }
    most = larger(most, fabs(energy_of(rig, q, v) - E));
    double kinetic = 0;
    assert_ok(flexible_energy(rig->flexible, rig->data, &kinetic, NULL, NULL));
    size = fmax(size, kinetic);
  }
  return most / size;
}

// a beam that bends both ways, on an arm, with a rigid pendulum on its tip, under gravity
static rig_t
double_pendulum(mbd_beam_support_t support)
{
  rig_t rig;
  int arm;
  assert_ok(mbd_model_create("pendulum", &rig.model));
  assert_ok(mbd_model_set_gravity(rig.model, mbdu_vec3(0, -9.81, 0)));
  const mbd_inertia_t rod =
    mbdu_inertia_from_com(0.5, mbdu_vec3(0.2, 0, 0), (mbd_sym3_t){0.001, 0, 0, 0.01, 0, 0.01});
  mbd_body_spec_t spec = hinge_by_hand("arm", MBD_WORLD_BODY, rod);
  assert_ok(mbd_model_add_body(rig.model, &spec, &arm));
  spec = hinge_by_hand("beam", arm, (mbd_inertia_t){0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}});
  spec.axis = mbdu_vec3(0, 1, 1), spec.placement.p.x = 0.4;
  assert_ok(mbd_model_add_body(rig.model, &spec, &rig.beam));
  spec = hinge_by_hand("tip", rig.beam, rod);
  spec.axis = mbdu_vec3(0, 1, 0), spec.placement.p.x = 1;
  assert_ok(mbd_model_add_body(rig.model, &spec, &rig.tip));
  assert_ok(mbd_model_finalize(rig.model));
  mbd_beam_spec_t beam = mbd_beam_spec_default();
  beam.bending_y = 8, beam.bending_z = 12, beam.polar = 0.001;
  beam.modes_y = 2, beam.modes_z = 1, beam.support = support;
  mbd_modal_body_t * modes;
  assert_ok(mbd_beam_create(&beam, &modes));
  const mbd_flexible_link_t link = {rig.beam, modes, 0, NULL};
  assert_ok(mbd_model_with_flexible_links(rig.model, 1, &link, &rig.flexible, NULL));
  mbd_modal_body_destroy(modes);
  assert_ok(mbd_data_create(rig.flexible, &rig.data));
  return rig;
}

// 1e-8 over ten seconds                                                         (Must show)
static void
energy_is_conserved(void ** context)
{
  (void)context;
  for (int s = 0; s < 3; s++) {
    rig_t rig = double_pendulum((mbd_beam_support_t)s);
    double q[MOST] = {0.3, -0.4, 0.5, 0.05, 0.01, -0.03}, v[MOST] = {0.5, 0.2, -1};
    const double drift = energy_drift(&rig, q, v, 2e-4);
    print_message("energy drift over 10 s, support %d: %.1e\n", s, drift);
    assert_true(drift < 1e-8);
    rig_free(&rig);
  }
}

// in space, tumbling: momentum as well
static void
momentum_and_energy_are_conserved_in_space(void ** context)
{
  (void)context;
  mbd_beam_spec_t spec = mbd_beam_spec_default();
  spec.bending_y = 2.5, spec.bending_z = 4, spec.polar = 0.01, spec.modes_y = 2, spec.modes_z = 1;
  rig_t rig = beam_on(MBD_JOINT_FREE, &spec, 0.3);
  assert_ok(mbd_set_gravity(rig.data, mbdu_vec3(0, 0, 0)));
  double q[MOST], v[MOST] = {0.1, -0.2, 0.3, 0.4, 0.5, -0.6, 0.3, 0.1, -0.2}, p[2][6];
  assert_ok(mbd_neutral(rig.flexible, q));
  for (int k = 0; k < 2; k++) {
    // M v of the free joint: linear, angular, in its own axes; to the world
    double M[MOST * MOST], own[6];
    const int nv = rig.flexible->nv;
    assert_ok(mbd_set_state(rig.flexible, rig.data, q, NULL));
    assert_ok(mbd_mass_matrix(rig.flexible, rig.data, M));
    for (int i = 0; i < 6; i++) {
      own[i] = 0;
      for (int j = 0; j < nv; j++) own[i] += M[i * nv + j] * v[j];
    }
    mbd_placement_t X;
    assert_ok(flexible_frame(rig.flexible, rig.data, rig.beam, &X, NULL));
    const mbd_force_t f = {{own[3], own[4], own[5]}, {own[0], own[1], own[2]}};
    memcpy(p[k], force6(mbdu_force_to_parent(&X, f)).a, sizeof p[k]);
    if (k == 0) {
      const double drift = energy_drift(&rig, q, v, 2e-4);
      print_message("energy drift over 10 s in space: %.1e\n", drift);
      assert_true(drift < 1e-8);
    }
  }
  assert_close(p[0], p[1], 6, 1e-8, "momentum");
  mats_free();
  rig_free(&rig);
}

//---------- refusals ----------

static void
bad_beams_are_refused(void ** context)
{
  (void)context;
  mbd_modal_body_t * body;
  mbd_beam_spec_t good = mbd_beam_spec_default();
  good.bending_y = 1, good.modes_y = 1;
  const double off = 1.5;
  mbd_beam_spec_t bad[9];
  for (int k = 0; k < 9; k++) bad[k] = good;
  bad[0].length = 0;
  bad[1].mass_per_length = -1;
  bad[2].bending_y = 0;
  bad[3].modes_y = 0;
  bad[4].support = (mbd_beam_support_t)3;
  bad[5].station = &off, bad[5].nstation = 1;
  bad[6].damping_ratio = -0.1;
  bad[7].X.p.x = 0.1;
  bad[8].modes_y = 1000;
  for (int k = 0; k < 9; k++) {
    assert_int_equal(mbd_beam_create(&bad[k], &body), MBD_ERROR_BAD_ARGUMENT);
  }
  good.bending_y = (double)NAN;
  assert_int_equal(mbd_beam_create(&good, &body), MBD_ERROR_NOT_FINITE);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(roots_are_the_known_ones),
    cmocka_unit_test(shapes_are_those_of_a_beam),
    cmocka_unit_test(cantilever_has_its_frequencies),
    cmocka_unit_test(other_supports_come_out_of_the_dynamics),
    cmocka_unit_test(a_tip_mass_slows_the_beam_down),
    cmocka_unit_test(a_beam_sags_as_it_should),
    cmocka_unit_test(a_spinning_beam_moves_as_a_chain),
    cmocka_unit_test(energy_is_conserved),
    cmocka_unit_test(momentum_and_energy_are_conserved_in_space),
    cmocka_unit_test(bad_beams_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
