// Placements, velocities and accelerations against the dense oracle and finite differences.
#include <math.h>
#include <string.h>

#include "core_test.h"

// number of robots in which a joint type occurs: every type must
static int seen[MBD_JOINT_USER + 1];

static void
count_types(const mbd_model_t * model)
{
  for (int i = 0; i < model->nbody; i++) seen[model->body[i].type]++;
}

//---------- position ----------

// the sweep of placements is the product of transforms                     (3.9), (3.10)
static void
placements_are_products_of_transforms(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    count_types(t->model);
    const dense_t d = dense_of(t);
    for (int k = 0; k < d.nbody; k++) {
      assert_mat(
        placement4(&t->data->X_parent[k]), d.X_parent[k], 1e-13, "X_parent %d, seed %lu", k, seed);
      assert_mat(
        placement4(&t->data->X_world[k]), d.X_world[k], 1e-13, "X_world %d, seed %lu", k, seed);
    }
    for (int f = 0; f < t->model->nframe; f++) {
      mbd_placement_t X;
      assert_ok(mbd_frame_placement(t->model, t->data, f, &X));
      assert_mat(placement4(&X), dense_frame(&d, f), 1e-13, "frame %d, seed %lu", f, seed);
    }
  }
  for (int type = MBD_JOINT_REVOLUTE; type <= MBD_JOINT_USER; type++) assert_count(seen[type], 10);
}

// columns of T^-1 dT/dq: what the motion subspace is by definition
static mat_t
subspace_by_differences(const mbd_body_t * body, const double * q)
{
  const double h = 1e-5;
  mat_t S = mat(6, body->nv);
  const mat_t back = inverse4(dense_joint(body, q));
  for (int j = 0; j < body->nv; j++) {
    double v[6] = {0}, q1[8], q0[8];
    v[j] = 1;
    dense_step(body, q, v, h, q1);
    dense_step(body, q, v, -h, q0);
    const mat_t slope = sub(dense_joint(body, q1), dense_joint(body, q0));
    const mat_t A = PROD(back, scale(0.5 / h, slope));
    const double column[6] = {*at(A, 2, 1), *at(A, 0, 2), *at(A, 1, 0),
                              *at(A, 0, 3), *at(A, 1, 3), *at(A, 2, 3)};
    set_block(S, 0, j, mat_from(6, 1, column));
  }
  return S;
}

// S and its rate, for every joint type: universal and rolling ones too     (3.11), (5.10)
static void
subspace_is_the_derivative_of_the_placement(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * body = &t->model->body[k];
      const char * type = mbd_joint_type_name(body->type);
      const double *q = t->q + body->q_index, *v = t->v + body->v_index;
      mat_t S = mat(6, body->nv), S_rate = mat(6, body->nv);
      for (int j = 0; j < body->nv; j++) {
        set_block(S, 0, j, motion6(t->data->S[body->v_index + j]));
        set_block(S_rate, 0, j, motion6(t->data->S_rate[body->v_index + j]));
      }
      assert_mat(S, dense_subspace(body, q), 1e-14, "S, %s, seed %lu", type, seed);
      assert_mat(
        S, subspace_by_differences(body, q), 1e-8, "S by differences, %s, %lu", type, seed);
      assert_mat(S_rate, dense_subspace_rate(body, q, v), 1e-14, "S_rate, %s, %lu", type, seed);
      double q1[8], q0[8];
      dense_step(body, q, v, h, q1);
      dense_step(body, q, v, -h, q0);
      const mat_t slope = scale(0.5 / h, sub(dense_subspace(body, q1), dense_subspace(body, q0)));
      assert_mat_floor(S_rate, slope, 1e-8, 1, "S_rate by differences, %s, %lu", type, seed);
    }
  }
}

