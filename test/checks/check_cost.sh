#!/bin/sh
# Instructions for the operational-space inertia of 1, 2 and 4 frames, against the textbook's
# (J M^-1 J^T)^-1 with a dense mass matrix: prints a table; ours must grow as N.
#   check_cost.sh OPSPACE_COST_PROGRAM
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# N, tips: instructions of `ours` and of `textbook`, one run for both
count() {
  rm -f "$dir"/out*
  valgrind --tool=callgrind --callgrind-out-file="$dir/out" --dump-instr=no \
    --zero-before=ours --dump-after=ours --zero-before=textbook --dump-after=textbook \
    "$program" "$1" "$2" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
  for f in ours textbook; do
    sed -n 's/^\(totals\|summary\): \([0-9]*\).*/\2/p' \
      "$(grep -l "dump-after=$f" "$dir"/out*)" | head -n 1
  done
}

status=0
printf '%6s %8s %14s %14s %10s %16s\n' frames N ours textbook 'ratio' 'ours per body'
for tips in 1 2 4; do
  last_n=0
  last=0
  first_step=
  for n in 7 50 100 1000; do
    # seven hinges and a free joint cannot give four frames all their freedom
    if [ "$n" -eq 7 ] && [ "$tips" -eq 4 ]; then
      continue
    fi
    set -- $(count "$n" "$tips")
    printf '%6d %8d %14d %14d %7d.%01d %16d\n' "$tips" "$n" "$1" "$2" \
      "$(($2 / $1))" "$(($2 * 10 / $1 % 10))" "$(($1 / n))"
    # instructions for each further body, from 50 to 100 and from 100 to 1000
    if [ "$n" -gt 50 ]; then
      step=$((($1 - last) / (n - last_n)))
      [ -n "$first_step" ] || first_step=$step
      if [ "$step" -gt $((first_step * 12 / 10)) ]; then
        echo "check_cost: $tips frames: $step instructions for each further body at N = $n," \
          "$first_step before: more than linear" >&2
        status=1
      fi
    fi
    last_n=$n
    last=$1
  done
done
exit $status
