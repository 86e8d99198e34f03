#!/usr/bin/env python3
"""`mbdyn view RECORDING`: what the page gets, held against the recording as Python reads it."""

import csv
import json
import math
import os
import shutil
import struct
import time

import recorded
from rig import SOURCE, Rig, run

ARM = os.path.join(SOURCE, 'config', 'robots', 'arm7.urdf')
COLUMNS = ['position', 'velocity', 'acceleration', 'measured', 'total', 'gravity', 'coriolis',
           'inertia', 'friction', 'external', 'command']
SECONDS = 8

made = {}


def recording(form='mcap'):
    """A push on a simulated arm with the node on it, recorded once for all tests."""
    if made:
        return made[form]
    with Rig() as rig:
        rig.sim('-p', 'noise.position:=1.0e-5', '-p', 'noise.velocity:=1.0e-3')
        rig.node()
        rig.view()
        rig.wait_robots()
        folder = os.environ.get('TMPDIR', '/tmp')
        recorders = []
        for kind in ('mcap', 'sqlite3'):
            made[kind] = os.path.join(folder, 'mbdyn_recording_%d_%s' % (os.getpid(), kind))
            recorders.append(rig.start([
                rig.mbdyn, 'record', '--all', '--format', kind, '--duration', str(SECONDS), '-o',
                made[kind]]))
        time.sleep(2)
        code, out, error = rig.cli(
            'service', 'call', '/robot/push', 'mbdyn/srv/ApplyWrench',
            '{frame: tool, wrench: {force: {y: 30, z: 30}}, duration: 2}')
        assert code == 0, (out, error)
        for recorder in recorders:
            assert recorder.process.wait(SECONDS + 20) == 0, recorder.lines
    return made[form]


def single(x):
    """As a float of 32 bits in 7 digits."""
    if x is None or not math.isfinite(x):
        return None
    return float('%.7g' % struct.unpack('f', struct.pack('f', x))[0])


def before(messages, topic, t):
    """The last message of a topic up to a log time [s]."""
    found = [m for m in messages if m[1] == topic and m[0] <= round(t * 1e9)]
    return found[-1][3] if found else None


class Player:
    """A page on a recording."""

    def __init__(self, rig, messages=None):
        self.page = rig.socket()
        self.page.send({'type': 'subscribe', 'rate': 60, 'messages': messages})
        self.state = self.page.wait('playback', check=lambda m: m['open'] and not m['seeking'])

    def ask(self, **wanted):
        self.page.send({'type': 'playback', **wanted})

    def seek(self, t, before=10, seconds=10):
        """Everything that is sent for a moment: rows, and the last message of each type."""
        self.ask(t=t, playing=False, before=before)
        rows, last = [], {}
        end = time.monotonic() + seconds
        reached = None
        while time.monotonic() < end:
            m = self.page.receive()
            if m['type'] in ('reset', 'model'):
                rows = []
            if m['type'] == 'reset':
                last = {}
            if m['type'] == 'playback':
                self.state = m
                done = not m['seeking'] and abs(m['t'] - t) < 1e-6
                reached = reached or (time.monotonic() if done else None)
            if m['type'] == 'samples':
                rows += [(x, m, r) for r, x in enumerate(m['t'])]
            last[m.get('frame', '') + m['type']] = m
            # a moment is complete when a status follows: it has no news of its own
            if reached and rows and time.monotonic() > reached + 0.7:
                return rows, last
        raise AssertionError('no rows at %f: %s' % (t, self.state))


def same(sent, wanted, what):
    assert len(sent) == len(wanted), (what, len(sent), len(wanted))
    for a, b in zip(sent, wanted):
        b = b if b is not None and math.isfinite(b) else None
        assert a == b, (what, sent, wanted)
    return len(sent)


