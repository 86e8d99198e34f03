// Serial chains: outward recursion of motions, inward recursion of forces, each link in its outer frame.
#include "mbdyn/operators/noc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "operators/noc_internal.h"
#include "state/state.h"
#include "util/arena.h"

//---------- setting up ----------

// N of I = N^T N, upper triangular; a direction without inertia has no row
static void
root_of(const mbd_sym3_t * I, double small, mbd_mat3_t * N)
{
  double A[3][3] = {{I->xx, I->xy, I->xz}, {I->xy, I->yy, I->yz}, {I->xz, I->yz, I->zz}};
  memset(N, 0, sizeof *N);
  for (int k = 0; k < 3; k++) {
    if (!(A[k][k] > small)) continue;
    const double pivot = sqrt(A[k][k]);
    for (int j = k; j < 3; j++) N->m[3 * k + j] = A[k][j] / pivot;
    for (int i = k + 1; i < 3; i++) {
      for (int j = k + 1; j < 3; j++) A[i][j] -= N->m[3 * k + i] * N->m[3 * k + j];
    }
  }
}

static mbd_status_t
take_row(const mbd_dh_row_t * row, noc_link_t * k)
{
  const mbd_inertia_t * M = &row->inertia;
  CHECK(mbdi_check_inertia(M));
  *k = (noc_link_t){
    .slides = row->type == MBD_JOINT_PRISMATIC,
    .a = row->a,
    .d = row->d,
    .theta = row->theta,
    .lambda = cos(row->alpha),
    .mu = sin(row->alpha),
    .mass = M->mass,
    .root_mass = sqrt(M->mass),
    .I = M->I};
  if (M->mass > 0) {
    k->com = mbdu_vec3_scale(1 / M->mass, M->h);
    k->I = mbdu_inertia_about_com(M);
  }
  // rounding error of the shift to the centre of mass
  root_of(&k->I, 1e-15 * (M->I.xx + M->I.yy + M->I.zz), &k->root);
  return MBD_OK;
}

static size_t
lay_out_noc(mbd_noc_t * noc, int n, char * base)
{
  const size_t N = (size_t)n;
  size_t offset = 0;
  mbdi_arena_take(base, &offset, 1, sizeof *noc);
  noc->link = mbdi_arena_take(base, &offset, N, sizeof *noc->link);
  noc->world = mbdi_arena_take(base, &offset, N, sizeof *noc->world);
  noc->P = mbdi_arena_take(base, &offset, 6 * N * N, sizeof *noc->P);
  noc->I = mbdi_arena_take(base, &offset, N * N, sizeof *noc->I);
  noc->dense = mbdi_arena_take(base, &offset, 6 * N * N, sizeof *noc->dense);
  noc->x = mbdi_arena_take(base, &offset, N, sizeof *noc->x);
  noc->y = mbdi_arena_take(base, &offset, N, sizeof *noc->y);
  noc->scale = mbdi_arena_take(base, &offset, N, sizeof *noc->scale);
  return offset;
}

