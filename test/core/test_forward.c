// Forward dynamics and the inverse mass matrix.
#include <math.h>
#include <string.h>

#include "core_test.h"

static mat_t
forward(const tree_t * t, const double * tau, const mbd_wrenches_t * f)
{
  mat_t qdd = mat(t->model->nv, 1);
  assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, tau, f, qdd.a));
  return qdd;
}

static mat_t
backward(const tree_t * t, const double * qdd, const mbd_wrenches_t * f)
{
  mat_t tau = mat(t->model->nv, 1);
  assert_ok(mbd_inverse_dynamics(t->model, t->data, t->q, t->v, qdd, f, tau.a));
  return tau;
}

static mat_t
inverse_mass(const tree_t * t)
{
  mat_t M_inv = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_set_position(t->model, t->data, t->q));
  assert_ok(mbd_mass_matrix_inverse(t->model, t->data, M_inv.a));
  return M_inv;
}

//---------- against inverse dynamics and dense solves ----------

// each is the inverse of the other, with gravity, wrenches, friction and rotors   (7.36)
static void
forward_and_inverse_are_inverses(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    for (uint32_t terms = 0; terms < 4; terms++) {
      assert_ok(mbd_set_terms(t->data, terms));
      const mat_t qdd = forward(t, t->tau, &t->f_ext);
      assert_mat(
        backward(t, qdd.a, &t->f_ext), column(qdd.r, t->tau), 1e-9, "ID(FD(tau)), terms %u, %lu",
        (unsigned)terms, seed);
      const mat_t tau = backward(t, t->qdd, &t->f_ext);
      assert_mat(
        forward(t, tau.a, &t->f_ext), column(qdd.r, t->qdd), 1e-9, "FD(ID(qdd)), terms %u, %lu",
        (unsigned)terms, seed);
    }
  }
}

// M^-1 (tau - h + J^T f) by a dense solve
static void
forward_dynamics_solves_the_equations(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t rest = dense_inverse_dynamics(&d, mat(d.nv, 1), &t->f_ext);
    const mat_t M_inv = inverse(dense_mass(&d));
    const mat_t qdd = PROD(M_inv, sub(column(d.nv, t->tau), rest));
    assert_mat(forward(t, t->tau, &t->f_ext), qdd, 1e-9, "qdd, seed %lu", seed);
    // accelerations of bodies come with it
    assert_ok(mbd_complete_stages(t->model, t->data));
    const mat_t alpha = SUM(dense_acceleration(&d, qdd), d.g);
    for (int k = 0; k < d.nbody; k++) {
      assert_mat_floor(
        motion6(t->data->A[k]), block(alpha, 6 * k, 0, 6, 1), 1e-9, fmax(1, largest_entry(alpha)),
        "A %d, seed %lu", k, seed);
    }
  }
}

// long chains of every length
static void
long_chains(void ** context)
{
  (void)context;
  const int length[] = {1, 2, 30, 100, 300};
  for (int k = 0; k < 5; k++) {
    tree_t * t = chain(length[k], 7);
    const mat_t tau = backward(t, t->qdd, NULL);
    assert_mat(forward(t, tau.a, NULL), column(length[k], t->qdd), 1e-7, "%d bodies", length[k]);
    tree_free(t);
    mats_free();
  }
}

// M^-1 M = I, symmetric, the dense inverse                              (7.18), (10.29)
static void
inverse_mass_matrix(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    for (uint32_t terms = 0; terms < 4; terms += 2) {
      assert_ok(mbd_set_terms(t->data, terms));
      const int nv = t->model->nv;
      const mat_t M_inv = inverse_mass(t);
      mat_t M = mat(nv, nv);
      assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
      assert_mat(PROD(M_inv, M), eye(nv), 1e-9, "M^-1 M, terms %u, %lu", (unsigned)terms, seed);
      assert_mat(M_inv, tr(M_inv), 1e-12, "symmetric, seed %lu", seed);
      assert_mat(M_inv, inverse(M), 1e-9, "dense, terms %u, seed %lu", (unsigned)terms, seed);
    }
  }
}

