// `mbdyn convert`: URDF and MJCF from each other, and what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "close.h"

#define MJCF MBDYN_SOURCE_DIR "/test/data/mjcf/"
#define ARM  MBDYN_SOURCE_DIR "/config/robots/arm6.urdf"

// same torques from a file and from what it was converted to, given on standard input
static void
torques_stay(void ** state)
{
  (void)state;
  static const char * const formats[] = {"mjcf", "urdf"};
  static const char states[] =
    "{\"states\": [{\"q\": [0.1, -0.7, 0.3, 1.4, 0.5, -0.6], \"v\": [1, -2, 0.3, 0.4, 0.5, 0.6], "
    "\"a\": [1, 2, -3, 4, 5, 6]}]}";
  const char * from = ARM;
  char path[2][64] = {"convert_test.xml", "convert_test.urdf"};
  double first[6], tau[6];
  json_t * one = run_json(states, (const char * const[]){"eval", ARM, NULL});
  numbers_at(one, "states/0/tau", first, 6);
  json_decref(one);
  for (int k = 0; k < 2; k++) {
    run_t run = run_cli(
      "", NULL, (const char * const[]){"convert", from, "--to", formats[k], "-o", path[k], NULL});
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    run_free(&run);
    json_t * two = run_json(states, (const char * const[]){"eval", path[k], NULL});
    numbers_at(two, "states/0/tau", tau, 6);
    json_decref(two);
    assert_close(tau, first, 6, 1e-12, "torques of %s", path[k]);
    from = path[k];
  }
}

static void
refusals(void ** state)
{
  (void)state;
  static const struct {
    const char * args[8];
    int code;
    const char * says;
  } rows[] = {
    {{"convert", ARM, NULL}, 2, "missing format: give --to urdf or --to mjcf"},
    {{"convert", ARM, "--to", "sdf", NULL}, 2, "urdf or mjcf"},
    {{"convert", "nowhere.xml", "--to", "urdf", NULL}, 2, "nowhere.xml"},
    {{"convert", ARM, "--to", "mjcf", "-o", "/nowhere/a.xml", NULL}, 2, "/nowhere/a.xml"},
    {{"convert", MJCF "ball.xml", "--to", "urdf", NULL},
     1,
     "joint 'shoulder': URDF has no joint of this type"},
    {{"convert", MJCF "reference.xml", "--to", "urdf", "--strict", NULL}, 1, "URDF has no springs"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    run_t run = run_cli("", NULL, rows[k].args);
    if (run.code != rows[k].code) print_error("%s: exit code %d\n", rows[k].says, run.code);
    assert_int_equal(run.code, rows[k].code);
    assert_contains(run.err, rows[k].says);
    assert_string_equal(run.out, "");
    run_free(&run);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(torques_stay), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, cli_setup, cli_teardown);
}
