// Loops in YAML: a document with the keys `closures`, `forces` and `independent`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "mechanism_internal.h"
#include "urdf_internal.h"
#include "urdf_yaml.h"

//---------- one closure ----------

static void
read_surface_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_end_t * end = to;
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  if (strcmp(key, "inside") == 0) {
    const char * text = urdf_yaml_text(r, value, key);
    end->surface.inside = text && strcmp(text, "true") == 0;
    if (text && !end->surface.inside && strcmp(text, "false") != 0)
      urdf_say(r->loader, MBDX_ERROR, place, "write true or false", "inside is neither");
    return;
  }
  int type = MBD_SURFACE_PLANE;
  while (type < MBD_SURFACE_TYPES && strcmp(mbd_surface_type_name((mbd_surface_type_t)type), key)) {
    type++;
  }
  if (type == MBD_SURFACE_TYPES || end->has_surface) {
    urdf_say(
      r->loader, MBDX_ERROR, place,
      "write one of plane, sphere, ellipsoid, cylinder, paraboloid and disk", "surface %s %s",
      urdf_value(key).s, end->has_surface ? "is a second one" : "is unknown");
    return;
  }
  end->has_surface = true;
  end->surface.type = (mbd_surface_type_t)type;
  const int n = mbd_surface_sizes(end->surface.type);
  if (n == 1 && value->type == YAML_SCALAR_NODE)
    urdf_yaml_number(r, value, key, end->surface.size);
  else
    mechanism_numbers(r, value, key, n, n, end->surface.size);
}

// plane, or {sphere: 0.5}
static void
read_surface(urdf_yaml_t * r, const yaml_node_t * node, urdf_end_t * end)
{
  if (node->type != YAML_SCALAR_NODE) {
    urdf_yaml_mapping(r, node, "surface", read_surface_key, end);
    return;
  }
  const char * text = urdf_yaml_text(r, node, "surface");
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  end->has_surface = text && strcmp(text, "plane") == 0;
  end->surface.type = MBD_SURFACE_PLANE;
  if (text && !end->has_surface)
    urdf_say(
      r->loader, MBDX_ERROR, place, "write plane, or its sizes as in {sphere: 0.5}",
      "surface %s has no sizes", urdf_value(text).s);
}

static void
read_end_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_end_t * end = to;
  if (strcmp(key, "link") == 0) {
    end->link = urdf_yaml_text(r, value, "link");
    end->given = end->link != NULL;
  } else if (strcmp(key, "xyz") == 0) {
    urdf_yaml_triple(r, value, "xyz", end->xyz);
  } else if (strcmp(key, "rpy") == 0) {
    end->has_rpy = urdf_yaml_triple(r, value, "rpy", end->rpy);
  } else if (strcmp(key, "axis") == 0) {
    end->has_axis = urdf_yaml_triple(r, value, "axis", end->axis);
  } else if (end->may_have_surface && strcmp(key, "surface") == 0) {
    read_surface(r, value, end);
  } else {
    urdf_yaml_unknown(
      r, key, value,
      end->may_have_surface ? "known keys: link, xyz, rpy, axis, surface"
                            : "known keys: link, xyz, rpy, axis");
  }
}

// a link's name, `world`, or a mapping
void
urdf_yaml_end(urdf_yaml_t * r, const yaml_node_t * node, const char * key, urdf_end_t * end)
{
  if (node->type == YAML_SCALAR_NODE) {
    end->link = urdf_yaml_text(r, node, key);
    end->given = end->link != NULL;
  } else {
    urdf_yaml_mapping(r, node, key, read_end_key, end);
  }
  // a link may be called so
  const bool world = end->link && strcmp(end->link, "world") == 0;
  if (world && urdf_find_link(&r->loader->robot, "world") < 0) end->link = NULL;
}

static void
read_joint_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_closure_t * c = to;
  if (c->njoint == MBD_COUPLED_MAX) {
    urdf_place_t place = r->place;
    place.line = yaml_tree_line(value);
    urdf_say(r->loader, MBDX_ERROR, place, NULL, "more than %d joints", MBD_COUPLED_MAX);
    return;
  }
  c->joint[c->njoint] = key;
  if (urdf_yaml_number(r, value, "coefficient", &c->coefficient[c->njoint])) c->njoint++;
}

static void
read_driver_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mbd_driver_t * driver = to;
  double row;
  if (strcmp(key, "value") == 0) {
    urdf_yaml_number(r, value, "value", &driver->value);
  } else if (strcmp(key, "rate") == 0) {
    urdf_yaml_number(r, value, "rate", &driver->rate);
  } else if (strcmp(key, "row") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: value, rate, row");
  } else if (urdf_yaml_number(r, value, "row", &row)) {
    // whole numbers of a few rows only; anything else is refused where rows are counted
    driver->row = row >= 0 && row < 100 && row == (int)row ? (int)row : -1;
  }
}

