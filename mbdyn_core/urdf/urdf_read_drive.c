// Drives: <transmission> of the file, and what the caller says instead.
#include <math.h>
#include <string.h>

#include "urdf_internal.h"

// what one <transmission> says
typedef struct transmission {
  urdf_place_t place;
  const char * joint;  // NULL if none
  int njoint, nactuator;
  bool bad;
  double gear_ratio, rotor_inertia;
} transmission_t;

//---------- reading one ----------

// text of an element without children, or NULL
static const char *
text_of(const urdf_node_t * node)
{
  return node->child ? NULL : node->text;
}

static void
read_value(
  urdf_loader_t * loader, transmission_t * t, const urdf_node_t * node, const char * what,
  const char * text, double * x)
{
  urdf_place_t place = t->place;
  place.line = node->line;
  if (
    !urdf_number(loader, place, what, text ? text : "", x) ||
    !urdf_within_size(loader, place, what, x, 1)) {
    t->bad = true;
  }
}

// <mechanicalReduction>, <drake:gear_ratio>, <drake:rotor_inertia>
static void
read_parameter(urdf_loader_t * loader, transmission_t * t, const urdf_node_t * node)
{
  if (urdf_is(node, "mechanicalReduction")) {
    read_value(loader, t, node, "mechanicalReduction", text_of(node), &t->gear_ratio);
  } else if (urdf_is(node, "drake:gear_ratio")) {
    read_value(loader, t, node, "gear_ratio", urdf_attribute(node, "value"), &t->gear_ratio);
  } else if (urdf_is(node, "drake:rotor_inertia")) {
    read_value(loader, t, node, "rotor_inertia", urdf_attribute(node, "value"), &t->rotor_inertia);
  }
}

static void
read_children(urdf_loader_t * loader, transmission_t * t, urdf_node_t * node)
{
  for (urdf_node_t * n = node->child; n; n = n->next) {
    const bool joint = urdf_is(n, "joint"), actuator = urdf_is(n, "actuator");
    t->njoint += joint;
    t->nactuator += actuator;
    if (joint) t->joint = urdf_attribute(n, "name");
    read_parameter(loader, t, n);
    if (!joint && !actuator) continue;
    for (urdf_node_t * p = n->child; p; p = p->next) {
      read_parameter(loader, t, p);
    }
  }
}

//---------- what it means ----------

// the joint it drives, or -1 with a sentence
static int
driven_joint(urdf_loader_t * loader, const transmission_t * t)
{
  if (t->njoint != 1 || t->nactuator > 1 || !t->joint) {
    urdf_say(
      loader, MBDX_WARNING, t->place, NULL,
      "is ignored: %d joints and %d actuators; only one of each is supported", t->njoint,
      t->nactuator);
    return -1;
  }
  const int j = urdf_find_joint(&loader->robot, t->joint);
  if (j < 0) {
    urdf_say(
      loader, MBDX_WARNING, t->place, NULL, "is ignored: there is no joint %s",
      urdf_name(t->joint).s);
    return -1;
  }
  const urdf_joint_t * joint = &loader->robot.joint[j];
  if (joint->transmission_line > 0) {
    urdf_say(
      loader, MBDX_WARNING, t->place, NULL, "is ignored: joint %s has one on line %d",
      urdf_name(t->joint).s, joint->transmission_line);
    return -1;
  }
  return j;
}

static void
read_transmission(urdf_loader_t * loader, urdf_node_t * node)
{
  const char * name = urdf_attribute(node, "name");
  transmission_t t = {.gear_ratio = 1};
  t.place = (urdf_place_t){"transmission", name && *name ? name : NULL, node->line};
  read_children(loader, &t, node);
  if (!t.bad && t.gear_ratio == 0) {
    urdf_say(loader, MBDX_ERROR, t.place, NULL, "gear ratio is 0");
  }
  if (!t.bad && t.rotor_inertia < 0) {
    urdf_say(loader, MBDX_ERROR, t.place, NULL, "rotor_inertia %g is negative", t.rotor_inertia);
  }
  const int j = driven_joint(loader, &t);
  if (j < 0) return;
  urdf_joint_t * joint = &loader->robot.joint[j];
  joint->transmission_line = t.place.line;
  joint->gear_ratio = t.gear_ratio;
  joint->rotor_inertia = t.rotor_inertia;
  if (t.gear_ratio == 1 && t.rotor_inertia == 0) return;
  urdf_say(
    loader, MBDX_NOTE, t.place, NULL, "joint %s has gear ratio %g and rotor inertia %g kg m^2",
    urdf_name(t.joint).s, t.gear_ratio, t.rotor_inertia);
}

void
urdf_read_transmissions(urdf_loader_t * loader)
{
  urdf_node_t * root = loader->root;
  for (urdf_node_t * n = root->child; n; n = n->next) {
    if (urdf_is(n, "transmission")) read_transmission(loader, n);
  }
}

//---------- the caller's ----------

static bool
is_drive(const mbd_drive_t * d)
{
  const bool finite = isfinite(d->rotor_inertia) && isfinite(d->gear_ratio) &&
                      isfinite(d->viscous) && isfinite(d->coulomb) && isfinite(d->coulomb_velocity);
  const bool positive = d->rotor_inertia >= 0 && d->viscous >= 0 && d->coulomb >= 0;
  return finite && positive && (d->coulomb == 0 || d->coulomb_velocity > 0);
}

void
urdf_apply_drives(urdf_loader_t * loader)
{
  for (int k = 0; k < loader->options.ndrive; k++) {
    const mbdx_joint_drive_t * given = &loader->options.drive[k];
    const urdf_place_t place = {"drive", given->joint, 0};
    const int j = given->joint ? urdf_find_joint(&loader->robot, given->joint) : -1;
    if (j < 0) {
      urdf_say(loader, MBDX_ERROR, place, NULL, "the robot has no joint of that name");
      continue;
    }
    urdf_joint_t * joint = &loader->robot.joint[j];
    if (!urdf_moves(joint)) {
      urdf_say(loader, MBDX_ERROR, place, NULL, "a fixed joint has no drive");
    } else if (!is_drive(&given->drive)) {
      urdf_say(
        loader, MBDX_ERROR, place, NULL,
        "values must be finite and non-negative, coulomb_velocity positive");
    } else {
      joint->drive = &given->drive;
    }
  }
}
