// Dynamics of a robot with links that bend, by the engine.
#include <math.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/spatial.h"
#include "sko/sko_math.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/dense.h"

// the state that a call starts from
static mbd_status_t
take_state(const mbd_flexible_t * f, mbd_flexible_data_t * d, const double * q, const double * v)
{
  if (!f || !d || (!q && v)) return MBD_ERROR_NULL_ARGUMENT;
  if (d->flexible != f) return MBD_ERROR_MODEL_MISMATCH;
  if (q) return mbd_flexible_set_state(f, d, q, v);
  return d->ready ? MBD_OK : MBD_ERROR_STAGE;
}

// minus gravity: the world accelerates upwards
static void
base_of(const mbd_flexible_data_t * d, double base[6])
{
  base[0] = base[1] = base[2] = 0;
  base[3] = -d->gravity.x, base[4] = -d->gravity.y, base[5] = -d->gravity.z;
}

//---------- wrenches ----------

// a wrench in the frame of the seat of its frame
static mbd_force_t
at_seat(const mbd_flexible_data_t * d, const mbdi_flexible_seat_t * seat, const mbd_wrench_t * w)
{
  mbd_placement_t X = seat->X;
  if (w->reference != MBD_LOCAL) {
    const mbd_placement_t below = mbdi_flexible_seat_in_world(d, seat);
    const mbd_placement_t back = mbdu_placement_inverse(&below);
    mbd_placement_t there = mbdu_placement_identity();
    if (w->reference == MBD_LOCAL_WORLD_ALIGNED) there.p = mbdu_placement_mul(&below, &X).p;
    X = mbdu_placement_mul(&back, &there);
  }
  return mbdu_force_to_parent(&X, w->f);
}

static void
take_off(mbd_force_t f, double * b)
{
  b[0] -= f.ang.x, b[1] -= f.ang.y, b[2] -= f.ang.z;
  b[3] -= f.lin.x, b[4] -= f.lin.y, b[5] -= f.lin.z;
}

// b of all nodes: of the state, less wrenches
static void
put_biases(mbd_flexible_data_t * d, const mbd_wrenches_t * f_ext)
{
  const struct mbd_flexible_layout * layout = d->flexible->layout;
  const double * bias = d->bias;
  for (int k = 0; k < layout->nunit; k++) {
    mbd_sko_node_t * node = &d->sko->node[k];
    memcpy(node->b, bias, (size_t)node->n * sizeof *bias);
    bias += node->n;
  }
  for (int k = 0; f_ext && k < f_ext->n; k++) {
    const mbdi_flexible_seat_t * seat = &layout->frame[f_ext->w[k].frame];
    if (seat->unit < 0) continue;
    mbd_sko_node_t * node = &d->sko->node[seat->unit];
    mbd_force_t f = at_seat(d, seat, &f_ext->w[k]);
    if (seat->node >= 0) {
      const int part = layout->unit[seat->unit].part;
      const mbdi_flexible_node_t * at = &d->node[layout->first_node[part] + seat->node];
      for (int i = 0; i < node->n - 6; i++) node->b[i] -= mbdu_power(f, at->column[i]);
      f = mbdu_force_to_parent(&at->X, f);
    }
    take_off(f, node->b + node->n - 6);
  }
}

//---------- dynamics ----------

mbd_status_t
mbd_flexible_inverse_dynamics(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(take_state(flexible, data, q, v));
  CHECK(mbdi_check_wrenches(flexible->model, f_ext));
  double base[6];
  base_of(data, base);
  put_biases(data, f_ext);
  CHECK(mbd_sko_inverse_dynamics(data->sko, base, qdd, data->x));
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(flexible->model, data->v, 1, data->x);
  memcpy(tau, data->x, (size_t)flexible->nv * sizeof *tau);
  return MBD_OK;
}

mbd_status_t
mbd_flexible_mass_matrix(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, double * M)
{
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(take_state(flexible, data, q, NULL));
  return mbd_sko_mass_matrix(data->sko, M);
}

mbd_status_t
mbd_flexible_forward_dynamics(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(take_state(flexible, data, q, v));
  CHECK(mbdi_check_wrenches(flexible->model, f_ext));
  const size_t bytes = (size_t)flexible->nv * sizeof *qdd;
  if (tau && !finite_array(tau, flexible->nv)) return MBD_ERROR_NOT_FINITE;
  if (tau) {
    memmove(data->x, tau, bytes);
  } else {
    memset(data->x, 0, bytes);
  }
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(flexible->model, data->v, -1, data->x);
  double base[6];
  base_of(data, base);
  put_biases(data, f_ext);
  CHECK(mbd_sko_forward_dynamics(data->sko, base, data->x, data->x));
  memcpy(qdd, data->x, bytes);
  return MBD_OK;
}

//---------- energy ----------

static double
quadratic(int n, const double * A, const double * x)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * sko_dot(n, A + i * n, x);
  return 0.5 * sum;
}

static double
kinetic_of(const mbd_flexible_data_t * d, int k)
{
  const mbd_sko_node_t * node = &d->sko->node[k];
  const double V[6] = {d->V[k].ang.x, d->V[k].ang.y, d->V[k].ang.z,
                       d->V[k].lin.x, d->V[k].lin.y, d->V[k].lin.z};
  const int m = node->n - 6;
  double sum = 0;
  // [eta', V] by M, and what moves with the hinge alone by J
  const double * v = d->v + (node->r > 0 ? node->dof[0] : 0);
  for (int i = 0; i < node->n; i++) {
    const double * row = node->M + i * node->n;
    const double mine = i < m ? v[i] : V[i - m];
    sum += mine * (sko_dot(m, row, v) + sko_dot(6, row + m, V));
  }
  return 0.5 * sum + quadratic(node->r, node->J, v);
}

