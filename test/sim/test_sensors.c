// What the simulated robot's sensors do to the truth: nothing, noise, losses, delay.
#include <math.h>
#include <string.h>

#include "close.h"
#include "sensors.h"

enum { N = 3 };

static double position[N] = {1, -2, 3}, velocity[N] = {0.1, 0, -0.1}, effort[N] = {10, 20, 30};

static sensor_sample_t
truth_at(int64_t time)
{
  sensor_sample_t truth = {time, time + 7, position, velocity, effort, {0}};
  for (int i = 0; i < 13; i++) truth.base[i] = (double)time + i;
  return truth;
}

static void
without_settings_nothing_changes(void ** state)
{
  (void)state;
  sensors_t * sensors = sensors_create(N, 4, 1);
  const sensor_settings_t settings = {0};
  assert_null(sensors_next(sensors, &settings, 100));
  for (int64_t t = 1; t < 20; t++) {
    const sensor_sample_t truth = truth_at(t);
    sensors_measure(sensors, &settings, &truth);
    const sensor_sample_t * sample = sensors_next(sensors, &settings, t);
    assert_non_null(sample);
    assert_int_equal(sample->time, t);
    assert_int_equal(sample->stamp, t + 7);
    assert_memory_equal(sample->position, position, sizeof position);
    assert_memory_equal(sample->velocity, velocity, sizeof velocity);
    assert_memory_equal(sample->effort, effort, sizeof effort);
    assert_memory_equal(sample->base, truth.base, sizeof truth.base);
    assert_null(sensors_next(sensors, &settings, t));
  }
  sensors_destroy(sensors);
}

// measurements come in order, none before its time, and all that are due at once
static void
delay_holds_back(void ** state)
{
  (void)state;
  sensors_t * sensors = sensors_create(N, 100, 1);
  sensor_settings_t settings = {.delay = 0.005};
  for (int64_t k = 0; k < 50; k++) {
    const int64_t now = k * 1000000;
    const sensor_sample_t truth = truth_at(now);
    sensors_measure(sensors, &settings, &truth);
    const sensor_sample_t * sample = sensors_next(sensors, &settings, now);
    if (k < 5) {
      assert_null(sample);
    } else {
      assert_int_equal(sample->time, now - 5000000);
      assert_null(sensors_next(sensors, &settings, now));
    }
  }
  // a shorter delay: the ones in between have arrived too
  settings.delay = 0.002;
  for (int64_t k = 45; k <= 47; k++) {
    assert_int_equal(sensors_next(sensors, &settings, 49000000)->time, k * 1000000);
  }
  assert_null(sensors_next(sensors, &settings, 49000000));
  sensors_clear(sensors);
  assert_null(sensors_next(sensors, &settings, 1000000000));
  sensors_destroy(sensors);
}

static void
too_many_push_out_the_oldest(void ** state)
{
  (void)state;
  sensors_t * sensors = sensors_create(N, 4, 1);
  const sensor_settings_t settings = {.delay = 1};
  for (int64_t t = 0; t < 10; t++) {
    const sensor_sample_t truth = truth_at(t);
    sensors_measure(sensors, &settings, &truth);
  }
  assert_int_equal(sensors->overflow, 6);
  assert_int_equal(sensors_next(sensors, &settings, 2000000000)->time, 6);
  sensors_destroy(sensors);
}

// mean and deviation as they should be within five standard errors; nothing else is touched
static void
noise_is_normal(void ** state)
{
  (void)state;
  enum { COUNT = 20000 };
  sensors_t * sensors = sensors_create(N, 1, 42);
  const sensor_settings_t settings = {.position = 0.01, .effort = 2};
  double sum[2] = {0}, square[2] = {0}, cube = 0, inside = 0;
  for (int64_t t = 0; t < COUNT; t++) {
    const sensor_sample_t truth = truth_at(t);
    sensors_measure(sensors, &settings, &truth);
    const sensor_sample_t * sample = sensors_next(sensors, &settings, t);
    assert_memory_equal(sample->velocity, velocity, sizeof velocity);
    const double x[2] = {
      (sample->position[1] - position[1]) / 0.01, (sample->effort[2] - effort[2]) / 2};
    for (int k = 0; k < 2; k++) sum[k] += x[k], square[k] += x[k] * x[k];
    cube += x[0] * x[0] * x[0];
    inside += fabs(x[0]) < 1;
  }
  for (int k = 0; k < 2; k++) {
    assert_true(fabs(sum[k] / COUNT) < 5 / sqrt(COUNT));
    assert_true(fabs(square[k] / COUNT - 1) < 5 * sqrt(2.0 / COUNT));
  }
  assert_true(fabs(cube / COUNT) < 5 * sqrt(15.0 / COUNT));
  assert_true(fabs(inside / COUNT - 0.682689) < 5 * sqrt(0.682689 * 0.317311 / COUNT));
  sensors_destroy(sensors);
}

static void
dropout_loses_a_share(void ** state)
{
  (void)state;
  enum { COUNT = 20000 };
  sensors_t * sensors = sensors_create(N, 1, 7);
  const double share[4] = {0, 0.1, 0.7, 1};
  for (int k = 0; k < 4; k++) {
    const sensor_settings_t settings = {.dropout = share[k]};
    int arrived = 0;
    const uint64_t before = sensors->lost;
    for (int64_t t = 0; t < COUNT; t++) {
      const sensor_sample_t truth = truth_at(t);
      sensors_measure(sensors, &settings, &truth);
      arrived += sensors_next(sensors, &settings, t) != NULL;
    }
    const double lost = 1 - (double)arrived / COUNT;
    assert_true(fabs(lost - share[k]) <= 5 * sqrt(share[k] * (1 - share[k]) / COUNT));
    assert_int_equal(sensors->lost - before, COUNT - arrived);
  }
  sensors_destroy(sensors);
}

static double
first_noise(uint64_t seed)
{
  sensors_t * sensors = sensors_create(N, 1, seed);
  const sensor_settings_t settings = {.velocity = 1};
  const sensor_sample_t truth = truth_at(0);
  sensors_measure(sensors, &settings, &truth);
  const double x = sensors_next(sensors, &settings, 0)->velocity[0];
  sensors_destroy(sensors);
  return x;
}

static void
seed_makes_the_noise(void ** state)
{
  (void)state;
  assert_true(first_noise(5) == first_noise(5));
  assert_true(first_noise(5) != first_noise(6));
  sensors_destroy(NULL);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(without_settings_nothing_changes),
    cmocka_unit_test(delay_holds_back),
    cmocka_unit_test(too_many_push_out_the_oldest),
    cmocka_unit_test(noise_is_normal),
    cmocka_unit_test(dropout_loses_a_share),
    cmocka_unit_test(seed_makes_the_noise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
