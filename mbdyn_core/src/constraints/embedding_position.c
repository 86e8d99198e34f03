// Position of an embedded model: rows of the groups, closing the loops, and X (15.24)-(15.26).
#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "mbdyn/integrate.h"
#include "simd/kernels.h"

// loops count as closed at this gap [m, rad]; what is larger is polished
#define CLOSED 1e-12
// where polishing ends short of that, as far from the origin, this is still good
#define CLOSED_ENOUGH 1e-9
// pivots this small against the largest: the independent velocities do not determine the rest
#define LOCKED 1e-7
// rows without a pivot that have more than this left do not follow from the others
#define LEFT_OVER 1e-6
enum { MOST_STEPS = 12 };

void
mbdi_embedded_place(const mbd_model_t * model, mbd_data_t * data)
{
  if (data->work->embedded->placed) return;
  model->tree->internal->engine->position_stage(model->tree, data->tree);
  data->work->embedded->placed = true;
}

// q of the tree, without placements
static mbd_status_t
load_tree(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  const mbd_model_t * tree = model->tree;
  data->work->embedded->placed = false;
  return tree->internal->engine->load_state(
    tree, data->tree, q, NULL, NULL, NULL, MBD_STAGE_DEFERRED_POSITION);
}

//---------- rows of a group ----------

void
mbdi_loop_rows(
  const mbd_model_t * tree, const mbd_data_t * on, const struct mbdi_embedding * e,
  const mbdi_group_t * group, double * Y)
{
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &tree->closure[group->closure[k]];
    mbdi_closure_fill(tree, on, c, e->column, group->ndof, Y + row * group->ndof);
    row += c->nrow;
  }
}

// the same with the forms of the workspace
static void
rows_of_forms(const mbd_model_t * model, mbd_data_t * data, const mbdi_group_t * group, double * Y)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const int n = group->ndof;
  if (group->planar) {
    const mbdi_loop_t * loop = &data->work->embedded->loop[e->group_of[group->body[0]]];
    group->planar->kernels->rows(group->planar, loop->flat, loop->pin, Y);
    return;
  }
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->type == MBD_CLOSURE_COUPLING) {
      mbdi_closure_fill(model->tree, data->tree, c, e->column, n, Y + row * n);
    } else {
      const mbdi_closure_form_t * form = &data->work->embedded->form[group->closure[k]];
      mbdi_closure_form_fill(model->tree, data->tree, c, form, e->column, n, Y + row * n);
    }
    row += c->nrow;
  }
}

// d of a group's rows, zero for rows of velocity, and the forms of its closures
static mbd_status_t
gaps(
  const mbd_model_t * model, mbd_data_t * data, const mbdi_group_t * group, double * d,
  double * largest)
{
  struct mbdi_embedded * w = data->work->embedded;
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->type == MBD_CLOSURE_COUPLING) {
      CHECK(mbdi_closure_fill_error(model->tree, data->tree, c, w->time, d + row));
    } else {
      mbdi_closure_form_t * form = &w->form[group->closure[k]];
      *form = mbdi_closure_form(model->tree, data->tree, c);
      CHECK(mbdi_closure_form_error(c, form, w->time, d + row));
    }
    for (int r = 0; r < c->nrow; r++) *largest = fmax(*largest, fabs(d[row + r]));
    row += c->nrow;
  }
  return MBD_OK;
}

// LU of the rows with dependent columns first; the rank
static int
eliminate(const mbdi_group_t * group, mbdi_loop_t * loop, double tolerance, double * least)
{
  loop->factored = true;
  memcpy(loop->LU, loop->Y, (size_t)(group->nrow * group->ndof) * sizeof *loop->Y);
  memcpy(loop->col, group->dep, (size_t)group->ndep * sizeof *loop->col);
  memcpy(loop->col + group->ndep, group->ind, (size_t)group->nind * sizeof *loop->col);
  return mbdi_eliminate(
    group->nrow, group->ndof, loop->LU, group->ndep, loop->col, loop->row, tolerance, least);
}

void
mbdi_loop_factor(const mbdi_group_t * group, mbdi_loop_t * loop)
{
  double least;
  if (!loop->factored) eliminate(group, loop, LOCKED, &least);
}

