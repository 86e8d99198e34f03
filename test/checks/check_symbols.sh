#!/bin/sh
# A shared library exports nothing but mbd_, mbdu_, mbdx_, mbdc_ and mbds_.
#   check_symbols.sh LIBRARY...
set -eu
for library in "$@"; do
  symbols=$(nm -D --defined-only "$library" | awk '{print $NF}' | sed 's/@.*//')
  [ -n "$symbols" ] || { echo "FAIL: $library exports nothing" >&2; exit 1; }
  if echo "$symbols" | grep -vE '^mbd[csux]?_' >&2; then
    echo "FAIL: $library exports the symbols above" >&2
    exit 1
  fi
  echo "$library: $(echo "$symbols" | wc -l) symbols, all ours"
done
