// States for `mbdyn eval`, from JSON. Whatever is wrong is said on stderr with its place.
#include "eval_input.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/integrate.h"
#include "mbdyn/order.h"
#include "text.h"

// names that a message lists before it stops
enum { LISTED = 12 };

//---------- messages ----------

// where in the document something is
typedef struct place {
  const eval_input_t * input;
  size_t state;
  const char * field;  // "q", or NULL for the state itself
  const char * name;   // joint or link within the field, or NULL
} place_t;

// "in.json: states[3].q.elbow: ..."; always false
__attribute__((format(printf, 2, 3))) static bool
refuse_input(const place_t * at, const char * format, ...)
{
  fprintf(stderr, "%s: states[%zu]", at->input->source, at->state);
  if (at->field) fprintf(stderr, ".%s", at->field);
  if (at->name) fprintf(stderr, ".%s", at->name);
  fputs(": ", stderr);
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  return false;
}

static const char *
type_name(const json_t * value)
{
  switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    default: return "null";
  }
}

//---------- document ----------

static bool
parse(eval_input_t * input, const char * text, size_t size)
{
  json_error_t error;
  input->root = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
  if (!input->root) {
    fprintf(
      stderr, "%s:%d:%d: not valid JSON: %s\n", input->source, error.line, error.column,
      error.text);
    return false;
  }
  if (!json_is_object(input->root)) {
    fprintf(
      stderr, "%s: expected an object {\"states\": [...]}, got %s\n", input->source,
      type_name(input->root));
    return false;
  }
  input->states = json_object_get(input->root, "states");
  if (!json_is_array(input->states)) {
    fprintf(
      stderr, "%s: states: expected a list of states, got %s\n", input->source,
      input->states ? type_name(input->states) : "nothing");
    return false;
  }
  input->nstate = json_array_size(input->states);
  return true;
}

bool
eval_input_read(const char * path, const mbd_model_t * model, eval_input_t * input)
{
  *input = (eval_input_t){.source = text_source_name(path), .model = model};
  size_t size;
  char * text = text_read_all(path, &size);
  if (!text) return false;
  const bool parsed = parse(input, text, size);
  free(text);
  if (!parsed) {
    eval_input_free(input);
    return false;
  }
  // beside the states there is nothing that would be used
  const char * key;
  json_t * value;
  json_object_foreach(input->root, key, value)
  {
    if (strcmp(key, "states") == 0) continue;
    fprintf(stderr, "%s: warning: '%s' is ignored; only 'states' is read\n", input->source, key);
  }
  return true;
}

void
eval_input_free(eval_input_t * input)
{
  json_decref(input->root);
  input->root = NULL;
}

//---------- numbers ----------

// numbers of a configuration, and of a velocity
static int
input_nq(const eval_input_t * input)
{
  return input->flexible ? input->flexible->nq : input->model->nq;
}

static int
input_nv(const eval_input_t * input)
{
  return input->flexible ? input->flexible->nv : input->model->nv;
}

static bool
read_numbers(const place_t * at, const json_t * list, int n, double * x)
{
  if (!json_is_array(list)) {
    return refuse_input(at, "expected %d number%s, got %s", n, n == 1 ? "" : "s", type_name(list));
  }
  if (json_array_size(list) != (size_t)n) {
    return refuse_input(
      at, "expected %d number%s, got %zu", n, n == 1 ? "" : "s", json_array_size(list));
  }
  for (int i = 0; i < n; i++) {
    const json_t * value = json_array_get(list, (size_t)i);
    if (!json_is_number(value)) {
      return refuse_input(at, "element %d: expected a number, got %s", i, type_name(value));
    }
    x[i] = json_number_value(value);
    if (!isfinite(x[i])) return refuse_input(at, "element %d: not a finite number", i);
  }
  return true;
}

