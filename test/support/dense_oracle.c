#include "dense_oracle.h"

#include <math.h>
#include <string.h>

//---------- one joint ----------

// 4x4 of moving along a twist
static mat_t
along(double wx, double wy, double wz, double vx, double vy, double vz, double q)
{
  const double z[6] = {wx * q, wy * q, wz * q, vx * q, vy * q, vz * q};
  return expm(twist4(z));
}

// the rotation q e q* of the three unit vectors, by Hamilton's rules
static mat_t
rotation_of_quat(const double * q)
{
  const double n2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const mat_t u = skew3(q);
  // e + 2 (w u x e + u x (u x e)) / n^2
  return SUM(eye(3), scale(2 * q[3] / n2, u), scale(2 / n2, PROD(u, u)));
}

static mat_t
rigid(mat_t R, double x, double y, double z)
{
  mat_t T = eye(4);
  set_block(T, 0, 0, R);
  *at(T, 0, 3) = x;
  *at(T, 1, 3) = y;
  *at(T, 2, 3) = z;
  return T;
}

mat_t
dense_joint(const mbd_body_t * body, const double * q)
{
  mbd_placement_t X;
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: return along(0, 0, 1, 0, 0, 0, q[0]);
    case MBD_JOINT_PRISMATIC: return along(0, 0, 0, 0, 0, 1, q[0]);
    case MBD_JOINT_HELICAL: return along(0, 0, 1, 0, 0, body->pitch, q[0]);
    case MBD_JOINT_CYLINDRICAL:
      return PROD(along(0, 0, 1, 0, 0, 0, q[0]), along(0, 0, 0, 0, 0, 1, q[1]));
    case MBD_JOINT_UNIVERSAL:
      return PROD(along(1, 0, 0, 0, 0, 0, q[0]), along(0, 1, 0, 0, 0, 0, q[1]));
    case MBD_JOINT_SPHERICAL: return rigid(rotation_of_quat(q), 0, 0, 0);
    case MBD_JOINT_PLANAR: return PROD(rigid(eye(3), q[0], q[1], 0), along(0, 0, 1, 0, 0, 0, q[2]));
    case MBD_JOINT_FREE: return rigid(rotation_of_quat(q + 3), q[0], q[1], q[2]);
    case MBD_JOINT_USER: body->user.transform(body->user.ctx, q, &X); return placement4(&X);
    default: fail_msg("joint type %d", (int)body->type); return eye(4);
  }
}

static void
set_columns(mat_t A, const mbd_motion_t * S)
{
  for (int j = 0; j < A.c; j++) set_block(A, 0, j, motion6(S[j]));
}

mat_t
dense_subspace(const mbd_body_t * body, const double * q)
{
  mat_t S = mat(6, body->nv);
  mbd_motion_t user[6];
  // rows of the unit columns of each type
  static const int rows[][6] = {
    [MBD_JOINT_REVOLUTE] = {2},       [MBD_JOINT_CONTINUOUS] = {2},
    [MBD_JOINT_PRISMATIC] = {5},      [MBD_JOINT_HELICAL] = {2},
    [MBD_JOINT_CYLINDRICAL] = {2, 5}, [MBD_JOINT_SPHERICAL] = {0, 1, 2},
    [MBD_JOINT_PLANAR] = {3, 4, 2},   [MBD_JOINT_FREE] = {3, 4, 5, 0, 1, 2}};
  switch (body->type) {
    case MBD_JOINT_UNIVERSAL:
      *at(S, 0, 0) = cos(q[1]);
      *at(S, 2, 0) = sin(q[1]);
      *at(S, 1, 1) = 1;
      break;
    case MBD_JOINT_USER:
      body->user.subspace(body->user.ctx, q, user);
      set_columns(S, user);
      break;
    default:
      for (int j = 0; j < body->nv; j++) *at(S, rows[body->type][j], j) = 1;
      break;
  }
  if (body->type == MBD_JOINT_HELICAL) *at(S, 5, 0) = body->pitch;
  return S;
}

