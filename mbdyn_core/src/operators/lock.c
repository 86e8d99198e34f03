// A model with some joints locked: links on locked joints are merged as those on fixed joints are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/data.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"
#include "util/check.h"

// largest gap of a closure that is dropped [m, rad]
static const double GAP = 1e-6;

// pivots of constraint rows, whose largest element is one
static const double SMALLEST_PIVOT = 1e-9;

typedef struct lock {
  const mbd_model_t * from;  // the tree
  const mbd_data_t * data;   // at the configuration
  bool * locked;             // joints                                 [nbody]
  int * rigid;               // body that carries it, after the lock   [nbody]
  double * error;            // of the closures                        [nrow]
} lock_t;

//---------- what the closures lock too ----------

// reduced row echelon form of A, pivots from all of it; zero rows at the end
static void
reduce_rows(int m, int n, double * A)
{
  for (int r = 0; r < m; r++) {
    int row = r, column = 0;
    for (int i = r; i < m; i++) {
      for (int j = 0; j < n; j++) {
        if (fabs(A[i * n + j]) > fabs(A[row * n + column])) row = i, column = j;
      }
    }
    const double pivot = A[row * n + column];
    const bool none = !(fabs(pivot) > SMALLEST_PIVOT);
    for (int j = 0; j < n; j++) {
      const double swapped = A[row * n + j];
      A[row * n + j] = A[r * n + j];
      A[r * n + j] = none ? 0 : swapped / pivot;
    }
    for (int i = 0; i < m && !none; i++) {
      const double factor = A[i * n + column];
      if (i == r || factor == 0) continue;
      for (int j = 0; j < n; j++) {
        A[i * n + j] -= factor * A[r * n + j];
        if (fabs(A[i * n + j]) <= SMALLEST_PIVOT) A[i * n + j] = 0;
      }
    }
    if (none) memset(A + r * n, 0, (size_t)n * sizeof *A);
  }
}

// rows that hold of positions at all times; mimic joints may be independent
static bool
holds(const lock_t * lock, const mbd_closure_t * c)
{
  if (c->driver.at || c->driver.rate != 0) return false;
  return c->nposition > 0 && !(c->from_mimic && lock->from->mimic_independent);
}

// Velocities that these rows and locked joints keep zero; A: [nrow + nv][nv], G its first rows.
static void
find_still(const lock_t * lock, bool with_locked, const double * G, double * A, bool * still)
{
  const mbd_model_t * from = lock->from;
  const int nv = from->nv;
  int m = 0;
  for (int k = 0; k < from->nclosure; k++) {
    const mbd_closure_t * c = &from->closure[k];
    for (int i = c->row; holds(lock, c) && i < c->row + c->nrow; i++, m++) {
      double largest = 0;
      for (int j = 0; j < nv; j++) largest = fmax(largest, fabs(G[i * nv + j]));
      for (int j = 0; j < nv; j++) A[m * nv + j] = largest > 0 ? G[i * nv + j] / largest : 0;
    }
  }
  for (int j = 0; with_locked && j < nv; j++) {
    if (!lock->locked[from->dof_body[j]]) continue;
    for (int k = 0; k < nv; k++) A[m * nv + k] = k == j;
    m++;
  }
  reduce_rows(m, nv, A);
  memset(still, 0, (size_t)nv * sizeof *still);
  for (int i = 0; i < m; i++) {
    int count = 0, last = 0;
    for (int j = 0; j < nv; j++) {
      if (A[i * nv + j] != 0) count++, last = j;
    }
    if (count == 1) still[last] = true;
  }
}

// joints that cannot move once the others are locked
static mbd_status_t
lock_dependent(lock_t * lock, mbd_data_t * data)
{
  const mbd_model_t * from = lock->from;
  const size_t nv = (size_t)from->nv, nrow = (size_t)from->nrow;
  if (nrow == 0) return MBD_OK;
  double * G = calloc(nrow * nv + (nrow + nv) * nv, sizeof *G);
  bool * still = calloc(2 * nv, sizeof *still);
  mbd_status_t status = G && still ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_closure_jacobian(from, data, G);
  if (status == MBD_OK) {
    double * A = G + nrow * nv;
    find_still(lock, false, G, A, still);
    find_still(lock, true, G, A, still + nv);
    for (int i = 0; i < from->nbody; i++) {
      const mbd_body_t * body = &from->body[i];
      bool all = body->nv > 0, before = true;
      for (int k = body->v_index; k < body->v_index + body->nv; k++)
        all = all && still[nv + (size_t)k], before = before && still[k];
      lock->locked[i] = lock->locked[i] || (all && !before);
    }
  }
  free(G);
  free(still);
  return status;
}

