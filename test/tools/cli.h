/// \file cli.h
/// Running the `mbdyn` program in tests, in a directory of its own with some robots in it.
///
///   cli_setup, cli_teardown    the directory; current while the tests of a group run
///   RUN, run_cli               the program with these arguments; what it printed and returned
///   parse_output               its output as JSON
///   numbers_at                 numbers at a path, e.g. "states/0/mass_matrix"
#ifndef CLI_H_
#define CLI_H_

#include <jansson.h>
#include <stddef.h>

/// Robots that cli_setup writes: arm.urdf (two links, closed form in arm.h), mimic.urdf,
/// massless.urdf (a moving link without inertia), broken.urdf (errors), rigid.urdf (cannot move).
int cli_setup(void ** state);
int cli_teardown(void ** state);

/// Write a file into the current directory.
void write_file(const char * name, const char * text);

typedef struct run {
  int code;  ///< exit code, or -1 if it did not exit by itself
  char * out;
  char * err;
} run_t;

/// Run the program.
/// \param[in] input   its standard input
/// \param[in] output  file for its standard output, e.g. "/dev/full"; NULL: run_t.out
/// \param[in] args    after the program's name, ends with NULL
run_t run_cli(const char * input, const char * output, const char * const * args);
void run_free(run_t * run);

#define RUN(input, ...) run_cli(input, NULL, (const char * const[]){__VA_ARGS__, NULL})

/// Run, expect exit code 0, parse the output. Fails the test with what was printed otherwise.
json_t * run_json(const char * input, const char * const * args);

#define EVAL(input, ...) \
  run_json(input, (const char * const[]){"eval", "arm.urdf", __VA_ARGS__, NULL})

/// The value at a path of keys and indices separated by '/'. Fails the test if there is none.
const json_t * value_at(const json_t * root, const char * path);

/// Exactly n numbers at a path: a number, a list, or a list of rows.
void numbers_at(const json_t * root, const char * path, double * x, size_t n);

/// Fail unless the text contains the fragment.
void assert_contains_(const char * text, const char * fragment, const char * file, int line);

#define assert_contains(text, fragment) assert_contains_(text, fragment, __FILE__, __LINE__)

#endif  // CLI_H_
