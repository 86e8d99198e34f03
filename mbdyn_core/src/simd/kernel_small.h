// Small things that both kinds of kernels need, for one type of number: included with REAL and
// KN(name), and KN(all_above).

#define M3 KN(m3)

typedef struct KN(m3) {
  REAL m[9];
} KN(m3);

ALWAYS M3
KN(from_quaternion)(const REAL * q)
{
  const REAL x = q[0], y = q[1], z = q[2], w = q[3];
  return (M3){
    {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
     2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
     2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
}

// column-wise packed lower triangle and its L D L^T; false if a pivot is too small
ALWAYS bool
KN(factor6)(REAL A[6][6], const REAL * floor)
{
  bool good = true;
  for (int j = 0; j < 6; j++) {
    for (int k = 0; k < j; k++) {
      const REAL f = A[j][k] * A[k][k];
      for (int i = j; i < 6; i++) A[i][j] -= A[i][k] * f;
    }
    good = good && KN(all_above)(A[j][j], floor[j]);
    const REAL inverse = 1.0 / A[j][j];
    for (int i = j + 1; i < 6; i++) A[i][j] *= inverse;
  }
  return good;
}

ALWAYS void
KN(solve6)(REAL A[6][6], REAL * x)
{
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < i; k++) x[i] -= A[i][k] * x[k];
  }
  for (int i = 5; i >= 0; i--) {
    x[i] /= A[i][i];
    for (int k = i + 1; k < 6; k++) x[i] -= A[k][i] * x[k];
  }
}

#undef M3
