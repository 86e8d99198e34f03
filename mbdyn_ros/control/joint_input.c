#include "joint_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_input_internal.h"

//---------- set-up ----------

static bool
is_listed(const char * const * list, const char * name)
{
  for (; list && *list; list++) {
    if (strcmp(*list, name) == 0) return true;
  }
  return false;
}

// a joint can follow one that follows another: each comes after its leader
static void
order_followers(joint_input_t * input)
{
  const mbd_body_t * bodies = input->p->tree->body;
  struct joint_input_private * p = input->p;
  bool * placed = p->met;
  memset(placed, 0, (size_t)input->p->tree->nv * sizeof *placed);
  int before = -1;
  while (p->nfollower > before) {
    before = p->nfollower;
    for (int i = 0; i < input->p->tree->nbody; i++) {
      const int leader = bodies[i].mimic_body;
      if (leader < 0 || placed[bodies[i].v_index]) continue;
      if (bodies[leader].mimic_body >= 0 && !placed[bodies[leader].v_index]) continue;
      placed[bodies[i].v_index] = true;
      p->follower[p->nfollower++] = i;
    }
  }
}

static void
describe_joints(joint_input_t * input, const char * const * optional)
{
  for (int i = 0; i < input->p->tree->nbody; i++) {
    const mbd_body_t * body = &input->p->tree->body[i];
    const bool follows =
      body->mimic_body >= 0 || (body->nv > 0 && input->p->dependent[body->v_index]);
    input->p->may_miss[i] = follows || is_listed(optional, body->joint_name);
    if (body->type == MBD_JOINT_CONTINUOUS) input->p->dof[body->v_index].wraps = true;
    if (body->type == MBD_JOINT_PLANAR) input->p->dof[body->v_index + 2].wraps = true;
  }
}

static bool
allocate(joint_input_t * input, const mbd_model_t * tree)
{
  const size_t nq = (size_t)tree->nq + 1, nv = (size_t)tree->nv + 1;
  const size_t nbody = (size_t)tree->nbody + 1;
  struct joint_input_private * p = input->p = calloc(1, sizeof *p);
  if (!p) return false;
  p->tree = tree;
  p->q = calloc(nq, sizeof *p->q);
  p->v = calloc(nv, sizeof *p->v);
  p->a = calloc(nv, sizeof *p->a);
  p->effort = calloc(nv, sizeof *p->effort);
  p->velocity_given = calloc(nv, sizeof *p->velocity_given);
  p->dependent = calloc(nv, sizeof *p->dependent);
  p->dof = calloc(nv, sizeof *p->dof);
  p->may_miss = calloc(nbody, sizeof *p->may_miss);
  p->follower = calloc(nbody, sizeof *p->follower);
  return p->q && p->v && p->a && p->effort && p->velocity_given && p->dependent && p->dof &&
         p->may_miss && p->follower && joint_loops_init(input) && joint_layouts_init(input);
}

joint_input_t *
joint_input_create(const mbd_model_t * model, const joint_input_options_t * options)
{
  joint_input_t * input = calloc(1, sizeof *input);
  if (!input) return NULL;
  input->model = model;
  if (!allocate(input, model->tree ? model->tree : model)) {
    joint_input_destroy(input);
    return NULL;
  }
  describe_joints(input, options->optional);
  if (!input->p->loops) order_followers(input);
  joint_input_tune(input, options);
  joint_input_restart(input);
  joint_input_count_missing(input);
  return input;
}

void
joint_input_destroy(joint_input_t * input)
{
  if (!input) return;
  if (input->p) {
    joint_loops_fini(input);
    joint_layouts_fini(input);
    free(input->p->q);
    free(input->p->v);
    free(input->p->a);
    free(input->p->effort);
    free(input->p->velocity_given);
    free(input->p->dependent);
    free(input->p->dof);
    free(input->p->may_miss);
    free(input->p->follower);
    free(input->p);
  }
  free(input);
}

void
joint_input_tune(joint_input_t * input, const joint_input_options_t * options)
{
  // a century is as good as never, and fits
  const double longest = 3e9;
  input->p->timeout = (int64_t)(1e9 * fmin(fmax(options->timeout, 0), longest));
  input->p->check_stamp = options->check_stamp;
  input->p->velocity = (joint_lowpass_t){.cutoff = options->velocity_cutoff};
  input->p->acceleration = (joint_lowpass_t){.cutoff = options->acceleration_cutoff};
}

