#include "dae_reference.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { ALL = DAE_N + DAE_M };

//---------- linear algebra ----------

typedef struct lu {
  int n, pivot[ALL];
  double a[ALL][ALL];
} lu_t;

static bool
lu_factor(lu_t * f)
{
  for (int k = 0; k < f->n; k++) {
    int p = k;
    for (int i = k + 1; i < f->n; i++)
      if (fabs(f->a[i][k]) > fabs(f->a[p][k])) p = i;
    f->pivot[k] = p;
    if (!(fabs(f->a[p][k]) > 0)) return false;
    for (int j = 0; p != k && j < f->n; j++) {
      const double x = f->a[k][j];
      f->a[k][j] = f->a[p][j], f->a[p][j] = x;
    }
    for (int i = k + 1; i < f->n; i++) {
      const double c = f->a[i][k] /= f->a[k][k];
      for (int j = k + 1; c != 0 && j < f->n; j++) f->a[i][j] -= c * f->a[k][j];
    }
  }
  return true;
}

static void
lu_solve(const lu_t * f, double * x)
{
  for (int k = 0; k < f->n; k++) {
    const double y = x[f->pivot[k]];
    x[f->pivot[k]] = x[k], x[k] = y;
  }
  for (int k = 0; k < f->n; k++)
    for (int i = k + 1; i < f->n; i++) x[i] -= f->a[i][k] * x[k];
  for (int k = f->n; k-- > 0;) {
    for (int j = k + 1; j < f->n; j++) x[k] -= f->a[k][j] * x[j];
    x[k] /= f->a[k][k];
  }
}

static double
norm(const double * x, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sqrt(sum);
}

//---------- systems ----------

static int
first(const dae_system_t * s, int body)
{
  return body * (s->planar ? 3 : 7);
}

void
dae_body(dae_system_t * s, double mass, double jx, double jy, double jz)
{
  const double J[3] = {jx, jy, jz};
  s->mass[s->bodies] = mass;
  memcpy(s->inertia[s->bodies], J, sizeof J);
  s->n = first(s, ++s->bodies);
}

static dae_vector_t
vector(dae_kind_t kind, int i, const double * s_i, int j, const double * s_j)
{
  dae_vector_t v = {.kind = kind, .i = i, .j = j};
  if (s_i) memcpy(v.s_i, s_i, sizeof v.s_i);
  if (s_j) memcpy(v.s_j, s_j, sizeof v.s_j);
  return v;
}

static void
add(dae_system_t * s, dae_vector_t u, dae_vector_t w, double scale, double constant)
{
  const bool swap = w.kind == DAE_DIRECTION && w.i == DAE_GROUND;
  dae_row_t row = {.u = swap ? w : u, .w = swap ? u : w, .scale = scale, .constant = constant};
  row.fixed = swap || (u.kind == DAE_DIRECTION && u.i == DAE_GROUND);
  row.square = memcmp(&u, &w, sizeof u) == 0;
  const int body[4] = {
    u.i, u.kind == DAE_DIFFERENCE ? u.j : DAE_GROUND, w.i,
    w.kind == DAE_DIFFERENCE ? w.j : DAE_GROUND};
  bool used[DAE_BODIES] = {false};
  for (int k = 0; k < 4; k++) {
    if (body[k] == DAE_GROUND || used[body[k]]) continue;
    used[body[k]] = true;
    for (int c = first(s, body[k]); c < first(s, body[k] + 1); c++) row.column[row.columns++] = c;
  }
  s->row[s->m++] = row;
}

void
dae_points_meet(
  dae_system_t * s, int i, const double * s_i, int j, const double * s_j, int dimensions)
{
  for (int k = 0; k < dimensions; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    add(
      s, vector(DAE_DIRECTION, DAE_GROUND, axis, 0, NULL), vector(DAE_DIFFERENCE, i, s_i, j, s_j),
      1, 0);
  }
}

void
dae_distance(dae_system_t * s, int i, const double * s_i, int j, const double * s_j, double length)
{
  const dae_vector_t d = vector(DAE_DIFFERENCE, i, s_i, j, s_j);
  add(s, d, d, 0.5, length * length / 2);
}

void
dae_normal(dae_system_t * s, int i, const double * a, int j, const double * b)
{
  add(s, vector(DAE_DIRECTION, i, a, 0, NULL), vector(DAE_DIRECTION, j, b, 0, NULL), 1, 0);
}

void
dae_normal_to_line(
  dae_system_t * s, int i, const double * s_i, const double * a, int j, const double * s_j)
{
  add(s, vector(DAE_DIRECTION, i, a, 0, NULL), vector(DAE_DIFFERENCE, i, s_i, j, s_j), 1, 0);
}

