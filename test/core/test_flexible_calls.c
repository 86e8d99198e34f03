// Functions that know nothing of flexible links, on models that have them: batches, tasks, responses,
// contacts, the observer, linearisation. Oracles are dense matrices, differences and the conditions of
// contact themselves.
#include <math.h>
#include <string.h>

#include "by_hand.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/flexible.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/operators.h"
#include "random_modes.h"

#define FOR_FLEXIBLE(n, options)                                            \
  FOR_TREES(n, options)                                                     \
  for (uint64_t state = seed, once = 1; once; once = 0)                     \
    for (flexible_robot_t b = random_flexible_robot(t, &state); b.flexible; \
         flexible_robot_free(&b), b.flexible = NULL)

enum { SEEDS = 60 };

static tree_options_t
few_bodies(void)
{
  tree_options_t options = tree_options_default();
  options.max_bodies = 5;
  return options;
}

// within a tolerance of the largest number, or of one
static void
assert_about(mat_t a, mat_t b, double tolerance, const char * what, uint64_t seed)
{
  assert_int_equal(a.r * a.c, b.r * b.c);
  double size = 1;
  for (int k = 0; k < a.r * a.c; k++) size = larger(size, fabs(b.a[k]));
  for (int k = 0; k < a.r * a.c; k++) {
    if (fabs(a.a[k] - b.a[k]) <= tolerance * size) continue;
    fail_msg("%s, seed %d: element %d: %.17g, not %.17g", what, (int)seed, k, a.a[k], b.a[k]);
  }
}

static mat_t
unit(int n, int k)
{
  mat_t e = mat(n, 1);
  e.a[k] = 1;
  return e;
}

static mat_t
mass_of(const flexible_robot_t * b)
{
  mat_t M = mat(b->flexible->nv, b->flexible->nv);
  assert_ok(mbd_set_state(b->flexible, b->data, b->q, NULL));
  assert_ok(mbd_mass_matrix(b->flexible, b->data, M.a));
  return M;
}

static mat_t
jacobian_of(const flexible_robot_t * b, int frame, mbd_reference_t reference)
{
  mat_t J = mat(6, b->flexible->nv);
  assert_ok(mbd_jacobian(b->flexible, b->data, frame, reference, J.a));
  return J;
}

// q moved along x for h
static mat_t
moved(const flexible_robot_t * b, const double * q, const double * x, double h)
{
  mat_t to = mat(b->flexible->nq, 1);
  assert_ok(mbd_integrate(b->flexible, q, x, h, to.a));
  return to;
}

//---------- batches ----------

enum { STATES = 5 };

