#!/usr/bin/env python3
"""
The page of `mbdyn view` in a real browser: a simulated robot, the node, the view and Chromium.

usage: test_page.py SOURCE_DIR MBDYN MBDYN_NODE MBDYN_SIM [CASE]...

Exit code 77 where there is no Chromium (package chromium, chromium-driver). Screens of failed cases
are kept in the working folder.
"""

import csv
import json
import math
import os
import re
import struct
import sys
import threading
import time
import xml.etree.ElementTree as xml
from xml.sax.saxutils import quoteattr

import png
from browser import Browser, chromium
from cases import expect, near, run
from stand import Stand

THRESHOLD = 1.5  # of the observer [N m]
FRAME = 'tool'
PANELS = ['joints', 'mass', 'frame', 'energy', 'contact', 'health', 'singularity']


class Context:
    pass


def fresh(c):
    """The page as a user first sees it, live."""
    c.browser.open(c.address)
    c.browser.wait('window.mbdyn && mbdyn.view.links > 0 && mbdyn.rows.kept > 30', 40,
                   'the page shows the robot')


def rest(c):
    """The robot where it was at the start, standing still."""
    c.stand.reset()
    time.sleep(0.5)
    c.browser.wait(
        'mbdyn.model.joints.every(j => Math.abs(mbdyn.joint(j.name).velocity) < 0.02)', 40,
        'the robot stands still')


def positions(c):
    return c.browser.read('mbdyn.view.positions')


def distance(a, b):
    return math.dist(a, b)


# ---------- what is shown ----------


def page_loads(c):
    fresh(c)
    b = c.browser
    expect(b.read('document.title') == 'mbdyn view', 'title')
    expect(b.read('mbdyn.connection.state') == 'open', 'connection')
    b.wait("document.getElementById('state-text').textContent === 'Live'", what='it says Live')
    robots = b.read('mbdyn.robots')
    expect([r['name'] for r in robots] == ['arm7'], f'robots: {robots}')
    b.wait("document.getElementById('mode').textContent === 'gravity compensation'",
           what='it says the mode')


def robot_has_its_links(c):
    links = [link.get('name') for link in xml.parse(c.urdf).getroot().iter('link')]
    found = positions(c)
    expect(c.browser.read('mbdyn.view.webgl'), 'no WebGL')
    expect(c.browser.read('mbdyn.view.links') == len(links), 'another number of links')
    expect(sorted(found) == sorted(links), f'other links: {sorted(found)}')
    # something is drawn: the robot's colours beside those of the floor
    c.browser.screenshot('page.png')
    width, height, step, rows = png.read('page.png')
    left, top, w, h = (round(x) for x in c.browser.box('#view'))
    expect((width, height) == (1280, 720), f'screen of {width} x {height}')
    bright = sum(row[x * step] > 120 for row in rows[top + 30:top + h - 60]
                 for x in range(left + 20, left + w - 20))
    part = bright / ((h - 90) * (w - 40))
    expect(0.01 < part < 0.5, f'{100 * part:.1f} % of the 3D view are robot')


def robot_stands_where_the_model_says(c):
    """Positions of the links against mbdyn's kinematics at the same joint positions."""
    b = c.browser
    b.keys(' ')  # hold the moment
    b.wait('!mbdyn.time.live')
    time.sleep(0.3)
    names = b.read('mbdyn.model.joints.map(j => j.name)')
    q = {name: b.read(f'mbdyn.joint({json.dumps(name)}).position') for name in names}
    frames = ['link3', 'link5', 'link7', FRAME]
    with open('states.json', 'w', encoding='utf-8') as file:
        json.dump({'states': [{'q': q}]}, file)
    options = [word for frame in frames for word in ('--frame', frame)]
    answer = json.loads(c.stand.mbdyn('eval', *options, '--input', 'states.json', c.urdf))
    found = positions(c)
    for frame in frames:
        pose = answer['states'][0]['frames'][frame]['pose']
        expect(distance(found[frame], pose[:3]) < 1e-4, f'{frame}: {found[frame]}, not {pose[:3]}')
    b.keys('end')
    b.wait('mbdyn.time.live')


def robot_moves(c):
    rest(c)
    before = positions(c)
    drawn = c.browser.read('mbdyn.frames.robotDrawn')
    c.stand.push('link4', (0, 0, -40), 1.5)
    c.browser.wait(
        f"Math.hypot(...mbdyn.view.positions['{FRAME}'].map("
        f"(x, k) => x - {json.dumps(before[FRAME])}[k])) > 0.02", 15, 'the tool moves by 2 cm')
    after = positions(c)
    expect(distance(before['link0'], after['link0']) < 1e-9, 'the base moves too')
    expect(c.browser.read('mbdyn.frames.robotDrawn') > drawn, 'nothing is drawn')


def plots_advance(c):
    b = c.browser
    b.keys('1')
    first = b.wait('Object.keys(mbdyn.plots).length === 4 && mbdyn.plots', what='four plots')
    expect(first['Position']['lines'] == 7, f'lines of Position: {first}')
    expect(first['Torque of joint1']['lines'] == 8, f'lines of torque: {first}')
    t, rows = b.read('[mbdyn.time.last, mbdyn.rows.received]')
    b.wait(f'mbdyn.time.last > {t} + 1', what='time goes on')
    expect(b.read('mbdyn.rows.received') > rows + 15, 'fewer than 15 rows in a second')
    points = b.read("mbdyn.plots['Position'].points")
    expect(points > 60, f'{points} points')
    # what is plotted is what the topic says: gravity torque of a joint at rest
    lines = c.stand.mbdyn('topic', 'echo', '--json', '-n', '60', '--wait', '20', '--timeout', '20',
                          '/mbdyn/joint_torques').splitlines()
    series = b.read("mbdyn.series('gravity', 'joint2')")
    pairs = [(t, y) for t, y in zip(series['t'], series['y']) if y is not None]
    held = 0
    for message in map(json.loads, lines):
        stamp = message['header']['stamp']['sec'] + 1e-9 * message['header']['stamp']['nanosec']
        around = [y for t, y in pairs if abs(t - stamp) < 0.1]
        if len(around) < 4:
            continue  # the page was not given this moment
        value = message['gravity'][message['joint_names'].index('joint2')]
        expect(min(around) - 0.02 <= value <= max(around) + 0.02,
               f'gravity of joint2 is {value} at {stamp}, plotted {min(around)} to {max(around)}')
        held += 1
    expect(held > 5, f'only {held} of {len(lines)} messages have a point')


