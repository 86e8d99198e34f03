// Where links touch the ground: a list `contacts` of shapes in YAML, as those of <collision>.
#define _POSIX_C_SOURCE 200809L  // strdup
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mechanism_internal.h"

enum { MOST_CONTACTS = 1024 };

// keys that say what the shape is; without one it is a point
static const struct {
  const char * key;
  mbdx_shape_type_t type;
  int n;  // numbers
} KINDS[] = {
  {"sphere", MBDX_SHAPE_SPHERE, 1},
  {"box", MBDX_SHAPE_BOX, 3},
  {"cylinder", MBDX_SHAPE_CYLINDER, 2},
  {"capsule", MBDX_SHAPE_CAPSULE, 2}};

static void
read_shape(urdf_yaml_t * r, size_t kind, const yaml_node_t * value, mechanism_contact_t * c)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  const char * key = KINDS[kind].key;
  const int n = KINDS[kind].n;
  if (c->shape) {
    urdf_say(r->loader, MBDX_ERROR, place, "keep one of them", "has both %s and %s", c->shape, key);
    return;
  }
  c->shape = key, c->type = KINDS[kind].type;
  const bool read = n == 1 ? urdf_yaml_number(r, value, key, c->size)
                           : mechanism_numbers(r, value, key, n, n, c->size) == n;
  for (int k = 0; read && k < n; k++) {
    if (!(c->size[k] > 0))
      urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s: %g is not positive", key, c->size[k]);
  }
}

static void
read_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_contact_t * c = to;
  for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
    if (strcmp(KINDS[k].key, key) != 0) continue;
    read_shape(r, k, value, c);
    return;
  }
  if (strcmp(key, "at") == 0)
    urdf_yaml_end(r, value, "at", &c->at);
  else if (strcmp(key, "name") != 0)
    urdf_yaml_unknown(r, key, value, "known keys: name, at, sphere, box, cylinder, capsule");
}

static void
check_contact(urdf_loader_t * loader, urdf_place_t place, const mechanism_contact_t * c)
{
  if (!c->at.given)
    urdf_say(
      loader, MBDX_ERROR, place, "add at: LINK, or at: {link: ..., xyz: ...}", "at is missing");
  else if (!c->at.link)
    urdf_say(
      loader, MBDX_ERROR, place, "name a link; the ground is a parameter of mbdyn_sim",
      "at: the world does not move");
  else if (urdf_find_link(&loader->robot, c->at.link) < 0)
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "at: there is no link %s",
      urdf_name(c->at.link).s);
  else if (c->at.has_axis)
    urdf_say(loader, MBDX_ERROR, place, "write rpy", "at: axis does not say how a shape is turned");
}

void
mechanism_read_contact(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables)
{
  urdf_loader_t * loader = r->loader;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"contact", NULL, yaml_tree_line(node)};
  if (tables->ncontact >= MOST_CONTACTS) {
    urdf_fail(loader, MBD_ERROR_LIMIT, r->place, NULL, "more than %d contacts", MOST_CONTACTS);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&tables->contact, tables->ncontact, &tables->contact_capacity,
        sizeof *tables->contact))
    return;
  mechanism_contact_t * c = &tables->contact[tables->ncontact++];
  memset(c, 0, sizeof *c);
  c->line = r->place.line;
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = urdf_yaml_text(r, name, "name");
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  urdf_yaml_mapping(r, node, "a contact", read_key, c);
  // what could not be read would only be missed once more
  if (loader->status == MBD_OK) check_contact(loader, r->place, c);
  if (loader->status == MBD_OK) loader->status = before;
  r->place = outside;
}

bool
mechanism_add_contacts(
  urdf_loader_t * loader, const mechanism_tables_t * tables, mbdx_mechanism_t * mechanism)
{
  if (tables->ncontact == 0) return true;
  mbdx_shapes_t * shapes = mechanism->contacts = calloc(1, sizeof *shapes);
  if (shapes) shapes->shape = calloc((size_t)tables->ncontact, sizeof *shapes->shape);
  bool good = shapes && shapes->shape;
  for (int k = 0; good && k < tables->ncontact; k++) {
    const mechanism_contact_t * c = &tables->contact[k];
    mbdx_shape_t * s = &shapes->shape[shapes->n];
    *s = (mbdx_shape_t){.type = c->type, .X = urdf_end_placement(&c->at), .line = c->line};
    s->link = strdup(c->at.link);
    good = s->link != NULL;
    if (good) shapes->n++;
    if (c->type == MBDX_SHAPE_BOX)
      s->size = mbdu_vec3(c->size[0], c->size[1], c->size[2]);
    else
      s->radius = c->size[0], s->length = c->size[1];
  }
  if (!good) loader->out_of_memory = true;
  return good;
}
