// An analysis as a page with plots: page.html with the numbers in it. Nothing is loaded from
// elsewhere.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static const char PAGE[] = {
#include "page.inc"  // written by embed.cmake
};

static void
put_text(FILE * out, const char * text)
{
  fputc('"', out);
  for (const unsigned char * c = (const unsigned char *)text; *c; c++) {
    if (*c == '"' || *c == '\\' || *c < 32) {
      fprintf(out, "\\u%04x", *c);
    } else {
      fputc(*c, out);
    }
  }
  fputc('"', out);
}

static void
put_limit(FILE * out, const report_t * r, int dof, limit_kind_t kind, const char * name)
{
  const double x = findings_limit(r->model, dof, kind);
  fprintf(out, "\"%s\": ", name);
  if (isfinite(x)) {
    fprintf(out, "%.9g", x);
  } else {
    fputs("null", out);
  }
}

static void
put_joint(FILE * out, const report_t * r, int dof)
{
  fputs("{\"name\": ", out);
  put_text(out, r->dof[dof]);
  fprintf(
    out, ", \"torque_unit\": \"%s\", \"position_unit\": \"%s\", \"limit\": {",
    report_torque_unit(r->model, dof), report_position_unit(r->model, dof));
  static const char * const NAMES[LIMIT_KINDS] = {"lower", "upper", "velocity", "effort"};
  for (int k = 0; k < LIMIT_KINDS; k++) {
    if (k > 0) fputs(", ", out);
    put_limit(out, r, dof, (limit_kind_t)k, NAMES[k]);
  }
  fputc('}', out);
  for (int k = 0; k < Q_COUNT; k++) {
    if (k == Q_ACCELERATION || k == Q_ERROR || k == Q_POWER) continue;
    fprintf(out, ",\n\"%s\": ", QUANTITY_NAMES[k]);
    curves_print(r->curves, curve_of_joint(dof, (quantity_t)k), out);
  }
  fputs("}", out);
}

static void
put_data(FILE * out, const report_t * r)
{
  static const char * const NAMES[CURVE_ROBOT_COUNT] = {
    "kinetic", "potential", "energy", "power_model", "power_measured", "power_friction"};
  fprintf(
    out, "{\"first\": %.9g, \"last\": %.9g, \"slices\": %d,\n\"summary\": ", r->curves->first,
    r->curves->last, r->curves->slices);
  report_json(r, out);
  fputs(",\n\"robot\": {", out);
  for (int k = 0; k < CURVE_ROBOT_COUNT; k++) {
    fprintf(out, "%s\"%s\": ", k ? ",\n" : "", NAMES[k]);
    curves_print(r->curves, curve_of_robot(r->curves, (robot_curve_t)k), out);
  }
  fputs("},\n\"joints\": [", out);
  for (int i = 0; i < r->model->nv; i++) {
    if (i > 0) fputs(",\n", out);
    put_joint(out, r, i);
  }
  fputs("]}", out);
}

// inside a page no "<" of a name may end the element that holds the numbers
static void
put_escaped(FILE * out, const char * text, size_t size)
{
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '<') {
      fputs("\\u003c", out);
    } else {
      fputc(text[i], out);
    }
  }
}

void
report_html(const report_t * r, FILE * out)
{
  static const char MARK[] = "@DATA@";
  const char * mark = strstr(PAGE, MARK);
  char * text = NULL;
  size_t size = 0;
  FILE * data = open_memstream(&text, &size);
  if (data) {
    put_data(data, r);
    fclose(data);
  }
  fwrite(PAGE, 1, (size_t)(mark - PAGE), out);
  put_escaped(out, text ? text : "", text ? size : 0);
  fputs(mark + strlen(MARK), out);
  free(text);
}
