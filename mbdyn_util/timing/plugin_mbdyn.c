// Ours as a plug-in. States are in our order already.
//
// The model is built from the links as numbers: our URDF reader takes 4096 links, and the growth
// curves go further.
#include "plugin_mbdyn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "soa_derivatives.h"

typedef struct ours {
  const bench_robot_t * robot;
  mbd_model_t * model;
  mbd_data_t * data;
  int * frame;           // [nframe]
  mbd_task_t * task;     // all six rows of each frame                    [nframe]
  double * work;         // of mbd_task_inertia
  mbd_status_t status;   // of the last call
  double * vector;       // [nv]
  double * matrix;       // [nv x nv]
  double * derivatives;  // [3 nv x nv]
  double * derivatives_work;
  double * jacobian;  // [6 x nv]
  double * inertia;   // [(6 nframe)^2]
  mbd_motion_t bias;
  mbd_force_t momentum;
  double energy;
  mbd_wrench_t wrench;    // on frame 0
  double * q_out;         // [nq]
  double * contact_work;  // of mbd_contact_step
  mbd_batch_t * batch;
  int * link;     // frames of all moving links                     [nlink]
  int * link_of;  // where each frame is among them                 [nframe]
  int nlink;
  double * batch_result;  // results of a batch                             [batch x the largest]
  // states as SoA, `batch` after each other; a result of numbers, and of packed matrices
  double *soa_q, *soa_v, *soa_a, *soa_tau, *soa_x, *soa_M;
  soa_derivatives_t * soa_derivatives;
  double * many_derivatives;  // three matrices of each state            [3 x batch x nv x nv]
  mbd_batch_f32_t * batch_f32;
  float *f32_q, *f32_v, *f32_a, *f32_tau, *f32_x, *f32_M;  // as soa_q, ...
} ours_t;

// 3 nv^2 numbers of every state: beyond, memory is measured
enum { BATCH_DERIVATIVES_MAX = 128 };

static const mbd_reference_t aligned = MBD_LOCAL_WORLD_ALIGNED;

//---------- loading ----------

static void
unload(void * loaded)
{
  ours_t * o = loaded;
  if (o == NULL) return;
  mbd_batch_destroy(o->batch);
  mbd_data_destroy(o->data);
  mbd_model_destroy(o->model);
  free(o->link), free(o->link_of), free(o->batch_result);
  free(o->soa_q), free(o->soa_v), free(o->soa_a);
  free(o->soa_tau), free(o->soa_x), free(o->soa_M);
  free(o->many_derivatives);
  soa_derivatives_destroy(o->soa_derivatives);
  mbd_batch_f32_destroy(o->batch_f32);
  free(o->f32_q), free(o->f32_v), free(o->f32_a);
  free(o->f32_tau), free(o->f32_x), free(o->f32_M);
  free(o->frame);
  free(o->task);
  free(o->work);
  free(o->vector), free(o->matrix);
  free(o->derivatives);
  free(o->derivatives_work);
  free(o->jacobian);
  free(o->inertia);
  free(o->q_out);
  free(o->contact_work);
  free(o);
}

static mbd_body_spec_t
spec_of(const bench_robot_t * robot, int i)
{
  const bench_link_t * link = &robot->link[i];
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = link->name;
  spec.joint_name = i == 0 ? "root_joint" : link->joint;
  spec.type = link->prismatic ? MBD_JOINT_PRISMATIC : MBD_JOINT_REVOLUTE;
  if (i == 0) spec.type = robot->floating ? MBD_JOINT_FREE : MBD_JOINT_FIXED;
  if (i > 0) spec.axis = mbdu_vec3(link->axis[0], link->axis[1], link->axis[2]);
  memcpy(spec.placement.R.m, link->R, sizeof link->R);
  spec.placement.p = mbdu_vec3(link->p[0], link->p[1], link->p[2]);
  const double * I = link->inertia;
  const mbd_sym3_t moments = {I[0], I[1], I[2], I[3], I[4], I[5]};
  const mbd_vec3_t com = {link->com[0], link->com[1], link->com[2]};
  if (link->mass > 0) spec.inertia = mbdu_inertia_from_com(link->mass, com, moments);
  return spec;
}

