// Reading YAML with sentences about what is wrong, for loops and for flexible links.
#ifndef URDF_YAML_H_
#define URDF_YAML_H_

#include "urdf_internal.h"
#include "yaml_tree.h"

// what is being read
typedef struct urdf_yaml {
  urdf_loader_t * loader;
  yaml_document_t * doc;
  urdf_place_t place;
} urdf_yaml_t;

typedef void (*urdf_yaml_key_t)(
  urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to);

// a document, or NULL with a sentence; give it to yaml_tree_free
yaml_document_t * urdf_yaml_parse(urdf_loader_t * loader, const char * text, size_t size);

yaml_node_t * urdf_yaml_node(const urdf_yaml_t * r, int index);

// text of a scalar, or NULL with a sentence; `what` names it
const char * urdf_yaml_text(urdf_yaml_t * r, const yaml_node_t * node, const char * what);

bool urdf_yaml_number(urdf_yaml_t * r, const yaml_node_t * node, const char * what, double * x);

// [x, y, z], or three numbers in one text as in URDF
bool urdf_yaml_triple(urdf_yaml_t * r, const yaml_node_t * node, const char * what, double x[3]);

// every key of a mapping once, or sentences
void urdf_yaml_mapping(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what, urdf_yaml_key_t read, void * to);
void urdf_yaml_unknown(
  urdf_yaml_t * r, const char * key, const yaml_node_t * value, const char * hint);

// value of a key of a mapping, or NULL
const yaml_node_t * urdf_yaml_value(
  const urdf_yaml_t * r, const yaml_node_t * node, const char * key);

// every item of a list, or a sentence
void urdf_yaml_list(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what,
  void (*read)(urdf_yaml_t * r, const yaml_node_t * node));

// one side of a closure or force: a link's name, `world`, or a mapping (urdf_loops_yaml.c)
void urdf_yaml_end(urdf_yaml_t * r, const yaml_node_t * node, const char * key, urdf_end_t * end);

// items of the lists `closures` and `independent` (urdf_loops_yaml.c), and of `forces`
// (mechanism_forces.c)
void urdf_read_closure(urdf_yaml_t * r, const yaml_node_t * node);
void urdf_read_independent(urdf_yaml_t * r, const yaml_node_t * node);
void urdf_read_force(urdf_yaml_t * r, const yaml_node_t * node);

#endif  // URDF_YAML_H_
