// Friction of bearings against SUNDIALS: Haug's examples of chapter 8 by their own equations. Redundant coordinates
// with friction that depends on the multipliers (dae_reference.h), or particles by hand; ARKODE integrates them
// (explicit, order 8). Nothing of the library is in the reference: neither dynamics, nor loads, nor charts.
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>

#include "dae_reference.h"
#include "mechanisms_bearings.h"

static const double O[3] = {0, 0, 0}, UX[3] = {1, 0, 0}, UY[3] = {0, 1, 0}, UZ[3] = {0, 0, 1};

//---------- friction (8.1.12, 8.1.13) ----------

typedef struct curve {
  double mu_static, mu_dynamic, velocity;
} curve_t;

static double
coefficient(const curve_t * c, double v)
{
  const double u = v / c->velocity, d = u * u / 4 + 0.75;
  return c->mu_dynamic * tanh(4 * u) + (c->mu_static - c->mu_dynamic) * u / (d * d);
}

static double
size_of(const curve_t * c, double x)
{
  return fabs(x) > c->velocity ? fabs(x) : x * sin(PI * x / (2 * c->velocity));
}

//---------- loads and friction of joints between bodies (8.4, 8.5) ----------

enum { BEARINGS = 5 };

typedef enum kind { PIN, GUIDE, SLEEVE, SHAFT } kind_t;

/// A joint of rows first to last - 1 between body a (or the ground) and body b. PIN and GUIDE are planar. axis: of the
/// joint in the axes of a. Points of contact are on b at its origin, or on a at `at`.
typedef struct joint {
  kind_t kind;
  int first, last, a, b;
  double axis[3], radius, span;
  bool on_a;
  double at[3];
} joint_t;

typedef struct oracle {
  dae_system_t system;
  curve_t curve;
  joint_t joint[BEARINGS];
  int joints;
  double load[BEARINGS];
} oracle_t;

static void
cross(const double * a, const double * b, double x[3])
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
static void
act(const oracle_t * o, int body, const double * q, const double * F, const double * T, double * Q)
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
  if (j->kind == PIN) return size_of(&o->curve, hypot(F[0], F[1]));
  turn(o, j->a, q, A, G);
  for (int i = 0; i < 3; i++) z[i] = dot(A[i], j->axis);
  place_of_body(o, j->a, q, r_a), place_of_body(o, j->b, q, r_b);
  // about point 1
  for (int i = 0; i < 3; i++) arm[i] = j->on_a ? r_b[i] - r_a[i] - dot(A[i], j->at) : 0;
  cross(arm, F, moment);
  for (int i = 0; i < 3; i++) T[i] += moment[i];
  // f2 at span z: z x f2 = T / span, both normal to z
  cross(T, z, f2);
  const double thrust = dot(F, z);
  for (int i = 0; i < 3; i++) f2[i] /= j->span, f1[i] = F[i] - thrust * z[i] - f2[i];
  const double N = size_of(&o->curve, sqrt(dot(f1, f1))) + size_of(&o->curve, sqrt(dot(f2, f2)));
  return N + (j->kind == SHAFT ? size_of(&o->curve, thrust) : 0);
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
    const double S = coefficient(&o->curve, j->radius * (dot(w_b, z) - dot(w_a, z)));
    const double T[3] = {-j->radius * S * z[0], -j->radius * S * z[1], -j->radius * S * z[2]};
    const double minus[3] = {-T[0], -T[1], -T[2]};
    act(o, j->b, q, O, T, Q), act(o, j->a, q, O, minus, Q);
  }
  if (j->kind == GUIDE || j->kind == SLEEVE) {
    cross(w_a, arm, back);
    double v = 0;
    for (int i = 0; i < 3; i++) v += z[i] * (v_b[i] - v_a[i] - back[i]);
    const double S = coefficient(&o->curve, v);
    const double F[3] = {-S * z[0], -S * z[1], -S * z[2]}, minus[3] = {-F[0], -F[1], -F[2]};
    double T[3];
    cross(arm, minus, T);
    act(o, j->b, q, F, O, Q), act(o, j->a, q, minus, T, Q);
  }
}

