"""The sweeps of docs/python.md, as they are there: the rows of `mbdyn sweep`, bit for bit.

  python_sweep.py MBDYN
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from support import ROBOTS, SOURCE

MBDYN = sys.argv.pop(1)
SWEEP = f'''
robot: {ROBOTS / 'arm7.urdf'}
initial: {{joint4: -1.2}}
variables:
  - {{name: load, set: payload.tool.mass, grid: [0, 3, 7]}}
  - {{name: angle, set: q.joint2, grid: [-1, 1, 21]}}
evaluate: {{outputs: [tau]}}
'''


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        (cls.path / 'loads.sweep.yaml').write_text(SWEEP)
        subprocess.run([MBDYN, 'sweep', 'loads.sweep.yaml'], cwd=cls.path, check=True, capture_output=True)
        cls.rows = np.load(cls.path / 'loads.results' / 'results.npy')
        text = (SOURCE / 'docs' / 'python.md').read_text()
        for name, block in re.findall(r'```python\n# (\w+\.py)\n(.*?)```', text, re.DOTALL):
            save = '    np.save(sys.argv[1], rows)\n' if 'rows' in block else ''
            (cls.path / name).write_text('import sys\n' + block + save)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, script):
        out = self.path / 'rows.npy'
        out.unlink(missing_ok=True)
        environment = dict(os.environ, PYTHONPATH=f'{self.path}:{os.environ["PYTHONPATH"]}')
        subprocess.run([sys.executable, '-B', str(self.path / script), str(out)], cwd=SOURCE, env=environment, check=True,
                       timeout=300)
        rows = np.load(out)
        self.assertEqual(rows.shape, (147, 9))
        self.assertTrue((self.rows[:, -1] == 1).all())
        # variables, outputs, status (1: good)
        np.testing.assert_array_equal(rows, self.rows[:, :-1])

    def test_futures(self):
        self.check('sweep.py')

    def test_dask(self):
        try:
            import distributed  # noqa: F401
        except ImportError:
            self.skipTest('Dask is missing (python3-distributed)')
        self.check('dask_sweep.py')


if __name__ == '__main__':
    unittest.main()
