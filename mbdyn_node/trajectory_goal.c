// A goal of FollowJointTrajectory: its checks, its tolerances, its verdict.
#include "trajectory_goal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "action_msgs/msg/goal_status.h"
#include "node_answers.h"

#define RESULT(name) control_msgs__action__FollowJointTrajectory_Result__##name
#define STATUS(name) action_msgs__msg__GoalStatus__STATUS_##name

typedef control_msgs__action__FollowJointTrajectory_Goal goal_message_t;
typedef control_msgs__action__FollowJointTrajectory_Feedback feedback_t;
typedef control_msgs__msg__JointTolerance__Sequence tolerances_t;

// what a goal is checked for
typedef struct check {
  mbdyn_node_t * node;
  const goal_message_t * message;
  trajectory_goal_t * goal;
  char * reason;
  size_t size;
} check_t;

__attribute__((format(printf, 3, 4))) static int32_t
refuse_goal(const check_t * c, int32_t code, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(c->reason, c->size, format, list);
  va_end(list);
  return code;
}

static double
seconds(builtin_interfaces__msg__Duration d)
{
  return d.sec + 1e-9 * d.nanosec;
}

//---------- checks ----------

static int32_t
check_node(const check_t * c)
{
  const char * mode = param_string(node_values(c->node), P_MODE);
  if (lifecycle_state(c->node->lifecycle) != LIFECYCLE_ACTIVE) {
    return refuse_goal(c, RESULT(INVALID_GOAL), "the node is not active");
  }
  if (!controller_mode_needs((controller_mode_t)controller_mode_find(mode), NEEDS_REFERENCE)) {
    return refuse_goal(
      c, RESULT(INVALID_GOAL),
      "mode %s follows no trajectory: set mode to computed_torque, joint_impedance or "
      "inverse_dynamics",
      mode);
  }
  const goal_message_t * m = c->message;
  if (
    m->multi_dof_trajectory.joint_names.size > 0 || m->multi_dof_trajectory.points.size > 0 ||
    m->component_path_tolerance.size > 0 || m->component_goal_tolerance.size > 0) {
    return refuse_goal(
      c, RESULT(INVALID_GOAL), "joints of several degrees of freedom are not supported");
  }
  return RESULT(SUCCESSFUL);
}

static int32_t
check_joints(const check_t * c)
{
  const node_robot_t * robot = &c->node->loaded->robot;
  trajectory_goal_t * goal = c->goal;
  for (size_t j = 0; j < goal->njoint; j++) {
    const char * name = c->message->trajectory.joint_names.data[j].data;
    int body;
    if (mbd_find_joint(robot->model, name, &body) != MBD_OK) {
      return refuse_goal(c, RESULT(INVALID_JOINTS), "the robot has no moving joint '%s'", name);
    }
    const mbd_body_t * b = &robot->model->body[body];
    if (b->nv != 1 || b->nq != 1 || !robot->commanded[b->v_index]) {
      return refuse_goal(c, RESULT(INVALID_JOINTS), "joint '%s' is not commanded", name);
    }
    goal->dof[j] = b->v_index;
    goal->q_index[j] = b->q_index;
    for (size_t i = 0; i < j; i++) {
      if (goal->dof[i] != goal->dof[j]) continue;
      return refuse_goal(c, RESULT(INVALID_JOINTS), "duplicate joint '%s'", name);
    }
  }
  return RESULT(SUCCESSFUL);
}

// a trajectory that has ended before it came
static int32_t
check_stamp(const check_t * c, int64_t start)
{
  const trajectory_msgs__msg__JointTrajectory * t = &c->message->trajectory;
  if (start == 0 || t->points.size == 0) return RESULT(SUCCESSFUL);
  const double end = seconds(t->points.data[t->points.size - 1].time_from_start);
  const double late = 1e-9 * (double)(ros_clock_now(&c->node->clock) - start) - end;
  if (!(late > 0)) return RESULT(SUCCESSFUL);
  return refuse_goal(
    c, RESULT(OLD_HEADER_TIMESTAMP), "the trajectory ended %.3g s ago by its stamp", late);
}

