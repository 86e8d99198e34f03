#!/usr/bin/env python3
"""
The table of config/robots/README.md: every file is in it, with its joints, mass and massless frames.

usage: check_robot_table.py MBDYN SOURCE_DIR
"""

import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

mbdyn = sys.argv[1]
folder = pathlib.Path(sys.argv[2]) / 'config/robots'
text = (folder / 'README.md').read_text()
errors = []

for path in sorted(folder.iterdir()):
    if path.name != 'README.md' and f']({path.name})' not in text:
        errors.append(f'{path.name} is not mentioned')

robots = sorted(folder.glob('*.urdf'))
for path in robots:
    row = re.search(rf'^\| \[{path.name}\].*$', text, re.M)
    if not row:
        errors.append(f'{path.name} has no row')
        continue
    _, _, joints, mass, *_ = row[0].split('|')
    root = xml.parse(path).getroot()
    moving = sum(joint.get('type') != 'fixed' for joint in root.findall('joint'))
    if int(joints.split(',')[0]) != moving:
        errors.append(f'{path.name}: {joints.strip()} moving joints, not {moving}')
    # by the program, not by the file: both have to agree
    said = subprocess.run([mbdyn, 'info', '--json', '--loops', 'none', '--flexible', 'none', path],
                          capture_output=True, text=True, check=True).stdout
    whole = sum(float(m.get('value')) for m in root.iter('mass'))
    if abs(float(mass) - whole) > 0.006 * max(1, whole / 10):
        errors.append(f'{path.name}: {mass.strip()} kg, not {whole:.4g} kg')
    if json.loads(said)['nv'] != moving:
        errors.append(f'{path.name}: mbdyn info counts {json.loads(said)["nv"]} joints, not {moving}')
    frames = re.search(rf'^\| (?:[a-z0-9]+, )*{path.stem}(?:, [a-z0-9]+)* \| (.*) \|$', text, re.M)
    if not frames:
        errors.append(f'{path.name} is not in the table of frames')
        continue
    for name in re.findall(r'`(\w+)`', frames[1]):
        if root.find(f"link[@name='{name}']") is None:
            errors.append(f'{path.name} has no link {name}')

print(f'{len(robots)} robots')
for error in errors:
    print(error)
sys.exit(1 if errors or len(robots) < 7 else 0)