//---------- planar loops ----------

// Rows of one pin, the inverse of its dependent columns, and X of these (nind numbers, or none). *least as of
// mbdi_eliminate; false if the rank is less than two.
static bool
solve_pin(const mbdi_group_t * group, mbdi_loop_t * loop, int nind, double * X, double * least)
{
  *least = group->planar->kernels->matrix(
    group->planar, loop->flat, loop->pin, group->dep, nind, group->ind, loop->Y, loop->inverse, X);
  loop->factored = false;
  return *least > LOCKED;
}

void
mbdi_add_pin(
  const mbdi_group_t * group, const mbdi_loop_t * loop, double sign, const double * r, double * x)
{
  const double * inverse = loop->inverse;
  x[group->dof[group->dep[0]]] += sign * (inverse[0] * r[0] + inverse[1] * r[1]);
  x[group->dof[group->dep[1]]] += sign * (inverse[2] * r[0] + inverse[3] * r[1]);
}

void
mbdi_put_pins(const mbdi_group_t * group, const double * from, double * rows)
{
  memset(rows, 0, (size_t)group->nrow * sizeof *rows);
  for (int k = 0; k < 2 * group->planar->npin; k++) {
    rows[group->planar->pin[k / 2].row[k % 2]] = from[k];
  }
}

// sines of q of a planar loop's bodies from those of the tree's DH angles, q + theta0
static void
take_sines(const mbdi_plan_t * plan, const mbdi_group_t * group, struct mbdi_embedded * w)
{
  const int first = group->planar->first;
  for (int k = 0; k < group->nbody; k++) {
    const int i = group->body[k];
    const double s0 = plan->theta0_sine[i], c0 = plan->theta0_cosine[i];
    w->sine[first + k] = w->dh_sine[i] * c0 - w->dh_cosine[i] * s0;
    w->cosine[first + k] = w->dh_cosine[i] * c0 + w->dh_sine[i] * s0;
  }
}

// sines of the DH angles of its dependent joints, for the kernels
static void
store_dh_sines(const mbdi_plan_t * plan, const mbdi_group_t * group, struct mbdi_embedded * w)
{
  const double *sine = w->sine + group->planar->first, *cosine = w->cosine + group->planar->first;
  for (int k = 0; k < group->ndep; k++) {
    const int s = group->dep[k], i = group->body[s];
    const double s0 = plan->theta0_sine[i], c0 = plan->theta0_cosine[i];
    w->dh_sine[i] = sine[s] * c0 + cosine[s] * s0;
    w->dh_cosine[i] = cosine[s] * c0 - sine[s] * s0;
  }
}

// sines of q of all planar loops
static void
find_sines(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  const mbdi_plan_t * plan = model->tree->internal->plan;
  const double * q = data->tree->q;
  // the others may yet move
  w->angles = !e->others && w->M && plan && plan->kernels && plan->kernels->mass_and_torques;
  if (w->angles) {
    plan->kernels->dh_sincos(plan, q, w->dh_sine, w->dh_cosine);
    for (int k = 0; k < e->naggregate; k++) take_sines(plan, &e->group[e->aggregate[k]], w);
    return;
  }
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_planar_t * planar = e->group[e->aggregate[k]].planar;
    for (int i = 0; planar && i < planar->nbody; i++) {
      w->angle[planar->first + i] = q[planar->body[i].q];
    }
  }
  if (plan && plan->kernels) {
    plan->kernels->sincos(e->nplanar, w->angle, w->sine, w->cosine);
  } else {
    for (int i = 0; i < e->nplanar; i++) w->sine[i] = sin(w->angle[i]);
    for (int i = 0; i < e->nplanar; i++) w->cosine[i] = cos(w->angle[i]);
  }
}

