// Inverse dynamics against the dense oracle, energy and closed forms.
#include <math.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/coriolis.h"

//---------- dynamics ----------

// tau = H phi (M (alpha + g) + b - B f)                                  (5.36), (5.43)
static void
torque_matches_the_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t qdd = column(d.nv, t->qdd);
    mat_t tau = mat(d.nv, 1), h = mat(d.nv, 1), g = mat(d.nv, 1);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &t->f_ext, tau.a));
    assert_mat_floor(
      tau, dense_inverse_dynamics(&d, qdd, &t->f_ext), 1e-11, 1, "tau, seed %lu", seed);
    assert_ok(mbd_bias(t->model, t->data, h.a));
    assert_mat_floor(h, dense_bias(&d), 1e-11, 1, "bias, seed %lu", seed);
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    assert_mat_floor(g, dense_gravity(&d), 1e-11, 1, "gravity, seed %lu", seed);
  }
}

// forces through the joints, in link frames, and tau = H f                         (5.28)
static void
joint_forces_match_the_operators(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    mat_t tau = mat(d.nv, 1);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, &t->f_ext, tau.a));
    const mat_t f = dense_force(&d, column(d.nv, t->qdd), &t->f_ext);
    for (int k = 0; k < d.nbody; k++) {
      mbd_force_t found;
      assert_ok(mbd_joint_force(t->model, t->data, k, &found));
      const mbd_frame_t * link = &t->model->frame[t->model->body[k].link_frame];
      const mat_t phi = phi6(inverse4(placement4(&link->X)));
      assert_mat_floor(
        force6(found), PROD(phi, block(f, 6 * k, 0, 6, 1)), 1e-11, 10, "joint %d, seed %lu", k,
        seed);
    }
    assert_mat_floor(PROD(d.H, f), tau, 1e-11, 1, "H f, seed %lu", seed);
  }
}

// linear in acceleration, gravity and wrenches; the bias is quadratic in velocity
static void
torque_is_a_sum_of_terms(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    mat_t tau = mat(nv, 1), M = mat(nv, nv), h = mat(nv, 1), g = mat(nv, 1), Jf = mat(nv, 1);
    set_state(t);
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_ok(mbd_bias(t->model, t->data, h.a));
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, Jf.a));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, NULL, NULL, t->qdd, &t->f_ext, tau.a));
    const mat_t sum = SUM(PROD(M, column(nv, t->qdd)), h, scale(-1, Jf));
    assert_mat_floor(tau, sum, 1e-11, 1, "M qdd + h - J^T f, seed %lu", seed);
    mat_t h3 = mat(nv, 1);
    for (int i = 0; i < nv; i++) t->v[i] *= 3;
    assert_ok(mbd_set_velocity(t->model, t->data, t->v));
    assert_ok(mbd_bias(t->model, t->data, h3.a));
    assert_mat_floor(sub(h3, g), scale(9, sub(h, g)), 1e-11, 1, "quadratic, seed %lu", seed);
  }
}

// potential energy of all bodies from the oracle
static double
potential(const tree_t * t, const double * q)
{
  const dense_t d = dense_at(t->model, NULL, q, NULL, t->model->gravity);
  const mbd_vec3_t g = t->model->gravity;
  double sum = 0;
  for (int k = 0; k < d.nbody; k++) {
    const mbd_inertia_t * M = &t->model->body[k].inertia;
    const double h[4] = {M->h.x, M->h.y, M->h.z, M->mass};
    const mat_t c = PROD(d.X_world[k], column(4, h));
    sum -= g.x * c.a[0] + g.y * c.a[1] + g.z * c.a[2];
  }
  return sum;
}

