#!/bin/sh
# The API reference, one page per public header, from the comments of the headers themselves.
#   make_api.sh          write docs/api
#   make_api.sh --check  fail if docs/api is not what the headers say
set -eu
cd "$(dirname "$0")/.."
out=docs/api
if [ "${1:-}" = --check ]; then
  out=$(mktemp -d)
  trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"

page() { # HEADER: Markdown of its comments and declarations
  awk '
    function flush_doc() { doc = ""; indent = 0 }
    function text(line) {
      sub(/^ *\/\/\/?<? ?/, "", line)
      if (line ~ /^\\param/) {
        direction = ""
        if (match(line, /\[[a-z,]*\]/)) direction = substr(line, RSTART + 1, RLENGTH - 2)
        sub(/^\\param(\[[a-z,]*\])? */, "", line)
        match(line, /^[^ ]+(, [^ ]+)*  */)
        name = substr(line, 1, RLENGTH); sub(/ +$/, "", name)
        return "- `" name "`" (direction == "" ? "" : " (" direction ")") ": " substr(line, RLENGTH + 1)
      }
      if (line ~ /^\\return/) { sub(/^\\return /, "", line); return "\nReturns " line }
      if (line ~ /^\\file/) return ""
      # what is indented in a comment is an equation or a table
      if (line ~ /^   *[^ ]/ && doc !~ /(^|\n)- `[^\n]*$/ && doc !~ /\nReturns [^\n]*$/) return "    " line
      sub(/^ +/, "  ", line)
      return line
    }
    function emit(declaration, name) {
      if (match(declaration, /mbd[ux]?_[a-z0-9_]+ *\(/)) {
        name = substr(declaration, RSTART, RLENGTH); sub(/ *\($/, "", name)
      } else if (match(declaration, /} *mbd[ux]?_[a-z0-9_]+;/)) {
        name = substr(declaration, RSTART, RLENGTH); gsub(/[} ;]/, "", name)
      } else if (match(declaration, /#define +[A-Z_0-9]+/)) {
        name = substr(declaration, RSTART + 8, RLENGTH - 8)
      } else return
      gsub(/(MBD_PUBLIC|MBD_WARN_UNUSED|static inline)[ \n]/, "", declaration)
      printf "\n## %s\n\n", name
      if (doc != "") printf "%s\n\n", doc
      printf "```c\n%s\n```\n", declaration
    }
    /^\/\/\/ \\file/ { in_file = 1; print "# " $3; next }
    in_file && /^\/\/\// { line = $0; sub(/^\/\/\/ ?/, "", line); if (line ~ /^  /) line = "    " line; print line; next }
    in_file { in_file = 0 }
    /^\/\/----/ { next }
    /^\/\// { line = text($0); doc = doc (doc == "" ? "" : "\n") line; next }
    /^ *$/ { if (!collecting) flush_doc(); else declaration = declaration "\n"; next }
    /^#(ifdef|ifndef|endif|include|if|else|undef|define MBDYN__)/ { flush_doc(); next }
    /^extern "C"|^}$|^#endif/ && !collecting { flush_doc(); next }
    {
      if (!collecting) { declaration = $0; collecting = 1; depth = 0; inline = ($0 ~ /^static inline/) }
      else declaration = declaration "\n" $0
      line = $0
      opened = gsub(/{/, "{", line); closed = gsub(/}/, "}", line)
      if (inline && opened > 0) {
        sub(/\n?{[^\n]*$/, ";", declaration); sub(/ *{$/, ";", declaration)
        emit(declaration); flush_doc(); collecting = 0; skipping = 1; depth = opened - closed; inline = 0
        # leave the body out
        while (depth > 0 && (getline body) > 0) {
          b = body; depth += gsub(/{/, "{", b); c = body; depth -= gsub(/}/, "}", c)
        }
        next
      }
      depth += opened - closed
      ends = (depth <= 0 && $0 ~ /;( *\/\/.*)?$/) || (declaration ~ /^#define/ && $0 !~ /\\$/)
      if (ends) { emit(declaration); flush_doc(); collecting = 0 }
    }
  ' "$1" | cat -s
}

{
  echo "# API reference"
  echo
  echo "One page per public header, made from the headers by \`docs/make_api.sh\`."
  echo
} > "$out/README.md"
group() { # HEADING HEADER...: a page of each header, and its line in the index
  printf '## %s\n\n' "$1" >> "$out/README.md"
  shift
  for header in "$@"; do
    name=$(basename "$header" .h)
    page "$header" > "$out/$name.md"
    about=$(sed -n '2s|^/// ||p' "$header")
    echo "- [${header#mbdyn_core/include/mbdyn/}]($name.md): $about" >> "$out/README.md"
  done
  echo >> "$out/README.md"
}
include=mbdyn_core/include/mbdyn
everyday=
for header in $include/*.h; do
  case $(basename "$header" .h) in
    mbdyn | visibility | constraints | dynamics | flexible | operators) ;;
    *) everyday="$everyday $header" ;;
  esac
done
group "mbdyn.h and urdf.h: what most programs need" $everyday
for folder in dynamics constraints flexible operators; do
  group "$folder.h" $include/$folder/*.h
done

if [ "$out" != docs/api ]; then
  diff -r "$out" docs/api || { echo "docs/api is out of date: run docs/make_api.sh" >&2; exit 1; }
  # every function that a header declares has a page of its own kind: a heading and words under it
  undocumented=$(for f in "$out"/*.md; do
    awk -v f="$(basename "$f")" '/^## / {name = $2; words = 0; next} /^```c/ {if (name ~ /^mbdx?_/ && name !~ /_t$/ && !words) print f ": " name; name = ""} NF {words = 1}' "$f"
  done)
  [ -z "$undocumented" ] || { echo "without a word of documentation: $undocumented" >&2; exit 1; }
fi
