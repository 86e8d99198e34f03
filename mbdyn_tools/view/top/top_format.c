#include "top_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void
top_number(double x, int width, char * text, size_t size)
{
  char number[64];
  if (!isfinite(x)) {
    snprintf(text, size, "%*s", width, "-");
    return;
  }
  // what rounds to nothing has no sign
  for (int digits = 4; digits >= 0; digits--) {
    const double unit = pow(10, -digits);
    const double rounded = fabs(x) < unit / 2 ? 0 : x;
    if (snprintf(number, sizeof number, "%.*f", digits, rounded) > width - 1) continue;
    snprintf(text, size, "%*s", width, number);
    return;
  }
  snprintf(number, sizeof number, "%.0e", x);
  snprintf(text, size, "%*s", width, (int)strlen(number) < width ? number : x > 0 ? ">" : "<");
}

void
top_text(const char * from, int width, char * text, size_t size)
{
  int columns = 0;
  size_t n = 0;
  // a character is a byte and those that continue it
  while (*from && columns < width && n + 8 < size) {
    size_t length = 1;
    while (((unsigned char)from[length] & 0xC0) == 0x80) length++;
    const bool last = columns == width - 1 && from[length] != 0;
    if (last) {
      text[n++] = '~';
    } else {
      memcpy(text + n, from, length);
      n += length;
    }
    from += length;
    columns++;
  }
  for (; columns < width && n + 1 < size; columns++) text[n++] = ' ';
  text[n] = 0;
}

void
top_spark(const float * x, int n, int width, bool utf8, char * text, size_t size)
{
  static const char * const high[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const char * const low[] = {"_", "_", ".", ".", "-", "-", "=", "#"};
  float least = NAN, most = NAN;
  const int from = n > width ? n - width : 0;
  size_t at = 0;
  for (int i = from; i < n; i++) {
    least = fminf(least, x[i]);
    most = fmaxf(most, x[i]);
  }
  for (int i = n - width; i < n && at + 4 < size; i++) {
    if (i < from || isnan(x[i])) {
      text[at++] = ' ';
      continue;
    }
    // what hardly changes is a flat line, not noise made large
    const float range = most - least;
    const float whole = fmaxf(range, 1e-3f * fmaxf(fabsf(most), 1e-3f));
    const int bar = (int)lroundf(7 * (x[i] - least) / whole);
    const char * sign = utf8 ? high[bar] : low[bar];
    const size_t length = strlen(sign);
    memcpy(text + at, sign, length);
    at += length;
  }
  text[at] = 0;
}

void
top_duration(double seconds, char * text, size_t size)
{
  if (!isfinite(seconds))
    snprintf(text, size, "-");
  else if (fabs(seconds) < 1e-3)
    snprintf(text, size, "%.1f us", 1e6 * seconds);
  else if (fabs(seconds) < 1)
    snprintf(text, size, "%.1f ms", 1e3 * seconds);
  else
    snprintf(text, size, "%.1f s", seconds);
}
