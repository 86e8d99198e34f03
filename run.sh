#!/usr/bin/env bash
# Builds mbdyn and shows it at work: a simulated robot, the node on it, and what they say to each
# other. On a fresh Debian 12 it first installs what it needs with apt-get; afterwards it works
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
  --mode MODE          only what belongs to this mode of the node: gravity_compensation,
                       inverse_dynamics, computed_torque, operational_space or passive
  --headless SECONDS   so long and an end, with lines in place of the table; then a summary held
                       against bounds: exit code 0 if all were kept, 1 if not, 3 if the machine
                       was too busy to judge
  --view               a page with all of it too, in the browser: http://localhost:8642
  --view-port N        the same on another port
  --info               no show: the robot's tree, joints and masses (mbdyn info), and its dynamics
                       at rest with every joint at zero (mbdyn eval)
  --ros-args ...       at the end: for mbdyn_sim and mbdyn_node
  --help               this text
HELP
}

robot=config/robots/arm7.urdf
info=no
options=()
while [ $# -gt 0 ]; do
  case $1 in
    --robot)
      robot=${2:?--robot needs a file}
      # relative to where the caller stands
      case $robot in /*) ;; *) robot=$from/$robot ;; esac
      shift 2
      ;;
    --mode | --headless | --view-port) options+=("$1" "${2:?$1 needs a value}"); shift 2 ;;
    --view) options+=("$1"); shift ;;
    --info) info=yes; shift ;;
    --ros-args) options+=("$@"); break ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
  esac
done

need "${build_packages[@]}"
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
