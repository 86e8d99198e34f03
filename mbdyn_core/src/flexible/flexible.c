// A model with flexible links: which body or node carries what.
//
// For articulated bodies a body with its joint is a node of six velocities, and a flexible link is a
// node of its own that hangs on it (or on the world, or on another one) without a hinge but its modes:
// a body all of which is flexible is left without inertia, and the modes are eliminated first and the
// hinge after them, which is the two-stage algorithm of (13.7).
#include "mbdyn/flexible/flexible_links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"

//---------- seats ----------

// where something sits: on a unit, and there on a node of its modal body
typedef struct seat {
  int unit;           // or -1: the world
  int node;           // of a flexible link, or -1: the frame of the unit
  mbd_placement_t X;  // the thing at rest in the frame of its seat
} seat_t;

typedef struct maker {
  const mbd_model_t * model;  // the rigid one
  mbd_model_t * made;
  mbd_flexible_t * flexible;
  const mbd_flexible_link_t * link;
  int * part_of_frame;  // or -1                                                    [nframe]
  int * unit_of_body;   //                                                          [nbody]
  int * unit_of_part;   //                                                          [npart]
  seat_t * unit_seat;   //                                                          [nunit]
  seat_t * frame_seat;  //                                                          [nframe]
} maker_t;

static const mbd_body_spec_t *
spec_of(const maker_t * m, int frame)
{
  return &m->model->internal->builder->item[frame].spec;
}

// the node that a frame directly on a flexible link goes with: as was said, or the nearest; -1 is the
// link frame itself
static int
node_for(const maker_t * m, int part, int frame)
{
  const mbd_flexible_link_t * link = &m->link[part];
  for (int k = 0; k < link->nattachment; k++) {
    if (link->attachment[k].frame == frame) return link->attachment[k].node;
  }
  const mbd_vec3_t p = spec_of(m, frame)->placement.p;
  double best = mbdu_vec3_norm(p);
  int node = -1;
  for (int k = 0; k < link->body->nnode; k++) {
    const double distance = mbdu_vec3_norm(mbdu_vec3_sub(link->body->position[k], p));
    if (distance < best) best = distance, node = k;
  }
  return node;
}

// a flexible link's node at rest, in the body frame of its body
static mbd_placement_t
node_at_rest(const maker_t * m, int part, int node)
{
  const mbd_flexible_link_t * link = &m->link[part];
  mbd_placement_t X = mbdu_placement_identity();
  if (node >= 0) X.p = link->body->position[node];
  return mbdu_placement_mul(&m->model->frame[link->frame].X, &X);
}

// the unit and node that carry a frame, found through fixed joints; X is left to the caller
static seat_t
seat_of(const maker_t * m, int frame)
{
  seat_t seat = {-1, -1, mbdu_placement_identity()};
  for (int up = spec_of(m, frame)->parent; up >= 0; frame = up, up = spec_of(m, up)->parent) {
    const int part = m->part_of_frame[up];
    if (part >= 0) {
      seat.unit = m->unit_of_part[part];
      seat.node = node_for(m, part, frame);
      return seat;
    }
    const int body = m->model->frame[up].body;
    if (body >= 0 && m->model->body[body].link_frame == up) {
      seat.unit = m->unit_of_body[body];
      return seat;
    }
  }
  return seat;
}

// from the body frame of what carries a seat to the frame of the seat, both at rest
static mbd_placement_t
to_seat(const maker_t * m, const seat_t * seat)
{
  const int part = seat->unit >= 0 ? m->flexible->layout->unit[seat->unit].part : -1;
  if (part < 0) return mbdu_placement_identity();
  const mbd_placement_t X = node_at_rest(m, part, seat->node);
  return mbdu_placement_inverse(&X);
}

//---------- units ----------

static int
is_link_of_joint(const mbd_model_t * model, int frame)
{
  const int body = model->frame[frame].body;
  return body >= 0 && model->body[body].link_frame == frame;
}

static int
add_unit(struct mbdi_flexible_layout * layout, int body, int part)
{
  mbdi_flexible_unit_t * unit = &layout->unit[layout->nunit];
  unit->body = body, unit->part = part;
  return layout->nunit++;
}

