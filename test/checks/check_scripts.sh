#!/usr/bin/env bash
# run.sh and setup.sh before anything is built: sentences for wrong usage, and how missing packages
# are installed, with stand-ins for dpkg-query, apt-get, id and sudo.
#   check_scripts.sh SOURCE_DIR
set -u
source=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
checks=0

fail() {
  echo "FAIL: $1" >&2
  exit 1
}

# refused TEXT ARGUMENT...: exit code 2 and one line with the text
refused() {
  local text=$1 code=0
  shift
  "$source/run.sh" "$@" > "$dir/out" 2> "$dir/err" || code=$?
  [ "$code" -eq 2 ] || fail "run.sh $*: exit code $code"
  grep -qF -- "$text" "$dir/err" || fail "run.sh $*: $(cat "$dir/err")"
  [ "$(wc -l < "$dir/err")" -eq 1 ] && [ ! -s "$dir/out" ] || fail "run.sh $*: more than a line"
  checks=$((checks + 1))
}

refused "--headless needs a number of seconds" --headless
refused "--headless needs a number of seconds" --headless --view
refused "--mode needs a mode" --mode
refused "--robot needs a URDF file" --robot
refused "--view-port needs a number" --view --view-port
refused "--mesh needs PACKAGE=DIR" --mesh
refused "--mesh 'x': expected PACKAGE=DIR" --mesh x
refused "unknown option '--hedless'" --hedless 5

#---------- packages ----------

# stand_in NAME < SCRIPT
stand_in() {
  { echo '#!/bin/sh'; cat; } > "$dir/bin/$1"
  chmod +x "$dir/bin/$1"
}

mkdir "$dir/bin"
for program in bash env grep cat; do ln -s "$(command -v $program)" "$dir/bin/$program"; done
stand_in dpkg-query <<'END'
for last; do :; done
[ "$last" = here ] && echo 'install ok installed'
END
stand_in id <<'END'
echo "${TEST_UID:-0}"
END
stand_in apt-get <<'END'
echo "$*" >> "$TEST_LOG"
case "$*" in
  update*) exit "${TEST_OFFLINE:-0}" ;;
  *--print-uris*) echo '0 upgraded, 3 newly installed, 0 to remove and 1 not upgraded.'
    echo 'Need to get 12.3 MB of archives.'
    echo 'After this operation, 45.6 MB of additional disk space will be used.' ;;
  install*) for k in 1 2 3; do echo "Get:$k http://somewhere p$k"; done
    for k in 1 2 3; do echo "Unpacking p$k (1) ..."; done
    echo 'Setting up p1 (1) ...'
    exit "${TEST_BROKEN:-0}" ;;
esac
END

# need_packages CODE NAME=VALUE...: need here one two
need_packages() {
  local wanted=$1 code=0
  shift
  : > "$dir/log"
  env -i PATH="$dir/bin" TEST_LOG="$dir/log" "$@" \
    bash -c ". $source/setup.sh; need here one two" > "$dir/out" 2> "$dir/err" || code=$?
  [ "$code" -eq "$wanted" ] || fail "need: exit code $code, not $wanted: $(cat "$dir/err")"
  checks=$((checks + 1))
}

says() {
  grep -qF -- "$2" "$dir/$1" || fail "no '$2' in $1: $(cat "$dir/$1")"
  checks=$((checks + 1))
}

need_packages 0
says out "installing 2 packages: one two"
says out "3 newly installed"
says out "Need to get 12.3 MB"
says out "45.6 MB of additional disk space"
says out "3 fetched, 3 unpacked, 1 set up"
grep -q 'install .* one two$' "$dir/log" || fail "apt-get was not called: $(cat "$dir/log")"
need_packages 3 TEST_BROKEN=3
need_packages 1 TEST_OFFLINE=1
says err "is this machine online?"
need_packages 1 TEST_UID=1000
says err "  apt-get update && apt-get install -y --no-install-recommends one two"
[ ! -s "$dir/log" ] || fail "apt-get was called without sudo"
echo "$checks checks"