// v^T g(q) is the rate of the potential energy along every direction
static void
gravity_is_the_gradient_of_potential_energy(void ** context)
{
  (void)context;
  const double h = 1e-5;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    mat_t g = mat(nv, 1);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    mat_t slope = mat(nv, 1);
    for (int i = 0; i < nv; i++) {
      mat_t e = mat(nv, 1), q1 = mat(t->model->nq, 1), q0 = mat(t->model->nq, 1);
      e.a[i] = 1;
      dense_step_all(t->model, t->q, e.a, h, q1.a);
      dense_step_all(t->model, t->q, e.a, -h, q0.a);
      slope.a[i] = (potential(t, q1.a) - potential(t, q0.a)) / (2 * h);
    }
    assert_mat_floor(g, slope, 1e-7, 1, "seed %lu", seed);
  }
}

// composite bodies give the same forces: f = R (alpha + g) + y              algorithm 5.3
static void
composite_bodies_give_the_same_forces(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    mat_t tau = mat(d.nv, 1), R = mat(d.n, d.n);
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, tau.a));
    assert_ok(mbd_composite_inertia(t->model, t->data));
    for (int k = 0; k < d.nbody; k++) set_block(R, 6 * k, 6 * k, inertia6(&t->data->R[k]));
    const mat_t qdd = column(d.nv, t->qdd);
    // y = phit R (S qdd + a) + phi b
    const mat_t phit = sub(d.phi, eye(d.n));
    const mat_t y = SUM(PROD(phit, R, SUM(PROD(d.S, qdd), d.a)), PROD(d.phi, d.b));
    const mat_t alpha = dense_acceleration(&d, qdd);
    const mat_t f = SUM(PROD(R, SUM(alpha, d.g)), y);
    assert_mat_floor(PROD(d.H, f), tau, 1e-11, 1, "seed %lu", seed);
    for (int k = 0; k < d.nbody; k++) {
      assert_mat_floor(
        force6(t->data->f[k]), block(f, 6 * k, 0, 6, 1), 1e-11, 10, "f %d, seed %lu", k, seed);
    }
  }
}

// a base that accelerates upwards feels like more gravity                    exercise 5.4
static void
gravity_is_an_accelerating_base(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mbd_vec3_t a = mbdu_vec3(1, -2, 3);
    const mbd_vec3_t g = mbdu_vec3_sub(t->model->gravity, a);
    const dense_t d = dense_at(t->model, NULL, t->q, t->v, g);
    mat_t tau = mat(d.nv, 1);
    assert_ok(mbd_set_gravity(t->data, g));
    assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, t->qdd, NULL, tau.a));
    const mat_t expected = dense_inverse_dynamics(&d, column(d.nv, t->qdd), NULL);
    assert_mat_floor(tau, expected, 1e-11, 1, "seed %lu", seed);
    // the model keeps its own
    mbd_data_t * fresh;
    mat_t other = mat(d.nv, 1);
    const dense_t d0 = dense_of(t);
    assert_ok(mbd_data_create(t->model, &fresh));
    assert_ok(mbd_inverse_dynamics(t->model, fresh, t->q, t->v, t->qdd, NULL, other.a));
    const mat_t before = dense_inverse_dynamics(&d0, column(d.nv, t->qdd), NULL);
    assert_mat_floor(other, before, 1e-11, 1, "model's gravity, seed %lu", seed);
    mbd_data_destroy(fresh);
  }
}

//---------- friction and rotors ----------

static mat_t
friction_of(const tree_t * t)
{
  mat_t f = mat(t->model->nv, 1);
  for (int i = 0; i < t->model->nv; i++) {
    const mbd_drive_t * drive = &t->model->body[t->model->dof_body[i]].drive;
    const double v = t->v[i];
    f.a[i] = drive->viscous * v + drive->coulomb * tanh(v / drive->coulomb_velocity);
  }
  return f;
}

static void
friction_opposes_motion(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    mat_t tau = mat(t->model->nv, 1);
    assert_ok(mbd_friction(t->model, t->v, tau.a));
    assert_mat_floor(tau, friction_of(t), 1e-13, 1e-3, "seed %lu", seed);
    for (int i = 0; i < t->model->nv; i++) assert_true(tau.a[i] * t->v[i] >= 0);
    // in place
    const mat_t v = column(t->model->nv, t->v);
    assert_ok(mbd_friction(t->model, v.a, v.a));
    assert_mat(v, tau, 0, "in place, seed %lu", seed);
  }
}

