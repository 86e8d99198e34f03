// Processes, tracks, and the model to compare with.
#include "loop_rig.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense_oracle.h"

static const double NO_NUMBER = (double)NAN;

//---------- life ----------

void
rig_load(rig_t * rig, const char * urdf, bool floating)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  if (floating) options.base = MBDX_BASE_FLOATING;
  assert_ok(mbdx_urdf_load_file(urdf, &options, &rig->model, NULL));
  assert_true(rig->model->nv <= RIG_DOFS);
  assert_ok(mbd_data_create(rig->model, &rig->data));
}

void
rig_unload(rig_t * rig)
{
  mbd_data_destroy(rig->data);
  mbd_model_destroy(rig->model);
}

void
rig_open(rig_t * rig, const char * urdf, bool floating)
{
  memset(rig, 0, sizeof *rig);
  rig_load(rig, urdf, floating);
  peer_open(&rig->peer);
}

void
rig_close(rig_t * rig)
{
  while (rig->nprocess > 0) {
    const int code = process_end(&rig->process[--rig->nprocess], SIGINT, PEER_TIMEOUT);
    assert_int_equal(code, 0);
  }
  peer_close(&rig->peer);
  for (int i = 0; i < rig->ntrack; i++) {
    sensor_msgs__msg__JointState__fini(&rig->track[i].message);
    free(rig->track[i].sample);
  }
  rig_unload(rig);
}

int
rig_kill(void ** state)
{
  return process_kill_all(state);
}

void
rig_start(rig_t * rig, const char * program, const char * const * arguments)
{
  const char * argv[64] = {program, "--ros-args"};
  size_t n = 2;
  for (size_t i = 0; arguments[i] != NULL; i++) {
    assert_true(n < 63);
    argv[n++] = arguments[i];
  }
  assert_true(rig->nprocess < RIG_PROCESSES);
  process_start(&rig->process[rig->nprocess++], argv);
}

void
rig_start_node(rig_t * rig, const char * const * arguments)
{
  rig_start(rig, MBDYN_NODE_PROGRAM, arguments);
}

void
rig_start_sim(rig_t * rig, const char * const * arguments)
{
  rig_start(rig, MBDYN_SIM_PROGRAM, arguments);
}

//---------- tracks ----------

// degree of freedom that a message calls so, or -1
static int
find_dof(const mbd_model_t * model, const char * name)
{
  static const char * const free_joint[6] = {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const size_t length = strlen(body->joint_name);
    if (strncmp(name, body->joint_name, length) != 0) continue;
    if (body->nv == 1 && name[length] == 0) return body->v_index;
    for (int k = 0; body->type == MBD_JOINT_FREE && k < 6; k++) {
      if (strcmp(name + length, free_joint[k]) == 0) return body->v_index + k;
    }
  }
  return -1;
}

static double
element(const rosidl_runtime_c__double__Sequence * x, size_t i)
{
  return i < x->size ? x->data[i] : NO_NUMBER;
}

static void
take_sample(peer_t * peer, peer_listener_t * listener)
{
  (void)peer;
  track_t * track = listener->message;
  const sensor_msgs__msg__JointState * m = &track->message;
  if (track->n == track->capacity) {
    track->capacity = track->capacity > 0 ? 2 * track->capacity : 1024;
    track->sample = realloc(track->sample, track->capacity * sizeof *track->sample);
    assert_non_null(track->sample);
  }
  sample_t * s = &track->sample[track->n];
  s->stamp = (int64_t)m->header.stamp.sec * 1000000000 + m->header.stamp.nanosec;
  for (int k = 0; k < RIG_DOFS; k++) s->q[k] = s->v[k] = s->effort[k] = NO_NUMBER;
  for (size_t i = 0; i < m->name.size; i++) {
    const int dof = find_dof(track->model, m->name.data[i].data);
    if (dof < 0) fail_msg("a joint of another robot: '%s'", m->name.data[i].data);
    s->q[dof] = element(&m->position, i);
    s->v[dof] = element(&m->velocity, i);
    s->effort[dof] = element(&m->effort, i);
  }
  track->n++;
}

track_t *
rig_track(rig_t * rig, const char * topic)
{
  return rig_track_of(rig, rig->model, topic);
}

track_t *
rig_track_of(rig_t * rig, const mbd_model_t * model, const char * topic)
{
  assert_true(rig->ntrack < RIG_TRACKS);
  track_t * track = &rig->track[rig->ntrack++];
  track->model = model;
  assert_true(sensor_msgs__msg__JointState__init(&track->message));
  peer_listen(&rig->peer, JOINT_STATE, topic, track)->on_message = take_sample;
  return track;
}

const sample_t *
track_last(const track_t * track)
{
  assert_true(track->n > 0);
  return &track->sample[track->n - 1];
}

size_t
track_after(const track_t * track, int64_t stamp)
{
  size_t i = track->n;
  while (i > 0 && track->sample[i - 1].stamp >= stamp) i--;
  if (i == track->n) fail_msg("nothing was tracked after that time");
  return i;
}

const sample_t *
track_find(const track_t * track, int64_t stamp)
{
  for (size_t i = track->n; i > 0 && track->sample[i - 1].stamp >= stamp; i--) {
    if (track->sample[i - 1].stamp == stamp) return &track->sample[i - 1];
  }
  return NULL;
}

