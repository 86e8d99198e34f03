// CRC-32 of ISO 3309 (polynomial 0xEDB88320, reflected), as MCAP uses it.
#ifndef CRC32_H_
#define CRC32_H_

#include <stddef.h>
#include <stdint.h>

// of `size` more bytes after those that gave `crc`; 0 at the start
uint32_t crc32_add(uint32_t crc, const uint8_t * data, size_t size);

#endif  // CRC32_H_
