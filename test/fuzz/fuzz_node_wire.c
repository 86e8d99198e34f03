// Bytes from the network, to every reader of the control thread: each has to take them if and only
// if the codec of the stand-in does and the message is one that the node wants, and to read the same
// from them. A joint state that is taken goes out again and comes back.
//
// The first byte chooses how the rest is used: as it is, after an encapsulation, or as changes to a
// good message that is made up here, so that no corpus is needed.
#include <stdlib.h>
#include <string.h>

#include "messages_out.h"
#include "wire_oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

enum { RAW = 1, BIG_ENDIAN_PEER = 2, BUILT = 4, CUT_SHIFT = 3 };

static void
require(bool truth)
{
  if (!truth) abort();
}

// seed, then changes: offset of two bytes, value
static uint8_t *
built(int mode, const uint8_t * data, size_t size, size_t * made)
{
  size_t kinds;
  const oracle_kind_t * kind = oracle_kinds(&kinds);
  uint64_t seed = 0;
  for (; size > 0 && seed < 0x10000; data++, size--) seed = seed << 8 | *data;
  kind += seed % kinds;
  void * message = oracle_random(kind, &seed);
  uint8_t * bytes = oracle_encode(kind, message, mode & BIG_ENDIAN_PEER, made);
  oracle_free(kind, message);

  for (; size >= 3; data += 3, size -= 3) bytes[(size_t)(data[0] | data[1] << 8) % *made] = data[2];
  // so many bytes less, or some more
  const size_t cut = (size_t)(mode >> CUT_SHIFT);
  if (cut >= 24) {
    bytes = realloc(bytes, *made + cut - 24 + 1);
    require(bytes != NULL);
    memset(bytes + *made, 0, cut - 24 + 1);
    *made += cut - 24;
  } else {
    *made -= cut < *made ? cut : *made;
  }
  return bytes;
}

// bytes on the heap, so that one too many is seen; with a good encapsulation mostly
static uint8_t *
raw_bytes(int mode, const uint8_t * data, size_t size, size_t * made)
{
  const size_t extra = mode & RAW ? 0 : 4;
  uint8_t * bytes = malloc(size + extra ? size + extra : 1);
  require(bytes != NULL);
  if (extra) memcpy(bytes, mode & BIG_ENDIAN_PEER ? "\0\0\0\0" : "\0\1\0\0", 4);
  if (size) memcpy(bytes + extra, data, size);
  *made = size + extra;
  return bytes;
}

static bool
same_numbers(const wire_numbers_t * a, const wire_numbers_t * b, uint32_t n)
{
  if (a->n == 0 && n > 0) return true;  // was not given, goes out all the same
  if (a->n != n || b->n != n) return false;
  for (uint32_t i = 0; i < n; i++) {
    const double x = wire_number(a, i), y = wire_number(b, i);
    if (memcmp(&x, &y, sizeof x) != 0) return false;
  }
  return true;
}

static void
fill(out_message_t * m, int k, const wire_numbers_t * numbers, double * scratch)
{
  if (numbers->n == 0) return;
  wire_copy_numbers(numbers, scratch);
  out_numbers(m, k, scratch);
}

// names are text in the buffer, each with its NUL
static void
send_again(const wire_joint_state_t * in)
{
  const uint32_t n = in->names.n;
  const char ** name = calloc(n + 1, sizeof *name);
  double * scratch = calloc(n + 1, sizeof *scratch);
  require(name && scratch);
  size_t at = 0;
  for (uint32_t i = 0; i < n; i++) name[i] = wire_next_name(&in->names, &at).data;

  out_message_t m;
  require(out_joint_state_build(&m, in->frame_id.data, (out_names_t){n, name}));
  out_stamp(&m, in->stamp);
  fill(&m, OUT_JS_POSITION, &in->position, scratch);
  fill(&m, OUT_JS_VELOCITY, &in->velocity, scratch);
  fill(&m, OUT_JS_EFFORT, &in->effort, scratch);
  wire_joint_state_t back;
  require(wire_read_joint_state(m.bytes, m.size, &back));
  require(back.stamp == in->stamp && wire_text_is(back.frame_id, in->frame_id.data));
  require(wire_names_equal(&back.names, &in->names));
  require(same_numbers(&in->position, &back.position, n));
  require(same_numbers(&in->velocity, &back.velocity, n));
  require(same_numbers(&in->effort, &back.effort, n));
  out_message_fini(&m);
  free(name), free(scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  if (size < 1) return 0;
  size_t made;
  const int mode = data[0];
  uint8_t * bytes = (mode & BUILT ? built : raw_bytes)(mode, data + 1, size - 1, &made);
  // a copy of its own size
  uint8_t * exact = malloc(made ? made : 1);
  require(exact != NULL);
  memcpy(exact, bytes, made);
  free(bytes);

  size_t kinds;
  const oracle_kind_t * kind = oracle_kinds(&kinds);
  for (size_t i = 0; i < kinds; i++) require(oracle_agrees(&kind[i], exact, made));
  wire_joint_state_t state;
  if (wire_read_joint_state(exact, made, &state)) send_again(&state);
  free(exact);
  return 0;
}
