// Operational space of several frames: Jacobians, compliance, inertia, forces, control.
#include "mbdyn/dynamics/task.h"
#include "task_list.h"

// robots with joints enough for several tasks
static tree_options_t
large_trees(void)
{
  tree_options_t options = tree_options_default();
  options.min_bodies = 5;
  return options;
}

// rank is full and rounding cannot reach what is asserted
static bool
regular(const list_t * list, const mbd_task_info_t * info)
{
  return info->rank == list->rows && info->condition < 1e5;
}

//---------- descriptions ----------

// the helpers describe what their names say
static void
descriptions_of_tasks(void ** context)
{
  (void)context;
  const mbd_vec3_t axis = {2, -3, 5};
  const mbd_task_t t[5] = {
    mbdu_task_frame(4, MBD_WORLD), mbdu_task_orientation(4, MBD_WORLD),
    mbdu_task_position(4, MBD_WORLD), mbdu_task_rotation(4, MBD_WORLD, axis),
    mbdu_task_direction(4, MBD_WORLD, axis)};
  const double along[6] = {2, -3, 5, 2, -3, 5};
  const int rows[5] = {6, 3, 3, 1, 1};
  for (int k = 0; k < 5; k++) {
    assert_int_equal(t[k].frame, 4);
    assert_int_equal(t[k].reference, MBD_WORLD);
    assert_int_equal(t[k].nrow, rows[k]);
  }
  assert_mat(rows_of(&t[0]), eye(6), 0, "frame");
  assert_mat(rows_of(&t[1]), block(eye(6), 0, 0, 3, 6), 0, "orientation");
  assert_mat(rows_of(&t[2]), block(eye(6), 3, 0, 3, 6), 0, "position");
  assert_mat(tr(rows_of(&t[3])), half6(along, 0), 0, "rotation");
  assert_mat(tr(rows_of(&t[4])), half6(along, 1), 0, "direction");
  const mbd_tasks_t all = {5, t};
  assert_int_equal(mbd_task_rows(&all), 14);
  assert_int_equal(mbd_task_rows(NULL), 0);
  assert_true(mbd_task_work(NULL, &all) == 0);
  mats_free();
}

//---------- Jacobian and bias ----------

// rows of the oracle's Jacobians, one below the other                               (3.53)
static void
jacobians_are_stacked(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const dense_t d = dense_of(t);
    mat_t J = mat(list->rows, d.nv);
    for (int k = 0; k < J.r * J.c; k++) J.a[k] = 7;
    assert_ok(mbd_task_jacobian(t->model, t->data, &list->tasks, J.a));
    const mat_t expected = stacked(&d, list);
    assert_mat_floor(J, expected, 1e-12, fmax(1, largest_entry(expected)), "seed %lu", seed);
  }
}

// the oracle's J v at a configuration moved along v
static mat_t
velocity_later(const tree_t * t, const list_t * list, double h)
{
  mat_t q = mat(t->model->nq, 1);
  dense_step_all(t->model, t->q, t->v, h, q.a);
  const dense_t d = dense_at(t->model, NULL, q.a, t->v, t->model->gravity);
  return PROD(stacked(&d, list), d.v);
}

// Jdot v is the derivative of J v while v keeps its numbers; also the acceleration at qdd = 0
static void
bias_is_the_derivative_of_the_jacobian(void ** context)
{
  (void)context;
  const tree_options_t options = small_trees();
  FOR_LISTS(&options)
  {
    mat_t bias = mat(list->rows, 1), zero = mat(t->model->nv, 1);
    assert_ok(mbd_task_bias(t->model, t->data, &list->tasks, bias.a));
    const double h = 1e-5, size = fmax(1, largest_entry(bias));
    const mat_t gain = sub(velocity_later(t, list, h), velocity_later(t, list, -h));
    assert_mat_floor(scale(0.5 / h, gain), bias, 1e-6, size, "difference, seed %lu", seed);
    assert_ok(mbd_set_acceleration(t->model, t->data, zero.a));
    assert_mat_floor(task_acceleration(t, list), bias, 1e-12, size, "at qdd = 0, seed %lu", seed);
  }
}

