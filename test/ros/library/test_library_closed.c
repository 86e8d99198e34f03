// The control library drives the simulated robot: gravity is compensated, impedances are what was asked for, and a robot
// that is pushed never gives back more than it was given. 1 kHz, efforts held for a period.
#include "closed_loop.h"

static const double PI = 3.14159265358979323846;
static const char * const ROBOTS[] = {"arm6",   "arm7", "balanced_arm", "boom",
                                      "finger", "hand", "quadruped",    "humanoid"};
enum { NROBOT = sizeof ROBOTS / sizeof *ROBOTS };

static double
largest_difference(int n, const double * a, const double * b)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(a[k] - b[k]));
  return most;
}

//---------- gravity compensation ----------

// without friction, from anywhere: nothing moves; and what is not compensated falls
static void
gravity_is_compensated(void ** state)
{
  (void)state;
  uint64_t seed = 1;
  int moved = 0;
  for (int r = 0; r < NROBOT; r++) {
    closed_t loop;
    double q[CLOSED_MAX];
    closed_open(&loop, ROBOTS[r]);
    closed_start(&loop, NULL);
    for (int n = 0; n < 3; n++) {
      closed_random(&loop, &seed, 0.7, q);
      closed_set(&loop, "command_terms", n < 2 ? "[gravity]" : "[external]");
      // loops are closed in one way of several
      closed_start(&loop, loop.model->tree ? NULL : q);
      memcpy(q, loop.plant->q, sizeof(double) * (size_t)loop.n);
      loop.plant->options.limits = n == 2;
      closed_ready(&loop);
      closed_run(&loop, n < 2 ? 4 : 0.05);
      const double way = largest_difference(loop.n, loop.plant->q, q);
      if (n < 2 && !(way < 1e-6)) fail_msg("%s moves by %g", ROBOTS[r], way);
      moved += n == 2 && way > 1e-3;
      assert_int_equal(mbdc_get_status(loop.control)->saturations, 0);
    }
    closed_free(&loop);
  }
  assert_int_equal(moved, NROBOT);
}

// pushed and let go, with friction and damping: it comes to rest and stays there
static void
pushed_robot_stays(void ** state)
{
  (void)state;
  closed_t loop;
  double rest[CLOSED_MAX];
  closed_open(&loop, "arm7");
  closed_set(&loop, "damping", "[1.0]");
  closed_start(&loop, NULL);
  loop.plant->options.friction = loop.plant->options.limits = true;
  closed_run(&loop, 0.1);
  const plant_push_t push = {
    closed_frame(&loop, "tool"), MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {15, 10, -20}}, 0.3};
  assert_true(plant_push(loop.plant, &push));
  memcpy(rest, loop.plant->q, sizeof rest);
  closed_run(&loop, 8);
  assert_true(largest_difference(loop.n, loop.plant->q, rest) > 0.05);
  memcpy(rest, loop.plant->q, sizeof rest);
  closed_run(&loop, 2);
  assert_true(largest_difference(loop.n, loop.plant->q, rest) < 1e-4);
  closed_free(&loop);
}

//---------- springs ----------

// axis times angle, from the matrix itself
static mbd_vec3_t
turn_of(const mbd_mat3_t * R)
{
  const double * m = R->m;
  const double angle = acos(fmax(-1, fmin(1, (m[0] + m[4] + m[8] - 1) / 2)));
  const mbd_vec3_t axis = {m[7] - m[5], m[2] - m[6], m[3] - m[1]};
  return mbdu_vec3_scale(angle < 1e-6 ? 0.5 : angle / (2 * sin(angle)), axis);
}

// pose of a frame against another pose, in world axes, linear first
static void
task_difference(const mbd_placement_t * from, const mbd_placement_t * to, double x[6])
{
  const mbd_mat3_t back = mbdu_mat3_transpose(&from->R), R = mbdu_mat3_mul(&to->R, &back);
  const mbd_vec3_t p = mbdu_vec3_sub(to->p, from->p), r = turn_of(&R);
  memcpy(x, (double[]){p.x, p.y, p.z, r.x, r.y, r.z}, 6 * sizeof *x);
}

