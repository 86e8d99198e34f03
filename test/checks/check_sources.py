#!/usr/bin/env python3
"""Every source file is part of a build, and one that is missing breaks it.

  check_sources.py SOURCE_DIR

CMake files may not look for a source before they name it (if(EXISTS ...), file(GLOB ...)): a file
that got lost would be left out in silence. And each source file has to be named in one. Outside the
core and its tests nobody reads the stages of a workspace: they are deferred, and a bit says little.
"""
import re
import sys
from pathlib import Path

PARTS = [
    "bench", "mbdyn_core", "mbdyn_node", "mbdyn_ros", "mbdyn_tools", "mbdyn_util", "python",
    "ros2_standalone", "test"]
# what CMake may look for: message definitions (one file each, and the code that uses them breaks), headers
# that something generated depends on
GLOBS = {"msg", "srv", "action", "h"}


def cmake_files(root):
    files = [root / "CMakeLists.txt", *root.glob("*.cmake")]
    for part in PARTS:
        files += [*(root / part).rglob("CMakeLists.txt"), *(root / part).rglob("*.cmake")]
    return files


def without_comments(path):
    return re.sub(r"#.*", "", path.read_text())


def globs_of_sources(text):
    for call in re.findall(r"file\s*\(\s*GLOB(?:_RECURSE)?\b([^)]*)\)", text, re.I):
        if any(end not in GLOBS for end in re.findall(r"\*\.(\w+)", call)) or "*." not in call:
            yield " ".join(call.split())


def names_in(text):
    """Names of source files in a CMake text; test_${part}.c stands for every word in it."""
    names = set(re.findall(r"[\w.+-]+\.(?:c|cpp)\b", text))
    words = set(re.findall(r"[\w-]+", text))
    for before, after in re.findall(r"(\w*)\$\{\w+\}(\w*\.(?:c|cpp)\b)", text):
        names |= {before + word + after for word in words}
    return names


def readers_of_stages(root):
    for part in PARTS:
        for path in sorted(p for p in (root / part).rglob("*") if p.suffix in (".c", ".h", ".cpp")):
            if path.is_relative_to(root / "mbdyn_core") or path.is_relative_to(root / "test/core"):
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if re.search(r"\bMBD_STAGE_\w+|\bdata->stage\b", line):
                    yield f"{path.relative_to(root)}:{number}: reads the stage of a workspace"


def main():
    root = Path(sys.argv[1])
    wrong, checked = [], 0
    texts = {path: without_comments(path) for path in cmake_files(root)}
    for path, text in texts.items():
        if re.search(r"\bEXISTS\b", text):
            wrong.append(f"{path.relative_to(root)}: if(EXISTS ...)")
        wrong += [f"{path.relative_to(root)}: file(GLOB {call})" for call in globs_of_sources(text)]
    named = set().union(*map(names_in, texts.values()))
    for part in PARTS:
        for source in sorted([*(root / part).rglob("*.c"), *(root / part).rglob("*.cpp")]):
            if "data" in source.relative_to(root).parts:
                continue
            checked += 1
            if source.name not in named:
                wrong.append(f"{source.relative_to(root)}: no CMake file names it")
    wrong += readers_of_stages(root)
    for line in wrong:
        print(f"FAIL: {line}", file=sys.stderr)
    if checked < 300:
        wrong.append("too few")
        print(f"FAIL: only {checked} source files found", file=sys.stderr)
    print(f"{checked} source files, {len(texts)} CMake files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
