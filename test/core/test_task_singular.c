// Operational space where tasks cannot all be done: what the three policies answer, and what is
// refused.
#include <string.h>

#include "mbdyn/dynamics/task.h"
#include "task_list.h"

static mat_t
inertia_by(
  const tree_t * t, const list_t * list, mbd_singular_policy_t policy, double tolerance,
  double damping, mbd_task_info_t * info)
{
  const mbd_singular_t choice = {policy, tolerance, damping};
  mat_t L = mat(list->rows, list->rows);
  assert_ok(mbd_task_inertia(t->model, t->data, &list->tasks, &choice, list->work, L.a, info));
  assert_true(all_finite(L));
  return L;
}

static mbd_status_t
refusal(const tree_t * t, const list_t * list)
{
  const mbd_singular_t refuse = {MBD_SINGULAR_REFUSE, 0, 0};
  mat_t L = mat(list->rows, list->rows);
  return mbd_task_inertia(t->model, t->data, &list->tasks, &refuse, list->work, L.a, NULL);
}

// d in (C + d^2 / W^2) L = I: what damping added to each row, per d^2
static mat_t
damping_of(mat_t C, mat_t L, double d)
{
  return scale(1 / (d * d), sub(inverse(L), C));
}

//---------- properties of all singular lists ----------

