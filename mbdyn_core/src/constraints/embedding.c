// Making an embedded model: groups of bodies (14.4, 15.1), the choice of independent velocities,
// and memory.
#include "mbdyn/constraints/embedding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/embedding_internal.h"
#include "constraints/mass_factor.h"
#include "mbdyn/integrate.h"
#include "mbdyn/kinematics.h"
#include "model/model_internal.h"
#include "tree/sweeps.h"
#include "util/arena.h"

// rows and columns this small against the largest count as dependent
#define RANK_TOLERANCE 1e-8
// the preference for an independent joint is given up where its loop would be this badly conditioned
#define CHOICE_TOLERANCE 1e-4

mbd_embed_options_t
mbd_embed_options_default(void)
{
  mbd_embed_options_t options = {0};
  options.tolerance = 0.05;
  return options;
}

// while a model is made
typedef struct maker {
  mbd_model_t * tree;
  const mbd_embed_options_t * options;
  struct mbdi_embedding * e;
  mbd_data_t * data;  // of the tree
  double * q;         // where the choice is made
  int * wanted;       // how much each of the tree's dofs is to be independent; see want()
} maker_t;

static int *
integers(size_t n)
{
  return calloc(n > 0 ? n : 1, sizeof(int));
}

//---------- groups ----------

static int
root_of(const int * link, int i)
{
  while (link[i] != i) i = link[i];
  return i;
}

static void
join(int * link, int i, int j)
{
  const int a = root_of(link, i), b = root_of(link, j);
  link[a > b ? a : b] = a < b ? a : b;
}

// joins body and all below it down to, not including, stop
static void
join_path(const mbd_model_t * tree, int * link, int body, int stop, int * first)
{
  for (int i = body; i != stop; i = tree->body[i].parent) {
    if (*first < 0) *first = i;
    join(link, *first, i);
  }
}

// bodies of one closure: both ways to the body that carries both ends               (15.1, 2b)
static void
join_closure(const mbd_model_t * tree, const mbd_closure_t * c, int * link)
{
  int first = -1;
  if (c->type != MBD_CLOSURE_COUPLING) {
    // rows over the world depend on all that carries B
    const bool relative = !mbdi_closure_is_over_world(c);
    const int stop = relative ? c->common : MBD_WORLD_BODY;
    if (relative) join_path(tree, link, c->body_a, stop, &first);
    join_path(tree, link, c->body_b, stop, &first);
    return;
  }
  // a coupling is between joints, so that the bodies they move are in it: up to the body that
  // carries all of their parents
  int stop = tree->body[c->coupled[0]].parent;
  for (int k = 1; k < c->ncoupled; k++) {
    const int other = tree->body[c->coupled[k]].parent;
    while (stop >= 0 && !mbdi_carries(tree, stop, other)) stop = tree->body[stop].parent;
  }
  for (int k = 0; k < c->ncoupled; k++) join_path(tree, link, c->coupled[k], stop, &first);
}

// a body of the closure's group
static int
first_body(const mbd_closure_t * c)
{
  if (c->type == MBD_CLOSURE_COUPLING) return c->coupled[0];
  if (mbdi_closure_is_over_world(c)) return c->body_b;
  return c->body_b != c->common && c->body_b >= 0 ? c->body_b : c->body_a;
}

// numbers the groups by their first bodies and counts what is in them
static bool
count_groups(maker_t * m, const int * link)
{
  const mbd_model_t * tree = m->tree;
  struct mbdi_embedding * e = m->e;
  e->group_of = integers((size_t)tree->nbody);
  e->slot_of = integers((size_t)tree->nbody);
  e->group = calloc((size_t)tree->nbody + 1, sizeof *e->group);
  if (!e->group_of || !e->slot_of || !e->group) return false;
  for (int i = 0; i < tree->nbody; i++) {
    const int root = root_of(link, i);
    if (root == i) e->group_of[i] = e->ngroup++;
    e->group_of[i] = e->group_of[root];
    mbdi_group_t * group = &e->group[e->group_of[i]];
    e->slot_of[i] = group->nbody++;
    group->ndof += tree->body[i].nv;
  }
  for (int k = 0; k < tree->nclosure; k++) {
    mbdi_group_t * group = &e->group[e->group_of[first_body(&tree->closure[k])]];
    group->nclosure++;
    group->nrow += tree->closure[k].nrow;
    group->nposition += tree->closure[k].nposition;
  }
  return true;
}