// all functions of a batch are the ones of one state, with gravity, terms and payloads of a workspace
static void
batches_are_one_state_after_the_other(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_FLEXIBLE(SEEDS / 2, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nq = m->nq, nv = m->nv, frame = m->nframe - 1;
    mat_t q = mat(STATES, nq), v = mat(STATES, nv), u = mat(STATES, nv);
    for (int k = 0; k < STATES; k++) {
      mat_t step = mat(nv, 1);
      for (int i = 0; i < nv; i++) {
        step.a[i] = 0.2 * random_signed(&state);
        v.a[k * nv + i] = random_signed(&state), u.a[k * nv + i] = random_signed(&state);
      }
      memcpy(q.a + k * nq, moved(&b, b.q, step.a, 1).a, (size_t)nq * sizeof *q.a);
    }
    const mbd_inertia_t load = random_inertia(&state);
    assert_ok(mbd_payload_attach(m, b.data, frame, &load));
    assert_ok(mbd_set_terms(b.data, (uint32_t)(seed % 4)));
    assert_ok(mbd_set_gravity(b.data, mbdu_vec3(1, -2, 3)));
    mbd_batch_t * batch;
    assert_ok(mbd_batch_create(m, 1 + (int)(seed % 3), &batch));
    assert_ok(mbd_batch_set_parameters_from(batch, b.data));
    mat_t tau = mat(STATES, nv), h = mat(STATES, nv), g = mat(STATES, nv), qdd = mat(STATES, nv);
    mat_t M = mat(STATES, nv * nv), M_inv = mat(STATES, nv * nv), X = mat(STATES, 12);
    mat_t J = mat(STATES, 6 * nv), bias = mat(STATES, 6), L = mat(STATES, 6);
    const mbd_reference_t reference = (mbd_reference_t)(seed % 3);
    assert_ok(mbd_batch_inverse_dynamics(batch, STATES, q.a, v.a, u.a, tau.a));
    assert_ok(mbd_batch_bias(batch, STATES, q.a, v.a, h.a));
    assert_ok(mbd_batch_gravity(batch, STATES, q.a, g.a));
    assert_ok(mbd_batch_forward_dynamics(batch, STATES, q.a, v.a, u.a, qdd.a));
    assert_ok(mbd_batch_mass_matrix(batch, STATES, q.a, M.a));
    assert_ok(mbd_batch_mass_matrix_inverse(batch, STATES, q.a, M_inv.a));
    assert_ok(
      mbd_batch_frame_placements(batch, STATES, q.a, 1, &frame, (mbd_placement_t *)(void *)X.a));
    assert_ok(mbd_batch_jacobian(batch, STATES, q.a, frame, reference, J.a));
    assert_ok(mbd_batch_jacobian_bias(
      batch, STATES, q.a, v.a, frame, reference, (mbd_motion_t *)(void *)bias.a));
    assert_ok(mbd_batch_centroidal_momentum(batch, STATES, q.a, v.a, (mbd_force_t *)(void *)L.a));
    mbd_batch_destroy(batch);
    for (int k = 0; k < STATES; k++, compared++) {
      const double *qk = q.a + k * nq, *vk = v.a + k * nv, *uk = u.a + k * nv;
      mat_t x = mat(nv, 1), A = mat(nv, nv), P = mat(12, 1), Jk = mat(6, nv), six = mat(6, 1);
      assert_ok(mbd_inverse_dynamics(m, b.data, qk, vk, uk, NULL, x.a));
      assert_close(tau.a + k * nv, x.a, nv, 1e-13, "tau, seed %d", (int)seed);
      assert_ok(mbd_bias(m, b.data, x.a));
      assert_close(h.a + k * nv, x.a, nv, 1e-13, "bias, seed %d", (int)seed);
      assert_ok(mbd_gravity(m, b.data, x.a));
      assert_close(g.a + k * nv, x.a, nv, 1e-13, "gravity, seed %d", (int)seed);
      assert_ok(mbd_frame_placement(m, b.data, frame, (mbd_placement_t *)(void *)P.a));
      assert_close(X.a + k * 12, P.a, 12, 1e-13, "placement, seed %d", (int)seed);
      assert_ok(mbd_jacobian(m, b.data, frame, reference, Jk.a));
      assert_close(J.a + k * 6 * nv, Jk.a, 6 * nv, 1e-13, "J, seed %d", (int)seed);
      assert_ok(mbd_jacobian_bias(m, b.data, frame, reference, (mbd_motion_t *)(void *)six.a));
      assert_close(bias.a + k * 6, six.a, 6, 1e-13, "Jdot v, seed %d", (int)seed);
      assert_ok(mbd_centroidal_momentum(m, b.data, (mbd_force_t *)(void *)six.a));
      assert_close(L.a + k * 6, six.a, 6, 1e-13, "momentum, seed %d", (int)seed);
      assert_ok(mbd_set_state(m, b.data, qk, NULL));
      assert_ok(mbd_mass_matrix(m, b.data, A.a));
      assert_close(M.a + k * nv * nv, A.a, nv * nv, 1e-13, "M, seed %d", (int)seed);
      assert_ok(mbd_mass_matrix_inverse(m, b.data, A.a));
      assert_close(M_inv.a + k * nv * nv, A.a, nv * nv, 1e-13, "M^-1, seed %d", (int)seed);
      assert_ok(mbd_forward_dynamics(m, b.data, qk, vk, uk, NULL, x.a));
      assert_close(qdd.a + k * nv, x.a, nv, 1e-13, "qdd, seed %d", (int)seed);
    }
  }
  assert_count(compared, STATES * SEEDS / 2);
}

//---------- responses and tasks ----------

static void
responses_are_those_of_dense_matrices(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, frame = m->nframe - 1;
    if (t->nwrench == 0) continue;
    mat_t M_inv = inverse(mass_of(&b)), push = mat(nv, 1), dqdd = mat(nv, 1), A = mat(6, 1);
    for (int k = 0; k < t->nwrench; k++) {
      const mbd_wrench_t * w = &t->wrench[k];
      push = SUM(push, PROD(tr(jacobian_of(&b, w->frame, w->reference)), force6(w->f)));
    }
    mat_t sum = mat(nv, 1), expected = PROD(M_inv, push), J = jacobian_of(&b, frame, MBD_LOCAL);
    assert_ok(mbd_jacobian_transpose_product(m, b.data, &t->f_ext, sum.a));
    assert_about(sum, push, 1e-11, "J^T f", seed);
    assert_ok(mbd_force_response(m, b.data, &t->f_ext, dqdd.a));
    assert_about(dqdd, expected, 1e-8, "force response", seed);
    assert_ok(mbd_response_acceleration(m, b.data, frame, MBD_LOCAL, (mbd_motion_t *)(void *)A.a));
    assert_about(A, PROD(J, expected), 1e-8, "response of a frame", seed);
    assert_ok(mbd_impulse_response(m, b.data, &t->f_ext, dqdd.a));
    assert_about(dqdd, expected, 1e-8, "impulse response", seed);
    // a point of the frame, pushed along a direction of the world
    const mbd_vec3_t point = random_vec3(&state, 1);
    mbd_vec3_t n = random_vec3(&state, 1);
    n = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(m, b.data, frame, &X));
    const mbd_vec3_t moment = mbdu_vec3_cross(mbdu_mat3_vec(&X.R, point), n);
    mat_t row = PROD(
      mat_from(1, 6, (double[]){moment.x, moment.y, moment.z, n.x, n.y, n.z}),
      jacobian_of(&b, frame, MBD_LOCAL_WORLD_ALIGNED));
    const double compliance = scalar(PROD(row, M_inv, tr(row)));
    if (compliance < 1e-6) continue;
    double mass;
    assert_ok(mbd_effective_mass(m, b.data, frame, point, n, &mass));
    assert_near(mass * compliance, 1, 1e-8, "effective mass, seed %d", (int)seed);
    compared++;
  }
  assert_count(compared, SEEDS / 2);
}

