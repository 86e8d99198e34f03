// Derivatives of the mass matrix and its Christoffel symbols. All 6-vectors here are in world axes at
// the world's origin, so that a motion common to several bodies has the same components for all of them.
#include <string.h>

#include "mbdyn/dynamics/derivatives.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

// terms of one degree of freedom
typedef struct dof {
  mbd_motion_t S;    // motion subspace
  mbd_force_t U;     // composite inertia of its subtree, times S
  mbd_force_t F, E;  // of the symbols of one body
} dof_t;

// the working memory, which is that of all derivatives (derivatives.c) and has more than this
typedef struct scratch {
  mbd_inertia_t * I;  // of subtrees [nbody]
  dof_t * dof;        // [nv]
} scratch_t;

static scratch_t
lay_out_mass_derivatives(const mbd_model_t * model, double * work)
{
  scratch_t scratch;
  size_t n = 0;
  scratch.I = mbdi_arena_work(work, &n, (size_t)model->nbody, sizeof *scratch.I);
  scratch.dof = mbdi_arena_work(work, &n, (size_t)model->nv, sizeof *scratch.dof);
  return scratch;
}

//---------- mass matrix ----------

// force on the subtree of j for a unit acceleration of b: inertia of the common subtree of b and j,
// times S_b; zero if neither is an ancestor of the other
static mbd_force_t
shared_force(const mbd_model_t * model, const scratch_t * scratch, int i, int b)
{
  const int body = model->dof_body[b];
  if (mbdi_carries(model, i, body)) return scratch->dof[b].U;
  if (mbdi_carries(model, body, i)) return mbdu_inertia_mul(&scratch->I[i], scratch->dof[b].S);
  const mbd_force_t none = {{0, 0, 0}, {0, 0, 0}};
  return none;
}

// joints whose axes move in the child: S_r of the same joint changes by dS_r           (18.36)
static void
mass_change_of_axes(
  const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch, int j, double * dM)
{
  const int i = model->dof_body[j], nv = model->nv;
  const mbd_body_t * body = &model->body[i];
  double e[6];
  mbd_motion_t dS[6];
  joint_unit_velocity(j - body->v_index, e);
  if (!mbdi_joint_subspace_rate(body, data->q + body->q_index, e, dS)) return;
  for (int r = 0; r < body->nv; r++) {
    const mbd_motion_t change = mbdu_motion_to_parent(&data->X_world[i], dS[r]);
    const int a = body->v_index + r;
    for (int b = 0; b < nv; b++) {
      const double W = mbdu_power(shared_force(model, scratch, i, b), change);
      dM[(size_t)a * (size_t)nv + (size_t)b] += W;
      dM[(size_t)b * (size_t)nv + (size_t)a] += W;
    }
  }
}

// the share of the degrees of freedom of body c, which is related to that of j
static void
mass_change_with(const mbd_model_t * model, const scratch_t * scratch, int j, int c, double * dM)
{
  const int i = model->dof_body[j], nv = model->nv, first = model->body[c].v_index;
  for (int b = first; b < first + model->body[c].nv; b++) {
    const mbd_force_t F = shared_force(model, scratch, i, b);
    const mbd_force_t turned = mbdu_force_cross(scratch->dof[j].S, F);
    for (int p = model->body[i].parent; p >= 0; p = model->body[p].parent) {
      const int carrier = model->body[p].v_index;
      for (int a = carrier; a < carrier + model->body[p].nv; a++) {
        const double W = mbdu_power(turned, scratch->dof[a].S);
        dM[(size_t)a * (size_t)nv + (size_t)b] += W;
        dM[(size_t)b * (size_t)nv + (size_t)a] += W;
      }
    }
  }
}

// dM = W + W^T, W(a, b) = S_a . (S_j x F_b): a strictly carries j, and the subtree of j, with the
// force F_b in it, is displaced by S_j. Entry (a, b) changes only if one of the two carries j and
// the other is related to it.                                                           (18.36)
static void
mass_change(
  const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch, int j, double * dM)
{
  const int i = model->dof_body[j], nv = model->nv;
  memset(dM, 0, (size_t)nv * (size_t)nv * sizeof *dM);
  for (int c = i; c < model->body[i].subtree_end; c++) mass_change_with(model, scratch, j, c, dM);
  for (int c = model->body[i].parent; c >= 0; c = model->body[c].parent)
    mass_change_with(model, scratch, j, c, dM);
  mass_change_of_axes(model, data, scratch, j, dM);
}