def pixels_of_plots(c):
    """Lines are there, in the colours of the joints."""
    c.browser.screenshot('page.png')
    _, _, step, rows = png.read('page.png')
    left, top, w, h = (round(x) for x in c.browser.box('#panel-joints .plot:first-child .plot-box'))
    part = [row[left * step:(left + w) * step] for row in rows[top:top + h]]
    found = png.colours(part, step)
    expect(has_colour(found, '6cb6ff'), 'no line of joint1')  # first hue of the dark theme


def has_colour(found, wanted):
    wanted = bytes.fromhex(wanted)
    return any(all(abs(x - y) <= 2 for x, y in zip(colour, wanted)) for colour in found)


def heat_map_is_the_matrix(c):
    b = c.browser
    rest(c)
    b.keys('2')
    # both listen for a while; what the page showed is among what the topic said
    listener = c.stand.start(c.stand.cli, 'topic', 'echo', '--json', '-f', '--wait', '20',
                             '/mbdyn/mass_matrix')
    said = []
    reader = threading.Thread(target=lambda: said.extend(listener.stdout), daemon=True)
    reader.start()
    pictures = {}
    end = time.monotonic() + 30
    while len(pictures) < 20 and time.monotonic() < end:
        shown = b.wait('mbdyn.massMatrix')
        pictures[round(shown['t'] * 1e6)] = shown
    listener.terminate()
    reader.join()
    c.stand.end(listener)
    messages = [json.loads(line) for line in said if line.startswith('{') and line.endswith('}\n')]
    stamps = {round(m['header']['stamp']['sec'] * 10**6 + m['header']['stamp']['nanosec'] * 1e-3): m
              for m in messages}
    both = sorted(set(stamps) & set(pictures))
    expect(len(both) >= 2, f'{len(both)} common moments of {len(pictures)} shown, {len(stamps)} said')
    for moment in both:
        shown, topic = pictures[moment], stamps[moment]
        expect(shown['rowNames'] == topic['row_names'], f'names: {shown["rowNames"]}')
        expect(shown['data'] == topic['data'], 'numbers of the picture are not those of the topic')
    b.keys(' ')
    time.sleep(0.5)
    colours_follow(c, b.read('mbdyn.massMatrix'))
    b.keys('end')


def colours_follow(c, shown):
    n = len(shown['rowNames'])
    largest = max(shown['data'])
    for i in range(n):
        for j in range(n):
            x = shown['data'][i * n + j]
            red, _, blue = c.browser.read(f'mbdyn.massMatrixColour({i}, {j})')
            if x > 0.2 * largest:
                expect(blue > red + 30, f'({i}, {j}) = {x} is not blue: {red} {blue}')
            elif x < -0.2 * largest:
                expect(red > blue + 30, f'({i}, {j}) = {x} is not orange: {red} {blue}')


def matrix_by_keys(c):
    """A number is read with the keyboard alone."""
    b = c.browser
    b.run("document.querySelector('#panel-mass canvas').focus()")
    b.press('right', 'down', 'right')
    text = b.read("document.querySelector('#panel-mass .reading').textContent")
    expect(re.match(r'M\(joint2, joint2\) = [\d.]+ kg m²', text), f'it says: {text}')


def push_is_a_residual(c):
    """J^T f of the page's own Jacobian against the residual during a push."""
    b = c.browser
    b.keys('5')
    for tries in range(3):  # a busy machine may let the robot fall for want of commands
        different = pushed(c, (0.0, 12.0, 0.0))
        b.wait("document.querySelector('#panel-contact .verdict').textContent === 'No contact'", 20,
               'it says No contact again')
        if not different:
            break
        print(f'try {tries + 1}: {different}')
    expect(not different, different)
    expect(b.read('mbdyn.threshold') == THRESHOLD, 'threshold')


def pushed(c, force):
    """Pushes the robot; what is not as it should be, or an empty text."""
    b = c.browser
    rest(c)
    c.stand.push(FRAME, force, 4.0)  # long, for a browser that is slow
    b.wait("document.querySelector('#panel-contact .verdict').textContent === 'Contact'", 15,
           'it says Contact')
    b.wait('mbdyn.view.force', 10, 'an arrow shows the force')
    start = b.read('mbdyn.time.last')
    b.wait(f'mbdyn.time.last > {start} + 0.4')
    b.keys(' ')
    jacobian = b.read(f"mbdyn.message('jacobian:{FRAME}')")
    expected = [sum(jacobian['data'][r * 7 + k] * force[r] for r in range(3)) for k in range(7)]
    found = [nearest(b.read(f"mbdyn.series('residual', '{name}')"), jacobian['t'])
             for name in jacobian['col_names']]
    b.keys('end')
    scale = max(abs(x) for x in expected)
    good = all(abs(x - y) < 0.25 * scale for x, y in zip(found, expected))
    return '' if good else f'residuals {found}, not {expected}'


def nearest(series, t):
    pairs = [(abs(x - t), y) for x, y in zip(series['t'], series['y']) if y is not None]
    return min(pairs)[1]


def ellipsoids(c):
    """Semi-axes: product and sum of squares are those of J J^T."""
    b = c.browser
    b.keys('3')
    b.wait("document.querySelector('#panel-frame select').value === 'tool'", what='the frame')
    expect(not b.read('mbdyn.view.ellipsoid'), 'an ellipsoid that nobody asked for')
    b.keys('m')
    b.wait('mbdyn.view.ellipsoid', what='an ellipsoid')
    b.keys(' ')
    time.sleep(0.5)
    data = b.read(f"mbdyn.message('jacobian:{FRAME}').data")
    trace = sum(x * x for x in data[:21])
    text = b.read("[...document.querySelectorAll('#panel-frame dd')].map(x => x.textContent)")
    axes = [float(x) for x in text[3].replace(' m', '').split(', ')]
    near(sum(x * x for x in axes), trace, 0.02 * trace, 'sum of the squares of the semi-axes')
    near(float(text[0]), math.prod(axes), 0.02 * math.prod(axes), 'manipulability')
    b.keys('end', 'm')
    b.wait("mbdyn.choice.ellipsoid === 'mass'")
    b.keys('m')
    b.wait('!mbdyn.view.ellipsoid')


