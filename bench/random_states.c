// The states that every library computes: random, and the same for the same seed.
#include <math.h>
#include <stdlib.h>

#include "robot_parts.h"

// a direction on the sphere in four dimensions
static void
random_quaternion(uint64_t * seed, double * q)
{
  double norm = 0;
  while (norm < 0.1 || norm > 1) {
    norm = 0;
    for (int i = 0; i < 4; i++) q[i] = bench_random(seed), norm += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) q[i] /= sqrt(norm);
}

void
bench_random_configuration(const bench_robot_t * robot, uint64_t * seed, double * q)
{
  if (robot->floating) {
    for (int i = 0; i < 3; i++) q[i] = bench_random(seed);
    random_quaternion(seed, q + 3);
    q += 7;
  }
  for (int i = 0; i < robot->njoint; i++) {
    const bench_link_t * link = &robot->link[i + 1];
    const double middle = (link->lower + link->upper) / 2;
    q[i] = middle + (link->upper - link->lower) / 2 * bench_random(seed);
  }
}

bool
bench_make_states(bench_case_t * c, const bench_settings_t * settings)
{
  bench_robot_t * robot = &c->robot;
  const int batch = settings->batch;
  const int nstate = (settings->nstate + batch - 1) / batch * batch;
  const size_t nq = (size_t)robot->nq, nv = (size_t)robot->nv, n = (size_t)nstate;
  double * q = calloc(n * (nq + 3 * nv), sizeof *q);
  if (q == NULL) return false;
  double *v = q + n * nq, *a = v + n * nv, *tau = a + n * nv;
  uint64_t seed = settings->seed;
  for (size_t i = 0; i < n; i++) bench_random_configuration(robot, &seed, q + i * nq);
  for (size_t i = 0; i < n * nv; i++) {
    v[i] = bench_random(&seed);
    a[i] = 5 * bench_random(&seed);
    tau[i] = 10 * bench_random(&seed);
  }
  c->states = q;
  robot->q = q, robot->v = v, robot->a = a, robot->tau = tau;
  robot->nstate = nstate, robot->batch = batch;
  return true;
}
