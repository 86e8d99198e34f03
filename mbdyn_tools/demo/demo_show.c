#include "demo_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "controller.h"
#include "demo_show_parts.h"
#include "mbdyn/spatial.h"

//---------- time goes by ----------

static void
look(demo_t * d)
{
  demo_watch_lock(&d->watch);
  demo_view_copy(&d->view, &d->watch.measures);
  demo_watch_unlock(&d->watch);
  demo_view_reckon(&d->view, ros_now());
  d->view.scene.seconds = 1e-9 * (double)(ros_now() - d->start);
}

// how long all threads of the three programs ran, and waited for a processor
static void
count_processor(demo_t * d)
{
  int64_t ran = 0, waited = 0;
  demo_processor_time(getpid(), &ran, &waited);
  demo_processor_time(d->sim.pid, &ran, &waited);
  demo_processor_time(d->node.pid, &ran, &waited);
  demo_watch_lock(&d->watch);
  demo_take_processor(&d->watch.measures, ran, waited);
  demo_watch_unlock(&d->watch);
}

// ten times a second: is everybody there, and what does it look like?
static void
look_around(demo_t * d, int64_t now)
{
  char line[400];
  if (now < d->next_look) return;
  d->next_look = now + 100000000;
  if (now >= d->next_count) {
    d->next_count = now + 500000000;
    count_processor(d);
  }
  if (!demo_child_alive(&d->sim) || !demo_child_alive(&d->node)) d->end = DEMO_FAILED;
  look(d);
  if (d->table.open) demo_table_draw(&d->table, &d->view);
  if (d->table.open || now < d->next_line) return;
  d->next_line = now + 1000000000;
  demo_view_line(&d->view, line, sizeof line);
  puts(line);
  if (fflush(stdout) != 0) d->end = DEMO_STOPPED;  // nobody reads it
}

// where the tip is to be, two hundred times a second
static void
lead_tip(demo_t * d, int64_t now)
{
  mbd_placement_t pose = d->path.from;
  mbd_vec3_t velocity;
  if (d->next_target == 0 || now < d->next_target) return;
  d->next_target = now + 5000000;
  const int64_t stamp = demo_now();
  demo_line_at(&d->path, stamp, &pose.p, &velocity);
  if (!demo_talk_target(&d->talk, stamp, &pose, velocity)) d->end = DEMO_FAILED;
}

// a little time; false once the show is over
static bool
tick(demo_t * d)
{
  nanosleep(&(struct timespec){0, 2000000}, NULL);
  const int64_t now = ros_now();
  if (atomic_load(&d->session.stopped)) d->end = DEMO_STOPPED;
  if (d->end == DEMO_GOES_ON) look_around(d, now);
  if (d->end == DEMO_GOES_ON) lead_tip(d, now);
  return d->end == DEMO_GOES_ON;
}

bool
demo_show_wait(demo_t * d, double seconds)
{
  const int64_t until = ros_after(seconds);
  while (tick(d)) {
    if (ros_now() >= until) return true;
  }
  return false;
}

// a call that did not work: because of Ctrl-C, or for good
bool
demo_show_done(demo_t * d, bool good)
{
  if (!good) d->end = atomic_load(&d->session.stopped) ? DEMO_STOPPED : DEMO_FAILED;
  return good;
}

//---------- scenes ----------

void
demo_show_scene(demo_t * d, const char * mode, const char * title, const char * text)
{
  demo_scene_t * s = &d->view.scene;
  s->mode = mode;
  s->title = title;
  s->text = text;
  if (d->table.open) return;
  printf("-- %d of %d  %s (%s): %s\n", s->number, s->count, title, mode, text);
  d->next_line = ros_after(1);
}

static uint64_t
commands_seen(demo_t * d)
{
  demo_watch_lock(&d->watch);
  const uint64_t commands = d->watch.measures.commands;
  demo_watch_unlock(&d->watch);
  return commands;
}

// the mode, and the first command of the show
bool
demo_show_mode(demo_t * d, const char * mode)
{
  if (!demo_show_done(d, demo_talk_mode(&d->talk, mode))) return false;
  const int64_t until = ros_after(5);
  while (commands_seen(d) == 0) {
    if (!tick(d)) return false;
    if (ros_now() < until) continue;
    fputs("mbdyn demo: the node sends no commands\n", stderr);
    return demo_show_done(d, false);
  }
  demo_watch_lock(&d->watch);
  demo_count(&d->watch.measures, true);
  demo_watch_unlock(&d->watch);
  return true;
}

void
demo_show_stop_probe(demo_t * d)
{
  demo_watch_lock(&d->watch);
  demo_probe_stop(&d->watch.measures);
  demo_watch_unlock(&d->watch);
}

