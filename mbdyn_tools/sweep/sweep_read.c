// The sweep file, read into a plan.
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "robot_options.h"
#include "sweep.h"
#include "text.h"
#include "yaml_tree.h"

typedef struct reader {
  sweep_plan_t * plan;
  yaml_document_t * tree;
} reader_t;

bool
sweep_refuse(const sweep_plan_t * plan, int line, const char * format, ...)
{
  va_list args;
  va_start(args, format);
  if (line > 0)
    fprintf(stderr, "%s:%d: ", plan->path, line);
  else
    fprintf(stderr, "%s: ", plan->path);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  return false;
}

//---------- nodes ----------

// one key of a mapping and who reads its value
typedef struct key {
  const char * name;
  bool (*take)(reader_t * r, const yaml_node_t * value, void * to);
} entry_t;

static const char *
scalar(const yaml_node_t * node)
{
  return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *
node_at(const reader_t * r, int index)
{
  return yaml_document_get_node(r->tree, index);
}

// every key must be in the table, which ends with NULL, and only once
static bool
read_mapping(
  reader_t * r, const yaml_node_t * node, const char * what, const entry_t * table, void * to)
{
  if (node->type != YAML_MAPPING_NODE)
    return sweep_refuse(r->plan, yaml_tree_line(node), "%s must be a mapping of keys", what);
  uint64_t seen = 0;
  for (const yaml_node_pair_t * p = node->data.mapping.pairs.start;
       p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * key = node_at(r, p->key);
    const char * name = scalar(key) ? scalar(key) : "?";
    int k = 0;
    while (table[k].name && strcmp(table[k].name, name) != 0) k++;
    if (!table[k].name) {
      closest_t closest = closest_to(name);
      for (int i = 0; table[i].name; i++) closest_offer(&closest, table[i].name);
      return sweep_refuse(
        r->plan, yaml_tree_line(key), "%s has no key '%s'%s", what, name, closest_hint(&closest));
    }
    if (seen & (UINT64_C(1) << k))
      return sweep_refuse(r->plan, yaml_tree_line(key), "'%s' is there twice", name);
    seen |= UINT64_C(1) << k;
    if (!table[k].take(r, node_at(r, p->value), to)) return false;
  }
  return true;
}

static bool
read_number(reader_t * r, const yaml_node_t * node, const char * what, double * x)
{
  const char * text = scalar(node);
  char * end = NULL;
  *x = text ? strtod(text, &end) : 0;
  if (!text || end == text || *end || !isfinite(*x))
    return sweep_refuse(
      r->plan, yaml_tree_line(node), "%s must be a finite number%s%s%s", what,
      text ? ", not '" : "", text ? text : "", text ? "'" : "");
  return true;
}

static bool
read_count(reader_t * r, const yaml_node_t * node, const char * what, uint64_t least, uint64_t * n)
{
  double x;
  if (!read_number(r, node, what, &x)) return false;
  if (x != floor(x) || x < (double)least || x > 0x1p53)
    return sweep_refuse(
      r->plan, yaml_tree_line(node), "%s must be a whole number of at least %llu", what,
      (unsigned long long)least);
  *n = (uint64_t)x;
  return true;
}

static bool
read_bool(reader_t * r, const yaml_node_t * node, const char * what, bool * x)
{
  const char * text = scalar(node);
  *x = text && strcmp(text, "true") == 0;
  return *x || (text && strcmp(text, "false") == 0) ||
         sweep_refuse(r->plan, yaml_tree_line(node), "%s must be true or false", what);
}

static bool
read_text(reader_t * r, const yaml_node_t * node, const char * what, char * to, size_t size)
{
  const char * text = scalar(node);
  if (!text || !*text || strlen(text) >= size)
    return sweep_refuse(
      r->plan, yaml_tree_line(node), "%s must be a text of at most %zu characters", what, size - 1);
  snprintf(to, size, "%s", text);
  return true;
}

// a path is relative to the sweep file
static bool
read_path(reader_t * r, const yaml_node_t * node, const char * what, char * to)
{
  char path[2048], own[4096];
  if (!read_text(r, node, what, path, sizeof path)) return false;
  snprintf(own, sizeof own, "%s", r->plan->path);
  if (path[0] == '/' || !strchr(r->plan->path, '/'))
    snprintf(to, 4096, "%s", path);
  else
    snprintf(to, 4096, "%.2000s/%s", dirname(own), path);
  return true;
}

//---------- variables ----------

static bool
take_name(reader_t * r, const yaml_node_t * node, void * to)
{
  return read_text(r, node, "name", ((sweep_variable_t *)to)->name, SWEEP_NAME);
}

static bool
take_set(reader_t * r, const yaml_node_t * node, void * to)
{
  return read_text(r, node, "set", ((sweep_variable_t *)to)->set, SWEEP_NAME);
}

static bool
set_law(reader_t * r, const yaml_node_t * node, sweep_variable_t * x, sweep_law_t law, int size)
{
  const int n = node->type == YAML_SEQUENCE_NODE
                  ? (int)(node->data.sequence.items.top - node->data.sequence.items.start)
                  : -1;
  if (x->count > 0 || x->b > 0 || x->a != 0)
    return sweep_refuse(
      r->plan, yaml_tree_line(node), "a variable has one of grid, values, uniform and normal");
  x->law = law;
  if (size > 0 ? n == size : n > 0) return true;
  static const char * const expected[] = {
    "[first, last, how many]", "a list of numbers", "[lower, upper]", "[mean, standard deviation]"};
  return sweep_refuse(r->plan, yaml_tree_line(node), "expected %s", expected[law]);
}

static const yaml_node_t *
item(const reader_t * r, const yaml_node_t * node, int k)
{
  return node_at(r, node->data.sequence.items.start[k]);
}

static bool
take_grid(reader_t * r, const yaml_node_t * node, void * to)
{
  sweep_variable_t * x = to;
  return set_law(r, node, x, SWEEP_GRID, 3) && read_number(r, item(r, node, 0), "first", &x->a) &&
         read_number(r, item(r, node, 1), "last", &x->b) &&
         read_count(r, item(r, node, 2), "how many", 1, &x->count);
}

static bool
take_values(reader_t * r, const yaml_node_t * node, void * to)
{
  sweep_variable_t * x = to;
  if (!set_law(r, node, x, SWEEP_VALUES, 0)) return false;
  x->count = (uint64_t)(node->data.sequence.items.top - node->data.sequence.items.start);
  x->value = calloc(x->count, sizeof *x->value);
  if (!x->value) return sweep_refuse(r->plan, 0, "out of memory");
  for (uint64_t k = 0; k < x->count; k++) {
    if (!read_number(r, item(r, node, (int)k), "a value", &x->value[k])) return false;
  }
  return true;
}

static bool
take_uniform(reader_t * r, const yaml_node_t * node, void * to)
{
  sweep_variable_t * x = to;
  if (
    !set_law(r, node, x, SWEEP_UNIFORM, 2) || !read_number(r, item(r, node, 0), "lower", &x->a) ||
    !read_number(r, item(r, node, 1), "upper", &x->b))
    return false;
  return x->a < x->b ||
         sweep_refuse(r->plan, yaml_tree_line(node), "uniform: the first must be below the second");
}

static bool
take_normal(reader_t * r, const yaml_node_t * node, void * to)
{
  sweep_variable_t * x = to;
  if (
    !set_law(r, node, x, SWEEP_NORMAL, 2) || !read_number(r, item(r, node, 0), "mean", &x->a) ||
    !read_number(r, item(r, node, 1), "standard deviation", &x->b))
    return false;
  return x->b > 0 ||
         sweep_refuse(
           r->plan, yaml_tree_line(node), "normal: the standard deviation must be positive");
}

static const entry_t VARIABLE[] = {
  {"name", take_name},       {"set", take_set},       {"grid", take_grid}, {"values", take_values},
  {"uniform", take_uniform}, {"normal", take_normal}, {NULL, NULL}};

static bool
take_variables(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  sweep_plan_t * plan = r->plan;
  if (node->type != YAML_SEQUENCE_NODE)
    return sweep_refuse(plan, yaml_tree_line(node), "variables must be a list");
  const int n = (int)(node->data.sequence.items.top - node->data.sequence.items.start);
  if (n < 1 || n > SWEEP_MAX_VARIABLES)
    return sweep_refuse(
      plan, yaml_tree_line(node), "variables: 1 to %d, not %d", SWEEP_MAX_VARIABLES, n);
  plan->variable = calloc((size_t)n, sizeof *plan->variable);
  if (!plan->variable) return sweep_refuse(plan, 0, "out of memory");
  for (int k = 0; k < n; k++) {
    sweep_variable_t * x = &plan->variable[plan->nvariable++];
    const yaml_node_t * entry = item(r, node, k);
    x->line = yaml_tree_line(entry);
    if (!read_mapping(r, entry, "a variable", VARIABLE, x)) return false;
    if (!x->set[0]) return sweep_refuse(plan, x->line, "a variable needs 'set': what it sets");
    if (x->law <= SWEEP_VALUES && x->count == 0)
      return sweep_refuse(
        plan, x->line, "'%s' needs one of grid, values, uniform and normal", x->set);
    if (!x->name[0]) snprintf(x->name, sizeof x->name, "%s", x->set);
    for (int i = 0; i < k; i++) {
      if (
        strcmp(plan->variable[i].name, x->name) == 0 || strcmp(plan->variable[i].set, x->set) == 0)
        return sweep_refuse(plan, x->line, "'%s' is there twice", x->name);
    }
  }
  return true;
}

//---------- what is computed ----------

typedef struct task {
  const yaml_node_t *outputs, *controller;
  const yaml_node_t *kp, *kd, *goal;  // of the controller
  char method[32];
  double time, rtol, atol, step, max_step;  // 0: not given
} task_t;

#define TAKE_NUMBER(name, field)                                                              \
  static bool take_##field(reader_t * r, const yaml_node_t * node, void * to)                 \
  {                                                                                           \
    double * x = &((task_t *)to)->field;                                                      \
    return read_number(r, node, name, x) &&                                                   \
           (*x > 0 || sweep_refuse(r->plan, yaml_tree_line(node), name " must be positive")); \
  }
TAKE_NUMBER("time", time)
TAKE_NUMBER("rtol", rtol)
TAKE_NUMBER("atol", atol)
TAKE_NUMBER("step", step)
TAKE_NUMBER("max_step", max_step)

#define TAKE_NODE(field)                                                      \
  static bool take_##field(reader_t * r, const yaml_node_t * node, void * to) \
  {                                                                           \
    (void)r;                                                                  \
    ((task_t *)to)->field = node;                                             \
    return true;                                                              \
  }
TAKE_NODE(outputs)
TAKE_NODE(controller)
TAKE_NODE(kp)
TAKE_NODE(kd)
TAKE_NODE(goal)

static bool
take_method(reader_t * r, const yaml_node_t * node, void * to)
{
  task_t * t = to;
  if (!read_text(r, node, "method", t->method, sizeof t->method)) return false;
  for (int m = 0; m < MBD_METHODS; m++) {
    if (strcmp(mbd_method_name((mbd_method_t)m), t->method) != 0) continue;
    r->plan->options.ode.method = (mbd_method_t)m;
    return true;
  }
  closest_t closest = closest_to(t->method);
  for (int m = 0; m < MBD_METHODS; m++) closest_offer(&closest, mbd_method_name((mbd_method_t)m));
  return sweep_refuse(
    r->plan, yaml_tree_line(node), "there is no method '%s'%s", t->method, closest_hint(&closest));
}

static const entry_t SIMULATE[] = {
  {"time", take_time},
  {"method", take_method},
  {"rtol", take_rtol},
  {"atol", take_atol},
  {"step", take_step},
  {"max_step", take_max_step},
  {"outputs", take_outputs},
  {"controller", take_controller},
  {NULL, NULL}};
static const entry_t EVALUATE[] = {{"outputs", take_outputs}, {NULL, NULL}};

static bool
take_gravity_flag(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  return read_bool(r, node, "gravity", &r->plan->controller.gravity);
}

static bool
take_effort_limits(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  return read_bool(r, node, "effort_limits", &r->plan->controller.effort_limits);
}

static const entry_t CONTROLLER[] = {
  {"gravity", take_gravity_flag},
  {"effort_limits", take_effort_limits},
  {"kp", take_kp},
  {"kd", take_kd},
  {"goal", take_goal},
  {NULL, NULL}};

// a joint or a coordinate by its name, in q or in v
static int
find_entry(const mbd_model_t * model, const char * name, bool position, closest_t * closest)
{
  char own[300];
  const int n = position ? model->nq : model->nv;
  for (int k = 0; k < n; k++) {
    if (position)
      sweep_coordinate_name(model, k, own, sizeof own);
    else
      sweep_dof_name(model, k, own, sizeof own);
    if (strcmp(own, name) == 0) return k;
  }
  for (int i = 0; closest && i < model->nbody; i++)
    closest_offer(closest, model->body[i].joint_name);
  return -1;
}

// a number for all, or a mapping of joints
static bool
read_joints(
  reader_t * r, const yaml_node_t * node, const char * what, const mbd_model_t * model,
  bool position, bool all, double * x)
{
  const int n = position ? model->nq : model->nv;
  if (!node) return true;
  if (all && scalar(node)) {
    double value;
    if (!read_number(r, node, what, &value)) return false;
    for (int k = 0; k < n; k++) x[k] = value;
    return true;
  }
  if (node->type != YAML_MAPPING_NODE)
    return sweep_refuse(
      r->plan, yaml_tree_line(node), "%s must be %sa mapping {JOINT: number}", what,
      all ? "a number or " : "");
  for (const yaml_node_pair_t * p = node->data.mapping.pairs.start;
       p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t * key = node_at(r, p->key);
    const char * name = scalar(key) ? scalar(key) : "?";
    closest_t closest = closest_to(name);
    const int k = find_entry(model, name, position, &closest);
    if (k < 0)
      return sweep_refuse(
        r->plan, yaml_tree_line(key), "%s: there is no joint '%s'%s", what, name,
        closest_hint(&closest));
    if (!read_number(r, node_at(r, p->value), what, &x[k])) return false;
  }
  return true;
}

static bool
read_outputs(reader_t * r, const yaml_node_t * node, const mbd_model_t * model)
{
  sweep_plan_t * plan = r->plan;
  plan->output = calloc(SWEEP_MAX_OUTPUTS, sizeof *plan->output);
  if (!plan->output) return sweep_refuse(plan, 0, "out of memory");
  if (!node) {
    return plan->simulate
             ? sweep_add_output(plan, model, "q", 0) && sweep_add_output(plan, model, "v", 0) &&
                 sweep_add_output(plan, model, "peak_tau", 0) &&
                 sweep_add_output(plan, model, "energy_error", 0)
             : sweep_add_output(plan, model, "tau", 0);
  }
  const int n = node->type == YAML_SEQUENCE_NODE
                  ? (int)(node->data.sequence.items.top - node->data.sequence.items.start)
                  : 0;
  if (n < 1 || n > SWEEP_MAX_OUTPUTS)
    return sweep_refuse(
      plan, yaml_tree_line(node), "outputs must be a list of 1 to %d names", SWEEP_MAX_OUTPUTS);
  for (int k = 0; k < n; k++) {
    char name[SWEEP_NAME];
    if (
      !read_text(r, item(r, node, k), "an output", name, sizeof name) ||
      !sweep_add_output(plan, model, name, yaml_tree_line(item(r, node, k))))
      return false;
  }
  return true;
}

//---------- the file ----------

typedef struct top {
  const yaml_node_t *simulate, *evaluate, *initial;
  bool robot_given, mechanism_given;
} top_t;

static bool
take_robot(reader_t * r, const yaml_node_t * node, void * to)
{
  ((top_t *)to)->robot_given = true;
  return read_path(r, node, "robot", r->plan->robot);
}

static bool
take_mechanism(reader_t * r, const yaml_node_t * node, void * to)
{
  ((top_t *)to)->mechanism_given = true;
  return read_path(r, node, "mechanism", r->plan->mechanism);
}

static bool
take_title(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  return read_text(r, node, "name", r->plan->name, sizeof r->plan->name);
}

static bool
take_samples(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  r->plan->has_samples = true;
  return read_count(r, node, "samples", 1, &r->plan->samples);
}

static bool
take_seed(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  return read_count(r, node, "seed", 0, &r->plan->seed);
}

static bool
take_base(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  const char * text = scalar(node);
  r->plan->floating = text && strcmp(text, "floating") == 0;
  return r->plan->floating || (text && strcmp(text, "fixed") == 0) ||
         sweep_refuse(r->plan, yaml_tree_line(node), "base must be fixed or floating");
}

static bool
take_friction(reader_t * r, const yaml_node_t * node, void * to)
{
  (void)to;
  return read_bool(r, node, "friction", &r->plan->friction);
}

#define TAKE_SECTION(field)                                                             \
  static bool take_##field##_section(reader_t * r, const yaml_node_t * node, void * to) \
  {                                                                                     \
    (void)r;                                                                            \
    ((top_t *)to)->field = node;                                                        \
    return true;                                                                        \
  }
TAKE_SECTION(simulate)
TAKE_SECTION(evaluate)
TAKE_SECTION(initial)

static const entry_t TOP[] = {
  {"name", take_title},
  {"robot", take_robot},
  {"mechanism", take_mechanism},
  {"base", take_base},
  {"friction", take_friction},
  {"samples", take_samples},
  {"seed", take_seed},
  {"variables", take_variables},
  {"initial", take_initial_section},
  {"evaluate", take_evaluate_section},
  {"simulate", take_simulate_section},
  {NULL, NULL}};

// {JOINT: q} or {JOINT: {q: ., v: ., a: ., tau: .}}
static bool
read_initial(reader_t * r, const yaml_node_t * node, const mbd_model_t * model)
{
  sweep_plan_t * plan = r->plan;
  if (!node) return true;
  if (node->type != YAML_MAPPING_NODE)
    return sweep_refuse(plan, yaml_tree_line(node), "initial must be a mapping of joints");
  for (const yaml_node_pair_t * p = node->data.mapping.pairs.start;
       p < node->data.mapping.pairs.top; p++) {
    const yaml_node_t *key = node_at(r, p->key), *value = node_at(r, p->value);
    const char * name = scalar(key) ? scalar(key) : "?";
    closest_t closest = closest_to(name);
    const int q = find_entry(model, name, true, &closest), v = find_entry(model, name, false, NULL);
    if (q < 0 && v < 0)
      return sweep_refuse(
        plan, yaml_tree_line(key), "initial: there is no joint '%s'%s", name,
        closest_hint(&closest));
    if (scalar(value)) {
      if (q < 0 || !read_number(r, value, "a position", &plan->q[q])) return false;
      continue;
    }
    if (value->type != YAML_MAPPING_NODE)
      return sweep_refuse(
        plan, yaml_tree_line(value), "expected a position or {q: ., v: ., a: ., tau: .}");
    for (const yaml_node_pair_t * s = value->data.mapping.pairs.start;
         s < value->data.mapping.pairs.top; s++) {
      const char * what = scalar(node_at(r, s->key)) ? scalar(node_at(r, s->key)) : "?";
      double * to = strcmp(what, "q") == 0 && q >= 0     ? &plan->q[q]
                    : strcmp(what, "v") == 0 && v >= 0   ? &plan->v[v]
                    : strcmp(what, "a") == 0 && v >= 0   ? &plan->a[v]
                    : strcmp(what, "tau") == 0 && v >= 0 ? &plan->tau[v]
                                                         : NULL;
      if (!to)
        return sweep_refuse(
          plan, yaml_tree_line(node_at(r, s->key)), "'%s' has no '%s'; there are q, v, a and tau",
          name, what);
      if (!read_number(r, node_at(r, s->value), what, to)) return false;
    }
  }
  return true;
}

static bool
take_memory(sweep_plan_t * plan, const mbd_model_t * model)
{
  const size_t nq = (size_t)model->nq, nv = (size_t)model->nv;
  double * x = calloc(2 * nq + 5 * nv + 1, sizeof *x);
  if (!x) return sweep_refuse(plan, 0, "out of memory");
  plan->q = x;
  plan->controller.goal = x + nq;
  plan->v = x + 2 * nq;
  plan->a = plan->v + nv;
  plan->tau = plan->a + nv;
  plan->controller.kp = plan->tau + nv;
  plan->controller.kd = plan->controller.kp + nv;
  // not given
  for (size_t k = 0; k < 2 * nq + nv; k++) x[k] = NAN;
  return true;
}

static bool
read_task(reader_t * r, const top_t * top, const sweep_model_t * loaded)
{
  sweep_plan_t * plan = r->plan;
  const mbd_model_t * model = loaded->model;
  task_t task = {0};
  if (plan->simulate) {
    if (!read_mapping(r, top->simulate, "simulate", SIMULATE, &task)) return false;
    const mbdx_simulate_t none = {0},
                          *file = loaded->mechanism ? &loaded->mechanism->simulate : &none;
    if (!task.method[0] && file->method[0]) {
      for (int m = 0; m < MBD_METHODS; m++) {
        if (strcmp(mbd_method_name((mbd_method_t)m), file->method) == 0)
          plan->options.ode.method = (mbd_method_t)m;
      }
    }
#define CHOOSE(given, otherwise) ((given) > 0 ? (given) : (otherwise))
    plan->time = CHOOSE(task.time, CHOOSE(file->time, 10));
    mbd_ode_options_t * ode = &plan->options.ode;
    ode->rtol = CHOOSE(task.rtol, CHOOSE(file->rtol, 1e-8));
    ode->atol = CHOOSE(task.atol, CHOOSE(file->atol, ode->rtol));
    ode->step = CHOOSE(task.step, CHOOSE(file->step, ode->step));
    ode->step_max = CHOOSE(task.max_step, CHOOSE(file->max_step, ode->step_max));
    if (ode->rtol < 1e-14 || ode->rtol > 1)
      return sweep_refuse(plan, yaml_tree_line(top->simulate), "rtol must be between 1e-14 and 1");
  } else if (
    top->evaluate && !scalar(top->evaluate) &&
    !read_mapping(r, top->evaluate, "evaluate", EVALUATE, &task)) {
    return false;
  }
  if (task.controller) {
    plan->controller.present = plan->controller.gravity = plan->controller.effort_limits = true;
    if (
      !read_mapping(r, task.controller, "controller", CONTROLLER, &task) ||
      !read_joints(r, task.kp, "kp", model, false, true, plan->controller.kp) ||
      !read_joints(r, task.kd, "kd", model, false, true, plan->controller.kd) ||
      !read_joints(r, task.goal, "goal", model, true, false, plan->controller.goal))
      return false;
  }
  return read_outputs(r, task.outputs, model);
}

//---------- points ----------

static bool
count_points(sweep_plan_t * plan)
{
  bool random = false;
  uint64_t n = 1;
  for (int i = 0; i < plan->nvariable; i++) {
    const sweep_variable_t * x = &plan->variable[i];
    random |= x->law >= SWEEP_UNIFORM;
    if (x->law >= SWEEP_UNIFORM) continue;
    if (n > (UINT64_C(1) << 40) / x->count)
      return sweep_refuse(plan, x->line, "more than 2^40 points; use a coarser grid, or samples");
    n *= x->count;
  }
  if (random && !plan->has_samples)
    return sweep_refuse(
      plan, 0, "uniform and normal variables need 'samples': how many points are drawn");
  if (!random && plan->has_samples)
    return sweep_refuse(
      plan, 0, "'samples' is only for uniform and normal variables; a grid has its own points");
  if (!random) plan->samples = 1;
  if (n > (UINT64_C(1) << 40) / plan->samples)
    return sweep_refuse(plan, 0, "more than 2^40 points; use a coarser grid or fewer samples");
  plan->npoint = n * plan->samples;
  // a chunk is what may have to be computed again after a crash
  plan->chunk = plan->simulate || plan->nedit > 0 ? 1 : 8192;
  plan->nchunk = (plan->npoint + plan->chunk - 1) / plan->chunk;
  return true;
}

// FNV-1a
static uint64_t
mix(uint64_t hash, const void * bytes, size_t n)
{
  const unsigned char * p = bytes;
  for (size_t i = 0; i < n; i++) hash = (hash ^ p[i]) * UINT64_C(1099511628211);
  return hash;
}

static bool
fingerprint(sweep_plan_t * plan, const char * text, size_t size)
{
  uint64_t hash = mix(UINT64_C(14695981039346656037), text, size);
  hash = mix(hash, MBDYN_VERSION, sizeof MBDYN_VERSION);
  if (plan->robot_text) hash = mix(hash, plan->robot_text, plan->robot_size);
  if (plan->mechanism_text) hash = mix(hash, plan->mechanism_text, plan->mechanism_size);
  if (plan->beside[0] && !plan->mechanism_text) {
    size_t n;
    char * beside = text_read_all(plan->beside, &n);
    if (!beside) return false;
    hash = mix(hash, beside, n);
    free(beside);
  }
  plan->fingerprint = hash;
  return true;
}

static bool
read_texts(sweep_plan_t * plan, const top_t * top)
{
  if (!top->robot_given && !top->mechanism_given)
    return sweep_refuse(plan, 0, "'robot' or 'mechanism' is missing: the file of what is swept");
  if (top->robot_given) {
    if (!(plan->robot_text = robot_text(plan->robot, &plan->robot_size))) return false;
    robot_options_t options = robot_options_default();
    if (!top->mechanism_given) {
      if (!robot_find_loops(plan->robot, &options, plan->beside, sizeof plan->beside)) return false;
      if (!options.urdf.loops_file) plan->beside[0] = 0;
      plan->beside_is_mechanism = options.urdf.mechanism;
    }
  }
  if (plan->beside_is_mechanism) {
    snprintf(plan->mechanism, sizeof plan->mechanism, "%s", plan->beside);
    plan->beside[0] = 0;
  }
  if (plan->mechanism[0])
    plan->mechanism_text = text_read_all(plan->mechanism, &plan->mechanism_size);
  return !plan->mechanism[0] || plan->mechanism_text;
}

static bool
read_rest(reader_t * r, const top_t * top)
{
  sweep_plan_t * plan = r->plan;
  if ((top->simulate != NULL) == (top->evaluate != NULL))
    return sweep_refuse(plan, 0, "one of 'simulate' and 'evaluate' says what is computed");
  plan->simulate = top->simulate != NULL;
  if (!plan->nvariable) return sweep_refuse(plan, 0, "'variables' is missing");
  if (!read_texts(plan, top)) return false;
  sweep_model_t loaded = sweep_model_load(plan, NULL);
  robot_print_report(stderr, loaded.report, MBDX_WARNING);
  bool ok = loaded.status == MBD_OK;
  if (!ok && (!loaded.report || loaded.report->nerror == 0))
    fprintf(
      stderr, "%s: %s\n", plan->robot[0] ? plan->robot : plan->mechanism,
      mbd_status_string(loaded.status));
  if (ok && loaded.model->nv == 0)
    ok = sweep_refuse(
      plan, 0, "nothing of %s can move", plan->robot[0] ? plan->robot : plan->mechanism);
  if (ok && !plan->simulate && loaded.model->nclosure > 0 && !loaded.model->tree)
    ok = sweep_refuse(
      plan, 0,
      "evaluate is not for mechanism files with closures, whose torques are not unique; use "
      "simulate, or a URDF with a loops file");
  ok = ok && take_memory(plan, loaded.model) && read_initial(r, top->initial, loaded.model) &&
       read_task(r, top, &loaded);
  for (int k = 0; ok && k < plan->nvariable; k++) {
    ok = sweep_find_target(plan, loaded.model, &plan->variable[k]);
    plan->nedit += plan->variable[k].target == SWEEP_EDIT;
  }
  ok = ok && sweep_name_columns(plan, loaded.model);
  sweep_model_free(&loaded);
  return ok && count_points(plan);
}

bool
sweep_read(sweep_plan_t * plan, const char * path)
{
  *plan =
    (sweep_plan_t){.path = path, .friction = true, .options = mbd_simulation_options_default()};
  plan->options.ode.method = MBD_METHOD_AUTO;
  size_t size;
  char * text = text_read_all(path, &size);
  if (!text) return false;
  yaml_fault_t fault;
  reader_t r = {.plan = plan, .tree = yaml_tree_read(text, size, false, &fault)};
  bool ok = r.tree != NULL;
  if (!ok) {
    sweep_refuse(plan, (int)fault.line, "%s", fault.what ? fault.what : "is not valid YAML");
  } else {
    const yaml_node_t * root = yaml_document_get_root_node(r.tree);
    top_t top = {0};
    ok = root ? read_mapping(&r, root, "a sweep", TOP, &top) && read_rest(&r, &top) &&
                  fingerprint(plan, text, size)
              : sweep_refuse(plan, 1, "the file is empty");
    yaml_tree_free(r.tree);
  }
  free(text);
  return ok;
}

void
sweep_free(sweep_plan_t * plan)
{
  for (int i = 0; i < plan->nvariable; i++) free(plan->variable[i].value);
  for (int i = 0; plan->column && i < plan->ncolumn; i++) free(plan->column[i]);
  free(plan->column);
  free(plan->unit);
  free(plan->variable);
  free(plan->output);
  free(plan->robot_text);
  free(plan->mechanism_text);
  free(plan->q);  // and all behind it
}
