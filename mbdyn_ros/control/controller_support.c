// A floating base that stands on frames: where it goes with the joints, and what carries it.
//
// The base is the first body. With the supports at rest its acceleration (l at its origin, alpha) follows
// from the joints': those of the contact points without it, a_i, leave
//   sum |a_i + l + alpha x r_i|^2  least,    (sum |r|^2 1 - r r^T + small) alpha = -sum r x a + small alpha_0
// with r_i and a_i from their means. `small` only matters where the points leave alpha open, as two points
// or one do: there it is alpha_0, that of the base's own feedback. Velocities alike.
#include <math.h>
#include <string.h>

#include "controller_private.h"

enum { POINTS = CONTROLLER_SUPPORTS * MBD_SUPPORT_POINTS };

typedef struct points {
  int n;
  mbd_vec3_t r[POINTS];  // from the base's origin, then from their mean
  mbd_vec3_t a[POINTS];  // acceleration or velocity, base at rest
  mbd_vec3_t mean_r, mean_a;
} points_t;

static mbd_status_t
base_placement(const controller_t * c, mbd_data_t * data, mbd_placement_t * X)
{
  int frame = 0;
  while (frame < c->model->nframe && c->model->frame[frame].body != 0) frame++;
  if (frame == c->model->nframe) return MBD_ERROR_BAD_JOINT;
  CHECK(mbd_frame_placement(c->model, data, frame, X));
  const mbd_placement_t back = mbdu_placement_inverse(&c->model->frame[frame].X);
  *X = mbdu_placement_mul(X, &back);
  return MBD_OK;
}

// points of the supports; x: joint rates, zero on the base
static mbd_status_t
find_points(
  const controller_t * c, mbd_data_t * data, const mbd_placement_t * base, const double * x,
  bool bias, points_t * p)
{
  const controller_settings_t * s = c->settings;
  p->n = 0;
  p->mean_r = p->mean_a = mbdu_vec3(0, 0, 0);
  for (int k = 0; k < s->nsupport; k++) {
    const int frame = s->support[k].frame;
    mbd_placement_t X;
    mbd_motion_t V, rest = {{0, 0, 0}, {0, 0, 0}};
    CHECK(mbd_frame_placement(c->model, data, frame, &X));
    CHECK(mbd_jacobian_product(c->model, data, frame, MBD_LOCAL_WORLD_ALIGNED, x, &V));
    if (bias) CHECK(mbd_jacobian_bias(c->model, data, frame, MBD_LOCAL_WORLD_ALIGNED, &rest));
    V = mbdu_motion_add(V, rest);
    for (int i = 0; i < mbd_support_points(&s->support[k]); i++, p->n++) {
      mbd_vec3_t at;
      CHECK(mbd_support_point(c->model, data, &s->support[k], i, &at));
      const mbd_vec3_t arm = mbdu_vec3_sub(at, X.p);
      p->r[p->n] = mbdu_vec3_sub(at, base->p);
      p->a[p->n] = mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, arm));
      p->mean_r = mbdu_vec3_add(p->mean_r, p->r[p->n]);
      p->mean_a = mbdu_vec3_add(p->mean_a, p->a[p->n]);
    }
  }
  p->mean_r = mbdu_vec3_scale(1.0 / p->n, p->mean_r);
  p->mean_a = mbdu_vec3_scale(1.0 / p->n, p->mean_a);
  for (int i = 0; i < p->n; i++) {
    p->r[i] = mbdu_vec3_sub(p->r[i], p->mean_r);
    p->a[i] = mbdu_vec3_sub(p->a[i], p->mean_a);
  }
  return MBD_OK;
}

// A x = b by Cramer's rule; A is symmetric positive definite
static mbd_vec3_t
solve3(const double A[9], mbd_vec3_t b)
{
  const mbd_vec3_t c[3] = {
    mbdu_vec3(A[0], A[3], A[6]), mbdu_vec3(A[1], A[4], A[7]), mbdu_vec3(A[2], A[5], A[8])};
  const double det = mbdu_vec3_dot(c[0], mbdu_vec3_cross(c[1], c[2]));
  return mbdu_vec3(
    mbdu_vec3_dot(b, mbdu_vec3_cross(c[1], c[2])) / det,
    mbdu_vec3_dot(c[0], mbdu_vec3_cross(b, c[2])) / det,
    mbdu_vec3_dot(c[0], mbdu_vec3_cross(c[1], b)) / det);
}

