#!/bin/sh
# `mbdyn codegen` as a user has it: files of bundled robots compile without a warning as C99, need
# nothing but sine and cosine, agree with the library in the recorded states, and are the same
# every time. What cannot be generated is refused with a reason.
#   check_codegen.sh MBDYN SOURCE_DIRECTORY
set -eu
mbdyn=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict="-std=c99 -Wall -Wextra -pedantic -Werror"

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

# only_libm NM OBJECT: sine and cosine (gcc may join them) and nothing else
only_libm() {
  others=$("$1" -u "$2" | awk '{print $NF}' | grep -vE '^(sincos|sin|cos)f?$' || true)
  [ -z "$others" ] || fail "$2 needs" $others
}

# compile_and_run NAME MACRO FLOAT COUNT: self-tests of COUNT functions pass in double (0) or float (1)
compile_and_run() {
  d=$work/$1
  cc $strict -Wdouble-promotion -O1 -D"$2"_FLOAT="$3" -c "$d/$1.c" -o "$d/code.o"
  only_libm nm "$d/code.o"
  cc $strict -O1 -D"$2"_FLOAT="$3" "$d/$1_selftest.c" "$d/code.o" -lm -o "$d/selftest"
  "$d/selftest" > "$d/out" || { cat "$d/out" >&2; fail "$1, FLOAT=$3: self-test"; }
  [ "$(grep -c '^ok ' "$d/out")" -eq "$4" ] || fail "$1, FLOAT=$3: not $4 functions checked"
}

# a cross compiler may come without its C library: sines are all that is needed of it
mkdir "$work/libm"
echo 'float sinf(float); float cosf(float); double sin(double); double cos(double);' \
  > "$work/libm/math.h"

# for_cortex NAME MACRO: as for a microcontroller with single precision
for_cortex() {
  arm-none-eabi-gcc $strict -idirafter "$work/libm" -mcpu=cortex-m7 -mthumb -mfpu=fpv5-sp-d16 -mfloat-abi=hard -O1 \
    -Wdouble-promotion -D"$2"_FLOAT=1 -c "$work/$1/$1.c" -o "$work/$1/m7.o"
  only_libm arm-none-eabi-nm "$work/$1/m7.o"
}

# check ROBOT MACRO FRAME OPTION...
check() {
  name=$1 macro=$2 frame=$3
  shift 3
  set -- "$source/config/robots/$name.urdf" --prefix "$name" --frame "$frame" "$@"
  "$mbdyn" codegen "$@" -o "$work/$name"
  "$mbdyn" codegen "$@" -o "$work/again"
  for file in "$name.h" "$name.c" "${name}_selftest.c"; do
    cmp "$work/$name/$file" "$work/again/$file" || fail "$file is not the same every time"
  done
  compile_and_run "$name" "$macro" 0 7
  compile_and_run "$name" "$macro" 1 7
  echo "$name: $(grep -c '^ok ' "$work/$name/out") functions agree in double and in float"
}

# a self-test that cannot fail would show nothing: change a sign in the code
selftest_notices() {
  d=$work/arm7
  line=$(awk '/^arm7_inverse_dynamics/ {on = 1} on && / \+ / {print NR; exit}' "$d/arm7.c")
  [ -n "$line" ] || fail "no addition to break in arm7.c"
  sed "${line}s/ + / - /" "$d/arm7.c" > "$d/broken.c"
  cc $strict -O1 "$d/broken.c" "$d/arm7_selftest.c" -lm -o "$d/broken"
  if "$d/broken" > "$d/out"; then fail "the self-test passes with a wrong sign in line $line"; fi
  grep -q inverse_dynamics "$d/out" || fail "the self-test does not say which function is wrong"
  echo "a wrong sign is noticed"
}

# refused WORD COMMAND...: exit code 2, and the reason has WORD in it
refused() {
  word=$1
  shift
  code=0
  "$mbdyn" codegen "$@" > /dev/null 2> "$work/error" || code=$?
  [ $code -eq 2 ] || fail "codegen $*: exit code $code"
  grep -q -e "$word" "$work/error" || { cat "$work/error" >&2; fail "no '$word' in the message"; }
}

planar_robot() {
  cat << 'URDF'
<robot name="puck">
  <link name="table"/>
  <link name="puck"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="glide" type="planar"><parent link="table"/><child link="puck"/>
    <axis xyz="0 0 1"/></joint>
</robot>
URDF
}

check arm7 ARM7 tool
check arm6 ARM6 tool
check hand HAND thumb_tip
check quadruped QUADRUPED rl_foot --base floating
check humanoid HUMANOID l_gripper --base floating
selftest_notices

planar_robot > "$work/puck.urdf"
arm7=$source/config/robots/arm7.urdf
refused "joint 'glide' is planar" "$work/puck.urdf" -o "$work/x"
refused "no such link" "$arm7" -o "$work/x" --frame tol
refused "need a --frame" "$arm7" -o "$work/x" --functions pose
refused "-o DIR" "$arm7"
refused "names separated by commas" "$arm7" -o "$work/x" --functions dynamics
refused "cannot be" "$arm7" -o "$work/no/such/place"
[ ! -e "$work/x" ] || fail "files of a robot that was refused"
echo "what cannot be generated is refused"
if command -v arm-none-eabi-gcc > /dev/null; then
  for_cortex arm7 ARM7
  for_cortex quadruped QUADRUPED
  echo "arm7 and quadruped compile for a Cortex-M7"
else
  echo "skipped: Cortex-M7 (install gcc-arm-none-eabi)"
fi
