// Friction of bearings against SUNDIALS: Haug's examples of chapter 8 by their own equations, and those of chapter 5
// that test_sundials.c does not have. Redundant coordinates with friction that depends on the multipliers
// (bearing_oracle.h), or particles by hand; ARKODE integrates them (explicit, order 8), and IDA (implicit, BDF) must end
// where it does. Nothing of the library is in the reference: neither dynamics, nor loads, nor charts.
#include <arkode/arkode_erkstep.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "bearing_oracle.h"
#include "mbdyn/mechanism.h"
#include "mechanisms_bearings.h"

static const double O[3] = {0, 0, 0}, UX[3] = {1, 0, 0}, UY[3] = {0, 1, 0}, UZ[3] = {0, 0, 1};

//---------- integration ----------

static int
joint_rates(sunrealtype t, N_Vector y, N_Vector yd, void * ctx)
{
  oracle_t * o = ctx;
  const int n = o->system.n;
  const double * q = NV_DATA_S(y);
  double * to = NV_DATA_S(yd);
  (void)t;
  memcpy(to, q + n, (size_t)n * sizeof *to);
  return oracle_accelerations(o, q, q + n, to + n) ? 0 : 1;
}

typedef struct implicit {
  ARKRhsFn rates;
  void * ctx;
} implicit_t;

static int
residual(sunrealtype t, N_Vector y, N_Vector yd, N_Vector r, void * ctx)
{
  const implicit_t * i = ctx;
  const int status = i->rates(t, y, r, i->ctx);
  N_VLinearSum(1, yd, -1, r, r);
  return status;
}

static void
integrate_by_ida(implicit_t * i, N_Vector y, double step_max, double end, SUNContext context)
{
  const int n = (int)N_VGetLength(y);
  N_Vector yd = N_VNew_Serial(n, context);
  SUNMatrix A = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
  void * ida = IDACreate(context);
  sunrealtype reached;
  assert_int_equal(i->rates(0, y, yd, i->ctx), 0);
  assert_int_equal(IDAInit(ida, residual, 0, y, yd), 0);
  assert_int_equal(IDASStolerances(ida, 1e-12, 1e-13), 0);
  assert_int_equal(IDASetUserData(ida, i), 0);
  assert_int_equal(IDASetLinearSolver(ida, solver, A), 0);
  assert_int_equal(IDASetMaxNumSteps(ida, 10000000), 0);
  assert_int_equal(IDASetMaxStep(ida, step_max), 0);
  assert_int_equal(IDASetMaxErrTestFails(ida, 100), 0);
  assert_int_equal(IDASetStopTime(ida, end), 0);
  assert_true(IDASolve(ida, end, &reached, y, yd, IDA_NORMAL) >= 0);
  IDAFree(&ida);
  SUNLinSolFree(solver), SUNMatDestroy(A);
  N_VDestroy(yd);
}

static void
integrate(ARKRhsFn rates, void * ctx, int n, double * y0, double step_max, double end)
{
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector z = N_VNew_Serial(n, context);
  memcpy(NV_DATA_S(z), y0, (size_t)n * sizeof *y0);
  integrate_by_ida(&(implicit_t){rates, ctx}, z, step_max, end, context);
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
  double off = 0;
  for (int k = 0; k < n; k++) off = fmax(off, fabs(NV_Ith_S(z, k) - y0[k]) / fmax(1, fabs(y0[k])));
  print_message("    ARKODE: %ld steps; IDA off by %.1e\n", steps, off);
  assert_true(off < 1e-7);
  N_VDestroy(z);
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
compare_three_masses(double m1, double velocity, const char * const what[4])
{
  oracle_t o = {
    .system = {.planar = true, .gravity = {0, -9.8, 0}, .force = three_springs},
    .curve = {0.5, 0.3, velocity}};
  dae_system_t * s = &o.system;
  dae_body(s, m1, 0, 0, 1), dae_body(s, 2, 0, 0, 1), dae_body(s, 2, 0, 0, 1);
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
    mechanism_t m = three_masses(c, m1, velocity);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-4, 1);
    same(what[0], place_of(sim, &m, c, "1", 'y'), y[1], 1e-7);
    same(what[1], place_of(sim, &m, c, "2", 'x'), y[3], 1e-7);
    same(what[2], place_of(sim, &m, c, "3", 'x'), y[6], 1e-7);
    same(what[3], speed_of(sim, &m, c, "3", 'x'), y[15], 1e-7);
    destroy_simulation(sim, &m);
  }
}

