// An independent reader and writer of MCAP: Foxglove's @mcap/core with JavaScript implementations of
// lz4 (lz4js) and zstd (fzstd). Bundled into mcap_peer.cjs by `npm ci && npm run build`.
//
//   node mcap_peer.cjs dump FILE            one line per message: time topic type size crc32
//   node mcap_peer.cjs stream FILE          the same without the index, in the order of the file
//   node mcap_peer.cjs decode FILE TOPIC    first message of a topic as JSON, by the file's schema
//   node mcap_peer.cjs make FILE none|lz4|zstd|unchunked|unindexed
//
// dump checks every CRC: of chunks, of the data section, of the summary.
import { execFileSync } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { McapIndexedReader, McapStreamReader, McapWriter } from "@mcap/core";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { decompress as unzstd } from "fzstd";
import * as lz4 from "lz4js";

const decompressHandlers = {
  lz4: (data, size) => lz4.decompress(data, Number(size)),
  zstd: (data, size) => unzstd(data, new Uint8Array(Number(size))),
};

function crc32(data) {
  let crc = ~0;
  for (const byte of data) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0");
}

async function openIndexed(path) {
  const file = await open(path);
  const readable = {
    size: async () => BigInt((await file.stat()).size),
    read: async (offset, length) => {
      const buffer = new Uint8Array(Number(length));
      const { bytesRead } = await file.read(buffer, 0, Number(length), Number(offset));
      if (bytesRead !== Number(length)) throw new Error(`short read at ${offset}`);
      return buffer;
    },
  };
  return McapIndexedReader.Initialize({ readable, decompressHandlers });
}

function line(message, channel, schema) {
  return `${message.logTime} ${channel.topic} ${schema.name} ${message.data.length} ${crc32(message.data)}`;
}

async function dump(path) {
  const reader = await openIndexed(path);
  const statistics = reader.statistics;
  console.log(`profile ${reader.header.profile}`);
  console.log(`messages ${statistics.messageCount} channels ${statistics.channelCount} ` +
    `schemas ${statistics.schemaCount} chunks ${statistics.chunkCount}`);
  console.log(`times ${statistics.messageStartTime} ${statistics.messageEndTime}`);
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    const channel = reader.channelsById.get(message.channelId);
    console.log(line(message, channel, reader.schemasById.get(channel.schemaId)));
  }
  // the stream reader checks the CRC of the data section
  await stream(path, () => {});
}

async function stream(path, print = console.log) {
  const reader = new McapStreamReader({ validateCrcs: true, decompressHandlers });
  reader.append(new Uint8Array(await readFile(path)));
  const channels = new Map(), schemas = new Map();
  for (let record; (record = reader.nextRecord()) !== undefined;) {
    if (record.type === "Schema") schemas.set(record.id, record);
    if (record.type === "Channel") channels.set(record.id, record);
    if (record.type === "Message") {
      const channel = channels.get(record.channelId);
      print(line(record, channel, schemas.get(channel.schemaId)));
    }
  }
  if (!reader.done()) throw new Error("the file does not end properly");
}

async function decode(path, topic) {
  const reader = await openIndexed(path);
  for await (const message of reader.readMessages({ topics: [topic], validateCrcs: true })) {
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    const text = new TextDecoder().decode(schema.data);
    if (schema.encoding !== "ros2msg") throw new Error(`schema encoding '${schema.encoding}'`);
    const value = new MessageReader(parse(text, { ros2: true })).readMessage(message.data);
    console.log(JSON.stringify(value, (key, x) =>
      ArrayBuffer.isView(x) ? Array.from(x) : typeof x === "bigint" ? Number(x) : x));
    return;
  }
  throw new Error(`no message on ${topic}`);
}

const zstd = (data) => new Uint8Array(execFileSync("zstd", ["-q", "-c"], { input: data }));
const compressors = {
  lz4: (data) => ({ compression: "lz4", compressedData: lz4.compress(data) }),
  zstd: (data) => ({ compression: "zstd", compressedData: zstd(data) }),
};

// String messages on two topics; every seventh is logged out of order
async function make(path, how) {
  const parts = [];
  let size = 0n;
  const writable = {
    write: async (data) => { parts.push(Uint8Array.from(data)); size += BigInt(data.length); },
    position: () => size,
  };
  const writer = new McapWriter({
    writable,
    compressChunk: compressors[how],
    useChunks: how !== "unchunked",
    useSummaryOffsets: how !== "unindexed",
    useChunkIndex: how !== "unindexed",
    useMessageIndex: how !== "unindexed",
    useStatistics: how !== "unindexed",
    repeatSchemas: how !== "unindexed",
    repeatChannels: how !== "unindexed",
    chunkSize: 2000,
  });
  await writer.start({ profile: "ros2", library: "peer" });
  const schemaId = await writer.registerSchema({
    name: "std_msgs/msg/String", encoding: "ros2msg", data: new TextEncoder().encode("string data\n"),
  });
  const ids = [];
  for (const topic of ["/a", "/b"]) {
    ids.push(await writer.registerChannel({
      schemaId, topic, messageEncoding: "cdr", metadata: new Map([["offered_qos_profiles", ""]]),
    }));
  }
  for (let i = 0; i < 1000; i++) {
    const text = new TextEncoder().encode(`message ${i} ` + "x".repeat(i % 50));
    const data = new Uint8Array(8 + text.length + 1);
    data.set([0, 1, 0, 0]);
    new DataView(data.buffer).setUint32(4, text.length + 1, true);
    data.set(text, 8);
    const logTime = 1000000000n + BigInt(i) * 1000n - (i % 7 === 0 ? 50000n : 0n);
    await writer.addMessage({
      channelId: ids[i % 2], sequence: i, logTime, publishTime: logTime - 5n, data,
    });
  }
  await writer.end();
  await writeFile(path, Buffer.concat(parts));
}

const [verb, ...rest] = process.argv.slice(2);
const verbs = { dump, stream: (path) => stream(path), decode, make };
if (!verbs[verb]) {
  console.error("usage: mcap_peer.cjs dump|stream|decode|make ...");
  process.exit(2);
}
verbs[verb](...rest).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
