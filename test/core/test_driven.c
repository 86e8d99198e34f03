// Driven analysis of random mechanisms: positions by Newton's method on lengths of rods, velocities and
// accelerations by differences in time, mobility and implied rows by ranks; a four-bar against its closed form,
// with its lock-up; errors.
#include "mbdyn/simulate/driven.h"

#include "random_mechanism.h"

typedef struct law {
  double value, amplitude, rate;
} law_t;

// s = value + amplitude sin(rate t)
static void
law_at(void * ctx, double t, double * value, double * rate, double * second)
{
  const law_t * l = ctx;
  *value = l->value + l->amplitude * sin(l->rate * t);
  *rate = l->amplitude * l->rate * cos(l->rate * t);
  *second = -l->amplitude * l->rate * l->rate * sin(l->rate * t);
}

typedef struct drives {
  mechanism_t m;
  int n;
  int joint[MOST_JOINTS];  // coordinate
  law_t law[MOST_JOINTS];
  void * memory;
  mbd_driven_t * driven;
  const mbd_driven_info_t * info;
} drives_t;

static void
add_driver(drives_t * d, const char * name, const char * joint, law_t * law)
{
  mbd_closure_spec_t c = mbd_closure_spec_default();
  c.name = name, c.type = MBD_CLOSURE_COUPLING;
  c.ncoupled = 1, c.joint[0] = joint, c.coefficient[0] = 1;
  c.driver.at = law_at, c.driver.ctx = law;
  assert_ok(mbd_model_add_closure(d->m.model, &c, NULL));
}

static void
driven_begin(drives_t * d)
{
  mechanism_begin(&d->m);
  const size_t size = mbd_driven_size(d->m.model);
  d->memory = malloc(size);
  assert_ok(mbd_driven_init(d->m.model, NULL, d->memory, size, &d->driven));
  d->info = mbd_driven_info(d->driven);
}

static void
driven_end(drives_t * d)
{
  free(d->memory);
  mechanism_free(&d->m);
}

// drivers on joints whose rows, with those of the rods, are independent
static bool
drive_randomly(drives_t * d, const tree_t * t, uint64_t seed, int nrod, int twice)
{
  static const char * const names[] = {"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9"};
  uint64_t r = seed;
  const mechanism_t probe = random_mechanism(t, seed, nrod - twice);
  mat_t A = slopes(&probe, nrod - twice, NULL, t->q);
  mechanism_t freed = probe;
  mechanism_free(&freed);
  const int nv = t->model->nv;
  *d = (drives_t){.m = mechanism_with(t, seed, nrod, twice)};
  bool used[MOST_JOINTS] = {false};
  for (int tries = 0; tries < 60 && A.r < nv; tries++) {
    const int body = random_below(&r, t->model->nbody), k = t->model->body[body].v_index;
    mat_t row = mat(1, nv);
    row.a[k] = 1;
    if (used[k] || weakest(unit_rows(stack(A, row))) < 0.05) continue;
    A = stack(A, row);
    used[k] = true;
    d->joint[d->n] = t->model->body[body].q_index;
    d->law[d->n] = (law_t){t->q[d->joint[d->n]], 0.08 * random_signed(&r), 3};
    add_driver(d, names[d->n], t->model->body[body].joint_name, &d->law[d->n]);
    d->n++;
  }
  driven_begin(d);
  return A.r == nv && largest_entry(A) < 10;
}

// Newton's method with the Jacobian of differences: rods but the repeated ones, then drivers
static mat_t
solve(const drives_t * d, double t, const double * guess)
{
  const int nv = d->m.model->nv, nrod = nv - d->n;
  mat_t q = column(nv, guess);
  for (int i = 0; i < 12; i++) {
    mat_t e = mat(nv, 1), J = mat(nv, nv);
    if (nrod > 0) {
      set_block(e, 0, 0, block(rods_at(&d->m, q.a), 0, 0, nrod, 1));
      set_block(J, 0, 0, slopes(&d->m, nrod, NULL, q.a));
    }
    for (int k = 0; k < d->n; k++) {
      double s, unused[2];
      law_at((void *)(uintptr_t)&d->law[k], t, &s, &unused[0], &unused[1]);
      e.a[nrod + k] = q.a[d->joint[k]] - s;
      *at(J, nrod + k, d->joint[k]) = 1;
    }
    q = sub(q, PROD(inverse(J), e));
  }
  return q;
}

