// Momentum of the joints and of the whole robot: against differences along motions, and conserved.
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/momentum.h"

#include <math.h>
#include <string.h>

#include "core_test.h"
#include "simulate.h"

static const double step = 1e-5;

// every second robot holds something, every third is tilted; terms change from robot to robot
static void
load(const tree_t * t, uint64_t seed)
{
  uint64_t state = seed;
  if (seed % 2) {
    const mbd_inertia_t payload = random_inertia(&state);
    const int frame = random_below(&state, t->model->nframe);
    assert_ok(mbd_payload_attach(t->model, t->data, frame, &payload));
  }
  if (seed % 3 == 0) assert_ok(mbd_set_gravity(t->data, random_vec3(&state, 10)));
  assert_ok(mbd_set_terms(t->data, (uint32_t)(seed / 2 % 4)));
}

static void
set_at(const tree_t * t, mat_t q, mat_t v)
{
  assert_ok(mbd_set_position(t->model, t->data, q.a));
  assert_ok(mbd_set_velocity(t->model, t->data, v.a));
}

// qdd := what the torques and wrenches do
static void
let_go(const tree_t * t)
{
  assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, &t->f_ext, t->qdd));
}

static mat_t
friction_of(const tree_t * t)
{
  mat_t f = mat(t->model->nv, 1);
  if (t->data->terms & MBD_TERM_FRICTION) assert_ok(mbd_friction(t->model, t->v, f.a));
  return f;
}

// a derivative is as good as the size of its parts and the rate at which friction changes
static double
motion_size(const tree_t * t)
{
  double size = 1;
  for (int k = 0; k < t->model->nv; k++) size = fmax(size, fabs(t->qdd[k]));
  return size;
}

//---------- generalised momentum ----------

// p = M v, rotors and payloads counted                                              (4.42)
static void
momentum_is_mass_times_velocity(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    const int nv = t->model->nv;
    mat_t p = mat(nv, 1), M = mat(nv, nv);
    set_state(t);
    assert_ok(mbd_momentum(t->model, t->data, p.a));
    assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
    assert_mat_floor(p, PROD(M, column(nv, t->v)), 1e-12, 1, "seed %lu", seed);
  }
}

static mat_t
momentum_later(const tree_t * t, double h)
{
  mat_t p = mat(t->model->nv, 1);
  set_at(t, q_later(t, h), v_later(t, h));
  assert_ok(mbd_momentum(t->model, t->data, p.a));
  return p;
}

// pdot along the motion that torques, wrenches, weight and friction cause
static void
momentum_rate_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    let_go(t);
    const int nv = t->model->nv;
    mat_t rate = mat(nv, 1), alias = column(nv, t->tau);
    assert_ok(mbd_momentum_rate(t->model, t->data, t->tau, &t->f_ext, rate.a));
    assert_ok(mbd_momentum_rate(t->model, t->data, alias.a, &t->f_ext, alias.a));
    assert_mat(alias, rate, 0, "in place, seed %lu", seed);
    const mat_t p1 = momentum_later(t, step), p0 = momentum_later(t, -step);
    const mat_t slope = scale(0.5 / step, sub(p1, p0));
    assert_mat_floor(rate, slope, 1e-6, motion_size(t), "seed %lu", seed);
  }
}

// pdot = tau + C^T v - g + J^T f - friction, term by term; NULL is zero
static void
momentum_rate_is_a_sum_of_terms(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    set_state(t);
    const int nv = t->model->nv;
    const mat_t v = column(nv, t->v);
    mat_t rate = mat(nv, 1), bare = mat(nv, 1), C = mat(nv, nv), g = mat(nv, 1), Jf = mat(nv, 1);
    assert_ok(mbd_momentum_rate(t->model, t->data, t->tau, &t->f_ext, rate.a));
    assert_ok(mbd_momentum_rate(t->model, t->data, NULL, NULL, bare.a));
    assert_ok(mbd_coriolis_matrix(t->model, t->data, C.a));
    assert_ok(mbd_gravity(t->model, t->data, g.a));
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, Jf.a));
    const mat_t known = sub(PROD(tr(C), v), SUM(g, friction_of(t)));
    const double size = fmax(1, fmax(largest_entry(C), largest_entry(g)));
    assert_mat_floor(bare, known, 1e-11, size, "left alone, seed %lu", seed);
    const mat_t sum = SUM(known, column(nv, t->tau), Jf);
    assert_mat_floor(rate, sum, 1e-11, size, "sum, seed %lu", seed);
  }
}

