// Force elements: a list `forces` in YAML, what each must have, and adding them to the model.
#include <string.h>

#include "mbdyn/spatial.h"
#include "mechanism_internal.h"

enum { MOST_FORCES = 1024 };

static urdf_place_t
place_of(const urdf_force_t * f)
{
  urdf_place_t place = {"force", f->spec.name, f->line};
  return place;
}

//---------- reading ----------

// numbers of the rotation, or of the translation, of a bushing
static void
read_stiffness_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  double ** numbers = to;
  if (strcmp(key, "stiffness") == 0) {
    urdf_yaml_triple(r, value, "stiffness", numbers[0]);
  } else if (strcmp(key, "damping") == 0) {
    urdf_yaml_triple(r, value, "damping", numbers[1]);
  } else {
    urdf_yaml_unknown(r, key, value, "known keys: stiffness, damping");
  }
}

static void
read_vec3(urdf_yaml_t * r, const yaml_node_t * value, const char * what, mbd_vec3_t * to)
{
  double x[3];
  if (urdf_yaml_triple(r, value, what, x)) *to = mbdu_vec3(x[0], x[1], x[2]);
}

static void
read_one_sided(urdf_yaml_t * r, const yaml_node_t * value, mbd_one_sided_t * to)
{
  const char * text = urdf_yaml_text(r, value, "one_sided");
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  if (!text) return;
  if (strcmp(text, "push") == 0) {
    *to = MBD_ONE_SIDED_PUSH;
  } else if (strcmp(text, "pull") == 0) {
    *to = MBD_ONE_SIDED_PULL;
  } else {
    urdf_say(
      r->loader, MBDX_ERROR, place, "write push (bump stop) or pull (rope)",
      "one_sided %s is unknown", urdf_value(text).s);
  }
}

static bool
read_number_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, urdf_force_t * f)
{
  const struct {
    const char * key;
    double * to;
  } numbers[] = {
    {"stiffness", &f->spec.stiffness},
    {"damping", &f->spec.damping},
    {"rest", &f->spec.rest},
    {"preload", &f->spec.preload},
    {"ramp", &f->spec.ramp}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    if (strcmp(numbers[k].key, key) != 0) continue;
    f->scalar_line = yaml_tree_line(value);
    urdf_yaml_number(r, value, key, numbers[k].to);
    return true;
  }
  return false;
}

static void
read_force_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  urdf_force_t * f = to;
  double * rotation[2] = {f->spec.stiffness6, f->spec.damping6};
  double * translation[2] = {f->spec.stiffness6 + 3, f->spec.damping6 + 3};
  if (read_number_key(r, key, value, f)) return;
  if (strcmp(key, "a") == 0) {
    urdf_yaml_end(r, value, "a", &f->a);
  } else if (strcmp(key, "b") == 0) {
    urdf_yaml_end(r, value, "b", &f->b);
  } else if (strcmp(key, "joint") == 0) {
    f->spec.joint = urdf_yaml_text(r, value, "joint");
  } else if (strcmp(key, "one_sided") == 0) {
    f->scalar_line = yaml_tree_line(value);
    read_one_sided(r, value, &f->spec.one_sided);
  } else if (strcmp(key, "rotation") == 0) {
    f->bushing_line = yaml_tree_line(value);
    urdf_yaml_mapping(r, value, "rotation", read_stiffness_key, rotation);
  } else if (strcmp(key, "translation") == 0) {
    f->bushing_line = yaml_tree_line(value);
    urdf_yaml_mapping(r, value, "translation", read_stiffness_key, translation);
  } else if (strcmp(key, "force") == 0) {
    f->wrench_line = yaml_tree_line(value);
    read_vec3(r, value, "force", &f->spec.wrench.lin);
  } else if (strcmp(key, "moment") == 0) {
    f->wrench_line = yaml_tree_line(value);
    read_vec3(r, value, "moment", &f->spec.wrench.ang);
  } else if (strcmp(key, "name") != 0 && strcmp(key, "type") != 0) {
    urdf_yaml_unknown(
      r, key, value,
      "known keys: name, type, a, b, joint, stiffness, damping, rest, preload, one_sided, ramp, "
      "rotation, translation, force, moment");
  }
}