static void
motion_of_random_mechanisms(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  int looped = 0;
  const tree_options_t trees = mechanism_trees(6);
  FOR_TREES(TREES, &trees)
  {
    const int nv = t->model->nv;
    const int nrod = nv > 2 ? (int)(seed % 3) : 0;
    drives_t d;
    if (tally(&cases, drive_randomly(&d, t, seed, nrod, 0))) {
      assert_ok(mbd_driven_start(d.driven, d.m.data, 0, t->q, NULL));
      assert_int_equal(d.info->mobility, nv - nrod);
      assert_int_equal(d.info->mobility_count, nv - nrod);
      assert_int_equal(d.info->ndriver, d.n);
      assert_int_equal(d.info->nimplied, 0);
      mat_t guess = column(nv, t->q);
      for (int k = 1; k <= 4; k++) {
        // positions around a time, by hand
        const double time = 0.1 * k, h = 1e-3;
        mat_t x[5];
        for (int i = 0; i < 5; i++) x[i] = solve(&d, time + (i - 2) * h, guess.a);
        guess = x[2];
        const mbd_status_t status = mbd_driven_to(d.driven, d.m.data, time);
        if (status == MBD_ERROR_LOCKED || d.info->nsingular > 0) break;
        assert_ok(status);
        const mat_t q = column(nv, d.info->q);
        // another branch after a singular configuration of the differences
        if (largest_entry(sub(x[2], q)) > 0.1) break;
        assert_mat_floor(q, x[2], 1e-9, 1, "q at %g s, seed %d", time, (int)seed);
        mat_t v = scale(1 / (12 * h), SUM(scale(8, sub(x[3], x[1])), sub(x[0], x[4])));
        mat_t a = scale(
          1 / (12 * h * h),
          SUM(scale(16, SUM(x[1], x[3])), scale(-1, SUM(x[0], x[4])), scale(-30, x[2])));
        assert_mat_floor(column(nv, d.info->v), v, 1e-6, 1, "v at %g s, seed %d", time, (int)seed);
        assert_mat_floor(
          column(nv, d.info->qdd), a, 1e-3, 1, "qdd at %g s, seed %d", time, (int)seed);
        looped += nrod > 0;
        // the workspace is that of the state
        assert_memory_equal(d.m.data->q, d.info->q, (size_t)nv * sizeof(double));
        assert_memory_equal(d.m.data->v, d.info->v, (size_t)nv * sizeof(double));
      }
    }
    driven_end(&d);
  }
  assert_enough(&cases, 0.3);
  assert_count(looped, 100);
}

// the last rod twice: one row is implied, and by counting there is a degree of freedom less
static void
repeated_rods_are_implied(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t trees = mechanism_trees(6);
  FOR_TREES(TREES, &trees)
  {
    const int nv = t->model->nv, nrod = 2 + (int)(seed % 2);
    if (nv < nrod) continue;
    drives_t d, once;
    const bool use = drive_randomly(&d, t, seed, nrod, 1);
    if (tally(&cases, use)) {
      assert_true(drive_randomly(&once, t, seed, nrod - 1, 0) || true);
      assert_ok(mbd_driven_start(d.driven, d.m.data, 0, t->q, NULL));
      assert_int_equal(d.info->nimplied, 1);
      assert_int_equal(d.info->mobility, nv - nrod + 1);
      assert_int_equal(d.info->mobility_count, nv - nrod);
      for (int r = 0; r < d.m.model->nrow; r++)
        assert_int_equal(d.info->implied[r], r == d.m.model->closure[nrod - 1].row);
      assert_ok(mbd_driven_start(once.driven, once.m.data, 0, t->q, NULL));
      const mbd_status_t status[2] = {
        mbd_driven_to(d.driven, d.m.data, 0.2), mbd_driven_to(once.driven, once.m.data, 0.2)};
      assert_int_equal(status[0], status[1]);
      if (status[0] == MBD_OK) {
        assert_mat_floor(
          column(nv, d.info->q), column(nv, once.info->q), 1e-8, 1, "q, seed %d", (int)seed);
        assert_mat_floor(
          column(nv, d.info->v), column(nv, once.info->v), 1e-7, 1, "v, seed %d", (int)seed);
      }
      driven_end(&once);
    }
    driven_end(&d);
  }
  assert_enough(&cases, 0.3);
}