static bool
allocate_group(mbdi_group_t * group)
{
  const size_t n = (size_t)group->ndof;
  group->body = integers((size_t)group->nbody);
  group->inside = integers((size_t)group->nbody);
  group->dof = integers(n);
  group->ind = integers(n);
  group->dep = integers(n);
  group->v = integers(n);
  group->closure = integers((size_t)group->nclosure);
  return group->body && group->inside && group->dof && group->ind && group->dep && group->v &&
         group->closure;
}

// every body of a group hangs on another one of it, or on the one that carries the group (Lem 14.5)
static bool
place_bodies(maker_t * m)
{
  const mbd_model_t * tree = m->tree;
  struct mbdi_embedding * e = m->e;
  for (int g = 0; g < e->ngroup; g++) e->group[g].nbody = e->group[g].ndof = 0;
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    mbdi_group_t * group = &e->group[e->group_of[i]];
    const bool within = body->parent >= 0 && e->group_of[body->parent] == e->group_of[i];
    if (group->nbody == 0) group->parent = body->parent;
    if (!within && body->parent != group->parent) return false;
    group->inside[group->nbody] = within ? e->slot_of[body->parent] : -1;
    group->body[group->nbody++] = i;
    for (int k = 0; k < body->nv; k++) {
      e->column[body->v_index + k] = group->ndof;
      group->dof[group->ndof++] = body->v_index + k;
    }
  }
  return true;
}

static void
place_closures(maker_t * m)
{
  struct mbdi_embedding * e = m->e;
  for (int g = 0; g < e->ngroup; g++) {
    if (e->group[g].nclosure == 0) continue;
    e->aggregate[e->naggregate++] = g;
    e->group[g].nclosure = 0;
    e->group[g].constant = true;
  }
  for (int k = 0; k < m->tree->nclosure; k++) {
    const mbd_closure_t * c = &m->tree->closure[k];
    mbdi_group_t * group = &e->group[e->group_of[first_body(c)]];
    group->closure[group->nclosure++] = k;
    if (c->type != MBD_CLOSURE_COUPLING) group->constant = false;
  }
}

static mbd_status_t
make_groups(maker_t * m)
{
  const mbd_model_t * tree = m->tree;
  struct mbdi_embedding * e = m->e;
  int * link = integers((size_t)tree->nbody);
  if (!link) return MBD_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < tree->nbody; i++) link[i] = i;
  for (int k = 0; k < tree->nclosure; k++) join_closure(tree, &tree->closure[k], link);
  bool good = count_groups(m, link);
  free(link);
  e->column = integers((size_t)tree->nv);
  e->aggregate = integers((size_t)e->ngroup);
  if (!good || !e->column || !e->aggregate) return MBD_ERROR_OUT_OF_MEMORY;
  for (int g = 0; g < e->ngroup; g++) good = allocate_group(&e->group[g]) && good;
  if (!good) return MBD_ERROR_OUT_OF_MEMORY;
  if (!place_bodies(m)) return MBD_ERROR_BAD_CLOSURE;
  place_closures(m);
  return MBD_OK;
}

//---------- choice of independent velocities ----------

