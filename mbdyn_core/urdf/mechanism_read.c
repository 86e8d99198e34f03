// A mechanism in YAML: bodies, joints, initial state and settings.
#include <math.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mechanism_internal.h"

// the document and where its parts go
typedef struct reader {
  urdf_yaml_t yaml;  // first: callbacks get this
  mechanism_tables_t * tables;
} reader_t;

static mechanism_tables_t *
tables_of(urdf_yaml_t * r)
{
  return ((reader_t *)(void *)r)->tables;
}

int
mechanism_numbers(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what, int least, int most, double * x)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  const yaml_node_item_t * item = NULL;
  long n = 0;
  if (node->type == YAML_SEQUENCE_NODE) {
    item = node->data.sequence.items.start;
    n = (long)(node->data.sequence.items.top - item);
  }
  if (n < least || n > most) {
    if (least == most)
      urdf_say(r->loader, MBDX_ERROR, place, "write [x, ...]", "%s is not %d numbers", what, least);
    else
      urdf_say(
        r->loader, MBDX_ERROR, place, "write [x, ...]", "%s is not %d to %d numbers", what, least,
        most);
    return 0;
  }
  for (long k = 0; k < n; k++) {
    if (!urdf_yaml_number(r, urdf_yaml_node(r, item[k]), what, &x[k])) return 0;
  }
  return (int)n;
}

//---------- bodies ----------

typedef struct body_numbers {
  mechanism_body_t * body;
  double mass, com[3], inertia[6], xyz[3], rpy[3];
  int ninertia;
  bool has_mass;
} body_numbers_t;

static void
read_body_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  body_numbers_t * n = to;
  mechanism_body_t * b = n->body;
  if (strcmp(key, "mass") == 0) {
    n->has_mass = true;
    urdf_yaml_number(r, value, key, &n->mass);
  } else if (strcmp(key, "com") == 0) {
    urdf_yaml_triple(r, value, key, n->com);
  } else if (strcmp(key, "inertia") == 0) {
    n->ninertia = mechanism_numbers(r, value, "inertia", 3, 6, n->inertia);
  } else if (strcmp(key, "xyz") == 0) {
    b->has_pose = urdf_yaml_triple(r, value, key, n->xyz) || b->has_pose;
  } else if (strcmp(key, "rpy") == 0) {
    b->has_pose = urdf_yaml_triple(r, value, key, n->rpy) || b->has_pose;
  } else if (strcmp(key, "velocity") == 0) {
    urdf_yaml_triple(r, value, key, b->velocity);
  } else if (strcmp(key, "angular_velocity") == 0) {
    urdf_yaml_triple(r, value, key, b->angular);
  } else if (strcmp(key, "name") != 0) {
    urdf_yaml_unknown(
      r, key, value, "known keys: name, mass, com, inertia, xyz, rpy, velocity, angular_velocity");
  }
}

// moments about the centre of mass that a rigid body can have
static void
check_inertia(urdf_loader_t * loader, urdf_place_t place, const body_numbers_t * n)
{
  const double * I = n->inertia;
  if (!n->has_mass) {
    urdf_say(loader, MBDX_ERROR, place, "add mass: ... in kg", "mass is missing");
  } else if (n->mass < 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "mass is negative");
  }
  if (n->ninertia != 0 && n->ninertia != 3 && n->ninertia != 6) {
    urdf_say(
      loader, MBDX_ERROR, place, "write [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]",
      "inertia has neither 3 nor 6 numbers");
  }
  const double small = 1e-9 * (fabs(I[0]) + fabs(I[1]) + fabs(I[2]));
  const bool fits = I[0] + I[1] >= I[2] - small && I[1] + I[2] >= I[0] - small &&
                    I[2] + I[0] >= I[1] - small && I[0] >= 0 && I[1] >= 0 && I[2] >= 0;
  if (!fits) {
    urdf_say(
      loader, MBDX_ERROR, place, "give moments about the centre of mass",
      "no rigid body has this inertia: a moment is negative or larger than the sum of the others");
  }
}

