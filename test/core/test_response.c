// What wrenches and impulses alone do to the robot.
#include "mbdyn/dynamics/response.h"

#include <string.h>

#include "by_hand.h"
#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/operators/factors.h"

static mat_t
response(const tree_t * t, const mbd_wrenches_t * wrenches)
{
  mat_t dqdd = mat(t->model->nv, 1);
  assert_ok(mbd_force_response(t->model, t->data, wrenches, dqdd.a));
  return dqdd;
}

static mat_t
response_at(const tree_t * t, int frame, mbd_reference_t reference)
{
  mbd_motion_t A;
  assert_ok(mbd_response_acceleration(t->model, t->data, frame, reference, &A));
  return motion6(A);
}

//---------- against other routes ----------

// M^-1 sum J^T f by dense matrices, with and without rotors             algorithm 7.3, (7.44)
static void
response_is_the_inverse_mass_times_the_torque(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t torque = PROD(d.H, d.phi, dense_wrench(&d, &t->f_ext));
    for (uint32_t terms = 0; terms <= MBD_TERM_ROTORS; terms += 2) {
      state_at(t, terms);
      const mat_t expected = PROD(inverse(mass_with(&d, terms)), torque);
      const double size = fmax(1, largest_entry(expected));
      assert_mat_floor(
        response(t, &t->f_ext), expected, 1e-9, size, "terms %u, %lu", (unsigned)terms, seed);
    }
  }
}

// the difference that the wrenches make in forward dynamics
static void
response_is_a_difference_of_forward_dynamics(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    for (uint32_t terms = 0; terms < 4; terms++) {
      mat_t with = mat(m->nv, 1), without = mat(m->nv, 1);
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, without.a));
      assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, &t->f_ext, with.a));
      const double size = fmax(1, fmax(largest_entry(with), largest_entry(without)));
      assert_mat_floor(
        response(t, &t->f_ext), sub(with, without), 1e-9, size, "terms %u, %lu", (unsigned)terms,
        seed);
    }
  }
}

// several wrenches do what each does alone, added up; none does nothing
static void
response_is_linear(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    state_at(t, 0);
    mat_t sum = mat(t->model->nv, 1);
    double size = 1;
    for (int k = 0; k < t->nwrench; k++) {
      mbd_wrench_t w = t->wrench[k];
      w.f = mbdu_force_scale(-3, w.f);
      const mbd_wrenches_t one = {1, &w};
      const mat_t alone = response(t, &one);
      size = fmax(size, largest_entry(alone));
      sum = SUM(sum, alone);
    }
    assert_mat_floor(sum, scale(-3, response(t, &t->f_ext)), 1e-10, size, "sum, seed %lu", seed);
    const mbd_wrenches_t none = {0, NULL};
    assert_mat(response(t, NULL), mat(sum.r, 1), 0, "NULL, seed %lu", seed);
    assert_mat(response(t, &none), mat(sum.r, 1), 0, "empty, seed %lu", seed);
    assert_mat(response_at(t, 0, MBD_WORLD), mat(6, 1), 0, "at rest, seed %lu", seed);
  }
}

//---------- frames ----------

// J dqdd of every frame in every reference
static void
frames_accelerate_with_the_joints(void ** context)
{
  (void)context;
  tally_t fixed = {0};
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    state_at(t, MBD_TERM_ROTORS);
    const mat_t dqdd = response(t, &t->f_ext);
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        const mat_t J = dense_jacobian(&d, f, reference), A = response_at(t, f, reference);
        const double size = fmax(1, largest_entry(J) * largest_entry(dqdd));
        assert_mat_floor(A, PROD(J, dqdd), 1e-10, size, "frame %d, %d, %lu", f, r, seed);
        if (tally(&fixed, t->model->frame[f].body < 0)) assert_true(largest_entry(A) == 0);
      }
    }
  }
  assert_enough(&fixed, 0.02);
}

// one wrench at a time: columns of the compliance between two frames               (10.13)
static void
columns_of_the_compliance(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const int i = random_below(&state, t->model->nframe),
              j = random_below(&state, t->model->nframe);
    const mbd_reference_t ri = (mbd_reference_t)random_below(&state, 3);
    const mbd_reference_t rj = (mbd_reference_t)random_below(&state, 3);
    mat_t omega = mat(6, 6), columns = mat(6, 6);
    double size = 1;
    state_at(t, 0);
    for (int c = 0; c < 6; c++) {
      const mbd_force_t unit = {{c == 0, c == 1, c == 2}, {c == 3, c == 4, c == 5}};
      const mbd_wrench_t w = {j, rj, unit};
      const mbd_wrenches_t one = {1, &w};
      size = fmax(size, largest_entry(response(t, &one)));
      set_block(columns, 0, c, response_at(t, i, ri));
    }
    assert_ok(mbd_compliance_between(t->model, t->data, i, ri, j, rj, omega.a));
    assert_mat_floor(columns, omega, 1e-9, size, "frames %d, %d, seed %lu", i, j, seed);
  }
}

