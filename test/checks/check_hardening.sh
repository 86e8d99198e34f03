#!/bin/sh
# Every installed program and library is built so that a bug is hard to use: full RELRO, position
# independent, no executable stack, guarded frames, checked copies.
#   check_hardening.sh BUILD_DIR
set -eu
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --install "$build" --prefix "$dir/prefix" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }

status=0
fail() { echo "FAIL: $*" >&2; status=1; }

programs=0
libraries=0
find "$dir/prefix" -type f > "$dir/files"
while read -r file; do
  case $(head -c 4 "$file" | tr -d '\0') in *ELF) ;; *) continue ;; esac
  name=${file#"$dir/prefix/"}
  readelf -hldW "$file" > "$dir/elf" 2> /dev/null
  readelf -sW "$file" > "$dir/symbols"
  grep -q 'GNU_RELRO' "$dir/elf" || fail "$name: no RELRO"
  grep -qE 'BIND_NOW|Flags:.* NOW' "$dir/elf" || fail "$name: functions are bound lazily"
  grep -qE '^ +Type: +DYN' "$dir/elf" || fail "$name: not position independent"
  grep -E '^ +GNU_STACK' "$dir/elf" > "$dir/stack" || fail "$name: says nothing of its stack"
  ! grep -qE ' RWE ' "$dir/stack" || fail "$name: an executable stack"
  grep -q '__stack_chk_fail' "$dir/symbols" || fail "$name: no guarded frame"
  grep -qE ' UND .*__[a-z]*(printf|cpy|set|cat|move|read|gets)_chk' "$dir/symbols" || {
    case $name in
      # it copies nothing whose size is known to be too small only when it runs
      *libmbdyn_core.so* | *mbdyn_sweep_mpi.so) ;;
      *) fail "$name: no checked copy" ;;
    esac
  }
  if grep -q 'INTERP' "$dir/elf" && grep -qE 'Flags:.* PIE' "$dir/elf"; then
    programs=$((programs + 1))
  elif grep -q 'INTERP' "$dir/elf"; then
    fail "$name: a program that is not PIE"
  else
    libraries=$((libraries + 1))
  fi
done < "$dir/files"
[ "$programs" -ge 1 ] && [ "$libraries" -ge 2 ] || fail "only $programs programs, $libraries libraries"
echo "$programs programs and $libraries libraries looked at"
exit $status