def compare_moments(form):
    path = recording(form)
    messages = recorded.read(path)
    assert len(messages) > 1000, len(messages)
    start, end = messages[0][0] * 1e-9, messages[-1][0] * 1e-9
    compared = 0
    with Rig() as rig:
        rig.view(path)
        player = Player(rig)
        assert abs(player.state['start'] - start) < 1e-5 and abs(player.state['end'] - end) < 1e-5
        assert not player.state['playing'] and not player.state['needs_urdf'], player.state
        model = rig.json('/api/robots/recording/model')
        names = [j['name'] for j in model['joints']]
        assert len(names) == 7 and model['urdf_url'], model
        # there and back, and both ends
        for t in (start + 3.3, start + 6.1, start + 1.9, start + 4.123456, end, start + 2.5):
            rows, last = player.seek(t)
            dynamics = recorded.joint_dynamics(before(messages, '/mbdyn/joint_dynamics', t))
            assert set(dynamics['joints']) == set(names)
            when, m, r = rows[-1]
            assert abs(when - dynamics['t']) < 2e-6, (when, dynamics['t'], t)
            for column in COLUMNS:
                wanted = [single(dynamics['joints'][n][column]) for n in names]
                compared += same([y[r] for y in m['columns'][column]], wanted, column)
            compared += same(
                m['pose']['position'], [dynamics['joints'][n]['position'] for n in names], 'pose')
            matrix = recorded.mass_matrix(before(messages, '/mbdyn/mass_matrix', t))
            assert abs(last['mass_matrix']['t'] - matrix['t']) < 2e-6
            compared += same(last['mass_matrix']['data'], matrix['data'], 'mass matrix')
            # what lies before it is there too, and time grows
            times = [x for x, _, _ in rows]
            assert times == sorted(set(times)) and times[0] > t - 10.2, (times[0], t)
            assert times[0] < max(start, t - 10) + 2.1, (times[0] - start, t - start)
            assert len([x for x in times if x > when - 1]) == expected(messages, when, t), len(times)
    assert compared > 6 * (11 * 7 + 7 + 49) - 1, compared
    return '%d numbers of %d messages' % (compared, len(messages))


def expected(messages, when, t):
    """Rows of the last second: two for each interval of 1/30 s with several messages."""
    intervals = {}
    for m in messages:
        if m[1] != '/mbdyn/joint_dynamics' or m[0] > round(t * 1e9):
            continue
        stamp = recorded.joint_dynamics(m[3])['t']
        intervals.setdefault(math.floor(stamp / (1 / 30)), []).append(stamp)
    rows = [x for stamps in intervals.values() for x in {min(stamps), max(stamps)}]
    return len([x for x in rows if round(x, 6) > when - 1])


def test_moments_mcap():
    """At any moment the page has the numbers of the last messages before it, to the last digit."""
    return compare_moments('mcap')


def test_moments_sqlite3():
    return compare_moments('sqlite3')


def test_peaks():
    """Rows have least and greatest of every interval, as they do live."""
    path = recording()
    messages = recorded.read(path)
    t = messages[0][0] * 1e-9 + 6
    intervals = {}
    for m in messages:
        if m[1] == '/mbdyn/joint_dynamics' and m[0] <= round(t * 1e9):
            dynamics = recorded.joint_dynamics(m[3])
            intervals.setdefault(math.floor(dynamics['t'] * 30), []).append(dynamics)
    with Rig() as rig:
        rig.view(path)
        player = Player(rig, messages=['status'])
        names = [j['name'] for j in rig.json('/api/robots/recording/model')['joints']]
        rows, _ = player.seek(t)
    pairs = {}
    for x, m, r in rows:
        pairs.setdefault(math.floor(x * 30 + 1e-4), []).append((m, r))
    compared = several = 0
    for interval in sorted(intervals)[1:-1]:
        raw, pair = intervals[interval], pairs.get(interval, [])
        several += len(raw) > 1
        # a time at the edge of an interval may be rounded into the next one
        if len(raw) < 2 or len(pair) != 2:
            continue
        for k, name in enumerate(names):
            for column in ('position', 'velocity', 'total'):
                got = [m['columns'][column][k][r] for m, r in pair]
                wanted = [single(d['joints'][name][column]) for d in raw]
                assert (min(got), max(got)) == (min(wanted), max(wanted)), (column, name)
                compared += 1
    assert compared > 0.9 * several * 7 * 3 and several > 10, (compared, several)
    return '%d extremes' % compared


def test_play():
    """Its clock: as fast as asked for, pause, the end, and again."""
    path = recording()
    messages = recorded.read(path)
    start, end = messages[0][0] * 1e-9, messages[-1][0] * 1e-9
    with Rig() as rig:
        rig.view(path)
        player = Player(rig)
        for rate in (1, 2):
            player.seek(start + 2)
            player.ask(playing=True, rate=rate)
            begin = time.monotonic()
            player.page.wait('playback', check=lambda m: m['t'] > start + 4)
            took = time.monotonic() - begin
            assert 1.9 / rate < took < 2.6 / rate + 0.6, (rate, took)
        player.ask(playing=False)
        stopped = player.page.wait('playback', check=lambda m: not m['playing'])['t']
        time.sleep(0.5)
        again = rig.json('/api/recording')
        assert abs(again['t'] - stopped) < 0.2 and not again['playing'], (again, stopped)
        # to the end, where it stops; from there it begins anew
        player.ask(playing=True, rate=20)
        last = player.page.wait('playback', check=lambda m: not m['playing'])
        assert abs(last['t'] - end) < 1e-5, (last, end)
        player.ask(playing=True, rate=1)
        anew = player.page.wait('playback', check=lambda m: m['playing'] and m['t'] < end - 1)
        assert anew['t'] < start + 3, anew
        for bad in ({'rate': 0}, {'rate': 1e9}, {'playing': 1}, {'t': 'now'}, {'before': 1e9, 't': 1}):
            player.ask(**bad)
            assert player.page.wait('error')['code'] == 'bad_request', bad


