"""How the Python module behaves: arguments, results, views, life of objects, errors."""
import gc
import sys
import threading
import unittest
import warnings

import numpy as np

import mbdyn
from support import ROBOTS, SOURCE

ARM = str(ROBOTS / 'arm7.urdf')
TIP = 'link7'


class Case(unittest.TestCase):
    def setUp(self):
        self.model = mbdyn.load(ARM)
        self.data = mbdyn.Data(self.model)
        rng = np.random.default_rng(1)
        self.q = self.model.random_configuration(1)
        self.v, self.a = rng.standard_normal((2, self.model.nv))


class Arguments(Case):
    def test_out(self):
        tau = np.empty(7)
        self.assertIs(self.data.inverse_dynamics(self.q, self.v, self.a, out=tau), tau)
        np.testing.assert_array_equal(tau, self.data.inverse_dynamics(self.q, self.v, self.a))
        np.testing.assert_array_equal(tau, self.data.inverse_dynamics(qdd=self.a, v=self.v, q=self.q))
        # the header allows this one
        same = self.a.copy()
        self.data.inverse_dynamics(self.q, self.v, same, out=same)
        np.testing.assert_array_equal(same, tau)

    def test_lists(self):
        expected = self.data.inverse_dynamics(self.q, self.v, self.a)
        lists = self.data.inverse_dynamics(list(self.q), tuple(self.v), list(self.a))
        np.testing.assert_array_equal(lists, expected)

    def refuse(self, kind, text, function, *args, **keywords):
        with self.assertRaises(kind) as caught:
            function(*args, **keywords)
        self.assertIn(text, str(caught.exception))

    def test_refused_inputs(self):
        set_position = self.data.set_position
        two = np.zeros((7, 2))
        odd = np.frombuffer(bytearray(8 * 7 + 1), dtype=np.uint8)[1:].view(float)
        for bad, kind, text in [
                (self.q.astype('f4'), TypeError, 'float64'), (self.q.astype('i8'), TypeError, 'float64'),
                (self.q.astype('>f8'), TypeError, 'float64'), (self.q.astype(complex), TypeError, 'float64'),
                (np.array(list(self.q), dtype=object), TypeError, 'q must be'),
                (self.q[::-1], ValueError, 'contiguous'), (two[:, 0], ValueError, 'contiguous'),
                (self.q[:6], ValueError, '7 numbers, not 6'), (np.zeros(8), ValueError, '7 numbers, not 8'),
                (self.q.reshape(7, 1), ValueError, '7 x 1'), (np.float64(1), ValueError, 'without dimension'),
                (odd, ValueError, 'aligned'), ('1234567', TypeError, 'q must be'), (7, TypeError, 'q must be'),
                (bytes(56), TypeError, 'float64'), ([1, 2], ValueError, '7 numbers, not 2'),
                (['x'] * 7, TypeError, 'q[0]'), (None, TypeError, "needs the argument 'q'")]:
            self.refuse(kind, text, set_position, bad)
        self.refuse(mbdyn.NumericError, 'finite', set_position, np.full(7, np.nan))

    def test_refused_outputs(self):
        f = self.data.inverse_dynamics
        args = (self.q, self.v, self.a)
        frozen = np.empty(7)
        frozen.setflags(write=False)
        block = np.empty(14)
        block[:7] = self.q
        self.refuse(ValueError, 'writable', f, *args, out=frozen)
        self.refuse(TypeError, 'float64', f, *args, out=np.empty(7, 'f4'))
        self.refuse(ValueError, '7 numbers', f, *args, out=np.empty(6))
        self.refuse(ValueError, 'contiguous', f, *args, out=np.empty(14)[::2])
        self.refuse(TypeError, 'out must be', f, *args, out=[0] * 7)
        self.refuse(ValueError, 'overlaps', f, *args, out=self.q)
        self.refuse(ValueError, 'overlaps', f, block[:7], self.v, self.a, out=block[3:10])
        self.refuse(ValueError, 'overlaps', f, self.q, self.v, block[:7], out=block[1:8])
        self.data.set_position(self.q)
        self.refuse(ValueError, 'writable', f, *args, out=self.data.q)
        self.refuse(ValueError, '7 x 7', self.data.mass_matrix, out=np.empty((7, 6)))
        self.refuse(ValueError, 'contiguous', self.data.mass_matrix, out=np.empty((7, 7)).T)
        flat = np.empty(49)
        np.testing.assert_array_equal(self.data.mass_matrix(out=flat).reshape(7, 7), self.data.mass_matrix())
        self.refuse(TypeError, 'tuple of 2', self.data.step, self.q, self.v, dt=1e-3, out=self.q)

    def test_refused_calls(self):
        f = self.data.inverse_dynamics
        self.refuse(TypeError, 'at most 5', f, 1, 2, 3, 4, 5, 6)
        self.refuse(TypeError, "no argument 'qd'", f, qd=self.q)
        self.refuse(TypeError, 'twice', f, self.q, q=self.q)
        self.data.set_state(self.q, self.v)
        self.refuse(KeyError, 'nowhere', self.data.jacobian, 'nowhere')
        self.refuse(mbdyn.ArgumentError, 'range', self.data.jacobian, 99)
        self.refuse(TypeError, 'name or index', self.data.jacobian, 1 << 40)
        self.refuse(TypeError, 'LOCAL', self.data.jacobian, TIP, 7)
        self.refuse(TypeError, 'wrench', f, self.q, self.v, None, [(TIP, [1, 2])])
        self.refuse(TypeError, 'a number', self.model.integrate, self.q, self.v, 'x')
        for kind in (mbdyn.Model, type(self.data.X_world.p.base)):
            with self.assertRaises(TypeError):
                kind()

    def test_wrenches(self):
        """A wrench on the tip is -J^T f."""
        f = np.array([1, 2, 3, 0.1, 0.2, 0.3])
        for reference in (mbdyn.LOCAL, mbdyn.WORLD, mbdyn.LOCAL_WORLD_ALIGNED):
            with_f = self.data.inverse_dynamics(self.q, self.v, self.a, [(TIP, f, reference)])
            without = self.data.inverse_dynamics(self.q, self.v, self.a)
            J = self.data.jacobian(TIP, reference)
            np.testing.assert_allclose(with_f - without, -J.T @ f, atol=1e-12)
            np.testing.assert_allclose(
                self.data.jacobian_transpose_product([(TIP, f, reference)]), J.T @ f, atol=1e-12)

    def test_payload(self):
        before = self.data.inverse_dynamics(self.q, self.v, self.a)
        self.data.payload_attach(TIP, (2.0, [0, 0, 0.1], [0.01, 0, 0, 0.01, 0, 0.01]))
        self.assertGreater(np.abs(self.data.inverse_dynamics(self.q, self.v, self.a) - before).max(), 0.1)
        self.data.payload_remove(TIP)
        np.testing.assert_array_equal(self.data.inverse_dynamics(self.q, self.v, self.a), before)
        with self.assertRaises(mbdyn.Error):
            self.data.payload_remove(TIP)

    def test_step_in_place(self):
        q, v = self.data.step(self.q, self.v, dt=1e-3)
        keep = self.q.copy(), self.v.copy()
        self.data.step(self.q, self.v, dt=1e-3, out=(self.q, self.v))
        np.testing.assert_array_equal(q, self.q)
        np.testing.assert_array_equal(v, self.v)
        self.assertGreater(np.abs(keep[0] - q).max(), 0)


