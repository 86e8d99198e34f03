// <constraint> -> closures: the format that ros/urdfdom pull request 264 proposes, experimental.
#include <math.h>
#include <string.h>

#include "urdf_internal.h"

// the frame of one side: <parent_origin> or <child_origin>
static void
read_origin(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_end_t * end)
{
  static const char * const known[] = {"xyz", "rpy", NULL};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  const char * text = urdf_attribute(node, "xyz");
  if (text && urdf_vector(loader, place, "origin xyz", text, end->xyz, 3)) {
    urdf_within_size(loader, place, "origin xyz", end->xyz, 3);
  }
  text = urdf_attribute(node, "rpy");
  if (text) urdf_vector(loader, place, "origin rpy", text, end->rpy, 3);
}

// <parent link> or <child link>
static void
read_link(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_end_t * end)
{
  static const char * const known[] = {"link", NULL};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  end->link = urdf_attribute(node, "link");
  end->given = end->link && *end->link;
}

// false if there is none, or with a sentence
static bool
read_axis(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, double axis[3])
{
  static const char * const known[] = {"xyz", NULL};
  if (!node) return false;
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  const char * text = urdf_attribute(node, "xyz");
  if (!text) {
    urdf_say(loader, MBDX_ERROR, place, "add xyz=\"...\"", "<%s> has no xyz", node->name);
    return false;
  }
  if (!urdf_vector(loader, place, "axis xyz", text, axis, 3)) return false;
  if (urdf_normalise(axis) > 0) return true;
  urdf_say(loader, MBDX_ERROR, place, NULL, "axis xyz %s has zero length", urdf_value(text).s);
  return false;
}

// the columns of a rotation moved on, so that what was z is column k
static mbd_mat3_t
with_column(const double axis[3], int k)
{
  const mbd_mat3_t R = urdf_rotation_to(axis);
  mbd_mat3_t turned;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) turned.m[3 * i + (j + k + 1) % 3] = R.m[3 * i + j];
  }
  return turned;
}

// The closure frames of a constraint are its origins, turned so that the axes are where a closure of
// the type has them: z for one axis, x of a and y of b for the two of a universal joint.
static void
turn_ends(urdf_closure_t * c, const double parent[3], const double child[3])
{
  const bool two = c->type == MBD_CLOSURE_UNIVERSAL;
  c->a.turn = with_column(parent, two ? 0 : 2);
  c->b.turn = two ? with_column(child, 1) : c->a.turn;
  c->a.turned = c->b.turned = true;
}

static void
read_axes(
  urdf_loader_t * loader, urdf_node_t * parent, urdf_node_t * child, urdf_place_t place,
  urdf_closure_t * c)
{
  double a[3] = {0}, b[3] = {0};
  const bool none = c->type == MBD_CLOSURE_SPHERICAL || c->type == MBD_CLOSURE_WELD;
  const bool two = c->type == MBD_CLOSURE_UNIVERSAL;
  if (none && (parent || child)) {
    place.line = parent ? parent->line : child->line;
    urdf_say(loader, MBDX_ERROR, place, "remove it", "an axis does not apply to this type");
    return;
  }
  if (none) return;
  if (!parent || (two && !child)) {
    urdf_say(
      loader, MBDX_ERROR, place, "add it", "has no <%s>", parent ? "child_axis" : "parent_axis");
    return;
  }
  const bool good = read_axis(loader, parent, place, a);
  const bool second = read_axis(loader, child, place, b);
  if (!good || (child && !second)) return;
  double apart = 0;
  for (int k = 0; k < 3 && child; k++) apart = fmax(apart, fabs(a[k] - b[k]));
  if (two || apart <= 1e-6) {
    turn_ends(c, a, b);
    return;
  }
  place.line = child->line;
  urdf_say(
    loader, MBDX_ERROR, place, "turn <child_origin> so that both axes have the same xyz",
    "joints of this type have one axis, but <parent_axis> and <child_axis> differ");
}

static bool
read_type(urdf_loader_t * loader, urdf_place_t place, const char * text, mbd_closure_type_t * type)
{
  static const struct {
    const char * name;
    mbd_closure_type_t type;
  } TYPES[] = {
    {"revolute", MBD_CLOSURE_REVOLUTE},   {"prismatic", MBD_CLOSURE_PRISMATIC},
    {"universal", MBD_CLOSURE_UNIVERSAL}, {"spherical", MBD_CLOSURE_SPHERICAL},
    {"link", MBD_CLOSURE_WELD},
  };
  static const char hint[] = "write revolute, prismatic, universal, spherical or link";
  for (size_t k = 0; text && k < sizeof TYPES / sizeof *TYPES; k++) {
    *type = TYPES[k].type;
    if (strcmp(text, TYPES[k].name) == 0) return true;
  }
  if (text) {
    urdf_say(loader, MBDX_ERROR, place, hint, "type %s is unknown", urdf_value(text).s);
  } else {
    urdf_say(loader, MBDX_ERROR, place, hint, "has no type");
  }
  return false;
}

static const char * const PARTS[6] = {"parent", "parent_origin", "parent_axis",
                                      "child",  "child_origin",  "child_axis"};

static void
refuse_others(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    int k = 0;
    while (k < 6 && !urdf_is(n, PARTS[k])) k++;
    if (k < 6) continue;
    place.line = n->line;
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name, or remove it",
      "element %s of <constraint> is unknown", urdf_tag(n).s);
  }
}

// <constraint name type> with <parent link>, <parent_origin>, <parent_axis> and the same of the child:
// the format that ros/urdfdom pull request 264 proposes
void
urdf_read_constraint(urdf_loader_t * loader, urdf_node_t * node)
{
  static const char * const known[] = {"name", "type", NULL};
  urdf_closure_t * c = urdf_new_closure(loader, node->line);
  if (!c) return;
  c->name = urdf_attribute(node, "name");
  const urdf_place_t place = {"closure", c->name, c->line};
  urdf_refuse_attributes(loader, node, place, known);
  urdf_warn_text(loader, node, place);
  if (!read_type(loader, place, urdf_attribute(node, "type"), &c->type)) return;
  urdf_node_t * found[6];
  for (int k = 0; k < 6; k++) found[k] = urdf_only_child(loader, node, place, PARTS[k]);
  refuse_others(loader, node, place);
  for (int side = 0; side < 2; side++) {
    urdf_end_t * end = side ? &c->b : &c->a;
    if (found[3 * side]) read_link(loader, found[3 * side], place, end);
    if (found[3 * side + 1]) read_origin(loader, found[3 * side + 1], place, end);
  }
  read_axes(loader, found[2], found[5], place, c);
  urdf_check_closure(loader, c);
  urdf_say(
    loader, MBDX_NOTE, place, NULL,
    "<constraint> is experimental: its format is that of ros/urdfdom pull request 264");
}
