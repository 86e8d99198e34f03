// References of joints, cycle by cycle.
#include "stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference_limits.h"

bool
stream_init(stream_t * stream, const mbd_model_t * model)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  *stream = (stream_t){
    .q = calloc(nq + 2 * nv + 1, sizeof *stream->q),
    .met = calloc((size_t)model->nbody + 1, sizeof *stream->met)};
  if (!stream->q || !stream->met) return false;
  stream->v = stream->q + nq;
  stream->a = stream->v + nv;
  return true;
}

void
stream_fini(stream_t * stream)
{
  free(stream->q);
  free(stream->met);
}

bool
stream_begin(stream_t * stream, const controller_t * controller)
{
  const size_t nq = (size_t)controller->model->nq * sizeof(double);
  const size_t nv = (size_t)controller->model->nv * sizeof(double);
  const controller_stream_t * now = &controller->stream;
  if (!controller->referenced) return false;
  memset(stream->met, 0, (size_t)controller->model->nbody * sizeof *stream->met);
  memset(stream->v, 0, 2 * nv);
  memcpy(stream->q, now->known ? now->q : controller->q_ref, nq);
  if (!now->known) return true;
  memcpy(stream->v, now->v, nv);
  memcpy(stream->a, now->a, nv);
  return true;
}

bool
stream_joint(stream_t * stream, const controller_t * controller, int body, const double * x)
{
  const mbd_body_t * joint = &controller->model->body[body];
  const controller_settings_t * s = controller->settings;
  const int q = joint->q_index, v = joint->v_index;
  const reference_fault_t fault =
    reference_fault(&joint->limits, s->max_acceleration[v], x[0], x[1], x[2]);
  const bool far = s->max_step[v] > 0 && fabs(x[0] - controller->q_ref[q]) > s->max_step[v];
  if (fault == REFERENCE_GOOD && !far && !stream->met[body]) {
    stream->met[body] = true;
    stream->q[q] = x[0];
    stream->v[v] = x[1];
    stream->a[v] = x[2];
    return true;
  }
  stream->joint = body;
  if (fault > REFERENCE_NOT_FINITE) stream->beyond_limits++;
  if (fault == REFERENCE_GOOD && far) stream->steps++;
  return false;
}

void
stream_commit(const stream_t * stream, controller_t * controller, int64_t arrival)
{
  const size_t nq = (size_t)controller->model->nq * sizeof(double);
  const size_t nv = (size_t)controller->model->nv * sizeof(double);
  memcpy(controller->stream.q, stream->q, nq);
  memcpy(controller->stream.v, stream->v, nv);
  memcpy(controller->stream.a, stream->a, nv);
  controller->stream.time = arrival;
  controller->stream.known = true;
}
