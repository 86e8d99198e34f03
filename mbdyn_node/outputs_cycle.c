// One cycle's numbers into the messages, and off. Control thread: no heap, no lock, no print.
#include <math.h>
#include <string.h>

#include "mbdyn/dynamics.h"
#include "mbdyn/order.h"
#include "message_fill.h"
#include "outputs_internal.h"
#include "ros_process.h"

static const double NO_NUMBER = (double)NAN;

static bool
send(output_t * output, out_message_t * message)
{
  const rcl_serialized_message_t bytes = {message->bytes, message->size, message->size, {0}};
  if (rcl_publish_serialized_message(&output->publisher, &bytes, NULL) == RCL_RET_OK) return true;
  rcl_reset_error();
  return false;
}

static void
send_stamped(output_t * output, const cycle_t * cycle)
{
  out_stamp(&output->message, cycle->stamp);
  send(output, &output->message);
}

bool
outputs_command(outputs_t * o, const double * command)
{
  for (int i = 0; i < o->robot->ncommand; i++) o->array[i] = command[o->robot->command_dof[i]];
  out_numbers(&o->command.message, OUT_ARRAY_DATA, o->array);
  return send(&o->command, &o->command.message);
}

//---------- joints ----------

static void
send_joint_state(outputs_t * o, output_t * output, const cycle_t * cycle, const double * effort)
{
  out_numbers(&output->message, OUT_JS_POSITION, o->position);
  out_numbers(&output->message, OUT_JS_VELOCITY, cycle->input->v);
  out_numbers(&output->message, OUT_JS_EFFORT, effort);
  send_stamped(output, cycle);
}

static void
send_terms(outputs_t * o, const cycle_t * cycle)
{
  const controller_t * c = cycle->controller;
  const double * term[NTERM] = {c->gravity, c->coriolis, c->inertia, c->friction, c->external};
  for (int k = 0; k < NTERM; k++) {
    if (atomic_load_explicit(&o->term[k].wanted, memory_order_relaxed)) {
      send_joint_state(o, &o->term[k], cycle, term[k]);
    }
  }
}

static void
send_joint_torques(outputs_t * o, const cycle_t * cycle)
{
  const controller_t * c = cycle->controller;
  out_message_t * m = &o->joint_torques.message;
  out_numbers(m, JT_TOTAL, c->total);
  out_numbers(m, JT_GRAVITY, c->gravity);
  out_numbers(m, JT_CORIOLIS, c->coriolis);
  out_numbers(m, JT_INERTIA, c->inertia);
  out_numbers(m, JT_FRICTION, c->friction);
  out_numbers(m, JT_EXTERNAL, c->external);
  for (int k = 0; k < c->model->nv; k++)
    o->work[k] = cycle->sent ? cycle->gate->command[k] : NO_NUMBER;
  out_numbers(m, JT_COMMAND, o->work);
  out_flags(m, JT_SATURATED, cycle->gate->saturated);
  send_stamped(&o->joint_torques, cycle);
}

static void
send_joint_dynamics(outputs_t * o, const cycle_t * cycle)
{
  const controller_t * c = cycle->controller;
  for (int k = 0; k < c->model->nv; k++) {
    const wire_joint_dynamics_t joint = {
      .position = o->position[k],
      .velocity = cycle->input->v[k],
      .acceleration = c->acceleration[k],
      .measured = c->effort[k],
      .total = c->total[k],
      .gravity = c->gravity[k],
      .coriolis = c->coriolis[k],
      .inertia = c->inertia[k],
      .friction = c->friction[k],
      .external = c->external[k],
      .command = cycle->sent ? cycle->gate->command[k] : NO_NUMBER,
      .limit = cycle->gate->limit[k],
      .saturated = cycle->gate->saturated[k]};
    out_joint_dynamics_set(&o->joints, (size_t)k, &joint);
  }
  out_stamp(&o->joints.message, cycle->stamp);
  send(&o->joint_dynamics, &o->joints.message);
}

//---------- matrices ----------

static void
send_mass_matrix(outputs_t * o, const cycle_t * cycle)
{
  if (!fill_mass_matrix(&o->mass_matrix.message, cycle->controller, o->work)) return;
  send_stamped(&o->mass_matrix, cycle);
}

