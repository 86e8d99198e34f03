// States into the lanes of vectors and back: transposition of as many rows as there are lanes, in
// squares. Included by kernel_instance.c.

#if KERNEL_LANES == 8
#define TRANSPOSITION                                                         \
  TRANSPOSITION_STEP(1, 0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15) \
  TRANSPOSITION_STEP(2, 0, 1, 8, 9, 4, 5, 12, 13, 2, 3, 10, 11, 6, 7, 14, 15) \
  TRANSPOSITION_STEP(4, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)
#define TRANSPOSITION_STEP(s, a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7) \
  EXCHANGE(s, (a0, a1, a2, a3, a4, a5, a6, a7), (b0, b1, b2, b3, b4, b5, b6, b7))
#else
#define TRANSPOSITION                           \
  TRANSPOSITION_STEP(1, 0, 4, 2, 6, 1, 5, 3, 7) \
  TRANSPOSITION_STEP(2, 0, 1, 4, 5, 2, 3, 6, 7)
#define TRANSPOSITION_STEP(s, a0, a1, a2, a3, b0, b1, b2, b3) \
  EXCHANGE(s, (a0, a1, a2, a3), (b0, b1, b2, b3))
#endif

#define UNPACK(...) __VA_ARGS__
#ifdef __clang__
#define LANES_SHUFFLE(a, b, list) __builtin_shufflevector(a, b, UNPACK list)
#else
#define LANES_SHUFFLE(a, b, list) __builtin_shuffle(a, b, (lanes_int_t){UNPACK list})
#endif

// blocks of s numbers off the diagonal change places
#define EXCHANGE(s, low, high)              \
  for (int i = 0; i < KERNEL_LANES; i++) {  \
    if (i & (s)) continue;                  \
    const lanes_t a = x[i], b = x[i + (s)]; \
    x[i] = LANES_SHUFFLE(a, b, low);        \
    x[i + (s)] = LANES_SHUFFLE(a, b, high); \
  }

ALWAYS void
transpose(lanes_t * x){TRANSPOSITION}

//---------- the first n numbers of a vector ----------

ALWAYS lanes_t load_part(const double * from, size_t n)
{
#if defined(__AVX512F__) && KERNEL_LANES == 8
  return (lanes_t)_mm512_maskz_loadu_pd((__mmask8)((1u << n) - 1), from);
#else
  lanes_t x = {0};
  for (size_t k = 0; k < n; k++) x[k] = from[k];
  return x;
#endif
}

ALWAYS void
store_part(double * to, size_t n, lanes_t x)
{
#if defined(__AVX512F__) && KERNEL_LANES == 8
  _mm512_mask_storeu_pd(to, (__mmask8)((1u << n) - 1), (__m512d)x);
#else
  for (size_t k = 0; k < n; k++) to[k] = x[k];
#endif
}

ALWAYS lanes_t
load_whole(const double * from)
{
  lanes_t x;
  memcpy(&x, from, sizeof x);
  return x;
}

//---------- states to lanes ----------

// x times 0 is not zero where x is not finite, and stays so in a sum
ALWAYS bool
finite_sum(lanes_t sum)
{
  return !any_many((lanes_int_t)(sum != 0.0));
}

