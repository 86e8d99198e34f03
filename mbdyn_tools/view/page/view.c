// `mbdyn view`: the topics of a robot's node as a page in a browser.
#define _GNU_SOURCE  // syscall
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "demo_child.h"
#include "robot_options.h"
#include "view_server.h"

enum { DEFAULT_PORT = 8642 };

typedef struct view_args {
  view_options_t view;
  live_options_t live;
  const char *recording, *urdf;
  char package[64][128];
} view_args_t;

//---------- command line ----------

static const char *
take_port(void * target, const char * value)
{
  char * end;
  const long port = strtol(value, &end, 10);
  ((view_args_t *)target)->view.port = (int)port;
  return end != value && !*end && port >= 0 && port < 65536 ? NULL : "a number from 0 to 65535";
}

static const char *
take_bind(void * target, const char * value)
{
  ((view_args_t *)target)->view.bind = value;
  return *value ? NULL : "an address such as 0.0.0.0";
}

static const char *
take_token(void * target, const char * value)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  view_args_t * w = target;
  const size_t n = strlen(value);
  if (n < 8 || n >= VIEW_TOKEN || strspn(value, letters) != n) {
    return "8 to 127 letters, digits, - and _";
  }
  strcpy(w->view.guard.token, value);
  return NULL;
}

static const char *
take_name(void * target, const char * value)
{
  view_guard_t * g = &((view_args_t *)target)->view.guard;
  if (g->nname == VIEW_NAMES) return "fewer names";
  g->name[g->nname++] = value;
  return NULL;
}

static const char *
take_origin(void * target, const char * value)
{
  view_guard_t * g = &((view_args_t *)target)->view.guard;
  if (g->norigin == VIEW_NAMES) return "fewer origins";
  g->origin[g->norigin++] = value;
  return strstr(value, "://") ? NULL : "such as http://localhost:5173";
}

static char *
folder_of(const char * path)
{
  struct stat about;
  char * real = realpath(path, NULL);
  if (real && stat(real, &about) == 0 && S_ISDIR(about.st_mode)) return real;
  free(real);
  return NULL;
}

static const char *
take_web(void * target, const char * value)
{
  view_args_t * w = target;
  free(w->view.web);
  w->view.web = folder_of(value);
  return w->view.web ? NULL : "a folder";
}

static const char *
take_mesh(void * target, const char * value)
{
  view_args_t * w = target;
  view_options_t * v = &w->view;
  const char * equals = strchr(value, '=');
  const size_t n = equals ? (size_t)(equals - value) : 0;
  if (n == 0 || n >= sizeof w->package[0] || v->nmesh == 64) return "PACKAGE=DIR";
  char * path = folder_of(equals + 1);
  if (!path) return "PACKAGE=DIR with an existing folder";
  snprintf(w->package[v->nmesh], sizeof w->package[0], "%.*s", (int)n, value);
  v->mesh[v->nmesh] = (view_folder_t){w->package[v->nmesh], path};
  v->facts.mesh_package[v->facts.nmesh++] = w->package[v->nmesh++];
  return NULL;
}

static const char *
take_history(void * target, const char * value)
{
  view_args_t * w = target;
  char * end;
  const double seconds = strtod(value, &end);
  w->live.history = w->view.facts.history = seconds;
  return end != value && !*end && seconds >= 0 && seconds <= 3600 ? NULL : "seconds, 0 to 3600";
}

static const char *
take_urdf(void * target, const char * value)
{
  ((view_args_t *)target)->urdf = value;
  return *value ? NULL : "a file";
}

static const char *
take_mechanism(void * target, const char * value)
{
  view_args_t * w = target;
  w->view.facts.mechanism = value;
  return access(value, R_OK) == 0 ? NULL : "a file that can be read";
}

static const char *
take_node(void * target, const char * value)
{
  ((view_args_t *)target)->live.node = value;
  return value[0] == '/' ? NULL : "a full name such as /mbdyn";
}