// H = 1/2 p^T M^-1 p + potential energy
static double
hamiltonian(const tree_t * t, const double * q, mat_t p)
{
  const int nv = t->model->nv;
  mat_t M = mat(nv, nv);
  double potential;
  assert_ok(mbd_set_state(t->model, t->data, q, NULL));
  assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
  assert_ok(mbd_potential_energy(t->model, t->data, &potential));
  return 0.5 * scalar(PROD(tr(p), inverse(M), p)) + potential;
}

// Hamilton's equation pdot = -dH/dq + T where v = qdot                               (4.43)
static void
hamiltons_equation(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.one_dof_only = true;
  options.max_bodies = 6;
  FOR_TREES(TREES, &options)
  {
    load(t, seed);
    set_state(t);
    const int nv = t->model->nv;
    mat_t rate = mat(nv, 1), p = mat(nv, 1), Jf = mat(nv, 1), slope = mat(nv, 1);
    assert_ok(mbd_momentum_rate(t->model, t->data, t->tau, &t->f_ext, rate.a));
    assert_ok(mbd_momentum(t->model, t->data, p.a));
    assert_ok(mbd_jacobian_transpose_product(t->model, t->data, &t->f_ext, Jf.a));
    for (int j = 0; j < nv; j++) {
      mat_t q = column(t->model->nq, t->q);
      q.a[j] = t->q[j] + step;
      const double ahead = hamiltonian(t, q.a, p);
      q.a[j] = t->q[j] - step;
      slope.a[j] = (ahead - hamiltonian(t, q.a, p)) / (2 * step);
    }
    const mat_t T = sub(SUM(column(nv, t->tau), Jf), friction_of(t));
    const double size = fmax(1, fabs(hamiltonian(t, t->q, p)));
    assert_mat_floor(rate, sub(T, slope), 1e-7, size, "seed %lu", seed);
  }
}

//---------- energy ----------

static void
energies_later(const tree_t * t, double h, double * kinetic, double * potential)
{
  set_at(t, q_later(t, h), v_later(t, h));
  assert_ok(mbd_kinetic_energy(t->model, t->data, kinetic));
  assert_ok(mbd_potential_energy(t->model, t->data, potential));
}

// what the wrenches do, frame by frame
static double
power_of_wrenches(const tree_t * t)
{
  double sum = 0;
  for (int k = 0; k < t->nwrench; k++) {
    const mbd_wrench_t * w = &t->wrench[k];
    mbd_motion_t V;
    assert_ok(mbd_frame_velocity(t->model, t->data, w->frame, w->reference, &V));
    sum += mbdu_power(w->f, V);
  }
  return sum;
}

// rates of both energies along the motion, each power by itself, and their balance   (4.34)
static void
energy_rates_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    let_go(t);
    const int nv = t->model->nv;
    const mat_t v = column(nv, t->v);
    mbd_energy_rates_t r;
    assert_ok(mbd_energy_rates(t->model, t->data, t->tau, &t->f_ext, &r));
    const double work[3] = {
      scalar(PROD(tr(column(nv, t->tau)), v)), power_of_wrenches(t),
      scalar(PROD(tr(friction_of(t)), v))};
    const double found[3] = {r.actuation, r.external, r.friction};
    assert_close_floor(found, work, 3, 1e-12, 1, "powers, seed %lu", seed);
    assert_true(r.friction >= 0 && (r.friction > 0) == ((t->data->terms & MBD_TERM_FRICTION) != 0));
    assert_near(
      r.kinetic + r.potential, r.actuation + r.external - r.friction,
      1e-12 * fmax(1, fabs(r.potential)), "balance, seed %lu", seed);
    double k1, k0, p1, p0;
    energies_later(t, step, &k1, &p1);
    energies_later(t, -step, &k0, &p0);
    const double slope[2] = {(k1 - k0) / (2 * step), (p1 - p0) / (2 * step)};
    const double rates[2] = {r.kinetic, r.potential};
    const double size = fmax(fmax(1, k1), motion_size(t));
    assert_close_floor(rates, slope, 2, 1e-6, size, "slopes, seed %lu", seed);
  }
}

