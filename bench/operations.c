// One call of each function on a general arm of N hinges, to be counted by bench/operations.py:
//   mbdyn_operations N
// Each call is in a function of its own name, which callgrind collects in.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/operators.h"

enum { MOST = 64 };

typedef struct arm {
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_noc_t * noc;
  double q[MOST], v[MOST], a[MOST], x[MOST], M[MOST * MOST];
} arm_t;

static mbd_status_t
mass_matrix_at(arm_t * r)
{
  const mbd_status_t status = mbd_set_state(r->model, r->data, r->q, NULL);
  return status == MBD_OK ? mbd_mass_matrix(r->model, r->data, r->M) : status;
}

#define COUNTED(name, call)                               \
  __attribute__((noinline)) mbd_status_t name(arm_t * r); \
  mbd_status_t name(arm_t * r)                            \
  {                                                       \
    return call;                                          \
  }

COUNTED(count_inverse, mbd_inverse_dynamics(r->model, r->data, r->q, r->v, r->a, NULL, r->x))
COUNTED(count_forward, mbd_forward_dynamics(r->model, r->data, r->q, r->v, r->a, NULL, r->x))
COUNTED(count_mass, mass_matrix_at(r))
COUNTED(count_noc_inverse, mbd_noc_inverse_dynamics(r->noc, r->q, r->v, r->a, NULL, r->x))
COUNTED(count_noc_forward, mbd_noc_forward_dynamics(r->noc, r->q, r->v, r->a, NULL, r->x))
COUNTED(
  count_noc_orthogonal, mbd_noc_forward_dynamics_orthogonal(r->noc, r->q, r->v, r->a, NULL, r->x))
COUNTED(count_noc_mass, mbd_noc_mass_matrix(r->noc, r->q, r->M))

// no number of the arm is zero or one
static mbd_status_t
make(int n, arm_t * r)
{
  mbd_dh_row_t row[MOST];
  for (int i = 0; i < n; i++) {
    row[i] = mbd_dh_row_default();
    row[i].a = 0.3 + 0.01 * i, row[i].d = 0.2 - 0.02 * i;
    row[i].alpha = 0.7 + 0.1 * i, row[i].theta = 0.2 * i;
    row[i].inertia = mbdu_inertia_from_com(
      2.0 - 0.01 * i, mbdu_vec3(0.1, -0.2, 0.05), (mbd_sym3_t){0.3, 0.01, 0.02, 0.4, 0.03, 0.5});
    r->q[i] = 0.3 - 0.2 * i, r->v[i] = 0.5 + 0.1 * i, r->a[i] = 1.1 - 0.3 * i;
  }
  const double c = cos(0.4), s = sin(0.4);
  const mbd_dh_t table = {
    .n = n,
    .row = row,
    .base = {{{1, 0, 0, 0, c, -s, 0, s, c}}, {0.1, 0.2, 0.3}},
    .tool = mbdu_placement_identity(),
    .gravity = {1, 2, -9.5}};
  mbd_status_t status = mbd_dh_to_model(&table, &r->model, NULL);
  if (status == MBD_OK) status = mbd_data_create(r->model, &r->data);
  return status == MBD_OK ? mbd_noc_create(&table, &r->noc) : status;
}

static int
count_all(arm_t * r)
{
  mbd_status_t (*const call[])(arm_t *) = {
    count_inverse,     count_forward,        count_mass,    count_noc_inverse,
    count_noc_forward, count_noc_orthogonal, count_noc_mass};
  int bad = 0;
  for (size_t k = 0; k < sizeof call / sizeof call[0]; k++) bad |= call[k](r) != MBD_OK;
  return bad;
}

int
main(int argc, char ** argv)
{
  const int n = argc == 2 ? atoi(argv[1]) : 0;
  if (n < 1 || n > MOST) {
    fprintf(stderr, "usage: mbdyn_operations N     (1 to %d joints)\n", MOST);
    return 2;
  }
  static arm_t arm;
  const int bad = make(n, &arm) != MBD_OK || count_all(&arm);
  mbd_noc_destroy(arm.noc);
  mbd_data_destroy(arm.data);
  mbd_model_destroy(arm.model);
  return bad;
}