// Placements in the plane at the tree's q, for all planar loops; the largest gap, with its first body in
// data->error_body
static double
place_planar(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  const double * q = data->tree->q;
  double largest = 0;
  find_sines(model, data);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    const mbdi_planar_t * planar = group->planar;
    if (!planar) continue;
    const mbdi_loop_t * loop = &w->loop[e->aggregate[k]];
    planar->kernels->place(
      planar, q, w->sine + planar->first, w->cosine + planar->first, loop->flat, loop->pin);
    const double gap = planar->kernels->gaps(planar, loop->pin, w->rows);
    if (gap <= largest) continue;
    largest = gap;
    data->error_body = group->body[0];
  }
  return largest;
}

// q := q + step of a planar loop's dependent joints, and its placements
static void
step_planar(
  const mbdi_group_t * group, struct mbdi_embedded * w, const mbdi_loop_t * loop,
  const double * step, double * q)
{
  const mbdi_planar_t * planar = group->planar;
  double *sine = w->sine + planar->first, *cosine = w->cosine + planar->first;
  for (int k = 0; k < group->ndep; k++) {
    const int i = group->dep[k];
    const double h = step[group->dof[i]], h2 = h * h, s = sine[i], c = cosine[i];
    q[planar->body[i].q] += h;
    if (fabs(h) < 1e-3) {
      // the remainder is below rounding: h^6 / 720
      const double turn_c = 1 - h2 * (0.5 - h2 / 24), turn_s = h * (1 - h2 * (1. / 6 - h2 / 120));
      sine[i] = s * turn_c + c * turn_s, cosine[i] = c * turn_c - s * turn_s;
    } else {
      sine[i] = sin(q[planar->body[i].q]), cosine[i] = cos(q[planar->body[i].q]);
    }
  }
  planar->kernels->place(planar, q, sine, cosine, loop->flat, loop->pin);
}

//---------- closing ----------

// a Newton step of the dependent joints of a group, into step (of all joints of the tree)
static void
newton_step(const mbd_model_t * model, mbd_data_t * data, int g, double * d, double * step)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  mbdi_loop_t * loop = &data->work->embedded->loop[g];
  rows_of_forms(model, data, group, loop->Y);
  // rows of velocity have nothing to say about positions
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &model->tree->closure[group->closure[k]];
    if (c->nposition == 0) {
      memset(loop->Y + row * group->ndof, 0, (size_t)(c->nrow * group->ndof) * sizeof *loop->Y);
    }
    row += c->nrow;
  }
  double least;
  const int rank = eliminate(group, loop, LOCKED, &least);
  double * x = data->work->embedded->wide;
  mbdi_eliminated_solve(group->nrow, group->ndof, loop->LU, rank, loop->col, loop->row, d, x);
  for (int k = 0; k < rank; k++) step[group->dof[loop->col[k]]] = -x[loop->col[k]];
}

// One round over all groups: the largest gap, and the steps that would close what is open by more than
// `closed` (of all joints of the tree, in w->x_tree).
static mbd_status_t
look(const mbd_model_t * model, mbd_data_t * data, double closed, double * largest)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  *largest = 0;
  memset(w->x_tree, 0, (size_t)model->tree->nv * sizeof *w->x_tree);
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    double gap = 0;
    if (group->planar) continue;
    CHECK(gaps(model, data, group, w->rows, &gap));
    if (!(gap <= *largest)) {
      *largest = gap;
      data->error_body = group->body[0];
    }
    if (gap > closed) newton_step(model, data, e->aggregate[k], w->rows, w->x_tree);
  }
  return finite_array(largest, 1) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// Whether Newton goes on from a gap and the one before; MBD_ERROR_NOT_ASSEMBLED where it diverges.
static mbd_status_t
goes_on(double gap, double before, bool * more)
{
  // no longer nearer: that is as good as it gets
  *more = gap > CLOSED && !(gap > 0.5 * before && gap < CLOSED_ENOUGH);
  return *more && gap > 10 * before ? MBD_ERROR_NOT_ASSEMBLED : MBD_OK;
}