def singularity_is_gauged(c):
    """Gauge and facts are the topic's."""
    b = c.browser
    b.keys('7')
    b.wait("mbdyn.message('singularity')", what='a message')
    topic = json.loads(c.stand.mbdyn('topic', 'echo', '--json', '-n', '1', '--wait', '20',
                                     '--timeout', '20', '/mbdyn/singularity'))
    shown = b.read("document.querySelector('#panel-singularity .meter-text').textContent")
    near(float(shown), topic['reciprocal_condition'][0], 0.01, 'gauge')
    near(float(b.read("document.querySelector('#panel-singularity .meter-bar').style.width")[:-1]),
         100 * (1 + math.log10(topic['reciprocal_condition'][0]) / 4), 2, 'bar')
    text = b.read("document.querySelector('#panel-singularity .facts').textContent")
    expect(topic['joint_names'][topic['nearest_joint'][0]] in text, text)
    expect('J is not square' in text, text)
    expect(b.read("document.querySelector('#panel-singularity .held').textContent") == '', 'held')


def ghost_keeps_the_tool(c):
    """The slider moves the ghost's elbow, not its tool, and not the robot."""
    b = c.browser
    rest(c)
    b.keys('7')
    b.run("document.querySelector('#motion-begin').click()")
    b.wait('mbdyn.selfMotion && mbdyn.selfMotion.points > 50', 20, 'a curve')
    time.sleep(0.5)
    robot = positions(c)
    angles = set()
    for at in (0, 25, 50, 75):
        b.run(f"const s = document.getElementById('motion-slider'); s.value = {at};"
              "s.dispatchEvent(new Event('input'));")
        drawn = b.read('mbdyn.frames.robotDrawn')
        b.wait(f'mbdyn.frames.robotDrawn > {drawn} + 1', what='it is drawn')
        ghost = json.loads(b.read('JSON.stringify(mbdyn.selfMotion)'))
        expect(ghost['at'] == at, f"the slider is at {ghost['at']}")
        expect(distance(ghost['link'], robot[FRAME]) < 2e-3, f"the tool moves: {ghost['link']}")
        angles.add(round(ghost['positions'][0], 2))
        text = b.read("document.querySelector('#panel-singularity p[data-inside]').textContent")
        place = float(re.search(r'([\d.]+) of', text)[1])
        inside = any(a['begin'] <= s <= a['end'] for a in ghost['arcs']
                     for s in (place, place + ghost['curveLength']))
        expect(('within limits' in text) == inside, f"{text}: {ghost['arcs']}")
    expect(len(angles) == 4, f'the elbow stays: {angles}')
    expect(distance(positions(c)['link4'], robot['link4']) < 1e-3, 'the robot moves')
    b.run("document.querySelector('#motion-end').click()")
    b.wait('mbdyn.selfMotion === null', what='the ghost goes')
    b.keys('1')


def springs_are_drawn(c):
    """Length and force follow from the places of the links that the page draws."""
    b = c.browser
    b.wait('mbdyn.springs.length === 2', what='two springs')
    for _ in range(3):
        b.keys(' ')
        b.wait('!mbdyn.time.live')
        time.sleep(0.3)
        springs = {s['name']: s for s in b.read('mbdyn.springs')}
        at = positions(c)
        far = distance(at['link0'], at['link6'])
        near(springs['pull']['length'], far, 1e-6, 'length')
        near(springs['pull']['force'], 100 * (far - 0.1) + 5, 1e-3, 'force')
        near(springs['rope']['force'], 0, 0, 'a rope that is loose')
        b.keys('end')
        b.wait('mbdyn.time.live')
    b.keys('7')
    b.wait("/pull[\\d.]+ m[\\d.]+ N/.test(document.querySelector('#panel-singularity table').textContent)",
           what='a table of forces')
    b.keys('1')


def masses_of_links_of_an_arm(c):
    """Only links that no joint moves are called fixed; others have a mass, or an origin on the axes."""
    b = c.browser
    root = xml.parse(c.urdf).getroot()
    joint_of = {j.find('child').get('link'): j for j in root.iter('joint')}

    def moves(link):
        joint = joint_of.get(link)
        return joint is not None and (joint.get('type') != 'fixed' or moves(joint.find('parent').get('link')))
    b.keys('4')
    b.wait("document.querySelectorAll('#panel-energy tr').length > 5", what='links')
    rows = b.read("[...document.querySelectorAll('#panel-energy tr')].map(r => "
                  "[r.querySelector('th').textContent, r.querySelector('td').textContent])")
    kinds = set()
    for link, text in rows:
        kind = 'kg' if text.endswith(' kg') else text
        expect((kind == 'fixed to the world') == (not moves(link)), f'{link}: {text}')
        expect(kind in ('kg', '∞', 'fixed to the world'), f'{link}: {text}')
        kinds.add(kind)
    expect({'kg', '∞'} <= kinds, f'only {kinds}: no test')


def diagnostics_are_shown(c):
    c.browser.keys('6')
    c.browser.wait("[...document.querySelectorAll('#panel-health summary')]"
                   ".some(x => x.textContent.includes('mbdyn: dynamics'))", 15, 'diagnostics')
    topics = c.browser.read("[...document.querySelectorAll('#panel-health tbody th')]"
                            '.map(x => x.textContent)')
    expect('/mbdyn/joint_dynamics' in topics and '/joint_states' in topics, f'topics: {topics}')


# ---------- what the user does ----------


