// Haug, chapter 7: redundant coordinates integrated as equations of index 1, 2 and 3 (dae_reference.h), which is what
// charts replace. The book's tables are reproduced: errors of constraints and mean steps within a factor of ten, the
// same failures; and the same mechanisms on charts, which have neither.
#include "dae_reference.h"
#include "mechanisms.h"

static const double O[3] = {0, 0, 0}, UX[3] = {1, 0, 0}, UY[3] = {0, 1, 0}, UZ[3] = {0, 0, 1};

static int compared;

/// Within a factor of ten of the book; 0 in the book's place: satisfied by the method, to rounding.
static void
alike(const char * what, const char * number, double is, double book)
{
  compared++;
  if (book > 0 ? is <= 10 * book && is >= book / 10 : is < 1e-9) return;
  fail_msg("%s: %s %.2g, in the book %.2g", what, number, is, book);
}

typedef struct errors {
  dae_method_t method;
  int index;
  double position, velocity, acceleration, step;  // step 0: not in the book
} errors_t;

static const char *
name_of(dae_method_t method)
{
  return (const char * const[]){"RKFN45", "trapezoidal", "HHT"}[method];
}

static void
check_errors(const char * mechanism, const errors_t * book, const dae_result_t * r)
{
  char what[96];
  snprintf(what, sizeof what, "%s, index %d %s", mechanism, book->index, name_of(book->method));
  print_message(
    "%-46s %6d steps of %.2g s; rows %.1e %.1e %.1e\n", what, r->steps, r->t / r->steps,
    r->position, r->velocity, r->acceleration);
  assert_int_equal(r->end, DAE_DONE);
  alike(what, "position", r->position, book->position);
  alike(what, "velocity", r->velocity, book->velocity);
  alike(what, "acceleration", r->acceleration, book->acceleration);
  if (book->step > 0) alike(what, "step", r->t / r->steps, book->step);
}

//---------- 7.5.1: double pendulum with a one-sided spring ----------

typedef struct stiff {
  double k2, c2, k3;
} stiff_t;

static void
springs(const void * ctx, const double * q, const double * qd, double * Q)
{
  const stiff_t * p = ctx;
  const double torque = p->k2 * (q[5] - q[2]) + p->c2 * (qd[5] - qd[2]);
  Q[2] += torque, Q[5] -= torque;
  if (q[0] >= 0) return;
  const double x = -1 - q[0], y = -1 - q[1], l = hypot(x, y), f = p->k3 * (l - 1);
  Q[0] += f * x / l, Q[1] += f * y / l;
}

static dae_result_t
pendulum(dae_method_t method, int index, double k, bool correct, double hmax, double end)
{
  const stiff_t p = {k, k / 10, k};
  const double left[3] = {-1, 0, 0}, q[6] = {1, 0, 0, 3, 0, 0}, qd[6] = {0};
  dae_system_t s = {.planar = true, .gravity = {0, -9.8, 0}, .force = springs, .ctx = &p};
  dae_body(&s, 1, 0, 0, 0.3), dae_body(&s, 1, 0, 0, 0.3);
  dae_points_meet(&s, 0, left, DAE_GROUND, O, 2);
  dae_points_meet(&s, 0, UX, 1, left, 2);
  const dae_options_t o = {
    .method = method,
    .index = index,
    .intol = 1e-6,
    .atol = 1e-4,
    .h = hmax,
    .hmax = hmax,
    .correct = correct};
  return dae_integrate(&s, &o, q, qd, end, NULL, NULL);
}

