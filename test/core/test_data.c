// The workspace: memory, gravity, terms, errors.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/coriolis.h"
#include "state/state.h"

// at every alignment, and nothing outside the block is touched
static void
workspaces_live_in_any_memory(void ** context)
{
  (void)context;
  FOR_TREES(20, NULL)
  {
    const size_t size = mbd_data_size(t->model), guard = 64;
    mat_t expected = mat(t->model->nv, 1), found = mat(t->model->nv, 1);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &t->f_ext, expected.a));
    for (size_t shift = 0; shift < 70; shift += seed % 7 + 1) {
      unsigned char * memory = malloc(size + shift + 2 * guard);
      assert_non_null(memory);
      memset(memory, 0xa5, size + shift + 2 * guard);
      mbd_data_t * data;
      unsigned char * block = memory + guard + shift;
      assert_ok(mbd_data_init(t->model, block, size, &data));
      assert_true((unsigned char *)data >= block && (unsigned char *)data < block + size);
      assert_null(data->work->owned);
      assert_ok(mbd_forward_dynamics(t->model, data, t->q, t->v, t->tau, &t->f_ext, found.a));
      assert_mat(found, expected, 0, "shift %zu, seed %lu", shift, seed);
      mat_t C = mat(t->model->nv, t->model->nv);
      assert_ok(mbd_coriolis_matrix(t->model, data, C.a));
      assert_ok(mbd_mass_matrix_inverse(t->model, data, C.a));
      assert_ok(mbd_compliance(t->model, data));
      for (size_t i = 0; i < guard; i++) {
        assert_int_equal(memory[i], 0xa5);
        assert_int_equal(block[size + i], 0xa5);
      }
      free(memory);
    }
  }
}

// aligned pieces inside, whatever is outside
static void
numbers_are_aligned(void ** context)
{
  (void)context;
  tree_t * t = random_tree(2, NULL);
  const size_t size = mbd_data_size(t->model);
  char * memory = malloc(size + 1);
  mbd_data_t * data;
  assert_non_null(memory);
  assert_ok(mbd_data_init(t->model, memory + 1, size, &data));
  const void * pieces[] = {data, data->q, data->X_world, data->S, data->V, data->P, data->D_inv};
  for (int k = 0; k < 7; k++) assert_int_equal((uintptr_t)pieces[k] % sizeof(double), 0);
  free(memory);
  tree_free(t);
}

static void
memory_must_be_large_enough(void ** context)
{
  (void)context;
  tree_t * t = random_tree(2, NULL);
  const size_t size = mbd_data_size(t->model);
  char * memory = malloc(size);
  mbd_data_t * data = NULL;
  assert_non_null(memory);
  assert_status(mbd_data_init(t->model, memory, size - 1, &data), MBD_ERROR_TOO_SMALL);
  assert_status(mbd_data_init(t->model, memory, 0, &data), MBD_ERROR_TOO_SMALL);
  assert_status(mbd_data_init(NULL, memory, size, &data), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_data_init(t->model, NULL, size, &data), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_data_init(t->model, memory, size, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_data_create(NULL, &data), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_data_create(t->model, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_null(data);
  assert_true(mbd_data_size(NULL) == 0);
  mbd_data_destroy(NULL);
  free(memory);
  tree_free(t);
}

// a new workspace: no stage, no terms, no error, the model's gravity and inertia
static void
new_workspaces_are_empty(void ** context)
{
  (void)context;
  FOR_TREES(20, NULL)
  {
    const mbd_data_t * d = t->data;
    assert_int_equal(d->work->stage, 0);
    assert_int_equal(d->terms, 0);
    assert_int_equal(d->error_body, -1);
    assert_null(mbd_error_joint_name(d));
    assert_true(d->model == t->model);
    assert_memory_equal(&d->gravity, &t->model->gravity, sizeof d->gravity);
    for (int k = 0; k < t->model->nbody; k++) {
      assert_memory_equal(&d->inertia[k], &t->model->body[k].inertia, sizeof d->inertia[k]);
    }
  }
  assert_null(mbd_error_joint_name(NULL));
}

// two workspaces of one model do not know of each other
static void
workspaces_are_independent(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    mbd_data_t * other;
    const int nv = t->model->nv;
    mat_t h0 = mat(nv, 1), h1 = mat(nv, 1), q = mat(t->model->nq, 1), v = mat(nv, 1);
    assert_ok(mbd_data_create(t->model, &other));
    set_state(t);
    assert_ok(mbd_bias(t->model, t->data, h0.a));
    assert_ok(mbd_random_configuration(t->model, seed, q.a));
    assert_ok(mbd_set_gravity(other, mbdu_vec3(1, 2, 3)));
    assert_ok(mbd_set_terms(other, MBD_TERM_FRICTION));
    assert_ok(mbd_forward_dynamics(t->model, other, q.a, v.a, NULL, NULL, h1.a));
    assert_ok(mbd_bias(t->model, t->data, h1.a));
    assert_mat(h1, h0, 0, "seed %lu", seed);
    mbd_data_destroy(other);
  }
}

// the same call gives the same bits
static void
results_are_reproducible(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    tree_t * again = random_tree(seed, NULL);
    const int nv = t->model->nv;
    mat_t one = mat(nv, 1), two = mat(nv, 1);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &t->f_ext, one.a));
    assert_ok(mbd_forward_dynamics(
      again->model, again->data, again->q, again->v, again->tau, &again->f_ext, two.a));
    assert_mat(one, two, 0, "seed %lu", seed);
    tree_free(again);
  }
}

