// Manipulators on random mechanisms: velocities, determinants and conditions from differences of poses,
// dynamics from cut joints with multipliers; errors.
#include "mbdyn/manipulator.h"

#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/constrained.h"
#include "random_mechanism.h"

enum { MOST = 16 };

typedef struct robot {
  mechanism_t m;
  int nin, nout;
  mbd_measure_t input[MOST_MEASURES], output[MOST_MEASURES];
  mbd_manipulator_info_t info;
  mbd_manipulator_t * manipulator;
  void * memory;
  // by differences at q
  mat_t Phi, Psi, Gamma, Omega, Lambda;
} robot_t;

static void
robot_end(robot_t * r)
{
  free(r->memory);
  mechanism_free(&r->m);
}

// rods and measures of a seed; false: near to a singularity, where differences lose digits
static bool
robot_try(robot_t * r, const tree_t * t, uint64_t seed, int nrod, int less)
{
  *r = (robot_t){.m = random_mechanism(t, seed, nrod)};
  const int nv = t->model->nv;
  r->nin = nv - nrod, r->nout = r->nin - less;
  random_measures(&r->m, seed, r->nin, r->input);
  random_measures(&r->m, seed + 4711, r->nout, r->output);
  r->Phi = slopes(&r->m, nrod, NULL, t->q);
  r->Psi = slopes(&r->m, r->nin, r->input, t->q);
  r->Gamma = slopes(&r->m, r->nout, r->output, t->q);
  r->Omega = stack(r->Phi, r->Psi), r->Lambda = stack(r->Phi, r->Gamma);
  // not too near to a singularity, where differences lose digits
  const bool good = weakest(unit_rows(r->Omega)) > 1e-2 && weakest(unit_rows(r->Lambda)) > 1e-2 &&
                    largest_entry(r->Omega) < 20 && largest_entry(r->Lambda) < 20;
  if (!good) return false;
  mbd_manipulator_options_t options = mbd_manipulator_options_default();
  options.ignore_limits = true;
  const size_t size = mbd_manipulator_size(r->m.model, r->nin, r->nout);
  r->memory = malloc(size);
  assert_ok(mbd_manipulator_init(
    r->m.model, r->m.data, r->nin, r->input, r->nout, r->output, t->q, &options, r->memory, size,
    &r->info, &r->manipulator));
  return true;
}

// outputs: as many as inputs, or less
static bool
robot_begin(robot_t * r, const tree_t * t, uint64_t seed, int nrod, int less)
{
  for (uint64_t k = 0; nrod >= 0 && k < 20; k++) {
    if (robot_try(r, t, 20 * seed + k, nrod, less)) return true;
    robot_end(r);
  }
  return false;
}

// a number of rods that leaves one to four degrees of freedom; -1: none
static int
rods_for(const tree_t * t, uint64_t seed)
{
  const int nv = t->model->nv, low = nv > 4 ? nv - 4 : 0;
  const int high = nv - 1 < MOST_RODS ? nv - 1 : MOST_RODS;
  return low > high ? -1 : low + (int)(seed % (uint64_t)(high - low + 1));
}

