// Inverse dynamics on recorded numbers: Newton and Euler in body axes.
//
// No linear velocities: with U = [dw] + [w][w] a point r of a body accelerates by a + U r, so that
// force and moment are  F = m a + U h,  N = h x a + axial vector of U S,  and the next origin at p
// accelerates by a + U p. U is used three times and costs 6 multiplications.
#include <stddef.h>
#include <stdlib.h>

#include "codegen_algorithms.h"

static const vec_t NOTHING = {{0, 0, 0}};

//---------- motion, base to tips ----------

mat_t
gen_point_matrix(graph_t * g, const gen_motion_t * motion)
{
  const expr_t * w = motion->w.e;
  const expr_t * dw = motion->dw.e;
  mat_t U;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const expr_t product = expr_mul(g, w[i], w[j]);
    U.e[i][i] = -expr_add(g, expr_mul(g, w[j], w[j]), expr_mul(g, w[k], w[k]));
    U.e[i][j] = expr_sub(g, product, dw[k]);
    U.e[j][i] = expr_add(g, product, dw[k]);
  }
  return U;
}

vec_t
gen_base_gravity(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  const mbd_vec3_t gravity = robot->model->gravity;
  const vec_t world = vec_constant(g, (const double[]){gravity.x, gravity.y, gravity.z});
  const int i = bodies.at[0];
  if (robot->body[i].kind != GEN_FREE) return gen_to_child(g, robot, bodies, world);
  const mat_t R = gen_free_rotation(g, robot, i);
  return mat_tvec(g, &R, world);
}

static vec_t
input_vec(graph_t * g, input_t array, int index)
{
  vec_t x;
  for (int k = 0; k < 3; k++) x.e[k] = expr_input(g, array, index + k);
  return x;
}

vec_t
gen_free_correction(graph_t * g, const gen_robot_t * robot, int i)
{
  const int at = robot->body[i].model->v_index;
  const vec_t v = input_vec(g, INPUT_V, at), w = input_vec(g, INPUT_V, at + 3);
  return vec_sub(g, vec_cross(g, w, v), gen_base_gravity(g, robot, one_body(i)));
}

static gen_motion_t
free_motion(graph_t * g, const gen_robot_t * robot, int i, gen_terms_t terms)
{
  const int at = robot->body[i].model->v_index;
  gen_motion_t motion = {NOTHING, NOTHING, NOTHING};
  if (terms.velocity) motion.w = input_vec(g, INPUT_V, at + 3);
  if (terms.acceleration) {
    motion.dw = input_vec(g, INPUT_QDD, at + 3);
    motion.a = input_vec(g, INPUT_QDD, at);
  }
  if (terms.gravity && !terms.free_at_rest) {
    motion.a = vec_add(g, motion.a, gen_free_correction(g, robot, i));
  }
  return motion;
}

// the joint's own part: d/dt of what it adds to the velocity of the parent
static void
add_joint_motion(
  graph_t * g, const gen_robot_t * robot, bodies_t bodies, gen_terms_t terms, gen_motion_t * motion)
{
  const expr_t v = terms.velocity ? gen_input(g, robot, bodies, INPUT_V, 0) : EXPR_ZERO;
  const expr_t qdd = terms.acceleration ? gen_input(g, robot, bodies, INPUT_QDD, 0) : EXPR_ZERO;
  const vec_t w = motion->w;
  if (robot->body[bodies.at[0]].kind == GEN_PRISMATIC) {
    // qdd axis + 2 w x axis v
    const vec_t axis = gen_vector(g, robot, bodies, offsetof(gen_body_t, axis));
    const vec_t coriolis = vec_scale(g, v, vec_cross(g, w, axis));
    motion->a = vec_add(g, motion->a, vec_scale(g, qdd, axis));
    motion->a = vec_add(g, motion->a, vec_scale(g, expr_constant(g, 2), coriolis));
    return;
  }
  // w x z v, of the parent's w in own axes
  const expr_t cx = expr_mul(g, v, w.e[1]), cy = -expr_mul(g, v, w.e[0]);
  motion->dw.e[0] = expr_add(g, motion->dw.e[0], cx);
  motion->dw.e[1] = expr_add(g, motion->dw.e[1], cy);
  motion->dw.e[2] = expr_add(g, motion->dw.e[2], qdd);
  motion->w.e[2] = expr_add(g, w.e[2], v);
  const expr_t pitch = gen_number(g, robot, bodies, offsetof(gen_body_t, pitch));
  const expr_t twice = expr_scale(g, 2, pitch);
  motion->a.e[0] = expr_add(g, motion->a.e[0], expr_mul(g, twice, cx));
  motion->a.e[1] = expr_add(g, motion->a.e[1], expr_mul(g, twice, cy));
  motion->a.e[2] = expr_add(g, motion->a.e[2], expr_mul(g, pitch, qdd));
}

