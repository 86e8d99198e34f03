// A simulation as CSV.
#include "mbdyn/constraints/closure.h"
#include "mbdyn/constraints/constrained.h"
#include "simulate_parts.h"

static bool
has_wrench(const mbd_closure_t * closure)
{
  return closure->type != MBD_CLOSURE_COUPLING;
}

void
simulate_table_open(FILE * out, const subject_t * s)
{
  static const char * const KINDS[3] = {"v", "a", "tau"};
  const mbd_model_t * model = s->model;
  fputs("t,kinetic,potential,step", out);
  for (int i = 0; i < model->nq; i++) fprintf(out, ",q_%s", s->coordinate[i]);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < model->nv; i++) fprintf(out, ",%s_%s", KINDS[k], s->dof[i]);
  }
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * closure = &model->closure[k];
    if (!has_wrench(closure)) {
      fprintf(out, ",lambda_%s", closure->name);
      continue;
    }
    for (int i = 0; i < 6; i++)
      fprintf(out, ",%s_%s.%c", i < 3 ? "force" : "moment", closure->name, "xyz"[i % 3]);
  }
  fputc('\n', out);
}

static void
write_closure(FILE * out, const mbd_model_t * model, const sample_t * x, int k)
{
  const mbd_closure_t * closure = &model->closure[k];
  if (!has_wrench(closure)) {
    fprintf(out, ",%.12g", x->lambda[closure->row]);
    return;
  }
  mbd_force_t f = {0};
  if (mbd_closure_wrench(model, x->data, k, x->lambda, &f) != MBD_OK) {
    fputs(",,,,,,", out);
    return;
  }
  fprintf(
    out, ",%.12g,%.12g,%.12g,%.12g,%.12g,%.12g", f.lin.x, f.lin.y, f.lin.z, f.ang.x, f.ang.y,
    f.ang.z);
}

void
simulate_table_take(FILE * out, const subject_t * s, const sample_t * x)
{
  const mbd_model_t * model = s->model;
  const double * rates[3] = {x->v, x->qdd, x->tau};
  fprintf(out, "%.12g,%.15g,%.15g,%.6g", x->t, x->kinetic, x->potential, x->info->step);
  for (int i = 0; i < model->nq; i++) fprintf(out, ",%.15g", x->q[i]);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < model->nv; i++) fprintf(out, ",%.15g", rates[k][i]);
  }
  for (int k = 0; k < model->nclosure; k++) write_closure(out, model, x, k);
  fputc('\n', out);
}
