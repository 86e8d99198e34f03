// Flexible links of a plant, by the core's modal bodies. Steps are of fourth order with friction as
// it is at each stage; a stop presses over a whole step, so that the joint arrives there at its end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "plant_internal.h"

bool
plant_set_flexible(plant_t * plant, const mbd_model_t * robot)
{
  if (plant->loops || plant->flexible || robot->flexible->rigid != plant->model) return false;
  plant_flexible_t * b = plant->flexible = calloc(1, sizeof *b);
  const size_t nq = (size_t)robot->nq, nv = (size_t)robot->nv;
  if (!b || mbd_data_create(robot, &b->data) != MBD_OK) return false;
  b->robot = robot;
  b->q = calloc(nq + 4 * nv + mbd_step_work(robot), sizeof *b->q);
  if (!b->q) return false;
  b->v = b->q + nq, b->tau = b->v + nv, b->with = b->tau + nv, b->without = b->with + nv;
  b->work = b->without + nv;
  plant_flexible_options(plant);
  plant_flexible_rest(plant);
  // what cannot be accelerated shows here, not in the loop
  return mbd_forward_dynamics(robot, b->data, b->q, b->v, NULL, NULL, b->with) == MBD_OK;
}

void
plant_flexible_fini(plant_t * plant)
{
  if (!plant->flexible) return;
  mbd_data_destroy(plant->flexible->data);
  free(plant->flexible->q);  // and all that lies behind it
  free(plant->flexible);
  plant->flexible = NULL;
}

void
plant_flexible_options(plant_t * plant)
{
  const plant_options_t * options = &plant->options;
  const uint32_t terms =
    (options->rotors ? MBD_TERM_ROTORS : 0) | (options->friction ? MBD_TERM_FRICTION : 0);
  mbd_status_t status = mbd_set_terms(plant->flexible->data, terms);
  if (status == MBD_OK) status = mbd_set_gravity(plant->flexible->data, options->gravity);
  (void)status;  // a gravity that is not finite leaves the old one
}

// joints as the plant has them, modes as they are
static void
take_joints(plant_t * plant)
{
  plant_flexible_t * b = plant->flexible;
  memcpy(b->q, plant->q, (size_t)plant->model->nq * sizeof *b->q);
  memcpy(b->v, plant->v, (size_t)plant->model->nv * sizeof *b->v);
}

void
plant_flexible_rest(plant_t * plant)
{
  plant_flexible_t * b = plant->flexible;
  const int joints = plant->model->nq, nq = b->robot->nq, nv = b->robot->nv;
  memset(b->q + joints, 0, (size_t)(nq - joints) * sizeof *b->q);
  memset(b->v, 0, (size_t)nv * sizeof *b->v);
  take_joints(plant);
}

//---------- stops ----------

// accelerations `without` and `with` one more unit of torque on degree of freedom k: their difference
// is a column of M^-1
static mbd_status_t
respond(plant_t * plant, int k)
{
  plant_flexible_t * b = plant->flexible;
  const mbd_wrenches_t * f = &plant->work->wrenches;
  const double tau = b->tau[k];
  mbd_status_t status = mbd_forward_dynamics(b->robot, b->data, NULL, NULL, b->tau, f, b->without);
  b->tau[k] = tau + 1;
  if (status == MBD_OK) {
    status = mbd_forward_dynamics(b->robot, b->data, NULL, NULL, b->tau, f, b->with);
  }
  b->tau[k] = tau;
  return status;
}

// Stops that the next h seconds would lead beyond, if accelerations stayed as they are (`without`).
static void
find_ahead(plant_t * plant, double h)
{
  plant_flexible_t * b = plant->flexible;
  plant_work_t * w = plant->work;
  w->nstop = 0;
  for (int i = 0; plant->options.limits && i < w->nlimit; i++) {
    const mbd_limit_t * limit = &w->limit[i];
    const int k = limit->tree_index;
    for (int side = -1; side <= 1; side += 2) {
      const double end = side < 0 ? limit->lower : limit->upper;
      const double gap = fmax(0, side * (end - b->q[limit->q_index]));
      if (!(side * (b->v[k] + h * b->without[k]) > gap / h)) continue;
      w->stop[w->nstop] = k;
      w->force[w->nstop] = 0;
      w->held[w->nstop] = gap / h;  // the speed that brings it there
      w->sign[w->nstop++] = -side;
    }
  }
}