def test_computed():
    """Terms and matrices that are not recorded come from joint states and URDF, marked as such."""
    source = recording()
    messages = recorded.read(source)
    # a joint state of which the node's own mass matrix is recorded, while the robot moves
    # (a recorder that was late has several at once)
    logged = [(m[0], m[3]) for m in messages if m[1] == '/joint_states']
    states = {recorded.joint_state(data)['t']: time for (time, data), (later, _)
              in zip(logged, logged[1:]) if later > time + 50000}
    matrices = [recorded.mass_matrix(m[3]) for m in messages if m[1] == '/mbdyn/mass_matrix']
    node = next(m for m in matrices if m['t'] in states and m['t'] > matrices[0]['t'] + 3)
    t = states[node['t']] * 1e-9 + 1e-6
    with Rig() as rig:
        path = recorded.keep(
            source, os.path.join(rig.folder, 'states.db3'),
            lambda _, topic: topic in ('/joint_states', '/robot_description'))
        code, _, error = rig.cli('analyze', path, '--csv', os.path.join(rig.folder, 'terms.csv'))
        assert code == 0, error
        with open(os.path.join(rig.folder, 'terms.csv')) as file:
            analysed = list(csv.DictReader(file))
        rig.view(path)
        player = Player(rig)
        computed = set(player.state['computed'])
        assert computed == {'joint_dynamics', 'external_torque', 'dynamics', 'mass_matrix', 'jacobian',
                            'operational_space_inertia', 'singularity'}, computed
        rows, last = player.seek(t)
        when, m, r = rows[-1]
        state = recorded.joint_state(before(messages, '/joint_states', t))
        assert abs(when - state['t']) < 2e-6
        names = [j['name'] for j in rig.json('/api/robots/recording/model')['joints']]
        by_name = dict(zip(state['names'], state['position']))
        same(m['pose']['position'], [by_name[n] for n in names], 'pose')
        # gravity depends on positions alone: what the batch kernels of analyze say
        first = recorded.joint_state(
            next(x[3] for x in messages if x[1] == '/joint_states'))['t']
        row = min(analysed, key=lambda x: abs(float(x['t']) - (when - first)))
        assert abs(float(row['t']) - (when - first)) < 1e-5
        for k, name in enumerate(names):
            wanted = float(row['gravity_' + name])
            got = m['columns']['gravity'][k][r]
            assert abs(got - wanted) < 1e-5 * (1 + abs(wanted)), (name, got, wanted)
        assert max(abs(m['columns']['gravity'][k][r]) for k in range(7)) > 1
        assert abs(last['mass_matrix']['t'] - when) < 2e-6 and len(last['mass_matrix']['data']) == 49
        assert abs(node['t'] - when) < 2e-6, (node['t'], when)
        worst = max(abs(a - b) for a, b in zip(node['data'], last['mass_matrix']['data']))
        assert worst < 1e-9 * max(node['data']), worst
        assert last['summary']['mass'] > 1 and last['jacobian' if 'jacobian' in last else 'tooljacobian']
        topics = [x['topic'] for x in last['status']['topics']]
        assert 'joint_dynamics (computed)' in topics, topics
    return 'gravity of %d joints, mass matrix within %.2g' % (len(names), worst)