static mbd_force_t
one_component(int i, double f)
{
  double x[6] = {0};
  x[i] = f;
  return (mbd_force_t){.ang = {x[3], x[4], x[5]}, .lin = {x[0], x[1], x[2]}};
}

// a wrench on the tool, each component: the spring yields by force over stiffness
static void
cartesian_deflection(void ** state)
{
  (void)state;
  static const char * const robot[2] = {"arm7", "arm6"};
  static const double q[2][7] = {
    {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785}, {0.3, -1.2, 1.4, -1.1, -1.3, 0.4}};
  static const double stiffness[2][6] = {{500, 800, 300, 30, 20, 40}, {500, 800, 300, 2, 2, 2}};
  static const char * const text[2] = {"[500, 800, 300, 30, 20, 40]", "[500, 800, 300, 2, 2, 2]"};
  double worst = 0;
  for (int n = 0; n < 12; n++) {
    closed_t loop;
    double x[6];
    closed_open(&loop, robot[n / 6]);
    closed_set(&loop, "mode", "cartesian_impedance");
    closed_set(&loop, "operational_frame", "tool");
    closed_set(&loop, "cartesian_stiffness", text[n / 6]);
    // the light wrist of arm6, without rotors, takes no more at 1 kHz
    if (n >= 6) closed_set(&loop, "nullspace_stiffness", "[0.2]");
    closed_start(&loop, q[n / 6]);
    closed_ready(&loop);
    const int frame = closed_frame(&loop, "tool");
    const mbd_placement_t held = closed_placement(&loop, frame);
    const int i = n % 6;
    const double force = 0.02 * stiffness[n / 6][i];
    const plant_push_t push = {
      frame, MBD_LOCAL_WORLD_ALIGNED, one_component(i, force), (double)INFINITY};
    assert_true(plant_push(loop.plant, &push));
    closed_run(&loop, 6);
    const mbd_placement_t now = closed_placement(&loop, frame);
    task_difference(&held, &now, x);
    const double wrong = fabs(x[i] / 0.02 - 1);
    worst = fmax(worst, wrong);
    if (!(wrong < 0.01)) fail_msg("%s, component %d: off by %.4f", robot[n / 6], i, wrong);
    assert_true(n >= 6 || mbdc_get_status(loop.control)->gains_bounded == 0);
    closed_free(&loop);
  }
  print_message("Cartesian deflection: at most %.2g of F/K off\n", worst);
}

// an effort on each joint
static void
joint_deflection(void ** state)
{
  (void)state;
  static const double q[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};
  closed_t loop;
  double worst = 0;
  closed_open(&loop, "arm7");
  closed_set(&loop, "mode", "joint_impedance");
  closed_set(&loop, "joint_stiffness", "[200, 175, 150, 125, 100, 50, 20]");
  static const double stiffness[7] = {200, 175, 150, 125, 100, 50, 20};
  for (int k = 0; k < 7; k++) {
    closed_start(&loop, q);
    closed_ready(&loop);
    const double torque = k < 4 ? 5 : 0.8;
    for (int i = 0; i < 6000; i++) {
      loop.input.position = loop.plant->q, loop.input.velocity = loop.plant->v;
      loop.input.effort = NULL;
      loop.result = mbdc_update(loop.control, &loop.input, loop.effort);
      double tau[7];
      memcpy(tau, loop.effort, sizeof tau);
      tau[k] += torque;
      assert_ok(plant_step(loop.plant, tau, 1e-3));
      loop.input.time += loop.period, loop.input.period = loop.period;
    }
    for (int i = 0; i < 7; i++) {
      const double want = i == k ? torque / stiffness[k] : 0, x = loop.plant->q[i] - q[i];
      worst = fmax(worst, fabs(x - want) / (torque / stiffness[k]));
    }
    assert_int_equal(mbdc_get_status(loop.control)->gains_bounded, 0);
  }
  print_message("joint deflection: at most %.2g of F/K off\n", worst);
  assert_true(worst < 0.01);
  closed_free(&loop);
}

//---------- passivity ----------

static double
spring_energy(int n, const double * stiffness, const double * x)
{
  double energy = 0;
  for (int k = 0; k < n; k++) energy += 0.5 * stiffness[k] * x[k] * x[k];
  return energy;
}

