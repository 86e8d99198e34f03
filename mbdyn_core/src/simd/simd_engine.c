// Rigid trees by vector kernels; what they do not do is left to tree/. Stages are deferred: the kernels
// compute from q and v, and what other functions need of a state is computed when they ask.
#include "simd/simd_engine.h"

#include <string.h>

#include "model/joint.h"
#include "simd/simd_args.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"
#include "util/arena.h"

//---------- state ----------

static size_t
simd_lay_out(const mbd_model_t * model, char * base, mbd_data_t * data)
{
  size_t offset = mbdi_tree_lay_out(model, base, data);
  const size_t inertias = 2 * (size_t)model->nbody;
  data->work->base_inertia =
    mbdi_arena_take(base, &offset, inertias, sizeof *data->work->base_inertia);
  data->work->kernel =
    mbdi_arena_take(base, &offset, mbdi_simd_memory_size(model->internal->plan), 1);
  return offset;
}

static void
simd_position_stage(const mbd_model_t * model, mbd_data_t * data)
{
  const mbdi_plan_t * plan = model->internal->plan;
  if (!plan->kernels->placements) {
    mbdi_tree_position_stage(model, data);
    return;
  }
  mbdi_kernel_args_t args;
  stage_reset(data, MBD_STAGE_POSITION);
  mbdi_simd_kinematic_args(model, data, &args);
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  plan->kernels->placements(&args, data->X_parent, data->X_world);
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
    data->error_body = plan->quaternion[k].body;
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
  const mbdi_plan_t * plan = model->internal->plan;
  if (!plan->kernels->copy_state_if_finite(plan, q, v, u, data->q, data->v, to_u))
    return MBD_ERROR_NOT_FINITE;
  data->error_body = -1;
  mbdi_simd_memory(data)->nwrench = 0;
  const bool normal = normalize_quaternions(plan, data);
  stage_reset(data, normal ? stage : 0);
  return normal ? MBD_OK : MBD_ERROR_BAD_QUATERNION;
}

static mbd_status_t
simd_set_position(const mbd_model_t * model, mbd_data_t * data, const double * q)
{
  if (!q) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(simd_load_state(model, data, q, NULL, NULL, NULL, MBD_STAGE_DEFERRED_POSITION));
  simd_position_stage(model, data);
  return MBD_OK;
}

//---------- inverse and forward dynamics ----------

// True if a kernel can start from these arguments: a new state, or a deferred one with a new velocity at
// most. Stages that are up to date are left to tree/, which keeps them.
static inline bool
takes_state(const mbd_data_t * data, const double * q, const double * v)
{
  if (__builtin_expect(q != NULL, 1)) return v != NULL;
  return stage_any(data, v ? STAGES_DEFERRED : STAGES_DEFERRED_VELOCITY);
}

