#!/usr/bin/env bash
# Builds mbdyn and runs every check. On a fresh Debian 12 it first installs what it needs with
# apt-get; afterwards it works offline. The last line is the count.
set -u
cd "$(dirname "$0")"
. ./setup.sh

usage() {
  cat <<HELP
usage: ./test.sh [--quick] [--fuzz SECONDS] [--help]

  --quick          the plain build and its tests alone: no sanitizers, no fuzzing
  --fuzz SECONDS   how long each fuzzer runs, from a new seed (default: 60 s, from seed 1, so that
                   who changed nothing finds nothing new)
HELP
}

quick=no
fuzz_seconds=60
fuzz_seed=1
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=yes; shift ;;
    --fuzz) fuzz_seconds=${2:?--fuzz needs seconds}; fuzz_seed=0; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) echo "test.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
  esac
done

need "${build_packages[@]}" \
  libcmocka-dev libmujoco-dev liborocos-kdl-dev libdart-dev libdart-utils-urdf-dev libsimbody-dev \
  clang clang-format libclang-rt-14-dev valgrind ament-cmake nodejs zstd \
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user gcc-arm-none-eabi \
  cyclonedds-tools iproute2 libfastrtps-dev openssl tmux \
  chromium chromium-driver || exit 1

passed=0
failed=0
jobs=$(nproc)
started=$SECONDS

section() { printf '\n==== %s (%d s)\n' "$1" "$((SECONDS - started))"; }

# ok NAME COMMAND...: one check that counts as one test
ok() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok: $name"
  else
    failed=$((failed + 1))
    echo "FAILED: $name"
  fi
}

# build DIR CMAKE_OPTION...: configure and compile ($source, or here; $targets, or all); prints the
# log on failure
build() {
  local dir=$1
  shift
  mkdir -p "$dir"
  cmake -S "${source:-.}" -B "$dir" -G Ninja -DMBDYN_WERROR=ON "$@" > "$dir/build.log" 2>&1 &&
    cmake --build "$dir" -j "$jobs" ${targets:+--target $targets} >> "$dir/build.log" 2>&1 || { cat "$dir/build.log"; return 1; }
}

# run_ctest DIR CTEST_OPTION...: every cmocka test counts as one, a script as one
run_ctest() {
  local dir=$1 log status=0
  shift
  log=$dir/ctest.log
  # what a busy machine spoils may be tried once more; it is named, and what is wrong stays wrong
  local test=(ctest --test-dir "$dir" --output-on-failure -V --repeat until-pass:2 "$@")
  "${test[@]}" -LE '^waits$' -j "$jobs" > "$log" 2>&1 || status=$?
  # those that wait for other processes measure time: not beside those that compute
  "${test[@]}" -L '^waits$' -j "$jobs" >> "$log" 2>&1 || status=$?
  local good bad scripts
  good=$(grep -cE '^[0-9]+: \[ +OK +\]' "$log")
  bad=$(grep -cE '^[0-9]+: \[ +FAILED +\] [A-Za-z_]+ *$|Errors while running|\*\*\*(Failed|Exception|Timeout)' "$log")
  scripts=$(grep -cE 'Test +#[0-9]+: check_.*Passed' "$log")
  passed=$((passed + good + scripts))
  if [ $status -ne 0 ]; then
    failed=$((failed + (bad > 0 ? bad : 1)))
    cat "$log"
  else
    grep -E 'skip|SKIPPED|Passed' "$log" | sed 's/^[0-9]*: //' | sort -u
    grep -E '\*\*\*(Failed|Exception|Timeout)' "$log" | sed 's/^ */SECOND TRY: /'
  fi
}

# tests_of DIR REGEX: names of tests, which are those of their programs
tests_of() {
  ctest --test-dir "$1" -N -R "$2" | sed -n 's/^ *Test *#[0-9]*: \(test_[a-z0-9_]*\)$/\1/p' | tr '\n' ' '
}

fuzz() { # PROGRAM [OPTION...] [CORPUS]: any finding fails
  local program=$1 work status
  shift
  work=$(mktemp -d)
  "$program" -seed=$fuzz_seed -max_total_time="$fuzz_seconds" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$work/" "$work" "$@" > "$work.log" 2>&1
  status=$?
  echo "$(basename "$program"): $(sed -n 's/^stat::number_of_executed_units: *//p' "$work.log") runs"
  [ $status -eq 0 ] || tail -n 60 "$work.log"
  rm -rf "$work" "$work.log"
  return $status
}

