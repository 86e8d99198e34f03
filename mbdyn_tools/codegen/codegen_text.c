// NAME.h and NAME.c.
#include <string.h>

#include "codegen.h"
#include "codegen_angles.h"

//---------- what both have ----------

static const char * const INPUT_NAME[] = {"", "", "q", "v", "qdd", "tau"};

// "const T q[N], ..., T tau[N]", broken at 96 columns
static void
put_parameters(FILE * to, const codegen_t * c, const gen_function_t * f, const char * restrict_)
{
  const function_info_t * info = &FUNCTIONS[f->kind];
  char text[5][256];
  int n = 0;
  for (int k = INPUT_Q; k <= INPUT_TAU; k++) {
    if (!(info->inputs & (1u << k))) continue;
    snprintf(
      text[n++], sizeof text[0], "const %s_real %s[%s%s_%s]", c->prefix, INPUT_NAME[k], restrict_,
      c->upper, k == INPUT_Q ? "NQ" : "NV");
  }
  for (const array_t * a = f->output; a->name; a++) {
    char size[160];
    snprintf(size, sizeof size, "%d", a->size);
    if (
      f->kind == FUNCTION_MASS_MATRIX || f->kind == FUNCTION_INVERSE_DERIVATIVES ||
      f->kind == FUNCTION_FORWARD_DERIVATIVES) {
      snprintf(size, sizeof size, "%s_NV * %s_NV", c->upper, c->upper);
    } else if (f->kind == FUNCTION_JACOBIAN) {
      snprintf(size, sizeof size, "6 * %s_NV", c->upper);
    } else if (f->kind != FUNCTION_POSE) {
      snprintf(size, sizeof size, "%s_NV", c->upper);
    }
    snprintf(text[n++], sizeof text[0], "%s_real %s[%s%s]", c->prefix, a->name, restrict_, size);
  }
  size_t column = 0;
  for (int k = 0; k < n; k++) {
    const size_t length = strlen(text[k]) + 2;
    if (k == 0 || column + length > 96) {
      fputs("\n  ", to);
      column = 2;
    } else {
      fputc(' ', to);
      column++;
    }
    fprintf(to, "%s%s", text[k], k + 1 < n ? "," : ")");
    column += length;
  }
}

static void
put_count(FILE * to, operations_t count)
{
  fprintf(
    to, "%d operations (%d additions, %d multiplications, %d division%s)", operations_total(count),
    count.adds, count.muls, count.divs, count.divs == 1 ? "" : "s");
  if (count.angles > 0) fprintf(to, ", sine and cosine of %d angles", count.angles);
  if (count.others > 0) fprintf(to, ", %d tanh", count.others);
}

//---------- header ----------

static const char *
unit_of(const mbd_body_t * body, bool velocity)
{
  switch (body->type) {
    case MBD_JOINT_PRISMATIC: return velocity ? "m/s" : "m";
    case MBD_JOINT_FREE: return velocity ? "m/s, rad/s in link axes" : "m, quaternion x y z w";
    default: return velocity ? "rad/s" : "rad";
  }
}

static void
put_range(FILE * to, const char * array, int first, int n)
{
  char text[32];
  snprintf(text, sizeof text, n == 1 ? "%s[%d]" : "%s[%d..%d]", array, first, first + n - 1);
  fprintf(to, " %-9s", text);
}

static void
put_joints(FILE * to, const codegen_t * c)
{
  fputs("//\n// Joints, in the order of q and of v, qdd, tau:\n//\n", to);
  for (int i = 0; i < c->model->nbody; i++) {
    const mbd_body_t * body = &c->model->body[i];
    char name[80];
    write_comment(body->joint_name, name, sizeof name);
    fputs("//  ", to);
    put_range(to, "q", body->q_index, body->nq);
    put_range(to, "v", body->v_index, body->nv);
    fprintf(
      to, " %s (%s) [%s; %s]\n", name, mbd_joint_type_name(body->type), unit_of(body, false),
      unit_of(body, true));
  }
}

