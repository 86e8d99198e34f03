#include "demo_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "geometry_msgs/msg/wrench_stamped.h"
#include "mbdyn/msg/joint_torques.h"
#include "mbdyn/spatial.h"
#include "nav_msgs/msg/odometry.h"
#include "rcl/error_handling.h"
#include "rmw/qos_profiles.h"
#include "sensor_msgs/msg/joint_state.h"
#include "std_msgs/msg/float64_multi_array.h"

int64_t
demo_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t
stamp_of(const std_msgs__msg__Header * header)
{
  return (int64_t)header->stamp.sec * 1000000000 + header->stamp.nanosec;
}

//---------- joints by name ----------

// the robot's own order of joints, as far as the names of a message say
static bool
sort_names(demo_watch_t * w, const rosidl_runtime_c__String__Sequence * names)
{
  const demo_robot_t * robot = w->measures.robot;
  int found = 0;
  for (size_t k = 0; k < names->size && k < DEMO_JOINTS; k++) {
    const int last = w->order[k];
    if (last >= 0 && last < robot->n && strcmp(names->data[k].data, robot->joint[last].name) == 0) {
      found++;
      continue;
    }
    w->order[k] = -1;
    for (int i = 0; i < robot->n; i++) {
      if (strcmp(names->data[k].data, robot->joint[i].name) == 0) w->order[k] = i, found++;
    }
  }
  return found == robot->n;
}

// numbers in the robot's order; zeros where there are none
static const double *
sorted(
  demo_watch_t * w, int slot, const rosidl_runtime_c__String__Sequence * names,
  const rosidl_runtime_c__double__Sequence * from)
{
  double * to = w->number[slot];
  memset(to, 0, sizeof w->number[slot]);
  for (size_t k = 0; k < names->size && k < DEMO_JOINTS && k < from->size; k++) {
    if (w->order[k] >= 0) to[w->order[k]] = from->data[k];
  }
  return to;
}

//---------- messages ----------

static void
take_states(demo_watch_t * w, const void * message)
{
  const sensor_msgs__msg__JointState * m = message;
  const int64_t now = demo_now();
  if (!sort_names(w, &m->name)) return;
  const double * q = sorted(w, 0, &m->name, &m->position);
  const double * v = sorted(w, 1, &m->name, &m->velocity);
  const double * effort = sorted(w, 2, &m->name, &m->effort);
  demo_take_state(&w->measures, stamp_of(&m->header), now, q, v, effort);
}

static void
take_commands(demo_watch_t * w, const void * message)
{
  const std_msgs__msg__Float64MultiArray * m = message;
  if (m->data.size == (size_t)w->measures.robot->n) demo_take_command(&w->measures, m->data.data);
}

static void
take_torques(demo_watch_t * w, const void * message)
{
  const sensor_msgs__msg__JointState * m = message;
  const int64_t now = demo_now();
  if (!sort_names(w, &m->name)) return;
  const double * effort = sorted(w, 0, &m->name, &m->effort);
  demo_take_torques(&w->measures, stamp_of(&m->header), now, effort);
}

// of the joints; those of a free base are before them
static void
take_terms(demo_watch_t * w, const void * message)
{
  const mbdyn__msg__JointTorques * m = message;
  const size_t n = (size_t)w->measures.robot->n;
  const rosidl_runtime_c__double__Sequence * const part[4] = {
    &m->gravity, &m->coriolis, &m->inertia, &m->friction};
  const double * term[4];
  for (int k = 0; k < 4; k++) {
    if (part[k]->size != n && part[k]->size != n + 6) return;
    term[k] = part[k]->data + (part[k]->size - n);
  }
  demo_take_terms(&w->measures, term);
}

static void
take_odom(demo_watch_t * w, const void * message)
{
  const nav_msgs__msg__Odometry * m = message;
  const geometry_msgs__msg__Point * p = &m->pose.pose.position;
  const geometry_msgs__msg__Quaternion * q = &m->pose.pose.orientation;
  const mbd_placement_t X = {
    mbdu_quat_to_mat3((mbd_quat_t){q->x, q->y, q->z, q->w}), {p->x, p->y, p->z}};
  demo_take_base(&w->measures, stamp_of(&m->header), &X);
}

static void
take_external(demo_watch_t * w, const void * message)
{
  const sensor_msgs__msg__JointState * m = message;
  if (!sort_names(w, &m->name)) return;
  demo_take_external(&w->measures, sorted(w, 0, &m->name, &m->effort));
}

