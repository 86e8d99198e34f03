// Force elements with loops: cut joints and embedded loops against the same forces given as external
// wrenches, derivatives through the loops against differences; laws by hand, and refusals.
#include "element_robots.h"
#include "mbdyn/flexible.h"
#include "mbdyn/operators.h"

//---------- loops ----------

static bool
assembled(tree_t * t, uint64_t seed, uint64_t * state, const kinds_t * kinds)
{
  if (t->nlink < 2 || t->model->nv < 3) return false;
  *state = seed + 5;
  const loops_t loops = assembled_loops(t, state, t->model->nv - 1);
  if (loops.n == 0) return false;
  add_elements(t, &loops, state, kinds);
  return true;
}

#define FOR_CLOSED(n, kinds)                     \
  const tree_options_t options_ = small_trees(); \
  uint64_t state_;                               \
  FOR_TREES(n, &options_) if (assembled(t, seed, &state_, kinds))

static void
cut_joints_count_elements(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_CLOSED(TREES, &ALL)
  {
    const mbd_model_t * m = t->model;
    outside_t o;
    double * work = calloc(mbd_constrained_work(m), sizeof *work);
    assert_ok(mbd_set_position(m, t->data, t->q));
    mat_t v = mat(m->nv, 1), x = mat(m->nv, 1), y = mat(m->nv, 1), lambda = mat(m->nrow, 1),
          mu = mat(m->nrow, 1);
    double * project = calloc(mbd_assembly_work(m), sizeof *project);
    const mbd_status_t projected = mbd_project_velocity(m, t->data, NULL, t->v, project, v.a, NULL);
    free(project);
    if (projected == MBD_OK) {
      make_outside(m, t->data, t->q, v.a, (uint32_t)(seed % 4), &state_, &o);
      const mbd_status_t status = mbd_constrained_forward_dynamics(
        m, o.data, t->q, v.a, t->tau, &o.all, NULL, work, y.a, mu.a, NULL);
      assert_status(
        mbd_constrained_forward_dynamics(
          m, t->data, t->q, v.a, t->tau, &o.mine, NULL, work, x.a, lambda.a, NULL),
        status);
      if (status == MBD_OK) {
        assert_mat(x, y, 1e-7, "accelerations, seed %d", (int)seed);
        for (int i = 0; i < m->nbody; i++) {
          mbd_force_t f, g;
          assert_ok(mbd_joint_force(m, t->data, i, &f));
          assert_ok(mbd_joint_force(m, o.data, i, &g));
          assert_close(&f.ang.x, &g.ang.x, 6, 1e-6, "joint force, seed %d", (int)seed);
        }
        assert_mat(lambda, mu, 1e-6, "multipliers, seed %d", (int)seed);
        compared++;
      }
      mbd_data_destroy(o.data);
    }
    free(work);
  }
  assert_count(compared, 60);
}

// the embedding at the robot's configuration, or NULL if it is singular
static mbd_model_t *
embedded(tree_t * t)
{
  mbd_model_t * m = NULL;
  mbd_embed_options_t options = mbd_embed_options_default();
  options.q = t->q;
  return mbd_model_embed(t->model, &options, &m) == MBD_OK ? m : NULL;
}

