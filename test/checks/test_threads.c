// One model, eight threads with a workspace each: the same bits as one thread alone. Built with
// the thread sanitizer as well.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "random_tree.h"

enum { THREADS = 8, STATES = 50 };

// everything that one state gives, one after the other
typedef struct results {
  double *tau, *qdd, *M, *M_inv, *C;
  double energy, inertia[36];
} results_t;

typedef struct job {
  const mbd_model_t * model;
  results_t result[STATES];
  mbd_status_t status;
} job_t;

static double *
room(size_t n)
{
  double * x = calloc(n, sizeof *x);
  assert_non_null(x);
  return x;
}

static mbd_status_t
evaluate(const mbd_model_t * m, mbd_data_t * d, uint64_t seed, results_t * r)
{
  double * q = calloc((size_t)m->nq, sizeof *q);
  double * v = calloc((size_t)m->nv, sizeof *v);
  mbd_status_t s = q && v ? mbd_random_configuration(m, seed, q) : MBD_ERROR_OUT_OF_MEMORY;
  for (int k = 0; s == MBD_OK && k < m->nv; k++) v[k] = random_signed(&seed);
  if (s == MBD_OK) s = mbd_inverse_dynamics(m, d, q, v, v, NULL, r->tau);
  if (s == MBD_OK) s = mbd_forward_dynamics(m, d, q, v, v, NULL, r->qdd);
  if (s == MBD_OK) s = mbd_mass_matrix(m, d, NULL, r->M);
  if (s == MBD_OK) s = mbd_mass_matrix_inverse(m, d, r->M_inv);
  if (s == MBD_OK) s = mbd_coriolis_matrix(m, d, r->C);
  if (s == MBD_OK) s = mbd_kinetic_energy(m, d, &r->energy);
  if (s == MBD_OK) {
    s =
      mbd_operational_space_inertia(m, d, m->nframe - 1, MBD_LOCAL_WORLD_ALIGNED, r->inertia, NULL);
  }
  free(q);
  free(v);
  return s;
}

static void *
work(void * argument)
{
  job_t * job = argument;
  mbd_data_t * d = NULL;
  job->status = mbd_data_create(job->model, &d);
  for (int k = 0; job->status == MBD_OK && k < STATES; k++) {
    job->status = evaluate(job->model, d, (uint64_t)k, &job->result[k]);
  }
  mbd_data_destroy(d);
  return NULL;
}

static void
prepare(job_t * job, const mbd_model_t * model)
{
  const size_t nv = (size_t)model->nv;
  memset(job, 0, sizeof *job);
  job->model = model;
  for (int k = 0; k < STATES; k++) {
    results_t * r = &job->result[k];
    r->tau = room(nv), r->qdd = room(nv);
    r->M = room(nv * nv), r->M_inv = room(nv * nv), r->C = room(nv * nv);
  }
}

static void
release(job_t * job)
{
  for (int k = 0; k < STATES; k++) {
    results_t * r = &job->result[k];
    free(r->tau), free(r->qdd), free(r->M), free(r->M_inv), free(r->C);
  }
}

static void
assert_same(const job_t * a, const job_t * b)
{
  const size_t nv = (size_t)a->model->nv * sizeof(double), nn = nv * (size_t)a->model->nv;
  for (int k = 0; k < STATES; k++) {
    const results_t *x = &a->result[k], *y = &b->result[k];
    assert_memory_equal(x->tau, y->tau, nv);
    assert_memory_equal(x->qdd, y->qdd, nv);
    assert_memory_equal(x->M, y->M, nn);
    assert_memory_equal(x->M_inv, y->M_inv, nn);
    assert_memory_equal(x->C, y->C, nn);
    assert_memory_equal(x->inertia, y->inertia, sizeof x->inertia);
    assert_memory_equal(&x->energy, &y->energy, sizeof x->energy);
  }
}

static void
eight_threads_give_the_bits_of_one(void ** state)
{
  (void)state;
  static job_t alone, job[THREADS];
  for (uint64_t seed = 1; seed <= 5; seed++) {
    tree_t * t = random_tree(seed, NULL);
    prepare(&alone, t->model);
    work(&alone);
    assert_ok(alone.status);

    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) prepare(&job[i], t->model);
    for (int i = 0; i < THREADS; i++) {
      assert_int_equal(pthread_create(&thread[i], NULL, work, &job[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
      assert_ok(job[i].status);
      assert_same(&alone, &job[i]);
      release(&job[i]);
    }
    release(&alone);
    tree_free(t);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(eight_threads_give_the_bits_of_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
