// Rigid trees by vector kernels; what they do not do is left to tree/. Stages are deferred: the kernels
// compute from q and v, and what other functions need of a state is computed when they ask.
#include "simd/simd_engine.h"

#include <string.h>

#include "simd/fast.h"
#include "state/check.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

//---------- state ----------

static size_t
simd_lay_out(const mbd_model_t * model, char * base, mbd_data_t * data)
{
  size_t offset = mbdi_tree_lay_out(model, base, data);
  const size_t inertias = 2 * (size_t)model->nbody;
  data->lean = mbdi_arena_take(base, &offset, inertias, sizeof *data->lean);
  data->kernel = mbdi_arena_take(base, &offset, model->plan->one->work(model->plan), 1);
  return offset;
}

static void
simd_position_stage(const mbd_model_t * model, mbd_data_t * data)
{
  const mbdi_plan_t * plan = model->plan;
  data->stage = MBD_STAGE_POSITION;
  plan->one->placements(plan, data->q, data->kernel, data->X_parent, data->X_world);
}

// most quaternions that come in have unit length but for rounding, which is seen without a call
static inline bool
is_unit(const double * q)
{
  const double square = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]);
  return square > 1 - 1e-15 && square < 1 + 1e-15;
}

// quaternions of data->q to unit length; false names the joint whose quaternion has none
static inline bool
normalize_quaternions(const mbdi_plan_t * plan, mbd_data_t * data)
{
  for (int k = 0; k < plan->nquaternion; k++) {
    double * q = data->q + plan->quaternion[k].q;
    if (is_unit(q) || mbdi_quat_normalize_numbers(q)) continue;
    data->culprit = plan->quaternion[k].body;
    return false;
  }
  return true;
}

// inline: every call for one state goes through it
static inline mbd_status_t
simd_load_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u, uint32_t stage)
{
  const mbdi_plan_t * plan = model->plan;
  if (!plan->one->take_state(plan, q, v, u, data->q, data->v, to_u)) return MBD_ERROR_NOT_FINITE;
  data->stage = 0;
  data->culprit = -1;
  if (!normalize_quaternions(plan, data)) return MBD_ERROR_BAD_QUATERNION;
  data->stage = stage;
  return MBD_OK;
}

//---------- inverse and forward dynamics ----------

