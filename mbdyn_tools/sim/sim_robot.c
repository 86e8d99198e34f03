#include "sim_robot.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "contacts.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/ros2_control.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"
#include "regular_file.h"

__attribute__((format(printf, 3, 4))) static bool
refuse_robot(char * reason, size_t size, const char * format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, size, format, arguments);
  va_end(arguments);
  return false;
}

//---------- description ----------

static char *
read_file(const char * parameter, const char * path, size_t * length, char * reason, size_t size)
{
  enum { MOST = 16 * 1024 * 1024 };
  char why[128];
  char * text = regular_file_read(path, MOST, length, why, sizeof why);
  if (text == NULL) refuse_robot(reason, size, "%s %s: %s", parameter, path, why);
  return text;
}

static bool
get_text(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const char * text = param_string(values, SIM_ROBOT_DESCRIPTION);
  const char * path = param_string(values, SIM_ROBOT_DESCRIPTION_FILE);
  if (*text != 0) {
    robot->text = strdup(text);
    robot->size = strlen(text);
    return robot->text != NULL || refuse_robot(reason, size, "out of memory");
  }
  if (*path != 0) {
    robot->text = read_file("robot_description_file", path, &robot->size, reason, size);
    return robot->text != NULL;
  }
  return refuse_robot(
    reason, size,
    "no robot: set the parameter robot_description_file (or robot_description), e.g. "
    "--ros-args -p robot_description_file:=robot.urdf");
}

// the first error and how many more there are
static bool
no_error(const mbdx_report_t * report, mbd_status_t status, char * reason, size_t size)
{
  for (int i = 0; report && i < report->n; i++) {
    if (report->entry[i].severity != MBDX_ERROR) continue;
    return refuse_robot(
      reason, size, "%s (%d errors in all)", report->entry[i].text, report->nerror);
  }
  return status == MBD_OK || refuse_robot(reason, size, "%s", mbd_status_string(status));
}

static void
keep_warnings(sim_robot_t * robot, const mbdx_report_t * report)
{
  size_t length = 1 + (robot->warnings ? strlen(robot->warnings) + 1 : 0);
  const size_t before = length;
  for (int i = 0; report && i < report->n; i++) {
    if (report->entry[i].severity == MBDX_WARNING) length += strlen(report->entry[i].text) + 1;
  }
  if (length == before) return;
  char * all = calloc(length, 1);
  for (int i = 0; all != NULL && i < report->n; i++) {
    if (i == 0 && robot->warnings) strcpy(all, robot->warnings);
    if (report->entry[i].severity != MBDX_WARNING) continue;
    if (*all != 0) strcat(all, "\n");
    strcat(all, report->entry[i].text);
  }
  free(robot->warnings);
  robot->warnings = all;
}

// the tree and, if it has loops or gears, its embedding
static bool
embed(sim_robot_t * robot, char * reason, size_t size)
{
  mbd_model_t * model = robot->model;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.own_tree = true;
  if (!model->tree && model->nclosure > 0) {
    const mbd_status_t status = mbd_model_embed(model, &options, &robot->embedded);
    if (status == MBD_OK) return true;
    const char * joint = model->error_name ? model->error_name : "loops";
    return refuse_robot(reason, size, "%s: %s", joint, mbd_status_string(status));
  }
  if (!model->tree) return true;
  robot->embedded = model;
  robot->model = (mbd_model_t *)(uintptr_t)model->tree;
  return true;
}

//---------- loops and mechanisms ----------

// what is loaded, and from where
typedef struct source {
  const char * urdf;  // name of the file, or NULL
  mbdx_urdf_options_t options;
  char * bytes;  // of loops_file or mechanism_file
} source_t;

