"""Mechanisms, events, tasks, contacts, observers, manipulators, models built in Python: against closed forms and
identities of mechanics."""
import gc
import pathlib
import sys
import unittest
import warnings

import numpy as np

import mbdyn
from support import ROBOTS, SOURCE

warnings.simplefilter('ignore', mbdyn.UrdfWarning)
MECHANISMS = SOURCE / 'config' / 'mechanisms'
TIP = 'link7'
POINT = (1.0, (0, 0, 0), (0.1, 0, 0, 0.1, 0, 0.1))


def shifted(x, y, z):
    X = np.eye(4)
    X[:3, 3] = x, y, z
    return X


def ball(**options):
    """A body of 2 kg on a free joint."""
    b = mbdyn.Builder('ball')
    b.add_body('ball', 'free', 'free', inertia=(2.0, (0, 0, 0), (0.1, 0, 0, 0.1, 0, 0.1)), **options)
    return b.finalize()


class Arm(unittest.TestCase):
    def setUp(self):
        self.model = mbdyn.load(ROBOTS / 'arm7.urdf')
        self.data = mbdyn.Data(self.model)
        self.q = self.model.random_configuration(3)
        self.v = np.random.default_rng(2).standard_normal(7)
        self.data.set_state(self.q, self.v)


class Tasks(Arm):
    tasks = [(TIP, 'frame')]

    def test_rows(self):
        d = self.data
        np.testing.assert_allclose(d.task_jacobian(self.tasks), d.jacobian(TIP), atol=1e-14)
        np.testing.assert_allclose(d.task_bias(self.tasks), d.jacobian_bias(TIP), atol=1e-12)
        J = d.jacobian(TIP, mbdyn.LOCAL)
        several = [(TIP, 'position', mbdyn.LOCAL), (TIP, 'orientation', mbdyn.LOCAL), (3, [[0, 0, 1, 0, 0, 0]])]
        stacked = d.task_jacobian(several)
        np.testing.assert_allclose(stacked[:6], J, atol=1e-14)
        np.testing.assert_allclose(stacked[6], d.jacobian(3)[2], atol=1e-14)

    def test_operational_space(self):
        d, t = self.data, self.tasks
        J, M = d.jacobian(TIP), d.mass_matrix()
        omega = J @ np.linalg.solve(M, J.T)
        np.testing.assert_allclose(d.task_compliance(t), omega, rtol=1e-9, atol=1e-9)
        inertia, info = d.task_inertia(t)
        self.assertEqual(info['rank'], 6)
        np.testing.assert_allclose(inertia @ omega, np.eye(6), atol=1e-7)
        np.testing.assert_allclose(inertia, d.operational_space_inertia(TIP)[0], rtol=1e-6, atol=1e-7)
        np.testing.assert_allclose(J @ d.task_inverse(t, inertia), np.eye(6), atol=1e-8)
        N = d.task_nullspace(t, inertia)
        np.testing.assert_allclose(J @ N, 0, atol=1e-8)
        # Lambda a + mu + p = 0 with free joints
        mu, p = d.task_forces(t, inertia)
        free = d.forward_dynamics(self.q, self.v, np.zeros(7))
        np.testing.assert_allclose(inertia @ (J @ free + d.jacobian_bias(TIP)) + mu + p, 0, atol=1e-6)
        u, tau0 = np.array([1.0, -2, 0.5, 0.3, 0, -1]), np.full(7, 2.0)
        tau = d.task_control(t, inertia, u, tau0)
        qdd = d.forward_dynamics(self.q, self.v, tau)
        np.testing.assert_allclose(J @ qdd + d.jacobian_bias(TIP), u, atol=1e-7)
        self.assertGreater(np.abs(tau - d.task_control(t, inertia, u)).max(), 0.01)

    def test_singular(self):
        twice = [(TIP, 'position'), (TIP, 'position')]
        self.assertEqual(self.data.task_inertia(twice)[1]['rank'], 3)
        with self.assertRaises(mbdyn.NumericError):
            self.data.task_inertia(twice, 'refuse')
        self.assertTrue(np.isfinite(self.data.task_inertia(twice, 0.1)[0]).all())

    def test_errors(self):
        d = self.data
        for bad in ([], [TIP], 3, [(TIP, 'rows')], [(TIP, [[1, 2]])], [(TIP, [[0] * 6] * 7)], [('nowhere', 'frame')],
                    [(TIP, 'frame', 9)], [(TIP, [[np.nan] * 6])]):
            with self.assertRaises((TypeError, KeyError, ValueError, mbdyn.Error), msg=str(bad)):
                d.task_jacobian(bad)
        with self.assertRaises(TypeError):
            d.task_inertia(self.tasks, 'never')
        with self.assertRaises(ValueError):
            d.task_control(self.tasks, np.eye(5), np.zeros(6))


