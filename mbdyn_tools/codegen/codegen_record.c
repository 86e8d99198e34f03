// States for the self-test, what the library says to them, and how far off the programs are.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "codegen.h"

//---------- states ----------

// uniform in [-1, 1), the same on every machine
static double
random_signed(uint64_t * state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(z >> 11) * 0x1p-52 - 1;
}

// numbers that a float holds too, so that both precisions start from the same state
static void
random_numbers(uint64_t * seed, double scale, double * x, int n)
{
  for (int k = 0; k < n; k++) x[k] = (double)(float)(scale * random_signed(seed));
}

static void
random_configuration(const mbd_model_t * model, uint64_t * seed, double * q)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const bool rotates = body->type != MBD_JOINT_PRISMATIC && body->type != MBD_JOINT_FREE;
    // a quaternion need not be normalised
    random_numbers(seed, rotates ? 3.141592653589793 : 0.5, q + body->q_index, body->nq);
    if (body->type == MBD_JOINT_FREE) q[body->q_index + 6] += q[body->q_index + 6] < 0 ? -1 : 1;
  }
}

static bool
make_states(codegen_t * codegen)
{
  const mbd_model_t * model = codegen->model;
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  const size_t n = (size_t)codegen->options.nstate;
  codegen->state = calloc(n + 1, sizeof *codegen->state);
  codegen->numbers = calloc(n * (nq + 3 * nv) + 1, sizeof *codegen->numbers);
  if (!codegen->state || !codegen->numbers) return false;
  uint64_t seed = 1;
  for (size_t k = 0; k < n; k++) {
    gen_state_t * state = &codegen->state[k];
    state->q = codegen->numbers + k * (nq + 3 * nv);
    state->v = state->q + nq;
    state->qdd = state->v + nv;
    state->tau = state->qdd + nv;
    random_configuration(model, &seed, state->q);
    random_numbers(&seed, 1, state->v, model->nv);
    random_numbers(&seed, 1, state->qdd, model->nv);
    random_numbers(&seed, 10, state->tau, model->nv);
  }
  return true;
}

//---------- results ----------

// largest difference between what was expected and what a program gives
static bool
largest_error(
  const codegen_t * codegen, const codegen_entry_t * e, bool single, double * out, double * error)
{
  const int n = e->function.program.nout;
  *error = 0;
  for (int k = 0; k < codegen->options.nstate; k++) {
    const gen_state_t * state = &codegen->state[k];
    if (!gen_function_evaluate(&codegen->robot, &e->function, state, single, out)) return false;
    for (int i = 0; i < n; i++) {
      const double difference = fabs(out[i] - e->expected[(size_t)k * (size_t)n + (size_t)i]);
      // a number that is none is worse than any other, and stays
      if (!(difference <= *error) && !isnan(*error)) *error = difference;
    }
  }
  return true;
}

static bool
refuse_status(
  const char * source, const gen_function_t * f, const mbd_data_t * data, mbd_status_t status)
{
  const char * joint = mbd_error_joint_name(data);
  fprintf(stderr, "%s: ", source);
  if (joint) fprintf(stderr, "joint '%s': ", joint);
  fprintf(stderr, "%s: %s", f->name, mbd_status_string(status));
  if (status == MBD_ERROR_MASSLESS_SUBTREE) {
    fputs("; exclude forward_dynamics with --functions", stderr);
  }
  fputc('\n', stderr);
  return false;
}

// what the library says in every state
static bool
expect(codegen_t * codegen, const char * source, mbd_data_t * data, codegen_entry_t * e)
{
  const int n = e->function.program.nout, nstate = codegen->options.nstate;
  e->expected = calloc((size_t)n * (size_t)nstate + 1, sizeof *e->expected);
  mbd_status_t status = e->expected ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
  for (int k = 0; status == MBD_OK && k < nstate; k++) {
    double * to = e->expected + (size_t)k * (size_t)n;
    status = gen_function_reference(&codegen->robot, &e->function, data, &codegen->state[k], to);
    for (int i = 0; status == MBD_OK && i < n; i++) e->scale = fmax(e->scale, fabs(to[i]));
  }
  if (!(e->scale > 0)) e->scale = 1;
  return status == MBD_OK || refuse_status(source, &e->function, data, status);
}

// the program itself must agree; what the self-test allows is what rounding does, with a margin
static bool
measure(codegen_t * codegen, const char * source, codegen_entry_t * e)
{
  double * out = calloc((size_t)e->function.program.nout + 1, sizeof *out);
  double error = 0, float_error = 0;
  bool done = out && largest_error(codegen, e, false, out, &error) &&
              largest_error(codegen, e, true, out, &float_error);
  free(out);
  if (!done) {
    fprintf(stderr, "%s: out of memory\n", source);
    return false;
  }
  error /= e->scale;
  e->float_error = float_error / e->scale;
  e->double_tolerance = fmax(1e-11, 8 * error);
  e->float_tolerance = fmax(2e-4, 8 * e->float_error);
  // frames with right angles in place of nearly right ones are off by as much; an inverse is as
  // sensitive as the robot is
  const bool inverse = e->function.kind == FUNCTION_FORWARD_DYNAMICS ||
                       e->function.kind == FUNCTION_FORWARD_DERIVATIVES;
  const double most = fmax(inverse ? 1e-5 : 1e-9, 1e3 * codegen->options.snap);
  if (error <= most) return true;
  fprintf(
    stderr, "%s: %s differs from the library by %.1e of its largest element%s\n", source,
    e->function.name, error,
    codegen->options.snap > 1e-11 ? "; try a smaller --snap" : ": this is a bug of mbdyn codegen");
  return false;
}

bool
codegen_record(codegen_t * codegen, const char * source)
{
  mbd_data_t * data = NULL;
  mbd_status_t status = mbd_data_create(codegen->model, &data);
  if (status == MBD_OK) status = mbd_set_terms(data, codegen->options.terms);
  if (status == MBD_OK && !make_states(codegen)) status = MBD_ERROR_OUT_OF_MEMORY;
  if (status != MBD_OK) fprintf(stderr, "%s: %s\n", source, mbd_status_string(status));
  bool done = status == MBD_OK;
  for (int k = 0; done && k < codegen->nfunction; k++) {
    codegen_entry_t * e = &codegen->entry[k];
    done = expect(codegen, source, data, e) && measure(codegen, source, e);
  }
  mbd_data_destroy(data);
  return done;
}
