// What must hold for a text, whatever is in it.
#include "fuzz_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/shapes.h"

#define REQUIRE(condition)                                     \
  do {                                                         \
    if (!(condition)) {                                        \
      fprintf(stderr, "%d: %s fails\n", __LINE__, #condition); \
      abort();                                                 \
    }                                                          \
  } while (0)

static bool
finite_array(const double * x, int n)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) return false;
  }
  return true;
}

static void
check_report(const mbdx_report_t * report, mbd_status_t status)
{
  REQUIRE(report && report->source);
  REQUIRE(report->n == report->nerror + report->nwarning + report->nnote);
  REQUIRE((report->nerror > 0) == (status != MBD_OK));
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * e = &report->entry[i];
    REQUIRE(e->element && e->what && e->text);
    const bool other = i > 0 && strcmp(report->entry[i - 1].source, e->source) != 0;
    REQUIRE(i == 0 || other || report->entry[i - 1].line <= e->line);
    for (const char * c = e->text; *c; c++) REQUIRE((unsigned char)*c >= 0x20 && *c != 0x7f);
  }
}

// numbers or a status; never a number that is none
static void
check_dynamics(const mbd_model_t * model)
{
  // a mass matrix of more than this says nothing new
  if (model->nv == 0 || model->nv > 200) return;
  mbd_data_t * data;
  REQUIRE(mbd_data_create(model, &data) == MBD_OK);
  const size_t nv = (size_t)model->nv;
  double * memory = calloc((size_t)model->nq + 3 * nv + nv * nv, sizeof *memory);
  REQUIRE(memory);
  double *q = memory, *v = q + model->nq, *tau = v + nv, *qdd = tau + nv, *M = qdd + nv;
  REQUIRE(mbd_neutral(model, q) == MBD_OK);
  REQUIRE(mbd_set_terms(data, MBD_TERM_FRICTION | MBD_TERM_ROTORS) == MBD_OK);
  for (size_t i = 0; i < nv; i++) v[i] = 0.1;
  if (mbd_set_position(model, data, q) == MBD_OK && mbd_set_velocity(model, data, v) == MBD_OK) {
    if (mbd_inverse_dynamics(model, data, NULL, NULL, NULL, NULL, tau) == MBD_OK) {
      REQUIRE(finite_array(tau, model->nv));
    }
    if (mbd_forward_dynamics(model, data, NULL, NULL, tau, NULL, qdd) == MBD_OK) {
      REQUIRE(finite_array(qdd, model->nv));
    }
    if (mbd_mass_matrix(model, data, M) == MBD_OK) {
      REQUIRE(finite_array(M, model->nv * model->nv));
    }
  }
  free(memory);
  mbd_data_destroy(data);
}

void
fuzz_load(uint8_t choice, const char * text, size_t size)
{
  fuzz_load_loops(choice, text, size, NULL);
}

// with drivers and an initial state
static void
check_mechanism(const char * text, size_t size, const mbdx_urdf_options_t * options)
{
  mbdx_mechanism_t * m = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_mechanism_load_urdf_string(text, size, "fuzz", options, &m, &report);
  REQUIRE((status == MBD_OK) == (m != NULL));
  check_report(report, status);
  if (m) REQUIRE(finite_array(m->q, m->model->nq) && finite_array(m->v, m->model->nv));
  mbdx_report_free(report);
  mbdx_mechanism_free(m);
}

// sizes of shapes are finite and not negative
static void
check_shapes(const char * text, size_t size)
{
  mbdx_shapes_t * shapes = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_shapes_load_string(text, size, "fuzz", &shapes, &report);
  REQUIRE((status == MBD_OK) == (shapes != NULL));
  check_report(report, status);
  for (int k = 0; shapes && k < shapes->n; k++) {
    const mbdx_shape_t * s = &shapes->shape[k];
    const double number[5] = {s->size.x, s->size.y, s->size.z, s->radius, s->length};
    REQUIRE(s->link && finite_array(number, 5) && finite_array(&s->X.p.x, 3));
    for (int i = 0; i < 5; i++) REQUIRE(number[i] >= 0);
  }
  mbdx_report_free(report);
  mbdx_shapes_free(shapes);
}

void
fuzz_load_loops(uint8_t choice, const char * text, size_t size, const char * loops)
{
  const mbdx_joint_drive_t drive = {"j", {1e-4, 50, 0.1, 0.2, 0.01}};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = choice & 1 ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = choice & 2;
  options.strict = choice & 4;
  options.allow_massless = choice & 8;
  options.ndrive = choice & 16 ? 1 : 0;
  options.drive = &drive;
  options.loops_text = loops;
  options.embed = !(choice & 32);
  options.mechanism = choice & 64;

  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_urdf_load_string(text, size, "fuzz", &options, &model, &report);
  REQUIRE((status == MBD_OK) == (model != NULL));
  check_report(report, status);
  if (model) check_dynamics(model);
  if (options.mechanism && loops) check_mechanism(text, size, &options);
  if (!loops) check_shapes(text, size);
  mbdx_report_free(report);
  mbd_model_destroy(model);
}