// a tolerance of the goal in place of a parameter: 0 leaves that, a negative one is any
static void
override_tolerance(double asked, double * tolerance)
{
  if (asked < 0) *tolerance = 0;
  if (asked > 0) *tolerance = asked;
}

static int32_t
take_tolerances(
  const check_t * c, const tolerances_t * from, const char * what, double * position,
  double * velocity)
{
  const rosidl_runtime_c__String__Sequence * names = &c->message->trajectory.joint_names;
  for (size_t i = 0; i < from->size; i++) {
    const control_msgs__msg__JointTolerance * t = &from->data[i];
    size_t j = 0;
    while (j < names->size && strcmp(names->data[j].data, t->name.data) != 0) j++;
    if (j == names->size) {
      return refuse_goal(
        c, RESULT(INVALID_GOAL), "%s is of joint '%s', which the trajectory does not have", what,
        t->name.data);
    }
    if (!isfinite(t->position) || !isfinite(t->velocity)) {
      return refuse_goal(
        c, RESULT(INVALID_GOAL), "%s of joint '%s' is not finite", what, t->name.data);
    }
    override_tolerance(t->position, &position[j]);
    override_tolerance(t->velocity, &velocity[j]);
  }
  return RESULT(SUCCESSFUL);
}

static int32_t
check_tolerances(const check_t * c)
{
  mbdyn_node_t * node = c->node;
  trajectory_goal_t * goal = c->goal;
  loop_settings_t * s = loop_settings_build(
    &node->loaded->robot, node_values(node), &node->payloads, c->reason, c->size);
  if (!s) return RESULT(INVALID_GOAL);
  for (size_t j = 0; j < goal->njoint; j++) {
    goal->path[j] = s->controller->path_tolerance[goal->dof[j]];
    goal->position[j] = s->controller->goal_tolerance[goal->dof[j]];
    goal->velocity[j] = s->controller->goal_velocity[goal->dof[j]];
  }
  goal->time = s->controller->goal_time;
  override_tolerance(seconds(c->message->goal_time_tolerance), &goal->time);
  s->mail.destroy(&s->mail);
  const goal_message_t * m = c->message;
  const int32_t code =
    take_tolerances(c, &m->path_tolerance, "path_tolerance", goal->path, goal->path_velocity);
  if (code != RESULT(SUCCESSFUL)) return code;
  return take_tolerances(c, &m->goal_tolerance, "goal_tolerance", goal->position, goal->velocity);
}

//---------- beginning ----------

static bool
allocate(trajectory_goal_t * goal, const rosidl_runtime_c__String__Sequence * names)
{
  const size_t n = names->size;
  memset(goal, 0, sizeof *goal);
  goal->njoint = n;
  goal->open = true;
  goal->dof = calloc(2 * n + 1, sizeof *goal->dof);
  goal->position = calloc(4 * n + 1, sizeof *goal->position);
  feedback_t * f = &goal->feedback;
  if (!control_msgs__action__FollowJointTrajectory_Feedback__init(f)) return false;
  if (!goal->dof || !goal->position) return false;
  goal->q_index = goal->dof + n;
  goal->velocity = goal->position + n;
  goal->path = goal->velocity + n;
  goal->path_velocity = goal->path + n;
  trajectory_msgs__msg__JointTrajectoryPoint * const point[3] = {
    &f->desired, &f->actual, &f->error};
  for (int k = 0; k < 3; k++) {
    if (!fill_numbers(&point[k]->positions, goal->position, (int)n)) return false;
    if (!fill_numbers(&point[k]->velocities, goal->position, (int)n)) return false;
  }
  return rosidl_runtime_c__String__Sequence__init(&f->joint_names, n) &&
         rosidl_runtime_c__String__Sequence__copy(names, &f->joint_names);
}