// frame indices come out in the order of the links
static mbd_status_t
add_bodies(mbd_model_t * model, const bench_robot_t * robot)
{
  const double * g = robot->gravity;
  mbd_status_t status = mbd_model_set_gravity(model, mbdu_vec3(g[0], g[1], g[2]));
  int * frame = calloc((size_t)robot->nlink, sizeof *frame);
  if (frame == NULL) return MBD_ERROR_OUT_OF_MEMORY;
  for (int i = 0; i < robot->nlink && status == MBD_OK; i++) {
    mbd_body_spec_t spec = spec_of(robot, i);
    spec.parent = i == 0 ? MBD_WORLD_BODY : frame[robot->link[i].parent];
    status = mbd_model_add_body(model, &spec, &frame[i]);
  }
  free(frame);
  return status == MBD_OK ? mbd_model_finalize(model) : status;
}

// where vectors of the processor begin, as the matrices of other libraries do
static double *
aligned_numbers(size_t n)
{
  const size_t bytes = (n * sizeof(double) / 64 + 1) * 64;
  double * x = aligned_alloc(64, bytes);
  if (x) memset(x, 0, bytes);
  return x;
}

static bool
make_workspaces(ours_t * o)
{
  const size_t nv = (size_t)o->robot->nv, nframe = (size_t)o->robot->nframe;
  o->frame = calloc(nframe + 1, sizeof *o->frame);
  o->task = calloc(nframe + 1, sizeof *o->task);
  o->vector = aligned_numbers(nv);
  o->matrix = aligned_numbers(o->robot->dense ? nv * nv : 0);
  o->derivatives = aligned_numbers(o->robot->dense ? 3 * nv * nv : 0);
  o->derivatives_work = aligned_numbers(o->robot->dense ? mbd_derivatives_work(o->model) : 0);
  o->jacobian = aligned_numbers(6 * nv);
  o->inertia = aligned_numbers(36 * nframe * nframe);
  o->q_out = aligned_numbers((size_t)o->robot->nq);
  o->contact_work = aligned_numbers(mbd_contact_work(o->model, 0));
  o->link = calloc((size_t)o->model->nframe, sizeof *o->link);
  o->link_of = calloc(nframe + 1, sizeof *o->link_of);
  // a matrix, placements of all links, or a Jacobian
  const size_t largest = (o->robot->dense ? nv * nv : 0) + 12 * (size_t)o->model->nframe + 6 * nv;
  o->batch_result = aligned_numbers((size_t)o->robot->batch * largest);
  const bool several = o->robot->dense && nv <= BATCH_DERIVATIVES_MAX;
  o->many_derivatives = aligned_numbers(several ? (size_t)o->robot->batch * 3 * nv * nv : 0);
  return o->frame && o->task && o->vector && o->matrix && o->jacobian && o->inertia && o->link &&
         o->link_of && o->batch_result && o->derivatives && o->derivatives_work && o->q_out &&
         o->contact_work && o->many_derivatives;
}

// frames of all links that move, and which of them are asked for
static void
find_links(ours_t * o)
{
  for (int i = 0; i < o->model->nframe; i++) {
    if (o->model->frame[i].body < 0 || !o->model->frame[i].is_link) continue;
    for (int k = 0; k < o->robot->nframe; k++)
      if (o->frame[k] == i) o->link_of[k] = o->nlink;
    o->link[o->nlink++] = i;
  }
}

// all states, in groups of `batch`, each of which has whole blocks; NULL if out of memory
static double *
to_soa(const ours_t * o, size_t width, const double * from)
{
  const int batch = o->robot->batch, groups = o->robot->nstate / batch;
  const size_t size = mbd_batch_soa_size(o->batch, batch, width);
  double * to = aligned_numbers((size_t)groups * size);
  for (int g = 0; to && g < groups; g++) {
    const double * group = from + (size_t)(g * batch) * width;
    if (mbd_batch_to_soa(o->batch, batch, width, group, to + (size_t)g * size)) break;
  }
  return to;
}

static bool
make_soa(ours_t * o)
{
  const bench_robot_t * r = o->robot;
  const size_t nv = (size_t)r->nv, packed = r->dense ? mbd_batch_mass_numbers(o->batch) : 0;
  o->soa_q = to_soa(o, (size_t)r->nq, r->q);
  o->soa_v = to_soa(o, nv, r->v);
  o->soa_a = to_soa(o, nv, r->a);
  o->soa_tau = to_soa(o, nv, r->tau);
  o->soa_x = aligned_numbers(mbd_batch_soa_size(o->batch, r->batch, nv));
  o->soa_M = aligned_numbers(mbd_batch_soa_size(o->batch, r->batch, packed));
  return o->soa_q && o->soa_v && o->soa_a && o->soa_tau && o->soa_x && o->soa_M;
}

