// Names -> elements: a table by hash, because a file may have very many of them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf_internal.h"

// FNV-1a
static size_t
hash(const char * name)
{
  uint64_t h = 14695981039346656037u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ h >> 32);
}

// where a name is, or would be
static mjcf_named_t *
slot_of(const mjcf_names_t * names, const char * name)
{
  size_t k = hash(name) & (names->size - 1);
  while (names->slot[k].name && strcmp(names->slot[k].name, name) != 0)
    k = (k + 1) & (names->size - 1);
  return &names->slot[k];
}

static bool
grow(mjcf_names_t * names)
{
  mjcf_names_t more = {.size = names->size ? 4 * names->size : 64, .count = names->count};
  more.slot = calloc(more.size, sizeof *more.slot);
  if (!more.slot) return false;
  for (size_t k = 0; k < names->size; k++) {
    if (names->slot[k].name) *slot_of(&more, names->slot[k].name) = names->slot[k];
  }
  free(names->slot);
  *names = more;
  return true;
}

mjcf_named_t *
mjcf_find_name(const mjcf_names_t * names, const char * name)
{
  mjcf_named_t * n = names->size && name ? slot_of(names, name) : NULL;
  return n && n->name ? n : NULL;
}

mjcf_named_t *
mjcf_add_name(mjcf_t * m, mjcf_names_t * names, const char * name, bool * found)
{
  if (2 * names->count >= names->size && !grow(names)) {
    m->loader->out_of_memory = true;
    return NULL;
  }
  mjcf_named_t * n = slot_of(names, name);
  *found = n->name != NULL;
  if (*found) return n;
  *n = (mjcf_named_t){name, 0, -1};
  names->count++;
  return n;
}

const char *
mjcf_make_name(mjcf_t * m, mjcf_names_t * names, const char * a, const char * b)
{
  enum { NUMBER = 16 };
  const size_t size = strlen(a) + strlen(b) + NUMBER;
  char * name = urdf_allocate_in_tree(m->loader, size);
  if (!name) return NULL;
  snprintf(name, size, "%s%s", a, b);
  for (int k = 2; mjcf_find_name(names, name); k++) snprintf(name, size, "%s%s_%d", a, b, k);
  bool found;
  return mjcf_add_name(m, names, name, &found) ? name : NULL;
}
