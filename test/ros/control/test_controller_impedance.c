// Impedance: what a push meets. Springs by differences of their energy, modes by their own oscillators,
// passivity by the work of random pushes, samples that come late.
#include <stdio.h>

#include "control_rig.h"
#include "mbdyn/dynamics/task.h"

static const double PI = 3.14159265358979323846;

static void
joint_settings(rig_t * rig, double ratio)
{
  controller_settings_t * s = rig->s;
  s->mode = MODE_JOINT_IMPEDANCE;
  s->damping_ratio = ratio;
  s->model_terms = MBD_TERM_ROTORS;
  for (int k = 0; k < 7; k++) s->joint_stiffness[k] = 200 - 25 * k;
}

// stiffnesses that differ in every direction
static void
task_settings(rig_t * rig, double ratio)
{
  static const double k[6] = {600, 900, 400, 20, 45, 30};
  controller_settings_t * s = rig->s;
  s->mode = MODE_CARTESIAN_IMPEDANCE;
  s->damping_ratio = ratio;
  s->model_terms = MBD_TERM_ROTORS;
  s->task_frame = rig_frame(rig, "tool");
  for (int i = 0; i < 6; i++) s->task_row[i] = true, s->task_stiffness[i] = k[i];
}

static mbd_placement_t
tool_at(rig_t * rig, const double * q)
{
  mbd_placement_t X;
  assert_ok(mbd_set_position(rig->c->model, rig->plant, q));
  assert_ok(mbd_frame_placement(rig->c->model, rig->plant, rig->s->task_frame, &X));
  return X;
}

// axis times angle, from the matrix itself
static mbd_vec3_t
turn_of(const mbd_mat3_t * R)
{
  const double * m = R->m;
  const double angle = acos(fmax(-1, fmin(1, (m[0] + m[4] + m[8] - 1) / 2)));
  const mbd_vec3_t axis = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  return mbdu_vec3_scale(angle < 1e-9 ? 0.5 : angle / (2 * sin(angle)), axis);
}

// energy of the task's spring at q, in the world's axes or the target's
static double
task_energy(rig_t * rig, const mbd_placement_t * target, const double * q)
{
  const double * k = rig->s->task_stiffness;
  const mbd_placement_t X = tool_at(rig, q);
  const mbd_mat3_t from = mbdu_mat3_transpose(&X.R), back = mbdu_mat3_transpose(&target->R);
  const mbd_mat3_t R = mbdu_mat3_mul(&target->R, &from);
  mbd_vec3_t r = turn_of(&R), p = mbdu_vec3_sub(target->p, X.p);
  if (rig->s->task_axes == AXES_TARGET) r = mbdu_mat3_vec(&back, r), p = mbdu_mat3_vec(&back, p);
  return 0.5 * (k[0] * p.x * p.x + k[1] * p.y * p.y + k[2] * p.z * p.z) +
         0.5 * (k[3] * r.x * r.x + k[4] * r.y * r.y + k[5] * r.z * r.z);
}

static double
joint_energy(const rig_t * rig, const double * target, const double * q)
{
  double sum = 0;
  for (int k = 0; k < 7; k++) sum += 0.5 * rig->s->joint_stiffness[k] * pow(target[k] - q[k], 2);
  return sum;
}

static double
kinetic_energy(rig_t * rig, const sim_t * sim)
{
  double energy;
  assert_ok(mbd_set_state(rig->c->model, rig->plant, sim->q, sim->v));
  assert_ok(mbd_kinetic_energy(rig->c->model, rig->plant, &energy));
  return energy;
}

//---------- springs ----------