static float *
aligned_floats(size_t n)
{
  return (float *)(void *)aligned_numbers(n / 2 + 1);
}

// as to_soa
static float *
to_soa_f32(const ours_t * o, size_t width, const double * from)
{
  const int batch = o->robot->batch, groups = o->robot->nstate / batch;
  const size_t size = mbd_batch_f32_soa_size(o->batch_f32, batch, width);
  const size_t numbers = (size_t)batch * width;
  float *to = aligned_floats((size_t)groups * size), *group = aligned_floats(numbers);
  for (int g = 0; to && group && g < groups; g++) {
    for (size_t i = 0; i < numbers; i++) group[i] = (float)from[(size_t)g * numbers + i];
    if (mbd_batch_f32_to_soa(o->batch_f32, batch, width, group, to + (size_t)g * size)) break;
  }
  free(group);
  return to;
}

static bool
make_f32(ours_t * o)
{
  const bench_robot_t * r = o->robot;
  const size_t nv = (size_t)r->nv, packed = r->dense ? mbd_batch_f32_mass_numbers(o->batch_f32) : 0;
  o->f32_q = to_soa_f32(o, (size_t)r->nq, r->q);
  o->f32_v = to_soa_f32(o, nv, r->v);
  o->f32_a = to_soa_f32(o, nv, r->a);
  o->f32_tau = to_soa_f32(o, nv, r->tau);
  o->f32_x = aligned_floats(mbd_batch_f32_soa_size(o->batch_f32, r->batch, nv));
  o->f32_M = aligned_floats(mbd_batch_f32_soa_size(o->batch_f32, r->batch, packed));
  return o->f32_q && o->f32_v && o->f32_a && o->f32_tau && o->f32_x && o->f32_M;
}

static mbd_status_t
find_frames(ours_t * o)
{
  for (int i = 0; i < o->robot->nframe; i++) {
    const mbd_status_t status = mbd_find_frame(o->model, o->robot->frame[i], &o->frame[i]);
    if (status != MBD_OK) return status;
    o->task[i] = mbdu_task_frame(o->frame[i], aligned);
  }
  find_links(o);
  static const double w[6] = BENCH_WRENCH;
  o->wrench = (mbd_wrench_t){
    o->frame[0],
    MBD_LOCAL,
    {.ang = mbdu_vec3(w[0], w[1], w[2]), .lin = mbdu_vec3(w[3], w[4], w[5])}};
  mbd_status_t status = mbd_batch_create(o->model, 1, &o->batch);
  if (status == MBD_OK) status = mbd_batch_f32_create(o->model, 1, &o->batch_f32);
  if (status != MBD_OK) return status;
  if (!make_soa(o) || !make_f32(o)) return MBD_ERROR_OUT_OF_MEMORY;
  if (o->robot->dense && o->robot->nv <= BATCH_DERIVATIVES_MAX) {
    o->soa_derivatives = soa_derivatives_create(o->model, o->robot);
    if (o->soa_derivatives == NULL) return MBD_ERROR_OUT_OF_MEMORY;
  }
  const mbd_tasks_t tasks = {o->robot->nframe, o->task};
  o->work = calloc(mbd_task_work(o->model, &tasks) + 1, sizeof *o->work);
  if (o->work == NULL) return MBD_ERROR_OUT_OF_MEMORY;
  return mbd_data_create(o->model, &o->data);
}

void *
bench_mbdyn_adopt(mbd_model_t * model, const bench_robot_t * robot, char * why)
{
  ours_t * o = calloc(1, sizeof *o);
  if (o == NULL) {
    mbd_model_destroy(model);
    return snprintf(why, BENCH_WHY, "out of memory"), NULL;
  }
  o->robot = robot;
  o->model = model;
  mbd_status_t status = make_workspaces(o) ? find_frames(o) : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) return o;
  snprintf(why, BENCH_WHY, "%s", mbd_status_string(status));
  unload(o);
  return NULL;
}

