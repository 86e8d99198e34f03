/// \file parameters.h
/// Parameters of a node: a constant table says what there is, values of every ROS type are kept by
/// index. No ROS calls in here; parameter_server.h has the services.
///
///   param_spec_t           one line of the table
///   param_values_create    the defaults         param_values_copy, param_values_destroy
///   param_values_set       one value, checked against its line
///   param_fit              the check alone
///   param_bool, ...        read one             param_choice   as the number of its choice
///   param_value_copy, param_value_same, param_value_fini
///   param_print_table      the table as Markdown
#ifndef MBDYN_ROS__PARAMETERS_H_
#define MBDYN_ROS__PARAMETERS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Numbers of rcl_interfaces/msg/ParameterType.
typedef enum param_type {
  PARAM_NOT_SET = 0,
  PARAM_BOOL = 1,
  PARAM_INTEGER = 2,
  PARAM_DOUBLE = 3,
  PARAM_STRING = 4,
  PARAM_BYTE_ARRAY = 5,
  PARAM_BOOL_ARRAY = 6,
  PARAM_INTEGER_ARRAY = 7,
  PARAM_DOUBLE_ARRAY = 8,
  PARAM_STRING_ARRAY = 9
} param_type_t;

/// A value; arrays and strings are owned by whoever owns the value.
typedef struct param_value {
  param_type_t type;
  bool boolean;
  int64_t integer;
  double number;
  char * string;
  size_t n;         ///< elements of the array, whose pointer may be NULL if there are none
  uint8_t * bytes;  ///< byte array
  bool * booleans;  ///< bool array
  int64_t * integers;
  double * numbers;
  char ** strings;
} param_value_t;

/// One parameter.
typedef struct param_spec {
  const char * name;  ///< may have dots: "publish.torques"
  param_type_t type;
  /// As in a YAML file: "true", "0.1", "[0.0, 0.0, -9.81]", "[]", "text"; no commas within the
  /// strings of an array.
  const char * initial;
  const char * description;  ///< a sentence or two, with the unit
  double min, max;           ///< of a number or of each element; both 0: any finite number
  const char * choices;      ///< of a string or of each element, "zero|hold|gravity"; NULL: any
  bool read_only;            ///< from the command line or a file alone
} param_spec_t;

typedef struct param_values {
  const param_spec_t * spec;
  size_t n;
  param_value_t * value;  ///< [n], each of its spec's type
} param_values_t;

/// The defaults. NULL if out of memory or if the table is wrong (a bug that tests find): a default
/// that does not fit its own line, a name twice. The table must outlive the values.
param_values_t * param_values_create(const param_spec_t * spec, size_t n);
param_values_t * param_values_copy(const param_values_t * values);
void param_values_destroy(param_values_t * values);

/// Index of a name, or -1.
int param_find(const param_values_t * values, const char * name);
/// The declared name that looks most like this one, or NULL.
const char * param_closest(const param_values_t * values, const char * name);

/// Takes a copy of a value if it fits its spec: type (an integer or integer array is taken for a
/// double or double array, an integer array of 0 to 255 for a byte array, an empty array of any
/// type for any array), range, choices, finite. What is read-only is not refused here.
/// \param[out] reason  what is wrong, after "parameter 'x' ": "must be between 0 and 10, not 12"
bool param_values_set(
  param_values_t * values, int index, const param_value_t * value, char * reason, size_t size);
/// The same without a place to keep it: a copy of the spec's own type.
/// \param[out] fitted  the caller's, to be given to param_value_fini; empty if refused
bool param_fit(
  const param_spec_t * spec, const param_value_t * value, param_value_t * fitted, char * reason,
  size_t size);

/// Position of a text among the choices of its line, or -1.
int param_choice(const param_spec_t * spec, const char * text);

/// The index must be of that type.
bool param_bool(const param_values_t * values, int index);
int64_t param_integer(const param_values_t * values, int index);
double param_double(const param_values_t * values, int index);
const char * param_string(const param_values_t * values, int index);
const double * param_doubles(const param_values_t * values, int index, size_t * n);
const char * const * param_strings(const param_values_t * values, int index, size_t * n);

void param_value_fini(param_value_t * value);
bool param_value_copy(const param_value_t * from, param_value_t * to);
/// Whether two values are the same: of one type, and equal.
bool param_value_same(const param_value_t * a, const param_value_t * b);

/// Rows "| `name` | type | default | description |", with a head; range, choices and "read-only"
/// are put after the description.
void param_print_table(const param_spec_t * spec, size_t n, FILE * to);

#endif  // MBDYN_ROS__PARAMETERS_H_