// a link whose modes the input has
static bool
is_part(const eval_input_t * input, const char * name)
{
  for (int p = 0; input->flexible && p < input->flexible->flexible->npart; p++) {
    if (strcmp(input->model->frame[input->flexible->flexible->part[p].frame].name, name) == 0)
      return true;
  }
  return false;
}

// the key of an object that names no moving joint, and no link that bends
static bool
refuse_joint(const place_t * at, const json_t * object)
{
  const mbd_model_t * model = at->input->model;
  const char * key;
  json_t * value;
  int body;
  json_object_foreach((json_t *)object, key, value)
  {
    if (mbd_find_joint(model, key, &body) != MBD_OK && !is_part(at->input, key)) break;
  }
  closest_t closest = closest_to(key);
  for (int i = 0; i < model->nbody; i++) closest_offer(&closest, model->body[i].joint_name);
  refuse_input(
    at, "no moving joint '%s' in robot '%s'%s", key, model->name, closest_hint(&closest));
  fputs("moving joints:", stderr);
  for (int i = 0; i < model->nbody && i < LISTED; i++) {
    fprintf(stderr, " %s", model->body[i].joint_name);
  }
  fputs(model->nbody > LISTED ? " ...\n" : "\n", stderr);
  if (!at->input->flexible) return false;
  fputs("flexible links:", stderr);
  for (int p = 0; p < at->input->flexible->flexible->npart && p < LISTED; p++) {
    fprintf(stderr, " %s", model->frame[at->input->flexible->flexible->part[p].frame].name);
  }
  fputc('\n', stderr);
  return false;
}

// {"elbow": 0.3, "wrist": [0, 0, 0, 1]}; what is not named stays as it is
static bool
read_by_name(const place_t * at, const json_t * object, bool is_q, double * x)
{
  const mbd_model_t * model = at->input->model;
  size_t found = 0;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const json_t * value = json_object_get(object, body->joint_name);
    if (!value) continue;
    found++;
    const int n = is_q ? body->nq : body->nv;
    double * to = &x[is_q ? body->q_index : body->v_index];
    place_t joint = *at;
    joint.name = body->joint_name;
    if (n == 1 && json_is_number(value)) {
      *to = json_number_value(value);
    } else if (!read_numbers(&joint, value, n, to)) {
      return false;
    }
  }
  const int parts = at->input->flexible ? at->input->flexible->flexible->npart : 0;
  for (int p = 0; p < parts; p++) {
    const mbd_flexible_part_t * part = &at->input->flexible->flexible->part[p];
    place_t link = *at;
    link.name = model->frame[part->frame].name;
    const json_t * value = json_object_get(object, link.name);
    if (!value) continue;
    found++;
    double * to = &x[is_q ? part->q_index : part->v_index];
    if (!read_numbers(&link, value, part->body->nmode, to)) return false;
  }
  return found == json_object_size(object) || refuse_joint(at, object);
}

// one of q, v, a, tau: by index or by name
static bool
read_vector(place_t at, const json_t * state, const char * field, double * x)
{
  at.field = field;
  const bool is_q = strcmp(field, "q") == 0;
  const json_t * value = json_object_get(state, field);
  if (!value) return true;
  if (json_is_object(value)) return read_by_name(&at, value, is_q, x);
  const int n = is_q ? input_nq(at.input) : input_nv(at.input);
  if (!json_is_array(value)) {
    return refuse_input(
      &at, "expected %d number%s, or an object by joint name, got %s", n, n == 1 ? "" : "s",
      type_name(value));
  }
  return read_numbers(&at, value, n, x);
}

//---------- wrenches ----------

static bool
refuse_link(const place_t * at)
{
  const mbd_model_t * model = at->input->model;
  closest_t closest = closest_to(at->name);
  for (int i = 0; i < model->nframe; i++) closest_offer(&closest, model->frame[i].name);
  return refuse_input(at, "no such link in robot '%s'%s", model->name, closest_hint(&closest));
}

