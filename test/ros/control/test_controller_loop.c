// The controller drives simulated robots: what the closed loop does is known on paper.
#include "control_rig.h"
#include "dense_oracle.h"
#include "mbdyn/operators/factors.h"

static const char * const ALL[7] = {"joint1", "joint2", "joint3", "joint4",
                                    "joint5", "joint6", "joint7"};

//---------- gravity compensation ----------

// the arm stays where it is put, with a load, on a tilted base, with rotors
static void
gravity_compensation_holds(void ** state)
{
  (void)state;
  for (int i = 0; i < 4; i++) {
    rig_t rig;
    rig_arm(&rig);
    rig.s->mode = MODE_GRAVITY_COMPENSATION;
    rig.s->model_terms = i & 1 ? MBD_TERM_ROTORS : 0;
    if (i & 2) {
      uint64_t seed = 4;
      rig.s->gravity = (mbd_vec3_t){3, -5, -7};
      rig.s->npayload = 1;
      rig.s->payload[0] = (controller_payload_t){rig_frame(&rig, "tool"), random_inertia(&seed)};
      assert_ok(mbd_payload_attach(
        rig.model, rig.plant, rig.s->payload[0].frame, &rig.s->payload[0].inertia));
    }
    controller_apply(rig.c, rig.s);
    sim_t sim = rig_simulation(&rig);
    for (int n = 0; n < 1000; n++) sim_step(&sim, 0.001);
    for (int k = 0; k < 7; k++) {
      assert_true(fabs(sim.q[k] - RIG_POSE[k]) < 1e-6);
      assert_true(fabs(sim.v[k]) < 1e-6);
    }
    rig_free(&rig);
  }
}

// pushed, it loses the energy that its damping takes, and no other
static void
damping_takes_the_energy(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  rig.s->mode = MODE_GRAVITY_COMPENSATION;
  for (int k = 0; k < 7; k++) rig.s->damping[k] = 0.02 * (1 << (6 - k)), rig.v[k] = 0.5 - k % 2;
  controller_apply(rig.c, rig.s);
  sim_t sim = rig_simulation(&rig);
  double first, energy, taken = 0;
  assert_ok(mbd_set_position(rig.model, rig.plant, sim.q));
  assert_ok(mbd_set_velocity(rig.model, rig.plant, sim.v));
  assert_ok(mbd_kinetic_energy(rig.model, rig.plant, &first));
  for (int n = 0; n < 1000; n++) {
    // Simpson's rule over each pair of steps
    const double weight = (n % 2 ? 4 : n == 0 ? 1 : 2) / 3.0;
    for (int k = 0; k < 7; k++) {
      taken += weight * 0.001 * rig.s->damping[k] * sim.v[k] * sim.v[k];
    }
    sim_step(&sim, 0.001);
  }
  for (int k = 0; k < 7; k++) taken += 0.001 / 3 * rig.s->damping[k] * sim.v[k] * sim.v[k];
  assert_ok(mbd_set_position(rig.model, rig.plant, sim.q));
  assert_ok(mbd_set_velocity(rig.model, rig.plant, sim.v));
  assert_ok(mbd_kinetic_energy(rig.model, rig.plant, &energy));
  assert_true(taken > 0.3 * first);
  assert_true(fabs(first - energy - taken) < 1e-7);
  rig_free(&rig);
}

// with one rate for all quasi-velocities the energy falls as exp(-2 c t), whatever the motion
static void
quasi_velocity_damping_is_exponential(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  rig.s->mode = MODE_QUASI_VELOCITY_DAMPING;
  rig.s->model_terms = MBD_TERM_ROTORS;
  for (int k = 0; k < 7; k++) rig.s->damping_rate[k] = 1.5, rig.v[k] = 1 - k % 3;
  controller_apply(rig.c, rig.s);
  sim_t sim = rig_simulation(&rig);
  mat_t p = mat(7, 1);
  double first = 0;
  for (int n = 0; n <= 1000; n++) {
    if (n % 250 == 0) {
      double energy = 0;
      assert_ok(mbd_set_position(rig.model, rig.plant, sim.q));
      assert_ok(mbd_mass_product(rig.model, rig.plant, sim.v, p.a));
      for (int k = 0; k < 7; k++) energy += 0.5 * p.a[k] * sim.v[k];
      if (n == 0) first = energy;
      assert_true(fabs(energy / first - exp(-3 * sim.t)) < 1e-6);
    }
    sim_step(&sim, 0.001);
  }
  mats_free();
  rig_free(&rig);
}

//---------- computed torque ----------

