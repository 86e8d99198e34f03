#!/usr/bin/env python3
"""
What we ship as text agrees with the node: parameter files, layouts of plots, launch files.

usage: check_config.py SOURCE_DIR MBDYN_NODE MBDYN_SIM
"""

import ast
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

import yaml

source = pathlib.Path(sys.argv[1])
errors = []


def expect(condition, text):
    if not condition:
        errors.append(text)


# ---------- parameters ----------


def describe(program):
    """Tables of --describe: name to type, and name to the rest of its row."""
    done = subprocess.run([program, '--describe'], capture_output=True, text=True, check=True)
    text = done.stdout
    rows = [line.strip('| ').split(' | ') for line in text.splitlines() if line.startswith('| `')]
    return {name: (row[1], row[-1]) for row in rows for name in re.findall(r'`([^`]+)`', row[0])}


def published(program):
    """Topics of the table of what is published, in a node /mbdyn."""
    done = subprocess.run([program, '--describe'], capture_output=True, text=True, check=True)
    table = done.stdout.split('| publishes |')[1].split('\n\n')[0]
    rows = [line for line in table.splitlines() if line.startswith('| `')]
    return {name.replace('~', '/mbdyn') for row in rows
            for name in re.findall(r'`([^`]+)`', row.split(' | ')[0])}


def flatten(values, prefix=''):
    for key, value in values.items():
        if isinstance(value, dict):
            yield from flatten(value, f'{prefix}{key}.')
        else:
            yield prefix + key, value


KINDS = {'bool': bool, 'integer': int, 'double': float, 'string': str}


def check_value(where, value, kind, description):
    # exactly: a double that is written as an integer cannot be replaced on the command line
    elements = value if kind.endswith(' array') else [value]
    wanted = KINDS[kind.replace(' array', '')]
    if not isinstance(elements, list) or any(type(e) is not wanted for e in elements):
        errors.append(f'{where}: {value!r} is not a {kind}')
        return
    choices = re.search(r'One of (`[^.]*`)', description)
    for element in elements if choices else []:
        expect(f'`{element}`' in choices[1], f'{where}: {element!r} is none of {choices[1]}')
    limits = re.search(r'Between (\S+) and (\S+?)\.(?: |$)', description)
    for element in elements if limits else []:
        expect(float(limits[1]) <= element <= float(limits[2]), f'{where}: {element} out of range')


def check_words(path):
    """A bare y or n is a bool for ROS, and a word for this YAML reader."""
    for token in yaml.scan(path.read_text()):
        if isinstance(token, yaml.ScalarToken) and token.plain:
            expect(token.value.lower() not in ('y', 'n'),
                   f'{path.name}: {token.value} needs quotes')


def check_parameters(parameters):
    files = sorted(source.glob('config/*.yaml'))
    expect(len(files) >= 6, 'parameter files are missing')
    for path in files:
        check_words(path)
        blocks = yaml.safe_load(path.read_text())
        ours = [name for name in blocks if name in ('/**', '/**/mbdyn')]
        # of the controller manager alone
        if not ours and any('controller_manager' in name for name in blocks):
            continue
        expect(len(ours) == 1, f'{path.name}: one block for the node, not {ours}')
        for name, value in flatten(blocks[ours[0]]['ros__parameters']):
            where = f'{path.name}: {name}'
            if name in parameters:
                check_value(where, value, *parameters[name])
            else:
                errors.append(f'{where}: no such parameter')


def check_modes(parameters):
    modes = re.findall(r'`(\w+)`', parameters['mode'][1].split('One of')[1])
    for mode in modes:
        blocks = yaml.safe_load((source / f'config/{mode}.yaml').read_text())
        expect(blocks['/**']['ros__parameters']['mode'] == mode, f'{mode}.yaml has another mode')
    return modes


# ---------- ros2_control ----------


def joints_of(robot):
    root = xml.parse(source / f'config/robots/{robot}.urdf')
    return [joint.get('name') for joint in root.iter('joint') if joint.get('type') != 'fixed']


