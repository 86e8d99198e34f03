// The numeric examples and exercises of Angeles, chapter 7, by the natural orthogonal complement and by
// the sweeps of the library. Where the print is wrong, both figures are given.
#include <string.h>

#include "dh_chain.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/operators.h"

static mbd_dh_row_t
row_of(double a, double d, double alpha_degrees, double theta_degrees)
{
  mbd_dh_row_t row = mbd_dh_row_default();
  row.a = a, row.d = d;
  row.alpha = alpha_degrees * acos(0) / 90;
  row.theta = theta_degrees * acos(0) / 90;
  return row;
}

static mbd_sym3_t
diagonal(double xx, double yy, double zz)
{
  return (mbd_sym3_t){xx, 0, 0, yy, 0, zz};
}

static dh_chain_t *
chain_with(int n, const mbd_dh_row_t * row, mbd_vec3_t gravity)
{
  dh_chain_t * c = calloc(1, sizeof *c);
  memcpy(c->row, row, (size_t)n * sizeof *row);
  c->table = (mbd_dh_t){
    .n = n,
    .row = c->row,
    .base = mbdu_placement_identity(),
    .tool = mbdu_placement_identity(),
    .tool_name = "P",
    .gravity = gravity};
  make_chain(c);
  return c;
}

static void
set(dh_chain_t * c, const double * q, const double * v, const double * qdd)
{
  memcpy(c->q, q, (size_t)c->n * sizeof *q);
  memcpy(c->v, v, (size_t)c->n * sizeof *v);
  memcpy(c->qdd, qdd, (size_t)c->n * sizeof *qdd);
}

//---------- both ways ----------

static void
assert_mass(dh_chain_t * c, mat_t I, double tolerance, const char * place)
{
  mat_t noc = mat(c->n, c->n), ours = mat(c->n, c->n);
  assert_ok(mbd_noc_mass_matrix(c->noc, c->q, noc.a));
  assert_ok(mbd_set_state(c->model, c->data, c->q, NULL));
  assert_ok(mbd_mass_matrix(c->model, c->data, ours.a));
  assert_mat(noc, I, tolerance, "%s: complement", place);
  assert_mat(ours, I, tolerance, "%s: library", place);
}

static void
assert_torque(dh_chain_t * c, mat_t tau, double tolerance, const char * place)
{
  mat_t noc = mat(c->n, 1), ours = mat(c->n, 1), qdd = mat(c->n, 1);
  assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, c->qdd, NULL, noc.a));
  assert_ok(mbd_inverse_dynamics(c->model, c->data, c->q, c->v, c->qdd, NULL, ours.a));
  assert_mat_floor(noc, tau, tolerance, 1e-3, "%s: complement", place);
  assert_mat_floor(ours, tau, tolerance, 1e-3, "%s: library", place);
  // and back: accelerations from these torques
  assert_ok(mbd_noc_forward_dynamics(c->noc, c->q, c->v, tau.a, NULL, qdd.a));
  assert_mat_floor(qdd, column(c->n, c->qdd), 1e-8, 1, "%s: forward", place);
  assert_ok(mbd_forward_dynamics(c->model, c->data, c->q, c->v, tau.a, NULL, qdd.a));
  assert_mat_floor(qdd, column(c->n, c->qdd), 1e-8, 1, "%s: library, forward", place);
}

static mat_t
coriolis(dh_chain_t * c)
{
  mat_t C = mat(c->n, c->n);
  assert_ok(mbd_noc_coriolis_matrix(c->noc, c->q, c->v, C.a));
  return C;
}

static mat_t
mass_rate(dh_chain_t * c)
{
  mat_t dI = mat(c->n, c->n), ours = mat(c->n, c->n);
  assert_ok(mbd_noc_mass_rate(c->noc, c->q, c->v, dI.a));
  assert_ok(mbd_set_position(c->model, c->data, c->q));
  assert_ok(mbd_set_velocity(c->model, c->data, c->v));
  assert_ok(mbd_mass_matrix_rate(c->model, c->data, ours.a));
  assert_mat_floor(dI, ours, 1e-10, 1e-3, "rate of the mass matrix, library");
  return dI;
}

