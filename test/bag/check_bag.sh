#!/usr/bin/env bash
# Recordings against independent programs: Foxglove's MCAP library (peer/, one file for nodejs) and
# Python's sqlite3, in both directions.
#
# usage: check_bag.sh BAG_TOOL SOURCE_FOLDER
set -euo pipefail
tool=$1
peer=$2/test/bag/peer/mcap_peer.cjs
for program in node zstd python3; do
  command -v $program > /dev/null || { echo "check_bag.sh needs $program" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

# what we write is what the peer reads, by its index, with every CRC checked
for compression in none lz4 zstd; do
  "$tool" make ours_$compression mcap $compression
  "$tool" dump ours_$compression > ours.txt
  node "$peer" dump ours_$compression/ours_${compression}_0.mcap > theirs.txt
  [ "$(head -n 1 theirs.txt)" = "profile ros2" ] || fail "profile"
  grep -q '^messages 1000 channels 3 schemas 3 chunks [1-9]' theirs.txt || fail "statistics"
  tail -n +4 theirs.txt | cmp - ours.txt || fail "$compression: the peer reads something else"
  [ "$(wc -l < ours.txt)" -eq 1000 ] || fail "messages are missing"
done

# a viewer decodes them by the definitions in the file
node "$peer" decode ours_zstd/ours_zstd_0.mcap /joint_states |
  grep -q '"name":\["shoulder","elbow"\],"position":\[0,-1.25\]' || fail "joint state"
node "$peer" decode ours_zstd/ours_zstd_0.mcap /mbdyn/torques |
  grep -q '"joint_names":\["shoulder","elbow"\],"total":\[0.5,-1.25\]' || fail "torques"
if node "$peer" decode ours_zstd/ours_zstd_0.mcap /other 2> /dev/null; then
  fail "an unknown type has a definition"
fi

# the peer is one that sees damage
python3 - <<PYTHON
data = bytearray(open("ours_none/ours_none_0.mcap", "rb").read())
data[len(data) // 2] ^= 1
open("damaged.mcap", "wb").write(data)
PYTHON
if node "$peer" dump damaged.mcap > /dev/null 2>&1; then fail "the peer does not check CRCs"; fi

# what the peer writes is what we read
for how in none lz4 zstd unchunked unindexed; do
  node "$peer" make theirs_$how.mcap $how
  "$tool" dump theirs_$how.mcap > ours.txt 2> note.txt
  case $how in
    un*) node "$peer" stream theirs_$how.mcap | sort -s -n -k 1,1 > theirs.txt ;;
    *) node "$peer" dump theirs_$how.mcap | tail -n +4 > theirs.txt ;;
  esac
  cmp ours.txt theirs.txt || fail "$how: we read something else than the peer"
  [ "$(wc -l < ours.txt)" -eq 1000 ] || fail "messages are missing"
  [ ! -s note.txt ] || fail "$how: $(cat note.txt)"
done

# sqlite3: rosbag2's tables, read and written by Python
"$tool" make db sqlite3 none
"$tool" dump db > ours.txt
python3 - > theirs.txt <<PYTHON
import sqlite3, zlib
db = sqlite3.connect("file:db/db_0.db3?mode=ro", uri=True)
assert db.execute("SELECT schema_version FROM schema").fetchone() == (3,)
assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
names = {r[1] for r in db.execute("SELECT type, name FROM sqlite_master")}
assert {"schema", "metadata", "topics", "messages", "timestamp_idx"} <= names, names
for time, name, kind, form, data in db.execute(
    "SELECT timestamp, name, type, serialization_format, data FROM messages "
    "JOIN topics ON topics.id = topic_id ORDER BY timestamp, messages.id"):
  assert form == "cdr"
  print(time, name, kind, len(data), "%08x" % zlib.crc32(data))
PYTHON
cmp ours.txt theirs.txt || fail "sqlite3 reads something else"
python3 - > theirs.txt <<PYTHON
import sqlite3, zlib
db = sqlite3.connect("py.db3")
db.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, "
           "serialization_format TEXT NOT NULL)")  # the first version: without QoS
db.execute("CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, "
           "timestamp INTEGER NOT NULL, data BLOB NOT NULL)")
db.execute("INSERT INTO topics VALUES (7, '/x', 'std_msgs/msg/String', 'cdr')")
for i in range(500):
  data = bytes(range(i % 200)) + b"end"
  db.execute("INSERT INTO messages(topic_id, timestamp, data) VALUES (7, ?, ?)", (5000 - i, data))
db.commit()
for i in reversed(range(500)):
  data = bytes(range(i % 200)) + b"end"
  print(5000 - i, "/x", "std_msgs/msg/String", len(data), "%08x" % zlib.crc32(data))
PYTHON
"$tool" dump py.db3 | cmp - theirs.txt || fail "what sqlite3 wrote is read wrongly"

# metadata.yaml as rosbag2 has it
python3 - <<PYTHON
import yaml
for name, storage, end in (("db", "sqlite3", "db3"), ("ours_zstd", "mcap", "mcap")):
  m = yaml.safe_load(open(name + "/metadata.yaml"))["rosbag2_bagfile_information"]
  assert m["version"] == 5 and m["storage_identifier"] == storage, m
  assert m["message_count"] == 1000 and m["duration"]["nanoseconds"] == 1002000000, m
  assert m["relative_file_paths"] == [f"{name}_0.{end}"] == [m["files"][0]["path"]], m
  topics = {t["topic_metadata"]["name"]: t for t in m["topics_with_message_count"]}
  assert [t["message_count"] for t in topics.values()] == [334, 333, 333], m
  qos = topics["/joint_states"]["topic_metadata"]["offered_qos_profiles"]
  assert yaml.safe_load(qos)[0]["depth"] == 10, qos
PYTHON
echo "check_bag: recordings agree with @mcap/core and sqlite3"