// contacts on several frames: the columns make up the whole contact matrix     (10.18)
static void
columns_of_the_contact_matrix(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    mbd_task_t list[3];
    mat_t C = mat(9, 9), columns = mat(9, 9);
    for (int k = 0; k < 3; k++) {
      list[k] = mbdu_task_position(random_below(&state, t->model->nframe), MBD_LOCAL_WORLD_ALIGNED);
    }
    const mbd_tasks_t tasks = {3, list};
    state_at(t, 0);
    for (int c = 0; c < 9; c++) {
      const mbd_force_t push = {{0, 0, 0}, {c % 3 == 0, c % 3 == 1, c % 3 == 2}};
      const mbd_wrench_t w = {list[c / 3].frame, MBD_LOCAL_WORLD_ALIGNED, push};
      const mbd_wrenches_t one = {1, &w};
      response(t, &one);
      for (int k = 0; k < 3; k++) {
        const mat_t A = response_at(t, list[k].frame, MBD_LOCAL_WORLD_ALIGNED);
        set_block(columns, 3 * k, c, block(A, 3, 0, 3, 1));
      }
    }
    assert_ok(mbd_task_compliance(t->model, t->data, &tasks, C.a));
    assert_mat_floor(columns, C, 1e-9, fmax(1, largest_entry(C)), "seed %lu", seed);
  }
}

//---------- impulses ----------

// velocities jump so that p = M v gains J^T i, and the energy what the impulses do on the way
static void
impulses_change_momentum_and_energy(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_model_t * m = t->model;
    mat_t dv = mat(m->nv, 1), p = mat(m->nv, 1), torque = mat(m->nv, 1);
    double before, after, work = 0, size = 1;
    state_at(t, MBD_TERM_ROTORS);
    assert_ok(mbd_kinetic_energy(m, t->data, &before));
    assert_ok(mbd_impulse_response(m, t->data, &t->f_ext, dv.a));
    assert_mat(dv, response(t, &t->f_ext), 0, "as a force, seed %lu", seed);
    for (int k = 0; k < t->nwrench; k++) {
      const mbd_wrench_t * w = &t->wrench[k];
      mbd_motion_t V;
      assert_ok(mbd_frame_velocity(m, t->data, w->frame, w->reference, &V));
      const mat_t jump = response_at(t, w->frame, w->reference);
      // the mean of the velocities before and after
      const mat_t mean = SUM(motion6(V), scale(0.5, jump));
      const double part = scalar(PROD(tr(force6(w->f)), mean));
      work += part, size += fabs(part);
    }
    assert_ok(mbd_mass_product(m, t->data, dv.a, p.a));
    assert_ok(mbd_jacobian_transpose_product(m, t->data, &t->f_ext, torque.a));
    assert_mat_floor(p, torque, 1e-9, fmax(1, largest_entry(torque)), "momentum, %lu", seed);
    const mat_t v = SUM(column(m->nv, t->v), dv);
    assert_ok(mbd_set_velocity(m, t->data, v.a));
    assert_ok(mbd_kinetic_energy(m, t->data, &after));
    size = fmax(size, after);
    assert_near((after - before) / size, work / size, 1e-9, "energy, seed %lu", seed);
  }
}

// nothing holds a floating robot: its momentum about its centre jumps by the impulses themselves
static void
momentum_of_a_floating_robot_jumps_by_the_impulses(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true, options.forest = false;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    mbd_force_t before, after;
    mbd_vec3_t com;
    mat_t dv = mat(m->nv, 1);
    state_at(t, 0);
    assert_ok(mbd_center_of_mass(m, t->data, NULL, &com));
    assert_ok(mbd_centroidal_momentum(m, t->data, &before));
    assert_ok(mbd_impulse_response(m, t->data, &t->f_ext, dv.a));
    const mat_t v = SUM(column(m->nv, t->v), dv);
    assert_ok(mbd_set_velocity(m, t->data, v.a));
    assert_ok(mbd_centroidal_momentum(m, t->data, &after));
    // the impulses on moving bodies about the centre of mass
    mat_t sum = mat(6, 1), centre = eye(4);
    *at(centre, 0, 3) = com.x, *at(centre, 1, 3) = com.y, *at(centre, 2, 3) = com.z;
    const mat_t wrench = dense_wrench(&d, &t->f_ext);
    for (int k = 0; k < m->nbody; k++) {
      const mat_t phi = phi6(PROD(inverse4(centre), d.X_world[k]));
      sum = SUM(sum, PROD(phi, block(wrench, 6 * k, 0, 6, 1)));
    }
    const double size = fmax(largest_entry(force6(before)), fmax(1, largest_entry(sum)));
    assert_mat_floor(
      sub(force6(after), force6(before)), sum, 1e-8, size, "%d wrenches, %lu", t->nwrench, seed);
  }
}

//---------- stages ----------