// how many fixed joints are between a link and the link that its body's joint carries
static int
depth_in_body(const maker_t * m, int frame)
{
  int depth = 0;
  while (frame >= 0 && !is_link_of_joint(m->model, frame)) {
    frame = spec_of(m, frame)->parent;
    depth++;
  }
  return depth;
}

// flexible links of a body (or of the world), those that carry others first
static void
add_parts_of(maker_t * m, int body)
{
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  for (int depth = 0; depth <= m->model->nframe; depth++) {
    bool further = false;
    for (int p = 0; p < m->flexible->npart; p++) {
      const int frame = m->link[p].frame;
      if (m->model->frame[frame].body != body) continue;
      const int own = depth_in_body(m, frame);
      further = further || own > depth;
      if (own == depth) m->unit_of_part[p] = add_unit(layout, -1, p);
    }
    if (!further) return;
  }
}

static void
seat_units(maker_t * m)
{
  const struct mbdi_flexible_layout * layout = m->flexible->layout;
  const mbd_model_t * model = m->model;
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    seat_t * seat = &m->unit_seat[k];
    if (unit->body >= 0) {
      *seat = seat_of(m, model->body[unit->body].link_frame);
      seat->X = to_seat(m, seat);
      continue;
    }
    const int frame = m->link[unit->part].frame;
    if (is_link_of_joint(model, frame)) {
      const int carrying = m->unit_of_body[model->frame[frame].body];
      *seat = (seat_t){carrying, -1, model->frame[frame].X};
    } else {
      *seat = seat_of(m, frame);
      const mbd_placement_t X = to_seat(m, seat);
      seat->X = mbdu_placement_mul(&X, &model->frame[frame].X);
    }
  }
}

static void
seat_frames(maker_t * m)
{
  const mbd_model_t * model = m->model;
  for (int f = 0; f < model->nframe; f++) {
    seat_t * seat = &m->frame_seat[f];
    if (m->part_of_frame[f] >= 0) {
      const int unit = m->unit_of_part[m->part_of_frame[f]];
      *seat = (seat_t){unit, -1, mbdu_placement_identity()};
    } else if (is_link_of_joint(model, f)) {
      const int unit = m->unit_of_body[model->frame[f].body];
      *seat = (seat_t){unit, -1, model->frame[f].X};
    } else {
      *seat = seat_of(m, f);
      const mbd_placement_t X = to_seat(m, seat);
      seat->X = mbdu_placement_mul(&X, &model->frame[f].X);
    }
  }
}

static void
shape_units(maker_t * m)
{
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    const seat_t * seat = &m->unit_seat[k];
    const int modes = unit->part >= 0 ? m->flexible->part[unit->part].body->nmode : 0;
    mbd_sko_shape_t * shape = &layout->shape[k];
    shape->parent = seat->unit;
    shape->n = 6 + modes;
    shape->r = unit->part >= 0 ? modes : m->model->body[unit->body].nv;
    // what sits on a node pushes on the modes, too
    const int below = shape->parent >= 0 ? layout->shape[shape->parent].n : 6;
    shape->slot = seat->node >= 0 ? 0 : below - 6;
    shape->rows = below - shape->slot;
  }
}

//---------- bodies, nodes and frames ----------

// place in the arrays of bodies and nodes
static int
place_of(const maker_t * m, const seat_t * seat)
{
  if (seat->unit < 0) return -1;
  const mbdi_flexible_unit_t * unit = &m->flexible->layout->unit[seat->unit];
  return unit->part < 0 ? unit->body : m->flexible->layout->link_frame[unit->part] + 1 + seat->node;
}

static void
add_carriers(maker_t * m, int k)
{
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  mbdi_flexible_unit_t * unit = &layout->unit[k];
  unit->up = place_of(m, &m->unit_seat[k]);
  mbdi_carrier_t * c = &layout->carrier[layout->ncarrier];
  if (unit->part < 0) {
    const mbd_body_t * body = &m->model->body[unit->body];
    *c = (mbdi_carrier_t){unit->body, unit->up, -1, -1, m->unit_seat[k].X, body->v_index, body->nv};
    layout->ncarrier++;
    layout->ncolumn += (size_t)body->nv;
    return;
  }
  const mbd_flexible_part_t * part = &m->flexible->part[unit->part];
  const int first = layout->link_frame[unit->part], n = part->body->nmode;
  *c = (mbdi_carrier_t){first, unit->up, unit->part, -1, m->unit_seat[k].X, part->v_index, 0};
  for (int s = 0; s < part->body->nnode; s++) {
    c[s + 1] = (mbdi_carrier_t){first + 1 + s, first, unit->part, s, mbdu_placement_identity(),
                                part->v_index, n};
  }
  layout->ncarrier += 1 + part->body->nnode;
  layout->ncolumn += (size_t)(1 + part->body->nnode) * (size_t)n;
}

