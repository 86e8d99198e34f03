// Simulations against SUNDIALS: the book's mechanisms in all coordinates of the tree, by constrained forward
// dynamics alone, integrated by ARKODE (explicit, order 8) and by IDA (implicit, BDF); the stiff one by IDA alone.
// Neither charts nor our integrators are in it: constraints are kept by the tolerance alone, which is tight and the
// time short.
#include <arkode/arkode_erkstep.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "mbdyn/mechanism.h"
#include "mechanisms.h"
#include "rolling.h"

typedef struct oracle {
  const mechanism_t * m;
  mbd_data_t * data;
  double * work;
  mbd_input_fn input;
  void * ctx;
} oracle_t;

// dq/dt of a joint: quaternions and positions by their own equations
static void
joint_rate(const mbd_body_t * b, const double * q, const double * v, double * qd)
{
  const bool free_joint = b->type == MBD_JOINT_FREE;
  if (b->type == MBD_JOINT_PLANAR) {
    qd[0] = cos(q[2]) * v[0] - sin(q[2]) * v[1];
    qd[1] = sin(q[2]) * v[0] + cos(q[2]) * v[1];
    qd[2] = v[2];
  } else if (free_joint || b->type == MBD_JOINT_SPHERICAL) {
    const double *p = q + (free_joint ? 3 : 0), *w = v + (free_joint ? 3 : 0);
    const mbd_quat_t turn = {p[0], p[1], p[2], p[3]}, spin = {w[0] / 2, w[1] / 2, w[2] / 2, 0};
    const mbd_quat_t rate = mbdu_quat_mul(turn, spin);
    double * to = qd + (free_joint ? 3 : 0);
    to[0] = rate.x, to[1] = rate.y, to[2] = rate.z, to[3] = rate.w;
    if (free_joint) {
      const mbd_mat3_t R = mbdu_quat_to_mat3(turn);
      const mbd_vec3_t u = mbdu_mat3_vec(&R, mbdu_vec3(v[0], v[1], v[2]));
      qd[0] = u.x, qd[1] = u.y, qd[2] = u.z;
    }
  } else {
    for (int k = 0; k < b->nv; k++) qd[k] = v[k];
  }
}

static int
rates(sunrealtype t, N_Vector y, N_Vector yd, void * ctx)
{
  const oracle_t * o = ctx;
  const mbd_model_t * model = o->m->model;
  const double *q = NV_DATA_S(y), *v = q + model->nq;
  double *qd = NV_DATA_S(yd), *vd = qd + model->nq, tau[64] = {0};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * b = &model->body[i];
    joint_rate(b, q + b->q_index, v + b->v_index, qd + b->q_index);
  }
  if (o->input && o->input(o->ctx, o->data, t, q, v, tau) != MBD_OK) return -1;
  mbd_constrained_options_t options = mbd_constrained_options_default();
  options.t = t;
  options.rank = -1;
  return mbd_constrained_forward_dynamics(
    model, o->data, q, v, tau, NULL, &options, o->work, vd, NULL, NULL);
}

static int
residual(sunrealtype t, N_Vector y, N_Vector yd, N_Vector r, void * ctx)
{
  const int status = rates(t, y, r, ctx);
  N_VLinearSum(1, yd, -1, r, r);
  return status;
}

