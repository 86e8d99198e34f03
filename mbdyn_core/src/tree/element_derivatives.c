// Derivatives of the forces of elements. In the axes of A the generalised force on degree of freedom k is
// S_k . f, with S_k its axis on the path from A to B, and the relative velocity is sum S_k v_k. Common
// ancestors of both frames change neither S_k nor f in these axes.
#include <string.h>

#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "tree/element.h"
#include "tree/sweeps.h"

static int
frame_body(const mbd_model_t * model, int frame)
{
  return frame < 0 ? -1 : model->frame[frame].body;
}

// append degrees of freedom from a body to its ancestor; sign +: on the path to B
static int
add_path(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_placement_t * X_a, int body,
  int end, double sign, int n)
{
  const struct mbdi_elements * w = data->work->elements;
  const mbd_placement_t A = mbdu_placement_inverse(X_a);
  for (int i = body; i != end; i = model->body[i].parent) {
    const mbd_placement_t X = mbdu_placement_mul(&A, &data->X_world[i]);
    const int first = model->body[i].v_index;
    for (int k = first; k < first + model->body[i].nv; k++, n++) {
      w->dof[n] = k;
      w->S[n] = mbdu_motion_scale(sign, mbdu_motion_to_parent(&X, data->S[k]));
    }
  }
  return n;
}

// dS_k / dq_i of a joint with configuration-dependent axes, in the axes of A
static mbd_motion_t
own_change(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_placement_t * X_a, int i, int k)
{
  const mbd_body_t * body = &model->body[model->dof_body[i]];
  double unit[6] = {0};
  mbd_motion_t rate[6] = {{{0, 0, 0}, {0, 0, 0}}};
  unit[i - body->v_index] = 1;
  if (!mbdi_joint_subspace_rate(body, data->q + body->q_index, unit, rate)) return rate[5];
  const mbd_placement_t A = mbdu_placement_inverse(X_a);
  const mbd_placement_t X = mbdu_placement_mul(&A, &data->X_world[model->dof_body[i]]);
  return mbdu_motion_to_parent(&X, rate[k - body->v_index]);
}

// derivative of signed S_k with respect to q_i, in the axes of A; the first `nb` entries are on the path to B
static mbd_motion_t
axis_change(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_placement_t * X_a, int nb, int i,
  int k)
{
  const struct mbdi_elements * w = data->work->elements;
  mbd_motion_t change = {{0, 0, 0}, {0, 0, 0}};
  const int body_i = model->dof_body[w->dof[i]], body_k = model->dof_body[w->dof[k]];
  const bool same = body_i == body_k, to_b = k < nb;
  if (i < nb && !to_b) return change;
  if (i >= nb) {
    // A moves: what A's own displacement does not carry stays behind; entries of A have a minus
    if (to_b || (!same && mbdi_carries(model, body_k, body_i)))
      change = mbdu_motion_cross(w->S[i], w->S[k]);
  } else if (mbdi_carries(model, body_i, body_k)) {
    change = mbdu_motion_cross(w->S[i], w->S[k]);
  }
  if (!same || !mbdi_joint_ops[model->body[body_i].type].subspace_rate) return change;
  const mbd_motion_t own = own_change(model, data, X_a, w->dof[i], w->dof[k]);
  return mbdu_motion_add(change, mbdu_motion_scale(to_b ? 1 : -1, own));
}

static void
add_element(
  const mbd_model_t * model, mbd_data_t * data, int e, double sign, double * dq, double * dv)
{
  const mbd_element_spec_t * spec = &model->element[e].spec;
  const struct mbdi_elements * w = data->work->elements;
  const size_t nv = (size_t)model->nv;
  mbdi_element_at_t at;
  mbdi_element_at(model, data, e, true, &at);
  const int a = frame_body(model, spec->frame_a), b = frame_body(model, spec->frame_b);
  const int common = a < 0 || b < 0 ? -1 : mbdi_common_body(model, a, b);
  const int nb = add_path(model, data, &at.X_a, b, common, 1, 0);
  const int n = add_path(model, data, &at.X_a, a, common, -1, nb);
  const mbd_motion_t still = {{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; i < n; i++) {
    mbd_motion_t dV = still;
    for (int k = 0; k < n; k++) {
      const mbd_motion_t dS = axis_change(model, data, &at.X_a, nb, i, k);
      dV = mbdu_motion_add(dV, mbdu_motion_scale(data->v[w->dof[k]], dS));
      if (dq) dq[(size_t)w->dof[k] * nv + (size_t)w->dof[i]] += sign * mbdu_power(at.f, dS);
    }
    const mbd_force_t by_q = mbdi_element_vary(&at, w->S[i], dV);
    const mbd_force_t by_v = mbdi_element_vary(&at, still, w->S[i]);
    for (int k = 0; k < n; k++) {
      const size_t entry = (size_t)w->dof[k] * nv + (size_t)w->dof[i];
      if (dq) dq[entry] += sign * mbdu_power(by_q, w->S[k]);
      if (dv) dv[entry] += sign * mbdu_power(by_v, w->S[k]);
    }
  }
}

void
mbdi_add_element_derivatives(
  const mbd_model_t * model, mbd_data_t * data, double sign, double * dq, double * dv)
{
  for (int e = 0; e < model->nelement; e++) add_element(model, data, e, sign, dq, dv);
}