// a node is a body without joint, on the body that carried the rigid link
static void
describe_nodes(maker_t * m, int p)
{
  const mbd_model_t * model = m->model;
  const mbd_flexible_part_t * part = &m->flexible->part[p];
  mbd_body_t * body = &m->flexible->layout->body[m->flexible->layout->link_frame[p]];
  const mbd_body_spec_t plain = mbd_body_spec_default();
  for (int s = -1; s < part->body->nnode; s++, body++) {
    memset(body, 0, sizeof *body);
    body->name = model->frame[part->frame].name;
    body->joint_name = spec_of(m, part->frame)->joint_name;
    body->parent = model->frame[part->frame].body;
    body->subtree_end = (int)(body - m->flexible->layout->body) + 1;
    body->link_frame = part->frame;
    body->type = MBD_JOINT_FIXED;
    body->q_index = part->q_index, body->v_index = part->v_index, body->d_index = model->nD;
    body->X_tree = node_at_rest(m, p, s);
    if (s >= 0) body->inertia = part->body->inertia[s];
    body->limits = plain.limits;
    body->drive = plain.drive;
    body->mimic_body = -1;
  }
}

// frames on what carries them, and there the inertias of links that are rigid
static void
put_frames(maker_t * m)
{
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  for (int f = 0; f < m->model->nframe; f++) {
    mbd_frame_t * frame = &layout->frame[f];
    *frame = m->model->frame[f];
    const int body = place_of(m, &m->frame_seat[f]);
    if (body >= 0) frame->body = body, frame->X = m->frame_seat[f].X;
    if (m->part_of_frame[f] >= 0) continue;
    const mbd_inertia_t * inertia = &spec_of(m, f)->inertia;
    if (body < 0) {
      m->made->mass_fixed += inertia->mass;
      continue;
    }
    const mbd_inertia_t M = mbdu_inertia_to_parent(&frame->X, inertia);
    layout->body[body].inertia = mbdu_inertia_add(&layout->body[body].inertia, &M);
  }
}

// closures between frames as they were added, whose ends may be on nodes
static void
put_closures(maker_t * m)
{
  const struct mbdi_model_builder * b = m->model->internal->builder;
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  for (int k = 0; k < m->model->nclosure; k++) {
    mbd_closure_t * c = &layout->closure[k];
    *c = m->model->closure[k];
    if (k >= b->nloop || c->type == MBD_CLOSURE_COUPLING) continue;
    const mbd_closure_spec_t * spec = &b->loop[k];
    const int frame[2] = {spec->frame_a, spec->frame_b};
    int * const body[2] = {&c->body_a, &c->body_b};
    mbd_placement_t * const X[2] = {&c->X_a, &c->X_b};
    for (int side = 0; side < 2; side++) {
      if (frame[side] < 0) continue;
      const mbd_placement_t * in = side ? &spec->X_b : &spec->X_a;
      *body[side] = layout->frame[frame[side]].body;
      *X[side] = mbdu_placement_mul(&layout->frame[frame[side]].X, in);
    }
    c->common = MBD_WORLD_BODY;
  }
}