def pause_and_scrub(c):
    b = c.browser
    b.keys('1', ' ')
    b.wait('!mbdyn.time.live')
    time.sleep(0.5)  # until that moment is drawn
    head, drawn = b.read('[mbdyn.time.head, mbdyn.view.positions]')
    last = b.read('mbdyn.time.last')
    b.wait(f'mbdyn.time.last > {last} + 1', what='data still come')
    expect(b.read('mbdyn.time.head') == head, 'the moment runs on')
    expect(b.read('mbdyn.view.positions') == drawn, 'the robot moves on')
    b.keys('left', 'left')
    near(b.read('mbdyn.time.head'), head - 2, 0.1, 'two steps back')
    # a moment of the push: the robot stands where it stood
    t, y = (b.read("mbdyn.series('velocity', 'joint2')")[k] for k in 'ty')
    k = max((k for k in range(len(t)) if y[k] is not None), key=lambda k: abs(y[k]))
    b.run('const s = document.getElementById("scrub"); s.value = String(arguments[0] - mbdyn.time.last);'
          's.dispatchEvent(new Event("input"));', t[k])
    near(b.read('mbdyn.time.head'), t[k], 0.3, 'the slider')
    b.wait(f"Math.hypot(...mbdyn.view.positions['{FRAME}'].map("
           f"(x, k) => x - {json.dumps(drawn[FRAME])}[k])) > 0.001", 5, 'the robot goes back')
    b.click('#live')
    b.wait('mbdyn.time.live')
    expect(b.read('mbdyn.time.head') > head + 1, 'not at the newest moment')


def zoom(c):
    b = c.browser
    b.keys('1')
    expect(b.read('mbdyn.time.span') == 10, 'ten seconds at first')
    b.keys('-')
    expect(b.read('mbdyn.time.span') == 30, 'more time')
    b.keys('+', '+')
    expect(b.read('mbdyn.time.span') == 5, 'less time')
    left, top, width, height = b.box('#panel-joints .u-over')
    b.point(('move', left + 0.25 * width, top + height / 2), ('down',),
            ('move', left + 0.6 * width, top + height / 2),
            ('move', left + 0.75 * width, top + height / 2), ('up',))
    b.wait('!mbdyn.time.live', what='a dragged window')
    near(b.read('mbdyn.time.span'), 2.5, 0.2, 'half of it')
    b.keys('end')
    b.run('document.getElementById("span").value = "10";'
          'document.getElementById("span").dispatchEvent(new Event("change"))')
    expect(b.read('mbdyn.time.live && mbdyn.time.span') == 10, 'back')


def choose_joints(c):
    b = c.browser
    b.keys('1')
    b.click('#joint-rows tr:nth-child(3) input')
    expect(b.read('mbdyn.choice.shown') == [0, 1, 3, 4, 5, 6], 'joint3 is still plotted')
    b.wait("mbdyn.plots['Position'].lines === 6")
    b.keys('j')
    expect(b.read('mbdyn.choice.focus') == 1, 'the next joint')
    b.wait("mbdyn.plots['Torque of joint2']", what='its torques')
    b.keys('o')
    b.wait("mbdyn.plots['Position'].lines === 1")
    b.keys('a')
    b.wait("mbdyn.plots['Position'].lines === 7")
    low = b.read("mbdyn.plots['Position'].low")
    b.keys('l')
    b.wait("mbdyn.plots['Torque of joint2'].high >= 87", what='the limit is in the plot')
    b.keys('l', 'k')
    b.wait(f"mbdyn.plots['Position'].low === {low}", what='the former scale')


def export_csv(c):
    b = c.browser
    b.wait('mbdyn.time.last - mbdyn.time.first > 8', what='a past that is longer than the window')
    b.run('document.getElementById("span").value = "5";'
          'document.getElementById("span").dispatchEvent(new Event("change"))')
    b.keys(' ')
    b.wait('!mbdyn.time.live')
    time.sleep(0.3)
    start, end = b.read('[mbdyn.time.start, mbdyn.time.end]')
    near(end - start, 5, 1e-3, 'window')
    b.click('#csv')
    path = b.downloaded('.csv')
    expect(re.match(r'mbdyn_arm7_\d{4}-\d\d-\d\dT[\d-]+\.csv', os.path.basename(path)), path)
    with open(path, newline='', encoding='utf-8') as file:
        rows = list(csv.DictReader(file))
    series = b.read("mbdyn.series('gravity', 'joint2')")
    count = sum(start <= t <= end for t in series['t'])
    expect(len(rows) == b.read('mbdyn.saved.lastCsvRows') == count > 30, f'{len(rows)}, not {count} rows')
    for name in ('joint1.position [rad]', 'joint7.residual [N m]', 'kinetic_energy [J]'):
        expect(name in rows[0], f'no {name}')
    times = [float(row['time [s]']) for row in rows]
    expect(start - 1e-3 <= times[0] and times[-1] <= end + 1e-3, 'other times')
    expect(all(x < y for x, y in zip(times, times[1:])), 'times do not grow')
    known = {round(t, 4): y for t, y in zip(series['t'], series['y'])}
    for t, row in zip(times, rows):
        if row['joint2.gravity [N m]']:
            near(float(row['joint2.gravity [N m]']), known[round(t, 4)], 1e-5, 'gravity of joint2')
    b.keys('end', '-')


def export_png(c):
    b = c.browser
    b.keys('1')
    time.sleep(0.5)
    b.keys('p')
    path = b.downloaded('.png')
    width, height, step, rows = png.read(path)
    expect(width > 1000 and height > 400, f'{width} x {height}')
    view = [row[40 * step:(40 + 400) * step] for row in rows[60:height - 60]]
    bright = sum(row[x] > 120 for row in view for x in range(0, len(row), step))
    expect(bright > 0.01 * len(view) * 400, 'the robot is not in the picture')
    plots = [row[width // 2 * step:] for row in rows]
    expect(has_colour(png.colours(plots, step), '6cb6ff'), 'no line of joint1 in the picture')


def dark_and_light(c):
    b = c.browser
    def theme():
        return b.read('document.documentElement.dataset.theme')
    try:
        b.colours(dark=False)
        b.wait("document.documentElement.dataset.theme === 'light'", what='light as the system')
        expect(contrast(b) > 4.5, f'contrast {contrast(b)}')
        b.colours(dark=True)
        b.wait("document.documentElement.dataset.theme === 'dark'", what='dark as the system')
        expect(contrast(b) > 4.5, f'contrast {contrast(b)}')
        b.keys('t')
        expect(theme() == 'light', 'the switch')
        fresh(c)
        expect(theme() == 'light', 'the choice is not kept')
    finally:
        b.run('localStorage.clear()')
        fresh(c)


def contrast(b):
    """Smallest contrast of text colours on the panels (WCAG 2.1)."""
    def channels(text):
        return [int(text[k:k + 2], 16) / 255 for k in (1, 3, 5)]

    def light(text):
        linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055)**2.4 for x in channels(text)]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def get(name):
        return b.run('return getComputedStyle(document.documentElement)'
                     '.getPropertyValue(arguments[0]).trim()', name)
    pairs = [(light(get(a)), light(get(p))) for a in ('--text', '--soft', '--bad', '--good', '--warn',
                                                      '--accent')
             for p in ('--panel', '--page')]
    return min((max(x, y) + 0.05) / (min(x, y) + 0.05) for x, y in pairs)