// truncated: C L C = C, L C L = L, symmetric, no negative mass
static void
assert_truncated(const tree_t * t, const list_t * list, uint64_t seed)
{
  mbd_task_info_t info;
  const mat_t C = compliance_of(t, list);
  const mat_t L = inertia_by(t, list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
  const double size = fmax(1, largest_entry(C) * largest_entry(L));
  assert_mat(L, tr(L), 1e-12, "symmetric, seed %lu", seed);
  assert_mat_floor(PROD(C, L, C), C, 1e-9 * size, 1e-12, "C L C, seed %lu", seed);
  assert_mat_floor(PROD(L, C, L), L, 1e-9 * size, 1e-12, "L C L, seed %lu", seed);
  assert_true(smallest_eigenvalue(L) > -1e-9 * fmax(1, largest_entry(L)));
  assert_true(info.rank >= 0 && info.rank <= list->rows);
  // the trace of the projection counts the directions
  assert_near(trace(PROD(C, L)), info.rank, 1e-8 * size, "rank, seed %lu", seed);
  assert_true((info.condition == HUGE_VAL) == (info.rank < list->rows));
  assert_int_equal(refusal(t, list), info.rank < list->rows ? MBD_ERROR_SINGULAR : MBD_OK);
}

// damped: the inverse of C + d^2 W^-2 with one positive number per row, whatever d; no larger than
// 1 / d^2 of it, and the rank is found all the same; false, and the rank alone compared, if there is
// a row that no joint moves
static bool
assert_damped(const tree_t * t, const list_t * list, uint64_t seed)
{
  mbd_task_info_t truncated, damped;
  const mat_t C = compliance_of(t, list);
  inertia_by(t, list, MBD_SINGULAR_TRUNCATE, 0, 0, &truncated);
  const mat_t L = inertia_by(t, list, MBD_SINGULAR_DAMP, 0, 0.3, &damped);
  assert_int_equal(damped.rank, truncated.rank);
  assert_true((damped.condition == HUGE_VAL) == (damped.rank < list->rows));
  // a row that no joint moves at all is left out
  for (int i = 0; i < list->rows; i++) {
    if (*at(L, i, i) == 0) return false;
  }
  const mat_t one = damping_of(C, L, 0.3);
  const mat_t two = damping_of(C, inertia_by(t, list, MBD_SINGULAR_DAMP, 0, 0.1, NULL), 0.1);
  const double size = largest_entry(one);
  assert_mat_floor(two, one, 1e-8, size, "the same for any damping, seed %lu", seed);
  for (int i = 0; i < list->rows; i++) {
    for (int j = 0; j < list->rows; j++) {
      if (i != j) assert_true(fabs(*at(one, i, j)) <= 1e-9 * size);
    }
    assert_true(*at(one, i, i) > 0);
    assert_true(*at(L, i, i) <= (1 + 1e-9) / (0.09 * *at(one, i, i)));
  }
  return true;
}

// random lists, most of which the robot cannot do as a whole
static void
policies_on_random_lists(void ** context)
{
  (void)context;
  int deficient = 0, full = 0;
  tally_t damped = {0};
  FOR_LISTS(NULL)
  {
    mbd_task_info_t info;
    assert_truncated(t, list, seed);
    tally(&damped, assert_damped(t, list, seed));
    inertia_by(t, list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
    deficient += info.rank < list->rows, full += info.rank == list->rows;
  }
  assert_count(deficient, 150);
  assert_count(full, 150);
  assert_enough(&damped, 0.5);
}

// the rank is that of the stacked Jacobian
static void
rank_is_that_of_the_jacobian(void ** context)
{
  (void)context;
  tally_t clear = {0};
  FOR_LISTS(NULL)
  {
    mbd_task_info_t info;
    const dense_t d = dense_of(t);
    const mat_t J = stacked(&d, list);
    inertia_by(t, list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
    // rows of different units: a scale for each, as far as there is one
    for (int i = 0; i < J.r; i++) {
      const double size = largest_entry(block(J, i, 0, 1, J.c));
      for (int j = 0; j < J.c; j++) *at(J, i, j) /= size > 1e-9 ? size : 1;
    }
    // only where the singular values say so clearly
    const int high = largest_entry(J) > 0 ? rank_of(J, 1e-4) : 0;
    const int low = largest_entry(J) > 0 ? rank_of(J, 1e-8) : 0;
    if (tally(&clear, high == low)) assert_int_equal(info.rank, high);
  }
  assert_enough(&clear, 0.8);
}

// the same task twice, and two frames on one body: the second adds nothing, and they share a load
static void
duplicated_tasks(void ** context)
{
  (void)context;
  int checked = 0;
  FOR_TREES(TREES, NULL)
  {
    uint64_t state = seed;
    list_t one = {0}, two = {0};
    mbd_task_info_t alone, both;
    one.t[0] = two.t[0] = two.t[1] = random_task(t->model, &state);
    list_finish(&one, t->model, 1), list_finish(&two, t->model, 2);
    state_at(t, 0);
    const mat_t L = inertia_by(t, &one, MBD_SINGULAR_TRUNCATE, 0, 0, &alone);
    const mat_t L2 = inertia_by(t, &two, MBD_SINGULAR_TRUNCATE, 0, 0, &both);
    assert_int_equal(both.rank, alone.rank);
    assert_true(both.condition == HUGE_VAL);
    assert_int_equal(refusal(t, &two), MBD_ERROR_SINGULAR);
    assert_truncated(t, &two, seed);
    assert_damped(t, &two, seed);
    if (alone.condition < 1e5) {
      // half of it each: the generalised inverse of [C C; C C] is a quarter of [L L; L L]
      checked++;
      const int n = one.rows;
      for (int k = 0; k < 4; k++) {
        const mat_t part = block(L2, n * (k / 2), n * (k % 2), n, n);
        assert_mat(scale(4, part), L, 1e-8, "block %d, seed %lu", k, seed);
      }
    }
    free(one.work), free(two.work);
  }
  assert_count(checked, TREES / 2);
}

// two frames on one body are one body: rank six at most
static void
two_frames_on_one_body(void ** context)
{
  (void)context;
  int six = 0;
  tree_options_t options = tree_options_default();
  options.floating_base = true;
  FOR_TREES(TREES, &options)
  {
    const mbd_model_t * m = t->model;
    state_at(t, 0);
    for (int a = 0; a < m->nframe; a++) {
      for (int b = 0; b < a; b++) {
        if (m->frame[a].body != m->frame[b].body || m->frame[a].body < 0) continue;
        list_t list = {0};
        mbd_task_info_t info;
        list.t[0] = mbdu_task_frame(a, MBD_LOCAL);
        list.t[1] = mbdu_task_frame(b, MBD_WORLD);
        list_finish(&list, m, 2);
        inertia_by(t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
        assert_true(info.rank <= 6);
        six += info.rank == 6;
        assert_truncated(t, &list, seed);
        assert_damped(t, &list, seed);
        free(list.work);
      }
    }
  }
  assert_count(six, TREES);
}

// frames of the world, and no tasks at all
static void
tasks_of_nothing(void ** context)
{
  (void)context;
  int found = 0;
  FOR_TREES(TREES, NULL)
  {
    list_t none = {0}, world = {0};
    mbd_task_info_t info;
    double nothing, u = 0;
    state_at(t, 0);
    list_finish(&none, t->model, 0);
    assert_ok(mbd_task_inertia(t->model, t->data, &none.tasks, NULL, none.work, &nothing, &info));
    assert_int_equal(info.rank, 0);
    assert_int_equal(refusal(t, &none), MBD_OK);
    mat_t N = mat(t->model->nv, t->model->nv), tau = mat(t->model->nv, 1);
    assert_ok(mbd_task_nullspace(t->model, t->data, &none.tasks, &nothing, none.work, N.a));
    assert_mat(N, eye(t->model->nv), 0, "null space, seed %lu", seed);
    assert_ok(
      mbd_task_control(t->model, t->data, &none.tasks, &nothing, &u, t->tau, none.work, tau.a));
    assert_mat(tau, column(tau.r, t->tau), 0, "control, seed %lu", seed);
    for (int f = 0; f < t->model->nframe; f++) {
      if (t->model->frame[f].body >= 0) continue;
      found++;
      world.t[0] = mbdu_task_frame(f, MBD_LOCAL_WORLD_ALIGNED);
      list_finish(&world, t->model, 1);
      for (int policy = 0; policy < 2; policy++) {
        const mat_t L = inertia_by(t, &world, (mbd_singular_policy_t)policy, 0, 0.1, &info);
        assert_mat(L, mat(6, 6), 0, "world, policy %d, seed %lu", policy, seed);
        assert_int_equal(info.rank, 0);
      }
      assert_int_equal(refusal(t, &world), MBD_ERROR_SINGULAR);
      free(world.work);
    }
    free(none.work);
  }
  assert_count(found, TREES);
}

//---------- an arm that stretches ----------

enum { UPPER = 0, FORE = 1 };

// two links of 0.4 m and 0.3 m in the plane z = 0, and the task x, y of the tip
static tree_t
planar_arm(list_t * list)
{
  tree_t t = {0};
  mbd_placement_t X = mbdu_placement_identity();
  int frame, tip;
  const mbd_inertia_t body[2] = {
    mbdu_inertia_from_com(2, mbdu_vec3(0.2, 0, 0), (mbd_sym3_t){0.01, 0, 0, 0.02, 0, 0.02}),
    mbdu_inertia_from_com(1, mbdu_vec3(0.15, 0, 0), (mbd_sym3_t){0.01, 0, 0, 0.02, 0, 0.02})};
  assert_ok(mbd_model_create("planar", &t.model));
  mbd_body_spec_t spec = hinge_by_hand("upper", MBD_WORLD_BODY, body[UPPER]);
  assert_ok(mbd_model_add_body(t.model, &spec, &frame));
  spec = hinge_by_hand("fore", frame, body[FORE]);
  spec.placement.p = mbdu_vec3(0.4, 0, 0);
  assert_ok(mbd_model_add_body(t.model, &spec, &frame));
  X.p = mbdu_vec3(0.3, 0, 0);
  assert_ok(mbd_model_add_frame(t.model, "tip", frame, &X, &tip));
  assert_ok(mbd_model_finalize(t.model));
  assert_ok(mbd_data_create(t.model, &t.data));
  memset(list, 0, sizeof *list);
  list->t[0] = mbdu_task_direction(tip, MBD_LOCAL_WORLD_ALIGNED, mbdu_vec3(1, 0, 0));
  list->t[1] = mbdu_task_direction(tip, MBD_LOCAL_WORLD_ALIGNED, mbdu_vec3(0, 1, 0));
  list_finish(list, t.model, 2);
  return t;
}

static void
planar_free(tree_t * t, list_t * list)
{
  free(list->work);
  mbd_data_destroy(t->data);
  mbd_model_destroy(t->model);
  mats_free();
}

static void
bend(const tree_t * t, double elbow)
{
  const double q[2] = {0, elbow};
  assert_ok(mbd_set_position(t->model, t->data, q));
}

// stretched along x it can be pushed in y alone: zero along x, and the mass of y as it is
static void
stretched_arm(void ** context)
{
  (void)context;
  list_t list;
  tree_t t = planar_arm(&list);
  mbd_task_info_t info;
  bend(&t, 0);
  const mat_t C = compliance_of(&t, &list);
  const mat_t L = inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
  assert_int_equal(info.rank, 1);
  assert_true(info.condition == HUGE_VAL);
  assert_int_equal(refusal(&t, &list), MBD_ERROR_SINGULAR);
  const double expected[4] = {0, 0, 0, 1 / *at(C, 1, 1)};
  assert_close(L.a, expected, 4, 1e-12, "truncated");
  // damped: finite along x too, softer along y
  const mat_t D = inertia_by(&t, &list, MBD_SINGULAR_DAMP, 0, 1e-2, &info);
  assert_int_equal(info.rank, 1);
  assert_true(*at(D, 0, 0) > 0 && *at(D, 0, 0) < 1e6);
  assert_true(*at(D, 1, 1) < *at(L, 1, 1) && *at(D, 1, 1) > 0.99 * *at(L, 1, 1));
  // bent it is regular, and all policies agree
  bend(&t, 0.8);
  const mat_t R = inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
  assert_int_equal(info.rank, 2);
  assert_true(info.condition < 1e4);
  assert_mat(PROD(compliance_of(&t, &list), R), eye(2), 1e-12, "bent");
  assert_int_equal(refusal(&t, &list), MBD_OK);
  const mat_t S = inertia_by(&t, &list, MBD_SINGULAR_DAMP, 0, 1e-7, NULL);
  assert_mat(S, R, 1e-9, "hardly damped");
  planar_free(&t, &list);
}

// through the stretched pose: damped it changes by little with every step, and stays bounded
static void
damping_is_continuous(void ** context)
{
  (void)context;
  list_t list;
  tree_t t = planar_arm(&list);
  const double step = 1e-4;
  double jump = 0, largest = 0, before[4] = {0};
  for (int k = -300; k <= 300; k++) {
    bend(&t, k * step);
    const mat_t L = inertia_by(&t, &list, MBD_SINGULAR_DAMP, 0, 0.05, NULL);
    largest = fmax(largest, largest_entry(L));
    for (int i = 0; i < 4; i++) {
      if (k > -300) jump = fmax(jump, fabs(L.a[i] - before[i]));
      before[i] = L.a[i];
    }
  }
  // the step of a truncated one is as large as it is itself
  assert_true(jump < 0.02 * largest);
  bend(&t, step);
  const double near = largest_entry(inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, NULL));
  assert_true(near > 100 * largest);
  planar_free(&t, &list);
}

// eigenvalues below the tolerance count as zero, whichever way the inverse is found
static void
tolerance_decides_the_rank(void ** context)
{
  (void)context;
  list_t list;
  tree_t t = planar_arm(&list);
  const double elbow[5] = {0.3, 0.03, 0.003, 3e-4, 3e-5};
  for (int k = 0; k < 5; k++) {
    mbd_task_info_t info;
    bend(&t, elbow[k]);
    inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
    assert_int_equal(info.rank, 2);
    // the smaller eigenvalue of the scaled compliance, between its bounds by the condition number
    const double high = 4 / info.condition, low = 0.05 / info.condition;
    assert_true(high < 1);
    const mat_t L = inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, high, 0, &info);
    assert_int_equal(info.rank, 1);
    assert_true(info.condition == HUGE_VAL);
    assert_mat(PROD(L, compliance_of(&t, &list), L), L, 1e-6, "elbow %g", elbow[k]);
    inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, low, 0, &info);
    assert_int_equal(info.rank, 2);
    const mbd_singular_t refuse = {MBD_SINGULAR_REFUSE, high, 0};
    double scratch[4];
    assert_status(
      mbd_task_inertia(t.model, t.data, &list.tasks, &refuse, list.work, scratch, &info),
      MBD_ERROR_SINGULAR);
    assert_int_equal(info.rank, 1);
  }
  planar_free(&t, &list);
}

// the condition number is that of the compliance, damped or not
static void
condition_is_that_of_the_compliance(void ** context)
{
  (void)context;
  list_t list;
  tree_t t = planar_arm(&list);
  for (int k = 1; k <= 20; k++) {
    mbd_task_info_t plain, damped;
    bend(&t, 0.1 * k);
    inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &plain);
    inertia_by(&t, &list, MBD_SINGULAR_DAMP, 0, 0.5, &damped);
    assert_int_equal(damped.rank, 2);
    assert_near(damped.condition / plain.condition, 1, 1e-9, "elbow %g", 0.1 * k);
    // both rows have the same scale here: the condition number of C itself
    const mat_t C = compliance_of(&t, &list), C_inv = inverse(C);
    const double norm = fmax(fabs(C.a[0]), fabs(C.a[3])) + fabs(C.a[1]);
    const double other = fmax(fabs(C_inv.a[0]), fabs(C_inv.a[3])) + fabs(C_inv.a[1]);
    assert_near(plain.condition / (norm * other), 1, 1e-9, "of C, elbow %g", 0.1 * k);
  }
  planar_free(&t, &list);
}

