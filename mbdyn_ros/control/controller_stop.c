// A trajectory that is given up on its way: the reference comes to rest without a jump in acceleration.
//
// From velocity v0 and acceleration a0 to rest in the time T, the velocity is a cubic in s = t / T,
//   v(s) = v0 (1 - 3 s^2 + 2 s^3) + a0 T (s - 2 s^2 + s^3)
// whose jerk is linear in time, 6 v0 / T^2 + 4 a0 / T at the beginning and 6 v0 / T^2 + 2 a0 / T at the end
// but for signs. It is within J if
//   J T^2 >= 6 |v0| + 4 |a0| T
#include <math.h>
#include <string.h>

#include "controller_private.h"

// shorter is a step for any robot
static const double SHORTEST = 0.01;

static double
time_within_jerk(double v, double a, double jerk)
{
  const double b = 4 * fabs(a);
  return (b + sqrt(b * b + 24 * jerk * fabs(v))) / (2 * jerk);
}

static double
distance(double v, double a, double time)
{
  return time * (v / 2 + a * time / 12);
}

// a joint stops before the limit that it would else get beyond
static double
time_within_limits(const mbd_limits_t * limits, double q, double v, double a, double time)
{
  while (time > SHORTEST) {
    const double end = q + distance(v, a, time);
    const bool beyond = (end > limits->upper && end > q) || (end < limits->lower && end < q);
    if (!beyond) break;
    time *= 0.9;
  }
  return time;
}

void
controller_stop(controller_t * c)
{
  struct controller_private * p = c->p;
  const trajectory_t * t = c->trajectory;
  if (!p->following) return;
  p->following = false;
  // where the joints hold is not known yet, or known and at rest
  if (p->begin || !p->sampled || !c->tracking) return;
  memcpy(p->stop_q, c->q_ref, (size_t)c->model->nq * sizeof(double));
  memcpy(p->stop_v, c->v_ref, (size_t)c->model->nv * sizeof(double));
  memcpy(p->stop_a, c->a_ref, (size_t)c->model->nv * sizeof(double));
  // together, so that they go on in the direction that they had
  double all = 0;
  for (int j = 0; j < t->njoint; j++) {
    const int k = t->dof[j];
    all = fmax(all, time_within_jerk(c->v_ref[k], c->a_ref[k], c->settings->stop_jerk));
  }
  for (int j = 0; j < t->njoint; j++) {
    const int k = t->dof[j];
    const mbd_limits_t * limits = &c->model->body[c->model->dof_body[k]].limits;
    p->stop_time[k] =
      time_within_limits(limits, c->q_ref[t->q_index[j]], c->v_ref[k], c->a_ref[k], all);
  }
  p->stop_begin = p->stepped_at;
  p->stopping = true;
}

bool
controller_stop_sample(controller_t * c, int64_t now)
{
  const struct controller_private * p = c->p;
  const trajectory_t * t = c->trajectory;
  const double since = fmax(1e-9 * (double)(now - p->stop_begin), 0);
  bool moving = false;
  for (int j = 0; j < t->njoint; j++) {
    const int k = t->dof[j];
    const double v = p->stop_v[k], a = p->stop_a[k], T = p->stop_time[k];
    const double s = since < T ? since / T : 1;
    const double s2 = s * s;
    moving = moving || s < 1;
    c->q_ref[t->q_index[j]] = p->stop_q[t->q_index[j]] + v * T * s * (1 - s2 + s * s2 / 2) +
                              a * T * T * s2 * (0.5 - 2 * s / 3 + s2 / 4);
    c->v_ref[k] = s < 1 ? v * (1 - 3 * s2 + 2 * s * s2) + a * T * s * (1 - 2 * s + s2) : 0;
    c->a_ref[k] = s < 1 ? 6 * v / T * (s2 - s) + a * (1 - 4 * s + 3 * s2) : 0;
  }
  return moving;
}

//---------- tolerances on the way ----------

static void
violate(controller_t * c, int joint, bool velocity, double error)
{
  controller_progress_t * progress = &c->p->progress;
  progress->violated = true;
  progress->velocity = velocity;
  progress->joint = joint;
  progress->error = error;
  progress->violated_at = c->p->sampled_at;
  controller_stop(c);
}

void
controller_watch_path(controller_t * c, const joint_input_t * input)
{
  const trajectory_t * t = c->trajectory;
  if (!c->p->following || !c->p->sampled || !c->tracking) return;
  for (int j = 0; j < t->njoint; j++) {
    const int k = t->dof[j], i = t->q_index[j];
    const double dq = c->q_ref[i] - input->q[i], dv = c->v_ref[k] - input->v[k];
    const bool away = t->path_position[j] > 0 && !(fabs(dq) <= t->path_position[j]);
    const bool faster = t->path_velocity[j] > 0 && !(fabs(dv) <= t->path_velocity[j]);
    if (!away && !faster) continue;
    violate(c, j, !away, away ? dq : dv);
    return;
  }
}

controller_progress_t
controller_progress(const controller_t * c)
{
  const struct controller_private * p = c->p;
  controller_progress_t progress = p->progress;
  progress.time = p->sampled_at;
  progress.phase = FOLLOW_NOT;
  if (p->stopping) progress.phase = FOLLOW_STOPPING;
  if (p->following) progress.phase = p->sampled && !c->tracking ? FOLLOW_END : FOLLOW_ON;
  return progress;
}