def test_no_description():
    """Without one it says so, and takes one from the command line or from the page."""
    source = recording()
    with Rig() as rig:
        path = recorded.keep(
            source, os.path.join(rig.folder, 'states.db3'), lambda _, topic: topic == '/joint_states')
        view = rig.view(path)
        assert any('no robot description' in line for line in view.lines), view.lines
        player = Player(rig)
        assert player.state['needs_urdf'] and player.state['computed'] == [], player.state
        model = rig.json('/api/robots/recording/model')
        assert len(model['joints']) == 7 and model['urdf_url'] is None and not model['links']
        rows, last = player.seek(player.state['start'] + 3)
        _, m, r = rows[-1]
        assert m['columns']['position'][0][r] is not None and m['columns']['gravity'][0][r] is None
        status, _, body = http_put(rig, '/api/recording/urdf', b'<robot name="x"></robot>')
        assert status == 422 and b'URDF' in body, (status, body)
        with open(ARM, 'rb') as file:
            status, _, body = http_put(rig, '/api/recording/urdf', file.read())
        assert status == 202, (status, body)
        state = player.page.wait('playback', check=lambda m: not m['needs_urdf'])
        assert 'mass_matrix' in state['computed'], state
        model = player.page.wait('model', check=lambda m: m['urdf_url'])
        assert 'tool' in model['links'] and model['joints'][0]['limits']['effort'] is not None
        rows, last = player.seek(player.state['start'] + 3)
        _, m, r = rows[-1]
        assert m['columns']['gravity'][1][r] is not None
    with Rig() as rig:
        path = recorded.keep(
            source, os.path.join(rig.folder, 'states.db3'), lambda _, topic: topic == '/joint_states')
        rig.view(path, '--urdf', ARM)
        state = Player(rig).state
        assert not state['needs_urdf'] and state['computed'], state
        code, _, error = rig.cli('view', path, '--urdf', os.path.join(rig.folder, 'nothing.urdf'))
        assert code == 2 and 'nothing.urdf' in error, (code, error)


