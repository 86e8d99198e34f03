#include "plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/spatial.h"
#include "plant_internal.h"

//---------- set-up ----------

plant_options_t
plant_options_default(const mbd_model_t * model)
{
  return (plant_options_t){
    .integrator = PLANT_SEMI_IMPLICIT,
    .substeps = 1,
    .max_steps = 100,
    .friction = true,
    .stiction = 1,
    .ground = {.normal = {0, 0, 1}, .friction = 0.8, .clearance = -1},
    .rotors = true,
    .limits = true,
    .gravity = model->gravity};
}

// arrays one after the other; with memory == NULL only counted
static size_t
assign_arrays(plant_t * plant, double * memory)
{
  const size_t nq = (size_t)plant->model->nq, nv = (size_t)plant->model->nv;
  plant_work_t * w = plant->work;
  const struct {
    double ** array;
    size_t n;
  } part[] = {
    {&plant->q, nq},
    {&plant->v, nv},
    {&plant->effort, nv},
    {&w->X, nv * nv},
    {&w->drift, nv},
    {&w->rhs, nv},
    {&w->friction, nv},
    {&w->M, nv * nv},
    {&w->MX, nv * nv},
    {&w->L, nv * nv},
    {&w->x, nv},
    {&w->sign, 2 * nv},
    {&w->force, 2 * nv},
    {&w->held, 2 * nv},
    {&w->response, 2 * nv * nv},
    {&w->q0, nq},
    {&w->v0, nv},
    {&w->u, nv},
    {&w->du, nv},
    {&w->du_sum, nv},
    {&w->dv, nv},
    {&w->dv_sum, nv},
    {&w->assembly, plant->loops ? mbd_assembly_work(plant->model) : 0},
  };
  size_t total = 0;
  for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
    if (memory != NULL) *part[i].array = memory + total;
    total += part[i].n;
  }
  return total;
}

static bool
find_limits(plant_t * plant)
{
  plant_work_t * w = plant->work;
  w->nlimit = mbd_limit_count(plant->model);
  w->limit = calloc((size_t)w->nlimit + 1, sizeof *w->limit);
  for (int k = 0; w->limit != NULL && k < w->nlimit; k++) {
    if (mbd_limit_info(plant->model, k, &w->limit[k]) != MBD_OK) return false;
  }
  return w->limit != NULL;
}

static bool
allocate(plant_t * plant)
{
  const size_t nv = (size_t)plant->model->nv + 1;
  plant->work = calloc(1, sizeof *plant->work);
  if (plant->work == NULL) return false;
  double * memory = calloc(assign_arrays(plant, NULL) + 1, sizeof *memory);
  plant->at_limit = calloc(nv, sizeof *plant->at_limit);
  plant->work->stop = calloc(2 * nv, sizeof *plant->work->stop);
  plant->work->pressed = calloc(2 * nv, sizeof *plant->work->pressed);
  if (memory == NULL) return false;
  assign_arrays(plant, memory);
  return plant->at_limit != NULL && plant->work->stop != NULL && plant->work->pressed != NULL &&
         find_limits(plant);
}

plant_t *
plant_create(const mbd_model_t * model)
{
  plant_t * plant = calloc(1, sizeof *plant);
  if (plant == NULL) return NULL;
  if (
    !plant_embed(plant, model) || !allocate(plant) || !plant_touching_init(plant) ||
    mbd_data_create(plant->model, &plant->data) != MBD_OK) {
    plant_destroy(plant);
    return NULL;
  }
  plant->work->nr = model->nv;
  const plant_options_t options = plant_options_default(model);
  plant_set_options(plant, &options);
  // masses that cannot be accelerated and the like show here, not in the loop
  mbd_status_t status = plant_reset(plant, NULL);
  if (status == MBD_OK) status = plant_close(plant, plant->q, NULL);
  if (status == MBD_OK) status = plant_acceleration(plant, plant->q, plant->v, 0, plant->work->dv);
  if (status == MBD_OK) return plant;
  plant_destroy(plant);
  return NULL;
}

void
plant_destroy(plant_t * plant)
{
  if (plant == NULL) return;
  mbd_data_destroy(plant->data);
  mbd_data_destroy(plant->loops);
  plant_flexible_fini(plant);
  plant_chart_fini(plant);
  plant_touching_fini(plant);
  free(plant->q);  // and all that lies behind it
  free(plant->at_limit);
  if (plant->work != NULL) {
    free(plant->work->stop);
    free(plant->work->pressed);
    free(plant->work->limit);
  }
  free(plant->work);
  free(plant);
}

