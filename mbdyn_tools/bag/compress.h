// Chunks as they lie in a file: lz4 frames, zstd frames, or plain.
#ifndef COMPRESS_H_
#define COMPRESS_H_

#include "bag.h"
#include "bytes.h"

// is it compiled in?
bool compress_has(bag_compression_t compression);

// appends; false if out of memory or not compiled in
bool compress_bytes(bag_compression_t how, const uint8_t * data, size_t size, bytes_t * out);

// exactly `size` bytes must come out
bool decompress_bytes(bag_compression_t how, span_t in, uint8_t * out, size_t size);

#endif  // COMPRESS_H_
