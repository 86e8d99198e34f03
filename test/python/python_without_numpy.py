"""Without NumPy: array.array in, array.array and memoryview out."""
import array
import sys
import unittest

sys.modules['numpy'] = None  # import numpy raises ImportError

import mbdyn  # noqa: E402
from support import ROBOTS  # noqa: E402


class WithoutNumpy(unittest.TestCase):
    def test_arrays(self):
        model = mbdyn.load(ROBOTS / 'arm7.urdf')
        data = mbdyn.Data(model)
        q = model.random_configuration(3)
        self.assertIsInstance(q, array.array)
        v = array.array('d', [0.5] * 7)
        tau = data.inverse_dynamics(q, v)
        out = array.array('d', bytes(56))
        self.assertIs(data.inverse_dynamics(q, v, out=out), out)
        self.assertEqual(list(tau), list(out))
        M = data.mass_matrix()
        self.assertEqual(M.shape, (7, 7))
        energy = sum(v[i] * M[i, j] * v[j] for i in range(7) for j in range(7)) / 2
        self.assertAlmostEqual(energy, data.kinetic_energy(), 12)
        view = data.X_world.p
        self.assertEqual((view.shape, view.readonly), ((7, 3), True))
        J = memoryview(array.array('d', bytes(8 * 42))).cast('B').cast('d', (6, 7))
        self.assertIs(data.jacobian('link7', out=J), J)
        batch = mbdyn.Batch(model, 1)
        taus = batch.inverse_dynamics(q + q, v + v)
        self.assertEqual(taus.shape, (2, 7))
        self.assertLess(max(abs(taus[1, k] - tau[k]) for k in range(7)), 1e-10)
        for bad in (array.array('f', [0] * 7), array.array('d', [0] * 6), bytes(56)):
            with self.assertRaises((TypeError, ValueError)):
                data.set_position(bad)


if __name__ == '__main__':
    unittest.main()
