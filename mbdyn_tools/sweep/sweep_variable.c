// What a variable of a sweep sets, and its value at a point.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "joint_input.h"
#include "mbdyn/mbdyn.h"
#include "sweep.h"
#include "text.h"

//---------- names ----------

void
sweep_dof_name(const mbd_model_t * model, int index, char * name, size_t size)
{
  const mbd_model_t * tree = model->tree ? model->tree : model;
  const int dof = model->tree ? model->dof_tree[index] : index;
  const mbd_body_t * body = &tree->body[tree->dof_body[dof]];
  joint_dof_name(body, dof - body->v_index, name, size);
}

void
sweep_coordinate_name(const mbd_model_t * model, int index, char * name, size_t size)
{
  static const char * const FREE[7] = {"px", "py", "pz", "qx", "qy", "qz", "qw"};
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    const int k = index - body->q_index;
    if (k < 0 || k >= body->nq) continue;
    if (body->nq == body->nv)
      joint_dof_name(body, k, name, size);
    else if (body->nq == 7 || body->nq == 4)
      snprintf(name, size, "%s.%s", body->joint_name, FREE[k + 7 - body->nq]);
    else
      snprintf(name, size, "%s.%d", body->joint_name, k);
    return;
  }
  snprintf(name, size, "q%d", index);
}

//---------- targets ----------

static bool
find_coordinate(
  const sweep_plan_t * plan, const mbd_model_t * model, sweep_variable_t * x, const char * joint)
{
  char name[300];
  const bool position = x->target == SWEEP_Q || x->target == SWEEP_GOAL;
  const int n = position ? model->nq : model->nv;
  closest_t closest = closest_to(joint);
  for (x->index = 0; x->index < n; x->index++) {
    if (position)
      sweep_coordinate_name(model, x->index, name, sizeof name);
    else
      sweep_dof_name(model, x->index, name, sizeof name);
    if (strcmp(name, joint) == 0) return true;
  }
  for (int i = 0; i < model->nbody; i++) closest_offer(&closest, model->body[i].joint_name);
  return sweep_refuse(
    plan, x->line, "set: there is no joint '%s'%s%s", joint, closest_hint(&closest),
    position      ? ""
    : model->tree ? "; only independent joints have a velocity and a torque"
                  : "");
}

static bool
find_payload(
  const sweep_plan_t * plan, const mbd_model_t * model, sweep_variable_t * x, char * place)
{
  static const char * const FIELD[] = {"mass", "x", "y", "z", "radius"};
  char * dot = strrchr(place, '.');
  x->field = -1;
  for (int k = 0; dot && k < 5; k++) {
    if (strcmp(dot + 1, FIELD[k]) == 0) x->field = k;
  }
  if (x->field < 0)
    return sweep_refuse(
      plan, x->line, "set: payload.FRAME.mass, .x, .y, .z (its centre) or .radius, not '%s'",
      x->set);
  *dot = 0;
  x->unit = x->field == 0 ? "kg" : "m";
  if (mbd_find_frame(model, place, &x->index) == MBD_OK) return true;
  closest_t closest = closest_to(place);
  for (int i = 0; i < model->nframe; i++) closest_offer(&closest, model->frame[i].name);
  return sweep_refuse(
    plan, x->line, "set: there is no frame '%s'%s", place, closest_hint(&closest));
}

// by an edit of the file with this value
static bool
find_edit(const sweep_plan_t * plan, sweep_variable_t * x)
{
  const char * missing = NULL;
  size_t size;
  double values[SWEEP_MAX_VARIABLES] = {0};
  const int k = (int)(x - plan->variable);
  values[k] = x->law == SWEEP_VALUES ? x->value[0] : x->a;
  x->target = SWEEP_EDIT;
  const bool urdf = strncmp(x->set, "link.", 5) == 0 || strncmp(x->set, "joint.", 6) == 0;
  if (urdf ? !plan->robot_text : !plan->mechanism_text)
    return sweep_refuse(
      plan, x->line, "set: '%s' is of a %s, and the sweep has none", x->set,
      urdf ? "URDF" : "mechanism file");
  // only this one: others are not known yet
  sweep_plan_t alone = *plan;
  alone.variable = x;
  alone.nvariable = 1;
  char * text = urdf ? sweep_edit_urdf(&alone, &values[k], &size, &missing)
                     : sweep_edit_mechanism(&alone, &values[k], &size, &missing);
  const bool ok = text != NULL;
  free(text);
  if (ok) return true;
  return sweep_refuse(plan, x->line, "set: '%s': %s", x->set, missing ? missing : "out of memory");
}