// the same as simd_load_state where q, or q and v, are those of the workspace
static mbd_status_t
load_deferred_state(
  const mbd_model_t * model, mbd_data_t * data, const double * v, const double * u, double * to_u)
{
  if (v && !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (u && !mbdi_simd_copy_if_finite(model->internal->plan, u, to_u)) return MBD_ERROR_NOT_FINITE;
  if (v) copy_array(data->v, v, model->nv);
  data->error_body = -1;
  stage_reset(data, MBD_STAGE_DEFERRED_VELOCITY);
  mbdi_simd_memory(data)->nwrench = 0;
  return MBD_OK;
}

static inline mbd_status_t
load_any_state(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * u, double * to_u)
{
  if (__builtin_expect(!q, 0)) return load_deferred_state(model, data, v, u, to_u);
  return simd_load_state(model, data, q, v, u, to_u, MBD_STAGE_DEFERRED_POSITION);
}

// true if a kernel takes these wrenches: few enough to be kept for the deferred force stage
static inline bool
takes_wrenches(const mbd_model_t * model, const mbd_wrenches_t * f_ext)
{
  const mbdi_plan_t * plan = model->internal->plan;
  return !f_ext || (plan->kernels->copy_wrenches && f_ext->n <= MBDI_SIMD_WRENCHES &&
                    plan->depth <= PLAN_WORLD_AXES);
}

// Checks wrenches and copies them for the kernel. Those of a deferred force stage stay: the call may
// still be refused.
static inline mbd_status_t
copy_wrenches(
  const mbd_model_t * model, mbd_data_t * data, const mbd_wrenches_t * f_ext,
  mbdi_kernel_args_t * args)
{
  mbdi_simd_memory_t * memory = mbdi_simd_memory(data);
  const int n = f_ext->n;
  mbd_wrench_t * to = memory->wrench[!memory->list];
  if (n < 0) return MBD_ERROR_BAD_ARGUMENT;
  if (n > 0 && !f_ext->w) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(model->internal->plan->kernels->copy_wrenches(n, f_ext->w, model->nframe, to));
  args->wrench = to;
  args->nwrench = n;
  return MBD_OK;
}

// the call has been accepted: its wrenches are those of the deferred force stage
static inline void
keep_wrenches(mbd_data_t * data, const mbdi_kernel_args_t * args)
{
  mbdi_simd_memory_t * memory = mbdi_simd_memory(data);
  memory->list = !memory->list;
  memory->nwrench = args->nwrench;
}

static mbd_status_t
simd_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  if (!takes_state(data, q, v) || !takes_wrenches(model, f_ext)) {
    return mbdi_tree_inverse_dynamics(model, data, q, v, qdd, f_ext, tau);
  }
  CHECK(check_mimic(model, data));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  args.nwrench = 0;
  if (f_ext) CHECK(copy_wrenches(model, data, f_ext, &args));
  CHECK(load_any_state(model, data, q, v, qdd, data->work->qdd));
  if (args.nwrench > 0) keep_wrenches(data, &args);
  // for when the stages are computed
  if (!qdd) memset(data->work->qdd, 0, (size_t)model->nv * sizeof *qdd);
  stage_reset(data, MBD_STAGE_DEFERRED);
  args.u = qdd ? data->work->qdd : NULL;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  const mbdi_kernels_t * kernels = args.plan->kernels;
  (args.nwrench > 0 ? kernels->inverse_dynamics_wrenches : kernels->inverse_dynamics)(&args);
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, 1, data->work->x);
  if (mbdi_simd_copy_if_finite(args.plan, data->work->x, tau)) return MBD_OK;
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_DEFERRED);
  return MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  CHECK(check_mimic(model, data));
  if (!h) return MBD_ERROR_NULL_ARGUMENT;
  // accelerations of dependent joints of a loop
  if (data->work->bias_qdd) return mbdi_tree_bias(model, data, h);
  if (!stage_has_velocity(data)) return MBD_ERROR_STAGE;
  mbdi_kernel_args_t args;
  mbdi_simd_args_and_sines(model, data, &args);
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  args.plan->kernels->bias(&args);
  return mbdi_simd_copy_if_finite(args.plan, data->work->x, h) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  CHECK(check_mimic(model, data));
  if (!g) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  mbdi_kernel_args_t args;
  mbdi_simd_args_and_sines(model, data, &args);
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  args.plan->kernels->gravity(&args);
  return mbdi_simd_copy_if_finite(args.plan, data->work->x, g) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

static mbd_status_t
simd_forward_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * tau, const mbd_wrenches_t * f_ext, double * qdd)
{
  const bool rotors = data->terms & MBD_TERM_ROTORS;
  const bool known = takes_state(data, q, v) && takes_wrenches(model, f_ext);
  if (!known || (rotors && model->internal->plan->free_rotor)) {
    return mbdi_tree_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  }
  CHECK(check_mimic(model, data));
  if (!qdd) return MBD_ERROR_NULL_ARGUMENT;
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  args.nwrench = 0;
  if (f_ext) CHECK(copy_wrenches(model, data, f_ext, &args));
  CHECK(load_any_state(model, data, q, v, tau, data->work->x));
  if (args.nwrench > 0) keep_wrenches(data, &args);
  mbdi_take_torques(model, data, tau ? data->work->x : NULL);
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  args.u = data->work->x;
  args.out = data->work->qdd;
  const mbdi_kernels_t * kernels = args.plan->kernels;
  if (!(args.nwrench > 0 ? kernels->forward_dynamics_wrenches : kernels->forward_dynamics)(&args)) {
    // find out which joint moves a subtree without inertia
    return mbdi_tree_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  }
  stage_reset(data, MBD_STAGE_DEFERRED);
  if (mbdi_simd_copy_if_finite(args.plan, data->work->qdd, qdd)) return MBD_OK;
  stage_reset(data, 0);
  return MBD_ERROR_NOT_FINITE;
}

