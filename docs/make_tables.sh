#!/usr/bin/env bash
# Tables of docs/reference.md: topics, services and parameters as the programs describe them, messages
# and services as their definitions are.
#
#   docs/make_tables.sh BUILD            write them
#   docs/make_tables.sh BUILD --check    compare; exit code 1 if the page is out of date
#
# Each table is between <!-- begin: NAME --> and <!-- end: NAME -->.
set -eu
build=$(cd "${1:?usage: docs/make_tables.sh BUILD [--check]}" && pwd)
cd "$(dirname "$0")/.."
page=docs/reference.md
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

definitions() {  # FOLDER: the files of an interface package, as they are
  for file in "$1"/*; do
    printf '\n### %s\n\n```text\n' "mbdyn/$1/$(basename "${file%.*}")"
    cat "$file"
    printf '```\n'
  done
  echo
}

"$build/mbdyn_node/mbdyn_node" --describe > "$dir/mbdyn_node"
# its headings are one level below the page's own
"$build/mbdyn_tools/sim/mbdyn_sim" --describe | sed 's/^## /### /' > "$dir/mbdyn_sim"
definitions msg > "$dir/msg"
definitions srv > "$dir/srv"

cp $page "$dir/page"
for name in mbdyn_node mbdyn_sim msg srv; do
  for mark in begin end; do
    grep -qx "<!-- $mark: $name -->" $page || { echo "$page has no '$mark: $name'" >&2; exit 1; }
  done
  awk -v name="$name" -v table="$dir/$name" '
    $0 == "<!-- end: " name " -->" { skip = 0 }
    !skip { print }
    $0 == "<!-- begin: " name " -->" {
      skip = 1
      while ((getline line < table) > 0) print line
    }' "$dir/page" > "$dir/next"
  mv "$dir/next" "$dir/page"
done
if [ "${2:-}" = --check ]; then
  diff -u $page "$dir/page" || { echo "run docs/make_tables.sh BUILD" >&2; exit 1; }
else
  cat "$dir/page" > $page
fi