// tables 7.5.1 to 7.5.3: mean steps
static void
stiff_pendulum_steps(void ** state)
{
  (void)state;
  static const struct {
    dae_method_t method;
    int index, exponent;
    double step;
  } book[] = {
    {DAE_RKFN45, 1, 4, 8e-4},
    {DAE_RKFN45, 1, 5, 9e-5},
    {DAE_TRAPEZOIDAL, 1, 4, 1e-3},
    {DAE_TRAPEZOIDAL, 1, 5, 9.8e-4},
    {DAE_TRAPEZOIDAL, 1, 6, 9e-4},
    {DAE_TRAPEZOIDAL, 1, 7, 5e-4},
    {DAE_TRAPEZOIDAL, 1, 8, 1.6e-4},
    {DAE_HHT, 1, 4, 1e-3},
    {DAE_TRAPEZOIDAL, 2, 4, 1e-3},
    {DAE_TRAPEZOIDAL, 2, 5, 1e-3},
    {DAE_TRAPEZOIDAL, 2, 6, 1e-3},
    {DAE_TRAPEZOIDAL, 2, 7, 4e-4},
    {DAE_TRAPEZOIDAL, 2, 8, 1e-4},
    {DAE_HHT, 2, 4, 8e-4},
    {DAE_TRAPEZOIDAL, 3, 3, 1e-3},
    {DAE_TRAPEZOIDAL, 3, 4, 1e-3},
    {DAE_HHT, 3, 3, 1e-3},
    {DAE_HHT, 3, 4, 1e-3},
    {DAE_HHT, 3, 5, 1e-3}};
  for (size_t k = 0; k < sizeof book / sizeof *book; k++) {
    const dae_result_t r =
      pendulum(book[k].method, book[k].index, pow(10, book[k].exponent), true, 1e-3, 2);
    char what[64];
    snprintf(
      what, sizeof what, "7.5.1 K = 1e%d, index %d %s", book[k].exponent, book[k].index,
      name_of(book[k].method));
    print_message(
      "%-40s mean step %.2e s (book %.1e), error of the equation %.0e\n", what, r.t / r.steps,
      book[k].step, r.equation);
    assert_int_equal(r.end, DAE_DONE);
    // closer than ten times; rounding alone changes the steps at K = 1e8 by a third
    if (fabs(log(r.t / r.steps / book[k].step)) > log(2)) fail_msg("%s: mean step", what);
    compared++;
    // HHT alone does not satisfy the equations of motion at its steps
    if (book[k].method == DAE_HHT)
      assert_true(r.equation > 0.1);
    else
      assert_true(r.equation < 1e-7);
  }
  // the explicit method has steps in proportion to 1 / K: the book's failure
  const dae_result_t small = pendulum(DAE_RKFN45, 1, 1e6, true, 1e-3, 0.1);
  assert_true(small.t / small.steps < 1e-5);
}

// tables 7.5.4 and 7.5.5: K = 1e5 without corrections. HHT at the mean step that table 7.5.1 has for it, for 3 of
// the 10 s
static void
pendulum_errors(void ** state)
{
  (void)state;
  static const errors_t book[] = {
    {DAE_HHT, 1, 4e-3, 8e-4, 0, 0},           {DAE_HHT, 2, 3e-8, 0, 1.2e-1, 0},
    {DAE_HHT, 3, 0, 5.5e-6, 1e-1, 0},         {DAE_TRAPEZOIDAL, 1, 1.4e-3, 3e-4, 0, 0},
    {DAE_TRAPEZOIDAL, 2, 3.5e-6, 0, 8e-2, 0},
  };
  for (size_t k = 0; k < sizeof book / sizeof *book; k++) {
    const dae_result_t r = pendulum(
      book[k].method, book[k].index, 1e5, false, book[k].method == DAE_HHT ? 1e-4 : 1e-3,
      book[k].method == DAE_HHT ? 3 : 10);
    check_errors("7.5.1 K = 1e5", &book[k], &r);
  }
  assert_int_equal(pendulum(DAE_TRAPEZOIDAL, 3, 1e5, false, 1e-3, 10).end, DAE_STEP_VANISHED);
}

//---------- 7.5.2: quick return ----------

typedef struct jump {
  double before[2], sum;
} jump_t;

// how much the acceleration of the cutter oscillates from step to step at first
static void
jumps(void * ctx, const dae_result_t * r)
{
  jump_t * j = ctx;
  if (r->t < 0.1 && r->steps > 2) j->sum += fabs(r->qdd[9] - 2 * j->before[0] + j->before[1]);
  j->before[1] = j->before[0], j->before[0] = r->qdd[9];
}