// The torque with which the joint of stop s arrives there, and does not go beyond.
static mbd_status_t
press(plant_t * plant, int s, double h)
{
  plant_flexible_t * b = plant->flexible;
  plant_work_t * w = plant->work;
  const int k = w->stop[s];
  const mbd_status_t status = respond(plant, k);
  if (status != MBD_OK) return status;
  const double speed = -w->sign[s] * (b->v[k] + h * b->without[k]);
  const double more = (speed - w->held[s]) / (h * (b->with[k] - b->without[k]));
  const double force = fmax(0, w->force[s] + more);  // it never pulls
  b->tau[k] += w->sign[s] * (force - w->force[s]);
  w->force[s] = force;
  return MBD_OK;
}

// One after the other, and a few times if there are several, which feel each other.
static mbd_status_t
press_stops(plant_t * plant, double h)
{
  enum { ROUNDS = 4 };
  plant_flexible_t * b = plant->flexible;
  plant_work_t * w = plant->work;
  mbd_status_t status =
    mbd_forward_dynamics(b->robot, b->data, b->q, b->v, b->tau, &w->wrenches, b->without);
  if (status != MBD_OK) return status;
  find_ahead(plant, h);
  for (int round = 0; round < (w->nstop > 1 ? ROUNDS : 1); round++) {
    for (int s = 0; s < w->nstop && status == MBD_OK; s++) status = press(plant, s, h);
  }
  return status;
}

// What is left of the motion of a joint that is at a limit or beyond it is taken by an impulse, which
// the others feel through M^-1.
static mbd_status_t
strike(plant_t * plant, const mbd_limit_t * limit, bool * at_limit)
{
  plant_flexible_t * b = plant->flexible;
  const int k = limit->tree_index;
  double * q = &b->q[limit->q_index];
  const double side = *q >= limit->upper ? 1 : *q <= limit->lower ? -1 : 0;
  *at_limit = side != 0;
  if (side == 0) return MBD_OK;
  *q = side > 0 ? limit->upper : limit->lower;
  if (side * b->v[k] <= 0) return MBD_OK;
  mbd_status_t status = mbd_set_state(b->robot, b->data, b->q, b->v);
  if (status == MBD_OK) status = respond(plant, k);
  if (status != MBD_OK) return status;
  const double impulse = -b->v[k] / (b->with[k] - b->without[k]);
  for (int j = 0; j < b->robot->nv; j++) b->v[j] += impulse * (b->with[j] - b->without[j]);
  b->v[k] = 0;
  return MBD_OK;
}

static mbd_status_t
strike_stops(plant_t * plant)
{
  const plant_work_t * w = plant->work;
  mbd_status_t status = MBD_OK;
  for (int i = 0; i < w->nlimit && status == MBD_OK; i++) {
    const int k = w->limit[i].tree_index;
    bool at_limit = false;
    if (plant->options.limits) status = strike(plant, &w->limit[i], &at_limit);
    if (at_limit && !plant->at_limit[k]) plant->stops++;
    plant->at_limit[k] = at_limit;
  }
  return status;
}

//---------- steps ----------

mbd_status_t
plant_flexible_step(plant_t * plant, double h)
{
  plant_flexible_t * b = plant->flexible;
  const size_t nq = (size_t)plant->model->nq, nv = (size_t)plant->model->nv;
  take_joints(plant);
  memset(b->tau, 0, (size_t)b->robot->nv * sizeof *b->tau);
  memcpy(b->tau, plant->effort, nv * sizeof *b->tau);
  mbd_status_t status = press_stops(plant, h);
  if (status == MBD_OK) {
    const mbd_wrenches_t * f = &plant->work->wrenches;
    status = mbd_step(b->robot, b->data, b->q, b->v, b->tau, f, h, b->work);
  }
  if (status == MBD_OK) status = strike_stops(plant);
  if (status != MBD_OK) return status;
  memcpy(plant->q, b->q, nq * sizeof *b->q);
  memcpy(plant->v, b->v, nv * sizeof *b->v);
  return MBD_OK;
}

mbd_status_t
plant_flexible_energy(plant_t * plant, double * kinetic, double * potential)
{
  plant_flexible_t * b = plant->flexible;
  take_joints(plant);
  mbd_status_t status = mbd_set_state(b->robot, b->data, b->q, b->v);
  if (status == MBD_OK) status = mbd_kinetic_energy(b->robot, b->data, kinetic);
  if (status == MBD_OK) status = mbd_potential_energy(b->robot, b->data, potential);
  return status;
}
