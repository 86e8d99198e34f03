// Sines and cosines of joint angles in generated code.
#include "codegen_angles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codegen_write.h"

enum { VECTOR_WIDTH = 4 };

//---------- which ----------

// a stretch that begins near the end of the last one is part of it
static void
add_run(angles_t * angles, int first, int length)
{
  if (angles->nrun > 0) {
    const int last = angles->nrun - 1;
    const int end = angles->first[last] + angles->length[last];
    if (first < end + VECTOR_WIDTH) {
      if (first + length > end) angles->length[last] = first + length - angles->first[last];
      return;
    }
  }
  angles->first[angles->nrun] = first;
  angles->length[angles->nrun++] = length;
}

// four numbers at least, if there are as many
static void
widen_runs(angles_t * angles, int nq)
{
  const int n = angles->nrun;
  angles->nrun = 0;
  for (int k = 0; k < n; k++) {
    int first = angles->first[k], length = angles->length[k];
    if (length < VECTOR_WIDTH && nq >= VECTOR_WIDTH) {
      if (first + VECTOR_WIDTH > nq) first = nq - VECTOR_WIDTH;
      length = VECTOR_WIDTH;
    }
    add_run(angles, first, length);
  }
}

bool
angles_plan(const gen_robot_t * robot, const bool * needed, angles_t * angles)
{
  const size_t n = (size_t)robot->n + 1;
  memset(angles, 0, sizeof *angles);
  angles->first = calloc(3 * n, sizeof *angles->first);
  if (!angles->first) return false;
  angles->length = angles->first + n;
  angles->place = angles->length + n;
  // bodies are in the order of q
  for (int i = 0; i < robot->n; i++) {
    if (needed[i]) add_run(angles, robot->body[i].model->q_index, 1);
  }
  widen_runs(angles, robot->model->nq);
  for (int k = 0; k < angles->nrun; k++) {
    angles->place[k] = angles->total;
    angles->total += angles->length[k];
  }
  return true;
}

void
angles_free(angles_t * angles)
{
  free(angles->first);
  memset(angles, 0, sizeof *angles);
}

int
angles_place(const angles_t * angles, const gen_body_t * body)
{
  const int q = body->model->q_index;
  for (int k = 0; k < angles->nrun; k++) {
    const int at = q - angles->first[k];
    if (at >= 0 && at < angles->length[k]) return angles->place[k] + at;
  }
  return -1;
}

//---------- the call ----------

static bool
has_offsets(const gen_robot_t * robot)
{
  for (int i = 0; i < robot->n; i++) {
    if (robot->body[i].kind == GEN_REVOLUTE && robot->body[i].offset != 0) return true;
  }
  return false;
}

static void
put_place(FILE * to, const char * array, int at)
{
  fprintf(to, at == 0 ? "%s, " : "%s + %d, ", array, at);
}

void
angles_put(FILE * to, const gen_robot_t * robot, const angles_t * angles)
{
  if (angles->nrun == 0) return;
  const bool offsets = has_offsets(robot);
  fprintf(to, "  real s[%d], c[%d];\n", angles->total, angles->total);
  for (int k = 0; k < angles->nrun; k++) {
    fputs("  sines(", to);
    put_place(to, "q", angles->first[k]);
    if (offsets) put_place(to, "OFFSET", angles->first[k]);
    put_place(to, "s", angles->place[k]);
    put_place(to, "c", angles->place[k]);
    fprintf(to, "%d);\n", angles->length[k]);
  }
}

//---------- the library ----------

static void
put_offsets(FILE * to, const gen_robot_t * robot)
{
  fputs("// added to q: body frames are rotated so that most constants are zero\n", to);
  fprintf(to, "static const real OFFSET[%d] = {\n", robot->model->nq);
  for (int i = 0; i < robot->n; i++) {
    const gen_body_t * body = &robot->body[i];
    char number[32];
    write_number(fabs(body->offset), number);
    const bool rotates = body->kind == GEN_REVOLUTE && body->offset != 0;
    for (int k = 0; k < body->model->nq; k++) {
      fprintf(to, "  K(%s%s),\n", rotates && body->offset < 0 ? "-" : "", rotates ? number : "0");
    }
  }
  fputs("};\n\n", to);
}

// sine and cosine near zero, of numbers of a type; the coefficients are those of fdlibm (double)
// and Cephes (float)
static void
put_polynomials(FILE * to, const char * type)
{
  static const char TEXT[] =
    "#if FLOAT\n"
    "  const @ r = a - turns * K(1.5703125) - turns * K(4.837512969970703125e-4)\n"
    "    - turns * K(7.54978995489188216e-8);\n"
    "  const @ z = r * r;\n"
    "  const @ ps = K(-1.6666654611e-1) + z * (K(8.3321608736e-3) + z * K(-1.9515295891e-4));\n"
    "  const @ pc = K(4.166664568298827e-2) + z * (K(-1.388731625493765e-3)\n"
    "    + z * K(2.443315711809948e-5));\n"
    "  const @ near_s = r + r * z * ps;\n"
    "  const @ near_c = (K(1) - K(0.5) * z) + z * z * pc;\n"
    "#else\n"
    "  // r + t = a - turns pi/2\n"
    "  const @ w = a - turns * K(1.57079632673412561417);\n"
    "  const @ v = turns * K(6.07710050630396597660e-11), r = w - v;\n"
    "  const @ t = ((w - r) - v) - turns * K(2.02226624879595063154e-21);\n"
    "  const @ z = r * r, zz = z * z;\n"
    "  const @ ps = (K(-1.66666666666666324348e-01) + z * K(8.33333333332248946124e-03))\n"
    "    + zz * ((K(-1.98412698298579493134e-04) + z * K(2.75573137070700676789e-06))\n"
    "    + zz * (K(-2.50507602534068634195e-08) + z * K(1.58969099521155010221e-10)));\n"
    "  const @ pc = (K(4.16666666666666019037e-02) + z * K(-1.38888888888741095749e-03))\n"
    "    + zz * ((K(2.48015872894767294178e-05) + z * K(-2.75573143513906633035e-07))\n"
    "    + zz * (K(2.08757232129817482790e-09) + z * K(-1.13596475577881948265e-11)));\n"
    "  const @ h = K(0.5) * z, one = K(1) - h;\n"
    "  const @ near_s = r + ((t - t * h) + r * z * ps);\n"
    "  const @ near_c = one + ((((K(1) - one) - h) - r * t) + zz * pc);\n"
    "#endif\n";
  for (const char * c = TEXT; *c; c++) {
    if (*c == '@') {
      fputs(type, to);
    } else {
      fputc(*c, to);
    }
  }
}

