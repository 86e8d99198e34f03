// What a floating robot keeps while its joints move, and motion that its base does not feel.
#include "mbdyn/operators/free_flyer.h"
#include "mbdyn/operators/reroot.h"
#include "null_space.h"
#include "simulate.h"

#include "by_hand.h"

static tree_options_t
floating(int min_bodies)
{
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  options.min_bodies = min_bodies;
  options.max_bodies = 14;
  return options;
}

// a base that a free joint carries, and what it carries
typedef struct flyer {
  int body, base;  // body, its first degree of freedom
  int first, end;  // degrees of freedom of what it carries
} flyer_t;

static flyer_t
flyer_of(const mbd_model_t * m)
{
  flyer_t f = {0};
  while (m->body[f.body].parent >= 0 || m->body[f.body].type != MBD_JOINT_FREE) f.body++;
  f.base = m->body[f.body].v_index;
  f.first = f.end = f.base + 6;
  for (int k = 0; k < m->nv; k++) {
    if (dense_is_ancestor(m, f.body, m->dof_body[k]) && k >= f.end) f.end = k + 1;
  }
  return f;
}

// rows of the oracle's mass matrix for the base, angular first, columns of what it carries
static mat_t
base_rows(mat_t M, flyer_t f)
{
  mat_t B = mat(6, M.c);
  for (int r = 0; r < 6; r++) {
    for (int k = f.first; k < f.end; k++) *at(B, r, k) = *at(M, f.base + (r + 3) % 6, k);
  }
  return B;
}

// the same for attitude: a base that gives way along lines takes M_wl M_ll^-1 off    (16.5)
static mat_t
attitude_rows(mat_t M, flyer_t f)
{
  const mat_t B = base_rows(M, f);
  const mat_t M_ll = block(M, f.base, f.base, 3, 3), M_wl = block(M, f.base + 3, f.base, 3, 3);
  return sub(block(B, 0, 0, 3, B.c), PROD(M_wl, inverse(M_ll), block(B, 3, 0, 3, B.c)));
}

static double *
work_for(const tree_t * t)
{
  return mat((int)mbd_zero_reaction_work(t->model), 1).a;
}

//---------- coupling and rates ----------

// B is what the mass matrix has between base and joints
static void
coupling_is_in_the_mass_matrix(void ** context)
{
  (void)context;
  const tree_options_t options = floating(1);
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const flyer_t f = flyer_of(m);
    const dense_t d = dense_of(t);
    const mat_t M = dense_mass(&d);
    mat_t B = mat(6, m->nv), C = mat(3, m->nv);
    set_state(t);
    assert_ok(mbd_coupling_inertia(m, t->data, f.body, MBD_HOLD_POSE, B.a));
    assert_ok(mbd_coupling_inertia(m, t->data, f.body, MBD_HOLD_ATTITUDE, C.a));
    assert_mat_floor(B, base_rows(M, f), 1e-12, largest_entry(M), "seed %lu", seed);
    assert_mat_floor(C, attitude_rows(M, f), 1e-11, largest_entry(M), "seed %lu", seed);
  }
}

// B v = 0; what was taken off the desired rates is normal to every motion without reaction; the rank is B's
static void
rates_have_no_momentum_at_the_base(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = floating(1);
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const flyer_t f = flyer_of(m);
    const dense_t d = dense_of(t);
    const mat_t M = dense_mass(&d);
    set_state(t);
    for (int hold = 0; hold < 2; hold++) {
      const mat_t B = hold ? attitude_rows(M, f) : base_rows(M, f);
      mat_t v = mat(m->nv, 1);
      int rank;
      assert_ok(mbd_zero_reaction_velocity(
        m, t->data, f.body, (mbd_hold_t)hold, t->v, work_for(t), v.a, &rank));
      const double size = largest_entry(M);
      assert_mat_floor(PROD(B, v), mat(B.r, 1), 1e-10, size, "B v, seed %lu", seed);
      assert_int_equal(rank, rank_of(B, 1e-6));
      mat_t taken = sub(column(m->nv, t->v), v);
      // base and other trees have no say
      for (int k = 0; k < m->nv; k++) {
        if (k < f.first || k >= f.end) {
          const bool gives_way = hold && k >= f.base && k < f.base + 3;
          if (!gives_way) assert_true(v.a[k] == t->v[k]);
          taken.a[k] = 0;
        }
      }
      // columns of the null space by elimination, restricted to what the base carries
      const mat_t N = null_space(block(B, 0, f.first, B.r, f.end - f.first), 1e-10);
      if (!tally(&cases, f.end > f.first && N.c > 0)) continue;
      const mat_t part = block(taken, f.first, 0, f.end - f.first, 1);
      assert_mat_floor(
        PROD(tr(N), part), mat(N.c, 1), 1e-9, fmax(1, largest_entry(N)), "nearest, seed %lu", seed);
    }
  }
  assert_enough(&cases, 0.1);
}

