// libFuzzer: any bytes as a mechanism, the beginning of its simulation and driven analysis, and its inputs and
// outputs as those of a manipulator. The first byte chooses options, the rest is YAML.
//
//   fuzz_mechanism CORPUS test/fuzz/corpus_mechanism
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"

int LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size);

#define REQUIRE(condition)                                     \
  do {                                                         \
    if (!(condition)) {                                        \
      fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
      abort();                                                 \
    }                                                          \
  } while (0)

static void
check_report(const mbdx_report_t * report, mbd_status_t status)
{
  REQUIRE(report && report->source);
  REQUIRE(report->n == report->nerror + report->nwarning + report->nnote);
  REQUIRE((report->nerror > 0) == (status != MBD_OK));
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * e = &report->entry[i];
    REQUIRE(e->element && e->what && e->text);
    REQUIRE(i == 0 || report->entry[i - 1].line <= e->line);
    for (const char * c = e->text; *c; c++) REQUIRE((unsigned char)*c >= 0x20 && *c != 0x7f);
  }
}

// numbers or a status from each measure
static void
check_measures(
  const mbd_model_t * model, mbd_data_t * data, const mbd_measure_t * list, int n, double * g)
{
  for (int i = 0; i < n; i++) {
    double y, b;
    REQUIRE(list[i].name);
    if (mbd_measure(model, data, &list[i], &y, g, &b) != MBD_OK) continue;
    REQUIRE(isfinite(y) && isfinite(b));
    for (int k = 0; k < model->nv; k++) REQUIRE(isfinite(g[k]));
  }
}

// a state that the model takes, and numbers or a status from its dynamics
static void
check_mechanism(const mbdx_mechanism_t * m)
{
  const mbd_model_t * model = m->model;
  if (model->nv == 0 || model->nv > 200) return;
  mbd_data_t * data;
  double * tau = calloc((size_t)model->nv, sizeof *tau);
  REQUIRE(tau && mbd_data_create(model, &data) == MBD_OK);
  REQUIRE(mbd_set_terms(data, MBD_TERM_ELEMENTS) == MBD_OK);
  REQUIRE(mbd_set_state(model, data, m->q, m->v) == MBD_OK);
  if (mbd_inverse_dynamics(model, data, m->q, m->v, NULL, NULL, tau) == MBD_OK) {
    for (int k = 0; k < model->nv; k++) REQUIRE(isfinite(tau[k]));
  }
  check_measures(model, data, m->input, m->ninput, tau);
  check_measures(model, data, m->output, m->noutput, tau);
  mbd_data_destroy(data);
  free(tau);
}

static void
check_numbers(const double * x, int n)
{
  for (int k = 0; k < n; k++) REQUIRE(isfinite(x[k]));
}

// a few steps, and the state in the middle of each
static void
check_simulation(const mbdx_mechanism_t * m, mbd_method_t method)
{
  const mbd_model_t * model = m->model;
  if (model->nv == 0 || model->nv > 40 || model->nrow > 80) return;
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method;
  mbd_simulation_t * sim;
  REQUIRE(mbd_simulation_create(model, &options, &sim) == MBD_OK);
  REQUIRE(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS) == MBD_OK);
  mbd_status_t status = mbd_simulation_start(sim, 0, m->q, m->v, NULL);
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  double * x = calloc((size_t)(model->nq + 2 * model->nv + model->nrow), sizeof *x);
  REQUIRE(x);
  double *v = x + model->nq, *qdd = v + model->nv, *lambda = qdd + model->nv;
  for (int k = 0; k < 5 && status == MBD_OK; k++) {
    const double before = info->t;
    status = mbd_simulation_step(sim, 1);
    if (status != MBD_OK) break;
    REQUIRE(info->t > before || info->t == 1);
    REQUIRE(isfinite(info->energy) && isfinite(info->work));
    check_numbers(info->q, model->nq);
    check_numbers(info->v, model->nv);
    check_numbers(info->qdd, model->nv);
    check_numbers(info->lambda, model->nrow);
    if (mbd_simulation_at(sim, before + (info->t - before) / 2, x, v, qdd, lambda) == MBD_OK)
      check_numbers(x, model->nq + 2 * model->nv + model->nrow);
  }
  free(x);
  mbd_simulation_destroy(sim);
}

