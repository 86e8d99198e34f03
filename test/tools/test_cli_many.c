// `mbdyn eval` of many states: through the batch, in blocks, by several threads. Every state must
// come out as if it were alone, which goes neither through the batch nor through threads.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arm.h"
#include "cli.h"
#include "close.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

//---------- states ----------

typedef struct text {
  char * data;
  size_t size;
  FILE * file;
} text_t;

static FILE *
open_text(text_t * text)
{
  *text = (text_t){0};
  text->file = open_memstream(&text->data, &text->size);
  assert_non_null(text->file);
  return text->file;
}

static char *
close_text(text_t * text)
{
  assert_int_equal(fclose(text->file), 0);
  return text->data;
}

// n numbers that nobody expects, the same for the same seed
static void
put_numbers(FILE * file, const char * key, int n, double scale, int seed)
{
  fprintf(file, "\"%s\": [", key);
  for (int i = 0; i < n; i++) {
    fprintf(file, "%s%.17g", i ? ", " : "", scale * sin(12.9898 * seed + 78.233 * i + 1));
  }
  fputs("]", file);
}

typedef struct robot {
  const char * urdf;
  const char * base;
  const char * frame[3];
  int nq, nv;              // nq = 0: the finger
  const char * wrench_on;  // every third state has one; NULL: none
} robot_t;

static const robot_t ARM7 = {ROBOTS "arm7.urdf", "fixed", {"tool", "link4", NULL}, 7, 7, "tool"};
static const robot_t QUADRUPED = {ROBOTS "quadruped.urdf", "floating", {NULL}, 19, 18, NULL};
// of a robot with loops the joint that moves them is given, by name
static const robot_t FINGER = {ROBOTS "finger.urdf", "fixed", {"distal", "rod", NULL}, 0, 1, NULL};

static void
put_state(FILE * file, const robot_t * r, int k)
{
  fputs("{", file);
  if (r->nq == 0) {
    fprintf(file, "\"q\": {\"knuckle\": %.17g}, \"v\": {\"knuckle\": 1}", 0.02 * k);
  } else {
    // rotations of a free base are normalised
    put_numbers(file, "q", r->nq, 0.9, 4 * k);
    fputs(", ", file);
    put_numbers(file, "v", r->nv, 1.5, 4 * k + 1);
    fputs(", ", file);
    put_numbers(file, "a", r->nv, 3, 4 * k + 2);
    fputs(", ", file);
    put_numbers(file, "tau", r->nv, 20, 4 * k + 3);
  }
  if (r->wrench_on && k % 3 == 0) {
    fprintf(file, ", \"f_ext\": {\"%s\": [1, -2, %d, 0.1, 0.2, -0.3]}", r->wrench_on, k);
  }
  fputs("}", file);
}

static char *
states_text(const robot_t * r, int from, int to)
{
  text_t text;
  FILE * file = open_text(&text);
  fputs("{\"states\": [", file);
  for (int k = from; k < to; k++) {
    if (k > from) fputs(",\n", file);
    put_state(file, r, k);
  }
  fputs("]}", file);
  return close_text(&text);
}

// what eval says of the states from..to-1
static run_t
eval_states(const robot_t * r, int from, int to, const char * threads)
{
  const char * args[32] = {"eval", r->urdf, "--base", r->base, "--with", "friction,rotors"};
  int n = 6;
  for (int i = 0; r->frame[i]; i++) args[n++] = "--frame", args[n++] = r->frame[i];
  if (threads) args[n++] = "--threads", args[n++] = threads;
  char * input = states_text(r, from, to);
  run_t run = run_cli(input, NULL, args);
  free(input);
  if (run.code != 0) fail_msg("%s: exit code %d: %s", r->urdf, run.code, run.err);
  return run;
}

static json_t *
parse(const run_t * run)
{
  json_error_t error;
  json_t * root = json_loads(run->out, 0, &error);
  if (!root) fail_msg("line %d: %s", error.line, error.text);
  return root;
}

//---------- comparison ----------

// numbers of a value, largest first: what an entry of a matrix is measured by
static double
largest(const json_t * x)
{
  if (json_is_number(x)) return fabs(json_number_value(x));
  double most = 0;
  for (size_t i = 0; json_is_array(x) && i < json_array_size(x); i++) {
    most = fmax(most, largest(json_array_get(x, i)));
  }
  return most;
}

static void
expect_numbers(const json_t * x, const json_t * y, double scale, const char * key)
{
  assert_int_equal(json_typeof(x), json_typeof(y));
  if (json_is_array(x)) {
    assert_int_equal(json_array_size(x), json_array_size(y));
    for (size_t i = 0; i < json_array_size(x); i++) {
      expect_numbers(json_array_get(x, i), json_array_get(y, i), scale, key);
    }
  } else if (json_is_number(x)) {
    const double a = json_number_value(x), b = json_number_value(y);
    if (!(fabs(a - b) <= 1e-11 * (1 + scale))) fail_msg("%s: %.17g, alone %.17g", key, a, b);
  } else {
    assert_true(json_equal(x, y));
  }
}

static void
expect_same(const json_t * x, const json_t * y)
{
  const char * key;
  json_t * value;
  assert_int_equal(json_object_size(x), json_object_size(y));
  json_object_foreach((json_t *)x, key, value)
  {
    const json_t * other = json_object_get(y, key);
    assert_non_null(other);
    if (json_is_object(value))
      expect_same(value, other);
    else
      expect_numbers(value, other, largest(other), key);
  }
}