// under the torques of mbd_task_control the task accelerates as it was told
static void
tasks_accelerate_as_told(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, frame = m->nframe - 1;
    const mbd_task_t task[2] = {
      mbdu_task_position(frame, MBD_LOCAL_WORLD_ALIGNED),
      mbdu_task_rotation(frame, MBD_LOCAL, mbdu_vec3(0, 0, 1))};
    const mbd_tasks_t tasks = {2, task};
    const int rows = mbd_task_rows(&tasks);
    assert_int_equal(rows, 4);
    mat_t M_inv = inverse(mass_of(&b));
    assert_ok(mbd_set_state(m, b.data, b.q, b.v));
    mat_t J = mat(rows, nv), all = jacobian_of(&b, frame, MBD_LOCAL_WORLD_ALIGNED);
    mat_t local = jacobian_of(&b, frame, MBD_LOCAL);
    set_block(J, 0, 0, block(all, 3, 0, 3, nv)), set_block(J, 3, 0, block(local, 2, 0, 1, nv));
    mat_t Jt = mat(rows, nv), C = mat(rows, rows), L = mat(rows, rows), bias = mat(rows, 1);
    assert_ok(mbd_task_jacobian(m, b.data, &tasks, Jt.a));
    assert_about(Jt, J, 1e-12, "J", seed);
    assert_ok(mbd_task_compliance(m, b.data, &tasks, C.a));
    assert_about(C, PROD(J, M_inv, tr(J)), 1e-8, "J M^-1 J^T", seed);
    if (rank_of(C, 1e-4) < rows) continue;
    mat_t work = mat(1, (int)mbd_task_work(m, &tasks));
    mbd_task_info_t info;
    assert_ok(mbd_task_inertia(m, b.data, &tasks, NULL, work.a, L.a, &info));
    assert_int_equal(info.rank, rows);
    assert_about(PROD(L, C), eye(rows), 1e-7, "Lambda", seed);
    assert_ok(mbd_task_bias(m, b.data, &tasks, bias.a));
    mat_t mu = mat(rows, 1), p = mat(rows, 1), h = mat(nv, 1);
    assert_ok(mbd_task_forces(m, b.data, &tasks, L.a, work.a, mu.a, p.a));
    assert_ok(mbd_bias(m, b.data, h.a));
    mat_t expected = PROD(L, sub(PROD(J, M_inv, h), bias));
    assert_about(SUM(mu, p), expected, 1e-6, "mu + p", seed);
    mat_t u = mat(rows, 1), tau = mat(nv, 1), qdd = mat(nv, 1);
    for (int k = 0; k < rows; k++) u.a[k] = random_signed(&state);
    assert_ok(mbd_task_control(m, b.data, &tasks, L.a, u.a, b.tau, work.a, tau.a));
    assert_ok(mbd_forward_dynamics(m, b.data, NULL, NULL, tau.a, NULL, qdd.a));
    assert_about(SUM(PROD(J, qdd), bias), u, 1e-6, "acceleration of the task", seed);
    compared++;
  }
  assert_count(compared, SEEDS / 3);
}

//---------- forces through the joints ----------

// momentum of all that moves about the origin of the world
static mat_t
world_momentum(const flexible_robot_t * b, const double * q, const double * v)
{
  mbd_force_t L;
  mbd_vec3_t c;
  assert_ok(mbd_set_state(b->flexible, b->data, q, v));
  assert_ok(mbd_centroidal_momentum(b->flexible, b->data, &L));
  assert_ok(mbd_center_of_mass(b->flexible, b->data, NULL, &c));
  L.ang = mbdu_vec3_add(L.ang, mbdu_vec3_cross(c, L.lin));
  return force6(L);
}

// a wrench in a reference as one at the origin of the world
static mat_t
in_world(const flexible_robot_t * b, int frame, mbd_reference_t reference, mbd_force_t f)
{
  mbd_placement_t X = mbdu_placement_identity(), at;
  assert_ok(mbd_frame_placement(b->flexible, b->data, frame, &at));
  if (reference != MBD_WORLD) X.p = at.p;
  if (reference == MBD_LOCAL) X.R = at.R;
  return force6(mbdu_force_to_parent(&X, f));
}

