#!/bin/sh
# Instructions of forward dynamics of a humanoid-size tree (50 degrees of freedom) with four-bars on
# it: embedded, cut joints and the dense saddle system, against the same bodies without closures; and
# that embedding grows as the number of loops.
#   check_loop_cost.sh LOOP_COST_PROGRAM
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

count() { # method, loops: instructions; what the program says goes to $dir/said
  valgrind --tool=callgrind --callgrind-out-file="$dir/out" --toggle-collect=measured \
    "$program" "$1" "$2" > "$dir/said" 2> "$dir/log" || { cat "$dir/said" "$dir/log" >&2; exit 1; }
  sed -n 's/^.*Collected : \([0-9]*\).*/\1/p' "$dir/log"
}

status=0
tree=$(count tree 4)
printf '%-10s %6s %14s %12s\n' method loops instructions 'of the tree'
for method in tree engine embedded cut kkt; do
  ir=$(count $method 4)
  said=$(sed 's/.*base //' "$dir/said")
  printf '%-10s %6d %14d %9d.%02d\n' $method 4 "$ir" $((ir / tree)) $((ir * 100 / tree % 100))
  case $method in
    embedded) embedded=$ir base=$said ;;
    cut | kkt)
      # the same accelerations, to the digits that are printed but one
      [ "$(printf %.7g "$said")" = "$(printf %.7g "$base")" ] ||
        { echo "FAIL: $method gives $said, embedding $base" >&2; status=1; }
      ;;
  esac
  if [ $method = kkt ] && [ "$ir" -le "$embedded" ]; then
    echo "FAIL: embedding costs more than the dense system" >&2
    status=1
  fi
done

before= first=
for loops in 8 16 32 64; do
  ir=$(count embedded $loops)
  if [ -n "$before" ]; then
    each=$(((ir - before) / (loops / 2)))
    [ -n "$first" ] || first=$each
    printf '%-10s %6d %14d   each more loop %d\n' embedded $loops "$ir" $each
    if [ $((each * 100)) -gt $((first * 105)) ]; then
      echo "FAIL: embedding does not grow as the number of loops" >&2
      status=1
    fi
  else
    printf '%-10s %6d %14d\n' embedded $loops "$ir"
  fi
  before=$ir
done
exit $status