//---------- a four-bar ----------

typedef struct four_bar {
  mbd_model_t * model;
  mbd_data_t * data;
  void * memory;
  mbd_driven_t * driven;
  const mbd_driven_info_t * info;
} four_bar_t;

// base of 2 m, crank, rod, rocker; the crank turns by 1 rad/s
static four_bar_t
four_bar(double crank, double rod, double rocker, bool drive)
{
  four_bar_t f = {0};
  mbd_body_spec_t link = mbd_body_spec_default();
  mbd_closure_spec_t c = mbd_closure_spec_default();
  int frame[2];
  assert_ok(mbd_model_create("four-bar", &f.model));
  link.type = MBD_JOINT_CONTINUOUS;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  link.name = link.joint_name = "crank";
  assert_ok(mbd_model_add_body(f.model, &link, &frame[0]));
  link.name = link.joint_name = "rocker", link.placement.p.x = 2;
  assert_ok(mbd_model_add_body(f.model, &link, &frame[1]));
  c.name = "rod", c.type = MBD_CLOSURE_DISTANCE, c.distance = rod;
  c.frame_a = frame[0], c.X_a.p.x = crank, c.frame_b = frame[1], c.X_b.p.x = rocker;
  assert_ok(mbd_model_add_closure(f.model, &c, NULL));
  c = mbd_closure_spec_default();
  c.name = "motor", c.type = MBD_CLOSURE_COUPLING, c.ncoupled = 1;
  c.joint[0] = "crank", c.coefficient[0] = 1, c.driver.value = 0.5, c.driver.rate = 1;
  if (drive) assert_ok(mbd_model_add_closure(f.model, &c, NULL));
  assert_ok(mbd_model_finalize(f.model));
  assert_ok(mbd_data_create(f.model, &f.data));
  const size_t size = mbd_driven_size(f.model);
  f.memory = malloc(size);
  assert_ok(mbd_driven_init(f.model, NULL, f.memory, size, &f.driven));
  f.info = mbd_driven_info(f.driven);
  return f;
}

static void
four_bar_end(four_bar_t * f)
{
  free(f->memory);
  mbd_data_destroy(f->data);
  mbd_model_destroy(f->model);
}

// angle of the rocker on the side of `side`: law of cosines in the two triangles of the diagonal
static double
rocker_angle(double crank, double rod, double rocker, double angle, double side)
{
  const double x = crank * cos(angle) - 2, y = crank * sin(angle), diagonal = hypot(x, y);
  const double cosine =
    (diagonal * diagonal + rocker * rocker - rod * rod) / (2 * diagonal * rocker);
  return atan2(y, x) - side * acos(cosine);
}

static void
cranks_turn_or_lock(void ** state)
{
  (void)state;
  int turned = 0, locked = 0;
  FOR_SEEDS(100)
  {
    uint64_t r = seed;
    const double crank = random_between(&r, 0.3, 2), rod = random_between(&r, 0.5, 3);
    const double rocker = random_between(&r, 0.5, 3);
    double guess[2] = {0.5, rocker_angle(crank, rod, rocker, 0.5, 1)};
    if (isnan(guess[1])) continue;
    four_bar_t f = four_bar(crank, rod, rocker, true);
    // the diagonal is between |rod - rocker| and rod + rocker
    const double low = (crank * crank + 4 - pow(rod + rocker, 2)) / (4 * crank);
    const double high = (crank * crank + 4 - pow(rod - rocker, 2)) / (4 * crank);
    // first angle above 0.5 at which cos(angle) leaves [low, high]
    double end = HUGE_VAL;
    if (low > -1) end = fmin(end, acos(low));
    if (high < 1) end = fmin(end, 2 * acos(-1) - acos(high));
    // nearly folded mechanisms are of no use here
    const bool clear = fabs(low + 1) > 0.02 && fabs(high - 1) > 0.02;
    mbd_status_t status = mbd_driven_start(f.driven, f.data, 0, guess, NULL);
    for (int k = 1; clear && status == MBD_OK && k <= 70; k++) {
      status = mbd_driven_to(f.driven, f.data, 0.1 * k);
      if (status != MBD_OK) break;
      const double angle = rocker_angle(crank, rod, rocker, 0.5 + 0.1 * k, 1);
      const double off = mbdu_angle_between(angle, f.info->q[1]);
      if (!(fabs(off) < 1e-9)) fail_msg("rocker off by %g, seed %d", off, (int)seed);
    }
    if (clear && end < 7) {
      assert_status(status, MBD_ERROR_LOCKED);
      assert_int_equal(f.info->event.type, MBD_DRIVEN_LOCK_UP);
      const double t = f.info->event.t, expected = end - 0.5;
      assert_close(&t, &expected, 1, 1e-8, "lock-up, seed %d", (int)seed);
      assert_true(f.info->event.driver && f.info->t < t);
      locked++;
    } else if (clear) {
      assert_ok(status);
      assert_int_equal(f.info->nsingular, 0);
      turned++;
    }
    four_bar_end(&f);
  }
  assert_count(turned, 8);
  assert_count(locked, 20);
}