//---------- compliance and inertia ----------

// J M^-1 J^T without J or M, symmetric, positive                          (10.13), (10.18)
static void
compliance_is_that_of_jacobian_and_mass(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t J = stacked(&d, list), M_inv = inverse(mass_with(&d, t->data->terms));
    const mat_t C = compliance_of(t, list), expected = PROD(J, M_inv, tr(J));
    const double size = fmax(1, largest_entry(expected));
    assert_mat_floor(C, expected, 1e-9, size, "terms %u, %lu", (unsigned)t->data->terms, seed);
    assert_mat(C, tr(C), 1e-14, "symmetric, seed %lu", seed);
    assert_true(smallest_eigenvalue(C) > -1e-10 * size);
  }
}

// Lambda is the inverse of the compliance where it has one                           (10.8)
static void
inertia_inverts_the_compliance(void ** context)
{
  (void)context;
  int found = 0, several = 0;
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const mat_t C = compliance_of(t, list), L = inertia_of(t, list, &info);
    assert_mat(L, tr(L), 1e-12, "symmetric, seed %lu", seed);
    assert_true(all_finite(L));
    if (!regular(list, &info)) continue;
    found++, several += list->tasks.n > 1;
    const double size = fmax(1, largest_entry(C) * largest_entry(L));
    assert_mat_floor(PROD(C, L), eye(list->rows), 1e-11, size, "C L, seed %lu", seed);
    assert_true(smallest_eigenvalue(L) > 0);
    assert_true(info.condition > 1 - 1e-12);
    // the other policies agree, but for the damping
    const mbd_singular_t refuse = {MBD_SINGULAR_REFUSE, 0, 0};
    mat_t again = mat(list->rows, list->rows);
    assert_ok(
      mbd_task_inertia(t->model, t->data, &list->tasks, &refuse, list->work, again.a, NULL));
    assert_mat(again, L, 0, "refuse, seed %lu", seed);
  }
  assert_count(found, 200);
  assert_count(several, 100);
}

// one frame alone has what opspace.h gives
static void
one_frame_is_that_of_opspace(void ** context)
{
  (void)context;
  tally_t regular_ones = {0};
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const mbd_reference_t reference = (mbd_reference_t)random_below(&state, 3);
    list_t list = {0};
    list.t[0] = mbdu_task_frame(random_below(&state, t->model->nframe), reference);
    list_finish(&list, t->model, 1);
    state_at(t, 0);
    mat_t C = mat(6, 6), L = mat(6, 6);
    mbd_task_info_t info;
    int rank;
    const int f = list.t[0].frame;
    assert_ok(mbd_operational_space_compliance(t->model, t->data, f, reference, C.a));
    assert_ok(mbd_operational_space_inertia(t->model, t->data, f, reference, L.a, &rank));
    const double size = fmax(1, largest_entry(C));
    assert_mat_floor(compliance_of(t, &list), C, 1e-13, size, "compliance, seed %lu", seed);
    const mat_t ours = inertia_of(t, &list, &info);
    assert_int_equal(info.rank, rank);
    if (tally(&regular_ones, rank == 6 && info.condition < 1e5))
      assert_mat(ours, L, 1e-9, "inertia, seed %lu", seed);
    free(list.work);
  }
  assert_enough(&regular_ones, 0.15);
}

