/// \file pendulum.h
/// Equations of motion of double_pendulum.urdf, by the formulas in that file.
///
///   expect_motion     joint states obey them, under the efforts that they tell
#ifndef PENDULUM_H_
#define PENDULUM_H_

#include <math.h>
#include <string.h>

#include "sim_peer.h"

/// M a + C v + g - tau at the first of two states, with a point mass at the tip.
static inline void
pendulum_residual(
  const joint_sample_t * one, const joint_sample_t * two, double dt, double tip, double * r)
{
  const double *q = one->position, *v = one->velocity, *tau = two->effort;
  const double a[2] = {(two->velocity[0] - v[0]) / dt, (two->velocity[1] - v[1]) / dt};
  const double c2 = cos(q[1]), s1 = sin(q[0]), s2 = sin(q[1]), s12 = sin(q[0] + q[1]);
  const double M11 = 1.9 + c2 + tip * (2 + 2 * c2), M12 = 0.3 + 0.5 * c2 + tip * (1 + c2);
  const double M22 = 0.3 + tip, coriolis = (0.5 + tip) * s2, moment = 0.5 + tip;
  r[0] = M11 * a[0] + M12 * a[1] - coriolis * (2 * v[0] * v[1] + v[1] * v[1]) +
         9.81 * ((2 + tip) * s1 + moment * s12) - tau[0];
  r[1] = M12 * a[0] + M22 * a[1] + coriolis * v[0] * v[0] + 9.81 * moment * s12 - tau[1];
}

/// So many pairs of joint states that are a step of a millisecond apart.
static inline void
expect_motion(peer_t * peer, int pairs, double tip)
{
  joint_sample_t last = next_state(peer);
  while (pairs > 0) {
    const joint_sample_t s = next_state(peer);
    if (s.stamp - last.stamp == 1000000 && memcmp(s.effort, last.effort, sizeof s.effort) == 0) {
      double residual[2];
      const double zero[2] = {0, 0};
      pendulum_residual(&last, &s, 1e-3, tip, residual);
      assert_close_(residual, zero, 2, 1e-7, 1, __FILE__, __LINE__, "equation of motion");
      pairs--;
    }
    last = s;
  }
}

#endif  // PENDULUM_H_
