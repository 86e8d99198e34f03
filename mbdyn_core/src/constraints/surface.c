// Contact of a surface A with a convex surface B.
//
// A is a quadric with gradient g(x) = H x (+ z for a plane and a paraboloid) and normal n = g / |g|. B is
// given by its support function sqrt(m . Q m) + r |m|: the point of B that is furthest along -n is
// p - k(n), with k = Q n / sqrt(n . Q n) + r n. At the contact point x of A,
//
//   p - k(n(x)) - x = gap n(x).                                                       (Haug, 6.3.4)
//
// Since k and x move along the tangent plane when n turns, d(gap)/dt = n . (velocity of B's contact
// point relative to A).
#include "constraints/surface.h"

#include <math.h>

#include "mbdyn/spatial.h"

enum { MOST_STEPS = 100 };

//---------- surfaces ----------

// H, which is diagonal
static mbd_vec3_t
hessian_of(const mbd_surface_t * a)
{
  const double * s = a->size;
  switch (a->type) {
    case MBD_SURFACE_SPHERE:
    case MBD_SURFACE_CYLINDER: {
      const double bend = 1 / (s[0] * s[0]);
      return mbdu_vec3(bend, bend, a->type == MBD_SURFACE_SPHERE ? bend : 0);
    }
    case MBD_SURFACE_ELLIPSOID:
      return mbdu_vec3(1 / (s[0] * s[0]), 1 / (s[1] * s[1]), 1 / (s[2] * s[2]));
    case MBD_SURFACE_PARABOLOID: return mbdu_vec3(-2 * s[0], -2 * s[1], 0);
    default: return mbdu_vec3(0, 0, 0);
  }
}

static bool
is_graph(const mbd_surface_t * a)
{
  return a->type == MBD_SURFACE_PLANE || a->type == MBD_SURFACE_PARABOLOID;
}

static mbd_vec3_t
times(mbd_vec3_t diagonal, mbd_vec3_t x)
{
  return mbdu_vec3(diagonal.x * x.x, diagonal.y * x.y, diagonal.z * x.z);
}

// a point of A near x: below it, or towards the centre or the axis
static mbd_vec3_t
project(const mbd_surface_t * a, mbd_vec3_t x)
{
  const mbd_vec3_t H = hessian_of(a);
  const double square = mbdu_vec3_dot(x, times(H, x));
  if (is_graph(a)) return mbdu_vec3(x.x, x.y, -0.5 * square);
  if (!(square > 1e-300)) return mbdu_vec3(a->size[0], 0, x.z * (H.z == 0));
  mbd_vec3_t y = mbdu_vec3_scale(1 / sqrt(square), x);
  if (H.z == 0) y.z = x.z;
  return y;
}

// Q, which is diagonal in axes of B; r
static mbd_vec3_t
shape_of(const mbd_surface_t * b, double * round)
{
  const double * s = b->size;
  *round = b->type == MBD_SURFACE_SPHERE ? s[0] : 0;
  switch (b->type) {
    case MBD_SURFACE_ELLIPSOID: return mbdu_vec3(s[0] * s[0], s[1] * s[1], s[2] * s[2]);
    case MBD_SURFACE_DISK: return mbdu_vec3(s[0] * s[0], s[0] * s[0], 0);
    default: return mbdu_vec3(0, 0, 0);
  }
}

static mbd_vec3_t
support(const mbd_surface_t * b, const mbd_mat3_t * R, mbd_vec3_t n)
{
  double round;
  const mbd_vec3_t m = mbdu_mat3_tvec(R, n), Qm = times(shape_of(b, &round), m);
  const double s = sqrt(mbdu_vec3_dot(m, Qm));
  mbd_vec3_t k = mbdu_vec3_scale(round, n);
  // a disk that lies flat touches everywhere
  if (s > 1e-150) k = mbdu_vec3_add(k, mbdu_mat3_vec(R, mbdu_vec3_scale(1 / s, Qm)));
  return k;
}

//---------- tangent plane ----------