static int32_t
post(const check_t * c, int64_t start)
{
  trajectory_goal_t * goal = c->goal;
  control_loop_t * loop = c->node->loop;
  trajectory_t * t =
    trajectory_of_message(c->node, &c->message->trajectory, start, true, c->reason, c->size);
  if (!t) return RESULT(INVALID_GOAL);
  for (size_t j = 0; j < goal->njoint; j++) {
    t->path_position[j] = goal->path[j];
    t->path_velocity[j] = goal->path_velocity[j];
  }
  goal->id = t->id;
  goal->duration = t->duration;
  goal->abandoned = loop_state(loop)->gaps.abandoned;
  loop_trajectory_post(loop, t);
  return RESULT(SUCCESSFUL);
}

int32_t
trajectory_goal_start(
  mbdyn_node_t * node, const goal_message_t * message, trajectory_goal_t * goal, char * reason,
  size_t size)
{
  const check_t c = {node, message, goal, reason, size};
  const builtin_interfaces__msg__Time stamp = message->trajectory.header.stamp;
  const int64_t start = (int64_t)stamp.sec * 1000000000 + stamp.nanosec;
  int32_t code = RESULT(SUCCESSFUL);
  if (!allocate(goal, &message->trajectory.joint_names)) {
    code = refuse_goal(&c, RESULT(INVALID_GOAL), "out of memory");
  }
  if (code == RESULT(SUCCESSFUL)) code = check_node(&c);
  if (code == RESULT(SUCCESSFUL)) code = check_joints(&c);
  if (code == RESULT(SUCCESSFUL)) code = check_stamp(&c, start);
  if (code == RESULT(SUCCESSFUL)) code = check_tolerances(&c);
  if (code == RESULT(SUCCESSFUL)) code = post(&c, start);
  if (code != RESULT(SUCCESSFUL)) trajectory_goal_clear(goal);
  return code;
}

void
trajectory_goal_cancel(mbdyn_node_t * node, trajectory_goal_t * goal)
{
  goal->canceled = true;
  loop_trajectory_stop(node->loop, goal->id);
}

void
trajectory_goal_clear(trajectory_goal_t * goal)
{
  if (!goal->open) return;
  free(goal->dof);
  free(goal->position);
  control_msgs__action__FollowJointTrajectory_Feedback__fini(&goal->feedback);
  memset(goal, 0, sizeof *goal);
}

//---------- its way ----------

// what the control thread has published: state and reference of its last cycle
typedef struct numbers {
  const double *q, *v, *q_ref, *v_ref;
} numbers_t;

static numbers_t
numbers_of(const mbdyn_node_t * node, const loop_state_t * state)
{
  const mbd_model_t * model = node->loaded->model;
  const double * q = loop_numbers(state);
  const double *v = q + model->nq, *q_ref = v + model->nv;
  return (numbers_t){q, v, q_ref, q_ref + model->nq};
}

bool
trajectory_goal_feedback(mbdyn_node_t * node, trajectory_goal_t * goal)
{
  const loop_state_t * state = loop_state(node->loop);
  if (!state || state->progress.id != goal->id) return false;
  const numbers_t n = numbers_of(node, state);
  feedback_t * f = &goal->feedback;
  for (size_t j = 0; j < goal->njoint; j++) {
    const int i = goal->q_index[j], k = goal->dof[j];
    f->desired.positions.data[j] = n.q_ref[i], f->desired.velocities.data[j] = n.v_ref[k];
    f->actual.positions.data[j] = n.q[i], f->actual.velocities.data[j] = n.v[k];
    f->error.positions.data[j] = n.q_ref[i] - n.q[i];
    f->error.velocities.data[j] = n.v_ref[k] - n.v[k];
  }
  const int64_t now = ros_clock_now(&node->clock);
  f->header.stamp.sec = (int32_t)(now / 1000000000);
  f->header.stamp.nanosec = (uint32_t)(now % 1000000000);
  const double time = fmin(state->progress.time, goal->duration);
  f->desired.time_from_start.sec = (int32_t)floor(time);
  f->desired.time_from_start.nanosec = (uint32_t)(1e9 * (time - floor(time)));
  f->actual.time_from_start = f->error.time_from_start = f->desired.time_from_start;
  return true;
}

