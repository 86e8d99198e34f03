#!/usr/bin/env python3
"""`mbdyn top` in a terminal of its own (tmux), at 80x24 and at 200x60, and without a terminal."""

import json
import os
import re
import shutil
import subprocess
import time

from rig import Rig, chain, run


class Terminal:
    """A tmux server with one window of a size."""

    def __init__(self, rig, columns, lines, *arguments, locale='C.UTF-8'):
        self.socket = os.path.join(rig.folder, 'tmux%d' % columns)
        self.env = dict(rig.env, LC_ALL=locale, TERM='xterm-256color')
        self.env.pop('TMUX', None)
        self.tmux('-f', '/dev/null', 'new-session', '-d', '-x', str(columns), '-y', str(lines),
                  ' '.join([rig.mbdyn, 'top', *arguments]) + '; echo "exit code $?"; sleep 60')

    def tmux(self, *arguments):
        return subprocess.run(
            ['tmux', '-u', '-S', self.socket, *arguments], env=self.env, check=True,
            capture_output=True, text=True).stdout

    def screen(self):
        return self.tmux('capture-pane', '-p').rstrip('\n').split('\n')

    def keys(self, *keys):
        self.tmux('send-keys', *keys)

    def wait(self, check, seconds=15):
        """The screen once a check of its text is true."""
        end = time.monotonic() + seconds
        while True:
            lines = self.screen()
            if check('\n'.join(lines)):
                return lines
            if time.monotonic() > end:
                raise AssertionError('the screen is:\n' + '\n'.join(lines))
            time.sleep(0.1)

    def close(self):
        subprocess.run(['tmux', '-S', self.socket, 'kill-server'], env=self.env, check=False,
                       capture_output=True)


def table(lines):
    """Rows of the table: name and the texts after it."""
    head = next(i for i, line in enumerate(lines) if line.startswith('joint '))
    titles = lines[head].split()
    rows = []
    for line in lines[head + 1:]:
        words = line.split()
        # names have a digit at the end, here
        if not words or not re.fullmatch(r'j(oint)?\d+', words[0]) or len(words) < len(titles):
            break
        rows.append(words)
    return titles, rows


def topic(rig):
    """The joints as the topic has them, read by another command."""
    code, out, error = rig.cli('topic', 'echo', '/mbdyn/joint_dynamics', '--json', '--times', '1')
    assert code == 0, (out, error)
    return {joint['name']: joint for joint in json.loads(out)['joints']}


def start(rig, joints=None):
    if joints:
        rig.sim(robot=chain(rig.folder, joints))
    else:
        # a pose with torques in it, held by brakes
        rig.sim('-p', 'initial_joints:=[joint2, joint4]', '-p', 'initial_positions:=[0.5, -1.5]')
    # no command: the brakes hold whatever the machine is busy with
    rig.node('-p', 'mode:=passive')


def test_small():
    """80x24: everything that was asked for is on it, and it is the topic's."""
    with Rig() as rig:
        start(rig)
        top = Terminal(rig, 80, 24)
        try:
            lines = top.wait(lambda text: 'joint7' in text and 'active' in text)
            assert len(lines) <= 24 and all(len(line) <= 80 for line in lines), lines
            lines = top.wait(lambda text: re.search('[▁▂▃▄▅▆▇█]{5}', text))
            assert lines[0].startswith('mbdyn top  /mbdyn'), lines[0]
            assert 'arm7' in lines[0] and '7 joints' in lines[0] and 'active' in lines[0], lines[0]
            assert re.search(r'energy -?[\d.]+ J kinetic, -?[\d.]+ J potential', lines[1]), lines[1]
            assert re.search(r'states \d+ Hz  dynamics \d+ Hz  age .*  dropped \d+$', lines[2]), lines[2]
            titles, rows = table(lines)
            assert titles == ['joint', 'pos', 'vel', 'total', 'grav', 'cori', 'inert', 'fric',
                              'ext', 'resid', 'limit'], titles
            assert [row[0] for row in rows] == ['joint%d' % i for i in range(1, 8)], rows
            assert all(re.fullmatch(r'[pvt]\d+%!?', row[10]) for row in rows), rows
            joints = topic(rig)
            assert max(abs(j['gravity']) for j in joints.values()) > 10, joints
            for row in rows:
                assert abs(float(row[4]) - joints[row[0]]['gravity']) < 0.006, (row, joints)
                assert abs(float(row[1]) - joints[row[0]]['position']) < 0.0006, (row, joints)
            assert 'joint1 limits: position -2.897 to 2.897' in '\n'.join(lines)
            keys(top)
            top.keys('q')
            top.wait(lambda text: 'exit code 0' in text)
        finally:
            top.close()


def test_node_is_killed():
    """The state of a node that has been killed is not shown as it was."""
    with Rig() as rig:
        start(rig)
        top = Terminal(rig, 80, 24)
        try:
            top.wait(lambda text: 'joint7' in text and ' active' in text)
            rig.programs[1].process.kill()
            lines = top.wait(lambda text: 'NODE IS SILENT' in text, 3)
            assert 'active' not in lines[0], lines[0]
            rig.programs[0].process.kill()
            lines = top.wait(lambda text: 'ROBOT IS SILENT' in text, 3)
        finally:
            top.close()