static dae_result_t
quick_return_dae(const dae_options_t * options, double speed, double end, jump_t * j)
{
  dae_system_t s = {.planar = true, .gravity = {0, -9.8, 0}};
  static const double mass[4] = {100, 1000, 1, 50};
  static const double back[3] = {-2, 0, 0}, crank[3] = {0, 2, 0}, pin[3] = {1.5, 0, 0},
                      guide[3] = {0, 4, 0}, tip[3] = {2, 0, 0};
  for (int i = 0; i < 4; i++) dae_body(&s, mass[i], 0, 0, mass[i]);
  dae_points_meet(&s, 0, back, DAE_GROUND, O, 2);
  dae_points_meet(&s, 1, O, DAE_GROUND, crank, 2);
  dae_points_meet(&s, 1, pin, 2, O, 2);
  dae_normal_to_line(&s, 0, O, UY, 2, O), dae_normal(&s, 0, UY, 2, UX);
  dae_normal_to_line(&s, 3, O, UY, DAE_GROUND, guide), dae_normal(&s, 3, UY, DAE_GROUND, UX);
  dae_distance(&s, 0, tip, 3, O, 2.5298);
  // of the bar, by geometry
  const double a = atan2(2, 1.5), x4 = 4 * cos(a) - sqrt(2.5298 * 2.5298 - pow(4 - 4 * sin(a), 2));
  const double rate = speed * 1.5 * cos(a) / 2.5;
  const double x = -4 * sin(a) * rate, y = 4 * cos(a) * rate;
  const double q[12] = {2 * cos(a), 2 * sin(a), a, 0, 2, 0, 1.5, 2, a, x4, 4, 0};
  const double qd[12] = {
    x / 2, y / 2, rate,        0,    0,
    speed, 0,     1.5 * speed, rate, x + y * (4 * sin(a) - 4) / (4 * cos(a) - x4)};
  // with the digits of the book, which miss the rows by 3e-5
  const double printed[12] = {1.2, 1.6, 0.9273, 0, 2, 0, 1.5, 2, 0.9273, 0, 4, 0};
  return dae_integrate(&s, options, j ? printed : q, qd, end, j ? jumps : NULL, j);
}

// tables 7.5.6 and 7.5.7
static void
quick_return_errors(void ** state)
{
  (void)state;
  static const struct {
    double speed;
    errors_t book;
  } runs[] = {
    {6, {DAE_TRAPEZOIDAL, 1, 4.5e-4, 5e-4, 0, 5e-4}},
    {12, {DAE_TRAPEZOIDAL, 1, 3.3e-3, 2.5e-3, 0, 2.6e-4}},
    {18, {DAE_TRAPEZOIDAL, 1, 9e-3, 7e-3, 0, 1.7e-4}},
    {6, {DAE_HHT, 1, 9e-2, 6e-2, 0, 2.1e-4}},
    {12, {DAE_HHT, 1, 3e-1, 2.4e-1, 0, 9.3e-5}},
    {6, {DAE_TRAPEZOIDAL, 2, 4.5e-5, 0, 2e-2, 5.1e-4}},
    {12, {DAE_TRAPEZOIDAL, 2, 1.2e-4, 0, 6e-2, 2.4e-4}},
    {18, {DAE_TRAPEZOIDAL, 2, 1.8e-4, 0, 1.5e-1, 1.5e-4}},
    {6, {DAE_HHT, 2, 3.5e-5, 0, 3.5e-1, 2.1e-4}}};
  dae_options_t o = {.intol = 1e-8, .atol = 1e-6, .h = 1e-3, .hmax = 1e-3};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
    o.method = runs[k].book.method, o.index = runs[k].book.index;
    const dae_result_t r = quick_return_dae(&o, runs[k].speed, 2.5, NULL);
    char what[64];
    snprintf(what, sizeof what, "7.5.2 at %g rad/s", runs[k].speed);
    check_errors(what, &runs[k].book, &r);
  }
  // the reference is right where it is accurate: state at 2.5 s by energy
  o.method = DAE_RKFN45, o.index = 1;
  const dae_result_t exact = quick_return_dae(&o, 6, 2.5, NULL);
  near_to("phi2", exact.q[5], 13.211524026, 1e-6);
  near_to("x4", exact.q[9], -0.984706095, 1e-6);
  // index 3: trapezoidal fails with fixed and variable steps; HHT goes on with fixed ones
  o.method = DAE_TRAPEZOIDAL, o.index = 3;
  assert_int_equal(quick_return_dae(&o, 6, 2.5, NULL).end, DAE_STEP_VANISHED);
  o.fixed = true;
  assert_int_equal(quick_return_dae(&o, 6, 2.5, NULL).end, DAE_NO_CONVERGENCE);
  o.method = DAE_HHT, o.h = 2e-3;
  assert_int_equal(quick_return_dae(&o, 6, 2.5, NULL).end, DAE_DONE);
  // figure 7.5.3: accelerations oscillate at first, the more the shorter the step, as the digits of the start miss the
  // rows, which index 3 repairs within a step; index 2 never does
  jump_t jump[3] = {{{0}, 0}};
  for (int k = 0; k < 3; k++) {
    o.index = k == 2 ? 2 : 3, o.h = k == 0 ? 1e-3 : 2e-3;
    assert_int_equal(quick_return_dae(&o, 6, 0.5, &jump[k]).end, DAE_DONE);
  }
  print_message(
    "7.5.2 HHT: oscillation of the acceleration in 0.1 s, index 3: %.1f (1 ms), %.1f (2 ms), index "
    "2: "
    "%.1f m/s^2\n",
    jump[0].sum, jump[1].sum, jump[2].sum);
  assert_true(jump[0].sum > 2 * jump[1].sum && jump[1].sum > 5 * jump[2].sum);
}

