// Robot descriptions: from a parameter, a file or a topic; read, and taken only if they are good.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_internal.h"
#include "rmw/qos_profiles.h"
#include "rosidl_runtime_c/string_functions.h"

//---------- where it comes from ----------

void
description_set(mbdyn_node_t * node, const char * text, size_t size, const char * source)
{
  char * copy = malloc(size + 1);
  if (!copy) return;
  memcpy(copy, text, size);
  copy[size] = 0;
  free(node->description.text);
  node->description.text = copy;
  node->description.size = size;
  snprintf(node->description.source, sizeof node->description.source, "%s", source);
  node->description.version++;
}

static void
on_description(const void * message, void * context)
{
  mbdyn_node_t * node = context;
  const std_msgs__msg__String * string = message;
  char reason[REASON_MAX];
  const description_t * known = &node->description;
  if (
    known->text && known->size == string->data.size &&
    memcmp(known->text, string->data.data, known->size) == 0) {
    return;  // the latched one again
  }
  if (string->data.size == 0) {
    NODE_LOG(node->node, WARN, "an empty robot_description came by topic: ignored");
    return;
  }
  if (!node->loaded) {
    description_set(node, string->data.data, string->data.size, "topic robot_description");
    return;
  }
  description_t old = node->description;
  node->description.text = NULL;
  description_set(node, string->data.data, string->data.size, "topic robot_description");
  if (description_swap(node, reason, sizeof reason)) {
    free(old.text);
    NODE_LOG(node->node, INFO, "new robot description: %s", node->loaded->model->name);
    return;
  }
  free(node->description.text);
  node->description = old;
  NODE_LOG(
    node->node, ERROR, "the new robot description is not taken, the old one stays: %s", reason);
}

bool
description_read(mbdyn_node_t * node, const char * path, char * reason, size_t size)
{
  enum { MOST = 16 * 1024 * 1024 };
  FILE * file = fopen(path, "rb");
  if (!file) {
    snprintf(reason, size, "%s: %s", path, strerror(errno));
    return false;
  }
  char * text = malloc(MOST + 1);
  const size_t n = text ? fread(text, 1, MOST + 1, file) : 0;
  const bool good = text && !ferror(file) && n > 0 && n <= MOST;
  fclose(file);
  if (good)
    description_set(node, text, n, path);
  else
    snprintf(reason, size, "%s: not a file, empty, or over 16 MB", path);
  free(text);
  return good;
}

bool
description_init(mbdyn_node_t * node)
{
  const char * text = param_string(node_values(node), P_ROBOT_DESCRIPTION);
  const char * path = param_string(node_values(node), P_ROBOT_DESCRIPTION_FILE);
  char reason[REASON_MAX];
  if (*text) {
    description_set(node, text, strlen(text), "parameter robot_description");
  } else if (*path && !description_read(node, path, reason, sizeof reason)) {
    NODE_LOG(node->node, ERROR, "robot_description_file: %s", reason);
    return false;
  }
  if (!param_bool(node_values(node), P_SUBSCRIBE_DESCRIPTION)) return true;

  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = 1;
  qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  node->description_subscription = rcl_get_zero_initialized_subscription();
  node->description_open =
    rclc_subscription_init(
      &node->description_subscription, node->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), "robot_description", &qos) == RCL_RET_OK;
  return node->description_open && std_msgs__msg__String__init(&node->description_message);
}

bool
description_add(mbdyn_node_t * node)
{
  if (!node->description_open) return true;
  return rclc_executor_add_subscription_with_context(
           &node->executor, &node->description_subscription, &node->description_message,
           on_description, node, ON_NEW_DATA) == RCL_RET_OK;
}

void
description_fini(mbdyn_node_t * node)
{
  if (node->description_open) {
    if (rcl_subscription_fini(&node->description_subscription, node->node) != RCL_RET_OK) {
      rcl_reset_error();
    }
    std_msgs__msg__String__fini(&node->description_message);
  }
  free(node->description.text);
  memset(&node->description, 0, sizeof node->description);
}

//---------- what it says ----------

static uint64_t
fnv1a(const char * text, size_t size)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (uint8_t)text[i]) * 1099511628211u;
  return hash;
}