class Queries(Arm):
    def test_measures(self):
        d = self.data
        X, J, bias = d.frame_placement(TIP), d.jacobian(TIP), d.jacobian_bias(TIP)
        for k, axis in enumerate('xyz'):
            value, gradient, b = d.measure((axis, TIP))
            self.assertAlmostEqual(value, X[k, 3], 14)
            np.testing.assert_allclose(gradient, J[k], atol=1e-13)
            self.assertAlmostEqual(b, bias[k], 10)
        value, gradient, _ = d.measure(('distance', TIP, None, shifted(1, 2, 3)))
        self.assertAlmostEqual(value, np.linalg.norm(X[:3, 3] - [1, 2, 3]), 13)
        value, gradient, b = d.measure('joint3')
        self.assertEqual((value, b), (self.q[2], 0))
        np.testing.assert_array_equal(gradient, np.eye(7)[2])
        for bad in (('x',), ('w', TIP), 'nowhere', ('x', 'nowhere'), 3, ('x', TIP, None, np.eye(3))):
            with self.assertRaises((TypeError, KeyError, ValueError), msg=str(bad)):
                d.measure(bad)

    def test_limits(self):
        self.assertEqual(self.model.limit_count(), 7)
        for k, joint in enumerate(self.model.joints):
            info = self.model.limit_info(k)
            self.assertEqual((info['lower'], info['upper'], info['v_index']), (joint.lower, joint.upper, k))
            below, above, row = self.data.limit_gaps(k)
            self.assertAlmostEqual(below, self.q[k] - joint.lower, 14)
            self.assertAlmostEqual(above, joint.upper - self.q[k], 14)
            np.testing.assert_array_equal(row, np.eye(7)[k])
        for call in (self.model.limit_info, self.data.limit_gaps):
            with self.assertRaises(mbdyn.ArgumentError):
                call(7)

    def test_mobility(self):
        self.assertEqual(self.data.mobility(TIP)[0], 6)
        rank, immobile = self.data.mobility(self.model.frame_index('link2'))
        J = self.data.jacobian('link2')
        self.assertEqual(rank, np.linalg.matrix_rank(J, 1e-9))
        np.testing.assert_allclose(immobile[:6 - rank] @ J, 0, atol=1e-12)
        np.testing.assert_allclose(immobile[:6 - rank] @ immobile[:6 - rank].T, np.eye(6 - rank), atol=1e-12)
        np.testing.assert_array_equal(immobile[6 - rank:], 0)

    def test_force_views(self):
        self.data.inverse_dynamics(self.q, self.v, self.v)
        f = self.data.joint_force(2)
        views = self.data.joint_force_views(2)
        for kind in ('terminal', 'composite', 'articulated'):
            np.testing.assert_allclose(views[kind] + views[kind + '_rest'], f, rtol=1e-9, atol=1e-9)

    def test_parameters(self):
        self.assertEqual((self.model.parameter_count(False), self.model.parameter_count(True)), (70, 91))
        theta = self.data.parameters_get(False)
        for k in range(7):
            self.assertGreaterEqual(self.model.parameters_check(theta[10 * k:10 * k + 10]), 0)
        with self.assertRaises(mbdyn.Error):
            self.model.parameters_check(-theta[:10])

    def test_clearance(self):
        p = self.data.frame_placement(TIP)[:3, 3]
        c = p + [0.3, 0, 0]
        far = (5, 5, 5)
        got = self.data.clearance([(TIP, (0, 0, 0), (0, 0, 0), 0.05)], [(far, far, 0.1), (c, c, 0.1)])
        self.assertAlmostEqual(got['distance'], 0.15, 12)
        self.assertEqual((got['shape'], got['obstacle']), (0, 1))
        # a segment beside the point: a capsule from p - z to p + z
        got = self.data.clearance([(TIP, (0, 0, 0), (0, 0, 0), 0)], [(c - [0, 0, 1], c + [0, 0, 1], 0.1)])
        self.assertAlmostEqual(got['distance'], 0.2, 12)
        self.assertEqual(self.data.clearance([], [])['distance'], np.inf)
        for bad in ([(TIP, (0, 0), (0, 0, 0), 1)], [('nowhere', c, c, 1)], [(TIP, c, c)], 3):
            with self.assertRaises((TypeError, KeyError)):
                self.data.clearance(bad, [])
        with self.assertRaises(mbdyn.ArgumentError):
            self.data.clearance([(TIP, c, c, -1)], [(c, c, 1)])

    def test_coupling(self):
        """h = R V + B v: without base velocity the linear momentum is that of B v."""
        model = mbdyn.load(ROBOTS / 'quadruped.urdf', floating=True)
        data = mbdyn.Data(model)
        q, v = model.random_configuration(2), np.random.default_rng(1).standard_normal(model.nv)
        v[:6] = 0
        data.set_state(q, v)
        B = data.coupling_inertia(0, 0)
        R = data.frame_placement(model.joints[0].link)[:3, :3]
        h = data.centroidal_momentum()
        np.testing.assert_allclose(B[:3] @ v, R.T @ h[:3], atol=1e-12)
        mass, com = data.center_of_mass()
        about = R.T @ (h[3:] + np.cross(com - data.frame_placement(model.joints[0].link)[:3, 3], h[:3]))
        np.testing.assert_allclose(B[3:] @ v, about, atol=1e-12)
        np.testing.assert_allclose(data.coupling_inertia(0, 1) @ v, R.T @ h[3:], atol=1e-12)

    def test_convert(self):
        model = mbdyn.load(ROBOTS / 'finger.urdf', loops=str(ROBOTS / 'finger.loops.yaml'))
        self.assertEqual(model.aggregate_count(), 1)
        q = model.neutral()
        other = model.rechoose(q)
        data, to = mbdyn.Data(model), mbdyn.Data(other)
        data.set_position(q)
        to.set_position(q)
        v = np.full(model.nv, 0.7)
        np.testing.assert_allclose(
            to.tree_velocity(data.convert_velocity(v, other)), data.tree_velocity(v), atol=1e-10)
        for bad in (3, None, self.model):
            with self.assertRaises((TypeError, mbdyn.Error)):
                data.convert_velocity(v, bad)


