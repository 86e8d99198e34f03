"""What a call through Python costs: instructions by callgrind, which do not depend on the machine's load.

  python_cost.py PROGRAM [--time]

Instructions of one call: a loop of Python with the call minus the same loop without, and minus the call in C
(PROGRAM). --time prints nanoseconds of this machine instead, by processor time.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from support import ROBOTS

# about four instructions per nanosecond on the machines where this was measured: 120 ns
BOUND = 480
ROBOT = str(ROBOTS / 'arm7.urdf')
SETUP = f"""
import mbdyn, numpy as np, sys
m = mbdyn.load({ROBOT!r}); d = mbdyn.Data(m)
q, v, a, tau = (np.zeros(7) for _ in range(4)); f = d.inverse_dynamics
"""
LOOPS = {'nothing': 'for _ in range(N): pass', 'out=': 'for _ in range(N): f(q, v, a, out=tau)',
         'new result': 'for _ in range(N): f(q, v, a)'}


def instructions(command):
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={out.name}', *command],
                             capture_output=True, text=True, check=True, env={**os.environ, 'PYTHONHASHSEED': '0'})
    return int(re.search(r'Collected : (\d+)', run.stderr)[1])


def per_call(command):
    few, many = 1000, 11000
    return (instructions(command(many)) - instructions(command(few))) / (many - few)


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


def main():
    program = sys.argv[1]
    if '--time' in sys.argv:
        return by_time(program)
    c = per_call(lambda n: [program, ROBOT, str(n)])
    python = {name: per_call(lambda n, loop=loop: [sys.executable, '-B', '-c', SETUP + f'N = {n}\n' + loop])
              for name, loop in LOOPS.items()}
    over = {name: python[name] - python['nothing'] - c for name in ('out=', 'new result')}
    print(f'instructions of one call in C: {c:.0f}; Python adds {over["out="]:.0f} with out=, '
          f'{over["new result"]:.0f} with a new array')
    if over['out='] > BOUND:
        raise SystemExit(f'FAIL: more than {BOUND}')


main()
