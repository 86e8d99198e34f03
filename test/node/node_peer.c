// The other side of mbdyn_node: process, topics, joint states, what it reports.
#include "node_peer.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lifecycle_msgs/msg/transition_event.h"
#include "rcl_interfaces/msg/log.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"
#include "std_msgs/msg/float64_multi_array.h"

#define TYPE(package, name) ROSIDL_GET_MSG_TYPE_SUPPORT(package, msg, name)

const double PEER_LIMIT[PEER_JOINTS] = {87, 87, 87, 87, 12, 12, 12};

// what the listeners of every peer read into
typedef struct inbox {
  std_msgs__msg__Float64MultiArray command;
  diagnostic_msgs__msg__DiagnosticArray report;
  lifecycle_msgs__msg__TransitionEvent event;
  rcl_interfaces__msg__Log log;
} inbox_t;

//---------- what comes ----------

// the newest lines stay
static void
append(char * text, size_t size, const char * line)
{
  size_t length = strlen(text);
  const size_t more = strlen(line);
  if (more + 1 >= size) return;
  if (length + more + 1 > size) {
    const size_t drop = length + more + 1 - size;
    memmove(text, text + drop, length - drop + 1);
    length -= drop;
  }
  memcpy(text + length, line, more + 1);
}

static void
take_command(peer_t * peer, peer_listener_t * listener)
{
  const std_msgs__msg__Float64MultiArray * m = listener->message;
  peer->ncommand = m->data.size;
  for (size_t i = 0; i < m->data.size && i < PEER_NUMBERS; i++) {
    const double x = peer->command[i] = m->data.data[i];
    if (isfinite(x) && fabs(x) <= peer->limit[i]) continue;
    if (peer->bad++ > 0) continue;
    snprintf(
      peer->bad_text, sizeof peer->bad_text, "command %llu has %g in place %zu, limit %g",
      (unsigned long long)listener->count, x, i, peer->limit[i]);
  }
}

static void
take_report(peer_t * peer, peer_listener_t * listener)
{
  diagnostic_msgs__msg__DiagnosticArray * m = listener->message;
  if (m->status.size == 0 || strncmp(m->status.data[0].name.data, "/mbdyn:", 7) != 0) return;
  const diagnostic_msgs__msg__DiagnosticArray old = peer->report;
  peer->report = *m;
  *m = old;
}

static void
take_event(peer_t * peer, peer_listener_t * listener)
{
  const lifecycle_msgs__msg__TransitionEvent * m = listener->message;
  char line[128];
  snprintf(line, sizeof line, "%s>%s\n", m->start_state.label.data, m->goal_state.label.data);
  append(peer->event_text, sizeof peer->event_text, line);
}

static void
take_log(peer_t * peer, peer_listener_t * listener)
{
  const rcl_interfaces__msg__Log * m = listener->message;
  char line[2048];
  const char * level = m->level >= 40 ? "ERROR" : m->level >= 30 ? "WARN" : "INFO";
  snprintf(line, sizeof line, "%s %s\n", level, m->msg.data);
  append(peer->log_text, sizeof peer->log_text, line);
}

static void
take_all(peer_t * peer, peer_listener_t * listener)
{
  while (rcl_take(&listener->subscription, listener->message, NULL, NULL) == RCL_RET_OK) {
    listener->count++;
    listener->arrival = now_ns();
    if (listener->on_message) listener->on_message(peer, listener);
  }
  rcl_reset_error();
}

void
peer_spin(peer_t * peer, int milliseconds)
{
  rcl_wait_set_t set = rcl_get_zero_initialized_wait_set();
  OK(rcl_wait_set_init(
    &set, (size_t)peer->nlistener, 0, 0, 0, 0, 0, &peer->session.support.context,
    peer->session.allocator));
  for (int i = 0; i < peer->nlistener; i++) {
    OK(rcl_wait_set_add_subscription(&set, &peer->listener[i].subscription, NULL));
  }
  const rcl_ret_t ret = rcl_wait(&set, RCL_MS_TO_NS((int64_t)milliseconds));
  if (ret != RCL_RET_TIMEOUT) OK(ret);
  OK(rcl_wait_set_fini(&set));
  for (int i = 0; i < peer->nlistener; i++) take_all(peer, &peer->listener[i]);
}