//---------- 7.7.1: spinning top ----------

// energy lost in 5 s
static double
top_loses(dae_method_t method, int index, dae_end_t end)
{
  dae_system_t s = {.gravity = {0, 0, -9.8}};
  const double tip[3] = {0, 0, -1}, q[7] = {0, 0, 1, 1, 0, 0, 0};
  const double qd[7] = {1e-12, -1e-12, 0, 0, 5e-13, 5e-13, 13.5 / 2};
  dae_body(&s, 30, 90, 90, 30);
  dae_points_meet(&s, 0, tip, DAE_GROUND, O, 3);
  dae_normalise(&s);
  const dae_options_t o = {
    .method = method, .index = index, .intol = 1e-6, .atol = 1e-5, .h = 1e-3, .hmax = 1e-3};
  const dae_result_t r = dae_integrate(&s, &o, q, qd, 5, NULL, NULL);
  assert_int_equal(r.end, end);
  print_message(
    "7.7.1 index %d %-11s ends at %.1f s: %.1f %% of the energy lost\n", index, name_of(method),
    r.t, 100 * (1 - r.energy / r.energy_start));
  return 1 - r.energy / r.energy_start;
}

static void
top_keeps_its_energy_on_charts(void ** state)
{
  (void)state;
  for (int index = 1; index <= 3; index++) assert_true(top_loses(DAE_HHT, index, DAE_DONE) > 0.1);
  for (int index = 1; index <= 2; index++)
    assert_true(fabs(top_loses(DAE_TRAPEZOIDAL, index, DAE_DONE)) < 1e-8);
  assert_true(fabs(top_loses(DAE_RKFN45, 1, DAE_DONE)) < 1e-8);
  top_loses(DAE_TRAPEZOIDAL, 3, DAE_STEP_VANISHED);
  // charts: every method, HHT too
  const top_t p = {30, 90, 30, {0, 0, -9.8}, {1e-12, 1e-12, 13.5}};
  for (int k = 0; k < MBD_METHODS; k++) {
    mechanism_t m = top(&p, true);
    mbd_simulation_options_t options = options_of((mbd_method_t)k, 1e-8);
    options.ode.step = options.ode.step_max = 1e-3;
    options.ode.alpha = -1 / 3.0;
    options.ode.fixed = true;
    mbd_simulation_t * sim = started(&m, &options);
    assert_ok(mbd_simulation_run(sim, 2));
    const mbd_simulation_info_t * info = mbd_simulation_info(sim);
    print_message(
      "7.7.1 charts, %-13s %.1e of the energy lost\n", mbd_method_name((mbd_method_t)k),
      1 - info->energy / info->energy_start);
    assert_true(fabs(1 - info->energy / info->energy_start) < 1e-6);
    destroy_simulation(sim, &m);
  }
  // and precessing
  const top_t tilted = {30, 90, 30, {0, 0, -9.8}, {0.5, 0, 12}};
  mechanism_t m = top(&tilted, true);
  mbd_simulation_options_t options = options_of(MBD_METHOD_HHT, 1e-8);
  options.ode.step = 1e-3, options.ode.alpha = -1 / 3.0, options.ode.fixed = true;
  mbd_simulation_t * sim = started(&m, &options);
  assert_ok(mbd_simulation_run(sim, 10));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  print_message(
    "7.7.1 charts, hht, precessing: %.1e of the energy lost\n",
    1 - info->energy / info->energy_start);
  assert_true(fabs(1 - info->energy / info->energy_start) < 1e-3);
  destroy_simulation(sim, &m);
}

