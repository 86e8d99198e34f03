#include "demo_motion.h"

#include <math.h>
#include <string.h>

void
demo_blend(double x, double s[3])
{
  x = fmin(fmax(x, 0), 1);
  s[0] = x * x * x * (10 + x * (-15 + 6 * x));
  s[1] = 30 * x * x * (1 + x * (-2 + x));
  s[2] = 60 * x * (1 + x * (-3 + 2 * x));
}

double
demo_motion_duration(const demo_motion_t * motion)
{
  return motion->nsegment * motion->segment;
}

void
demo_motion_at(const demo_motion_t * motion, double t, double * q, double * v, double * a)
{
  const double T = motion->segment;
  const double part = floor(fmin(fmax(t, 0), demo_motion_duration(motion)) / T);
  const int k = (int)fmin(part, motion->nsegment - 1);
  double s[3];
  demo_blend(t / T - k, s);
  for (int i = 0; i < motion->n; i++) {
    const double from = motion->pose[k][i], displacement = motion->pose[k + 1][i] - from;
    q[i] = from + displacement * s[0];
    if (v) v[i] = displacement * s[1] / T;
    if (a) a[i] = displacement * s[2] / (T * T);
  }
}

//---------- the plan ----------

// every joint in a rhythm of its own
static double
wave(int pose, int joint)
{
  return sin(2.4 * pose + 1.7 * joint + 0.6 * pose * (joint % 3));
}

// how far a joint may go from home without leaving its range
static double
range_about(const demo_joint_t * joint, double home)
{
  const double most = joint->slides ? 0.05 : 0.5;
  return fmin(most, fmax(0, joint->half - fabs(home - joint->middle)));
}

static void
set_poses(demo_motion_t * motion, const demo_robot_t * robot, const double * from)
{
  for (int i = 0; i < robot->n; i++) {
    const double reach = motion->scale * range_about(&robot->joint[i], robot->home[i]);
    for (int k = 1; k < motion->nsegment; k++) {
      motion->pose[k][i] = robot->home[i] + reach * wave(k, i);
    }
    motion->pose[0][i] = from[i];
    motion->pose[motion->nsegment][i] = robot->home[i];
  }
}

// the largest part of any limit that the motion takes
static double
demand(const demo_motion_t * motion, demo_robot_t * robot)
{
  double q[DEMO_JOINTS], v[DEMO_JOINTS], a[DEMO_JOINTS], most = 0;
  const int steps = (int)lround(demo_motion_duration(motion) / DEMO_STEP);
  for (int k = 0; k <= steps; k++) {
    demo_motion_at(motion, k * DEMO_STEP, q, v, a);
    most = fmax(most, demo_robot_load_of(robot, q, v, a));
    for (int i = 0; i < robot->n; i++) {
      const double limit = robot->joint[i].velocity;
      if (limit > 0) most = fmax(most, fabs(v[i]) / limit);
    }
  }
  return most;
}

void
demo_motion_plan(demo_motion_t * motion, demo_robot_t * robot, const double * from, double seconds)
{
  memset(motion, 0, sizeof *motion);
  motion->n = robot->n;
  motion->nsegment = (int)fmin(fmax(floor(seconds / 1.25), 2), DEMO_SEGMENTS);
  motion->segment = DEMO_STEP * fmax(floor(seconds / motion->nsegment / DEMO_STEP + 1e-6), 4);
  motion->scale = 1;
  set_poses(motion, robot, from);
  for (int k = 0; k < 8 && demand(motion, robot) > 0.8; k++) {
    motion->scale *= 0.7;
    set_poses(motion, robot, from);
  }
}