// wrenches accelerate by M^-1 J^T f, linearly                      algorithm 7.3, (7.44)
static void
wrenches_accelerate_by_the_inverse_mass(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const mat_t with = forward(t, t->tau, &t->f_ext), without = forward(t, t->tau, NULL);
    const mat_t M_inv = inverse_mass(t);
    mat_t Jf = mat(with.r, 1);
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, Jf.a));
    const mat_t response = PROD(M_inv, Jf);
    const double size = fmax(1, largest_entry(with));
    assert_mat_floor(sub(with, without), response, 1e-9, size, "response, seed %lu", seed);
    for (int k = 0; k < t->nwrench; k++) {
      t->wrench[k].f = mbdu_force_scale(-3, t->wrench[k].f);
    }
    const mat_t thrice = forward(t, t->tau, &t->f_ext);
    assert_mat_floor(
      sub(thrice, without), scale(-3, response), 1e-9, size, "linear, seed %lu", seed);
  }
}

// forces through joints out of forward dynamics are those of inverse dynamics     (7.40)
static void
joint_forces_are_those_of_inverse_dynamics(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    for (uint32_t terms = 0; terms < 4; terms++) {
      assert_ok(mbd_set_terms(t->data, terms));
      const mat_t qdd = forward(t, t->tau, &t->f_ext);
      mbd_force_t f[64], g;
      for (int k = 0; k < t->model->nbody; k++) {
        assert_ok(mbd_joint_force(t->model, t->data, k, &f[k]));
      }
      backward(t, qdd.a, &t->f_ext);
      for (int k = 0; k < t->model->nbody; k++) {
        assert_ok(mbd_joint_force(t->model, t->data, k, &g));
        assert_mat_floor(
          force6(f[k]), force6(g), 1e-9, 100, "joint %d, terms %u, seed %lu", k, (unsigned)terms,
          seed);
      }
    }
  }
}

//---------- energy and momentum ----------

static double
total_energy(const tree_t * t, const double * q, const double * v)
{
  double kinetic, potential;
  assert_ok(mbd_set_position(t->model, t->data, q));
  assert_ok(mbd_set_velocity(t->model, t->data, v));
  assert_ok(mbd_kinetic_energy(t->model, t->data, &kinetic));
  assert_ok(mbd_potential_energy(t->model, t->data, &potential));
  return kinetic + potential;
}

// dE/dt = v^T tau + power of wrenches - friction losses                          (4.34)
static void
power_balance(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const int nv = t->model->nv;
    for (uint32_t terms = 0; terms < 4; terms += 3) {
      assert_ok(mbd_set_terms(t->data, terms));
      const mat_t qdd = forward(t, t->tau, &t->f_ext);
      memcpy(t->qdd, qdd.a, sizeof *t->qdd * (size_t)nv);
      // light links accelerate by thousands: a step in which they gain little speed
      const double h = 1e-4 / (10 + largest_entry(qdd));
      const mat_t v = column(nv, t->v);
      double power = scalar(PROD(tr(v), column(nv, t->tau)));
      for (int k = 0; k < t->nwrench; k++) {
        mbd_motion_t V;
        const mbd_wrench_t * w = &t->wrench[k];
        assert_ok(mbd_frame_velocity(t->model, t->data, w->frame, w->reference, &V));
        power += mbdu_power(w->f, V);
      }
      mat_t friction = mat(nv, 1);
      assert_ok(mbd_friction(t->model, t->v, friction.a));
      if (terms & MBD_TERM_FRICTION) power -= scalar(PROD(tr(v), friction));
      const double later = total_energy(t, q_later(t, h).a, v_later(t, h).a);
      const double before = total_energy(t, q_later(t, -h).a, v_later(t, -h).a);
      const double size = fmax(fmax(1, fabs(power)), fabs(later) * 0.01);
      assert_near(
        (later - before) / (2 * h) / size, power / size, 1e-6, "terms %u, seed %lu",
        (unsigned)terms, seed);
    }
  }
}

