// The command line of mbdyn_bench.
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"

static const char help[] =
  "mbdyn_bench: time per call of robot dynamics, mbdyn and other libraries on the same robots and "
  "states\n"
  "\n"
  "usage: mbdyn_bench [OPTION]...\n"
  "\n"
  "robots (default: those of config/robots)\n"
  "  --robot FILE.urdf     a robot; can be repeated\n"
  "  --chain N             a generated chain of N bodies; can be repeated\n"
  "  --growth [MAX]        chains of 10, 20, 50, ... up to MAX (10000) bodies\n"
  "  --floating, --fixed   base of the robots that follow (default fixed)\n"
  "  --frame LINK          link to evaluate; can be repeated (default: tips)\n"
  "\n"
  "libraries\n"
  "  --plugins PATH        a plug-in, or a folder with bench_*.so; can be repeated (default: the\n "
  "                       plug-ins built with this program)\n"
  "  --functions LIST      comma-separated functions (see --list); default all\n"
  "\n"
  "measuring\n"
  "  --rounds N            rounds, interleaved between libraries (100)\n"
  "  --seconds S           measuring time per function and library (0.2)\n"
  "  --states N            number of random states (16)\n"
  "  --seed N              seed of the states and chains (1)\n"
  "  --batch N             batch size of batch functions (8)\n"
  "  --tolerance X         relative tolerance of results (1e-9); a plug-in may request a looser "
  "one\n"
  "  --dense N             skip functions with nv x nv results above this nv (1500)\n"
  "  --wall                measure wall time instead of CPU time\n"
  "  --cold                evict level 1 and 2 caches before each call; measure wall time\n"
  "  --limit S             on long chains, skip functions that would take longer than this (0.2)\n"
  "  --callgrind           count instructions under valgrind instead of time\n"
  "\n"
  "output: tables on standard output, and\n"
  "  --json FILE           for programs\n"
  "  --markdown FILE       for a document\n"
  "  --svg FILE            a chart: bars for robots, curves for three chains or more\n"
  "  --list                list functions and libraries, and exit\n"
  "  --help                this text\n"
  "\n"
  "Results are compared before timing. Fixed joints are merged for all libraries. If a library "
  "has\nseveral implementations of a function, the fastest one is reported.\n"
  "\n"
  "exit code: 0 success; 1 results disagree; 2 wrong usage, or a file that cannot be read or "
  "written\n";

//---------- values ----------

static bool
take_int(const char * text, int least, int * out)
{
  char * end = NULL;
  errno = 0;
  const long x = strtol(text, &end, 10);
  if (end == text || *end != 0 || errno != 0 || x < least || x > 1000000000) return false;
  *out = (int)x;
  return true;
}

static bool
take_positive(const char * text, double * out)
{
  char * end = NULL;
  const double x = strtod(text, &end);
  if (end == text || *end != 0 || !isfinite(x) || !(x > 0)) return false;
  *out = x;
  return true;
}

static bool
take_seed(const char * text, unsigned long long * out)
{
  char * end = NULL;
  errno = 0;
  *out = strtoull(text, &end, 10);
  return end != text && *end == 0 && errno == 0 && text[0] != '-';
}

static bool
take_functions(const char * text, uint64_t * out)
{
  const char * wrong = NULL;
  return bench_select_functions(text, out, &wrong);
}

static bool
add_path(const char ** list, int * n, int capacity, const char * path)
{
  if (*n == capacity) return false;
  list[(*n)++] = path;
  return true;
}

static bool
add_robot(bench_options_t * o, const char * file, int chain, bool floating)
{
  if (o->nrobot == MAX_ROBOTS) return false;
  o->robot[o->nrobot++] = (wanted_robot_t){file, chain, floating};
  return true;
}

// 10, 20, 50, 100, ...
static bool
add_growth(bench_options_t * o, const char * text, bool floating)
{
  int most = 10000;
  static const int steps[] = {10, 20, 50};
  if (text != NULL && !take_int(text, 10, &most)) return false;
  for (int decade = 1; decade <= 100000; decade *= 10)
    for (int i = 0; i < 3; i++)
      if (steps[i] * decade <= most && !add_robot(o, NULL, steps[i] * decade, floating))
        return false;
  return true;
}

//---------- options ----------

enum {
  ROBOT = 256,
  CHAIN,
  GROWTH,
  FLOATING,
  FIXED,
  FRAME,
  PLUGINS,
  FUNCTION_LIST,
  ROUNDS,
  SECONDS,
  STATES,
  SEED,
  BATCH,
  TOLERANCE,
  DENSE,
  LIMIT,
  CALLGRIND,
  WALL,
  COLD,
  JSON,
  MARKDOWN,
  SVG,
  LIST,
  HELP
};

