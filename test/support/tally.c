#include "tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// what MBDYN_TEST_ROBOTS asks for, relative to the default; a wrong text must not pass as few robots
static double
robot_scale(void)
{
  const char * text = getenv("MBDYN_TEST_ROBOTS");
  if (text == NULL || *text == '\0') return 1;
  char * end;
  const double number = strtod(text, &end);
  const bool percent = *end == '%';
  if (end == text || end[percent] != '\0' || !(number > 0) || number > 1e6) {
    fprintf(stderr, "MBDYN_TEST_ROBOTS=%s: expected a count (40) or a percentage (20%%)\n", text);
    exit(2);
  }
  return number / (percent ? 100 : TREES);
}

uint64_t
robots(int n)
{
  const double scaled = ceil(n * robot_scale());
  const int least = n < 5 ? n : 5;
  return (uint64_t)fmax(least, scaled);
}

bool
tally(tally_t * cases, bool use)
{
  use ? cases->compared++ : cases->skipped++;
  return use;
}

void
assert_enough_(const tally_t * cases, double share, const char * file, int line)
{
  const int n = cases->compared + cases->skipped;
  double least = fmax(1, share * n);
  if (robot_scale() < 1) least = share * n - 3 * sqrt(n * share * (1 - share));
  if (n > 0 && cases->compared >= least) return;
  print_error(
    "compared %d of %d cases, the filter kept out the others; at least %.0f %% are asked for\n",
    cases->compared, n, 100 * share);
  _fail(file, line);
}

void
assert_count_(double count, double least, const char * what, const char * file, int line)
{
  const double scale = robot_scale();
  least *= scale;
  if (scale < 1) least -= 3 * sqrt(least);
  if (count >= least) return;
  print_error("%s is %g, at least %g are asked for\n", what, count, least);
  _fail(file, line);
}