// without a smoothing velocity, or with none of the numbers, friction is still a number
static void
friction_without_numbers_is_zero(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("plain", &model));
  spec.name = "link", spec.joint_name = "joint", spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 0, 1);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  const double v[3] = {0, 1, -1};
  for (int k = 0; k < 3; k++) {
    double tau = 7;
    assert_ok(mbd_friction(model, &v[k], &tau));
    assert_true(tau == 0);
  }
  mbd_model_destroy(model);
}

static void
terms_add_to_the_torque(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    mat_t plain = mat(nv, 1), tau = mat(nv, 1), h0 = mat(nv, 1), h1 = mat(nv, 1);
    mbd_data_t * d = t->data;
    assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, t->qdd, &t->f_ext, plain.a));
    assert_ok(mbd_bias(t->model, d, h0.a));
    mat_t rotors = dense_rotors(t->model);
    for (int i = 0; i < nv; i++) rotors.a[i] *= t->qdd[i];
    const mat_t terms[4] = {mat(nv, 1), friction_of(t), rotors, SUM(friction_of(t), rotors)};
    for (uint32_t bits = 0; bits < 4; bits++) {
      assert_ok(mbd_set_terms(d, bits));
      assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, t->qdd, &t->f_ext, tau.a));
      assert_mat_floor(
        tau, SUM(plain, terms[bits]), 1e-12, 1, "terms %u, seed %lu", (unsigned)bits, seed);
    }
    // bias and gravity are the rigid bodies alone
    assert_ok(mbd_bias(t->model, d, h1.a));
    assert_mat(h1, h0, 0, "bias, seed %lu", seed);
  }
}

//---------- closed forms ----------

