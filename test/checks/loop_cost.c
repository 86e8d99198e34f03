// Forward dynamics of a humanoid-size tree with four-bars on it, in one of several ways, to be
// counted by callgrind (measured):
//   loop_cost embedded|tree|engine|cut|kkt LOOPS
//
//   embedded  in independent velocities: embedding.h
//   tree      the same bodies without closures, by the core
//   engine    the same bodies without closures, by the engine that embedded models use
//   cut       in all coordinates with multipliers: constrained.h
//   kkt       the dense saddle system, by Cholesky of M and of G M^-1 G^T
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/mbdyn.h"

#define DO(call)                                                      \
  do {                                                                \
    const mbd_status_t status_ = (call);                              \
    if (status_ != MBD_OK) {                                          \
      fprintf(stderr, "%s: %s\n", #call, mbd_status_string(status_)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

//---------- the robot: a free base, five limbs of 44 joints, four-bars on their links ----------

static mbd_body_spec_t
bar(const char * name, const char * joint, int parent, double x, double length)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  spec.name = name, spec.joint_name = joint, spec.parent = parent;
  spec.type = MBD_JOINT_CONTINUOUS;
  spec.placement.p.x = x;
  const mbd_sym3_t I = {0.001, 0, 0, 0.1 * length * length, 0, 0.1 * length * length};
  spec.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5 * length, 0, 0), I);
  return spec;
}

static int
add_bar(mbd_model_t * m, const char * what, int n, int parent, double x, double length, char axis)
{
  char name[32], joint[32];
  snprintf(name, sizeof name, "%s%d", what, n);
  snprintf(joint, sizeof joint, "j_%s%d", what, n);
  mbd_body_spec_t spec = bar(name, joint, parent, x, length);
  spec.axis = mbdu_vec3(axis == 'x', axis == 'y', axis == 'z');
  int frame;
  DO(mbd_model_add_body(m, &spec, &frame));
  return frame;
}

static void
add_four_bar(mbd_model_t * m, int n, int link, int closed)
{
  const int crank = add_bar(m, "crank", n, link, 0, 0.3, 'z');
  const int coupler = add_bar(m, "rod", n, crank, 0.3, 0.9, 'z');
  const int rocker = add_bar(m, "swing", n, link, 1.0, 0.6, 'z');
  if (!closed) return;
  char name[32];
  snprintf(name, sizeof name, "pin%d", n);
  mbd_closure_spec_t pin = mbd_closure_spec_default();
  pin.name = name, pin.type = MBD_CLOSURE_ON_LINE, pin.frame_a = rocker, pin.frame_b = coupler;
  pin.X_a.p.x = 0.6, pin.X_b.p.x = 0.9;
  DO(mbd_model_add_closure(m, &pin, NULL));
}

static mbd_model_t *
humanoid(int loops, int closed)
{
  static const int limb[] = {7, 7, 10, 10, 10};
  mbd_model_t * m;
  DO(mbd_model_create("humanoid", &m));
  mbd_body_spec_t base = bar("base", "j_base", MBD_WORLD_BODY, 0, 0.5);
  base.type = MBD_JOINT_FREE;
  int root, link[44], n = 0;
  DO(mbd_model_add_body(m, &base, &root));
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < limb[k]; i++, n++) {
      link[n] = add_bar(m, "link", n, i == 0 ? root : link[n - 1], 0.2, 0.3, "zyx"[i % 3]);
    }
  }
  for (int k = 0; k < loops; k++) add_four_bar(m, k, link[(7 * k + 6) % 44], closed);
  DO(mbd_model_finalize(m));
  return m;
}

// all joints somewhere, the four-bars closed by trigonometry
static void
set_joints(const mbd_model_t * m, int loops, double * q)
{
  DO(mbd_neutral(m, q));
  for (int i = 1; i < m->nbody; i++) q[m->body[i].q_index] = 0.3 * sin(i);
  const double x = 0.3 * cos(0.7), y = 0.3 * sin(0.7), dx = 1 - x, dy = -y;
  const double d = sqrt(dx * dx + dy * dy), a = (0.81 - 0.36 + d * d) / (2 * d);
  const double h = sqrt(0.81 - a * a);
  const double px = x + (a * dx - h * dy) / d, py = y + (a * dy + h * dx) / d;
  for (int k = 0; k < loops; k++) {
    char name[32];
    int body;
    snprintf(name, sizeof name, "j_crank%d", k);
    DO(mbd_find_joint(m, name, &body));
    q[m->body[body].q_index] = 0.7;
    snprintf(name, sizeof name, "j_rod%d", k);
    DO(mbd_find_joint(m, name, &body));
    q[m->body[body].q_index] = atan2(py - y, px - x) - 0.7;
    snprintf(name, sizeof name, "j_swing%d", k);
    DO(mbd_find_joint(m, name, &body));
    q[m->body[body].q_index] = atan2(py, px - 1);
  }
}