static void
bad_arguments(void ** state)
{
  (void)state;
  four_bar_t f = four_bar(0.5, 2, 1, true), idle = four_bar(0.5, 2, 1, false);
  tree_t * other = random_tree(5, NULL);
  const double guess[2] = {0.5, rocker_angle(0.5, 2, 1, 0.5, 1)}, bad[2] = {0.5, (double)NAN};
  const size_t size = mbd_driven_size(f.model);
  mbd_driven_t * d = NULL;
  assert_int_equal(mbd_driven_size(NULL), 0);
  assert_null(mbd_driven_info(NULL));
  assert_string_equal(mbd_driven_type_name(MBD_DRIVEN_LOCK_UP), "lock-up");
  assert_string_equal(mbd_driven_type_name((mbd_driven_type_t)9), "unknown");
  assert_status(mbd_driven_init(NULL, NULL, f.memory, size, &d), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_driven_init(f.model, NULL, NULL, size, &d), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_driven_init(f.model, NULL, f.memory, size - 1, &d), MBD_ERROR_TOO_SMALL);
  for (int k = 0; k < 6; k++) {
    mbd_driven_options_t o = mbd_driven_options_default();
    *(k < 2 ? &o.tolerance : k < 4 ? &o.rank_tolerance : &o.step) = k % 2 ? (double)NAN : 0;
    assert_status(mbd_driven_init(f.model, &o, f.memory, size, &d), MBD_ERROR_BAD_ARGUMENT);
  }
  assert_null(d);
  // before the start; a bad start; none beyond
  assert_status(mbd_driven_to(f.driven, f.data, 1), MBD_ERROR_STAGE);
  assert_status(mbd_driven_start(f.driven, f.data, 0, bad, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_driven_start(f.driven, f.data, (double)NAN, guess, NULL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_driven_start(f.driven, f.data, 0, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_driven_start(f.driven, other->data, 0, guess, NULL), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_driven_to(f.driven, f.data, 1), MBD_ERROR_STAGE);
  assert_ok(mbd_driven_start(f.driven, f.data, 0, guess, NULL));
  assert_ok(mbd_driven_to(f.driven, f.data, 1));
  const double q = f.info->q[1];
  assert_status(mbd_driven_to(f.driven, f.data, 0.5), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_driven_to(f.driven, f.data, (double)NAN), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_driven_to(f.driven, f.data, HUGE_VAL), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_driven_to(f.driven, NULL, 2), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_driven_to(f.driven, other->data, 2), MBD_ERROR_MODEL_MISMATCH);
  assert_true(f.info->t == 1 && f.info->q[1] == q);
  // the same time again, and a second start
  assert_ok(mbd_driven_to(f.driven, f.data, 1));
  assert_ok(mbd_driven_start(f.driven, f.data, 0, guess, NULL));
  assert_ok(mbd_driven_to(f.driven, f.data, 1));
  assert_true(fabs(f.info->q[1] - q) < 1e-9);
  // no driver
  assert_status(mbd_driven_start(idle.driven, idle.data, 0, guess, NULL), MBD_ERROR_UNDERACTUATED);
  assert_int_equal(idle.info->mobility, 1);
  assert_true(fabs(idle.info->q[1] - guess[1]) < 1e-6 && idle.info->v[0] == 0);
  tree_free(other);
  four_bar_end(&f), four_bar_end(&idle);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(motion_of_random_mechanisms),
    cmocka_unit_test(repeated_rods_are_implied),
    cmocka_unit_test(cranks_turn_or_lock),
    cmocka_unit_test(bad_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