// the first error, and how many more there are
static void
first_error(const mbdx_report_t * report, mbd_status_t status, char * reason, size_t size)
{
  const char * text = mbd_status_string(status);
  for (int i = report ? report->n - 1 : -1; i >= 0; i--) {
    if (report->entry[i].severity == MBDX_ERROR) text = report->entry[i].text;
  }
  if (report && report->nerror > 1) {
    snprintf(
      reason, size, "%s (and %d more errors; `mbdyn check` lists them)", text, report->nerror - 1);
  } else {
    snprintf(reason, size, "%s", text);
  }
}

static bool
keep_warnings(loaded_t * loaded, const mbdx_report_t * report)
{
  loaded->warning = calloc((size_t)report->nwarning + 1, sizeof *loaded->warning);
  if (!loaded->warning) return false;
  for (int i = 0; i < report->n; i++) {
    if (report->entry[i].severity != MBDX_WARNING || loaded->nwarning == report->nwarning) continue;
    char * copy = strdup(report->entry[i].text);
    if (copy) loaded->warning[loaded->nwarning++] = copy;
  }
  return true;
}

void
loaded_destroy(loaded_t * loaded)
{
  if (!loaded) return;
  for (int i = 0; i < loaded->nwarning; i++) free(loaded->warning[i]);
  free(loaded->warning);
  mbd_data_destroy(loaded->data);
  if (loaded->robot.model) node_robot_fini(&loaded->robot);
  mbd_model_destroy(loaded->model);
  free(loaded);
}

// a robot is of use if its dynamics can be computed
static bool
check_dynamics(const loaded_t * loaded, char * reason, size_t size)
{
  const mbd_model_t * model = loaded->model;
  double * q = calloc((size_t)(model->nq + model->nv) + 1, sizeof *q);
  mbd_status_t status = q ? mbd_neutral(model, q) : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_set_position(model, loaded->data, q);
  if (status == MBD_OK) status = mbd_articulated_inertia(model, loaded->data);
  free(q);
  if (status == MBD_OK && model->nv > 0) return true;
  const char * joint = mbd_culprit_name(loaded->data);
  snprintf(
    reason, size, "%s%s%s", joint ? joint : "the robot", ": ",
    model->nv == 0 ? "no joint moves" : mbd_status_string(status));
  return false;
}

static mbdx_urdf_options_t
load_options(const param_values_t * values, bool strict)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  const bool floating = strcmp(param_string(values, P_BASE), "floating") == 0;
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.strict = strict || param_bool(values, P_STRICT);
  const char * loops = param_string(values, P_LOOPS);
  const char * loops_file = param_string(values, P_LOOPS_FILE);
  if (*loops != 0)
    options.loops_text = loops;
  else if (*loops_file != 0)
    options.loops_file = loops_file;
  return options;
}

loaded_t *
description_load(
  mbdyn_node_t * node, const description_t * from, bool strict, char * reason, size_t size)
{
  const mbdx_urdf_options_t options = load_options(node_values(node), strict);
  loaded_t * loaded = calloc(1, sizeof *loaded);
  mbdx_report_t * report = NULL;
  if (!loaded) return NULL;
  const mbd_status_t status =
    mbdx_urdf_load_string(from->text, from->size, from->source, &options, &loaded->model, &report);
  loaded->hash = fnv1a(from->text, from->size);
  loaded->version = from->version;
  bool good = status == MBD_OK;
  if (!good) first_error(report, status, reason, size);
  if (good && (!keep_warnings(loaded, report) || mbd_data_create(loaded->model, &loaded->data))) {
    snprintf(reason, size, "out of memory");
    good = false;
  }
  mbdx_report_free(report);
  good = good && check_dynamics(loaded, reason, size) &&
         node_robot_init(&loaded->robot, loaded->model, node_values(node), reason, size);
  if (good) return loaded;
  loaded_destroy(loaded);
  return NULL;
}

bool
description_swap(mbdyn_node_t * node, char * reason, size_t size)
{
  if (lifecycle_state(node->lifecycle) == LIFECYCLE_ACTIVE) {
    snprintf(reason, size, "the node is active; deactivate it first");
    return false;
  }
  loaded_t * loaded = description_load(node, &node->description, false, reason, size);
  return loaded && node_loop_start(node, loaded, reason, size);
}
