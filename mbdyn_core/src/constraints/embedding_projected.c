// Small embedded models by the mass matrix of their spanning tree: (X^T M X) vdot = X^T (tau - h), h at
// the accelerations Xdot v (15.13). M and h come from the kernels of the tree. O(N^3) in place of the
// O(N) of the SKO engine, and faster than it up to MBDI_DENSE_DOF.
#include <string.h>

#include "constraints/embedding_internal.h"
#include "constraints/mass_factor.h"
#include "model/engine.h"

// X^T M (nv x tree->nv) of M in w->M, into w->XM
static void
project_rows(const mbd_model_t * model, const struct mbdi_embedded * w)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const size_t wide = (size_t)model->tree->nv;
  for (int k = 0; k < model->nv; k++) {
    const double * from = w->M + (size_t)model->dof_tree[k] * wide;
    memcpy(w->XM + (size_t)k * wide, from, wide * sizeof *from);
  }
  for (int k = 0; k < e->naggregate; k++) {
    const mbdi_group_t * group = &e->group[e->aggregate[k]];
    for (int i = 0; i < group->ndep; i++) {
      const double * X = w->loop[e->aggregate[k]].X + group->dep[i] * group->nind;
      const double * from = w->M + (size_t)group->dof[group->dep[i]] * wide;
      for (int c = 0; c < group->nind; c++) {
        double * to = w->XM + (size_t)group->v[c] * wide;
        if (X[c] == 0) continue;
        for (size_t j = 0; j < wide; j++) to[j] += X[c] * from[j];
      }
    }
  }
}

// the part of X^T M X on and below the diagonal, row-major
static void
project(const mbd_model_t * model, const struct mbdi_embedded * w, double * M_r)
{
  const struct mbdi_embedding * e = model->internal->embedding;
  const int nv = model->nv;
  project_rows(model, w);
  for (int r = 0; r < nv; r++) {
    const double * from = w->XM + (size_t)r * (size_t)model->tree->nv;
    double * to = M_r + r * nv;
    for (int c = 0; c <= r; c++) to[c] = from[model->dof_tree[c]];
    for (int k = 0; k < e->naggregate; k++) {
      const mbdi_group_t * group = &e->group[e->aggregate[k]];
      // independent velocities are ascending
      if (group->nind == 0 || group->v[0] > r) continue;
      for (int i = 0; i < group->ndep; i++) {
        const double * X = w->loop[e->aggregate[k]].X + group->dep[i] * group->nind;
        const double y = from[group->dof[group->dep[i]]];
        if (y == 0) continue;
        for (int c = 0; c < group->nind && group->v[c] <= r; c++) to[group->v[c]] += X[c] * y;
      }
    }
  }
}

mbd_status_t
mbdi_projected_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M_r)
{
  struct mbdi_embedded * w = data->work->embedded;
  const mbd_model_t * tree = model->tree;
  const int nv = model->nv;
  CHECK(tree->internal->engine->mass_matrix(tree, data->tree, w->M));
  project(model, w, w->M_r);
  // symmetric to the last bit
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < i; j++) w->M_r[j * nv + i] = w->M_r[i * nv + j];
  }
  return copy_checked(M_r, w->M_r, nv * nv);
}

mbd_status_t
mbdi_projected_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * qdd, bool * solved)
{
  struct mbdi_embedded * w = data->work->embedded;
  const mbd_model_t * tree = model->tree;
  const mbdi_engine_t * engine = tree->internal->engine;
  *solved = false;
  stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
  CHECK(engine->inverse_dynamics(tree, data->tree, NULL, NULL, w->xd, f_ext, w->y_tree));
  CHECK(engine->mass_matrix(tree, data->tree, w->M));
  project(model, w, w->M_r);
  if (!mbdi_mass_factorize(model->nv, w->M_r)) return MBD_OK;
  mbdi_embedded_reduce(model, data, w->y_tree, qdd);
  for (int k = 0; k < model->nv; k++) qdd[k] = tau[k] - qdd[k];
  mbdi_mass_factor_solve(model->nv, w->M_r, qdd);
  *solved = true;
  return finite_array(qdd, model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
