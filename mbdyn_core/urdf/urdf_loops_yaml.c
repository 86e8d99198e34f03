// Loops in YAML: a document with the keys `closures` and `independent`.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "urdf_internal.h"

// what is being read
typedef struct reader {
  urdf_loader_t * loader;
  yaml_document_t * doc;
  urdf_place_t place;
} reader_t;

static int
line_of(const yaml_node_t * node)
{
  return node->start_mark.line < INT_MAX ? (int)node->start_mark.line + 1 : 0;
}

static yaml_node_t *
node_at(const reader_t * r, int index)
{
  return yaml_document_get_node(r->doc, index);
}

// text of a scalar, or NULL with a sentence; `what` names it
static const char *
text_of(reader_t * r, const yaml_node_t * node, const char * what)
{
  urdf_place_t place = r->place;
  place.line = line_of(node);
  if (node->type != YAML_SCALAR_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s is not a single value", what);
    return NULL;
  }
  const char * text = (const char *)node->data.scalar.value;
  if (strlen(text) == node->data.scalar.length && strlen(text) <= URDF_MAX_NAME) return text;
  urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s is too long or has a zero in it", what);
  return NULL;
}

static bool
read_number(reader_t * r, const yaml_node_t * node, const char * what, double * x)
{
  urdf_place_t place = r->place;
  place.line = line_of(node);
  const char * text = text_of(r, node, what);
  return text && urdf_number(r->loader, place, what, text, x) &&
         urdf_within_size(r->loader, place, what, x, 1);
}

// [x, y, z], or three numbers in one text as in URDF
static bool
read_triple(reader_t * r, const yaml_node_t * node, const char * what, double x[3])
{
  urdf_place_t place = r->place;
  place.line = line_of(node);
  if (node->type == YAML_SCALAR_NODE) {
    const char * text = text_of(r, node, what);
    return text && urdf_triple(r->loader, place, what, text, x) &&
           urdf_within_size(r->loader, place, what, x, 3);
  }
  const yaml_node_item_t * item = node->data.sequence.items.start;
  if (node->type != YAML_SEQUENCE_NODE || node->data.sequence.items.top - item != 3) {
    urdf_say(r->loader, MBDX_ERROR, place, "write [x, y, z]", "%s is not three numbers", what);
    return false;
  }
  for (int k = 0; k < 3; k++) {
    if (!read_number(r, node_at(r, item[k]), what, &x[k])) return false;
  }
  return true;
}

//---------- mappings ----------

typedef void (*read_key_t)(reader_t * r, const char * key, const yaml_node_t * value, void * to);

// every key of a mapping once, or sentences
static void
read_mapping(reader_t * r, const yaml_node_t * node, const char * what, read_key_t read, void * to)
{
  urdf_place_t place = r->place;
  place.line = line_of(node);
  if (node->type != YAML_MAPPING_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, "write key: value", "%s has no keys", what);
    return;
  }
  const yaml_node_pair_t * begin = node->data.mapping.pairs.start;
  for (const yaml_node_pair_t * p = begin; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * key_node = node_at(r, p->key);
    const char * key = text_of(r, key_node, "a key");
    if (!key) continue;
    place.line = line_of(key_node);
    bool twice = false;
    for (const yaml_node_pair_t * q = begin; q < p && !twice; q++) {
      const yaml_node_t * other = node_at(r, q->key);
      twice = other->type == YAML_SCALAR_NODE && !strcmp((char *)other->data.scalar.value, key);
    }
    if (twice) {
      urdf_say(
        r->loader, MBDX_ERROR, place, "keep one of them", "%s is there twice", urdf_value(key).s);
      continue;
    }
    read(r, key, node_at(r, p->value), to);
  }
}

static void
unknown_key(reader_t * r, const char * key, const yaml_node_t * value, const char * hint)
{
  urdf_place_t place = r->place;
  place.line = line_of(value);
  urdf_say(r->loader, MBDX_ERROR, place, hint, "key %s is unknown", urdf_value(key).s);
}

//---------- one closure ----------