static void
take_wrench(demo_watch_t * w, const void * message)
{
  const geometry_msgs__msg__WrenchStamped * m = message;
  const geometry_msgs__msg__Vector3 *f = &m->wrench.force, *t = &m->wrench.torque;
  const mbd_vec3_t force = {f->x, f->y, f->z}, moment = {t->x, t->y, t->z};
  demo_take_wrench(&w->measures, stamp_of(&m->header), force, moment);
}

//---------- diagnostics ----------

typedef diagnostic_msgs__msg__DiagnosticStatus status_t;

static const char *
value_of(const status_t * status, const char * key)
{
  for (size_t i = 0; i < status->values.size; i++) {
    if (strcmp(status->values.data[i].key.data, key) == 0) return status->values.data[i].value.data;
  }
  return NULL;
}

static double
number_of(const status_t * status, const char * key)
{
  const char * text = value_of(status, key);
  return text ? strtod(text, NULL) : (double)NAN;
}

static void
take_status(demo_watch_t * w, const status_t * status)
{
  demo_report_t report = w->measures.report;
  const char * factor = value_of(status, "real-time factor");
  const char * state = value_of(status, "state");
  if (factor) w->measures.report.real_time_factor = strtod(factor, NULL);
  if (!state || !value_of(status, "compute_p50_us")) return;
  report.known = true;
  report.age_p50 = number_of(status, "input_age_p50_us");
  report.age_p99 = number_of(status, "input_age_p99_us");
  report.compute_p50 = number_of(status, "compute_p50_us");
  report.compute_p99 = number_of(status, "compute_p99_us");
  snprintf(report.state, sizeof report.state, "%s", state);
  demo_take_report(&w->measures, &report);
}

static void
take_diagnostics(demo_watch_t * w, const void * message)
{
  const diagnostic_msgs__msg__DiagnosticArray * m = message;
  for (size_t i = 0; i < m->status.size; i++) take_status(w, &m->status.data[i]);
}

//---------- topics ----------

typedef struct topic {
  const char * name;
  void (*on_message)(demo_watch_t * watch, const void * message);
} topic_t;

static const topic_t TOPIC[DEMO_TOPICS] = {
  [DEMO_STATES] = {"/joint_states", take_states},
  [DEMO_COMMANDS] = {"/robot/commands", take_commands},
  [DEMO_TORQUES] = {"/mbdyn/torques", take_torques},
  [DEMO_TERMS] = {"/mbdyn/joint_torques", take_terms},
  [DEMO_EXTERNAL] = {"/mbdyn/external_torque", take_external},
  [DEMO_WRENCH] = {"/mbdyn/external_wrench", take_wrench},
  [DEMO_DIAGNOSTICS] = {"/diagnostics", take_diagnostics},
  [DEMO_ODOM] = {"/odom", take_odom}};

static const rosidl_message_type_support_t *
type_of(demo_topic_t topic)
{
  switch (topic) {
    case DEMO_COMMANDS: return ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, Float64MultiArray);
    case DEMO_TERMS: return ROSIDL_GET_MSG_TYPE_SUPPORT(mbdyn, msg, JointTorques);
    case DEMO_WRENCH: return ROSIDL_GET_MSG_TYPE_SUPPORT(geometry_msgs, msg, WrenchStamped);
    case DEMO_ODOM: return ROSIDL_GET_MSG_TYPE_SUPPORT(nav_msgs, msg, Odometry);
    case DEMO_DIAGNOSTICS:
      return ROSIDL_GET_MSG_TYPE_SUPPORT(diagnostic_msgs, msg, DiagnosticArray);
    default: return ROSIDL_GET_MSG_TYPE_SUPPORT(sensor_msgs, msg, JointState);
  }
}

static void *
new_message(demo_topic_t topic)
{
  switch (topic) {
    case DEMO_COMMANDS: return std_msgs__msg__Float64MultiArray__create();
    case DEMO_TERMS: return mbdyn__msg__JointTorques__create();
    case DEMO_WRENCH: return geometry_msgs__msg__WrenchStamped__create();
    case DEMO_DIAGNOSTICS: return diagnostic_msgs__msg__DiagnosticArray__create();
    case DEMO_ODOM: return nav_msgs__msg__Odometry__create();
    default: return sensor_msgs__msg__JointState__create();
  }
}