static const struct option table[] = {
  {"robot", required_argument, NULL, ROBOT},
  {"chain", required_argument, NULL, CHAIN},
  {"growth", optional_argument, NULL, GROWTH},
  {"floating", no_argument, NULL, FLOATING},
  {"fixed", no_argument, NULL, FIXED},
  {"frame", required_argument, NULL, FRAME},
  {"plugins", required_argument, NULL, PLUGINS},
  {"functions", required_argument, NULL, FUNCTION_LIST},
  {"rounds", required_argument, NULL, ROUNDS},
  {"seconds", required_argument, NULL, SECONDS},
  {"states", required_argument, NULL, STATES},
  {"seed", required_argument, NULL, SEED},
  {"batch", required_argument, NULL, BATCH},
  {"tolerance", required_argument, NULL, TOLERANCE},
  {"dense", required_argument, NULL, DENSE},
  {"limit", required_argument, NULL, LIMIT},
  {"callgrind", no_argument, NULL, CALLGRIND},
  {"wall", no_argument, NULL, WALL},
  {"cold", no_argument, NULL, COLD},
  {"json", required_argument, NULL, JSON},
  {"markdown", required_argument, NULL, MARKDOWN},
  {"svg", required_argument, NULL, SVG},
  {"list", no_argument, NULL, LIST},
  {"help", no_argument, NULL, HELP},
  {NULL, 0, NULL, 0},
};

// which robots; `floating` holds for those that follow
static bool
take_robot(bench_options_t * o, int option, const char * value, bool * floating)
{
  int n = 0;
  switch (option) {
    case ROBOT: return add_robot(o, value, 0, *floating);
    case CHAIN: return take_int(value, 2, &n) && add_robot(o, NULL, n, *floating);
    case GROWTH: return add_growth(o, value, *floating);
    case FLOATING: return *floating = true, true;
    case FIXED: return *floating = false, true;
    case FRAME: return add_path(o->frame, &o->nframe, MAX_FRAMES, value);
    default: return add_path(o->plugins, &o->nplugins, MAX_PATHS, value);
  }
}

static bool
take_measure(bench_options_t * o, int option, const char * value)
{
  switch (option) {
    case FUNCTION_LIST: return take_functions(value, &o->functions);
    case ROUNDS: return take_int(value, 1, &o->rounds);
    case SECONDS: return take_positive(value, &o->seconds);
    case STATES: return take_int(value, 2, &o->nstate);
    case SEED: return take_seed(value, &o->seed);
    case BATCH: return take_int(value, 1, &o->batch);
    case TOLERANCE: return take_positive(value, &o->tolerance);
    case DENSE: return take_int(value, 0, &o->dense);
    default: return take_positive(value, &o->limit);
  }
}

static void
take_output(bench_options_t * o, int option, const char * value)
{
  switch (option) {
    case CALLGRIND: o->callgrind = true; break;
    case WALL: o->wall = true; break;
    case COLD: o->cold = o->wall = true; break;
    case JSON: o->json = value; break;
    case MARKDOWN: o->markdown = value; break;
    case SVG: o->svg = value; break;
    default: o->list = true;
  }
}

static int
refuse_option(const char * name, const char * value)
{
  if (name != NULL) fprintf(stderr, "mbdyn_bench: --%s cannot be '%s'\n", name, value);
  fprintf(stderr, "try 'mbdyn_bench --help'\n");
  return 2;
}

int
options_parse(int argc, char ** argv, bench_options_t * o)
{
  *o = (bench_options_t){
    .functions = BENCH_ALL_FUNCTIONS,
    .rounds = 100,
    .nstate = 16,
    .batch = 8,
    .dense = 1500,
    .seconds = 0.2,
    .limit = 0.2,
    .tolerance = 1e-9,
    .seed = 1};
  bool floating = false;
  int index = 0;
  for (int option; (option = getopt_long(argc, argv, "", table, &index)) != -1;) {
    // the value of an option that can do without one
    if (option == GROWTH && optarg == NULL && optind < argc && argv[optind][0] != '-')
      optarg = argv[optind++];
    bool fine = true;
    if (option == HELP) return fputs(help, stdout), 0;
    if (option == '?') return refuse_option(NULL, NULL);
    if (option <= PLUGINS) {
      fine = take_robot(o, option, optarg, &floating);
    } else if (option <= LIMIT) {
      fine = take_measure(o, option, optarg);
    } else {
      take_output(o, option, optarg);
    }
    if (!fine) return refuse_option(table[index].name, optarg ? optarg : "");
  }
  if (optind == argc) return -1;
  fprintf(stderr, "mbdyn_bench: unexpected argument '%s'\n", argv[optind]);
  return refuse_option(NULL, NULL);
}
