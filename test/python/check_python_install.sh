#!/bin/sh
# pip install, offline, in a fresh virtual environment without and with the system's NumPy; wheel and sdist;
# the installed module in every other CPython from 3.11 on that is there.
#   check_python_install.sh SOURCE_DIR PYTHON
set -eu
source=$1
python=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*" >&2; exit 1; }
quietly() { "$@" > "$dir/log" 2>&1 || { tail -n 40 "$dir/log" >&2; fail "$*"; }; }

cat > "$dir/try.py" <<'PYTHON'
import math, sys
import mbdyn
model = mbdyn.load(sys.argv[1])
data = mbdyn.Data(model)
tau = data.inverse_dynamics(model.neutral(), [0.1] * model.nv)
assert len(tau) == 7 and all(math.isfinite(x) for x in tau)
kind = type(tau).__module__
assert kind == sys.argv[2] or sys.argv[2] == 'any', kind
print(sys.version.split()[0], kind, mbdyn.__file__)
PYTHON
robot=$source/config/robots/arm7.urdf
cd "$dir"

# the sdist from the tree, the wheel from the sdist: nothing that it needs may be missing there
quietly "$python" -c "import sys; sys.path.insert(0, '$source/python'); sys.dont_write_bytecode = True
import build_backend as b; print(b.build_sdist('$dir'))"
"$python" -m venv "$dir/bare"
quietly "$dir/bare/bin/pip" install --no-index --no-cache-dir "$dir"/mbdyn-*.tar.gz
"$dir/bare/bin/python" try.py "$robot" array

# a wheel, which every later CPython takes
"$dir/bare/bin/pip" wheel --help > /dev/null
quietly "$python" -c "import sys; sys.path.insert(0, '$source/python'); sys.dont_write_bytecode = True
import build_backend as b; print(b.build_wheel('$dir'))"
case $(ls "$dir"/*.whl) in *-cp311-abi3-*) ;; *) fail "name of the wheel" ;; esac
"$python" -m venv --system-site-packages "$dir/with_numpy"
quietly "$dir/with_numpy/bin/pip" install --no-index "$dir"/*.whl
"$dir/with_numpy/bin/python" try.py "$robot" numpy

mkdir "$dir/flat"
quietly "$python" -m zipfile -e "$dir"/*.whl "$dir/flat"
for other in python3.11 python3.12 python3.13 python3.14; do
  command -v "$other" > /dev/null && "$other" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null || continue
  PYTHONPATH="$dir/flat" "$other" -B try.py "$robot" any
done
