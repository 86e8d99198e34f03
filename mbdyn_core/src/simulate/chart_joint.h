// Joint coordinates xi about a configuration: q = q0 (+) xi, v = T(xi) xi'.
#ifndef CHART_JOINT_H_
#define CHART_JOINT_H_

#include "mbdyn/model.h"

// all of the joint's numbers are those of q less q0, and T = 1
bool mbdi_chart_is_flat(const mbd_body_t * body);

// the functions below are for joints that are not flat; arrays are the joint's parts

// J_r = 1 - a r~ + b r~ r~, and the derivatives of a and b by the angle, divided by it
typedef struct mbdi_right_jacobian {
  double a, b, da, db;
} mbdi_right_jacobian_t;

// a joint at xi
typedef struct mbdi_chart_joint {
  mbd_vec3_t r;
  mbdi_right_jacobian_t j;
  mbd_mat3_t J, J_inverse, E;  // J_r, its inverse, exp(-r) (zero for spherical joints)
} mbdi_chart_joint_t;

mbdi_chart_joint_t mbdi_chart_joint(const mbd_body_t * body, const double * xi);

void mbdi_chart_place(const mbd_body_t * body, const double * q0, const double * xi, double * q);

// y = T x, y = T^-1 x, y = (dT/dt) xid; y may not be x
void mbdi_chart_T(
  const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * x, double * y);
void mbdi_chart_T_inverse(
  const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * x, double * y);
void mbdi_chart_T_rate(
  const mbd_body_t * body, const mbdi_chart_joint_t * at, const double * xid, double * y);

// g := T^T g, a row of a Jacobian
void mbdi_chart_T_row(const mbd_body_t * body, const mbdi_chart_joint_t * at, double * g);

// angle by which the joint has turned
double mbdi_chart_rotation(const mbd_body_t * body, const double * xi);

#endif  // CHART_JOINT_H_
