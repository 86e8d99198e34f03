// One point of a sweep: a model, a state, an evaluation or a simulation. Nothing is left from the point before.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/payload.h"
#include "robot_options.h"
#include "sweep.h"

//---------- model ----------

sweep_model_t
sweep_model_load(const sweep_plan_t * plan, const double * values)
{
  sweep_model_t m = {.status = MBD_ERROR_OUT_OF_MEMORY};
  const char *urdf = plan->robot_text, *mechanism = plan->mechanism_text, *missing;
  size_t urdf_size = plan->robot_size, mechanism_size = plan->mechanism_size;
  char *own_urdf = NULL, *own_mechanism = NULL;
  if (values && plan->nedit > 0) {
    if (urdf) urdf = own_urdf = sweep_edit_urdf(plan, values, &urdf_size, &missing);
    if (mechanism)
      mechanism = own_mechanism = sweep_edit_mechanism(plan, values, &mechanism_size, &missing);
    if ((plan->robot_text && !urdf) || (plan->mechanism_text && !mechanism)) goto end;
  }
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = plan->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.embed = !plan->simulate;  // charts are of the tree with its closures
  char * text = NULL;
  if (urdf && mechanism) {
    text = strndup(mechanism, mechanism_size);
    if (!text) goto end;
    options.loops_text = text;
    options.loops_source = plan->mechanism;
    options.mechanism = true;
  } else if (plan->beside[0]) {
    options.loops_file = plan->beside;
  }
  if (!urdf)
    m.status = mbdx_mechanism_load_string(
      mechanism, mechanism_size, plan->mechanism, NULL, &m.mechanism, &m.report);
  else if (mechanism && plan->simulate)
    m.status = mbdx_mechanism_load_urdf_string(
      urdf, urdf_size, plan->robot, &options, &m.mechanism, &m.report);
  else
    m.status = mbdx_urdf_load_string(urdf, urdf_size, plan->robot, &options, &m.model, &m.report);
  if (m.mechanism) m.model = m.mechanism->model;
  free(text);
end:
  free(own_urdf);
  free(own_mechanism);
  return m;
}

void
sweep_model_free(sweep_model_t * m)
{
  if (m->mechanism)
    mbdx_mechanism_free(m->mechanism);
  else
    mbd_model_destroy(m->model);
  mbdx_report_free(m->report);
  *m = (sweep_model_t){0};
}

//---------- workers ----------

struct sweep_worker {
  const sweep_plan_t * plan;
  sweep_model_t loaded;  // of the files as they are; of this point if there are edits
  void * memory;         // of a workspace
  size_t memory_size;
  mbd_data_t * data;
  double * work;     // of mbd_assemble
  bool * held;       // independent degrees of freedom of the tree
  mbd_data_t * own;  // of the controller: without payloads
  double *q, *v, *a, *tau, *kp, *kd, *goal, *peak_tau, *rms_tau, *peak_v, *scratch;
  mbd_vec3_t gravity;
  double payload[SWEEP_MAX_VARIABLES][5];  // of the frame of each variable: mass, centre, radius
  double last_t;
};

static bool
take_memory(sweep_worker_t * w)
{
  const mbd_model_t * model = w->loaded.model;
  const mbd_model_t * tree = model->tree ? model->tree : model;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  w->memory_size = mbd_data_size(model);
  w->memory = malloc(w->memory_size + 1);
  w->work = malloc((mbd_assembly_work(tree) + 1) * sizeof *w->work);
  w->held = calloc((size_t)tree->nv + 1, sizeof *w->held);
  double * x = w->q = calloc(2 * nq + 10 * nv + 1, sizeof *x);
  if (!w->memory || !w->work || !w->held || !x) return false;
  for (int k = 0; model->tree && k < model->nv; k++) w->held[model->dof_tree[k]] = true;
  w->goal = x + nq;
  double ** const block[] = {&w->v,  &w->a,        &w->tau,     &w->kp,
                             &w->kd, &w->peak_tau, &w->rms_tau, &w->peak_v};
  for (size_t k = 0; k < sizeof block / sizeof block[0]; k++) *block[k] = x + 2 * nq + k * nv;
  w->scratch = x + 2 * nq + 8 * nv;
  return !w->plan->controller.present || mbd_data_create(model, &w->own) == MBD_OK;
}

