#!/bin/sh
# Install to a temporary prefix; then, as a stranger would: the README's C example by pkg-config,
# the same by find_package, and the command line.
#   check_install.sh BUILD_DIR SOURCE_DIR
set -eu
build=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cmake --install "$build" --prefix "$dir/prefix" > "$dir/log" || { cat "$dir/log" >&2; exit 1; }

# the first C block of the README is a whole program
awk '/^```c$/ {on = 1; next} /^```$/ {if (on) exit} on' "$source/README.md" > "$dir/example.c"
[ "$(wc -l < "$dir/example.c")" -ge 10 ] || { echo "FAIL: no C example in README.md" >&2; exit 1; }

lib=$(dirname "$(find "$dir/prefix" -name 'libmbdyn_core.so' | head -n 1)")
export PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib"
flags=$(pkg-config --define-variable=prefix="$dir/prefix" --cflags --libs mbdyn)
# shellcheck disable=SC2086
"${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$dir/example.c" -o "$dir/by_pkgconfig" $flags
mkdir "$dir/consumer"
cp "$dir/example.c" "$dir/consumer/"
cat > "$dir/consumer/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(consumer C)
find_package(mbdyn REQUIRED)
add_executable(example example.c)
target_link_libraries(example mbdyn::mbdyn_urdf)
CMAKE
cmake -S "$dir/consumer" -B "$dir/consumer/build" -DCMAKE_PREFIX_PATH="$dir/prefix" > "$dir/log" 2>&1 &&
  cmake --build "$dir/consumer/build" >> "$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }

# both print the gravity torques that the command line computes
robot=$source/config/robots/arm7.urdf
"$dir/by_pkgconfig" "$robot" > "$dir/one"
"$dir/consumer/build/example" "$robot" > "$dir/two"
cmp "$dir/one" "$dir/two"
cat "$dir/one"
echo '{"states": [{"q": {"joint2": 0.5}}]}' | "$dir/prefix/bin/mbdyn" eval "$robot" > "$dir/eval.json"
n=$(grep -c . "$dir/one")
[ "$n" -ge 7 ] || { echo "FAIL: the example printed $n lines" >&2; exit 1; }
