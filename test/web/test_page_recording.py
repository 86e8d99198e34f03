#!/usr/bin/env python3
"""
A recording in the page of `mbdyn view`, in a real browser: the scrubber, play, dropped files.

usage: test_page_recording.py SOURCE_DIR MBDYN MBDYN_NODE MBDYN_SIM [CASE]...

Numbers on the page are compared with the recording as Python reads it. Exit code 77 where there is no
Chromium.
"""

import base64
import json
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'view'))

import recorded  # noqa: E402
from browser import Browser, chromium  # noqa: E402
from cases import expect, near, run  # noqa: E402
from stand import Stand  # noqa: E402

SECONDS = 10


class Context:
    pass


def make_recording(c, folder):
    """A push on a simulated arm with the node on it."""
    path = os.path.join(folder, 'push')
    c.stand.robot(c.urdf, node=['frames:=[tool]'])
    recorder = c.stand.start(c.stand.cli, 'record', '--all', '--duration', str(SECONDS), '-o', path)
    # until the node publishes
    c.stand.mbdyn('topic', 'echo', '/mbdyn/mass_matrix', '--times', '1')
    c.stand.push('tool', (0, 30, 30), 2)
    expect(recorder.wait(SECONDS + 30) == 0, 'the recorder failed')
    c.stand.end(c.stand.node_process)
    c.stand.end(c.stand.sim_process)
    return path


def fresh(c):
    c.browser.open(c.address)
    c.browser.wait('window.mbdyn && mbdyn.playback.active && mbdyn.rows.kept > 0', 40,
                   'the page shows the recording')


def last(c, topic, t):
    """The last message of a topic up to a log time [s]."""
    # a double of seconds since 1970 is rounded by up to 0.12 us: the end includes every message
    limit = c.messages[-1][0] if t > c.end - 1e-6 else round(t * 1e9)
    found = [m for m in c.messages if m[1] == topic and m[0] <= limit]
    expect(found, f'{topic}: none before {t}')
    return found[-1][3]


def settled(c, t, tolerance):
    """The page is at a moment of the recording and has its numbers; returns the moment."""
    b = c.browser
    b.wait(f'Math.abs(mbdyn.playback.t - {t}) < {tolerance} && !mbdyn.playback.seeking', 20,
           f'the recording is at {t - c.start:.2f} s')
    at = b.read('mbdyn.playback.t')
    wanted = recorded.joint_dynamics(last(c, '/mbdyn/joint_dynamics', at))
    b.wait(f"mbdyn.time.live && Math.abs(mbdyn.time.head - {wanted['t']}) < 1e-5", 20,
           'the newest row is that of the moment')
    return at, wanted


def compare(c, t, tolerance):
    """Numbers of the page against the recording; how many."""
    at, wanted = settled(c, t, tolerance)
    b = c.browser
    count = 0
    for name, joint in wanted['joints'].items():
        shown = b.read(f'mbdyn.joint({json.dumps(name)})')
        for column in ('position', 'velocity', 'total', 'gravity'):
            near(shown[column], joint[column], 1e-6 * (1 + abs(joint[column])),
                 f'{column} of {name} at {at - c.start:.2f} s')
            count += 1
    b.wait('mbdyn.message("mass_matrix")')
    matrix = recorded.mass_matrix(last(c, '/mbdyn/mass_matrix', at))
    b.wait(f"Math.abs(mbdyn.message('mass_matrix').t - {matrix['t']}) < 1e-5", 20,
           'the mass matrix is that of the moment')
    shown = b.read('mbdyn.message("mass_matrix").data')
    expect(shown == matrix['data'], 'mass matrix')
    return count + len(shown)


# ---------- cases ----------


def opens_paused(c):
    b = c.browser
    b.wait("document.getElementById('state-text').textContent === 'Recording'", what='it says so')
    # the driver takes an object with a member `error` for one
    state = json.loads(b.read('JSON.stringify(mbdyn.playback)'))
    expect(not state['playing'] and state['name'] == 'push', f'{state}')
    near(state['start'], c.start, 1e-5, 'start')
    near(state['end'], c.end, 1e-5, 'end')
    near(float(b.read("document.getElementById('scrub').max")), c.end - c.start, 1e-3, 'scrubber')
    b.wait('mbdyn.view.links > 7', what='the robot is drawn')
    expect(b.read('mbdyn.robots').__len__() == 1, 'one robot')
    expect(b.read("document.getElementById('live').hidden"), 'nothing is live here')
    expect(b.read('mbdyn.playback.computed') == [], 'all is recorded')


