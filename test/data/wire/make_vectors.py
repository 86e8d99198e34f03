#!/usr/bin/env python3
"""Writes own.json: messages and their bytes, by an encoder that shares nothing with ours in C.

make_vectors.py               write own.json
make_vectors.py --ros         write humble_own.json: the same messages by rclpy of a sourced ROS 2
make_vectors.py FILE.json     check this encoder against other vectors, e.g. of a real ROS 2
"""
import importlib
import json
import os
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
STANDARD = ROOT / 'ros2_standalone' / 'interfaces'
NUMBERS = {
    'bool': 'B', 'byte': 'B', 'char': 'B', 'uint8': 'B', 'int8': 'b', 'uint16': 'H', 'int16': 'h',
    'uint32': 'I', 'int32': 'i', 'uint64': 'Q', 'int64': 'q', 'float32': 'f', 'float64': 'd'}


def fields_of(name):
    """List of (type, array, field name); array is None, '' (sequence), '<=N' or 'N'."""
    package, kind, base = name.split('/')
    half = None
    for suffix, index in (('_Request', 0), ('_Response', 1)):
        if kind == 'srv' and base.endswith(suffix):
            base, half = base[:-len(suffix)], index
    folder = ROOT if package == 'mbdyn' else STANDARD / package
    text = (folder / kind / f'{base}.{kind}').read_text()
    if half is not None:
        text = re.split(r'^---$', text, flags=re.M)[half]
    found = []
    for line in text.splitlines():
        line = line.split('#')[0].strip()
        m = re.match(r'([\w/]+)(?:<=\d+)?(?:\[(.*?)\])?\s+(\w+)(?!\s*=)\b(?!\s*=)', line)
        if m:
            kind_of = m[1]
            if kind_of not in NUMBERS and kind_of != 'string':
                parts = kind_of.split('/')
                kind_of = f'{parts[0] if len(parts) > 1 else package}/msg/{parts[-1]}'
            found.append((kind_of, m[2], m[3]))
    return found


def number(value):
    """What the JSON files write for a number."""
    if isinstance(value, str):
        return ord(value) if len(value) == 1 else float(value)
    return value


def encode(out, kind, value, order='<'):
    if kind in NUMBERS:
        size = struct.calcsize(NUMBERS[kind])
        out.extend(bytes(-len(out) % size))
        out.extend(struct.pack(order + NUMBERS[kind], number(value)))
    elif kind == 'string':
        data = value.encode() + b'\0'
        encode(out, 'uint32', len(data), order)
        out.extend(data)
    else:
        fields = fields_of(kind)
        if not fields:
            out.append(0)
        for inner, array, name in fields:
            if array is None:
                encode(out, inner, value[name], order)
                continue
            if array == '' or array.startswith('<='):
                encode(out, 'uint32', len(value[name]), order)
            for element in value[name]:
                encode(out, inner, element, order)


def cdr(kind, value, order='<'):
    out = bytearray()
    encode(out, kind, value, order)
    return ((b'\x00\x01\x00\x00' if order == '<' else bytes(4)) + bytes(out)).hex()


def complete(kind, value):
    """Fields that messages() does not name get some value: a new one needs no line there."""
    for i, (inner, array, field) in enumerate(fields_of(kind)):
        if array is not None:
            value.setdefault(field, [])
        elif inner in NUMBERS:
            value.setdefault(field, i + 0.5 if inner.startswith('float') else i % 2)
        elif inner == 'string':
            value.setdefault(field, field)
        else:
            value.setdefault(field, {})
        if inner not in NUMBERS and inner != 'string':
            for x in value[field] if array is not None else [value[field]]:
                complete(inner, x)
    return value


def ros_message(kind, value):
    """The same message as an object of rclpy."""
    package, folder, base = kind.split('/')
    name, _, half = base.partition('_')
    message = getattr(importlib.import_module(f'{package}.{folder}'), name)
    message = getattr(message, half)() if half else message()
    for inner, array, field in fields_of(kind):
        def convert(x, inner=inner):
            return x if inner in ('bool', 'string') else \
                number(x) if inner in NUMBERS else ros_message(inner, x)
        x = value[field]
        setattr(message, field, convert(x) if array is None else [convert(i) for i in x])
    return message


def write(name, file, encode_one):
    vectors = [dict({'name': n, 'ros_type': kind}, **encode_one(kind, value), fields=value)
               for n, kind, value in ((n, k, complete(k, v)) for n, k, v in messages())]
    text = json.dumps(dict(file, vectors=vectors), indent=1)
    (HERE / name).write_text(text + '\n')


