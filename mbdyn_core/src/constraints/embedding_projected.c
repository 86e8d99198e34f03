// Small embedded models by the mass matrix of their spanning tree: (X^T M X) vdot = X^T (tau - h), h at
// the accelerations Xdot v (15.13). M and h come from the kernels of the tree. O(N^3) in place of the
// O(N) of the SKO engine, and faster than it up to MBDI_DENSE_DOF.
#include "constraints/embedding_internal.h"
#include "model/engine.h"

mbd_status_t
mbdi_projected_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M_r)
{
  struct mbdi_embedded * w = data->work->embedded;
  const mbd_model_t * tree = model->tree;
  const int nv = model->nv, ld = mbdi_projected_ld(nv);
  CHECK(tree->internal->engine->mass_matrix(tree, data->tree, w->M));
  model->internal->embedding->kernels->project(&w->projection, w->M, w->M_r);
  // symmetric to the last bit; M is no longer needed
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j <= i; j++) w->M[j * nv + i] = w->M[i * nv + j] = w->M_r[i * ld + j];
  }
  return copy_checked(M_r, w->M, nv * nv);
}

mbd_status_t
mbdi_projected_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double * qdd, bool * solved)
{
  struct mbdi_embedded * w = data->work->embedded;
  const mbd_model_t * tree = model->tree;
  const mbdi_engine_t * engine = tree->internal->engine;
  const mbdi_projection_kernels_t * kernels = model->internal->embedding->kernels;
  *solved = false;
  stage_reset(data->tree, MBD_STAGE_DEFERRED_VELOCITY);
  double *sine = w->angles ? w->dh_sine : NULL, *cosine = w->angles ? w->dh_cosine : NULL;
  bool done = false;
  if (engine->mass_and_torques && !f_ext) {
    CHECK(engine->mass_and_torques(tree, data->tree, w->xd, sine, cosine, w->M, w->y_tree, &done));
  }
  if (!done) {
    CHECK(engine->inverse_dynamics(tree, data->tree, NULL, NULL, w->xd, f_ext, w->y_tree));
    CHECK(engine->mass_matrix(tree, data->tree, w->M));
  }
  kernels->project(&w->projection, w->M, w->M_r);
  mbdi_embedded_reduce(model, data, w->y_tree, qdd);
  for (int k = 0; k < model->nv; k++) qdd[k] = tau[k] - qdd[k];
  if (!kernels->factorize(&w->projection, w->M_r, w->D_inv, qdd)) return MBD_OK;
  kernels->solve(model->nv, w->M_r, w->D_inv, qdd);
  *solved = true;
  return finite_array(qdd, model->nv) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}