// no link that bends is fixed to the world: it would pull at no joint
static bool
all_on_joints(const mbd_model_t * m)
{
  for (int p = 0; p < m->flexible->npart; p++) {
    if (m->flexible->rigid->frame[m->flexible->part[p].frame].body < 0) return false;
  }
  return true;
}

// projected on their joints they are the torques; those of the bases, with weight and wrenches, are
// the rate of the momentum; forward dynamics has the same
static void
forces_through_joints_move_the_robot(void ** context)
{
  (void)context;
  int compared = 0, whole = 0;
  tree_options_t options = few_bodies();
  FOR_FLEXIBLE(SEEDS, &options)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    mat_t tau = mat(nv, 1), qdd = mat(nv, 1), sum = mat(6, 1);
    assert_ok(mbd_inverse_dynamics(m, b.data, b.q, b.v, b.qdd, &t->f_ext, tau.a));
    mbd_force_t f[16];
    for (int i = 0; i < m->nbody; i++, compared++) {
      const mbd_body_t * body = &m->body[i];
      assert_ok(mbd_joint_force(m, b.data, i, &f[i]));
      mat_t own =
        block(jacobian_of(&b, body->link_frame, MBD_LOCAL), 0, body->v_index, 6, body->nv);
      mat_t expected = column(body->nv, tau.a + body->v_index);
      assert_about(PROD(tr(own), force6(f[i])), expected, 1e-9, "torque of a joint", seed);
      if (body->parent < 0) sum = SUM(sum, in_world(&b, body->link_frame, MBD_LOCAL, f[i]));
    }
    for (int k = 0; k < t->nwrench; k++) {
      const mbd_wrench_t * w = &t->wrench[k];
      if (m->frame[w->frame].body < 0) continue;
      sum = SUM(sum, in_world(&b, w->frame, w->reference, w->f));
    }
    mbd_vec3_t c;
    double mass;
    assert_ok(mbd_center_of_mass(m, b.data, &mass, &c));
    const mbd_vec3_t weight = mbdu_vec3_scale(mass, b.data->gravity);
    const mbd_force_t pull = {mbdu_vec3_cross(c, weight), weight};
    sum = SUM(sum, force6(pull));
    if (all_on_joints(m)) {
      const double h = 1e-5;
      mat_t p[2];
      for (int side = 0; side < 2; side++) {
        const double s = side ? h : -h;
        mat_t mean = SUM(column(nv, b.v), scale(0.5 * s, column(nv, b.qdd)));
        mat_t v = SUM(column(nv, b.v), scale(s, column(nv, b.qdd)));
        p[side] = world_momentum(&b, moved(&b, b.q, mean.a, s).a, v.a);
      }
      assert_about(sum, scale(0.5 / h, sub(p[1], p[0])), 1e-5, "rate of momentum", seed);
      whole++;
    }
    // under these torques the robot moves so
    assert_ok(mbd_forward_dynamics(m, b.data, b.q, b.v, tau.a, &t->f_ext, qdd.a));
    for (int i = 0; i < m->nbody; i++) {
      mbd_force_t g;
      assert_ok(mbd_joint_force(m, b.data, i, &g));
      assert_about(force6(g), force6(f[i]), 1e-7, "after forward dynamics", seed);
    }
    assert_ok(mbd_set_acceleration(m, b.data, b.qdd));
    assert_status(mbd_joint_force(m, b.data, 0, &f[0]), MBD_ERROR_STAGE);
  }
  assert_count(compared, SEEDS);
  assert_count(whole, SEEDS / 3);
}

//---------- mixed dynamics ----------

static bool
is_active(const mbd_model_t * m, const bool * active, int k)
{
  return k < m->flexible->rigid->nv && active[m->dof_body[k]];
}

// rows or columns of the active or the passive degrees of freedom
static mat_t
rows_of(mat_t A, const mbd_model_t * m, const bool * active, bool wanted)
{
  int n = 0;
  for (int k = 0; k < A.r; k++) n += is_active(m, active, k) == wanted;
  mat_t B = mat(n, A.c);
  for (int k = 0, row = 0; k < A.r; k++) {
    if (is_active(m, active, k) == wanted) set_block(B, row++, 0, block(A, k, 0, 1, A.c));
  }
  return B;
}

static mat_t
columns_of(mat_t A, const mbd_model_t * m, const bool * active, bool wanted)
{
  return tr(rows_of(tr(A), m, active, wanted));
}

