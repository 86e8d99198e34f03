/// \file findings.h
/// What an analysis found, in bounded memory: ranges, energies, limits reached.
///
///   findings_create, findings_free
///   findings_take      a row
///   findings_end       after the last one
#ifndef FINDINGS_H_
#define FINDINGS_H_

#include "terms.h"

typedef struct range {
  uint64_t n;            ///< numbers that were finite
  double min, max, rms;  ///< rms: the sum of squares until findings_end
  double peak_t;         ///< [s] of the largest absolute value
} range_t;

typedef enum limit_kind {
  LIMIT_LOWER,
  LIMIT_UPPER,
  LIMIT_VELOCITY,
  LIMIT_EFFORT,
  LIMIT_KINDS
} limit_kind_t;

extern const char * const LIMIT_NAMES[LIMIT_KINDS];

/// A limit of a degree of freedom that was reached: within a thousandth of it, or beyond.
typedef struct reached {
  uint64_t times;                      ///< stretches
  double total, longest, first, last;  ///< [s]
  double extreme;                      ///< farthest value
  double since;                        ///< of the open stretch; < 0: none
} reached_t;

typedef struct findings {
  const mbd_model_t * model;
  uint64_t rows, gaps;
  double t_first, t_last;  ///< [s]
  range_t * range;         ///< [nv][Q_COUNT]
  reached_t * reached;     ///< [nv][LIMIT_KINDS]
  range_t kinetic, potential, power;
  double work_model, work_measured, work_friction, work_external;  ///< [J]
  double energy_change;                                            ///< [J] over all stretches
  bool measured;                                                   ///< efforts are known everywhere
  bool observed;  ///< external torques are known somewhere
  row_t before;   ///< numbers of the last row; its arrays are gone
} findings_t;

/// False if out of memory.
bool findings_create(findings_t * f, const mbd_model_t * model);
void findings_free(findings_t * f);

void findings_take(findings_t * f, const row_t * row);
void findings_end(findings_t * f);

/// Limit of a degree of freedom; infinite: none.
double findings_limit(const mbd_model_t * model, int dof, limit_kind_t kind);

#endif  // FINDINGS_H_
