#include "node_self_motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kinematics_request.h"
#include "message_fill.h"
#include "node_answers.h"
#include "self_motion_search.h"
#include "singularity.h"
#include "state_request.h"

typedef mbdyn__srv__SelfMotion_Request request_t;
typedef mbdyn__srv__SelfMotion_Response response_t;

#define REQUEST(name)  mbdyn__srv__SelfMotion_Request__##name
#define RESPONSE(name) mbdyn__srv__SelfMotion_Response__##name

enum { DEFAULT_POINTS = 200, MOST_POINTS = 2000, MOST_OBSTACLES = 64 };

static const double DEFAULT_TIMEOUT = 0.2, MOST_TIMEOUT = 0.5, MOST_LENGTH = 50, REACH = 10;

// a request as the core has it
typedef struct call {
  mbdyn_node_t * node;
  const request_t * request;
  state_request_t * seed;
  int frame;
  bool axis[6];
  mbd_placement_t pose;  // that is held
  double timeout;
  mbd_ik_target_t target;
  mbd_ik_targets_t targets;
  ik_search_t * search;  // of use_pose
  self_motion_search_t * motion;
  mbd_capsule_t obstacle[MOST_OBSTACLES];
  double * q;  // where the curve starts; after STEP and AVOID where it leads
  kinematics_reason_t reason;
} call_t;

//---------- the request ----------

static bool
within(double x, double low, double high)
{
  return x >= low && x <= high;
}

static bool
read_point(const geometry_msgs__msg__Point * p, mbd_vec3_t * out)
{
  *out = (mbd_vec3_t){p->x, p->y, p->z};
  return fabs(p->x) <= 1e9 && fabs(p->y) <= 1e9 && fabs(p->z) <= 1e9;
}

static bool
read_obstacles(call_t * c)
{
  const request_t * r = c->request;
  const size_t n = r->obstacle_radius.size;
  if (r->obstacle_begin.size != n || r->obstacle_end.size != n) {
    return kinematics_refuse(
      c->reason, "%zu obstacle_radius for %zu obstacle_begin and %zu obstacle_end", n,
      r->obstacle_begin.size, r->obstacle_end.size);
  }
  if (n > MOST_OBSTACLES) {
    return kinematics_refuse(
      c->reason, "%zu obstacles: at most %d are supported", n, MOST_OBSTACLES);
  }
  for (size_t i = 0; i < n; i++) {
    mbd_capsule_t * o = &c->obstacle[i];
    o->radius = r->obstacle_radius.data[i];
    if (
      !read_point(&r->obstacle_begin.data[i], &o->a) ||
      !read_point(&r->obstacle_end.data[i], &o->b) || !within(o->radius, 0, 1e9)) {
      return kinematics_refuse(
        c->reason, "obstacle %zu: a value is not finite, too large, or a radius negative", i);
    }
  }
  return true;
}

static bool
check_numbers(call_t * c)
{
  const request_t * r = c->request;
  if (!within(r->timeout, 0, MOST_TIMEOUT)) {
    return kinematics_refuse(c->reason, "timeout must be between 0 and %g s", MOST_TIMEOUT);
  }
  c->timeout = r->timeout > 0 ? r->timeout : DEFAULT_TIMEOUT;
  if (r->action > REQUEST(AVOID)) {
    return kinematics_refuse(
      c->reason, "action %u is none of 0 (CURVE), 1 (STEP), 2 (AVOID)", r->action);
  }
  if (!(fabs(r->length) <= MOST_LENGTH) || (r->action == REQUEST(AVOID) && r->length < 0)) {
    return kinematics_refuse(
      c->reason, "length must be finite, at most %g, and for AVOID not negative", MOST_LENGTH);
  }
  if (r->max_points > MOST_POINTS) {
    return kinematics_refuse(c->reason, "max_points must be at most %d", MOST_POINTS);
  }
  if (!within(r->link_radius, 0, 1e3) || !within(r->clearance, 0, 1e3)) {
    return kinematics_refuse(c->reason, "link_radius and clearance must be between 0 and 1000 m");
  }
  return true;
}

