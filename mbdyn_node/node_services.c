// Services: dynamics of given states, payloads, models. On the executor's thread, in a workspace of
// its own. A request's memory is given back at the end of its callback and a response's at the start:
// rmw reads requests over what is there, and sends responses after the callback. Responses are zeroed
// then, as an init of rosidl leaves numbers as they are: a refusal would be called a success.
#include "node_services.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/order.h"
#include "mbdyn/spatial.h"
#include "mbdyn/srv/clear_payload.h"
#include "mbdyn/srv/forward_dynamics.h"
#include "mbdyn/srv/inverse_dynamics.h"
#include "mbdyn/srv/linearize.h"
#include "mbdyn/srv/load_model.h"
#include "mbdyn/srv/set_payload.h"
#include "node_answers.h"
#include "node_internal.h"
#include "state_request.h"

typedef mbdyn__srv__InverseDynamics_Request inverse_request_t;
typedef mbdyn__srv__InverseDynamics_Response inverse_response_t;
typedef mbdyn__srv__ForwardDynamics_Request forward_request_t;
typedef mbdyn__srv__ForwardDynamics_Response forward_response_t;
typedef mbdyn__srv__Linearize_Request linearize_request_t;
typedef mbdyn__srv__Linearize_Response linearize_response_t;
typedef mbdyn__srv__SetPayload_Request set_payload_request_t;
typedef mbdyn__srv__SetPayload_Response set_payload_response_t;
typedef mbdyn__srv__ClearPayload_Request clear_payload_request_t;
typedef mbdyn__srv__ClearPayload_Response clear_payload_response_t;
typedef mbdyn__srv__LoadModel_Request load_model_request_t;
typedef mbdyn__srv__LoadModel_Response load_model_response_t;

enum { INVERSE, FORWARD, LINEARIZE, SET_PAYLOAD, CLEAR_PAYLOAD, LOAD_MODEL };

struct node_services {
  mbdyn_node_t * node;
  rcl_service_t service[NODE_SERVICE_HANDLES];
  bool open[NODE_SERVICE_HANDLES];
  inverse_request_t inverse_request;
  inverse_response_t inverse_response;
  forward_request_t forward_request;
  forward_response_t forward_response;
  linearize_request_t linearize_request;
  linearize_response_t linearize_response;
  set_payload_request_t set_payload_request;
  set_payload_response_t set_payload_response;
  clear_payload_request_t clear_payload_request;
  clear_payload_response_t clear_payload_response;
  load_model_request_t load_model_request;
  load_model_response_t load_model_response;
};

//---------- dynamics of a state ----------

