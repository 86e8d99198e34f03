#!/usr/bin/env bash
# Builds mbdyn and shows it at work on a bundled robot. On a fresh Debian 12 it first installs what
# it needs with apt-get; afterwards it works offline.
set -eu
from=$PWD
cd "$(dirname "$0")"
. ./setup.sh

usage() {
  cat <<HELP
usage: ./run.sh [--robot FILE.urdf] [--help]

Builds mbdyn and shows a robot: its tree, joints and masses (mbdyn info), then its dynamics at rest
with every joint at zero (mbdyn eval): gravity torques, mass matrix, energies.

  --robot FILE.urdf   another robot (default: config/robots/arm7.urdf)
HELP
}

robot=config/robots/arm7.urdf
while [ $# -gt 0 ]; do
  case $1 in
    --robot)
      robot=${2:?--robot needs a file}
      # relative to where the caller stands
      case $robot in /*) ;; *) robot=$from/$robot ;; esac
      shift 2
      ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run.sh: unknown option '$1' (try --help)" >&2; exit 2 ;;
  esac
done

need "${build_packages[@]}"
echo "building ..."
cmake -S . -B build -G Ninja -DBUILD_TESTING=OFF > build.log 2>&1 &&
  cmake --build build >> build.log 2>&1 || { cat build.log >&2; exit 1; }
rm -f build.log
mbdyn=build/mbdyn_tools/mbdyn

"$mbdyn" info "$robot"
echo
echo "One evaluation, every joint at rest: mbdyn eval $robot"
echo '{"states": [{}]}' | "$mbdyn" eval "$robot"
