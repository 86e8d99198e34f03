#include "util/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t
hash(const char * name)
{
  uint64_t h = 14695981039346656037u;
  for (const unsigned char * c = (const unsigned char *)name; *c; c++)
    h = (h ^ *c) * 1099511628211u;
  return (size_t)h;
}

// the slot that holds a name, or the empty one where it would go
static size_t
slot_of(const mbdi_names_t * names, const char * name)
{
  size_t i = hash(name) & (names->size - 1);
  while (names->slot[i] != 0 && strcmp(names->name[i], name) != 0) i = (i + 1) & (names->size - 1);
  return i;
}

int
mbdi_names_find(const mbdi_names_t * names, const char * name)
{
  return names->size == 0 ? -1 : names->slot[slot_of(names, name)] - 1;
}

static bool
grow(mbdi_names_t * names)
{
  mbdi_names_t bigger = {0};
  bigger.size = names->size == 0 ? 64 : 2 * names->size;
  bigger.slot = calloc(bigger.size, sizeof *bigger.slot);
  bigger.name = calloc(bigger.size, sizeof *bigger.name);
  if (!bigger.slot || !bigger.name) {
    mbdi_names_free(&bigger);
    return false;
  }
  for (size_t i = 0; i < names->size; i++) {
    if (names->slot[i] == 0) continue;
    const size_t k = slot_of(&bigger, names->name[i]);
    bigger.slot[k] = names->slot[i];
    bigger.name[k] = names->name[i];
  }
  bigger.count = names->count;
  mbdi_names_free(names);
  *names = bigger;
  return true;
}

bool
mbdi_names_add(mbdi_names_t * names, const char * name, int index)
{
  // at most half full
  if (2 * (names->count + 1) > names->size && !grow(names)) return false;
  const size_t i = slot_of(names, name);
  names->slot[i] = index + 1;
  names->name[i] = name;
  names->count++;
  return true;
}

void
mbdi_names_free(mbdi_names_t * names)
{
  free(names->slot);
  free(names->name);
  memset(names, 0, sizeof *names);
}
