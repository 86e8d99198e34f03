// The state of a robot with links that bend, and the blocks of the engine that come of it.
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/integrate.h"
#include "model/joint.h"
#include "state/state.h"

static void
put_motion(mbd_motion_t V, double * out)
{
  out[0] = V.ang.x, out[1] = V.ang.y, out[2] = V.ang.z;
  out[3] = V.lin.x, out[4] = V.lin.y, out[5] = V.lin.z;
}

static void
add_force(mbd_force_t f, double * out)
{
  out[0] += f.ang.x, out[1] += f.ang.y, out[2] += f.ang.z;
  out[3] += f.lin.x, out[4] += f.lin.y, out[5] += f.lin.z;
}

//---------- kinematics ----------

typedef struct context {
  const mbd_flexible_t * f;
  const struct mbd_flexible_layout * layout;
  mbd_flexible_data_t * d;
} context_t;

// nodes of the bending link that a unit is
static mbdi_flexible_node_t *
nodes_of(const context_t * c, int unit)
{
  return c->d->node + c->layout->first_node[c->layout->unit[unit].part];
}

static const double *
eta_of(const context_t * c, const mbdi_flexible_unit_t * unit)
{
  return c->d->q + c->f->model->nq + c->f->part[unit->part].eta;
}

static const double *
rate_of(const context_t * c, const mbdi_flexible_unit_t * unit)
{
  return c->d->v + c->f->model->nv + c->f->part[unit->part].eta;
}

// the seat in the world
static mbd_placement_t
seat_in_world(const context_t * c, const mbdi_flexible_seat_t * seat)
{
  if (seat->unit < 0) return mbdu_placement_identity();
  const mbd_placement_t * X = &c->d->X_world[seat->unit];
  if (seat->node < 0) return *X;
  return mbdu_placement_mul(X, &nodes_of(c, seat->unit)[seat->node].X);
}

static void
place_unit(const context_t * c, int k)
{
  const mbdi_flexible_unit_t * unit = &c->layout->unit[k];
  mbd_flexible_data_t * d = c->d;
  d->X[k] = unit->seat.X;
  if (unit->body >= 0) {
    const mbd_body_t * body = &c->f->model->body[unit->body];
    mbd_placement_t X;
    mbdi_joint_position(body, d->q + body->q_index, &X, d->S + body->v_index);
    d->X[k] = mbdu_placement_mul(&unit->seat.X, &X);
  } else {
    mbdi_flexible_place_nodes(c->f->part[unit->part].body, eta_of(c, unit), nodes_of(c, k));
  }
  const mbd_placement_t below = seat_in_world(c, &unit->seat);
  d->X_world[k] = mbdu_placement_mul(&below, &d->X[k]);
}

// velocity of a unit; its velocity-dependent acceleration a                    (13.32), (13.33)
static mbd_motion_t
move_unit(const context_t * c, int k)
{
  const mbdi_flexible_unit_t * unit = &c->layout->unit[k];
  const mbdi_flexible_seat_t * seat = &unit->seat;
  mbd_flexible_data_t * d = c->d;
  mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}}, a = V;
  if (seat->unit >= 0) V = d->V[seat->unit];
  if (seat->node >= 0) {
    V = nodes_of(c, seat->unit)[seat->node].V;
    a = mbdu_motion_to_child(&d->X[k], nodes_of(c, seat->unit)[seat->node].a);
  }
  V = mbdu_motion_to_child(&d->X[k], V);
  if (unit->body >= 0) {
    const mbd_body_t * body = &c->f->model->body[unit->body];
    const double * v = d->v + body->v_index;
    const mbd_motion_t hinge = joint_motion(body, d->S + body->v_index, v);
    mbd_motion_t rate[6];
    V = mbdu_motion_add(V, hinge);
    a = mbdu_motion_add(a, mbdu_motion_cross(V, hinge));
    if (mbdi_joint_subspace_rate(body, d->q + body->q_index, v, rate)) {
      a = mbdu_motion_add(a, joint_motion(body, rate, v));
    }
  } else {
    const mbd_modal_body_t * body = c->f->part[unit->part].body;
    mbdi_flexible_move_nodes(body, eta_of(c, unit), rate_of(c, unit), V, nodes_of(c, k));
  }
  d->V[k] = V;
  return a;
}

