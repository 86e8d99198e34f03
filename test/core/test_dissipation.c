// Friction from a dissipation function: Angeles, 7.8, and the properties of his formulas.
#include "mbdyn/dynamics/dissipation.h"
#include "mbdyn/operators/noc.h"

#include "dh_chain.h"

static mbd_dissipation_t
random_friction(uint64_t * state)
{
  mbd_dissipation_t f = {
    random_between(state, 0, 2), random_between(state, 0, 2), random_between(state, 0, 2),
    random_between(state, 0, 8), random_between(state, 0.05, 0.5)};
  if (random_below(state, 4) == 0) f.decay = 0;
  return f;
}

static double
force(const mbd_dissipation_t * f, double v)
{
  double delta;
  assert_ok(mbd_dissipation_force(1, f, &v, &delta));
  return delta;
}

static double
rayleigh(const mbd_dissipation_t * f, double v)
{
  double D;
  assert_ok(mbd_rayleigh_function(1, f, &v, &D));
  return D;
}

static double
power(const mbd_dissipation_t * f, double v)
{
  double P;
  assert_ok(mbd_dissipation_power(1, f, &v, &P));
  return P;
}

//---------- the text's formulas ----------

// (7.128) to (7.138) at v = 0.5 and -0.5: b = 0.4, c = 0.3, e = 0.2, k = 2
static void
formulas_of_the_text(void ** context)
{
  (void)context;
  mbd_dissipation_t f = mbd_dissipation_default();
  assert_true(force(&f, 1) == 0 && rayleigh(&f, 1) == 0 && power(&f, 1) == 0);
  f.viscous = 0.4;
  assert_near(force(&f, 0.5), -0.2, 1e-15, "(7.132)");
  assert_near(rayleigh(&f, 0.5), 0.05, 1e-15, "(7.130)");
  assert_near(power(&f, 0.5), 2 * rayleigh(&f, 0.5), 1e-15, "(7.127): viscous power is 2 D");
  f = (mbd_dissipation_t){.coulomb = 0.3};
  assert_near(force(&f, 0.5), -0.3, 1e-15, "(7.133)");
  assert_near(force(&f, -0.5), 0.3, 1e-15, "(7.133)");
  assert_near(rayleigh(&f, -0.5), 0.15, 1e-15, "(7.135)");
  assert_near(power(&f, -0.5), rayleigh(&f, -0.5), 1e-15, "Coulomb's power is D");
  assert_true(force(&f, 0) == 0);
  f.stribeck = 0.2, f.decay = 2;
  assert_near(force(&f, 0.5), -(0.3 + 0.2 * exp(-1)), 1e-15, "(7.136)");
  assert_near(rayleigh(&f, 0.5), 0.15 + 0.1 * (1 - exp(-1)), 1e-15, "(7.137)");
  assert_near(power(&f, -0.5), 0.5 * (0.3 + 0.2 * exp(-1)), 1e-15, "power");
}

//---------- properties ----------

// delta = -dD/dv, odd, against the motion; D(0) = 0                                2.6, 15
static void
force_is_a_gradient(void ** context)
{
  (void)context;
  uint64_t state = 11;
  for (int k = 0; k < 200; k++) {
    const mbd_dissipation_t f = random_friction(&state);
    const double v = 3 * random_signed(&state), h = 1e-4;
    const double slope = (8 * (rayleigh(&f, v + h) - rayleigh(&f, v - h)) -
                          (rayleigh(&f, v + 2 * h) - rayleigh(&f, v - 2 * h))) /
                         (12 * h);
    assert_near(force(&f, v), -slope, 1e-9, "case %d", k);
    assert_near(force(&f, -v), -force(&f, v), 1e-15, "case %d", k);
    assert_near(power(&f, v), -force(&f, v) * v, 1e-15, "case %d", k);
    assert_true(power(&f, v) >= 0 && rayleigh(&f, 0) == 0 && force(&f, 0) == 0);
  }
}