static void
mixed_dynamics_are_those_of_dense_matrices(void ** context)
{
  (void)context;
  int compared = 0, controlled = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, frame = m->nframe - 1;
    bool active[64] = {false};
    for (int i = 0; i < m->nbody; i++) active[i] = random_below(&state, 2);
    assert_ok(mbd_set_terms(b.data, (uint32_t)(seed % 4)));
    mat_t M = mass_of(&b), h = mat(nv, 1), qdd = mat_from(nv, 1, b.qdd);
    mat_t tau = mat_from(nv, 1, b.tau);
    assert_ok(mbd_inverse_dynamics(m, b.data, b.q, b.v, NULL, &t->f_ext, h.a));
    assert_ok(mbd_hybrid_dynamics(m, b.data, b.q, b.v, active, &t->f_ext, qdd.a, tau.a));
    assert_about(SUM(PROD(M, qdd), h), tau, 1e-8, "M qdd + h", seed);
    for (int k = 0; k < nv; k++) {
      assert_true(is_active(m, active, k) ? qdd.a[k] == b.qdd[k] : tau.a[k] == b.tau[k]);
    }
    // Jacobians
    mat_t J_D = mat(nv, nv), J_G = mat(6, nv), J = jacobian_of(&b, frame, MBD_LOCAL);
    assert_ok(mbd_disturbance_jacobian(m, b.data, active, J_D.a));
    mat_t M_p = rows_of(M, m, active, false);
    mat_t M_pp = columns_of(M_p, m, active, false), M_pa = columns_of(M_p, m, active, true);
    mat_t dense = scale(-1, PROD(inverse(M_pp), M_pa));
    mat_t J_pa = columns_of(rows_of(J_D, m, active, false), m, active, true);
    assert_about(J_pa, dense, 1e-8, "J_D", seed);
    assert_near(largest_entry(rows_of(J_D, m, active, true)), 0, 0, "rows of J_D");
    assert_ok(mbd_generalized_jacobian(m, b.data, active, frame, MBD_LOCAL, J_G.a));
    mat_t expected =
      SUM(columns_of(J, m, active, true), PROD(columns_of(J, m, active, false), dense));
    assert_about(columns_of(J_G, m, active, true), expected, 1e-8, "J_G", seed);
    assert_near(largest_entry(columns_of(J_G, m, active, false)), 0, 0, "columns of J_G");
    compared++;
    // control: the frame accelerates as told, where active joints can do that
    for (int i = 0; i < m->nbody; i++) active[i] = true;
    mbd_motion_t bias;
    int rank;
    const mbd_motion_t wanted = random_motion(&state);
    memcpy(tau.a, b.tau, (size_t)nv * sizeof *tau.a);
    assert_ok(mbd_hybrid_control(
      m, b.data, b.q, b.v, active, frame, MBD_LOCAL, wanted, qdd.a, tau.a, &rank));
    assert_ok(mbd_generalized_jacobian(m, b.data, active, frame, MBD_LOCAL, J_G.a));
    if (rank_of(J_G, 1e-3) < 6) continue;
    assert_int_equal(rank, 6);
    mat_t found = mat(nv, 1);
    assert_ok(mbd_forward_dynamics(m, b.data, b.q, b.v, tau.a, NULL, found.a));
    assert_about(found, qdd, 1e-6, "accelerations of control", seed);
    assert_ok(mbd_frame_acceleration(m, b.data, frame, MBD_LOCAL, &bias));
    assert_about(motion6(bias), motion6(wanted), 1e-6, "acceleration of the frame", seed);
    for (int k = m->flexible->rigid->nv; k < nv; k++) assert_true(tau.a[k] == b.tau[k]);
    controlled++;
  }
  assert_count(compared, SEEDS / 2);
  assert_count(controlled, SEEDS / 8);
}

//---------- as a part of a larger system ----------

static void
seen_from_two_nodes(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int frame[2] = {0, m->nframe - 1};
    mat_t M_inv = inverse(mass_of(&b)), qdd = mat(m->nv, 1), all = mat(12, m->nv);
    assert_ok(mbd_forward_dynamics(m, b.data, b.q, b.v, b.tau, &t->f_ext, qdd.a));
    for (int k = 0; k < 2; k++) set_block(all, 6 * k, 0, jacobian_of(&b, frame[k], MBD_LOCAL));
    mat_t bias = mat(12, 1), Jdot_v = mat(6, 1);
    for (int k = 0; k < 2; k++) {
      assert_ok(
        mbd_jacobian_bias(m, b.data, frame[k], MBD_LOCAL, (mbd_motion_t *)(void *)Jdot_v.a));
      set_block(bias, 6 * k, 0, SUM(PROD(block(all, 6 * k, 0, 6, m->nv), qdd), Jdot_v));
    }
    mbd_subsystem_t seen;
    assert_ok(mbd_subsystem_robot(m, b.data, b.tau, &t->f_ext, 2, frame, &seen));
    assert_int_equal(seen.nnode, 2);
    mat_t C = mat_from(12, 12, seen.inverse_inertia);
    assert_about(C, PROD(all, M_inv, tr(all)), 1e-7, "compliance", seed);
    mat_t A = mat(12, 1);
    for (int k = 0; k < 2; k++) set_block(A, 6 * k, 0, motion6(seen.bias[k]));
    assert_about(A, bias, 1e-7, "acceleration", seed);
    compared++;
  }
  assert_count(compared, SEEDS / 2);
}

