// From a model to recorded and checked functions.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "codegen.h"
#include "codegen_axes.h"
#include "codegen_groups.h"

// a function of more operations is no use as straight-line code
enum { MOST_OPERATIONS = 200000 };

// searching for better frames takes time that grows with the square of these
enum { MOST_BODIES_SEARCHED = 150, MOST_BODIES_FOR_MATRIX = 40 };

codegen_options_t
codegen_options_default(void)
{
  codegen_options_t options = {
    .functions = (1u << FUNCTION_POSE) - 1,
    .reference = MBD_LOCAL_WORLD_ALIGNED,
    .snap = 1e-11,
    .vector_length = 2,
    .nstate = 8,
  };
  return options;
}

//---------- what can be generated ----------

// NULL if the joint is supported; else what to do
static const char *
way_out(const mbd_body_t * body)
{
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_PRISMATIC:
    case MBD_JOINT_HELICAL: return NULL;
    case MBD_JOINT_FREE:
      return body->parent < 0 ? NULL
                              : "only the base can be floating; replace it by three prismatic and "
                                "three continuous joints";
    case MBD_JOINT_PLANAR:
      return "replace it by two prismatic joints and a continuous one, with massless links in "
             "between (--allow-massless)";
    default:
      return "replace it by joints with one degree of freedom, with massless links in between "
             "(--allow-massless)";
  }
}

static bool
check_model(const char * source, const mbd_model_t * model)
{
  if (model->nv == 0) {
    fprintf(
      stderr, "%s: robot '%s' has no moving joint; there is nothing to generate\n", source,
      model->name);
    return false;
  }
  bool fine = true;
  for (int i = 0; i < model->nbody; i++) {
    const char * advice = way_out(&model->body[i]);
    if (!advice) continue;
    fprintf(
      stderr, "%s: joint '%s' is %s, which codegen does not support; %s\n", source,
      model->body[i].joint_name, mbd_joint_type_name(model->body[i].type), advice);
    fine = false;
  }
  return fine;
}

//---------- names ----------

// letters, digits and underscores
static void
c_name(const char * name, char * text, size_t size)
{
  size_t n = 0;
  for (; name[n] && n + 1 < size; n++) {
    text[n] = isalnum((unsigned char)name[n]) && name[n] > 0 ? name[n] : '_';
  }
  text[n] = 0;
}

static void
take_names(codegen_t * codegen, const char * source)
{
  const char * slash = strrchr(source, '/');
  write_comment(slash ? slash + 1 : source, codegen->source, sizeof codegen->source);
  const char * from = codegen->options.prefix ? codegen->options.prefix : codegen->model->name;
  char * prefix = codegen->prefix;
  const bool digit = isdigit((unsigned char)from[0]) || from[0] == 0;
  strcpy(prefix, digit ? "robot_" : "");
  c_name(from, prefix + strlen(prefix), sizeof codegen->prefix - strlen(prefix));
  for (size_t i = 0; i < sizeof codegen->prefix; i++) {
    codegen->upper[i] = (char)toupper((unsigned char)prefix[i]);
  }
}

// the function's name; false if another one has it
static bool
name_function(const codegen_t * codegen, const char * source, gen_function_t * f)
{
  const function_info_t * info = &FUNCTIONS[f->kind];
  strcpy(f->name, info->name);
  if (!info->of_frame) return true;
  const char * frame = codegen->model->frame[f->frame].name;
  strcat(f->name, "_");
  c_name(frame, f->name + strlen(f->name), sizeof f->name - strlen(f->name));
  for (const codegen_entry_t * e = codegen->entry; &e->function != f; e++) {
    if (strcmp(e->function.name, f->name) != 0) continue;
    fprintf(
      stderr, "%s: frames '%s' and '%s' have the same name in C; generate them separately\n",
      source, codegen->model->frame[e->function.frame].name, frame);
    return false;
  }
  return true;
}

//---------- functions ----------

