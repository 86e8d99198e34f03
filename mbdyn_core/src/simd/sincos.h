// Sine and cosine of many angles at once, without branches: included once per type of number.
//
//   REAL, INT   a double and a 64-bit integer, or vectors of as many of each
//
// Reduction by pi/2 in three parts of 33 bits (exact products up to 2^20 quarter turns), remainder as
// a sum of two numbers, then the polynomials of the interval +-pi/4: within one unit in the last
// place for |x| <= SINCOS_LARGEST. Beyond, callers fall back to the C library.

static inline __attribute__((always_inline)) INT
KN(as_int)(REAL x)
{
  INT i;
  memcpy(&i, &x, sizeof i);
  return i;
}

static inline __attribute__((always_inline)) REAL
KN(as_real)(INT i)
{
  REAL x;
  memcpy(&x, &i, sizeof x);
  return x;
}

static inline __attribute__((always_inline)) void
KN(sincos)(REAL x, REAL * sine, REAL * cosine)
{
  // the nearest integer to x / (pi / 2) lands in the low bits of the mantissa
  const double shift = 6755399441055744.0;  // 1.5 * 2^52
  const REAL magic = x * 6.36619772367581382433e-01 + shift;
  const INT quarter = KN(as_int)(magic);
  const REAL n = magic - shift;

  // y + tail = x - n pi/2; the tail is too small for its square to count, if not for the last place of y
  const REAL first = x - n * 1.57079632673412561417e+00;
  const REAL second = n * 6.07710050630396597660e-11;
  const REAL y = first - second;
  const REAL tail = ((first - y) - second) - n * 2.02226624879595063154e-21;

  // polynomials by pairs, so that few products wait for each other
  const REAL z = y * y, z2 = z * z, z4 = z2 * z2;
  // sin y = y + y^3 (...)
  const REAL p = (8.33333333332248946124e-03 + z * -1.98412698298579493134e-04) +
                 z2 * (2.75573137070700676789e-06 + z * -2.50507602534068634195e-08) +
                 z4 * 1.58969099521155010221e-10;
  const REAL cube = z * y;
  const REAL s = y - ((z * (0.5 * tail - cube * p) - tail) - cube * -1.66666666666666324348e-01);
  // cos y = 1 - y^2/2 + ..., the small part of the first two terms kept
  const REAL r = z * ((4.16666666666666019037e-02 + z * -1.38888888888741095749e-03) +
                      z2 * (2.48015872894767294178e-05 + z * -2.75573143513906633035e-07) +
                      z4 * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11));
  const REAL half = 0.5 * z;
  const REAL one = 1.0 - half;
  const REAL c = one + (((1.0 - one) - half) + (z * r - y * tail));

  // odd quarters swap the two; signs by quarter
  const INT is = KN(as_int)(s), ic = KN(as_int)(c);
  const INT swap = (is ^ ic) & -(quarter & 1), sign = (quarter & 2) << 62;
  *sine = KN(as_real)((is ^ sign) ^ swap);
  *cosine = KN(as_real)((ic ^ sign ^ (quarter << 63)) ^ swap);
}