bool
sweep_find_target(const sweep_plan_t * plan, const mbd_model_t * model, sweep_variable_t * x)
{
  static const struct {
    const char *prefix, *unit;
    sweep_target_t target;
    bool controller, all;
  } KIND[] = {
    {"q", "rad or m", SWEEP_Q, false, false},
    {"v", "rad/s or m/s", SWEEP_V, false, false},
    {"a", "rad/s^2 or m/s^2", SWEEP_A, false, false},
    {"tau", "N m or N", SWEEP_TAU, false, false},
    {"kp", "N m/rad or N/m", SWEEP_KP, true, true},
    {"kd", "N m s/rad or N s/m", SWEEP_KD, true, true},
    {"goal", "rad or m", SWEEP_GOAL, true, false},
  };
  char set[SWEEP_NAME];
  snprintf(set, sizeof set, "%s", x->set);
  char * dot = strchr(set, '.');
  char * rest = dot ? dot + 1 : NULL;
  if (dot) *dot = 0;
  for (size_t k = 0; k < sizeof KIND / sizeof KIND[0]; k++) {
    if (strcmp(set, KIND[k].prefix) != 0) continue;
    x->target = KIND[k].target;
    x->unit = KIND[k].unit;
    if (KIND[k].controller && !plan->controller.present)
      return sweep_refuse(
        plan, x->line, "set: '%s' is of a controller, and simulate has none", x->set);
    if (x->target == SWEEP_A && plan->simulate)
      return sweep_refuse(
        plan, x->line, "set: accelerations are results of a simulation; set q, v or tau");
    if (!rest && KIND[k].all) {
      x->index = -1;
      return true;
    }
    if (!rest) return sweep_refuse(plan, x->line, "set: '%s' needs a joint: %s.JOINT", set, set);
    return find_coordinate(plan, model, x, rest);
  }
  if (strcmp(set, "payload") == 0 && rest) {
    x->target = SWEEP_PAYLOAD;
    return find_payload(plan, model, x, rest);
  }
  if (strcmp(set, "gravity") == 0 && rest && strlen(rest) == 1 && strchr("xyz", *rest)) {
    x->target = SWEEP_GRAVITY;
    x->unit = "m/s^2";
    x->index = *rest - 'x';
    return true;
  }
  static const char * const EDIT[] = {"link",   "joint",    "bodies",  "joints", "closures",
                                      "forces", "bearings", "drivers", "initial"};
  closest_t closest = closest_to(set);
  for (size_t k = 0; k < sizeof EDIT / sizeof EDIT[0]; k++) {
    if (strcmp(set, EDIT[k]) == 0) {
      x->unit = "";
      return find_edit(plan, x);
    }
    closest_offer(&closest, EDIT[k]);
  }
  for (size_t k = 0; k < sizeof KIND / sizeof KIND[0]; k++) closest_offer(&closest, KIND[k].prefix);
  closest_offer(&closest, "payload");
  closest_offer(&closest, "gravity");
  return sweep_refuse(
    plan, x->line,
    "set: '%s' is not known%s; there are q, v, a, tau, payload, gravity, kp, kd, goal, link and "
    "joint of a URDF, and sections of a mechanism file (docs/sweep.md)",
    x->set, closest_hint(&closest));
}

//---------- values ----------

// SplitMix64: every input gives an output of its own, so that a point needs no history
static uint64_t
scramble(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

// in (0, 1)
static double
random_unit(uint64_t seed, uint64_t point, uint64_t stream)
{
  const uint64_t bits = scramble(scramble(scramble(seed) ^ point) ^ stream);
  return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

double
sweep_value(const sweep_plan_t * plan, int variable, uint64_t point)
{
  const sweep_variable_t * x = &plan->variable[variable];
  if (x->law >= SWEEP_UNIFORM) {
    const double u = random_unit(plan->seed, point, 2 * (uint64_t)variable);
    if (x->law == SWEEP_UNIFORM) return x->a + (x->b - x->a) * u;
    // Box and Muller
    const double w = random_unit(plan->seed, point, 2 * (uint64_t)variable + 1);
    return x->a + x->b * sqrt(-2 * log(u)) * cos(2 * M_PI * w);
  }
  // the last variable changes first, samples of a grid point faster still
  uint64_t k = point / plan->samples;
  for (int i = plan->nvariable - 1; i > variable; i--) {
    if (plan->variable[i].law < SWEEP_UNIFORM) k /= plan->variable[i].count;
  }
  k %= x->count;
  if (x->law == SWEEP_VALUES) return x->value[k];
  if (x->count == 1) return x->a;
  if (k == x->count - 1) return x->b;
  return x->a + (x->b - x->a) * ((double)k / (double)(x->count - 1));
}
