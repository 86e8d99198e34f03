#!/usr/bin/env python3
"""Relative links of the Markdown pages lead to files and headings that exist.

  check_links.py SOURCE
"""
import os
import re
import sys

EXPECTED = 150  # links; fewer mean that the pages were not found


def anchors(text):
    """Anchors of the headings, as GitHub makes them."""
    text = re.sub(r'^```.*?^```', '', text, flags=re.S | re.M)
    names = set()
    for heading in re.findall(r'^#+ +(.*?)\s*$', text, flags=re.M):
        heading = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading)
        name = re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')
        count, unique = 0, name
        while unique in names:
            count += 1
            unique = f'{name}-{count}'
        names.add(unique)
    return names


def main():
    os.chdir(sys.argv[1])
    skipped = {'install', 'log', 'node_modules', 'data'}
    pages = []
    for folder, folders, files in os.walk('.'):
        folders[:] = [f for f in folders if not f.startswith(('.', 'build')) and f not in skipped]
        pages += [os.path.join(folder, f) for f in files if f.endswith('.md')]
    text = {}
    for page in pages:
        with open(page, encoding='utf-8') as file:
            text[os.path.normpath(page)] = file.read()
    links, errors = 0, []
    for page, content in sorted(text.items()):
        content = re.sub(r'^```.*?^```', '', content, flags=re.S | re.M)
        content = re.sub(r'`[^`\n]*`(?!\])', '', content)
        for link in re.findall(r'\]\(([^)\s]+)\)', content):
            if re.match(r'[a-z]+:', link):
                continue
            links += 1
            path, _, anchor = link.partition('#')
            target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(target):
                errors.append(f'{page}: {link}: no such file')
            elif anchor and target in text and anchor not in anchors(text[target]):
                errors.append(f'{page}: {link}: no such heading')
    for error in errors:
        print(error)
    print(f'{links} links in {len(text)} pages, {len(errors)} broken')
    if links < EXPECTED:
        print(f'at least {EXPECTED} links expected')
    return 1 if errors or links < EXPECTED else 0


if __name__ == '__main__':
    sys.exit(main())