// every joint's error is an oscillator of its own, e'' + Kd e' + Kp e = 0, be it slow, critical or
// fast, along a trajectory, with rotors in the robot
static void
errors_are_oscillators(void ** state)
{
  (void)state;
  rig_t rig;
  double from[7], to[7], e0[7], de0[7];
  rig_arm(&rig);
  rig.s->mode = MODE_COMPUTED_TORQUE;
  rig.s->model_terms = MBD_TERM_ROTORS;
  for (int k = 0; k < 7; k++) {
    from[k] = RIG_POSE[k], to[k] = from[k] + 0.3;
    rig.s->kp[k] = 100, rig.s->kd[k] = 5 * (k + 1);
    rig.q[k] -= e0[k] = 0.05 * (k - 3);
    rig.v[k] -= de0[k] = 0.1 * (k - 2);
  }
  trajectory_t * t = rig_trajectory(&rig, 7, ALL, from, to, 0, 1);
  controller_apply(rig.c, rig.s);
  controller_follow(rig.c, t);
  sim_t sim = rig_simulation(&rig);
  for (int n = 1; n <= 1500; n++) {
    sim_step(&sim, 0.001);
    if (n % 100) continue;
    for (int k = 0; k < 7; k++) {
      const double e = from[k] + rig_way(sim.t) * (to[k] - from[k]) - sim.q[k];
      const double want = rig_oscillator(rig.s->kp[k], rig.s->kd[k], e0[k], de0[k], sim.t);
      assert_true(fabs(e - want) < 1e-9);
    }
  }
  rig_drop(t);
  rig_free(&rig);
}

// On the reference the command has the friction of its velocity, whatever the measured one is. Off it dry friction pulls
// towards it, as stiff as c Kp / Kd / v0 allows at the sample time, by half as much again as the file says at most.
static void
friction_is_that_of_the_reference(void ** state)
{
  (void)state;
  double from[7], to[7], command[7], f[7];
  for (int n = 0; n < 40; n++) {
    rig_t rig;
    rig_arm(&rig);
    rig.s->mode = n % 2 ? MODE_COMPUTED_TORQUE : MODE_JOINT_IMPEDANCE;
    rig.s->model_terms = MBD_TERM_FRICTION;
    for (int k = 0; k < 7; k++) {
      from[k] = RIG_POSE[k], to[k] = from[k] + 0.3 - 0.1 * k;
      rig.s->kp[k] = 100, rig.s->kd[k] = 20;
    }
    trajectory_t * t = rig_trajectory(&rig, 7, ALL, from, to, 0, 1);
    rig.c->sample_time = 1e-3;
    controller_apply(rig.c, rig.s);
    controller_follow(rig.c, t);
    rig_step(&rig, 0, 0, NULL);
    const double time = 0.02 * n, far = n < 20 ? 0 : n % 4 < 2 ? 0.5 : -0.5;
    for (int k = 0; k < 7; k++) {
      rig.q[k] = from[k] + rig_way(time) * (to[k] - from[k]) - far;
      rig.v[k] = 0.2 * k - 0.5;
    }
    rig_step(&rig, time, 1e-3, NULL);
    memcpy(command, rig.c->command, sizeof command);
    rig.s->command_terms = ALL_TERMS & ~TERM_FRICTION;
    rig_step(&rig, time, 1e-3, NULL);
    assert_ok(mbd_friction(rig.model, rig.c->v_ref, f));
    for (int k = 0; k < 7; k++) {
      const mbd_drive_t * drive = &rig.model->body[rig.model->dof_body[k]].drive;
      const double got = command[k] - rig.c->command[k];
      const double most =
        drive->viscous * rig.c->v_ref[k] + (far > 0 ? 1.5 : -1.5) * drive->coulomb;
      const double want = far == 0 || n % 2 == 0 ? f[k] : most;
      if (!(fabs(got - want) < (far == 0 ? 1e-9 : 2e-3 * drive->coulomb + 1e-9))) {
        fail_msg("%d, joint %d: %.9g, %.9g", n, k, got, want);
      }
    }
    rig_drop(t);
    rig_free(&rig);
  }
}

// robots of every joint type come back to where they hold; at first they move away
static void
every_joint_type_comes_back(void ** state)
{
  (void)state;
  int n = 0;
  for (uint64_t seed = 1; n < 12; seed++) {
    tree_t * tree = random_tree(seed, NULL);
    if (dense_holonomic(tree->model)) {
      rig_t rig;
      double e[RIG_MAX], size = 0;
      rig_on(&rig, tree->model);
      rig.s->mode = MODE_COMPUTED_TORQUE;
      rig.s->gravity = tree->model->gravity;
      for (int k = 0; k < tree->model->nv; k++) rig.s->kp[k] = 64, rig.s->kd[k] = 16;
      controller_apply(rig.c, rig.s);
      rig_state(&rig, tree->q, tree->v);
      sim_t sim = rig_simulation(&rig);
      for (int i = 0; i < 750; i++) {
        sim_step(&sim, 0.004);
        assert_ok(mbd_difference(tree->model, tree->q, sim.q, e));
        for (int k = 0; k < tree->model->nv; k++) size = fmax(size, fabs(e[k]));
      }
      assert_true(size > 1e-3);
      for (int k = 0; k < tree->model->nv; k++) {
        assert_true(fabs(e[k]) < 1e-6 && fabs(sim.v[k]) < 1e-6);
      }
      rig_free(&rig);
      n++;
    }
    mats_free();
    tree_free(tree);
  }
}

