// Where robot descriptions come from: a parameter, a file, the topic robot_description. Their size
// is checked before they are copied.
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node_internal.h"
#include "reader.h"
#include "regular_file.h"
#include "rmw/qos_profiles.h"
#include "std_msgs/msg/string.h"

//---------- the text ----------

static size_t
longest(const mbdyn_node_t * node)
{
  return (size_t)param_integer(node_values(node), P_MAX_DESCRIPTION_SIZE);
}

bool
description_size_check(mbdyn_node_t * node, size_t bytes, char * reason, size_t size)
{
  if (bytes <= longest(node)) return true;
  node->too_large++;
  snprintf(reason, size, "%zu bytes exceed max_description_size, %zu", bytes, longest(node));
  return false;
}

void
description_trim(mbdyn_node_t * node)
{
#ifdef __GLIBC__
  // glibc keeps what the DDS layer frees of a large message in pieces, a moment after it was refused
  const int64_t delay = 500000000, now = steady_now();
  const uint64_t refused = node->too_large + param_server_refused_texts(node->parameters);
  if (refused != node->trimmed) {
    node->trimmed = refused;
    node->trim_at = now + delay;
  }
  if (node->trim_at == 0 || now < node->trim_at) return;
  node->trim_at = 0;
  malloc_trim(0);
#else
  (void)node;
#endif
}

bool
description_set(
  mbdyn_node_t * node, const char * text, size_t length, const char * source, char * reason,
  size_t size)
{
  if (!description_size_check(node, length, reason, size)) return false;
  char * copy = malloc(length + 1);
  if (!copy) {
    snprintf(reason, size, "out of memory");
    return false;
  }
  memcpy(copy, text, length);
  copy[length] = 0;
  free(node->description.text);
  node->description.text = copy;
  node->description.size = length;
  snprintf(node->description.source, sizeof node->description.source, "%s", source);
  node->description.version++;
  return true;
}

//---------- files ----------

static bool
read_file(mbdyn_node_t * node, const char * path, const char * name, char * reason, size_t size)
{
  char why[REASON_MAX / 2];
  size_t length;
  char * text = regular_file_read(path, longest(node), &length, why, sizeof why);
  if (!text) snprintf(reason, size, "%s: %s", name, why);
  const bool good = text && description_set(node, text, length, name, reason, size);
  free(text);
  return good;
}

static bool
has_parent_step(const char * path)
{
  for (const char * at = path; (at = strstr(at, "..")) != NULL; at += 2) {
    const bool begins = at == path || at[-1] == '/', ends = at[2] == 0 || at[2] == '/';
    if (begins && ends) return true;
  }
  return false;
}

// The path of a file in a directory, by its name alone: whether anything exists outside of the
// directory is never looked at. A symbolic link in the directory is followed, the administrator has
// put it there.
static char *
path_within(const char * directory, const char * file)
{
  size_t n = strlen(directory);
  while (n > 0 && directory[n - 1] == '/') n--;
  if (*file == 0 || has_parent_step(file)) return NULL;
  if (*file == '/') {
    const bool within = strncmp(file, directory, n) == 0 && file[n] == '/';
    return within ? strdup(file) : NULL;
  }
  char * path = malloc(n + strlen(file) + 2);
  if (path) sprintf(path, "%.*s/%s", (int)n, directory, file);
  return path;
}

bool
description_read(mbdyn_node_t * node, const char * file, char * reason, size_t size)
{
  size_t n;
  const char * const * directory = param_strings(node_values(node), P_MODEL_DIRECTORIES, &n);
  snprintf(
    reason, size, "%s",
    n == 0 ? "reading files is disabled: set model_directories, or send the text in urdf"
           : "file is not in one of model_directories");
  for (size_t i = 0; i < n; i++) {
    char * path = path_within(directory[i], file);
    const bool good = path && read_file(node, path, file, reason, size);
    free(path);
    if (!good) continue;
    *reason = 0;
    return true;
  }
  return false;
}

static bool
check_directories(const mbdyn_node_t * node)
{
  size_t n;
  const char * const * directory = param_strings(node_values(node), P_MODEL_DIRECTORIES, &n);
  for (size_t i = 0; i < n; i++) {
    if (directory[i][0] == '/' && !has_parent_step(directory[i])) continue;
    NODE_LOG(
      node->node, ERROR, "model_directories: '%s' is not an absolute path without '..'",
      directory[i]);
    return false;
  }
  return true;
}

//---------- the topic ----------

// Memory for the bytes of a message if it is not too large. Bytes above the limit are never copied,
// which rcl_take would do before anybody could look.
typedef struct bounded {
  size_t most, asked;
} bounded_t;

static void *
bounded_reallocate(void * pointer, size_t size, void * state)
{
  bounded_t * b = state;
  b->asked = size;
  return size <= b->most ? realloc(pointer, size) : NULL;
}

