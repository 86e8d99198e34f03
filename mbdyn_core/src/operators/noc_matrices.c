// The matrices of the natural orthogonal complement, in world axes.
#include <string.h>

#include "operators/noc_internal.h"
#include "state/state.h"

//---------- the chain in the world ----------

// rotation of the frame that a link carries: R Q
static mbd_mat3_t
turned(const mbd_mat3_t * R, const noc_link_t * k)
{
  const double c = k->c, s = k->s, l = k->lambda, m = k->mu;
  const mbd_mat3_t Q = {{c, -l * s, m * s, s, l * c, -m * c, 0, m, l}};
  return mbdu_mat3_mul(R, &Q);
}

// points, axes and velocities of all links; v may be NULL: at rest
static void
see_from_world(mbd_noc_t * noc, const double * v)
{
  mbd_vec3_t O = noc->base.p, dO = {0, 0, 0}, w = {0, 0, 0}, delta = {0, 0, 0};
  mbd_mat3_t R = noc->base.R;
  for (int i = 0; i < noc->n; i++) {
    const noc_link_t * k = &noc->link[i];
    noc_world_t * x = &noc->world[i];
    const double rate = v ? v[i] : 0;
    *x = (noc_world_t){.e = {R.m[2], R.m[5], R.m[8]}, .O = O, .dO = dO, .delta_last = delta};
    x->R = R = turned(&R, k);
    x->rho = mbdu_mat3_vec(&R, k->rho);
    x->c = mbdu_vec3_add(O, x->rho);
    x->I = mbdu_sym3_rotate(&R, &k->I);
    x->w = w = k->slides ? w : mbdu_vec3_add(w, mbdu_vec3_scale(rate, x->e));
    x->dc = mbdu_vec3_add(dO, mbdu_vec3_cross(w, x->rho));
    if (k->slides) x->dc = mbdu_vec3_add(x->dc, mbdu_vec3_scale(rate, x->e));
    // on to the next joint
    delta = mbdu_vec3_neg(mbdu_mat3_vec(&R, k->com));
    O = mbdu_vec3_add(x->c, delta);
    dO = mbdu_vec3_add(x->dc, mbdu_vec3_cross(w, delta));
  }
}

static mbd_status_t
look(mbd_noc_t * noc, const double * q, const double * v, bool needs_v, const double * out)
{
  if (!noc || !q || !out || (needs_v && !v)) return MBD_ERROR_NULL_ARGUMENT;
  if (v && !finite_array(v, noc->n)) return MBD_ERROR_NOT_FINITE;
  if (!mbdi_noc_place(noc, q)) return MBD_ERROR_NOT_FINITE;
  see_from_world(noc, v);
  return MBD_OK;
}

//---------- twists ----------

// t_ij: twist of link i for a unit rate of joint j <= i                     (7.71), (7.83)
static mbd_motion_t
column_of(const mbd_noc_t * noc, int i, int j)
{
  const noc_world_t *x = &noc->world[j], *link = &noc->world[i];
  if (noc->link[j].slides) return (mbd_motion_t){{0, 0, 0}, x->e};
  return (mbd_motion_t){x->e, mbdu_vec3_cross(x->e, mbdu_vec3_sub(link->c, x->O))};
}

// its rate                                                                  (7.85), (7.86)
static mbd_motion_t
column_rate_of(const mbd_noc_t * noc, int i, int j)
{
  const noc_world_t *x = &noc->world[j], *link = &noc->world[i];
  const mbd_vec3_t de = mbdu_vec3_cross(x->w, x->e);
  if (noc->link[j].slides) return (mbd_motion_t){{0, 0, 0}, de};
  const mbd_vec3_t r = mbdu_vec3_sub(link->c, x->O), dr = mbdu_vec3_sub(link->dc, x->dO);
  return (mbd_motion_t){de, mbdu_vec3_add(mbdu_vec3_cross(de, r), mbdu_vec3_cross(x->e, dr))};
}

static void
put_blocks(const mbd_noc_t * noc, mbd_motion_t (*of)(const mbd_noc_t *, int, int), double * T)
{
  const int n = noc->n;
  memset(T, 0, 6 * (size_t)n * (size_t)n * sizeof *T);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      const mbd_motion_t t = of(noc, i, j);
      const double six[6] = {t.ang.x, t.ang.y, t.ang.z, t.lin.x, t.lin.y, t.lin.z};
      for (int k = 0; k < 6; k++) T[(6 * i + k) * n + j] = six[k];
    }
  }
}

mbd_status_t
mbd_noc_complement(mbd_noc_t * noc, const double * q, double * T)
{
  CHECK(look(noc, q, NULL, false, T));
  put_blocks(noc, column_of, T);
  return MBD_OK;
}

mbd_status_t
mbd_noc_complement_rate(mbd_noc_t * noc, const double * q, const double * v, double * dT)
{
  CHECK(look(noc, q, v, true, dT));
  put_blocks(noc, column_rate_of, dT);
  return MBD_OK;
}

