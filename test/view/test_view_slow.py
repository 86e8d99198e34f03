#!/usr/bin/env python3
"""Pages that read slowly or not at all: fewer rows for them, the same memory, others unharmed."""

import time

from rig import Rig, chain, run

FAST = ['-p', 'publish.joint_dynamics:=1', '-p', 'publish.mass_matrix:=1',
        '-p', 'publish.jacobian:=1', '-p', 'publish.external_torque:=1']


def start(rig):
    robot = chain(rig.folder, 40)
    rig.sim(robot=robot)
    rig.node(*FAST)
    view = rig.view('--history', '20')
    rig.wait_robots()
    return view


def subscribed(rig):
    page = rig.socket()
    page.send({'type': 'subscribe', 'rate': 60})
    page.wait('model')
    return page


def rate_of(page, seconds):
    """Messages of samples, and rows, in a second."""
    messages = rows = 0
    start = time.monotonic()
    while time.monotonic() < start + seconds:
        message = page.receive()
        if message['type'] == 'samples':
            messages += 1
            rows += len(message['t'])
    took = time.monotonic() - start
    return messages / took, rows / took


def test_stalled():
    """One page stops reading: the view's memory stays, others have all their rows."""
    with Rig() as rig:
        view = start(rig)
        stalled = subscribed(rig)
        good = subscribed(rig)
        rate_of(good, 3)
        before = view.memory()
        messages, rows = rate_of(good, 10)
        after = view.memory()
        assert after - before < 2000 or view.sanitized(), (before, after)
        assert messages > 20 and rows > 50, (messages, rows)
        # what waited for it is little, and soon it has what is new; it is told what it missed
        begin = time.monotonic()
        newest = 0
        while time.time() - newest > 1:
            newest = stalled.wait('samples')['t'][-1]
            assert time.monotonic() - begin < 5, newest
        missed = stalled.wait('status', check=lambda m: m['thinned'] > 0)['thinned']
        return '%.0f messages/s, %.0f rows/s; %d kB before, %d kB after; %d rows thinned' % (
            messages, rows, before, after, missed)


def test_slow():
    """One page reads slowly: its messages are fewer, and what they say is not old."""
    with Rig() as rig:
        start(rig)
        slow = subscribed(rig)
        # where the page asked for some 400 kB/s
        slow.pace = 60e3
        begin = time.monotonic()
        ages, spans, first, last, rows = [], [], None, None, 0
        while time.monotonic() < begin + 12:
            message = slow.receive()
            if message['type'] != 'samples':
                continue
            if last is not None:
                spans.append(message['t'][0] - last)
            last = message['t'][-1]
            first = first or message['t'][0]
            rows += len(message['t'])
            ages.append(time.time() - last)
        late = ages[len(ages) // 2:]
        # had all waited for it, there would be sixty rows in each second
        density = rows / (last - first)
        assert density < 45, density
        assert max(late) < 10, late
        assert len(ages) / 12 < 20, len(ages)
        return '%.1f messages/s, %.0f rows per second, at most %.1f s old' % (
            len(ages) / 12, density, max(late))


if __name__ == '__main__':
    run([test_stalled, test_slow])