// -1 for what a coupling says follows, 0 for the rest, more the more it was asked for
static mbd_status_t
want(maker_t * m)
{
  const mbd_model_t * tree = m->tree;
  for (int k = 0; k < tree->nclosure; k++) {
    const mbd_closure_t * c = &tree->closure[k];
    if (c->type == MBD_CLOSURE_COUPLING) m->wanted[tree->body[c->coupled[0]].v_index] = -1;
  }
  const int n = m->options->nindependent;
  for (int k = 0; k < n; k++) {
    int body;
    const char * name = m->options->independent[k];
    if (!name) return MBD_ERROR_NULL_ARGUMENT;
    if (mbd_find_joint(tree, name, &body) != MBD_OK) {
      mbdi_model_blame(m->tree, name);
      return MBD_ERROR_NOT_FOUND;
    }
    for (int j = 0; j < tree->body[body].nv; j++) m->wanted[tree->body[body].v_index + j] = n - k;
  }
  return MBD_OK;
}

// place of the pivot: the largest number in the columns that are wanted least, unless all that is
// left there is small against the largest of all; false if nothing is left
static bool
choose_pivot(
  const mbdi_group_t * group, const int * wanted, const double * A, const bool * row_done,
  const bool * column_done, double size, int * row, int * column)
{
  const int n = group->ndof;
  double all = 0;
  int level = -1, top = -1;
  for (int j = 0; j < n; j++) top = wanted[group->dof[j]] > top ? wanted[group->dof[j]] : top;
  for (int i = 0; i < group->nrow; i++) {
    for (int j = 0; j < n; j++) {
      if (!row_done[i] && !column_done[j]) all = fmax(all, fabs(A[i * n + j]));
    }
  }
  if (!(all > RANK_TOLERANCE * size)) return false;
  for (; level <= top; level++) {
    // what follows in a coupling does so at any ratio
    double best = (level < 0 ? RANK_TOLERANCE : CHOICE_TOLERANCE) * all;
    bool found = false;
    for (int i = 0; i < group->nrow; i++) {
      for (int j = 0; j < n; j++) {
        if (row_done[i] || column_done[j] || wanted[group->dof[j]] != level) continue;
        if (!(fabs(A[i * n + j]) > best)) continue;
        best = fabs(A[i * n + j]);
        *row = i, *column = j;
        found = true;
      }
    }
    if (found) return true;
  }
  return false;
}

// which columns of the rows A (overwritten) are dependent; the rank
static int
choose_columns(
  const mbdi_group_t * group, const int * wanted, double * A, bool * row_done, bool * column_done)
{
  const int n = group->ndof;
  double size = 0;
  for (int i = 0; i < group->nrow * n; i++) size = fmax(size, fabs(A[i]));
  memset(row_done, 0, (size_t)group->nrow * sizeof *row_done);
  memset(column_done, 0, (size_t)n * sizeof *column_done);
  int rank = 0, row = 0, column = 0;
  while (choose_pivot(group, wanted, A, row_done, column_done, size, &row, &column)) {
    row_done[row] = column_done[column] = true;
    rank++;
    for (int i = 0; i < group->nrow; i++) {
      if (row_done[i]) continue;
      const double factor = A[i * n + column] / A[row * n + column];
      for (int j = 0; j < n; j++) A[i * n + j] -= factor * A[row * n + j];
      A[i * n + column] = 0;
    }
  }
  return rank;
}

static void
part_columns(mbdi_group_t * group, const bool * dependent)
{
  group->nind = group->ndep = 0;
  for (int j = 0; j < group->ndof; j++) {
    if (dependent[j]) {
      group->dep[group->ndep++] = j;
    } else {
      group->ind[group->nind++] = j;
    }
  }
}

static mbd_status_t
choose_in_group(maker_t * m, mbdi_group_t * group)
{
  const size_t rows = (size_t)group->nrow, n = (size_t)group->ndof;
  double * A = calloc(rows * n + 1, sizeof *A);
  bool * done = calloc(rows + n + 1, sizeof *done);
  if (A && done) {
    mbdi_loop_rows(m->tree, m->data, m->e, group, A);
    choose_columns(group, m->wanted, A, done, done + rows);
    part_columns(group, done + rows);
  }
  const bool good = A && done;
  free(A);
  free(done);
  return good ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
}