gen_motion_t
gen_next_motion(
  graph_t * g, const gen_robot_t * robot, int i, gen_terms_t terms, const gen_motion_t * parent)
{
  const bodies_t bodies = robot->group[i].bodies;
  if (gen_first(robot, i)->kind == GEN_FREE) return free_motion(g, robot, bodies.at[0], terms);
  gen_motion_t motion = {NOTHING, NOTHING, NOTHING};
  if (parent) {
    gen_motion_t lifted;
    lifted.w = gen_lift_vec(g, robot, i, parent->w);
    lifted.dw = gen_lift_vec(g, robot, i, parent->dw);
    lifted.a = gen_lift_vec(g, robot, i, parent->a);
    const mat_t U = gen_point_matrix(g, &lifted);
    const vec_t a = vec_add(g, lifted.a, mat_vec(g, &U, gen_offset(g, robot, bodies)));
    motion.w = gen_to_child(g, robot, bodies, lifted.w);
    motion.dw = gen_to_child(g, robot, bodies, lifted.dw);
    motion.a = gen_to_child(g, robot, bodies, a);
  } else if (terms.gravity) {
    motion.a = vec_sub(g, NOTHING, gen_base_gravity(g, robot, bodies));
  }
  add_joint_motion(g, robot, bodies, terms, &motion);
  return motion;
}

//---------- forces, tips to base ----------

void
gen_body_force(
  graph_t * g, const gen_robot_t * robot, int i, const gen_motion_t * motion, vec_t * force,
  vec_t * moment)
{
  const bodies_t bodies = robot->group[i].bodies;
  const mat_t U = gen_point_matrix(g, motion);
  const vec_t h = gen_vector(g, robot, bodies, offsetof(gen_body_t, h));
  const expr_t mass = gen_number(g, robot, bodies, offsetof(gen_body_t, mass));
  expr_t S[6];
  for (size_t k = 0; k < 6; k++) {
    S[k] = gen_number(g, robot, bodies, offsetof(gen_body_t, S) + k * sizeof(double));
  }
  *force = vec_add(g, vec_scale(g, mass, motion->a), mat_vec(g, &U, h));

  // axial vector of U S: with differences of squares in place of those on the diagonal of U
  *moment = vec_cross(g, h, motion->a);
  for (int x = 0; x < 3; x++) {
    const int y = (x + 1) % 3, z = (x + 2) % 3;
    const expr_t wy = motion->w.e[y], wz = motion->w.e[z];
    const expr_t squares = expr_sub(g, expr_mul(g, wz, wz), expr_mul(g, wy, wy));
    expr_t sum = moment->e[x];
    sum = expr_add(g, sum, expr_mul(g, S[sym_at(y, z)], squares));
    sum = expr_add(g, sum, expr_mul(g, S[sym_at(x, y)], U.e[z][x]));
    sum = expr_add(g, sum, expr_mul(g, S[sym_at(y, y)], U.e[z][y]));
    sum = expr_sub(g, sum, expr_mul(g, S[sym_at(x, z)], U.e[y][x]));
    sum = expr_sub(g, sum, expr_mul(g, S[sym_at(z, z)], U.e[y][z]));
    moment->e[x] = sum;
  }
}

// what the joint feels of a force and moment at the body's origin
static void
project(
  graph_t * g, const gen_robot_t * robot, int i, const vec_t * force, const vec_t * moment,
  expr_t * out)
{
  const bodies_t bodies = robot->group[i].bodies;
  const gen_kind_t kind = gen_first(robot, i)->kind;
  if (kind == GEN_REVOLUTE) {
    const expr_t pitch = gen_number(g, robot, bodies, offsetof(gen_body_t, pitch));
    const expr_t along = expr_mul(g, pitch, force->e[2]);
    gen_put(g, robot, bodies, 0, expr_add(g, moment->e[2], along), out);
  } else if (kind == GEN_PRISMATIC) {
    const vec_t axis = gen_vector(g, robot, bodies, offsetof(gen_body_t, axis));
    gen_put(g, robot, bodies, 0, vec_dot(g, axis, *force), out);
  } else {
    for (int k = 0; k < 3; k++) {
      gen_put(g, robot, bodies, k, force->e[k], out);
      gen_put(g, robot, bodies, 3 + k, moment->e[k], out);
    }
  }
}

void
gen_gather(graph_t * g, const gen_robot_t * robot, vec_t * force, vec_t * moment, expr_t * out)
{
  for (int i = robot->ngroup - 1; i >= 0; i--) {
    const bodies_t bodies = robot->group[i].bodies;
    const int parent = robot->group[i].parent;
    gen_section(g, robot, i);
    project(g, robot, i, &force[i], &moment[i], out);
    if (parent < 0) continue;
    const vec_t f = gen_to_parent(g, robot, bodies, force[i]);
    const vec_t lever = vec_cross(g, gen_offset(g, robot, bodies), f);
    const vec_t n = vec_add(g, gen_to_parent(g, robot, bodies, moment[i]), lever);
    force[parent] = vec_add(g, force[parent], gen_lower_vec(g, robot, i, f));
    moment[parent] = vec_add(g, moment[parent], gen_lower_vec(g, robot, i, n));
  }
}