static const char *
terms_text(uint32_t terms)
{
  switch (terms) {
    case 0: return "Joint friction and rotor inertia are not included.";
    case MBD_TERM_FRICTION: return "Joint friction is included, rotor inertia is not.";
    case MBD_TERM_ROTORS: return "Rotor inertia is included, joint friction is not.";
    default: return "Joint friction and rotor inertia are included.";
  }
}

static void
put_conventions(FILE * to, const codegen_t * c)
{
  const mbd_vec3_t g = c->model->gravity;
  fprintf(
    to,
    "//\n"
    "// SI units and radians. Torques [N m], forces of prismatic joints [N]; qdd is the time\n"
    "// derivative of v. Gravity is (%g, %g, %g) m/s^2 in world axes. 6-vectors are linear first;\n"
    "// matrices are row-major. %s\n"
    "//\n"
    "// No heap, no global state; of libm only %s are used. Safe to call from any thread.\n"
    "// Output arrays must not overlap inputs. Inputs are not checked: non-finite inputs give\n"
    "// non-finite outputs.\n"
    "//\n",
    g.x, g.y, g.z, terms_text(c->options.terms),
    c->options.terms & MBD_TERM_FRICTION ? "sin, cos and tanh" : "sin and cos");
  fprintf(
    to,
    "// Numbers are double, or float with the compiler option -D%s_FLOAT=1 (0: double)%s.\n"
    "// Allow fused multiply-add: -O2 -ffp-contract=fast, with -march or -mcpu of a processor\n"
    "// that supports it (gcc disables it with -std=c99, not with -std=gnu99).\n",
    c->upper, c->options.single ? ";\n// the default is float" : "");
}

static void
put_names(FILE * to, const codegen_t * c)
{
  fprintf(to, "/// Joint names in the order of v, to match the joints of messages and logs.\n");
  fprintf(to, "#define %s_JOINT_NAMES", c->upper);
  for (int i = 0; i < c->model->nbody; i++) {
    char name[300];
    write_comment(c->model->body[i].joint_name, name, sizeof name);
    for (char * quote = name; (quote = strchr(quote, '"')) != NULL;) *quote = '?';
    fprintf(to, " \\\n  %s\"%s\"%s", i == 0 ? "{" : "", name, i + 1 < c->model->nbody ? "," : "}");
  }
  fputs("\n\n", to);
}

static void
put_declaration(FILE * to, const codegen_t * c, const gen_function_t * f)
{
  static const char * const REFERENCE[] = {
    "at its origin, in its axes", "at the world origin, in world axes",
    "at its origin, in world axes"};
  char frame[80] = "";
  if (f->frame >= 0) write_comment(c->model->frame[f->frame].name, frame, sizeof frame);
  fprintf(to, "/// %s%s%s", frame, f->frame >= 0 ? ": " : "", FUNCTIONS[f->kind].doc);
  if (f->kind == FUNCTION_JACOBIAN) fprintf(to, ",\n/// %s", REFERENCE[f->reference]);
  fputs(".\n/// ", to);
  put_count(to, f->count);
  if (f->method) fprintf(to, ";\n/// %s", f->method);
  fprintf(to, ".\nvoid %s_%s(", c->prefix, f->name);
  put_parameters(to, c, f, "");
  fputs(";\n\n", to);
}

void
codegen_put_header(FILE * to, const codegen_t * c)
{
  char robot[80];
  write_comment(c->model->name, robot, sizeof robot);
  fprintf(
    to,
    "// %s.h: dynamics of the robot '%s' as straight-line C99.\n"
    "// Generated by `mbdyn codegen` from %s. Do not edit.\n",
    c->prefix, robot, c->source);
  put_joints(to, c);
  put_conventions(to, c);
  fprintf(
    to,
    "#ifndef %s_H_\n#define %s_H_\n\n"
    "#ifndef %s_FLOAT\n#define %s_FLOAT %d\n#endif\n\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    "#if %s_FLOAT\ntypedef float %s_real;\n#else\ntypedef double %s_real;\n#endif\n\n"
    "/// Lengths of q, and of v, qdd and tau.\n"
    "enum { %s_NQ = %d, %s_NV = %d };\n\n",
    c->upper, c->upper, c->upper, c->upper, c->options.single, c->upper, c->prefix, c->prefix,
    c->upper, c->model->nq, c->upper, c->model->nv);
  put_names(to, c);
  for (int k = 0; k < c->nfunction; k++) put_declaration(to, c, &c->entry[k].function);
  fprintf(to, "#ifdef __cplusplus\n}\n#endif\n\n#endif  // %s_H_\n", c->upper);
}