static mbd_motion_t
frame_velocity(closed_t * loop, int frame)
{
  mbd_motion_t V;
  assert_ok(mbd_set_state(loop->model, loop->data, loop->plant->q, loop->plant->v));
  assert_ok(mbd_frame_velocity(loop->model, loop->data, frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  return V;
}

typedef struct balance {
  double work;     // of the pushes
  double most;     // energy
  double surplus;  // most that it gave back in any interval, beyond what it was given
} balance_t;

// a minute of random wrenches on the tool
static balance_t
push_about(closed_t * loop, bool joints, const double * stiffness, double force)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  enum { STEPS = 6000 };
#else
  enum { STEPS = 60000 };
#endif
  uint64_t seed = 5;
  balance_t b = {0, 0, 0};
  const int tool = closed_frame(loop, "tool");
  closed_ready(loop);
  double q0[CLOSED_MAX], least = 0;
  memcpy(q0, loop->plant->q, sizeof(double) * (size_t)loop->n);
  const mbd_placement_t X0 = closed_placement(loop, tool);
  mbd_force_t f = {{0, 0, 0}, {0, 0, 0}};
  mbd_placement_t from = closed_placement(loop, tool);
  mbd_motion_t V0 = frame_velocity(loop, tool);
  for (int n = 0; n < STEPS; n++) {
    if (n % 300 == 0) {
      double x[6];
      for (int i = 0; i < 6; i++) x[i] = (i < 3 ? 1 : 0.1) * force * random_signed(&seed);
      f = (mbd_force_t){.ang = {x[3], x[4], x[5]}, .lin = {x[0], x[1], x[2]}};
      const plant_push_t push = {tool, MBD_LOCAL_WORLD_ALIGNED, f, (double)INFINITY};
      assert_true(plant_push(loop->plant, &push));
    }
    closed_step(loop);
    const mbd_placement_t to = closed_placement(loop, tool);
    const mbd_motion_t V1 = frame_velocity(loop, tool);
    b.work += mbdu_vec3_dot(f.lin, mbdu_vec3_sub(to.p, from.p)) +
              0.0005 * mbdu_vec3_dot(f.ang, mbdu_vec3_add(V0.ang, V1.ang));
    from = to, V0 = V1;
    double kinetic, potential, x[CLOSED_MAX];
    assert_ok(plant_energy(loop->plant, &kinetic, &potential));
    if (joints) {
      for (int k = 0; k < loop->n; k++) x[k] = loop->plant->q[k] - q0[k];
    } else {
      task_difference(&X0, &to, x);
    }
    const double energy = kinetic + spring_energy(joints ? loop->n : 6, stiffness, x);
    // what was stored and given, less what came back: it may only fall
    least = fmin(least, energy - b.work);
    b.surplus = fmax(b.surplus, energy - b.work - least);
    b.most = fmax(b.most, energy);
  }
  assert_true(loop->result == MBDC_COMMANDED);
  return b;
}

static void
is_passive(const char * mode, const char * ratio, double force)
{
  static const double joint[7] = {200, 175, 150, 125, 100, 50, 20};
  static const double task[6] = {500, 800, 300, 30, 20, 40};
  static const double q[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};
  const bool joints = strcmp(mode, "joint_impedance") == 0;
  closed_t loop;
  closed_open(&loop, "arm7");
  closed_set(&loop, "mode", mode);
  closed_set(&loop, "damping_ratio", ratio);
  closed_set(&loop, "operational_frame", "tool");
  closed_set(&loop, "joint_stiffness", "[200, 175, 150, 125, 100, 50, 20]");
  closed_set(&loop, "cartesian_stiffness", "[500, 800, 300, 30, 20, 40]");
  // a motor at its limit is no spring any more, and a posture in the null space has no energy of its own
  closed_strengthen(&loop);
  closed_set(&loop, "operational_max_error", "[10, 10]");
  closed_set(&loop, "nullspace_stiffness", "[0]");
  closed_start(&loop, q);
  loop.plant->options.substeps = 4;
  const balance_t b = push_about(&loop, joints, joints ? joint : task, force);
  print_message(
    "%s, ratio %s: pushes gave %.3g J, at most %.3g J in the robot, surplus %.2g J\n", mode, ratio,
    b.work, b.most, b.surplus);
  assert_true(b.work > 2 && b.most > 0.2);
  assert_true(b.surplus < 2e-3 * b.most);
  closed_free(&loop);
}

static void
joints_are_passive(void ** state)
{
  (void)state;
  is_passive("joint_impedance", "1", 30);
  is_passive("joint_impedance", "0.1", 30);
}

static void
tool_is_passive(void ** state)
{
  (void)state;
  is_passive("cartesian_impedance", "1", 30);
  // without damping in the null space the elbow drifts
  is_passive("cartesian_impedance", "0.1", 10);
}

//---------- steps ----------

// C K w = omega^2 w, the fastest; C symmetric
static double
fastest_mode(int n, const double * C, const double * K, double * w)
{
  double omega2 = 0, y[CLOSED_MAX];
  for (int i = 0; i < n; i++) w[i] = 1 + 0.1 * i;
  for (int step = 0; step < 5000; step++) {
    omega2 = 0;
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += C[i * n + j] * K[j] * w[j];
      if (fabs(y[i]) > fabs(omega2)) omega2 = y[i];
    }
    for (int i = 0; i < n; i++) w[i] = y[i] / omega2;
  }
  return sqrt(omega2);
}