// Accelerations with loads that solve N = n(lambda0 + sum of N_k lambda_k) by Newton's method.
static int
joint_rates(sunrealtype t, N_Vector y, N_Vector yd, void * ctx)
{
  oracle_t * o = ctx;
  (void)t;
  const int n = o->system.n, k = o->joints;
  const double *q = NV_DATA_S(y), *qd = q + n;
  static double force[BEARINGS][DAE_N], qdd[BEARINGS + 1][DAE_N], lambda[BEARINGS + 1][DAE_M],
    J[DAE_M][DAE_N];
  for (int i = 0; i < k; i++) friction_of(o, &o->joint[i], q, qd, force[i]);
  if (!dae_respond(&o->system, q, qd, k, force, qdd, lambda, J)) return -1;
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
      worst = larger(worst, fabs(R[k][i]) / (1 + fabs(N[i])));
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
  if (!done) return 1;
  memcpy(o->load, N, sizeof N);
  double * to = NV_DATA_S(yd);
  memcpy(to, qd, (size_t)n * sizeof *to);
  for (int c = 0; c < n; c++) {
    to[n + c] = qdd[0][c];
    for (int i = 0; i < k; i++) to[n + c] += N[i] * qdd[i + 1][c];
  }
  return 0;
}

//---------- integration ----------

static void
integrate(ARKRhsFn rates, void * ctx, int n, double * y0, double step_max, double end)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector y = N_VMake_Serial(n, y0, context);
  void * ark = ERKStepCreate(rates, 0, y, context);
  sunrealtype reached;
  assert_int_equal(ERKStepSetTableNum(ark, ARKODE_FEHLBERG_13_7_8), 0);
  assert_int_equal(ERKStepSStolerances(ark, 1e-11, 1e-12), 0);
  assert_int_equal(ERKStepSetUserData(ark, ctx), 0);
  assert_int_equal(ERKStepSetMaxNumSteps(ark, 10000000), 0);
  // loads that change their sign are kinks, which the estimates of errors miss
  assert_int_equal(ERKStepSetMaxStep(ark, step_max), 0);
  assert_int_equal(ERKStepSetMaxErrTestFails(ark, 100), 0);
  assert_int_equal(ERKStepSetStopTime(ark, end), 0);
  assert_true(ERKStepEvolve(ark, end, y, &reached, ARK_NORMAL) >= 0);
  long steps;
  assert_int_equal(ERKStepGetNumSteps(ark, &steps), 0);
  print_message("    ARKODE: %ld steps\n", steps);
  ERKStepFree(&ark);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

static mbd_simulation_t *
ours(const mechanism_t * m, mbd_input_fn input, void * ctx, double step_max, double end)
{
  mbd_simulation_options_t options = options_of(MBD_METHOD_RKF45, 1e-11);
  options.ode.step_max = step_max;
  mbd_simulation_t * sim = simulation(m, &options);
  assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
  if (input) assert_ok(mbd_simulation_set_input(sim, input, ctx));
  assert_ok(mbd_simulation_start(sim, 0, m->q, m->v, NULL));
  assert_ok(mbd_simulation_run(sim, end));
  const mbd_simulation_info_t * i = mbd_simulation_info(sim);
  print_message(
    "    ours: %ld steps, balance of energy %.1e J\n", i->steps,
    i->energy - i->energy_start - i->work);
  return sim;
}

static int compared;

static void
same(const char * what, double is, double want, double tolerance)
{
  compared++;
  print_message("  %-28s %.12g, off by %.1e\n", what, want, is - want);
  if (!(fabs(is - want) <= tolerance * fmax(1, fabs(want))))
    fail_msg("%s: %.12g, by SUNDIALS %.12g", what, is, want);
}

//---------- 8.8.2: slider-crank ----------

