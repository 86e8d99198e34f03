// The helper processes of the tests: what has ended is never looked at again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process.h"

// a process_t on a stack that is used for something else afterwards: where its pid was there is that
// of a process that has nothing to do with it
static void
an_ended_process_is_forgotten(void ** state)
{
  (void)state;
  const pid_t bystander = fork();
  assert_true(bystander >= 0);
  if (bystander == 0) {
    pause();
    _exit(0);
  }
  process_t process;
  process_start(&process, (const char * const[]){"/bin/true", NULL});
  assert_int_equal(process_end(&process, 0, 5000), 0);
  memset(&process, 0, sizeof process);
  process.pid = bystander;
  process.out = -1;
  process_kill_all(NULL);
  int status = 0;
  assert_int_equal(waitpid(bystander, &status, WNOHANG), 0);
  kill(bystander, SIGKILL);
  assert_int_equal(waitpid(bystander, &status, 0), bystander);
}

// one that is still there is ended, and can be started again
static void
a_running_process_is_ended(void ** state)
{
  (void)state;
  static process_t process;
  for (int i = 0; i < 100; i++) {
    process_start(&process, (const char * const[]){"/bin/sleep", "60", NULL});
    const pid_t pid = process.pid;
    process_kill_all(NULL);
    assert_int_equal(process.pid, 0);
    assert_int_equal(kill(pid, 0), -1);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_ended_process_is_forgotten),
    cmocka_unit_test(a_running_process_is_ended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
