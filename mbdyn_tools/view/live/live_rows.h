/// \file live_rows.h
/// Rows of numbers over time, the newest so many, and thinning that keeps peaks.
///
///   live_rows_t     a ring of rows                live_rows_init, _fini, _clear, _add
///                   live_rows_copy, _first_after
///   live_thin_t     two rows per interval         live_thin_init, _fini, _clear, _add, _flush
///   live_rows_merge fewer rows out of many, likewise
///
/// Each number of an interval keeps its least and its greatest value, in the order in which they
/// came: what is drawn through them has the same envelope. NaN stands for "not known" and gives way
/// to any number. Memory is taken by init alone.
#ifndef LIVE_ROWS_H_
#define LIVE_ROWS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct live_rows {
  size_t width;     ///< numbers in a row
  size_t capacity;  ///< rows
  uint64_t next;    ///< rows ever added; the last one is next - 1
  double * t;       ///< [capacity]
  float * x;        ///< [capacity][width]
} live_rows_t;

/// False if out of memory. Touches all of it, so that a program's size does not grow afterwards.
bool live_rows_init(live_rows_t * rows, size_t width, size_t capacity);
void live_rows_fini(live_rows_t * rows);
/// Forgets the rows; numbers go on.
void live_rows_clear(live_rows_t * rows);
void live_rows_add(live_rows_t * rows, double t, const float * x);

/// Number of the oldest row that is still there; next if there is none.
uint64_t live_rows_oldest(const live_rows_t * rows);
/// Number of the first row with a time greater than t; next if there is none.
uint64_t live_rows_first_after(const live_rows_t * rows, double t);
/// Replaces the numbers of the newest row, if its time is t.
void live_rows_replace_last(live_rows_t * rows, double t, const float * x);
/// Copies rows [from, from + n), which must be there.
void live_rows_copy(const live_rows_t * rows, uint64_t from, size_t n, double * t, float * x);

typedef struct live_thin {
  live_rows_t * to;
  double period;       ///< of an interval [s]
  int64_t interval;    ///< that is being filled
  uint32_t count;      ///< rows in it
  double first, last;  ///< their times
  float *least, *most;
  uint32_t *least_at, *most_at;  ///< which row had it
} live_thin_t;

bool live_thin_init(live_thin_t * thin, live_rows_t * to, double period);
void live_thin_fini(live_thin_t * thin);
void live_thin_clear(live_thin_t * thin);
/// Times must grow.
void live_thin_add(live_thin_t * thin, double t, const float * x);
/// Ends the interval now: its rows are in `to`.
void live_thin_flush(live_thin_t * thin);

/// n rows become at most `most` (even, at least 2), in place.
/// \return how many there are now
size_t live_rows_merge(double * t, float * x, size_t width, size_t n, size_t most);

#endif  // LIVE_ROWS_H_
