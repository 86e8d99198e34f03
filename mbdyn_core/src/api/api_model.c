// Making and freeing models: the engine is chosen here.
#include <stdlib.h>

#include "constraints/cut_planar.h"
#include "constraints/embedding_internal.h"
#include "flexible/flexible_internal.h"
#include "model/model_internal.h"
#include "simd/kernels.h"
#include "simd/simd_engine.h"
#include "tree/element.h"
#include "tree/tree.h"

static mbd_status_t
unbuild(mbd_model_t * model, mbd_status_t status)
{
  mbdi_plan_destroy(model->internal->plan);
  model->internal->plan = NULL;
  mbdi_model_unbuild(model);
  return status;
}

mbd_status_t
mbd_model_finalize(mbd_model_t * model)
{
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  CHECK(mbdi_model_build(model));
  model->internal->plan = mbdi_plan_create(model);
  if (!model->internal->plan) return unbuild(model, MBD_ERROR_OUT_OF_MEMORY);
  model->internal->engine =
    model->internal->plan->single_supported ? &mbdi_simd_engine : &mbdi_tree_engine;
  mbdi_engine_add_elements(model);
  const mbd_status_t status = mbdi_cut_plan_create(model, &model->internal->cut_plan);
  if (status != MBD_OK) return unbuild(model, status);
  model->finalized = true;
  return MBD_OK;
}

void
mbd_model_destroy(mbd_model_t * model)
{
  if (!model) return;
  if (model->internal->embedding) {
    mbdi_embedding_destroy(model);
    free(model);
    return;
  }
  if (model->flexible) {
    mbdi_flexible_destroy(model);
    return;
  }
  mbdi_cut_plan_destroy(model->internal->cut_plan);
  mbdi_plan_destroy(model->internal->plan);
  mbdi_model_free(model);
}
