#!/usr/bin/env python3
"""
Multiplications, additions and instructions of one call, on a general arm of N hinges.

  bench/operations.py [--build DIR] [--mbdyn PROGRAM] [--json FILE] [N]...
  bench/operations.py --check PROGRAM                 (counts of PROGRAM against a count by hand)

Builds mbdyn_operations with line numbers (-g changes no instruction), runs each function once under
valgrind's callgrind, and looks up every instruction that was executed: scalar and packed products and
sums of doubles, an instruction that does both counting as one of each, a packed one as often as it is
wide. Sines and cosines are left out (libm, and sincos.h of the kernels), as the literature does; all
else that was executed is in, unused elements of vectors too. `arithmetic` is how many
instructions that was; `instructions` are all that callgrind counts, sines included. With --mbdyn the
code that `mbdyn codegen` generates for the arm is counted too (it counts itself). Needs cmake, ninja,
valgrind and objdump; x86-64.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..')
FUNCTIONS = ['inverse', 'forward', 'mass', 'noc_inverse', 'noc_forward', 'noc_orthogonal', 'noc_mass']
WIDTH = {'xmm': 2, 'ymm': 4, 'zmm': 8}


def build(folder):
    """Configure and build the program; its path."""
    quiet = {'stdout': subprocess.DEVNULL}
    subprocess.run(['cmake', '-S', ROOT, '-B', folder, '-G', 'Ninja', '-DCMAKE_C_FLAGS=-g'],
                   check=True, **quiet)
    subprocess.run(['cmake', '--build', folder, '--target', 'mbdyn_operations'], check=True, **quiet)
    return os.path.join(folder, 'bench', 'mbdyn_operations')


def meaning(mnemonic, operands):
    """Multiplications and additions of one instruction."""
    match = re.match(r'v?(?:fn?m(add|sub|addsub|subadd)\d*|mul|addsub|hadd|hsub|add|sub|div|sqrt)(sd|pd)$',
                     mnemonic)
    if not match:
        return 0, 0, 0
    width = 1
    if match.group(2) == 'pd':
        width = max(WIDTH[w] for w in re.findall(r'[xyz]mm', operands))
    if 'fm' in mnemonic or 'fnm' in mnemonic:
        return width, width, 0
    if 'mul' in mnemonic:
        return width, 0, 0
    if 'div' in mnemonic or 'sqrt' in mnemonic:
        return 0, 0, width
    return 0, width, 0


def disassemble(path, known={}):
    """Address -> (multiplications, additions, divisions and roots) of an object's arithmetic."""
    if path in known:
        return known[path]
    text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', path], check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout
    found = {}
    for line in text.splitlines():
        match = re.match(r'\s*([0-9a-f]+):\s+(\S+)\s*(.*)', line)
        if match:
            cost = meaning(match.group(2), match.group(3))
            if any(cost):
                found[int(match.group(1), 16)] = cost
    known[path] = found
    return found


