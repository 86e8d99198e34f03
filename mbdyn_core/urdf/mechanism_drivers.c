// Prescribed motions of joints: a list `drivers` in YAML, and their values in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism_internal.h"

enum { MOST_DRIVERS = 1024 };

//---------- values ----------

static void
add_polynomial(const mechanism_motion_t * m, double t, double * s)
{
  // Horner, with both derivatives
  double p = 0, d = 0, dd = 0;
  for (int k = m->npolynomial - 1; k >= 0; k--) {
    dd = dd * t + 2 * d;
    d = d * t + p;
    p = p * t + m->polynomial[k];
  }
  s[0] += p, s[1] += d, s[2] += dd;
}

// the interval [i, i + 1] of n ascending times that t is in, between the first and the last
static int
interval_of(const double * times, int n, double t)
{
  int lo = 0, hi = n - 1;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (times[mid] <= t)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

// natural cubic spline; constant before the first and after the last point
static void
add_table(const mechanism_motion_t * m, double t, double * s)
{
  const int n = m->npoint;
  if (n == 0) return;
  if (t <= m->t[0] || t >= m->t[n - 1]) {
    s[0] += t <= m->t[0] ? m->x[0] : m->x[n - 1];
    return;
  }
  const int lo = interval_of(m->t, n, t), hi = lo + 1;
  const double h = m->t[hi] - m->t[lo], b = (t - m->t[lo]) / h, a = 1 - b;
  const double p = m->second[lo], q = m->second[hi];
  s[0] += a * m->x[lo] + b * m->x[hi] + ((a * a * a - a) * p + (b * b * b - b) * q) * h * h / 6;
  s[1] += (m->x[hi] - m->x[lo]) / h + ((3 * b * b - 1) * q - (3 * a * a - 1) * p) * h / 6;
  s[2] += a * p + b * q;
}

// from point to point by quintics, at rest in each
static void
add_steps(const mechanism_motion_t * m, double t, double * s)
{
  const int n = m->nstep;
  if (n == 0) return;
  if (t <= m->step_t[0] || t >= m->step_t[n - 1]) {
    s[0] += t <= m->step_t[0] ? m->step_x[0] : m->step_x[n - 1];
    return;
  }
  const int i = interval_of(m->step_t, n, t);
  const double h = m->step_t[i + 1] - m->step_t[i], u = (t - m->step_t[i]) / h;
  const double d = m->step_x[i + 1] - m->step_x[i], w = u * (1 - u);
  s[0] += m->step_x[i] + d * u * u * u * (10 - u * (15 - 6 * u));
  s[1] += 30 * d / h * w * w;
  s[2] += 60 * d / (h * h) * w * (1 - 2 * u);
}

void
mechanism_motion_at(void * motion, double t, double * value, double * rate, double * second)
{
  const mechanism_motion_t * m = motion;
  const double w = 2 * acos(-1.0) * m->frequency, angle = w * t + m->phase;
  double s[3] = {
    m->value + m->rate * t + m->amplitude * sin(angle), m->rate + m->amplitude * w * cos(angle),
    -m->amplitude * w * w * sin(angle)};
  add_polynomial(m, t, s);
  add_table(m, t, s);
  add_steps(m, t, s);
  *value = s[0], *rate = s[1], *second = s[2];
}

// second derivatives at the points: zero at both ends
static void
solve_spline(mechanism_motion_t * m, double * work)
{
  const int n = m->npoint;
  m->second[0] = m->second[n - 1] = work[0] = 0;
  for (int i = 1; i < n - 1; i++) {
    const double left = m->t[i] - m->t[i - 1], right = m->t[i + 1] - m->t[i];
    const double slope = (m->x[i + 1] - m->x[i]) / right - (m->x[i] - m->x[i - 1]) / left;
    const double pivot = 2 * (left + right) - left * work[i - 1];
    work[i] = right / pivot;
    m->second[i] = (6 * slope - left * m->second[i - 1]) / pivot;
  }
  for (int i = n - 2; i > 0; i--) m->second[i] -= work[i] * m->second[i + 1];
}

void
mechanism_free_motion(mechanism_motion_t * motion)
{
  free(motion->t);
  free(motion->step_t);
}

//---------- reading ----------

static void
read_sine_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_motion_t * m = to;
  if (strcmp(key, "amplitude") == 0) {
    urdf_yaml_number(r, value, key, &m->amplitude);
  } else if (strcmp(key, "frequency") == 0) {
    urdf_yaml_number(r, value, key, &m->frequency);
  } else if (strcmp(key, "phase") == 0) {
    urdf_yaml_number(r, value, key, &m->phase);
  } else {
    urdf_yaml_unknown(r, key, value, "known keys: amplitude, frequency [Hz], phase [rad]");
  }
}

// [[t, x], ...] with ascending times into the front of a new block of `columns` times as many numbers;
// NULL with a sentence, or when out of memory
static double *
read_points(
  urdf_yaml_t * r, const yaml_node_t * node, const char * key, size_t columns, int * count)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  long n = 0;
  const yaml_node_item_t * item = NULL;
  if (node->type == YAML_SEQUENCE_NODE) {
    item = node->data.sequence.items.start;
    n = (long)(node->data.sequence.items.top - item);
  }
  if (n < 2 || n > MECHANISM_POINTS) {
    urdf_say(
      r->loader, MBDX_ERROR, place, "write [[t, x], ...]", "%s has not 2 to %d points", key,
      MECHANISM_POINTS);
    return NULL;
  }
  double * t = calloc(columns * (size_t)n, sizeof *t);
  if (!t) r->loader->out_of_memory = true;
  for (long i = 0; t && i < n; i++) {
    const yaml_node_t * point = urdf_yaml_node(r, item[i]);
    double pair[2] = {0, 0};
    place.line = yaml_tree_line(point);
    bool good = mechanism_numbers(r, point, "a point", 2, 2, pair) > 0;
    t[i] = pair[0], t[n + i] = pair[1];
    if (good && i > 0 && !(t[i] > t[i - 1])) {
      urdf_say(
        r->loader, MBDX_ERROR, place, "sort the points by time", "times of %s do not ascend", key);
      good = false;
    }
    if (good) continue;
    free(t);
    t = NULL;
  }
  *count = (int)n;
  return t;
}

