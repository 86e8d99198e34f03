// Forward dynamics on recorded numbers, by two algorithms; the generator uses the cheaper one.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "codegen_algorithms.h"

//---------- by the mass matrix ----------

void
gen_dof_parents(const gen_robot_t * robot, int * parent)
{
  for (int i = 0; i < robot->n; i++) {
    const mbd_body_t * body = robot->body[i].model;
    int above = -1;
    if (body->parent >= 0) {
      const mbd_body_t * carrier = &robot->model->body[body->parent];
      above = carrier->v_index + carrier->nv - 1;
    }
    for (int k = 0; k < body->nv; k++) {
      parent[body->v_index + k] = above;
      above = body->v_index + k;
    }
  }
}

void
gen_solve(graph_t * g, int n, const int * parent, expr_t * M, expr_t * x)
{
  // M = L^T D L, tips first: no zero of the tree is filled (Featherstone 2005). Row k of L takes
  // the place of row k of M; what x needs of L^T is done on the way
  for (int k = n - 1; k >= 0; k--) {
    const expr_t inverse = expr_div(g, EXPR_ONE, M[k * n + k]);
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      const expr_t l = expr_mul(g, M[k * n + i], inverse);
      for (int j = i; j >= 0; j = parent[j]) {
        M[i * n + j] = expr_sub(g, M[i * n + j], expr_mul(g, l, M[k * n + j]));
      }
      x[i] = expr_sub(g, x[i], expr_mul(g, l, x[k]));
      // row i of the ones below is not needed any more: keep l there
      M[i * n + k] = l;
    }
    x[k] = expr_mul(g, x[k], inverse);
  }
  for (int k = 0; k < n; k++) {
    for (int i = parent[k]; i >= 0; i = parent[i]) {
      x[k] = expr_sub(g, x[k], expr_mul(g, M[i * n + k], x[i]));
    }
  }
}

// a free base is solved as if it were at rest without gravity; both only change its acceleration
static void
correct_free(graph_t * g, const gen_robot_t * robot, expr_t * qdd)
{
  for (int i = 0; i < robot->n; i++) {
    if (robot->body[i].kind != GEN_FREE) continue;
    graph_section(g, i);
    const vec_t correction = gen_free_correction(g, robot, i);
    for (int k = 0; k < 3; k++) {
      expr_t * a = &qdd[robot->body[i].model->v_index + k];
      *a = expr_sub(g, *a, correction.e[k]);
    }
  }
}

// tau less friction; the rotors of a free base do not feel what correct_free takes off again
static expr_t
driving_torque(graph_t * g, const gen_robot_t * robot, int dof)
{
  const int i = robot->model->dof_body[dof];
  const int k = dof - robot->body[i].model->v_index;
  const expr_t tau = expr_input(g, INPUT_TAU, dof);
  const expr_t driving = expr_sub(g, tau, gen_friction(g, robot, i, dof));
  const double rotor = gen_rotor(robot, i);
  if (robot->body[i].kind != GEN_FREE || k >= 3 || rotor == 0) return driving;
  return expr_add(g, driving, expr_scale(g, rotor, gen_free_correction(g, robot, i).e[k]));
}

static expr_t
driving_torques(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  expr_t lane[MAX_LANES];
  for (int l = 0; l < bodies.n; l++) {
    lane[l] = driving_torque(g, robot, robot->body[bodies.at[l]].model->v_index);
  }
  return expr_pack(g, lane, bodies.n);
}

bool
gen_forward_by_matrix(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  const int n = robot->model->nv;
  expr_t * M = malloc(((size_t)n * (size_t)n + 1) * sizeof *M);
  int * parent = malloc(((size_t)n + 1) * sizeof *parent);
  const bool ready = M && parent && gen_bias_falling(g, robot, out) && gen_mass_matrix(g, robot, M);
  if (ready) {
    for (int k = 0; k < n; k++) out[k] = expr_sub(g, driving_torque(g, robot, k), out[k]);
    gen_dof_parents(robot, parent);
    graph_section(g, -1);
    gen_solve(g, n, parent, M, out);
    correct_free(g, robot, out);
  }
  free(M);
  free(parent);
  return ready;
}

