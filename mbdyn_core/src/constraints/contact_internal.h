// Arguments and workspace of a call of contact.c, and the rows of its problem: of contacts
// (contact_rows.c), of limits and friction of joints (joint_rows.c).
#ifndef CONTACT_INTERNAL_H_
#define CONTACT_INTERNAL_H_

#include "constraints/complementarity.h"
#include "constraints/cut.h"
#include "mbdyn/constraints/contact.h"

typedef struct mbdi_scene {
  const mbd_model_t * model;
  mbd_data_t * data;
  mbd_contact_options_t options;
  double dt;  // 0: accelerations
  int n;
  mbd_contact_t * contact;
  const double * limit;                   // forces of the call before, or NULL
  const mbd_joint_friction_t * friction;  // or NULL
  int njoint;                             // degrees of freedom with friction
  mbdi_cut_t cut;
  // rows of all contacts, two limits of each degree of freedom, friction of each joint
  mbdi_complementarity_t lcp;
  double * motion;       // velocities (accelerations) with closures alone, then zeros  [lcp.n]
  double * velocity;     // of the state, then zeros                                    [lcp.n]
  double * white;        // `motion` less that without closures, whitened               [nv]
  double * row;          // J of one row                                                [nv]
  double * J;            // Jacobians of the frames of one contact                  [2][6 nv]
  double * basis;        // six rows of two links, and two more                       [8 lcp.n]
  double * white_basis;  // the six as the mass matrix sees them                      [6 lcp.n]
  int * support;         // joints that they depend on                                  [nv]
  int nnear, *near;      // limits that are near                                    [2 nv]
  bool * listed;         // contacts, then limits, that are rows of the problem    [n + 2 nv]
  // of friction in joints
  double * M;     // and memory of its factors
  double * X;     // of an embedded model                                     [njoint nv]
  double * S;     // resistances in the step                                  [njoint]
  double * tree;  // velocities of all joints                                 [njoint]
} mbdi_scene_t;

//---------- contact_rows.c: any row ----------

// a row without a force
void mbdi_scene_leave_row_out(mbdi_scene_t * s, int i);
// Row i of the problem, which is there as the mass matrix sees it: closures kept; `offset` is what gaps
// and restitution add to its motion.
void mbdi_scene_finish_row(mbdi_scene_t * s, int i, double motion, double offset);
// true if the motion w goes through a contact or limit, or brings it to rest: it may share the forces
bool mbdi_scene_joins(double w, double offset, double free);

//---------- contact_rows.c ----------

// false if the contact may need a force
bool mbdi_contact_stays_open(const mbdi_scene_t * s, const mbd_contact_t * c);
// Rows of the contacts that had a force, or would be gone through without any: the others are listed if
// the forces of these push them together.
mbd_status_t mbdi_list_contacts(mbdi_scene_t * s);
// the same of contacts that are not listed and whose motion with the forces found is `after`
mbd_status_t mbdi_list_more_contacts(mbdi_scene_t * s, const double * after, bool * more);
// two directions that make a right-handed set with the normal
void mbdi_contact_tangents(mbd_vec3_t n, mbd_vec3_t * t);
// s->row: row i, of a contact
mbd_status_t mbdi_contact_row(mbdi_scene_t * s, int i);

//---------- joint_rows.c ----------

// viscous friction of the velocities after the step: (M + h S) w = M (v + h M^-1 (tau - C))
mbd_status_t mbdi_damp_joints(mbdi_scene_t * s);
// s->near: limits that are near, 2 k the lower one of joint k, 2 k + 1 the upper one
void mbdi_find_limits(mbdi_scene_t * s);
bool mbdi_limit_stays_open(const mbdi_scene_t * s, int i);
// as mbdi_list_contacts
mbd_status_t mbdi_list_limits(mbdi_scene_t * s);
mbd_status_t mbdi_list_more_limits(mbdi_scene_t * s, const double * after, bool * more);
// rows of dry friction
mbd_status_t mbdi_list_friction(mbdi_scene_t * s);
void mbdi_write_friction(mbdi_scene_t * s);
// s->row: row i, of a limit or of dry friction
void mbdi_joint_row(mbdi_scene_t * s, int i);

#endif