//---------- examples 7.3.1 and 7.6.2: planar arm of three hinges ----------

typedef struct planar {
  double a[3], m[3], I[3], g;
} planar_t;

static const planar_t PLANAR = {{1.0, 0.8, 0.5}, {3, 2, 1}, {0.25, 0.11, 0.02}, 9.81};

// centres of mass half way, gravity along -Y
static dh_chain_t *
planar_chain(const planar_t * p)
{
  mbd_dh_row_t row[3];
  for (int i = 0; i < 3; i++) {
    row[i] = row_of(p->a[i], 0, 0, 0);
    row[i].inertia = mbdu_inertia_from_com(
      p->m[i], mbdu_vec3(-p->a[i] / 2, 0, 0), diagonal(p->I[i], p->I[i], p->I[i]));
  }
  return chain_with(3, row, mbdu_vec3(0, -p->g, 0));
}

// the closed forms of example 7.3.1
typedef struct closed {
  mat_t I, dI, C, iota, gamma, dV;
} closed_t;

static closed_t
closed_form(const planar_t * p, const double * q, const double * v)
{
  const double a1 = p->a[0], a2 = p->a[1], a3 = p->a[2], m1 = p->m[0], m2 = p->m[1], m3 = p->m[2];
  const double I1 = p->I[0], I2 = p->I[1], I3 = p->I[2], g = p->g;
  const double c2 = cos(q[1]), s2 = sin(q[1]), c3 = cos(q[2]), s3 = sin(q[2]);
  const double c23 = cos(q[1] + q[2]), s23 = sin(q[1] + q[2]);
  const double c1 = cos(q[0]), c12 = cos(q[0] + q[1]), c123 = cos(q[0] + q[1] + q[2]);
  const double u = v[0], w = v[1], z = v[2];
  const double I11 =
    I1 + I2 + I3 + m1 * a1 * a1 / 4 + m2 * (a1 * a1 + a2 * a2 / 4 + a1 * a2 * c2) +
    m3 * (a1 * a1 + a2 * a2 + a3 * a3 / 4 + 2 * a1 * a2 * c2 + a1 * a3 * c23 + a2 * a3 * c3);
  const double I12 =
    I2 + I3 + m2 * (a2 * a2 / 2 + a1 * a2 * c2) / 2 +
    m3 * (2 * a2 * a2 + a3 * a3 / 2 + 2 * a1 * a2 * c2 + a1 * a3 * c23 + 2 * a2 * a3 * c3) / 2;
  const double I13 = I3 + m3 * (a3 * a3 / 2 + a1 * a3 * c23 + a2 * a3 * c3) / 2;
  const double I22 = I2 + I3 + m2 * a2 * a2 / 4 + m3 * (a2 * a2 + a3 * a3 / 4 + a2 * a3 * c3);
  const double I23 = I3 + m3 * (a3 * a3 / 2 + a2 * a3 * c3) / 2, I33 = I3 + m3 * a3 * a3 / 4;
  const double d11 = -m2 * a1 * a2 * s2 * w -
                     m3 * (2 * a1 * a2 * s2 * w + a1 * a3 * s23 * (w + z) + a2 * a3 * s3 * z);
  const double d12 =
    (-m2 * a1 * a2 * s2 * w -
     m3 * (2 * a1 * a2 * s2 * w + a1 * a3 * s23 * (w + z) + 2 * a2 * a3 * s3 * z)) /
    2;
  const double d13 = -m3 * (a1 * a3 * s23 * (w + z) + a2 * a3 * s3 * z) / 2;
  const double d22 = -m3 * a2 * a3 * s3 * z, d23 = d22 / 2;
  const double B = m2 * a1 * a2 * s2 + m3 * (2 * a1 * a2 * s2 + a1 * a3 * s23);
  const double K = a1 * a3 * s23 + a2 * a3 * s3, S = m3 * a2 * a3 * s3;
  const double mu[9] = {
    -B * w / 2 - m3 * K * z / 2,
    -B * (u + w) / 2 - m3 * K * z / 2,
    -m3 * K * (u + w + z) / 2,
    B * u / 2 - S * z / 2,
    -S * z / 2,
    -S * (u + w + z) / 2,
    (m3 * K * u + S * w) / 2,
    S * (u + w) / 2,
    0};
  const double iota[3] = {
    -B * u * w - m3 * K * u * z - B * w * w / 2 - m3 * K * w * z - m3 * K * z * z / 2,
    // printed with a2 s3 once; the rate of I has it twice
    -B * u * w / 2 - m3 * (a1 * a3 * s23 + 2 * a2 * a3 * s3) * u * z / 2 - S * w * z -
      S * z * z / 2,
    -m3 * a1 * a3 * s23 * u * w / 2 - m3 * K * u * z / 2 - S * w * z / 2};
  const double gamma[3] = {
    0, -B * u * u - B * u * w - m3 * a1 * a3 * s23 * u * z,
    // printed with the square of the third rate in place of the second
    -m3 * K * u * u - m3 * (a1 * a3 * s23 + 2 * a2 * a3 * s3) * u * w - m3 * K * u * z - S * w * w -
      S * w * z};
  const double V3 = m3 * g * a3 * c123 / 2, V2 = V3 + m2 * g * a2 * c12 / 2 + m3 * g * a2 * c12;
  const double dV[3] = {V2 + m1 * g * a1 * c1 / 2 + (m2 + m3) * g * a1 * c1, V2, V3};
  return (closed_t){
    mat_from(3, 3, (double[]){I11, I12, I13, I12, I22, I23, I13, I23, I33}),
    mat_from(3, 3, (double[]){d11, d12, d13, d12, d22, d23, d13, d23, 0}),
    mat_from(3, 3, mu),
    column(3, iota),
    column(3, gamma),
    column(3, dV)};
}