// a planar arm of two revolute joints about y, x out, gravity down; returns the model
static mbd_model_t *
double_pendulum(const double m[2], const double l[2], const double c[2], const double I[2])
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("double pendulum", &model));
  int parent = MBD_WORLD_BODY;
  for (int k = 0; k < 2; k++) {
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = k ? "forearm" : "arm";
    spec.joint_name = k ? "elbow" : "shoulder";
    spec.parent = parent;
    spec.type = MBD_JOINT_REVOLUTE;
    spec.axis = mbdu_vec3(0, -2, 0);
    if (k) spec.placement.p = mbdu_vec3(l[0], 0, 0);
    const mbd_sym3_t J = {0.3 * I[k], 0, 0, I[k], 0, 0.9 * I[k]};
    spec.inertia = mbdu_inertia_from_com(m[k], mbdu_vec3(c[k], 0, 0), J);
    assert_ok(mbd_model_add_body(model, &spec, &parent));
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// the textbook's two-link arm: M, C v and g in closed form; angles up from horizontal
static void
double_pendulum_is_the_textbook_one(void ** context)
{
  (void)context;
  const double m[2] = {1.3, 0.7}, l[2] = {0.5, 0.4}, c[2] = {0.21, 0.17}, I[2] = {0.03, 0.02};
  mbd_model_t * model = double_pendulum(m, l, c, I);
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  uint64_t state = 20;
  for (int k = 0; k < 100; k++) {
    const double q[2] = {3 * random_signed(&state), 3 * random_signed(&state)};
    const double v[2] = {random_signed(&state), random_signed(&state)};
    const double cross = m[1] * l[0] * c[1], g0 = 9.81;
    const double d22 = I[1] + m[1] * c[1] * c[1], d12 = d22 + cross * cos(q[1]);
    const double d11 =
      I[0] + m[0] * c[0] * c[0] + I[1] + m[1] * (l[0] * l[0] + c[1] * c[1]) + 2 * cross * cos(q[1]);
    const double M[4] = {d11, d12, d12, d22}, s = cross * sin(q[1]);
    const double g[2] = {
      g0 * ((m[0] * c[0] + m[1] * l[0]) * cos(q[0]) + m[1] * c[1] * cos(q[0] + q[1])),
      g0 * m[1] * c[1] * cos(q[0] + q[1])};
    const double C[4] = {-s * v[1], -s * (v[0] + v[1]), s * v[0], 0};
    const double h[2] = {C[0] * v[0] + C[1] * v[1] + g[0], C[2] * v[0] + g[1]};
    double found_M[4], found_h[2], found_g[2], found_C[4];
    assert_ok(mbd_set_state(model, data, q, NULL));
    assert_ok(mbd_mass_matrix(model, data, found_M));
    assert_ok(mbd_set_velocity(model, data, v));
    assert_ok(mbd_bias(model, data, found_h));
    assert_ok(mbd_gravity(model, data, found_g));
    assert_ok(mbd_coriolis_matrix(model, data, found_C));
    assert_close(found_M, M, 4, 1e-13, "M, case %d", k);
    assert_close(found_h, h, 2, 1e-13, "h, case %d", k);
    assert_close(found_g, g, 2, 1e-13, "g, case %d", k);
    assert_close_floor(found_C, C, 4, 1e-13, 1, "C, case %d", k);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

// a body on a scale: the joint carries m g upwards, gravity points down
static void
sign_of_gravity(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create("lift", &model));
  spec.name = "platform", spec.joint_name = "lift", spec.type = MBD_JOINT_PRISMATIC;
  spec.axis = mbdu_vec3(0, 0, 1);
  spec.inertia.mass = 2;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  assert_near(model->gravity.z, -9.81, 0, "default gravity");
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  const double q = 0, v = 0, up = 1;
  double tau;
  assert_ok(mbd_inverse_dynamics(model, data, &q, &v, &up, NULL, &tau));
  assert_near(tau, 2 * (9.81 + 1), 1e-15, "lifting");
  // a push upwards helps
  mbd_wrench_t push = {frame, MBD_WORLD, {{0, 0, 0}, {0, 0, 5}}};
  const mbd_wrenches_t list = {1, &push};
  assert_ok(mbd_inverse_dynamics(model, data, &q, &v, &up, &list, &tau));
  assert_near(tau, 2 * (9.81 + 1) - 5, 1e-15, "pushed");
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- behaviour ----------

static void
arguments_may_be_left_out_and_aliased(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const int nv = t->model->nv;
    mbd_data_t * d = t->data;
    mat_t tau = mat(nv, 1), again = mat(nv, 1), zero = mat(nv, 1);
    assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, t->qdd, &t->f_ext, tau.a));
    assert_ok(mbd_inverse_dynamics(t->model, d, NULL, NULL, t->qdd, &t->f_ext, again.a));
    assert_mat(again, tau, 0, "state kept, seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(t->model, d, NULL, t->v, t->qdd, &t->f_ext, again.a));
    assert_mat(again, tau, 0, "position kept, seed %lu", seed);
    mat_t inout = column(nv, t->qdd);
    assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, inout.a, &t->f_ext, inout.a));
    assert_mat(inout, tau, 0, "in place, seed %lu", seed);
    assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, NULL, NULL, tau.a));
    assert_ok(mbd_inverse_dynamics(t->model, d, t->q, t->v, zero.a, NULL, again.a));
    assert_mat(again, tau, 0, "no acceleration, seed %lu", seed);
    assert_ok(mbd_bias(t->model, d, again.a));
    assert_mat_floor(again, tau, 1e-13, 1, "bias, seed %lu", seed);
  }
}