//---------- constraints ----------

// add `sign` times the matrix of a x at row, column
static void
add_cross(double * K, int size, int row, int column, double sign, mbd_vec3_t a)
{
  double * at = K + (size_t)row * (size_t)size + column;
  const size_t s = (size_t)size;
  at[1] -= sign * a.z, at[2] += sign * a.y;
  at[s] += sign * a.z, at[s + 2] -= sign * a.x;
  at[2 * s] -= sign * a.y, at[2 * s + 1] += sign * a.x;
}

static void
add_identity(double * K, int size, int row, int column, double sign)
{
  for (int k = 0; k < 3; k++) K[(size_t)(row + k) * (size_t)size + (size_t)(column + k)] += sign;
}

// E a~ = a e^T - (e . a) 1, at row, column
static void
add_cross_cross(double * K, int size, int row, int column, mbd_vec3_t e, mbd_vec3_t a)
{
  const double x[3] = {a.x, a.y, a.z}, y[3] = {e.x, e.y, e.z};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      K[(size_t)(row + i) * (size_t)size + (size_t)(column + j)] += x[i] * y[j];
    }
  }
  add_identity(K, size, row, column, -mbdu_vec3_dot(e, a));
}

// revolute: rotation about e only, and the same C_i for both links             (7.63), (7.65)
static void
put_revolute(const mbd_noc_t * noc, int i, double * K)
{
  const noc_world_t * x = &noc->world[i];
  const int size = 6 * noc->n, row = 6 * i;
  add_cross(K, size, row, row, 1, x->e);
  add_cross(K, size, row + 3, row, 1, x->rho);
  add_identity(K, size, row + 3, row + 3, 1);
  if (i == 0) return;
  add_cross(K, size, row, row - 6, -1, x->e);
  add_cross(K, size, row + 3, row - 6, 1, x->delta_last);
  add_identity(K, size, row + 3, row - 3, -1);
}

// prismatic: no rotation, translation along e only                             (7.79) to (7.81)
static void
put_prismatic(const mbd_noc_t * noc, int i, double * K)
{
  const noc_world_t * x = &noc->world[i];
  const int size = 6 * noc->n, row = 6 * i;
  add_identity(K, size, row, row, 1);
  add_cross_cross(K, size, row + 3, row, x->e, mbdu_vec3_add(x->delta_last, x->rho));
  add_cross(K, size, row + 3, row + 3, 1, x->e);
  if (i == 0) return;
  add_identity(K, size, row, row - 6, -1);
  add_cross(K, size, row + 3, row - 3, -1, x->e);
}

mbd_status_t
mbd_noc_constraint_matrix(mbd_noc_t * noc, const double * q, double * K)
{
  CHECK(look(noc, q, NULL, false, K));
  memset(K, 0, 36 * (size_t)noc->n * (size_t)noc->n * sizeof *K);
  for (int i = 0; i < noc->n; i++) {
    if (noc->link[i].slides) {
      put_prismatic(noc, i, K);
    } else {
      put_revolute(noc, i, K);
    }
  }
  return MBD_OK;
}

//---------- matrices of the motion ----------

// M_i t about the centre of mass
static mbd_force_t
momentum_of(const mbd_noc_t * noc, int i, mbd_motion_t t)
{
  return (mbd_force_t){
    mbdu_sym3_vec(&noc->world[i].I, t.ang), mbdu_vec3_scale(noc->link[i].mass, t.lin)};
}

// add the contribution of link i to C: t_ij . (M dt_ik + W M t_ik)                   (7.58)
static void
add_coriolis(const mbd_noc_t * noc, int i, double * C)
{
  for (int k = 0; k <= i; k++) {
    const mbd_motion_t t = column_of(noc, i, k);
    mbd_force_t f = momentum_of(noc, i, column_rate_of(noc, i, k));
    f.ang = mbdu_vec3_add(f.ang, mbdu_vec3_cross(noc->world[i].w, momentum_of(noc, i, t).ang));
    for (int j = 0; j <= i; j++) C[j * noc->n + k] += mbdu_power(f, column_of(noc, i, j));
  }
}

mbd_status_t
mbd_noc_coriolis_matrix(mbd_noc_t * noc, const double * q, const double * v, double * C)
{
  CHECK(look(noc, q, v, true, C));
  memset(C, 0, (size_t)noc->n * (size_t)noc->n * sizeof *C);
  for (int i = 0; i < noc->n; i++) add_coriolis(noc, i, C);
  return MBD_OK;
}

// dI/dt = C + C^T: M dT + W M T is the rate of M T                                  (7.58)
mbd_status_t
mbd_noc_mass_rate(mbd_noc_t * noc, const double * q, const double * v, double * dI)
{
  CHECK(mbd_noc_coriolis_matrix(noc, q, v, dI));
  const int n = noc->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) dI[i * n + j] = dI[j * n + i] = dI[i * n + j] + dI[j * n + i];
  }
  return MBD_OK;
}
