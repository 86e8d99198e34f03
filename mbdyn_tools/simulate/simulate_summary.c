// The summary of a simulation, and what to do about errors.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "simulate_parts.h"

static void
write_method(FILE * out, const subject_t * s, const outcome_t * o)
{
  const mbd_simulation_info_t * info = &o->info;
  fprintf(out, "method       %s", mbd_method_name(s->method));
  if (s->method == MBD_METHOD_AUTO && o->implicit_steps == 0) {
    fputs(": rkf45 throughout, the motion is not stiff", out);
  } else if (s->method == MBD_METHOD_AUTO) {
    fprintf(
      out, ": stiff, sdirk54 in %ld of %ld steps, rkf45 in the others", o->implicit_steps,
      info->steps);
  }
  fprintf(out, "; rtol %g, atol %g\n", s->rtol, s->atol);
}

void
simulate_summary(
  FILE * out, const subject_t * s, const simulate_options_t * options, const outcome_t * o)
{
  const mbd_simulation_info_t * info = &o->info;
  const mbd_model_t * model = s->model;
  const double balance = info->energy - info->energy_start - info->work;
  fprintf(
    out, "%s: bodies %d, closures %d, degrees of freedom %d\n", model->name, model->nbody,
    model->nclosure, info->n);
  fprintf(
    out, "simulated    %.9g s%s in %.3g s, %ld output times at %g Hz\n", o->t,
    o->interrupted ? " (interrupted)" : "", o->wall_time, o->samples, simulate_rate(s, options));
  write_method(out, s, o);
  fprintf(
    out, "steps        %ld accepted, %ld rejected, %ld evaluations", info->steps, info->rejected,
    info->evaluations);
  if (info->jacobians > 0)
    fprintf(out, ", %ld Jacobians, %ld Newton iterations", info->jacobians, info->newton);
  fprintf(out, "\ncharts       %d\n", info->charts);
  if (model->nrow > 0) {
    fprintf(
      out,
      "constraints  largest errors: position %.2g m, velocity %.2g m/s, acceleration %.2g m/s^2\n",
      info->error_position, info->error_velocity, info->error_acceleration);
  }
  fprintf(
    out, "energy       %.9g J at the start, %.9g J at the end, work %.9g J; balance error %.2g J\n",
    info->energy_start, info->energy, info->work, balance);
  if (info->stiff && s->method == MBD_METHOD_RKF45)
    fputs("stiff        stability limits the steps of rkf45: try --method auto or sdirk54\n", out);
  if (o->limit_dof >= 0) {
    fprintf(
      out, "limits       joint '%s' passes its position limit at %.4g s; limits are not enforced\n",
      s->dof[o->limit_dof], o->limit_time);
  }
}

static const char *
remedy(mbd_status_t status, mbd_method_t method, const outcome_t * o)
{
  switch (status) {
    case MBD_ERROR_STEP:
      if (o->info.stiff || method == MBD_METHOD_RKF45)
        return "a singular configuration, a discontinuous force or a stiff problem; try --method "
               "auto or sdirk54, or a larger --rtol and --atol";
      return "a singular configuration or a discontinuous force; try a larger --rtol and --atol";
    case MBD_ERROR_NOT_ASSEMBLED:
      if (!o->started)
        return "check lengths and frames of the closures, or start nearer with --initial";
      return "the step is too large for the closures; try a smaller --step, or --method auto";
    case MBD_ERROR_LOCKED:
      return "closures and drivers leave no motion, or loops branch or lock here; remove a driver "
             "or "
             "a closure, or start elsewhere with --initial";
    case MBD_ERROR_NOT_CONVERGED:
      return "implicit steps with a fixed step size; try a smaller --step, or --method auto";
    case MBD_ERROR_MASSLESS_SUBTREE:
      return "a joint moves no inertia; give the body a small mass and inertia, or replace a "
             "massless rod by a distance closure";
    case MBD_ERROR_NOT_FINITE:
      return "numbers overflow: the motion is unstable, or --step is too large";
    case MBD_ERROR_UNSUPPORTED:
      return "flexible links and user-defined joints are not supported; --flexible none";
    default: return NULL;
  }
}

void
simulate_explain(const subject_t * s, mbd_method_t method, const outcome_t * o)
{
  const char * help = remedy(o->status, method, o);
  const mbd_model_t * model = s->model;
  fprintf(stderr, "%s: ", s->path);
  if (o->started) {
    fprintf(stderr, "t = %.9g s: ", o->t);
  } else {
    fputs("start: ", stderr);
  }
  if (o->error_closure >= 0)
    fprintf(stderr, "closure '%s': ", model->closure[o->error_closure].name);
  else if (o->status == MBD_ERROR_MASSLESS_SUBTREE && model->error_name)
    fprintf(stderr, "joint '%s': ", model->error_name);
  fprintf(stderr, "%s%s%s\n", mbd_status_string(o->status), help ? "; " : "", help ? help : "");
}
