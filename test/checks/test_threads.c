// One model, eight threads with a workspace each: the same bits as one thread alone. Built with
// the thread sanitizer as well.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
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
new_numbers(size_t n)
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
  if (s == MBD_OK) s = mbd_mass_matrix(m, d, r->M);
  if (s == MBD_OK) s = mbd_mass_matrix_inverse(m, d, r->M_inv);
  if (s == MBD_OK && !m->tree) s = mbd_coriolis_matrix(m, d, r->C);
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
    r->tau = new_numbers(nv), r->qdd = new_numbers(nv);
    r->M = new_numbers(nv * nv), r->M_inv = new_numbers(nv * nv), r->C = new_numbers(nv * nv);
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
compare_threads(const mbd_model_t * model)
{
  static job_t alone, job[THREADS];
  prepare(&alone, model);
  work(&alone);
  assert_ok(alone.status);

  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) prepare(&job[i], model);
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
}

static void
eight_threads_give_the_bits_of_one(void ** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    tree_t * t = random_tree(seed, NULL);
    compare_threads(t->model);
    tree_free(t);
  }
}

// links on a rod, two of their joints geared
static mbd_model_t *
looped(void)
{
  static const char * const names[] = {"a", "b", "c", "d"};
  static const char * const joints[] = {"ja", "jb", "jc", "jd"};
  mbd_model_t * tree;
  assert_ok(mbd_model_create("looped", &tree));
  mbd_body_spec_t link = mbd_body_spec_default();
  link.type = MBD_JOINT_REVOLUTE;
  link.limits.lower = -0.5, link.limits.upper = 0.5;
  link.inertia = mbdu_inertia_from_com(1, mbdu_vec3(0.5, 0, 0), (mbd_sym3_t){1, 0, 0, 1, 0, 1});
  for (int k = 0; k < 4; k++) {
    link.name = names[k], link.joint_name = joints[k];
    link.axis = mbdu_vec3(0, k % 2, (k + 1) % 2);
    assert_ok(mbd_model_add_body(tree, &link, &link.parent));
    link.placement.p = mbdu_vec3(1, 0.5 * k, 0.3);
  }
  mbd_closure_spec_t rod = mbd_closure_spec_default();
  rod.name = "rod", rod.type = MBD_CLOSURE_DISTANCE, rod.frame_b = link.parent;
  rod.X_a.p = mbdu_vec3(1, 3, 0), rod.distance = 2.5;
  assert_ok(mbd_model_add_closure(tree, &rod, NULL));
  mbd_closure_spec_t gear = mbd_closure_spec_default();
  gear.name = "gear", gear.type = MBD_CLOSURE_COUPLING, gear.ncoupled = 2;
  gear.joint[0] = "jb", gear.joint[1] = "jc", gear.coefficient[0] = 1, gear.coefficient[1] = 2;
  assert_ok(mbd_model_add_closure(tree, &gear, NULL));
  assert_ok(mbd_model_finalize(tree));
  mbd_embed_options_t options = mbd_embed_options_default();
  options.own_tree = true;
  mbd_model_t * model;
  assert_ok(mbd_model_embed(tree, &options, &model));
  return model;
}

// also where functions without a workspace borrow one of the model's, of which there are fewer
static void
embedded_models_are_shared_as_well(void ** state)
{
  (void)state;
  mbd_model_t * model = looped();
  assert_int_equal(model->nv, 2);
  compare_threads(model);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(eight_threads_give_the_bits_of_one),
    cmocka_unit_test(embedded_models_are_shared_as_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
