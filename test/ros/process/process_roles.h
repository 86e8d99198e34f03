/// \file process_roles.h
/// What the helper processes of test_process do: the test program again, as `test role NAME ...`.
/// They print lines on standard output; so do their errors and log lines.
///
///   worker      "ready /NAME", then "signal N", then "closed"
///   ignorant    a worker whose parent left SIGINT and SIGHUP ignored
///   stubborn    is told again to end while it ends
///   finisher    ends itself from another thread; eager: before it waits; again: twice in a row
///   logger      THREADS threads log LINES lines each
///   mute        logs into a pipe that nobody reads
///   stuck       hangs between leave and close; stuck_close: in close
///   listener, talker   a talker that ends while its listener is frozen
#ifndef PROCESS_ROLES_H_
#define PROCESS_ROLES_H_

enum { THREADS = 4, LINES = 50 };

/// Exit code of a role whose watchdog had to end it.
enum { WATCHDOG_CODE = 7 };

/// \return the role's exit code, or -1 if this is not a role
int run_role(int argc, char ** argv);

#endif  // PROCESS_ROLES_H_
