// Publishers of the control thread and the messages they send. Every message lies ready, names and
// all; a cycle writes numbers into it.
#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/msg/dynamics_summary.h"
#include "mbdyn/msg/jacobian.h"
#include "mbdyn/msg/joint_dynamics_array.h"
#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/msg/mass_matrix.h"
#include "mbdyn/msg/operational_space_inertia.h"
#include "mbdyn/msg/singularity.h"
#include "message_fill.h"
#include "outputs_internal.h"
#include "rclc/rclc.h"
#include "rmw/qos_profiles.h"
#include "ros_process.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/float64_multi_array.h"

enum { TOPIC_MAX = 256 };

static const char * const TERM_TOPIC[NTERM] = {
  "~/torques/gravity", "~/torques/coriolis", "~/torques/inertia", "~/torques/friction",
  "~/torques/external"};

//---------- making them ----------

typedef struct maker {
  outputs_t * outputs;
  rcl_node_t * node;
  char * reason;
  size_t size;
} maker_t;

// reliable and one deep: matches every subscriber, never holds a queue of old torques
static bool
open_topic(
  maker_t * m, output_t * output, const rosidl_message_type_support_t * type, const char * topic)
{
  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = 1;
  output->publisher = rcl_get_zero_initialized_publisher();
  output->open = rclc_publisher_init(&output->publisher, m->node, type, topic, &qos) == RCL_RET_OK;
  if (output->open) return true;
  snprintf(m->reason, m->size, "topic %s: %s", topic, rcl_get_error_string().str);
  rcl_reset_error();
  return false;
}

static bool
built(maker_t * m, bool ok)
{
  if (!ok) snprintf(m->reason, m->size, "out of memory");
  return ok;
}

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

static bool
make_joint_states(maker_t * m, out_names_t names)
{
  outputs_t * o = m->outputs;
  const char * root = o->robot->root_link;
  output_t * all[NTERM + 2] = {&o->torques, &o->external_torque};
  const char * topic[NTERM + 2] = {"~/torques", "~/external_torque"};
  for (int k = 0; k < NTERM; k++) all[2 + k] = &o->term[k], topic[2 + k] = TERM_TOPIC[k];
  for (int k = 0; k < NTERM + 2; k++) {
    if (!built(m, out_joint_state_build(&all[k]->message, root, names))) return false;
    if (!open_topic(m, all[k], TYPE(sensor_msgs, JointState), topic[k])) return false;
  }
  return true;
}

static bool
make_joint_messages(maker_t * m, out_names_t names)
{
  outputs_t * o = m->outputs;
  const char * root = o->robot->root_link;
  return built(m, out_array_build(&o->command.message, (size_t)o->robot->ncommand)) &&
         open_topic(m, &o->command, TYPE(std_msgs, Float64MultiArray), "~/command") &&
         built(m, out_joint_torques_build(&o->joint_torques.message, root, names)) &&
         open_topic(m, &o->joint_torques, TYPE(mbdyn, JointTorques), "~/joint_torques") &&
         built(m, out_joint_dynamics_build(&o->joints, root, names)) &&
         open_topic(m, &o->joint_dynamics, TYPE(mbdyn, JointDynamicsArray), "~/joint_dynamics") &&
         built(m, out_mass_matrix_build(&o->mass_matrix.message, root, names)) &&
         open_topic(m, &o->mass_matrix, TYPE(mbdyn, MassMatrix), "~/mass_matrix");
}

static const char *
frame_name(const outputs_t * o, int i)
{
  return o->robot->model->frame[o->robot->frame[i]].name;
}

