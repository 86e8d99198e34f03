// A robot with links that bend: which node of the engine everything belongs to.
//
// A body with its joint is a node of six velocities. A bending link is a node of its own that hangs
// on it (or on the world, or on another one) without a hinge but its modes: a body all of which
// bends is left without inertia, and articulated bodies eliminate the modes first and the hinge
// after them, which is the two-stage algorithm of (13.7).
#include "mbdyn/flexible.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flexible/flexible_internal.h"
#include "mbdyn/integrate.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"

//---------- seats ----------

typedef struct maker {
  const mbd_model_t * model;
  mbd_flexible_t * flexible;
  const mbd_flexible_link_t * link;
  int * part_of_frame;  // or -1                                                    [nframe]
} maker_t;

static const mbd_body_spec_t *
spec_of(const maker_t * m, int frame)
{
  return &m->model->builder->item[frame].spec;
}

// the node that a frame directly on a bending link goes with: as was said, or the nearest; -1 is the
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

// a bending link's node at rest, in the body frame of its body
static mbd_placement_t
node_at_rest(const maker_t * m, int part, int node)
{
  const mbd_flexible_link_t * link = &m->link[part];
  mbd_placement_t X = mbdu_placement_identity();
  if (node >= 0) X.p = link->body->position[node];
  return mbdu_placement_mul(&m->model->frame[link->frame].X, &X);
}

// the unit and node that carry a frame, found through fixed joints; X is left to the caller
static mbdi_flexible_seat_t
seat_of(const maker_t * m, int frame)
{
  const struct mbd_flexible_layout * layout = m->flexible->layout;
  mbdi_flexible_seat_t seat = {-1, -1, mbdu_placement_identity()};
  for (int up = spec_of(m, frame)->parent; up >= 0; frame = up, up = spec_of(m, up)->parent) {
    const int part = m->part_of_frame[up];
    if (part >= 0) {
      seat.unit = layout->unit_of_part[part];
      seat.node = node_for(m, part, frame);
      return seat;
    }
    const int body = m->model->frame[up].body;
    if (body >= 0 && m->model->body[body].link_frame == up) {
      seat.unit = layout->unit_of_body[body];
      return seat;
    }
  }
  return seat;
}

