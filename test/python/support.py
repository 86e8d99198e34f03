"""What the tests of the Python module share."""
import json
import os
import pathlib
import subprocess

SOURCE = pathlib.Path(os.environ.get('MBDYN_SOURCE_DIR', pathlib.Path(__file__).resolve().parents[2]))
ROBOTS = SOURCE / 'config' / 'robots'


def recorded():
    """(name, vectors) of every recorded result of Pinocchio's."""
    folder = SOURCE / 'test' / 'data' / 'pinocchio'
    for path in sorted(folder.glob('*.json.zst')):
        text = subprocess.run(['zstd', '-dcq', str(path)], capture_output=True, check=True).stdout
        vectors = json.loads(text)
        vectors['urdf'] = str((path.parent / vectors['urdf']).resolve())
        yield path.name.split('.json')[0], vectors
