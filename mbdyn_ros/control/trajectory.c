// Joint trajectories: checked once, then polynomials that are looked up.
#include "trajectory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference_limits.h"

// where a segment is looked at, besides its ends
enum { LOOKS = 16 };

// what trajectory_create was given, and where complaints go
typedef struct source {
  const mbd_model_t * model;
  int njoint;
  const char * const * name;
  int npoint;
  const trajectory_point_t * point;
  const double *from_position, *from_velocity, *max_acceleration;
  char * reason;
  size_t size;
} source_t;

__attribute__((format(printf, 2, 3))) static bool
refuse_trajectory(const source_t * s, const char * format, ...)
{
  va_list list;
  va_start(list, format);
  if (s->reason && s->size > 0) vsnprintf(s->reason, s->size, format, list);
  va_end(list);
  return false;
}

//---------- checks ----------

static bool
find_joints(const source_t * s, trajectory_t * t)
{
  for (int j = 0; j < s->njoint; j++) {
    const char * name = s->name[j];
    int body;
    if (mbd_find_joint(s->model, name, &body) != MBD_OK) {
      return refuse_trajectory(s, "the robot has no moving joint '%s'", name);
    }
    if (s->model->body[body].nv != 1 || s->model->body[body].nq != 1) {
      return refuse_trajectory(s, "joint '%s' does not have one degree of freedom", name);
    }
    t->dof[j] = s->model->body[body].v_index;
    t->q_index[j] = s->model->body[body].q_index;
    for (int i = 0; i < j; i++) {
      if (t->dof[i] == t->dof[j]) return refuse_trajectory(s, "duplicate joint '%s'", name);
    }
  }
  return true;
}

static bool
check_numbers(const source_t * s, int i, const double * x, const char * what)
{
  for (int j = 0; x && j < s->njoint; j++) {
    if (isfinite(x[j])) continue;
    return refuse_trajectory(s, "point %d: %s of '%s' is not finite", i, what, s->name[j]);
  }
  return true;
}

static const mbd_limits_t *
limits_of(const mbd_model_t * model, const trajectory_t * t, int j)
{
  return &model->body[model->dof_body[t->dof[j]]].limits;
}

// 0: any
static double
max_acceleration(const source_t * s, const trajectory_t * t, int j)
{
  return s->max_acceleration ? s->max_acceleration[t->dof[j]] : 0;
}

static bool
check_limits(const source_t * s, const trajectory_t * t, int i)
{
  const trajectory_point_t * p = &s->point[i];
  for (int j = 0; j < s->njoint; j++) {
    const mbd_limits_t * limits = limits_of(s->model, t, j);
    const double x = p->position[j], v = p->velocity ? p->velocity[j] : 0;
    const double a = p->acceleration ? p->acceleration[j] : 0, most = max_acceleration(s, t, j);
    switch (reference_fault(limits, most, x, v, a)) {
      case REFERENCE_GOOD: continue;
      case REFERENCE_ACCELERATION:
        return refuse_trajectory(
          s, "point %d: acceleration of '%s' is %g, max_reference_acceleration %g", i, s->name[j],
          a, most);
      case REFERENCE_VELOCITY:
        return refuse_trajectory(
          s, "point %d: velocity of '%s' is %g, its limit %g", i, s->name[j], v,
          reference_velocity_limit(limits));
      default:
        return refuse_trajectory(
          s, "point %d: '%s' at %g is outside its limits of %g to %g", i, s->name[j], x,
          limits->lower, limits->upper);
    }
  }
  return true;
}

static bool
check_point(const source_t * s, const trajectory_t * t, int i)
{
  const trajectory_point_t * p = &s->point[i];
  if (!isfinite(p->time) || p->time < 0) {
    return refuse_trajectory(
      s, "point %d: its time is %g s; it must be finite and not negative", i, p->time);
  }
  if (i > 0 && !(p->time > p[-1].time)) {
    return refuse_trajectory(
      s, "point %d: its time of %g s is not after the %g s of the point before", i, p->time,
      p[-1].time);
  }
  if (!p->position) return refuse_trajectory(s, "point %d has no positions", i);
  if (p->acceleration && !p->velocity) {
    return refuse_trajectory(s, "point %d has accelerations but no velocities", i);
  }
  return check_numbers(s, i, p->position, "position") &&
         check_numbers(s, i, p->velocity, "velocity") &&
         check_numbers(s, i, p->acceleration, "acceleration") && check_limits(s, t, i);
}

