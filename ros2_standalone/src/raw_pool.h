/// \file raw_pool.h
/// Blocks for samples (private to raw_cdr.c).
#ifndef RAW_POOL_H_
#define RAW_POOL_H_

#include "raw_cdr.h"

/// A block for `size` bytes of data; only its `pool` is set.
raw_sample_t * raw_pool_get(size_t size);
void raw_pool_put(raw_sample_t * block);

#endif  // RAW_POOL_H_
