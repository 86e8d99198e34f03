#include "live_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//---------- ring ----------

bool
live_rows_init(live_rows_t * rows, size_t width, size_t capacity)
{
  *rows = (live_rows_t){.width = width, .capacity = capacity};
  rows->t = malloc(capacity * sizeof *rows->t);
  rows->x = malloc(capacity * width * sizeof *rows->x);
  if (!rows->t || !rows->x) {
    live_rows_fini(rows);
    return false;
  }
  live_rows_clear(rows);
  for (size_t i = 0; i < capacity * width; i++) rows->x[i] = NAN;
  return true;
}

void
live_rows_fini(live_rows_t * rows)
{
  free(rows->t);
  free(rows->x);
  memset(rows, 0, sizeof *rows);
}

// a row without a time is none
void
live_rows_clear(live_rows_t * rows)
{
  for (size_t i = 0; i < rows->capacity; i++) rows->t[i] = (double)NAN;
}

void
live_rows_add(live_rows_t * rows, double t, const float * x)
{
  const size_t at = (size_t)(rows->next++ % rows->capacity);
  rows->t[at] = t;
  memcpy(rows->x + at * rows->width, x, rows->width * sizeof *x);
}

void
live_rows_replace_last(live_rows_t * rows, double t, const float * x)
{
  if (rows->next == 0) return;
  const size_t at = (size_t)((rows->next - 1) % rows->capacity);
  // NaN: the row was cleared
  if (rows->t[at] == t) memcpy(rows->x + at * rows->width, x, rows->width * sizeof *x);
}

static double
time_of(const live_rows_t * rows, uint64_t number)
{
  return rows->t[number % rows->capacity];
}

uint64_t
live_rows_oldest(const live_rows_t * rows)
{
  const uint64_t kept = rows->next < rows->capacity ? rows->next : rows->capacity;
  uint64_t low = rows->next - kept, high = rows->next;
  // those that were cleared are the first ones
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (isnan(time_of(rows, middle)))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint64_t
live_rows_first_after(const live_rows_t * rows, double t)
{
  uint64_t low = live_rows_oldest(rows), high = rows->next;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (time_of(rows, middle) > t)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

void
live_rows_copy(const live_rows_t * rows, uint64_t from, size_t n, double * t, float * x)
{
  for (size_t i = 0; i < n; i++) {
    const size_t at = (size_t)((from + i) % rows->capacity);
    t[i] = rows->t[at];
    memcpy(x + i * rows->width, rows->x + at * rows->width, rows->width * sizeof *x);
  }
}

//---------- thinning ----------

bool
live_thin_init(live_thin_t * thin, live_rows_t * to, double period)
{
  *thin = (live_thin_t){.to = to, .period = period};
  thin->least = calloc(to->width, sizeof *thin->least);
  thin->most = calloc(to->width, sizeof *thin->most);
  thin->least_at = calloc(to->width, sizeof *thin->least_at);
  thin->most_at = calloc(to->width, sizeof *thin->most_at);
  if (thin->least && thin->most && thin->least_at && thin->most_at) return true;
  live_thin_fini(thin);
  return false;
}

void
live_thin_fini(live_thin_t * thin)
{
  free(thin->least);
  free(thin->most);
  free(thin->least_at);
  free(thin->most_at);
  memset(thin, 0, sizeof *thin);
}

void
live_thin_clear(live_thin_t * thin)
{
  thin->count = 0;
}

static void
extend(live_thin_t * thin, const float * x)
{
  for (size_t k = 0; k < thin->to->width; k++) {
    if (thin->count == 0 || isnan(thin->least[k])) {
      thin->least[k] = thin->most[k] = x[k];
      thin->least_at[k] = thin->most_at[k] = thin->count;
    } else if (x[k] < thin->least[k]) {
      thin->least[k] = x[k];
      thin->least_at[k] = thin->count;
    } else if (x[k] > thin->most[k]) {
      thin->most[k] = x[k];
      thin->most_at[k] = thin->count;
    }
  }
}

// a pair of equal times would be no time at all
void
live_thin_flush(live_thin_t * thin)
{
  if (thin->count > 1) {
    for (size_t k = 0; k < thin->to->width; k++) {
      if (thin->least_at[k] <= thin->most_at[k]) continue;
      const float least = thin->least[k];
      thin->least[k] = thin->most[k];
      thin->most[k] = least;
    }
  }
  if (thin->count > 0) live_rows_add(thin->to, thin->first, thin->least);
  if (thin->count > 1) live_rows_add(thin->to, thin->last, thin->most);
  thin->count = 0;
}

void
live_thin_add(live_thin_t * thin, double t, const float * x)
{
  const int64_t interval = (int64_t)floor(t / thin->period);
  if (thin->count > 0 && interval != thin->interval) live_thin_flush(thin);
  if (thin->count == 0) thin->first = t;
  thin->interval = interval;
  thin->last = t;
  extend(thin, x);
  thin->count++;
}

//---------- merging ----------

// one number of rows [0, n): least and greatest, in the order in which they come
static void
merge_number(const float * x, size_t width, size_t n, float pair[2])
{
  size_t least = 0, most = 0;
  for (size_t i = 1; i < n; i++) {
    const float value = x[i * width];
    if (isnan(x[least * width]))
      least = most = i;
    else if (value < x[least * width])
      least = i;
    else if (value > x[most * width])
      most = i;
  }
  pair[0] = x[(least < most ? least : most) * width];
  pair[1] = x[(least < most ? most : least) * width];
}

size_t
live_rows_merge(double * t, float * x, size_t width, size_t n, size_t most)
{
  if (n <= most) return n;
  const size_t groups = most / 2, size = (n + groups - 1) / groups;
  size_t to = 0;
  for (size_t from = 0; from < n; from += size) {
    const size_t here = n - from < size ? n - from : size;
    const double first = t[from], last = t[from + here - 1];
    for (size_t k = 0; k < width; k++) {
      float pair[2];
      merge_number(x + from * width + k, width, here, pair);
      // what is written here has been read: two rows come out of three or more, or of the last few
      x[to * width + k] = pair[0];
      if (here > 1) x[(to + 1) * width + k] = pair[1];
    }
    t[to++] = first;
    if (here > 1) t[to++] = last;
  }
  return to;
}
