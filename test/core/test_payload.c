// Payloads: as if they were links, and gone without a trace.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loops.h"

// everything that depends on inertia, in one list of numbers
static mat_t
all_results(const mbd_model_t * m, mbd_data_t * d, const tree_t * t)
{
  const int nv = m->nv, n = 2 * nv * nv + 3 * nv + 5 + 36;
  mat_t all = mat(n, 1);
  double * x = all.a;
  mbd_vec3_t com;
  assert_ok(mbd_set_state(m, d, t->q, NULL));
  assert_ok(mbd_mass_matrix(m, d, x)), x += nv * nv;
  assert_ok(mbd_mass_matrix_inverse(m, d, x)), x += nv * nv;
  assert_ok(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, &t->f_ext, x)), x += nv;
  assert_ok(mbd_forward_dynamics(m, d, t->q, t->v, t->tau, &t->f_ext, x)), x += nv;
  assert_ok(mbd_gravity(m, d, x)), x += nv;
  assert_ok(mbd_kinetic_energy(m, d, x)), x += 1;
  assert_ok(mbd_potential_energy(m, d, x)), x += 1;
  assert_ok(mbd_center_of_mass(m, d, NULL, &com));
  x[0] = com.x, x[1] = com.y, x[2] = com.z, x += 3;
  assert_ok(mbd_operational_space_compliance(m, d, m->nframe - 1, MBD_LOCAL, x));
  return all;
}

