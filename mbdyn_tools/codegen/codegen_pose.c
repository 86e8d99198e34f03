// Poses and Jacobians of frames on recorded numbers.
#include <stdlib.h>

#include "codegen_algorithms.h"

static vec_t
column_of(const mat_t * A, int j)
{
  vec_t x = {{A->e[0][j], A->e[1][j], A->e[2][j]}};
  return x;
}

static mat_t
constant_matrix(graph_t * g, const double m[9])
{
  mat_t A;
  for (int k = 0; k < 9; k++) A.e[k / 3][k % 3] = expr_constant(g, m[k]);
  return A;
}

static mat_t
mat_transpose(const mat_t * A)
{
  mat_t B;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) B.e[j][i] = A->e[i][j];
  }
  return B;
}

static vec_t
constant_point(graph_t * g, mbd_vec3_t p)
{
  return vec_constant(g, (const double[]){p.x, p.y, p.z});
}

// origin of a body on the world
static vec_t
root_origin(graph_t * g, const gen_robot_t * robot, int i)
{
  const gen_body_t * body = &robot->body[i];
  if (body->kind != GEN_FREE) return gen_offset(g, robot, one_body(i));
  vec_t x;
  for (int k = 0; k < 3; k++) x.e[k] = expr_input(g, INPUT_Q, body->model->q_index + k);
  const mat_t R = constant_matrix(g, body->model->X_tree.R.m);
  return vec_add(g, constant_point(g, body->model->X_tree.p), mat_vec(g, &R, x));
}

// a vector of a body that hangs on `parent` (or the world) in the axes of that
static vec_t
carry(graph_t * g, const gen_robot_t * robot, int i, vec_t x)
{
  if (robot->body[i].kind != GEN_FREE) return gen_to_parent(g, robot, one_body(i), x);
  const mat_t R = gen_free_rotation(g, robot, i);
  return mat_vec(g, &R, x);
}

bool
gen_pose(graph_t * g, const gen_robot_t * robot, int frame, expr_t * out)
{
  const mbd_frame_t * f = &robot->model->frame[frame];
  const mbd_placement_t X = gen_frame(robot, f);
  const mat_t R = constant_matrix(g, X.R.m);
  // from the frame to the base: a point and two axes; the third is their product
  vec_t p = constant_point(g, X.p), x = column_of(&R, 0), z = column_of(&R, 2);
  for (int i = f->body; i >= 0; i = robot->body[i].parent) {
    graph_section(g, i);
    const bool root = robot->body[i].parent < 0;
    const vec_t origin = root ? root_origin(g, robot, i) : gen_offset(g, robot, one_body(i));
    p = vec_add(g, origin, carry(g, robot, i, p));
    x = carry(g, robot, i, x);
    z = carry(g, robot, i, z);
  }
  const vec_t y = f->body < 0 ? column_of(&R, 1) : vec_cross(g, z, x);
  for (int k = 0; k < 3; k++) {
    out[k] = p.e[k];
    out[3 + 3 * k] = x.e[k], out[4 + 3 * k] = y.e[k], out[5 + 3 * k] = z.e[k];
  }
  return true;
}

//---------- Jacobians ----------

// where a body is, in the axes of the Jacobian
typedef struct placed {
  mat_t A;  // its axes
  vec_t o;  // its origin
} placed_t;

// rows of A turned to the axes of a body's child or parent
static mat_t
turn_rows(graph_t * g, const gen_robot_t * robot, int i, bool down, const mat_t * A)
{
  mat_t B;
  for (int k = 0; k < 3; k++) {
    const vec_t row = {{A->e[k][0], A->e[k][1], A->e[k][2]}};
    const vec_t turned =
      down ? gen_to_child(g, robot, one_body(i), row) : gen_to_parent(g, robot, one_body(i), row);
    for (int j = 0; j < 3; j++) B.e[k][j] = turned.e[j];
  }
  return B;
}

static placed_t
place_root(graph_t * g, const gen_robot_t * robot, int i)
{
  static const double ONE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  placed_t placed = {.o = root_origin(g, robot, i)};
  if (robot->body[i].kind == GEN_FREE) {
    placed.A = gen_free_rotation(g, robot, i);
  } else {
    const mat_t world = constant_matrix(g, ONE);
    placed.A = turn_rows(g, robot, i, true, &world);
  }
  return placed;
}