void
dae_normalise(dae_system_t * s)
{
  for (int i = 0; i < s->bodies; i++) {
    const dae_vector_t p = vector(DAE_PARAMETERS, i, NULL, 0, NULL);
    add(s, p, p, 0.5, 0.5);
  }
}

//---------- vectors and rows (Haug, 2.6 and appendix 5.B) ----------

/// G(p), for angular velocities in the body: w' = 2 G p'.
static void
g_of(const double * p, double G[3][4])
{
  const double M[3][4] = {
    {-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}};
  memcpy(G, M, sizeof M);
}

/// B(p, s) = (A s)_p, which is linear in p: A s = B p / 2.
static void
turn_of(const double * p, const double * s, double B[3][4])
{
  const double e0 = p[0], *e = p + 1;
  const double se = s[0] * e[0] + s[1] * e[1] + s[2] * e[2];
  const double cross[3] = {
    e[1] * s[2] - e[2] * s[1], e[2] * s[0] - e[0] * s[2], e[0] * s[1] - e[1] * s[0]};
  const double skew[3][3] = {{0, -s[2], s[1]}, {s[2], 0, -s[0]}, {-s[1], s[0], 0}};
  for (int a = 0; a < 3; a++) {
    B[a][0] = 2 * (e0 * s[a] + cross[a]);
    // of (e0^2 - e.e) s + 2 e (e.s) + 2 e0 e x s
    for (int b = 0; b < 3; b++)
      B[a][1 + b] = 2 * (-s[a] * e[b] + (a == b) * se + e[a] * s[b] - e0 * skew[a][b]);
  }
}

/// Where rows are evaluated: coordinates, velocities, and the angles of planar bodies.
typedef struct where {
  const dae_system_t * s;
  const double *q, *qd;
  double cosine[DAE_BODIES], sine[DAE_BODIES];
} where_t;

/// A vector: value, derivative, and its first and second derivative in time without accelerations.
typedef struct value {
  double x[4], rate[4], second[4], J[4][DAE_N];
} value_t;

// adds sign (r + A s), or A s alone
static void
add_point(const where_t * at, value_t * v, int body, const double * s, double sign, bool origin)
{
  if (body == DAE_GROUND) {
    for (int a = 0; a < 3; a++) v->x[a] += sign * s[a];
    return;
  }
  const bool flat = at->s->planar;
  const int k = first(at->s, body), turn = k + (flat ? 2 : 3);
  const double *q = at->q, *qd = at->qd;
  if (flat) {
    const double c = at->cosine[body], n = at->sine[body], w = qd[turn];
    const double x = sign * (c * s[0] - n * s[1]), y = sign * (n * s[0] + c * s[1]);
    v->x[0] += x, v->x[1] += y;
    v->rate[0] -= w * y, v->rate[1] += w * x;
    v->second[0] -= w * w * x, v->second[1] -= w * w * y;
    v->J[0][turn] -= y, v->J[1][turn] += x;
  } else {
    double B[3][4], Bd[3][4];
    turn_of(q + turn, s, B), turn_of(qd + turn, s, Bd);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 4; b++) {
        v->x[a] += sign * B[a][b] * q[turn + b] / 2;
        v->rate[a] += sign * B[a][b] * qd[turn + b];
        v->second[a] += sign * Bd[a][b] * qd[turn + b];
        v->J[a][turn + b] += sign * B[a][b];
      }
  }
  for (int a = 0; origin && a < turn - k; a++) {
    v->x[a] += sign * q[k + a], v->rate[a] += sign * qd[k + a];
    v->J[a][k + a] += sign;
  }
}

// adds sign y.(A s)_qq
static void
add_curvature(
  const where_t * at, double H[DAE_N][DAE_N], int body, const double * s, double sign,
  const double * y)
{
  if (body == DAE_GROUND) return;
  const int turn = first(at->s, body) + (at->s->planar ? 2 : 3);
  if (at->s->planar) {
    const double c = at->cosine[body], n = at->sine[body];
    H[turn][turn] -= sign * ((c * s[0] - n * s[1]) * y[0] + (n * s[0] + c * s[1]) * y[1]);
    return;
  }
  // K(s, y) of 2.6: B(p, s)^T y = K p
  const double sy = s[0] * y[0] + s[1] * y[1] + s[2] * y[2];
  const double cross[3] = {
    s[1] * y[2] - s[2] * y[1], s[2] * y[0] - s[0] * y[2], s[0] * y[1] - s[1] * y[0]};
  H[turn][turn] += sign * 2 * sy;
  for (int k = 0; k < 3; k++) {
    H[turn][turn + 1 + k] += sign * 2 * cross[k], H[turn + 1 + k][turn] += sign * 2 * cross[k];
    for (int l = 0; l < 3; l++)
      H[turn + 1 + k][turn + 1 + l] += sign * 2 * (s[k] * y[l] + y[k] * s[l] - (k == l) * sy);
  }
}

