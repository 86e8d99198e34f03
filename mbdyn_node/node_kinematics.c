// Services of kinematics. On the executor's thread, in its workspace: the control thread shares nothing
// with them, and a request ends within its timeout. Memory of requests and responses as node_services.c says.
#include "node_kinematics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "ik_search.h"
#include "mbdyn/spatial.h"
#include "mbdyn/srv/inverse_kinematics.h"
#include "message_fill.h"
#include "node_answers.h"
#include "singularity.h"
#include "state_request.h"

typedef mbdyn__srv__InverseKinematics_Request ik_request_t;
typedef mbdyn__srv__InverseKinematics_Response ik_response_t;

enum {
  SOLVED = mbdyn__srv__InverseKinematics_Response__SOLVED,
  UNREACHABLE = mbdyn__srv__InverseKinematics_Response__UNREACHABLE,
  AT_LIMIT = mbdyn__srv__InverseKinematics_Response__AT_LIMIT,
  TIMEOUT = mbdyn__srv__InverseKinematics_Response__TIMEOUT,
  REJECTED = mbdyn__srv__InverseKinematics_Response__REJECTED
};

enum { MOST_FRAMES = 16, MOST_SOLUTIONS = 256, DEFAULT_SOLUTIONS = 16 };

static const double DEFAULT_TIMEOUT = 0.05, MOST_TIMEOUT = 0.5;

struct node_kinematics {
  mbdyn_node_t * node;
  rcl_service_t service[NODE_KINEMATICS_HANDLES];
  bool open[NODE_KINEMATICS_HANDLES];
  ik_request_t ik_request;
  ik_response_t ik_response;
};

// a request as the core has it
typedef struct ik_call {
  mbdyn_node_t * node;
  const ik_request_t * request;
  mbd_ik_target_t target[MOST_FRAMES];
  mbd_task_t task[MOST_FRAMES];
  mbd_ik_targets_t targets;
  mbd_tasks_t tasks;
  state_request_t * seed;
  ik_search_t * search;
  char * reason;
  size_t size;
} ik_call_t;

__attribute__((format(printf, 2, 3))) static bool
refuse_ik(ik_call_t * c, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason, c->size, format, list);
  va_end(list);
  return false;
}

//---------- the request ----------

static const char * const AXES[6] = {"linear_x",  "linear_y",  "linear_z",
                                     "angular_x", "angular_y", "angular_z"};

// linear first in messages, angular first in the core
static bool
read_axes(ik_call_t * c, bool axis[6])
{
  const rosidl_runtime_c__String__Sequence * names = &c->request->axes;
  for (int k = 0; k < 6; k++) axis[k] = names->size == 0;
  for (size_t i = 0; i < names->size; i++) {
    int k = 0;
    while (k < 6 && strcmp(names->data[i].data, AXES[k]) != 0) k++;
    if (k == 6) {
      return refuse_ik(
        c, "axes: '%s' is none of linear_x, linear_y, linear_z, angular_x, angular_y, angular_z",
        names->data[i].data);
    }
    axis[(k + 3) % 6] = true;
  }
  return true;
}

static bool
read_frame(ik_call_t * c, size_t i, int * frame)
{
  const mbd_model_t * model = c->node->loaded->model;
  const char * name = param_string(node_values(c->node), P_OPERATIONAL_FRAME);
  if (c->request->frames.size > 0) name = c->request->frames.data[i].data;
  *frame = node_robot_tip(model);
  if (c->request->frames.size == 0 && *name == 0) return true;
  if (mbd_find_frame(model, name, frame) == MBD_OK) return true;
  return refuse_ik(c, "the robot has no link or frame '%s'", name);
}

