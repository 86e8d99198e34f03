// Models with flexible links by the common API: Jacobians, momentum, derivatives, payloads, deflection and
// loops against finite differences and dense matrices.
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

static const mbd_reference_t REFERENCE[3] = {MBD_LOCAL, MBD_WORLD, MBD_LOCAL_WORLD_ALIGNED};

// numbers of which some or all may be zero but for the error of a difference
static void
assert_difference(const double * a, const double * b, int n, double tolerance, const char * what)
{
  double size = 1;
  for (int k = 0; k < n; k++) size = fmax(size, fabs(b[k]));
  for (int k = 0; k < n; k++) {
    if (fabs(a[k] - b[k]) <= tolerance * size) continue;
    fail_msg("%s: element %d of %d: %.17g, not %.17g", what, k, n, a[k], b[k]);
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
jacobian(const flexible_robot_t * b, const double * q, int frame, mbd_reference_t reference)
{
  mat_t J = mat(6, b->flexible->nv);
  assert_ok(mbd_set_position(b->flexible, b->data, q));
  assert_ok(mbd_jacobian(b->flexible, b->data, frame, reference, J.a));
  return J;
}

// q moved along x for h
static mat_t
moved(const flexible_robot_t * b, const double * x, double h)
{
  mat_t q = mat(b->flexible->nq, 1);
  assert_ok(mbd_integrate(b->flexible, b->q, x, h, q.a));
  return q;
}

//---------- frames ----------

// columns are velocities of unit velocities, rates their differences, Jdot v the bias
static void
jacobians_and_their_rates(void ** context)
{
  (void)context;
  int compared = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const double h = 1e-5;
    mat_t ahead = moved(&b, b.v, h), behind = moved(&b, b.v, -h);
    for (int f = 0; f < m->nframe; f++, compared++) {
      const mbd_reference_t reference = REFERENCE[f % 3];
      mat_t J = jacobian(&b, b.q, f, reference), rate = mat(6, m->nv), Jv = mat(6, m->nv);
      for (int k = 0; k < m->nv; k++) {
        mbd_motion_t V, W;
        assert_ok(mbd_set_state(m, b.data, b.q, unit(m->nv, k).a));
        assert_ok(mbd_frame_velocity(m, b.data, f, reference, &V));
        assert_ok(mbd_jacobian_product(m, b.data, f, reference, unit(m->nv, k).a, &W));
        assert_close(motion6(W).a, motion6(V).a, 6, 1e-12, "J e, seed %d", (int)seed);
        for (int r = 0; r < 6; r++) *at(Jv, r, k) = motion6(V).a[r];
      }
      assert_close(J.a, Jv.a, 6 * m->nv, 1e-11, "J, seed %d", (int)seed);
      assert_ok(mbd_set_state(m, b.data, b.q, b.v));
      assert_ok(mbd_jacobian_rate(m, b.data, f, reference, rate.a));
      mbd_motion_t bias;
      assert_ok(mbd_jacobian_bias(m, b.data, f, reference, &bias));
      assert_difference(motion6(bias).a, PROD(rate, column(m->nv, b.v)).a, 6, 1e-11, "Jdot v");
      mat_t d = sub(jacobian(&b, ahead.a, f, reference), jacobian(&b, behind.a, f, reference));
      assert_difference(rate.a, scale(0.5 / h, d).a, 6 * m->nv, 1e-7, "dJ/dt");
    }
  }
  assert_count(compared, 3 * SEEDS + 1);
}

// J_i M^-1 J_j^T, and the factors of M
static void
compliance_and_factors(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, i = 0, j = m->nframe - 1;
    mat_t Ji = jacobian(&b, b.q, i, MBD_LOCAL), Jj = jacobian(&b, b.q, j, MBD_WORLD);
    mat_t M = mat(nv, nv), M_inv = mat(nv, nv), omega = mat(6, 6), F = mat(nv, nv), D = mat(nv, nv);
    assert_ok(mbd_mass_matrix(m, b.data, M.a));
    assert_ok(mbd_mass_matrix_inverse(m, b.data, M_inv.a));
    mat_t one = PROD(M, M_inv), identity = mat(nv, nv);
    for (int k = 0; k < nv; k++) *at(identity, k, k) = 1;
    assert_difference(one.a, identity.a, nv * nv, 1e-7, "M M^-1");
    assert_ok(mbd_compliance_between(m, b.data, i, MBD_LOCAL, j, MBD_WORLD, omega.a));
    mat_t expected = PROD(Ji, M_inv, tr(Jj));
    assert_difference(omega.a, expected.a, 36, 1e-8, "compliance");
    assert_ok(mbd_mass_factors(m, b.data, F.a, D.a));
    assert_close(PROD(F, D, tr(F)).a, M.a, nv * nv, 1e-9, "F D F^T, seed %d", (int)seed);
    mat_t y = mat(nv, 1);
    assert_ok(mbd_mass_product(m, b.data, b.v, y.a));
    assert_close(y.a, PROD(M, column(nv, b.v)).a, nv, 1e-11, "M x, seed %d", (int)seed);
    double trace, sum = 0;
    assert_ok(mbd_mass_trace(m, b.data, &trace));
    for (int k = 0; k < nv; k++) sum += *at(M, k, k);
    assert_close(&trace, &sum, 1, 1e-12, "trace, seed %d", (int)seed);
  }
}