static void
velocities_are_those_of_differences(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  int crossed = 0, ratios = 0;
  const tree_options_t options = mechanism_trees(7);
  FOR_TREES(TREES, &options)
  {
    robot_t r;
    const int nrod = rods_for(t, seed);
    if (!tally(&cases, robot_begin(&r, t, seed, nrod, 0))) continue;
    const int n = r.nin, nv = t->model->nv;
    assert_int_equal(r.info.freedom, n);
    assert_int_equal(r.info.nredundant, 0);
    assert_false(r.info.redundant);
    // columns of dq/dy and dq/dz
    const mat_t dy = block(inverse(r.Omega), 0, nrod, nv, n);
    const mat_t dz = block(inverse(r.Lambda), 0, nrod, nv, n);
    mat_t G = mat(n, n), H = mat(n, n), y = mat(n, 1), z = mat(n, 1);
    assert_ok(mbd_manipulator_velocity(r.manipulator, r.m.data, t->q, y.a, z.a, G.a, H.a));
    assert_mat(y, values_at(&r.m, n, r.input, t->q), 1e-14, "y, seed %d", (int)seed);
    assert_mat(z, values_at(&r.m, n, r.output, t->q), 1e-14, "z, seed %d", (int)seed);
    assert_mat_floor(G, PROD(r.Gamma, dy), 1e-6, 1, "G', seed %d", (int)seed);
    assert_mat_floor(H, PROD(r.Psi, dz), 1e-6, 1, "H', seed %d", (int)seed);
    // determinants: those of a choice of rows are known up to one factor
    mbd_singularity_t s;
    assert_ok(mbd_manipulator_monitor(r.manipulator, r.m.data, t->q, &s));
    const double ratio = determinant(r.Omega) / determinant(r.Lambda);
    const double found = s.input_determinant / s.output_determinant;
    assert_close(&found, &ratio, 1, 1e-5, "determinants, seed %d", (int)seed);
    if (nrod == 0) {
      const double own[2] = {s.input_determinant, s.output_determinant};
      const double by[2] = {determinant(r.Omega), determinant(r.Lambda)};
      assert_close(own, by, 2, 1e-5, "each, seed %d", (int)seed);
    }
    assert_int_equal(s.component, (s.input_sign > 0) + 2 * (s.output_sign > 0));
    assert_int_equal(s.input_sign, s.input_determinant > 0 ? 1 : -1);
    const double condition[2] = {weakest(unit_rows(r.Omega)), weakest(unit_rows(r.Lambda))};
    const double conditions[2] = {s.input_condition, s.output_condition};
    for (int k = 0; k < 2; k++) {
      // power iterations see the smallest from above and the largest from below
      if (!(conditions[k] > condition[k] * (1 - 1e-5) && conditions[k] < condition[k] * 1.25))
        fail_msg("condition %g for %g, seed %d", conditions[k], condition[k], (int)seed);
    }
    assert_int_equal(s.of_outputs, conditions[1] < conditions[0]);
    assert_int_equal((s.closure >= 0) + (s.input >= 0) + (s.output >= 0), 1);
    crossed += s.input_sign != s.output_sign, ratios++;
    robot_end(&r);
  }
  assert_enough(&cases, 0.3);
  assert_true(crossed > ratios / 5 && crossed < ratios - ratios / 5);
}

// M ydd + bias = F by accelerations of cut joints: torques Psi^T F
static void
dynamics_are_those_of_cut_joints(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t options = mechanism_trees(7);
  FOR_TREES(TREES, &options)
  {
    robot_t r;
    const int nrod = rods_for(t, seed);
    if (!tally(&cases, robot_begin(&r, t, seed + 1, nrod, 0))) continue;
    const int n = r.nin, nv = t->model->nv;
    uint64_t random = seed;
    double * work = calloc(mbd_constrained_work(r.m.model) + 1, sizeof *work);
    mat_t yd = mat(n, 1), F = mat(n, 1), M = mat(n, n), bias = mat(n, 1), qdd = mat(nv, 1);
    for (int i = 0; i < n; i++) yd.a[i] = random_signed(&random), F.a[i] = random_signed(&random);
    // exact rows: velocities must obey the closures
    mat_t Phi = mat(nrod, nv);
    assert_ok(mbd_set_position(r.m.model, r.m.data, t->q));
    assert_ok(mbd_closure_jacobian(r.m.model, r.m.data, Phi.a));
    for (int side = 0; side < 2; side++) {
      const mbd_measure_t * measure = side ? r.output : r.input;
      mat_t Y = mat(n, nv);
      for (int i = 0; i < n; i++)
        assert_ok(mbd_measure(r.m.model, r.m.data, &measure[i], NULL, Y.a + i * nv, NULL));
      const mat_t v = PROD(block(inverse(stack(Phi, Y)), 0, nrod, nv, n), yd);
      assert_ok((side ? mbd_manipulator_output_dynamics : mbd_manipulator_input_dynamics)(
        r.manipulator, r.m.data, t->q, v.a, M.a, bias.a));
      assert_mat(M, tr(M), 1e-9, "symmetry, seed %d", (int)seed);
      const mat_t tau = PROD(tr(Y), F);
      assert_ok(mbd_constrained_forward_dynamics(
        r.m.model, r.m.data, t->q, v.a, tau.a, NULL, NULL, work, qdd.a, NULL, NULL));
      mat_t ydd = PROD(Y, qdd);
      assert_ok(mbd_set_state(r.m.model, r.m.data, t->q, v.a));
      for (int i = 0; i < n; i++) {
        double b;
        assert_ok(mbd_measure(r.m.model, r.m.data, &measure[i], NULL, NULL, &b));
        ydd.a[i] += b;
      }
      const mat_t force = PROD(M, ydd);
      assert_mat_floor(
        SUM(force, bias), F, 1e-8, 1 + largest_entry(force), "side %d, seed %d", side, (int)seed);
    }
    free(work);
    robot_end(&r);
  }
  assert_enough(&cases, 0.3);
}

