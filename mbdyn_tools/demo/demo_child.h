/// \file demo_child.h
/// Programs that the demo starts beside itself, and the corner of the network that is theirs.
///
///   demo_domain          a free ROS domain on loopback, unless the user has set one
///   demo_child_find      a program next to this one, installed or in a build tree
///   demo_child_start     in a process group of its own; what it prints goes to a file
///   demo_child_alive     false once it has ended
///   demo_child_explain   how it ended, and the last lines that it printed
///   demo_child_end       SIGINT, then wait with a timeout
///   demo_processor_time  how long the threads of a process ran and waited for a processor
#ifndef DEMO_CHILD_H_
#define DEMO_CHILD_H_

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

typedef struct demo_child {
  const char * name;
  pid_t pid;   ///< 0 if it does not run
  int status;  ///< of waitpid, once it has ended
  char log[PATH_MAX];
} demo_child_t;

/// Sets ROS_DOMAIN_ID and CYCLONEDDS_URI where they are not set. Nobody else who asks so gets the
/// domain until this process ends.
/// \return the domain; -1 if the user's is not a number
int demo_domain(void);

/// \param[in] places  folders seen from that of this program, the first fit counts; NULL ends them
bool demo_child_find(const char * name, const char * const * places, char path[PATH_MAX]);

/// \param[in] folder  for its output, NAME.log
/// \param[in] argv    ends with NULL; argv[0] is the path
/// \return false after a message on stderr
bool demo_child_start(
  demo_child_t * child, const char * name, const char * folder, char * const * argv);

bool demo_child_alive(demo_child_t * child);
void demo_child_explain(const demo_child_t * child, FILE * to);

/// Kills it if it does not go by itself in three seconds.
/// \return true if it ended by itself, with exit code 0
bool demo_child_end(demo_child_t * child);

/// Adds the times of all threads of a process [ns]; nothing where the kernel does not tell.
void demo_processor_time(pid_t pid, int64_t * ran, int64_t * waited);

#endif  // DEMO_CHILD_H_