//---------- momentum ----------

static mat_t
mass_at(const flexible_robot_t * b, mat_t q)
{
  mat_t M = mat(b->flexible->nv, b->flexible->nv);
  assert_ok(mbd_set_state(b->flexible, b->data, q.a, NULL));
  assert_ok(mbd_mass_matrix(b->flexible, b->data, M.a));
  return M;
}

// dM/dt = C + C^T along the motion, h = C v + gravity + damping, dM/dq_j
static void
coriolis_matrix_is_half_the_rate(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    const double h = 1e-5;
    mat_t v = column(nv, b.v), C = mat(nv, nv), bias = mat(nv, 1), g = mat(nv, 1), y = mat(nv, 1);
    assert_ok(mbd_set_state(m, b.data, b.q, b.v));
    assert_ok(mbd_coriolis_matrix(m, b.data, C.a));
    assert_ok(mbd_coriolis_transpose_product(m, b.data, y.a));
    assert_ok(mbd_bias(m, b.data, bias.a));
    assert_ok(mbd_gravity(m, b.data, g.a));
    mat_t sum = SUM(PROD(C, v), g);
    for (int p = 0; p < m->flexible->npart; p++) {
      const mbd_flexible_part_t * part = &m->flexible->part[p];
      const int n = part->body->nmode;
      for (int k = 0; k < n * n; k++) {
        sum.a[part->v_index + k / n] += part->body->damping[k] * b.v[part->v_index + k % n];
      }
    }
    assert_difference(sum.a, bias.a, nv, 1e-11, "C v");
    assert_difference(y.a, PROD(tr(C), v).a, nv, 1e-11, "C^T v");
    mat_t rate = sub(mass_at(&b, moved(&b, b.v, h)), mass_at(&b, moved(&b, b.v, -h)));
    assert_difference(SUM(C, tr(C)).a, scale(0.5 / h, rate).a, nv * nv, 1e-7, "dM/dt");
    const int j = nv - 1;
    mat_t dM = mat(nv, nv), work = mat(1, (int)mbd_derivatives_work(m));
    assert_ok(mbd_set_state(m, b.data, b.q, b.v));
    assert_ok(mbd_mass_matrix_derivative(m, b.data, j, work.a, dM.a));
    rate = sub(mass_at(&b, moved(&b, unit(nv, j).a, h)), mass_at(&b, moved(&b, unit(nv, j).a, -h)));
    assert_difference(dM.a, scale(0.5 / h, rate).a, nv * nv, 1e-7, "dM/dq");
  }
}