// one angle at a time, on any machine
static void
put_single(FILE * to, bool offsets)
{
  fprintf(
    to,
    "static void\n"
    "sines1(real a, real * s, real * c)\n"
    "{\n"
    "  if (!(a * a <= LIMIT)) {\n"
    "    *s = SIN(a);\n"
    "    *c = COS(a);\n"
    "    return;\n"
    "  }\n"
    "  const int k = (int)(a * K(0.63661977236758134308) + K(65536.5)) - 65536;\n"
    "  const real turns = (real)k;\n");
  put_polynomials(to, "real");
  fprintf(
    to,
    "  const real x = k & 1 ? near_c : near_s, y = k & 1 ? near_s : near_c;\n"
    "  *s = k & 2 ? -x : x;\n"
    "  *c = (k + 1) & 2 ? -y : y;\n"
    "}\n\n"
    "static void\n"
    "sines(const real * q, %sreal * s, real * c, int n)\n"
    "{\n"
    "  for (int i = 0; i < n; i++) sines1(q[i]%s, &s[i], &c[i]);\n"
    "}\n",
    offsets ? "const real * offset, " : "", offsets ? " + offset[i]" : "");
}

// four angles in a vector, by extensions that gcc and clang have
static void
put_vector_angles(FILE * to, bool offsets)
{
  fprintf(
    to,
    "#if FLOAT\n"
    "typedef int bits;\n"
    "#else\n"
    "typedef long long bits;\n"
    "#endif\n"
    "typedef real real4\n"
    "  __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));\n"
    "typedef bits masks\n"
    "  __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));\n\n"
    "static inline real\n"
    "sines4(const real * q, %sreal * s, real * c)\n"
    "{\n"
    "  const real4 a = *(const real4 *)q%s;\n"
    "  // adding this leaves the nearest integer in the last bits\n"
    "  const real magic = FLOAT ? K(12582912.0) : K(6755399441055744.0);\n"
    "  const real4 shifted = a * K(0.63661977236758134308) + magic, turns = shifted - magic;\n",
    offsets ? "const real * offset, " : "", offsets ? " + *(const real4 *)offset" : "");
  put_polynomials(to, "real4");
  fprintf(
    to,
    "  // swap and sign by quadrant\n"
    "  enum { TOP = 8 * sizeof(real) - 2 };\n"
    "  const masks top = (masks)(real4){K(-0.0), K(-0.0), K(-0.0), K(-0.0)};\n"
    "  const masks k = (masks)shifted, x = (masks)near_s, y = (masks)near_c;\n"
    "  const masks swap = (x ^ y) & -(k & 1);\n"
    "  *(masks *)s = (x ^ swap) ^ ((k << TOP) & top);\n"
    "  *(masks *)c = (y ^ swap) ^ (((k + 1) << TOP) & top);\n"
    "  const real4 square = a * a;\n"
    "  return (square[0] + square[1]) + (square[2] + square[3]);\n"
    "}\n\n"
    "static void\n"
    "sines(const real * restrict q, %sreal * restrict s, real * restrict c,\n"
    "  int n)\n"
    "{\n"
    "  // the last four may overlap the previous ones\n"
    "  const int last = n - 4;\n"
    "  real sum = 0;\n"
    "  for (int i = 0; i < last; i += 4) sum += sines4(q + i, %ss + i, c + i);\n"
    "  sum += sines4(q + last, %ss + last, c + last);\n"
    "  if (sum <= LIMIT) return;\n"
    "  for (int i = 0; i < n; i++) {\n"
    "    s[i] = SIN(q[i]%s);\n"
    "    c[i] = COS(q[i]%s);\n"
    "  }\n"
    "}\n",
    offsets ? "const real * restrict offset, " : "", offsets ? "offset + i, " : "",
    offsets ? "offset + last, " : "", offsets ? " + offset[i]" : "", offsets ? " + offset[i]" : "");
}

void
angles_put_library(FILE * to, const gen_robot_t * robot)
{
  const bool offsets = has_offsets(robot), wide = robot->model->nq >= VECTOR_WIDTH;
  fputs(
    "// Sines and cosines: errors within 1 ulp (double) or 1e-7 (float) if the sum of the squared\n"
    "// angles is at most LIMIT; otherwise they are those of the C library.\n"
    "#define LIMIT (FLOAT ? K(36e6) : K(1e10))\n\n",
    to);
  if (offsets) put_offsets(to, robot);
  if (wide) {
    fputs(
      "#if defined(__GNUC__) && !defined(__FAST_MATH__) && (defined(__SSE2__) || "
      "defined(__aarch64__))\n",
      to);
    put_vector_angles(to, offsets);
    fputs("#else\n", to);
  }
  put_single(to, offsets);
  if (wide) fputs("#endif\n", to);
  fputs("\n", to);
}
