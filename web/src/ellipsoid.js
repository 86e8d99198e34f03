// Manipulability and effective-mass ellipsoids of a frame.

import { block, gram, multiply, symmetricEigen, transpose } from './linear.js';

const LOCAL = 0;
const WORLD = 1;

// [v, w] at point p from [v, w] at the origin: v_p = v - p x w
function shift(p) {
  const [x, y, z] = p;
  return [
    1,
    0,
    0,
    0,
    z,
    -y,
    0,
    1,
    0,
    -z,
    0,
    x,
    0,
    0,
    1,
    y,
    -x,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    1,
  ];
}

/**
 * J J^T of the linear rows: unit joint velocities give tip velocities inside the ellipsoid whose
 * semi-axes are the roots of its eigenvalues.
 * \param jacobian message; \param origin of the frame in the world, for Jacobians at the world's
 */
export function manipulability(jacobian, origin) {
  const { rows, cols, data, reference } = jacobian;
  if (rows !== 6 || data.some((x) => x === null)) return null;
  const whole = reference === WORLD ? multiply(shift(origin), data, 6, 6) : data;
  const linear = block(whole, cols, 0, 0, 3, cols);
  const { values, vectors } = symmetricEigen(gram(linear, 3), 3);
  const lengths = values.map((x) => Math.sqrt(Math.max(x, 0)));
  const all = symmetricEigen(gram(whole, 6), 6).values.map((x) => Math.sqrt(Math.max(x, 0)));
  return {
    lengths,
    vectors,
    local: reference === LOCAL,
    measure: lengths[0] * lengths[1] * lengths[2], // sqrt(det(J J^T)), linear part
    measure6: all.reduce((product, x) => product * x, 1),
    condition: all[0] > 1e-12 * all[5] ? all[5] / all[0] : Infinity,
  };
}

/**
 * Effective masses at the origin of the frame, joints free: x^T (J M^-1 J^T) x = 1 of the linear part
 * has semi-axes sqrt(mass).
 */
export function effectiveMass(inertia, frame, origin) {
  const index = inertia.frames.indexOf(frame);
  const { cols, compliance, reference } = inertia;
  if (index < 0 || !compliance || compliance.length !== cols * cols) return null;
  let mine = block(compliance, cols, 6 * index, 6 * index, 6, 6);
  if (mine.some((x) => x === null)) return null;
  if (reference === WORLD) {
    const x = shift(origin);
    mine = multiply(multiply(x, mine, 6, 6), transpose(x, 6), 6, 6);
  }
  const { values, vectors } = symmetricEigen(block(mine, 6, 0, 0, 3, 3), 3);
  const masses = values.map((c) => (c > 1e-12 ? 1 / c : Infinity));
  return { lengths: masses.map(Math.sqrt), vectors, masses, local: reference === LOCAL };
}
