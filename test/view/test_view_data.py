#!/usr/bin/env python3
"""What `mbdyn view` sends, held against the topics as `mbdyn topic echo` prints them."""

import json
import math
import os
import struct
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from rig import SOURCE, Rig, run

ARM = os.path.join(SOURCE, 'config', 'robots', 'arm7.urdf')
TERMS = ['gravity', 'coriolis', 'inertia', 'friction', 'external']
COLUMNS = ['position', 'velocity', 'acceleration', 'measured', 'total', *TERMS, 'command']


def start(rig, *node):
    rig.sim('-p', 'noise.position:=1.0e-5', '-p', 'noise.velocity:=1.0e-3')
    rig.node(*node)
    view = rig.view()
    rig.wait_robots()
    return view


def echo(rig, topic, count):
    """Reads a topic in another process, into a file: a pipe would make it wait and miss some."""
    file = tempfile.TemporaryFile(mode='w+', dir=rig.folder)
    return file, subprocess.Popen(
        [rig.mbdyn, 'topic', 'echo', topic, '--json', '--times', str(count)], env=rig.env,
        stdout=file)


def by_time(reader, timeout=30):
    file, process = reader
    assert process.wait(timeout) == 0
    file.seek(0)
    return {micros_of(m): m for m in map(json.loads, file)}


def micros_of(message):
    stamp = message['header']['stamp']
    return stamp['sec'] * 1000000 + stamp['nanosec'] // 1000


def at(topic, t):
    """The message of a time, which was rounded on the way."""
    micros = round(t * 1e6)
    return topic.get(micros) or topic.get(micros - 1) or topic.get(micros + 1)


def push(rig, force, seconds):
    code, out, error = rig.cli(
        'service', 'call', '/robot/push', 'mbdyn/srv/ApplyWrench',
        '{frame: tool, wrench: {force: {y: %g, z: %g}}, duration: %g}' % (force, force, seconds))
    assert code == 0, (out, error)


def receive_for(page, seconds):
    messages = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        messages.append(page.receive())
    return messages


def of(messages, kind):
    return [m for m in messages if m['type'] == kind]


def numbers(list_or_number):
    """null stands for what is not finite."""
    if isinstance(list_or_number, list):
        return [numbers(x) for x in list_or_number]
    x = list_or_number
    return None if not isinstance(x, (int, float)) or not math.isfinite(x) else x


def single(x):
    """As a float of 32 bits in 7 digits."""
    if x is None or not math.isfinite(x):
        return None
    return float('%.7g' % struct.unpack('f', struct.pack('f', x))[0])


def same(sent, topic, what):
    assert numbers(sent) == numbers(topic), (what, sent, topic)


def test_matrices():
    """Mass matrix, Jacobian, inertia, summary and wrench are the topic's, to the last digit."""
    with Rig() as rig:
        start(rig)
        push(rig, 20, 1)
        page = rig.socket()
        page.send({'type': 'subscribe', 'columns': []})
        topics = {
            'mass_matrix': '/mbdyn/mass_matrix', 'jacobian': '/mbdyn/jacobian/tool',
            'operational_space_inertia': '/mbdyn/operational_space_inertia',
            'summary': '/mbdyn/dynamics', 'external_wrench': '/mbdyn/external_wrench',
            'singularity': '/mbdyn/singularity'}
        readers = {kind: echo(rig, topic, 250) for kind, topic in topics.items()}
        sent = receive_for(page, 3.5)
        note = []
        for kind, reader in readers.items():
            topic = by_time(reader)
            both = [(m, at(topic, m['t'])) for m in of(sent, kind) if at(topic, m['t'])]
            assert len(both) >= 5, (kind, len(both), len(topic))
            for ours, theirs in both:
                check(kind, ours, theirs)
            note.append('%s %d' % (kind, len(both)))
        moved = {tuple(m['data']) for m in of(sent, 'mass_matrix')}
        assert len(moved) > 3, 'the robot does not move'
        return 'compared: ' + ', '.join(note)


