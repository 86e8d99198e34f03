#!/usr/bin/env bash
# Builds mbdyn and runs the demo: a simulated robot and the node that controls it. On a fresh Debian 12
# it first installs packages with apt-get; afterwards it works offline.
set -eu
from=$PWD
cd "$(dirname "$0")"
. ./setup.sh

usage() {
  cat <<HELP
usage: ./run.sh [OPTION]... [--ros-args ...]

Build mbdyn, start a simulated robot (mbdyn_sim) and the node that controls it (mbdyn_node), and show
both as a table: the robot floats, follows a trajectory, and is pushed, repeatedly until Ctrl-C.
Messages stay on the loopback interface, in a free ROS domain, unless ROS_DOMAIN_ID and CYCLONEDDS_URI
are set.

  --robot FILE         another robot, .urdf or .xacro (default: config/robots/arm7.urdf)
  --mode MODE          show only this mode of the node: gravity_compensation,
                       inverse_dynamics, computed_torque, operational_space,
                       joint_impedance, cartesian_impedance,
                       quasi_velocity_damping or passive
  --supports FRAMES    feet of a robot that stands on the ground, such as l_sole,r_sole; none: its base
                       is bolted to the world (default: links named *_sole or *_foot)
  --headless SECONDS   run for SECONDS (at least 4) without the table, then compare the results
                       with limits: exit code 0 if all are met, 1 if not, 3 if the machine was too
                       busy for a result
  --view               also serve the web view on http://localhost:8642
  --view-port N        serve it on this port
  --mesh PACKAGE=DIR   with --view: folder with the meshes of package://PACKAGE/...; can be repeated
  --info               instead of the demo, print tree, joints and masses of the robot (mbdyn info) and
                       its dynamics at the zero configuration (mbdyn eval)
  --ros-args ...       at the end: passed to mbdyn_sim and mbdyn_node
  --help               this text

exit code: 0 done; 1 a limit was not met, or mbdyn does not build; 2 wrong usage; 3 too busy for a result
HELP
}

usage_error() {
  echo "run.sh: $1 (try --help)" >&2
  exit 2
}

# relative to where the caller stands
absolute_path() {
  case $1 in /*) echo "$1" ;; *) echo "$from/$1" ;; esac
}

robot=config/robots/arm7.urdf
info=no
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --robot | --mode | --supports | --headless | --view-port | --mesh)
      case ${2-} in
        '' | --*)
          case $1 in
            --robot) usage_error "--robot needs a URDF file, such as config/robots/arm6.urdf" ;;
            --mode) usage_error "--mode needs a mode of the node, such as computed_torque" ;;
            --supports) usage_error "--supports needs names of feet, or none" ;;
            --headless) usage_error "--headless needs a number of seconds, such as --headless 30" ;;
            --view-port) usage_error "--view-port needs a number, such as 9000" ;;
            --mesh) usage_error "--mesh needs PACKAGE=DIR, such as --mesh my_robot=/opt/my_robot" ;;
          esac
          ;;
      esac
      ;;
  esac
  case $1 in
    --robot) robot=$(absolute_path "$2"); shift 2 ;;
    --mesh)
      case $2 in *=*) ;; *) usage_error "--mesh '$2': expected PACKAGE=DIR" ;; esac
      options+=("$1" "${2%%=*}=$(absolute_path "${2#*=}")")
      shift 2
      ;;
    --mode | --supports | --headless | --view-port) options+=("$1" "$2"); shift 2 ;;
    --view) options+=("$1"); shift ;;
    --info) info=yes; shift ;;
    --ros-args) options+=("$@"); break ;;
    -h | --help) usage; exit 0 ;;
    *) usage_error "unknown option '$1'" ;;
  esac
done

need "${build_packages[@]}" || exit 1
# the demo runs on the stand-in for rcl and rclc, with a ROS 2 sourced or not
unset AMENT_PREFIX_PATH
mkdir -p build
cmake -S . -B build -G Ninja -DBUILD_TESTING=OFF > build/configure.log 2>&1 ||
  { cat build/configure.log >&2; exit 1; }
echo "building ..."
# everything, so that cmake --install finds what it installs
cmake --build build
mbdyn=build/mbdyn_tools/mbdyn

if [ "$info" = yes ]; then
  "$mbdyn" info "$robot"
  echo
  echo "One evaluation, every joint at rest: mbdyn eval $robot"
  echo '{"states": [{}]}' | "$mbdyn" eval "$robot"
  exit
fi
exec "$mbdyn" demo --robot "$robot" "${options[@]}"
