// Similar limbs in the lanes of vectors.
#include "codegen_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

//---------- grouping ----------

// 0, 1 or another number: what decides which operations there are
static int
shape_of(double x)
{
  return x == 0 ? 0 : fabs(x) == 1 ? 1 : 2;
}

// joints alike: of a kind, and with the same zeros in their turns
static bool
similar_joints(const gen_body_t * a, const gen_body_t * b)
{
  if (a->kind != b->kind || a->kind == GEN_FREE) return false;
  if (a->kind == GEN_PRISMATIC) return true;
  return (a->pitch == 0) == (b->pitch == 0) && shape_of(a->cos_alpha) == shape_of(b->cos_alpha) &&
         shape_of(a->sin_alpha) == shape_of(b->sin_alpha) &&
         shape_of(a->cos_gamma) == shape_of(b->cos_gamma) &&
         shape_of(a->sin_gamma) == shape_of(b->sin_gamma);
}

// subtrees of the same joints in the same order
static bool
similar_limbs(const gen_robot_t * robot, int a, int b)
{
  const mbd_body_t * body = robot->model->body;
  const int n = body[a].subtree_end - a;
  if (body[b].subtree_end - b != n) return false;
  for (int k = 0; k < n; k++) {
    if (k > 0 && robot->body[a + k].parent - a != robot->body[b + k].parent - b) return false;
    if (!similar_joints(&robot->body[a + k], &robot->body[b + k])) return false;
  }
  return true;
}

// the next group of those that wait: the first body and those like it
static gen_group_t
take_group(const gen_robot_t * robot, int parent, int most, int * body, int * lane, int * waiting)
{
  int alike[MAX_LANES], n = 0;
  for (int k = 0; k < *waiting && n < most; k++) {
    if (k == 0 || similar_limbs(robot, body[0], body[k])) alike[n++] = k;
  }
  if (n == 3) n = 2;
  gen_group_t group = {one_body(body[0]), parent, {lane[0], 0, 0, 0}};
  group.bodies.n = n;
  for (int l = 0; l < n; l++) {
    group.bodies.at[l] = body[alike[l]];
    group.lane[l] = lane[alike[l]];
  }
  for (int l = n - 1; l >= 0; l--) {
    (*waiting)--;
    for (int k = alike[l]; k < *waiting; k++) body[k] = body[k + 1], lane[k] = lane[k + 1];
  }
  return group;
}

bool
gen_group_limbs(gen_robot_t * robot, int most)
{
  const size_t n = (size_t)robot->n + 1;
  gen_group_t * group = calloc(n, sizeof *group);
  int * waiting = malloc(2 * n * sizeof *waiting);
  if (!group || !waiting) {
    free(group);
    free(waiting);
    return false;
  }
  int ngroup = 0;
  // children of the world, then of each group as it comes
  for (int parent = -1; parent < ngroup; parent++) {
    int *lane = waiting + n, nwaiting = 0;
    const int lanes = parent < 0 ? 1 : group[parent].bodies.n;
    for (int l = 0; l < lanes; l++) {
      const int above = parent < 0 ? -1 : group[parent].bodies.at[l];
      for (int i = above + 1; i < robot->n; i++) {
        if (robot->body[i].parent != above) continue;
        waiting[nwaiting] = i;
        lane[nwaiting++] = l;
      }
    }
    while (nwaiting > 0) {
      group[ngroup++] = take_group(robot, parent, most, waiting, lane, &nwaiting);
    }
  }
  free(waiting);
  free(robot->group);
  robot->group = group;
  robot->ngroup = ngroup;
  return true;
}

gen_robot_t
gen_ungrouped(const gen_robot_t * robot, gen_group_t * group)
{
  gen_robot_t alone = *robot;
  alone.group = group;
  alone.ngroup = robot->n;
  for (int i = 0; i < robot->n; i++) {
    group[i] = (gen_group_t){one_body(i), robot->body[i].parent, {0, 0, 0, 0}};
  }
  return alone;
}

//---------- between groups ----------

// lanes of the group and of its parent are the same limbs
static bool
goes_on(const gen_robot_t * robot, int i)
{
  const gen_group_t * group = &robot->group[i];
  if (robot->group[group->parent].bodies.n != group->bodies.n) return false;
  for (int l = 0; l < group->bodies.n; l++) {
    if (group->lane[l] != l) return false;
  }
  return true;
}

expr_t
gen_lift(graph_t * g, const gen_robot_t * robot, int i, expr_t x)
{
  const gen_group_t * group = &robot->group[i];
  if (goes_on(robot, i)) return x;
  expr_t lane[MAX_LANES];
  for (int l = 0; l < group->bodies.n; l++) lane[l] = expr_lane(g, x, group->lane[l]);
  return expr_pack(g, lane, group->bodies.n);
}

vec_t
gen_lift_vec(graph_t * g, const gen_robot_t * robot, int i, vec_t x)
{
  for (int k = 0; k < 3; k++) x.e[k] = gen_lift(g, robot, i, x.e[k]);
  return x;
}

expr_t
gen_lower(graph_t * g, const gen_robot_t * robot, int i, expr_t x)
{
  const gen_group_t * group = &robot->group[i];
  const int width = robot->group[group->parent].bodies.n;
  if (goes_on(robot, i)) return x;
  // the first child of each body of the parent, then the second, ...
  bool taken[MAX_LANES] = {false, false, false, false};
  expr_t sum = EXPR_ZERO;
  for (int left = group->bodies.n; left > 0;) {
    expr_t lane[MAX_LANES] = {EXPR_ZERO, EXPR_ZERO, EXPR_ZERO, EXPR_ZERO};
    bool full[MAX_LANES] = {false, false, false, false};
    for (int l = 0; l < group->bodies.n; l++) {
      const int to = group->lane[l];
      if (taken[l] || full[to]) continue;
      lane[to] = expr_lane(g, x, l);
      taken[l] = full[to] = true;
      left--;
    }
    sum = expr_add(g, sum, expr_pack(g, lane, width));
  }
  return sum;
}

vec_t
gen_lower_vec(graph_t * g, const gen_robot_t * robot, int i, vec_t x)
{
  for (int k = 0; k < 3; k++) x.e[k] = gen_lower(g, robot, i, x.e[k]);
  return x;
}

void
gen_put(graph_t * g, const gen_robot_t * robot, bodies_t bodies, int k, expr_t x, expr_t * out)
{
  for (int l = 0; l < bodies.n; l++) {
    out[robot->body[bodies.at[l]].model->v_index + k] = expr_lane(g, x, l);
  }
}

bodies_t
gen_above(const gen_robot_t * robot, bodies_t bodies)
{
  for (int l = 0; l < bodies.n; l++) bodies.at[l] = robot->body[bodies.at[l]].parent;
  if (bodies.at[0] < 0) bodies.n = 0;
  return bodies;
}