static void
embedded_loops_count_elements(void ** state)
{
  (void)state;
  int compared = 0, differentiated = 0;
  FOR_CLOSED(TREES, &ALL)
  {
    mbd_model_t * m = embedded(t);
    mbd_data_t * data;
    if (!m) continue;
    assert_ok(mbd_data_create(m, &data));
    const int nv = m->nv;
    double condition = 1e9;
    const bool placed = nv > 0 && mbd_set_position(m, data, t->q) == MBD_OK &&
                        mbd_embedding_condition(m, data, &condition, NULL) == MBD_OK;
    if (placed && condition < 20) {
      outside_t o;
      mat_t q = mat(m->nq, 1), x = mat(nv, 1), y = mat(nv, 1), e = mat(nv, 1);
      memcpy(q.a, data->q, (size_t)m->nq * sizeof *q.a);
      make_outside(m, data, q.a, t->v, (uint32_t)(seed % 4), &state_, &o);
      assert_ok(mbd_element_torque(m, data, e.a));
      assert_ok(mbd_inverse_dynamics(m, data, q.a, t->v, t->qdd, &o.mine, x.a));
      assert_ok(mbd_inverse_dynamics(m, o.data, q.a, t->v, t->qdd, &o.all, y.a));
      assert_mat(x, y, 1e-8, "inverse, seed %d", (int)seed);
      assert_ok(mbd_set_position(m, data, q.a));
      assert_ok(mbd_set_velocity(m, data, t->v));
      assert_ok(mbd_set_position(m, o.data, q.a));
      assert_ok(mbd_set_velocity(m, o.data, t->v));
      assert_ok(mbd_bias(m, data, x.a));
      assert_ok(mbd_bias(m, o.data, y.a));
      assert_mat(x, sub(y, e), 1e-8, "bias, seed %d", (int)seed);
      mat_t l1 = mat(m->nrow, 1), l2 = mat(m->nrow, 1);
      if (mbd_closure_forces(m, o.data, t->qdd, NULL, &o.all, l2.a) == MBD_OK) {
        assert_ok(mbd_closure_forces(m, data, t->qdd, NULL, &o.mine, l1.a));
        assert_mat(l1, l2, 1e-7, "closure forces, seed %d", (int)seed);
      }
      mbd_energy_rates_t r, s;
      assert_ok(mbd_energy_rates(m, data, t->tau, &o.mine, &r));
      assert_ok(mbd_energy_rates(m, o.data, t->tau, &o.all, &s));
      assert_close(&r.kinetic, &s.kinetic, 1, 1e-8, "kinetic, seed %d", (int)seed);
      double with, without, sum = 0;
      assert_ok(mbd_potential_energy(m, data, &with));
      assert_ok(mbd_potential_energy(m, o.data, &without));
      for (int k = 0; k < m->nelement; k++) {
        mbd_element_state_t st;
        assert_ok(mbd_element_state(m, data, k, &st));
        sum += st.energy;
      }
      assert_true(fabs(with - without - sum) < 1e-10 * (1 + fabs(sum) + fabs(without)));
      const mbd_status_t status = mbd_forward_dynamics(m, o.data, q.a, t->v, t->tau, &o.all, y.a);
      assert_status(mbd_forward_dynamics(m, data, q.a, t->v, t->tau, &o.mine, x.a), status);
      if (status == MBD_OK) assert_mat(x, y, 1e-7, "forward, seed %d", (int)seed);
      compared++;
      // derivatives through the loops
      mat_t dq = mat(nv, nv), dv = mat(nv, nv), eq = mat(nv, nv), ev = mat(nv, nv);
      double * work = calloc(mbd_derivatives_work(m), sizeof *work);
      memcpy(t->q, q.a, (size_t)m->nq * sizeof *q.a);
      const bool smooth = is_smooth(t);
      for (int k = 0; k < nv; k++) t->v[k] *= 0.3;
      if (
        smooth && differences(m, data, mbd_inverse_dynamics, q.a, t->v, t->qdd, &o.mine, eq, ev)) {
        assert_ok(mbd_inverse_dynamics_derivatives(
          m, data, q.a, t->v, t->qdd, &o.mine, work, dq.a, dv.a, NULL));
        const double size = fmax(1, fmax(largest_entry(eq), largest_entry(ev)));
        for (int k = 0; k < nv * nv; k++) {
          if (!(fabs(dq.a[k] - eq.a[k]) < 2e-5 * size && fabs(dv.a[k] - ev.a[k]) < 2e-5 * size))
            fail_msg("derivatives, seed %d: %g %g", (int)seed, dq.a[k], eq.a[k]);
        }
        differentiated++;
      }
      free(work);
      mbd_data_destroy(o.data);
    }
    mbd_data_destroy(data);
    mbd_model_destroy(m);
  }
  assert_count(compared, 30);
  assert_count(differentiated, 15);
}

