// Services of kinematics. On the executor's thread, in its workspace: the control thread shares nothing
// with them, and a request ends within its timeout. Memory of requests and responses as node_services.c says.
#include "node_kinematics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kinematics_request.h"
#include "mbdyn/spatial.h"
#include "mbdyn/srv/inverse_kinematics.h"
#include "message_fill.h"
#include "node_answers.h"
#include "node_self_motion.h"
#include "singularity.h"
#include "state_request.h"

typedef mbdyn__srv__InverseKinematics_Request ik_request_t;
typedef mbdyn__srv__InverseKinematics_Response ik_response_t;

enum {
  SOLVED = mbdyn__srv__InverseKinematics_Response__SOLVED,
  UNREACHABLE = mbdyn__srv__InverseKinematics_Response__UNREACHABLE,
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
  mbdyn__srv__SelfMotion_Request motion_request;
  mbdyn__srv__SelfMotion_Response motion_response;
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
  kinematics_reason_t reason;
} ik_call_t;

//---------- the request ----------

static bool
read_targets(ik_call_t * c)
{
  const size_t named = c->request->frames.size, n = named > 0 ? named : 1;
  bool axis[6];
  if (c->request->poses.size != n) {
    return kinematics_refuse(c->reason, "%zu poses for %zu frames", c->request->poses.size, n);
  }
  if (n > MOST_FRAMES)
    return kinematics_refuse(c->reason, "%zu frames: at most %d are supported", n, MOST_FRAMES);
  if (!kinematics_axes(&c->request->axes, axis, c->reason)) return false;
  for (size_t i = 0; i < n; i++) {
    mbd_ik_target_t * t = &c->target[i];
    const char * name = named > 0 ? c->request->frames.data[i].data : "";
    char what[32];
    snprintf(what, sizeof what, "pose %zu", i);
    if (
      !kinematics_frame(c->node, name, &t->frame, c->reason) ||
      !kinematics_pose(&c->request->poses.data[i], what, &t->pose, c->reason)) {
      return false;
    }
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
    return kinematics_refuse(c->reason, "timeout must be between 0 and %g s", MOST_TIMEOUT);
  }
  if (r->max_solutions > MOST_SOLUTIONS) {
    return kinematics_refuse(c->reason, "max_solutions must be at most %d", MOST_SOLUTIONS);
  }
  if (r->use_swivel && !isfinite(r->swivel))
    return kinematics_refuse(c->reason, "swivel is not finite");
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
  c->seed = state_request_create(c->node, &fields, c->reason.text, c->reason.size);
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
  if (!c->search) return kinematics_refuse(c->reason, "out of memory");
  c->search->seed = c->seed->q;
  c->search->all = r->all;
  c->search->use_swivel = r->use_swivel;
  c->search->swivel = r->swivel;
  c->search->timeout = r->timeout > 0 ? r->timeout : DEFAULT_TIMEOUT;
  const mbd_status_t status = ik_search_run(c->search);
  if (status == MBD_OK) return true;
  if (c->seed->model->tree) {
    return kinematics_refuse(
      c->reason, "inverse kinematics does not support robots with loop closures or gears");
  }
  if (status == MBD_ERROR_UNSUPPORTED && r->use_swivel) {
    return kinematics_refuse(
      c->reason,
      "swivel needs one full pose of a seven-axis arm with spherical shoulder and wrist: set "
      "use_swivel to false");
  }
  if (status == MBD_ERROR_MIMIC) {
    return kinematics_refuse(c->reason, "a frame moves with a mimic joint, which is not supported");
  }
  return kinematics_refuse(c->reason, "%s", mbd_status_string(status));
}

static bool
prepare_and_solve(ik_call_t * c)
{
  if (!c->node->loaded)
    return kinematics_refuse(c->reason, "the node is not configured: it has no robot yet");
  return check_numbers(c) && read_targets(c) && read_seed(c) && solve(c);
}

//---------- the response ----------

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
    fill_pose(&X, &response->base_poses.data[row]);
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
    fill_pose(&X, &response->reached.data[i]);
  }
  return true;
}

static void
answer_failure(const ik_call_t * c, ik_response_t * response)
{
  const ik_search_t * s = c->search;
  const mbd_ik_result_t * r = &s->result;
  const node_robot_t * robot = &c->node->loaded->robot;
  const char * joint = r->limit >= 0 ? robot->dof_name[r->limit] : NULL;
  char text[REASON_MAX];
  if (joint) assign(&response->limit_joint, joint);
  if (r->outcome == MBD_IK_SOLVED) {
    // only the swivel angle is in the way: the configuration has another one
    response->status = UNREACHABLE;
    assign_message(
      &response->message,
      "the pose is within reach, but not with this swivel angle and these limits: position has a "
      "configuration with another angle");
    return;
  }
  response->status = kinematics_failure(s, joint, text, sizeof text);
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
  ik_call_t call = {.node = k->node, .request = request_, .reason = {reason, sizeof reason}};
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

static void
on_self_motion(const void * request, void * response, void * context)
{
  node_kinematics_t * k = context;
  node_self_motion(k->node, request, response);
  mbdyn__srv__SelfMotion_Request__fini(&k->motion_request);
  mbdyn__srv__SelfMotion_Request__init(&k->motion_request);
}

//---------- all of them ----------

static bool
open_service(
  node_kinematics_t * k, int i, const rosidl_service_type_support_t * type, const char * name)
{
  k->service[i] = rcl_get_zero_initialized_service();
  k->open[i] = rclc_service_init_default(&k->service[i], k->node->node, type, name) == RCL_RET_OK;
  return k->open[i];
}

node_kinematics_t *
node_kinematics_create(mbdyn_node_t * node)
{
  node_kinematics_t * k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->node = node;
  if (
    mbdyn__srv__InverseKinematics_Request__init(&k->ik_request) &&
    mbdyn__srv__InverseKinematics_Response__init(&k->ik_response) &&
    mbdyn__srv__SelfMotion_Request__init(&k->motion_request) &&
    mbdyn__srv__SelfMotion_Response__init(&k->motion_response) &&
    open_service(
      k, 0, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, InverseKinematics), "~/inverse_kinematics") &&
    open_service(k, 1, ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, SelfMotion), "~/self_motion")) {
    return k;
  }
  node_kinematics_destroy(k);
  return NULL;
}

bool
node_kinematics_add(node_kinematics_t * k, rclc_executor_t * executor)
{
  return rclc_executor_add_service_with_context(
           executor, &k->service[0], &k->ik_request, &k->ik_response, on_inverse_kinematics, k) ==
           RCL_RET_OK &&
         rclc_executor_add_service_with_context(
           executor, &k->service[1], &k->motion_request, &k->motion_response, on_self_motion, k) ==
           RCL_RET_OK;
}

void
node_kinematics_destroy(node_kinematics_t * k)
{
  if (!k) return;
  for (int i = 0; i < NODE_KINEMATICS_HANDLES; i++) {
    if (k->open[i] && rcl_service_fini(&k->service[i], k->node->node) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  mbdyn__srv__InverseKinematics_Request__fini(&k->ik_request);
  mbdyn__srv__InverseKinematics_Response__fini(&k->ik_response);
  mbdyn__srv__SelfMotion_Request__fini(&k->motion_request);
  mbdyn__srv__SelfMotion_Response__fini(&k->motion_response);
  free(k);
}