format() {
  git ls-files '*.c' '*.h' '*.cpp' 2> /dev/null | xargs -r clang-format --dry-run -Werror
}

# what colcon does with a ROS 2 sourced, by Debian's ament_cmake
ament() {
  export AMENT_PREFIX_PATH=/usr
  build build-ament -DBUILD_TESTING=OFF -DPython3_EXECUTABLE=/usr/bin/python3 &&
    cmake --install build-ament --prefix build-ament/prefix > build-ament/install.log &&
    build-ament/prefix/lib/mbdyn/mbdyn --version &&
    [ -e build-ament/prefix/share/ament_index/resource_index/packages/mbdyn ] &&
    [ -e build-ament/prefix/share/mbdyn/cmake/mbdynConfig.cmake ]
  local status=$?
  unset AMENT_PREFIX_PATH
  return $status
}

section "layout of the code (clang-format)"
ok "every source file is formatted" format

section "API reference (docs/api)"
ok "it says what the headers say" docs/make_api.sh --check

section "plain build, peers, benchmark, all tests"
ok "build" build build-test -DMBDYN_PEERS=ON -DMBDYN_BENCH=ON
run_ctest build-test

section "as an ament package"
ok "build, install and find it" ament

if [ "$quick" = no ]; then
  section "address and undefined-behaviour sanitizers, all tests"
  ok "build" build build-asan -DMBDYN_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo
  # the page is a browser's work, and a browser takes its time
  run_ctest build-asan -E '^test_page$'

  section "the core on aarch64 (qemu-user)"
  source=test/aarch64 ok "build" build build-aarch64
  run_ctest build-aarch64

  section "thread sanitizer"
  # the node with all that runs at once; what it does in time is tested where it is not slowed down
  together='thread|urdf|test_(pubsub|graph|wait|service|discovery|pair|mailbox|statistics|lifecycle|process|spinner|kernels|batch|divide|node_(outputs|parameters|services|floods|soak))'
  tsan=(build build-tsan -DMBDYN_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo)
  targets=mbdyn_core ok "configure" "${tsan[@]}"
  targets=$(tests_of build-tsan "$together") ok "build" "${tsan[@]}"
  TSAN_OPTIONS="suppressions=$PWD/test/tsan.supp" run_ctest build-tsan -R "$together"

  section "fuzzing, $fuzz_seconds s each"
  targets="fuzz_urdf fuzz_loops fuzz_flexible fuzz_urdf_tree fuzz_cdr fuzz_node_wire fuzz_mcap fuzz_db3" ok "build" build build-fuzz -DMBDYN_FUZZ=ON \
    -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
  fuzz build-fuzz/test/fuzz/fuzz_urdf -dict=test/fuzz/urdf.dict test/fuzz/corpus_urdf &
  bytes=$!
  ok "no finding in robots made up by the fuzzer" fuzz build-fuzz/test/fuzz/fuzz_urdf_tree
  ok "no finding in URDF text" wait $bytes
  fuzz build-fuzz/test/fuzz/fuzz_flexible test/fuzz/corpus_flexible &
  flexible=$!
  ok "no finding in loops beside a URDF" fuzz build-fuzz/test/fuzz/fuzz_loops test/fuzz/corpus_loops
  ok "no finding in links that bend beside a URDF" wait $flexible
  fuzz build-fuzz/test/fuzz/fuzz_node_wire -max_len=1024 &
  wire=$!
  ok "no finding in samples of every message type" fuzz build-fuzz/test/fuzz/fuzz_cdr
  ok "no finding in what the control thread reads" wait $wire
  fuzz build-fuzz/test/fuzz/fuzz_mcap -max_len=16384 test/fuzz/corpus_mcap &
  mcap=$!
  ok "no finding in sqlite3 recordings" fuzz build-fuzz/test/fuzz/fuzz_db3 -max_len=16384 test/fuzz/corpus_db3
  ok "no finding in MCAP recordings" wait $mcap
fi

printf '\n%d minutes %d seconds\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60))
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
