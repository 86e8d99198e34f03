// Ours against stored results of Pinocchio: every file, every state, every quantity.
//
// The files are those of test/data/pinocchio, whose README describes them, and those of the folder
// that the environment variable MBDYN_VECTORS names, if it is set. Each test prints the largest
// relative error of its file; the table at the end has that of each quantity, where "relative" is to
// the largest number of the quantity.
#define _POSIX_C_SOURCE 200809L  // scandir

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "json_file.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { OWN_FILES = 8 };

static const double tolerance = 1e-9;
static const mbd_reference_t aligned = MBD_LOCAL_WORLD_ALIGNED;

// the keys of a state, those that are results of ours, and the scale below which they count as zero
typedef struct quantity {
  const char * key;
  double floor;
  bool stored;  // results are in test/data/pinocchio
  int compared;
  double worst;
  char where[32];
} quantity_t;

static quantity_t quantities[] = {
  {.key = "rnea", .floor = 1e-4, .stored = true},
  {.key = "g", .floor = 1e-4, .stored = true},
  {.key = "h", .floor = 1e-4, .stored = true},
  {.key = "C v", .floor = 1e-4, .stored = true},
  {.key = "C", .floor = 1e-4, .stored = true},
  {.key = "aba_qdd", .floor = 1e-4, .stored = true},
  {.key = "M", .floor = 1e-12, .stored = true},
  {.key = "Minv", .floor = 1e-12, .stored = true},
  {.key = "dtau_dq", .floor = 1e-4, .stored = true},
  {.key = "dtau_dv", .floor = 1e-4, .stored = true},
  {.key = "dqdd_dq", .floor = 1e-4, .stored = true},
  {.key = "dqdd_dv", .floor = 1e-4, .stored = true},
  {.key = "hg", .floor = 1e-6, .stored = true},
  {.key = "com", .floor = 1e-3},
  {.key = "kinetic_energy", .floor = 1e-9, .stored = true},
  {.key = "potential_energy", .floor = 1e-3},
  {.key = "mass_moving", .floor = 1e-6},
  {.key = "p", .floor = 1e-2, .stored = true},
  {.key = "R", .floor = 1, .stored = true},
  {.key = "vel", .floor = 1e-2, .stored = true},
  {.key = "J", .floor = 1e-2, .stored = true},
  {.key = "Jdot_v", .floor = 1e-2, .stored = true},
  {.key = "Lambda", .floor = 1e-6, .stored = true},
  {.key = "Lambda_tips", .floor = 1},
  {.key = "Lambda_tips_inv", .floor = 1e-6},
};
enum { nquantity = sizeof quantities / sizeof *quantities };

// inputs, and what has keys of its own
static const char * const other_keys[] = {"q", "v", "a", "tau", "links"};
enum { nother = sizeof other_keys / sizeof *other_keys };

// one file while it is tested
typedef struct vectors {
  char name[32];
  json_t * doc;
  mbd_model_t * model;
  mbd_data_t * data;
  int nv;
  double *q, *v, *a, *tau;
  double * out;  // ours      [capacity]
  double * ref;  // theirs    [capacity]
  size_t capacity;
  double worst;
  const char * worst_key;
  int state, mismatches;
} vectors_t;

//---------- numbers out of JSON ----------

// nested lists as one list; the number of numbers, which may be more than the capacity
static size_t
flatten(const json_t * json, double * out, size_t capacity)
{
  if (json_is_number(json)) {
    if (capacity > 0) *out = json_number_value(json);
    return 1;
  }
  size_t n = 0;
  for (size_t i = 0; i < json_array_size(json); i++) {
    n += flatten(json_array_get(json, i), out + n, n < capacity ? capacity - n : 0);
  }
  return n;
}

static void
read_numbers(const json_t * json, const char * key, double * out, int n)
{
  if (flatten(json_object_get(json, key), out, (size_t)n) != (size_t)n) {
    fail_msg("%s: not %d numbers", key, n);
  }
}

static quantity_t *
quantity_of(const char * key)
{
  for (int i = 0; i < nquantity; i++) {
    if (strcmp(quantities[i].key, key) == 0) return &quantities[i];
  }
  fail_msg("no quantity %s", key);
  return NULL;
}

//---------- comparing ----------

static void
note(vectors_t * f, quantity_t * quantity, double error)
{
  if (error > f->worst) f->worst = error, f->worst_key = quantity->key;
  if (error <= quantity->worst) return;
  quantity->worst = error;
  snprintf(quantity->where, sizeof quantity->where, "%s", f->name);
}

