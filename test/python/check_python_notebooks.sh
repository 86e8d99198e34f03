#!/bin/sh
# Every notebook runs from top to bottom; their cells have assertions. Skipped where nbconvert is missing.
#   check_python_notebooks.sh SOURCE_DIR PYTHON
set -eu
source=$1
python=$2
"$python" -c 'import nbconvert, ipykernel, matplotlib, numpy' 2> /dev/null || {
  echo "skipped: install python3-nbconvert, python3-ipykernel, python3-matplotlib"
  exit 77
}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export MPLBACKEND=Agg HOME="$dir" JUPYTER_PLATFORM_DIRS=0
# the kernel of this Python, whatever else is installed
"$python" -m ipykernel install --prefix "$dir" --name python3 > /dev/null 2>&1
export JUPYTER_PATH="$dir/share/jupyter"
status=0
for notebook in "$source"/python/notebooks/*.ipynb; do
  name=$(basename "$notebook" .ipynb)
  cp "$notebook" "$dir/"
  if "$python" -m nbconvert --to notebook --execute --ExecutePreprocessor.timeout=300 --output "$name.done" \
      "$dir/$name.ipynb" > "$dir/log" 2>&1; then
    echo "$name: runs"
  else
    sed "s/\x1b\[[0-9;]*m//g" "$dir/log" | tail -n 12 >&2
    echo "FAIL: $name" >&2
    status=1
  fi
done
exit $status