// one step of Runge and Kutta, through the public functions
static void
runge_kutta(tree_t * t, double h)
{
  const mbd_model_t * m = t->model;
  const double part[4] = {0, 0.5 * h, 0.5 * h, h}, weight[4] = {h / 6, h / 3, h / 3, h / 6};
  mat_t q = column(m->nq, t->q), v = column(m->nv, t->v), a = mat(m->nv, 1);
  mat_t v_sum = mat(m->nv, 1), a_sum = mat(m->nv, 1);
  for (int k = 0; k < 4; k++) {
    assert_ok(mbd_integrate(m, t->q, v.a, part[k], q.a));
    v = SUM(column(m->nv, t->v), scale(part[k], a));
    assert_ok(mbd_forward_dynamics(m, t->data, q.a, v.a, NULL, NULL, a.a));
    v_sum = SUM(v_sum, scale(weight[k] / h, v));
    a_sum = SUM(a_sum, scale(weight[k], a));
  }
  assert_ok(mbd_integrate(m, t->q, v_sum.a, h, t->q));
  for (int i = 0; i < m->nv; i++) t->v[i] += a_sum.a[i];
}

// momentum about the world's origin, about the centre, and about the body's own origin
static mat_t
momenta(const tree_t * t)
{
  mbd_force_t centre;
  set_state(t);
  assert_ok(mbd_centroidal_momentum(t->model, t->data, &centre));
  const mbd_placement_t * X = &t->data->X_world[0];
  const mbd_force_t body = mbdu_inertia_mul(&t->data->inertia[0], t->data->V[0]);
  mbd_placement_t turn = *X;
  turn.p = mbdu_vec3(0, 0, 0);
  mat_t all = mat(18, 1);
  set_block(all, 0, 0, force6(centre));
  set_block(all, 6, 0, force6(mbdu_force_to_parent(X, body)));
  set_block(all, 12, 0, force6(mbdu_force_to_parent(&turn, body)));
  return all;
}

// a free body keeps its energy and its momentum about fixed points and about its centre, but not
// about another point of its own                                     exercises 2.10 and 2.14
static void
free_body_keeps_energy_and_momentum(void ** context)
{
  (void)context;
  tree_options_t options = {1, 1, false, true, false, false};
  FOR_SEEDS(5)
  {
    tree_t * t = random_tree(seed, &options);
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    const double energy = total_energy(t, t->q, t->v);
    const mat_t first = momenta(t);
    double keep[18];
    memcpy(keep, first.a, sizeof keep);
    for (int k = 0; k < 2000; k++) {
      runge_kutta(t, 5e-4);
      mats_free();
    }
    assert_near(total_energy(t, t->q, t->v) / energy, 1, 1e-11, "energy, seed %lu", seed);
    const mat_t last = momenta(t);
    assert_close_floor(last.a, keep, 12, 1e-6, 1, "momentum, seed %lu", seed);
    assert_true(largest_entry(sub(column(6, last.a + 12), column(6, keep + 12))) > 1e-2);
    tree_free(t);
    mats_free();
  }
}

// energy of trees under gravity; momentum of those that fly free of it
static void
trees_keep_energy_and_momentum(void ** context)
{
  (void)context;
  tree_options_t options = {2, 5, false, true, false, false};
  FOR_SEEDS(12)
  {
    tree_t * t = random_tree(seed, &options);
    const bool flies = seed % 2;
    if (flies) assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    const double energy = total_energy(t, t->q, t->v);
    mbd_force_t before, after;
    assert_ok(mbd_centroidal_momentum(t->model, t->data, &before));
    for (int k = 0; k < 1000; k++) {
      runge_kutta(t, 1e-4);
      mats_free();
    }
    const double size = fmax(1, fabs(energy));
    assert_near(total_energy(t, t->q, t->v) / size, energy / size, 1e-7, "energy, %lu", seed);
    assert_ok(mbd_centroidal_momentum(t->model, t->data, &after));
    if (flies) assert_mat_floor(force6(after), force6(before), 1e-6, 1, "momentum, %lu", seed);
    tree_free(t);
    mats_free();
  }
}