static void
slider_crank_slows(void ** state)
{
  (void)state;
  oracle_t o = {.system = {.planar = true, .gravity = {0, -9.8, 0}}, .curve = {0.25, 0.2, 2e-3}};
  dae_system_t * s = &o.system;
  dae_body(s, 5, 0, 0, 5), dae_body(s, 1, 0, 0, 1);
  dae_points_meet(s, 0, O, DAE_GROUND, O, 2);
  dae_normal_to_line(s, 1, O, UY, DAE_GROUND, O), dae_normal(s, 1, UY, DAE_GROUND, UX);
  dae_distance(s, 0, UX, 1, O, 1.25);
  o.joint[0] =
    (joint_t){.kind = PIN, .first = 0, .last = 2, .a = DAE_GROUND, .b = 0, .radius = 0.1};
  o.joint[1] = (joint_t){
    .kind = GUIDE, .first = 2, .last = 4, .a = DAE_GROUND, .b = 1, .axis = {1, 0, 0}, .span = 0.1};
  o.joints = 2;
  double y[12] = {0, 0, 0, 2.25, 0, 0, 0, 0, 100};
  integrate(joint_rates, &o, 12, y, 2e-5, 0.1);
  for (int c = 0; c < 2; c++) {
    mechanism_t m = slider_crank_with_friction(c, 1.25);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-5, 0.1);
    const mbd_simulation_info_t * i = mbd_simulation_info(sim);
    same("8.8.2 phi", i->q[joint_of(&m, "1")->q_index + (c ? 2 : 0)], y[2], 1e-7);
    same("8.8.2 omega", i->v[joint_of(&m, "1")->v_index + (c ? 2 : 0)], y[8], 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.1.2, 8.8.1: three masses ----------

static void
three_springs(const void * ctx, const double * q, const double * qd, double * Q)
{
  (void)ctx, (void)qd;
  const double f = 10 * (q[6] - q[3] - 1);
  Q[1] -= 10 * q[1], Q[3] += f, Q[6] -= f;
}

static void
three_masses_stick(void ** state)
{
  (void)state;
  oracle_t o = {
    .system = {.planar = true, .gravity = {0, -9.8, 0}, .force = three_springs},
    .curve = {0.5, 0.3, 2e-3}};
  dae_system_t * s = &o.system;
  dae_body(s, 6.3, 0, 0, 1), dae_body(s, 2, 0, 0, 1), dae_body(s, 2, 0, 0, 1);
  dae_normal_to_line(s, 0, O, UX, DAE_GROUND, O), dae_normal(s, 0, UX, DAE_GROUND, UY);
  for (int i = 1; i < 3; i++)
    dae_normal_to_line(s, i, O, UY, DAE_GROUND, O), dae_normal(s, i, UY, DAE_GROUND, UX);
  dae_distance(s, 0, O, 1, O, 5);
  for (int i = 0; i < 3; i++)
    o.joint[i] = (joint_t){
      .kind = GUIDE,
      .first = 2 * i,
      .last = 2 * i + 2,
      .a = DAE_GROUND,
      .b = i,
      .axis = {i > 0, i == 0, 0},
      .span = 0.1};
  o.joints = 3;
  double y[18] = {0, 0, 0, 5, 0, 0, 6, 0, 0, [15] = -1};
  // 3 sticks from 0.291 to 0.872 s
  integrate(joint_rates, &o, 18, y, 2e-4, 1);
  for (int c = 0; c < 2; c++) {
    mechanism_t m = three_masses(c, 6.3, 2e-3);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-4, 1);
    same("8.1.2 y1", place_of(sim, &m, c, "1", 'y'), y[1], 1e-7);
    same("8.1.2 x2", place_of(sim, &m, c, "2", 'x'), y[3], 1e-7);
    same("8.1.2 x3", place_of(sim, &m, c, "3", 'x'), y[6], 1e-7);
    same("8.1.2 x3'", speed_of(sim, &m, c, "3", 'x'), y[15], 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.3.2, 8.10.3: four masses ----------

// particles by hand: x1, y2, z3, x4
static void
four_accelerations(
  const four_masses_t * p, const double * q, const double * v, const double l[2], double a[4])
{
  const curve_t c = {p->mu_static, p->mu_dynamic, p->velocity};
  const double K = 10 * (q[3] - q[0] - 1);
  // rods along (-x1, y2, 0) and (0, -y2, z3); reactions of the guides balance the rest of them and gravity
  const double N[4] = {
    size_of(&c, l[0] * q[1]) + size_of(&c, 2 * 9.8),
    size_of(&c, l[0] * q[0]) + size_of(&c, l[1] * q[2] - 2 * 9.8), size_of(&c, l[1] * q[1]),
    size_of(&c, 6 * 9.8)};
  a[0] = (-2 * (q[0] - p->rest[0]) + K - l[0] * q[0] - N[0] * coefficient(&c, v[0])) / 2;
  a[1] = (-2 * (q[1] - p->rest[1]) - (l[0] + l[1]) * q[1] - N[1] * coefficient(&c, v[1])) / 2;
  a[2] = (-2 * (q[2] - p->rest[2]) - 6 * 9.8 - l[1] * q[2] - N[2] * coefficient(&c, v[2])) / 6;
  a[3] = (-K - N[3] * coefficient(&c, v[3])) / 6;
}

static int
four_rates(sunrealtype t, N_Vector y, N_Vector yd, void * ctx)
{
  static double l[2];
  const double *q = NV_DATA_S(y), *v = q + 4;
  double *to = NV_DATA_S(yd), a[4];
  (void)t;
  // accelerations obey both rods: Newton in the multipliers
  for (int k = 0; k < 60; k++) {
    double r[3][2];
    for (int i = 2; i >= 0; i--) {
      double m[2] = {l[0], l[1]};
      if (i < 2) m[i] += 1e-5;
      four_accelerations(ctx, q, v, m, a);
      r[i][0] = q[0] * a[0] + q[1] * a[1] + v[0] * v[0] + v[1] * v[1];
      r[i][1] = q[1] * a[1] + q[2] * a[2] + v[1] * v[1] + v[2] * v[2];
    }
    const double a00 = (r[0][0] - r[2][0]) / 1e-5, a01 = (r[1][0] - r[2][0]) / 1e-5,
                 a10 = (r[0][1] - r[2][1]) / 1e-5, a11 = (r[1][1] - r[2][1]) / 1e-5,
                 det = a00 * a11 - a01 * a10;
    l[0] -= (a11 * r[2][0] - a01 * r[2][1]) / det;
    l[1] -= (a00 * r[2][1] - a10 * r[2][0]) / det;
    if (fabs(r[2][0]) + fabs(r[2][1]) < 1e-12) break;
  }
  four_accelerations(ctx, q, v, l, a);
  for (int i = 0; i < 4; i++) to[i] = v[i], to[4 + i] = a[i];
  return 0;
}

static void
four_masses_slide(void ** state)
{
  (void)state;
  const four_masses_t * data[2] = {&FOUR_MASSES_8_3_2, &FOUR_MASSES_8_10_3};
  for (int k = 0; k < 2; k++) {
    four_masses_t p = *data[k];
    double y[8] = {4, 3, sqrt(40), 5, 0, 0, 0, -1};
    integrate(four_rates, &p, 8, y, 2e-4, 2.2);
    mechanism_t m = four_masses(k, &p);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-4, 2.2);
    same("8.3.2, 8.10.3 x1", place_of(sim, &m, k, "1", 'x'), y[0], 1e-7);
    same("8.3.2, 8.10.3 y2", place_of(sim, &m, k, "2", 'y'), y[1], 1e-7);
    same("8.3.2, 8.10.3 z3", place_of(sim, &m, k, "3", 'z'), y[2], 1e-7);
    same("8.3.2, 8.10.3 x4", place_of(sim, &m, k, "4", 'x'), y[3], 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.3: quick return ----------

static void
crank_force(const void * ctx, const double * q, const double * qd, double * Q)
{
  (void)ctx, (void)q, (void)qd;
  Q[5] += 5000;
}

static void
quick_return_slows(void ** state)
{
  (void)state;
  oracle_t o = {
    .system = {.planar = true, .gravity = {0, -9.8, 0}, .force = crank_force},
    .curve = {0.3, 0.25, 2e-3}};
  dae_system_t * s = &o.system;
  const double mass[4] = {100, 1000, 1, 50};
  const double back[3] = {-2, 0, 0}, crank[3] = {0, 2, 0}, pin[3] = {1.5, 0, 0},
               guide[3] = {0, 4, 0}, tip[3] = {2, 0, 0};
  for (int i = 0; i < 4; i++) dae_body(s, mass[i], 0, 0, mass[i]);
  dae_points_meet(s, 0, back, DAE_GROUND, O, 2);
  dae_points_meet(s, 1, O, DAE_GROUND, crank, 2);
  dae_points_meet(s, 1, pin, 2, O, 2);
  dae_normal_to_line(s, 0, O, UY, 2, O), dae_normal(s, 0, UY, 2, UX);
  dae_normal_to_line(s, 3, O, UY, DAE_GROUND, guide), dae_normal(s, 3, UY, DAE_GROUND, UX);
  dae_distance(s, 0, tip, 3, O, 2.5298);
  const int g = DAE_GROUND;
  const joint_t joint[5] = {
    {.kind = PIN, .first = 0, .last = 2, .a = g, .b = 0, .radius = 0.1},
    {.kind = PIN, .first = 2, .last = 4, .a = g, .b = 1, .radius = 0.1},
    {.kind = PIN, .first = 4, .last = 6, .a = 1, .b = 2, .radius = 0.1},
    {.kind = GUIDE, .first = 6, .last = 8, .a = 0, .b = 2, .axis = {1, 0, 0}, .span = 0.2},
    {.kind = GUIDE, .first = 8, .last = 10, .a = g, .b = 3, .axis = {1, 0, 0}, .span = 0.1}};
  memcpy(o.joint, joint, sizeof joint);
  o.joints = 5;
  const double a = atan2(2, 1.5), x4 = 4 * cos(a) - sqrt(2.5298 * 2.5298 - pow(4 - 4 * sin(a), 2));
  const double rate = 6 * 1.5 * cos(a) / 2.5, u = -4 * sin(a) * rate, w = 4 * cos(a) * rate;
  double y[24] = {2 * cos(a), 2 * sin(a),
                  a,          0,
                  2,          0,
                  1.5,        2,
                  a,          x4,
                  4,          0,
                  u / 2,      w / 2,
                  rate,       0,
                  0,          6,
                  0,          9,
                  rate,       u + w * (4 * sin(a) - 4) / (4 * cos(a) - x4)};
  integrate(joint_rates, &o, 24, y, 1e-4, 0.6);
  for (int c = 0; c < 2; c++) {
    mechanism_t m = quick_return_with_friction(c, false);
    int number = joint_of(&m, "2")->v_index + (c ? 2 : 0);
    mbd_simulation_t * sim = ours(&m, crank_torque, &number, 1e-4, 0.6);
    const mbd_simulation_info_t * i = mbd_simulation_info(sim);
    same("8.8.3 phi2", i->q[joint_of(&m, "2")->q_index + (c ? 2 : 0)], y[5], 1e-7);
    same("8.8.3 omega2", i->v[number], y[17], 1e-7);
    same("8.8.3 x4", i->q[joint_of(&m, "4")->q_index], y[9], 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.4: coil spring ----------

static int
coil_rates(sunrealtype t, N_Vector y, N_Vector yd, void * ctx)
{
  static const curve_t c = {0.2, 0.19, 2e-3};
  const double * x = NV_DATA_S(y);
  double * to = NV_DATA_S(yd);
  (void)t, (void)ctx;
  for (int k = 0; k < 5; k++) {
    const double before = x[k] - (k > 0 ? x[k - 1] : 0), after = k < 4 ? x[k + 1] - x[k] : 0;
    to[k] = x[5 + k];
    to[5 + k] = 5000 * (after - before) / 0.2 - 9.8 * coefficient(&c, x[5 + k]);
  }
  return 0;
}

static void
coil_slows(void ** state)
{
  (void)state;
  double y[10] = {[9] = -1};
  integrate(coil_rates, NULL, 10, y, 1e-3, 0.1);
  for (int c = 0; c < 2; c++) {
    mechanism_t m = coil(c);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 1e-3, 0.1);
    for (int k = 0; k < 5; k++)
      same("8.8.4 x", place_of(sim, &m, c, COIL[k], 'x') - 0.2 * (k + 1), y[k], 1e-10);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.8.5: disk ----------

static void
disk_spring(const void * ctx, const double * q, const double * qd, double * Q)
{
  (void)ctx, (void)qd;
  const double c = cos(q[2]), s = sin(q[2]), px = c - 10 * s, py = s + 10 * c;
  const double dx = q[3] - q[0] - px, dy = q[4] - q[1] - py, l = hypot(dx, dy),
               f = 10 * (l - 10.1) / l;
  Q[0] += f * dx, Q[1] += f * dy, Q[2] += f * (px * dy - py * dx);
  Q[3] -= f * dx, Q[4] -= f * dy;
}

static void
disk_slows(void ** state)
{
  (void)state;
  oracle_t o = {.system = {.planar = true, .force = disk_spring}, .curve = {0.05, 0.04, 0.02}};
  dae_system_t * s = &o.system;
  dae_body(s, 10, 0, 0, 10), dae_body(s, 5, 0, 0, 5);
  dae_points_meet(s, 0, O, DAE_GROUND, O, 2);
  dae_normal_to_line(s, 0, UX, UX, 1, O), dae_normal(s, 0, UX, 1, UY);
  const joint_t joint[2] = {
    {.kind = PIN, .first = 0, .last = 2, .a = DAE_GROUND, .b = 0, .radius = 0.1},
    {.kind = GUIDE,
     .first = 2,
     .last = 4,
     .a = 0,
     .b = 1,
     .axis = {0, 1, 0},
     .span = 0.1,
     .on_a = true,
     .at = {1, 0, 0}}};
  memcpy(o.joint, joint, sizeof joint);
  o.joints = 2;
  double y[12] = {0, 0, 0, 1, 0, 0};
  integrate(joint_rates, &o, 12, y, 0.01, 10);
  // in three dimensions the key carries nothing
  for (int c = 0; c < 2; c++) {
    mechanism_t m = disk(c, 0.05, 0.04);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 0.01, 10);
    int frame;
    mbd_placement_t X;
    mbd_data_t * data = mbd_simulation_data(sim);
    assert_ok(mbd_find_frame(m.model, "body", &frame));
    assert_ok(mbd_frame_placement(m.model, data, frame, &X));
    same("8.8.5 phi", atan2(X.R.m[3], X.R.m[0]), y[2], 1e-7);
    same("8.8.5 x", X.p.x, y[3], 1e-7);
    same("8.8.5 y", X.p.y, y[4], 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.10.1: cylindrical joint ----------

static void
cylinder_spring(const void * ctx, const double * q, const double * qd, double * Q)
{
  (void)ctx, (void)qd;
  // from (-1, 1, 1) of the ground to (0, 1, 1) of the body, which turns about z
  const double * p = q + 3;
  const double c = p[0] * p[0] - p[3] * p[3], s = 2 * p[0] * p[3];
  const double arm[3] = {-s, c, 1}, d[3] = {q[0] - s + 1, q[1] + c - 1, q[2]};
  const double l = sqrt(dot(d, d)), f = -10 * (l - 1) / l, F[3] = {f * d[0], f * d[1], f * d[2]};
  double T[3];
  cross(arm, F, T);
  const oracle_t o = {.system = {.planar = false}};
  act(&o, 0, q, F, T, Q);
}

static void
cylinder_slows(void ** state)
{
  (void)state;
  oracle_t o = {
    .system = {.gravity = {0, 0, -9.8}, .force = cylinder_spring}, .curve = {0.24, 0.2, 2e-3}};
  dae_system_t * s = &o.system;
  dae_body(s, 1, 0.1, 0.1, 0.1);
  dae_points_meet(s, 0, O, DAE_GROUND, O, 2);
  dae_normal(s, 0, UX, DAE_GROUND, UZ), dae_normal(s, 0, UY, DAE_GROUND, UZ);
  dae_normalise(s);
  o.joint[0] = (joint_t){
    .kind = SLEEVE,
    .first = 0,
    .last = 4,
    .a = DAE_GROUND,
    .b = 0,
    .axis = {0, 0, 1},
    .radius = 0.05,
    .span = 0.1};
  o.joints = 1;
  double y[14] = {0, 0, 0, 1, 0, 0, 0, [13] = 5};
  integrate(joint_rates, &o, 14, y, 1e-3, 0.3);
  for (int c = 0; c < 2; c++) {
    mechanism_t m = cylinder(c);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 1e-3, 0.3);
    const mbd_simulation_info_t * i = mbd_simulation_info(sim);
    const mbd_body_t * b = joint_of(&m, "body");
    same("8.10.1 z", i->q[b->q_index + (c ? 2 : 1)], y[2], 1e-7);
    same("8.10.1 omega", i->v[b->v_index + (c ? 5 : 0)], 2 * (y[3] * y[13] - y[6] * y[10]), 1e-7);
    destroy_simulation(sim, &m);
  }
}

//---------- 8.10.2: spatial slider-crank ----------

static void
spatial_crank_slows(void ** state)
{
  (void)state;
  static const double lengths[3] = {0.4, 0.3, 0.23};
  for (int k = 0; k < 3; k++) {
    const double d = lengths[k], x2 = sqrt(d * d - 0.0424);
    oracle_t o = {.system = {.gravity = {0, 0, -9.8}}, .curve = {0.1, 0.08, 2e-3}};
    dae_system_t * s = &o.system;
    const double shaft[3] = {0, 0.1, 0.12}, arm[3] = {0, 0, 0.08}, offset[3] = {0, 0, 0.02};
    dae_body(s, 0.5, 0.2, 0.2, 0.2), dae_body(s, 5, 0.2, 0.2, 0.2);
    dae_points_meet(s, 0, O, DAE_GROUND, shaft, 3);
    dae_normal(s, 0, UY, DAE_GROUND, UX), dae_normal(s, 0, UZ, DAE_GROUND, UX);
    dae_normal_to_line(s, 1, O, UY, DAE_GROUND, O), dae_normal_to_line(s, 1, O, UZ, DAE_GROUND, O);
    dae_normal(s, 1, UY, DAE_GROUND, UX), dae_normal(s, 1, UZ, DAE_GROUND, UX);
    dae_normal(s, 1, UZ, DAE_GROUND, UY);
    dae_distance(s, 0, arm, 1, offset, d);
    dae_normalise(s);
    o.joint[0] = (joint_t){
      .kind = SHAFT,
      .first = 0,
      .last = 5,
      .a = DAE_GROUND,
      .b = 0,
      .axis = {1, 0, 0},
      .radius = 0.1,
      .span = 0.1};
    o.joints = 1;
    double y[28] = {0, 0.1, 0.12, 1, 0, 0, 0, x2, 0, 0, 1, 0, 0, 0, [18] = 60, [21] = 0.96 / x2};
    integrate(joint_rates, &o, 28, y, 2e-5, 0.06);
    const double omega = 2 * (y[3] * y[18] - y[4] * y[17]);
    for (int c = 0; c < 2; c++) {
      mechanism_t m = spatial_crank(c, d, 120);
      mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-5, 0.06);
      same(
        "8.10.2 omega",
        speed_of(sim, &m, false, "1", 'x') * !c +
          mbd_simulation_info(sim)->v[joint_of(&m, "1")->v_index + 3 * c] * c,
        omega, 1e-7);
      same("8.10.2 x2", place_of(sim, &m, c, "2", 'x'), y[7], 1e-7);
      destroy_simulation(sim, &m);
    }
  }
}

static void
count(void ** state)
{
  (void)state;
  print_message("%d numbers\n", compared);
  assert_int_equal(compared, 58);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(slider_crank_slows),
    cmocka_unit_test(three_masses_stick),
    cmocka_unit_test(four_masses_slide),
    cmocka_unit_test(quick_return_slows),
    cmocka_unit_test(coil_slows),
    cmocka_unit_test(disk_slows),
    cmocka_unit_test(cylinder_slows),
    cmocka_unit_test(spatial_crank_slows),
    cmocka_unit_test(count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
