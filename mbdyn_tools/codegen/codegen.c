// `mbdyn codegen`: straight-line C for one robot.
#include "codegen.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "frame_options.h"
#include "robot_options.h"
#include "text.h"

static const usage_t USAGE = {
  .command = "codegen",
  .operand = "ROBOT.urdf",
  .intro =
    "Generate C99 code for the dynamics of one robot: straight-line code without heap, loops or\n"
    "dependencies other than libm, for fast controllers and microcontrollers. Constants are "
    "folded,\n"
    "zero terms dropped and common subexpressions eliminated. Each function is compared with the\n"
    "library before any file is written.",
  .details =
    "files in DIR:\n"
    "  NAME.h            joints, units, sizes, functions and their operation counts\n"
    "  NAME.c            the functions; compile with -O2 -ffp-contract=fast\n"
    "  NAME_selftest.c   a program that checks them at recorded states\n\n"
    "functions:\n"
    "  inverse_dynamics  q, v, qdd -> tau      bias, gravity   q, v -> h; q -> g\n"
    "  forward_dynamics  q, v, tau -> qdd      mass_matrix     q -> M\n"
    "  pose, jacobian    q -> p, R; q -> J of each --frame\n"
    "  inverse_dynamics_derivatives  q, v, qdd -> dtau/dq, dtau/dv   (only if listed in "
    "--functions)\n"
    "  forward_dynamics_derivatives  q, v, tau -> dqdd/dq, dqdd/dv   (only if listed in "
    "--functions)\n\n"
    "Supported joints: revolute, continuous, prismatic, helical; fixed or floating base.\n\n"
    "exit code: 0 success; 2 wrong usage, invalid robot, or output that cannot be written\n\n"
    "examples:\n"
    "  mbdyn codegen arm.urdf -o generated --frame tool0\n"
    "  mbdyn codegen leg.urdf -o generated --functions gravity,inverse_dynamics --float\n"
    "  mbdyn codegen quadruped.urdf -o generated --base floating --prefix dog --verbose",
};

//---------- options ----------

typedef struct cli_options {
  codegen_options_t codegen;
  const char * directory;
  bool chosen;  // --functions was given
  bool verbose;
  frame_names_t frames;
} cli_options_t;

static const char *
take_directory(void * target, const char * value)
{
  ((cli_options_t *)target)->directory = value;
  return value[0] ? NULL : "a directory";
}

static const char *
take_functions(void * target, const char * value)
{
  cli_options_t * options = target;
  options->chosen = true;
  options->codegen.functions = 0;
  while (true) {
    const size_t length = strcspn(value, ",");
    int kind = 0;
    while (kind < NFUNCTION && (strlen(FUNCTIONS[kind].name) != length ||
                                strncmp(FUNCTIONS[kind].name, value, length) != 0)) {
      kind++;
    }
    if (kind == NFUNCTION) {
      return "names separated by commas of inverse_dynamics, gravity, bias, mass_matrix, "
             "forward_dynamics, pose, jacobian, inverse_dynamics_derivatives, "
             "forward_dynamics_derivatives";
    }
    options->codegen.functions |= 1u << kind;
    if (value[length] == 0) return NULL;
    value += length + 1;
  }
}

static const char *
take_frame(void * target, const char * value)
{
  return frame_names_take(&((cli_options_t *)target)->frames, value);
}

static const char *
take_reference(void * target, const char * value)
{
  return reference_take(&((cli_options_t *)target)->codegen.reference, value);
}

static const char *
take_terms(void * target, const char * value)
{
  uint32_t * terms = &((cli_options_t *)target)->codegen.terms;
  const char * expected = terms_take(terms, value);
  // generated code has no force elements
  return expected || (*terms & MBD_TERM_ELEMENTS) ? "friction, rotors, or both separated by a comma"
                                                  : NULL;
}

static const char *
take_float(void * target, const char * value)
{
  (void)value;
  ((cli_options_t *)target)->codegen.single = true;
  return NULL;
}

static const char *
take_prefix(void * target, const char * value)
{
  ((cli_options_t *)target)->codegen.prefix = value;
  const char * c = value;
  while (isalnum((unsigned char)*c) || *c == '_') c++;
  const bool name = *c == 0 && *value && !isdigit((unsigned char)*value) && c - value < 48;
  return name ? NULL : "a name in C of at most 47 letters, digits and underscores";
}

static const char *
take_snap(void * target, const char * value)
{
  char * end;
  const double x = strtod(value, &end);
  ((cli_options_t *)target)->codegen.snap = x;
  return end != value && *end == 0 && x >= 0 && x <= 1e-3 ? NULL
                                                          : "an angle in rad from 0 to 0.001";
}

static const char *
take_states(void * target, const char * value)
{
  char * end;
  const long n = strtol(value, &end, 10);
  ((cli_options_t *)target)->codegen.nstate = (int)n;
  return end != value && *end == 0 && n >= 1 && n <= 1000 ? NULL : "a number from 1 to 1000";
}

static const char *
set_vector_length(void * target, const char * value)
{
  const int n = strlen(value) == 1 ? value[0] - '0' : 0;
  ((cli_options_t *)target)->codegen.vector_length = n;
  return n == 1 || n == 2 || n == 4 ? NULL : "1, 2 or 4";
}

static const char *
take_verbose(void * target, const char * value)
{
  (void)value;
  ((cli_options_t *)target)->verbose = true;
  return NULL;
}