static bool
read_type(urdf_yaml_t * r, const yaml_node_t * node, urdf_force_t * f)
{
  static const struct {
    const char * name;
    mbd_element_type_t type;
  } aliases[] = {{"TSDA", MBD_ELEMENT_SPRING}, {"RSDA", MBD_ELEMENT_TORSION}};
  const yaml_node_t * type = urdf_yaml_value(r, node, "type");
  if (!type) {
    urdf_say(
      r->loader, MBDX_ERROR, r->place, "add type: spring, torsion, bushing, joint or wrench",
      "has no type");
    return false;
  }
  const char * text = urdf_yaml_text(r, type, "type");
  if (!text) return false;
  for (int k = 0; k < MBD_ELEMENT_TYPES; k++) {
    f->spec.type = (mbd_element_type_t)k;
    if (strcmp(mbd_element_type_name(f->spec.type), text) == 0) return true;
  }
  for (size_t k = 0; k < sizeof aliases / sizeof *aliases; k++) {
    f->spec.type = aliases[k].type;
    if (strcmp(aliases[k].name, text) == 0) return true;
  }
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(type);
  urdf_say(
    r->loader, MBDX_ERROR, place, "write spring, torsion, bushing, joint or wrench",
    "type %s is unknown", urdf_value(text).s);
  return false;
}

//---------- checks ----------

static void
check_end(urdf_loader_t * loader, const urdf_force_t * f, const urdf_end_t * end, const char * key)
{
  const urdf_place_t place = place_of(f);
  if (!end->given) {
    urdf_say(loader, MBDX_ERROR, place, "say which link it is on, or world", "%s is missing", key);
    return;
  }
  if (end->link && urdf_find_link(&loader->robot, end->link) < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "%s: there is no link %s", key,
      urdf_name(end->link).s);
  }
  if (end->has_axis && end->has_rpy) {
    urdf_say(loader, MBDX_ERROR, place, "keep one of them", "%s has both axis and rpy", key);
  }
  const mbd_vec3_t axis = {end->axis[0], end->axis[1], end->axis[2]};
  if (end->has_axis && !(mbdu_vec3_norm(axis) > 1e-12)) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "%s: axis has zero length", key);
  }
}

static void
check_joint(urdf_loader_t * loader, const urdf_force_t * f)
{
  const urdf_place_t place = place_of(f);
  if (!f->spec.joint) {
    urdf_say(loader, MBDX_ERROR, place, "add joint: ...", "joint is missing");
    return;
  }
  const int j = urdf_find_joint(&loader->robot, f->spec.joint);
  if (j < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "there is no joint %s",
      urdf_name(f->spec.joint).s);
  } else if (!urdf_one_dof(&loader->robot.joint[j])) {
    urdf_say(
      loader, MBDX_ERROR, place, "use a torsion, spring or bushing between its links",
      "joint %s does not have one degree of freedom", urdf_name(f->spec.joint).s);
  }
}

// keys that say nothing about this type
static void
refuse_keys(urdf_loader_t * loader, const urdf_force_t * f)
{
  const mbd_element_type_t type = f->spec.type;
  const bool scalar = type != MBD_ELEMENT_BUSHING && type != MBD_ELEMENT_WRENCH;
  const struct {
    int line;
    bool applies;
    const char * keys;
  } groups[] = {
    {f->scalar_line, scalar, "stiffness, damping, rest, preload, one_sided and ramp"},
    {f->bushing_line, type == MBD_ELEMENT_BUSHING, "rotation and translation"},
    {f->wrench_line, type == MBD_ELEMENT_WRENCH, "force and moment"},
    {f->spec.joint ? f->line : 0, type == MBD_ELEMENT_JOINT, "joint"},
    {f->a.given || f->b.given ? f->line : 0, type != MBD_ELEMENT_JOINT, "a and b"}};
  for (size_t k = 0; k < sizeof groups / sizeof *groups; k++) {
    if (groups[k].line == 0 || groups[k].applies) continue;
    urdf_place_t place = place_of(f);
    place.line = groups[k].line;
    urdf_say(
      loader, MBDX_ERROR, place, "remove the key, or change the type", "%s: no keys of type %s",
      groups[k].keys, mbd_element_type_name(type));
  }
}