// state at t from the mechanism's start
static void
by_sundials(oracle_t * o, bool implicit, double t, double * out)
{
  const mechanism_t * m = o->m;
  const int n = m->model->nq + m->model->nv;
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  assert_ok(mbd_data_create(m->model, &o->data));
  assert_ok(mbd_set_terms(o->data, MBD_TERM_ELEMENTS));
  o->work = malloc(mbd_constrained_work(m->model) * sizeof *o->work);
  N_Vector y = N_VNew_Serial(n, context), yd = N_VNew_Serial(n, context);
  memcpy(NV_DATA_S(y), m->q, (size_t)m->model->nq * sizeof(double));
  memcpy(NV_DATA_S(y) + m->model->nq, m->v, (size_t)m->model->nv * sizeof(double));
  sunrealtype reached;
  if (implicit) {
    void * ida = IDACreate(context);
    SUNMatrix A = SUNDenseMatrix(n, n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(y, A, context);
    assert_int_equal(rates(0, y, yd, o), 0);
    assert_int_equal(IDAInit(ida, residual, 0, y, yd), 0);
    assert_int_equal(IDASStolerances(ida, 1e-12, 1e-13), 0);
    assert_int_equal(IDASetUserData(ida, o), 0);
    assert_int_equal(IDASetLinearSolver(ida, solver, A), 0);
    assert_int_equal(IDASetMaxNumSteps(ida, 1000000), 0);
    assert_int_equal(IDASolve(ida, t, &reached, y, yd, IDA_NORMAL), 0);
    IDAFree(&ida);
    SUNLinSolFree(solver), SUNMatDestroy(A);
  } else {
    void * ark = ERKStepCreate(rates, 0, y, context);
    assert_int_equal(ERKStepSetTableNum(ark, ARKODE_FEHLBERG_13_7_8), 0);
    assert_int_equal(ERKStepSStolerances(ark, 1e-12, 1e-13), 0);
    assert_int_equal(ERKStepSetUserData(ark, o), 0);
    assert_int_equal(ERKStepSetMaxNumSteps(ark, 1000000), 0);
    // impacts on one-sided springs
    assert_int_equal(ERKStepSetMaxErrTestFails(ark, 100), 0);
    assert_int_equal(ERKStepSetStopTime(ark, t), 0);
    assert_true(ERKStepEvolve(ark, t, y, &reached, ARK_NORMAL) >= 0);
    ERKStepFree(&ark);
  }
  memcpy(out, NV_DATA_S(y), (size_t)n * sizeof *out);
  N_VDestroy(y), N_VDestroy(yd);
  SUNContext_Free(&context);
  mbd_data_destroy(o->data);
  free(o->work);
}

static int compared;

// larger of the differences in q and v, relative where they are above 1; a quaternion and its opposite are one
// orientation
static double
difference(const mbd_model_t * model, const double * is, double * want)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * b = &model->body[i];
    if (b->nq - b->nv != 1) continue;
    const int k = b->q_index + b->nq - 4;
    double dot = 0;
    for (int j = 0; j < 4; j++) dot += is[k + j] * want[k + j];
    for (int j = 0; j < 4 && dot < 0; j++) want[k + j] = -want[k + j];
  }
  double off = 0;
  for (int k = 0; k < model->nq + model->nv; k++) {
    off = larger(off, fabs(is[k] - want[k]) / fmax(1, fabs(want[k])));
  }
  return off;
}

// the state at t, by ours and by both of theirs
static void
compare(
  const char * what, const mechanism_t * m, mbd_input_fn input, void * ctx, bool stiff, double t)
{
  oracle_t o = {.m = m, .input = input, .ctx = ctx};
  double want[128], is[128];
  const mbd_model_t * model = m->model;
  mbd_simulation_options_t options =
    options_of(stiff ? MBD_METHOD_SDIRK54 : MBD_METHOD_RKF45, stiff ? 1e-10 : 1e-11);
  mbd_simulation_t * sim = simulation(m, &options);
  assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
  assert_ok(mbd_simulation_set_input(sim, input, ctx));
  assert_ok(mbd_simulation_start(sim, 0, m->q, m->v, NULL));
  assert_ok(mbd_simulation_run(sim, t));
  memcpy(is, mbd_simulation_info(sim)->q, (size_t)model->nq * sizeof *is);
  memcpy(is + model->nq, mbd_simulation_info(sim)->v, (size_t)model->nv * sizeof *is);
  for (int implicit = stiff; implicit < 2; implicit++) {
    by_sundials(&o, implicit, t, want);
    const double off = difference(model, is, want);
    print_message("%-28s %s to %g s: %.1e\n", what, implicit ? "IDA" : "ARKODE", t, off);
    assert_true(off < 1e-7);
    compared++;
  }
  mbd_simulation_destroy(sim);
}

static void
mechanisms_agree(void ** state)
{
  (void)state;
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    const top_t spinning = {30, 90, 30, {0, 0, -9.8}, {0.1, 0.2, 12}};
    const top_t transient = {15, 0.234357, 0.46875, {0, -9.81, 0}, {0, -4.61538, 150}};
    const double hanging[2] = {-PI / 2, -PI / 2}, turning[2] = {0, 10}, rest[2] = {0, 0};
    const double bent[2] = {-PI / 2, -PI / 2 + 0.01};
    mechanism_t m = spatial_double_pendulum(cartesian, 5);
    compare("5.4.4", &m, NULL, NULL, false, 4);
    mbd_model_destroy(m.model);
    m = top(&spinning, cartesian);
    compare("5.4.2.1", &m, NULL, NULL, false, 5);
    mbd_model_destroy(m.model);
    m = top(&transient, cartesian);
    compare("5.4.2.2", &m, NULL, NULL, false, 0.5);
    mbd_model_destroy(m.model);
    m = quick_return(cartesian);
    compare("5.8.2", &m, NULL, NULL, false, 1.3);
    mbd_model_destroy(m.model);
    m = slider_crank(cartesian, 1.01);
    compare("5.8.5", &m, NULL, NULL, false, 0.07);
    mbd_model_destroy(m.model);
    m = double_pendulum(cartesian, hanging, turning);
    springs_t springs = {&m, cartesian, {20, 20}, {10, 10}};
    compare("5.4.1 damped", &m, bar_springs, &springs, false, 3);
    mbd_model_destroy(m.model);
    m = double_pendulum(cartesian, bent, rest);
    springs_t stiff = {&m, cartesian, {0, 1e6}, {0, 1e6}};
    compare("5.4.1 K = C = 1e6", &m, bar_springs, &stiff, true, 2);
    mbd_model_destroy(m.model);
    m = double_pendulum(cartesian, hanging, turning);
    springs_t free = {&m, cartesian, {20, 20}, {0, 0}};
    compare("5.4.1", &m, bar_springs, &free, false, 3);
    mbd_model_destroy(m.model);
    m = particle_on_sphere(cartesian);
    compare("3.6.2", &m, NULL, NULL, false, 5);
    mbd_model_destroy(m.model);
    m = particles(cartesian, 1, 1);
    compare("4.9.2.1", &m, NULL, NULL, false, 2);
    mbd_model_destroy(m.model);
    m = heavy_slider(cartesian, 1.98);
    compare("4.9.2.2", &m, NULL, NULL, false, 1);
    mbd_model_destroy(m.model);
    m = coil_spring(cartesian, 10);
    coil_t coil = {&m, 10};
    compare("5.8.3", &m, coil_springs, &coil, false, 0.1);
    mbd_model_destroy(m.model);
    const top_t slowing = {30, 90, 30, {0, 0, -9.8}, {0.1, 0.2, 14}};
    m = top(&slowing, cartesian);
    drag_t drag = {joint_of(&m, "top")->v_index + (cartesian ? 3 : 0)};
    compare("5.1.3", &m, top_drag, &drag, false, 5);
    mbd_model_destroy(m.model);
    m = sliding_top(cartesian, 9, 0.1);
    compare("5.4.3", &m, NULL, NULL, false, 5);
    mbd_model_destroy(m.model);
  }
}

