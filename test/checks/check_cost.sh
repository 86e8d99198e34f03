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

# check_step STEP BEFORE N TIPS: fails if a further body costs a fifth more than it did before
check_step() {
  [ "$1" -le $(($2 * 12 / 10)) ] && return 0
  echo "check_cost: $4 frames: $1 instructions for each further body at N = $3, $2 before:" \
    "more than linear" >&2
  return 1
}

# All go by kernel; beyond 200 bodies growth is looked at against that of 500.
status=0
printf '%6s %8s %14s %14s %10s %16s\n' frames N ours textbook 'ratio' 'ours per body'
for tips in 1 2 4; do
  last_n=0
  last=0
  first_step=
  for n in 7 50 100 200 500 1000; do
    # seven hinges and a free joint cannot give four frames all their freedom
    if [ "$n" -eq 7 ] && [ "$tips" -eq 4 ]; then
      continue
    fi
    set -- $(count "$n" "$tips")
    printf '%6d %8d %14d %14d %7d.%01d %16d\n' "$tips" "$n" "$1" "$2" \
      "$(($2 / $1))" "$(($2 * 10 / $1 % 10))" "$(($1 / n))"
    step=$((last_n > 0 ? ($1 - last) / (n - last_n) : 0))
    case $n in
      100) first_step=$step ;;
      200) check_step "$step" "$first_step" "$n" "$tips" || status=1 ;;
      500) first_step=$(($1 / n)) ;;
      # with four tips 500 bodies are not that deep yet
      1000) [ "$tips" -eq 4 ] || check_step "$step" "$first_step" "$n" "$tips" || status=1 ;;
    esac
    last_n=$n
    last=$1
  done
done
exit $status