// all tips of a branched robot at once
static void
inertia_of_all_tips(void ** context)
{
  (void)context;
  int found = 0;
  tree_options_t options = {8, 14, false, true, false, false};
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const dense_t d = dense_of(t);
    list_t list = {0};
    int n = 0;
    for (int k = 0; k < m->nbody && n < MOST_TASKS; k++) {
      if (m->body[k].subtree_end > k + 1) continue;
      list.t[n++] = mbdu_task_frame(m->body[k].link_frame, MBD_LOCAL_WORLD_ALIGNED);
    }
    list_finish(&list, m, n);
    state_at(t, 0);
    mbd_task_info_t info;
    const mat_t J = stacked(&d, &list), M_inv = inverse(dense_mass(&d));
    const mat_t L = inertia_of(t, &list, &info), C = PROD(J, M_inv, tr(J));
    const double size = largest_entry(C) * largest_entry(L);
    if (n > 1 && regular(&list, &info)) {
      found++;
      assert_mat_floor(PROD(C, L), eye(list.rows), 1e-10, size, "%d tips, %lu", n, seed);
    }
    free(list.work);
  }
  assert_count(found, 10);
}

//---------- forces ----------

// mu = Lambda (J M^-1 C v - Jdot v), p = Lambda J M^-1 g, by dense matrices          (10.44)
static void
forces_are_those_of_dense_matrices(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t M_inv = inverse(mass_with(&d, t->data->terms)), L = inertia_of(t, list, NULL);
    const mat_t g = dense_gravity(&d), Cv = sub(dense_bias(&d), g), J = stacked(&d, list);
    const mat_t rate =
      scale(5e4, sub(velocity_later(t, list, 1e-5), velocity_later(t, list, -1e-5)));
    mat_t mu = mat(list->rows, 1), p = mat(list->rows, 1), alone = mat(list->rows, 1);
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, mu.a, p.a));
    const mat_t moved = sub(PROD(J, M_inv, Cv), rate), fallen = PROD(J, M_inv, g);
    const double size = fmax(1, largest_entry(L) * fmax(largest_entry(moved), largest_entry(rate)));
    assert_mat_floor(mu, PROD(L, moved), 1e-6, size, "mu, seed %lu", seed);
    assert_mat_floor(
      p, PROD(L, fallen), 1e-9, fmax(1, largest_entry(L) * largest_entry(fallen)), "p, %lu", seed);
    // either may be left out
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, alone.a, NULL));
    assert_mat(alone, mu, 0, "mu alone, seed %lu", seed);
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, NULL, alone.a));
    assert_mat(alone, p, 0, "p alone, seed %lu", seed);
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, NULL, NULL));
  }
}

// without velocity no mu, without gravity no p
static void
forces_vanish_at_rest(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const mat_t zero = mat(list->rows, 1), rest = mat(t->model->nv, 1);
    const mat_t L = inertia_of(t, list, NULL);
    mat_t mu = mat(list->rows, 1), p = mat(list->rows, 1);
    assert_ok(mbd_set_velocity(t->model, t->data, rest.a));
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, mu.a, p.a));
    assert_mat(mu, zero, 0, "mu, seed %lu", seed);
    assert_mat(p, zero, 0, "p, seed %lu", seed);
    assert_ok(mbd_set_gravity(t->data, t->model->gravity));
  }
}

// Lambda a + mu + p = f in forward dynamics under the wrenches f alone; C_os = mu + p is minus
// Lambda times the free acceleration                           (10.7), (10.42), lemma 10.5
static void
motion_under_wrenches_alone(void ** context)
{
  (void)context;
  int found = 0;
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const mat_t L = inertia_of(t, list, &info), y = scale(20, random_column(list->rows, &state));
    mat_t mu = mat(list->rows, 1), p = mat(list->rows, 1), qdd = mat(t->model->nv, 1);
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, mu.a, p.a));
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, NULL, NULL, qdd.a));
    const mat_t a_free = task_acceleration(t, list);
    const double size = fmax(1, largest_entry(L) * largest_entry(a_free));
    assert_mat_floor(SUM(mu, p), scale(-1, PROD(L, a_free)), 1e-8, size, "C_os, seed %lu", seed);
    const mbd_wrenches_t wrenches = push(list, y);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, NULL, &wrenches, qdd.a));
    const mat_t a = task_acceleration(t, list);
    // where the tasks are not independent, the part of f that can be felt
    const mat_t felt = regular(list, &info) ? y : PROD(L, compliance_of(t, list), y);
    const double heavy = fmax(size, largest_entry(L) * largest_entry(a));
    assert_mat_floor(SUM(PROD(L, a), mu, p), felt, 1e-8, heavy, "motion, seed %lu", seed);
    found += regular(list, &info);
  }
  assert_count(found, 200);
}

