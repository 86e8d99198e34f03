// The mechanism or robot of a simulation, and its initial state.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_input.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "simulate_parts.h"
#include "text.h"
#include "xacro.h"

int
simulate_find_method(const char * name)
{
  for (int m = 0; m < MBD_METHODS; m++) {
    if (strcmp(name, mbd_method_name((mbd_method_t)m)) == 0) return m;
  }
  return -1;
}

static bool
ends_with(const char * path, const char * ending)
{
  const size_t n = strlen(path), k = strlen(ending);
  return n >= k && strcmp(path + n - k, ending) == 0;
}

//---------- files ----------

// a URDF, or what xacro makes of one, with a mechanism file beside it
static mbd_status_t
load_beside(subject_t * s, const simulate_options_t * o, const char * beside)
{
  if (!xacro_is(s->path))
    return mbdx_mechanism_load_urdf(s->path, beside, &o->robot.urdf, &s->mechanism, &s->report);
  size_t size;
  char * text = xacro_expand(s->path, &size);
  mbdx_urdf_options_t options = o->robot.urdf;
  options.loops_file = beside;
  const mbd_status_t status = !text ? MBD_ERROR_FILE
                                    : mbdx_mechanism_load_urdf_string(
                                        text, size, s->path, &options, &s->mechanism, &s->report);
  free(text);
  return status;
}

// \param[in] beside  mechanism file of a URDF, or NULL: the path is that of a mechanism
static bool
load_mechanism(subject_t * s, const simulate_options_t * o, const char * beside)
{
  mbdx_mechanism_options_t options = o->mechanism;
  if (o->robot.urdf.nlock > 0) {
    fprintf(
      stderr, "%s: --lock is not for mechanism files; fix joint '%s' in the file, or drive it\n",
      beside ? beside : s->path, o->robot.urdf.lock[0]);
    return false;
  }
  options.strict = o->robot.urdf.strict;
  if (beside) snprintf(s->mechanism_path, sizeof s->mechanism_path, "%s", beside);
  const mbd_status_t status =
    beside ? load_beside(s, o, beside)
           : mbdx_mechanism_load_file(s->path, &options, &s->mechanism, &s->report);
  robot_print_report(stderr, s->report, MBDX_WARNING);
  if (status != MBD_OK) {
    if (!s->report || s->report->nerror == 0)
      fprintf(stderr, "%s: %s\n", s->path, mbd_status_string(status));
    return false;
  }
  s->model = s->mechanism->model;
  return true;
}

static bool
load_urdf(subject_t * s, const simulate_options_t * o)
{
  robot_options_t options = o->robot;
  char beside[4096];
  s->urdf = true;
  if (!robot_find_loops(s->path, &options, beside, sizeof beside)) return false;
  if (options.urdf.mechanism) return load_mechanism(s, o, options.urdf.loops_file);
  options.urdf.embed = false;  // charts need the closures of the spanning tree
  if (!robot_load(s->path, &options, &s->robot)) return false;
  s->model = s->robot.model;
  return true;
}

//---------- names ----------

static char *
coordinate_name(const mbd_body_t * body, int k)
{
  static const char * const FREE[7] = {"px", "py", "pz", "qx", "qy", "qz", "qw"};
  char name[300];
  if (body->nq == body->nv) {
    joint_dof_name(body, k, name, sizeof name);
  } else if (body->nq == 7 || body->nq == 4) {
    snprintf(name, sizeof name, "%s.%s", body->joint_name, FREE[k + 7 - body->nq]);
  } else {
    snprintf(name, sizeof name, "%s.%d", body->joint_name, k);
  }
  return strdup(name);
}

static bool
name_coordinates(subject_t * s)
{
  const mbd_model_t * model = s->model;
  s->dof = calloc((size_t)model->nv + 1, sizeof *s->dof);
  s->coordinate = calloc((size_t)model->nq + 1, sizeof *s->coordinate);
  if (!s->dof || !s->coordinate) return false;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nv; k++) {
      char name[300];
      joint_dof_name(body, k, name, sizeof name);
      if (!(s->dof[body->v_index + k] = strdup(name))) return false;
    }
    for (int k = 0; k < body->nq; k++) {
      if (!(s->coordinate[body->q_index + k] = coordinate_name(body, k))) return false;
    }
  }
  return true;
}

//---------- initial state ----------

static bool
apply_setting(subject_t * s, const setting_t * x)
{
  closest_t closest = closest_to(x->name);
  for (int i = 0; i < s->model->nbody; i++) {
    const mbd_body_t * body = &s->model->body[i];
    for (int k = 0; k < body->nv && body->nq == body->nv; k++) {
      const int dof = body->v_index + k;
      closest_offer(&closest, s->dof[dof]);
      if (strcmp(s->dof[dof], x->name) != 0) continue;
      if (isfinite(x->x)) s->q[body->q_index + k] = x->x;
      if (x->has_y) s->v[dof] = x->y;
      s->held[dof] = true;
      return true;
    }
  }
  fprintf(
    stderr, "mbdyn simulate: --initial %s: %s has no such joint with one coordinate%s\n", x->name,
    s->path, closest_hint(&closest));
  return false;
}

