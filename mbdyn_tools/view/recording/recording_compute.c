#include "recording_compute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"
#include "mbdyn/urdf.h"
#include "message_fill.h"

enum { FRAMES = 4 };  // of Jacobians

struct recording_compute {
  mbd_model_t * model;
  joint_input_t * input;
  controller_t * controller;
  controller_settings_t * settings;
  unsigned kinds;
  int64_t stamp;  // of the last step; 0: none since the restart
  bool stepped;   // the state that was taken last has its terms
  bool given;     // and the matrices
  char ** name;   // [nv]
  out_joint_dynamics_message_t joints;
  out_message_t residual, mass_matrix, inertia, singularity, summary, jacobian[FRAMES];
  mbd_data_t * varied;  // workspace of singularities
  mbd_task_t task[FRAMES];
  int frame[FRAMES], nframe;
  int * link;
  int nlink;
  double *position, *limit, *work;
  uint64_t cycles;
};

unsigned
recording_compute_kinds(void)
{
  return 1u << LIVE_JOINT_DYNAMICS | 1u << LIVE_EXTERNAL_TORQUE | 1u << LIVE_DYNAMICS |
         1u << LIVE_MASS_MATRIX | 1u << LIVE_JACOBIAN | 1u << LIVE_OPERATIONAL_INERTIA |
         1u << LIVE_SINGULARITY;
}

//---------- robot ----------

static bool
make_names(recording_compute_t * c)
{
  enum { NAME = JOINT_INPUT_NAME + 8 };
  c->name = calloc((size_t)c->model->nv + 1, sizeof *c->name);
  if (!c->name) return false;
  for (int i = 0; i < c->model->nbody; i++) {
    const mbd_body_t * body = &c->model->body[i];
    for (int k = 0; k < body->nv; k++) {
      char * name = malloc(NAME);
      if (!name) return false;
      c->name[body->v_index + k] = name;
      (void)joint_dof_name(body, k, name, NAME);
    }
  }
  return true;
}

// a link from which no joint leads on
static bool
is_tip(const mbd_model_t * model, int frame)
{
  const int body = model->frame[frame].body;
  if (body < 0 || !model->frame[frame].is_link) return false;
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].parent == body) return false;
  }
  // of links that are fixed to each other, the last one
  for (int i = frame + 1; i < model->nframe; i++) {
    if (model->frame[i].is_link && model->frame[i].body == body) return false;
  }
  return true;
}

static void
choose_frames(recording_compute_t * c)
{
  for (int i = 0; i < c->model->nframe && c->nframe < FRAMES; i++) {
    if (!is_tip(c->model, i)) continue;
    c->task[c->nframe] = fill_task(i, MBD_LOCAL_WORLD_ALIGNED);
    c->frame[c->nframe++] = i;
  }
}

static const char *
root_link(const mbd_model_t * model)
{
  for (int i = 0; i < model->nframe; i++) {
    if (model->frame[i].is_link) return model->frame[i].name;
  }
  return "";
}

//---------- messages ----------

static bool
build_frames(recording_compute_t * c, out_names_t names, const char * world)
{
  const char *frame[FRAMES], *axes[FRAMES];
  for (int i = 0; i < c->nframe; i++) {
    frame[i] = c->model->frame[c->frame[i]].name;
    axes[i] = world;
    if (!out_jacobian_build(
          &c->jacobian[i], frame[i], MBD_LOCAL_WORLD_ALIGNED, frame[i], world, names)) {
      return false;
    }
  }
  const size_t n = (size_t)c->nframe;
  return out_operational_space_inertia_build(
    &c->inertia, root_link(c->model), (out_names_t){n, frame}, MBD_LOCAL_WORLD_ALIGNED,
    (out_names_t){n, frame}, (out_names_t){n, axes});
}

static bool
build_summary(recording_compute_t * c, const char * world)
{
  const mbd_model_t * model = c->model;
  const char ** name = calloc((size_t)model->nframe + 1, sizeof *name);
  c->link = calloc((size_t)model->nframe + 1, sizeof *c->link);
  for (int i = 0; name && c->link && i < model->nframe; i++) {
    if (!model->frame[i].is_link || model->frame[i].body < 0) continue;
    name[c->nlink] = model->frame[i].name;
    c->link[c->nlink++] = i;
  }
  const bool ok = name && c->link &&
                  out_summary_build(
                    &c->summary, world, model->name, "", (uint32_t)model->nv,
                    (out_names_t){(size_t)c->nlink, name});
  free(name);
  return ok;
}