//---------- integral ----------

// the loop as it runs: a command held for each millisecond
static void
run_held(rig_t * rig, sim_t * sim, int steps)
{
  for (int n = 0; n < steps; n++) {
    rig_state(rig, sim->q, sim->v);
    rig_step(rig, sim->t, 0.001, NULL);
    double total[RIG_MAX];
    const double * push = sim->hidden;
    for (int k = 0; k < rig->c->model->nv; k++) {
      total[k] = rig->c->command[k] + (push ? push[k] : 0);
    }
    sim_t step = *sim;
    step.motors = NULL, step.hidden = total;
    sim_step(&step, 0.001);
    step.motors = sim->motors, step.hidden = sim->hidden;
    *sim = step;
  }
}

// under a torque that nobody knows of: the integral takes it over and the error goes; where it may
// not grow that far, what is left is held by the error; afterwards it lets go
static void
integral_takes_the_rest(void ** state)
{
  (void)state;
  const double push[7] = {3, -4, 2, 1, 0.5, -0.4, 0.2};
  for (int limited = 0; limited < 2; limited++) {
    rig_t rig;
    double needed[7];
    rig_arm(&rig);
    rig.s->mode = MODE_COMPUTED_TORQUE;
    rig.s->integral_limit = limited ? 1 : 1e3;
    for (int k = 0; k < 7; k++) rig.s->kp[k] = 400, rig.s->kd[k] = 40, rig.s->ki[k] = 1200;
    controller_apply(rig.c, rig.s);
    sim_t sim = rig_simulation(&rig);
    sim.hidden = push;
    run_held(&rig, &sim, 6000);
    // at rest M (Ki int e + Kp e) + push = 0
    assert_ok(mbd_mass_solve(rig.model, rig.c->data, push, needed));
    for (int k = 0; k < 7; k++) {
      const double cut = limited ? fmax(fabs(needed[k]) - 1, 0) : 0;
      const double want = -copysign(cut, needed[k]) / 400;
      assert_true(fabs(RIG_POSE[k] - sim.q[k] - want) < 1e-6);
    }
    assert_true(!limited || fabs(needed[0]) > 1);
    sim.hidden = NULL;
    run_held(&rig, &sim, 6000);
    for (int k = 0; k < 7; k++) assert_true(fabs(RIG_POSE[k] - sim.q[k]) < 1e-6);
    rig_free(&rig);
  }
}

// a restart forgets the integral
static void
restart_forgets_the_integral(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  rig.s->mode = MODE_COMPUTED_TORQUE;
  rig.s->integral_limit = 10;
  for (int k = 0; k < 7; k++) rig.s->ki[k] = 100;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  for (int k = 0; k < 7; k++) rig.q[k] += 0.01;
  for (int n = 0; n < 10; n++) rig_step(&rig, 0, 0.01, NULL);
  for (int k = 0; k < 7; k++) assert_true(fabs(rig.c->acceleration[k] + 0.1) < 1e-12);
  // a step without time adds nothing
  rig_step(&rig, 0, 0, NULL);
  rig_step(&rig, 0, -1, NULL);
  assert_true(fabs(rig.c->acceleration[0] + 0.1) < 1e-12);
  controller_restart(rig.c);
  rig_step(&rig, 0, 0.01, NULL);
  for (int k = 0; k < 7; k++) assert_true(rig.c->acceleration[k] == 0);
  rig_free(&rig);
}

//---------- inverse dynamics ----------

// from the reference's state its torques alone take the robot along the trajectory
static void
feed_forward_follows(void ** state)
{
  (void)state;
  rig_t rig;
  double to[7];
  rig_arm(&rig);
  rig.s->mode = MODE_INVERSE_DYNAMICS;
  rig.s->model_terms = MBD_TERM_ROTORS;
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.1 * (k - 3);
  trajectory_t * t = rig_trajectory(&rig, 7, ALL, RIG_POSE, to, 0, 1);
  controller_apply(rig.c, rig.s);
  controller_follow(rig.c, t);
  sim_t sim = rig_simulation(&rig);
  for (int n = 1; n <= 500; n++) {
    sim_step(&sim, 0.001);
    for (int k = 0; k < 7; k++) {
      const double want = RIG_POSE[k] + rig_way(sim.t) * (to[k] - RIG_POSE[k]);
      assert_true(fabs(sim.q[k] - want) < 1e-8);
    }
  }
  rig_drop(t);
  rig_free(&rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(gravity_compensation_holds),
    cmocka_unit_test(damping_takes_the_energy),
    cmocka_unit_test(quasi_velocity_damping_is_exponential),
    cmocka_unit_test(errors_are_oscillators),
    cmocka_unit_test(friction_is_that_of_the_reference),
    cmocka_unit_test(every_joint_type_comes_back),
    cmocka_unit_test(integral_takes_the_rest),
    cmocka_unit_test(restart_forgets_the_integral),
    cmocka_unit_test(feed_forward_follows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
