#!/usr/bin/env python3
"""What must not get through to `mbdyn view`, and what must not stop it."""

import os
import resource
import shutil
import signal
import socket
import subprocess
import time

from rig import SOURCE, Rig, run
from ws import Closed, Refused

HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, HARD) if HARD > 0 else 4096, HARD))


def web(rig):
    """A page with a secret beside its folder, and a link that leads out."""
    folder = os.path.join(rig.folder, 'web')
    os.makedirs(os.path.join(folder, 'assets'))
    for name, text in (('web/index.html', '<html>page</html>'), ('web/assets/a.js', 'let a;'),
                       ('web/.hidden.txt', 'secret'), ('secret.txt', 'secret'),
                       ('web/plain', 'secret')):
        with open(os.path.join(rig.folder, name), 'w') as file:
            file.write(text)
    os.symlink('/etc/passwd', os.path.join(folder, 'link.txt'))
    return folder


def raw(rig, request, seconds=8):
    """Bytes in, bytes out, until the server closes or has been silent."""
    with socket.create_connection(('127.0.0.1', rig.port), seconds) as s:
        s.settimeout(1)
        s.sendall(request)
        out = b''
        try:
            while True:
                part = s.recv(65536)
                if not part:
                    break
                out += part
        except socket.timeout:
            pass
        return out


def serves(rig):
    start = time.monotonic()
    status, _, body = rig.get('/')
    assert status == 200 and body == b'<html>page</html>', (status, body)
    page = rig.socket()
    assert page.receive()['type'] == 'hello'
    page.close()
    return time.monotonic() - start


def test_files():
    with Rig() as rig:
        rig.view('--web', web(rig))
        assert serves(rig) < 5
        status, headers, body = rig.get('/assets/a.js')
        assert status == 200 and body == b'let a;' and headers['content-type'] == 'text/javascript'
        assert headers['x-content-type-options'] == 'nosniff'
        assert "default-src 'self'" in headers['content-security-policy']
        status, headers, body = rig.get('/', method='HEAD')
        assert status == 200 and body == b'', (status, body)
        assert rig.get('/nothing.html')[0] == 404
        assert rig.get('/assets')[0] == 404
        assert rig.get('/api/nothing')[0] == 404
        for method in ('POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'):
            status = rig.get('/', method=method)[0]
            assert status == 405, (method, status)
        serves(rig)


def test_traversal():
    with Rig() as rig:
        rig.view('--web', web(rig), '--mesh', 'bot=' + os.path.join(rig.folder, 'web'))
        up = ['/../secret.txt', '/assets/../../secret.txt', '/%2e%2e/secret.txt',
              '/..%2fsecret.txt', '/%2e%2e%2fsecret.txt', '/....//secret.txt',
              '/assets/..%5c..%5csecret.txt', '/.hidden.txt', '/link.txt', '//etc/passwd',
              '/%00/../secret.txt', '/secret.txt%00.html', '/plain', '/../../../../etc/passwd',
              '/mesh/bot/../secret.txt', '/mesh/bot/..%2fsecret.txt', '/mesh/../secret.txt',
              '/mesh/bot/link.txt', '/mesh/bot/index.html', '/mesh/other/a.stl',
              '/api/robots/../../secret.txt', '/api/robots/x/urdf']
        for path in up:
            answer = raw(rig, ('GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
                               % path).encode())
            assert b'secret' not in answer.split(b'\r\n\r\n', 1)[-1].replace(
                b'secret.txt', b''), (path, answer)
            assert b'root:' not in answer, (path, answer)
            assert not answer.startswith(b'HTTP/1.1 200') or b'page' in answer, (path, answer)
        with open(os.path.join(rig.folder, 'web', 'part.STL'), 'wb') as file:
            file.write(b'solid')
        status, headers, body = rig.get('/mesh/bot/part.STL')
        assert (status, body, headers['content-type']) == (200, b'solid', 'model/stl')
        assert rig.get('/mesh/other/part.STL')[0] == 404
        serves(rig)


