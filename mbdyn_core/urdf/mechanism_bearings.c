// Bearings: a list `bearings` in YAML, what each must have, and adding them to the model.
#include <string.h>

#include "mechanism_internal.h"

enum { MOST_BEARINGS = 1024 };

static urdf_place_t
place_of(const mechanism_bearing_t * b)
{
  urdf_place_t place = {"bearing", b->spec.joint, b->line};
  return place;
}

//---------- reading ----------

static void
read_side(urdf_yaml_t * r, const yaml_node_t * value, bool * on_a)
{
  const char * text = urdf_yaml_text(r, value, "side");
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  if (!text) return;
  *on_a = strcmp(text, "a") == 0;
  if (!*on_a && strcmp(text, "b") != 0)
    urdf_say(
      r->loader, MBDX_ERROR, place, "write a or b", "side %s is unknown", urdf_value(text).s);
}

static void
read_bearing_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mbd_bearing_spec_t * s = to;
  const struct {
    const char * key;
    double * to;
  } numbers[] = {{"mu_static", &s->mu_static}, {"mu_dynamic", &s->mu_dynamic},
                 {"velocity", &s->velocity},   {"radius", &s->radius},
                 {"span", &s->span},           {"key", &s->key},
                 {"offset", &s->offset},       {"preload", &s->preload},
                 {"smoothing", &s->smoothing}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    if (strcmp(numbers[k].key, key) != 0) continue;
    urdf_yaml_number(r, value, key, numbers[k].to);
    return;
  }
  if (strcmp(key, "side") == 0) {
    read_side(r, value, &s->on_a);
  } else if (strcmp(key, "joint") != 0) {
    urdf_yaml_unknown(
      r, key, value,
      "known keys: joint, mu_static, mu_dynamic, velocity, radius, span, key, offset, side, "
      "preload, "
      "smoothing");
  }
}

static void
check_bearing(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const mechanism_bearing_t * b)
{
  const urdf_place_t place = place_of(b);
  const mbd_bearing_spec_t * s = &b->spec;
  if (!s->joint) {
    urdf_say(loader, MBDX_ERROR, place, "add joint: ...", "joint is missing");
    return;
  }
  for (const mechanism_bearing_t * other = tables->bearing; other < b; other++) {
    if (!other->spec.joint || strcmp(other->spec.joint, s->joint) != 0) continue;
    urdf_say(
      loader, MBDX_ERROR, place, "keep one of them", "the joint has the bearing on line %d already",
      other->line);
  }
  if (s->mu_dynamic < 0 || s->mu_static < s->mu_dynamic)
    urdf_say(
      loader, MBDX_ERROR, place, "write both: mu_static >= mu_dynamic >= 0",
      "mu_static %g and mu_dynamic %g do not fit", s->mu_static, s->mu_dynamic);
  const struct {
    const char * key;
    double value;
    bool zero;  // is allowed
  } ranges[] = {
    {"velocity", s->velocity, false},
    {"smoothing", s->smoothing, false},
    {"radius", s->radius, true},
    {"preload", s->preload, true}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    if (ranges[k].value > 0 || (ranges[k].zero && ranges[k].value == 0)) continue;
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "%s is %s", ranges[k].key,
      ranges[k].zero ? "negative" : "not positive");
  }
}

void
mechanism_read_bearing(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables)
{
  urdf_loader_t * loader = r->loader;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"bearing", NULL, yaml_tree_line(node)};
  if (tables->nbearing >= MOST_BEARINGS) {
    urdf_fail(loader, MBD_ERROR_LIMIT, r->place, NULL, "more than %d bearings", MOST_BEARINGS);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&tables->bearing, tables->nbearing, &tables->bearing_capacity,
        sizeof *tables->bearing))
    return;
  mechanism_bearing_t * b = &tables->bearing[tables->nbearing++];
  *b = (mechanism_bearing_t){.spec = mbd_bearing_spec_default(), .line = r->place.line};
  const yaml_node_t * joint = urdf_yaml_value(r, node, "joint");
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  if (joint) r->place.name = b->spec.joint = urdf_yaml_text(r, joint, "joint");
  urdf_yaml_mapping(r, node, "a bearing", read_bearing_key, &b->spec);
  if (loader->status == MBD_OK) check_bearing(loader, tables, b);
  if (loader->status == MBD_OK) loader->status = before;
  r->place = outside;
}

//---------- to the model ----------

bool
mechanism_add_bearing(
  urdf_loader_t * loader, const mechanism_bearing_t * b, bool reversed, mbd_model_t * model)
{
  mbd_bearing_spec_t spec = b->spec;
  // the carrier is on the side of b, and z points the other way: half a turn about x
  if (reversed) {
    spec.on_a = !spec.on_a;
    spec.offset = -spec.offset, spec.span = -spec.span, spec.key = -spec.key;
  }
  const mbd_status_t status = mbd_model_add_bearing(model, &spec, NULL);
  if (status == MBD_OK) return true;
  if (status == MBD_ERROR_OUT_OF_MEMORY)
    loader->out_of_memory = true;
  else
    urdf_say(loader, MBDX_ERROR, place_of(b), NULL, "%s", mbd_status_string(status));
  return false;
}

bool
mechanism_blame_bearing(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const char * joint)
{
  for (int k = 0; joint && k < tables->nbearing; k++) {
    const mechanism_bearing_t * b = &tables->bearing[k];
    if (strcmp(b->spec.joint, joint) != 0) continue;
    urdf_say(
      loader, MBDX_ERROR, place_of(b),
      "name a joint of type revolute, continuous, prismatic or cylindrical, or a closure of type "
      "revolute, prismatic, cylindrical or on_line",
      "there is no joint or closure %s that can have a bearing", urdf_name(joint).s);
    return true;
  }
  return false;
}