// without low-speed friction, or when it dies away at once, Coulomb's is left; smooth -> sharp
static void
limits_are_coulombs(void ** context)
{
  (void)context;
  const mbd_dissipation_t coulomb = {.coulomb = 0.7};
  const mbd_dissipation_t fast = {.coulomb = 0.7, .stribeck = 0.5, .decay = 1e6};
  const mbd_dissipation_t smooth = {.coulomb = 0.7, .smooth = 1e-9};
  for (double v = -2; v <= 2; v += 0.25) {
    assert_near(force(&fast, v), force(&coulomb, v), 1e-12, "v = %g", v);
    assert_near(force(&smooth, v), force(&coulomb, v), 1e-12, "v = %g", v);
    assert_near(rayleigh(&fast, v), rayleigh(&coulomb, v), 1e-6, "v = %g", v);
    assert_near(rayleigh(&smooth, v), rayleigh(&coulomb, v), 1e-8, "v = %g", v);
  }
}

// an arm that swings: what it has lost of its energy is what friction took         2.6, 14
static void
energy_goes_where_friction_says(void ** context)
{
  (void)context;
  dh_chain_t * c = random_chain(31);
  mbd_dissipation_t f[MOST_JOINTS];
  uint64_t state = 2;
  for (int i = 0; i < c->n; i++) f[i] = random_friction(&state);
  const double h = 2.5e-4;
  double x[2 * MOST_JOINTS + 1] = {0}, k[4][2 * MOST_JOINTS + 1], y[2 * MOST_JOINTS + 1];
  const int n = c->n, size = 2 * n + 1;
  for (int i = 0; i < n; i++) x[i] = c->q[i], x[n + i] = c->v[i];
  double before = 0, after = 0, potential[2];
  for (int step = 0; step <= 2000; step++) {
    if (step == 0 || step == 2000) {
      assert_ok(mbd_set_position(c->model, c->data, x));
      assert_ok(mbd_set_velocity(c->model, c->data, x + n));
      assert_ok(mbd_potential_energy(c->model, c->data, &potential[step > 0]));
      assert_ok(mbd_kinetic_energy(c->model, c->data, step ? &after : &before));
    }
    const double part[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
      double delta[MOST_JOINTS];
      for (int i = 0; i < size; i++) y[i] = x[i] + (s ? part[s] * h * k[s - 1][i] : 0);
      for (int i = 0; i < n; i++) k[s][i] = y[n + i];
      assert_ok(mbd_dissipation_force(n, f, y + n, delta));
      assert_ok(mbd_noc_forward_dynamics(c->noc, y, y + n, delta, NULL, k[s] + n));
      assert_ok(mbd_dissipation_power(n, f, y + n, &k[s][2 * n]));
    }
    if (step == 2000) break;
    for (int i = 0; i < size; i++) {
      x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
  }
  const double lost = before + potential[0] - after - potential[1];
  assert_true(x[2 * n] > 0.1);
  assert_close(&lost, &x[2 * n], 1, 1e-6, "energy lost");
  chain_free(c);
}

static void
bad_input_is_refused(void ** context)
{
  (void)context;
  mbd_dissipation_t f[2] = {{.coulomb = 1}, {.viscous = 1e300}};
  double v[2] = {1, 1}, out[2] = {7, 7};
  assert_status(mbd_dissipation_force(2, NULL, v, out), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_dissipation_force(-1, f, v, out), MBD_ERROR_BAD_ARGUMENT);
  v[1] = 1e300;
  assert_status(mbd_dissipation_force(2, f, v, out), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_rayleigh_function(2, f, v, out), MBD_ERROR_NOT_FINITE);
  f[1].viscous = -1;
  assert_status(mbd_dissipation_force(2, f, v, out), MBD_ERROR_BAD_ARGUMENT);
  f[1].viscous = (double)NAN;
  assert_status(mbd_dissipation_power(2, f, v, out), MBD_ERROR_NOT_FINITE);
  assert_true(out[0] == 7 && out[1] == 7);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(formulas_of_the_text), cmocka_unit_test(force_is_a_gradient),
    cmocka_unit_test(limits_are_coulombs),  cmocka_unit_test(energy_goes_where_friction_says),
    cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
