#!/bin/sh
# `mbdyn eval` computes each state once: counts calls with callgrind.
#   check_eval_once.sh MBDYN SOURCE_DIR
set -eu
mbdyn=$1 robots=$2/config/robots
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# states, function, arguments: calls of the function are as many as states
expect() {
  states=$1 function=$2
  shift 2
  { printf '{"states": [{}'; for k in $(seq 2 "$states"); do printf ', {}'; done; echo ']}'; } |
    valgrind --tool=callgrind --callgrind-out-file="$dir/out" --compress-strings=no \
      --compress-pos=no "$mbdyn" eval "$@" --threads 1 > "$dir/said" 2> "$dir/log" ||
    { cat "$dir/log" >&2; exit 1; }
  # "calls=COUNT TARGET" follows the called function's "cfn=NAME"
  calls=$(awk -v f="cfn=$function" '$0 == f { ours = 1; next }
    ours && /^calls=/ { split(substr($0, 7), n, " "); sum += n[1]; ours = 0 }
    END { print sum + 0 }' "$dir/out")
  written=$(grep -c '"qdd"' "$dir/said")
  echo "$function: $calls calls for $states states, $written written"
  [ "$calls" -eq "$states" ] && [ "$written" -eq "$states" ] ||
    { echo "FAIL: $function is not called once for each state" >&2; exit 1; }
}

expect 600 eval_worker_compute "$robots/arm7.urdf" # more than a block
expect 5 eval_worker_compute "$robots/finger.urdf" --loops "$robots/finger.loops.yaml"
expect 5 mbd_flexible_frequencies "$robots/boom.urdf" --flexible "$robots/boom.flexible.yaml"
