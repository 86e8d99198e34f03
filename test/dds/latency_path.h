/// \file latency_path.h
/// One way of sending a message to another process and getting one back: ours, or plain Cyclone.
/// Both are reliable and keep all, and both send as many bytes.
#ifndef LATENCY_PATH_H_
#define LATENCY_PATH_H_

#include <stdbool.h>
#include <stdint.h>

/// What a message says besides its load.
typedef struct {
  uint32_t tag, value;
} word_t;

typedef struct {
  const char * name;
  /// Asks or echoes: writes what the other reads.
  void (*open)(bool echo);
  void (*close)(void);
  /// True when somebody reads what we write, and writes what we read.
  bool (*matched)(void);
  void (*send)(word_t word);
  /// \return false after so many milliseconds
  bool (*receive)(word_t * word, int milliseconds);
} path_t;

/// Bytes on the wire, encapsulation included: a joint state of 7 joints.
enum { LATENCY_BYTES = 300 };

extern const path_t path_ours;
extern const path_t path_plain;

/// Calls of malloc, calloc and realloc in this process so far.
uint32_t malloc_count(void);

#endif  // LATENCY_PATH_H_
