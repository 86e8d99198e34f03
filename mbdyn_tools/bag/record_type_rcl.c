// Type support of any type: with the real rcl, from the library of its package, which is loaded. So it
// works with every rmw, and with every package that is installed.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record_type.h"

typedef struct raw_type {
  struct raw_type * next;
  void * library;
} raw_type_t;

typedef const rosidl_message_type_support_t * (*handle_t)(void);

// "package/msg/Name", or "package/Name" of old recordings; false if it is neither
static bool
split(const char * name, char package[256], char kind[64], char type[256])
{
  const char * first = strchr(name, '/');
  const char * last = strrchr(name, '/');
  if (!first || first == name || !last[1] || strlen(name) > 250) return false;
  if (last - first > 60) return false;
  snprintf(package, 256, "%.*s", (int)(first - name), name);
  snprintf(
    kind, 64, "%.*s", (int)(last > first ? last - first - 1 : 3), last > first ? first + 1 : "msg");
  snprintf(type, 256, "%s", last + 1);
  // a name becomes one of a file and one of a function
  const char * letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return package[strspn(package, letters)] == '\0' && kind[strspn(kind, letters)] == '\0' &&
         type[strspn(type, letters)] == '\0';
}

const rosidl_message_type_support_t *
raw_types_get(raw_types_t * types, const char * name, bool * known)
{
  if (known) *known = false;
  char package[256], kind[64], type[256], file[320], function[700];
  if (!split(name, package, kind, type)) return NULL;
  snprintf(file, sizeof file, "lib%s__rosidl_typesupport_c.so", package);
  snprintf(
    function, sizeof function, "rosidl_typesupport_c__get_message_type_support_handle__%s__%s__%s",
    package, kind, type);
  raw_type_t * raw = calloc(1, sizeof *raw);
  if (!raw) return NULL;
  raw->library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  handle_t handle = NULL;
  if (raw->library) *(void **)&handle = dlsym(raw->library, function);
  if (!handle) {
    if (raw->library) dlclose(raw->library);
    free(raw);
    return NULL;
  }
  raw->next = types->first;
  types->first = raw;
  if (known) *known = true;
  return handle();
}

void
raw_types_free(raw_types_t * types)
{
  while (types->first) {
    raw_type_t * next = types->first->next;
    // the libraries stay: what rmw keeps of a type may outlive its last publisher
    free(types->first);
    types->first = next;
  }
}
