#include "parameter_messages.h"

#include <stdlib.h>
#include <string.h>

#include "parameters_internal.h"
#include "rcl_interfaces/msg/floating_point_range.h"
#include "rcl_interfaces/msg/integer_range.h"
#include "rosidl_runtime_c/primitives_sequence_functions.h"
#include "rosidl_runtime_c/string_functions.h"

//---------- from a message ----------

const char *
param_text(const rosidl_runtime_c__String * string)
{
  if (string->data == NULL) return "";
  return strlen(string->data) == string->size ? string->data : NULL;
}

static bool
view_strings(const rosidl_runtime_c__String__Sequence * strings, param_value_t * view)
{
  view->strings = calloc(strings->size + 1, sizeof *view->strings);
  bool ok = view->strings != NULL;
  for (size_t i = 0; ok && i < strings->size; i++) {
    // the view is only read
    view->strings[i] = (char *)param_text(&strings->data[i]);
    ok = view->strings[i] != NULL;
  }
  view->n = strings->size;
  return ok;
}

bool
param_view(
  const rcl_interfaces__msg__ParameterValue * message, param_value_t * view, char * reason,
  size_t size)
{
  *view = (param_value_t){
    .type = (param_type_t)message->type,
    .boolean = message->bool_value,
    .integer = message->integer_value,
    .number = message->double_value};
  bool ok = true;
  switch (view->type) {
    case PARAM_STRING:
      view->string = (char *)param_text(&message->string_value);
      ok = view->string != NULL;
      break;
    case PARAM_BYTE_ARRAY:
      view->bytes = message->byte_array_value.data;
      view->n = message->byte_array_value.size;
      break;
    case PARAM_BOOL_ARRAY:
      view->booleans = message->bool_array_value.data;
      view->n = message->bool_array_value.size;
      break;
    case PARAM_INTEGER_ARRAY:
      view->integers = message->integer_array_value.data;
      view->n = message->integer_array_value.size;
      break;
    case PARAM_DOUBLE_ARRAY:
      view->numbers = message->double_array_value.data;
      view->n = message->double_array_value.size;
      break;
    case PARAM_STRING_ARRAY: ok = view_strings(&message->string_array_value, view); break;
    default: break;
  }
  if (ok) return true;
  param_view_fini(view);
  snprintf(reason, size, "must not contain a zero byte");
  return false;
}

void
param_view_fini(param_value_t * view)
{
  free(view->strings);
  *view = (param_value_t){0};
}

//---------- to a message ----------

static bool
put_strings(const param_value_t * value, rosidl_runtime_c__String__Sequence * to)
{
  bool ok = rosidl_runtime_c__String__Sequence__init(to, value->n);
  for (size_t i = 0; ok && i < value->n; i++) {
    ok = rosidl_runtime_c__String__assign(&to->data[i], value->strings[i]);
  }
  return ok;
}

// elements of the same kind on both sides
#define PUT(kind, to, from, n)                             \
  (rosidl_runtime_c__##kind##__Sequence__init(&(to), n) && \
   ((n) == 0 || memcpy((to).data, from, (n) * sizeof *(to).data) != NULL))

bool
param_to_message(const param_value_t * value, rcl_interfaces__msg__ParameterValue * message)
{
  message->type = (uint8_t)value->type;
  message->bool_value = value->boolean;
  message->integer_value = value->integer;
  message->double_value = value->number;
  const size_t n = value->n;
  switch (value->type) {
    case PARAM_STRING:
      return rosidl_runtime_c__String__assign(&message->string_value, value->string);
    case PARAM_BYTE_ARRAY: return PUT(octet, message->byte_array_value, value->bytes, n);
    case PARAM_BOOL_ARRAY: return PUT(boolean, message->bool_array_value, value->booleans, n);
    case PARAM_INTEGER_ARRAY: return PUT(int64, message->integer_array_value, value->integers, n);
    case PARAM_DOUBLE_ARRAY: return PUT(double, message->double_array_value, value->numbers, n);
    case PARAM_STRING_ARRAY: return put_strings(value, &message->string_array_value);
    default: return true;
  }
}

//---------- descriptors ----------

static bool
describe_range(const param_spec_t * spec, rcl_interfaces__msg__ParameterDescriptor * descriptor)
{
  if (!param_has_range(spec)) return true;
  if (spec->type == PARAM_DOUBLE || spec->type == PARAM_DOUBLE_ARRAY) {
    rcl_interfaces__msg__FloatingPointRange__Sequence * range = &descriptor->floating_point_range;
    if (!rcl_interfaces__msg__FloatingPointRange__Sequence__init(range, 1)) return false;
    range->data[0].from_value = spec->min;
    range->data[0].to_value = spec->max;
  }
  if (spec->type == PARAM_INTEGER || spec->type == PARAM_INTEGER_ARRAY) {
    rcl_interfaces__msg__IntegerRange__Sequence * range = &descriptor->integer_range;
    if (!rcl_interfaces__msg__IntegerRange__Sequence__init(range, 1)) return false;
    param_integer_range(spec, &range->data[0].from_value, &range->data[0].to_value);
  }
  return true;
}

// what ranges cannot say: choices, and that it is about each element
static void
constraints(const param_spec_t * spec, char * text, size_t size)
{
  char words[PARAM_REASON - 32] = "";
  if (param_has_range(spec) && param_is_array(spec->type)) {
    param_range_text(spec, words, sizeof words);
  }
  if (spec->choices != NULL) param_choices_text(spec, "", words, sizeof words);
  const bool each = words[0] != '\0' && param_is_array(spec->type);
  snprintf(text, size, "%s%s", each ? "each element " : "", words);
}

bool
param_describe(const param_spec_t * spec, rcl_interfaces__msg__ParameterDescriptor * descriptor)
{
  char text[PARAM_REASON];
  constraints(spec, text, sizeof text);
  const char * description = spec->description != NULL ? spec->description : "";
  descriptor->type = (uint8_t)spec->type;
  descriptor->read_only = spec->read_only;
  descriptor->dynamic_typing = false;
  return rosidl_runtime_c__String__assign(&descriptor->name, spec->name) &&
         rosidl_runtime_c__String__assign(&descriptor->description, description) &&
         rosidl_runtime_c__String__assign(&descriptor->additional_constraints, text) &&
         describe_range(spec, descriptor);
}