static mbd_status_t
choose(maker_t * m)
{
  CHECK(want(m));
  CHECK(mbd_set_position(m->tree, m->data, m->q));
  for (int g = 0; g < m->e->ngroup; g++) CHECK(choose_in_group(m, &m->e->group[g]));
  return MBD_OK;
}

//---------- the model ----------

// bodies with independent velocities alone, and what goes with the numbering of these
static mbd_status_t
number_velocities(maker_t * m, mbd_model_t * model)
{
  const mbd_model_t * tree = m->tree;
  struct mbdi_embedding * e = m->e;
  e->body = calloc((size_t)tree->nbody + 1, sizeof *e->body);
  e->dof_body = integers((size_t)tree->nv);
  e->dof_tree = integers((size_t)tree->nv);
  bool * independent = calloc((size_t)tree->nv + 1, sizeof *independent);
  if (!e->body || !e->dof_body || !e->dof_tree || !independent) {
    free(independent);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  for (int g = 0; g < e->ngroup; g++) {
    for (int k = 0; k < e->group[g].nind; k++) independent[e->group[g].dof[e->group[g].ind[k]]] = 1;
  }
  for (int i = 0; i < tree->nbody; i++) {
    mbd_body_t * body = &e->body[i];
    *body = tree->body[i];
    body->nv = 0;
    body->v_index = model->nv;
    body->d_index = model->nD;
    for (int k = 0; k < tree->body[i].nv; k++) {
      const int dof = tree->body[i].v_index + k;
      if (!independent[dof]) continue;
      mbdi_group_t * group = &e->group[e->group_of[i]];
      for (int j = 0; j < group->nind; j++) {
        if (group->dof[group->ind[j]] == dof) group->v[j] = model->nv;
      }
      e->dof_tree[model->nv] = dof;
      e->dof_body[model->nv++] = i;
      body->nv++;
    }
    model->nD += body->nv * body->nv;
  }
  free(independent);
  return MBD_OK;
}

static mbd_status_t
shape_nodes(maker_t * m)
{
  struct mbdi_embedding * e = m->e;
  e->shape = calloc((size_t)e->ngroup + 1, sizeof *e->shape);
  if (!e->shape) return MBD_ERROR_OUT_OF_MEMORY;
  for (int g = 0; g < e->ngroup; g++) {
    const mbdi_group_t * group = &e->group[g];
    const int p = group->parent;
    const mbd_sko_shape_t shape = {
      p < 0 ? -1 : e->group_of[p], 6 * group->nbody, group->nind, p < 0 ? 0 : 6 * e->slot_of[p], 6};
    e->shape[g] = shape;
  }
  return MBD_OK;
}

static bool
is_carried(const struct mbdi_embedding * e, int group, int by)
{
  while (group >= 0 && group != by) {
    const int parent = e->group[group].parent;
    group = parent < 0 ? -1 : e->group_of[parent];
  }
  return group == by;
}

// Velocities after all those with larger numbers that they are coupled with, also by the elimination of
// others; branches in turns.
static void
order_velocities(const mbd_model_t * model, const struct mbdi_embedding * e, int * order)
{
  uint64_t coupled[MBDI_PROJECTED_DOF] = {0};  // bit j: with velocity j, which is less
  int depth[MBDI_PROJECTED_DOF] = {0};
  for (int k = 0; k < model->nv; k++) {
    const int group = e->group_of[e->dof_body[k]];
    for (int j = 0; j < k; j++) {
      const int other = e->group_of[e->dof_body[j]];
      if (is_carried(e, group, other) || is_carried(e, other, group)) coupled[k] |= 1ull << j;
    }
  }
  for (int k = model->nv - 1; k >= 0; k--) {
    for (int i = 0; i < k; i++) {
      if (coupled[k] >> i & 1) coupled[i] |= coupled[k] & ((1ull << i) - 1);
    }
  }
  for (int k = 0; k < model->nv; k++) {
    for (int j = 0; j < k; j++) {
      if (coupled[k] >> j & 1 && depth[j] >= depth[k]) depth[k] = depth[j] + 1;
    }
    int at = k;
    for (; at > 0 && depth[order[at - 1]] < depth[k]; at--) order[at] = order[at - 1];
    order[at] = k;
  }
}

// X as one matrix: the numbers of a dependent joint are those of its group's independent velocities
static mbd_status_t
project_groups(maker_t * m, const mbd_model_t * model)
{
  struct mbdi_embedding * e = m->e;
  mbdi_projection_t * p = &e->projection;
  for (int k = 0; k < e->naggregate; k++) {
    p->ndep += e->group[e->aggregate[k]].ndep;
    e->nprojection += e->group[e->aggregate[k]].ndep * e->group[e->aggregate[k]].nind;
  }
  p->n = m->tree->nv;
  p->nv = model->nv;
  p->dof = integers((size_t)mbdi_projected_ld(p->nv));
  p->dep = integers(3 * (size_t)p->ndep + (size_t)e->nprojection + 2 * (size_t)p->nv);
  if (!p->dof || !p->dep) return MBD_ERROR_OUT_OF_MEMORY;
  p->begin = p->dep + p->ndep;
  p->end = p->begin + p->ndep;
  p->v = p->end + p->ndep;
  p->led = p->v + e->nprojection;
  p->order = p->led + p->nv;
  memcpy(p->dof, e->dof_tree, (size_t)p->nv * sizeof *p->dof);
  for (int k = 0, i = 0, number = 0; k < e->naggregate; k++) {
    mbdi_group_t * group = &e->group[e->aggregate[k]];
    group->number = number;
    for (int j = 0; j < group->ndep; j++, i++) {
      p->dep[i] = group->dof[group->dep[j]];
      p->begin[i] = number;
      for (int c = 0; c < group->nind; c++) p->v[number++] = group->v[c];
      p->end[i] = number;
    }
  }
  p->single = e->nprojection == p->ndep;
  for (int i = 0; i < p->ndep; i++) p->single &= p->begin[i] == i;
  e->kernels = mbdi_projection_kernels(m->tree);
  if (p->n > MBDI_DENSE_DOF) return MBD_OK;
  for (int v = 0; v < p->nv; v++) {
    bool leads = false;
    for (int k = 0; k < e->nprojection; k++) leads |= p->v[k] == v;
    if (leads) p->led[p->nled++] = v;
  }
  order_velocities(model, e, p->order);
  return MBD_OK;
}

// which loops are planar, and what the others need
static mbd_status_t
find_planar(maker_t * m)
{
  struct mbdi_embedding * e = m->e;
  for (int k = 0; k < e->naggregate; k++) {
    mbdi_group_t * group = &e->group[e->aggregate[k]];
    CHECK(mbdi_planar_create(m->tree, group, &group->planar));
    if (group->planar) {
      group->planar->first = e->nplanar;
      e->nplanar += group->nbody;
    } else {
      e->others = true;
      e->spatial |= !group->constant;
    }
  }
  for (int k = 0; k < m->tree->nclosure; k++) {
    const mbd_driver_t * driver = &m->tree->closure[k].driver;
    if (driver->at || driver->value != 0 || driver->rate != 0) e->driven = true;
  }
  return MBD_OK;
}

static void
describe(const mbd_model_t * tree, struct mbdi_embedding * e, mbd_model_t * model)
{
  const int nv = model->nv, nD = model->nD;
  struct mbdi_model * internal = model->internal;
  *model = *tree;
  model->internal = internal;
  model->nv = nv;
  model->nD = nD;
  model->body = e->body;
  model->dof_body = e->dof_body;
  model->nmimic = 0;
  model->error_name = NULL;
  model->internal->engine = &mbdi_embedding_engine;
  model->tree = tree;
  model->dof_tree = e->dof_tree;
  model->internal->embedding = e;
}

static mbd_status_t
make_pool(const mbd_model_t * model)
{
  struct mbdi_embedding * e = model->internal->embedding;
  for (int k = 0; k < MBD_POOL; k++) {
    atomic_flag_clear(&e->taken[k]);
    CHECK(mbd_data_create(model, &e->pool[k]));
  }
  return MBD_OK;
}

static mbd_status_t
make_model(maker_t * m, mbd_model_t * model)
{
  CHECK(make_groups(m));
  CHECK(mbdi_reference_configuration(m->tree, m->data, m->options->q, m->q));
  CHECK(choose(m));
  CHECK(number_velocities(m, model));
  CHECK(shape_nodes(m));
  CHECK(find_planar(m));
  CHECK(project_groups(m, model));
  m->e->tolerance = m->options->tolerance;
  m->e->own_tree = m->options->own_tree;
  m->e->q_rest = m->q;
  m->q = NULL;
  describe(m->tree, m->e, model);
  return make_pool(model);
}

static mbd_status_t
check_options(const mbd_model_t * tree, const mbd_embed_options_t * options)
{
  if (options->nindependent < 0 || !(options->tolerance > 0)) return MBD_ERROR_BAD_ARGUMENT;
  if (options->nindependent > 0 && !options->independent) return MBD_ERROR_NULL_ARGUMENT;
  if (options->q && !finite_array(options->q, tree->nq)) return MBD_ERROR_NOT_FINITE;
  return MBD_OK;
}

mbd_status_t
mbd_model_embed(mbd_model_t * tree, const mbd_embed_options_t * options, mbd_model_t ** model)
{
  if (!tree || !model) return MBD_ERROR_NULL_ARGUMENT;
  if (!tree->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (tree->tree) return MBD_ERROR_UNSUPPORTED;
  const mbd_embed_options_t defaults = mbd_embed_options_default();
  maker_t m = {tree, options ? options : &defaults, NULL, NULL, NULL, NULL};
  CHECK(check_options(tree, m.options));
  tree->error_name = NULL;
  mbd_model_t * made = mbdi_model_alloc();
  m.e = calloc(1, sizeof *m.e);
  m.q = calloc((size_t)tree->nq + 1, sizeof *m.q);
  m.wanted = integers((size_t)tree->nv);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (made && m.e && m.q && m.wanted) status = mbd_data_create(tree, &m.data);
  if (status == MBD_OK) {
    m.data->work->keeps_mimic = true;
    status = make_model(&m, made);
  }
  mbd_data_destroy(m.data);
  free(m.q);
  free(m.wanted);
  if (status == MBD_OK) {
    *model = made;
    return MBD_OK;
  }
  // the tree stays the caller's after an error
  if (m.e) m.e->own_tree = false;
  if (made) made->internal->embedding = m.e;
  mbdi_embedding_destroy(made);
  if (!made) free(m.e);
  free(made);
  return status;
}

mbd_status_t
mbd_model_rechoose(const mbd_model_t * model, const double * q, mbd_model_t ** better)
{
  if (!model || !q || !better) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->tree) return MBD_ERROR_BAD_ARGUMENT;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = q;
  options.tolerance = model->internal->embedding->tolerance;
  // the tree is const but for its error_name
  return mbd_model_embed((mbd_model_t *)(uintptr_t)model->tree, &options, better);
}

mbd_status_t
mbdi_groups_create(mbd_model_t * tree, struct mbdi_embedding * e)
{
  maker_t m = {.tree = tree, .e = e};
  return make_groups(&m);
}

void
mbdi_groups_free(struct mbdi_embedding * e)
{
  for (int g = 0; e->group && g < e->ngroup; g++) {
    mbdi_group_t * group = &e->group[g];
    free(group->body), free(group->inside), free(group->dof), free(group->ind), free(group->dep);
    free(group->v), free(group->closure), free(group->planar);
  }
  free(e->group), free(e->group_of), free(e->slot_of), free(e->column), free(e->aggregate);
}

void
mbdi_embedding_destroy(mbd_model_t * model)
{
  if (!model || !model->internal->embedding) return;
  struct mbdi_embedding * e = model->internal->embedding;
  for (int k = 0; k < MBD_POOL; k++) mbd_data_destroy(e->pool[k]);
  mbdi_groups_free(e);
  free(e->projection.dof), free(e->projection.dep);
  free(e->shape), free(e->body), free(e->dof_body), free(e->dof_tree), free(e->q_rest);
  if (e->own_tree) mbd_model_destroy((mbd_model_t *)(uintptr_t)model->tree);
  free(e);
  model->internal->embedding = NULL;
}

//---------- workspace ----------

#define NUMBERS(count)  mbdi_arena_take(base, &offset, (size_t)(count) * sizeof(double), 1)
#define INTEGERS(count) mbdi_arena_take(base, &offset, (size_t)(count) * sizeof(int), 1)

static size_t
lay_out_loop(const mbdi_group_t * group, char * base, size_t offset, mbdi_loop_t * loop)
{
  const int nrow = group->nrow, n = group->ndof;
  loop->Y = NUMBERS(nrow * n);
  loop->LU = NUMBERS(nrow * n);
  loop->X = NUMBERS(n * group->nind);
  loop->dX = NUMBERS(n * group->nind);
  loop->flat = mbdi_arena_take(
    base, &offset, group->planar ? (size_t)group->nbody * sizeof *loop->flat : 0, 1);
  const size_t pins = group->planar ? (size_t)group->nclosure : 0;
  loop->pin = mbdi_arena_take(base, &offset, pins * sizeof *loop->pin, 1);
  loop->row = INTEGERS(nrow);
  loop->col = INTEGERS(n);
  const size_t places = group->nbody > 1 ? (size_t)group->nbody : 0;
  loop->places = mbdi_arena_take(base, &offset, places * sizeof *loop->places, 1);
  return offset;
}

static int
most(int a, int b)
{
  return a > b ? a : b;
}

static size_t
lay_out_embedded(const mbd_model_t * model, char * base, struct mbdi_embedded ** out)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const int nv = model->tree->nv;
  size_t offset = 0;
  struct mbdi_embedded w = {0};
  struct mbdi_embedded * self = mbdi_arena_take(base, &offset, sizeof w, 1);
  w.loop = mbdi_arena_take(base, &offset, (size_t)e->ngroup * sizeof *w.loop, 1);
  int rows = 1, dep = 1, columns = 1, bodies = 1, block = 1;
  for (int g = 0; g < e->ngroup; g++) {
    const mbdi_group_t * group = &e->group[g];
    mbdi_loop_t loop = {0};
    offset = lay_out_loop(group, base, offset, &loop);
    if (base) w.loop[g] = loop;
    rows = most(rows, group->nrow), dep = most(dep, group->ndep);
    block = most(block, group->nrow * group->ndof);
    columns = most(columns, group->nbody * group->nind), bodies = most(bodies, group->nbody);
  }
  w.v_tree = NUMBERS(nv), w.xd = NUMBERS(nv), w.x_tree = NUMBERS(nv), w.y_tree = NUMBERS(nv);
  w.qdd_tree = NUMBERS(nv);
  w.form = mbdi_arena_take(base, &offset, (size_t)model->tree->nclosure * sizeof *w.form, 1);
  if (nv <= MBDI_DENSE_DOF) {
    w.M = NUMBERS(nv * nv), w.D_inv = NUMBERS(model->nv);
    w.M_r = NUMBERS(mbdi_projected_size(model->nv));
  }
  w.projection = e->projection;
  w.projection.X = NUMBERS(e->nprojection);
  w.angle = NUMBERS(e->nplanar), w.sine = NUMBERS(e->nplanar), w.cosine = NUMBERS(e->nplanar);
  w.dh_sine = NUMBERS(model->tree->nbody + 8), w.dh_cosine = NUMBERS(model->tree->nbody + 8);
  w.motion = mbdi_arena_take(base, &offset, (size_t)bodies * sizeof *w.motion, 1);
  w.q_tree = NUMBERS(model->nq), w.q_step = NUMBERS(model->nq);
  w.unit_i = NUMBERS(36 * bodies), w.unit_j = NUMBERS(36 * bodies);
  w.wide = NUMBERS(6 * nv), w.narrow = NUMBERS(6 * model->nv);
  w.rows = NUMBERS(4 * rows);
  w.gram = NUMBERS(2 * dep * dep + 2 * dep);
  w.dY = NUMBERS(block);
  w.columns = mbdi_arena_take(base, &offset, (size_t)columns * sizeof *w.columns, 1);
  const size_t size = mbd_sko_size(e->ngroup, e->shape);
  void * engine = mbdi_arena_take(base, &offset, size, 1);
  if (base) {
    if (mbd_sko_init(e->ngroup, e->shape, engine, size, &w.sko) != MBD_OK) w.sko = NULL;
    *self = w;
    *out = self;
  }
  return offset;
}