static void
three_masses_stick(void ** state)
{
  (void)state;
  compare_three_masses(
    6.3, 2e-3, (const char * [4]){"8.1.2 y1", "8.1.2 x2", "8.1.2 x3", "8.1.2 x3'"});
  compare_three_masses(
    5, 1e-2, (const char * [4]){"8.8.1 y1", "8.8.1 x2", "8.8.1 x3", "8.8.1 x3'"});
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
    oracle_size(&c, l[0] * q[1]) + oracle_size(&c, 2 * 9.8),
    oracle_size(&c, l[0] * q[0]) + oracle_size(&c, l[1] * q[2] - 2 * 9.8),
    oracle_size(&c, l[1] * q[1]), oracle_size(&c, 6 * 9.8)};
  a[0] = (-2 * (q[0] - p->rest[0]) + K - l[0] * q[0] - N[0] * oracle_coefficient(&c, v[0])) / 2;
  a[1] =
    (-2 * (q[1] - p->rest[1]) - (l[0] + l[1]) * q[1] - N[1] * oracle_coefficient(&c, v[1])) / 2;
  a[2] =
    (-2 * (q[2] - p->rest[2]) - 6 * 9.8 - l[1] * q[2] - N[2] * oracle_coefficient(&c, v[2])) / 6;
  a[3] = (-K - N[3] * oracle_coefficient(&c, v[3])) / 6;
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
  // the last with less friction
  const four_masses_t * data[3] = {&FOUR_MASSES_8_3_2, &FOUR_MASSES_8_10_3, &FOUR_MASSES_8_10_3};
  for (int k = 0; k < 3; k++) {
    four_masses_t p = *data[k];
    if (k == 2) p.mu_static = 0.12, p.mu_dynamic = 0.10;
    double y[8] = {4, 3, sqrt(40), 5, 0, 0, 0, -1};
    integrate(four_rates, &p, 8, y, 2e-4, 2.2);
    mechanism_t m = four_masses(k % 2, &p);
    mbd_simulation_t * sim = ours(&m, NULL, NULL, 2e-4, 2.2);
    same("8.3.2, 8.10.3 x1", place_of(sim, &m, k % 2, "1", 'x'), y[0], 1e-7);
    same("8.3.2, 8.10.3 y2", place_of(sim, &m, k % 2, "2", 'y'), y[1], 1e-7);
    same("8.3.2, 8.10.3 z3", place_of(sim, &m, k % 2, "3", 'z'), y[2], 1e-7);
    same("8.3.2, 8.10.3 x4", place_of(sim, &m, k % 2, "4", 'x'), y[3], 1e-7);
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
  integrate(joint_rates, &o, 24, y, 5e-5, 0.6);
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
    to[5 + k] = 5000 * (after - before) / 0.2 - 9.8 * oracle_coefficient(&c, x[5 + k]);
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
  const double l = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), f = -10 * (l - 1) / l,
               F[3] = {f * d[0], f * d[1], f * d[2]};
  double T[3];
  oracle_cross(arm, F, T);
  const oracle_t o = {.system = {.planar = false}};
  oracle_act(&o, 0, q, F, T, Q);
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

//---------- chapter 5, without friction ----------

static const curve_t SMOOTH = {0, 0, 1};

static void
listed_sliders(const void * ctx, const double * q, const double * qd, double * Q)
{
  (void)ctx;
  const double f = 1000 * (q[6] - q[3] - 1) + 100 * (qd[6] - qd[3]);
  Q[1] -= 200 * q[1], Q[3] += f, Q[6] -= f + 1e5 * fmax(q[6] - 5.9, 0);
}

static void
stiffer_spring(const void * ctx, const double * q, const double * qd, double * Q)
{
  double soft[7] = {0};
  cylinder_spring(ctx, q, qd, soft);
  for (int k = 0; k < 7; k++) Q[k] += 10 * soft[k];
}

// pose of a link in the world
static mbd_placement_t
pose(const mbdx_mechanism_t * m, mbd_simulation_t * sim, const char * link)
{
  int frame;
  mbd_placement_t X;
  assert_ok(mbd_find_frame(m->model, link, &frame));
  assert_ok(mbd_frame_placement(m->model, mbd_simulation_data(sim), frame, &X));
  return X;
}

// rate of a joint
static double
rate(const mbdx_mechanism_t * m, const mbd_simulation_t * sim, const char * joint)
{
  int k;
  assert_ok(mbd_find_joint(m->model, joint, &k));
  return mbd_simulation_info(sim)->v[m->model->body[k].v_index];
}

