// Measuring one robot with all libraries.
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "agreement.h"
#include "callgrind.h"
#include "functions.h"
#include "measure.h"

enum { max_variants = 64 };

typedef struct run {
  const run_settings_t * settings;
  bench_report_t * report;
  bench_row_t * row;
  const bench_robot_t * robot;
  void * loaded[BENCH_MAX_PLUGINS];
} run_t;

//---------- loading ----------

// a longer chain takes longer to load, with the square
static bool
loads_too_long(const run_t * run, int p)
{
  const bench_row_t * shorter = run->settings->shorter;
  if (shorter == NULL) return false;
  const double longer = (double)run->robot->nv / shorter->nv;
  const double most = 100 * run->settings->limit;
  return shorter->load_seconds[p] * longer * longer > most;
}

static void
load_one(run_t * run, int p)
{
  char * why = run->row->refused[p];
  if (loads_too_long(run, p)) {
    run->row->load_seconds[p] = HUGE_VAL;
    snprintf(why, BENCH_WHY, "it would take too long to load");
    return;
  }
  const clock_t start = clock();
  run->loaded[p] = run->report->plugins->plugin[p]->load(run->robot, why);
  run->row->load_seconds[p] = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (run->loaded[p] != NULL) why[0] = 0;
  if (run->loaded[p] == NULL && why[0] == 0) snprintf(why, BENCH_WHY, "refused");
}

static void
load_all(run_t * run)
{
  for (int p = 0; p < run->report->plugins->n; p++) load_one(run, p);
}

static void
unload_all(run_t * run)
{
  const bench_plugins_t * plugins = run->report->plugins;
  for (int p = 0; p < plugins->n; p++)
    if (run->loaded[p] != NULL) plugins->plugin[p]->unload(run->loaded[p]);
}

//---------- what can be asked ----------

// a longer chain takes longer, at worst with the third power
static bool
takes_too_long(const run_t * run, int plugin, int function)
{
  const bench_row_t * shorter = run->settings->shorter;
  if (shorter == NULL) return false;
  const bench_cell_t * cell = &shorter->cell[function][plugin];
  if (!cell->measured) return shorter->refused[plugin][0] == 0;
  const double longer = (double)run->robot->nv / shorter->nv;
  const double unit = run->report->instructions ? 1e-7 : 1e-9;
  return cell->min * unit * longer * longer * longer > run->settings->limit;
}

// implementations of a function in one plug-in
static int
list_variants(const run_t * run, int p, int function, bench_entry_t * entry, int capacity)
{
  const bench_plugin_t * plugin = run->report->plugins->plugin[p];
  int n = 0;
  if (run->loaded[p] == NULL || takes_too_long(run, p, function)) return 0;
  for (int w = 0; plugin->variant[w].call != NULL && n < capacity; w++) {
    if ((int)plugin->variant[w].function != function) continue;
    if (plugin->able != NULL && !plugin->able(run->loaded[p], w)) continue;
    entry[n++] = (bench_entry_t){
      .robot = run->robot, .loaded = run->loaded[p], .variant = &plugin->variant[w]};
  }
  return n;
}

//---------- agreement ----------

// "arm7, bias: KDL, chain "
static void
print_name(const run_t * run, int function, int p, const bench_entry_t * entry)
{
  const char * variant = entry->variant->name;
  fprintf(
    stderr, "mbdyn_bench: %s, %s: %s%s%s ", run->row->name, bench_functions[function].name,
    run->report->plugins->plugin[p]->name, variant ? ", " : "", variant ? variant : "");
}

static void
leave_out(const run_t * run, int function, int p, const bench_entry_t * entry)
{
  print_name(run, function, p, entry);
  fprintf(stderr, "is left out: valgrind does not know its instructions\n");
}

static void
complain(
  run_t * run, int function, int p, const bench_entry_t * entry, const check_t * check,
  double error)
{
  run->report->mismatches++;
  print_name(run, function, p, entry);
  if (!isfinite(error)) {
    fprintf(stderr, "fails, or gives numbers that are not finite\n");
    return;
  }
  fprintf(
    stderr, "disagrees by %.1e: number %zu of %zu at state %d is %.17g, expected %.17g\n", error,
    check->element, check->size, check->state, check->found, check->expected);
}

// numbers of long chains lose digits on the way: one for each tenfold length beyond 100
static double
allowed(const run_t * run, const bench_plugin_t * plugin, int function)
{
  double asked = plugin->tolerance > 0 ? plugin->tolerance : run->settings->tolerance;
  if (bench_functions[function].f32) asked = fmax(asked, 1e-3);
  return asked * fmax(1, pow(run->robot->nv / 100.0, 2));
}

