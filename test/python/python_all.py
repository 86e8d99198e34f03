"""Every method of functions.txt on rigid, floating, looped, embedded and flexible robots.

Results have the shapes that the table says, are written into `out` and nowhere beside it, are finite or an
error of mbdyn's; every array argument refuses another size, type or stride.
"""
import sys
import unittest
import warnings

import numpy as np

import mbdyn
from support import ROBOTS, SOURCE

sys.path.insert(0, str(SOURCE / 'python'))
import generate  # noqa: E402

warnings.simplefilter('ignore', mbdyn.UrdfWarning)
MARK = 12345.678
GUARD = 64


def robots():
    finger = dict(loops=str(ROBOTS / 'finger.loops.yaml'))
    yield 'arm', mbdyn.load(ROBOTS / 'arm7.urdf')
    yield 'quadruped', mbdyn.load(ROBOTS / 'quadruped.urdf', floating=True)
    yield 'joints', mbdyn.load(SOURCE / 'test/data/all_joint_types.urdf', mimic_independent=True)
    yield 'loops', mbdyn.load(ROBOTS / 'finger.urdf', embed=False, **finger)
    yield 'embedded', mbdyn.load(ROBOTS / 'finger.urdf', **finger)
    yield 'springs', mbdyn.load(ROBOTS / 'balanced_arm.urdf', mechanism=True,
                                loops=str(ROBOTS / 'balanced_arm.mechanism.yaml'))
    yield 'flexible', mbdyn.load(ROBOTS / 'boom.urdf', flexible=str(ROBOTS / 'boom.flexible.yaml'))


class Machine:
    """Arguments for a row on a robot."""

    def __init__(self, model):
        self.model, self.data, self.batch = model, mbdyn.Data(model), mbdyn.Batch(model, 2)
        self.rng, self.motion = np.random.default_rng(4), None
        self.q = model.neutral() if model.nclosure or model.nnode else model.random_configuration(5)
        self.v = 0.1 * self.rng.standard_normal(model.nv)
        # the sizes of the table, as Python sees them
        self.size = {name: getattr(model, name) for name in ('nq', 'nv', 'nbody', 'nframe', 'nrow')}
        self.size['n'] = 3
        self.size['two_nv'], self.size['ten_nbody'] = 2 * model.nv, 10 * model.nbody
        self.reset()
        try:
            self.size['tree_nv'] = len(self.data.tree_velocity(self.v))
        except mbdyn.Error:
            self.size['tree_nv'] = model.nv
        self.size['parameters'] = self.size['ten_nbody']
        self.size['held'] = 6
        # frequencies: joints free
        self.size['frequencies'] = model.nv
        self.size['to_nv'] = model.nv
        self.size['nbearing'] = 0
        self.size['task_rows'] = 4
        self.parts()

    def parts(self):
        """An Observer, and where there is one a Manipulator and a SelfMotion."""
        model, data = self.model, self.data
        self.owner = {'Model': model, 'Data': data, 'Batch': self.batch, 'Observer': mbdyn.Observer(data)}
        frame = model.frame_names[-1]
        joints = [j.name for j in model.joints if j.nq == 1]
        self.size['ninput'], self.size['noutput'], self.size['nmeasure'] = 7, 7, 6
        if model.name == 'arm7':
            held = [(c, frame) for c in ('x', 'y', 'z', 'rotation_x', 'rotation_y', 'rotation_z')]
            self.owner['Manipulator'] = mbdyn.Manipulator(data, joints, held + joints[:1], self.q, restarts=1)
            self.motion = self.owner['SelfMotion'] = mbdyn.SelfMotion(data, held, ignore_limits=True)

    def reset(self):
        if self.motion is not None:
            self.motion.start(self.q)
        self.data.inverse_dynamics(self.q, self.v, np.zeros(self.model.nv))
        self.data.force_response([(self.model.frame_names[-1], [1.0] * 6)])

    def shape(self, parameter):
        return tuple(int(s) if s.isdigit() else self.size[s] for s in parameter.shape)

    def array(self, p):
        shape = self.shape(p)
        if p.kind == 'bools':
            return [k % 2 == 0 for k in range(shape[0])]
        if p.name in ('q', 'q0', 'q1', 'guess'):
            return np.ascontiguousarray(np.broadcast_to(self.q, shape))
        if p.name == 'theta' and shape == (10,):
            return np.array([2.0, 0, 0, 0, 1, 0, 0, 1, 0, 1])
        if p.name == 'theta' and not self.model.nnode:
            return self.data.parameters_get(False)
        return 0.1 + self.rng.random(shape) * 0.1

    def argument(self, p):
        if p.is_array:
            return self.array(p)
        frame = self.model.frame_names[-1]
        return {'frame': frame, 'joint': 0, 'int': 0, 'enum': 0, 'reference': mbdyn.LOCAL, 'double': 0.01,
                'model': self.model, 'tasks': [(frame, 'position'), (frame, [[0, 0, 0, 1, 0, 0]])],
                'singular': 'truncate', 'limit': 0, 'measure': ('x', frame),
                'string': 'rod_pin' if self.model.nclosure else 'elbow_spring', 'bool': False, 'seed': 3, 'uint32': 0, 'vec3': (0.1, 0.2, -9), 'motion': [0.1] * 6,
                'wrenches': [(frame, [1.0] * 6)], 'inertia': (1, (0, 0, 0), (1, 0, 0, 1, 0, 1))}[p.kind]


