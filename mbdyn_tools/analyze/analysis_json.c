// An analysis for programs: JSON.
#include <math.h>

#include "analysis.h"

static void
write_count(json_out_t * o, const char * key, uint64_t x)
{
  json_out_number(o, key, (double)x);
}

static void
write_range(json_out_t * o, const char * key, const range_t * x)
{
  if (x->n == 0) {
    json_out_null(o, key);
    return;
  }
  json_out_object(o, key);
  json_out_number(o, "min", x->min);
  json_out_number(o, "max", x->max);
  json_out_number(o, "rms", x->rms);
  json_out_number(o, "peak_time", x->peak_t);
  json_out_end(o);
}

static void
write_recording(json_out_t * o, const report_t * r)
{
  json_out_object(o, "recording");
  json_out_string(o, "path", r->recording);
  json_out_string(o, "topic", r->topic);
  write_count(o, "messages", r->survey->messages);
  write_count(o, "samples", r->survey->samples);
  write_count(o, "analyzed", r->found->rows);
  write_count(o, "gaps", r->found->gaps);
  json_out_number(o, "duration", (double)(r->survey->last - r->survey->first) * 1e-9);
  json_out_number(o, "step", r->survey->step);
  json_out_number(o, "cutoff", r->cutoff);
  json_out_bool(o, "velocity", r->survey->velocity);
  json_out_bool(o, "effort", r->survey->effort);
  json_out_string(o, "note", r->note);
  json_out_end(o);
}

static void
write_limits(json_out_t * o, const report_t * r, int dof)
{
  json_out_list(o, "limits_reached");
  for (int k = 0; k < LIMIT_KINDS; k++) {
    const reached_t * x = &r->found->reached[dof * LIMIT_KINDS + k];
    if (x->times == 0) continue;
    json_out_object(o, NULL);
    json_out_string(o, "which", LIMIT_NAMES[k]);
    json_out_number(o, "limit", findings_limit(r->model, dof, (limit_kind_t)k));
    write_count(o, "times", x->times);
    json_out_number(o, "total_time", x->total);
    json_out_number(o, "longest", x->longest);
    json_out_number(o, "first", x->first);
    json_out_number(o, "last", x->last);
    json_out_number(o, "extreme", x->extreme);
    json_out_end(o);
  }
  json_out_end(o);
}

static void
write_energies(json_out_t * o, const findings_t * f)
{
  json_out_object(o, "energy");
  write_range(o, "kinetic", &f->kinetic);
  write_range(o, "potential", &f->potential);
  write_range(o, "power", &f->power);
  json_out_number(o, "change", f->energy_change);
  json_out_number(o, "work_model", f->work_model);
  json_out_number(o, "work_measured", f->measured ? f->work_measured : (double)NAN);
  json_out_number(o, "work_friction", f->work_friction);
  json_out_number(o, "work_external", f->observed ? f->work_external : (double)NAN);
  json_out_end(o);
}

void
report_write(json_out_t * o, const char * key, const report_t * r)
{
  json_out_object(o, key);
  write_recording(o, r);
  json_out_string(o, "robot", r->model->name);
  write_energies(o, r->found);
  json_out_list(o, "joints");
  for (int i = 0; i < r->model->nv; i++) {
    json_out_object(o, NULL);
    json_out_string(o, "name", r->dof[i]);
    json_out_string(o, "torque_unit", report_torque_unit(r->model, i));
    for (int k = 0; k < Q_COUNT; k++) {
      write_range(o, QUANTITY_NAMES[k], &r->found->range[i * Q_COUNT + k]);
    }
    write_limits(o, r, i);
    json_out_end(o);
  }
  json_out_end(o);
  json_out_end(o);
}

void
report_json(const report_t * r, FILE * out)
{
  json_out_t o = json_out_open(out);
  report_write(&o, NULL, r);
}