//---------- contact ----------

// velocity of a point in the world that goes with a frame
static mat_t
point_jacobian(const flexible_robot_t * b, int frame, mbd_vec3_t point)
{
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(b->flexible, b->data, frame, &X));
  const mbd_vec3_t arm = mbdu_vec3_sub(point, X.p);
  const double r[3] = {arm.x, arm.y, arm.z};
  mat_t J = jacobian_of(b, frame, MBD_LOCAL_WORLD_ALIGNED);
  return sub(block(J, 3, 0, 3, J.c), PROD(skew3(r), block(J, 0, 0, 3, J.c)));
}

// no penetration, no pull, no force where it opens, friction against the slip; w is what the contact
// does: its velocity, or its acceleration from rest
static void
assert_contact(const mbd_contact_t * c, mat_t w, double size, uint64_t seed)
{
  const double n[3] = {c->normal.x, c->normal.y, c->normal.z};
  const double f[3] = {c->force.x, c->force.y, c->force.z};
  const double wn = scalar(PROD(tr(column(3, n)), w));
  const double fn = scalar(PROD(tr(column(3, n)), column(3, f)));
  mat_t wt = sub(w, scale(wn, column(3, n))), ft = sub(column(3, f), scale(fn, column(3, n)));
  const double slip = sqrt(scalar(PROD(tr(wt), wt))), rub = sqrt(scalar(PROD(tr(ft), ft)));
  if (wn < -1e-6 * size) fail_msg("seed %d penetrates: %g of %g", (int)seed, wn, size);
  if (fn < 0) fail_msg("seed %d pulls: %g", (int)seed, fn);
  if (fn > 1e-6 && wn > 1e-6 * size) fail_msg("seed %d opens under force %g", (int)seed, fn);
  assert_true(rub <= c->friction * fn * (1 + 1e-9) + 1e-12);
  if (slip < 1e-5 * size || fn < 1e-6) return;
  mat_t against = scale(-c->friction * fn / slip, wt);
  assert_about(ft, against, 1e-4, "friction", seed);
}

static mbd_contact_t
random_contact(const flexible_robot_t * b, int frame, uint64_t * state)
{
  mbd_contact_t c = mbd_contact_default();
  mbd_placement_t X;
  assert_ok(mbd_frame_placement(b->flexible, b->data, frame, &X));
  c.frame_a = MBD_WORLD_BODY, c.frame_b = frame;
  c.point = mbdu_vec3_add(X.p, random_vec3(state, 0.1));
  const mbd_vec3_t n = random_vec3(state, 1);
  c.normal = mbdu_vec3_scale(1 / mbdu_vec3_norm(n), n);
  c.friction = random_between(state, 0.1, 0.8);
  return c;
}

static void
contacts_hold_and_slip(void ** context)
{
  (void)context;
  int pressed = 0, slid = 0, steps = 0, accelerations = 0;
  tree_options_t options = few_bodies();
  FOR_FLEXIBLE(2 * SEEDS, &options)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, frame = m->nframe - 1;
    const bool step = seed % 2;
    const double dt = step ? 1e-2 : 1;
    const uint32_t terms = (uint32_t)(seed % 4);
    assert_ok(mbd_set_terms(b.data, terms));
    if (!step) memset(b.v, 0, (size_t)nv * sizeof *b.v);
    mat_t M = mass_of(&b), h = mat(nv, 1);
    assert_ok(mbd_inverse_dynamics(m, b.data, b.q, b.v, NULL, &t->f_ext, h.a));
    assert_ok(mbd_set_state(m, b.data, b.q, b.v));
    mbd_contact_t c = random_contact(&b, frame, &state);
    mat_t J = point_jacobian(&b, frame, c.point);
    if (smallest_eigenvalue(PROD(J, inverse(M), tr(J))) < 1e-2) continue;
    mbd_contact_options_t o = mbd_contact_options_default();
    o.impact = 1e9;  // no bounce: w is then what the conditions are about
    mat_t work = mat(1, (int)mbd_contact_work(m, 1)), limit = mat(nv, 1), out = mat(nv, 1);
    mbd_contact_info_t info;
    mat_t change;
    if (step) {
      assert_ok(mbd_contact_step(
        m, b.data, b.tau, &t->f_ext, dt, 1, &c, &o, work.a, out.a, limit.a, NULL, &info));
      change = sub(out, column(nv, b.v));
      steps++;
    } else {
      assert_ok(mbd_contact_acceleration(
        m, b.data, b.tau, &t->f_ext, 1, &c, &o, work.a, out.a, limit.a, NULL, &info));
      change = out;
      accelerations++;
    }
    const double f[3] = {c.force.x, c.force.y, c.force.z};
    mat_t given = SUM(scale(dt, sub(column(nv, b.tau), h)), PROD(tr(J), column(3, f)), limit);
    assert_about(PROD(M, change), given, 1e-7, "equation of motion", seed);
    mat_t w = PROD(J, out);
    assert_contact(&c, w, 1 + largest_entry(PROD(J, out)), seed);
    pressed += c.mode != MBD_CONTACT_OPEN, slid += c.mode == MBD_CONTACT_SLIDE;
  }
  assert_count(steps, SEEDS / 3);
  assert_count(accelerations, SEEDS / 3);
  assert_count(pressed, SEEDS / 4);
  assert_count(slid, SEEDS / 12);
}

