// The table of types, and the functions that ROSIDL_GET_MSG_TYPE_SUPPORT names. The list of types
// is written by CMake from the definition files; there is no rosidl_typesupport_c on Debian, so its
// functions hand out the introspection type support.
#include "ros2_types.h"

#include <string.h>

#define MESSAGE_GETTER(support, package, kind, name) \
  support##__get_message_type_support_handle__##package##__##kind##__##name
#define SERVICE_GETTER(support, package, kind, name) \
  support##__get_service_type_support_handle__##package##__##kind##__##name

//---------- declarations of what the generator wrote ----------

#define MESSAGE(package, kind, name)                                \
  const rosidl_message_type_support_t * MESSAGE_GETTER(             \
    rosidl_typesupport_introspection_c, package, kind, name)(void); \
  const rosidl_message_type_support_t * MESSAGE_GETTER(             \
    rosidl_typesupport_c, package, kind, name)(void);
#define SERVICE(package, kind, name)                                \
  const rosidl_service_type_support_t * SERVICE_GETTER(             \
    rosidl_typesupport_introspection_c, package, kind, name)(void); \
  const rosidl_service_type_support_t * SERVICE_GETTER(             \
    rosidl_typesupport_c, package, kind, name)(void);
#include "ros2_type_list.h"
#undef MESSAGE
#undef SERVICE

//---------- the table ----------

enum {
#define MESSAGE(package, kind, name) INDEX_##package##_##kind##_##name,
#define SERVICE(package, kind, name) INDEX_##package##_##kind##_##name,
#include "ros2_type_list.h"
#undef MESSAGE
#undef SERVICE
  TYPE_COUNT
};

static ros2_type_t types[TYPE_COUNT + 1] = {
#define MESSAGE(package, kind, name) {#package "/" #kind "/" #name, NULL, NULL},
#define SERVICE(package, kind, name) {#package "/" #kind "/" #name, NULL, NULL},
#include "ros2_type_list.h"
#undef MESSAGE
#undef SERVICE
  {NULL, NULL, NULL}};

// the generated getters fill in their tables when they are called: all of it happens here, before
// main, so that threads only ever read
__attribute__((constructor)) static void
fill_types(void)
{
#define MESSAGE(package, kind, name)                 \
  types[INDEX_##package##_##kind##_##name].message = \
    MESSAGE_GETTER(rosidl_typesupport_introspection_c, package, kind, name)();
#define SERVICE(package, kind, name)                 \
  types[INDEX_##package##_##kind##_##name].service = \
    SERVICE_GETTER(rosidl_typesupport_introspection_c, package, kind, name)();
#include "ros2_type_list.h"
#undef MESSAGE
#undef SERVICE
}

//---------- what rosidl_typesupport_c would have ----------

#define MESSAGE(package, kind, name)                         \
  const rosidl_message_type_support_t * MESSAGE_GETTER(      \
    rosidl_typesupport_c, package, kind, name)(void)         \
  {                                                          \
    return types[INDEX_##package##_##kind##_##name].message; \
  }
#define SERVICE(package, kind, name)                         \
  const rosidl_service_type_support_t * SERVICE_GETTER(      \
    rosidl_typesupport_c, package, kind, name)(void)         \
  {                                                          \
    return types[INDEX_##package##_##kind##_##name].service; \
  }
#include "ros2_type_list.h"
#undef MESSAGE
#undef SERVICE

//---------- the public functions ----------

// "package/Name" is short for "package/msg/Name" or "package/srv/Name"
static int
is_short_for(const char * name, const char * full)
{
  const char * slash = strchr(name, '/');
  const size_t head = slash ? (size_t)(slash - name) + 1 : 0;
  if (!slash || strchr(slash + 1, '/')) return 0;
  return strncmp(name, full, head) == 0 && strcmp(name + head, full + head + 4) == 0;
}

const ros2_type_t *
ros2_find_type(const char * name)
{
  if (!name) return NULL;
  for (int i = 0; i < TYPE_COUNT; i++) {
    if (strcmp(types[i].name, name) == 0) return &types[i];
  }
  for (int i = 0; i < TYPE_COUNT; i++) {
    if (is_short_for(name, types[i].name)) return &types[i];
  }
  return NULL;
}

const ros2_type_t *
ros2_types(size_t * count)
{
  *count = TYPE_COUNT;
  return types;
}

const rosidl_typesupport_introspection_c__MessageMembers *
ros2_type_members(const ros2_type_t * type)
{
  return type && type->message ? type->message->data : NULL;
}

const rosidl_typesupport_introspection_c__ServiceMembers *
ros2_service_members(const ros2_type_t * type)
{
  return type && type->service ? type->service->data : NULL;
}
