/// \file svg.h
/// Drawing: a few shapes as SVG, and a logarithmic axis.
///
///   svg_open, svg_close        the document, white
///   svg_text, svg_line, svg_rect, svg_circle
///   svg_polyline_begin, _point, _end
///   svg_colour                 of a library
///   log_axis_t                 whole decades onto pixels
#ifndef SVG_H_
#define SVG_H_

#include <stdio.h>

void svg_open(FILE * to, double width, double height);
void svg_close(FILE * to);

/// Where a text is held.
typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor_t;

void svg_text(FILE * to, double x, double y, double size, svg_anchor_t anchor, const char * text);
void svg_line(FILE * to, double x1, double y1, double x2, double y2, const char * colour);

/// A filled rectangle; the title is what a browser shows for it.
void svg_rect(
  FILE * to, double x, double y, double width, double height, const char * colour,
  const char * title);
void svg_circle(
  FILE * to, double x, double y, double radius, const char * colour, const char * title);

void svg_polyline_begin(FILE * to);
void svg_polyline_point(FILE * to, double x, double y);
void svg_polyline_end(FILE * to, const char * colour);

/// The same colour for the same library everywhere.
const char * svg_colour(int library);

/// Decades from `from` to `to` between two pixels.
typedef struct log_axis {
  int from, to;  ///< powers of ten
  double start, end;
} log_axis_t;

/// An axis that has room for all between two positive numbers.
log_axis_t log_axis(double smallest, double largest, double start, double end);
double log_axis_at(const log_axis_t * axis, double x);

/// "1", "10", "100", "1k", "10k", "1M", ...
void log_axis_label(int power, char * text, size_t size);

#endif  // SVG_H_
