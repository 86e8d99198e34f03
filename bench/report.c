// What all reports have in common, and the tables for the terminal.
#include "report.h"

#include <math.h>
#include <string.h>

#include "functions.h"

double
report_best_peer(const bench_report_t * report, const bench_row_t * row, int function)
{
  double best = 0;
  for (int p = 1; p < report->plugins->n; p++) {
    const bench_cell_t * cells[] = {
      &row->cell[function][p], &row->cell[bench_functions[function].single][p]};
    for (int i = 0; i < 2; i++)
      if (cells[i]->measured && (best <= 0 || cells[i]->min < best)) best = cells[i]->min;
  }
  return best;
}

bool
report_has(const bench_report_t * report, const bench_row_t * row, int function)
{
  for (int p = 0; p < report->plugins->n; p++)
    if (row->cell[function][p].measured) return true;
  return false;
}

void
report_describe(const bench_row_t * row, char * text, size_t size)
{
  snprintf(
    text, size, "%d degrees of freedom, %s base, %s %s", row->nv,
    row->floating ? "floating" : "fixed", row->nframe > 1 ? "frames" : "frame", row->frames);
}

void
report_number(double x, char * text, size_t size)
{
  const int decimals = fabs(x) < 9.995 ? 2 : fabs(x) < 99.95 ? 1 : 0;
  snprintf(text, size, "%.*f", decimals, x);
}

//---------- tables for the terminal ----------

enum { name_width = 27, cell_width = 28 };

static void
print_cell(const bench_report_t * report, const bench_row_t * row, int function, int p, FILE * to)
{
  const bench_cell_t *cell = &row->cell[function][p], *ours = &row->cell[function][0];
  char min[32] = "-", median[32] = "", ratio[32] = "";
  if (cell->measured) {
    report_number(cell->min, min, sizeof min);
    if (!report->instructions) report_number(cell->median, median, sizeof median);
    if (p > 0 && ours->measured && ours->min > 0) {
      report_number(cell->min / ours->min, ratio, sizeof ratio - 2);
      strcat(ratio, "x");
    }
  }
  fprintf(to, " %9s %9s %8s", min, median, ratio);
}

static void
print_head(const bench_report_t * report, FILE * to)
{
  fprintf(to, "%-*s", name_width, report->instructions ? "instructions" : "ns");
  for (int p = 0; p < report->plugins->n; p++)
    fprintf(to, " %*.*s", cell_width, cell_width, report->plugins->plugin[p]->name);
  if (report->plugins->n > 1) fprintf(to, "  ours/best");
  fprintf(to, "\n%-*s", name_width, "");
  for (int p = 0; p < report->plugins->n; p++) {
    const char * median = report->instructions ? "" : "median";
    fprintf(to, " %9s %9s %8s", report->instructions ? "" : "min", median, p > 0 ? "/ours" : "");
  }
  fputc('\n', to);
}

void
report_text_row(const bench_report_t * report, const bench_row_t * row, FILE * to)
{
  char about[512];
  report_describe(row, about, sizeof about);
  fprintf(to, "\n%s: %s\n", row->name, about);
  print_head(report, to);
  for (int f = 0; f < BENCH_FUNCTIONS; f++) {
    if (!report_has(report, row, f)) continue;
    fprintf(to, "%-*s", name_width, bench_functions[f].name);
    for (int p = 0; p < report->plugins->n; p++) print_cell(report, row, f, p, to);
    const double best = report_best_peer(report, row, f);
    if (best > 0 && row->cell[f][0].measured) {
      char text[32];
      report_number(row->cell[f][0].min / best, text, sizeof text);
      fprintf(to, " %10s", text);
    }
    fputc('\n', to);
  }
  for (int p = 0; p < report->plugins->n; p++)
    if (row->refused[p][0] != 0)
      fprintf(to, "%s: %s\n", report->plugins->plugin[p]->name, row->refused[p]);
  fflush(to);
}

static void
print_worst(const bench_report_t * report, FILE * to)
{
  double worst[BENCH_MAX_PLUGINS] = {0};
  for (int i = 0; i < report->n; i++)
    for (int f = 0; f < BENCH_FUNCTIONS; f++)
      for (int p = 0; p < report->plugins->n; p++)
        worst[p] = fmax(worst[p], report->row[i].cell[f][p].error);
  fprintf(
    to, "\nlargest relative difference of results from %s:", report->plugins->plugin[0]->name);
  for (int p = 1; p < report->plugins->n; p++)
    fprintf(to, "%s %s %.0e", p > 1 ? "," : "", report->plugins->plugin[p]->name, worst[p]);
  fputc('\n', to);
}

void
report_text(const bench_report_t * report, FILE * to)
{
  if (report->plugins->n > 1) print_worst(report, to);
  if (report->instructions) {
    fprintf(to, "instructions per state; the loop around the calls is taken off\n");
  } else {
    fprintf(
      to, "nanoseconds per state (%s%s), %d rounds; a call that does nothing takes %.1f\n",
      report->wall ? "wall clock" : "processor time", report->cold ? ", cold caches" : "",
      report->rounds, report->empty_call);
  }
  fprintf(
    to, "batch functions take %d states at once; seed %llu, %d states\n", report->batch,
    report->seed, report->nstate);
}
