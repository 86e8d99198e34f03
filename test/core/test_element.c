// Force elements: energies by their definitions, forces as gradients of them, every function against the
// same forces given as external wrenches, derivatives against differences.
#include "mbdyn/dynamics/element.h"

#include "element_robots.h"

static const double H = 1e-3;

//---------- gradients ----------

static void
forces_are_gradients(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  FOR_ELEMENTS(TREES, &CONSERVATIVE)
  {
    if (!tally(&cases, is_smooth(t))) continue;
    const int nv = t->model->nv;
    mbd_data_t * other;
    double energy, without;
    assert_ok(mbd_data_create(t->model, &other));
    mat_t tau = mat(nv, 1), slope = mat(nv, 1), unit = mat(nv, 1), q = mat(t->model->nq, 1);
    mat_t rest = mat(nv, 1), g = mat(nv, 1), g0 = mat(nv, 1);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_ok(mbd_set_velocity(t->model, t->data, rest.a));
    assert_ok(mbd_element_torque(t->model, t->data, tau.a));
    assert_ok(mbd_potential_energy(t->model, t->data, &energy));
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    const double expected = energy_at(t, other, t->q);
    assert_ok(mbd_potential_energy(t->model, other, &without));
    assert_ok(mbd_gravity(t->model, other, g0.a));
    assert_true(fabs(energy - without - expected) < 1e-11 * (1 + fabs(expected) + fabs(without)));
    for (int j = 0; j < nv; j++) {
      for (int k = 0; k < 4; k++) {
        for (int i = 0; i < nv; i++) unit.a[i] = i == j;
        assert_ok(mbd_integrate(t->model, t->q, unit.a, OFFSET[k] * H, q.a));
        slope.a[j] -= WEIGHT[k] / H * energy_at(t, other, q.a);
      }
    }
    assert_mat_floor(tau, slope, 1e-7, 1, "seed %d", (int)seed);
    // what holds the robot at rest
    assert_mat(sub(g0, tau), g, 1e-12, "gravity, seed %d", (int)seed);
    mbd_data_destroy(other);
  }
  assert_enough(&cases, 0.5);
}

// Rayleigh's function 1/2 c rate^2, rates by differences of coordinates along the motion
static void
damping_is_a_gradient(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(TREES, &DAMPED)
  {
    if (!is_smooth(t)) continue;
    const int nv = t->model->nv, n = t->model->nelement;
    mat_t moving = mat(nv, 1), rest = mat(nv, 1), zero = mat(nv, 1), q = mat(t->model->nq, 1);
    // rates of all coordinates for unit velocities
    mat_t rate = mat(6 * n, nv), unit = mat(nv, 1), expected = mat(nv, 1);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_ok(mbd_set_velocity(t->model, t->data, zero.a));
    assert_ok(mbd_element_torque(t->model, t->data, rest.a));
    assert_ok(mbd_set_velocity(t->model, t->data, t->v));
    assert_ok(mbd_element_torque(t->model, t->data, moving.a));
    bool bushings = false;
    for (int k = 0; k < n; k++) bushings |= t->model->element[k].spec.type == MBD_ELEMENT_BUSHING;
    if (bushings) continue;
    for (int j = 0; j < nv; j++) {
      for (int k = 0; k < 4; k++) {
        for (int i = 0; i < nv; i++) unit.a[i] = i == j;
        assert_ok(mbd_integrate(t->model, t->q, unit.a, OFFSET[k] * H, q.a));
        assert_ok(mbd_set_position(t->model, t->data, q.a));
        for (int e = 0; e < n; e++) {
          double z[6];
          *at(rate, e, j) += WEIGHT[k] / H * coordinate(t, t->data, e, z);
        }
      }
    }
    for (int e = 0; e < n; e++) {
      double speed = 0;
      for (int j = 0; j < nv; j++) speed += *at(rate, e, j) * t->v[j];
      for (int j = 0; j < nv; j++)
        expected.a[j] -= t->model->element[e].spec.damping * speed * *at(rate, e, j);
    }
    assert_mat_floor(sub(moving, rest), expected, 1e-6, 1, "seed %d", (int)seed);
    compared++;
  }
  assert_count(compared, 40);
}

//---------- against external wrenches ----------

