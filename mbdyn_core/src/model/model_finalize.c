// From links and frames as they were added to bodies in the order of the sweeps.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "model/model_internal.h"
#include "util/check.h"

//---------- order ----------

// the order in which items are visited: depth first, siblings by joint name
typedef struct order {
  const mbdi_item_t * item;
  int n;
  int * sorted;  // items sorted by parent, then name                             [n]
  int * first;   // first child of item i - 1 in sorted; item -1 is the world     [n + 2]
  int * visit;   // the order                                                     [n]
  int * stack;   //                                                               [n]
} order_t;

static const char *
sort_name(const mbdi_item_t * item)
{
  return item->is_link ? item->spec.joint_name : item->spec.name;
}

// stable merge sort of the children of one parent: n is small, but may be all of them
static void
sort_children(const mbdi_item_t * item, int * a, int n, int * scratch)
{
  for (int width = 1; width < n; width *= 2) {
    for (int lo = 0; lo < n; lo += 2 * width) {
      const int mid = lo + width < n ? lo + width : n;
      const int hi = lo + 2 * width < n ? lo + 2 * width : n;
      for (int i = lo, j = mid, k = lo; k < hi; k++) {
        const bool left =
          i < mid && (j >= hi || strcmp(sort_name(&item[a[i]]), sort_name(&item[a[j]])) <= 0);
        scratch[k] = left ? a[i++] : a[j++];
      }
    }
    memcpy(a, scratch, (size_t)n * sizeof *a);
  }
}

// visit order from children in [first[p + 1], first[p + 2]) of sorted, p = -1 being the world
static void
depth_first(order_t * o)
{
  int depth = 0, count = 0;
  for (int k = o->first[1] - 1; k >= o->first[0]; k--) o->stack[depth++] = o->sorted[k];
  while (depth > 0) {
    const int i = o->stack[--depth];
    o->visit[count++] = i;
    for (int k = o->first[i + 2] - 1; k >= o->first[i + 1]; k--) o->stack[depth++] = o->sorted[k];
  }
}

static mbd_status_t
make_order(const mbdi_item_t * item, int n, order_t * o)
{
  *o = (order_t){.item = item, .n = n};
  const size_t size = (size_t)n + 3;
  o->sorted = calloc(size, sizeof(int));
  o->first = calloc(size, sizeof(int));
  o->visit = calloc(size, sizeof(int));
  o->stack = calloc(size, sizeof(int));
  if (!o->sorted || !o->first || !o->visit || !o->stack) return MBD_ERROR_OUT_OF_MEMORY;
  // first[p + 1] is where the children of p begin, first[p + 2] where they end; p = -1 is the world
  for (int i = 0; i < n; i++) o->first[item[i].spec.parent + 2]++;
  for (int p = 1; p <= n + 1; p++) o->first[p] += o->first[p - 1];
  memcpy(o->stack, o->first, ((size_t)n + 2) * sizeof(int));
  for (int i = 0; i < n; i++) o->sorted[o->stack[item[i].spec.parent + 1]++] = i;
  for (int p = -1; p < n; p++) {
    const int begin = o->first[p + 1], end = o->first[p + 2];
    sort_children(item, o->sorted + begin, end - begin, o->stack);
  }
  depth_first(o);
  return MBD_OK;
}

static void
free_order(order_t * o)
{
  free(o->sorted);
  free(o->first);
  free(o->visit);
  free(o->stack);
}

//---------- bodies and frames ----------

// the shortest rotation that takes z to the axis; exact zeros and ones for an axis along x, y or z
static mbd_mat3_t
axis_to_z(mbd_vec3_t axis)
{
  // by the largest component first: squares neither overflow nor vanish, and (0, 0, 49) is z
  const double big = fmax(fabs(axis.x), fmax(fabs(axis.y), fabs(axis.z)));
  const double a = axis.x / big, b = axis.y / big, c = axis.z / big;
  const double norm = sqrt(a * a + b * b + c * c);
  const double x = a / norm, y = b / norm, z = c / norm;
  // about (-v, u, 0), the normal of z and the axis; along z any will do, and x is kept
  const double h = hypot(x, y);
  const double u = h > 0 ? x / h : 0, v = h > 0 ? y / h : 1, d = 1 - z;
  mbd_mat3_t R = {
    {1 - u * u * d, 0 - u * v * d, x, 0 - u * v * d, 1 - v * v * d, y, 0 - x, 0 - y, z}};
  return R;
}

