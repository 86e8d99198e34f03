#!/usr/bin/env bash
# Builds mbdyn and tests it. On a fresh Debian 12 it first installs what it needs with apt-get;
# afterwards it works offline. The last lines are the count and the tests that needed a second try.
set -u
cd "$(dirname "$0")"
. ./setup.sh

usage() {
  cat <<HELP
usage: ./test.sh [--all] [--fuzz SECONDS] [--help]

Without options, before every commit (about eight minutes on two cores):
  layout of the code, API reference and tables; one build; tests of core, URDF loader, tools,
  messages, control and recordings; the node in real processes on loopback; the core against MuJoCo,
  Pinocchio's results and samples of a real ROS 2; the core and all parsers under the address and
  undefined-behaviour sanitizers, on a tenth of the random robots, with every fuzzing corpus
  replayed; threads under the thread sanitizer.

  --all            all of that on all random robots, and: every kernel set, aarch64 (qemu), all tests
                   under the sanitizers, browser, demo, soak, floods, security, long recordings,
                   DART, KDL and Simbody, instruction counts, generated code, benchmark, ABI,
                   ament package, fuzzing (about an hour)
  --fuzz SECONDS   with --all: how long each fuzzer runs, from a new seed (default: 60 s from seed 1,
                   so that a run without changes finds nothing new)

MBDYN_TEST_ROBOTS (20%, or a count) sets how many random robots property tests use; the default is
100%, and 10% under the sanitizers without --all. ccache is used where it is installed.
HELP
}

all=no
fuzz_seconds=60
fuzz_seed=1
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=yes; shift ;;
    --fuzz) fuzz_seconds=${2:?--fuzz needs seconds}; fuzz_seed=0; all=yes; shift 2 ;;
    -h | --help) usage; exit 0 ;;
    *) echo "test.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
  esac
done

need "${build_packages[@]}" libcmocka-dev libmujoco-dev clang-format nodejs zstd \
  python3-dev python3-numpy || exit 1
if [ "$all" = yes ]; then
  need liborocos-kdl-dev libdart-dev libdart-utils-urdf-dev libsimbody-dev libsundials-dev libopenmpi-dev openmpi-bin \
    clang libclang-rt-14-dev valgrind ament-cmake abigail-tools \
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user gcc-arm-none-eabi qemu-system-arm \
    cyclonedds-tools iproute2 libfastrtps-dev openssl tmux \
    chromium chromium-driver \
    python3-venv python3-pip python3-matplotlib python3-nbconvert python3-ipykernel python3-pykdl mypy || exit 1
fi

passed=0
failed=0
skipped=0
again=()
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

launcher=()
if command -v ccache > /dev/null; then
  launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

# configure DIR CMAKE_OPTION...: of $source, or of this folder; prints the log on failure
configure() {
  local dir=$1
  shift
  mkdir -p "$dir"
  cmake -S "${source:-.}" -B "$dir" -G Ninja -DMBDYN_WERROR=ON "${launcher[@]}" "$@" \
    > "$dir/configure.log" 2>&1 || { cat "$dir/configure.log"; return 1; }
}

# compile DIR [TARGET...]: prints the log on failure
compile() {
  local dir=$1
  shift
  cmake --build "$dir" -j "$jobs" ${*:+--target "$@"} > "$dir/build.log" 2>&1 ||
    { cat "$dir/build.log"; return 1; }
}

# name_tests LOG: from ctest's numbers on standard input to names
name_tests() {
  local test
  while read -r test; do
    sed -nE "s/.*Test +#$test: ([a-z0-9_]+) .*/\1/p" "$1" | tail -n 1
  done
}