static bool
check_points(const source_t * s, const trajectory_t * t)
{
  for (int i = 0; i < s->npoint; i++) {
    if (!check_point(s, t, i)) return false;
  }
  if (s->point[0].time > 0 && !s->from_position) {
    return refuse_trajectory(
      s, "the first point is at %g s and the current joint positions are unknown",
      s->point[0].time);
  }
  return true;
}

//---------- polynomials ----------

// one joint at one point
typedef struct knot {
  double x, v, a;
  int known;  // derivatives that the point has
} knot_t;

static int
derivatives(const trajectory_point_t * p)
{
  return p->acceleration ? 2 : p->velocity ? 1 : 0;
}

static knot_t
knot_of(const trajectory_point_t * p, int j)
{
  const knot_t k = {
    p->position[j], p->velocity ? p->velocity[j] : 0, p->acceleration ? p->acceleration[j] : 0,
    derivatives(p)};
  return k;
}

// where the robot is, with as much as the first point has so that they make one polynomial
static knot_t
knot_from(const source_t * s, const trajectory_t * t, int j)
{
  const double v = s->from_velocity ? s->from_velocity[t->dof[j]] : 0;
  const knot_t k = {s->from_position[t->q_index[j]], v, 0, derivatives(&s->point[0])};
  return k;
}

// coefficients that take a to b in the time h
static void
polynomial(knot_t a, knot_t b, double h, double * c)
{
  const double dx = (b.x - a.x) / h;
  memset(c, 0, 6 * sizeof *c);
  c[0] = a.x, c[1] = dx;
  if (a.known < 1 || b.known < 1) return;
  c[1] = a.v;
  if (a.known < 2 || b.known < 2) {
    c[2] = (3 * dx - 2 * a.v - b.v) / h;
    c[3] = (a.v + b.v - 2 * dx) / (h * h);
    return;
  }
  const double h2 = h * h;
  c[2] = a.a / 2;
  c[3] = (20 * dx - 8 * b.v - 12 * a.v - (3 * a.a - b.a) * h) / (2 * h2);
  c[4] = (-30 * dx + 14 * b.v + 16 * a.v + (3 * a.a - 2 * b.a) * h) / (2 * h2 * h);
  c[5] = (12 * dx - 6 * (b.v + a.v) + (b.a - a.a) * h) / (2 * h2 * h2);
}

static double
position_at(const double * c, double x)
{
  return c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
}

static double
velocity_at(const double * c, double x)
{
  return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])));
}

static double
acceleration_at(const double * c, double x)
{
  return 2 * c[2] + x * (6 * c[3] + x * (12 * c[4] + x * 20 * c[5]));
}