bool
peer_wait(peer_t * peer, const uint64_t * counter, uint64_t at_least, int milliseconds)
{
  const int64_t end = now_ns() + (int64_t)milliseconds * 1000000;
  while (*counter < at_least) {
    const int64_t left = (end - now_ns() + 999999) / 1000000;
    if (left <= 0) return false;
    peer_spin(peer, (int)left);
  }
  return true;
}

void
peer_listen_for(peer_t * peer, int milliseconds)
{
  const uint64_t never = 0;
  peer_wait(peer, &never, 1, milliseconds);
}

//---------- topics ----------

peer_listener_t *
peer_listen(
  peer_t * peer, const rosidl_message_type_support_t * type, const char * topic, void * message)
{
  assert_true(peer->nlistener < PEER_LISTENERS);
  peer_listener_t * listener = &peer->listener[peer->nlistener++];
  // /rosout alone keeps its lines for those who come late
  const rmw_qos_profile_t qos = profile(true, strcmp(topic, "/rosout") == 0, 1000);
  memset(listener, 0, sizeof *listener);
  listener->message = message;
  listener->subscription = rcl_get_zero_initialized_subscription();
  OK(rclc_subscription_init(&listener->subscription, &peer->session.node, type, topic, &qos));
  return listener;
}

rcl_publisher_t *
peer_publisher(peer_t * peer, const rosidl_message_type_support_t * type, const char * topic)
{
  assert_true(peer->npublisher < PEER_PUBLISHERS);
  rcl_publisher_t * publisher = &peer->publisher[peer->npublisher++];
  const rmw_qos_profile_t qos = profile(true, strcmp(topic, "/robot_description") == 0, 10);
  *publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init(publisher, &peer->session.node, type, topic, &qos));
  return publisher;
}

void
peer_wait_matched(peer_t * peer, const rcl_publisher_t * publisher)
{
  size_t n = 0;
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (n == 0 && now_ns() < end) {
    peer_spin(peer, 5);
    OK(rcl_publisher_get_subscription_count(publisher, &n));
  }
  if (n == 0) fail_msg("nobody subscribes to %s", rcl_publisher_get_topic_name(publisher));
}

//---------- participants ----------

static peer_listener_t *
listen_inbox(
  peer_t * peer, const rosidl_message_type_support_t * type, const char * topic, void * message,
  void (*on_message)(peer_t *, peer_listener_t *))
{
  peer_listener_t * listener = peer_listen(peer, type, topic, message);
  listener->on_message = on_message;
  return listener;
}

static void
listen_to_node(peer_t * peer)
{
  inbox_t * in = calloc(1, sizeof *in);
  assert_non_null(in);
  assert_true(std_msgs__msg__Float64MultiArray__init(&in->command));
  assert_true(diagnostic_msgs__msg__DiagnosticArray__init(&in->report));
  assert_true(diagnostic_msgs__msg__DiagnosticArray__init(&peer->report));
  assert_true(lifecycle_msgs__msg__TransitionEvent__init(&in->event));
  assert_true(rcl_interfaces__msg__Log__init(&in->log));
  peer->commands = listen_inbox(
    peer, TYPE(std_msgs, Float64MultiArray), "/mbdyn/command", &in->command, take_command);
  peer->reports = listen_inbox(
    peer, TYPE(diagnostic_msgs, DiagnosticArray), "/diagnostics", &in->report, take_report);
  peer->events = listen_inbox(
    peer, TYPE(lifecycle_msgs, TransitionEvent), "/mbdyn/transition_event", &in->event, take_event);
  peer->log = listen_inbox(peer, TYPE(rcl_interfaces, Log), "/rosout", &in->log, take_log);
}

static void
forget_inbox(peer_t * peer)
{
  inbox_t * in = peer->commands->message;
  std_msgs__msg__Float64MultiArray__fini(&in->command);
  diagnostic_msgs__msg__DiagnosticArray__fini(&in->report);
  diagnostic_msgs__msg__DiagnosticArray__fini(&peer->report);
  lifecycle_msgs__msg__TransitionEvent__fini(&in->event);
  rcl_interfaces__msg__Log__fini(&in->log);
  free(in);
}

void
peer_open(peer_t * peer)
{
  const rmw_qos_profile_t qos = profile(true, false, 10);
  memset(peer, 0, sizeof *peer);
  for (int i = 0; i < PEER_NUMBERS; i++) {
    peer->limit[i] = i < PEER_JOINTS ? PEER_LIMIT[i] : HUGE_VAL;
  }
  session_open(&peer->session, "peer", false);
  peer->joint_states = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init(
    &peer->joint_states, &peer->session.node, JOINT_STATE, "/joint_states", &qos));
  assert_true(sensor_msgs__msg__JointState__init(&peer->state));
  peer_set_state(peer, (const double[PEER_JOINTS]){0}, (const double[PEER_JOINTS]){0});
  listen_to_node(peer);
}

