#!/usr/bin/env python3
"""
Instructions of one call on aarch64, counted under qemu-user.

  bench/emulated/count.py [--work DIR] [--build DIR] [--functions LIST] [--plugins FILE.so]...
                          [fixed:ROBOT.urdf | floating:ROBOT.urdf]...

Builds the core with test/aarch64 (gcc-aarch64-linux-gnu) and the programs of this folder in DIR, calls every
function at 16 states, and prints a table in Markdown; without robots: arm7 and humanoid. --build is a build with
-DMBDYN_BENCH=ON. Plug-ins of other libraries (bench/plugin_*.cpp) have to be compiled for aarch64, e.g.
  aarch64-linux-gnu-g++ -O3 -DNDEBUG -shared -fPIC -Imbdyn_util/timing ... bench/plugin_pinocchio.cpp
The sum of all results has to agree with ours to 1e-9.
"""

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, '..', '..'))
TIMING = os.path.join(ROOT, 'mbdyn_util', 'timing')
CROSS = 'aarch64-linux-gnu-gcc'
SYSROOT = '/usr/aarch64-linux-gnu'
CALLS = 64
NAMES = {'fk': 'forward kinematics', 'id': 'inverse dynamics', 'mass': 'mass matrix',
         'fd': 'forward dynamics', 'minv': 'M inverse', 'kinetic': 'kinetic energy',
         'id_derivatives': 'derivatives of inverse dynamics',
         'fd_derivatives': 'derivatives of forward dynamics'}


def run(*command):
    """Run a command quietly; its standard output."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def build(work, bench):
    """The plug-in of mbdyn for aarch64, QEMU's plug-in, and the program that exports robots."""
    core = os.path.join(work, 'core')
    run('cmake', '-S', os.path.join(ROOT, 'test', 'aarch64'), '-B', core, '-G', 'Ninja')
    run('cmake', '--build', core, '--target', 'mbdyn_core')
    run('cmake', '--build', bench, '--target', 'export_robot')
    sources = [os.path.join(TIMING, name + '.c') for name in ('plugin_mbdyn', 'functions', 'soa_derivatives')]
    run(CROSS, '-O3', '-DNDEBUG', '-std=gnu11', '-shared', '-fPIC', '-DBENCH_SHARED', '-DMBDYN_VERSION="here"',
        '-I' + TIMING, '-I' + os.path.join(ROOT, 'mbdyn_core', 'include'), *sources, '-Wl,--whole-archive',
        os.path.join(core, 'core', 'libmbdyn_core.a'), '-Wl,--no-whole-archive', '-lm', '-lpthread',
        '-o', os.path.join(work, 'bench_mbdyn.so'))
    run('cc', '-O2', '-shared', '-fPIC', os.path.join(HERE, 'instructions.c'),
        '-o', os.path.join(work, 'instructions.so'))


def program_of(work, bench, robot):
    """The program that calls functions on this robot."""
    base, path = robot.split(':', 1)
    name = os.path.splitext(os.path.basename(path))[0]
    source, program = os.path.join(work, name + '.c'), os.path.join(work, 'count_' + name)
    with open(source, 'w', encoding='utf-8') as file:
        file.write(run(os.path.join(bench, 'bench', 'export_robot'), base, path))
    run(CROSS, '-O2', '-std=gnu11', '-I' + TIMING, os.path.join(HERE, 'count_calls.c'), source,
        os.path.join(TIMING, 'functions.c'), '-ldl', '-lm', '-o', program)
    return name, program


def count(work, program, plugin, function, variant):
    """Instructions of one call and the sum of all results; None if there is no such implementation."""
    total = []
    for calls in (0, CALLS):
        done = subprocess.run(
            ['qemu-aarch64', '-L', SYSROOT, '-plugin', os.path.join(work, 'instructions.so'), program,
             os.path.abspath(plugin), function, str(variant), str(calls)],
            check=False, capture_output=True, text=True)
        if done.returncode == 3:
            return None
        if done.returncode != 0:
            sys.exit(f'{plugin}, {function}: {done.stderr}')
        total.append(int(re.search(r'instructions (\d+)', done.stderr).group(1)))
    return (total[1] - total[0]) / CALLS, float(done.stdout)


def fewest(work, program, plugin, function, expected):
    """Instructions of the implementation that takes the fewest, and the sum of its results."""
    best, result = None, expected
    for variant in range(100):
        counted = count(work, program, plugin, function, variant)
        if counted is None:
            break
        if expected is not None and abs(counted[1] - expected) > 1e-9 * expected:
            sys.exit(f'{plugin}, {function}: results differ, {counted[1]:.17g} instead of {expected:.17g}')
        if best is None or counted[0] < best:
            best, result = counted
    return best, result


def main():
    """Build, count, print."""
    robots = os.path.join(ROOT, 'config', 'robots')
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--work', default=os.path.join(ROOT, 'build-emulated'))
    parser.add_argument('--build', default=os.path.join(ROOT, 'build-bench'))
    parser.add_argument('--functions', default='fk,id,mass,fd,minv,id_derivatives,fd_derivatives')
    parser.add_argument('--plugins', action='append', default=[])
    parser.add_argument('robot', nargs='*', default=[f'fixed:{robots}/arm7.urdf', f'floating:{robots}/humanoid.urdf'])
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    build(args.work, args.build)
    programs = [program_of(args.work, args.build, robot) for robot in args.robot]
    peers = [re.sub(r'^bench_|\.so$', '', os.path.basename(p)) for p in args.plugins]
    head = [cell for name, _ in programs for cell in [name, *peers] + [''] * bool(peers)]
    print('| | ' + ' | '.join(head) + ' |\n| --- |' + ' ---: |' * len(head))
    for function in args.functions.split(','):
        row = [NAMES.get(function, function)]
        for _, program in programs:
            ours, expected = fewest(args.work, program, os.path.join(args.work, 'bench_mbdyn.so'), function, None)
            if ours is None:
                sys.exit(f'unknown function {function}')
            others = [fewest(args.work, program, plugin, function, expected)[0] for plugin in args.plugins]
            known = [n for n in others if n is not None]
            row += [f'{ours:.0f}'] + ['-' if n is None else f'{n:.0f}' for n in others]
            if peers:
                row.append(f'**{ours / min(known):.2f}**' if known else '')
        print('| ' + ' | '.join(row) + ' |', flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