def executed(program, function, n):
    """Object, source file, address and number of every instruction executed in a function."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out')
        # a first run of each resolves its symbols: the linker does it at the start
        subprocess.run(['valgrind', '-q', '--tool=callgrind', '--dump-instr=yes', '--dump-line=yes',
                        '--compress-strings=no', '--compress-pos=no', f'--callgrind-out-file={out}',
                        f'--toggle-collect=count_{function}', program, str(n)],
                       check=True, env={**os.environ, 'LD_BIND_NOW': '1'})
        lines = open(out).read().splitlines()
    rows = []
    source = thing = ''
    skip = False
    for line in lines:
        if line.startswith('ob='):
            thing = line[3:]
        elif re.match(r'f[lie]=', line):
            source = line[3:]
        elif line.startswith('calls='):
            skip = True  # the next line is of the callee, which has lines of its own
        elif line.startswith('0x'):
            if not skip:
                address, _, count = line.split()[:3]
                rows.append((thing, source, int(address, 16), int(count)))
            skip = False
    return rows


def count(program, function, n):
    """Operations of one call."""
    total = {'multiplications': 0, 'additions': 0, 'divisions': 0, 'arithmetic': 0,
             'instructions': 0}
    for thing, source, address, times in executed(program, function, n):
        total['instructions'] += times
        if 'libm.so' in thing or 'libm-' in thing or source.endswith('sincos.h'):
            continue
        costs = disassemble(thing).get(address)
        if costs:
            total['arithmetic'] += times
            for key, cost in zip(('multiplications', 'additions', 'divisions'), costs):
                total[key] += cost * times
    return total


def arm(n):
    """The arm of operations.c as a table that `mbdyn dh` reads."""
    rows = [f'  - {{a: {0.3 + 0.01 * i:.12g}, d: {0.2 - 0.02 * i:.12g}, alpha: {0.7 + 0.1 * i:.12g}, '
            f'theta: {0.2 * i:.12g}, mass: {2.0 - 0.01 * i:.12g}, com: [0.1, -0.2, 0.05], '
            'inertia: [0.3, 0.01, 0.02, 0.4, 0.03, 0.5]}' for i in range(n)]
    return '\n'.join(['base: {xyz: [0.1, 0.2, 0.3], rpy: [0.4, 0, 0]}', 'joints:'] + rows) + '\n'


def generated(mbdyn, n):
    """Operations of the code that is generated for the arm, as `mbdyn codegen` says."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        table, urdf = os.path.join(folder, 'arm.yaml'), os.path.join(folder, 'arm.urdf')
        with open(table, 'w') as file:
            file.write(arm(n))
        subprocess.run([mbdyn, 'dh', table, '-o', urdf], check=True)
        text = subprocess.run([mbdyn, 'codegen', urdf, '-o', folder, '--gravity', '1,2,-9.5',
                               '--verbose'], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True).stdout
    for line in text.splitlines():
        match = re.match(r'(inverse_dynamics|forward_dynamics|mass_matrix) +\d+ +(\d+) +(\d+) +(\d+)',
                         line)
        if match:
            found['generated ' + match.group(1)] = {
                'multiplications': int(match.group(3)), 'additions': int(match.group(2)),
                'divisions': int(match.group(4))}
    return found


def check(program):
    """The recursion of noc.c by hand: 121 n - 22 products and 96 n - 12 sums, and 4 n of each in checks
    for numbers that are not finite. Compilers may save some."""
    bad = 0
    for n in (3, 8):
        x = count(program, 'noc_inverse', n)
        expected = {'multiplications': 125 * n - 22, 'additions': 100 * n - 12}
        for key, value in expected.items():
            print(f'{key} of {n} joints: {x[key]}, by hand {value}')
            bad += not 0.95 * value <= x[key] <= 1.05 * value
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.strip().splitlines()[0])
    parser.add_argument('--build', default=os.path.join(ROOT, 'build-operations'), metavar='DIR',
                        help='where to build (default: build-operations)')
    parser.add_argument('--json', metavar='FILE', help='write the counts there too')
    parser.add_argument('--mbdyn', metavar='PROGRAM', help='mbdyn, for the code that it generates')
    parser.add_argument('--check', metavar='PROGRAM', help='check the method with mbdyn_operations')
    parser.add_argument('n', nargs='*', type=int, help='joints (default: 6 12)')
    arguments = parser.parse_args()
    sizes = arguments.n or [6, 12]
    try:
        if arguments.check:
            return check(arguments.check)
        program = build(arguments.build)
        found = {f: {n: count(program, f, n) for n in sizes} for f in FUNCTIONS}
        for n in sizes if arguments.mbdyn else []:
            for function, x in generated(arguments.mbdyn, n).items():
                found.setdefault(function, {})[n] = x
    except (OSError, subprocess.CalledProcessError) as error:
        print(f'operations.py: {error}', file=sys.stderr)
        return 2
    keys = ['multiplications', 'additions', 'divisions', 'arithmetic', 'instructions']
    print('| function | n | ' + ' | '.join(keys) + ' |')
    print('| --- |' + ' ---: |' * (len(keys) + 1))
    for function, by_size in found.items():
        for n, x in by_size.items():
            print(f'| {function} | {n} | ' + ' | '.join(str(x.get(k, '')) for k in keys) + ' |')
    if arguments.json:
        with open(arguments.json, 'w') as file:
            json.dump(found, file, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())
