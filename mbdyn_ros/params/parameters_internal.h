/// \file parameters_internal.h
/// What the files of parameters.h share.
///
///   param_parse            a default of the table
///   param_has_range, param_range_text, param_integer_range, param_choices_text
///   param_type_name, param_is_array
///   param_unknown          the sentence about a name that is not in the table
#ifndef MBDYN_ROS__PARAMETERS_INTERNAL_H_
#define MBDYN_ROS__PARAMETERS_INTERNAL_H_

#include "parameters.h"

enum {
  PARAM_REASON = 512,      ///< long enough for any reason
  PARAM_LONGEST_NAME = 64  ///< longer ones look like nothing in a table
};

/// Reads a text of the table as a value of that type.
bool param_parse(param_type_t type, const char * text, param_value_t * value);

bool param_has_range(const param_spec_t * spec);
/// "between 0 and 10", "at least 0", "at most 10"
void param_range_text(const param_spec_t * spec, char * text, size_t size);
/// The integers within the range; all of them if there is none.
void param_integer_range(const param_spec_t * spec, int64_t * low, int64_t * high);

/// "one of zero, hold, gravity", each in these quotes
void param_choices_text(const param_spec_t * spec, const char * quote, char * text, size_t size);

bool param_is_array(param_type_t type);
/// "a double", "an integer array"
const char * param_type_name(param_type_t type);

/// "parameter 'x' is not declared; did you mean 'y'?"
void param_unknown(const param_values_t * values, const char * name, char * text, size_t size);

#endif  // MBDYN_ROS__PARAMETERS_INTERNAL_H_
