// Many states of a robot with loops: threads compute them one by one, and each is what a single call
// gives, bit for bit.
#include <stdlib.h>
#include <string.h>

#include "linkage.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"

enum { STATES = 23, FRAME = 2 };

typedef struct rig {
  mbd_model_t * model;
  mbd_data_t * data;
  double q[STATES][4], v[STATES][2], u[STATES][2];
} rig_t;

// a crank-rocker with a pendulum on its coupler: two independent joints of four
static rig_t
rig_begin(void)
{
  static rig_t r;
  const part_t swing = {"swing", "coupler", 'z', 0.4, 0, 0, 0.7, 0.2, 0, 0, 0.01, 0.02, 0.02};
  for (int k = 0; k < STATES; k++) {
    r.q[k][0] = 0.3 * k;
    close_crank_rocker(r.q[k][0], &r.q[k][1], &r.q[k][3]);
    r.q[k][2] = 0.1 * k - 0.5;  // crank, coupler, swing, rocker
    for (int j = 0; j < 2; j++) {
      r.v[k][j] = 0.5 - 0.07 * k + j;
      r.u[k][j] = 0.2 * k - 1 + 0.3 * j;
    }
  }
  mbd_model_t * tree = crank_rocker(MBD_CLOSURE_REVOLUTE);
  add(tree, &swing);
  r.model = embed_with(tree, r.q[0], "crank");
  assert_int_equal(r.model->nv, 2);
  assert_int_equal(r.model->nq, 4);
  assert_ok(mbd_data_create(r.model, &r.data));
  const mbd_inertia_t load =
    mbdu_inertia_from_com(0.4, mbdu_vec3(0.1, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  assert_ok(mbd_payload_attach(r.model, r.data, FRAME, &load));
  assert_ok(mbd_set_gravity(r.data, mbdu_vec3(1, -9, 0)));
  assert_ok(mbd_set_terms(r.data, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  return r;
}

static void
rig_end(rig_t * r)
{
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
}

static void
same(const void * a, const void * b, size_t size, const char * what, int k)
{
  if (memcmp(a, b, size) != 0) fail_msg("%s of state %d", what, k);
}

static void
dynamics_are_those_of_single_calls(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  for (int threads = 1; threads <= 3; threads += 2) {
    mbd_batch_t * batch;
    double out[5][STATES][2], M[2][STATES][4], one[2], square[4];
    assert_ok(mbd_batch_create(r.model, threads, &batch));
    assert_int_equal(mbd_batch_vector_length(batch), 1);
    assert_ok(mbd_batch_set_parameters_from(batch, r.data));
    assert_ok(mbd_batch_inverse_dynamics(batch, STATES, *r.q, *r.v, *r.u, *out[0]));
    assert_ok(mbd_batch_forward_dynamics(batch, STATES, *r.q, *r.v, *r.u, *out[1]));
    assert_ok(mbd_batch_bias(batch, STATES, *r.q, *r.v, *out[2]));
    assert_ok(mbd_batch_gravity(batch, STATES, *r.q, *out[3]));
    assert_ok(mbd_batch_inverse_dynamics_soa(batch, STATES, *r.q, *r.v, *r.u, *out[4]));
    assert_ok(mbd_batch_mass_matrix(batch, STATES, *r.q, *M[0]));
    assert_ok(mbd_batch_mass_matrix_inverse(batch, STATES, *r.q, *M[1]));
    for (int k = 0; k < STATES; k++) {
      assert_ok(mbd_inverse_dynamics(r.model, r.data, r.q[k], r.v[k], r.u[k], NULL, one));
      same(out[0][k], one, sizeof one, "inverse dynamics", k);
      same(out[4][k], one, sizeof one, "inverse dynamics as SoA", k);
      assert_ok(mbd_bias(r.model, r.data, one));
      same(out[2][k], one, sizeof one, "bias", k);
      assert_ok(mbd_gravity(r.model, r.data, one));
      same(out[3][k], one, sizeof one, "gravity", k);
      assert_ok(mbd_forward_dynamics(r.model, r.data, r.q[k], r.v[k], r.u[k], NULL, one));
      same(out[1][k], one, sizeof one, "forward dynamics", k);
      assert_ok(mbd_mass_matrix(r.model, r.data, square));
      same(M[0][k], square, sizeof square, "mass matrix", k);
      assert_ok(mbd_mass_matrix_inverse(r.model, r.data, square));
      same(M[1][k], square, sizeof square, "its inverse", k);
    }
    mbd_batch_destroy(batch);
  }
  rig_end(&r);
}

// independent joints of loops may feel any other: the pattern is a whole triangle
static void
mass_matrices_as_soa(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  mbd_batch_t * batch;
  int row[3], column[3];
  double packed[STATES * 3], M[2][STATES][4];
  assert_ok(mbd_batch_create(r.model, 2, &batch));
  assert_int_equal(mbd_batch_mass_numbers(batch), 3);
  assert_ok(mbd_batch_mass_pattern(batch, row, column));
  for (int k = 0; k < 3; k++) assert_true(row[k] == (k > 0) && column[k] == (k == 2));
  assert_ok(mbd_batch_mass_matrix_soa(batch, STATES, *r.q, packed));
  assert_ok(mbd_batch_mass_from_soa(batch, STATES, packed, *M[0]));
  assert_ok(mbd_batch_mass_matrix(batch, STATES, *r.q, *M[1]));
  assert_close(*M[0], *M[1], STATES * 4, 1e-14, "mass matrices");
  mbd_batch_destroy(batch);
  rig_end(&r);
}

static void
frames_are_those_of_single_calls(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  mbd_batch_t * batch;
  const int frames[2] = {FRAME, 0};
  static mbd_placement_t X[STATES][2], x;
  static double J[STATES][12], Lambda[STATES][36], j[12], lambda[36];
  static mbd_motion_t A[STATES], a;
  static mbd_force_t p[STATES], momentum;
  assert_ok(mbd_batch_create(r.model, 2, &batch));
  assert_ok(mbd_batch_set_parameters_from(batch, r.data));
  assert_ok(mbd_batch_frame_placements(batch, STATES, *r.q, 2, frames, *X));
  assert_ok(mbd_batch_jacobian(batch, STATES, *r.q, FRAME, MBD_WORLD, *J));
  assert_ok(mbd_batch_jacobian_bias(batch, STATES, *r.q, *r.v, FRAME, MBD_LOCAL, A));
  assert_ok(mbd_batch_operational_space_inertia(batch, STATES, *r.q, FRAME, MBD_LOCAL, *Lambda));
  assert_ok(mbd_batch_centroidal_momentum(batch, STATES, *r.q, *r.v, p));
  for (int k = 0; k < STATES; k++) {
    assert_ok(mbd_set_state(r.model, r.data, r.q[k], r.v[k]));
    assert_ok(mbd_frame_placement(r.model, r.data, FRAME, &x));
    same(&X[k][0], &x, sizeof x, "placement", k);
    assert_ok(mbd_jacobian(r.model, r.data, FRAME, MBD_WORLD, j));
    same(J[k], j, sizeof j, "Jacobian", k);
    assert_ok(mbd_jacobian_bias(r.model, r.data, FRAME, MBD_LOCAL, &a));
    same(&A[k], &a, sizeof a, "Jdot v", k);
    assert_ok(mbd_operational_space_inertia(r.model, r.data, FRAME, MBD_LOCAL, lambda, &(int){0}));
    same(Lambda[k], lambda, sizeof lambda, "Lambda", k);
    assert_ok(mbd_centroidal_momentum(r.model, r.data, &momentum));
    same(&p[k], &momentum, sizeof momentum, "momentum", k);
  }
  mbd_batch_destroy(batch);
  rig_end(&r);
}

// a state whose loops are open is named; drivers, which depend on time, are refused
static void
what_cannot_be_is_refused(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  mbd_batch_t * batch;
  double out[STATES][2];
  assert_ok(mbd_batch_create(r.model, 2, &batch));
  r.q[17][3] += 1;
  assert_status(mbd_batch_gravity(batch, STATES, *r.q, *out), MBD_ERROR_NOT_ASSEMBLED);
  assert_int_equal(mbd_batch_failed(batch), 17);
  mbd_batch_destroy(batch);
  rig_end(&r);
  double q[3] = {0.7};
  close_crank_rocker(q[0], &q[1], &q[2]);
  mbd_model_t * tree = crank_rocker(MBD_CLOSURE_REVOLUTE);
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = "motor", spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
  spec.joint[0] = "j_crank", spec.coefficient[0] = 1;
  spec.driver.value = q[0], spec.driver.rate = 2;
  assert_ok(mbd_model_add_closure(tree, &spec, NULL));
  mbd_model_t * driven = embed_with(tree, q, "crank");
  assert_status(mbd_batch_create(driven, 1, &batch), MBD_ERROR_UNSUPPORTED);
  mbd_model_destroy(driven);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(dynamics_are_those_of_single_calls),
    cmocka_unit_test(mass_matrices_as_soa),
    cmocka_unit_test(frames_are_those_of_single_calls),
    cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
