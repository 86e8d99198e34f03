"""The stubs are valid, fit a program that uses them, and name what the module has. Skipped without mypy."""
import ast
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import mbdyn
from mbdyn import _mbdyn

PROGRAM = '''
import mbdyn
model = mbdyn.load('a.urdf', floating=True)
data = mbdyn.Data(model, mbdyn.TERM_FRICTION)
tau = data.inverse_dynamics([0.0], [0.0], f_ext=[('tool', [0, 0, 1, 0, 0, 0])])
q, v = data.step([0.0], [0.0], 0.1)
name: str = model.joints[0].name
sim = mbdyn.Simulation(model, lambda data, t, q, v: data.gravity_torque())
sim.run(1.0)
'''
package = pathlib.Path(mbdyn.__file__).parent
stubs = ast.parse((package / '_mbdyn.pyi').read_text())
for node in stubs.body:
    if isinstance(node, ast.ClassDef) and hasattr(_mbdyn, node.name):
        real = getattr(_mbdyn, node.name)
        for item in node.body:
            name = getattr(item, 'name', None) or getattr(getattr(item, 'target', None), 'id', None)
            # what an instance gets when it is raised
            if name and not (issubclass(real, Exception) and name in ('status', 'name', 'joint', 'report')):
                assert hasattr(real, name), f'_mbdyn.pyi: {node.name}.{name} is not in the module'
        stubbed = {getattr(item, 'name', None) or getattr(getattr(item, 'target', None), 'id', None) for item in node.body}
        if not issubclass(real, (Exception, tuple)):
            missing = {n for n in vars(real) if not n.startswith('_')} - stubbed
            assert not missing, f'_mbdyn.pyi: {node.name} lacks {sorted(missing)}'
if importlib.util.find_spec('mypy') is None:
    print('the rest is skipped: install mypy')
    sys.exit(0)
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / 'program.py'
    file.write_text(PROGRAM)
    run = subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--cache-dir', folder, str(file)],
                         capture_output=True, text=True, check=False, cwd=folder,
                         env={'MYPYPATH': str(package.parent), 'PATH': '/usr/bin:/bin', 'HOME': folder})
    print(run.stdout.strip(), run.stderr.strip())
    sys.exit(run.returncode)
