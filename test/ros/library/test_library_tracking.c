// computed_torque with the default parameters follows a trajectory on every robot of config/robots, out of the box: the
// simulated robot has the friction, the limits and the motors of its URDF; or other friction than its model.
#include "closed_loop.h"

static const char * const ROBOTS[] = {"arm6",   "arm7", "balanced_arm", "boom",
                                      "finger", "hand", "quadruped",    "humanoid"};
enum { NROBOT = sizeof ROBOTS / sizeof *ROBOTS };

// every commanded joint by 0.4, or by a third of its range
static void
choose_ends(const closed_t * loop, double * from, double * to)
{
  for (int i = 0; i < mbdc_command_count(loop->control); i++) {
    const int k = mbdc_command_joint(loop->control, i);
    const mbd_limits_t * limit = &loop->tree->body[loop->tree->dof_body[k]].limits;
    const double range = limit->upper - limit->lower;
    const bool bounded = isfinite(range);
    const double middle = bounded ? (limit->lower + limit->upper) / 2 : 0;
    const double way = bounded ? fmin(0.4, range / 3) : 0.4;
    from[i] = middle - way / 2, to[i] = middle + way / 2;
  }
}

typedef struct friction {
  const char * name;
  bool on;
  plant_friction_t model;
  double stiction, scale;
  double on_the_way, at_the_end;  // errors that are allowed [rad]
} friction_t;

typedef struct errors {
  double way, end, speed;
  int at;  // joint of the first
} errors_t;

static double
farthest(const closed_t * loop, const double * from, int * at)
{
  double most = 0;
  for (int k = 0; k < loop->n; k++) {
    const double away = fabs(loop->plant->q[k] - from[k]);
    if (away > most) most = away, *at = k;
  }
  return most;
}

static void
follow(closed_t * loop, const double * from, const double * to)
{
  static const double rest[CLOSED_MAX];
  const mbdc_point_t point[2] = {{0, from, rest, rest}, {1.5, to, rest, rest}};
  const char * name[CLOSED_MAX];
  char reason[300] = "";
  const int n = mbdc_command_count(loop->control);
  for (int i = 0; i < n; i++) {
    name[i] = mbdc_joint_name(loop->control, mbdc_command_joint(loop->control, i));
  }
  const mbd_status_t status =
    mbdc_follow(loop->control, n, name, 2, point, 0, reason, sizeof reason);
  if (status != MBD_OK) fail_msg("%s", reason);
}

static errors_t
track(const char * robot, const friction_t * f)
{
  closed_t loop;
  double q[CLOSED_MAX] = {0}, from[CLOSED_MAX], to[CLOSED_MAX], reference[CLOSED_MAX];
  errors_t e = {0, 0, 0, 0};
  closed_open(&loop, robot);
  closed_set(&loop, "mode", "computed_torque");
  closed_scale_friction(&loop, f->scale);
  closed_start(&loop, NULL);
  choose_ends(&loop, from, to);
  memcpy(q, loop.plant->q, sizeof(double) * (size_t)loop.n);
  for (int i = 0; i < mbdc_command_count(loop.control); i++) {
    q[mbdc_command_joint(loop.control, i)] = from[i];
  }
  closed_start(&loop, q);
  loop.plant->options.limits = true;
  loop.plant->options.friction = f->on;
  loop.plant->options.friction_model = f->model;
  loop.plant->options.stiction = f->stiction;
  closed_ready(&loop);
  follow(&loop, from, to);
  for (int i = 0; i < 2500; i++) {
    int at = 0;
    closed_step(&loop);
    assert_ok(mbdc_read(loop.control, MBDC_POSITION_REFERENCE, reference));
    e.end = farthest(&loop, reference, &at);
    if (e.end > e.way) e.way = e.end, e.at = at;
  }
  for (int k = 0; k < loop.n; k++) e.speed = fmax(e.speed, fabs(loop.plant->v[k]));
  for (int i = 0; i < mbdc_command_count(loop.control); i++) {
    const int k = mbdc_command_joint(loop.control, i);
    assert_true(fabs(reference[k] - to[i]) < 1e-9 && fabs(to[i] - from[i]) > 0.1);
  }
  print_message(
    "%-12s friction %-9s error %.4f on the way (%s), %.4f at the end\n", robot, f->name, e.way,
    mbdc_joint_name(loop.control, e.at), e.end);
  closed_free(&loop);
  return e;
}

static void
tracks(const friction_t * f)
{
  for (int r = 0; r < NROBOT; r++) {
    const errors_t e = track(ROBOTS[r], f);
    assert_true(e.way < f->on_the_way && e.end < f->at_the_end);
    // it neither rattles nor runs away
    assert_true(e.speed < 0.02);
  }
}

static void
defaults_track(void ** state)
{
  (void)state;
  tracks(&(friction_t){"as model", true, PLANT_FRICTION_TANH, 1, 1, 0.005, 0.003});
}

// what the messages of the controller plug-in need besides torques
static void
read_out_tells_acceleration_and_frame(void ** state)
{
  (void)state;
  closed_t loop;
  double from[CLOSED_MAX], to[CLOSED_MAX], a[CLOSED_MAX], inertia[CLOSED_MAX];
  double M[CLOSED_MAX * CLOSED_MAX], most = 0;
  closed_open(&loop, "arm7");
  closed_set(&loop, "mode", "computed_torque");
  closed_set(&loop, "observer_frame", "link5");
  closed_start(&loop, NULL);
  choose_ends(&loop, from, to);
  memcpy(from, loop.plant->q, sizeof(double) * (size_t)loop.n);
  closed_ready(&loop);
  follow(&loop, from, to);
  for (int i = 0; i < 200; i++) closed_step(&loop);
  const mbd_model_t * model = mbdc_model(loop.control);
  assert_ok(mbdc_read(loop.control, MBDC_ACCELERATION, a));
  assert_ok(mbdc_read(loop.control, MBDC_INERTIA, inertia));
  assert_ok(mbd_mass_matrix(model, mbdc_data(loop.control), M));
  for (int i = 0; i < loop.n; i++) {
    for (int k = 0; k < loop.n; k++) inertia[i] -= M[i * loop.n + k] * a[k];
    assert_true(fabs(inertia[i]) < 1e-9);
    most = fmax(most, fabs(a[i]));
  }
  assert_true(most > 0.1);
  assert_string_equal(model->frame[mbdc_observer_frame(loop.control)].name, "link5");
  assert_int_equal(mbdc_observer_frame(NULL), -1);
  closed_free(&loop);
}

// sticks, and breaks loose at a fifth more
static void
stiction_is_overcome(void ** state)
{
  (void)state;
  tracks(&(friction_t){"sticks", true, PLANT_FRICTION_EXACT, 1.2, 1, 0.03, 0.002});
}

// the light wrist of arm6 (no rotors) and fingers take no stiffer spring at 1 kHz
static void
other_friction_is_borne(void ** state)
{
  (void)state;
  tracks(&(friction_t){"0.7", true, PLANT_FRICTION_TANH, 1, 0.7, 0.1, 0.1});
  tracks(&(friction_t){"1.3", true, PLANT_FRICTION_TANH, 1, 1.3, 0.1, 0.1});
  tracks(&(friction_t){"none", false, PLANT_FRICTION_TANH, 1, 1, 0.5, 1e-3});
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(read_out_tells_acceleration_and_frame),
    cmocka_unit_test(defaults_track),
    cmocka_unit_test(stiction_is_overcome),
    cmocka_unit_test(other_friction_is_borne),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