def check(kind, ours, theirs):
    if kind == 'external_wrench':
        same(ours['force'], [theirs['wrench']['force'][k] for k in 'xyz'], kind)
        same(ours['torque'], [theirs['wrench']['torque'][k] for k in 'xyz'], kind)
        assert ours['frame'] == theirs['header']['frame_id']
    elif kind == 'summary':
        for key in ('kinetic_energy', 'potential_energy', 'power', 'mass', 'cycles', 'dropped',
                    'saturated_joints', 'input_age', 'compute_time', 'compute_time_max',
                    'effective_mass'):
            same(ours[key], theirs[key], key)
        same(ours['log_det'], theirs['log_det_mass_matrix'], kind)
        same(ours['condition'], theirs['mass_matrix_condition'], kind)
        for key in ('gravity', 'center_of_mass', 'com_velocity', 'linear_momentum',
                    'angular_momentum'):
            same(ours[key], [theirs[key][k] for k in 'xyz'], key)
        assert ours['links'] == theirs['links'] and ours['mode'] == theirs['mode']
    elif kind == 'singularity':
        same(ours['reciprocal_condition'], theirs['reciprocal_condition'], kind)
        for key in ('joint_names', 'frames', 'sign', 'nearest_joint', 'nearest_row', 'component',
                    'held', 'holds'):
            assert ours[key] == theirs[key], (key, ours[key], theirs[key])
    else:
        same(ours['data'], theirs['data'], kind)
        assert (ours['rows'], ours['cols']) == (theirs['rows'], theirs['cols'])
        assert len(ours['data']) == ours['rows'] * ours['cols'] > 0
        rows = ours.get('names') or ours['row_names']
        assert rows == theirs['row_names'], (rows, theirs['row_names'])
    if kind == 'mass_matrix':
        same(ours['condition'], theirs['condition'], kind)
    if kind == 'jacobian':
        same(ours['bias'], theirs['bias'], kind)
        for key in ('frame', 'reference', 'point_frame', 'axes_frame', 'col_names'):
            assert ours[key] == theirs[key], key
    if kind == 'operational_space_inertia':
        same(ours['compliance'], theirs['compliance'], kind)
        assert ours['frames'] == theirs['frames'] and ours['rank'] == theirs['rank']


def poses(rig, rows):
    """Of the tool, by `mbdyn eval`."""
    names = ['joint%d' % (k + 1) for k in range(7)]
    path = os.path.join(rig.folder, 'states.json')
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'states': [{'q': dict(zip(names, q))} for q in rows]}, file)
    answer = subprocess.run(
        [rig.mbdyn, 'eval', '--frame', 'tool', '--input', path,
         os.path.join(SOURCE, 'config/robots/arm7.urdf')], check=True, capture_output=True, text=True)
    return [state['frames']['tool']['pose'] for state in json.loads(answer.stdout)['states']]


