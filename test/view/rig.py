"""A simulated robot, the node on it and `mbdyn view`, each in a process, for tests."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from ws import WebSocket

SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
LOOPBACK = (
    '<CycloneDDS><Domain Id="any"><General><Interfaces><NetworkInterface name="lo"/></Interfaces>'
    '<AllowMulticast>false</AllowMulticast></General><Discovery>'
    '<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>20</MaxAutoParticipantIndex>'
    '<Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>')


def own_domain():
    """A ROS domain that no other test has: a TCP port that stays open stands for it."""
    for i in range(40):
        domain = 60 + (os.getpid() + i) % 40
        claim = socket.socket()
        claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            claim.bind(('127.0.0.1', 7400 + 250 * domain))
            claim.listen(1)
            return domain, claim
        except OSError:
            claim.close()
    raise RuntimeError('no free domain')


class Program:
    """A process whose output is read as it comes."""

    def __init__(self, command, env):
        self.lines = []
        self.process = subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))

    def wait_line(self, pattern, seconds=10):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in list(self.lines):
                found = re.search(pattern, line)
                if found:
                    return found
            if self.process.poll() is not None and not self.reader.is_alive():
                break
            time.sleep(0.02)
        raise AssertionError('no line %r in:\n%s' % (pattern, '\n'.join(self.lines)))

    def end(self, number=signal.SIGINT, seconds=5):
        """Exit code, and how long it took."""
        start = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError('%s does not end' % self.process.args[0])
        return code, time.monotonic() - start

    def memory(self):
        """Resident memory in kilobytes."""
        with open('/proc/%d/status' % self.process.pid) as status:
            return int(re.search(r'VmRSS:\s+(\d+)', status.read()).group(1))

    def sanitized(self):
        """A sanitizer keeps memory of its own."""
        with open('/proc/%d/maps' % self.process.pid) as maps:
            return re.search(r'lib[at]san', maps.read()) is not None


class Rig:
    def __init__(self):
        self.bin = os.environ['MBDYN_BUILD']
        self.mbdyn = os.path.join(self.bin, 'mbdyn_tools', 'mbdyn')
        self.domain, self.claim = own_domain()
        self.env = dict(
            os.environ, ROS_DOMAIN_ID=str(self.domain), CYCLONEDDS_URI=LOOPBACK)
        self.env.pop('ROS_LOCALHOST_ONLY', None)
        self.programs = []
        self.folder = tempfile.mkdtemp(prefix='mbdyn_view_')
        self.port = None
        self.before = []  # put before the command lines of robot and node

    def __enter__(self):
        return self

    def __exit__(self, *args):
        for program in reversed(self.programs):
            if program.process.poll() is None:
                program.end(signal.SIGTERM)
            program.reader.join(5)
        shutil.rmtree(self.folder)
        self.claim.close()
        # what a sanitizer found in any of them
        for program in self.programs:
            bad = [line for line in program.lines if 'Sanitizer' in line or 'runtime error' in line]
            assert not bad, '\n'.join(program.lines)

    def start(self, command, env=None):
        program = Program(command, dict(self.env, **(env or {})))
        self.programs.append(program)
        return program

    def sim(self, *arguments, robot='config/robots/arm7.urdf', namespace=None):
        remap = ['-r', '__ns:=' + namespace] if namespace else []
        return self.start([
            *self.before, os.path.join(self.bin, 'mbdyn_tools', 'sim', 'mbdyn_sim'), '--ros-args', '-p',
            'robot_description_file:=' + os.path.join(SOURCE, robot), *remap, *arguments])

    def node(self, *arguments, namespace=None):
        remap = ['-r', '__ns:=' + namespace] if namespace else []
        return self.start([
            *self.before, os.path.join(self.bin, 'mbdyn_node', 'mbdyn_node'), '--ros-args',
            '-r', '~/command:=robot/commands', *remap, *arguments])

    def view(self, *arguments, port='0'):
        program = self.start([self.mbdyn, 'view', '--port', port, *arguments])
        found = program.wait_line(r'mbdyn view: http://\S+?:(\d+)/(\?token=(\S+))?')
        self.port = int(found.group(1))
        program.token = found.group(3)
        return program

    def cli(self, *arguments, seconds=20):
        done = subprocess.run(
            [self.mbdyn, *arguments], env=self.env, capture_output=True, text=True,
            timeout=seconds)
        return done.returncode, done.stdout, done.stderr

    # ---------- HTTP ----------

    def get(self, path, headers=None, method='GET', host='127.0.0.1'):
        """Status, headers and body."""
        request = urllib.request.Request(
            'http://%s:%d%s' % (host, self.port, path), headers=headers or {}, method=method)
        opener = urllib.request.build_opener(NoRedirect)
        try:
            with opener.open(request, timeout=10) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def json(self, path):
        status, _, body = self.get(path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def socket(self, **options):
        return WebSocket(self.port, **options)

    def wait_robots(self, count=1, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            robots = self.json('/api/robots')['robots']
            good = [r for r in robots if r['alive'] and r['joints'] and r['state'] == 'active']
            if len(good) >= count:
                return robots
            time.sleep(0.1)
        raise AssertionError('robots: %s' % self.json('/api/robots'))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def chain(folder, n):
    """A URDF of n joints in a row; returns its path."""
    parts = ['<robot name="chain%d"><link name="l0"/>' % n]
    for i in range(1, n + 1):
        parts.append(
            '<link name="l{i}"><inertial><origin xyz="0.05 0 0"/><mass value="0.2"/><inertia '
            'ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>'
            '<joint name="j{i}" type="revolute"><parent link="l{p}"/><child link="l{i}"/>'
            '<origin xyz="0.1 0 0"/><axis xyz="{axis}"/><dynamics damping="0.5"/>'
            '<limit lower="-3" upper="3" effort="200" velocity="10"/></joint>'.format(
                i=i, p=i - 1, axis='0 1 0' if i % 2 else '0 0 1'))
    path = os.path.join(folder, 'chain%d.urdf' % n)
    with open(path, 'w') as file:
        file.write(''.join(parts) + '</robot>')
    return path

def run(tests):
    """Runs functions of no argument, or those named on the command line; the exit code is 1 if one of them failed."""
    failed = 0
    chosen = sys.argv[1:]
    for test in tests:
        if chosen and test.__name__ not in chosen:
            continue
        start = time.monotonic()
        try:
            note = test()
            print('ok      %s (%.1f s)%s' % (
                test.__name__, time.monotonic() - start, ': ' + note if note else ''), flush=True)
        except Exception:
            failed += 1
            import traceback
            print('FAILED  %s' % test.__name__)
            traceback.print_exc(file=sys.stdout)
            sys.stdout.flush()
    sys.exit(1 if failed else 0)