static const option_t OPTIONS[] = {
  {"-o", "DIR", "output directory; created if it does not exist", take_directory},
  {"--output", "DIR", "same as -o", take_directory},
  {"--functions", "LIST", "comma-separated functions to generate; default: all but derivatives",
   take_functions},
  {"--frame", "LINK", "generate pose and jacobian of this link; can be repeated", take_frame},
  {"--reference", "REFERENCE",
   "reference of Jacobians: local (origin and axes of the frame), world\n"
   "(origin and axes of the world), or local_world_aligned (origin of the\n"
   "frame, axes of the world; default)",
   take_reference},
  {"--with", "friction,rotors",
   "include joint friction and reflected rotor inertia in\n"
   "inverse_dynamics, forward_dynamics and mass_matrix",
   take_terms},
  {"--float", NULL, "use float unless NAME_FLOAT is defined as 0", take_float},
  {"--prefix", "NAME", "prefix of files, functions and types; default: the robot's name",
   take_prefix},
  {"--snap", "ANGLE",
   "snap angles within this tolerance to right angles, default 1e-11 rad;\n"
   "use 1e-5 for descriptions with rounded angles such as 1.5708",
   take_snap},
  {"--vectors", "N",
   "compute similar limbs (legs, arms, fingers) in vectors of N numbers: 2\n"
   "(default; SSE2, NEON), 4 (AVX2, or single precision), or 1 for plain C99\n"
   "without vectors (microcontrollers, compilers other than gcc and clang)",
   set_vector_length},
  {"--states", "N", "number of self-test states, default 8", take_states},
  {"--verbose", NULL, "print the operation count of each function", take_verbose},
  {NULL, NULL, NULL, NULL},
};

//---------- work ----------

static void
print_costs(const codegen_t * codegen)
{
  printf(
    "%-28s %10s %7s %7s %5s %7s   %s\n", "function", "operations", "add", "mul", "div", "angles",
    "float error");
  for (int k = 0; k < codegen->nfunction; k++) {
    const gen_function_t * f = &codegen->entry[k].function;
    const operations_t n = f->count;
    printf(
      "%-28s %10d %7d %7d %5d %7d   %.0e%s%s\n", f->name, operations_total(n), n.adds, n.muls,
      n.divs, n.angles, codegen->entry[k].float_error, f->method ? "  by " : "",
      f->method ? f->method : "");
  }
}

// angles that the author of the file may have meant to be right
static void
hint_snap(const char * path, const codegen_t * codegen)
{
  int near_right = 0;
  for (int i = 0; i < codegen->robot.n; i++) {
    const gen_body_t * body = &codegen->robot.body[i];
    const double angle[2] = {
      fmin(fabs(body->cos_alpha), fabs(body->sin_alpha)),
      fmin(fabs(body->cos_gamma), fabs(body->sin_gamma))};
    near_right += (angle[0] > 0 && angle[0] < 1e-4) || (angle[1] > 0 && angle[1] < 1e-4);
  }
  if (near_right == 0) return;
  fprintf(
    stderr,
    "%s: note: %d joint%s nearly at right angles, which costs operations; --snap 1e-4 snaps them\n",
    text_source_name(path), near_right, near_right == 1 ? " is" : "s are");
}

static bool
generate(const char * path, const mbd_model_t * model, const cli_options_t * options)
{
  codegen_t codegen;
  bool done = codegen_make(text_source_name(path), model, &options->codegen, &codegen) &&
              codegen_write(&codegen, options->directory);
  if (done && options->verbose) {
    print_costs(&codegen);
    hint_snap(path, &codegen);
  }
  codegen_free(&codegen);
  return done;
}

static bool
run_codegen(const char * path, const robot_options_t * how, cli_options_t * options)
{
  robot_t robot;
  int * frame = calloc((size_t)options->frames.n + 1, sizeof *frame);
  bool done = robot_load(path, how, &robot) && !robot_refuse_mimic(path, robot.model) && frame &&
              frame_names_find(&options->frames, path, robot.model, frame);
  if (done) robot_warn_forces(path, robot.model);
  options->codegen.nframe = options->frames.n;
  options->codegen.frame = frame;
  done = done && generate(path, robot.model, options);
  robot_free(&robot);
  free(frame);
  return done;
}

// what cannot be told from one option alone
static const char *
contradiction(cli_options_t * options)
{
  const unsigned of_frames = 1u << FUNCTION_POSE | 1u << FUNCTION_JACOBIAN;
  if (!options->directory) return "missing output directory: give -o DIR";
  if (!options->chosen && options->frames.n > 0) options->codegen.functions |= of_frames;
  const bool wanted = options->codegen.functions & of_frames;
  if (wanted && options->frames.n == 0) return "pose and jacobian need a --frame";
  if (!wanted && options->frames.n > 0) {
    return "--frame has no effect without pose or jacobian in --functions";
  }
  return NULL;
}

int
codegen_main(int argc, char ** argv)
{
  robot_options_t robot = robot_options_default();
  cli_options_t options = {.codegen = codegen_options_default()};
  const option_group_t groups[] = {{OPTIONS, &options}, {ROBOT_OPTIONS, &robot}, {NULL, NULL}};
  const char * path;
  int code = args_parse(&USAGE, groups, argc, argv, &path);
  const char * wrong = code < 0 ? contradiction(&options) : NULL;
  if (wrong) {
    fprintf(stderr, "mbdyn codegen: %s\ntry 'mbdyn codegen --help'\n", wrong);
    code = CLI_TROUBLE;
  }
  if (code < 0) code = run_codegen(path, &robot, &options) ? CLI_OK : CLI_TROUBLE;
  free(options.frames.name);
  return code;
}