// quaternions of any length are taken, and kept at unit length
static void
quaternions_are_normalised_in_the_workspace(void ** context)
{
  (void)context;
  tally_t flying = {0};
  tally_t quaternions = {0};
  tree_options_t options = small_trees();
  options.floating_base = true;
  FOR_TREES(50, &options)
  {
    const dense_t d = dense_of(t);
    double before[256];
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      const int first = body->type == MBD_JOINT_FREE ? 3 : 0;
      if (!tally(&quaternions, body->type == MBD_JOINT_FREE || body->type == MBD_JOINT_SPHERICAL))
        continue;
      for (int j = first; j < first + 4; j++) t->q[body->q_index + j] *= i % 2 ? -3 : 1e-3;
    }
    memcpy(before, t->q, sizeof *t->q * (size_t)t->model->nq);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_memory_equal(before, t->q, sizeof *t->q * (size_t)t->model->nq);
    for (int k = 0; k < d.nbody; k++) {
      assert_mat(
        placement4(&t->data->X_world[k]), d.X_world[k], 1e-13, "X_world %d, seed %lu", k, seed);
    }
    const double * q = t->data->q + t->model->body[0].q_index + 3;
    if (tally(&flying, t->model->body[0].type == MBD_JOINT_FREE)) {
      assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15, "norm");
    }
  }
  assert_enough(&quaternions, 0.2);
  assert_enough(&flying, 0.5);
}

//---------- velocity ----------

// V = phi^T H^T v, and on the parent's side of the hinge       (3.19), (3.39), (3.42)
static void
velocities_are_phi_transposed(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const dense_t d = dense_of(t);
    const mat_t phit = sub(d.phi, eye(d.n));
    const mat_t V_plus = PROD(tr(phit), d.S, d.v);
    for (int k = 0; k < d.nbody; k++) {
      const mat_t V = motion6(t->data->V[k]);
      assert_mat_floor(V, block(d.V, 6 * k, 0, 6, 1), 1e-13, 1, "V %d, seed %lu", k, seed);
      const mat_t moved = SUM(block(V_plus, 6 * k, 0, 6, 1), block(PROD(d.S, d.v), 6 * k, 0, 6, 1));
      assert_mat_floor(V, moved, 1e-13, 1, "V+ %d, seed %lu", k, seed);
    }
  }
}

// velocity of a frame from two placements h apart
static mat_t
velocity_by_differences(const dense_t * d0, const dense_t * d1, const mat_t X, int f, double h)
{
  const mat_t slope = scale(0.5 / h, sub(dense_frame(d1, f), dense_frame(d0, f)));
  const mat_t W = PROD(slope, inverse4(X));
  // twist at the world's origin
  const double V[6] = {*at(W, 2, 1), *at(W, 0, 2), *at(W, 1, 0),
                       *at(W, 0, 3), *at(W, 1, 3), *at(W, 2, 3)};
  return column(6, V);
}

// frame velocities in all references are derivatives of placements
static void
frame_velocities_are_derivatives(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const dense_t d = dense_of(t);
    const dense_t d1 = dense_at(t->model, NULL, q_later(t, h).a, NULL, t->model->gravity);
    const dense_t d0 = dense_at(t->model, NULL, q_later(t, -h).a, NULL, t->model->gravity);
    for (int f = 0; f < t->model->nframe; f++) {
      const mat_t world = velocity_by_differences(&d0, &d1, dense_frame(&d, f), f, h);
      for (int r = 0; r < 3; r++) {
        mbd_motion_t V;
        assert_ok(mbd_frame_velocity(t->model, t->data, f, (mbd_reference_t)r, &V));
        const mat_t phi = phi6(dense_reference(&d, f, (mbd_reference_t)r));
        assert_mat_floor(
          motion6(V), PROD(tr(phi), world), 1e-7, 1, "frame %d, reference %d, seed %lu", f, r,
          seed);
      }
    }
  }
}

//---------- acceleration ----------

static mat_t
all_a(const tree_t * t)
{
  mat_t a = mat(6 * t->model->nbody, 1);
  for (int k = 0; k < t->model->nbody; k++) set_block(a, 6 * k, 0, motion6(t->data->a[k]));
  return a;
}

