// The terms of one cycle of the node, to be counted by callgrind (measured):
//   cycle_cost step|staged MODE|MODE+observer URDF
//
//   step    controller_step, which is what the node's control thread calls
//   staged  the same terms by position and velocity stage and the general sweeps; of MODE only
//           passive and gravity_compensation
//
// Prints the terms, one number a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

enum { MAX_DOF = 64 };

typedef struct job {
  bool staged;
  controller_t * c;
  controller_settings_t * s;
  mbd_data_t * data;
  joint_input_t input;
  double q[MAX_DOF + 1], v[MAX_DOF], a[MAX_DOF], effort[MAX_DOF];
  double gravity[MAX_DOF], coriolis[MAX_DOF], inertia[MAX_DOF], external[MAX_DOF];
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
staged_terms(job_t * j)
{
  const mbd_model_t * model = j->c->model;
  const mbd_wrenches_t none = {0, NULL};
  DO(mbd_set_gravity(j->data, j->s->gravity));
  DO(mbd_set_position(model, j->data, j->q));
  DO(mbd_set_velocity(model, j->data, j->v));
  DO(mbd_bias(model, j->data, j->coriolis));
  DO(mbd_gravity(model, j->data, j->gravity));
  for (int k = 0; k < model->nv; k++) j->coriolis[k] -= j->gravity[k];
  DO(mbd_jacobian_transpose_product(model, j->data, &none, j->external));
  DO(mbd_mass_product(model, j->data, j->a, j->inertia));
  if (!j->s->observer) return;
  DO(mbd_observer_update(j->c->observer, j->data, j->effort, 1e-3));
}

static void
one_cycle(job_t * j)
{
  if (j->staged)
    staged_terms(j);
  else
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
  if (argc != 4) {
    fprintf(stderr, "usage: cycle_cost step|staged MODE|MODE+observer URDF\n");
    return 2;
  }
  DO(mbdx_urdf_load_file(argv[3], NULL, &model, NULL));
  must(model->nv <= MAX_DOF, "a robot of at most 64 degrees of freedom");
  j.staged = strcmp(argv[1], "staged") == 0;
  j.c = controller_create(model);
  j.s = controller_settings_create(model);
  must(j.c && j.s, "memory");
  must(choose(&j, argv[2]), "a mode");
  j.s->command_terms = 31;
  j.s->model_terms = MBD_TERM_ROTORS;
  // any link will do for a task, and the last is the one that costs most
  j.s->task_frame = model->nframe - 1;
  for (int k = 0; k < 6; k++) j.s->task_row[k] = true, j.s->task_kp[k] = 100, j.s->task_kd[k] = 20;
  j.s->singular = (mbd_singular_t){.policy = MBD_SINGULAR_DAMP, .damping = 0.01};
  DO(mbd_data_create(model, &j.data));
  DO(mbd_set_terms(j.data, j.s->model_terms));
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
  print("gravity", j.staged ? j.gravity : j.c->gravity, model->nv);
  print("coriolis", j.staged ? j.coriolis : j.c->coriolis, model->nv);
  print("inertia", j.staged ? j.inertia : j.c->inertia, model->nv);
  print("external", j.staged ? j.external : j.c->external, model->nv);
  print("observer", j.c->observer->torque, model->nv);
  mbd_data_destroy(j.data);
  j.s->mail.destroy(&j.s->mail);
  controller_destroy(j.c);
  mbd_model_destroy(model);
  return 0;
}