static void
send_jacobians(outputs_t * o, const cycle_t * cycle)
{
  for (int i = 0; i < o->robot->nframe; i++) {
    if (!atomic_load_explicit(&o->jacobian[i].wanted, memory_order_relaxed)) continue;
    const int frame = o->robot->frame[i];
    out_message_t * m = &o->jacobian[i].message;
    if (!fill_jacobian(m, cycle->controller, frame, o->robot->reference, o->work)) continue;
    send_stamped(&o->jacobian[i], cycle);
  }
}

static void
send_inertia(outputs_t * o, const cycle_t * cycle)
{
  const mbd_tasks_t tasks = {o->robot->nframe, o->task};
  if (!fill_task_inertia(&o->inertia.message, cycle->controller, &tasks, o->work)) return;
  send_stamped(&o->inertia, cycle);
}

static void
send_singularity(outputs_t * o, const cycle_t * cycle)
{
  const node_robot_t * robot = o->robot;
  out_message_t * m = &o->singularity.message;
  const double * q = cycle->input->q;
  if (!fill_singularity(m, cycle->controller, o->varied, q, robot->nframe, robot->frame, o->work)) {
    return;
  }
  send_stamped(&o->singularity, cycle);
}

//---------- the robot as a whole ----------

static uint32_t
count_saturated(const cycle_t * cycle)
{
  uint32_t n = 0;
  for (int k = 0; k < cycle->controller->model->nv; k++) n += cycle->gate->saturated[k];
  return n;
}

static void
send_dynamics(outputs_t * o, const cycle_t * cycle)
{
  const controller_t * c = cycle->controller;
  out_message_t * m = &o->summary[c->settings->mode];
  if (!fill_summary(m, c, cycle->input->v, o->nlink, o->link, o->work)) return;
  out_u64(m, DS_CYCLES, cycle->number);
  out_u64(m, DS_DROPPED, cycle->dropped);
  out_u32(m, DS_SATURATED_JOINTS, count_saturated(cycle));
  out_number(m, DS_INPUT_AGE, cycle->age);
  out_number(m, DS_COMPUTE_TIME, cycle->compute_time);
  out_number(m, DS_COMPUTE_TIME_MAX, cycle->compute_time_max);
  out_stamp(m, cycle->stamp);
  send(&o->dynamics, m);
}

static void
send_external_torque(outputs_t * o, const cycle_t * cycle)
{
  if (cycle->controller->settings->observer) {
    send_joint_state(o, &o->external_torque, cycle, cycle->controller->observer->torque);
  }
}

static void
send_external_wrench(outputs_t * o, const cycle_t * cycle)
{
  const controller_t * c = cycle->controller;
  const int frame = c->settings->observer_frame;
  mbd_force_t f;
  double numbers[6];
  if (!c->settings->observer || frame < 0) return;
  if (mbd_observer_wrench(c->observer, c->data, frame, MBD_LOCAL, &f) != MBD_OK) return;
  mbdu_force_to_linear_first(&f, numbers);
  out_numbers(&o->external_wrench.message, OUT_WRENCH, numbers);
  send_stamped(&o->external_wrench, cycle);
}

static void
send_torques(outputs_t * o, const cycle_t * cycle)
{
  send_joint_state(o, &o->torques, cycle, cycle->controller->total);
}

void
outputs_cycle(outputs_t * o, const int64_t * divider, const cycle_t * cycle)
{
  // in the order of node_output_t, from OUTPUT_TORQUES on; NULL: several publishers, each asked
  const struct {
    output_t * output;
    void (*run)(outputs_t *, const cycle_t *);
  } all[OUTPUT_COUNT - 1] = {
    {&o->torques, send_torques},
    {NULL, send_terms},
    {&o->joint_torques, send_joint_torques},
    {&o->joint_dynamics, send_joint_dynamics},
    {&o->mass_matrix, send_mass_matrix},
    {NULL, send_jacobians},
    {&o->inertia, send_inertia},
    {&o->dynamics, send_dynamics},
    {&o->external_torque, send_external_torque},
    {&o->external_wrench, send_external_wrench},
    {&o->singularity, send_singularity}};
  fill_positions(cycle->controller->model, cycle->input->q, o->position);
  for (int k = 1; k < OUTPUT_COUNT; k++) {
    // not all in the same cycle
    if (divider[k] == 0 || (cycle->number + (uint64_t)k) % (uint64_t)divider[k] != 0) continue;
    output_t * output = all[k - 1].output;
    if (output && !atomic_load_explicit(&output->wanted, memory_order_relaxed)) continue;
    all[k - 1].run(o, cycle);
  }
}