static void
read_body(urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_loader_t * loader = r->loader;
  mechanism_tables_t * tables = tables_of(r);
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"body", NULL, yaml_tree_line(node)};
  if (tables->nbody >= URDF_MAX_LINKS) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, r->place, MECHANISM_LARGER, "more than %d bodies", URDF_MAX_LINKS);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&tables->body, tables->nbody, &tables->body_capacity,
        sizeof *tables->body))
    return;
  mechanism_body_t * b = &tables->body[tables->nbody];
  memset(b, 0, sizeof *b);
  b->line = r->place.line;
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = b->name = urdf_yaml_text(r, name, "name");
  if (!b->name || *b->name == 0) {
    urdf_say(loader, MBDX_ERROR, r->place, "add name: ...", "has no name");
    r->place = outside;
    return;
  }
  body_numbers_t n = {.body = b};
  urdf_yaml_mapping(r, node, "a body", read_body_key, &n);
  check_inertia(loader, r->place, &n);
  const double * I = n.inertia;
  b->inertia = mbdu_inertia_from_com(
    n.mass, mbdu_vec3(n.com[0], n.com[1], n.com[2]),
    (mbd_sym3_t){I[0], I[3], I[4], I[1], I[5], I[2]});
  b->pose.R = urdf_rotation(n.rpy);
  b->pose.p = mbdu_vec3(n.xyz[0], n.xyz[1], n.xyz[2]);
  tables->nbody++;
  r->place = outside;
}

//---------- joints ----------

static const struct {
  const char * name;
  mbd_joint_type_t type;
} ALIASES[] = {
  {"weld", MBD_JOINT_FIXED},
  {"ball", MBD_JOINT_SPHERICAL},
  {"screw", MBD_JOINT_HELICAL},
  {"floating", MBD_JOINT_FREE}};

static bool
joint_type(urdf_yaml_t * r, const yaml_node_t * node, mbd_joint_type_t * type)
{
  urdf_place_t place = r->place;
  const char * text = node ? urdf_yaml_text(r, node, "type") : NULL;
  for (int k = MBD_JOINT_FIXED; text && k < MBD_JOINT_USER; k++) {
    *type = (mbd_joint_type_t)k;
    if (strcmp(mbd_joint_type_name(*type), text) == 0) return true;
  }
  for (size_t k = 0; text && k < sizeof ALIASES / sizeof *ALIASES; k++) {
    *type = ALIASES[k].type;
    if (strcmp(ALIASES[k].name, text) == 0) return true;
  }
  if (node && !text) return false;
  if (node) place.line = yaml_tree_line(node);
  urdf_say(
    r->loader, MBDX_ERROR, place,
    "write fixed, revolute, continuous, prismatic, helical, cylindrical, universal, spherical, "
    "planar or free",
    "type %s", text ? "is unknown" : "is missing");
  return false;
}

static void
read_joint_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_joint_t * j = to;
  if (strcmp(key, "a") == 0) {
    urdf_yaml_end(r, value, "a", &j->a);
  } else if (strcmp(key, "b") == 0) {
    urdf_yaml_end(r, value, "b", &j->b);
  } else if (strcmp(key, "pitch") == 0) {
    urdf_yaml_number(r, value, key, &j->pitch);
  } else if (strcmp(key, "lower") == 0) {
    urdf_yaml_number(r, value, key, &j->lower);
  } else if (strcmp(key, "upper") == 0) {
    urdf_yaml_number(r, value, key, &j->upper);
  } else if (strcmp(key, "name") != 0 && strcmp(key, "type") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: name, type, a, b, pitch, lower, upper");
  }
}

static void
read_joint(urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_loader_t * loader = r->loader;
  mechanism_tables_t * tables = tables_of(r);
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"joint", NULL, yaml_tree_line(node)};
  if (tables->njoint >= URDF_MAX_LINKS) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, r->place, MECHANISM_LARGER, "more than %d joints", URDF_MAX_LINKS);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&tables->joint, tables->njoint, &tables->joint_capacity,
        sizeof *tables->joint))
    return;
  mechanism_joint_t * j = &tables->joint[tables->njoint];
  memset(j, 0, sizeof *j);
  j->line = r->place.line;
  j->lower = -HUGE_VAL, j->upper = HUGE_VAL;
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = j->name = urdf_yaml_text(r, name, "name");
  const bool typed = joint_type(r, urdf_yaml_value(r, node, "type"), &j->type);
  if (!j->name || *j->name == 0) {
    urdf_say(loader, MBDX_ERROR, r->place, "add name: ...", "has no name");
  } else if (typed) {
    urdf_yaml_mapping(r, node, "a joint", read_joint_key, j);
    tables->njoint++;
  }
  r->place = outside;
}

