// Chunks as they lie in a file: lz4 frames, zstd frames, or plain.
#include "compress.h"

#include <string.h>

#ifdef MBDYN_LZ4
#include <lz4frame.h>
#endif
#ifdef MBDYN_ZSTD
#include <zstd.h>
#endif

bool
compress_has(bag_compression_t compression)
{
#ifdef MBDYN_LZ4
  if (compression == BAG_LZ4) return true;
#endif
#ifdef MBDYN_ZSTD
  if (compression == BAG_ZSTD) return true;
#endif
  return compression == BAG_NONE;
}

//---------- lz4 ----------

#ifdef MBDYN_LZ4
static bool
compress_lz4(const uint8_t * data, size_t size, bytes_t * out)
{
  const size_t bound = LZ4F_compressFrameBound(size, NULL);
  if (!bytes_reserve(out, bound)) return false;
  const size_t n = LZ4F_compressFrame(out->data + out->size, bound, data, size, NULL);
  if (LZ4F_isError(n)) return false;
  out->size += n;
  return true;
}

static bool
decompress_lz4(span_t in, uint8_t * out, size_t size)
{
  LZ4F_dctx * context = NULL;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) return false;
  size_t done = 0, used = 0, hint = 1;
  while (used < in.size && hint != 0) {
    size_t written = size - done, left = in.size - used;
    hint = LZ4F_decompress(context, out + done, &written, in.data + used, &left, NULL);
    if (LZ4F_isError(hint) || (written == 0 && left == 0)) break;
    done += written;
    used += left;
  }
  LZ4F_freeDecompressionContext(context);
  return hint == 0 && done == size;
}
#endif

//---------- zstd ----------

#ifdef MBDYN_ZSTD
static bool
compress_zstd(const uint8_t * data, size_t size, bytes_t * out)
{
  // as fast as it gets: a recorder shares its machine with the robot's programs
  const int level = 1;
  const size_t bound = ZSTD_compressBound(size);
  if (!bytes_reserve(out, bound)) return false;
  const size_t n = ZSTD_compress(out->data + out->size, bound, data, size, level);
  if (ZSTD_isError(n)) return false;
  out->size += n;
  return true;
}

static bool
decompress_zstd(span_t in, uint8_t * out, size_t size)
{
  const size_t n = ZSTD_decompress(out, size, in.data, in.size);
  return !ZSTD_isError(n) && n == size;
}
#endif

//---------- all ----------

bool
compress_bytes(bag_compression_t how, const uint8_t * data, size_t size, bytes_t * out)
{
#ifdef MBDYN_LZ4
  if (how == BAG_LZ4) return compress_lz4(data, size, out);
#endif
#ifdef MBDYN_ZSTD
  if (how == BAG_ZSTD) return compress_zstd(data, size, out);
#endif
  if (how != BAG_NONE) return false;
  put_raw(out, data, size);
  return !out->failed;
}

bool
decompress_bytes(bag_compression_t how, span_t in, uint8_t * out, size_t size)
{
#ifdef MBDYN_LZ4
  if (how == BAG_LZ4) return decompress_lz4(in, out, size);
#endif
#ifdef MBDYN_ZSTD
  if (how == BAG_ZSTD) return decompress_zstd(in, out, size);
#endif
  if (how != BAG_NONE || in.size != size) return false;
  if (size > 0) memcpy(out, in.data, size);
  return true;
}
