#include "process.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_DOMAIN = 100, DOMAINS = 50, MAX_PROCESSES = 64 };

static const char loopback[] =
  "<CycloneDDS><Domain Id=\"any\"><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
  "<AllowMulticast>false</AllowMulticast></General><Discovery>"
  "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>20</MaxAutoParticipantIndex>"
  "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>";

static process_t * processes[MAX_PROCESSES];

int64_t
now_ns(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void
sleep_ms(int milliseconds)
{
  poll(NULL, 0, milliseconds);
}

//---------- domain ----------

// a TCP port stands for the domain: who listens there has it, and the kernel takes it back
static bool
claim(int domain)
{
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    .sin_port = htons((uint16_t)(7400 + 250 * domain))};
  int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0) return true;
  close(fd);
  return false;
}

int
own_domain(void)
{
  const char * parents = getenv("TEST_DOMAIN");
  if (parents != NULL) return atoi(parents);
  int domain = FIRST_DOMAIN + getpid() % DOMAINS;
  for (int i = 0; i < DOMAINS && !claim(domain); i++) {
    domain = FIRST_DOMAIN + (domain - FIRST_DOMAIN + 1) % DOMAINS;
  }
  char text[16];
  snprintf(text, sizeof text, "%d", domain);
  setenv("TEST_DOMAIN", text, 1);
  setenv("ROS_DOMAIN_ID", text, 1);
  setenv("CYCLONEDDS_URI", loopback, 1);
  unsetenv("ROS_LOCALHOST_ONLY");
  return domain;
}

//---------- processes ----------

static void
remember(process_t * process)
{
  for (int i = 0; i < MAX_PROCESSES; i++) {
    if (processes[i] != NULL && processes[i] != process) continue;
    processes[i] = process;
    return;
  }
}

// what has ended is its caller's again, and may be gone: nothing here may look at it, least of all
// signal what happens to be where its pid was
static void
forget(const process_t * process)
{
  for (int i = 0; i < MAX_PROCESSES; i++) {
    if (processes[i] == process) processes[i] = NULL;
  }
}

void
process_start(process_t * process, const char * const * argv)
{
  int ends[2];
  memset(process, 0, sizeof *process);
  if (pipe2(ends, O_CLOEXEC) != 0) abort();
  fflush(NULL);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    dup2(ends[1], STDOUT_FILENO);
    execv(argv[0], (char * const *)(uintptr_t)argv);
    _exit(127);
  }
  if (child < 0) abort();  // kill(-1) would be for everybody
  close(ends[1]);
  process->pid = child;
  process->out = ends[0];
  remember(process);
}

static bool
line_from_text(process_t * process, char * line, size_t size)
{
  char * newline = memchr(process->text, '\n', process->length);
  if (newline == NULL) return false;
  size_t length = (size_t)(newline - process->text);
  snprintf(line, size, "%.*s", (int)length, process->text);
  process->length -= length + 1;
  memmove(process->text, newline + 1, process->length);
  return true;
}

bool
process_line(process_t * process, char * line, size_t size, int milliseconds)
{
  int64_t end = now_ns() + (int64_t)milliseconds * 1000000;
  line[0] = '\0';
  while (!line_from_text(process, line, size)) {
    int64_t left = (end - now_ns()) / 1000000;
    struct pollfd fd = {.fd = process->out, .events = POLLIN};
    if (left <= 0 || poll(&fd, 1, (int)left) <= 0) return false;
    size_t capacity = sizeof process->text - process->length;
    ssize_t n = read(process->out, process->text + process->length, capacity);
    if (n <= 0) return false;
    process->length += (size_t)n;
  }
  return true;
}

int
process_wait(pid_t pid, int signal, int milliseconds)
{
  if (signal != 0) kill(pid, signal);
  int64_t end = now_ns() + (int64_t)milliseconds * 1000000;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (now_ns() > end) kill(pid, SIGKILL);
    sleep_ms(1);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
process_end(process_t * process, int signal, int milliseconds)
{
  if (process->pid <= 0) return -1;
  int code = process_wait(process->pid, signal, milliseconds);
  close(process->out);
  process->pid = 0;
  forget(process);
  return code;
}

int
process_run(const char * const * argv, char * output, size_t size)
{
  enum { SILENCE_MS = 60000, END_MS = 10000 };
  process_t process;
  char line[512];
  size_t n = 0;
  process_start(&process, argv);
  if (size > 0) output[0] = '\0';
  while (process_line(&process, line, sizeof line, SILENCE_MS)) {
    if (n < size) n += (size_t)snprintf(output + n, size - n, "%s\n", line);
  }
  return process_end(&process, 0, END_MS);
}

int
process_kill_all(void ** state)
{
  (void)state;
  for (int i = 0; i < MAX_PROCESSES; i++) {
    if (processes[i] != NULL) process_end(processes[i], SIGKILL, 1000);
    processes[i] = NULL;
  }
  return 0;
}

//---------- programs with files ----------

extern char ** environ;

pid_t
process_spawn(
  const char * program, const char * const * args, char * const * environment, const char * in,
  const char * out, const char * err)
{
  enum { MOST = 32 };
  char * argv[MOST] = {(char *)"mbdyn"};
  for (int i = 0; args[i] != NULL; i++) {
    if (i + 2 >= MOST) abort();
    argv[i + 1] = (char *)(uintptr_t)args[i];
  }
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, in, O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, flags, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err, flags, 0600);
  pid_t pid;
  if (posix_spawn(&pid, program, &files, NULL, argv, environment ? environment : environ) != 0) {
    fprintf(stderr, "cannot start %s\n", program);
    abort();
  }
  posix_spawn_file_actions_destroy(&files);
  return pid;
}

char *
file_text(const char * path)
{
  FILE * file = fopen(path, "rb");
  if (file == NULL) return NULL;
  size_t size = 0, capacity = 1 << 16;
  char * text = malloc(capacity);
  while (text != NULL && (size += fread(text + size, 1, capacity - size, file)) == capacity) {
    text = realloc(text, capacity *= 2);
  }
  fclose(file);
  if (text == NULL) abort();
  text[size] = '\0';
  return text;
}

int
directory_enter(char * name)
{
  return mkdtemp(name) != NULL && chdir(name) == 0 ? 0 : -1;
}

int
directory_leave(const char * name)
{
  DIR * listing = opendir(name);
  if (listing == NULL) return -1;
  for (struct dirent * entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
    if (entry->d_name[0] != '.') unlinkat(dirfd(listing), entry->d_name, 0);
  }
  closedir(listing);
  return chdir("/") == 0 && rmdir(name) == 0 ? 0 : -1;
}