// only the columns of the row are set in J
static void
evaluate(const where_t * at, const dae_row_t * row, const dae_vector_t * of, value_t * v)
{
  memset(v, 0, offsetof(value_t, J));
  for (int a = 0; a < 4; a++)
    for (int k = 0; k < row->columns; k++) v->J[a][row->column[k]] = 0;
  switch (of->kind) {
    case DAE_DIFFERENCE:
      add_point(at, v, of->j, of->s_j, 1, true);
      add_point(at, v, of->i, of->s_i, -1, true);
      break;
    case DAE_DIRECTION: add_point(at, v, of->i, of->s_i, 1, false); break;
    case DAE_PARAMETERS:
      for (int b = 0; b < 4; b++) {
        const int k = first(at->s, of->i) + 3 + b;
        v->x[b] = at->q[k], v->rate[b] = at->qd[k], v->J[b][k] = 1;
      }
  }
}

static void
curve(const where_t * at, const dae_vector_t * of, const double * y, double H[DAE_N][DAE_N])
{
  if (of->kind == DAE_DIFFERENCE) {
    add_curvature(at, H, of->j, of->s_j, 1, y);
    add_curvature(at, H, of->i, of->s_i, -1, y);
  } else if (of->kind == DAE_DIRECTION) {
    add_curvature(at, H, of->i, of->s_i, 1, y);
  }
}

/// Rows, their Jacobian, gamma = qd^T Phi_qq qd and, unless null, their Hessians: of these only the columns of the row
/// are set.
static void
rows_of(
  const dae_system_t * s, const double * q, const double * qd, double Phi[DAE_M],
  double J[DAE_M][DAE_N], double gamma[DAE_M], double H[DAE_M][DAE_N][DAE_N])
{
  where_t at = {.s = s, .q = q, .qd = qd};
  for (int i = 0; s->planar && i < s->bodies; i++)
    at.cosine[i] = cos(q[3 * i + 2]), at.sine[i] = sin(q[3 * i + 2]);
  for (int r = 0; r < s->m; r++) {
    const dae_row_t * row = &s->row[r];
    const int *column = row->column, n = row->columns;
    value_t u, w;
    evaluate(&at, row, &row->w, &w);
    if (row->square)
      u = w;
    else
      evaluate(&at, row, &row->u, &u);
    const int size = row->u.kind == DAE_PARAMETERS ? 4 : s->planar ? 2 : 3;
    double value = 0, second = 0;
    for (int a = 0; a < size; a++) {
      value += u.x[a] * w.x[a];
      second += u.x[a] * w.second[a] + 2 * u.rate[a] * w.rate[a] + u.second[a] * w.x[a];
    }
    Phi[r] = row->scale * value - row->constant, gamma[r] = row->scale * second;
    memset(J[r], 0, sizeof J[r]);
    for (int a = 0; a < size; a++)
      for (int k = 0; k < n; k++) {
        const int c = column[k];
        J[r][c] += row->scale * u.x[a] * w.J[a][c];
        if (!row->fixed) J[r][c] += row->scale * w.x[a] * u.J[a][c];
      }
    if (!H) continue;
    for (int k = 0; k < n; k++)
      for (int l = 0; l < n; l++) H[r][column[k]][column[l]] = 0;
    curve(&at, &row->u, w.x, H[r]), curve(&at, &row->w, u.x, H[r]);
    for (int k = 0; k < n; k++)
      for (int l = k; l < n; l++) {
        const int c = column[k], d = column[l];
        for (int a = 0; a < size && !row->fixed; a++)
          H[r][c][d] += u.J[a][c] * w.J[a][d] + w.J[a][c] * u.J[a][d];
        H[r][d][c] = H[r][c][d] *= row->scale;
      }
  }
}

/// b = H x of a row: zero but in its columns.
static void
times_hessian(const dae_row_t * row, double H[DAE_N][DAE_N], const double * x, double b[DAE_N])
{
  memset(b, 0, sizeof(double[DAE_N]));
  for (int k = 0; k < row->columns; k++)
    for (int l = 0; l < row->columns; l++)
      b[row->column[k]] += H[row->column[k]][row->column[l]] * x[row->column[l]];
}

//---------- inertia and forces ----------

