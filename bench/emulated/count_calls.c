// Calls of one function of a plug-in, on the robot of export_robot.c, to be counted by an emulator:
//   count_calls PLUGIN.so FUNCTION VARIANT CALLS
// VARIANT counts the plug-in's implementations of the function from 0. Prints the sum of the absolute values
// of all results; exit code 3: there is no such implementation.
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

extern const bench_robot_t robot;

static const bench_plugin_t *
open_plugin(const char * path)
{
  void * file = dlopen(path, RTLD_LAZY);
  const bench_plugin_t * (*get)(void) = NULL;
  if (file != NULL) *(void **)&get = dlsym(file, "bench_plugin_get");
  if (get == NULL) fprintf(stderr, "count_calls: %s\n", dlerror());
  return get == NULL ? NULL : get();
}

static int
variant_of(const bench_plugin_t * plugin, const char * function, int number)
{
  for (int k = 0; plugin->variant[k].call != NULL; k++)
    if (!strcmp(bench_functions[plugin->variant[k].function].key, function) && number-- == 0)
      return k;
  return -1;
}

static bool
print_sum(const bench_plugin_t * plugin, void * loaded, int variant)
{
  const size_t n = bench_result_size(&robot, plugin->variant[variant].function);
  double * out = calloc(n, sizeof *out);
  double sum = 0;
  for (int s = 0; s < robot.nstate && out != NULL; s++) {
    plugin->variant[variant].call(loaded, s);
    if (!plugin->result(loaded, variant, s, out)) return false;
    for (size_t i = 0; i < n; i++) sum += fabs(out[i]);
  }
  printf("%.17g\n", sum);
  free(out);
  return isfinite(sum) && sum > 0;
}

int
main(int argc, char ** argv)
{
  char why[BENCH_WHY] = "";
  const bench_plugin_t * plugin = argc == 5 ? open_plugin(argv[1]) : NULL;
  if (plugin == NULL) return 2;
  const int variant = variant_of(plugin, argv[2], atoi(argv[3]));
  if (variant < 0) return 3;
  void * loaded = plugin->load(&robot, why);
  if (loaded == NULL) return fprintf(stderr, "count_calls: %s\n", why), 2;
  if (plugin->able != NULL && !plugin->able(loaded, variant)) return 3;
  if (!print_sum(plugin, loaded, variant)) return 1;
  for (int i = 0; i < atoi(argv[4]); i++) plugin->variant[variant].call(loaded, i % robot.nstate);
  plugin->unload(loaded);
  return 0;
}
