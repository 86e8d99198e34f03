#include "demo_view.h"

#include <math.h>
#include <stdio.h>

#include "mbdyn/spatial.h"

void
demo_view_copy(demo_view_t * view, const demo_measures_t * m)
{
  view->m = *m;
  view->recent = demo_latencies_copy(m, DEMO_RECENT, view->latency);
}

double
demo_view_signal(const demo_view_t * view, const char ** name)
{
  const demo_measures_t * m = &view->m;
  switch (m->probe) {
    case PROBE_DRIFT: *name = "drift [mrad]"; return 1e3 * m->drift.now;
    case PROBE_TRACK: *name = "error [mrad]"; return 1e3 * m->track.now;
    case PROBE_PUSH: *name = "estimated force [N]"; return mbdu_vec3_norm(m->push.now);
    case PROBE_STAND:
    case PROBE_SHOVE: *name = "distance of the base [mm]"; return 1e3 * m->base.away;
    case PROBE_DECAY: *name = "kinetic energy [mJ]"; return 1e3 * m->decay.now;
    case PROBE_LINE: *name = "distance from the line [mm]"; return 1e3 * m->line.now;
    default: *name = ""; return (double)NAN;
  }
}

// a trace begins anew with each phase
static void
add_to_trace(demo_view_t * view)
{
  const char * name;
  const double signal = demo_view_signal(view, &name);
  if (name != view->traced || !isfinite(signal)) view->traces = 0;
  view->traced = name;
  if (!isfinite(signal)) return;
  view->trace[view->traces++ % DEMO_TRACE] = signal;
}

void
demo_view_reckon(demo_view_t * view, int64_t now)
{
  const size_t at = view->looks % DEMO_LOOKS;
  view->look_time[at] = now;
  view->look_states[at] = view->m.states;
  view->look_commands[at] = view->m.commands;
  view->looks++;
  const size_t oldest = view->looks < DEMO_LOOKS ? 0 : view->looks % DEMO_LOOKS;
  const double dt = 1e-9 * (double)(now - view->look_time[oldest]);
  view->state_rate = dt > 0 ? (double)(view->m.states - view->look_states[oldest]) / dt : 0;
  view->command_rate = dt > 0 ? (double)(view->m.commands - view->look_commands[oldest]) / dt : 0;
  add_to_trace(view);
  demo_sort(view->latency, view->recent);
  view->latency_p50 = demo_quantile(view->latency, view->recent, 0.5);
  view->latency_p99 = demo_quantile(view->latency, view->recent, 0.99);
}

//---------- words ----------

static const char *
unit_of(const demo_view_t * view, int joint)
{
  return view->m.robot->joint[joint].slides ? "m" : "rad";
}

static void
track_detail(const demo_view_t * view, char * text, size_t size)
{
  const demo_measures_t * m = &view->m;
  const double t = 1e-9 * (double)(m->stamp - m->motion_start);
  const int pose = (int)fmin(fmax(ceil(t / m->motion.segment), 1), m->motion.nsegment);
  if (m->track.n == 0) {
    snprintf(text, size, "starting");
    return;
  }
  snprintf(
    text, size, "pose %d of %d, error now %.1e, rms %.1e, max %.1e %s (%s)", pose,
    m->motion.nsegment, m->track.now, demo_rms(&m->track), m->track.max,
    unit_of(view, m->track.joint), m->robot->joint[m->track.joint].name);
}

static void
push_detail(const demo_view_t * view, char * text, size_t size)
{
  const demo_push_t * p = &view->m.push;
  const bool on = view->m.stamp <= p->to;
  const double applied = on ? mbdu_vec3_norm(p->force) : 0;
  if (view->scene.judge.push) {
    snprintf(
      text, size, "applied %.1f N, estimated %.1f N (%.1f %.1f %.1f)%s", applied,
      mbdu_vec3_norm(p->now), p->now.x, p->now.y, p->now.z, on ? "" : ", released");
  } else {
    snprintf(
      text, size, "applied %.1f N, error of the estimated joint torques %.1f %%", applied,
      100 * p->torque_error);
  }
}

void
demo_view_detail(const demo_view_t * view, char * text, size_t size)
{
  const demo_measures_t * m = &view->m;
  switch (m->probe) {
    case PROBE_DRIFT:
      snprintf(
        text, size, "moved by %.1e %s at most (%s)", m->drift.max, unit_of(view, m->drift.joint),
        m->robot->joint[m->drift.joint].name);
      break;
    case PROBE_TRACK: track_detail(view, text, size); break;
    case PROBE_STAND:
      snprintf(
        text, size, "base moved by %.1e mm at most, tilted by %.2g rad", 1e3 * m->base.creep,
        m->base.tilt);
      break;
    case PROBE_SHOVE:
      snprintf(
        text, size, "pushed by %.1f N s, base %.1f mm away, tilted by %.2f rad", m->base.impulse,
        1e3 * m->base.away, m->base.tilt);
      break;
    case PROBE_PUSH: push_detail(view, text, size); break;
    case PROBE_DECAY:
      if (m->decay.n == 0)
        snprintf(text, size, "pushed");
      else
        snprintf(
          text, size, "kinetic energy %.2g J at the end of the push, %.2g J %.1f s later",
          m->decay.start, m->decay.now, m->decay.seconds);
      break;
    case PROBE_LINE:
      snprintf(
        text, size, "distance from the line %.2f mm, rms %.2f mm, max %.2f mm", 1e3 * m->line.now,
        1e3 * demo_rms(&m->line), 1e3 * m->line.max);
      break;
    default:
      snprintf(
        text, size, "%s",
        m->terms == 0     ? "waiting for the node"
        : m->commands > 0 ? "settling"
                          : "no command has been sent");
  }
}

void
demo_view_line(const demo_view_t * view, char * text, size_t size)
{
  char detail[160];
  demo_view_detail(view, detail, sizeof detail);
  snprintf(
    text, size, "%6.1f s  %s: %s; %.0f states/s, %.0f commands/s, latency p50 %.0f p99 %.0f us",
    view->scene.seconds, view->scene.title, detail, view->state_rate, view->command_rate,
    1e6 * view->latency_p50, 1e6 * view->latency_p99);
}