// fewer joints than six, in every reference: what the frame can do and no more
static void
arms_of_few_joints(void ** context)
{
  (void)context;
  uint64_t state = 51;
  const mbd_vec3_t x = {1, 0, 0}, z = {0, 0, 1}, o = {0, 0, 0}, out = {0.3, 0.1, 0};
  const joint_by_hand_t joint[5] = {
    {MBD_JOINT_REVOLUTE, z, o},
    {MBD_JOINT_REVOLUTE, x, out},
    {MBD_JOINT_PRISMATIC, x, out},
    {MBD_JOINT_REVOLUTE, z, out},
    {MBD_JOINT_REVOLUTE, x, out}};
  for (int turn = 0; turn < 100; turn++) {
    const int n = 1 + turn % 5;
    tree_t t = {0};
    list_t list = {0};
    mbd_task_info_t info;
    double q[5];
    int tip;
    t.model = arm_by_hand(joint, n, mbdu_vec3(0.1, 0.2, 0.3), &state, &tip);
    for (int k = 0; k < 5; k++) q[k] = random_between(&state, 0.3, 1.2);
    assert_ok(mbd_data_create(t.model, &t.data));
    assert_ok(mbd_set_position(t.model, t.data, q));
    list.t[0] = mbdu_task_frame(tip, (mbd_reference_t)(turn % 3));
    list_finish(&list, t.model, 1);
    const mat_t L = inertia_by(&t, &list, MBD_SINGULAR_TRUNCATE, 0, 0, &info);
    assert_int_equal(info.rank, n);
    assert_true(largest_entry(L) < 1e5);
    assert_truncated(&t, &list, (uint64_t)turn);
    assert_damped(&t, &list, (uint64_t)turn);
    planar_free(&t, &list);
  }
}