static bool
is_axis_joint(mbd_joint_type_t type)
{
  return type >= MBD_JOINT_REVOLUTE && type <= MBD_JOINT_CYLINDRICAL;
}

static void
check_joint_end(
  urdf_loader_t * loader, const mechanism_joint_t * j, const urdf_end_t * end, const char * key)
{
  const urdf_place_t place = {"joint", j->name, j->line};
  if (!end->given) {
    urdf_say(loader, MBDX_ERROR, place, "say which body it is on, or world", "%s is missing", key);
    return;
  }
  if (end->link && urdf_find_link(&loader->robot, end->link) < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "%s: there is no body %s", key,
      urdf_name(end->link).s);
  }
  const mbd_vec3_t axis = {end->axis[0], end->axis[1], end->axis[2]};
  if (end->has_axis && end->has_rpy) {
    urdf_say(loader, MBDX_ERROR, place, "keep one of them", "%s has both axis and rpy", key);
  } else if (end->has_axis && !is_axis_joint(j->type) && j->type != MBD_JOINT_PLANAR) {
    urdf_say(
      loader, MBDX_ERROR, place, "give rpy instead", "%s: joints of type %s have no axis", key,
      mbd_joint_type_name(j->type));
  } else if (end->has_axis && !(mbdu_vec3_norm(axis) > 1e-12)) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "%s: axis has zero length", key);
  }
}

static void
check_joints(urdf_loader_t * loader, mechanism_tables_t * tables)
{
  for (int k = 0; k < tables->njoint; k++) {
    mechanism_joint_t * j = &tables->joint[k];
    j->body_a = j->a.link ? urdf_find_link(&loader->robot, j->a.link) : -1;
    j->body_b = j->b.link ? urdf_find_link(&loader->robot, j->b.link) : -1;
    const urdf_place_t place = {"joint", j->name, j->line};
    check_joint_end(loader, j, &j->a, "a");
    check_joint_end(loader, j, &j->b, "b");
    const bool same =
      j->a.given && j->b.given &&
      (j->a.link && j->b.link ? !strcmp(j->a.link, j->b.link) : j->a.link == j->b.link);
    if (same) urdf_say(loader, MBDX_ERROR, place, NULL, "a and b are on the same body");
    if (j->pitch != 0 && j->type != MBD_JOINT_HELICAL) {
      urdf_say(
        loader, MBDX_ERROR, place, "write type: helical", "pitch does not apply to type %s",
        mbd_joint_type_name(j->type));
    }
    if (!(j->lower <= j->upper)) {
      urdf_say(loader, MBDX_ERROR, place, "exchange them", "lower is above upper");
    }
    if (urdf_find_joint(&loader->robot, j->name) != k) {
      urdf_say(loader, MBDX_ERROR, place, "rename one of them", "the name is taken");
    }
  }
  for (int k = 0; k < tables->nbody; k++) {
    const urdf_place_t place = {"body", tables->body[k].name, tables->body[k].line};
    if (urdf_find_link(&loader->robot, tables->body[k].name) != k)
      urdf_say(loader, MBDX_ERROR, place, "rename one of them", "the name is taken");
    if (urdf_find_joint(&loader->robot, tables->body[k].name) >= 0)
      urdf_say(
        loader, MBDX_ERROR, place, "rename one of them",
        "a joint has this name, which the free joint of a body would have");
  }
}

// bodies and joints where closures and forces look names up
static bool
index_robot(urdf_loader_t * loader, const mechanism_tables_t * tables)
{
  urdf_robot_t * robot = &loader->robot;
  for (int k = 0; k < tables->nbody; k++) {
    if (!urdf_reserve(loader, (void **)&robot->link, k, &robot->link_capacity, sizeof *robot->link))
      return false;
    robot->link[k] = (urdf_link_t){.name = tables->body[k].name, .line = tables->body[k].line};
    robot->nlink++;
  }
  for (int k = 0; k < tables->njoint; k++) {
    if (!urdf_reserve(
          loader, (void **)&robot->joint, k, &robot->joint_capacity, sizeof *robot->joint))
      return false;
    const mechanism_joint_t * j = &tables->joint[k];
    // all that is asked of a type: one degree of freedom or not
    const bool one = is_axis_joint(j->type) && j->type != MBD_JOINT_CYLINDRICAL;
    const urdf_joint_type_t type = one                          ? URDF_CONTINUOUS
                                   : j->type == MBD_JOINT_FIXED ? URDF_FIXED
                                                                : URDF_FLOATING;
    robot->joint[k] = (urdf_joint_t){.name = j->name, .line = j->line, .type = type};
    robot->njoint++;
  }
  return urdf_index_names(loader);
}