// a short driven analysis: finite states, time that goes on
static void
check_driven(const mbdx_mechanism_t * m)
{
  const mbd_model_t * model = m->model;
  if (model->nv == 0 || model->nv > 40 || model->nrow > 80) return;
  const size_t size = mbd_driven_size(model);
  void * memory = malloc(size);
  mbd_driven_t * driven;
  mbd_data_t * data;
  REQUIRE(memory && mbd_data_create(model, &data) == MBD_OK);
  mbd_status_t status = mbd_driven_init(model, NULL, memory, size, &driven);
  if (status == MBD_OK) status = mbd_driven_start(driven, data, 0, m->q, NULL);
  for (int k = 1; k <= 3 && status == MBD_OK; k++) {
    const mbd_driven_info_t * info = mbd_driven_info(driven);
    check_numbers(info->q, model->nq);
    check_numbers(info->v, model->nv);
    check_numbers(info->qdd, model->nv);
    status = mbd_driven_to(driven, data, 0.02 * k);
    REQUIRE(status != MBD_OK || info->t == 0.02 * k);
  }
  mbd_data_destroy(data);
  free(memory);
}

// the inputs and outputs of the file as those of a manipulator
static void
check_manipulator(const mbdx_mechanism_t * m)
{
  const mbd_model_t * model = m->model;
  if (model->nv > 40 || model->nrow > 80 || m->ninput > 10 || m->noutput > 10) return;
  const size_t size = mbd_manipulator_size(model, m->ninput, m->noutput);
  void * memory = malloc(size + 1);
  mbd_manipulator_t * manipulator;
  mbd_singularity_t s;
  mbd_data_t * data;
  REQUIRE(memory && mbd_data_create(model, &data) == MBD_OK);
  mbd_status_t status = mbd_manipulator_init(
    model, data, m->ninput, m->input, m->noutput, m->output, m->q, NULL, memory, size, NULL,
    &manipulator);
  if (status == MBD_OK) status = mbd_manipulator_monitor(manipulator, data, m->q, &s);
  if (status == MBD_OK) {
    REQUIRE(s.input_condition >= 0 && s.input_condition <= 1 + 1e-9);
    REQUIRE(s.output_condition >= 0 && s.output_condition <= 1 + 1e-9);
    double G[100], H[100];
    status = mbd_manipulator_velocity(manipulator, data, m->q, NULL, NULL, G, H);
    if (status == MBD_OK) check_numbers(G, m->ninput * m->noutput);
    if (status == MBD_OK) check_numbers(H, m->ninput * m->noutput);
  }
  mbd_data_destroy(data);
  free(memory);
}

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  if (size == 0) return 0;
  mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
  options.coordinates = (mbdx_coordinates_t)(bytes[0] % 3);
  options.strict = bytes[0] & 4;
  options.drive_initial = bytes[0] & 16;
  mbdx_mechanism_t * m;
  mbdx_report_t * report;
  const mbd_status_t status =
    mbdx_mechanism_load_string((const char *)bytes + 1, size - 1, "fuzz", &options, &m, &report);
  REQUIRE((status == MBD_OK) == (m != NULL));
  check_report(report, status);
  if (m) check_mechanism(m);
  if (m) check_driven(m);
  if (m) check_manipulator(m);
  if (m) check_simulation(m, bytes[0] & 8 ? MBD_METHOD_SDIRK54 : MBD_METHOD_RKF45);
  mbdx_report_free(report);
  mbdx_mechanism_free(m);
  return 0;
}
