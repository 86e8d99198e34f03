// What `mbdyn identify` found, for people.
#include <math.h>
#include <string.h>

#include "identify_report.h"
#include "mbdyn/spatial.h"

// poorly excited parameters that are listed before it stops
enum { LISTED = 12 };

static int
name_width(const mbd_model_t * model)
{
  int widest = 5;
  for (int i = 0; i < model->nbody; i++) {
    const int joint = (int)strlen(model->body[i].joint_name),
              link = (int)strlen(model->body[i].name);
    if (joint > widest) widest = joint;
    if (link > widest) widest = link;
  }
  return widest;
}

//---------- parts ----------

static void
print_head(FILE * to, const identify_result_t * result)
{
  const base_t * base = result->base;
  const recording_t * data = &result->data;
  const bool friction = result->terms.friction, rotors = result->terms.rotors;
  fprintf(
    to, "robot '%s': %d moving bodies, %d parameters%s%s%s\n", result->model->name,
    result->model->nbody, result->normal->n, friction || rotors ? " with " : "",
    friction ? (rotors ? "friction and " : "friction") : "", rotors ? "rotors" : "");
  fprintf(to, "%s: %ld samples, %.6g s\n", data->source, data->nsample, data->duration);
  if (result->cutoff > 0) {
    fprintf(
      to, "velocity and acceleration differentiated from q, low-pass %g Hz\n", result->cutoff);
  }
  fprintf(to, "base parameters: %d; the motion excites %d of them", base->rank, base->excited);
  if (isfinite(base->condition)) {
    fprintf(to, ", condition number %.4g\n", base->condition);
  } else {
    fputs(", the others stay near the URDF\n", to);
  }
  fprintf(
    to, "fit: %d steps, joints weighted %d times%s\n", result->fit->iterations, result->fit->rounds,
    result->fit->converged ? "" : "; NOT converged");
}

static void
print_poor(FILE * to, const identify_result_t * result)
{
  const base_t * base = result->base;
  if (base->npoor == 0) return;
  fprintf(
    to, "poorly excited (standard deviation above %g %% of the body's or drive's size): %d\n",
    100 * BASE_POOR, base->npoor);
  int listed = 0;
  for (int i = 0; i < base->rank && listed < LISTED; i++) {
    if (!(base->uncertainty[i] > BASE_POOR)) continue;
    char name[600];
    fprintf(to, "  %s", normal_name(result->normal, base->column[i], name, sizeof name));
    if (base->uncertainty[i] < 100) {
      fprintf(to, "  %.0f %%\n", 100 * base->uncertainty[i]);
    } else {
      fputs("  not at all\n", to);
    }
    listed++;
  }
  if (base->npoor > listed) fprintf(to, "  and %d more\n", base->npoor - listed);
}

static void
print_errors(FILE * to, const identify_result_t * result, const recording_t * recording)
{
  const mbd_model_t * model = result->model;
  const int w = name_width(model);
  fprintf(to, "\ntorque error of %s, root mean square [N m, N]\n", recording->source);
  fprintf(
    to, "  %-*s  %10s  %10s  %10s  %9s  %9s\n", w, "joint", "torque", "before", "after", "before",
    "after");
  for (int j = 0; j < model->nv; j++) {
    const double tau = recording->tau[j], percent = tau > 0 ? 100 / tau : 0;
    fprintf(
      to, "  %-*s  %10.4g  %10.4g  %10.4g  %7.2f %%  %7.2f %%\n", w, model->body[j].joint_name, tau,
      recording->before[j], recording->after[j], percent * recording->before[j],
      percent * recording->after[j]);
  }
}

static void
print_bodies(FILE * to, const identify_result_t * result)
{
  const mbd_model_t * model = result->model;
  const int w = name_width(model);
  fprintf(to, "\nbodies, including merged links; inertia [kg m^2] about the centre of mass\n");
  fprintf(
    to, "  %-*s  %8s %8s  %26s  %9s %9s %9s %9s %9s %9s  %8s\n", w, "link", "URDF", "mass [kg]",
    "centre of mass [m]", "xx", "xy", "xz", "yy", "yz", "zz", "margin");
  for (int i = 0; i < model->nbody; i++) {
    const double * t = result->theta + TEN * i;
    const mbd_inertia_t M = {t[0], {t[1], t[2], t[3]}, {t[4], t[5], t[6], t[7], t[8], t[9]}};
    const mbd_sym3_t I = mbdu_inertia_about_com(&M);
    fprintf(
      to, "  %-*s  %8.4g %8.4g   %8.4f %8.4f %8.4f  %9.3g %9.3g %9.3g %9.3g %9.3g %9.3g  %8.2g%s\n",
      w, model->body[i].name, result->normal->theta[TEN * i], t[0], t[1] / t[0], t[2] / t[0],
      t[3] / t[0], I.xx, I.xy, I.xz, I.yy, I.yz, I.zz, result->margin[i],
      result->fit->mended[i] ? "  (nearly flat in the URDF)" : "");
  }
  fputs(
    "  margin: smallest eigenvalue of the pseudo-inertia over its trace; positive: physically "
    "consistent\n",
    to);
}

static void
print_drives(FILE * to, const identify_result_t * result)
{
  const normal_terms_t terms = result->terms;
  if (!terms.friction && !terms.rotors) return;
  const mbd_model_t * model = result->model;
  const int w = name_width(model);
  fprintf(to, "\ndrives (URDF, identified)\n  %-*s", w, "joint");
  if (terms.friction) fprintf(to, "  %20s  %20s", "viscous", "coulomb");
  if (terms.rotors) fprintf(to, "  %20s", "reflected rotor");
  fputc('\n', to);
  for (int j = 0; j < model->nv; j++) {
    const size_t at = (size_t)(TEN * model->nbody + 3 * j);
    const double *found = result->theta + at, *urdf = result->normal->theta + at;
    fprintf(to, "  %-*s", w, model->body[j].joint_name);
    for (int k = 0; k < 3; k++) {
      if (k == 2 ? terms.rotors : terms.friction) {
        fprintf(to, "  %9.4g, %9.4g", urdf[k], found[k]);
      }
    }
    fputc('\n', to);
  }
}

void
identify_print(FILE * to, const identify_result_t * result)
{
  print_head(to, result);
  print_poor(to, result);
  print_errors(to, result, &result->data);
  if (result->validation.source) print_errors(to, result, &result->validation);
  print_bodies(to, result);
  print_drives(to, result);
}