// a model in which the payloads are links on fixed joints
static mbd_model_t *
with_links(const tree_t * t, int n, const int * frame, const mbd_inertia_t * load)
{
  mbd_model_t * model;
  int unused;
  assert_ok(mbd_model_create("loaded", &model));
  assert_ok(mbd_model_set_gravity(model, t->model->gravity));
  for (int k = 0; k < t->nlink; k++) {
    assert_ok(mbd_model_add_body(model, &t->link[k].spec, &unused));
  }
  for (int k = 0; k < n; k++) {
    char name[16];
    snprintf(name, sizeof name, "load_%d", k);
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = frame[k];
    spec.inertia = load[k];
    assert_ok(mbd_model_add_body(model, &spec, &unused));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// held payloads weigh what links would
static void
payloads_are_like_links(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    int frame[3];
    mbd_inertia_t load[3];
    for (int k = 0; k < 3; k++) {
      // three different links; a later one may be fixed to the world
      frame[k] = t->link[random_below(&state, t->nlink)].frame;
      load[k] = random_inertia(&state);
      for (int j = 0; j < k; j++) {
        if (frame[j] == frame[k]) load[j] = load[k];
      }
    }
    int n = 0;
    for (int k = 0; k < 3; k++) {
      bool again = false;
      for (int j = 0; j < n; j++) again = again || frame[j] == frame[k];
      if (again) continue;
      frame[n] = frame[k], load[n] = load[k], n++;
    }
    for (int k = 0; k < n; k++) {
      assert_ok(mbd_payload_attach(t->model, t->data, frame[k], &load[k]));
    }
    mbd_model_t * model = with_links(t, n, frame, load);
    mbd_data_t * data;
    mat_t M = mat(model->nv, model->nv), M0 = mat(model->nv, model->nv);
    mat_t tau = mat(model->nv, 1), tau0 = mat(model->nv, 1);
    assert_ok(mbd_data_create(model, &data));
    assert_ok(mbd_set_state(model, data, t->q, NULL));
    assert_ok(mbd_mass_matrix(model, data, M0.a));
    assert_ok(mbd_set_state(t->model, t->data, t->q, NULL));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_mat(M, M0, 1e-13, "M, seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(model, data, t->q, t->v, t->qdd, NULL, tau0.a));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, tau.a));
    assert_mat_floor(tau, tau0, 1e-12, 1, "tau, seed %lu", seed);
    assert_ok(mbd_forward_dynamics(model, data, t->q, t->v, t->tau, NULL, tau0.a));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, NULL, tau.a));
    assert_mat(tau, tau0, 1e-9, "qdd, seed %lu", seed);
    double mass, mass0;
    mbd_vec3_t com, com0;
    assert_ok(mbd_center_of_mass(t->model, t->data, &mass, &com));
    assert_ok(mbd_center_of_mass(model, data, &mass0, &com0));
    assert_near(mass, mass0, 1e-14, "mass, seed %lu", seed);
    assert_close_floor(&com.x, &com0.x, 3, 1e-13, 1, "centre, seed %lu", seed);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

// M = X^T M_tree X, tau = X^T (M_tree qdd_tree + h_tree): dense, with the load in the body's inertia
static void
assert_loaded(const closed_t * c, const mbd_inertia_t * inertia, const char * what, uint64_t seed)
{
  const mbd_model_t *m = c->model, *tree = c->tree;
  const int nv = m->nv;
  mat_t X = mat(tree->nv, nv), M = mat(nv, nv), tau = mat(nv, 1), qdd = mat(nv, 1);
  mat_t qdd_tree = mat(tree->nv, 1), again = mat(nv, 1);
  for (int k = 0; k < nv; k++) qdd.a[k] = 1 - 0.3 * k;
  assert_ok(mbd_inverse_dynamics(m, c->data, c->t->q, c->v.a, qdd.a, NULL, tau.a));
  assert_ok(mbd_forward_dynamics(m, c->data, c->t->q, c->v.a, tau.a, NULL, again.a));
  assert_ok(mbd_mass_matrix(m, c->data, M.a));
  assert_ok(mbd_embedding_matrix(m, c->data, X.a));
  assert_ok(mbd_tree_velocity(m, c->data, NULL, c->v_tree.a));
  assert_ok(mbd_tree_acceleration(m, c->data, qdd.a, qdd_tree.a));
  const dense_t d = dense_at(tree, inertia, c->data->q, c->v_tree.a, tree->gravity);
  const mat_t M_tree = dense_mass(&d), Xt = tr(X);
  assert_mat(M, PROD(Xt, M_tree, X), 1e-9, "M, %s, seed %lu", what, seed);
  const mat_t expected = PROD(Xt, SUM(PROD(M_tree, qdd_tree), dense_bias(&d)));
  assert_mat_floor(tau, expected, 1e-9, largest_entry(M_tree), "tau, %s, seed %lu", what, seed);
  assert_mat_floor(again, qdd, 1e-6, 1, "qdd, %s, seed %lu", what, seed);
}

// in a model with embedded loops, also after its dynamics were computed without them
static void
payloads_on_loops(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_SEEDS(TREES)
  {
    closed_t c = closed_tree(seed, NULL, 1 + (int)(seed % 2), (int)(seed / 2 % 2));
    double condition = INFINITY;
    if (embed(&c, NULL, 0) && c.model->nv > 0) {
      assert_ok(mbd_set_position(c.model, c.data, c.t->q));
      assert_ok(mbd_embedding_condition(c.model, c.data, &condition, NULL));
    }
    if (condition < 20) {
      uint64_t state = seed;
      const int frame = c.t->link[random_below(&state, c.t->nlink)].frame;
      const mbd_frame_t * f = &c.tree->frame[frame];
      const mbd_inertia_t load = random_inertia(&state);
      assert_loaded(&c, NULL, "without load", seed);
      assert_ok(mbd_payload_attach(c.model, c.data, frame, &load));
      mbd_inertia_t inertia[64];
      assert_true(c.tree->nbody <= 64);
      for (int i = 0; i < c.tree->nbody; i++) inertia[i] = c.tree->body[i].inertia;
      if (f->body >= 0) {
        const mbd_inertia_t moved = mbdu_inertia_to_parent(&f->X, &load);
        inertia[f->body] = mbdu_inertia_add(&inertia[f->body], &moved);
      }
      assert_loaded(&c, inertia, "with load", seed);
      assert_ok(mbd_payload_clear(c.model, c.data));
      assert_loaded(&c, NULL, "load removed", seed);
      compared++;
    }
    closed_free(&c);
  }
  assert_count(compared, TREES / 4);
}

// frames added on links carry loads too, in their own axes
static void
payloads_on_frames_are_turned(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const int f = random_below(&state, t->model->nframe);
    const int body = t->model->frame[f].body;
    if (!tally(&cases, body >= 0)) continue;
    const mbd_inertia_t load = random_inertia(&state);
    assert_ok(mbd_payload_attach(t->model, t->data, f, &load));
    const mat_t phi = phi6(placement4(&t->model->frame[f].X));
    const mat_t sum =
      SUM(inertia6(&t->model->body[body].inertia), PROD(phi, inertia6(&load), tr(phi)));
    assert_mat(inertia6(&t->data->inertia[body]), sum, 1e-13, "frame %d, seed %lu", f, seed);
  }
  assert_enough(&cases, 0.7);
}

// letting go restores every bit, however often and in whatever order
static void
removing_restores_every_bit(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mbd_data_t * d = t->data;
    const mat_t before = all_results(m, d, t);
    uint64_t state = seed;
    for (int k = 0; k < 20; k++) {
      const int f = random_below(&state, m->nframe);
      const mbd_inertia_t load = random_inertia(&state);
      assert_ok(mbd_payload_attach(m, d, f, &load));
      if (random_below(&state, 3) == 0) assert_ok(mbd_payload_remove(m, d, f));
    }
    for (int f = 0; f < m->nframe; f++) {
      const mbd_status_t status = mbd_payload_remove(m, d, f);
      assert_true(status == MBD_OK || status == MBD_ERROR_NOT_FOUND);
      assert_true(!d->payload[f].attached);
    }
    assert_memory_equal(before.a, all_results(m, d, t).a, sizeof(double) * (size_t)before.r);
    const mbd_inertia_t load = random_inertia(&state);
    for (int f = 0; f < m->nframe; f++) assert_ok(mbd_payload_attach(m, d, f, &load));
    assert_ok(mbd_payload_clear(m, d));
    assert_memory_equal(before.a, all_results(m, d, t).a, sizeof(double) * (size_t)before.r);
  }
}