static const double Q[3] = {0.3, -0.7, 1.1}, QD[3] = {0.5, -1.2, 0.8}, QDD[3] = {1.0, 0.4, -2.0};

// the closed forms with numbers put in
static void
example_7_3_1_figures(void ** context)
{
  (void)context;
  dh_chain_t * c = planar_chain(&PLANAR);
  set(c, Q, QD, QDD);
  const double I[9] = {8.2419639448820365,  2.7879511967261337,  0.40348447278583675,
                       2.7879511967261337,  1.333938448570231,   0.17321922428511548,
                       0.40348447278583675, 0.17321922428511548, 0.0825};
  assert_mass(c, mat_from(3, 3, I), 1e-14, "7.3.1: inertia matrix");
  const double tau[3] = {67.412554215638876, 19.160044431833599, 2.2952245944954021};
  assert_torque(c, column(3, tau), 1e-14, "7.3.1: torques");
  const double Cv[3] = {0.35630059900369019, -0.14779252193488797, 0.11167696768031132};
  assert_mat(PROD(coriolis(c), column(3, QD)), column(3, Cv), 1e-13, "7.3.1: C v");
  // energies
  double T, V;
  assert_ok(mbd_set_position(c->model, c->data, c->q));
  assert_ok(mbd_set_velocity(c->model, c->data, c->v));
  assert_ok(mbd_kinetic_energy(c->model, c->data, &T));
  assert_ok(mbd_potential_energy(c->model, c->data, &V));
  assert_near(T, 0.33941379184576446, 1e-14, "7.3.1: kinetic energy");
  assert_near(V, 8.5133731001386947, 1e-14, "7.3.1: potential energy");
  chain_free(c);
}