#define TAKE(field, count) \
  d->field = mbdi_arena_take(base, &offset, (size_t)(count) * sizeof *d->field, 1)

// the tree's workspace, vectors of independent velocities, and what the embedding needs
size_t
mbdi_embedded_lay_out(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  size_t offset = 0;
  mbdi_arena_take(base, &offset, sizeof(mbdi_data_block_t), 1);
  const size_t size = mbd_data_size(model->tree);
  char * tree = mbdi_arena_take(base, &offset, size, 1);
  if (base) {
    mbd_data_t * on = NULL;
    if (mbd_data_init(model->tree, tree, size, &on) != MBD_OK) return 0;
    on->work->keeps_mimic = true;
    struct mbdi_data * work = d->work;
    *work = *on->work;
    *d = *on;
    d->work = work;
    d->tree = on;
  }
  TAKE(v, model->nv);
  TAKE(work->x, model->nv);
  TAKE(work->nu, model->nv);
  TAKE(work->qdd, model->nv);
  return offset + lay_out_embedded(model, base ? base + offset : NULL, &d->work->embedded);
}

mbd_status_t
mbdi_embedded_init(const mbd_model_t * model, mbd_data_t * data)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  mbd_sko_t * sko = data->work->embedded->sko;
  if (!sko) return MBD_ERROR_TOO_SMALL;
  for (int g = 0; g < e->ngroup; g++) {
    memcpy(sko->node[g].dof, e->group[g].v, (size_t)e->group[g].nind * sizeof(int));
    // of a group without closures X is one
    const mbdi_group_t * group = &e->group[g];
    // places of several are worked out with the other blocks
    sko->node[g].rigid =
      group->nbody == 1 ? &data->X_parent[group->body[0]] : data->work->embedded->loop[g].places;
    for (int k = 0; k < group->nind; k++) {
      data->work->embedded->loop[g].X[group->ind[k] * group->nind + k] = 1;
    }
  }
  data->work->embedded->condition = 1;
  data->work->embedded->worst = -1;
  return MBD_OK;
}

//---------- what there is ----------

int
mbd_aggregate_count(const mbd_model_t * model)
{
  return model && model->internal->embedding ? model->internal->embedding->naggregate : 0;
}

bool
mbdi_embedded_is_free_base(const mbd_model_t * model, int body)
{
  return model->internal->embedding->group[model->internal->embedding->group_of[body]].nclosure ==
         0;
}

mbd_status_t
mbd_aggregate_info(const mbd_model_t * model, int k, mbd_aggregate_t * info)
{
  if (!model || !info) return MBD_ERROR_NULL_ARGUMENT;
  if (k < 0 || k >= mbd_aggregate_count(model)) return MBD_ERROR_BAD_ARGUMENT;
  const mbdi_group_t * group =
    &model->internal->embedding->group[model->internal->embedding->aggregate[k]];
  info->nbody = group->nbody;
  info->nclosure = group->nclosure;
  info->body = group->body;
  info->closure = group->closure;
  info->parent = group->parent;
  info->ndof = group->ndof;
  info->nindependent = group->nind;
  info->dof = group->dof;
  info->constant = group->constant;
  return MBD_OK;
}