// to inputs and outputs a little away, and back
static void
solves_reach_what_is_wanted(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t options = mechanism_trees(7);
  int solved = 0, all = 0;
  FOR_TREES(TREES, &options)
  {
    robot_t r;
    const int nrod = rods_for(t, seed);
    const int less = seed % 3 == 0 && t->model->nv - nrod > 1;
    if (!tally(&cases, robot_begin(&r, t, seed + 2, nrod, less))) continue;
    const int nv = t->model->nv;
    uint64_t random = seed;
    assert_int_equal(r.info.redundant, less);
    for (int side = less; side < 2; side++) {
      const mbd_measure_t * measure = side ? r.output : r.input;
      const int n = side ? r.nout : r.nin;
      mat_t wanted = values_at(&r.m, n, measure, t->q), q = mat(nv, 1), other = mat(MOST, 1);
      // joints move by 0.05 to it
      const mat_t A = side ? r.Lambda : r.Omega;
      const mat_t D = block(PROD(tr(A), inverse(PROD(A, tr(A)))), 0, nrod, nv, n);
      mat_t step = mat(n, 1);
      for (int i = 0; i < n; i++) step.a[i] = random_signed(&random);
      wanted = SUM(wanted, scale(0.05 / largest_entry(PROD(D, step)), step));
      mbd_manipulator_result_t result;
      assert_ok((side ? mbd_manipulator_inverse : mbd_manipulator_forward)(
        r.manipulator, r.m.data, wanted.a, t->q, q.a, other.a, &result));
      all++;
      if (result.outcome > MBD_MANIPULATOR_OTHER) continue;
      solved += result.outcome == MBD_MANIPULATOR_SOLVED;
      mat_t found = values_at(&r.m, n, measure, q.a);
      for (int i = 0; i < n; i++) {
        if (measure[i].type == MBD_MEASURE_ANGLE)
          found.a[i] = wanted.a[i] + mbdu_angle_between(wanted.a[i], found.a[i]);
      }
      assert_mat_floor(found, wanted, 2e-10, 1, "values, seed %d", (int)seed);
      assert_true(nrod == 0 || largest_entry(rods_at(&r.m, q.a)) < 2e-10);
      assert_mat(
        block(other, 0, 0, side ? r.nin : r.nout, 1),
        values_at(&r.m, side ? r.nin : r.nout, side ? r.input : r.output, q.a), 1e-14,
        "the others, seed %d", (int)seed);
      assert_true(result.error <= 2e-10);
    }
    robot_end(&r);
  }
  assert_enough(&cases, 0.3);
  assert_count(all, 50);
  if (!(solved > 0.95 * all)) fail_msg("%d of %d solved", solved, all);
}