// compliance of the joints, or J M^-1 J^T of the tool with linear rows first
static void
compliance(closed_t * loop, bool joints, int frame, const double * q, double * C)
{
  double inverse[49], J[42];
  assert_ok(mbd_set_position(loop->model, loop->data, q));
  assert_ok(mbd_mass_matrix_inverse(loop->model, loop->data, inverse));
  if (joints) {
    memcpy(C, inverse, sizeof inverse);
    return;
  }
  assert_ok(mbd_jacobian(loop->model, loop->data, frame, MBD_LOCAL_WORLD_ALIGNED, J));
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      double sum = 0;
      for (int k = 0; k < 7; k++) {
        for (int m = 0; m < 7; m++) {
          sum += J[(i + 3) % 6 * 7 + k] * inverse[7 * k + m] * J[(j + 3) % 6 * 7 + m];
        }
      }
      C[6 * i + j] = sum;
    }
  }
}

static void
set_numbers(closed_t * loop, const char * name, const double * x, size_t n)
{
  char reason[300] = "";
  assert_ok(mbdc_set_numbers(loop->settings, name, x, n, reason, sizeof reason));
}

// the reference jumps along one mode of spring and inertia
static double
overshoot(
  closed_t * loop, bool joints, const double * q, const double * K, const double * w, double omega)
{
  const int n = joints ? 7 : 6, tool = closed_frame(loop, "tool");
  const double size = joints ? 2e-3 : 1e-3;
  double target[7], most = 0, scale = 0;
  for (int k = 0; k < n; k++) scale += w[k] * K[k] * w[k];
  closed_ready(loop);
  const mbd_placement_t X = closed_placement(loop, tool);
  if (joints) {
    for (int k = 0; k < n; k++) target[k] = q[k] + size * w[k];
    loop->input.position_reference = target;
  } else {
    const mbd_quat_t turn = mbdu_quat_exp(mbdu_vec3_scale(size, mbdu_vec3(w[3], w[4], w[5])));
    const mbd_mat3_t turned = mbdu_quat_to_mat3(turn), R = mbdu_mat3_mul(&turned, &X.R);
    const mbd_quat_t o = mbdu_quat_from_mat3(&R);
    const double pose[7] = {
      X.p.x + size * w[0], X.p.y + size * w[1], X.p.z + size * w[2], o.x, o.y, o.z, o.w};
    assert_ok(mbdc_set_target(loop->control, MBDC_TARGET_POSE, -1, pose));
  }
  const int steps = (int)(8 / omega * 1000);
  for (int i = 0; i < steps; i++) {
    double x[7], along = 0;
    closed_step(loop);
    if (joints) {
      for (int k = 0; k < n; k++) x[k] = loop->plant->q[k] - q[k];
    } else {
      const mbd_placement_t now = closed_placement(loop, tool);
      task_difference(&X, &now, x);
    }
    for (int k = 0; k < n; k++) along += w[k] * K[k] * x[k] / (scale * size);
    most = fmax(most, along);
  }
  return most - 1;
}

