// cartesian_inertia: the frame of a simulated robot swings as a mass of another size on the same springs, gives way by
// force over stiffness, and what cannot be had is refused. 1 kHz, efforts held for a period.
#include "closed_loop.h"
#include "mbdyn/dynamics/task.h"

static const double PI = 3.14159265358979323846;
static const double POSE[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};

static void
set_numbers(closed_t * loop, const char * name, const double * x, size_t n)
{
  char reason[300] = "";
  const mbd_status_t status = mbdc_set_numbers(loop->settings, name, x, n, reason, sizeof reason);
  if (status != MBD_OK) fail_msg("%s", reason);
}

// rotation vector and displacement from one pose to another, in world axes, linear first
static void
task_difference(const mbd_placement_t * from, const mbd_placement_t * to, double x[6])
{
  const mbd_mat3_t back = mbdu_mat3_transpose(&from->R), R = mbdu_mat3_mul(&to->R, &back);
  const mbd_vec3_t p = mbdu_vec3_sub(to->p, from->p);
  const mbd_vec3_t r = mbdu_quat_log(mbdu_quat_from_mat3(&R));
  memcpy(x, (double[]){p.x, p.y, p.z, r.x, r.y, r.z}, 6 * sizeof *x);
}

static mbd_force_t
force_of(const double x[6])
{
  return (mbd_force_t){.ang = {x[3], x[4], x[5]}, .lin = {x[0], x[1], x[2]}};
}

