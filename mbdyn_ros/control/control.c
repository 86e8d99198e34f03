// mbdyn/control.h: parameters, and the life of a controller. control_update.c has the control thread, control_targets.c
// what other threads ask of it.
#include "mbdyn/control.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control_internal.h"
#include "parameters_internal.h"

mbd_status_t
control_refuse(char * reason, size_t size, mbd_status_t status, const char * format, ...)
{
  va_list list;
  if (!reason || size == 0) return status;
  va_start(list, format);
  vsnprintf(reason, size, format, list);
  va_end(list);
  return status;
}

//---------- parameters ----------

_Static_assert(
  (int)MBDC_BOOL == PARAM_BOOL && (int)MBDC_INTEGER == PARAM_INTEGER &&
    (int)MBDC_DOUBLE == PARAM_DOUBLE && (int)MBDC_STRING == PARAM_STRING &&
    (int)MBDC_DOUBLE_ARRAY == PARAM_DOUBLE_ARRAY && (int)MBDC_STRING_ARRAY == PARAM_STRING_ARRAY,
  "one numbering");

bool
mbdc_parameter_at(size_t k, mbdc_parameter_t * parameter)
{
  if (!parameter) return false;
  for (int i = 0; i < NODE_PARAMETER_COUNT; i++) {
    if (node_parameter_only((node_parameter_t)i) || k-- > 0) continue;
    const param_spec_t * s = &NODE_PARAMETERS[i];
    *parameter =
      (mbdc_parameter_t){s->name, (mbdc_type_t)s->type, s->initial,  s->description, s->min,
                         s->max,  s->choices,           s->read_only};
    return true;
  }
  return false;
}

mbdc_settings_t *
mbdc_settings_create(void)
{
  mbdc_settings_t * settings = calloc(1, sizeof *settings);
  if (!settings) return NULL;
  settings->values = param_values_create(NODE_PARAMETERS, NODE_PARAMETER_COUNT);
  if (settings->values) return settings;
  free(settings);
  return NULL;
}

mbdc_settings_t *
mbdc_settings_copy(const mbdc_settings_t * settings)
{
  mbdc_settings_t * copy = settings ? calloc(1, sizeof *copy) : NULL;
  if (!copy) return NULL;
  copy->values = param_values_copy(settings->values);
  if (copy->values) return copy;
  free(copy);
  return NULL;
}

void
mbdc_settings_destroy(mbdc_settings_t * settings)
{
  if (!settings) return;
  param_values_destroy(settings->values);
  free(settings);
}

static mbd_status_t
find_parameter(
  const mbdc_settings_t * settings, const char * name, int * index, char * reason, size_t size)
{
  char text[PARAM_REASON];
  if (!settings || !name) return MBD_ERROR_NULL_ARGUMENT;
  *index = param_find(settings->values, name);
  if (*index < 0) {
    param_unknown(settings->values, name, text, sizeof text);
    return control_refuse(reason, size, MBD_ERROR_NOT_FOUND, "%s", text);
  }
  if (!node_parameter_only((node_parameter_t)*index)) return MBD_OK;
  return control_refuse(
    reason, size, MBD_ERROR_NOT_FOUND, "parameter '%s' is one of the ROS node alone", name);
}

static mbd_status_t
set_value(
  mbdc_settings_t * settings, int index, const param_value_t * value, char * reason, size_t size)
{
  char text[PARAM_REASON];
  if (param_values_set(settings->values, index, value, text, sizeof text)) return MBD_OK;
  return control_refuse(
    reason, size, MBD_ERROR_BAD_ARGUMENT, "parameter '%s' %s", NODE_PARAMETERS[index].name, text);
}

mbd_status_t
mbdc_set(
  mbdc_settings_t * settings, const char * name, const char * text, char * reason, size_t size)
{
  int index;
  param_value_t value;
  if (!text) return MBD_ERROR_NULL_ARGUMENT;
  mbd_status_t status = find_parameter(settings, name, &index, reason, size);
  if (status != MBD_OK) return status;
  const param_type_t type = NODE_PARAMETERS[index].type;
  if (!param_parse(type, text, &value)) {
    return control_refuse(
      reason, size, MBD_ERROR_BAD_ARGUMENT, "parameter '%s' must be %s, not '%.100s'", name,
      param_type_name(type), text);
  }
  status = set_value(settings, index, &value, reason, size);
  param_value_fini(&value);
  return status;
}

mbd_status_t
mbdc_set_numbers(
  mbdc_settings_t * settings, const char * name, const double * values, size_t n, char * reason,
  size_t size)
{
  int index;
  if (!values && n > 0) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_status_t status = find_parameter(settings, name, &index, reason, size);
  if (status != MBD_OK) return status;
  // a value that is set is copied
  const param_value_t value = {
    .type = PARAM_DOUBLE_ARRAY, .n = n, .numbers = (double *)(uintptr_t)values};
  return set_value(settings, index, &value, reason, size);
}