double
track_drift(const track_t * track, size_t from)
{
  double drift = 0;
  assert_true(from + 1 < track->n);
  for (size_t i = from; i < track->n; i++) {
    for (int k = 0; k < track->model->nv; k++) {
      const double distance = fabs(track->sample[i].q[k] - track->sample[from].q[k]);
      if (!(distance <= drift)) drift = distance;  // not a number shows
    }
  }
  return drift;
}

double
track_stall(const track_t * track, size_t from)
{
  int64_t longest = 0, since = track->sample[from].stamp;
  const size_t bytes = (size_t)track->model->nv * sizeof(double);
  for (size_t i = from + 1; i < track->n; i++) {
    const sample_t * s = &track->sample[i];
    if (s->stamp - since > longest) longest = s->stamp - since;
    if (memcmp(s->effort, s[-1].effort, bytes) != 0) since = s->stamp;
  }
  return 1e-9 * (double)longest;
}

double
rig_attempts(double (*run)(double * stall), double bound)
{
  double result = HUGE_VAL;
  for (int i = 0; i < 6; i++) {
    double stall = 0;
    result = run(&stall);
    // written so that not-a-number is no success
    if (result < bound || !(stall > 0.008)) break;
    print_message("  the motors waited %.0f ms for a command: once more\n", 1e3 * stall);
  }
  return result;
}

//---------- listening ----------

void
rig_wait(rig_t * rig, const track_t * track, size_t n)
{
  int64_t last = now_ns();
  size_t had = track->n;
  while (track->n < n) {
    peer_spin(&rig->peer, 100);
    if (track->n > had) last = now_ns();
    had = track->n;
    if (now_ns() - last > PEER_TIMEOUT * INT64_C(1000000)) {
      fail_msg("%zu messages instead of %zu; log: %s", track->n, n, rig->peer.log_text);
    }
  }
}

void
rig_run_to(rig_t * rig, const track_t * track, int64_t stamp)
{
  if (track->n == 0) rig_wait(rig, track, 1);
  while (track_last(track)->stamp < stamp) rig_wait(rig, track, track->n + 1);
}

void
rig_run(rig_t * rig, const track_t * track, double seconds)
{
  if (track->n == 0) rig_wait(rig, track, 1);
  rig_run_to(rig, track, track_last(track)->stamp + (int64_t)(1e9 * seconds));
}

static bool
has_torque(const track_t * track, size_t i)
{
  for (int k = 0; k < track->model->nv; k++) {
    if (fabs(track->sample[i].effort[k]) > 0) return true;
  }
  return false;
}

size_t
rig_released(rig_t * rig, const track_t * joint_states)
{
  size_t i = 0;
  const int64_t end = now_ns() + 2 * PEER_TIMEOUT * INT64_C(1000000);
  while (true) {
    rig_wait(rig, joint_states, i + 1);
    if (has_torque(joint_states, i)) return i > 0 ? i - 1 : 0;
    if (now_ns() > end) fail_msg("no torque in joint_states; log: %s", rig->peer.log_text);
    i++;
  }
}

void
assert_driven(const track_t * track, size_t after)
{
  for (size_t i = after + 1; i < track->n; i++) {
    if (!has_torque(track, i)) fail_msg("no torque in sample %zu, released at %zu", i, after);
  }
}

const sample_t *
rig_step(rig_t * rig, const track_t * track)
{
  const int64_t now = peer_clock(), end = now_ns() + PEER_TIMEOUT * INT64_C(1000000);
  while (track->n == 0 || track_last(track)->stamp < now) {
    if (now_ns() > end) fail_msg("no message; log: %s", rig->peer.log_text);
    peer_step(&rig->peer);
  }
  return track_last(track);
}

//---------- the model ----------

void
rig_at(rig_t * rig, const double * q, const double * v)
{
  assert_ok(mbd_set_position(rig->model, rig->data, q));
  if (v != NULL) assert_ok(mbd_set_velocity(rig->model, rig->data, v));
}

int
rig_frame(const rig_t * rig, const char * name)
{
  int frame;
  assert_ok(mbd_find_frame(rig->model, name, &frame));
  return frame;
}

mbd_placement_t
rig_placement(rig_t * rig, const double * q, const char * frame)
{
  mbd_placement_t X;
  rig_at(rig, q, NULL);
  assert_ok(mbd_frame_placement(rig->model, rig->data, rig_frame(rig, frame), &X));
  return X;
}

void
rig_gravity(const rig_t * rig, const double * q, mbd_vec3_t gravity, double * tau)
{
  const dense_t dense = dense_at(rig->model, NULL, q, NULL, gravity);
  const mat_t g = dense_gravity(&dense);
  for (int k = 0; k < rig->model->nv; k++) tau[k] = *at(g, k, 0);
  mats_free();
}

void
rig_push_torque(
  rig_t * rig, const double * q, const char * frame, mbd_reference_t reference, mbd_force_t f,
  double * tau)
{
  const mbd_wrench_t wrench = {rig_frame(rig, frame), reference, f};
  const mbd_wrenches_t wrenches = {1, &wrench};
  rig_at(rig, q, NULL);
  assert_ok(mbd_jacobian_transpose_product(rig->model, rig->data, &wrenches, tau));
}