static void
free_message(demo_topic_t topic, void * message)
{
  switch (topic) {
    case DEMO_COMMANDS: std_msgs__msg__Float64MultiArray__destroy(message); break;
    case DEMO_TERMS: mbdyn__msg__JointTorques__destroy(message); break;
    case DEMO_WRENCH: geometry_msgs__msg__WrenchStamped__destroy(message); break;
    case DEMO_ODOM: nav_msgs__msg__Odometry__destroy(message); break;
    case DEMO_DIAGNOSTICS: diagnostic_msgs__msg__DiagnosticArray__destroy(message); break;
    default: sensor_msgs__msg__JointState__destroy(message);
  }
}

// best effort, so that nobody ever waits for the demo; deep, so that it misses nothing
static bool
subscribe(demo_watch_t * w, demo_topic_t topic)
{
  rmw_qos_profile_t qos = rmw_qos_profile_sensor_data;
  qos.depth = 500;
  w->subscription[topic] = rcl_get_zero_initialized_subscription();
  w->message[topic] = new_message(topic);
  w->open[topic] = w->message[topic] && rclc_subscription_init(
                                          &w->subscription[topic], &w->session->node,
                                          type_of(topic), TOPIC[topic].name, &qos) == RCL_RET_OK;
  return w->open[topic];
}

//---------- the thread ----------

static bool
wait_for_messages(demo_watch_t * w)
{
  const int64_t tenth = 100000000;
  rcl_ret_t ret = rcl_wait_set_clear(&w->waits);
  for (int k = 0; k < DEMO_TOPICS && ret == RCL_RET_OK; k++) {
    ret = rcl_wait_set_add_subscription(&w->waits, &w->subscription[k], NULL);
  }
  if (ret == RCL_RET_OK) ret = rcl_wait(&w->waits, tenth);
  if (ret != RCL_RET_OK) rcl_reset_error();
  return ret == RCL_RET_OK;
}

static void *
listen(void * argument)
{
  demo_watch_t * w = argument;
  while (!atomic_load(&w->ending)) {
    if (!wait_for_messages(w)) continue;
    for (int k = 0; k < DEMO_TOPICS; k++) {
      while (w->waits.subscriptions[k] &&
             rcl_take(&w->subscription[k], w->message[k], NULL, NULL) == RCL_RET_OK) {
        pthread_mutex_lock(&w->lock);
        TOPIC[k].on_message(w, w->message[k]);
        pthread_mutex_unlock(&w->lock);
      }
    }
    rcl_reset_error();
  }
  return NULL;
}

bool
demo_watch_start(demo_watch_t * w, ros_session_t * session, demo_robot_t * robot)
{
  memset(w, 0, sizeof *w);
  w->session = session;
  pthread_mutex_init(&w->lock, NULL);
  for (int k = 0; k < DEMO_JOINTS; k++) w->order[k] = k;
  bool good = demo_measures_init(&w->measures, robot);
  for (int k = 0; k < DEMO_TOPICS && good; k++) good = subscribe(w, (demo_topic_t)k);
  w->waits = rcl_get_zero_initialized_wait_set();
  w->waits_open = good && rcl_wait_set_init(
                            &w->waits, DEMO_TOPICS, 0, 0, 0, 0, 0, &session->support.context,
                            session->allocator) == RCL_RET_OK;
  w->running = w->waits_open && pthread_create(&w->thread, NULL, listen, w) == 0;
  if (!w->running) ros_complain(session->args, "cannot listen");
  return w->running;
}

void
demo_watch_stop(demo_watch_t * w)
{
  atomic_store(&w->ending, true);
  if (w->running) pthread_join(w->thread, NULL);
  w->running = false;
  if (w->waits_open) ros_ignore(rcl_wait_set_fini(&w->waits));
  w->waits_open = false;
  for (int k = 0; k < DEMO_TOPICS; k++) {
    if (w->open[k]) ros_ignore(rcl_subscription_fini(&w->subscription[k], &w->session->node));
    if (w->message[k]) free_message((demo_topic_t)k, w->message[k]);
    w->open[k] = false;
    w->message[k] = NULL;
  }
  demo_measures_fini(&w->measures);
  pthread_mutex_destroy(&w->lock);
}

void
demo_watch_lock(demo_watch_t * w)
{
  pthread_mutex_lock(&w->lock);
}

void
demo_watch_unlock(demo_watch_t * w)
{
  pthread_mutex_unlock(&w->lock);
}
