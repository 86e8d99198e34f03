#!/bin/sh
# Every public header compiles alone, as C11 and as C++17, without a warning.
#   check_headers.sh INCLUDE_DIR
set -eu
include=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
flags="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -I$include"
n=0
for header in "$include"/mbdyn/*.h "$include"/mbdyn/*/*.h; do
  name=mbdyn/${header#"$include"/mbdyn/}
  # included twice: the guard works; a declaration of its own keeps the unit from being empty
  printf '#include "%s"\n#include "%s"\nextern int not_empty;\n' "$name" "$name" > "$dir/c.c"
  cp "$dir/c.c" "$dir/c.cpp"
  "${CC:-cc}" -std=c11 $flags "$dir/c.c"
  "${CXX:-c++}" -std=c++17 $flags "$dir/c.cpp"
  n=$((n + 1))
done
[ "$n" -ge 40 ] || { echo "FAIL: only $n headers found" >&2; exit 1; }
# the header of a folder includes all of it (readers of files belong to mbdyn_urdf)
for header in "$include"/mbdyn/*/*.h; do
  name=mbdyn/${header#"$include"/mbdyn/}
  case $name in *_file.h) continue ;; esac
  grep -q "#include \"$name\"" "$(dirname "$header").h" ||
    { echo "FAIL: $(basename "$(dirname "$header")").h does not include $name" >&2; exit 1; }
done
echo "$n headers compile as C11 and C++17"
