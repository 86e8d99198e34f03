// mbdyn/control.h, other threads: settings, trajectories and targets for the control thread.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control_internal.h"
#include "parameters_internal.h"
#include "targets.h"

//---------- targets ----------

static target_kind_t
kind_of(mbdc_target_t kind)
{
  static const target_kind_t KIND[MBDC_TARGETS] = {
    TARGET_POSE, TARGET_TWIST, TARGET_WRENCH, TARGET_GRAVITY, TARGET_ON_FRAME};
  return KIND[kind];
}

static void
take_target(mbdc_controller_t * c, mbdc_target_t kind, const control_target_t * t)
{
  if (target_take(c->rt.controller, kind_of(kind), t->frame, t->number, c->arrival)) return;
  c->refused_targets++;
}

void
control_take_targets(mbdc_controller_t * controller)
{
  const control_targets_t * now = snapshot_read(&controller->targets);
  control_targets_t * taken = &controller->taken;
  if (!now) return;
  for (int k = 0; k < MBDC_EXTERNAL_WRENCH; k++) {
    if (now->target[k].count == taken->target[k].count) continue;
    take_target(controller, (mbdc_target_t)k, &now->target[k]);
    taken->target[k].count = now->target[k].count;
  }
  for (int k = 0; k < now->nexternal; k++) {
    if (now->external[k].count == taken->external[k].count) continue;
    take_target(controller, MBDC_EXTERNAL_WRENCH, &now->external[k]);
    taken->external[k].count = now->external[k].count;
  }
  if (now->holds != taken->holds) {
    taken->holds = now->holds;
    controller_hold(controller->rt.controller);
  }
}

static void
post_targets(mbdc_controller_t * c)
{
  memcpy(snapshot_write(&c->targets), &c->set, sizeof c->set);
  snapshot_publish(&c->targets);
}

// where it is kept; NULL: no place
static control_target_t *
place_of(control_targets_t * set, mbdc_target_t kind, int frame)
{
  if (kind != MBDC_EXTERNAL_WRENCH) return &set->target[kind];
  int k = 0;
  while (k < set->nexternal && set->external[k].frame != frame) k++;
  if (k == CONTROL_EXTERNAL) return NULL;
  if (k == set->nexternal) set->nexternal++;
  return &set->external[k];
}

mbd_status_t
mbdc_set_target(
  mbdc_controller_t * controller, mbdc_target_t kind, int frame, const double * number)
{
  if (!controller || !number) return MBD_ERROR_NULL_ARGUMENT;
  if ((int)kind < 0 || kind >= MBDC_TARGETS) return MBD_ERROR_BAD_ARGUMENT;
  const int lowest = kind == MBDC_EXTERNAL_WRENCH ? 0 : -1, n = target_numbers(kind_of(kind));
  for (int i = 0; i < n; i++) {
    if (!isfinite(number[i])) return MBD_ERROR_NOT_FINITE;
  }
  if (frame < lowest || frame >= controller->model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  if (!target_sane(kind_of(kind), number)) return MBD_ERROR_BAD_ARGUMENT;
  pthread_mutex_lock(&controller->lock);
  control_target_t * target = place_of(&controller->set, kind, frame);
  if (target) {
    target->count++;
    target->frame = frame;
    memcpy(target->number, number, (size_t)n * sizeof *number);
    post_targets(controller);
  }
  pthread_mutex_unlock(&controller->lock);
  return target ? MBD_OK : MBD_ERROR_LIMIT;
}

void
mbdc_hold(mbdc_controller_t * controller)
{
  if (!controller) return;
  pthread_mutex_lock(&controller->lock);
  controller->set.holds++;
  post_targets(controller);
  pthread_mutex_unlock(&controller->lock);
}

//---------- settings ----------

static mbd_status_t
same_read_only(const param_values_t * now, const param_values_t * next, char * reason, size_t size)
{
  for (int k = 0; k < NODE_PARAMETER_COUNT; k++) {
    if (!NODE_PARAMETERS[k].read_only || param_value_same(&now->value[k], &next->value[k]))
      continue;
    return control_refuse(
      reason, size, MBD_ERROR_BAD_ARGUMENT,
      "parameter '%s' is read-only: create another controller", NODE_PARAMETERS[k].name);
  }
  return MBD_OK;
}

// while the robot moves
static mbd_status_t
limits_kept(mbdc_controller_t * c, const loop_settings_t * next, char * reason, size_t size)
{
  char text[PARAM_REASON] = "out of memory";
  loop_settings_t * now = loop_settings_build(&c->robot, c->values, NULL, text, sizeof text);
  const bool kept = now && safety_limits_kept(&c->robot, now, next, text, sizeof text);
  if (now) now->mail.destroy(&now->mail);
  return kept ? MBD_OK : control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "%s", text);
}