// p = M v, dp/dt along the motion, energies; the centre of mass and its momentum
static void
momentum_and_energy_follow_the_motion(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    const double h = 1e-5;
    mat_t qdd = mat(nv, 1), pdot = mat(nv, 1), p[2] = {mat(nv, 1), mat(nv, 1)};
    double T[2], U[2];
    mbd_vec3_t com[2];
    mbd_energy_rates_t rates;
    assert_ok(mbd_set_terms(b.data, seed % 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0));
    assert_ok(mbd_forward_dynamics(m, b.data, b.q, b.v, b.tau, &t->f_ext, qdd.a));
    // short against the accelerations
    double size = 1;
    for (int k = 0; k < nv; k++) size = fmax(size, fabs(qdd.a[k]));
    const double dt = h / size;
    assert_ok(mbd_momentum_rate(m, b.data, b.tau, &t->f_ext, pdot.a));
    assert_ok(mbd_energy_rates(m, b.data, b.tau, &t->f_ext, &rates));
    mat_t J = mat(3, nv), A = mat(6, nv);
    assert_ok(mbd_com_jacobian(m, b.data, J.a));
    assert_ok(mbd_centroidal_matrix(m, b.data, A.a));
    mbd_force_t L;
    assert_ok(mbd_centroidal_momentum(m, b.data, &L));
    const double l[6] = {L.ang.x, L.ang.y, L.ang.z, L.lin.x, L.lin.y, L.lin.z};
    assert_close(l, PROD(A, column(nv, b.v)).a, 6, 1e-10, "A v, seed %d", (int)seed);
    for (int side = 0; side < 2; side++) {
      const double s = side ? dt : -dt;
      mat_t v = SUM(column(nv, b.v), scale(s, qdd));
      assert_ok(mbd_set_state(m, b.data, moved(&b, b.v, s).a, v.a));
      assert_ok(mbd_momentum(m, b.data, p[side].a));
      assert_ok(mbd_kinetic_energy(m, b.data, &T[side]));
      assert_ok(mbd_potential_energy(m, b.data, &U[side]));
      assert_ok(mbd_center_of_mass(m, b.data, NULL, &com[side]));
    }
    const double top = 1e-4 * size;
    mat_t dp = scale(0.5 / dt, sub(p[1], p[0]));
    assert_close(scale(1 / top, pdot).a, scale(1 / top, dp).a, nv, 1e-2, "dp, %d", (int)seed);
    const double dT = 0.5 * (T[1] - T[0]) / dt, dU = 0.5 * (U[1] - U[0]) / dt;
    assert_true(fabs(dT - rates.kinetic) < 1e-5 * (size + fabs(dT)));
    assert_true(fabs(dU - rates.potential) < 1e-5 * (size + fabs(dU)));
    const mbd_vec3_t d = mbdu_vec3_scale(0.5 / dt, mbdu_vec3_sub(com[1], com[0]));
    const double rate[3] = {d.x, d.y, d.z};
    mat_t expected = PROD(J, column(nv, b.v));
    for (int k = 0; k < 3; k++) assert_true(fabs(rate[k] - expected.a[k]) < 1e-5 * size);
  }
}

//---------- derivatives ----------

static mat_t
dynamics_at(
  const flexible_robot_t * b, bool forward, mat_t q, const double * v, const double * u,
  const mbd_wrenches_t * f)
{
  mat_t y = mat(b->flexible->nv, 1);
  if (forward) {
    assert_ok(mbd_forward_dynamics(b->flexible, b->data, q.a, v, u, f, y.a));
  } else {
    assert_ok(mbd_inverse_dynamics(b->flexible, b->data, q.a, v, u, f, y.a));
  }
  return y;
}

