// Re-rooting: reverses the joints between the new base and the former one.
//
// A link l on a joint with placement T in its parent p, axes turned by B, and its frame at O in the
// frame that the joint moves:      l in p = T (B J(q) B^-1) O
// From the other side:             p in l = O^-1 (B J(q) B^-1)^-1 T^-1
// so that p gets a joint with placement O^-1 and its frame at T^-1, and (B J B^-1)^-1 is a joint of
// the same type about the opposite axis, or of the same kind in the opposite coordinates.
#include "mbdyn/operators/reroot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint_reversed.h"
#include "model/model_internal.h"
#include "operators/reroot_internal.h"
#include "state/state.h"

//---------- one joint ----------

// joint of an item
typedef struct joint_part {
  mbd_body_spec_t spec;  // name and inertia do not count
  bool moved;
  mbd_placement_t link_in_joint;
  struct mbdi_reversed_joint * reversed;
} joint_part_t;

static joint_part_t
joint_of(const mbdi_item_t * item)
{
  joint_part_t part = {item->spec, item->moved, item->link_in_joint, item->reversed};
  if (!part.moved) part.link_in_joint = mbdu_placement_identity();
  return part;
}

static void
give_joint(mbdi_item_t * item, const joint_part_t * part)
{
  const char * name = item->spec.name;
  const mbd_inertia_t inertia = item->spec.inertia;
  item->spec = part->spec;
  item->spec.name = name;
  item->spec.inertia = inertia;
  item->moved = part->moved;
  item->link_in_joint = part->link_in_joint;
  item->reversed = part->reversed;
}

static bool
has_drive(const mbd_drive_t * drive)
{
  return drive->viscous != 0 || drive->coulomb != 0 ||
         drive->rotor_inertia * drive->gear_ratio != 0;
}

// x about -y, then y about -x: swaps the axes of a universal joint, and is its own inverse
static const mbd_placement_t swap = {{{0, -1, 0, -1, 0, 0, 0, 0, -1}}, {0, 0, 0}};

