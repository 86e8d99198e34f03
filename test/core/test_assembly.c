// Assembly: four-bars against trigonometry, random closed robots, and what cannot be assembled.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/closure.h"

static const double PI = 3.14159265358979323846;

// a model with a workspace and the memory that assembly takes
typedef struct bench {
  const mbd_model_t * model;
  mbd_data_t * data;
  double * work;
} bench_t;

static bench_t
bench_of(const mbd_model_t * model)
{
  bench_t b = {model, NULL, malloc((mbd_assembly_work(model) + 1) * sizeof(double))};
  assert_ok(mbd_data_create(model, &b.data));
  return b;
}

static void
bench_free(bench_t * b)
{
  mbd_data_destroy(b->data);
  free(b->work);
}

static int
dof(const mbd_model_t * model, const char * joint)
{
  int body;
  assert_ok(mbd_find_joint(model, joint, &body));
  return model->body[body].v_index;
}

//---------- four-bars ----------

// from a rough guess with the crank held, to what trigonometry says; rank of each kind of pin
static void
four_bars_close(void ** context)
{
  (void)context;
  static const struct {
    mbd_closure_type_t type;
    int rank, redundant;
  } pins[3] = {
    {MBD_CLOSURE_ON_LINE, 2, 0}, {MBD_CLOSURE_SPHERICAL, 2, 1}, {MBD_CLOSURE_REVOLUTE, 2, 3}};
  uint64_t state = 5;
  for (int k = 0; k < 60; k++) {
    four_bar_t bar = four_bar_default();
    bar.type = pins[k % 3].type;
    bar.base = random_placement(&state);
    mbd_model_t * model = four_bar(&bar);
    bench_t b = bench_of(model);
    double q[3], exact[3], guess[3];
    mbd_assembly_t result;
    assert_true(four_bar_at(&bar, model, random_between(&state, -PI, PI), exact));
    for (int j = 0; j < 3; j++) guess[j] = exact[j] + 0.3 * random_signed(&state);
    bool held[3] = {false};
    const int crank = dof(model, "crank_joint");
    guess[crank] = exact[crank];
    assert_ok(mbd_assemble(model, b.data, NULL, guess, b.work, q, &result));
    assert_int_equal(result.rank, pins[k % 3].rank);
    assert_int_equal(result.nredundant, pins[k % 3].redundant);
    assert_int_equal(result.mobility, 1);
    assert_false(result.singular);
    held[crank] = true;
    mbd_assembly_options_t options = mbd_assembly_options_default();
    options.held = held;
    assert_ok(mbd_assemble(model, b.data, &options, guess, b.work, q, &result));
    assert_close(q, exact, 3, 1e-12, "four-bar %d", k);
    assert_true(q[crank] == exact[crank]);
    assert_int_equal(result.mobility, 0);
    assert_true(result.error_position < 1e-14 && result.error_angle < 1e-14);
    assert_true(result.iterations < 12);
    bench_free(&b);
    mbd_model_destroy(model);
  }
}

// all links in one line: no step makes the error smaller, so that another start is needed
static void
a_straight_guess_is_left(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * model = four_bar(&bar);
  bench_t b = bench_of(model);
  const double guess[3] = {0, 0, 0};
  double q[3];
  mbd_assembly_t result;
  assert_ok(mbd_assemble(model, b.data, NULL, guess, b.work, q, &result));
  assert_true(result.error_position < 1e-12);
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.restarts = 0;
  assert_status(
    mbd_assemble(model, b.data, &options, guess, b.work, q, &result), MBD_ERROR_NOT_ASSEMBLED);
  bench_free(&b);
  mbd_model_destroy(model);
}

// the coupler hangs upside down in the guess: a hinge closes the right way round only
static void
nothing_closes_upside_down(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t link = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("ball", &model));
  link.name = "arm", link.joint_name = "ball", link.type = MBD_JOINT_SPHERICAL;
  assert_ok(mbd_model_add_body(model, &link, &frame));
  mbd_closure_spec_t hinge = mbd_closure_spec_default();
  hinge.name = "hinge", hinge.type = MBD_CLOSURE_REVOLUTE, hinge.frame_b = frame;
  assert_ok(mbd_model_add_closure(model, &hinge, NULL));
  assert_ok(mbd_model_finalize(model));
  bench_t b = bench_of(model);
  for (int k = 0; k < 20; k++) {
    // turned about x by nearly half a turn, or by half a turn
    const double half = 0.5 * (PI - 0.05 * k), guess[4] = {sin(half), 0, 0, cos(half)};
    double q[4];
    mbd_assembly_t result;
    mbd_placement_t X;
    assert_ok(mbd_assemble(model, b.data, NULL, guess, b.work, q, &result));
    assert_ok(mbd_frame_placement(model, b.data, frame, &X));
    assert_near(X.R.m[8], 1, 1e-12, "z axis of guess %d", k);
    assert_int_equal(result.mobility, 1);
  }
  bench_free(&b);
  mbd_model_destroy(model);
}

