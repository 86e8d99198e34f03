// `mbdyn sweep`: one model at many points.
#include "sweep.h"

#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "text.h"
#include "threads.h"

typedef struct sweep_options {
  const char * out;
  int threads;  // 0: not given
  bool restart, csv, dry_run;
} sweep_options_t;

static atomic_bool interrupted;

static void
interrupt(int number)
{
  (void)number;
  atomic_store(&interrupted, true);
}

//---------- options ----------

static const char *
take_out(void * target, const char * value)
{
  ((sweep_options_t *)target)->out = value;
  return *value ? NULL : "a folder";
}

static const char *
take_threads(void * target, const char * value)
{
  return threads_take(value, &((sweep_options_t *)target)->threads);
}

static const char *
take_restart(void * target, const char * value)
{
  (void)value;
  ((sweep_options_t *)target)->restart = true;
  return NULL;
}

static const char *
take_csv(void * target, const char * value)
{
  (void)value;
  ((sweep_options_t *)target)->csv = true;
  return NULL;
}

static const char *
take_dry_run(void * target, const char * value)
{
  (void)value;
  ((sweep_options_t *)target)->dry_run = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"--out", "FOLDER", "where results go; default: NAME.results for NAME.sweep.yaml, here",
   take_out},
  {"--threads", "N",
   "threads that compute; default: one per processor, under mpirun one\n"
   "per rank",
   take_threads},
  {"--restart", NULL, "throw away the results that are in the folder", take_restart},
  {"--csv", NULL, "write results.csv, too", take_csv},
  {"--dry-run", NULL, "read the file, print the columns and the number of points, and end",
   take_dry_run},
  {NULL, NULL, NULL, NULL}};

static const usage_t USAGE = {
  .command = "sweep",
  .operand = "FILE.sweep.yaml",
  .intro =
    "Evaluate or simulate a robot or a mechanism at many points: a grid, or random samples, of\n"
    "states, payloads, gravity, controller gains and numbers of the description (docs/sweep.md).",
  .details =
    "The folder gets results.npy (a row of numbers for every point: variables, outputs, status),\n"
    "index.json (columns, units, ranges), summary.html and a journal. A sweep that was ended by\n"
    "Ctrl-C or a crash goes on where it was when the same command is given again; what is there\n"
    "is not computed again. Results do not depend on the number of threads or ranks.\n\n"
    "Under mpirun or srun, ranks share the points: mpirun -n 8 mbdyn sweep FILE.sweep.yaml\n\n"
    "exit code: 0 every point was computed (failed points are counted and have a status); 1 ended\n"
    "by Ctrl-C; 2 wrong usage, invalid file, or results that cannot be written\n\n"
    "examples:\n"
    "  mbdyn sweep config/sweeps/payload.sweep.yaml\n"
    "  mbdyn sweep torques.sweep.yaml --threads 4 --out /tmp/torques --csv"};

//---------- command ----------

// NAME.results of .../NAME.sweep.yaml
static void
default_folder(const char * path, char * folder, size_t size)
{
  static const char * const ENDING[] = {".sweep.yaml", ".sweep.yml", ".yaml", ".yml"};
  char own[4096];
  snprintf(own, sizeof own, "%s", path);
  char * name = basename(own);
  for (int k = 0; k < 4; k++) {
    const size_t n = strlen(name), m = strlen(ENDING[k]);
    if (n > m && strcmp(name + n - m, ENDING[k]) == 0) {
      name[n - m] = 0;
      break;
    }
  }
  snprintf(folder, size, "%s.results", name);
}

static void
print_plan(const sweep_plan_t * plan)
{
  printf(
    "%" PRIu64 " points, %s of %s\n", plan->npoint, plan->simulate ? "simulations" : "evaluations",
    plan->robot[0] ? plan->robot : plan->mechanism);
  for (int k = 0; k < plan->ncolumn; k++)
    printf(
      "%3d  %-8s %s [%s]\n", k,
      k < plan->nvariable     ? "variable"
      : k < plan->ncolumn - 1 ? "output"
                              : "status",
      plan->column[k], plan->unit[k]);
}

static double
now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
run(const sweep_plan_t * plan, const sweep_options_t * o, const sweep_mpi_t * mpi)
{
  char folder[4096];
  default_folder(plan->path, folder, sizeof folder);
  const double began = now();
  sweep_store_t store;
  int code = CLI_TROUBLE;
  if (!sweep_store_open(&store, plan, o->out ? o->out : folder, o->restart)) {
    if (mpi) sweep_dismiss(mpi);
  } else {
    const int threads = o->threads ? o->threads : mpi ? 1 : threads_default();
    const sweep_end_t end = sweep_run(&store, threads, mpi, &interrupted);
    const bool ok = end != SWEEP_FAILED && sweep_summary(&store, o->csv, now() - began, stdout);
    if (ok) {
      printf("results: %s\n", store.folder);
      code = end == SWEEP_DONE ? CLI_OK : CLI_FOUND;
    }
    if (ok && end == SWEEP_STOPPED)
      fprintf(stderr, "mbdyn sweep: ended early; the same command goes on from here\n");
  }
  sweep_store_close(&store);
  return code;
}

static int
run_rank(const char * path, const sweep_options_t * o, const sweep_mpi_t * mpi)
{
  sweep_plan_t plan;
  // the first rank says what is wrong with a file
  const bool quiet = mpi && mpi->rank > 0;
  if (quiet && !freopen("/dev/null", "w", stderr)) return CLI_TROUBLE;
  const bool read = sweep_read(&plan, path);
  int code = CLI_TROUBLE;
  if (quiet) {
    code = sweep_serve(read ? &plan : NULL, mpi) && read ? CLI_OK : CLI_TROUBLE;
  } else if (!read) {
    if (mpi) sweep_dismiss(mpi);
  } else if (o->dry_run) {
    if (mpi) sweep_dismiss(mpi);
    print_plan(&plan);
    code = CLI_OK;
  } else {
    code = run(&plan, o, mpi);
  }
  sweep_free(&plan);
  return code;
}

int
sweep_main(int argc, char ** argv)
{
  sweep_options_t o = {0};
  const char * path = NULL;
  const option_group_t groups[] = {{OPTIONS, &o}, {NULL, NULL}};
  const int code = args_parse(&USAGE, groups, argc, argv, &path);
  if (code >= 0) return code;
  const sweep_mpi_t * mpi;
  if (!sweep_mpi_find(&mpi)) return CLI_TROUBLE;
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  const int result = run_rank(path, &o, mpi);
  if (mpi) mpi->close();
  return result;
}