def keyboard_reaches_everything(c):
    """Tab goes to every control in the order of the page, and help opens and closes."""
    b = c.browser
    b.keys('?')
    expect(b.read("document.getElementById('help').open"), 'no help')
    expect(b.read("document.querySelectorAll('#help kbd').length") > 20, 'keys are missing')
    b.press('escape')
    expect(not b.read("document.getElementById('help').open"), 'help stays')
    b.run("document.querySelector('.skip').focus()")
    seen = []
    for _ in range(60):
        b.press('tab')
        seen.append(b.read('(e => e.id || e.getAttribute("aria-label") || e.textContent)'
                           '(document.activeElement)'))
    wanted = ['csv', 'png', 'theme', 'help-button', 'fit', 'skeleton', 'joints-all', 'limits',
              'tab-joints', 'pause', 'scrub', 'span']
    places = [seen.index(name) for name in wanted if name in seen]
    expect(len(places) == len(wanted), f'not reached: {set(wanted) - set(seen)}')
    expect(places == sorted(places), f'another order: {seen}')
    unnamed = b.read("[...document.querySelectorAll('button, input, select, canvas[tabindex]')]"
                     ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length))"
                     '.map(e => e.outerHTML)')
    expect(unnamed == [], f'without a name: {unnamed}')


def fits_a_phone(c):
    b = c.browser
    try:
        b.size(400, 844)
        time.sleep(0.5)
        # the name of the robot and all tabs can be read
        wide = b.read("""(() => {
            const select = document.getElementById('robots');
            const text = document.createElement('canvas').getContext('2d');
            text.font = getComputedStyle(select).font;
            return text.measureText(select.selectedOptions[0].text).width + 30 - select.clientWidth;
          })()""")
        expect(wide <= 0, f'the name of the robot is cut by {wide} pixels')
        for key in range(len(PANELS)):
            left, top, width, height = b.box(f'#tabs button:nth-child({key + 1})')
            expect(left >= 0 and left + width <= 400, f'tab {key + 1} is cut at {left + width}')
            b.click(f'#tabs button:nth-child({key + 1})')
            expect(b.read('mbdyn.choice.panel') == PANELS[key], f'tab {key + 1} cannot be opened')
        b.screenshot('phone.png')
        b.size(390, 844)
        time.sleep(0.5)
        for key in '1234567':
            b.keys(key)
            time.sleep(0.3)
            wide = b.read('document.documentElement.scrollWidth')
            expect(wide <= 390, f'panel {key} is {wide} wide')
        expect(b.box('#view')[3] >= 240, 'no room for the robot')
    finally:
        b.size(1280, 720)
        b.keys('1')
    expect(b.read('document.documentElement.scrollHeight') <= 720, 'the page scrolls at 1280 x 720')


# ---------- when things go wrong ----------


def reconnects(c):
    b = c.browser
    first, opened = b.read('[mbdyn.time.first, mbdyn.connection.opened]')
    c.stand.end(c.stand.view_process)
    b.wait("!document.getElementById('banner').hidden", 10, 'it says that the connection is lost')
    text = b.read("document.getElementById('banner-text').textContent")
    expect('Connection to mbdyn view lost' in text and 'attempt' in text, f'it says: {text}')
    expect(b.read("document.getElementById('state-text').textContent") == 'Reconnecting', 'state')
    time.sleep(1)
    lost = b.read('mbdyn.time.last')
    c.stand.view()
    b.wait(f'mbdyn.connection.opened > {opened}', 20, 'another connection')
    b.wait("document.getElementById('news').textContent === 'Connected again.'", 5, 'it says so')
    b.wait(f'mbdyn.time.last > {lost} + 1', 20, 'plots go on')
    expect(b.read("document.getElementById('banner').hidden"), 'the banner stays')
    expect(b.read('mbdyn.time.first') == first, 'the past is gone')


def node_is_killed(c):
    """SIGKILL: the page says so within a second, and takes back what it said of the node."""
    b = c.browser
    b.keys('1')
    for _ in range(3):  # a busy machine may be late itself
        seconds = kill_node(c)
        if seconds < 1:
            break
        c.stand.end(c.stand.sim_process)
        start_robot(c)
        b.wait("document.getElementById('state-text').textContent === 'Live'", 40, 'it is live again')
        time.sleep(3)
    expect(seconds < 1, f'said after {seconds} s')
    text = b.read("document.getElementById('banner-text').textContent")
    expect('/mbdyn has stopped publishing' in text and 'Joint states still arrive' in text, text)
    expect(not b.read("document.getElementById('banner').hidden"), 'the banner is hidden')
    expect(b.read("document.getElementById('retry').hidden"), 'a button that cannot help')
    for part in ('lifecycle', 'mode'):
        shown = b.read(f"document.getElementById('{part}').textContent")
        expect(shown == '', f'it still says {shown}')
    b.screenshot('node_killed.png')
    c.stand.end(c.stand.sim_process)
    b.wait("document.getElementById('state-text').textContent === 'Robot is silent'", 5,
           'it says that the robot is silent')
    start_robot(c)
    b.wait("document.getElementById('state-text').textContent === 'Live' && "
           "document.getElementById('banner').hidden", 40, 'it is live again')


def kill_node(c):
    """How long it takes the page to say so."""
    b = c.browser
    expect(b.read("document.getElementById('banner').hidden"), 'a banner before')
    b.wait("document.getElementById('lifecycle').textContent === 'active'", what='active before')
    c.stand.node_process.kill()
    # by the page's own clock: asking it takes as long as the machine is busy
    seconds = b.run("""
        const [done] = arguments;
        const start = performance.now();
        const look = () => {
          const text = document.getElementById('state-text').textContent;
          if (text === 'Node is silent') done((performance.now() - start) / 1000);
          else if (performance.now() - start > 15000) done(99);
          else setTimeout(look, 20);
        };
        look();""", wait=True)
    print(f'node killed: said after {seconds:.2f} s')
    return seconds


