// Numbers of the MCAP format (https://mcap.dev/spec).
#ifndef MCAP_H_
#define MCAP_H_

#include <stdint.h>

#define MCAP_MAGIC      "\x89MCAP0\r\n"
#define MCAP_MAGIC_SIZE 8
// opcode and length before every record
#define MCAP_HEAD_SIZE 9
// summary_start, summary_offset_start, summary_crc
#define MCAP_FOOTER_SIZE 20
// channel_id, sequence, log_time, publish_time before the data of a message
#define MCAP_MESSAGE_HEAD_SIZE 22

enum {
  MCAP_HEADER = 0x01,
  MCAP_FOOTER = 0x02,
  MCAP_SCHEMA = 0x03,
  MCAP_CHANNEL = 0x04,
  MCAP_MESSAGE = 0x05,
  MCAP_CHUNK = 0x06,
  MCAP_MESSAGE_INDEX = 0x07,
  MCAP_CHUNK_INDEX = 0x08,
  MCAP_STATISTICS = 0x0B,
  MCAP_SUMMARY_OFFSET = 0x0E,
  MCAP_DATA_END = 0x0F,
};

#endif  // MCAP_H_