static void *
bounded_allocate(size_t size, void * state)
{
  return bounded_reallocate(NULL, size, state);
}

static void *
bounded_zero_allocate(size_t n, size_t size, void * state)
{
  if (size != 0 && n > SIZE_MAX / size) return NULL;
  void * memory = bounded_allocate(n * size, state);
  return memory ? memset(memory, 0, n * size) : NULL;
}

static void
bounded_deallocate(void * pointer, void * state)
{
  (void)state;
  free(pointer);
}

// the new text in place of the old one, which comes back if the new one is not good
static bool
replace(mbdyn_node_t * node, const char * text, size_t length, char * reason, size_t size)
{
  static const char source[] = "topic robot_description";
  if (!node->loaded) return description_set(node, text, length, source, reason, size);
  description_t old = node->description;
  node->description.text = NULL;
  const bool good = description_set(node, text, length, source, reason, size) &&
                    description_swap(node, reason, size);
  if (good) {
    free(old.text);
    NODE_LOG(node->node, INFO, "new robot description: %s", node->loaded->model->name);
    return true;
  }
  free(node->description.text);
  node->description = old;
  return false;
}

static void
take_description(mbdyn_node_t * node, const uint8_t * bytes, size_t nbyte)
{
  const description_t * known = &node->description;
  char reason[REASON_MAX];
  wire_reader_t reader = wire_open(bytes, nbyte);
  const wire_text_t text = wire_string(&reader);
  if (!wire_ok(&reader)) {
    NODE_LOG(node->node, WARN, "ignored a malformed message on robot_description");
  } else if (text.size == 0) {
    NODE_LOG(node->node, WARN, "ignored an empty message on robot_description");
  } else if (
    known->text && known->size == text.size && memcmp(known->text, text.data, known->size) == 0) {
    // the latched one again
  } else if (!replace(node, text.data, text.size, reason, sizeof reason)) {
    NODE_LOG(
      node->node, ERROR, "rejected the new robot description, keeping the old one: %s", reason);
  }
}

void
description_poll(mbdyn_node_t * node)
{
  enum { FRAME = 16 };  // encapsulation, length, NUL, padding
  if (!node->description_open) return;
  bounded_t bound = {longest(node) + FRAME, 0};
  rcl_serialized_message_t message = {
    .allocator = {
      bounded_allocate, bounded_deallocate, bounded_reallocate, bounded_zero_allocate, &bound}};
  const rcl_ret_t ret =
    rcl_take_serialized_message(&node->description_subscription, &message, NULL, NULL);
  if (ret != RCL_RET_OK) rcl_reset_error();
  if (ret == RCL_RET_OK) {
    take_description(node, message.buffer, message.buffer_length);
  } else if (bound.asked > bound.most) {
    char reason[REASON_MAX];
    description_size_check(node, bound.asked, reason, sizeof reason);
    NODE_LOG(node->node, ERROR, "rejected the message on robot_description: %s", reason);
  }
  free(message.buffer);
}

//---------- set-up and end ----------

bool
description_init(mbdyn_node_t * node)
{
  const char * text = param_string(node_values(node), P_ROBOT_DESCRIPTION);
  const char * path = param_string(node_values(node), P_ROBOT_DESCRIPTION_FILE);
  char reason[REASON_MAX];
  if (!check_directories(node)) return false;
  if (*text) {
    static const char source[] = "parameter robot_description";
    if (!description_set(node, text, strlen(text), source, reason, sizeof reason)) {
      NODE_LOG(node->node, ERROR, "robot_description: %s", reason);
      return false;
    }
  } else if (*path && !read_file(node, path, path, reason, sizeof reason)) {
    NODE_LOG(node->node, ERROR, "robot_description_file: %s", reason);
    return false;
  }
  if (!param_bool(node_values(node), P_SUBSCRIBE_DESCRIPTION)) return true;

  rmw_qos_profile_t qos = rmw_qos_profile_default;
  qos.depth = 1;
  qos.durability = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL;
  node->description_subscription = rcl_get_zero_initialized_subscription();
  node->description_open =
    rclc_subscription_init(
      &node->description_subscription, node->node,
      ROSIDL_GET_MSG_TYPE_SUPPORT(std_msgs, msg, String), "robot_description", &qos) == RCL_RET_OK;
  if (!node->description_open) {
    NODE_LOG(node->node, ERROR, "robot_description: %s", rcl_get_error_string().str);
    rcl_reset_error();
  }
  return node->description_open;
}

void
description_fini(mbdyn_node_t * node)
{
  if (node->description_open) {
    if (rcl_subscription_fini(&node->description_subscription, node->node) != RCL_RET_OK) {
      rcl_reset_error();
    }
  }
  free(node->description.text);
  memset(&node->description, 0, sizeof node->description);
}