static void
read_end_key(reader_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_end_t * end = to;
  if (strcmp(key, "link") == 0) {
    end->link = text_of(r, value, "link");
    end->given = end->link != NULL;
  } else if (strcmp(key, "xyz") == 0) {
    read_triple(r, value, "xyz", end->xyz);
  } else if (strcmp(key, "rpy") == 0) {
    end->has_rpy = read_triple(r, value, "rpy", end->rpy);
  } else if (strcmp(key, "axis") == 0) {
    end->has_axis = read_triple(r, value, "axis", end->axis);
  } else {
    unknown_key(r, key, value, "there are link, xyz, rpy and axis");
  }
}

// a link's name, `world`, or a mapping
static void
read_end(reader_t * r, const yaml_node_t * node, const char * key, urdf_end_t * end)
{
  if (node->type == YAML_SCALAR_NODE) {
    end->link = text_of(r, node, key);
    end->given = end->link != NULL;
  } else {
    read_mapping(r, node, key, read_end_key, end);
  }
  // a link may be called so
  const bool world = end->link && strcmp(end->link, "world") == 0;
  if (world && urdf_find_link(&r->loader->robot, "world") < 0) end->link = NULL;
}

static void
read_joint_key(reader_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_closure_t * c = to;
  if (c->njoint == MBD_COUPLED_MAX) {
    urdf_place_t place = r->place;
    place.line = line_of(value);
    urdf_say(r->loader, MBDX_ERROR, place, NULL, "more than %d joints", MBD_COUPLED_MAX);
    return;
  }
  c->joint[c->njoint] = key;
  if (read_number(r, value, "coefficient", &c->coefficient[c->njoint])) c->njoint++;
}

static void
read_driver_key(reader_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mbd_driver_t * driver = to;
  double row;
  if (strcmp(key, "value") == 0) {
    read_number(r, value, "value", &driver->value);
  } else if (strcmp(key, "rate") == 0) {
    read_number(r, value, "rate", &driver->rate);
  } else if (strcmp(key, "row") != 0) {
    unknown_key(r, key, value, "there are value, rate and row");
  } else if (read_number(r, value, "row", &row)) {
    // whole numbers of a few rows only; anything else is refused where rows are counted
    driver->row = row >= 0 && row < 100 && row == (int)row ? (int)row : -1;
  }
}

// `name` and `type` were read already
static void
read_closure_key(reader_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_closure_t * c = to;
  if (strcmp(key, "a") == 0) {
    read_end(r, value, "a", &c->a);
  } else if (strcmp(key, "b") == 0) {
    read_end(r, value, "b", &c->b);
  } else if (strcmp(key, "distance") == 0) {
    read_number(r, value, "distance", &c->distance);
  } else if (strcmp(key, "joints") == 0) {
    read_mapping(r, value, "joints", read_joint_key, c);
  } else if (strcmp(key, "offset") == 0) {
    read_number(r, value, "offset", &c->offset);
  } else if (strcmp(key, "driver") == 0) {
    read_mapping(r, value, "driver", read_driver_key, &c->driver);
  } else if (strcmp(key, "name") != 0 && strcmp(key, "type") != 0) {
    unknown_key(r, key, value, "there are name, type, a, b, distance, joints, offset and driver");
  }
}

// value of a key of a mapping, or NULL
static const yaml_node_t *
value_of(const reader_t * r, const yaml_node_t * node, const char * key)
{
  if (node->type != YAML_MAPPING_NODE) return NULL;
  const yaml_node_pair_t * p = node->data.mapping.pairs.start;
  for (; p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * k = node_at(r, p->key);
    if (k->type == YAML_SCALAR_NODE && !strcmp((char *)k->data.scalar.value, key)) {
      return node_at(r, p->value);
    }
  }
  return NULL;
}

