// The summary of a simulation, and what to do about errors.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/bearing.h"
#include "simulate_parts.h"

// condition number of the loads of bearings that ordinary mechanisms do not reach
static const double JAMMING = 100;

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

static void
write_limit(FILE * out, const subject_t * s, const outcome_t * o)
{
  fprintf(
    out, "limits       joint '%s' %s its %s limit %.6g at %.9g s", s->dof[o->limit_dof],
    o->limit_time > 0 ? "reaches" : "is beyond", o->limit_upper ? "upper" : "lower", o->limit,
    o->limit_time);
  if (o->limit_ends) {
    fputs(": the run ends there\n", out);
  } else if (o->limit_stiffness > 0) {
    fprintf(
      out, ": held by its stop, %.3g per unit; largest excess %.2g of '%s'\n", o->limit_stiffness,
      o->limit_beyond, s->dof[o->limit_beyond_dof >= 0 ? o->limit_beyond_dof : o->limit_dof]);
  } else {
    fprintf(
      out,
      " and passes it; largest excess %.3g of '%s'. Limits are not enforced: use --limits stop or "
      "spring\n",
      o->limit_beyond, s->dof[o->limit_beyond_dof >= 0 ? o->limit_beyond_dof : o->limit_dof]);
  }
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
  if (model->nbearing > 0) {
    fprintf(
      out, "bearings     %d, largest condition number %.3g%s\n", model->nbearing, info->condition,
      info->condition > JAMMING ? ": friction is about to jam the mechanism" : "");
  }
  fprintf(
    out, "energy       %.9g J at the start, %.9g J at the end", info->energy_start, info->energy);
  if (isfinite(balance))
    fprintf(out, ", work %.9g J; balance error %.2g J\n", info->work, balance);
  else
    fputs("; work is beyond the range of numbers\n", out);
  if (info->stiff && s->method == MBD_METHOD_RKF45)
    fputs("stiff        stability limits the steps of rkf45: try --method auto or sdirk54\n", out);
  if (o->limit_dof >= 0) write_limit(out, s, o);
}

//---------- errors ----------

// a closure is singular where the motion ends; fixed steps may be too large for the closures instead
static bool
stuck_at_closure(const outcome_t * o)
{
  const mbd_method_t m = o->info.method;
  const bool fixed =
    m == MBD_METHOD_RK4 || m == MBD_METHOD_NYSTROM4 || m == MBD_METHOD_SEMI_IMPLICIT;
  const bool stuck =
    o->status == MBD_ERROR_STEP || (o->status == MBD_ERROR_NOT_ASSEMBLED && !fixed);
  return stuck && o->started && o->error_closure >= 0;
}

static const char *
remedy(mbd_method_t method, const outcome_t * o, int ndriver)
{
  if (stuck_at_closure(o))
    return "end the simulation before with --time, or change lengths or drivers";
  switch (o->status) {
    case MBD_ERROR_STEP:
      if (o->info.condition > 1e6)
        return "bearings are about to jam: lower coefficients of friction, or longer spans";
      if (o->info.stiff || method == MBD_METHOD_RKF45)
        return "a discontinuous force or a stiff problem: try --method auto or sdirk54, or a "
               "larger --rtol and --atol";
      return "a discontinuous force, or one without bound: smooth it, or try a larger --rtol and "
             "--atol";
    case MBD_ERROR_NOT_ASSEMBLED:
      if (!o->started)
        return "check lengths and frames of the closures, or start nearer with --initial";
      return "the step is too large for the closures: try a smaller --step, or --method auto";
    case MBD_ERROR_LOCKED:
      if (o->started || o->mobility > 0)
        return "loops branch or lock here: start elsewhere with --initial";
      return ndriver > 0 ? "remove a driver" : "remove a closure, or use one with fewer rows";
    case MBD_ERROR_NOT_CONVERGED:
      return "implicit steps with a fixed step size: try a smaller --step, or --method auto";
    case MBD_ERROR_MASSLESS_SUBTREE:
      return "give the body mass and inertia, or replace a massless rod by a closure of type "
             "distance";
    case MBD_ERROR_NO_SOLUTION:
      return "bearings jam: friction grows faster than the force that overcomes it; lower "
             "coefficients of friction, or longer spans";
    case MBD_ERROR_NOT_FINITE:
      return "numbers overflow: the motion is unstable (a negative stiffness or damping?), or "
             "--step "
             "is too large";
    case MBD_ERROR_UNSUPPORTED:
      return "flexible links and user-defined joints are not supported; --flexible none";
    default: return NULL;
  }
}

// without a degree of freedom: the last driver, or else the last closure
static int
last_driver(const mbd_model_t * model, int * ndriver)
{
  int last = -1;
  *ndriver = 0;
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type != MBD_CLOSURE_COUPLING || !c->driver.at) continue;
    last = k;
    ++*ndriver;
  }
  return last >= 0 ? last : model->nclosure - 1;
}

// name of the part of the mechanism that the message is about, or NULL
static const char *
blamed(const subject_t * s, const outcome_t * o, int * ndriver)
{
  const mbd_model_t * model = s->model;
  *ndriver = 0;
  if (!o->started && o->status == MBD_ERROR_LOCKED && o->mobility == 0 && model->nclosure > 0)
    return model->closure[last_driver(model, ndriver)].name;
  if (o->error_closure >= 0) return model->closure[o->error_closure].name;
  if (o->status == MBD_ERROR_NO_SOLUTION && model->nbearing > 0)
    return model->bearing[0].spec.joint;
  return o->error_joint;
}

static void
write_cause(const outcome_t * o, int ndriver)
{
  const bool locked = !o->started && o->status == MBD_ERROR_LOCKED && o->mobility == 0;
  if (locked && ndriver > 0) {
    fprintf(
      stderr, "no degree of freedom is left to simulate: %d driver%s all of the motion", ndriver,
      ndriver == 1 ? " prescribes" : "s prescribe");
  } else if (locked) {
    fputs("no degree of freedom is left: the closures lock the mechanism", stderr);
  } else if (stuck_at_closure(o)) {
    fputs("the mechanism cannot move on, or branches: the closure is singular here", stderr);
  } else if (o->acceleration > 0 && o->error_joint && o->status != MBD_ERROR_NOT_ASSEMBLED) {
    fprintf(
      stderr, "%s; this joint has the largest acceleration, %.3g", mbd_status_string(o->status),
      o->acceleration);
  } else {
    fputs(mbd_status_string(o->status), stderr);
  }
}

void
simulate_explain(const subject_t * s, mbd_method_t method, const outcome_t * o)
{
  int ndriver, line = 0;
  const char * name = blamed(s, o, &ndriver);
  const char * help = remedy(method, o, ndriver);
  const char * kind = mbdx_mechanism_place(s->mechanism, name, &line);
  fputs(line > 0 && *s->mechanism_path ? s->mechanism_path : s->path, stderr);
  if (line > 0) fprintf(stderr, ":%d", line);
  if (o->started) {
    fprintf(stderr, ": t = %.9g s: ", o->t);
  } else {
    fputs(": start: ", stderr);
  }
  if (name)
    fprintf(stderr, "%s '%s': ", kind ? kind : o->error_closure >= 0 ? "closure" : "joint", name);
  write_cause(o, ndriver);
  fprintf(stderr, "%s%s\n", help ? "; " : "", help ? help : "");
}
