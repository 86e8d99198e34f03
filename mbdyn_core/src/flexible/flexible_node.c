// Nodes of a modal body: placements, and columns of their Jacobian with their rates.
//
// A node rotates by the vector theta = sum of ang eta and translates by p = sum of lin eta +
// eta^T bend eta / 2. Its angular velocity in node axes is J(theta) dtheta/dt, with the right Jacobian of
// SO(3), J = 1 - a K + b K^2, K = theta~,
// a = (1 - cos) / theta^2, b = (theta - sin) / theta^3.
#include <math.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/spatial.h"

// a, b and their derivatives by theta over theta
typedef struct right_jacobian {
  double a, b, a_rate, b_rate;
} right_jacobian_t;

static right_jacobian_t
right_jacobian_at(mbd_vec3_t theta)
{
  const double s = mbdu_vec3_dot(theta, theta), t = sqrt(s);
  right_jacobian_t J;
  if (t < 0.2) {
    J.a = 0.5 - s / 24 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90)));
    J.b = 1.0 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)));
    J.a_rate = -1.0 / 12 * (1 - s / 15 * (1 - s * 3 / 112 * (1 - s * 2 / 135)));
    J.b_rate = -1.0 / 60 * (1 - s / 21 * (1 - s / 48 * (1 - s * 2 / 165)));
    return J;
  }
  const double c = cos(t), sine = sin(t);
  J.a = (1 - c) / s;
  J.b = (t - sine) / (s * t);
  J.a_rate = (sine / t - 2 * J.a) / s;
  J.b_rate = ((1 - c) / s - 3 * J.b) / s;
  return J;
}

// J x
static mbd_vec3_t
right_jacobian_times(const right_jacobian_t * J, mbd_vec3_t theta, mbd_vec3_t x)
{
  const mbd_vec3_t one = mbdu_vec3_cross(theta, x), two = mbdu_vec3_cross(theta, one);
  return mbdu_vec3_add(x, mbdu_vec3_add(mbdu_vec3_scale(-J->a, one), mbdu_vec3_scale(J->b, two)));
}

// dJ/dt y for x = dtheta/dt
static mbd_vec3_t
right_jacobian_change(const right_jacobian_t * J, mbd_vec3_t theta, mbd_vec3_t x, mbd_vec3_t y)
{
  const double along = mbdu_vec3_dot(theta, x);
  const mbd_vec3_t one = mbdu_vec3_cross(theta, y), two = mbdu_vec3_cross(theta, one);
  const mbd_vec3_t moved = mbdu_vec3_cross(x, y);
  mbd_vec3_t sum = mbdu_vec3_scale(-J->a_rate * along, one);
  sum = mbdu_vec3_sub(sum, mbdu_vec3_scale(J->a, moved));
  sum = mbdu_vec3_add(sum, mbdu_vec3_scale(J->b_rate * along, two));
  const mbd_vec3_t mixed = mbdu_vec3_add(mbdu_vec3_cross(x, one), mbdu_vec3_cross(theta, moved));
  return mbdu_vec3_add(sum, mbdu_vec3_scale(J->b, mixed));
}

static mbd_motion_t
combine(int m, const mbd_motion_t * shape, const double * x)
{
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < m; k++) sum = mbdu_motion_add(sum, mbdu_motion_scale(x[k], shape[k]));
  return sum;
}

// bend x of one row
static mbd_vec3_t
bend_row(int m, const mbd_vec3_t * row, const double * x)
{
  mbd_vec3_t sum = {0, 0, 0};
  for (int k = 0; k < m; k++) sum = mbdu_vec3_add(sum, mbdu_vec3_scale(x[k], row[k]));
  return sum;
}

// a node as its shape has it, seen from the link frame at rest
static void
node_placement(
  int m, mbd_vec3_t position, const mbd_motion_t * shape, const mbd_vec3_t * bend,
  const double * eta, mbd_placement_t * X, mbd_motion_t * column)
{
  const mbd_motion_t moved = combine(m, shape, eta);
  const right_jacobian_t J = right_jacobian_at(moved.ang);
  X->R = mbdu_quat_to_mat3(mbdu_quat_exp(moved.ang));
  X->p = mbdu_vec3_add(position, moved.lin);
  for (int k = 0; k < m; k++) {
    mbd_vec3_t lin = shape[k].lin;
    if (bend) {
      const mbd_vec3_t second = bend_row(m, bend + k * m, eta);
      X->p = mbdu_vec3_add(X->p, mbdu_vec3_scale(0.5 * eta[k], second));
      lin = mbdu_vec3_add(lin, second);
    }
    column[k].ang = right_jacobian_times(&J, moved.ang, shape[k].ang);
    column[k].lin = mbdu_mat3_tvec(&X->R, lin);
  }
}