static mbd_wrenches_t
simd_deferred_wrenches(const mbd_data_t * data)
{
  const mbdi_simd_memory_t * memory = mbdi_simd_memory(data);
  return (mbd_wrenches_t){memory->nwrench, memory->wrench[memory->list]};
}

//---------- mass matrix ----------

static mbd_status_t
simd_mass_matrix(const mbd_model_t * model, mbd_data_t * data, double * M)
{
  CHECK(check_mimic(model, data));
  if (!M) return MBD_ERROR_NULL_ARGUMENT;
  // a state is enough: it need not have been computed from
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  mbdi_kernel_args_t args;
  mbdi_simd_args_and_sines(model, data, &args);
  args.out = M;
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  if (args.plan->kernels->mass_matrix(&args)) return MBD_OK;
  return mbdi_tree_mass_matrix(model, data, M);
}

static mbd_status_t
simd_mass_and_torques(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, double * sine, double * cosine,
  double * M, double * tau, bool * done)
{
  const mbdi_plan_t * plan = model->internal->plan;
  *done = false;
  if (!plan->kernels->mass_and_torques || !takes_state(data, NULL, NULL)) return MBD_OK;
  CHECK(check_mimic(model, data));
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  CHECK(load_deferred_state(model, data, NULL, qdd, data->work->qdd));
  args.u = data->work->qdd;
  args.matrix = M;
  args.sine = sine, args.cosine = cosine;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  if (!plan->kernels->mass_and_torques(&args)) return MBD_OK;
  stage_reset(data, MBD_STAGE_DEFERRED);
  *done = true;
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, 1, data->work->x);
  if (mbdi_simd_copy_if_finite(plan, data->work->x, tau)) return MBD_OK;
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_DEFERRED);
  return MBD_ERROR_NOT_FINITE;
}

// the stage of the sweeps below, by kernel where that of tree/ is not there
static bool
articulated_by_kernel(const mbd_model_t * model, mbd_data_t * data, mbdi_kernel_args_t * args)
{
  // a set without the kernel for it has none of the sweeps below
  return model->internal->plan->kernels->solve && !stage_any(data, MBD_STAGE_ARTICULATED) &&
         mbdi_simd_articulated(model, data, args);
}

static bool
inverse_by_factors(const mbd_model_t * model, mbd_data_t * data, double * M_inv)
{
  const mbdi_kernel_t factored_inverse = model->internal->plan->kernels->factored_inverse;
  mbdi_kernel_args_t args;
  if (!factored_inverse) return false;
  mbdi_simd_args(model, data, &args);
  args.out = M_inv;
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  return factored_inverse(&args);
}

static bool
simd_inverse_of(const mbd_model_t * model, mbd_data_t * data, double * M, double * M_inv)
{
  const mbdi_plan_t * plan = model->internal->plan;
  mbdi_kernel_args_t args;
  if (!plan->kernels->inverse_of || check_mimic(model, data) != MBD_OK) return false;
  mbdi_simd_args(model, data, &args);
  args.matrix = M;
  args.out = M_inv;
  return plan->kernels->inverse_of(&args);
}

static mbd_status_t
simd_mass_matrix_inverse(const mbd_model_t * model, mbd_data_t * data, double * M_inv)
{
  CHECK(check_mimic(model, data));
  if (!M_inv) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  mbdi_kernel_args_t args;
  const bool articulated = stage_any(data, MBD_STAGE_ARTICULATED_SIMD);
  if (!articulated && inverse_by_factors(model, data, M_inv)) return MBD_OK;
  if (model->internal->plan->slots > PLAN_SLOTS || !mbdi_simd_articulated(model, data, &args)) {
    return mbdi_tree_mass_matrix_inverse(model, data, M_inv);
  }
  args.out = M_inv;
  args.plan->kernels->mass_inverse(&args);
  return MBD_OK;
}