// at rest, anywhere, the springs' torque is less the gradient of their energy
static void
springs_are_gradients(void ** state)
{
  (void)state;
  uint64_t seed = 11;
  int compared = 0;
  for (int n = 0; n < 60; n++) {
    rig_t rig;
    double target[7], plus[7], minus[7];
    rig_arm(&rig);
    task_settings(&rig, 1);
    if (n % 3 == 0) joint_settings(&rig, 1);
    rig.s->task_axes = n % 3 == 1 ? AXES_WORLD : AXES_TARGET;
    rig.s->command_terms = 0;
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0, 0, NULL);
    memcpy(target, rig.q, sizeof target);
    const mbd_placement_t X = n % 3 == 0 ? mbdu_placement_identity() : tool_at(&rig, target);
    for (int k = 0; k < 7; k++) rig.q[k] += 0.7 * random_signed(&seed);
    rig_step(&rig, 0.001, 0.001, NULL);
    for (int k = 0; k < 7; k++) {
      const double h = 1e-5;
      memcpy(plus, rig.q, sizeof plus);
      memcpy(minus, rig.q, sizeof minus);
      plus[k] += h, minus[k] -= h;
      const double gradient =
        n % 3 == 0
          ? (joint_energy(&rig, target, plus) - joint_energy(&rig, target, minus)) / (2 * h)
          : (task_energy(&rig, &X, plus) - task_energy(&rig, &X, minus)) / (2 * h);
      if (!(fabs(rig.c->command[k] + gradient) < 1e-6 * (10 + fabs(gradient)))) {
        fail_msg("%d, joint %d: %.9g, %.9g", n, k, rig.c->command[k], -gradient);
      }
      compared++;
    }
    rig_free(&rig);
  }
  assert_int_equal(compared, 420);
}

// an orientation that is nearly half a turn away: the torque is the stiffness times the angle, and the noise of
// the measurement does not reverse it
static void
half_a_turn(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig, 1);
  for (int i = 3; i < 6; i++) rig.s->task_stiffness[i] = 20;
  rig.s->command_terms = 0;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  const mbd_placement_t X = tool_at(&rig, rig.q);
  const mbd_vec3_t axis = mbdu_mat3_vec(&X.R, mbdu_vec3(0, 0, 1));
  double first[7];
  for (int n = 0; n < 40; n++) {
    const double angle = PI + 1e-3 * (n % 2 ? -n : n);
    const mbd_mat3_t turn = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(angle, axis)));
    rig.c->targets.pose_known = true;
    rig.c->targets.pose = X;
    rig.c->targets.pose.R = mbdu_mat3_mul(&turn, &X.R);
    rig_step(&rig, 0.001 * (n + 1), 0.001, NULL);
    if (n == 0) memcpy(first, rig.c->command, sizeof first);
    // the last joint turns the tool about this axis
    const double torque = fabs(rig.c->command[6]);
    assert_true(fabs(torque - 20 * angle) < 1e-6 * torque);
    assert_true(rig.c->command[6] * first[6] > 0);
  }
  rig_free(&rig);
}

// a constant force or torque: in the end the spring is as long as its stiffness says
static void
deflection_is_force_over_stiffness(void ** state)
{
  (void)state;
  for (int n = 0; n < 8; n++) {
    rig_t rig;
    double hidden[7] = {0};
    rig_arm(&rig);
    n < 2 ? joint_settings(&rig, 1) : task_settings(&rig, 1);
    for (int k = 0; k < 7; k++) rig.s->nullspace_stiffness[k] = 5;
    controller_apply(rig.c, rig.s);
    sim_t sim = rig_simulation(&rig);
    const mbd_placement_t X = n < 2 ? mbdu_placement_identity() : tool_at(&rig, rig.q);
    mbd_wrench_t w = {rig.s->task_frame, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, 0}}};
    const mbd_wrenches_t wrenches = {1, &w};
    double * const component[6] = {&w.f.lin.x, &w.f.lin.y, &w.f.lin.z,
                                   &w.f.ang.x, &w.f.ang.y, &w.f.ang.z};
    if (n < 2) {
      hidden[n * 4] = 5;
      sim.hidden = hidden;
    } else {
      *component[n - 2] = n < 5 ? 10 : 1;
      sim.f_ext = &wrenches;
    }
    for (int i = 0; i < 4000; i++) sim_step(&sim, 0.001);
    if (n < 2) {
      const double x = sim.q[4 * n] - RIG_POSE[4 * n], want = 5 / rig.s->joint_stiffness[4 * n];
      assert_true(fabs(x - want) < 1e-3 * want);
    } else {
      const mbd_placement_t now = tool_at(&rig, sim.q);
      const mbd_mat3_t from = mbdu_mat3_transpose(&X.R), R = mbdu_mat3_mul(&now.R, &from);
      const mbd_vec3_t r = turn_of(&R), p = mbdu_vec3_sub(now.p, X.p);
      const double x[6] = {p.x, p.y, p.z, r.x, r.y, r.z};
      for (int i = 0; i < 6; i++) {
        const double force = i == n - 2 ? *component[i] : 0,
                     want = force / rig.s->task_stiffness[i];
        // a torque about one axis of an anisotropic spring turns a little about the others
        if (!(fabs(x[i] - want) < (i == n - 2 ? 1e-2 : 2e-3) * fmax(want, 0.03))) {
          fail_msg("component %d of %d: %g for %g", i, n - 2, x[i], want);
        }
      }
    }
    rig_free(&rig);
  }
}

