#!/usr/bin/env python3
"""package.xml of each package names what its CMake asks for, and nothing else.

  check_package.py SOURCE_DIR

rosdep installs what package.xml names: what is missing there is missing on a robot, and a name
without a rule stops the installation. Compared are the find_package and pkg_check_modules calls of
every CMake file that takes part in an ament build, the imports of the launch files, and the keys of
package.xml.
"""
import ast
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

# pkg-config module or CMake package -> rosdep key (rosdistro's rosdep/base.yaml). "" needs no key:
# it comes with the compiler or with CMake.
KEYS = {
    "PkgConfig": "pkg-config", "Python3": "python3", "Threads": "",
    "jansson": "libjansson-dev", "libxml-2.0": "libxml2", "yaml-0.1": "libyaml-dev",
    "libwebsockets": "libwebsockets-dev", "ncursesw": "libncurses-dev",
    "console_bridge": "console_bridge_vendor",
    "libzstd": "libzstd-dev", "liblz4": "liblz4-dev", "sqlite3": "libsqlite3-dev",
    # no rule in rosdep: tests are left out where it is missing
    "cmocka": "",
    # only where no ROS 2 is sourced
    "CycloneDDS": "", "fastrtps": "",
}
# not part of an ament build: the stand-in, and what an option switches on
APART = ["ros2_standalone", "bench", "test/bench", "test/peers", "test/fuzz", "test/aarch64"]
# ros2 launch itself, what launch files and commands run, what generated messages need
COMMANDS = {"ros2launch", "rosidl_default_runtime", "xacro", "controller_manager"}
# a package of its own, and packages for which it has plug-ins where they are found
PLUGINS = "mbdyn_ros2_control"
OPTIONAL = {"Eigen3", "inverse_dynamics_solver", "kinematics_interface", "moveit_core", "MPI"}


def cmake_files(root):
    for path in sorted([*root.rglob("CMakeLists.txt"), *root.rglob("*.cmake")]):
        relative = path.relative_to(root).as_posix()
        built = relative.split("/")[0].startswith("build")
        if not built and not any(relative.startswith(apart + "/") for apart in APART):
            yield path


def asked_by(text):
    """Names in find_package, pkg_check_modules and bag_part calls; a loop variable is its list."""
    text = re.sub(r"#.*", "", text)
    lists = {}
    for name, words in re.findall(r"\bset\s*\(\s*(\w+)([^)]*)\)", text):
        lists[name] = words.split()
    for name, words in re.findall(r"\bforeach\s*\(\s*(\w+)([^)]*)\)", text):
        known = lists.setdefault(name, [])
        for word in words.split():
            variable = re.fullmatch(r"\$\{(\w+)\}", word)
            known += lists.get(variable.group(1), []) if variable else [word]
    names = re.findall(r"\bfind_package\s*\(\s*(\S+?)[\s)]", text)
    for call in re.findall(r"\bpkg_check_modules\s*\(\s*\S+([^)]*)\)", text):
        options = {"REQUIRED", "QUIET", "IMPORTED_TARGET", "GLOBAL"}
        names += [word for word in call.split() if word not in options]
    names += re.findall(r"\bbag_part\s*\(\s*\w+\s+(\S+)", text)
    for name in names:
        variable = re.fullmatch(r"\$\{(\w+)\}", name)
        if not variable:
            yield re.split(r"[<>=]", name)[0]
        elif variable.group(1) in lists:
            yield from lists[variable.group(1)]


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


def check(root, apart, least):
    """What is wrong in the package of a folder; folders of `apart` are not part of it."""
    wanted = {}  # key -> where
    files = [path for path in cmake_files(root) if path.relative_to(root).parts[0] not in apart]
    for path in files:
        for name in asked_by(path.read_text()):
            # bag_part's own argument, and what is used only where it is found
            if name == "module" or name in OPTIONAL:
                continue
            key = KEYS.get(name, name)
            if key:
                wanted.setdefault(key, f"{path.relative_to(root)} asks for {name}")
    for path in sorted((root / "launch").glob("*.py")):
        for name in imports_of(path):
            if name not in sys.stdlib_module_names:
                wanted.setdefault(name, f"{path.relative_to(root)} imports {name}")

    package = ET.parse(root / "package.xml").getroot()
    given = {tag.text.strip() for tag in package if tag.tag.endswith("depend")}
    wrong = [f"package.xml does not name {key}: {where}"
             for key, where in sorted(wanted.items()) if key not in given]
    wrong += [f"package.xml names {key}, which nothing asks for (or rosdep has under another name)"
              for key in sorted(given - set(wanted) - COMMANDS)]
    if len(wanted) < least:
        wrong.append(f"only {len(wanted)} dependencies found in {len(files)} CMake files")
    version = re.search(r"project\(\w+ VERSION (\S+)", (root / "CMakeLists.txt").read_text())
    if version.group(1) != package.findtext("version"):
        wrong.append(f"version {package.findtext('version')}, in CMake {version.group(1)}")
    print(f"{len(wanted)} dependencies in {len(files)} CMake files, {len(given)} in package.xml")
    return [f"{root.name}: {line}" for line in wrong]


def main():
    root = Path(sys.argv[1]).resolve()
    wrong = check(root, {PLUGINS}, 25) + check(root / PLUGINS, set(), 10)
    for line in wrong:
        print(f"FAIL: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