static void
derivatives_are_differences(void ** context)
{
  (void)context;
  int compared = 0;
  tree_options_t options = tree_options_default();
  options.max_bodies = 5;
  FOR_FLEXIBLE(SEEDS, &options)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv;
    const mbd_wrenches_t * f = &t->f_ext;
    mat_t work = mat(1, (int)mbd_derivatives_work(m)), qdd = mat(nv, 1), M = mat(nv, nv);
    mat_t d[2][2] = {{mat(nv, nv), mat(nv, nv)}, {mat(nv, nv), mat(nv, nv)}};
    assert_ok(mbd_set_terms(b.data, seed % 2 ? MBD_TERM_ROTORS | MBD_TERM_FRICTION : 0));
    assert_ok(mbd_inverse_dynamics_derivatives(
      m, b.data, b.q, b.v, b.qdd, f, work.a, d[0][0].a, d[0][1].a, M.a));
    assert_ok(mbd_forward_dynamics_derivatives(
      m, b.data, b.q, b.v, b.tau, f, work.a, qdd.a, d[1][0].a, d[1][1].a, M.a));
    for (int forward = 0; forward < 2; forward++) {
      const double * u = forward ? b.tau : b.qdd;
      for (int k = 0; k < nv; k++, compared++) {
        const double h = 1e-5;
        mat_t e = unit(nv, k), here = column(m->nq, b.q);
        mat_t ahead = dynamics_at(&b, forward, moved(&b, e.a, h), b.v, u, f);
        mat_t behind = dynamics_at(&b, forward, moved(&b, e.a, -h), b.v, u, f);
        mat_t dq = scale(0.5 / h, sub(ahead, behind));
        mat_t v_ahead = SUM(column(nv, b.v), scale(h, e));
        mat_t v_behind = sub(column(nv, b.v), scale(h, e));
        ahead = dynamics_at(&b, forward, here, v_ahead.a, u, f);
        behind = dynamics_at(&b, forward, here, v_behind.a, u, f);
        mat_t dv = scale(0.5 / h, sub(ahead, behind));
        assert_difference(block(d[forward][0], 0, k, nv, 1).a, dq.a, nv, 1e-5, "dq");
        assert_difference(block(d[forward][1], 0, k, nv, 1).a, dv.a, nv, 1e-5, "dv");
      }
    }
  }
  assert_count(compared, 4 * SEEDS + 1);
}

//---------- payload ----------

// M + J^T I J, and its weight; taken off, everything is as it was
static void
payloads_ride_on_nodes(void ** context)
{
  (void)context;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int nv = m->nv, f = m->nframe - 1;
    const mbd_inertia_t load = random_inertia(&state);
    mat_t J = jacobian(&b, b.q, f, MBD_LOCAL), I = mat(6, 6), M = mass_at(&b, column(m->nq, b.q));
    mat_t g = mat(nv, 1), with = mat(nv, 1), back = mat(nv, 1);
    const mbd_sym6_t full = mbdu_sym6_from_inertia(&load);
    mbdu_sym6_full(&full, I.a);
    assert_ok(mbd_gravity(m, b.data, g.a));
    assert_ok(mbd_payload_attach(m, b.data, f, &load));
    mat_t expected = SUM(M, PROD(tr(J), I, J)), loaded = mat(nv, nv);
    assert_ok(mbd_mass_matrix(m, b.data, loaded.a));
    assert_close(loaded.a, expected.a, nv * nv, 1e-10, "M, seed %d", (int)seed);
    assert_ok(mbd_gravity(m, b.data, with.a));
    mbd_placement_t X;
    assert_ok(mbd_frame_placement(m, b.data, f, &X));
    mat_t up = mat(6, 1);
    const mbd_vec3_t a = mbdu_mat3_tvec(&X.R, mbdu_vec3_neg(m->gravity));
    up.a[3] = a.x, up.a[4] = a.y, up.a[5] = a.z;
    mat_t more = PROD(tr(J), I, up);
    assert_close(with.a, SUM(g, more).a, nv, 1e-10, "weight, seed %d", (int)seed);
    assert_ok(mbd_payload_remove(m, b.data, f));
    assert_ok(mbd_gravity(m, b.data, back.a));
    assert_close(back.a, g.a, nv, 1e-14, "without, seed %d", (int)seed);
  }
}