class Views(Case):
    def test_stage(self):
        for name in ('q', 'X_world', 'S', 'v', 'V', 'A', 'A_bias', 'f', 'R', 'P', 'G', 'Y', 'response'):
            with self.assertRaises(mbdyn.StageError, msg=name) as caught:
                getattr(self.data, name)
            self.assertEqual(caught.exception.name, 'MBD_ERROR_STAGE')

    def test_contents(self):
        self.data.inverse_dynamics(self.q, self.v, self.a)
        np.testing.assert_array_equal(self.data.q, self.q)
        np.testing.assert_array_equal(self.data.v, self.v)
        body = 6
        X = self.data.frame_placement(TIP)
        np.testing.assert_allclose(self.data.X_world.p[body], X[:3, 3], atol=1e-12)
        V = self.data.frame_velocity(TIP, mbdyn.WORLD)
        R, p = self.data.X_world.R[body], self.data.X_world.p[body]
        np.testing.assert_allclose(R @ self.data.V.ang[body], V[3:], atol=1e-12)
        np.testing.assert_allclose(R @ self.data.V.lin[body] + np.cross(p, V[3:]), V[:3], atol=1e-12)
        self.assertAlmostEqual(self.data.inertia.mass.sum(), self.model.mass)
        for view in (self.data.q, self.data.X_world.R, self.data.V.lin, self.data.f.ang, self.data.P):
            self.assertFalse(view.flags.writeable)
            with self.assertRaises(ValueError):
                view[0] = 1

    def test_they_follow(self):
        self.data.set_position(self.q)
        p = self.data.X_world.p
        before = p.copy()
        self.data.set_position(self.model.neutral())
        self.assertGreater(np.abs(p - before).max(), 0.1)

    def test_own_memory_as_argument(self):
        expected = self.data.inverse_dynamics(self.q, self.v, self.a)
        np.testing.assert_array_equal(self.data.inverse_dynamics(self.data.q, self.data.v, self.a), expected)

    def test_life(self):
        """A view keeps data, data keeps the model; close refuses as long."""
        self.data.set_state(self.q, self.v)
        views = [self.data.q, self.data.X_world.R[3], self.data.V.ang[:, 1]]
        copies = [v.copy() for v in views]
        with self.assertRaises(BufferError):
            self.data.close()
        with self.assertRaises(BufferError):
            self.model.close()
        del self.data, self.model
        gc.collect()
        junk = [np.full(7, 3.0) for _ in range(1000)]
        for view, copy in zip(views, copies):
            np.testing.assert_array_equal(view, copy)
        del junk

    def test_closed(self):
        batch = mbdyn.Batch(self.model, 1)
        self.data.close()
        self.data.close()
        batch.close()
        for call in (self.data.bias, lambda: self.data.q, lambda: batch.gravity_torque(self.q[None]),
                     lambda: batch.threads):
            with self.assertRaises(ValueError):
                call()
        self.assertTrue(self.data.closed)
        self.model.close()
        for call in (self.model.neutral, lambda: self.model.nq, lambda: mbdyn.Data(self.model),
                     lambda: mbdyn.Batch(self.model), lambda: self.model.lock([], self.q),
                     lambda: self.model.joint_index('joint1'), self.model.with_flexible_links):
            with self.assertRaises(ValueError):
                call()
        self.assertIn('closed', repr(self.model))

    def test_closing_while_it_is_read(self):
        data = self.data

        class Evil(float):
            def __float__(self):
                data.close()
                return 1.0

        class Number:
            def __float__(self):
                data.close()
                return 1.0
        with self.assertRaises((BufferError, TypeError)):
            data.inverse_dynamics([Number()] * 7, self.v)
        with self.assertRaises((BufferError, TypeError)):
            data.inverse_dynamics(self.q, self.v, None, [(TIP, [Number()] * 6)])
        self.assertFalse(data.closed)


