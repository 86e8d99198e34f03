// What a robot description says: read, and taken only if it is good.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/flexible/flexible_file.h"
#include "node_internal.h"
#include "regular_file.h"

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
  mbd_model_destroy(loaded->flexible);
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
  const char * joint = mbd_error_joint_name(loaded->data);
  snprintf(
    reason, size, "%s%s%s", joint ? joint : "the robot", ": ",
    model->nv == 0 ? "no moving joint" : mbd_status_string(status));
  return false;
}

// \param[out] loops  text of loops_file or mechanism_file, to be freed, or NULL
static bool
load_options(
  const param_values_t * values, bool strict, mbdx_urdf_options_t * options, char ** loops,
  char * reason, size_t size)
{
  enum { LOOPS_MAX = 1024 * 1024 };
  *options = mbdx_urdf_options_default();
  *loops = NULL;
  const bool floating = strcmp(param_string(values, P_BASE), "floating") == 0;
  options->base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options->strict = strict || param_bool(values, P_STRICT);
  const char * text = param_string(values, P_LOOPS);
  const char * path = param_string(values, P_LOOPS_FILE);
  const char * mechanism = param_string(values, P_MECHANISM_FILE);
  options->mechanism = *mechanism != 0;
  if (options->mechanism && (*text != 0 || *path != 0)) {
    snprintf(
      reason, size, "mechanism_file %s: %s is given, too; put all of it into the mechanism file",
      mechanism, *text != 0 ? "loops" : "loops_file");
    return false;
  }
  size_t nlock;
  options->lock = param_strings(values, P_LOCKED_JOINTS, &nlock);
  options->nlock = (int)nlock;
  if (options->mechanism) path = mechanism;
  if (*text != 0) {
    options->loops_text = text;
  } else if (*path != 0) {
    char why[REASON_MAX / 2];
    size_t length;
    *loops = regular_file_read(path, LOOPS_MAX, &length, why, sizeof why);
    if (!*loops) {
      snprintf(
        reason, size, "%s %s: %s", options->mechanism ? "mechanism_file" : "loops_file", path, why);
    }
    options->loops_text = *loops;
    options->loops_source = path;
    return *loops;
  }
  return true;
}

// flexible_file, if there is one
static bool
load_flexible(loaded_t * loaded, const param_values_t * values, char * reason, size_t size)
{
  enum { FLEXIBLE_MAX = 1024 * 1024 };
  const char * path = param_string(values, P_FLEXIBLE_FILE);
  if (*path == 0) return true;
  if (loaded->model->tree) {
    snprintf(
      reason, size, "flexible_file %s: not supported for robots with loops, gears or mimic joints",
      path);
    return false;
  }
  char why[REASON_MAX / 2];
  size_t length;
  char * text = regular_file_read(path, FLEXIBLE_MAX, &length, why, sizeof why);
  if (!text) {
    snprintf(reason, size, "flexible_file %s: %s", path, why);
    return false;
  }
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_flexible_load_string(loaded->model, text, length, path, &loaded->flexible, &report);
  free(text);
  if (status != MBD_OK) first_error(report, status, reason, size);
  mbdx_report_free(report);
  return status == MBD_OK;
}

// what the parameters name on the robot
static bool
init_robot(
  mbdyn_node_t * node, loaded_t * loaded, const description_t * from, char * reason, size_t size)
{
  mbdx_ros2_control_t * control;
  if (mbdx_ros2_control_load_string(from->text, from->size, &control) != MBD_OK) {
    snprintf(reason, size, "out of memory");
    return false;
  }
  const bool good =
    node_robot_init(&loaded->robot, loaded->model, control, node_values(node), reason, size);
  mbdx_ros2_control_free(control);
  return good;
}

loaded_t *
description_load(
  mbdyn_node_t * node, const description_t * from, bool strict, char * reason, size_t size)
{
  mbdx_urdf_options_t options;
  char * loops;
  if (!load_options(node_values(node), strict, &options, &loops, reason, size)) return NULL;
  loaded_t * loaded = calloc(1, sizeof *loaded);
  mbdx_report_t * report = NULL;
  if (!loaded) {
    snprintf(reason, size, "out of memory");
    free(loops);
    return NULL;
  }
  const mbd_status_t status =
    mbdx_urdf_load_string(from->text, from->size, from->source, &options, &loaded->model, &report);
  free(loops);
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
         load_flexible(loaded, node_values(node), reason, size) &&
         init_robot(node, loaded, from, reason, size);
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
