#include "demo_measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"

bool
demo_measures_init(demo_measures_t * m, demo_robot_t * robot)
{
  memset(m, 0, sizeof *m);
  m->robot = robot;
  m->latency = calloc(DEMO_LATENCIES, sizeof *m->latency);
  return m->latency != NULL;
}

void
demo_measures_fini(demo_measures_t * m)
{
  free(m->latency);
  m->latency = NULL;
}

//---------- what to look at ----------

void
demo_probe_stop(demo_measures_t * m)
{
  if (m->probe == PROBE_SHOVE) {
    m->base.pushes++;
    m->base.worst = fmax(m->base.worst, m->base.away);
    m->base.strongest = fmax(m->base.strongest, m->base.impulse);
  }
  m->probe = PROBE_NONE;
}

double
demo_rms(const demo_error_t * error)
{
  return error->n > 0 ? sqrt(error->sum / (double)error->n) : (double)NAN;
}

static double
largest(const demo_error_t * error)
{
  return error->max;
}

// a round that is over, to those before
static void
add_round(demo_past_t * past, const demo_error_t * round, double (*badness)(const demo_error_t *))
{
  past->rounds++;
  if (round->n == 0 || round->excluded > round->n) return;
  if (past->judged++ == 0 || badness(round) > badness(&past->worst)) past->worst = *round;
}

void
demo_probe_drift(demo_measures_t * m)
{
  if (m->drift_begun) add_round(&m->past_drift, &m->drift, largest);
  m->probe = PROBE_DRIFT;
  m->drift_begun = true;
  m->drift = (demo_error_t){0};
  memcpy(m->drift_from, m->q, sizeof m->q);
}

void
demo_probe_stand(demo_measures_t * m)
{
  m->probe = PROBE_STAND;
  m->base.begun = true;
  m->base.from = m->base.p;
}

void
demo_probe_shove(demo_measures_t * m, double impulse)
{
  m->probe = PROBE_SHOVE;
  m->base.from = m->base.p;
  m->base.impulse = impulse;
}

void
demo_probe_track(demo_measures_t * m, const demo_motion_t * motion, int64_t start)
{
  if (m->track_begun) add_round(&m->past_track, &m->track, demo_rms);
  m->probe = PROBE_TRACK;
  m->track_begun = true;
  m->track = (demo_error_t){0};
  m->motion = *motion;
  m->motion_start = start;
}

// a push whose estimates have come, to those before
static void
add_push(demo_measures_t * m, const demo_push_t * push)
{
  m->past_pushes++;
  if (push->excluded > push->n) return;
  const double error = demo_push_error(push), worst = demo_push_error(&m->worst_push);
  // one without an estimate is the worst
  if (m->judged_pushes++ == 0 || isnan(error) || error > worst) m->worst_push = *push;
}

void
demo_probe_push(demo_measures_t * m, mbd_vec3_t force, int64_t from, int64_t to)
{
  if (m->push_begun) add_push(m, &m->push);
  m->probe = PROBE_PUSH;
  m->push_begun = true;
  m->push = (demo_push_t){.force = force, .from = from, .to = to};
}

static bool
kinetic_energy(demo_measures_t * m, double * energy)
{
  return demo_robot_place(m->robot, m->q) == MBD_OK &&
         mbd_set_velocity(m->robot->model, m->robot->data, m->v) == MBD_OK &&
         mbd_kinetic_energy(m->robot->model, m->robot->data, energy) == MBD_OK;
}

// friction may hold a light robot: then there is nothing to judge
static void
end_decay(demo_decay_t * d)
{
  if (d->n > 0 && d->start > 30 * d->floor) {
    d->worst = fmax(d->worst, d->now / d->start);
    d->rounds++;
  }
  d->n = 0;
}

void
demo_probe_decay(demo_measures_t * m, int64_t push, int64_t from)
{
  end_decay(&m->decay);
  m->decay =
    (demo_decay_t){.push = push, .from = from, .worst = m->decay.worst, .rounds = m->decay.rounds};
  m->probe = PROBE_DECAY;
}

