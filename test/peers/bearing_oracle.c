#include "bearing_oracle.h"

#include <math.h>
#include <string.h>

static const double O[3] = {0, 0, 0}, UZ[3] = {0, 0, 1}, PI = 3.14159265358979323846;

//---------- friction (8.1.12, 8.1.13) ----------

double
oracle_coefficient(const curve_t * c, double v)
{
  const double u = v / c->velocity, d = u * u / 4 + 0.75;
  return c->mu_dynamic * tanh(4 * u) + (c->mu_static - c->mu_dynamic) * u / (d * d);
}

double
oracle_size(const curve_t * c, double x)
{
  return fabs(x) > c->velocity ? fabs(x) : x * sin(PI * x / (2 * c->velocity));
}

//---------- loads and friction of joints between bodies (8.4, 8.5) ----------

void
oracle_cross(const double * a, const double * b, double x[3])
{
  x[0] = a[1] * b[2] - a[2] * b[1], x[1] = a[2] * b[0] - a[0] * b[2];
  x[2] = a[0] * b[1] - a[1] * b[0];
}

static double
dot(const double * a, const double * b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// rotation of a body, and G of its Euler parameters
static void
turn(const oracle_t * o, int body, const double * q, double A[3][3], double G[3][4])
{
  if (body == DAE_GROUND) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) A[i][j] = i == j;
  } else if (o->system.planar) {
    const double c = cos(q[3 * body + 2]), s = sin(q[3 * body + 2]);
    const double R[3][3] = {{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
    memcpy(A, R, sizeof R);
  } else {
    const double * p = q + 7 * body + 3;
    const double M[3][4] = {
      {-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
    const double E[3][4] = {
      {-p[1], p[0], -p[3], p[2]}, {-p[2], p[3], p[0], -p[1]}, {-p[3], -p[2], p[1], p[0]}};
    memcpy(G, M, sizeof M);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        A[i][j] = 0;
        for (int k = 0; k < 4; k++) A[i][j] += E[i][k] * M[j][k];
      }
  }
}

static void
place_of_body(const oracle_t * o, int body, const double * q, double r[3])
{
  for (int i = 0; i < 3; i++) r[i] = 0;
  if (body == DAE_GROUND) return;
  const int d = o->system.planar ? 2 : 3, k = body * (o->system.planar ? 3 : 7);
  for (int i = 0; i < d; i++) r[i] = q[k + i];
}

// velocity of the origin and angular velocity, in world axes
static void
motion(const oracle_t * o, int body, const double * q, const double * qd, double v[3], double w[3])
{
  for (int i = 0; i < 3; i++) v[i] = w[i] = 0;
  if (body == DAE_GROUND) return;
  place_of_body(o, body, qd, v);
  if (o->system.planar) {
    w[2] = qd[3 * body + 2];
    return;
  }
  double A[3][3], G[3][4], local[3] = {0};
  turn(o, body, q, A, G);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) local[i] += 2 * G[i][k] * qd[7 * body + 3 + k];
  for (int i = 0; i < 3; i++) w[i] = dot(A[i], local);
}

// adds a force at the origin of a body and a moment, in world axes
void
oracle_act(
  const oracle_t * o, int body, const double * q, const double * F, const double * T, double * Q)
{
  if (body == DAE_GROUND) return;
  if (o->system.planar) {
    Q[3 * body] += F[0], Q[3 * body + 1] += F[1], Q[3 * body + 2] += T[2];
    return;
  }
  double A[3][3], G[3][4];
  turn(o, body, q, A, G);
  for (int i = 0; i < 3; i++) {
    const double local = A[0][i] * T[0] + A[1][i] * T[1] + A[2][i] * T[2];
    Q[7 * body + i] += F[i];
    for (int k = 0; k < 4; k++) Q[7 * body + 3 + k] += 2 * G[i][k] * local;
  }
}

// force of the joint on body b and its moment about the origin of b (8.4.1, 8.5.1)
static void
through(
  const oracle_t * o, const joint_t * j, const double * q, const double * lambda,
  double J[DAE_M][DAE_N], double F[3], double T[3])
{
  const int k = j->b * (o->system.planar ? 3 : 7), d = o->system.planar ? 3 : 7;
  double Q[7] = {0};
  for (int r = j->first; r < j->last; r++)
    for (int c = 0; c < d; c++) Q[c] -= J[r][k + c] * lambda[r];
  for (int i = 0; i < 3; i++) F[i] = T[i] = 0;
  if (o->system.planar) {
    F[0] = Q[0], F[1] = Q[1], T[2] = Q[2];
    return;
  }
  double A[3][3], G[3][4], local[3] = {0};
  turn(o, j->b, q, A, G);
  for (int i = 0; i < 3; i++) {
    F[i] = Q[i];
    for (int c = 0; c < 4; c++) local[i] += G[i][c] * Q[3 + c] / 2;
  }
  for (int i = 0; i < 3; i++) T[i] = dot(A[i], local);
}

static double
load_of(
  const oracle_t * o, const joint_t * j, const double * q, const double * lambda,
  double J[DAE_M][DAE_N])
{
  double F[3], T[3], A[3][3], G[3][4], z[3], r_a[3], r_b[3], f1[3], f2[3], arm[3], moment[3];
  through(o, j, q, lambda, J, F, T);
  if (j->kind == PIN) return oracle_size(&o->curve, hypot(F[0], F[1]));
  turn(o, j->a, q, A, G);
  for (int i = 0; i < 3; i++) z[i] = dot(A[i], j->axis);
  place_of_body(o, j->a, q, r_a), place_of_body(o, j->b, q, r_b);
  // about point 1
  for (int i = 0; i < 3; i++) arm[i] = j->on_a ? r_b[i] - r_a[i] - dot(A[i], j->at) : 0;
  oracle_cross(arm, F, moment);
  for (int i = 0; i < 3; i++) T[i] += moment[i];
  // f2 at span z: z x f2 = T / span, both normal to z
  oracle_cross(T, z, f2);
  const double thrust = dot(F, z);
  for (int i = 0; i < 3; i++) f2[i] /= j->span, f1[i] = F[i] - thrust * z[i] - f2[i];
  const double N =
    oracle_size(&o->curve, sqrt(dot(f1, f1))) + oracle_size(&o->curve, sqrt(dot(f2, f2)));
  return N + (j->kind == SHAFT ? oracle_size(&o->curve, thrust) : 0);
}

// generalised force of a load of 1
static void
friction_of(
  const oracle_t * o, const joint_t * j, const double * q, const double * qd, double Q[DAE_N])
{
  double A[3][3], G[3][4], z[3], v_a[3], w_a[3], v_b[3], w_b[3], r_a[3], r_b[3], arm[3], back[3];
  memset(Q, 0, sizeof(double[DAE_N]));
  turn(o, j->a, q, A, G);
  for (int i = 0; i < 3; i++) z[i] = j->kind == PIN ? UZ[i] : dot(A[i], j->axis);
  motion(o, j->a, q, qd, v_a, w_a), motion(o, j->b, q, qd, v_b, w_b);
  place_of_body(o, j->a, q, r_a), place_of_body(o, j->b, q, r_b);
  for (int i = 0; i < 3; i++) arm[i] = r_b[i] - r_a[i];
  if (j->kind != GUIDE) {
    const double S = oracle_coefficient(&o->curve, j->radius * (dot(w_b, z) - dot(w_a, z)));
    const double T[3] = {-j->radius * S * z[0], -j->radius * S * z[1], -j->radius * S * z[2]};
    const double minus[3] = {-T[0], -T[1], -T[2]};
    oracle_act(o, j->b, q, O, T, Q), oracle_act(o, j->a, q, O, minus, Q);
  }
  if (j->kind == GUIDE || j->kind == SLEEVE) {
    oracle_cross(w_a, arm, back);
    double v = 0;
    for (int i = 0; i < 3; i++) v += z[i] * (v_b[i] - v_a[i] - back[i]);
    const double S = oracle_coefficient(&o->curve, v);
    const double F[3] = {-S * z[0], -S * z[1], -S * z[2]}, minus[3] = {-F[0], -F[1], -F[2]};
    double T[3];
    oracle_cross(arm, minus, T);
    oracle_act(o, j->b, q, F, O, Q), oracle_act(o, j->a, q, minus, T, Q);
  }
}

// Accelerations with loads that solve N = n(lambda0 + sum of N_k lambda_k) by Newton's method.
bool
oracle_accelerations(oracle_t * o, const double * q, const double * qd, double * out)
{
  const int n = o->system.n, k = o->joints;
  static double force[BEARINGS][DAE_N], qdd[BEARINGS + 1][DAE_N], lambda[BEARINGS + 1][DAE_M],
    J[DAE_M][DAE_N];
  for (int i = 0; i < k; i++) friction_of(o, &o->joint[i], q, qd, force[i]);
  if (!dae_respond(&o->system, q, qd, k, force, qdd, lambda, J)) return false;
  double N[BEARINGS];
  memcpy(N, o->load, sizeof N);
  bool done = false;
  for (int iteration = 0; iteration < 50 && !done; iteration++) {
    double R[BEARINGS + 1][BEARINGS] = {{0}};
    for (int c = 0; c <= k; c++) {
      double l[DAE_M], M[BEARINGS];
      memcpy(M, N, sizeof M);
      const double step = 1e-6 * (1 + (c < k ? fabs(N[c]) : 0));
      if (c < k) M[c] += step;
      for (int r = 0; r < o->system.m; r++) {
        l[r] = lambda[0][r];
        for (int i = 0; i < k; i++) l[r] += M[i] * lambda[i + 1][r];
      }
      for (int i = 0; i < k; i++) R[c][i] = M[i] - load_of(o, &o->joint[i], q, l, J);
    }
    // columns of the matrix, then elimination
    double A[BEARINGS][BEARINGS + 1];
    for (int c = 0; c < k; c++)
      for (int i = 0; i < k; i++) A[i][c] = (R[c][i] - R[k][i]) / (1e-6 * (1 + fabs(N[c])));
    double worst = 0;
    for (int i = 0; i < k; i++) {
      A[i][k] = R[k][i];
      worst = fmax(worst, fabs(R[k][i]) / (1 + fabs(N[i])));
    }
    done = worst < 1e-13;
    for (int p = 0; p < k; p++)
      for (int i = p + 1; i < k; i++) {
        const double f = A[i][p] / A[p][p];
        for (int c = p; c <= k; c++) A[i][c] -= f * A[p][c];
      }
    for (int p = k; p-- > 0;) {
      for (int c = p + 1; c < k; c++) A[p][k] -= A[p][c] * A[c][k];
      A[p][k] /= A[p][p];
      N[p] -= A[p][k];
    }
    if (!done && iteration > 10 && worst < 1e-11) done = true;
  }
  if (!done) return false;
  memcpy(o->load, N, sizeof N);
  for (int c = 0; c < n; c++) {
    out[c] = qdd[0][c];
    for (int i = 0; i < k; i++) out[c] += N[i] * qdd[i + 1][c];
  }
  return true;
}