// Lagrange's terms and the complement's, at many states: I, dI/dt, iota - gamma / 2, mu, dV
static void
examples_7_3_1_and_7_6_2_formulas(void ** context)
{
  (void)context;
  uint64_t state = 8;
  dh_chain_t * c = planar_chain(&PLANAR);
  for (int k = 0; k < 100; k++) {
    random_state(&state, c);
    const closed_t x = closed_form(&PLANAR, c->q, c->v);
    const mat_t v = column(3, c->v), qdd = column(3, c->qdd);
    assert_mass(c, x.I, 1e-13, "7.3.1: I");
    assert_mat_floor(mass_rate(c), x.dI, 1e-12, 1, "7.3.1: rate of I");
    assert_mat_floor(coriolis(c), x.C, 1e-12, 1, "7.6.2: mu");
    assert_mat_floor(PROD(x.dI, v), x.iota, 1e-12, 1, "7.3.1: iota");
    assert_mat_floor(
      sub(x.iota, scale(0.5, x.gamma)), PROD(x.C, v), 1e-12, 1, "7.3.1 and 7.6.2 agree");
    const mat_t tau = SUM(PROD(x.I, qdd), x.iota, scale(-0.5, x.gamma), x.dV);
    assert_torque(c, tau, 1e-11, "7.3.1: model");
  }
  chain_free(c);
}

// 7.14, equal links of unit length and mass: straight, and bent by a quarter there and back
static void
exercise_7_14_planar(void ** context)
{
  (void)context;
  const double third = 1.0 / 3;
  const struct {
    double I, q2, q3, M[9];
  } x[] = {
    {1, 0, 0, {11.75, 6.5, 2.25, 6.5, 4.5, 1.75, 2.25, 1.75, 1.25}},
    {1.0 / 12,
     0,
     0,
     {9, 14 * third, 4 * third, 14 * third, 8 * third, 5.0 / 6, 4 * third, 5.0 / 6, third}},
    {1, 1, -1, {7.75, 4, 1.75, 4, 3.5, 1.25, 1.75, 1.25, 1.25}},
    {1.0 / 12, 1, -1, {5, 13.0 / 6, 5.0 / 6, 13.0 / 6, 5 * third, third, 5.0 / 6, third, third}}};
  for (int k = 0; k < 4; k++) {
    const planar_t p = {{1, 1, 1}, {1, 1, 1}, {x[k].I, x[k].I, x[k].I}, 0};
    dh_chain_t * c = planar_chain(&p);
    const double q[3] = {0.4, x[k].q2 * acos(0), x[k].q3 * acos(0)};
    set(c, q, Q, Q);
    assert_mass(c, mat_from(3, 3, x[k].M), 1e-14, "7.14");
    chain_free(c);
  }
}

//---------- example 7.5.1: the shortest time of a manoeuvre of given shape ----------

static void
example_7_5_1(void ** context)
{
  (void)context;
  planar_t still = PLANAR;
  still.g = 0;
  dh_chain_t * c = planar_chain(&still);
  const double move[3] = {1.0, 0.8, -1.5}, most[3] = {20, 10, 3};
  double F[3] = {0}, T[3], f[3], shortest = 0;
  for (int k = 0; k <= 2000; k++) {
    const double x = k / 2000.0, s = x * x * x * (10 + x * (-15 + 6 * x));
    const double ds = 30 * x * x * (1 + x * (-2 + x)), dds = 60 * x * (1 + x * (-3 + 2 * x));
    for (int i = 0; i < 3; i++) {
      c->q[i] = Q[i] + s * move[i], c->v[i] = ds * move[i], c->qdd[i] = dds * move[i];
    }
    assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, c->qdd, NULL, f));
    for (int i = 0; i < 3; i++) F[i] = fmax(F[i], fabs(f[i]));
  }
  for (int i = 0; i < 3; i++) T[i] = sqrt(F[i] / most[i]), shortest = fmax(shortest, T[i]);
  assert_close(F, ((double[]){64.61451939, 24.33159904, 3.73211381}), 3, 1e-9, "7.5.1: F");
  assert_close(T, ((double[]){1.79742203, 1.55985894, 1.11536449}), 3, 1e-8, "7.5.1: T");
  assert_near(shortest, 1.79742203, 1e-8, "7.5.1: shortest time");
  // twice the time, a quarter of the torque
  for (int i = 0; i < 3; i++) c->v[i] = move[i], c->qdd[i] = -move[i];
  double slow[3];
  assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, c->qdd, NULL, f));
  for (int i = 0; i < 3; i++) c->v[i] /= 2, c->qdd[i] /= 4, f[i] /= 4;
  assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, c->qdd, NULL, slow));
  assert_close(slow, f, 3, 1e-13, "7.5.1: torque goes with 1 / T^2");
  chain_free(c);
}