// composite inertias and motion subspaces in the world
static void
mass_in_world(const mbd_model_t * model, const mbd_data_t * data, const scratch_t * scratch)
{
  for (int i = 0; i < model->nbody; i++) {
    scratch->I[i] = mbdu_inertia_to_parent(&data->X_world[i], &data->inertia[i]);
  }
  for (int i = model->nbody - 1; i >= 0; i--) {
    const int p = model->body[i].parent;
    if (p >= 0) scratch->I[p] = mbdu_inertia_add(&scratch->I[p], &scratch->I[i]);
  }
  for (int k = 0; k < model->nv; k++) {
    scratch->dof[k].S = mbdu_motion_to_parent(&data->X_world[model->dof_body[k]], data->S[k]);
    scratch->dof[k].U = mbdu_inertia_mul(&scratch->I[model->dof_body[k]], scratch->dof[k].S);
  }
}

mbd_status_t
mbdi_tree_mass_matrix_derivative(
  const mbd_model_t * model, mbd_data_t * data, int j, double * work, double * dM)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!work || !dM) return MBD_ERROR_NULL_ARGUMENT;
  if (j < 0 || j >= model->nv) return MBD_ERROR_BAD_ARGUMENT;
  const scratch_t scratch = lay_out_mass_derivatives(model, work);
  mass_in_world(model, data, &scratch);
  mass_change(model, data, &scratch, j, dM);
  return MBD_OK;
}

mbd_status_t
mbdi_tree_mass_matrix_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * dM)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!work || !dM) return MBD_ERROR_NULL_ARGUMENT;
  const size_t nv = (size_t)model->nv;
  const scratch_t scratch = lay_out_mass_derivatives(model, work);
  mass_in_world(model, data, &scratch);
  for (int j = 0; j < model->nv; j++)
    mass_change(model, data, &scratch, j, dM + (size_t)j * nv * nv);
  return MBD_OK;
}

//---------- Christoffel symbols ----------

// Three degrees of freedom on the path to body m, at least one of m itself: j and k move all bodies of the
// subtree of m as one rigid body, so that only the composite inertia I of m matters.
//   G_k(i, j) = S_i . (I S_j' + B S_j),  S_j' = S_k x S_j if k moves j,
//   2 B S_j = bar(S_k) I S_j - I (S_k x S_j) + bar(S_j) I S_k          (coriolis.h at v = e_k)
typedef struct symbols {
  const mbd_model_t * model;
  const scratch_t * scratch;
  int m;                 // body
  mbd_motion_t dS[6];    // dS/dq_k of k's own joint, in the world
  bool subspace_varies;  // they are not zero
  double * G;            // [nv^3]
} symbols_t;

static mbd_force_t
symbol_force(const symbols_t * s, int k, int j)
{
  const dof_t *K = &s->scratch->dof[k], *J = &s->scratch->dof[j];
  const mbd_inertia_t * I = &s->scratch->I[s->m];
  const int body_k = s->model->dof_body[k], body_j = s->model->dof_body[j];
  const bool moves = mbdi_carries(s->model, body_k, body_j);
  mbd_force_t f = mbdu_force_add(mbdu_force_cross(K->S, J->U), mbdu_force_cross(J->S, K->U));
  const mbd_force_t turned = mbdu_inertia_mul(I, mbdu_motion_cross(K->S, J->S));
  f = mbdu_force_scale(0.5, moves ? mbdu_force_add(f, turned) : mbdu_force_sub(f, turned));
  if (body_k != body_j || !s->subspace_varies) return f;
  return mbdu_force_add(f, mbdu_inertia_mul(I, s->dS[j - s->model->body[body_j].v_index]));
}

// row i of slice k, where all j on the way (own: only those of m, which are new) have their force
static void
symbol_row(const symbols_t * s, int k, int i, bool own)
{
  const mbd_model_t * model = s->model;
  const size_t nv = (size_t)model->nv;
  const mbd_motion_t S = s->scratch->dof[i].S;
  double * row = s->G + ((size_t)k * nv + (size_t)i) * nv;
  for (int c = s->m; c >= 0; c = own ? -1 : model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int j = first; j < end; j++) row[j] = mbdu_power(s->scratch->dof[j].F, S);
  }
}

// dS/dq_k of the joint of k
static void
take_turning(symbols_t * s, const mbd_data_t * data, int k)
{
  const int b = s->model->dof_body[k];
  const mbd_body_t * body = &s->model->body[b];
  double e[6];
  joint_unit_velocity(k - body->v_index, e);
  s->subspace_varies = mbdi_joint_subspace_rate(body, data->q + body->q_index, e, s->dS);
  for (int c = 0; s->subspace_varies && c < body->nv; c++)
    s->dS[c] = mbdu_motion_to_parent(&data->X_world[b], s->dS[c]);
}