//---------- by articulated bodies ----------

// (moment, force) = [J H; H^T M] (dw, a)
typedef struct articulated {
  sym_t J, M;
  mat_t H;
} articulated_t;

typedef struct sweep {
  gen_motion_t motion;  // w; a and dw of the velocity alone, then of all
  articulated_t P;      // articulated inertia
  vec_t n, f;           // bias moment and force
  vec_t cn, cf;         // acceleration that velocities add at this joint: angular, linear
  vec_t sn, sf;         // P times the motion subspace: moment, force
  expr_t inverse, u;    // 1 / D, innovation
} sweep_t;

static vec_t
spatial_moment(graph_t * g, const articulated_t * P, vec_t dw, vec_t a)
{
  return vec_add(g, sym_vec(g, &P->J, dw), mat_vec(g, &P->H, a));
}

static vec_t
spatial_force(graph_t * g, const articulated_t * P, vec_t dw, vec_t a)
{
  return vec_add(g, mat_tvec(g, &P->H, dw), sym_vec(g, &P->M, a));
}

static articulated_t
rigid(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  articulated_t P;
  memset(&P, 0, sizeof P);
  const vec_t h = gen_vector(g, robot, bodies, offsetof(gen_body_t, h));
  const expr_t mass = gen_number(g, robot, bodies, offsetof(gen_body_t, mass));
  expr_t S[6];
  for (size_t k = 0; k < 6; k++) {
    S[k] = gen_number(g, robot, bodies, offsetof(gen_body_t, S) + k * sizeof(double));
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    P.J.e[sym_at(i, i)] = expr_add(g, S[sym_at(j, j)], S[sym_at(k, k)]);
    P.J.e[sym_at(i, j)] = -S[sym_at(i, j)];
    P.H.e[i][j] = -h.e[k];
    P.H.e[j][i] = h.e[k];
    P.M.e[sym_at(i, i)] = mass;
  }
  return P;
}

// the joint's motion subspace in own axes
static void
subspace(graph_t * g, const gen_robot_t * robot, int i, vec_t * ang, vec_t * lin)
{
  const bodies_t bodies = robot->group[i].bodies;
  const vec_t nothing = {{0, 0, 0}};
  *ang = *lin = nothing;
  if (gen_first(robot, i)->kind == GEN_PRISMATIC) {
    *lin = gen_vector(g, robot, bodies, offsetof(gen_body_t, axis));
  } else {
    ang->e[2] = EXPR_ONE;
    lin->e[2] = gen_number(g, robot, bodies, offsetof(gen_body_t, pitch));
  }
}

// base to tips: velocities, and what they add to accelerations and forces
static void
velocities(graph_t * g, const gen_robot_t * robot, sweep_t * sweep)
{
  const gen_terms_t terms = {true, false, false, true};
  for (int i = 0; i < robot->ngroup; i++) {
    const int above = robot->group[i].parent;
    sweep_t * s = &sweep[i];
    gen_section(g, robot, i);
    // velocities of the parent without accelerations: what comes out is the joint's own part
    gen_motion_t parent;
    memset(&parent, 0, sizeof parent);
    if (above >= 0) parent.w = sweep[above].motion.w;
    s->motion = gen_next_motion(g, robot, i, terms, above < 0 ? NULL : &parent);
    s->cn = s->motion.dw, s->cf = s->motion.a;
    const gen_motion_t turning = {s->motion.w, {{0, 0, 0}}, {{0, 0, 0}}};
    gen_body_force(g, robot, i, &turning, &s->f, &s->n);
    s->P = rigid(g, robot, robot->group[i].bodies);
  }
}

// P -= s s^T / D
static void
project(graph_t * g, bool turns_freely, sweep_t * s)
{
  const vec_t gn = vec_scale(g, s->inverse, s->sn), gf = vec_scale(g, s->inverse, s->sf);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const expr_t h = expr_mul(g, s->sn.e[i], gf.e[j]);
      s->P.H.e[i][j] = expr_sub(g, s->P.H.e[i][j], h);
      if (j < i) continue;
      expr_t * J = &s->P.J.e[sym_at(i, j)];
      expr_t * M = &s->P.M.e[sym_at(i, j)];
      *J = expr_sub(g, *J, expr_mul(g, s->sn.e[i], gn.e[j]));
      *M = expr_sub(g, *M, expr_mul(g, s->sf.e[i], gf.e[j]));
    }
  }
  // about its own axis a joint transmits nothing
  if (!turns_freely) return;
  for (int j = 0; j < 3; j++) s->P.J.e[sym_at(2, j)] = s->P.H.e[2][j] = EXPR_ZERO;
}

