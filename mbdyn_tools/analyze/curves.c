// Curves of a fixed size for plots.
#include "curves.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
curve_of_joint(int dof, quantity_t what)
{
  return dof * Q_COUNT + (int)what;
}

int
curve_of_robot(const curves_t * c, robot_curve_t what)
{
  return c->nv * Q_COUNT + (int)what;
}

bool
curves_allocate(curves_t * c, int ncurve, double first, double last)
{
  // about as many slices as a screen has points, but no report of many megabytes
  const int budget = 400000, most = 1600, least = 300;
  *c = (curves_t){.ncurve = ncurve, .first = first, .last = last};
  c->slices = budget / c->ncurve;
  if (c->slices > most) c->slices = most;
  if (c->slices < least) c->slices = least;
  const size_t n = (size_t)c->ncurve * (size_t)c->slices;
  c->min = malloc(n * sizeof *c->min);
  c->max = malloc(n * sizeof *c->max);
  for (size_t i = 0; c->min && c->max && i < n; i++) {
    c->min[i] = FLT_MAX;
    c->max[i] = -FLT_MAX;
  }
  return c->min && c->max;
}

bool
curves_create(curves_t * c, int nv, double first, double last)
{
  const bool ok = curves_allocate(c, nv * Q_COUNT + CURVE_ROBOT_COUNT, first, last);
  c->nv = nv;
  return ok;
}

void
curves_free(curves_t * c)
{
  free(c->min);
  free(c->max);
  *c = (curves_t){0};
}

static void
add(curves_t * c, int curve, int slice, double x)
{
  if (!(fabs(x) < (double)FLT_MAX)) return;
  const size_t i = (size_t)curve * (size_t)c->slices + (size_t)slice;
  c->min[i] = fminf(c->min[i], (float)x);
  c->max[i] = fmaxf(c->max[i], (float)x);
}

static int
slice_of(const curves_t * c, double t)
{
  const double span = c->last - c->first;
  const int slice = span > 0 ? (int)((t - c->first) / span * c->slices) : 0;
  return slice < 0 ? 0 : slice >= c->slices ? c->slices - 1 : slice;
}

void
curves_add(curves_t * c, int curve, double t, double x)
{
  add(c, curve, slice_of(c, t), x);
}

void
curves_take(curves_t * c, const row_t * row)
{
  const int slice = slice_of(c, row->t);
  for (int i = 0; i < c->nv; i++) {
    for (int k = 0; k < Q_COUNT; k++) {
      add(c, curve_of_joint(i, (quantity_t)k), slice, row->x[k][i]);
    }
  }
  const double robot[CURVE_ROBOT_COUNT] = {
    row->kinetic,     row->potential,      row->kinetic + row->potential,
    row->power_model, row->power_measured, row->power_friction};
  for (int k = 0; k < CURVE_ROBOT_COUNT; k++) {
    add(c, curve_of_robot(c, (robot_curve_t)k), slice, robot[k]);
  }
}

//---------- as JSON ----------

// characters of base64, 4 for 3 bytes; the number of them
static size_t
to_base64(const uint8_t * data, size_t size, char * text)
{
  static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t n = 0;
  for (size_t i = 0; i < size; i += 3) {
    const unsigned b = i + 1 < size ? data[i + 1] : 0u, c = i + 2 < size ? data[i + 2] : 0u;
    const unsigned bits = (unsigned)data[i] << 16 | b << 8 | c;
    text[n++] = DIGITS[bits >> 18];
    text[n++] = DIGITS[bits >> 12 & 63];
    text[n++] = i + 1 < size ? DIGITS[bits >> 6 & 63] : '=';
    text[n++] = i + 2 < size ? DIGITS[bits & 63] : '=';
  }
  return n;
}

static unsigned
level(double x, double min, double max)
{
  return max > min ? (unsigned)lrint((x - min) / (max - min) * 65534) : 0;
}

void
curves_write(json_out_t * out, const char * key, const curves_t * c, int curve)
{
  const size_t n = (size_t)c->slices;
  const float *least = c->min + (size_t)curve * n, *most = c->max + (size_t)curve * n;
  double min = HUGE_VAL, max = -HUGE_VAL;
  for (size_t i = 0; i < n; i++) {
    if (least[i] > most[i]) continue;
    min = fmin(min, (double)least[i]);
    max = fmax(max, (double)most[i]);
  }
  // the bytes, then their text
  uint8_t * data = min <= max ? malloc(4 * n + (4 * n + 2) / 3 * 4) : NULL;
  if (!data) {
    json_out_null(out, key);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    const bool empty = least[i] > most[i];
    const unsigned a = empty ? 65535 : level((double)least[i], min, max);
    const unsigned b = empty ? 65535 : level((double)most[i], min, max);
    data[4 * i] = (uint8_t)a;
    data[4 * i + 1] = (uint8_t)(a >> 8);
    data[4 * i + 2] = (uint8_t)b;
    data[4 * i + 3] = (uint8_t)(b >> 8);
  }
  char * text = (char *)data + 4 * n;
  json_out_object(out, key);
  json_out_digits(out, "min", min, 9);
  json_out_digits(out, "max", max, 9);
  json_out_bytes(out, "data", text, to_base64(data, 4 * n, text));
  json_out_end(out);
  free(data);
}

//---------- page ----------

void
page_write(FILE * out, const char * page, const json_out_t * data)
{
  static const char MARK[] = "@DATA@";
  const char * mark = strstr(page, MARK);
  const char * text = data->buffer ? data->buffer + JSON_OUT_FRONT : "";
  fwrite(page, 1, (size_t)(mark - page), out);
  // no "<" of a name may end the element that holds the numbers
  for (size_t i = 0; data->ok && i < data->size; i++) {
    if (text[i] == '<') {
      fputs("\\u003c", out);
    } else {
      fputc(text[i], out);
    }
  }
  fputs(mark + strlen(MARK), out);
}
