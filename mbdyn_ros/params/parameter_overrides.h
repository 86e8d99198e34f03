/// \file parameter_overrides.h
/// Values from the command line and parameter files, as rcl gives them.
///
///   param_block_fits         is a block of a file meant for this node?
///   param_overrides_apply    checked and taken
#ifndef MBDYN_ROS__PARAMETER_OVERRIDES_H_
#define MBDYN_ROS__PARAMETER_OVERRIDES_H_

#include "parameters.h"
#include "rcl_yaml_param_parser/types.h"

/// "*" stands for one part of the name, "**" for any number of them, a missing slash in front for
/// one that is there: "/**", "arm", "/left/arm", "/left/*", "/**/arm".
/// \param[in] full_name  "/left/arm"
bool param_block_fits(const char * block, const char * full_name);

/// Of two values for a parameter the later one counts, and `extra` is later than `overrides`; the
/// earlier one need not fit. A log line for each that is refused or not declared.
/// \param[in] logger  whose lines they are
/// \return false if one was refused
bool param_overrides_apply(
  param_values_t * values, const rcl_params_t * overrides, const rcl_params_t * extra,
  const char * full_name, const char * logger);

#endif  // MBDYN_ROS__PARAMETER_OVERRIDES_H_