static void
mass_matrix(const dae_system_t * s, const double * q, double M[DAE_N][DAE_N])
{
  memset(M, 0, sizeof(double[DAE_N][DAE_N]));
  for (int i = 0; i < s->bodies; i++) {
    const int k = first(s, i);
    for (int a = 0; a < (s->planar ? 2 : 3); a++) M[k + a][k + a] = s->mass[i];
    if (s->planar) {
      M[k + 2][k + 2] = s->inertia[i][2];
      continue;
    }
    double G[3][4];
    g_of(q + k + 3, G);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 4; b++)
        for (int c = 0; c < 4; c++)
          M[k + 3 + b][k + 3 + c] += 4 * G[a][b] * s->inertia[i][a] * G[a][c];
  }
}

/// S + Q: velocity terms 8 G'^T J G' p, gravity, applied forces.
static void
forces(const dae_system_t * s, const double * q, const double * qd, double Q[DAE_N])
{
  memset(Q, 0, sizeof(double[DAE_N]));
  if (s->force) s->force(s->ctx, q, qd, Q);
  for (int i = 0; i < s->bodies; i++) {
    const int k = first(s, i);
    for (int a = 0; a < (s->planar ? 2 : 3); a++) Q[k + a] += s->mass[i] * s->gravity[a];
    if (s->planar) continue;
    double Gd[3][4];
    g_of(qd + k + 3, Gd);
    for (int a = 0; a < 3; a++) {
      double w = 0;
      for (int b = 0; b < 4; b++) w += Gd[a][b] * q[k + 3 + b];
      for (int b = 0; b < 4; b++) Q[k + 3 + b] += 8 * Gd[a][b] * s->inertia[i][a] * w;
    }
  }
}

//---------- a state, and what the methods need of it ----------

typedef struct state {
  double q[DAE_N], qd[DAE_N], qdd[DAE_N], lambda[DAE_M];
  // rows, inertia, forces
  double Phi[DAE_M], J[DAE_M][DAE_N], gamma[DAE_M];
  double M[DAE_N][DAE_N], Q[DAE_N];
} state_t;

static double
energy_of(const dae_system_t * s, const state_t * x)
{
  double E = 0;
  for (int k = 0; k < s->n; k++)
    for (int l = 0; l < s->n; l++) E += x->qd[k] * x->M[k][l] * x->qd[l] / 2;
  for (int i = 0; i < s->bodies; i++)
    for (int a = 0; a < (s->planar ? 2 : 3); a++)
      E -= s->mass[i] * s->gravity[a] * x->q[first(s, i) + a];
  return E;
}

static void
update(const dae_system_t * s, state_t * x)
{
  rows_of(s, x->q, x->qd, x->Phi, x->J, x->gamma, NULL);
  mass_matrix(s, x->q, x->M);
  forces(s, x->q, x->qd, x->Q);
}

static bool
factor_index_1(const dae_system_t * s, const state_t * x, lu_t * f)
{
  memset(f->a, 0, sizeof f->a);
  f->n = s->n + s->m;
  for (int k = 0; k < s->n; k++)
    for (int l = 0; l < s->n; l++) f->a[k][l] = x->M[k][l];
  for (int r = 0; r < s->m; r++)
    for (int k = 0; k < s->n; k++) f->a[s->n + r][k] = f->a[k][s->n + r] = x->J[r][k];
  return lu_factor(f);
}

/// Accelerations and multipliers of the state (7.3.1).
static bool
accelerate(const dae_system_t * s, state_t * x)
{
  lu_t f;
  double b[ALL];
  update(s, x);
  if (!factor_index_1(s, x, &f)) return false;
  for (int k = 0; k < s->n; k++) b[k] = x->Q[k];
  for (int r = 0; r < s->m; r++) b[s->n + r] = -x->gamma[r];
  lu_solve(&f, b);
  memcpy(x->qdd, b, (size_t)s->n * sizeof *b);
  memcpy(x->lambda, b + s->n, (size_t)s->m * sizeof *b);
  return true;
}

bool
dae_respond(
  const dae_system_t * s, const double * q, const double * qd, int k, double force[][DAE_N],
  double qdd[][DAE_N], double lambda[][DAE_M], double J[DAE_M][DAE_N])
{
  static state_t x;
  lu_t f;
  memcpy(x.q, q, (size_t)s->n * sizeof *q), memcpy(x.qd, qd, (size_t)s->n * sizeof *qd);
  update(s, &x);
  if (!factor_index_1(s, &x, &f)) return false;
  memcpy(J, x.J, sizeof x.J);
  for (int i = 0; i <= k; i++) {
    double b[ALL] = {0};
    memcpy(b, i == 0 ? x.Q : force[i - 1], (size_t)s->n * sizeof *b);
    for (int r = 0; i == 0 && r < s->m; r++) b[s->n + r] = -x.gamma[r];
    lu_solve(&f, b);
    memcpy(qdd[i], b, (size_t)s->n * sizeof *b);
    memcpy(lambda[i], b + s->n, (size_t)s->m * sizeof *b);
  }
  return true;
}