// state k of a document is the state alone
static void
expect_state(const robot_t * r, const json_t * root, int k)
{
  run_t alone = eval_states(r, k, k + 1, "1");
  json_t * one = parse(&alone);
  expect_same(
    json_array_get(json_object_get(root, "states"), (size_t)k),
    json_array_get(json_object_get(one, "states"), 0));
  json_decref(one);
  run_free(&alone);
}

//---------- tests ----------

// also with wrenches, which the batch does not take, friction, rotors and several frames
static void
each_state_is_as_if_alone(void ** state)
{
  (void)state;
  const robot_t * const robots[3] = {&ARM7, &QUADRUPED, &FINGER};
  for (int i = 0; i < 3; i++) {
    run_t run = eval_states(robots[i], 0, 11, NULL);
    json_t * root = parse(&run);
    assert_int_equal(json_array_size(json_object_get(root, "states")), 11);
    for (int k = 0; k < 11; k++) expect_state(robots[i], root, k);
    json_decref(root);
    run_free(&run);
  }
}

// the text is the same to the last digit
static void
threads_do_not_matter(void ** state)
{
  (void)state;
  static const char * const THREADS[] = {"2", "3", "16", NULL};
  run_t one = eval_states(&QUADRUPED, 0, 100, "1");
  for (int i = 0; i < 4; i++) {
    run_t run = eval_states(&QUADRUPED, 0, 100, THREADS[i]);
    assert_string_equal(run.out, one.out);
    run_free(&run);
  }
  run_free(&one);
}

static robot_t
two_links(void)
{
  return (robot_t){"arm.urdf", "fixed", {NULL}, 2, 2, NULL};
}

// more states than a block has, in order
static void
blocks_follow_each_other(void ** state)
{
  (void)state;
  const robot_t arm = two_links();
  static const int LOOK_AT[] = {0, 1, 511, 512, 513, 1023, 1024, 1299};
  run_t run = eval_states(&arm, 0, 1300, "2");
  json_t * root = parse(&run);
  assert_int_equal(json_array_size(json_object_get(root, "states")), 1300);
  for (size_t i = 0; i < sizeof LOOK_AT / sizeof LOOK_AT[0]; i++) {
    expect_state(&arm, root, LOOK_AT[i]);
  }
  json_decref(root);
  run_free(&run);
}

// the first bad one is named, wherever it is, and nothing is written
static void
bad_states_are_named(void ** state)
{
  (void)state;
  text_t text;
  FILE * file = open_text(&text);
  fputs("{\"states\": [{}", file);
  for (int k = 1; k < 900; k++) {
    fputs(k == 700 || k == 820 ? ", {\"v\": [1e200, 1e200]}" : ", {\"q\": [0.1, 0.2]}", file);
  }
  fputs("]}", file);
  char * input = close_text(&text);
  run_t run = RUN(input, "eval", "arm.urdf", "--threads", "4");
  assert_int_equal(run.code, 2);
  assert_string_equal(run.out, "");
  assert_contains(run.err, "states[700]: ");
  assert_null(strstr(run.err, "states[820]"));
  run_free(&run);
  free(input);
}

static void
threads_must_be_a_number(void ** state)
{
  (void)state;
  static const char * const BAD[] = {"0", "-1", "two", "1.5", "", "257"};
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    run_t run = RUN("{\"states\": [{}]}", "eval", "arm.urdf", "--threads", BAD[i]);
    assert_int_equal(run.code, 2);
    assert_contains(run.err, "a whole number from 1 to 256");
    run_free(&run);
  }
}

//---------- the temporary file ----------

// eval of many states after a shell command, with what it says in err.txt; the exit code
static int
eval_after(const char * before)
{
  char command[1000];
  snprintf(
    command, sizeof command,
    "%s exec '" MBDYN_CLI
    "' eval arm.urdf --input many.json > out.txt "
    "2> err.txt",
    before);
  const int status = system(command);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void
expect_file(const char * name, const char * fragment)
{
  char text[2000] = "";
  FILE * file = fopen(name, "r");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  if (fragment)
    assert_contains(text, fragment);
  else
    assert_int_equal(n, 0);
}

// results wait in TMPDIR: no directory, no room, and nothing is left there
static void
results_wait_in_a_temporary_file(void ** state)
{
  (void)state;
  const robot_t arm = two_links();
  char * input = states_text(&arm, 0, 1300);
  write_file("many.json", input);
  free(input);
  assert_int_equal(eval_after("TMPDIR=no/such"), 2);
  expect_file("out.txt", NULL);
  expect_file("err.txt", "mbdyn eval: temporary file in no/such: cannot be written: No such file");
  // a limit of its size is as good as a full disk
  assert_int_equal(eval_after("trap '' XFSZ; ulimit -f 100; TMPDIR=."), 2);
  expect_file("out.txt", NULL);
  expect_file("err.txt", "mbdyn eval: temporary file in .: cannot be written: File too large");
  assert_int_equal(mkdir("waits", 0700), 0);
  assert_int_equal(eval_after("TMPDIR=waits"), 0);
  expect_file("out.txt", "\"model\": {");
  assert_int_equal(rmdir("waits"), 0);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_state_is_as_if_alone), cmocka_unit_test(threads_do_not_matter),
    cmocka_unit_test(blocks_follow_each_other),  cmocka_unit_test(bad_states_are_named),
    cmocka_unit_test(threads_must_be_a_number),  cmocka_unit_test(results_wait_in_a_temporary_file),
  };
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