static bool
read_seed(call_t * c)
{
  static const rosidl_runtime_c__double__Sequence none = {0};
  static const geometry_msgs__msg__Twist rest = {0};
  static const geometry_msgs__msg__WrenchStamped__Sequence no_wrenches = {0};
  const request_t * r = c->request;
  const state_fields_t fields = {&r->joint_names,      &r->position,  &none, &none,
                                 r->use_current_state, &r->base_pose, &rest, NULL,
                                 &no_wrenches,         true};
  c->seed = state_request_create(c->node, &fields, c->reason.text, c->reason.size);
  if (!c->seed) return false;
  c->q = calloc((size_t)c->seed->model->nq + 1, sizeof *c->q);
  if (!c->q) return kinematics_refuse(c->reason, "out of memory");
  memcpy(c->q, c->seed->q, (size_t)c->seed->model->nq * sizeof *c->q);
  return true;
}

static bool
read_request(call_t * c)
{
  if (!c->node->loaded) {
    return kinematics_refuse(c->reason, "the node is not configured: it has no robot yet");
  }
  if (c->node->loaded->model->tree) {
    return kinematics_refuse(
      c->reason, "self-motion does not support robots with loop closures or gears");
  }
  return check_numbers(c) && read_obstacles(c) &&
         kinematics_axes(&c->request->axes, c->axis, c->reason) &&
         kinematics_frame(c->node, c->request->frame.data, &c->frame, c->reason) &&
         (!c->request->use_pose ||
          kinematics_pose(&c->request->pose, "pose", &c->pose, c->reason)) &&
         read_seed(c);
}

//---------- where it starts ----------

// with use_pose the configuration of inverse kinematics; a floating base would move with it.
// \return false if the request cannot be answered; the search says whether it was solved
static bool
find_start(call_t * c)
{
  if (!c->request->use_pose) return true;
  if (c->seed->floating) {
    return kinematics_refuse(
      c->reason,
      "use_pose would move the floating base: call ~/inverse_kinematics first, and give its "
      "configuration as seed");
  }
  c->target = (mbd_ik_target_t){.frame = c->frame, .pose = c->pose};
  memcpy(c->target.axis, c->axis, sizeof c->axis);
  c->targets = (mbd_ik_targets_t){1, &c->target};
  c->search = ik_search_create(c->seed->model, c->seed->data, &c->targets, 1);
  if (!c->search) return kinematics_refuse(c->reason, "out of memory");
  c->search->seed = c->seed->q;
  c->search->timeout = 0.5 * c->timeout;
  const mbd_status_t status = ik_search_run(c->search);
  if (status != MBD_OK) return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
  memcpy(c->q, c->search->q, (size_t)c->seed->model->nq * sizeof *c->q);
  return true;
}

//---------- the answer ----------

static const char *
joint_name(const call_t * c, int dof)
{
  return c->node->loaded->robot.dof_name[dof];
}

static void
assign_end(const call_t * c, rosidl_runtime_c__String * to, mbd_self_motion_end_t end, int limit)
{
  char text[REASON_MAX] = "";
  if (end == MBD_SELF_MOTION_LIMIT && limit >= 0) {
    snprintf(text, sizeof text, "limit of %s", joint_name(c, limit));
  } else if (end == MBD_SELF_MOTION_OBSTACLE) {
    snprintf(text, sizeof text, "obstacle");
  } else if (end == MBD_SELF_MOTION_SINGULAR) {
    snprintf(text, sizeof text, "singularity");
  }
  assign(to, text);
}

// rows of the answer: configurations, and how near they are to singularities and obstacles
static bool
answer_rows(const call_t * c, response_t * r, size_t n, const double * q, size_t stride)
{
  const mbd_model_t * model = c->seed->model;
  const mbd_task_t task = fill_task(c->frame, MBD_LOCAL);
  mbd_task_t held = task;
  held.nrow = 0;
  for (int k = 0; k < 6; k++) {
    if (c->axis[(k + 3) % 6]) memcpy(held.row[held.nrow++], task.row[k], sizeof task.row[k]);
  }
  const mbd_tasks_t tasks = {1, &held};
  const double length = singularity_length(model, c->frame);
  const bool obstacles = c->motion && c->motion->nobstacle > 0;
  double * work = calloc(singularity_work(model, &tasks) + 1, sizeof *work);
  bool good = work &&
              rosidl_runtime_c__double__Sequence__init(&r->position, n * (size_t)model->nv) &&
              rosidl_runtime_c__double__Sequence__init(&r->reciprocal_condition, n) &&
              rosidl_runtime_c__double__Sequence__init(&r->clearances, obstacles ? n : 0) &&
              fill_names(&r->joint_names, c->node->loaded->robot.dof_name, model->nv);
  for (size_t i = 0; good && i < n; i++) {
    const double * at = q + i * stride * (size_t)model->nq;
    singularity_t s;
    fill_positions(model, at, r->position.data + i * (size_t)model->nv);
    good = mbd_set_position(model, c->seed->data, at) == MBD_OK &&
           singularity_measure(model, c->seed->data, &tasks, length, work, &s) == MBD_OK;
    if (!good) break;
    r->reciprocal_condition.data[i] = s.reciprocal;
    if (obstacles) r->clearances.data[i] = self_motion_clearance(c->motion);
  }
  free(work);
  return good;
}

