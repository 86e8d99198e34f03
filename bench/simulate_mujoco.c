// MuJoCo in time: the double pendulum, its rod a tendon of constant length, as stiff as the step allows.
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simulate_peer.h"

static mjModel *
load(int integrator, double step)
{
  char text[2000], why[500];
  snprintf(
    text, sizeof text,
    "<mujoco><option timestep='%.9g' gravity='0 0 -9.8' integrator='%s'/>"
    "<worldbody>"
    "<body><joint type='ball'/><inertial pos='0 0 0' mass='75' diaginertia='30 30 30'/>"
    "<site name='a' pos='0 0 -1'/></body>"
    "<body pos='0 0 -3'><freejoint/><inertial pos='0 0 0' mass='75' diaginertia='30 30 30'/>"
    "<site name='b' pos='0 0 1'/></body>"
    "</worldbody>"
    "<tendon><spatial name='rod'><site site='a'/><site site='b'/></spatial></tendon>"
    "<equality><tendon tendon1='rod' solref='%.9g 1'/></equality></mujoco>",
    step, integrator == mjINT_RK4 ? "RK4" : "Euler", 2 * step);
  mjVFS * vfs = malloc(sizeof *vfs);
  if (!vfs) return NULL;
  mj_defaultVFS(vfs);
  mjModel * m = NULL;
  if (mj_makeEmptyFileVFS(vfs, "rod.xml", (int)strlen(text)) == 0) {
    memcpy(vfs->filedata[0], text, strlen(text));
    m = mj_loadXML("rod.xml", vfs, why, sizeof why);
    if (!m) fprintf(stderr, "MuJoCo: %s\n", why);
  }
  mj_deleteVFS(vfs);
  free(vfs);
  return m;
}

static bool
run(const simulate_case_t * c, int integrator, double step, simulate_result_t * result)
{
  if (c->kind != SIMULATE_ROD) return false;
  mjModel * m = load(integrator, step);
  mjData * d = m ? mj_makeData(m) : NULL;
  if (!d) return false;
  d->qvel[7] = 5;
  const long steps = lround(c->time / step);
  const double begin = simulate_cpu();
  for (long i = 0; i < steps; i++) mj_step(m, d);
  result->cpu = simulate_cpu() - begin;
  mj_kinematics(m, d);
  result->end[0] = d->xpos[6], result->end[1] = d->xpos[8];
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double x = d->site_xpos[k] - d->site_xpos[3 + k];
    square += x * x;
  }
  result->row = fabs(sqrt(square) - 1);
  result->evaluations = integrator == mjINT_RK4 ? 4 * steps : steps;
  mj_deleteData(d);
  mj_deleteModel(m);
  return true;
}

const simulate_method_t simulate_mujoco[] = {
  {"MuJoCo Euler", true, mjINT_EULER, run},
  {"MuJoCo RK4", true, mjINT_RK4, run},
  {NULL, false, 0, NULL}};