static void
chapter_5(void ** state)
{
  (void)state;
  mbdx_mechanism_t * m[5];
  static const char * const name[5] = {
    "three_sliders", "sliding_disk", "top_on_bar", "cylindrical_spring", "four_sliders"};
  static const double end[5] = {0.6, 10, 10, 2, 2};
  mbd_simulation_t * sim[5];
  for (int k = 0; k < 5; k++) {
    char path[1024];
    snprintf(
      path, sizeof path, "%s/config/mechanisms/%s.mechanism.yaml", MBDYN_SOURCE_DIR, name[k]);
    assert_ok(mbdx_mechanism_load_file(path, NULL, &m[k], NULL));
    mechanism_t of = {.model = m[k]->model};
    memcpy(of.q, m[k]->q, (size_t)of.model->nq * sizeof *of.q);
    memcpy(of.v, m[k]->v, (size_t)of.model->nv * sizeof *of.v);
    sim[k] = ours(&of, NULL, NULL, k == 0 ? 5e-5 : 1e-2, end[k]);
  }
  const double a = 5 / sqrt(2);
  {
    oracle_t o = {
      .system = {.planar = true, .gravity = {0, -9.8, 0}, .force = listed_sliders},
      .curve = SMOOTH};
    dae_system_t * s = &o.system;
    dae_body(s, 5, 0, 0, 1), dae_body(s, 2, 0, 0, 1), dae_body(s, 2, 0, 0, 1);
    dae_normal_to_line(s, 0, O, UX, DAE_GROUND, O), dae_normal(s, 0, UX, DAE_GROUND, UY);
    for (int i = 1; i < 3; i++)
      dae_normal_to_line(s, i, O, UY, DAE_GROUND, O), dae_normal(s, i, UY, DAE_GROUND, UX);
    dae_distance(s, 0, O, 1, O, 5);
    double y[18] = {0, a, 0, a, 0, 0, a + 1};
    // two kinks of the stop
    integrate(joint_rates, &o, 18, y, 5e-5, end[0]);
    same("5.8.4 y1", pose(m[0], sim[0], "one").p.y, y[1], 1e-7);
    same("5.8.4 x2", pose(m[0], sim[0], "two").p.x, y[3], 1e-7);
    same("5.8.4 x3", pose(m[0], sim[0], "three").p.x, y[6], 1e-7);
  }
  {
    oracle_t o = {.system = {.planar = true, .force = disk_spring}, .curve = SMOOTH};
    dae_system_t * s = &o.system;
    dae_body(s, 10, 0, 0, 10), dae_body(s, 5, 0, 0, 5);
    dae_points_meet(s, 0, O, DAE_GROUND, O, 2);
    dae_normal_to_line(s, 0, UX, UX, 1, O), dae_normal(s, 0, UX, 1, UY);
    double y[12] = {0, 0, 0, 1, 0, 0};
    integrate(joint_rates, &o, 12, y, 0.1, end[1]);
    const mbd_placement_t X = pose(m[1], sim[1], "disk");
    same("5.8.6 phi", atan2(X.R.m[3], X.R.m[0]), y[2], 1e-7);
    same("5.8.6 phi'", rate(m[1], sim[1], "shaft"), y[8], 1e-7);
  }
  {
    oracle_t o = {.system = {.gravity = {0, 0, -9.8}}, .curve = SMOOTH};
    dae_system_t * s = &o.system;
    const double tip[3] = {0, 0, -1};
    dae_body(s, 30, 90, 90, 30);
    dae_distance(s, DAE_GROUND, O, 0, tip, 1);
    dae_normalise(s);
    double y[14] = {0, 0, 0, 1, 0, 0, 0, 0, -0.1, 0, 0, 0.05, 0, 7};
    integrate(joint_rates, &o, 14, y, 0.1, end[2]);
    const mbd_placement_t X = pose(m[2], sim[2], "top");
    same("5.10.2 x", X.p.x + X.R.m[2], y[0], 1e-7);
    same("5.10.2 y", X.p.y + X.R.m[5], y[1], 1e-7);
    same("5.10.2 z", X.p.z + X.R.m[8], y[2], 1e-7);
  }
  {
    oracle_t o = {.system = {.gravity = {0, 0, -9.8}, .force = stiffer_spring}, .curve = SMOOTH};
    dae_system_t * s = &o.system;
    dae_body(s, 1, 1, 1, 1);
    dae_points_meet(s, 0, O, DAE_GROUND, O, 2);
    dae_normal(s, 0, UX, DAE_GROUND, UZ), dae_normal(s, 0, UY, DAE_GROUND, UZ);
    dae_normalise(s);
    double y[14] = {0, 0, 0, 1, 0, 0, 0, [13] = 5};
    integrate(joint_rates, &o, 14, y, 0.1, end[3]);
    same("5.10.4 z", pose(m[3], sim[3], "body").p.z, y[2], 1e-7);
    same("5.10.4 omega", rate(m[3], sim[3], "sleeve"), 2 * (y[3] * y[13] - y[6] * y[10]), 1e-7);
  }
  {
    four_masses_t p = {0, 0, 1, {4, 3, 6.32}};
    double y[8] = {4, 3, sqrt(40), 5, 0, 0, 0, -1};
    integrate(four_rates, &p, 8, y, 0.1, end[4]);
    static const char * const link[4] = {"one", "two", "three", "four"};
    for (int k = 0; k < 4; k++) {
      // the other two coordinates are zero
      const mbd_vec3_t at = pose(m[4], sim[4], link[k]).p;
      same("5.10.6", at.x + at.y + at.z, y[k], 1e-7);
    }
  }
  for (int k = 0; k < 5; k++) mbd_simulation_destroy(sim[k]), mbdx_mechanism_free(m[k]);
}

static void
count(void ** state)
{
  (void)state;
  print_message("%d numbers\n", compared);
  assert_int_equal(compared, 84);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(slider_crank_slows), cmocka_unit_test(three_masses_stick),
    cmocka_unit_test(four_masses_slide),  cmocka_unit_test(quick_return_slows),
    cmocka_unit_test(coil_slows),         cmocka_unit_test(disk_slows),
    cmocka_unit_test(cylinder_slows),     cmocka_unit_test(spatial_crank_slows),
    cmocka_unit_test(chapter_5),          cmocka_unit_test(count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
