// Operational space: compliance and inertia of frames.
#include <math.h>

#include "core_test.h"

static mat_t
compliance_of(const tree_t * t, int frame, mbd_reference_t reference)
{
  mat_t C = mat(6, 6);
  assert_ok(mbd_operational_space_compliance(t->model, t->data, frame, reference, C.a));
  return C;
}

static mat_t
inertia_of(const tree_t * t, int frame, mbd_reference_t reference, int * rank)
{
  mat_t L = mat(6, 6);
  assert_ok(mbd_operational_space_inertia(t->model, t->data, frame, reference, L.a, rank));
  return L;
}

// block diagonal of psi^T H^T D^-1 H psi = phi^T H^T M^-1 H phi        (10.12), (10.22)
static void
compliances_are_the_diagonal_of_omega(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    const mat_t Hphi = PROD(d.H, d.phi);
    const mat_t Omega = PROD(tr(Hphi), inverse(dense_mass(&d)), Hphi);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_ok(mbd_compliance(t->model, t->data));
    for (int k = 0; k < d.nbody; k++) {
      assert_mat_floor(
        sym6(&t->data->Y[k]), block(Omega, 6 * k, 6 * k, 6, 6), 1e-9, largest_entry(Omega),
        "body %d, seed %lu", k, seed);
    }
  }
}

// J M^-1 J^T of every frame in every reference                                    (10.18)
static void
compliance_is_that_of_jacobian_and_mass(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    for (uint32_t terms = 0; terms < 4; terms += 2) {
      assert_ok(mbd_set_terms(t->data, terms));
      assert_ok(mbd_set_position(t->model, t->data, t->q));
      mat_t M = mat(d.nv, d.nv);
      assert_ok(mbd_mass_matrix(t->model, t->data, M.a));
      const mat_t M_inv = inverse(M);
      for (int f = 0; f < t->model->nframe; f++) {
        for (int r = 0; r < 3; r++) {
          const mat_t J = dense_jacobian(&d, f, (mbd_reference_t)r);
          const mat_t C = compliance_of(t, f, (mbd_reference_t)r);
          assert_mat_floor(
            C, PROD(J, M_inv, tr(J)), 1e-9, 1, "frame %d, reference %d, terms %u, seed %lu", f, r,
            (unsigned)terms, seed);
          assert_mat(C, tr(C), 1e-15, "symmetric, frame %d, seed %lu", f, seed);
        }
      }
    }
  }
}

// Lambda is the inverse where there is one, else a generalised one with the rank of J
static void
inertia_inverts_the_compliance(void ** context)
{
  (void)context;
  int full = 0, deficient = 0;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    for (int f = 0; f < t->model->nframe; f++) {
      for (int r = 0; r < 3; r++) {
        const mbd_reference_t reference = (mbd_reference_t)r;
        int rank;
        const mat_t C = compliance_of(t, f, reference), L = inertia_of(t, f, reference, &rank);
        const mat_t J = dense_jacobian(&d, f, reference);
        const int expected = largest_entry(J) > 0 ? rank_of(J, 1e-7) : 0;
        if (rank != expected) fail_msg("rank %d, not %d, frame %d, %lu", rank, expected, f, seed);
        const double size = largest_entry(C) * largest_entry(L);
        assert_mat(L, tr(L), 1e-13, "symmetric, frame %d, seed %lu", f, seed);
        assert_mat_floor(PROD(C, L, C), C, 1e-9 * fmax(1, size), 1e-12, "C L C, %d, %lu", f, seed);
        assert_mat_floor(PROD(L, C, L), L, 1e-9 * fmax(1, size), 1e-12, "L C L, %d, %lu", f, seed);
        if (rank == 6) {
          full++;
          assert_mat(L, inverse(C), 1e-9 * fmax(1, size), "inverse, frame %d, seed %lu", f, seed);
        } else {
          deficient++;
        }
      }
    }
  }
  assert_count(full, 100);
  assert_count(deficient, 100);
}

// Lambda turns with the axes, whatever its rank
static void
inertia_turns_with_the_axes(void ** context)
{
  (void)context;
  FOR_TREES(TREES, NULL)
  {
    const dense_t d = dense_of(t);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    for (int f = 0; f < t->model->nframe; f++) {
      const mat_t local = inertia_of(t, f, MBD_LOCAL, NULL);
      const mat_t aligned = inertia_of(t, f, MBD_LOCAL_WORLD_ALIGNED, NULL);
      mat_t turn = dense_frame(&d, f);
      for (int i = 0; i < 3; i++) *at(turn, i, 3) = 0;
      const double size = fmax(1, largest_entry(compliance_of(t, f, MBD_LOCAL)));
      assert_mat_floor(
        aligned, PROD(phi6(turn), local, tr(phi6(turn))), 1e-8 * size, 1e-6, "frame %d, %lu", f,
        seed);
    }
  }
}