mbd_placement_t
mbdi_joint_turn(const mbd_body_spec_t * spec)
{
  mbd_placement_t X = mbdu_placement_identity();
  if (mbdi_joint_has_axis(spec->type)) X.R = axis_to_z(spec->axis);
  return X;
}

// a moving item becomes the next body; returns its index
static int
start_body(
  mbd_model_t * model, const mbdi_item_t * item, int link, int parent, mbd_placement_t X_tree)
{
  const mbd_body_spec_t * spec = &item->spec;
  mbd_body_t * body = &model->internal->builder->body[model->nbody];
  memset(body, 0, sizeof *body);
  body->name = spec->name;
  body->joint_name = spec->joint_name;
  body->parent = parent;
  body->link_frame = link;
  body->type = spec->type;
  body->nq = mbdi_joint_nq(spec->type, spec->user);
  body->nv = mbdi_joint_nv(spec->type, spec->user);
  body->q_index = model->nq;
  body->v_index = model->nv;
  body->d_index = model->nD;
  body->pitch = spec->type == MBD_JOINT_HELICAL ? spec->pitch : 0;
  body->X_tree = X_tree;
  body->limits = spec->limits;
  body->drive = spec->drive;
  body->mimic_body = -1;
  if (spec->user) body->user = *spec->user;
  model->nq += body->nq;
  model->nv += body->nv;
  model->nD += body->nv * body->nv;
  return model->nbody++;
}

// one item of the walk: where it is, and what it adds to the body it belongs to
static void
place_item(mbd_model_t * model, int i)
{
  struct mbdi_model_builder * b = model->internal->builder;
  const mbdi_item_t * item = &b->item[i];
  const mbd_body_spec_t * spec = &item->spec;
  mbd_frame_t * frame = &b->frame[i];

  // the joint's frame at rest, in the body frame of what carries it
  int body = MBD_WORLD_BODY;
  mbd_placement_t X = spec->placement;
  if (spec->parent >= 0) {
    body = b->frame[spec->parent].body;
    X = mbdu_placement_mul(&b->frame[spec->parent].X, &spec->placement);
  }
  if (spec->type != MBD_JOINT_FIXED) {
    const mbd_placement_t turn = mbdi_joint_turn(spec);
    body = start_body(model, item, i, body, mbdu_placement_mul(&X, &turn));
    X = mbdu_placement_inverse(&turn);
    if (item->moved) X = mbdu_placement_mul(&X, &item->link_in_joint);
  }
  frame->name = spec->name;
  frame->is_link = item->is_link;
  frame->body = body;
  frame->X = X;

  // merge the link's inertia, with the full rotation
  if (body < 0) {
    model->mass_fixed += spec->inertia.mass;
  } else {
    const mbd_inertia_t M = mbdu_inertia_to_parent(&X, &spec->inertia);
    b->body[body].inertia = mbdu_inertia_add(&b->body[body].inertia, &M);
    model->mass += spec->inertia.mass;
  }
}

static void
close_subtrees(mbd_model_t * model)
{
  mbd_body_t * body = model->internal->builder->body;
  for (int i = 0; i < model->nbody; i++) body[i].subtree_end = i + 1;
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int parent = body[i].parent;
    if (parent >= 0 && body[parent].subtree_end < body[i].subtree_end) {
      body[parent].subtree_end = body[i].subtree_end;
    }
    for (int k = 0; k < body[i].nv; k++)
      model->internal->builder->dof_body[body[i].v_index + k] = i;
  }
}

static void
find_branches(mbd_model_t * model)
{
  model->internal->branched = false;
  for (int i = 0; i < model->nbody; i++)
    model->internal->branched |= model->internal->builder->body[i].parent != i - 1;
}