// keep the implementations whose results agree with the reference; the first of all is the reference
static int
keep_agreeing(
  run_t * run, int function, int p, bench_entry_t * entry, int n, check_t * check, double * worst)
{
  const bench_plugin_t * plugin = run->report->plugins->plugin[p];
  int kept = 0;
  for (int i = 0; i < n; i++) {
    double error = 0;
    if (run->report->instructions && !callgrind_can_run(&entry[i])) {
      leave_out(run, function, p, &entry[i]);
      continue;
    }
    if (check->want == NULL) {
      if (!check_begin(check, &entry[i], plugin)) {
        check_end(check);
        *check = (check_t){0};
        error = HUGE_VAL;
      }
    } else {
      error = check_against(check, &entry[i], plugin);
    }
    if (error <= allowed(run, plugin, function)) {
      *worst = fmax(*worst, error);
      entry[kept++] = entry[i];
    } else {
      complain(run, function, p, &entry[i], check, error);
    }
  }
  return kept;
}

//---------- one function ----------

// a batch function has to give what the first library gives for one state after the other
static void
refer_to_single(run_t * run, int function, check_t * check)
{
  const int single = (int)bench_functions[function].single;
  for (int p = 0; p < run->report->plugins->n && single != function; p++) {
    bench_entry_t variant[max_variants];
    const bench_plugin_t * plugin = run->report->plugins->plugin[p];
    const int variants = list_variants(run, p, single, variant, max_variants);
    if (variants == 0) continue;
    if (check_begin_batch(check, &variant[0], plugin, (bench_function_t)function)) return;
    check_end(check);
    *check = (check_t){0};
  }
}

// whether any library has the function at all
static bool
somebody_has(const run_t * run, int function)
{
  for (int p = 0; p < run->report->plugins->n; p++) {
    bench_entry_t variant[max_variants];
    if (list_variants(run, p, function, variant, max_variants) > 0) return true;
  }
  return false;
}

// the fastest way of each library that agrees; entries and whose they are
static int
choose_entries(run_t * run, int function, bench_entry_t * chosen, int * whose)
{
  check_t check = {0};
  int n = 0;
  if (!somebody_has(run, function)) return 0;
  refer_to_single(run, function, &check);
  for (int p = 0; p < run->report->plugins->n; p++) {
    bench_entry_t variant[max_variants];
    bench_cell_t * cell = &run->row->cell[function][p];
    int variants = list_variants(run, p, function, variant, max_variants);
    const bool several = variants > 1;
    variants = keep_agreeing(run, function, p, variant, variants, &check, &cell->error);
    if (variants == 0) continue;
    chosen[n] = variant[bench_fastest(variant, variants)];
    cell->variant = several ? chosen[n].variant->name : NULL;
    whose[n++] = p;
  }
  check_end(&check);
  return n;
}

static bool
run_function(run_t * run, int function)
{
  bench_entry_t entry[BENCH_MAX_PLUGINS];
  int whose[BENCH_MAX_PLUGINS];
  const int n = choose_entries(run, function, entry, whose);
  if (n > 0 && !bench_measure(entry, n, run->settings->rounds, run->settings->seconds))
    return false;
  for (int i = 0; i < n; i++) {
    bench_cell_t * cell = &run->row->cell[function][whose[i]];
    cell->measured = true;
    cell->min = entry[i].min, cell->median = entry[i].median;
  }
  return true;
}

static void
describe(const bench_case_t * c, bench_row_t * row)
{
  const bench_robot_t * robot = &c->robot;
  snprintf(row->name, sizeof row->name, "%s", robot->name);
  row->nv = robot->nv, row->nframe = robot->nframe, row->floating = robot->floating;
  size_t used = 0;
  for (int i = 0; i < robot->nframe && used < sizeof row->frames; i++) {
    const char * between = i > 0 ? " " : "";
    used += (size_t)snprintf(
      row->frames + used, sizeof row->frames - used, "%s%s", between, robot->frame[i]);
  }
}

bool
bench_run_case(
  bench_case_t * c, const run_settings_t * settings, bench_report_t * report, bench_row_t * row)
{
  run_t run = {.settings = settings, .report = report, .row = row, .robot = &c->robot};
  describe(c, row);
  load_all(&run);
  bool fine = true;
  for (int f = 0; f < BENCH_FUNCTIONS && fine; f++) {
    const bool asked = settings->functions & c->functions & BENCH_BIT(f);
    if (asked && (c->robot.dense || !bench_functions[f].dense)) fine = run_function(&run, f);
  }
  unload_all(&run);
  return fine;
}
