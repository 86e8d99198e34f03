// What a row of a sweep has beside its variables, and the names of its columns.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mbdyn.h"
#include "sweep.h"
#include "text.h"

static const struct output_name {
  const char *name, *unit;
  bool simulate, evaluate, of_frame;
} OUTPUT[SWEEP_OUT_KINDS] = {
  [SWEEP_OUT_TAU] = {"tau", "N m or N", false, true, false},
  [SWEEP_OUT_GRAVITY] = {"gravity", "N m or N", false, true, false},
  [SWEEP_OUT_QDD] = {"qdd", "rad/s^2 or m/s^2", false, true, false},
  [SWEEP_OUT_KINETIC] = {"kinetic_energy", "J", true, true, false},
  [SWEEP_OUT_POTENTIAL] = {"potential_energy", "J", true, true, false},
  [SWEEP_OUT_CENTER] = {"center_of_mass", "m", true, true, false},
  [SWEEP_OUT_POSITION] = {"position", "m", true, true, true},
  [SWEEP_OUT_END_Q] = {"q", "rad or m", true, false, false},
  [SWEEP_OUT_END_V] = {"v", "rad/s or m/s", true, false, false},
  [SWEEP_OUT_PEAK_TAU] = {"peak_tau", "N m or N", true, false, false},
  [SWEEP_OUT_RMS_TAU] = {"rms_tau", "N m or N", true, false, false},
  [SWEEP_OUT_PEAK_V] = {"peak_v", "rad/s or m/s", true, false, false},
  [SWEEP_OUT_ERROR] = {"error", "rad or m", true, false, false},
  [SWEEP_OUT_ENERGY_ERROR] = {"energy_error", "J", true, false, false},
  [SWEEP_OUT_TIME] = {"time", "s", true, false, false},
  [SWEEP_OUT_STEPS] = {"steps", "1", true, false, false},
};

static bool
is_scalar(sweep_output_kind_t kind)
{
  return kind == SWEEP_OUT_KINETIC || kind == SWEEP_OUT_POTENTIAL || kind >= SWEEP_OUT_ENERGY_ERROR;
}

static int
output_size(const mbd_model_t * model, sweep_output_kind_t kind)
{
  if (is_scalar(kind)) return 1;
  if (kind == SWEEP_OUT_CENTER || kind == SWEEP_OUT_POSITION) return 3;
  return kind == SWEEP_OUT_END_Q ? model->nq : model->nv;
}

bool
sweep_add_output(sweep_plan_t * plan, const mbd_model_t * model, const char * name, int line)
{
  char frame[SWEEP_NAME] = "";
  char kind[SWEEP_NAME];
  snprintf(kind, sizeof kind, "%s", name);
  char * dot = strchr(kind, '.');
  if (dot) {
    *dot = 0;
    snprintf(frame, sizeof frame, "%s", dot + 1);
  }
  closest_t closest = closest_to(kind);
  int k = 0;
  for (; k < SWEEP_OUT_KINDS; k++) {
    const bool offered = plan->simulate ? OUTPUT[k].simulate : OUTPUT[k].evaluate;
    if (offered && strcmp(OUTPUT[k].name, kind) == 0) break;
    if (offered) closest_offer(&closest, OUTPUT[k].name);
  }
  if (k == SWEEP_OUT_KINDS)
    return sweep_refuse(
      plan, line, "%s has no output '%s'%s", plan->simulate ? "simulate" : "evaluate", kind,
      closest_hint(&closest));
  if (OUTPUT[k].of_frame != (dot != NULL))
    return sweep_refuse(
      plan, line,
      OUTPUT[k].of_frame ? "output '%s' needs a frame: %s.FRAME"
                         : "output '%s' is not of a frame%.0s",
      kind, kind);
  if (k == SWEEP_OUT_ERROR && !plan->controller.present)
    return sweep_refuse(plan, line, "output 'error' needs a controller with a goal");
  if (k == SWEEP_OUT_ERROR && model->nq != model->nv)
    return sweep_refuse(plan, line, "output 'error' is only for joints of one degree of freedom");
  sweep_output_t out = {
    .kind = (sweep_output_kind_t)k,
    .frame = -1,
    .size = output_size(model, (sweep_output_kind_t)k)};
  if (dot && mbd_find_frame(model, frame, &out.frame) != MBD_OK) {
    closest = closest_to(frame);
    for (int i = 0; i < model->nframe; i++) closest_offer(&closest, model->frame[i].name);
    return sweep_refuse(plan, line, "there is no frame '%s'%s", frame, closest_hint(&closest));
  }
  for (int i = 0; i < plan->noutput; i++) {
    if (plan->output[i].kind == out.kind && plan->output[i].frame == out.frame)
      return sweep_refuse(plan, line, "output '%s' is there twice", name);
  }
  plan->output[plan->noutput++] = out;
  return true;
}

//---------- columns ----------

static bool
name_column(sweep_plan_t * plan, int k, const char * unit, const char * format, ...)
{
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  plan->unit[k] = unit;
  return (plan->column[k] = strdup(text)) != NULL;
}

bool
sweep_name_columns(sweep_plan_t * plan, const mbd_model_t * model)
{
  int n = plan->nvariable;
  for (int i = 0; i < plan->noutput; i++) {
    plan->output[i].column = n;
    n += plan->output[i].size;
  }
  plan->ncolumn = n + 1;
  plan->column = calloc((size_t)plan->ncolumn, sizeof *plan->column);
  plan->unit = calloc((size_t)plan->ncolumn, sizeof *plan->unit);
  if (!plan->column || !plan->unit) return sweep_refuse(plan, 0, "out of memory");
  bool ok = name_column(plan, n, "1 good, 0 not computed, < 0 failed", "status");
  for (int i = 0; ok && i < plan->nvariable; i++)
    ok = name_column(plan, i, plan->variable[i].unit, "%s", plan->variable[i].name);
  for (int i = 0; ok && i < plan->noutput; i++) {
    const sweep_output_t * o = &plan->output[i];
    const char *name = OUTPUT[o->kind].name, *unit = OUTPUT[o->kind].unit;
    char part[300];
    for (int k = 0; ok && k < o->size; k++) {
      if (o->kind == SWEEP_OUT_POSITION)
        ok = name_column(
          plan, o->column + k, unit, "%s.%s.%c", name, model->frame[o->frame].name, "xyz"[k]);
      else if (o->kind == SWEEP_OUT_CENTER)
        ok = name_column(plan, o->column + k, unit, "%s.%c", name, "xyz"[k]);
      else if (is_scalar(o->kind))
        ok = name_column(plan, o->column, unit, "%s", name);
      else {
        if (o->kind == SWEEP_OUT_END_Q)
          sweep_coordinate_name(model, k, part, sizeof part);
        else
          sweep_dof_name(model, k, part, sizeof part);
        ok = name_column(plan, o->column + k, unit, "%s.%s", name, part);
      }
    }
  }
  return ok || sweep_refuse(plan, 0, "out of memory");
}