// joints must come out in the order in which they went in
static bool
same_order(const mbd_model_t * model, const bench_robot_t * robot)
{
  const int first = robot->floating ? 1 : 0;
  if (model->nv != robot->nv || model->nbody != robot->njoint + first) return false;
  for (int i = 0; i < robot->njoint; i++)
    if (strcmp(model->body[i + first].joint_name, robot->joint[i]) != 0) return false;
  return true;
}

static void *
load(const bench_robot_t * robot, char * why)
{
  mbd_model_t * model = NULL;
  mbd_status_t status = mbd_model_create(robot->name, &model);
  if (status == MBD_OK) status = add_bodies(model, robot);
  if (status == MBD_OK && same_order(model, robot)) return bench_mbdyn_adopt(model, robot, why);
  const char * reason = status != MBD_OK ? mbd_status_string(status) : "joints are out of order";
  snprintf(why, BENCH_WHY, "%s", reason);
  mbd_model_destroy(model);
  return NULL;
}

//---------- calls ----------

// a step that the next ones need
#define DO(step)                     \
  do {                               \
    o->status = (step);              \
    if (o->status != MBD_OK) return; \
  } while (0)

#define Q(state)   (o->robot->q + (size_t)(state) * (size_t)o->robot->nq)
#define V(state)   (o->robot->v + (size_t)(state) * (size_t)o->robot->nv)
#define A(state)   (o->robot->a + (size_t)(state) * (size_t)o->robot->nv)
#define TAU(state) (o->robot->tau + (size_t)(state) * (size_t)o->robot->nv)

static void
forward_kinematics(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_position(o->model, o->data, Q(state)));
}

static void
inverse_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_inverse_dynamics(o->model, o->data, Q(state), V(state), A(state), NULL, o->vector));
}

static void
gravity(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_gravity(o->model, o->data, o->vector));
}

static void
bias(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), V(state)));
  DO(mbd_bias(o->model, o->data, o->vector));
}

static void
mass_matrix(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_mass_matrix(o->model, o->data, o->matrix));
}

static void
forward_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_forward_dynamics(o->model, o->data, Q(state), V(state), TAU(state), NULL, o->vector));
}

static void
mass_inverse(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_mass_matrix_inverse(o->model, o->data, o->matrix));
}

static void
inverse_derivatives(void * loaded, int state)
{
  ours_t * o = loaded;
  const size_t size = (size_t)o->robot->nv * (size_t)o->robot->nv;
  double *dq = o->derivatives, *dv = dq + size, *M = dv + size;
  DO(mbd_inverse_dynamics_derivatives(
    o->model, o->data, Q(state), V(state), A(state), NULL, o->derivatives_work, dq, dv, M));
}

static void
forward_derivatives(void * loaded, int state)
{
  ours_t * o = loaded;
  const size_t size = (size_t)o->robot->nv * (size_t)o->robot->nv;
  double *dq = o->derivatives, *dv = dq + size, *M_inv = dv + size;
  DO(mbd_forward_dynamics_derivatives(
    o->model, o->data, Q(state), V(state), TAU(state), NULL, o->derivatives_work, o->vector, dq, dv,
    M_inv));
}

static void
jacobian(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_jacobian(o->model, o->data, o->frame[0], aligned, o->jacobian));
}

static void
jacobian_bias(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), V(state)));
  DO(mbd_jacobian_bias(o->model, o->data, o->frame[0], aligned, &o->bias));
}

static void
operational_inertia(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_operational_space_inertia(o->model, o->data, o->frame[0], aligned, o->inertia, NULL));
}

static void
operational_inertias(void * loaded, int state)
{
  ours_t * o = loaded;
  const mbd_tasks_t tasks = {o->robot->nframe, o->task};
  DO(mbd_set_state(o->model, o->data, Q(state), NULL));
  DO(mbd_task_inertia(o->model, o->data, &tasks, NULL, o->work, o->inertia, NULL));
}

static void
centroidal_momentum(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), V(state)));
  DO(mbd_centroidal_momentum(o->model, o->data, &o->momentum));
}

static void
kinetic_energy(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), V(state)));
  DO(mbd_kinetic_energy(o->model, o->data, &o->energy));
}

static void
inverse_dynamics_wrench(void * loaded, int state)
{
  ours_t * o = loaded;
  const mbd_wrenches_t f = {1, &o->wrench};
  DO(mbd_inverse_dynamics(o->model, o->data, Q(state), V(state), A(state), &f, o->vector));
}