static bool
open_source(source_t * from, const param_values_t * values, char * reason, size_t size)
{
  const bool text = *param_string(values, SIM_ROBOT_DESCRIPTION) != 0;
  const char * loops = param_string(values, SIM_LOOPS);
  const char * loops_file = param_string(values, SIM_LOOPS_FILE);
  const char * mechanism_file = param_string(values, SIM_MECHANISM_FILE);
  mbdx_urdf_options_t * o = &from->options;
  *from = (source_t){.options = mbdx_urdf_options_default()};
  o->mimic_independent = true;  // coupled by closures, as the plant and charts want them
  from->urdf = text ? NULL : param_string(values, SIM_ROBOT_DESCRIPTION_FILE);
  if (strcmp(param_string(values, SIM_BASE), "floating") == 0) o->base = MBDX_BASE_FLOATING;
  o->mechanism = *mechanism_file != 0;
  if (o->mechanism && (*loops != 0 || *loops_file != 0)) {
    return refuse_robot(
      reason, size, "mechanism_file %s: %s is given, too; put all of it into the mechanism file",
      mechanism_file, *loops != 0 ? "loops" : "loops_file");
  }
  o->loops_text = *loops != 0 ? loops : NULL;
  const char * path = o->mechanism ? mechanism_file : loops_file;
  if (o->loops_text != NULL || *path == 0) return true;
  size_t length;
  from->bytes =
    read_file(o->mechanism ? "mechanism_file" : "loops_file", path, &length, reason, size);
  o->loops_text = from->bytes;
  o->loops_source = path;
  return from->bytes != NULL;
}

static bool
has_driver(const mbd_model_t * model)
{
  for (int k = 0; k < model->nclosure; k++) {
    if (model->closure[k].driver.at) return true;
  }
  return false;
}

static bool
get_mechanism(
  sim_robot_t * robot, const source_t * from, const param_values_t * values, char * reason,
  size_t size)
{
  mbdx_report_t * report = NULL;
  if (!from->options.mechanism) return true;
  const mbd_status_t status = mbdx_mechanism_load_urdf_string(
    robot->text, robot->size, from->urdf, &from->options, &robot->mechanism, &report);
  const bool good = no_error(report, status, reason, size);
  if (good) keep_warnings(robot, report);
  mbdx_report_free(report);
  if (!good) return false;
  const mbd_model_t * model = robot->mechanism->model;
  const bool exact = strcmp(param_string(values, SIM_FRICTION_MODEL), "exact") == 0;
  const bool bearings = model->nbearing > 0 && !(exact && model->nclosure == 0);
  const char * what = bearings ? "bearings" : has_driver(model) ? "drivers" : NULL;
  return !what || sim_robot_method(values) >= 0 ||
         refuse_robot(
           reason, size, "mechanism_file %s: integrator %s does not simulate %s; set %s",
           from->options.loops_source, param_string(values, SIM_INTEGRATOR), what,
           "integrator:=chart_sdirk54, or chart_rk4 if nothing sticks, or without loops "
           "friction_model:=exact");
}

// with a chart integrator: the tree with its closures
static bool
get_chart(
  sim_robot_t * robot, const source_t * from, const param_values_t * values, char * reason,
  size_t size)
{
  const int method = sim_robot_method(values);
  if (method < 0) return true;
  robot->method = (mbd_method_t)method;
  if (robot->mechanism) {
    robot->chart = robot->mechanism->model;
    return true;
  }
  mbdx_urdf_options_t options = from->options;
  mbdx_report_t * report = NULL;
  options.embed = false;
  const mbd_status_t status =
    mbdx_urdf_load_string(robot->text, robot->size, from->urdf, &options, &robot->chart, &report);
  const bool good = no_error(report, status, reason, size);
  mbdx_report_free(report);
  return good;
}

