// `mbdyn demo`: starts the simulated robot and the node as processes and runs a sequence of modes.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "capture_stderr.h"
#include "command.h"
#include "demo_show.h"
#include "robot_options.h"
#include "text.h"
#include "xacro.h"

// beside those of command.h
enum { EXIT_TOO_BUSY = 3 };

//---------- command line ----------

typedef struct options {
  const char * robot;
  robot_options_t how;  // loops or mechanism file, if it has one
  char beside[PATH_MAX];
  const char * mode;
  const char * supports;  // names, "none", or NULL: found
  double headless;
  int port;               // of the page; -1: none
  const char * mesh[64];  // PACKAGE=DIR, for the page
  int nmesh;
  char ** ros_args;  // from --ros-args on, for both programs
  int rest;          // how many
} options_t;

static const char *
take_robot(void * target, const char * value)
{
  ((options_t *)target)->robot = value;
  return strcmp(value, "-") != 0 ? NULL : "a file, not standard input";
}

static const char *
take_mode(void * target, const char * value)
{
  ((options_t *)target)->mode = value;
  return demo_show_knows(value) ? NULL : DEMO_MODES;
}

static const char *
take_supports(void * target, const char * value)
{
  ((options_t *)target)->supports = value;
  return *value ? NULL : "names of feet with commas between them, or none";
}

static const char *
take_file(options_t * options, const char * value, bool mechanism)
{
  if (options->how.urdf.loops_file) return "only one of --loops and --mechanism";
  options->how.urdf.loops_file = value;
  options->how.urdf.mechanism = mechanism;
  return NULL;
}

static const char *
take_loops(void * target, const char * value)
{
  return take_file(target, value, false);
}

static const char *
take_mechanism(void * target, const char * value)
{
  return take_file(target, value, true);
}

static const char *
take_headless(void * target, const char * value)
{
  options_t * options = target;
  char * end;
  options->headless = strtod(value, &end);
  const bool good = end != value && *end == 0 && options->headless >= 4 && options->headless < 1e6;
  return good ? NULL : "seconds, at least 4";
}

static const char *
take_view(void * target, const char * value)
{
  options_t * options = target;
  (void)value;
  if (options->port < 0) options->port = 8642;
  return NULL;
}

static const char *
take_view_port(void * target, const char * value)
{
  options_t * options = target;
  char * end;
  const long port = strtol(value, &end, 10);
  options->port = (int)port;
  return end != value && *end == 0 && port >= 0 && port < 65536 ? NULL : "a number from 0 to 65535";
}

static const char *
take_mesh(void * target, const char * value)
{
  options_t * options = target;
  if (options->nmesh == (int)(sizeof options->mesh / sizeof options->mesh[0]))
    return "fewer packages";
  options->mesh[options->nmesh++] = value;
  return strchr(value, '=') ? NULL : "PACKAGE=DIR";
}

static const option_t OPTIONS[] = {
  {"--robot", "FILE.urdf", "robot description (default: config/robots/arm7.urdf)", take_robot},
  {"--loops", "FILE.yaml",
   "loop closures and gears (default: FILE.loops.yaml next to\n"
   "FILE.urdf, if it exists)",
   take_loops},
  {"--mechanism", "FILE.yaml",
   "closures, springs and bearings, in place of --loops (default:\n"
   "FILE.mechanism.yaml next to FILE.urdf, if it exists)",
   take_mechanism},
  {"--mode", "MODE", "show only this mode of the node:\n" DEMO_MODES, take_mode},
  {"--supports", "FRAMES",
   "feet of a robot that stands on the ground, such as\n"
   "l_sole,r_sole; none: the base is bolted to the world (default:\n"
   "links named *_sole or *_foot)",
   take_supports},
  {"--headless", "SECONDS",
   "run for SECONDS without the table, then compare the results\n"
   "with limits",
   take_headless},
  {"--view", NULL, "also serve the web view on http://localhost:8642", take_view},
  {"--view-port", "N", "serve it on this port; 0: any free port", take_view_port},
  {"--mesh", "PACKAGE=DIR",
   "with --view: folder with the meshes of package://PACKAGE/...;\n"
   "can be repeated",
   take_mesh},
  {NULL, NULL, NULL, NULL},
};