//---------- the whole state ----------

// joints that no message has, where others lead them
static void
follow(joint_input_t * input)
{
  const mbd_body_t * bodies = input->p->tree->body;
  for (int n = 0; n < input->p->nfollower; n++) {
    const mbd_body_t * body = &bodies[input->p->follower[n]];
    const mbd_body_t * leader = &bodies[body->mimic_body];
    const int k = body->v_index, l = leader->v_index;
    if (input->p->dof[k].heard) continue;
    const double by = body->mimic_multiplier;
    input->p->q[body->q_index] = by * input->p->q[leader->q_index] + body->mimic_offset;
    input->p->v[k] = by * input->p->v[l];
    input->p->a[k] = by * input->p->a[l];
    input->p->velocity_given[k] = input->p->velocity_given[l];
  }
}

void
joint_input_restart(joint_input_t * input)
{
  const mbd_model_t * m = input->p->tree;
  struct joint_input_private * p = input->p;
  // false only for a model that is not finalized, which nobody has; with loops they are closed there
  if (mbd_neutral(input->model, p->q) != MBD_OK) memset(p->q, 0, (size_t)m->nq * sizeof *p->q);
  for (int k = 0; k < m->nv; k++) {
    input->p->v[k] = input->p->a[k] = 0;
    input->p->effort[k] = (double)NAN;
    input->p->velocity_given[k] = false;
    p->dof[k].heard = false;
    p->dof[k].stamp = 0;
  }
  input->effort_known = false;
  for (int i = 0; i <= JOINT_INPUT_LAYOUTS; i++) p->layout[i].clock = (joint_clock_t){0};
  p->base_clock = (joint_clock_t){0};
  follow(input);
  joint_loops_close(input);
}

void
joint_input_count_missing(joint_input_t * input)
{
  uint32_t missing = 0;
  for (int i = 0; i < input->p->tree->nbody; i++) {
    const mbd_body_t * body = &input->p->tree->body[i];
    bool seen = true;
    for (int k = 0; k < body->nv; k++) seen = seen && input->p->dof[body->v_index + k].seen;
    if (!seen && !input->p->may_miss[i]) missing++;
  }
  input->count.missing_joints = missing;
}

bool
joint_input_state(joint_input_t * input, int64_t arrival)
{
  input->missing_name[0] = 0;
  if (input->p->open) {
    strncat(input->missing_name, "the loop closure", sizeof input->missing_name - 1);
    return false;
  }
  for (int k = 0; k < input->p->tree->nv; k++) {
    const joint_dof_t * dof = &input->p->dof[k];
    const int i = input->p->tree->dof_body[k];
    const bool known =
      dof->heard ? arrival - dof->arrival <= input->p->timeout : input->p->may_miss[i];
    if (known) continue;
    const char * name = input->p->tree->body[i].joint_name;
    strncat(input->missing_name, name, sizeof input->missing_name - 1);
    return false;
  }
  return true;
}

double
joint_input_velocity(const joint_input_t * input, int k)
{
  return input->p->dof[k].heard ? input->p->v[k] : (double)NAN;
}

//---------- joint states ----------

static bool
count_refused(uint64_t * counter)
{
  (*counter)++;
  return false;
}

// what the message says about its i-th name, NaN where it says nothing
static double
number_or_nan(const wire_numbers_t * numbers, uint32_t i)
{
  if (numbers->n == 0) return (double)NAN;
  return wire_number(numbers, i);
}

// Efforts that are NaN are unknown; so are velocities of a joint that never had any (drivers say so
// for joints without a sensor). A velocity that was there and is gone is an error.
static bool
is_sound(const joint_input_t * input, const joint_layout_t * layout, const wire_joint_state_t * m)
{
  for (uint32_t n = 0; n < layout->nentry; n++) {
    const joint_entry_t entry = layout->entry[n];
    const double velocity = number_or_nan(&m->velocity, entry.from);
    if (!isfinite(wire_number(&m->position, entry.from))) return false;
    if (isinf(velocity) || isinf(number_or_nan(&m->effort, entry.from))) return false;
    const bool gone = m->velocity.n && isnan(velocity);
    if (gone && input->p->dof[entry.to].velocity_seen) return false;
  }
  return true;
}

