// The phases of a robot that stands.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "demo_show_parts.h"
#include "mbdyn/spatial.h"

static const char *
standing_mode(void)
{
  return controller_mode_name(MODE_COMPUTED_TORQUE);
}

// a motion through these poses, and a little time after it
static bool
move(demo_t * d, int n, const double * const * pose, double seconds)
{
  const double lead = 0.15, tail = 0.1;
  demo_motion_t motion;
  demo_stand_move(&motion, &d->robot, n, pose, seconds);
  const int64_t start = demo_now() + (int64_t)(1e9 * lead);
  demo_watch_lock(&d->watch);
  demo_probe_track(&d->watch.measures, &motion, start);
  demo_watch_unlock(&d->watch);
  const bool good = demo_show_done(d, demo_talk_trajectory(&d->talk, &d->robot, &motion, start)) &&
                    demo_show_wait(d, lead + demo_motion_duration(&motion) + tail);
  demo_show_stop_probe(d);
  return good;
}

static bool
play_stand(demo_t * d, double seconds)
{
  d->view.scene.judge.track = true;
  demo_show_scene(
    d, standing_mode(), "Standing",
    "brakes released; torques for contact forces of least norm within the friction cones");
  if (!demo_show_mode(d, standing_mode()) || !demo_show_wait(d, 0.3)) return false;
  demo_watch_lock(&d->watch);
  demo_probe_stand(&d->watch.measures);
  demo_watch_unlock(&d->watch);
  const bool good = demo_show_wait(d, seconds - 0.3);
  demo_show_stop_probe(d);
  return good;
}

// down and up, as often as time allows
static bool
play_squat(demo_t * d, double seconds)
{
  const double once = 1;
  const double * pose[DEMO_SEGMENTS + 1];
  int n = 2 * (int)fmax(1, floor((seconds - 0.3) / (2 * once)));
  if (n > DEMO_SEGMENTS) n = DEMO_SEGMENTS;
  for (int k = 0; k <= n; k++) pose[k] = k % 2 ? d->stand.squat : d->robot.home;
  static char text[80];
  snprintf(text, sizeof text, "the base goes down by %.0f mm and up again", 1e3 * d->stand.depth);
  demo_show_scene(d, standing_mode(), "Squatting", text);
  return demo_show_mode(d, standing_mode()) && move(d, n + 1, pose, once);
}

// the weight off this foot, the foot off the supports, up and down
static bool
step(demo_t * d, int foot, const double ** from)
{
  const demo_stand_t * s = &d->stand;
  const double *swayed = s->swayed[foot], *lifted = s->lifted[foot];
  const double * const shift[2] = {*from, swayed};
  const double * const lift[3] = {swayed, lifted, swayed};
  *from = swayed;
  return move(d, 2, shift, s->sway) && demo_show_done(d, demo_talk_supports(&d->talk, s, foot)) &&
         move(d, 3, lift, 0.5) && demo_show_done(d, demo_talk_supports(&d->talk, s, -1));
}

static bool
play_steps(demo_t * d, double seconds)
{
  const demo_stand_t * s = &d->stand;
  const double * from = d->robot.home;
  // of a step, with what it takes to ask for it
  const double once = s->sway + 1.7, back = s->sway + 0.25;
  demo_show_scene(
    d, standing_mode(), "Stepping",
    "the weight leaves a foot, support_frames leaves it out, it goes up and down");
  if (!s->steps) return demo_show_wait(d, 0.1);
  if (!demo_show_mode(d, standing_mode())) return false;
  const int64_t until = ros_after(seconds - back - once);
  int foot = 0;
  do {
    if (!step(d, foot, &from)) return false;
    foot = (foot + 1) % s->n;
  } while (ros_now() < until);
  const double * const home[2] = {from, d->robot.home};
  return move(d, 2, home, s->sway);
}

// on the base for a tenth of a second: forwards, to a side, back, to the other side
static bool
play_shove(demo_t * d, double seconds)
{
  static const mbd_vec3_t SPEED[4] = {{0.25, 0, 0}, {0, 0.1, 0}, {-0.15, 0, 0}, {0, -0.1, 0}};
  const double on = 0.1, wait = 1.6;
  const char * base = d->stand.model->frame[0].name;
  demo_show_scene(d, standing_mode(), "Pushing", "the base is pushed, the feet stay");
  if (!demo_show_mode(d, standing_mode()) || !demo_show_wait(d, 0.2)) return false;
  const int64_t until = ros_after(fmax(seconds - 0.2 - on - wait, 0));
  bool good = true;
  for (int k = 0; good && (k == 0 || ros_now() < until); k++) {
    const mbd_vec3_t impulse = mbdu_vec3_scale(d->stand.mass, SPEED[k % 4]);
    demo_watch_lock(&d->watch);
    demo_probe_shove(&d->watch.measures, mbdu_vec3_norm(impulse));
    demo_watch_unlock(&d->watch);
    good =
      demo_show_done(d, demo_talk_push(&d->talk, base, mbdu_vec3_scale(1 / on, impulse), on)) &&
      demo_show_wait(d, on + wait);
    demo_show_stop_probe(d);
  }
  return good;
}

static const demo_act_t ACT[] = {
  {MODE_COMPUTED_TORQUE, play_stand, true, 6, 0.2},
  {MODE_COMPUTED_TORQUE, play_squat, true, 8, 0.25},
  {MODE_COMPUTED_TORQUE, play_steps, true, 14, 0.35},
  {MODE_COMPUTED_TORQUE, play_shove, true, 7, 0.2},
  {MODE_PASSIVE, demo_play_held, false, 10, 1},
};

const demo_act_t *
demo_stand_acts(int * n)
{
  *n = sizeof ACT / sizeof ACT[0];
  return ACT;
}
