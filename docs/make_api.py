#!/usr/bin/env python3
"""The API reference, one page per public header, from the comments of the headers themselves.

  make_api.py          write docs/api
  make_api.py --check  fail if docs/api is not what the headers say
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / 'mbdyn_core' / 'include' / 'mbdyn'
OUT = ROOT / 'docs' / 'api'

# what a first program needs, in the order in which it calls them
FIRST = [
    'mbdx_urdf_load_file', 'mbd_data_create', 'mbd_neutral', 'mbd_set_state', 'mbd_find_frame',
    'mbd_frame_placement', 'mbd_jacobian', 'mbd_gravity', 'mbd_inverse_dynamics', 'mbd_mass_matrix',
    'mbd_forward_dynamics', 'mbd_integrate',
]
# headers by task; every header of the folders is in one of these lists
GROUPS = [
    ('A robot and its workspace', 'urdf mjcf robot_write ros2_control mechanism shapes model data status types payload'),
    ('Kinematics', 'kinematics jacobian ik integrate spatial order'),
    ('Manipulators', 'measure manipulator self_motion clearance'),
    ('Dynamics', 'inverse forward inertia opspace'),
    ('Dynamics, further (`mbdyn/dynamics.h`)', 'batch batch_f32 derivatives second_derivatives hybrid coriolis momentum task '
     'support compliance response observer regressor dissipation element bearing'),
    ('Loops, gears, contact (`mbdyn/constraints.h`)', 'closure embedding constrained assembly gear '
     'limits contact'),
    ('Control in real time (`libmbdyn_control`)', 'control'),
    ('A simulated robot (`libmbdyn_simulation`)', 'simulated_robot'),
    ('Simulation in time (`mbdyn/simulate.h`)', 'simulation chart driven ode'),
    ('Flexible links (`mbdyn/flexible.h`)', 'flexible_links flexible_file'),
    ('Spatial operators and other formulations (`mbdyn/operators.h`)', 'spatial_operators factors '
     'sparse_mass diagonal sko free_flyer reroot graph divide dh noc'),
]
UMBRELLAS = {'mbdyn', 'visibility', 'constraints', 'dynamics', 'flexible', 'operators', 'simulate'}

PREFIXES = """\
| prefix | what it is |
| --- | --- |
| `mbd_` | the library (`libmbdyn_core`): no dependency but libc, its threads and libm |
| `mbdu_` | spatial algebra as `static inline` functions on small structs (`spatial.h`, `order.h`) |
| `mbdx_` | robots from files (`libmbdyn_urdf`): needs urdfdom and libyaml, allocates |
| `mbdc_` | control in real time (`libmbdyn_control`): modes, observer and safety gate of the node, without ROS |
| `mbds_` | a simulated robot by index (`libmbdyn_simulation`): that of `mbdyn_sim`, without ROS |
"""

RULE = """\
**Which functions take q and v.** Functions that take a torque or an acceleration take the state with
it: `mbd_inverse_dynamics(model, data, q, v, qdd, ...)`, `mbd_forward_dynamics(model, data, q, v, tau,
...)` and their derivatives; q = v = NULL means the state in the workspace. All other functions of a
workspace are queries of the state in it, which `mbd_set_state` (or `mbd_set_position`) has set.
"""


def strip(line):
    return re.sub(r'^ */// ?|^ *// ?', '', line)


def sentence(text):
    """The first sentence of a comment, on one line."""
    text = ' '.join(text.split())
    end = re.search(r'(?<=[a-z0-9)\]}])\.( |$)', text)
    return text[:end.start() + 1] if end else text


def blocks(lines):
    """Text of a comment as Markdown: what is indented by two or more is a table or an equation."""
    groups = []
    for line in lines:
        deep = line.startswith('  ')
        if line.strip() and (not groups or groups[-1][0] != deep):
            groups.append((deep, []))
        if groups:
            groups[-1][1].append(line[2:] if deep else line)
    out = []
    for deep, group in groups:
        text = '\n'.join(group).strip('\n')
        out.append(f'```\n{text}\n```' if deep else text)
    return '\n\n'.join(out)


def documentation(lines):
    """Markdown of a comment with \\param and \\return."""
    text = '\n'.join(lines)
    # a command begins a line of its own
    text = re.sub(r'(?<=\S) *\\(param|return)', r'\n\\\1', text)
    body, items, returns, current = [], [], [], None
    for line in text.split('\n'):
        param = re.match(r'\\param(?:\[([a-z,]+)\])? +(\w+(?:, \w+)*) *(.*)', line)
        if param:
            current = items
            items.append([param[2], param[1] or '', param[3]])
        elif line.startswith('\\return'):
            current = returns
            returns.append(line[len('\\return'):].strip())
        elif current is not None and line.strip() and line.startswith(' '):
            if current is items:
                items[-1][2] += ' ' + line.strip()
            else:
                returns.append(line.strip())
        else:
            current = None
            body.append(line)
    # what stands after the commands (complexity, threads) goes to the end
    foot = [line for line in body if re.match(r'(Complexity|Allocates) .*\|', line)]
    tail = body.index(foot[0]) if foot else len(body)
    head, foot = body[:tail], ' '.join(body[tail:]).strip()
    parts = [blocks('\n'.join(head).strip('\n').split('\n'))]
    if items:
        parts.append('\n'.join(
            f'- `{name}`{" (" + way + ")" if way else ""}: {text}' for name, way, text in items))
    if returns:
        parts.append('Returns ' + ' '.join(returns).rstrip('.') + '.')
    if foot:
        parts.append('*' + ' '.join(foot.split()).rstrip('.') + '*')
    return '\n\n'.join(part for part in parts if part.strip())


def name_of(declaration):
    flat = re.sub(r'//.*', '', declaration)
    for pattern in (r'#define +([A-Z_0-9]+)', r'} *(mbd[cux]?_\w+);\s*$', r'\b(mbd[cux]?_\w+) *\('):
        found = re.search(pattern, flat)
        if found and not (pattern.startswith('\\b') and flat.startswith('typedef struct')):
            return found[1]
    return None


def entries(lines):
    """(name, comment, declaration) of everything that a header declares."""
    comment, k = [], 0
    while k < len(lines):
        line = lines[k]
        if re.match(r' *//', line):
            if not line.startswith('//----'):
                comment.append(strip(line))
            k += 1
            continue
        skipped = re.match(r'#(ifdef|ifndef|endif|include|if|else|undef|define MBDYN__)|extern "C"|}$', line)
        if not line.strip() or skipped:
            comment, k = [], k + 1
            continue
        declaration, depth = [], 0
        inline = line.startswith('static inline')
        while k < len(lines):
            line = lines[k]
            k += 1
            code = re.sub(r'//.*', '', line)
            depth += code.count('{') - code.count('}')
            declaration.append(line)
            if declaration[0].startswith('#define'):
                if not line.endswith('\\'):
                    break
            elif depth == 0 and (code.rstrip().endswith(';') or (inline and code.rstrip() == '}')):
                break
        text = '\n'.join(declaration)
        if inline:
            text = text.split('{')[0].rstrip() + ';'
        text = re.sub(r'\b(MBD_PUBLIC|MBD_WARN_UNUSED|static inline)\s', '', text)
        # comments of fields
        text = text.replace('///<', '//').replace('///', '//')
        name = name_of(text)
        if name:
            yield name, comment, text
        comment = []


def page(path):
    lines = path.read_text().split('\n')
    title = str(path.relative_to(INCLUDE))
    assert lines[0] == f'/// \\file {title}', f'{path}:1: expected /// \\file {title}'
    end = next(k for k, line in enumerate(lines) if not line.startswith('///'))
    head = [strip(line) for line in lines[1:end]]
    out = [f'# mbdyn/{title}', '', blocks(head), '']
    names = []
    for name, comment, declaration in entries(lines[end:]):
        out += [f'## {name}', '']
        text = documentation(comment) if comment else ''
        if text:
            out += [text, '']
        elif re.match(r'mbd[cx]?_', name) and not name.endswith('_t'):
            sys.exit(f'{path}: {name} has no documentation')
        out += ['```c', declaration, '```', '']
        names.append((name, text))
    about = []
    for line in head:
        if not line.strip():
            break
        about.append(line)
    return '\n'.join(out).rstrip('\n') + '\n', sentence(' '.join(about)), names


def make():
    pages, index, where, what = {}, [], {}, {}
    headers = {p.stem: p for p in sorted(INCLUDE.rglob('*.h')) if p.stem not in UMBRELLAS}
    listed = {name for _, group in GROUPS for name in group.split()}
    if listed != set(headers):
        sys.exit(f'GROUPS in {sys.argv[0]}: {sorted(listed ^ set(headers))}')
    for heading, group in GROUPS:
        index += [f'## {heading}', '']
        for stem in group.split():
            pages[stem + '.md'], about, names = page(headers[stem])
            index.append(f'- [{headers[stem].relative_to(INCLUDE)}]({stem}.md): {about}')
            for name, text in names:
                where.setdefault(name, stem)
                what.setdefault(name, sentence(text.split('\n\n')[0]) if text else '')
        index.append('')
    start = ['# C API', '', 'One page per public header, generated from the headers by `docs/make_api.py`. '
             'Equation numbers are those of the books that the pages name.', '', PREFIXES, RULE,
             '## Start with these twelve', '']
    assert len(FIRST) == 12
    for name in FIRST:
        start.append(f'1. [`{name}`]({where[name]}.md#{name}): {what[name]}')
    pages['README.md'] = '\n'.join(start + [''] + index).rstrip('\n') + '\n'
    raw = [f'{name}: {line}' for name, text in pages.items() for line in text.split('\n')
           if re.search(r'\\(param|return|file|brief|ref)\b|///', line)]
    if raw:
        sys.exit('raw markup in docs/api:\n' + '\n'.join(raw[:20]))
    return pages


def main():
    if sys.argv[1:] not in ([], ['--check']):
        print(__doc__.strip())
        return 0 if sys.argv[1:] in (['-h'], ['--help']) else 2
    pages = make()
    have = {p.name: p.read_text() for p in OUT.glob('*.md')}
    if sys.argv[1:] == ['--check']:
        wrong = sorted(n for n in pages.keys() | have.keys() if pages.get(n) != have.get(n))
        if wrong:
            print(f'docs/api is out of date ({", ".join(wrong)}): run docs/make_api.py', file=sys.stderr)
        return 1 if wrong else 0
    OUT.mkdir(exist_ok=True)
    for name in have.keys() - pages.keys():
        (OUT / name).unlink()
    for name, text in pages.items():
        (OUT / name).write_text(text)
    return 0


sys.exit(main())
