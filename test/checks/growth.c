// One call of each O(N) function on a chain of N bodies, to be counted by callgrind:
//   growth N
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "random_tree.h"

int
main(int argc, char ** argv)
{
  const int n = argc == 2 ? atoi(argv[1]) : 0;
  if (n < 1) {
    fprintf(stderr, "usage: growth N\n");
    return 2;
  }
  tree_t * t = chain(n, 1);
  const mbd_model_t * m = t->model;
  double * x = calloc((size_t)m->nv, sizeof *x);
  double A[36];
  int bad = !x;
  bad = bad || mbd_inverse_dynamics(m, t->data, t->q, t->v, t->qdd, NULL, x) != MBD_OK;
  bad = bad || mbd_forward_dynamics(m, t->data, t->q, t->v, t->tau, NULL, x) != MBD_OK;
  bad =
    bad || mbd_operational_space_inertia(m, t->data, m->nframe - 1, MBD_LOCAL, A, NULL) != MBD_OK;
  free(x);
  tree_free(t);
  return bad;
}
