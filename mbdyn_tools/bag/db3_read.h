// The sqlite3 reader on a database that is open already, for tests.
#ifndef DB3_READ_H_
#define DB3_READ_H_

#include <sqlite3.h>

#include "storage.h"

// takes the database
source_t * db3_open_handle(sqlite3 * db, const char * path, bool quick, bag_error_t * error);

#endif  // DB3_READ_H_