//---------- deflection ----------

static double
potential_at(const flexible_robot_t * b, const double * q)
{
  double U;
  assert_ok(mbd_set_position(b->flexible, b->data, q));
  assert_ok(mbd_potential_energy(b->flexible, b->data, &U));
  return U;
}

// dU/dq_k at q
static double
slope_at(const flexible_robot_t * b, mat_t q, int k, double h)
{
  const mbd_model_t * m = b->flexible;
  mat_t to[2] = {mat(m->nq, 1), mat(m->nq, 1)};
  for (int side = 0; side < 2; side++) {
    assert_ok(mbd_integrate(m, q.a, unit(m->nv, k).a, side ? h : -h, to[side].a));
  }
  return (potential_at(b, to[1].a) - potential_at(b, to[0].a)) / (2 * h);
}

// the modes rest where the potential energy has its least, by differences of the energy alone; torques
// are its slope there
static void
links_deflect_to_the_least_energy(void ** context)
{
  (void)context;
  int found = 0;
  FOR_FLEXIBLE(SEEDS, NULL)
  {
    const mbd_model_t * m = b.flexible;
    const int modes = m->flexible->nmode, q0 = m->nq - modes, v0 = m->nv - modes;
    mat_t q = column(m->nq, b.q), g = mat(m->nv, 1);
    // light enough for the springs of these random modes
    assert_ok(mbd_set_gravity(b.data, mbdu_vec3(0.02, -0.01, -0.05)));
    memset(q.a + q0, 0, (size_t)modes * sizeof *q.a);
    const mbd_status_t status = mbd_flexible_static(m, b.data, q.a);
    if (status == MBD_ERROR_SINGULAR || status == MBD_ERROR_NO_SOLUTION) continue;
    assert_ok(status);
    assert_ok(mbd_gravity(m, b.data, g.a));
    for (int k = v0; k < m->nv; k++) assert_true(fabs(g.a[k]) < 1e-9);
    for (int k = 0; k < m->nv; k++) {
      assert_true(fabs(slope_at(&b, q, k, 1e-4) - g.a[k]) < 1e-6);
    }
    const double U = potential_at(&b, q.a);
    for (int k = 0; k < modes; k++, found++) {
      for (int side = -1; side <= 1; side += 2) {
        mat_t other = column(m->nq, q.a);
        other.a[q0 + k] += 0.01 * side;
        assert_true(potential_at(&b, other.a) > U);
      }
    }
  }
  assert_count(found, SEEDS + 1);
}

//---------- loops ----------

// two links on hinges, the first flexible, its end held by a distance to the second
static mbd_model_t *
make_loop(mbd_model_t ** rigid)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  int first, second, end;
  assert_ok(mbd_model_create("loop", rigid));
  spec.name = spec.joint_name = "first";
  spec.type = MBD_JOINT_REVOLUTE;
  spec.axis = mbdu_vec3(0, 1, 0);
  spec.inertia =
    mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
  assert_ok(mbd_model_add_body(*rigid, &spec, &first));
  spec.name = spec.joint_name = "second";
  spec.placement.p = mbdu_vec3(0.3, 0, 0.8);
  assert_ok(mbd_model_add_body(*rigid, &spec, &second));
  mbd_placement_t X = mbdu_placement_identity();
  X.p.x = 1;
  assert_ok(mbd_model_add_frame(*rigid, "end", first, &X, &end));
  mbd_closure_spec_t closure = mbd_closure_spec_default();
  closure.name = "rod";
  closure.type = MBD_CLOSURE_DISTANCE;
  closure.frame_a = second, closure.frame_b = end;
  closure.X_a.p = mbdu_vec3(0.6, 0, 0.1);
  closure.distance = 0.7;
  assert_ok(mbd_model_add_closure(*rigid, &closure, NULL));
  assert_ok(mbd_model_finalize(*rigid));
  mbd_beam_spec_t beam = mbd_beam_spec_default();
  beam.bending_z = 20, beam.bending_y = 20;
  beam.modes_z = 2, beam.modes_y = 1;
  mbd_modal_body_t * modes;
  assert_ok(mbd_beam_create(&beam, &modes));
  const mbd_flexible_link_t link = {first, modes, 0, NULL};
  mbd_model_t * model;
  assert_ok(mbd_model_with_flexible_links(*rigid, 1, &link, &model, NULL));
  mbd_modal_body_destroy(modes);
  return model;
}