// {"LINK": [fx, fy, fz, nx, ny, nz]}, each at the link's origin in link axes
static bool
read_wrenches(place_t at, const json_t * object, eval_state_t * state)
{
  at.field = "f_ext";
  if (!object) return true;
  if (!json_is_object(object)) {
    return refuse_input(
      &at, "expected an object {\"LINK\": [fx, fy, fz, nx, ny, nz]}, got %s", type_name(object));
  }
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)object, key, value)
  {
    at.name = key;
    int frame;
    double numbers[6];
    if (mbd_find_frame(at.input->model, key, &frame) != MBD_OK) return refuse_link(&at);
    if (!read_numbers(&at, value, 6, numbers)) return false;
    state->wrench[state->f_ext.n++] =
      (mbd_wrench_t){frame, MBD_LOCAL, mbdu_force_from_linear_first(numbers)};
  }
  return true;
}

//---------- states ----------

bool
eval_states_create(const eval_input_t * input, int n, eval_states_t * states)
{
  const mbd_model_t * model = input->model;
  const size_t nq = (size_t)input_nq(input), nv = (size_t)input_nv(input);
  const size_t nframe = (size_t)model->nframe;
  const size_t count = (size_t)n;
  // one more, so that a robot that cannot move is no special case
  double * x = calloc((count + 1) * nq + 3 * count * nv + 1, sizeof *x);
  *states = (eval_states_t){.q = x};
  states->wrench = calloc(count * nframe + 1, sizeof *states->wrench);
  states->state = calloc(count + 1, sizeof *states->state);
  if (!x || !states->wrench || !states->state) {
    fputs("mbdyn eval: out of memory\n", stderr);
    return false;
  }
  states->v = x + count * nq;
  states->a = states->v + count * nv;
  states->tau = states->a + count * nv;
  states->neutral = states->tau + count * nv;
  for (size_t i = 0; i < count; i++) {
    mbd_wrench_t * wrench = states->wrench + i * nframe;
    states->state[i] = (eval_state_t){
      .q = states->q + i * nq,
      .v = states->v + i * nv,
      .a = states->a + i * nv,
      .tau = states->tau + i * nv,
      .wrench = wrench,
      .f_ext = {0, wrench},
      .neutral = states->neutral};
  }
  return mbd_neutral(model, states->neutral) == MBD_OK;
}

void
eval_states_free(eval_states_t * states)
{
  // the other vectors are in the same block
  free(states->q);
  free(states->wrench);
  free(states->state);
}

// a misspelt key would silently mean zero
static bool
check_keys(const place_t * at, const json_t * state)
{
  static const char * const KEYS[] = {"q", "v", "a", "tau", "f_ext"};
  const char * key;
  json_t * value;
  json_object_foreach((json_t *)state, key, value)
  {
    bool known = false;
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
      known = known || strcmp(key, KEYS[i]) == 0;
    }
    if (!known)
      return refuse_input(at, "unknown key '%s'; a state has q, v, a, tau and f_ext", key);
  }
  return true;
}

bool
eval_input_state(const eval_input_t * input, size_t index, eval_state_t * state)
{
  const place_t at = {input, index, NULL, NULL};
  const json_t * object = json_array_get(input->states, index);
  if (!json_is_object(object)) {
    return refuse_input(
      &at, "expected an object with q, v, a, tau, f_ext, got %s", type_name(object));
  }
  memcpy(state->q, state->neutral, (size_t)input_nq(input) * sizeof(double));
  for (int k = 0; k < input_nv(input); k++) state->v[k] = state->a[k] = state->tau[k] = 0;
  state->f_ext.n = 0;
  return check_keys(&at, object) && read_vector(at, object, "q", state->q) &&
         read_vector(at, object, "v", state->v) && read_vector(at, object, "a", state->a) &&
         read_vector(at, object, "tau", state->tau) &&
         read_wrenches(at, json_object_get(object, "f_ext"), state);
}