static void
describe(maker_t * m)
{
  const mbd_model_t * model = m->model;
  mbd_flexible_t * flexible = m->flexible;
  struct mbdi_flexible_layout * layout = flexible->layout;
  mbd_model_t * made = m->made;
  struct mbdi_model * internal = made->internal;
  *made = *model;
  made->internal = internal;
  made->nq += flexible->nmode;
  made->nv += flexible->nmode;
  made->nnode = 0;
  made->mass = made->mass_fixed = 0;
  memcpy(layout->body, model->body, (size_t)model->nbody * sizeof *layout->body);
  memcpy(layout->dof_body, model->dof_body, (size_t)model->nv * sizeof *layout->dof_body);
  for (int i = 0; i < model->nbody; i++) memset(&layout->body[i].inertia, 0, sizeof(mbd_inertia_t));
  for (int p = 0; p < flexible->npart; p++) {
    const mbd_flexible_part_t * part = &flexible->part[p];
    describe_nodes(m, p);
    made->nnode += 1 + part->body->nnode;
    for (int k = 0; k < part->body->nmode; k++) {
      layout->dof_body[part->v_index + k] = layout->link_frame[p];
    }
  }
  put_frames(m);
  put_closures(m);
  for (int i = 0; i < made->nbody + made->nnode; i++) made->mass += layout->body[i].inertia.mass;
  made->body = layout->body, made->frame = layout->frame, made->dof_body = layout->dof_body;
  made->closure = layout->closure;
  made->error_name = NULL;
  made->internal->engine = &mbdi_flexible_engine;
  made->flexible = flexible;
}

static void
lay_out_model(maker_t * m)
{
  struct mbdi_flexible_layout * layout = m->flexible->layout;
  add_parts_of(m, MBD_WORLD_BODY);
  for (int i = 0; i < m->model->nbody; i++) {
    m->unit_of_body[i] = add_unit(layout, i, -1);
    add_parts_of(m, i);
  }
  seat_units(m);
  seat_frames(m);
  shape_units(m);
  for (int k = 0; k < layout->nunit; k++) add_carriers(m, k);
  for (int k = 0; k < layout->ncarrier; k++) layout->carrier_of[layout->carrier[k].body] = k;
  describe(m);
}

//---------- memory ----------

static mbd_status_t
allocate(maker_t * m, int npart)
{
  const mbd_model_t * model = m->model;
  const size_t parts = (size_t)npart + 1, bodies = (size_t)model->nbody;
  const size_t units = bodies + parts, frames = (size_t)model->nframe + 1;
  size_t nodes = 1, modes = 1;
  for (int p = 0; p < npart; p++) {
    if (!m->link[p].body) continue;  // refused later
    nodes += (size_t)m->link[p].body->nnode + 1;
    modes += (size_t)m->link[p].body->nmode;
  }
  struct mbdi_flexible_layout * layout = calloc(1, sizeof *layout);
  m->flexible->layout = layout;
  m->flexible->part = calloc(parts, sizeof *m->flexible->part);
  m->part_of_frame = calloc(frames, sizeof(int));
  m->unit_of_body = calloc(bodies + 1, sizeof(int));
  m->unit_of_part = calloc(parts, sizeof(int));
  m->unit_seat = calloc(units, sizeof *m->unit_seat);
  m->frame_seat = calloc(frames, sizeof *m->frame_seat);
  const bool own = layout && m->flexible->part && m->part_of_frame && m->unit_of_body &&
                   m->unit_of_part && m->unit_seat && m->frame_seat;
  if (!own) return MBD_ERROR_OUT_OF_MEMORY;
  layout->unit = calloc(units, sizeof *layout->unit);
  layout->shape = calloc(units, sizeof *layout->shape);
  layout->carrier = calloc(bodies + nodes, sizeof *layout->carrier);
  layout->carrier_of = calloc(bodies + nodes, sizeof(int));
  layout->link_frame = calloc(parts, sizeof(int));
  layout->body = calloc(bodies + nodes, sizeof *layout->body);
  layout->frame = calloc(frames, sizeof *layout->frame);
  layout->dof_body = calloc((size_t)model->nv + modes, sizeof(int));
  layout->closure = calloc((size_t)model->nclosure + 1, sizeof *layout->closure);
  const bool enough = layout->unit && layout->shape && layout->carrier && layout->carrier_of &&
                      layout->link_frame && layout->body && layout->frame && layout->dof_body &&
                      layout->closure;
  return enough ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
}

static void
destroy(mbd_flexible_t * flexible)
{
  if (!flexible) return;
  struct mbdi_flexible_layout * layout = flexible->layout;
  for (int p = 0; flexible->part && p < flexible->npart; p++) {
    mbd_modal_body_destroy(flexible->part[p].body);
    free(flexible->part[p].extra_mass);
  }
  if (layout) {
    free(layout->unit), free(layout->shape), free(layout->carrier), free(layout->carrier_of),
      free(layout->link_frame);
    free(layout->body), free(layout->frame), free(layout->dof_body), free(layout->closure);
  }
  free(layout);
  free(flexible->part);
  free(flexible);
}

