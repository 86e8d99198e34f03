// Joint trajectories: to the control thread as a reference, and back with efforts where wanted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_internal.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"

typedef trajectory_msgs__msg__JointTrajectory trajectory_message_t;
typedef trajectory_msgs__msg__JointTrajectoryPoint point_message_t;

static int64_t
nanoseconds(builtin_interfaces__msg__Time t)
{
  return (int64_t)t.sec * 1000000000 + t.nanosec;
}

static double
seconds(builtin_interfaces__msg__Duration d)
{
  return d.sec + 1e-9 * d.nanosec;
}

// a sequence of the right length, NULL if there is none, false if it is of another
static bool
pick(const rosidl_runtime_c__double__Sequence * from, size_t n, const double ** to)
{
  *to = from->size ? from->data : NULL;
  return from->size == n || from->size == 0;
}

// the message as trajectory_create wants it; in memory to be freed
typedef struct listed {
  const char ** name;
  trajectory_point_t * point;
} listed_t;

static void
listed_free(listed_t * listed)
{
  free(listed->name);
  free(listed->point);
}

static bool
list_points(const trajectory_message_t * m, listed_t * listed, char * reason, size_t size)
{
  const size_t n = m->joint_names.size;
  for (size_t i = 0; i < m->points.size; i++) {
    const point_message_t * from = &m->points.data[i];
    trajectory_point_t * to = &listed->point[i];
    to->time = seconds(from->time_from_start);
    if (
      !pick(&from->positions, n, &to->position) || !pick(&from->velocities, n, &to->velocity) ||
      !pick(&from->accelerations, n, &to->acceleration)) {
      snprintf(reason, size, "point %zu does not have a value for each of %zu joints", i, n);
      return false;
    }
  }
  return true;
}

static bool
list(const trajectory_message_t * m, listed_t * listed, char * reason, size_t size)
{
  const size_t n = m->joint_names.size;
  listed->name = calloc(n + 1, sizeof *listed->name);
  listed->point = calloc(m->points.size + 1, sizeof *listed->point);
  if (!listed->name || !listed->point) {
    snprintf(reason, size, "out of memory");
    return false;
  }
  for (size_t i = 0; i < n; i++) listed->name[i] = m->joint_names.data[i].data;
  return list_points(m, listed, reason, size);
}

// within the limits of joints and parameters
static trajectory_t *
create_within(
  mbdyn_node_t * node, const trajectory_message_t * m, const listed_t * listed, int64_t start,
  bool follow, char * reason, size_t size)
{
  const mbd_model_t * model = node->loaded->model;
  // from the reference, which does not jump by what the joints lag behind
  const double * from = loop_numbers(loop_state(node->loop)) + model->nq + model->nv;
  loop_settings_t * s =
    loop_settings_build(&node->loaded->robot, node_values(node), &node->payloads, reason, size);
  if (!s) return NULL;
  trajectory_t * trajectory = trajectory_create(
    model, (int)m->joint_names.size, listed->name, (int)m->points.size, listed->point, from,
    from + model->nq, s->controller->max_acceleration, start, reason, size);
  if (
    trajectory && follow &&
    !trajectory_admit(
      trajectory, model, ros_clock_now(&node->clock), from, s->controller->max_step, reason,
      size)) {
    trajectory->mail.destroy(&trajectory->mail);
    trajectory = NULL;
  }
  s->mail.destroy(&s->mail);
  if (trajectory) trajectory->id = ++node->trajectory.last_id;
  return trajectory;
}

trajectory_t *
trajectory_of_message(
  mbdyn_node_t * node, const trajectory_message_t * m, int64_t start, bool follow, char * reason,
  size_t size)
{
  const loop_state_t * now = loop_state(node->loop);
  listed_t listed = {0};
  trajectory_t * trajectory = NULL;
  if (!now || !now->whole) {
    snprintf(reason, size, "no current state: joint_states are missing");
  } else if (list(m, &listed, reason, size)) {
    trajectory = create_within(node, m, &listed, start, follow, reason, size);
  }
  listed_free(&listed);
  return trajectory;
}

// trajectories may be streamed, good ones and bad ones: one line a second is enough of each
static bool
time_to_say(int64_t * next)
{
  const int64_t now = steady_now();
  if (*next > now) return false;
  *next = now + 1000000000;
  return true;
}

//---------- efforts ----------

