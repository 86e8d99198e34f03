#include "constraints/cut_planar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/embedding_internal.h"
#include "constraints/mass_factor.h"
#include "simd/kernels.h"
#include "simd/simd_engine.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "util/arena.h"

// the best pair of dependent joints has to be this far from singular, of the largest lever squared;
// nearer to it the general rows decide on the rank
#define REGULAR 1e-4

struct mbdi_cut_plan {
  struct mbdi_embedding e;  // groups alone
  const mbdi_projection_kernels_t * kernels;
  int nplanar;     // bodies of all loops
  int nprojected;  // independent velocities
  int nnumber;     // numbers of X at most
};

//---------- model ----------

static mbd_status_t
make_plan(mbd_model_t * tree, struct mbdi_cut_plan * plan, bool * planar)
{
  struct mbdi_embedding * e = &plan->e;
  *planar = false;
  CHECK(mbdi_groups_create(tree, e));
  for (int k = 0; k < e->naggregate; k++) {
    mbdi_group_t * group = &e->group[e->aggregate[k]];
    if (group->nclosure != 1) return MBD_OK;
    group->ndep = 2;
    CHECK(mbdi_planar_create(tree, group, &group->planar));
    if (!group->planar) return MBD_OK;
    group->planar->first = plan->nplanar;
    plan->nplanar += group->nbody;
    plan->nnumber += 2 * group->nbody;
  }
  plan->nprojected = tree->nv - 2 * e->naggregate;
  plan->kernels = mbdi_projection_kernels(tree);
  *planar = e->naggregate > 0;
  return MBD_OK;
}

mbd_status_t
mbdi_cut_plan_create(mbd_model_t * tree, struct mbdi_cut_plan ** to)
{
  *to = NULL;
  if (tree->internal->engine != &mbdi_simd_engine) return MBD_OK;
  if (tree->nclosure == 0 || tree->nv > MBDI_DENSE_DOF) return MBD_OK;
  struct mbdi_cut_plan * plan = calloc(1, sizeof *plan);
  if (!plan) return MBD_ERROR_OUT_OF_MEMORY;
  bool planar;
  const mbd_status_t status = make_plan(tree, plan, &planar);
  if (status == MBD_OK && planar)
    *to = plan;
  else
    mbdi_cut_plan_destroy(plan);
  // groups that cannot be embedded are left to the general rows
  return status == MBD_ERROR_OUT_OF_MEMORY ? status : MBD_OK;
}

void
mbdi_cut_plan_destroy(struct mbdi_cut_plan * plan)
{
  if (!plan) return;
  mbdi_groups_free(&plan->e);
  free(plan);
}

//---------- work ----------

// a pin at this position: rows of its bodies, and the inverse of the dependent columns
typedef struct pin {
  int dep[2];  // bodies of the group
  double inverse[4];
  double r[2];   // what the rows are to be: gamma, less what stabilisation asks for
  double lever;  // the largest of the rows
} pin_t;

typedef struct scratch {
  double *angle, *sine, *cosine;  // [nplanar]
  mbdi_planar_place_t * place;    // [nplanar]
  mbdi_planar_pin_place_t * at;   // [naggregate]
  mbdi_planar_motion_t * motion;  // [nplanar]
  double * Y;   // rows of the group with the most, for each: see rows_of [6 nplanar]
  pin_t * pin;  // [naggregate]
  mbdi_projection_t projection;
  int * v_of;  // independent velocity of each degree of freedom, or -1 [nv]
  double *M_r, *D_inv;
  double *tau, *xd, *y, *step;  // [nv]
  double * x;                   // of the independent ones
} scratch_t;

#define TAKE(field, count) field = mbdi_arena_work(work, &numbers, (size_t)(count), sizeof *(field))