//---------- the whole robot ----------

static mat_t
centroidal_momentum(const tree_t * t, const double * v)
{
  mbd_force_t h;
  assert_ok(mbd_set_velocity(t->model, t->data, v));
  assert_ok(mbd_centroidal_momentum(t->model, t->data, &h));
  return force6(h);
}

// column k of A is the momentum at unit velocity k; A v that at v
static void
centroidal_matrix_gives_the_momentum(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    set_state(t);
    const int nv = t->model->nv;
    mat_t A = mat(6, nv);
    assert_ok(mbd_centroidal_matrix(t->model, t->data, A.a));
    for (int k = 0; k < nv; k++) {
      mat_t unit = mat(nv, 1);
      unit.a[k] = 1;
      assert_mat_floor(
        block(A, 0, k, 6, 1), centroidal_momentum(t, unit.a), 1e-12, 1, "column %d, seed %lu", k,
        seed);
    }
    const mat_t h = centroidal_momentum(t, t->v);
    assert_mat_floor(PROD(A, column(nv, t->v)), h, 1e-12, 10, "A v, seed %lu", seed);
  }
}

// Adot v: the momentum along the motion at constant v
static void
centroidal_bias_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    set_state(t);
    mbd_force_t bias;
    assert_ok(mbd_centroidal_bias(t->model, t->data, &bias));
    memset(t->qdd, 0, (size_t)t->model->nv * sizeof *t->qdd);
    assert_ok(mbd_set_position(t->model, t->data, q_later(t, step).a));
    const mat_t h1 = centroidal_momentum(t, t->v);
    assert_ok(mbd_set_position(t->model, t->data, q_later(t, -step).a));
    const mat_t slope = scale(0.5 / step, sub(h1, centroidal_momentum(t, t->v)));
    assert_mat_floor(force6(bias), slope, 1e-6, fmax(1, largest_entry(h1)), "seed %lu", seed);
  }
}

// wrenches and weight about the centre of mass, world axes
static mat_t
outer_forces(const tree_t * t)
{
  double mass;
  mbd_vec3_t com;
  assert_ok(mbd_center_of_mass(t->model, t->data, &mass, &com));
  mbd_force_t sum = {{0, 0, 0}, mbdu_vec3_scale(mass, t->data->gravity)};
  for (int k = 0; k < t->nwrench; k++) {
    const mbd_wrench_t * w = &t->wrench[k];
    if (t->model->frame[w->frame].body < 0) continue;
    mbd_placement_t X, at_reference = mbdu_placement_identity();
    assert_ok(mbd_frame_placement(t->model, t->data, w->frame, &X));
    if (w->reference == MBD_LOCAL) at_reference = X;
    if (w->reference == MBD_LOCAL_WORLD_ALIGNED) at_reference.p = X.p;
    at_reference.p = mbdu_vec3_sub(at_reference.p, com);
    sum = mbdu_force_add(sum, mbdu_force_to_parent(&at_reference, w->f));
  }
  return force6(sum);
}

// Newton and Euler for the whole of a floating robot: A qdd + Adot v = outer forces
static void
outer_forces_change_the_momentum_of_a_floating_robot(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.forest = false;
  FOR_TREES(TREES, &options)
  {
    load(t, seed);
    assert_ok(mbd_set_terms(t->data, 0));
    memset(t->tau, 0, 6 * sizeof *t->tau);
    let_go(t);
    const int nv = t->model->nv;
    mat_t A = mat(6, nv);
    mbd_force_t bias;
    assert_ok(mbd_centroidal_matrix(t->model, t->data, A.a));
    assert_ok(mbd_centroidal_bias(t->model, t->data, &bias));
    const mat_t rate = SUM(PROD(A, column(nv, t->qdd)), force6(bias));
    const double size = fmax(1, motion_size(t) * largest_entry(A));
    assert_mat_floor(rate, outer_forces(t), 1e-10, size, "seed %lu", seed);
  }
}