// a name that a topic may have
static void
topic_of(const char * frame, char * topic, size_t size)
{
  snprintf(topic, size, "~/jacobian/%s%s", frame[0] >= '0' && frame[0] <= '9' ? "_" : "", frame);
  for (char * c = topic + strlen("~/jacobian/"); *c; c++) {
    const bool fine =
      (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_';
    if (!fine) *c = '_';
  }
}

static bool
make_jacobians(maker_t * m, out_names_t names)
{
  outputs_t * o = m->outputs;
  const node_robot_t * robot = o->robot;
  for (int i = 0; i < robot->nframe; i++) {
    const char * frame = frame_name(o, i);
    const char * point = robot->reference == MBD_WORLD ? robot->world_frame : frame;
    const char * axes = robot->reference == MBD_LOCAL ? frame : robot->world_frame;
    char topic[TOPIC_MAX];
    topic_of(frame, topic, sizeof topic);
    out_message_t * message = &o->jacobian[i].message;
    const uint8_t reference = (uint8_t)robot->reference;
    if (!built(m, out_jacobian_build(message, frame, reference, point, axes, names))) return false;
    if (!open_topic(m, &o->jacobian[i], TYPE(mbdyn, Jacobian), topic)) return false;
  }
  return true;
}

static bool
make_inertia(maker_t * m)
{
  outputs_t * o = m->outputs;
  const node_robot_t * robot = o->robot;
  const size_t n = (size_t)robot->nframe;
  const char ** name = calloc(3 * n + 1, sizeof *name);
  if (!built(m, name)) return false;
  for (size_t i = 0; i < n; i++) {
    const char * frame = frame_name(o, (int)i);
    o->task[i] = fill_task(robot->frame[i], robot->reference);
    name[i] = frame;
    name[n + i] = robot->reference == MBD_WORLD ? robot->world_frame : frame;
    name[2 * n + i] = robot->reference == MBD_LOCAL ? frame : robot->world_frame;
  }
  const out_names_t frames = {n, name}, points = {n, name + n}, axes = {n, name + 2 * n};
  const bool ok = out_operational_space_inertia_build(
    &o->inertia.message, robot->root_link, frames, (uint8_t)robot->reference, points, axes);
  free(name);
  return built(m, ok) &&
         open_topic(
           m, &o->inertia, TYPE(mbdyn, OperationalSpaceInertia), "~/operational_space_inertia");
}

static bool
make_singularity(maker_t * m, out_names_t joints)
{
  outputs_t * o = m->outputs;
  const size_t n = (size_t)o->robot->nframe;
  const char ** name = calloc(n + 1, sizeof *name);
  for (size_t i = 0; name && i < n; i++) name[i] = frame_name(o, (int)i);
  const out_names_t frames = {n, name};
  const bool ok =
    name && out_singularity_build(&o->singularity.message, o->robot->root_link, joints, frames) &&
    mbd_data_create(o->robot->model, &o->varied) == MBD_OK;
  free(name);
  return built(m, ok) && open_topic(m, &o->singularity, TYPE(mbdyn, Singularity), "~/singularity");
}

static bool
make_summary(maker_t * m)
{
  outputs_t * o = m->outputs;
  const mbd_model_t * model = o->robot->model;
  const char ** name = calloc((size_t)model->nframe + 1, sizeof *name);
  o->link = calloc((size_t)model->nframe + 1, sizeof *o->link);
  bool ok = name && o->link;
  for (int i = 0; ok && i < model->nframe; i++) {
    if (!model->frame[i].is_link || model->frame[i].body < 0) continue;
    name[o->nlink] = model->frame[i].name;
    o->link[o->nlink++] = i;
  }
  const out_names_t links = {(size_t)o->nlink, name};
  for (int k = 0; ok && k < CONTROLLER_MODES; k++) {
    ok = out_summary_build(
      &o->summary[k], o->robot->world_frame, model->name,
      controller_mode_name((controller_mode_t)k), (uint32_t)model->nv, links);
  }
  free(name);
  return built(m, ok) && open_topic(m, &o->dynamics, TYPE(mbdyn, DynamicsSummary), "~/dynamics");
}

static bool
make_workspace(maker_t * m)
{
  outputs_t * o = m->outputs;
  const size_t nv = (size_t)o->robot->model->nv;
  const mbd_tasks_t tasks = {o->robot->nframe, o->task};
  o->position = calloc(nv + 1, sizeof *o->position);
  o->array = calloc(nv + 1, sizeof *o->array);
  o->work = calloc(fill_work_size(o->robot->model, &tasks), sizeof *o->work);
  return built(m, o->position && o->array && o->work);
}

static bool
make_all(maker_t * m, const char * observer_frame)
{
  outputs_t * o = m->outputs;
  const size_t nv = (size_t)o->robot->model->nv, nframe = (size_t)o->robot->nframe;
  const out_names_t names = {nv, (const char * const *)o->robot->dof_name};
  o->jacobian = calloc(nframe + 1, sizeof *o->jacobian);
  o->task = calloc(nframe + 1, sizeof *o->task);
  if (!built(m, o->jacobian && o->task)) return false;
  return make_joint_states(m, names) && make_joint_messages(m, names) && make_jacobians(m, names) &&
         make_inertia(m) && make_singularity(m, names) && make_summary(m) && make_workspace(m) &&
         built(m, out_wrench_build(&o->external_wrench.message, observer_frame)) &&
         open_topic(
           m, &o->external_wrench, TYPE(geometry_msgs, WrenchStamped), "~/external_wrench");
}

outputs_t *
outputs_create(
  rcl_node_t * node, const node_robot_t * robot, const char * observer_frame, char * reason,
  size_t size)
{
  outputs_t * outputs = calloc(1, sizeof *outputs);
  maker_t maker = {outputs, node, reason, size};
  if (!built(&maker, outputs)) return NULL;
  outputs->robot = robot;
  if (make_all(&maker, observer_frame)) return outputs;
  outputs_destroy(outputs, node);
  return NULL;
}

//---------- all of them ----------

// calls something for every publisher
static void
for_each(outputs_t * o, void (*what)(output_t *, rcl_node_t *), rcl_node_t * node)
{
  output_t * one[] = {&o->command,         &o->torques,    &o->joint_torques, &o->joint_dynamics,
                      &o->mass_matrix,     &o->inertia,    &o->dynamics,      &o->external_torque,
                      &o->external_wrench, &o->singularity};
  for (size_t i = 0; i < sizeof one / sizeof one[0]; i++) what(one[i], node);
  for (int i = 0; i < NTERM; i++) what(&o->term[i], node);
  for (int i = 0; o->jacobian && i < o->robot->nframe; i++) what(&o->jacobian[i], node);
}

static void
close_output(output_t * output, rcl_node_t * node)
{
  if (output->open && rcl_publisher_fini(&output->publisher, node) != RCL_RET_OK) rcl_reset_error();
  out_message_fini(&output->message);
}

void
outputs_destroy(outputs_t * o, rcl_node_t * node)
{
  if (!o) return;
  for_each(o, close_output, node);
  out_joint_dynamics_fini(&o->joints);
  for (int k = 0; k < CONTROLLER_MODES; k++) out_message_fini(&o->summary[k]);
  mbd_data_destroy(o->varied);
  free(o->jacobian);
  free(o->task);
  free(o->link);
  free(o->position);
  free(o->array);
  free(o->work);
  free(o);
}

static void
poll_output(output_t * output, rcl_node_t * node)
{
  (void)node;
  size_t listeners = 0;
  if (rcl_publisher_get_subscription_count(&output->publisher, &listeners) != RCL_RET_OK) {
    rcl_reset_error();
  }
  atomic_store_explicit(&output->wanted, listeners > 0, memory_order_relaxed);
}

void
outputs_poll(outputs_t * outputs)
{
  for_each(outputs, poll_output, NULL);
}