def robot_goes_and_comes_back(c):
    b = c.browser
    c.stand.end(c.stand.node_process)
    c.stand.end(c.stand.sim_process)
    b.wait("document.getElementById('state-text').textContent === 'Robot is silent'", 15,
           'it says that the robot is silent')
    last = b.read('mbdyn.time.last')
    start_robot(c)
    b.wait(f"mbdyn.time.last > {last} + 1 && "
           "document.getElementById('state-text').textContent === 'Live'", 40, 'it is live again')


def no_errors(c):
    """Nothing on the console of the browser but what the reconnection is meant to show."""
    bad = [text for level, text in c.browser.log()
           if level in ('SEVERE', 'WARNING') and 'ERR_CONNECTION_REFUSED' not in text
           and 'WebSocket connection to' not in text]
    expect(bad == [], '\n'.join(bad))
    expect(c.browser.read('mbdyn.connection.bad') == 0, 'messages that are not JSON')


def frames_per_second(c):
    """How often the page is drawn: said, not judged; a shared machine has no graphics card."""
    b = c.browser
    b.keys('1')
    time.sleep(1)
    count, drawn = b.read('[mbdyn.frames.count, mbdyn.frames.robotDrawn]')
    start = time.monotonic()
    time.sleep(5)
    now, more = b.read('[mbdyn.frames.count, mbdyn.frames.robotDrawn]')
    seconds = time.monotonic() - start
    print(f'frames: {(now - count) / seconds:.1f} a second, robot drawn {(more - drawn) / seconds:.1f} '
          f'times a second, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors')
    expect(now > count + 5, 'the page stands still')


# ---------- another robot: odd names, and meshes ----------


def write_odd_robot(folder):
    """A URDF 1.1 whose names are HTML, with meshes that are there (STL without normals, glTF as text and
    as one file) and meshes that are not, a capsule, and a quaternion that lays the first joint's axis
    along x."""
    body = ('<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" '
            'iyz="0"/></inertial>')

    def mesh(name):
        return f'<visual><geometry><mesh filename="package://{name}"/></geometry></visual>'
    os.makedirs(os.path.join(folder, 'meshes'), exist_ok=True)
    with open(os.path.join(folder, 'meshes', 'wedge.stl'), 'w', encoding='ascii') as file:
        corners = ['0 0 0', '0.2 0 0', '0 0.2 0', '0 0 0.4']
        file.write('solid wedge\n')
        for skip in range(4):
            file.write('facet normal 0 0 0\nouter loop\n')
            file.writelines(f'vertex {x}\n' for k, x in enumerate(corners) if k != skip)
            file.write('endloop\nendfacet\n')
        file.write('endsolid wedge\n')
    write_gltf(os.path.join(folder, 'meshes'))
    text = f'''<robot name={quoteattr(ODD[0])} version="1.1">
      <link name="base"><visual><geometry><capsule radius="0.1" length="0.3"/></geometry></visual>
      </link>
      <link name={quoteattr(ODD[1])}>{body}{mesh('odd/wedge.stl')}{mesh('odd/plate.gltf')}
        {mesh('odd/plate.glb')}{mesh('odd/none.dae')}{mesh('odd/wedge.ply')}</link>
      <link name={quoteattr(ODD[2])}>{body}{mesh('elsewhere/../../secret.stl')}
        {mesh('elsewhere/<i>arm</i>.stl').replace('<i>', '&lt;i&gt;').replace('</i>', '&lt;/i&gt;')}</link>
      <joint name={quoteattr(ODD[3])} type="revolute"><parent link="base"/>
        <child link={quoteattr(ODD[1])}/><axis xyz="0 0 1"/>
        <origin quat_xyzw="0 0.7071067811865476 0 0.7071067811865476"/>
        <limit lower="-2" upper="2" effort="50" velocity="3"/></joint>
      <joint name={quoteattr(ODD[4])} type="prismatic"><parent link={quoteattr(ODD[1])}/>
        <child link={quoteattr(ODD[2])}/><origin xyz="0 0 0.4"/><axis xyz="1 0 0"/>
        <limit lower="-0.1" upper="0.3" effort="80" velocity="1"/></joint></robot>'''
    path = os.path.join(folder, 'odd.urdf')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


ODD = ['odd <script>window.hit = 1</script>', '<b>arm</b>', 'slide"&\'>',
       '<img src=x onerror=window.hit=1>', '=slide,"x"']


def write_gltf(folder):
    """A square plate: plate.gltf with plate.bin beside it, and both in plate.glb."""
    points = [0, 0, 0, 0.3, 0, 0, 0.3, 0.3, 0, 0, 0.3, 0]
    blob = struct.pack('<12f6H', *points, 0, 1, 2, 0, 2, 3)
    about = {
        'asset': {'version': '2.0'}, 'scene': 0, 'scenes': [{'nodes': [0]}], 'nodes': [{'mesh': 0}],
        'meshes': [{'primitives': [{'attributes': {'POSITION': 0}, 'indices': 1}]}],
        'buffers': [{'byteLength': len(blob), 'uri': 'plate.bin'}],
        'bufferViews': [{'buffer': 0, 'byteLength': 48}, {'buffer': 0, 'byteOffset': 48, 'byteLength': 12}],
        'accessors': [
            {'bufferView': 0, 'componentType': 5126, 'count': 4, 'type': 'VEC3',
             'min': [0, 0, 0], 'max': [0.3, 0.3, 0]},
            {'bufferView': 1, 'componentType': 5123, 'count': 6, 'type': 'SCALAR'}]}
    with open(os.path.join(folder, 'plate.gltf'), 'w', encoding='utf-8') as file:
        json.dump(about, file)
    with open(os.path.join(folder, 'plate.bin'), 'wb') as file:
        file.write(blob)
    del about['buffers'][0]['uri']
    text = json.dumps(about).encode()
    text += b' ' * (-len(text) % 4)
    chunks = struct.pack('<I4s', len(text), b'JSON') + text + struct.pack('<I4s', len(blob), b'BIN\0') + blob
    with open(os.path.join(folder, 'plate.glb'), 'wb') as file:
        file.write(struct.pack('<4sII', b'glTF', 2, 12 + len(chunks)) + chunks)