static const usage_t USAGE = {
  "demo", NULL,
  "Start mbdyn_sim (a simulated robot) and mbdyn_node, and cycle through the modes: the robot\n"
  "floats, follows a trajectory, and is pushed. The demo subscribes to the topics of both,\n"
  "measures the results independently and shows them as a table.",
  "--ros-args ... at the end is passed to both programs; the prefixes robot: and mbdyn: select\n"
  "the simulation and the node:\n"
  "  mbdyn demo --mode computed_torque --ros-args -p 'mbdyn:kp:=[25.0]' -p 'mbdyn:kd:=[10.0]'\n"
  "  mbdyn demo --ros-args -p robot:payload.frame:=tool -p robot:payload.mass:=1.0\n\n"
  "Messages stay on the loopback interface, in a free ROS domain, unless ROS_DOMAIN_ID and\n"
  "CYCLONEDDS_URI are set.\n\n"
  "exit code: 0 after Ctrl-C, or all results within their limits; 1 a limit was exceeded; 2 wrong\n"
  "usage, or a program ended early; 3 the machine was too busy for a result"};

static int
parse(int argc, char ** argv, options_t * options)
{
  const option_group_t groups[] = {{OPTIONS, options}, {NULL, NULL}};
  int own_argc = 0;
  while (own_argc < argc && strcmp(argv[own_argc], "--ros-args") != 0) own_argc++;
  options->ros_args = argv + own_argc;
  options->rest = argc - own_argc;
  return args_parse(&USAGE, groups, own_argc, argv, NULL);
}

//---------- programs ----------

// argv of a program; what is added lives as long as it does
typedef struct arguments {
  char * argv[512];
  int n;
} arguments_t;

static void
add(arguments_t * a, const char * text)
{
  if (a->n < (int)(sizeof a->argv / sizeof a->argv[0]) - 1) a->argv[a->n++] = strdup(text);
}

__attribute__((format(printf, 3, 4))) static void
add_parameter(arguments_t * a, const char * name, const char * format, ...)
{
  char value[16384], text[16640];
  va_list list;
  va_start(list, format);
  vsnprintf(value, sizeof value, format, list);
  va_end(list);
  snprintf(text, sizeof text, "%s:=%s", name, value);
  add(a, "-p");
  add(a, text);
}

static void
free_arguments(arguments_t * a)
{
  for (int i = 0; i < a->n; i++) free(a->argv[i]);
}

// text as YAML takes it, whatever is in it
static const char *
quoted(const char * text, char * buffer, size_t size)
{
  size_t n = 0;
  buffer[n++] = '"';
  for (; *text && n + 3 < size; text++) {
    if (*text == '"' || *text == '\\') buffer[n++] = '\\';
    buffer[n++] = *text;
  }
  buffer[n++] = '"';
  buffer[n] = 0;
  return buffer;
}

// loops_file or mechanism_file
static void
add_loops(arguments_t * a, const options_t * options)
{
  const mbdx_urdf_options_t * urdf = &options->how.urdf;
  char text[PATH_MAX + 16];
  if (!urdf->loops_file) return;
  add_parameter(
    a, urdf->mechanism ? "mechanism_file" : "loops_file", "%s",
    quoted(urdf->loops_file, text, sizeof text));
}

// names of the joints in the order of the demo's arrays, whatever <ros2_control> has
static void
joint_names(const demo_robot_t * robot, char * names, size_t size)
{
  char text[256];
  size_t n = 0;
  *names = 0;
  for (int i = 0; i < robot->n && n < size - 300; i++) {
    quoted(robot->joint[i].name, text, sizeof text);
    n += (size_t)snprintf(names + n, size - n, "%s%s", i ? ", " : "", text);
  }
}