//---------- inverse and null space ----------

static mat_t
consistent_inverse(const tree_t * t, const list_t * list, mat_t L)
{
  mat_t inv = mat(t->model->nv, list->rows);
  assert_ok(mbd_task_inverse(t->model, t->data, &list->tasks, L.a, list->work, inv.a));
  return inv;
}

static mat_t
nullspace(const tree_t * t, const list_t * list, mat_t L)
{
  mat_t N = mat(t->model->nv, t->model->nv);
  assert_ok(mbd_task_nullspace(t->model, t->data, &list->tasks, L.a, list->work, N.a));
  return N;
}

// M^-1 J^T Lambda; J times it is the identity; of all velocities that give the tasks the same
// motion it has the least kinetic energy
static void
consistent_inverse_has_the_least_energy(void ** context)
{
  (void)context;
  int found = 0;
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const dense_t d = dense_of(t);
    const mat_t M = mass_with(&d, t->data->terms), J = stacked(&d, list);
    const mat_t L = inertia_of(t, list, &info), inv = consistent_inverse(t, list, L);
    const mat_t expected = PROD(inverse(M), tr(J), L);
    const double size = fmax(1, largest_entry(inverse(M)) * largest_entry(J) * largest_entry(L));
    assert_mat_floor(inv, expected, 1e-9, size, "M^-1 J^T Lambda, seed %lu", seed);
    if (!regular(list, &info)) continue;
    found++;
    const double j = fmax(1, largest_entry(J) * largest_entry(inv));
    assert_mat_floor(PROD(J, inv), eye(list->rows), 1e-9, j, "J Jbar, seed %lu", seed);
    const mat_t v = PROD(inv, J, d.v), rest = sub(d.v, v);
    const double least = scalar(PROD(tr(v), M, v)), all = scalar(PROD(tr(d.v), M, d.v));
    assert_true(least <= all * (1 + 1e-9));
    assert_near(scalar(PROD(tr(rest), M, v)) / all, 0, 1e-8, "orthogonal, seed %lu", seed);
    // dynamics does not mind the way: the tasks' kinetic energy is that of Lambda
    const mat_t xdot = PROD(J, d.v);
    assert_near(least / all, scalar(PROD(tr(xdot), L, xdot)) / all, 1e-8, "energy, %lu", seed);
  }
  assert_count(found, 200);
}

// N = I - Jbar J: J N = 0, N^2 = N, J M^-1 N^T = 0, as many directions as the tasks leave
static void
nullspace_moves_no_task(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const dense_t d = dense_of(t);
    const mat_t J = stacked(&d, list), M_inv = inverse(mass_with(&d, t->data->terms));
    const mat_t L = inertia_of(t, list, &info), N = nullspace(t, list, L);
    const mat_t inv = consistent_inverse(t, list, L), I = eye(d.nv);
    const double n = fmax(1, largest_entry(inv) * largest_entry(J)), j = n * largest_entry(J);
    assert_mat_floor(N, sub(I, PROD(inv, J)), 1e-11, n, "I - Jbar J, seed %lu", seed);
    if (tally(&cases, info.rank < list->rows || info.condition < 1e5)) {
      assert_mat_floor(PROD(J, N), mat(J.r, J.c), 1e-8, fmax(1, j), "J N, seed %lu", seed);
      assert_mat_floor(PROD(N, N), N, 1e-8, n * n, "N^2, seed %lu", seed);
      assert_near((trace(N) + info.rank) / n, d.nv / n, 1e-7, "trace, seed %lu", seed);
      const mat_t through = PROD(J, M_inv, tr(N));
      const double size = fmax(1, j * largest_entry(M_inv));
      assert_mat_floor(through, mat(J.r, J.c), 1e-8, size, "J M^-1 N^T, seed %lu", seed);
    }
  }
  assert_enough(&cases, 0.8);
}