mat_t
dense_subspace_rate(const mbd_body_t * body, const double * q, const double * v)
{
  mat_t dS = mat(6, body->nv);
  mbd_motion_t user[6];
  if (body->type == MBD_JOINT_UNIVERSAL) {
    *at(dS, 0, 0) = -sin(q[1]) * v[1];
    *at(dS, 2, 0) = cos(q[1]) * v[1];
  } else if (body->type == MBD_JOINT_USER) {
    body->user.subspace_rate(body->user.ctx, q, v, user);
    set_columns(dS, user);
  }
  return dS;
}

// q_out = q times the rotation by w dt, as quaternions
static void
step_quat(const double * q, const double * w, double dt, double * q_out)
{
  const double n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  const double half = 0.5 * n * dt;
  const double s = n > 0 ? sin(half) / n : 0, c = cos(half);
  const double x = s * w[0], y = s * w[1], z = s * w[2];
  q_out[0] = q[3] * x + q[0] * c + q[1] * z - q[2] * y;
  q_out[1] = q[3] * y - q[0] * z + q[1] * c + q[2] * x;
  q_out[2] = q[3] * z + q[0] * y - q[1] * x + q[2] * c;
  q_out[3] = q[3] * c - q[0] * x - q[1] * y - q[2] * z;
}

// joints whose velocity is a twist in child axes: T exp(V dt)
static mat_t
step_group(const mbd_body_t * body, const double * q, const double * v, double dt)
{
  const mat_t V = scale(dt, PROD(dense_subspace(body, q), column(body->nv, v)));
  return PROD(dense_joint(body, q), expm(twist4(V.a)));
}

void
dense_step(const mbd_body_t * body, const double * q, const double * v, double dt, double * q_out)
{
  mat_t T;
  switch (body->type) {
    case MBD_JOINT_SPHERICAL: step_quat(q, v, dt, q_out); return;
    case MBD_JOINT_FREE:
      T = step_group(body, q, v, dt);
      for (int i = 0; i < 3; i++) q_out[i] = *at(T, i, 3);
      step_quat(q + 3, v + 3, dt, q_out + 3);
      return;
    case MBD_JOINT_PLANAR:
      T = step_group(body, q, v, dt);
      q_out[0] = *at(T, 0, 3), q_out[1] = *at(T, 1, 3), q_out[2] = q[2] + v[2] * dt;
      return;
    case MBD_JOINT_USER:
      if (body->user.integrate) {
        body->user.integrate(body->user.ctx, q, v, dt, q_out);
        return;
      }
      break;
    default: break;
  }
  for (int i = 0; i < body->nv; i++) q_out[i] = q[i] + v[i] * dt;
}

void
dense_step_all(
  const mbd_model_t * model, const double * q, const double * v, double dt, double * q_out)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    dense_step(body, q + body->q_index, v + body->v_index, dt, q_out + body->q_index);
  }
}

bool
dense_holonomic(const mbd_model_t * model)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->type == MBD_JOINT_USER && body->nq > body->nv + 1) return false;
  }
  return true;
}

//---------- operators ----------

static void
place_bodies(dense_t * d, const double * q)
{
  for (int k = 0; k < d->nbody; k++) {
    const mbd_body_t * body = &d->model->body[k];
    d->X_parent[k] = PROD(placement4(&body->X_tree), dense_joint(body, q + body->q_index));
    d->X_world[k] = d->X_parent[k];
    if (body->parent >= 0) d->X_world[k] = PROD(d->X_world[body->parent], d->X_parent[k]);
  }
}

