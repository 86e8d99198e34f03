#!/usr/bin/env bash
# Builds mbdyn and shows it at work: a simulated robot, the node on it, and the messages between
# them. On a fresh Debian 12 it first installs what it needs with apt-get; afterwards it works
# offline.
set -eu
from=$PWD
cd "$(dirname "$0")"
. ./setup.sh

usage() {
  cat <<HELP
usage: ./run.sh [OPTION]... [--ros-args ...]

Builds mbdyn, starts a simulated robot (mbdyn_sim) and the node (mbdyn_node) on it, and shows them in
a table: the robot floats, follows a trajectory, and is pushed, again and again until Ctrl-C. All of
it is on loopback, in a free ROS domain, unless ROS_DOMAIN_ID and CYCLONEDDS_URI are set.

  --robot FILE.urdf    another robot (default: config/robots/arm7.urdf)
  --mode MODE          only the part of the show in this mode of the node: gravity_compensation,
                       inverse_dynamics, computed_torque, operational_space,
                       quasi_velocity_damping or passive
  --headless SECONDS   run for SECONDS (at least 4) without the table, then compare the results
                       with limits: exit code 0 if all are met, 1 if not, 3 if the machine was too
                       busy to judge
  --view               show it in the browser as well: http://localhost:8642
  --view-port N        the same on another port
  --mesh PACKAGE=DIR   with --view: folder of the meshes of package://PACKAGE/..., repeatable
  --info               no show: the robot's tree, joints and masses (mbdyn info), and its dynamics
                       at rest with every joint at zero (mbdyn eval)
  --ros-args ...       at the end: for mbdyn_sim and mbdyn_node
  --help               this text

exit code: 0 done; 1 a limit was not met, or mbdyn does not build; 2 wrong usage; 3 too busy to judge
HELP
}

refuse() {
  echo "run.sh: $1 (try --help)" >&2
  exit 2
}

# relative to where the caller stands
place() {
  case $1 in /*) echo "$1" ;; *) echo "$from/$1" ;; esac
}

robot=config/robots/arm7.urdf
info=no
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --robot | --mode | --headless | --view-port | --mesh)
      case ${2-} in
        '' | --*)
          case $1 in
            --robot) refuse "--robot needs a URDF file, such as config/robots/arm6.urdf" ;;
            --mode) refuse "--mode needs a mode of the node, such as computed_torque" ;;
            --headless) refuse "--headless needs a number of seconds, such as --headless 30" ;;
            --view-port) refuse "--view-port needs a number, such as 9000" ;;
            --mesh) refuse "--mesh needs PACKAGE=DIR, such as --mesh my_robot=/opt/my_robot" ;;
          esac
          ;;
      esac
      ;;
  esac
  case $1 in
    --robot) robot=$(place "$2"); shift 2 ;;
    --mesh)
      case $2 in *=*) ;; *) refuse "--mesh '$2': expected PACKAGE=DIR" ;; esac
      options+=("$1" "${2%%=*}=$(place "${2#*=}")")
      shift 2
      ;;
    --mode | --headless | --view-port) options+=("$1" "$2"); shift 2 ;;
    --view) options+=("$1"); shift ;;
    --info) info=yes; shift ;;
    --ros-args) options+=("$@"); break ;;
    -h | --help) usage; exit 0 ;;
    *) refuse "unknown option '$1'" ;;
  esac
done

need "${build_packages[@]}" || exit 1
# the demo runs on the stand-in for rcl and rclc, with a ROS 2 sourced or not
unset AMENT_PREFIX_PATH
mkdir -p build
cmake -S . -B build -G Ninja -DBUILD_TESTING=OFF > build/configure.log 2>&1 ||
  { cat build/configure.log >&2; exit 1; }
echo "building ..."
cmake --build build --target mbdyn_cli mbdyn_node mbdyn_sim
mbdyn=build/mbdyn_tools/mbdyn

if [ "$info" = yes ]; then
  "$mbdyn" info "$robot"
  echo
  echo "One evaluation, every joint at rest: mbdyn eval $robot"
  echo '{"states": [{}]}' | "$mbdyn" eval "$robot"
  exit
fi
exec "$mbdyn" demo --robot "$robot" "${options[@]}"
