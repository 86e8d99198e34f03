// Joint impedance: springs and dampers from the reference, and what its motion takes (PD+ control: Paden and
// Panja 1988). Coriolis forces are those of the reference velocity, C(q, v) v_ref: then
//   M de' + C de + D de + K e = external torques,  de = v_ref - v,  Mdot - 2 C skew,
// and the robot is passive as it is felt from outside; compensated at the measured velocity they would
// bring energy in.
#include <string.h>

#include "controller_private.h"
#include "mbdyn/dynamics.h"

static mbd_status_t
coriolis_of_reference(controller_t * c, double * tau)
{
  const int nv = c->model->nv;
  bool moving = false;
  for (int k = 0; k < nv; k++) moving = moving || c->v_ref[k] != 0;
  memset(tau, 0, (size_t)nv * sizeof *tau);
  if (!moving) return MBD_OK;
  double * C = c->p->inverse;
  CHECK(mbd_coriolis_matrix(c->model, c->data, C));
  for (int i = 0; i < nv; i++) {
    for (int j = 0; j < nv; j++) tau[i] += C[i * nv + j] * c->v_ref[j];
  }
  return MBD_OK;
}

mbd_status_t
controller_joint_impedance(controller_t * c, const controller_cycle_t * cycle)
{
  const controller_settings_t * s = c->settings;
  const int nv = c->model->nv;
  double *e = c->p->error, *de = c->p->torque, *f = c->p->added;
  memcpy(c->acceleration, c->a_ref, (size_t)nv * sizeof *e);
  CHECK(controller_motion_terms(c, c->data, cycle));
  CHECK(coriolis_of_reference(c, c->coriolis));
  CHECK(controller_reference_friction(c, NULL));
  CHECK(mbd_difference(c->model, cycle->input->q, c->q_ref, e));
  for (int k = 0; k < nv; k++) de[k] = c->v_ref[k] - cycle->input->v[k];

  const controller_spring_t spring = {
    nv, s->joint_stiffness, "joint_stiffness", NULL, s->joint_by_ratio};
  CHECK(mbd_mass_matrix_inverse(c->model, c->data, c->p->inverse));
  controller_impedance(c, &c->p->joint_impedance, &spring, c->p->inverse);
  impedance_spring(&c->p->joint_impedance.modes, e, f);
  if (s->joint_by_ratio) {
    impedance_damper(&c->p->joint_impedance.modes, de, f);
  } else {
    CHECK(controller_bound_damping(c, "joint_damping", s->joint_damping, c->p->gain));
    for (int k = 0; k < nv; k++) f[k] += c->p->gain[k] * de[k];
  }
  return MBD_OK;
}