// the hinge acceleration a, and d/dt(phi^T H^T) v = phi^T a             (5.11), (5.26)
static void
hinge_acceleration_is_what_velocities_leave(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    const dense_t d = dense_of(t);
    assert_mat_floor(all_a(t), d.a, 1e-12, 1, "a, seed %lu", seed);
    // v constant: V moves by phi^T a alone
    memset(t->qdd, 0, sizeof *t->qdd * (size_t)t->model->nv);
    const dense_t d1 = dense_at(t->model, NULL, q_later(t, h).a, t->v, t->model->gravity);
    const dense_t d0 = dense_at(t->model, NULL, q_later(t, -h).a, t->v, t->model->gravity);
    const mat_t slope = scale(0.5 / h, sub(d1.V, d0.V));
    assert_mat_floor(
      slope, PROD(tr(d.phi), all_a(t)), 1e-7, 1, "phi^T a by differences, seed %lu", seed);
  }
}

// the book's form of a, with the derivative of S seen from the parent              (5.11)
static void
hinge_acceleration_as_the_book_writes_it(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * body = &t->model->body[k];
      const double *q = t->q + body->q_index, *v = t->v + body->v_index;
      // S in the axes of the joint frame, at two times
      mat_t S[2];
      for (int side = 0; side < 2; side++) {
        double q1[8];
        dense_step(body, q, v, side ? h : -h, q1);
        mat_t turn = dense_joint(body, q1);
        for (int i = 0; i < 3; i++) *at(turn, i, 3) = 0;
        S[side] = PROD(phi6(turn), dense_subspace(body, q1));
      }
      mat_t turn = dense_joint(body, q);
      for (int i = 0; i < 3; i++) *at(turn, i, 3) = 0;
      const mat_t rate = PROD(tr(phi6(turn)), scale(0.5 / h, sub(S[1], S[0])));
      const mat_t Delta = PROD(dense_subspace(body, q), column(body->nv, v));
      const mat_t V = motion6(t->data->V[k]);
      const mat_t a = SUM(
        PROD(tilde6(V.a), Delta), scale(-1, PROD(bar6(Delta.a), Delta)),
        PROD(rate, column(body->nv, v)));
      assert_mat_floor(
        motion6(t->data->a[k]), a, 1e-7, 1, "%s, body %d, seed %lu",
        mbd_joint_type_name(body->type), k, seed);
    }
  }
}

// closed forms of a for helical and cylindrical joints                       exercise 5.1
static void
hinge_acceleration_of_screws(void ** context)
{
  (void)context;
  tally_t screws = {0};
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * body = &t->model->body[k];
      const mbd_motion_t V = t->data->V[k];
      const double * v = t->v + body->v_index;
      const mbd_vec3_t Dw = mbdu_vec3(0, 0, v[0]);
      mbd_vec3_t second;
      if (body->type == MBD_JOINT_HELICAL) {
        const mbd_vec3_t sum = mbdu_vec3_add(V.lin, mbdu_vec3_scale(body->pitch, V.ang));
        second = mbdu_vec3_cross(Dw, sum);
      } else if (body->type == MBD_JOINT_CYLINDRICAL) {
        const mbd_vec3_t Dv = mbdu_vec3(0, 0, v[1]);
        second = mbdu_vec3_add(mbdu_vec3_cross(Dw, V.lin), mbdu_vec3_cross(Dv, V.ang));
      } else {
        tally(&screws, false);
        continue;
      }
      tally(&screws, true);
      mbd_motion_t a = {mbdu_vec3_neg(mbdu_vec3_cross(Dw, V.ang)), mbdu_vec3_neg(second)};
      assert_mat_floor(motion6(t->data->a[k]), motion6(a), 1e-14, 1, "body %d, seed %lu", k, seed);
    }
  }
  assert_enough(&screws, 0.1);
}