// a joint that keeps its coordinates as a user joint; *Z takes its turn, as user joints have no axis
static mbd_status_t
wrap(joint_part_t * part, mbd_placement_t * Z)
{
  mbdi_reversed_joint_t * ctx = malloc(sizeof *ctx);
  mbd_user_joint_t * user = malloc(sizeof *user);
  if (!ctx || !user) {
    free(ctx);
    free(user);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  *Z = mbdi_joint_turn(&part->spec);
  *ctx = mbdi_reversed_joint(&part->spec);
  *user = mbdi_reversed_user_joint(ctx);
  free((void *)part->spec.user);
  part->spec.user = user;
  part->spec.type = MBD_JOINT_USER;
  part->reversed = ctx;
  return MBD_OK;
}

// the joint that a reversed one was
static mbd_placement_t
unwrap(joint_part_t * part)
{
  mbd_user_joint_t * user = (mbd_user_joint_t *)part->spec.user;
  part->spec.type = part->reversed->body.type;
  part->spec.axis = part->reversed->axis;
  if (part->spec.type == MBD_JOINT_USER) {
    *user = part->reversed->body.user;
  } else {
    free(user);
    part->spec.user = NULL;
  }
  free(part->reversed);
  part->reversed = NULL;
  const mbd_placement_t turn = mbdi_joint_turn(&part->spec);
  return mbdu_placement_inverse(&turn);
}

// the joint from the other side, but for its places; *Z: see reverse
static mbd_status_t
turn_round(joint_part_t * part, mbd_placement_t * Z)
{
  mbd_body_spec_t * spec = &part->spec;
  *Z = mbdu_placement_identity();
  switch (spec->type) {
    case MBD_JOINT_FIXED: return MBD_OK;
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_PRISMATIC:
    case MBD_JOINT_HELICAL:
    case MBD_JOINT_CYLINDRICAL: spec->axis = mbdu_vec3_neg(spec->axis); return MBD_OK;
    case MBD_JOINT_UNIVERSAL: *Z = swap; return MBD_OK;
    case MBD_JOINT_SPHERICAL:
    case MBD_JOINT_PLANAR:
    case MBD_JOINT_FREE:
      if (has_drive(&spec->drive)) return wrap(part, Z);
      spec->limits.lower = -HUGE_VAL, spec->limits.upper = HUGE_VAL;
      return MBD_OK;
    default: break;
  }
  if (!part->reversed) return wrap(part, Z);
  *Z = unwrap(part);
  return MBD_OK;
}

// the joint that carries the former parent, from the one with placement T in it: O^-1 Z and Z^-1 T^-1
static mbd_status_t
reverse(joint_part_t * part, const mbd_placement_t * T)
{
  mbd_placement_t Z;
  CHECK(turn_round(part, &Z));
  const mbd_placement_t O_inv = mbdu_placement_inverse(&part->link_in_joint);
  const mbd_placement_t Z_inv = mbdu_placement_inverse(&Z);
  const mbd_placement_t T_inv = mbdu_placement_inverse(T);
  if (part->spec.type == MBD_JOINT_FIXED) {
    part->spec.placement = T_inv;
    return MBD_OK;
  }
  part->spec.placement = mbdu_placement_mul(&O_inv, &Z);
  part->link_in_joint = mbdu_placement_mul(&Z_inv, &T_inv);
  part->moved = true;
  return MBD_OK;
}

//---------- the path ----------

// link that carries a link, frames in between left out, and the placement of its joint in it
static int
parent_link(const mbdi_item_t * item, int link, mbd_placement_t * T)
{
  *T = item[link].spec.placement;
  int p = item[link].spec.parent;
  for (; p >= 0 && !item[p].is_link; p = item[p].spec.parent) {
    *T = mbdu_placement_mul(&item[p].spec.placement, T);
  }
  return p;
}

// from the new base inwards, each link gets the joint of the one before; the first one that of the last
static mbd_status_t
reverse_path(mbdi_item_t * item, int link, int root)
{
  joint_part_t carried = joint_of(&item[link]);
  mbd_placement_t T;
  int p = parent_link(item, link, &T), below = link;
  mbd_status_t status = MBD_OK;
  while (below != root) {
    const joint_part_t next = joint_of(&item[p]);
    mbd_placement_t T_next;
    const int p_next = parent_link(item, p, &T_next);
    // after an error joints still have to change places: each has one owner
    const mbd_status_t reversed = reverse(&carried, &T);
    if (reversed != MBD_OK) status = reversed;
    carried.spec.parent = below;
    give_joint(&item[p], &carried);
    carried = next, T = T_next, below = p, p = p_next;
  }
  give_joint(&item[link], &carried);
  return status;
}

// joint names are found under the links that they carry
static mbd_status_t
rename_joints(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  mbdi_names_free(&b->joints);
  memset(&b->joints, 0, sizeof b->joints);
  for (int i = 0; i < model->nframe; i++) {
    if (!b->item[i].is_link) continue;
    if (!mbdi_names_add(&b->joints, b->item[i].spec.joint_name, i)) return MBD_ERROR_OUT_OF_MEMORY;
  }
  return MBD_OK;
}

static mbd_status_t
build(const mbd_model_t * from, int link, int root, mbd_model_t * to)
{
  CHECK(mbdi_copy_items(from, to));
  CHECK(reverse_path(to->internal->builder->item, link, root));
  CHECK(rename_joints(to));
  return mbd_model_finalize(to);
}

//---------- there and back ----------

static mbd_status_t
make_path(const mbd_model_t * from, const mbd_model_t * to, int link, mbdi_reroot_path_t * path)
{
  path->from = from;
  path->to = to;
  path->X_base = from->frame[link].X;
  path->base = to->frame[link].body;
  int i = from->frame[link].body;
  for (; from->body[i].parent >= 0; i = from->body[i].parent) path->n++;
  path->root = i;
  path->body = calloc((size_t)path->n + 1, sizeof *path->body);
  path->joint = calloc((size_t)from->nbody + 1, sizeof *path->joint);
  if (!path->body || !path->joint) return MBD_ERROR_OUT_OF_MEMORY;
  i = from->frame[link].body;
  for (int k = path->n - 1; k >= 0; k--, i = from->body[i].parent) path->body[k] = i;
  for (i = 0; i < from->nbody; i++) {
    CHECK(mbd_find_joint(to, from->body[i].joint_name, &path->joint[i]));
  }
  return MBD_OK;
}

// the link's tree has a free root joint without a drive; *root is its child link
static mbd_status_t
check_base(mbd_model_t * model, int frame, int * link, int * root)
{
  if (frame < 0 || frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  int l = frame;
  const mbdi_item_t * item = model->internal->builder->item;
  while (l >= 0 && !item[l].is_link) l = item[l].spec.parent;
  if (l < 0) return MBD_ERROR_BAD_ARGUMENT;
  int body = model->frame[l].body;
  if (body < 0) {
    mbdi_model_blame(model, item[l].spec.joint_name);
    return MBD_ERROR_BAD_JOINT;
  }
  while (model->body[body].parent >= 0) body = model->body[body].parent;
  const mbd_body_t * base = &model->body[body];
  *link = l;
  *root = base->link_frame;
  if (base->type == MBD_JOINT_FREE && !has_drive(&base->drive)) return MBD_OK;
  mbdi_model_blame(model, base->joint_name);
  return MBD_ERROR_BAD_JOINT;
}

static mbd_status_t
make(mbd_model_t * model, int link, int root, mbd_reroot_t * r)
{
  r->from = model;
  r->path = calloc(2, sizeof *r->path);
  if (!r->path) return MBD_ERROR_OUT_OF_MEMORY;
  CHECK(mbd_model_create(model->name, &r->model));
  CHECK(build(model, link, root, r->model));
  CHECK(make_path(model, r->model, link, &r->path[MBD_REROOT_TO_NEW]));
  CHECK(make_path(r->model, model, root, &r->path[MBD_REROOT_TO_ORIGINAL]));
  r->base = r->path[MBD_REROOT_TO_NEW].base;
  r->nreversed = r->path[MBD_REROOT_TO_NEW].n;
  r->joint = r->path[MBD_REROOT_TO_NEW].joint;
  return MBD_OK;
}

mbd_status_t
mbd_reroot_create(mbd_model_t * model, int frame, mbd_reroot_t ** reroot)
{
  if (!model || !reroot) return MBD_ERROR_NULL_ARGUMENT;
  *reroot = NULL;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  int link, root;
  model->error_name = NULL;
  CHECK(check_base(model, frame, &link, &root));
  mbd_reroot_t * r = calloc(1, sizeof *r);
  if (!r) return MBD_ERROR_OUT_OF_MEMORY;
  const mbd_status_t status = make(model, link, root, r);
  if (status != MBD_OK) {
    mbd_reroot_destroy(r);
    return status;
  }
  *reroot = r;
  return MBD_OK;
}

void
mbd_reroot_destroy(mbd_reroot_t * reroot)
{
  if (!reroot) return;
  mbd_model_destroy(reroot->model);
  for (int direction = 0; reroot->path && direction < 2; direction++) {
    free(reroot->path[direction].body);
    free(reroot->path[direction].joint);
  }
  free(reroot->path);
  free(reroot);
}