void
plant_set_options(plant_t * plant, const plant_options_t * options)
{
  plant->options = *options;
  if (plant->options.substeps < 1) plant->options.substeps = 1;
  if (plant->options.max_steps < plant->options.substeps)
    plant->options.max_steps = plant->options.substeps;
  // friction is ours: it is taken at the end of the step
  const uint32_t terms = MBD_TERM_ELEMENTS | (options->rotors ? MBD_TERM_ROTORS : 0);
  mbd_status_t status = mbd_set_terms(plant->data, terms);
  if (status == MBD_OK) status = mbd_set_gravity(plant->data, options->gravity);
  if (status == MBD_OK && plant->loops) status = mbd_set_terms(plant->loops, terms);
  if (status == MBD_OK && plant->loops) status = mbd_set_gravity(plant->loops, options->gravity);
  (void)status;  // a gravity that is not finite leaves the old one
  if (plant->flexible) plant_flexible_options(plant);
  if (plant->chart) plant_chart_options(plant);
}

//---------- state ----------

void
plant_start(const mbd_model_t * model, double * q)
{
  const mbd_status_t status = mbd_neutral(model, q);
  const int n = status == MBD_OK ? mbd_limit_count(model) : 0;
  for (int k = 0; k < n; k++) {
    mbd_limit_t limit;
    // dependent joints are where the others put them
    if (mbd_limit_info(model, k, &limit) != MBD_OK || limit.v_index < 0) continue;
    q[limit.q_index] = fmax(limit.lower, fmin(limit.upper, q[limit.q_index]));
  }
}

mbd_status_t
plant_reset(plant_t * plant, const double * q)
{
  const mbd_model_t * model = plant->model;
  plant_work_t * w = plant->work;
  if (q == NULL)
    plant_start(model, w->q0);
  else
    memcpy(w->q0, q, (size_t)model->nq * sizeof *q);
  mbd_status_t status = mbd_normalize(model, w->q0);
  if (status == MBD_OK) status = plant_assemble(plant, w->q0);
  if (status == MBD_OK) status = plant_place_base(plant, w->q0);
  if (status != MBD_OK) return status;
  memcpy(plant->q, w->q0, (size_t)model->nq * sizeof *w->q0);
  memset(plant->v, 0, (size_t)model->nv * sizeof *plant->v);
  memset(plant->effort, 0, (size_t)model->nv * sizeof *plant->effort);
  memset(plant->at_limit, 0, (size_t)model->nv * sizeof *plant->at_limit);
  plant->npush = 0;
  plant_touching_clear(plant);
  if (plant->flexible) plant_flexible_rest(plant);
  return plant->chart ? plant_chart_reset(plant) : MBD_OK;
}

mbd_status_t
plant_set_velocity(plant_t * plant, const double * v)
{
  double * to = plant->work->v0;
  memcpy(to, v, (size_t)plant->model->nv * sizeof *v);
  const mbd_status_t status = plant_close(plant, plant->q, to);
  if (status != MBD_OK) return status;
  memcpy(plant->v, to, (size_t)plant->model->nv * sizeof *v);
  if (plant->chart) plant_chart_changed(plant, true);
  return MBD_OK;
}

static mbd_status_t
set_payload(mbd_data_t * data, int frame, const mbd_inertia_t * inertia)
{
  if (inertia != NULL) return mbd_payload_attach(data->model, data, frame, inertia);
  const mbd_status_t status = mbd_payload_remove(data->model, data, frame);
  return status == MBD_ERROR_NOT_FOUND ? MBD_OK : status;
}

mbd_status_t
plant_payload(plant_t * plant, int frame, const mbd_inertia_t * inertia)
{
  if (plant->flexible) return set_payload(plant->flexible->data, frame, inertia);
  if (plant->chart) {
    plant_chart_changed(plant, false);
    const mbd_status_t status = set_payload(plant_chart_data(plant), frame, inertia);
    if (status != MBD_OK) return status;
  }
  const mbd_status_t status = set_payload(plant->data, frame, inertia);
  if (status != MBD_OK || !plant->loops) return status;
  return set_payload(plant->loops, frame, inertia);
}

mbd_status_t
plant_energy(plant_t * plant, double * kinetic, double * potential)
{
  if (plant->flexible) return plant_flexible_energy(plant, kinetic, potential);
  // a chart's workspace has the drivers' model; its stages are set by every evaluation
  mbd_data_t * data = plant->chart ? plant_chart_data(plant) : plant->data;
  mbd_status_t status = mbd_set_position(data->model, data, plant->q);
  if (status == MBD_OK) status = mbd_set_velocity(data->model, data, plant->v);
  if (status == MBD_OK) status = mbd_kinetic_energy(data->model, data, kinetic);
  if (status == MBD_OK) status = mbd_potential_energy(data->model, data, potential);
  return status;
}