// with the attitude held, joints and base together have neither linear nor angular momentum
static void
base_takes_up_linear_momentum(void ** context)
{
  (void)context;
  const tree_options_t options = floating(3);
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const flyer_t f = flyer_of(m);
    const dense_t d = dense_of(t);
    mat_t desired = mat_from(m->nv, 1, t->v), v = mat(m->nv, 1);
    for (int k = 0; k < 6; k++) desired.a[f.base + k] = 0;
    set_state(t);
    assert_ok(mbd_zero_reaction_velocity(
      m, t->data, f.body, MBD_HOLD_ATTITUDE, desired.a, work_for(t), v.a, NULL));
    const mat_t p = PROD(dense_mass(&d), v);
    assert_mat_floor(
      block(p, f.base, 0, 6, 1), mat(6, 1), 1e-10, fmax(1, largest_entry(p)), "seed %lu", seed);
  }
}

//---------- accelerations ----------

// inverse dynamics by the oracle, gravity and all: no torque on the base
static void
accelerations_need_no_wrench_on_the_base(void ** context)
{
  (void)context;
  tally_t cases = {0};
  const tree_options_t options = floating(7);
  int could[2] = {0, 0}, could_not = 0;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const flyer_t f = flyer_of(m);
    const dense_t d = dense_of(t);
    const mat_t M = dense_mass(&d);
    set_state(t);
    for (int hold = 0; hold < 2; hold++) {
      mat_t qdd = mat(m->nv, 1);
      const mbd_status_t status = mbd_zero_reaction_acceleration(
        m, t->data, f.body, (mbd_hold_t)hold, t->qdd, work_for(t), qdd.a, NULL);
      const mat_t B = hold ? attitude_rows(M, f) : base_rows(M, f);
      if (status == MBD_ERROR_UNDERACTUATED) {
        assert_true(rank_of(B, 1e-7) < B.r);
        assert_true(largest_entry(qdd) == 0);
        could_not++;
        continue;
      }
      assert_ok(status);
      could[hold]++;
      const mat_t tau = dense_inverse_dynamics(&d, qdd, NULL);
      // joints far from the base that are ill-placed to help accelerate much
      const double size = fmax(1, largest_entry(qdd)) * largest_entry(M);
      assert_mat_floor(
        block(tau, f.base, 0, 6, 1), mat(6, 1), 1e-9, size, "wrench, seed %lu", seed);
      // the base does as desired, beside gravity
      const mat_t R = block(d.X_world[f.body], 0, 0, 3, 3);
      const double g[3] = {m->gravity.x, m->gravity.y, m->gravity.z};
      const mat_t fall = PROD(tr(R), column(3, g));
      for (int k = 0; k < 3; k++) {
        if (!hold) assert_near(qdd.a[f.base + k] - fall.a[k], t->qdd[f.base + k], 1e-12, "linear");
        assert_true(qdd.a[f.base + 3 + k] == t->qdd[f.base + 3 + k]);
      }
      // and nothing nearer does: corrections are in the rows of B
      const mat_t N = null_space(block(B, 0, f.first, B.r, f.end - f.first), 1e-10);
      if (!tally(&cases, N.c > 0)) continue;
      const mat_t taken = sub(qdd, column(m->nv, t->qdd));
      const mat_t part = block(taken, f.first, 0, f.end - f.first, 1);
      const double most = fmax(1, largest_entry(part)) * fmax(1, largest_entry(N));
      assert_mat_floor(PROD(tr(N), part), mat(N.c, 1), 1e-8, most, "nearest, seed %lu", seed);
    }
  }
  assert_count(could[0], TREES / 2);
  assert_count(could[1], TREES / 2);
  assert_count(could_not, 1);
  assert_enough(&cases, 0.2);
}

