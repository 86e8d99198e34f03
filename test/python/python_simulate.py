"""Simulation and inverse kinematics through Python, against closed forms, energy and forward kinematics."""
import gc
import sys
import unittest
import weakref

import numpy as np

import mbdyn
from support import ROBOTS, SOURCE

PENDULUM = '''<robot name="pendulum"><link name="world"/><link name="bob"><inertial><origin xyz="0 0 -1"/>
<mass value="2"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="hinge" type="continuous"><parent link="world"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>'''


class Simulations(unittest.TestCase):
    def test_pendulum(self):
        """Small swings: period 2 pi sqrt(L / g); energy is kept."""
        model = mbdyn.Model.from_urdf(PENDULUM)
        sim = mbdyn.Simulation(model, rtol=1e-10, atol=1e-12)
        sim.start(0, [1e-3])
        energy = sim.energy
        sim.run(2 * np.pi / np.sqrt(9.81))
        np.testing.assert_allclose(sim.q, [1e-3], atol=1e-8)
        self.assertAlmostEqual(sim.energy, energy, 9)
        self.assertGreater(sim.steps, 10)

    def test_torque(self):
        """Gravity compensation holds an arm at rest; work and energy balance under any torque."""
        model = mbdyn.load(ROBOTS / 'arm7.urdf')
        asked = []

        def hold(data, t, q, v):
            asked.append(t)
            return data.gravity_torque() - 5 * v
        sim = mbdyn.Simulation(model, hold)
        q = model.random_configuration(4)
        sim.start(0, q)
        sim.run(0.5)
        np.testing.assert_allclose(sim.q, q, atol=1e-9)
        self.assertTrue(asked)
        moved = mbdyn.Simulation(model, lambda data, t, q, v: np.sin(3 * t + np.arange(7)), rtol=1e-9, atol=1e-10)
        moved.start(0, q)
        start = moved.energy
        moved.run(0.5)
        self.assertGreater(abs(moved.work), 0.1)
        self.assertAlmostEqual(moved.energy - start, moved.work, 4)
        q, v, qdd, _ = moved.at(moved.t)
        tau = moved.data.inverse_dynamics(q, v, qdd)
        np.testing.assert_allclose(tau, np.sin(3 * moved.t + np.arange(7)), atol=1e-6)

    def test_errors_of_torque(self):
        model = mbdyn.load(ROBOTS / 'arm7.urdf')
        sim = None

        def raises(data, t, q, v):
            raise ZeroDivisionError('of mine')

        def again(data, t, q, v):
            sim.step(1)
        for torque, error, text in [(raises, ZeroDivisionError, 'of mine'), (again, RuntimeError, 'computing'),
                                    (lambda *_: np.zeros(6), ValueError, '7 numbers'),
                                    (lambda *_: 'x', TypeError, 'float64')]:
            sim = mbdyn.Simulation(model, torque)
            with self.assertRaises(error) as caught:
                sim.start(0, model.neutral())
                sim.run(0.1)
            self.assertIn(text, str(caught.exception))
        with self.assertRaises(mbdyn.StageError):
            mbdyn.Simulation(model).run(1)
        with self.assertRaises(ValueError):
            mbdyn.Simulation(model, method='euler')
        with self.assertRaises(mbdyn.ModelError):
            mbdyn.Simulation(mbdyn.load(ROBOTS / 'boom.urdf', flexible=str(ROBOTS / 'boom.flexible.yaml')))

    def test_loops(self):
        model = mbdyn.load(ROBOTS / 'finger.urdf', loops=str(ROBOTS / 'finger.loops.yaml'), embed=False)
        sim = mbdyn.Simulation(model)
        q = mbdyn.Data(model).assemble(model.neutral())[0]
        sim.start(0, q)
        sim.run(0.05)
        sim.data.set_position(sim.q)
        self.assertLess(sim.error_position, 1e-9)
        self.assertEqual(len(sim.at(sim.t)[3]), model.nrow)

    def test_life(self):
        """A simulation that its own torque refers to is collected; its workspace keeps it alive."""
        model = mbdyn.load(ROBOTS / 'arm7.urdf')

        class Controller:
            def __init__(self):
                self.sim = mbdyn.Simulation(model, self.torque)

            def torque(self, data, t, q, v):
                return None
        controller = Controller()
        controller.sim.start(0, model.neutral())
        alive = weakref.ref(controller)
        data = controller.sim.data
        view = data.q
        before = view.copy()
        del controller
        gc.collect()
        np.testing.assert_array_equal(view, before)
        del data, view
        gc.collect()
        self.assertIsNone(alive())
        counts = sys.getrefcount(model)
        for _ in range(50):
            Controller().sim.start(0, model.neutral())
        gc.collect()
        self.assertEqual(sys.getrefcount(model), counts)
        model.close()

    def test_wrenches(self):
        model = mbdyn.load(ROBOTS / 'arm7.urdf')
        sim = mbdyn.Simulation(model)
        sim.set_wrenches([('link7', [0, 0, 10, 0, 0, 0])])
        q = model.random_configuration(2)
        sim.start(0, q)
        expected = mbdyn.Data(model).forward_dynamics(q, np.zeros(7), None, [('link7', [0, 0, 10, 0, 0, 0])])
        np.testing.assert_allclose(sim.qdd, expected, atol=1e-8)
        sim.set_wrenches()
        sim.refresh()
        self.assertGreater(np.abs(sim.qdd - expected).max(), 0.1)


class InverseKinematics(unittest.TestCase):
    def setUp(self):
        self.model = mbdyn.load(ROBOTS / 'arm7.urdf')
        self.data = mbdyn.Data(self.model)

    def test_poses(self):
        for k in range(20):
            wanted = self.model.random_configuration(k)
            self.data.set_position(wanted)
            X = self.data.frame_placement('link7')
            q, result = self.data.ik([('link7', X)], self.model.neutral())
            self.assertTrue(result['solved'], result)
            self.data.set_position(q)
            np.testing.assert_allclose(self.data.frame_placement('link7'), X, atol=5e-6)
            solutions, _ = self.data.ik_all([('link7', X)], wanted, most=8)
            self.assertGreater(len(solutions), 0)
            np.testing.assert_allclose(solutions[0], wanted, atol=1e-4)

    def test_axes_and_failures(self):
        X = np.eye(4)
        X[:3, 3] = 0.4, 0.1, 0.5
        q, result = self.data.ik([('link7', X, [1, 1, 1, 0, 0, 0])])
        self.assertTrue(result['solved'])
        self.data.set_position(q)
        np.testing.assert_allclose(self.data.frame_placement('link7')[:3, 3], X[:3, 3], atol=5e-6)
        X[:3, 3] = 5, 0, 0
        q, result = self.data.ik([('link7', X)], restarts=2)
        self.assertFalse(result['solved'])
        self.assertIn(result['outcome'], ('unreachable', 'at_limit', 'iterations'))
        for bad in ([('link7',)], 3, [('link7', np.eye(3))], [('link7', X, [1, 1])], [('nowhere', X)]):
            with self.assertRaises((TypeError, ValueError, KeyError)):
                self.data.ik(bad)


if __name__ == '__main__':
    unittest.main()
