#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>

int
oracle_nq(const oracle_robot_t * robot)
{
  return robot->njoint + (robot->floating ? 7 : 0);
}

int
oracle_nv(const oracle_robot_t * robot)
{
  return robot->njoint + (robot->floating ? 6 : 0);
}

oracle_results_t
oracle_results_create(const oracle_robot_t * robot)
{
  const size_t nv = (size_t)oracle_nv(robot);
  const size_t nframe = (size_t)robot->nframe;
  oracle_results_t r = {0};
  r.block = calloc(nv * (nv + 4) + nframe * (6 * nv + 18) + 1, sizeof(double));
  if (r.block == NULL) {
    fprintf(stderr, "no memory for the results of %s\n", robot->name);
    exit(1);
  }
  // one after the other
  r.tau = r.block;
  r.gravity = r.tau + nv;
  r.bias = r.gravity + nv;
  r.qdd = r.bias + nv;
  r.M = r.qdd + nv;
  r.placement = r.M + nv * nv;
  r.jacobian = r.placement + 12 * nframe;
  r.jacobian_bias = r.jacobian + 6 * nv * nframe;
  return r;
}

void
oracle_results_free(oracle_results_t * results)
{
  free(results->block);
  results->block = NULL;
}

const double *
oracle_numbers(
  const oracle_robot_t * robot, const oracle_results_t * results, oracle_quantity_t quantity,
  size_t * n)
{
  const size_t nv = (size_t)oracle_nv(robot);
  const size_t nframe = (size_t)robot->nframe;
  switch (quantity) {
    case ORACLE_TAU: return *n = nv, results->tau;
    case ORACLE_GRAVITY: return *n = nv, results->gravity;
    case ORACLE_BIAS: return *n = nv, results->bias;
    case ORACLE_QDD: return *n = nv, results->qdd;
    case ORACLE_M: return *n = nv * nv, results->M;
    case ORACLE_KINETIC: return *n = 1, &results->kinetic;
    case ORACLE_POTENTIAL: return *n = 1, &results->potential;
    case ORACLE_PLACEMENT: return *n = 12 * nframe, results->placement;
    case ORACLE_JACOBIAN: return *n = 6 * nv * nframe, results->jacobian;
    case ORACLE_JACOBIAN_BIAS: return *n = 6 * nframe, results->jacobian_bias;
    case ORACLE_QUANTITIES: break;
  }
  return *n = 0, NULL;
}

const char *
oracle_quantity_name(oracle_quantity_t quantity)
{
  static const char * const names[ORACLE_QUANTITIES] = {
    "inverse dynamics", "gravity",   "bias",      "forward dynamics", "mass matrix",
    "kinetic energy",   "potential", "placement", "Jacobian",         "Jdot v"};
  return quantity < ORACLE_QUANTITIES ? names[quantity] : "unknown";
}
