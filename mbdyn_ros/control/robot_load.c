// Robot descriptions, as the parameters say how to read them.
#include "robot_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/urdf.h"
#include "parameters_internal.h"
#include "regular_file.h"

enum { REASON_MAX = 1024 };

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
keep_warnings(robot_load_t * load, const mbdx_report_t * report)
{
  load->warning = calloc((size_t)report->nwarning + 1, sizeof *load->warning);
  if (!load->warning) return false;
  for (int i = 0; i < report->n; i++) {
    if (report->entry[i].severity != MBDX_WARNING || load->nwarning == report->nwarning) continue;
    char * copy = strdup(report->entry[i].text);
    if (copy) load->warning[load->nwarning++] = copy;
  }
  return true;
}

// a robot is of use if its dynamics can be computed
static mbd_status_t
check_dynamics(const mbd_model_t * model, char * reason, size_t size)
{
  double * q = calloc((size_t)(model->nq + model->nv) + 1, sizeof *q);
  mbd_data_t * data = NULL;
  mbd_status_t status = q ? mbd_data_create(model, &data) : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_neutral(model, q);
  if (status == MBD_OK) status = mbd_set_position(model, data, q);
  if (status == MBD_OK) status = mbd_articulated_inertia(model, data);
  free(q);
  if (status == MBD_OK && model->nv == 0) status = MBD_ERROR_BAD_ARGUMENT;
  const char * joint = data ? mbd_error_joint_name(data) : NULL;
  if (status != MBD_OK) {
    snprintf(
      reason, size, "%s: %s", joint ? joint : "the robot",
      model->nv == 0 ? "no moving joint" : mbd_status_string(status));
  }
  mbd_data_destroy(data);
  return status;
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
load_flexible(robot_load_t * load, const param_values_t * values, char * reason, size_t size)
{
  enum { FLEXIBLE_MAX = 1024 * 1024 };
  const char * path = param_string(values, P_FLEXIBLE_FILE);
  if (*path == 0) return true;
  if (load->model->tree) {
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
    mbdx_flexible_load_string(load->model, text, length, path, &load->flexible, &report);
  free(text);
  if (status != MBD_OK) first_error(report, status, reason, size);
  mbdx_report_free(report);
  return status == MBD_OK;
}

void
robot_load_fini(robot_load_t * load)
{
  for (int i = 0; i < load->nwarning; i++) free(load->warning[i]);
  free(load->warning);
  mbdx_ros2_control_free(load->control);
  mbd_model_destroy(load->flexible);
  mbd_model_destroy(load->model);
  *load = (robot_load_t){0};
}

// the model, and what the loader says about it
static mbd_status_t
load_model(
  const mbdx_urdf_options_t * options, const char * text, size_t length, const char * source,
  robot_load_t * load, char * reason, size_t size)
{
  mbdx_report_t * report = NULL;
  mbd_status_t status = mbdx_urdf_load_string(text, length, source, options, &load->model, &report);
  if (status != MBD_OK) {
    first_error(report, status, reason, size);
  } else if (
    !keep_warnings(load, report) ||
    mbdx_ros2_control_load_string(text, length, &load->control) != MBD_OK) {
    snprintf(reason, size, "out of memory");
    status = MBD_ERROR_OUT_OF_MEMORY;
  }
  mbdx_report_free(report);
  return status;
}

mbd_status_t
robot_load(
  const param_values_t * values, const char * text, size_t length, const char * source, bool strict,
  robot_load_t * load, char * reason, size_t size)
{
  mbdx_urdf_options_t options;
  char * loops;
  *load = (robot_load_t){0};
  if (!load_options(values, strict, &options, &loops, reason, size)) return MBD_ERROR_BAD_ARGUMENT;
  mbd_status_t status = load_model(&options, text, length, source, load, reason, size);
  free(loops);
  if (status == MBD_OK) status = check_dynamics(load->model, reason, size);
  if (status == MBD_OK && !load_flexible(load, values, reason, size)) {
    status = MBD_ERROR_BAD_ARGUMENT;
  }
  if (status != MBD_OK) robot_load_fini(load);
  return status;
}