// V_C = M_S^-1 h_S with 6x6 matrices, moved to the centre of mass               exercise 4.1
static void
average_velocity_has_the_same_momentum(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    set_state(t);
    const dense_t d = dense_at(t->model, t->data->inertia, t->q, t->v, t->model->gravity);
    mat_t M = mat(6, 6), h = mat(6, 1), to_com = eye(4);
    for (int k = 0; k < d.nbody; k++) {
      const mat_t phi = phi6(d.X_world[k]), Mk = block(d.M, 6 * k, 6 * k, 6, 6);
      M = SUM(M, PROD(phi, Mk, tr(phi)));
      h = SUM(h, PROD(phi, Mk, block(d.V, 6 * k, 0, 6, 1)));
    }
    mbd_motion_t V;
    mbd_vec3_t com;
    assert_ok(mbd_average_velocity(t->model, t->data, &V));
    assert_ok(mbd_center_of_mass(t->model, t->data, NULL, &com));
    *at(to_com, 0, 3) = com.x, *at(to_com, 1, 3) = com.y, *at(to_com, 2, 3) = com.z;
    const mat_t expected = PROD(tr(phi6(to_com)), inverse(M), h);
    assert_mat_floor(motion6(V), expected, 1e-9, 1, "seed %lu", seed);
  }
}

static mat_t
centre_at(const tree_t * t, const double * q)
{
  mbd_vec3_t c;
  assert_ok(mbd_set_position(t->model, t->data, q));
  assert_ok(mbd_center_of_mass(t->model, t->data, NULL, &c));
  return mat_from(3, 1, (const double[]){c.x, c.y, c.z});
}

static void
com_jacobian_by_differences(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    load(t, seed);
    set_state(t);
    const int nv = t->model->nv;
    mat_t J = mat(3, nv), slope = mat(3, nv);
    assert_ok(mbd_com_jacobian(t->model, t->data, J.a));
    for (int k = 0; k < nv; k++) {
      mat_t unit = mat(nv, 1), q1 = mat(t->model->nq, 1), q0 = mat(t->model->nq, 1);
      unit.a[k] = 1;
      assert_ok(mbd_integrate(t->model, t->q, unit.a, step, q1.a));
      assert_ok(mbd_integrate(t->model, t->q, unit.a, -step, q0.a));
      const mat_t c = sub(centre_at(t, q1.a), centre_at(t, q0.a));
      set_block(slope, 0, k, scale(0.5 / step, c));
    }
    assert_mat_floor(J, slope, 1e-8, 1, "seed %lu", seed);
  }
}

//---------- taking the momentum away ----------

// momentum of the tree on a base body, at the world's origin
static mat_t
momentum_of_tree(const tree_t * t, const double * v, int base)
{
  const dense_t d = dense_at(t->model, t->data->inertia, t->q, v, t->model->gravity);
  mat_t h = mat(6, 1);
  for (int k = base; k < t->model->body[base].subtree_end; k++) {
    const mat_t MV = PROD(block(d.M, 6 * k, 6 * k, 6, 6), block(d.V, 6 * k, 0, 6, 1));
    h = SUM(h, PROD(phi6(d.X_world[k]), MV));
  }
  return h;
}

