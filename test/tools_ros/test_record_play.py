"""mbdyn record and mbdyn play with a simulated robot, on the stand-in or on the real rcl: a recording
of the robot, and what another recorder gets when that is played."""

import csv
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'view'))
from rig import Rig  # noqa: E402


def mbdyn(rig, *arguments):
    done = subprocess.run([rig.mbdyn, *arguments], env=rig.env, cwd=rig.folder, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    assert done.returncode == 0, '%s\n%s' % (arguments, done.stdout)
    return done.stdout


def topics(rig, recording):
    """Topic -> (type, messages) of what mbdyn play --info says."""
    text = mbdyn(rig, 'play', recording, '--info')
    return {name: (kind, int(count))
            for name, kind, count in re.findall(r'(/\S+) \[(\S+)\] (\d+)', text)}


def measured(rig, recording, topic):
    """Positions and efforts of each sample, as mbdyn analyze reads them."""
    mbdyn(rig, 'analyze', recording, '--topic', topic, '--csv', 'measured.csv')
    with open(os.path.join(rig.folder, 'measured.csv')) as file:
        head, *rows = csv.reader(file)
    columns = [i for i, name in enumerate(head) if name.startswith(('q_', 'tau_'))]
    assert len(columns) == 14, head
    return [tuple(row[i] for i in columns) for row in rows]


def main():
    with Rig() as rig:
        sim = rig.sim('-p', 'rate:=200.0', '-p', 'noise.position:=1.0e-3')
        mbdyn(rig, 'record', '/joint_states', '/robot_description', '-o', 'first', '--duration', '4')
        sim.end()
        found = topics(rig, 'first')
        print(found)
        assert found['/robot_description'] == ('std_msgs/msg/String', 1), found
        kind, count = found['/joint_states']
        assert kind == 'sensor_msgs/msg/JointState' and count > 50, found

        folder = os.path.join(rig.folder, 'second')
        recorder = rig.start([rig.mbdyn, 'record', '/again', '/robot_description', '-o', folder])
        recorder.wait_line('recording to')
        text = mbdyn(rig, 'play', 'first', '--wait', '2', '--remap', '/joint_states:=/again')
        assert '%d messages played' % (count + 1) in text, text
        code, _ = recorder.end(signal.SIGINT)
        assert code == 0, recorder.lines
        again = topics(rig, folder)
        print(again)
        assert again['/again'] == (kind, count), again
        assert again['/robot_description'] == found['/robot_description'], again

        # both are whole: the same samples are in them, which the noise makes distinct
        recorded, played = measured(rig, 'first', '/joint_states'), measured(rig, folder, '/again')
        assert len(recorded) > 50 and len(set(recorded)) > 50, len(set(recorded))
        assert played == recorded, [pair for pair in zip(recorded, played) if pair[0] != pair[1]][:1]
        print('%d samples of %d numbers are the same' % (len(recorded), len(recorded[0])))
    return 0


if __name__ == '__main__':
    sys.exit(main())