// where the frame is in the first row, and how far that is from what was asked for
static bool
answer_reached(const call_t * c, response_t * r, const double * q)
{
  mbd_placement_t X;
  if (
    mbd_set_position(c->seed->model, c->seed->data, q) != MBD_OK ||
    mbd_frame_placement(c->seed->model, c->seed->data, c->frame, &X) != MBD_OK) {
    return false;
  }
  fill_pose(&X, &r->reached);
  if (!c->search) return true;
  r->position_error = c->search->result.position;
  r->rotation_error = c->search->result.rotation;
  return true;
}

static bool
answer_one(const call_t * c, response_t * r, double s)
{
  if (!answer_rows(c, r, 1, c->q, 1) || !answer_reached(c, r, c->q)) return false;
  return fill_numbers(&r->s, &s, 1);
}

static bool
answer_arcs(const call_t * c, response_t * r)
{
  const mbd_self_motion_curve_t * curve = &c->motion->curve;
  const size_t n = (size_t)curve->narc, nv = (size_t)c->seed->model->nv;
  if (
    !rosidl_runtime_c__double__Sequence__init(&r->arc_begin, n) ||
    !rosidl_runtime_c__double__Sequence__init(&r->arc_end, n) ||
    !rosidl_runtime_c__String__Sequence__init(&r->arc_begin_at, n) ||
    !rosidl_runtime_c__String__Sequence__init(&r->arc_end_at, n) ||
    !rosidl_runtime_c__int32__Sequence__init(&r->turns, nv)) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    const mbd_self_motion_arc_t * arc = &curve->arc[i];
    r->arc_begin.data[i] = arc->begin;
    r->arc_end.data[i] = arc->end;
    assign_end(c, &r->arc_begin_at.data[i], arc->begin_at, arc->begin_limit);
    assign_end(c, &r->arc_end_at.data[i], arc->end_at, arc->end_limit);
  }
  for (size_t k = 0; k < nv; k++) r->turns.data[k] = curve->winding[k];
  return true;
}

static bool
answer_curve(const call_t * c, response_t * r)
{
  const mbd_self_motion_curve_t * curve = &c->motion->curve;
  const size_t most = c->request->max_points > 0 ? c->request->max_points : DEFAULT_POINTS;
  const size_t stride = ((size_t)curve->n + most - 1) / most;
  const size_t n = ((size_t)curve->n + stride - 1) / stride;
  r->closed = curve->closed;
  r->curve_length = curve->length;
  if (!answer_rows(c, r, n, curve->q, stride) || !answer_reached(c, r, curve->q)) return false;
  if (!rosidl_runtime_c__double__Sequence__init(&r->s, n)) return false;
  for (size_t i = 0; i < n; i++) r->s.data[i] = curve->s[i * stride];
  return answer_arcs(c, r);
}

static void
fail(response_t * r, uint8_t status, const char * text)
{
  r->success = false;
  r->status = status;
  assign_message(&r->message, text);
}

//---------- actions ----------

// the start is good, but there is no curve from it
static bool
answer_no_curve(const call_t * c, response_t * r, mbd_status_t status)
{
  const int freedom = c->motion->state.freedom;
  char text[REASON_MAX];
  if (status == MBD_ERROR_BAD_ARGUMENT && freedom == 0) {
    snprintf(
      text, sizeof text,
      "no self-motion: the pose of '%s' leaves no degree of freedom; leave some of axes out",
      c->seed->model->frame[c->frame].name);
    fail(r, RESPONSE(NOT_REDUNDANT), text);
  } else if (status == MBD_ERROR_BAD_ARGUMENT && freedom > 1) {
    snprintf(
      text, sizeof text,
      "the pose of '%s' leaves %d degrees of freedom, a self-motion has one; hold more of axes",
      c->seed->model->frame[c->frame].name, freedom);
    fail(r, RESPONSE(NOT_REDUNDANT), text);
  } else if (status == MBD_ERROR_SINGULAR) {
    fail(r, RESPONSE(SINGULAR), "the curve starts at a singularity: try another seed");
  } else {
    return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
  }
  return answer_one(c, r, 0);
}