static void
give_memory(sweep_worker_t * w)
{
  free(w->memory);
  free(w->work);
  free(w->held);
  free(w->q);  // and all behind it
  mbd_data_destroy(w->own);
  w->memory = NULL, w->work = NULL, w->held = NULL, w->q = NULL, w->own = NULL;
}

sweep_worker_t *
sweep_worker_create(const sweep_plan_t * plan)
{
  sweep_worker_t * w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->plan = plan;
  if (plan->nedit > 0) return w;
  w->loaded = sweep_model_load(plan, NULL);
  if (w->loaded.status == MBD_OK && take_memory(w)) return w;
  sweep_worker_free(w);
  return NULL;
}

void
sweep_worker_free(sweep_worker_t * w)
{
  if (!w) return;
  give_memory(w);
  sweep_model_free(&w->loaded);
  free(w);
}

//---------- state ----------

static void
set_all(double * x, int index, int n, double value)
{
  for (int k = index < 0 ? 0 : index; k < (index < 0 ? n : index + 1); k++) x[k] = value;
}

// the entry of a frame in w->payload: that of the first variable of the frame
static int
payload_slot(const sweep_plan_t * plan, int variable)
{
  for (int k = 0;; k++) {
    const sweep_variable_t * x = &plan->variable[k];
    if (x->target == SWEEP_PAYLOAD && x->index == plan->variable[variable].index) return k;
  }
}

static mbd_status_t
set_state(sweep_worker_t * w, const double * values)
{
  const sweep_plan_t * plan = w->plan;
  const mbd_model_t * model = w->loaded.model;
  const mbdx_mechanism_t * mechanism = w->loaded.mechanism;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  const sweep_controller_t * c = &plan->controller;
  mbd_status_t status = MBD_OK;
  memset(w->v, 0, nv * sizeof *w->v);
  if (mechanism) {
    memcpy(w->q, mechanism->q, nq * sizeof *w->q);
    memcpy(w->v, mechanism->v, nv * sizeof *w->v);
  } else {
    status = mbd_neutral(model, w->q);
  }
  for (size_t k = 0; k < nq; k++) w->q[k] = isnan(plan->q[k]) ? w->q[k] : plan->q[k];
  for (size_t k = 0; k < nv; k++) w->v[k] = isnan(plan->v[k]) ? w->v[k] : plan->v[k];
  memcpy(w->a, plan->a, nv * sizeof *w->a);
  memcpy(w->tau, plan->tau, nv * sizeof *w->tau);
  memcpy(w->kp, c->kp, nv * sizeof *w->kp);
  memcpy(w->kd, c->kd, nv * sizeof *w->kd);
  w->gravity = model->gravity;
  memset(w->payload, 0, sizeof w->payload);
  for (int k = 0; k < plan->nvariable; k++) {
    const sweep_variable_t * x = &plan->variable[k];
    switch (x->target) {
      case SWEEP_Q: w->q[x->index] = values[k]; break;
      case SWEEP_V: w->v[x->index] = values[k]; break;
      case SWEEP_A: w->a[x->index] = values[k]; break;
      case SWEEP_TAU: w->tau[x->index] = values[k]; break;
      case SWEEP_PAYLOAD: w->payload[payload_slot(plan, k)][x->field] = values[k]; break;
      case SWEEP_GRAVITY: (&w->gravity.x)[x->index] = values[k]; break;
      case SWEEP_KP: set_all(w->kp, x->index, model->nv, values[k]); break;
      case SWEEP_KD: set_all(w->kd, x->index, model->nv, values[k]); break;
      case SWEEP_GOAL:
      case SWEEP_EDIT: break;
    }
  }
  return status;
}