static bool
build_singularity(recording_compute_t * c, const char * root, out_names_t joints)
{
  const char * name[FRAMES];
  for (int i = 0; i < c->nframe; i++) name[i] = c->model->frame[c->frame[i]].name;
  return out_singularity_build(
           &c->singularity, root, joints, (out_names_t){(size_t)c->nframe, name}) &&
         mbd_data_create(c->model, &c->varied) == MBD_OK;
}

static void
fill_limits(recording_compute_t * c)
{
  for (int i = 0; i < c->model->nbody; i++) {
    const mbd_body_t * body = &c->model->body[i];
    for (int k = 0; k < body->nv; k++) {
      c->limit[body->v_index + k] = body->nv == 1 ? body->limits.effort : (double)INFINITY;
    }
  }
}

static bool
build(recording_compute_t * c, bool floating)
{
  const char * root = root_link(c->model);
  const char * world = floating ? "world" : root;
  const mbd_tasks_t tasks = {c->nframe, c->task};
  const out_names_t names = {(size_t)c->model->nv, (const char * const *)c->name};
  c->position = calloc((size_t)c->model->nv + 1, sizeof *c->position);
  c->limit = calloc((size_t)c->model->nv + 1, sizeof *c->limit);
  c->work = calloc(fill_work_size(c->model, &tasks), sizeof *c->work);
  if (!c->position || !c->limit || !c->work) return false;
  fill_limits(c);
  return out_joint_dynamics_build(&c->joints, root, names) &&
         out_joint_state_build(&c->residual, root, names) &&
         out_mass_matrix_build(&c->mass_matrix, root, names) && build_frames(c, names, world) &&
         build_singularity(c, root, names) && build_summary(c, world);
}

//---------- start and end ----------

static bool
make_controller(recording_compute_t * c)
{
  // a joint that was not heard of for a second is not known any more
  const joint_input_options_t options = {
    .timeout = 1, .velocity_cutoff = 25, .acceleration_cutoff = 25};
  c->input = joint_input_create(c->model, &options);
  c->controller = controller_create(c->model);
  c->settings = controller_settings_create(c->model);
  if (!c->input || !c->controller || !c->settings) return false;
  c->settings->model_terms = MBD_TERM_FRICTION | MBD_TERM_ROTORS;
  if (c->model->nelement > 0) c->settings->model_terms |= MBD_TERM_ELEMENTS;
  c->settings->observer = true;
  c->settings->observer_source = OBSERVE_MEASURED;
  controller_apply(c->controller, c->settings);
  return true;
}

recording_compute_t *
recording_compute_create(const char * urdf, size_t size, bool floating, unsigned kinds)
{
  recording_compute_t * c = calloc(1, sizeof *c);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  if (!c) return NULL;
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  c->kinds = kinds;
  const bool good = mbdx_urdf_load_string(urdf, size, NULL, &options, &c->model, NULL) == MBD_OK &&
                    c->model->nv > 0 && c->model->nv <= LIVE_JOINTS && make_names(c) &&
                    make_controller(c);
  if (good) choose_frames(c);
  if (good && build(c, floating)) return c;
  recording_compute_destroy(c);
  return NULL;
}

void
recording_compute_destroy(recording_compute_t * c)
{
  if (!c) return;
  out_joint_dynamics_fini(&c->joints);
  out_message_t * message[] = {
    &c->residual, &c->mass_matrix, &c->inertia, &c->singularity, &c->summary};
  for (size_t i = 0; i < sizeof message / sizeof *message; i++) out_message_fini(message[i]);
  for (int i = 0; i < FRAMES; i++) out_message_fini(&c->jacobian[i]);
  for (int i = 0; c->name && i < c->model->nv; i++) free(c->name[i]);
  free(c->name);
  mbd_data_destroy(c->varied);
  free(c->link);
  free(c->position);
  free(c->limit);
  free(c->work);
  controller_destroy(c->controller);
  if (c->settings) c->settings->mail.destroy(&c->settings->mail);
  joint_input_destroy(c->input);
  mbd_model_destroy(c->model);
  free(c);
}

void
recording_compute_restart(recording_compute_t * c)
{
  joint_input_restart(c->input);
  controller_restart(c->controller);
  c->stamp = 0;
  c->stepped = false;
}

//---------- messages in ----------

static void
step(recording_compute_t * c, int64_t time)
{
  const int64_t stamp = c->input->stamp;
  const double dt = c->stamp > 0 ? 1e-9 * (double)(stamp - c->stamp) : 0;
  c->stepped = controller_step(
                 c->controller, c->input, stamp, time, dt > 0 && dt < 1 ? dt : 0, NULL) == MBD_OK;
  c->given = false;
  c->stamp = stamp;
  c->cycles++;
}

