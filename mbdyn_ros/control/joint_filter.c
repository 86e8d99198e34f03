// Samples of joints to velocities and accelerations, and the order of their stamps.
#include <math.h>

#include "joint_input_internal.h"

static const double PI = 3.14159265358979323846;
static const double NANOSECONDS = 1e-9;
// Messages that come at once (and have no stamps to tell them apart) are not differentiated: no
// driver is faster than this [s].
static const double SHORTEST = 50e-6;

static double
lowpass(joint_lowpass_t * filter, double dt, double old, double raw)
{
  // differences of huge numbers: one of them must not stay in the filter for good
  if (!isfinite(raw)) return 0;
  if (!(filter->cutoff > 0)) return raw;
  if (dt != filter->dt) {
    filter->dt = dt;
    filter->keep = exp(-2 * PI * filter->cutoff * dt);
  }
  return filter->keep * old + (1 - filter->keep) * raw;
}

//---------- one degree of freedom ----------

static bool
fresh(const joint_input_t * input, const joint_dof_t * dof, int64_t arrival)
{
  return dof->heard && arrival - dof->arrival <= input->p->timeout;
}

// [ns] by the stamps if both have one
static int64_t
interval(const joint_sample_t * from, const joint_sample_t * to)
{
  const bool stamped = from->stamp != 0 && to->stamp != 0;
  return stamped ? to->stamp - from->stamp : to->arrival - from->arrival;
}

static joint_step_t
step_to(const joint_dof_t * dof, const joint_sample_t * sample, double * dt)
{
  if (!dof->heard) return STEP_FIRST;
  *dt = (double)interval(&dof->from, sample) * NANOSECONDS;
  if (*dt < 0) return STEP_FIRST;
  return *dt < SHORTEST ? STEP_SHORT : STEP_NEXT;
}

static double
moved(const joint_dof_t * dof, double position)
{
  const double by = position - dof->from.position;
  return dof->wraps ? remainder(by, 2 * PI) : by;
}

// derivative of q after this sample
static double
rate(joint_input_t * input, const joint_dof_t * dof, const joint_sample_t * sample)
{
  if (!isnan(sample->velocity)) return sample->velocity;
  switch (dof->step) {
    case STEP_FIRST: return 0;
    case STEP_SHORT: return dof->rate;
    default:
      return lowpass(
        &input->p->velocity, dof->dt, dof->rate, moved(dof, sample->position) / dof->dt);
  }
}

bool
joint_filter_take(joint_input_t * input, int k, const joint_sample_t * sample)
{
  joint_dof_t * dof = &input->p->dof[k];
  const bool in_order = sample->stamp == 0 || dof->stamp == 0 || sample->stamp > dof->stamp;
  // of two that disagree about the time, one is heard as long as it speaks
  if (!in_order && fresh(input, dof, sample->arrival)) return false;
  dof->step = step_to(dof, sample, &dof->dt);
  dof->rate = rate(input, dof, sample);
  if (dof->step != STEP_SHORT) dof->from = *sample;
  dof->heard = true;
  dof->stamp = sample->stamp;
  dof->arrival = sample->arrival;
  input->p->v[k] = dof->rate;
  input->p->velocity_given[k] = !isnan(sample->velocity);
  return true;
}

// v is in child axes, the derivative of q is not
void
joint_filter_planar(joint_input_t * input)
{
  for (int i = 0; i < input->p->tree->nbody; i++) {
    const mbd_body_t * body = &input->p->tree->body[i];
    if (body->type != MBD_JOINT_PLANAR) continue;
    const int k = body->v_index;
    if (input->p->velocity_given[k] || input->p->velocity_given[k + 1]) continue;
    const double angle = input->p->q[body->q_index + 2], c = cos(angle), s = sin(angle);
    const double x = input->p->dof[k].rate, y = input->p->dof[k + 1].rate;
    input->p->v[k] = c * x + s * y;
    input->p->v[k + 1] = c * y - s * x;
  }
}

void
joint_filter_acceleration(joint_input_t * input, int k)
{
  joint_dof_t * dof = &input->p->dof[k];
  if (dof->step == STEP_SHORT) return;
  const double v = input->p->v[k];
  if (dof->step == STEP_FIRST) {
    input->p->a[k] = 0;
    // a velocity that is zero because there is nothing to differentiate is no velocity
    dof->from_v_known = input->p->velocity_given[k];
  } else {
    if (dof->from_v_known) {
      input->p->a[k] =
        lowpass(&input->p->acceleration, dof->dt, input->p->a[k], (v - dof->from_v) / dof->dt);
    }
    dof->from_v_known = true;
  }
  dof->from_v = v;
}

//---------- stamps ----------

// \return false if it is refused for its distance from now
static bool
check_distance(joint_input_t * input, int64_t stamp, int64_t now)
{
  if (!input->p->check_stamp) return true;
  if (now - stamp > input->p->timeout) {
    input->count.late++;
    return false;
  }
  if (stamp - now > input->p->timeout) {
    input->count.future++;
    return false;
  }
  return true;
}

static bool
has_jumped(joint_input_t * input, joint_clock_t * clock, int64_t stamp, int64_t arrival)
{
  // delivered twice, or a publisher whose clock stands still: that is no jump
  if (stamp == clock->stamp) return false;
  if (!clock->backwards) {
    clock->backwards = true;
    clock->backwards_since = arrival;
  }
  return arrival - clock->backwards_since >= input->p->timeout;
}

bool
joint_clock_pass(
  joint_input_t * input, joint_clock_t * clock, int64_t stamp, int64_t now, int64_t arrival)
{
  if (stamp == 0) return true;
  if (!check_distance(input, stamp, now)) return false;
  if (stamp <= clock->stamp) {
    if (!has_jumped(input, clock, stamp, arrival)) {
      input->count.backwards++;
      return false;
    }
    input->count.clock_jumps++;
    joint_input_restart(input);
  }
  clock->stamp = stamp;
  clock->backwards = false;
  return true;
}