def test_self_motion():
    """The curve has one pose; arcs end at limits; what cannot be has a reason."""
    start_q = [0.3, -0.6, 0.2, -2.1, -0.3, 1.7, 0.5]
    limits = [(-2.8973, 2.8973), (-1.7628, 1.7628), (-2.8973, 2.8973), (-3.0718, -0.0698),
              (-2.8973, 2.8973), (-0.0175, 3.7525), (-2.8973, 2.8973)]
    turn = 2 * math.pi
    with Rig() as rig:
        start(rig)
        page = rig.socket()
        page.send({'type': 'self_motion', 'frame': 'tool'})
        assert page.wait('error')['code'] == 'bad_request'
        page.send({'type': 'subscribe', 'columns': [], 'messages': []})
        page.wait('samples')
        page.send({'type': 'self_motion', 'frame': 'tool', 'position': start_q})
        m = page.wait('self_motion', 5)
        assert m['error'] == '' and m['closed'] and m['whole'], m['error']
        assert len(m['s']) == len(m['position']) > 50 and m['s'][0] == 0
        assert max(abs(a - b) for a, b in zip(m['position'][0], start_q)) < 1e-5
        found = poses(rig, m['position'])
        apart = max(abs(x - y) for pose in found for x, y in zip(pose[:3], found[0][:3]))
        assert apart < 1e-5, apart
        within = 0
        for s, q in zip(m['s'], m['position']):
            # an angle counts if whole turns bring it there
            margin = min((hi - lo) / 2 - abs((x - (lo + hi) / 2 + turn / 2) % turn - turn / 2)
                         for x, (lo, hi) in zip(q, limits))
            inside = any(a['begin'] <= at <= a['end'] for a in m['arcs'] for at in (s, s + m['length']))
            within += inside
            assert abs(margin) < 0.1 or inside == (margin > 0), (s, margin)
        assert 0 < within < len(m['s'])
        # the newest positions
        page.send({'type': 'self_motion', 'frame': 'tool'})
        assert page.wait('self_motion', 5)['error'] == ''
        for frame, position, text in (
                ('nothing', None, "no link 'nothing'"), ('tool', [None] * 7, 'not all joint positions'),
                ('link3', start_q, 'not redundant')):
            page.send({'type': 'self_motion', 'frame': frame, 'position': position})
            answer = page.wait('self_motion', 5)
            assert text in answer['error'] and 's' not in answer, answer
        for bad in ({}, {'frame': 7}, {'frame': 'x' * 300}, {'frame': 'tool', 'position': 3},
                    {'frame': 'tool', 'position': []}):
            page.send({'type': 'self_motion', **bad})
            assert page.wait('error')['code'] == 'bad_request', bad
        return '%d points, %d within limits' % (len(m['s']), within)


def test_springs():
    """Springs of a mechanism file, and why another file is none of this robot."""
    springs = 'forces:\n  - {name: s, type: spring, stiffness: 50, rest: 0.2, a: {link: link0, ' \
        'xyz: [0, 0, 0.1]}, b: {link: %s}}\n'
    for link, error in (('link6', ''), ('nothing', 'nothing')):
        with Rig() as rig:
            path = os.path.join(rig.folder, 'arm.mechanism.yaml')
            with open(path, 'w', encoding='utf-8') as file:
                file.write(springs % link)
            rig.sim()
            rig.node()
            rig.view('--mechanism', path)
            rig.wait_robots()
            page = rig.socket()
            page.send({'type': 'subscribe', 'columns': [], 'messages': []})
            model = page.wait('model', 20, check=lambda m: m['urdf_url'])
            if error:
                assert model['springs'] == [] and error in model['springs_error'], model
                continue
            assert model['springs_error'] == '', model
            assert model['springs'] == [{
                'name': 's', 'a': {'link': 'link0', 'xyz': [0, 0, 0.1]},
                'b': {'link': 'link6', 'xyz': [0, 0, 0]}, 'stiffness': 50, 'rest': 0.2, 'preload': 0,
                'side': 'both'}], model['springs']


def compare_samples(topic, sent, names):
    """Counts of extremes and poses that are the topic's, and rows of intervals that it covers."""
    intervals, rows, compared, poses = {}, {}, 0, 0
    for message in topic.values():
        assert [j['name'] for j in message['joints']] == names
        stamp = message['header']['stamp']
        seconds = (stamp['sec'] * 1000000000 + stamp['nanosec']) * 1e-9
        intervals.setdefault(math.floor(seconds / (1 / 30)), []).append(message)
    first, last = min(intervals) + 1, max(intervals) - 1
    for m in sent:
        assert m['joints'] == list(range(7)) and not m['history']
        for r, t in enumerate(m['t']):
            interval = math.floor(t / (1 / 30) + 1e-4)
            if first <= interval <= last and interval in intervals:
                rows.setdefault(interval, []).append((m, r))
        seen = at(topic, m['pose']['t'])
        if seen:
            poses += 1
            same(m['pose']['position'], [j['position'] for j in seen['joints']], 'pose')
    for interval, pair in rows.items():
        raw = intervals[interval]
        # a message that the other reader has not got would change the extremes
        if len(pair) != 2 or len(raw) < 10:
            continue
        for column in COLUMNS:
            for i in range(7):
                values = [single(numbers(m['joints'][i][column])) for m in raw]
                values = [v for v in values if v is not None]
                got = [m['columns'][column][i][r] for m, r in pair]
                if not values:
                    assert got == [None, None], (column, got)
                    continue
                assert sorted(got) == [min(values), max(values)], (column, i, got, values)
                compared += 1
    return compared, poses, len(rows)


