#!/bin/sh
# Time of generated code (`mbdyn codegen`) for one robot, beside the library: generates, compiles and measures.
#   bench/generated.sh BUILD_DIR fixed|floating ROBOT.urdf [OPTION OF mbdyn_bench]...
# CC and GENERATED_CFLAGS choose the compiler; GENERATED_OPTIONS are further options of codegen.
set -eu
[ $# -ge 3 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
build=$1 base=$2 robot=$3
shift 3
timing=$(cd "$(dirname "$0")/../mbdyn_util/timing" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/mbdyn_tools/mbdyn" codegen "$robot" --base "$base" --mimic independent --prefix generated -o "$work" \
  --functions inverse_dynamics,gravity,bias,mass_matrix,forward_dynamics ${GENERATED_OPTIONS:---vectors 4} \
  2> "$work/log" || { cat "$work/log" >&2; exit 2; }
# shellcheck disable=SC2086 # several words
${CC:-cc} -shared -fPIC -DNDEBUG -I"$work" -I"$timing" \
  ${GENERATED_CFLAGS:--O3 -march=x86-64-v3 -ffp-contract=fast -fno-tree-slp-vectorize} \
  "$(dirname "$0")/plugin_generated.c" "$work/generated.c" -o "$work/bench_generated.so" -lm
"$build/bench/mbdyn_bench" --plugins "$build/bench/bench_mbdyn.so" --plugins "$work/bench_generated.so" \
  "--$base" --robot "$robot" --functions id,gravity,bias,mass,fd "$@"
