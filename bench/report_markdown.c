// Tables for a document: minimum, median and ratio of each library.
#include "functions.h"
#include "report.h"

static void
print_cell(const bench_report_t * report, const bench_row_t * row, int function, int p, FILE * to)
{
  const bench_cell_t *cell = &row->cell[function][p], *ours = &row->cell[function][0];
  char min[32], median[32], ratio[32];
  if (!cell->measured) {
    fprintf(to, " – |");
    return;
  }
  report_number(cell->min, min, sizeof min);
  report_number(cell->median, median, sizeof median);
  fprintf(to, " %s", min);
  if (!report->instructions) fprintf(to, " (%s)", median);
  if (p > 0 && ours->measured && ours->min > 0) {
    report_number(cell->min / ours->min, ratio, sizeof ratio);
    fprintf(to, " **%s×**", ratio);
  }
  fprintf(to, " |");
}

static void
print_row(const bench_report_t * report, const bench_row_t * row, FILE * to)
{
  char about[512];
  report_describe(row, about, sizeof about);
  fprintf(to, "\n### %s\n\n%s.\n\n| |", row->name, about);
  for (int p = 0; p < report->plugins->n; p++)
    fprintf(to, " %s |", report->plugins->plugin[p]->name);
  fprintf(to, " ours / best |\n| --- |");
  for (int p = 0; p < report->plugins->n; p++) fprintf(to, " ---: |");
  fprintf(to, " ---: |\n");
  for (int f = 0; f < BENCH_FUNCTIONS; f++) {
    if (!report_has(report, row, f)) continue;
    fprintf(to, "| %s |", bench_functions[f].name);
    for (int p = 0; p < report->plugins->n; p++) print_cell(report, row, f, p, to);
    const double best = report_best_peer(report, row, f);
    char ratio[32] = "–";
    if (best > 0 && row->cell[f][0].measured)
      report_number(row->cell[f][0].min / best, ratio, sizeof ratio);
    fprintf(to, " %s |\n", ratio);
  }
}

void
report_markdown(const bench_report_t * report, FILE * to)
{
  fprintf(to, "## %s\n\n", report->instructions ? "Instructions per call" : "Time per call");
  if (report->instructions) {
    fprintf(to, "Instructions per state, counted by callgrind");
  } else {
    fprintf(to, "Nanoseconds per state: minimum of %d rounds, median in brackets", report->rounds);
  }
  fprintf(to, "; **×**: how many times ours. %s.\n\n| library | version |\n", report->machine);
  fprintf(to, "| --- | --- |\n");
  for (int p = 0; p < report->plugins->n; p++) {
    const bench_plugin_t * plugin = report->plugins->plugin[p];
    fprintf(to, "| %s | %s |\n", plugin->name, plugin->library ? plugin->library : "");
  }
  for (int i = 0; i < report->n; i++) print_row(report, &report->row[i], to);
}