// H' of least norm: no self-motion in it
static void
redundant_velocities_have_least_norm(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t options = mechanism_trees(7);
  FOR_TREES(TREES, &options)
  {
    robot_t r;
    const int nrod = rods_for(t, seed);
    if (t->model->nv - nrod < 2) continue;
    if (!tally(&cases, robot_begin(&r, t, seed + 3, nrod, 1))) continue;
    const int nv = t->model->nv, n = r.nin, k = r.nout;
    const mat_t dy = block(inverse(r.Omega), 0, nrod, nv, n);
    mat_t H = mat(n, k), G = mat(k, n);
    assert_ok(mbd_manipulator_velocity(r.manipulator, r.m.data, t->q, NULL, NULL, G.a, H.a));
    assert_mat_floor(G, PROD(r.Gamma, dy), 1e-6, 1, "G', seed %d", (int)seed);
    assert_mat_floor(PROD(G, H), eye(k), 1e-6, 1, "G' H', seed %d", (int)seed);
    // of joint velocities: Lambda^T (Lambda Lambda^T)^-1
    const mat_t v = PROD(tr(r.Lambda), inverse(PROD(r.Lambda, tr(r.Lambda))));
    assert_mat_floor(H, PROD(r.Psi, block(v, 0, nrod, nv, k)), 1e-6, 1, "H', seed %d", (int)seed);
    robot_end(&r);
  }
  assert_enough(&cases, 0.3);
}

// all solutions: each is one, no two are the same, the seed's is among them
static void
solutions_are_different(void ** state)
{
  (void)state;
  const tree_options_t options = mechanism_trees(4);
  int cases = 0, several = 0;
  FOR_TREES(40, &options)
  {
    robot_t r;
    if (!robot_begin(&r, t, seed + 4, rods_for(t, seed), 0)) continue;
    for (int side = 0; side < 2; side++) {
      const mbd_measure_t * measure = side ? r.output : r.input;
      const int n = r.nin, nv = t->model->nv;
      const mat_t wanted = values_at(&r.m, n, measure, t->q);
      mat_t q = mat(MOST, nv);
      int found, own = 0;
      assert_ok(mbd_manipulator_solutions(
        r.manipulator, r.m.data, side == 0, wanted.a, t->q, MOST, q.a, &found));
      assert_true(found >= 1);
      for (int k = 0; k < found; k++) {
        const mat_t x = values_at(&r.m, n, measure, q.a + k * nv);
        for (int i = 0; i < n; i++) {
          const bool angle = measure[i].type == MBD_MEASURE_ANGLE;
          const double off = angle ? mbdu_angle_between(wanted.a[i], x.a[i]) : x.a[i] - wanted.a[i];
          assert_true(fabs(off) < 2e-10);
        }
        assert_true(r.m.nrod == 0 || largest_entry(rods_at(&r.m, q.a + k * nv)) < 2e-10);
        own += largest_entry(sub(column(nv, q.a + k * nv), column(nv, t->q))) < 1e-7;
        for (int l = 0; l < k; l++)
          assert_true(
            largest_entry(sub(column(nv, q.a + k * nv), column(nv, q.a + l * nv))) > 1e-6);
      }
      assert_int_equal(own, 1);
      cases++, several += found > 1;
    }
    robot_end(&r);
  }
  assert_count(cases, 60);
  assert_count(several, 20);
}