// state that the closures allow; joints of --initial keep their positions and velocities
static bool
assemble(subject_t * s, mbd_data_t * data)
{
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.held = s->held;
  mbd_assembly_t result = {.error_closure = -1};
  const mbd_model_t * model = s->model;
  double * work = malloc(sizeof *work * (mbd_assembly_work(model) + (size_t)model->nq + 1));
  if (!work) return false;
  double * q = work + mbd_assembly_work(model);
  mbd_status_t status = mbd_assemble(model, data, &options, s->q, work, q, &result);
  if (status == MBD_OK) {
    memcpy(s->q, q, sizeof *q * (size_t)model->nq);
    status = mbd_set_position(model, data, s->q);
  }
  if (status == MBD_OK)
    status = mbd_project_velocity(model, data, &options, s->v, work, s->v, &result);
  free(work);
  if (status == MBD_OK) return true;
  const int k = result.error_closure;
  fprintf(
    stderr,
    "%s: --initial: the loops cannot be closed with these joints fixed%s%s%s: %s; give "
    "fewer joints, or values nearer to an assembled configuration\n",
    s->path, k >= 0 ? " (closure '" : "", k >= 0 ? model->closure[k].name : "", k >= 0 ? "')" : "",
    mbd_status_string(status));
  return false;
}

static bool
set_initial(subject_t * s, const simulate_options_t * o)
{
  const mbd_model_t * model = s->model;
  s->q = calloc((size_t)model->nq + 1, sizeof *s->q);
  s->v = calloc((size_t)model->nv + 1, sizeof *s->v);
  s->held = calloc((size_t)model->nv + 1, sizeof *s->held);
  if (!s->q || !s->v || !s->held) return false;
  if (s->mechanism) {
    memcpy(s->q, s->mechanism->q, sizeof *s->q * (size_t)model->nq);
    memcpy(s->v, s->mechanism->v, sizeof *s->v * (size_t)model->nv);
  } else if (mbd_neutral(model, s->q) != MBD_OK) {
    return false;
  }
  for (int k = 0; k < o->ninitial; k++) {
    if (!apply_setting(s, &o->initial[k])) return false;
  }
  if (o->ninitial == 0 || model->nrow == 0) return true;
  mbd_data_t * data = NULL;
  if (mbd_data_create(model, &data) != MBD_OK) return false;
  const bool ok = assemble(s, data);
  mbd_data_destroy(data);
  return ok;
}

static double
choose(double given, double file, double otherwise)
{
  return given > 0 ? given : file > 0 ? file : otherwise;
}

static bool
choose_settings(subject_t * s, const simulate_options_t * o)
{
  const mbdx_simulate_t none = {0}, *file = s->mechanism ? &s->mechanism->simulate : &none;
  s->time = choose(o->time, file->time, 10);
  s->rtol = choose(o->rtol, file->rtol, 1e-8);
  s->atol = choose(o->atol, file->atol, s->rtol);
  s->step = choose(o->step, file->step, 0);
  s->max_step = choose(o->max_step, file->max_step, 0);
  const int named = file->method[0] ? simulate_find_method(file->method) : (int)MBD_METHOD_AUTO;
  if (named < 0) {
    fprintf(stderr, "%s: simulate: method '%s' is not known\n", s->path, file->method);
    return false;
  }
  s->method = (mbd_method_t)(o->method >= 0 ? o->method : named);
  return true;
}

bool
subject_load(subject_t * s, const char * path, const simulate_options_t * o)
{
  *s = (subject_t){.path = path};
  const bool mechanism = ends_with(path, ".yaml") || ends_with(path, ".yml");
  if (!(mechanism ? load_mechanism(s, o, NULL) : load_urdf(s, o))) return false;
  if (s->model->nv == 0) {
    fprintf(stderr, "%s: nothing can move\n", path);
    return false;
  }
  if (!name_coordinates(s)) {
    fputs("mbdyn simulate: out of memory\n", stderr);
    return false;
  }
  return choose_settings(s, o) && set_initial(s, o);
}

void
subject_free(subject_t * s)
{
  for (int i = 0; s->dof && s->dof[i]; i++) free(s->dof[i]);
  for (int i = 0; s->coordinate && s->coordinate[i]; i++) free(s->coordinate[i]);
  free(s->dof);
  free(s->coordinate);
  free(s->q);
  free(s->v);
  free(s->held);
  mbdx_mechanism_free(s->mechanism);
  mbdx_report_free(s->report);
  robot_free(&s->robot);
}
