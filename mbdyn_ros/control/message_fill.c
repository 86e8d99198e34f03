#include "message_fill.h"

#include <math.h>
#include <string.h>

#include "mbdyn/operators/factors.h"
#include "mbdyn/order.h"
#include "singularity.h"

static const double NO_NUMBER = (double)NAN;

// eigenvalues of larger mass matrices take too long for a cycle
enum { CONDITION_MAX_DOF = 16 };

size_t
fill_work_size(const mbd_model_t * model, const mbd_tasks_t * tasks)
{
  const size_t nv = (size_t)model->nv, rows = 6 * (size_t)tasks->n;
  const size_t matrix = 3 * nv * nv + nv, jacobian = 6 * nv;
  const size_t inertia = 2 * rows * rows + mbd_task_work(model, tasks);
  const size_t links = (size_t)model->nframe;
  const size_t a = matrix > jacobian ? matrix : jacobian, b = inertia > links ? inertia : links;
  const mbd_task_t task = fill_task(0, MBD_LOCAL_WORLD_ALIGNED);
  const mbd_tasks_t one = {1, &task};
  const size_t c = singularity_work(model, &one);
  return (a > b ? (a > c ? a : c) : (b > c ? b : c)) + 64;
}

mbd_task_t
fill_task(int frame, mbd_reference_t reference)
{
  mbd_task_t t = mbdu_task_frame(frame, reference);
  memset(t.row, 0, sizeof t.row);
  for (int k = 0; k < 6; k++) t.row[k][(k + 3) % 6] = 1;
  return t;
}

void
fill_positions(const mbd_model_t * model, const double * q, double * out)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    for (int k = 0; k < body->nv; k++) {
      out[body->v_index + k] = body->nq == body->nv ? q[body->q_index + k] : NO_NUMBER;
    }
  }
}

//---------- matrices ----------

// NaN where it takes too long
static double
condition(const controller_t * c, double * work)
{
  double x;
  if (c->model->nv > CONDITION_MAX_DOF) return NO_NUMBER;
  return mbd_mass_condition(c->model, c->data, work, &x) == MBD_OK ? x : NO_NUMBER;
}

bool
fill_mass_matrix(out_message_t * m, const controller_t * c, double * work)
{
  const size_t nv = (size_t)c->model->nv;
  double *M = work, *diagonal = M + nv * nv, *rest = diagonal + nv;
  if (mbd_mass_matrix(c->model, c->data, M) != MBD_OK) return false;
  for (size_t k = 0; k < nv; k++) diagonal[k] = M[k * nv + k];
  out_numbers(m, MM_DATA, M);
  out_numbers(m, MM_DIAGONAL, diagonal);
  out_number(m, MM_CONDITION, condition(c, rest));
  return true;
}

bool
fill_jacobian(
  out_message_t * m, const controller_t * c, int frame, mbd_reference_t reference, double * work)
{
  mbd_motion_t bias;
  double numbers[6];
  if (
    mbd_jacobian(c->model, c->data, frame, reference, work) != MBD_OK ||
    mbd_jacobian_bias(c->model, c->data, frame, reference, &bias) != MBD_OK) {
    return false;
  }
  mbdu_rows_swap(work, c->model->nv);
  mbdu_motion_to_linear_first(&bias, numbers);
  out_numbers(m, JAC_DATA, work);
  out_numbers(m, JAC_BIAS, numbers);
  return true;
}

bool
fill_task_inertia(
  out_message_t * m, const controller_t * c, const mbd_tasks_t * tasks, double * work)
{
  const size_t n = 6 * (size_t)tasks->n;
  double *inertia = work, *compliance = inertia + n * n, *rest = compliance + n * n;
  mbd_task_info_t info;
  if (
    mbd_task_inertia(c->model, c->data, tasks, NULL, rest, inertia, &info) != MBD_OK ||
    mbd_task_compliance(c->model, c->data, tasks, compliance) != MBD_OK) {
    return false;
  }
  out_numbers(m, OSI_DATA, inertia);
  out_numbers(m, OSI_COMPLIANCE, compliance);
  out_u32(m, OSI_RANK, (uint32_t)info.rank);
  out_number(m, OSI_CONDITION, info.condition);
  return true;
}

//---------- singularities ----------

// of the six directions, the k-th of those that are controlled; -1 of -1
static int
direction(const bool row[6], int k)
{
  for (int i = 0; k >= 0 && i < 6; i++) {
    if (row[i] && k-- == 0) return i;
  }
  return -1;
}

