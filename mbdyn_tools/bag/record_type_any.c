// Type support of any type: with the stand-in, its name is all that serialized messages need.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_type.h"
#include "ros2_types.h"
#include "rosidl_typesupport_introspection_c/identifier.h"
#include "rosidl_typesupport_introspection_c/message_introspection.h"

// a description without fields: serialized messages need no more than the name
typedef struct raw_type {
  struct raw_type * next;
  rosidl_message_type_support_t support;
  rosidl_typesupport_introspection_c__MessageMembers members;
  char space[256], name[256];  // "package__msg", "Name"
} raw_type_t;

static raw_type_t *
raw_type_new(const char * name)
{
  const char * last = strrchr(name, '/');
  const char * first = strchr(name, '/');
  const size_t package = first ? (size_t)(first - name) : 0;
  if (!last || package == 0 || strlen(name) > 250 || !last[1]) return NULL;
  raw_type_t * t = calloc(1, sizeof *t);
  if (!t) return NULL;
  // "package/Name" of old recordings is "package/msg/Name"
  const char * kind = first == last ? "/msg" : first;
  const int length = first == last ? 4 : (int)(last - first);
  snprintf(t->space, sizeof t->space, "%.*s__%.*s", (int)package, name, length - 1, kind + 1);
  snprintf(t->name, sizeof t->name, "%s", last + 1);
  t->members.message_namespace_ = t->space;
  t->members.message_name_ = t->name;
  t->support = (rosidl_message_type_support_t){
    .typesupport_identifier = rosidl_typesupport_introspection_c__identifier,
    .data = &t->members,
    .func = get_message_typesupport_handle_function};
  return t;
}

const rosidl_message_type_support_t *
raw_types_get(raw_types_t * types, const char * name, bool * known)
{
  const ros2_type_t * type = ros2_find_type(name);
  if (known) *known = type && type->message;
  if (type && type->message) return type->message;
  raw_type_t * raw = raw_type_new(name);
  if (!raw) return NULL;
  raw->next = types->first;
  types->first = raw;
  return &raw->support;
}

void
raw_types_free(raw_types_t * types)
{
  while (types->first) {
    raw_type_t * next = types->first->next;
    free(types->first);
    types->first = next;
  }
}