def names_stay_text(c):
    b = c.browser
    shown = b.read("[...document.querySelectorAll('#joint-rows .name')].map(x => x.textContent)")
    expect(shown == ODD[3:], f'joints: {shown}')
    for key in '123456':
        b.keys(key)
        time.sleep(0.3)
    expect(b.read("document.querySelector('main img, main b, main script') === null"), 'HTML of a name')
    expect(b.read('window.hit === undefined'), 'a name was run')
    expect(ODD[0] in b.read("document.getElementById('robots').textContent"), 'name of the robot')
    expect(sorted(b.read('Object.keys(mbdyn.view.positions)')) == sorted(['base', *ODD[1:3]]), 'links')


def meshes_and_skeleton(c):
    b = c.browser
    b.wait('mbdyn.view.meshes.loaded + mbdyn.view.meshes.missing === 7', what='all meshes tried')
    meshes = b.read('mbdyn.view.meshes')
    expect({k: meshes[k] for k in ('wanted', 'loaded', 'missing')} ==
           {'wanted': 7, 'loaded': 3, 'missing': 4}, f'meshes: {meshes}')
    expect(b.read('mbdyn.view.unlit') == 0, 'normals are missing')
    b.wait('mbdyn.view.skeleton', what='lines where a mesh is missing')
    asked = b.read("performance.getEntriesByType('resource').map(x => x.name)")
    expect(any(x.endswith('/mesh/odd/wedge.stl') for x in asked), f'asked for: {asked}')
    expect(all(x.startswith(c.address.rstrip('/')) for x in asked), f'asked elsewhere: {asked}')
    expect(not any('secret' in x for x in asked), f'asked for: {asked}')
    b.keys('s')
    b.wait('!mbdyn.view.skeleton', what='no lines')


def missing_meshes_are_named(c):
    """Each with the option that helps, as text."""
    b = c.browser
    expect(not b.read("document.getElementById('meshes').hidden"), 'not a word about them')
    text = b.read("document.getElementById('meshes').textContent")
    for part in ('4 of 7 meshes are missing', 'package://elsewhere/../../secret.stl',
                 'package://elsewhere/<i>arm</i>.stl', '--mesh elsewhere=DIR',
                 'package://odd/none.dae', 'no such file in the folder of --mesh',
                 'package://odd/wedge.ply', 'not STL, COLLADA (.dae), OBJ or glTF'):
        expect(part in text, f'{part} is not in: {text}')
    expect(b.read("document.querySelector('#meshes i') === null"), 'HTML of a name')
    b.screenshot('meshes_missing.png')


def urdf_1_1_is_drawn(c):
    b = c.browser
    expect(b.read('mbdyn.view.capsules') == 1, 'capsules')
    at = positions(c)
    # 0.4 m along the first axis, which the quaternion turned to x; the slide moves across it
    expect(abs(at[ODD[2]][0] - 0.4) < 1e-6, f'the slide is at {at[ODD[2]]}')


def units_of_sliding_joints(c):
    b = c.browser
    units = b.read("[...document.querySelectorAll('thead .unit')].map(x => x.textContent)")
    expect(units == ['rad, m', 'rad/s, m/s', 'N m, N', 'N m, N'], f'units: {units}')
    b.keys('2')
    b.run("document.querySelector('#panel-mass canvas').focus()")
    b.press('right', 'down', 'right')
    b.wait("document.querySelector('#panel-mass .reading').textContent.endsWith(' kg')",
           what='kg for a joint that slides')
    b.click('#csv')
    with open(b.downloaded('.csv'), newline='', encoding='utf-8') as file:
        head = next(csv.reader(file))
    expect("'=slide,\"x\".position [m]" in head, f'columns: {head[:30]}')
    expect(f'{ODD[3]}.command [N m]' in head, f'columns: {head[:30]}')


def only_missing_files_on_the_console(c):
    bad = [text for level, text in c.browser.log()
           if level in ('SEVERE', 'WARNING') and 'none.dae' not in text]
    expect(bad == [], '\n'.join(bad))


# ---------- a humanoid: 31 joints and a floating base ----------


def floor_is_under_the_feet(c):
    """The grid is at the soles of the pose that is first seen, by mbdyn's own kinematics."""
    b = c.browser
    b.keys(' ')
    b.wait('!mbdyn.time.live')
    names = b.read("mbdyn.model.joints.filter(j => j.type !== 'floating').map(j => j.name)")
    expect(len(names) == 31, f'{len(names)} joints')
    with open('states.json', 'w', encoding='utf-8') as file:
        json.dump({'states': [{}]}, file)
    answer = json.loads(c.stand.mbdyn('eval', '--base', 'floating', '--frame', 'l_sole', '--frame',
                                      'r_sole', '--input', 'states.json', c.urdf))
    soles = [answer['states'][0]['frames'][name]['pose'][2] for name in ('l_sole', 'r_sole')]
    expect(max(soles) < -0.5, f'soles at {soles}: no test')
    near(b.read('mbdyn.view.floor'), min(soles), 0.02, 'height of the floor')
    b.keys('end', 'r')
    near(b.read('mbdyn.view.floor'), min(soles), 0.02, 'height of the floor after fitting')


def condition_above_16_joints(c):
    """What the page computes, where the node does not, against Jacobi rotations."""
    b = c.browser
    b.keys('2')
    b.wait('mbdyn.massMatrix', what='a mass matrix')
    b.keys(' ')
    time.sleep(0.5)
    message = b.read("mbdyn.message('mass_matrix')")
    expect(message['rows'] == 37 and message['condition'] is None, 'the node computes it: no test')
    text = b.read("document.querySelector('#panel-mass dd').textContent")
    wanted = condition(message['data'], 37)
    near(float(text), wanted, 1e-3 * wanted, 'condition number')
    print(f'condition number {text}, {wanted:.6g} by Jacobi rotations')
    b.keys('end')


def condition(data, n):
    """Largest by smallest eigenvalue, by cyclic Jacobi rotations."""
    a = [list(data[i * n:i * n + n]) for i in range(n)]
    for _ in range(12):
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                cos = 1 / math.hypot(t, 1)
                sin = t * cos
                for k in range(n):
                    x, y = a[k][p], a[k][q]
                    a[k][p], a[k][q] = cos * x - sin * y, sin * x + cos * y
                for k in range(n):
                    x, y = a[p][k], a[q][k]
                    a[p][k], a[q][k] = cos * x - sin * y, sin * x + cos * y
    values = [a[k][k] for k in range(n)]
    return max(values) / min(values)