//---------- example 7.6.1: spatial arm of three hinges ----------

typedef struct spatial {
  double m, a, I, p;
} spatial_t;

static const spatial_t SPATIAL[] = {
  {1, 1, 0, 1}, {1, 1, 1, 1}, {2, 0.5, 0.3, 1.5}, {0.7, 1.3, 2, -0.4}};
enum { SPATIALS = sizeof SPATIAL / sizeof SPATIAL[0] };

// at the posture of the drawing: axes k, j, i; a1 = -a i, a2 = a (j - k), a3 = a (i + k)
static dh_chain_t *
spatial_chain(const spatial_t * x)
{
  const double a = x->a;
  mbd_dh_row_t row[3] = {row_of(-a, 0, -90, 0), row_of(a, a, 90, 90), row_of(-a, a, 0, 0)};
  const mbd_vec3_t com[3] = {{a / 2, 0, a / 2}, {-a / 2, 0, a / 2}, {a / 2, 0, 0}};
  for (int i = 0; i < 3; i++) {
    row[i].inertia = mbdu_inertia_from_com(x->m, com[i], diagonal(x->I, x->I, x->I));
  }
  dh_chain_t * c = chain_with(3, row, mbdu_vec3(0, 0, 0));
  const double zero[3] = {0, 0, 0}, p[3] = {x->p, x->p, x->p};
  set(c, zero, p, zero);
  return c;
}

// columns t_ij of links 1, 2, 3 by numbers in units of a; what is beyond the diagonal is zero
static void
example_7_6_1_twists(void ** context)
{
  (void)context;
  const double T[18][3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-.5, 0, 0},  {-.5, 0, 0}, {0, 0, 0},
                           {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, -.5, 0}, {-.5, 0, 0}, {0, -.5, 0},
                           {0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {-1, -.5, 0}, {0, 0, -.5}, {0, -1, 0}};
  // rates, in units of p: the print has t21 = [0; j / 2] and t31 = [0; -j], both are [0; (i - 3j) / 2]
  const double dT[18][3] = {{0, 0, 0},      {0, 0, 0},      {0, 0, 0},   {.5, 0, 0}, {-.5, 0, 0},
                            {0, 0, 0},      {0, -1, 0},     {0, 0, 0},   {0, 0, 0},  {.5, -.5, 0},
                            {-1.5, -.5, 0}, {0, .5, 0},     {0, -1, 0},  {0, 0, 1},  {0, 0, -1},
                            {.5, -1, .5},   {-1.5, -.5, 0}, {0, .5, -.5}};
  for (int k = 0; k < SPATIALS; k++) {
    const spatial_t * x = &SPATIAL[k];
    dh_chain_t * c = spatial_chain(x);
    mat_t got = mat(18, 3), rate = mat(18, 3), expected = mat(18, 3), rates = mat(18, 3);
    for (int i = 0; i < 18; i++) {
      for (int j = 0; j < 3; j++) {
        const double unit = i % 6 < 3 ? 1 : x->a;
        *at(expected, i, j) = unit * T[i][j], *at(rates, i, j) = unit * x->p * dT[i][j];
      }
    }
    assert_ok(mbd_noc_complement(c->noc, c->q, got.a));
    assert_ok(mbd_noc_complement_rate(c->noc, c->q, c->v, rate.a));
    assert_mat(got, expected, 1e-14, "7.6.1: T, case %d", k);
    assert_mat(rate, rates, 1e-14, "7.6.1: rate of T, case %d", k);
    chain_free(c);
  }
}