// exp(- pi zeta / sqrt(1 - zeta^2))
static void
step_overshoots_by_the_ratio(void ** state)
{
  (void)state;
  static const double q[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};
  static const double joint[7] = {200, 175, 150, 125, 100, 50, 20};
  static const double task[6] = {500, 800, 300, 30, 20, 40};
  static const char * const ratio[4] = {"0.2", "0.35", "0.5", "0.6"};
  for (int n = 0; n < 8; n++) {
    const bool joints = n < 4;
    const int size = joints ? 7 : 6;
    const double zeta = strtod(ratio[n % 4], NULL), OMEGA = 15;
    closed_t loop;
    double C[49], K[7], w[7];
    closed_open(&loop, "arm7");
    closed_set(&loop, "operational_frame", "tool");
    closed_set(&loop, "mode", joints ? "joint_impedance" : "cartesian_impedance");
    closed_set(&loop, "damping_ratio", ratio[n % 4]);
    closed_start(&loop, q);
    memcpy(K, joints ? joint : task, sizeof(double) * (size_t)size);
    compliance(&loop, joints, closed_frame(&loop, "tool"), q, C);
    const double omega = fastest_mode(size, C, K, w);
    for (int k = 0; k < size; k++) K[k] *= OMEGA * OMEGA / (omega * omega);
    set_numbers(&loop, joints ? "joint_stiffness" : "cartesian_stiffness", K, (size_t)size);
    closed_start(&loop, q);
    loop.plant->options.substeps = 10;
    const double want = exp(-PI * zeta / sqrt(1 - zeta * zeta));
    const double got = overshoot(&loop, joints, q, K, w, OMEGA);
    print_message(
      "%s, ratio %s: overshoot %.4f, formula %.4f\n", joints ? "joints" : "tool", ratio[n % 4], got,
      want);
    assert_true(fabs(got - want) < 0.05 * want);
    closed_free(&loop);
  }
}

//---------- half a turn, torque rate, posture ----------

static const double POSE[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};

// The target is exactly half a turn away, about any axis of the tool, and velocities are noisy: there is no rest at half
// a turn, and no going back and forth.
static void
half_a_turn_is_no_trap(void ** state)
{
  (void)state;
  for (int n = 0; n < 4; n++) {
    closed_t loop;
    uint64_t seed = (uint64_t)n + 1;
    closed_open(&loop, "arm7");
    closed_set(&loop, "mode", "cartesian_impedance");
    closed_set(&loop, "operational_frame", "tool");
    closed_start(&loop, POSE);
    closed_ready(&loop);
    const int tool = closed_frame(&loop, "tool");
    const mbd_placement_t X = closed_placement(&loop, tool);
    const mbd_vec3_t axis = mbdu_mat3_vec(&X.R, mbdu_vec3(0, 0, n % 2 ? 1 : -1));
    const mbd_mat3_t turn = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(PI, axis)));
    mbd_placement_t goal = X;
    goal.R = mbdu_mat3_mul(&turn, &X.R);
    const mbd_quat_t o = mbdu_quat_from_mat3(&goal.R);
    const double pose[7] = {goal.p.x, goal.p.y, goal.p.z, o.x, o.y, o.z, o.w};
    assert_ok(mbdc_set_target(loop.control, MBDC_TARGET_POSE, -1, pose));
    double angle = 4, x[6];
    for (int i = 0; i < 3000; i++) {
      // of an encoder of 13 bits
      if (n > 1) loop.noise[6] = 4e-4 * random_signed(&seed);
      closed_step(&loop);
      const double before = angle;
      const mbd_placement_t now = closed_placement(&loop, tool);
      task_difference(&goal, &now, x);
      angle = sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
      if (before > 0.05 && !(angle < before)) fail_msg("case %d: from %g to %g", n, before, angle);
    }
    if (!(angle < 0.02)) fail_msg("case %d: %g rad are left of half a turn", n, angle);
    closed_free(&loop);
  }
}