static bool
start_robot(demo_t * d, const options_t * options, const char * folder)
{
  static const char * const places[] = {".", "sim", "../mbdyn_tools/sim", NULL};
  char path[PATH_MAX], text[PATH_MAX + 16];
  char names[8192], positions[8192] = "";
  size_t p = 0;
  joint_names(&d->robot, names, sizeof names);
  for (int i = 0; i < d->robot.n; i++) {
    p += (size_t)snprintf(
      positions + p, sizeof positions - p, "%s%.9f", i ? ", " : "", d->robot.home[i]);
  }
  if (!demo_child_find("mbdyn_sim", places, path)) {
    fputs("mbdyn demo: mbdyn_sim is not next to this program\n", stderr);
    return false;
  }
  arguments_t a = {.n = 0};
  add(&a, path);
  add(&a, "--ros-args");
  add_parameter(&a, "robot_description_file", "%s", quoted(options->robot, text, sizeof text));
  add_loops(&a, options);
  const mbd_model_t * model = d->robot.model;
  if ((model->tree ? model->tree : model)->nbearing > 0) {
    add_parameter(&a, "integrator", "chart_sdirk54");
    add_parameter(&a, "limits", "false");
  }
  if (d->stand.n > 0) {
    add_parameter(&a, "base", "floating");
    add_parameter(&a, "ground", "true");
  }
  add_parameter(&a, "command_joints", "[%s]", names);
  add_parameter(&a, "initial_joints", "[%s]", names);
  add_parameter(&a, "initial_positions", "[%s]", positions);
  // sensors as they are
  add_parameter(&a, "noise.position", "1.0e-5");
  add_parameter(&a, "noise.velocity", "2.0e-4");
  add_parameter(&a, "noise.effort", "%.6e", 1e-3 * demo_robot_weakest(&d->robot));
  for (int i = 0; i < options->rest; i++) add(&a, options->ros_args[i]);
  const bool good = demo_child_start(&d->sim, "mbdyn_sim", folder, a.argv);
  free_arguments(&a);
  return good;
}

// what the robot stands on; one stiffness, so that base and joints go together
static void
add_supports(arguments_t * a, const demo_stand_t * s)
{
  char names[2048] = "", soles[1024] = "", radius[256] = "", name[256];
  size_t n = 0, p = 0, r = 0;
  for (int k = 0; k < s->n; k++) {
    const double * sole = s->foot[k].sole;
    const char * comma = k ? ", " : "";
    quoted(s->foot[k].name, name, sizeof name);
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", comma, name);
    p += (size_t)snprintf(
      soles + p, sizeof soles - p, "%s%.6f, %.6f, %.6f, %.6f", comma, sole[0], sole[1], sole[2],
      sole[3]);
    r += (size_t)snprintf(radius + r, sizeof radius - r, "%s%.6f", comma, s->foot[k].radius);
  }
  add_parameter(a, "base", "floating");
  add_parameter(a, "support_frames", "[%s]", names);
  add_parameter(a, "support_soles", "[%s]", soles);
  add_parameter(a, "support_radius", "[%s]", radius);
  add_parameter(a, "support_friction", "[0.6]");
  add_parameter(a, "kp", "[225.0]");
  add_parameter(a, "kd", "[30.0]");
}

// as stiff as the joints are to be, and as much damping as it takes
static void
add_gains(arguments_t * a, const demo_robot_t * robot)
{
  char kp[4096] = "", kd[4096] = "";
  size_t p = 0, d = 0;
  for (int i = 0; i < robot->n; i++) {
    const double stiffness = robot->joint[i].stiffness;
    p += (size_t)snprintf(kp + p, sizeof kp - p, "%s%.1f", i ? ", " : "", stiffness);
    d += (size_t)snprintf(kd + d, sizeof kd - d, "%s%.1f", i ? ", " : "", 2 * sqrt(stiffness));
  }
  add_parameter(a, "kp", "[%s]", kp);
  add_parameter(a, "kd", "[%s]", kd);
  // where a joint is too light for it the node takes less
  add_parameter(a, "damping", "[0.5]");
}