def scrubber_goes_anywhere(c):
    """By mouse: there and back; the page has the recording's numbers at each moment."""
    left, top, width, height = c.browser.box('#scrub')
    compared = 0
    for part in (0.5, 0.9, 0.3, 0.7):
        x = left + 3 + part * (width - 6)
        c.browser.point(('move', x, top + height / 2), ('down',), ('up',))
        t = c.start + part * (c.end - c.start)
        compared += compare(c, t, 0.02 * (c.end - c.start))
        expect(c.browser.read('!mbdyn.playback.playing'), 'it must not play by itself')
        # what lies before it is in the plots
        rows = c.browser.read("mbdyn.series('position', mbdyn.model.joints[0].name).t")
        expect(rows == sorted(set(rows)), 'times do not grow')
        expect(rows[0] < max(t - 9, c.start + 2.5) < rows[-1], f'{rows[0] - c.start} s')
    expect(compared >= 4 * (7 * 4 + 49), f'{compared} numbers')
    print(f'{compared} numbers compared')


def dragging_ends_where_it_ends(c):
    left, top, width, height = c.browser.box('#scrub')
    places = [left + 3 + part * (width - 6) for part in (0.7, 0.6, 0.5, 0.45, 0.4)]
    y = top + height / 2
    c.browser.point(('move', places[0], y), ('down',), *(('move', x, y) for x in places[1:]), ('up',))
    compare(c, c.start + 0.4 * (c.end - c.start), 0.02 * (c.end - c.start))


def keys(c):
    b = c.browser
    b.keys('home')
    b.wait(f'Math.abs(mbdyn.playback.t - {c.start}) < 1e-3', what='Home is the start')
    b.keys('end')
    compare(c, c.end, 1e-3)
    b.keys('left')
    compare(c, c.end - 1, 1e-3)
    b.keys('left')
    compare(c, c.end - 2, 1e-3)
    b.keys('right')
    compare(c, c.end - 1, 1e-3)


def plays(c):
    b = c.browser
    b.keys('home')
    b.wait(f'Math.abs(mbdyn.playback.t - {c.start}) < 1e-3')
    b.keys(' ')
    b.wait('mbdyn.playback.playing')
    b.wait("document.getElementById('state-text').textContent === 'Playing'", what='it says so')
    b.wait(f'mbdyn.playback.t > {c.start + 2}', 20, 'it moves on')
    begin, t = time.monotonic(), b.read('mbdyn.playback.t')
    time.sleep(2)
    took, went = time.monotonic() - begin, b.read('mbdyn.playback.t') - t
    near(went / took, 1, 0.25, 'its speed')
    b.keys(' ')
    b.wait('!mbdyn.playback.playing')
    at = b.read('mbdyn.playback.t')
    time.sleep(0.6)
    near(b.read('mbdyn.playback.t'), at, 0.15, 'it stands')
    b.run("const s = document.getElementById('speed'); s.value = '5';"
          "s.dispatchEvent(new Event('change'));")
    b.wait('mbdyn.playback.rate === 5')
    b.click('#pause')
    b.wait(f'!mbdyn.playback.playing && Math.abs(mbdyn.playback.t - {c.end}) < 1e-3', 20,
           'it stops at the end')
    compare(c, c.end, 1e-3)


def plot_holds_a_moment(c):
    """A click into a plot shows a moment of what is here; play goes on from there."""
    b = c.browser
    b.keys('home')
    b.wait(f'Math.abs(mbdyn.playback.t - {c.start}) < 1e-3')
    b.keys('end')
    settled(c, c.end, 1e-3)
    first, end = b.read('mbdyn.time.first'), b.read('mbdyn.time.last')
    left, top, width, height = b.box('.plot-box .u-over')
    b.run("const s = document.getElementById('span'); s.value = '5'; s.dispatchEvent(new Event('change'));")
    # a drag chooses a part of the time
    b.point(('move', left + 0.3 * width, top + height / 2), ('down',),
            ('move', left + 0.6 * width, top + height / 2), ('up',))
    b.wait('!mbdyn.time.live', what='it holds the moment')
    head = b.read('mbdyn.time.head')
    expect(first <= head <= end, f'{first} {head} {end}')
    b.run("const s = document.getElementById('speed'); s.value = '0.1'; s.dispatchEvent(new Event('change'));")
    b.keys(' ')
    b.wait('mbdyn.playback.playing && !mbdyn.playback.seeking && mbdyn.time.live', what='it goes on')
    now = b.read('mbdyn.playback.t')
    expect(abs(now - head) < 0.8, f'from there: {now - head:.2f} s later')
    b.keys(' ')
    b.wait('!mbdyn.playback.playing')


DROP = '''
const [name, text] = arguments;
const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], name));
for (const type of ['dragover', 'drop'])
  document.body.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
'''


def drop(c, path, name=None):
    with open(path, 'rb') as file:
        text = base64.b64encode(file.read()).decode()
    c.browser.run(DROP, name or os.path.basename(path), text)


