// What is said about a finished sweep: index.json, summary.html, results.csv, a table.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_out.h"
#include "mbdyn/status.h"
#include "number_text.h"
#include "sweep.h"
#include "text.h"

enum { BARS = 40, STATUSES = 64 };

typedef struct column {
  uint64_t n;  // finite numbers
  double least, most;
  double first, sum, squares;  // of differences from the first number
  double per_unit;             // bars
  uint64_t least_at, most_at;
  uint64_t bar[BARS];
} column_t;

typedef struct statistics {
  uint64_t done, good, missing, status[STATUSES];
  column_t * column;  // [ncolumn]
} statistics_t;

//---------- statistics ----------

// calls take for every row that is there, in the order of points
static bool
each_row(sweep_store_t * s, void (*take)(void * to, uint64_t point, const double * row), void * to)
{
  const sweep_plan_t * plan = s->plan;
  const double * row = sweep_store_rows(s);
  if (!row) return false;
  for (uint64_t k = 0; k < plan->npoint; k++, row += plan->ncolumn) {
    if (s->done[k / plan->chunk]) take(to, k, row);
  }
  return true;
}

typedef struct counter {
  const sweep_plan_t * plan;
  statistics_t * to;
} counter_t;

static void
take_ranges(void * to, uint64_t point, const double * row)
{
  const counter_t * c = to;
  const int status = (int)row[c->plan->ncolumn - 1];
  c->to->done++;
  c->to->good += status == 1;
  if (status <= 0) c->to->status[-status < STATUSES ? -status : STATUSES - 1]++;
  for (int k = 0; k < c->plan->ncolumn; k++) {
    column_t * x = &c->to->column[k];
    if (!isfinite(row[k])) continue;
    if (x->n == 0) x->first = x->least = x->most = row[k], x->least_at = x->most_at = point;
    if (row[k] < x->least) x->least = row[k], x->least_at = point;
    if (row[k] > x->most) x->most = row[k], x->most_at = point;
    const double d = row[k] - x->first;
    x->n++;
    x->sum += d;
    x->squares += d * d;
  }
}

static void
take_bars(void * to, uint64_t point, const double * row)
{
  const counter_t * c = to;
  (void)point;
  for (int k = 0; k < c->plan->ncolumn; k++) {
    column_t * x = &c->to->column[k];
    if (!isfinite(row[k])) continue;
    const double u = (row[k] - x->least) * x->per_unit;
    x->bar[u < BARS ? (int)u : BARS - 1]++;
  }
}

static double
mean(const column_t * x)
{
  return x->n ? x->first + x->sum / (double)x->n : (double)NAN;
}

static double
deviation(const column_t * x)
{
  const double n = (double)x->n;
  return x->n > 1 ? sqrt(fmax(x->squares - x->sum * x->sum / n, 0) / (n - 1)) : 0;
}

//---------- files ----------

static FILE *
create(const sweep_store_t * s, const char * name)
{
  char path[4400];
  snprintf(path, sizeof path, "%s/%s", s->folder, name);
  FILE * file = fopen(path, "w");
  if (!file) fprintf(stderr, "mbdyn sweep: cannot write '%s': %s\n", path, strerror(errno));
  return file;
}

static bool
write_index(const sweep_store_t * s, const statistics_t * x)
{
  static const char * const LAW[] = {"grid", "values", "uniform", "normal"};
  const sweep_plan_t * plan = s->plan;
  FILE * file = create(s, "index.json");
  if (!file) return false;
  json_out_t out = json_out_open(file);
  char hash[32];
  snprintf(hash, sizeof hash, "%016" PRIx64, plan->fingerprint);
  json_out_object(&out, NULL);
  json_out_string(&out, "name", plan->name);
  json_out_string(&out, "mbdyn", MBDYN_VERSION);
  json_out_string(&out, "sweep", plan->path);
  json_out_string(&out, "robot", plan->robot[0] ? plan->robot : plan->mechanism);
  json_out_string(&out, "task", plan->simulate ? "simulate" : "evaluate");
  json_out_string(&out, "fingerprint", hash);
  json_out_count(&out, "seed", plan->seed);
  json_out_count(&out, "points", plan->npoint);
  json_out_count(&out, "computed", x->done);
  json_out_count(&out, "failed", x->done - x->good);
  json_out_string(&out, "results", "results.npy");
  json_out_list(&out, "variables");
  for (int k = 0; k < plan->nvariable; k++) {
    const sweep_variable_t * v = &plan->variable[k];
    json_out_object(&out, NULL);
    json_out_string(&out, "name", v->name);
    json_out_string(&out, "set", v->set);
    json_out_string(&out, "law", LAW[v->law]);
    if (v->law <= SWEEP_VALUES) json_out_count(&out, "count", v->count);
    json_out_end(&out);
  }
  json_out_end(&out);
  json_out_list(&out, "columns");
  for (int k = 0; k < plan->ncolumn; k++) {
    const column_t * c = &x->column[k];
    json_out_object(&out, NULL);
    json_out_string(&out, "name", plan->column[k]);
    json_out_string(&out, "unit", plan->unit[k]);
    json_out_count(&out, "numbers", c->n);
    json_out_number(&out, "least", c->n ? c->least : (double)NAN);
    json_out_number(&out, "mean", mean(c));
    json_out_number(&out, "most", c->n ? c->most : (double)NAN);
    json_out_number(&out, "deviation", deviation(c));
    json_out_end(&out);
  }
  json_out_end(&out);
  json_out_list(&out, "failures");
  for (int k = 1; k < STATUSES; k++) {
    if (!x->status[k]) continue;
    json_out_object(&out, NULL);
    json_out_integer(&out, "status", k);
    json_out_string(&out, "message", mbd_status_string((mbd_status_t)k));
    json_out_count(&out, "points", x->status[k]);
    json_out_end(&out);
  }
  json_out_end(&out);
  json_out_end(&out);
  return text_close(file, "index.json");
}

