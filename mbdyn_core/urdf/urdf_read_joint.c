// From the XML tree to the table: joints.
#include <math.h>
#include <string.h>

#include "urdf_internal.h"

static urdf_joint_type_t
read_type(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  static const char * const name[6] = {"revolute", "continuous", "prismatic",
                                       "fixed",    "floating",   "planar"};
  static const urdf_joint_type_t type[6] = {URDF_REVOLUTE, URDF_CONTINUOUS, URDF_PRISMATIC,
                                            URDF_FIXED,    URDF_FLOATING,   URDF_PLANAR};
  static const char hint[] = "write revolute, continuous, prismatic, fixed, floating or planar";
  const char * text = urdf_attribute(node, "type");
  if (!text) {
    urdf_say(loader, MBDX_ERROR, place, hint, "has no type");
    return URDF_UNKNOWN;
  }
  for (int k = 0; k < 6; k++) {
    if (strcmp(text, name[k]) == 0) return type[k];
  }
  urdf_say(loader, MBDX_ERROR, place, hint, "type %s is unknown", urdf_value(text).s);
  return URDF_UNKNOWN;
}

// the link that <parent> or <child> names, or NULL with a sentence
static const char *
read_end(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, const char * which)
{
  static const char * const known[] = {"link", NULL};
  urdf_node_t * end = urdf_only_child(loader, node, place, which);
  if (!end) {
    urdf_say(loader, MBDX_ERROR, place, "name a link", "has no <%s>", which);
    return NULL;
  }
  place.line = end->line;
  urdf_warn_attributes(loader, end, place, known);
  const char * link = urdf_attribute(end, "link");
  if (link && *link) return link;
  urdf_say(loader, MBDX_ERROR, place, "add link=\"...\"", "<%s> names no link", which);
  return NULL;
}

//---------- axis ----------

double
urdf_normalise(double axis[3])
{
  const double big = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
  if (big == 0) return 0;
  // by the largest number first: squares of the others neither overflow nor vanish
  const double x = axis[0] / big, y = axis[1] / big, z = axis[2] / big;
  const double norm = sqrt(x * x + y * y + z * z);
  axis[0] = x / norm, axis[1] = y / norm, axis[2] = z / norm;
  return norm * big;
}

// length one; false with a sentence if it has no direction
static bool
normalise(urdf_loader_t * loader, urdf_place_t place, const char * text, double axis[3])
{
  const double length = urdf_normalise(axis);
  if (length == 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "write e.g. \"0 0 1\"", "axis %s has zero length",
      urdf_value(text).s);
    return false;
  }
  if (fabs(length - 1) > 1e-6) {
    urdf_say(
      loader, MBDX_NOTE, place, NULL, "axis %s of length %g normalised to length 1",
      urdf_value(text).s, length);
  }
  return true;
}

static void
read_axis(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_joint_t * joint)
{
  static const char * const known[] = {"xyz", NULL};
  joint->axis[0] = 1;
  urdf_node_t * axis = urdf_only_child(loader, node, place, "axis");
  const bool needed = joint->type != URDF_UNKNOWN && urdf_has_axis(joint);
  if (!axis) {
    if (needed) urdf_say(loader, MBDX_NOTE, place, NULL, "has no axis; 1 0 0 is used");
    return;
  }
  place.line = axis->line;
  urdf_refuse_attributes(loader, axis, place, known);
  const char * text = urdf_attribute(axis, "xyz");
  if (!text) {
    urdf_say(loader, MBDX_ERROR, place, "add xyz=\"...\"", "axis has no xyz");
    return;
  }
  double xyz[3];
  if (!urdf_vector(loader, place, "axis", text, xyz, 3)) return;
  // exporters write "0 0 0" for joints that have no axis
  if (!needed || !normalise(loader, place, text, xyz)) return;
  memcpy(joint->axis, xyz, sizeof xyz);
}

//---------- limit ----------