// the tree, and what its loops leave independent
static bool
get_tree(sim_robot_t * robot, const source_t * from, char * reason, size_t size)
{
  mbdx_urdf_options_t options = from->options;
  mbdx_report_t * report = NULL;
  mbd_status_t status =
    mbdx_urdf_load_string(robot->text, robot->size, from->urdf, &options, &robot->model, &report);
  bool good = no_error(report, status, reason, size);
  // warnings of a mechanism are known, and say here what only simulations count
  if (good && !robot->mechanism) keep_warnings(robot, report);
  mbdx_report_free(report);
  if (good) good = embed(robot, reason, size);
  if (good || !robot->chart) return good;
  // closures that cannot be embedded, such as rolling wheels: charts do without
  mbd_model_destroy(robot->model);
  options.loops_text = NULL;
  options.mechanism = false;
  status =
    mbdx_urdf_load_string(robot->text, robot->size, from->urdf, &options, &robot->model, &report);
  mbdx_report_free(report);
  return status == MBD_OK;
}

static bool
get_model(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  source_t from;
  const bool good =
    open_source(&from, values, reason, size) && get_mechanism(robot, &from, values, reason, size) &&
    get_chart(robot, &from, values, reason, size) && get_tree(robot, &from, reason, size);
  free(from.bytes);
  if (!good) return false;
  if (robot->model->nv == 0) return refuse_robot(reason, size, "the robot has no moving joint");
  if (mbd_data_create(robot->model, &robot->data) == MBD_OK) return true;
  return refuse_robot(reason, size, "out of memory");
}

static bool
get_flexible(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const char * path = param_string(values, SIM_FLEXIBLE_FILE);
  if (*path == 0) return true;
  if (robot->chart) {
    return refuse_robot(
      reason, size, "flexible_file: not supported by integrator %s; use semi_implicit",
      param_string(values, SIM_INTEGRATOR));
  }
  if (robot->embedded) {
    return refuse_robot(
      reason, size, "flexible_file: not supported for robots with loops, gears or mimic joints");
  }
  size_t length;
  char * text = read_file("flexible_file", path, &length, reason, size);
  if (text == NULL) return false;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_flexible_load_string(robot->model, text, length, path, &robot->flexible, &report);
  free(text);
  bool good = true;
  for (int i = 0; report != NULL && i < report->n && good; i++) {
    if (report->entry[i].severity != MBDX_ERROR) continue;
    good = refuse_robot(reason, size, "%s", report->entry[i].text);
  }
  mbdx_report_free(report);
  return good && (status == MBD_OK || refuse_robot(reason, size, "%s", mbd_status_string(status)));
}

//---------- ground ----------

static bool
list_published(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  size_t n;
  const char * const * name = param_strings(values, SIM_PUBLISH_CONTACTS, &n);
  if (n == 0) return true;
  if (!param_bool(values, SIM_GROUND))
    return refuse_robot(reason, size, "publish_contacts: there is no ground; set ground:=true");
  robot->published = calloc(n, sizeof *robot->published);
  if (robot->published == NULL) return refuse_robot(reason, size, "out of memory");
  for (size_t i = 0; i < n; i++) {
    int frame, k = 0;
    if (mbd_find_frame(robot->model, name[i], &frame) != MBD_OK) frame = -1;
    while (k < robot->ncontact && robot->contact[k].frame != frame) k++;
    if (k == robot->ncontact) {
      return refuse_robot(
        reason, size,
        "publish_contacts: '%s' does not touch the ground: no link with <collision> and not in "
        "ground.frames",
        name[i]);
    }
    robot->published[robot->npublished++] = frame;
  }
  return true;
}

// those of the mechanism file in place of <collision>
static bool
get_listed_contacts(
  sim_robot_t * robot, const mbdx_shapes_t * listed, const param_values_t * values, char * reason,
  size_t size)
{
  size_t n;
  const char * const * name = param_strings(values, SIM_GROUND_FRAMES, &n);
  for (int k = 0; k < listed->n; k++) {
    int frame;
    const mbdx_shape_t * s = &listed->shape[k];
    const bool found = mbd_find_frame(robot->model, s->link, &frame) == MBD_OK;
    if (found && robot->model->frame[frame].body >= 0) continue;
    return refuse_robot(
      reason, size, "mechanism_file %s, line %d: contacts: link '%s' does not move",
      param_string(values, SIM_MECHANISM_FILE), s->line, s->link);
  }
  robot->ncontact = contacts_create(robot->model, listed, name, n, &robot->contact, reason, size);
  return robot->ncontact > 0 && list_published(robot, values, reason, size);
}