// n numbers of ours against n of theirs
static void
compare(vectors_t * f, const char * key, const double * ours, const double * ref, int n)
{
  quantity_t * quantity = quantity_of(key);
  double scale = quantity->floor, error = 0;
  int at = 0;
  for (int i = 0; i < n; i++) {
    const double e = isfinite(ours[i]) ? fabs(ours[i] - ref[i]) : HUGE_VAL;
    scale = fmax(scale, fabs(ref[i]));
    if (e > error) error = e, at = i;
  }
  error /= scale;
  quantity->compared++;
  note(f, quantity, error);
  if (error <= tolerance) return;
  f->mismatches++;
  print_error(
    "%s, %s, state %d: element %d of %d is %.17g, theirs %.17g, error %.2g\n", f->name, key,
    f->state, at, n, ours[at], ref[at], error);
}

static void
check(vectors_t * f, const json_t * theirs, const char * key, const double * ours, int n)
{
  assert_true((size_t)n <= f->capacity);
  read_numbers(theirs, key, f->ref, n);
  compare(f, key, ours, f->ref, n);
}

//---------- a file and its robot ----------

static mbd_model_t *
load_robot(const char * path, bool floating)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_urdf_load_file(path, &options, &model, &report);
  for (int i = 0; status != MBD_OK && report != NULL && i < report->n; i++) {
    if (report->entry[i].severity == MBDX_ERROR) print_error("%s\n", report->entry[i].text);
  }
  mbdx_report_free(report);
  if (status != MBD_OK) fail_msg("%s: %s", path, mbd_status_name(status));
  return model;
}

static vectors_t
vectors_open(const char * path)
{
  vectors_t f = {0};
  f.doc = json_file_load(path);
  snprintf(f.name, sizeof f.name, "%s", json_string_value(json_object_get(f.doc, "robot")));
  // relative to the file
  char urdf[4096];
  snprintf(
    urdf, sizeof urdf, "%.*s%s", (int)(strrchr(path, '/') + 1 - path), path,
    json_string_value(json_object_get(f.doc, "urdf")));
  f.model = load_robot(urdf, json_is_true(json_object_get(f.doc, "floating_base")));
  assert_ok(mbd_data_create(f.model, &f.data));
  f.nv = f.model->nv;
  const size_t nv = (size_t)f.nv;
  f.capacity = nv > 200 ? 16 * nv : nv * nv + 6 * nv + 1024;
  double * block = calloc((size_t)f.model->nq + 3 * nv + 2 * f.capacity, sizeof(double));
  assert_non_null(block);
  f.q = block, f.v = f.q + f.model->nq, f.a = f.v + nv, f.tau = f.a + nv;
  f.out = f.tau + nv, f.ref = f.out + f.capacity;
  return f;
}

static void
vectors_close(vectors_t * f)
{
  mbd_data_destroy(f->data);
  mbd_model_destroy(f->model);
  json_decref(f->doc);
  free(f->q);
}

// names, places in q and v, and parents of all joints
static void
check_joints(const vectors_t * f)
{
  const mbd_model_t * m = f->model;
  const json_t * joints = json_object_get(f->doc, "joints");
  assert_int_equal(m->nq, json_integer_value(json_object_get(f->doc, "nq")));
  assert_int_equal(m->nv, json_integer_value(json_object_get(f->doc, "nv")));
  assert_int_equal(m->nbody, json_array_size(joints));
  for (int i = 0; i < m->nbody; i++) {
    const json_t * joint = json_array_get(joints, (size_t)i);
    const mbd_body_t * b = &m->body[i];
    assert_string_equal(b->joint_name, json_string_value(json_object_get(joint, "name")));
    const char * parent = json_string_value(json_object_get(joint, "parent"));
    if (parent != NULL)
      assert_string_equal(parent, b->parent < 0 ? "universe" : m->body[b->parent].joint_name);
    assert_int_equal(b->q_index, json_integer_value(json_object_get(joint, "idx_q")));
    assert_int_equal(b->v_index, json_integer_value(json_object_get(joint, "idx_v")));
  }
}

// no result of theirs may be passed over in silence
static void
check_keys(const json_t * state)
{
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)state, key, value)
  {
    bool known = false;
    for (int i = 0; i < nquantity; i++) known = known || strcmp(key, quantities[i].key) == 0;
    for (int i = 0; i < nother; i++) known = known || strcmp(key, other_keys[i]) == 0;
    if (!known) fail_msg("%s is a quantity that this test does not know", key);
  }
}

