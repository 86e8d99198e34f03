// Loops and gears of a plant, by the core's embedding.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "plant_internal.h"

bool
plant_embed(plant_t * plant, const mbd_model_t * model)
{
  plant->model = model->tree ? model->tree : model;
  if (!model->tree) return model->nclosure == 0;
  plant->embedded = model;
  return mbd_data_create(model, &plant->loops) == MBD_OK;
}

mbd_status_t
plant_assemble(plant_t * plant, double * q)
{
  if (!plant->loops) return MBD_OK;
  const mbd_model_t *tree = plant->model, *model = plant->embedded;
  mbd_assembly_options_t options = mbd_assembly_options_default();
  // work memory is that of a step, which does not run now
  bool held[PLANT_DOFS];
  if (tree->nv > PLANT_DOFS) return MBD_ERROR_TOO_SMALL;
  memset(held, 0, sizeof held);
  for (int k = 0; k < model->nv; k++) held[model->dof_tree[k]] = true;
  options.held = held;
  return mbd_assemble(tree, plant->data, &options, q, plant->work->assembly, q, NULL);
}

mbd_status_t
plant_close(plant_t * plant, double * q, double * v)
{
  if (!plant->loops) return MBD_OK;
  const mbd_model_t * model = plant->embedded;
  plant_work_t * w = plant->work;
  mbd_status_t status = mbd_set_position(model, plant->loops, q);
  if (status == MBD_OK) status = mbd_embedding_matrix(model, plant->loops, w->X);
  if (status != MBD_OK) return status;
  memcpy(q, plant->loops->q, (size_t)model->nq * sizeof *q);
  if (v == NULL) return MBD_OK;
  plant_reduce(plant, v, w->x);
  plant_spread(plant, w->x, v);
  return MBD_OK;
}

mbd_status_t
plant_drift(plant_t * plant, const double * v)
{
  plant_work_t * w = plant->work;
  if (!plant->loops) return MBD_OK;
  plant_reduce(plant, v, w->x);
  const mbd_status_t status = mbd_set_velocity(plant->embedded, plant->loops, w->x);
  if (status != MBD_OK) return status;
  return mbd_tree_acceleration(plant->embedded, plant->loops, NULL, w->drift);
}

void
plant_spread(const plant_t * plant, const double * x, double * v)
{
  const int nr = plant->work->nr;
  for (int k = 0; k < plant->model->nv; k++) {
    double sum = plant->loops ? 0 : x[k];
    for (int j = 0; plant->loops && j < nr; j++) sum += plant->work->X[k * nr + j] * x[j];
    v[k] = sum;
  }
}

void
plant_reduce(const plant_t * plant, const double * v, double * x)
{
  for (int j = 0; j < plant->work->nr; j++) {
    x[j] = v[plant->loops ? plant->embedded->dof_tree[j] : j];
  }
}