class Builds(unittest.TestCase):
    URDF = '''<robot name="two"><link name="base"/><link name="a"><inertial><origin xyz="0.1 0.2 -0.5"/>
<mass value="2"/><inertia ixx="0.3" ixy="0.01" ixz="0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial></link>
<link name="b"><inertial><origin xyz="0 0 -0.3"/><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2"
iyz="0" izz="0.15"/></inertial></link>
<joint name="one" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint>
<joint name="two" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0 0.1 -1"/><axis xyz="1 0 0"/>
<limit lower="-1" upper="2" velocity="3" effort="4"/></joint></robot>'''

    def builder(self, **options):
        b = mbdyn.Builder('two')
        b.add_body('a', 'one', 'continuous', axis=(0, 1, 0),
                   inertia=(2, (0.1, 0.2, -0.5), (0.3, 0.01, 0.02, 0.4, 0.03, 0.5)), **options)
        b.add_body('b', 'two', 'prismatic', parent='a', placement=shifted(0, 0.1, -1), axis=(1, 0, 0), lower=-1,
                   upper=2, velocity=3, effort=4, inertia=(1, (0, 0, -0.3), (0.1, 0, 0, 0.2, 0, 0.15)))
        return b

    def test_tree(self):
        b = self.builder()
        self.assertEqual(b.add_frame('tool', 'b', shifted(0.1, 0, 0)), 2)
        b.set_gravity((0, 1, -9))
        built, loaded = b.finalize(), mbdyn.Model.from_urdf(self.URDF, gravity=(0, 1, -9))
        self.assertEqual(built.joint_names, loaded.joint_names)
        self.assertEqual(built.joints[1].upper, 2)
        self.assertEqual(built.gravity, (0, 1, -9))
        q, v, a = np.random.default_rng(1).standard_normal((3, 2))
        one, two = mbdyn.Data(built), mbdyn.Data(loaded)
        np.testing.assert_allclose(one.inverse_dynamics(q, v, a), two.inverse_dynamics(q, v, a), rtol=1e-13)
        np.testing.assert_allclose(one.frame_placement('tool'), two.frame_placement('b') @ shifted(0.1, 0, 0),
                                   atol=1e-14)

    def test_spring_and_rotor(self):
        b = self.builder(rotor_inertia=0.01, gear_ratio=5)
        self.assertEqual(b.add_element('spring', 'joint', joint='one', stiffness=30, damping=2, rest=0.5), 0)
        model = b.finalize()
        self.assertEqual(model.find_element('spring'), 0)
        data = mbdyn.Data(model)
        data.set_state([0.2, 0], [3, 0])
        np.testing.assert_allclose(data.element_torque(), [-(30 * (0.2 - 0.5) + 2 * 3), 0], atol=1e-12)
        with_rotor = mbdyn.Data(model, mbdyn.TERM_ROTORS)
        with_rotor.set_position([0.2, 0])
        np.testing.assert_allclose(with_rotor.mass_matrix() - data.mass_matrix(), [[0.25, 0], [0, 0]], atol=1e-12)

    def test_six_numbers(self):
        """A constant wrench and a bushing on a free body, linear first."""
        b = mbdyn.Builder()
        b.add_body('ball', 'free', 'free', inertia=POINT)
        b.add_element('push', 'wrench', None, 'ball', wrench=(1, 2, 3, 4, 5, 6))
        b.add_element('mount', 'bushing', None, 'ball', stiffness6=(10, 20, 30, 40, 50, 60))
        data = mbdyn.Data(b.finalize())
        data.set_state([0.1, 0.1, 0.1, 0, 0, 0, 1], np.zeros(6))
        np.testing.assert_allclose(data.element_state(0)['wrench'], [1, 2, 3, 4, 5, 6], atol=1e-12)
        np.testing.assert_allclose(data.element_state(1)['wrench'][:3], [-1, -2, -3], atol=1e-12)

    def test_motor(self):
        """A rotor on the world: its inertia times the square of the ratio."""
        b = self.builder()
        b.add_motor('rotor', 'one', 5.0, axis=(0, 1, 0), inertia=(0.2, (0, 0, 0), (0.005, 0, 0, 0.01, 0, 0.005)))
        geared, plain = b.finalize(), self.builder().finalize()
        self.assertEqual((geared.nv, geared.nbody), (2, 3))
        self.assertTrue(geared.embedded)
        M = []
        for model in (geared, plain):
            data = mbdyn.Data(model)
            data.set_position(np.zeros(model.nq))
            M.append(data.mass_matrix())
        np.testing.assert_allclose(np.trace(M[0]) - np.trace(M[1]), 0.25, atol=1e-10)
        b = self.builder(rotor_inertia=0.01, gear_ratio=5)
        self.assertEqual(b.add_motors(), 1)

    def four_bar(self, embed):
        b = mbdyn.Builder('parallelogram')
        b.add_body('crank', 'j1', 'continuous', inertia=POINT, axis=(0, 0, 1))
        b.add_body('rod', 'j2', 'continuous', parent='crank', placement=shifted(1, 0, 0), inertia=POINT, axis=(0, 0, 1))
        b.add_body('rocker', 'j3', 'continuous', placement=shifted(0, 2, 0), inertia=POINT, axis=(0, 0, 1))
        b.add_closure('pin', 'on_line', 'rocker', 'rod', X_a=shifted(1, 0, 0), X_b=shifted(0, 2, 0))
        return b.finalize(embed=embed)

    def test_loop(self):
        """A parallelogram: the rocker turns as the crank does, the rod not at all."""
        tree = self.four_bar(False)
        self.assertEqual((tree.nv, tree.nrow, tree.find_closure('pin')), (3, 2, 0))
        with self.assertRaises(mbdyn.Error):
            tree.find_closure('none')
        model = self.four_bar(True)
        self.assertEqual(model.nv, 1)
        data = mbdyn.Data(model)
        data.set_position(np.zeros(3))
        v = data.tree_velocity([1.0])
        np.testing.assert_allclose(v / v[0], [1, -1, 1], atol=1e-10)

    def test_driver_and_coupling(self):
        b = self.builder()
        b.add_closure('gear', 'coupling', joints={'one': 1.0, 'two': -3.0}, offset=0.2)
        tree = b.finalize(embed=False)
        data = mbdyn.Data(tree)
        data.set_state([0.5, 0.1], [0, 0])
        np.testing.assert_allclose(data.closure_error(0), [0.5 - 0.3 + 0.2], atol=1e-14)
        b = self.builder()
        b.add_closure('drive', 'coupling', joints={'one': 1.0}, driver=(0, 0.3, 2.0))
        np.testing.assert_allclose(b.finalize(embed=False).closure_target(1), [2.0])

    def test_bearing(self):
        """A disk that spins under a preload: torque -mu N r."""
        b = mbdyn.Builder('disk')
        b.set_gravity((0, 0, 0))
        b.add_body('disk', 'axle', 'continuous', axis=(0, 0, 1), inertia=(1, (0, 0, 0), (1, 0, 0, 1, 0, 2)))
        b.add_bearing('axle', 0.3, 0.2, radius=0.05, preload=40)
        data = mbdyn.Data(b.finalize())
        load, qdd, _, info = data.bearing_forward_dynamics(np.zeros(1), [0.0], [10.0], [0.0])
        np.testing.assert_allclose(load, [40], rtol=1e-9)
        np.testing.assert_allclose(qdd, [-0.2 * 40 * 0.05 / 2], rtol=1e-3)
        self.assertAlmostEqual(info['power'], 10 * qdd[0] * 2, 9)

    def test_errors(self):
        b = self.builder()
        for call, error, text in [
                (lambda: b.add_body('a', 'x'), mbdyn.Error, "'a'"),
                (lambda: b.add_body('c', 'x', 'ball'), ValueError, 'spherical'),
                (lambda: b.add_body('c', 'x', parent='nowhere'), KeyError, 'nowhere'),
                (lambda: b.add_body('c', 'x', inertia=(-1, (0, 0, 0), (1, 0, 0, 1, 0, 1))), mbdyn.Error, "'c'"),
                (lambda: b.add_body('c', 'x', axis=(0, 0)), TypeError, 'axis'),
                (lambda: b.add_body('c', 'x', placement=np.eye(3)), ValueError, 'placement'),
                (lambda: b.add_closure('c', 'glue', 'a', 'b'), ValueError, 'weld'),
                (lambda: b.add_closure('c', 'weld', 'a', 'a'), mbdyn.Error, "'c'"),
                (lambda: b.add_closure('c', 'coupling', joints=['a']), TypeError, 'coefficient'),
                (lambda: b.add_element('e', 'rope', 'a', 'b'), ValueError, 'bushing'),
                (lambda: b.add_element('e', 'spring', 'a', 'b', one_sided='left'), ValueError, 'push'),
                (lambda: b.add_bearing('one', 0.1, 0.2), mbdyn.Error, "'one'"),
                (lambda: b.set_gravity(3), TypeError, 'gravity')]:
            with self.assertRaises(error) as caught:
                call()
            self.assertIn(text, str(caught.exception))
        b.add_closure('c', 'coupling', joints={'none': 1.0})
        with self.assertRaises(mbdyn.Error):
            b.finalize()
        b = self.builder()
        b.finalize()
        for call in (b.finalize, b.add_motors, lambda: b.add_frame('f')):
            with self.assertRaises(ValueError):
                call()


