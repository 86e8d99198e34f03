// Drawing: a few shapes as SVG, and a logarithmic axis.
#include "svg.h"

#include <math.h>

void
svg_open(FILE * to, double width, double height)
{
  fprintf(
    to,
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
    "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\">\n"
    "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
    width, height, width, height);
}

void
svg_close(FILE * to)
{
  fprintf(to, "</svg>\n");
}

static void
escaped(FILE * to, const char * text)
{
  for (; *text != 0; text++) {
    switch (*text) {
      case '<': fputs("&lt;", to); break;
      case '>': fputs("&gt;", to); break;
      case '&': fputs("&amp;", to); break;
      case '"': fputs("&quot;", to); break;
      default: fputc(*text, to);
    }
  }
}

void
svg_text(FILE * to, double x, double y, double size, svg_anchor_t anchor, const char * text)
{
  static const char * const anchors[] = {"start", "middle", "end"};
  fprintf(
    to, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%.0f\" text-anchor=\"%s\">", x, y, size,
    anchors[anchor]);
  escaped(to, text);
  fprintf(to, "</text>\n");
}

void
svg_line(FILE * to, double x1, double y1, double x2, double y2, const char * colour)
{
  fprintf(
    to, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2,
    colour);
}

static void
title_and_end(FILE * to, const char * shape, const char * title)
{
  fprintf(to, "><title>");
  escaped(to, title);
  fprintf(to, "</title></%s>\n", shape);
}

void
svg_rect(
  FILE * to, double x, double y, double width, double height, const char * colour,
  const char * title)
{
  fprintf(
    to, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, width,
    height, colour);
  title_and_end(to, "rect", title);
}

void
svg_circle(FILE * to, double x, double y, double radius, const char * colour, const char * title)
{
  fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"", x, y, radius, colour);
  title_and_end(to, "circle", title);
}

void
svg_polyline_begin(FILE * to)
{
  fprintf(to, "<polyline fill=\"none\" stroke-width=\"1.5\" points=\"");
}

void
svg_polyline_point(FILE * to, double x, double y)
{
  fprintf(to, "%.1f,%.1f ", x, y);
}

void
svg_polyline_end(FILE * to, const char * colour)
{
  fprintf(to, "\" stroke=\"%s\"/>\n", colour);
}

const char *
svg_colour(int library)
{
  static const char * const colours[] = {"#1b6ca8", "#d1495b", "#edae49", "#66a182",
                                         "#7b4b94", "#8c564b", "#e377c2", "#7f7f7f",
                                         "#17becf", "#bcbd22", "#ff7f0e", "#393b79"};
  enum { n = sizeof colours / sizeof *colours };
  return colours[library % n];
}

//---------- logarithmic axis ----------

log_axis_t
log_axis(double smallest, double largest, double start, double end)
{
  log_axis_t axis = {(int)floor(log10(smallest)), (int)ceil(log10(largest)), start, end};
  if (axis.to == axis.from) axis.to++;
  return axis;
}

double
log_axis_at(const log_axis_t * axis, double x)
{
  const double share = (log10(x) - axis->from) / (axis->to - axis->from);
  return axis->start + share * (axis->end - axis->start);
}

void
log_axis_label(int power, char * text, size_t size)
{
  static const char * const thousands[] = {"", "k", "M", "G", "T"};
  if (power < 0 || power > 14) {
    snprintf(text, size, "1e%d", power);
  } else {
    snprintf(text, size, "%.0f%s", pow(10, power % 3), thousands[power / 3]);
  }
}