// diagonal of Lambda at q: the robot's own inertia of each coordinate while the others are held; linear first
static void
natural(closed_t * loop, const double * q, double m[6])
{
  const mbd_task_t task = mbdu_task_frame(closed_frame(loop, "tool"), MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t tasks = {1, &task};
  double work[1000], Lambda[36];
  assert_true(mbd_task_work(loop->model, &tasks) <= sizeof work / sizeof *work);
  assert_ok(mbd_set_position(loop->model, loop->data, q));
  assert_ok(mbd_set_terms(loop->data, MBD_TERM_ROTORS));
  assert_ok(mbd_task_inertia(loop->model, loop->data, &tasks, NULL, work, Lambda, NULL));
  for (int i = 0; i < 6; i++) m[i] = Lambda[7 * ((i + 3) % 6)];
}

static void
open_arm(closed_t * loop)
{
  closed_open(loop, "arm7");
  closed_set(loop, "mode", "cartesian_impedance");
  closed_set(loop, "operational_frame", "tool");
  closed_set(loop, "operational_max_error", "[10, 3]");
  closed_strengthen(loop);
}

// measured at the tool, in its axes, as a sensor there has it
static void
report_wrench(closed_t * loop, int tool, const mbd_force_t * f)
{
  const mbd_placement_t X = closed_placement(loop, tool);
  const mbd_vec3_t a = mbdu_mat3_tvec(&X.R, f->lin), b = mbdu_mat3_tvec(&X.R, f->ang);
  const double six[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
  assert_ok(mbdc_set_target(loop->control, MBDC_EXTERNAL_WRENCH, tool, six));
}

static void
report_nothing(closed_t * loop, int tool)
{
  const mbd_force_t none = {{0, 0, 0}, {0, 0, 0}};
  report_wrench(loop, tool, &none);
}

//---------- free motion ----------

// The target of the frame jumps, and nearly undamped it swings: the frequency of one coordinate, from where it crosses
// the middle.
static double
swing(closed_t * loop, int i, double size, double omega, double * others)
{
  closed_ready(loop);
  const int tool = closed_frame(loop, "tool");
  const mbd_placement_t X = closed_placement(loop, tool);
  double d[6] = {0}, x[6], last = -1, first = 0, end = 0;
  d[i] = size;
  const mbd_quat_t turn = mbdu_quat_exp(mbdu_vec3(d[3], d[4], d[5]));
  const mbd_mat3_t turned = mbdu_quat_to_mat3(turn), R = mbdu_mat3_mul(&turned, &X.R);
  const mbd_quat_t o = mbdu_quat_from_mat3(&R);
  const double pose[7] = {X.p.x + d[0], X.p.y + d[1], X.p.z + d[2], o.x, o.y, o.z, o.w};
  assert_ok(mbdc_set_target(loop->control, MBDC_TARGET_POSE, -1, pose));
  int crossings = 0;
  *others = 0;
  for (int n = 0; n < (int)(4.5 * 2 * PI / omega * 1000); n++) {
    report_nothing(loop, tool);
    closed_step(loop);
    const mbd_placement_t now = closed_placement(loop, tool);
    task_difference(&X, &now, x);
    const double from = x[i] / size - 1;
    if ((from > 0) != (last > 0)) {
      const double at = n - from / (from - last);
      if (crossings++ == 0) first = at;
      end = at;
    }
    last = from;
    for (int k = 0; k < 6; k++) {
      if (k != i && k / 3 == i / 3) *others = fmax(*others, fabs(x[k] / size));
    }
  }
  assert_true(crossings > 4);
  return PI * (crossings - 1) / (1e-3 * (end - first));
}

// sqrt(K / Lambda_d) for two inertias, linear and angular; along one coordinate, without moving the others. Without
// the parameter neither is so.
static void
frequency_is_of_the_inertia(void ** state)
{
  (void)state;
  static const double part[3] = {0, 0.7, 2};
  const double OMEGA = 12, size[2] = {0.05, 0.3};
  for (int n = 0; n < 9; n++) {
    closed_t loop;
    double m[6], K[6], inertia[6], others;
    static const int coordinate[3] = {0, 2, 4};
    const int i = coordinate[n % 3];
    const double times = part[n / 3];
    open_arm(&loop);
    closed_set(&loop, "damping_ratio", "0.01");
    closed_start(&loop, POSE);
    natural(&loop, POSE, m);
    for (int k = 0; k < 6; k++) {
      inertia[k] = times * m[k];
      K[k] = OMEGA * OMEGA * (times > 0 ? inertia[k] : m[k]);
    }
    set_numbers(&loop, "cartesian_stiffness", K, 6);
    if (times > 0) set_numbers(&loop, "cartesian_inertia", inertia, 6);
    closed_start(&loop, POSE);
    loop.plant->options.substeps = 4;
    const double omega = swing(&loop, i, size[i / 3], OMEGA, &others);
    print_message(
      "coordinate %d, inertia %.3g: %.3f rad/s, sqrt(K/m) %.3f, the others %.3f\n", i, inertia[i],
      omega, OMEGA, others);
    if (times > 0) {
      assert_int_equal(mbdc_get_status(loop.control)->gains_bounded, 0);
      assert_true(fabs(omega / OMEGA - 1) < 0.02);
      assert_true(others < 0.02);
    } else {
      assert_true(others > 0.05);
    }
    closed_free(&loop);
  }
}

//---------- forces ----------

typedef enum known { BY_NOBODY, BY_WRENCH, WRONGLY, COMPENSATED } known_t;

static void
step_known(closed_t * loop, known_t known, int tool, const mbd_force_t * f)
{
  if (known == BY_WRENCH || known == COMPENSATED) report_wrench(loop, tool, f);
  if (known == WRONGLY) report_nothing(loop, tool);
  closed_step(loop);
}

static void
open_shaped(closed_t * loop, known_t known, double times, const double * K, double m[6])
{
  double inertia[6];
  open_arm(loop);
  closed_start(loop, POSE);
  natural(loop, POSE, m);
  for (int k = 0; k < 6; k++) inertia[k] = times * m[k];
  set_numbers(loop, "cartesian_stiffness", K, 6);
  set_numbers(loop, "cartesian_inertia", inertia, 6);
  closed_set(loop, "target_timeout", "0.05");
  if (known == COMPENSATED) closed_set(loop, "command_terms", "[gravity, external]");
  closed_start(loop, POSE);
  memcpy(m, inertia, sizeof inertia);
}

// A constant force on the tool that a sensor knows: it gives way by F / K. Also without
// a sensor, when the frame keeps its own inertia. If it is compensated it does not give way.
static void
deflection_is_force_over_stiffness(void ** state)
{
  (void)state;
  static const double K[6] = {500, 800, 300, 30, 20, 40};
  double worst = 0;
  for (int n = 0; n < 8; n++) {
    closed_t loop;
    double m[6], f[6] = {0}, x[6];
    const known_t known = n < 6 ? BY_WRENCH : n == 6 ? BY_NOBODY : COMPENSATED;
    const int i = n % 6;
    open_shaped(&loop, known, i % 2 ? 2 : 0.6, K, m);
    closed_ready(&loop);
    const int tool = closed_frame(&loop, "tool");
    const mbd_placement_t held = closed_placement(&loop, tool);
    f[i] = 0.02 * K[i];
    const mbd_force_t force = force_of(f);
    const plant_push_t push = {tool, MBD_LOCAL_WORLD_ALIGNED, force, (double)INFINITY};
    assert_true(plant_push(loop.plant, &push));
    for (int k = 0; k < 5000; k++) step_known(&loop, known, tool, &force);
    const mbd_placement_t now = closed_placement(&loop, tool);
    task_difference(&held, &now, x);
    const double got = x[i] / 0.02;
    if (known == BY_NOBODY) {
      assert_true(fabs(got - 1) < 0.01);
    } else if (known == COMPENSATED) {
      assert_true(fabs(got) < 0.01);
    } else {
      worst = fmax(worst, fabs(got - 1));
      if (!(fabs(got - 1) < 0.01)) fail_msg("known %d, component %d: %.4f F/K", known, i, got);
    }
    closed_free(&loop);
  }
  print_message("deflection: at most %.2g of F/K off\n", worst);
}

static mbd_motion_t
frame_velocity(closed_t * loop, int frame)
{
  mbd_motion_t V;
  assert_ok(mbd_set_state(loop->model, loop->data, loop->plant->q, loop->plant->v));
  assert_ok(mbd_frame_velocity(loop->model, loop->data, frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  return V;
}

// Random pushes. Known, they never get more back than they gave: the frame stores v^T Lambda_d v / 2 and the springs'
// energy. Known to nobody, or wrongly, the frame stays within bounds and comes to rest where it was.
static void
pushed_about(known_t known, double times, double size)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  enum { STEPS = 3000 };
#else
  enum { STEPS = 12000 };
#endif
  static const double K[6] = {500, 800, 300, 30, 20, 40};
  closed_t loop;
  uint64_t seed = 3;
  double m[6], x[6], work = 0, least = 0, surplus = 0, most = 0, away = 0;
  open_shaped(&loop, known, times, K, m);
  loop.plant->options.substeps = 4;
  closed_ready(&loop);
  const int tool = closed_frame(&loop, "tool");
  const mbd_placement_t held = closed_placement(&loop, tool);
  mbd_placement_t from = held;
  mbd_motion_t V0 = frame_velocity(&loop, tool);
  mbd_force_t force = {{0, 0, 0}, {0, 0, 0}};
  for (int n = 0; n < STEPS; n++) {
    if (n % 300 == 0 || n == STEPS - 2000) {
      double f[6];
      for (int i = 0; i < 6; i++) f[i] = size * (i < 3 ? 20 : 2) * random_signed(&seed);
      if (n >= STEPS - 2000) memset(f, 0, sizeof f);
      force = force_of(f);
      const plant_push_t push = {tool, MBD_LOCAL_WORLD_ALIGNED, force, (double)INFINITY};
      assert_true(plant_push(loop.plant, &push));
    }
    step_known(&loop, known, tool, &force);
    const mbd_placement_t to = closed_placement(&loop, tool);
    const mbd_motion_t V1 = frame_velocity(&loop, tool);
    work += mbdu_vec3_dot(force.lin, mbdu_vec3_sub(to.p, from.p)) +
            0.0005 * mbdu_vec3_dot(force.ang, mbdu_vec3_add(V0.ang, V1.ang));
    from = to, V0 = V1;
    task_difference(&held, &to, x);
    const double v[6] = {V1.lin.x, V1.lin.y, V1.lin.z, V1.ang.x, V1.ang.y, V1.ang.z};
    double energy = 0;
    for (int i = 0; i < 6; i++) energy += 0.5 * (K[i] * x[i] * x[i] + m[i] * v[i] * v[i]);
    least = fmin(least, energy - work);
    surplus = fmax(surplus, energy - work - least);
    most = fmax(most, energy);
    for (int i = 0; i < 3; i++) away = fmax(away, fabs(x[i]));
  }
  print_message(
    "known %d, %.2g of its own inertia: pushes gave %.3g J, at most %.3g J stored, surplus %.2g J, "
    "%.3f m away, %.2g m at the end\n",
    known, times, work, most, surplus, away, mbdu_vec3_norm(mbdu_vec3(x[0], x[1], x[2])));
  assert_true(loop.result == MBDC_COMMANDED && work > 0.05 * size * size);
  if (known == BY_WRENCH) assert_true(surplus < 0.01 * most);
  assert_true(away < 0.5);
  assert_true(mbdu_vec3_norm(mbdu_vec3(x[0], x[1], x[2])) < 0.01);
  closed_free(&loop);
}

static void
pushes_are_passive_or_bounded(void ** state)
{
  (void)state;
  pushed_about(BY_WRENCH, 0.5, 1);
  pushed_about(BY_WRENCH, 2, 1);
  pushed_about(BY_NOBODY, 2, 1);
  // a sensor that says zero: what it does not say is amplified
  pushed_about(WRONGLY, 0.5, 0.1);
  pushed_about(WRONGLY, 2, 0.02);
}

//---------- where it ends ----------

// largest change of an effort from one cycle to the next
static double
stretch(const char * inertia)
{
  closed_t loop;
  double before[7], jump = 0, reach = 0;
  open_arm(&loop);
  closed_set(&loop, "cartesian_inertia", inertia);
  closed_start(&loop, POSE);
  closed_ready(&loop);
  const int tool = closed_frame(&loop, "tool");
  const mbd_placement_t X = closed_placement(&loop, tool);
  const mbd_quat_t o = mbdu_quat_from_mat3(&X.R);
  memcpy(before, loop.effort, sizeof before);
  for (int n = 0; n < 8000; n++) {
    const double far = n < 6000 ? 0.8 * sin(PI * n / 6000.0) : 0;
    const double pose[7] = {X.p.x + far, X.p.y, X.p.z, o.x, o.y, o.z, o.w};
    assert_ok(mbdc_set_target(loop.control, MBDC_TARGET_POSE, -1, pose));
    report_nothing(&loop, tool);
    closed_step(&loop);
    assert_true(loop.result == MBDC_COMMANDED);
    // the first wrench is a step of its own
    for (int k = 0; n > 0 && k < 7; k++) jump = fmax(jump, fabs(loop.effort[k] - before[k]));
    memcpy(before, loop.effort, sizeof before);
    reach = fmax(reach, closed_placement(&loop, tool).p.x - X.p.x);
  }
  const mbd_placement_t end = closed_placement(&loop, tool);
  assert_true(reach > 0.2);
  assert_true(mbdu_vec3_norm(mbdu_vec3_sub(end.p, X.p)) < 0.05);
  closed_free(&loop);
  return jump;
}

// At a singularity a robot has no inertia in one direction: the efforts are those without the parameter. On a way to the
// edge of the workspace and back, at 4 rad/s, they have no step.
static void
singularities_have_their_own(void ** state)
{
  (void)state;
  double effort[2][7], most = 0;
  for (int n = 0; n < 2; n++) {
    closed_t loop;
    const double singular[7] = {0, 0, PI / 2, -1.5, 0, 1.5, 0};
    open_arm(&loop);
    if (n) closed_set(&loop, "cartesian_inertia", "[8, 0.3]");
    closed_start(&loop, singular);
    closed_ready(&loop);
    report_nothing(&loop, closed_frame(&loop, "tool"));
    closed_step(&loop);
    memcpy(effort[n], loop.effort, sizeof effort[n]);
    closed_free(&loop);
  }
  for (int k = 0; k < 7; k++) most = fmax(most, fabs(effort[0][k] - effort[1][k]));
  assert_true(most == 0);

  // pulled to the edge by its target, and back
  double jump[2];
  for (int n = 0; n < 2; n++) jump[n] = stretch(n ? "[8, 0.3]" : "[]");
  print_message("efforts change by at most %.2f N m a cycle, %.2f without\n", jump[1], jump[0]);
  assert_true(jump[1] < 15 * jump[0]);
}

// another value on the way: no blow, which the rate of a step in Lambda_d would be
static void
change_is_smooth(void ** state)
{
  (void)state;
  closed_t loop;
  double before[7], jump = 0, speed = 0;
  open_arm(&loop);
  closed_set(&loop, "damping_ratio", "0.1");
  closed_set(&loop, "cartesian_inertia", "[8, 0.3]");
  closed_start(&loop, POSE);
  closed_ready(&loop);
  const int tool = closed_frame(&loop, "tool");
  const mbd_placement_t X = closed_placement(&loop, tool);
  const mbd_quat_t o = mbdu_quat_from_mat3(&X.R);
  const double pose[7] = {X.p.x, X.p.y, X.p.z + 0.1, o.x, o.y, o.z, o.w};
  assert_ok(mbdc_set_target(loop.control, MBDC_TARGET_POSE, -1, pose));
  for (int n = 0; n < 210; n++) {
    memcpy(before, loop.effort, sizeof before);
    if (n == 200) {
      speed = frame_velocity(&loop, tool).lin.z;
      closed_set(&loop, "cartesian_inertia", "[9, 0.3]");
      closed_use(&loop);
    }
    report_nothing(&loop, tool);
    closed_step(&loop);
    for (int k = 0; k < 7 && n >= 200; k++) jump = fmax(jump, fabs(loop.effort[k] - before[k]));
  }
  print_message("at %.2f m/s efforts change by %.2f N m\n", speed, jump);
  assert_true(speed > 0.2 && jump < 10);
  closed_free(&loop);
}

// what the reason has to say
static void
refuses(closed_t * loop, const char * text, const char * why)
{
  char reason[300] = "";
  mbd_status_t status = mbdc_set(loop->settings, "cartesian_inertia", text, reason, sizeof reason);
  if (status == MBD_OK) {
    status = mbdc_configure(loop->control, loop->settings, reason, sizeof reason);
  }
  print_message("%s: %s\n", text, reason);
  assert_int_equal(status, MBD_ERROR_BAD_ARGUMENT);
  if (!strstr(reason, "cartesian_inertia") || !strstr(reason, why)) fail_msg("%s", reason);
  closed_set(loop, "cartesian_inertia", "[]");
}

static void
bad_inertias_are_refused(void ** state)
{
  (void)state;
  closed_t loop;
  open_arm(&loop);
  closed_start(&loop, POSE);
  refuses(&loop, "[2, 2, 2, 0.1]", "expected one, two, three or six");
  refuses(&loop, "[-1]", "");
  refuses(&loop, "[.nan]", "");
  refuses(&loop, "[0.001]", "its own inertia");
  refuses(&loop, "[5000]", "its own inertia");
  refuses(&loop, "[4, 50]", "kg m^2 of 'tool'");
  closed_set(&loop, "cartesian_inertia", "[4]");
  closed_use(&loop);
  closed_set(&loop, "cartesian_inertia", "[4, 0, 4, 0, 0.1, 0]");
  closed_use(&loop);
  closed_free(&loop);

  closed_open(&loop, "finger");
  closed_set(&loop, "mode", "cartesian_impedance");
  closed_start(&loop, NULL);
  refuses(&loop, "[1]", "too few for the 6");
  closed_free(&loop);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frequency_is_of_the_inertia),
    cmocka_unit_test(deflection_is_force_over_stiffness),
    cmocka_unit_test(pushes_are_passive_or_bounded),
    cmocka_unit_test(singularities_have_their_own),
    cmocka_unit_test(change_is_smooth),
    cmocka_unit_test(bad_inertias_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
