"""Runs test functions one after the other and prints them as cmocka does, so that all are counted."""

import sys
import time
import traceback


def run(cases, context, failed):
    """cases: functions of context; failed(context, name) may keep traces of a failure."""
    bad = []
    for case in cases:
        name = case.__name__
        print(f'[ RUN      ] {name}', flush=True)
        start = time.monotonic()
        try:
            case(context)
            print(f'[       OK ] {name} ({time.monotonic() - start:.1f} s)', flush=True)
        except Exception:  # whatever it was, the next case has its chance
            traceback.print_exc(file=sys.stdout)
            print(f'[  FAILED  ] {name}', flush=True)
            bad.append(name)
            failed(context, name)
    print(f'{len(cases) - len(bad)} of {len(cases)} passed')
    return 1 if bad else 0


def expect(condition, text):
    if not condition:
        raise AssertionError(text)


def near(value, wanted, tolerance, what):
    expect(value is not None and abs(value - wanted) <= tolerance,
           f'{what}: {value}, not {wanted} within {tolerance}')
