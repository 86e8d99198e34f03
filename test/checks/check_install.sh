#!/bin/sh
# Install to two prefixes and move one of them; then, in each and as a stranger would: the programs,
# the README's C example by pkg-config, and the same by find_package.
#   check_install.sh BUILD_DIR SOURCE_DIR PROGRAM...
set -eu
build=$1
source=$2
shift 2
programs=$*
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# nothing but the installed files themselves may say where the libraries are
unset LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
robot=$source/config/robots/arm7.urdf

fail() { echo "FAIL: $*" >&2; exit 1; }
quietly() { "$@" > "$dir/log" 2>&1 || { cat "$dir/log" >&2; fail "$*"; }; }

# the first C block of the README is a whole program
awk '/^```c$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" > "$dir/example.c"
[ "$(wc -l < "$dir/example.c")" -ge 10 ] || fail "no C example in README.md"
mkdir "$dir/consumer"
cat > "$dir/consumer/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(mbdyn REQUIRED)
add_executable(example ../example.c)
target_link_libraries(example mbdyn::mbdyn_urdf)
CMAKE

# try_prefix NAME: everything that is there, and nothing of another prefix
try_prefix() {
  prefix=$dir/$1
  work=$dir/work_$1
  mkdir "$work"
  for program in $programs; do
    quietly "$prefix/bin/$program" --help
    echo "$1: $program --help"
  done
  echo '{"states": [{"q": {"joint2": 0.5}}]}' | "$prefix/bin/mbdyn" eval "$robot" > "$work/eval.json"

  config=$(find "$prefix" -name mbdyn.pc)
  PKG_CONFIG_PATH=$(dirname "$config")
  export PKG_CONFIG_PATH
  flags=$(pkg-config --cflags --libs mbdyn)
  lib=$(pkg-config --variable=libdir mbdyn)
  [ "$(realpath "$lib")" = "$(realpath "$(dirname "$config")/..")" ] || fail "$1: mbdyn.pc says $lib"
  # shellcheck disable=SC2086
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$dir/example.c" -o "$work/by_pkgconfig" $flags \
    "-Wl,-rpath,$lib"
  quietly cmake -S "$dir/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix"
  quietly cmake --build "$work/consumer"
  for program in "$work/by_pkgconfig" "$work/consumer/example"; do
    ldd "$program" | grep mbdyn_ > "$work/libraries"
    ! grep -v "$prefix/" "$work/libraries" || fail "$1: $program has the libraries above"
  done

  # both print the gravity torques of the arm
  "$work/by_pkgconfig" "$robot" > "$work/one"
  "$work/consumer/example" "$robot" > "$work/two"
  cmp "$work/one" "$work/two"
  n=$(grep -c 'N m' "$work/one")
  [ "$n" -eq 7 ] || fail "$1: the example printed $n torques"
  echo "$1: $n torques by pkg-config and by find_package"
}

quietly cmake --install "$build" --prefix "$dir/first"
quietly cmake --install "$build" --prefix "$dir/second"
try_prefix second
mv "$dir/second" "$dir/moved"
try_prefix moved
rm -r "$dir/moved"
try_prefix first

# the README's own commands, the first shell block after its example
mkdir "$dir/home" "$dir/readme"
ln -s "$(realpath "$build")" "$dir/readme/build"
cp "$dir/example.c" "$dir/readme"
mkdir -p "$dir/readme/config/robots"
cp "$robot" "$dir/readme/config/robots/arm7.urdf"
awk '/^```c$/ {c = 1} c && /^```sh$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" \
  > "$dir/readme/commands"
grep -q pkg-config "$dir/readme/commands" || fail "README.md does not say how to compile its example"
(cd "$dir/readme" && HOME=$dir/home quietly sh -e ./commands)
grep 'N m' "$dir/log" | cmp - "$dir/work_first/one" || fail "README.md: its commands give another result"
echo "README.md: its commands do what they say"