class All(unittest.TestCase):
    def guarded(self, shape):
        """An array in the middle of memory that nobody may touch."""
        count = int(np.prod(shape))
        memory = np.full(count + 2 * GUARD, MARK)
        return memory, memory[GUARD:GUARD + count].reshape(shape)

    def one(self, machine, row, where):
        if row.owner not in machine.owner:
            return
        method = getattr(machine.owner[row.owner], row.name)
        arguments = [machine.argument(p) for p in row.arguments]
        if row.name == 'constrained_inverse_dynamics':
            # a motion that closes the loops, all joints driven
            v = machine.model.nv * [0.0]
            try:
                arguments[0:3] = machine.q, v, machine.data.constrained_forward_dynamics(machine.q, v)[0]
            except mbdyn.Error:
                return
            arguments[1] = np.array(v)
            arguments[4] = [True] * machine.model.nv
        machine.reset()
        result, done = None, True
        try:
            result = method(*arguments)
        except mbdyn.Error as e:
            self.assertNotEqual(e.name, 'MBD_ERROR_NULL_ARGUMENT', where)
            self.failed.setdefault(row.name, set()).add(e.name)
            done = False
        if done:
            self.worked.add((row.owner, row.name))
        if result is not None:
            results = result if len(row.results) > 1 else [result]
            for p, r in zip(row.results, results):
                if p.is_array:
                    self.assertEqual(r.shape, machine.shape(p), f'{where} {p.name}')
                    self.assertFalse(np.isnan(r).any(), f'{where} {p.name}')
        if row.arrays_out:
            machine.reset()
            pairs = [self.guarded(machine.shape(p)) for p in row.arrays_out]
            outs = tuple(a for _, a in pairs)
            try:
                again = method(*arguments, out=outs if len(outs) > 1 else outs[0])
                written = [r for p, r in zip(row.results, again if len(row.results) > 1 else [again]) if p.is_array]
                before = [r for p, r in zip(row.results, results) if p.is_array]
                for a, b, o in zip(written, before, outs):
                    self.assertIs(a, o, where)
                    np.testing.assert_array_equal(a, b, where)
            except mbdyn.Error:
                self.assertIsNone(result, where)
            for memory, _ in pairs:
                self.assertTrue((memory[:GUARD] == MARK).all() and (memory[-GUARD:] == MARK).all(),
                                f'{where} writes beside out')
        self.refusals(machine, row, method, arguments, where)

    def refusals(self, machine, row, method, arguments, where):
        for k, p in enumerate(row.arguments):
            if not p.is_array or p.kind == 'bools':
                continue
            good = arguments[k]
            longer = np.zeros(good.shape[:-1] + (good.shape[-1] + 1,))
            bad = [longer, good.astype('f4'), good.astype(object), np.zeros(good.shape + (2,))[..., 0], 'text']
            if good.size < 2:
                bad.pop(3)
            for wrong in bad:
                with self.assertRaises((TypeError, ValueError), msg=f'{where} {p.name}'):
                    method(*arguments[:k], wrong, *arguments[k + 1:])
        if row.arrays_out:
            shapes = [machine.shape(p) for p in row.arrays_out]
            wrong = tuple(np.zeros(s[:-1] + (s[-1] + 1,)) for s in shapes)
            with self.assertRaises((TypeError, ValueError), msg=where):
                method(*arguments, out=wrong if len(wrong) > 1 else wrong[0])

    def test_all(self):
        table, _ = generate.rows()
        self.worked, self.failed = set(), {}
        for name, model in robots():
            machine = Machine(model)
            for row in table:
                self.one(machine, row, f'{name}: {row.owner}.{row.name}')
        never = sorted({f'{r.owner}.{r.name}' for r in table if (r.owner, r.name) not in self.worked})
        self.assertEqual(never, [], {n: self.failed.get(n.split('.')[1]) for n in never})


if __name__ == '__main__':
    unittest.main()
