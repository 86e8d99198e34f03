"""What a call through Python costs over the call in C: nanoseconds of processor time; prints, checks nothing.

  python_cost.py PROGRAM    the loop in C, python_cost
"""
import os
import subprocess
import sys
import time

from support import ROBOTS

ROBOT = str(ROBOTS / 'arm7.urdf')
SETUP = f"""
import mbdyn, numpy as np, sys
m = mbdyn.load({ROBOT!r}); d = mbdyn.Data(m)
q, v, a, tau = (np.zeros(7) for _ in range(4)); f = d.inverse_dynamics
"""
LOOPS = {'nothing': 'for _ in range(N): pass', 'out=': 'for _ in range(N): f(q, v, a, out=tau)',
         'new result': 'for _ in range(N): f(q, v, a)'}


def by_time(program):
    space = {}
    exec(SETUP, space)  # noqa: S102: this file's own text
    best = {}
    for name, loop in LOOPS.items():
        code = compile(loop.replace('N', '2000'), name, 'exec')
        best[name] = 1e9
        for _ in range(200):
            start = time.thread_time_ns()
            exec(code, space)  # noqa: S102
            best[name] = min(best[name], (time.thread_time_ns() - start) / 2000)
    start = os.times()
    subprocess.run([program, ROBOT, '2000000'], check=True)
    end = os.times()
    c = (end.children_user - start.children_user) / 2e6 * 1e9
    for name in ('out=', 'new result'):
        print(f'{name}: {best[name] - best["nothing"]:.0f} ns, over C {best[name] - best["nothing"] - c:.0f} ns')


by_time(sys.argv[1])