# run_ctest DIR CTEST_OPTION...: every cmocka test counts as one, a script as one
run_ctest() {
  local dir=$1 log status=0
  shift
  log=$dir/ctest.log
  local run=(ctest --test-dir "$dir" -V)
  "${run[@]}" "$@" -LE "^(system|$left_out)$" -j "$jobs" > "$log" 2>&1 || status=$?
  # a busy machine can spoil a test of processes that talk to each other: those get a second try, one
  # at a time, and the last line of all names them
  "${run[@]}" "$@" -L '^system$' -LE '^slow$' -j "$((2 * jobs))" >> "$log" 2>&1 ||
    "${run[@]}" --rerun-failed >> "$log" 2>&1 || status=$?
  if [ "$left_out" != slow ]; then
    "${run[@]}" "$@" -L '^system$' -L '^slow$' -j "$jobs" >> "$log" 2>&1 ||
      "${run[@]}" --rerun-failed >> "$log" 2>&1 || status=$?
  fi
  local good scripts wrong test
  good=$(grep -cE '^[0-9]+: \[ +OK +\]' "$log")
  scripts=$(grep -cE 'Test +#[0-9]+: (check|replay)_.*Passed' "$log")
  passed=$((passed + good + scripts))
  skipped=$((skipped + $(grep -cE '^[0-9]+: \[ +SKIPPED +\] [A-Za-z_]+ *$|\*\*\*Skipped' "$log")))
  grep -E 'skip|SKIPPED|Passed' "$log" | sed 's/^[0-9]*: //' | sort -u
  # numbers of the tests that did not pass the last time they ran
  mapfile -t wrong < <(grep -E ' Test +#[0-9]+: ' "$log" | sed -E 's/.* Test +#([0-9]+): /\1 /' |
    awk '/Passed|\*\*\*Skipped/ { bad[$1] = 0 } /\*\*\*/ && !/\*\*\*Skipped/ { bad[$1] = 1 }
      END { for (test in bad) if (bad[test]) print test }' | sort -n)
  for test in "${wrong[@]}"; do
    echo "FAILED: $(echo "$test" | name_tests "$log"); the end of what it printed (all: $log):"
    grep "^$test: " "$log" | tail -n 100
  done
  failed=$((failed + ${#wrong[@]} + (status != 0 && ${#wrong[@]} == 0)))
  # second tries of ctest's, and of tests that saw the machine stall and began again
  mapfile -t -O "${#again[@]}" again < <(sed -nE \
    -e 's/.*Test +#([0-9]+): [a-z0-9_]+ .*\*\*\*(Failed|Exception|Timeout).*/\1/p' \
    -e 's/^([0-9]+): .*(once more|too busy).*/\1/p' "$log" | sort -un |
    grep -vxF "$(printf '%s\n' none "${wrong[@]}")" | name_tests "$log")
}

# programs_of DIR CTEST_OPTION...: the tests' programs, which have their names
programs_of() {
  ctest --test-dir "$1" -N "${@:2}" -LE "^$left_out$" | sed -n 's/^ *Test *#[0-9]*: \(\(test\|replay\)_[a-z0-9_]*\)$/\1/p'
}

# sanitize NAME SANITIZERS CTEST_OPTION...: builds and runs these tests, or all without an option
sanitize() {
  local dir=build-$1 options=(-DMBDYN_SANITIZE="$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo) programs=()
  shift 2
  ok "configure" configure "$dir" "${options[@]}" -DMBDYN_KERNELS=$sanitized_kernels
  [ $# -eq 0 ] || mapfile -t programs < <(programs_of "$dir" "$@")
  ok "build" compile "$dir" "${programs[@]}"
  [ $sanitized_kernels -ne 1 ] || export MBDYN_TEST_KERNELS=baseline
  run_ctest "$dir" "$@"
  unset MBDYN_TEST_KERNELS
}

fuzz() { # NAME [OPTION...]: any finding fails
  local name=$1 work status
  shift
  work=$(mktemp -d)
  build-fuzz/test/fuzz/fuzz_"$name" -seed=$fuzz_seed -max_total_time="$fuzz_seconds" -timeout=10 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="$work/" "$@" "$work" \
    test/fuzz/corpus_"$name" > "$work.log" 2>&1
  status=$?
  echo "fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work.log") runs"
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
  configure build-ament -DBUILD_TESTING=OFF -DPython3_EXECUTABLE=/usr/bin/python3 &&
    compile build-ament &&
    cmake --install build-ament --prefix build-ament/prefix > build-ament/install.log &&
    build-ament/prefix/lib/mbdyn/mbdyn --version &&
    [ -e build-ament/prefix/share/ament_index/resource_index/packages/mbdyn ] &&
    [ -e build-ament/prefix/share/mbdyn/cmake/mbdynConfig.cmake ]
  local status=$?
  unset AMENT_PREFIX_PATH
  return $status
}

# the whole thing, or what is tested before every commit
if [ "$all" = yes ]; then
  peers=ON bench=ON sanitized_kernels=0 robots=${MBDYN_TEST_ROBOTS:-100%} left_out=none
  address=()
  thread=(-R 'thread|urdf|test_(pubsub|graph|wait|service|discovery|pair|mailbox|statistics|lifecycle|process|spinner|kernels|batch|divide|node_(action|outputs|parameters|services|floods|soak))')
else
  peers=mujoco bench=OFF sanitized_kernels=1 robots=${MBDYN_TEST_ROBOTS:-10%} left_out=slow
  address=(-L '^(core|urdf|wire|cdr|bag|fuzz|library)$' -R '^(test|replay)_')
  thread=(-R '^test_(mailbox|threads|library_threads|batch)$')
fi

section "layout of the code, API reference"
ok "every source file is formatted" format
ok "docs/api says what the headers say" docs/make_api.py --check

section "build"
ok "configure" configure build-test -DMBDYN_PEERS=$peers -DMBDYN_BENCH=$bench
ok "build" compile build-test

section "tests"
run_ctest build-test

section "address and undefined-behaviour sanitizers"
MBDYN_TEST_ROBOTS=$robots sanitize asan address,undefined "${address[@]}"

section "thread sanitizer"
TSAN_OPTIONS="suppressions=$PWD/test/tsan.supp" MBDYN_TEST_ROBOTS=$robots \
  sanitize tsan thread "${thread[@]}"

if [ "$all" = yes ]; then
  section "ABI"
  ok "libraries have the recorded ABI" test/checks/check_abi.sh

  section "as an ament package"
  ok "build, install and find it" ament

  section "the core on aarch64 (qemu-user)"
  source=test/aarch64 ok "configure" configure build-aarch64
  ok "build" compile build-aarch64
  run_ctest build-aarch64

  section "fuzzing, $fuzz_seconds s each"
  ok "configure" configure build-fuzz -DMBDYN_FUZZ=ON -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
  ok "build" compile build-fuzz fuzz_{urdf,urdf_tree,mjcf,loops,mechanism,flexible,cdr,node_wire,mcap,db3}
  fuzz urdf -dict=test/fuzz/urdf.dict & first=$!
  ok "no finding in robots made up by the fuzzer" fuzz urdf_tree
  ok "no finding in URDF text" wait $first
  fuzz mjcf -dict=test/fuzz/mjcf.dict & first=$!
  ok "no finding in loops beside a URDF" fuzz loops
  ok "no finding in MJCF text" wait $first
  fuzz flexible & first=$!
  ok "no finding in mechanism files" fuzz mechanism
  ok "no finding in flexible links beside a URDF" wait $first
  fuzz node_wire -max_len=1024 & first=$!
  ok "no finding in samples of every message type" fuzz cdr -max_len=2048
  ok "no finding in what the control thread reads" wait $first
  fuzz mcap -max_len=16384 & first=$!
  ok "no finding in sqlite3 recordings" fuzz db3 -max_len=16384
  ok "no finding in MCAP recordings" wait $first
fi

printf '\n%d minutes %d seconds\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60))
echo "$passed passed, $failed failed, $skipped skipped"
if [ ${#again[@]} -gt 0 ]; then
  echo "${#again[@]} needed a second try or a quieter machine: ${again[*]}"
else
  echo "none needed a second try"
fi
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
