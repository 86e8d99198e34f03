#!/usr/bin/env python3
"""
The page as text: the bundle is made from the sources that are there, nothing of it comes from
elsewhere, and names of robots never become HTML.

usage: check_web.py SOURCE_DIR
"""

import hashlib
import pathlib
import re
import sys

web = pathlib.Path(sys.argv[1]) / 'web'
errors = []

# ways to make HTML or code from text
FORBIDDEN = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'document.write', 'eval(', 'new Function',
             'createContextualFragment', 'srcdoc', 'javascript:']
MOST = {'view.js': 1000000, 'style.css': 40000, 'index.html': 20000}  # bytes


def expect(condition, text):
    if not condition:
        errors.append(text)


def check_bundle():
    lines = (web / 'dist/SOURCES.txt').read_text().splitlines()
    listed = dict(reversed(line.split('  ')) for line in lines)
    here = ['build.mjs', 'package-lock.json',
            *(f'src/{path.name}' for path in sorted((web / 'src').iterdir()))]
    expect(sorted(listed) == sorted(here), f'sources differ: {set(listed) ^ set(here)}')
    for name, wanted in listed.items():
        path = web / name
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None
        expect(found == wanted, f'{name} changed: (cd web && npm ci && npm run build)')
    for name, most in MOST.items():
        size = (web / 'dist' / name).stat().st_size
        print(f'{name}: {size / 1000:.1f} kB')
        expect(0 < size <= most, f'{name}: {size} bytes')


def check_sources():
    for path in sorted((web / 'src').glob('*.js')):
        text = path.read_text()
        for word in FORBIDDEN:
            expect(word not in text, f'{path.name}: {word}')
        expect('http://' not in text and 'https://' not in text, f'{path.name}: an address')
        longest = max(len(line) for line in text.splitlines())
        expect(longest <= 110, f'{path.name}: a line of {longest} characters')


def check_html():
    text = (web / 'dist/index.html').read_text()
    expect(not re.search(r'<script(?![^>]*\bsrc=)', text), 'index.html: a script in the text')
    expect('<style' not in text and not re.search(r'\sstyle=', text), 'index.html: a style')
    expect(not re.search(r'\son\w+=', text), 'index.html: a handler')
    for address in re.findall(r'(?:href|src)="([^"#]+)"', text):
        expect((web / 'dist' / address).exists(), f'index.html: {address} is not there')
    expect('url(' not in (web / 'dist/style.css').read_text(), 'style.css: loads something')


def check_packages():
    lock = (web / 'package-lock.json').read_text()
    expect('"resolved"' not in lock and 'http' not in lock, 'package-lock.json names a server')
    expect('"integrity"' in lock, 'package-lock.json has no sums')
    licences = (web / 'dist/LICENSES.txt').read_text()
    for name in ('three', 'urdf-loader', 'uplot'):
        expect(re.search(rf'^{name} \d', licences, re.MULTILINE), f'no licence of {name}')


check_bundle()
check_sources()
check_html()
check_packages()
for error in errors:
    print(error)
sys.exit(1 if errors else 0)