//---------- the whole robot ----------

static void
check_dynamics(vectors_t * f, const json_t * state)
{
  const mbd_model_t * m = f->model;
  mbd_data_t * d = f->data;
  assert_ok(mbd_inverse_dynamics(m, d, f->q, f->v, f->a, NULL, f->out));
  check(f, state, "rnea", f->out, f->nv);
  assert_ok(mbd_forward_dynamics(m, d, f->q, f->v, f->tau, NULL, f->out));
  check(f, state, "aba_qdd", f->out, f->nv);
  assert_ok(mbd_gravity(m, d, f->out));
  check(f, state, "g", f->out, f->nv);
  assert_ok(mbd_bias(m, d, f->out));
  check(f, state, "h", f->out, f->nv);
}

// C v = h - g; and where v = dq/dt, C is made of Christoffel symbols, so that d(C v)/dv = 2 C
static void
check_coriolis(vectors_t * f, const json_t * state)
{
  const int n = f->nv;
  double *Cv = f->out + n * n, *g = Cv + n;
  assert_ok(mbd_coriolis_matrix(f->model, f->data, f->out));
  read_numbers(state, "g", g, n);
  read_numbers(state, "h", f->ref, n);
  for (int i = 0; i < n; i++) {
    f->ref[i] -= g[i];
    Cv[i] = 0;
    for (int j = 0; j < n; j++) Cv[i] += f->out[n * i + j] * f->v[j];
  }
  compare(f, "C v", Cv, f->ref, n);
  if (json_is_true(json_object_get(f->doc, "floating_base"))) return;
  if (json_object_get(state, "dtau_dv") == NULL) return;
  read_numbers(state, "dtau_dv", f->ref, n * n);
  for (int i = 0; i < n * n; i++) f->ref[i] /= 2;
  compare(f, "C", f->out, f->ref, n * n);
}

static void
check_matrices(vectors_t * f, const json_t * state)
{
  const int n = f->nv;
  if (json_object_get(state, "M") == NULL) return;
  assert_ok(mbd_mass_matrix(f->model, f->data, f->out));
  check(f, state, "M", f->out, n * n);
  assert_ok(mbd_mass_matrix_inverse(f->model, f->data, f->out));
  check(f, state, "Minv", f->out, n * n);
  check_coriolis(f, state);
}

static void
check_derivatives(vectors_t * f, const json_t * state)
{
  const mbd_model_t * m = f->model;
  const int n = f->nv;
  if (json_object_get(state, "dtau_dq") == NULL) return;
  double * work = calloc(mbd_derivatives_work(m) + (size_t)(4 * n * n + n), sizeof *work);
  assert_non_null(work);
  double *dq = work + mbd_derivatives_work(m), *dv = dq + n * n, *M = dv + n * n;
  assert_ok(mbd_inverse_dynamics_derivatives(m, f->data, f->q, f->v, f->a, NULL, work, dq, dv, M));
  check(f, state, "dtau_dq", dq, n * n);
  check(f, state, "dtau_dv", dv, n * n);
  check(f, state, "M", M, n * n);
  double * qdd = M + n * n;
  assert_ok(
    mbd_forward_dynamics_derivatives(m, f->data, f->q, f->v, f->tau, NULL, work, qdd, dq, dv, M));
  check(f, state, "dqdd_dq", dq, n * n);
  check(f, state, "dqdd_dv", dv, n * n);
  free(work);
}

static void
check_totals(vectors_t * f, const json_t * state)
{
  const mbd_model_t * m = f->model;
  double mass = 0, energy = 0, hg[6];
  mbd_vec3_t com;
  mbd_force_t momentum;
  if (json_object_get(state, "com") != NULL) {
    assert_ok(mbd_center_of_mass(m, f->data, &mass, &com));
    check(f, f->doc, "mass_moving", &mass, 1);
    check(f, state, "com", (double[]){com.x, com.y, com.z}, 3);
  }
  assert_ok(mbd_centroidal_momentum(m, f->data, &momentum));
  mbdu_force_to_linear_first(&momentum, hg);
  check(f, state, "hg", hg, 6);
  assert_ok(mbd_kinetic_energy(m, f->data, &energy));
  check(f, state, "kinetic_energy", &energy, 1);
  if (json_object_get(state, "potential_energy") == NULL) return;
  assert_ok(mbd_potential_energy(m, f->data, &energy));
  check(f, state, "potential_energy", &energy, 1);
}