// add to the parent what the joint lets through
static void
pass_on(graph_t * g, const gen_robot_t * robot, int i, const sweep_t * s, sweep_t * parent)
{
  const bodies_t bodies = robot->group[i].bodies;
  rotation_t rotations[3];
  const int nrotation = gen_rotations(g, robot, bodies, rotations);
  articulated_t P = s->P;
  for (int k = 0; k < nrotation; k++) {
    P.J = sym_rotate(g, rotations[k], &P.J);
    P.H = mat_rotate(g, rotations[k], &P.H);
    P.M = sym_rotate(g, rotations[k], &P.M);
  }
  // to the parent's origin: H + [p] M, J + [p] H^T + (H + [p] M) [p]^T
  const vec_t p = gen_offset(g, robot, bodies);
  const mat_t M = mat_from_sym(&P.M), pM = mat_cross(g, p, &M);
  mat_t H = mat_add(g, &P.H, &pM);
  for (int a = 0; a < 3; a++) {
    const vec_t column = vec_cross(g, p, (vec_t){{P.H.e[a][0], P.H.e[a][1], P.H.e[a][2]}});
    const vec_t row = vec_cross(g, p, (vec_t){{H.e[a][0], H.e[a][1], H.e[a][2]}});
    for (int b = 0; b < 3; b++) {
      const int at = sym_at(a, b);
      if (b <= a) P.J.e[at] = expr_add(g, P.J.e[at], column.e[b]);
      if (b >= a) P.J.e[at] = expr_add(g, P.J.e[at], row.e[b]);
    }
  }
  for (int k = 0; k < 9; k++) {
    H.e[k / 3][k % 3] = gen_lower(g, robot, i, H.e[k / 3][k % 3]);
    if (k >= 6) continue;
    P.J.e[k] = gen_lower(g, robot, i, P.J.e[k]);
    P.M.e[k] = gen_lower(g, robot, i, P.M.e[k]);
  }
  parent->P.J = sym_add(g, parent->P.J, P.J);
  parent->P.H = mat_add(g, &parent->P.H, &H);
  parent->P.M = sym_add(g, parent->P.M, P.M);

  // z + P c + G u
  vec_t f = vec_add(g, s->f, spatial_force(g, &s->P, s->cn, s->cf));
  vec_t n = vec_add(g, s->n, spatial_moment(g, &s->P, s->cn, s->cf));
  const expr_t nu = expr_mul(g, s->inverse, s->u);
  f = gen_to_parent(g, robot, bodies, vec_add(g, f, vec_scale(g, nu, s->sf)));
  n = gen_to_parent(g, robot, bodies, vec_add(g, n, vec_scale(g, nu, s->sn)));
  n = vec_add(g, n, vec_cross(g, p, f));
  parent->f = vec_add(g, parent->f, gen_lower_vec(g, robot, i, f));
  parent->n = vec_add(g, parent->n, gen_lower_vec(g, robot, i, n));
}

// tips to base
static void
articulate(graph_t * g, const gen_robot_t * robot, sweep_t * sweep)
{
  for (int i = robot->ngroup - 1; i >= 0; i--) {
    const gen_group_t * group = &robot->group[i];
    const gen_kind_t kind = gen_first(robot, i)->kind;
    sweep_t * s = &sweep[i];
    if (kind == GEN_FREE) continue;
    gen_section(g, robot, i);
    vec_t ang, lin;
    subspace(g, robot, i, &ang, &lin);
    s->sn = spatial_moment(g, &s->P, ang, lin);
    s->sf = spatial_force(g, &s->P, ang, lin);
    const expr_t rotor = gen_rotors(g, robot, group->bodies);
    expr_t D = expr_add(g, vec_dot(g, ang, s->sn), vec_dot(g, lin, s->sf));
    D = expr_add(g, D, rotor);
    s->inverse = expr_div(g, EXPR_ONE, D);
    const expr_t felt = expr_add(g, vec_dot(g, ang, s->n), vec_dot(g, lin, s->f));
    s->u = expr_sub(g, driving_torques(g, robot, group->bodies), felt);
    if (group->parent < 0) continue;
    project(g, kind == GEN_REVOLUTE && lin.e[2] == EXPR_ZERO && rotor == EXPR_ZERO, s);
    pass_on(g, robot, i, s, &sweep[group->parent]);
  }
}