static mbd_status_t
simd_prepare_solve(const mbd_model_t * model, mbd_data_t * data)
{
  CHECK(check_mimic(model, data));
  mbdi_kernel_args_t args;
  if (stage_has_position(data) && articulated_by_kernel(model, data, &args)) return MBD_OK;
  return mbd_articulated_inertia(model, data);
}

static void
simd_solve(const mbd_model_t * model, mbd_data_t * data, double * x)
{
  mbdi_kernel_args_t args;
  if (articulated_by_kernel(model, data, &args))
    model->internal->plan->kernels->solve(&args, x, data->work->W);
  else
    mbdi_tree_solve(model, data, x);
}

static bool
simd_hinge_gains(const mbd_model_t * model, mbd_data_t * data, double * D_inv, double * G)
{
  mbdi_kernel_args_t args;
  if (!articulated_by_kernel(model, data, &args)) return false;
  const mbdi_kernels_t * kernels = model->internal->plan->kernels;
  kernels->hinge_inverses(&args, D_inv);
  kernels->hinge_gains(&args, G);
  return true;
}

static mbd_status_t
simd_mass_sqrt(
  const mbd_model_t * model, mbd_data_t * data, mbd_sqrt_op_t op, const double * x, double * y)
{
  CHECK(check_mimic(model, data));
  mbdi_kernel_args_t args;
  const bool known = (int)op >= MBD_SQRT && (int)op <= MBD_SQRT_INVERSE_TRANSPOSE;
  if (
    !known || !x || !y || !stage_has_position(data) || !articulated_by_kernel(model, data, &args)) {
    return mbdi_tree_mass_sqrt(model, data, op, x, y);
  }
  if (!mbdi_simd_copy_if_finite(model->internal->plan, x, data->work->x))
    return MBD_ERROR_NOT_FINITE;
  const mbdi_kernels_t * kernels = model->internal->plan->kernels;
  const bool transpose = op == MBD_SQRT_TRANSPOSE || op == MBD_SQRT_INVERSE_TRANSPOSE;
  const bool inverse = op == MBD_SQRT_INVERSE || op == MBD_SQRT_INVERSE_TRANSPOSE;
  const bool roots_first = op == MBD_SQRT || op == MBD_SQRT_INVERSE_TRANSPOSE;
  kernels->hinge_inverses(&args, data->D_inv);
  if (roots_first) mbdi_hinge_roots_apply(model, data, op, data->work->x);
  kernels->factor_apply(&args, transpose, inverse, data->work->x);
  if (!roots_first) mbdi_hinge_roots_apply(model, data, op, data->work->x);
  return mbdi_simd_copy_if_finite(args.plan, data->work->x, y) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

// M x, not checked, into data->work->x: inverse dynamics of the acceleration x, at rest and without
// gravity
static void
mass_times(const mbd_model_t * model, mbd_data_t * data, const double * x)
{
  const mbd_vec3_t weightless = {0, 0, 0};
  mbdi_kernel_args_t args;
  mbdi_simd_args_and_sines(model, data, &args);
  memset(data->work->nu, 0, (size_t)model->nv * sizeof *data->work->nu);
  args.gravity = &weightless;
  args.v = data->work->nu;
  args.u = x;
  mbdi_simd_load_general_joints(model, data, data->work->nu, &args);
  args.plan->kernels->inverse_dynamics(&args);
}

static mbd_status_t
simd_mass_product(const mbd_model_t * model, mbd_data_t * data, const double * x, double * y)
{
  CHECK(check_mimic(model, data));
  if (!x || !y) return MBD_ERROR_NULL_ARGUMENT;
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  if (!finite_array(x, model->nv)) return MBD_ERROR_NOT_FINITE;
  mass_times(model, data, x);
  return mbdi_simd_copy_if_finite(model->internal->plan, data->work->x, y) ? MBD_OK
                                                                           : MBD_ERROR_NOT_FINITE;
}

// where the stage is up to date, a sum over the bodies takes less than the kernel
static mbd_status_t
simd_kinetic_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  if (!stage_any(data, STAGES_DEFERRED_VELOCITY)) {
    return mbdi_tree_kinetic_energy(model, data, energy);
  }
  CHECK(check_mimic(model, data));
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  double sum;
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  args.out = &sum;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  args.plan->kernels->kinetic_energy(&args);
  if (!finite_array(&sum, 1)) return MBD_ERROR_NOT_FINITE;
  // rounding may leave less than nothing where almost nothing moves
  *energy = sum > 0 ? sum : 0;
  return MBD_OK;
}

