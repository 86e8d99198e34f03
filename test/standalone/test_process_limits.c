// Limits of the process that are too low for DDS: an error that says which and what to do, where
// Cyclone would abort. Each try in a process of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { MADE = 0, REFUSED = 3, MEGABYTE = 1024 * 1024 };

static rlim_t
address_space(void)
{
  FILE * file = fopen("/proc/self/statm", "r");
  unsigned long pages = 0;
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%lu", &pages), 1);
  fclose(file);
  return pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

// in the child: a node, or the error on that descriptor
static void
make_node(int out)
{
  rcl_allocator_t allocator = rcl_get_default_allocator();
  rclc_support_t support;
  rcl_node_t node = rcl_get_zero_initialized_node();
  const rcl_node_options_t options = rcl_node_get_default_options();
  rcl_ret_t ret = rclc_support_init(&support, 0, NULL, &allocator);
  if (ret == RCL_RET_OK) ret = rcl_node_init(&node, "limited", "", &support.context, &options);
  if (ret == RCL_RET_OK) _exit(MADE);
  const rcl_error_string_t error = rcl_get_error_string();
  _exit(write(out, error.str, strlen(error.str)) > 0 ? REFUSED : 4);
}

// exit code, or 128 + signal
static int
node_under_limit(int resource, rlim_t limit, char * text, size_t size)
{
  int ends[2], status = 0;
  assert_int_equal(pipe(ends), 0);
  const pid_t pid = fork();
  assert_true(pid >= 0);
  if (pid == 0) {
    const struct rlimit low = {limit, limit};
    if (setrlimit(resource, &low) != 0) _exit(5);
    make_node(ends[1]);
  }
  close(ends[1]);
  const ssize_t n = read(ends[0], text, size - 1);
  text[n > 0 ? n : 0] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// from what cannot be enough to what is: refused, then made, and never killed
static void
sweep(int resource, rlim_t from, rlim_t step, int steps, const char * name, const char * advice)
{
  char text[2048];
  int made = 0, refused = 0;
  for (int i = 0; i < steps; i++) {
    const int code = node_under_limit(resource, from + (rlim_t)i * step, text, sizeof text);
    if (code == MADE) {
      made++;
    } else if (code == REFUSED) {
      refused++;
      assert_int_equal(made, 0);
      if (!strstr(text, name) || !strstr(text, advice)) fail_msg("step %d: %s", i, text);
    } else {
      fail_msg("step %d of %s: ended with %d", i, name, code);
    }
  }
  print_message("%s: %d refused, %d made\n", name, refused, made);
  assert_true(made > 0 && refused > 0);
}

static void
test_descriptors(void ** state)
{
  (void)state;
  // those of the test itself are open in the child
  sweep(RLIMIT_NOFILE, 6, 3, 14, "RLIMIT_NOFILE", "ulimit -n");
}

static void
test_address_space(void ** state)
{
  (void)state;
  sweep(RLIMIT_AS, address_space() + 2 * MEGABYTE, 40 * MEGABYTE, 26, "RLIMIT_AS", "ulimit -v");
}

int
main(void)
{
  own_domain();
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_descriptors), cmocka_unit_test(test_address_space)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
