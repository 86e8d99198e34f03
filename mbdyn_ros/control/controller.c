// The controller's life, its settings, and the order of one step.
#include "controller.h"

#include <stdlib.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/dynamics.h"
#include "singularity.h"

//---------- settings ----------

static void
destroy_settings(mail_t * mail)
{
  free(mail);
}

controller_settings_t *
controller_settings_create(const mbd_model_t * model)
{
  enum { VECTORS = 16 };
  const size_t nv = (size_t)model->nv;
  controller_settings_t * s = calloc(1, sizeof *s + VECTORS * nv * sizeof(double));
  if (!s) return NULL;
  double * vector = (double *)(void *)(s + 1);
  double ** const field[VECTORS] = {
    &s->kp,
    &s->kd,
    &s->ki,
    &s->damping,
    &s->damping_rate,
    &s->posture_kp,
    &s->posture_kd,
    &s->max_step,
    &s->max_acceleration,
    &s->effort_scale,
    &s->joint_stiffness,
    &s->joint_damping,
    &s->nullspace_stiffness,
    &s->path_tolerance,
    &s->goal_tolerance,
    &s->goal_velocity};
  for (size_t k = 0; k < VECTORS; k++) *field[k] = vector + k * nv;
  for (size_t k = 0; k < nv; k++) s->effort_scale[k] = 1;
  s->mail.destroy = destroy_settings;
  s->mode = MODE_PASSIVE;
  s->bound_gains = s->joint_by_ratio = s->task_by_ratio = true;
  s->damping_ratio = 1;
  s->stop_jerk = 100;
  s->gravity = model->gravity;
  s->task_frame = s->observer_frame = -1;
  s->observer_options = mbd_observer_options_default();
  return s;
}

//---------- life ----------

enum { NV_VECTORS = 28, NQ_VECTORS = 9, SQUARES = 4 };

// a robot with a free base may stand on frames
static size_t
support_work_size(const mbd_model_t * model)
{
  const bool floats = model->nbody > 0 && model->body[0].type == MBD_JOINT_FREE;
  return floats ? mbd_support_work(model, CONTROLLER_SUPPORTS) : 0;
}

// numbers of working memory that operational space may need
static size_t
task_work_size(const mbd_model_t * model)
{
  const mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t tasks = {1, &task};
  return mbd_task_work(model, &tasks);
}

static size_t
all_size(const mbd_model_t * model)
{
  return model->tree ? 2 * (size_t)model->tree->nv : 0;
}

// what following a side takes beside a square
static size_t
side_size(const mbd_model_t * model)
{
  const mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t tasks = {1, &task};
  return singularity_work(model, &tasks);
}

static size_t
matrix_size(const mbd_model_t * model)
{
  const size_t rows = model->nv > 6 ? (size_t)model->nv : 6;
  return rows * (size_t)model->nv;
}

// \return what is behind the vectors
static void *
assign_arrays(controller_t * c, double * numbers)
{
  struct controller_private * p = c->p;
  double ** const nv_field[NV_VECTORS] = {
    &c->gravity,   &c->coriolis,       &c->inertia,        &c->friction, &c->external,
    &c->total,     &c->command,        &c->v_ref,          &c->a_ref,    &c->stream.v,
    &c->stream.a,  &p->integral,       &c->acceleration,   &p->error,    &p->torque,
    &p->held,      &p->gain,           &p->added,          &c->effort,   &p->step_ahead,
    &p->hold_kp,   &p->hold_kd,        &p->stance,         &p->stop_v,   &p->stop_a,
    &p->stop_time, &p->drive_friction, &p->friction_spring};
  double ** const nq_field[NQ_VECTORS] = {
    &c->q_ref,
    &c->stream.q,
    &p->hold,
    &p->ahead,
    &p->component_q,
    &p->joint_impedance.q,
    &p->task_impedance.q,
    &p->stop_q,
    &p->friction_q};
  for (int k = 0; k < NV_VECTORS; k++, numbers += c->model->nv) *nv_field[k] = numbers;
  for (int k = 0; k < NQ_VECTORS; k++, numbers += c->model->nq) *nq_field[k] = numbers;
  double ** const square[SQUARES] = {&p->inverse, &p->null_space, &p->null_ahead, &p->side_work};
  for (int k = 0; k < SQUARES; k++) {
    *square[k] = numbers;
    numbers += matrix_size(c->model);
  }
  // the last one goes on
  numbers += side_size(c->model);
  p->joint_impedance.work = numbers;
  numbers += impedance_work(c->model->nv);
  p->task_impedance.work = numbers;
  numbers += impedance_work(6);
  inertia_init(&p->shaping, numbers);
  numbers += inertia_work();
  p->all = numbers;
  p->task_work = numbers + all_size(c->model);
  p->support_work = p->task_work + task_work_size(c->model);
  return p->support_work + support_work_size(c->model);
}