//---------- observer ----------

// constant torques on joints and modes that the observer is not told come out of its lag:
// r_k = (1 - a^k) tau_ext
static void
observer_finds_what_it_is_not_told(void ** context)
{
  (void)context;
  int compared = 0;
  tree_options_t options = few_bodies();
  FOR_FLEXIBLE(SEEDS / 2, &options)
  {
    enum { STEPS = 60 };
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, frame = m->nframe - 1;
    const double dt = 1e-4;
    mbd_observer_options_t o = mbd_observer_options_default();
    o.gain = 300;
    mbd_observer_t * observer;
    assert_ok(mbd_observer_create(m, &o, &observer));
    assert_ok(mbd_set_terms(b.data, (uint32_t)(seed % 4)));
    mat_t hidden = mat(nv, 1), sum = mat(nv, 1);
    for (int k = 0; k < nv; k++) {
      hidden.a[k] = 3 * random_signed(&state), sum.a[k] = b.tau[k] + hidden.a[k];
    }
    for (int k = 0; k <= STEPS; k++) {
      assert_ok(mbd_set_state(m, b.data, b.q, b.v));
      assert_ok(mbd_observer_update(observer, b.data, b.tau, dt));
      if (k < STEPS) assert_ok(flexible_step(m, b.data, b.q, b.v, sum.a, NULL, dt));
    }
    mat_t r = scale(1 - exp(-o.gain * STEPS * dt), hidden);
    assert_about(column(nv, observer->torque), r, 1e-3, "torque", seed);
    // torques of a wrench are explained by it
    mat_t f = force6(random_force(&state)), found = mat(6, 1);
    mat_t J = jacobian_of(&b, frame, MBD_LOCAL), tau = PROD(tr(J), f);
    memcpy(observer->torque, tau.a, (size_t)nv * sizeof *tau.a);
    assert_ok(
      mbd_observer_wrench(observer, b.data, frame, MBD_LOCAL, (mbd_force_t *)(void *)found.a));
    if (rank_of(J, 1e-3) == rank_of(J, 1e-8)) {
      assert_about(PROD(tr(J), found), tau, 1e-6, "torques of the wrench", seed);
      compared++;
    }
    mbd_observer_destroy(observer);
  }
  assert_count(compared, SEEDS / 4);
}

//---------- derivatives ----------

// the state after s, from q and v moved along x and y for h, by FD and one step of second order
static void
follow(
  const flexible_robot_t * b, const double * q, const double * v, double s, double * q_out,
  double * v_out)
{
  const mbd_model_t * m = b->flexible;
  mat_t qdd = mat(m->nv, 1), mean = mat(m->nv, 1);
  assert_ok(mbd_forward_dynamics(m, b->data, q, v, b->tau, NULL, qdd.a));
  for (int k = 0; k < m->nv; k++) {
    v_out[k] = v[k] + s * qdd.a[k], mean.a[k] = v[k] + 0.5 * s * qdd.a[k];
  }
  assert_ok(mbd_integrate(m, q, mean.a, s, q_out));
}

// rate of [difference of q; difference of v] of neighbours on both sides, by differences in time
static mat_t
rate_of_neighbours(const flexible_robot_t * b, int j)
{
  const mbd_model_t * m = b->flexible;
  const int nv = m->nv;
  const double h = 1e-4, s = 1e-4;
  mat_t rate = mat(2 * nv, 1), e = unit(nv, j % nv);
  for (int side = -1; side <= 1; side += 2) {
    mat_t q1 = column(m->nq, b->q), v1 = column(nv, b->v);
    if (j < nv) {
      q1 = moved(b, b->q, e.a, side * h);
    } else {
      v1 = SUM(v1, scale(side * h, e));
    }
    for (int time = -1; time <= 1; time += 2) {
      mat_t q[2] = {mat(m->nq, 1), mat(m->nq, 1)}, v[2] = {mat(nv, 1), mat(nv, 1)};
      mat_t d = mat(nv, 1);
      follow(b, b->q, b->v, time * s, q[0].a, v[0].a);
      follow(b, q1.a, v1.a, time * s, q[1].a, v[1].a);
      assert_ok(mbd_difference(m, q[0].a, q[1].a, d.a));
      const double weight = side * time / (4 * h * s);
      for (int k = 0; k < nv; k++) {
        rate.a[k] += weight * d.a[k];
        rate.a[nv + k] += weight * (v[1].a[k] - v[0].a[k]);
      }
    }
  }
  return rate;
}

