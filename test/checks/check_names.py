#!/usr/bin/env python3
"""No two sources of one name, and includes that stay on their side.

  check_names.py SOURCE_DIR

Names: #include "report.h" must mean one file, whatever folders a target adds, and a name in a stack
trace one source. Installed headers and those of rcl, rclc and rmw are included with their folder
("rcl/node.h") and compared with it, templates (*.inc) too; each program may have a main.c.

Includes: bench and mbdyn_tools share by mbdyn_util, not with each other. Outside ros2_standalone and
its tests, headers that no real ROS 2 has are included in the files of SEAM alone. libyaml's parser is
called in one file alone.
"""
import collections
import re
import sys
from pathlib import Path

PARTS = ["bench", "mbdyn_core", "mbdyn_node", "mbdyn_ros", "mbdyn_tools", "mbdyn_util",
         "ros2_standalone", "test"]
# where `mbdyn topic`, `record` and others meet messages of any type
SEAM = {
    "mbdyn_tools/bag/record_type_any.c": {"ros2_types.h"},
    "mbdyn_tools/ros_cli/ros_message.h": {"message_json.h", "ros2_types.h"},
}
YAML = "mbdyn_util/yaml_tree.c"


def key_of(path):
    """What an #include of it, or a stack trace, has to be told apart by."""
    parts = path.parts
    if "include" in parts and len(parts) - parts.index("include") > 2:
        return "/".join(parts[parts.index("include") + 1:])
    return "/".join(parts[-2:]) if path.suffix == ".inc" else path.name


def same_names(paths):
    groups = collections.defaultdict(list)
    for path in paths:
        if path.name != "main.c":
            groups[key_of(path)].append(path)
    for key, group in sorted(groups.items()):
        if len(group) > 1:
            yield f"{key}: {', '.join(map(str, group))}"


def wrong_includes(path, text, headers):
    part = str(path).split("/")[0]
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
        owner = headers.get(name)
        if owner is None:
            continue
        if {part, owner.parts[0]} == {"bench", "mbdyn_tools"}:
            yield f"{path} includes {owner}"
        if (part in ("bench", "mbdyn_node", "mbdyn_ros", "mbdyn_tools", "mbdyn_util") and
                owner.parts[0] == "ros2_standalone" and
                owner.parts[:2] != ("ros2_standalone", "include") and
                name not in SEAM.get(str(path), ())):
            yield f"{path} includes {owner}, which is the stand-in's own (SEAM in check_names.py)"


def main():
    root = Path(sys.argv[1])
    paths = sorted(
        path.relative_to(root) for part in PARTS for path in (root / part).rglob("*")
        if path.suffix in (".c", ".h", ".cpp", ".hpp", ".inc") and
        "data" not in path.relative_to(root).parts and "node_modules" not in path.parts)
    wrong = list(same_names(paths))
    headers = {key_of(path): path for path in paths if path.suffix in (".h", ".hpp")}
    includes = 0
    for path in paths:
        text = (root / path).read_text()
        includes += text.count("#include \"")
        wrong += wrong_includes(path, text, headers)
        if "yaml_parser_" in text and str(path) != YAML:
            wrong.append(f"{path} calls libyaml's parser: read by {YAML}")
    wrong += [f"{path} of SEAM is not there" for path in SEAM if not (root / path).is_file()]
    for line in wrong:
        print(f"FAIL: {line}", file=sys.stderr)
    if len(paths) < 500 or includes < 2000:
        wrong.append("too few")
        print(f"FAIL: only {len(paths)} files, {includes} includes", file=sys.stderr)
    print(f"{len(paths)} files, {includes} includes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