// torques N^T tau change the motion, but not that of the tasks, in forward dynamics
static void
nullspace_torques_accelerate_no_task(void ** context)
{
  (void)context;
  int found = 0, moved = 0;
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const mat_t L = inertia_of(t, list, &info), N = nullspace(t, list, L);
    if (!regular(list, &info)) continue;
    found++;
    const mat_t tau = column(t->model->nv, t->tau), more = SUM(tau, PROD(tr(N), tau));
    mat_t qdd = mat(tau.r, 1), other = mat(tau.r, 1);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, tau.a, NULL, qdd.a));
    const mat_t a = task_acceleration(t, list);
    assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, more.a, NULL, other.a));
    const double size = fmax(1, fmax(largest_entry(qdd), largest_entry(other)));
    assert_mat_floor(task_acceleration(t, list), a, 1e-8, 10 * size, "seed %lu", seed);
    moved += largest_entry(sub(other, qdd)) > 1e-3;
  }
  assert_count(found, 200);
  assert_count(moved, 100);
}

//---------- control ----------

static mat_t
control(const tree_t * t, const list_t * list, mat_t L, mat_t u, const double * tau0)
{
  mat_t tau = mat(t->model->nv, 1);
  assert_ok(mbd_task_control(t->model, t->data, &list->tasks, L.a, u.a, tau0, list->work, tau.a));
  return tau;
}

// forward dynamics under the torques gives the tasks the accelerations asked for      (10.10)
static void
control_gives_the_accelerations_asked_for(void ** context)
{
  (void)context;
  int found = 0;
  const tree_options_t options = large_trees();
  FOR_LISTS(&options)
  {
    mbd_task_info_t info;
    const mat_t L = inertia_of(t, list, &info), u = scale(5, random_column(list->rows, &state));
    for (int k = 0; k < 2; k++) {
      const mat_t tau = control(t, list, L, u, k ? t->tau : NULL);
      mat_t qdd = mat(tau.r, 1);
      assert_ok(mbd_forward_dynamics(t->model, t->data, t->q, t->v, tau.a, NULL, qdd.a));
      const mat_t a = task_acceleration(t, list);
      const double size = fmax(5, 10 * largest_entry(qdd));
      if (regular(list, &info)) {
        assert_mat_floor(a, u, 1e-8, size, "tau0 %d, seed %lu", k, seed);
        found++;
      } else if (info.rank < list->rows) {
        // the part of it that the tasks can do
        const mat_t La = PROD(L, a), Lu = PROD(L, u);
        const double heavy = fmax(1, largest_entry(L)) * size;
        assert_mat_floor(La, Lu, 1e-7, heavy, "deficient, tau0 %d, seed %lu", k, seed);
      }
    }
  }
  assert_count(found, 400);
}