static bool
run_curve(call_t * c, response_t * r)
{
  const mbd_status_t status = self_motion_curve(c->motion);
  if (status != MBD_OK) return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
  r->success = true;
  if (c->motion->timed_out) {
    fail(
      r, RESPONSE(TIMEOUT),
      "the curve is not whole: position is the part that was traced in the time; raise timeout");
  }
  return answer_curve(c, r);
}

static bool
run_step(call_t * c, response_t * r)
{
  const mbd_status_t status = self_motion_move(c->motion, c->request->length, c->q);
  if (status != MBD_OK) return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
  const mbd_self_motion_state_t * state = &c->motion->state;
  r->success = true;
  assign_end(c, &r->ended, state->end, state->limit);
  if (c->motion->timed_out) {
    fail(r, RESPONSE(TIMEOUT), "position is how far it got in the time: raise timeout");
  }
  return answer_one(c, r, state->s);
}

static bool
run_avoid(call_t * c, response_t * r)
{
  const double reach = c->request->length > 0 ? c->request->length : REACH;
  const mbd_status_t status = self_motion_avoid(c->motion, reach, c->q);
  if (status == MBD_ERROR_NO_SOLUTION) {
    char text[REASON_MAX];
    snprintf(
      text, sizeof text,
      "no configuration with this pose within %g along the curve is within limits and %g m from "
      "the obstacles: relax clearance or axes, or raise length",
      reach, c->request->clearance);
    fail(r, c->motion->timed_out ? RESPONSE(TIMEOUT) : RESPONSE(BLOCKED), text);
    return answer_one(c, r, 0);
  }
  if (status != MBD_OK) return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
  r->success = true;
  return answer_one(c, r, c->motion->state.s);
}

static bool
run(call_t * c, response_t * r)
{
  const ik_search_t * search = c->search;
  if (search && search->n == 0) {
    const int limit = search->result.limit;
    char text[REASON_MAX];
    const uint8_t status =
      kinematics_failure(search, limit >= 0 ? joint_name(c, limit) : NULL, text, sizeof text);
    fail(r, status, text);
    r->solve_time = search->time;
    return answer_one(c, r, 0);
  }
  c->motion = self_motion_create(c->seed->model, c->seed->data, c->frame);
  if (!c->motion) return kinematics_refuse(c->reason, "out of memory");
  memcpy(c->motion->axis, c->axis, sizeof c->axis);
  c->motion->ignore_limits = c->request->ignore_limits;
  c->motion->nobstacle = (int)c->request->obstacle_radius.size;
  c->motion->obstacle = c->obstacle;
  c->motion->link_radius = c->request->link_radius;
  c->motion->clearance = c->request->clearance;
  c->motion->timeout = c->timeout - (search ? search->time : 0);
  const mbd_status_t status = self_motion_begin(c->motion, c->q);
  bool (*const action[])(call_t *, response_t *) = {run_curve, run_step, run_avoid};
  const bool good =
    status == MBD_OK ? action[c->request->action](c, r) : answer_no_curve(c, r, status);
  r->solve_time = c->motion->time + (search ? search->time : 0);
  return good;
}

static void
renew(response_t * response)
{
  mbdyn__srv__SelfMotion_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__SelfMotion_Response__init(response);
}

void
node_self_motion(mbdyn_node_t * node, const request_t * request, response_t * response)
{
  char reason[REASON_MAX] = "out of memory";
  call_t c = {.node = node, .request = request, .reason = {reason, sizeof reason}};
  renew(response);
  if (!read_request(&c) || !find_start(&c) || !run(&c, response)) {
    renew(response);
    response->status = RESPONSE(REJECTED);
    assign_message(&response->message, reason);
  }
  self_motion_destroy(c.motion);
  ik_search_destroy(c.search);
  state_request_destroy(c.seed);
  free(c.q);
}
