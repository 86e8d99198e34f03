// Every public function of a model and a workspace: the workspace of another model, none, and NULL
// for each of the other pointers get an error, never a crash, and change nothing.
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/operators.h"
#include "model_data_calls.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "linkage.h"

// the spanning tree of a four-bar, two embeddings of it, and a workspace of each
typedef struct rig {
  mbd_model_t *tree, *model, *other;
  mbd_data_t *on, *data, *other_data;
  double q[3];
} rig_t;

static rig_t
rig_begin(void)
{
  rig_t r = {0};
  r.q[0] = 0.7;
  close_crank_rocker(r.q[0], &r.q[1], &r.q[2]);
  r.model = embed_with(crank_rocker(MBD_CLOSURE_REVOLUTE), r.q, "crank");
  r.tree = (mbd_model_t *)(uintptr_t)r.model->tree;
  assert_ok(mbd_model_rechoose(r.model, r.q, &r.other));
  assert_ok(mbd_data_create(r.tree, &r.on));
  assert_ok(mbd_data_create(r.model, &r.data));
  assert_ok(mbd_data_create(r.other, &r.other_data));
  calls_prepare(r.q, r.model->nq);
  assert_ok(mbd_sparsity_create(r.tree, &sparsity));
  nulled = 0;
  return r;
}

static void
rig_end(rig_t * r)
{
  mbd_sparsity_destroy(sparsity);
  mbd_data_destroy(r->on);
  mbd_data_destroy(r->data);
  mbd_data_destroy(r->other_data);
  mbd_model_destroy(r->other);
  mbd_model_destroy(r->model);
}

static void
set(const mbd_model_t * model, mbd_data_t * data)
{
  double numbers[8] = {0};
  assert_ok(mbd_set_position(model, data, q_in));
  assert_ok(mbd_set_velocity(model, data, in));
  assert_ok(mbd_forward_dynamics(model, data, NULL, NULL, in, NULL, numbers));
}

static void
expect(const call_t * call, mbd_status_t status, mbd_status_t expected, mbd_status_t or_else)
{
  if (status == expected || status == or_else) return;
  fail_msg(
    "%s returned %s, not %s", call->name, mbd_status_name(status), mbd_status_name(expected));
}