def test_origins_and_hosts():
    with Rig() as rig:
        rig.view('--web', web(rig), '--allow-origin', 'http://localhost:5173', '--name', 'robot.lan')
        own = 'http://localhost:%d' % rig.port
        for origin in (None, own, 'http://localhost:5173'):
            page = rig.socket(headers={'Origin': origin})
            assert page.receive()['type'] == 'hello'
            page.close()
        for origin in ('http://evil.example', 'https://localhost:%d' % rig.port, 'null',
                       'http://localhost:%d' % (rig.port + 1), 'http://localhost', own + '.evil',
                       'http://evil.example/' + own, 'http://' + 'a' * 400):
            try:
                rig.socket(headers={'Origin': origin})
                raise AssertionError('%s was let in' % origin)
            except Refused as refused:
                assert refused.status == 403, (origin, refused)
        for host in ('evil.example', 'evil.example:%d' % rig.port, 'localhost.evil.example',
                     '127.0.0.1.evil.example:1', '[::1', ''):
            answer = raw(rig, ('GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n'
                               % host).encode())
            assert not answer.startswith(b'HTTP/1.1 200'), (host, answer)
            try:
                rig.socket(headers={'Host': host})
                raise AssertionError('%s was let in' % host)
            except Refused:
                pass
        for host in ('localhost:1', '127.0.0.1', '[::1]:8642', 'robot.lan:8642', 'ROBOT.LAN'):
            answer = raw(rig, ('GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n'
                               % host).encode())
            assert answer.startswith(b'HTTP/1.1 200'), (host, answer)
        # another upgrade, another path
        for headers, path in (({'Upgrade': 'h2c'}, '/live'), ({}, '/other'), ({}, '/')):
            try:
                rig.socket(path=path, headers=headers)
                raise AssertionError('let in')
            except Refused:
                pass
        serves(rig)


def test_token():
    with Rig() as rig:
        rig.view('--web', web(rig), '--token', 'sesame-open_1')
        status, _, body = rig.get('/')
        assert status == 401 and b'mbdyn view' in body
        for query in ('?token=wrong', '?token=', '?token=sesame-open_', '?token=sesame-open_12'):
            assert rig.get('/' + query)[0] == 401, query
        assert rig.get('/api/robots')[0] == 401
        try:
            rig.socket()
            raise AssertionError('let in')
        except Refused as refused:
            assert refused.status == 401
        status, headers, _ = rig.get('/?token=sesame-open_1')
        assert status == 303 and headers['location'] == '/', (status, headers)
        cookie = headers['set-cookie']
        assert 'HttpOnly' in cookie and 'SameSite=Strict' in cookie
        cookie = 'other=1; ' + cookie.split(';')[0]
        assert rig.get('/', headers={'Cookie': cookie})[0] == 200
        assert rig.get('/', headers={'Cookie': cookie + 'x'})[0] == 401
        assert rig.get('/', headers={'Authorization': 'Bearer sesame-open_1'})[0] == 200
        page = rig.socket(headers={'Cookie': cookie})
        assert page.receive()['type'] == 'hello'
        page.close()


def listening(rig, program):
    """Addresses of listening TCP sockets of a process, as ss has them."""
    out = subprocess.run(['ss', '-ltnpH'], capture_output=True, text=True, check=True).stdout
    return [line.split()[3] for line in out.splitlines()
            if 'pid=%d,' % program.process.pid in line]


def test_loopback_only():
    with Rig() as rig:
        program = rig.view('--web', web(rig))
        assert listening(rig, program) == ['127.0.0.1:%d' % rig.port], listening(rig, program)
        assert program.token is None
        program.end()
        program = rig.view('--web', web_again(rig), '--bind', '0.0.0.0')
        assert listening(rig, program) == ['0.0.0.0:%d' % rig.port], listening(rig, program)
        assert program.token and len(program.token) == 32, program.lines
        assert rig.get('/')[0] == 401
        assert rig.get('/', headers={'Authorization': 'Bearer ' + program.token})[0] == 200
        program.end()
        if not has_ipv6_loopback():
            return 'no ::1 on this machine'
        program = rig.view('--web', web_again(rig), '--bind', '::1')
        assert listening(rig, program) == ['[::1]:%d' % rig.port], listening(rig, program)
        assert program.token is None
        assert rig.get('/', host='[::1]')[0] == 200


def has_ipv6_loopback():
    try:
        with open('/proc/net/if_inet6') as addresses:
            return any(int(line.split()[0], 16) == 1 for line in addresses)
    except OSError:
        return False


def web_again(rig):
    return os.path.join(rig.folder, 'web')


def test_frames():
    with Rig() as rig:
        rig.view('--web', web(rig))
        def closes(code, act):
            page = rig.socket()
            page.receive()
            try:
                act(page)
                while True:
                    page.text()
            except Closed as closed:
                assert closed.code == code, (code, closed)
            except ConnectionError:
                # closed while the rest was still being sent
                pass
        closes(1003, lambda page: page.frame(2, b'abc'))
        closes(1009, lambda page: page.frame(1, b' ' * 16385))
        closes(1009, lambda page: page.frame(1, b' ' * 10000000))
        def pieces(page):
            for _ in range(10):
                page.frame(1 if _ == 0 else 0, b' ' * 4000, final=False)
        closes(1009, pieces)
        def flood(page):
            for _ in range(200):
                page.frame(1, b'{"type":"ping"}')
        closes(1008, flood)
        # a head that says it is enormous
        page = rig.socket()
        page.sock.sendall(bytes([0x81, 0xFF]) + (2 ** 62).to_bytes(8, 'big') + b'abcd' + b'x' * 100)
        try:
            while True:
                page.text()
        except (Closed, ConnectionError):
            pass
        # just as large as it may be, in one and in pieces
        page = rig.socket()
        text = b'{"type":"ping","id":1' + b' ' * (16384 - 22) + b'}'
        assert len(text) == 16384
        page.frame(1, text)
        assert page.wait('pong')['id'] == 1
        page.frame(1, text[:5000], final=False)
        page.frame(0, text[5000:12000], final=False)
        page.frame(0, text[12000:])
        assert page.wait('pong')['id'] == 1
        serves(rig)


