// Bytes as a sqlite3 file.
#include <string.h>

#include "db3_read.h"
#include "fuzz_bag.h"

int LLVMFuzzerTestOneInput(const uint8_t * data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t * data, size_t size)
{
  sqlite3 * db = NULL;
  unsigned char * copy = sqlite3_malloc64(size + 1);
  if (!copy || sqlite3_open(":memory:", &db) != SQLITE_OK) {
    sqlite3_free(copy);
    sqlite3_close(db);
    return 0;
  }
  memcpy(copy, data, size);
  const sqlite3_int64 n = (sqlite3_int64)size;
  // the database owns the copy from here on, whatever happens
  if (sqlite3_deserialize(db, "main", copy, n, n, SQLITE_DESERIALIZE_FREEONCLOSE) != SQLITE_OK) {
    sqlite3_close(db);
    return 0;
  }
  bag_error_t error = {""};
  fuzz_bag(db3_open_handle(db, "fuzz", false, &error), &error);
  return 0;
}