def test_samples():
    """Rows have least and greatest of each interval of the topic; poses are the topic's."""
    with Rig() as rig:
        # faster than the page: ten messages in an interval
        start(rig, '-p', 'publish.joint_dynamics:=3')
        page = rig.socket()
        push(rig, 30, 1)
        page.send({'type': 'subscribe', 'rate': 60, 'messages': []})
        names = [j['name'] for j in page.wait('model')['joints']]
        compared = poses = rows = 0
        # a busy machine does not publish all of them: until enough intervals were full
        for _ in range(10):
            reader = echo(rig, '/mbdyn/joint_dynamics', 700)
            sent = of(receive_for(page, 3.5), 'samples')
            topic = by_time(reader, 120)
            assert len(topic) > 500, len(topic)
            times = [t for m in sent for t in m['t']]
            assert times == sorted(set(times)), 'times do not grow'
            # at most sixty in a second
            assert len(times) / (times[-1] - times[0]) < 66, len(times)
            more = compare_samples(topic, sent, names)
            compared, poses, rows = compared + more[0], poses + more[1], rows + more[2]
            if compared > 500 and poses > 30 and rows > 30:
                break
        assert compared > 500 and poses > 30 and rows > 30, (compared, poses, rows)
        return '%d numbers compared, %d poses' % (2 * compared, poses)


def test_residual():
    """A push is a residual, and it goes when the push goes."""
    with Rig() as rig:
        # held where it is, so that it does not run into its limits
        start(rig, '-p', 'observer_threshold:=2.5', '-p', 'mode:=computed_torque')
        page = rig.socket()
        page.send({'type': 'subscribe', 'columns': ['residual', 'velocity']})

        def largest(seconds):
            found = of(receive_for(page, seconds), 'samples')
            values = [abs(x) for m in found for joint in m['columns']['residual'] for x in joint
                      if x is not None]
            return max(values)
        page.wait('samples')
        receive_for(page, 1)
        quiet = largest(1)
        push(rig, 30, 1.5)
        pushed = largest(1)
        receive_for(page, 2.5)
        after = largest(1)
        assert pushed > 5 and pushed > 4 * quiet and after < pushed / 4, (quiet, pushed, after)
        status = page.wait('status')
        assert status['threshold'] == 2.5, status
        assert status['state'] == 'active' and status['mode'] == 'computed_torque'
        rates = {t['topic']: t for t in status['topics']}
        # a busy machine is slower, but not faster
        assert 0 < rates['/mbdyn/joint_dynamics']['hz'] < 140, rates
        assert rates['/joint_states']['hz'] > 2 * rates['/mbdyn/joint_dynamics']['hz'], rates
        assert 0 <= rates['/mbdyn/mass_matrix']['age'] < 2, rates
        names = {s['name'] for s in page.wait('diagnostics')['status']}
        assert '/mbdyn: dynamics' in names, names
        return 'residual %.2f, pushed %.2f, after %.2f N m' % (quiet, pushed, after)


