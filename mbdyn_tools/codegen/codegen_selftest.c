// NAME_selftest.c: recorded states, and what the library said to them.
#include <math.h>
#include <string.h>

#include "codegen.h"

static void
put_signed(FILE * to, double x)
{
  char number[32];
  write_number(fabs(x), number);
  fprintf(to, "%s%s", x < 0 ? "-" : "", number);
}

// one row of an array of arrays, a few numbers on a line
static void
put_row(FILE * to, const double * x, int n)
{
  fputs("  {", to);
  for (int k = 0; k < n; k++) {
    put_signed(to, x[k]);
    if (k + 1 < n) fputs(k % 4 == 3 ? ",\n   " : ", ", to);
  }
  fputs("},\n", to);
}

static const double *
input_of(const gen_state_t * state, int input)
{
  const double * const array[] = {NULL, NULL, state->q, state->v, state->qdd, state->tau};
  return array[input];
}

static const char * const INPUT_NAME[] = {"", "", "q", "v", "qdd", "tau"};

static unsigned
inputs_used(const codegen_t * c)
{
  unsigned inputs = 0;
  for (int k = 0; k < c->nfunction; k++) inputs |= FUNCTIONS[c->entry[k].function.kind].inputs;
  return inputs;
}

static void
put_states(FILE * to, const codegen_t * c)
{
  fprintf(
    to, "enum { STATES = %d, NQ = %s_NQ, NV = %s_NV };\n\n", c->options.nstate, c->upper, c->upper);
  for (int input = INPUT_Q; input <= INPUT_TAU; input++) {
    if (!(inputs_used(c) & (1u << input))) continue;
    const bool is_q = input == INPUT_Q;
    fprintf(
      to, "static const %s_real %s[STATES][%s] = {\n", c->prefix, INPUT_NAME[input],
      is_q ? "NQ" : "NV");
    for (int k = 0; k < c->options.nstate; k++) {
      put_row(to, input_of(&c->state[k], input), is_q ? c->model->nq : c->model->nv);
    }
    fputs("};\n\n", to);
  }
}

static void
put_expected(FILE * to, const codegen_t * c, const codegen_entry_t * e)
{
  const int n = e->function.program.nout;
  fprintf(to, "static const double %s[STATES][%d] = {\n", e->function.name, n);
  for (int k = 0; k < c->options.nstate; k++) {
    put_row(to, e->expected + (size_t)k * (size_t)n, n);
  }
  fputs("};\n\n", to);
}

static void
put_check(FILE * to, const codegen_t * c, const codegen_entry_t * e)
{
  const gen_function_t * f = &e->function;
  const function_info_t * info = &FUNCTIONS[f->kind];
  fprintf(to, "  for (worst = 0, k = 0; k < STATES; k++) {\n    %s_%s(", c->prefix, f->name);
  for (int input = INPUT_Q; input <= INPUT_TAU; input++) {
    if (info->inputs & (1u << input)) fprintf(to, "%s[k], ", INPUT_NAME[input]);
  }
  fputs("out", to);
  if (info->output[1]) fprintf(to, ", out + %d", f->output[0].size);
  fprintf(
    to,
    ");\n"
    "    worst = larger(worst, %s[k], out, %d);\n"
    "  }\n"
    "  failed += report(\"%s\",\n    worst / ",
    f->name, f->program.nout, f->name);
  put_signed(to, e->scale);
  fprintf(to, ", %s_FLOAT ? %.1e : %.1e);\n\n", c->upper, e->float_tolerance, e->double_tolerance);
}

static int
most_outputs(const codegen_t * c)
{
  int most = 0;
  for (int k = 0; k < c->nfunction; k++) {
    const int n = c->entry[k].function.program.nout;
    if (n > most) most = n;
  }
  return most;
}

void
codegen_put_selftest(FILE * to, const codegen_t * c)
{
  fprintf(
    to,
    "// %s_selftest.c: made by `mbdyn codegen` from %s.\n"
    "// Compares %s.c on this machine, by this compiler, with what the library computed in\n"
    "// recorded states. Exit code 1: they differ.\n"
    "//\n"
    "//   cc -O2 %s.c %s_selftest.c -lm -o %s_selftest && ./%s_selftest\n"
    "#include <stdio.h>\n\n"
    "#include \"%s.h\"\n\n",
    c->prefix, c->source, c->prefix, c->prefix, c->prefix, c->prefix, c->prefix, c->prefix);
  put_states(to, c);
  for (int k = 0; k < c->nfunction; k++) put_expected(to, c, &c->entry[k]);
  fprintf(
    to,
    "// the larger of an error and those of n numbers; not-a-number is larger than any\n"
    "static double\n"
    "larger(double worst, const double * expected, const %s_real * got, int n)\n"
    "{\n"
    "  int i;\n"
    "  for (i = 0; i < n; i++) {\n"
    "    const double e = (double)got[i] - expected[i], error = e < 0 ? -e : e;\n"
    "    if (!(error <= worst)) worst = error == error ? error : 1e300;\n"
    "  }\n"
    "  return worst;\n"
    "}\n\n"
    "static int\n"
    "report(const char * name, double error, double limit)\n"
    "{\n"
    "  const int good = error <= limit;\n"
    "  printf(\"%%-6s %%s: relative error %%.1e, limit %%.1e\\n\",\n"
    "    good ? \"ok\" : \"FAILED\", name, error, limit);\n"
    "  return !good;\n"
    "}\n\n"
    "int\n"
    "main(void)\n"
    "{\n"
    "  static %s_real out[%d];\n"
    "  double worst;\n"
    "  int k, failed = 0;\n\n",
    c->prefix, c->prefix, most_outputs(c));
  for (int k = 0; k < c->nfunction; k++) put_check(to, c, &c->entry[k]);
  fputs("  return failed > 0;\n}\n", to);
}