def keys(top):
    top.keys('s')
    top.wait(lambda text: 'sort name' in text)
    top.keys('s', 's', 's')
    lines = top.wait(lambda text: 'sort total' in text)
    totals = [abs(float(row[3])) for row in table(lines)[1]]
    assert totals == sorted(totals, reverse=True), totals
    top.keys('r')
    lines = top.wait(lambda text: 'reversed' in text)
    totals = [abs(float(row[3])) for row in table(lines)[1]]
    assert totals == sorted(totals), totals
    top.keys('f')
    first = top.wait(lambda text: 'FROZEN' in text)
    time.sleep(1)
    assert top.screen() == first, 'it is not frozen'
    top.keys('f')
    top.wait(lambda text: 'FROZEN' not in text)
    top.keys('?')
    text = '\n'.join(top.wait(lambda text: 'freeze, resume' in text))
    for word in ('sort', 'reverse', 'quit', 'momentum observer', 'N m'):
        assert word in text, (word, text)
    assert '~' not in text, 'help is cut'
    top.keys('?')
    top.keys('S', 'S', 'S', 'S', 'r')
    top.wait(lambda text: 'sort order' in text and 'reversed' not in text)
    top.keys('Down', 'Down')
    top.wait(lambda text: 'joint3 limits' in text)
    top.keys('p')
    top.wait(lambda text: 'spark gravity' in text)


def test_large():
    """200x60 with 40 joints: all of them, all columns, sparklines in every row."""
    with Rig() as rig:
        start(rig, joints=40)
        top = Terminal(rig, 200, 60)
        try:
            lines = top.wait(lambda text: 'j40' in text and re.search('[▁▂▃▄▅▆▇█]{5}', text), 20)
            assert len(lines) <= 60 and all(len(line) <= 200 for line in lines)
            titles, rows = table(lines)
            assert titles == ['joint', 'pos', 'vel', 'total', 'grav', 'cori', 'inert', 'fric',
                              'ext', 'resid', 'cmd', 'meas', 'acc', 'limit'], titles
            assert len(rows) == 40, len(rows)
            sparks = [line for line in lines if re.search('[▁▂▃▄▅▆▇█]{3}', line)]
            assert len(sparks) >= 40, len(sparks)
            # another size: the same program, at once
            top.tmux('resize-window', '-x', '80', '-y', '24')
            lines = top.wait(lambda text: 'q quit' in text and len(text.split('\n')) <= 24)
            lines = top.wait(lambda text: 'resid' in text and 'meas' not in text)
            assert len(table(lines)[1]) == 24 - 8, lines
            top.keys('End')
            top.wait(lambda text: 'j40 limits' in text and '\nj40' in text)
            top.keys('C-c')
            top.wait(lambda text: 'exit code 0' in text)
        finally:
            top.close()


def test_ascii_and_waiting():
    """A terminal without UTF-8, tiny, and nobody there at first."""
    with Rig() as rig:
        top = Terminal(rig, 40, 10, locale='C')
        try:
            top.wait(lambda text: 'Waiting for a node' in text)
            start(rig)
            lines = top.wait(lambda text: 'joint2' in text and re.search(r'[_.=#-]{6}', text), 20)
            assert all(ord(c) < 128 for line in lines for c in line), lines
            assert len(lines) <= 10 and all(len(line) <= 40 for line in lines), lines
            top.keys('q')
            top.wait(lambda text: 'exit code 0' in text)
        finally:
            top.close()


def test_plain():
    with Rig() as rig:
        code, out, error = rig.cli('top', '--times', '1', '--wait', '1')
        assert code == 1 and 'joint_dynamics' in error, (code, out, error)
        for wrong in (['--sort', 'x'], ['--times', '0'], ['--interval', 'x'], ['--nod', '/a'],
                      ['more']):
            code, _, error = rig.cli('top', *wrong)
            assert code == 2 and error, (wrong, code)
        code, out, _ = rig.cli('top', '--help')
        assert code == 0 and '--plain' in out and 'exit code' in out
        start(rig)
        topic(rig)
        code, out, error = rig.cli('top', '--times', '3', '--interval', '0.2', '--sort', 'total')
        assert code == 0, error
        lines = out.splitlines()
        assert lines[0].startswith('#time node joint position velocity'), lines[0]
        assert len(lines) == 1 + 3 * 7, len(lines)
        assert all(len(line.split()) == len(lines[0].split()) for line in lines), lines
        assert '\x1b' not in out
        for i in range(3):
            column = lines[0].lstrip('#').split().index('total')
            totals = [abs(float(line.split()[column])) for line in lines[1 + 7 * i:8 + 7 * i]]
            assert totals == sorted(totals, reverse=True), totals
        # to a closed pipe it stops
        done = subprocess.run(
            [shutil.which('bash'), '-c', '"$0" top --plain --interval 0.1 | head -n 3', rig.mbdyn],
            env=rig.env, capture_output=True, text=True, timeout=20)
        assert len(done.stdout.splitlines()) == 3, done


if __name__ == '__main__':
    run([test_small, test_node_is_killed, test_large, test_ascii_and_waiting, test_plain])