static void
list_curved_joints(mbd_model_t * model)
{
  struct mbdi_model * internal = model->internal;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &internal->builder->body[i];
    const bool own = body->type == MBD_JOINT_USER && body->user.integrate;
    if (mbdi_joint_ops[body->type].curved || own)
      internal->builder->curved[internal->ncurved++] = i;
  }
  internal->curved = internal->builder->curved;
}

static mbd_status_t
resolve_mimics(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_mimic_t * mimic = &b->item[b->body[i].link_frame].spec.mimic;
    if (!mimic->joint) continue;
    model->error_name = b->body[i].joint_name;
    const int leader = mbdi_names_find(&b->joints, mimic->joint);
    if (leader < 0 || b->item[leader].spec.type == MBD_JOINT_FIXED) return MBD_ERROR_BAD_JOINT;
    const int body = b->frame[leader].body;
    if (body == i || b->body[body].nv != 1) return MBD_ERROR_BAD_JOINT;
    b->body[i].mimic_body = body;
    b->body[i].mimic_multiplier = mimic->multiplier;
    b->body[i].mimic_offset = mimic->offset;
    model->nmimic++;
  }
  model->error_name = NULL;
  return MBD_OK;
}

// no joint may follow itself by way of others
static mbd_status_t
check_mimic_cycles(mbd_model_t * model)
{
  const mbd_body_t * body = model->internal->builder->body;
  for (int i = 0; i < model->nbody; i++) {
    int leader = body[i].mimic_body;
    for (int steps = 0; leader >= 0; leader = body[leader].mimic_body) {
      if (++steps > model->nmimic) {
        model->error_name = body[i].joint_name;
        return MBD_ERROR_BAD_JOINT;
      }
    }
  }
  return MBD_OK;
}

static mbd_status_t
allocate_bodies(struct mbdi_model_builder * b, int nframe)
{
  const size_t n = (size_t)nframe + 1;
  b->body = calloc(n, sizeof *b->body);
  b->frame = calloc(n, sizeof *b->frame);
  b->dof_body = calloc(6 * n, sizeof *b->dof_body);
  b->curved = calloc(n, sizeof *b->curved);
  return b->body && b->frame && b->dof_body && b->curved ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
}

// a failed finalize leaves the model as it was
static void
forget_bodies(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  free(b->body);
  free(b->frame);
  free(b->dof_body);
  free(b->curved);
  b->curved = NULL;
  model->internal->curved = NULL;
  model->internal->ncurved = 0;
  b->body = NULL;
  b->frame = NULL;
  b->dof_body = NULL;
  mbdi_forget_closures(model);
  mbdi_forget_elements(model);
  mbdi_forget_bearings(model);
  model->nq = model->nv = model->nD = model->nbody = model->nmimic = 0;
  model->mass = model->mass_fixed = 0;
}

mbd_status_t
mbdi_model_build(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  model->error_name = NULL;

  order_t order;
  mbd_status_t status = make_order(b->item, model->nframe, &order);
  if (status == MBD_OK) status = allocate_bodies(b, model->nframe);
  if (status == MBD_OK) {
    for (int k = 0; k < model->nframe; k++) place_item(model, order.visit[k]);
    close_subtrees(model);
    list_curved_joints(model);
    find_branches(model);
    status = resolve_mimics(model);
    if (status == MBD_OK) status = check_mimic_cycles(model);
    if (status == MBD_OK) status = mbdi_resolve_closures(model);
    if (status == MBD_OK) status = mbdi_resolve_elements(model);
    if (status == MBD_OK) status = mbdi_resolve_bearings(model);
  }
  free_order(&order);
  if (status != MBD_OK) {
    forget_bodies(model);
    return status;
  }
  model->body = b->body;
  model->frame = b->frame;
  model->dof_body = b->dof_body;
  return MBD_OK;
}

void
mbdi_model_unbuild(mbd_model_t * model)
{
  model->body = NULL, model->frame = NULL, model->dof_body = NULL;
  forget_bodies(model);
}