// the base's six numbers change, nothing else, and the momentum of the tree is gone  exercise 4.1
static void
nulling_leaves_no_momentum(void ** context)
{
  (void)context;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  int trees = 0;
  FOR_TREES(TREES, &options)
  {
    load(t, seed);
    for (int i = 0; i < t->model->nbody; i++) {
      const mbd_body_t * body = &t->model->body[i];
      mat_t v = mat(t->model->nv, 1);
      set_state(t);
      if (body->parent >= 0 || body->type != MBD_JOINT_FREE) {
        assert_status(mbd_momentum_nulling(t->model, t->data, i, v.a), MBD_ERROR_BAD_ARGUMENT);
        continue;
      }
      assert_ok(mbd_momentum_nulling(t->model, t->data, i, v.a));
      const double size = fmax(1, largest_entry(momentum_of_tree(t, t->v, i)));
      const mat_t left = momentum_of_tree(t, v.a, i);
      assert_mat_floor(left, mat(6, 1), 1e-11, size, "base %d, seed %lu", i, seed);
      for (int k = 0; k < t->model->nv; k++) {
        if (k < body->v_index || k >= body->v_index + 6) assert_true(v.a[k] == t->v[k]);
      }
      trees++;
    }
  }
  assert_count(trees, TREES);
}

//---------- what stays ----------

static mat_t
total_momentum(const tree_t * t, const sim_t * sim)
{
  assert_ok(mbd_set_position(t->model, t->data, sim->q));
  return centroidal_momentum(t, sim->v);
}

// a floating robot left alone keeps its momentum and its energy
static void
momentum_and_energy_are_conserved(void ** context)
{
  (void)context;
  tally_t cases = {0};
  tree_options_t options = tree_options_default();
  options.one_dof_only = options.floating_base = true;
  options.forest = false;
  FOR_TREES(TREES + 50, &options)
  {
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    // the rotor of a free joint pushes from outside: energy alone is kept with it
    assert_ok(mbd_set_terms(t->data, seed % 5 == 0 ? MBD_TERM_ROTORS : 0));
    for (int k = 0; k < t->model->nv; k++) t->v[k] *= 0.5;
    sim_t sim = sim_begin(t->model, t->data, t->q, t->v);
    double before, after;
    const mat_t h0 = total_momentum(t, &sim);
    assert_ok(mbd_kinetic_energy(t->model, t->data, &before));
    for (int k = 0; k < 250; k++) sim_step(&sim, 1e-3);
    const mat_t h1 = total_momentum(t, &sim);
    assert_ok(mbd_kinetic_energy(t->model, t->data, &after));
    assert_near(after / before, 1, 1e-8, "energy, seed %lu", seed);
    if (!tally(&cases, t->data->terms == 0)) continue;
    assert_mat_floor(h1, h0, 1e-8, 1, "momentum, seed %lu", seed);
  }
  assert_enough(&cases, 0.7);
}