// row of the closure, by differences of its error
static mat_t
row_at(const mbd_model_t * m, mbd_data_t * data, mat_t q)
{
  const double h = 1e-5;
  mat_t G = mat(1, m->nv);
  for (int k = 0; k < m->nv; k++) {
    double d[2];
    for (int side = 0; side < 2; side++) {
      mat_t to = SUM(q, scale(side ? h : -h, unit(m->nv, k)));
      assert_ok(mbd_set_position(m, data, to.a));
      assert_ok(mbd_closure_error(m, data, 0, &d[side]));
    }
    G.a[k] = (d[1] - d[0]) / (2 * h);
  }
  return G;
}

// [M -G^T; G 0] [qdd; lambda] = [tau - h; -G' v], G and G' by differences
static void
loop_is_the_dense_solution(void ** context)
{
  (void)context;
  mbd_model_t *rigid, *m = make_loop(&rigid);
  mbd_data_t * data;
  assert_ok(mbd_data_create(m, &data));
  const int nv = m->nv;
  assert_int_equal(nv, 5);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    uint64_t state = seed;
    mat_t q = mat(nv, 1), v = mat(nv, 1), tau = mat(nv, 1), h = mat(nv, 1), M = mat(nv, nv);
    for (int k = 0; k < nv; k++) {
      q.a[k] = (k < 2 ? 1 : 0.05) * random_signed(&state), v.a[k] = random_signed(&state);
      tau.a[k] = random_signed(&state);
    }
    const double step = 1e-4;
    mat_t G = row_at(m, data, q);
    mat_t dG =
      sub(row_at(m, data, SUM(q, scale(step, v))), row_at(m, data, sub(q, scale(step, v))));
    assert_ok(mbd_set_state(m, data, q.a, NULL));
    assert_ok(mbd_mass_matrix(m, data, M.a));
    assert_ok(mbd_inverse_dynamics(m, data, q.a, v.a, NULL, NULL, h.a));
    // the rod ends at the end of the link as it is deflected
    mbd_placement_t X, Y;
    int second, end;
    double error;
    assert_ok(mbd_find_frame(m, "second", &second));
    assert_ok(mbd_find_frame(m, "end", &end));
    assert_ok(mbd_frame_placement(m, data, second, &X));
    assert_ok(mbd_frame_placement(m, data, end, &Y));
    const mbd_vec3_t from = mbdu_vec3_add(X.p, mbdu_mat3_vec(&X.R, mbdu_vec3(0.6, 0, 0.1)));
    const double distance = mbdu_vec3_norm(mbdu_vec3_sub(Y.p, from)) - 0.7;
    assert_ok(mbd_closure_error(m, data, 0, &error));
    assert_close(&error, &distance, 1, 1e-12, "rod, seed %d", (int)seed);
    mat_t row = mat(1, nv);
    assert_ok(mbd_closure_jacobian(m, data, row.a));
    assert_close(row.a, G.a, nv, 1e-7, "G, seed %d", (int)seed);
    mat_t K = mat(nv + 1, nv + 1), r = mat(nv + 1, 1);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < nv; j++) *at(K, i, j) = *at(M, i, j);
      *at(K, i, nv) = -G.a[i], *at(K, nv, i) = G.a[i];
      r.a[i] = tau.a[i] - h.a[i];
    }
    r.a[nv] = -0.5 / step * scalar(PROD(dG, v));
    mat_t expected = PROD(inverse(K), r), qdd = mat(nv, 1),
          work = mat(1, (int)mbd_constrained_work(m));
    double lambda;
    mbd_constrained_t info;
    assert_ok(mbd_constrained_forward_dynamics(
      m, data, q.a, v.a, tau.a, NULL, NULL, work.a, qdd.a, &lambda, &info));
    assert_close(qdd.a, expected.a, nv, 1e-5, "qdd, seed %d", (int)seed);
    assert_close(&lambda, expected.a + nv, 1, 1e-5, "lambda, seed %d", (int)seed);
    mats_free();
  }
  mbd_data_destroy(data);
  mbd_model_destroy(m);
  mbd_model_destroy(rigid);
}