// mass and first moment of a unit are in its M
static double
weight_of(const mbd_flexible_data_t * d, int k)
{
  const mbd_sko_node_t * node = &d->sko->node[k];
  const int m = node->n - 6, n = node->n;
  const double * M = node->M + m * n + m;
  const double mass = M[3 * n + 3];
  // upper right block: h~
  const mbd_vec3_t h = {M[2 * n + 4], M[0 * n + 5], M[1 * n + 3]};
  const mbd_placement_t * X = &d->X_world[k];
  const mbd_vec3_t moment = mbdu_vec3_add(mbdu_mat3_vec(&X->R, h), mbdu_vec3_scale(mass, X->p));
  return -mbdu_vec3_dot(d->gravity, moment);
}

mbd_status_t
mbd_flexible_energy(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, double * kinetic, double * potential,
  double * strain)
{
  CHECK(take_state(flexible, data, NULL, NULL));
  const struct mbd_flexible_layout * layout = flexible->layout;
  double sums[3] = {0, 0, 0};
  for (int k = 0; k < layout->nunit; k++) {
    const int part = layout->unit[k].part;
    sums[0] += kinetic_of(data, k);
    sums[1] += weight_of(data, k);
    if (part < 0) continue;
    const double * eta = data->q + flexible->model->nq + flexible->part[part].eta;
    sums[2] +=
      quadratic(flexible->part[part].body->nmode, flexible->part[part].body->stiffness, eta);
  }
  if (kinetic) *kinetic = sums[0];
  if (potential) *potential = sums[1];
  if (strain) *strain = sums[2];
  return MBD_OK;
}

//---------- frames ----------

mbd_status_t
mbd_flexible_frame(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, int frame, mbd_placement_t * X,
  mbd_motion_t * V)
{
  CHECK(take_state(flexible, data, NULL, NULL));
  if (frame < 0 || frame >= flexible->model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  const mbdi_flexible_seat_t * seat = &flexible->layout->frame[frame];
  if (X) {
    const mbd_placement_t below = mbdi_flexible_seat_in_world(data, seat);
    *X = mbdu_placement_mul(&below, &seat->X);
  }
  if (V) {
    mbd_motion_t moved = {{0, 0, 0}, {0, 0, 0}};
    if (seat->unit >= 0) moved = data->V[seat->unit];
    if (seat->node >= 0) {
      const int part = flexible->layout->unit[seat->unit].part;
      moved = data->node[flexible->layout->first_node[part] + seat->node].V;
    }
    *V = mbdu_motion_to_child(&seat->X, moved);
  }
  return MBD_OK;
}

//---------- natural frequencies ----------

// stiffness of the modes in a matrix of n rows, of which the last are the modes
static void
put_stiffness(const mbd_flexible_t * f, int n, double * K)
{
  memset(K, 0, (size_t)n * (size_t)n * sizeof *K);
  for (int p = 0; p < f->npart; p++) {
    const mbd_modal_body_t * body = f->part[p].body;
    const int first = n - f->nmode + f->part[p].eta, m = body->nmode;
    for (int i = 0; i < m; i++) {
      memcpy(K + (first + i) * n + first, body->stiffness + i * m, (size_t)m * sizeof *K);
    }
  }
}

// K := L^-1 K L^-T, K symmetric
static void
divide_by_roots(int n, const double * L, double * K)
{
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n; i++) sko_solve_lower(n, L, K + i * n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        const double swap = K[i * n + j];
        K[i * n + j] = K[j * n + i], K[j * n + i] = swap;
      }
    }
  }
}

static void
sort(int n, double * x)
{
  for (int i = 1; i < n; i++) {
    const double moved = x[i];
    int j = i;
    for (; j > 0 && x[j - 1] > moved; j--) x[j] = x[j - 1];
    x[j] = moved;
  }
}

mbd_status_t
mbd_flexible_frequencies(
  const mbd_flexible_t * flexible, mbd_flexible_data_t * data, bool locked, double * omega)
{
  CHECK(take_state(flexible, data, NULL, NULL));
  if (!omega) return MBD_ERROR_NULL_ARGUMENT;
  const int nv = flexible->nv, n = locked ? flexible->nmode : nv, first = nv - n;
  double *M = data->M, *K = data->K, *L = data->K + (size_t)nv * (size_t)nv;
  CHECK(mbd_sko_mass_matrix(data->sko, M));
  if (!finite_array(M, nv * nv)) return MBD_ERROR_NOT_FINITE;
  // the modes' part to the front
  for (int i = 0; i < n; i++) {
    memmove(M + i * n, M + (first + i) * nv + first, (size_t)n * sizeof *M);
    data->y[i] = 1e-14 * M[i * n + i];
  }
  if (!sko_cholesky(n, M, data->y, L)) return MBD_ERROR_SINGULAR;
  put_stiffness(flexible, n, K);
  divide_by_roots(n, L, K);
  mbdi_eigen_symmetric(n, K, M);
  for (int i = 0; i < n; i++) omega[i] = sqrt(fmax(0, K[i * (n + 1)]));
  sort(n, omega);
  return finite_array(omega, n) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