static void
stages_are_asked_for(void ** context)
{
  (void)context;
  tree_t * t = random_tree(8, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_force_t f;
  assert_status(mbd_inverse_dynamics(m, d, NULL, NULL, t->qdd, NULL, t->tau), MBD_ERROR_STAGE);
  assert_status(mbd_inverse_dynamics(m, d, NULL, t->v, t->qdd, NULL, t->tau), MBD_ERROR_STAGE);
  assert_status(mbd_bias(m, d, t->tau), MBD_ERROR_STAGE);
  assert_status(mbd_gravity(m, d, t->tau), MBD_ERROR_STAGE);
  assert_status(mbd_joint_force(m, d, 0, &f), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_ok(mbd_gravity(m, d, t->tau));
  assert_status(mbd_bias(m, d, t->tau), MBD_ERROR_STAGE);
  // q without v
  assert_true(mbd_inverse_dynamics(m, d, t->q, NULL, t->qdd, NULL, t->tau) != MBD_OK);
  assert_ok(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, NULL, t->tau));
  assert_ok(mbd_joint_force(m, d, 0, &f));
  assert_ok(mbd_set_velocity(m, d, t->v));
  assert_status(mbd_joint_force(m, d, 0, &f), MBD_ERROR_STAGE);
  // gravity and payloads change forces
  assert_ok(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, NULL, t->tau));
  assert_ok(mbd_set_gravity(d, mbdu_vec3(0, 0, 1)));
  assert_status(mbd_joint_force(m, d, 0, &f), MBD_ERROR_STAGE);
  tree_free(t);
}

static void
bad_arguments_leave_the_torque_alone(void ** context)
{
  (void)context;
  tree_t *t = random_tree(9, NULL), *other = random_tree(10, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t tau = mat(m->nv, 1), before = mat(m->nv, 1);
  for (int i = 0; i < m->nv; i++) tau.a[i] = before.a[i] = 7;
  double *q = t->q, *v = t->v, *a = t->qdd;
  assert_status(mbd_inverse_dynamics(NULL, d, q, v, a, NULL, tau.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_inverse_dynamics(m, NULL, q, v, a, NULL, tau.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_inverse_dynamics(m, d, q, v, a, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_inverse_dynamics(other->model, d, q, v, a, NULL, tau.a), MBD_ERROR_MODEL_MISMATCH);
  double * numbers[3] = {q, v, a};
  for (int k = 0; k < 3; k++) {
    const double keep = numbers[k][0];
    numbers[k][0] = nan("");
    assert_status(mbd_inverse_dynamics(m, d, q, v, a, NULL, tau.a), MBD_ERROR_NOT_FINITE);
    numbers[k][0] = keep;
  }
  mbd_wrench_t w = {m->nframe, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t list = {1, &w};
  assert_status(mbd_inverse_dynamics(m, d, q, v, a, &list, tau.a), MBD_ERROR_BAD_ARGUMENT);
  w.frame = 0, w.f.lin.x = HUGE_VAL;
  assert_status(mbd_inverse_dynamics(m, d, q, v, a, &list, tau.a), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_friction(m, NULL, tau.a), MBD_ERROR_NULL_ARGUMENT);
  v[0] = nan("");
  assert_status(mbd_friction(m, v, tau.a), MBD_ERROR_NOT_FINITE);
  assert_mat(tau, before, 0, "tau");
  mbd_force_t f;
  v[0] = 0;
  assert_ok(mbd_inverse_dynamics(m, d, q, v, a, NULL, tau.a));
  assert_status(mbd_joint_force(m, d, -1, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_joint_force(m, d, m->nbody, &f), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_joint_force(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(torque_matches_the_operators),
    cmocka_unit_test(joint_forces_match_the_operators),
    cmocka_unit_test(torque_is_a_sum_of_terms),
    cmocka_unit_test(gravity_is_the_gradient_of_potential_energy),
    cmocka_unit_test(composite_bodies_give_the_same_forces),
    cmocka_unit_test(gravity_is_an_accelerating_base),
    cmocka_unit_test(friction_opposes_motion),
    cmocka_unit_test(friction_without_numbers_is_zero),
    cmocka_unit_test(terms_add_to_the_torque),
    cmocka_unit_test(double_pendulum_is_the_textbook_one),
    cmocka_unit_test(sign_of_gravity),
    cmocka_unit_test(arguments_may_be_left_out_and_aliased),
    cmocka_unit_test(stages_are_asked_for),
    cmocka_unit_test(bad_arguments_leave_the_torque_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