static const option_t OPTIONS[] = {
  {"--port", "N", "port (8642); 0: any free port", take_port},
  {"--bind", "ADDRESS",
   "address to listen on (127.0.0.1: only this machine can\n"
   "connect). Any other address requires the token",
   take_bind},
  {"--token", "TEXT", "access token (default: random; printed at the start)", take_token},
  {"--name", "HOST", "host name by which browsers reach this machine; can be repeated", take_name},
  {"--allow-origin", "ORIGIN", "further origin that may open the WebSocket; can be repeated",
   take_origin},
  {"--web", "DIR", "folder of the web page (default: the installed one)", take_web},
  {"--mesh", "PACKAGE=DIR", "folder with the meshes of package://PACKAGE/...; can be repeated",
   take_mesh},
  {"--mechanism", "FILE",
   "NAME.mechanism.yaml of the robot: its springs are drawn, coloured by force", take_mechanism},
  {"--history", "SECONDS", "history kept in memory, sent to a newly connected page (300)",
   take_history},
  {"--urdf", "FILE", "robot description for a recording without one", take_urdf},
  {"--node", "NAME", "only this node, such as /mbdyn (default: all)", take_node},
  {NULL, NULL, NULL, NULL},
};

static const usage_t USAGE = {
  "view", "[RECORDING]",
  "Serve a web page with the robots of all running mbdyn_nodes: 3D view, torque terms, mass\n"
  "matrix, Jacobians, energies, external torques, diagnostics. Read-only: it never commands the\n"
  "robot. With RECORDING (.mcap or .db3 file, or folder) it plays the recording instead, without\n"
  "ROS, with pause, speed and seek. A recording can also be dropped onto the page.",
  "Meshes are served only from folders given by --mesh. --ros-args ... at the end is passed to "
  "ROS.\n"
  "docs/view_protocol.md describes the protocol.\n\n"
  "examples:\n"
  "  mbdyn view\n"
  "  mbdyn view --bind 0.0.0.0 --port 9000 --mesh my_robot=/opt/robots/my_robot\n"
  "  mbdyn view run1\n"
  "  mbdyn view run1.mcap --urdf arm.urdf\n\n"
  "exit code: 0 after Ctrl-C; 2 wrong usage, the port is taken, or RECORDING cannot be read"};

//---------- run ----------

static void
find_web(view_options_t * v)
{
  static const char * const places[] = {
    "../share/mbdyn/web", "../../share/mbdyn/web", "../../web/dist", NULL};
  char path[PATH_MAX];
  if (v->web || !demo_child_find("index.html", places, path)) return;
  *strrchr(path, '/') = 0;
  v->web = folder_of(path);
}

// The node has priority: a smaller share for this process and the threads it starts, in long
// slices, which Linux (6.12 and later) cuts short for whoever wakes up with a shorter one.
static void
lower_priority(void)
{
  // struct sched_attr of sched(7), whose header clashes with the C library's
  const struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
  } attributes = {
    .size = sizeof attributes, .policy = SCHED_BATCH, .nice = 10, .runtime = 100000000};
  if (syscall(SYS_sched_setattr, 0, &attributes, 0) != 0) (void)setpriority(PRIO_PROCESS, 0, 10);
}

//---------- recording ----------

static int
complain(const char * what, const char * why)
{
  fprintf(stderr, "mbdyn view: %s: %s\n", what, why);
  return CLI_TROUBLE;
}

static bool
read_urdf(recording_t * recording, const char * path)
{
  char reason[400] = "it is empty, or longer than 4 MiB";
  size_t n;
  char * text = robot_urdf_text(path, &n);
  if (!text) return false;
  const bool fits = n > 0 && n < LIVE_MESSAGE;
  const bool good = fits && recording_set_urdf(recording, text, n, reason, sizeof reason);
  free(text);
  if (!good) (void)complain(path, reason);
  return good;
}

