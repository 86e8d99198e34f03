// CRC-32, eight bytes at a time by eight tables.
#include "crc32.h"

#include <pthread.h>

static uint32_t table[8][256];

static void
fill_tables(void)
{
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t x = i;
    for (int k = 0; k < 8; k++) x = x & 1 ? (x >> 1) ^ 0xEDB88320u : x >> 1;
    table[0][i] = x;
  }
  // table[k]: the same byte with k zero bytes after it
  for (int k = 1; k < 8; k++) {
    for (int i = 0; i < 256; i++) {
      const uint32_t x = table[k - 1][i];
      table[k][i] = (x >> 8) ^ table[0][x & 255];
    }
  }
}

uint32_t
crc32_add(uint32_t crc, const uint8_t * data, size_t size)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_tables);
  uint32_t x = ~crc;
  for (; size >= 8; size -= 8, data += 8) {
    const uint32_t low = x ^ ((uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 |
                              (uint32_t)data[3] << 24);
    x = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^
        table[4][low >> 24] ^ table[3][data[4]] ^ table[2][data[5]] ^ table[1][data[6]] ^
        table[0][data[7]];
  }
  for (; size > 0; size--, data++) x = (x >> 8) ^ table[0][(x ^ *data) & 255];
  return ~x;
}
