#include "constraints/cut.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/cut_planar.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "state/state.h"

// redundant rows whose second rates differ by more than this, of the largest, do so nearby
#define SECOND_ORDER_MISS 1e-5

static bool
is_dense(const mbd_model_t * model)
{
  return model->internal->engine->rigid_tree && model->nv <= MBDI_DENSE_DOF;
}

// of the mass matrix of a small tree, and of its factors
static size_t
dense_work(const mbd_model_t * model)
{
  const size_t nv = (size_t)model->nv;
  return is_dense(model) ? nv * nv + mbdi_mass_factor_work(model->nv) : 0;
}

size_t
mbdi_cut_work(const mbd_model_t * model)
{
  const int m = model->nrow, nv = model->nv;
  return 2 * mbdi_lq_work(m, nv) + mbdi_lq_work(nv, m) + mbdi_lq_work(m, m) + 2 * (size_t)nv +
         3 * (size_t)m + mbdi_cut_planar_work(model) + dense_work(model);
}

static mbd_status_t
check_options(const mbd_constrained_options_t * o)
{
  const double numbers[3] = {o->t, o->stabilisation, o->damping_ratio};
  if (!finite_array(numbers, 3)) return MBD_ERROR_NOT_FINITE;
  const bool good = o->stabilisation >= 0 && o->damping_ratio >= 0 && o->rank_tolerance > 0 &&
                    o->rank_tolerance < 1 && o->tolerance > 0;
  return good ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbdi_cut_begin(
  mbdi_cut_t * cut, const mbd_model_t * model, mbd_data_t * data,
  const mbd_constrained_options_t * options, double * work)
{
  CHECK(check_any(model, data, 0));
  if (!work) return MBD_ERROR_NULL_ARGUMENT;
  cut->model = model;
  cut->data = data;
  cut->options = options ? *options : mbd_constrained_options_default();
  CHECK(check_options(&cut->options));
  // an embedded model keeps its loops by itself
  cut->nclosure = model->internal->engine->cut_loops ? model->nclosure : 0;
  cut->nrow = model->internal->engine->cut_loops ? model->nrow : 0;
  const int m = cut->nrow, nv = model->nv;
  cut->tall = mbdi_lq_init(&cut->G, m, nv, work);
  cut->tall = mbdi_lq_init(&cut->W, m, nv, cut->tall);
  cut->small = cut->tall + mbdi_lq_work(nv, m);
  cut->x = cut->small + mbdi_lq_work(m, m);
  cut->g = cut->x + nv;
  cut->r = cut->g + nv;
  cut->y = cut->r + m;
  cut->dense = is_dense(model) ? work + mbdi_cut_work(model) - dense_work(model) : NULL;
  cut->wanted = cut->y + m;
  cut->planar = cut->wanted + m;
  cut->M = NULL;
  cut->S = cut->X = NULL;
  cut->factorized = cut->without_forces = false;
  return MBD_OK;
}

static bool
is_open(const mbdi_cut_t * cut, int closure)
{
  return cut->options.open && cut->options.open[closure];
}

void
mbdi_cut_fill(const mbdi_cut_t * cut, double * A)
{
  const mbd_model_t * model = cut->model;
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    double * row = A + (size_t)c->row * (size_t)model->nv;
    if (is_open(cut, k)) {
      memset(row, 0, (size_t)c->nrow * (size_t)model->nv * sizeof *row);
    } else {
      mbdi_closure_fill(model, cut->data, c, NULL, model->nv, row);
    }
  }
}

mbd_status_t
mbdi_cut_rank(mbdi_cut_t * cut, mbd_constrained_t * info)
{
  const mbd_model_t * model = cut->model;
  CHECK(check_any(model, cut->data, MBD_STAGE_POSITION));
  mbdi_cut_fill(cut, cut->G.A);
  cut->nacting = 0;
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    mbdi_closure_scale(model, cut->data, c, cut->G.scale + c->row);
    if (!is_open(cut, k)) cut->nacting += c->nrow;
  }
  mbdi_lq_factor(&cut->G, cut->options.rank_tolerance, -1);
  info->rank = cut->G.rank;
  info->nredundant = cut->nacting - cut->G.rank;
  info->mobility = model->nv - cut->G.rank;
  if (info->rank >= cut->options.rank) return MBD_OK;
  info->error_closure = mbdi_closure_of_row(model, cut->G.row[info->rank]);
  return MBD_ERROR_LOCKED;
}

//---------- singular configurations ----------

// Where rows imply each other all along the loops, lambda^T G = 0 stays true on every motion u that G
// leaves, and so lambda^T (dG/dt) u = 0. Where the rank has dropped at this configuration alone, some
// u of the null space are no motions of the loops, and one at random does not obey that: a test of
// second order, without assembling the loops elsewhere.

