// Matrices are written whole: what the caller's memory held before does not show, and nothing behind
// it is touched. Other tests pass zeroed memory, where a missing zero cannot be seen.
#include <math.h>
#include <string.h>

#include "closed_tree.h"
#include "core_test.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/coriolis.h"
#include "mbdyn/dynamics/derivatives.h"
#include "mbdyn/dynamics/hybrid.h"
#include "mbdyn/dynamics/momentum.h"
#include "mbdyn/dynamics/regressor.h"
#include "mbdyn/dynamics/task.h"
#include "mbdyn/jacobian.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/operators/sparse_mass.h"

enum { BODIES_MOST = 64 };

// a robot in its state, with what functions need besides
typedef struct given {
  const mbd_model_t * m;
  mbd_data_t * d;
  const tree_t * t;
  double * work;
  int frame;
  bool active[BODIES_MOST];
} given_t;

typedef mbd_status_t (*function_t)(const given_t * g, double * out);

static mbd_status_t
mass_matrix(const given_t * g, double * out)
{
  return mbd_mass_matrix(g->m, g->d, out);
}

static mbd_status_t
mass_matrix_by_kernel(const given_t * g, double * out)
{
  const mbd_status_t status = mbd_set_state(g->m, g->d, g->t->q, NULL);
  return status == MBD_OK ? mbd_mass_matrix(g->m, g->d, out) : status;
}

static mbd_status_t
mass_inverse(const given_t * g, double * out)
{
  return mbd_mass_matrix_inverse(g->m, g->d, out);
}

static mbd_status_t
factor(const given_t * g, double * out)
{
  return mbd_mass_factors(g->m, g->d, out, NULL);
}

static mbd_status_t
factor_blocks(const given_t * g, double * out)
{
  return mbd_mass_factors(g->m, g->d, NULL, out);
}

static mbd_status_t
coriolis(const given_t * g, double * out)
{
  return mbd_coriolis_matrix(g->m, g->d, out);
}

static mbd_status_t
mass_rate(const given_t * g, double * out)
{
  return mbd_mass_matrix_rate(g->m, g->d, out);
}

static mbd_status_t
momentum_gradient(const given_t * g, double * out)
{
  return mbd_momentum_gradient(g->m, g->d, out);
}

static mbd_status_t
christoffel(const given_t * g, double * out)
{
  return mbd_christoffel(g->m, g->d, g->m->nv / 2, out);
}

static mbd_status_t
mass_derivative(const given_t * g, double * out)
{
  return mbd_mass_matrix_derivative(g->m, g->d, g->m->nv / 2, g->work, out);
}

static mbd_status_t
mass_tensor(const given_t * g, double * out)
{
  return mbd_mass_matrix_tensor(g->m, g->d, g->work, out);
}

static mbd_status_t
christoffel_tensor(const given_t * g, double * out)
{
  return mbd_christoffel_tensor(g->m, g->d, g->work, out);
}

static mbd_status_t
torque_derivative(const given_t * g, double * out)
{
  return mbd_inverse_dynamics_derivatives(
    g->m, g->d, g->t->q, g->t->v, g->t->qdd, NULL, g->work, out, NULL, NULL);
}

static mbd_status_t
torque_derivative_of_velocity(const given_t * g, double * out)
{
  return mbd_inverse_dynamics_derivatives(
    g->m, g->d, g->t->q, g->t->v, g->t->qdd, NULL, g->work, NULL, out, NULL);
}

static mbd_status_t
jacobian(const given_t * g, double * out)
{
  return mbd_jacobian(g->m, g->d, g->frame, MBD_LOCAL, out);
}

static mbd_status_t
jacobian_rate(const given_t * g, double * out)
{
  return mbd_jacobian_rate(g->m, g->d, g->frame, MBD_WORLD, out);
}

static mbd_status_t
com_jacobian(const given_t * g, double * out)
{
  return mbd_com_jacobian(g->m, g->d, out);
}

static mbd_status_t
centroidal(const given_t * g, double * out)
{
  return mbd_centroidal_matrix(g->m, g->d, out);
}

static mbd_status_t
task_jacobian(const given_t * g, double * out)
{
  const mbd_task_t task = mbdu_task_frame(g->frame, MBD_LOCAL);
  return mbd_task_jacobian(g->m, g->d, &(mbd_tasks_t){1, &task}, out);
}

static mbd_status_t
generalized_jacobian(const given_t * g, double * out)
{
  return mbd_generalized_jacobian(g->m, g->d, g->active, g->frame, MBD_LOCAL, out);
}

static mbd_status_t
disturbance_jacobian(const given_t * g, double * out)
{
  return mbd_disturbance_jacobian(g->m, g->d, g->active, out);
}

static mbd_status_t
torque_regressor(const given_t * g, double * out)
{
  return mbd_torque_regressor(g->m, g->d, g->t->qdd, true, out);
}

static mbd_status_t
momentum_regressor(const given_t * g, double * out)
{
  return mbd_momentum_regressor(g->m, g->d, out);
}

static mbd_status_t
expanded_mass(const given_t * g, double * out)
{
  mbd_sparsity_t * sparsity;
  assert_ok(mbd_sparsity_create(g->m, &sparsity));
  const mat_t M = mat((int)sparsity->nnz, 1);
  assert_ok(mbd_sparse_mass(g->m, g->d, sparsity, M.a));
  const mbd_status_t status = mbd_sparse_expand(sparsity, M.a, out);
  mbd_sparsity_destroy(sparsity);
  return status;
}

