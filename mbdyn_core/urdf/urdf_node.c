// Memory of what is read, and looking at the tree of elements.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"

//---------- memory ----------

enum { BLOCK_BYTES = 32 * 1024 };

typedef struct block {
  struct block * before;
  size_t used, size;
  max_align_t bytes[];
} block_t;

void *
urdf_allocate_in_tree(urdf_loader_t * loader, size_t size)
{
  block_t * block = loader->tree_memory;
  size = (size + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
  if (!block || block->size - block->used < size) {
    const size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;
    block_t * more = malloc(sizeof *more + bytes);
    if (!more) {
      loader->out_of_memory = true;
      return NULL;
    }
    *more = (block_t){block, 0, bytes};
    loader->tree_memory = block = more;
  }
  void * memory = (char *)block->bytes + block->used;
  block->used += size;
  return memory;
}

void
urdf_free_tree(urdf_loader_t * loader)
{
  for (block_t * block = loader->tree_memory; block;) {
    block_t * before = block->before;
    free(block);
    block = before;
  }
  loader->tree_memory = NULL;
  loader->root = NULL;
}

bool
urdf_reserve(urdf_loader_t * loader, void ** array, int count, int * capacity, size_t size)
{
  if (count < *capacity) return true;
  const int more = *capacity == 0 ? 16 : 2 * *capacity;
  void * grown = realloc(*array, (size_t)more * size);
  if (!grown) {
    loader->out_of_memory = true;
    return false;
  }
  *array = grown;
  *capacity = more;
  return true;
}

//---------- looking at the tree ----------

bool
urdf_is(const urdf_node_t * node, const char * name)
{
  return node->name[0] == name[0] && strcmp(node->name, name) == 0;
}

const char *
urdf_attribute(const urdf_node_t * node, const char * name)
{
  for (const urdf_attribute_t * a = node->attribute; a; a = a->next) {
    if (strcmp(a->name, name) == 0) return a->value;
  }
  return NULL;
}

static void
check_attributes(
  urdf_loader_t * loader, mbdx_severity_t severity, const urdf_node_t * node, urdf_place_t place,
  const char * const * known)
{
  for (const urdf_attribute_t * a = node->attribute; a; a = a->next) {
    const char * const * k = known;
    while (*k && strcmp(a->name, *k) != 0) k++;
    if (*k || strcmp(a->name, "xmlns") == 0 || strncmp(a->name, "xmlns:", 6) == 0) continue;
    if (strchr(a->name, ':')) {
      urdf_say(
        loader, MBDX_NOTE, place, NULL, "attribute %s of %s has another namespace and is ignored",
        urdf_name(a->name).s, urdf_tag(node).s);
      continue;
    }
    const bool refused = severity == MBDX_ERROR;
    urdf_say(
      loader, severity, place, refused ? "correct the name, or remove it" : NULL,
      refused ? "attribute %s of %s is unknown" : "attribute %s of %s is ignored",
      urdf_name(a->name).s, urdf_tag(node).s);
  }
}

void
urdf_warn_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_WARNING, node, place, known);
}

void
urdf_refuse_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known)
{
  check_attributes(loader, MBDX_ERROR, node, place, known);
}

const char *
urdf_attribute_since(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name,
  int version)
{
  const char * text = urdf_attribute(node, name);
  if (!text || loader->robot.version >= version) return text;
  char hint[80];
  snprintf(hint, sizeof hint, "write version=\"1.%d\" in <robot>, or remove it", version);
  urdf_say(
    loader, MBDX_ERROR, place, hint,
    "attribute %s of %s requires URDF 1.%d, but the file has version 1.%d", urdf_name(name).s,
    urdf_tag(node).s, version, loader->robot.version);
  return NULL;
}

void
urdf_warn_text(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  const char * text = node->text ? node->text : "";
  text += strspn(text, " \t\r\n");
  if (*text == 0) return;
  urdf_say(
    loader, MBDX_WARNING, place, NULL, "text %s in %s is ignored", urdf_value(text).s,
    urdf_tag(node).s);
}

urdf_node_t *
urdf_only_child(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name)
{
  urdf_node_t * first = NULL;
  for (urdf_node_t * n = node->child; n; n = n->next) {
    if (!urdf_is(n, name)) continue;
    if (!first) {
      first = n;
      continue;
    }
    place.line = n->line;
    urdf_say(
      loader, MBDX_ERROR, place, "keep one", "has a second <%s>; the first is on line %d", name,
      first->line);
    break;
  }
  return first;
}