void
demo_probe_line(demo_measures_t * m, const demo_line_t * path)
{
  if (m->line_begun) add_round(&m->past_line, &m->line, demo_rms);
  m->probe = PROBE_LINE;
  m->line_begun = true;
  m->line = (demo_error_t){0};
  m->path = *path;
}

void
demo_count(demo_measures_t * m, bool commands)
{
  m->counting = true;
  m->commanded = commands;
}

//---------- errors ----------

static void
add_error(demo_error_t * error, const double * is, const double * wanted, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double e = fabs(is[i] - wanted[i]);
    sum += e * e;
    if (e > error->max) error->max = e, error->joint = i;
  }
  error->now = sqrt(sum / n);
  error->sum += sum;
  error->n += (uint64_t)n;
}

// did the node have a processor shortly before?
static bool
is_settled(demo_measures_t * m, int64_t stamp)
{
  if (m->cycle != 0 && stamp - m->cycle > DEMO_STALL) m->settled = stamp + DEMO_SETTLE;
  return stamp >= m->settled;
}

static void
drift(demo_measures_t * m, int64_t stamp)
{
  if (is_settled(m, stamp)) {
    add_error(&m->drift, m->q, m->drift_from, m->robot->n);
  } else {
    m->drift.excluded += (uint64_t)m->robot->n;
    // from here it ought to stay
    memcpy(m->drift_from, m->q, sizeof m->q);
  }
}

static void
track(demo_measures_t * m, int64_t stamp)
{
  double q[DEMO_JOINTS];
  const double t = 1e-9 * (double)(stamp - m->motion_start);
  if (t < 0 || t > demo_motion_duration(&m->motion)) return;
  demo_motion_at(&m->motion, t, q, NULL, NULL);
  if (is_settled(m, stamp))
    add_error(&m->track, m->q, q, m->robot->n);
  else
    m->track.excluded += (uint64_t)m->robot->n;
}

void
demo_line_at(const demo_line_t * path, int64_t stamp, mbd_vec3_t * p, mbd_vec3_t * v)
{
  const double t = fmax(0, 1e-9 * (double)(stamp - path->start)), half = 0.5 * path->period;
  const double phase = fmod(t, path->period);
  const bool back = phase >= half;
  double s[3];
  demo_blend((back ? phase - half : phase) / half, s);
  *p = mbdu_vec3_add(path->from.p, mbdu_vec3_scale(back ? 1 - s[0] : s[0], path->displacement));
  *v = mbdu_vec3_scale((back ? -s[1] : s[1]) / half, path->displacement);
}

static void
follow_line(demo_measures_t * m, int64_t stamp)
{
  mbd_placement_t X;
  mbd_vec3_t p, v;
  if (
    stamp < m->path.start || demo_robot_place(m->robot, m->q) != MBD_OK ||
    mbd_frame_placement(m->robot->model, m->robot->data, m->robot->tip, &X) != MBD_OK) {
    return;
  }
  demo_line_at(&m->path, stamp, &p, &v);
  const double away = mbdu_vec3_norm(mbdu_vec3_sub(X.p, p)), none = 0;
  if (is_settled(m, stamp))
    add_error(&m->line, &away, &none, 1);
  else
    m->line.excluded++;
}

static void
follow_decay(demo_measures_t * m, int64_t stamp)
{
  demo_decay_t * d = &m->decay;
  double energy;
  if ((stamp >= d->push && stamp < d->from) || !kinetic_energy(m, &energy)) return;
  if (stamp < d->push) {
    d->floor += (energy - d->floor) / (double)++d->nfloor;
    return;
  }
  if (d->n++ == 0) d->start = energy;
  d->now = energy;
  d->seconds = 1e-9 * (double)(stamp - d->from);
}

//---------- messages ----------

// counts what is not a number
static void
inspect(demo_measures_t * m, const double * x, int n)
{
  m->numbers += (uint64_t)n;
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) m->not_finite++;
  }
}

static void
copy(demo_measures_t * m, double * to, const double * from)
{
  inspect(m, from, m->robot->n);
  memcpy(to, from, (size_t)m->robot->n * sizeof *to);
}