// Limits are not enforced on what was measured: a robot can be pushed beyond them, and an encoder can
// be off by a turn. Further out it is not the robot's position.
static bool
is_plausible(
  const joint_input_t * input, const joint_layout_t * layout, const wire_joint_state_t * m)
{
  static const double TURN = 6.283185307179586;
  const mbd_model_t * tree = input->p->tree;
  for (uint32_t n = 0; n < layout->nentry; n++) {
    const joint_entry_t entry = layout->entry[n];
    const mbd_limits_t * limits = &tree->body[tree->dof_body[entry.to]].limits;
    const double margin = limits->upper - limits->lower + TURN;
    const double x = wire_number(&m->position, entry.from);
    const double v = number_or_nan(&m->velocity, entry.from);
    if (x < fmax(limits->lower - margin, -JOINT_INPUT_FARTHEST)) return false;
    if (x > fmin(limits->upper + margin, JOINT_INPUT_FARTHEST)) return false;
    if (fabs(v) > JOINT_INPUT_FASTEST) return false;
  }
  return true;
}

static bool
take_joint(
  joint_input_t * input, joint_entry_t entry, const wire_joint_state_t * m, int64_t arrival)
{
  const mbd_body_t * body = &input->p->tree->body[input->p->tree->dof_body[entry.to]];
  const joint_sample_t sample = {
    wire_number(&m->position, entry.from), number_or_nan(&m->velocity, entry.from), m->stamp,
    arrival};
  if (!joint_filter_take(input, entry.to, &sample)) return false;
  input->p->q[body->q_index + entry.to - body->v_index] = sample.position;
  input->p->effort[entry.to] = number_or_nan(&m->effort, entry.from);
  if (!isnan(sample.velocity)) input->p->dof[entry.to].velocity_seen = true;
  return true;
}

static void
look_at_efforts(joint_input_t * input)
{
  input->effort_known = true;
  for (int i = 0; i < input->p->tree->nbody; i++) {
    const mbd_body_t * body = &input->p->tree->body[i];
    if (body->nv != 1 || input->p->dependent[body->v_index]) continue;
    if (isnan(input->p->effort[body->v_index])) input->effort_known = false;
  }
}

// \return false if all of it is older than what is there
static bool
take_joints(
  joint_input_t * input, const joint_layout_t * layout, const wire_joint_state_t * m,
  int64_t arrival)
{
  bool taken = false, differentiated = false, found = false;
  for (uint32_t n = 0; n < layout->nentry; n++) {
    const joint_entry_t entry = layout->entry[n];
    joint_dof_t * dof = &input->p->dof[entry.to];
    dof->taken = take_joint(input, entry, m, arrival);
    if (!dof->taken) continue;
    taken = true;
    found = found || !dof->seen;
    dof->seen = true;
    if (!input->p->velocity_given[entry.to]) differentiated = true;
  }
  joint_filter_planar(input);
  for (uint32_t n = 0; n < layout->nentry; n++) {
    const int k = layout->entry[n].to;
    if (input->p->dof[k].taken) joint_filter_acceleration(input, k);
  }
  if (differentiated) input->count.differentiated++;
  if (found) joint_input_count_missing(input);
  return taken;
}

static bool
take_message(
  joint_input_t * input, joint_layout_t * layout, const wire_joint_state_t * m, int64_t now,
  int64_t arrival)
{
  joint_input_counts_t * count = &input->count;
  if (!is_sound(input, layout, m)) return count_refused(&count->not_finite);
  if (!is_plausible(input, layout, m)) return count_refused(&count->implausible);
  if (!joint_clock_pass(input, &layout->clock, m->stamp, now, arrival)) return false;
  if (!take_joints(input, layout, m, arrival)) return count_refused(&count->backwards);
  look_at_efforts(input);
  follow(input);
  joint_loops_close(input);
  count->taken++;
  return true;
}

bool
joint_input_take(
  joint_input_t * input, const uint8_t * buffer, size_t size, int64_t now, int64_t arrival)
{
  joint_input_counts_t * count = &input->count;
  wire_joint_state_t m;
  count->messages++;
  if (!wire_read_joint_state(buffer, size, &m)) return count_refused(&count->malformed);
  joint_layout_t * layout = joint_layout_find(input, &m.names);
  if (layout->duplicate) return count_refused(&count->duplicates);
  if (layout->nentry == 0) return count_refused(&count->no_joint);
  if (m.position.n == 0) return count_refused(&count->malformed);
  if (!take_message(input, layout, &m, now, arrival)) return false;
  input->stamp = m.stamp ? m.stamp : now;
  return true;
}