class Mechanisms(unittest.TestCase):
    PATH = str(MECHANISMS / 'slider_crank.mechanism.yaml')

    def test_load(self):
        model = mbdyn.Model.from_mechanism(self.PATH)
        m = model.mechanism
        self.assertEqual((m['mobility'], m['simulate']['time']), (1, 2))
        self.assertEqual(model.place('rod')[0], 'closure')
        self.assertIsNone(model.place('none'))
        data = mbdyn.Data(model)
        data.set_state(m['q'], m['v'])
        self.assertLess(np.abs(data.closure_error(0)).max(), 1e-10)
        np.testing.assert_allclose(data.closure_jacobian() @ m['v'], 0, atol=1e-9)
        self.assertGreater(mbdyn.Model.from_mechanism(self.PATH, cartesian=True).nv, model.nv)
        text = pathlib.Path(self.PATH).read_text()
        self.assertEqual(mbdyn.Model.from_mechanism(text=text).nv, model.nv)
        arm = mbdyn.Model.from_mechanism(str(ROBOTS / 'balanced_arm.mechanism.yaml'), urdf=str(ROBOTS / 'balanced_arm.urdf'))
        self.assertGreater(arm.nv, 0)
        self.assertIsNone(mbdyn.load(ROBOTS / 'arm7.urdf').mechanism)
        with self.assertRaises(mbdyn.UrdfError) as caught:
            mbdyn.Model.from_mechanism(text=text.replace('mass: 1,', 'weight: 1,'), source='mine')
        self.assertIn('mine:5', str(caught.exception))
        self.assertTrue(caught.exception.report)
        for bad in ({}, {'path': self.PATH, 'text': text}, {'text': text, 'urdf': 'x'}):
            with self.assertRaises(TypeError):
                mbdyn.Model.from_mechanism(**bad)
        del model
        gc.collect()
        data.set_state(m['q'], m['v'])

    def test_turns(self):
        """The slider turns at rod +- crank; energy is kept."""
        model = mbdyn.Model.from_mechanism(self.PATH)
        k = model.joint_index('guide')
        sim = mbdyn.Simulation(model, rtol=1e-9, atol=1e-10)
        self.assertEqual(sim.add_event(lambda data, t, q, v: v[k], terminal=True), 0)
        sim.start(0, model.mechanism['q'], model.mechanism['v'])
        energy, turns = sim.energy, []
        while sim.t < 2:
            sim.run(2)
            if sim.event is not None:
                turns.append(sim.q[k])
        self.assertGreater(len(turns), 3)
        self.assertEqual(sim.events[0][0], len(turns))
        np.testing.assert_allclose(np.sort(turns)[[0, -1]], [0.5, 3.5], atol=1e-8)
        self.assertLess(abs(sim.energy - energy - sim.work), 1e-6 * energy)


