// Steps in time with bearings that stick: bounds of dry friction from the loads, loads from the forces of the step.
//
// Where loops make friction forces at rest redundant, joints stick if some forces among all that keep them at rest are
// within their bounds, Haug 8.2: these are looked for, since those of least norm may not be.
#include <math.h>
#include <string.h>

#include "constraints/bearing.h"
#include "constraints/cut.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "state/state.h"
#include "util/arena.h"
#include "util/dense.h"

// slower joints are at rest [m/s, rad/s]
static const double REST = 1e-9;

mbd_bearing_friction_t
mbd_bearing_friction_default(void)
{
  return (mbd_bearing_friction_t){.sweeps = 20, .tolerance = 1e-9};
}

typedef struct stepper {
  const mbd_model_t * model;
  mbd_data_t * data;
  double dt;
  const double * tau;
  const mbd_wrenches_t * f_ext;
  const mbd_contact_options_t * options;
  mbd_contact_info_t * info;
  mbd_bearing_friction_t * bearings;
  int n;                          // contacts
  mbd_joint_friction_t friction;  // bearings included
  mbdi_bearing_at_t * at;         // [nbearing]
  int * bearing;                  // of each degree of freedom, or -1     [nv]
  double *dry, *own;              // bounds with and without bearings     [nv]
  double *impulse, *v, *qdd;      // [nv]
  double * limit;                 // impulses of the limits               [nv]
  double *N, *N0, *trial, *A;     // loads of a step [nbearing], and a matrix
  double * Lambda;                // impulses, then forces of closures    [nrow]
  mbd_contact_t * contact;        // [n]
  mbd_wrench_t * list;            // [wrenches + 2 n]
  double * step;                  // of mbd_friction_step
  bool approximate;               // the last one did not converge
  // of joints that are to stick
  int nheld, *held;     // degrees of freedom                            [nv]
  double *total, *y;    // torques, friction forces that are asked for   [nv]
  double *p, *p0;       // those that balance                            [nv]
  double *by_p, *by_N;  // their derivatives and those of loads to y     [nv nv], [nv nbearing]
  double * change;      // of y                                          [nv]
} stepper_t;

static size_t
lay_out(const mbd_model_t * model, int n, int nwrench, double * work, stepper_t * s)
{
  size_t used = 0;
  const size_t nv = (size_t)model->nv, nb = (size_t)model->nbearing, word = sizeof(double);
  double ** joints[] = {&s->dry,   &s->own, &s->impulse, &s->v,  &s->qdd,   &s->limit,
                        &s->total, &s->y,   &s->p,       &s->p0, &s->change};
  double ** loads[] = {&s->N, &s->N0, &s->trial};
  for (size_t k = 0; k < sizeof joints / sizeof *joints; k++)
    *joints[k] = mbdi_arena_work(work, &used, nv, word);
  for (size_t k = 0; k < sizeof loads / sizeof *loads; k++)
    *loads[k] = mbdi_arena_work(work, &used, nb, word);
  s->A = mbdi_arena_work(work, &used, nb * nb, word);
  s->by_p = mbdi_arena_work(work, &used, nv * nv, word);
  s->by_N = mbdi_arena_work(work, &used, nv * nb, word);
  s->at = mbdi_arena_work(work, &used, nb, sizeof *s->at);
  s->bearing = mbdi_arena_work(work, &used, nv, sizeof *s->bearing);
  s->held = mbdi_arena_work(work, &used, nv, sizeof *s->held);
  s->Lambda = mbdi_arena_work(work, &used, (size_t)model->nrow, word);
  s->contact = mbdi_arena_work(work, &used, (size_t)n, sizeof *s->contact);
  s->list = mbdi_arena_work(work, &used, (size_t)(nwrench + 2 * n), sizeof *s->list);
  s->step = mbdi_arena_work(work, &used, mbd_friction_step_work(model, n), word);
  return used;
}