/// Derivatives of M qdd + Phi_q^T lambda - S - Q, and of gamma, with q and qd; Hessians of the rows.
typedef struct slopes {
  double H[DAE_M][DAE_N][DAE_N];
  double R_q[DAE_N][DAE_N], R_qd[DAE_N][DAE_N], inertia_q[DAE_N][DAE_N];
  double gamma_q[DAE_M][DAE_N], gamma_qd[DAE_M][DAE_N];
} slopes_t;

/// Inertia of Euler parameters: (M m)_q = T(4 J G m) - 4 G^T J G(m), S_q = 8 G'^T J G', S_qd = 8 T(J G' p) - 8 G'^T J G.
static void
inertia_slopes(const dae_system_t * s, const state_t * x, int body, slopes_t * d)
{
  const int at = first(s, body) + 3;
  const double * J = s->inertia[body];
  double G[3][4], Gd[3][4], Gm[3][4], a[3] = {0}, b[3] = {0};
  g_of(x->q + at, G), g_of(x->qd + at, Gd), g_of(x->qdd + at, Gm);
  for (int k = 0; k < 3; k++)
    for (int l = 0; l < 4; l++) {
      a[k] += 4 * J[k] * G[k][l] * x->qdd[at + l];
      b[k] += 8 * J[k] * Gd[k][l] * x->q[at + l];
    }
  const double T[2][4][4] = {
    {{0, -a[0], -a[1], -a[2]},
     {a[0], 0, a[2], -a[1]},
     {a[1], -a[2], 0, a[0]},
     {a[2], a[1], -a[0], 0}},
    {{0, -b[0], -b[1], -b[2]},
     {b[0], 0, b[2], -b[1]},
     {b[1], -b[2], 0, b[0]},
     {b[2], b[1], -b[0], 0}}};
  for (int k = 0; k < 4; k++)
    for (int l = 0; l < 4; l++) {
      d->inertia_q[at + k][at + l] += T[0][k][l];
      d->R_qd[at + k][at + l] -= T[1][k][l];
      for (int c = 0; c < 3; c++) {
        d->inertia_q[at + k][at + l] -= 4 * G[c][k] * J[c] * Gm[c][l];
        d->R_q[at + k][at + l] -= 8 * Gd[c][k] * J[c] * Gd[c][l];
        d->R_qd[at + k][at + l] += 8 * Gd[c][k] * J[c] * G[c][l];
      }
    }
}

// third: of gamma with q too
static void
slopes_of(const dae_system_t * s, const state_t * x, bool third, slopes_t * d)
{
  static const double step = 1e-6;
  double Phi[DAE_M], J[DAE_M][DAE_N], gamma[DAE_M], H[DAE_M][DAE_N][DAE_N], b[DAE_N];
  memset(&d->R_q, 0, sizeof *d - offsetof(slopes_t, R_q));
  rows_of(s, x->q, x->qd, Phi, J, gamma, d->H);
  for (int i = 0; i < s->bodies && !s->planar; i++) inertia_slopes(s, x, i, d);
  // applied forces by differences
  for (int k = 0; s->force && k < s->n; k++) {
    double Q[2][DAE_N] = {{0}}, Qd[2][DAE_N] = {{0}}, y[DAE_N];
    for (int side = 0; side < 2; side++) {
      memcpy(y, x->q, sizeof y);
      y[k] += side ? step : -step;
      s->force(s->ctx, y, x->qd, Q[side]);
      memcpy(y, x->qd, sizeof y);
      y[k] += side ? step : -step;
      s->force(s->ctx, x->q, y, Qd[side]);
    }
    for (int l = 0; l < s->n; l++) {
      d->R_q[l][k] -= (Q[1][l] - Q[0][l]) / (2 * step);
      d->R_qd[l][k] -= (Qd[1][l] - Qd[0][l]) / (2 * step);
    }
  }
  for (int r = 0; r < s->m; r++) {
    const dae_row_t * row = &s->row[r];
    times_hessian(row, d->H[r], x->qd, b);
    for (int k = 0; k < s->n; k++) d->gamma_qd[r][k] = 2 * b[k];
    for (int k = 0; k < row->columns; k++)
      for (int l = 0; l < row->columns; l++)
        d->R_q[row->column[k]][row->column[l]] +=
          x->lambda[r] * d->H[r][row->column[k]][row->column[l]];
  }
  if (!third) return;
  // third derivatives twice along qd: the change of Phi_qq qd along it
  const double along = 1e-6 / (1 + norm(x->qd, s->n));
  double y[DAE_N] = {0};
  for (int k = 0; k < s->n; k++) y[k] = x->q[k] + along * x->qd[k];
  rows_of(s, y, x->qd, Phi, J, gamma, H);
  for (int r = 0; r < s->m; r++) {
    times_hessian(&s->row[r], H[r], x->qd, b);
    for (int k = 0; k < s->n; k++) d->gamma_q[r][k] = (b[k] - d->gamma_qd[r][k] / 2) / along;
  }
}