//---------- pushes ----------

bool
plant_push(plant_t * plant, const plant_push_t * push)
{
  int i = 0;
  while (i < plant->npush && plant->push[i].frame != push->frame) i++;
  if (i == PLANT_PUSHES) return false;
  if (i == plant->npush) plant->npush++;
  plant->push[i] = *push;
  if (!(push->remaining > 0)) plant->push[i] = plant->push[--plant->npush];
  return true;
}

// what acts in the next h seconds; a push that ends within them acts as strongly as is left of it
static void
gather_wrenches(plant_t * plant, double h)
{
  plant_work_t * w = plant->work;
  for (int i = 0; i < plant->npush; i++) {
    const plant_push_t * push = &plant->push[i];
    const double share = push->remaining < h ? push->remaining / h : 1;
    w->wrench[i] = (mbd_wrench_t){
      push->frame,
      push->reference,
      {mbdu_vec3_scale(share, push->f.ang), mbdu_vec3_scale(share, push->f.lin)}};
  }
  w->wrenches = (mbd_wrenches_t){plant->npush, w->wrench};
}

static void
age_pushes(plant_t * plant, double h)
{
  for (int i = 0; i < plant->npush;) {
    plant->push[i].remaining -= h;
    // rounding of many steps is no further step
    if (plant->push[i].remaining > 1e-9 * h)
      i++;
    else
      plant->push[i] = plant->push[--plant->npush];
  }
}

//---------- integrators ----------

static mbd_status_t
semi_implicit(plant_t * plant, double h, double * q, double * v)
{
  plant_work_t * w = plant->work;
  mbd_status_t status = plant_close(plant, plant->q, NULL);
  if (status == MBD_OK) status = plant_acceleration(plant, plant->q, plant->v, h, w->dv);
  if (status != MBD_OK) return status;
  plant_press(w, h);
  for (int k = 0; k < plant->model->nv; k++) v[k] = plant->v[k] + h * w->dv[k];
  return mbd_integrate(plant->model, plant->q, v, h, q);
}

// a joint's velocity as that of a rigid body in child axes, if that is what it is
static bool
to_motion(const mbd_body_t * body, const double * v, mbd_motion_t * V)
{
  const double * x = v + body->v_index;
  *V = (mbd_motion_t){{0, 0, 0}, {0, 0, 0}};
  switch (body->type) {
    case MBD_JOINT_FREE: *V = (mbd_motion_t){{x[3], x[4], x[5]}, {x[0], x[1], x[2]}}; return true;
    case MBD_JOINT_SPHERICAL: V->ang = mbdu_vec3(x[0], x[1], x[2]); return true;
    case MBD_JOINT_PLANAR: *V = (mbd_motion_t){{0, 0, x[2]}, {x[0], x[1], 0}}; return true;
    default: return false;
  }
}

static void
add_motion(const mbd_body_t * body, mbd_motion_t V, double * v)
{
  double * x = v + body->v_index;
  const double free[6] = {V.lin.x, V.lin.y, V.lin.z, V.ang.x, V.ang.y, V.ang.z};
  const double planar[3] = {V.lin.x, V.lin.y, V.ang.z};
  const double * from = body->type == MBD_JOINT_FREE     ? free
                        : body->type == MBD_JOINT_PLANAR ? planar
                                                         : free + 3;
  for (int k = 0; k < body->nv; k++) x[k] += from[k];
}

// rate of u in q = q0 exp(u) at velocity v, to fourth order: v + 1/2 [u, v] + 1/12 [u, [u, v]]
static void
chart_rate(const mbd_model_t * model, const double * u, const double * v, double * rate)
{
  memcpy(rate, v, (size_t)model->nv * sizeof *v);
  for (int i = 0; i < model->nbody; i++) {
    mbd_motion_t U, V;
    if (!to_motion(&model->body[i], u, &U) || !to_motion(&model->body[i], v, &V)) continue;
    const mbd_motion_t one = mbdu_motion_cross(U, V), two = mbdu_motion_cross(U, one);
    const mbd_motion_t more =
      mbdu_motion_add(mbdu_motion_scale(0.5, one), mbdu_motion_scale(1.0 / 12, two));
    add_motion(&model->body[i], more, rate);
  }
}