// A polynomial is looked at where a planner has not: points at rest a moment apart are a jump, and
// velocities at its ends carry a slow one far beyond both. Where the robot is already counts as within.
static bool
check_segment(const source_t * s, const trajectory_t * t, int i, int j, knot_t a, knot_t b)
{
  const double * c = t->coefficient + 6 * ((size_t)i * (size_t)t->njoint + (size_t)j);
  const mbd_limits_t * limits = limits_of(s->model, t, j);
  const double h = t->time[i + 1] - t->time[i], range = limits->upper - limits->lower;
  const double margin = isfinite(range) ? TRAJECTORY_OVERSHOOT_POSITION * range : 0;
  const double low = fmin(fmin(a.x, b.x), limits->lower) - margin;
  const double high = fmax(fmax(a.x, b.x), limits->upper) + margin;
  const double fastest = (1 + TRAJECTORY_OVERSHOOT_VELOCITY) * reference_velocity_limit(limits);
  for (int k = 0; k <= LOOKS; k++) {
    const double x = position_at(c, h * k / LOOKS), v = velocity_at(c, h * k / LOOKS);
    if (!(x >= low - REFERENCE_TOLERANCE && x <= high + REFERENCE_TOLERANCE)) {
      return refuse_trajectory(
        s, "'%s' would be at %g between %g s and %g s, outside its limits of %g to %g", s->name[j],
        x, t->time[i], t->time[i + 1], limits->lower, limits->upper);
    }
    if (!(fabs(v) <= fastest)) {
      return refuse_trajectory(
        s, "'%s' would have a velocity of %g between %g s and %g s, its limit is %g", s->name[j], v,
        t->time[i], t->time[i + 1], reference_velocity_limit(limits));
    }
    const double acceleration = acceleration_at(c, h * k / LOOKS), most = max_acceleration(s, t, j);
    if (most > 0 && !(fabs(acceleration) <= most)) {
      return refuse_trajectory(
        s,
        "'%s' would have an acceleration of %g between %g s and %g s, max_reference_acceleration "
        "is %g",
        s->name[j], acceleration, t->time[i], t->time[i + 1], most);
    }
  }
  return true;
}

static bool
fill_segment(const source_t * s, trajectory_t * t, int i, int j, knot_t a, knot_t b)
{
  double * c = t->coefficient + 6 * ((size_t)i * (size_t)t->njoint + (size_t)j);
  polynomial(a, b, t->time[i + 1] - t->time[i], c);
  for (int k = 0; k < 6; k++) {
    if (isfinite(c[k])) continue;
    return refuse_trajectory(
      s, "'%s' cannot go from %g to %g between %g s and %g s", s->name[j], a.x, b.x, t->time[i],
      t->time[i + 1]);
  }
  return check_segment(s, t, i, j, a, b);
}

// points are numbered with the added one, if any
static bool
fill_trajectory(const source_t * s, trajectory_t * t)
{
  const int added = t->npoint - s->npoint;
  for (int i = 0; i < t->npoint; i++) t->time[i] = i < added ? 0 : s->point[i - added].time;
  t->duration = t->time[t->npoint - 1];
  for (int j = 0; j < t->njoint; j++) {
    knot_t a = added ? knot_from(s, t, j) : knot_of(&s->point[0], j);
    t->first[j] = a.x;
    for (int i = 1; i < t->npoint; i++) {
      const knot_t b = knot_of(&s->point[i - added], j);
      if (!fill_segment(s, t, i - 1, j, a, b)) return false;
      a = b;
    }
    t->last[j] = a.x;
  }
  return true;
}

//---------- life ----------

static void
destroy(mail_t * mail)
{
  free(mail);
}

// the struct and all its arrays in one block; NULL if there is no memory for it
static trajectory_t *
allocate(int njoint, int npoint)
{
  const size_t nj = (size_t)njoint, np = (size_t)npoint;
  const size_t segment = nj * 6;
  if (segment / 6 != nj || np > SIZE_MAX / 64 / segment) return NULL;
  const size_t numbers = np + (np - 1) * segment + 4 * nj;
  trajectory_t * t = calloc(1, sizeof *t + numbers * sizeof(double) + 2 * nj * sizeof(int));
  if (!t) return NULL;
  t->mail.destroy = destroy;
  t->njoint = njoint, t->npoint = npoint;
  t->time = (double *)(void *)(t + 1);
  t->coefficient = t->time + np;
  t->first = t->coefficient + (np - 1) * segment;
  t->last = t->first + nj;
  t->path_position = t->last + nj;
  t->path_velocity = t->path_position + nj;
  t->dof = (int *)(void *)(t->path_velocity + nj);
  t->q_index = t->dof + nj;
  return t;
}