// a second payload at a frame takes the place of the first; order does not matter
static void
attaching_replaces(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    uint64_t state = seed;
    const mbd_inertia_t one = random_inertia(&state), two = random_inertia(&state);
    const int f = random_below(&state, m->nframe), g = random_below(&state, m->nframe);
    mbd_data_t * other;
    assert_ok(mbd_data_create(m, &other));
    assert_ok(mbd_payload_attach(m, other, f, &two));
    assert_ok(mbd_payload_attach(m, t->data, f, &one));
    assert_ok(mbd_payload_attach(m, t->data, f, &two));
    const mat_t expected = all_results(m, other, t), found = all_results(m, t->data, t);
    assert_memory_equal(expected.a, found.a, sizeof(double) * (size_t)found.r);
    if (f != g) {
      assert_ok(mbd_payload_attach(m, other, g, &one));
      assert_ok(mbd_payload_clear(m, t->data));
      assert_ok(mbd_payload_attach(m, t->data, g, &one));
      assert_ok(mbd_payload_attach(m, t->data, f, &two));
      const mat_t both = all_results(m, other, t), same = all_results(m, t->data, t);
      assert_memory_equal(both.a, same.a, sizeof(double) * (size_t)same.r);
    }
    mbd_data_destroy(other);
  }
}

// a payload belongs to one workspace
static void
other_workspaces_do_not_notice(void ** context)
{
  (void)context;
  FOR_TREES(20, NULL)
  {
    const mbd_model_t * m = t->model;
    mbd_data_t * other;
    uint64_t state = seed;
    const mbd_inertia_t load = random_inertia(&state);
    assert_ok(mbd_data_create(m, &other));
    const mat_t before = all_results(m, other, t);
    for (int f = 0; f < m->nframe; f++) assert_ok(mbd_payload_attach(m, t->data, f, &load));
    assert_memory_equal(before.a, all_results(m, other, t).a, sizeof(double) * (size_t)before.r);
    mbd_data_destroy(other);
  }
}