// 0 x of all numbers, in sums that need not wait for each other
static bool
all_lanes_finite(const lanes_t * x, size_t n)
{
  lanes_t sum[4] = {{0}, {0}, {0}, {0}};
  size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    for (size_t j = 0; j < 4; j++) sum[j] += 0.0 * x[k + j];
  }
  for (; k < n; k++) sum[0] += 0.0 * x[k];
  return finite_sum((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

static bool
spread(const double * from, size_t width, int count, void * to)
{
  const double * row[KERNEL_LANES];
  lanes_t sum = {0}, *out = to;
  for (int k = 0; k < KERNEL_LANES; k++)
    row[k] = from + (size_t)(k < count ? k : count - 1) * width;
  for (size_t j = 0; j < width; j += KERNEL_LANES) {
    const size_t n = width - j;
    lanes_t x[KERNEL_LANES];
    for (int k = 0; k < KERNEL_LANES; k++) {
      x[k] = n >= KERNEL_LANES ? load_whole(row[k] + j) : load_part(row[k] + j, n);
      sum += 0.0 * x[k];
    }
    transpose(x);
    for (int k = 0; k < KERNEL_LANES && (size_t)k < n; k++) out[j + (size_t)k] = x[k];
  }
  return finite_sum(sum);
}

//---------- and back ----------

// numbers of `count` states, which lie `stride` apart
static void
collect_rows(const lanes_t * in, size_t width, size_t stride, int count, double * to)
{
  for (size_t j = 0; j < width; j += KERNEL_LANES) {
    const size_t n = width - j;
    lanes_t x[KERNEL_LANES];
    for (int k = 0; k < KERNEL_LANES; k++) x[k] = (size_t)k < n ? in[j + (size_t)k] : in[j];
    transpose(x);
    for (int k = 0; k < KERNEL_LANES; k++) {
      double * at = to + (size_t)k * stride + j;
      if (k >= count) break;
      if (n >= KERNEL_LANES)
        memcpy(at, &x[k], sizeof x[k]);
      else
        store_part(at, n, x[k]);
    }
  }
}

static bool
collect(const void * from, size_t width, int count, double * to)
{
  const lanes_t * in = from;
  if (!all_lanes_finite(in, width)) return false;
  collect_rows(from, width, width, count, to);
  return true;
}

//---------- arrays that are in lanes already ----------

// copies, in lanes that have none, of the last state
static void
fill_lanes(lanes_t * x, size_t width, int count)
{
  for (size_t k = 0; k < width; k++) {
    for (int j = count; j < KERNEL_LANES; j++) x[k][j] = x[k][count - 1];
  }
}

// number k of all lanes at to[k]; false as in spread
static bool
take_lanes(const double * from, size_t width, int count, void * to)
{
  lanes_t *out = to, sum[2] = {{0}, {0}};
  size_t k = 0;
  for (; k + 2 <= width; k += 2) {
    for (size_t j = 0; j < 2; j++) {
      out[k + j] = load_whole(from + (k + j) * KERNEL_LANES);
      sum[j] += 0.0 * out[k + j];
    }
  }
  if (k < width) {
    out[k] = load_whole(from + k * KERNEL_LANES);
    sum[0] += 0.0 * out[k];
  }
  if (__builtin_expect(count == KERNEL_LANES, 1)) return finite_sum(sum[0] + sum[1]);
  fill_lanes(out, width, count);
  return all_lanes_finite(out, width);
}

// and back, as collect
static bool
give_lanes(const void * from, size_t width, int count, double * to)
{
  const lanes_t * in = from;
  (void)count;
  if (!all_lanes_finite(in, width)) return false;
  for (size_t k = 0; k < width; k++) memcpy(to + k * KERNEL_LANES, &in[k], sizeof in[k]);
  return true;
}

//---------- quaternions ----------

// to unit length, those that do not have it but for rounding; false: one is out of the range where
// squares tell its length
static bool
unit_quaternions(const mbdi_plan_t * plan, void * q)
{
  for (int i = 0; i < plan->nquaternion; i++) {
    lanes_t * x = (lanes_t *)q + plan->quaternion[i].q;
    const lanes_t square = (x[0] * x[0] + x[1] * x[1]) + (x[2] * x[2] + x[3] * x[3]);
    const lanes_int_t off = (square <= 1 - 1e-15) | (square >= 1 + 1e-15);
    if (__builtin_expect(!any_many(off), 1)) continue;
    if (any_many((square <= 1e-200) | (square >= 1e200))) return false;
    lanes_t scale = {0};
    for (int k = 0; k < KERNEL_LANES; k++) scale[k] = off[k] ? 1 / sqrt(square[k]) : 1;
    for (int k = 0; k < 4; k++) x[k] *= scale;
  }
  return true;
}