//---------- blocks ----------

// rows of phi(X) in six columns of a matrix that is `stride` wide: phi^T takes motions to the child
static void
put_phi(const mbd_placement_t * X, int stride, double * out)
{
  for (int row = 0; row < 6; row++) {
    double unit[6] = {0};
    unit[row] = 1;
    const mbd_motion_t e = {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}};
    put_motion(mbdu_motion_to_child(X, e), out + row * stride);
  }
}

// A: forces of a unit as the one below feels them, in its modes and in its frame       (13.30)
static void
put_push(const context_t * c, int k)
{
  const mbdi_flexible_seat_t * seat = &c->layout->unit[k].seat;
  mbd_sko_node_t * node = &c->d->sko->node[k];
  const mbd_placement_t * X = &c->d->X[k];
  double * A = node->A + node->n - 6;
  if (seat->node < 0) {
    put_phi(X, node->n, A);
    return;
  }
  const mbdi_flexible_node_t * at = &nodes_of(c, seat->unit)[seat->node];
  const int modes = node->rows - 6;
  for (int m = 0; m < modes; m++) {
    put_motion(mbdu_motion_to_child(X, at->column[m]), A + m * node->n);
  }
  const mbd_placement_t below = mbdu_placement_mul(&at->X, X);
  put_phi(&below, node->n, A + modes * node->n);
}

static void
put_full(const mbd_inertia_t * inertia, int stride, double * M)
{
  const mbd_sym6_t small = mbdu_sym6_from_inertia(inertia);
  double full[36];
  mbdu_sym6_full(&small, full);
  for (int i = 0; i < 6; i++) memcpy(M + i * stride, full + 6 * i, 6 * sizeof *full);
}

static mbd_force_t
force_of(const mbd_inertia_t * M, mbd_motion_t V, mbd_motion_t a)
{
  const mbd_force_t momentum = mbdu_inertia_mul(M, V);
  return mbdu_force_add(mbdu_inertia_mul(M, a), mbdu_force_cross(V, momentum));
}

static void
put_body(const context_t * c, int k, double * b)
{
  const mbdi_flexible_unit_t * unit = &c->layout->unit[k];
  const mbd_body_t * body = &c->f->model->body[unit->body];
  const mbd_motion_t none = {{0, 0, 0}, {0, 0, 0}};
  mbd_sko_node_t * node = &c->d->sko->node[k];
  put_full(&unit->inertia, 6, node->M);
  for (int i = 0; i < node->r; i++) {
    double column[6];
    put_motion(c->d->S[body->v_index + i], column);
    for (int row = 0; row < 6; row++) node->H[row * node->r + i] = column[row];
    const double ratio = body->drive.gear_ratio;
    const bool rotors = c->d->terms & MBD_TERM_ROTORS;
    node->J[i * (node->r + 1)] = rotors ? ratio * ratio * body->drive.rotor_inertia : 0;
  }
  add_force(force_of(&unit->inertia, c->d->V[k], none), b);
}

// M_fl += A M A^T, b += A (M a + V x M V) of one node                           (13.27), (13.35)
static void
add_node(
  const mbdi_flexible_node_t * at, const mbd_inertia_t * inertia, int m, mbd_sko_node_t * node,
  double * b)
{
  const int n = node->n;
  const mbd_force_t f = force_of(inertia, at->V, at->a);
  for (int i = 0; i < m; i++) {
    const mbd_force_t F = mbdu_inertia_mul(inertia, at->column[i]);
    for (int j = 0; j <= i; j++) node->M[i * n + j] += mbdu_power(F, at->column[j]);
    add_force(mbdu_force_to_parent(&at->X, F), node->M + i * n + m);
    b[i] += mbdu_power(f, at->column[i]);
  }
  add_force(mbdu_force_to_parent(&at->X, f), b + m);
}