void
peer_close(peer_t * peer)
{
  rcl_node_t * node = &peer->session.node;
  if (peer->stream.running) peer_stream_stop(peer);
  if (peer->node.pid != 0) process_end(&peer->node, SIGKILL, PEER_TIMEOUT);
  for (int i = 0; i < peer->nclient; i++) OK(rcl_client_fini(&peer->client[i].client, node));
  for (int i = 0; i < peer->npublisher; i++) OK(rcl_publisher_fini(&peer->publisher[i], node));
  OK(rcl_publisher_fini(&peer->joint_states, node));
  for (int i = 0; i < peer->nlistener; i++) {
    OK(rcl_subscription_fini(&peer->listener[i].subscription, node));
  }
  forget_inbox(peer);
  sensor_msgs__msg__JointState__fini(&peer->state);
  session_close(&peer->session);
  if (peer->bad > 0)
    fail_msg("%llu bad numbers: %s", (unsigned long long)peer->bad, peer->bad_text);
}

void
peer_start_as(peer_t * peer, const char * const * program, const char * const * arguments)
{
  const char * argv[64] = {NULL};
  size_t n = 0;
  for (size_t i = 0; program[i]; i++) argv[n++] = program[i];
  argv[n++] = "--ros-args";
  if (!getenv("MBDYN_TEST_VERBOSE")) argv[n++] = "--disable-stdout-logs";
  for (size_t i = 0; arguments[i]; i++) {
    assert_true(n < 63);
    argv[n++] = arguments[i];
  }
  process_start(&peer->node, argv);
}

void
peer_start(peer_t * peer, const char * const * arguments)
{
  peer_start_as(peer, (const char *[]){MBDYN_NODE_PROGRAM, NULL}, arguments);
}

bool
peer_is_alive(peer_t * peer)
{
  int status = 0;
  if (peer->node.pid == 0) return false;
  if (waitpid(peer->node.pid, &status, WNOHANG) == 0) return true;
  const bool killed = WIFSIGNALED(status);
  print_error(
    "the node ended: %s %d\n", killed ? "signal" : "exit code",
    killed ? WTERMSIG(status) : WEXITSTATUS(status));
  close(peer->node.out);
  peer->node.pid = 0;
  return false;
}

int
peer_stop(peer_t * peer, int signal)
{
  const int64_t begin = now_ns();
  const int code = process_end(&peer->node, signal, PEER_TIMEOUT);
  if (now_ns() - begin > PEER_TIMEOUT * INT64_C(1000000)) fail_msg("the node does not end");
  // its last command may still be under way, and must not be taken for the first of the next node
  while (peer_wait(peer, &peer->commands->count, peer->commands->count + 1, 50)) continue;
  return code;
}

//---------- joint states ----------

