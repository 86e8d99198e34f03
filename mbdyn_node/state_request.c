// Requests name joints in any order and number; here they become q, v and a third vector.
#include "state_request.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_internal.h"

typedef struct parse {
  mbdyn_node_t * node;
  const state_fields_t * fields;
  state_request_t * state;
  char * reason;
  size_t size;
} parse_t;

__attribute__((format(printf, 2, 3))) static bool
refuse_request(parse_t * p, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(p->reason, p->size, format, list);
  va_end(list);
  return false;
}

static void
use_middle(const mbd_model_t * model, double * q)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const double low = body->limits.lower, high = body->limits.upper;
    if (body->nv == 1 && body->nq == 1 && isfinite(low) && isfinite(high)) {
      q[body->q_index] = 0.5 * (low + high);
    }
  }
}

// the current state if it is asked for, else rest
static bool
start_from(parse_t * p)
{
  const mbd_model_t * model = p->state->model;
  const loop_state_t * now = loop_state(p->node->loop);
  if (!p->fields->use_current_state) {
    if (mbd_neutral(model, p->state->q) != MBD_OK) return refuse_request(p, "no neutral state");
    if (p->fields->middle) use_middle(model, p->state->q);
    return true;
  }
  if (!now || !now->whole) return refuse_request(p, "no current state: joint_states are missing");
  memcpy(p->state->q, loop_numbers(now), (size_t)model->nq * sizeof(double));
  memcpy(p->state->v, loop_numbers(now) + model->nq, (size_t)model->nv * sizeof(double));
  return true;
}

static bool
check_lengths(parse_t * p)
{
  const state_fields_t * f = p->fields;
  const size_t n = f->names->size;
  if (f->position->size != n && f->position->size != 0) {
    return refuse_request(p, "%zu positions for %zu joints", f->position->size, n);
  }
  if (f->velocity->size != n && f->velocity->size != 0) {
    return refuse_request(p, "%zu velocities for %zu joints", f->velocity->size, n);
  }
  if (f->third->size != n && f->third->size != 0) {
    return refuse_request(p, "%zu accelerations or efforts for %zu joints", f->third->size, n);
  }
  return true;
}

static bool
copy_if_finite(parse_t * p, const rosidl_runtime_c__double__Sequence * from, size_t i, double * to)
{
  if (from->size == 0) return true;
  if (!isfinite(from->data[i])) {
    return refuse_request(p, "joint '%s': a value is not finite", p->fields->names->data[i].data);
  }
  *to = from->data[i];
  return true;
}

// velocities that are not given are zero, also of a joint whose current position is used
static bool
read_joint(parse_t * p, size_t i)
{
  const mbd_model_t * model = p->state->model;
  const char * name = p->fields->names->data[i].data;
  int body;
  if (mbd_find_joint(model, name, &body) != MBD_OK || model->body[body].nv != 1) {
    return refuse_request(p, "the robot has no joint '%s' with one degree of freedom", name);
  }
  for (size_t k = 0; k < i; k++) {
    if (strcmp(p->fields->names->data[k].data, name) == 0) {
      return refuse_request(p, "duplicate joint '%s'", name);
    }
  }
  const int q = model->body[body].q_index, v = model->body[body].v_index;
  p->state->v[v] = 0;
  return copy_if_finite(p, p->fields->position, i, &p->state->q[q]) &&
         copy_if_finite(p, p->fields->velocity, i, &p->state->v[v]) &&
         copy_if_finite(p, p->fields->third, i, &p->state->a[v]);
}

static void
follow_leaders(const parse_t * p)
{
  const mbd_model_t * model = p->state->model;
  const state_request_t * s = p->state;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->mimic_body < 0) continue;
    bool named = false;
    for (size_t k = 0; k < p->fields->names->size && !named; k++) {
      named = strcmp(p->fields->names->data[k].data, body->joint_name) == 0;
    }
    const mbd_body_t * leader = &model->body[body->mimic_body];
    if (named || leader->nv != 1) continue;
    s->q[body->q_index] = body->mimic_multiplier * s->q[leader->q_index] + body->mimic_offset;
    s->v[body->v_index] = body->mimic_multiplier * s->v[leader->v_index];
  }
}