static void
forward_dynamics_wrench(void * loaded, int state)
{
  ours_t * o = loaded;
  const mbd_wrenches_t f = {1, &o->wrench};
  DO(mbd_forward_dynamics(o->model, o->data, Q(state), V(state), TAU(state), &f, o->vector));
}

static void
integrate(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_integrate(o->model, Q(state), V(state), BENCH_TIME_STEP, o->q_out));
}

static void
contact_step(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_set_state(o->model, o->data, Q(state), V(state)));
  DO(mbd_contact_step(
    o->model, o->data, TAU(state), NULL, BENCH_TIME_STEP, 0, NULL, NULL, o->contact_work, o->vector,
    NULL, NULL, NULL));
  DO(mbd_integrate(o->model, Q(state), o->vector, BENCH_TIME_STEP, o->q_out));
}

static void
batch_inverse_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_batch_inverse_dynamics(
    o->batch, o->robot->batch, Q(state), V(state), A(state), o->batch_result));
}

static void
batch_forward_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_batch_forward_dynamics(
    o->batch, o->robot->batch, Q(state), V(state), TAU(state), o->batch_result));
}

static void
batch_mass_matrix(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_batch_mass_matrix(o->batch, o->robot->batch, Q(state), o->batch_result));
}

static void
batch_bias(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_batch_bias(o->batch, o->robot->batch, Q(state), V(state), o->batch_result));
}

static void
batch_gravity(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(mbd_batch_gravity(o->batch, o->robot->batch, Q(state), o->batch_result));
}

// of all links, as other libraries do it
static void
batch_kinematics(void * loaded, int state)
{
  ours_t * o = loaded;
  mbd_placement_t * X = (mbd_placement_t *)(void *)o->batch_result;
  DO(mbd_batch_frame_placements(o->batch, o->robot->batch, Q(state), o->nlink, o->link, X));
}

static void
batch_jacobian(void * loaded, int state)
{
  ours_t * o = loaded;
  DO(
    mbd_batch_jacobian(o->batch, o->robot->batch, Q(state), o->frame[0], aligned, o->batch_result));
}

static void
batch_inverse_derivatives(void * loaded, int state)
{
  ours_t * o = loaded;
  const int n = o->robot->batch;
  const size_t size = (size_t)n * (size_t)o->robot->nv * (size_t)o->robot->nv;
  double *dq = o->many_derivatives, *dv = dq + size, *M = dv + size;
  DO(mbd_batch_inverse_dynamics_derivatives(
    o->batch, n, Q(state), V(state), A(state), o->derivatives_work, dq, dv, M));
}

static void
batch_forward_derivatives(void * loaded, int state)
{
  ours_t * o = loaded;
  const int n = o->robot->batch;
  const size_t size = (size_t)n * (size_t)o->robot->nv * (size_t)o->robot->nv;
  double *dq = o->many_derivatives, *dv = dq + size, *M_inv = dv + size;
  DO(mbd_batch_forward_dynamics_derivatives(
    o->batch, n, Q(state), V(state), TAU(state), o->derivatives_work, o->batch_result, dq, dv,
    M_inv));
}

// where the states of a batch begin in a SoA array
static const double *
soa_at(const ours_t * o, const double * soa, int state, int width)
{
  const int batch = o->robot->batch;
  return soa + (size_t)(state / batch) * mbd_batch_soa_size(o->batch, batch, (size_t)width);
}

static void
soa_inverse_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  const int nq = o->robot->nq, nv = o->robot->nv;
  DO(mbd_batch_inverse_dynamics_soa(
    o->batch, o->robot->batch, soa_at(o, o->soa_q, state, nq), soa_at(o, o->soa_v, state, nv),
    soa_at(o, o->soa_a, state, nv), o->soa_x));
}

#define SOA_DERIVATIVES(NAME, FUNCTION)                           \
  static void NAME(void * loaded, int state)                      \
  {                                                               \
    ours_t * o = loaded;                                          \
    DO(soa_derivatives_run(o->soa_derivatives, FUNCTION, state)); \
  }