// a constant velocity of the world changes nothing but how the base's numbers turn   remark 5.2
static void
steady_motion_of_the_world_is_not_felt(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.forest = false;
  FOR_TREES(TREES, &options)
  {
    const mat_t still = forward(t, t->tau, NULL);
    const mbd_placement_t X = t->data->X_world[0];
    const mbd_vec3_t u = mbdu_mat3_tvec(&X.R, mbdu_vec3(1, -2, 0.5));
    const mbd_vec3_t w = mbdu_vec3(t->v[3], t->v[4], t->v[5]);
    t->v[0] += u.x, t->v[1] += u.y, t->v[2] += u.z;
    mat_t moving = forward(t, t->tau, NULL);
    const mbd_vec3_t shift = mbdu_vec3_cross(w, u);
    moving.a[0] += shift.x, moving.a[1] += shift.y, moving.a[2] += shift.z;
    assert_mat(moving, still, 1e-9, "seed %lu", seed);
  }
}

//---------- massless subtrees ----------

static void
make_massless(mbd_body_spec_t * spec, int link, void * arg)
{
  // links of a random choice
  uint64_t state = *(const uint64_t *)arg + (uint64_t)link;
  mbd_inertia_t nothing = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  if (random_below(&state, 3) == 0) spec->inertia = nothing;
}

static bool
all_finite(mat_t A)
{
  for (int i = 0; i < A.r * A.c; i++) {
    if (!isfinite(A.a[i])) return false;
  }
  return true;
}

// links without mass anywhere: a result of finite numbers, or an error with a name
static void
massless_links_are_named_or_do_no_harm(void ** context)
{
  (void)context;
  int refused = 0, solved = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t arg = 1000 * seed;
    mbd_model_t * m = rebuild(t, make_massless, &arg);
    mbd_data_t * d;
    assert_ok(mbd_data_create(m, &d));
    mat_t qdd = mat(m->nv, 1), M_inv = mat(m->nv, m->nv), back = mat(m->nv, 1);
    for (int i = 0; i < m->nv; i++) qdd.a[i] = 7;
    const mbd_status_t status = mbd_forward_dynamics(m, d, t->q, t->v, t->tau, NULL, qdd.a);
    if (status == MBD_OK) {
      solved++;
      assert_true(all_finite(qdd));
      assert_ok(mbd_inverse_dynamics(m, d, t->q, t->v, qdd.a, NULL, back.a));
      // badly scaled, perhaps, but the torque comes back
      assert_mat_floor(
        back, column(m->nv, t->tau), 1e-5, fmax(1, 1e-6 * largest_entry(qdd)), "seed %lu", seed);
      assert_ok(mbd_mass_matrix_inverse(m, d, M_inv.a));
      assert_true(all_finite(M_inv));
    } else {
      refused++;
      assert_int_equal(status, MBD_ERROR_MASSLESS_SUBTREE);
      assert_true(d->error_body >= 0 && d->error_body < m->nbody);
      assert_string_equal(mbd_error_joint_name(d), m->body[d->error_body].joint_name);
      for (int i = 0; i < m->nv; i++) assert_true(qdd.a[i] == 7);
      assert_status(mbd_mass_matrix_inverse(m, d, M_inv.a), MBD_ERROR_MASSLESS_SUBTREE);
      assert_status(mbd_articulated_inertia(m, d), MBD_ERROR_MASSLESS_SUBTREE);
      assert_status(mbd_compliance(m, d), MBD_ERROR_MASSLESS_SUBTREE);
      // inverse dynamics and the mass matrix need no inverse
      assert_ok(mbd_inverse_dynamics(m, d, t->q, t->v, t->qdd, NULL, back.a));
      assert_ok(mbd_mass_matrix(m, d, M_inv.a));
    }
    mbd_data_destroy(d);
    mbd_model_destroy(m);
  }
  assert_count(refused, 20);
  assert_count(solved, 20);
}