// Lambda alpha + C_os = f with forward dynamics under the wrench        (10.7), (10.42)
static void
wrench_accelerates_by_the_compliance(void ** context)
{
  (void)context;
  tally_t cases = {0};
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    const int f = random_below(&state, t->model->nframe);
    const mbd_reference_t reference = (mbd_reference_t)random_below(&state, 3);
    mbd_wrench_t w = {f, reference, random_force(&state)};
    const mbd_wrenches_t list = {1, &w};
    mbd_motion_t A[2];
    mat_t qdd = mat(t->model->nv, 1);
    for (int k = 0; k < 2; k++) {
      assert_ok(
        mbd_forward_dynamics(t->model, t->data, t->q, t->v, t->tau, k ? &list : NULL, qdd.a));
      assert_ok(mbd_frame_acceleration(t->model, t->data, f, reference, &A[k]));
    }
    const mat_t C = compliance_of(t, f, reference);
    const mat_t gain = sub(motion6(A[1]), motion6(A[0]));
    const double size = fmax(1, largest_entry(motion6(A[0])));
    assert_mat_floor(PROD(C, force6(w.f)), gain, 1e-9, size, "compliance, %d, %lu", f, seed);
    int rank;
    const mat_t L = inertia_of(t, f, reference, &rank);
    if (!tally(&cases, rank == 6)) continue;
    const mat_t C_os = scale(-1, PROD(L, motion6(A[0])));
    const double heavy = fmax(1, largest_entry(L) * size);
    assert_mat_floor(
      SUM(PROD(L, motion6(A[1])), C_os), force6(w.f), 1e-8, heavy, "inertia, %d, %lu", f, seed);
  }
  assert_enough(&cases, 0.2);
}

// a free base has the compliance P^-1; ranks grow by the joints on the way  remarks 10.1, 10.2
static void
compliance_of_bases_and_its_rank(void ** context)
{
  (void)context;
  tally_t bases = {0};
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    assert_ok(mbd_set_position(m, t->data, t->q));
    assert_ok(mbd_compliance(m, t->data));
    for (int k = 0; k < m->nbody; k++) {
      const mat_t Y = sym6(&t->data->Y[k]);
      int dofs = 0;
      for (int j = k; j >= 0; j = m->body[j].parent) dofs += m->body[j].nv;
      assert_true(rank_of(Y, 1e-7) <= dofs);
      assert_true(smallest_eigenvalue(Y) > -1e-12 * largest_entry(Y));
      if (!tally(&bases, m->body[k].parent < 0 && m->body[k].type == MBD_JOINT_FREE)) continue;
      assert_mat(Y, inverse(sym6(&t->data->P[k])), 1e-10, "base %d, seed %lu", k, seed);
    }
  }
  assert_enough(&bases, 0.1);
}

//---------- known ranks ----------

// joints of a small robot: type, axis and place of each on the last, and the tip's place
typedef struct arm {
  const char * name;
  int n, rank;
  mbd_joint_type_t type[6];
  mbd_vec3_t axis[6], place[6], tip;
} arm_t;

// tip of an arm that stands askew
static mbd_model_t *
build_arm(const arm_t * arm, uint64_t * state, int * tip)
{
  mbd_model_t * model;
  mbd_placement_t X = {random_rotation(state), arm->tip};
  int parent = MBD_WORLD_BODY;
  assert_ok(mbd_model_create(arm->name, &model));
  for (int k = 0; k < arm->n; k++) {
    char name[2] = {(char)('a' + k), 0};
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = spec.joint_name = name;
    spec.parent = parent;
    spec.type = arm->type[k];
    spec.axis = arm->axis[k];
    spec.placement.p = arm->place[k];
    if (k == 0) spec.placement = random_placement(state);
    spec.inertia = random_inertia(state);
    assert_ok(mbd_model_add_body(model, &spec, &parent));
  }
  assert_ok(mbd_model_add_frame(model, "tip", parent, &X, tip));
  assert_ok(mbd_model_finalize(model));
  return model;
}

