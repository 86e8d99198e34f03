// Inputs and outputs: lists `inputs` and `outputs` of measures in YAML, and measures of the model.
#define _POSIX_C_SOURCE 200809L  // strdup
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mechanism_internal.h"

enum { MOST_MEASURES = 256 };

#define MEASURE_TYPES                                                                            \
  "joint, distance, x, y, z, angle, rotation_x, rotation_y, rotation_z, or position, rotation, " \
  "pose for three, three, six of them"

// several measures of one frame
static const struct {
  const char * name;
  mbd_measure_type_t first;
  int n;
} GROUPS[] = {
  {"position", MBD_MEASURE_X, 3},
  {"rotation", MBD_MEASURE_ROTATION_X, 3},
  {"pose", MBD_MEASURE_X, 6}};

static urdf_place_t
place_of(const mechanism_measure_t * m)
{
  return (urdf_place_t){m->output ? "output" : "input", m->name, m->line};
}

// type of the k-th measure of an entry
static mbd_measure_type_t
type_at(const mechanism_measure_t * m, int k)
{
  // a pose: x y z, then rotation_x y z
  return m->type == MBD_MEASURE_X && k >= 3 ? (mbd_measure_type_t)(MBD_MEASURE_ROTATION_X + k - 3)
                                            : (mbd_measure_type_t)((int)m->type + k);
}

//---------- reading ----------

static bool
read_type(urdf_yaml_t * r, const yaml_node_t * node, mechanism_measure_t * m)
{
  urdf_place_t place = r->place;
  const yaml_node_t * type = urdf_yaml_value(r, node, "type");
  const char * text = type ? urdf_yaml_text(r, type, "type") : NULL;
  m->n = 1;
  for (int k = 0; text && k < MBD_MEASURE_USER; k++) {
    m->type = (mbd_measure_type_t)k;
    if (strcmp(mbd_measure_type_name(m->type), text) == 0) return true;
  }
  for (size_t k = 0; text && k < sizeof GROUPS / sizeof *GROUPS; k++) {
    m->type = GROUPS[k].first, m->n = GROUPS[k].n;
    if (strcmp(GROUPS[k].name, text) == 0) return true;
  }
  if (type && !text) return false;
  if (type) place.line = yaml_tree_line(type);
  if (text)
    urdf_say(
      r->loader, MBDX_ERROR, place, "write " MEASURE_TYPES, "type %s is unknown",
      urdf_value(text).s);
  else
    urdf_say(r->loader, MBDX_ERROR, place, "add type: " MEASURE_TYPES, "has no type");
  return false;
}

static void
read_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_measure_t * m = to;
  if (strcmp(key, "a") == 0) {
    urdf_yaml_end(r, value, "a", &m->a);
  } else if (strcmp(key, "b") == 0) {
    urdf_yaml_end(r, value, "b", &m->b);
  } else if (strcmp(key, "joint") == 0) {
    m->joint = urdf_yaml_text(r, value, "joint");
  } else if (strcmp(key, "name") != 0 && strcmp(key, "type") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: name, type, joint, a, b");
  }
}

//---------- checks ----------

static void
check_joint(urdf_loader_t * loader, const mechanism_measure_t * m)
{
  const urdf_place_t place = place_of(m);
  const int j = m->joint ? urdf_find_joint(&loader->robot, m->joint) : -1;
  if (m->a.given || m->b.given)
    urdf_say(loader, MBDX_ERROR, place, "remove the keys", "a and b: no keys of type joint");
  if (!m->joint)
    urdf_say(loader, MBDX_ERROR, place, "add joint: ...", "joint is missing");
  else if (j < 0)
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "there is no joint %s", urdf_name(m->joint).s);
  else if (!urdf_one_dof(&loader->robot.joint[j]))
    urdf_say(
      loader, MBDX_ERROR, place, "measure a frame instead",
      "joint %s does not have one degree of freedom", urdf_name(m->joint).s);
}

static void
check_end(
  urdf_loader_t * loader, const mechanism_measure_t * m, const urdf_end_t * end, const char * key)
{
  const urdf_place_t place = place_of(m);
  const mbd_vec3_t axis = {end->axis[0], end->axis[1], end->axis[2]};
  if (end->link && urdf_find_link(&loader->robot, end->link) < 0)
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "%s: there is no link %s", key,
      urdf_name(end->link).s);
  if (end->has_axis && end->has_rpy)
    urdf_say(loader, MBDX_ERROR, place, "keep one of them", "%s has both axis and rpy", key);
  if (end->has_axis && !(mbdu_vec3_norm(axis) > 1e-12))
    urdf_say(loader, MBDX_ERROR, place, NULL, "%s: axis has zero length", key);
}