// x and y of A turned with z to n (side 1), or with -z to n (side -1), by the shortest way
static void
tangents(const mbdi_contact_t * c, mbd_vec3_t t[2])
{
  const mbd_vec3_t n = c->n, sum = mbdu_vec3(n.x, n.y, n.z + c->side);
  const double h = 1 + c->side * n.z;
  t[0] = mbdu_vec3_sub(mbdu_vec3(1, 0, 0), mbdu_vec3_scale(n.x / h, sum));
  t[1] = mbdu_vec3_sub(mbdu_vec3(0, 1, 0), mbdu_vec3_scale(n.y / h, sum));
}

static void
tangent_rates(const mbdi_contact_t * c, mbd_vec3_t dn, mbd_vec3_t dt[2])
{
  const mbd_vec3_t n = c->n, sum = mbdu_vec3(n.x, n.y, n.z + c->side);
  const double h = 1 + c->side * n.z, dh = c->side * dn.z;
  const double a[2] = {n.x / h, n.y / h}, da[2] = {(dn.x - a[0] * dh) / h, (dn.y - a[1] * dh) / h};
  for (int i = 0; i < 2; i++) {
    dt[i] = mbdu_vec3_neg(mbdu_vec3_add(mbdu_vec3_scale(da[i], sum), mbdu_vec3_scale(a[i], dn)));
  }
}

// In the tangents: dn = N dx along A, dk = K dn for B at rest; xi = (1 + (K + gap) N)^-1 b.
typedef struct bend {
  mbd_vec3_t t[2];
  double N[2][2], K[2][2], A[2][2];
} bend_t;

static bend_t
bend_of(
  const mbd_surface_t * a, const mbd_surface_t * b, const mbd_mat3_t * R, const mbdi_contact_t * c)
{
  bend_t bend;
  double round;
  const mbd_vec3_t H = hessian_of(a), Q = shape_of(b, &round), m = mbdu_mat3_tvec(R, c->n);
  const mbd_vec3_t Qm = times(Q, m);
  const double s = sqrt(mbdu_vec3_dot(m, Qm)), f = s > 1e-150 ? 1 / s : 0;
  tangents(c, bend.t);
  for (int i = 0; i < 2; i++) {
    const mbd_vec3_t u = mbdu_mat3_tvec(R, bend.t[i]);
    for (int j = 0; j < 2; j++) {
      const mbd_vec3_t v = mbdu_mat3_tvec(R, bend.t[j]);
      bend.N[i][j] = mbdu_vec3_dot(bend.t[i], times(H, bend.t[j])) / c->slope;
      bend.K[i][j] = f * mbdu_vec3_dot(u, times(Q, v)) + (i == j ? round : 0) -
                     f * f * f * mbdu_vec3_dot(u, Qm) * mbdu_vec3_dot(v, Qm);
    }
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      bend.A[i][j] = (i == j) + c->gap * bend.N[i][j] + bend.K[i][0] * bend.N[0][j] +
                     bend.K[i][1] * bend.N[1][j];
    }
  }
  return bend;
}

static double
determinant(const bend_t * bend)
{
  return bend->A[0][0] * bend->A[1][1] - bend->A[0][1] * bend->A[1][0];
}

static void
solve(const bend_t * bend, const double b[2], double xi[2])
{
  const double det = determinant(bend);
  // at a focal point, the contact point is undefined
  const double f = fabs(det) > 1e-12 ? 1 / det : 0;
  xi[0] = f * (bend->A[1][1] * b[0] - bend->A[0][1] * b[1]);
  xi[1] = f * (bend->A[0][0] * b[1] - bend->A[1][0] * b[0]);
}

static mbd_vec3_t
along(const bend_t * bend, double x, double y)
{
  return mbdu_vec3_add(mbdu_vec3_scale(x, bend->t[0]), mbdu_vec3_scale(y, bend->t[1]));
}

//---------- contact ----------