static bool
read_pose(ik_call_t * c, size_t i, mbd_placement_t * X)
{
  const geometry_msgs__msg__Pose * pose = &c->request->poses.data[i];
  const mbd_quat_t q = {
    pose->orientation.x, pose->orientation.y, pose->orientation.z, pose->orientation.w};
  const double x[7] = {pose->position.x, pose->position.y, pose->position.z, q.x, q.y, q.z, q.w};
  for (int k = 0; k < 7; k++) {
    if (!(fabs(x[k]) <= 1e9))
      return refuse_ik(c, "pose %zu: a value is not finite or too large", i);
  }
  // written by hand with a few digits, it is still meant as a rotation
  const double norm = mbdu_quat_norm(q);
  if (!(fabs(norm - 1) <= 0.01)) {
    return refuse_ik(
      c, "pose %zu: the norm of the orientation is %.3g; give a unit quaternion x y z w", i, norm);
  }
  X->R = mbdu_quat_to_mat3(mbdu_quat_normalize(q));
  X->p = mbdu_vec3(x[0], x[1], x[2]);
  return true;
}

static bool
read_targets(ik_call_t * c)
{
  const size_t named = c->request->frames.size, n = named > 0 ? named : 1;
  bool axis[6];
  if (c->request->poses.size != n) {
    return refuse_ik(c, "%zu poses for %zu frames", c->request->poses.size, n);
  }
  if (n > MOST_FRAMES) return refuse_ik(c, "%zu frames: at most %d are supported", n, MOST_FRAMES);
  if (!read_axes(c, axis)) return false;
  for (size_t i = 0; i < n; i++) {
    mbd_ik_target_t * t = &c->target[i];
    if (!read_frame(c, i, &t->frame) || !read_pose(c, i, &t->pose)) return false;
    memcpy(t->axis, axis, sizeof axis);
    // rows linear first, in axes of the pose when it is reached
    mbd_task_t * task = &c->task[i];
    *task = fill_task(t->frame, MBD_LOCAL);
    task->nrow = 0;
    for (int k = 0; k < 6; k++) {
      if (!axis[(k + 3) % 6]) continue;
      memset(task->row[task->nrow], 0, sizeof task->row[0]);
      task->row[task->nrow++][(k + 3) % 6] = 1;
    }
  }
  c->targets = (mbd_ik_targets_t){(int)n, c->target};
  c->tasks = (mbd_tasks_t){(int)n, c->task};
  return true;
}

static bool
check_numbers(ik_call_t * c)
{
  const ik_request_t * r = c->request;
  if (!(r->timeout >= 0 && r->timeout <= MOST_TIMEOUT)) {
    return refuse_ik(c, "timeout must be between 0 and %g s", MOST_TIMEOUT);
  }
  if (r->max_solutions > MOST_SOLUTIONS) {
    return refuse_ik(c, "max_solutions must be at most %d", MOST_SOLUTIONS);
  }
  if (r->use_swivel && !isfinite(r->swivel)) return refuse_ik(c, "swivel is not finite");
  return true;
}

static bool
read_seed(ik_call_t * c)
{
  static const rosidl_runtime_c__double__Sequence none = {0};
  static const geometry_msgs__msg__Twist rest = {0};
  static const geometry_msgs__msg__WrenchStamped__Sequence no_wrenches = {0};
  const ik_request_t * r = c->request;
  const state_fields_t fields = {&r->joint_names,      &r->position,  &none, &none,
                                 r->use_current_state, &r->base_pose, &rest, NULL,
                                 &no_wrenches,         true};
  c->seed = state_request_create(c->node, &fields, c->reason, c->size);
  return c->seed;
}

static bool
solve(ik_call_t * c)
{
  const ik_request_t * r = c->request;
  const uint32_t wanted = r->max_solutions > 0 ? r->max_solutions : DEFAULT_SOLUTIONS;
  const bool several = r->all;
  c->search =
    ik_search_create(c->seed->model, c->seed->data, &c->targets, several ? (int)wanted : 1);
  if (!c->search) return refuse_ik(c, "out of memory");
  c->search->seed = c->seed->q;
  c->search->all = r->all;
  c->search->use_swivel = r->use_swivel;
  c->search->swivel = r->swivel;
  c->search->timeout = r->timeout > 0 ? r->timeout : DEFAULT_TIMEOUT;
  const mbd_status_t status = ik_search_run(c->search);
  if (status == MBD_OK) return true;
  if (c->seed->model->tree) {
    return refuse_ik(c, "inverse kinematics does not support robots with loop closures or gears");
  }
  if (status == MBD_ERROR_UNSUPPORTED && r->use_swivel) {
    return refuse_ik(
      c,
      "swivel needs one full pose of a seven-axis arm with spherical shoulder and wrist: set "
      "use_swivel to false");
  }
  if (status == MBD_ERROR_MIMIC) {
    return refuse_ik(c, "a frame moves with a mimic joint, which is not supported");
  }
  return refuse_ik(c, "%s", mbd_status_string(status));
}

