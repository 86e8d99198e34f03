// Functions of a robot and its workspace, each with the heap watched.
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/dynamics/response.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/operators/spatial_operators.h"
#include "quiet_calls.h"

void
call_stages(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  QUIET(mbd_set_gravity(d, m->gravity));
  QUIET(mbd_set_terms(d, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  QUIET(mbd_set_state(m, d, t->q, t->v));
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_set_acceleration(m, d, t->qdd));
  QUIET(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, &t->f_ext, r->v));
  QUIET(mbd_complete_stages(m, d));
  QUIET(mbd_bias(m, d, r->v));
  QUIET(mbd_gravity(m, d, r->v));
  QUIET(mbd_friction(m, t->v, r->v));
  QUIET(mbd_set_state(m, d, t->q, NULL));
  QUIET(mbd_mass_matrix(m, d, r->M));
  QUIET(mbd_forward_dynamics(m, d, t->q, t->v, t->tau, &t->f_ext, r->v));
  QUIET(mbd_articulated_inertia(m, d));
  QUIET(mbd_mass_matrix_inverse(m, d, r->M));
  QUIET(mbd_composite_inertia(m, d));
  QUIET(mbd_coriolis_matrix(m, d, r->M));
  QUIET(mbd_compliance(m, d));
  QUIET(mbd_jacobian_transpose_product(m, d, &t->f_ext, r->v));
}

void
call_sums(tree_t * t, mbd_data_t * d)
{
  const mbd_model_t * m = t->model;
  double energy, mass;
  mbd_vec3_t com;
  mbd_force_t f;
  QUIET(mbd_kinetic_energy(m, d, &energy));
  QUIET(mbd_potential_energy(m, d, &energy));
  QUIET(mbd_center_of_mass(m, d, &mass, &com));
  QUIET(mbd_centroidal_momentum(m, d, &f));
  QUIET(mbd_joint_force(m, d, 0, &f));
}

