// Steps with dry and viscous friction in the joints: what a solution is, by dense matrices; locked joints; embedded
// loops; a block on a belt.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints.h"
#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/constraints/embedding.h"
#include "null_space.h"

enum { MOST = 3 };

static mbd_contact_options_t
no_limits(void)
{
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = false;
  return options;
}

// velocity of B's point along e, as a row; by the oracle
static mat_t
row_along(const dense_t * d, const mbd_contact_t * c, mbd_vec3_t e)
{
  const double x[3] = {c->point.x, c->point.y, c->point.z}, a[3] = {e.x, e.y, e.z};
  const mat_t J = dense_jacobian(d, c->frame_b, MBD_WORLD);
  const mat_t at_point = sub(block(J, 3, 0, 3, d->nv), PROD(skew3(x), block(J, 0, 0, 3, d->nv)));
  return PROD(mat_from(1, 3, a), at_point);
}

// a robot in motion with friction in its joints, and contacts with the world that touch
typedef struct stage {
  tree_t * t;
  double *work, *dry, *viscous, *impulse;
  int n;
  mbd_contact_t contact[MOST];
} stage_t;

static stage_t
stage_of(uint64_t seed, double strength)
{
  stage_t s = {.t = closed_tree(seed, NULL, 4)};
  uint64_t state = seed * 77;
  const mbd_model_t * m = s.t->model;
  const size_t nv = (size_t)m->nv;
  s.work = calloc(mbd_friction_step_work(m, MOST) + mbd_assembly_work(m) + 1, sizeof *s.work);
  s.dry = calloc(3 * nv, sizeof *s.dry);
  s.viscous = s.dry + nv, s.impulse = s.viscous + nv;
  assert_ok(mbd_set_position(m, s.t->data, s.t->q));
  assert_ok(mbd_project_velocity(m, s.t->data, NULL, s.t->v, s.work, s.t->v, NULL));
  assert_ok(mbd_set_velocity(m, s.t->data, s.t->v));
  for (size_t k = 0; k < nv; k++) {
    s.dry[k] = random_below(&state, 3) == 0 ? 0 : strength * (1 + random_vec3(&state, 1).x);
    s.viscous[k] = random_below(&state, 2) == 0 ? 0 : strength * (1 + random_vec3(&state, 1).x);
  }
  s.n = random_below(&state, MOST + 1);
  for (int k = 0; k < s.n; k++) {
    mbd_contact_t * c = &s.contact[k];
    *c = mbd_contact_default();
    c->frame_b = m->body[random_below(&state, m->nbody)].link_frame;
    c->point = random_vec3(&state, 1);
    const mbd_vec3_t n = random_vec3(&state, 1);
    c->normal = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
    c->friction = 0.3;
  }
  return s;
}

static void
stage_free(stage_t * s)
{
  free(s->work), free(s->dry);
  tree_free(s->t);
  mats_free();
}