static void
find_rigid(lock_t * lock)
{
  for (int i = 0; i < lock->from->nbody; i++) {
    const int parent = lock->from->body[i].parent;
    const int carrier = parent < 0 ? MBD_WORLD_BODY : lock->rigid[parent];
    lock->rigid[i] = lock->locked[i] ? carrier : i;
  }
}

//---------- the new model ----------

static void
lock_item(const lock_t * lock, int i, mbdi_item_t * item)
{
  const mbd_model_t * from = lock->from;
  const mbd_body_t * body = &from->body[i];
  // link in the body frame of the parent, then in the parent's link
  const mbd_placement_t X =
    mbdu_placement_mul(&lock->data->X_parent[i], &from->frame[body->link_frame].X);
  item->spec.placement = X;
  if (item->spec.parent >= 0) {
    const mbd_placement_t parent = mbdu_placement_inverse(&from->frame[item->spec.parent].X);
    item->spec.placement = mbdu_placement_mul(&parent, &X);
  }
  item->spec.type = MBD_JOINT_FIXED;
  item->moved = false;
}

// without the joint that it follows
static void
forget_mimic(mbdi_item_t * item)
{
  free((void *)item->spec.mimic.joint);
  item->spec.mimic = (mbd_mimic_t){.multiplier = 1};
}

static void
lock_items(const lock_t * lock, mbdi_item_t * item)
{
  const mbd_model_t * from = lock->from;
  for (int i = 0; i < from->nbody; i++) {
    mbdi_item_t * at = &item[from->body[i].link_frame];
    const int leader = from->body[i].mimic_body;
    if (leader >= 0 && (lock->locked[i] || lock->locked[leader])) forget_mimic(at);
    if (lock->locked[i]) lock_item(lock, i, at);
  }
}

static int
carrier(const lock_t * lock, int body)
{
  return body < 0 ? MBD_WORLD_BODY : lock->rigid[body];
}

// locked joints of a coupling as its offset; returns how many remain
static int
lock_coupling(const lock_t * lock, const mbd_closure_t * c, mbd_closure_spec_t * spec)
{
  int n = 0;
  for (int k = 0; k < c->ncoupled; k++) {
    const mbd_body_t * body = &lock->from->body[c->coupled[k]];
    if (lock->locked[c->coupled[k]]) {
      spec->offset += c->coefficient[k] * lock->data->q[body->q_index];
      continue;
    }
    spec->joint[n] = body->joint_name;
    spec->coefficient[n++] = c->coefficient[k];
  }
  spec->ncoupled = n;
  return n;
}

// nothing of it can move any more
static bool
is_rigid(const lock_t * lock, const mbd_closure_t * c, mbd_closure_spec_t * spec)
{
  if (c->type == MBD_CLOSURE_COUPLING) return lock_coupling(lock, c, spec) == 0;
  if (c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING)
    return carrier(lock, c->body_b) == MBD_WORLD_BODY;
  return carrier(lock, c->body_a) == carrier(lock, c->body_b);
}

static mbd_status_t
check_rigid(const lock_t * lock, const mbd_closure_t * c)
{
  if (c->nposition > 0 && (c->driver.at || c->driver.rate != 0)) return MBD_ERROR_BAD_CLOSURE;
  for (int i = c->row; i < c->row + c->nposition; i++) {
    if (!(fabs(lock->error[i]) <= GAP)) return MBD_ERROR_NOT_ASSEMBLED;
  }
  return MBD_OK;
}

static mbd_status_t
add_closures(const lock_t * lock, const struct mbdi_model_builder * b, mbd_model_t * to)
{
  for (int k = 0; k < lock->from->nclosure; k++) {
    const mbd_closure_t * c = &lock->from->closure[k];
    mbd_closure_spec_t spec = c->from_mimic ? mbd_closure_spec_default() : b->loop[k];
    const bool rigid = is_rigid(lock, c, &spec);
    if (rigid) CHECK(check_rigid(lock, c));
    if (!rigid && !c->from_mimic) CHECK(mbd_model_add_closure(to, &spec, NULL));
  }
  return MBD_OK;
}

static bool
has_joint(const lock_t * lock, const char * name)
{
  int body;
  return mbd_find_joint(lock->from, name, &body) == MBD_OK && !lock->locked[body];
}

static bool
has_closure(const mbd_model_t * model, const char * name)
{
  const struct mbdi_model_builder * b = model->internal->builder;
  for (int k = 0; k < b->nloop; k++) {
    if (strcmp(b->loop[k].name, name) == 0) return true;
  }
  return false;
}