void
call_frames(tree_t * t, mbd_data_t * d, outputs_t * r, int frame)
{
  const mbd_model_t * m = t->model;
  mbd_placement_t X;
  mbd_motion_t V;
  double A[36];
  int rank;
  QUIET(mbd_frame_placement(m, d, frame, &X));
  for (int k = MBD_LOCAL; k <= MBD_LOCAL_WORLD_ALIGNED; k++) {
    const mbd_reference_t ref = (mbd_reference_t)k;
    QUIET(mbd_frame_velocity(m, d, frame, ref, &V));
    QUIET(mbd_frame_acceleration(m, d, frame, ref, &V));
    QUIET(mbd_jacobian(m, d, frame, ref, r->J));
    QUIET(mbd_jacobian_product(m, d, frame, ref, t->v, &V));
    QUIET(mbd_jacobian_bias(m, d, frame, ref, &V));
    QUIET(mbd_operational_space_compliance(m, d, frame, ref, A));
    QUIET(mbd_operational_space_inertia(m, d, frame, ref, A, &rank));
  }
  const mbd_inertia_t load =
    mbdu_inertia_from_com(2, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  QUIET(mbd_payload_attach(m, d, frame, &load));
  QUIET(mbd_payload_remove(m, d, frame));
  QUIET(mbd_payload_clear(m, d));
}

void
call_configuration(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  int index;
  QUIET(mbd_neutral(m, r->q));
  QUIET(mbd_random_configuration(m, 7, r->q));
  QUIET(mbd_normalize(m, r->q));
  QUIET(mbd_difference(m, t->q, r->q, r->v));
  QUIET(mbd_integrate(m, t->q, t->v, 0.01, r->q));
  QUIET(mbd_find_frame(m, m->frame[0].name, &index));
  QUIET(mbd_find_joint(m, m->body[0].joint_name, &index));
  mbd_limit_t limit;
  QUIET_VALUE(mbd_limit_count(m));
  for (int k = 0; k < mbd_limit_count(m); k++) {
    QUIET(mbd_limit_info(m, k, &limit));
    QUIET(mbd_limit_gaps(m, d, &limit, NULL, NULL, r->v));
  }
  QUIET_VALUE(mbd_error_joint_name(d));
  QUIET_VALUE(mbd_status_name(MBD_OK));
  QUIET_VALUE(mbd_status_string(MBD_OK));
  QUIET_VALUE(mbd_joint_type_name(MBD_JOINT_FREE));
}

void
call_factors(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  double number;
  QUIET(mbd_mass_product(m, d, t->v, r->v));
  QUIET(mbd_mass_solve(m, d, t->v, r->v));
  for (int op = MBD_SQRT; op <= MBD_SQRT_INVERSE_TRANSPOSE; op++) {
    QUIET(mbd_mass_sqrt(m, d, (mbd_sqrt_op_t)op, t->v, r->v));
  }
  QUIET(mbd_mass_factors(m, d, r->M, NULL));
  QUIET(mbd_mass_log_determinant(m, d, &number));
  QUIET(mbd_mass_trace(m, d, &number));
  QUIET(mbd_mass_condition(m, d, r->work, &number));
}

void
call_operators(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_force_t f[16];
  mbd_motion_t V[16];
  mbd_force_views_t views;
  double block[36];
  memset(f, 0, sizeof f);
  memset(V, 0, sizeof V);
  QUIET(mbd_phi_product(m, d, f, f));
  QUIET(mbd_phi_transpose_product(m, d, V, V));
  QUIET(mbd_psi_product(m, d, f, f));
  QUIET(mbd_psi_transpose_product(m, d, V, V));
  QUIET(mbd_cross_inertia(m, d, 0, m->nbody - 1, block));
  QUIET(mbd_composite_inverse_dynamics(m, d, t->qdd, &t->f_ext, r->v));
  QUIET(mbd_joint_force_views(m, d, 0, &views));
}

void
call_responses(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const mbd_vec3_t x = {1, 0, 0};
  mbd_motion_t A;
  double C[36], mass;
  int rank;
  QUIET(mbd_force_response(m, d, &t->f_ext, r->v));
  QUIET(mbd_impulse_response(m, d, &t->f_ext, r->v));
  QUIET(mbd_response_acceleration(m, d, 0, MBD_LOCAL, &A));
  QUIET(mbd_compliance_between(m, d, 0, MBD_LOCAL, m->nframe - 1, MBD_WORLD, C));
  QUIET(mbd_mobility(m, d, 0, MBD_LOCAL, &rank, C));
  QUIET(mbd_effective_mass(m, d, 0, x, x, &mass));
}

void
call_hybrid(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  bool active[64];
  const mbd_motion_t up = {{0, 0, 0}, {0, 0, 1}};
  int rank;
  assert_true(m->nbody <= 64);
  for (int i = 0; i < m->nbody; i++) active[i] = i % 2;
  memcpy(r->v, t->qdd, (size_t)m->nv * sizeof *r->v);
  QUIET(mbd_hybrid_dynamics(m, d, t->q, t->v, active, &t->f_ext, r->v, t->tau));
  QUIET(mbd_disturbance_jacobian(m, d, active, r->M));
  QUIET(mbd_generalized_jacobian(m, d, active, 0, MBD_LOCAL, r->J));
  QUIET(mbd_hybrid_control(
    m, d, t->q, t->v, active, m->nframe - 1, MBD_LOCAL, up, r->v, t->tau, &rank));
}

// user joints and embedded models are refused, without heap as well
static void
call_second_derivatives(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const size_t size = (size_t)m->nv * (size_t)m->nv;
  double * work = malloc(mbd_second_derivatives_work(m) * sizeof *work);
  double * out = malloc(4 * size * sizeof *out);
  double *a = out, *b = a + size, *c = b + size, *e = c + size;
  const mbd_status_t want =
    mbd_inverse_dynamics_second_derivatives(m, d, t->q, t->v, t->qdd, t->tau, work, a, b, c, e);
  QUIET_VALUE(mbd_second_derivatives_work(m));
  QUIET(
    mbd_inverse_dynamics_second_derivatives(m, d, t->q, t->v, t->qdd, t->tau, work, a, b, c, e) ==
        want
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  QUIET(
    mbd_forward_dynamics_second_derivatives(
      m, d, t->q, t->v, t->tau, t->qdd, work, r->v, a, b, c, e) == want
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  free(work);
  free(out);
}

void
call_derivatives(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const size_t n = (size_t)m->nv;
  double * work = malloc(mbd_derivatives_work(m) * sizeof *work);
  double * out = malloc(12 * n * n * sizeof *out);
  double *a = out, *b = out + 4 * n * n, *c = out + 8 * n * n;
  QUIET(mbd_derivatives_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_inverse_dynamics_derivatives(m, d, t->q, t->v, t->qdd, &t->f_ext, work, a, b, c));
  QUIET(mbd_forward_dynamics_derivatives(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b, c));
  const mbd_status_t expected =
    mbd_linearize(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b);
  QUIET(
    mbd_linearize(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v, a, b) == expected
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_mass_matrix_derivative(m, d, 0, work, a));
  double * tensor = malloc(n * n * n * sizeof *tensor);
  QUIET(mbd_mass_matrix_tensor(m, d, work, tensor));
  QUIET(mbd_christoffel_tensor(m, d, work, tensor));
  free(tensor);
  QUIET(mbd_jacobian_rate(m, d, 0, MBD_LOCAL, r->J));
  free(work);
  free(out);
  call_second_derivatives(t, d, r);
}

void
call_free_flyer(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  double * work = malloc(mbd_free_flyer_work(m) * sizeof *work);
  mbd_sym6_t * E = malloc((size_t)m->nbody * sizeof *E);
  // bases that are not free are refused, without heap as well
  const mbd_status_t want = mbd_effective_inertia(m, d, work, E);
  QUIET(mbd_free_flyer_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_effective_inertia(m, d, work, E) == want ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(
    mbd_free_flyer_dynamics(m, d, t->q, t->v, t->tau, &t->f_ext, work, r->v) == want
      ? MBD_OK
      : MBD_ERROR_BAD_ARGUMENT);
  free(work);
  free(E);
}

void
call_gears(tree_t * t, outputs_t * r)
{
  const mbd_motor_spec_t spec = mbd_motor_spec_default();
  const double one = 1;
  int at;
  memset(r->v, 0, (size_t)t->model->nv * sizeof *r->v);
  QUIET(mbd_motor_spec_default().ratio == spec.ratio ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_elastic_torque(t->model, NULL, 0, t->q, t->v, r->v));
  QUIET(mbd_rotor_error(1, &one, &one, &at, &at) == 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
}

void
call_diagonal(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv;
  double * work = malloc((mbd_diagonal_work(m) + (size_t)m->nD) * sizeof *work);
  mbd_sym6_t * dP = malloc(nbody * sizeof *dP);
  mbd_force_t * dG = malloc(nv * sizeof *dG);
  double * dD = work + mbd_diagonal_work(m);
  QUIET(mbd_diagonal_work(m) > 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT);
  QUIET(mbd_set_position(m, d, t->q));
  QUIET(mbd_set_velocity(m, d, t->v));
  QUIET(mbd_articulated_rate(m, d, t->v, dP, dG, dD));
  QUIET(mbd_log_determinant_gradient(m, d, r->v));
  QUIET(mbd_factor_rates(m, d, t->v, work, r->M, NULL, NULL));
  QUIET(mbd_factor_rates(m, d, t->v, work, NULL, r->M, NULL));
  QUIET(mbd_factor_rate_product(m, d, work, r->v));
  QUIET(mbd_unnormalized_coriolis(m, d, work, r->v));
  QUIET(mbd_quasi_coriolis(m, d, work, r->v));
  for (size_t k = 0; k < nv; k++) work[k] = 1;
  QUIET(mbd_quasi_velocity_damping(m, d, work, r->v));
  free(work);
  free(dP);
  free(dG);
}

void
call_tasks(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  const mbd_task_t task[2] = {
    mbdu_task_frame(m->nframe - 1, MBD_LOCAL), mbdu_task_position(0, MBD_WORLD)};
  const mbd_tasks_t tasks = {2, task};
  const mbd_singular_t damp = {MBD_SINGULAR_DAMP, 0, 0.1};
  double L[81], mu[9], p[9];
  mbd_task_info_t info;
  QUIET_VALUE(mbd_task_rows(&tasks));
  QUIET_VALUE(mbd_task_work(m, &tasks));
  QUIET(mbd_task_jacobian(m, d, &tasks, r->J));
  QUIET(mbd_task_bias(m, d, &tasks, mu));
  QUIET(mbd_task_compliance(m, d, &tasks, L));
  QUIET(mbd_task_inertia(m, d, &tasks, &damp, r->work, L, &info));
  QUIET(mbd_task_inertia(m, d, &tasks, NULL, r->work, L, &info));
  QUIET(mbd_task_forces(m, d, &tasks, L, r->work, mu, p));
  QUIET(mbd_task_inverse(m, d, &tasks, L, r->work, r->J));
  QUIET(mbd_task_nullspace(m, d, &tasks, L, r->work, r->M));
  QUIET(mbd_task_control(m, d, &tasks, L, mu, t->tau, r->work, r->v));
}

void
call_momentum(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  mbd_energy_rates_t rates;
  mbd_force_t f;
  mbd_motion_t V;
  QUIET(mbd_momentum(m, d, r->v));
  QUIET(mbd_momentum_rate(m, d, t->tau, &t->f_ext, r->v));
  QUIET(mbd_energy_rates(m, d, t->tau, &t->f_ext, &rates));
  QUIET(mbd_centroidal_matrix(m, d, r->J));
  QUIET(mbd_centroidal_bias(m, d, &f));
  QUIET(mbd_average_velocity(m, d, &V));
  QUIET(mbd_com_jacobian(m, d, r->J));
  if (m->body[0].type == MBD_JOINT_FREE) QUIET(mbd_momentum_nulling(m, d, 0, r->v));
  QUIET(mbd_coriolis_transpose_product(m, d, r->v));
  QUIET(mbd_mass_matrix_rate(m, d, r->M));
  QUIET(mbd_momentum_gradient(m, d, r->M));
  QUIET(mbd_kinetic_energy_gradient(m, d, r->v));
  // the velocity stage is stale after this
  QUIET(mbd_christoffel(m, d, 0, r->M));
  QUIET(mbd_set_velocity(m, d, t->v));
}

void
call_regressors(tree_t * t, mbd_data_t * d, outputs_t * r)
{
  const mbd_model_t * m = t->model;
  double W[6] = {1, 2, 3, 4, 5, 6}, K[1];
  int pivot[2], rank;
  QUIET_VALUE(mbd_parameter_count(m, true));
  QUIET(mbd_parameters_get(m, d, true, r->theta));
  if (!embedded) QUIET(mbd_parameters_check(r->theta, NULL));
  QUIET(mbd_torque_regressor(m, d, t->qdd, true, r->Y));
  QUIET(mbd_momentum_regressor(m, d, r->Y));
  QUIET(mbd_energy_regressor(m, d, r->Y, r->theta));
  QUIET(mbd_base_parameters(3, 2, W, 1e-9, pivot, &rank, K));
}