class Events(unittest.TestCase):
    def test_fall(self):
        """A body falls 2 m: the event is at sqrt(2 h / g)."""
        sim = mbdyn.Simulation(ball())
        sim.add_event(lambda data, t, q, v: q[2] + 2, -1)
        sim.add_event(lambda data, t, q, v: q[2] + 2, 1)
        sim.add_event(lambda data, t, q, v: data.frame_placement('ball')[2, 3] + 3, terminal=True)
        sim.start(0, [0, 0, 0, 0, 0, 0, 1.0])
        sim.run(10)
        self.assertEqual(sim.event, 2)
        self.assertAlmostEqual(sim.t, np.sqrt(6 / 9.81), 7)
        self.assertEqual([count for count, _ in sim.events], [1, 0, 1])
        self.assertAlmostEqual(sim.events[0][1], np.sqrt(4 / 9.81), 7)

    def test_errors(self):
        def wrong(*_):
            raise ZeroDivisionError('of mine')
        for value, error in ((wrong, ZeroDivisionError), (lambda *_: 'x', TypeError)):
            sim = mbdyn.Simulation(ball())
            sim.add_event(value)
            with self.assertRaises(error):
                sim.start(0, [0, 0, 0, 0, 0, 0, 1.0])
                sim.run(1)
        sim = mbdyn.Simulation(ball())
        for bad in (3, None):
            with self.assertRaises(TypeError):
                sim.add_event(bad)
        with self.assertRaises(mbdyn.ArgumentError):
            sim.add_event(len, 5)
        for _ in range(16):
            sim.add_event(lambda *_: 1.0)
        with self.assertRaises(mbdyn.ArgumentError):
            sim.add_event(lambda *_: 1.0)
        value = wrong
        counts = sys.getrefcount(value)
        for _ in range(20):
            mbdyn.Simulation(ball()).add_event(value)
        gc.collect()
        self.assertEqual(sys.getrefcount(value), counts)

    def test_jacobian(self):
        """A pendulum of a point at 1 m: x'' = -g sin x."""
        b = mbdyn.Builder()
        b.add_body('bob', 'hinge', 'continuous', axis=(0, 1, 0), inertia=(2, (0, 0, -1), (0, 0, 0, 0, 0, 0)))
        sim = mbdyn.Simulation(b.finalize())
        with self.assertRaises(mbdyn.StageError):
            sim.jacobian()
        sim.start(0, [0.5])
        dx, dxd = sim.jacobian()
        np.testing.assert_allclose(dx, [[-9.81 * np.cos(0.5)]], rtol=1e-5)
        np.testing.assert_allclose(dxd, [[0]], atol=1e-6)