static void
check_force(urdf_loader_t * loader, const urdf_force_t * f)
{
  const urdf_place_t place = place_of(f);
  if (!f->spec.name || *f->spec.name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "give it one", "has no name");
    return;
  }
  for (const urdf_force_t * other = loader->force; other < f; other++) {
    if (!other->spec.name || strcmp(other->spec.name, f->spec.name) != 0) continue;
    urdf_say(
      loader, MBDX_ERROR, place, "rename one of them", "the name is taken by the force on line %d",
      other->line);
  }
  refuse_keys(loader, f);
  if (f->spec.ramp < 0) urdf_say(loader, MBDX_ERROR, place, NULL, "ramp is negative");
  if (f->spec.type == MBD_ELEMENT_JOINT) {
    check_joint(loader, f);
    return;
  }
  check_end(loader, f, &f->a, "a");
  check_end(loader, f, &f->b, "b");
  const bool same =
    f->a.given && f->b.given &&
    (f->a.link && f->b.link ? !strcmp(f->a.link, f->b.link) : f->a.link == f->b.link);
  if (same) urdf_say(loader, MBDX_ERROR, place, NULL, "a and b are on the same link");
}

void
urdf_read_force(urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_loader_t * loader = r->loader;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"force", NULL, yaml_tree_line(node)};
  if (loader->nforce >= MOST_FORCES) {
    urdf_fail(loader, MBD_ERROR_LIMIT, r->place, NULL, "more than %d forces", MOST_FORCES);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&loader->force, loader->nforce, &loader->force_capacity,
        sizeof *loader->force))
    return;
  urdf_force_t * f = &loader->force[loader->nforce++];
  memset(f, 0, sizeof *f);
  f->spec = mbd_element_spec_default();
  f->line = r->place.line;
  f->in_loops_file = loader->in_loops_file;
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = f->spec.name = urdf_yaml_text(r, name, "name");
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  const bool typed = read_type(r, node, f);
  urdf_yaml_mapping(r, node, "a force", read_force_key, f);
  // what could not be read would only be missed once more
  if (typed && loader->status == MBD_OK) check_force(loader, f);
  if (loader->status == MBD_OK) loader->status = before;
  r->place = outside;
}

//---------- to the model ----------

bool
urdf_add_forces(urdf_loader_t * loader, mbd_model_t * model, const int * frame)
{
  for (int k = 0; k < loader->nforce; k++) {
    const urdf_force_t * f = &loader->force[k];
    mbd_element_spec_t spec = f->spec;
    if (spec.type != MBD_ELEMENT_JOINT) {
      spec.frame_a = urdf_place_end(loader, &f->a, frame, &spec.X_a);
      spec.frame_b = urdf_place_end(loader, &f->b, frame, &spec.X_b);
    }
    const mbd_status_t status = mbd_model_add_element(model, &spec, NULL);
    if (status == MBD_OK) continue;
    if (status == MBD_ERROR_OUT_OF_MEMORY) loader->out_of_memory = true;
    loader->in_loops_file = f->in_loops_file;
    urdf_say(loader, MBDX_ERROR, place_of(f), NULL, "%s", mbd_status_string(status));
    loader->in_loops_file = false;
    return false;
  }
  return true;
}

static const char *
side(const urdf_end_t * end, urdf_text_t * text)
{
  if (!end->link) return "the world";
  *text = urdf_name(end->link);
  return text->s;
}

void
urdf_say_forces(urdf_loader_t * loader)
{
  for (int k = 0; k < loader->nforce; k++) {
    const urdf_force_t * f = &loader->force[k];
    const char * type = mbd_element_type_name(f->spec.type);
    urdf_text_t a, b;
    loader->in_loops_file = f->in_loops_file;
    if (f->spec.type == MBD_ELEMENT_JOINT) {
      urdf_say(
        loader, MBDX_NOTE, place_of(f), NULL, "acts on joint %s", urdf_name(f->spec.joint).s);
    } else {
      urdf_say(
        loader, MBDX_NOTE, place_of(f), NULL, "%s between %s and %s", type, side(&f->a, &a),
        side(&f->b, &b));
    }
    loader->in_loops_file = false;
  }
}