static void
example_7_6_1_matrices(void ** context)
{
  (void)context;
  for (int k = 0; k < SPATIALS; k++) {
    const spatial_t * x = &SPATIAL[k];
    const double u = x->m * x->a * x->a, I = x->I, p = x->p;
    dh_chain_t * c = spatial_chain(x);
    const double M[9] = {11 * u / 4 + 3 * I, u, 0, u, 7 * u / 4 + 2 * I, 0, 0, 0, u / 4 + I};
    assert_mass(c, mat_from(3, 3, M), 1e-14, "7.6.1 (a): I");
    // (b): the print has (1,3) = -I and (2,3) = m a^2 + I
    const double dI[9] = {-u / 2, 5 * u / 4, u / 4 - I, 5 * u / 4, 0, u / 2, u / 4 - I, u / 2, 0};
    assert_mat(mass_rate(c), scale(p, mat_from(3, 3, dI)), 1e-13, "7.6.1 (b), case %d", k);
    // (c): the print has (1,1) = -3/4 m a^2, which dI - 2 C does not allow
    const double C[9] = {-u / 4,        7 * u / 4 + I, -u / 2 - 2 * I, -u / 2 - I, 0,
                         u / 4 + 2 * I, 3 * u / 4 + I, u / 4 - 2 * I,  0};
    assert_mat(coriolis(c), scale(p, mat_from(3, 3, C)), 1e-13, "7.6.1 (c): C, case %d", k);
    // the print has m a^2 / 2 - I first
    const double Cv[3] = {p * p * (u - I), p * p * (I - u / 4), p * p * (u - I)};
    assert_torque(c, column(3, Cv), 1e-13, "7.6.1 (c): C v");
    chain_free(c);
  }
}

// what the joints carry; the print has f2 = m a p^2 (-6 j + k) / 2 and f1 = m a p^2 (i - 7 j + k) / 2
static void
example_7_6_1_forces(void ** context)
{
  (void)context;
  for (int k = 0; k < SPATIALS; k++) {
    const spatial_t * x = &SPATIAL[k];
    const double f = x->m * x->a * x->p * x->p, n = f * x->a, I = x->I * x->p * x->p;
    dh_chain_t * c = spatial_chain(x);
    double tau[3];
    assert_ok(mbd_noc_inverse_dynamics(c->noc, c->q, c->v, NULL, NULL, tau));
    const double force[3][6] = {
      {-2 * I - 1.5 * n, I + 0.25 * n, -I + n, 0.5 * f, -4.5 * f, 0.5 * f},
      {-2 * I - 1.5 * n, I - 0.25 * n, -I - 3 * n, 0, -4 * f, 0.5 * f},
      {-I + n, I, -I - 2 * n, 0, -2 * f, 0}};
    for (int i = 0; i < 3; i++) {
      mbd_force_t w;
      assert_ok(mbd_noc_joint_wrench(c->noc, i, &w));
      assert_mat(force6(w), column(6, force[i]), 1e-14, "7.6.1: joint %d, case %d", i + 1, k);
    }
    chain_free(c);
  }
}

// with I = m a^2, and with gravity along -k
static void
exercise_7_14_spatial(void ** context)
{
  (void)context;
  const spatial_t x = {1.7, 0.6, 1.7 * 0.36, 1.2};
  const double u = x.m * x.a * x.a;
  dh_chain_t * c = spatial_chain(&x);
  const double M[9] = {23, 4, 0, 4, 15, 0, 0, 0, 5};
  assert_mass(c, scale(u / 4, mat_from(3, 3, M)), 1e-14, "7.14: I = m a^2");
  const double Cv[3] = {0, 0.75 * u * x.p * x.p, 0};
  assert_torque(c, column(3, Cv), 1e-13, "7.14: C v");
  mbd_dh_row_t row[3];
  memcpy(row, c->row, sizeof row);
  chain_free(c);
  c = chain_with(3, row, mbdu_vec3(0, 0, -9.81));
  const double gravity[3] = {0, -1.5 * x.m * 9.81 * x.a, 0};
  assert_torque(c, column(3, gravity), 1e-14, "7.6.1: gravity along -k");
  chain_free(c);
}

//---------- exercises ----------

