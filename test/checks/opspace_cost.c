// Operational-space inertia of the tips of a robot in two ways, to be counted by callgrind:
//   opspace_cost N TIPS
// N hinges; one tip: a chain on the ground, several: a trunk on a free joint and equal branches.
// The functions `ours` and `textbook` start from the same position stage and give the same matrix.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/dynamics/task.h"
#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/opspace.h"
#include "random_tree.h"

// not inlined, so that callgrind finds them by name
#define COUNTED __attribute__((noinline))

enum { MOST_TIPS = 4 };

typedef struct robot {
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_task_t task[MOST_TIPS];
  mbd_tasks_t tasks;
  int rows;
  double *q, *work, *ours, *textbook;
  double *M, *J, *X;  // of the textbook
} robot_t;

mbd_status_t ours(robot_t * r);
mbd_status_t textbook(robot_t * r);

//---------- ours: O(N) sweeps, then the inverse of a small matrix ----------

COUNTED mbd_status_t
ours(robot_t * r)
{
  const mbd_singular_t refuse = {MBD_SINGULAR_REFUSE, 0, 0};
  if (r->tasks.n == 1) {
    return mbd_operational_space_inertia(
      r->model, r->data, r->task[0].frame, MBD_LOCAL_WORLD_ALIGNED, r->ours, NULL);
  }
  return mbd_task_inertia(r->model, r->data, &r->tasks, &refuse, r->work, r->ours, NULL);
}

//---------- textbook: J, M, and (J M^-1 J^T)^-1 by dense factors ----------

// lower Cholesky factor of A in place
static int
factor(double * A, size_t n)
{
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j; i < n; i++) {
      double sum = A[i * n + j];
      for (size_t k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      if (i == j && !(sum > 0)) return 0;
      A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
    }
  }
  return 1;
}

// x := L^-1 x
static void
forward_substitution(const double * L, size_t n, double * x)
{
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
}

// the inverse of L L^T, of which L is left as it is: columns of the identity, there and back
static void
invert(const double * L, size_t n, double * inverse)
{
  for (size_t c = 0; c < n; c++) {
    double x[6 * MOST_TIPS] = {0};
    x[c] = 1;
    forward_substitution(L, n, x);
    for (size_t i = n; i-- > 0;) {
      for (size_t k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
      x[i] /= L[i * n + i];
      inverse[i * n + c] = x[i];
    }
  }
}

COUNTED mbd_status_t
textbook(robot_t * r)
{
  const size_t n = (size_t)r->model->nv, m = (size_t)r->rows;
  for (int k = 0; k < r->tasks.n; k++) {
    const mbd_status_t s = mbd_jacobian(
      r->model, r->data, r->task[k].frame, MBD_LOCAL_WORLD_ALIGNED, r->J + 6 * (size_t)k * n);
    if (s != MBD_OK) return s;
  }
  const mbd_status_t s = mbd_mass_matrix(r->model, r->data, r->M);
  if (s != MBD_OK) return s;
  if (!factor(r->M, n)) return MBD_ERROR_SINGULAR;
  // X = L^-1 J^T, row by row of J, so that J M^-1 J^T = X^T X
  memcpy(r->X, r->J, m * n * sizeof *r->X);
  for (size_t i = 0; i < m; i++) forward_substitution(r->M, n, r->X + i * n);
  double C[36 * MOST_TIPS * MOST_TIPS];
  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < m; j++) {
      C[i * m + j] = 0;
      for (size_t k = 0; k < n; k++) C[i * m + j] += r->X[i * n + k] * r->X[j * n + k];
    }
  }
  if (!factor(C, m)) return MBD_ERROR_SINGULAR;
  invert(C, m, r->textbook);
  return MBD_OK;
}

//---------- robots ----------

static int failed;

static void
must(mbd_status_t status)
{
  if (status == MBD_OK) return;
  fprintf(stderr, "opspace_cost: %s\n", mbd_status_string(status));
  failed = 1;
}