trajectory_t *
trajectory_create(
  const mbd_model_t * model, int njoint, const char * const * name, int npoint,
  const trajectory_point_t * point, const double * from_position, const double * from_velocity,
  const double * max_acceleration, int64_t start, char * reason, size_t size)
{
  const source_t s = {model,         njoint,           name,   npoint, point, from_position,
                      from_velocity, max_acceleration, reason, size};
  if (njoint < 1 || npoint < 1) {
    refuse_trajectory(&s, njoint < 1 ? "no joint names" : "no points");
    return NULL;
  }
  const bool added = point[0].time > 0;
  trajectory_t * t = allocate(njoint, npoint + added);
  if (!t) {
    refuse_trajectory(&s, "out of memory");
    return NULL;
  }
  t->start = start;
  t->started = start != 0;
  t->begins = added ? derivatives(&point[0]) : -1;
  if (find_joints(&s, t) && check_points(&s, t) && fill_trajectory(&s, t)) return t;
  free(t);
  return NULL;
}

void
trajectory_begin_at(trajectory_t * t, const double * q, const double * v)
{
  if (t->begins < 0 || t->started) return;
  const double h = t->time[1];
  for (int j = 0; j < t->njoint; j++) {
    double * c = t->coefficient + 6 * (size_t)j;
    const knot_t a = {q[t->q_index[j]], v[t->dof[j]], 0, t->begins};
    const knot_t b = {position_at(c, h), velocity_at(c, h), acceleration_at(c, h), t->begins};
    polynomial(a, b, h, c);
    t->first[j] = a.x;
  }
}

//---------- sampling ----------

// the last point that is not after x; x is within [0, duration)
static int
segment_at(const trajectory_t * t, double x)
{
  int low = 0, high = t->npoint - 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    if (t->time[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void
rest(const trajectory_t * t, const double * position, double * q, double * v, double * a)
{
  for (int j = 0; j < t->njoint; j++) {
    q[t->q_index[j]] = position[j];
    v[t->dof[j]] = a[t->dof[j]] = 0;
  }
}

bool
trajectory_sample(trajectory_t * trajectory, int64_t now, double * q, double * v, double * a)
{
  trajectory_t * t = trajectory;
  if (!t->started) t->start = now, t->started = true;
  if (now < t->start) {
    rest(t, t->first, q, v, a);
    return true;
  }
  // without a sign, so that no two times are too far apart
  const double since = 1e-9 * (double)((uint64_t)now - (uint64_t)t->start);
  if (since >= t->duration) {
    rest(t, t->last, q, v, a);
    return false;
  }
  const int i = segment_at(t, since);
  const double x = since - t->time[i];
  for (int j = 0; j < t->njoint; j++) {
    const double * c = t->coefficient + 6 * ((size_t)i * (size_t)t->njoint + (size_t)j);
    q[t->q_index[j]] = position_at(c, x);
    v[t->dof[j]] = velocity_at(c, x);
    a[t->dof[j]] = acceleration_at(c, x);
  }
  return true;
}

//---------- admission ----------

// where a joint's reference would be at this time
static double
sample_joint(const trajectory_t * t, int j, int64_t now)
{
  if (!t->started || now < t->start) return t->first[j];
  const double since = 1e-9 * (double)((uint64_t)now - (uint64_t)t->start);
  if (since >= t->duration) return t->last[j];
  const int i = segment_at(t, since);
  const double * c = t->coefficient + 6 * ((size_t)i * (size_t)t->njoint + (size_t)j);
  return position_at(c, since - t->time[i]);
}

int
trajectory_step(
  const trajectory_t * trajectory, int64_t now, const double * from, const double * max_step)
{
  const trajectory_t * t = trajectory;
  for (int j = 0; j < t->njoint; j++) {
    const double most = max_step[t->dof[j]];
    if (!(most > 0) || fabs(sample_joint(t, j, now) - from[t->q_index[j]]) <= most) continue;
    return j;
  }
  return -1;
}

bool
trajectory_admit(
  const trajectory_t * trajectory, const mbd_model_t * model, int64_t now, const double * from,
  const double * max_step, char * reason, size_t size)
{
  const trajectory_t * t = trajectory;
  const int j = trajectory_step(t, now, from, max_step);
  if (j < 0) return true;
  snprintf(
    reason, size, "it starts with a jump of %g in '%s'; max_reference_step is %g",
    sample_joint(t, j, now) - from[t->q_index[j]],
    model->body[model->dof_body[t->dof[j]]].joint_name, max_step[t->dof[j]]);
  return false;
}