// workspaces and observer, in memory that is theirs
static mbd_status_t
set_up(controller_t * c, char * memory)
{
  struct controller_private * p = c->p;
  const size_t size = mbd_data_size(c->model);
  CHECK(mbd_data_init(c->model, memory, size, &c->data));
  CHECK(mbd_data_init(c->model, memory + size, size, &p->at_reference));
  CHECK(mbd_data_init(c->model, memory + 2 * size, size, &p->foreseen));
  p->observer_memory = memory + 3 * size;
  p->observer_size = mbd_observer_size(c->model);
  CHECK(mbd_observer_init(c->model, NULL, p->observer_memory, p->observer_size, &c->observer));
  CHECK(mbd_neutral(c->model, c->q_ref));
  memcpy(c->stream.q, c->q_ref, (size_t)c->model->nq * sizeof(double));
  memcpy(p->hold, c->q_ref, (size_t)c->model->nq * sizeof(double));
  return MBD_OK;
}

controller_t *
controller_create(const mbd_model_t * model)
{
  // one block: both structs, vectors, workspaces, observer
  const size_t structs = sizeof(controller_t) + sizeof(struct controller_private);
  const size_t numbers = NV_VECTORS * (size_t)model->nv + NQ_VECTORS * (size_t)model->nq +
                         SQUARES * matrix_size(model) + side_size(model) +
                         impedance_work(model->nv) + impedance_work(6) + inertia_work() +
                         all_size(model) + task_work_size(model) + support_work_size(model);
  const size_t rest = 3 * mbd_data_size(model) + mbd_observer_size(model);
  char * block = calloc(1, structs + numbers * sizeof(double) + rest);
  if (!block) return NULL;
  controller_t * c = (controller_t *)(void *)block;
  c->model = model;
  c->p = (struct controller_private *)(void *)(block + sizeof *c);
  c->p->begin = c->p->begin_task = true;
  c->p->applied.task_frame = -1;
  if (set_up(c, assign_arrays(c, (double *)(void *)(block + structs))) == MBD_OK) return c;
  free(block);
  return NULL;
}

void
controller_destroy(controller_t * controller)
{
  if (!controller) return;
  mbd_data_destroy(controller->p->flexible_data);
  free(controller->p->flexible_q);
  free(controller);
}

mbd_status_t
controller_set_flexible(controller_t * c, const mbd_model_t * flexible)
{
  struct controller_private * p = c->p;
  double * numbers = calloc((size_t)(flexible->nq + flexible->nv) + 1, sizeof *numbers);
  if (!numbers) return MBD_ERROR_OUT_OF_MEMORY;
  p->flexible_q = numbers;
  p->flexible_tau = numbers + flexible->nq;
  CHECK(mbd_neutral(flexible, p->flexible_q));
  CHECK(mbd_data_create(flexible, &p->flexible_data));
  p->flexible = flexible;
  return MBD_OK;
}

//---------- between steps ----------

// old targets must not move the robot when it starts to hold
static void
clear_targets(controller_t * c)
{
  c->targets.pose_known = c->targets.twist_known = c->targets.wrench_known = false;
  c->p->begin_task = true;
  c->p->turn = mbdu_vec3(0, 0, 0);
}