__attribute__((format(printf, 4, 5))) static bool
end_goal(trajectory_verdict_t * verdict, int8_t status, int32_t code, const char * format, ...)
{
  va_list list;
  verdict->status = status;
  verdict->code = code;
  va_start(list, format);
  vsnprintf(verdict->text, sizeof verdict->text, format, list);
  va_end(list);
  return true;
}

// joints that are not at the goal yet
static bool
watch_end(
  mbdyn_node_t * node, const trajectory_goal_t * goal, const loop_state_t * state,
  trajectory_verdict_t * verdict)
{
  const numbers_t n = numbers_of(node, state);
  const double over = state->progress.time - goal->duration;
  for (size_t j = 0; j < goal->njoint; j++) {
    const char * name = goal->feedback.joint_names.data[j].data;
    const int i = goal->q_index[j], k = goal->dof[j];
    const double away = fabs(n.q_ref[i] - n.q[i]), speed = fabs(n.v[k]);
    const bool far = goal->position[j] > 0 && !(away <= goal->position[j]);
    const bool fast = goal->velocity[j] > 0 && !(speed <= goal->velocity[j]);
    if (!far && !fast) continue;
    if (!(goal->time > 0) || over <= goal->time) return false;
    return end_goal(
      verdict, STATUS(ABORTED), RESULT(GOAL_TOLERANCE_VIOLATED),
      "joint '%s' %s %.3g, goal_tolerance %.3g, %.3g s after the end of the trajectory", name,
      far ? "is away from its goal by" : "still has a velocity of", far ? away : speed,
      far ? goal->position[j] : goal->velocity[j], over);
  }
  return end_goal(
    verdict, STATUS(SUCCEEDED), RESULT(SUCCESSFUL),
    "goal reached %.3g s after the end of the trajectory", over);
}

static bool
watch_lost(
  mbdyn_node_t * node, const trajectory_goal_t * goal, const loop_state_t * state,
  trajectory_verdict_t * verdict)
{
  if (goal->canceled) {
    return end_goal(
      verdict, STATUS(CANCELED), RESULT(SUCCESSFUL), "canceled at %.3f s of %.3f s",
      state->progress.time, goal->duration);
  }
  if (state->gaps.abandoned != goal->abandoned) {
    char why[REASON_MAX / 2];
    diagnostics_describe_abandoned(node, &state->gaps, why, sizeof why);
    return end_goal(verdict, STATUS(ABORTED), RESULT(INVALID_GOAL), "%s", why);
  }
  return end_goal(
    verdict, STATUS(ABORTED), RESULT(INVALID_GOAL),
    "followed no further: the mode or the robot's state has changed, or a streamed reference came");
}

static bool
watch_progress(
  mbdyn_node_t * node, const trajectory_goal_t * goal, const loop_state_t * state,
  trajectory_verdict_t * verdict)
{
  const controller_progress_t * p = &state->progress;
  if (p->violated) {
    return end_goal(
      verdict, STATUS(ABORTED), RESULT(PATH_TOLERANCE_VIOLATED),
      "joint '%s': %s was away from its reference by %.3g at %.3f s, path_tolerance %.3g",
      goal->feedback.joint_names.data[p->joint].data, p->velocity ? "velocity" : "position",
      fabs(p->error), p->violated_at,
      p->velocity ? goal->path_velocity[p->joint] : goal->path[p->joint]);
  }
  if (p->phase == FOLLOW_END) return !goal->canceled && watch_end(node, goal, state, verdict);
  return p->phase == FOLLOW_NOT && watch_lost(node, goal, state, verdict);
}

bool
trajectory_goal_watch(
  mbdyn_node_t * node, const trajectory_goal_t * goal, trajectory_verdict_t * verdict)
{
  const loop_state_t * state = loop_state(node->loop);
  // not taken over by the control thread yet
  if (!state || state->progress.id < goal->id) return false;
  if (state->progress.id > goal->id) {
    return end_goal(verdict, STATUS(ABORTED), RESULT(INVALID_GOAL), "another trajectory took over");
  }
  return watch_progress(node, goal, state, verdict);
}