void
demo_take_state(
  demo_measures_t * m, int64_t stamp, int64_t now, const double * q, const double * v,
  const double * effort)
{
  m->states++;
  m->stamp = stamp;
  copy(m, m->q, q);
  copy(m, m->v, v);
  copy(m, m->effort, effort);
  if (m->counting) {
    if (m->counted_states++ == 0) m->since = now;
    m->until = now;
  }
  switch (m->probe) {
    case PROBE_DRIFT: drift(m, stamp); break;
    case PROBE_TRACK: track(m, stamp); break;
    case PROBE_LINE: follow_line(m, stamp); break;
    case PROBE_DECAY: follow_decay(m, stamp); break;
    default: break;
  }
}

void
demo_take_command(demo_measures_t * m, const double * tau)
{
  m->commands++;
  if (m->counting) m->counted_commands++;
  copy(m, m->command, tau);
}

void
demo_take_torques(demo_measures_t * m, int64_t stamp, int64_t now, const double * effort)
{
  m->torques++;
  m->cycle = stamp;
  inspect(m, effort, m->robot->n);
  if (!m->counting) return;
  m->counted_cycles++;
  const int64_t latency = now - stamp;
  m->latency[m->latencies++ % DEMO_LATENCIES] = latency;
  if (latency > m->latency_max) m->latency_max = latency;
}

void
demo_take_terms(demo_measures_t * m, const double * const term[4])
{
  double * const to[4] = {m->gravity, m->coriolis, m->inertia, m->friction};
  m->terms++;
  for (int k = 0; k < 4; k++) copy(m, to[k], term[k]);
}

// joint torques of the push against those that the observer sees
void
demo_take_external(demo_measures_t * m, const double * tau)
{
  demo_push_t * push = &m->push;
  const mbd_model_t * model = m->robot->model;
  const mbd_wrench_t wrench = {
    .frame = m->robot->tip, .reference = MBD_LOCAL_WORLD_ALIGNED, .f = {.lin = push->force}};
  const mbd_wrenches_t wrenches = {1, &wrench};
  double applied[DEMO_JOINTS], off = 0, all = 0;
  copy(m, m->external, tau);
  if (m->probe != PROBE_PUSH || m->stamp < push->from || m->stamp > push->to) return;
  if (
    demo_robot_place(m->robot, m->q) != MBD_OK ||
    mbd_jacobian_transpose_product(model, m->robot->data, &wrenches, applied) != MBD_OK) {
    return;
  }
  for (int i = 0; i < m->robot->n; i++) {
    off += (tau[i] - applied[i]) * (tau[i] - applied[i]);
    all += applied[i] * applied[i];
  }
  const double part = all > 0 ? sqrt(off / all) : 0;
  push->torque_error += (part - push->torque_error) / (double)++push->torque_n;
}

static void
add_mean(mbd_vec3_t * mean, mbd_vec3_t x, uint64_t n)
{
  *mean = mbdu_vec3_add(*mean, mbdu_vec3_scale(1 / (double)n, mbdu_vec3_sub(x, *mean)));
}

void
demo_take_wrench(demo_measures_t * m, int64_t stamp, mbd_vec3_t force, mbd_vec3_t moment)
{
  demo_push_t * push = &m->push;
  mbd_placement_t X;
  m->wrenches++;
  inspect(m, (const double[]){force.x, force.y, force.z, moment.x, moment.y, moment.z}, 6);
  if (
    m->probe != PROBE_PUSH || demo_robot_place(m->robot, m->q) != MBD_OK ||
    mbd_frame_placement(m->robot->model, m->robot->data, m->robot->tip, &X) != MBD_OK) {
    return;
  }
  push->now = mbdu_mat3_vec(&X.R, force);
  if (stamp < push->from || stamp > push->to) return;
  if (!is_settled(m, stamp)) {
    push->excluded++;
    return;
  }
  push->n++;
  add_mean(&push->estimate, push->now, push->n);
  add_mean(&push->moment, mbdu_mat3_vec(&X.R, moment), push->n);
}

