// Rings of rows and thinning: against a plain reading of what an interval had.
#include "live_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"

static void
ring_keeps_the_newest(void ** state)
{
  (void)state;
  live_rows_t rows;
  assert_true(live_rows_init(&rows, 2, 4));
  assert_int_equal(live_rows_oldest(&rows), 0);
  for (int i = 0; i < 10; i++) live_rows_add(&rows, i, (float[]){(float)i, (float)-i});
  assert_int_equal(rows.next, 10);
  assert_int_equal(live_rows_oldest(&rows), 6);
  assert_int_equal(live_rows_first_after(&rows, -5), 6);
  assert_int_equal(live_rows_first_after(&rows, 7), 8);
  assert_int_equal(live_rows_first_after(&rows, 7.5), 8);
  assert_int_equal(live_rows_first_after(&rows, 99), 10);
  double t[4];
  float x[8];
  live_rows_copy(&rows, 6, 4, t, x);
  for (int i = 0; i < 4; i++) {
    assert_true(t[i] == 6 + i);
    assert_true(x[2 * i] == (float)(6 + i) && x[2 * i + 1] == (float)-(6 + i));
  }
  // after a clear only what comes then is there
  live_rows_clear(&rows);
  assert_int_equal(live_rows_oldest(&rows), 10);
  live_rows_add(&rows, 1, (float[]){1, 1});
  assert_int_equal(live_rows_oldest(&rows), 10);
  assert_int_equal(live_rows_first_after(&rows, 0.5), 10);
  live_rows_fini(&rows);
}

enum { WIDTH = 5, RAW = 5000 };

typedef struct raw {
  double t[RAW];
  float x[RAW][WIDTH];
} raw_t;

// numbers with single peaks, some of them not known
static raw_t *
make_raw(void)
{
  raw_t * raw = malloc(sizeof *raw);
  assert_non_null(raw);
  double t = 1000;
  for (int i = 0; i < RAW; i++) {
    t += 0.0002 + 0.002 * rand() / RAND_MAX;
    raw->t[i] = t;
    for (int k = 0; k < WIDTH; k++) {
      raw->x[i][k] = (float)sin(0.01 * i * (k + 1));
      if (rand() % 97 == 0) raw->x[i][k] *= 50;
      if (k == 3 && rand() % 3 == 0) raw->x[i][k] = NAN;
      if (k == 4) raw->x[i][k] = NAN;
    }
  }
  return raw;
}

// least, greatest, and which came first, of raw rows [from, to)
static void
expect_pair(const raw_t * raw, int from, int to, int k, const float * first, const float * second)
{
  float least = NAN, most = NAN;
  int least_at = -1, most_at = -1;
  for (int i = from; i < to; i++) {
    const float x = raw->x[i][k];
    if (isnan(x)) continue;
    if (!(x >= least)) least = x, least_at = i;
    if (!(x <= most)) most = x, most_at = i;
  }
  if (least_at < 0) {
    assert_true(isnan(*first) && isnan(*second));
    return;
  }
  assert_true(*first == (least_at <= most_at ? least : most));
  assert_true(*second == (least_at <= most_at ? most : least));
}

static void
thinning_keeps_peaks(void ** state)
{
  (void)state;
  const double period = 1.0 / 30;
  srand(1);
  raw_t * raw = make_raw();
  live_rows_t rows;
  live_thin_t thin;
  assert_true(live_rows_init(&rows, WIDTH, 1000));
  assert_true(live_thin_init(&thin, &rows, period));
  for (int i = 0; i < RAW; i++) live_thin_add(&thin, raw->t[i], raw->x[i]);
  uint64_t row = 0;
  int from = 0, intervals = 0;
  while (row < rows.next) {
    int to = from;
    while (to < RAW && floor(raw->t[to] / period) == floor(raw->t[from] / period)) to++;
    if (to == RAW) break;
    double t[2];
    float x[2 * WIDTH];
    assert_true(to - from > 1);
    live_rows_copy(&rows, row, 2, t, x);
    assert_true(t[0] == raw->t[from] && t[1] == raw->t[to - 1]);
    for (int k = 0; k < WIDTH; k++) expect_pair(raw, from, to, k, &x[k], &x[WIDTH + k]);
    row += 2;
    from = to;
    intervals++;
  }
  assert_int_equal(row, rows.next);
  assert_true(intervals > 100);
  live_thin_fini(&thin);
  live_rows_fini(&rows);
  free(raw);
}

// slower than the intervals: rows pass as they are
static void
slow_rows_pass(void ** state)
{
  (void)state;
  live_rows_t rows;
  live_thin_t thin;
  assert_true(live_rows_init(&rows, 1, 100));
  assert_true(live_thin_init(&thin, &rows, 0.1));
  for (int i = 0; i < 50; i++) live_thin_add(&thin, 0.07 * i, (float[]){(float)(i % 7)});
  for (uint64_t i = 0; i < rows.next; i++) {
    double t;
    float x;
    live_rows_copy(&rows, i, 1, &t, &x);
    assert_true(t == 0.07 * (double)i);
    assert_true(x == (float)(i % 7));
  }
  assert_true(rows.next >= 48);
  live_thin_fini(&thin);
  live_rows_fini(&rows);
}

static void
merging_keeps_peaks(void ** state)
{
  (void)state;
  srand(2);
  for (size_t n = 1; n < 300; n += 7) {
    raw_t * raw = make_raw();
    double t[300];
    float x[300 * WIDTH];
    memcpy(t, raw->t, sizeof t);
    memcpy(x, raw->x, sizeof x);
    const size_t most = 60, kept = live_rows_merge(t, x, WIDTH, n, most);
    assert_true(kept <= most);
    if (n <= most) {
      assert_int_equal(kept, n);
      assert_memory_equal(x, raw->x, n * WIDTH * sizeof *x);
    } else {
      const size_t size = (n + most / 2 - 1) / (most / 2);
      for (size_t from = 0, row = 0; from < n; from += size, row += 2) {
        const size_t to = from + size < n ? from + size : n;
        assert_true(t[row] == raw->t[from]);
        if (to - from == 1) continue;
        assert_true(t[row + 1] == raw->t[to - 1]);
        for (int k = 0; k < WIDTH; k++) {
          expect_pair(
            raw, (int)from, (int)to, k, &x[row * WIDTH + (size_t)k],
            &x[(row + 1) * WIDTH + (size_t)k]);
        }
      }
    }
    free(raw);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(ring_keeps_the_newest),
    cmocka_unit_test(thinning_keeps_peaks),
    cmocka_unit_test(slow_rows_pass),
    cmocka_unit_test(merging_keeps_peaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