//---------- the dense way ----------

// A = L L^T in place, lower
static void
cholesky(double * A, int n)
{
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
      A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
    }
  }
}

static void
lower(const double * L, int n, double * x)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
}

static void
upper(const double * L, int n, double * x)
{
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

typedef struct job {
  const char * method;
  mbd_model_t *tree, *model;
  mbd_data_t * data;
  double *q, *v, *tau, *qdd, *work;
} job_t;

// M qdd + h = G^T lambda, G qdd = gamma
static void
dense(job_t * j)
{
  const int n = j->tree->nv, m = j->tree->nrow;
  double *M = j->work, *G = M + n * n, *C = G + m * n, *g = C + m * m;
  DO(mbd_set_state(j->tree, j->data, j->q, j->v));
  DO(mbd_mass_matrix(j->tree, j->data, M));
  DO(mbd_bias(j->tree, j->data, j->qdd));
  for (int k = 0; k < n; k++) j->qdd[k] -= j->tau[k];
  DO(mbd_closure_jacobian(j->tree, j->data, G));
  DO(mbd_closure_bias(j->tree, j->data, 0, g));
  cholesky(M, n);
  lower(M, n, j->qdd);
  for (int i = 0; i < m; i++) lower(M, n, G + i * n);
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++) g[i] += G[i * n + k] * j->qdd[k];
    for (int k = 0; k < m; k++) {
      C[i * m + k] = 0;
      for (int l = 0; l < n; l++) C[i * m + k] += G[i * n + l] * G[k * n + l];
    }
  }
  cholesky(C, m);
  lower(C, m, g);
  upper(C, m, g);
  for (int k = 0; k < n; k++) {
    j->qdd[k] = -j->qdd[k];
    for (int i = 0; i < m; i++) j->qdd[k] += G[i * n + k] * g[i];
  }
  upper(M, n, j->qdd);
}

__attribute__((noinline)) void measured(job_t * j);

void
measured(job_t * j)
{
  if (strcmp(j->method, "cut") == 0) {
    DO(mbd_constrained_forward_dynamics(
      j->tree, j->data, j->q, j->v, j->tau, NULL, NULL, j->work, j->qdd, NULL, NULL));
  } else if (strcmp(j->method, "kkt") == 0) {
    dense(j);
  } else {
    DO(mbd_forward_dynamics(j->model, j->data, j->q, j->v, j->tau, NULL, j->qdd));
  }
}

int
main(int argc, char ** argv)
{
  job_t j = {0};
  const int loops = argc == 3 ? atoi(argv[2]) : -1;
  static const char * const methods[] = {"embedded", "tree", "engine", "cut", "kkt"};
  for (int k = 0; argc == 3 && k < 5; k++) {
    if (strcmp(argv[1], methods[k]) == 0) j.method = methods[k];
  }
  if (loops < 0 || !j.method) {
    fprintf(stderr, "usage: loop_cost embedded|tree|engine|cut|kkt LOOPS\n");
    return 2;
  }
  const int closed = strcmp(j.method, "tree") != 0 && strcmp(j.method, "engine") != 0;
  j.tree = humanoid(loops, closed);
  const size_t n = (size_t)j.tree->nv, m = (size_t)j.tree->nrow;
  j.q = calloc((size_t)j.tree->nq, sizeof(double));
  j.v = calloc(n, sizeof(double));
  j.qdd = calloc(n, sizeof(double));
  j.tau = calloc(n, sizeof(double));
  j.work = calloc(n * n + m * n + m * m + m + mbd_constrained_work(j.tree) + 1, sizeof(double));
  set_joints(j.tree, loops, j.q);
  j.model = j.tree;
  if (strcmp(j.method, "embedded") == 0 || strcmp(j.method, "engine") == 0) {
    mbd_embed_options_t options = mbd_embed_options_default();
    options.q = j.q;
    DO(mbd_model_embed(j.tree, &options, &j.model));
  }
  DO(mbd_data_create(j.model, &j.data));
  // limbs move and are driven, the four-bars stand still in them: the same state whatever the way
  for (int k = 0; k < j.model->nv; k++) {
    const mbd_body_t * body = &j.model->body[j.model->dof_body[k]];
    const int limb = strncmp(body->name, "link", 4) == 0;
    j.v[k] = limb ? 0.1 : 0;
    j.tau[k] = limb ? 1 : 0;
  }
  measured(&j);
  // the same accelerations whatever the way: a sum over the base's
  double sum = 0;
  for (int k = 0; k < 6; k++) sum += j.qdd[k];
  printf("%s %d dof %d rows %d base %.9g\n", j.method, loops, j.model->nv, j.tree->nrow, sum);
  mbd_data_destroy(j.data);
  if (j.model != j.tree) mbd_model_destroy(j.model);
  mbd_model_destroy(j.tree);
  free(j.q), free(j.v), free(j.tau), free(j.qdd), free(j.work);
  return 0;
}