// tau = J^T (Lambda u + mu + p) + N^T tau0, term by term; tau may be tau0
static void
control_is_the_sum_of_its_terms(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t L = inertia_of(t, list, NULL), u = random_column(list->rows, &state);
    const mat_t J = stacked(&d, list), N = nullspace(t, list, L), tau0 = column(d.nv, t->tau);
    mat_t mu = mat(list->rows, 1), p = mat(list->rows, 1), inout = column(d.nv, t->tau);
    assert_ok(mbd_task_forces(t->model, t->data, &list->tasks, L.a, list->work, mu.a, p.a));
    const mat_t f = SUM(PROD(L, u), mu, p), base = PROD(tr(J), f);
    const double n = fmax(1, largest_entry(N)) * 10;
    const double size = fmax(fmax(1, largest_entry(f) * largest_entry(J)), n);
    assert_mat_floor(control(t, list, L, u, NULL), base, 1e-9, size, "no tau0, seed %lu", seed);
    const mat_t whole = control(t, list, L, u, tau0.a);
    assert_mat_floor(whole, SUM(base, PROD(tr(N), tau0)), 1e-8, size, "tau0, seed %lu", seed);
    assert_ok(
      mbd_task_control(t->model, t->data, &list->tasks, L.a, u.a, inout.a, list->work, inout.a));
    assert_mat(inout, whole, 0, "in place, seed %lu", seed);
  }
}

//---------- memory ----------

// nothing is written behind the work memory that was asked for, or behind the results
static void
memory_is_respected(void ** context)
{
  (void)context;
  FOR_LISTS(NULL)
  {
    const int m = list->rows, nv = t->model->nv;
    const size_t n = mbd_task_work(t->model, &list->tasks), guard = 8;
    double * work = malloc((n + guard) * sizeof *work);
    double * out = malloc(((size_t)(nv * nv + m * m + m * nv) + guard) * sizeof *out);
    mat_t L = mat(m, m), u = random_column(m, &state);
    const size_t size[7] = {(size_t)(m * nv), (size_t)m,         (size_t)(m * m), (size_t)(m * m),
                            (size_t)(nv * m), (size_t)(nv * nv), (size_t)nv};
    assert_true(work && out);
    for (int k = 0; k < 7; k++) {
      for (size_t i = 0; i < guard; i++) work[n + i] = out[size[k] + i] = 7;
      const mbd_tasks_t * tasks = &list->tasks;
      mbd_status_t s = MBD_OK;
      if (k == 0) s = mbd_task_jacobian(t->model, t->data, tasks, out);
      if (k == 1) s = mbd_task_bias(t->model, t->data, tasks, out);
      if (k == 2) s = mbd_task_compliance(t->model, t->data, tasks, out);
      if (k == 3) s = mbd_task_inertia(t->model, t->data, tasks, NULL, work, out, NULL);
      if (k == 3) memcpy(L.a, out, (size_t)(m * m) * sizeof *out);
      if (k == 4) s = mbd_task_inverse(t->model, t->data, tasks, L.a, work, out);
      if (k == 5) s = mbd_task_nullspace(t->model, t->data, tasks, L.a, work, out);
      if (k == 6) s = mbd_task_control(t->model, t->data, tasks, L.a, u.a, NULL, work, out);
      assert_ok(s);
      for (size_t i = 0; i < guard; i++) assert_true(work[n + i] == 7 && out[size[k] + i] == 7);
    }
    free(work), free(out);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(descriptions_of_tasks),
    cmocka_unit_test(jacobians_are_stacked),
    cmocka_unit_test(bias_is_the_derivative_of_the_jacobian),
    cmocka_unit_test(compliance_is_that_of_jacobian_and_mass),
    cmocka_unit_test(inertia_inverts_the_compliance),
    cmocka_unit_test(one_frame_is_that_of_opspace),
    cmocka_unit_test(inertia_of_all_tips),
    cmocka_unit_test(forces_are_those_of_dense_matrices),
    cmocka_unit_test(forces_vanish_at_rest),
    cmocka_unit_test(motion_under_wrenches_alone),
    cmocka_unit_test(consistent_inverse_has_the_least_energy),
    cmocka_unit_test(nullspace_moves_no_task),
    cmocka_unit_test(nullspace_torques_accelerate_no_task),
    cmocka_unit_test(control_gives_the_accelerations_asked_for),
    cmocka_unit_test(control_is_the_sum_of_its_terms),
    cmocka_unit_test(memory_is_respected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