class Contacts(unittest.TestCase):
    def setUp(self):
        self.data = mbdyn.Data(ball())
        self.ground = dict(frame_b='ball', point=(0, 0, 0), normal=(0, 0, 1), gap=0, friction=0.4)

    def step(self, velocity, contact=None, dt=1e-3, **options):
        self.data.set_state([0, 0, 0, 0, 0, 0, 1.0], np.array(velocity + [0, 0, 0], dtype=float))
        return self.data.contact_step([{**self.ground, **(contact or {})}], dt, **options)

    def test_rest(self):
        v, contacts, info = self.step([0.0, 0, 0])
        np.testing.assert_allclose(v, 0, atol=1e-12)
        np.testing.assert_allclose(contacts[0]['force'], [0, 0, 2 * 9.81 * 1e-3], atol=1e-12)
        self.assertEqual((contacts[0]['mode'], info['nactive']), (1, 1))
        qdd, contacts, _ = self.data.contact_acceleration([self.ground])
        np.testing.assert_allclose(qdd, 0, atol=1e-10)
        np.testing.assert_allclose(contacts[0]['force'], [0, 0, 2 * 9.81], atol=1e-9)
        # pulled up, it comes off
        qdd, contacts, _ = self.data.contact_acceleration([self.ground], [0, 0, 30, 0, 0, 0.0])
        np.testing.assert_allclose(qdd[2], 15 - 9.81, atol=1e-10)
        self.assertEqual(contacts[0]['mode'], 0)

    def test_impact_and_slip(self):
        v, _, _ = self.step([0, 0, -1.0], {'restitution': 0.5})
        self.assertAlmostEqual(v[2], 0.5, 9)
        v, contacts, _ = self.step([1.0, 0, 0])
        self.assertAlmostEqual(v[0], 1 - 0.4 * 9.81e-3, 9)
        self.assertEqual(contacts[0]['mode'], 2)
        # warm start: what comes back can be given again
        again, _, info = self.step([1.0, 0, 0], contacts[0])
        np.testing.assert_allclose(again, v, atol=1e-12)
        self.assertEqual(info['iterations'], 0)

    def test_joints(self):
        """Dry friction holds a joint up to its torque; a limit stops it."""
        b = mbdyn.Builder()
        b.set_gravity((0, 0, 0))
        b.add_body('disk', 'axle', 'revolute', axis=(0, 0, 1), lower=-1, upper=1,
                   inertia=(1, (0, 0, 0), (1, 0, 0, 1, 0, 2)))
        data = mbdyn.Data(b.finalize())
        data.set_state([0.0], [0.0])
        for tau, wanted in ((4.9, 0), (7.0, 0.01 * 2 / 2)):
            v, _, _ = data.contact_step([], 0.01, [tau], dry=[5.0])
            np.testing.assert_allclose(v, [wanted], atol=1e-12)
        data.set_state([1.0], [3.0])
        v, _, info = data.contact_step([], 0.01)
        np.testing.assert_allclose(v, [0], atol=1e-12)
        np.testing.assert_allclose(info['limit'], [-6], atol=1e-9)
        np.testing.assert_allclose(data.contact_step([], 0.01, limits=False)[0], [3], atol=1e-12)

    def test_errors(self):
        for bad, error in (({'depth': 1}, KeyError), ({'mode': 5}, TypeError), ({'normal': (0, 0, 2)}, mbdyn.Error),
                           ({'frame_b': 'nowhere'}, KeyError), ({'point': 3}, TypeError),
                           ({'friction': -1}, mbdyn.Error)):
            with self.assertRaises(error, msg=str(bad)):
                self.step([0.0, 0, 0], bad)
        for bad in (3, [3], 'text'):
            with self.assertRaises(TypeError):
                self.data.contact_step(bad, 0.01)
        with self.assertRaises(mbdyn.ArgumentError):
            self.step([0.0, 0, 0], dt=-1)
        with self.assertRaises(ValueError):
            self.step([0.0, 0, 0], tau=[1.0])

    def test_support(self):
        """A robot that stands: the ground carries its weight, and nothing drives the base."""
        model = mbdyn.load(ROBOTS / 'quadruped.urdf', floating=True)
        data = mbdyn.Data(model)
        data.set_state(model.neutral(), np.zeros(model.nv))
        feet = [n for n in model.frame_names if n.endswith('foot')]
        self.assertEqual(len(feet), 4)
        supports = [{'frame': f, 'friction': 0.6} for f in feet]
        tau, qdd, forces, info = data.support_torques(data.gravity_torque(), supports)
        self.assertTrue(info['reached'])
        self.assertAlmostEqual(info['normal'], model.mass * 9.81, 6)
        self.assertAlmostEqual(sum(f[0][2] for f in forces), model.mass * 9.81, 6)
        np.testing.assert_allclose(tau[:6], 0, atol=1e-9)
        # M qdd + g = tau + sum J^T f
        J = sum(data.jacobian(f)[:3].T @ forces[k][0] for k, f in enumerate(feet))
        np.testing.assert_allclose(tau + J, data.gravity_torque(), atol=1e-6)
        sole = [{**supports[0], 'x': (-0.1, 0.1), 'y': (-0.1, 0.1)}] + supports[1:]
        self.assertEqual(len(data.support_torques(data.gravity_torque(), sole)[2][0]), 4)
        for bad in ([{}], [{'frame': feet[0], 'size': 1}], [{'frame': feet[0], 'x': 1}], 3):
            with self.assertRaises((TypeError, KeyError)):
                data.support_torques(data.gravity_torque(), bad)