// for the point x of A; what is left of the equation
static mbdi_contact_t
contact_at(
  const mbd_surface_t * a, const mbd_surface_t * b, const mbd_placement_t * X, mbd_vec3_t x,
  mbd_vec3_t * rest)
{
  mbdi_contact_t c;
  mbd_vec3_t g = times(hessian_of(a), x);
  if (is_graph(a)) g.z += 1;
  c.slope = a->inside ? -mbdu_vec3_norm(g) : mbdu_vec3_norm(g);
  c.n = mbdu_vec3_scale(1 / c.slope, g);
  c.side = c.n.z > -0.5 ? 1 : -1;
  c.k = support(b, &X->R, c.n);
  *rest = mbdu_vec3_sub(mbdu_vec3_sub(X->p, c.k), x);
  c.gap = mbdu_vec3_dot(c.n, *rest);
  *rest = mbdu_vec3_sub(*rest, mbdu_vec3_scale(c.gap, c.n));
  return c;
}

// Newton step along the tangent plane; where it would not lead to the nearest point, that of a plane
static mbd_vec3_t
newton(
  const mbd_surface_t * a, const mbd_surface_t * b, const mbd_placement_t * X,
  const mbdi_contact_t * c, mbd_vec3_t rest)
{
  const bend_t bend = bend_of(a, b, &X->R, c);
  double xi[2], r[2] = {mbdu_vec3_dot(bend.t[0], rest), mbdu_vec3_dot(bend.t[1], rest)};
  if (!(determinant(&bend) > 1e-3 && bend.A[0][0] + bend.A[1][1] > 0)) return rest;
  solve(&bend, r, xi);
  return along(&bend, xi[0], xi[1]);
}

mbdi_contact_t
mbdi_contact(const mbd_surface_t * a, const mbd_surface_t * b, const mbd_placement_t * X)
{
  mbd_vec3_t x = project(a, X->p), from = x, step = {0, 0, 0}, rest;
  double before = HUGE_VAL, size = 0;
  mbdi_contact_t c = contact_at(a, b, X, x, &rest);
  for (int i = 0; i < MOST_STEPS && a->type != MBD_SURFACE_PLANE; i++) {
    const double scale = mbdu_vec3_norm(X->p) + mbdu_vec3_norm(c.k) + mbdu_vec3_norm(x);
    size = mbdu_vec3_norm(rest);
    if (!(size > 1e-16 * scale) || (size >= before && before < 1e-12 * scale)) return c;
    if (size < before) {
      before = size, from = x;
      step = newton(a, b, X, &c, rest);
    } else {
      step = mbdu_vec3_scale(0.5, step);
    }
    x = project(a, mbdu_vec3_add(from, step));
    c = contact_at(a, b, X, x, &rest);
  }
  // not found: not taken for closed
  if (a->type != MBD_SURFACE_PLANE) c.gap += copysign(size, c.gap);
  return c;
}

//---------- rows ----------

void
mbdi_contact_rows(bool roll, const mbdi_contact_t * contact, mbd_force_t * functional)
{
  mbd_vec3_t t[2] = {contact->n};
  if (roll) tangents(contact, t);
  for (int i = 0; i <= (int)roll; i++) {
    functional[i].lin = t[i];
    functional[i].ang = mbdu_vec3_cross(t[i], contact->k);
  }
}

