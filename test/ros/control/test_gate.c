// The safety gate: what passes, what is cut, what is refused, what is sent at the end.
#include "gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "random_tree.h"

enum { N = 3 };

static const gate_settings_t OPEN = {true, 1, GATE_ZERO};

static int
make_gate(void ** state)
{
  *state = gate_create(N);
  return *state ? 0 : -1;
}

static int
free_gate(void ** state)
{
  gate_destroy(*state);
  return 0;
}

static void
set_limits(gate_t * gate, double limit, double slew)
{
  for (int k = 0; k < N; k++) gate->limit[k] = limit, gate->slew[k] = slew;
}

static void
expect_command(const gate_t * gate, double a, double b, double c)
{
  const double x[N] = {a, b, c};
  assert_close(gate->command, x, N, 1e-15, "command");
}

//---------- passing ----------

// a new gate has no limits: what is wanted is what is sent, to the bit
static void
open_gate_changes_nothing(void ** state)
{
  gate_t * gate = *state;
  uint64_t seed = 1;
  expect_command(gate, 0, 0, 0);
  assert_false(gate->sent);
  for (int i = 0; i < 100; i++) {
    const double x[N] = {1e6 * random_signed(&seed), random_signed(&seed), 1e-9 * i};
    assert_true(gate_pass(gate, &OPEN, x, i % 2 ? 0 : 0.001));
    assert_memory_equal(gate->command, x, sizeof x);
  }
  assert_true(gate->sent);
  assert_int_equal(gate->count.passed, 100);
  assert_int_equal(gate->count.saturated + gate->count.slewed + gate->count.not_finite, 0);
}

// so many good ones in a row, the last of them gives the first command
static void
waits_for_good_inputs(void ** state)
{
  gate_t * gate = *state;
  const gate_settings_t five = {true, 5, GATE_ZERO};
  const double x[N] = {1, 2, 3}, bad[N] = {1, HUGE_VAL, 3};
  for (int i = 0; i < 3; i++) assert_false(gate_pass(gate, &five, x, 0.001));
  // a bad one starts the count over
  assert_false(gate_pass(gate, &five, bad, 0.001));
  for (int i = 0; i < 4; i++) assert_false(gate_pass(gate, &five, x, 0.001));
  expect_command(gate, 0, 0, 0);
  assert_false(gate->sent);
  for (int i = 0; i < 3; i++) assert_true(gate_pass(gate, &five, x, 0.001));
  // later on it costs its own cycle alone
  assert_false(gate_pass(gate, &five, bad, 0.001));
  assert_true(gate_pass(gate, &five, x, 0.001));
  assert_int_equal(gate->count.waiting, 7);
  assert_int_equal(gate->count.not_finite, 2);
  assert_int_equal(gate->count.passed, 4);
  gate_restart(gate);
  assert_false(gate_pass(gate, &five, x, 0.001));
}

// whatever is not finite, wherever it is: refused whole, the last command stays
static void
refuses_what_is_not_finite(void ** state)
{
  gate_t * gate = *state;
  const double bad[3] = {HUGE_VAL, -HUGE_VAL, strtod("nan", NULL)}, good[N] = {1, 2, 3};
  set_limits(gate, 100, 1000);
  assert_true(gate_pass(gate, &OPEN, good, 1));
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < 3; i++) {
      double x[N] = {7, 8, 9};
      x[k] = bad[i];
      assert_false(gate_pass(gate, &OPEN, x, 1));
      expect_command(gate, 1, 2, 3);
    }
  }
  assert_int_equal(gate->count.not_finite, 9);
  assert_int_equal(gate->count.passed, 1);
}

// limits cut on both sides, joint by joint, and say so
static void
clamps_to_limits(void ** state)
{
  gate_t * gate = *state;
  const double limit[N] = {1, 2, HUGE_VAL};
  memcpy(gate->limit, limit, sizeof limit);
  const double low[N] = {-5, -2, -1e9}, high[N] = {0.5, 2.5, 1e9};
  assert_true(gate_pass(gate, &OPEN, low, 0.001));
  expect_command(gate, -1, -2, -1e9);
  assert_true(gate->saturated[0] && !gate->saturated[1] && !gate->saturated[2]);
  assert_true(gate_pass(gate, &OPEN, high, 0.001));
  expect_command(gate, 0.5, 2, 1e9);
  assert_true(!gate->saturated[0] && gate->saturated[1] && !gate->saturated[2]);
  const double inside[N] = {1, -2, 0};
  assert_true(gate_pass(gate, &OPEN, inside, 0.001));
  assert_false(gate->saturated[0] || gate->saturated[1] || gate->saturated[2]);
  assert_int_equal(gate->count.saturated, 2);
}