//---------- dampers ----------

// K w = omega^2 M w of the joints by powers of M^-1 K, the fastest one
static double
fastest_mode(rig_t * rig, double * w)
{
  double omega2 = 0, Kw[7];
  assert_ok(mbd_set_terms(rig->plant, rig->s->model_terms));
  for (int k = 0; k < 7; k++) w[k] = 1 + 0.1 * k;
  for (int n = 0; n < 3000; n++) {
    for (int k = 0; k < 7; k++) Kw[k] = rig->s->joint_stiffness[k] * w[k];
    assert_ok(mbd_set_position(rig->c->model, rig->plant, rig->q));
    // M^-1 by a solve of the test's own: gradients of the kinetic energy are M itself
    double M[49], A[7][8];
    assert_ok(mbd_mass_matrix(rig->c->model, rig->plant, M));
    for (int i = 0; i < 7; i++) {
      for (int j = 0; j < 7; j++) A[i][j] = M[7 * i + j];
      A[i][7] = Kw[i];
    }
    for (int p = 0; p < 7; p++) {
      for (int i = 0; i < 7; i++) {
        const double f = i == p ? 0 : A[i][p] / A[p][p];
        for (int j = p; j < 8; j++) A[i][j] -= f * A[p][j];
      }
    }
    omega2 = 0;
    for (int k = 0; k < 7; k++) {
      w[k] = A[k][7] / A[k][k];
      omega2 = fmax(omega2, fabs(w[k]));
    }
    for (int k = 0; k < 7; k++) w[k] /= omega2;
  }
  return sqrt(omega2);
}

// released from its fastest mode the arm swings in that mode alone, with the damping ratio asked for: the
// oscillator's curve, and its overshoot exp(- pi zeta / sqrt(1 - zeta^2))
static void
modes_have_the_ratio(void ** state)
{
  (void)state;
  static const double ratio[4] = {0.2, 0.45, 0.7, 1};
  for (int n = 0; n < 4; n++) {
    rig_t rig;
    double w[7], least = 0;
    rig_arm(&rig);
    joint_settings(&rig, ratio[n]);
    const double omega = fastest_mode(&rig, w), size = 1e-4;
    controller_apply(rig.c, rig.s);
    rig_step(&rig, 0, 0, NULL);
    for (int k = 0; k < 7; k++) rig.q[k] += size * w[k];
    sim_t sim = rig_simulation(&rig);
    for (int i = 1; i <= 400; i++) {
      sim_step(&sim, 0.05 / omega);
      const double want = rig_oscillator(omega * omega, 2 * ratio[n] * omega, size, 0, sim.t);
      for (int k = 0; k < 7; k++) {
        const double x = sim.q[k] - RIG_POSE[k];
        if (fabs(w[k]) == 1) least = fmin(least, x / (size * w[k]));
        assert_true(fabs(x - want * w[k]) < 2e-3 * size);
      }
    }
    const double overshoot = ratio[n] < 1 ? exp(-PI * ratio[n] / sqrt(1 - ratio[n] * ratio[n])) : 0;
    assert_true(fabs(-least - overshoot) < 0.05 * overshoot + 1e-3);
    rig_free(&rig);
  }
}