// the SKO engine, which larger loops are computed by
static void
large_loops_count_elements(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_SEEDS(10)
  {
    tree_t * t = chain(70, seed);
    uint64_t rng = seed;
    const loops_t loops = assembled_loops(t, &rng, 12);
    add_elements(t, &loops, &rng, &ALL);
    mbd_model_t * m = embedded(t);
    if (m) {
      mbd_data_t * data;
      outside_t o;
      assert_ok(mbd_data_create(m, &data));
      if (mbd_set_position(m, data, t->q) == MBD_OK) {
        for (int k = 0; k < m->nv; k++) t->v[k] *= 0.1;
        make_outside(m, data, t->q, t->v, 0, &rng, &o);
        mat_t x = mat(m->nv, 1), y = mat(m->nv, 1);
        const mbd_status_t status =
          mbd_forward_dynamics(m, o.data, t->q, t->v, t->tau, &o.all, y.a);
        assert_status(mbd_forward_dynamics(m, data, t->q, t->v, t->tau, &o.mine, x.a), status);
        if (status == MBD_OK) {
          assert_mat(x, y, 1e-5, "seed %d", (int)seed);
          compared++;
        }
        mbd_data_destroy(o.data);
      }
      mbd_data_destroy(data);
      mbd_model_destroy(m);
    }
    tree_free(t);
    mats_free();
  }
  assert_count(compared, 3);
}

//---------- by hand ----------

// a spring without rest length at length zero
static void
spring_of_no_length(void ** state)
{
  (void)state;
  mbd_model_t * m;
  mbd_data_t * data;
  int frame;
  assert_ok(mbd_model_create("free", &m));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "body", spec.joint_name = "free", spec.type = MBD_JOINT_FREE;
  spec.inertia = mbdu_inertia_from_com(2, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  mbd_element_spec_t e = mbd_element_spec_default();
  e.name = "spring", e.frame_b = frame, e.stiffness = 7;
  assert_ok(mbd_model_add_element(m, &e, NULL));
  assert_ok(mbd_model_finalize(m));
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_terms(data, MBD_TERM_ELEMENTS));
  double q[7] = {0, 0, 0, 0, 0, 0, 1}, v[6] = {0}, dq[36], dv[36], tau[6];
  double * work = calloc(mbd_derivatives_work(m), sizeof *work);
  assert_ok(mbd_inverse_dynamics_derivatives(m, data, q, v, NULL, NULL, work, dq, dv, NULL));
  for (int k = 0; k < 3; k++) assert_true(fabs(dq[7 * k] - 7) < 1e-12);
  assert_ok(mbd_element_torque(m, data, tau));
  for (int k = 0; k < 6; k++) assert_true(tau[k] == 0);
  q[1] = 0.25;
  assert_ok(mbd_set_state(m, data, q, v));
  assert_ok(mbd_element_torque(m, data, tau));
  assert_true(fabs(tau[1] + 1.75) < 1e-14);
  free(work);
  mbd_data_destroy(data);
  mbd_model_destroy(m);
}