static mbd_vec3_t
turn_of(const points_t * p, mbd_vec3_t wanted)
{
  static const double SMALL = 1e-6, SMALLEST = 1e-9;  // of the points' inertia; [m^2]
  double A[9] = {0}, square = 0;
  mbd_vec3_t b = {0, 0, 0};
  for (int i = 0; i < p->n; i++) {
    const double r[3] = {p->r[i].x, p->r[i].y, p->r[i].z};
    const double size = mbdu_vec3_dot(p->r[i], p->r[i]);
    square += size;
    for (int k = 0; k < 9; k++) A[k] += (k % 4 == 0 ? size : 0) - r[k / 3] * r[k % 3];
    b = mbdu_vec3_sub(b, mbdu_vec3_cross(p->r[i], p->a[i]));
  }
  const double small = SMALL * square + SMALLEST;
  for (int k = 0; k < 3; k++) A[4 * k] += small;
  return solve3(A, mbdu_vec3_add(b, mbdu_vec3_scale(small, wanted)));
}

// base part of x, by the rest of it
static mbd_status_t
carry_base(const controller_t * c, mbd_data_t * data, bool bias, double * x)
{
  mbd_placement_t base;
  points_t p;
  const mbd_vec3_t turn = mbdu_vec3(x[3], x[4], x[5]);
  CHECK(base_placement(c, data, &base));
  memset(x, 0, 6 * sizeof *x);
  CHECK(find_points(c, data, &base, x, bias, &p));
  const mbd_vec3_t alpha = turn_of(&p, mbdu_mat3_vec(&base.R, turn));
  const mbd_vec3_t lin = mbdu_vec3_neg(mbdu_vec3_add(p.mean_a, mbdu_vec3_cross(alpha, p.mean_r)));
  const mbd_vec3_t l = mbdu_mat3_tvec(&base.R, lin), a = mbdu_mat3_tvec(&base.R, alpha);
  const double six[6] = {l.x, l.y, l.z, a.x, a.y, a.z};
  memcpy(x, six, sizeof six);
  return MBD_OK;
}

mbd_status_t
controller_support_base(controller_t * c, mbd_data_t * data, double * a)
{
  return carry_base(c, data, true, a);
}

mbd_status_t
controller_support_reference(controller_t * c, const controller_cycle_t * cycle)
{
  mbd_data_t * data = c->p->at_reference;
  memcpy(c->q_ref, cycle->input->q, 7 * sizeof *c->q_ref);
  memset(c->v_ref, 0, 6 * sizeof *c->v_ref);
  CHECK(mbd_set_state(c->model, data, c->q_ref, c->v_ref));
  CHECK(carry_base(c, data, false, c->v_ref));
  CHECK(mbd_set_state(c->model, data, c->q_ref, c->v_ref));
  memset(c->a_ref, 0, 6 * sizeof *c->a_ref);
  return carry_base(c, data, true, c->a_ref);
}

//---------- forces ----------

static mbd_status_t
find_torques(
  controller_t * c, mbd_data_t * data, const double * wanted, const double * a, double * tau)
{
  controller_support_t * s = &c->support;
  s->n = c->settings->nsupport;
  memcpy(s->support, c->settings->support, (size_t)s->n * sizeof *s->support);
  return mbd_support_torques(
    c->model, data, 0, wanted, a, s->n, s->support, c->p->support_work, tau, NULL, &s->info);
}

mbd_status_t
controller_support_command(controller_t * c, const double * wanted, const double * a)
{
  double * tau = c->p->gain;
  CHECK(find_torques(c, c->p->at, wanted, a, tau));
  for (int k = 0; k < c->model->nv; k++) c->command[k] += tau[k] - wanted[k];
  memset(c->command, 0, 6 * sizeof *c->command);
  if (c->support.info.reached) return MBD_OK;
  c->support.limited++;
  c->support.missing = mbdu_vec3_norm(c->support.info.missing.lin);
  return MBD_OK;
}

mbd_status_t
controller_hold_torques(controller_t * c, double * tau)
{
  CHECK(mbd_gravity(c->model, c->data, tau));
  return c->settings->nsupport > 0 ? find_torques(c, c->data, tau, NULL, tau) : MBD_OK;
}
