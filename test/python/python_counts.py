"""Reference counts and memory stay flat over many calls, half of which fail.

  python_counts.py [CALLS]
"""
import gc
import resource
import sys

import numpy as np

import mbdyn
from support import ROBOTS

calls = int(sys.argv[1]) if len(sys.argv) > 1 else 100000
model = mbdyn.load(ROBOTS / 'arm7.urdf')
data, batch = mbdyn.Data(model), mbdyn.Batch(model, 1)
q, v, a, tau = (np.linspace(0, 1, 7) for _ in range(4))
M, Q = np.empty((7, 7)), np.zeros((2, 7))
wrenches = [('link7', [1.0] * 6)]
short, single = np.zeros(6), np.zeros(7, 'f4')
tasks, contact = [('link7', 'position'), (3, [[0, 0, 1, 0, 0, 0]])], {'frame_b': 'link7', 'normal': (0, 0, 1)}
observer = mbdyn.Observer(data)


def built():
    b = mbdyn.Builder()
    b.add_body('a', 'one', 'continuous', inertia=(1, (0, 0, 0), (1, 0, 0, 1, 0, 1)))
    b.add_body('b', 'two', 'continuous', parent='a', inertia=(1, (0, 0, 0), (1, 0, 0, 1, 0, 1)))
    b.add_closure('gear', 'coupling', joints={'one': 1.0, 'two': 2.0})
    return b


def good():
    data.inverse_dynamics(q, v, a, wrenches, tau)
    data.forward_dynamics(q, v, a)
    data.mass_matrix(out=M)
    data.step(q, v, dt=1e-3)
    data.center_of_mass(), data.frame_placement('link7'), data.energy_rates(a)
    data.V.lin, data.q
    batch.jacobian(Q, 'link7')
    model.joints[0], model.integrate(list(q), v, 0.1)
    data.set_state(q, v)
    data.task_inertia(tasks), data.measure(('x', 'link7')), data.contact_step([contact], 1e-3, limits=False)
    observer.update(tau, 1e-3), observer.torque
    built().finalize()


def failing():
    for call in (lambda: data.inverse_dynamics(q, v, a, out=q), lambda: data.set_position(short),
                 lambda: data.set_position(single), lambda: data.jacobian('nowhere'),
                 lambda: data.inverse_dynamics(q, v, a, [('link7', [1.0])]), lambda: batch.bias(Q, Q[:1]),
                 lambda: data.step(q, v), lambda: data.mass_matrix(out=M.T), lambda: mbdyn.Data(None),
                 lambda: data.task_bias([('link7', [[1]])]), lambda: data.measure(('y', 'nowhere')),
                 lambda: data.contact_step([contact, {}, 3], 1e-3), lambda: mbdyn.Manipulator(data, [3], [], q),
                 lambda: built().add_closure('x', 'weld', 'a', 'a'), lambda: mbdyn.SelfMotion(data, [('x',)]),
                 lambda: built().add_body('c', 'x', parent='none'), lambda: mbdyn.Model.from_mechanism(text='a: 1'),
                 lambda: mbdyn.Model.from_urdf('<robot/>'), lambda: data.close() if data.q is not None and
                 batch.bias(Q, 3) else None):
        try:
            call()
        except (ValueError, TypeError, KeyError, BufferError, mbdyn.Error):
            continue
        raise SystemExit('a wrong call succeeded')


watched = [q, v, a, tau, M, Q, wrenches, short, single, model, data, batch, tasks, contact,
           observer, mbdyn.Model, mbdyn.Data, mbdyn.Joint,
           mbdyn.UrdfError, None, True, float, np.ndarray, np.dtype(float)]


def state():
    gc.collect()
    return ([sys.getrefcount(o) for o in watched], sys.getallocatedblocks(),
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def many(n):
    # good() makes some twenty calls, failing() as many
    for k in range(n // 40):
        good()
        failing()


many(2200)
before = state()
many(calls)
after = state()
# None is everywhere, also in the interpreter's own tables
moved = [(type(o).__name__, b, c) for o, b, c in zip(watched, before[0], after[0]) if abs(c - b) > 2]
blocks, kilobytes = after[1] - before[1], after[2] - before[2]
print(f'{calls} calls: references moved: {moved or "none"}; {blocks:+d} blocks, {kilobytes:+d} kB')
if moved or abs(blocks) > 300 or kilobytes > 2000:
    raise SystemExit('FAIL: references or memory grow')