static bool
get_contacts(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  if (!param_bool(values, SIM_GROUND)) return list_published(robot, values, reason, size);
  size_t n;
  const char * const * name = param_strings(values, SIM_GROUND_FRAMES, &n);
  const mbdx_shapes_t * listed = robot->mechanism ? robot->mechanism->contacts : NULL;
  if (listed) return get_listed_contacts(robot, listed, values, reason, size);
  mbdx_shapes_t * shapes = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_shapes_load_string(robot->text, robot->size, NULL, &shapes, &report);
  bool good = no_error(report, status, reason, size);
  if (good) keep_warnings(robot, report);
  mbdx_report_free(report);
  if (!good) return false;
  robot->ncontact = contacts_create(robot->model, shapes, name, n, &robot->contact, reason, size);
  mbdx_shapes_free(shapes);
  if (robot->ncontact == 0) {
    return refuse_robot(
      reason, size,
      "ground: no moving link has a <collision> shape; set ground.frames to links that "
      "touch the ground");
  }
  return robot->ncontact > 0 && list_published(robot, values, reason, size);
}

// every joint must move something that has mass
static bool
check_masses(const sim_robot_t * robot, char * reason, size_t size)
{
  double * q = calloc((size_t)robot->model->nq, sizeof *q);
  if (q == NULL) return refuse_robot(reason, size, "out of memory");
  plant_start(robot->model, q);
  mbd_status_t status = mbd_set_position(robot->model, robot->data, q);
  if (status == MBD_OK) status = mbd_articulated_inertia(robot->model, robot->data);
  free(q);
  if (status == MBD_OK) return true;
  const char * joint = mbd_error_joint_name(robot->data);
  return refuse_robot(
    reason, size, "joint '%s': %s", joint ? joint : "?", mbd_status_string(status));
}

//---------- joints ----------

static bool
add_joint(sim_robot_t * robot, int i, int k)
{
  static const char * const planar[3] = {".vx", ".vy", ".wz"};
  const mbd_body_t * body = &robot->model->body[i];
  const char * suffix = body->nv == 1 ? "" : planar[k];
  const size_t size = strlen(body->joint_name) + strlen(suffix) + 1;
  sim_joint_t * joint = &robot->joint[robot->njoint++];
  *joint = (sim_joint_t){malloc(size), i, body->q_index + k, body->v_index + k};
  if (joint->name != NULL) snprintf(joint->name, size, "%s%s", body->joint_name, suffix);
  return joint->name != NULL;
}

static bool
list_joints(sim_robot_t * robot)
{
  const mbd_model_t * model = robot->model;
  robot->joint = calloc((size_t)model->nv + 1, sizeof *robot->joint);
  if (robot->joint == NULL) return false;
  robot->base = -1;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->type == MBD_JOINT_FREE && body->parent == MBD_WORLD_BODY && robot->base < 0) {
      robot->base = i;
    }
    // of joints with more than one number only planar ones have a name for each
    const bool named = body->nq == 1 || body->type == MBD_JOINT_PLANAR;
    for (int k = 0; named && k < body->nv; k++) {
      if (!add_joint(robot, i, k)) return false;
    }
  }
  return true;
}

// a joint of one degree of freedom, or -1
static int
find_joint(
  const sim_robot_t * robot, const char * parameter, const char * name, char * reason, size_t size)
{
  int body;
  if (mbd_find_joint(robot->model, name, &body) != MBD_OK) {
    refuse_robot(reason, size, "%s: the robot has no moving joint '%s'", parameter, name);
    return -1;
  }
  if (robot->model->body[body].nv == 1) return body;
  refuse_robot(reason, size, "%s: '%s' does not have one degree of freedom", parameter, name);
  return -1;
}

