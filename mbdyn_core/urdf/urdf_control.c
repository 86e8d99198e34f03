// <ros2_control> -> interfaces of joints, and what they lack.
#define _POSIX_C_SOURCE 200809L  // strdup
#include <stdlib.h>
#include <string.h>

#include "mbdyn/ros2_control.h"
#include "urdf_internal.h"

typedef struct reader {
  urdf_loader_t * loader;
  mbdx_ros2_control_t * control;
  int capacity;
} reader_t;

//---------- reading ----------

// 0 for interfaces of a driver alone
static unsigned
interface_bit(const char * name)
{
  static const char * const known[] = {"position", "velocity", "effort", "acceleration"};
  for (int k = 0; name && k < 4; k++) {
    if (strcmp(name, known[k]) == 0) return 1u << k;
  }
  return 0;
}

static unsigned
read_interfaces(reader_t * r, const urdf_node_t * node, urdf_place_t place, const char * kind)
{
  unsigned bits = 0;
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    if (!urdf_is(n, kind)) continue;
    const char * name = urdf_attribute(n, "name");
    const unsigned bit = interface_bit(name);
    place.line = n->line;
    if (!name || *name == 0) {
      urdf_say(
        r->loader, MBDX_WARNING, place, "add name=\"effort\"", "<%s> of <ros2_control> has no name",
        kind);
    } else if (bits & bit) {
      urdf_say(
        r->loader, MBDX_WARNING, place, "remove one of them", "<%s name=\"%s\"> is given twice",
        kind, name);
    }
    bits |= bit;
  }
  return bits;
}

static mbdx_controlled_joint_t *
find_or_add(reader_t * r, const char * name, int line)
{
  mbdx_ros2_control_t * c = r->control;
  for (int i = 0; i < c->n; i++) {
    if (strcmp(c->joint[i].name, name) == 0) return &c->joint[i];
  }
  if (c->n == URDF_MAX_LINKS) {
    const urdf_place_t place = {"ros2_control", NULL, line};
    urdf_fail(r->loader, MBD_ERROR_LIMIT, place, NULL, "has more than %d joints", URDF_MAX_LINKS);
    return NULL;
  }
  if (!urdf_reserve(r->loader, (void **)&c->joint, c->n, &r->capacity, sizeof *c->joint)) {
    return NULL;
  }
  mbdx_controlled_joint_t * joint = &c->joint[c->n];
  *joint = (mbdx_controlled_joint_t){.name = strdup(name), .line = line};
  if (!joint->name) r->loader->out_of_memory = true;
  c->n += joint->name != NULL;
  return joint->name ? joint : NULL;
}

static void
read_joint(reader_t * r, const urdf_node_t * node)
{
  const char * name = urdf_attribute(node, "name");
  const urdf_place_t place = {"joint", name, node->line};
  if (!name || *name == 0) {
    urdf_say(
      r->loader, MBDX_WARNING, place, "add name=\"...\"", "<joint> of <ros2_control> has no name");
    return;
  }
  const unsigned command = read_interfaces(r, node, place, "command_interface");
  const unsigned state = read_interfaces(r, node, place, "state_interface");
  mbdx_controlled_joint_t * joint = find_or_add(r, name, node->line);
  if (!joint) return;
  if (joint->command & command) {
    urdf_say(
      r->loader, MBDX_WARNING, place, "keep one",
      "has the same command interface in the <ros2_control> of line %d", joint->line);
  }
  joint->command |= command;
  joint->state |= state;
}

static void
read_all(reader_t * r)
{
  for (const urdf_node_t * c = r->loader->root->child; c; c = c->next) {
    if (!urdf_is(c, "ros2_control")) continue;
    for (const urdf_node_t * n = c->child; n; n = n->next) {
      if (r->loader->out_of_memory || r->loader->status == MBD_ERROR_LIMIT) return;
      if (urdf_is(n, "joint")) read_joint(r, n);
    }
  }
}

//---------- what they lack ----------

static const mbdx_controlled_joint_t *
find(const mbdx_ros2_control_t * control, const char * name)
{
  for (int i = 0; i < control->n; i++) {
    if (strcmp(control->joint[i].name, name) == 0) return &control->joint[i];
  }
  return NULL;
}

