// Types and messages by name.
#include "ros_message.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text.h"

//---------- types ----------

// "std_msgs/msg" of "std_msgs/msg/String"
static size_t
folder_length(const char * name)
{
  const char * slash = strrchr(name, '/');
  return slash ? (size_t)(slash - name) : 0;
}

// requests and responses are messages that nobody publishes
static bool
is_listed(const ros2_type_t * type, bool services)
{
  const bool is_message = type->message != NULL && strstr(type->name, "/msg/") != NULL;
  return services ? type->service != NULL : is_message;
}

static void
list_types(bool services)
{
  size_t count;
  const ros2_type_t * types = ros2_types(&count);
  const char * last = "";
  int column = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_listed(&types[i], services)) continue;
    const size_t folder = folder_length(types[i].name);
    const int length = (int)strlen(types[i].name + folder);
    if (folder_length(last) != folder || strncmp(last, types[i].name, folder) != 0) {
      column = fprintf(stderr, "%s  %.*s:", *last ? "\n" : "", (int)folder, types[i].name) - 1;
    } else if (column + length > 98) {
      column = fprintf(stderr, "\n     ") - 1;
    }
    column += fprintf(stderr, " %s", types[i].name + folder + 1);
    last = types[i].name;
  }
  fputc('\n', stderr);
}

static const ros2_type_t *
find_type(const ros_args_t * args, const char * name, bool service)
{
  const ros2_type_t * type = ros2_find_type(name);
  if (type && (service ? type->service != NULL : type->message != NULL)) return type;
  closest_t closest = closest_to(name);
  size_t count;
  const ros2_type_t * types = ros2_types(&count);
  for (size_t i = 0; i < count; i++) {
    if (is_listed(&types[i], service)) closest_offer(&closest, types[i].name);
  }
  const char * kind = service ? "service" : "message";
  fprintf(
    stderr, "mbdyn %s: unknown %s type '%s'%s\nknown types:\n", args->command, kind, name,
    closest_hint(&closest));
  list_types(service);
  return NULL;
}

const ros2_type_t *
ros_message_type(const ros_args_t * args, const char * name)
{
  return find_type(args, name, false);
}

const ros2_type_t *
ros_service_type(const ros_args_t * args, const char * name)
{
  return find_type(args, name, true);
}

//---------- messages ----------

void *
ros_message_new(const cdr_members_t * members)
{
  void * message = calloc(1, members->size_of_);
  if (message) members->init_function(message, ROSIDL_RUNTIME_C_MSG_INIT_ALL);
  return message;
}

void
ros_message_free(const cdr_members_t * members, void * message)
{
  if (!message) return;
  members->fini_function(message);
  free(message);
}

void *
ros_message_parse(const ros_args_t * args, const cdr_members_t * members, const char * text)
{
  char error[256] = "out of memory";
  json_t * value = ros_yaml_parse(text, error, sizeof error);
  if (!value) {
    fprintf(stderr, "mbdyn %s: values: %s\n", args->command, error);
    return NULL;
  }
  // nothing at all is a message of defaults
  if (json_is_null(value)) {
    json_decref(value);
    value = json_object();
  }
  void * message = ros_message_new(members);
  if (!message || !message_from_json(members, value, message, error, sizeof error)) {
    fprintf(stderr, "mbdyn %s: values: %s\n", args->command, error);
    ros_message_free(members, message);
    message = NULL;
  }
  json_decref(value);
  return message;
}