// half of what the push of the show gives the joints: contact then, and not while it moves
static double
contact_threshold(demo_robot_t * robot)
{
  const mbd_vec3_t force = demo_robot_push(robot, robot->home, DEMO_PUSH);
  const double pushed = demo_robot_push_torque(robot, robot->home, force);
  return fmax(0.5 * pushed, 0.01 * demo_robot_weakest(robot));
}

static bool
start_node(demo_t * d, const options_t * options, const char * folder)
{
  static const char * const places[] = {".", "../mbdyn_node", NULL};
  char path[PATH_MAX], tip[256], names[8192];
  if (!demo_child_find("mbdyn_node", places, path)) {
    fputs("mbdyn demo: mbdyn_node is not next to this program\n", stderr);
    return false;
  }
  const bool whole = demo_robot_tip_rank(&d->robot, d->robot.home) == 6;
  quoted(demo_robot_tip(&d->robot), tip, sizeof tip);
  arguments_t a = {.n = 0};
  add(&a, path);
  add(&a, "--ros-args");
  add(&a, "-r");
  add(&a, "~/command:=/robot/commands");
  add_loops(&a, options);
  add_parameter(&a, "mode", "passive");
  joint_names(&d->robot, names, sizeof names);
  add_parameter(&a, "command_joints", "[%s]", names);
  if (d->stand.n > 0)
    add_supports(&a, &d->stand);
  else
    add_gains(&a, &d->robot);
  add_parameter(&a, "frames", "[%s]", tip);
  add_parameter(&a, "observer_frame", "%s", tip);
  // feet are in contact all the time
  const double threshold = d->stand.n > 0 ? 0 : contact_threshold(&d->robot);
  add_parameter(&a, "observer_threshold", "%.6f", threshold);
  add_parameter(&a, "operational_frame", "%s", tip);
  add_parameter(&a, "operational_kp", "[2500.0]");
  add_parameter(&a, "operational_kd", "[100.0]");
  add_parameter(
    &a, "operational_axes", "[linear_x, linear_y, linear_z%s]",
    whole ? ", angular_x, angular_y, angular_z" : "");
  // a machine that is busy for a moment must not drop the robot
  add_parameter(&a, "timeout", "0.5");
  add_parameter(&a, "on_stale", "gravity");
  // nor leave out what comes in a heap after it
  add_parameter(&a, "max_rate", "50000.0");
  for (int i = 0; i < options->rest; i++) add(&a, options->ros_args[i]);
  const bool good = demo_child_start(&d->node, "mbdyn_node", folder, a.argv);
  free_arguments(&a);
  return good;
}

//---------- the page ----------

// the line of the log with the address of the page
static bool
find_address(const demo_child_t * child, char * address, size_t size)
{
  char line[300];
  FILE * file = fopen(child->log, "r");
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file)) {
    const char * url = strstr(line, "http://");
    line[strcspn(line, "\n")] = 0;
    found = url && strncmp(line, "mbdyn view: ", 12) == 0;
    if (found) snprintf(address, size, "%s", url);
  }
  if (file) fclose(file);
  return found;
}

