// The inverse of a symmetric positive definite matrix. Included by kernel_instance.c after
// kernel_mass.h.
//
// Elimination (Gauss and Jordan) with four pivots at a time, so that a row is read and written once for
// four of them. The four by four block of the next pivots is inverted, which waits for divisions, while
// the other rows are still at work.

typedef int64_t wide_int_at_t __attribute__((vector_size(8 * KERNEL_LANES), aligned(8), may_alias));

// a one in lane k, and zeros in lanes k to k + 3, for a load that begins k in front of the middle
static const double unit_lanes[2 * KERNEL_LANES + 1] = {[KERNEL_LANES] = 1};
#define ON2 -1, -1
#define ON8 ON2, ON2, ON2, ON2
#if KERNEL_LANES == 8
static const int64_t pivot_lanes[2 * KERNEL_LANES + 4] = {ON8, 0, 0, 0, 0, ON8};
#else
static const int64_t pivot_lanes[2 * KERNEL_LANES + 4] = {ON2, ON2, 0, 0, 0, 0, ON2, ON2};
#endif
// ones in the lanes below k
static const int64_t low_lanes[2 * KERNEL_LANES] = {
#if KERNEL_LANES == 8
  ON8
#else
  ON2, ON2
#endif
};
#undef ON2
#undef ON8

ALWAYS int
at_most(int x, int most)
{
  return x < most ? x : most;
}

ALWAYS lanes_t
unit_lane(int k)
{
  return *(const wide_at_t *)(unit_lanes + KERNEL_LANES - (k < -1 ? -1 : at_most(k, KERNEL_LANES)));
}

// x without the columns of four pivots, the first of which is lane k
ALWAYS lanes_t
but_pivots(lanes_t x, int k)
{
  const int64_t * from = pivot_lanes + KERNEL_LANES - (k < -4 ? -4 : at_most(k, KERNEL_LANES));
  return (lanes_t)((lanes_int_t)x & *(const wide_int_at_t *)from);
}

// the first n numbers, or as many as there are lanes, and zeros behind
ALWAYS lanes_t
load_first(const double * x, int n)
{
  if (n >= KERNEL_LANES) return *(const wide_at_t *)x;
#if KERNEL_LANES == 8
  return (lanes_t)_mm512_maskz_loadu_pd((__mmask8)((1 << n) - 1), x);
#elif defined __AVX__
  return (lanes_t)_mm256_maskload_pd(x, (__m256i)lane_masks[(1 << n) - 1]);
#else
  lanes_t out = {0};
  for (int k = 0; k < n; k++) out[k] = x[k];
  return out;
#endif
}

ALWAYS void
store_first(four_t x, int n, double * to)
{
  if (n >= 4) {
    *(four_at_t *)to = x;
    return;
  }
#ifdef __AVX__
  _mm256_maskstore_pd(to, (__m256i)lane_masks[(1 << n) - 1], (__m256d)x);
#else
  for (int k = 0; k < n; k++) to[k] = x[k];
#endif
}

//---------- two pivots ----------

// One step with the pivots k and k + 1, k even, on n rows of so many vectors, which the compiler keeps
// in registers. The second pivot is det / a.
ALWAYS bool
eliminate_two(int n, int width, double floor, int k, four_t * A)
{
  const int v = k / 4, lane = k % 4;
  four_t *p = A + k * width, *q = p + width;
  const double a = p[v][lane], b = p[v][lane + 1], c = q[v][lane + 1], det = a * c - b * b;
  if (!(a > floor && det > floor * a)) return false;
  const four_int_t others = lane_masks[15 ^ (3 << lane)];
  const four_t scale = splat(1 / det);
  p[v] = masked(p[v], others) + masked(splat(1), lane_masks[1 << lane]);
  q[v] = masked(q[v], others) + masked(splat(1), lane_masks[2 << lane]);
  for (int j = 0; j < width; j++) {
    const four_t x = p[j], y = q[j];
    p[j] = (splat(c) * x - splat(b) * y) * scale;
    q[j] = (splat(a) * y - splat(b) * x) * scale;
  }
  for (int i = 0; i < n; i++) {
    if (i == k || i == k + 1) continue;
    four_t * row = A + i * width;
    const four_t f = splat(row[v][lane]), g = splat(row[v][lane + 1]);
    row[v] = masked(row[v], others);
    for (int j = 0; j < width; j++) row[j] -= f * p[j] + g * q[j];
  }
  return true;
}