SOA_DERIVATIVES(soa_inverse_derivatives, BENCH_SOA_INVERSE_DERIVATIVES)
SOA_DERIVATIVES(soa_forward_derivatives, BENCH_SOA_FORWARD_DERIVATIVES)
SOA_DERIVATIVES(f32_inverse_derivatives, BENCH_F32_INVERSE_DERIVATIVES)
SOA_DERIVATIVES(f32_forward_derivatives, BENCH_F32_FORWARD_DERIVATIVES)

static void
soa_forward_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  const int nq = o->robot->nq, nv = o->robot->nv;
  DO(mbd_batch_forward_dynamics_soa(
    o->batch, o->robot->batch, soa_at(o, o->soa_q, state, nq), soa_at(o, o->soa_v, state, nv),
    soa_at(o, o->soa_tau, state, nv), o->soa_x));
}

static void
soa_mass_matrix(void * loaded, int state)
{
  ours_t * o = loaded;
  const double * q = soa_at(o, o->soa_q, state, o->robot->nq);
  DO(mbd_batch_mass_matrix_soa(o->batch, o->robot->batch, q, o->soa_M));
}

static const float *
f32_at(const ours_t * o, const float * soa, int state, int width)
{
  const int batch = o->robot->batch;
  return soa + (size_t)(state / batch) * mbd_batch_f32_soa_size(o->batch_f32, batch, (size_t)width);
}

static void
f32_inverse_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  const int nq = o->robot->nq, nv = o->robot->nv;
  DO(mbd_batch_f32_inverse_dynamics_soa(
    o->batch_f32, o->robot->batch, f32_at(o, o->f32_q, state, nq), f32_at(o, o->f32_v, state, nv),
    f32_at(o, o->f32_a, state, nv), o->f32_x));
}

static void
f32_forward_dynamics(void * loaded, int state)
{
  ours_t * o = loaded;
  const int nq = o->robot->nq, nv = o->robot->nv;
  DO(mbd_batch_f32_forward_dynamics_soa(
    o->batch_f32, o->robot->batch, f32_at(o, o->f32_q, state, nq), f32_at(o, o->f32_v, state, nv),
    f32_at(o, o->f32_tau, state, nv), o->f32_x));
}

static void
f32_mass_matrix(void * loaded, int state)
{
  ours_t * o = loaded;
  const float * q = f32_at(o, o->f32_q, state, o->robot->nq);
  DO(mbd_batch_f32_mass_matrix_soa(o->batch_f32, o->robot->batch, q, o->f32_M));
}

static const bench_variant_t variants[] = {
  {BENCH_FORWARD_KINEMATICS, NULL, forward_kinematics},
  {BENCH_INVERSE_DYNAMICS, NULL, inverse_dynamics},
  {BENCH_GRAVITY, NULL, gravity},
  {BENCH_BIAS, NULL, bias},
  {BENCH_MASS_MATRIX, NULL, mass_matrix},
  {BENCH_FORWARD_DYNAMICS, NULL, forward_dynamics},
  {BENCH_MASS_INVERSE, NULL, mass_inverse},
  {BENCH_JACOBIAN, NULL, jacobian},
  {BENCH_JACOBIAN_BIAS, NULL, jacobian_bias},
  {BENCH_OPERATIONAL_INERTIA, NULL, operational_inertia},
  {BENCH_OPERATIONAL_INERTIAS, NULL, operational_inertias},
  {BENCH_CENTROIDAL_MOMENTUM, NULL, centroidal_momentum},
  {BENCH_BATCH_INVERSE_DYNAMICS, NULL, batch_inverse_dynamics},
  {BENCH_BATCH_FORWARD_DYNAMICS, NULL, batch_forward_dynamics},
  {BENCH_BATCH_MASS_MATRIX, NULL, batch_mass_matrix},
  {BENCH_BATCH_BIAS, NULL, batch_bias},
  {BENCH_BATCH_GRAVITY, NULL, batch_gravity},
  {BENCH_BATCH_KINEMATICS, NULL, batch_kinematics},
  {BENCH_BATCH_JACOBIAN, NULL, batch_jacobian},
  {BENCH_SOA_INVERSE_DYNAMICS, NULL, soa_inverse_dynamics},
  {BENCH_SOA_FORWARD_DYNAMICS, NULL, soa_forward_dynamics},
  {BENCH_SOA_MASS_MATRIX, NULL, soa_mass_matrix},
  {BENCH_INVERSE_DERIVATIVES, NULL, inverse_derivatives},
  {BENCH_FORWARD_DERIVATIVES, NULL, forward_derivatives},
  {BENCH_KINETIC_ENERGY, NULL, kinetic_energy},
  {BENCH_INVERSE_DYNAMICS_WRENCH, NULL, inverse_dynamics_wrench},
  {BENCH_FORWARD_DYNAMICS_WRENCH, NULL, forward_dynamics_wrench},
  {BENCH_INTEGRATE, NULL, integrate},
  {BENCH_CONTACT_STEP, NULL, contact_step},
  {BENCH_BATCH_INVERSE_DERIVATIVES, NULL, batch_inverse_derivatives},
  {BENCH_BATCH_FORWARD_DERIVATIVES, NULL, batch_forward_derivatives},
  {BENCH_F32_INVERSE_DYNAMICS, NULL, f32_inverse_dynamics},
  {BENCH_F32_FORWARD_DYNAMICS, NULL, f32_forward_dynamics},
  {BENCH_F32_MASS_MATRIX, NULL, f32_mass_matrix},
  {BENCH_SOA_INVERSE_DERIVATIVES, NULL, soa_inverse_derivatives},
  {BENCH_SOA_FORWARD_DERIVATIVES, NULL, soa_forward_derivatives},
  {BENCH_F32_INVERSE_DERIVATIVES, NULL, f32_inverse_derivatives},
  {BENCH_F32_FORWARD_DERIVATIVES, NULL, f32_forward_derivatives},
  {BENCH_FUNCTIONS, NULL, NULL},
};