// stiffness and damping of the modes: K eta + C eta'
static void
add_springs(const mbd_modal_body_t * body, const double * eta, const double * rate, double * b)
{
  const int m = body->nmode;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      b[i] += body->stiffness[i * m + j] * eta[j] + body->damping[i * m + j] * rate[j];
    }
  }
}

static void
put_part(const context_t * c, int k, double * b)
{
  const mbdi_flexible_unit_t * unit = &c->layout->unit[k];
  const mbd_flexible_part_t * part = &c->f->part[unit->part];
  const mbd_modal_body_t * body = part->body;
  const mbdi_flexible_node_t * at = nodes_of(c, k);
  const mbd_motion_t none = {{0, 0, 0}, {0, 0, 0}};
  mbd_sko_node_t * node = &c->d->sko->node[k];
  const int m = body->nmode, n = node->n;
  memset(node->M, 0, (size_t)(n * n) * sizeof *node->M);
  memcpy(node->J, part->extra_mass, (size_t)(m * m) * sizeof *node->J);
  for (int i = 0; i < m; i++) node->H[i * m + i] = 1;
  mbd_inertia_t whole = c->layout->link_frame[unit->part];
  add_force(force_of(&whole, c->d->V[k], none), b + m);
  for (int s = 0; s < body->nnode; s++) {
    const mbd_inertia_t * inertia = &body->inertia[s];
    const mbd_sym3_t * I = &inertia->I;
    if (inertia->mass == 0 && I->xx == 0 && I->yy == 0 && I->zz == 0) continue;
    const mbd_inertia_t moved = mbdu_inertia_to_parent(&at[s].X, inertia);
    whole = mbdu_inertia_add(&whole, &moved);
    add_node(&at[s], inertia, m, node, b);
  }
  put_full(&whole, n, node->M + m * n + m);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i && j < m; j++) {
      if (i < m) {
        node->M[j * n + i] = node->M[i * n + j];
      } else {
        node->M[i * n + j] = node->M[j * n + i];
      }
    }
  }
  add_springs(body, eta_of(c, unit), rate_of(c, unit), b);
}

//---------- the state ----------

static void
compute(const context_t * c)
{
  mbd_flexible_data_t * d = c->d;
  double * b = d->bias;
  for (int k = 0; k < c->layout->nunit; k++) {
    mbd_sko_node_t * node = &d->sko->node[k];
    place_unit(c, k);
    const mbd_motion_t a = move_unit(c, k);
    put_motion(a, node->a + node->n - 6);
    put_push(c, k);
    memset(b, 0, (size_t)node->n * sizeof *b);
    if (c->layout->unit[k].body >= 0) {
      put_body(c, k, b);
    } else {
      put_part(c, k, b);
    }
    b += node->n;
  }
  mbd_sko_changed(d->sko);
}

mbd_status_t
mbd_flexible_set_state(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v)
{
  if (!flexible || !data || !q) return MBD_ERROR_NULL_ARGUMENT;
  if (data->flexible != flexible) return MBD_ERROR_MODEL_MISMATCH;
  data->ready = false;
  if (!finite_array(q, flexible->nq)) return MBD_ERROR_NOT_FINITE;
  if (v && !finite_array(v, flexible->nv)) return MBD_ERROR_NOT_FINITE;
  memmove(data->q, q, (size_t)flexible->nq * sizeof *q);
  CHECK(mbd_normalize(flexible->model, data->q));
  if (v) {
    memmove(data->v, v, (size_t)flexible->nv * sizeof *v);
  } else {
    memset(data->v, 0, (size_t)flexible->nv * sizeof *data->v);
  }
  const context_t c = {flexible, flexible->layout, data};
  compute(&c);
  data->ready = true;
  return MBD_OK;
}

mbd_placement_t
mbdi_flexible_seat_in_world(const mbd_flexible_data_t * data, const mbdi_flexible_seat_t * seat)
{
  const context_t c = {
    data->flexible, data->flexible->layout, (mbd_flexible_data_t *)(uintptr_t)data};
  return seat_in_world(&c, seat);
}
