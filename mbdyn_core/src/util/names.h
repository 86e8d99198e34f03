// Names to indices: a hash table that only grows (FNV-1a, open addressing).
#ifndef NAMES_H_
#define NAMES_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct mbdi_names {
  int * slot;   // index + 1, or 0 where empty                                   [size]
  size_t size;  // a power of two, or 0
  size_t count;
  const char ** name;  // by slot                                                 [size]
} mbdi_names_t;

// index of a name, or -1
int mbdi_names_find(const mbdi_names_t * names, const char * name);

// remember a name that is not in the table (not copied); false when out of memory
bool mbdi_names_add(mbdi_names_t * names, const char * name, int index);

void mbdi_names_free(mbdi_names_t * names);

#endif  // NAMES_H_
