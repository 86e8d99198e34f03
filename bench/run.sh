#!/usr/bin/env bash
# The whole benchmark with one command: installs what is missing (Debian packages), builds mbdyn and
# the plug-ins, and measures the bundled robots, robots with loops and chains of 10 to 10 000 bodies.
set -eu
cd "$(dirname "$0")/.."
. ./setup.sh

usage() {
  cat <<HELP
usage: bench/run.sh [--quick] [--callgrind] [--out DIR] [--plugins PATH]... [-DNAME=VALUE]...

Writes DIR/robots.{txt,md,json,svg} (derivatives and steps with contact handling among them), the same of
DIR/batches (single precision, 16 states), DIR/chains (of 100 to 5000 bodies) and DIR/cold (cold caches),
DIR/loops.txt, DIR/contact.txt, DIR/load.txt, DIR/simulate.txt, DIR/derivatives.txt, DIR/generated_ROBOT.txt and
DIR/growth.{txt,md,json,svg}, with --callgrind DIR/instructions.{txt,md,json,svg} as well.

  --quick          a tenth of the time, chains up to 1000 bodies
  --callgrind      count instructions per call too
  --out DIR        where to (default: build-bench/results)
  --plugins PATH   a plug-in of your own, or a folder of them, beside those built here
  -DNAME=VALUE     for cmake: where Pinocchio and RBDL are, see bench/README.md
HELP
}

seconds=0.2
longest=10000
callgrind=no
out=
extra=()
defines=()
while [ $# -gt 0 ]; do
  case $1 in
    --quick) seconds=0.02; longest=1000; shift ;;
    --callgrind) callgrind=yes; shift ;;
    --out) out=${2:?--out needs a folder}; shift 2 ;;
    --plugins) extra+=(--plugins "${2:?--plugins needs a path}"); shift 2 ;;
    -D*) defines+=("$1"); shift ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
  esac
done

need "${build_packages[@]}" libmujoco-dev liborocos-kdl-dev libdart-dev libdart-utils-urdf-dev \
  libeigen3-dev valgrind

build=build-bench
out=${out:-$build/results}
mkdir -p "$build" "$out"
echo "building ..."
cmake -S . -B $build -G Ninja -DMBDYN_BENCH=ON -DBUILD_TESTING=OFF "${defines[@]}" \
  > $build/build.log 2>&1 &&
  cmake --build $build --target bench bench_loops bench_contact bench_load bench_simulate bench_derivatives \
    mbdyn_cli >> $build/build.log 2>&1 ||
  { cat $build/build.log >&2; exit 1; }

# measure NAME OPTION...: tables on the terminal, everything in files
measure() {
  local name=$1
  shift
  "$build/bench/mbdyn_bench" --plugins $build/bench "${extra[@]}" --seconds $seconds \
    --json "$out/$name.json" --markdown "$out/$name.md" --svg "$out/$name.svg" "$@" |
    tee "$out/$name.txt"
  return "${PIPESTATUS[0]}"
}

status=0
measure robots || status=$?
measure batches --batch 16 --functions f32_id,f32_fd,f32_mass,f32_id_derivatives,f32_fd_derivatives || status=$?
chains=()
for n in 100 256 257 400 1000 2000 5000; do chains+=(--chain $n); done
measure chains --functions id,fd,mass,id_derivatives,fd_derivatives "${chains[@]}" || status=$?
measure cold --cold --functions fk,id,mass,fd,id_derivatives,fd_derivatives || status=$?
for name in loops contact load simulate derivatives; do
  "$build/bench/bench_$name" | tee "$out/$name.txt"
  [ "${PIPESTATUS[0]}" = 0 ] || status=1
done
for robot in fixed:arm7 floating:quadruped floating:humanoid; do
  bench/generated.sh $build "${robot%:*}" "config/robots/${robot#*:}.urdf" --seconds $seconds |
    tee "$out/generated_${robot#*:}.txt"
  [ "${PIPESTATUS[0]}" = 0 ] || status=1
done
measure growth --growth $longest || status=$?
[ $callgrind = no ] || measure instructions --callgrind || status=$?
echo
echo "files in $out"
exit $status
