// One control thread, and others that configure, follow, set targets and read the status all the time. Built with the
// thread sanitizer as well.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "closed_loop.h"

enum { UPDATES = 4000 };

typedef struct shared {
  closed_t * loop;
  mbdc_settings_t * settings;  // of the thread that configures
  atomic_bool done;
  atomic_int configured, followed, set, looked;
} shared_t;

static void *
configure(void * argument)
{
  shared_t * s = argument;
  static const char * const mode[] = {
    "joint_impedance", "cartesian_impedance", "computed_torque", "gravity_compensation"};
  for (int n = 0; !atomic_load(&s->done); n++) {
    if (mbdc_set(s->settings, "mode", mode[n % 4], NULL, 0) != MBD_OK) continue;
    const mbd_status_t status = mbdc_configure(s->loop->control, s->settings, NULL, 0);
    if (status == MBD_OK) atomic_fetch_add(&s->configured, 1);
  }
  return NULL;
}

static void *
follow(void * argument)
{
  shared_t * s = argument;
  static const char * const name[1] = {"joint1"};
  static const double to[1] = {0.2}, rest[1] = {0};
  const mbdc_point_t point = {0.3, to, rest, rest};
  for (int n = 0; !atomic_load(&s->done); n++) {
    if (n % 7 == 6) mbdc_hold(s->loop->control);
    const mbd_status_t status = mbdc_follow(s->loop->control, 1, name, 1, &point, 0, NULL, 0);
    if (status == MBD_OK) atomic_fetch_add(&s->followed, 1);
  }
  return NULL;
}

static void *
aim(void * argument)
{
  shared_t * s = argument;
  double pose[7] = {0.4, 0, 0.5, 1, 0, 0, 0};
  for (int n = 0; !atomic_load(&s->done); n++) {
    pose[1] = 1e-3 * (n % 10);
    const mbd_status_t a = mbdc_set_target(s->loop->control, MBDC_TARGET_POSE, -1, pose);
    const mbd_status_t b = mbdc_set_target(s->loop->control, MBDC_TARGET_WRENCH, -1, pose);
    if (a == MBD_OK && b == MBD_OK) atomic_fetch_add(&s->set, 1);
  }
  return NULL;
}

static void *
look(void * argument)
{
  shared_t * s = argument;
  uint64_t last = 0;
  while (!atomic_load(&s->done)) {
    mbdc_status_t status;
    mbdc_copy_status(s->loop->control, &status);
    // counters grow
    if (status.commands < last) return s;
    last = status.commands;
    atomic_fetch_add(&s->looked, 1);
  }
  return NULL;
}

static void
others_do_not_disturb(void ** state)
{
  (void)state;
  static const double q[7] = {0.1, -0.785, 0.2, -2.356, -0.3, 1.571, 0.785};
  static void * (*const WORK[4])(void *) = {configure, follow, aim, look};
  closed_t loop;
  shared_t s = {.loop = &loop};
  pthread_t thread[4];
  closed_open(&loop, "arm7");
  closed_set(&loop, "mode", "joint_impedance");
  closed_set(&loop, "operational_frame", "tool");
  closed_start(&loop, q);
  loop.plant->options.friction = loop.plant->options.limits = true;
  closed_ready(&loop);
  s.settings = mbdc_settings_copy(loop.settings);
  assert_non_null(s.settings);
  for (int i = 0; i < 4; i++) assert_int_equal(pthread_create(&thread[i], NULL, WORK[i], &s), 0);
  // until all of them have had their turn
  for (int n = 0; n < UPDATES || !s.configured || !s.followed || !s.set || !s.looked; n++) {
    closed_step(&loop);
    assert_true(loop.result == MBDC_COMMANDED);
    for (int k = 0; k < 7; k++) assert_true(isfinite(loop.effort[k]));
    // the machine may have one processor
    if (n % 50 == 0) sched_yield();
    assert_true(n < 100 * UPDATES);
  }
  atomic_store(&s.done, true);
  for (int i = 0; i < 4; i++) {
    void * wrong;
    assert_int_equal(pthread_join(thread[i], &wrong), 0);
    assert_null(wrong);
  }
  print_message(
    "%d configurations, %d trajectories, %d targets, %d looks\n", s.configured, s.followed, s.set,
    s.looked);
  mbdc_settings_destroy(s.settings);
  closed_free(&loop);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(others_do_not_disturb)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
