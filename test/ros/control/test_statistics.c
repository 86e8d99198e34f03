// Histograms against sorted samples.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "random_tree.h"
#include "statistics.h"

enum { SAMPLES = 20000 };

static histogram_t histogram;

static int
compare(const void * a, const void * b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// the smallest sample that q of all samples do not exceed
static double
exact_quantile(const int64_t * sorted, int n, double q)
{
  const int rank = (int)ceil(q * n);
  return 1e-9 * (double)sorted[rank < 1 ? 0 : rank - 1];
}

static void
compare_quantiles(const histogram_copy_t * copy, int64_t * sample, int n)
{
  static const double Q[] = {0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1};
  qsort(sample, (size_t)n, sizeof *sample, compare);
  for (size_t i = 0; i < sizeof Q / sizeof *Q; i++) {
    const double exact = exact_quantile(sample, n, Q[i]), q = histogram_quantile(copy, Q[i]);
    if (!(fabs(q - exact) <= 0.025 * exact)) {
      fail_msg("quantile %g of %d: %g s, should be %g s", Q[i], n, q, exact);
    }
  }
}

// times over many orders of magnitude: uniform in their logarithm, with a long tail
static int64_t
random_time(uint64_t * seed, double low, double high)
{
  const double spread = random_between(seed, 0, 1) * random_between(seed, 0, 1);
  return (int64_t)(low * pow(high / low, spread));
}

static void
quantiles_are_those_of_the_samples(void ** state)
{
  (void)state;
  static const double range[][2] = {{100, 1e11}, {20e3, 90e3}, {1e6, 1.04e6}, {5e9, 9e10}};
  static int64_t sample[SAMPLES];
  histogram_copy_t copy;
  uint64_t seed = 1;
  for (size_t r = 0; r < sizeof range / sizeof *range; r++) {
    memset(&histogram, 0, sizeof histogram);
    double sum = 0;
    for (int i = 0; i < SAMPLES; i++) {
      sample[i] = random_time(&seed, range[r][0], range[r][1]);
      sum += 1e-9 * (double)sample[i];
      histogram_add(&histogram, sample[i]);
    }
    histogram_read(&histogram, &copy);
    assert_int_equal(copy.count, SAMPLES);
    compare_quantiles(&copy, sample, SAMPLES);
    assert_int_equal(copy.max, sample[SAMPLES - 1]);
    const double mean = histogram_mean(&copy), exact = sum / SAMPLES;
    assert_close(&mean, &exact, 1, 1e-12, "mean");
  }
}

static void
few_samples(void ** state)
{
  (void)state;
  int64_t sample[] = {3000, 5000, 4000};
  histogram_copy_t copy;
  memset(&histogram, 0, sizeof histogram);
  histogram_read(&histogram, &copy);
  assert_true(isnan(histogram_quantile(&copy, 0.5)));
  assert_true(isnan(histogram_mean(&copy)));
  for (int n = 1; n <= 3; n++) {
    histogram_add(&histogram, sample[n - 1]);
    histogram_read(&histogram, &copy);
    int64_t sorted[3];
    memcpy(sorted, sample, sizeof sorted);
    compare_quantiles(&copy, sorted, n);
  }
}

static void
times_beyond_the_scale(void ** state)
{
  (void)state;
  histogram_copy_t copy;
  memset(&histogram, 0, sizeof histogram);
  histogram_add(&histogram, -5);
  histogram_add(&histogram, 0);
  histogram_add(&histogram, 99);
  histogram_read(&histogram, &copy);
  assert_int_equal(copy.bin[0], 3);
  assert_int_equal(copy.sum, 99);
  assert_true(histogram_quantile(&copy, 0.5) <= 100e-9);
  const int64_t year = 31557600ll * 1000000000ll;
  for (int i = 0; i < 10; i++) histogram_add(&histogram, year);
  histogram_add(&histogram, 100);
  histogram_read(&histogram, &copy);
  assert_int_equal(copy.count, 14);
  assert_int_equal(copy.bin[1], 1);
  assert_int_equal(copy.bin[HISTOGRAM_BINS - 1], 10);
  const double q = histogram_quantile(&copy, 0.9), exact = 31557600;
  assert_close(&q, &exact, 1, 1e-12, "quantile");
}

// each bin ends 5 % after it begins, and they leave nothing out
static void
bins_are_where_they_should_be(void ** state)
{
  (void)state;
  for (int k = 1; k < HISTOGRAM_BINS; k++) {
    histogram_copy_t copy;
    memset(&histogram, 0, sizeof histogram);
    const double begin = 100 * exp((k - 1) * log(1.05));
    histogram_add(&histogram, (int64_t)ceil(begin * (1 + 1e-9)));
    if (begin > 1000) histogram_add(&histogram, (int64_t)floor(1.05 * begin * (1 - 1e-9)));
    histogram_read(&histogram, &copy);
    assert_int_equal(copy.bin[k], copy.count);
  }
}

static void
difference_of_two_copies(void ** state)
{
  (void)state;
  static int64_t second[SAMPLES];
  histogram_copy_t before, now, difference;
  uint64_t seed = 7;
  memset(&histogram, 0, sizeof histogram);
  for (int i = 0; i < SAMPLES; i++) histogram_add(&histogram, random_time(&seed, 1e4, 1e8));
  histogram_add(&histogram, 1000000000);
  histogram_read(&histogram, &before);
  for (int i = 0; i < SAMPLES; i++) {
    second[i] = random_time(&seed, 2e6, 9e8);
    histogram_add(&histogram, second[i]);
  }
  histogram_read(&histogram, &now);
  histogram_since(&now, &before, &difference);
  assert_int_equal(difference.count, SAMPLES);
  qsort(second, SAMPLES, sizeof *second, compare);
  // the true maximum was before: this one is only known to a bin
  const double max = (double)difference.max, exact = (double)second[SAMPLES - 1];
  assert_true(max >= exact && max <= 1.05 * exact);
  difference.max = (uint64_t)second[SAMPLES - 1];
  compare_quantiles(&difference, second, SAMPLES);

  histogram_add(&histogram, 2000000000);
  histogram_read(&histogram, &before);
  histogram_since(&before, &now, &difference);
  assert_int_equal(difference.max, 2000000000);
  assert_int_equal(difference.count, 1);
  histogram_since(&before, &before, &difference);
  assert_int_equal(difference.count, 0);
  assert_int_equal(difference.max, 0);
  assert_true(isnan(histogram_quantile(&difference, 0.5)));
}

//---------- read while it is written ----------

enum { ADDED = 300000 };

static void *
add_many(void * argument)
{
  (void)argument;
  for (int i = 0; i < ADDED; i++) histogram_add(&histogram, 1000 + i);
  return NULL;
}

static void
read_while_written(void ** state)
{
  (void)state;
  pthread_t thread;
  histogram_copy_t copy = {.count = 0}, last = {.count = 0};
  memset(&histogram, 0, sizeof histogram);
  assert_int_equal(pthread_create(&thread, NULL, add_many, NULL), 0);
  while (copy.count < ADDED) {
    histogram_read(&histogram, &copy);
    assert_true(copy.count >= last.count && copy.max >= last.max && copy.sum >= last.sum);
    last = copy;
  }
  assert_int_equal(pthread_join(thread, NULL), 0);
  histogram_read(&histogram, &copy);
  assert_int_equal(copy.count, ADDED);
  assert_int_equal(copy.max, 1000 + ADDED - 1);
  assert_int_equal(copy.sum, 1000ull * ADDED + (uint64_t)ADDED * (ADDED - 1) / 2);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(quantiles_are_those_of_the_samples),
    cmocka_unit_test(few_samples),
    cmocka_unit_test(times_beyond_the_scale),
    cmocka_unit_test(bins_are_where_they_should_be),
    cmocka_unit_test(difference_of_two_copies),
    cmocka_unit_test(read_while_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