static void
fill_operators(dense_t * d, const mbd_inertia_t * inertia, const double * q)
{
  d->E = mat(d->n, d->n);
  d->M = mat(d->n, d->n);
  d->S = mat(d->n, d->nv);
  d->S_rate = mat(d->n, d->nv);
  for (int k = 0; k < d->nbody; k++) {
    const mbd_body_t * body = &d->model->body[k];
    if (body->parent >= 0) set_block(d->E, 6 * body->parent, 6 * k, phi6(d->X_parent[k]));
    set_block(d->M, 6 * k, 6 * k, inertia6(inertia ? &inertia[k] : &body->inertia));
    set_block(d->S, 6 * k, body->v_index, dense_subspace(body, q + body->q_index));
    const double * v = d->v.a + body->v_index;
    set_block(d->S_rate, 6 * k, body->v_index, dense_subspace_rate(body, q + body->q_index, v));
  }
  d->H = tr(d->S);
  d->phi = inverse(sub(eye(d->n), d->E));
}

static void
fill_velocity_terms(dense_t * d)
{
  d->V = PROD(tr(d->phi), d->S, d->v);
  const mat_t Delta = PROD(d->S, d->v);
  const mat_t rate = PROD(d->S_rate, d->v);
  const mat_t h = PROD(d->M, d->V);
  d->a = mat(d->n, 1);
  d->b = mat(d->n, 1);
  for (int k = 0; k < d->nbody; k++) {
    const double * V = d->V.a + 6 * k;
    set_block(d->a, 6 * k, 0, PROD(tilde6(V), column(6, Delta.a + 6 * k)));
    set_block(d->b, 6 * k, 0, PROD(bar6(V), column(6, h.a + 6 * k)));
  }
  d->a = SUM(d->a, rate);
}

static void
fill_gravity(dense_t * d, mbd_vec3_t gravity)
{
  const double g[3] = {-gravity.x, -gravity.y, -gravity.z};
  d->g = mat(d->n, 1);
  for (int k = 0; k < d->nbody; k++) {
    const mat_t R = block(d->X_world[k], 0, 0, 3, 3);
    set_block(d->g, 6 * k + 3, 0, PROD(tr(R), column(3, g)));
  }
}

dense_t
dense_at(
  const mbd_model_t * model, const mbd_inertia_t * inertia, const double * q, const double * v,
  mbd_vec3_t gravity)
{
  dense_t d;
  memset(&d, 0, sizeof d);
  assert_true(model->nbody <= DENSE_MAX_BODIES);
  d.model = model;
  d.nbody = model->nbody;
  d.nv = model->nv;
  d.n = 6 * model->nbody;
  d.v = v ? column(d.nv, v) : mat(d.nv, 1);
  place_bodies(&d, q);
  fill_operators(&d, inertia, q);
  fill_velocity_terms(&d);
  fill_gravity(&d, gravity);
  return d;
}

//---------- dynamics ----------

mat_t
dense_mass(const dense_t * d)
{
  const mat_t Hphi = PROD(d->H, d->phi);
  return PROD(Hphi, d->M, tr(Hphi));
}

mat_t
dense_acceleration(const dense_t * d, mat_t qdd)
{
  return PROD(tr(d->phi), SUM(PROD(d->S, qdd), d->a));
}

mat_t
dense_force(const dense_t * d, mat_t qdd, const mbd_wrenches_t * wrenches)
{
  const mat_t alpha = dense_acceleration(d, qdd);
  const mat_t f = SUM(PROD(d->M, SUM(alpha, d->g)), d->b);
  return PROD(d->phi, sub(f, dense_wrench(d, wrenches)));
}

mat_t
dense_inverse_dynamics(const dense_t * d, mat_t qdd, const mbd_wrenches_t * wrenches)
{
  return PROD(d->H, dense_force(d, qdd, wrenches));
}

mat_t
dense_bias(const dense_t * d)
{
  return dense_inverse_dynamics(d, mat(d->nv, 1), NULL);
}

mat_t
dense_gravity(const dense_t * d)
{
  return PROD(d->H, d->phi, d->M, d->g);
}

//---------- frames ----------

