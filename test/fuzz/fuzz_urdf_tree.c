// libFuzzer: robots that are well-formed XML, of any shape and with any numbers. Bytes choose
// links, joints and spellings of numbers, so that most of them get past the checks and into the
// dynamics.
#include <stdarg.h>
#include <stdio.h>

#include "fuzz_load.h"

typedef struct maker {
  const uint8_t * bytes;
  size_t left;
  char text[32768];
  size_t size;
} maker_t;

static int
next(maker_t * m, int n)
{
  if (m->left == 0) return 0;
  m->left--;
  return *m->bytes++ % n;
}

static void put_text(maker_t * m, const char * format, ...) __attribute__((format(printf, 2, 3)));

static void
put_text(maker_t * m, const char * format, ...)
{
  va_list args;
  va_start(args, format);
  const size_t capacity = sizeof m->text - m->size;
  const int n = vsnprintf(m->text + m->size, capacity, format, args);
  va_end(args);
  if (n > 0) m->size += (size_t)n < capacity ? (size_t)n : capacity - 1;
}

static const char *
number(maker_t * m)
{
  static const char * const any[] = {
    "0",
    "1",
    "-1",
    "0.5",
    "2",
    "1e-9",
    "1e9",
    "-1e9",
    "1e-300",
    "5e-324",
    "3",
    "1e-5",
    "1e-160",
    "1e-8",
    "1e5",
    "-1e-9",
    "3.14159265358979",
    "1e300",
    "1.5707963267948966"};
  return any[next(m, (int)(sizeof any / sizeof any[0]))];
}

// what masses and principal moments may be
static const char *
positive(maker_t * m)
{
  static const char * const any[] = {"1", "0", "2", "1e9", "1e-9", "1e-300", "5e-324", "0.1"};
  return any[next(m, (int)(sizeof any / sizeof any[0]))];
}

static void
put_origin(maker_t * m)
{
  if (next(m, 2) == 0) return;
  // one after the other: the order of arguments is not that of evaluation
  put_text(m, "<origin xyz=\"%s", number(m));
  put_text(m, " %s", number(m));
  put_text(m, " %s\"", number(m));
  put_text(m, " rpy=\"%s", number(m));
  put_text(m, " %s", number(m));
  put_text(m, " %s\"/>", number(m));
}

static void
put_link(maker_t * m, int i)
{
  static const char * const product[] = {"0", "0", "0", "1e-10", "-0.01", "1e-300", "1"};
  static const char * const name[] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  put_text(m, "<link name=\"l%d\">", i);
  if (next(m, 4) != 0) {
    put_text(m, "<inertial>");
    put_origin(m);
    put_text(m, "<mass value=\"%s\"/><inertia", positive(m));
    const char * moment = positive(m);
    const int equal = next(m, 2);
    for (int k = 0; k < 3; k++) put_text(m, " %s=\"%s\"", name[k], equal ? moment : positive(m));
    for (int k = 3; k < 6; k++) put_text(m, " %s=\"%s\"", name[k], product[next(m, 7)]);
    put_text(m, "/></inertial>");
  }
  put_text(m, "</link>\n");
}

static void
put_joint(maker_t * m, int i, int n)
{
  static const char * const type[] = {"revolute", "continuous", "prismatic",
                                      "fixed",    "floating",   "planar"};
  put_text(m, "<joint name=\"j%d\" type=\"%s\">", i, type[next(m, 6)]);
  // an earlier link, or now and then any
  put_text(m, "<parent link=\"l%d\"/>", next(m, 16) == 0 ? next(m, n) : next(m, i));
  put_text(m, "<child link=\"l%d\"/>", i);
  put_origin(m);
  if (next(m, 2)) {
    put_text(m, "<axis xyz=\"%s", number(m));
    put_text(m, " %s", number(m));
    put_text(m, " %s\"/>", number(m));
  }
  if (next(m, 2)) {
    put_text(m, "<dynamics damping=\"%s\"", positive(m));
    put_text(m, " friction=\"%s\"/>", positive(m));
  }
  // most robots have limits: without them urdfdom refuses the file
  if (n % 4 != 0) put_text(m, "<limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"1\"/>");
  if (next(m, 8) == 1)
    put_text(m, "<mimic joint=\"j%d\" multiplier=\"%s\"/>", next(m, n), number(m));
  put_text(m, "</joint>\n");
  if (next(m, 4) != 1) return;
  put_text(m, "<transmission><joint name=\"j%d\"/><actuator name=\"m\">", i);
  put_text(m, "<mechanicalReduction>%s</mechanicalReduction>", number(m));
  put_text(m, "<drake:rotor_inertia value=\"%s\"/></actuator></transmission>\n", positive(m));
}

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  maker_t m = {.bytes = bytes, .left = size};
  const uint8_t choice = (uint8_t)next(&m, 16);
  const int n = 1 + next(&m, 12);
  put_text(&m, "<robot name=\"r\">\n");
  for (int i = 0; i < n; i++) put_link(&m, i);
  for (int i = 1; i < n; i++) put_joint(&m, i, n);
  put_text(&m, "</robot>\n");
  fuzz_load(choice, m.text, m.size);
  return 0;
}
