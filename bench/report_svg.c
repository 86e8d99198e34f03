// Pictures: time per call by function and library for each robot; growth with the length of a
// chain, for each function.
#include <math.h>
#include <string.h>

#include "functions.h"
#include "report.h"
#include "svg.h"

static const char grey[] = "#dddddd";

enum {
  width = 960,
  margin = 20,
  left = 200,   // of bars, room for the names of functions
  right = 890,  // of bars, room for numbers beyond
  bar = 9,      // height of a bar
  gap = 8,      // between functions
  head = 46,    // above the bars of a robot: its name
  foot = 34,    // below: the axis
  columns = 3,  // of growth panels
  panel = 300,  // their width and height
  panel_height = 250
};

// range of what is to be drawn
typedef struct range {
  double smallest, largest;
} range_t;

static void
widen(range_t * range, double x)
{
  if (!(x > 0)) return;
  if (range->smallest <= 0 || x < range->smallest) range->smallest = x;
  if (x > range->largest) range->largest = x;
}

static const char *
unit(const bench_report_t * report)
{
  return report->instructions ? "instructions" : "ns";
}

static void
title_of(
  const bench_report_t * report, int p, int function, const bench_cell_t * cell, char * text,
  size_t size)
{
  char number[32];
  report_number(cell->min, number, sizeof number);
  snprintf(
    text, size, "%s, %s: %s %s", report->plugins->plugin[p]->name, bench_functions[function].name,
    number, unit(report));
}

static void
legend(const bench_report_t * report, FILE * to, double y)
{
  double x = margin;
  for (int p = 0; p < report->plugins->n; p++) {
    const char * name = report->plugins->plugin[p]->name;
    svg_rect(to, x, y - 9, 10, 10, svg_colour(p), name);
    svg_text(to, x + 14, y, 12, SVG_START, name);
    x += 34 + 7 * (double)strlen(name);
  }
}

//---------- bars of one robot ----------

static int
functions_of(const bench_report_t * report, const bench_row_t * row)
{
  int n = 0;
  for (int f = 0; f < BENCH_FUNCTIONS; f++) n += report_has(report, row, f);
  return n;
}

static double
bars_height(const bench_report_t * report, const bench_row_t * row)
{
  const int group = bar * report->plugins->n + gap;
  return head + foot + functions_of(report, row) * group;
}

static log_axis_t
bars_axis(const bench_report_t * report, const bench_row_t * row)
{
  range_t range = {0, 0};
  for (int f = 0; f < BENCH_FUNCTIONS; f++)
    for (int p = 0; p < report->plugins->n; p++)
      if (row->cell[f][p].measured) widen(&range, row->cell[f][p].min);
  return log_axis(fmax(range.smallest, 1), fmax(range.largest, 10), left, right);
}

static void
one_bar(
  const bench_report_t * report, const bench_cell_t * cell, const log_axis_t * axis, int function,
  int p, double y, FILE * to)
{
  if (!cell->measured) return;
  char title[160], number[32];
  title_of(report, p, function, cell, title, sizeof title);
  report_number(cell->min, number, sizeof number);
  const double end = fmax(log_axis_at(axis, fmax(cell->min, 1)), left + 1);
  svg_rect(to, left, y, end - left, bar - 1, svg_colour(p), title);
  svg_text(to, end + 3, y + bar - 1, 9, SVG_START, number);
}

static void
decades(const log_axis_t * axis, double top, double bottom, FILE * to)
{
  for (int power = axis->from; power <= axis->to; power++) {
    const double x = log_axis_at(axis, pow(10, power));
    char label[16];
    log_axis_label(power, label, sizeof label);
    svg_line(to, x, top, x, bottom, grey);
    svg_text(to, x, bottom + 14, 10, SVG_MIDDLE, label);
  }
}

static void
bars(const bench_report_t * report, const bench_row_t * row, double top, FILE * to)
{
  const log_axis_t axis = bars_axis(report, row);
  const double bottom = top + bars_height(report, row) - foot;
  char about[512], line[600];
  report_describe(row, about, sizeof about);
  snprintf(line, sizeof line, "%s: %s", row->name, about);
  svg_text(to, margin, top + 24, 14, SVG_START, line);
  decades(&axis, top + head - 8, bottom, to);
  svg_text(to, right, top + head - 12, 10, SVG_END, unit(report));
  double y = top + head;
  for (int f = 0; f < BENCH_FUNCTIONS; f++) {
    if (!report_has(report, row, f)) continue;
    const double middle = y + bar * report->plugins->n / 2.0 + 4;
    svg_text(to, left - 8, middle, 11, SVG_END, bench_functions[f].name);
    for (int p = 0; p < report->plugins->n; p++, y += bar)
      one_bar(report, &row->cell[f][p], &axis, f, p, y, to);
    y += gap;
  }
}

//---------- growth with the length of a chain ----------

