#!/usr/bin/env bash
# The C programs of docs/c_api.md and docs/control.md compile without warnings, run, and print what they should.
#
#   check_examples.sh SOURCE BUILD [CC]
set -eu
source=$1 build=$2 cc=${3:-cc}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "check_examples: $*" >&2; exit 1; }

awk -v dir="$dir" '
  /^```c$/ { on = 1; file = dir "/" ++n ".c"; next }
  /^```$/ { on = 0 }
  on { print > file }' "$source/docs/c_api.md"
programs=$(find "$dir" -name '*.c' | wc -l)
[ "$programs" = 3 ] || fail "$programs programs in docs/c_api.md, 3 expected"

core=$build/mbdyn_core control=$build/mbdyn_ros/control
export LD_LIBRARY_PATH=$core:$core/urdf:$control${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
for i in 1 2 3; do
  "$cc" -std=c11 -Wall -Wextra -Werror -I"$source/mbdyn_core/include" "$dir/$i.c" \
    -L"$core" -L"$core/urdf" -lmbdyn_urdf -lmbdyn_core -lm -o "$dir/$i" || fail "program $i does not compile"
done

robot=$source/config/robots/arm7.urdf
"$dir/1" "$robot" flange > "$dir/out" || fail "program 1 does not run"
[ "$(grep -c 'bias .*M(k, k)' "$dir/out")" = 7 ] || fail "program 1: not a line for each joint"
grep -q 'flange is at .* m, rank [0-6]$' "$dir/out" || fail "program 1: no pose"
"$dir/1" "$robot" no_such_frame > /dev/null 2>&1 && fail "program 1: an unknown frame passes"

"$dir/2" "$robot" > "$dir/out" || fail "program 2 does not run"
grep -q '^1000 states' "$dir/out" || fail "program 2: $(cat "$dir/out")"

# the rod's own equation, qdd = -3/2 g/l sin q, in steps of 10 us
"$dir/3" > "$dir/out" || fail "program 3 does not run"
awk '
  function f(x) { return -1.5 * 9.81 * sin(x) }
  BEGIN {
    q = 1; v = 0; h = 1e-5
    for (i = 0; i < 100000; i++) {
      a1 = f(q); v2 = v + h / 2 * a1
      a2 = f(q + h / 2 * v); v3 = v + h / 2 * a2
      a3 = f(q + h / 2 * v2); v4 = v + h * a3
      a4 = f(q + h * v3)
      q += h / 6 * (v + 2 * v2 + 2 * v3 + v4); v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    }
    printf "after 1 s: %.6f rad, %.6f rad/s\n", q, v
  }' > "$dir/expected"
cp "$dir/out" "$dir/rod"
cmp "$dir/out" "$dir/expected" || fail "program 3: $(cat "$dir/out"), expected $(cat "$dir/expected")"

# gravity torques of the configuration in the program
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/docs/control.md" > "$dir/4.c"
"$cc" -std=c11 -Wall -Wextra -Werror -I"$source/mbdyn_core/include" "$dir/4.c" -L"$control" -L"$core" \
  -L"$core/urdf" -lmbdyn_control -lmbdyn_urdf -lmbdyn_core -lm -o "$dir/4" || fail "docs/control.md does not compile"
"$dir/4" "$robot" > "$dir/out" || fail "the program of docs/control.md does not run"
awk 'BEGIN { printf "{\"states\": [{\"q\": {" } { printf "%s\"%s\": %.1f", n ? ", " : "", $1, 0.1 * n++ }
  END { print "}}]}" }' "$dir/out" > "$dir/state.json"
"$build/mbdyn_tools/mbdyn" eval "$robot" < "$dir/state.json" | tr -d ' \n' |
  sed 's/.*"gravity":\[\([^]]*\)\].*/\1/' | tr ',' '\n' > "$dir/gravity"
awk '{ printf "%.4f\n", $2 }' "$dir/out" > "$dir/torques"
awk '{ printf "%.4f\n", $1 }' "$dir/gravity" > "$dir/expected"
[ "$(wc -l < "$dir/torques")" = 7 ] || fail "docs/control.md: not a torque for each joint"
cmp "$dir/torques" "$dir/expected" || fail "docs/control.md: not the gravity torques"
echo "4 programs of docs/c_api.md and docs/control.md compile and run; $(cat "$dir/rod")"