bool
demo_play_held(demo_t * d, double seconds)
{
  demo_show_scene(
    d, controller_mode_name(MODE_PASSIVE), "Watching",
    "no commands, brakes engaged; torques are still computed and published");
  demo_watch_lock(&d->watch);
  demo_count(&d->watch.measures, false);
  demo_watch_unlock(&d->watch);
  return demo_show_done(d, demo_talk_mode(&d->talk, controller_mode_name(MODE_PASSIVE))) &&
         demo_show_wait(d, seconds);
}

static bool
play_float(demo_t * d, double seconds)
{
  demo_show_scene(
    d, controller_mode_name(MODE_GRAVITY_COMPENSATION), "Floating",
    "brakes released, motors compensate gravity, the robot stays in place");
  demo_watch_lock(&d->watch);
  demo_probe_drift(&d->watch.measures);
  demo_watch_unlock(&d->watch);
  const bool good = demo_show_mode(d, controller_mode_name(MODE_GRAVITY_COMPENSATION)) &&
                    demo_show_wait(d, seconds);
  demo_show_stop_probe(d);
  return good;
}

static bool
play_track(demo_t * d, const char * mode, double seconds)
{
  const double lead = 0.3;
  demo_motion_t motion;
  const bool feedback = strcmp(mode, controller_mode_name(MODE_COMPUTED_TORQUE)) == 0;
  // the robot stands still after it, unless nothing holds it
  const double tail = feedback ? 0.2 : 0;
  d->view.scene.judge.track = feedback;
  demo_show_scene(
    d, mode, "Tracking",
    feedback ? "moves from pose to pose: model torques and PD feedback"
             : "moves to the next pose by feed-forward torques only");
  if (!demo_show_mode(d, mode) || !demo_show_wait(d, lead)) return false;
  demo_watch_lock(&d->watch);
  demo_motion_plan(&motion, &d->robot, d->watch.measures.q, fmax(seconds - 2 * lead - tail, 1));
  if (!feedback) motion.nsegment = 1;
  const int64_t start = demo_now() + (int64_t)(1e9 * lead);
  demo_probe_track(&d->watch.measures, &motion, start);
  demo_watch_unlock(&d->watch);
  const bool good = demo_show_done(d, demo_talk_trajectory(&d->talk, &d->robot, &motion, start)) &&
                    demo_show_wait(d, lead + demo_motion_duration(&motion) + tail);
  demo_show_stop_probe(d);
  return good;
}

static bool
push_in_mode(demo_t * d, const char * mode, const char * text, double seconds)
{
  const double on = 0.6 * seconds, settle = 0.6 * on;
  const char * tip = demo_robot_tip(&d->robot);
  demo_show_scene(d, mode, "Pushing", text);
  if (!demo_show_mode(d, mode)) return false;
  demo_watch_lock(&d->watch);
  const mbd_vec3_t force = demo_robot_push(&d->robot, d->watch.measures.q, DEMO_PUSH);
  demo_watch_unlock(&d->watch);
  if (!demo_show_done(d, demo_talk_push(&d->talk, tip, force, -1))) return false;
  const int64_t now = demo_now();
  demo_watch_lock(&d->watch);
  demo_probe_push(
    &d->watch.measures, force, now + (int64_t)(1e9 * settle), now + (int64_t)(1e9 * on));
  demo_watch_unlock(&d->watch);
  bool good = demo_show_wait(d, on + 0.02);
  good = good && demo_show_done(d, demo_talk_push(&d->talk, tip, force, 0));
  good = good && demo_show_wait(d, seconds - on);
  demo_show_stop_probe(d);
  return good;
}

static bool
play_push(demo_t * d, double seconds)
{
  return push_in_mode(
    d, controller_mode_name(MODE_COMPUTED_TORQUE),
    "the tip is pushed; the momentum observer estimates the force without a sensor", seconds);
}

static bool
play_push_joints(demo_t * d, double seconds)
{
  return push_in_mode(
    d, controller_mode_name(MODE_JOINT_IMPEDANCE),
    "the tip is pushed; the joints give way like springs and come back", seconds);
}

static bool
play_push_tip(demo_t * d, double seconds)
{
  return push_in_mode(
    d, controller_mode_name(MODE_CARTESIAN_IMPEDANCE),
    "the tip is pushed; it gives way by force / stiffness and comes back", seconds);
}

