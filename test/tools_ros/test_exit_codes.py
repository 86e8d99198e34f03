"""Exit codes, SIGPIPE and help are the same for every command of `mbdyn`, mbdyn_node and mbdyn_sim."""

import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'view'))
from rig import Rig, SOURCE, run  # noqa: E402

ARM = os.path.join(SOURCE, 'config', 'robots', 'arm7.urdf')
WITH_VERBS = ('topic', 'node', 'param', 'lifecycle', 'service')


class Programs(Rig):
    """Processes by themselves; nobody else is in their ROS domain."""

    def __init__(self):
        super().__init__()
        self.node_path = os.path.join(self.bin, 'mbdyn_node', 'mbdyn_node')
        self.sim_path = os.path.join(self.bin, 'mbdyn_tools', 'sim', 'mbdyn_sim')
        text = self.code(0, self.mbdyn, '--help').stdout
        self.commands = re.findall(r'^  (\w+) ', text.split('commands:')[1].split('\n\n')[0], re.M)
        assert len(self.commands) >= 18, self.commands

    def code(self, wanted, *command, stdout=subprocess.PIPE):
        done = subprocess.run(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=stdout,
            stderr=subprocess.PIPE, text=True, timeout=30)
        assert done.returncode == wanted, (command, done.returncode, done.stderr)
        return done

    def without_reader(self, *command, seconds=30):
        """Standard output is a pipe whose other end is closed: SIGPIPE and not a word."""
        end, out = os.pipe()
        os.close(end)
        started = time.monotonic()
        done = subprocess.run(
            command, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE,
            text=True, timeout=seconds)
        os.close(out)
        assert done.returncode == -signal.SIGPIPE, (command, done.returncode, done.stderr)
        assert done.stderr == '', (command, done.stderr)
        return time.monotonic() - started


def test_help_and_usage():
    """0 for help, 2 for wrong usage and for output that cannot be written; each option once."""
    with Programs() as p, open('/dev/full', 'w') as full:
        programs = [[p.mbdyn], [p.node_path], [p.sim_path],
                    *([p.mbdyn, command] for command in p.commands)]
        options = 0
        for program in programs:
            text = p.code(0, *program, '--help').stdout
            listed = re.findall(r'^  (--[a-z-]+)\b', text, re.M)
            assert len(listed) == len(set(listed)), (program, listed)
            options += len(listed)
            assert 'usage: mbdyn' in text, program
            p.code(2, *program, '--help', stdout=full)
            p.code(2, *program, '--no-such-option')
        for program in programs[:3]:
            p.code(0, *program, '--version')
        for program in programs[3:]:
            if program[1] not in WITH_VERBS:
                assert 'exit code: 0' in p.code(0, *program, '--help').stdout, program
        return '%d programs and commands, %d options' % (len(programs), options)


def test_bad_input():
    """2 for a file that is not there or is no text; 1 for programs that could not start."""
    with Programs() as p:
        none = '/none/such.urdf'
        for command in ('info', 'check', 'eval', 'codegen', 'dh', 'identify', 'bench', 'analyze'):
            p.code(2, p.mbdyn, command, none)
        p.code(2, p.mbdyn, 'play', '/none/such.mcap')
        p.code(2, p.mbdyn, 'demo', '--robot', none)
        for path in (p.node_path, p.sim_path):
            p.code(1, path, '--ros-args', '-p', 'robot_description_file:=' + none)
            p.code(2, path, '--ros-args', '-r', 'no rule')
        # zeros are neither text nor nothing, and reading them ends
        for command in (['info', '/dev/zero'], ['eval', ARM, '--input', '/dev/zero'],
                        ['identify', ARM, '--data', '/dev/zero'],
                        ['dh', '--from', 'csv', '/dev/zero'], ['dh', '--from', 'yaml', '/dev/zero']):
            error = p.code(2, p.mbdyn, *command).stderr
            assert error and 'empty' not in error, (command, error)


def test_reader_is_gone():
    """Commands with and without a network end alike: silently, by SIGPIPE, and soon."""
    with Programs() as p:
        longest = 0
        for command in (
                ['--help'], ['info', ARM], ['bench', '--help'], ['dh', ARM], ['view', '--help'],
                ['topic', 'pub', '-r', '10', '/a', 'std_msgs/msg/Empty'],
                ['demo', '--robot', ARM, '--headless', '100']):
            longest = max(longest, p.without_reader(p.mbdyn, *command))
        talker = p.start([p.mbdyn, 'topic', 'pub', '-r', '10', '/a', 'std_msgs/msg/Empty'])
        talker.wait_line('publishing #2')
        for command in (['topic', 'list'], ['topic', 'echo', '/a'], ['topic', 'hz', '/a']):
            longest = max(longest, p.without_reader(p.mbdyn, *command))
        p.sim()
        p.node()
        time.sleep(1)
        p.without_reader(p.mbdyn, 'node', 'list')
        longest = max(longest, p.without_reader(p.mbdyn, 'top', '--plain', '--interval', '0.2'))
        for path in (p.node_path, p.sim_path):
            p.without_reader(path, '--describe')
        return 'longest %.1f s' % longest


if __name__ == '__main__':
    run([test_help_and_usage, test_bad_input, test_reader_is_gone])