static void
functions_count_elements(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(TREES, &ALL)
  {
    const mbd_model_t * m = t->model;
    const int nv = m->nv;
    outside_t o;
    make_outside(m, t->data, t->q, t->v, (uint32_t)(seed % 4), &state_, &o);
    mat_t x = mat(nv, 1), y = mat(nv, 1), e = mat(nv, 1);
    assert_ok(mbd_element_torque(m, t->data, e.a));
    // the state in one call, and by stages
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &o.mine, x.a));
    assert_ok(mbd_inverse_dynamics(m, o.data, t->q, t->v, t->qdd, &o.all, y.a));
    assert_mat(x, y, 1e-10, "inverse, seed %d", (int)seed);
    same_joint_forces(m, t->data, o.data, seed);
    set_state(t);
    assert_ok(mbd_inverse_dynamics(m, t->data, NULL, NULL, t->qdd, &o.mine, x.a));
    assert_mat(x, y, 1e-10, "inverse by stages, seed %d", (int)seed);
    same_joint_forces(m, t->data, o.data, seed);

    const mbd_status_t status = mbd_forward_dynamics(m, o.data, t->q, t->v, t->tau, &o.all, y.a);
    assert_status(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, &o.mine, x.a), status);
    if (status == MBD_OK) {
      assert_mat(x, y, 1e-9, "forward, seed %d", (int)seed);
      same_joint_forces(m, t->data, o.data, seed);
      // back to the torque
      assert_ok(mbd_inverse_dynamics(m, t->data, NULL, NULL, x.a, &o.mine, y.a));
      assert_mat(y, column(nv, t->tau), 1e-7, "there and back, seed %d", (int)seed);
      bool active[64] = {false};
      for (int i = 0; i < m->nbody; i++) active[i] = random_below(&state_, 2);
      mat_t a1 = column(nv, t->qdd), t1 = column(nv, t->tau), a2 = column(nv, t->qdd),
            t2 = column(nv, t->tau);
      assert_ok(mbd_hybrid_dynamics(m, t->data, t->q, t->v, active, &o.mine, a1.a, t1.a));
      assert_ok(mbd_hybrid_dynamics(m, o.data, t->q, t->v, active, &o.all, a2.a, t2.a));
      assert_mat(a1, a2, 1e-9, "hybrid, seed %d", (int)seed);
      assert_mat(t1, t2, 1e-9, "hybrid, seed %d", (int)seed);
    }
    assert_ok(mbd_set_state(m, t->data, t->q, t->v));
    assert_ok(mbd_set_state(m, o.data, t->q, t->v));
    assert_ok(mbd_bias(m, t->data, x.a));
    assert_ok(mbd_bias(m, o.data, y.a));
    assert_mat(x, sub(y, e), 1e-10, "bias, seed %d", (int)seed);
    assert_ok(mbd_momentum_rate(m, t->data, t->tau, &o.mine, x.a));
    assert_ok(mbd_momentum_rate(m, o.data, t->tau, &o.all, y.a));
    assert_mat(x, y, 1e-10, "momentum rate, seed %d", (int)seed);
    mbd_energy_rates_t r, s;
    assert_ok(mbd_energy_rates(m, t->data, t->tau, &o.mine, &r));
    assert_ok(mbd_energy_rates(m, o.data, t->tau, &o.all, &s));
    assert_close(&r.kinetic, &s.kinetic, 1, 1e-9, "kinetic, seed %d", (int)seed);
    const double balance = r.kinetic + r.potential - r.actuation - r.external + r.friction;
    assert_true(fabs(balance) < 1e-9 * (1 + fabs(r.kinetic) + fabs(r.external)));
    mbd_data_destroy(o.data);
    compared++;
  }
  assert_count(compared, 150);
}

// dU/dt of the elements by differences along v
static void
potential_rate_by_differences(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(TREES, &DAMPED)
  {
    if (!is_smooth(t)) continue;
    mat_t q = mat(t->model->nq, 1);
    double slope = 0, energy;
    mbd_energy_rates_t rates;
    for (int k = 0; k < 4; k++) {
      dense_step_all(t->model, t->q, t->v, OFFSET[k] * H, q.a);
      assert_ok(mbd_set_position(t->model, t->data, q.a));
      assert_ok(mbd_potential_energy(t->model, t->data, &energy));
      slope += WEIGHT[k] / H * energy;
    }
    set_state(t);
    assert_ok(mbd_energy_rates(t->model, t->data, t->tau, NULL, &rates));
    assert_close(&rates.potential, &slope, 1, 1e-5, "seed %d", (int)seed);
    assert_true(rates.friction >= -1e-12);
    double sum = 0;
    for (int k = 0; k < t->model->nelement; k++) {
      mbd_element_state_t s;
      assert_ok(mbd_element_state(t->model, t->data, k, &s));
      sum += s.dissipation;
    }
    assert_close(&rates.friction, &sum, 1, 1e-10, "seed %d", (int)seed);
    compared++;
  }
  assert_count(compared, 80);
}

// more wrenches of the caller than the list holds
static void
many_wrenches(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(20, &ALL)
  {
    const mbd_model_t * m = t->model;
    outside_t o;
    make_outside(m, t->data, t->q, t->v, 0, &state_, &o);
    enum { MANY = 400 };
    static mbd_wrench_t mine[MANY], all[MANY + 2 * MOST];
    for (int k = 0; k < MANY; k++) {
      mine[k] = (mbd_wrench_t){
        random_below(&state_, m->nframe), (mbd_reference_t)random_below(&state_, 3),
        random_force(&state_)};
      all[k] = mine[k];
    }
    for (int k = 1; k < o.all.n; k++) all[MANY + k - 1] = o.list[k];
    const mbd_wrenches_t f = {MANY, mine}, g = {MANY + o.all.n - 1, all};
    mat_t x = mat(m->nv, 1), y = mat(m->nv, 1);
    assert_ok(mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, &f, x.a));
    assert_ok(mbd_inverse_dynamics(m, o.data, t->q, t->v, t->qdd, &g, y.a));
    assert_mat(x, y, 1e-10, "seed %d", (int)seed);
    mbd_data_destroy(o.data);
    compared++;
  }
  assert_count(compared, 12);
}

