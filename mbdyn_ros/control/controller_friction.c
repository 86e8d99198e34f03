// Friction that the command compensates where there is a reference: that of the reference's velocity, and dry friction
// towards the reference,
//   c tanh(v_ref / v0) + (m + c) tanh(c L e / w (m + c)),  together at most m = 1.5 c;  L = Kp / Kd.
// At the measured velocity it would be positive feedback, and nothing at rest: a light joint, whose feedback through
// the mass matrix is less than its dry friction, would never move. The second part takes the first one back where the
// robot has less friction than its model. It is a spring, of c L / w, and brings no energy in, whatever the friction of
// the robot is; as any spring it has to be slow for the sampled robot (controller_impedance.c), by its width w >= v0.
#include <math.h>
#include <string.h>

#include "controller_private.h"
#include "mbdyn/operators/factors.h"

static const double FASTEST = 0.2;  // frequency times sample time
static const double NEARBY =
  0.02;  // springs are computed again when a coordinate has moved so far [rad, m]
static const double MARGIN = 1.5;  // friction grows in the cold and under load

static const mbd_drive_t *
drive_of(const mbd_model_t * model, int dof)
{
  const mbd_model_t * tree = model->tree ? model->tree : model;
  return &tree->body[tree->dof_body[model->tree ? model->dof_tree[dof] : dof]].drive;
}

// Stiffness of the springs [N m/rad, N/m], c L / v0 or less: no frequency is above the root of the largest row sum
// of |K^1/2 M^-1 K^1/2|.
static mbd_status_t
stiffness(controller_t * c, const double * rate, double * K)
{
  const int nv = c->model->nv;
  double *k = c->p->torque, *inverse = c->p->inverse;
  const double most = c->sample_time > 0 ? FASTEST / c->sample_time : HUGE_VAL;
  const mbd_status_t status = mbd_mass_matrix_inverse(c->model, c->data, inverse);
  memset(K, 0, (size_t)nv * sizeof *K);
  // links without mass take none
  if (status != MBD_OK) return status == MBD_ERROR_MASSLESS_SUBTREE ? MBD_OK : status;
  for (int i = 0; i < nv; i++) {
    const mbd_drive_t * drive = drive_of(c->model, i);
    k[i] = drive->coulomb > 0 ? drive->coulomb * rate[i] / drive->coulomb_velocity : 0;
  }
  for (int i = 0; i < nv; i++) {
    double sum = 0;
    for (int j = 0; j < nv; j++) sum += sqrt(k[i] * k[j]) * fabs(inverse[i * nv + j]);
    K[i] = sum > most * most ? k[i] * most * most / sum : k[i];
  }
  return MBD_OK;
}

// the springs, as long as nothing has changed much
static mbd_status_t
springs(controller_t * c, const double * rate)
{
  struct controller_private * p = c->p;
  bool same = p->friction_settings == c->settings &&
              fabs(p->friction_time - c->sample_time) <= 0.05 * c->sample_time;
  for (int k = 0; same && k < c->model->nq; k++) {
    same = fabs(c->data->q[k] - p->friction_q[k]) <= NEARBY;
  }
  if (same) return MBD_OK;
  CHECK(stiffness(c, rate, p->friction_spring));
  memcpy(p->friction_q, c->data->q, (size_t)c->model->nq * sizeof(double));
  p->friction_time = c->sample_time;
  p->friction_settings = c->settings;
  return MBD_OK;
}

mbd_status_t
controller_reference_friction(controller_t * c, const double * rate)
{
  const controller_settings_t * s = c->settings;
  const int nv = c->model->nv;
  double * tau = c->p->drive_friction;
  if (!(s->model_terms & MBD_TERM_FRICTION) || !(s->command_terms & TERM_FRICTION)) return MBD_OK;
  c->p->friction = tau;
  CHECK(controller_friction(c, c->data, c->v_ref, tau));
  if (!rate) return MBD_OK;
  const double * spring = c->p->friction_spring;
  CHECK(springs(c, rate));
  for (int k = 0; k < nv; k++) {
    const mbd_drive_t * drive = drive_of(c->model, k);
    const double most = MARGIN * drive->coulomb, whole = most + drive->coulomb;
    if (!(spring[k] > 0)) continue;
    const double forward = drive->coulomb * tanh(c->v_ref[k] / drive->coulomb_velocity);
    const double back = whole * tanh(spring[k] * c->p->error[k] / whole);
    tau[k] += fmax(-most - forward, fmin(back, most - forward));
  }
  return MBD_OK;
}