bool
recording_compute_take(
  recording_compute_t * c, live_kind_t kind, const uint8_t * bytes, size_t size, int64_t time)
{
  if (kind == LIVE_ODOMETRY) {
    (void)joint_input_take_base(c->input, bytes, size, time, time);
    return false;
  }
  if (!joint_input_take(c->input, bytes, size, time, time)) return false;
  if (!joint_input_state(c->input, time)) return false;
  step(c, time);
  return c->stepped;
}

const char *
recording_compute_missing(const recording_compute_t * c)
{
  return c->stepped ? "" : c->input->missing_name;
}

//---------- messages out ----------

// what a message goes to
typedef struct target {
  live_robot_t * robot;
  const int * count;
  double now, wall;
} target_t;

static void
update_live_robot(recording_compute_t * c, const target_t * t, live_kind_t kind, out_message_t * m)
{
  out_stamp(m, c->stamp);
  (void)live_robot_take(t->robot, kind, t->count[kind], m->bytes, m->size, t->now, t->wall);
}

static bool
wants(const recording_compute_t * c, live_kind_t kind)
{
  return c->kinds >> kind & 1;
}

static void
give_joints(recording_compute_t * c, const target_t * t)
{
  const controller_t * k = c->controller;
  for (int i = 0; i < c->model->nv; i++) {
    const wire_joint_dynamics_t joint = {
      .position = c->position[i],
      .velocity = c->input->v[i],
      .acceleration = k->acceleration[i],
      .measured = c->input->effort[i],
      .total = k->total[i],
      .gravity = k->gravity[i],
      .coriolis = k->coriolis[i],
      .inertia = k->inertia[i],
      .friction = k->friction[i],
      .external = k->external[i],
      .command = (double)NAN,
      .limit = c->limit[i]};
    out_joint_dynamics_set(&c->joints, (size_t)i, &joint);
  }
  update_live_robot(c, t, LIVE_JOINT_DYNAMICS, &c->joints.message);
}

void
recording_compute_give(
  recording_compute_t * c, live_robot_t * robot, const int * count, double now, double wall)
{
  const target_t t = {robot, count, now, wall};
  if (!c->stepped) return;
  fill_positions(c->model, c->input->q, c->position);
  // the observer needs the motors' torques; its numbers belong to the row of the terms
  if (wants(c, LIVE_EXTERNAL_TORQUE) && c->input->effort_known) {
    out_numbers(&c->residual, OUT_JS_POSITION, c->position);
    out_numbers(&c->residual, OUT_JS_VELOCITY, c->input->v);
    out_numbers(&c->residual, OUT_JS_EFFORT, c->controller->observer->torque);
    update_live_robot(c, &t, LIVE_EXTERNAL_TORQUE, &c->residual);
  }
  if (wants(c, LIVE_JOINT_DYNAMICS)) give_joints(c, &t);
}

void
recording_compute_give_rest(
  recording_compute_t * c, live_robot_t * robot, const int * count, double now, double wall)
{
  const target_t t = {robot, count, now, wall};
  const controller_t * k = c->controller;
  const mbd_tasks_t tasks = {c->nframe, c->task};
  if (!c->stepped || c->given) return;
  c->given = true;
  if (wants(c, LIVE_MASS_MATRIX) && fill_mass_matrix(&c->mass_matrix, k, c->work)) {
    update_live_robot(c, &t, LIVE_MASS_MATRIX, &c->mass_matrix);
  }
  for (int i = 0; wants(c, LIVE_JACOBIAN) && i < c->nframe; i++) {
    if (!fill_jacobian(&c->jacobian[i], k, c->frame[i], MBD_LOCAL_WORLD_ALIGNED, c->work)) continue;
    update_live_robot(c, &t, LIVE_JACOBIAN, &c->jacobian[i]);
  }
  const bool inertia = wants(c, LIVE_OPERATIONAL_INERTIA) && c->nframe > 0;
  if (inertia && fill_task_inertia(&c->inertia, k, &tasks, c->work)) {
    update_live_robot(c, &t, LIVE_OPERATIONAL_INERTIA, &c->inertia);
  }
  if (
    wants(c, LIVE_SINGULARITY) &&
    fill_singularity(&c->singularity, k, c->varied, c->input->q, c->nframe, c->frame, c->work)) {
    update_live_robot(c, &t, LIVE_SINGULARITY, &c->singularity);
  }
  const bool summary = wants(c, LIVE_DYNAMICS);
  if (summary && fill_summary(&c->summary, k, c->input->v, c->nlink, c->link, c->work)) {
    out_u64(&c->summary, DS_CYCLES, c->cycles);
    update_live_robot(c, &t, LIVE_DYNAMICS, &c->summary);
  }
}