static void
check_frames(urdf_loader_t * loader, const mechanism_measure_t * m)
{
  const urdf_place_t place = place_of(m);
  const char *a = m->a.link, *b = m->b.link;
  if (m->joint)
    urdf_say(
      loader, MBDX_ERROR, place, "remove the key, or write type: joint", "joint: no key of type %s",
      mbd_measure_type_name(m->type));
  if (!m->b.given) {
    urdf_say(
      loader, MBDX_ERROR, place, "say which link is measured; a is the world unless given",
      "b is missing");
    return;
  }
  check_end(loader, m, &m->a, "a");
  check_end(loader, m, &m->b, "b");
  if (a && b ? strcmp(a, b) == 0 : a == b)
    urdf_say(loader, MBDX_ERROR, place, NULL, "a and b are on the same link");
}

static void
check_measure(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const mechanism_measure_t * m)
{
  const urdf_place_t place = place_of(m);
  if (!m->name || *m->name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "give it one", "has no name");
    return;
  }
  for (const mechanism_measure_t * other = tables->measure; other < m; other++) {
    if (!other->name || strcmp(other->name, m->name) != 0) continue;
    urdf_say(
      loader, MBDX_ERROR, place, "rename one of them", "the name is taken by the %s on line %d",
      place_of(other).kind, other->line);
  }
  if (m->type == MBD_MEASURE_JOINT)
    check_joint(loader, m);
  else
    check_frames(loader, m);
}

void
mechanism_read_measure(
  urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables, bool output)
{
  urdf_loader_t * loader = r->loader;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){output ? "output" : "input", NULL, yaml_tree_line(node)};
  if (tables->nmeasure >= MOST_MEASURES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, r->place, NULL, "more than %d inputs and outputs", MOST_MEASURES);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&tables->measure, tables->nmeasure, &tables->measure_capacity,
        sizeof *tables->measure))
    return;
  mechanism_measure_t * m = &tables->measure[tables->nmeasure++];
  memset(m, 0, sizeof *m);
  m->line = r->place.line, m->output = output;
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = m->name = urdf_yaml_text(r, name, "name");
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  const bool typed = read_type(r, node, m);
  urdf_yaml_mapping(r, node, "a measure", read_key, m);
  // what could not be read would only be missed once more
  if (typed && loader->status == MBD_OK) check_measure(loader, tables, m);
  if (loader->status == MBD_OK) loader->status = before;
  r->place = outside;
}

//---------- to the mechanism ----------

static mbd_status_t
find_end(const mbd_model_t * model, const urdf_end_t * end, int * frame, mbd_placement_t * X)
{
  *X = urdf_end_placement(end);
  return end->link ? mbd_find_frame(model, end->link, frame) : MBD_OK;
}

// the k-th measure of an entry
static mbd_status_t
make_measure(const mbd_model_t * model, const mechanism_measure_t * entry, int k, mbd_measure_t * m)
{
  if (entry->type == MBD_MEASURE_JOINT) return mbd_measure_joint(model, entry->joint, m);
  *m = mbd_measure_default();
  m->type = type_at(entry, k);
  const mbd_status_t status = find_end(model, &entry->a, &m->frame_a, &m->X_a);
  return status == MBD_OK ? find_end(model, &entry->b, &m->frame_b, &m->X_b) : status;
}

// name of its own: that of the entry, of several with the type of each
static char *
name_of(const mechanism_measure_t * entry, mbd_measure_type_t type)
{
  if (entry->n == 1) return strdup(entry->name);
  const char * of = mbd_measure_type_name(type);
  const size_t size = strlen(entry->name) + strlen(of) + 2;
  char * name = malloc(size);
  if (name) snprintf(name, size, "%s.%s", entry->name, of);
  return name;
}

bool
mechanism_add_measures(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const mbd_model_t * model,
  mbdx_mechanism_t * mechanism)
{
  size_t n = 1;
  for (int i = 0; i < tables->nmeasure; i++) n += (size_t)tables->measure[i].n;
  mechanism->input = calloc(n, sizeof *mechanism->input);
  mechanism->output = calloc(n, sizeof *mechanism->output);
  if (!mechanism->input || !mechanism->output) {
    loader->out_of_memory = true;
    return false;
  }
  for (int i = 0; i < tables->nmeasure; i++) {
    const mechanism_measure_t * entry = &tables->measure[i];
    for (int k = 0; k < entry->n; k++) {
      mbd_measure_t m;
      const mbd_status_t status = make_measure(model, entry, k, &m);
      if (status != MBD_OK) {
        urdf_say(loader, MBDX_ERROR, place_of(entry), NULL, "%s", mbd_status_string(status));
        return false;
      }
      m.name = name_of(entry, m.type);
      if (!m.name) {
        loader->out_of_memory = true;
        return false;
      }
      if (entry->output)
        mechanism->output[mechanism->noutput++] = m;
      else
        mechanism->input[mechanism->ninput++] = m;
    }
  }
  return true;
}

static void
free_measures(mbd_measure_t * list, int n)
{
  for (int k = 0; k < n; k++) free((char *)(uintptr_t)list[k].name);
  free(list);
}

void
mechanism_free_measures(mbdx_mechanism_t * mechanism)
{
  free_measures(mechanism->input, mechanism->ninput);
  free_measures(mechanism->output, mechanism->noutput);
}