bool
fill_singularity(
  out_message_t * m, const controller_t * c, mbd_data_t * data, const double * q, int nframe,
  const int * frame, double * work)
{
  enum { MOST = 256 };
  static const bool all[6] = {true, true, true, true, true, true};
  const bool any = memchr(c->settings->task_row, true, 6) != NULL;
  const bool * row = any ? c->settings->task_row : all;
  double reciprocal[MOST];
  int32_t sign[MOST], joint[MOST], lost[MOST];
  uint32_t component = 0;
  if (nframe > MOST) return false;
  for (int i = 0; i < nframe; i++) {
    const mbd_task_t task = singularity_task(frame[i], row);
    const mbd_tasks_t tasks = {1, &task};
    const double length = singularity_length(c->model, frame[i]);
    singularity_t s;
    if (singularity_nearest(c->model, data, &tasks, length, q, work, &s) != MBD_OK) return false;
    reciprocal[i] = s.reciprocal;
    sign[i] = s.sign;
    joint[i] = s.nearest;
    lost[i] = direction(row, s.row);
    if (s.sign > 0 && i < 32) component |= 1u << i;
  }
  out_numbers(m, SI_RECIPROCAL, reciprocal);
  out_integers(m, SI_SIGN, sign);
  out_integers(m, SI_NEAREST_JOINT, joint);
  out_integers(m, SI_NEAREST_ROW, lost);
  out_u32(m, SI_COMPONENT, component);
  out_flag(m, SI_HELD, c->component.held);
  out_u64(m, SI_HOLDS, c->component.holds);
  return true;
}

//---------- the robot as a whole ----------

// three by the trace of the linear compliance: the same in whatever axes
static double
effective_mass(const controller_t * c, int frame)
{
  double C[36];
  if (
    mbd_operational_space_compliance(c->model, c->data, frame, MBD_LOCAL_WORLD_ALIGNED, C) !=
    MBD_OK) {
    return NO_NUMBER;
  }
  const double trace = C[3 * 6 + 3] + C[4 * 6 + 4] + C[5 * 6 + 5];
  return trace > 0 ? 3 / trace : HUGE_VAL;
}

static bool
fill_whole(out_message_t * m, const controller_t * c, const double * v)
{
  const mbd_vec3_t g = c->data->gravity;
  double kinetic, potential, mass, power = 0;
  mbd_vec3_t com;
  mbd_force_t h;
  if (
    mbd_kinetic_energy(c->model, c->data, &kinetic) != MBD_OK ||
    mbd_potential_energy(c->model, c->data, &potential) != MBD_OK ||
    mbd_center_of_mass(c->model, c->data, &mass, &com) != MBD_OK ||
    mbd_centroidal_momentum(c->model, c->data, &h) != MBD_OK) {
    return false;
  }
  for (int k = 0; k < c->model->nv; k++) power += c->total[k] * v[k];
  out_number(m, DS_KINETIC_ENERGY, kinetic);
  out_number(m, DS_POTENTIAL_ENERGY, potential);
  out_number(m, DS_POWER, power);
  out_number(m, DS_MASS, mass);
  out_vector(m, DS_GRAVITY, g.x, g.y, g.z);
  out_vector(m, DS_CENTER_OF_MASS, com.x, com.y, com.z);
  out_vector(m, DS_COM_VELOCITY, h.lin.x / mass, h.lin.y / mass, h.lin.z / mass);
  out_vector(m, DS_LINEAR_MOMENTUM, h.lin.x, h.lin.y, h.lin.z);
  out_vector(m, DS_ANGULAR_MOMENTUM, h.ang.x, h.ang.y, h.ang.z);
  return true;
}

bool
fill_summary(
  out_message_t * m, const controller_t * c, const double * v, int nlink, const int * link,
  double * work)
{
  const double mass_condition = condition(c, work);
  double log_det;
  if (mbd_mass_log_determinant(c->model, c->data, &log_det) != MBD_OK) log_det = NO_NUMBER;
  for (int i = 0; i < nlink; i++) work[i] = effective_mass(c, link[i]);
  if (!fill_whole(m, c, v)) return false;
  out_number(m, DS_CONDITION, mass_condition);
  out_number(m, DS_LOG_DET, log_det);
  out_numbers(m, DS_EFFECTIVE_MASS, work);
  return true;
}
