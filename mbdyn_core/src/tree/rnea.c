// Newton-Euler inverse dynamics (Alg 5.2, 9.1) and its special cases.
#include "mbdyn/inverse.h"

#include <math.h>
#include <string.h>

#include "mbdyn/kinematics.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"
#include "tree/tree.h"

mbd_status_t
mbdi_take_state(const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v)
{
  CHECK(check_any_dynamics(model, data, 0));
  data->error_body = -1;
  // before any input is read
  if (v && !finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  if (q) CHECK(mbd_set_position(model, data, q));
  if (v) CHECK(mbd_set_velocity(model, data, v));
  return check_any(model, data, MBD_STAGE_VELOCITY);
}

static double
joint_friction(const mbd_drive_t * drive, double v)
{
  const double dry = drive->coulomb > 0 ? drive->coulomb * tanh(v / drive->coulomb_velocity) : 0;
  return drive->viscous * v + dry;
}

void
mbdi_add_friction(const mbd_model_t * model, const double * v, double sign, double * tau)
{
  for (int k = 0; k < model->nv; k++) {
    tau[k] += sign * joint_friction(&model->body[model->dof_body[k]].drive, v[k]);
  }
}

void
mbdi_force_stage(
  const mbd_model_t * model, mbd_data_t * data, const double * qdd, const mbd_wrenches_t * f_ext)
{
  // bases to tips: accelerations; gravity is an upward acceleration of the world  (5.39)
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_RESIDUAL);
  const mbdi_engine_t * engine = model->internal->engine;
  engine->accelerate(model, data, qdd, mbdu_vec3_neg(data->gravity), data->A);
  // tips to bases: f_k = sum phi_j f_j + M_k A_k + b_k - f_ext, tau_k = S_k^T f_k  (5.43)
  for (int i = 0; i < mbdi_body_count(model); i++) {
    data->f[i] = mbdi_body_force(data, i, data->A[i]);
  }
  mbdi_add_wrenches(model, data, f_ext, -1, data->f);
  engine->gather_forces(model, data, data->f, data->work->x);
  stage_set(data, MBD_STAGE_ACCELERATION | MBD_STAGE_FORCE);
}

mbd_status_t
mbdi_tree_inverse_dynamics(
  const mbd_model_t * model, mbd_data_t * data, const double * q, const double * v,
  const double * qdd, const mbd_wrenches_t * f_ext, double * tau)
{
  CHECK(check_mimic(model, data));
  if (!tau) return MBD_ERROR_NULL_ARGUMENT;
  if (qdd && !finite_array(qdd, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbdi_check_wrenches(model, f_ext));
  CHECK(mbdi_take_state(model, data, q, v));
  mbdi_force_stage(model, data, qdd, f_ext);
  for (int k = 0; qdd && k < model->nv; k++) {
    data->work->x[k] += joint_rotor(data, &model->body[model->dof_body[k]]) * qdd[k];
  }
  if (data->terms & MBD_TERM_FRICTION) mbdi_add_friction(model, data->v, 1, data->work->x);
  if (copy_if_finite(tau, data->work->x, model->nv)) return MBD_OK;
  stage_clear(data, MBD_STAGE_FORCE | MBD_STAGE_DEFERRED);
  return MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbdi_tree_bias(const mbd_model_t * model, mbd_data_t * data, double * h)
{
  CHECK(check_any_dynamics(model, data, 0));
  if (!h) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_VELOCITY));
  model->internal->engine->bias_stage(model, data);
  for (int i = 0; i < mbdi_body_count(model); i++) {
    mbd_motion_t A = data->A_bias[i];
    A.lin = mbdu_vec3_sub(A.lin, mbdu_mat3_tvec(&data->X_world[i].R, data->gravity));
    data->work->F[i] = mbdi_body_force(data, i, A);
  }
  model->internal->engine->gather_forces(model, data, data->work->F, data->work->x);
  return copy_checked(h, data->work->x, model->nv);
}

mbd_status_t
mbdi_tree_gravity(const mbd_model_t * model, mbd_data_t * data, double * g)
{
  CHECK(check_any_dynamics(model, data, 0));
  if (!g) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  for (int i = 0; i < mbdi_body_count(model); i++) {
    // reaction to the weight: -m g at the centre of mass
    const mbd_vec3_t up = mbdu_mat3_tvec(&data->X_world[i].R, mbdu_vec3_neg(data->gravity));
    data->work->F[i].lin = mbdu_vec3_scale(data->inertia[i].mass, up);
    data->work->F[i].ang = mbdu_vec3_cross(data->inertia[i].h, up);
  }
  model->internal->engine->gather_forces(model, data, data->work->F, data->work->x);
  return copy_checked(g, data->work->x, model->nv);
}

mbd_status_t
mbd_friction(const mbd_model_t * model, const double * v, double * tau)
{
  if (!model || !v || !tau) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  // dependent joints of a loop have friction too; their velocities are not in v
  if (!model->internal->engine->cut_loops) return MBD_ERROR_UNSUPPORTED;
  if (!finite_array(v, model->nv)) return MBD_ERROR_NOT_FINITE;
  for (int k = 0; k < model->nv; k++) {
    tau[k] = joint_friction(&model->body[model->dof_body[k]].drive, v[k]);
  }
  return MBD_OK;
}

mbd_status_t
mbdi_tree_joint_force(const mbd_model_t * model, mbd_data_t * data, int body, mbd_force_t * f)
{
  CHECK(check_data(model, data, MBD_STAGE_ACCELERATION));
  if (!f) return MBD_ERROR_NULL_ARGUMENT;
  if (body < 0 || body >= model->nbody) return MBD_ERROR_BAD_ARGUMENT;
  mbd_force_t through;
  if (stage_any(data, MBD_STAGE_FORCE)) {
    through = data->f[body];
  } else if (stage_any(data, MBD_STAGE_RESIDUAL)) {
    // f_k = P_k (alpha_k + g_k - a_k) + z_k                                       (7.40)
    const mbd_motion_t A = mbdu_motion_sub(data->A[body], data->a[body]);
    through = mbdu_force_add(mbdu_sym6_mul_motion(&data->P[body], A), data->z[body]);
  } else {
    return MBD_ERROR_STAGE;
  }
  *f = mbdu_force_to_child(&model->frame[model->body[body].link_frame].X, through);
  return MBD_OK;
}