void
mbdi_flexible_destroy(mbd_model_t * model)
{
  destroy((mbd_flexible_t *)(uintptr_t)model->flexible);
  free(model);
}

//---------- links ----------

// said attachments are of frames directly on the link
static mbd_status_t
check_attachments(const mbd_model_t * model, const mbd_flexible_link_t * link)
{
  if (link->nattachment < 0 || (link->nattachment > 0 && !link->attachment)) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  for (int k = 0; k < link->nattachment; k++) {
    const mbd_flexible_attachment_t * a = &link->attachment[k];
    if (a->frame < 0 || a->frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
    if (a->node < -1 || a->node >= link->body->nnode) return MBD_ERROR_BAD_ARGUMENT;
    if (model->internal->builder->item[a->frame].spec.parent != link->frame)
      return MBD_ERROR_BAD_ARGUMENT;
  }
  return MBD_OK;
}

static mbd_status_t
take_link(
  mbd_flexible_t * flexible, const mbd_flexible_link_t * link, int * part_of_frame, int * place)
{
  const mbd_model_t * model = flexible->rigid;
  if (!link->body) return MBD_ERROR_NULL_ARGUMENT;
  if (link->frame < 0 || link->frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  if (!model->frame[link->frame].is_link || part_of_frame[link->frame] >= 0) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  CHECK(check_attachments(model, link));
  CHECK(mbd_modal_body_check(link->body, NULL, NULL));
  mbd_flexible_part_t * part = &flexible->part[flexible->npart++];
  const int m = link->body->nmode;
  part_of_frame[link->frame] = flexible->npart - 1;
  part->frame = link->frame;
  part->q_index = model->nq + flexible->nmode;
  part->v_index = model->nv + flexible->nmode;
  part->extra_mass = calloc((size_t)(m * m), sizeof(double));
  if (!part->extra_mass) return MBD_ERROR_OUT_OF_MEMORY;
  CHECK(mbdi_modal_body_copy(link->body, &part->body));
  if (link->body->has_mass) {
    mbdi_modal_node_mass(link->body, false, part->extra_mass);
    for (int k = 0; k < m * m; k++) part->extra_mass[k] = link->body->mass[k] - part->extra_mass[k];
  }
  flexible->nmode += m;
  flexible->layout->link_frame[flexible->npart - 1] = *place;
  *place += 1 + link->body->nnode;
  return MBD_OK;
}

static mbd_status_t
make(maker_t * m, int nlink, int * fault)
{
  CHECK(allocate(m, nlink));
  for (int f = 0; f < m->model->nframe; f++) m->part_of_frame[f] = -1;
  int place = m->model->nbody;
  for (int p = 0; p < nlink; p++) {
    const mbd_status_t status = take_link(m->flexible, &m->link[p], m->part_of_frame, &place);
    if (status != MBD_OK && fault) *fault = p;
    if (status != MBD_OK) return status;
  }
  lay_out_model(m);
  return MBD_OK;
}

mbd_status_t
mbd_model_with_flexible_links(
  const mbd_model_t * rigid, int nlink, const mbd_flexible_link_t * link, mbd_model_t ** model,
  int * fault)
{
  if (fault) *fault = -1;
  if (!rigid || !model || (nlink > 0 && !link)) return MBD_ERROR_NULL_ARGUMENT;
  if (nlink < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!rigid->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!rigid->internal->engine->rigid_tree || rigid->nelement > 0) return MBD_ERROR_UNSUPPORTED;
  if (rigid->nmimic > 0 && !rigid->mimic_independent) return MBD_ERROR_MIMIC;
  maker_t m = {.model = rigid, .link = link};
  m.flexible = calloc(1, sizeof *m.flexible);
  m.made = mbdi_model_alloc();
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (m.flexible && m.made) {
    m.flexible->rigid = rigid;
    status = make(&m, nlink, fault);
  }
  free(m.part_of_frame), free(m.unit_of_body), free(m.unit_of_part);
  free(m.unit_seat), free(m.frame_seat);
  if (status == MBD_OK) {
    *model = m.made;
    return MBD_OK;
  }
  destroy(m.flexible);
  free(m.made);
  return status;
}
