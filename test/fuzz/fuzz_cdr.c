// Bytes from the network, as any message that is compiled in. The first two bytes choose the type,
// the third how the rest is taken. What is accepted must come back the same when it is written and
// read again, in a fresh message as well as in one that has been read into many times.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cdr.h"
#include "message_json.h"
#include "ros2_types.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

enum { RAW = 1, BIG_ENDIAN_PEER = 2, SERVICE = 4, TEXT = 8 };

static const cdr_limits_t limits = {.max_memory = 1 << 20, .max_depth = 8};

static void *
message_new(const cdr_members_t * members)
{
  void * message = calloc(1, members->size_of_);
  if (!message) abort();
  members->init_function(message, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  return message;
}

static void
message_free(const cdr_members_t * members, void * message)
{
  members->fini_function(message);
  free(message);
}

static void
require(bool truth)
{
  if (!truth) abort();
}

static uint8_t *
encode(const cdr_members_t * members, const void * message, size_t * size)
{
  *size = cdr_size(members, message);
  require(*size > 4);
  uint8_t * bytes = malloc(*size);
  require(bytes && cdr_write(members, message, bytes, *size));
  return bytes;
}

// one message per type that lives as long as the program
static void *
old_message(size_t index, const cdr_members_t * members)
{
  static void * messages[1024];
  require(index < sizeof messages / sizeof messages[0]);
  if (!messages[index]) messages[index] = message_new(members);
  return messages[index];
}

static void
show(const cdr_members_t * members, const void * message)
{
  char * text = NULL;
  size_t size;
  FILE * file = open_memstream(&text, &size);
  require(file);
  message_print(members, message, 8, file);
  fclose(file);
  free(text);

  json_t * json = message_to_json(members, message);
  require(json);
  void * copy = message_new(members);
  char error[64];
  (void)message_from_json(members, json, copy, error, sizeof error);
  json_decref(json);
  message_free(members, copy);
}

static void
round_trip(const cdr_members_t * members, const void * message, void * old)
{
  size_t size, again;
  uint8_t * bytes = encode(members, message, &size);
  require(cdr_read(members, bytes, size, &cdr_default_limits, old));
  uint8_t * back = encode(members, old, &again);
  require(size == again && memcmp(bytes, back, size) == 0);
  free(bytes);
  free(back);
}

static bool
read_one(const cdr_members_t * members, int mode, const uint8_t * data, size_t size, void * message)
{
  cdr_request_id_t id;
  if (mode & SERVICE) return cdr_service_read(members, data, size, &limits, &id, message);
  return cdr_read(members, data, size, &limits, message);
}

int
LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  if (size < 3) return 0;
  size_t count;
  const ros2_type_t * types = ros2_types(&count);
  const size_t index = (size_t)(data[0] | data[1] << 8) % count;
  const int mode = data[2];
  const cdr_members_t * members = ros2_type_members(&types[index]);
  if (!members) return 0;

  // a copy of its own size, so that one byte too many is seen; with a good encapsulation mostly
  size -= 3;
  const size_t extra = mode & RAW ? 0 : 4;
  uint8_t * bytes = calloc(1, size + extra + 1);
  bytes = realloc(bytes, size + extra ? size + extra : 1);
  memcpy(bytes + extra, data + 3, size);
  if (extra) memcpy(bytes, mode & BIG_ENDIAN_PEER ? "\0\0\0\0" : "\0\1\0\0", 4);
  size += extra;

  void *fresh = message_new(members), *old = old_message(index, members);
  const bool ok = read_one(members, mode, bytes, size, fresh);
  const bool reused = read_one(members, mode, bytes, size, old);
  require(!ok || reused);
  if (ok) round_trip(members, fresh, old);
  if (mode & TEXT) show(members, fresh);
  free(bytes);
  message_free(members, fresh);
  return 0;
}