// with work NULL the size alone
static size_t
lay_out_scratch(const mbd_model_t * model, double * work, scratch_t * s)
{
  const struct mbdi_cut_plan * plan = model->internal->cut_plan;
  const int n = model->nv, bodies = plan->nplanar, pins = plan->e.naggregate;
  const int nv = plan->nprojected;
  size_t numbers = 0;
  mbdi_projection_t * p = &s->projection;
  TAKE(s->angle, bodies);
  TAKE(s->sine, bodies);
  TAKE(s->cosine, bodies);
  TAKE(s->place, bodies);
  TAKE(s->at, pins);
  TAKE(s->motion, bodies);
  TAKE(s->Y, MBD_CLOSURE_ROWS_MAX * bodies);
  TAKE(s->pin, pins);
  TAKE(s->M_r, mbdi_projected_size(nv));
  TAKE(s->D_inv, nv);
  TAKE(s->tau, n);
  TAKE(s->xd, n);
  TAKE(s->y, n);
  TAKE(s->step, n);
  TAKE(s->x, nv);
  TAKE(p->X, plan->nnumber);
  TAKE(p->v, plan->nnumber);
  TAKE(p->dof, mbdi_projected_ld(nv));
  TAKE(p->dep, 2 * pins);
  TAKE(p->begin, 2 * pins);
  TAKE(p->end, 2 * pins);
  TAKE(p->order, nv);
  TAKE(p->led, nv);
  TAKE(s->v_of, n);
  return numbers;
}

size_t
mbdi_cut_planar_work(const mbd_model_t * model)
{
  scratch_t s;
  return model->internal->cut_plan ? lay_out_scratch(model, NULL, &s) : 0;
}

bool
mbdi_cut_is_planar(const mbdi_cut_t * cut)
{
  return cut->model->internal->cut_plan && !cut->options.open && cut->options.rank == 0;
}

//---------- rows ----------

static double *
rows_of(const scratch_t * s, const mbdi_group_t * group)
{
  return s->Y + MBD_CLOSURE_ROWS_MAX * group->planar->first;
}

// the pair of columns with the largest determinant, and its inverse; false near a singularity
static bool
choose_dependent(const mbdi_group_t * group, const double * Y, pin_t * pin)
{
  const double * y0 = Y + group->planar->pin->row[0] * group->nbody;
  const double * y1 = Y + group->planar->pin->row[1] * group->nbody;
  double best = 0, largest = 0;
  for (int i = 0; i < group->nbody; i++) {
    const double square = y0[i] * y0[i] + y1[i] * y1[i];
    if (square > largest) largest = square;
    for (int j = i + 1; j < group->nbody; j++) {
      const double det = y0[i] * y1[j] - y0[j] * y1[i];
      if (!(fabs(det) > fabs(best))) continue;
      best = det;
      pin->dep[0] = i, pin->dep[1] = j;
    }
  }
  if (!(fabs(best) > REGULAR * largest)) return false;
  const int i = pin->dep[0], j = pin->dep[1];
  pin->inverse[0] = y1[j] / best, pin->inverse[1] = -y0[j] / best;
  pin->inverse[2] = -y1[i] / best, pin->inverse[3] = y0[i] / best;
  pin->lever = sqrt(largest);
  return true;
}

// Baumgarte: dddot + 2 z w ddot + w^2 d = 0
static void
stabilise(
  const mbdi_cut_t * cut, const mbdi_group_t * group, const mbdi_planar_pin_place_t * at,
  const double * Y, double * r)
{
  const double w = cut->options.stabilisation, z = cut->options.damping_ratio;
  double d[2];
  group->planar->kernels->gaps(group->planar, at, d);
  for (int j = 0; j < 2; j++) {
    const double * y = Y + group->planar->pin->row[j] * group->nbody;
    double rate = 0;
    for (int i = 0; i < group->nbody; i++) {
      if (group->planar->pin->sign[i] != 0) rate += y[i] * cut->data->v[group->dof[i]];
    }
    r[j] -= w * w * d[j] + 2 * z * w * rate;
  }
}