// not one that loops and gears move
static bool
is_independent(const sim_robot_t * robot, int dof)
{
  const mbd_model_t * model = robot->embedded;
  for (int k = 0; model && k < model->nv; k++) {
    if (model->dof_tree[k] == dof) return true;
  }
  return !model;
}

static void
add_command(sim_robot_t * robot, int body)
{
  const mbd_body_t * b = &robot->model->body[body];
  if (b->nv != 1 || !is_independent(robot, b->v_index)) return;
  robot->command_dof[robot->ncommand++] = b->v_index;
}

// as those of the node: joints of <ros2_control> with an effort command interface, or all
static bool
list_default_commands(sim_robot_t * robot, char * reason, size_t size)
{
  mbdx_ros2_control_t * control;
  if (mbdx_ros2_control_load_string(robot->text, robot->size, &control) != MBD_OK)
    return refuse_robot(reason, size, "out of memory");
  for (int i = 0; i < control->n; i++) {
    int body;
    if (!(control->joint[i].command & MBDX_INTERFACE_EFFORT)) continue;
    if (mbd_find_joint(robot->model, control->joint[i].name, &body) == MBD_OK)
      add_command(robot, body);
  }
  mbdx_ros2_control_free(control);
  for (int i = 0, none = robot->ncommand == 0; none && i < robot->model->nbody; i++)
    add_command(robot, i);
  return true;
}

static bool
list_commands(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  const mbd_model_t * model = robot->model;
  size_t n;
  const char * const * name = param_strings(values, SIM_COMMAND_JOINTS, &n);
  robot->command_dof = calloc((size_t)model->nv + n + 1, sizeof *robot->command_dof);
  if (robot->command_dof == NULL) return refuse_robot(reason, size, "out of memory");
  for (size_t i = 0; i < n; i++) {
    const int body = find_joint(robot, "command_joints", name[i], reason, size);
    if (body < 0) return false;
    const int dof = model->body[body].v_index;
    for (int k = 0; k < robot->ncommand; k++) {
      if (robot->command_dof[k] != dof) continue;
      return refuse_robot(reason, size, "command_joints: duplicate joint '%s'", name[i]);
    }
    robot->command_dof[robot->ncommand++] = dof;
  }
  return n > 0 || list_default_commands(robot, reason, size);
}

int
sim_robot_method(const param_values_t * values)
{
  static const char prefix[] = "chart_";
  const char * name = param_string(values, SIM_INTEGRATOR);
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return -1;
  for (int m = 0; m < MBD_METHODS; m++) {
    if (strcmp(name + sizeof prefix - 1, mbd_method_name((mbd_method_t)m)) == 0) return m;
  }
  return -1;
}

bool
sim_robot_load(sim_robot_t * robot, const param_values_t * values, char * reason, size_t size)
{
  memset(robot, 0, sizeof *robot);
  if (
    get_text(robot, values, reason, size) && get_model(robot, values, reason, size) &&
    get_flexible(robot, values, reason, size) && get_contacts(robot, values, reason, size) &&
    check_masses(robot, reason, size) &&
    (list_joints(robot) || refuse_robot(reason, size, "out of memory")) &&
    list_commands(robot, values, reason, size)) {
    return true;
  }
  sim_robot_fini(robot);
  return false;
}

void
sim_robot_fini(sim_robot_t * robot)
{
  for (int i = 0; i < robot->njoint; i++) free(robot->joint[i].name);
  free(robot->joint);
  free(robot->command_dof);
  free(robot->contact);
  free(robot->published);
  free(robot->warnings);
  free(robot->text);
  mbd_data_destroy(robot->data);
  mbd_model_destroy(robot->flexible);
  if (!robot->mechanism) mbd_model_destroy(robot->chart);
  mbdx_mechanism_free(robot->mechanism);
  // an embedding takes its tree along
  mbd_model_destroy(robot->embedded ? robot->embedded : robot->model);
  memset(robot, 0, sizeof *robot);
}

//---------- what the parameters say about it ----------