// joints whose position is given stay there when loops are closed; others stay if no loop moves them
static void
hold_given(sweep_worker_t * w)
{
  const sweep_plan_t * plan = w->plan;
  const mbd_model_t * model = w->loaded.model;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nv; k++) {
      bool given = body->nq != body->nv ? false : !isnan(plan->q[body->q_index + k]);
      for (int j = 0; j < plan->nvariable && body->nq == body->nv; j++) {
        const sweep_variable_t * x = &plan->variable[j];
        given |= x->target == SWEEP_Q && x->index == body->q_index + k;
      }
      w->held[body->v_index + k] = given;
    }
  }
}

static void
set_goal(sweep_worker_t * w, const double * values)
{
  const sweep_plan_t * plan = w->plan;
  const double * goal = plan->controller.goal;
  for (int k = 0; k < w->loaded.model->nq; k++) w->goal[k] = isnan(goal[k]) ? w->q[k] : goal[k];
  for (int k = 0; k < plan->nvariable; k++) {
    if (plan->variable[k].target == SWEEP_GOAL) w->goal[plan->variable[k].index] = values[k];
  }
}

// a solid sphere of this mass and radius
static mbd_inertia_t
sphere(const double * p)
{
  const double m = p[0], r = p[4], own = 0.4 * m * r * r;
  const double x = p[1], y = p[2], z = p[3];
  return (mbd_inertia_t){
    .mass = m,
    .h = {m * x, m * y, m * z},
    .I = {
      .xx = own + m * (y * y + z * z),
      .yy = own + m * (x * x + z * z),
      .zz = own + m * (x * x + y * y),
      .xy = -m * x * y,
      .xz = -m * x * z,
      .yz = -m * y * z}};
}

static mbd_status_t
prepare(sweep_worker_t * w, mbd_data_t * data)
{
  const sweep_plan_t * plan = w->plan;
  const uint32_t terms =
    MBD_TERM_ROTORS | MBD_TERM_ELEMENTS | (plan->friction ? (uint32_t)MBD_TERM_FRICTION : 0);
  mbd_status_t status = mbd_set_terms(data, terms);
  if (status == MBD_OK) status = mbd_set_gravity(data, w->gravity);
  for (int k = 0; k < plan->nvariable && status == MBD_OK; k++) {
    const sweep_variable_t * x = &plan->variable[k];
    if (x->target != SWEEP_PAYLOAD || payload_slot(plan, k) != k) continue;
    const mbd_inertia_t inertia = sphere(w->payload[k]);
    status = mbd_payload_attach(w->loaded.model, data, x->index, &inertia);
  }
  return status;
}

//---------- outputs ----------

static void
put(const sweep_output_t * o, double * row, const double * x)
{
  memcpy(row + o->column, x, (size_t)o->size * sizeof *x);
}

// outputs of the position and velocity stages
static mbd_status_t
put_stages(sweep_worker_t * w, mbd_data_t * data, const sweep_output_t * o, double * row)
{
  const mbd_model_t * model = w->loaded.model;
  mbd_placement_t X;
  mbd_vec3_t c;
  mbd_status_t status = MBD_OK;
  double * to = row + o->column;
  switch (o->kind) {
    case SWEEP_OUT_KINETIC: return mbd_kinetic_energy(model, data, to);
    case SWEEP_OUT_POTENTIAL: return mbd_potential_energy(model, data, to);
    case SWEEP_OUT_GRAVITY: return mbd_gravity(model, data, to);
    case SWEEP_OUT_CENTER:
      status = mbd_center_of_mass(model, data, NULL, &c);
      if (status == MBD_OK) to[0] = c.x, to[1] = c.y, to[2] = c.z;
      return status;
    case SWEEP_OUT_POSITION:
      status = mbd_frame_placement(model, data, o->frame, &X);
      if (status == MBD_OK) to[0] = X.p.x, to[1] = X.p.y, to[2] = X.p.z;
      return status;
    default: return MBD_OK;
  }
}

