#!/usr/bin/env python3
"""
Count split stores in object files: two stores of 8 bytes to the stack, then one load of 16 bytes from them.

  check_split_stores.py MOST OBJDUMP OBJECT...        exit code 1 if there are more than MOST
  check_split_stores.py --self-test

A load cannot be forwarded from two stores and stalls for a dozen cycles. Compilers produce this where a
vector is wider than the registers of the machine; copies of structures are a few too. x86-64 and aarch64.
"""

import re
import subprocess
import sys

WINDOW = 64  # instructions after which stores have left the store buffer

# (pattern, size, offset of the value from the address) of a store or load with a stack address
X86 = r'(-?0x[0-9a-f]+)?\(%r[sb]p\)'
X86_STORE = re.compile(r'\bv?mov(?:sd|lpd|hpd|lps|hps|q)\s+%xmm\d+,' + X86 + r'$')
X86_LOAD = re.compile(r'\bv?(?:mov(?:apd|aps|upd|ups|dqa|dqu)|\w+pd)\s+' + X86 + r',%xmm\d+')
ARM = r'\[(?:sp|x29)(?:, #(-?\d+))?\]'
ARM_STORE = re.compile(r'\bstu?r\s+d\d+, ' + ARM + '$')
ARM_PAIR = re.compile(r'\bstp\s+d\d+, d\d+, ' + ARM + '$')
ARM_LOAD = re.compile(r'\bldu?r\s+q\d+, ' + ARM + '$')


def offset(text):
    """Address relative to the stack pointer."""
    return int(text, 16 if 'x' in text else 10) if text else 0


def accesses(line):
    """Kind (store, load) and addresses of the 8-byte halves that an instruction accesses."""
    for pattern, kind, halves in [
            (X86_STORE, 'store', 1), (X86_LOAD, 'load', 2), (ARM_STORE, 'store', 1),
            (ARM_PAIR, 'store', 2), (ARM_LOAD, 'load', 2)]:
        found = pattern.search(line)
        if found:
            at = offset(found.group(1))
            return kind, [at + 8 * k for k in range(halves)]
    return None, []


def count(text):
    """Split stores in disassembled text, per function."""
    result, name, stored, n = {}, '', {}, 0
    for line in text.splitlines():
        head = re.match(r'[0-9a-f]+ <(.*)>:$', line)
        if head:
            name, stored, n = head.group(1), {}, 0
            continue
        parts = line.split('\t')
        if len(parts) < 2:
            continue
        n += 1
        kind, at = accesses('\t'.join(parts[1:]).split('//')[0].split('#0x')[0].strip())
        if kind == 'store':
            stored.update((address, n) for address in at)
        elif kind == 'load':
            if all(n - stored.get(address, -WINDOW) < WINDOW for address in at):
                result[name] = result.get(name, 0) + 1
            for address in at:
                stored.pop(address, None)
    return result


def self_test():
    """Patterns that are and are not split stores."""
    split = """
0000 <f>:
  10:\tmovsd  %xmm0,0x10(%rsp)
  16:\tmovhpd %xmm1,0x18(%rsp)
  1c:\tmovapd 0x10(%rsp),%xmm2
  20:\tmovapd %xmm0,0x20(%rsp)
  24:\tmovapd 0x20(%rsp),%xmm2
0100 <g>:
  10:\tstp\td0, d1, [sp, #32]
  14:\tldr\tq2, [sp, #32]
  18:\tstr\td0, [sp, #48]
  1c:\tldr\tq2, [sp, #48]
"""
    assert count(split) == {'f': 1, 'g': 1}, count(split)
    print('2 split stores found, 2 others left alone')


def main():
    """Count, print, and fail if there are too many."""
    if sys.argv[1:] == ['--self-test']:
        self_test()
        return 0
    if len(sys.argv) < 4:
        sys.stderr.write(__doc__)
        return 2
    most, total, functions = int(sys.argv[1]), 0, 0
    for path in sys.argv[3:]:
        text = subprocess.run([sys.argv[2], '-d', '--no-show-raw-insn', path], check=True,
                              capture_output=True, text=True).stdout
        functions += len(re.findall(r'^[0-9a-f]+ <.*>:$', text, re.M))
        for name, n in sorted(count(text).items()):
            print(f'{path}: {name}: {n} split stores')
            total += n
    if functions == 0:
        print('no functions found')
        return 1
    print(f'{total} split stores in {functions} functions')
    return 1 if total > most else 0


if __name__ == '__main__':
    sys.exit(main())
