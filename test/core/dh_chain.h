/// \file dh_chain.h
/// Chains that are given by tables of Denavit and Hartenberg: random ones, and both ways to dynamics.
///
///   random_table     rows, base, tool and masses
///   chain_of         its model, workspace and natural orthogonal complement, at a random state
#ifndef DH_CHAIN_H_
#define DH_CHAIN_H_

#include <math.h>
#include <stdlib.h>

#include "by_hand.h"
#include "mbdyn/operators/dh.h"
#include "mbdyn/operators/noc.h"

enum { CHAINS = 200, MOST_JOINTS = 9 };

typedef struct dh_chain {
  mbd_dh_t table;
  mbd_dh_row_t row[MOST_JOINTS];
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_noc_t * noc;
  int n, tool;  // joints; frame of the tool
  double q[MOST_JOINTS], v[MOST_JOINTS], qdd[MOST_JOINTS], tau[MOST_JOINTS];
  mbd_force_t f;  // on the tool, in its axes
} dh_chain_t;

/// Angles that tables like, and any other.
static inline double
random_twist(uint64_t * state)
{
  const double quarter = acos(0);
  const double nice[] = {0, quarter, -quarter, 2 * quarter, 0.3};
  return random_below(state, 2) ? nice[random_below(state, 5)] : 3 * random_signed(state);
}

static inline mbd_dh_row_t
random_row(uint64_t * state)
{
  const mbd_joint_type_t type[] = {MBD_JOINT_REVOLUTE, MBD_JOINT_CONTINUOUS, MBD_JOINT_PRISMATIC};
  mbd_dh_row_t row = mbd_dh_row_default();
  row.type = type[random_below(state, 3)];
  row.a = random_below(state, 3) ? random_signed(state) : 0;
  row.alpha = random_twist(state);
  row.d = random_below(state, 3) ? random_signed(state) : 0;
  row.theta = random_twist(state);
  row.inertia = random_inertia(state);
  return row;
}

static inline void
random_table(uint64_t * state, dh_chain_t * c)
{
  c->n = 1 + random_below(state, MOST_JOINTS);
  for (int i = 0; i < c->n; i++) c->row[i] = random_row(state);
  c->table = (mbd_dh_t){
    .name = "chain",
    .convention = random_below(state, 2) ? MBD_DH_STANDARD : MBD_DH_MODIFIED,
    .n = c->n,
    .row = c->row,
    .base = random_placement(state),
    .tool = random_placement(state),
    .tool_name = "tool",
    .gravity = random_vec3(state, 10)};
}

/// What the table means, by both; free with chain_free.
static inline void
make_chain(dh_chain_t * c)
{
  c->n = c->table.n;
  assert_ok(mbd_dh_to_model(&c->table, &c->model, NULL));
  assert_ok(mbd_data_create(c->model, &c->data));
  assert_ok(mbd_noc_create(&c->table, &c->noc));
  assert_int_equal(c->model->nv, c->n);
  if (c->table.tool_name) assert_ok(mbd_find_frame(c->model, c->table.tool_name, &c->tool));
}

static inline void
random_state(uint64_t * state, dh_chain_t * c)
{
  for (int i = 0; i < c->n; i++) {
    c->q[i] = 3 * random_signed(state);
    c->v[i] = 2 * random_signed(state);
    c->qdd[i] = 5 * random_signed(state);
    c->tau[i] = 5 * random_signed(state);
  }
  c->f = random_force(state);
}

static inline dh_chain_t *
random_chain(uint64_t seed)
{
  uint64_t state = 77 * seed + 5;
  dh_chain_t * c = calloc(1, sizeof *c);
  random_table(&state, c);
  make_chain(c);
  random_state(&state, c);
  return c;
}

static inline void
chain_free(dh_chain_t * c)
{
  mbd_noc_destroy(c->noc);
  mbd_data_destroy(c->data);
  mbd_model_destroy(c->model);
  free(c);
  mats_free();
}

/// For each seeded chain: what follows with c and seed in scope.
#define FOR_CHAINS  \
  FOR_SEEDS(CHAINS) \
  for (dh_chain_t * c = random_chain(seed); c; chain_free(c), c = NULL)

#endif  // DH_CHAIN_H_