// between two calls on one state: what depends on inertia is computed anew, positions stay
static void
stages_that_depend_on_inertia_become_stale(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const mbd_model_t * m = t->model;
    mbd_data_t * d = t->data;
    uint64_t state = seed;
    const mbd_inertia_t load = random_inertia(&state);
    const int f = m->body[m->nbody - 1].link_frame;
    mat_t M = mat(m->nv, m->nv), M_inv = mat(m->nv, m->nv), h = mat(m->nv, 1);
    double before[36], after[36];
    mbd_force_t force;
    set_state(t);
    assert_ok(mbd_composite_inertia(m, d));
    assert_ok(mbd_operational_space_compliance(m, d, f, MBD_LOCAL, before));
    assert_ok(mbd_bias(m, d, h.a));
    assert_ok(mbd_inverse_dynamics(m, d, NULL, NULL, t->qdd, NULL, h.a));
    assert_ok(mbd_payload_attach(m, d, f, &load));
    assert_status(mbd_joint_force(m, d, 0, &force), MBD_ERROR_STAGE);
    // the state is still there
    assert_ok(mbd_mass_matrix(m, d, M.a));
    assert_ok(mbd_mass_matrix_inverse(m, d, M_inv.a));
    assert_mat(PROD(M, M_inv), eye(m->nv), 1e-9, "M M^-1, seed %lu", seed);
    const dense_t dense = dense_at(m, d->inertia, t->q, t->v, m->gravity);
    assert_mat(M, dense_mass(&dense), 1e-11, "M, seed %lu", seed);
    assert_ok(mbd_bias(m, d, h.a));
    assert_mat_floor(h, dense_bias(&dense), 1e-11, 1, "bias, seed %lu", seed);
    assert_ok(mbd_operational_space_compliance(m, d, f, MBD_LOCAL, after));
    const mat_t J = dense_jacobian(&dense, f, MBD_LOCAL);
    assert_mat(mat_from(6, 6, after), PROD(J, M_inv, tr(J)), 1e-9, "compliance, %lu", seed);
  }
}

static void
bad_payloads_change_nothing(void ** context)
{
  (void)context;
  tree_t *t = random_tree(3, NULL), *other = random_tree(4, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  uint64_t state = 1;
  const mbd_inertia_t good = random_inertia(&state);
  mbd_inertia_t negative = good, broken = good, flat = good;
  negative.mass = -1, broken.I.xy = nan(""), flat.I.xx = -1;
  assert_ok(mbd_payload_attach(m, d, 0, &good));
  const mat_t before = all_results(m, d, t);
  assert_status(mbd_payload_attach(m, d, 0, &negative), MBD_ERROR_BAD_INERTIA);
  assert_status(mbd_payload_attach(m, d, 0, &flat), MBD_ERROR_BAD_INERTIA);
  assert_status(mbd_payload_attach(m, d, 0, &broken), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_payload_attach(m, d, -1, &good), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_payload_attach(m, d, m->nframe, &good), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_payload_attach(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_payload_attach(NULL, d, 0, &good), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_payload_attach(other->model, d, 0, &good), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_payload_remove(m, d, m->nframe), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_payload_remove(m, d, 1), MBD_ERROR_NOT_FOUND);
  assert_status(mbd_payload_remove(other->model, d, 0), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_payload_clear(other->model, d), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_payload_clear(m, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_memory_equal(before.a, all_results(m, d, t).a, sizeof(double) * (size_t)before.r);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(payloads_are_like_links),
    cmocka_unit_test(payloads_on_loops),
    cmocka_unit_test(payloads_on_frames_are_turned),
    cmocka_unit_test(removing_restores_every_bit),
    cmocka_unit_test(attaching_replaces),
    cmocka_unit_test(other_workspaces_do_not_notice),
    cmocka_unit_test(stages_that_depend_on_inertia_become_stale),
    cmocka_unit_test(bad_payloads_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