static mbd_status_t
configure(mbdc_controller_t * c, const param_values_t * values, char * reason, size_t size)
{
  char text[PARAM_REASON] = "out of memory";
  mbd_status_t status = same_read_only(c->values, values, reason, size);
  if (status != MBD_OK) return status;
  loop_settings_t * next = loop_settings_build(&c->robot, values, NULL, text, sizeof text);
  if (!next) return control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "%s", text);
  if (atomic_load(&c->active)) status = limits_kept(c, next, reason, size);
  param_values_t * copy = status == MBD_OK ? param_values_copy(values) : NULL;
  if (!copy) {
    next->mail.destroy(&next->mail);
    return status != MBD_OK
             ? status
             : control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "out of memory");
  }
  param_values_destroy(c->values);
  c->values = copy;
  mailbox_post(&c->settings_box, &next->mail);
  return MBD_OK;
}

mbd_status_t
mbdc_configure(
  mbdc_controller_t * controller, const mbdc_settings_t * settings, char * reason, size_t size)
{
  if (!controller || !settings) return MBD_ERROR_NULL_ARGUMENT;
  pthread_mutex_lock(&controller->lock);
  const mbd_status_t status = configure(controller, settings->values, reason, size);
  pthread_mutex_unlock(&controller->lock);
  return status;
}

//---------- trajectories ----------

// points as trajectory_create wants them, to be freed
static trajectory_point_t *
list_points(int npoint, const mbdc_point_t * point)
{
  trajectory_point_t * list = calloc((size_t)npoint + 1, sizeof *list);
  for (int i = 0; list && i < npoint; i++) {
    list[i] = (trajectory_point_t){
      point[i].time, point[i].position, point[i].velocity, point[i].acceleration};
  }
  return list;
}

static mbd_status_t
follow(
  mbdc_controller_t * c, int njoint, const char * const * name, int npoint,
  const trajectory_point_t * point, int64_t start, char * reason, size_t size)
{
  const mbd_model_t * model = c->model;
  char text[PARAM_REASON] = "out of memory";
  const control_snapshot_t * now = snapshot_read(&c->state);
  if (!now || !now->whole) {
    return control_refuse(reason, size, MBD_ERROR_STAGE, "the state is not known yet");
  }
  // from the reference, which does not jump by what the joints lag behind
  const double * from = (const double *)(const void *)(now + 1) + model->nq + model->nv;
  loop_settings_t * s = loop_settings_build(&c->robot, c->values, NULL, text, sizeof text);
  if (!s) return control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "%s", text);
  trajectory_t * t = trajectory_create(
    model, njoint, name, npoint, point, from, from + model->nq, s->controller->max_acceleration,
    start, text, sizeof text);
  const bool good =
    t && trajectory_admit(t, model, now->time, from, s->controller->max_step, text, sizeof text);
  s->mail.destroy(&s->mail);
  if (good) {
    mailbox_post(&c->trajectory_box, &t->mail);
    return MBD_OK;
  }
  if (t) t->mail.destroy(&t->mail);
  return control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "%s", text);
}

mbd_status_t
mbdc_follow(
  mbdc_controller_t * controller, int njoint, const char * const * name, int npoint,
  const mbdc_point_t * point, int64_t start, char * reason, size_t size)
{
  if (!controller || !name || !point) return MBD_ERROR_NULL_ARGUMENT;
  if (njoint < 1 || npoint < 1) {
    return control_refuse(reason, size, MBD_ERROR_BAD_ARGUMENT, "the trajectory is empty");
  }
  for (int i = 0; i < njoint; i++) {
    if (!name[i]) return MBD_ERROR_NULL_ARGUMENT;
  }
  trajectory_point_t * list = list_points(npoint, point);
  if (!list) return control_refuse(reason, size, MBD_ERROR_OUT_OF_MEMORY, "out of memory");
  pthread_mutex_lock(&controller->lock);
  const mbd_status_t status = follow(controller, njoint, name, npoint, list, start, reason, size);
  pthread_mutex_unlock(&controller->lock);
  free(list);
  return status;
}

void
mbdc_copy_status(mbdc_controller_t * controller, mbdc_status_t * status)
{
  if (!controller || !status) return;
  pthread_mutex_lock(&controller->lock);
  const control_snapshot_t * now = snapshot_read(&controller->state);
  *status = now ? now->status : (mbdc_status_t){0};
  pthread_mutex_unlock(&controller->lock);
}