int64_t
peer_clock(void)
{
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void
fill(rosidl_runtime_c__double__Sequence * sequence, const double * x, size_t n)
{
  rosidl_runtime_c__double__Sequence__fini(sequence);
  assert_true(rosidl_runtime_c__double__Sequence__init(sequence, x ? n : 0));
  if (x) memcpy(sequence->data, x, n * sizeof *x);
}

static void
set_state(sensor_msgs__msg__JointState * m, const double * q, const double * v)
{
  rosidl_runtime_c__String__Sequence__fini(&m->name);
  assert_true(rosidl_runtime_c__String__Sequence__init(&m->name, PEER_JOINTS));
  for (size_t i = 0; i < PEER_JOINTS; i++) {
    char name[16];
    snprintf(name, sizeof name, "joint%zu", i + 1);
    assert_true(rosidl_runtime_c__String__assign(&m->name.data[i], name));
  }
  fill(&m->position, q, PEER_JOINTS);
  fill(&m->velocity, v, PEER_JOINTS);
  fill(&m->effort, NULL, 0);
}

void
peer_set_state(peer_t * peer, const double * q, const double * v)
{
  set_state(&peer->state, q, v);
}

static void
stamp(sensor_msgs__msg__JointState * m, int64_t nanoseconds)
{
  m->header.stamp.sec = (int32_t)(nanoseconds / 1000000000);
  m->header.stamp.nanosec = (uint32_t)(nanoseconds % 1000000000);
}

void
peer_stamp(peer_t * peer, int64_t nanoseconds)
{
  stamp(&peer->state, nanoseconds);
}

void
peer_publish(peer_t * peer)
{
  OK(rcl_publish(&peer->joint_states, &peer->state, NULL));
}

void
peer_publish_now(peer_t * peer)
{
  peer_stamp(peer, peer_clock());
  peer_publish(peer);
}

void
peer_publish_bytes(rcl_publisher_t * publisher, const uint8_t * bytes, size_t size)
{
  const rcl_serialized_message_t message = {
    .buffer = (uint8_t *)(uintptr_t)bytes, .buffer_length = size, .buffer_capacity = size};
  OK(rcl_publish_serialized_message(publisher, &message, NULL));
}

static void
fail_without_command(peer_t * peer)
{
  const bool alive = peer_is_alive(peer);
  fail_msg("no command; %s; log: %s", alive ? "it runs" : "it has ended", peer->log_text);
}

void
peer_bring_up(peer_t * peer)
{
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  const uint64_t before = peer->commands->count;
  while (peer->commands->count == before && now_ns() < end) {
    peer_publish_now(peer);
    peer_spin(peer, 10);
  }
  if (peer->commands->count == before) fail_without_command(peer);
  // those that are under way: from here on a joint state has its own command
  while (peer_wait(peer, &peer->commands->count, peer->commands->count + 1, 50)) continue;
}

void
peer_bring_up_silent(peer_t * peer)
{
  const int64_t end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (strcmp(peer_state(peer), "active") != 0 && now_ns() < end) {
    for (int i = 0; i < 5; i++) {
      peer_publish_now(peer);
      peer_spin(peer, 10);
    }
  }
  assert_string_equal(peer_state(peer), "active");
}

void
peer_step(peer_t * peer)
{
  const uint64_t before = peer->commands->count;
  // best effort: a message may be lost
  for (int tries = 0; tries < 20 && peer->commands->count == before; tries++) {
    peer_publish_now(peer);
    peer_wait(peer, &peer->commands->count, before + 1, 500);
  }
  if (peer->commands->count == before) fail_without_command(peer);
}

//---------- the stream ----------

static void *
run_stream(void * argument)
{
  peer_t * peer = argument;
  peer_stream_t * stream = &peer->stream;
  sensor_msgs__msg__JointState m = {0};
  assert_true(sensor_msgs__msg__JointState__init(&m));
  const int64_t begin = now_ns();
  for (uint64_t k = 0; !atomic_load(&stream->stop); k++) {
    const double t = (double)k / stream->rate;
    double q[PEER_JOINTS], v[PEER_JOINTS];
    for (int i = 0; i < PEER_JOINTS; i++) q[i] = 0.5 * sin(t + i), v[i] = 0.5 * cos(t + i);
    set_state(&m, q, v);
    stamp(&m, peer_clock());
    OK(rcl_publish(&stream->publisher, &m, NULL));
    atomic_fetch_add(&stream->sent, 1);
    const int64_t next = begin + (int64_t)(1e9 * (double)(k + 1) / stream->rate);
    const struct timespec until = {next / 1000000000, next % 1000000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
  }
  sensor_msgs__msg__JointState__fini(&m);
  return NULL;
}

void
peer_stream_start(peer_t * peer, double rate)
{
  peer_stream_t * stream = &peer->stream;
  const rmw_qos_profile_t qos = profile(false, false, 10);
  stream->publisher = rcl_get_zero_initialized_publisher();
  OK(rclc_publisher_init(
    &stream->publisher, &peer->session.node, JOINT_STATE, "/joint_states", &qos));
  stream->rate = rate;
  atomic_store(&stream->stop, false);
  atomic_store(&stream->sent, 0);
  assert_int_equal(pthread_create(&stream->thread, NULL, run_stream, peer), 0);
  stream->running = true;
}

uint64_t
peer_stream_stop(peer_t * peer)
{
  atomic_store(&peer->stream.stop, true);
  pthread_join(peer->stream.thread, NULL);
  OK(rcl_publisher_fini(&peer->stream.publisher, &peer->session.node));
  peer->stream.running = false;
  // the last answers to it must not be taken for that to the next joint state
  while (peer_wait(peer, &peer->commands->count, peer->commands->count + 1, 50)) continue;
  return atomic_load(&peer->stream.sent);
}