// 7.6: a wrist of three axes through one point
static void
exercise_7_6(void ** context)
{
  (void)context;
  const double J[3] = {.05, .06, .04}, K[3] = {.02, .03, .025}, L[3] = {.004, .006, .005};
  const double m6 = 0.2, a = 0.1, g = 9.81;
  mbd_dh_row_t row[3] = {row_of(0, 0, 90, 0), row_of(0, 0, 90, 0), row_of(0, 0, 0, 0)};
  row[0].inertia = (mbd_inertia_t){1, {0, 0, 0}, diagonal(J[0], J[1], J[2])};
  row[1].inertia = (mbd_inertia_t){1, {0, 0, 0}, diagonal(K[0], K[1], K[2])};
  row[2].inertia = (mbd_inertia_t){m6, {0, 0, m6 * a}, diagonal(L[0], L[1], L[2])};
  dh_chain_t * c = chain_with(3, row, mbdu_vec3(0, 0, -g));
  const double q[3] = {0.2, 0.8, -0.5}, v[3] = {1.0, -0.6, 2.0}, zero[3] = {0, 0, 0};
  set(c, q, v, zero);
  const double I[9] = {
    0.0871489617566979,
    0.000603634336267164,
    -0.00348353354673583,
    0.000603634336267164,
    0.0355403023058681,
    0,
    -0.00348353354673583,
    0,
    0.005};
  assert_mass(c, mat_from(3, 3, I), 1e-14, "7.6: I");
  const double tau[3] = {
    -0.00157218864069609, -0.00797447790379256 + m6 * g * a * sin(0.8), -0.00248708403948195};
  assert_torque(c, column(3, tau), 1e-13, "7.6: torques");
  chain_free(c);
}

// 7.11: two hinges and a slide, table 7.5; gravity along X1
static void
exercise_7_11(void ** context)
{
  (void)context;
  const double I[3] = {0.3, 0.2, 0.05}, m[3] = {2, 1.5, 0.7};
  mbd_dh_row_t row[3] = {row_of(0, 0, 90, 0), row_of(0, 0, 90, 0), row_of(0, 0, 0, 0)};
  row[2].type = MBD_JOINT_PRISMATIC;
  for (int i = 0; i < 3; i++) {
    row[i].inertia = (mbd_inertia_t){m[i], {0, 0, 0}, diagonal(I[i], I[i], I[i])};
  }
  dh_chain_t * c = chain_with(3, row, mbdu_vec3(9.81, 0, 0));
  const double q[3] = {0.4, 0.9, 0.6}, v[3] = {0.7, -0.5, 0.3}, qdd[3] = {1.1, 0.2, -0.8};
  set(c, q, v, qdd);
  const double M[9] = {0.704627463931329, 0, 0, 0, 0.502, 0, 0, 0, 0.7};
  assert_mass(c, mat_from(3, 3, M), 1e-14, "7.11: I");
  const double tau[3] = {2.05426957293378, -2.44470752533029, -5.74576371197138};
  assert_torque(c, column(3, tau), 1e-14, "7.11: torques");
  // (a) Lagrange's equations, at other states
  uint64_t state = 5;
  for (int k = 0; k < 50; k++) {
    random_state(&state, c);
    const double s1 = sin(c->q[0]), c1 = cos(c->q[0]), s2 = sin(c->q[1]), c2 = cos(c->q[1]);
    const double b = c->q[2], u = c->v[0], w = c->v[1], db = c->v[2], g = 9.81, m3 = m[2];
    const double all = I[0] + I[1] + I[2];
    const double expected[3] = {
      (all + m3 * b * b * s2 * s2) * c->qdd[0] + 2 * m3 * b * db * s2 * s2 * u +
        2 * m3 * b * b * s2 * c2 * u * w + m3 * g * b * s1 * s2,
      (I[1] + I[2] + m3 * b * b) * c->qdd[1] + 2 * m3 * b * db * w - m3 * b * b * s2 * c2 * u * u -
        m3 * g * b * c1 * c2,
      m3 * c->qdd[2] - m3 * b * (s2 * s2 * u * u + w * w) - m3 * g * c1 * s2};
    assert_torque(c, column(3, expected), 1e-12, "7.11 (a)");
  }
  chain_free(c);
}