static mbd_status_t
simd_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  if (f_ext || !q || !v) return mbdi_tree_inverse_dynamics(model, data, q, v, qdd, f_ext, tau);
  CHECK(check_mimic(model, data));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  CHECK(simd_load_state(model, data, q, v, qdd, data->qdd, MBD_STAGE_LATER_POSITION));
  // for when the stages are computed
  if (!qdd) memset(data->qdd, 0, (size_t)model->nv * sizeof *qdd);
  data->stage = MBD_STAGE_LATER;
  args.u = qdd ? data->qdd : NULL;
  model->plan->one->inverse_dynamics(&args);
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, 1, data->x);
  if (mbdi_fast_deliver(model, data->x, tau)) return MBD_OK;
  data->stage &= ~(uint32_t)(MBD_STAGE_FORCE | MBD_STAGE_LATER);
  return MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  // stages that are there save more than a kernel does
  if (!(data->stage & STAGES_WITH_VELOCITY)) return mbdi_tree_bias(model, data, h);
  CHECK(check_mimic(model, data));
  if (!h) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  model->plan->one->bias(&args);
  return mbdi_fast_deliver(model, data->x, h) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  if (!(data->stage & STAGES_LATER)) return mbdi_tree_gravity(model, data, g);
  CHECK(check_mimic(model, data));
  if (!g) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  model->plan->one->gravity(&args);
  return mbdi_fast_deliver(model, data->x, g) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  const bool rotors = data->terms & MBD_TERM_ROTORS;
  if (f_ext || !q || !v || (rotors && model->plan->free_rotor)) {
    return mbdi_tree_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  }
  CHECK(check_mimic(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  CHECK(simd_load_state(model, data, q, v, tau, data->x, MBD_STAGE_LATER_POSITION));
  mbdi_take_torques(model, data, tau ? data->x : NULL);
  args.u = data->x;
  args.out = data->qdd;
  if (!model->plan->one->forward_dynamics(&args)) {
    // find out which joint moves a subtree without inertia
    return mbdi_tree_forward_dynamics(model, data, q, v, tau, NULL, qdd);
  }
  data->stage = MBD_STAGE_LATER;
  if (mbdi_fast_deliver(model, data->qdd, qdd)) return MBD_OK;
  data->stage = 0;
  return MBD_ERROR_NOT_FINITE;
}

//---------- mass matrix ----------

static mbd_status_t
simd_mass_matrix(const mbd_model_t * model, mbd_data_t * data, const double * q, double * M)
{
  CHECK(check_mimic(model, data));
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  if (q) CHECK(simd_load_state(model, data, q, NULL, NULL, NULL, MBD_STAGE_LATER_POSITION));
  // a state is enough: it need not have been computed from
  if (!(data->stage & (MBD_STAGE_POSITION | STAGES_LATER))) return MBD_ERROR_STAGE;
  args.out = M;
  model->plan->one->mass_matrix(&args);
  return MBD_OK;
}

static mbd_status_t
simd_mass_matrix_inverse(const mbd_model_t * model, mbd_data_t * data, double * M_inv)
{
  CHECK(check_mimic(model, data));
  if (!M_inv) return MBD_ERROR_NULL_ARGUMENT;
  if (!(data->stage & (MBD_STAGE_POSITION | STAGES_LATER))) return MBD_ERROR_STAGE;
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  args.out = M_inv;
  const bool known = model->plan->slots <= PLAN_SLOTS && !(args.rotor && model->plan->free_rotor);
  if (known && model->plan->one->mass_inverse(&args)) return MBD_OK;
  return mbdi_tree_mass_matrix_inverse(model, data, M_inv);
}

static mbd_status_t
simd_centroidal_momentum(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum)
{
  if (!(data->stage & STAGES_WITH_VELOCITY)) {
    return mbdi_tree_centroidal_momentum(model, data, momentum);
  }
  if (!momentum) return MBD_ERROR_NULL_ARGUMENT;
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  args.out = &sum;
  if (!model->plan->one->momentum(&args)) return MBD_ERROR_MASSLESS_SUBTREE;
  if (!finite_vec3(sum.ang) || !finite_vec3(sum.lin)) return MBD_ERROR_NOT_FINITE;
  *momentum = sum;
  return MBD_OK;
}

//---------- frames ----------

static mbd_status_t
simd_jacobian(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * J)
{
  if (!J) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  const mbd_frame_t * f = &model->frame[frame];
  if (!(data->stage & STAGES_LATER) || f->body < 0) {
    return mbdi_tree_jacobian(model, data, frame, reference, J);
  }
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  args.out = J;
  args.plan->one->jacobian(&args, f, reference, data->path);
  return MBD_OK;
}

static mbd_status_t
simd_jacobian_bias(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference,
  mbd_motion_t * bias)
{
  if (!bias) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_frame(model, frame, reference));
  const mbd_frame_t * f = &model->frame[frame];
  if (!(data->stage & STAGES_WITH_VELOCITY) || f->body < 0) {
    return mbdi_tree_jacobian_bias(model, data, frame, reference, bias);
  }
  mbdi_kernel_args_t args;
  mbdi_fast_args(model, data, &args);
  memset(bias, 0, sizeof *bias);
  args.out = bias;
  model->plan->one->jacobian_bias(&args, f, reference, data->path);
  return MBD_OK;
}

static mbd_status_t
simd_frame_compliance(
  const mbd_model_t * model, mbd_data_t * data, int frame, mbd_reference_t reference, double * C,
  double * length)
{
  CHECK(check_mimic(model, data));
  CHECK(check_frame(model, frame, reference));
  // a state is enough: it need not have been computed from
  if (!(data->stage & (MBD_STAGE_POSITION | STAGES_LATER))) return MBD_ERROR_STAGE;
  const mbd_frame_t * f = &model->frame[frame];
  mbdi_kernel_args_t args;
  if (f->body < 0 || !mbdi_fast_articulated(model, data, &args)) {
    return mbdi_tree_frame_compliance(model, data, frame, reference, C, length);
  }
  memset(C, 0, 36 * sizeof *C);
  *length = model->plan->one->factor(&args, f, reference, data->E);
  model->plan->one->factor_product(model->plan, f->body, data->E, data->E, 6, C);
  return MBD_OK;
}