def check_ros2_control():
    blocks = yaml.safe_load((source / 'config/ros2_control.yaml').read_text())
    manager = blocks['controller_manager']['ros__parameters']
    controller = blocks['effort_controller']['ros__parameters']
    expect(controller['joints'] == blocks['/**/mbdyn']['ros__parameters']['command_joints'],
           'ros2_control.yaml: controller and node have joints in another order')
    expect(controller['joints'] == joints_of('arm7'), 'ros2_control.yaml: joints are not of arm7')
    expect(controller['interface_name'] == 'effort', 'ros2_control.yaml: not an effort interface')
    for name in ('joint_state_broadcaster', 'effort_controller'):
        expect('type' in manager[name], f'ros2_control.yaml: {name} has no type')


# ---------- layouts ----------

# fields of messages that are not ours, as far as layouts use them
OTHERS = {
    'sensor_msgs/JointState': {'effort', 'position', 'velocity'},
    'std_msgs/Float64MultiArray': {'data'},
    'geometry_msgs/WrenchStamped': {'wrench/force/x', 'wrench/force/y', 'wrench/force/z'},
}


def fields_of(kind):
    if kind in OTHERS:
        return OTHERS[kind]
    definition = (source / f'msg/{kind.split("/")[1]}.msg').read_text()
    fields = re.findall(r'^([\w/]+)(?:\[\])? (\w+)\s*(?:#.*)?$', definition, re.MULTILINE)
    found = set()
    for field_type, name in fields:
        nested = source / f'msg/{field_type}.msg'
        inner = fields_of(f'mbdyn/{field_type}') if nested.exists() else ()
        found |= {name} | {f'{name}/{field}' for field in inner}
    return found


def check_path(where, path, topics):
    """A series: topic, then field; PlotJuggler has the joint in between for a JointState."""
    names = [name for name in topics if path.startswith(name + '/') or path.startswith(name + '.')]
    if not names:
        errors.append(f'{where}: {path}: no such topic')
        return
    topic = max(names, key=len)
    kind = topics[topic]
    rest = re.sub(r'\[[^]]*\]|\{[^}]*\}', '', path[len(topic) + 1:]).replace('.', '/')
    joint, _, field = rest.partition('/')
    if kind == 'sensor_msgs/JointState' and joint in joints_of('arm7'):
        rest = field
    expect(rest in fields_of(kind), f'{where}: {path}: {kind} has no {rest}')
    for joint in re.findall(r'name=="(\w+)"', path):
        expect(joint in joints_of('arm7'), f'{where}: {path}: no such joint')


def check_layouts(node):
    topics = {name.replace('~', '/mbdyn'): kind for name, (kind, _) in node.items() if '/' in kind}
    topics['/joint_states'] = topics.pop('joint_states')
    plotjuggler = xml.parse(source / 'config/plotjuggler_layout.xml')
    curves = [curve.get('name') for curve in plotjuggler.iter('curve')]
    selected = plotjuggler.find('.//selected_topics').get('value').split(';')
    expect(len(curves) > 50, 'plotjuggler_layout.xml: no curves')
    for name in curves:
        check_path('plotjuggler_layout.xml', name, topics)
        expect(any(name.startswith(topic + '/') for topic in selected),
               f'plotjuggler_layout.xml: topic of {name} is not selected')
    for splitter in plotjuggler.iter('DockSplitter'):
        expect(len(splitter) == int(splitter.get('count')), 'plotjuggler_layout.xml: wrong count')
    foxglove = json.loads((source / 'config/foxglove_layout.json').read_text())
    panels = foxglove['configById']
    for panel in panels.values():
        for path in panel.get('paths', []):
            check_path('foxglove_layout.json', path['value'], topics)
    tabs = [tab['layout'] for panel in panels.values() for tab in panel.get('tabs', [])]
    shown = re.findall(r'"(\w+!\w+)"', json.dumps([foxglove['layout'], tabs]))
    expect(sorted(shown) == sorted(panels), 'foxglove_layout.json: panels are not all shown')
    paths = [path['value'] for panel in panels.values() for path in panel.get('paths', [])]
    check_whole(topics, curves, paths)


