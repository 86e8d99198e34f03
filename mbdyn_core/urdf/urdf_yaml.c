// Reading YAML with sentences about what is wrong, for loops and for flexible links.
#include "urdf_yaml.h"

#include <limits.h>
#include <string.h>

yaml_node_t *
urdf_yaml_node(const urdf_yaml_t * r, int index)
{
  return yaml_document_get_node(r->doc, index);
}

// text of a scalar, or NULL with a sentence; `what` names it
const char *
urdf_yaml_text(urdf_yaml_t * r, const yaml_node_t * node, const char * what)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  if (node->type != YAML_SCALAR_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s is not a single value", what);
    return NULL;
  }
  const char * text = (const char *)node->data.scalar.value;
  if (strlen(text) == node->data.scalar.length && strlen(text) <= URDF_MAX_NAME) return text;
  urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s is too long or contains a zero byte", what);
  return NULL;
}

bool
urdf_yaml_number(urdf_yaml_t * r, const yaml_node_t * node, const char * what, double * x)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  const char * text = urdf_yaml_text(r, node, what);
  return text && urdf_number(r->loader, place, what, text, x) &&
         urdf_within_size(r->loader, place, what, x, 1);
}

// [x, y, z], or three numbers in one text as in URDF
bool
urdf_yaml_triple(urdf_yaml_t * r, const yaml_node_t * node, const char * what, double x[3])
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  if (node->type == YAML_SCALAR_NODE) {
    const char * text = urdf_yaml_text(r, node, what);
    return text && urdf_vector(r->loader, place, what, text, x, 3) &&
           urdf_within_size(r->loader, place, what, x, 3);
  }
  const yaml_node_item_t * item = node->data.sequence.items.start;
  if (node->type != YAML_SEQUENCE_NODE || node->data.sequence.items.top - item != 3) {
    urdf_say(r->loader, MBDX_ERROR, place, "write [x, y, z]", "%s is not three numbers", what);
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (!urdf_yaml_number(r, urdf_yaml_node(r, item[k]), what, &x[k])) return false;
  }
  return true;
}

// every key of a mapping once, or sentences
void
urdf_yaml_mapping(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what, urdf_yaml_key_t read, void * to)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  if (node->type != YAML_MAPPING_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, "write key: value", "%s has no keys", what);
    return;
  }
  const yaml_node_pair_t * begin = node->data.mapping.pairs.start;
  // each is compared with all before it
  if (node->data.mapping.pairs.top - begin > URDF_MAX_LINKS) {
    urdf_fail(
      r->loader, MBD_ERROR_LIMIT, place, NULL, "%s has more than %d keys", what, URDF_MAX_LINKS);
    return;
  }
  for (const yaml_node_pair_t * p = begin; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * key_node = urdf_yaml_node(r, p->key);
    const char * key = urdf_yaml_text(r, key_node, "a key");
    if (!key) continue;
    place.line = yaml_tree_line(key_node);
    bool twice = false;
    for (const yaml_node_pair_t * q = begin; q < p && !twice; q++) {
      const yaml_node_t * other = urdf_yaml_node(r, q->key);
      twice = other->type == YAML_SCALAR_NODE && !strcmp((char *)other->data.scalar.value, key);
    }
    if (twice) {
      urdf_say(r->loader, MBDX_ERROR, place, "keep one of them", "duplicate %s", urdf_value(key).s);
      continue;
    }
    read(r, key, urdf_yaml_node(r, p->value), to);
  }
}

void
urdf_yaml_unknown(urdf_yaml_t * r, const char * key, const yaml_node_t * value, const char * hint)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  urdf_say(r->loader, MBDX_ERROR, place, hint, "key %s is unknown", urdf_value(key).s);
}

// value of a key of a mapping, or NULL
const yaml_node_t *
urdf_yaml_value(const urdf_yaml_t * r, const yaml_node_t * node, const char * key)
{
  if (node->type != YAML_MAPPING_NODE) return NULL;
  const yaml_node_pair_t * p = node->data.mapping.pairs.start;
  for (; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * k = urdf_yaml_node(r, p->key);
    if (k->type == YAML_SCALAR_NODE && !strcmp((char *)k->data.scalar.value, key)) {
      return urdf_yaml_node(r, p->value);
    }
  }
  return NULL;
}

void
urdf_yaml_list(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what,
  void (*read)(urdf_yaml_t * r, const yaml_node_t * node))
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  if (node->type != YAML_SEQUENCE_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, "begin each with a dash", "%s is not a list", what);
    return;
  }
  const yaml_node_item_t * item = node->data.sequence.items.start;
  for (; item < node->data.sequence.items.top; item++) {
    if (r->loader->out_of_memory || r->loader->status == MBD_ERROR_LIMIT) return;
    read(r, urdf_yaml_node(r, *item));
  }
}

yaml_document_t *
urdf_yaml_parse(urdf_loader_t * loader, const char * text, size_t size)
{
  yaml_fault_t fault;
  yaml_document_t * doc = yaml_tree_read(text, size, true, &fault);
  const urdf_place_t place = {"file", NULL, fault.line < INT_MAX ? (int)fault.line : 0};
  switch (fault.kind) {
    case YAML_FAULT_NONE: break;
    case YAML_FAULT_MEMORY: loader->out_of_memory = true; break;
    case YAML_FAULT_SYNTAX:
      urdf_say(loader, MBDX_ERROR, place, NULL, "is not YAML: %s", fault.what);
      break;
    case YAML_FAULT_DOCUMENTS:
      urdf_say(loader, MBDX_ERROR, place, "keep one", "%s", fault.what);
      break;
    default: urdf_fail(loader, MBD_ERROR_LIMIT, place, NULL, "%s", fault.what);
  }
  return doc;
}