typedef struct csv_out {
  const sweep_plan_t * plan;
  FILE * file;
} csv_out_t;

static void
take_csv_row(void * to, uint64_t point, const double * row)
{
  const csv_out_t * c = to;
  char text[NUMBER_TEXT_SIZE];
  fprintf(c->file, "%" PRIu64, point);
  for (int k = 0; k < c->plan->ncolumn; k++) {
    number_text(row[k], text);
    fprintf(c->file, ",%s", isnan(row[k]) ? "nan" : text);
  }
  fputc('\n', c->file);
}

static bool
write_csv(sweep_store_t * s)
{
  csv_out_t c = {s->plan, create(s, "results.csv")};
  if (!c.file) return false;
  fputs("point", c.file);
  for (int k = 0; k < s->plan->ncolumn; k++) fprintf(c.file, ",%s", s->plan->column[k]);
  fputc('\n', c.file);
  const bool ok = each_row(s, take_csv_row, &c);
  return text_close(c.file, "results.csv") && ok;
}

//---------- page ----------

static void
put_html(FILE * out, const char * text)
{
  for (; *text; text++) {
    if (*text == '<')
      fputs("&lt;", out);
    else if (*text == '&')
      fputs("&amp;", out);
    else if (*text == '"')
      fputs("&quot;", out);
    else
      fputc(*text, out);
  }
}

static void
put_histogram(FILE * out, const column_t * x)
{
  uint64_t most = 1;
  for (int k = 0; k < BARS; k++) most = x->bar[k] > most ? x->bar[k] : most;
  fprintf(out, "<svg viewBox=\"0 0 %d 40\" width=\"200\" height=\"40\">", 5 * BARS);
  for (int k = 0; k < BARS; k++) {
    const double h = 38 * (double)x->bar[k] / (double)most;
    if (x->bar[k])
      fprintf(
        out,
        "<rect x=\"%d\" y=\"%.1f\" width=\"4\" height=\"%.1f\"><title>%" PRIu64
        " points</title></rect>",
        5 * k, 40 - fmax(h, 1), fmax(h, 1), x->bar[k]);
  }
  fputs("</svg>", out);
}

