#!/usr/bin/env bash
# The README's tables of topics, services and parameters, from the programs themselves.
#
#   docs/make_tables.sh BUILD            write them
#   docs/make_tables.sh BUILD --check    say whether they are up to date (exit code 1 if not)
#
# Each stands between <!-- begin: PROGRAM --describe --> and <!-- end: PROGRAM --describe -->.
set -eu
build=$(cd "${1:?usage: docs/make_tables.sh BUILD [--check]}" && pwd)
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new" "$new.table"' EXIT
cp README.md "$new"
for program in mbdyn_node/mbdyn_node mbdyn_tools/sim/mbdyn_sim; do
  name=$(basename $program)
  grep -q "^<!-- begin: $name --describe -->$" README.md || { echo "README.md has no table of $name" >&2; exit 1; }
  "$build/$program" --describe > "$new.table"
  awk -v name="$name" -v table="$new.table" '
    $0 == "<!-- end: " name " --describe -->" { skip = 0 }
    !skip { print }
    $0 == "<!-- begin: " name " --describe -->" {
      skip = 1
      while ((getline line < table) > 0) print line
    }' "$new" > "$new.next"
  mv "$new.next" "$new"
done
if [ "${2:-}" = --check ]; then
  diff -u README.md "$new" || { echo "run docs/make_tables.sh BUILD" >&2; exit 1; }
else
  cat "$new" > README.md
fi
