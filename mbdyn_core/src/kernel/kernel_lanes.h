// States into the lanes of vectors and back: transposition of as many rows as there are lanes, in
// squares. Included by kernel_instance.c.
//
// Rows that are no whole number of squares end with one that overlaps the one before. Rows shorter
// than a square reach into the next row, of which there must then be enough: the last row is apart,
// and rows below half a square go number by number.

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

// x times 0 is not zero where x is not finite, and stays so in a sum
ALWAYS bool finite_sum(lanes_t sum)
{
  return !any_many((lanes_int_t)(sum != 0.0));
}

// numbers j to j + KERNEL_LANES - 1 of all rows
ALWAYS lanes_t
spread_square(const double * const * row, size_t j, lanes_t * out)
{
  lanes_t x[KERNEL_LANES], sum = {0};
  for (int k = 0; k < KERNEL_LANES; k++) memcpy(&x[k], row[k] + j, sizeof x[k]);
  for (int k = 0; k < KERNEL_LANES; k++) sum += 0.0 * x[k];
  transpose(x);
  for (int k = 0; k < KERNEL_LANES; k++) out[j + (size_t)k] = x[k];
  return sum;
}

static bool
spread_short(const double * const * row, size_t width, lanes_t * out)
{
  lanes_t sum = {0};
  for (size_t j = 0; j < width; j++) {
    for (int k = 0; k < KERNEL_LANES; k++) out[j][k] = row[k][j];
    sum += 0.0 * out[j];
  }
  return finite_sum(sum);
}

static bool
spread(const double * from, size_t width, int count, void * to)
{
  const double *row[KERNEL_LANES], *end = from + (size_t)(count - 1) * width;
  double last[KERNEL_LANES] = {0};
  lanes_t sum = {0}, *out = to;
  const bool narrow = width < KERNEL_LANES;
  for (size_t j = 0; narrow && j < width; j++) last[j] = end[j];
  for (int k = 0; k < KERNEL_LANES; k++) {
    row[k] = k < count - 1 ? from + (size_t)k * width : narrow ? last : end;
  }
  if (2 * width < KERNEL_LANES) return spread_short(row, width, out);
  if (narrow) {
    // what comes out beyond the width is another row's, and finite or not on its own account
    lanes_t square[KERNEL_LANES];
    sum = spread_square(row, 0, square);
    for (size_t j = 0; j < width; j++) out[j] = square[j];
    return finite_sum(sum);
  }
  for (size_t j = 0; j + KERNEL_LANES <= width; j += KERNEL_LANES)
    sum += spread_square(row, j, out);
  if (width % KERNEL_LANES != 0) sum += spread_square(row, width - KERNEL_LANES, out);
  return finite_sum(sum);
}

// numbers j to j + KERNEL_LANES - 1 to the first `count` rows, which lie width apart
ALWAYS void
collect_square(const lanes_t * in, size_t j, size_t width, int count, double * to)
{
  lanes_t x[KERNEL_LANES];
  for (int k = 0; k < KERNEL_LANES; k++) x[k] = in[j + (size_t)k];
  transpose(x);
  for (int k = 0; k < count; k++) memcpy(to + (size_t)k * width + j, &x[k], sizeof x[k]);
}

static void
collect_row(const lanes_t * in, size_t width, int k, double * to)
{
  for (size_t j = 0; j < width; j++) to[j] = in[j][k];
}

static bool
collect(const void * from, size_t width, int count, double * to)
{
  const lanes_t * in = from;
  lanes_t sum = {0};
  for (size_t j = 0; j < width; j++) sum += 0.0 * in[j];
  if (!finite_sum(sum)) return false;
  if (2 * width < KERNEL_LANES) {
    for (int k = 0; k < count; k++) collect_row(in, width, k, to + (size_t)k * width);
  } else if (width < KERNEL_LANES) {
    // each row's end is written over by the next one; `in` has room for a whole square
    collect_square(in, 0, width, count - 1, to);
    collect_row(in, width, count - 1, to + (size_t)(count - 1) * width);
  } else {
    for (size_t j = 0; j + KERNEL_LANES <= width; j += KERNEL_LANES)
      collect_square(in, j, width, count, to);
    if (width % KERNEL_LANES != 0) collect_square(in, width - KERNEL_LANES, width, count, to);
  }
  return true;
}