// a rod twice: its row is redundant and changes nothing
static void
redundant_rows_are_dropped(void ** state)
{
  (void)state;
  tally_t cases = {0, 0};
  const tree_options_t options = mechanism_trees(7);
  FOR_TREES(40, &options)
  {
    robot_t r;
    const int nrod = rods_for(t, seed);
    const bool use = nrod > 0 && nrod < MOST_RODS && robot_begin(&r, t, seed + 5, nrod, 0);
    if (!tally(&cases, use)) continue;
    mechanism_t twice = r.m;
    assert_ok(mbd_model_create("twice", &twice.model));
    for (int k = 0; k < t->nlink; k++) {
      int frame;
      assert_ok(mbd_model_add_body(twice.model, &t->link[k].spec, &frame));
    }
    static const char * const names[] = {"a", "b", "c", "d", "e"};
    for (int k = 0; k <= nrod; k++) {
      const rod_t * rod = &r.m.rod[k < nrod ? k : 0];
      mbd_closure_spec_t c = mbd_closure_spec_default();
      c.name = names[k], c.type = MBD_CLOSURE_DISTANCE, c.distance = rod->length;
      c.frame_a = rod->frame_a, c.frame_b = rod->frame_b, c.X_a = rod->X_a, c.X_b = rod->X_b;
      assert_ok(mbd_model_add_closure(twice.model, &c, NULL));
    }
    assert_ok(mbd_model_finalize(twice.model));
    mbd_data_t * data;
    assert_ok(mbd_data_create(twice.model, &data));
    const size_t size = mbd_manipulator_size(twice.model, r.nin, r.nout);
    void * memory = malloc(size);
    mbd_manipulator_info_t info;
    mbd_manipulator_t * m;
    mat_t G[2] = {mat(r.nin, r.nin), mat(r.nin, r.nin)};
    assert_ok(mbd_manipulator_init(
      twice.model, data, r.nin, r.input, r.nout, r.output, t->q, NULL, memory, size, &info, &m));
    assert_int_equal(info.nredundant, 1);
    assert_int_equal(info.freedom, r.nin);
    assert_ok(mbd_manipulator_velocity(m, data, t->q, NULL, NULL, G[0].a, NULL));
    assert_ok(mbd_manipulator_velocity(r.manipulator, r.m.data, t->q, NULL, NULL, G[1].a, NULL));
    assert_mat_floor(G[0], G[1], 1e-9, 1, "G', seed %d", (int)seed);
    free(memory);
    mbd_data_destroy(data);
    mbd_model_destroy(twice.model);
    robot_end(&r);
  }
  assert_enough(&cases, 0.3);
}

//---------- a planar arm of two links, 1 m each ----------

typedef struct arm {
  mbd_model_t * model;
  mbd_data_t * data;
  int tip;
  mbd_measure_t input[2], output[2];
  size_t size;
  void * memory;
} arm_t;

static arm_t
arm_begin(void)
{
  arm_t a = {0};
  mbd_body_spec_t link = mbd_body_spec_default();
  assert_ok(mbd_model_create("arm", &a.model));
  link.type = MBD_JOINT_CONTINUOUS;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  link.name = "upper", link.joint_name = "shoulder";
  assert_ok(mbd_model_add_body(a.model, &link, &link.parent));
  link.name = "lower", link.joint_name = "elbow", link.placement.p.x = 1;
  assert_ok(mbd_model_add_body(a.model, &link, &link.parent));
  assert_ok(mbd_model_add_frame(a.model, "tip", link.parent, &link.placement, &a.tip));
  assert_ok(mbd_model_finalize(a.model));
  assert_ok(mbd_data_create(a.model, &a.data));
  assert_ok(mbd_measure_joint(a.model, "shoulder", &a.input[0]));
  assert_ok(mbd_measure_joint(a.model, "elbow", &a.input[1]));
  for (int k = 0; k < 2; k++) {
    a.output[k] = mbd_measure_default();
    a.output[k].type = k ? MBD_MEASURE_Y : MBD_MEASURE_X, a.output[k].frame_b = a.tip;
  }
  a.size = mbd_manipulator_size(a.model, 2, 2);
  a.memory = malloc(a.size);
  return a;
}

static void
arm_end(arm_t * a)
{
  free(a->memory);
  mbd_data_destroy(a->data);
  mbd_model_destroy(a->model);
}