//---------- initial state and settings ----------

// a number, or a list of several
static int
read_coordinates(urdf_yaml_t * r, const yaml_node_t * node, const char * what, int most, double * x)
{
  if (node->type == YAML_SCALAR_NODE) return urdf_yaml_number(r, node, what, x);
  return mechanism_numbers(r, node, what, 1, most, x);
}

static void
read_state_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_initial_t * i = to;
  if (strcmp(key, "q") == 0) {
    i->nq = read_coordinates(r, value, "q", 7, i->q);
  } else if (strcmp(key, "v") == 0) {
    i->nv = read_coordinates(r, value, "v", 6, i->v);
  } else {
    urdf_yaml_unknown(r, key, value, "known keys: q, v");
  }
}

static void
read_initial_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  (void)to;
  urdf_loader_t * loader = r->loader;
  mechanism_tables_t * tables = tables_of(r);
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"initial", key, yaml_tree_line(value)};
  if (urdf_find_joint(&loader->robot, key) < 0) {
    urdf_say(loader, MBDX_ERROR, r->place, "correct the name", "there is no joint of this name");
  } else if (urdf_reserve(
               loader, (void **)&tables->initial, tables->ninitial, &tables->initial_capacity,
               sizeof *tables->initial)) {
    mechanism_initial_t * i = &tables->initial[tables->ninitial++];
    *i = (mechanism_initial_t){.joint = key, .line = r->place.line};
    if (value->type == YAML_MAPPING_NODE)
      urdf_yaml_mapping(r, value, "initial", read_state_key, i);
    else
      i->nq = read_coordinates(r, value, "q", 7, i->q);
  }
  r->place = outside;
}

static void
read_simulate_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mbdx_simulate_t * s = to;
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  const struct {
    const char * key;
    double * to;
  } numbers[] = {
    {"time", &s->time},
    {"step", &s->step},
    {"max_step", &s->max_step},
    {"rtol", &s->rtol},
    {"atol", &s->atol}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    if (strcmp(numbers[k].key, key) != 0) continue;
    if (urdf_yaml_number(r, value, key, numbers[k].to) && !(*numbers[k].to > 0))
      urdf_say(r->loader, MBDX_ERROR, place, NULL, "%s is not positive", key);
    return;
  }
  if (strcmp(key, "method") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: time, step, max_step, method, rtol, atol");
    return;
  }
  const char * text = urdf_yaml_text(r, value, key);
  if (text && strlen(text) < sizeof s->method)
    strcpy(s->method, text);
  else if (text)
    urdf_say(r->loader, MBDX_ERROR, place, NULL, "method is too long");
}

//---------- the document ----------

static void
read_coordinates_key(urdf_yaml_t * r, const yaml_node_t * value, mechanism_tables_t * tables)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(value);
  const char * text = urdf_yaml_text(r, value, "coordinates");
  if (!text) return;
  if (strcmp(text, "tree") == 0)
    tables->coordinates = MBDX_COORDINATES_TREE;
  else if (strcmp(text, "cartesian") == 0)
    tables->coordinates = MBDX_COORDINATES_CARTESIAN;
  else
    urdf_say(
      r->loader, MBDX_ERROR, place, "write tree or cartesian", "coordinates %s are unknown",
      urdf_value(text).s);
}

static void
read_driver(urdf_yaml_t * r, const yaml_node_t * node)
{
  mechanism_read_driver(r, node, tables_of(r));
}

static void
read_bearing(urdf_yaml_t * r, const yaml_node_t * node)
{
  mechanism_read_bearing(r, node, tables_of(r));
}

static void
read_input(urdf_yaml_t * r, const yaml_node_t * node)
{
  mechanism_read_measure(r, node, tables_of(r), false);
}

static void
read_output(urdf_yaml_t * r, const yaml_node_t * node)
{
  mechanism_read_measure(r, node, tables_of(r), true);
}

static void
read_contact(urdf_yaml_t * r, const yaml_node_t * node)
{
  mechanism_read_contact(r, node, tables_of(r));
}

// sections of which a URDF has its own
static bool
is_of_urdf(const char * key)
{
  static const char * const keys[] = {"name", "gravity", "coordinates", "bodies", "joints"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    if (strcmp(keys[k], key) == 0) return true;
  }
  return false;
}