def test_model():
    """Joints, limits and axes are the URDF's."""
    with Rig() as rig:
        start(rig)
        model = rig.json('/api/robots/mbdyn/model')
        status, headers, urdf = rig.get('/api/robots/mbdyn/urdf')
        with open(ARM, 'rb') as file:
            assert status == 200 and urdf == file.read()
        assert headers['content-type'] == 'application/xml'
        tree = ElementTree.fromstring(urdf)
        joints = {j.get('name'): j for j in tree.findall('joint') if j.get('type') != 'fixed'}
        assert {j['joint'] for j in model['joints']} == set(joints)
        for ours in model['joints']:
            theirs = joints[ours['joint']]
            limit = theirs.find('limit')
            for key in ('lower', 'upper', 'velocity', 'effort'):
                assert ours['limits'][key] == float(limit.get(key)), (ours, key)
            axis = [float(x) for x in theirs.find('axis').get('xyz').split()]
            assert all(abs(a - b) < 1e-12 for a, b in zip(ours['axis'], axis)), ours
            assert ours['type'] == theirs.get('type') and ours['unit'] == 'rad'
        links = {link.get('name') for link in tree.findall('link')}
        assert links == set(model['links']), links ^ set(model['links'])
        assert model['frames'] == ['tool'] and model['name'] == 'arm7'
        assert model['root_link'] == 'base', model['root_link']


def test_description_by_parameter():
    """Without the topic robot_description, the node is asked; and another kind of robot."""
    with Rig() as rig:
        urdf = os.path.join(SOURCE, 'config', 'robots', 'quadruped.urdf')
        rig.sim('-p', 'publish_description:=false', '-p', 'base:=floating',
                robot='config/robots/quadruped.urdf')
        rig.node('-p', 'robot_description_file:=' + urdf, '-p', 'base:=floating')
        rig.view()
        rig.wait_robots()
        page = rig.socket()
        page.send({'type': 'subscribe', 'columns': ['position']})
        model = page.wait('model', check=lambda m: m['urdf_url'] and m['floating'])
        free = [j for j in model['joints'] if j['type'] == 'floating']
        assert len(free) == 6 and len(model['joints']) == 18, model['joints']
        assert [j['unit'] for j in free] == ['m'] * 3 + ['rad'] * 3, free
        pose = page.wait('samples', check=lambda m: not m['history'])['pose']
        assert pose['position'][:6] == [None] * 6, pose
        base = page.wait('samples', check=lambda m: m['pose']['base'])['pose']['base']
        assert len(base) == 7 and abs(sum(x * x for x in base[3:]) - 1) < 1e-9, base


def test_subscriptions():
    with Rig() as rig:
        start(rig)
        page = rig.socket()
        page.send({'type': 'subscribe', 'joints': ['joint6', 'joint2'], 'columns': ['gravity'],
                   'messages': ['status'], 'rate': 5})
        got = receive_for(page, 3)
        samples = of(got, 'samples')
        assert 10 <= len(samples) <= 17, len(samples)
        kinds = {m['type'] for m in got}
        assert kinds == {'hello', 'robots', 'model', 'samples', 'status'}, kinds
        assert all(m['joints'] == [1, 5] for m in samples)
        assert all(list(m['columns']) == ['gravity'] for m in samples)
        assert all(len(m['columns']['gravity']) == 2 for m in samples)
        assert all(len(m['pose']['position']) == 7 for m in samples)
        page.send({'type': 'subscribe', 'joints': ['joint9']})
        assert page.wait('error')['code'] == 'unknown_joint'
        page.wait('samples', check=lambda m: m['joints'] == [1, 5])
        page.send({'type': 'unsubscribe'})
        page.send({'type': 'ping', 'id': 1})
        page.wait('pong')
        page.send({'type': 'ping', 'id': 2})
        assert page.receive()['type'] == 'pong'
        # what was before the page came
        time.sleep(3)
        page.send({'type': 'subscribe', 'history': 60, 'columns': ['velocity'], 'messages': []})
        past = page.wait('samples')
        live = page.wait('samples', check=lambda m: not m['history'])
        assert past['history'] and past['t'] == sorted(set(past['t']))
        assert past['t'][-1] < live['t'][0] and live['t'][0] - past['t'][-1] < 0.5
        assert 5 < past['t'][-1] - past['t'][0] < 60, past['t']
        rate = len(past['t']) / (past['t'][-1] - past['t'][0])
        assert 8 < rate < 11, rate