//---------- links ----------

// 6 x nv, linear first
static void
jacobian_of(vectors_t * f, const char * link, double * J)
{
  int frame = -1;
  assert_ok(mbd_find_frame(f->model, link, &frame));
  assert_ok(mbd_jacobian(f->model, f->data, frame, aligned, J));
  mbdu_rows_swap(J, f->nv);
}

static double
largest(const double * a, int n)
{
  double x = 0;
  for (int i = 0; i < n; i++) x = fmax(x, fabs(a[i]));
  return x;
}

// max |A B A - A|, relative to A; all 6 x 6
static double
inverse_defect(const double * A, const double * B)
{
  double AB[36] = {0}, worst = 0;
  for (int k = 0; k < 216; k++) AB[k / 36 * 6 + k % 6] += A[k / 36 * 6 + k / 6 % 6] * B[k % 36];
  for (int i = 0; i < 36; i++) {
    double x = -A[i];
    for (int k = 0; k < 6; k++) x += AB[i / 6 * 6 + k] * A[6 * k + i % 6];
    worst = larger(worst, fabs(x));
  }
  return worst / largest(A, 36);
}

// rank is six where theirs is given, less where it is not; then it is a generalised inverse of the
// compliance
static void
check_lambda(vectors_t * f, const json_t * link, int frame)
{
  double inertia[36], compliance[36];
  int rank = -1;
  assert_ok(mbd_operational_space_inertia(f->model, f->data, frame, aligned, inertia, &rank));
  assert_ok(mbd_operational_space_compliance(f->model, f->data, frame, aligned, compliance));
  if (json_object_get(link, "Lambda") != NULL) {
    assert_int_equal(rank, 6);
    mbdu_blocks_swap(inertia);
    read_numbers(link, "Lambda", f->ref, 36);
    compare(f, "Lambda", inertia, f->ref, 36);
    return;
  }
  assert_in_range(rank, 0, 5);
  const double defect = inverse_defect(compliance, inertia);
  if (defect <= tolerance) return;  // not so if it is NaN
  f->mismatches++;
  print_error("%s, state %d: C Lambda C is off C by %.2g\n", f->name, f->state, defect);
}

static void
check_link(vectors_t * f, const json_t * link)
{
  const char * name = json_string_value(json_object_get(link, "link"));
  const mbd_model_t * m = f->model;
  int frame = -1;
  mbd_placement_t X;
  mbd_motion_t V;
  double six[6];
  assert_ok(mbd_find_frame(m, name, &frame));
  assert_ok(mbd_frame_placement(m, f->data, frame, &X));
  check(f, link, "p", (double[]){X.p.x, X.p.y, X.p.z}, 3);
  check(f, link, "R", X.R.m, 9);
  assert_ok(mbd_frame_velocity(m, f->data, frame, aligned, &V));
  mbdu_motion_to_linear_first(&V, six);
  check(f, link, "vel", six, 6);
  assert_ok(mbd_jacobian_bias(m, f->data, frame, aligned, &V));
  mbdu_motion_to_linear_first(&V, six);
  check(f, link, "Jdot_v", six, 6);
  jacobian_of(f, name, f->out);
  check(f, link, "J", f->out, 6 * f->nv);
  check_lambda(f, link, frame);
}

//---------- several tips at once ----------

// all tips as tasks, linear first; returns how many
static int
tip_tasks(vectors_t * f, const json_t * tips, mbd_task_t * task)
{
  const int n = (int)json_array_size(tips);
  for (int k = 0; k < n; k++) {
    int frame = -1;
    assert_ok(mbd_find_frame(f->model, json_string_value(json_array_get(tips, (size_t)k)), &frame));
    task[k] = mbdu_task_frame(frame, aligned);
    mbdu_rows_swap(&task[k].row[0][0], 6);
  }
  return n;
}

static void
check_tips(vectors_t * f, const json_t * state)
{
  const json_t * tips = json_object_get(f->doc, "tips");
  mbd_task_t task[16];
  assert_true(json_array_size(tips) <= 16);
  const mbd_tasks_t tasks = {tip_tasks(f, tips, task), task};
  const int n = mbd_task_rows(&tasks);
  double * work = calloc(mbd_task_work(f->model, &tasks), sizeof(double));
  assert_non_null(work);
  assert_true((size_t)(n * n) <= f->capacity);
  if (json_object_get(state, "Lambda_tips_inv")) {
    assert_ok(mbd_task_compliance(f->model, f->data, &tasks, f->out));
    check(f, state, "Lambda_tips_inv", f->out, n * n);
  }
  if (json_object_get(state, "Lambda_tips")) {
    mbd_task_info_t info;
    assert_ok(mbd_task_inertia(f->model, f->data, &tasks, NULL, work, f->out, &info));
    assert_int_equal(info.rank, n);
    check(f, state, "Lambda_tips", f->out, n * n);
  }
  free(work);
}

