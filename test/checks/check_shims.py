#!/usr/bin/env python3
"""The C++ of mbdyn_ros2_control stays thin: what it does beyond passing values on is in C, and tested there.

  check_shims.py SOURCE_DIR

Each file has fewer than 500 lines, the header of differences between distributions at most 80; none calls the core's
dynamics, allocates by hand, or logs in a function of the real-time thread.
"""
import re
import sys
from pathlib import Path

LIMITS = {"api.hpp": 80}
LIMIT = 499
# of the real-time thread, by file
REAL_TIME = {
    "dynamics_controller.cpp": ["read", "write", "update_and_write_commands"],
    "outputs.cpp": ["cycle", "fill", "fill_torques", "fill_joints", "fill_wrench"],
    "robot_system.cpp": ["read", "measure"],
}
# what the shims may use of mbdyn: its control, simulation, urdf; and of the core what finds names and moves states
CORE = {"mbd_find_frame", "mbd_find_joint", "mbd_model_t", "mbd_status_string", "mbd_status_t"}
PLUGINS = {"chain.hpp", "kinematics.cpp", "inverse_dynamics_solver.cpp", "moveit_group.hpp", "moveit_kinematics.cpp"}


def body_of(text, function):
    """The text of a member function, to the brace in the first column."""
    found = re.search(rf"^\S[^\n;]*::{function}\([^;{{]*\{{?\n(.*?)^\}}", text, re.M | re.S)
    return found[1] if found else None


def main():
    folder = Path(sys.argv[1]) / "mbdyn_ros2_control" / "src"
    wrong = []
    paths = sorted(folder.glob("*"))
    for path in paths:
        text = path.read_text()
        lines = len(text.splitlines())
        limit = LIMITS.get(path.name, LIMIT)
        if lines > limit:
            wrong.append(f"{path.name}: {lines} lines, more than {limit}: move what is not glue to C")
        used = set(re.findall(r"\bmbd_\w+", text)) - CORE
        if used and path.name not in PLUGINS:
            wrong.append(f"{path.name}: {', '.join(sorted(used))}: dynamics belong in C")
        if re.search(r"\b(new|malloc)\s*[\w(]", re.sub(r"//[^\n]*|\"[^\"\n]*\"", "", text)):
            wrong.append(f"{path.name}: allocates by hand")
        for function in REAL_TIME.get(path.name, []):
            body = body_of(text, function)
            if body is None:
                wrong.append(f"{path.name}: no function {function}: adapt REAL_TIME")
            elif re.search(r"RCLCPP_|push_back|emplace|std::string|make_shared|get_parameter", body):
                wrong.append(f"{path.name}: {function} is of the real-time thread: no log, no heap")
    if len(paths) < 5:
        wrong.append(f"only {len(paths)} files in {folder}")
    for line in wrong:
        print(f"FAIL: {line}", file=sys.stderr)
    print(f"{len(paths)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
