// Names to indices: a hash table that only grows (FNV-1a, open addressing).
#ifndef NAMES_H_
#define NAMES_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mbd_names {
  int * slot;   // index + 1, or 0 where empty                                   [size]
  size_t size;  // a power of two, or 0
  size_t count;
  const char ** name;  // by slot                                                 [size]
} mbd_names_t;

// index of a name, or -1
int mbd_names_find(const mbd_names_t * names, const char * name);

// remember a name that is not in the table (not copied); false when out of memory
bool mbd_names_add(mbd_names_t * names, const char * name, int index);

void mbd_names_free(mbd_names_t * names);

#endif  // NAMES_H_