//---------- the tests ----------

static void
check_state(vectors_t * f, const json_t * state)
{
  check_keys(state);
  read_numbers(state, "q", f->q, f->model->nq);
  read_numbers(state, "v", f->v, f->nv);
  read_numbers(state, "a", f->a, f->nv);
  read_numbers(state, "tau", f->tau, f->nv);
  check_dynamics(f, state);
  check_matrices(f, state);
  check_derivatives(f, state);
  check_totals(f, state);
  const json_t * links = json_object_get(state, "links");
  for (size_t i = 0; i < json_array_size(links); i++) check_link(f, json_array_get(links, i));
  check_tips(f, state);
}

static void
agrees_with_pinocchio(void ** path)
{
  vectors_t f = vectors_open(*path);
  check_joints(&f);
  const json_t * list = json_object_get(f.doc, "states");
  const int n = (int)json_array_size(list);
  assert_true(n > 0);
  for (f.state = 0; f.state < n; f.state++) {
    check_state(&f, json_array_get(list, (size_t)f.state));
  }
  const int mismatches = f.mismatches;
  print_message(
    "             %-16s %3d dof, %d states, largest relative error %.1e (%s)\n", f.name, f.nv, n,
    f.worst, f.worst_key);
  vectors_close(&f);
  if (mismatches > 0) fail_msg("%d mismatches", mismatches);
}

// a file without a quantity passes: none of those that the repository has may be missing
static void
every_quantity_was_compared(void ** context)
{
  (void)context;
  for (int i = 0; i < nquantity; i++) {
    if (quantities[i].stored && quantities[i].compared == 0) {
      fail_msg("%s was never compared", quantities[i].key);
    }
  }
}

static void
print_table(void)
{
  print_message("\nlargest relative error of ours against Pinocchio, and the robot it is on\n");
  for (int i = 0; i < nquantity; i++) {
    const quantity_t * quantity = &quantities[i];
    if (quantity->compared == 0) continue;
    print_message("%-18s %8.1e  %s\n", quantity->key, quantity->worst, quantity->where);
  }
  print_message("allowed            %8.1e\n", tolerance);
}

enum { max_files = 128, max_path = 4096 };

// the tests of this program, one for each file
typedef struct file_list {
  int n;
  struct CMUnitTest test[max_files];
  char path[max_files][max_path];
} file_list_t;

static int
is_json(const struct dirent * entry)
{
  return strstr(entry->d_name, ".json") != NULL;
}

static int
add_folder(file_list_t * list, const char * folder)
{
  struct dirent ** entry = NULL;
  const int n = scandir(folder, &entry, is_json, alphasort);
  for (int i = 0; i < n; i++) {
    if (list->n < max_files - 1) {
      snprintf(list->path[list->n], max_path, "%s/%s", folder, entry[i]->d_name);
      list->test[list->n] = (struct CMUnitTest){
        .name = strrchr(list->path[list->n], '/') + 1,
        .test_func = agrees_with_pinocchio,
        .initial_state = list->path[list->n]};
      list->n++;
    }
    free(entry[i]);
  }
  free(entry);
  return n;
}

int
main(void)
{
  static file_list_t list;
  const char * own = MBDYN_SOURCE_DIR "/test/data/pinocchio";
  const char * given = getenv("MBDYN_VECTORS");
  if (add_folder(&list, own) < OWN_FILES) {
    fprintf(stderr, "%s: not the %d files of results that belong there\n", own, OWN_FILES);
    return 1;
  }
  if (given != NULL && *given != '\0' && add_folder(&list, given) <= 0) {
    fprintf(stderr, "MBDYN_VECTORS=%s: no results of Pinocchio there\n", given);
    return 1;
  }
  list.test[list.n++] = (struct CMUnitTest)cmocka_unit_test(every_quantity_was_compared);
  const int failed = _cmocka_run_group_tests("vectors", list.test, (size_t)list.n, NULL, NULL);
  print_table();
  return failed;
}