//---------- evaluation ----------

static mbd_status_t
evaluate(sweep_worker_t * w, double * row)
{
  const sweep_plan_t * plan = w->plan;
  const mbd_model_t * model = w->loaded.model;
  // a new workspace: an old one would begin the closing of loops where it was
  mbd_status_t status = mbd_data_init(model, w->memory, w->memory_size, &w->data);
  if (status == MBD_OK) status = prepare(w, w->data);
  if (status == MBD_OK && model->tree) {
    mbd_assembly_options_t options = mbd_assembly_options_default();
    options.held = w->held;
    status = mbd_assemble(model->tree, w->data->tree, &options, w->q, w->work, w->q, NULL);
  }
  for (int k = 0; k < plan->noutput && status == MBD_OK; k++) {
    const sweep_output_t * o = &plan->output[k];
    if (o->kind == SWEEP_OUT_TAU)
      status = mbd_inverse_dynamics(model, w->data, w->q, w->v, w->a, NULL, row + o->column);
    else if (o->kind == SWEEP_OUT_QDD)
      status = mbd_forward_dynamics(model, w->data, w->q, w->v, w->tau, NULL, row + o->column);
    else
      status = mbd_set_state(model, w->data, w->q, w->v);
    if (status == MBD_OK) status = put_stages(w, w->data, o, row);
  }
  return status;
}

//---------- simulation ----------

// PD and gravity compensation; the compensation does not know the payload
static mbd_status_t
control(void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t;
  sweep_worker_t * w = ctx;
  const mbd_model_t * model = w->loaded.model;
  const sweep_controller_t * c = &w->plan->controller;
  memcpy(tau, w->tau, sizeof *tau * (size_t)model->nv);
  if (!c->present) return MBD_OK;
  mbd_status_t status = MBD_OK;
  if (c->gravity) {
    status = mbd_set_position(model, w->own, q);
    if (status == MBD_OK) status = mbd_gravity(model, w->own, w->scratch);
    for (int k = 0; k < model->nv; k++) tau[k] += w->scratch[k];
  }
  if (status == MBD_OK) status = mbd_difference(model, q, w->goal, w->scratch);
  if (status != MBD_OK) return status;
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    const double most = c->effort_limits && body->nv == 1 ? body->limits.effort : HUGE_VAL;
    tau[k] += w->kp[k] * w->scratch[k] - w->kd[k] * v[k];
    tau[k] = fmin(fmax(tau[k], -most), most);
  }
  return MBD_OK;
}

static void
watch(sweep_worker_t * w, const mbd_simulation_info_t * info)
{
  const double dt = info->t - w->last_t;
  w->last_t = info->t;
  for (int k = 0; k < w->loaded.model->nv; k++) {
    w->peak_tau[k] = fmax(w->peak_tau[k], fabs(info->tau[k]));
    w->peak_v[k] = fmax(w->peak_v[k], fabs(info->v[k]));
    w->rms_tau[k] += info->tau[k] * info->tau[k] * dt;
  }
}