static mbd_status_t
runge_kutta(plant_t * plant, double h, double * q, double * v)
{
  static const double when[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const mbd_model_t * model = plant->model;
  plant_work_t * w = plant->work;
  const size_t size = (size_t)model->nv * sizeof(double);
  memset(w->du, 0, size), memset(w->dv, 0, size);
  memset(w->du_sum, 0, size), memset(w->dv_sum, 0, size);
  for (int stage = 0; stage < 4; stage++) {
    // du and dv are those of the stage before
    for (int k = 0; k < model->nv; k++) {
      w->u[k] = when[stage] * h * w->du[k];
      v[k] = plant->v[k] + when[stage] * h * w->dv[k];
    }
    mbd_status_t status = mbd_integrate(model, plant->q, w->u, 1, q);
    if (status == MBD_OK) status = plant_close(plant, q, v);
    chart_rate(model, w->u, v, w->du);
    if (status == MBD_OK) status = plant_acceleration(plant, q, v, 0, w->dv);
    if (status != MBD_OK) return status;
    plant_press(w, weight[stage] / 6 * h);
    for (int k = 0; k < model->nv; k++) {
      w->du_sum[k] += weight[stage] / 6 * w->du[k];
      w->dv_sum[k] += weight[stage] / 6 * w->dv[k];
    }
  }
  for (int k = 0; k < model->nv; k++) v[k] = plant->v[k] + h * w->dv_sum[k];
  return mbd_integrate(model, plant->q, w->du_sum, h, q);
}

//---------- steps ----------

static mbd_status_t
rigid_step(plant_t * plant, double h)
{
  const mbd_model_t * model = plant->model;
  double *q = plant->work->q0, *v = plant->work->v0;
  plant_find_stops(plant, plant->q, plant->v);
  memset(plant->work->held, 0, 2 * (size_t)model->nv * sizeof *plant->work->held);
  const bool rk4 = plant->options.integrator == PLANT_RK4;
  mbd_status_t status = rk4 ? runge_kutta(plant, h, q, v) : semi_implicit(plant, h, q, v);
  if (status == MBD_OK) status = plant_close(plant, q, v);
  if (status != MBD_OK) return status;
  plant_find_stops(plant, q, v);
  plant_stop(plant, v);
  memcpy(plant->q, q, (size_t)model->nq * sizeof *q);
  memcpy(plant->v, v, (size_t)model->nv * sizeof *v);
  return MBD_OK;
}

static mbd_status_t
substep(plant_t * plant, double h, bool braked)
{
  gather_wrenches(plant, h);
  mbd_status_t status;
  if (plant->flexible)
    status = plant_flexible_step(plant, h);
  else if (braked || plant_touches(plant))
    status = plant_contact_step(plant, h, braked);
  else
    status = rigid_step(plant, h);
  if (status != MBD_OK) return status;
  age_pushes(plant, h);
  plant->time += h;
  return MBD_OK;
}

static mbd_status_t
chart_step(plant_t * plant, double dt, bool changed)
{
  if (changed) plant_chart_changed(plant, false);
  gather_wrenches(plant, dt);
  const mbd_status_t status = plant_chart_step(plant, dt);
  if (status != MBD_OK) return status;
  age_pushes(plant, dt);
  plant->time += dt;
  return MBD_OK;
}

static mbd_status_t
substeps(plant_t * plant, double dt, bool braked)
{
  const double h = dt / plant->options.substeps;
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < plant->options.substeps && status == MBD_OK; i++)
    status = substep(plant, h, braked);
  return status;
}

mbd_status_t
plant_step(plant_t * plant, const double * tau, double dt)
{
  const mbd_model_t * model = plant->model;
  bool changed = false;
  for (int k = 0; k < model->nv; k++) {
    if (!isfinite(tau[k])) return MBD_ERROR_NOT_FINITE;
    const double most = model->body[model->dof_body[k]].limits.effort;
    const double effort = fmax(-most, fmin(most, tau[k]));
    changed = changed || effort != plant->effort[k];
    plant->effort[k] = effort;
  }
  if (plant->chart) return chart_step(plant, dt, changed);
  return substeps(plant, dt, false);
}

mbd_status_t
plant_brake(plant_t * plant, double dt)
{
  const bool falls = plant->options.ground.on && plant_touches(plant) && plant->ncontact > 0;
  if (!falls || plant->model->body[0].type != MBD_JOINT_FREE) {
    plant_hold(plant, dt);
    return MBD_OK;
  }
  memset(plant->effort, 0, (size_t)plant->model->nv * sizeof *plant->effort);
  return substeps(plant, dt, true);
}

void
plant_hold(plant_t * plant, double dt)
{
  const size_t size = (size_t)plant->model->nv * sizeof(double);
  memset(plant->v, 0, size), memset(plant->effort, 0, size);
  if (plant->flexible)
    memset(plant->flexible->v, 0, (size_t)plant->flexible->robot->nv * sizeof(double));
  if (plant->chart) plant_chart_changed(plant, true);
  age_pushes(plant, dt);
  plant->time += dt;
}