// one revolute joint about z with a body of no inertia about it; a rotor helps
static void
inertia_off_the_axis_is_needed(void ** context)
{
  (void)context;
  const mbd_inertia_t bodies[3] = {
    {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}},  // nothing
    {1, {0, 0, 1}, {1, 0, 0, 1, 0, 0}},  // a point on the axis
    {1, {0, 0, 0}, {0, 0, 0, 0, 0, 0}},  // a point at the origin
  };
  for (int k = 0; k < 3; k++) {
    mbd_model_t * m;
    mbd_data_t * d;
    mbd_body_spec_t spec = mbd_body_spec_default();
    int frame;
    assert_ok(mbd_model_create("needle", &m));
    spec.name = "needle", spec.joint_name = "pivot", spec.type = MBD_JOINT_REVOLUTE;
    spec.axis = mbdu_vec3(0, 0, 1);
    spec.inertia = bodies[k];
    spec.drive.rotor_inertia = 1e-3, spec.drive.gear_ratio = 10;
    assert_ok(mbd_model_add_body(m, &spec, &frame));
    assert_ok(mbd_model_finalize(m));
    assert_ok(mbd_data_create(m, &d));
    const double q = 0.3, v = 0.1, tau = 2;
    double qdd = 7;
    assert_status(mbd_forward_dynamics(m, d, &q, &v, &tau, NULL, &qdd), MBD_ERROR_MASSLESS_SUBTREE);
    assert_true(qdd == 7);
    assert_string_equal(mbd_error_joint_name(d), "pivot");
    assert_ok(mbd_set_terms(d, MBD_TERM_ROTORS));
    assert_ok(mbd_forward_dynamics(m, d, &q, &v, &tau, NULL, &qdd));
    assert_near(qdd, 2 / 0.1, 1e-13, "rotor, body %d", k);
    mbd_data_destroy(d);
    mbd_model_destroy(m);
  }
}

//---------- behaviour ----------

static void
arguments_may_be_left_out_and_aliased(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const int nv = t->model->nv;
    const mat_t qdd = forward(t, t->tau, &t->f_ext);
    mat_t again = mat(nv, 1), zero = mat(nv, 1);
    assert_ok(mbd_forward_dynamics(t->model, t->data, NULL, NULL, t->tau, &t->f_ext, again.a));
    assert_mat(again, qdd, 0, "state kept, seed %lu", seed);
    assert_ok(mbd_forward_dynamics(t->model, t->data, NULL, t->v, t->tau, &t->f_ext, again.a));
    assert_mat(again, qdd, 0, "position kept, seed %lu", seed);
    mat_t inout = column(nv, t->tau);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, inout.a, &t->f_ext, inout.a));
    assert_mat(inout, qdd, 0, "in place, seed %lu", seed);
    assert_mat(forward(t, NULL, NULL), forward(t, zero.a, NULL), 0, "no torque, seed %lu", seed);
  }
}