def masses_of_links(c):
    """No link of a robot that floats is called fixed."""
    b = c.browser
    b.keys('4')
    b.wait("document.querySelectorAll('#panel-energy tr').length > 10", what='links')
    cells = b.read("[...document.querySelectorAll('#panel-energy td')].map(x => x.textContent)")
    expect(all(cell.endswith(' kg') for cell in cells), f'masses: {cells}')


# ---------- the demo with the page: what ./run.sh --view starts ----------


def demo_is_shown(c):
    b = c.browser
    b.wait("document.getElementById('mode').textContent === 'computed torque'", 40, 'it tracks')
    before = positions(c)[FRAME]
    b.wait(f"Math.hypot(...mbdyn.view.positions['{FRAME}'].map("
           f"(x, k) => x - {json.dumps(before)}[k])) > 0.05", 20, 'the robot moves')
    verdict = "document.querySelector('#panel-contact .verdict').textContent"
    b.keys('5')
    b.wait(f"{verdict} === 'No contact'", 10, 'no contact while it tracks')
    b.wait("Math.hypot(...(mbdyn.message('external_wrench')?.force ?? [0])) > 15 && mbdyn.view.force && "
           f"{verdict} === 'Contact'", 40, 'the push is a contact')
    expect(b.read('mbdyn.threshold') > 1, 'threshold')
    b.screenshot('contact.png')


def demo_serves_meshes(c):
    packages = c.browser.run("""
        const [done] = arguments;
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/live', 'mbdyn.1');
        socket.onmessage = (event) => {
          socket.close();
          done(JSON.parse(event.data).mesh_packages);
        };""", wait=True)
    expect(packages == ['some'], f'packages: {packages}')


def page_stays_when_the_demo_ends(c):
    c.demo.wait(90)
    c.browser.wait("document.getElementById('state-text').textContent === 'Reconnecting'", 10,
                   'it says so')
    expect(c.browser.read('mbdyn.rows.kept') > 100, 'the past is gone')


def start_robot(c):
    # more than inertia over the delay of a command, which is small at the wrist, would shake it
    damping = [20.0, 20.0, 20.0, 20.0, 1.0, 1.0, 0.2]
    c.stand.robot(
        c.urdf, node=[f'observer_threshold:={THRESHOLD}', f'frames:=[{FRAME}]',
                      f'damping:={damping}', 'timeout:=1.0', 'on_stale:=gravity'],
        sim=['initial_positions:=[0.3, -0.6, 0.1, -1.9, 0.2, 1.6, 0.7]'])


def keep(c, name):
    try:
        c.browser.screenshot(f'failed_{name}.png')
        fresh(c)
    except Exception as error:
        print(f'no picture: {error}')


# of the page alone: the robot has none
SPRINGS = '''forces:
  - {name: pull, type: spring, stiffness: 100, rest: 0.1, preload: 5, a: {link: link0}, b: {link: link6}}
  - {name: rope, type: spring, stiffness: 100, rest: 9, one_sided: pull, a: {link: link0}, b: {link: link6}}
'''

CASES = [
    page_loads, robot_has_its_links, robot_stands_where_the_model_says, robot_moves, plots_advance,
    pixels_of_plots, heat_map_is_the_matrix, matrix_by_keys, push_is_a_residual, ellipsoids,
    masses_of_links_of_an_arm, singularity_is_gauged, ghost_keeps_the_tool, springs_are_drawn,
    diagnostics_are_shown, pause_and_scrub, zoom, choose_joints, export_csv, export_png,
    keyboard_reaches_everything, fits_a_phone, dark_and_light, frames_per_second, reconnects,
    node_is_killed, robot_goes_and_comes_back, no_errors]
DEMO_CASES = [demo_is_shown, demo_serves_meshes, page_stays_when_the_demo_ends]
ODD_CASES = [names_stay_text, meshes_and_skeleton, missing_meshes_are_named, urdf_1_1_is_drawn,
             units_of_sliding_joints, only_missing_files_on_the_console]
WALKER_CASES = [floor_is_under_the_feet, condition_above_16_joints, masses_of_links, no_errors]


def main():
    if not chromium():
        print('skipped: chromium or chromedriver is missing (packages chromium, chromium-driver)')
        return 77
    source, cli, node, sim, *names = sys.argv[1:]
    def chosen(cases):
        return [case for case in cases if not names or case.__name__ in names]

    def stage(cases, start):
        c = Context()
        with Stand(cli, node, sim, source) as c.stand:
            start(c)
            with Browser() as c.browser:
                print(f'Chromium {c.browser.version}')
                fresh(c)
                return run(cases, c, keep)

    def arm(c):
        c.urdf = os.path.join(source, 'config', 'robots', 'arm7.urdf')
        start_robot(c)
        with open('arm7.mechanism.yaml', 'w', encoding='utf-8') as file:
            file.write(SPRINGS)
        c.address = c.stand.view('--mechanism', os.path.abspath('arm7.mechanism.yaml'))

    def odd(c):
        folder = os.path.abspath('odd')
        c.stand.robot(write_odd_robot(folder))
        c.address = c.stand.view('--mesh', f'odd={folder}/meshes')
    def demo(c):
        folder = os.path.abspath('.')
        c.demo = c.stand.start(cli, 'demo', '--headless', '30', '--view-port', '0',
                               '--mesh', f'some={folder}')
        c.address = re.search(r'http://\S+', c.stand.says(c.demo, 'http://'))[0]

    def walker(c):
        c.urdf = os.path.join(source, 'config', 'robots', 'humanoid.urdf')
        c.stand.robot(c.urdf, node=['base:=floating', 'mode:=passive'], sim=['base:=floating'])
        c.address = c.stand.view()
    stages = [(chosen(CASES), arm), (chosen(ODD_CASES), odd), (chosen(WALKER_CASES), walker),
              (chosen(DEMO_CASES), demo)]
    return max([stage(cases, start) for cases, start in stages if cases], default=2)


if __name__ == '__main__':
    sys.exit(main())