// dampers by numbers: what a velocity adds to the command
static void
dampers_by_numbers(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  joint_settings(&rig, 1);
  rig.s->joint_by_ratio = false;
  rig.s->command_terms = 0;
  for (int k = 0; k < 7; k++) rig.s->joint_damping[k] = 1 + k;
  controller_apply(rig.c, rig.s);
  for (int k = 0; k < 7; k++) rig.v[k] = 0.3 - 0.1 * k;
  rig_step(&rig, 0, 0, NULL);
  for (int k = 0; k < 7; k++) {
    assert_true(fabs(rig.c->command[k] + (1 + k) * rig.v[k]) < 1e-12);
  }
  rig_free(&rig);

  // of the task: J^T D J v
  double J[42], want[7] = {0};
  rig_arm(&rig);
  task_settings(&rig, 1);
  rig.s->task_by_ratio = false;
  rig.s->command_terms = 0;
  for (int i = 0; i < 6; i++) rig.s->task_damping[i] = 10 + i;
  controller_apply(rig.c, rig.s);
  for (int k = 0; k < 7; k++) rig.v[k] = 0.3 - 0.1 * k;
  rig_step(&rig, 0, 0, NULL);
  assert_ok(mbd_set_position(rig.model, rig.plant, rig.q));
  const mbd_task_t task = mbdu_task_frame(rig.s->task_frame, MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t tasks = {1, &task};
  assert_ok(mbd_task_jacobian(rig.model, rig.plant, &tasks, J));
  for (int i = 0; i < 6; i++) {
    double speed = 0;
    for (int k = 0; k < 7; k++) speed += J[7 * i + k] * rig.v[k];
    for (int k = 0; k < 7; k++) want[k] -= J[7 * i + k] * rig.s->task_damping[(i + 3) % 6] * speed;
  }
  assert_close(rig.c->command, want, 7, 1e-11, "task");
  rig_free(&rig);
}

// Pushed at random for a minute the robot never gives back more than it was given: energy of motion and springs,
// less the work of the pushes, only falls.
static void
is_passive(rig_t * rig)
{
  enum { STEPS = 30000 };
  uint64_t seed = 5;
  double work = 0, worst = 0, most = 0, before = 0;
  const int tool = rig_frame(rig, "tool");
  const bool joints = rig->s->mode == MODE_JOINT_IMPEDANCE;
  rig->s->task_frame = tool;
  controller_apply(rig->c, rig->s);
  sim_t sim = rig_simulation(rig);
  const mbd_placement_t X = tool_at(rig, rig->q);
  mbd_wrench_t w = {tool, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t wrenches = {1, &w};
  sim.f_ext = &wrenches;
  for (int n = 0; n < STEPS; n++) {
    if (n % 150 == 0) {
      double * f[6] = {&w.f.lin.x, &w.f.lin.y, &w.f.lin.z, &w.f.ang.x, &w.f.ang.y, &w.f.ang.z};
      for (int i = 0; i < 6; i++) *f[i] = (i < 3 ? 40 : 6) * random_signed(&seed);
    }
    // the work of a constant force by where its frame was and is; that of a torque by velocities
    const mbd_placement_t from = tool_at(rig, sim.q);
    mbd_motion_t V0, V1;
    assert_ok(mbd_set_state(rig->model, rig->plant, sim.q, sim.v));
    assert_ok(mbd_frame_velocity(rig->model, rig->plant, tool, MBD_LOCAL_WORLD_ALIGNED, &V0));
    sim_step(&sim, 0.002);
    const mbd_placement_t to = tool_at(rig, sim.q);
    assert_ok(mbd_set_state(rig->model, rig->plant, sim.q, sim.v));
    assert_ok(mbd_frame_velocity(rig->model, rig->plant, tool, MBD_LOCAL_WORLD_ALIGNED, &V1));
    work += mbdu_vec3_dot(w.f.lin, mbdu_vec3_sub(to.p, from.p));
    work += 0.001 * mbdu_vec3_dot(w.f.ang, mbdu_vec3_add(V0.ang, V1.ang));
    if (n % 10) continue;
    const double spring = joints ? joint_energy(rig, RIG_POSE, sim.q) : task_energy(rig, &X, sim.q);
    const double energy = kinetic_energy(rig, &sim) + spring;
    worst = fmax(worst, energy - work - before);
    before = energy - work;
    most = fmax(most, energy);
  }
  // more than once it was far away
  assert_true(most > 1 && work > 10);
  if (!(worst < 1e-4)) fail_msg("%g J more than the pushes gave", worst);
}

static void
joints_are_passive(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  joint_settings(&rig, 0.02);
  is_passive(&rig);
  rig_free(&rig);
}

static void
tool_is_passive(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig, 0.02);
  rig.s->task_axes = AXES_TARGET;
  is_passive(&rig);
  rig_free(&rig);
}

// along a trajectory feed-forward leaves nothing to the springs
static void
follows_without_error(void ** state)
{
  (void)state;
  static const char * const all[7] = {"joint1", "joint2", "joint3", "joint4",
                                      "joint5", "joint6", "joint7"};
  rig_t rig;
  double to[7];
  rig_arm(&rig);
  joint_settings(&rig, 0.5);
  for (int k = 0; k < 7; k++) to[k] = RIG_POSE[k] + 0.5 - 0.15 * k;
  trajectory_t * t = rig_trajectory(&rig, 7, all, RIG_POSE, to, 0, 0.8);
  controller_apply(rig.c, rig.s);
  controller_follow(rig.c, t);
  sim_t sim = rig_simulation(&rig);
  for (int n = 1; n <= 1000; n++) {
    sim_step(&sim, 0.001);
    const double way = rig_way(sim.t / 0.8);
    for (int k = 0; k < 7; k++) {
      assert_true(fabs(sim.q[k] - RIG_POSE[k] - way * (to[k] - RIG_POSE[k])) < 1e-8);
    }
  }
  rig_drop(t);
  rig_free(&rig);
}

//---------- the null space ----------

// the posture moves the elbow and not the tool
static void
posture_is_in_the_null_space(void ** state)
{
  (void)state;
  rig_t rig;
  double a[7], tau[7], J[42];
  rig_arm(&rig);
  task_settings(&rig, 1);
  rig.s->command_terms = 0;
  for (int k = 0; k < 7; k++) rig.s->nullspace_stiffness[k] = 20 + k;
  for (int i = 0; i < 6; i++) rig.s->task_stiffness[i] = 0;
  controller_apply(rig.c, rig.s);
  rig_step(&rig, 0, 0, NULL);
  for (int k = 0; k < 7; k++) rig.q[k] += 0.2 - 0.07 * k, rig.v[k] = 0.1 * k - 0.3;
  rig_step(&rig, 0.001, 0.001, NULL);
  memcpy(tau, rig.c->command, sizeof tau);
  assert_ok(mbd_set_terms(rig.plant, rig.s->model_terms));
  const double still[7] = {0};
  const mbd_vec3_t weightless = {0, 0, 0};
  assert_ok(mbd_set_gravity(rig.plant, weightless));
  assert_ok(mbd_forward_dynamics(rig.model, rig.plant, rig.q, still, tau, NULL, a));
  const mbd_task_t task = mbdu_task_frame(rig.s->task_frame, MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t tasks = {1, &task};
  assert_ok(mbd_set_position(rig.model, rig.plant, rig.q));
  assert_ok(mbd_task_jacobian(rig.model, rig.plant, &tasks, J));
  double size = 0;
  for (int i = 0; i < 6; i++) {
    double sum = 0;
    for (int k = 0; k < 7; k++) sum += J[7 * i + k] * a[k], size = fmax(size, fabs(a[k]));
    assert_true(fabs(sum) < 1e-9);
  }
  if (!(size > 0.5)) fail_msg("accelerations %g", size);
  rig_free(&rig);
}

//---------- samples ----------

// Commands held for a sample and computed from the state of `delay` samples before.
// \return largest velocity of any joint in the last tenth of the time
static double
sampled_run(rig_t * rig, double period, int delay, double seconds)
{
  enum { LATE = 8, PARTS = 4 };
  double command[LATE][RIG_MAX] = {{0}}, peak = 0;
  const int nv = rig->c->model->nv, steps = (int)(seconds / period);
  rig->c->sample_time = period;
  controller_apply(rig->c, rig->s);
  sim_t sim = rig_simulation(rig);
  sim.motors = NULL;
  for (int n = -delay; n < steps; n++) {
    rig_state(rig, sim.q, sim.v);
    rig_step(rig, sim.t, period, NULL);
    double * now = command[(n + LATE) % LATE];
    for (int k = 0; k < nv; k++) {
      const double limit = rig->c->model->body[rig->c->model->dof_body[k]].limits.effort;
      now[k] = rig->c->command[k];
      if (limit > 0 && fabs(now[k]) > limit) now[k] = copysign(limit, now[k]);
    }
    if (n < 0) continue;
    sim.hidden = command[(n - delay + LATE) % LATE];
    for (int part = 0; part < PARTS; part++) sim_step(&sim, period / PARTS);
    for (int k = 0; k < nv && n > 9 * steps / 10; k++) peak = fmax(peak, fabs(sim.v[k]));
  }
  return peak;
}

// stiffnesses that no sampled robot of this inertia can have: with the bound it comes to rest, up to three
// samples late, and the report names the parameter; without, it does not
static void
stiffness_is_bounded(void ** state)
{
  (void)state;
  for (int n = 0; n < 12; n++) {
    const int delay = 1 + n % 3;
    const bool task = n % 6 >= 3, bound = n < 6;
    rig_t rig;
    rig_arm(&rig);
    task ? task_settings(&rig, 0.7) : joint_settings(&rig, 0.7);
    for (int k = 0; k < 7; k++) {
      rig.s->joint_stiffness[k] = 2e4;
      rig.s->nullspace_stiffness[k] = 10;
    }
    for (int i = 0; i < 6; i++) rig.s->task_stiffness[i] = i < 3 ? 1e5 : 3e3;
    rig.s->bound_gains = bound;
    for (int k = 0; k < 7; k++) rig.v[k] = 1e-3;
    const double peak = sampled_run(&rig, 1e-3, delay, 1);
    if (!(bound ? peak < 3e-4 : peak > 1e-2))
      fail_msg("%d samples late, %d: %g rad/s", delay, n, peak);
    assert_true(rig.c->bound.cycles > 0);
    assert_true(rig.c->bound.bound < rig.c->bound.gain);
    rig_free(&rig);
  }
}

// with stiffnesses as drivers recommend, nothing of them is taken at 1 kHz
static void
common_stiffnesses_stay(void ** state)
{
  (void)state;
  rig_t rig;
  rig_arm(&rig);
  task_settings(&rig, 1);
  rig.c->sample_time = 1e-3;
  controller_apply(rig.c, rig.s);
  for (int n = 0; n < 3; n++) rig_step(&rig, 1e-3 * n, 1e-3, NULL);
  assert_int_equal(rig.c->bound.cycles, 0);
  rig_free(&rig);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(springs_are_gradients),
    cmocka_unit_test(half_a_turn),
    cmocka_unit_test(deflection_is_force_over_stiffness),
    cmocka_unit_test(modes_have_the_ratio),
    cmocka_unit_test(dampers_by_numbers),
    cmocka_unit_test(joints_are_passive),
    cmocka_unit_test(tool_is_passive),
    cmocka_unit_test(follows_without_error),
    cmocka_unit_test(posture_is_in_the_null_space),
    cmocka_unit_test(stiffness_is_bounded),
    cmocka_unit_test(common_stiffnesses_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
