// Cut joints of trees whose loops are planar and have one pin each: accelerations by the projected mass
// matrix, multipliers from the dependent joints. Which joints are dependent is chosen at every call.
#ifndef CUT_PLANAR_H_
#define CUT_PLANAR_H_

#include "constraints/cut.h"

struct mbdi_cut_plan;

// *to is NULL if a closure is not a pin of a planar loop of its own, or the tree is large or has no
// kernels: the general rows are used then. Fails without memory.
mbd_status_t mbdi_cut_plan_create(mbd_model_t * tree, struct mbdi_cut_plan ** to);
void mbdi_cut_plan_destroy(struct mbdi_cut_plan * plan);

// numbers of work
size_t mbdi_cut_planar_work(const mbd_model_t * model);

// no option asks for what only the general rows have
bool mbdi_cut_is_planar(const mbdi_cut_t * cut);

// Accelerations in cut->x and data->work->qdd, multipliers in data->work->lambda. The stage is deferred,
// unless there are more wrenches than the kernels take: then the velocity stage is there. *solved is
// false near a singular configuration and for ill-conditioned mass matrices.
mbd_status_t mbdi_cut_planar_forward(
  mbdi_cut_t * cut, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, mbd_constrained_t * info, bool * solved);

#endif  // CUT_PLANAR_H_