// rows of a table in any convention, into links
static mbd_status_t
take_table(const mbd_dh_t * table, mbd_dh_row_t * row, mbd_noc_t * noc)
{
  mbd_dh_t copy = *table;
  memcpy(row, table->row, (size_t)table->n * sizeof *row);
  copy.row = row;
  CHECK(mbd_dh_convert(&copy, MBD_DH_STANDARD));
  for (int i = 0; i < copy.n; i++) CHECK(take_row(&row[i], &noc->link[i]));
  noc->base = copy.base;
  noc->tool = copy.tool;
  noc->gravity = mbdu_mat3_tvec(&copy.base.R, copy.gravity);
  const bool finite = finite_array(copy.base.R.m, 9) && finite_array(copy.tool.R.m, 9) &&
                      finite_vec3(copy.base.p) && finite_vec3(copy.tool.p) &&
                      finite_vec3(noc->gravity);
  return finite ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbd_noc_create(const mbd_dh_t * table, mbd_noc_t ** noc)
{
  if (!noc) return MBD_ERROR_NULL_ARGUMENT;
  *noc = NULL;
  if (!table || !table->row) return MBD_ERROR_NULL_ARGUMENT;
  if (table->n < 1 || table->n > 4096) return MBD_ERROR_BAD_ARGUMENT;
  // validate the table before allocation
  mbd_dh_t same = *table;
  CHECK(mbd_dh_convert(&same, table->convention));
  mbd_noc_t none = {0};
  mbd_noc_t * made = calloc(1, lay_out_noc(&none, table->n, NULL));
  mbd_dh_row_t * row = calloc((size_t)table->n, sizeof *row);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (made && row) {
    lay_out_noc(made, made->n = table->n, (char *)made);
    status = take_table(table, row, made);
  }
  free(row);
  if (status == MBD_OK) {
    *noc = made;
  } else {
    free(made);
  }
  return status;
}

void
mbd_noc_destroy(mbd_noc_t * noc)
{
  free(noc);
}

int
mbd_noc_dof(const mbd_noc_t * noc)
{
  return noc ? noc->n : 0;
}

//---------- recursions ----------

bool
mbdi_noc_place(mbd_noc_t * noc, const double * q)
{
  if (!finite_array(q, noc->n)) return false;
  for (int i = 0; i < noc->n; i++) {
    noc_link_t * k = &noc->link[i];
    const double theta = k->theta + (k->slides ? 0 : q[i]);
    const double b = k->d + (k->slides ? q[i] : 0);
    k->c = cos(theta);
    k->s = sin(theta);
    // O_i -> O_{i+1} -> C_i
    k->rho = mbdu_vec3_add(mbdu_vec3(k->a, b * k->mu, b * k->lambda), k->com);
  }
  return true;
}

// w x (w x r) + dw x r
static mbd_vec3_t
swing(mbd_vec3_t w, mbd_vec3_t dw, mbd_vec3_t r)
{
  return mbdu_vec3_add(mbdu_vec3_cross(dw, r), mbdu_vec3_cross(w, mbdu_vec3_cross(w, r)));
}

// motion of a link from that of the link before it: algorithm 7.4.1
static void
move_link(const noc_link_t * last, noc_link_t * k, double rate, double acceleration)
{
  const double turn = k->slides ? 0 : rate, dturn = k->slides ? 0 : acceleration;
  const mbd_vec3_t delta = mbdu_vec3_neg(last->com);
  mbd_vec3_t w = last->w, dw = last->dw;
  // w_{i-1} x rate e                                                               (7.31)
  dw = mbdu_vec3_add(dw, mbdu_vec3(turn * w.y, -turn * w.x, dturn));
  w.z += turn;
  k->w = noc_out(k, w);
  k->dw = noc_out(k, dw);
  const mbd_vec3_t to_joint = mbdu_vec3_add(last->ddc, swing(last->w, last->dw, delta));
  k->ddc = mbdu_vec3_add(noc_out(k, to_joint), swing(k->w, k->dw, k->rho));
  if (!k->slides) return;
  // Coriolis' and the slide's own                                                  (7.35)
  const mbd_vec3_t e = noc_axis(k);
  k->ddc = mbdu_vec3_add(k->ddc, mbdu_vec3_cross(mbdu_vec3_scale(2 * rate, k->w), e));
  k->ddc = mbdu_vec3_add(k->ddc, mbdu_vec3_scale(acceleration, e));
}

// wrench of joint i about O_i from that of joint i + 1: algorithm 7.4.2
static void
load_joint(noc_link_t * k, const noc_link_t * next)
{
  const mbd_vec3_t Iw = mbdu_sym3_vec(&k->I, k->w);
  mbd_vec3_t n = mbdu_vec3_add(mbdu_sym3_vec(&k->I, k->dw), mbdu_vec3_cross(k->w, Iw));
  k->f = mbdu_vec3_scale(k->mass, k->ddc);
  if (next) {
    const mbd_vec3_t phi = noc_in(next, next->f);
    k->f = mbdu_vec3_add(k->f, phi);
    n = mbdu_vec3_add(
      n, mbdu_vec3_add(noc_in(next, next->n), mbdu_vec3_cross(mbdu_vec3_neg(k->com), phi)));
  }
  k->n = mbdu_vec3_add(n, mbdu_vec3_cross(k->rho, k->f));
}

// subtract the wrench on the tool from that of the last joint
static void
unload_tool(const mbd_noc_t * noc, const mbd_force_t * tool, noc_link_t * k)
{
  const mbd_vec3_t f = mbdu_mat3_vec(&noc->tool.R, tool->lin);
  // O_i -> O_{i+1} -> tool
  const mbd_vec3_t arm = mbdu_vec3_add(mbdu_vec3_sub(k->rho, k->com), noc->tool.p);
  const mbd_vec3_t n =
    mbdu_vec3_add(mbdu_mat3_vec(&noc->tool.R, tool->ang), mbdu_vec3_cross(arm, f));
  k->f = mbdu_vec3_sub(k->f, f);
  k->n = mbdu_vec3_sub(k->n, n);
}

void
mbdi_noc_sweep(
  mbd_noc_t * noc, const double * v, const double * qdd, const mbd_force_t * f_tool, double * tau)
{
  // gravity is an upward acceleration of the base                                  (7.44)
  const noc_link_t base = {.ddc = mbdu_vec3_neg(noc->gravity)};
  const int n = noc->n;
  for (int i = 0; i < n; i++) {
    move_link(i ? &noc->link[i - 1] : &base, &noc->link[i], v[i], qdd ? qdd[i] : 0);
  }
  for (int i = n - 1; i >= 0; i--) {
    noc_link_t * k = &noc->link[i];
    load_joint(k, i + 1 < n ? k + 1 : NULL);
    if (f_tool && i + 1 == n) unload_tool(noc, f_tool, k);
    const mbd_vec3_t along = k->slides ? k->f : k->n;
    tau[i] = along.y * k->mu + along.z * k->lambda;
  }
  noc->moved = true;
}

static bool
finite_force(const mbd_force_t * f)
{
  return !f || (finite_vec3(f->ang) && finite_vec3(f->lin));
}

mbd_status_t
mbd_noc_inverse_dynamics(
  mbd_noc_t * noc, const double * q, const double * v, const double * qdd,
  const mbd_force_t * f_tool, double * tau)
{
  if (!noc || !q || !v || !tau) return MBD_ERROR_NULL_ARGUMENT;
  const int n = noc->n;
  if (!finite_array(v, n) || (qdd && !finite_array(qdd, n)) || !finite_force(f_tool)) {
    return MBD_ERROR_NOT_FINITE;
  }
  if (!mbdi_noc_place(noc, q)) return MBD_ERROR_NOT_FINITE;
  mbdi_noc_sweep(noc, v, qdd, f_tool, noc->x);
  return copy_checked(tau, noc->x, n);
}

mbd_status_t
mbd_noc_joint_wrench(mbd_noc_t * noc, int joint, mbd_force_t * f)
{
  if (!noc || !f) return MBD_ERROR_NULL_ARGUMENT;
  if (joint < 0 || joint >= noc->n) return MBD_ERROR_BAD_ARGUMENT;
  if (!noc->moved) return MBD_ERROR_STAGE;
  mbd_vec3_t force = noc->link[joint].f, moment = noc->link[joint].n;
  for (int i = joint; i >= 0; i--) {
    force = noc_in(&noc->link[i], force);
    moment = noc_in(&noc->link[i], moment);
  }
  f->lin = mbdu_mat3_vec(&noc->base.R, force);
  f->ang = mbdu_mat3_vec(&noc->base.R, moment);
  return MBD_OK;
}