mat_t
dense_frame(const dense_t * d, int frame)
{
  const mbd_frame_t * f = &d->model->frame[frame];
  const mat_t X = placement4(&f->X);
  return f->body < 0 ? X : PROD(d->X_world[f->body], X);
}

mat_t
dense_reference(const dense_t * d, int frame, mbd_reference_t reference)
{
  const mat_t X = dense_frame(d, frame);
  if (reference == MBD_LOCAL) return X;
  if (reference == MBD_WORLD) return eye(4);
  return rigid(eye(3), *at(X, 0, 3), *at(X, 1, 3), *at(X, 2, 3));
}

mat_t
dense_phi_to_reference(const dense_t * d, int frame, mbd_reference_t reference)
{
  const int body = d->model->frame[frame].body;
  if (body < 0) return mat(6, 6);
  return phi6(PROD(inverse4(d->X_world[body]), dense_reference(d, frame, reference)));
}

mat_t
dense_jacobian(const dense_t * d, int frame, mbd_reference_t reference)
{
  const int body = d->model->frame[frame].body;
  if (body < 0) return mat(6, d->nv);
  const mat_t bodies = PROD(tr(d->phi), d->S);
  const mat_t phi = dense_phi_to_reference(d, frame, reference);
  return PROD(tr(phi), block(bodies, 6 * body, 0, 6, d->nv));
}

mat_t
dense_wrench(const dense_t * d, const mbd_wrenches_t * wrenches)
{
  mat_t f = mat(d->n, 1);
  for (int k = 0; wrenches && k < wrenches->n; k++) {
    const mbd_wrench_t * w = &wrenches->w[k];
    const int body = d->model->frame[w->frame].body;
    if (body < 0) continue;
    const mat_t phi = dense_phi_to_reference(d, w->frame, w->reference);
    const mat_t on_body = PROD(phi, force6(w->f));
    set_block(f, 6 * body, 0, SUM(block(f, 6 * body, 0, 6, 1), on_body));
  }
  return f;
}

//---------- articulated bodies ----------

mat_t
dense_rotors(const mbd_model_t * model)
{
  mat_t r = mat(model->nv, 1);
  for (int i = 0; i < model->nv; i++) {
    const mbd_drive_t * drive = &model->body[model->dof_body[i]].drive;
    r.a[i] = drive->gear_ratio * drive->gear_ratio * drive->rotor_inertia;
  }
  return r;
}

// D, G and what follows from a given P
static void
fill_gains(const dense_t * d, const double * rotors, dense_ab_t * ab)
{
  ab->D = PROD(d->H, ab->P, d->S);
  for (int i = 0; rotors && i < d->nv; i++) *at(ab->D, i, i) += rotors[i];
  ab->D_inv = inverse(ab->D);
  ab->G = PROD(ab->P, d->S, ab->D_inv);
  ab->tau = PROD(ab->G, d->H);
  ab->taubar = sub(eye(d->n), ab->tau);
  ab->P_plus = PROD(ab->taubar, ab->P);
}

dense_ab_t
dense_articulated(const dense_t * d, const double * rotors)
{
  dense_ab_t ab;
  // P = M + E P+ E^T: E is nilpotent, so that nbody substitutions reach the fixed point   (7.7)
  ab.P = d->M;
  for (int k = 0; k < d->nbody; k++) {
    fill_gains(d, rotors, &ab);
    ab.P = SUM(d->M, PROD(d->E, ab.P_plus, tr(d->E)));
  }
  fill_gains(d, rotors, &ab);
  ab.K = PROD(d->E, ab.G);
  ab.E_psi = PROD(d->E, ab.taubar);
  ab.psi = inverse(sub(eye(d->n), ab.E_psi));
  return ab;
}

bool
dense_is_ancestor(const mbd_model_t * model, int i, int j)
{
  for (; j >= 0; j = model->body[j].parent) {
    if (i == j) return true;
  }
  return false;
}
