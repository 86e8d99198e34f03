// Everything, for programs.
#include "functions.h"
#include "json_out.h"
#include "report.h"

static void
put_cells(json_out_t * out, const bench_report_t * report, const bench_row_t * row, int function)
{
  json_out_object(out, bench_functions[function].key);
  for (int p = 0; p < report->plugins->n; p++) {
    const bench_cell_t * cell = &row->cell[function][p];
    if (!cell->measured) continue;
    json_out_object(out, report->plugins->plugin[p]->name);
    json_out_number(out, "min", cell->min);
    json_out_number(out, "median", cell->median);
    if (row->cell[function][0].measured)
      json_out_number(out, "ratio", cell->min / row->cell[function][0].min);
    json_out_number(out, "error", cell->error);
    if (cell->variant != NULL) json_out_string(out, "way", cell->variant);
    json_out_end(out);
  }
  json_out_end(out);
}

static void
put_row(json_out_t * out, const bench_report_t * report, const bench_row_t * row)
{
  json_out_object(out, NULL);
  json_out_string(out, "name", row->name);
  if (row->chain > 0) json_out_integer(out, "chain", row->chain);
  json_out_integer(out, "nv", row->nv);
  json_out_bool(out, "floating", row->floating);
  json_out_string(out, "frames", row->frames);
  json_out_object(out, "functions");
  for (int f = 0; f < BENCH_FUNCTIONS; f++)
    if (report_has(report, row, f)) put_cells(out, report, row, f);
  json_out_end(out);
  json_out_object(out, "refused");
  for (int p = 0; p < report->plugins->n; p++)
    if (row->refused[p][0] != 0)
      json_out_string(out, report->plugins->plugin[p]->name, row->refused[p]);
  json_out_end(out);
  json_out_end(out);
}

void
report_json(const bench_report_t * report, FILE * to)
{
  json_out_t writer = json_out_open(to), *out = &writer;
  json_out_object(out, NULL);
  json_out_string(out, "unit", report->instructions ? "instructions" : "ns");
  json_out_string(out, "machine", report->machine);
  json_out_string(out, "clock", report->wall ? "wall" : "cpu");
  json_out_bool(out, "cold", report->cold);
  json_out_integer(out, "rounds", report->rounds);
  json_out_number(out, "seconds", report->seconds);
  json_out_integer(out, "states", report->nstate);
  json_out_integer(out, "batch", report->batch);
  json_out_number(out, "seed", (double)report->seed);
  json_out_number(out, "empty_call", report->empty_call);
  json_out_integer(out, "mismatches", report->mismatches);
  json_out_list(out, "libraries");
  for (int p = 0; p < report->plugins->n; p++) {
    const bench_plugin_t * plugin = report->plugins->plugin[p];
    json_out_object(out, NULL);
    json_out_string(out, "name", plugin->name);
    json_out_string(out, "version", plugin->library ? plugin->library : "");
    json_out_end(out);
  }
  json_out_end(out);
  json_out_list(out, "robots");
  for (int i = 0; i < report->n; i++) put_row(out, report, &report->row[i]);
  json_out_end(out);
  json_out_end(out);
}