static void
no_workspace(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  for (int k = 0; k < ncalls; k++) {
    expect(
      &calls[k], calls[k].run(r.model, NULL), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
    expect(&calls[k], calls[k].run(r.tree, NULL), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
    expect(&calls[k], calls[k].run(NULL, r.data), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
    expect(&calls[k], calls[k].run(NULL, NULL), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
  }
  rig_end(&r);
}

// a function that takes no embedded models may say that first
static void
workspace_of_another_model(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  set(r.tree, r.on);
  set(r.model, r.data);
  set(r.other, r.other_data);
  const struct {
    const mbd_model_t * model;
    mbd_data_t * data;
  } pair[] = {{r.model, r.on},  {r.model, r.data->tree}, {r.model, r.other_data},
              {r.tree, r.data}, {r.other, r.on},         {r.other, r.data}};
  for (size_t p = 0; p < sizeof pair / sizeof *pair; p++) {
    mbd_data_t * data = pair[p].data;
    const mbd_data_t before = *data;
    double v[3];
    memcpy(v, data->v, (size_t)data->model->nv * sizeof *v);
    for (int k = 0; k < ncalls; k++) {
      expect(
        &calls[k], calls[k].run(pair[p].model, data), MBD_ERROR_MODEL_MISMATCH,
        pair[p].model->tree ? MBD_ERROR_UNSUPPORTED : MBD_ERROR_MODEL_MISMATCH);
      assert_memory_equal(&before, data, sizeof before);
      assert_memory_equal(v, data->v, (size_t)data->model->nv * sizeof *v);
    }
  }
  rig_end(&r);
}

// before any stage: an error, or a function that needs none
static void
new_workspace(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  int stage = 0;
  for (int k = 0; k < ncalls; k++) {
    for (int side = 0; side < 2; side++) {
      const mbd_model_t * model = side ? r.model : r.tree;
      mbd_data_t * data;
      assert_ok(mbd_data_create(model, &data));
      stage += calls[k].run(model, data) == MBD_ERROR_STAGE;
      mbd_data_destroy(data);
    }
  }
  // about half of the functions have the state as an argument or need none
  assert_true(stage > ncalls / 2);
  rig_end(&r);
}

// the same pointers are required whether the loops are embedded or not
static void
null_pointers(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  int refused = 0, done = 0;
  for (int k = 0; k < ncalls; k++) {
    for (int n = 0; n <= calls[k].pointers; n++) {
      nulled = 0;
      set(r.tree, r.on);
      set(r.model, r.data);
      nulled = n;
      const mbd_status_t open = calls[k].run(r.tree, r.on);
      const mbd_status_t embedded = calls[k].run(r.model, r.data);
      refused += embedded == MBD_ERROR_NULL_ARGUMENT;
      done += embedded == MBD_OK;
      if (open == MBD_ERROR_NULL_ARGUMENT) expect(&calls[k], embedded, open, MBD_ERROR_UNSUPPORTED);
    }
  }
  nulled = 0;
  assert_true(refused > 50 && done > 50);
  rig_end(&r);
}

// objects that were made for one model, with a workspace of another
static void
objects_with_another_workspace(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  set(r.tree, r.on);
  set(r.model, r.data);
  mbd_batch_t * batch;
  mbd_divide_t * divide;
  mbd_observer_t *of_tree, *of_model;
  const size_t size = mbd_observer_size(r.tree);
  void *memory = malloc(size), *more = malloc(mbd_observer_size(r.model));
  assert_ok(mbd_batch_create(r.tree, 1, &batch));
  assert_ok(mbd_divide_create(r.tree, 1, &divide));
  assert_ok(mbd_observer_init(r.tree, NULL, memory, size, &of_tree));
  assert_ok(mbd_observer_init(r.model, NULL, more, mbd_observer_size(r.model), &of_model));
  for (int k = 0; k < 2; k++) {
    const mbd_status_t want = k ? MBD_ERROR_NULL_ARGUMENT : MBD_ERROR_MODEL_MISMATCH;
    mbd_data_t *embedded = k ? NULL : r.data, *open = k ? NULL : r.on;
    mbd_force_t f;
    assert_status(mbd_batch_set_parameters_from(batch, embedded), want);
    assert_status(mbd_divide_forward_dynamics(divide, embedded, q_in, in, in, NULL, out[0]), want);
    assert_status(mbd_observer_update(of_tree, embedded, in, 0.01), want);
    assert_status(mbd_observer_wrench(of_tree, embedded, 0, MBD_LOCAL, &f), want);
    assert_status(mbd_observer_update(of_model, open, in, 0.01), want);
    assert_status(mbd_observer_wrench(of_model, open, 0, MBD_LOCAL, &f), want);
  }
  mbd_batch_destroy(batch);
  mbd_divide_destroy(divide);
  free(memory);
  free(more);
  rig_end(&r);
}

// functions that take trees alone are on the list in docs/loops.md
static void
refusals_are_documented(void ** state)
{
  (void)state;
  static char text[1 << 16];
  rig_t r = rig_begin();
  FILE * file = fopen(MBDYN_SOURCE_DIR "/docs/loops.md", "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  assert_true(size > 0 && size < sizeof text - 1);
  text[size] = 0;
  char * list = strstr(text, "### Functions for the spanning tree only");
  assert_non_null(list);
  *strstr(list, "## Cut joints") = 0;
  int refused = 0;
  for (int k = 0; k < ncalls; k++) {
    char quoted[64];
    set(r.model, r.data);
    const bool refuses = calls[k].run(r.model, r.data) == MBD_ERROR_UNSUPPORTED;
    snprintf(quoted, sizeof quoted, "`%s`", calls[k].name);
    const char * row = strstr(list, quoted);
    if (refuses && !row) fail_msg("%s is not in docs/loops.md", calls[k].name);
    refused += refuses;
  }
  assert_true(refused > 20);
  rig_end(&r);
}

//---------- flexible links ----------

// the four-bar cut open, its first link flexible
static mbd_model_t *
make_flexible(const rig_t * r)
{
  mbd_beam_spec_t beam = mbd_beam_spec_default();
  beam.bending_y = beam.bending_z = 50;
  beam.modes_y = beam.modes_z = 1;
  mbd_modal_body_t * body;
  mbd_model_t * model;
  assert_ok(mbd_beam_create(&beam, &body));
  const mbd_flexible_link_t link = {r->tree->body[0].link_frame, body, 0, NULL};
  assert_ok(mbd_model_with_flexible_links(r->tree, 1, &link, &model, NULL));
  mbd_modal_body_destroy(body);
  return model;
}

// with a state, without one, with NULL: as the tree, or refused; what is refused is in docs/flexible.md
static void
flexible_model(void ** state)
{
  (void)state;
  static char text[1 << 16];
  rig_t r = rig_begin();
  mbd_model_t * model = make_flexible(&r);
  FILE * file = fopen(MBDYN_SOURCE_DIR "/docs/flexible.md", "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char * list = strstr(text, "## Functions for rigid models only");
  assert_non_null(list);
  int done = 0, refused = 0, stage = 0;
  q_in[3] = 0.01, q_in[4] = -0.02;
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  for (int k = 0; k < ncalls; k++) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "`%s`", calls[k].name);
    mbd_data_t * fresh;
    assert_ok(mbd_data_create(model, &fresh));
    expect(&calls[k], calls[k].run(model, NULL), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NULL_ARGUMENT);
    expect(&calls[k], calls[k].run(model, r.on), MBD_ERROR_MODEL_MISMATCH, MBD_ERROR_UNSUPPORTED);
    set(r.tree, r.on);
    set(model, data);
    const mbd_status_t first = calls[k].run(model, fresh), open = calls[k].run(r.tree, r.on);
    const mbd_status_t status = calls[k].run(model, data);
    stage += first == MBD_ERROR_STAGE;
    done += status == MBD_OK;
    refused += status == MBD_ERROR_UNSUPPORTED;
    if (status == MBD_ERROR_UNSUPPORTED && !strstr(list, quoted)) {
      fail_msg("%s is not in docs/flexible.md", calls[k].name);
    }
    // the first link is deflected out of the plane of the loop: no joint closes it again
    const bool closes = strcmp(calls[k].name, "mbd_assemble") == 0;
    const mbd_status_t or_else = closes ? MBD_ERROR_NOT_ASSEMBLED : MBD_ERROR_UNSUPPORTED;
    if (open == MBD_OK) expect(&calls[k], status, MBD_OK, or_else);
    for (int n = 1; n <= calls[k].pointers; n++) {
      nulled = 0;
      set(r.tree, r.on);
      set(model, data);
      nulled = n;
      if (calls[k].run(r.tree, r.on) == MBD_ERROR_NULL_ARGUMENT) {
        expect(
          &calls[k], calls[k].run(model, data), MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_UNSUPPORTED);
      } else {
        (void)calls[k].run(model, data);
      }
    }
    nulled = 0;
    mbd_data_destroy(fresh);
  }
  print_message("%d done, %d refused, %d need a stage\n", done, refused, stage);
  assert_true(done > 60 && refused > 20 && stage > ncalls / 3);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
  rig_end(&r);
}

//---------- sizes and counts ----------

// of what does not exist there is nothing to count
static void
sizes_of_bad_arguments_are_zero(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  mbd_model_t * raw;
  assert_ok(mbd_model_create("not finalized", &raw));
  size_t (*const of_model[])(const mbd_model_t *) = {
    mbd_assembly_work,      mbd_constrained_work, mbd_data_size,
    mbd_derivatives_work,   mbd_diagonal_work,    mbd_free_flyer_work,
    mbd_zero_reaction_work, mbd_observer_size,    mbd_second_derivatives_work};
  for (size_t k = 0; k < sizeof of_model / sizeof *of_model; k++) {
    assert_int_equal(of_model[k](NULL), 0);
    assert_int_equal(of_model[k](raw), 0);
    assert_true(of_model[k](r.tree) > 0);
  }
  assert_int_equal(mbd_parameter_count(NULL, true), 0);
  assert_int_equal(mbd_parameter_count(raw, true), 0);
  assert_int_equal(mbd_aggregate_count(NULL), 0);
  assert_int_equal(mbd_contact_work(r.tree, -2), 0);
  assert_int_equal(mbd_contact_work(raw, 1), 0);
  assert_int_equal(mbd_spanning_tree_size(-2, 3), 0);
  assert_int_equal(mbd_spanning_tree_size(3, -2), 0);
  assert_int_equal(mbd_closure_rows((mbd_closure_type_t)-2), 0);
  assert_int_equal(mbd_closure_rows((mbd_closure_type_t)99), 0);
  mbd_sko_shape_t shape = {-1, 6, 1, 0, 6};
  assert_true(mbd_sko_size(1, &shape) > 0);
  assert_int_equal(mbd_sko_size(-2, &shape), 0);
  shape.slot = shape.rows = 0x7fffffff;
  assert_int_equal(mbd_sko_size(1, &shape), 0);
  mbd_batch_t * batch;
  assert_ok(mbd_batch_create(r.tree, 1, &batch));
  assert_int_equal(mbd_batch_soa_size(batch, -2, 3), 0);
  assert_int_equal(mbd_batch_soa_size(NULL, 2, 3), 0);
  mbd_batch_destroy(batch);
  mbd_model_destroy(raw);
  rig_end(&r);
}

static void
rows_of_bad_tasks_are_zero(void ** state)
{
  (void)state;
  rig_t r = rig_begin();
  mbd_model_t * raw;
  assert_ok(mbd_model_create("not finalized", &raw));
  set(r.model, r.data);
  mbd_task_t two[2] = {mbdu_task_frame(0, MBD_LOCAL), mbdu_task_position(0, MBD_LOCAL)};
  const mbd_tasks_t good = {2, two}, none = {0, NULL};
  assert_int_equal(mbd_task_rows(&good), 9);
  assert_true(mbd_task_work(r.model, &good) > 0);
  assert_int_equal(mbd_task_rows(&none), 0);
  assert_int_equal(mbd_task_rows(NULL), 0);
  assert_int_equal(mbd_task_work(r.model, NULL), 0);
  assert_int_equal(mbd_task_work(NULL, &good), 0);
  assert_int_equal(mbd_task_work(raw, &good), 0);
  // lists that every function of tasks refuses
  const mbd_tasks_t negative = {-2, two}, missing = {2, NULL};
  const struct {
    const mbd_tasks_t * tasks;
    int nrow;  // of the second task
  } bad[] = {{&negative, 3}, {&missing, 3}, {&good, -2}, {&good, 7}, {&good, 0}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    two[1].nrow = bad[k].nrow;
    assert_true(mbd_task_jacobian(r.model, r.data, bad[k].tasks, out[0]) != MBD_OK);
    assert_int_equal(mbd_task_rows(bad[k].tasks), 0);
    assert_int_equal(mbd_task_work(r.model, bad[k].tasks), 0);
  }
  mbd_model_destroy(raw);
  rig_end(&r);
}

//---------- the table has them all ----------

static bool
in_table(const char * name, size_t length)
{
  for (int k = 0; k < ncalls; k++) {
    if (strlen(calls[k].name) == length && strncmp(calls[k].name, name, length) == 0) return true;
  }
  return false;
}

// functions of the header that take a model and a workspace first
static int
look_through(const char * path)
{
  static char text[1 << 17];
  static const char model[] = "const mbd_model_t * ", data[] = ", mbd_data_t * ";
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t size = fread(text, 1, sizeof text - 1, file);
  assert_true(size < sizeof text - 1);
  text[size] = 0;
  fclose(file);
  int found = 0;
  for (const char * at = strstr(text, model); at; at = strstr(at + 1, model)) {
    const char * end = at + strlen(model);
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    if (strncmp(end, data, strlen(data)) != 0) continue;
    const char * open = at;
    while (open > text && isspace((unsigned char)open[-1])) open--;
    // a type of functions of the caller has its context first
    if (open == text || open[-1] != '(') continue;
    const char * name = --open;
    while (isalnum((unsigned char)name[-1]) || name[-1] == '_') name--;
    if (!in_table(name, (size_t)(open - name))) {
      fail_msg("%.*s is not in model_data_calls.h", (int)(open - name), name);
    }
    found++;
  }
  return found;
}

static void
table_has_every_function_of_the_headers(void ** state)
{
  (void)state;
  glob_t headers;
  int found = 0;
  const char * folder = MBDYN_SOURCE_DIR "/mbdyn_core/include/mbdyn";
  char pattern[1024];
  for (int deep = 0; deep < 2; deep++) {
    snprintf(pattern, sizeof pattern, "%s/%s*.h", folder, deep ? "*/" : "");
    assert_int_equal(glob(pattern, deep ? GLOB_APPEND : 0, NULL, &headers), 0);
  }
  for (size_t k = 0; k < headers.gl_pathc; k++) found += look_through(headers.gl_pathv[k]);
  globfree(&headers);
  assert_int_equal(found, ncalls);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(table_has_every_function_of_the_headers),
    cmocka_unit_test(no_workspace),
    cmocka_unit_test(workspace_of_another_model),
    cmocka_unit_test(new_workspace),
    cmocka_unit_test(null_pointers),
    cmocka_unit_test(objects_with_another_workspace),
    cmocka_unit_test(refusals_are_documented),
    cmocka_unit_test(flexible_model),
    cmocka_unit_test(sizes_of_bad_arguments_are_zero),
    cmocka_unit_test(rows_of_bad_tasks_are_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