static void
read_closure(reader_t * r, const yaml_node_t * node)
{
  urdf_closure_t * c = urdf_new_closure(r->loader, line_of(node));
  if (!c) return;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"closure", NULL, c->line};
  const yaml_node_t * name = value_of(r, node, "name");
  if (name) r->place.name = c->name = text_of(r, name, "name");
  const yaml_node_t * type = value_of(r, node, "type");
  bool good = true;
  if (!type) {
    urdf_say(r->loader, MBDX_ERROR, r->place, "add type: ...", "has no type");
    good = false;
  } else {
    const char * text = text_of(r, type, "type");
    urdf_place_t place = r->place;
    place.line = line_of(type);
    good = text && urdf_closure_type(r->loader, place, text, &c->type);
  }
  const mbd_status_t before = r->loader->status;
  r->loader->status = MBD_OK;
  read_mapping(r, node, "a closure", read_closure_key, c);
  // what could not be read would only be missed once more
  good = good && r->loader->status == MBD_OK;
  if (r->loader->status == MBD_OK) r->loader->status = before;
  if (good) urdf_check_closure(r->loader, c);
  r->place = outside;
}

//---------- the document ----------

static void
read_independent(reader_t * r, const yaml_node_t * node)
{
  urdf_loader_t * loader = r->loader;
  const char * name = text_of(r, node, "independent");
  urdf_place_t place = r->place;
  place.line = line_of(node);
  if (!name) return;
  const int j = urdf_find_joint(&loader->robot, name);
  if (j < 0 || !urdf_moves(&loader->robot.joint[j])) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "independent: there is no moving joint %s",
      urdf_name(name).s);
    return;
  }
  if (urdf_reserve(
        loader, (void **)&loader->independent, loader->nindependent, &loader->independent_capacity,
        sizeof *loader->independent)) {
    loader->independent[loader->nindependent++] = name;
  }
}

static void
read_list(
  reader_t * r, const yaml_node_t * node, const char * what,
  void (*read)(reader_t * r, const yaml_node_t * node))
{
  urdf_place_t place = r->place;
  place.line = line_of(node);
  if (node->type != YAML_SEQUENCE_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place, "begin each with a dash", "%s is not a list", what);
    return;
  }
  const yaml_node_item_t * item = node->data.sequence.items.start;
  for (; item < node->data.sequence.items.top; item++) {
    if (r->loader->out_of_memory || r->loader->status == MBD_ERROR_LIMIT) return;
    read(r, node_at(r, *item));
  }
}

static void
read_document_key(reader_t * r, const char * key, const yaml_node_t * value, void * to)
{
  (void)to;
  if (strcmp(key, "closures") == 0) {
    read_list(r, value, "closures", read_closure);
  } else if (strcmp(key, "independent") == 0) {
    read_list(r, value, "independent", read_independent);
  } else {
    unknown_key(r, key, value, "there are closures and independent");
  }
}

static void
say_not_yaml(urdf_loader_t * loader, const yaml_parser_t * parser)
{
  const int line = parser->problem_mark.line < INT_MAX ? (int)parser->problem_mark.line + 1 : 0;
  const urdf_place_t place = {"file", NULL, line};
  if (parser->error == YAML_MEMORY_ERROR) {
    loader->out_of_memory = true;
  } else {
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "is not YAML: %s",
      parser->problem ? parser->problem : "cannot be read");
  }
}

void
urdf_read_loops_yaml(urdf_loader_t * loader, const char * text, size_t size)
{
  reader_t r = {.loader = loader, .place = {"file", NULL, 0}};
  if (size > URDF_MAX_LOOPS_BYTES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, r.place, NULL, "is larger than %d bytes", (int)URDF_MAX_LOOPS_BYTES);
    return;
  }
  yaml_parser_t parser;
  yaml_document_t * doc = calloc(1, sizeof *doc);
  if (!doc || !yaml_parser_initialize(&parser)) {
    free(doc);
    loader->out_of_memory = true;
    return;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  if (!yaml_parser_load(&parser, doc)) {
    say_not_yaml(loader, &parser);
    free(doc);
  } else {
    r.doc = loader->yaml = doc;
    const yaml_node_t * root = yaml_document_get_root_node(doc);
    // an empty file has no loops
    if (root) read_mapping(&r, root, "the file", read_document_key, NULL);
  }
  yaml_parser_delete(&parser);
}

void
urdf_free_loops_yaml(urdf_loader_t * loader)
{
  if (!loader->yaml) return;
  yaml_document_delete(loader->yaml);
  free(loader->yaml);
  loader->yaml = NULL;
}