// a slider on the x axis of the world, q its position
static mbd_model_t *
slider(const mbd_element_spec_t * e)
{
  mbd_model_t * m;
  int frame;
  assert_ok(mbd_model_create("slider", &m));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "body", spec.joint_name = "slide", spec.type = MBD_JOINT_PRISMATIC;
  spec.axis = mbdu_vec3(1, 0, 0);
  spec.inertia = mbdu_inertia_from_com(2, mbdu_vec3(0, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  mbd_element_spec_t element = *e;
  element.name = "element";
  if (element.type != MBD_ELEMENT_JOINT) element.frame_b = frame;
  assert_ok(mbd_model_add_element(m, &element, NULL));
  assert_ok(mbd_model_finalize(m));
  return m;
}

static mbd_element_state_t
state_at(const mbd_model_t * m, double q, double v, double * tau)
{
  mbd_data_t * data;
  mbd_element_state_t s;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_state(m, data, &q, &v));
  assert_ok(mbd_element_torque(m, data, tau));
  assert_ok(mbd_element_state(m, data, 0, &s));
  mbd_data_destroy(data);
  return s;
}

// Haug 4.5.1: K = 100, rest 0.5, C = 10; a bump stop ramps its damping in over 1 % of the rest length
static void
laws_by_hand(void ** state)
{
  (void)state;
  double tau;
  mbd_element_spec_t e = mbd_element_spec_default();
  e.stiffness = 100, e.rest = 0.5, e.damping = 10, e.preload = 3;
  mbd_model_t * m = slider(&e);
  mbd_element_state_t s = state_at(m, 0.7, 2, &tau);
  assert_true(fabs(s.x - 0.7) < 1e-15 && fabs(s.rate - 2) < 1e-15);
  assert_true(fabs(s.force - 43) < 1e-12 && fabs(tau + 43) < 1e-12);
  assert_true(fabs(s.energy - (2 + 0.6)) < 1e-12 && fabs(s.dissipation - 40) < 1e-12);
  assert_true(fabs(s.wrench.lin.x + 43) < 1e-12);
  // on the other side of the origin the length is positive and grows to the left
  s = state_at(m, -0.7, 2, &tau);
  assert_true(fabs(s.rate + 2) < 1e-15 && fabs(tau - 3) < 1e-12);
  mbd_model_destroy(m);

  e.preload = 0, e.one_sided = MBD_ONE_SIDED_PUSH;
  m = slider(&e);
  s = state_at(m, 0.7, 2, &tau);
  assert_true(tau == 0 && s.energy == 0);
  s = state_at(m, 0.4, -2, &tau);
  assert_true(fabs(tau - 30) < 1e-12);
  s = state_at(m, 0.5 - 0.0025, -2, &tau);
  assert_true(fabs(tau - (0.25 + 10)) < 1e-10);  // half of the ramp: half of the damping
  mbd_model_destroy(m);

  e.one_sided = MBD_ONE_SIDED_PULL, e.ramp = 0.1;
  m = slider(&e);
  s = state_at(m, 0.4, 2, &tau);
  assert_true(tau == 0);
  s = state_at(m, 0.55, 2, &tau);
  assert_true(fabs(tau + (5 + 10)) < 1e-12);
  mbd_model_destroy(m);

  e = mbd_element_spec_default();
  e.type = MBD_ELEMENT_JOINT, e.joint = "slide", e.stiffness = 4, e.rest = -1;
  m = slider(&e);
  s = state_at(m, 2, 5, &tau);
  assert_true(fabs(tau + 12) < 1e-13 && fabs(s.energy - 18) < 1e-13);
  assert_true(fabs(s.wrench.lin.x + 12) < 1e-13);
  mbd_model_destroy(m);

  // a callback gets the time
  e.at = callback, e.ctx = &gain;
  m = slider(&e);
  mbd_data_t * data;
  const double q = 2, v = 5;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_set_time(m, data, 3));
  assert_ok(mbd_set_state(m, data, &q, &v));
  assert_ok(mbd_element_torque(m, data, &tau));
  assert_true(fabs(tau + 12 + gain * (sin(2) + 0.3 * 25 + 0.2 * 3)) < 1e-13);
  mbd_data_destroy(data);
  mbd_model_destroy(m);

  // a force along the world's x axis, and the reaction on the world
  e = mbd_element_spec_default();
  e.type = MBD_ELEMENT_WRENCH, e.wrench.lin = mbdu_vec3(6, 1, 1);
  m = slider(&e);
  state_at(m, 2, 5, &tau);
  assert_true(fabs(tau - 6) < 1e-13);
  mbd_model_destroy(m);
}