void
mbdi_contact_rates(
  const mbd_closure_t * c, const mbd_placement_t * X, const mbdi_contact_t * contact,
  mbd_motion_t V, mbd_force_t * rate)
{
  const bend_t bend = bend_of(&c->surface_a, &c->surface_b, &X->R, contact);
  const mbd_vec3_t carried = mbdu_vec3_cross(V.ang, contact->k);
  const mbd_vec3_t u = mbdu_vec3_sub(V.lin, carried), turn = mbdu_vec3_cross(V.ang, contact->n);
  // B's contact point moves with B, and along B while the normal turns in B's axes: dn - w x n
  double w[2], b[2], xi[2], m[2];
  for (int i = 0; i < 2; i++) w[i] = mbdu_vec3_dot(bend.t[i], turn);
  for (int i = 0; i < 2; i++) {
    b[i] = mbdu_vec3_dot(bend.t[i], u) + bend.K[i][0] * w[0] + bend.K[i][1] * w[1];
  }
  solve(&bend, b, xi);
  for (int i = 0; i < 2; i++) m[i] = bend.N[i][0] * xi[0] + bend.N[i][1] * xi[1];
  const mbd_vec3_t dn = along(&bend, m[0], m[1]);
  for (int i = 0; i < 2; i++) b[i] = bend.K[i][0] * (m[0] - w[0]) + bend.K[i][1] * (m[1] - w[1]);
  const mbd_vec3_t dk = mbdu_vec3_add(carried, along(&bend, b[0], b[1]));
  mbd_vec3_t t[2] = {contact->n}, dt[2] = {dn};
  if (c->nposition == 0) {
    tangents(contact, t);
    tangent_rates(contact, dn, dt);
  }
  for (int i = 0; i < c->nrow; i++) {
    rate[i].lin = dt[i];
    rate[i].ang = mbdu_vec3_add(mbdu_vec3_cross(dt[i], contact->k), mbdu_vec3_cross(t[i], dk));
  }
}

//---------- third order ----------

// the length within which a contact changes
static double
length_of(const mbd_closure_t * c)
{
  double least = HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    const double a = fabs(c->surface_a.size[k]), b = c->surface_b.size[k];
    const bool bowl = c->surface_a.type == MBD_SURFACE_PARABOLOID;
    if (k < mbd_surface_sizes(c->surface_a.type)) least = fmin(least, bowl ? 0.5 / a : a);
    if (k < mbd_surface_sizes(c->surface_b.type)) least = fmin(least, b);
  }
  return isfinite(least) ? least : 1;
}

static void
quadratic_at(
  const mbd_closure_t * c, const mbd_placement_t * X, double side, mbd_motion_t moved, double h,
  mbd_motion_t V, double * quadratic)
{
  const mbd_vec3_t w = mbdu_vec3_scale(h, moved.ang);
  const mbd_mat3_t turn = mbdu_quat_to_mat3(mbdu_quat_exp(w));
  const mbd_placement_t Y = {
    mbdu_mat3_mul(&turn, &X->R), mbdu_vec3_add(X->p, mbdu_vec3_scale(h, moved.lin))};
  mbdi_contact_t contact = mbdi_contact(&c->surface_a, &c->surface_b, &Y);
  contact.side = side;
  mbd_force_t rate[2];
  mbdi_contact_rates(c, &Y, &contact, V, rate);
  for (int i = 0; i < c->nrow; i++) quadratic[i] = mbdu_power(rate[i], V);
}

void
mbdi_contact_quadratic_change(
  const mbd_closure_t * c, const mbd_placement_t * X, const mbdi_contact_t * contact,
  mbd_motion_t moved, mbd_motion_t V, mbd_motion_t dV, double * change)
{
  // by V, exact
  mbd_force_t one[2], two[2];
  mbdi_contact_rates(c, X, contact, V, one);
  mbdi_contact_rates(c, X, contact, dV, two);
  for (int i = 0; i < c->nrow; i++) change[i] = mbdu_power(one[i], dV) + mbdu_power(two[i], V);
  // by the placement, differences of sixth order: to 1e-12
  static const double weight[3] = {45 / 60.0, -9 / 60.0, 1 / 60.0};
  const double speed = fmax(mbdu_vec3_norm(moved.ang), mbdu_vec3_norm(moved.lin) / length_of(c));
  if (!(speed > 0)) return;
  const double h = 5e-3 / speed;
  for (int k = 0; k < 3; k++) {
    double ahead[2], behind[2];
    quadratic_at(c, X, contact->side, moved, (k + 1) * h, V, ahead);
    quadratic_at(c, X, contact->side, moved, -(k + 1) * h, V, behind);
    for (int i = 0; i < c->nrow; i++) change[i] += weight[k] * (ahead[i] - behind[i]) / h;
  }
}