//---------- by index ----------

static wire_numbers_t
numbers_of(const double * x, int n)
{
  return (wire_numbers_t){.data = (const uint8_t *)x, .n = x ? (uint32_t)n : 0};
}

bool
joint_input_take_values(
  joint_input_t * input, int first, const double * position, const double * velocity,
  const double * effort, int64_t arrival)
{
  const mbd_model_t * tree = input->p->tree;
  const int n = tree->nv - first;
  const wire_joint_state_t m = {
    .position = numbers_of(position, n),
    .velocity = numbers_of(velocity, n),
    .effort = numbers_of(effort, n)};
  joint_layout_t * layout = &input->p->layout[JOINT_INPUT_LAYOUTS];
  layout->nentry = 0;
  input->count.messages++;
  for (int k = first; k < tree->nv; k++) {
    const int i = tree->dof_body[k];
    if (!joint_layout_readable(&tree->body[i])) continue;
    if (input->p->may_miss[i] && isnan(position[k - first])) continue;
    layout->entry[layout->nentry++] = (joint_entry_t){(uint32_t)(k - first), k};
  }
  if (layout->nentry == 0) return count_refused(&input->count.no_joint);
  if (!take_message(input, layout, &m, 0, arrival)) return false;
  input->stamp = 0;
  return true;
}

//---------- the free base ----------

static bool
all_finite(const double * x, int n)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

static bool
all_within(const double * x, int n, double limit)
{
  for (int i = 0; i < n; i++) {
    if (fabs(x[i]) > limit) return false;
  }
  return true;
}

// \return false if it has no direction
static bool
normalise(double * q)
{
  // scaled first: squares of tiny and huge numbers are lost
  double big = 0;
  for (int i = 0; i < 4; i++) big = fmax(big, fabs(q[i]));
  if (!(big > 0)) return false;
  double square = 0;
  for (int i = 0; i < 4; i++) {
    q[i] /= big;
    square += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
  return true;
}

static void
take_pose_and_twist(joint_input_t * input, const wire_odometry_t * m, int64_t arrival)
{
  // a free base comes first in q and in v
  memcpy(input->p->q, m->pose, sizeof m->pose);
  for (int k = 0; k < 6; k++) {
    const joint_sample_t sample = {0, m->twist[k], m->stamp, arrival};
    if (joint_filter_take(input, k, &sample)) joint_filter_acceleration(input, k);
  }
  if (input->p->dof[0].seen) return;
  for (int k = 0; k < 6; k++) input->p->dof[k].seen = true;
  joint_input_count_missing(input);
}

static bool
take_base(joint_input_t * input, wire_odometry_t * m, int64_t now, int64_t arrival)
{
  joint_input_counts_t * count = &input->count;
  const mbd_model_t * model = input->p->tree;
  if (model->nbody == 0 || model->body[0].type != MBD_JOINT_FREE)
    return count_refused(&count->no_joint);
  if (!all_finite(m->pose, 7) || !all_finite(m->twist, 6)) return count_refused(&count->not_finite);
  if (
    !all_within(m->pose, 3, JOINT_INPUT_FARTHEST) ||
    !all_within(m->twist, 6, JOINT_INPUT_FASTEST)) {
    return count_refused(&count->implausible);
  }
  if (!normalise(m->pose + 3)) return count_refused(&count->malformed);
  if (!joint_clock_pass(input, &input->p->base_clock, m->stamp, now, arrival)) return false;
  take_pose_and_twist(input, m, arrival);
  joint_loops_close(input);
  // results carry the stamp of joint states, if the robot has joints
  if (model->nbody == 1) input->stamp = m->stamp ? m->stamp : now;
  count->taken++;
  return true;
}

bool
joint_input_take_base(
  joint_input_t * input, const uint8_t * buffer, size_t size, int64_t now, int64_t arrival)
{
  wire_odometry_t m;
  input->count.messages++;
  if (!wire_read_odometry(buffer, size, &m)) return count_refused(&input->count.malformed);
  return take_base(input, &m, now, arrival);
}

bool
joint_input_take_base_values(
  joint_input_t * input, const double * pose, const double * twist, int64_t arrival)
{
  wire_odometry_t m = {0};
  memcpy(m.pose, pose, sizeof m.pose);
  memcpy(m.twist, twist, sizeof m.twist);
  input->count.messages++;
  return take_base(input, &m, 0, arrival);
}
