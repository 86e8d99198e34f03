#!/bin/sh
# The ABI of the libraries against the one recorded in test/data/abi (abigail-tools).
#   check_abi.sh [BUILD_DIR]            fails if a function or type of the record is gone or another
#   check_abi.sh --update [BUILD_DIR]   write the record anew: with a new SOVERSION, or before 1.0
# Builds the libraries with debug information, without vector kernels and C++ types: none is public.
set -eu
cd "$(dirname "$0")/../.."
update=no
if [ "${1:-}" = --update ]; then update=yes; shift; fi
build=${1:-build-abi}
record=test/data/abi
for tool in abidw abidiff; do
  command -v $tool > /dev/null || { echo "check_abi.sh: no $tool: apt-get install abigail-tools" >&2; exit 2; }
done
mkdir -p "$build"
{
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DMBDYN_KERNELS=none -DBUILD_TESTING=OFF \
    -DCMAKE_C_FLAGS="-ffile-prefix-map=$PWD=." -DCMAKE_CXX_FLAGS_DEBUG= &&
    cmake --build "$build" --target mbdyn_core mbdyn_urdf mbdyn_control mbdyn_simulation
} > "$build/abi.log" 2>&1 || { cat "$build/abi.log" >&2; exit 2; }
status=0
for library in mbdyn_core/libmbdyn_core mbdyn_core/urdf/libmbdyn_urdf mbdyn_ros/control/libmbdyn_control \
  mbdyn_tools/sim/libmbdyn_simulation; do
  name=$(basename $library)
  abidw --headers-dir mbdyn_core/include --drop-private-types --no-corpus-path --no-comp-dir-path \
    --no-show-locs --type-id-style hash --out-file "$build/$name.abi" "$build/$library.so"
  grep -q "elf-symbol name='mbd" "$build/$name.abi" || { echo "FAIL: $name has no functions" >&2; exit 2; }
  if [ $update = yes ]; then
    mkdir -p $record
    cp "$build/$name.abi" $record/
    echo "$record/$name.abi: written"
    continue
  fi
  found=0
  abidiff --no-show-locs "$record/$name.abi" "$build/$name.abi" > "$build/$name.diff" || found=$?
  # bits: 1, 2 an error; 4 a change; 8 a removal
  if [ $((found & 3)) -ne 0 ]; then
    cat "$build/$name.diff" >&2
    exit 2
  elif grep -qE 'changes summary: ([1-9][0-9]* Removed|0 Removed, [1-9][0-9]* Changed)' "$build/$name.diff"; then
    cat "$build/$name.diff"
    echo "FAIL: $name differs from $record/$name.abi. If programs linked against that break, it needs a" \
      "new SOVERSION (before 1.0: a line in CHANGELOG); then run test/checks/check_abi.sh --update."
    status=1
  elif [ $((found & 4)) -ne 0 ]; then
    grep -vE '^$' "$build/$name.diff" | head -n 40
    echo "ok: $name has grown and breaks nothing; test/checks/check_abi.sh --update records it"
  else
    echo "ok: $name has the recorded ABI ($(grep -c "elf-symbol name=" "$build/$name.abi") symbols)"
  fi
done
exit $status