size_t
mbd_bearing_step_work(const mbd_model_t * model, int n, int nwrench)
{
  stepper_t unused;
  if (!model || !model->finalized || n < 0 || nwrench < 0) return 0;
  return lay_out(model, n, nwrench, NULL, &unused);
}

//---------- bounds ----------

// bound of a degree of freedom of a bearing per load
static double
by_load(const stepper_t * s, int k, bool sticks)
{
  const int i = s->bearing[k];
  const mbd_bearing_spec_t * spec = &s->model->bearing[i].spec;
  const bool turns = s->at[i].turns && s->model->body[s->model->bearing[i].body].v_index == k;
  return (sticks ? spec->mu_static : spec->mu_dynamic) * (turns ? spec->radius : 1);
}

static double
bound_of(const stepper_t * s, int k, bool sticks, const double * load)
{
  return s->own[k] + (s->bearing[k] < 0 ? 0 : load[s->bearing[k]] * by_load(s, k, sticks));
}

static void
find_bearings(stepper_t * s)
{
  for (int k = 0; k < s->model->nv; k++) s->bearing[k] = -1;
  for (int i = 0; i < s->model->nbearing; i++) {
    const mbd_bearing_t * b = &s->model->bearing[i];
    const int k = s->model->body[b->body].v_index;
    mbdi_bearing_at(s->model, s->data, b, &s->at[i]);
    if (s->at[i].turns) s->bearing[k] = i;
    if (s->at[i].slides) s->bearing[k + (s->at[i].turns ? 1 : 0)] = i;
  }
}

//---------- loads ----------

// forces of contacts as wrenches, behind those of the caller
static mbd_wrenches_t
all_wrenches(stepper_t * s)
{
  int n = s->f_ext ? s->f_ext->n : 0;
  if (n > 0) memcpy(s->list, s->f_ext->w, (size_t)n * sizeof *s->list);
  for (int k = 0; k < s->n; k++) {
    const mbd_contact_t * c = &s->contact[k];
    const mbd_vec3_t lin = mbdu_vec3_scale(1 / s->dt, c->force);
    const mbd_force_t f = {mbdu_vec3_cross(c->point, lin), lin};
    if (c->mode == MBD_CONTACT_OPEN) continue;
    s->list[n++] = (mbd_wrench_t){c->frame_b, MBD_WORLD, f};
    if (c->frame_a >= 0)
      s->list[n++] = (mbd_wrench_t){c->frame_a, MBD_WORLD, mbdu_force_scale(-1, f)};
  }
  return (mbd_wrenches_t){n, s->list};
}

