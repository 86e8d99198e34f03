#include "urdf_generator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_tree.h"

//---------- text that grows ----------

typedef struct text {
  char * at;
  size_t used, size;
} text_t;

static void
text_reserve(text_t * text, size_t more)
{
  if (text->used + more <= text->size) return;
  text->size = 2 * (text->used + more);
  text->at = realloc(text->at, text->size);
  if (!text->at) {
    fprintf(stderr, "urdf_generator: out of memory at %zu bytes\n", text->size);
    abort();
  }
}

static void text_add(text_t * text, const char * format, ...) __attribute__((format(printf, 2, 3)));

static void
text_add(text_t * text, const char * format, ...)
{
  // long enough for each single call below
  text_reserve(text, 512);
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text->at + text->used, 512, format, args);
  va_end(args);
  if (n < 0 || n >= 512) abort();
  text->used += (size_t)n;
}

//---------- numbers ----------

// k/1024 for k in -1024 * scale ... 1024 * scale: a few bits, so that sums of products are exact
static double
on_grid(uint64_t * state, double scale)
{
  const int n = (int)(1024 * scale);
  return (random_below(state, 2 * n + 1) - n) / 1024.0;
}

// low, low + step, ... below high
static double
in_steps(uint64_t * state, double low, double high, double step)
{
  return low + step * random_below(state, (int)((high - low) / step));
}

static void
add_origin(text_t * text, uint64_t * state, double reach, double turn)
{
  double xyz[3], rpy[3];
  for (int k = 0; k < 3; k++) xyz[k] = reach * random_signed(state);
  for (int k = 0; k < 3; k++) rpy[k] = turn * random_signed(state);
  text_add(
    text, "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>\n", xyz[0], xyz[1], xyz[2],
    rpy[0], rpy[1], rpy[2]);
}

// along x, y or z one time in two, else any direction
static void
add_axis(text_t * text, uint64_t * state)
{
  double a[3] = {0, 0, 0}, n2 = 1;
  if (random_below(state, 2)) {
    const int k = random_below(state, 3);
    a[k] = random_below(state, 2) ? 1 : -1;
  } else {
    do {
      for (int k = 0; k < 3; k++) a[k] = on_grid(state, 1);
      n2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    } while (n2 < 0.01 || n2 > 1);
  }
  const double n = sqrt(n2);
  text_add(text, "    <axis xyz=\"%.17g %.17g %.17g\"/>\n", a[0] / n, a[1] / n, a[2] / n);
}

// Three dumbbells about the centre of mass and a ball of 0.1 m: whatever is drawn is a real body
static void
add_mass(text_t * text, uint64_t * state)
{
  double mass = 0, I[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < 3; i++) {
    const double m = in_steps(state, 0.0625, 0.5, 0.015625);
    const double x = on_grid(state, 0.25), y = on_grid(state, 0.25), z = on_grid(state, 0.25);
    mass += m;
    I[0] += m * (y * y + z * z), I[1] -= m * x * y, I[2] -= m * x * z;
    I[3] += m * (x * x + z * z), I[4] -= m * y * z, I[5] += m * (x * x + y * y);
  }
  for (int k = 0; k < 6; k += k == 0 ? 3 : 2) I[k] += mass / 256;
  text_add(text, "      <mass value=\"%.17g\"/>\n", mass);
  text_add(
    text,
    "      <inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\""
    " iyy=\"%.17g\" iyz=\"%.17g\" izz=\"%.17g\"/>\n",
    I[0], I[1], I[2], I[3], I[4], I[5]);
}

//---------- elements ----------

// number -1 is the base
static void
add_link(text_t * text, uint64_t * state, int number)
{
  if (number < 0) {
    text_add(text, "  <link name=\"base\">\n    <inertial>\n      ");
  } else {
    text_add(text, "  <link name=\"link_%d\">\n    <inertial>\n      ", number);
  }
  add_origin(text, state, 0.25, 3);
  add_mass(text, state);
  text_add(text, "    </inertial>\n  </link>\n");
}

static void
open_joint(text_t * text, int number, const char * type, int parent)
{
  text_add(text, "  <joint name=\"joint_%d\" type=\"%s\">\n", number, type);
  if (parent < 0) {
    text_add(text, "    <parent link=\"base\"/>\n");
  } else {
    text_add(text, "    <parent link=\"link_%d\"/>\n", parent);
  }
  text_add(text, "    <child link=\"link_%d\"/>\n    ", number);
}

// lower < 0 < upper, of the order of reach; reach 0 for none
static void
add_limit(text_t * text, uint64_t * state, double reach)
{
  const double effort = in_steps(state, 10, 100, 0.5);
  const double velocity = in_steps(state, 1, 10, 0.125);
  text_add(text, "    <limit effort=\"%.17g\" velocity=\"%.17g\"", effort, velocity);
  if (reach > 0) {
    const double lower = -reach * in_steps(state, 0.25, 1, 0.0078125);
    const double upper = reach * in_steps(state, 0.25, 1, 0.0078125);
    text_add(text, " lower=\"%.17g\" upper=\"%.17g\"", lower, upper);
  }
  text_add(text, "/>\n");
}

static void
add_random_joint(text_t * text, uint64_t * state, int number, int parent)
{
  // five revolute, two continuous, two prismatic, one fixed
  static const char types[] = "rrrrrccppf";
  const char type = number == 0 ? 'r' : types[random_below(state, 10)];
  const char * name = type == 'r'   ? "revolute"
                      : type == 'c' ? "continuous"
                      : type == 'p' ? "prismatic"
                                    : "fixed";
  open_joint(text, number, name, parent);
  add_origin(text, state, 0.5, 3);
  if (type != 'f') {
    add_axis(text, state);
    add_limit(text, state, type == 'r' ? 3 : type == 'p' ? 0.5 : 0);
  }
  text_add(text, "  </joint>\n");
}

static void
add_chain_joint(text_t * text, uint64_t * state, int number)
{
  static const char * const axes[3] = {"1 0 0", "0 1 0", "0 0 1"};
  const double step = number % 2 ? -0.5 : 0.5;
  const double y = 0.0625 * random_signed(state), z = 0.0625 * random_signed(state);
  open_joint(text, number, "revolute", number - 1);
  text_add(text, "<origin xyz=\"%.17g %.17g %.17g\"/>\n", step, y, z);
  text_add(text, "    <axis xyz=\"%s\"/>\n", axes[number % 3]);
  add_limit(text, state, 3);
  text_add(text, "  </joint>\n");
}

//---------- robots ----------

char *
urdf_random_tree(uint64_t seed, int links, bool branched)
{
  text_t text = {NULL, 0, 0};
  uint64_t state = seed;
  text_add(&text, "<?xml version=\"1.0\"?>\n<robot name=\"random_tree\">\n");
  add_link(&text, &state, -1);
  for (int i = 0; i < links; i++) {
    const int parent = branched ? random_below(&state, i + 1) - 1 : i - 1;
    add_random_joint(&text, &state, i, parent);
    add_link(&text, &state, i);
  }
  text_add(&text, "</robot>\n");
  return text.at;
}

char *
urdf_chain(int links, uint64_t seed)
{
  text_t text = {NULL, 0, 0};
  uint64_t state = seed;
  text_add(&text, "<?xml version=\"1.0\"?>\n<robot name=\"chain\">\n");
  add_link(&text, &state, -1);
  for (int i = 0; i < links; i++) {
    add_chain_joint(&text, &state, i);
    add_link(&text, &state, i);
  }
  text_add(&text, "</robot>\n");
  return text.at;
}
