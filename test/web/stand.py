"""A simulated robot, a node and `mbdyn view` in a ROS domain of their own, for tests of the page."""

import json
import os
import re
import select
import signal
import socket
import subprocess
import time

FIRST_DOMAIN, DOMAINS = 100, 50

LOOPBACK = (
    '<CycloneDDS><Domain Id="any"><General><Interfaces><NetworkInterface name="lo"/></Interfaces>'
    '<AllowMulticast>false</AllowMulticast></General><Discovery>'
    '<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>20</MaxAutoParticipantIndex>'
    '<Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>')


def own_domain():
    """A domain and the socket that stands for it, as test/dds/process.c claims them."""
    for k in range(DOMAINS):
        domain = FIRST_DOMAIN + (os.getpid() + k) % DOMAINS
        claim = socket.socket()
        claim.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            claim.bind(('127.0.0.1', 7400 + 250 * domain))
            claim.listen(1)
            return domain, claim
        except OSError:
            claim.close()
    raise RuntimeError('no ROS domain is free')


class Stand:
    def __init__(self, cli, node, sim, source):
        self.cli, self.node, self.sim, self.source = cli, node, sim, source
        domain, self.claim = own_domain()
        self.environment = {k: v for k, v in os.environ.items() if k != 'ROS_LOCALHOST_ONLY'}
        self.environment |= {'ROS_DOMAIN_ID': str(domain), 'CYCLONEDDS_URI': LOOPBACK}
        self.processes = []
        self.port = 0

    def start(self, *command):
        process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, bufsize=1)
        self.processes.append(process)
        return process

    def end(self, process, number=signal.SIGTERM, seconds=15):
        """Exit code after a signal."""
        process.send_signal(number)
        try:
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.stdout.close()
        self.processes.remove(process)
        return code

    # ---------- robot ----------

    def robot(self, urdf, node=(), sim=()):
        """A simulated robot and a node on it; node and sim: more parameters, 'name:=value'."""
        def parameters(values):
            return [word for value in values for word in ('-p', value)]
        self.sim_process = self.start(
            self.sim, '--ros-args', *parameters([f'robot_description_file:={urdf}', *sim]))
        self.node_process = self.start(
            self.node, '--ros-args', '-r', '~/command:=robot/commands', *parameters(node))

    def mbdyn(self, *arguments, seconds=60):
        done = subprocess.run([self.cli, *arguments], env=self.environment, capture_output=True,
                              text=True, timeout=seconds, check=False)
        if done.returncode != 0:
            raise RuntimeError(f'mbdyn {" ".join(arguments)}: {done.stderr.strip()}')
        return done.stdout

    def push(self, frame, force, seconds):
        request = {'frame': frame, 'duration': seconds, 'reference': 2,
                   'wrench': {'force': dict(zip('xyz', map(float, force)))}}
        answer = self.mbdyn('service', 'call', '/robot/push', 'mbdyn/srv/ApplyWrench',
                            json.dumps(request))
        if not re.search(r'success\W+true', answer, re.IGNORECASE):
            raise RuntimeError(f'push: {answer}')

    def reset(self):
        """The robot at its initial positions."""
        self.mbdyn('service', 'call', '/robot/reset', 'std_srvs/srv/Trigger')

    # ---------- view ----------

    def view(self, *options, web=None):
        """Starts `mbdyn view`, at the former port if there was one."""
        page = web or os.path.join(self.source, 'web', 'dist')
        self.view_process = self.start(
            self.cli, 'view', '--port', str(self.port), '--web', page, *options)
        line = self.says(self.view_process, 'http://')
        self.address = re.search(r'http://\S+', line)[0]
        self.port = int(re.search(r':(\d+)', self.address.split('//')[1])[1])
        return self.address

    @staticmethod
    def says(process, text, seconds=20):
        """The first line of a process with this text."""
        end = time.monotonic() + seconds
        # not readline: select does not see lines that Python has buffered
        descriptor = process.stdout.fileno()
        seen, rest = '', getattr(process, 'unread', '')
        while True:
            while '\n' in rest:
                line, rest = rest.split('\n', 1)
                seen += line + '\n'
                if text in line:
                    process.unread = rest
                    return line
            if time.monotonic() > end:
                break
            if select.select([descriptor], [], [], 0.2)[0]:
                some = os.read(descriptor, 65536)
                if not some:
                    break
                rest += some.decode(errors='replace')
        raise RuntimeError(f'no "{text}" in: {seen}{rest}')

    def close(self):
        for process in list(self.processes):
            process.kill()
            process.wait()
            process.stdout.close()
        self.processes.clear()
        self.claim.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
