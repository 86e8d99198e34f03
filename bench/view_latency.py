#!/usr/bin/env python3
"""
What the view costs the node: latency from the stamp of a joint state to the node's command, for a
simulated robot of 40 joints at 1 kHz, with and without `mbdyn view` and three pages, in turns.

  bench/view_latency.py [--fifo] [BUILD] [SECONDS]        (default: build, 60)

With --fifo robot and node have a real-time priority (chrt -f 10; needs the right to it), as on a
robot: then other programs on the same processors count less.

The node's own histograms, from /diagnostics: age of the joint state when its computation starts, and
time of the computation up to the command. Each turn is a few seconds; quantiles are the median over
the seconds of all turns of a kind. On a machine with few processors the pages compete with the node
for them: run it on an idle one. Nothing is judged; the last line is the ratio of the two.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, '..', 'test', 'view'))
FIFO = '--fifo' in sys.argv
ARGUMENTS = [a for a in sys.argv[1:] if a != '--fifo']
os.environ['MBDYN_BUILD'] = os.path.abspath(ARGUMENTS[0] if ARGUMENTS else 'build')

from rig import Rig, chain  # noqa: E402

INTERVAL = 10


class Page(threading.Thread):
    """Reads as a browser does: everything, at once, and answers nothing."""

    def __init__(self, rig):
        super().__init__(daemon=True)
        self.socket = rig.socket()
        self.socket.send({'type': 'subscribe', 'rate': 30, 'history': 60})
        self.bytes = self.samples = 0
        self.start()

    def run(self):
        try:
            while True:
                text = self.socket.text()
                self.bytes += len(text)
                self.samples += '"type":"samples"' in text[:20]
        except Exception:
            pass


def values(rig, seconds):
    """Reports of the node over some seconds."""
    done = subprocess.run(
        [rig.mbdyn, 'topic', 'echo', '/diagnostics', '--json', '--times', str(2 * seconds)],
        env=rig.env, capture_output=True, text=True, timeout=10 * seconds)
    found = []
    for line in done.stdout.splitlines():
        for status in json.loads(line)['status']:
            if status['name'] == '/mbdyn: dynamics':
                found.append({v['key']: v['value'] for v in status['values']})
    return found[1:]


def summary(reports):
    def median(key):
        return statistics.median(float(r[key]) for r in reports)
    out = {key: median(key) for key in (
        'input_age_p50_us', 'input_age_p99_us', 'compute_p50_us', 'compute_p99_us',
        'input_rate_hz')}
    for q in ('p50', 'p99'):
        out['latency_%s' % q] = statistics.median(
            float(r['input_age_%s_us' % q]) + float(r['compute_%s_us' % q]) for r in reports)
    return out


def main():
    seconds = int(ARGUMENTS[1]) if len(ARGUMENTS) > 1 else 60
    with Rig() as rig:
        rig.before = ['chrt', '-f', '10'] if FIFO else []
        rig.sim('-p', 'rate:=1000.0', robot=chain(rig.folder, 40))
        rig.node('-p', 'publish.joint_dynamics:=1')
        reports = {False: [], True: []}
        memory, pages = [], []
        time.sleep(3)
        for interval in range(2 * max(1, round(seconds / INTERVAL))):
            shown = interval % 2 == 1
            view = None
            if shown:
                view = rig.view()
                rig.wait_robots()
                pages = [Page(rig) for _ in range(3)]
                time.sleep(2)
                before = view.memory()
            reports[shown] += values(rig, INTERVAL)
            if shown:
                memory.append((before, view.memory()))
                samples = sum(p.samples for p in pages)
                view.end()
                assert samples > 0
        for shown in (False, True):
            s = summary(reports[shown])
            print('%-13s age p50 %6.1f p99 %7.1f us   compute p50 %5.1f p99 %6.1f us   '
                  'latency p50 %6.1f p99 %7.1f us   %4.0f Hz, %d s' % (
                      'three pages:' if shown else 'no view:', s['input_age_p50_us'],
                      s['input_age_p99_us'], s['compute_p50_us'], s['compute_p99_us'],
                      s['latency_p50'], s['latency_p99'], s['input_rate_hz'], len(reports[shown])))
        print('memory of the view [kB], start and end of each turn: %s' % (
            ', '.join('%d to %d' % pair for pair in memory)))
        without, shown = summary(reports[False]), summary(reports[True])
        print('ratio of p99: %.3f   of p50: %.3f' % (
            shown['latency_p99'] / without['latency_p99'],
            shown['latency_p50'] / without['latency_p50']))


if __name__ == '__main__':
    main()
