// Stages: what an acceleration was computed from has changed, so that asking for it is an error and
// never gives the numbers of an earlier forward dynamics.
#include <math.h>
#include <stdlib.h>

#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"

// what a robot's accelerations depend on beside q, v, tau and wrenches
typedef enum change {
  CHANGE_GRAVITY,
  CHANGE_FRICTION,
  CHANGE_ROTORS,
  CHANGE_PAYLOAD,
  REMOVE_PAYLOAD,
  CLEAR_PAYLOADS,
  ASK_CHRISTOFFEL,
  CHANGES
} change_t;

static mbd_status_t
make_change(const mbd_model_t * m, mbd_data_t * d, change_t change)
{
  const mbd_inertia_t load =
    mbdu_inertia_from_com(1, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  double * G = malloc((size_t)m->nv * (size_t)m->nv * sizeof *G);
  mbd_status_t status = MBD_ERROR_BAD_ARGUMENT;
  switch (change) {
    case CHANGE_GRAVITY: status = mbd_set_gravity(d, mbdu_vec3(1, 2, 3)); break;
    case CHANGE_FRICTION: status = mbd_set_terms(d, d->terms ^ MBD_TERM_FRICTION); break;
    case CHANGE_ROTORS: status = mbd_set_terms(d, d->terms ^ MBD_TERM_ROTORS); break;
    case CHANGE_PAYLOAD: status = mbd_payload_attach(m, d, m->nframe - 1, &load); break;
    case REMOVE_PAYLOAD: status = mbd_payload_remove(m, d, m->nframe - 1); break;
    case CLEAR_PAYLOADS: status = mbd_payload_clear(m, d); break;
    case ASK_CHRISTOFFEL: status = mbd_christoffel(m, d, 0, G); break;
    case CHANGES: break;
  }
  free(G);
  return status;
}

// how accelerations come about
static mbd_status_t
accelerate(
  const mbd_model_t * m, mbd_data_t * d, int call, const double * q, const double * v,
  const mbd_wrenches_t * wrenches)
{
  double * x = calloc((size_t)m->nv + 1, sizeof *x);
  mbd_status_t status = mbd_set_state(m, d, q, v);
  if (status == MBD_OK && call == 0) status = mbd_forward_dynamics(m, d, q, v, NULL, NULL, x);
  if (status == MBD_OK && call == 1) status = mbd_forward_dynamics(m, d, q, v, NULL, wrenches, x);
  if (status == MBD_OK && call == 2) {
    status = mbd_forward_dynamics(m, d, NULL, NULL, NULL, NULL, x);
  }
  if (status == MBD_OK && call == 3) status = mbd_inverse_dynamics(m, d, q, v, NULL, NULL, x);
  free(x);
  return status;
}

static int
try_changes(const mbd_model_t * m, mbd_data_t * d, const double * q, const double * v)
{
  const mbd_inertia_t load =
    mbdu_inertia_from_com(2, mbdu_vec3(0, 0.1, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  const mbd_wrench_t wrench = {m->nframe - 1, MBD_WORLD, {{1, 2, 3}, {4, 5, 6}}};
  const mbd_wrenches_t wrenches = {1, &wrench};
  int tried = 0;
  for (int call = 0; call < 4; call++) {
    for (int change = 0; change < CHANGES; change++) {
      mbd_motion_t A;
      mbd_force_t f;
      assert_ok(mbd_payload_attach(m, d, m->nframe - 1, &load));
      const mbd_status_t status = accelerate(m, d, call, q, v, &wrenches);
      if (status == MBD_ERROR_MASSLESS_SUBTREE || status == MBD_ERROR_MIMIC) continue;
      assert_ok(status);
      assert_ok(mbd_frame_acceleration(m, d, m->nframe - 1, MBD_LOCAL, &A));
      assert_ok(accelerate(m, d, call, q, v, &wrenches));
      // an embedded model keeps its velocity
      if (change == ASK_CHRISTOFFEL && m->tree) continue;
      assert_ok(make_change(m, d, (change_t)change));
      assert_status(mbd_frame_acceleration(m, d, m->nframe - 1, MBD_LOCAL, &A), MBD_ERROR_STAGE);
      assert_true(mbd_joint_force(m, d, 0, &f) != MBD_OK);
      tried++;
    }
  }
  return tried;
}

static void
changes_make_accelerations_stale(void ** state)
{
  (void)state;
  int tried = 0;
  FOR_TREES(60, NULL) tried += try_changes(t->model, t->data, t->q, t->v);
  const tree_options_t plain = plain_trees();
  FOR_TREES(60, &plain) tried += try_changes(t->model, t->data, t->q, t->v);
  double q[3] = {0.7}, v = 1.5;
  close_crank_rocker(q[0], &q[1], &q[2]);
  mbd_model_t * model = embed_with(crank_rocker(MBD_CLOSURE_REVOLUTE), q, "crank");
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  const int embedded = try_changes(model, data, q, &v);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  assert_count(tried, 2000);
  assert_true(embedded >= 4 * (CHANGES - 1));
}

// the same terms again are no change
static void
what_stays_the_same_keeps_accelerations(void ** state)
{
  (void)state;
  FOR_TREES(20, NULL)
  {
    mbd_motion_t A, B;
    if (accelerate(t->model, t->data, 2, t->q, t->v, NULL) != MBD_OK) continue;
    assert_ok(mbd_frame_acceleration(t->model, t->data, 0, MBD_LOCAL, &A));
    assert_ok(mbd_set_terms(t->data, t->data->terms));
    assert_ok(mbd_frame_acceleration(t->model, t->data, 0, MBD_LOCAL, &B));
    assert_memory_equal(&A, &B, sizeof A);
  }
}

// a motion that the closures refuse leaves no accelerations behind
static void
refused_motion_leaves_nothing(void ** state)
{
  (void)state;
  double q[3] = {0.7}, qdd[3] = {1, 1, 1}, tau[3], v[3] = {0, 0, 0};
  close_crank_rocker(q[0], &q[1], &q[2]);
  mbd_model_t * tree = crank_rocker(MBD_CLOSURE_REVOLUTE);
  assert_ok(mbd_model_finalize(tree));
  mbd_data_t * data;
  assert_ok(mbd_data_create(tree, &data));
  double * work = malloc(mbd_constrained_work(tree) * sizeof *work);
  mbd_motion_t A;
  assert_status(
    mbd_constrained_inverse_dynamics(
      tree, data, q, v, qdd, NULL, NULL, NULL, NULL, work, tau, NULL, NULL),
    MBD_ERROR_NOT_ASSEMBLED);
  assert_status(mbd_frame_acceleration(tree, data, 2, MBD_LOCAL, &A), MBD_ERROR_STAGE);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(tree);
}

// positions and velocities of drivers are those of their time
static void
time_of_drivers_makes_all_stale(void ** state)
{
  (void)state;
  double q[3] = {0.7}, none[1] = {0}, v_tree[3];
  close_crank_rocker(q[0], &q[1], &q[2]);
  for (int driven = 0; driven < 2; driven++) {
    mbd_model_t * tree = crank_rocker(MBD_CLOSURE_REVOLUTE);
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.name = "motor", spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
    spec.joint[0] = "j_crank", spec.coefficient[0] = 1;
    spec.driver.value = q[0], spec.driver.rate = 2;
    if (driven) assert_ok(mbd_model_add_closure(tree, &spec, NULL));
    mbd_model_t * model = embed_with(tree, q, "crank");
    mbd_data_t * data;
    mbd_motion_t V;
    assert_ok(mbd_data_create(model, &data));
    assert_int_equal(model->nv, driven ? 0 : 1);
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_set_velocity(model, data, none));
    assert_ok(mbd_set_time(model, data, 0));
    assert_ok(mbd_tree_velocity(model, data, none, v_tree));
    assert_ok(mbd_set_time(model, data, 0.05));
    const mbd_status_t want = driven ? MBD_ERROR_STAGE : MBD_OK;
    assert_status(mbd_tree_velocity(model, data, none, v_tree), want);
    assert_status(mbd_frame_velocity(model, data, 0, MBD_LOCAL, &V), want);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(changes_make_accelerations_stale),
    cmocka_unit_test(what_stays_the_same_keeps_accelerations),
    cmocka_unit_test(refused_motion_leaves_nothing),
    cmocka_unit_test(time_of_drivers_makes_all_stale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