// accelerations of bodies and frames                                               (5.23)
static void
accelerations_are_derivatives_of_velocities(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    assert_ok(mbd_set_acceleration(t->model, t->data, t->qdd));
    const dense_t d = dense_of(t);
    const mat_t alpha = SUM(dense_acceleration(&d, column(d.nv, t->qdd)), d.g);
    for (int k = 0; k < d.nbody; k++) {
      assert_mat_floor(
        motion6(t->data->A[k]), block(alpha, 6 * k, 0, 6, 1), 1e-12, 1, "A %d, seed %lu", k, seed);
    }
    // what mbd_frame_velocity gives at two times
    mbd_data_t * moved[2];
    for (int side = 0; side < 2; side++) {
      const double dt = side ? h : -h;
      assert_ok(mbd_data_create(t->model, &moved[side]));
      assert_ok(mbd_set_position(t->model, moved[side], q_later(t, dt).a));
      assert_ok(mbd_set_velocity(t->model, moved[side], v_later(t, dt).a));
    }
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        mbd_motion_t A, V[2];
        assert_ok(mbd_frame_acceleration(t->model, t->data, f, reference, &A));
        assert_ok(mbd_frame_velocity(t->model, moved[0], f, reference, &V[0]));
        assert_ok(mbd_frame_velocity(t->model, moved[1], f, reference, &V[1]));
        const mat_t slope = scale(0.5 / h, sub(motion6(V[1]), motion6(V[0])));
        assert_mat_floor(
          motion6(A), slope, 1e-6, 1, "frame %d, reference %d, seed %lu", f, r, seed);
      }
    }
    mbd_data_destroy(moved[0]);
    mbd_data_destroy(moved[1]);
  }
}

// the point of a rolling ball that touches the plane stands still             exercise 3.2
static void
rolling_ball_does_not_slip(void ** context)
{
  (void)context;
  int balls = 0;
  FOR_TREES(TREES, NULL)
  {
    set_state(t);
    for (int k = 0; k < t->model->nbody; k++) {
      const mbd_body_t * body = &t->model->body[k];
      if (body->type != MBD_JOINT_USER || body->nq != 6) continue;
      balls++;
      // relative velocity of the child at the contact, in joint axes
      const double * q = t->q + body->q_index;
      const double radius = *(const double *)body->user.ctx;
      const mat_t Delta = PROD(dense_subspace(body, q), column(body->nv, t->v + body->v_index));
      const mat_t R = block(dense_joint(body, q), 0, 0, 3, 3);
      const double down[3] = {0, 0, -radius};
      const mat_t w = PROD(R, column(3, Delta.a)), v = PROD(R, column(3, Delta.a + 3));
      const mat_t contact = SUM(v, PROD(skew3(w.a), column(3, down)));
      assert_mat_floor(contact, mat(3, 1), 1e-14, 1, "body %d, seed %lu", k, seed);
    }
  }
  assert_count(balls, 40);
}

//---------- behaviour ----------