// Newton on one planar loop, its gaps in d
static mbd_status_t
close_planar(const mbd_model_t * model, mbd_data_t * data, int g, double gap, double * d)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  struct mbdi_embedded * w = data->work->embedded;
  mbdi_loop_t * loop = &w->loop[g];
  double before = HUGE_VAL, least;
  bool more;
  for (int k = 0; k < MOST_STEPS; k++) {
    CHECK(goes_on(gap, before, &more));
    if (!more) break;
    before = gap;
    for (int i = 0; i < group->ndep; i++) w->x_tree[group->dof[group->dep[i]]] = 0;
    if (!has_one_pin(group)) {
      group->planar->kernels->rows(group->planar, loop->flat, loop->pin, loop->Y);
    }
    if (has_one_pin(group) && solve_pin(group, loop, 0, NULL, &least)) {
      mbdi_add_pin(group, loop, -1, d, w->x_tree);
    } else {
      double * rows = w->rows + 2 * group->nrow;
      mbdi_put_pins(group, d, rows);
      newton_step(model, data, g, rows, w->x_tree);
    }
    step_planar(group, w, loop, w->x_tree, data->tree->q);
    gap = group->planar->kernels->gaps(group->planar, loop->pin, d);
  }
  if (w->angles) store_dh_sines(model->tree->internal->plan, group, w);
  return gap < CLOSED_ENOUGH ? MBD_OK : MBD_ERROR_NOT_ASSEMBLED;
}

// the planar loops from the tree's q; `tolerance` is the largest gap
static mbd_status_t
close_planar_loops(const mbd_model_t * model, mbd_data_t * data, double tolerance)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  const double largest = place_planar(model, data);
  if (!finite_array(&largest, 1)) return MBD_ERROR_NOT_FINITE;
  if (largest > tolerance) return MBD_ERROR_NOT_ASSEMBLED;
  for (int k = 0; largest > CLOSED && k < e->naggregate; k++) {
    const int g = e->aggregate[k];
    if (!e->group[g].planar) continue;
    data->error_body = e->group[g].body[0];
    const double gap =
      e->group[g].planar->kernels->gaps(e->group[g].planar, w->loop[g].pin, w->rows);
    if (gap > CLOSED) CHECK(close_planar(model, data, g, gap, w->rows));
  }
  data->error_body = -1;
  return MBD_OK;
}

// Newton on the dependent joints of the others, from the tree's q
static mbd_status_t
close_others(const mbd_model_t * model, mbd_data_t * data, double tolerance)
{
  struct mbdi_embedded * w = data->work->embedded;
  const bool spatial = model->internal->embedding->spatial;
  double gap, before = HUGE_VAL;
  bool more;
  if (spatial) mbdi_embedded_place(model, data);
  CHECK(look(model, data, CLOSED, &gap));
  if (gap > tolerance) return MBD_ERROR_NOT_ASSEMBLED;
  for (int k = 0; k < MOST_STEPS; k++) {
    CHECK(goes_on(gap, before, &more));
    if (!more) break;
    before = gap;
    CHECK(mbd_integrate(model->tree, data->tree->q, w->x_tree, 1, w->q_tree));
    CHECK(load_tree(model, data, w->q_tree));
    if (spatial) mbdi_embedded_place(model, data);
    CHECK(look(model, data, CLOSED, &gap));
  }
  if (!(gap < CLOSED_ENOUGH)) return MBD_ERROR_NOT_ASSEMBLED;
  data->error_body = -1;
  return MBD_OK;
}

//---------- X ----------

// X of one pin, first as that of the projection; its other rows stay one             (15.25)
static mbd_status_t
pin_matrix(const mbdi_group_t * group, struct mbdi_embedded * w, int g, double * least)
{
  mbdi_loop_t * loop = &w->loop[g];
  const int r = group->nind;
  const double * X = w->projection.X + group->number;
  if (!solve_pin(group, loop, r, w->projection.X + group->number, least)) return MBD_ERROR_LOCKED;
  double *x0 = loop->X + group->dep[0] * r, *x1 = loop->X + group->dep[1] * r;
  for (int c = 0; c < r; c++) x0[c] = X[c], x1[c] = X[r + c];
  return MBD_OK;
}