void
demo_take_base(demo_measures_t * m, int64_t stamp, const mbd_placement_t * X)
{
  demo_base_t * b = &m->base;
  inspect(m, X->R.m, 9);
  inspect(m, (const double[]){X->p.x, X->p.y, X->p.z}, 3);
  b->known = true;
  b->p = X->p;
  b->tilt = acos(fmin(fmax(X->R.m[8], -1), 1));
  b->away = mbdu_vec3_norm(mbdu_vec3_sub(b->p, b->from));
  if (m->commands > 0) b->most_tilt = fmax(b->most_tilt, b->tilt);
  if (m->probe != PROBE_STAND) return;
  // a node without a processor does not hold it: from where it is then
  if (is_settled(m, stamp)) {
    b->creep = fmax(b->creep, b->away);
    b->seen++;
  } else {
    b->from = b->p;
  }
}

void
demo_take_report(demo_measures_t * m, const demo_report_t * report)
{
  m->report = *report;
  if (!m->counting || !report->known) return;
  m->inside_p50 = fmax(m->inside_p50, report->age_p50 + report->compute_p50);
  m->inside_p99 = fmax(m->inside_p99, report->age_p99 + report->compute_p99);
}

void
demo_take_processor(demo_measures_t * m, int64_t ran, int64_t waited)
{
  if (!m->counting) m->ran_before = ran, m->waited_before = waited;
  m->ran = ran - m->ran_before;
  m->waited = waited - m->waited_before;
}

//---------- results ----------