static double
simd_invert(
  int n, double floor, const double * C, const double * w, double * work, double * inverse)
{
  return mbdi_kernels_one()->invert(n, floor, C, w, work, inverse);
}

//---------- the table ----------

const mbdi_engine_t mbdi_simd_engine = {
  .rigid_tree = true,
  .cut_loops = true,
  .set_position = mbdi_tree_set_position,
  .set_velocity = mbdi_tree_set_velocity,
  .set_acceleration = mbdi_tree_set_acceleration,
  .inverse_dynamics = simd_inverse_dynamics,
  .bias = simd_bias,
  .gravity = simd_gravity,
  .forward_dynamics = simd_forward_dynamics,
  .articulated_inertia = mbdi_tree_articulated_inertia,
  .mass_matrix = simd_mass_matrix,
  .mass_matrix_inverse = simd_mass_matrix_inverse,
  .mass_product = mbdi_tree_mass_product,
  .mass_sqrt = mbdi_tree_mass_sqrt,
  .mass_factors = mbdi_tree_mass_factors,
  .mass_log_determinant = mbdi_tree_mass_log_determinant,
  .mass_trace = mbdi_tree_mass_trace,
  .potential_energy = mbdi_tree_potential_energy,
  .kinetic_energy = mbdi_tree_kinetic_energy,
  .momentum = mbdi_tree_momentum,
  .momentum_rate = mbdi_tree_momentum_rate,
  .energy_rates = mbdi_tree_energy_rates,
  .centroidal_momentum = simd_centroidal_momentum,
  .centroidal_matrix = mbdi_tree_centroidal_matrix,
  .com_jacobian = mbdi_tree_com_jacobian,
  .coriolis_matrix = mbdi_tree_coriolis_matrix,
  .coriolis_transpose_product = mbdi_tree_coriolis_transpose_product,
  .momentum_gradient = mbdi_tree_momentum_gradient,
  .kinetic_energy_gradient = mbdi_tree_kinetic_energy_gradient,
  .christoffel = mbdi_tree_christoffel,
  .christoffel_tensor = mbdi_tree_christoffel_tensor,
  .mass_matrix_derivative = mbdi_tree_mass_matrix_derivative,
  .mass_matrix_tensor = mbdi_tree_mass_matrix_tensor,
  .inverse_dynamics_derivatives = mbdi_tree_inverse_dynamics_derivatives,
  .forward_dynamics_derivatives = mbdi_tree_forward_dynamics_derivatives,
  .linearize = mbdi_tree_linearize,
  .jacobian_rate = mbdi_tree_jacobian_rate,
  .jacobian = simd_jacobian,
  .jacobian_product = mbdi_tree_jacobian_product,
  .jacobian_bias = simd_jacobian_bias,
  .compliance = mbdi_tree_compliance,
  .compliance_between = mbdi_tree_compliance_between,
  .parameters_get = mbdi_tree_parameters_get,
  .torque_regressor = mbdi_tree_torque_regressor,
  .momentum_regressor = mbdi_tree_momentum_regressor,
  .neutral = mbdi_tree_neutral,
  .normalize = mbdi_tree_normalize,
  .random_configuration = mbdi_tree_random_configuration,
  .integrate = mbdi_tree_integrate,
  .difference = mbdi_tree_difference,
  .lay_out = simd_lay_out,
  .init = mbdi_tree_init,
  .load_state = simd_load_state,
  .position_stage = simd_position_stage,
  .accelerate = mbdi_accelerate,
  .bias_stage = mbdi_tree_bias_stage,
  .set_gravity = mbdi_tree_set_gravity,
  .set_terms = mbdi_tree_set_terms,
  .inertia_changed = mbdi_tree_inertia_changed,
  .gather_forces = mbdi_tree_gather_forces,
  .solve = mbdi_tree_solve,
  .reduce = mbdi_tree_reduce,
  .frame_compliance = simd_frame_compliance,
  .task_jacobian = mbdi_tree_task_jacobian,
  .derivatives_work = mbdi_tree_derivatives_work,
  .invert = simd_invert,
};