// what a frame can do is known from the joints, not from rounding
static void
ranks_of_known_arms(void ** context)
{
  (void)context;
  const mbd_joint_type_t R = MBD_JOINT_REVOLUTE, P = MBD_JOINT_PRISMATIC;
  const mbd_vec3_t x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, o = {0, 0, 0};
  const mbd_vec3_t out = {0.3, 0.1, 0}, up = {0, 0, 0.4}, far = {0.3, 0.7, 0.2};
  const arm_t arms[] = {
    {"hinge, on the axis", 1, 1, {R}, {z}, {o}, up},
    {"hinge, off the axis", 1, 1, {R}, {z}, {o}, far},
    {"planar arm", 3, 3, {R, R, R}, {z, z, z}, {o, out, out}, out},
    {"long planar arm",
     6,
     3,
     {R, R, R, R, R, R},
     {z, z, z, z, z, z},
     {o, out, out, out, out, out},
     far},
    {"wrist, at its centre", 3, 3, {R, R, R}, {z, x, y}, {o, o, o}, o},
    {"wrist, off its centre", 3, 3, {R, R, R}, {z, x, y}, {o, o, o}, far},
    {"offset on the axis", 2, 2, {R, R}, {z, x}, {o, up}, o},
    {"table", 2, 2, {P, P}, {x, y}, {o, far}, far},
    {"scara", 4, 4, {R, R, R, P}, {z, z, z, z}, {o, out, out, out}, up},
    {"gantry", 4, 4, {P, P, P, R}, {x, y, z, z}, {o, o, o, o}, up},
    {"arm", 6, 6, {R, R, R, R, R, R}, {z, y, y, x, y, x}, {o, up, up, out, out, out}, out},
  };
  uint64_t state = 21;
  for (size_t k = 0; k < sizeof arms / sizeof arms[0]; k++) {
    for (int turn = 0; turn < 50; turn++) {
      int tip;
      mbd_model_t * model = build_arm(&arms[k], &state, &tip);
      mbd_data_t * data;
      double q[6], L[36];
      for (int i = 0; i < arms[k].n; i++) q[i] = random_between(&state, 0.3, 1.2);
      assert_ok(mbd_data_create(model, &data));
      assert_ok(mbd_set_position(model, data, q));
      for (int r = 0; r < 3; r++) {
        int rank;
        assert_ok(mbd_operational_space_inertia(model, data, tip, (mbd_reference_t)r, L, &rank));
        if (rank != arms[k].rank) {
          fail_msg("%s: rank %d, not %d, reference %d", arms[k].name, rank, arms[k].rank, r);
        }
        // nothing heavier than the robot and its arms
        assert_true(largest_entry(mat_from(6, 6, L)) < 1e4);
      }
      mbd_data_destroy(data);
      mbd_model_destroy(model);
      mats_free();
    }
  }
}

//---------- behaviour ----------

static void
frames_of_the_world_give_nothing(void ** context)
{
  (void)context;
  int found = 0;
  FOR_TREES(TREES, NULL)
  {
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    for (int f = 0; f < t->model->nframe; f++) {
      if (t->model->frame[f].body != MBD_WORLD_BODY) continue;
      found++;
      int rank = 7;
      assert_mat(compliance_of(t, f, MBD_LOCAL), mat(6, 6), 0, "C, seed %lu", seed);
      assert_mat(inertia_of(t, f, MBD_WORLD, &rank), mat(6, 6), 0, "L, seed %lu", seed);
      assert_int_equal(rank, 0);
    }
  }
  assert_count(found, TREES);
}

static void
stages_and_arguments(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  double C[36];
  assert_status(mbd_compliance(m, d), MBD_ERROR_STAGE);
  assert_status(mbd_operational_space_compliance(m, d, 0, MBD_LOCAL, C), MBD_ERROR_STAGE);
  assert_status(mbd_operational_space_inertia(m, d, 0, MBD_LOCAL, C, NULL), MBD_ERROR_STAGE);
  assert_ok(mbd_set_position(m, d, t->q));
  assert_ok(mbd_operational_space_inertia(m, d, 0, MBD_LOCAL, C, NULL));
  const mbd_reference_t none = (mbd_reference_t)5;
  assert_status(mbd_operational_space_compliance(m, d, 0, none, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_operational_space_compliance(m, d, m->nframe, MBD_LOCAL, C), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_operational_space_inertia(m, d, -1, MBD_LOCAL, C, NULL), MBD_ERROR_BAD_ARGUMENT);
  assert_status(
    mbd_operational_space_compliance(m, d, 0, MBD_LOCAL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_operational_space_inertia(m, d, 0, MBD_LOCAL, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_compliance(other->model, d), MBD_ERROR_MODEL_MISMATCH);
  tree_free(other);
  tree_free(t);
}

// a new position, new terms: new compliances
static void
compliances_follow_the_state(void ** context)
{
  (void)context;
  FOR_TREES(50, NULL)
  {
    const int f = t->model->nframe - 1;
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    const mat_t first = compliance_of(t, f, MBD_LOCAL);
    assert_ok(mbd_set_terms(t->data, MBD_TERM_ROTORS));
    compliance_of(t, f, MBD_LOCAL);
    mat_t v = mat(t->model->nv, 1), q = mat(t->model->nq, 1);
    for (int i = 0; i < t->model->nv; i++) v.a[i] = 0.4;
    dense_step_all(t->model, t->q, v.a, 1, q.a);
    assert_ok(mbd_set_position(t->model, t->data, q.a));
    compliance_of(t, f, MBD_LOCAL);
    assert_ok(mbd_set_position(t->model, t->data, t->q));
    assert_ok(mbd_set_terms(t->data, 0));
    assert_mat(compliance_of(t, f, MBD_LOCAL), first, 0, "seed %lu", seed);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(compliances_are_the_diagonal_of_omega),
    cmocka_unit_test(compliance_is_that_of_jacobian_and_mass),
    cmocka_unit_test(inertia_inverts_the_compliance),
    cmocka_unit_test(inertia_turns_with_the_axes),
    cmocka_unit_test(wrench_accelerates_by_the_compliance),
    cmocka_unit_test(compliance_of_bases_and_its_rank),
    cmocka_unit_test(ranks_of_known_arms),
    cmocka_unit_test(frames_of_the_world_give_nothing),
    cmocka_unit_test(stages_and_arguments),
    cmocka_unit_test(compliances_follow_the_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