// a step of the reference: no effort changes faster than slew_limit, and the goal is reached all the same
static void
torque_rate_is_limited(void ** state)
{
  (void)state;
  for (int n = 0; n < 4; n++) {
    closed_t loop;
    double before[7], target[7], fastest = 0;
    closed_open(&loop, "arm7");
    closed_set(&loop, "mode", n % 2 ? "cartesian_impedance" : "joint_impedance");
    closed_set(&loop, "operational_frame", "tool");
    closed_set(&loop, "slew_limit", n < 2 ? "[1000]" : "[0]");
    closed_start(&loop, POSE);
    closed_ready(&loop);
    // it starts from zero effort: the robot waits until gravity is carried
    for (int i = 0; i < 1000; i++) {
      closed_step(&loop);
      assert_ok(plant_reset(loop.plant, POSE));
    }
    const int tool = closed_frame(&loop, "tool");
    mbd_placement_t goal = closed_placement(&loop, tool);
    goal.p.z += 0.08;
    const mbd_quat_t o = mbdu_quat_from_mat3(&goal.R);
    const double pose[7] = {goal.p.x, goal.p.y, goal.p.z, o.x, o.y, o.z, o.w};
    memcpy(target, POSE, sizeof target);
    target[1] += 0.2, target[5] -= 0.2;
    if (n % 2) {
      assert_ok(mbdc_set_target(loop.control, MBDC_TARGET_POSE, -1, pose));
    } else {
      loop.input.position_reference = target;
    }
    memcpy(before, loop.effort, sizeof before);
    for (int i = 0; i < 4000; i++) {
      closed_step(&loop);
      for (int k = 0; k < 7; k++) fastest = fmax(fastest, 1e3 * fabs(loop.effort[k] - before[k]));
      memcpy(before, loop.effort, sizeof before);
    }
    const mbdc_status_t * status = mbdc_get_status(loop.control);
    assert_true((fastest < 1000 * (1 + 1e-9)) == (n < 2) && (status->slews > 0) == (n < 2));
    if (n % 2) {
      const mbd_placement_t end = closed_placement(&loop, tool);
      assert_true(fabs(end.p.z - goal.p.z) < 1e-3);
    } else {
      assert_true(largest_difference(7, loop.plant->q, target) < 1e-3);
    }
    closed_free(&loop);
  }
}

// pushed at the elbow and let go: the posture takes the joints back, and the tool stays where it is
static void
posture_leaves_the_tool_alone(void ** state)
{
  (void)state;
  closed_t loop;
  closed_open(&loop, "arm7");
  closed_set(&loop, "mode", "cartesian_impedance");
  closed_set(&loop, "operational_frame", "tool");
  closed_set(&loop, "nullspace_stiffness", "[10]");
  // a large stiffness of the tool: it moves by the push alone
  closed_set(&loop, "cartesian_stiffness", "[2000, 100]");
  closed_start(&loop, POSE);
  closed_ready(&loop);
  const int tool = closed_frame(&loop, "tool"), elbow = closed_frame(&loop, "link4");
  const mbd_placement_t X = closed_placement(&loop, tool);
  const plant_push_t push = {elbow, MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 20, 0}}, 1.0};
  assert_true(plant_push(loop.plant, &push));
  closed_run(&loop, 1);
  const double away = largest_difference(7, loop.plant->q, POSE);
  double x[6], most = 0;
  closed_run(&loop, 0.5);
  for (int i = 0; i < 8000; i++) {
    closed_step(&loop);
    const mbd_placement_t now = closed_placement(&loop, tool);
    task_difference(&X, &now, x);
    for (int k = 0; k < 3; k++) most = fmax(most, fabs(x[k]));
  }
  const double left = largest_difference(7, loop.plant->q, POSE);
  print_message("elbow away by %.3f rad, %.4f left; the tool moves by %.2g m\n", away, left, most);
  assert_true(away > 0.1 && most < 1e-3);
  assert_true(left < 0.01);
  closed_free(&loop);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(gravity_is_compensated),       cmocka_unit_test(pushed_robot_stays),
    cmocka_unit_test(cartesian_deflection),         cmocka_unit_test(joint_deflection),
    cmocka_unit_test(joints_are_passive),           cmocka_unit_test(tool_is_passive),
    cmocka_unit_test(step_overshoots_by_the_ratio), cmocka_unit_test(half_a_turn_is_no_trap),
    cmocka_unit_test(torque_rate_is_limited),       cmocka_unit_test(posture_leaves_the_tool_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