// an attribute that may be missing; false with a sentence if it is there and no number
static bool
optional(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * what,
  const char * name, double * x, bool * found)
{
  const char * text = urdf_attribute(node, name);
  *found = text && urdf_number(loader, place, what, text, x);
  return *found || !text;
}

static void
check_positions(
  urdf_loader_t * loader, urdf_place_t place, const urdf_joint_t * joint, bool lower, bool upper)
{
  if (joint->lower > joint->upper) {
    urdf_say(
      loader, MBDX_ERROR, place, "are they swapped?", "limit lower %g is above upper %g",
      joint->lower, joint->upper);
  } else if (!lower || !upper) {
    // URDF 1.2 no longer has 0 as their default
    const char * which = lower ? "upper" : upper ? "lower" : "lower and upper";
    if (loader->robot.version >= 2) {
      urdf_say(
        loader, MBDX_ERROR, place, "write both", "limit has no %s, which URDF 1.2 requires", which);
    } else {
      urdf_say(
        loader, MBDX_NOTE, place, NULL, "limit has no %s; 0 is used, as in the URDF specification",
        which);
    }
  }
}

static void
check_limit(
  urdf_loader_t * loader, urdf_place_t place, const urdf_joint_t * joint, bool lower, bool upper)
{
  if (joint->type == URDF_UNKNOWN) return;
  if (!urdf_one_dof(joint)) {
    urdf_say(
      loader, joint->type == URDF_FIXED ? MBDX_NOTE : MBDX_WARNING, place, NULL,
      "limit of a joint of this type is ignored");
    return;
  }
  if (joint->effort < 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "limit effort %g is negative", joint->effort);
  }
  if (joint->velocity < 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "limit velocity %g is negative", joint->velocity);
  }
  if (joint->type != URDF_CONTINUOUS) {
    check_positions(loader, place, joint, lower, upper);
  } else if (lower || upper) {
    urdf_say(loader, MBDX_NOTE, place, NULL, "lower and upper of a continuous joint are ignored");
  }
  if (!joint->has_effort || !joint->has_velocity) {
    urdf_say(
      loader, MBDX_NOTE, place, NULL, "limit has no %s: unlimited",
      joint->has_effort     ? "velocity"
      : joint->has_velocity ? "effort"
                            : "effort and velocity");
  }
}

// limits of acceleration and jerk: URDF 1.2
static void
read_rates(urdf_loader_t * loader, urdf_node_t * limit, urdf_place_t place, urdf_joint_t * joint)
{
  static const char * const name[3] = {"acceleration", "deceleration", "jerk"};
  static const char * const what[3] = {"limit acceleration", "limit deceleration", "limit jerk"};
  double * const x[3] = {&joint->acceleration, &joint->deceleration, &joint->jerk};
  for (int k = 0; k < 3; k++) {
    const char * text = urdf_attribute_since(loader, limit, place, name[k], 2);
    if (!text || !urdf_number(loader, place, what[k], text, x[k]) || *x[k] >= 0) continue;
    urdf_say(loader, MBDX_ERROR, place, NULL, "%s %g is negative", what[k], *x[k]);
  }
}

static void
read_limit(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_joint_t * joint)
{
  static const char * const known[] = {"lower",        "upper",        "effort", "velocity",
                                       "acceleration", "deceleration", "jerk",   NULL};
  urdf_node_t * limit = urdf_only_child(loader, node, place, "limit");
  if (!limit) {
    if (joint->type == URDF_REVOLUTE || joint->type == URDF_PRISMATIC) {
      urdf_say(loader, MBDX_NOTE, place, NULL, "has no limit: unlimited");
    }
    return;
  }
  place.line = limit->line;
  urdf_refuse_attributes(loader, limit, place, known);
  read_rates(loader, limit, place, joint);
  bool lower, upper;
  const int bad =
    !optional(loader, limit, place, "limit lower", "lower", &joint->lower, &lower) +
    !optional(loader, limit, place, "limit upper", "upper", &joint->upper, &upper) +
    !optional(loader, limit, place, "limit effort", "effort", &joint->effort, &joint->has_effort) +
    !optional(
      loader, limit, place, "limit velocity", "velocity", &joint->velocity, &joint->has_velocity);
  joint->has_limit = true;
  if (bad == 0) check_limit(loader, place, joint, lower, upper);
}