static int
compare(const void * a, const void * b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void
demo_sort(int64_t * x, size_t n)
{
  qsort(x, n, sizeof *x, compare);
}

size_t
demo_latencies_copy(const demo_measures_t * m, size_t last, int64_t * to)
{
  size_t n = m->latencies < DEMO_LATENCIES ? (size_t)m->latencies : DEMO_LATENCIES;
  if (n > last) n = last;
  for (size_t i = 0; i < n; i++) to[i] = m->latency[(m->latencies - 1 - i) % DEMO_LATENCIES];
  return n;
}

double
demo_quantile(const int64_t * sorted, size_t n, double q)
{
  if (n == 0) return (double)NAN;
  const size_t at = (size_t)(q * (double)n);
  return 1e-9 * (double)sorted[at < n ? at : n - 1];
}

double
demo_push_error(const demo_push_t * push)
{
  const double size = mbdu_vec3_norm(push->force);
  if (push->n == 0 || !(size > 0)) return (double)NAN;
  return mbdu_vec3_norm(mbdu_vec3_sub(push->estimate, push->force)) / size;
}

double
demo_answers(const demo_measures_t * m)
{
  if (m->counted_states == 0) return (double)NAN;
  return (double)m->counted_commands / (double)m->counted_states;
}

bool
demo_is_busy(const demo_measures_t * m)
{
  return m->waited > m->ran;
}

// the next check; judged unless there is no bound
static demo_check_t *
add_check(demo_check_t * check, int * n, const char * name)
{
  demo_check_t * next = &check[(*n)++];
  *next = (demo_check_t){.name = name};
  return next;
}

// ", worst of 3 rounds"
static void
add_rounds(demo_check_t * c, int rounds, int judged)
{
  const size_t n = strlen(c->value);
  if (judged < rounds) {
    snprintf(
      c->value + n, sizeof c->value - n, ", worst of %d evaluated rounds of %d", judged, rounds);
  } else if (rounds > 1) {
    snprintf(c->value + n, sizeof c->value - n, ", worst of %d rounds", rounds);
  }
}

// of all rounds and this one; NULL if there is none to judge, which is then a check of its own
static const demo_error_t *
worst_of(
  const demo_measures_t * m, demo_past_t * all, const demo_error_t * now,
  double (*badness)(const demo_error_t *), demo_check_t * c)
{
  // a round that has just begun says nothing yet
  if (now->n + now->excluded > 0 || all->rounds == 0) add_round(all, now, badness);
  if (all->judged > 0) return &all->worst;
  c->busy = now->excluded > 0 && demo_is_busy(m);
  snprintf(
    c->value, sizeof c->value, "%s",
    now->excluded > 0 ? "not evaluated: the node was not running most of the time"
                      : "no joint state received");
  return NULL;
}

static void
check_drift(const demo_measures_t * m, demo_check_t * check, int * n)
{
  demo_past_t all = m->past_drift;
  if (!m->drift_begun) return;
  demo_check_t * c = add_check(check, n, "drift");
  snprintf(c->bound, sizeof c->bound, "below %g", DEMO_MOST_DRIFT);
  const demo_error_t * worst = worst_of(m, &all, &m->drift, largest, c);
  if (!worst) return;
  c->good = worst->max < DEMO_MOST_DRIFT;
  const bool slides = m->robot->joint[worst->joint].slides;
  snprintf(c->value, sizeof c->value, "%.2g %s", worst->max, slides ? "m" : "rad");
  add_rounds(c, all.rounds, all.judged);
}

static void
check_track(const demo_measures_t * m, bool judge, demo_check_t * check, int * n)
{
  demo_past_t all = m->past_track;
  if (!m->track_begun || (all.rounds == 0 && m->track.n + m->track.excluded == 0)) return;
  demo_check_t * c = add_check(check, n, "tracking");
  if (judge) snprintf(c->bound, sizeof c->bound, "rms below %g", DEMO_MOST_TRACKING);
  const demo_error_t * worst = worst_of(m, &all, &m->track, demo_rms, c);
  c->good = !judge || (worst && demo_rms(worst) < DEMO_MOST_TRACKING);
  if (!worst) return;
  const demo_joint_t * joint = &m->robot->joint[worst->joint];
  snprintf(
    c->value, sizeof c->value, "rms %.2g, max %.2g %s (%.40s)", demo_rms(worst), worst->max,
    joint->slides ? "m" : "rad", joint->name);
  add_rounds(c, all.rounds, all.judged);
}

static void
check_line(const demo_measures_t * m, demo_check_t * check, int * n)
{
  demo_past_t all = m->past_line;
  if (!m->line_begun || (all.rounds == 0 && m->line.n + m->line.excluded == 0)) return;
  demo_check_t * c = add_check(check, n, "line");
  snprintf(c->bound, sizeof c->bound, "rms below %g mm", 1e3 * DEMO_MOST_LINE);
  const demo_error_t * worst = worst_of(m, &all, &m->line, demo_rms, c);
  if (!worst) return;
  c->good = demo_rms(worst) < DEMO_MOST_LINE;
  snprintf(
    c->value, sizeof c->value, "error rms %.2g, max %.2g mm", 1e3 * demo_rms(worst),
    1e3 * worst->max);
  add_rounds(c, all.rounds, all.judged);
}

static void
check_decay(const demo_measures_t * m, demo_check_t * check, int * n)
{
  demo_decay_t all = m->decay;
  if (m->probe != PROBE_DECAY) end_decay(&all);
  if (all.rounds == 0) return;
  demo_check_t * c = add_check(check, n, "damping");
  snprintf(c->bound, sizeof c->bound, "at most %g %%", 100 * DEMO_MOST_LEFT);
  c->good = all.worst <= DEMO_MOST_LEFT;
  c->busy = !c->good && demo_is_busy(m);
  snprintf(
    c->value, sizeof c->value, "%.2g %% of the kinetic energy remains after a push",
    100 * all.worst);
  add_rounds(c, all.rounds, all.rounds);
}

static void
say_push(const demo_push_t * push, bool judge, demo_check_t * c)
{
  if (push->n == 0) {
    snprintf(c->value, sizeof c->value, "no estimate received");
  } else if (judge) {
    snprintf(
      c->value, sizeof c->value, "%.2f N applied, %.2f N estimated, error %.2g %%",
      mbdu_vec3_norm(push->force), mbdu_vec3_norm(push->estimate), 100 * demo_push_error(push));
  } else {
    snprintf(
      c->value, sizeof c->value, "%.2f N applied, error of joint torques %.2g %%",
      mbdu_vec3_norm(push->force), 100 * push->torque_error);
  }
}

static void
check_push(const demo_measures_t * m, bool judge, demo_check_t * check, int * n)
{
  // rounds before, and this one once it is over
  demo_measures_t all = *m;
  if (m->push_begun && m->stamp >= m->push.to) add_push(&all, &m->push);
  if (all.past_pushes == 0) return;
  demo_check_t * c = add_check(check, n, "push");
  if (judge) snprintf(c->bound, sizeof c->bound, "within %g %%", 100 * DEMO_MOST_PUSH);
  c->good = !judge;
  if (all.judged_pushes == 0) {
    c->busy = judge && demo_is_busy(m);
    snprintf(c->value, sizeof c->value, "not evaluated: the node was not running most of the time");
    return;
  }
  c->good = !judge || demo_push_error(&all.worst_push) < DEMO_MOST_PUSH;
  say_push(&all.worst_push, judge, c);
  add_rounds(c, all.past_pushes, all.judged_pushes);
}

static void
check_base(const demo_measures_t * m, demo_check_t * check, int * n)
{
  const demo_base_t * b = &m->base;
  if (!b->begun) return;
  demo_check_t * c = add_check(check, n, "standing");
  c->good = b->seen > 0 && b->creep < DEMO_MOST_CREEP && b->most_tilt < DEMO_MOST_TILT;
  c->busy = !c->good && demo_is_busy(m);
  if (b->seen > 0) {
    snprintf(
      c->value, sizeof c->value, "base moved by %.2g mm, tilted by %.2g rad at most",
      1e3 * b->creep, b->most_tilt);
  } else {
    snprintf(c->value, sizeof c->value, "not evaluated: no odometry while the node was running");
  }
  snprintf(c->bound, sizeof c->bound, "below %g mm, upright", 1e3 * DEMO_MOST_CREEP);
  if (b->pushes == 0) return;
  c = add_check(check, n, "shove");
  c->good = b->worst < DEMO_MOST_AWAY;
  c->busy = !c->good && demo_is_busy(m);
  snprintf(
    c->value, sizeof c->value, "%.2g mm away after %d pushes of up to %.3g N s", 1e3 * b->worst,
    b->pushes, b->strongest);
  snprintf(c->bound, sizeof c->bound, "below %g mm", 1e3 * DEMO_MOST_AWAY);
}

// a node that answers whenever it runs, but does not run: is the machine the cause?
static void
check_answers(const demo_measures_t * m, demo_check_t * check, int * n)
{
  const double answers = demo_answers(m);
  if (m->counted_states == 0 || !m->commanded) return;
  demo_check_t * c = add_check(check, n, "answers");
  c->good = answers >= DEMO_LEAST_ANSWERS;
  const double cycles = (double)m->counted_cycles;
  c->busy = !c->good && demo_is_busy(m) && cycles > 0 &&
            (double)m->counted_commands >= DEMO_LEAST_ANSWERS * cycles;
  snprintf(
    c->value, sizeof c->value, "%.2f %% of %llu joint states", 100 * answers,
    (unsigned long long)m->counted_states);
  snprintf(c->bound, sizeof c->bound, "at least %g %%", 100 * DEMO_LEAST_ANSWERS);
}

int
demo_checks(const demo_measures_t * m, demo_judge_t judge, demo_check_t * check)
{
  int n = 0;
  check_drift(m, check, &n);
  check_track(m, judge.track, check, &n);
  check_line(m, check, &n);
  check_push(m, judge.push, check, &n);
  check_decay(m, check, &n);
  check_base(m, check, &n);
  check_answers(m, check, &n);
  demo_check_t * c = add_check(check, &n, "numbers");
  c->good = m->not_finite == 0;
  snprintf(
    c->value, sizeof c->value, "%llu of %llu not finite", (unsigned long long)m->not_finite,
    (unsigned long long)m->numbers);
  snprintf(c->bound, sizeof c->bound, "none");
  return n;
}