static bool
open_recording(recording_t * recording, const view_args_t * w)
{
  recording_state_t state;
  if (w->urdf && !read_urdf(recording, w->urdf)) return false;
  if (!recording_open(recording, w->recording, NULL, false)) return false;
  const bool open = recording_wait(recording);
  recording_state(recording, &state);
  if (!open) return fprintf(stderr, "mbdyn view: %s\n", state.error), false;
  printf("mbdyn view: %s, %.3f s\n", state.name, state.end - state.start);
  if (*state.note) printf("mbdyn view: %s\n", state.note);
  if (state.needs_urdf)
    puts("mbdyn view: the recording has no robot description: give one with --urdf FILE");
  fflush(stdout);
  return true;
}

//---------- sources ----------

static atomic_bool interrupted;

static void
interrupt(int number)
{
  (void)number;
  atomic_store(&interrupted, true);
}

// without ROS: there is nothing to listen to
static int
run_recording(const view_args_t * w, recording_t * recording)
{
  struct sigaction action = {.sa_handler = interrupt};
  sigemptyset(&action.sa_mask);
  (void)sigaction(SIGINT, &action, NULL);
  (void)sigaction(SIGTERM, &action, NULL);
  if (!open_recording(recording, w)) return CLI_TROUBLE;
  return view_serve(&w->view, &(view_sources_t){.recording = recording}, &interrupted);
}

static int
run_live(const view_args_t * w, recording_t * recording, const ros_args_t * args)
{
  ros_session_t session;
  if (w->urdf && !read_urdf(recording, w->urdf)) return CLI_TROUBLE;
  if (!ros_open(&session, args)) return CLI_TROUBLE;
  live_t * live = live_start(&session, &w->live);
  const view_sources_t sources = {live, recording};
  const int code = live ? view_serve(&w->view, &sources, &session.stopped) : CLI_TROUBLE;
  live_stop(live);
  ros_close(&session);
  return code;
}

static int
run_view(const view_args_t * w, const ros_args_t * args)
{
  lower_priority();
  recording_t * recording = recording_create();
  if (!recording) return complain("recordings", "out of memory");
  const int code = w->recording ? run_recording(w, recording) : run_live(w, recording, args);
  recording_destroy(recording);
  return code;
}

static int
start(view_args_t * w, int argc, char ** argv)
{
  int own_argc = 0;
  while (own_argc < argc && strcmp(argv[own_argc], "--ros-args") != 0) own_argc++;
  const option_group_t groups[] = {{OPTIONS, w}, {NULL, NULL}};
  const int code = args_parse(&USAGE, groups, own_argc, argv, &w->recording);
  if (code >= 0) return code;
  const ros_args_t args = {
    .command = "view",
    .ros_argc = argc - own_argc,
    .ros_argv = own_argc < argc ? (const char * const *)(argv + own_argc) : NULL,
    .depth = -1,
    .times = -1,
    .subscribers = -1,
    .window = -1,
    .rate = -1,
    .timeout = -1,
    .wait = -1};
  if (!view_guard_loopback(w->view.bind) && !*w->view.guard.token) {
    if (!view_guard_new_token(&w->view.guard)) {
      fputs("mbdyn view: cannot generate a random token; give one with --token\n", stderr);
      return CLI_TROUBLE;
    }
  }
  if (strcmp(w->view.bind, "localhost") == 0) w->view.bind = "127.0.0.1";
  find_web(&w->view);
  return run_view(w, &args);
}

int
view_main(int argc, char ** argv)
{
  view_args_t * w = calloc(1, sizeof *w);
  if (!w) return CLI_TROUBLE;
  w->view.bind = "127.0.0.1";
  w->view.port = DEFAULT_PORT;
  w->view.facts.program = "mbdyn " MBDYN_VERSION;
  w->view.facts.history = w->live.history = 300;
  const int code = start(w, argc, argv);
  for (int i = 0; i < w->view.nmesh; i++) free(w->view.mesh[i].path);
  free(w->view.web);
  free(w);
  return code;
}