static bool
prepare_and_solve(ik_call_t * c)
{
  if (!c->node->loaded) return refuse_ik(c, "the node is not configured: it has no robot yet");
  return check_numbers(c) && read_targets(c) && read_seed(c) && solve(c);
}

//---------- the response ----------

static void
to_pose(const mbd_placement_t * X, geometry_msgs__msg__Pose * pose)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(&X->R);
  pose->position = (geometry_msgs__msg__Point){X->p.x, X->p.y, X->p.z};
  pose->orientation = (geometry_msgs__msg__Quaternion){q.x, q.y, q.z, q.w};
}

static bool
reserve_rows(const ik_call_t * c, ik_response_t * response, size_t rows)
{
  const size_t nv = (size_t)c->seed->model->nv;
  return rosidl_runtime_c__double__Sequence__init(&response->position, rows * nv) &&
         rosidl_runtime_c__double__Sequence__init(&response->reciprocal_condition, rows) &&
         rosidl_runtime_c__double__Sequence__init(&response->swivel_angles, rows) &&
         rosidl_runtime_c__int8__Sequence__init(&response->sign, rows) &&
         (!c->seed->floating ||
          geometry_msgs__msg__Pose__Sequence__init(&response->base_poses, rows));
}

// one row: a configuration and how near it is to a singularity
static bool
answer_row(const ik_call_t * c, ik_response_t * response, size_t row, double * work)
{
  const mbd_model_t * model = c->seed->model;
  const double * q = c->search->q + row * (size_t)model->nq;
  const double length = singularity_length(model, c->target[0].frame);
  singularity_t s;
  fill_positions(model, q, response->position.data + row * (size_t)model->nv);
  if (c->seed->floating) {
    const mbd_quat_t turn = {q[3], q[4], q[5], q[6]};
    const mbd_placement_t X = {mbdu_quat_to_mat3(turn), {q[0], q[1], q[2]}};
    to_pose(&X, &response->base_poses.data[row]);
  }
  if (
    mbd_set_position(model, c->seed->data, q) != MBD_OK ||
    singularity_measure(model, c->seed->data, &c->tasks, length, work, &s) != MBD_OK) {
    return false;
  }
  response->reciprocal_condition.data[row] = s.reciprocal;
  response->sign.data[row] = (int8_t)s.sign;
  response->swivel_angles.data[row] = ik_search_swivel(c->search, q);
  return true;
}

// where the frames are in the first row
static bool
answer_reached(const ik_call_t * c, ik_response_t * response)
{
  const mbd_model_t * model = c->seed->model;
  const size_t n = (size_t)c->targets.n;
  if (!geometry_msgs__msg__Pose__Sequence__init(&response->reached, n)) return false;
  if (mbd_set_position(model, c->seed->data, c->search->q) != MBD_OK) return false;
  for (size_t i = 0; i < n; i++) {
    mbd_placement_t X;
    if (mbd_frame_placement(model, c->seed->data, c->target[i].frame, &X) != MBD_OK) return false;
    to_pose(&X, &response->reached.data[i]);
  }
  return true;
}