class Observers(Arm):
    def test_wrench(self):
        """A constant force on the tip is found within a few time constants."""
        data, q = self.data, self.q.copy()
        observer = mbdyn.Observer(data, gain=100, threshold_on=0.5, threshold_off=0.3)
        f = np.array([10.0, -5, 8, 0.5, -0.3, 0.4])
        dt, v = 5e-4, np.zeros(7)
        for _ in range(200):
            data.set_state(q, v)
            tau = data.bias() - 5 * v
            observer.update(tau, dt)
            data.step(q, v, dt, tau, [(TIP, f)], out=(q, v))
        data.set_state(q, v)
        np.testing.assert_allclose(observer.torque, data.jacobian(TIP).T @ f, atol=0.4)
        np.testing.assert_allclose(observer.wrench(TIP)[:3], f[:3], rtol=0.2, atol=0.5)
        self.assertTrue(any(observer.contact))
        observer.reset()
        observer.update(tau, dt)
        np.testing.assert_array_equal(observer.torque, 0)
        self.assertIs(observer.data, data)
        with self.assertRaises(mbdyn.ArgumentError):
            observer.update(tau, -1.0)
        with self.assertRaises(mbdyn.ArgumentError):
            mbdyn.Observer(data, gain=-1)
        with self.assertRaises(BufferError):
            data.close()
        with self.assertRaises(TypeError):
            mbdyn.Observer(self.model)
        counts = sys.getrefcount(data), sys.getrefcount(self.model)
        for _ in range(50):
            mbdyn.Observer(data)
        self.assertEqual((sys.getrefcount(data), sys.getrefcount(self.model)), counts)
        del observer
        data.close()
        with self.assertRaises(ValueError):
            mbdyn.Observer(data)