//---------- random robots ----------

// rank by singular values of the rows as they are compared: against their largest entries
static int
rank_by_singular_values(mat_t G)
{
  mat_t scaled = mat(G.r, G.c);
  for (int i = 0; i < G.r; i++) {
    double largest = 0;
    for (int j = 0; j < G.c; j++) largest = fmax(largest, fabs(*at(G, i, j)));
    for (int j = 0; j < G.c; j++) *at(scaled, i, j) = largest > 1e-9 ? *at(G, i, j) / largest : 0;
  }
  return rank_of(scaled, 1e-6);
}

// closures of every type that hold somewhere are closed again from a guess nearby
static void
random_robots_close(void ** context)
{
  (void)context;
  tally_t holonomic_ones = {0};
  tally_t closed = {0}, with_rows = {0};
  FOR_SEEDS(TREES)
  {
    tree_t * t = closed_tree(seed, NULL, 1);
    bench_t b = bench_of(t->model);
    // a rolling ball cannot go everywhere that it has been
    const bool holonomic = dense_holonomic(t->model);
    mat_t guess = mat(t->model->nq, 1), q = mat(t->model->nq, 1), d = mat(t->model->nrow, 1);
    mbd_assembly_t result;
    assert_ok(mbd_integrate(t->model, t->q, t->v, 0.05, guess.a));
    const mbd_status_t status = mbd_assemble(t->model, b.data, NULL, guess.a, b.work, q.a, &result);
    assert_true(
      status == MBD_OK || status == MBD_ERROR_LOCKED || status == MBD_ERROR_NOT_ASSEMBLED);
    if (tally(&holonomic_ones, holonomic)) assert_int_equal(status, MBD_OK);
    tally(&with_rows, t->model->nrow > 0);
    if (tally(&closed, status == MBD_OK)) {
      assert_ok(mbd_set_position(t->model, t->data, q.a));
      assert_ok(mbd_closure_error(t->model, t->data, 0, d.a));
      assert_true(largest_entry(d) < 1e-12);
      mat_t G = mat(t->model->nrow, t->model->nv);
      assert_ok(mbd_closure_jacobian(t->model, t->data, G.a));
      int rank;
      assert_ok(mbd_closure_rank(t->model, t->data, NULL, b.work, NULL, &rank));
      assert_int_equal(rank, rank_by_singular_values(G));
      assert_int_equal(result.mobility + result.rank, t->model->nv);
    } else {
      assert_in_range(result.error_closure, 0, t->model->nclosure - 1);
    }
    for (int k = 0; k < t->model->nq; k++) assert_true(isfinite(q.a[k]));
    bench_free(&b);
    tree_free(t);
    mats_free();
  }
  assert_enough(&closed, 0.9);
  assert_enough(&with_rows, 0.9);
  assert_enough(&holonomic_ones, 0.5);
}

// what is held stays where it is, to the bit
static void
held_joints_stay(void ** context)
{
  (void)context;
  int closed = 0;
  FOR_SEEDS(TREES)
  {
    tree_options_t one = tree_options_default();
    one.one_dof_only = true;
    one.min_bodies = 5;
    tree_t * t = closed_tree(seed, &one, 3);
    bench_t b = bench_of(t->model);
    const int nv = t->model->nv;
    mat_t guess = mat(nv, 1), q = mat(nv, 1);
    bool held[64] = {false};
    for (int k = 0; k < nv; k++) {
      held[k] = k % 4 == 0;
      guess.a[k] = t->q[k] + (held[k] ? 0 : 0.05 * t->v[k]);
    }
    mbd_assembly_options_t options = mbd_assembly_options_default();
    options.held = held;
    mbd_assembly_t result;
    const mbd_status_t status =
      mbd_assemble(t->model, b.data, &options, guess.a, b.work, q.a, &result);
    closed += status == MBD_OK;
    for (int k = 0; k < nv; k++) {
      if (held[k]) assert_true(q.a[k] == guess.a[k]);
    }
    bench_free(&b);
    tree_free(t);
    mats_free();
  }
  assert_count(closed, TREES / 2);
}

//---------- what cannot be ----------