// columns of a body's joint; r: from its origin to the point of the Jacobian
static void
joint_columns(
  graph_t * g, const gen_robot_t * robot, int i, const placed_t * at, vec_t r, expr_t * J)
{
  const gen_body_t * body = &robot->body[i];
  const int nv = robot->model->nv;
  for (int k = 0; k < body->model->nv; k++) {
    vec_t ang = {{0, 0, 0}}, lin = {{0, 0, 0}};
    if (body->kind == GEN_PRISMATIC) {
      lin = mat_vec(g, &at->A, vec_constant(g, body->axis));
    } else if (body->kind == GEN_FREE && k < 3) {
      lin = column_of(&at->A, k);
    } else {
      ang = column_of(&at->A, body->kind == GEN_FREE ? k - 3 : 2);
      lin = vec_cross(g, ang, r);
      lin = vec_add(g, lin, vec_scale(g, expr_constant(g, body->pitch), ang));
    }
    for (int a = 0; a < 3; a++) {
      J[a * nv + body->model->v_index + k] = lin.e[a];
      J[(a + 3) * nv + body->model->v_index + k] = ang.e[a];
    }
  }
}

// axes of the world, base to frame
static void
world_jacobian(
  graph_t * g, const gen_robot_t * robot, const mbd_frame_t * f, bool at_frame, placed_t * placed,
  expr_t * J)
{
  int tip = -1;
  for (int i = 0; i <= f->body; i++) {
    const int parent = robot->body[i].parent;
    if (robot->model->body[i].subtree_end <= f->body) continue;
    graph_section(g, i);
    tip = i;
    if (parent < 0) {
      placed[i] = place_root(g, robot, i);
    } else {
      const vec_t offset = mat_vec(g, &placed[parent].A, gen_offset(g, robot, one_body(i)));
      placed[i].o = vec_add(g, placed[parent].o, offset);
      placed[i].A = turn_rows(g, robot, i, true, &placed[parent].A);
    }
  }
  vec_t point = {{0, 0, 0}};
  if (at_frame) {
    const mbd_placement_t X = gen_frame(robot, f);
    point = vec_add(g, placed[tip].o, mat_vec(g, &placed[tip].A, constant_point(g, X.p)));
  }
  for (int i = tip; i >= 0; i = robot->body[i].parent) {
    graph_section(g, i);
    joint_columns(g, robot, i, &placed[i], vec_sub(g, point, placed[i].o), J);
  }
}

// axes of the frame, frame to base
static void
local_jacobian(graph_t * g, const gen_robot_t * robot, const mbd_frame_t * f, expr_t * J)
{
  const mbd_placement_t X = gen_frame(robot, f);
  const mat_t R = constant_matrix(g, X.R.m);
  const vec_t nothing = {{0, 0, 0}};
  placed_t placed = {.A = mat_transpose(&R)};
  placed.o = vec_sub(g, nothing, mat_vec(g, &placed.A, constant_point(g, X.p)));
  for (int i = f->body; i >= 0; i = robot->body[i].parent) {
    graph_section(g, i);
    joint_columns(g, robot, i, &placed, vec_sub(g, nothing, placed.o), J);
    if (robot->body[i].parent < 0) break;
    placed.A = turn_rows(g, robot, i, false, &placed.A);
    placed.o = vec_sub(g, placed.o, mat_vec(g, &placed.A, gen_offset(g, robot, one_body(i))));
  }
}

bool
gen_jacobian(
  graph_t * g, const gen_robot_t * robot, int frame, mbd_reference_t reference, expr_t * out)
{
  const mbd_frame_t * f = &robot->model->frame[frame];
  for (int k = 0; k < 6 * robot->model->nv; k++) out[k] = EXPR_ZERO;
  if (f->body < 0) return true;
  if (reference == MBD_LOCAL) {
    local_jacobian(g, robot, f, out);
    return true;
  }
  placed_t * placed = malloc((size_t)robot->n * sizeof *placed);
  if (!placed) return false;
  world_jacobian(g, robot, f, reference == MBD_LOCAL_WORLD_ALIGNED, placed, out);
  free(placed);
  return true;
}
