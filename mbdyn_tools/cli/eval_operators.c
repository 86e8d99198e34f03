// What `mbdyn eval --operators` adds to a state, and the operational space of all frames at once.
#include "eval_operators.h"

#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/opspace.h"
#include "mbdyn/order.h"
#include "return_if_error.h"

static bool
out_of_memory(void)
{
  fputs("mbdyn eval: out of memory\n", stderr);
  return false;
}

//---------- of the robot ----------

bool
eval_operators_create(const mbd_model_t * model, eval_operators_t * operators)
{
  const size_t nv = (size_t)model->nv, nbody = (size_t)model->nbody;
  *operators = (eval_operators_t){.has_com = model->mass > 0};
  // one more of each, so that a robot that cannot move is no special case
  double * x = calloc(4 * nv * nv + 11 * nv + 36 * nbody + 1, sizeof *x);
  operators->rank = calloc(nbody + 1, sizeof *operators->rank);
  operators->F = x;
  if (!x || !operators->rank) return out_of_memory();
  double ** const matrices[] = {&operators->F, &operators->D, &operators->M_rate, &operators->MD};
  for (int i = 0; i < 4; i++, x += nv * nv) *matrices[i] = x;
  operators->C_trans_v = x, x += nv;
  operators->momentum = x, x += nv;
  operators->centroidal = x, x += 6 * nv;
  operators->com = x, x += 3 * nv;
  operators->compliance = x;
  return true;
}

void
eval_operators_free(eval_operators_t * operators)
{
  // the other vectors and matrices are in the same block
  free(operators->F);
  free(operators->rank);
}

static mbd_status_t
compute_body(mbd_data_t * data, int body, double * compliance, int * rank)
{
  const mbd_model_t * model = data->model;
  const int link = model->body[body].link_frame;
  RETURN_IF_ERROR(mbd_operational_space_compliance(model, data, link, MBD_LOCAL, compliance));
  mbdu_blocks_swap(compliance);
  return mbd_mobility(model, data, link, MBD_LOCAL, rank, NULL);
}

static mbd_status_t
compute_centroidal(mbd_data_t * data, eval_operators_t * operators)
{
  const mbd_model_t * model = data->model;
  RETURN_IF_ERROR(mbd_centroidal_matrix(model, data, operators->centroidal));
  mbdu_rows_swap(operators->centroidal, model->nv);
  return mbd_com_jacobian(model, data, operators->com);
}

mbd_status_t
eval_operators_compute(mbd_data_t * data, eval_operators_t * operators)
{
  const mbd_model_t * model = data->model;
  RETURN_IF_ERROR(mbd_mass_factors(model, data, operators->F, operators->D));
  RETURN_IF_ERROR(mbd_mass_log_determinant(model, data, &operators->log_det));
  RETURN_IF_ERROR(mbd_mass_trace(model, data, &operators->trace));
  RETURN_IF_ERROR(mbd_mass_matrix_rate(model, data, operators->M_rate));
  RETURN_IF_ERROR(mbd_momentum_gradient(model, data, operators->MD));
  RETURN_IF_ERROR(mbd_coriolis_transpose_product(model, data, operators->C_trans_v));
  RETURN_IF_ERROR(mbd_momentum(model, data, operators->momentum));
  if (operators->has_com) RETURN_IF_ERROR(compute_centroidal(data, operators));
  for (int i = 0; i < model->nbody; i++) {
    RETURN_IF_ERROR(compute_body(data, i, operators->compliance + 36 * i, operators->rank + i));
  }
  return MBD_OK;
}

//---------- of all frames ----------

bool
eval_stack_create(const mbd_model_t * model, const eval_frames_t * frames, eval_stack_t * stack)
{
  *stack = (eval_stack_t){.rows = 6 * frames->n};
  stack->task = calloc((size_t)frames->n + 1, sizeof *stack->task);
  if (!stack->task) return out_of_memory();
  stack->tasks = (mbd_tasks_t){frames->n, stack->task};
  for (int i = 0; i < frames->n; i++) {
    stack->task[i] = mbdu_task_frame(frames->frame[i], frames->reference);
    mbdu_rows_swap(&stack->task[i].row[0][0], 6);
  }
  const size_t rows = (size_t)stack->rows;
  stack->work = calloc(mbd_task_work(model, &stack->tasks) + 1, sizeof *stack->work);
  stack->inertia = calloc(rows * rows + 1, sizeof *stack->inertia);
  return stack->work && stack->inertia ? true : out_of_memory();
}

void
eval_stack_free(eval_stack_t * stack)
{
  free(stack->task);
  free(stack->work);
  free(stack->inertia);
}

mbd_status_t
eval_stack_compute(mbd_data_t * data, eval_stack_t * stack)
{
  return mbd_task_inertia(
    data->model, data, &stack->tasks, NULL, stack->work, stack->inertia, &stack->info);
}