//---------- behaviour ----------

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mat_t A = mat(6, m->nv);
  mbd_force_t f;
  mbd_motion_t V;
  mbd_energy_rates_t r;
  assert_status(mbd_centroidal_matrix(m, d, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_com_jacobian(m, d, A.a), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_ok(mbd_centroidal_matrix(m, d, A.a));
  assert_ok(mbd_com_jacobian(m, d, A.a));
  assert_status(mbd_momentum(m, d, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_momentum_rate(m, d, NULL, NULL, A.a), MBD_ERROR_STAGE);
  assert_status(mbd_energy_rates(m, d, NULL, NULL, &r), MBD_ERROR_STAGE);
  assert_status(mbd_centroidal_bias(m, d, &f), MBD_ERROR_STAGE);
  assert_status(mbd_average_velocity(m, d, &V), MBD_ERROR_STAGE);
  assert_status(mbd_momentum_nulling(m, d, 0, A.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_momentum(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum(other->model, d, A.a), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_momentum_rate(m, d, NULL, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_energy_rates(m, d, NULL, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_centroidal_matrix(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_centroidal_bias(m, NULL, &f), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_average_velocity(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_com_jacobian(m, d, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_nulling(m, d, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_nulling(m, d, -1, A.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_momentum_nulling(m, d, m->nbody, A.a), MBD_ERROR_BAD_ARGUMENT);
  tree_free(other);
  tree_free(t);
  mats_free();
}

// on an error nothing is written
static void
bad_numbers_are_refused(void ** context)
{
  (void)context;
  tree_t * t = random_tree(3, NULL);
  mat_t out = mat(t->model->nv, 1);
  mbd_energy_rates_t r = {7, 7, 7, 7, 7};
  mbd_wrench_t w = {t->model->nframe, MBD_LOCAL, {{0, 0, 0}, {0, 0, 0}}};
  const mbd_wrenches_t list = {1, &w};
  set_state(t);
  for (int k = 0; k < t->model->nv; k++) out.a[k] = 7;
  assert_status(mbd_momentum_rate(t->model, t->data, NULL, &list, out.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_energy_rates(t->model, t->data, NULL, &list, &r), MBD_ERROR_BAD_ARGUMENT);
  w.frame = 0, w.f.lin.x = (double)NAN;
  assert_status(mbd_momentum_rate(t->model, t->data, NULL, &list, out.a), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_energy_rates(t->model, t->data, NULL, &list, &r), MBD_ERROR_NOT_FINITE);
  t->tau[0] = HUGE_VAL;
  assert_status(mbd_momentum_rate(t->model, t->data, t->tau, NULL, out.a), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_energy_rates(t->model, t->data, t->tau, NULL, &r), MBD_ERROR_NOT_FINITE);
  for (int k = 0; k < t->model->nv; k++) assert_true(out.a[k] == 7);
  assert_true(r.kinetic == 7 && r.friction == 7);
  tree_free(t);
  mats_free();
}

// one sliding point mass, or nothing at all: no rigid body has that
static void
a_point_has_no_average_velocity(void ** context)
{
  (void)context;
  for (int weight = 0; weight < 2; weight++) {
    mbd_model_t * model;
    mbd_data_t * data;
    mbd_body_spec_t spec = mbd_body_spec_default();
    int frame;
    double q = 0.3, v = 2, A[6];
    mbd_motion_t V = {{7, 7, 7}, {7, 7, 7}};
    spec.name = spec.joint_name = "bead", spec.type = MBD_JOINT_PRISMATIC;
    spec.inertia = mbdu_inertia_from_com(weight, mbdu_vec3(0, weight, 0), (mbd_sym3_t){0});
    assert_ok(mbd_model_create("bead", &model));
    assert_ok(mbd_model_add_body(model, &spec, &frame));
    assert_ok(mbd_model_finalize(model));
    assert_ok(mbd_data_create(model, &data));
    assert_ok(mbd_set_position(model, data, &q));
    assert_ok(mbd_set_velocity(model, data, &v));
    const mbd_status_t expected = weight ? MBD_ERROR_SINGULAR : MBD_ERROR_MASSLESS_SUBTREE;
    assert_status(mbd_average_velocity(model, data, &V), expected);
    assert_true(V.ang.x == 7 && V.lin.z == 7);
    const mbd_status_t matrix = weight ? MBD_OK : MBD_ERROR_MASSLESS_SUBTREE;
    assert_status(mbd_centroidal_matrix(model, data, A), matrix);
    assert_status(mbd_com_jacobian(model, data, A), matrix);
    if (weight) assert_true(A[0] == 0 && A[2] == 1);
    mbd_data_destroy(data);
    mbd_model_destroy(model);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(momentum_is_mass_times_velocity),
    cmocka_unit_test(momentum_rate_by_differences),
    cmocka_unit_test(momentum_rate_is_a_sum_of_terms),
    cmocka_unit_test(hamiltons_equation),
    cmocka_unit_test(energy_rates_by_differences),
    cmocka_unit_test(centroidal_matrix_gives_the_momentum),
    cmocka_unit_test(centroidal_bias_by_differences),
    cmocka_unit_test(outer_forces_change_the_momentum_of_a_floating_robot),
    cmocka_unit_test(average_velocity_has_the_same_momentum),
    cmocka_unit_test(com_jacobian_by_differences),
    cmocka_unit_test(nulling_leaves_no_momentum),
    cmocka_unit_test(momentum_and_energy_are_conserved),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(bad_numbers_are_refused),
    cmocka_unit_test(a_point_has_no_average_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
