// The plan of a model rounded to single precision.
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "simd/kernels_f32.h"

static void
round_numbers(int n, const double * from, float * to)
{
  for (int k = 0; k < n; k++) to[k] = (float)from[k];
}

static mbdi_angle_f32_t
round_angle(mbdi_angle_t a)
{
  return (mbdi_angle_f32_t){(float)a.c, (float)a.s};
}

static void
round_body(const mbdi_plan_t * plan, int i, mbdi_plan_f32_t * to)
{
  const mbdi_plan_body_t * b = &plan->body[i];
  const mbdi_dh_body_t * d = &plan->dh[i];
  mbdi_plan_body_f32_t * body = &to->body[i];
  *body = (mbdi_plan_body_f32_t){
    .parent = b->parent,
    .kind = b->kind,
    .q = b->q,
    .v = b->v,
    .serial_run_begin = b->serial_run_begin};
  round_numbers(9, b->R, body->R);
  round_numbers(3, b->p, body->p);
  mbdi_dh_body_f32_t * dh = &to->dh[i];
  *dh = (mbdi_dh_body_f32_t){
    .alpha = round_angle(d->alpha),
    .parent = d->parent,
    .kind = d->kind,
    .q = d->q,
    .v = d->v,
    .form = d->form,
    .massless_subtree = d->massless_subtree,
    .leaf = d->leaf,
    .transform = d->transform,
    .general = d->general,
    .dh_a = (float)d->dh_a,
    .dh_d = (float)d->dh_d,
    .mount_angle = round_angle(d->mount_angle),
    .theta0 = round_angle(d->theta0)};
  round_numbers(5, &d->alpha_products.cc, &dh->alpha_products.cc);
  round_numbers(3, d->p, dh->p);
  round_numbers(9, d->T, dh->T);
}

static void
round_frame(const mbd_frame_t * from, mbdi_frame_f32_t * to)
{
  to->body = from->body;
  round_numbers(9, from->X.R.m, to->X.R.m);
  round_numbers(3, &from->X.p.x, &to->X.p.x);
}

mbdi_plan_f32_t *
mbdi_plan_f32_create(const mbd_model_t * model)
{
  const mbdi_plan_t * plan = model->internal->plan;
  const size_t nbody = (size_t)plan->nbody, nv = (size_t)plan->nv;
  const size_t size = sizeof(mbdi_plan_f32_t) + nbody * sizeof(mbdi_plan_body_f32_t) +
                      nbody * sizeof(mbdi_dh_body_f32_t) +
                      2 * nbody * sizeof(mbdi_base_inertia_f32_t) +
                      (size_t)model->nframe * sizeof(mbdi_frame_f32_t) + nv * sizeof(float);
  mbdi_plan_f32_t * to = calloc(1, size);
  if (!to) return NULL;
  *to = (mbdi_plan_f32_t){
    plan->nbody,
    plan->nq,
    plan->nv,
    plan->ngeneral,
    plan->shallow,
    plan->free_base,
    plan->slots,
    plan->nquaternion,
    plan->span,
    plan->quaternion,
    plan->packed_row_begin,
    plan->subtree_dof_end,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL};
  to->body = (mbdi_plan_body_f32_t *)(void *)(to + 1);
  to->dh = (mbdi_dh_body_f32_t *)(void *)(to->body + nbody);
  to->base_inertia = (mbdi_base_inertia_f32_t *)(void *)(to->dh + nbody);
  to->frame = (mbdi_frame_f32_t *)(void *)(to->base_inertia + 2 * nbody);
  to->rotor = (float *)(void *)(to->frame + model->nframe);
  for (int i = 0; i < plan->nbody; i++) round_body(plan, i, to);
  for (int k = 0; k < model->nframe; k++) round_frame(&model->frame[k], &to->frame[k]);
  round_numbers(plan->nv, plan->rotor, to->rotor);
  return to;
}

void
mbdi_plan_f32_inertias(mbdi_plan_f32_t * plan, const mbdi_base_inertia_t * M)
{
  for (int i = 0; i < 2 * plan->nbody; i++) {
    mbdi_base_inertia_f32_t * to = &plan->base_inertia[i];
    to->mass = (float)M[i].mass;
    to->total = (float)M[i].total;
    round_numbers(3, &M[i].h.x, &to->h.x);
    round_numbers(6, &M[i].J.xx, &to->J.xx);
  }
}
