// What is in the measured effort? Drivers that subtract gravity or friction, or report currents: with effort_excludes and
// effort_scale the observer sees no contact, without them it sees what is missing; a real push it sees either way.
#include "closed_loop.h"
#include "mbdyn/dynamics.h"

typedef struct driver {
  const char * name;
  bool gravity, friction;  // left out of what it reports
  bool scaled;             // reports currents
  const char * excludes;   // parameter
} driver_t;

static const double PER_UNIT[7] = {20, 20, 15, 15, 5, 5, 0.5};  // torque by current

// efforts as the driver reports them
static void
report(closed_t * loop, const driver_t * d)
{
  double g[7], f[7];
  assert_ok(mbd_set_state(loop->model, loop->data, loop->plant->q, loop->plant->v));
  assert_ok(mbd_gravity(loop->model, loop->data, g));
  assert_ok(mbd_friction(loop->model, loop->plant->v, f));
  for (int k = 0; k < 7; k++) {
    loop->measured[k] = loop->plant->effort[k] - (d->gravity ? g[k] : 0) - (d->friction ? f[k] : 0);
    if (d->scaled) loop->measured[k] /= PER_UNIT[k];
  }
}

static void
begin(closed_t * loop, const driver_t * d, bool told)
{
  static const double q[7] = {0.1, -0.785, 0.2, -2.056, -0.3, 1.571, 0.785};
  closed_open(loop, "arm7");
  closed_set(loop, "mode", "computed_torque");
  if (told) {
    closed_set(loop, "effort_excludes", d->excludes);
    if (d->scaled) closed_set(loop, "effort_scale", "[20, 20, 15, 15, 5, 5, 0.5]");
  }
  closed_start(loop, q);
  loop->plant->options.friction = true;
  report(loop, d);
  closed_ready(loop);
}

// Largest estimate and largest difference from g over a second of motion. Where a driver leaves gravity out, it seems
// that somebody carries the robot: an external torque of g. (It follows at 1 / observer_gain.)
static void
observe(closed_t * loop, const driver_t * d, double * most, double * from_gravity)
{
  static const char * const name[2] = {"joint2", "joint4"};
  static const double from[2] = {-0.785, -2.056}, to[2] = {-0.485, -1.756}, rest[2];
  const mbdc_point_t point[2] = {{0, from, rest, rest}, {1.5, to, rest, rest}};
  char reason[300] = "";
  if (mbdc_follow(loop->control, 2, name, 2, point, 0, reason, sizeof reason) != MBD_OK) {
    fail_msg("%s", reason);
  }
  *most = *from_gravity = 0;
  for (int i = 0; i < 1500; i++) {
    double seen[7], g[7];
    report(loop, d);
    closed_step(loop);
    assert_ok(mbdc_read(loop->control, MBDC_OBSERVED, seen));
    assert_ok(mbdc_read(loop->control, MBDC_GRAVITY, g));
    if (i < 500) continue;
    for (int k = 0; k < 7; k++) {
      *most = fmax(*most, fabs(seen[k]));
      *from_gravity = fmax(*from_gravity, fabs(seen[k] - g[k]));
    }
  }
}

static void
told_it_sees_no_contact(void ** state)
{
  (void)state;
  static const driver_t DRIVER[] = {
    {"all", false, false, false, "[]"},
    {"without gravity", true, false, false, "[gravity]"},
    {"without friction", false, true, false, "[friction]"},
    {"currents, without both", true, true, true, "[gravity, friction]"}};
  for (size_t i = 0; i < sizeof DRIVER / sizeof *DRIVER; i++) {
    const driver_t * d = &DRIVER[i];
    closed_t loop;
    double most, from_gravity;
    begin(&loop, d, true);
    observe(&loop, d, &most, &from_gravity);
    print_message("%-24s told: estimate at most %.3f N m", d->name, most);
    assert_true(most < 0.15);
    // and a push of 20 N it sees
    const plant_push_t push = {
      closed_frame(&loop, "tool"), MBD_LOCAL_WORLD_ALIGNED, {{0, 0, 0}, {0, 0, -20}}, 1.0};
    assert_true(plant_push(loop.plant, &push));
    for (int n = 0; n < 500; n++) {
      report(&loop, d);
      closed_step(&loop);
    }
    double seen[7], J[42];
    assert_ok(mbdc_read(loop.control, MBDC_OBSERVED, seen));
    assert_ok(mbd_set_position(loop.model, loop.data, loop.plant->q));
    assert_ok(
      mbd_jacobian(loop.model, loop.data, closed_frame(&loop, "tool"), MBD_LOCAL_WORLD_ALIGNED, J));
    // angular rows first: the last one is along z
    for (int k = 0; k < 7; k++) assert_true(fabs(seen[k] + 20 * J[5 * 7 + k]) < 0.3);
    closed_free(&loop);
    begin(&loop, d, false);
    observe(&loop, d, &most, &from_gravity);
    print_message("; not told: %.2f N m, %.3f from g\n", most, from_gravity);
    if (d->gravity && !d->friction && !d->scaled) {
      assert_true(most > 10 && from_gravity < 0.5);
    } else if (d->gravity || d->friction) {
      assert_true(most > 0.25);
    }
    closed_free(&loop);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(told_it_sees_no_contact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