mbd_status_t
mbdc_set_strings(
  mbdc_settings_t * settings, const char * name, const char * const * values, size_t n,
  char * reason, size_t size)
{
  int index;
  if (!values && n > 0) return MBD_ERROR_NULL_ARGUMENT;
  for (size_t i = 0; i < n; i++) {
    if (!values[i]) return MBD_ERROR_NULL_ARGUMENT;
  }
  const mbd_status_t status = find_parameter(settings, name, &index, reason, size);
  if (status != MBD_OK) return status;
  param_value_t value = {.type = PARAM_STRING_ARRAY, .n = n, .strings = (char **)(uintptr_t)values};
  if (n == 1 && NODE_PARAMETERS[index].type == PARAM_STRING) {
    value = (param_value_t){.type = PARAM_STRING, .string = (char *)(uintptr_t)values[0]};
  }
  return set_value(settings, index, &value, reason, size);
}

//---------- life ----------

static char *
dof_name(const mbd_body_t * body, int k)
{
  char name[512];
  joint_dof_name(body, k, name, sizeof name);
  return strdup(name);
}

// joints by index: degrees of freedom of all joints, but for a floating base
static bool
list_joints(mbdc_controller_t * c)
{
  const mbd_model_t * tree = c->tree;
  c->base = tree->nbody > 0 && tree->body[0].type == MBD_JOINT_FREE ? 6 : 0;
  c->njoint = tree->nv - c->base;
  c->name = calloc((size_t)c->njoint + 1, sizeof *c->name);
  c->dof = calloc((size_t)c->njoint + 1, sizeof *c->dof);
  if (!c->name || !c->dof) return false;
  for (int i = 0; i < c->njoint; i++) {
    const mbd_body_t * body = &tree->body[tree->dof_body[i + c->base]];
    c->name[i] = dof_name(body, i + c->base - body->v_index);
    c->dof[i] = c->model->tree ? -1 : i + c->base;
    if (!c->name[i]) return false;
  }
  for (int k = 0; c->model->tree && k < c->model->nv; k++) {
    if (c->model->dof_tree[k] >= c->base) c->dof[c->model->dof_tree[k] - c->base] = k;
  }
  return true;
}

// what the control thread sends is in its gate
static bool
keep_command(void * context, const double * command)
{
  (void)context;
  (void)command;
  return true;
}

static mbd_status_t
set_up_robot(mbdc_controller_t * c, char * reason, size_t size)
{
  const mbd_model_t * model = c->model;
  char text[PARAM_REASON] = "out of memory";
  if (!node_robot_init(&c->robot, model, c->load.control, c->values, text, sizeof text)) {
    return control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "%s", text);
  }
  loop_settings_t * settings = loop_settings_build(&c->robot, c->values, NULL, text, sizeof text);
  if (!settings) return control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "%s", text);
  size_t n;
  const char * const * optional = param_strings(c->values, P_OPTIONAL_JOINTS, &n);
  const bool made = rt_loop_init(&c->rt, &c->robot, settings, optional, n, c->load.flexible);
  c->rt.send = keep_command;
  const size_t numbers = 2 * (size_t)(model->nq + model->nv) * sizeof(double);
  if (
    !made || !stream_init(&c->stream, model) ||
    !snapshot_init(&c->targets, sizeof(control_targets_t)) ||
    !snapshot_init(&c->state, sizeof(control_snapshot_t) + numbers)) {
    return control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "out of memory");
  }
  rt_loop_use(&c->rt, settings);
  return MBD_OK;
}

static mbd_status_t
set_up(
  mbdc_controller_t * c, const mbd_model_t * model, const mbdc_settings_t * settings, char * reason,
  size_t size)
{
  c->model = model;
  c->tree = model->tree ? model->tree : model;
  c->values = settings ? param_values_copy(settings->values)
                       : param_values_create(NODE_PARAMETERS, NODE_PARAMETER_COUNT);
  c->feedforward = calloc((size_t)model->nv + 1, sizeof *c->feedforward);
  c->effort_since = calloc((size_t)model->nv + 1, sizeof *c->effort_since);
  if (!c->values || !c->feedforward || !c->effort_since || !list_joints(c)) {
    return control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "out of memory");
  }
  return set_up_robot(c, reason, size);
}

static mbdc_controller_t *
allocate(void)
{
  mbdc_controller_t * c = calloc(1, sizeof *c);
  if (!c) return NULL;
  mailbox_init(&c->settings_box);
  mailbox_init(&c->trajectory_box);
  pthread_mutex_init(&c->lock, NULL);
  atomic_init(&c->active, false);
  // zero means never
  c->arrival = 1;
  return c;
}