// 7.3: six links with the masses of the text, on the table of a usual arm (its own is in chapter 4)
static void
exercise_7_3_masses(void ** context)
{
  (void)context;
  const double m[6] = {10.521, 15.781, 8.767, 1.052, 1.052, 0.351};
  const double rho[6][3] = {{0, -0.054, 0}, {0.140, 0, 0},  {0, -0.197, 0},
                            {0, 0, -0.057}, {0, -0.007, 0}, {0, 0, -0.019}};
  const double I[6][3] = {{1.6120, 0.5091, 1.6120}, {0.4898, 8.0783, 8.2672},
                          {3.3768, 0.3009, 3.3768}, {0.1810, 0.1810, 0.1273},
                          {0.0735, 0.0735, 0.1273}, {0.0071, 0.0071, 0.0141}};
  const double a[6] = {0, 0.432, 0.02, 0, 0, 0}, d[6] = {0, 0.149, 0, 0.432, 0, 0.056};
  const double alpha[6] = {90, 0, 90, -90, 90, 0};
  mbd_dh_row_t row[6];
  for (int i = 0; i < 6; i++) {
    row[i] = row_of(a[i], d[i], alpha[i], 0);
    // from O_i, in the axes of frame i + 1
    const mbd_vec3_t arm = {a[i], d[i] * sin(row[i].alpha), d[i] * cos(row[i].alpha)};
    const mbd_vec3_t com = mbdu_vec3_sub(mbdu_vec3(rho[i][0], rho[i][1], rho[i][2]), arm);
    row[i].inertia = mbdu_inertia_from_com(m[i], com, diagonal(I[i][0], I[i][1], I[i][2]));
  }
  dh_chain_t * c = chain_with(6, row, mbdu_vec3(0, 0, -9.81));
  uint64_t state = 12;
  for (int k = 0; k < 50; k++) {
    random_state(&state, c);
    const dense_t d_ = dense_at(c->model, NULL, c->q, c->v, c->model->gravity);
    assert_mass(c, dense_mass(&d_), 1e-11, "7.3");
    assert_torque(c, dense_inverse_dynamics(&d_, column(6, c->qdd), NULL), 1e-11, "7.3");
  }
  chain_free(c);
}

// 7.8 and 7.12: in the plane, and with isotropic links, W M T gives nothing beyond T^T M dT ... C is
// then T^T M dT, and dI/dt twice its symmetric part
static void
exercises_7_8_and_7_12(void ** context)
{
  (void)context;
  uint64_t state = 6;
  dh_chain_t * c = planar_chain(&PLANAR);
  for (int k = 0; k < 20; k++) {
    random_state(&state, c);
    mat_t T = mat(18, 3), dT = mat(18, 3), M = mat(18, 18);
    assert_ok(mbd_noc_complement(c->noc, c->q, T.a));
    assert_ok(mbd_noc_complement_rate(c->noc, c->q, c->v, dT.a));
    for (int i = 0; i < 18; i++) *at(M, i, i) = i % 6 < 3 ? PLANAR.I[i / 6] : PLANAR.m[i / 6];
    const mat_t product = PROD(tr(T), M, dT);
    assert_mat_floor(coriolis(c), product, 1e-12, 1, "7.8");
    assert_mat_floor(mass_rate(c), SUM(product, tr(product)), 1e-12, 1, "7.12");
  }
  chain_free(c);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(example_7_3_1_figures), cmocka_unit_test(examples_7_3_1_and_7_6_2_formulas),
    cmocka_unit_test(exercise_7_14_planar),  cmocka_unit_test(example_7_5_1),
    cmocka_unit_test(example_7_6_1_twists),  cmocka_unit_test(example_7_6_1_matrices),
    cmocka_unit_test(example_7_6_1_forces),  cmocka_unit_test(exercise_7_14_spatial),
    cmocka_unit_test(exercise_7_6),          cmocka_unit_test(exercise_7_11),
    cmocka_unit_test(exercise_7_3_masses),   cmocka_unit_test(exercises_7_8_and_7_12),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