def head(opcode, n, mask, final=True):
    """Head of a frame, n < 126 or n < 65536, with a mask of zeros or without one."""
    first, bit = (0x80 if final else 0) | opcode, 0x80 if mask else 0
    length = bytes([bit | n]) if n < 126 else bytes([bit | 126]) + n.to_bytes(2, 'big')
    return bytes([first]) + length + (bytes(4) if mask else b'')


def ask(mask, number=7, text=b'{"type":"ping","id":%d}'):
    text = text % number
    return head(1, len(text), mask) + text


def test_masking():
    """RFC 6455, 5.1: frames of a client that are not masked close the connection, unheard."""
    with Rig() as rig:
        rig.view('--web', web(rig))

        def answers(*pieces, early=b''):
            """Numbers of the pongs that come back until the server closes, or None if it does not."""
            pongs = []
            try:
                page = rig.socket(early=early)
                page.sock.settimeout(2)
                for piece in pieces:
                    page.sock.sendall(piece)
                    time.sleep(0.05)
                while True:
                    message = page.receive()
                    if message['type'] == 'pong':
                        pongs.append(message['id'])
            except (Closed, Refused, ConnectionError):
                return pongs
            except socket.timeout:
                return pongs, 'open'

        long = b'{"type":"ping","id":%d' + b' ' * 500 + b'}'
        assert answers(ask(True), ask(True, 8)) == ([7, 8], 'open')
        # heads and payloads in any pieces
        assert answers(*(bytes([b]) for b in ask(True))) == ([7], 'open')
        assert answers(ask(True) + ask(True, 8, long) + ask(True, 9)[:3], ask(True, 9)[3:]) == (
            [7, 8, 9], 'open')
        assert answers(ask(False)) == []
        assert answers(ask(False, 7, long)) == []
        assert answers(ask(False)[:1], ask(False)[1:]) == []
        assert answers(head(9, 0, False)) == []
        assert answers(head(9, 3, False) + b'abc') == []
        assert answers(head(8, 0, False)) == []
        # after others that are
        assert answers(ask(True), ask(False, 8)) == [7]
        assert answers(head(1, 1, True, False) + b'{', head(0, 1, False) + b'}') == []
        assert 8 not in answers(ask(True) + ask(False, 8))
        # with the request itself: nobody may speak before the answer
        assert answers(early=ask(False)) == []
        assert answers(early=head(1, 27, False) + b'{"type":"ping","id":7}\r\n\r\n ') == []
        assert answers(early=head(1, 26, False) + b'{"type":"ping","id":7}\r\n\r\n') == []
        serves(rig)


def test_requests():
    with Rig() as rig:
        rig.view('--web', web(rig))
        bad = [('', 'bad_json'), ('[' * 5000, 'bad_json'), ('[]', 'bad_request'),
               ('{"type": 1}', 'bad_request'), ('{"type": "set_mode"}', 'unknown_type'),
               ('{"type": "subscribe", "robot": "x"}', 'unknown_robot'),
               ('{"type": "subscribe", "robot": {}}', 'unknown_robot'),
               ('{"type": "subscribe", "columns": ["x"]}', 'unknown_column'),
               ('{"type": "subscribe", "columns": 3}', 'bad_request'),
               ('{"type": "subscribe", "messages": ["x"]}', 'bad_request'),
               ('{"type": "subscribe", "rate": 0}', 'bad_request'),
               ('{"type": "subscribe", "rate": 1e999}', 'bad_json'),
               ('{"type": "subscribe", "history": -1}', 'bad_request'),
               ('{"type": "subscribe", "joints": [1]}', 'unknown_joint'),
               ('{"type": "ping", "id": []}', 'bad_request')]
        page = rig.socket()
        for text, code in bad:
            page.send(text)
            error = page.wait('error')
            assert error['code'] == code, (text, error)
            assert error['message']
        page.send({'type': 'subscribe'})
        page.send({'type': 'ping', 'id': 'ä'})
        assert page.wait('pong')['id'] == 'ä'