// batches in both precisions, and forward dynamics of a step
static void
batches_count_elements(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(20, &DAMPED)
  {
    const mbd_model_t * m = t->model;
    mbd_batch_t * batch;
    enum { STATES = 9 };
    mat_t x = mat(STATES * m->nv, 1), y = mat(m->nv, 1), q = mat(STATES * m->nq, 1),
          v = mat(STATES * m->nv, 1), qdd = mat(STATES * m->nv, 1);
    for (int k = 0; k < STATES; k++) {
      memcpy(q.a + k * m->nq, t->q, (size_t)m->nq * sizeof *q.a);
      for (int i = 0; i < m->nv; i++) {
        v.a[k * m->nv + i] = random_signed(&state_);
        qdd.a[k * m->nv + i] = random_signed(&state_);
      }
    }
    assert_ok(mbd_batch_create(m, 1, &batch));
    assert_ok(mbd_batch_set_parameters_from(batch, t->data));
    assert_ok(mbd_batch_inverse_dynamics(batch, STATES, q.a, v.a, qdd.a, x.a));
    for (int k = 0; k < STATES; k++) {
      const int at_v = k * m->nv;
      assert_ok(mbd_inverse_dynamics(m, t->data, t->q, v.a + at_v, qdd.a + at_v, NULL, y.a));
      assert_close_floor(x.a + at_v, y.a, m->nv, 1e-11, 1, "seed %d", (int)seed);
    }
    mbd_batch_destroy(batch);
    compared++;
  }
  assert_count(compared, 12);
}

//---------- derivatives ----------

static void
derivatives_by_differences(void ** state)
{
  (void)state;
  int compared = 0;
  FOR_ELEMENTS(TREES, &ALL)
  {
    if (!is_smooth(t)) continue;
    const mbd_model_t * m = t->model;
    const int nv = m->nv;
    double * work = calloc(mbd_derivatives_work(m), sizeof *work);
    mat_t dq = mat(nv, nv), dv = mat(nv, nv), M = mat(nv, nv), eq = mat(nv, nv), ev = mat(nv, nv);
    assert_ok(mbd_set_terms(t->data, (uint32_t)(seed % 4) | MBD_TERM_ELEMENTS));
    const mbd_wrench_t one = {
      random_below(&state_, m->nframe), (mbd_reference_t)random_below(&state_, 3),
      random_force(&state_)};
    const mbd_wrenches_t f_ext = {1, &one};
    assert_ok(mbd_inverse_dynamics_derivatives(
      m, t->data, t->q, t->v, t->qdd, &f_ext, work, dq.a, dv.a, M.a));
    assert_true(differences(m, t->data, mbd_inverse_dynamics, t->q, t->v, t->qdd, &f_ext, eq, ev));
    assert_mat(dq, eq, 2e-6, "dtau/dq, seed %d", (int)seed);
    assert_mat(dv, ev, 2e-6, "dtau/dv, seed %d", (int)seed);
    // elements do not change M
    mat_t M2 = mat(nv, nv), qdd = mat(nv, 1), x = mat(nv, 1);
    assert_ok(mbd_mass_matrix(m, t->data, M2.a));
    assert_mat(M, M2, 1e-12, "M, seed %d", (int)seed);
    if (
      mbd_forward_dynamics_derivatives(
        m, t->data, t->q, t->v, t->tau, &f_ext, work, qdd.a, dq.a, dv.a, M.a) == MBD_OK) {
      assert_ok(mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, &f_ext, x.a));
      assert_mat(qdd, x, 1e-9, "qdd, seed %d", (int)seed);
      mat_t fq = mat(nv, nv), fv = mat(nv, nv);
      assert_true(
        differences(m, t->data, mbd_forward_dynamics, t->q, t->v, t->tau, &f_ext, fq, fv));
      // differences of a badly conditioned M are no measure
      if (largest_entry(M) < 100) {
        assert_mat(dq, fq, 2e-5, "dqdd/dq, seed %d", (int)seed);
        assert_mat(dv, fv, 2e-5, "dqdd/dv, seed %d", (int)seed);
        compared++;
      }
    }
    free(work);
  }
  assert_count(compared, 50);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(forces_are_gradients),
    cmocka_unit_test(damping_is_a_gradient),
    cmocka_unit_test(functions_count_elements),
    cmocka_unit_test(potential_rate_by_differences),
    cmocka_unit_test(many_wrenches),
    cmocka_unit_test(batches_count_elements),
    cmocka_unit_test(derivatives_by_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