//---------- source ----------

static bool
needs(const codegen_t * c, bool tanh_)
{
  for (int k = 0; k < c->nfunction; k++) {
    const operations_t * count = &c->entry[k].function.count;
    if (tanh_ ? count->others > 0 : count->angles > 0) return true;
  }
  return false;
}

// lanes of the widest vector in a function
static int
widest(const codegen_t * c)
{
  int width = 1;
  for (int k = 0; k < c->nfunction; k++) {
    const program_t * program = &c->entry[k].function.program;
    for (int i = 1; i < program->graph.n; i++) {
      const int now = program->graph.node[i].width;
      if (program->uses[i] > 0 && now > width) width = now;
    }
  }
  return width;
}

// vectors of similar limbs, by extensions that gcc and clang have
static void
put_vectors(FILE * to, int width)
{
  if (width == 1) return;
  fputs(
    "#ifndef __GNUC__\n#error \"vectors need gcc or clang: generate with --vectors 1\"\n#endif\n\n"
    "// joints at the same place of similar limbs, and constants of them\n"
    "typedef real lanes2 __attribute__((vector_size(2 * sizeof(real))));\n"
    "#define K2(x, y) ((lanes2){K(x), K(y)})\n",
    to);
  if (width > 2) {
    fputs(
      "typedef real lanes4 __attribute__((vector_size(4 * sizeof(real))));\n"
      "#define K4(x, y, z, w) ((lanes4){K(x), K(y), K(z), K(w)})\n",
      to);
  }
  fputs("\n", to);
}

static void
put_prelude(FILE * to, const codegen_t * c)
{
  fprintf(
    to,
    "// %s.c: generated by `mbdyn codegen` from %s. Do not edit.\n"
    "//\n"
    "// Each function is a recursive algorithm unrolled for this robot, in body frames in which\n"
    "// most constants are zero, with base inertial parameters: what does not affect the motion\n"
    "// of a joint is regrouped into its parent.\n"
    "#include \"%s.h\"\n\n"
    "#include <math.h>\n"
    "#include <string.h>\n\n"
    "typedef %s_real real;\n"
    "#define FLOAT %s_FLOAT\n\n"
    "// a constant\n"
    "#define K(x) ((real)(x))\n\n",
    c->prefix, c->source, c->prefix, c->prefix, c->upper);
  put_vectors(to, widest(c));
  if (needs(c, false)) {
    fputs(
      "#if FLOAT\n#define SIN sinf\n#define COS cosf\n#else\n#define SIN sin\n#define COS cos\n"
      "#endif\n\n",
      to);
  }
  if (needs(c, true)) {
    fputs("#if FLOAT\n#define TANH tanhf\n#else\n#define TANH tanh\n#endif\n\n", to);
  }
  fputs(
    "// SLP vectorisation makes straight-line code slower\n"
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#pragma GCC optimize(\"no-tree-slp-vectorize\")\n"
    "#endif\n\n",
    to);
}

bool
codegen_put_source(FILE * to, const codegen_t * c)
{
  put_prelude(to, c);
  if (needs(c, false)) angles_put_library(to, &c->robot);
  for (int k = 0; k < c->nfunction; k++) {
    const gen_function_t * f = &c->entry[k].function;
    fputs("// ", to);
    put_count(to, f->count);
    fprintf(to, "\nvoid\n%s_%s(", c->prefix, f->name);
    put_parameters(to, c, f, "restrict ");
    fputs("\n{\n", to);
    if (!write_body(to, &c->robot, &f->program, f->output, FUNCTIONS[f->kind].inputs)) return false;
    fputs(k + 1 < c->nfunction ? "}\n\n" : "}\n", to);
  }
  return true;
}