static void
reset_hold(controller_t * c)
{
  c->p->following = c->p->stopping = false;
  c->p->begin = true;
  c->component.held = false;
  c->component.side = 0;
  clear_targets(c);
}

void
controller_restart(controller_t * controller)
{
  reset_hold(controller);
  controller_observer_restart(controller);
}

void
controller_pause(controller_t * controller)
{
  const bool following = controller->p->following;
  controller_restart(controller);
  controller->p->following = following;
}

bool
controller_following(const controller_t * controller, double * at)
{
  *at = controller->p->sampled_at;
  return controller->p->following && controller->p->sampled;
}

void
controller_follow(controller_t * controller, trajectory_t * trajectory)
{
  // before a first step, and after a restart, the joints' positions count, which it was made with
  const bool moving = controller->referenced && !controller->p->begin;
  if (trajectory && moving) {
    trajectory_begin_at(trajectory, controller->q_ref, controller->v_ref);
  }
  controller->trajectory = trajectory;
  controller->p->following = trajectory != NULL;
  controller->p->stopping = controller->p->sampled = false;
  controller->p->sampled_at = 0;
  controller->p->progress = (controller_progress_t){.id = trajectory ? trajectory->id : 0};
  controller->stream.known = false;
}

void
controller_hold(controller_t * controller)
{
  controller->p->following = controller->p->stopping = false;
  controller->stream.known = false;
}

// \return whether these are the payloads that the workspaces have
static bool
same_payloads(const controller_applied_t * applied, const controller_settings_t * s)
{
  if (applied->npayload != s->npayload) return false;
  for (int i = 0; i < s->npayload; i++) {
    const controller_payload_t *a = &applied->payload[i], *b = &s->payload[i];
    // ten numbers, nothing between them
    if (a->frame != b->frame || memcmp(&a->inertia, &b->inertia, sizeof a->inertia) != 0) {
      return false;
    }
  }
  return true;
}

static mbd_status_t
attach_payloads(controller_t * c, const controller_settings_t * s)
{
  mbd_data_t * const workspace[3] = {c->data, c->p->at_reference, c->p->flexible_data};
  for (int k = 0; k < 3 && workspace[k]; k++) {
    const mbd_model_t * model = workspace[k]->model;
    CHECK(mbd_payload_clear(model, workspace[k]));
    for (int i = 0; i < s->npayload; i++) {
      CHECK(mbd_payload_attach(model, workspace[k], s->payload[i].frame, &s->payload[i].inertia));
    }
  }
  return MBD_OK;
}

static bool
same_options(const mbd_observer_options_t * a, const mbd_observer_options_t * b)
{
  return a->order == b->order && a->gain == b->gain && a->threshold_on == b->threshold_on &&
         a->threshold_off == b->threshold_off;
}

// what needs more than to be looked up in the settings
static mbd_status_t
take_over(controller_t * c, const controller_settings_t * s)
{
  struct controller_private * p = c->p;
  if (s->task_frame < -1 || s->task_frame >= c->model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  if (s->nsupport < 0 || s->nsupport > CONTROLLER_SUPPORTS) return MBD_ERROR_BAD_ARGUMENT;
  if (s->nsupport > 0 && support_work_size(c->model) == 0) return MBD_ERROR_BAD_ARGUMENT;
  if (s->npayload < 0 || s->npayload > CONTROLLER_PAYLOADS) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbd_set_terms(c->data, s->model_terms));
  CHECK(mbd_set_terms(p->at_reference, s->model_terms));
  if (!same_payloads(&p->applied, s)) {
    controller_observer_restart(c);
    // nothing counts as attached until all is
    p->applied.npayload = -1;
    CHECK(attach_payloads(c, s));
    p->applied.npayload = s->npayload;
    memcpy(p->applied.payload, s->payload, sizeof s->payload);
  }
  if (!same_options(&c->observer->options, &s->observer_options)) {
    controller_observer_restart(c);
    CHECK(mbd_observer_init(
      c->model, &s->observer_options, p->observer_memory, p->observer_size, &c->observer));
  }
  return MBD_OK;
}