static void
bad_arguments_of_init(void ** state)
{
  (void)state;
  arm_t a = arm_begin();
  const double q[2] = {0.3, 0.8}, wrong[2] = {0.3, (double)NAN};
  mbd_manipulator_options_t o = mbd_manipulator_options_default();
  mbd_manipulator_info_t info = {0};
  mbd_manipulator_t * m = NULL;
#define INIT(model, data, nin, in, nout, out, q, memory, size) \
  mbd_manipulator_init(model, data, nin, in, nout, out, q, &o, memory, size, &info, &m)
  const mbd_measure_t *in = a.input, *out = a.output;
  assert_status(INIT(NULL, a.data, 2, in, 2, out, q, a.memory, a.size), MBD_ERROR_NULL_ARGUMENT);
  assert_status(INIT(a.model, NULL, 2, in, 2, out, q, a.memory, a.size), MBD_ERROR_NULL_ARGUMENT);
  assert_status(INIT(a.model, a.data, 2, in, 2, out, q, a.memory, a.size - 1), MBD_ERROR_TOO_SMALL);
  assert_status(INIT(a.model, a.data, 0, in, 2, out, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  assert_status(INIT(a.model, a.data, 2, in, -1, out, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  // too few inputs: how many there should be is told
  assert_status(INIT(a.model, a.data, 1, in, 1, out, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  assert_int_equal(info.freedom, 2);
  assert_status(
    INIT(a.model, a.data, 2, in, 2, out, wrong, a.memory, a.size), MBD_ERROR_NOT_FINITE);
  mbd_measure_t bad[2] = {a.output[0], a.output[1]};
  bad[1].frame_b = a.model->nframe;
  assert_status(INIT(a.model, a.data, 2, in, 2, bad, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  const double numbers[][3] = {
    {0, 0.1, 0},
    {-1, 0.1, 0},
    {(double)NAN, 0.1, 0},
    {1e-10, 0, 0},
    {1e-10, (double)NAN, 0},
    {1e-10, HUGE_VAL, 0},
    {1e-10, 0.1, (double)NAN}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    o = mbd_manipulator_options_default();
    o.tolerance = numbers[k][0], o.step = numbers[k][1], o.t = numbers[k][2];
    assert_status(
      INIT(a.model, a.data, 2, in, 2, out, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  }
  o = mbd_manipulator_options_default();
  o.restarts = -1;
  assert_status(INIT(a.model, a.data, 2, in, 2, out, q, a.memory, a.size), MBD_ERROR_BAD_ARGUMENT);
  assert_null(m);
  assert_int_equal(mbd_manipulator_size(NULL, 1, 1), 0);
  assert_int_equal(mbd_manipulator_size(a.model, -1, 1), 0);
  assert_string_equal(mbd_manipulator_class_name(MBD_MANIPULATOR_COMPOUND), "compound");
  assert_string_equal(mbd_manipulator_class_name((mbd_manipulator_class_t)4), "unknown");
  assert_string_equal(mbd_manipulator_class_name((mbd_manipulator_class_t)-1), "unknown");
#undef INIT
  arm_end(&a);
}

static void
bad_requests_and_singular_configurations(void ** state)
{
  (void)state;
  arm_t a = arm_begin();
  tree_t * other = random_tree(5, NULL);
  double q[2] = {0.3, 0.8}, y[2] = {0.3, 0.8}, z[2] = {1, 1}, x[2 * MOST], G[4], H[4];
  mbd_manipulator_t * m;
  mbd_manipulator_result_t r;
  mbd_singularity_t s;
  int n;
  assert_ok(mbd_manipulator_init(
    a.model, a.data, 2, a.input, 2, a.output, q, NULL, a.memory, a.size, NULL, &m));
  x[0] = 7;
  for (int k = 0; k < 2; k++) {
    double bad[2] = {0.1, 0.1};
    bad[k] = k ? HUGE_VAL : (double)NAN;
    assert_status(mbd_manipulator_forward(m, a.data, bad, q, x, NULL, &r), MBD_ERROR_NOT_FINITE);
    assert_status(mbd_manipulator_inverse(m, a.data, bad, q, x, NULL, &r), MBD_ERROR_NOT_FINITE);
    assert_status(mbd_manipulator_forward(m, a.data, y, bad, x, NULL, &r), MBD_ERROR_NOT_FINITE);
    assert_status(
      mbd_manipulator_solutions(m, a.data, false, bad, q, MOST, x, &n), MBD_ERROR_NOT_FINITE);
    assert_status(mbd_manipulator_monitor(m, a.data, bad, &s), MBD_ERROR_NOT_FINITE);
  }
  assert_status(mbd_manipulator_forward(NULL, a.data, y, q, x, NULL, &r), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_manipulator_forward(m, NULL, y, q, x, NULL, &r), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_manipulator_forward(m, a.data, y, q, x, NULL, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_manipulator_inverse(m, a.data, NULL, q, x, NULL, &r), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_manipulator_monitor(m, a.data, q, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(
    mbd_manipulator_forward(m, other->data, y, q, x, NULL, &r), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_manipulator_monitor(m, other->data, q, &s), MBD_ERROR_MODEL_MISMATCH);
  assert_status(mbd_manipulator_solutions(m, a.data, true, y, q, 0, x, &n), MBD_ERROR_BAD_ARGUMENT);
  assert_true(x[0] == 7);
  // straight: outputs are singular, inputs are not
  const double straight[2] = {0.3, 0};
  assert_ok(mbd_manipulator_monitor(m, a.data, straight, &s));
  assert_true(s.output_condition < 1e-10 && s.input_condition > 0.9 && s.of_outputs);
  assert_true(s.output >= 0 && s.input == -1 && s.closure == -1);
  assert_status(
    mbd_manipulator_velocity(m, a.data, straight, NULL, NULL, G, H), MBD_ERROR_SINGULAR);
  assert_ok(mbd_manipulator_velocity(m, a.data, straight, y, z, G, NULL));
  assert_true(fabs(z[0] - 2 * cos(0.3)) < 1e-14);
  assert_status(mbd_manipulator_output_dynamics(m, a.data, straight, q, G, H), MBD_ERROR_SINGULAR);
  // both elbows, one path to each
  const double wanted[2] = {1, 1};
  assert_ok(mbd_manipulator_solutions(m, a.data, false, wanted, q, MOST, x, &n));
  assert_int_equal(n, 2);
  assert_ok(mbd_manipulator_solutions(m, a.data, false, wanted, q, 1, x, &n));
  assert_int_equal(n, 1);
  // out of reach: the nearest configuration, which is straight
  const double far[2] = {3, 0};
  assert_ok(mbd_manipulator_inverse(m, a.data, far, q, x, NULL, &r));
  assert_int_equal(r.outcome, MBD_MANIPULATOR_UNREACHABLE);
  assert_true(fabs(r.error - 1) < 1e-3 && r.fraction > 0 && r.fraction < 1);
  // one output less: redundant
  mbd_manipulator_info_t info;
  assert_ok(mbd_manipulator_init(
    a.model, a.data, 2, a.input, 1, a.output, q, NULL, a.memory, a.size, &info, &m));
  assert_true(info.redundant);
  assert_int_equal(info.type, MBD_MANIPULATOR_SERIAL);
  assert_status(
    mbd_manipulator_solutions(m, a.data, false, wanted, q, MOST, x, &n), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_manipulator_output_dynamics(m, a.data, q, q, G, H), MBD_ERROR_UNSUPPORTED);
  assert_ok(mbd_manipulator_monitor(m, a.data, q, &s));
  assert_int_equal(s.output_sign, 0);
  assert_true(s.input_sign != 0);
  tree_free(other);
  arm_end(&a);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(velocities_are_those_of_differences),
    cmocka_unit_test(dynamics_are_those_of_cut_joints),
    cmocka_unit_test(solves_reach_what_is_wanted),
    cmocka_unit_test(redundant_velocities_have_least_norm),
    cmocka_unit_test(solutions_are_different),
    cmocka_unit_test(redundant_rows_are_dropped),
    cmocka_unit_test(bad_arguments_of_init),
    cmocka_unit_test(bad_requests_and_singular_configurations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