static void
answer_failure(const ik_call_t * c, ik_response_t * response)
{
  const ik_search_t * s = c->search;
  const mbd_ik_result_t * r = &s->result;
  const node_robot_t * robot = &c->node->loaded->robot;
  char text[REASON_MAX], limit[REASON_MAX / 2] = "";
  if (r->limit >= 0) {
    snprintf(limit, sizeof limit, "; '%s' is at its limit", robot->dof_name[r->limit]);
    assign(&response->limit_joint, robot->dof_name[r->limit]);
  }
  if (r->outcome == MBD_IK_SOLVED) {
    // only the swivel angle is in the way: the configuration has another one
    response->status = UNREACHABLE;
    assign_message(
      &response->message,
      "the pose is within reach, but not with this swivel angle and these limits: position has a "
      "configuration with another angle");
    return;
  }
  const bool late = s->timed_out || r->outcome == MBD_IK_ITERATIONS;
  response->status = late ? TIMEOUT : r->outcome == MBD_IK_AT_LIMIT ? AT_LIMIT : UNREACHABLE;
  snprintf(
    text, sizeof text,
    "%s: the nearest pose found is %.3g m and %.3g rad away%s. Take the pose in reached, relax "
    "axes, "
    "or %s",
    late ? "no solution within the time" : "the pose is out of reach", r->position, r->rotation,
    limit, late ? "raise timeout" : "try another seed");
  assign_message(&response->message, text);
}

static bool
answer_ik(const ik_call_t * c, ik_response_t * response)
{
  const mbd_model_t * model = c->seed->model;
  const ik_search_t * s = c->search;
  const size_t rows = s->n > 0 ? (size_t)s->n : 1;
  double * work = calloc(singularity_work(model, &c->tasks) + 1, sizeof *work);
  bool good = work && reserve_rows(c, response, rows) &&
              fill_names(&response->joint_names, c->node->loaded->robot.dof_name, model->nv);
  for (size_t row = 0; good && row < rows; row++) good = answer_row(c, response, row, work);
  free(work);
  if (!good || !answer_reached(c, response)) return false;
  response->solutions = (uint32_t)s->n;
  response->position_error = s->result.position;
  response->rotation_error = s->result.rotation;
  response->solve_time = s->time;
  response->success = s->n > 0;
  response->status = SOLVED;
  if (!response->success) answer_failure(c, response);
  return true;
}

static void
renew(ik_response_t * response)
{
  mbdyn__srv__InverseKinematics_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__InverseKinematics_Response__init(response);
}

static void
on_inverse_kinematics(const void * request_, void * response_, void * context)
{
  node_kinematics_t * k = context;
  ik_response_t * response = response_;
  char reason[REASON_MAX] = "out of memory";
  ik_call_t call = {.node = k->node, .request = request_, .reason = reason, .size = sizeof reason};
  renew(response);
  if (!prepare_and_solve(&call) || !answer_ik(&call, response)) {
    renew(response);
    response->status = REJECTED;
    assign_message(&response->message, reason);
  }
  ik_search_destroy(call.search);
  state_request_destroy(call.seed);
  mbdyn__srv__InverseKinematics_Request__fini(&k->ik_request);
  mbdyn__srv__InverseKinematics_Request__init(&k->ik_request);
}

//---------- all of them ----------

node_kinematics_t *
node_kinematics_create(mbdyn_node_t * node)
{
  node_kinematics_t * k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->node = node;
  k->service[0] = rcl_get_zero_initialized_service();
  k->open[0] =
    mbdyn__srv__InverseKinematics_Request__init(&k->ik_request) &&
    mbdyn__srv__InverseKinematics_Response__init(&k->ik_response) &&
    rclc_service_init_default(
      &k->service[0], node->node, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, InverseKinematics),
      "~/inverse_kinematics") == RCL_RET_OK;
  if (k->open[0]) return k;
  node_kinematics_destroy(k);
  return NULL;
}

bool
node_kinematics_add(node_kinematics_t * k, rclc_executor_t * executor)
{
  return rclc_executor_add_service_with_context(
           executor, &k->service[0], &k->ik_request, &k->ik_response, on_inverse_kinematics, k) ==
         RCL_RET_OK;
}

void
node_kinematics_destroy(node_kinematics_t * k)
{
  if (!k) return;
  if (k->open[0] && rcl_service_fini(&k->service[0], k->node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  mbdyn__srv__InverseKinematics_Request__fini(&k->ik_request);
  mbdyn__srv__InverseKinematics_Response__fini(&k->ik_response);
  free(k);
}
