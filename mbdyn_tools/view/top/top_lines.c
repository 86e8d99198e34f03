// `mbdyn top` where there is no terminal: a header, then one line per joint and time.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "command.h"
#include "top_show.h"

static void
print_header(void)
{
  fputs("#time node joint", stdout);
  for (int k = 0; k < LIVE_COLUMNS; k++) printf(" %s", live_column_name((live_column_t)k));
  puts(" limit");
}

static void
print_joint(const top_data_t * d, const top_joint_t * j)
{
  printf("%.3f %s %s", d->t, d->node, j->name);
  for (int k = 0; k < LIVE_COLUMNS; k++) {
    if (isfinite(j->x[k]))
      printf(" %.6g", j->x[k]);
    else
      fputs(" -", stdout);
  }
  if (isfinite(j->used))
    printf(" %.0f%%\n", 100 * j->used);
  else
    puts(" -");
}

// lines of all robots; whether there were any
static bool
print_all(const top_options_t * options, live_t * live, top_data_t * d)
{
  int order[LIVE_JOINTS];
  bool any = false;
  int robots = 1;
  for (int i = 0; i < robots; i++) {
    top_take(d, live, i, LIVE_TOTAL);
    robots = d->robots;
    if (!d->known || !d->alive) continue;
    top_sort(d, options->key, options->reverse, order);
    for (int k = 0; k < d->n; k++) print_joint(d, &d->joint[order[k]]);
    any = any || d->n > 0;
  }
  fflush(stdout);
  return any;
}

static int
nothing(const top_options_t * options)
{
  fprintf(
    stderr,
    "mbdyn top: no node publishes ~/joint_dynamics (waited %g s). Is mbdyn_node active, and in "
    "this "
    "ROS_DOMAIN_ID? See 'mbdyn node list'\n",
    options->wait);
  return CLI_FOUND;
}

int
top_lines(const top_options_t * options, live_t * live, ros_session_t * session)
{
  top_data_t * data = calloc(1, sizeof *data);
  if (!data) return ros_complain(session->args, "out of memory");
  const double deadline = live_monotonic() + options->wait;
  long left = options->times;
  int code = CLI_OK;
  bool reported = false, headed = false;
  while (left != 0 && !ferror(stdout)) {
    const ros_wake_t wake = ros_wait(session, (ros_waited_t){0}, ros_after(options->interval));
    if (wake == ROS_STOPPED) break;
    if (!headed) print_header();
    headed = true;
    if (print_all(options, live, data)) {
      if (left > 0) left--;
      continue;
    }
    if (live_monotonic() < deadline) continue;
    if (options->times >= 0) {
      code = nothing(options);
      break;
    }
    if (!reported) (void)nothing(options);
    reported = true;
  }
  free(data);
  return code;
}