// at rest and without gravity, what can be done does not depend on how large the desired is
static void
accelerations_are_proportional_to_the_desired(void ** context)
{
  (void)context;
  const tree_options_t options = floating(4);
  tally_t cases = {0};
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    const flyer_t f = flyer_of(m);
    const mat_t still = mat(m->nv, 1);
    assert_ok(mbd_set_gravity(t->data, mbdu_vec3(0, 0, 0)));
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_set_velocity(m, t->data, still.a));
    for (int hold = 0; hold < 2; hold++) {
      const double sizes[] = {1, 1e6, 1e-6};
      mat_t qdd[3];
      mbd_status_t status[3];
      for (int k = 0; k < 3; k++) {
        const mat_t desired = scale(sizes[k], column(m->nv, t->qdd));
        qdd[k] = mat(m->nv, 1);
        status[k] = mbd_zero_reaction_acceleration(
          m, t->data, f.body, (mbd_hold_t)hold, desired.a, work_for(t), qdd[k].a, NULL);
        assert_int_equal(status[k], status[0]);
        if (k > 0) {
          assert_mat_floor(
            scale(1 / sizes[k], qdd[k]), qdd[0], 1e-9, 1, "%g, seed %lu", sizes[k], seed);
        }
      }
      tally(&cases, status[0] == MBD_OK);
    }
  }
  assert_enough(&cases, 0.3);
}

//---------- simulations ----------

enum { JOINTS = 8 };

// a craft with an arm of eight hinges, or with two of four
static mbd_model_t *
craft(int narm, mbd_vec3_t gravity)
{
  uint64_t state = 11;
  mbd_model_t * model;
  int parent, body;
  assert_ok(mbd_model_create("craft", &model));
  assert_ok(mbd_model_set_gravity(model, gravity));
  mbd_body_spec_t spec = hinge_by_hand("craft", MBD_WORLD_BODY, random_inertia(&state));
  spec.type = MBD_JOINT_FREE;
  spec.inertia.mass *= 5;
  spec.inertia.I.xx += 1, spec.inertia.I.yy += 2, spec.inertia.I.zz += 1.5;
  assert_ok(mbd_model_add_body(model, &spec, &body));
  for (int arm = 0; arm < narm; arm++) {
    parent = body;
    for (int k = 0; k < JOINTS / narm; k++) {
      const char name[3] = {(char)('a' + arm), (char)('a' + k), 0};
      spec = hinge_by_hand(name, parent, random_inertia(&state));
      spec.axis = random_axis(&state);
      spec.placement = random_placement(&state);
      assert_ok(mbd_model_add_body(model, &spec, &parent));
    }
  }
  assert_ok(mbd_model_finalize(model));
  return model;
}

// internal torques: hinges follow sines, and are damped; joints by name, so that any base will do
static void
follow_sines(const sim_t * sim, double t, const double * q, const double * v, double * tau)
{
  for (int i = 0; i < sim->model->nbody; i++) {
    const mbd_body_t * body = &sim->model->body[i];
    if (body->type != MBD_JOINT_REVOLUTE) continue;
    const double phase = body->joint_name[0] + 2 * body->joint_name[1];
    const double wanted = 0.8 * sin(0.7 * t + phase);
    tau[body->v_index] = (wanted - q[body->q_index]) - 0.4 * v[body->v_index];
  }
}

static void
begin(const mbd_model_t * m, double * q, double * v)
{
  uint64_t state = 3;
  assert_ok(mbd_neutral(m, q));
  const mbd_quat_t turn = random_quat(&state);
  q[3] = turn.x, q[4] = turn.y, q[5] = turn.z, q[6] = turn.w;
  for (int k = 7; k < m->nq; k++) q[k] = random_signed(&state);
  for (int k = 0; k < m->nv; k++) v[k] = 0.3 * random_signed(&state);
}

static mbd_momentum_integrals_t
integrals_at(const sim_t * sim, double t)
{
  mbd_momentum_integrals_t out;
  assert_ok(mbd_set_position(sim->model, sim->data, sim->q));
  assert_ok(mbd_set_velocity(sim->model, sim->data, sim->v));
  assert_ok(mbd_momentum_integrals(sim->model, sim->data, flyer_of(sim->model).body, t, &out));
  return out;
}

