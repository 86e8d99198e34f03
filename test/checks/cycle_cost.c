// The terms of one cycle of the node, to be counted by callgrind (measured):
//   cycle_cost MODE|MODE+observer URDF
//
// Prints the terms and the observer's estimate, one number a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { MAX_DOF = 64 };

typedef struct job {
  controller_t * c;
  controller_settings_t * s;
  joint_input_t input;
  double q[MAX_DOF + 1], v[MAX_DOF], a[MAX_DOF], effort[MAX_DOF];
} job_t;

static void
must(bool good, const char * what)
{
  if (good) return;
  fprintf(stderr, "cycle_cost: %s failed\n", what);
  exit(1);
}

#define DO(call) must((call) == MBD_OK, #call)

static void
one_cycle(job_t * j)
{
  DO(controller_step(j->c, &j->input, 2000000000, 2000000000, 1e-3, NULL));
}

__attribute__((noinline)) void measured(job_t * j);

void
measured(job_t * j)
{
  one_cycle(j);
}

static void
print(const char * name, const double * x, int n)
{
  for (int k = 0; k < n; k++) printf("%s %d %.17g\n", name, k, x[k]);
}

static bool
choose(job_t * j, const char * mode)
{
  char name[64];
  snprintf(name, sizeof name, "%s", mode);
  char * plus = strchr(name, '+');
  if (plus) *plus = 0;
  j->s->observer = plus != NULL;
  const int found = controller_mode_find(name);
  j->s->mode = (controller_mode_t)found;
  return found >= 0;
}

int
main(int argc, char ** argv)
{
  static job_t j;
  mbd_model_t * model;
  if (argc != 3) {
    fprintf(stderr, "usage: cycle_cost MODE|MODE+observer URDF\n");
    return 2;
  }
  DO(mbdx_urdf_load_file(argv[2], NULL, &model, NULL));
  must(model->nv <= MAX_DOF, "a robot of at most 64 degrees of freedom");
  j.c = controller_create(model);
  j.s = controller_settings_create(model);
  must(j.c && j.s, "memory");
  must(choose(&j, argv[1]), "a mode");
  j.s->command_terms = 31;
  j.s->model_terms = MBD_TERM_ROTORS;
  // any link will do for a task, and the last is the one that costs most
  j.s->task_frame = model->nframe - 1;
  for (int k = 0; k < 6; k++) j.s->task_row[k] = true, j.s->task_kp[k] = 100, j.s->task_kd[k] = 20;
  for (int k = 0; k < 6; k++) j.s->task_stiffness[k] = 300;
  for (int k = 0; k < model->nv; k++) j.s->joint_stiffness[k] = j.s->nullspace_stiffness[k] = 50;
  j.s->singular = (mbd_singular_t){.policy = MBD_SINGULAR_DAMP, .damping = 0.01};
  j.input = (joint_input_t){
    .model = model,
    .q = j.q,
    .v = j.v,
    .acceleration = j.a,
    .effort = j.effort,
    .effort_known = true};
  DO(mbd_neutral(model, j.q));
  for (int k = 0; k < model->nv; k++) {
    if (model->nq == model->nv) j.q[k] = 0.3 + 0.1 * k;
    j.v[k] = 0.5 - 0.2 * k;
    j.a[k] = 0.2 + 0.3 * k;
    j.effort[k] = 1 + k;
  }
  controller_apply(j.c, j.s);
  // the first ones start the observer and the kernels, and the linker finds the functions
  one_cycle(&j);
  one_cycle(&j);
  measured(&j);
  print("gravity", j.c->gravity, model->nv);
  print("coriolis", j.c->coriolis, model->nv);
  print("inertia", j.c->inertia, model->nv);
  print("external", j.c->external, model->nv);
  print("command", j.c->command, model->nv);
  print("observer", j.c->observer->torque, model->nv);
  j.s->mail.destroy(&j.s->mail);
  controller_destroy(j.c);
  mbd_model_destroy(model);
  return 0;
}
