// The workspace of a rigid tree.
#include "model/joint.h"
#include "state/state.h"
#include "tree/tree.h"
#include "util/arena.h"

#define TAKE(field, count) \
  d->field = mbdi_arena_take(base, &offset, (size_t)(count), sizeof *d->field)

size_t
mbdi_tree_lay_out(const mbd_model_t * model, char * base, mbd_data_t * d)
{
  const int nbody = mbdi_body_count(model), nv = model->nv;
  size_t offset = 0;
  mbdi_arena_take(base, &offset, 1, sizeof(mbdi_data_block_t));
  TAKE(inertia, nbody);
  TAKE(work->moments, nbody);
  TAKE(payload, model->nframe);
  // kernels load and store whole vectors
  TAKE(q, model->nq + 4);
  TAKE(X_parent, nbody);
  TAKE(X_world, nbody);
  TAKE(S, nv);
  TAKE(v, nv);
  TAKE(V, nbody);
  TAKE(S_rate, nv);
  TAKE(a, nbody);
  TAKE(A_bias, nbody);
  TAKE(A, nbody);
  TAKE(f, nbody);
  TAKE(R, nbody);
  TAKE(P, nbody);
  TAKE(G, nv);
  TAKE(D_inv, model->nD);
  TAKE(Y, nbody);
  TAKE(z, nbody);
  TAKE(response, nbody);
  TAKE(work->F, nbody);
  TAKE(work->W, nbody);
  TAKE(work->x, nv);
  TAKE(work->nu, nv);
  TAKE(work->B, 36 * nbody);
  TAKE(work->path, nbody);
  TAKE(work->qdd, nv);
  TAKE(work->E, 8 * nv);
  TAKE(work->lambda, model->nrow);
  return offset;
}

mbd_status_t
mbdi_tree_init(const mbd_model_t * model, mbd_data_t * data)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbdi_put_inertia(data, i, &body->inertia);
    mbdi_joint_constant_subspace(body, data->S + body->v_index);
  }
  return MBD_OK;
}

void
mbdi_tree_set_gravity(mbd_data_t * data, mbd_vec3_t gravity)
{
  data->gravity = gravity;
  forget_acceleration(data);
}

void
mbdi_tree_set_terms(mbd_data_t * data, uint32_t terms)
{
  if (data->terms != terms) forget_acceleration(data);
  // rotors change the articulated stage and everything computed from it
  if ((data->terms ^ terms) & MBD_TERM_ROTORS) {
    stage_clear(
      data, MBD_STAGE_ARTICULATED | MBD_STAGE_COMPLIANCE | MBD_STAGE_RESPONSE |
              MBD_STAGE_ARTICULATED_SIMD);
  }
  data->terms = terms;
}

void
mbdi_tree_inertia_changed(mbd_data_t * data)
{
  forget_acceleration(data);
  data->work->base_inertia_ready = false;
  stage_keep(data, MBD_STAGE_POSITION | MBD_STAGE_VELOCITY | MBD_STAGE_BIAS | STAGES_DEFERRED);
}

void
mbdi_tree_reduce(
  const mbd_model_t * model, const mbd_data_t * data, const double * y_tree, double * y)
{
  (void)data;
  copy_array(y, y_tree, model->nv);
}
