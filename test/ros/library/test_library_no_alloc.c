// What belongs to the control thread touches no heap: updates in every mode with everything that a mode can have, new
// settings, trajectories and targets from outside, references by index, refused states, and a state that stops.
#include "closed_loop.h"
#include "heap_count.h"

static const char * const MODES[] = {
  "passive",           "gravity_compensation",   "inverse_dynamics", "computed_torque",
  "operational_space", "quasi_velocity_damping", "joint_impedance",  "cartesian_impedance"};
enum { NMODE = sizeof MODES / sizeof *MODES };

static void
settings(closed_t * loop, const char * mode)
{
  closed_set(loop, "mode", mode);
  closed_set(loop, "operational_frame", "tool");
  closed_set(loop, "observer_frame", "tool");
  closed_set(loop, "cartesian_inertia", "[8, 0.3]");
  closed_set(loop, "ki", "[1]");
  closed_set(loop, "damping", "[1]");
  closed_set(loop, "effort_excludes", "[gravity, coriolis, friction]");
  closed_set(loop, "slew_limit", "[1000]");
  closed_set(loop, "target_timeout", "0.01");
}

// armed around calls of the control thread alone
static void
quiet_step(closed_t * loop)
{
  loop->input.position = loop->plant->q;
  loop->input.velocity = loop->plant->v;
  loop->input.effort = loop->measured;
  armed = 1;
  loop->result = mbdc_update(loop->control, &loop->input, loop->effort);
  armed = 0;
  assert_ok(plant_step(loop->plant, loop->effort, 1e-9 * (double)loop->period));
  loop->input.time += loop->period;
  loop->input.period = loop->period;
}

static void
disturb(closed_t * loop, int n)
{
  static const char * const name[1] = {"joint1"};
  const double from[1] = {loop->plant->q[0]}, to[1] = {loop->plant->q[0] + 0.05}, rest[1] = {0};
  const mbdc_point_t point[2] = {{0, from, rest, rest}, {0.02, to, rest, rest}};
  const double pose[7] = {0.4, 0, 0.5, 1, 0, 0, 0}, six[6] = {0.1, 0, 0, 0, 0, 0};
  const int tool = closed_frame(loop, "tool");
  mbd_status_t status = MBD_OK;
  if (n == 20) status = mbdc_follow(loop->control, 1, name, 2, point, 0, NULL, 0);
  if (n == 40) status = mbdc_set_target(loop->control, MBDC_TARGET_POSE, -1, pose);
  if (n == 45) status = mbdc_set_target(loop->control, MBDC_TARGET_TWIST, -1, six);
  if (n == 50) status = mbdc_set_target(loop->control, MBDC_TARGET_WRENCH, tool, six);
  if (n == 55) status = mbdc_set_target(loop->control, MBDC_EXTERNAL_WRENCH, tool, six);
  if (n == 60) status = mbdc_configure(loop->control, loop->settings, NULL, 0);
  if (n == 65) mbdc_hold(loop->control);
  // a trajectory may be too far away for a mode that moves
  assert_true(status == MBD_OK || n == 20);
}

static void
updates_allocate_nothing(void ** state)
{
  (void)state;
  static const double q[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};
  int results = 0;
  for (int m = 0; m < NMODE; m++) {
    closed_t loop;
    double reference[7], feedforward[7] = {1}, value[7], wrench[6];
    closed_open(&loop, "arm7");
    settings(&loop, MODES[m]);
    closed_start(&loop, q);
    for (int k = 0; k < 7; k++) loop.measured[k] = 0;
    for (int n = 0; n < 400; n++) {
      disturb(&loop, n);
      memcpy(reference, loop.plant->q, sizeof reference);
      loop.input.position_reference = n > 80 && n < 100 ? reference : NULL;
      loop.input.effort_reference = n > 80 && n < 100 ? feedforward : NULL;
      // a sensor fails, and then the state stops for longer than `timeout`
      if (n >= 200) loop.plant->q[3] = n < 205 || n > 350 ? q[3] : (double)NAN;
      if (n == 205) loop.plant->v[0] = 0;
      if (n >= 205 && n <= 350) {
        loop.input.position = NULL;
        armed = 1;
        loop.result = mbdc_update(loop.control, &loop.input, loop.effort);
        armed = 0;
        loop.input.time += loop.period;
      } else {
        if (n == 351) assert_ok(plant_reset(loop.plant, q));
        quiet_step(&loop);
      }
      results |= 1 << loop.result;
      armed = 1;
      const mbd_status_t read = mbdc_read(loop.control, MBDC_OBSERVED, value);
      const mbd_status_t seen = mbdc_external_wrench(loop.control, wrench);
      const mbdc_status_t * s = mbdc_get_status(loop.control);
      armed = 0;
      assert_ok(read);
      assert_true(seen == MBD_OK || seen == MBD_ERROR_STAGE);
      assert_true(s->active);
      if (touched) fail_msg("%s: %d calls of the heap in update %d", MODES[m], touched, n);
    }
    armed = 1;
    mbdc_deactivate(loop.control, loop.effort);
    mbdc_activate(loop.control);
    armed = 0;
    assert_int_equal(touched, 0);
    closed_free(&loop);
  }
  // every kind of result was among them, but that of an inactive controller
  assert_int_equal(
    results, 1 << MBDC_COMMANDED | 1 << MBDC_PASSIVE | 1 << MBDC_WAITING | 1 << MBDC_REFUSED |
               1 << MBDC_STOPPED);
}

// the counter sees what it should
static void
counter_works(void ** state)
{
  (void)state;
  armed = 1;
  mbdc_settings_t * settings_of_its_own = mbdc_settings_create();
  armed = 0;
  assert_true(touched > 0);
  touched = 0;
  mbdc_settings_destroy(settings_of_its_own);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(counter_works),
    cmocka_unit_test(updates_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
