// `mbdyn top`: joints of a robot in a terminal.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "capture_stderr.h"
#include "command.h"
#include "top_show.h"

typedef struct top_args {
  top_options_t top;
  live_options_t live;
  bool plain;
} top_args_t;

//---------- command line ----------

static const char *
take_interval(void * target, const char * value)
{
  char * end;
  const double seconds = strtod(value, &end);
  ((top_args_t *)target)->top.interval = seconds;
  return end != value && !*end && seconds >= 0.05 && seconds <= 3600 ? NULL
                                                                     : "0.05 to 3600 seconds";
}

static const char *
take_times(void * target, const char * value)
{
  char * end;
  const long times = strtol(value, &end, 10);
  ((top_args_t *)target)->top.times = times;
  ((top_args_t *)target)->plain = true;
  return end != value && !*end && times > 0 ? NULL : "a number, at least 1";
}

static const char *
take_wait(void * target, const char * value)
{
  char * end;
  const double seconds = strtod(value, &end);
  ((top_args_t *)target)->top.wait = seconds;
  return end != value && !*end && seconds >= 0 && seconds <= 3600 ? NULL : "0 to 3600 seconds";
}

static const char *
take_sort(void * target, const char * value)
{
  for (int k = 0; k < TOP_KEYS; k++) {
    if (strcmp(value, top_key_name((top_key_t)k)) != 0) continue;
    ((top_args_t *)target)->top.key = (top_key_t)k;
    return NULL;
  }
  return "order, name, position, velocity, total, gravity, residual or limit";
}

static const char *
take_reverse(void * target, const char * value)
{
  (void)value;
  ((top_args_t *)target)->top.reverse = true;
  return NULL;
}

static const char *
take_plain(void * target, const char * value)
{
  (void)value;
  ((top_args_t *)target)->plain = true;
  return NULL;
}

static const char *
take_node(void * target, const char * value)
{
  ((top_args_t *)target)->live.node = value;
  return value[0] == '/' ? NULL : "a full name such as /mbdyn";
}

static const option_t OPTIONS[] = {
  {"--node", "NAME", "only this node, such as /mbdyn (default: all)", take_node},
  {"--interval", "SECONDS", "refresh interval (0.2; plain lines: 1)", take_interval},
  {"--sort", "KEY",
   "order, name, position, velocity, total, gravity, residual or\n"
   "limit; by magnitude, largest first",
   take_sort},
  {"--reverse", NULL, "reverse the order", take_reverse},
  {"--plain", NULL, "print lines of text, as without a terminal", take_plain},
  {"--times", "N", "print N reports in plain lines, then exit", take_times},
  {"--wait", "SECONDS", "time to wait for the first robot, with --times (10)", take_wait},
  {NULL, NULL, NULL, NULL},
};

static const usage_t USAGE = {
  "top", NULL,
  "Show the joints of a robot in the terminal, from the topics of its mbdyn_node: position,\n"
  "velocity, torque terms, external torque, limits, sparklines. Press ? for the keys. Read-only.",
  "Without a terminal (or with --plain) it prints one line per joint and time, with a header:\n"
  "  mbdyn top --times 1 | column -t\n"
  "  mbdyn top --plain --interval 0.1 > joints.txt\n\n"
  "--ros-args ... at the end is passed to ROS.\n\n"
  "exit code: 0 done; 1 no robot found, with --times; 2 wrong usage"};

//---------- run ----------

static int
run_top(top_args_t * w, const ros_args_t * args)
{
  ros_session_t session;
  const bool screen = !w->plain && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
  if (w->top.interval <= 0) w->top.interval = screen ? 0.2 : 1;
  captured_stderr_t captured = {NULL, -1};
  if (screen) captured = capture_stderr();
  int code = CLI_TROUBLE;
  if (ros_open(&session, args)) {
    live_t * live = live_start(&session, &w->live);
    if (live) {
      code = screen ? top_screen(&w->top, live, &session) : top_lines(&w->top, live, &session);
    }
    live_stop(live);
    ros_close(&session);
  }
  release_stderr(&captured);
  return code;
}

int
top_main(int argc, char ** argv)
{
  top_args_t w = {.top = {.times = -1, .wait = 10}, .live = {.history = 60}};
  int own_argc = 0;
  while (own_argc < argc && strcmp(argv[own_argc], "--ros-args") != 0) own_argc++;
  const option_group_t groups[] = {{OPTIONS, &w}, {NULL, NULL}};
  const int code = args_parse(&USAGE, groups, own_argc, argv, NULL);
  if (code >= 0) return code;
  const ros_args_t args = {
    .command = "top",
    .ros_argc = argc - own_argc,
    .ros_argv = own_argc < argc ? (const char * const *)(argv + own_argc) : NULL,
    .depth = -1,
    .times = -1,
    .subscribers = -1,
    .window = -1,
    .rate = -1,
    .timeout = -1,
    .wait = -1};
  return run_top(&w, &args);
}
