/// \file node_core.h
/// What the node should have computed: the core, asked by the test itself.
///
///   core_open, core_close    the robot of the tests and a workspace
///   core_gravity             torques that hold a state
///   core_torques             torques of a motion: gravity, coriolis and inertia; no friction
///   assert_near              numbers that are the same but for rounding
///   STATES                   some states, within the robot's limits
#ifndef NODE_CORE_H_
#define NODE_CORE_H_

#include <math.h>

#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "node_peer.h"

typedef struct core {
  mbd_model_t * model;
  mbd_data_t * data;
} core_t;

enum { NSTATE = 4 };

static const double STATES[NSTATE][2][PEER_JOINTS] = {
  {{0.1, -0.4, 0.3, -1.9, 0.2, 1.7, 0.6}, {0.3, -0.2, 0.5, 0.1, -0.6, 0.4, -0.3}},
  {{-1.2, 0.9, -0.5, -0.7, 1.1, 2.2, -1.4}, {-0.9, 0.7, 0.2, -1.1, 0.8, -0.5, 1.3}},
  {{2.0, 0.2, 1.5, -2.4, -0.8, 0.9, 0.1}, {0, 0, 0, 0, 0, 0, 0}},
  {{0.7, -1.1, -0.9, -1.2, -1.9, 3.0, 2.1}, {1.5, 1.4, -1.3, 1.2, -1.1, 1.0, -0.9}}};

static inline void
core_open(core_t * core)
{
  assert_int_equal(mbdx_urdf_load_file(PEER_ROBOT, NULL, &core->model, NULL), MBD_OK);
  assert_int_equal(core->model->nv, PEER_JOINTS);
  assert_int_equal(mbd_data_create(core->model, &core->data), MBD_OK);
  // as the node does unless told otherwise
  assert_int_equal(mbd_set_terms(core->data, MBD_TERM_FRICTION | MBD_TERM_ROTORS), MBD_OK);
}

static inline void
core_close(core_t * core)
{
  mbd_data_destroy(core->data);
  mbd_model_destroy(core->model);
}

static inline void
core_set(core_t * core, const double * q, const double * v)
{
  assert_int_equal(mbd_set_position(core->model, core->data, q), MBD_OK);
  assert_int_equal(mbd_set_velocity(core->model, core->data, v), MBD_OK);
}

static inline void
core_gravity(core_t * core, const double * q, double * tau)
{
  assert_int_equal(mbd_set_position(core->model, core->data, q), MBD_OK);
  assert_int_equal(mbd_gravity(core->model, core->data, tau), MBD_OK);
}

static inline void
core_torques(core_t * core, const double * q, const double * v, const double * a, double * tau)
{
  double friction[PEER_JOINTS];
  assert_int_equal(mbd_inverse_dynamics(core->model, core->data, q, v, a, NULL, tau), MBD_OK);
  assert_int_equal(mbd_friction(core->model, v, friction), MBD_OK);
  for (int i = 0; i < PEER_JOINTS; i++) tau[i] -= friction[i];
}

static inline void
near(const double * a, const double * b, size_t n, double tolerance, const char * file, int line)
{
  for (size_t i = 0; i < n; i++) {
    if (fabs(a[i] - b[i]) <= tolerance * (1 + fabs(b[i]))) continue;
    print_error("%s:%d: number %zu is %.17g instead of %.17g\n", file, line, i, a[i], b[i]);
    fail();
  }
}

#define assert_near(a, b, n) near((a), (b), (size_t)(n), 1e-9, __FILE__, __LINE__)

#endif  // NODE_CORE_H_
