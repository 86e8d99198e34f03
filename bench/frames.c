// Which links are asked for: tips that can be moved in every direction, independently.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "robot_parts.h"

typedef struct pose {
  double R[9], p[3];
} pose_t;

//---------- where the links are ----------

static void
rotate(const double * R, const double * x, double * y)
{
  for (int i = 0; i < 3; i++) y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
}

static void
product(const double * A, const double * B, double * C)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static void
about_axis(const double * a, double angle, double * R)
{
  const double c = cos(angle), s = sin(angle), d = 1 - c;
  const double values[9] = {
    c + d * a[0] * a[0],        d * a[0] * a[1] - s * a[2], d * a[0] * a[2] + s * a[1],
    d * a[0] * a[1] + s * a[2], c + d * a[1] * a[1],        d * a[1] * a[2] - s * a[0],
    d * a[0] * a[2] - s * a[1], d * a[1] * a[2] + s * a[0], c + d * a[2] * a[2]};
  memcpy(R, values, sizeof values);
}

// a link on its parent; where the base stands makes no difference here
static void
link_pose(const bench_link_t * link, double q, const pose_t * parent, pose_t * out)
{
  double at_rest[9], rotation[9], step[3];
  product(parent->R, link->R, at_rest);
  about_axis(link->axis, link->prismatic ? 0 : q, rotation);
  product(at_rest, rotation, out->R);
  rotate(parent->R, link->p, out->p);
  rotate(out->R, link->axis, step);
  for (int i = 0; i < 3; i++) out->p[i] += parent->p[i] + (link->prismatic ? q * step[i] : 0);
}

static void
all_link_poses(const bench_robot_t * robot, const double * q, pose_t * pose)
{
  if (robot->floating) q += 7;
  pose[0] = (pose_t){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int i = 1; i < robot->nlink; i++)
    link_pose(&robot->link[i], q[i - 1], &pose[robot->link[i].parent], &pose[i]);
}

//---------- Jacobians, and whether their rows are independent ----------

// velocity of a point by one joint: angular, then linear
static void
column(const double * axis, bool prismatic, const double * arm, double * J, int nv, int k)
{
  const double lin[3] = {
    axis[1] * arm[2] - axis[2] * arm[1], axis[2] * arm[0] - axis[0] * arm[2],
    axis[0] * arm[1] - axis[1] * arm[0]};
  for (int i = 0; i < 3; i++) {
    J[i * nv + k] = prismatic ? 0 : axis[i];
    J[(i + 3) * nv + k] = prismatic ? axis[i] : lin[i];
  }
}

static void
jacobian(const bench_robot_t * robot, const pose_t * pose, int link, double * J)
{
  const int nv = robot->nv, first = robot->floating ? 6 : 0;
  memset(J, 0, (size_t)(6 * nv) * sizeof *J);
  const double * tip = pose[link].p;
  for (int i = link; i > 0; i = robot->link[i].parent) {
    double axis[3], arm[3];
    rotate(pose[i].R, robot->link[i].axis, axis);
    for (int k = 0; k < 3; k++) arm[k] = tip[k] - pose[i].p[k];
    column(axis, robot->link[i].prismatic, arm, J, nv, first + i - 1);
  }
  for (int k = 0; k < first; k++) {
    const double axis[3] = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
    column(axis, k < 3, tip, J, nv, k);
  }
}

// six more rows beside those before, which are orthonormal; then these are so as well
// \return the smallest part of a row that is its own; 0 if there is none
static double
add_rows(double * rows, int before, int nv)
{
  double smallest = 1;
  for (int i = before; i < before + 6; i++) {
    double *x = rows + i * nv, old = 0, left = 0;
    for (int k = 0; k < nv; k++) old += x[k] * x[k];
    for (int j = 0; j < i; j++) {
      double dot = 0;
      for (int k = 0; k < nv; k++) dot += x[k] * rows[j * nv + k];
      for (int k = 0; k < nv; k++) x[k] -= dot * rows[j * nv + k];
    }
    for (int k = 0; k < nv; k++) left += x[k] * x[k];
    if (!(left > 1e-20 * old)) return 0;
    for (int k = 0; k < nv; k++) x[k] /= sqrt(left);
    smallest = fmin(smallest, sqrt(left / old));
  }
  return smallest;
}

//---------- the choice ----------

// tips by how many joints carry them, the deepest first; of equals the first
static int
next_tip(const bench_robot_t * robot, const int * depth, int last)
{
  int best = -1;
  for (int i = 1; i < robot->nlink; i++) {
    if (depth[i] < 0) continue;
    const bool after = last < 0 || depth[i] < depth[last] || (depth[i] == depth[last] && i > last);
    if (after && (best < 0 || depth[i] > depth[best])) best = i;
  }
  return best;
}