// a free base: solve for its six accelerations, linear first
static void
solve_free(graph_t * g, const gen_robot_t * robot, int i, sweep_t * s, expr_t * qdd)
{
  static const int CHAIN[6] = {-1, 0, 1, 2, 3, 4};
  const int at = robot->body[i].model->v_index;
  expr_t A[36], x[6];
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) {
      const bool lower = b <= a;
      A[a * 6 + b] = s->P.M.e[sym_at(a, b)];
      A[(a + 3) * 6 + b] = s->P.H.e[a][b];
      A[(a + 3) * 6 + b + 3] = lower ? s->P.J.e[sym_at(a, b)] : EXPR_ZERO;
      A[b * 6 + a + 3] = EXPR_ZERO;
    }
    x[a] = expr_sub(g, driving_torque(g, robot, at + a), s->f.e[a]);
    x[a + 3] = expr_sub(g, driving_torque(g, robot, at + a + 3), s->n.e[a]);
  }
  const expr_t rotor = expr_constant(g, gen_rotor(robot, i));
  for (int k = 0; k < 6; k++) A[k * 6 + k] = expr_add(g, A[k * 6 + k], rotor);
  gen_solve(g, 6, CHAIN, A, x);
  for (int k = 0; k < 3; k++) {
    s->motion.a.e[k] = x[k], s->motion.dw.e[k] = x[k + 3];
    qdd[at + k] = x[k], qdd[at + 3 + k] = x[k + 3];
  }
}

// base to tips
static void
accelerations(graph_t * g, const gen_robot_t * robot, sweep_t * sweep, expr_t * qdd)
{
  for (int i = 0; i < robot->ngroup; i++) {
    const gen_group_t * group = &robot->group[i];
    sweep_t * s = &sweep[i];
    gen_section(g, robot, i);
    if (gen_first(robot, i)->kind == GEN_FREE) {
      solve_free(g, robot, group->bodies.at[0], s, qdd);
      continue;
    }
    vec_t ang, lin, dw = s->cn, a = s->cf;
    subspace(g, robot, i, &ang, &lin);
    if (group->parent >= 0) {
      const gen_motion_t * parent = &sweep[group->parent].motion;
      const vec_t turned = gen_lift_vec(g, robot, i, parent->dw);
      const vec_t carried = gen_lift_vec(g, robot, i, parent->a);
      const vec_t lever = vec_cross(g, turned, gen_offset(g, robot, group->bodies));
      dw = vec_add(g, gen_to_child(g, robot, group->bodies, turned), dw);
      a = vec_add(g, gen_to_child(g, robot, group->bodies, vec_add(g, carried, lever)), a);
    } else {
      a = vec_sub(g, a, gen_base_gravity(g, robot, group->bodies));
    }
    const expr_t carried = expr_add(g, vec_dot(g, s->sn, dw), vec_dot(g, s->sf, a));
    const expr_t x = expr_mul(g, expr_sub(g, s->u, carried), s->inverse);
    s->motion.dw = vec_add(g, dw, vec_scale(g, x, ang));
    s->motion.a = vec_add(g, a, vec_scale(g, x, lin));
    gen_put(g, robot, group->bodies, 0, x, qdd);
  }
  correct_free(g, robot, qdd);
}

bool
gen_forward_by_bodies(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  sweep_t * sweep = calloc((size_t)robot->n + 1, sizeof *sweep);
  if (!sweep) return false;
  velocities(g, robot, sweep);
  articulate(g, robot, sweep);
  accelerations(g, robot, sweep, out);
  free(sweep);
  return true;
}