// `fallen`: what gravity has given and what is taken off again [kg m/s]; `way`: of the craft [m]
static void
assert_kept(mbd_momentum_integrals_t a, mbd_momentum_integrals_t b, double fallen, double distance)
{
  const double far = fmax(1, distance), high = fmax(1, fallen);
  assert_near(a.mass, b.mass, 1e-14, "mass");
  assert_close_floor(&a.linear.x, &b.linear.x, 3, 1e-10, high, "linear");
  assert_close_floor(&a.angular.x, &b.angular.x, 3, 1e-10, 1, "angular");
  assert_close_floor(&a.com.x, &b.com.x, 3, 1e-10, far, "com");
  assert_close_floor(&a.about_origin.x, &b.about_origin.x, 3, 1e-10, far * high, "about origin");
}

// 60 s under internal torques, seen from the craft and from the last link of an arm: linear and
// angular momentum are constant to 1e-10, and both end up in the same place             (16.4.1)
static void
momentum_stays(void ** context)
{
  (void)context;
  mbd_model_t * m = craft(2, mbdu_vec3(0, 0, 0));
  mbd_reroot_t * reroot;
  int link;
  assert_ok(mbd_find_frame(m, "bd", &link));
  assert_ok(mbd_reroot_create(m, link, &reroot));
  const mbd_model_t * w = reroot->model;
  mbd_data_t *data, *data_new;
  assert_ok(mbd_data_create(m, &data));
  assert_ok(mbd_data_create(w, &data_new));
  mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), q_new = mat(m->nq, 1), v_new = mat(m->nv, 1);
  begin(m, q.a, v.a);
  assert_ok(mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, q.a, v.a, NULL, q_new.a, v_new.a, NULL));
  sim_t sim = sim_begin(m, data, q.a, v.a), other = sim_begin(w, data_new, q_new.a, v_new.a);
  sim.motors = other.motors = follow_sines;
  const mbd_momentum_integrals_t start = integrals_at(&sim, 0);
  assert_kept(integrals_at(&other, 0), start, 0, 0);
  assert_true(mbdu_vec3_norm(start.linear) > 0.1 && mbdu_vec3_norm(start.angular) > 0.1);
  double moved = 0;
  for (int step = 1; step <= 60 * 1000; step++) {
    sim_step(&sim, 1e-3);
    sim_step(&other, 1e-3);
    if (step % 500 != 0) continue;
    const double distance = mbdu_vec3_norm(start.linear) / start.mass * sim.t;
    assert_kept(integrals_at(&sim, sim.t), start, 0, distance);
    assert_kept(integrals_at(&other, other.t), start, 0, distance);
    moved = fmax(moved, fabs(sim.q[10] - q.a[10]));
  }
  assert_true(moved > 0.5);
  assert_ok(
    mbd_reroot_motion(reroot, MBD_REROOT_TO_NEW, sim.q, sim.v, NULL, q_new.a, v_new.a, NULL));
  assert_close_(other.v, v_new.a, (size_t)m->nv, 1e-8, 1, __FILE__, __LINE__, "v after 60 s");
  const int base = w->body[reroot->base].q_index;
  assert_close_(other.q + base, q_new.a + base, 3, 1e-8, 1, __FILE__, __LINE__, "place");
  mbd_data_destroy(data);
  mbd_data_destroy(data_new);
  mbd_reroot_destroy(reroot);
  mbd_model_destroy(m);
  mats_free();
}

// falling: what gravity gives is taken off
static void
integrals_of_a_falling_robot(void ** context)
{
  (void)context;
  mbd_model_t * m = craft(2, mbdu_vec3(1, -2, -9.81));
  mbd_data_t * data;
  assert_ok(mbd_data_create(m, &data));
  mat_t q = mat(m->nq, 1), v = mat(m->nv, 1);
  begin(m, q.a, v.a);
  sim_t sim = sim_begin(m, data, q.a, v.a);
  sim.motors = follow_sines;
  const mbd_momentum_integrals_t start = integrals_at(&sim, 0);
  for (int step = 1; step <= 4000; step++) {
    sim_step(&sim, 5e-4);
    if (step % 100 == 0) assert_kept(integrals_at(&sim, sim.t), start, 1000, 20);
  }
  mbd_data_destroy(data);
  mbd_model_destroy(m);
  mats_free();
}