// pushes that are short, each in the other direction; in between the robot coasts
static bool
play_damped(demo_t * d, double seconds)
{
  const char * mode = controller_mode_name(MODE_QUASI_VELOCITY_DAMPING);
  const double still = 0.2, push = 0.3, coast = 2, acceleration = 1.5;
  const char * tip = demo_robot_tip(&d->robot);
  demo_show_scene(d, mode, "Damping", "short pushes; the damping stops the motion");
  if (!demo_show_mode(d, mode) || !demo_show_wait(d, 0.3)) return false;
  demo_watch_lock(&d->watch);
  const mbd_vec3_t force = demo_robot_nudge(&d->robot, d->watch.measures.q, acceleration);
  demo_watch_unlock(&d->watch);
  const int64_t until = ros_after(fmax(seconds - 0.3 - still - push - coast, 0));
  bool good = true;
  for (int k = 0; good && (k == 0 || ros_now() < until); k++) {
    const mbd_vec3_t now = mbdu_vec3_scale(k % 2 ? -1 : 1, force);
    demo_watch_lock(&d->watch);
    const int64_t begin = demo_now() + (int64_t)(1e9 * still);
    demo_probe_decay(&d->watch.measures, begin, begin + (int64_t)(1e9 * push));
    demo_watch_unlock(&d->watch);
    good = demo_show_wait(d, still) &&
           demo_show_done(d, demo_talk_push(&d->talk, tip, now, push)) &&
           demo_show_wait(d, push + coast);
  }
  demo_show_stop_probe(d);
  return good;
}

static bool
play_line(demo_t * d, double seconds)
{
  demo_show_scene(
    d, controller_mode_name(MODE_OPERATIONAL_SPACE), "Drawing",
    "the tip moves along a line and back at constant orientation");
  mbd_placement_t from = {0};
  const mbd_model_t * model = d->robot.model;
  if (!demo_show_mode(d, controller_mode_name(MODE_OPERATIONAL_SPACE)) || !demo_show_wait(d, 0.3))
    return false;
  demo_watch_lock(&d->watch);
  const bool known = demo_robot_place(&d->robot, d->watch.measures.q) == MBD_OK &&
                     mbd_frame_placement(model, d->robot.data, d->robot.tip, &from) == MBD_OK;
  d->path = (demo_line_t){
    from, demo_robot_line(&d->robot, d->watch.measures.q, 0.1), 4, demo_now() + 300000000};
  demo_probe_line(&d->watch.measures, &d->path);
  demo_watch_unlock(&d->watch);
  d->next_target = ros_now();
  const bool good = demo_show_done(d, known) && demo_show_wait(d, fmax(seconds - 0.3, 1));
  d->next_target = 0;
  demo_show_stop_probe(d);
  return good;
}

//---------- the programme ----------

static bool
play_track_computed(demo_t * d, double seconds)
{
  return play_track(d, controller_mode_name(MODE_COMPUTED_TORQUE), seconds);
}

// without feedback errors grow: a motion from one pose to the next, then feedback takes the robot home
static bool
play_track_open(demo_t * d, double seconds)
{
  const double once = 2.4;
  const int64_t until = ros_after(seconds - once);
  do {
    if (!play_track(d, controller_mode_name(MODE_INVERSE_DYNAMICS), once)) return false;
    if (ros_now() >= until) break;
    if (!play_track(d, controller_mode_name(MODE_COMPUTED_TORQUE), once)) return false;
    d->view.scene.judge.track = false;
  } while (ros_now() < until);
  return true;
}

static const demo_act_t ACT[] = {
  {MODE_GRAVITY_COMPENSATION, play_float, true, 5, 0.2},
  {MODE_COMPUTED_TORQUE, play_track_computed, true, 12, 0.5},
  {MODE_COMPUTED_TORQUE, play_push, true, 6, 0.3},
  {MODE_INVERSE_DYNAMICS, play_track_open, false, 12, 1},
  {MODE_OPERATIONAL_SPACE, play_line, false, 12, 1},
  {MODE_JOINT_IMPEDANCE, play_push_joints, false, 6, 1},
  {MODE_CARTESIAN_IMPEDANCE, play_push_tip, false, 6, 1},
  {MODE_QUASI_VELOCITY_DAMPING, play_damped, false, 10, 1},
  {MODE_PASSIVE, demo_play_held, false, 10, 1},
};

enum { NACT = sizeof ACT / sizeof ACT[0] };

bool
demo_show_knows(const char * mode)
{
  for (int i = 0; i < NACT; i++) {
    if (strcmp(controller_mode_name(ACT[i].mode), mode) == 0) return true;
  }
  return false;
}

static bool
in_programme(const demo_t * d, const demo_act_t * act)
{
  return d->mode ? strcmp(controller_mode_name(act->mode), d->mode) == 0 : act->in_show;
}

// the acts of this robot
static const demo_act_t *
acts_of(const demo_t * d, int * n)
{
  *n = NACT;
  return d->stand.n > 0 ? demo_stand_acts(n) : ACT;
}

bool
demo_show_has(const demo_t * d)
{
  int n;
  const demo_act_t * act = acts_of(d, &n);
  for (int i = 0; i < n; i++) {
    if (in_programme(d, &act[i])) return true;
  }
  return false;
}

