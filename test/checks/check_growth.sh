#!/bin/sh
# Instructions of the O(N) functions on chains of 5000 to 20000 bodies: they must grow as N.
# (Below 4096 bodies inverse dynamics has kernels in world axes, with fewer instructions a body.)
#   check_growth.sh GROWTH_PROGRAM
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

count() { # function, N: instructions in the function and what it calls
  valgrind --tool=callgrind --callgrind-out-file="$dir/out" --toggle-collect="$1" \
    "$program" "$2" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
  sed -n 's/^.*Collected : \([0-9]*\).*/\1/p' "$dir/log"
}

status=0
printf '%-32s %8s %14s %16s %10s\n' function N instructions 'per body' 'ratio'
for f in mbd_inverse_dynamics mbd_forward_dynamics mbd_operational_space_inertia; do
  first=
  for n in 5000 10000 20000; do
    ir=$(count "$f" "$n")
    [ -n "$first" ] || first=$ir
    # per body at N against per body at 5000, in thousandths
    ratio=$((ir * 5000000 / (first * n)))
    printf '%-32s %8d %14d %16d %7d.%03d\n' "$f" "$n" "$ir" "$((ir / n))" \
      "$((ratio / 1000))" "$((ratio % 1000))"
    # beyond 2000 bodies a compliance is so uneven that its rank is found by eigenvalues, once: 100 000
    # instructions, 3.6 % at 5000; N log N would be 16 % more at 20000
    if [ "$ratio" -gt 1050 ] || [ "$ratio" -lt 900 ]; then
      echo "FAIL: $f does not grow linearly" >&2
      status=1
    fi
  done
done
exit $status
