"""mbdyn.simulate, ik, identify and recording.

  python_tools.py [BAG_TOOL [MBDYN]]    the C programs that write recordings
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import mbdyn
from mbdyn import identify, ik, recording, simulate
from support import ROBOTS

BAG_TOOL = sys.argv[1] if len(sys.argv) > 1 else None
MBDYN = sys.argv[2] if len(sys.argv) > 2 else None


class Tools(unittest.TestCase):
    def setUp(self):
        self.model = mbdyn.load(ROBOTS / 'arm7.urdf')

    def test_simulate(self):
        q = self.model.random_configuration(3)
        m = simulate.run(self.model, q, duration=0.3, dt=0.01, torque=lambda d, t, q, v: -0.5 * v, rtol=1e-9)
        self.assertEqual((len(m), m.q.shape), (31, (31, 7)))
        np.testing.assert_allclose(m.energy - m.energy[0], m.work, atol=1e-5)
        # the same in discrete time, without a controller
        a = simulate.run(self.model, q, duration=0.2, dt=0.01, rtol=1e-10, atol=1e-12)
        b = simulate.controlled(self.model, lambda *_: None, q, duration=0.2, dt=0.001)
        np.testing.assert_allclose(a.q[-1], b.q[-1], atol=1e-8)

    def test_ik(self):
        X = ik.pose((0.4, 0.1, 0.5), rpy=(np.pi, 0, 0.3))
        q = ik.solve(self.model, 'link7', X, self.model.neutral())
        data = mbdyn.Data(self.model)
        data.set_position(q)
        np.testing.assert_allclose(data.frame_placement('link7'), X, atol=5e-6)
        self.assertGreater(len(ik.solve_all(self.model, 'link7', X, q)), 1)
        data.set_position(ik.solve(data, 'link7', (0.4, 0.1, 0.5)))
        np.testing.assert_allclose(data.frame_placement('link7')[:3, 3], X[:3, 3], atol=5e-6)
        with self.assertRaises(ik.NotReached) as caught:
            ik.solve(self.model, 'link7', (3, 0, 0), restarts=2)
        self.assertEqual(len(caught.exception.q), 7)

    def test_identify(self):
        """A robot with other masses: torques of another motion are predicted to the noise."""
        rng = np.random.default_rng(5)
        theta = mbdyn.Data(self.model).parameters_get(True)
        true = theta.copy()
        for k in range(7):
            true[10 * k:10 * k + 10] *= rng.uniform(0.7, 1.3)
        true[70::3] *= 1.5
        robot = self.model.with_parameters(True, true)
        _, q, v, a = identify.excitation(self.model, 5, 40)
        clean = (identify.regressor(robot, q, v, a, True) @ true).reshape(-1, 7)
        fit = identify.fit(self.model, q, v, a, clean + 0.05 * rng.standard_normal(clean.shape), friction=True)
        self.assertEqual(len(fit.theta), 91)
        np.testing.assert_allclose(fit.rms, 0.05, rtol=0.25)
        self.assertGreater(fit.rms_before.max(), 0.5)
        _, q, v, a = identify.excitation(self.model, 5, 40, seed=9)
        terms = mbdyn.TERM_FRICTION | mbdyn.TERM_ROTORS
        good, found, bad = (mbdyn.Data(m, terms) for m in (robot, fit.model, self.model))
        tau = [np.array([d.inverse_dynamics(*x) for x in zip(q, v, a)]) for d in (good, found, bad)]
        error = np.sqrt(((tau[1] - tau[0])**2).mean())
        self.assertLess(error, 0.03)
        self.assertGreater(np.sqrt(((tau[2] - tau[0])**2).mean()), 0.5)

    def test_bad_recordings(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, content in (('a.mcap', b'nothing'), ('b.db3', b'nothing at all'), ('c.mcap', b'')):
                path = pathlib.Path(folder) / name
                path.write_bytes(content)
                with self.assertRaises(recording.RecordingError) as caught:
                    recording.open(path)
                self.assertIn(name, str(caught.exception))
            with self.assertRaises(recording.RecordingError):
                recording.open(folder + '/none')

    @unittest.skipIf(BAG_TOOL is None, 'needs bag_tool')
    def test_recordings(self):
        """What the C library writes in every format and compression reads the same."""
        first = None
        for kind, compression in (('mcap', 'none'), ('mcap', 'zstd'), ('mcap', 'lz4'), ('sqlite3', 'none')):
            with tempfile.TemporaryDirectory() as folder:
                path = folder + '/bag'
                subprocess.run([BAG_TOOL, 'states', path, kind, compression, '500', 'a', 'b', 'c'], check=True,
                               stdout=subprocess.DEVNULL)
                bag = recording.open(path)
                self.assertEqual(bag.topics['/joint_states'], ('sensor_msgs/msg/JointState', 500), (kind, compression))
                joints = bag.joint_states()
                self.assertEqual(joints.names, ['a', 'b', 'c'])
                self.assertEqual(joints.q.shape, (500, 3))
                np.testing.assert_allclose(np.diff(joints.t), 1e-3, atol=1e-6)
                self.assertFalse(np.isnan(joints.q).any())
                first = first or joints
                np.testing.assert_array_equal(joints.q, first.q)
                # a file that was cut off gives what is there
                if kind == 'mcap' and compression == 'none':
                    file = next(pathlib.Path(path).glob('*.mcap'))
                    file.write_bytes(file.read_bytes()[:20000])
                    self.assertLess(len(recording.open(file).joint_states().t), 500)

    @unittest.skipIf(MBDYN is None, 'needs mbdyn')
    def test_simulated_recording(self):
        with tempfile.TemporaryDirectory() as folder:
            path = folder + '/run.mcap'
            subprocess.run([MBDYN, 'simulate', str(ROBOTS / 'arm7.urdf'), '--time', '0.5', '--mcap', path], check=True,
                           stdout=subprocess.DEVNULL)
            bag = recording.open(path)
            joints = bag.joint_states(model=self.model)
            self.assertEqual(joints.names, list(self.model.joint_names))
            self.assertGreater(len(joints.t), 40)
            for topic in bag.topics:
                self.assertTrue(list(bag.messages(topic)))


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1])