static bool
fill_effort(
  mbdyn_node_t * node, trajectory_t * trajectory, const trajectory_message_t * m, size_t i,
  double * scratch)
{
  const mbd_model_t * model = node->loaded->model;
  const loop_state_t * now = loop_state(node->loop);
  point_message_t * point = &m->points.data[i];
  double *q = scratch, *v = q + model->nq, *a = v + model->nv, *tau = a + model->nv;
  memset(scratch, 0, (size_t)(model->nq + 3 * model->nv) * sizeof *scratch);
  memcpy(q, loop_numbers(now), (size_t)model->nq * sizeof *q);
  // just before the end: at the end itself the reference is at rest
  const int64_t end = (int64_t)(1e9 * trajectory->duration) - 1;
  const int64_t time = (int64_t)(1e9 * seconds(point->time_from_start)),
                at = time < end ? time : end;
  trajectory_sample(trajectory, trajectory->start + at, q, v, a);
  if (mbd_inverse_dynamics(model, node->loaded->data, q, v, a, NULL, tau) != MBD_OK) return false;
  rosidl_runtime_c__double__Sequence__fini(&point->effort);
  if (!rosidl_runtime_c__double__Sequence__init(&point->effort, m->joint_names.size)) return false;
  bool finite = true;
  for (int k = 0; k < trajectory->njoint; k++) {
    point->effort.data[k] = tau[trajectory->dof[k]];
    finite = finite && isfinite(point->effort.data[k]);
  }
  return finite;
}

// the same trajectory with inverse dynamics at each of its points
static void
answer_with_effort(mbdyn_node_t * node, const trajectory_message_t * m)
{
  const mbd_model_t * model = node->loaded->model;
  char reason[REASON_MAX] = "out of memory";
  trajectory_t * trajectory = trajectory_of_message(node, m, 1, false, reason, sizeof reason);
  double * scratch = calloc((size_t)(model->nq + 3 * model->nv) + 1, sizeof *scratch);
  bool good = trajectory && scratch && node_workspace_prepare(node, reason, sizeof reason);
  for (size_t i = 0; good && i < m->points.size; i++) {
    good = fill_effort(node, trajectory, m, i, scratch);
    if (!good) snprintf(reason, sizeof reason, "point %zu has no finite torques", i);
  }
  if (good && rcl_publish(&node->trajectory.publisher, m, NULL) != RCL_RET_OK) rcl_reset_error();
  if (!good && time_to_say(&node->trajectory.next_complaint))
    NODE_LOG(node->node, WARN, "no efforts for this trajectory: %s", reason);
  if (trajectory) trajectory->mail.destroy(&trajectory->mail);
  free(scratch);
}

//---------- the topic ----------

static void
take_trajectory(mbdyn_node_t * node, const trajectory_message_t * m)
{
  char reason[REASON_MAX] = "";
  if (lifecycle_state(node->lifecycle) != LIFECYCLE_ACTIVE) {
    if (time_to_say(&node->trajectory.next_complaint)) {
      NODE_LOG(node->node, WARN, "ignored a trajectory because the node is not active");
    }
    return;
  }
  trajectory_t * trajectory =
    trajectory_of_message(node, m, nanoseconds(m->header.stamp), true, reason, sizeof reason);
  if (!trajectory) {
    if (time_to_say(&node->trajectory.next_complaint)) {
      NODE_LOG(node->node, ERROR, "rejected the trajectory: %s", reason);
    }
    return;
  }
  if (time_to_say(&node->trajectory.next_word)) {
    NODE_LOG(
      node->node, INFO, "trajectory of %zu points, %.3f s, for %zu joints", m->points.size,
      trajectory->duration, m->joint_names.size);
  }
  loop_trajectory_post(node->loop, trajectory);
  if (param_bool(node_values(node), P_PUBLISH_TRAJECTORY_EFFORT)) answer_with_effort(node, m);
}

static void
on_trajectory(const void * message, void * context)
{
  mbdyn_node_t * node = context;
  take_trajectory(node, message);
  // rmw reads the next one over this one: its memory goes here
  trajectory_msgs__msg__JointTrajectory__fini(&node->trajectory.message);
  trajectory_msgs__msg__JointTrajectory__init(&node->trajectory.message);
}

bool
trajectory_input_init(mbdyn_node_t * node)
{
  trajectory_input_t * t = &node->trajectory;
  const rosidl_message_type_support_t * type =
    ROSIDL_GET_MSG_TYPE_SUPPORT(trajectory_msgs, msg, JointTrajectory);
  t->subscription = rcl_get_zero_initialized_subscription();
  t->publisher = rcl_get_zero_initialized_publisher();
  t->subscription_open = rclc_subscription_init_default(
                           &t->subscription, node->node, type, "~/joint_trajectory") == RCL_RET_OK;
  t->publisher_open = rclc_publisher_init_default(
                        &t->publisher, node->node, type, "~/joint_trajectory_effort") == RCL_RET_OK;
  return t->subscription_open && t->publisher_open &&
         trajectory_msgs__msg__JointTrajectory__init(&t->message);
}

bool
trajectory_input_add(mbdyn_node_t * node)
{
  return rclc_executor_add_subscription_with_context(
           &node->executor, &node->trajectory.subscription, &node->trajectory.message,
           on_trajectory, node, ON_NEW_DATA) == RCL_RET_OK;
}

void
trajectory_input_fini(mbdyn_node_t * node)
{
  trajectory_input_t * t = &node->trajectory;
  if (t->subscription_open && rcl_subscription_fini(&t->subscription, node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  if (t->publisher_open && rcl_publisher_fini(&t->publisher, node->node) != RCL_RET_OK) {
    rcl_reset_error();
  }
  trajectory_msgs__msg__JointTrajectory__fini(&t->message);
}
