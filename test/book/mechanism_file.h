/// \file mechanism_file.h
/// Simulations of mechanism files (mbdyn/mechanism.h).
#ifndef MECHANISM_FILE_H_
#define MECHANISM_FILE_H_

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"

#define FOLDER MBDYN_SOURCE_DIR "/config/mechanisms/"

/// A mechanism and its simulation.
typedef struct run {
  mbdx_mechanism_t * m;
  mbd_simulation_t * sim;
  const mbd_simulation_info_t * info;
} run_t;

static inline void
run_free(run_t * r)
{
  mbd_simulation_destroy(r->sim);
  mbdx_mechanism_free(r->m);
}

/// A simulation of m at its initial state, with forces; it owns m.
static inline run_t
start(mbdx_mechanism_t * m, mbd_method_t method, double rtol)
{
  run_t r = {.m = m};
  mbd_simulation_options_t options = mbd_simulation_options_default();
  options.ode.method = method, options.ode.rtol = rtol, options.ode.atol = rtol;
  assert_ok(mbd_simulation_create(m->model, &options, &r.sim));
  assert_ok(mbd_set_terms(mbd_simulation_data(r.sim), MBD_TERM_ELEMENTS));
  assert_ok(mbd_simulation_start(r.sim, 0, m->q, m->v, NULL));
  r.info = mbd_simulation_info(r.sim);
  return r;
}

/// config/mechanisms/NAME.mechanism.yaml
static inline mbdx_mechanism_t *
load_mechanism(const char * name, mbdx_coordinates_t coordinates)
{
  char path[1024];
  mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
  mbdx_mechanism_t * m;
  options.coordinates = coordinates;
  snprintf(path, sizeof path, "%s%s.mechanism.yaml", FOLDER, name);
  assert_ok(mbdx_mechanism_load_file(path, &options, &m, NULL));
  return m;
}

/// Load a mechanism and simulate it.
static inline run_t
run_file(const char * name, mbdx_coordinates_t coordinates, double time, double rtol)
{
  run_t r = start(load_mechanism(name, coordinates), MBD_METHOD_RKF45, rtol);
  assert_ok(mbd_simulation_run(r.sim, time));
  return r;
}

/// Pose of a link in the world at the end of a run.
static inline mbd_placement_t
pose(const run_t * r, const char * link)
{
  int frame;
  mbd_placement_t X;
  mbd_data_t * data = mbd_simulation_data(r->sim);
  assert_ok(mbd_set_state(r->m->model, data, r->info->q, r->info->v));
  assert_ok(mbd_find_frame(r->m->model, link, &frame));
  assert_ok(mbd_frame_placement(r->m->model, data, frame, &X));
  return X;
}

static inline void
near(double found, double expected, double tolerance, const char * what)
{
  if (!(fabs(found - expected) <= tolerance))
    fail_msg("%s: %.12g, expected %.12g", what, found, expected);
}

static inline void
balanced(const run_t * r, double tolerance)
{
  const mbd_simulation_info_t * i = r->info;
  near(i->energy - i->energy_start - i->work, 0, tolerance, "balance of energy");
  assert_true(i->error_position < 1e-9 && i->error_velocity < 1e-9);
}

static inline mbdx_mechanism_t *
load_mechanism_text(const char * text, mbdx_coordinates_t coordinates)
{
  mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
  mbdx_mechanism_t * m;
  options.coordinates = coordinates;
  assert_ok(mbdx_mechanism_load_string(text, strlen(text), "text", &options, &m, NULL));
  return m;
}

/// The same for a text.
static inline run_t
run_text(const char * text, mbd_method_t method, double time, double rtol)
{
  run_t r = start(load_mechanism_text(text, MBDX_COORDINATES_FILE), method, rtol);
  assert_ok(mbd_simulation_run(r.sim, time));
  return r;
}

#endif  // MECHANISM_FILE_H_