// finite requests may overflow on the way: no answer has a number that is not
static bool
all_finite(const double * x, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

static mbd_status_t
inverse_terms(const state_request_t * s, double * term[5])
{
  const mbd_model_t * m = s->model;
  const mbd_wrenches_t wrenches = {s->nwrench, s->wrench};
  mbd_status_t status = mbd_set_state(m, s->data, s->q, s->v);
  if (status == MBD_OK) status = mbd_gravity(m, s->data, term[0]);
  if (status == MBD_OK) status = mbd_bias(m, s->data, term[1]);
  if (status == MBD_OK) status = mbd_mass_product(m, s->data, s->a, term[2]);
  if (status == MBD_OK) status = mbd_friction(m, s->v, term[3]);
  if (status == MBD_OK) status = mbd_jacobian_transpose_product(m, s->data, &wrenches, term[4]);
  for (int k = 0; status == MBD_OK && k < m->nv; k++) {
    term[1][k] -= term[0][k];
    term[4][k] = -term[4][k];
    if (!(s->data->terms & MBD_TERM_FRICTION)) term[3][k] = 0;
  }
  return status;
}

static bool
answer_torques(const state_request_t * s, inverse_response_t * response, const node_robot_t * robot)
{
  const int nv = s->model->nv;
  mbdyn__msg__JointTorques * t = &response->torques;
  double * torque = calloc(6 * (size_t)nv + 1, sizeof *torque);  // total, then the terms
  if (!torque) return false;
  double * term[5];
  for (int k = 0; k < 5; k++) term[k] = torque + (k + 1) * nv;
  mbd_status_t status = inverse_terms(s, term);
  for (int k = 0; k < nv; k++) {
    for (int j = 0; j < 5; j++) torque[k] += term[j][k];
  }
  if (status == MBD_OK && !all_finite(torque, 6 * (size_t)nv)) status = MBD_ERROR_NOT_FINITE;
  bool good = status == MBD_OK;
  if (!good) assign_message(&response->message, mbd_status_string(status));
  good = good && fill_names(&t->joint_names, robot->dof_name, nv) &&
         fill_numbers(&t->total, torque, nv) && fill_numbers(&t->gravity, term[0], nv) &&
         fill_numbers(&t->coriolis, term[1], nv) && fill_numbers(&t->inertia, term[2], nv) &&
         fill_numbers(&t->friction, term[3], nv) && fill_numbers(&t->external, term[4], nv);
  if (good) assign(&t->header.frame_id, robot->root_link);
  if (good && s->floating) {
    const double * f = torque;
    response->base_wrench.force = (geometry_msgs__msg__Vector3){f[0], f[1], f[2]};
    response->base_wrench.torque = (geometry_msgs__msg__Vector3){f[3], f[4], f[5]};
  }
  free(torque);
  return good;
}

static void
on_inverse(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  const inverse_request_t * request = request_;
  inverse_response_t * response = response_;
  mbdyn__srv__InverseDynamics_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__InverseDynamics_Response__init(response);
  const state_fields_t fields = {&request->joint_names,      &request->position,
                                 &request->velocity,         &request->acceleration,
                                 request->use_current_state, &request->base_pose,
                                 &request->base_twist,       &request->base_acceleration,
                                 &request->wrenches,         false};
  char reason[REASON_MAX];
  state_request_t * state = state_request_create(services->node, &fields, reason, sizeof reason);
  if (state) {
    response->success = answer_torques(state, response, &services->node->loaded->robot);
  } else {
    assign_message(&response->message, reason);
  }
  state_request_destroy(state);
  mbdyn__srv__InverseDynamics_Request__fini(&services->inverse_request);
  mbdyn__srv__InverseDynamics_Request__init(&services->inverse_request);
}

static bool
answer_accelerations(
  const state_request_t * s, forward_response_t * response, const node_robot_t * robot)
{
  const int nv = s->model->nv;
  const mbd_wrenches_t wrenches = {s->nwrench, s->wrench};
  double * qdd = calloc((size_t)nv + 1, sizeof *qdd);
  if (!qdd) return false;
  // the joint efforts came in the place of the accelerations
  mbd_status_t status = mbd_forward_dynamics(s->model, s->data, s->q, s->v, s->a, &wrenches, qdd);
  if (status == MBD_OK && !all_finite(qdd, (size_t)nv)) status = MBD_ERROR_NOT_FINITE;
  bool good = status == MBD_OK;
  if (!good) assign_message(&response->message, mbd_status_string(status));
  good = good && fill_names(&response->joint_names, robot->dof_name, nv) &&
         fill_numbers(&response->acceleration, qdd, nv);
  if (good && s->floating) {
    response->base_acceleration.linear = (geometry_msgs__msg__Vector3){qdd[0], qdd[1], qdd[2]};
    response->base_acceleration.angular = (geometry_msgs__msg__Vector3){qdd[3], qdd[4], qdd[5]};
  }
  free(qdd);
  return good;
}

static void
on_forward(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  const forward_request_t * request = request_;
  forward_response_t * response = response_;
  mbdyn__srv__ForwardDynamics_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__ForwardDynamics_Response__init(response);
  const state_fields_t fields = {&request->joint_names,      &request->position,
                                 &request->velocity,         &request->effort,
                                 request->use_current_state, &request->base_pose,
                                 &request->base_twist,       NULL,
                                 &request->wrenches,         false};
  char reason[REASON_MAX];
  state_request_t * state = state_request_create(services->node, &fields, reason, sizeof reason);
  if (state) {
    response->success = answer_accelerations(state, response, &services->node->loaded->robot);
  } else {
    assign_message(&response->message, reason);
  }
  state_request_destroy(state);
  mbdyn__srv__ForwardDynamics_Request__fini(&services->forward_request);
  mbdyn__srv__ForwardDynamics_Request__init(&services->forward_request);
}

//---------- linearisation ----------

// "elbow.position" of all, then "elbow.velocity"
static bool
fill_state_names(rosidl_runtime_c__String__Sequence * sequence, char * const * name, int n)
{
  static const char * const KIND[2] = {"position", "velocity"};
  if (!rosidl_runtime_c__String__Sequence__init(sequence, 2 * (size_t)n)) return false;
  for (int i = 0; i < 2 * n; i++) {
    char text[320];
    snprintf(text, sizeof text, "%s.%s", name[i % n], KIND[i / n]);
    assign(&sequence->data[i], text);
  }
  return true;
}

static bool
answer_linearization(
  const state_request_t * s, bool hold, linearize_response_t * response, const node_robot_t * robot)
{
  const mbd_model_t * m = s->model;
  const size_t nv = (size_t)m->nv, answer = 6 * nv * nv + nv;
  const mbd_wrenches_t wrenches = {s->nwrench, s->wrench};
  double * qdd = calloc(answer + mbd_derivatives_work(m) + 1, sizeof *qdd);
  if (!qdd) return false;
  double *A = qdd + nv, *B = A + 4 * nv * nv, *work = qdd + answer;
  mbd_status_t status = MBD_OK;
  // the joint efforts came in the place of the accelerations
  if (hold) status = mbd_inverse_dynamics(m, s->data, s->q, s->v, NULL, &wrenches, s->a);
  if (status == MBD_OK) {
    status = mbd_linearize(m, s->data, s->q, s->v, s->a, &wrenches, work, qdd, A, B);
  }
  if (status == MBD_OK && !(all_finite(qdd, answer) && all_finite(s->a, nv))) {
    status = MBD_ERROR_NOT_FINITE;
  }
  if (status == MBD_ERROR_UNSUPPORTED) {
    assign_message(
      &response->message,
      "linearisation does not support time-dependent drivers or rolling contacts");
  } else if (status != MBD_OK) {
    assign_message(&response->message, mbd_status_string(status));
  }
  const bool good = status == MBD_OK &&
                    fill_state_names(&response->state_names, robot->dof_name, m->nv) &&
                    fill_names(&response->input_names, robot->dof_name, m->nv) &&
                    fill_numbers(&response->a, A, 4 * m->nv * m->nv) &&
                    fill_numbers(&response->b, B, 2 * m->nv * m->nv) &&
                    fill_numbers(&response->effort, s->a, m->nv) &&
                    fill_numbers(&response->acceleration, qdd, m->nv);
  free(qdd);
  return good;
}

static void
on_linearize(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  const linearize_request_t * request = request_;
  linearize_response_t * response = response_;
  mbdyn__srv__Linearize_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__Linearize_Response__init(response);
  const state_fields_t fields = {&request->joint_names,      &request->position,
                                 &request->velocity,         &request->effort,
                                 request->use_current_state, &request->base_pose,
                                 &request->base_twist,       NULL,
                                 &request->wrenches,         false};
  char reason[REASON_MAX] = "hold computes the effort: leave effort empty";
  const bool clash = request->hold && request->effort.size > 0;
  state_request_t * state =
    clash ? NULL : state_request_create(services->node, &fields, reason, sizeof reason);
  if (state) {
    response->success =
      answer_linearization(state, request->hold, response, &services->node->loaded->robot);
  } else {
    assign_message(&response->message, reason);
  }
  state_request_destroy(state);
  mbdyn__srv__Linearize_Request__fini(&services->linearize_request);
  mbdyn__srv__Linearize_Request__init(&services->linearize_request);
}

//---------- payloads ----------

static double
payload_mass(const mbdyn_node_t * node)
{
  double mass;
  payloads_count(node, &mass);
  return mass;
}

static bool
set_payload(mbdyn_node_t * node, const set_payload_request_t * request, char * reason, size_t size)
{
  const geometry_msgs__msg__Inertia * i = &request->inertia;
  node_load_t load = {
    0, i->m, {i->com.x, i->com.y, i->com.z}, {i->ixx, i->ixy, i->ixz, i->iyy, i->iyz, i->izz}};
  if (!node->loaded) {
    snprintf(reason, size, "the node is not configured");
    return false;
  }
  if (mbd_find_frame(node->loaded->model, request->frame.data, &load.frame) != MBD_OK) {
    snprintf(reason, size, "the robot has no link or frame '%s'", request->frame.data);
    return false;
  }
  return payloads_set(node, &load, reason, size);
}

static void
on_set_payload(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  set_payload_response_t * response = response_;
  mbdyn__srv__SetPayload_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__SetPayload_Response__init(response);
  char reason[REASON_MAX] = "";
  response->success = set_payload(services->node, request_, reason, sizeof reason);
  response->mass = payload_mass(services->node);
  assign_message(&response->message, reason);
  mbdyn__srv__SetPayload_Request__fini(&services->set_payload_request);
  mbdyn__srv__SetPayload_Request__init(&services->set_payload_request);
}

static void
on_clear_payload(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  clear_payload_response_t * response = response_;
  mbdyn__srv__ClearPayload_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__ClearPayload_Response__init(response);
  char reason[REASON_MAX] = "";
  const clear_payload_request_t * request = request_;
  response->success = payloads_clear(services->node, &request->frames, reason, sizeof reason);
  response->mass = payload_mass(services->node);
  assign_message(&response->message, reason);
  mbdyn__srv__ClearPayload_Request__fini(&services->clear_payload_request);
  mbdyn__srv__ClearPayload_Request__init(&services->clear_payload_request);
}

//---------- models ----------

static void
answer_model(const loaded_t * loaded, load_model_response_t * response)
{
  assign(&response->model_name, loaded->model->name);
  if (!fill_names(&response->joint_names, loaded->robot.dof_name, loaded->model->nv)) return;
  fill_names(&response->warnings, loaded->warning, loaded->nwarning);
}

static bool
set_description(
  mbdyn_node_t * node, const load_model_request_t * request, char * reason, size_t size)
{
  const rosidl_runtime_c__String * urdf = &request->urdf;
  if (urdf->size == 0) return description_read(node, request->file.data, reason, size);
  return description_set(node, urdf->data, urdf->size, "service load_model", reason, size);
}

static bool
load_model(
  mbdyn_node_t * node, const load_model_request_t * request, load_model_response_t * response,
  char * reason, size_t size)
{
  description_t old = node->description;
  if (lifecycle_state(node->lifecycle) == LIFECYCLE_ACTIVE) {
    snprintf(reason, size, "the node is active; deactivate it first");
    return false;
  }
  node->description.text = NULL;
  loaded_t * loaded = NULL;
  if (set_description(node, request, reason, size)) {
    loaded = description_load(node, &node->description, request->strict, reason, size);
  }
  const bool configured = node->loop;
  if (loaded && (!configured || node_loop_start(node, loaded, reason, size))) {
    answer_model(loaded, response);
    if (!configured) {
      loaded_destroy(loaded);  // configure reads it again
      snprintf(reason, size, "the node is not configured: the model will be loaded at configure");
    }
    free(old.text);
    return true;
  }
  free(node->description.text);
  node->description = old;
  return false;
}

static void
on_load_model(const void * request_, void * response_, void * context)
{
  node_services_t * services = context;
  load_model_response_t * response = response_;
  mbdyn__srv__LoadModel_Response__fini(response);
  memset(response, 0, sizeof *response);
  mbdyn__srv__LoadModel_Response__init(response);
  char reason[REASON_MAX] = "";
  response->success = load_model(services->node, request_, response, reason, sizeof reason);
  assign_message(&response->message, reason);
  mbdyn__srv__LoadModel_Request__fini(&services->load_model_request);
  mbdyn__srv__LoadModel_Request__init(&services->load_model_request);
}

//---------- all of them ----------

#define SERVICE_TYPE(name) ROSIDL_GET_SRV_TYPE_SUPPORT(mbdyn, srv, name)

static bool
open_all(node_services_t * s)
{
  const struct {
    const char * name;
    const rosidl_service_type_support_t * type;
  } all[NODE_SERVICE_HANDLES] = {
    [INVERSE] = {"~/inverse_dynamics", SERVICE_TYPE(InverseDynamics)},
    [FORWARD] = {"~/forward_dynamics", SERVICE_TYPE(ForwardDynamics)},
    [LINEARIZE] = {"~/linearize", SERVICE_TYPE(Linearize)},
    [SET_PAYLOAD] = {"~/set_payload", SERVICE_TYPE(SetPayload)},
    [CLEAR_PAYLOAD] = {"~/clear_payload", SERVICE_TYPE(ClearPayload)},
    [LOAD_MODEL] = {"~/load_model", SERVICE_TYPE(LoadModel)}};
  for (int k = 0; k < NODE_SERVICE_HANDLES; k++) {
    s->service[k] = rcl_get_zero_initialized_service();
    s->open[k] = rclc_service_init_default(
                   &s->service[k], s->node->node, all[k].type, all[k].name) == RCL_RET_OK;
    if (!s->open[k]) return false;
  }
  return true;
}

node_services_t *
node_services_create(mbdyn_node_t * node)
{
  node_services_t * s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->node = node;
  const bool messages = mbdyn__srv__InverseDynamics_Request__init(&s->inverse_request) &&
                        mbdyn__srv__InverseDynamics_Response__init(&s->inverse_response) &&
                        mbdyn__srv__ForwardDynamics_Request__init(&s->forward_request) &&
                        mbdyn__srv__ForwardDynamics_Response__init(&s->forward_response) &&
                        mbdyn__srv__Linearize_Request__init(&s->linearize_request) &&
                        mbdyn__srv__Linearize_Response__init(&s->linearize_response) &&
                        mbdyn__srv__SetPayload_Request__init(&s->set_payload_request) &&
                        mbdyn__srv__SetPayload_Response__init(&s->set_payload_response) &&
                        mbdyn__srv__ClearPayload_Request__init(&s->clear_payload_request) &&
                        mbdyn__srv__ClearPayload_Response__init(&s->clear_payload_response) &&
                        mbdyn__srv__LoadModel_Request__init(&s->load_model_request) &&
                        mbdyn__srv__LoadModel_Response__init(&s->load_model_response);
  if (messages && open_all(s)) return s;
  node_services_destroy(s);
  return NULL;
}

bool
node_services_add(node_services_t * s, rclc_executor_t * executor)
{
  const struct {
    void *request, *response;
    rclc_service_callback_with_context_t callback;
  } all[NODE_SERVICE_HANDLES] = {
    [INVERSE] = {&s->inverse_request, &s->inverse_response, on_inverse},
    [FORWARD] = {&s->forward_request, &s->forward_response, on_forward},
    [LINEARIZE] = {&s->linearize_request, &s->linearize_response, on_linearize},
    [SET_PAYLOAD] = {&s->set_payload_request, &s->set_payload_response, on_set_payload},
    [CLEAR_PAYLOAD] = {&s->clear_payload_request, &s->clear_payload_response, on_clear_payload},
    [LOAD_MODEL] = {&s->load_model_request, &s->load_model_response, on_load_model}};
  for (int k = 0; k < NODE_SERVICE_HANDLES; k++) {
    if (
      rclc_executor_add_service_with_context(
        executor, &s->service[k], all[k].request, all[k].response, all[k].callback, s) !=
      RCL_RET_OK) {
      return false;
    }
  }
  return true;
}

void
node_services_destroy(node_services_t * s)
{
  if (!s) return;
  for (int k = 0; k < NODE_SERVICE_HANDLES; k++) {
    if (s->open[k] && rcl_service_fini(&s->service[k], s->node->node) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  mbdyn__srv__InverseDynamics_Request__fini(&s->inverse_request);
  mbdyn__srv__InverseDynamics_Response__fini(&s->inverse_response);
  mbdyn__srv__ForwardDynamics_Request__fini(&s->forward_request);
  mbdyn__srv__ForwardDynamics_Response__fini(&s->forward_response);
  mbdyn__srv__Linearize_Request__fini(&s->linearize_request);
  mbdyn__srv__Linearize_Response__fini(&s->linearize_response);
  mbdyn__srv__SetPayload_Request__fini(&s->set_payload_request);
  mbdyn__srv__SetPayload_Response__fini(&s->set_payload_response);
  mbdyn__srv__ClearPayload_Request__fini(&s->clear_payload_request);
  mbdyn__srv__ClearPayload_Response__fini(&s->clear_payload_response);
  mbdyn__srv__LoadModel_Request__fini(&s->load_model_request);
  mbdyn__srv__LoadModel_Response__fini(&s->load_model_response);
  free(s);
}