static void
stages_are_asked_for(void ** context)
{
  (void)context;
  tree_t * t = random_tree(8, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t M = mat(m->nv, m->nv);
  assert_status(mbd_forward_dynamics(m, d, NULL, NULL, t->tau, NULL, t->qdd), MBD_ERROR_STAGE);
  assert_status(mbd_forward_dynamics(m, d, NULL, t->v, t->tau, NULL, t->qdd), MBD_ERROR_STAGE);
  assert_status(mbd_articulated_inertia(m, d), MBD_ERROR_STAGE);
  assert_status(mbd_mass_matrix_inverse(m, d, M.a), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_true(mbd_forward_dynamics(m, d, t->q, NULL, t->tau, NULL, t->qdd) != MBD_OK);
  assert_ok(mbd_mass_matrix_inverse(m, d, M.a));
  tree_free(t);
  mats_free();
}

// nothing of one state or setting is used for the next
static void
articulated_inertias_follow_the_state(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const mat_t first = forward(t, t->tau, &t->f_ext);
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS | MBD_TERM_FRICTION));
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 1)));
    mat_t v = mat(t->model->nv, 1), q = mat(t->model->nq, 1), other = mat(t->model->nv, 1);
    for (int i = 0; i < t->model->nv; i++) v.a[i] = 0.4;
    dense_step_all(t->model, t->q, v.a, 1, q.a);
    assert_ok(mbd_forward_dynamics(t->model, t->data, q.a, t->v, t->tau, NULL, other.a));
    assert_ok(mbd_set_terms(t->data, 0));
    assert_ok(mbd_set_gravity(t->data, t->model->gravity));
    assert_mat(forward(t, t->tau, &t->f_ext), first, 0, "seed %lu", seed);
    // terms changed between two calls on one position
    mat_t plain = mat(v.r, v.r), rotors = mat(v.r, v.r), M = mat(v.r, v.r);
    assert_ok(mbd_mass_matrix_inverse(t->model, t->data, plain.a));
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    assert_ok(mbd_mass_matrix_inverse(t->model, t->data, rotors.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_mat(PROD(rotors, M), eye(v.r), 1e-9, "rotors, seed %lu", seed);
  }
}

static void
bad_arguments_leave_the_acceleration_alone(void ** context)
{
  (void)context;
  tree_t *t = random_tree(9, NULL), *other = random_tree(10, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t qdd = mat(m->nv, 1), before = mat(m->nv, 1);
  for (int i = 0; i < m->nv; i++) qdd.a[i] = before.a[i] = 7;
  double *q = t->q, *v = t->v, *tau = t->tau;
  assert_status(mbd_forward_dynamics(NULL, d, q, v, tau, NULL, qdd.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_forward_dynamics(m, NULL, q, v, tau, NULL, qdd.a), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_forward_dynamics(m, d, q, v, tau, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_forward_dynamics(other->model, d, q, v, tau, NULL, qdd.a), MBD_ERROR_MODEL_MISMATCH);
  double * numbers[3] = {q, v, tau};
  for (int k = 0; k < 3; k++) {
    const double keep = numbers[k][0];
    numbers[k][0] = HUGE_VAL;
    assert_status(mbd_forward_dynamics(m, d, q, v, tau, NULL, qdd.a), MBD_ERROR_NOT_FINITE);
    numbers[k][0] = keep;
  }
  mbd_wrench_t w = {m->nframe, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t list = {1, &w};
  assert_status(mbd_forward_dynamics(m, d, q, v, tau, &list, qdd.a), MBD_ERROR_BAD_ARGUMENT);
  w.frame = 0, w.f.ang.x = nan("");
  assert_status(mbd_forward_dynamics(m, d, q, v, tau, &list, qdd.a), MBD_ERROR_NOT_FINITE);
  assert_mat(qdd, before, 0, "qdd");
  assert_ok(mbd_set_position(m, d, q));
  assert_status(mbd_mass_matrix_inverse(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  tree_free(other);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(forward_and_inverse_are_inverses),
    cmocka_unit_test(forward_dynamics_solves_the_equations),
    cmocka_unit_test(long_chains),
    cmocka_unit_test(inverse_mass_matrix),
    cmocka_unit_test(wrenches_accelerate_by_the_inverse_mass),
    cmocka_unit_test(joint_forces_are_those_of_inverse_dynamics),
    cmocka_unit_test(power_balance),
    cmocka_unit_test(free_body_keeps_energy_and_momentum),
    cmocka_unit_test(trees_keep_energy_and_momentum),
    cmocka_unit_test(steady_motion_of_the_world_is_not_felt),
    cmocka_unit_test(massless_links_are_named_or_do_no_harm),
    cmocka_unit_test(inertia_off_the_axis_is_needed),
    cmocka_unit_test(arguments_may_be_left_out_and_aliased),
    cmocka_unit_test(stages_are_asked_for),
    cmocka_unit_test(articulated_inertias_follow_the_state),
    cmocka_unit_test(bad_arguments_leave_the_acceleration_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
