// Charts as the simulation needs them.
#ifndef CHART_INTERNAL_H_
#define CHART_INTERNAL_H_

#include "mbdyn/simulate/chart.h"

// column j of the velocities that the rows leave at the last state, without drivers; v of x' = e_j if no row is
// of velocity, otherwise there are nv - velocity_rank of them
void mbdi_chart_column(mbd_chart_t * chart, int j, double * v);

// v of x' = 0 at the last state: that of drivers
void mbdi_chart_driven(mbd_chart_t * chart, double * v);

bool mbdi_chart_has_velocity_rows(const mbd_chart_t * chart);

#endif  // CHART_INTERNAL_H_