//---------- four pivots ----------

// the inverse of the block of four pivots from k on
ALWAYS bool
pivot_inverse(int width, double floor, int k, const lanes_t * A, four_t * G)
{
  for (int r = 0; r < 4; r++) {
    G[r] = *(const four_at_t *)((const double *)(A + (k + r) * width) + k);
  }
  return eliminate_two(4, 1, floor, 0, G) && eliminate_two(4, 1, floor, 2, G);
}

// rows of the pivots, times the inverse G of their block
ALWAYS void
pivot_rows(int width, int k, const four_t * G, lanes_t * A)
{
  lanes_t * p = A + k * width;
  const double * g = (const double *)G;
  for (int j = 0; j < width; j++) {
    const int at = k - j * KERNEL_LANES;
    lanes_t x[4];
    for (int r = 0; r < 4; r++) x[r] = but_pivots(p[r * width + j], at) + unit_lane(at + r);
    for (int r = 0; r < 4; r++) {
      p[r * width + j] =
        g[4 * r] * x[0] + g[4 * r + 1] * x[1] + (g[4 * r + 2] * x[2] + g[4 * r + 3] * x[3]);
    }
  }
}

// rows from i on without the pivots. Nothing is written as a single number: vectors that were would
// have to be waited for.
ALWAYS void
subtract_pivots(int width, int k, int i, int end, lanes_t * A)
{
  const lanes_t * p = A + k * width;
  for (; i < end; i++) {
    lanes_t * row = A + i * width;
    const double * f = (const double *)row + k;
    const double f0 = f[0], f1 = f[1], f2 = f[2], f3 = f[3];
    for (int j = 0; j < width; j++) {
      row[j] = but_pivots(row[j], k - j * KERNEL_LANES) - f0 * p[j] - f1 * p[width + j] -
               f2 * p[2 * width + j] - f3 * p[3 * width + j];
    }
  }
}

// of n rows and those that fill the last four up; false at a pivot that is not larger than the floor
ALWAYS bool
eliminate(int n, int width, double floor, lanes_t * A)
{
  four_t G[4];
  if (!pivot_inverse(width, floor, 0, A, G)) return false;
  for (int k = 0; k < n; k += 4) {
    const int next = k + 4, after = at_most(k + 8, n);
    pivot_rows(width, k, G, A);
    if (next < n) {
      subtract_pivots(width, k, next, after, A);
      if (!pivot_inverse(width, floor, next, A, G)) return false;
    }
    subtract_pivots(width, k, 0, k, A);
    subtract_pivots(width, k, after, n, A);
  }
  return true;
}

//---------- there and back ----------

// W C W, filled up by rows of the unit matrix
ALWAYS void
scaled_rows(int n, int width, const double * C, const double * w, lanes_t * A)
{
  for (int j = 0; j < width; j++) {
    const int first = j * KERNEL_LANES;
    const lanes_t wj = load_first(w + first, n - first);
    for (int i = 0; i < n; i++) {
      A[i * width + j] = w[i] * wj * load_first(C + (size_t)i * (size_t)n + first, n - first);
    }
    for (int i = n; i % 4 != 0; i++) A[i * width + j] = unit_lane(i - first);
  }
}

// largest sum of absolute values in a column
ALWAYS double
column_norm(int n, int width, const lanes_t * A)
{
  double largest = 0;
  for (int j = 0; j < width; j++) {
    lanes_t sum = {0};
    for (int i = 0; i < n; i++) sum += (lanes_t)((lanes_int_t)A[i * width + j] & INT64_MAX);
    for (int k = 0; k < KERNEL_LANES; k++) largest = sum[k] > largest ? sum[k] : largest;
  }
  return largest;
}

