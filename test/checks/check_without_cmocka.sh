#!/bin/sh
# Where cmocka is missing, which no rosdep rule brings, mbdyn is configured without its tests and says
# so, instead of stopping.
#   check_without_cmocka.sh SOURCE_DIR
set -eu
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset AMENT_PREFIX_PATH

# what pkg-config knows, but for cmocka
mkdir "$dir/pkgconfig"
pkg-config --variable=pc_path pkg-config | tr ':' '\n' | while read -r folder; do
  for file in "$folder"/*.pc; do
    [ ! -e "$file" ] || ln -sf "$file" "$dir/pkgconfig"
  done
done
rm -f "$dir/pkgconfig/cmocka.pc"

PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$dir/pkgconfig cmake -S "$source" -B "$dir/build" > "$dir/log" 2>&1 ||
  { cat "$dir/log" >&2; echo "FAIL: not configured without cmocka" >&2; exit 1; }
grep 'tests are not built: cmocka is missing' "$dir/log"
ctest --test-dir "$dir/build" -N | grep 'Total Tests: 0'