// d/dt of the columns of the same, R its axes in the link frame at rest; returns its velocity
static mbd_motion_t
move(
  int m, const mbd_motion_t * shape, const mbd_vec3_t * bend, const double * eta,
  const double * etadot, const mbd_mat3_t * R, const mbd_motion_t * column, mbd_motion_t * rate)
{
  const mbd_vec3_t theta = combine(m, shape, eta).ang, x = combine(m, shape, etadot).ang;
  const right_jacobian_t J = right_jacobian_at(theta);
  const mbd_motion_t W = combine(m, column, etadot);
  for (int k = 0; k < m; k++) {
    const mbd_vec3_t second = bend ? bend_row(m, bend + k * m, etadot) : mbdu_vec3(0, 0, 0);
    rate[k].ang = right_jacobian_change(&J, theta, x, shape[k].ang);
    rate[k].lin = mbdu_vec3_sub(mbdu_mat3_tvec(R, second), mbdu_vec3_cross(W.ang, column[k].lin));
  }
  return W;
}

static const mbd_vec3_t *
bend_of(const mbd_modal_body_t * body, int k)
{
  return body->has_bend ? body->bend + k * body->nmode * body->nmode : NULL;
}

void
mbdi_flexible_place_nodes(
  const mbd_modal_body_t * body, const double * eta, mbd_placement_t * hinge, mbd_placement_t * X,
  mbd_motion_t * const * column)
{
  const int m = body->nmode;
  for (int k = 0; k < body->nnode; k++) {
    node_placement(
      m, body->position[k], body->shape + k * m, bend_of(body, k), eta, &X[k + 1], column[k + 1]);
  }
  if (!body->has_hinge) return;
  node_placement(m, mbdu_vec3(0, 0, 0), body->hinge, NULL, eta, hinge, column[0]);
  const mbd_placement_t back = mbdu_placement_inverse(hinge);
  for (int k = 1; k <= body->nnode; k++) {
    X[k] = mbdu_placement_mul(&back, &X[k]);
    for (int i = 0; i < m; i++) {
      column[k][i] = mbdu_motion_sub(column[k][i], mbdu_motion_to_child(&X[k], column[0][i]));
    }
  }
}

// With T from link frame to node and c = c_0 - T c_h: c' = c_0' - T c_h' + U x T c_h, U the velocity of
// the node in the link frame
void
mbdi_flexible_move_nodes(
  const mbd_modal_body_t * body, const double * eta, const double * etadot,
  const mbd_placement_t * hinge, const mbd_placement_t * X, mbd_motion_t * const * column,
  mbd_motion_t * const * rate)
{
  const int m = body->nmode;
  if (body->has_hinge) move(m, body->hinge, NULL, eta, etadot, &hinge->R, column[0], rate[0]);
  for (int k = 1; k <= body->nnode; k++) {
    const mbd_motion_t * shape = body->shape + (k - 1) * m;
    const mbd_vec3_t * bend = bend_of(body, k - 1);
    if (!body->has_hinge) {
      move(m, shape, bend, eta, etadot, &X[k].R, column[k], rate[k]);
      continue;
    }
    const mbd_motion_t U = combine(m, column[k], etadot);
    const mbd_mat3_t R = mbdu_mat3_mul(&hinge->R, &X[k].R);
    // columns as the link frame at rest sees them
    mbd_motion_t whole[MBDI_MODES_MAX];
    for (int i = 0; i < m; i++) {
      whole[i] = mbdu_motion_add(column[k][i], mbdu_motion_to_child(&X[k], column[0][i]));
    }
    move(m, shape, bend, eta, etadot, &R, whole, rate[k]);
    for (int i = 0; i < m; i++) {
      const mbd_motion_t carried = mbdu_motion_to_child(&X[k], column[0][i]);
      rate[k][i] = mbdu_motion_sub(rate[k][i], mbdu_motion_to_child(&X[k], rate[0][i]));
      rate[k][i] = mbdu_motion_add(rate[k][i], mbdu_motion_cross(U, carried));
    }
  }
}
