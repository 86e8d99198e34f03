#define _GNU_SOURCE  // pipe2
#include "xacro.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 16 * 1024 * 1024 };  // of a URDF file

extern char ** environ;

bool
xacro_is(const char * path)
{
  const size_t n = strlen(path);
  return n > 6 && strcmp(path + n - 6, ".xacro") == 0;
}

// the program with its standard output in a pipe; false with errno
static bool
start(const char * path, pid_t * pid, int * from)
{
  char * safe = malloc(strlen(path) + 3);
  int pipes[2] = {-1, -1};
  posix_spawn_file_actions_t actions;
  int error = ENOMEM;
  if (safe && pipe2(pipes, O_CLOEXEC) != 0) error = errno;
  if (safe && pipes[0] >= 0 && posix_spawn_file_actions_init(&actions) == 0) {
    // a name that begins with a dash is no option
    sprintf(safe, "%s%s", *path == '-' ? "./" : "", path);
    char program[] = "xacro";
    char * argv[] = {program, safe, NULL};
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, pipes[1], 1);
    if (!error) error = posix_spawnp(pid, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
  }
  free(safe);
  if (pipes[1] >= 0) close(pipes[1]);
  if (error && pipes[0] >= 0) close(pipes[0]);
  *from = pipes[0];
  errno = error;
  return error == 0;
}

// all that it prints, up to one byte more than MOST; NULL with errno
static char *
read_all(int from, size_t * size)
{
  size_t capacity = 1 << 16;
  char * text = malloc(capacity);
  *size = 0;
  while (text && *size <= MOST) {
    const ssize_t n = read(from, text + *size, capacity - *size - 1);
    if (n == 0) break;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      free(text);
      return NULL;
    }
    *size += (size_t)n;
    if (*size < capacity - 1) continue;
    char * larger = realloc(text, capacity *= 2);
    if (!larger) free(text);
    text = larger;
  }
  if (text) text[*size] = 0;
  return text;
}

static int
wait_for(pid_t pid)
{
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

static void
say_not_started(const char * path, int error)
{
  if (error == ENOENT) {
    fprintf(
      stderr,
      "%s: is a xacro file, and the program xacro is not installed: install it (with ROS 2 the "
      "package "
      "ros-$ROS_DISTRO-xacro, without it `pip install xacro`), or run `xacro %s > robot.urdf` "
      "where it "
      "is, and pass robot.urdf\n",
      path, path);
  } else {
    fprintf(stderr, "%s: xacro does not start: %s\n", path, strerror(error));
  }
}

// false after a message, unless the program ended well
static bool
ended_well(const char * path, const char * text, size_t size, int status)
{
  if (!text) {
    fprintf(stderr, "%s: the output of xacro cannot be read: %s\n", path, strerror(errno));
  } else if (size > MOST) {
    fprintf(stderr, "%s: xacro prints more than %d bytes\n", path, (int)MOST);
  } else if (WIFSIGNALED(status)) {
    fprintf(stderr, "%s: xacro was ended by signal %d\n", path, WTERMSIG(status));
  } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    fprintf(
      stderr,
      "%s: xacro failed with exit code %d, its messages are above. Arguments: xacro %s NAME:=VALUE "
      "> "
      "robot.urdf, and pass robot.urdf\n",
      path, WEXITSTATUS(status), path);
  } else if (size == 0) {
    fprintf(stderr, "%s: xacro printed nothing\n", path);
  } else {
    return true;
  }
  return false;
}

char *
xacro_expand(const char * path, size_t * size)
{
  pid_t pid;
  int from;
  *size = 0;
  if (access(path, R_OK) != 0) {
    fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
    return NULL;
  }
  fflush(stdout);
  if (!start(path, &pid, &from)) {
    say_not_started(path, errno);
    return NULL;
  }
  char * text = read_all(from, size);
  const int error = errno;
  // what it still prints has nowhere to go: it ends by SIGPIPE
  close(from);
  const int status = wait_for(pid);
  errno = error;
  if (ended_well(path, text, *size, status)) return text;
  free(text);
  return NULL;
}
