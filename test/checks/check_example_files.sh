#!/usr/bin/env bash
# Every file in examples/ against the installed package: at most 80 lines, a first line that says what it shows,
# compiled without warnings, run, and right.
#
#   check_example_files.sh SOURCE BUILD
set -eu
source=$1 build=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "check_example_files: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$dir/mbdyn" > "$dir/install.log" || fail "$(tail -n 5 "$dir/install.log")"
lib=$(dirname "$(dirname "$(find "$dir/mbdyn" -name mbdyn.pc)")")
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
robots=$dir/mbdyn/share/mbdyn/config/robots mechanisms=$dir/mbdyn/share/mbdyn/config/mechanisms

files=0
for file in "$source"/examples/*; do
  name=$(basename "$file")
  case $name in
    README.md) continue ;;
    *.c | *.cpp) mark=// ;;
    *.py) mark='#' ;;
    *) fail "$name is neither C, C++ nor Python" ;;
  esac
  [ "$(wc -l < "$file")" -le 80 ] || fail "$name has more than 80 lines"
  head -n 1 "$file" | grep -q "^$mark [A-Z].*\.$" || fail "$name: the first line does not say what it shows"
  grep -q "($name)" "$source/examples/README.md" || fail "$name is not in README.md"
  files=$((files + 1))
done

read -ra flags < <(pkg-config --cflags --libs mbdyn mbdyn_control)
for file in "$source"/examples/*.c; do
  name=$(basename "$file" .c)
  [ "$name" != cortex_m7 ] || continue
  cc -std=c11 -Wall -Wextra -Werror "$file" -lmbdyn_simulation "${flags[@]}" -lm -o "$dir/$name" || fail "$name.c"
done
c++ -std=c++17 -Wall -Wextra -Werror "$source/examples/gravity.cpp" "${flags[@]}" -o "$dir/gravity_cpp" || fail gravity.cpp

runs=0
# run PATTERN PROGRAM ARGUMENT...: its output must have a line of this pattern
run() {
  local pattern=$1
  shift
  "$@" > "$dir/out" 2> "$dir/err" || fail "$*: $(cat "$dir/out" "$dir/err")"
  grep -qE "$pattern" "$dir/out" || fail "$*: no '$pattern' in $(cat "$dir/out")"
  runs=$((runs + 1))
}
gravity='^joint2 +-3\.4344 N m$'
run "$gravity" "$dir/gravity" "$robots/arm7.urdf"
run "$gravity" "$dir/gravity_cpp" "$robots/arm7.urdf"
run '^largest error [0-9.]+e-0[4-9] rad$' "$dir/computed_torque" "$robots/arm7.urdf"
run '^acceleration of the tool -?0\.000000 -?0\.000000 1\.000000 m/s\^2$' "$dir/operational_space" "$robots/arm7.urdf" tool
run '^condition ' "$dir/inverse_kinematics" "$robots/arm7.urdf" tool 0.4 0 0.5
run '^1000 states, 0 joints beyond their limits$' "$dir/batch" "$robots/arm7.urdf" 2
run '^1000 states, [1-7] joints beyond their limits$' "$dir/batch" "$robots/arm7.urdf" 0.1
run '^A is 14 x 14, B is 14 x 7$' "$dir/linear_model" "$robots/arm7.urdf"
run '^3 joints, 1 independent, 1 closures$' "$dir/closed_loop" "$robots/finger.urdf" "$robots/finger.loops.yaml"
run '^tool hangs down by 170\.93 mm$' "$dir/flexible_boom" "$robots/boom.urdf" "$robots/boom.flexible.yaml" tool
run '^loops open by [0-9.]+e-1[0-9] m;' "$dir/simulate_mechanism" "$mechanisms/quick_return.mechanism.yaml"
# every joint gives way by torque over stiffness, but for friction
run '^let go' "$dir/impedance" "$robots/arm7.urdf" tool
awk '/pushed/ { d = $3 - $6; if (d < 0) d = -d; if (d > 2e-4) bad = 1; if ($3 > 0.003) moved = 1 }
  END { exit bad || !moved }' "$dir/out" || fail "impedance: $(cat "$dir/out")"
"$dir/inverse_kinematics" "$robots/arm7.urdf" tool 4 0 0.5 > "$dir/out" && fail "a pose out of reach passes"
grep -q '^out of reach' "$dir/out" || fail "inverse_kinematics: $(cat "$dir/out")"
for program in gravity gravity_cpp inverse_kinematics batch linear_model; do
  "$dir/$program" > /dev/null 2>&1 && fail "$program without arguments passes"
done

if [ -d "$build/python/mbdyn" ] && /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
  export PYTHONPATH=$build/python
  run "$gravity" /usr/bin/python3 "$source/examples/gravity.py" "$robots/arm7.urdf"
  # a crank of 1.5 m and a rod of 2 m
  run '^[0-9]+ turns, from 0\.500000 to 3\.500000$' /usr/bin/python3 "$source/examples/simulate_mechanism.py" \
    "$mechanisms/slider_crank.mechanism.yaml" guide
  run '^reached 0\.400000 -?0\.000000 0\.500000 m in [0-9]+ steps$' /usr/bin/python3 "$source/examples/pin_ik.py" \
    "$robots/arm7.urdf" tool 0.4 0 0.5
  run '^after +0\.0[0-3][0-9]+ N m rms$' /usr/bin/python3 "$source/examples/identify.py" "$robots/arm7.urdf"
  if /usr/bin/python3 -c 'import pinocchio' 2> /dev/null; then
    sed 's/^from mbdyn import pin$/import pinocchio as pin/' "$source/examples/pin_ik.py" > "$dir/pin_ik.py"
    run '^reached 0\.400000 ' /usr/bin/python3 "$dir/pin_ik.py" "$robots/arm7.urdf" tool 0.4 0 0.5
  fi
fi

if command -v arm-none-eabi-gcc > /dev/null && command -v qemu-system-arm > /dev/null; then
  "$dir/mbdyn/bin/mbdyn" codegen "$robots/arm6.urdf" --output "$dir" --prefix robot --vectors 1 > /dev/null
  (cd "$dir" && arm-none-eabi-gcc -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16 -O2 -ffp-contract=fast \
    "$source/examples/cortex_m7.c" robot.c robot_selftest.c --specs=rdimon.specs -lm \
    -Wl,--section-start=.vectors=0 -o robot.elf)
  run '^ok +forward_dynamics' timeout 100 qemu-system-arm -machine mps2-an500 -nographic -semihosting -kernel "$dir/robot.elf"
fi
echo "$files examples, $runs runs"