// loads of the motion that the step has found
static mbd_status_t
find_loads(stepper_t * s, double * load)
{
  const mbd_model_t * model = s->model;
  for (int k = 0; k < model->nv; k++) s->qdd[k] = (s->v[k] - s->data->v[k]) / s->dt;
  for (int k = 0; k < model->nrow; k++) s->Lambda[k] /= s->dt;
  const mbd_wrenches_t all = all_wrenches(s);
  mbdi_constrained_force_stage(model, s->data, s->qdd, &all, s->Lambda);
  for (int i = 0; i < model->nbearing; i++) {
    const mbd_bearing_t * b = &model->bearing[i];
    double f[6], unused[6];
    CHECK(mbdi_bearing_force(model, s->data, b, &s->at[i], s->Lambda, f));
    load[i] = mbdi_bearing_load(model, b, f, unused);
  }
  return finite_array(load, model->nbearing) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// a step with the bounds in s->dry, from the forces of the last one, and its loads; one that is only approximate goes
// on
static mbd_status_t
bounded_step(stepper_t * s, const double * tau, double * N)
{
  const mbd_status_t status = mbd_friction_step(
    s->model, s->data, tau, s->f_ext, s->dt, s->n, s->contact, &s->friction, s->options, s->step,
    s->v, s->limit, s->Lambda, s->info);
  s->approximate = status == MBD_ERROR_NOT_CONVERGED;
  return status == MBD_OK || s->approximate ? find_loads(s, N) : status;
}

//---------- loads and bounds that agree ----------

// loads N of the step with the bounds of loads x
static mbd_status_t
loads_at(stepper_t * s, const double * x, double * N)
{
  for (int k = 0; k < s->model->nv; k++) s->dry[k] = bound_of(s, k, s->bearings->sticks[k], x);
  return bounded_step(s, s->tau, N);
}

// largest change of a load by the largest load
static double
change_of(const double * a, const double * b, int n)
{
  double change = 0, size = 0;
  for (int i = 0; i < n; i++) {
    change = fmax(change, fabs(a[i] - b[i]));
    size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
  }
  return size > 0 ? change / size : 0;
}

static double
largest_of(const double * x, int n)
{
  double largest = 1e-3;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

// Newton's step of N(x) = x by differences: N is linear in x but where a joint begins or ceases to slide.
// Self-locking joints, whose friction grows faster than their load is moved by it, have no other way.
static mbd_status_t
newton(stepper_t * s, double * x, bool * solved)
{
  const int n = s->model->nbearing;
  const double delta = 1e-4 * largest_of(x, n);
  for (int j = 0; j < n; j++) {
    const double before = x[j];
    x[j] += delta;
    CHECK(loads_at(s, x, s->trial));
    x[j] = before;
    for (int i = 0; i < n; i++) s->A[i * n + j] = (i == j) - (s->trial[i] - s->N[i]) / delta;
  }
  for (int i = 0; i < n; i++) s->trial[i] = s->N[i] - x[i];
  *solved = mbdi_solve(n, 1, s->A, s->trial) && finite_array(s->trial, n);
  for (int i = 0; *solved && i < n; i++) x[i] = fmax(0, x[i] + s->trial[i]);
  return MBD_OK;
}

// the step with loads that agree: those of the forces themselves while they settle, otherwise Newton's
static mbd_status_t
sweep(stepper_t * s)
{
  const int n = s->model->nbearing;
  mbd_bearing_friction_t * b = s->bearings;
  double * x = b->load;
  double before = HUGE_VAL;
  for (int k = 0; k < b->sweeps; k++) {
    CHECK(loads_at(s, x, s->N));
    b->change = change_of(s->N, x, n);
    if (b->change <= b->tolerance) break;
    bool solved = false;
    const bool last = k + 1 == b->sweeps;
    if (!last && !(b->change < 0.2 * before)) CHECK(newton(s, x, &solved));
    if (!solved) memcpy(x, s->N, (size_t)n * sizeof *x);
    before = b->change;
  }
  return MBD_OK;
}

//---------- joints that are to stick ----------

// the step with those joints at rest: friction forces p nearest to y that balance, and the loads
static mbd_status_t
balance(stepper_t * s, double * p, double * N)
{
  const int nv = s->model->nv;
  for (int k = 0; k < nv; k++) {
    s->total[k] = (s->tau ? s->tau[k] : 0) + s->y[k];
    s->dry[k] = bound_of(s, k, s->bearings->sticks[k], s->bearings->load);
    s->impulse[k] = 0;
  }
  for (int j = 0; j < s->nheld; j++) s->dry[s->held[j]] = HUGE_VAL;
  CHECK(bounded_step(s, s->total, N));
  for (int k = 0; k < nv; k++) p[k] = s->impulse[k] / s->dt + s->y[k];
  return MBD_OK;
}

// largest excess of a bound, by the bound; *worst is its place in s->held
static double
excess(const stepper_t * s, const double * p, const double * N, int * worst)
{
  double largest = -HUGE_VAL;
  for (int j = 0; j < s->nheld; j++) {
    const int k = s->held[j];
    const double bound = bound_of(s, k, true, N), over = (fabs(p[k]) - bound) / (1e-9 + bound);
    if (over > largest) largest = over, *worst = j;
  }
  return largest;
}

// derivatives of p and N to y
static mbd_status_t
differentiate(stepper_t * s)
{
  const int nv = s->model->nv, n = s->model->nbearing;
  const double delta = 1e-4 * largest_of(s->p0, nv);
  for (int j = 0; j < s->nheld; j++) {
    const int k = s->held[j];
    const double before = s->y[k];
    s->y[k] += delta;
    CHECK(balance(s, s->p, s->N));
    s->y[k] = before;
    for (int i = 0; i < nv; i++) s->by_p[j * nv + i] = (s->p[i] - s->p0[i]) / delta;
    for (int i = 0; i < n; i++) s->by_N[j * n + i] = (s->N[i] - s->N0[i]) / delta;
  }
  return MBD_OK;
}

// moves y inside the half-spaces of the bounds, one after the other: sign p <= own + mu N
static void
relax(stepper_t * s)
{
  enum { ROUNDS = 200 };
  static const double INSIDE = 1e-6;
  const int nv = s->model->nv, n = s->model->nbearing, m = s->nheld;
  double * step = s->change;
  memset(step, 0, (size_t)nv * sizeof *step);
  bool any = true;
  for (int round = 0; round < ROUNDS && any; round++) {
    any = false;
    for (int i = 0; i < 2 * m; i++) {
      const int k = s->held[i / 2], b = s->bearing[k];
      const double sign = i % 2 ? -1 : 1, mu = by_load(s, k, true);
      const double bound = bound_of(s, k, true, s->N0);
      double over = sign * s->p0[k] - (1 - INSIDE) * bound, square = 0;
      for (int j = 0; j < m; j++) {
        const double slope = sign * s->by_p[j * nv + k] - mu * s->by_N[j * n + b];
        over += slope * step[j];
        square += slope * slope;
      }
      // nothing that could be changed
      if (!(over > 0) || !(square > 1e-12)) continue;
      any = true;
      for (int j = 0; j < m; j++) {
        const double slope = sign * s->by_p[j * nv + k] - mu * s->by_N[j * n + b];
        step[j] -= over / square * slope;
      }
    }
  }
  for (int j = 0; j < m; j++) s->y[s->held[j]] += step[j];
}

// Friction forces within their bounds that keep the joints at rest, if there are; *worst exceeds its bound most.
static mbd_status_t
find_balance(stepper_t * s, bool * found, int * worst)
{
  enum { ROUNDS = 4 };
  memset(s->y, 0, (size_t)s->model->nv * sizeof *s->y);
  for (int round = 0; round < ROUNDS; round++) {
    CHECK(balance(s, s->p0, s->N0));
    *found = excess(s, s->p0, s->N0, worst) <= 1e-9;
    if (*found || round + 1 == ROUNDS) break;
    CHECK(differentiate(s));
    relax(s);
  }
  return MBD_OK;
}

// Joints of bearings that are to stick: all at rest if they can, otherwise without the one that can least, and so on;
// if none can, the step is that of the sweeps.
static mbd_status_t
hold(stepper_t * s)
{
  const int nv = s->model->nv, n = s->model->nbearing;
  bool found = false;
  s->nheld = 0;
  for (int k = 0; k < nv; k++) {
    if (s->bearings->sticks[k] && s->bearing[k] >= 0) s->held[s->nheld++] = k;
  }
  while (!found && s->nheld > 0) {
    int worst = 0;
    CHECK(find_balance(s, &found, &worst));
    if (!found) s->held[worst] = s->held[--s->nheld];
  }
  if (!found) return loads_at(s, s->bearings->load, s->N);
  for (int k = 0; k < nv; k++) s->impulse[k] = s->dt * s->p0[k];
  memcpy(s->bearings->load, s->N0, (size_t)n * sizeof *s->N0);
  s->bearings->change = 0;
  return MBD_OK;
}

// a joint that is to stick moves, or it is not clear whether it does
static bool
lets_go(const stepper_t * s)
{
  const bool unclear = s->bearings->change > s->bearings->tolerance;
  for (int k = 0; k < s->model->nv; k++) {
    const bool to_stick = s->bearings->sticks[k] && s->bearing[k] >= 0;
    if (to_stick && (unclear || fabs(s->v[k]) > REST)) return true;
  }
  return false;
}

// Joints that would turn round come to rest in the step: there friction is static. True if there are some.
static bool
come_to_rest(stepper_t * s)
{
  bool any = false;
  for (int k = 0; k < s->model->nv; k++) {
    if (s->bearings->sticks[k] || s->bearing[k] < 0 || !(s->data->v[k] * s->v[k] < 0)) continue;
    s->bearings->sticks[k] = any = true;
  }
  return any;
}

static mbd_status_t
solve(stepper_t * s)
{
  CHECK(sweep(s));
  if (come_to_rest(s)) CHECK(sweep(s));
  if (lets_go(s)) CHECK(hold(s));
  for (int k = 0; k < s->model->nv; k++) s->bearings->sticks[k] = fabs(s->v[k]) <= REST;
  return MBD_OK;
}

//---------- all together ----------

static mbd_status_t
check(const mbd_model_t * model, const mbd_bearing_friction_t * b, const mbd_joint_friction_t * f)
{
  if (!b->load || !b->sticks) return MBD_ERROR_NULL_ARGUMENT;
  if (b->sweeps < 1 || !(b->tolerance >= 0)) return MBD_ERROR_BAD_ARGUMENT;
  if (f && f->n != model->nv) return MBD_ERROR_BAD_ARGUMENT;
  if (!finite_array(b->load, model->nbearing)) return MBD_ERROR_NOT_FINITE;
  for (int i = 0; i < model->nbearing; i++) {
    if (b->load[i] < 0) return MBD_ERROR_BAD_ARGUMENT;
    // their motion is not that of a joint
    if (model->bearing[i].closure >= 0) return MBD_ERROR_UNSUPPORTED;
  }
  return MBD_OK;
}

mbd_status_t
mbd_bearing_step(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  double dt, int n, mbd_contact_t * contact, const mbd_joint_friction_t * friction,
  mbd_bearing_friction_t * bearings, const mbd_contact_options_t * options, double * work,
  double * v_out, double * limit, double * Lambda, mbd_contact_info_t * info)
{
  if (!model || !data || !work || !v_out || !bearings) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (n < 0 || (n > 0 && !contact)) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(check(model, bearings, friction));
  const int nv = model->nv, nwrench = f_ext ? f_ext->n : 0;
  if (nwrench < 0 || (nwrench > 0 && !f_ext->w)) return MBD_ERROR_BAD_ARGUMENT;
  stepper_t s = {
    .model = model,
    .data = data,
    .dt = dt,
    .tau = tau,
    .f_ext = f_ext,
    .options = options,
    .info = info,
    .bearings = bearings,
    .n = n};
  lay_out(model, n, nwrench, work, &s);
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  CHECK(mbd_complete_stages(model, data));
  const size_t bytes = (size_t)nv * sizeof(double);
  memset(s.own, 0, bytes), memset(s.impulse, 0, bytes), memset(s.limit, 0, bytes);
  if (friction && friction->dry) memcpy(s.own, friction->dry, bytes);
  if (friction && friction->impulse) memcpy(s.impulse, friction->impulse, bytes);
  if (limit) memcpy(s.limit, limit, bytes);
  for (int k = 0; k < n; k++) s.contact[k] = contact[k];
  s.friction = (mbd_joint_friction_t){nv, s.dry, friction ? friction->viscous : NULL, s.impulse};
  find_bearings(&s);
  CHECK(solve(&s));
  memcpy(v_out, s.v, bytes);
  if (limit) memcpy(limit, s.limit, bytes);
  if (friction && friction->impulse) memcpy(friction->impulse, s.impulse, bytes);
  for (int k = 0; Lambda && k < model->nrow; k++) Lambda[k] = dt * s.Lambda[k];
  for (int k = 0; k < n; k++) contact[k] = s.contact[k];
  return s.approximate ? MBD_ERROR_NOT_CONVERGED : MBD_OK;
}