// k of m itself: every i and j on the way
static void
own_symbols(const symbols_t * s, int k)
{
  const mbd_model_t * model = s->model;
  for (int c = s->m; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int j = first; j < end; j++) s->scratch->dof[j].F = symbol_force(s, k, j);
  }
  for (int c = s->m; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int i = first; i < end; i++) symbol_row(s, k, i, false);
  }
}

// k of what carries m, i = o of m, j of what carries it: the same with the force taken to the other
// side, 2 G = (I (S_o x S_k) -+ bar(S_k) I S_o) . S_j + S_k . I (S_o x S_j)
static void
carried_symbols(const symbols_t * s, int k, int o)
{
  const mbd_model_t * model = s->model;
  const size_t nv = (size_t)model->nv;
  const dof_t * dof = s->scratch->dof;
  const int body_k = model->dof_body[k];
  double * row = s->G + ((size_t)k * nv + (size_t)o) * nv;
  const mbd_force_t turned = mbdu_force_cross(dof[k].S, dof[o].U);
  const mbd_force_t moved = mbdu_force_sub(dof[k].E, turned);
  const mbd_force_t left = mbdu_force_add(dof[k].E, turned);
  for (int c = model->body[s->m].parent; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    const mbd_force_t f = mbdi_carries(model, body_k, c) ? moved : left;
    for (int j = first; j < end; j++) {
      row[j] = 0.5 * (mbdu_power(f, dof[j].S) + mbdu_power(dof[j].E, dof[k].S));
      if (c == body_k && s->subspace_varies) row[j] += mbdu_power(dof[o].U, s->dS[j - first]);
    }
  }
}

// k of what carries m: i or j of m
static void
symbols_of_carrier(const symbols_t * s, int k)
{
  const mbd_model_t * model = s->model;
  const int own = model->body[s->m].v_index, own_end = own + model->body[s->m].nv;
  for (int j = own; j < own_end; j++) s->scratch->dof[j].F = symbol_force(s, k, j);
  for (int c = s->m; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int i = first; i < end; i++) symbol_row(s, k, i, true);
  }
}

// everything that is new with body m
static void
symbols_with(symbols_t * s, const mbd_data_t * data)
{
  const mbd_model_t * model = s->model;
  dof_t * dof = s->scratch->dof;
  const int own = model->body[s->m].v_index, own_end = own + model->body[s->m].nv;
  const mbd_inertia_t * I = &s->scratch->I[s->m];
  for (int c = s->m; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int k = first; k < end; k++) dof[k].U = mbdu_inertia_mul(I, dof[k].S);
  }
  for (int c = s->m; c >= 0; c = model->body[c].parent) {
    const int first = model->body[c].v_index, end = first + model->body[c].nv;
    for (int k = first; k < end; k++) {
      take_turning(s, data, k);
      if (c == s->m)
        own_symbols(s, k);
      else
        symbols_of_carrier(s, k);
    }
  }
  for (int o = own; o < own_end; o++) {
    for (int c = model->body[s->m].parent; c >= 0; c = model->body[c].parent) {
      const int first = model->body[c].v_index, end = first + model->body[c].nv;
      for (int k = first; k < end; k++)
        dof[k].E = mbdu_inertia_mul(I, mbdu_motion_cross(dof[o].S, dof[k].S));
    }
    for (int c = model->body[s->m].parent; c >= 0; c = model->body[c].parent) {
      const int first = model->body[c].v_index, end = first + model->body[c].nv;
      for (int k = first; k < end; k++) {
        take_turning(s, data, k);
        carried_symbols(s, k, o);
      }
    }
  }
}

mbd_status_t
mbdi_tree_christoffel_tensor(
  const mbd_model_t * model, mbd_data_t * data, double * work, double * G)
{
  CHECK(check_dynamics(model, data, MBD_STAGE_POSITION));
  if (!work || !G) return MBD_ERROR_NULL_ARGUMENT;
  const size_t nv = (size_t)model->nv;
  const scratch_t scratch = lay_out_mass_derivatives(model, work);
  mass_in_world(model, data, &scratch);
  memset(G, 0, nv * nv * nv * sizeof *G);
  for (int m = 0; m < model->nbody; m++) {
    symbols_t s = {.model = model, .scratch = &scratch, .m = m, .G = G};
    symbols_with(&s, data);
  }
  return MBD_OK;
}