//---------- 7.7.2: spatial double pendulum ----------

static void
spheres_errors(void ** state)
{
  (void)state;
  static const errors_t book[] = {
    {DAE_RKFN45, 1, 3e-8, 2.7e-9, 0, 0},      {DAE_HHT, 1, 1.2e-1, 1.3e-2, 0, 0},
    {DAE_TRAPEZOIDAL, 1, 9e-6, 6e-5, 0, 0},   {DAE_HHT, 2, 4e-6, 0, 1.3e-1, 0},
    {DAE_TRAPEZOIDAL, 2, 3.8e-6, 0, 9e-3, 0}, {DAE_HHT, 3, 0, 4e-5, 1.4e-1, 0},
    {DAE_TRAPEZOIDAL, 3, 0, 0, 0, 0}};
  dae_system_t s = {.gravity = {0, 0, -9.8}};
  const double below[3] = {0, 0, -1};
  const double q[14] = {0, 0, 0, 1, 0, 0, 0, 0, 0, -3, 1, 0, 0, 0}, qd[14] = {[12] = 2.5};
  dae_body(&s, 75, 30, 30, 30), dae_body(&s, 75, 30, 30, 30);
  dae_points_meet(&s, 0, O, DAE_GROUND, O, 3);
  dae_distance(&s, 0, below, 1, UZ, 1);
  dae_normalise(&s);
  for (size_t k = 0; k < sizeof book / sizeof *book; k++) {
    const dae_options_t o = {
      .method = book[k].method,
      .index = book[k].index,
      .intol = 1e-6,
      .atol = 1e-5,
      .h = 1e-3,
      .hmax = 1e-3};
    const dae_result_t r = dae_integrate(&s, &o, q, qd, 10, NULL, NULL);
    if (o.index == 3 && o.method == DAE_TRAPEZOIDAL) {
      assert_int_equal(r.end, DAE_STEP_VANISHED);
      continue;
    }
    check_errors("7.7.2", &book[k], &r);
    if (o.method != DAE_RKFN45) continue;
    near_to("x2", r.q[7], 0.304801991, 1e-6);
    near_to("z2", r.q[9], -2.967254505, 1e-6);
  }
}

//---------- 7.7.3: spatial slider-crank ----------