// loops are closed by joints, links deflected as they are, unless the caller holds other ones; rank and
// nearest velocity are those of G
static void
loop_is_assembled(void ** context)
{
  (void)context;
  mbd_model_t *rigid, *m = make_loop(&rigid);
  mbd_data_t * data;
  assert_ok(mbd_data_create(m, &data));
  const int nv = m->nv;
  const bool joints[5] = {true, true, false, false, false};
  int compared = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    uint64_t state = seed;
    mat_t q = mat(nv, 1), v = mat(nv, 1), found = mat(nv, 1), v_out = mat(nv, 1);
    mat_t work = mat(1, (int)mbd_assembly_work(m));
    for (int k = 0; k < nv; k++) {
      q.a[k] = (k < 2 ? 0.5 : 0.05) * random_signed(&state), v.a[k] = random_signed(&state);
    }
    mbd_assembly_options_t options = mbd_assembly_options_default();
    mbd_assembly_t result;
    double error;
    const bool bends = seed % 2;
    if (bends) options.held = joints;
    mbd_status_t status = mbd_assemble(m, data, &options, q.a, work.a, found.a, &result);
    if (status == MBD_ERROR_NOT_ASSEMBLED) continue;
    assert_ok(status);
    for (int k = 0; k < nv; k++) assert_true((k < 2) != bends || found.a[k] == q.a[k]);
    assert_int_equal(result.mobility, bends ? 2 : 1);
    assert_ok(mbd_set_position(m, data, found.a));
    assert_ok(mbd_closure_error(m, data, 0, &error));
    assert_true(fabs(error) < 1e-9);
    compared++;
    // G v = 0 nearby
    mat_t G = row_at(m, data, found);
    int rank;
    bool independent;
    assert_ok(mbd_set_position(m, data, found.a));
    assert_ok(mbd_closure_rank(m, data, NULL, work.a, &independent, &rank));
    assert_int_equal(rank, 1);
    assert_true(independent);
    assert_ok(mbd_project_velocity(m, data, NULL, v.a, work.a, v_out.a, &result));
    const double off = scalar(PROD(G, v)) / scalar(PROD(G, tr(G)));
    assert_close(v_out.a, sub(v, scale(off, tr(G))).a, nv, 1e-6, "v, seed %d", (int)seed);
    mats_free();
  }
  assert_true(compared > 20);
  mbd_data_destroy(data);
  mbd_model_destroy(m);
  mbd_model_destroy(rigid);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(jacobians_and_their_rates),
    cmocka_unit_test(compliance_and_factors),
    cmocka_unit_test(coriolis_matrix_is_half_the_rate),
    cmocka_unit_test(momentum_and_energy_follow_the_motion),
    cmocka_unit_test(derivatives_are_differences),
    cmocka_unit_test(payloads_ride_on_nodes),
    cmocka_unit_test(links_deflect_to_the_least_energy),
    cmocka_unit_test(loop_is_the_dense_solution),
    cmocka_unit_test(loop_is_assembled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