// links too short to meet: the closure is named, and it is the right one of two loops
static void
impossible_loops_are_named(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  bar.coupler = 0.3, bar.rocker = 0.2;
  mbd_model_t * model = four_bar(&bar);
  bench_t b = bench_of(model);
  double q[3] = {0.5, 0.5, 2};
  mbd_assembly_t result;
  assert_status(mbd_assemble(model, b.data, NULL, q, b.work, q, &result), MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(result.error_closure, 0);
  // the gap that is left is what is missing of the sum of the lengths
  assert_near(result.error_position, 1 - 0.4 - 0.3 - 0.2, 1e-2, "gap");
  for (int k = 0; k < 3; k++) assert_true(isfinite(q[k]));
  bench_free(&b);
  mbd_model_destroy(model);
}

// a joint that two couplings want at different places
static void
contradictions_are_named(void ** context)
{
  (void)context;
  for (int which = 0; which < 2; which++) {
    mbd_model_t * model;
    mbd_body_spec_t link = mbd_body_spec_default();
    int frame;
    assert_ok(mbd_model_create("contradiction", &model));
    link.name = "a", link.joint_name = "ja", link.type = MBD_JOINT_REVOLUTE;
    assert_ok(mbd_model_add_body(model, &link, &frame));
    link.name = "b", link.joint_name = "jb";
    assert_ok(mbd_model_add_body(model, &link, &frame));
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1, spec.coefficient[0] = 1;
    spec.name = "fine", spec.joint[0] = "jb";
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
    spec.joint[0] = "ja", spec.name = "one", spec.driver.rate = 1;
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
    spec.name = "other", spec.offset = which ? 0.5 : 0, spec.driver.rate = 2;
    assert_ok(mbd_model_add_closure(model, &spec, NULL));
    assert_ok(mbd_model_finalize(model));
    bench_t b = bench_of(model);
    double q[2] = {0.1, 0.2}, v[2] = {0, 0};
    mbd_assembly_t result;
    const mbd_status_t status = mbd_assemble(model, b.data, NULL, q, b.work, q, &result);
    assert_int_equal(status, which ? MBD_ERROR_NOT_ASSEMBLED : MBD_OK);
    if (which) assert_in_range(result.error_closure, 1, 2);
    // the positions may agree where the rates do not
    assert_status(
      mbd_project_velocity(model, b.data, NULL, v, b.work, v, &result), MBD_ERROR_NOT_ASSEMBLED);
    assert_in_range(result.error_closure, 1, 2);
    assert_true(v[0] == 0 && v[1] == 0);
    bench_free(&b);
    mbd_model_destroy(model);
  }
}

// a parallelogram that lies flat may go on as one or as an antiparallelogram
static void
bifurcations_are_singular(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  bar.coupler = bar.ground, bar.rocker = bar.crank;
  static const mbd_closure_type_t pins[2] = {MBD_CLOSURE_ON_LINE, MBD_CLOSURE_REVOLUTE};
  for (int k = 0; k < 2; k++) {
    bar.type = pins[k];
    mbd_model_t * model = four_bar(&bar);
    bench_t b = bench_of(model);
    double q[3];
    mbd_assembly_t result;
    double flat[3] = {0, 0, 0};
    assert_status(mbd_assemble(model, b.data, NULL, flat, b.work, q, &result), MBD_ERROR_LOCKED);
    assert_true(result.singular && result.error_closure == 0);
    assert_int_equal(result.rank, 1);
    assert_true(result.error_position == 0);
    // away from it all is well, with a rank of two
    for (double angle = 0.2; angle < 3; angle += 0.4) {
      q[dof(model, "crank_joint")] = q[dof(model, "rocker_joint")] = angle;
      q[dof(model, "coupler_joint")] = -angle;
      assert_ok(mbd_assemble(model, b.data, NULL, q, b.work, q, &result));
      assert_int_equal(result.rank, 2);
      assert_false(result.singular);
    }
    bench_free(&b);
    mbd_model_destroy(model);
  }
}

// crank and coupler in line: with the rocker held the crank is free to first order, but not to move
static void
dead_centres_are_singular(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * model = four_bar(&bar);
  bench_t b = bench_of(model);
  // rocker where the triangle of crank + coupler, rocker and ground closes
  const double reach = bar.crank + bar.coupler;
  const double c = (reach * reach + 1 - bar.rocker * bar.rocker) / (2 * reach);
  double q[3];
  bool held[3] = {false};
  assert_true(four_bar_at(&bar, model, acos(c), q));
  q[dof(model, "coupler_joint")] = 0;
  mbd_assembly_options_t options = mbd_assembly_options_default();
  mbd_assembly_t result;
  options.held = held;
  options.tolerance = 1e-9;
  assert_ok(mbd_assemble(model, b.data, &options, q, b.work, q, &result));
  held[dof(model, "rocker_joint")] = true;
  assert_status(mbd_assemble(model, b.data, &options, q, b.work, q, &result), MBD_ERROR_LOCKED);
  assert_true(result.singular && result.mobility == 1);
  // also where the trial step comes back so close that the rank is the same
  options.tolerance = 1e-15;
  assert_status(mbd_assemble(model, b.data, &options, q, b.work, q, &result), MBD_ERROR_LOCKED);
  options.tolerance = 1e-9;
  // the same place with the crank held is a place like any other
  held[dof(model, "rocker_joint")] = false, held[dof(model, "crank_joint")] = true;
  assert_ok(mbd_assemble(model, b.data, &options, q, b.work, q, &result));
  bench_free(&b);
  mbd_model_destroy(model);
}

// a planar four-bar with spatial hinges closes only if its axes are parallel
static void
overconstrained_hinges_must_be_parallel(void ** context)
{
  (void)context;
  for (int tilted = 0; tilted < 2; tilted++) {
    mbd_model_t * model;
    four_bar_t bar = four_bar_default();
    bar.type = MBD_CLOSURE_REVOLUTE;
    assert_ok(mbd_model_create("tilted", &model));
    mbd_body_spec_t link = mbd_body_spec_default();
    int crank, coupler, rocker;
    link.type = MBD_JOINT_REVOLUTE;
    link.name = "crank", link.joint_name = "crank_joint";
    assert_ok(mbd_model_add_body(model, &link, &crank));
    link.name = "coupler", link.joint_name = "coupler_joint", link.parent = crank;
    link.placement.p.x = bar.crank;
    assert_ok(mbd_model_add_body(model, &link, &coupler));
    link.name = "rocker", link.joint_name = "rocker_joint", link.parent = MBD_WORLD_BODY;
    link.placement.p.x = bar.ground;
    if (tilted) link.axis = mbdu_vec3(0, 0.01, 1);
    assert_ok(mbd_model_add_body(model, &link, &rocker));
    mbd_closure_spec_t pin = mbd_closure_spec_default();
    pin.name = "pin", pin.type = MBD_CLOSURE_REVOLUTE;
    pin.frame_a = coupler, pin.X_a.p.x = bar.coupler, pin.frame_b = rocker;
    pin.X_b.p.x = bar.rocker;
    assert_ok(mbd_model_add_closure(model, &pin, NULL));
    assert_ok(mbd_model_finalize(model));
    bench_t b = bench_of(model);
    double q[3];
    mbd_assembly_t result;
    assert_true(four_bar_at(&bar, model, 1, q));
    const mbd_status_t status = mbd_assemble(model, b.data, NULL, q, b.work, q, &result);
    assert_int_equal(status, tilted ? MBD_ERROR_NOT_ASSEMBLED : MBD_OK);
    if (tilted) assert_int_equal(result.error_closure, 0);
    bench_free(&b);
    mbd_model_destroy(model);
  }
}

//---------- velocities ----------

// G v = U; the change is a combination of rows, so that none is smaller
static void
velocities_are_the_nearest(void ** context)
{
  (void)context;
  int found = 0;
  FOR_SEEDS(TREES)
  {
    tree_t * t = closed_tree(seed, NULL, 1);
    bench_t b = bench_of(t->model);
    const int m = t->model->nrow, nv = t->model->nv;
    mat_t G = mat(m, nv), U = mat(m, 1), out = mat(nv, 1);
    mbd_assembly_t result;
    assert_ok(mbd_set_position(t->model, b.data, t->q));
    assert_ok(mbd_closure_jacobian(t->model, b.data, G.a));
    assert_ok(mbd_closure_target(t->model, 0, U.a));
    assert_ok(mbd_project_velocity(t->model, b.data, NULL, t->v, b.work, out.a, &result));
    assert_mat_floor(PROD(G, out), U, 1e-10, 10, "G v, seed %lu", seed);
    const mat_t change = sub(out, column(nv, t->v));
    if (m > 0 && result.rank == m) {
      // G^T (G G^T)^-1 (U - G v), by another way
      const mat_t miss = sub(U, PROD(G, column(nv, t->v)));
      const mat_t GG = PROD(G, tr(G));
      if (smallest_eigenvalue(GG) > 1e-6) {
        found++;
        assert_mat_floor(change, PROD(tr(G), inverse(GG), miss), 1e-7, 10, "least, %lu", seed);
      }
    }
    bench_free(&b);
    tree_free(t);
    mats_free();
  }
  assert_count(found, 30);
}

// a held rate stays, and what follows from it is right: the rocker's of a parallelogram is its own
static void
held_rates_stay(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  bar.coupler = bar.ground, bar.rocker = bar.crank, bar.type = MBD_CLOSURE_REVOLUTE;
  mbd_model_t * model = four_bar(&bar);
  bench_t b = bench_of(model);
  const int crank = dof(model, "crank_joint"), rocker = dof(model, "rocker_joint");
  const int coupler = dof(model, "coupler_joint");
  double q[3], v[3] = {0};
  bool held[3] = {false};
  held[crank] = true;
  q[crank] = q[rocker] = 0.7, q[coupler] = -0.7;
  v[crank] = 2;
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.held = held;
  assert_ok(mbd_set_position(model, b.data, q));
  assert_ok(mbd_project_velocity(model, b.data, &options, v, b.work, v, NULL));
  assert_true(v[crank] == 2);
  assert_near(v[rocker], 2, 1e-13, "rocker");
  assert_near(v[coupler], -2, 1e-13, "coupler");
  // all held, and they do not fit
  held[rocker] = held[coupler] = true, v[rocker] = 1;
  assert_status(
    mbd_project_velocity(model, b.data, &options, v, b.work, v, NULL), MBD_ERROR_NOT_ASSEMBLED);
  bench_free(&b);
  mbd_model_destroy(model);
}

//---------- arguments and memory ----------

static void
arguments_are_checked(void ** context)
{
  (void)context;
  four_bar_t bar = four_bar_default();
  mbd_model_t * model = four_bar(&bar);
  bench_t b = bench_of(model);
  double q[3] = {0.3, 0.3, 0.3}, w = 0;
  int rank;
  mbd_assembly_options_t o = mbd_assembly_options_default();
  assert_status(mbd_project_velocity(model, b.data, NULL, q, b.work, q, NULL), MBD_ERROR_STAGE);
  assert_status(mbd_closure_rank(model, b.data, NULL, b.work, NULL, &rank), MBD_ERROR_STAGE);
  assert_status(mbd_assemble(model, NULL, NULL, q, b.work, q, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_assemble(model, b.data, NULL, NULL, b.work, q, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_assemble(model, b.data, NULL, q, NULL, q, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_assemble(model, b.data, NULL, q, b.work, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  o.tolerance = 0;
  assert_status(mbd_assemble(model, b.data, &o, q, b.work, q, NULL), MBD_ERROR_BAD_ARGUMENT);
  o = mbd_assembly_options_default(), o.iterations = 0;
  assert_status(mbd_assemble(model, b.data, &o, q, b.work, q, NULL), MBD_ERROR_BAD_ARGUMENT);
  o = mbd_assembly_options_default(), o.rank_tolerance = (double)NAN;
  assert_status(mbd_assemble(model, b.data, &o, q, b.work, q, NULL), MBD_ERROR_BAD_ARGUMENT);
  o = mbd_assembly_options_default(), o.t = HUGE_VAL;
  assert_status(mbd_assemble(model, b.data, &o, q, b.work, q, NULL), MBD_ERROR_NOT_FINITE);
  q[1] = (double)NAN;
  assert_status(mbd_assemble(model, b.data, NULL, q, b.work, q, NULL), MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_assembly_work(NULL), 0);
  assert_ok(mbd_model_create("empty", (mbd_model_t **)&b.model));
  assert_int_equal(mbd_assembly_work(b.model), 0);
  mbd_model_destroy((mbd_model_t *)b.model);
  // nothing is written behind the memory asked for
  const size_t n = mbd_assembly_work(model);
  b.work[n] = w = 7;
  q[1] = 0.3;
  assert_ok(mbd_assemble(model, b.data, NULL, q, b.work, q, NULL));
  assert_true(b.work[n] == w);
  bench_free(&b);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(four_bars_close),
    cmocka_unit_test(a_straight_guess_is_left),
    cmocka_unit_test(nothing_closes_upside_down),
    cmocka_unit_test(random_robots_close),
    cmocka_unit_test(held_joints_stay),
    cmocka_unit_test(impossible_loops_are_named),
    cmocka_unit_test(contradictions_are_named),
    cmocka_unit_test(bifurcations_are_singular),
    cmocka_unit_test(dead_centres_are_singular),
    cmocka_unit_test(overconstrained_hinges_must_be_parallel),
    cmocka_unit_test(velocities_are_the_nearest),
    cmocka_unit_test(held_rates_stay),
    cmocka_unit_test(arguments_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