// A symmetric matrix from its upper triangle, four by four numbers at a time. The rows that are read
// end with a whole four, and so do the columns.
ALWAYS void
put_symmetric(int n, int stride, const double * A, int nv, double * out)
{
  for (int i = 0; i < n; i += 4) {
    for (int j = i; j < n; j += 4) {
      four_t row[4], column[4];
      for (int k = 0; k < 4; k++) row[k] = *(const four_at_t *)(A + (i + k) * stride + j);
      transpose_four(row, column);
      for (int k = 0; k < 4 && i == j; k++) {
        const four_int_t lower = lane_masks[(1 << k) - 1];
        row[k] = column[k] = masked(row[k], ~lower) + masked(column[k], lower);
      }
      for (int k = 0; k < 4 && i + k < n; k++) store_first(row[k], n - j, out + (i + k) * nv + j);
      if (i == j) continue;
      for (int k = 0; k < 4 && j + k < n; k++) {
        store_first(column[k], n - i, out + (j + k) * nv + i);
      }
    }
  }
}

// W A W in place
ALWAYS void
scale_rows(int n, int width, const double * w, lanes_t * A)
{
  for (int j = 0; j < width; j++) {
    const int first = j * KERNEL_LANES;
    const lanes_t wj = load_first(w + first, n - first);
    for (int i = 0; i < n; i++) A[i * width + j] *= w[i] * wj;
  }
}

// rows of so many vectors, a number that the compiler knows of the sizes that are met most often
ALWAYS double
invert_wide(
  int n, int width, double floor, const double * C, const double * w, lanes_t * A, double * out)
{
  scaled_rows(n, width, C, w, A);
  if (!eliminate(n, width, floor, A)) return 0;
  const double norm = column_norm(n, width, A);
  scale_rows(n, width, w, A);
  put_symmetric(n, width * KERNEL_LANES, (const double *)A, n, out);
  return norm;
}

// one frame: all of it stays in registers
static double
invert_six(double floor, const double * C, const double * w, double * out)
{
  const four_t low = *(const four_at_t *)w, high = {w[4], w[5]};
  const four_int_t magnitude = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
  four_t A[8 * 2] = {{0}}, sum[2] = {{0}, {0}};
  for (int i = 0; i < 6; i++) {
    A[2 * i] = *(const four_at_t *)(C + 6 * i) * low * splat(w[i]);
    A[2 * i + 1] = (four_t){C[6 * i + 4], C[6 * i + 5]} * high * splat(w[i]);
  }
  if (
    !eliminate_two(6, 2, floor, 0, A) || !eliminate_two(6, 2, floor, 2, A) ||
    !eliminate_two(6, 2, floor, 4, A)) {
    return 0;
  }
  for (int i = 0; i < 12; i++) {
    sum[i % 2] += masked(A[i], magnitude);
    A[i] *= (i % 2 ? high : low) * splat(w[i / 2]);
  }
  put_symmetric(6, 8, (const double *)A, 6, out);
  double largest = 0;
  for (int k = 0; k < 6; k++) largest = sum[k / 4][k % 4] > largest ? sum[k / 4][k % 4] : largest;
  return largest;
}

// With W = diag(w) the inverse of A = W C W, then W A^-1 W; returns the 1-norm of A^-1, or 0 as in
// eliminate. work: 2 n^2 numbers. C is read as it is, the result is symmetric.
static double
one_invert(int n, double floor, const double * C, const double * w, double * work, double * out)
{
  lanes_t few[12 * 16 / KERNEL_LANES];
  lanes_t * A = n <= 12 ? few : (lanes_t *)(((uintptr_t)work + 63) & ~(uintptr_t)63);
  const int width = (n + KERNEL_LANES - 1) / KERNEL_LANES;
  if (n == 6) return invert_six(floor, C, w, out);
  switch (n) {
    case 12: return invert_wide(12, (12 + KERNEL_LANES - 1) / KERNEL_LANES, floor, C, w, A, out);
    case 24: return invert_wide(24, 24 / KERNEL_LANES, floor, C, w, A, out);
    default: return invert_wide(n, width, floor, C, w, A, out);
  }
}
