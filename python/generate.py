#!/usr/bin/env python3
"""Wrappers, stubs and reference of the Python module, from functions.txt and the public headers.

  generate.py --c FILE        C wrappers and tables of methods
  generate.py --stubs FILE    type stubs (.pyi)
  generate.py --docs          write docs/python_api.md
  generate.py --check         fail if docs/python_api.md is out of date, or a function of the headers has
                              neither a row in functions.txt nor a reason in absent.txt
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parent / 'mbdyn_core' / 'include' / 'mbdyn'
DOCS = HERE.parent / 'docs' / 'python_api.md'

# what a parameter of one number or struct is in C, and in the stubs
SCALARS = {
    'frame': ('int', 'int | str'), 'joint': ('int', 'int | str'), 'int': ('int', 'int'),
    'reference': ('mbd_reference_t', 'int | str'), 'double': ('double', 'float'), 'bool': ('bool', 'bool'),
    'seed': ('uint64_t', 'int'), 'uint32': ('uint32_t', 'int'), 'vec3': ('mbd_vec3_t', 'Vector'),
    'motion': ('mbd_motion_t', 'Vector'), 'wrenches': ('const mbd_wrenches_t *', 'Wrenches'),
    'inertia': ('const mbd_inertia_t *', 'Inertia'), 'enum': (None, 'int'), 'string': ('const char *', 'str'),
    'tasks': ('const mbd_tasks_t *', 'Tasks'), 'singular': ('const mbd_singular_t *', 'str | float'),
    'limit': ('const mbd_limit_t *', 'int'), 'measure': ('const mbd_measure_t *', 'Measure'),
    'model': ('const mbd_model_t *', 'Model'),
}
# kinds that are read into a struct, whose address C gets; of 'singular' None is NULL
STRUCTS = {'inertia': 'mbd_inertia_t', 'singular': 'mbd_singular_t', 'limit': 'mbd_limit_t', 'measure': 'mbd_measure_t'}
# what functions call the object of a class
PARTS = {'observer': 'Observer', 'manipulator': 'Manipulator', 'motion': 'SelfMotion'}
RESULTS = {
    'int': ('int', 'int'), 'double': ('double', 'float'), 'bool': ('bool', 'bool'),
    'motion': ('mbd_motion_t', 'Array'), 'force': ('mbd_force_t', 'Array'),
    'placement': ('mbd_placement_t', 'Array'), 'vec3': ('mbd_vec3_t', 'Array'), 'model': ('mbd_model_t *', 'Model'),
}
# sizes that are not numbers of the model alone
SIZES = {
    'parameters': 'mbd_parameter_count(call.model, drives)',
    'held': '(hold == MBD_HOLD_POSE ? 6 : 3)',
    'frequencies': '(locked && call.model->flexible ? call.model->flexible->nmode : call.model->nv)',
    'two_nv': '2 * size.nv',
    'ten_nbody': '10 * size.nbody',
    'task_rows': 'mbd_task_rows(tasks)',
    'to_nv': 'to->nv',
    'nbearing': 'call.model->nbearing',
    'ninput': 'call.self->count[0]',
    'noutput': 'call.self->count[1]',
    'nmeasure': 'call.self->count[0]',
}
STRUCT_SHAPE = {'motion': '6', 'force': '6', 'placement': '4,4', 'vec3': '3'}
LINEAR_FIRST = [
    (r'rows 0-2 angular, 3-5 linear', 'rows 0-2 linear, 3-5 angular'),
    (r'angular first', 'linear first'),
    (r'angular \[rad/s\] and linear \[m/s\]', 'linear [m/s] and angular [rad/s]'),
    (r'angular \[kg m\^2/s\] and\s+linear \[kg m/s\]', 'linear [kg m/s] and angular [kg m^2/s]'),
    (r'moment and force', 'force and moment'),
    (r'X\.R x_frame \+ X\.p', 'X x_frame, with points as (x, y, z, 1)'),
]


class Wrong(Exception):
    pass


def prototypes():
    """name -> (header, declaration, comment) of every public function."""
    found = {}
    for path in sorted(INCLUDE.rglob('*.h')):
        comment, lines = [], path.read_text().split('\n')
        for k, line in enumerate(lines):
            if line.startswith('///'):
                comment.append(line[4:])
            elif line.startswith('MBD_PUBLIC'):
                text = ' '.join(re.sub(r'//.*', '', s) for s in lines[k:k + 20])
                text = text.replace('MBD_PUBLIC', '', 1).replace('MBD_WARN_UNUSED', '', 1).split(';')[0]
                text = ' '.join(text.split())
                name = re.search(r'\b(mbd\w*) ?\(', text)
                if name:
                    found[name[1]] = (str(path.relative_to(INCLUDE)), text, comment)
                comment = []
            elif not line.startswith('MBD_WARN_UNUSED'):
                comment = []
    return found


class Parameter:
    def __init__(self, token):
        self.token, self.role, self.kind, self.shape, self.struct, self.alias = token, 'in', None, None, None, ''
        self.fields, self.returned = None, False
        if token.startswith('=>'):
            self.role, self.returned, self.optional = 'out', True, False
            self.name, self.kind = token[2:].split(':')
            return
        if token.startswith('='):
            self.role, self.text = 'literal', token[1:]
            return
        if token[0] in '>*.':
            self.role = {'>': 'out', '*': 'inout', '.': 'work'}[token[0]]
            token = token[1:]
        self.optional = token.endswith('?')
        token = token.rstrip('?')
        token, _, self.alias = token.partition('~')
        if self.role == 'work':
            self.name, _, size = token.partition('[')
            self.size = size[:-1]
            return
        fields = re.fullmatch(r'(\w+)\{(.*)\}', token)
        if fields and self.role == 'out':
            self.name, self.kind = fields[1], 'struct'
            self.fields = [f.partition('/')[::2] for f in fields[2].split(',')]
            return
        form = re.fullmatch(r'(\w+)(?:\[([^\]]*)\])?(?::(\w+))?', token)
        if not form:
            raise Wrong(f"cannot read '{self.token}'")
        self.name, self.kind = form[1], form[3]
        self.shape = form[2].split(',') if form[2] else None
        if self.shape is None and self.kind is None:
            raise Wrong(f"'{self.token}' has neither sizes nor a kind")
        if self.shape is None and self.role == 'out' and self.kind in STRUCT_SHAPE:
            self.struct, self.shape = self.kind, STRUCT_SHAPE[self.kind].split(',')
        else:
            self.struct = None
        known = RESULTS if self.role == 'out' else SCALARS
        if self.kind and not self.shape and self.kind not in known:
            raise Wrong(f"unknown kind in '{self.token}'")
        if self.kind == 'reference':
            self.optional = True

    @property
    def python(self):
        return self.name + '_' if self.name == 'lambda' else self.name

    @property
    def is_array(self):
        return self.role in ('in', 'out', 'inout') and self.shape is not None


class Row:
    def __init__(self, line, number, known):
        words = re.findall(r'(?:\[[^\]]*\]|\{[^}]*\}|\S)+', line)
        self.place = f'functions.txt:{number}'
        if len(words) < 2:
            raise Wrong(f'{self.place}: a row is CLASS.NAME C_FUNCTION PARAMETER...')
        self.owner, self.name = words[0].split('.')
        self.function = words[1]
        if self.function not in known:
            raise Wrong(f'{self.place}: {self.function} is in no public header')
        self.header, self.declaration, self.comment = known[self.function]
        try:
            self.parameters = [Parameter(w) for w in words[2:]]
        except Wrong as e:
            raise Wrong(f'{self.place}: {e}')
        self.compare()
        arguments = [p for p in self.parameters if p.role in ('in', 'inout')]
        self.arguments = sorted(arguments, key=lambda p: p.optional)
        self.required = sum(not p.optional for p in arguments)
        self.results = [p for p in self.parameters if p.role in ('out', 'inout')]
        self.arrays_out = [p for p in self.results if p.is_array]

    def compare(self):
        """Names and types of the prototype against this row."""
        inside = self.declaration[self.declaration.index('(') + 1:self.declaration.rindex(')')]
        c = [p.strip() for p in inside.split(',')] if inside.strip() != 'void' else []
        mine = [p for p in self.parameters if not p.returned]
        self.returned = next((p for p in self.parameters if p.returned), None)
        if self.returned and self.declaration.split()[0] != self.returned.kind:
            raise Wrong(f'{self.place}: {self.function} does not return {self.returned.token}')
        self.call = []
        for text in c:
            name = re.search(r'(\w+)(?:\[[^\]]*\])*$', text)[1]
            if name in ('model', 'data', 'batch') or (name == 'n' and self.owner == 'Batch'):
                self.call.append(name)
                continue
            if name == 'from' or PARTS.get(name) == self.owner:
                self.call.append('model' if name == 'from' else 'part')
                continue
            if not mine:
                raise Wrong(f'{self.place}: no parameter for {self.function}\'s {text}')
            p = mine.pop(0)
            self.call.append(p)
            if p.role == 'literal':
                continue
            if p.name != name:
                raise Wrong(f'{self.place}: {self.function} calls {p.token} {name}')
            pointer = '*' in text
            const = text.startswith('const')
            if p.is_array and not (pointer and (const or p.role != 'in')):
                raise Wrong(f'{self.place}: {p.token} does not fit {text}')
            if p.role in ('out', 'inout', 'work') and (const or not pointer):
                raise Wrong(f'{self.place}: {p.token} is no result of {text}')
            if p.fields:
                p.type_c = text[:-len(name)].replace('*', '').strip()
            elif p.role == 'out' and not p.is_array:
                type_c = ' '.join(text[:-len(name)].split())
                if type_c.rstrip(' *') != RESULTS[p.kind][0].rstrip(' *'):
                    raise Wrong(f'{self.place}: {p.token} does not fit {text}')
            if p.role == 'in' and not p.is_array:
                type_c = ' '.join(text[:-len(name)].split())
                p.type_c = type_c
                if type_c != SCALARS[p.kind][0] and not (p.kind == 'enum' and re.fullmatch(r'mbd_\w+_t', type_c)):
                    raise Wrong(f'{self.place}: {p.token} does not fit {text}')
            if p.is_array and p.struct is None and p.kind != 'bools' and 'double' not in text and not (
                    self.owner == 'Batch' and p.kind in ('motion', 'force', 'placement')):
                raise Wrong(f'{self.place}: {p.token} does not fit {text}')
        if mine:
            raise Wrong(f'{self.place}: {self.function} has no {mine[0].token}')

    # ---------- texts

    def signature(self, stubs=False):
        out = ['self'] if stubs else []
        for p in self.arguments:
            kind = ('ArrayLike' if p.is_array and p.kind != 'bools' else
                    'Sequence[bool]' if p.kind == 'bools' else SCALARS[p.kind][1])
            if stubs:
                none = ' | None' if p.optional and p.kind != 'reference' else ''
                default = ' = ...' if p.optional else ''
                out.append(f'{p.python}: {kind}{none}{default}')
            else:
                default = 'LOCAL_WORLD_ALIGNED' if p.kind == 'reference' else 'None'
                out.append(p.python + (f'={default}' if p.optional else ''))
        if self.arrays_out:
            many = len(self.arrays_out) > 1
            kind = 'tuple[ArrayLike, ...]' if many else 'ArrayLike'
            out.append(f'out: {kind} | None = ...' if stubs else 'out=None')
        return ', '.join(out)

    def result(self, stubs=False):
        if stubs:
            kinds = ['Array' if p.is_array else 'dict[str, Any]' if p.fields else RESULTS[p.kind][1] for p in self.results]
            if not kinds:
                return 'None'
            return kinds[0] if len(kinds) == 1 else f'tuple[{", ".join(kinds)}]'
        names = [p.name + (f'[{", ".join(p.shape)}]' if p.is_array else
                           f'{{{", ".join(f for f, _ in p.fields)}}}' if p.fields else '') for p in self.results]
        return ', '.join(names) if names else 'None'

    def documentation(self):
        hidden = {p.name for p in self.parameters if p.role == 'work'} | {'data', 'model', 'batch', *PARTS}
        lines, skip, status = [], False, False
        for line in self.comment:
            if re.match(r'Complexity|Allocates|Real-time', line):
                break
            named = re.match(r'\\param(?:\[[a-z,]+\])? +(\w+(?:, \w+)*) *(.*)', line)
            if line.startswith('\\return'):
                status = True
                continue
            if status and line.startswith(' '):
                continue
            status = False
            if named:
                skip = named[1] in hidden
                if not skip:
                    lines.append(f'  {re.sub(r"^lambda$", "lambda_", named[1])}: {named[2]}')
                continue
            if skip and line.startswith(' '):
                continue
            skip = False
            lines.append(line)
        text = re.sub(r'\n{3,}', '\n\n', '\n'.join(lines)).strip('\n')
        text = text.replace('model->', '').replace('; or NULL', '').replace('NULL', 'None').replace('row-major ', '')
        if any(p.kind in ('rows', 'blocks', 'columns', 'motion', 'force', 'placement') for p in self.parameters):
            for pattern, new in LINEAR_FIRST:
                text = re.sub(pattern, new, text)
        return text

    def docstring(self):
        return (f'{self.name}({self.signature()}) -> {self.result()}\n\n{self.documentation()}\n\n'
                f'C: {self.function}').rstrip()


def rows():
    known = prototypes()
    out = []
    for number, line in enumerate((HERE / 'functions.txt').read_text().split('\n'), 1):
        line = line.split('#')[0].strip()
        if line:
            out.append(Row(line, number, known))
    return out, known


# ---------- C

def quote(text):
    lines = text.split('\n')
    return '\n'.join('  "' + s.replace('\\', '\\\\').replace('"', '\\"') + ('\\n"' if k + 1 < len(lines) else '"')
                     for k, s in enumerate(lines))


def size_in_c(s):
    return SIZES.get(s) or (s if s == 'n' or s.isdigit() else f'size.{s}')


def sizes(p):
    return ', '.join(map(size_in_c, p.shape))


def wrapper(row):
    name = f'{row.owner}_{row.name}'
    batch = row.owner == 'Batch'
    nargs = len(row.arguments) + bool(row.arrays_out)
    names = [p.python for p in row.arguments] + (['out'] if row.arrays_out else [])
    arrays = [p for p in row.parameters if p.is_array]
    index = {id(p): k for k, p in enumerate(arrays)}
    where = {id(p): k for k, p in enumerate(row.arguments)}
    o = []
    w = o.append
    listed = ', '.join(f'"{n}"' for n in names)
    w(f'static mbp_signature_t {name}_signature = {{"{row.owner}.{row.name}", {nargs}, {row.required}, '
      f'{{{listed or "NULL"}}}, {{NULL}}}};')
    w('')
    w('static PyObject *')
    w(f'{name}(PyObject * self, PyObject * const * args, Py_ssize_t nargs, PyObject * names)')
    w('{')
    w('  mbp_call_t call;')
    w(f'  PyObject * arg[{max(nargs, 1)}];')
    w(f'  if (!mbp_begin(&call, &{name}_signature, self)) return NULL;')
    w('  if (!mbp_arguments(&call, args, nargs, names, arg)) goto done;')
    used = any('size.' in size_in_c(s) for p in arrays for s in p.shape)
    if used:
        w('  const mbp_sizes_t size = mbp_sizes(call.model);')
    if batch:
        w('  Py_ssize_t n = -1;')
    for p in row.parameters:
        if p.fields:
            w(f'  {p.type_c} {p.name};')
            w(f'  memset(&{p.name}, 0, sizeof {p.name});')
        elif p.role == 'out' and not p.is_array:
            w(f'  {RESULTS[p.kind][0]} {p.name} = 0;')
        elif p.role == 'out' and p.struct:
            w(f'  {RESULTS[p.struct][0]} {p.name};')
    # arguments: arrays last, since reading the others can run code of the caller's
    for p in sorted(row.arguments, key=lambda p: p.is_array):
        k = where[id(p)]
        if p.is_array and p.role == 'in':
            first = batch and p.shape[0] == 'n'
            w(f'  const Py_ssize_t shape_{p.name}[] = {{{sizes(p)}}};')
            call_ = 'mbp_bools' if p.kind == 'bools' else 'mbp_input'
            tail = ', &n' if first else ', NULL'
            w(f'  if (!{call_}(&call, {index[id(p)]}, arg[{k}], shape_{p.name}, {len(p.shape)}, '
              f'{str(p.optional).lower()}, "{p.name}"{tail})) goto done;')
        elif p.role == 'in':
            kind = p.kind
            type_c = p.type_c
            if kind in STRUCTS:
                w(f'  {STRUCTS[kind]} {p.name}_value;')
                w(f'  memset(&{p.name}_value, 0, sizeof {p.name}_value);')
                w(f'  const {STRUCTS[kind]} * {p.name} = '
                  + (f'arg[{k}] ? &{p.name}_value : NULL;' if p.optional else f'&{p.name}_value;'))
                w(f'  if (!mbp_arg_{kind}(&call, arg[{k}], &{p.name}_value)) goto done;')
            elif kind in ('tasks', 'model', 'string'):
                w(f'  {type_c} {p.name} = NULL;')
                w(f'  if (!mbp_arg_{kind}(&call, arg[{k}], &{p.name}, "{p.name}")) goto done;')
            elif kind == 'wrenches':
                w(f'  const mbd_wrenches_t * {p.name} = NULL;')
                w(f'  if (!mbp_arg_wrenches(&call, arg[{k}], &{p.name})) goto done;')
            elif kind == 'enum':
                w(f'  int {p.name}_number = 0;')
                w(f'  if (!mbp_arg_int(&call, arg[{k}], &{p.name}_number, "{p.name}")) goto done;')
                w(f'  const {type_c} {p.name} = ({type_c}){p.name}_number;')
            else:
                start = {'reference': 'MBD_LOCAL_WORLD_ALIGNED', 'vec3': '{0, 0, 0}',
                         'motion': '{{0, 0, 0}, {0, 0, 0}}', 'bool': 'false'}.get(kind, '0')
                w(f'  {type_c} {p.name} = {start};')
                w(f'  if (!mbp_arg_{kind}(&call, arg[{k}], &{p.name}, "{p.name}")) goto done;')
    # results and arguments that C changes
    if row.arrays_out:
        out_arg = f'arg[{nargs - 1}]'
        for k, p in enumerate(row.arrays_out):
            w(f'  const Py_ssize_t shape_{p.name}[] = {{{sizes(p)}}};')
            given = out_arg if len(row.arrays_out) == 1 else f'mbp_out_item({out_arg}, {k})'
            alias = '-1'
            if p.alias:
                alias = str(index[id(next(a for a in arrays if a.name == p.alias))])
            if len(row.arrays_out) > 1 and k == 0:
                w(f'  if (!mbp_out_tuple(&call, {out_arg}, {len(row.arrays_out)})) goto done;')
            w(f'  if (!mbp_output(&call, {index[id(p)]}, {given}, shape_{p.name}, {len(p.shape)}, {alias})) goto done;')
            if p.kind == 'columns':
                w(f'  memset(call.array[{index[id(p)]}].p, 0, 36 * sizeof(double));')  # rows that C leaves out
            if p.role == 'inout':
                w(f'  if (!mbp_copy_in(&call, {index[id(p)]}, arg[{where[id(p)]}], shape_{p.name}, {len(p.shape)}, '
                  f'"{p.name}")) goto done;')
    for p in row.parameters:
        if p.role == 'work':
            size = re.sub(r'(?<!>)\b(model|batch)\b', r'call.\1', p.size)
            w(f'  double * {p.name} = mbp_work(&call, (size_t)({size}));')
            w(f'  if ({p.name} == NULL) goto done;')
    actual = []
    for p in row.call:
        if p in ('model', 'data', 'batch'):
            actual.append(f'call.{p}')
        elif p == 'part':
            actual.append('call.self->part')
        elif p == 'n':
            actual.append('(int)n')
        elif p.role == 'literal':
            actual.append(p.text)
        elif p.role == 'work':
            actual.append(p.name)
        elif p.is_array and not p.struct:
            cast = ''
            if p.kind == 'bools':
                cast = '(const bool *)(void *)'
            elif batch and p.kind in ('motion', 'force', 'placement'):
                cast = f'(mbd_{p.kind}_t *)(void *)'
            actual.append(f'{cast}call.array[{index[id(p)]}].p')
        elif p.role == 'out':
            actual.append(f'&{p.name}')
        else:
            actual.append(p.name)
    returns_status = row.declaration.startswith('mbd_status_t')
    if not returns_status and not row.returned:
        raise Wrong(f'{row.place}: {row.function} returns no status')
    if batch:
        w('  if (!mbp_batch_enter(&call, n)) goto done;')
        w('  Py_BEGIN_ALLOW_THREADS;')
    w(f'  {row.returned.name if row.returned else "call.status"} = {row.function}({", ".join(actual)});')
    if batch:
        w('  Py_END_ALLOW_THREADS;')
        w('  mbp_batch_leave(&call);')
    w('  if (call.status != MBD_OK) goto done;')
    # to what Python sees
    count = 'n' if batch else '1'
    for p in row.results:
        if not p.is_array:
            continue
        k = index[id(p)]
        if p.struct:
            w(f'  mbp_put_{p.struct}(&{p.name}, call.array[{k}].p);')
        elif p.kind in ('rows', 'blocks', 'columns', 'motion', 'force', 'placement'):
            column = f', (int)({size_in_c(p.shape[-1])})' if p.kind == 'rows' else ''
            if p.shape[0] == 'held':
                # three rows are angular alone
                w('  if (hold == MBD_HOLD_POSE)')
            w(f'  mbp_turn_{p.kind}(call.array[{k}].p, {count if p.kind != "placement" else " * ".join(["n"] + [size_in_c(s) for s in p.shape[1:-2]])}{column});')
    if not row.results:
        w('  call.result = mbp_none();')
    elif len(row.results) == 1 and row.results[0].is_array:
        w(f'  call.result = mbp_take(&call, {index[id(row.results[0])]});')
    else:
        def made(p):
            if p.is_array:
                return f'mbp_take(&call, {index[id(p)]})'
            if p.fields:
                items = ''.join(f',\n    "{f}", mbp_from_{kind or "double"}({p.name}.{f})' for f, kind in p.fields)
                return f'mbp_dict({len(p.fields)}{items})'
            return f'mbp_model_from(&call, {p.name})' if p.kind == 'model' else f'mbp_from_{p.kind}({p.name})'
        items = [made(p) for p in row.results]
        if len(items) == 1:
            w(f'  call.result = {items[0]};')
        else:
            w(f'  call.result = mbp_tuple({len(items)}, {", ".join(items)});')
    if 'goto done' in '\n'.join(o):
        w('done:')
    w(f'  return mbp_end(&call, {len(arrays)});')
    w('}')
    w('')
    return '\n'.join(o)


def c_source(table):
    o = ['// Written by python/generate.py from python/functions.txt and the headers.',
         '#include "mbdyn_python.h"', '']
    owners = []
    for row in table:
        o.append(wrapper(row))
        if row.owner not in owners:
            owners.append(row.owner)
    o += ['static mbp_signature_t * const signatures[] = {']
    o += [f'  &{row.owner}_{row.name}_signature,' for row in table]
    o += ['};', '', 'bool', 'mbp_generated_init(void)', '{',
          '  for (size_t k = 0; k < sizeof signatures / sizeof signatures[0]; k++) {',
          '    if (!mbp_signature_init(signatures[k])) return false;', '  }', '  return true;', '}', '']
    for owner in owners:
        mine = [r for r in table if r.owner == owner]
        o.append(f'const PyMethodDef mbp_{owner.lower()}_generated[] = {{')
        for row in mine:
            o.append(f'  {{"{row.name}", (PyCFunction)(void (*)(void)){row.owner}_{row.name}, '
                     f'METH_FASTCALL | METH_KEYWORDS,\n{quote(row.docstring())}}},')
        o += ['};', f'const size_t mbp_{owner.lower()}_count = {len(mine)};', '']
    return '\n'.join(o)


# ---------- stubs and reference

def stubs(table):
    text = (HERE / 'stubs.pyi').read_text()
    for owner in sorted({row.owner for row in table}):
        methods = '\n'.join(f'    def {r.name}({r.signature(True)}) -> {r.result(True)}: ...'
                            for r in table if r.owner == owner)
        mark = f'    # generated: {owner}'
        if mark not in text:
            raise Wrong(f'stubs.pyi has no line "{mark.strip()}"')
        text = text.replace(mark, methods)
    return text


def reference(table):
    o = ['# Python: methods made from C functions', '',
         'Written by `python/generate.py` from `python/functions.txt` and the headers. How they are used is in',
         '[python.md](python.md). Arrays are float64 and C-contiguous; a method makes its results, or writes them',
         'into `out`. Six-vectors and Jacobians are linear first. Errors are exceptions.', '']
    for owner in ('Model', 'Data', 'Batch', 'Observer', 'Manipulator', 'SelfMotion'):
        mine = [r for r in table if r.owner == owner]
        if not mine:
            continue
        o += [f'## {owner}', '']
        for r in mine:
            page = pathlib.Path(r.header).stem
            o += [f'### {owner}.{r.name}', '', '```', f'{r.name}({r.signature()}) -> {r.result()}', '',
                  r.documentation(), '```', '', f'C: [`{r.function}`](api/{page}.md#{r.function})', '']
    return '\n'.join(o).rstrip() + '\n'


def check(table, known):
    """Every function of the headers is in a row, or absent for a reason."""
    wrong = []
    absent = {}
    reason = None
    for number, line in enumerate((HERE / 'absent.txt').read_text().split('\n'), 1):
        text = line.split('#')[0]
        if not text.strip():
            continue
        if not text.startswith(' '):
            reason = text.strip()
            continue
        for name in text.split():
            if name.endswith('.h'):
                absent.update({n: reason for n, (header, _, _) in known.items() if header == name})
                continue
            if name not in known:
                wrong.append(f'absent.txt:{number}: {name} is in no public header')
            absent[name] = reason
    have = {row.function for row in table}
    wrong += [f'absent.txt: {name} has a row in functions.txt' for name in sorted(have & absent.keys())]
    wrong += [f'{known[name][0]}: {name} has no row in python/functions.txt, and no reason in python/absent.txt'
              for name in sorted(known.keys() - have - absent.keys())]
    if not DOCS.exists() or DOCS.read_text() != reference(table):
        wrong.append('docs/python_api.md is out of date: run python/generate.py --docs')
    return wrong


def main(args):
    table, known = rows()
    if len(args) == 2 and args[0] == '--c':
        pathlib.Path(args[1]).write_text(c_source(table))
    elif len(args) == 2 and args[0] == '--stubs':
        pathlib.Path(args[1]).write_text(stubs(table))
    elif args == ['--docs']:
        DOCS.write_text(reference(table))
    elif args == ['--check']:
        wrong = check(table, known)
        print('\n'.join(wrong) if wrong else f'{len(table)} rows agree with the headers',
              file=sys.stderr if wrong else sys.stdout)
        return 1 if wrong else 0
    else:
        print(__doc__.strip())
        return 0 if args in (['-h'], ['--help']) else 2
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main(sys.argv[1:]))
    except Wrong as e:
        sys.exit(f'generate.py: {e}')