void
controller_apply(controller_t * controller, const controller_settings_t * settings)
{
  controller_applied_t * applied = &controller->p->applied;
  const controller_settings_t * old = controller->settings;
  if (settings->mode != applied->mode) reset_hold(controller);
  // new settings may be where old ones were
  controller->p->joint_impedance.settings = controller->p->task_impedance.settings = NULL;
  controller->p->friction_settings = NULL;
  // another inertia is no rate of change
  controller->p->shaping.known = false;
  // of a message and a parameter the last counts
  if (old && memcmp(&old->gravity, &settings->gravity, sizeof old->gravity) != 0) {
    controller->targets.gravity_known = false;
  }
  const bool same_rows =
    old && memcmp(old->task_row, settings->task_row, sizeof old->task_row) == 0;
  if (settings->task_frame != applied->task_frame || !same_rows) controller->component.side = 0;
  if (settings->task_frame != applied->task_frame) clear_targets(controller);
  if (settings->model_terms != applied->model_terms) controller_observer_restart(controller);
  controller->p->settings_status = take_over(controller, settings);
  applied->mode = settings->mode;
  applied->task_frame = settings->task_frame;
  applied->model_terms = settings->model_terms;
  controller->settings = settings;
}

//---------- one step ----------

static bool
fresh(const controller_t * c, int64_t time, int64_t arrival)
{
  const double timeout = c->settings->target_timeout;
  return !(timeout > 0) || 1e-9 * (double)(arrival - time) <= timeout;
}

bool
controller_fresh(const controller_t * c, int64_t time, const controller_cycle_t * cycle)
{
  return fresh(c, time, cycle->arrival);
}

bool
controller_gravity_known(const controller_t * controller, int64_t arrival)
{
  const controller_targets_t * t = &controller->targets;
  return t->gravity_known && fresh(controller, t->gravity_time, arrival);
}

void
controller_forget_world(controller_t * controller)
{
  controller->targets.gravity_known = false;
  controller->targets.nexternal = 0;
}

// both workspaces know the state's world, one of them the state
static mbd_status_t
set_state(controller_t * c, const joint_input_t * input, int64_t arrival)
{
  const mbd_vec3_t gravity =
    controller_gravity_known(c, arrival) ? c->targets.gravity : c->settings->gravity;
  CHECK(mbd_set_gravity(c->data, gravity));
  CHECK(mbd_set_gravity(c->p->at_reference, gravity));
  return mbd_set_state(c->model, c->data, input->q, input->v);
}

// the reference, which is known to be good now, is where the joints hold
static void
keep_reference(controller_t * c)
{
  const size_t nq = (size_t)c->model->nq, nv = (size_t)c->model->nv;
  memcpy(c->p->hold, c->q_ref, nq * sizeof(double));
  c->referenced = true;
  if (c->stream.known) return;
  memcpy(c->stream.q, c->q_ref, nq * sizeof(double));
  memset(c->stream.v, 0, nv * sizeof(double));
  memset(c->stream.a, 0, nv * sizeof(double));
}

mbd_status_t
controller_step(
  controller_t * controller, const joint_input_t * input, int64_t now, int64_t arrival, double dt,
  const double * sent)
{
  const controller_cycle_t cycle = {input, now, arrival, dt, sent};
  if (!controller->settings) return MBD_ERROR_NULL_ARGUMENT;
  controller->p->bounded = controller->bound.cycles;
  CHECK(controller->p->settings_status);
  CHECK(set_state(controller, input, arrival));
  CHECK(controller_begin(controller, &cycle));
  CHECK(controller_update_reference(controller, &cycle));
  CHECK(controller_law(controller, &cycle));
  CHECK(controller_keep_component(controller, &cycle));
  CHECK(controller_measured_efforts(controller, &cycle));
  CHECK(controller_observe(controller, &cycle));
  keep_reference(controller);
  controller->p->stepped_at = now;
  controller_watch_path(controller, input);
  return MBD_OK;
}