// the last response stays until the position, the rotors or the loads change
static void
responses_are_kept(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_model_t * m = t->model;
    const int f = random_below(&state, m->nframe);
    const mbd_inertia_t load = random_inertia(&state);
    mat_t x = mat(m->nv, 1);
    mbd_motion_t A;
    double C[36];
    state_at(t, 0);
    response(t, &t->f_ext);
    const mat_t first = response_at(t, f, MBD_LOCAL);
    // others may come in between
    assert_ok(mbd_set_velocity(m, t->data, t->v));
    assert_ok(mbd_mass_solve(m, t->data, t->tau, x.a));
    assert_ok(mbd_inverse_dynamics(m, t->data, NULL, NULL, t->qdd, NULL, x.a));
    assert_ok(mbd_forward_dynamics(m, t->data, NULL, NULL, t->tau, NULL, x.a));
    assert_ok(mbd_operational_space_inertia(m, t->data, f, MBD_LOCAL, C, NULL));
    assert_mat(response_at(t, f, MBD_LOCAL), first, 0, "kept, seed %lu", seed);
    for (int k = 0; k < 3; k++) {
      response(t, &t->f_ext);
      if (k == 0) assert_ok(mbd_set_position(m, t->data, t->q));
      if (k == 1) assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
      if (k == 2) assert_ok(mbd_payload_attach(m, t->data, f, &load));
      assert_status(mbd_response_acceleration(m, t->data, f, MBD_LOCAL, &A), MBD_ERROR_STAGE);
    }
  }
}

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(9, NULL), *other = random_tree(10, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_motion_t A;
  mat_t x = mat(m->nv, 1);
  x.a[0] = 7;
  assert_status(mbd_force_response(m, d, NULL, x.a), MBD_ERROR_STAGE);
  assert_status(mbd_impulse_response(m, d, NULL, x.a), MBD_ERROR_STAGE);
  assert_status(mbd_response_acceleration(m, d, 0, MBD_LOCAL, &A), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_response_acceleration(m, d, 0, MBD_LOCAL, &A), MBD_ERROR_STAGE);
  assert_status(mbd_force_response(NULL, d, NULL, x.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_force_response(m, NULL, NULL, x.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_force_response(m, d, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_force_response(other->model, d, NULL, x.a), MBD_ERROR_MODEL_MISMATCH);
  mbd_wrench_t w = {m->nframe, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  mbd_wrenches_t list = {1, &w};
  assert_status(mbd_force_response(m, d, &list, x.a), MBD_ERROR_BAD_ARGUMENT);
  w.frame = 0, w.reference = (mbd_reference_t)3;
  assert_status(mbd_force_response(m, d, &list, x.a), MBD_ERROR_BAD_ARGUMENT);
  w.reference = MBD_LOCAL, w.f.lin.y = HUGE_VAL;
  assert_status(mbd_force_response(m, d, &list, x.a), MBD_ERROR_NOT_FINITE);
  list.w = NULL;
  assert_status(mbd_force_response(m, d, &list, x.a), MBD_ERROR_NULL_ARGUMENT);
  assert_true(x.a[0] == 7);
  assert_ok(mbd_force_response(m, d, NULL, x.a));
  assert_status(mbd_response_acceleration(m, d, 0, MBD_LOCAL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_response_acceleration(m, d, -1, MBD_LOCAL, &A), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_response_acceleration(m, d, 0, (mbd_reference_t)-1, &A), MBD_ERROR_BAD_ARGUMENT);
  tree_free(other);
  tree_free(t);
  mats_free();
}

static void
models_that_have_no_inverse(void ** context)
{
  (void)context;
  mbd_model_t * model[2] = {mimic_by_hand(), needle_by_hand()};
  const mbd_status_t expected[2] = {MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE};
  for (int k = 0; k < 2; k++) {
    const double q[2] = {0.1, 0.2};
    double x[2] = {7, 7};
    mbd_motion_t A;
    mbd_data_t * d;
    assert_ok(mbd_data_create(model[k], &d));
    assert_ok(mbd_set_position(model[k], d, q));
    assert_status(mbd_force_response(model[k], d, NULL, x), expected[k]);
    assert_status(mbd_impulse_response(model[k], d, NULL, x), expected[k]);
    assert_status(mbd_response_acceleration(model[k], d, 0, MBD_LOCAL, &A), MBD_ERROR_STAGE);
    assert_true(x[0] == 7);
    mbd_data_destroy(d);
    mbd_model_destroy(model[k]);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(response_is_the_inverse_mass_times_the_torque),
    cmocka_unit_test(response_is_a_difference_of_forward_dynamics),
    cmocka_unit_test(response_is_linear),
    cmocka_unit_test(frames_accelerate_with_the_joints),
    cmocka_unit_test(columns_of_the_compliance),
    cmocka_unit_test(columns_of_the_contact_matrix),
    cmocka_unit_test(impulses_change_momentum_and_energy),
    cmocka_unit_test(momentum_of_a_floating_robot_jumps_by_the_impulses),
    cmocka_unit_test(responses_are_kept),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(models_that_have_no_inverse),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