//---------- dynamics, mimic ----------

static void
read_dynamics(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_joint_t * joint)
{
  static const char * const known[] = {"damping", "friction", NULL};
  urdf_node_t * dynamics = urdf_only_child(loader, node, place, "dynamics");
  if (!dynamics) return;
  place.line = dynamics->line;
  urdf_refuse_attributes(loader, dynamics, place, known);
  bool found;
  optional(loader, dynamics, place, "damping", "damping", &joint->damping, &found);
  optional(loader, dynamics, place, "friction", "friction", &joint->friction, &found);
  if (joint->damping < 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "damping %g is negative", joint->damping);
  }
  if (joint->friction < 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "friction %g is negative", joint->friction);
  }
  urdf_within_size(loader, place, "damping", &joint->damping, 1);
  urdf_within_size(loader, place, "friction", &joint->friction, 1);
}

static void
read_mimic(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_joint_t * joint)
{
  static const char * const known[] = {"joint", "multiplier", "offset", NULL};
  urdf_node_t * mimic = urdf_only_child(loader, node, place, "mimic");
  if (!mimic) return;
  place.line = mimic->line;
  urdf_refuse_attributes(loader, mimic, place, known);
  bool found;
  optional(loader, mimic, place, "mimic multiplier", "multiplier", &joint->multiplier, &found);
  optional(loader, mimic, place, "mimic offset", "offset", &joint->offset, &found);
  urdf_within_size(loader, place, "mimic multiplier", &joint->multiplier, 1);
  urdf_within_size(loader, place, "mimic offset", &joint->offset, 1);
  const char * name = urdf_attribute(mimic, "joint");
  if (!name || *name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "add joint=\"...\"", "mimic names no joint");
    return;
  }
  joint->mimic_line = place.line;
  joint->mimic_name = name;
}

//---------- joint ----------

static void
warn_children(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place)
{
  static const char * const known[] = {"origin", "parent",   "child", "axis",
                                       "limit",  "dynamics", "mimic", NULL};
  for (urdf_node_t * n = node->child; n; n = n->next) {
    const char * const * k = known;
    while (*k && !urdf_is(n, *k)) k++;
    if (!*k && !urdf_count_kind(loader, n)) urdf_warn_element(loader, n, place, known);
  }
}

void
urdf_read_joint(urdf_loader_t * loader, urdf_node_t * node)
{
  static const char * const known[] = {"name", "type", NULL};
  urdf_robot_t * robot = &loader->robot;
  if (!urdf_reserve(
        loader, (void **)&robot->joint, robot->njoint, &robot->joint_capacity,
        sizeof *robot->joint)) {
    return;
  }
  urdf_place_t place = {"joint", NULL, node->line};
  place.name = urdf_read_name(loader, node, place);
  urdf_joint_t joint = {.line = place.line, .node = node, .parent = -1, .child = -1, .mimic = -1};
  joint.quat[3] = 1;
  joint.name = place.name ? place.name : "";
  joint.multiplier = 1;
  joint.gear_ratio = 1;
  joint.acceleration = joint.deceleration = joint.jerk = HUGE_VAL;
  urdf_warn_attributes(loader, node, place, known);
  urdf_warn_text(loader, node, place);
  warn_children(loader, node, place);
  joint.type = read_type(loader, node, place);
  joint.parent_name = read_end(loader, node, place, "parent");
  joint.child_name = read_end(loader, node, place, "child");
  urdf_node_t * origin = urdf_only_child(loader, node, place, "origin");
  if (origin) urdf_read_origin(loader, origin, place, joint.xyz, joint.quat);
  read_axis(loader, node, place, &joint);
  read_limit(loader, node, place, &joint);
  read_dynamics(loader, node, place, &joint);
  read_mimic(loader, node, place, &joint);
  robot->joint[robot->njoint++] = joint;
}
