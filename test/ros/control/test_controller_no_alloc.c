// One cycle of the control thread touches no heap: settings, trajectories, every mode, the gate.
#include "gate.h"
#include "heap_count.h"
#include "stance_rig.h"

//---------- the interposer ----------

// the interposer sees what it should: the test below can fail
static void
interposer_works(void ** state)
{
  (void)state;
  armed = 1;
  void * volatile p = malloc(10);
  free(p);
  armed = 0;
  assert_int_equal(touched, 2);
  touched = 0;
}

//---------- the cycle ----------

// all that a mode can have: task, observer, integral, payload, wrenches
static void
everything_on(rig_t * rig)
{
  uint64_t seed = 2;
  controller_settings_t * s = rig->s;
  for (int k = 0; k < 7; k++) {
    s->kp[k] = s->posture_kp[k] = 100, s->kd[k] = s->posture_kd[k] = 20, s->ki[k] = 1;
    s->damping[k] = s->joint_stiffness[k] = s->nullspace_stiffness[k] = 1, rig->effort[k] = 1;
  }
  for (int k = 0; k < 6; k++)
    s->task_row[k] = true, s->task_kp[k] = s->task_stiffness[k] = 100, s->task_kd[k] = 20;
  // gains are bounded at this rate
  rig->c->sample_time = 0.1;
  s->integral_limit = 1;
  s->stay_in_component = true;
  s->component_horizon = 1;
  s->task_frame = s->observer_frame = rig_frame(rig, "tool");
  s->model_terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS;
  s->observer = true;
  s->npayload = 1;
  s->payload[0] = (controller_payload_t){s->task_frame, random_inertia(&seed)};
  rig->c->targets.twist_known = rig->c->targets.wrench_known = true;
  rig->c->targets.nexternal = 8;
  for (int i = 0; i < 8; i++) {
    const mbd_wrench_t w = {s->task_frame, MBD_WORLD, random_force(&seed)};
    rig->c->targets.external[i] = w;
  }
}

// what the control thread does with new settings, and then in each cycle
static mbd_status_t
cycles(rig_t * rig, trajectory_t * t, gate_t * gate)
{
  static const gate_settings_t settings = {true, 2, GATE_GRAVITY};
  mbd_status_t status = MBD_OK;
  controller_apply(rig->c, rig->s);
  controller_follow(rig->c, t);
  for (int n = 0; n < 20 && status == MBD_OK; n++) {
    rig->input.effort_known = n % 5 == 4;
    rig->c->stream.known = n == 15;
    if (n == 8) controller_stop(rig->c);
    status = controller_step(
      rig->c, &rig->input, rig_ns(10 + 0.1 * n), rig_ns(0.1 * n), n ? 0.1 : 0,
      gate->sent ? gate->command : NULL);
    if (n == 18) gate_stale(gate, &settings, rig->c->gravity);
    gate_pass(gate, &settings, rig->c->command, 0.1);
  }
  gate_last(gate, &settings, GATE_ZERO, NULL);
  gate_restart(gate);
  controller_restart(rig->c);
  return status;
}

static void
nothing_allocates(void ** state)
{
  (void)state;
  static const char * const name[1] = {"joint1"};
  const double from[1] = {0.1}, to[1] = {0.4};
  rig_t rig;
  rig_arm(&rig);
  everything_on(&rig);
  gate_t * gate = gate_create(7);
  trajectory_t * t = rig_trajectory(&rig, 1, name, from, to, 0, 1);
  for (int mode = MODE_PASSIVE; mode < CONTROLLER_MODES; mode++) {
    for (int change = 0; change < 2; change++) {
      rig.s->mode = (controller_mode_t)mode;
      rig.s->npayload = change;
      for (int k = 0; k < 6; k++) rig.s->task_inertia[k] = change;
      rig.s->observer_options.order = 1 + change;
      armed = 1;
      const mbd_status_t status = cycles(&rig, t, gate);
      armed = 0;
      assert_ok(status);
      assert_int_equal(touched, 0);
    }
  }
  assert_true(gate->count.passed > 100 && gate->count.stale == 2 * CONTROLLER_MODES);
  rig_drop(t);
  gate_destroy(gate);
  rig_free(&rig);
}

// a robot that stands, in every mode, pushed so far that its feet cannot give what it takes
static void
standing_allocates_nothing(void ** state)
{
  (void)state;
  stance_t s;
  stance_load(&s, &HUMANOID, 100, 20);
  gate_t * gate = gate_create((size_t)s.model->nv);
  rig_state(&s.rig, s.q, s.v);
  for (int k = 6; k < s.model->nv; k++) s.rig.v[k] = 3;
  for (int mode = MODE_PASSIVE; mode < CONTROLLER_MODES; mode++) {
    s.rig.s->mode = (controller_mode_t)mode;
    armed = 1;
    const mbd_status_t status = cycles(&s.rig, NULL, gate);
    const mbd_status_t held = controller_hold_torques(s.rig.c, gate->command);
    armed = 0;
    assert_ok(status);
    assert_ok(held);
    assert_int_equal(touched, 0);
  }
  assert_true(s.rig.c->support.limited > 0);
  gate_destroy(gate);
  stance_free(&s);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(interposer_works),
    cmocka_unit_test(nothing_allocates),
    cmocka_unit_test(standing_allocates_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