def http_put(rig, path, body, headers=None):
    import urllib.error
    import urllib.request
    request = urllib.request.Request(
        'http://127.0.0.1:%d%s' % (rig.port, path), data=body, method='PUT', headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read()


def test_cut():
    """A file without its end plays up to the cut, and says where that is."""
    source = recorded.file_of(recording())
    whole = recorded.read(source)
    with Rig() as rig:
        path = os.path.join(rig.folder, 'cut.mcap')
        offsets = [offset for offset, _, _ in recorded.chunks(source)]
        cut = offsets[len(offsets) // 2] + 1000
        with open(source, 'rb') as file, open(path, 'wb') as out:
            out.write(file.read(cut))
        last = max(m[0] for m in recorded.read_mcap(path))
        left = [m for m in whole if m[0] <= last]
        rig.view(path)
        player = Player(rig)
        state = player.state
        assert 'byte' in state['note'] and ' of %d' % cut in state['note'], state['note']
        assert abs(state['end'] - left[-1][0] * 1e-9) < 1e-5 and len(left) < len(whole)
        rows, _ = player.seek(state['end'])
        t = recorded.joint_dynamics(before(left, '/mbdyn/joint_dynamics', state['end'] + 1))['t']
        assert abs(rows[-1][0] - t) < 2e-6
        return state['note']


def test_damaged_chunk():
    """A damaged chunk is left out; the page hears where it was, the rest plays."""
    source = recorded.file_of(recording())
    whole = recorded.read(source)
    start, end = whole[0][0] * 1e-9, whole[-1][0] * 1e-9
    with Rig() as rig:
        path = os.path.join(rig.folder, 'damaged.mcap')
        shutil.copy(source, path)
        found = list(recorded.chunks(source))
        offset, inside, at = found[len(found) // 2]
        with open(path, 'r+b') as file:
            file.seek(at + len(inside) // 2)
            byte = file.read(1)
            file.seek(at + len(inside) // 2)
            file.write(bytes([byte[0] ^ 0x55]))
        rig.view(path)
        player = Player(rig)
        assert player.state['note'] == '', 'it has not been read yet: %s' % player.state
        rows, _ = player.seek(end, before=60)
        note = player.state['note']
        assert '1 damaged chunk' in note and 'byte %d' % offset in note, (note, offset)
        times = [struct.unpack_from('<HIQ', content)[2] * 1e-9
                 for opcode, _, content in recorded.records(inside) if opcode == 5]
        span = '(%.3f s to %.3f s)' % (min(times) - start, max(times) - start)
        assert span in note, (span, note)
        # nothing between, something on both sides
        margin = 0.1
        inside = [x for x, _, _ in rows if min(times) + margin < x < max(times) - margin]
        assert not inside and rows[0][0] < min(times) < max(times) < rows[-1][0], (len(inside), span)
        return note


def test_damaged_sqlite3():
    """A damaged sqlite3 file plays up to the damage, and says where that is."""
    source = recorded.file_of(recording('sqlite3'))
    with Rig() as rig:
        path = os.path.join(rig.folder, 'damaged.db3')
        size = os.path.getsize(source)
        with open(source, 'rb') as file, open(path, 'wb') as out:
            data = bytearray(file.read())
            # pages of the table from the middle on, but not the root
            for page in range(size // 4096 // 2, size // 4096 // 2 + 200):
                data[page * 4096:page * 4096 + 64] = b'\xff' * 64
            out.write(data)
        rig.view(path)
        player = Player(rig)
        player.ask(t=player.state['end'], playing=False, before=60)
        state = player.page.wait('playback', check=lambda m: m['note'])
        assert 'nothing can be read after' in state['note'], state
        return state['note']


def test_upload():
    """A recording can be put to a server that listens to ROS; others are not disturbed."""
    source = recorded.file_of(recording())
    with open(source, 'rb') as file:
        data = file.read()
    with Rig() as rig:
        uploads = os.path.join(rig.folder, 'uploads')
        os.mkdir(uploads)
        rig.env['TMPDIR'] = uploads
        rig.view()
        other = rig.socket()
        other.send({'type': 'subscribe'})
        assert other.wait('robots')['robots'] == []
        assert http_put(rig, '/api/recording?name=run.txt', b'x')[0] == 400
        assert http_put(rig, '/api/recording', b'x')[0] == 400
        assert http_put(rig, '/api/other', b'x')[0] == 405
        assert http_put(rig, '/api/recording?name=a.mcap', b'x', {'Origin': 'http://evil'})[0] == 403
        status, _, body = http_put(rig, '/api/recording?name=broken.mcap', b'not a recording')
        assert status == 202, (status, body)
        state = other.wait('playback', check=lambda m: m['error'])
        assert 'MCAP' in state['error'] and not state['open'], state
        status, _, body = http_put(rig, '/api/recording?name=push.mcap', data)
        assert status == 202, (status, body)
        state = other.wait('playback', check=lambda m: m['open'] and not m['opening'])
        assert state['name'] == 'push.mcap' and state['error'] == '', state
        assert os.listdir(uploads) == [], os.listdir(uploads)
        robots = rig.json('/api/robots')['robots']
        assert [(r['id'], r['recorded'], r['joints']) for r in robots] == [('recording', True, 7)]
        page = rig.socket()
        page.send({'type': 'subscribe', 'robot': 'recording'})
        assert page.wait('samples')['robot'] == 'recording'
        # another one in its place
        form = recorded.file_of(recording('sqlite3'))
        with open(form, 'rb') as file:
            status = http_put(rig, '/api/recording?name=again.db3', file.read())[0]
        assert status == 202
        state = page.wait('playback', check=lambda m: m['open'] and m['name'] == 'again.db3')
        assert page.wait('samples')['robot'] == 'recording'
        assert os.listdir(uploads) == [], os.listdir(uploads)
        # an upload that ends in the middle leaves nothing
        import socket
        raw = socket.create_connection(('127.0.0.1', rig.port))
        raw.sendall(b'PUT /api/recording?name=half.mcap HTTP/1.1\r\nHost: localhost\r\n'
                    b'Content-Length: 1000000\r\n\r\n' + b'x' * 10000)
        time.sleep(0.5)
        assert len(os.listdir(uploads)) == 1
        raw.close()
        end = time.monotonic() + 10
        while os.listdir(uploads) and time.monotonic() < end:
            time.sleep(0.1)
        assert os.listdir(uploads) == []


def test_refused():
    """What is no recording ends the program with a sentence."""
    with Rig() as rig:
        def expect_refused(path, text):
            code, _, error = rig.cli('view', '--port', '0', path)
            assert code == 2 and text in error, (path, code, error)
        expect_refused(os.path.join(rig.folder, 'nothing.mcap'), 'No such file')
        expect_refused(ARM, 'is not a recording')
        shutil.copy(ARM, os.path.join(rig.folder, 'arm.mcap'))
        expect_refused(os.path.join(rig.folder, 'arm.mcap'), 'not an MCAP file')
        empty = os.path.join(rig.folder, 'empty')
        os.mkdir(empty)
        expect_refused(empty, 'metadata.yaml')
        other = recorded.keep(
            recording(), os.path.join(rig.folder, 'other.db3'),
            lambda _, topic: topic == '/robot_description')
        expect_refused(other, 'joint states')


def clean():
    for path in made.values():
        shutil.rmtree(path, ignore_errors=True)


if __name__ == '__main__':
    try:
        run([
            test_moments_mcap, test_moments_sqlite3, test_peaks, test_play, test_computed,
            test_no_description, test_cut, test_damaged_chunk, test_damaged_sqlite3, test_upload,
            test_refused])
    finally:
        clean()
