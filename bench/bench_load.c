// Time of loading a robot: URDF text to model, beside Pinocchio's buildModel where it was found. Both read
// the text by urdfdom; mbdyn reads and checks it by a parser of its own before.
//   bench_load [[--fixed | --floating] ROBOT.urdf]...
//                                 table in us; thread CPU time, minimum of interleaved rounds. Without a
//                                 robot: those of config/robots, and chains of 100 and 1000 bodies
//   bench_load LIBRARY TIMES [--fixed | --floating] ROBOT.urdf
//                                 one library (mbdyn, report, Pinocchio) alone, for callgrind
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "load_peer.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "robot.h"

typedef bool (*load_t)(const char * urdf, bool floating, load_result_t * result);

static const double BUDGET = 1e9;  // of a robot and library [ns]
enum { ROUNDS_MIN = 5, ROUNDS_MAX = 200 };

//---------- libraries ----------

static bool
load_with(const char * urdf, bool floating, mbdx_report_t ** report, load_result_t * result)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  options.mimic_independent = true;
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  mbd_model_t * model = NULL;
  if (mbdx_urdf_load_string(urdf, strlen(urdf), NULL, &options, &model, report) != MBD_OK)
    return false;
  *result = (load_result_t){model->nv, model->mass};
  mbd_model_destroy(model);
  return true;
}

static bool
load_mbdyn(const char * urdf, bool floating, load_result_t * result)
{
  return load_with(urdf, floating, NULL, result);
}

static bool
load_with_report(const char * urdf, bool floating, load_result_t * result)
{
  mbdx_report_t * report = NULL;
  const bool loaded = load_with(urdf, floating, &report, result);
  mbdx_report_free(report);
  return loaded;
}

static const struct {
  const char *name, *what;
  load_t load;
} libraries[] = {
  {"mbdyn", "mbdyn", load_mbdyn},
  {"report", "with a report", load_with_report},
#ifdef BENCH_PINOCCHIO
  {"Pinocchio", "Pinocchio", load_pinocchio},
#endif
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries };

//---------- robots ----------

// to be freed; NULL if it cannot be read
static char *
read_file(const char * path)
{
  FILE * file = fopen(path, "rb");
  char * text = NULL;
  size_t size = 0, capacity = 0;
  while (file) {
    if (size + 1 >= capacity) {
      char * more = realloc(text, capacity = 2 * capacity + 65536);
      if (!more) return fclose(file), free(text), NULL;
      text = more;
    }
    const size_t n = fread(text + size, 1, capacity - size - 1, file);
    size += n;
    text[size] = 0;
    if (n > 0) continue;
    const bool wrong = ferror(file) != 0;
    fclose(file);
    if (wrong || strlen(text) < size) return free(text), NULL;
    break;
  }
  return text;
}

static char *
chain_text(int n)
{
  const bench_settings_t settings = {.seed = 1, .nstate = 1, .batch = 1};
  char why[BENCH_WHY];
  bench_case_t * c = bench_case_chain(n, false, &settings, why);
  char * text = c ? strdup(c->urdf) : NULL;
  if (c) bench_case_free(c);
  return text;
}

//---------- measuring ----------

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

// all libraries load the same robot; prints why not
static bool
compare(const char * name, const char * urdf, bool floating)
{
  load_result_t first = {0}, other;
  for (int k = 0; k < LIBRARIES; k++) {
    if (!libraries[k].load(urdf, floating, k == 0 ? &first : &other))
      return fprintf(stderr, "%s does not load %s\n", libraries[k].name, name), false;
    if (k == 0) continue;
    if (other.nv != first.nv || !(fabs(other.mass - first.mass) <= 1e-9 * first.mass)) {
      fprintf(
        stderr, "%s, %s: %d degrees of freedom, %.9g kg instead of %d, %.9g kg\n", name,
        libraries[k].name, other.nv, other.mass, first.nv, first.mass);
      return false;
    }
  }
  printf("%-16s %5d", name, first.nv);
  return true;
}

// a row of the table; frees the text
static bool
measure(const char * name, char * urdf, bool floating)
{
  double best[LIBRARIES], spent = 0;
  if (!urdf) return fprintf(stderr, "cannot read %s\n", name), false;
  if (!compare(name, urdf, floating)) return free(urdf), false;
  for (int k = 0; k < LIBRARIES; k++) best[k] = HUGE_VAL;
  for (int i = 0; i < ROUNDS_MAX && (i < ROUNDS_MIN || spent < BUDGET * LIBRARIES); i++) {
    for (int k = 0; k < LIBRARIES; k++) {
      load_result_t result;
      const double start = now();
      if (!libraries[k].load(urdf, floating, &result)) return free(urdf), false;
      const double time = now() - start;
      best[k] = fmin(best[k], time);
      spent += time;
    }
  }
  free(urdf);
  for (int k = 0; k < LIBRARIES; k++) printf(" %14.1f", best[k] / 1e3);
  if (LIBRARIES > 2) printf(" %14.2f", best[0] / best[LIBRARIES - 1]);
  printf("\n");
  return true;
}

static const char *
name_of(const char * path)
{
  const char * slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool
measure_defaults(void)
{
  static const struct {
    const char * file;
    bool floating;
  } robots[] = {{"arm7.urdf", false}, {"quadruped.urdf", true}, {"humanoid.urdf", true}};
  bool fine = true;
  for (size_t i = 0; i < sizeof robots / sizeof *robots && fine; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", BENCH_ROBOTS, robots[i].file);
    fine = measure(robots[i].file, read_file(path), robots[i].floating);
  }
  return fine && measure("chain of 100", chain_text(100), false) &&
         measure("chain of 1000", chain_text(1000), false);
}

// one library again and again
static bool
repeat(load_t load, int times, const char * path, bool floating)
{
  char * urdf = read_file(path);
  load_result_t result;
  bool fine = urdf != NULL;
  for (int i = 0; i < times && fine; i++) fine = load(urdf, floating, &result);
  free(urdf);
  return fine;
}

static load_t
library_named(const char * name)
{
  for (int k = 0; k < LIBRARIES; k++)
    if (!strcmp(libraries[k].name, name)) return libraries[k].load;
  return NULL;
}

int
main(int argc, char ** argv)
{
  const load_t alone = argc > 3 ? library_named(argv[1]) : NULL;
  const int first = alone ? 3 : 1;
  bool floating = false, fine = true;
  if (!alone) {
    printf("%-16s %5s", "text to model", "nv");
    for (int k = 0; k < LIBRARIES; k++) printf(" %11s us", libraries[k].what);
    printf("%s\n", LIBRARIES > 2 ? "          ratio" : "");
    if (argc == 1) fine = measure_defaults();
  }
  for (int i = first; i < argc && fine; i++) {
    if (!strcmp(argv[i], "--fixed") || !strcmp(argv[i], "--floating")) {
      floating = strcmp(argv[i], "--floating") == 0;
    } else if (alone) {
      fine = repeat(alone, atoi(argv[2]), argv[i], floating);
    } else {
      fine = measure(name_of(argv[i]), read_file(argv[i]), floating);
    }
  }
  return fine ? 0 : 1;
}
