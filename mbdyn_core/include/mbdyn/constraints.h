/// \file constraints.h
/// Closed loops, gears, contact and joint limits.
///
///   constraints/closure.h      loop closures of a model    constraints/assembly.h   loop assembly
///   constraints/constrained.h  dynamics with cut joints    constraints/embedding.h  minimal coordinates
///   constraints/gear.h         geared rotors
///   constraints/contact.h      contact and friction        constraints/limits.h     position limits
#ifndef MBDYN__CONSTRAINTS_H_
#define MBDYN__CONSTRAINTS_H_

#include "mbdyn/constraints/assembly.h"
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/constraints/embedding.h"
#include "mbdyn/constraints/gear.h"
#include "mbdyn/constraints/limits.h"

#endif  // MBDYN__CONSTRAINTS_H_