def test_robots():
    """Two robots in namespaces; one goes and comes back; a page that came before all of them."""
    with Rig() as rig:
        rig.view()
        page = rig.socket()
        page.send({'type': 'subscribe'})
        assert page.wait('robots')['robots'] == []
        left = None
        for space in ('/left', '/right'):
            rig.sim(namespace=space)
            left = left or rig.node(namespace=space)
            if space == '/right':
                rig.node(namespace=space)
        robots = rig.wait_robots(2)
        assert {r['id'] for r in robots} == {'left.mbdyn', 'right.mbdyn'}, robots
        first = page.wait('samples')['robot']
        other = 'left.mbdyn' if first == 'right.mbdyn' else 'right.mbdyn'
        page.send({'type': 'subscribe', 'robot': other})
        page.wait('model', check=lambda m: m['robot'] == other)
        assert page.wait('samples')['robot'] == other
        assert page.wait('status')['topics'][0]['topic'].startswith('/' + other.split('.')[0])
        left.end()

        def alive(message):
            return [r['alive'] for r in message['robots'] if r['id'] == 'left.mbdyn'][0]
        # joint states still come, the node's numbers do not
        page.send({'type': 'subscribe', 'robot': 'left.mbdyn'})
        void = page.wait('samples', 15, check=lambda m: m['columns']['gravity'][1][-1] is None)
        assert void['columns']['position'][1][-1] is not None
        rig.node(namespace='/left')
        page.wait('samples', 20, check=lambda m: m['columns']['gravity'][1][-1] is not None)


def test_node_is_killed():
    """SIGKILL: told within a second, while joint states go on; and when it is back."""
    with Rig() as rig:
        start(rig)
        node = rig.programs[1]
        assert 'mbdyn_node' in node.process.args[0], node.process.args
        page = rig.socket()
        page.send({'type': 'subscribe', 'messages': []})
        first = page.wait('robots', check=lambda m: m['robots'] and m['robots'][0]['node_alive'])
        assert first['robots'][0]['state'] == 'active', first
        receive_for(page, 2)
        node.process.kill()
        killed = time.monotonic()
        dead = page.wait('robots', check=lambda m: not m['robots'][0]['node_alive'])
        seconds = time.monotonic() - killed
        assert dead['robots'][0]['alive'], dead
        assert seconds < 1, seconds
        forgotten = page.wait('robots', 10, check=lambda m: m['robots'][0]['state'] == '')
        assert forgotten['robots'][0]['alive'] and not forgotten['robots'][0]['node_alive']
        rig.node()
        page.wait('robots', 30, check=lambda m: m['robots'][0]['node_alive'] and
                  m['robots'][0]['state'] == 'active')
        return 'told after %.2f s' % seconds


def test_time_goes_back():
    with Rig() as rig:
        clock = ('-p', 'publish_clock:=true')
        sim = rig.sim(*clock)
        rig.node('-p', 'use_sim_time:=true')
        rig.view()
        rig.wait_robots()
        page = rig.socket()
        page.send({'type': 'subscribe', 'history': 100, 'columns': ['position'], 'messages': []})
        page.wait('samples', check=lambda m: m['t'][-1] > 3, seconds=20)
        sim.end()
        rig.sim(*clock)
        page.wait('reset', 20)
        samples = page.wait('samples')
        assert samples['t'][0] < 3 and samples['t'] == sorted(samples['t']), samples['t']


if __name__ == '__main__':
    run([test_matrices, test_self_motion, test_springs, test_samples, test_residual, test_model, test_description_by_parameter,
         test_subscriptions, test_robots, test_node_is_killed, test_time_goes_back])
