// Joint coordinates xi about a configuration: q = q0 (+) xi, v = T(xi) xi'.
#ifndef CHART_JOINT_H_
#define CHART_JOINT_H_

#include "mbdyn/model.h"

// all of the joint's numbers are those of q less q0, and T = 1
bool mbdi_chart_is_flat(const mbd_body_t * body);

// the functions below are for joints that are not flat; arrays are the joint's parts

void mbdi_chart_place(const mbd_body_t * body, const double * q0, const double * xi, double * q);

// y = T x, y = T^-1 x, y = (dT/dt) xid; y may not be x
void mbdi_chart_T(const mbd_body_t * body, const double * xi, const double * x, double * y);
void mbdi_chart_T_inverse(const mbd_body_t * body, const double * xi, const double * x, double * y);
void mbdi_chart_T_rate(const mbd_body_t * body, const double * xi, const double * xid, double * y);

// g := T^T g, a row of a Jacobian
void mbdi_chart_T_row(const mbd_body_t * body, const double * xi, double * g);

// angle by which the joint has turned
double mbdi_chart_rotation(const mbd_body_t * body, const double * xi);

#endif  // CHART_JOINT_H_