static bool
read_base(parse_t * p)
{
  const geometry_msgs__msg__Pose * pose = p->fields->base_pose;
  const geometry_msgs__msg__Twist * t = p->fields->base_twist;
  const geometry_msgs__msg__Accel * a = p->fields->base_third;
  if (!p->state->floating || p->fields->use_current_state) return true;
  const double q[7] = {pose->position.x,    pose->position.y,    pose->position.z,
                       pose->orientation.x, pose->orientation.y, pose->orientation.z,
                       pose->orientation.w};
  const double v[6] = {t->linear.x,  t->linear.y,  t->linear.z,
                       t->angular.x, t->angular.y, t->angular.z};
  memcpy(p->state->q, q, sizeof q);
  memcpy(p->state->v, v, sizeof v);
  if (a) {
    const double x[6] = {a->linear.x,  a->linear.y,  a->linear.z,
                         a->angular.x, a->angular.y, a->angular.z};
    memcpy(p->state->a, x, sizeof x);
  }
  return true;
}

static bool
read_wrenches(parse_t * p)
{
  const size_t n = p->fields->wrenches->size;
  p->state->wrench = calloc(n + 1, sizeof *p->state->wrench);
  if (!p->state->wrench) return refuse_request(p, "out of memory");
  for (size_t i = 0; i < n; i++) {
    const geometry_msgs__msg__WrenchStamped * w = &p->fields->wrenches->data[i];
    mbd_wrench_t * out = &p->state->wrench[i];
    if (mbd_find_frame(p->state->model, w->header.frame_id.data, &out->frame) != MBD_OK) {
      return refuse_request(
        p, "wrench on '%s': the robot has no such frame", w->header.frame_id.data);
    }
    out->reference = MBD_LOCAL;
    out->f.lin = (mbd_vec3_t){w->wrench.force.x, w->wrench.force.y, w->wrench.force.z};
    out->f.ang = (mbd_vec3_t){w->wrench.torque.x, w->wrench.torque.y, w->wrench.torque.z};
  }
  p->state->nwrench = (int)n;
  return true;
}

bool
node_workspace_prepare(mbdyn_node_t * node, char * reason, size_t size)
{
  const mbd_model_t * model = node->loaded->model;
  mbd_data_t * data = node->loaded->data;
  loop_settings_t * s =
    loop_settings_build(&node->loaded->robot, node_values(node), &node->payloads, reason, size);
  if (!s) return false;
  const controller_settings_t * c = s->controller;
  mbd_status_t status = mbd_set_gravity(data, c->gravity);
  if (status == MBD_OK) status = mbd_set_terms(data, c->model_terms);
  if (status == MBD_OK) status = mbd_payload_clear(model, data);
  for (int i = 0; status == MBD_OK && i < c->npayload; i++) {
    status = mbd_payload_attach(model, data, c->payload[i].frame, &c->payload[i].inertia);
  }
  s->mail.destroy(&s->mail);
  if (status != MBD_OK) snprintf(reason, size, "%s", mbd_status_string(status));
  return status == MBD_OK;
}

static bool
parse(parse_t * p)
{
  const mbd_model_t * model = p->state->model;
  p->state->q = calloc((size_t)model->nq + 1, sizeof(double));
  p->state->v = calloc((size_t)model->nv + 1, sizeof(double));
  p->state->a = calloc((size_t)model->nv + 1, sizeof(double));
  if (!p->state->q || !p->state->v || !p->state->a) return refuse_request(p, "out of memory");
  if (!start_from(p) || !check_lengths(p)) return false;
  for (size_t i = 0; i < p->fields->names->size; i++) {
    if (!read_joint(p, i)) return false;
  }
  follow_leaders(p);
  return read_base(p) && read_wrenches(p) && node_workspace_prepare(p->node, p->reason, p->size);
}

state_request_t *
state_request_create(mbdyn_node_t * node, const state_fields_t * fields, char * reason, size_t size)
{
  state_request_t * state = calloc(1, sizeof *state);
  parse_t p = {node, fields, state, reason, size};
  if (!node->loaded || !state) {
    refuse_request(
      &p, node->loaded ? "out of memory" : "the node is not configured: it has no robot yet");
    free(state);
    return NULL;
  }
  state->model = node->loaded->model;
  state->data = node->loaded->data;
  state->floating = state->model->nbody > 0 && state->model->body[0].type == MBD_JOINT_FREE;
  if (parse(&p)) return state;
  state_request_destroy(state);
  return NULL;
}

void
state_request_destroy(state_request_t * state)
{
  if (!state) return;
  free(state->q);
  free(state->v);
  free(state->a);
  free(state->wrench);
  free(state);
}