// Newton's law with all impulses; friction opposed to the motion, within its bound, and nothing else holds a joint
static void
friction_obeys_its_law(void ** context)
{
  (void)context;
  int stuck = 0, slid = 0, touching = 0;
  tally_t solved = {0};
  const double dt = 0.01;
  FOR_SEEDS(TREES)
  {
    // from weak to so strong that nothing moves
    stage_t s = stage_of(seed, pow(10, (double)(seed % 6) - 1));
    const mbd_model_t * m = s.t->model;
    const dense_t d = dense_of(s.t);
    const mat_t M = dense_mass(&d), v = column(m->nv, s.t->v);
    mat_t G = mat(m->nrow, m->nv), Lambda = mat(m->nrow, 1), out = mat(m->nv, 1);
    assert_ok(mbd_set_position(m, s.t->data, s.t->q));
    assert_ok(mbd_set_velocity(m, s.t->data, s.t->v));
    assert_ok(mbd_closure_jacobian(m, s.t->data, G.a));
    const mbd_contact_options_t options = no_limits();
    const mbd_joint_friction_t friction = {m->nv, s.dry, s.viscous, s.impulse};
    mbd_contact_info_t info;
    const mbd_status_t status = mbd_friction_step(
      m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &friction, &options, s.work, out.a, NULL,
      Lambda.a, &info);
    if (!tally(&solved, status == MBD_OK)) {
      assert_int_equal(status, MBD_ERROR_NOT_CONVERGED);
      stage_free(&s);
      continue;
    }
    mat_t impulse = SUM(
      scale(dt, sub(column(m->nv, s.t->tau), dense_bias(&d))), column(m->nv, s.impulse),
      PROD(tr(G), Lambda));
    for (int k = 0; k < m->nv; k++) impulse.a[k] -= dt * s.viscous[k] * out.a[k];
    for (int k = 0; k < s.n; k++) {
      const mbd_contact_t * c = &s.contact[k];
      const double f[3] = {c->force.x, c->force.y, c->force.z};
      for (int j = 0; j < 3; j++) {
        const mbd_vec3_t e = {j == 0, j == 1, j == 2};
        impulse = SUM(impulse, scale(f[j], tr(row_along(&d, c, e))));
      }
      assert_true(scalar(PROD(row_along(&d, c, c->normal), out)) > -1e-6 || m->nrow > 0);
      touching += c->mode != MBD_CONTACT_OPEN;
    }
    const mat_t momentum = PROD(M, sub(out, v));
    const double size = fmax(1, larger(largest_entry(momentum), largest_entry(impulse)));
    assert_mat_floor(momentum, impulse, 1e-7, size, "law of Newton, seed %lu", seed);
    // a joint that closures hold needs no friction
    const double fast = 1e-6 * fmax(1, largest_entry(out));
    for (int k = 0; k < m->nv; k++) {
      const double most = dt * s.dry[k], p = s.impulse[k], w = out.a[k];
      assert_true(fabs(p) <= most * (1 + 1e-12));
      if (most == 0) assert_true(p == 0);
      if (most == 0 || fabs(w) <= fast) {
        stuck += most > 0;
        continue;
      }
      assert_near(p, w > 0 ? -most : most, 1e-9 * fmax(1, most), "slides, seed %lu", seed);
      slid++;
    }
    // the same again, from its own forces
    mat_t again = mat(m->nv, 1);
    assert_ok(mbd_friction_step(
      m, s.t->data, s.t->tau, NULL, dt, s.n, s.contact, &friction, &options, s.work, again.a, NULL,
      NULL, &info));
    assert_mat_floor(again, out, 1e-6, fmax(1, largest_entry(out)), "again, seed %lu", seed);
    stage_free(&s);
  }
  print_message("%d joints stuck, %d slid, %d contacts\n", stuck, slid, touching);
  assert_count(stuck, 300);
  assert_count(slid, 300);
  assert_count(touching, 50);
  assert_enough(&solved, 0.99);
}

// joints that are locked do not move, and those that are free do not feel friction
static void
locked_joints_do_not_move(void ** context)
{
  (void)context;
  int locked = 0;
  const tree_options_t plain = plain_trees();
  FOR_TREES(TREES, &plain)
  {
    const mbd_model_t * m = t->model;
    const double dt = 0.01;
    double * work = calloc(mbd_friction_step_work(m, 0), sizeof *work);
    double * dry = calloc((size_t)m->nv, sizeof *dry);
    mat_t out = mat(m->nv, 1);
    for (int k = 0; k < m->nv; k++) dry[k] = (k + (int)seed) % 3 == 0 ? HUGE_VAL : 0;
    set_state(t);
    const mbd_contact_options_t options = no_limits();
    const mbd_joint_friction_t friction = {m->nv, dry, NULL, NULL};
    assert_ok(mbd_friction_step(
      m, t->data, t->tau, NULL, dt, 0, NULL, &friction, &options, work, out.a, NULL, NULL, NULL));
    // M of the others alone
    const dense_t d = dense_of(t);
    const mat_t M = dense_mass(&d);
    const mat_t rhs =
      SUM(PROD(M, column(m->nv, t->v)), scale(dt, sub(column(m->nv, t->tau), dense_bias(&d))));
    mat_t A = mat(m->nv, m->nv), b = mat(m->nv, 1);
    for (int i = 0; i < m->nv; i++) {
      A.a[i * m->nv + i] = 1;
      if (dry[i] > 0) continue;
      b.a[i] = rhs.a[i];
      for (int j = 0; j < m->nv; j++) A.a[i * m->nv + j] = dry[j] > 0 ? 0 : M.a[i * m->nv + j];
    }
    const mat_t want = PROD(inverse(A), b);
    assert_mat_floor(out, want, 1e-8, fmax(1, largest_entry(want)), "seed %lu", seed);
    for (int k = 0; k < m->nv; k++) locked += dry[k] > 0;
    free(work), free(dry);
  }
  assert_count(locked, 200);
}

