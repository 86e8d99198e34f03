// Generated code in tests: written, compiled, loaded, and compared with the library.
#include "generated.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "close.h"
#include "random_tree.h"

//---------- making ----------

static void
compile(const generated_t * g, const char * what, bool single)
{
  const codegen_t * c = &g->codegen;
  char command[1024];
  snprintf(
    command, sizeof command,
    "%s -std=c99 -O1 -Wall -Wextra -pedantic -Wdouble-promotion -Werror -D%s_FLOAT=%d -shared "
    "-fPIC %s/%s.c -lm -o %s/code.so",
    MBDYN_CC, c->upper, single, g->directory, c->prefix, g->directory);
  if (system(command) != 0) {
    print_error("%s: does not compile:\n%s\n", what, command);
    fail();
  }
}

void
generated_make(
  const char * what, const mbd_model_t * model, const codegen_options_t * options, bool single,
  generated_t * g)
{
  memset(g, 0, sizeof *g);
  strcpy(g->directory, "/tmp/mbdyn_codegen_XXXXXX");
  assert_non_null(mkdtemp(g->directory));
  assert_true(codegen_make(what, model, options, &g->codegen));
  assert_true(codegen_write(&g->codegen, g->directory));
  compile(g, what, single);
  char path[96];
  snprintf(path, sizeof path, "%s/code.so", g->directory);
  g->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!g->library) print_error("%s\n", dlerror());
  assert_non_null(g->library);
  assert_ok(mbd_data_create(model, &g->data));
  assert_ok(mbd_set_terms(g->data, options->terms));
}

void
generated_free(generated_t * g)
{
  static const char * const SUFFIX[] = {".h", ".c", "_selftest.c"};
  char path[160];
  for (size_t i = 0; i < sizeof SUFFIX / sizeof SUFFIX[0]; i++) {
    snprintf(path, sizeof path, "%s/%s%s", g->directory, g->codegen.prefix, SUFFIX[i]);
    assert_int_equal(unlink(path), 0);
  }
  snprintf(path, sizeof path, "%s/code.so", g->directory);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(g->directory), 0);
  dlclose(g->library);
  mbd_data_destroy(g->data);
  codegen_free(&g->codegen);
}

any_function_t
generated_find(const generated_t * g, const char * name)
{
  char symbol[256];
  snprintf(symbol, sizeof symbol, "%s_%s", g->codegen.prefix, name);
  void * address = dlsym(g->library, symbol);
  if (!address) print_error("no function %s\n", symbol);
  assert_non_null(address);
  // a pointer to a function is what dlsym means
  any_function_t function;
  memcpy(&function, &address, sizeof function);
  return function;
}

//---------- calling ----------

typedef void (*one_t)(const void * q, void * out);
typedef void (*two_t)(const void * q, const void * v, void * out);
typedef void (*three_t)(const void * q, const void * v, const void * x, void * out);
typedef void (*pair_t)(const void * q, const void * v, const void * x, void * d_q, void * d_v);
typedef void (*pose_t)(const void * q, void * p, void * R);

// arrays as the code has them: float or double
typedef struct arrays {
  bool single;
  void *q, *v, *qdd, *tau, *out;
} arrays_t;

static void *
converted(const double * x, int n, bool single)
{
  void * y = calloc((size_t)n + 1, sizeof(double));
  assert_non_null(y);
  for (int i = 0; x && i < n; i++) {
    if (single) {
      ((float *)y)[i] = (float)x[i];
    } else {
      ((double *)y)[i] = x[i];
    }
  }
  return y;
}

static void
call(const generated_t * g, const gen_function_t * f, const arrays_t * a)
{
  const any_function_t any = generated_find(g, f->name);
  // of two outputs the second follows the first
  const size_t size = a->single ? sizeof(float) : sizeof(double);
  void * second = (char *)a->out + (size_t)f->output[0].size * size;
  switch (f->kind) {
    case FUNCTION_INVERSE_DYNAMICS: ((three_t)any)(a->q, a->v, a->qdd, a->out); break;
    case FUNCTION_FORWARD_DYNAMICS: ((three_t)any)(a->q, a->v, a->tau, a->out); break;
    case FUNCTION_BIAS: ((two_t)any)(a->q, a->v, a->out); break;
    case FUNCTION_POSE: ((pose_t)any)(a->q, a->out, second); break;
    case FUNCTION_INVERSE_DERIVATIVES: ((pair_t)any)(a->q, a->v, a->qdd, a->out, second); break;
    case FUNCTION_FORWARD_DERIVATIVES: ((pair_t)any)(a->q, a->v, a->tau, a->out, second); break;
    default: ((one_t)any)(a->q, a->out); break;
  }
}

// one function in one state
static void
compare_one(
  generated_t * g, const char * what, const gen_function_t * f, const gen_state_t * state,
  bool single, double tolerance)
{
  const mbd_model_t * model = g->codegen.model;
  const int n = f->program.nout;
  arrays_t a = {.single = single};
  a.q = converted(state->q, model->nq, single);
  a.v = converted(state->v, model->nv, single);
  a.qdd = converted(state->qdd, model->nv, single);
  a.tau = converted(state->tau, model->nv, single);
  a.out = converted(NULL, n, single);
  call(g, f, &a);
  double * got = calloc((size_t)n + 1, sizeof *got);
  double * expected = calloc((size_t)n + 1, sizeof *expected);
  assert_true(got && expected);
  for (int i = 0; i < n; i++) {
    got[i] = single ? (double)((float *)a.out)[i] : ((double *)a.out)[i];
  }
  assert_ok(gen_function_reference(&g->codegen.robot, f, g->data, state, expected));
  assert_close_(
    got, expected, (size_t)n, tolerance, single ? 1e-3 : 1e-9, __FILE__, __LINE__, "%s: %s", what,
    f->name);
  free(a.q), free(a.v), free(a.qdd), free(a.tau), free(a.out);
  free(got), free(expected);
}

//---------- states ----------

static void
random_state(const mbd_model_t * model, uint64_t * seed, gen_state_t * state)
{
  // numbers that a float holds too
  for (int i = 0; i < model->nq; i++) state->q[i] = (double)(float)(3 * random_signed(seed));
  for (int i = 0; i < model->nv; i++) {
    state->v[i] = (double)(float)(2 * random_signed(seed));
    state->qdd[i] = (double)(float)(5 * random_signed(seed));
    state->tau[i] = (double)(float)(20 * random_signed(seed));
  }
}

void
generated_compare(generated_t * g, const char * what, int n, double tolerance)
{
  const mbd_model_t * model = g->codegen.model;
  const size_t nv = (size_t)model->nv;
  gen_state_t state = {.q = calloc((size_t)model->nq + 3 * nv, sizeof(double))};
  assert_non_null(state.q);
  state.v = state.q + model->nq;
  state.qdd = state.v + nv;
  state.tau = state.qdd + nv;
  const bool single = tolerance > 1e-6;
  uint64_t seed = 2024;
  for (int i = 0; i < n; i++) {
    random_state(model, &seed, &state);
    for (int k = 0; k < g->codegen.nfunction; k++) {
      compare_one(g, what, &g->codegen.entry[k].function, &state, single, tolerance);
    }
  }
  free(state.q);
}