// an arm of eight hinges moves by its motors alone, and the craft stays where it is
static void
arm_moves_and_craft_does_not(void ** context)
{
  (void)context;
  mbd_model_t * m = craft(1, mbdu_vec3(0, 0, 0));
  mbd_data_t * data;
  assert_ok(mbd_data_create(m, &data));
  mat_t q = mat(m->nq, 1), v = mat(m->nv, 1), desired = mat(m->nv, 1), tau = mat(m->nv, 1);
  double * work = mat((int)mbd_zero_reaction_work(m), 1).a;
  begin(m, q.a, v.a);
  for (int k = 0; k < 6; k++) v.a[k] = 0;
  assert_ok(mbd_set_position(m, data, q.a));
  int rank;
  for (int k = 6; k < m->nv; k++) v.a[k] *= 3;
  assert_ok(mbd_zero_reaction_velocity(m, data, 0, MBD_HOLD_POSE, v.a, work, v.a, &rank));
  assert_int_equal(rank, 6);
  sim_t sim = sim_begin(m, data, q.a, v.a);
  double moved = 0;
  for (int step = 0; step < 1000; step++) {
    // torques that hold over a step are right at its middle but for its square
    assert_ok(mbd_set_position(m, data, sim.q));
    assert_ok(mbd_set_velocity(m, data, sim.v));
    assert_ok(
      mbd_zero_reaction_acceleration(m, data, 0, MBD_HOLD_POSE, desired.a, work, tau.a, NULL));
    assert_ok(mbd_inverse_dynamics(m, data, NULL, NULL, tau.a, NULL, tau.a));
    for (int k = 0; k < 6; k++) {
      assert_true(fabs(tau.a[k]) < 1e-9);
      tau.a[k] = 0;
    }
    sim.hidden = tau.a;
    sim_step(&sim, 1e-3);
    for (int k = 7; k < m->nq; k++) moved = fmax(moved, fabs(sim.q[k] - q.a[k]));
  }
  // the arm has turned, the craft has not but for the steps
  assert_true(moved > 0.3);
  assert_close_(sim.q, q.a, 3, 2e-5, 1, __FILE__, __LINE__, "place");
  double dot = 0;
  for (int k = 3; k < 7; k++) dot += sim.q[k] * q.a[k];
  assert_near(fabs(dot), 1, 1e-9, "attitude");
  mbd_data_destroy(data);
  mbd_model_destroy(m);
  mats_free();
}

//---------- interface ----------

static void
what_cannot_be_done_is_said(void ** context)
{
  (void)context;
  tree_options_t options = floating(4);
  options.forest = false;
  tree_t * t = random_tree(2, &options);
  const mbd_model_t * m = t->model;
  mbd_momentum_integrals_t out;
  mat_t B = mat(6, m->nv), v = mat(m->nv, 1);
  double * work = work_for(t);
  assert_status(mbd_coupling_inertia(m, t->data, 0, MBD_HOLD_POSE, B.a), MBD_ERROR_STAGE);
  set_state(t);
  assert_status(mbd_coupling_inertia(m, t->data, 1, MBD_HOLD_POSE, B.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_coupling_inertia(m, t->data, m->nbody, MBD_HOLD_POSE, B.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_coupling_inertia(m, t->data, 0, (mbd_hold_t)2, B.a), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_coupling_inertia(m, t->data, 0, MBD_HOLD_POSE, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_momentum_integrals(m, t->data, 0, (double)NAN, &out), MBD_ERROR_NOT_FINITE);
  assert_status(mbd_momentum_integrals(m, t->data, 0, 0, NULL), MBD_ERROR_NULL_ARGUMENT);
  t->v[m->nv - 1] = (double)NAN;
  assert_status(
    mbd_zero_reaction_velocity(m, t->data, 0, MBD_HOLD_POSE, t->v, work, v.a, NULL),
    MBD_ERROR_NOT_FINITE);
  assert_status(
    mbd_zero_reaction_acceleration(m, t->data, 0, MBD_HOLD_POSE, t->v, work, v.a, NULL),
    MBD_ERROR_NOT_FINITE);
  assert_int_equal(mbd_zero_reaction_work(NULL), 0);
  tree_free(t);
  mats_free();
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(coupling_is_in_the_mass_matrix),
    cmocka_unit_test(rates_have_no_momentum_at_the_base),
    cmocka_unit_test(base_takes_up_linear_momentum),
    cmocka_unit_test(accelerations_need_no_wrench_on_the_base),
    cmocka_unit_test(accelerations_are_proportional_to_the_desired),
    cmocka_unit_test(momentum_stays),
    cmocka_unit_test(integrals_of_a_falling_robot),
    cmocka_unit_test(arm_moves_and_craft_does_not),
    cmocka_unit_test(what_cannot_be_done_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
