// Mass matrix on recorded numbers: composite bodies, each in its own axes.
#include <stddef.h>
#include <stdlib.h>

#include "codegen_algorithms.h"

// a subtree as one body: mass, first and second moments about the root's origin, in its axes
typedef struct composite {
  expr_t mass;  // known now
  vec_t h;
  sym_t S;
} composite_t;

static composite_t
own_inertia(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  composite_t own;
  own.mass = gen_number(g, robot, bodies, offsetof(gen_body_t, mass));
  own.h = gen_vector(g, robot, bodies, offsetof(gen_body_t, h));
  for (size_t k = 0; k < 6; k++) {
    own.S.e[k] = gen_number(g, robot, bodies, offsetof(gen_body_t, S) + k * sizeof(double));
  }
  return own;
}

// S about a point that is p away: S + p t^T + t p^T with t = h + m p / 2
static composite_t
shifted(graph_t * g, composite_t c, vec_t p)
{
  const vec_t t = vec_add(g, c.h, vec_scale(g, expr_scale(g, 0.5, c.mass), p));
  for (int i = 0; i < 3; i++) {
    for (int j = i; j < 3; j++) {
      const expr_t a = expr_mul(g, p.e[i], t.e[j]), b = expr_mul(g, p.e[j], t.e[i]);
      const int at = sym_at(i, j);
      c.S.e[at] = expr_add(g, c.S.e[at], expr_add(g, a, b));
    }
  }
  c.h = vec_add(g, c.h, vec_scale(g, c.mass, p));
  return c;
}

static void
gather_composites(graph_t * g, const gen_robot_t * robot, composite_t * whole)
{
  for (int i = 0; i < robot->ngroup; i++) whole[i] = own_inertia(g, robot, robot->group[i].bodies);
  for (int i = robot->ngroup - 1; i >= 0; i--) {
    const bodies_t bodies = robot->group[i].bodies;
    if (robot->group[i].parent < 0) continue;
    composite_t * parent = &whole[robot->group[i].parent];
    gen_section(g, robot, i);
    rotation_t rotations[3];
    const int n = gen_rotations(g, robot, bodies, rotations);
    composite_t turned = whole[i];
    for (int k = 0; k < n; k++) turned.S = sym_rotate(g, rotations[k], &turned.S);
    turned.h = gen_to_parent(g, robot, bodies, turned.h);
    turned = shifted(g, turned, gen_offset(g, robot, bodies));
    parent->mass = expr_add(g, parent->mass, gen_lower(g, robot, i, turned.mass));
    parent->h = vec_add(g, parent->h, gen_lower_vec(g, robot, i, turned.h));
    for (int k = 0; k < 6; k++) turned.S.e[k] = gen_lower(g, robot, i, turned.S.e[k]);
    parent->S = sym_add(g, parent->S, turned.S);
  }
}

// force and moment at the origin for a unit acceleration of one degree of freedom
static void
unit_force(
  graph_t * g, const gen_robot_t * robot, int i, const composite_t * whole, int k, vec_t * f,
  vec_t * n)
{
  static const double UNIT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const bodies_t bodies = robot->group[i].bodies;
  const gen_kind_t kind = gen_first(robot, i)->kind;
  const expr_t pitch =
    kind == GEN_REVOLUTE ? gen_number(g, robot, bodies, offsetof(gen_body_t, pitch)) : EXPR_ZERO;
  const bool rotates = kind == GEN_REVOLUTE || (kind == GEN_FREE && k >= 3);
  const bool slides = kind != GEN_REVOLUTE || pitch != EXPR_ZERO;
  const vec_t nothing = {{0, 0, 0}};
  *f = *n = nothing;
  if (rotates) {
    // I a, with I = trace S - S
    const int z = kind == GEN_FREE ? k - 3 : 2;
    const int x = (z + 1) % 3, y = (z + 2) % 3;
    *f = vec_cross(g, vec_constant(g, UNIT[z]), whole->h);
    n->e[x] = -whole->S.e[sym_at(x, z)];
    n->e[y] = -whole->S.e[sym_at(y, z)];
    n->e[z] = expr_add(g, whole->S.e[sym_at(x, x)], whole->S.e[sym_at(y, y)]);
  }
  if (slides && !(rotates && kind == GEN_FREE)) {
    const vec_t along_z = {{0, 0, pitch}};
    const vec_t a = kind == GEN_REVOLUTE ? along_z
                    : kind == GEN_PRISMATIC
                      ? gen_vector(g, robot, bodies, offsetof(gen_body_t, axis))
                      : vec_constant(g, UNIT[k]);
    *f = vec_add(g, *f, vec_scale(g, whole->mass, a));
    *n = vec_add(g, *n, vec_cross(g, whole->h, a));
  }
}

// what bodies `at` feel of forces that column k of bodies `from` takes
static void
store(
  graph_t * g, const gen_robot_t * robot, bodies_t at, bodies_t from, int k, const vec_t * f,
  const vec_t * n, expr_t * M)
{
  const gen_body_t * body = &robot->body[at.at[0]];
  const int nv = robot->model->nv;
  expr_t row[6];
  if (body->kind == GEN_REVOLUTE) {
    const expr_t pitch = gen_number(g, robot, at, offsetof(gen_body_t, pitch));
    row[0] = expr_add(g, n->e[2], expr_mul(g, pitch, f->e[2]));
  } else if (body->kind == GEN_PRISMATIC) {
    row[0] = vec_dot(g, gen_vector(g, robot, at, offsetof(gen_body_t, axis)), *f);
  } else {
    for (int j = 0; j < 3; j++) row[j] = f->e[j], row[j + 3] = n->e[j];
  }
  for (int j = 0; j < body->model->nv; j++) {
    for (int l = 0; l < from.n; l++) {
      const int a = robot->body[at.at[l]].model->v_index + j;
      const int b = robot->body[from.at[l]].model->v_index + k;
      M[a * nv + b] = M[b * nv + a] = expr_lane(g, row[j], l);
    }
  }
}

// columns of the bodies of a group
static void
put_columns(graph_t * g, const gen_robot_t * robot, int i, const composite_t * whole, expr_t * M)
{
  const bodies_t from = robot->group[i].bodies;
  for (int k = gen_first(robot, i)->model->nv - 1; k >= 0; k--) {
    vec_t f, n;
    gen_section(g, robot, i);
    unit_force(g, robot, i, whole, k, &f, &n);
    store(g, robot, from, from, k, &f, &n, M);
    // towards the base
    bodies_t at = from;
    for (bodies_t above = gen_above(robot, at); above.n > 0; above = gen_above(robot, at)) {
      f = gen_to_parent(g, robot, at, f);
      n = gen_to_parent(g, robot, at, n);
      n = vec_add(g, n, vec_cross(g, gen_offset(g, robot, at), f));
      store(g, robot, above, from, k, &f, &n, M);
      at = above;
    }
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
  for (int i = robot->ngroup - 1; i >= 0; i--) put_columns(g, robot, i, &whole[i], out);
  for (int dof = 0; dof < nv; dof++) {
    expr_t * diagonal = &out[dof * nv + dof];
    const double rotor = gen_rotor(robot, robot->model->dof_body[dof]);
    *diagonal = expr_add(g, *diagonal, expr_constant(g, rotor));
  }
  free(whole);
  return true;
}