static void
linear_model_is_that_of_neighbours(void ** context)
{
  (void)context;
  int compared = 0;
  tree_options_t options = few_bodies();
  options.max_bodies = 3;
  FOR_FLEXIBLE(SEEDS, &options)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    mat_t work = mat(1, (int)mbd_derivatives_work(m)), qdd = mat(nv, 1);
    mat_t A = mat(2 * nv, 2 * nv), B = mat(2 * nv, nv);
    assert_ok(mbd_set_terms(b.data, (uint32_t)(seed % 4)));
    const mbd_status_t status =
      mbd_linearize(m, b.data, b.q, b.v, b.tau, NULL, work.a, qdd.a, A.a, B.a);
    if (status == MBD_ERROR_BAD_JOINT) continue;
    assert_ok(status);
    assert_about(block(B, nv, 0, nv, nv), inverse(mass_of(&b)), 1e-8, "B", seed);
    assert_about(block(B, 0, 0, nv, nv), mat(nv, nv), 0, "upper half of B", seed);
    if (largest_entry(A) > 1e3) continue;  // differences are no measure
    for (int j = 0; j < 2 * nv; j++, compared++) {
      assert_about(block(A, 0, j, 2 * nv, 1), rate_of_neighbours(&b, j), 1e-4, "A", seed);
    }
  }
  assert_count(compared, 4 * SEEDS);
}

// M_D, the gradient of the kinetic energy and both kinds of Christoffel symbols
static void
mass_matrix_changes_as_its_derivatives_say(void ** context)
{
  (void)context;
  int compared = 0;
  tree_options_t options = few_bodies();
  FOR_FLEXIBLE(SEEDS / 2, &options)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    const double h = 1e-5;
    mat_t v = column(nv, b.v), MD = mat(nv, nv), gradient = mat(nv, 1), C = mat(nv, nv);
    mat_t work = mat(1, (int)mbd_derivatives_work(m)), dM = mat(nv, nv * nv), G = mat(nv, nv * nv);
    assert_ok(mbd_set_state(m, b.data, b.q, b.v));
    assert_ok(mbd_momentum_gradient(m, b.data, MD.a));
    assert_ok(mbd_kinetic_energy_gradient(m, b.data, gradient.a));
    assert_ok(mbd_coriolis_matrix(m, b.data, C.a));
    assert_ok(mbd_mass_matrix_tensor(m, b.data, work.a, dM.a));
    assert_ok(mbd_christoffel_tensor(m, b.data, work.a, G.a));
    mat_t expected_C = mat(nv, nv);
    for (int j = 0; j < nv; j++, compared++) {
      mat_t M[2] = {mat(nv, nv), mat(nv, nv)};
      for (int side = 0; side < 2; side++) {
        mat_t q = moved(&b, b.q, unit(nv, j).a, side ? h : -h);
        assert_ok(mbd_set_state(m, b.data, q.a, NULL));
        assert_ok(mbd_mass_matrix(m, b.data, M[side].a));
      }
      mat_t d = scale(0.5 / h, sub(M[1], M[0])), Gj = mat(nv, nv);
      assert_about(mat_from(nv, nv, dM.a + j * nv * nv), d, 1e-6, "dM", seed);
      assert_about(block(MD, 0, j, nv, 1), PROD(d, v), 1e-6, "M_D", seed);
      const double dT = 0.5 * scalar(PROD(tr(v), d, v));
      assert_near(gradient.a[j], dT, 1e-6 * (1 + fabs(dT)), "dT, seed %d", (int)seed);
      assert_ok(mbd_set_position(m, b.data, b.q));
      assert_ok(mbd_christoffel(m, b.data, j, Gj.a));
      mat_t slice = mat_from(nv, nv, G.a + j * nv * nv);
      assert_about(slice, Gj, 1e-9, "Christoffel symbols", seed);
      expected_C = SUM(expected_C, scale(b.v[j], Gj));
    }
    assert_about(C, expected_C, 1e-9, "C", seed);
  }
  assert_count(compared, 2 * SEEDS);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(batches_are_one_state_after_the_other),
    cmocka_unit_test(responses_are_those_of_dense_matrices),
    cmocka_unit_test(tasks_accelerate_as_told),
    cmocka_unit_test(forces_through_joints_move_the_robot),
    cmocka_unit_test(mixed_dynamics_are_those_of_dense_matrices),
    cmocka_unit_test(seen_from_two_nodes),
    cmocka_unit_test(contacts_hold_and_slip),
    cmocka_unit_test(observer_finds_what_it_is_not_told),
    cmocka_unit_test(linear_model_is_that_of_neighbours),
    cmocka_unit_test(mass_matrix_changes_as_its_derivatives_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
