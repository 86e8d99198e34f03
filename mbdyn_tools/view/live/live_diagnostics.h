/// \file live_diagnostics.h
/// The last status of every name on /diagnostics. No ROS.
///
///   live_diagnostics_take    a message
///   live_diagnostics_value   of a key
///   live_diagnostics_fini
#ifndef LIVE_DIAGNOSTICS_H_
#define LIVE_DIAGNOSTICS_H_

#include "live_read.h"

#define LIVE_STATUSES 64    ///< names
#define LIVE_STATUS   8192  ///< bytes of one, texts and all

/// Texts one after the other, each with its final NUL: name, message, hardware_id, then key and
/// value of every pair.
typedef struct live_status_text {
  uint8_t level;
  uint64_t version;  ///< of the diagnostics that it was last in
  uint32_t pairs;
  size_t size;
  char * text;  ///< [LIVE_STATUS]
} live_status_text_t;

typedef struct live_diagnostics {
  live_status_text_t status[LIVE_STATUSES];
  int n;
  uint64_t version, count;
} live_diagnostics_t;

/// False if it is not the message. Statuses and pairs that do not fit are left out.
bool live_diagnostics_take(live_diagnostics_t * d, const uint8_t * bytes, size_t size);
void live_diagnostics_fini(live_diagnostics_t * d);

/// The text after this one.
const char * live_text_next(const char * text);
/// NULL if there is no such key.
const char * live_diagnostics_value(const live_status_text_t * status, const char * key);

#endif  // LIVE_DIAGNOSTICS_H_