// a velocity at random that no row sees, its largest number one; false if there is none
static bool
free_velocity(const mbdi_cut_t * cut, double * u)
{
  const int nv = cut->model->nv;
  if (cut->G.rank == nv) return false;
  uint64_t state = 0x9e3779b97f4a7c15u;
  for (int k = 0; k < nv; k++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    u[k] = (double)(state >> 11) * 0x1p-52 - 1;
  }
  mbdi_lq_null_part(&cut->G, u);
  double largest = 0;
  for (int k = 0; k < nv; k++) largest = fmax(largest, fabs(u[k]));
  if (!(largest > 1e-12)) return false;
  for (int k = 0; k < nv; k++) u[k] /= largest;
  return true;
}

// -(dG/dt) u of the acting rows at velocity u, in r; the velocity and bias stages are those of u
static mbd_status_t
second_rates_at(mbdi_cut_t * cut, const double * u, double * r)
{
  const mbd_model_t * model = cut->model;
  CHECK(mbd_set_velocity(model, cut->data, u));
  CHECK(mbd_closure_bias(model, cut->data, cut->options.t, r));
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    double drive[3];
    CHECK(mbdi_closure_drive(c, cut->options.t, drive));
    r[c->row + c->driver.row] -= drive[2];
    if (is_open(cut, k)) memset(r + c->row, 0, (size_t)c->nrow * sizeof *r);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_cut_check_regular(mbdi_cut_t * cut, mbd_constrained_t * info)
{
  // without redundant rows the rank is all that it can be
  if (cut->options.rank != 0 || cut->nacting == cut->G.rank) return MBD_OK;
  double *u = cut->g, *v = cut->W.A, *x = cut->tall;
  if (!free_velocity(cut, u)) return MBD_OK;
  mbd_data_t * data = cut->data;
  const size_t bytes = (size_t)cut->model->nv * sizeof *v;
  const uint32_t stage = stage_bits(data) & ~(uint32_t)MBD_STAGE_BIAS;
  memcpy(v, data->v, bytes);
  mbd_status_t status = second_rates_at(cut, u, cut->r);
  // back to the velocity that there was; what else was computed from it is still there
  if (stage & MBD_STAGE_VELOCITY) {
    const mbd_status_t back = mbd_set_velocity(cut->model, data, v);
    status = status == MBD_OK ? back : status;
  }
  memcpy(data->v, v, bytes);
  stage_reset(data, stage);
  CHECK(status);
  int worst, unused;
  const double largest = mbdi_cut_largest(cut, cut->r, &unused);
  const double miss = mbdi_lq_solve(&cut->G, cut->r, cut->y, x, &worst);
  if (!(miss > SECOND_ORDER_MISS * fmax(1, largest))) return MBD_OK;
  info->error_closure = mbdi_closure_of_row(cut->model, worst);
  return MBD_ERROR_LOCKED;
}

// norm of a row, which is its scale: every independent row counts alike
static double
norm_of(const double * x, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

mbd_status_t
mbdi_cut_root(mbdi_cut_t * cut, mbd_sqrt_op_t op, const double * x, double * y)
{
  const int nv = cut->model->nv;
  if (!cut->factorized) return mbd_mass_sqrt(cut->model, cut->data, op, x, y);
  if (x != y) memcpy(y, x, (size_t)nv * sizeof *y);
  mbdi_mass_factor_root(&cut->factor, op, y);
  return finite_array(y, nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// M += X^T diag(S) X
static void
add_resistances(const mbdi_cut_t * cut)
{
  const int nv = cut->model->nv;
  for (int i = 0; i < cut->nresist; i++) {
    const double S = cut->S[i];
    if (!cut->X) {
      cut->M[i * nv + i] += S;
      continue;
    }
    const double * row = cut->X + i * nv;
    for (int k = 0; k < nv; k++) {
      if (S * row[k] == 0) continue;
      for (int j = 0; j < nv; j++) cut->M[k * nv + j] += S * row[k] * row[j];
    }
  }
}

mbd_status_t
mbdi_cut_factorize(mbdi_cut_t * cut)
{
  const int nv = cut->model->nv;
  if (!cut->M || cut->factorized) return MBD_OK;
  CHECK(cut->model->internal->engine->mass_matrix(cut->model, cut->data, cut->M));
  if (cut->S) add_resistances(cut);
  mbdi_mass_factor_init(&cut->factor, cut->model, cut->M + nv * nv);
  cut->factorized = mbdi_mass_factorize(&cut->factor, cut->M);
  // mbd_mass_sqrt does not know them
  return cut->S && !cut->factorized ? MBD_ERROR_SINGULAR : MBD_OK;
}

mbd_status_t
mbdi_cut_whiten(mbdi_cut_t * cut)
{
  const int nv = cut->model->nv;
  CHECK(mbdi_cut_factorize(cut));
  mbdi_cut_fill(cut, cut->W.A);
  for (int i = 0; i < cut->nrow; i++) {
    const int r = cut->G.row[i];
    double * row = cut->W.A + (size_t)r * (size_t)nv;
    if (i < cut->G.rank) {
      CHECK(mbdi_cut_root(cut, MBD_SQRT_INVERSE, row, row));
    } else {
      memset(row, 0, (size_t)nv * sizeof *row);
    }
    cut->W.scale[r] = norm_of(row, nv);
  }
  mbdi_lq_factor(&cut->W, 0, cut->G.rank);
  return MBD_OK;
}

void
mbdi_cut_solve(mbdi_cut_t * cut, const double * r, double * x)
{
  mbdi_lq_solve(&cut->W, r, cut->y, x, NULL);
}

mbd_status_t
mbdi_cut_multipliers(mbdi_cut_t * cut, const double * x, double * lambda)
{
  CHECK(mbdi_cut_root(cut, MBD_SQRT, x, cut->g));
  mbdi_lq_solve_transpose_least(&cut->G, cut->g, cut->small, lambda);
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &cut->model->closure[k];
    if (is_open(cut, k)) memset(lambda + c->row, 0, (size_t)c->nrow * sizeof *lambda);
  }
  return finite_array(lambda, cut->nrow) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

void
mbdi_cut_product(const mbdi_cut_t * cut, const double * x, double * y)
{
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &cut->model->closure[k];
    if (is_open(cut, k)) {
      memset(y + c->row, 0, (size_t)c->nrow * sizeof *y);
    } else {
      mbdi_closure_product(cut->model, cut->data, c, x, y + c->row);
    }
  }
}

mbd_status_t
mbdi_cut_wanted(mbdi_cut_t * cut, double * r)
{
  const mbd_constrained_options_t * o = &cut->options;
  const int m = cut->nrow;
  CHECK(mbd_closure_bias(cut->model, cut->data, o->t, r));
  if (o->stabilisation == 0) return MBD_OK;
  // Baumgarte: dddot + 2 z w ddot + w^2 d = 0
  const double w = o->stabilisation, z = o->damping_ratio;
  CHECK(mbd_closure_error(cut->model, cut->data, o->t, cut->y));
  for (int k = 0; k < m; k++) r[k] -= w * w * cut->y[k];
  CHECK(mbd_closure_target(cut->model, o->t, cut->y));
  for (int k = 0; k < m; k++) r[k] += 2 * z * w * cut->y[k];
  mbdi_cut_product(cut, cut->data->v, cut->y);
  for (int k = 0; k < m; k++) r[k] -= 2 * z * w * cut->y[k];
  return MBD_OK;
}

double
mbdi_cut_largest(const mbdi_cut_t * cut, const double * r, int * closure)
{
  double largest = 0;
  for (int k = 0; k < cut->nclosure; k++) {
    const mbd_closure_t * c = &cut->model->closure[k];
    if (is_open(cut, k)) continue;
    for (int i = c->row; i < c->row + c->nrow; i++) {
      const double size = fabs(r[i]) / cut->G.scale[i];
      if (size > largest) largest = size, *closure = k;
    }
  }
  return largest;
}

//---------- forces ----------

static mbd_force_t
force_on_body(const mbd_data_t * data, int body, const mbd_placement_t * at, mbd_force_t f)
{
  const mbd_placement_t world = mbdu_placement_inverse(&data->X_world[body]);
  const mbd_placement_t X = mbdu_placement_mul(&world, at);
  return mbdu_force_to_parent(&X, f);
}

mbd_force_t
mbdi_closure_force(const mbd_closure_t * c, const mbdi_closure_form_t * form, const double * lambda)
{
  mbd_force_t f = {{0, 0, 0}, {0, 0, 0}};
  for (int r = 0; r < c->nrow; r++) {
    f = mbdu_force_add(f, mbdu_force_scale(lambda[c->row + r], form->functional[r]));
  }
  return f;
}

void
mbdi_closure_add_forces(
  const mbd_model_t * model, const mbd_data_t * data, const double * lambda, double sign,
  mbd_force_t * F)
{
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type == MBD_CLOSURE_COUPLING) continue;
    const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
    const mbd_force_t f = mbdu_force_scale(sign, mbdi_closure_force(c, &form, lambda));
    if (c->body_b >= 0) {
      F[c->body_b] = mbdu_force_add(F[c->body_b], force_on_body(data, c->body_b, &form.at, f));
    }
    if (c->body_a >= 0 && !mbdi_closure_is_over_world(c)) {
      F[c->body_a] = mbdu_force_sub(F[c->body_a], force_on_body(data, c->body_a, &form.at, f));
    }
  }
}
