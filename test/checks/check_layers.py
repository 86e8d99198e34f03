#!/usr/bin/env python3
"""Layers of the core: a file includes its own folder and folders below it, never one above or beside it.

usage: check_layers.py SOURCE_FOLDER [--graph]

SOURCE_FOLDER is mbdyn_core/src. Exit code 1 and one line per include that points upwards; --graph
prints how often each folder includes each other one.
"""
import collections
import pathlib
import re
import sys

# from the bottom; folders in one line do not know each other
LAYERS = [
    ['util'],
    ['model'],
    ['state'],
    ['tree'],
    ['simd', 'sko'],
    ['constraints', 'flexible'],
    ['operators', 'simulate'],
    ['api'],
]


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        print(__doc__.strip())
        return 0 if len(sys.argv) > 1 else 2
    root = pathlib.Path(sys.argv[1])
    level = {name: k for k, layer in enumerate(LAYERS) for name in layer}
    bad, count, edges = [], 0, collections.Counter()
    for path in sorted(root.rglob('*')):
        if path.suffix not in ('.c', '.h', '.inc'):
            continue
        folder = path.relative_to(root).parts[0]
        if folder not in level:
            bad.append(f'{path}: folder {folder} is in no layer (LAYERS in {sys.argv[0]})')
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not found or found[1].startswith('mbdyn/'):
                continue
            count += 1
            target = found[1].split('/')[0]
            if '/' not in found[1] or target not in level:
                # beside the file itself, as templates are
                if (path.parent / found[1]).is_file():
                    continue
                bad.append(f'{path}:{number}: {found[1]}: say the folder, as in "tree/sweeps.h"')
            elif target != folder and level[target] >= level[folder]:
                bad.append(f'{path}:{number}: {folder}/ must not include {found[1]}: '
                           f'{target}/ is {"above" if level[target] > level[folder] else "beside"} it')
            edges[folder, target] += target != folder
    if '--graph' in sys.argv:
        for (folder, target), n in sorted(edges.items()):
            if n:
                print(f'{folder:12} -> {target:12} {n}')
    print('\n'.join(bad) if bad else f'{count} includes, none upwards')
    if count < 100:
        print(f'only {count} includes found: is {root} the source folder?')
    return 1 if bad or count < 100 else 0


sys.exit(main())
