// Tables of an analysis for the terminal.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis.h"

static bool
is_slide(const mbd_model_t * model, int dof)
{
  const mbd_body_t * body = &model->body[model->dof_body[dof]];
  const int k = dof - body->v_index;
  if (body->type == MBD_JOINT_PRISMATIC) return true;
  if (body->type == MBD_JOINT_FREE) return k < 3;
  if (body->type == MBD_JOINT_PLANAR) return k < 2;
  return body->type == MBD_JOINT_CYLINDRICAL && k == 1;
}

const char *
report_torque_unit(const mbd_model_t * model, int dof)
{
  return is_slide(model, dof) ? "N" : "N m";
}

const char *
report_position_unit(const mbd_model_t * model, int dof)
{
  return is_slide(model, dof) ? "m" : "rad";
}

static void
print_head(const report_t * r, FILE * out)
{
  const survey_t * s = r->survey;
  const double span = (double)(s->last - s->first) * 1e-9;
  fprintf(out, "recording  %s, topic %s\n", r->recording, r->topic);
  fprintf(
    out, "robot      %s (%s), %d degrees of freedom\n", r->model->name, r->robot, r->model->nv);
  fprintf(
    out, "samples    %" PRIu64 " of %" PRIu64 " messages, %.3f s, every %.6g s", s->samples,
    s->messages, span, s->step);
  if (r->found->gaps > 0) {
    fprintf(out, ", %" PRIu64 " gap%s", r->found->gaps, r->found->gaps > 1 ? "s" : "");
  }
  fprintf(
    out, "\nanalyzed   %" PRIu64 ", velocities %s", r->found->rows,
    s->velocity ? "recorded" : "from positions");
  if (r->cutoff > 0) fprintf(out, ", low-pass %g Hz", r->cutoff);
  fprintf(out, "\nefforts    %s\n", s->effort ? "recorded" : "not recorded: no external torques");
  if (r->note[0]) fprintf(out, "note       %s\n", r->note);
}

// "  -12.3 ..  45.6"
static void
print_range(FILE * out, const range_t * x)
{
  if (x->n == 0) {
    fprintf(out, " %9s    %9s", "-", "-");
  } else {
    fprintf(out, " %9.4g .. %9.4g", x->min, x->max);
  }
}

static void
print_motion(const report_t * r, FILE * out)
{
  const quantity_t what[4] = {Q_POSITION, Q_VELOCITY, Q_ACCELERATION, Q_POWER};
  fprintf(
    out, "\n%-20s %24s %24s %24s %24s\n", "motion [rad, m, s, W]", "position", "velocity",
    "acceleration", "power");
  for (int i = 0; i < r->model->nv; i++) {
    fprintf(out, "%-20.20s", r->dof[i]);
    for (int k = 0; k < 4; k++) {
      fputc(' ', out);
      print_range(out, &r->found->range[i * Q_COUNT + (int)what[k]]);
    }
    fputc('\n', out);
  }
}

// largest absolute values, and how far measured and model are apart
static void
print_torques(const report_t * r, FILE * out)
{
  const quantity_t what[8] = {Q_GRAVITY, Q_CORIOLIS, Q_INERTIA, Q_FRICTION,
                              Q_TOTAL,   Q_MEASURED, Q_ERROR,   Q_EXTERNAL};
  fprintf(out, "\n%-20s", "peak |torque| [N m, N]");
  const char * names[8] = {"gravity", "coriolis", "inertia",  "friction",
                           "total",   "measured", "meas-tot", "external"};
  for (int k = 0; k < 8; k++) fprintf(out, " %10s", names[k]);
  fputc('\n', out);
  for (int i = 0; i < r->model->nv; i++) {
    fprintf(out, "%-20.20s  ", r->dof[i]);
    for (int k = 0; k < 8; k++) {
      const range_t * x = &r->found->range[i * Q_COUNT + (int)what[k]];
      if (x->n == 0) {
        fprintf(out, " %10s", "-");
      } else {
        fprintf(out, " %10.4g", fmax(fabs(x->min), fabs(x->max)));
      }
    }
    fputc('\n', out);
  }
}

static void
print_energies(const report_t * r, FILE * out)
{
  const findings_t * f = r->found;
  fprintf(out, "\nenergies [J]\n");
  fprintf(out, "  kinetic                 %12.6g .. %.6g\n", f->kinetic.min, f->kinetic.max);
  fprintf(out, "  potential               %12.6g .. %.6g\n", f->potential.min, f->potential.max);
  fprintf(out, "  change of their sum     %12.6g\n", f->energy_change);
  fprintf(out, "  work of model torques   %12.6g\n", f->work_model);
  if (f->measured) fprintf(out, "  work of measured torques%12.6g\n", f->work_measured);
  fprintf(out, "  dissipated by friction  %12.6g\n", f->work_friction);
  if (f->observed) fprintf(out, "  work of external forces %12.6g\n", f->work_external);
  fprintf(
    out, "  model balance           %12.6g  (work - friction - change)\n",
    f->work_model - f->work_friction - f->energy_change);
}

static void
print_limits(const report_t * r, FILE * out)
{
  bool any = false;
  for (int i = 0; i < r->model->nv * LIMIT_KINDS; i++) any = any || r->found->reached[i].times > 0;
  if (!any) {
    fprintf(out, "\nlimits: none reached\n");
    return;
  }
  fprintf(
    out, "\n%-20s %-9s %8s %10s %10s %10s %10s %10s\n", "limits reached", "which", "times",
    "total [s]", "longest", "first at", "extreme", "limit");
  for (int i = 0; i < r->model->nv; i++) {
    for (int k = 0; k < LIMIT_KINDS; k++) {
      const reached_t * x = &r->found->reached[i * LIMIT_KINDS + k];
      if (x->times == 0) continue;
      fprintf(
        out, "%-20.20s %-9s %8" PRIu64 " %10.4g %10.4g %10.4g %10.4g %10.4g\n", r->dof[i],
        LIMIT_NAMES[k], x->times, x->total, x->longest, x->first, x->extreme,
        findings_limit(r->model, i, (limit_kind_t)k));
    }
  }
}

void
report_text(const report_t * r, FILE * out)
{
  print_head(r, out);
  print_motion(r, out);
  print_torques(r, out);
  print_energies(r, out);
  print_limits(r, out);
}