// The text has the data of 5.10.5, which turns at 4 rad/s; the errors of the tables are those of 120 rad/s, the speed
// of 8.10.2: at 4 rad/s they are below 1e-4 of them.
static void
slider_crank_errors(void ** state)
{
  (void)state;
  static const struct {
    double length;
    errors_t book[6];
  } tables[] = {
    {0.4,
     {{DAE_RKFN45, 1, 6e-8, 3e-7, 0, 0},
      {DAE_HHT, 1, 1e-3, 9e-3, 0, 0},
      {DAE_TRAPEZOIDAL, 1, 8e-4, 6e-3, 0, 0},
      {DAE_HHT, 2, 4.6e-7, 0, 6e-1, 0},
      {DAE_TRAPEZOIDAL, 2, 7.5e-6, 0, 3e-1, 0},
      {DAE_HHT, 3, 0, 2e-5, 7e-1, 0}}},
    {0.3,
     {{DAE_RKFN45, 1, 1.3e-7, 9e-7, 0, 0},
      {DAE_HHT, 1, 6.5e-4, 9e-3, 0, 0},
      {DAE_TRAPEZOIDAL, 1, 1.5e-3, 1.2e-2, 0, 0},
      {DAE_HHT, 2, 4.3e-7, 0, 1, 0},
      {DAE_TRAPEZOIDAL, 2, 1.7e-5, 0, 3e-1, 0},
      {DAE_HHT, 3, 0, 4e-5, 1, 0}}},
    {0.23,
     {{DAE_RKFN45, 1, 2e-6, 1.8e-5, 0, 0},
      {DAE_HHT, 1, 7.5e-3, 6e-2, 0, 0},
      {DAE_TRAPEZOIDAL, 1, 1.6e-3, 1.4e-2, 0, 0},
      {DAE_HHT, 2, 2.5e-6, 0, 3, 0},
      // printed 3.7: with e-1 it is in line with the other lengths
      {DAE_TRAPEZOIDAL, 2, 1.3e-5, 0, 3.7e-1, 0},
      {DAE_HHT, 3, 0, 1.2e-4, 3.5, 0}}}};
  for (int k = 0; k < 3; k++) {
    const double d = tables[k].length, x2 = sqrt(d * d - 0.0424);
    dae_system_t s = {.gravity = {0, 0, -9.8}};
    const double shaft[3] = {0, 0.1, 0.12}, arm[3] = {0, 0, 0.08}, offset[3] = {0, 0, 0.02};
    dae_body(&s, 0.5, 0.2, 0.2, 0.2), dae_body(&s, 5, 0.2, 0.2, 0.2);
    dae_points_meet(&s, 0, O, DAE_GROUND, shaft, 3);
    dae_normal(&s, 0, UY, DAE_GROUND, UX), dae_normal(&s, 0, UZ, DAE_GROUND, UX);
    dae_normal_to_line(&s, 1, O, UY, DAE_GROUND, O);
    dae_normal_to_line(&s, 1, O, UZ, DAE_GROUND, O);
    dae_normal(&s, 1, UY, DAE_GROUND, UX), dae_normal(&s, 1, UZ, DAE_GROUND, UX);
    dae_normal(&s, 1, UZ, DAE_GROUND, UY);
    dae_distance(&s, 0, arm, 1, offset, d);
    dae_normalise(&s);
    const double q[14] = {0, 0.1, 0.12, 1, 0, 0, 0, x2, 0, 0, 1, 0, 0, 0};
    const double qd[14] = {[4] = 60, [7] = 0.008 * 120 / x2};
    char what[64];
    snprintf(what, sizeof what, "7.7.3 d = %g", d);
    dae_options_t o = {.intol = 1e-6, .atol = 1e-5, .hmax = 1e-3};
    for (int j = 0; j < 6; j++) {
      o.method = tables[k].book[j].method, o.index = tables[k].book[j].index;
      // index 3: the error of the first step does not fall with it; fixed, at the mean step of index 2
      o.fixed = o.index == 3, o.h = o.fixed ? 1e-4 : 1e-3;
      const dae_result_t r = dae_integrate(&s, &o, q, qd, 0.25, NULL, NULL);
      check_errors(what, &tables[k].book[j], &r);
      if (o.method == DAE_RKFN45) near_to("energy", r.energy, r.energy_start, 1e-4 * r.energy);
    }
    o.method = DAE_TRAPEZOIDAL, o.fixed = false, o.h = 1e-3;
    assert_int_equal(dae_integrate(&s, &o, q, qd, 0.25, NULL, NULL).end, DAE_STEP_VANISHED);
  }
}

static void
count(void ** state)
{
  (void)state;
  print_message("%d figures of the book\n", compared);
  assert_int_equal(compared, 142);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(stiff_pendulum_steps),
    cmocka_unit_test(pendulum_errors),
    cmocka_unit_test(quick_return_errors),
    cmocka_unit_test(top_keeps_its_energy_on_charts),
    cmocka_unit_test(spheres_errors),
    cmocka_unit_test(slider_crank_errors),
    cmocka_unit_test(count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
