// mbdyn_bench: time per call of robot dynamics, ours and others, on the same robots and states.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind.h"
#include "functions.h"
#include "measure.h"
#include "options.h"
#include "run.h"

enum { done = 0, disagreement = 1, trouble = 2 };

// the robots of config/robots, with the base that they are meant for
static const wanted_robot_t defaults[] = {
  {BENCH_ROBOTS "/arm6.urdf", 0, false},    {BENCH_ROBOTS "/arm7.urdf", 0, false},
  {BENCH_ROBOTS "/hand.urdf", 0, false},    {BENCH_ROBOTS "/quadruped.urdf", 0, true},
  {BENCH_ROBOTS "/humanoid.urdf", 0, true},
};

enum { ndefaults = sizeof defaults / sizeof *defaults };

//---------- set-up ----------

// what was asked for, or what lies beside this program
static bool
open_plugins(const bench_options_t * options, bench_plugins_t * plugins)
{
  bool fine = true;
  for (int i = 0; i < options->nplugins && fine; i++)
    fine = bench_plugins_add(plugins, options->plugins[i]);
  if (options->nplugins == 0) {
    char folder[4096];
    const ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length > 0 ? length : 0] = 0;
    char * slash = strrchr(folder, '/');
    if (slash != NULL) *slash = 0;
    fine = bench_plugins_add(plugins, folder);
  }
  bench_plugins_ours_first(plugins);
  return fine;
}

static void
print_list(const bench_plugins_t * plugins)
{
  puts("functions:");
  for (int f = 0; f < BENCH_FUNCTIONS; f++)
    printf("  %-14s %s\n", bench_functions[f].key, bench_functions[f].name);
  puts("libraries:");
  for (int p = 0; p < plugins->n; p++) {
    const bench_plugin_t * plugin = plugins->plugin[p];
    printf("  %-12s %-10s", plugin->name, plugin->library ? plugin->library : "");
    for (int f = 0; f < BENCH_FUNCTIONS; f++)
      for (const bench_variant_t * variant = plugin->variant; variant->call != NULL; variant++) {
        if ((int)variant->function != f) continue;
        printf(" %s", bench_functions[f].key);
        break;
      }
    putchar('\n');
  }
}

// the processor's name
static void
name_machine(char * text, size_t size)
{
  snprintf(text, size, "unknown processor");
  FILE * in = fopen("/proc/cpuinfo", "r");
  char line[256];
  while (in != NULL && fgets(line, sizeof line, in) != NULL) {
    const char * value = strstr(line, ": ");
    if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(text, size, "%.100s", value + 2);
    break;
  }
  if (in != NULL) fclose(in);
}

//---------- measuring ----------

static bench_case_t *
make_case(const bench_options_t * o, const wanted_robot_t * wanted, char * why)
{
  const bench_settings_t settings = {o->seed, o->nstate, o->batch, o->nframe, o->frame};
  bench_case_t * c = wanted->file != NULL
                       ? bench_case_file(wanted->file, wanted->floating, &settings, why)
                       : bench_case_chain(wanted->chain, wanted->floating, &settings, why);
  if (c != NULL) c->robot.dense = c->robot.nv <= o->dense;
  return c;
}

// the row of a shorter chain on the same base
static const bench_row_t *
shorter_chain(const bench_report_t * report, const wanted_robot_t * wanted)
{
  for (int i = report->n - 1; i >= 0 && wanted->chain > 0; i--) {
    const bench_row_t * row = &report->row[i];
    if (row->chain > 0 && row->chain < wanted->chain && row->floating == wanted->floating)
      return row;
  }
  return NULL;
}

static int
run_all(const bench_options_t * o, const wanted_robot_t * wanted, int n, bench_report_t * report)
{
  for (int i = 0; i < n; i++) {
    char why[BENCH_WHY] = "";
    bench_case_t * c = make_case(o, &wanted[i], why);
    if (c == NULL) {
      fprintf(stderr, "mbdyn_bench: %s: %s\n", wanted[i].file ? wanted[i].file : "chain", why);
      return trouble;
    }
    const run_settings_t settings = {
      .functions = o->functions,
      .rounds = o->rounds,
      .seconds = o->seconds,
      .limit = o->limit,
      .tolerance = o->tolerance,
      .shorter = shorter_chain(report, &wanted[i])};
    bench_row_t * row = &report->row[i];
    row->chain = wanted[i].chain;
    report->nstate = c->robot.nstate;
    const bool fine = bench_run_case(c, &settings, report, row);
    bench_case_free(c);
    if (!fine) return fprintf(stderr, "mbdyn_bench: out of memory\n"), trouble;
    report->n = i + 1;
    report_text_row(report, row, stdout);
  }
  return report->mismatches > 0 ? disagreement : done;
}

//---------- output ----------

static bool
write_file(
  const char * path, const bench_report_t * report, void (*put)(const bench_report_t *, FILE *))
{
  if (path == NULL) return true;
  FILE * to = fopen(path, "w");
  if (to == NULL) return perror(path), false;
  put(report, to);
  const bool bad = ferror(to) != 0;
  if (fclose(to) == 0 && !bad) return true;
  fprintf(stderr, "mbdyn_bench: %s cannot be written\n", path);
  return false;
}

static int
measure(const bench_options_t * o, const bench_plugins_t * plugins)
{
  const bool given = o->nrobot > 0;
  const int n = given ? o->nrobot : ndefaults;
  bench_report_t report = {
    .plugins = plugins,
    .functions = o->functions,
    .instructions = callgrind_begin(),
    .wall = o->wall,
    .cold = o->cold,
    .rounds = o->rounds,
    .batch = o->batch,
    .seconds = o->seconds,
    .seed = o->seed,
    .row = calloc((size_t)n, sizeof(bench_row_t))};
  if (report.row == NULL) return perror("mbdyn_bench"), trouble;
  name_machine(report.machine, sizeof report.machine);
  if (o->wall) bench_use_wall_clock();
  if (o->cold) bench_use_cold_caches();
  if (!report.instructions) report.empty_call = bench_empty_call();
  int code = run_all(o, given ? o->robot : defaults, n, &report);
  if (code != trouble) {
    report_text(&report, stdout);
    bool fine = write_file(o->json, &report, report_json);
    fine = write_file(o->markdown, &report, report_markdown) && fine;
    fine = write_file(o->svg, &report, report_svg) && fine;
    if (!fine) code = trouble;
  }
  free(report.row);
  return code;
}

int
main(int argc, char ** argv)
{
  bench_options_t options;
  const int code = options_parse(argc, argv, &options);
  if (code >= 0) return code;
  if (options.callgrind && getenv("MBDYN_BENCH_CALLGRIND") == NULL) {
    const int counted = callgrind_restart(argv);
    return counted < 0 ? trouble : counted;
  }
  bench_plugins_t plugins = {0};
  if (!open_plugins(&options, &plugins)) return trouble;
  int result = done;
  if (options.list) {
    print_list(&plugins);
  } else {
    result = measure(&options, &plugins);
  }
  bench_plugins_close(&plugins);
  return fflush(stdout) == 0 ? result : trouble;
}