// rows of all pins and what they are to be; false near a singularity
static bool
find_rows(const mbdi_cut_t * cut, const scratch_t * s)
{
  const struct mbdi_cut_plan * plan = cut->model->internal->cut_plan;
  const struct mbdi_embedding * e = &plan->e;
  const double *q = cut->data->q, *v = cut->data->v;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_planar_t * planar = e->group[e->aggregate[k]].planar;
    for (int i = 0; i < planar->nbody; i++) s->angle[planar->first + i] = q[planar->body[i].q];
  }
  cut->model->internal->plan->kernels->sincos(plan->nplanar, s->angle, s->sine, s->cosine);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const mbdi_planar_t * planar = group->planar;
    mbdi_planar_place_t * place = s->place + planar->first;
    double * Y = rows_of(s, group);
    planar->kernels->place(
      planar, q, s->sine + planar->first, s->cosine + planar->first, place, &s->at[k]);
    // joints that carry both ends have no number
    for (int j = 0; j < 2; j++) {
      memset(Y + planar->pin->row[j] * group->nbody, 0, (size_t)group->nbody * sizeof *Y);
    }
    planar->kernels->rows(planar, place, &s->at[k], Y);
    if (!choose_dependent(group, Y, &s->pin[k])) return false;
    planar->kernels->bias(planar, v, place, &s->at[k], s->motion, s->pin[k].r);
    if (cut->options.stabilisation != 0) stabilise(cut, group, &s->at[k], Y, s->pin[k].r);
  }
  return true;
}

//---------- projection ----------

// X of the dependent joints that were chosen, and accelerations xd of them at zero of the others
static void
find_projection(const mbdi_cut_t * cut, scratch_t * s)
{
  const struct mbdi_embedding * e = &cut->model->internal->cut_plan->e;
  mbdi_projection_t * p = &s->projection;
  const int n = cut->model->nv;
  p->n = n;
  p->nv = p->ndep = p->nled = 0;
  p->single = false;
  memset(s->v_of, 0, (size_t)n * sizeof *s->v_of);
  memset(s->xd, 0, (size_t)n * sizeof *s->xd);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    for (int j = 0; j < 2; j++) s->v_of[group->dof[s->pin[k].dep[j]]] = -1;
  }
  for (int i = 0; i < n; i++) {
    if (s->v_of[i] < 0) continue;
    s->v_of[i] = p->nv;
    p->dof[p->nv++] = i;
  }
  for (int i = p->nv; i < mbdi_projected_ld(p->nv); i++) p->dof[i] = 0;
  for (int i = 0; i < p->nv; i++) p->order[i] = p->nv - 1 - i;
  for (int k = 0, number = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const pin_t * pin = &s->pin[k];
    const double * Y = rows_of(s, group);
    const double * y0 = Y + group->planar->pin->row[0] * group->nbody;
    const double * y1 = Y + group->planar->pin->row[1] * group->nbody;
    for (int j = 0; j < 2; j++) {
      const double a = pin->inverse[2 * j], b = pin->inverse[2 * j + 1];
      const int dof = group->dof[pin->dep[j]];
      s->xd[dof] = a * pin->r[0] + b * pin->r[1];
      p->dep[p->ndep] = dof;
      p->begin[p->ndep] = number;
      for (int i = 0; i < group->nbody; i++) {
        const int v = s->v_of[group->dof[i]];
        if (v < 0 || group->planar->pin->sign[i] == 0) continue;
        p->v[number] = v;
        p->X[number++] = -(a * y0[i] + b * y1[i]);
        if (j == 0) p->led[p->nled++] = v;
      }
      p->end[p->ndep++] = number;
    }
  }
}