// a pendulum of mass m at length l, held up by a spring without rest length from a point at height h above
// its axis to a point at r on the arm: balanced at every angle if k h r = m g l
static void
spring_balances_arm(void ** state)
{
  (void)state;
  const double mass = 3, l = 0.4, h = 0.5, r = 0.2, g = 9.81;
  mbd_model_t * m;
  mbd_data_t * data;
  int frame;
  assert_ok(mbd_model_create("balanced", &m));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "arm", spec.joint_name = "shoulder", spec.type = MBD_JOINT_CONTINUOUS;
  spec.axis = mbdu_vec3(0, 1, 0);
  spec.inertia =
    mbdu_inertia_from_com(mass, mbdu_vec3(l, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  mbd_element_spec_t e = mbd_element_spec_default();
  e.name = "balance", e.frame_b = frame, e.stiffness = mass * g * l / (h * r);
  e.X_a.p.z = h, e.X_b.p.x = r;
  assert_ok(mbd_model_add_element(m, &e, NULL));
  assert_ok(mbd_model_finalize(m));
  assert_ok(mbd_data_create(m, &data));
  for (double q = -3; q <= 3; q += 0.25) {
    double with, without, zero = 0, qdd;
    assert_ok(mbd_set_terms(data, MBD_TERM_ELEMENTS));
    assert_ok(mbd_set_position(m, data, &q));
    assert_ok(mbd_gravity(m, data, &with));
    assert_true(fabs(with) < 1e-12);
    assert_ok(mbd_forward_dynamics(m, data, &q, &zero, NULL, NULL, &qdd));
    assert_true(fabs(qdd) < 1e-12);
    assert_ok(mbd_set_terms(data, 0));
    assert_ok(mbd_gravity(m, data, &without));
    assert_true(fabs(without + mass * g * l * cos(q)) < 1e-12);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(m);
}

//---------- refusals ----------

static void
descriptions_are_checked(void ** state)
{
  (void)state;
  mbd_model_t * m;
  int frame, index;
  assert_ok(mbd_model_create("refusals", &m));
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = "body", spec.joint_name = "ball", spec.type = MBD_JOINT_SPHERICAL;
  assert_ok(mbd_model_add_body(m, &spec, &frame));
  mbd_element_spec_t good = mbd_element_spec_default(), e;
  good.name = "good", good.frame_b = frame;
  assert_status(mbd_model_add_element(NULL, &good, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_element(m, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  e = good, e.name = NULL;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_NULL_ARGUMENT);
  e = good, e.type = (mbd_element_type_t)MBD_ELEMENT_TYPES;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.frame_b = MBD_WORLD_BODY;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.frame_a = 7;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.ramp = -1;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.one_sided = (mbd_one_sided_t)3;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.stiffness = NAN;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_NOT_FINITE);
  e = good, e.damping6[5] = INFINITY;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_NOT_FINITE);
  e = good, e.type = MBD_ELEMENT_BUSHING, e.at = callback;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.type = MBD_ELEMENT_WRENCH, e.one_sided = MBD_ONE_SIDED_PULL;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_BAD_ARGUMENT);
  e = good, e.type = MBD_ELEMENT_JOINT;
  assert_status(mbd_model_add_element(m, &e, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_string_equal(m->error_name, "good");
  assert_ok(mbd_model_add_element(m, &good, &index));
  assert_int_equal(index, 0);
  assert_status(mbd_model_add_element(m, &good, NULL), MBD_ERROR_DUPLICATE_NAME);
  // a ball has no coordinate
  e = good, e.name = "turn", e.type = MBD_ELEMENT_JOINT, e.joint = "ball";
  assert_ok(mbd_model_add_element(m, &e, NULL));
  assert_status(mbd_model_finalize(m), MBD_ERROR_BAD_JOINT);
  assert_string_equal(m->error_name, "turn");
  assert_int_equal(m->nelement, 0);
  mbd_model_destroy(m);
  assert_string_equal(mbd_element_type_name(MBD_ELEMENT_BUSHING), "bushing");
  assert_string_equal(mbd_element_type_name((mbd_element_type_t)99), "unknown");
}

static void
calls_are_checked(void ** state)
{
  (void)state;
  mbd_element_spec_t e = mbd_element_spec_default();
  e.stiffness = 1;
  mbd_model_t *m = slider(&e), *flexible;
  mbd_data_t * data;
  mbd_element_state_t s;
  double tau;
  int index;
  assert_ok(mbd_data_create(m, &data));
  assert_status(mbd_element_torque(m, data, &tau), MBD_ERROR_STAGE);
  assert_status(mbd_element_state(m, data, 0, &s), MBD_ERROR_STAGE);
  const double zero = 0;
  assert_ok(mbd_set_state(m, data, &zero, &zero));
  assert_status(mbd_element_torque(m, data, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_element_state(m, data, 1, &s), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_element_state(m, data, -1, &s), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_find_element(m, "none", &index), MBD_ERROR_NOT_FOUND);
  assert_ok(mbd_find_element(m, "element", &index));
  assert_int_equal(index, 0);
  assert_status(mbd_model_with_flexible_links(m, 0, NULL, &flexible, NULL), MBD_ERROR_UNSUPPORTED);
  assert_status(mbd_set_terms(data, 8), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_set_time(m, data, NAN), MBD_ERROR_NOT_FINITE);
  mbd_data_destroy(data);
  mbd_model_destroy(m);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(cut_joints_count_elements),
    cmocka_unit_test(embedded_loops_count_elements),
    cmocka_unit_test(large_loops_count_elements),
    cmocka_unit_test(spring_of_no_length),
    cmocka_unit_test(laws_by_hand),
    cmocka_unit_test(spring_balances_arm),
    cmocka_unit_test(descriptions_are_checked),
    cmocka_unit_test(calls_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