// an embedded model steps as its tree with closures
static void
embedded_models_step_as_their_trees(void ** context)
{
  (void)context;
  int compared = 0;
  const double dt = 0.01;
  FOR_SEEDS(TREES)
  {
    stage_t s = stage_of(seed, 3);
    const mbd_model_t * m = s.t->model;
    mbd_model_t * model;
    if (m->nclosure > 0 && mbd_model_embed(s.t->model, NULL, &model) == MBD_OK) {
      mbd_data_t * data;
      mat_t v = mat(m->nv, 1), x = mat(model->nv, 1), tau = mat(model->nv, 1), tree = mat(m->nv, 1);
      double * work = calloc(mbd_friction_step_work(model, 0), sizeof *work);
      assert_ok(mbd_data_create(model, &data));
      const mbd_contact_options_t options = no_limits();
      const mbd_joint_friction_t friction = {m->nv, s.dry, s.viscous, NULL};
      // from rest: in motion they differ by what loops turn in a step
      memset(s.t->v, 0, (size_t)m->nv * sizeof *s.t->v);
      set_state(s.t);
      const mbd_status_t status = mbd_friction_step(
        m, s.t->data, s.t->tau, NULL, dt, 0, NULL, &friction, &options, s.work, v.a, NULL, NULL,
        NULL);
      mat_t start = mat(model->nv, 1);
      if (status == MBD_OK && mbd_set_state(model, data, s.t->q, start.a) == MBD_OK) {
        assert_ok(mbd_reduce_torque(model, data, s.t->tau, tau.a));
        const mbd_status_t reduced = mbd_friction_step(
          model, data, tau.a, NULL, dt, 0, NULL, &friction, &options, work, x.a, NULL, NULL, NULL);
        if (reduced == MBD_OK) {
          assert_ok(mbd_tree_velocity(model, data, x.a, tree.a));
          assert_mat_floor(tree, v, 1e-6, fmax(1, largest_entry(v)), "seed %lu", seed);
          compared++;
        }
      }
      free(work);
      mbd_data_destroy(data);
      mbd_model_destroy(model);
    }
    stage_free(&s);
  }
  assert_count(compared, 20);
}

// a pendulum that its friction holds does not creep; it lets go where the load exceeds the friction
static void
stuck_joint_does_not_creep(void ** context)
{
  (void)context;
  mbd_model_t * m;
  mbd_data_t * data;
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "bob", spec.joint_name = "hinge", spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 1, 0);
  spec.inertia =
    mbdu_inertia_from_com(2, mbdu_vec3(0, 0, -0.5), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  int frame;
  assert_ok(mbd_model_create("pendulum", &m));
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  assert_ok(mbd_model_finalize(m));
  assert_ok(mbd_data_create(m, &data));
  double * work = calloc(mbd_friction_step_work(m, 0), sizeof *work);
  const double load = 2 * 9.81 * 0.5, h = 1e-3;
  for (int k = 0; k < 2; k++) {
    double q = 1.5707963267948966, v = 0, impulse = 0;
    const double dry = load * (k == 0 ? 1 + 1e-9 : 1 - 1e-3);
    const mbd_joint_friction_t friction = {1, &dry, NULL, &impulse};
    for (int i = 0; i < 60000 && (k == 0 || i < 1000); i++) {
      assert_ok(mbd_set_state(m, data, &q, &v));
      assert_ok(mbd_friction_step(
        m, data, NULL, NULL, h, 0, NULL, &friction, NULL, work, &v, NULL, NULL, NULL));
      q += h * v;
    }
    const double moved = fabs(q - 1.5707963267948966);
    print_message("friction %.9f of the load: %.3e rad\n", dry / load, moved);
    assert_true(k == 0 ? moved < 1e-12 : moved > 1e-3);
  }
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(m);
}

static void
bad_friction_is_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  const mbd_model_t * m = t->model;
  double * work = calloc(mbd_friction_step_work(m, 0), sizeof *work);
  double *x = calloc((size_t)m->nv, sizeof *x), *v = calloc((size_t)m->nv, sizeof *v);
  assert_int_equal(mbd_friction_step_work(NULL, 0), 0);
  set_state(t);
  const struct {
    mbd_joint_friction_t friction;
    double value;
    mbd_status_t status;
  } bad[] = {
    {{m->nv + 1, x, NULL, NULL}, 0, MBD_ERROR_BAD_ARGUMENT},
    {{m->nv, x, NULL, NULL}, -1, MBD_ERROR_BAD_ARGUMENT},
    {{m->nv, NULL, x, NULL}, -1, MBD_ERROR_BAD_ARGUMENT},
    {{m->nv, x, NULL, NULL}, NAN, MBD_ERROR_NOT_FINITE},
    {{m->nv, NULL, x, NULL}, INFINITY, MBD_ERROR_NOT_FINITE},
    {{m->nv, NULL, NULL, x}, NAN, MBD_ERROR_NOT_FINITE}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    x[0] = bad[k].value;
    v[0] = 17;
    assert_int_equal(
      mbd_friction_step(
        m, t->data, NULL, NULL, 0.01, 0, NULL, &bad[k].friction, NULL, work, v, NULL, NULL, NULL),
      bad[k].status);
    assert_true(v[0] == 17);
  }
  free(work), free(x), free(v);
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(friction_obeys_its_law),
    cmocka_unit_test(locked_joints_do_not_move),
    cmocka_unit_test(embedded_models_step_as_their_trees),
    cmocka_unit_test(stuck_joint_does_not_creep),
    cmocka_unit_test(bad_friction_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