//---------- errors ----------

// every function that takes tasks
static void
all_refuse(const mbd_model_t * m, mbd_data_t * d, const mbd_tasks_t * tasks, mbd_status_t expected)
{
  static double work[20000], out[4000], L[600], u[24];
  out[0] = 7;
  assert_status(mbd_task_compliance(m, d, tasks, out), expected);
  assert_status(mbd_task_inertia(m, d, tasks, NULL, work, L, NULL), expected);
  assert_status(mbd_task_forces(m, d, tasks, L, work, out, out), expected);
  assert_status(mbd_task_inverse(m, d, tasks, L, work, out), expected);
  assert_status(mbd_task_nullspace(m, d, tasks, L, work, out), expected);
  assert_status(mbd_task_control(m, d, tasks, L, u, NULL, work, out), expected);
  if (expected == MBD_ERROR_MIMIC || expected == MBD_ERROR_MASSLESS_SUBTREE) return;
  assert_status(mbd_task_jacobian(m, d, tasks, out), expected);
  assert_status(mbd_task_bias(m, d, tasks, out), expected);
  assert_true(out[0] == 7);
}

static void
lists_that_are_none(void ** context)
{
  (void)context;
  tree_t *t = random_tree(11, NULL), *other = random_tree(12, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_task_t task[2] = {mbdu_task_frame(0, MBD_LOCAL), mbdu_task_position(1, MBD_WORLD)};
  mbd_tasks_t tasks = {2, task};
  all_refuse(m, d, &tasks, MBD_ERROR_STAGE);
  set_state(t);
  all_refuse(NULL, d, &tasks, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(m, NULL, &tasks, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(m, d, NULL, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(other->model, d, &tasks, MBD_ERROR_MODEL_MISMATCH);
  const mbd_tasks_t empty = {2, NULL}, negative = {-1, task};
  assert_int_equal(mbd_task_rows(&empty), 0);
  all_refuse(m, d, &empty, MBD_ERROR_NULL_ARGUMENT);
  all_refuse(m, d, &negative, MBD_ERROR_BAD_ARGUMENT);
  const int rows[4] = {0, -1, 7, 1000000};
  for (int k = 0; k < 4; k++) {
    task[1].nrow = rows[k];
    all_refuse(m, d, &tasks, MBD_ERROR_BAD_ARGUMENT);
  }
  task[1].nrow = 3, task[1].frame = m->nframe;
  all_refuse(m, d, &tasks, MBD_ERROR_BAD_ARGUMENT);
  task[1].frame = 1, task[1].reference = (mbd_reference_t)3;
  all_refuse(m, d, &tasks, MBD_ERROR_BAD_ARGUMENT);
  task[1].reference = MBD_WORLD, task[1].row[2][5] = (double)NAN;
  all_refuse(m, d, &tasks, MBD_ERROR_NOT_FINITE);
  tree_free(other);
  tree_free(t);
}

static void
arguments_that_are_none(void ** context)
{
  (void)context;
  tree_t * t = random_tree(11, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL);
  const mbd_tasks_t tasks = {1, &task};
  static double work[20000], out[4000], L[36], u[6];
  set_state(t);
  const mbd_status_t null = MBD_ERROR_NULL_ARGUMENT;
  assert_status(mbd_task_jacobian(m, d, &tasks, NULL), null);
  assert_status(mbd_task_bias(m, d, &tasks, NULL), null);
  assert_status(mbd_task_compliance(m, d, &tasks, NULL), null);
  assert_status(mbd_task_inertia(m, d, &tasks, NULL, NULL, L, NULL), null);
  assert_status(mbd_task_inertia(m, d, &tasks, NULL, work, NULL, NULL), null);
  assert_status(mbd_task_forces(m, d, &tasks, NULL, work, out, out), null);
  assert_status(mbd_task_forces(m, d, &tasks, L, NULL, out, out), null);
  assert_status(mbd_task_inverse(m, d, &tasks, NULL, work, out), null);
  assert_status(mbd_task_inverse(m, d, &tasks, L, NULL, out), null);
  assert_status(mbd_task_inverse(m, d, &tasks, L, work, NULL), null);
  assert_status(mbd_task_nullspace(m, d, &tasks, NULL, work, out), null);
  assert_status(mbd_task_nullspace(m, d, &tasks, L, NULL, out), null);
  assert_status(mbd_task_nullspace(m, d, &tasks, L, work, NULL), null);
  assert_status(mbd_task_control(m, d, &tasks, NULL, u, NULL, work, out), null);
  assert_status(mbd_task_control(m, d, &tasks, L, NULL, NULL, work, out), null);
  assert_status(mbd_task_control(m, d, &tasks, L, u, NULL, NULL, out), null);
  assert_status(mbd_task_control(m, d, &tasks, L, u, NULL, work, NULL), null);
  out[0] = 7, u[5] = HUGE_VAL;
  assert_status(mbd_task_control(m, d, &tasks, L, u, NULL, work, out), MBD_ERROR_NOT_FINITE);
  u[5] = 0, t->tau[0] = (double)NAN;
  assert_status(mbd_task_control(m, d, &tasks, L, u, t->tau, work, out), MBD_ERROR_NOT_FINITE);
  for (int k = 0; k < 36; k++) L[k] = (double)NAN;
  assert_status(mbd_task_control(m, d, &tasks, L, u, NULL, work, out), MBD_ERROR_NOT_FINITE);
  assert_true(out[0] == 7);
  tree_free(t);
}

static void
policies_that_are_none(void ** context)
{
  (void)context;
  tree_t * t = random_tree(11, NULL);
  mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL);
  const mbd_tasks_t tasks = {1, &task};
  static double work[20000], L[36];
  const mbd_singular_t bad[] = {
    {(mbd_singular_policy_t)3, 0, 0},  {(mbd_singular_policy_t)-1, 0, 0},
    {MBD_SINGULAR_TRUNCATE, -1e-9, 0}, {MBD_SINGULAR_TRUNCATE, (double)NAN, 0},
    {MBD_SINGULAR_TRUNCATE, 1, 0},     {MBD_SINGULAR_REFUSE, HUGE_VAL, 0},
    {MBD_SINGULAR_DAMP, 0, 0},         {MBD_SINGULAR_DAMP, 0, -1},
    {MBD_SINGULAR_DAMP, 0, HUGE_VAL},  {MBD_SINGULAR_DAMP, 0, (double)NAN}};
  set_state(t);
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    assert_status(
      mbd_task_inertia(t->model, t->data, &tasks, &bad[k], work, L, NULL), MBD_ERROR_BAD_ARGUMENT);
  }
  // damping that is not used is not looked at
  const mbd_singular_t fine = {MBD_SINGULAR_TRUNCATE, 0, (double)NAN};
  assert_ok(mbd_task_inertia(t->model, t->data, &tasks, &fine, work, L, NULL));
  tree_free(t);
}

// kinematics work, dynamics are refused
static void
models_that_have_no_inverse(void ** context)
{
  (void)context;
  mbd_model_t * model[2] = {mimic_by_hand(), needle_by_hand()};
  const mbd_status_t expected[2] = {MBD_ERROR_MIMIC, MBD_ERROR_MASSLESS_SUBTREE};
  for (int k = 0; k < 2; k++) {
    const double q[2] = {0.1, 0.2}, v[2] = {1, 2};
    double J[12], bias[6];
    mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL);
    const mbd_tasks_t tasks = {1, &task};
    mbd_data_t * d;
    assert_ok(mbd_data_create(model[k], &d));
    assert_ok(mbd_set_position(model[k], d, q));
    assert_ok(mbd_set_velocity(model[k], d, v));
    all_refuse(model[k], d, &tasks, expected[k]);
    assert_ok(mbd_task_jacobian(model[k], d, &tasks, J));
    assert_ok(mbd_task_bias(model[k], d, &tasks, bias));
    mbd_data_destroy(d);
    mbd_model_destroy(model[k]);
  }
}

// the functions that need velocities say so
static void
stages_are_asked_for(void ** context)
{
  (void)context;
  tree_t * t = random_tree(11, NULL);
  const mbd_model_t * m = t->model;
  mbd_data_t * d = t->data;
  mbd_task_t task = mbdu_task_frame(0, MBD_LOCAL);
  const mbd_tasks_t tasks = {1, &task};
  static double work[20000], out[4000], L[36], u[6];
  assert_ok(mbd_set_position(m, d, t->q));
  assert_status(mbd_task_bias(m, d, &tasks, out), MBD_ERROR_STAGE);
  assert_status(mbd_task_forces(m, d, &tasks, L, work, out, out + 6), MBD_ERROR_STAGE);
  assert_status(mbd_task_control(m, d, &tasks, L, u, NULL, work, out), MBD_ERROR_STAGE);
  assert_ok(mbd_task_jacobian(m, d, &tasks, out));
  assert_ok(mbd_task_inertia(m, d, &tasks, NULL, work, L, NULL));
  assert_ok(mbd_task_inverse(m, d, &tasks, L, work, out));
  assert_ok(mbd_task_nullspace(m, d, &tasks, L, work, out));
  tree_free(t);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(policies_on_random_lists),
    cmocka_unit_test(rank_is_that_of_the_jacobian),
    cmocka_unit_test(duplicated_tasks),
    cmocka_unit_test(two_frames_on_one_body),
    cmocka_unit_test(tasks_of_nothing),
    cmocka_unit_test(stretched_arm),
    cmocka_unit_test(damping_is_continuous),
    cmocka_unit_test(tolerance_decides_the_rank),
    cmocka_unit_test(condition_is_that_of_the_compliance),
    cmocka_unit_test(arms_of_few_joints),
    cmocka_unit_test(lists_that_are_none),
    cmocka_unit_test(arguments_that_are_none),
    cmocka_unit_test(policies_that_are_none),
    cmocka_unit_test(models_that_have_no_inverse),
    cmocka_unit_test(stages_are_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
