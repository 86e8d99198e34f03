/// \file raw_cdr.h
/// DDS topics whose samples are plain CDR bytes, in blocks from a pool.
///
///   raw_sertype_new   a type that has only a name
///   raw_sample_new    a block to serialize into, then to give to dds_writecdr
///   raw_sample_of     the block of a sample from dds_takecdr
///   raw_pool_fill     make blocks ahead of the first message
#ifndef RAW_CDR_H_
#define RAW_CDR_H_

#include <stddef.h>
#include <stdint.h>

#include "dds/dds.h"
#include "dds/ddsi/ddsi_serdata.h"
#include "dds/ddsi/ddsi_sertype.h"

typedef struct raw_sample {
  struct ddsi_serdata base;    // first: Cyclone sees only this
  struct raw_sample * next;    // in the pool
  uint32_t size;               // bytes with encapsulation, a multiple of four
  uint32_t pool;               // which list it goes back to
  _Alignas(8) uint8_t data[];  // encapsulation, then the message
} raw_sample_t;

/// NULL when out of memory. dds_create_topic_sertype takes the reference.
struct ddsi_sertype * raw_sertype_new(const char * type_name);

/// A block for `size` bytes; up to three bytes of zeros are added. NULL when out of memory.
raw_sample_t * raw_sample_new(const struct ddsi_sertype * type, size_t size);

static inline raw_sample_t *
raw_sample_of(struct ddsi_serdata * serdata)
{
  return (raw_sample_t *)serdata;
}

void raw_pool_fill(void);

/// Blocks that had to come from the heap since the start.
uint64_t raw_pool_misses(void);

#endif  // RAW_CDR_H_