# topics without a curve: events, shapes, matrices, what is off by default, and the same numbers elsewhere
NO_CURVE = re.compile(r'/(transition_event|markers|joint_trajectory_effort|jacobian|operational_space_inertia'
                      r'|torques/\w+|torques|command|joint_torques|joint_dynamics|diagnostics)')


def check_whole(topics, curves, paths):
    """What the node says of the robot is plotted in both; in one form or the other."""
    published = [name for name in topics if name in PUBLISHED]
    expect(len(published) >= 8, f'published topics: {published}')
    for topic in published:
        for layout, series in (('plotjuggler_layout.xml', curves), ('foxglove_layout.json', paths)):
            there = any(path.startswith((topic + '/', topic + '.', topic + '[')) for path in series)
            expect(there or NO_CURVE.fullmatch(topic.replace('/mbdyn', '', 1).split('<')[0].rstrip('/')),
                   f'{layout}: {topic} is not plotted')
    for field in ('position', 'velocity', 'measured', 'total', 'gravity', 'coriolis', 'inertia',
                  'friction', 'command'):
        expect(any(path.endswith('.' + field) for path in paths),
               f'foxglove_layout.json: no {field} of joints')
    for field in ('gravity', 'coriolis', 'inertia', 'friction', 'external'):
        expect(any(f'/{field}[' in curve for curve in curves),
               f'plotjuggler_layout.xml: no {field} of joints')


# ---------- launch files ----------


def launch_arguments(path):
    """Name to default (None if it is computed) and description, from ARGUMENTS."""
    for statement in ast.parse(path.read_text()).body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == 'ARGUMENTS':
            rows = [row.elts for row in statement.value.elts]
            return {
                name.value: (getattr(default, 'value', None), text.value)
                for name, default, text in rows}
    return {}


def check_launch(modes):
    python = launch_arguments(source / 'launch/mbdyn.launch.py')
    root = xml.parse(source / 'launch/mbdyn.launch.xml').getroot()
    arguments = root.findall('arg')
    expect(len(python) >= 10, 'mbdyn.launch.py: no arguments')
    expect([a.get('name') for a in arguments] == list(python), 'launch: arguments differ')
    for argument in arguments:
        default, text = python.get(argument.get('name'), (None, None))
        expect(argument.get('description') == text, f'launch: {argument.get("name")}: other text')
        expect(default is None or argument.get('default') == default,
               f'launch: {argument.get("name")}: other default')
    choices = [choice.get('value') for choice in root.iter('choice')]
    expect(sorted(choices) == sorted(modes), 'mbdyn.launch.xml: modes differ from the node')
    text = (source / 'launch/mbdyn.launch.py').read_text()
    expect(all(f"'{mode}'" in text for mode in modes), 'mbdyn.launch.py: a mode is missing')
    for path in source.glob('launch/*.launch.py'):
        for name, (_, description) in launch_arguments(path).items():
            expect(description.endswith('.'), f'{path.name}: {name} is not described')


def check_launch_parameters(node, sim):
    """Parameters that launch files set by name."""
    for path in source.glob('launch/*'):
        names = re.findall(r"'(\w+)': ParameterValue|<param name=\"(\w+)\"", path.read_text())
        for name in (python or other for python, other in names):
            expect(name in node or name in sim, f'{path.name}: no parameter {name}')


node = describe(sys.argv[2])
PUBLISHED = published(sys.argv[2])
sim = describe(sys.argv[3])
check_parameters(node)
check_launch(check_modes(node))
check_ros2_control()
check_layouts(node)
check_launch_parameters(node, sim)
for error in errors:
    print(error)
sys.exit(1 if errors else 0)