static int
chains_of(const bench_report_t * report)
{
  int n = 0;
  for (int i = 0; i < report->n; i++) n += report->row[i].chain > 0;
  return n;
}

// a curve needs three chains
static bool
has_growth(const bench_report_t * report, int function)
{
  int n = 0;
  for (int i = 0; i < report->n; i++)
    n += report->row[i].chain > 0 && report_has(report, &report->row[i], function);
  return n >= 3;
}

static void
panel_axes(
  const bench_report_t * report, int function, double x, double y, log_axis_t * across,
  log_axis_t * up)
{
  range_t length = {0, 0}, value = {0, 0};
  for (int i = 0; i < report->n; i++) {
    const bench_row_t * row = &report->row[i];
    if (row->chain == 0 || !report_has(report, row, function)) continue;
    widen(&length, row->chain);
    for (int p = 0; p < report->plugins->n; p++)
      if (row->cell[function][p].measured) widen(&value, row->cell[function][p].min);
  }
  *across = log_axis(length.smallest, length.largest, x + 44, x + panel - 14);
  *up = log_axis(value.smallest, value.largest, y + panel_height - 34, y + 28);
}

static void
panel_grid(const log_axis_t * across, const log_axis_t * up, FILE * to)
{
  decades(across, up->end, up->start, to);
  for (int power = up->from; power <= up->to; power++) {
    const double y = log_axis_at(up, pow(10, power));
    char label[16];
    log_axis_label(power, label, sizeof label);
    svg_line(to, across->start, y, across->end, y, grey);
    svg_text(to, across->start - 5, y + 4, 10, SVG_END, label);
  }
}

static void
curve(
  const bench_report_t * report, int function, int p, const log_axis_t * across,
  const log_axis_t * up, FILE * to)
{
  svg_polyline_begin(to);
  for (int i = 0; i < report->n; i++) {
    const bench_cell_t * cell = &report->row[i].cell[function][p];
    if (report->row[i].chain == 0 || !cell->measured) continue;
    svg_polyline_point(
      to, log_axis_at(across, report->row[i].chain), log_axis_at(up, fmax(cell->min, 1)));
  }
  svg_polyline_end(to, svg_colour(p));
  for (int i = 0; i < report->n; i++) {
    const bench_cell_t * cell = &report->row[i].cell[function][p];
    if (report->row[i].chain == 0 || !cell->measured) continue;
    char title[160];
    title_of(report, p, function, cell, title, sizeof title);
    svg_circle(
      to, log_axis_at(across, report->row[i].chain), log_axis_at(up, fmax(cell->min, 1)), 2.5,
      svg_colour(p), title);
  }
}

static void
growth_panel(const bench_report_t * report, int function, double x, double y, FILE * to)
{
  log_axis_t across, up;
  panel_axes(report, function, x, y, &across, &up);
  svg_text(to, x + 44, y + 18, 12, SVG_START, bench_functions[function].name);
  panel_grid(&across, &up, to);
  for (int p = 0; p < report->plugins->n; p++) curve(report, function, p, &across, &up, to);
}

static int
growth_panels(const bench_report_t * report)
{
  int n = 0;
  for (int f = 0; f < BENCH_FUNCTIONS; f++) n += has_growth(report, f);
  return n;
}

static double
growth_height(const bench_report_t * report)
{
  const int n = growth_panels(report);
  return n == 0 ? 0 : 40 + (n + columns - 1) / columns * panel_height;
}

static void
growth(const bench_report_t * report, double top, FILE * to)
{
  char title[96];
  snprintf(title, sizeof title, "growth with the number of bodies of a chain, %s", unit(report));
  svg_text(to, margin, top + 24, 14, SVG_START, title);
  int n = 0;
  for (int f = 0; f < BENCH_FUNCTIONS; f++) {
    if (!has_growth(report, f)) continue;
    growth_panel(
      report, f, margin + n % columns * panel, top + 34 + n / columns * panel_height, to);
    n++;
  }
}

//---------- the whole ----------

// chains are drawn as curves if there are enough of them
static bool
as_bars(const bench_report_t * report, const bench_row_t * row)
{
  const bool curves = chains_of(report) >= 3 && row->chain > 0;
  return !curves && functions_of(report, row) > 0;
}

void
report_svg(const bench_report_t * report, FILE * to)
{
  double height = 40 + growth_height(report);
  for (int i = 0; i < report->n; i++)
    if (as_bars(report, &report->row[i])) height += bars_height(report, &report->row[i]);
  svg_open(to, width, height + margin);
  legend(report, to, 26);
  double y = 40;
  for (int i = 0; i < report->n; i++) {
    if (!as_bars(report, &report->row[i])) continue;
    bars(report, &report->row[i], y, to);
    y += bars_height(report, &report->row[i]);
  }
  if (growth_panels(report) > 0) growth(report, y, to);
  svg_close(to);
}