static void
stages_are_asked_for(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_placement_t X;
  mbd_motion_t V;
  assert_status(mbd_frame_placement(m, d, 0, &X), MBD_ERROR_STAGE);
  assert_status(mbd_set_velocity(m, d, t->v), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_ok(mbd_frame_placement(m, d, 0, &X));
  assert_status(mbd_frame_velocity(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_status(mbd_set_acceleration(m, d, t->qdd), MBD_ERROR_STAGE);
  assert_ok(mbd_set_velocity(m, d, t->v));
  assert_ok(mbd_frame_velocity(m, d, 0, MBD_LOCAL, &V));
  assert_status(mbd_frame_acceleration(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_ok(mbd_set_acceleration(m, d, t->qdd));
  assert_ok(mbd_frame_acceleration(m, d, 0, MBD_LOCAL, &V));
  // a new velocity makes accelerations stale, a new position everything
  assert_ok(mbd_set_velocity(m, d, t->v));
  assert_status(mbd_frame_acceleration(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_frame_velocity(m, d, 0, MBD_LOCAL, &V), MBD_ERROR_STAGE);
  tree_free(t);
}

static void
bad_arguments_are_refused(void ** context)
{
  (void)context;
  tree_t *t = random_tree(3, NULL), *other = random_tree(4, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_placement_t X;
  mbd_motion_t V;
  assert_status(mbd_set_position(NULL, d, t->q), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_position(m, NULL, t->q), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_position(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_position(other->model, d, other->q), MBD_ERROR_MODEL_MISMATCH);
  set_state(t);
  assert_ok(mbd_set_acceleration(m, d, t->qdd));
  assert_status(mbd_set_velocity(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_acceleration(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_set_velocity(other->model, d, t->v), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_frame_placement(m, d, -1, &X), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_frame_placement(m, d, m->nframe, &X), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_frame_placement(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_frame_velocity(m, d, 0, (mbd_reference_t)3, &V), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_frame_velocity(m, d, m->nframe, MBD_LOCAL, &V), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_frame_acceleration(m, d, 0, (mbd_reference_t)-1, &V), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_frame_acceleration(m, d, -2, MBD_WORLD, &V), MBD_ERROR_BAD_ARGUMENT);
  tree_free(other);
  tree_free(t);
}

static void
numbers_that_are_none_are_refused(void ** context)
{
  (void)context;
  const double bad[3] = {nan(""), HUGE_VAL, -HUGE_VAL};
  FOR_TREES(30, NULL)
  {
    const double x = bad[seed % 3];
    set_state(t);
    const int iq = (int)(seed % (uint64_t)t->model->nq), iv = (int)(seed % (uint64_t)t->model->nv);
    double keep = t->v[iv];
    t->v[iv] = x;
    assert_status(mbd_set_velocity(t->model, t->data, t->v), MBD_ERROR_NOT_FINITE);
    t->v[iv] = keep;
    keep = t->q[iq];
    t->q[iq] = x;
    assert_status(mbd_set_position(t->model, t->data, t->q), MBD_ERROR_NOT_FINITE);
    t->q[iq] = keep;
    set_state(t);
    t->qdd[iv] = x;
    assert_status(mbd_set_acceleration(t->model, t->data, t->qdd), MBD_ERROR_NOT_FINITE);
  }
}

static void
zero_quaternion_names_the_joint(void ** context)
{
  (void)context;
  tally_t joints = {0};
  tree_options_t options = small_trees();
  options.floating_base = true;
  FOR_TREES(20, &options)
  {
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      if (!tally(&joints, body->type == MBD_JOINT_FREE)) continue;
      memset(t->q + body->q_index + 3, 0, 4 * sizeof *t->q);
      assert_status(mbd_set_position(t->model, t->data, t->q), MBD_ERROR_BAD_QUATERNION);
      assert_int_equal(t->data->error_body, i);
      assert_string_equal(mbd_error_joint_name(t->data), body->joint_name);
      mbd_placement_t X;
      assert_status(mbd_frame_placement(t->model, t->data, 0, &X), MBD_ERROR_STAGE);
      break;
    }
  }
  assert_enough(&joints, 0.4);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(placements_are_products_of_transforms),
    cmocka_unit_test(subspace_is_the_derivative_of_the_placement),
    cmocka_unit_test(quaternions_are_normalised_in_the_workspace),
    cmocka_unit_test(velocities_are_phi_transposed),
    cmocka_unit_test(frame_velocities_are_derivatives),
    cmocka_unit_test(hinge_acceleration_is_what_velocities_leave),
    cmocka_unit_test(hinge_acceleration_as_the_book_writes_it),
    cmocka_unit_test(hinge_acceleration_of_screws),
    cmocka_unit_test(accelerations_are_derivatives_of_velocities),
    cmocka_unit_test(rolling_ball_does_not_slip),
    cmocka_unit_test(stages_are_asked_for),
    cmocka_unit_test(bad_arguments_are_refused),
    cmocka_unit_test(numbers_that_are_none_are_refused),
    cmocka_unit_test(zero_quaternion_names_the_joint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