class Loading(Case):
    def test_report(self):
        with self.assertRaises(mbdyn.UrdfError) as caught:
            mbdyn.Model.from_urdf('<robot name="r"><link name="a"/><link name="b"/></robot>', source='r.urdf')
        e = caught.exception
        self.assertIn('r.urdf:1', str(e))
        self.assertEqual(e.report[0][0], 'error')
        self.assertTrue(e.report[0][5], 'a way out')
        with self.assertRaises(mbdyn.UrdfError) as caught:
            mbdyn.load('/nowhere.urdf')
        self.assertEqual(caught.exception.name, 'MBD_ERROR_FILE')

    def test_warnings(self):
        text = (ROBOTS / 'arm7.urdf').read_text().replace('</robot>', '<thing/></robot>')
        with self.assertWarns(mbdyn.UrdfWarning):
            mbdyn.Model.from_urdf(text)
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            with self.assertRaises(mbdyn.UrdfWarning):
                mbdyn.Model.from_urdf(text)

    def test_options(self):
        floating = mbdyn.load(ARM, floating=True)
        self.assertEqual((floating.nq, floating.nv), (14, 13))
        moon = mbdyn.load(ARM, gravity=(0, 0, -1.62))
        self.assertEqual(moon.gravity, (0, 0, -1.62))
        data = mbdyn.Data(moon)
        data.set_position(self.q)
        self.data.set_position(self.q)
        np.testing.assert_allclose(data.gravity_torque(), self.data.gravity_torque() * 1.62 / 9.81, atol=1e-12)
        with self.assertRaises(TypeError):
            mbdyn.load(ARM, gravity=9.81)
        locked = mbdyn.load(ARM, lock=['joint7: 0.5'])
        self.assertEqual(locked.nv, 6)
        q = self.q.copy()
        same = self.model.lock(['joint7'], np.array([0, 0, 0, 0, 0, 0, 0.5]))
        a, b = mbdyn.Data(locked), mbdyn.Data(same)
        a.set_position(q[:6]), b.set_position(q[:6])
        np.testing.assert_allclose(a.mass_matrix(), b.mass_matrix(), atol=1e-12)
        with self.assertRaises(mbdyn.Error):
            self.model.lock(['nowhere'], q)

    def test_written(self):
        self.data.set_position(self.q)
        for text in (self.model.to_urdf(), self.model.to_mjcf()):
            again = mbdyn.Model.from_urdf(text)
            data = mbdyn.Data(again)
            data.set_position(self.q)
            np.testing.assert_allclose(data.mass_matrix(), self.data.mass_matrix(), atol=1e-12)
            np.testing.assert_allclose(data.gravity_torque(), self.data.gravity_torque(), atol=1e-10)

    def test_embedded(self):
        """The closed loops of the finger: fewer velocities than its tree has, and energy is kept."""
        model = mbdyn.load(ROBOTS / 'finger.urdf', loops=str(ROBOTS / 'finger.loops.yaml'))
        self.assertTrue(model.embedded)
        data = mbdyn.Data(model)
        q, v = model.neutral(), np.full(model.nv, 0.3)
        data.set_state(q, v)
        self.assertGreater(len(data.q), model.nv)
        M = data.mass_matrix()
        self.assertAlmostEqual(data.kinetic_energy(), v @ M @ v / 2, 12)
        tau = data.inverse_dynamics(q, v, np.ones(model.nv))
        np.testing.assert_allclose(data.forward_dynamics(q, v, tau), np.ones(model.nv), atol=1e-8)

    def test_flexible(self):
        model = mbdyn.load(ROBOTS / 'boom.urdf', flexible=ROBOTS / 'boom.flexible.yaml')
        rigid = mbdyn.load(ROBOTS / 'boom.urdf')
        self.assertGreater(model.nv, rigid.nv)
        data = mbdyn.Data(model)
        data.set_state(model.neutral(), np.zeros(model.nv))
        M = data.mass_matrix()
        np.testing.assert_allclose(M, M.T, atol=1e-12)
        self.assertEqual(len(data.X_world.p), model.nbody + model.nnode)


