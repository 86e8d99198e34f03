// Goals of FollowJointTrajectory: from joints and positions of the command line, from a table.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "csv.h"
#include "ros_action.h"

static json_t *
duration_json(double seconds)
{
  const double whole = floor(seconds);
  return json_pack(
    "{s:I,s:I}", "sec", (json_int_t)whole, "nanosec", (json_int_t)(1e9 * (seconds - whole)));
}

// one tolerance for all joints
static void
add_tolerances(json_t * goal, const char * field, const json_t * names, double tolerance)
{
  if (tolerance < 0) return;
  json_t * list = json_array();
  for (size_t j = 0; j < json_array_size(names); j++) {
    json_array_append_new(
      list, json_pack("{s:O,s:f}", "name", json_array_get(names, j), "position", tolerance));
  }
  json_object_set_new(goal, field, list);
}

// takes both references
static json_t *
goal_of(const ros_args_t * args, json_t * names, json_t * points)
{
  json_t * goal = json_pack("{s:{s:O,s:o}}", "trajectory", "joint_names", names, "points", points);
  add_tolerances(goal, "path_tolerance", names, args->path_tolerance);
  add_tolerances(goal, "goal_tolerance", names, args->goal_tolerance);
  if (args->goal_time >= 0) {
    json_object_set_new(goal, "goal_time_tolerance", duration_json(args->goal_time));
  }
  json_decref(names);
  return goal;
}

//---------- one point ----------

json_t *
ros_goal_of_point(const ros_args_t * args, const char * const * text, int n)
{
  json_t *names = json_array(), *positions = json_array(), *rest = json_array();
  bool good = true;
  for (int i = 0; i < n && good; i++) {
    const char * equals = strchr(text[i], '=');
    char * end = NULL;
    const double x = equals ? strtod(equals + 1, &end) : 0;
    good = equals && equals > text[i] && end > equals + 1 && *end == '\0' && isfinite(x);
    if (!good) {
      fprintf(
        stderr, "mbdyn %s: '%s' is not JOINT=POSITION, such as joint1=0.5\n", args->command,
        text[i]);
      continue;
    }
    json_array_append_new(names, json_stringn(text[i], (size_t)(equals - text[i])));
    json_array_append_new(positions, json_real(x));
    json_array_append_new(rest, json_real(0));
  }
  if (!good) {
    json_decref(names), json_decref(positions), json_decref(rest);
    return NULL;
  }
  // at rest with no acceleration: a quintic
  json_t * point = json_pack(
    "{s:o,s:O,s:o,s:o}", "positions", positions, "velocities", rest, "accelerations", rest,
    "time_from_start", duration_json(ros_or(args->duration, 2)));
  return goal_of(args, names, json_pack("[o]", point));
}

//---------- a table ----------

// columns of a table, by joint
typedef struct columns {
  int time, n;
  int q[ROS_MAX_OPERANDS * 4], v[ROS_MAX_OPERANDS * 4], a[ROS_MAX_OPERANDS * 4];  // -1: none
  bool * wanted;
} columns_t;

static int
find_column(const csv_t * csv, const char * prefix, const char * joint)
{
  const size_t length = strlen(prefix);
  for (int c = 0; c < csv->ncolumn; c++) {
    if (strncmp(csv->name[c], prefix, length) == 0 && strcmp(csv->name[c] + length, joint) == 0) {
      return c;
    }
  }
  return -1;
}

// velocities and accelerations are of all joints or of none
static bool
complete(const csv_t * csv, const columns_t * k, const int * column, const char * prefix)
{
  int given = 0;
  for (int j = 0; j < k->n; j++) given += column[j] >= 0;
  for (int j = 0; j < k->n && given > 0; j++) {
    if (column[j] >= 0) continue;
    fprintf(stderr, "%s:1: missing column %s%s\n", csv->source, prefix, csv->name[k->q[j]] + 2);
    return false;
  }
  return true;
}

static bool
find_columns(const csv_t * csv, columns_t * k)
{
  const int most = (int)(sizeof k->q / sizeof k->q[0]);
  k->time = find_column(csv, "t", "");
  for (int c = 0; c < csv->ncolumn && k->n < most; c++) {
    if (strncmp(csv->name[c], "q_", 2) != 0) continue;
    k->v[k->n] = find_column(csv, "v_", csv->name[c] + 2);
    k->a[k->n] = find_column(csv, "a_", csv->name[c] + 2);
    k->q[k->n++] = c;
  }
  if (k->time < 0 || k->n == 0) {
    fprintf(stderr, "%s:1: expected the columns t and q_JOINT\n", csv->source);
    return false;
  }
  k->wanted = calloc((size_t)csv->ncolumn, sizeof *k->wanted);
  if (!k->wanted || !complete(csv, k, k->v, "v_") || !complete(csv, k, k->a, "a_")) return false;
  k->wanted[k->time] = true;
  for (int j = 0; j < k->n; j++) {
    k->wanted[k->q[j]] = true;
    if (k->v[j] >= 0) k->wanted[k->v[j]] = true;
    if (k->a[j] >= 0) k->wanted[k->a[j]] = true;
  }
  return true;
}

static json_t *
numbers_of(const csv_t * csv, const int * column, int n)
{
  json_t * list = json_array();
  for (int j = 0; j < n && column[j] >= 0; j++) {
    json_array_append_new(list, json_real(csv->number[column[j]]));
  }
  return list;
}

static json_t *
read_points(csv_t * csv, const columns_t * k)
{
  json_t * points = json_array();
  int state;
  double last = 0;
  while ((state = csv_next(csv, k->wanted)) == 1) {
    const double t = csv->number[k->time];
    const bool first = json_array_size(points) == 0;
    if (t < 0 || (!first && t <= last) || t > 1e9) {
      state = csv_refuse(csv, k->time, "time %g is negative, or not later than the one before", t);
      break;
    }
    last = t;
    json_array_append_new(
      points, json_pack(
                "{s:o,s:o,s:o,s:o}", "positions", numbers_of(csv, k->q, k->n), "velocities",
                numbers_of(csv, k->v, k->n), "accelerations", numbers_of(csv, k->a, k->n),
                "time_from_start", duration_json(t)));
  }
  if (state == 0 && json_array_size(points) > 0) return points;
  if (state == 0) fprintf(stderr, "%s: no rows\n", csv->source);
  json_decref(points);
  return NULL;
}

json_t *
ros_goal_of_table(const ros_args_t * args, const char * path)
{
  csv_t csv;
  columns_t columns = {.time = -1};
  json_t * points = NULL;
  if (csv_open(path, &csv) && find_columns(&csv, &columns)) points = read_points(&csv, &columns);
  json_t * names = json_array();
  for (int j = 0; points && j < columns.n; j++) {
    json_array_append_new(names, json_string(csv.name[columns.q[j]] + 2));
  }
  free(columns.wanted);
  csv_close(&csv);
  if (points) return goal_of(args, names, points);
  json_decref(names);
  return NULL;
}
