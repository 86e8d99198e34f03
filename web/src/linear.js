// Small dense linear algebra: row-major arrays.

/** Rows r0.. and columns c0.. of a matrix with `cols` columns. */
export function block(data, cols, r0, c0, rows, width) {
  const out = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < width; j++) out.push(data[(r0 + i) * cols + c0 + j]);
  }
  return out;
}

/** A A^T of a matrix with `rows` rows. */
export function gram(a, rows) {
  const cols = a.length / rows;
  const out = new Array(rows * rows).fill(0);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      for (let k = 0; k < cols; k++) out[i * rows + j] += a[i * cols + k] * a[j * cols + k];
    }
  }
  return out;
}

/** A B with A of `rows` rows and `inner` columns. */
export function multiply(a, b, rows, inner) {
  const cols = b.length / inner;
  const out = new Array(rows * cols).fill(0);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < inner; k++) {
      for (let j = 0; j < cols; j++) out[i * cols + j] += a[i * inner + k] * b[k * cols + j];
    }
  }
  return out;
}

export function transpose(a, rows) {
  const cols = a.length / rows;
  return Array.from({ length: a.length }, (_, k) => a[(k % rows) * cols + Math.floor(k / rows)]);
}

/**
 * Eigenvalues, ascending, and unit eigenvectors of a symmetric matrix of n rows, by Jacobi's
 * rotations. `vectors[k]` belongs to `values[k]`.
 */
export function symmetricEigen(matrix, n) {
  const a = matrix.slice();
  const v = Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? 1 : 0));
  for (let sweep = 0; sweep < 30 && offDiagonal(a, n) > 1e-14; sweep++) {
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(a, v, n, p, q);
  }
  const order = [...Array(n).keys()].sort((i, j) => a[i * n + i] - a[j * n + j]);
  return {
    values: order.map((i) => a[i * n + i]),
    vectors: order.map((i) => Array.from({ length: n }, (_, k) => v[k * n + i])),
  };
}

/**
 * Largest by smallest eigenvalue of a symmetric positive definite matrix of n rows: power iteration
 * with the matrix and with its Cholesky factor, each until the eigenvalue is steady. Infinity where a
 * pivot is not positive.
 */
export function conditionNumber(matrix, n) {
  const l = cholesky(matrix, n);
  if (!l) return Infinity;
  const times = (x) => multiply(matrix, x, n, n);
  return dominantEigenvalue(times, n) * dominantEigenvalue((x) => solveCholesky(l, x, n), n);
}

function dominantEigenvalue(apply, n) {
  let x = Array.from({ length: n }, (_, k) => 1 + Math.sin(1 + 7 * k)); // along no axis of symmetry
  let value = 0;
  const most = Math.min(3000, 2e7 / (n * n)); // a fraction of a second
  for (let k = 0; k < most; k++) {
    const size = Math.hypot(...x);
    x = apply(x.map((e) => e / size));
    const next = Math.hypot(...x);
    if (k > 20 && Math.abs(next - value) <= 1e-10 * next) return next;
    value = next;
  }
  return value;
}

// lower triangle, row-major; null where a pivot is not positive
function cholesky(a, n) {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      if (i === j && !(sum > 0)) return null;
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j];
    }
  }
  return l;
}

function solveCholesky(l, b, n) {
  const x = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
  return x;
}

function offDiagonal(a, n) {
  let off = 0;
  let all = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const square = a[i * n + j] ** 2;
      all += square;
      if (i !== j) off += square;
    }
  }
  return all > 0 ? Math.sqrt(off / all) : 0;
}

function rotate(a, v, n, p, q) {
  const apq = a[p * n + q];
  if (apq === 0) return;
  const theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) turn(a, k * n + p, k * n + q, c, s);
  for (let k = 0; k < n; k++) turn(a, p * n + k, q * n + k, c, s);
  for (let k = 0; k < n; k++) turn(v, k * n + p, k * n + q, c, s);
}

function turn(a, i, j, c, s) {
  const x = a[i];
  const y = a[j];
  a[i] = c * x - s * y;
  a[j] = s * x + c * y;
}
