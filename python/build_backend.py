"""Build backend (PEP 517, PEP 660) without dependencies: CMake builds the module, this packs it.

The wheel is for every CPython from 3.11 on (abi3) of this platform. The sdist has what the module needs of
the repository, with pyproject.toml at its top.
"""
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
# of the repository, in an sdist
PARTS = ['LICENSE', 'mbdyn_core', 'mbdyn_util', 'python']


def project():
    # beside this file, or at the top of an sdist
    return tomllib.loads((HERE / 'pyproject.toml').read_text())['project']


def metadata():
    p = project()
    lines = ['Metadata-Version: 2.1', f'Name: {p["name"]}', f'Version: {p["version"]}', f'Summary: {p["description"]}',
             f'License: {p["license"]["text"]}', f'Requires-Python: {p["requires-python"]}',
             'Description-Content-Type: text/markdown']
    for extra, needs in p['optional-dependencies'].items():
        lines.append(f'Provides-Extra: {extra}')
        lines += [f'Requires-Dist: {need} ; extra == "{extra}"' for need in needs]
    return '\n'.join(lines) + '\n\n' + (HERE / p['readme']).read_text()


def platform_tag():
    return re.sub(r'[-.]', '_', sysconfig.get_platform())


def tag():
    return f'cp311-abi3-{platform_tag()}'


def stem():
    p = project()
    return f'{p["name"]}-{p["version"]}'


def build(settings):
    """The package's folder, built by CMake. -C build-dir=DIR keeps the build, -C cmake=OPTION adds one."""
    settings = settings or {}
    folder = settings.get('build-dir')
    temporary = None if folder else tempfile.mkdtemp(prefix='mbdyn-build-')
    folder = pathlib.Path(folder or temporary).resolve()
    options = settings.get('cmake', [])
    options = [options] if isinstance(options, str) else options
    configure = ['cmake', '-S', str(HERE), '-B', str(folder), f'-DPython3_EXECUTABLE={sys.executable}', *options]
    if shutil.which('ninja'):
        configure += ['-G', 'Ninja']
    if shutil.which('ccache'):
        configure += ['-DCMAKE_C_COMPILER_LAUNCHER=ccache', '-DCMAKE_CXX_COMPILER_LAUNCHER=ccache']
    jobs = str(os.cpu_count() or 1)
    try:
        subprocess.run(configure, check=True)
        subprocess.run(['cmake', '--build', str(folder), '--target', 'mbdyn_python_package', '-j', jobs], check=True)
        files = {}
        for path in sorted((folder / 'mbdyn').iterdir()):
            if path.is_file():
                files[f'mbdyn/{path.name}'] = path.read_bytes()
        return files
    except FileNotFoundError:
        sys.exit('mbdyn: CMake is missing; on Debian: apt-get install cmake build-essential liburdfdom-dev libyaml-dev')
    finally:
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)


def write_wheel(directory, files):
    info = f'{stem()}.dist-info'
    files = dict(files)
    files[f'{info}/METADATA'] = metadata().encode()
    files[f'{info}/WHEEL'] = (f'Wheel-Version: 1.0\nGenerator: mbdyn build_backend\nRoot-Is-Purelib: false\n'
                              f'Tag: {tag()}\n').encode()
    record = []
    name = f'{stem()}-{tag()}.whl'
    with zipfile.ZipFile(pathlib.Path(directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if path.endswith('.so') else 0o100644) << 16
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
            record.append(f'{path},sha256={digest},{len(content)}')
        record.append(f'{info}/RECORD,,')
        entry = zipfile.ZipInfo(f'{info}/RECORD', (2020, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100644 << 16
        wheel.writestr(entry, '\n'.join(record) + '\n')
    return name


# ---------- what pip and build call

def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []


def get_requires_for_build_editable(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, build(config_settings))


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A path to a build in the tree, build/editable."""
    settings = dict(config_settings or {})
    settings.setdefault('build-dir', str(ROOT / 'build' / 'editable'))
    build(settings)
    path = pathlib.Path(settings['build-dir']).resolve()
    return write_wheel(wheel_directory, {'mbdyn.pth': f'{path}\n'.encode()})


def build_sdist(sdist_directory, config_settings=None):
    name = f'{stem()}.tar.gz'
    top = (HERE / 'pyproject.toml').read_text().replace('backend-path = ["."]', 'backend-path = ["python"]')
    top = top.replace('readme = "README.md"', 'readme = "python/README.md"')
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode='w', format=tarfile.PAX_FORMAT) as tar:
        def add(path, content, mode=0o644):
            entry = tarfile.TarInfo(f'{stem()}/{path}')
            entry.size, entry.mode = len(content), mode
            tar.addfile(entry, io.BytesIO(content))
        add('PKG-INFO', metadata().encode())
        add('pyproject.toml', top.encode())
        for part in PARTS:
            paths = [ROOT / part] if (ROOT / part).is_file() else sorted((ROOT / part).rglob('*'))
            for path in paths:
                if path.is_file() and '__pycache__' not in path.parts and path.suffix not in ('.so', '.o', '.whl'):
                    add(path.relative_to(ROOT).as_posix(), path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    with open(pathlib.Path(sdist_directory) / name, 'wb') as out:
        with gzip.GzipFile(fileobj=out, mode='wb', mtime=0) as packed:
            packed.write(memory.getvalue())
    return name