static mbd_status_t
simd_potential_energy(const mbd_model_t * model, mbd_data_t * data, double * energy)
{
  if (!stage_any(data, STAGES_DEFERRED)) return mbdi_tree_potential_energy(model, data, energy);
  if (!energy) return MBD_ERROR_NULL_ARGUMENT;
  double sum;
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  args.out = &sum;
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  args.plan->kernels->potential_energy(&args);
  if (!finite_array(&sum, 1)) return MBD_ERROR_NOT_FINITE;
  *energy = sum;
  return MBD_OK;
}

static mbd_status_t
simd_centroidal_momentum(const mbd_model_t * model, mbd_data_t * data, mbd_force_t * momentum)
{
  const mbdi_kernels_t * kernels = model->internal->plan->kernels;
  if (!stage_any(data, STAGES_DEFERRED_VELOCITY) || !kernels->momentum) {
    return mbdi_tree_centroidal_momentum(model, data, momentum);
  }
  if (!momentum) return MBD_ERROR_NULL_ARGUMENT;
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  args.out = &sum;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  if (!kernels->momentum(&args)) return MBD_ERROR_MASSLESS_SUBTREE;
  if (!finite_vec3(sum.ang) || !finite_vec3(sum.lin)) return MBD_ERROR_NOT_FINITE;
  *momentum = sum;
  return MBD_OK;
}

static mbd_status_t
simd_momentum_and_rate(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, double * p, double * pdot)
{
  CHECK(check_mimic(model, data));
  if (!stage_has_velocity(data)) return MBD_ERROR_STAGE;
  if (!finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  mbdi_kernel_args_t args;
  mbdi_simd_args(model, data, &args);
  // 8 nv numbers
  args.out = data->work->E;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  args.plan->kernels->joint_momentum(&args);
  const double * rate = data->work->E + model->nv;
  for (int k = 0; k < model->nv; k++) {
    p[k] = data->work->E[k] + (args.rotor ? args.rotor[k] * data->v[k] : 0);
    pdot[k] = tau[k] + rate[k];
  }
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, -1, pdot);
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
  const mbdi_kernels_t * kernels = model->internal->plan->kernels;
  if (!stage_any(data, STAGES_DEFERRED) || f->body < 0 || !kernels->jacobian) {
    return mbdi_tree_jacobian(model, data, frame, reference, J);
  }
  mbdi_kernel_args_t args;
  mbdi_simd_kinematic_args(model, data, &args);
  args.out = J;
  mbdi_simd_load_general_joints(model, data, NULL, &args);
  kernels->jacobian(&args, f, reference, data->work->path);
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
  const mbdi_kernels_t * kernels = model->internal->plan->kernels;
  if (!stage_any(data, STAGES_DEFERRED_VELOCITY) || f->body < 0 || !kernels->jacobian_bias) {
    return mbdi_tree_jacobian_bias(model, data, frame, reference, bias);
  }
  mbdi_kernel_args_t args;
  mbdi_simd_kinematic_args(model, data, &args);
  args.v = data->v;
  args.out = bias;
  mbdi_simd_load_general_joints(model, data, data->v, &args);
  kernels->jacobian_bias(&args, f, reference, data->work->path);
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
  if (!stage_has_position(data)) return MBD_ERROR_STAGE;
  const mbd_frame_t * f = &model->frame[frame];
  mbdi_kernel_args_t args;
  const bool there = stage_any(data, MBD_STAGE_COMPLIANCE);
  if (there || f->body < 0 || !mbdi_simd_articulated(model, data, &args)) {
    return mbdi_tree_frame_compliance(model, data, frame, reference, C, length);
  }
  memset(C, 0, 36 * sizeof *C);
  *length = model->internal->plan->kernels->factor(&args, f, reference, data->work->E);
  model->internal->plan->kernels->factor_product(
    model->internal->plan, f->body, data->work->E, data->work->E, 6, C);
  return MBD_OK;
}