def dropped_without_description(c):
    """Joint states alone: it asks for a URDF, takes one that is dropped, and says what is computed."""
    b = c.browser
    drop(c, c.states)
    b.wait("mbdyn.playback.name === 'states.db3' && mbdyn.playback.active", 20, 'it is open')
    b.wait("!document.getElementById('recording-urdf').hidden", what='it asks for a URDF')
    expect(b.read('mbdyn.view.links') == 0, 'there is no robot to draw')
    b.wait('mbdyn.rows.kept > 0')
    drop(c, c.urdf)
    b.wait('mbdyn.view.links > 7', 20, 'the robot is drawn')
    b.wait("document.getElementById('recording-urdf').hidden", what='it is content')
    text = b.read("document.getElementById('recording-computed').title")
    expect('mass matrix' in text and 'torque terms' in text, text)
    expect(not b.read("document.getElementById('recording-computed').hidden"), 'it says so')
    marked = b.read("[...document.querySelectorAll('[role=tab][data-computed]')].map(t => t.id)")
    expect(sorted(marked) == ['tab-contact', 'tab-energy', 'tab-frame', 'tab-joints', 'tab-mass',
                               'tab-singularity'],
           f'{marked}')
    b.wait('mbdyn.massMatrix?.data?.length === 49 || mbdyn.message("mass_matrix")', what='a matrix')


def dropped_damaged(c):
    """A cut file: what is there plays, and the page says where it ends."""
    b = c.browser
    drop(c, c.cut)
    b.wait("mbdyn.playback.name === 'cut.mcap' && mbdyn.playback.active", 20, 'it is open')
    b.wait("!document.getElementById('recording-damage').hidden", what='it says so')
    text = b.read("document.getElementById('recording-damage').textContent")
    expect('byte' in text, text)
    b.keys('end')
    b.wait('Math.abs(mbdyn.playback.t - mbdyn.playback.end) < 1e-3 && mbdyn.rows.kept > 10', 20)
    expect(b.read('mbdyn.playback.end') < c.end - 1, 'it is shorter')


def dropped_nonsense(c):
    b = c.browser
    drop(c, c.urdf, 'nonsense.mcap')
    b.wait("document.getElementById('news').textContent.includes('MCAP')", 20, 'it says why not')
    drop(c, c.urdf, 'notes.txt')
    b.wait("document.getElementById('news').textContent.startsWith('Not a recording')", 20, 'it says why not')


def no_errors(c):
    # what the page asked for and was refused is on its console too
    bad = [text for level, text in c.browser.log() if level == 'SEVERE' and '404' not in text]
    expect(not bad, f'{bad}')


RECORDING_CASES = [
    opens_paused, scrubber_goes_anywhere, dragging_ends_where_it_ends, keys, plays,
    plot_holds_a_moment, no_errors]
DROP_CASES = [dropped_without_description, dropped_damaged, dropped_nonsense, no_errors]


def keep(c, name):
    try:
        c.browser.screenshot(f'failed_{name}.png')
    except Exception as error:
        print(f'no picture: {error}')


def main():
    if not chromium():
        print('skipped: chromium or chromedriver is missing (packages chromium, chromium-driver)')
        return 77
    source, cli, node, sim, *names = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix='mbdyn_page_')
    codes = []
    try:
        c = Context()
        c.urdf = os.path.join(source, 'config', 'robots', 'arm7.urdf')
        with Stand(cli, node, sim, source) as c.stand:
            path = make_recording(c, folder)
        c.messages = recorded.read(path)
        c.start, c.end = c.messages[0][0] * 1e-9, c.messages[-1][0] * 1e-9
        c.states = recorded.keep(
            path, os.path.join(folder, 'states.db3'), lambda _, topic: topic == '/joint_states')
        c.cut = os.path.join(folder, 'cut.mcap')
        with open(recorded.file_of(path), 'rb') as file, open(c.cut, 'wb') as out:
            out.write(file.read(os.path.getsize(recorded.file_of(path)) // 2))
        for cases, options, ready in (
                (RECORDING_CASES, [path], fresh),
                (DROP_CASES, [], lambda c: c.browser.open(c.address))):
            cases = [case for case in cases if not names or case.__name__ in names]
            if not cases:
                continue
            with Stand(cli, node, sim, source) as c.stand, Browser() as c.browser:
                c.address = c.stand.view(*options)
                ready(c)
                c.browser.wait('window.mbdyn && mbdyn.connection.state === "open"')
                codes.append(run(cases, c, keep))
    finally:
        shutil.rmtree(folder)
    return max(codes, default=2)


if __name__ == '__main__':
    sys.exit(main())