def own_bytes(kind, value):
    data = cdr(kind, value)
    return {'size': len(data) // 2, 'cdr_hex': data, 'big_endian_hex': cdr(kind, value, '>')}


def write_ros():
    from rclpy.serialization import serialize_message
    from rclpy.utilities import get_rmw_implementation_identifier

    def ros_bytes(kind, value):
        data = serialize_message(ros_message(kind, value))
        return {'size': len(data), 'cdr_hex': data.hex()}

    write('humble_own.json', {
        'generator': 'rclpy.serialization.serialize_message',
        'rmw': get_rmw_implementation_identifier(), 'ros_distro': os.environ['ROS_DISTRO'],
    }, ros_bytes)


def header(frame):
    return {'stamp': {'sec': 12, 'nanosec': 345678901}, 'frame_id': frame}


def vector3(x, y, z):
    return {'x': x, 'y': y, 'z': z}


def messages():
    names = ['shoulder', 'elbow', 'wrist.wz']
    rows = ['linear_x', 'linear_y', 'linear_z', 'angular_x', 'angular_y', 'angular_z']
    wrench = {'force': vector3(1.0, -2.0, 3.5), 'torque': vector3(0.1, 0.2, -0.3)}
    identity = {'position': vector3(0.0, 0.0, 1.0),
                'orientation': {'x': 0.0, 'y': 0.0, 'z': 0.0, 'w': 1.0}}
    twist = {'linear': vector3(0.5, 0.0, 0.0), 'angular': vector3(0.0, 0.0, -0.25)}
    torques = {
        'header': header('base'), 'joint_names': names, 'total': [10.5, -2.25, 0.125],
        'gravity': [9.0, -2.0, 0.0], 'coriolis': [0.5, 0.25, 0.0], 'inertia': [1.0, -0.5, 0.125],
        'friction': [], 'external': [], 'command': [8.0, -2.25, 0.125],
        'saturated': [True, False, False]}
    joint = {
        'name': 'elbow', 'position': 1.5707963267948966, 'velocity': -0.1, 'acceleration': 'nan',
        'measured': 'nan', 'total': -2.25, 'gravity': -2.0, 'coriolis': 0.25, 'inertia': -0.5,
        'friction': 0.0, 'external': -0.0, 'command': -2.25, 'limit': 'inf', 'saturated': False}
    point = {'header': header('tool0'), 'wrench': wrench}
    yield 'time_bounds', 'builtin_interfaces/msg/Time', {'sec': -2147483648, 'nanosec': 4294967295}
    yield 'joint_torques', 'mbdyn/msg/JointTorques', torques
    yield 'joint_torques_whole', 'mbdyn/msg/JointTorques', dict(
        torques, friction=[0.5, -0.25, 1e-300], external=['-inf', 0.0, 'nan'])
    yield 'joint_dynamics_array', 'mbdyn/msg/JointDynamicsArray', {
        'header': header(''), 'joints': [joint, dict(joint, name='a', saturated=True)]}
    yield 'jacobian', 'mbdyn/msg/Jacobian', {
        'header': header('world'), 'frame': 'tool0', 'reference': 2, 'point_frame': 'tool0',
        'axes_frame': 'world', 'row_names': rows, 'col_names': names, 'rows': 6, 'cols': 3,
        'data': [i / 8 for i in range(18)], 'bias': [0.0, 0.0, -1e-9, 0.0, 0.0, 5e-324]}
    yield 'mass_matrix', 'mbdyn/msg/MassMatrix', {
        'header': header('base'), 'row_names': names[:2], 'col_names': names[:2], 'rows': 2,
        'cols': 2, 'data': [2.0, 0.5, 0.5, 1.0], 'diagonal': [2.0, 1.0], 'condition': 2.784}
    inertia = {
        'header': header('base'), 'frames': ['t'], 'reference': 0, 'point_frames': ['t'],
        'axes_frames': ['t'], 'row_names': ['t.' + r for r in rows],
        'col_names': ['t.' + r for r in rows], 'rows': 6, 'cols': 6,
        'data': [1.0 if i % 7 == 0 else 0.0 for i in range(36)], 'compliance': [], 'rank': 6,
        'condition': 1.0}
    yield 'operational_space_inertia', 'mbdyn/msg/OperationalSpaceInertia', inertia
    yield 'operational_space_inertia_whole', 'mbdyn/msg/OperationalSpaceInertia', dict(
        inertia, compliance=[i / 4 for i in range(36)], rank=4, condition='inf')
    yield 'singularity', 'mbdyn/msg/Singularity', {
        'header': header('base'), 'joint_names': names, 'frames': ['tool0', 'hand'],
        'reciprocal_condition': [0.125, 0.0], 'sign': [-1, 0], 'nearest_joint': [2147483647, -1],
        'nearest_row': [-2147483648, 5], 'component': 2, 'held': True,
        'holds': 9223372036854775807}
    yield 'dynamics_summary', 'mbdyn/msg/DynamicsSummary', {
        'header': header('world'), 'model_name': 'arm', 'mode': 'passive', 'degrees_of_freedom': 3,
        'kinetic_energy': 0.5, 'potential_energy': -12.0, 'power': 1.25, 'mass': 17.5,
        'gravity': vector3(0.0, 0.0, -9.81), 'center_of_mass': vector3(0.1, 0.0, 0.4),
        'com_velocity': vector3(0.0, 0.0, 0.0), 'linear_momentum': vector3(0.0, 0.0, 0.0),
        'angular_momentum': vector3(0.0, 0.0, 0.0), 'mass_matrix_condition': 'nan',
        'log_det_mass_matrix': -15.5, 'links': ['upper', 'lower'], 'effective_mass': [8.0, 'inf'],
        'cycles': 1000000, 'dropped': 9223372036854775807, 'saturated_joints': 0,
        'input_age': 0.0005, 'compute_time': 1e-05, 'compute_time_max': 4e-05}
    yield 'inverse_dynamics_request', 'mbdyn/srv/InverseDynamics_Request', {
        'joint_names': names[:1], 'position': [0.25], 'velocity': [], 'acceleration': [1.0],
        'use_current_state': True, 'base_pose': identity, 'base_twist': twist,
        'base_acceleration': twist, 'wrenches': [point, point]}
    yield 'inverse_dynamics_response', 'mbdyn/srv/InverseDynamics_Response', {
        'success': True, 'message': '', 'torques': torques, 'base_wrench': wrench}
    yield 'linearize_request', 'mbdyn/srv/Linearize_Request', {
        'joint_names': names[:1], 'position': [0.25], 'velocity': [], 'effort': [],
        'use_current_state': False, 'hold': True, 'base_pose': identity, 'base_twist': twist,
        'wrenches': [point]}
    yield 'linearize_response', 'mbdyn/srv/Linearize_Response', {
        'success': True, 'message': '', 'state_names': ['j.position', 'j.velocity'],
        'input_names': ['j'], 'a': [0.0, 1.0, -9.81, -0.1], 'b': [0.0, 0.5], 'effort': [3.0],
        'acceleration': [-0.0]}
    yield 'set_payload_request', 'mbdyn/srv/SetPayload_Request', {
        'frame': 'tool0', 'inertia': {
            'm': 2.5, 'com': vector3(0.0, 0.0, 0.05), 'ixx': 0.01, 'ixy': 0.0, 'ixz': 0.0,
            'iyy': 0.01, 'iyz': 0.0, 'izz': 0.02}}
    yield 'load_model_response', 'mbdyn/srv/LoadModel_Response', {
        'success': False, 'message': "arm.urdf:41: link 'forearm': mass \"1,5\" is not a number",
        'model_name': '', 'joint_names': [], 'warnings': ['mimic', '\u00e4', '']}
    yield 'odometry', 'nav_msgs/msg/Odometry', {
        'header': header('odom'), 'child_frame_id': 'base_link',
        'pose': {'pose': identity, 'covariance': [float(i) for i in range(36)]},
        'twist': {'twist': twist, 'covariance': [-float(i) for i in range(36)]}}
    yield 'empty_response', 'std_srvs/srv/Empty_Response', {}
    yield 'descriptor_ranges', 'rcl_interfaces/msg/ParameterDescriptor', {
        'name': 'rate', 'type': 2, 'description': 'Hz', 'additional_constraints': '',
        'read_only': True, 'dynamic_typing': False, 'floating_point_range': [],
        'integer_range': [{'from_value': -5, 'to_value': 2 ** 62, 'step': 1}]}


def check(path):
    bad = 0
    vectors = json.loads(pathlib.Path(path).read_text())['vectors']
    for v in vectors:
        if cdr(v['ros_type'], v['fields']) != v['cdr_hex']:
            bad += 1
            print('differs:', v['name'])
    print(f'{len(vectors)} vectors, {bad} differ')
    return bad


def main():
    if sys.argv[1:] == ['--ros']:
        write_ros()
        return
    if len(sys.argv) > 1:
        sys.exit(check(sys.argv[1]) != 0)
    write('own.json', {'generator': 'make_vectors.py'}, own_bytes)


if __name__ == '__main__':
    main()