bool
demo_show_ready(demo_t * d)
{
  const double wait_timeout = 30;
  const int64_t until = ros_after(wait_timeout);
  demo_scene_t * s = &d->view.scene;
  s->number = 0;
  int n;
  const demo_act_t * act = acts_of(d, &n);
  for (int i = 0; i < n; i++) s->count += in_programme(d, &act[i]);
  demo_show_scene(
    d, controller_mode_name(MODE_PASSIVE), "Starting",
    "the brakes are engaged until the first command");
  for (;;) {
    demo_watch_lock(&d->watch);
    const bool heard = d->watch.measures.states > 0 && d->watch.measures.terms > 0;
    demo_watch_unlock(&d->watch);
    if (heard && demo_talk_ready(&d->talk)) return demo_show_wait(d, 0.5);
    if (!tick(d)) return false;
    if (ros_now() < until) continue;
    fprintf(stderr, "mbdyn demo: no joint states and torques within %g s\n", wait_timeout);
    return demo_show_done(d, false);
  }
}

void
demo_show_run(demo_t * d)
{
  double parts = 0;
  int n;
  const demo_act_t * act = acts_of(d, &n);
  d->view.scene.judge.push = demo_robot_tip_rank(&d->robot, d->robot.home) == 6;
  for (int i = 0; i < n; i++) {
    if (in_programme(d, &act[i])) parts += act[i].part;
  }
  do {
    d->view.scene.number = 0;
    for (int i = 0; i < n; i++) {
      if (!in_programme(d, &act[i])) continue;
      d->view.scene.number++;
      const double seconds = d->headless > 0 ? d->headless * act[i].part / parts : act[i].seconds;
      if (!act[i].play(d, seconds)) return;
    }
  } while (d->headless <= 0);
}

//---------- what came out ----------

static void
print_times(const demo_measures_t * m, int64_t * scratch)
{
  const double seconds = 1e-9 * (double)(m->until - m->since);
  const size_t n = demo_latencies_copy(m, DEMO_LATENCIES, scratch);
  demo_sort(scratch, n);
  if (m->counted_states < 2 || !(seconds > 0)) return;
  printf(
    "  %-10s %.1f Hz, commands %.1f Hz, %.4f commands per joint state\n", "states",
    (double)(m->counted_states - 1) / seconds, (double)m->counted_commands / seconds,
    demo_answers(m));
  printf(
    "  %-10s p50 %.0f, p99 %.0f, max %.0f us from joint state to torques, measured by the demo\n",
    "latency", 1e6 * demo_quantile(scratch, n, 0.5), 1e6 * demo_quantile(scratch, n, 0.99),
    1e-3 * (double)m->latency_max);
  printf(
    "  %-10s p50 %.0f, p99 %.0f us age of the joint state and compute, worst second\n", "node",
    m->inside_p50, m->inside_p99);
  printf("  %-10s %.3f of real time\n", "simulation", m->report.real_time_factor);
}

static const char *
mark_of(const demo_check_t * check)
{
  if (check->bound[0] == 0) return "";
  if (check->good) return "  ok: ";
  return check->busy ? "  TOO BUSY: " : "  FAILED: ";
}

// what was not kept, and why
static demo_verdict_t
judge_checks(const demo_check_t * check, int n)
{
  demo_verdict_t verdict = DEMO_KEPT;
  for (int i = 0; i < n; i++) {
    if (check[i].good) continue;
    if (check[i].busy) {
      if (verdict == DEMO_KEPT) verdict = DEMO_TOO_BUSY;
    } else {
      verdict = DEMO_BROKEN;
      printf("FAILED: %s %s (required: %s)\n", check[i].name, check[i].value, check[i].bound);
    }
  }
  return verdict;
}

demo_verdict_t
demo_show_sum(demo_t * d, bool judge)
{
  static int64_t scratch[DEMO_LATENCIES];
  demo_check_t check[DEMO_CHECKS];
  demo_verdict_t verdict = DEMO_KEPT;
  bool busy = false;
  look(d);
  if (d->view.m.states == 0) return DEMO_BROKEN;
  const int n = demo_checks(&d->view.m, d->view.scene.judge, check);
  printf("\n%s, %.1f s\n", d->robot.model->name, d->view.scene.seconds);
  for (int i = 0; i < n; i++) {
    printf("  %-10s %s%s%s\n", check[i].name, check[i].value, mark_of(&check[i]), check[i].bound);
    busy = busy || check[i].busy;
  }
  print_times(&d->view.m, scratch);
  if (judge) verdict = judge_checks(check, n);
  if (busy) {
    printf(
      "TOO BUSY: the machine is overloaded: the programs waited %.1f s for a processor and ran "
      "%.1f s\n",
      1e-9 * (double)d->view.m.waited, 1e-9 * (double)d->view.m.ran);
  }
  fflush(stdout);
  return verdict;
}