class Manipulators(Arm):
    def test_arm(self):
        """Inputs are the joints, outputs the tip: forward kinematics, mass matrix and bias are the known ones."""
        m = mbdyn.Manipulator(self.data, list(self.model.joint_names), [(a, TIP) for a in 'xyz'], self.q)
        y = self.q + 0.1
        q, z, result = m.forward(y, self.q)
        np.testing.assert_allclose(q, y, atol=1e-9)
        self.data.set_state(y, self.v)
        np.testing.assert_allclose(z, self.data.frame_placement(TIP)[:3, 3], atol=1e-9)
        self.assertEqual(result['outcome'], 0)
        J, M, h = self.data.jacobian(TIP)[:3], self.data.mass_matrix(), self.data.bias()
        inputs, outputs, G, H = m.velocity(y)
        np.testing.assert_allclose(inputs, y, atol=1e-12)
        np.testing.assert_allclose(G, J, atol=1e-9)
        np.testing.assert_allclose(G @ H, np.eye(3), atol=1e-8)
        mass, bias = m.input_dynamics(y, self.v)
        np.testing.assert_allclose(mass, M, atol=1e-9)
        np.testing.assert_allclose(bias, h, atol=1e-8)
        q, inputs, result = m.inverse(z, self.q)
        self.data.set_position(q)
        np.testing.assert_allclose(self.data.frame_placement(TIP)[:3, 3], z, atol=1e-8)
        self.assertNotEqual(m.monitor(y)['input_sign'], 0)
        with self.assertRaises(mbdyn.Error):
            m.output_dynamics(y, self.v)

    def test_modes(self):
        """A two-link arm in the plane: elbow up and elbow down, in the closed form."""
        b = mbdyn.Builder()
        b.add_body('upper', 'shoulder', 'continuous', axis=(0, 0, 1), inertia=POINT)
        b.add_body('lower', 'elbow', 'continuous', parent='upper', placement=shifted(1, 0, 0), axis=(0, 0, 1), inertia=POINT)
        b.add_frame('tip', 'lower', shifted(1, 0, 0))
        data = mbdyn.Data(b.finalize())
        m = mbdyn.Manipulator(data, ['shoulder', 'elbow'], [('x', 'tip'), ('y', 'tip')], [0.2, 0.5])
        target, seed = np.array([1.0, 1.0]), np.array([0.2, 0.5])
        q = m.solutions(False, target, seed)
        angles = sorted((q + np.pi) % (2 * np.pi) - np.pi, key=lambda a: a[1])
        np.testing.assert_allclose(angles, [[np.pi / 2, -np.pi / 2], [0, np.pi / 2]], atol=1e-8)
        self.assertEqual(m.solutions(True, seed, seed).shape, (1, 2))
        # M zdd + bias = Q: M is that of the operational space
        M, _ = m.output_dynamics(q[0], np.zeros(2))
        data.set_state(q[0], np.zeros(2))
        J = data.jacobian('tip')[:2]
        np.testing.assert_allclose(M, np.linalg.inv(J @ np.linalg.solve(data.mass_matrix(), J.T)), atol=1e-8)
        for bad in ({'most': 0}, {'value': np.zeros(3)}):
            with self.assertRaises(ValueError):
                m.solutions(**{'of_inputs': False, 'value': target, 'seed': seed, **bad})
        for inputs, outputs in ((['shoulder'], ['elbow']), (['nowhere'], ['elbow']), ('shoulder', 'elbow'), ([], [])):
            with self.assertRaises((mbdyn.Error, KeyError, TypeError)):
                mbdyn.Manipulator(data, inputs, outputs, seed)


class SelfMotions(Arm):
    held = [(a, TIP) for a in ('x', 'y', 'z', 'rotation_x', 'rotation_y', 'rotation_z')]

    def test_step(self):
        X = self.data.frame_placement(TIP)
        motion = mbdyn.SelfMotion(self.data, self.held, ignore_limits=True)
        with self.assertRaises(mbdyn.StageError):
            motion.step(0.1)
        q, state = motion.start(self.q)
        np.testing.assert_array_equal(q, self.q)
        self.assertEqual(state['freedom'], 1)
        q, state = motion.step(0.3)
        self.assertAlmostEqual(state['s'], 0.3, 9)
        self.assertGreater(np.linalg.norm(q - self.q), 0.2)
        self.data.set_position(q)
        np.testing.assert_allclose(self.data.frame_placement(TIP), X, atol=1e-8)
        motion.start(self.q)
        curve = motion.trace(2000)
        self.assertEqual(curve['q'].shape, (len(curve['s']), 7))
        self.assertTrue((np.diff(curve['s']) > 0).all())
        for q in curve['q'][::50]:
            self.data.set_position(q)
            np.testing.assert_allclose(self.data.frame_placement(TIP), X, atol=1e-7)

    def test_avoid(self):
        """An obstacle at the elbow: the elbow gives way, the tip stays."""
        self.data.set_position(self.q)
        X, elbow = self.data.frame_placement(TIP), self.data.frame_placement('link4')[:3, 3]
        motion = mbdyn.SelfMotion(self.data, self.held, ignore_limits=True, shapes=[('link4', (0, 0, 0), (0, 0, 0), 0.02)],
                                  obstacles=[(elbow, elbow, 0.01)])
        motion.start(self.q)
        q, state = motion.avoid(0.02, 20.0)
        self.assertGreaterEqual(state['clearance']['distance'], 0.02 - 1e-9)
        self.data.set_position(q)
        np.testing.assert_allclose(self.data.frame_placement(TIP), X, atol=1e-8)
        with self.assertRaises(mbdyn.Error):
            motion.avoid(50.0, 1.0)
        for bad in ({'shapes': [1]}, {'obstacles': [(0, 0, 0)]}, {'measures': 3}):
            with self.assertRaises(TypeError):
                mbdyn.SelfMotion(**{'data': self.data, 'measures': self.held, **bad})


if __name__ == '__main__':
    unittest.main()