static bool
write_page(const sweep_store_t * s, const statistics_t * x)
{
  const sweep_plan_t * plan = s->plan;
  FILE * out = create(s, "summary.html");
  if (!out) return false;
  fputs(
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>",
    out);
  put_html(out, plan->name);
  fputs(
    "</title>\n<style>\n"
    "body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 "
    "1em; "
    "color: #1c2733; background: #fff }\n"
    "table { border-collapse: collapse } th, td { padding: .3em .8em; text-align: right; "
    "border-bottom: 1px solid #dde3ea; vertical-align: middle }\n"
    "th:first-child, td:first-child { text-align: left } td { font-variant-numeric: tabular-nums "
    "}\n"
    "svg rect { fill: #2a6fb0 } .unit, small { color: #5b6b7b }\n"
    "h2 { margin-top: 2em } .wide { overflow-x: auto }\n"
    "@media (prefers-color-scheme: dark) { body { color: #dfe7ef; background: #14191f } th, td { "
    "border-color: #2b3540 } svg rect { fill: #5fa8e8 } }\n"
    "</style></head><body>\n<h1>",
    out);
  put_html(out, plan->name);
  fprintf(
    out, "</h1>\n<p>%" PRIu64 " of %" PRIu64 " points computed, %" PRIu64 " failed. %s of <code>",
    x->done, plan->npoint, x->done - x->good, plan->simulate ? "Simulations" : "Evaluations");
  put_html(out, plan->robot[0] ? plan->robot : plan->mechanism);
  fputs("</code>", out);
  if (plan->simulate) fprintf(out, ", %g s each", plan->time);
  fputs(".</p>\n", out);
  if (x->good < x->done) {
    fputs("<h2>Failures</h2>\n<table><tr><th>cause</th><th>points</th></tr>\n", out);
    for (int k = 1; k < STATUSES; k++) {
      if (!x->status[k]) continue;
      fputs("<tr><td>", out);
      put_html(out, mbd_status_string((mbd_status_t)k));
      fprintf(out, "</td><td>%" PRIu64 "</td></tr>\n", x->status[k]);
    }
    fputs("</table>\n", out);
  }
  for (int part = 0; part < 2; part++) {
    fprintf(
      out,
      "<h2>%s</h2>\n<div class=\"wide\"><table><tr><th>name</th><th>unit</th><th>least</th>"
      "<th>mean</th><th>most</th><th>deviation</th><th>distribution</th></tr>\n",
      part ? "Results" : "Variables");
    const int first = part ? plan->nvariable : 0, last = part ? plan->ncolumn - 1 : plan->nvariable;
    for (int k = first; k < last; k++) {
      const column_t * c = &x->column[k];
      fputs("<tr><td>", out);
      put_html(out, plan->column[k]);
      fputs("</td><td class=\"unit\">", out);
      put_html(out, plan->unit[k]);
      if (c->n)
        fprintf(
          out,
          "</td><td title=\"point %" PRIu64 "\">%.6g</td><td>%.6g</td><td title=\"point %" PRIu64
          "\">%.6g</td><td>%.4g</td><td>",
          c->least_at, c->least, mean(c), c->most_at, c->most, deviation(c));
      else
        fputs("</td><td></td><td></td><td></td><td></td><td>", out);
      put_histogram(out, c);
      fputs("</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
  }
  fputs(
    "<p><small>Rows are in <code>results.npy</code>, columns in <code>index.json</code>; SI units "
    "and radians. The point of a least or largest number is shown under the mouse.</small></p>\n"
    "</body></html>\n",
    out);
  return text_close(out, "summary.html");
}

//---------- terminal ----------

static void
print_table(const sweep_store_t * s, const statistics_t * x, double seconds, FILE * out)
{
  const sweep_plan_t * plan = s->plan;
  const uint64_t found = s->nfound * plan->chunk;
  fprintf(out, "%" PRIu64 " of %" PRIu64 " points", x->done, plan->npoint);
  if (s->nfound > 0)
    fprintf(out, ", %" PRIu64 " of them before", found < x->done ? found : x->done);
  fprintf(out, ", in %.3g s\n", seconds);
  for (int k = 1; k < STATUSES; k++) {
    if (x->status[k])
      fprintf(out, "%" PRIu64 " failed: %s\n", x->status[k], mbd_status_string((mbd_status_t)k));
  }
  int width = 12;
  for (int k = 0; k < plan->ncolumn; k++) {
    const int n = (int)strlen(plan->column[k]);
    width = n > width ? n : width;
  }
  fprintf(out, "%-*s %13s %13s %13s %13s  unit\n", width, "", "least", "mean", "most", "deviation");
  for (int k = 0; k < plan->ncolumn - 1; k++) {
    const column_t * c = &x->column[k];
    if (c->n)
      fprintf(
        out, "%-*s %13.6g %13.6g %13.6g %13.6g  %s\n", width, plan->column[k], c->least, mean(c),
        c->most, deviation(c), plan->unit[k]);
    else
      fprintf(
        out, "%-*s %13s %13s %13s %13s  %s\n", width, plan->column[k], "-", "-", "-", "-",
        plan->unit[k]);
  }
}

bool
sweep_summary(sweep_store_t * s, bool csv, double seconds, FILE * out)
{
  statistics_t x = {.column = calloc((size_t)s->plan->ncolumn, sizeof *x.column)};
  counter_t counter = {s->plan, &x};
  bool ok = x.column && each_row(s, take_ranges, &counter);
  for (int k = 0; ok && k < s->plan->ncolumn; k++) {
    column_t * c = &x.column[k];
    c->per_unit = c->most > c->least ? BARS / (c->most - c->least) : 0;
  }
  ok = ok && each_row(s, take_bars, &counter);
  if (!ok) fprintf(stderr, "mbdyn sweep: cannot read '%s/results.npy'\n", s->folder);
  ok = ok && write_index(s, &x) && write_page(s, &x) && (!csv || write_csv(s));
  if (ok) print_table(s, &x, seconds, out);
  free(x.column);
  return ok;
}