// joints above each tip; -1 for links that carry others
static void
tip_depths(const bench_robot_t * robot, int * depth)
{
  for (int i = 1; i < robot->nlink; i++) {
    const int parent = robot->link[i].parent;
    depth[i] = parent < 0 ? 0 : depth[parent] + 1;
  }
  for (int i = robot->nlink - 1; i > 0; i--)
    if (robot->link[i].parent >= 0) depth[robot->link[i].parent] = -1;
}

static int
choose(bench_case_t * c, const pose_t * pose, const int * depth, double * rows)
{
  const bench_robot_t * robot = &c->robot;
  int tip = next_tip(robot, depth, -1), chosen = 0;
  c->frame[0] = robot->link[tip].name;
  for (; tip >= 0 && chosen < BENCH_MAX_FRAMES; tip = next_tip(robot, depth, tip)) {
    jacobian(robot, pose, tip, rows + 6 * chosen * robot->nv);
    if (add_rows(rows, 6 * chosen, robot->nv) > 1e-4) c->frame[chosen++] = robot->link[tip].name;
  }
  return chosen;
}

// scratch memory of poses, and of rows of all frames
typedef struct scratch {
  pose_t * pose;
  double * rows;
} scratch_t;

static bool
make_scratch(const bench_robot_t * robot, scratch_t * scratch)
{
  const size_t nframe = robot->nframe > 0 ? (size_t)robot->nframe : BENCH_MAX_FRAMES;
  scratch->pose = calloc((size_t)robot->nlink, sizeof *scratch->pose);
  scratch->rows = calloc(6 * nframe * (size_t)robot->nv, sizeof *scratch->rows);
  return scratch->pose != NULL && scratch->rows != NULL;
}

static void
free_scratch(scratch_t * scratch)
{
  free(scratch->pose);
  free(scratch->rows);
}

int
bench_choose_frames(bench_case_t * c)
{
  scratch_t scratch;
  const bool fine = make_scratch(&c->robot, &scratch);
  int * depth = calloc((size_t)c->robot.nlink, sizeof *depth);
  c->frame = calloc(BENCH_MAX_FRAMES, sizeof *c->frame);
  int chosen = -1;
  if (fine && depth != NULL && c->frame != NULL) {
    all_link_poses(&c->robot, c->robot.q, scratch.pose);
    tip_depths(&c->robot, depth);
    chosen = choose(c, scratch.pose, depth, scratch.rows);
    c->robot.nframe = chosen > 0 ? chosen : 1;
  }
  free_scratch(&scratch);
  free(depth);
  return chosen;
}

//---------- frames that are given, states that are not singular ----------

static int
link_named(const bench_robot_t * robot, const char * name)
{
  int i = robot->nlink - 1;
  while (i > 0 && strcmp(robot->link[i].name, name) != 0) i--;
  return i;
}

// how freely the first n frames move at a configuration, 0 to 1
static double
freedom(const bench_case_t * c, int n, const double * q, scratch_t * scratch)
{
  const bench_robot_t * robot = &c->robot;
  double smallest = 1;
  all_link_poses(robot, q, scratch->pose);
  for (int i = 0; i < n; i++) {
    jacobian(
      robot, scratch->pose, link_named(robot, c->frame[i]), scratch->rows + 6 * i * robot->nv);
    smallest = fmin(smallest, add_rows(scratch->rows, 6 * i, robot->nv));
  }
  return smallest;
}

int
bench_free_frames(const bench_case_t * c)
{
  scratch_t scratch;
  int n = make_scratch(&c->robot, &scratch) ? 0 : -1;
  while (n >= 0 && n < c->robot.nframe && freedom(c, n + 1, c->robot.q, &scratch) > 1e-4) n++;
  free_scratch(&scratch);
  return n;
}

bool
bench_avoid_singular(bench_case_t * c, int n, uint64_t seed)
{
  enum { tries = 100 };
  const bench_robot_t * robot = &c->robot;
  scratch_t scratch;
  const bool fine = make_scratch(robot, &scratch);
  for (int s = 0; s < robot->nstate && fine; s++) {
    double * q = c->states + (size_t)s * (size_t)robot->nq;
    for (int k = 0; k < tries && freedom(c, n, q, &scratch) < 0.01; k++)
      bench_random_configuration(robot, &seed, q);
  }
  free_scratch(&scratch);
  return fine;
}