// `mbdyn view` beside robot and node; its address
static bool
start_page(demo_t * d, const options_t * options, const char * folder)
{
  static const char * const places[] = {".", NULL};
  char path[PATH_MAX], port[16];
  if (options->port < 0) return true;
  snprintf(port, sizeof port, "%d", options->port);
  if (!demo_child_find("mbdyn", places, path)) return false;
  arguments_t a = {.n = 0};
  add(&a, path);
  add(&a, "view");
  add(&a, "--port");
  add(&a, port);
  for (int i = 0; i < options->nmesh; i++) {
    add(&a, "--mesh");
    add(&a, options->mesh[i]);
  }
  if (options->how.urdf.loops_file && options->how.urdf.mechanism) {
    add(&a, "--mechanism");
    add(&a, options->how.urdf.loops_file);
  }
  const bool started = demo_child_start(&d->page, "mbdyn_view", folder, a.argv);
  free_arguments(&a);
  if (!started) return false;
  for (int i = 0; i < 500 && demo_child_alive(&d->page); i++) {
    if (find_address(&d->page, d->address, sizeof d->address)) {
      printf("The page: %s\n", d->address);
      fflush(stdout);
      snprintf(d->hint, sizeof d->hint, "%s", d->address);
      return true;
    }
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  demo_child_explain(&d->page, stderr);
  fputs(
    "mbdyn demo: --view-port N chooses another port, --mesh needs a folder that exists\n", stderr);
  return false;
}

//---------- all together ----------

// \return exit code
static int
play(demo_t * d)
{
  const bool open =
    demo_watch_start(&d->watch, &d->session, &d->robot) && demo_talk_open(&d->talk, &d->session);
  if (!open) {
    d->end = DEMO_FAILED;
    return CLI_TROUBLE;
  }
  d->start = ros_now();
  const bool table = d->headless <= 0 && demo_table_open(&d->table, text_utf8());
  captured_stderr_t captured = {NULL, -1};
  if (table) captured = capture_stderr();
  if (demo_show_ready(d)) demo_show_run(d);
  demo_table_close(&d->table);
  release_stderr(&captured);
  if (d->end == DEMO_FAILED) return CLI_TROUBLE;
  const demo_verdict_t verdict = demo_show_sum(d, d->headless > 0);
  if (d->headless <= 0) return CLI_OK;
  if (d->end == DEMO_STOPPED) puts("FAILED: interrupted before the end");
  if (d->end == DEMO_STOPPED || verdict == DEMO_BROKEN) return CLI_FOUND;
  return verdict == DEMO_TOO_BUSY ? EXIT_TOO_BUSY : CLI_OK;
}

static void
explain(demo_t * d)
{
  if (!demo_child_alive(&d->sim)) demo_child_explain(&d->sim, stderr);
  if (!demo_child_alive(&d->node)) demo_child_explain(&d->node, stderr);
  if (d->sim.pid == 0 || d->node.pid == 0) return;
  demo_child_explain(&d->sim, stderr);
  demo_child_explain(&d->node, stderr);
}

static int
run_session(demo_t * d, const options_t * options, const char * folder)
{
  static const ros_args_t args = {
    .command = "demo",
    .depth = -1,
    .times = -1,
    .subscribers = -1,
    .window = -1,
    .rate = -1,
    .timeout = 5,
    .wait = 5};
  if (
    !start_page(d, options, folder) || !start_robot(d, options, folder) ||
    !start_node(d, options, folder)) {
    return CLI_TROUBLE;
  }
  if (d->headless > 0 || !isatty(STDOUT_FILENO)) {
    printf("mbdyn_sim is process %d, mbdyn_node %d\n", (int)d->sim.pid, (int)d->node.pid);
    fflush(stdout);
  }
  if (!ros_open(&d->session, &args)) return CLI_TROUBLE;
  const int code = play(d);
  if (d->end == DEMO_FAILED) explain(d);
  demo_talk_close(&d->talk);
  demo_watch_stop(&d->watch);
  ros_close(&d->session);
  return code;
}

// ends the programs; what they printed goes with them if all was well
static int
clean_up(demo_t * d, int code, const char * folder)
{
  if (*d->page.log) (void)demo_child_end(&d->page);
  const bool node = demo_child_end(&d->node), sim = demo_child_end(&d->sim);
  if (code == CLI_OK && !(node && sim)) {
    if (!node) demo_child_explain(&d->node, stderr);
    if (!sim) demo_child_explain(&d->sim, stderr);
    code = CLI_TROUBLE;
  }
  if (code != CLI_TROUBLE) {
    unlink(d->node.log);
    unlink(d->sim.log);
    unlink(d->page.log);
    rmdir(folder);
  } else {
    fprintf(stderr, "mbdyn demo: the output of both programs is in %s\n", folder);
  }
  return code;
}

static int
run_demo(demo_t * d, const options_t * options)
{
  char folder[PATH_MAX], reason[200];
  const char * place = getenv("TMPDIR");
  robot_t loaded;
  int code = CLI_TROUBLE;
  const bool own_network = !getenv("CYCLONEDDS_URI");
  snprintf(folder, sizeof folder, "%s/mbdyn_demo_XXXXXX", place && *place ? place : "/tmp");
  const bool good = robot_load(options->robot, &options->how, &loaded);
  if (good && !demo_robot_init(&d->robot, loaded.model, reason, sizeof reason)) {
    fprintf(stderr, "mbdyn demo: %s cannot be used in the demo: %s\n", options->robot, reason);
  } else if (
    good && !demo_stand_init(
              &d->stand, &d->robot, options->robot, options->supports, reason, sizeof reason)) {
    fprintf(stderr, "mbdyn demo: %s cannot stand: %s\n", options->robot, reason);
  } else if (good && !demo_show_has(d)) {
    fprintf(
      stderr,
      "mbdyn demo: a robot that stands is shown in the modes computed_torque and passive; "
      "--supports none bolts its base to the world\n");
  } else if (good && demo_domain() < 0) {
    fputs("mbdyn demo: ROS_DOMAIN_ID is not a number from 0 to 232\n", stderr);
  } else if (good && !mkdtemp(folder)) {
    fprintf(stderr, "mbdyn demo: %s: %s\n", folder, strerror(errno));
  } else if (good) {
    d->view.scene.robot = d->robot.model->name;
    d->view.scene.tip = demo_robot_tip(&d->robot);
    d->view.scene.hint = d->hint;
    if (own_network) {
      snprintf(
        d->hint, sizeof d->hint, "ROS_DOMAIN_ID=%s ROS_LOCALHOST_ONLY=1 mbdyn topic list",
        getenv("ROS_DOMAIN_ID"));
    }
    code = clean_up(d, run_session(d, options, folder), folder);
  }
  demo_stand_fini(&d->stand);
  demo_robot_fini(&d->robot);
  robot_free(&loaded);
  return code;
}

// node and simulation read a file: what xacro prints goes to one of its own. False after a message.
static bool
expand_robot(options_t * options, char * path, size_t most)
{
  const char * place = getenv("TMPDIR");
  size_t size;
  *path = 0;
  if (!xacro_is(options->robot)) return true;
  char * text = xacro_expand(options->robot, &size);
  if (!text) return false;
  snprintf(path, most, "%s/mbdyn_robot_XXXXXX", place && *place ? place : "/tmp");
  const int fd = mkstemp(path);
  FILE * file = fd >= 0 ? fdopen(fd, "w") : NULL;
  bool good = file && fwrite(text, 1, size, file) == size;
  if (file && fclose(file) != 0) good = false;
  if (!good) fprintf(stderr, "mbdyn demo: %s: %s\n", path, strerror(errno));
  free(text);
  options->robot = path;
  return good;
}

int
demo_main(int argc, char ** argv)
{
  static const char * const places[] = {
    "../share/mbdyn/config/robots", "../../config/robots", NULL};
  char path[PATH_MAX], expanded[PATH_MAX] = "";
  options_t options = {.how = robot_options_default(), .port = -1};
  options.how.urdf.embed = true;
  const int code = parse(argc, argv, &options);
  if (code >= 0) return code;
  if (options.nmesh > 0 && options.port < 0) {
    fputs("mbdyn demo: --mesh is for the page: add --view\n", stderr);
    return CLI_TROUBLE;
  }
  if (!options.robot && demo_child_find("arm7.urdf", places, path)) options.robot = path;
  if (!options.robot) {
    fputs("mbdyn demo: no robot: --robot FILE.urdf\n", stderr);
    return CLI_TROUBLE;
  }
  if (!robot_find_loops(options.robot, &options.how, options.beside, sizeof options.beside)) {
    return CLI_TROUBLE;
  }
  demo_t * demo = calloc(1, sizeof *demo);
  if (!demo || !expand_robot(&options, expanded, sizeof expanded)) {
    free(demo);
    return CLI_TROUBLE;
  }
  demo->mode = options.mode;
  demo->headless = options.headless;
  const int result = run_demo(demo, &options);
  if (*expanded) unlink(expanded);
  free(demo);
  return result;
}