// without clamp the same is reported and nothing is cut
static void
reports_without_clamp(void ** state)
{
  gate_t * gate = *state;
  const gate_settings_t report = {false, 1, GATE_GRAVITY};
  const double x[N] = {-5, 0.5, 7};
  set_limits(gate, 1, HUGE_VAL);
  assert_true(gate_pass(gate, &report, x, 0.001));
  expect_command(gate, -5, 0.5, 7);
  assert_true(gate->saturated[0] && !gate->saturated[1] && gate->saturated[2]);
  assert_int_equal(gate->count.saturated, 1);
  assert_true(gate_stale(gate, &report, x));
  expect_command(gate, -5, 0.5, 7);
}

// a command changes by slew dt at most, from what was sent last: zero before the first
static void
slews_from_the_last_command(void ** state)
{
  gate_t * gate = *state;
  const double slew[N] = {10, 100, HUGE_VAL}, x[N] = {1, -1, 50};
  memcpy(gate->slew, slew, sizeof slew);
  assert_true(gate_pass(gate, &OPEN, x, 0.001));
  expect_command(gate, 0.01, -0.1, 50);
  for (int i = 2; i <= 9; i++) {
    assert_true(gate_pass(gate, &OPEN, x, 0.001));
    expect_command(gate, 0.01 * i, -0.1 * i, 50);
  }
  // a longer step goes further, and no further than wanted
  assert_true(gate_pass(gate, &OPEN, x, 0.05));
  expect_command(gate, 0.59, -1, 50);
  assert_true(gate_pass(gate, &OPEN, x, 1));
  expect_command(gate, 1, -1, 50);
  assert_int_equal(gate->count.slewed, 10);
  // and down again; a step of no length changes nothing that has a limit
  const double zero[N] = {0, 0, 0};
  assert_true(gate_pass(gate, &OPEN, zero, 0.02));
  expect_command(gate, 0.8, 0, 0);
  assert_true(gate_pass(gate, &OPEN, x, 0));
  expect_command(gate, 0.8, 0, 50);
  assert_true(gate_pass(gate, &OPEN, zero, -1));
  expect_command(gate, 0.8, 0, 0);
  gate_restart(gate);
  assert_true(gate_pass(gate, &OPEN, x, 0.001));
  expect_command(gate, 0.01, -0.1, 50);
}

// random walks: every command is within limits and slew, and as near to the wanted as these allow
static void
nearest_that_is_allowed(void ** state)
{
  gate_t * gate = *state;
  uint64_t seed = 3;
  double last[N] = {0};
  set_limits(gate, 5, 200);
  for (int i = 0; i < 1000; i++) {
    const double x[N] = {8 * random_signed(&seed), 8 * random_signed(&seed), 8 * sin(0.02 * i)};
    const double dt = random_between(&seed, 0.001, 0.02);
    assert_true(gate_pass(gate, &OPEN, x, dt));
    for (int k = 0; k < N; k++) {
      const double low = fmax(-5, last[k] - 200 * dt), high = fmin(5, last[k] + 200 * dt);
      assert_true(fabs(gate->command[k] - fmin(fmax(x[k], low), high)) < 1e-12);
      last[k] = gate->command[k];
    }
  }
  // limits that were narrowed hold at once
  set_limits(gate, 0.5, 200);
  const double x[N] = {5, -5, 0};
  assert_true(gate_pass(gate, &OPEN, x, 0.001));
  for (int k = 0; k < N; k++) assert_true(fabs(gate->command[k]) <= 0.5);
}

//---------- stops ----------

