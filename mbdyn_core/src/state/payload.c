// Payloads: a body's inertia is always summed anew from the model's, so that nothing accumulates.
#include "mbdyn/payload.h"

#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"

static void
sum_body(const mbd_model_t * model, mbd_data_t * data, int body)
{
  if (body < 0) return;
  mbd_inertia_t sum = model->body[body].inertia;
  for (int k = 0; k < model->nframe; k++) {
    if (model->frame[k].body != body || !data->payload[k].attached) continue;
    const mbd_inertia_t M = mbdu_inertia_to_parent(&model->frame[k].X, &data->payload[k].inertia);
    sum = mbdu_inertia_add(&sum, &M);
  }
  mbdi_put_inertia(data, body, &sum);
}

mbd_status_t
mbd_payload_attach(
  const mbd_model_t * model, mbd_data_t * data, int frame, const mbd_inertia_t * inertia)
{
  CHECK(check_any(model, data, 0));
  if (!inertia) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, MBD_LOCAL));
  CHECK(mbdi_check_inertia(inertia));
  data->payload[frame].attached = true;
  data->payload[frame].inertia = *inertia;
  sum_body(model, data, model->frame[frame].body);
  model->internal->engine->inertia_changed(data);
  return MBD_OK;
}

mbd_status_t
mbd_payload_remove(const mbd_model_t * model, mbd_data_t * data, int frame)
{
  CHECK(check_any(model, data, 0));
  CHECK(check_frame(model, frame, MBD_LOCAL));
  if (!data->payload[frame].attached) return MBD_ERROR_NOT_FOUND;
  data->payload[frame].attached = false;
  sum_body(model, data, model->frame[frame].body);
  model->internal->engine->inertia_changed(data);
  return MBD_OK;
}

mbd_status_t
mbd_payload_clear(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_any(model, data, 0));
  for (int k = 0; k < model->nframe; k++) data->payload[k].attached = false;
  for (int i = 0; i < mbdi_body_count(model); i++)
    mbdi_put_inertia(data, i, &model->body[i].inertia);
  model->internal->engine->inertia_changed(data);
  return MBD_OK;
}