static mbd_status_t
finish(mbdc_controller_t * c, mbd_status_t status, mbdc_controller_t ** controller)
{
  if (status == MBD_OK) {
    *controller = c;
  } else {
    mbdc_destroy(c);
  }
  return status;
}

mbd_status_t
mbdc_create(
  const mbd_model_t * model, const mbdc_settings_t * settings, mbdc_controller_t ** controller,
  char * reason, size_t size)
{
  if (!controller) return MBD_ERROR_NULL_ARGUMENT;
  *controller = NULL;
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) {
    return control_refuse(reason, size, MBD_ERROR_NOT_FINALIZED, "the model is not finalized");
  }
  if (!model->tree && model->nclosure > 0) {
    return control_refuse(
      reason, size, MBD_ERROR_UNSUPPORTED, "the model has closures that are not embedded");
  }
  mbdc_controller_t * c = allocate();
  if (!c) return control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "out of memory");
  return finish(c, set_up(c, model, settings, reason, size), controller);
}

mbd_status_t
mbdc_create_from_urdf(
  const char * text, size_t length, const char * source, const mbdc_settings_t * settings,
  mbdc_controller_t ** controller, char * reason, size_t size)
{
  char why[2 * PARAM_REASON] = "out of memory";
  if (!controller) return MBD_ERROR_NULL_ARGUMENT;
  *controller = NULL;
  if (!text) return MBD_ERROR_NULL_ARGUMENT;
  mbdc_settings_t * copy = settings ? mbdc_settings_copy(settings) : mbdc_settings_create();
  mbdc_controller_t * c = copy ? allocate() : NULL;
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (c) {
    status = robot_load(
      copy->values, text, length, source ? source : "robot_description", false, &c->load, why,
      sizeof why);
  }
  if (status != MBD_OK) {
    control_refuse(reason, size, status, "%s", why);
  } else {
    status = set_up(c, c->load.model, copy, reason, size);
  }
  mbdc_settings_destroy(copy);
  return finish(c, status, controller);
}

void
mbdc_destroy(mbdc_controller_t * controller)
{
  mbdc_controller_t * c = controller;
  if (!c) return;
  if (c->rt.settings) c->rt.settings->mail.destroy(&c->rt.settings->mail);
  if (c->rt.controller && c->rt.controller->trajectory) {
    mail_t * mail = &c->rt.controller->trajectory->mail;
    mail->destroy(mail);
  }
  mailbox_fini(&c->settings_box);
  mailbox_fini(&c->trajectory_box);
  rt_loop_fini(&c->rt);
  stream_fini(&c->stream);
  snapshot_fini(&c->targets);
  snapshot_fini(&c->state);
  if (c->robot.model) node_robot_fini(&c->robot);
  param_values_destroy(c->values);
  for (int i = 0; c->name && i < c->njoint; i++) free(c->name[i]);
  free(c->name);
  free(c->dof);
  free(c->feedforward);
  free(c->effort_since);
  robot_load_fini(&c->load);
  pthread_mutex_destroy(&c->lock);
  free(c);
}

//---------- what it is ----------

const mbd_model_t *
mbdc_model(const mbdc_controller_t * controller)
{
  return controller ? controller->model : NULL;
}

const char *
mbdc_warning(const mbdc_controller_t * controller, size_t k)
{
  return controller && k < (size_t)controller->load.nwarning ? controller->load.warning[k] : NULL;
}

int
mbdc_joint_count(const mbdc_controller_t * controller)
{
  return controller ? controller->njoint : 0;
}

const char *
mbdc_joint_name(const mbdc_controller_t * controller, int joint)
{
  return controller && joint >= 0 && joint < controller->njoint ? controller->name[joint] : NULL;
}

int
mbdc_joint_find(const mbdc_controller_t * controller, const char * name)
{
  for (int i = 0; controller && name && i < controller->njoint; i++) {
    if (strcmp(controller->name[i], name) == 0) return i;
  }
  return -1;
}

int
mbdc_command_count(const mbdc_controller_t * controller)
{
  return controller ? controller->robot.ncommand : 0;
}

int
mbdc_command_joint(const mbdc_controller_t * controller, int k)
{
  if (!controller || k < 0 || k >= controller->robot.ncommand) return -1;
  for (int i = 0; i < controller->njoint; i++) {
    if (controller->dof[i] == controller->robot.command_dof[k]) return i;
  }
  return -1;
}

bool
mbdc_floating(const mbdc_controller_t * controller)
{
  return controller && controller->base > 0;
}