static mbd_status_t
build(const lock_t * lock, mbd_model_t * to)
{
  const struct mbdi_model_builder * b = lock->from->internal->builder;
  CHECK(mbdi_copy_links(lock->from, to));
  lock_items(lock, to->internal->builder->item);
  CHECK(add_closures(lock, b, to));
  for (int k = 0; k < b->nelement; k++) {
    const mbd_element_spec_t * spec = &b->element_spec[k];
    if (spec->type == MBD_ELEMENT_JOINT && !has_joint(lock, spec->joint)) continue;
    CHECK(mbd_model_add_element(to, spec, NULL));
  }
  for (int k = 0; k < b->nbearing; k++) {
    const mbd_bearing_spec_t * spec = &b->bearing[k].spec;
    if (!has_joint(lock, spec->joint) && !has_closure(to, spec->joint)) continue;
    CHECK(mbd_model_add_bearing(to, spec, NULL));
  }
  return mbd_model_finalize(to);
}

// configuration of the joints that are left
static void
take_configuration(const lock_t * lock, const mbd_model_t * to, double * q)
{
  for (int i = 0, at = 0; i < lock->from->nbody; i++) {
    const mbd_body_t * body = &lock->from->body[i];
    if (lock->locked[i]) continue;
    copy_array(q + at, lock->data->q + body->q_index, body->nq);
    at += body->nq;
    if (at >= to->nq) break;
  }
}

// loops of the new tree as those of the old model; takes the tree
static mbd_status_t
embed(const lock_t * lock, const mbd_model_t * model, mbd_model_t * tree, mbd_model_t ** out)
{
  mbd_embed_options_t options = mbd_embed_options_default();
  double * q = calloc((size_t)tree->nq + 1, sizeof *q);
  const char ** independent = calloc((size_t)model->nv + 1, sizeof *independent);
  mbd_status_t status = q && independent ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) {
    take_configuration(lock, tree, q);
    for (int k = 0; k < model->nv; k++) {
      const int i = lock->from->dof_body[model->dof_tree[k]];
      const bool again = k > 0 && lock->from->dof_body[model->dof_tree[k - 1]] == i;
      if (lock->locked[i] || again) continue;
      independent[options.nindependent++] = lock->from->body[i].joint_name;
    }
    options.q = q;
    options.independent = independent;
    options.own_tree = true;
    status = mbd_model_embed(tree, &options, out);
  }
  free(q);
  free(independent);
  return status;
}

//---------- the call ----------

static mbd_status_t
find_joints(lock_t * lock, int n, const char * const * joint)
{
  for (int k = 0; k < n; k++) {
    int body;
    if (!joint[k]) return MBD_ERROR_NULL_ARGUMENT;
    CHECK(mbd_find_joint(lock->from, joint[k], &body));
    lock->locked[body] = true;
  }
  return MBD_OK;
}

static mbd_status_t
lock_joints(
  lock_t * lock, const mbd_model_t * model, int n, const char * const * joint, const double * q,
  mbd_data_t * data, mbd_model_t ** out)
{
  mbd_data_t * tree_data = mbdi_spanning_data(data);
  mbd_model_t * made = NULL;
  CHECK(find_joints(lock, n, joint));
  CHECK(mbd_set_position(model, data, q));
  CHECK(mbd_complete_stages(model, data));
  lock->data = tree_data;
  CHECK(lock_dependent(lock, tree_data));
  if (lock->from->nrow > 0) CHECK(mbd_closure_error(lock->from, tree_data, 0, lock->error));
  find_rigid(lock);
  CHECK(mbd_model_create(model->name, &made));
  mbd_status_t status = build(lock, made);
  if (status == MBD_OK && model->tree && made->nclosure > 0) {
    status = embed(lock, model, made, out);
  } else if (status == MBD_OK) {
    *out = made;
  }
  if (status != MBD_OK) mbd_model_destroy(made);
  return status;
}

mbd_status_t
mbd_model_lock(
  const mbd_model_t * model, int n, const char * const * joint, const double * q,
  mbd_model_t ** locked)
{
  if (!model || (n > 0 && !joint) || !q || !locked) return MBD_ERROR_NULL_ARGUMENT;
  *locked = NULL;
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (model->flexible) return MBD_ERROR_UNSUPPORTED;
  lock_t lock = {.from = mbdi_built_model(model)};
  mbd_data_t * data = NULL;
  lock.locked = calloc((size_t)lock.from->nbody + 1, sizeof *lock.locked);
  lock.rigid = calloc((size_t)lock.from->nbody + 1, sizeof *lock.rigid);
  lock.error = calloc((size_t)lock.from->nrow + 1, sizeof *lock.error);
  mbd_status_t status = lock.locked && lock.rigid && lock.error ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) status = mbd_data_create(model, &data);
  if (status == MBD_OK) status = lock_joints(&lock, model, n, joint, q, data, locked);
  mbd_data_destroy(data);
  free(lock.locked);
  free(lock.rigid);
  free(lock.error);
  return status;
}