static void
times(const dae_system_t * s, double J[DAE_M][DAE_N], const double * x, double b[DAE_M])
{
  for (int r = 0; r < s->m; r++) {
    b[r] = 0;
    for (int k = 0; k < s->n; k++) b[r] += J[r][k] * x[k];
  }
}

// residual of the equations of index 1
static void
residual(const dae_system_t * s, state_t * x, double R[ALL])
{
  for (int k = 0; k < s->n; k++) {
    R[k] = -x->Q[k];
    for (int l = 0; l < s->n; l++) R[k] += x->M[k][l] * x->qdd[l];
    for (int r = 0; r < s->m; r++) R[k] += x->J[r][k] * x->lambda[r];
  }
  times(s, x->J, x->qdd, R + s->n);
  for (int r = 0; r < s->m; r++) R[s->n + r] += x->gamma[r];
}

/// Third derivatives of q (7.2.22): their equations are the derivative in time of those of index 1, where that of the
/// coordinates and velocities alone is a difference along them.
static bool
jerk(const dae_system_t * s, state_t * x, double qddd[DAE_N])
{
  lu_t f;
  double before[ALL], b[ALL];
  state_t y = *x;
  const double along = 1e-6 / (1 + norm(x->qd, s->n) + norm(x->qdd, s->n));
  for (int k = 0; k < s->n; k++) y.q[k] += along * x->qd[k], y.qd[k] += along * x->qdd[k];
  update(s, &y);
  residual(s, x, before), residual(s, &y, b);
  for (int k = 0; k < s->n + s->m; k++) b[k] = (before[k] - b[k]) / along;
  if (!factor_index_1(s, x, &f)) return false;
  lu_solve(&f, b);
  memcpy(qddd, b, (size_t)s->n * sizeof *b);
  return true;
}

//---------- errors and corrections (7.2.4, 7.2.7) ----------

/// x with J^T (J J^T)^-1 b taken from it.
static bool
take_normal(const dae_system_t * s, double J[DAE_M][DAE_N], const double * b, double * x)
{
  lu_t f;
  double y[ALL];
  f.n = s->m;
  for (int r = 0; r < s->m; r++)
    for (int c = 0; c < s->m; c++) {
      f.a[r][c] = 0;
      for (int k = 0; k < s->n; k++) f.a[r][c] += J[r][k] * J[c][k];
    }
  if (!lu_factor(&f)) return false;
  memcpy(y, b, (size_t)s->m * sizeof *b);
  lu_solve(&f, y);
  for (int r = 0; r < s->m; r++)
    for (int k = 0; k < s->n; k++) x[k] -= J[r][k] * y[r];
  return true;
}

static bool
correct(const dae_system_t * s, state_t * x)
{
  double b[DAE_M];
  bool changed = false;
  if (norm(x->Phi, s->m) > 1e-4) {
    for (int k = 0; k < 10 && norm(x->Phi, s->m) > 1e-12; k++) {
      take_normal(s, x->J, x->Phi, x->q);
      update(s, x);
    }
    changed = true;
  }
  times(s, x->J, x->qd, b);
  if (norm(b, s->m) > 1e-3) {
    take_normal(s, x->J, b, x->qd);
    update(s, x);
    changed = true;
  }
  times(s, x->J, x->qdd, b);
  for (int r = 0; r < s->m; r++) b[r] += x->gamma[r];
  if (norm(b, s->m) > 1e-2) {
    take_normal(s, x->J, b, x->qdd);
    changed = true;
  }
  return changed;
}

static double
larger(double a, double b)
{
  return a > b ? a : b;
}

static void
measure(const dae_system_t * s, state_t * x, dae_result_t * r)
{
  double b[DAE_M], R[DAE_N] = {0};
  times(s, x->J, x->qd, b);
  r->position = larger(r->position, norm(x->Phi, s->m));
  r->velocity = larger(r->velocity, norm(b, s->m));
  times(s, x->J, x->qdd, b);
  for (int k = 0; k < s->m; k++) b[k] += x->gamma[k];
  r->acceleration = larger(r->acceleration, norm(b, s->m));
  for (int k = 0; k < s->n; k++) {
    R[k] = -x->Q[k];
    for (int l = 0; l < s->n; l++) R[k] += x->M[k][l] * x->qdd[l];
  }
  // twice, as the normal equations lose digits
  for (int twice = 0; twice < 2; twice++) {
    times(s, x->J, R, b);
    take_normal(s, x->J, b, R);
  }
  r->equation = larger(r->equation, norm(R, s->n));
  r->energy = energy_of(s, x);
  memcpy(r->q, x->q, sizeof r->q), memcpy(r->qd, x->qd, sizeof r->qd);
  memcpy(r->qdd, x->qdd, sizeof r->qdd), memcpy(r->lambda, x->lambda, sizeof r->lambda);
}

