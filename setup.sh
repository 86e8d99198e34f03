# Sourced by run.sh and test.sh: installs Debian packages that are missing, and only those, so that
# both work offline once they have run.

# need PACKAGE...: install what dpkg does not know as installed
need() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2> /dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || {
      echo "These packages are missing, and there is no sudo to install them: ${missing[*]}" >&2
      return 1
    }
    sudo=(sudo)
  fi
  echo "installing: ${missing[*]}"
  "${sudo[@]}" apt-get update -q -o=Dpkg::Use-Pty=0 > /dev/null || {
    echo "apt-get update failed: is this machine online? Needed: ${missing[*]}" >&2
    return 1
  }
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o=Dpkg::Use-Pty=0 "${missing[@]}" > /dev/null
}

build_packages=(build-essential cmake ninja-build pkg-config
  libjansson-dev libncurses-dev liburdfdom-dev libwebsockets-dev libxml2-dev
  liblz4-dev libsqlite3-dev libzstd-dev
  cyclonedds-dev libyaml-dev
  python3-ament-index python3-yaml rosidl-generator-c-cpp rosidl-tools)
