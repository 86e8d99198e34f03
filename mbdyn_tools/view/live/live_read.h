/// \file live_read.h
/// Messages as views into the received bytes, beside those of messages_in.h and message_layout.h.
/// Bytes may be anything; every function returns false for what is not the message.
///
///   live_read_diagnostics  diagnostic_msgs/DiagnosticArray, status by status
///   live_read_text         std_msgs/String
#ifndef LIVE_READ_H_
#define LIVE_READ_H_

#include "messages_in.h"

typedef struct live_status {
  uint8_t level;
  wire_text_t name, message, hardware_id;
  uint32_t n;            ///< pairs that follow
  wire_reader_t values;  ///< at the first of them: key and value, both strings
} live_status_t;

typedef struct live_statuses {
  wire_reader_t reader;
  int64_t stamp;
  uint32_t n;
} live_statuses_t;

bool live_read_diagnostics(const uint8_t * buffer, size_t size, live_statuses_t * out);
bool live_next_status(live_statuses_t * statuses, live_status_t * out);

bool live_read_text(const uint8_t * buffer, size_t size, wire_text_t * out);

#endif  // LIVE_READ_H_
