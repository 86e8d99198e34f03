// Values of parameters as JSON.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ros_message.h"
#include "ros_param.h"

typedef struct kind {
  const char * field;  // of rcl_interfaces/msg/ParameterValue
  const char * name;
  const char * title;
} kind_t;

static const kind_t KINDS[PARAM_TYPE_COUNT] = {
  [PARAM_NOT_SET] = {NULL, "not set", "Parameter not set"},
  [PARAM_BOOL] = {"bool_value", "boolean", "Boolean value is"},
  [PARAM_INTEGER] = {"integer_value", "integer", "Integer value is"},
  [PARAM_DOUBLE] = {"double_value", "double", "Double value is"},
  [PARAM_STRING] = {"string_value", "string", "String value is"},
  [PARAM_BYTE_ARRAY] = {"byte_array_value", "byte array", "Byte values are"},
  [PARAM_BOOL_ARRAY] = {"bool_array_value", "boolean array", "Boolean values are"},
  [PARAM_INTEGER_ARRAY] = {"integer_array_value", "integer array", "Integer values are"},
  [PARAM_DOUBLE_ARRAY] = {"double_array_value", "double array", "Double values are"},
  [PARAM_STRING_ARRAY] = {"string_array_value", "string array", "String values are"},
};

const char *
param_type_name(param_type_t type)
{
  return KINDS[type].name;
}

const char *
param_title(param_type_t type)
{
  return KINDS[type].title;
}

const char *
param_field(param_type_t type)
{
  return KINDS[type].field ? KINDS[type].field : "";
}

param_type_t
param_type(const json_t * message)
{
  const json_int_t type = json_integer_value(json_object_get(message, "type"));
  return type > 0 && type < PARAM_TYPE_COUNT ? (param_type_t)type : PARAM_NOT_SET;
}

//---------- from messages ----------

// what is no number in JSON, as YAML spells it
static json_t *
yaml_real(json_t * value)
{
  static const char * const words[][2] = {{"nan", ".nan"}, {"inf", ".inf"}, {"-inf", "-.inf"}};
  for (size_t i = 0; json_is_string(value) && i < 3; i++) {
    if (strcmp(json_string_value(value), words[i][0]) == 0) return json_string(words[i][1]);
  }
  return json_incref(value);
}

json_t *
param_value(const json_t * message)
{
  const param_type_t type = param_type(message);
  json_t * value = type == PARAM_NOT_SET ? NULL : json_object_get(message, KINDS[type].field);
  if (!value) return NULL;
  if (type == PARAM_DOUBLE) return yaml_real(value);
  if (type != PARAM_DOUBLE_ARRAY) return json_incref(value);
  json_t * list = json_array();
  for (size_t i = 0; i < json_array_size(value); i++) {
    json_array_append_new(list, yaml_real(json_array_get(value, i)));
  }
  return list;
}

//---------- from text ----------

static param_type_t
scalar_type(const json_t * value)
{
  if (json_is_boolean(value)) return PARAM_BOOL;
  if (json_is_integer(value)) return PARAM_INTEGER;
  if (json_is_real(value)) return PARAM_DOUBLE;
  return json_is_string(value) ? PARAM_STRING : PARAM_NOT_SET;
}

static param_type_t
array_of(param_type_t type)
{
  switch (type) {
    case PARAM_BOOL: return PARAM_BOOL_ARRAY;
    case PARAM_INTEGER: return PARAM_INTEGER_ARRAY;
    case PARAM_DOUBLE: return PARAM_DOUBLE_ARRAY;
    case PARAM_STRING: return PARAM_STRING_ARRAY;
    default: return PARAM_NOT_SET;
  }
}

// the type that a value has by itself; whole numbers among others are doubles
static param_type_t
natural_type(const json_t * value)
{
  if (!json_is_array(value)) return scalar_type(value);
  param_type_t type = scalar_type(json_array_get(value, 0));
  for (size_t i = 1; i < json_array_size(value); i++) {
    const param_type_t other = scalar_type(json_array_get(value, i));
    if (other == type) continue;
    const bool numbers = (type == PARAM_INTEGER || type == PARAM_DOUBLE) &&
                         (other == PARAM_INTEGER || other == PARAM_DOUBLE);
    type = numbers ? PARAM_DOUBLE : PARAM_NOT_SET;
  }
  return array_of(type);
}

static bool
is_no_number(const json_t * value)
{
  if (!json_is_string(value)) return false;
  const char * text = json_string_value(value);
  text += strspn(text, "+-");
  text += *text == '.';
  return strcasecmp(text, "nan") == 0 || strcasecmp(text, "inf") == 0;
}

// whether a value may be used for a parameter of another type
static bool
serves_as(const json_t * value, param_type_t natural, param_type_t type)
{
  if (natural == type || type == PARAM_STRING) return true;
  if (type == PARAM_DOUBLE) return natural == PARAM_INTEGER || is_no_number(value);
  if (!json_is_array(value)) return false;
  if (json_array_size(value) == 0) return type >= PARAM_BYTE_ARRAY;
  return natural == PARAM_INTEGER_ARRAY && (type == PARAM_DOUBLE_ARRAY || type == PARAM_BYTE_ARRAY);
}

json_t *
param_from_text(const char * text, param_type_t type, char * error, size_t error_size)
{
  json_t * value = ros_yaml_parse(text, error, error_size);
  // what is no YAML may still be text
  if (!value && type == PARAM_STRING) value = json_string(text);
  if (!value) return NULL;
  const param_type_t natural = natural_type(value);
  if (type == PARAM_NOT_SET || !serves_as(value, natural, type)) type = natural;
  if (type == PARAM_NOT_SET) {
    snprintf(error, error_size, "'%.100s' is not a valid parameter value", text);
    json_decref(value);
    return NULL;
  }
  // a number where text is wanted: as it was written
  if (type == PARAM_STRING && !json_is_string(value)) {
    json_decref(value);
    value = json_string(text);
  }
  return json_pack("{s:i, s:o}", "type", (int)type, KINDS[type].field, value);
}