def test_slow_requests():
    """Many who begin and never end a request: others are served, and those are let go."""
    with Rig() as rig:
        program = rig.view('--web', web(rig))
        slow = []
        for i in range(300):
            s = socket.create_connection(('127.0.0.1', rig.port), 5)
            s.sendall(b'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ' if i % 2 else b'G')
            slow.append(s)
        took = serves(rig)
        assert took < 5, took
        # a byte now and then does not help them
        end = time.monotonic() + 25
        left = len(slow)
        while time.monotonic() < end and left > 0:
            time.sleep(1)
            left = 0
            for s in slow:
                try:
                    s.setblocking(False)
                    s.send(b'a')
                    s.recv(1000)
                except BlockingIOError:
                    left += 1
                except OSError:
                    pass
            left = left if rig.json('/api/health')['connections'] > 20 else 0
        health = rig.json('/api/health')
        assert health['connections'] <= 20, health
        for s in slow:
            s.close()
        serves(rig)
        code, took = program.end()
        assert code == 0 and took < 1, (code, took)


def test_many_connections():
    with Rig() as rig:
        program = rig.view('--web', web(rig))
        before = program.memory()
        many = [socket.create_connection(('127.0.0.1', rig.port), 10) for _ in range(1000)]
        took = serves(rig)
        assert took < 5, took
        sockets, refused = [], 0
        for _ in range(80):
            try:
                sockets.append(rig.socket())
            except Refused as refusal:
                assert refusal.status == 503, refusal
                refused += 1
        assert len(sockets) == 64 and refused == 16, (len(sockets), refused)
        for s in many + [page.sock for page in sockets]:
            s.close()
        end = time.monotonic() + 20
        while rig.json('/api/health')['connections'] > 20 and time.monotonic() < end:
            time.sleep(0.2)
        health = rig.json('/api/health')
        assert health['clients'] == 0 and health['connections'] <= 20, health
        serves(rig)
        after = program.memory()
        assert after - before < 20000 or program.sanitized(), (before, after)
        return 'answered in %.2f s beside 1000; %d MB before, %d MB after' % (
            took, before // 1024, after // 1024)


def test_port_in_use_and_usage():
    with Rig() as rig:
        first = rig.view('--web', web(rig))
        code, _, error = rig.cli('view', '--port', str(rig.port))
        assert code == 2 and '--port' in error and 'already' in error, (code, error)
        code, _, error = rig.cli('view', '--bind', 'nowhere')
        assert code == 2 and '--bind' in error, (code, error)
        for wrong in (['--port', 'x'], ['--web', '/nothing'], ['--mesh', 'a'], ['--token', 'short'],
                      ['--histroy', '3'], ['--node', 'mbdyn'], ['operand']):
            code, _, error = rig.cli('view', *wrong)
            assert code == 2 and error, (wrong, code, error)
        code, out, _ = rig.cli('view', '--help')
        assert code == 0 and '--bind' in out and 'example' in out
        code, took = first.end(signal.SIGINT)
        assert code == 0 and took < 1, (code, took)
        second = rig.view('--web', web_again(rig), port=str(rig.port))
        serves(rig)
        code, took = second.end(signal.SIGTERM)
        assert code == 0 and took < 1, (code, took)


def test_robot_file_is_a_fifo():
    """A node names the file of its robot: what is there by now must not stop the view."""
    with Rig() as rig:
        urdf = os.path.join(rig.folder, 'robot.urdf')
        shutil.copy(os.path.join(SOURCE, 'config/robots/arm7.urdf'), urdf)
        rig.node('-p', 'robot_description_file:=' + urdf).wait_line('configure: unconfigured')
        os.unlink(urdf)
        os.mkfifo(urdf)
        program = rig.view('--web', web(rig))
        # it asks every three seconds, and learns the mode together with the file
        end, asked = time.monotonic() + 20, 0
        while time.monotonic() < end and asked < 40:
            robots = rig.json('/api/robots')['robots']
            asked += bool(robots and robots[0]['mode'])
            time.sleep(0.1)
        assert asked == 40, robots
        assert program.end(signal.SIGINT)[0] == 0


def test_many_interrupts():
    """Ctrl-C reaches the view twice, from the terminal and from ros2 launch: still exit code 0."""
    with Rig() as rig:
        folder = web(rig)
        for first in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for _ in range(4):
                program = rig.view('--web', folder)
                sent = 0
                while program.process.poll() is None:
                    program.process.send_signal(first if sent == 0 else signal.SIGINT)
                    sent += 1
                    time.sleep(0.0005)
                assert sent > 1 and program.process.returncode == 0, (
                    first, sent, program.process.returncode)


if __name__ == '__main__':
    run([test_files, test_traversal, test_origins_and_hosts, test_token, test_loopback_only,
         test_frames, test_masking, test_requests, test_slow_requests, test_many_connections,
         test_port_in_use_and_usage, test_robot_file_is_a_fifo,
         test_many_interrupts])