// lambda with G^T lambda = M qdd + h - tau at the dependent joints, and what the rows miss
static void
find_multipliers(const mbdi_cut_t * cut, const scratch_t * s, mbd_constrained_t * info)
{
  const struct mbdi_embedding * e = &cut->model->internal->cut_plan->e;
  const int n = cut->model->nv;
  double * lambda = cut->data->work->lambda;
  memset(lambda, 0, (size_t)cut->model->nrow * sizeof *lambda);
  info->residual = 0;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const pin_t * pin = &s->pin[k];
    const int first = cut->model->closure[group->closure[0]].row, *row = group->planar->pin->row;
    double r[2];
    for (int j = 0; j < 2; j++) {
      const int dof = group->dof[pin->dep[j]];
      // rows of dependent joints are still those of M
      const double * M = cut->dense + (size_t)dof * (size_t)n;
      double sum = s->y[dof] - s->tau[dof];
      for (int i = 0; i < n; i++) sum += M[i] * s->step[i];
      r[j] = sum;
    }
    lambda[first + row[0]] = pin->inverse[0] * r[0] + pin->inverse[2] * r[1];
    lambda[first + row[1]] = pin->inverse[1] * r[0] + pin->inverse[3] * r[1];
    for (int j = 0; j < 2; j++) {
      const double * y = rows_of(s, group) + row[j] * group->nbody;
      double miss = -pin->r[j];
      for (int i = 0; i < group->nbody; i++) {
        if (group->planar->pin->sign[i] != 0) miss += y[i] * cut->x[group->dof[i]];
      }
      const double size = fabs(miss) / pin->lever;
      if (size > info->residual) info->residual = size;
    }
  }
}

mbd_status_t
mbdi_cut_planar_forward(
  mbdi_cut_t * cut, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, mbd_constrained_t * info, bool * solved)
{
  const mbd_model_t * model = cut->model;
  mbd_data_t * data = cut->data;
  const mbdi_engine_t * engine = model->internal->engine;
  const struct mbdi_cut_plan * plan = model->internal->cut_plan;
  const int n = model->nv;
  scratch_t s;
  *solved = false;
  lay_out_scratch(model, cut->planar, &s);
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(engine->load_state(model, data, q, v, tau, s.tau, MBD_STAGE_DEFERRED_VELOCITY));
  if (!tau) memset(s.tau, 0, (size_t)n * sizeof *s.tau);
  if (!find_rows(cut, &s)) return MBD_OK;
  find_projection(cut, &s);
  if (!finite_array(s.xd, n)) return MBD_OK;
  // h at the accelerations xd
  bool done = false;
  if (engine->mass_and_torques && !f_ext) {
    CHECK(engine->mass_and_torques(model, data, s.xd, NULL, NULL, cut->dense, s.y, &done));
  }
  if (!done) CHECK(engine->inverse_dynamics(model, data, NULL, NULL, s.xd, f_ext, s.y));
  const uint32_t stages = stage_bits(data);
  forget_acceleration(data);
  if (!done) CHECK(engine->mass_matrix(model, data, cut->dense));
  plan->kernels->project(&s.projection, cut->dense, s.M_r);
  for (int k = 0; k < n; k++) s.step[k] = s.tau[k] - s.y[k];
  mbdi_projection_reduce(&s.projection, s.step, s.x);
  if (!plan->kernels->factorize(&s.projection, s.M_r, s.D_inv, s.x)) return MBD_OK;
  plan->kernels->solve(s.projection.nv, s.M_r, s.D_inv, s.x);
  mbdi_projection_expand(&s.projection, s.x, s.step);
  for (int k = 0; k < n; k++) cut->x[k] = s.step[k] + s.xd[k];
  find_multipliers(cut, &s, info);
  double size = 1;
  for (int k = 0; k < n; k++) size = fabs(cut->x[k]) > size ? fabs(cut->x[k]) : size;
  if (!finite_array(cut->x, n) || !finite_array(data->work->lambda, model->nrow)) return MBD_OK;
  if (!(info->residual <= cut->options.tolerance * size)) return MBD_OK;
  info->rank = 2 * plan->e.naggregate;
  info->nredundant = model->nrow - info->rank;
  info->mobility = n - info->rank;
  memcpy(data->work->qdd, cut->x, (size_t)n * sizeof *cut->x);
  if (stages & MBD_STAGE_DEFERRED) stage_reset(data, MBD_STAGE_DEFERRED);
  *solved = true;
  return MBD_OK;
}