// X = [-Y1^-1 Y2; 1] of a group                                                   (15.25)
static mbd_status_t
group_matrix(const mbd_model_t * model, mbd_data_t * data, int g, double * least)
{
  const mbdi_group_t * group = &model->internal->embedding->group[g];
  mbdi_loop_t * loop = &data->work->embedded->loop[g];
  const int n = group->ndof, r = group->nind;
  rows_of_forms(model, data, group, loop->Y);
  const int rank = eliminate(group, loop, LOCKED, least);
  if (rank < group->ndep) return MBD_ERROR_LOCKED;
  // rows that the others do not imply would hold even the independent ones
  double size = 0, left = 0;
  for (int i = 0; i < group->nrow * n; i++) size = fmax(size, fabs(loop->Y[i]));
  for (int i = rank; i < group->nrow; i++) {
    for (int c = 0; c < r; c++) {
      left = fmax(left, fabs(loop->LU[loop->row[i] * n + group->ind[c]]));
    }
  }
  if (left > LEFT_OVER * size) return MBD_ERROR_LOCKED;
  memset(loop->X, 0, (size_t)(n * r) * sizeof *loop->X);
  for (int c = 0; c < r; c++) {
    loop->X[group->ind[c] * r + c] = 1;
    for (int k = rank - 1; k >= 0; k--) {
      const double * U = loop->LU + loop->row[k] * n;
      double sum = -U[group->ind[c]];
      for (int j = k + 1; j < rank; j++) sum -= U[loop->col[j]] * loop->X[loop->col[j] * r + c];
      loop->X[loop->col[k] * r + c] = sum / U[loop->col[k]];
    }
  }
  return MBD_OK;
}

static mbd_status_t
find_matrices(const mbd_model_t * model, mbd_data_t * data)
{
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  double worst = 1;
  w->worst = e->naggregate > 0 ? 0 : -1;
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    if (group->constant && w->constants) continue;
    double least;
    const bool pin = has_one_pin(group);
    const mbd_status_t status = pin ? pin_matrix(group, w, e->aggregate[k], &least)
                                    : group_matrix(model, data, e->aggregate[k], &least);
    if (status != MBD_OK) {
      data->error_body = group->body[0];
      return status;
    }
    if (least < worst && !group->constant) worst = least, w->worst = k;
    double * to = w->projection.X + group->number;
    for (int i = 0; !pin && i < group->ndep; i++) {
      const double * X = w->loop[e->aggregate[k]].X + group->dep[i] * group->nind;
      for (int c = 0; c < group->nind; c++) *to++ = X[c];
    }
  }
  w->condition = 1 / worst;
  w->constants = true;
  return MBD_OK;
}

//---------- stages ----------

mbd_status_t
mbdi_embedded_load_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance)
{
  CHECK(mbdi_embedded_arguments(model, data));
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  struct mbdi_embedded * w = data->work->embedded;
  const struct mbdi_embedding * e = model->internal->embedding;
  stage_reset(data, 0);
  data->error_body = -1;
  w->blocks = w->rates = w->angles = false;
  mbd_status_t status = load_tree(model, data, q);
  if (status == MBD_OK && e->nplanar > 0) status = close_planar_loops(model, data, tolerance);
  if (status == MBD_OK && e->others) status = close_others(model, data, tolerance);
  if (status == MBD_OK) status = find_matrices(model, data);
  if (status != MBD_OK) {
    // whatever comes next finds no stage to start from
    if (data->tree->error_body >= 0) data->error_body = data->tree->error_body;
    stage_reset(data->tree, 0);
    return status;
  }
  stage_reset(data, w->placed ? MBD_STAGE_POSITION : MBD_STAGE_DEFERRED_POSITION);
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_load_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  return mbdi_embedded_load_position_from(model, data, q, model->internal->embedding->tolerance);
}

mbd_status_t
mbdi_embedded_set_position_from(
  const mbd_model_t * model, mbd_data_t * data, const double * q, double tolerance)
{
  CHECK(mbdi_embedded_load_position_from(model, data, q, tolerance));
  mbdi_embedded_place(model, data);
  mbdi_embedded_sync(data);
  return MBD_OK;
}

mbd_status_t
mbdi_embedded_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  CHECK(mbdi_embedded_arguments(model, data));
  return mbdi_embedded_set_position_from(model, data, q, model->internal->embedding->tolerance);
}
