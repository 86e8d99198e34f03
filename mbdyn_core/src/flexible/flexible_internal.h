// What flexible*.c share: how bodies and bending links hang on each other, and the workspace.
#ifndef FLEXIBLE_INTERNAL_H_
#define FLEXIBLE_INTERNAL_H_

#include "mbdyn/data.h"
#include "mbdyn/flexible.h"

// where something sits: on a unit, and there on a node of its modal body
typedef struct mbdi_flexible_seat {
  int unit;           // or -1: the world
  int node;           // of a bending link, or -1: the frame of the unit
  mbd_placement_t X;  // the thing at rest in the frame of its seat
} mbdi_flexible_seat_t;

// a node of the engine: a body with its joint (n = 6), or a bending link (n = 6 and its modes)
typedef struct mbdi_flexible_unit {
  int body;                   // of a joint, or -1
  int part;                   // of a bending link, or -1
  mbdi_flexible_seat_t seat;  // of a body: X takes the parent's body frame to that of the seat
  mbd_inertia_t inertia;      // of a body: what does not bend, body frame
} mbdi_flexible_unit_t;

struct mbd_flexible_layout {
  int nunit, nnode;
  mbdi_flexible_unit_t * unit;   // parents first                     [nunit]
  int * unit_of_body;            //                                   [nbody]
  int * unit_of_part;            //                                   [npart]
  int * first_node;              // of a part among the nodes of all  [npart + 1]
  mbdi_flexible_seat_t * frame;  // of each frame of the model        [nframe]
  mbd_sko_shape_t * shape;       //                                   [nunit]
  mbd_inertia_t * link_frame;    // what rides on the link frame of a part  [npart]
};

// a node of a modal body in the present state
typedef struct mbdi_flexible_node {
  mbd_placement_t X;      // in the link frame
  mbd_motion_t * column;  // velocity by one unit of each mode's, in node axes   [nmode]
  mbd_motion_t U;         // velocity in the link frame, node axes
  mbd_motion_t V;         // velocity, node axes
  mbd_motion_t a;         // velocity-dependent acceleration, node axes
} mbdi_flexible_node_t;

struct mbd_flexible_data {
  const mbd_flexible_t * flexible;
  mbd_vec3_t gravity;
  uint32_t terms;
  bool ready;  // a state was set
  double *q, *v;
  mbd_motion_t * S;             // of all joints                        [model->nv]
  mbd_motion_t * V;             // of units, unit frame                 [nunit]
  mbd_placement_t * X;          // of units in their seats              [nunit]
  mbd_placement_t * X_world;    //                                      [nunit]
  mbdi_flexible_node_t * node;  //                                     [nnode]
  double * bias;                // b of all units without wrenches      [sum of n]
  mbd_sko_t * sko;
  double *x, *y;                   // scratch                              [nv]
  double *q0, *v0, *qs[2], *k[8];  // of a step
  double *M, *K;                   // of frequencies                       [nv x nv], [2 nv x nv]
  void * owned;
};

// a copy
mbd_status_t mbdi_modal_body_copy(const mbd_modal_body_t * from, mbd_modal_body_t ** body);

// modal mass of the nodes at rest; with the link frame on the hinge, or as the shapes are
void mbdi_modal_node_mass(const mbd_modal_body_t * body, bool from_hinge, double * mass);

// nodes of a bending link: placements and columns, then velocities and accelerations
void mbdi_flexible_place_nodes(
  const mbd_modal_body_t * body, const double * eta, mbdi_flexible_node_t * node);
void mbdi_flexible_move_nodes(
  const mbd_modal_body_t * body, const double * eta, const double * rate, mbd_motion_t V,
  mbdi_flexible_node_t * node);

// the frame of a seat in the world
mbd_placement_t mbdi_flexible_seat_in_world(
  const mbd_flexible_data_t * data, const mbdi_flexible_seat_t * seat);

#endif  // FLEXIBLE_INTERNAL_H_