// `name` and `type` were read already
static void
read_closure_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_closure_t * c = to;
  if (strcmp(key, "a") == 0) {
    urdf_yaml_end(r, value, "a", &c->a);
  } else if (strcmp(key, "b") == 0) {
    urdf_yaml_end(r, value, "b", &c->b);
  } else if (strcmp(key, "distance") == 0) {
    urdf_yaml_number(r, value, "distance", &c->distance);
  } else if (strcmp(key, "pitch") == 0) {
    urdf_yaml_number(r, value, "pitch", &c->pitch);
  } else if (strcmp(key, "joints") == 0) {
    urdf_yaml_mapping(r, value, "joints", read_joint_key, c);
  } else if (strcmp(key, "offset") == 0) {
    urdf_yaml_number(r, value, "offset", &c->offset);
  } else if (strcmp(key, "driver") == 0) {
    urdf_yaml_mapping(r, value, "driver", read_driver_key, &c->driver);
  } else if (strcmp(key, "name") != 0 && strcmp(key, "type") != 0) {
    urdf_yaml_unknown(
      r, key, value, "known keys: name, type, a, b, distance, pitch, joints, offset, driver");
  }
}

// A massless link with a hinge on a and a ball on b: the ball at a distance from the hinge, in the plane
// normal to its axis. Two closures: the second is the plane, under a name of its own.
static void
add_plane_of_link(urdf_yaml_t * r, int index)
{
  urdf_loader_t * loader = r->loader;
  const char * name = loader->closure[index].name;
  const size_t size = strlen(name) + sizeof "_plane";
  char * made = malloc(size);
  if (
    !made || !urdf_reserve(
               loader, (void **)&loader->made_name, loader->nmade_name, &loader->made_name_capacity,
               sizeof *loader->made_name)) {
    loader->out_of_memory = true;
    free(made);
    return;
  }
  snprintf(made, size, "%s_plane", name);
  loader->made_name[loader->nmade_name++] = made;
  urdf_closure_t * plane = urdf_new_closure(loader, loader->closure[index].line);
  if (!plane) return;
  urdf_closure_t * rod = &loader->closure[index];
  *plane = *rod;
  plane->name = made, plane->type = MBD_CLOSURE_ON_PLANE, plane->distance = 0;
  plane->driver = (mbd_driver_t){0};
  rod->a.has_axis = rod->b.has_axis = false;
  urdf_check_closure(loader, plane);
}

void
urdf_read_closure(urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_closure_t * c = urdf_new_closure(r->loader, yaml_tree_line(node));
  if (!c) return;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"closure", NULL, c->line};
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = c->name = urdf_yaml_text(r, name, "name");
  const yaml_node_t * type = urdf_yaml_value(r, node, "type");
  c->a.may_have_surface = c->b.may_have_surface = true;
  bool good = true, link = false;
  if (!type) {
    urdf_say(r->loader, MBDX_ERROR, r->place, "add type: ...", "has no type");
    good = false;
  } else {
    const char * text = urdf_yaml_text(r, type, "type");
    urdf_place_t place = r->place;
    place.line = yaml_tree_line(type);
    link = text && strcmp(text, "revolute_spherical") == 0;
    c->type = MBD_CLOSURE_DISTANCE;
    good = text && (link || urdf_closure_type(r->loader, place, text, &c->type));
  }
  const mbd_status_t before = r->loader->status;
  r->loader->status = MBD_OK;
  urdf_yaml_mapping(r, node, "a closure", read_closure_key, c);
  // what could not be read would only be missed once more
  good = good && r->loader->status == MBD_OK;
  if (r->loader->status == MBD_OK) r->loader->status = before;
  const int index = (int)(c - r->loader->closure);
  if (good && link && c->name) add_plane_of_link(r, index);
  if (good) urdf_check_closure(r->loader, &r->loader->closure[index]);
  r->place = outside;
}

//---------- the document ----------

void
urdf_read_independent(urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_loader_t * loader = r->loader;
  const char * name = urdf_yaml_text(r, node, "independent");
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
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
read_document_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  (void)to;
  if (strcmp(key, "closures") == 0) {
    urdf_yaml_list(r, value, "closures", urdf_read_closure);
  } else if (strcmp(key, "independent") == 0) {
    urdf_yaml_list(r, value, "independent", urdf_read_independent);
  } else if (strcmp(key, "forces") == 0) {
    urdf_yaml_list(r, value, "forces", urdf_read_force);
  } else {
    urdf_yaml_unknown(r, key, value, "known keys: closures, forces, independent");
  }
}

void
urdf_read_loops_yaml(urdf_loader_t * loader, const char * text, size_t size)
{
  const urdf_place_t place = {"file", NULL, 0};
  if (size > URDF_MAX_LOOPS_BYTES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, place, "add further closures in C with mbd_model_add_closure",
      "is larger than %d bytes", (int)URDF_MAX_LOOPS_BYTES);
    return;
  }
  loader->yaml = urdf_yaml_parse(loader, text, size);
  if (!loader->yaml) return;
  urdf_yaml_t r = {loader, loader->yaml, place};
  const yaml_node_t * root = yaml_document_get_root_node(r.doc);
  // an empty file has no loops
  if (root && loader->tables)
    mechanism_read_beside(loader);
  else if (root)
    urdf_yaml_mapping(&r, root, "the file", read_document_key, NULL);
}

void
urdf_free_loops_yaml(urdf_loader_t * loader)
{
  yaml_tree_free(loader->yaml);
  loader->yaml = NULL;
}