static void
say_missing(
  urdf_loader_t * loader, const urdf_joint_t * joint, const mbdx_controlled_joint_t * found,
  bool any_effort)
{
  urdf_place_t place = urdf_joint_place(joint);
  if (!found) {
    urdf_say(loader, MBDX_NOTE, place, NULL, "is not in <ros2_control>");
    return;
  }
  place.line = found->line;
  if (any_effort && !(found->command & MBDX_INTERFACE_EFFORT)) {
    urdf_say(
      loader, MBDX_NOTE, place,
      "for torque control add <command_interface name=\"effort\"/>, if the driver has it",
      "has no effort command interface in <ros2_control>");
  }
  if (!(found->state & MBDX_INTERFACE_POSITION)) {
    urdf_say(
      loader, MBDX_NOTE, place, "add <state_interface name=\"position\"/>",
      "has no position state interface in <ros2_control>");
  }
}

static void
say_all(urdf_loader_t * loader, const mbdx_ros2_control_t * control, int line)
{
  const urdf_robot_t * robot = &loader->robot;
  int effort = 0;
  for (int i = 0; i < control->n; i++) {
    const mbdx_controlled_joint_t * c = &control->joint[i];
    const urdf_place_t place = {"joint", c->name, c->line};
    effort += (c->command & MBDX_INTERFACE_EFFORT) != 0;
    if (urdf_find_joint(robot, c->name) >= 0) continue;
    urdf_say(
      loader, MBDX_WARNING, place, "correct the name",
      "of <ros2_control> is not a joint of the robot");
  }
  const urdf_place_t place = {"robot", robot->name, line};
  urdf_say(
    loader, MBDX_NOTE, place, NULL,
    "<ros2_control> has %d joint%s, %d with an effort command interface", control->n,
    control->n == 1 ? "" : "s", effort);
  for (int j = 0; j < robot->njoint; j++) {
    const urdf_joint_t * joint = &robot->joint[j];
    // followers have no command of their own
    if (!urdf_one_dof(joint) || joint->mimic_name) continue;
    say_missing(loader, joint, find(control, joint->name), effort > 0);
  }
}

void
urdf_check_control(urdf_loader_t * loader)
{
  const urdf_node_t * first = loader->root->child;
  while (first && !urdf_is(first, "ros2_control")) first = first->next;
  if (!first) return;
  mbdx_ros2_control_t control = {0};
  reader_t r = {.loader = loader, .control = &control};
  read_all(&r);
  if (!loader->out_of_memory && control.n > 0) say_all(loader, &control, first->line);
  for (int i = 0; i < control.n; i++) free(control.joint[i].name);
  free(control.joint);
}

//---------- entry points ----------

mbd_status_t
mbdx_ros2_control_load_string(const char * xml, size_t size, mbdx_ros2_control_t ** control)
{
  if (control) *control = NULL;
  if (!xml || !control) return MBD_ERROR_NULL_ARGUMENT;
  urdf_loader_t loader = {.source = "robot_description", .no_report = true};
  reader_t r = {.loader = &loader, .control = calloc(1, sizeof *r.control)};
  if (!r.control) return MBD_ERROR_OUT_OF_MEMORY;
  while (size > 0 && xml[size - 1] == 0) size--;
  if (urdf_parse_xml(&loader, xml, size)) {
    if (urdf_is(loader.root, "robot"))
      read_all(&r);
    else if (!urdf_is(loader.root, "mujoco"))
      loader.status = MBD_ERROR_URDF;  // MJCF has none of it
  }
  const mbd_status_t status = loader.out_of_memory ? MBD_ERROR_OUT_OF_MEMORY : loader.status;
  urdf_free_loader(&loader);
  if (status == MBD_OK)
    *control = r.control;
  else
    mbdx_ros2_control_free(r.control);
  return status;
}

void
mbdx_ros2_control_free(mbdx_ros2_control_t * control)
{
  if (!control) return;
  for (int i = 0; i < control->n; i++) free(control->joint[i].name);
  free(control->joint);
  free(control);
}
