#include "parameter_overrides.h"

#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "parameters_internal.h"

//---------- blocks ----------

static const char *
next_part(const char * name)
{
  const char * slash = strchr(name, '/');
  return slash != NULL ? slash + 1 : NULL;
}

static bool
part_is(const char * name, const char * what)
{
  const size_t length = strlen(what);
  return strncmp(name, what, length) == 0 && (name[length] == '/' || name[length] == '\0');
}

static bool
part_fits(const char * block, const char * name)
{
  const size_t length = strcspn(block, "/");
  if (part_is(block, "*")) return true;
  return strcspn(name, "/") == length && strncmp(block, name, length) == 0;
}

static const char *
without_slash(const char * name)
{
  return name[0] == '/' ? name + 1 : name;
}

bool
param_block_fits(const char * block, const char * full_name)
{
  const char * b = without_slash(block);
  const char * name = without_slash(full_name);
  // after a "**": how the block goes on, and up to where the "**" reaches so far
  const char * retry_b = NULL;
  const char * retry_name = NULL;
  bool starred = false;
  while (name != NULL) {
    if (b != NULL && part_is(b, "**")) {
      starred = true;
      retry_b = b = next_part(b);
      retry_name = name;
    } else if (b != NULL && part_fits(b, name)) {
      b = next_part(b);
      name = next_part(name);
    } else if (starred) {
      b = retry_b;
      name = retry_name = next_part(retry_name);
    } else {
      return false;
    }
  }
  while (b != NULL && part_is(b, "**")) b = next_part(b);
  return b == NULL;
}

//---------- values ----------

// a value that points into the variant; nothing to give back
static param_value_t
view_variant(const rcl_variant_t * v)
{
  if (v->bool_value) return (param_value_t){.type = PARAM_BOOL, .boolean = *v->bool_value};
  if (v->integer_value) return (param_value_t){.type = PARAM_INTEGER, .integer = *v->integer_value};
  if (v->double_value) return (param_value_t){.type = PARAM_DOUBLE, .number = *v->double_value};
  if (v->string_value) return (param_value_t){.type = PARAM_STRING, .string = v->string_value};
  if (v->byte_array_value) {
    const rcl_byte_array_t * a = v->byte_array_value;
    return (param_value_t){.type = PARAM_BYTE_ARRAY, .n = a->size, .bytes = a->values};
  }
  if (v->bool_array_value) {
    const rcl_bool_array_t * a = v->bool_array_value;
    return (param_value_t){.type = PARAM_BOOL_ARRAY, .n = a->size, .booleans = a->values};
  }
  if (v->integer_array_value) {
    const rcl_int64_array_t * a = v->integer_array_value;
    return (param_value_t){.type = PARAM_INTEGER_ARRAY, .n = a->size, .integers = a->values};
  }
  if (v->double_array_value) {
    const rcl_double_array_t * a = v->double_array_value;
    return (param_value_t){.type = PARAM_DOUBLE_ARRAY, .n = a->size, .numbers = a->values};
  }
  if (v->string_array_value) {
    const rcutils_string_array_t * a = v->string_array_value;
    return (param_value_t){.type = PARAM_STRING_ARRAY, .n = a->size, .strings = a->data};
  }
  // "[]" in a file has no type
  return (param_value_t){.type = PARAM_STRING_ARRAY};
}

static bool
set_one(param_values_t * values, int index, const rcl_variant_t * variant, const char * logger)
{
  const param_value_t value = view_variant(variant);
  char reason[PARAM_REASON];
  if (param_values_set(values, index, &value, reason, sizeof reason)) return true;
  LOGGER_LOG(logger, ERROR, "parameter '%s' %s", values->spec[index].name, reason);
  return false;
}

//---------- all of them ----------

// what every ROS node may be given, whether it cares or not
static bool
is_common(const char * name)
{
  return strcmp(name, "use_sim_time") == 0 || strncmp(name, "qos_overrides.", 14) == 0;
}

// the last variant for each parameter
static void
apply_overrides(
  const param_values_t * values, const rcl_node_params_t * block, const rcl_variant_t ** last,
  const char * logger)
{
  for (size_t i = 0; i < block->num_params; i++) {
    const char * name = block->parameter_names[i];
    const int index = param_find(values, name);
    if (index >= 0) {
      last[index] = &block->parameter_values[i];
    } else if (!is_common(name)) {
      char text[PARAM_REASON];
      param_unknown(values, name, text, sizeof text);
      LOGGER_LOG(logger, WARN, "%s", text);
    }
  }
}

bool
param_overrides_apply(
  param_values_t * values, const rcl_params_t * overrides, const rcl_params_t * extra,
  const char * full_name, const char * logger)
{
  const rcl_variant_t ** last = calloc(values->n + 1, sizeof *last);
  if (last == NULL) return false;
  const rcl_params_t * const sources[] = {overrides, extra};
  for (int s = 0; s < 2; s++) {
    for (size_t i = 0; sources[s] != NULL && i < sources[s]->num_nodes; i++) {
      if (!param_block_fits(sources[s]->node_names[i], full_name)) continue;
      apply_overrides(values, &sources[s]->params[i], last, logger);
    }
  }
  bool ok = true;
  for (size_t i = 0; i < values->n; i++) {
    if (last[i] != NULL) ok = set_one(values, (int)i, last[i], logger) && ok;
  }
  free(last);
  return ok;
}