static mbd_status_t
put_end(sweep_worker_t * w, mbd_simulation_t * sim, double * row)
{
  const sweep_plan_t * plan = w->plan;
  const mbd_model_t * model = w->loaded.model;
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  mbd_data_t * data = mbd_simulation_data(sim);
  memcpy(w->q, info->q, sizeof *w->q * (size_t)model->nq);
  memcpy(w->v, info->v, sizeof *w->v * (size_t)model->nv);
  for (int k = 0; k < model->nv; k++) w->rms_tau[k] = sqrt(w->rms_tau[k] / fmax(info->t, 1e-300));
  const double energy_error = info->energy - info->energy_start - info->work;
  const double steps = (double)info->steps, t = info->t;
  mbd_status_t status = mbd_set_state(model, data, w->q, w->v);
  for (int i = 0; i < plan->noutput && status == MBD_OK; i++) {
    const sweep_output_t * o = &plan->output[i];
    switch (o->kind) {
      case SWEEP_OUT_END_Q: put(o, row, w->q); break;
      case SWEEP_OUT_END_V: put(o, row, w->v); break;
      case SWEEP_OUT_PEAK_TAU: put(o, row, w->peak_tau); break;
      case SWEEP_OUT_RMS_TAU: put(o, row, w->rms_tau); break;
      case SWEEP_OUT_PEAK_V: put(o, row, w->peak_v); break;
      case SWEEP_OUT_ERROR:
        status = mbd_difference(model, w->q, w->goal, w->scratch);
        put(o, row, w->scratch);
        break;
      case SWEEP_OUT_ENERGY_ERROR: put(o, row, &energy_error); break;
      case SWEEP_OUT_TIME: put(o, row, &t); break;
      case SWEEP_OUT_STEPS: put(o, row, &steps); break;
      default: status = put_stages(w, data, o, row);
    }
  }
  return status;
}

static mbd_status_t
close_loops(sweep_worker_t * w, mbd_data_t * data)
{
  mbd_assembly_options_t options = mbd_assembly_options_default();
  hold_given(w);
  options.held = w->held;
  return mbd_assemble(w->loaded.model, data, &options, w->q, w->work, w->q, NULL);
}

static mbd_status_t
simulate(sweep_worker_t * w, double * row)
{
  const sweep_plan_t * plan = w->plan;
  const mbd_model_t * model = w->loaded.model;
  mbd_simulation_t * sim = NULL;
  mbd_status_t status = mbd_simulation_create(model, &plan->options, &sim);
  if (status == MBD_OK) status = prepare(w, mbd_simulation_data(sim));
  if (status == MBD_OK && w->own) status = mbd_set_gravity(w->own, w->gravity);
  if (status == MBD_OK && model->nrow > 0) status = close_loops(w, mbd_simulation_data(sim));
  set_goal(w, row);
  if (status == MBD_OK) status = mbd_simulation_set_input(sim, control, w);
  if (status == MBD_OK) status = mbd_simulation_start(sim, 0, w->q, w->v, NULL);
  memset(w->peak_tau, 0, 3 * sizeof *w->peak_tau * (size_t)model->nv);
  w->last_t = 0;
  if (status == MBD_OK) watch(w, mbd_simulation_info(sim));
  while (status == MBD_OK && mbd_simulation_info(sim)->t < plan->time) {
    status = mbd_simulation_step(sim, plan->time);
    if (status == MBD_OK) watch(w, mbd_simulation_info(sim));
  }
  if (status == MBD_OK) status = put_end(w, sim, row);
  mbd_simulation_destroy(sim);
  return status;
}

//---------- point ----------

void
sweep_point(sweep_worker_t * w, uint64_t point, double * row)
{
  const sweep_plan_t * plan = w->plan;
  mbd_status_t status = MBD_OK;
  for (int k = 0; k < plan->nvariable; k++) row[k] = sweep_value(plan, k, point);
  for (int k = plan->nvariable; k < plan->ncolumn; k++) row[k] = NAN;
  if (plan->nedit > 0) {
    give_memory(w);
    sweep_model_free(&w->loaded);
    w->loaded = sweep_model_load(plan, row);
    status = w->loaded.status;
    if (status == MBD_OK && !take_memory(w)) status = MBD_ERROR_OUT_OF_MEMORY;
  }
  if (status == MBD_OK) status = set_state(w, row);
  if (status == MBD_OK) status = plan->simulate ? simulate(w, row) : evaluate(w, row);
  for (int k = plan->nvariable; status != MBD_OK && k < plan->ncolumn; k++) row[k] = NAN;
  for (int k = plan->nvariable; status == MBD_OK && k < plan->ncolumn - 1; k++) {
    if (!isfinite(row[k])) status = MBD_ERROR_NOT_FINITE;
  }
  row[plan->ncolumn - 1] = status == MBD_OK ? 1 : -(double)status;
}