// a product of the numbers of degrees of freedom and bodies
typedef struct output {
  const char * name;
  function_t function;
  int rows;  // 0 for nv
  enum { NV, NV_NV, TEN_NBODY, PARAMETERS } columns;
} output_t;

static const output_t OUTPUTS[] = {
  {"M", mass_matrix, 0, NV},
  {"M by kernel", mass_matrix_by_kernel, 0, NV},
  {"M^-1", mass_inverse, 0, NV},
  {"M expanded", expanded_mass, 0, NV},
  {"F", factor, 0, NV},
  {"D", factor_blocks, 0, NV},
  {"C", coriolis, 0, NV},
  {"dM/dt", mass_rate, 0, NV},
  {"momentum gradient", momentum_gradient, 0, NV},
  {"Christoffel symbols", christoffel, 0, NV},
  {"dM/dq_j", mass_derivative, 0, NV},
  {"dM/dq", mass_tensor, 0, NV_NV},
  {"all Christoffel symbols", christoffel_tensor, 0, NV_NV},
  {"dtau/dq", torque_derivative, 0, NV},
  {"dtau/dv", torque_derivative_of_velocity, 0, NV},
  {"J", jacobian, 6, NV},
  {"dJ/dt", jacobian_rate, 6, NV},
  {"J of the centre of mass", com_jacobian, 3, NV},
  {"centroidal matrix", centroidal, 6, NV},
  {"J of a task", task_jacobian, 6, NV},
  {"generalized J", generalized_jacobian, 6, NV},
  {"disturbance J", disturbance_jacobian, 0, NV},
  {"regressor of torques", torque_regressor, 0, PARAMETERS},
  {"regressor of momenta", momentum_regressor, 0, TEN_NBODY},
};
enum { NOUTPUT = sizeof OUTPUTS / sizeof *OUTPUTS };

static size_t
size_of(const output_t * o, const mbd_model_t * m)
{
  const size_t nv = (size_t)m->nv, rows = o->rows ? (size_t)o->rows : nv;
  switch (o->columns) {
    case NV: return rows * nv;
    case NV_NV: return rows * nv * nv;
    case TEN_NBODY: return rows * 10 * (size_t)m->nbody;
    default: return rows * (size_t)mbd_parameter_count(m, true);
  }
}

static void
matrices_are_written_whole(void ** context)
{
  (void)context;
  int zeros[NOUTPUT] = {0};
  const tree_options_t plain = plain_trees();
  FOR_TREES(50, seed % 2 ? &plain : NULL)
  {
    given_t g = {.m = t->model, .d = t->data, .t = t};
    g.work = mat((int)mbd_derivatives_work(t->model), 1).a;
    g.frame = (int)(seed % (uint64_t)t->model->nframe);
    for (int i = 0; i < t->model->nbody; i++) g.active[i] = (seed + (uint64_t)i) % 3 != 0;
    for (int k = 0; k < NOUTPUT; k++) {
      const size_t n = size_of(&OUTPUTS[k], t->model);
      const mat_t clean = mat((int)n + 1, 1), dirty = mat((int)n + 1, 1);
      for (size_t i = 0; i <= n; i++) dirty.a[i] = (double)NAN;
      set_state(t);
      assert_ok(OUTPUTS[k].function(&g, clean.a));
      set_state(t);
      assert_ok(OUTPUTS[k].function(&g, dirty.a));
      assert_true(clean.a[n] == 0 && isnan(dirty.a[n]));
      assert_close(dirty.a, clean.a, n, 0, "%s, seed %lu", OUTPUTS[k].name, seed);
      for (size_t i = 0; i < n; i++) zeros[k] += clean.a[i] == 0;
    }
  }
  // there are zeros that could be missing
  for (int k = 0; k < NOUTPUT; k++) {
    const bool dense = OUTPUTS[k].function == com_jacobian || OUTPUTS[k].function == centroidal;
    if (!dense) assert_count(zeros[k], 1000);
  }
}

// rows of closures, of which the last may be the only one of its closure
static void
rows_of_closures_are_written_whole(void ** context)
{
  (void)context;
  tally_t single = {0};
  FOR_SEEDS(TREES)
  {
    tree_t * t = closed_tree(seed, NULL, 1);
    const mbd_model_t * m = t->model;
    const int n = m->nrow;
    set_state(t);
    for (int k = 0; k < 4; k++) {
      const int numbers = k == 0 ? n * m->nv : n;
      mat_t out[2];
      for (int dirty = 0; dirty < 2; dirty++) {
        double * x = (out[dirty] = mat(numbers + 1, 1)).a;
        for (int i = 0; dirty && i <= numbers; i++) x[i] = (double)NAN;
        if (k == 0) assert_ok(mbd_closure_jacobian(m, t->data, x));
        if (k == 1) assert_ok(mbd_closure_bias(m, t->data, 0.3, x));
        if (k == 2) assert_ok(mbd_closure_error(m, t->data, 0.3, x));
        if (k == 3) assert_ok(mbd_closure_target(m, 0.3, x));
      }
      assert_true(out[0].a[numbers] == 0 && isnan(out[1].a[numbers]));
      assert_close(out[1].a, out[0].a, numbers, 0, "output %d, seed %lu", k, seed);
    }
    tally(&single, m->nclosure > 0 && m->closure[m->nclosure - 1].nrow == 1);
    tree_free(t);
    mats_free();
  }
  assert_enough(&single, 0.1);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(matrices_are_written_whole),
    cmocka_unit_test(rows_of_closures_are_written_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
