#!/usr/bin/env python3
"""
How often the page of `mbdyn view` is drawn: a simulated robot of some joints at 1 kHz, the node on
it, and some pages in headless Chromium, whose WebGL is drawn by the processor (as on a machine
without a graphics card). Browsers, view, node and robot share this machine's processors.

  bench/view_frames.py [BUILD] [JOINTS] [PAGES] [SECONDS]        (default: build, 40, 1, 20)

Nothing is judged.
"""

import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ARGUMENTS = sys.argv[1:] + ['build', '40', '1', '20'][len(sys.argv) - 1:]
os.environ['MBDYN_BUILD'] = os.path.abspath(ARGUMENTS[0])
sys.path[:0] = [os.path.join(HERE, '..', 'test', name) for name in ('view', 'web')]

from browser import Browser  # noqa: E402
from rig import Rig, chain  # noqa: E402

NUMBERS = '[mbdyn.frames.count, mbdyn.frames.robotDrawn]'


def main():
    joints, pages, seconds = (int(text) for text in ARGUMENTS[1:4])
    with Rig() as rig:
        rig.sim('-p', 'rate:=1000.0', robot=chain(rig.folder, joints))
        rig.node('-p', 'publish.joint_dynamics:=1')
        rig.view()
        rig.wait_robots()
        browsers = [Browser() for _ in range(pages)]
        try:
            for b in browsers:
                b.open('http://localhost:%d/' % rig.port)
            time.sleep(8)
            before, start = [b.read(NUMBERS) for b in browsers], time.monotonic()
            time.sleep(seconds)
            after, spent = [b.read(NUMBERS) for b in browsers], time.monotonic() - start
        finally:
            for b in browsers:
                b.close()
    for k, (old, new) in enumerate(zip(before, after)):
        print('page %d: %.1f frames/s, robot drawn %.1f times/s' % (
            k + 1, (new[0] - old[0]) / spent, (new[1] - old[1]) / spent))
    print('%d joints at 1 kHz, %.0f s, load %.1f on %d processors' % (
        joints, spent, os.getloadavg()[0], os.cpu_count()))


if __name__ == '__main__':
    main()
