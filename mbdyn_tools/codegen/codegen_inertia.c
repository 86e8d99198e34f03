// Mass matrix on recorded numbers: composite bodies, each in its own axes.
#include <stdlib.h>

#include "codegen_algorithms.h"

// a subtree as one body: mass, first and second moments about the root's origin, in its axes
typedef struct composite {
  double mass;
  vec_t h;
  sym_t S;
} composite_t;

static composite_t
own_inertia(graph_t * g, const gen_body_t * body)
{
  composite_t own = {.mass = body->mass, .h = vec_constant(g, body->h)};
  for (int k = 0; k < 6; k++) own.S.e[k] = expr_constant(g, body->S[k]);
  return own;
}

// S about a point that is p away: S + p t^T + t p^T with t = h + m p / 2
static void
add_shifted(graph_t * g, composite_t * parent, double mass, vec_t h, sym_t S, vec_t p)
{
  const vec_t t = vec_add(g, h, vec_scale(g, expr_constant(g, 0.5 * mass), p));
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++) {
      const expr_t a = expr_mul(g, p.e[i], t.e[j]), b = expr_mul(g, p.e[j], t.e[i]);
      const int at = sym_at(i, j);
      S.e[at] = expr_add(g, S.e[at], expr_add(g, a, b));
    }
  }
  parent->mass += mass;
  parent->h = vec_add(g, parent->h, h);
  parent->h = vec_add(g, parent->h, vec_scale(g, expr_constant(g, mass), p));
  parent->S = sym_add(g, parent->S, S);
}

static void
gather_composites(graph_t * g, const gen_robot_t * robot, composite_t * whole)
{
  for (int i = 0; i < robot->n; i++) whole[i] = own_inertia(g, &robot->body[i]);
  for (int i = robot->n - 1; i >= 0; i--) {
    const int parent = robot->body[i].parent;
    if (parent < 0) continue;
    graph_section(g, i);
    turn_t turns[3];
    const int n = gen_turns(g, robot, i, turns);
    sym_t S = whole[i].S;
    for (int k = 0; k < n; k++) S = sym_turn(g, turns[k], &S);
    const vec_t h = gen_to_parent(g, robot, i, whole[i].h);
    add_shifted(g, &whole[parent], whole[i].mass, h, S, gen_offset(g, robot, i));
  }
}

// force and moment at the origin for a unit acceleration of one degree of freedom
static void
unit_force(
  graph_t * g, const gen_body_t * body, const composite_t * whole, int k, vec_t * f, vec_t * n)
{
  static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const bool turns = body->kind == GEN_TURN || (body->kind == GEN_FREE && k >= 3);
  const bool slides = body->kind != GEN_TURN || body->pitch != 0;
  const vec_t nothing = {{0, 0, 0}};
  *f = *n = nothing;
  if (turns) {
    // I a, with I = trace S - S
    const int z = body->kind == GEN_FREE ? k - 3 : 2;
    const int x = (z + 1) % 3, y = (z + 2) % 3;
    *f = vec_cross(g, vec_constant(g, UNIT[z]), whole->h);
    n->e[x] = -whole->S.e[sym_at(x, z)];
    n->e[y] = -whole->S.e[sym_at(y, z)];
    n->e[z] = expr_add(g, whole->S.e[sym_at(x, x)], whole->S.e[sym_at(y, y)]);
  }
  if (slides && !(turns && body->kind == GEN_FREE)) {
    const double along_z[3] = {0, 0, body->pitch};
    const double * direction = body->kind == GEN_TURN    ? along_z
                               : body->kind == GEN_SLIDE ? body->axis
                                                         : UNIT[k];
    const vec_t a = vec_constant(g, direction);
    *f = vec_add(g, *f, vec_scale(g, expr_constant(g, whole->mass), a));
    *n = vec_add(g, *n, vec_cross(g, whole->h, a));
  }
}

static void
store(
  graph_t * g, const gen_robot_t * robot, int i, int column, const vec_t * f, const vec_t * n,
  expr_t * M)
{
  const gen_body_t * body = &robot->body[i];
  const int nv = robot->model->nv, at = body->model->v_index;
  expr_t row[6];
  if (body->kind == GEN_TURN) {
    row[0] = expr_add(g, n->e[2], expr_scale(g, body->pitch, f->e[2]));
  } else if (body->kind == GEN_SLIDE) {
    row[0] = vec_dot(g, vec_constant(g, body->axis), *f);
  } else {
    for (int k = 0; k < 3; k++) row[k] = f->e[k], row[k + 3] = n->e[k];
  }
  for (int k = 0; k < body->model->nv; k++) {
    M[(at + k) * nv + column] = row[k];
    M[column * nv + at + k] = row[k];
  }
}

bool
gen_mass_matrix(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  const int nv = robot->model->nv;
  for (int k = 0; k < nv * nv; k++) out[k] = EXPR_ZERO;
  composite_t * whole = malloc(((size_t)robot->n + 1) * sizeof *whole);
  if (!whole) return false;
  gather_composites(g, robot, whole);
  for (int column = nv - 1; column >= 0; column--) {
    int i = robot->model->dof_body[column];
    const int k = column - robot->body[i].model->v_index;
    vec_t f, n;
    graph_section(g, i);
    unit_force(g, &robot->body[i], &whole[i], k, &f, &n);
    store(g, robot, i, column, &f, &n, out);
    // towards the base
    for (; robot->body[i].parent >= 0; i = robot->body[i].parent) {
      f = gen_to_parent(g, robot, i, f);
      n = gen_to_parent(g, robot, i, n);
      n = vec_add(g, n, vec_cross(g, gen_offset(g, robot, i), f));
      store(g, robot, robot->body[i].parent, column, &f, &n, out);
    }
    expr_t * diagonal = &out[column * nv + column];
    const double rotor = gen_rotor(robot, robot->model->dof_body[column]);
    *diagonal = expr_add(g, *diagonal, expr_constant(g, rotor));
  }
  free(whole);
  return true;
}