static void
read_document_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_tables_t * tables = to;
  if (r->loader->tables && is_of_urdf(key)) {
    urdf_place_t place = r->place;
    place.line = yaml_tree_line(value);
    urdf_say(
      r->loader, MBDX_ERROR, place,
      "remove it, or rename the file; beside a URDF: closures, forces, independent, bearings, "
      "drivers, inputs, outputs, contacts, initial, simulate",
      "%s is only for mechanisms without a URDF", key);
  } else if (strcmp(key, "name") == 0) {
    r->loader->robot.name = urdf_yaml_text(r, value, "name");
  } else if (strcmp(key, "gravity") == 0) {
    double g[3];
    if (urdf_yaml_triple(r, value, "gravity", g)) tables->gravity = mbdu_vec3(g[0], g[1], g[2]);
  } else if (strcmp(key, "coordinates") == 0) {
    read_coordinates_key(r, value, tables);
  } else if (strcmp(key, "closures") == 0) {
    urdf_yaml_list(r, value, "closures", urdf_read_closure);
  } else if (strcmp(key, "forces") == 0) {
    urdf_yaml_list(r, value, "forces", urdf_read_force);
  } else if (r->loader->tables && strcmp(key, "independent") == 0) {
    urdf_yaml_list(r, value, "independent", urdf_read_independent);
  } else if (strcmp(key, "bearings") == 0) {
    urdf_yaml_list(r, value, "bearings", read_bearing);
  } else if (strcmp(key, "drivers") == 0) {
    urdf_yaml_list(r, value, "drivers", read_driver);
  } else if (strcmp(key, "inputs") == 0) {
    urdf_yaml_list(r, value, "inputs", read_input);
  } else if (strcmp(key, "outputs") == 0) {
    urdf_yaml_list(r, value, "outputs", read_output);
  } else if (strcmp(key, "contacts") == 0) {
    urdf_yaml_list(r, value, "contacts", read_contact);
  } else if (strcmp(key, "initial") == 0) {
    urdf_yaml_mapping(r, value, "initial", read_initial_key, NULL);
  } else if (strcmp(key, "simulate") == 0) {
    urdf_yaml_mapping(r, value, "simulate", read_simulate_key, &tables->simulate);
  } else if (strcmp(key, "bodies") != 0 && strcmp(key, "joints") != 0) {
    urdf_yaml_unknown(
      r, key, value,
      r->loader->tables
        ? "known keys: closures, forces, independent, bearings, drivers, inputs, outputs, "
          "contacts, "
          "initial, simulate"
        : "known keys: name, gravity, coordinates, bodies, joints, closures, forces, "
          "bearings, drivers, inputs, outputs, contacts, initial, simulate");
  }
}

void
mechanism_read(urdf_loader_t * loader, mechanism_tables_t * tables)
{
  const urdf_place_t place = {"file", NULL, 0};
  reader_t reader = {{loader, loader->yaml, place}, tables};
  urdf_yaml_t * r = &reader.yaml;
  const yaml_node_t * root = yaml_document_get_root_node(r->doc);
  const yaml_node_t * bodies = root ? urdf_yaml_value(r, root, "bodies") : NULL;
  if (!bodies) {
    urdf_say(loader, MBDX_ERROR, place, "add bodies: [{name: ..., mass: ...}]", "has no bodies");
    return;
  }
  // names first: the rest of the document refers to them
  urdf_yaml_list(r, bodies, "bodies", read_body);
  const yaml_node_t * joints = urdf_yaml_value(r, root, "joints");
  if (joints) urdf_yaml_list(r, joints, "joints", read_joint);
  if (loader->out_of_memory || loader->status == MBD_ERROR_LIMIT) return;
  if (!index_robot(loader, tables)) return;
  check_joints(loader, tables);
  urdf_yaml_mapping(r, root, "the file", read_document_key, tables);
  if (tables->nbody == 0 && loader->status == MBD_OK)
    urdf_say(loader, MBDX_ERROR, place, "add one", "bodies: there is none");
}

void
mechanism_read_beside(urdf_loader_t * loader)
{
  reader_t reader = {{loader, loader->yaml, {"file", NULL, 0}}, loader->tables};
  urdf_yaml_t * r = &reader.yaml;
  const yaml_node_t * root = yaml_document_get_root_node(r->doc);
  urdf_yaml_mapping(r, root, "the file", read_document_key, loader->tables);
}
