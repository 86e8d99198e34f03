// One block of states, by the batch kernels: as many states as a vector has elements.
#include <string.h>

#include "api/batch_internal.h"
#include "model/joint.h"
#include "simd/simd_args.h"
#include "state/state.h"
#include "tree/sweeps.h"

// regrouped inertias for the kernels: those of the workspace, or where its engine has none, our own
static const mbdi_base_inertia_t *
base_inertias(const mbdi_plan_t * plan, batch_worker_t * r)
{
  struct mbdi_data * work = r->data->work;
  mbdi_base_inertia_t * M = work->base_inertia ? work->base_inertia : r->base_inertia;
  if (__builtin_expect(!work->base_inertia_ready, 0)) mbdi_base_inertias(plan, r->data->inertia, M);
  work->base_inertia_ready = true;
  return M;
}

// Gravity of all states of a block; not in every call, where the kernel would stall on these stores.
void
mbdi_batch_splat_gravity(const mbd_batch_t * batch, batch_worker_t * r)
{
  const int length = batch->vector_length;
  const double g[3] = {r->data->gravity.x, r->data->gravity.y, r->data->gravity.z};
  for (int k = 0; batch->kernels && k < 3; k++) {
    for (int j = 0; j < length; j++) r->gravity[k * length + j] = g[k];
  }
}

// numbers of one state in vectors, from a multiple of the vector length on
static void
scatter(const double * from, int n, int length, int state, double * to)
{
  for (int k = 0; k < n; k++) to[k * length + state] = from[k];
}

// motion subspaces that do not depend on q
void
mbdi_batch_constant_subspaces(const mbd_batch_t * batch, batch_worker_t * r)
{
  const mbdi_plan_t * plan = batch->model->internal->plan;
  const int length = batch->vector_length;
  for (int k = 0; batch->kernels && k < plan->ngeneral; k++) {
    const mbd_body_t * body = &batch->model->body[plan->general_body[k]];
    mbd_motion_t S[6];
    mbdi_joint_constant_subspace(body, S);
    for (int state = 0; state < length; state++) {
      scatter(&S->ang.x, 6 * body->nv, length, state, r->S + 6 * body->v_index * length);
    }
  }
}

// one general joint of all states of a block; v: with dS/dt
static __attribute__((noinline)) void
load_general_joint(const mbd_batch_t * batch, batch_worker_t * r, int k, bool with_rate)
{
  const mbd_body_t * body = &batch->model->body[batch->model->internal->plan->general_body[k]];
  const mbdi_joint_ops_t * ops = &mbdi_joint_ops[body->type];
  const int length = batch->vector_length;
  double * to = r->general + k * GENERAL_NUMBERS * length;
  double sine[2][8], cosine[2][8];
  for (int a = 0; a < ops->nangle; a++) {
    const double * x = r->q + (body->q_index + ops->first_angle + a) * length;
    batch->kernels->sincos(length, x, sine[a], cosine[a]);
  }
  bool moves = false;
  for (int state = 0; state < length; state++) {
    const double s[2] = {sine[0][state], sine[1][state]};
    const double c[2] = {cosine[0][state], cosine[1][state]};
    double q[8], v[6];
    mbd_placement_t J;
    mbd_motion_t S[6] = {0}, S_rate[6];
    for (int i = 0; i < body->nq; i++) q[i] = r->q[(body->q_index + i) * length + state];
    ops->local(body, q, s, c, &J, S);
    scatter(J.R.m, 9, length, state, to);
    scatter(&J.p.x, 3, length, state, to + 9 * length);
    if (!ops->moving_subspace) continue;
    scatter(&S->ang.x, 6 * body->nv, length, state, r->S + 6 * body->v_index * length);
    if (!with_rate) continue;
    for (int i = 0; i < body->nv; i++) v[i] = r->v[(body->v_index + i) * length + state];
    moves = mbdi_joint_subspace_rate(body, q, v, S_rate);
    scatter(&S_rate->ang.x, 6 * body->nv, length, state, to + GENERAL_S_RATE * length);
  }
  const int64_t flag = moves;
  memcpy(to + GENERAL_MOVES * length, &flag, sizeof flag);
}

// quaternions of a block to unit length; false if one has none
static bool
normalize(const mbdi_plan_t * plan, double * q, int length)
{
  bool good = true;
  for (int i = 0; i < plan->nquaternion; i++) {
    for (int k = 0; k < length; k++) {
      double * at = q + (size_t)plan->quaternion[i].q * (size_t)length + k;
      double x[4];
      for (int j = 0; j < 4; j++) x[j] = at[j * length];
      good = mbdi_quat_normalize_numbers(x) && good;
      for (int j = 0; j < 4; j++) at[j * length] = x[j];
    }
  }
  return good;
}