static int
list_functions(codegen_t * codegen)
{
  int n = 0;
  for (int kind = 0; kind < NFUNCTION; kind++) {
    if (!(codegen->options.functions & (1u << kind))) continue;
    const int times = FUNCTIONS[kind].of_frame ? codegen->options.nframe : 1;
    for (int k = 0; k < times; k++) {
      if (codegen->entry) {
        gen_function_t * f = &codegen->entry[n].function;
        f->kind = (function_kind_t)kind;
        f->frame = FUNCTIONS[kind].of_frame ? codegen->options.frame[k] : -1;
        f->reference = codegen->options.reference;
      }
      n++;
    }
  }
  return n;
}

// operations of what is asked for, as the frames are
static int
cost_of_frames(const gen_robot_t * robot, void * context)
{
  const unsigned functions = *(const unsigned *)context;
  const unsigned solves = 1u << FUNCTION_FORWARD_DYNAMICS | 1u << FUNCTION_FORWARD_DERIVATIVES;
  const unsigned sweeps = 1u << FUNCTION_INVERSE_DYNAMICS | 1u << FUNCTION_BIAS |
                          1u << FUNCTION_INVERSE_DERIVATIVES | solves;
  const unsigned matrix = 1u << FUNCTION_MASS_MATRIX | solves;
  int cost = 0;
  // an offset is an addition in every function
  for (int i = 0; i < robot->n; i++) cost += robot->body[i].offset != 0;
  if (functions & sweeps) cost += gen_function_cost(robot, FUNCTION_INVERSE_DYNAMICS);
  if (functions & matrix && robot->n <= MOST_BODIES_FOR_MATRIX) {
    cost += gen_function_cost(robot, FUNCTION_MASS_MATRIX);
  }
  if (functions & 1u << FUNCTION_GRAVITY) cost += gen_function_cost(robot, FUNCTION_GRAVITY);
  return cost;
}

static bool
refuse_long(const char * source, const gen_function_t * f)
{
  const int total = operations_total(f->count);
  if (total <= MOST_OPERATIONS) return false;
  fprintf(
    stderr,
    "%s: %s would need %d operations, above the limit of %d for straight-line code; exclude it "
    "with --functions, or use the library\n",
    source, f->name, total, MOST_OPERATIONS);
  return true;
}

static bool
build_functions(codegen_t * codegen, const char * source)
{
  for (int k = 0; k < codegen->nfunction; k++) {
    gen_function_t * f = &codegen->entry[k].function;
    if (!name_function(codegen, source, f)) return false;
    if (!gen_function_build(&codegen->robot, f)) {
      fprintf(stderr, "%s: out of memory\n", source);
      return false;
    }
    if (refuse_long(source, f)) return false;
  }
  return true;
}

bool
codegen_make(
  const char * source, const mbd_model_t * model, const codegen_options_t * options,
  codegen_t * codegen)
{
  memset(codegen, 0, sizeof *codegen);
  codegen->model = model;
  codegen->options = *options;
  take_names(codegen, source);
  if (!check_model(source, model)) return false;
  codegen->nfunction = list_functions(codegen);
  codegen->entry = calloc((size_t)codegen->nfunction + 1, sizeof *codegen->entry);
  if (
    !codegen->entry || !gen_robot_init(model, options->snap, &codegen->robot) ||
    !gen_group_limbs(&codegen->robot, options->vector_length)) {
    fprintf(stderr, "%s: out of memory\n", source);
    return false;
  }
  list_functions(codegen);
  codegen->robot.rotors = options->terms & MBD_TERM_ROTORS;
  codegen->robot.friction = options->terms & MBD_TERM_FRICTION;
  if (codegen->robot.n <= MOST_BODIES_SEARCHED) {
    axes_improve(&codegen->robot, cost_of_frames, &codegen->options.functions);
  }
  return build_functions(codegen, source) && codegen_record(codegen, source);
}

void
codegen_free(codegen_t * codegen)
{
  for (int k = 0; codegen->entry && k < codegen->nfunction; k++) {
    gen_function_free(&codegen->entry[k].function);
    free(codegen->entry[k].expected);
  }
  free(codegen->entry);
  free(codegen->state);
  free(codegen->numbers);
  gen_robot_free(&codegen->robot);
  memset(codegen, 0, sizeof *codegen);
}
