// Nodes of a modal body: where they are, how they move, and what of it depends on velocity.
//
// A node is turned by the rotation vector theta = sum of ang eta and moved by p = sum of lin eta +
// eta^T bend eta / 2. In node axes it turns at J(theta) dtheta/dt, J = 1 - a K + b K^2, K = theta~,
// a = (1 - cos) / theta^2, b = (theta - sin) / theta^3.
#include <math.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/spatial.h"

// a, b and their derivatives by theta over theta
typedef struct turn {
  double a, b, a_rate, b_rate;
} turn_t;

static turn_t
turn_at(mbd_vec3_t theta)
{
  const double s = mbdu_vec3_dot(theta, theta), t = sqrt(s);
  turn_t turn;
  if (t < 0.2) {
    turn.a = 0.5 - s / 24 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90)));
    turn.b = 1.0 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110)));
    turn.a_rate = -1.0 / 12 * (1 - s / 15 * (1 - s * 3 / 112 * (1 - s * 2 / 135)));
    turn.b_rate = -1.0 / 60 * (1 - s / 21 * (1 - s / 48 * (1 - s * 2 / 165)));
    return turn;
  }
  const double c = cos(t), sine = sin(t);
  turn.a = (1 - c) / s;
  turn.b = (t - sine) / (s * t);
  turn.a_rate = (sine / t - 2 * turn.a) / s;
  turn.b_rate = ((1 - c) / s - 3 * turn.b) / s;
  return turn;
}

// J x
static mbd_vec3_t
turn_rate(const turn_t * turn, mbd_vec3_t theta, mbd_vec3_t x)
{
  const mbd_vec3_t one = mbdu_vec3_cross(theta, x), two = mbdu_vec3_cross(theta, one);
  return mbdu_vec3_add(
    x, mbdu_vec3_add(mbdu_vec3_scale(-turn->a, one), mbdu_vec3_scale(turn->b, two)));
}

// dJ/dt x for x = dtheta/dt
static mbd_vec3_t
turn_bias(const turn_t * turn, mbd_vec3_t theta, mbd_vec3_t x)
{
  const double along = mbdu_vec3_dot(theta, x);
  const mbd_vec3_t one = mbdu_vec3_cross(theta, x), two = mbdu_vec3_cross(theta, one);
  mbd_vec3_t sum = mbdu_vec3_scale(-turn->a_rate * along, one);
  sum = mbdu_vec3_add(sum, mbdu_vec3_scale(turn->b_rate * along, two));
  return mbdu_vec3_add(sum, mbdu_vec3_scale(turn->b, mbdu_vec3_cross(x, one)));
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
place(
  int m, mbd_vec3_t position, const mbd_motion_t * shape, const mbd_vec3_t * bend,
  const double * eta, mbd_placement_t * X, mbd_motion_t * column)
{
  const mbd_motion_t moved = combine(m, shape, eta);
  const turn_t turn = turn_at(moved.ang);
  X->R = mbdu_quat_to_mat3(mbdu_quat_exp(moved.ang));
  X->p = mbdu_vec3_add(position, moved.lin);
  for (int k = 0; k < m; k++) {
    mbd_vec3_t lin = shape[k].lin;
    if (bend) {
      const mbd_vec3_t second = bend_row(m, bend + k * m, eta);
      X->p = mbdu_vec3_add(X->p, mbdu_vec3_scale(0.5 * eta[k], second));
      lin = mbdu_vec3_add(lin, second);
    }
    column[k].ang = turn_rate(&turn, moved.ang, shape[k].ang);
    column[k].lin = mbdu_mat3_tvec(&X->R, lin);
  }
}

// acceleration of the same at zero modal acceleration, node axes; W is its velocity
static mbd_motion_t
bias(
  int m, const mbd_motion_t * shape, const mbd_vec3_t * bend, const double * eta,
  const double * rate, const mbd_mat3_t * R, mbd_motion_t W)
{
  const mbd_vec3_t theta = combine(m, shape, eta).ang, x = combine(m, shape, rate).ang;
  const turn_t turn = turn_at(theta);
  mbd_vec3_t second = {0, 0, 0};
  for (int k = 0; bend && k < m; k++) {
    second = mbdu_vec3_add(second, mbdu_vec3_scale(rate[k], bend_row(m, bend + k * m, rate)));
  }
  const mbd_motion_t a = {
    turn_bias(&turn, theta, x),
    mbdu_vec3_sub(mbdu_mat3_tvec(R, second), mbdu_vec3_cross(W.ang, W.lin))};
  return a;
}

static const mbd_vec3_t *
bend_of(const mbd_modal_body_t * body, int k)
{
  return body->has_bend ? body->bend + k * body->nmode * body->nmode : NULL;
}

// node[nnode] is the hinge itself, as the link frame at rest sees it
void
mbdi_flexible_place_nodes(
  const mbd_modal_body_t * body, const double * eta, mbdi_flexible_node_t * node)
{
  const int m = body->nmode;
  for (int k = 0; k < body->nnode; k++) {
    place(
      m, body->position[k], body->shape + k * m, bend_of(body, k), eta, &node[k].X, node[k].column);
  }
  if (!body->has_hinge) return;
  mbdi_flexible_node_t * hinge = &node[body->nnode];
  place(m, mbdu_vec3(0, 0, 0), body->hinge, NULL, eta, &hinge->X, hinge->column);
  const mbd_placement_t back = mbdu_placement_inverse(&hinge->X);
  for (int k = 0; k < body->nnode; k++) {
    node[k].X = mbdu_placement_mul(&back, &node[k].X);
    for (int i = 0; i < m; i++) {
      node[k].column[i] =
        mbdu_motion_sub(node[k].column[i], mbdu_motion_to_child(&node[k].X, hinge->column[i]));
    }
  }
}

// With T from link frame to node, W of the node and W_h of the hinge seen from the frame at rest:
// V = T V_l + U, U = W - T W_h, and a = -U x T (V_l - W_h) + w - T w_h
void
mbdi_flexible_move_nodes(
  const mbd_modal_body_t * body, const double * eta, const double * rate, mbd_motion_t V,
  mbdi_flexible_node_t * node)
{
  const int m = body->nmode;
  mbd_motion_t W_h = {{0, 0, 0}, {0, 0, 0}}, w_h = W_h;
  const mbdi_flexible_node_t * hinge = &node[body->nnode];
  if (body->has_hinge) {
    W_h = combine(m, hinge->column, rate);
    w_h = bias(m, body->hinge, NULL, eta, rate, &hinge->X.R, W_h);
  }
  for (int k = 0; k < body->nnode; k++) {
    mbdi_flexible_node_t * n = &node[k];
    n->U = combine(m, n->column, rate);
    const mbd_motion_t carried = mbdu_motion_to_child(&n->X, mbdu_motion_sub(V, W_h));
    const mbd_motion_t W = mbdu_motion_add(n->U, mbdu_motion_to_child(&n->X, W_h));
    // turned as seen from the frame at rest
    mbd_mat3_t R = n->X.R;
    if (body->has_hinge) R = mbdu_mat3_mul(&hinge->X.R, &R);
    const mbd_motion_t w = bias(m, body->shape + k * m, bend_of(body, k), eta, rate, &R, W);
    n->V = mbdu_motion_add(mbdu_motion_to_child(&n->X, V), n->U);
    n->a = mbdu_motion_sub(
      mbdu_motion_sub(w, mbdu_motion_to_child(&n->X, w_h)), mbdu_motion_cross(n->U, carried));
  }
}