// 300 N m on the rotor
static mbd_status_t
rotor_torque(
  void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)data, (void)t, (void)q, (void)v;
  tau[*(const int *)ctx] = -300;
  return MBD_OK;
}

// of config/mechanisms, with its forces and drivers
static void
files_agree(void ** state)
{
  (void)state;
  static const struct {
    const char *what, *name;
    double t;
  } files[] = {
    {"5.8.1", "double_pendulum_stop", 1.02},
    {"5.10.3", "double_pendulum_telescope", 3},
    {"5.10.5", "spatial_slider_crank", 2},
    {"5.10.7", "governor", 1}};
  for (size_t k = 0; k < 2 * sizeof files / sizeof *files; k++) {
    // massless bodies that closures alone carry have no accelerations in all coordinates
    if (k % 2 && strcmp(files[k / 2].what, "5.10.3") == 0) continue;
    char path[1024];
    mbdx_mechanism_t * file;
    mbdx_mechanism_options_t load = mbdx_mechanism_options_default();
    load.coordinates = k % 2 ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE;
    snprintf(
      path, sizeof path, "%s/config/mechanisms/%s.mechanism.yaml", MBDYN_SOURCE_DIR,
      files[k / 2].name);
    assert_ok(mbdx_mechanism_load_file(path, &load, &file, NULL));
    mechanism_t m = {.model = file->model};
    assert_true(m.model->nq <= 64);
    memcpy(m.q, file->q, (size_t)m.model->nq * sizeof *m.q);
    memcpy(m.v, file->v, (size_t)m.model->nv * sizeof *m.v);
    const bool governor = strcmp(files[k / 2].name, "governor") == 0;
    int rotor = 0;
    if (governor) {
      const mbd_body_t * b = joint_of(&m, k % 2 ? "rotor" : "shaft");
      rotor = b->v_index + b->nv - 1;
    }
    compare(files[k / 2].what, &m, governor ? rotor_torque : NULL, &rotor, false, files[k / 2].t);
    mbdx_mechanism_free(file);
  }
}

static mbd_status_t
turn(void * ctx, mbd_data_t * data, double t, const double * q, const double * v, double * tau)
{
  (void)ctx, (void)data, (void)t, (void)q, (void)v;
  tau[2] = -40;
  return MBD_OK;
}

// rows of velocity as well as of positions drift in these coordinates
static void
rolling_agrees(void ** state)
{
  (void)state;
  mechanism_t m = three_wheels();
  compare("6.3.1", &m, turn, NULL, false, 2);
  mbd_model_destroy(m.model);
  m = tractor_with_trailer();
  compare("6.3.2", &m, NULL, NULL, false, 2);
  mbd_model_destroy(m.model);
  m = disk();
  compare("6.3.3", &m, NULL, NULL, false, 5);
  mbd_model_destroy(m.model);
  for (int cartesian = 0; cartesian < 2; cartesian++) {
    m = ellipsoid_in_bowl(cartesian);
    compare("6.3.4", &m, NULL, NULL, false, 3);
    mbd_model_destroy(m.model);
  }
}

static void
count(void ** state)
{
  (void)state;
  assert_int_equal(compared, 2 * 40 - 2);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mechanisms_agree), cmocka_unit_test(files_agree),
    cmocka_unit_test(rolling_agrees), cmocka_unit_test(count)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