// a link on a hinge (or on a free joint) at the end of the last one
static int
add_link(robot_t * r, int parent, int k, mbd_joint_type_t type, uint64_t * state)
{
  char name[16];
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame = parent;
  snprintf(name, sizeof name, "link_%d", k);
  spec.name = spec.joint_name = name;
  spec.parent = parent;
  spec.type = type;
  spec.axis = mbdu_vec3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
  spec.placement.p = mbdu_vec3(0.3, 0.05, 0.1 * (k % 4));
  spec.inertia = random_inertia(state);
  must(mbd_model_add_body(r->model, &spec, &frame));
  return frame;
}

// trunk and branches: with several tips about a seventh of the hinges is the trunk's
static void
build(robot_t * r, int n, int tips)
{
  uint64_t state = 1;
  int trunk = MBD_WORLD_BODY, k = 0;
  must(mbd_model_create("cost", &r->model));
  if (tips > 1) trunk = add_link(r, trunk, n, MBD_JOINT_FREE, &state);
  const int branch = tips > 1 ? (n - n / 7) / tips : n;
  while (k < n - tips * branch) trunk = add_link(r, trunk, k++, MBD_JOINT_REVOLUTE, &state);
  for (int tip = 0; tip < tips; tip++) {
    int frame = trunk;
    for (int i = 0; i < branch; i++) frame = add_link(r, frame, k++, MBD_JOINT_REVOLUTE, &state);
    r->task[tip] = mbdu_task_frame(frame, MBD_LOCAL_WORLD_ALIGNED);
  }
  must(mbd_model_finalize(r->model));
  must(mbd_data_create(r->model, &r->data));
  r->tasks.n = tips, r->tasks.t = r->task;
  r->rows = mbd_task_rows(&r->tasks);
}

static double *
new_numbers(size_t n)
{
  double * x = calloc(n, sizeof *x);
  if (!x) failed = 1;
  return x;
}

static void
make_outputs(robot_t * r)
{
  const size_t nv = (size_t)r->model->nv, m = (size_t)r->rows;
  r->q = new_numbers((size_t)r->model->nq);
  r->work = new_numbers(mbd_task_work(r->model, &r->tasks));
  r->ours = new_numbers(m * m), r->textbook = new_numbers(m * m);
  r->M = new_numbers(nv * nv), r->J = new_numbers(m * nv), r->X = new_numbers(m * nv);
}

static void
release(robot_t * r)
{
  free(r->q), free(r->work), free(r->ours), free(r->textbook), free(r->M), free(r->J), free(r->X);
  mbd_data_destroy(r->data);
  mbd_model_destroy(r->model);
}

// largest difference of the two, over the largest number
static double
difference(const robot_t * r)
{
  double apart = 0, size = 0;
  for (int k = 0; k < r->rows * r->rows; k++) {
    apart = fmax(apart, fabs(r->ours[k] - r->textbook[k]));
    size = fmax(size, fabs(r->ours[k]));
  }
  return apart / size;
}

int
main(int argc, char ** argv)
{
  const int n = argc == 3 ? atoi(argv[1]) : 0, tips = argc == 3 ? atoi(argv[2]) : 0;
  if (n < tips || tips < 1 || tips > MOST_TIPS) {
    fprintf(stderr, "usage: opspace_cost N TIPS\n");
    return 2;
  }
  robot_t r;
  memset(&r, 0, sizeof r);
  build(&r, n, tips);
  if (!failed) make_outputs(&r);
  if (!failed) must(mbd_random_configuration(r.model, 3, r.q));
  if (!failed) must(mbd_set_position(r.model, r.data, r.q));
  if (!failed) must(ours(&r));
  if (!failed) must(textbook(&r));
  if (!failed && !(difference(&r) < 1e-5)) {
    fprintf(stderr, "opspace_cost: the two differ by %g of their size\n", difference(&r));
    failed = 1;
  }
  release(&r);
  return failed;
}
