#!/bin/sh
# The pair across two network namespaces, as on two machines: discovery by multicast, 5 s at 1 kHz.
# check_netns.sh PAIR_PROGRAM; exit code 77: skipped
set -eu
pair=$1
count=5000
a=mbdyn_a_$$
b=mbdyn_b_$$
out=$(mktemp)

skip() {
  echo "SKIPPED: $1"
  exit 77
}

# namespaces take their interfaces with them
clean() {
  code=$?
  trap - EXIT INT TERM
  [ -z "${receiver:-}" ] || kill -9 "$receiver" 2>/dev/null || true
  ip netns del "$a" 2>/dev/null || true
  ip netns del "$b" 2>/dev/null || true
  rm -f "$out"
  exit "$code"
}
trap clean EXIT
trap 'exit 1' INT TERM

[ "$(id -u)" = 0 ] || skip "needs root"
command -v ip >/dev/null || skip "install iproute2"
ip netns add "$a" 2>/dev/null || skip "network namespaces are not permitted here"
ip netns add "$b"

# one cable, both ends inside: nothing of this is seen outside
ip -n "$a" link add eth_a type veth peer name eth_b netns "$b" 2>/dev/null || skip "no veth here"

# up NAMESPACE INTERFACE ADDRESS
up() {
  ip -n "$1" addr add "$3" dev "$2"
  ip -n "$1" link set lo up
  ip -n "$1" link set "$2" up
  ip -n "$1" route add 224.0.0.0/4 dev "$2"
}
up "$a" eth_a 10.0.0.1/24
up "$b" eth_b 10.0.0.2/24

# run_in_namespace NAMESPACE INTERFACE ROLE
run_in_namespace() {
  interface="<NetworkInterface name=\"$2\"/>"
  ROS_DOMAIN_ID=1 \
  CYCLONEDDS_URI="<General><Interfaces>$interface</Interfaces></General>" \
    timeout 60 ip netns exec "$1" "$pair" "$3" reliable "$count"
}

run_in_namespace "$b" eth_b receive >"$out" &
receiver=$!
run_in_namespace "$a" eth_a send
wait "$receiver" || true
receiver=
cat "$out"
grep -q "^received $count lost 0 wrong 0$" "$out"