//---------- results ----------

static void
copy(double * out, const double * in, size_t n)
{
  memcpy(out, in, n * sizeof *out);
}

static void
six(mbd_vec3_t ang, mbd_vec3_t lin, double * out)
{
  out[0] = ang.x, out[1] = ang.y, out[2] = ang.z;
  out[3] = lin.x, out[4] = lin.y, out[5] = lin.z;
}

static bool
placements(ours_t * o, double * out)
{
  for (int i = 0; i < o->robot->nframe; i++) {
    mbd_placement_t X;
    if (mbd_frame_placement(o->model, o->data, o->frame[i], &X) != MBD_OK) return false;
    copy(out + 12 * i, X.R.m, 9);
    out[12 * i + 9] = X.p.x, out[12 * i + 10] = X.p.y, out[12 * i + 11] = X.p.z;
  }
  return true;
}

// of each state the placements of the frames that are asked for
static void
batch_placements(const ours_t * o, double * out)
{
  const double * in = o->batch_result;
  for (int s = 0; s < o->robot->batch; s++, in += 12 * o->nlink)
    for (int k = 0; k < o->robot->nframe; k++, out += 12) copy(out, in + 12 * o->link_of[k], 12);
}

// of each state the three matrices
static void
batch_derivatives(const ours_t * o, double * out)
{
  const size_t one = (size_t)o->robot->nv * (size_t)o->robot->nv, batch = (size_t)o->robot->batch;
  for (size_t s = 0; s < batch; s++)
    for (size_t k = 0; k < 3; k++)
      copy(out + (3 * s + k) * one, o->many_derivatives + (k * batch + s) * one, one);
}

// a number of a state in a SoA array
static double
f32_number(const ours_t * o, const float * soa, size_t width, size_t state, size_t k)
{
  const size_t length = (size_t)mbd_batch_f32_vector_length(o->batch_f32);
  return (double)soa[(state / length * width + k) * length + state % length];
}

static void
f32_vectors(const ours_t * o, double * out)
{
  const size_t nv = (size_t)o->robot->nv;
  for (size_t s = 0; s < (size_t)o->robot->batch; s++)
    for (size_t k = 0; k < nv; k++) *out++ = f32_number(o, o->f32_x, nv, s, k);
}

static bool
f32_matrices(const ours_t * o, double * out)
{
  const size_t n = mbd_batch_f32_mass_numbers(o->batch_f32), nv = (size_t)o->robot->nv;
  int *row = calloc(n, sizeof *row), *column = calloc(n, sizeof *column);
  const bool fine =
    row && column && mbd_batch_f32_mass_pattern(o->batch_f32, row, column) == MBD_OK;
  memset(out, 0, (size_t)o->robot->batch * nv * nv * sizeof *out);
  for (size_t s = 0; fine && s < (size_t)o->robot->batch; s++, out += nv * nv) {
    for (size_t k = 0; k < n; k++) {
      const size_t i = (size_t)row[k], j = (size_t)column[k];
      out[i * nv + j] = out[j * nv + i] = f32_number(o, o->f32_M, n, s, k);
    }
  }
  free(row), free(column);
  return fine;
}

