#include "demo_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

//---------- domain ----------

// below the ports that the kernel gives to anybody
enum { FIRST_DOMAIN = 50, DOMAINS = 50 };

static const char LOOPBACK[] =
  "<CycloneDDS><Domain Id=\"any\"><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
  "<AllowMulticast>false</AllowMulticast></General><Discovery>"
  "<ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>20</MaxAutoParticipantIndex>"
  "<Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery></Domain></CycloneDDS>";

// a port of this machine; -1 if somebody has it
static int
take_port(int type, int port)
{
  const struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    .sin_port = htons((uint16_t)port)};
  const int fd = socket(AF_INET, type, 0);
  if (fd < 0) return -1;
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
    if (type != SOCK_STREAM || listen(fd, 1) == 0) return fd;
  }
  close(fd);
  return -1;
}

// its first participant would be on these ports; a TCP port that stays open stands for the domain
static bool
claim(int domain)
{
  const int base = 7400 + 250 * domain;
  for (int offset = 10; offset < 12; offset++) {
    const int fd = take_port(SOCK_DGRAM, base + offset);
    if (fd < 0) return false;
    close(fd);
  }
  return take_port(SOCK_STREAM, base) >= 0;
}

int
demo_domain(void)
{
  if (!getenv("CYCLONEDDS_URI")) {
    setenv("CYCLONEDDS_URI", LOOPBACK, 1);
    // says the same in another way
    unsetenv("ROS_LOCALHOST_ONLY");
  }
  const char * given = getenv("ROS_DOMAIN_ID");
  char * end;
  if (given && *given) {
    const long number = strtol(given, &end, 10);
    return *end == 0 && number >= 0 && number <= 232 ? (int)number : -1;
  }
  int domain = FIRST_DOMAIN + (int)(getpid() % DOMAINS);
  for (int i = 0; i < DOMAINS && !claim(domain); i++) {
    domain = FIRST_DOMAIN + (domain - FIRST_DOMAIN + 1) % DOMAINS;
  }
  char text[16];
  snprintf(text, sizeof text, "%d", domain);
  setenv("ROS_DOMAIN_ID", text, 1);
  return domain;
}

//---------- programs ----------

bool
demo_child_find(const char * name, const char * const * places, char path[PATH_MAX])
{
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return false;
  self[length] = 0;
  *strrchr(self, '/') = 0;
  for (; *places; places++) {
    const int n = snprintf(path, PATH_MAX, "%s/%s/%s", self, *places, name);
    if (n < PATH_MAX && access(path, R_OK) == 0) return true;
  }
  return false;
}

// between fork and exec: what is left is the child's
static void
become(const demo_child_t * child, pid_t parent, char * const * argv)
{
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Ctrl-C is for the demo, which then ends the others in order; they never outlive it
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int log = open(child->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = open("/dev/null", O_RDONLY);
  if (log < 0 || nothing < 0) _exit(127);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  execv(argv[0], argv);
  fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
  fflush(stderr);
  _exit(127);
}

bool
demo_child_start(demo_child_t * child, const char * name, const char * folder, char * const * argv)
{
  *child = (demo_child_t){.name = name};
  const int length = snprintf(child->log, sizeof child->log, "%s/%s.log", folder, name);
  fflush(NULL);
  const pid_t parent = getpid();
  const pid_t pid = length < (int)sizeof child->log ? fork() : -1;
  if (pid == 0) become(child, parent, argv);
  if (pid < 0) {
    fprintf(stderr, "mbdyn demo: cannot start %s: %s\n", name, strerror(errno));
    return false;
  }
  child->pid = pid;
  return true;
}

bool
demo_child_alive(demo_child_t * child)
{
  if (child->pid == 0) return false;
  const pid_t ended = waitpid(child->pid, &child->status, WNOHANG);
  if (ended == 0 || (ended < 0 && errno == EINTR)) return true;
  child->pid = 0;
  return false;
}

// the last lines of a file
static void
print_tail(const char * path, FILE * to)
{
  enum { MOST = 1500, LINES = 10 };
  char text[MOST + 1];
  FILE * file = fopen(path, "r");
  if (!file) return;
  if (fseek(file, -MOST, SEEK_END) != 0) rewind(file);
  const size_t n = fread(text, 1, MOST, file);
  fclose(file);
  text[n] = 0;
  const char * from = text + n;
  for (int lines = 0; from > text; from--) {
    if (from[-1] == '\n' && from < text + n && ++lines == LINES) break;
  }
  fputs(from, to);
  if (n > 0 && text[n - 1] != '\n') fputc('\n', to);
}

void
demo_child_explain(const demo_child_t * child, FILE * to)
{
  if (child->pid != 0) {
    fprintf(to, "mbdyn demo: last output of %s:\n", child->name);
  } else if (WIFSIGNALED(child->status)) {
    const char * text = strsignal(WTERMSIG(child->status));
    fprintf(
      to, "mbdyn demo: %s was terminated by a signal (%s). Its last output:\n", child->name, text);
  } else {
    fprintf(
      to, "mbdyn demo: %s ended with exit code %d. Its last output:\n", child->name,
      WEXITSTATUS(child->status));
  }
  print_tail(child->log, to);
}

bool
demo_child_end(demo_child_t * child)
{
  enum { WAIT_TIMEOUT = 3000 };
  if (child->pid == 0) return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
  kill(child->pid, SIGINT);
  for (int k = 0; k < WAIT_TIMEOUT && demo_child_alive(child); k++) {
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  if (child->pid != 0) {
    kill(child->pid, SIGKILL);
    while (demo_child_alive(child)) nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
}

//---------- processor time ----------

void
demo_processor_time(pid_t pid, int64_t * ran, int64_t * waited)
{
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR * threads = opendir(path);
  for (const struct dirent * thread = NULL; threads && (thread = readdir(threads));) {
    int64_t on = 0, runnable = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", (int)pid, thread->d_name);
    FILE * file = fopen(path, "r");
    if (!file) continue;
    if (fscanf(file, "%" SCNd64 " %" SCNd64, &on, &runnable) == 2) *ran += on, *waited += runnable;
    fclose(file);
  }
  if (threads) closedir(threads);
}