//---------- steps ----------

static double
error_of(
  const dae_system_t * s, const state_t * x, const double * q, const double * qd, double atol)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++) {
    const double a = (x->q[k] - q[k]) / (atol * (1 + fabs(x->q[k])));
    const double b = (x->qd[k] - qd[k]) / (atol * (1 + fabs(x->qd[k])));
    sum += a * a + b * b;
  }
  return sqrt(sum / (2 * s->n));
}

/// Fehlberg's pair for second order equations (4.8.22); the error relative to the tolerance, or a negative number.
static double
step_rkfn45(const dae_system_t * s, const dae_options_t * o, state_t * from, double h, state_t * to)
{
  static const double a[6][5] = {
    {0},
    {1 / 4.0},
    {3 / 32.0, 9 / 32.0},
    {1932 / 2197.0, -7200 / 2197.0, 7296 / 2197.0},
    {439 / 216.0, -8, 3680 / 513.0, -845 / 4104.0},
    {-8 / 27.0, 2, -3544 / 2565.0, 1859 / 4104.0, -11 / 40.0}};
  static const double b[2][6] = {
    {25 / 216.0, 0, 1408 / 2565.0, 2197 / 4104.0, -1 / 5.0, 0},
    {16 / 135.0, 0, 6656 / 12825.0, 28561 / 56430.0, -9 / 50.0, 2 / 55.0}};
  double v[6][DAE_N], k[6][DAE_N];  // stages of q' and q''
  state_t x = *from;
  for (int i = 0; i < 6; i++) {
    for (int c = 0; c < s->n; c++) {
      x.q[c] = from->q[c], x.qd[c] = from->qd[c];
      for (int j = 0; j < i; j++) x.q[c] += h * a[i][j] * v[j][c], x.qd[c] += h * a[i][j] * k[j][c];
    }
    if (!accelerate(s, &x)) return -1;
    memcpy(v[i], x.qd, sizeof v[i]), memcpy(k[i], x.qdd, sizeof k[i]);
  }
  double q[2][DAE_N], qd[2][DAE_N];
  for (int e = 0; e < 2; e++)
    for (int c = 0; c < s->n; c++) {
      q[e][c] = from->q[c], qd[e][c] = from->qd[c];
      for (int i = 0; i < 6; i++)
        q[e][c] += h * b[e][i] * v[i][c], qd[e][c] += h * b[e][i] * k[i][c];
    }
  memcpy(to->q, q[0], sizeof to->q), memcpy(to->qd, qd[0], sizeof to->qd);
  if (!accelerate(s, to)) return -1;
  return error_of(s, to, q[1], qd[1], o->atol);
}

/// Position and velocity after a step (7.2.19).
static void
predict(
  const dae_system_t * s, const state_t * from, double h, double beta, double delta, state_t * to)
{
  for (int k = 0; k < s->n; k++) {
    to->q[k] = from->q[k] + h * from->qd[k] +
               h * h / 2 * ((1 - 2 * beta) * from->qdd[k] + 2 * beta * to->qdd[k]);
    to->qd[k] = from->qd[k] + h * ((1 - delta) * from->qdd[k] + delta * to->qdd[k]);
  }
}