// from the body frame of what carries a seat to the frame of the seat, both at rest
static mbd_placement_t
to_seat(const maker_t * m, const mbdi_flexible_seat_t * seat)
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
add_unit(struct mbd_flexible_layout * layout, int body, int part)
{
  mbdi_flexible_unit_t * unit = &layout->unit[layout->nunit];
  memset(unit, 0, sizeof *unit);
  unit->body = body, unit->part = part;
  unit->seat = (mbdi_flexible_seat_t){-1, -1, mbdu_placement_identity()};
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

// bending links of a body (or of the world), those that carry others first
static void
add_parts_of(maker_t * m, int body)
{
  struct mbd_flexible_layout * layout = m->flexible->layout;
  for (int depth = 0; depth <= m->model->nframe; depth++) {
    bool further = false;
    for (int p = 0; p < m->flexible->npart; p++) {
      const int frame = m->link[p].frame;
      if (m->model->frame[frame].body != body) continue;
      const int own = depth_in_body(m, frame);
      further = further || own > depth;
      if (own == depth) layout->unit_of_part[p] = add_unit(layout, -1, p);
    }
    if (!further) return;
  }
}

static void
seat_units(maker_t * m)
{
  struct mbd_flexible_layout * layout = m->flexible->layout;
  const mbd_model_t * model = m->model;
  for (int k = 0; k < layout->nunit; k++) {
    mbdi_flexible_unit_t * unit = &layout->unit[k];
    if (unit->body >= 0) {
      unit->seat = seat_of(m, model->body[unit->body].link_frame);
      unit->seat.X = to_seat(m, &unit->seat);
      continue;
    }
    const int frame = m->link[unit->part].frame;
    if (is_link_of_joint(model, frame)) {
      unit->seat.unit = layout->unit_of_body[model->frame[frame].body];
      unit->seat.X = model->frame[frame].X;
    } else {
      unit->seat = seat_of(m, frame);
      const mbd_placement_t X = to_seat(m, &unit->seat);
      unit->seat.X = mbdu_placement_mul(&X, &model->frame[frame].X);
    }
  }
}

// frames, and the inertias of links that do not bend
static void
seat_frames(maker_t * m)
{
  struct mbd_flexible_layout * layout = m->flexible->layout;
  const mbd_model_t * model = m->model;
  for (int f = 0; f < model->nframe; f++) {
    mbdi_flexible_seat_t * seat = &layout->frame[f];
    const mbd_inertia_t * inertia = &spec_of(m, f)->inertia;
    if (m->part_of_frame[f] >= 0) {
      const int unit = layout->unit_of_part[m->part_of_frame[f]];
      *seat = (mbdi_flexible_seat_t){unit, -1, mbdu_placement_identity()};
      continue;
    }
    if (is_link_of_joint(model, f)) {
      const int unit = layout->unit_of_body[model->frame[f].body];
      *seat = (mbdi_flexible_seat_t){unit, -1, model->frame[f].X};
    } else {
      *seat = seat_of(m, f);
      const mbd_placement_t X = to_seat(m, seat);
      seat->X = mbdu_placement_mul(&X, &model->frame[f].X);
    }
    if (seat->unit < 0) continue;
    mbdi_flexible_unit_t * unit = &layout->unit[seat->unit];
    const mbd_inertia_t M = mbdu_inertia_to_parent(&seat->X, inertia);
    if (unit->part < 0) {
      unit->inertia = mbdu_inertia_add(&unit->inertia, &M);
    } else if (seat->node < 0) {
      mbd_inertia_t * at = &layout->link_frame[unit->part];
      *at = mbdu_inertia_add(at, &M);
    } else {
      mbd_inertia_t * at = &m->flexible->part[unit->part].body->inertia[seat->node];
      *at = mbdu_inertia_add(at, &M);
    }
  }
}

static void
shape_units(maker_t * m)
{
  struct mbd_flexible_layout * layout = m->flexible->layout;
  for (int k = 0; k < layout->nunit; k++) {
    const mbdi_flexible_unit_t * unit = &layout->unit[k];
    const int modes = unit->part >= 0 ? m->flexible->part[unit->part].body->nmode : 0;
    mbd_sko_shape_t * shape = &layout->shape[k];
    shape->parent = unit->seat.unit;
    shape->n = 6 + modes;
    shape->r = unit->part >= 0 ? modes : m->model->body[unit->body].nv;
    // what sits on a node pushes on the modes, too
    const int below = shape->parent >= 0 ? layout->shape[shape->parent].n : 6;
    shape->slot = unit->seat.node >= 0 ? 0 : below - 6;
    shape->rows = below - shape->slot;
  }
}

static void
make_layout(maker_t * m)
{
  struct mbd_flexible_layout * layout = m->flexible->layout;
  add_parts_of(m, MBD_WORLD_BODY);
  for (int i = 0; i < m->model->nbody; i++) {
    layout->unit_of_body[i] = add_unit(layout, i, -1);
    add_parts_of(m, i);
  }
  seat_units(m);
  seat_frames(m);
  shape_units(m);
}

//---------- memory ----------

static mbd_status_t
allocate(mbd_flexible_t * flexible, int npart)
{
  const mbd_model_t * model = flexible->model;
  const size_t parts = (size_t)npart + 1, bodies = (size_t)model->nbody;
  struct mbd_flexible_layout * layout = calloc(1, sizeof *layout);
  flexible->layout = layout;
  flexible->part = calloc(parts, sizeof *flexible->part);
  if (!layout || !flexible->part) return MBD_ERROR_OUT_OF_MEMORY;
  layout->unit = calloc(bodies + parts, sizeof *layout->unit);
  layout->shape = calloc(bodies + parts, sizeof *layout->shape);
  layout->unit_of_body = calloc(bodies + 1, sizeof(int));
  layout->unit_of_part = calloc(parts, sizeof(int));
  layout->first_node = calloc(parts, sizeof(int));
  layout->link_frame = calloc(parts, sizeof *layout->link_frame);
  layout->frame = calloc((size_t)model->nframe + 1, sizeof *layout->frame);
  const bool enough = layout->unit && layout->shape && layout->unit_of_body &&
                      layout->unit_of_part && layout->first_node && layout->link_frame &&
                      layout->frame;
  return enough ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
}

void
mbd_flexible_destroy(mbd_flexible_t * flexible)
{
  if (!flexible) return;
  struct mbd_flexible_layout * layout = flexible->layout;
  for (int p = 0; flexible->part && p < flexible->npart; p++) {
    mbd_modal_body_destroy(flexible->part[p].body);
    free(flexible->part[p].extra_mass);
  }
  if (layout) {
    free(layout->unit);
    free(layout->shape);
    free(layout->unit_of_body);
    free(layout->unit_of_part);
    free(layout->first_node);
    free(layout->link_frame);
    free(layout->frame);
  }
  free(layout);
  free(flexible->part);
  free(flexible);
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
    if (model->builder->item[a->frame].spec.parent != link->frame) return MBD_ERROR_BAD_ARGUMENT;
  }
  return MBD_OK;
}