static void
read_table(urdf_yaml_t * r, const yaml_node_t * node, mechanism_motion_t * m)
{
  int n;
  double * t = read_points(r, node, "table", 4, &n);
  if (!t) return;
  m->npoint = n;
  m->t = t, m->x = t + n, m->second = m->x + n;
  solve_spline(m, m->second + n);
}

static void
read_steps(urdf_yaml_t * r, const yaml_node_t * node, mechanism_motion_t * m)
{
  int n;
  double * t = read_points(r, node, "steps", 2, &n);
  if (!t) return;
  m->nstep = n;
  m->step_t = t, m->step_x = t + n;
}

static void
read_driver_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  mechanism_driver_t * d = to;
  mechanism_motion_t * m = d->motion;
  if (strcmp(key, "joint") == 0) {
    d->joint = urdf_yaml_text(r, value, key);
  } else if (strcmp(key, "value") == 0) {
    urdf_yaml_number(r, value, key, &m->value);
  } else if (strcmp(key, "rate") == 0) {
    urdf_yaml_number(r, value, key, &m->rate);
  } else if (strcmp(key, "sine") == 0) {
    urdf_yaml_mapping(r, value, key, read_sine_key, m);
  } else if (strcmp(key, "polynomial") == 0) {
    m->npolynomial = mechanism_numbers(r, value, key, 1, MECHANISM_POLYNOMIAL, m->polynomial);
  } else if (strcmp(key, "table") == 0) {
    read_table(r, value, m);
  } else if (strcmp(key, "steps") == 0) {
    read_steps(r, value, m);
  } else if (strcmp(key, "name") != 0) {
    urdf_yaml_unknown(
      r, key, value, "known keys: name, joint, value, rate, sine, polynomial, table, steps");
  }
}

static void
check_driver(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const mechanism_driver_t * d)
{
  const urdf_place_t place = {"driver", d->name, d->line};
  if (!d->name || *d->name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "give it one", "has no name");
  }
  for (const mechanism_driver_t * other = tables->driver; other < d; other++) {
    const bool same = other->joint && d->joint && strcmp(other->joint, d->joint) == 0;
    if (!same) continue;
    urdf_say(
      loader, MBDX_ERROR, place, "keep one of them", "the joint is driven on line %d already",
      other->line);
  }
  const int j = d->joint ? urdf_find_joint(&loader->robot, d->joint) : -1;
  if (!d->joint) {
    urdf_say(loader, MBDX_ERROR, place, "add joint: ...", "joint is missing");
  } else if (j < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "there is no joint %s", urdf_name(d->joint).s);
  } else if (!urdf_one_dof(&loader->robot.joint[j])) {
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "joint %s does not have one degree of freedom",
      urdf_name(d->joint).s);
  }
}

void
mechanism_read_driver(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables)
{
  urdf_loader_t * loader = r->loader;
  const urdf_place_t outside = r->place;
  r->place = (urdf_place_t){"driver", NULL, yaml_tree_line(node)};
  if (tables->ndriver >= MOST_DRIVERS) {
    urdf_fail(loader, MBD_ERROR_LIMIT, r->place, NULL, "more than %d drivers", MOST_DRIVERS);
    return;
  }
  mechanism_motion_t * motion = calloc(1, sizeof *motion);
  if (
    !motion || !urdf_reserve(
                 loader, (void **)&tables->driver, tables->ndriver, &tables->driver_capacity,
                 sizeof *tables->driver)) {
    loader->out_of_memory = true;
    free(motion);
    return;
  }
  mechanism_driver_t * d = &tables->driver[tables->ndriver++];
  *d = (mechanism_driver_t){.line = r->place.line, .motion = motion};
  const yaml_node_t * name = urdf_yaml_value(r, node, "name");
  if (name) r->place.name = d->name = urdf_yaml_text(r, name, "name");
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  urdf_yaml_mapping(r, node, "a driver", read_driver_key, d);
  if (loader->status == MBD_OK) check_driver(loader, tables, d);
  if (loader->status == MBD_OK) loader->status = before;
  r->place = outside;
}

void
mechanism_drive_initial(urdf_loader_t * loader, mechanism_tables_t * tables)
{
  for (int k = 0; k < tables->ninitial && tables->ndriver < MOST_DRIVERS; k++) {
    const mechanism_initial_t * i = &tables->initial[k];
    const int j = urdf_find_joint(&loader->robot, i->joint);
    if (i->nv != 1 || i->v[0] == 0 || j < 0 || !urdf_one_dof(&loader->robot.joint[j])) continue;
    mechanism_motion_t * motion = calloc(1, sizeof *motion);
    if (
      !motion || !urdf_reserve(
                   loader, (void **)&tables->driver, tables->ndriver, &tables->driver_capacity,
                   sizeof *tables->driver)) {
      loader->out_of_memory = true;
      free(motion);
      return;
    }
    motion->value = i->nq == 1 ? i->q[0] : 0;
    motion->rate = i->v[0];
    tables->driver[tables->ndriver++] =
      (mechanism_driver_t){.name = i->joint, .joint = i->joint, .line = i->line, .motion = motion};
  }
}
