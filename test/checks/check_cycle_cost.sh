#!/bin/sh
# Instructions of one step of the controller by kernels, against the general sweeps (MBDYN_SIMD=off):
# at most 0.55 of them (0.6 with the observer, whose general sweep is one as well), and the same
# numbers.
#   check_cycle_cost.sh CYCLE_COST_PROGRAM URDF
set -eu
program=$1
urdf=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

count() { # mode, on|off: instructions; the numbers go to $dir/on or $dir/off
  MBDYN_SIMD=$2 valgrind --tool=callgrind --callgrind-out-file="$dir/out" \
    --toggle-collect=measured "$program" "$1" "$urdf" > "$dir/$2" 2> "$dir/log" ||
    { cat "$dir/$2" "$dir/log" >&2; exit 1; }
  sed -n 's/^.*Collected : \([0-9]*\).*/\1/p' "$dir/log"
}

status=0
printf '%-28s %9s %9s\n' mode sweeps kernels
for mode in passive passive+observer gravity_compensation inverse_dynamics computed_torque \
  computed_torque+observer operational_space operational_space+observer quasi_velocity_damping \
  joint_impedance cartesian_impedance; do
  off=$(count $mode off)
  on=$(count $mode on)
  ratio=$((on * 1000 / off))
  printf '%-28s %9d %9d   %d.%03d\n' $mode "$off" "$on" $((ratio / 1000)) $((ratio % 1000))
  case $mode in *+observer) most=60 ;; *) most=55 ;; esac
  if [ $((on * 100)) -gt $((off * most)) ]; then
    echo "FAIL: $mode costs more than 0.$most of the general sweeps" >&2
    status=1
  fi
  paste "$dir/off" "$dir/on" | awk -v mode=$mode '
    # not-a-number differs from nothing in mawk: what is compared must look like a number
    { scale = $3 < 0 ? -$3 : $3; if (scale < 1) scale = 1
      d = ($3 - $6) / scale
      number = $3 ~ /^-?[0-9]/ && $6 ~ /^-?[0-9]/
      if ($1 != $4 || $2 != $5 || !number || d > 1e-12 || d < -1e-12) wrong++
      n++ }
    END { if (wrong || n < 20) { print "FAIL: " mode ": " wrong+0 " of " n+0 " numbers differ"; exit 1 } }
  ' >&2 || status=1
done
exit $status