static void
gravity_makes_accelerations_stale(void ** context)
{
  (void)context;
  tree_t * t = random_tree(5, NULL);
  mbd_motion_t A;
  set_state(t);
  assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
  assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
  assert_status(mbd_frame_acceleration(t->model, t->data, 0, MBD_LOCAL, &A), MBD_ERROR_STAGE);
  // position and velocity stay
  assert_ok(mbd_frame_velocity(t->model, t->data, 0, MBD_LOCAL, &A));
  assert_ok(mbd_gravity(t->model, t->data, t->tau));
  assert_close(t->tau, mat(t->model->nv, 1).a, t->model->nv, 0, "no gravity");
  assert_status(mbd_set_gravity(NULL, mbdu_vec3(0, 0, 0)), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_gravity(t->data, mbdu_vec3(0, nan(""), 0)), MBD_ERROR_NOT_FINITE);
  assert_true(t->data->gravity.y == 0);
  tree_free(t);
  mats_free();
}

// frame accelerations do not know gravity
static void
frame_accelerations_are_without_gravity(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    mbd_motion_t one, two;
    const int f = t->model->nframe - 1;
    set_state(t);
    assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
    assert_ok(mbd_frame_acceleration(t->model, t->data, f, MBD_LOCAL, &one));
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(3, -7, 20)));
    assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
    assert_ok(mbd_frame_acceleration(t->model, t->data, f, MBD_LOCAL, &two));
    assert_mat_floor(motion6(one), motion6(two), 1e-12, 10, "seed %lu", seed);
  }
}

static void
terms_must_be_known(void ** context)
{
  (void)context;
  tree_t * t = random_tree(5, NULL);
  assert_status(mbd_set_terms(t->data, 8), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_set_terms(t->data, 0xffffffffu), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_set_terms(NULL, 0), MBD_ERROR_NULL_ARGUMENT);
  assert_int_equal(t->data->terms, 0);
  assert_ok(mbd_set_terms(t->data, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  assert_int_equal(t->data->terms, 3);
  tree_free(t);
}

//---------- status ----------

static void
every_status_has_a_name_and_a_sentence(void ** context)
{
  (void)context;
#define CHECK_STATUS(name, number, text)             \
  assert_int_equal(name, number);                    \
  assert_string_equal(mbd_status_name(name), #name); \
  assert_string_equal(mbd_status_string(name), text);
  MBD_STATUS_LIST(CHECK_STATUS)
#undef CHECK_STATUS
  assert_non_null(mbd_status_name((mbd_status_t)12345));
  assert_string_equal(mbd_status_string((mbd_status_t)12345), "unknown status");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(workspaces_live_in_any_memory),
    cmocka_unit_test(numbers_are_aligned),
    cmocka_unit_test(memory_must_be_large_enough),
    cmocka_unit_test(new_workspaces_are_empty),
    cmocka_unit_test(workspaces_are_independent),
    cmocka_unit_test(results_are_reproducible),
    cmocka_unit_test(gravity_makes_accelerations_stale),
    cmocka_unit_test(frame_accelerations_are_without_gravity),
    cmocka_unit_test(terms_must_be_known),
    cmocka_unit_test(every_status_has_a_name_and_a_sentence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