// each action, after a command: what is sent, and only once
static void
stale_sends_its_action_once(void ** state)
{
  static const double want[4][N] = {{0, 0, 0}, {1, 2, 3}, {4, -5, 5}, {1, 2, 3}};
  const double x[N] = {1, 2, 3}, gravity[N] = {4, -7, 7};
  gate_t * gate = *state;
  for (int action = GATE_ZERO; action <= GATE_LAST; action++) {
    const gate_settings_t s = {true, 3, (gate_action_t)action};
    gate_restart(gate);
    // stopping is not held back by the slew limit, but limited
    set_limits(gate, 5, HUGE_VAL);
    for (int i = 0; i < 3; i++) assert_int_equal(gate_pass(gate, &s, x, 0.001), i == 2);
    set_limits(gate, 5, 1);
    assert_int_equal(gate_stale(gate, &s, gravity), action != GATE_HOLD);
    assert_close(gate->command, want[action], N, 0, "action %d", action);
    assert_true(gate->is_stale);
    for (int i = 0; i < 3; i++) assert_false(gate_stale(gate, &s, gravity));
    // it comes back: good inputs are counted anew, then slewed from what was sent
    for (int i = 0; i < 2; i++) assert_false(gate_pass(gate, &s, x, 0.001));
    assert_false(gate->is_stale);
    assert_true(gate_pass(gate, &s, x, 0));
    assert_close(gate->command, want[action], N, 0, "after action %d", action);
    assert_int_equal(gate_stale(gate, &s, gravity), action != GATE_HOLD);
  }
  assert_int_equal(gate->count.stale, 8);
}

// a robot that was never commanded is left alone
static void
stops_send_nothing_before_a_command(void ** state)
{
  gate_t * gate = *state;
  const double x[N] = {1, 2, 3};
  const gate_settings_t s = {true, 2, GATE_ZERO};
  assert_false(gate_stale(gate, &s, x));
  assert_false(gate_last(gate, &s, GATE_ZERO, x));
  assert_false(gate_pass(gate, &s, x, 0.001));
  assert_false(gate_last(gate, &s, GATE_GRAVITY, x));
  assert_true(gate_pass(gate, &s, x, 0.001));
  assert_true(gate_last(gate, &s, GATE_ZERO, x));
  gate_restart(gate);
  assert_false(gate_last(gate, &s, GATE_ZERO, x));
  assert_false(gate_last(gate, &s, GATE_LAST, x));
}

// gravity that is not there, or not finite, sends nothing
static void
no_gravity_no_command(void ** state)
{
  gate_t * gate = *state;
  const gate_settings_t s = {true, 1, GATE_GRAVITY};
  const double x[N] = {1, 2, 3}, bad[N] = {0, HUGE_VAL, 0};
  assert_true(gate_pass(gate, &s, x, 0.001));
  assert_false(gate_last(gate, &s, GATE_GRAVITY, NULL));
  assert_false(gate_stale(gate, &s, bad));
  expect_command(gate, 1, 2, 3);
  assert_true(gate_last(gate, &s, GATE_LAST, NULL));
  expect_command(gate, 1, 2, 3);
  assert_false(gate_last(gate, &s, GATE_HOLD, x));
  assert_true(gate_last(gate, &s, GATE_ZERO, NULL));
  expect_command(gate, 0, 0, 0);
}

// a caller that takes lasting refusals as stale is told once, too
static void
refusals_do_not_end_staleness(void ** state)
{
  gate_t * gate = *state;
  const double x[N] = {1, 2, 3}, bad[N] = {0, HUGE_VAL, 0};
  assert_true(gate_pass(gate, &OPEN, x, 0.001));
  assert_true(gate_stale(gate, &OPEN, NULL));
  for (int i = 0; i < 3; i++) {
    assert_false(gate_pass(gate, &OPEN, bad, 0.001));
    assert_false(gate_stale(gate, &OPEN, NULL));
  }
}

static void
names(void ** state)
{
  (void)state;
  static const char * const name[] = {"zero", "hold", "gravity", "last"};
  for (int k = 0; k < 4; k++) {
    assert_string_equal(gate_action_name((gate_action_t)k), name[k]);
    assert_int_equal(gate_action_find(name[k]), k);
  }
  assert_string_equal(gate_action_name((gate_action_t)4), "unknown");
  assert_int_equal(gate_action_find("Zero"), -1);
  assert_int_equal(gate_action_find(""), -1);
}

int
main(void)
{
#define WITH_GATE(test) cmocka_unit_test_setup_teardown(test, make_gate, free_gate)
  const struct CMUnitTest tests[] = {
    WITH_GATE(open_gate_changes_nothing),
    WITH_GATE(waits_for_good_inputs),
    WITH_GATE(refuses_what_is_not_finite),
    WITH_GATE(clamps_to_limits),
    WITH_GATE(reports_without_clamp),
    WITH_GATE(slews_from_the_last_command),
    WITH_GATE(nearest_that_is_allowed),
    WITH_GATE(stale_sends_its_action_once),
    WITH_GATE(stops_send_nothing_before_a_command),
    WITH_GATE(no_gravity_no_command),
    WITH_GATE(refusals_do_not_end_staleness),
    cmocka_unit_test(names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