static bool
able(void * loaded, int variant)
{
  const ours_t * o = loaded;
  const bench_function_t f = variants[variant].function;
  const bool large = f == BENCH_BATCH_INVERSE_DERIVATIVES || f == BENCH_BATCH_FORWARD_DERIVATIVES ||
                     f >= BENCH_SOA_INVERSE_DERIVATIVES;
  return !large || o->robot->nv <= BATCH_DERIVATIVES_MAX;
}

static bool
result(void * loaded, int variant, int state, double * out)
{
  ours_t * o = loaded;
  const size_t nv = (size_t)o->robot->nv, nframe = (size_t)o->robot->nframe;
  if (o->status != MBD_OK) return false;
  switch (variants[variant].function) {
    case BENCH_FORWARD_KINEMATICS: return placements(o, out);
    case BENCH_MASS_MATRIX:
    case BENCH_MASS_INVERSE: copy(out, o->matrix, nv * nv); break;
    case BENCH_INVERSE_DERIVATIVES:
    case BENCH_FORWARD_DERIVATIVES: copy(out, o->derivatives, 3 * nv * nv); break;
    case BENCH_JACOBIAN: copy(out, o->jacobian, 6 * nv); break;
    case BENCH_JACOBIAN_BIAS: six(o->bias.ang, o->bias.lin, out); break;
    case BENCH_OPERATIONAL_INERTIA: copy(out, o->inertia, 36); break;
    case BENCH_OPERATIONAL_INERTIAS: copy(out, o->inertia, 36 * nframe * nframe); break;
    case BENCH_CENTROIDAL_MOMENTUM: six(o->momentum.ang, o->momentum.lin, out); break;
    case BENCH_KINETIC_ENERGY: out[0] = o->energy; break;
    case BENCH_INTEGRATE: copy(out, o->q_out, (size_t)o->robot->nq); break;
    case BENCH_CONTACT_STEP:
      for (size_t i = 0; i < nv; i++) out[i] = (o->vector[i] - V(state)[i]) / BENCH_TIME_STEP;
      break;
    case BENCH_BATCH_KINEMATICS: batch_placements(o, out); break;
    case BENCH_BATCH_INVERSE_DERIVATIVES:
    case BENCH_BATCH_FORWARD_DERIVATIVES: batch_derivatives(o, out); break;
    case BENCH_F32_INVERSE_DYNAMICS:
    case BENCH_F32_FORWARD_DYNAMICS: f32_vectors(o, out); break;
    case BENCH_F32_MASS_MATRIX: return f32_matrices(o, out);
    case BENCH_SOA_INVERSE_DERIVATIVES:
    case BENCH_SOA_FORWARD_DERIVATIVES:
    case BENCH_F32_INVERSE_DERIVATIVES:
    case BENCH_F32_FORWARD_DERIVATIVES:
      return soa_derivatives_result(o->soa_derivatives, variants[variant].function, out);
    case BENCH_SOA_INVERSE_DYNAMICS:
    case BENCH_SOA_FORWARD_DYNAMICS:
      return mbd_batch_from_soa(o->batch, o->robot->batch, nv, o->soa_x, out) == MBD_OK;
    case BENCH_SOA_MASS_MATRIX:
      return mbd_batch_mass_from_soa(o->batch, o->robot->batch, o->soa_M, out) == MBD_OK;
    default:
      if (bench_functions[variants[variant].function].batch)
        copy(out, o->batch_result, bench_result_size(o->robot, variants[variant].function));
      else
        copy(out, o->vector, nv);
  }
  return true;
}

const bench_plugin_t bench_mbdyn = {
  .version = BENCH_PLUGIN_VERSION,
  .name = "mbdyn",
  .library = MBDYN_VERSION,
  .variant = variants,
  .load = load,
  .able = able,
  .result = result,
  .unload = unload,
};

#ifdef BENCH_SHARED
const bench_plugin_t *
bench_plugin_get(void)
{
  return &bench_mbdyn;
}
#endif
