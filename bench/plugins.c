// Shared objects with a library behind bench_plugin.h.
#include "plugins.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// why a shared object is no plug-in, or NULL
static const char *
wrong_with(const bench_plugins_t * plugins, const bench_plugin_t * plugin)
{
  static char text[128];
  if (plugin == NULL) return "bench_plugin_get() gives nothing";
  if (plugin->version != BENCH_PLUGIN_VERSION) {
    snprintf(
      text, sizeof text, "made for version %d of bench_plugin.h; this is version %d",
      plugin->version, BENCH_PLUGIN_VERSION);
    return text;
  }
  if (!plugin->name || !plugin->variant || !plugin->load || !plugin->result || !plugin->unload)
    return "it leaves a field empty";
  for (int i = 0; i < plugins->n; i++)
    if (strcmp(plugins->plugin[i]->name, plugin->name) == 0) return "there is one of this name";
  return NULL;
}

static bool
add_file(bench_plugins_t * plugins, const char * path)
{
  // without a slash the search path of libraries would be looked at
  char full[4096];
  snprintf(full, sizeof full, "%s%s", strchr(path, '/') != NULL ? "" : "./", path);
  void * handle = dlopen(full, RTLD_NOW | RTLD_LOCAL);
  if (handle == NULL) return fprintf(stderr, "mbdyn_bench: %s\n", dlerror()), false;
  // a function pointer out of a pointer to data, as POSIX has it
  const bench_plugin_t * (*get)(void) = NULL;
  *(void **)&get = dlsym(handle, "bench_plugin_get");
  const char * wrong = get == NULL ? "it has no bench_plugin_get()" : wrong_with(plugins, get());
  if (wrong == NULL && plugins->n == BENCH_MAX_PLUGINS) wrong = "too many plug-ins";
  if (wrong != NULL) {
    fprintf(stderr, "mbdyn_bench: %s: %s\n", path, wrong);
    dlclose(handle);
    return false;
  }
  plugins->plugin[plugins->n] = get();
  plugins->handle[plugins->n++] = handle;
  return true;
}

static int
is_plugin(const struct dirent * entry)
{
  const char * dot = strrchr(entry->d_name, '.');
  return strncmp(entry->d_name, "bench_", 6) == 0 && dot != NULL && strcmp(dot, ".so") == 0;
}

static bool
add_folder(bench_plugins_t * plugins, const char * folder)
{
  struct dirent ** entry = NULL;
  const int n = scandir(folder, &entry, is_plugin, alphasort);
  const int before = plugins->n;
  for (int i = 0; i < n; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    add_file(plugins, path);
    free(entry[i]);
  }
  free(entry);
  if (plugins->n == before) fprintf(stderr, "mbdyn_bench: no plug-in bench_*.so in %s\n", folder);
  return plugins->n > before;
}

bool
bench_plugins_add(bench_plugins_t * plugins, const char * path)
{
  struct stat about;
  if (stat(path, &about) != 0) return perror(path), false;
  return S_ISDIR(about.st_mode) ? add_folder(plugins, path) : add_file(plugins, path);
}

void
bench_plugins_ours_first(bench_plugins_t * plugins)
{
  for (int i = 1; i < plugins->n; i++) {
    if (strcmp(plugins->plugin[i]->name, "mbdyn") != 0) continue;
    const bench_plugin_t * ours = plugins->plugin[i];
    void * handle = plugins->handle[i];
    memmove(plugins->plugin + 1, plugins->plugin, (size_t)i * sizeof *plugins->plugin);
    memmove(plugins->handle + 1, plugins->handle, (size_t)i * sizeof *plugins->handle);
    plugins->plugin[0] = ours, plugins->handle[0] = handle;
  }
}

void
bench_plugins_close(bench_plugins_t * plugins)
{
  for (int i = 0; i < plugins->n; i++) dlclose(plugins->handle[i]);
  plugins->n = 0;
}
