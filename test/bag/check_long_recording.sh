#!/usr/bin/env bash
# A million joint states of an arm with seven joints through `mbdyn analyze` (as sqlite3, a tenth): time,
# peak memory and size of the page. Memory must stay below 64 MB.
#
# usage: check_long_recording.sh BAG_TOOL MBDYN SOURCE_FOLDER [MESSAGES]
set -euo pipefail
tool=$1
mbdyn=$2
robot=$3/config/robots/arm7.urdf
messages=${4:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
joints=$("$mbdyn" info --json "$robot" | python3 -c '
import json, sys
print(*[j["name"] for j in json.load(sys.stdin)["joints"]])')

for format in mcap sqlite3; do
  compression=none
  [ $format = mcap ] && compression=zstd
  # shellcheck disable=SC2086
  [ $format = sqlite3 ] && messages=$((messages / 10))
  "$tool" states long $format $compression "$messages" $joints
  python3 - "$mbdyn" "$robot" "$messages" $format <<'PYTHON'
import json, os, resource, subprocess, sys, time
mbdyn, robot, messages, form = sys.argv[1:]
start = time.time()
out = subprocess.run([mbdyn, "analyze", "long", "--robot", robot, "--json", "--html", "page.html"],
                     check=True, stdout=subprocess.PIPE).stdout
seconds = time.time() - start
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
found = json.loads(out)["recording"]
size = os.path.getsize("page.html")
bag = sum(os.path.getsize("long/" + f) for f in os.listdir("long")) / 1e6
print(f"{form}: {messages} messages ({bag:.0f} MB) in {seconds:.1f} s, peak {peak:.0f} MB, "
      f"page {size / 1e6:.2f} MB")
assert found["samples"] == int(messages), found
assert peak < 64, f"{peak} MB"
assert size < 2e6, size
PYTHON
  rm -rf long
done