static bool
newton_euler(graph_t * g, const gen_robot_t * robot, gen_terms_t terms, expr_t * out)
{
  const size_t n = (size_t)robot->n + 1;
  gen_motion_t * motion = malloc(n * sizeof *motion);
  vec_t * force = malloc(2 * n * sizeof *force);
  vec_t * moment = force ? force + n : NULL;
  const bool ready = motion && force;
  for (int i = 0; ready && i < robot->ngroup; i++) {
    const int parent = robot->group[i].parent;
    gen_section(g, robot, i);
    motion[i] = gen_next_motion(g, robot, i, terms, parent < 0 ? NULL : &motion[parent]);
    gen_body_force(g, robot, i, &motion[i], &force[i], &moment[i]);
  }
  if (ready) gen_gather(g, robot, force, moment, out);
  free(motion);
  free(force);
  return ready;
}

//---------- functions ----------

double
gen_rotor(const gen_robot_t * robot, int i)
{
  const mbd_drive_t * drive = &robot->body[i].model->drive;
  return robot->rotors ? drive->gear_ratio * drive->gear_ratio * drive->rotor_inertia : 0;
}

expr_t
gen_rotors(graph_t * g, const gen_robot_t * robot, bodies_t bodies)
{
  expr_t lane[MAX_LANES];
  for (int l = 0; l < bodies.n; l++) lane[l] = expr_constant(g, gen_rotor(robot, bodies.at[l]));
  return expr_pack(g, lane, bodies.n);
}

expr_t
gen_friction(graph_t * g, const gen_robot_t * robot, int i, int dof)
{
  const mbd_drive_t * drive = &robot->body[i].model->drive;
  if (!robot->friction) return EXPR_ZERO;
  const expr_t v = expr_input(g, INPUT_V, dof);
  expr_t sum = expr_scale(g, drive->viscous, v);
  if (drive->coulomb != 0) {
    const expr_t smooth = expr_tanh(g, expr_scale(g, 1 / drive->coulomb_velocity, v));
    sum = expr_add(g, sum, expr_scale(g, drive->coulomb, smooth));
  }
  return sum;
}

bool
gen_inverse_dynamics(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  if (!newton_euler(g, robot, (gen_terms_t){true, true, true, false}, out)) return false;
  for (int dof = 0; dof < robot->model->nv; dof++) {
    const int i = robot->model->dof_body[dof];
    const expr_t qdd = expr_input(g, INPUT_QDD, dof);
    graph_section(g, i);
    out[dof] = expr_add(g, out[dof], expr_scale(g, gen_rotor(robot, i), qdd));
    out[dof] = expr_add(g, out[dof], gen_friction(g, robot, i, dof));
  }
  return true;
}

bool
gen_bias(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  return newton_euler(g, robot, (gen_terms_t){true, false, true, false}, out);
}

bool
gen_bias_falling(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  return newton_euler(g, robot, (gen_terms_t){true, false, true, true}, out);
}

//---------- gravity ----------

// first moments of subtrees, tips to base; masses of subtrees are known now
static void
gather_moments(graph_t * g, const gen_robot_t * robot, expr_t * mass, vec_t * h)
{
  for (int i = 0; i < robot->ngroup; i++) {
    mass[i] = gen_number(g, robot, robot->group[i].bodies, offsetof(gen_body_t, mass));
    h[i] = gen_vector(g, robot, robot->group[i].bodies, offsetof(gen_body_t, h));
  }
  for (int i = robot->ngroup - 1; i >= 0; i--) {
    const bodies_t bodies = robot->group[i].bodies;
    const int parent = robot->group[i].parent;
    if (parent < 0) continue;
    gen_section(g, robot, i);
    const vec_t moved = vec_scale(g, mass[i], gen_offset(g, robot, bodies));
    const vec_t own = vec_add(g, gen_to_parent(g, robot, bodies, h[i]), moved);
    mass[parent] = expr_add(g, mass[parent], gen_lower(g, robot, i, mass[i]));
    h[parent] = vec_add(g, h[parent], gen_lower_vec(g, robot, i, own));
  }
}

bool
gen_gravity(graph_t * g, const gen_robot_t * robot, expr_t * out)
{
  const size_t n = (size_t)robot->n + 1;
  expr_t * mass = malloc(n * sizeof *mass);
  vec_t * h = malloc(2 * n * sizeof *h);
  vec_t * gravity = h ? h + n : NULL;
  const bool ready = mass && h;
  if (ready) gather_moments(g, robot, mass, h);
  for (int i = 0; ready && i < robot->ngroup; i++) {
    const bodies_t bodies = robot->group[i].bodies;
    const int parent = robot->group[i].parent;
    gen_section(g, robot, i);
    gravity[i] = parent < 0
                   ? gen_base_gravity(g, robot, bodies)
                   : gen_to_child(g, robot, bodies, gen_lift_vec(g, robot, i, gravity[parent]));
    const vec_t force = vec_scale(g, -mass[i], gravity[i]);
    const vec_t moment = vec_cross(g, gravity[i], h[i]);
    project(g, robot, i, &force, &moment, out);
  }
  free(mass);
  free(h);
  return ready;
}
