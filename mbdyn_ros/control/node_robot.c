// What the parameters name on a robot: command joints, frames, names of degrees of freedom.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_parameters.h"

static bool
refuse_robot(char * reason, size_t size, const char * what, const char * name)
{
  snprintf(reason, size, what, name);
  return false;
}

static char *
dof_name(const mbd_body_t * body, int k)
{
  char name[512];
  joint_dof_name(body, k, name, sizeof name);
  return strdup(name);
}

static bool
name_dofs(node_robot_t * robot, const mbd_model_t * model)
{
  robot->dof_name = calloc((size_t)model->nv + 1, sizeof *robot->dof_name);
  if (!robot->dof_name) return false;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nv; k++) {
      robot->dof_name[body->v_index + k] = dof_name(body, k);
      if (!robot->dof_name[body->v_index + k]) return false;
    }
  }
  return true;
}

static bool
find_command_joint(node_robot_t * robot, const char * name, char * reason, size_t size)
{
  int body;
  if (mbd_find_joint(robot->model, name, &body) != MBD_OK) {
    return refuse_robot(reason, size, "command_joints: the robot has no moving joint '%s'", name);
  }
  if (robot->model->body[body].nv != 1) {
    const bool moved = robot->model->tree && robot->model->tree->body[body].nv == 1;
    const char * format = moved ? "command_joints: '%s' is a dependent joint of a loop or gear"
                                : "command_joints: '%s' does not have one degree of freedom";
    return refuse_robot(reason, size, format, name);
  }
  const int dof = robot->model->body[body].v_index;
  for (int i = 0; i < robot->ncommand; i++) {
    if (robot->command_dof[i] == dof) {
      return refuse_robot(reason, size, "command_joints: duplicate joint '%s'", name);
    }
  }
  robot->command_dof[robot->ncommand++] = dof;
  return true;
}

// joints with an effort command interface that can be commanded: not those of grippers that another
// controller moves, locked joints, or the followers of others
static void
take_controlled_joints(node_robot_t * robot, const mbdx_ros2_control_t * control)
{
  for (int i = 0; control && i < control->n; i++) {
    const mbdx_controlled_joint_t * joint = &control->joint[i];
    int body;
    if (!(joint->command & MBDX_INTERFACE_EFFORT)) continue;
    if (mbd_find_joint(robot->model, joint->name, &body) != MBD_OK) continue;
    const mbd_body_t * b = &robot->model->body[body];
    if (b->nv == 1 && b->mimic_body < 0) robot->command_dof[robot->ncommand++] = b->v_index;
  }
  robot->by_control = robot->ncommand > 0;
}

static bool
find_command_joints(
  node_robot_t * robot, const mbdx_ros2_control_t * control, const param_values_t * values,
  char * reason, size_t size)
{
  const mbd_model_t * model = robot->model;
  size_t n;
  const char * const * name = param_strings(values, P_COMMAND_JOINTS, &n);
  robot->command_dof = calloc((size_t)model->nv + n + 1, sizeof *robot->command_dof);
  robot->commanded = calloc((size_t)model->nv + 1, sizeof *robot->commanded);
  if (!robot->command_dof || !robot->commanded)
    return refuse_robot(reason, size, "%s", "out of memory");
  for (size_t i = 0; i < n; i++) {
    if (!find_command_joint(robot, name[i], reason, size)) return false;
  }
  if (n == 0) take_controlled_joints(robot, control);
  for (int i = 0; n == 0 && !robot->by_control && i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->nv == 1 && body->mimic_body < 0)
      robot->command_dof[robot->ncommand++] = body->v_index;
  }
  for (int i = 0; i < robot->ncommand; i++) robot->commanded[robot->command_dof[i]] = true;
  return true;
}

static bool
find_frames(node_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  size_t n;
  const char * const * name = param_strings(values, P_FRAMES, &n);
  robot->frame = calloc(n + 1, sizeof *robot->frame);
  if (!robot->frame) return refuse_robot(reason, size, "%s", "out of memory");
  for (size_t i = 0; i < n; i++) {
    if (mbd_find_frame(robot->model, name[i], &robot->frame[i]) != MBD_OK) {
      return refuse_robot(reason, size, "frames: the robot has no link or frame '%s'", name[i]);
    }
    robot->nframe++;
  }
  if (n == 0) {
    const char * frame = param_string(values, P_OPERATIONAL_FRAME);
    if (*frame == 0 || mbd_find_frame(robot->model, frame, &robot->frame[0]) != MBD_OK) {
      robot->frame[0] = node_robot_tip(robot->model);
    }
    robot->nframe = robot->frame[0] >= 0 ? 1 : 0;
  }
  return true;
}

static mbd_reference_t
reference_of(const char * name)
{
  if (strcmp(name, "local") == 0) return MBD_LOCAL;
  return strcmp(name, "world") == 0 ? MBD_WORLD : MBD_LOCAL_WORLD_ALIGNED;
}

int
node_robot_tip(const mbd_model_t * model)
{
  // a link that is fixed to the last moving body (a flange) is further out than the body itself
  for (int i = model->nframe - 1; i >= 0; i--) {
    if (model->frame[i].is_link && model->frame[i].body == model->nbody - 1) return i;
  }
  return model->nframe - 1;
}

bool
node_robot_init(
  node_robot_t * robot, const mbd_model_t * model, const mbdx_ros2_control_t * control,
  const param_values_t * values, char * reason, size_t size)
{
  memset(robot, 0, sizeof *robot);
  robot->model = model;
  robot->reference = reference_of(param_string(values, P_REFERENCE));
  const bool floating = strcmp(param_string(values, P_BASE), "floating") == 0;
  robot->root_link = model->nframe > 0 ? model->frame[0].name : model->name;
  const char * world = param_string(values, P_WORLD_FRAME);
  if (*world == 0) world = floating ? "odom" : robot->root_link;
  robot->world_frame = strdup(world);
  if (!robot->world_frame || !name_dofs(robot, model)) {
    return refuse_robot(reason, size, "%s", "out of memory");
  }
  return find_command_joints(robot, control, values, reason, size) &&
         find_frames(robot, values, reason, size);
}

void
node_robot_fini(node_robot_t * robot)
{
  for (int k = 0; robot->dof_name && k < robot->model->nv; k++) free(robot->dof_name[k]);
  free(robot->dof_name);
  free(robot->command_dof);
  free(robot->commanded);
  free(robot->frame);
  free(robot->world_frame);
  memset(robot, 0, sizeof *robot);
}
