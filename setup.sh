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
      {
        echo "${#missing[@]} packages are missing, and there is no sudo to install them. As root:"
        echo
        echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
      } >&2
      return 1
    }
    sudo=(sudo)
  fi
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends
    -o=Dpkg::Use-Pty=0 "${missing[@]}")
  echo "installing ${#missing[@]} packages: ${missing[*]}"
  echo "apt-get update ..."
  "${sudo[@]}" apt-get update -q -o=Dpkg::Use-Pty=0 > /dev/null || {
    echo "apt-get update failed: is this machine online? Needed: ${missing[*]}" >&2
    return 1
  }
  # what apt-get says before it starts: packages that come along, download, space
  LC_ALL=C "${sudo[@]}" "${install[@]}" --print-uris 2> /dev/null |
    grep -E '^(Need to get|After this operation)|newly installed' || true
  "${sudo[@]}" "${install[@]}" | apt_progress
  return "${PIPESTATUS[0]}"
}

# one line that counts what apt-get fetches, unpacks and sets up; a terminal sees it change
apt_progress() {
  local line fetched=0 unpacked=0 ready=0 seconds=-1
  while read -r line; do
    case $line in
      Get:*) fetched=$((fetched + 1)) ;;
      'Unpacking '*) unpacked=$((unpacked + 1)) ;;
      'Setting up '*) ready=$((ready + 1)) ;;
      *) continue ;;
    esac
    if [ -t 1 ]; then
      printf '\r%d fetched, %d unpacked, %d set up ' "$fetched" "$unpacked" "$ready"
    elif [ $((SECONDS / 10)) -ne "$seconds" ]; then
      seconds=$((SECONDS / 10)) # a log gets a line every ten seconds
      echo "$fetched fetched, $unpacked unpacked, $ready set up"
    fi
  done
  if [ -t 1 ]; then echo; else echo "$fetched fetched, $unpacked unpacked, $ready set up"; fi
}

build_packages=(build-essential cmake ninja-build pkg-config
  libjansson-dev libncurses-dev liburdfdom-dev libwebsockets-dev libxml2-dev
  liblz4-dev libsqlite3-dev libzstd-dev
  cyclonedds-dev libyaml-dev
  python3-ament-index python3-yaml rosidl-generator-c-cpp rosidl-tools)