// friction of a block added to its torques, state by state
static void
add_friction(const job_t * job, const batch_worker_t * r, double sign, double * torques)
{
  const mbd_model_t * m = job->batch->model;
  const size_t nv = (size_t)m->nv, length = (size_t)job->batch->vector_length;
  double *v = r->one, *friction = r->one + nv;
  if (!(r->data->terms & MBD_TERM_FRICTION)) return;
  for (size_t k = 0; k < length; k++) {
    for (size_t j = 0; j < nv; j++) v[j] = r->v[j * length + k], friction[j] = 0;
    mbdi_add_friction(m, v, sign, friction);
    for (size_t j = 0; j < nv; j++) torques[j * length + k] += friction[j];
  }
}

static mbdi_kernel_t
kernel_of(const mbdi_kernels_t * kernels, const job_t * job)
{
  switch (job->kind) {
    case JOB_INVERSE: return kernels->inverse_dynamics;
    case JOB_BIAS: return kernels->bias;
    case JOB_GRAVITY: return kernels->gravity;
    case JOB_MASS:
      if (job->soa) return kernels->mass_packed;
      return job->batch->model->nv <= PLAN_MATRIX ? kernels->mass_matrix : NULL;
    case JOB_FORWARD: return kernels->forward_dynamics;
    case JOB_PLACEMENTS: return kernels->frame_placements;
    case JOB_JACOBIAN: return kernels->frame_jacobian;
    default: return NULL;
  }
}

// inputs of a block into the worker's memory; false: one is not finite, or a quaternion has zero norm
static bool
load_block(const job_t * job, const mbdi_plan_t * plan, batch_worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const mbdi_kernels_t * kernels = batch->kernels;
  const size_t nq = (size_t)plan->nq, nv = (size_t)plan->nv, at = (size_t)first;
  const bool forward = job->kind == JOB_FORWARD || job->kind == JOB_FORWARD_DERIVATIVES;
  bool (*const in)(const double *, size_t, int, void *) =
    job->soa ? kernels->load_soa : kernels->aos_to_soa;
  if (!in(job->q + at * nq, nq, count, r->q)) return false;
  if (job->v && !in(job->v + at * nv, nv, count, r->v)) return false;
  if (job->u && !in(job->u + at * nv, nv, count, r->u)) return false;
  if (!job->u && forward) memset(r->u, 0, nv * (size_t)batch->vector_length * sizeof *r->u);
  if (forward) add_friction(job, r, -1, r->u);
  if (
    plan->nquaternion > 0 && !kernels->unit_quaternions(plan, r->q) &&
    !normalize(plan, r->q, batch->vector_length)) {
    return false;
  }
  for (int k = 0; k < plan->ngeneral; k++) load_general_joint(batch, r, k, job->v != NULL);
  return true;
}

bool
mbdi_batch_load_block(
  const job_t * job, batch_worker_t * r, int first, int count, mbdi_kernel_args_t * args)
{
  const mbdi_plan_t * plan = job->batch->model->internal->plan;
  const bool forward = job->kind == JOB_FORWARD || job->kind == JOB_FORWARD_DERIVATIVES;
  if (!load_block(job, plan, r, first, count)) return false;
  *args = (mbdi_kernel_args_t){
    .plan = plan,
    .base_inertia = base_inertias(plan, r),
    .rotor = r->data->terms & MBD_TERM_ROTORS ? plan->rotor : NULL,
    .gravity = r->gravity,
    .q = r->q,
    .v = r->v,
    .u = job->u || forward ? r->u : NULL,
    .out = r->out,
    .work = r->work,
    .frames = &job->frames,
    .general = r->general,
    .S = r->S,
    .count = count};
  return true;
}

// false: something is wrong with a state of the block
bool
mbdi_batch_run_block(const job_t * job, batch_worker_t * r, int first, int count)
{
  const mbd_batch_t * batch = job->batch;
  const mbdi_kernels_t * kernels = batch->kernels;
  if (job->work) return mbdi_batch_derivative_block(job, r, first, count);
  const mbdi_kernel_t kernel = kernel_of(kernels, job);
  const mbdi_plan_t * plan = batch->model->internal->plan;
  const bool rotors = r->data->terms & MBD_TERM_ROTORS;
  const bool forward = job->kind == JOB_FORWARD, mass = job->kind == JOB_MASS;
  if (!kernel || (forward && rotors && plan->free_rotor)) return false;
  mbdi_kernel_args_t args;
  if (!mbdi_batch_load_block(job, r, first, count, &args)) return false;
  double * out = job->out + (size_t)first * job->width;
  if (mass) args.out = out;
  if (!kernel(&args)) return false;
  if (mass) return true;
  if (job->kind == JOB_INVERSE) add_friction(job, r, 1, r->out);
  // nothing is written over inputs that may be needed again
  return (job->soa ? kernels->store_soa : kernels->soa_to_aos)(r->out, job->width, count, out);
}