static bool
set_initial(
  const sim_robot_t * robot, int body, double position, bool limits, double * q, char * reason,
  size_t size)
{
  const mbd_body_t * b = &robot->model->body[body];
  const bool inside = position >= b->limits.lower && position <= b->limits.upper;
  if (b->mimic_body >= 0) {
    return refuse_robot(
      reason, size,
      "initial_positions: '%s' is a mimic joint of '%s' and has no independent position",
      b->joint_name, robot->model->body[b->mimic_body].joint_name);
  }
  if (!is_independent(robot, b->v_index)) {
    return refuse_robot(
      reason, size,
      "initial_positions: '%s' is a dependent joint of a loop or gear and has no independent "
      "position",
      b->joint_name);
  }
  if (limits && !inside) {
    return refuse_robot(
      reason, size, "initial_positions: %g is not within the limits of '%s', %g to %g", position,
      b->joint_name, b->limits.lower, b->limits.upper);
  }
  q[b->q_index] = position;
  return true;
}

bool
sim_robot_initial(
  const sim_robot_t * robot, const param_values_t * values, double * q, char * reason, size_t size)
{
  size_t n, nname, next = 0;
  const double * position = param_doubles(values, SIM_INITIAL_POSITIONS, &n);
  const char * const * name = param_strings(values, SIM_INITIAL_JOINTS, &nname);
  const bool limits = param_bool(values, SIM_LIMITS);
  if (robot->mechanism)
    memcpy(q, robot->mechanism->q, (size_t)robot->model->nq * sizeof *q);
  else
    plant_start(robot->model, q);
  if (n == 0 && nname == 0) return true;
  for (size_t i = 0; i < nname && i < n; i++) {
    const int body = find_joint(robot, "initial_joints", name[i], reason, size);
    if (body < 0 || !set_initial(robot, body, position[i], limits, q, reason, size)) return false;
  }
  for (int i = 0; nname == 0 && i < robot->njoint; i++) {
    const mbd_body_t * body = &robot->model->body[robot->joint[i].body];
    if (body->nv != 1 || !is_independent(robot, body->v_index) || next++ >= n) continue;
    const double x = position[next - 1];
    if (!set_initial(robot, robot->joint[i].body, x, limits, q, reason, size)) return false;
  }
  const size_t wanted = nname > 0 ? nname : next;
  return n == wanted ||
         refuse_robot(reason, size, "initial_positions: %zu values for %zu joints", n, wanted);
}

bool
sim_robot_payload(
  const sim_robot_t * robot, const param_values_t * values, int * frame, mbd_inertia_t * inertia,
  char * reason, size_t size)
{
  size_t ncom, ninertia;
  const char * name = param_string(values, SIM_PAYLOAD_FRAME);
  const double mass = param_double(values, SIM_PAYLOAD_MASS);
  const double * c = param_doubles(values, SIM_PAYLOAD_COM, &ncom);
  const double * x = param_doubles(values, SIM_PAYLOAD_INERTIA, &ninertia);
  *frame = -1;
  if (ncom != 3)
    return refuse_robot(reason, size, "payload.com: expected three values, not %zu", ncom);
  if (ninertia != 6)
    return refuse_robot(reason, size, "payload.inertia: expected six values, not %zu", ninertia);
  if (*name == 0) return true;
  if (mbd_find_frame(robot->model, name, frame) != MBD_OK) {
    return refuse_robot(reason, size, "payload.frame: the robot has no link or frame '%s'", name);
  }
  *inertia = mbdu_inertia_from_com(
    mass, mbdu_vec3(c[0], c[1], c[2]), (mbd_sym3_t){x[0], x[1], x[2], x[3], x[4], x[5]});
  const mbd_status_t status = mbd_payload_attach(robot->model, robot->data, *frame, inertia);
  if (status != MBD_OK) return refuse_robot(reason, size, "payload: %s", mbd_status_string(status));
  return mbd_payload_clear(robot->model, robot->data) == MBD_OK;
}