/// HHT and, for alpha = 0, the trapezoidal method (7.3.3, 7.3.10, 7.3.17): Newton with the matrix of its start.
static double
step_implicit(
  const dae_system_t * s, const dae_options_t * o, state_t * from, double h, state_t * to)
{
  const double alpha = o->method == DAE_HHT ? -1 / 3.0 : 0, beta = (1 - alpha) * (1 - alpha) / 4,
               delta = (1 - 2 * alpha) / 2;
  double before[DAE_N], qddd[DAE_N];
  slopes_t d;
  if (!jerk(s, from, qddd)) return -1;
  for (int k = 0; k < s->n; k++) {
    before[k] = -from->Q[k];
    for (int r = 0; r < s->m; r++) before[k] += from->J[r][k] * from->lambda[r];
  }
  *to = *from;
  lu_t f;
  bool converged = false;
  double size = 0;
  predict(s, from, h, beta, delta, to);
  update(s, to);
  for (int iteration = 0; iteration < 9 && !converged; iteration++) {
    if (iteration == 0) {
      slopes_of(s, to, o->index == 1, &d);
      f.n = s->n + s->m;
      memset(f.a, 0, sizeof f.a);
      for (int k = 0; k < s->n; k++)
        for (int l = 0; l < s->n; l++)
          f.a[k][l] = (to->M[k][l] + h * h * beta * d.inertia_q[k][l]) / (1 + alpha) +
                      h * delta * d.R_qd[k][l] + h * h * beta * d.R_q[k][l];
      for (int r = 0; r < s->m; r++) {
        double curved[DAE_N];
        times_hessian(&s->row[r], d.H[r], to->qdd, curved);
        for (int k = 0; k < s->n; k++) {
          double * of = &f.a[s->n + r][k];
          *of = to->J[r][k], f.a[k][s->n + r] = to->J[r][k];
          if (o->index == 1)
            *of += h * delta * d.gamma_qd[r][k] + h * h * beta * (d.gamma_q[r][k] + curved[k]);
          if (o->index == 2) *of += h * beta / delta * d.gamma_qd[r][k] / 2;
        }
      }
      if (!lu_factor(&f)) return -1;
    }
    double R[ALL], b[DAE_M];
    for (int k = 0; k < s->n; k++) {
      R[k] = -to->Q[k] - alpha / (1 + alpha) * before[k];
      for (int l = 0; l < s->n; l++) R[k] += to->M[k][l] * to->qdd[l] / (1 + alpha);
      for (int r = 0; r < s->m; r++) R[k] += to->J[r][k] * to->lambda[r];
    }
    times(s, to->J, o->index == 1 ? to->qdd : to->qd, b);
    for (int r = 0; r < s->m; r++)
      R[s->n + r] = o->index == 1   ? b[r] + to->gamma[r]
                    : o->index == 2 ? b[r] / (delta * h)
                                    : to->Phi[r] / (beta * h * h);
    size = norm(R, f.n);
    if (!(size < 1e12)) return -1;
    converged = size <= o->intol;
    lu_solve(&f, R);
    for (int k = 0; k < s->n; k++) to->qdd[k] -= R[k];
    for (int r = 0; r < s->m; r++) to->lambda[r] -= R[s->n + r];
    predict(s, from, h, beta, delta, to);
    update(s, to);
  }
  if (!converged) return -1;
  double q[DAE_N], qd[DAE_N];
  for (int k = 0; k < s->n; k++) {
    q[k] = from->q[k] + h * (from->qd[k] + h / 2 * (from->qdd[k] + h / 3 * qddd[k]));
    qd[k] = from->qd[k] + h * (from->qdd[k] + h / 2 * qddd[k]);
  }
  return error_of(s, to, q, qd, o->atol);
}

dae_result_t
dae_integrate(
  const dae_system_t * s, const dae_options_t * o, const double * q, const double * qd, double end,
  void (*watch)(void * ctx, const dae_result_t * r), void * ctx)
{
  dae_result_t r = {.end = DAE_DONE};
  state_t x = {.q = {0}}, to = {.q = {0}};
  memcpy(x.q, q, (size_t)s->n * sizeof *q), memcpy(x.qd, qd, (size_t)s->n * sizeof *qd);
  if (!accelerate(s, &x)) return r.end = DAE_DIVERGED, r;
  r.energy_start = energy_of(s, &x);
  measure(s, &x, &r);
  double h = o->h;
  while (r.t < end * (1 - 1e-12)) {
    // no tiny last step
    const double left = end - r.t, step = left < 1.001 * h ? left : fmin(h, left / 2);
    const double error = o->method == DAE_RKFN45 ? step_rkfn45(s, o, &x, step, &to)
                                                 : step_implicit(s, o, &x, step, &to);
    if (!(error >= 0) && o->fixed) return r.end = DAE_NO_CONVERGENCE, r;
    const double factor = error >= 0 ? 0.9 * pow(larger(error, 1e-9), -1 / 3.0) : 0.25;
    if (!o->fixed) h = fmin(o->hmax, step * fmin(2, larger(factor, 0.2)));
    if (!o->fixed && (error < 0 || error > 1)) {
      r.rejected++;
      if (h < 1e-9) return r.end = DAE_STEP_VANISHED, r;
      continue;
    }
    x = to;
    r.t += step, r.steps++;
    measure(s, &x, &r);
    if (o->correct && correct(s, &x)) r.corrected++;
    if (!(norm(x.q, s->n) < 1e6) || r.steps >= 2000000) return r.end = DAE_DIVERGED, r;
    if (watch) watch(ctx, &r);
  }
  return r;
}