static double
simd_invert(
  int n, double floor, const double * C, const double * w, double * work, double * inverse)
{
  const mbdi_invert_t invert = mbdi_kernels_single()->invert;
  return (invert ? invert : mbdi_invert_definite)(n, floor, C, w, work, inverse);
}

//---------- manifold ----------

static mbd_status_t
simd_integrate(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  const mbdi_plan_t * plan = model->internal->plan;
  const bool known = plan->kernels->step && model->internal->ncurved == (plan->free_base ? 1 : 0);
  if (known && q && v && q_out && plan->kernels->step(plan, q, v, dt, q_out)) return MBD_OK;
  return mbdi_tree_integrate(model, q, v, dt, q_out);
}

//---------- the table ----------

const mbdi_engine_t mbdi_simd_engine = {
  .rigid_tree = true,
  .cut_loops = true,
  .set_position = simd_set_position,
  .set_velocity = mbdi_tree_set_velocity,
  .set_acceleration = mbdi_tree_set_acceleration,
  .inverse_dynamics = simd_inverse_dynamics,
  .bias = simd_bias,
  .gravity = simd_gravity,
  .forward_dynamics = simd_forward_dynamics,
  .joint_force = mbdi_tree_joint_force,
  .hybrid_dynamics = mbdi_tree_hybrid_dynamics,
  .disturbance_jacobian = mbdi_tree_disturbance_jacobian,
  .generalized_jacobian = mbdi_tree_generalized_jacobian,
  .articulated_inertia = mbdi_tree_articulated_inertia,
  .mass_matrix = simd_mass_matrix,
  .mass_and_torques = simd_mass_and_torques,
  .mass_matrix_inverse = simd_mass_matrix_inverse,
  .mass_product = simd_mass_product,
  .mass_sqrt = simd_mass_sqrt,
  .mass_factors = mbdi_tree_mass_factors,
  .mass_log_determinant = mbdi_tree_mass_log_determinant,
  .mass_trace = mbdi_tree_mass_trace,
  .potential_energy = simd_potential_energy,
  .kinetic_energy = simd_kinetic_energy,
  .momentum = mbdi_tree_momentum,
  .momentum_and_rate = simd_momentum_and_rate,
  .momentum_rate = mbdi_tree_momentum_rate,
  .energy_rates = mbdi_tree_energy_rates,
  .centroidal_momentum = simd_centroidal_momentum,
  .centroidal_matrix = mbdi_tree_centroidal_matrix,
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
  .second_derivatives_work = mbdi_tree_second_derivatives_work,
  .inverse_second_derivatives = mbdi_tree_inverse_second_derivatives,
  .forward_second_derivatives = mbdi_tree_forward_second_derivatives,
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
  .integrate = simd_integrate,
  .difference = mbdi_tree_difference,
  .lay_out_workspace = simd_lay_out,
  .init = mbdi_tree_init,
  .load_state = simd_load_state,
  .position_stage = simd_position_stage,
  .deferred_wrenches = simd_deferred_wrenches,
  .accelerate = mbdi_accelerate,
  .bias_stage = mbdi_tree_bias_stage,
  .set_gravity = mbdi_tree_set_gravity,
  .set_terms = mbdi_tree_set_terms,
  .inertia_changed = mbdi_tree_inertia_changed,
  .gather_forces = mbdi_tree_gather_forces,
  .prepare_solve = simd_prepare_solve,
  .hinge_gains = simd_hinge_gains,
  .inverse_of = simd_inverse_of,
  .solve = simd_solve,
  .reduce = mbdi_tree_reduce,
  .frame_compliance = simd_frame_compliance,
  .derivatives_work = mbdi_tree_derivatives_work,
  .invert = simd_invert,
};