static mbd_status_t
take_link(mbd_flexible_t * flexible, const mbd_flexible_link_t * link, int * part_of_frame)
{
  const mbd_model_t * model = flexible->model;
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
  part->eta = flexible->nmode;
  part->extra_mass = calloc((size_t)(m * m), sizeof(double));
  if (!part->extra_mass) return MBD_ERROR_OUT_OF_MEMORY;
  CHECK(mbdi_modal_body_copy(link->body, &part->body));
  if (link->body->has_mass) {
    mbdi_modal_node_mass(link->body, false, part->extra_mass);
    for (int k = 0; k < m * m; k++) part->extra_mass[k] = link->body->mass[k] - part->extra_mass[k];
  }
  flexible->nmode += m;
  // one more for the hinge
  flexible->layout->first_node[flexible->npart - 1] = flexible->layout->nnode;
  flexible->layout->nnode += link->body->nnode + 1;
  return MBD_OK;
}

static mbd_status_t
make(maker_t * m, int nlink, int * fault)
{
  CHECK(allocate(m->flexible, nlink));
  for (int f = 0; f < m->model->nframe; f++) m->part_of_frame[f] = -1;
  for (int p = 0; p < nlink; p++) {
    const mbd_status_t status = take_link(m->flexible, &m->link[p], m->part_of_frame);
    if (status != MBD_OK && fault) *fault = p;
    if (status != MBD_OK) return status;
  }
  m->flexible->nq = m->model->nq + m->flexible->nmode;
  m->flexible->nv = m->model->nv + m->flexible->nmode;
  make_layout(m);
  return MBD_OK;
}

static bool
has_loops(const mbd_model_t * model)
{
  for (int k = 0; k < model->nclosure; k++) {
    if (!model->closure[k].from_mimic) return true;
  }
  return !model->engine->rigid_tree;
}

mbd_status_t
mbd_flexible_create(
  const mbd_model_t * model, int nlink, const mbd_flexible_link_t * link,
  mbd_flexible_t ** flexible, int * fault)
{
  if (fault) *fault = -1;
  if (!model || !flexible || (nlink > 0 && !link)) return MBD_ERROR_NULL_ARGUMENT;
  if (nlink < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (has_loops(model)) return MBD_ERROR_UNSUPPORTED;
  if (model->nmimic > 0 && !model->mimic_independent) return MBD_ERROR_MIMIC;
  maker_t m = {.model = model, .link = link};
  m.part_of_frame = calloc((size_t)model->nframe + 1, sizeof(int));
  m.flexible = calloc(1, sizeof *m.flexible);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (m.part_of_frame && m.flexible) {
    m.flexible->model = model;
    status = make(&m, nlink, fault);
  }
  free(m.part_of_frame);
  if (status == MBD_OK) {
    *flexible = m.flexible;
  } else {
    mbd_flexible_destroy(m.flexible);
  }
  return status;
}

mbd_status_t
mbd_flexible_neutral(const mbd_flexible_t * flexible, double * q)
{
  if (!flexible || !q) return MBD_ERROR_NULL_ARGUMENT;
  memset(q + flexible->model->nq, 0, (size_t)flexible->nmode * sizeof *q);
  return mbd_neutral(flexible->model, q);
}

mbd_status_t
mbd_flexible_integrate(
  const mbd_flexible_t * flexible, const double * q, const double * v, double dt, double * q_out)
{
  if (!flexible || !q || !v || !q_out) return MBD_ERROR_NULL_ARGUMENT;
  const int nq = flexible->model->nq, nv = flexible->model->nv;
  if (!finite_array(q + nq, flexible->nmode) || !finite_array(v + nv, flexible->nmode)) {
    return MBD_ERROR_NOT_FINITE;
  }
  CHECK(mbd_integrate(flexible->model, q, v, dt, q_out));
  for (int k = 0; k < flexible->nmode; k++) q_out[nq + k] = q[nq + k] + dt * v[nv + k];
  return MBD_OK;
}