class Batches(Case):
    def states(self, n):
        q = np.array([self.model.random_configuration(k) for k in range(n)])
        v = np.random.default_rng(2).standard_normal((n, self.model.nv))
        return q, v

    def test_like_single_calls(self):
        q, v = self.states(9)
        for threads in (1, 2, 3):
            batch = mbdyn.Batch(self.model, threads)
            self.assertEqual(batch.threads, threads)
            J, tau = batch.jacobian(q, TIP), batch.inverse_dynamics(q, v)
            Lambda, bias = batch.operational_space_inertia(q, TIP), batch.jacobian_bias(q, v, TIP)
            for k in range(len(q)):
                np.testing.assert_allclose(tau[k], self.data.inverse_dynamics(q[k], v[k]), atol=1e-10)
                np.testing.assert_allclose(J[k], self.data.jacobian(TIP), atol=1e-12)
                np.testing.assert_allclose(bias[k], self.data.jacobian_bias(TIP), atol=1e-10)
                one = self.data.operational_space_inertia(TIP)[0]
                np.testing.assert_allclose(Lambda[k], one, rtol=1e-6, atol=1e-6)

    def test_refused(self):
        q, v = self.states(4)
        batch = mbdyn.Batch(self.model, 1)
        for bad in (v[:3], v[:, :6], v.T.copy(), np.zeros((4, 7), 'f4')):
            with self.assertRaises((ValueError, TypeError)):
                batch.inverse_dynamics(q, bad)
        with self.assertRaises(ValueError):
            batch.inverse_dynamics(q, v, out=q)
        with self.assertRaises(mbdyn.ArgumentError):
            mbdyn.Batch(self.model, -1)
        q[2, 3] = np.nan
        with self.assertRaises(mbdyn.NumericError):
            batch.inverse_dynamics(q, v)
        self.assertEqual(batch.failed, 2)
        self.assertEqual(batch.inverse_dynamics(q[:0], v[:0]).shape, (0, 7))

    def test_threads_of_python(self):
        """The lock is free during a call, and two calls of one Batch at a time are refused."""
        q, v = self.states(200000)
        batch = mbdyn.Batch(self.model, 1)
        refused, done = [], threading.Event()

        def other():
            while not done.is_set():
                try:
                    batch.gravity_torque(q[:1])
                except RuntimeError as e:
                    refused.append(str(e))
        thread = threading.Thread(target=other)
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        thread.start()
        for _ in range(50):
            try:
                batch.inverse_dynamics(q, v)
            except RuntimeError as e:
                refused.append(str(e))
            if len(refused) > 3:
                break
        done.set()
        thread.join()
        sys.setswitchinterval(before)
        self.assertTrue(refused)
        self.assertIn('another thread', refused[0])


class References(Case):
    def test_flat(self):
        """Reference counts and memory are the same after many calls, of which half fail."""
        tau = np.empty(7)
        args = (self.q, self.v, self.a, tau, self.model, self.data, mbdyn.Data, mbdyn.Model)

        def many(n):
            for _ in range(n):
                self.data.inverse_dynamics(self.q, self.v, self.a, None, tau)
                self.data.inverse_dynamics(self.q, self.v, self.a)
                try:
                    self.data.inverse_dynamics(self.q, self.v, self.a, out=self.q)
                except ValueError:
                    pass
                try:
                    self.data.jacobian('nowhere')
                except KeyError:
                    pass
                self.data.V, self.data.center_of_mass()
        many(10)
        gc.collect()
        before = [sys.getrefcount(o) for o in args], sys.getallocatedblocks()
        many(2000)
        gc.collect()
        after = [sys.getrefcount(o) for o in args], sys.getallocatedblocks()
        self.assertEqual(before[0], after[0])
        self.assertLess(abs(after[1] - before[1]), 200)


if __name__ == '__main__':
    unittest.main()
