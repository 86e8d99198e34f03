// Links of a generated chain.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "robot_parts.h"

double
bench_random(uint64_t * state)
{
  // splitmix64
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) / 4503599627370496.0 - 1;
}

// a rod of 0.5 m, slightly off, with moments of inertia in all directions
static void
shape(bench_link_t * link, int i, uint64_t * seed)
{
  const double side = i % 2 == 0 ? 0.25 : -0.25;
  link->mass = 1 + 0.25 * bench_random(seed);
  link->com[0] = side;
  link->com[1] = 0.02 * bench_random(seed), link->com[2] = 0.02 * bench_random(seed);
  const double cross = 0.002 * bench_random(seed);
  const double inertia[6] = {0.01, cross, -cross, 0.03, cross, 0.03};
  for (int k = 0; k < 6; k++) link->inertia[k] = inertia[k];
}

// about x, y and z in turn, turned a little about z so that nothing is a special case
static void
hinge(bench_link_t * link, int i, uint64_t * seed)
{
  const double angle = 0.3 * bench_random(seed), c = cos(angle), s = sin(angle);
  const double R[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  for (int k = 0; k < 9; k++) link->R[k] = R[k];
  link->p[0] = i <= 1 ? 0 : i % 2 == 1 ? 0.5 : -0.5;
  link->p[1] = 0.05 * bench_random(seed), link->p[2] = 0.05 * bench_random(seed);
  link->axis[i % 3] = 1;
  link->lower = -3.141592653589793, link->upper = 3.141592653589793;
}

bool
bench_links_chain(bench_case_t * c, int n, bool floating, uint64_t seed)
{
  enum { capacity = 20 };  // of "joint_" and a number
  const int nlink = n + (floating ? 0 : 1);
  c->link = calloc((size_t)nlink, sizeof *c->link);
  c->link_names = calloc((size_t)nlink, 2 * capacity);
  if (c->link == NULL || c->link_names == NULL) return false;
  c->robot.nlink = nlink;
  for (int i = 0; i < nlink; i++) {
    bench_link_t * link = &c->link[i];
    char * names = c->link_names + (size_t)i * 2 * capacity;
    snprintf(names, capacity, "link_%d", i);
    snprintf(names + capacity, capacity, "joint_%d", i);
    for (int k = 0; k < 3; k++) link->R[4 * k] = 1;
    link->name = names;
    link->parent = i - 1;
    if (i > 0 || floating) shape(link, i, &seed);
    if (i > 0) link->joint = names + capacity, hinge(link, i, &seed);
  }
  return true;
}
