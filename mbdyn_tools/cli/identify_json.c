// What `mbdyn identify` found, for programs.
#include <math.h>

#include "identify_report.h"
#include "json_out.h"
#include "mbdyn/spatial.h"

static void
write_number(json_out_t * out, const char * key, double x)
{
  if (isfinite(x)) {
    json_out_number(out, key, x);
  } else {
    json_out_null(out, key);
  }
}

static void
write_recording(
  json_out_t * out, const char * key, const mbd_model_t * model, const recording_t * recording)
{
  json_out_object(out, key);
  json_out_string(out, "source", recording->source);
  json_out_number(out, "samples", (double)recording->nsample);
  json_out_number(out, "duration", recording->duration);
  json_out_object(out, "joints");
  for (int j = 0; j < model->nv; j++) {
    const double tau = recording->tau[j];
    json_out_object(out, model->body[j].joint_name);
    json_out_number(out, "rms_torque", tau);
    json_out_number(out, "rms_error_before", recording->before[j]);
    json_out_number(out, "rms_error_after", recording->after[j]);
    write_number(out, "relative_before", tau > 0 ? recording->before[j] / tau : HUGE_VAL);
    write_number(out, "relative_after", tau > 0 ? recording->after[j] / tau : HUGE_VAL);
    json_out_end(out);
  }
  json_out_end(out);
  json_out_end(out);
}

static void
write_base(json_out_t * out, const identify_result_t * result)
{
  const base_t * base = result->base;
  json_out_object(out, "base_parameters");
  json_out_integer(out, "count", base->rank);
  json_out_integer(out, "excited", base->excited);
  write_number(out, "condition", base->condition);
  json_out_list(out, "parameters");
  for (int i = 0; i < base->rank; i++) {
    char name[600];
    json_out_object(out, NULL);
    json_out_string(out, "name", normal_name(result->normal, base->column[i], name, sizeof name));
    write_number(out, "uncertainty", base->uncertainty[i]);
    json_out_bool(out, "poorly_excited", base->uncertainty[i] > BASE_POOR);
    json_out_end(out);
  }
  json_out_end(out);
  json_out_end(out);
}

static void
write_body(json_out_t * out, const identify_result_t * result, int i)
{
  const double * t = result->theta + TEN * i;
  const mbd_inertia_t M = {t[0], {t[1], t[2], t[3]}, {t[4], t[5], t[6], t[7], t[8], t[9]}};
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  json_out_object(out, result->model->body[i].name);
  json_out_number(out, "mass", t[0]);
  json_out_vector(out, "com", (const double[]){t[1] / t[0], t[2] / t[0], t[3] / t[0]}, 3);
  json_out_vector(
    out, "inertia_about_com", (const double[]){I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}, 6);
  json_out_vector(out, "parameters", t, TEN);
  json_out_vector(out, "parameters_urdf", result->normal->theta + TEN * i, TEN);
  json_out_number(out, "margin", result->margin[i]);
  json_out_end(out);
}

static void
write_drives(json_out_t * out, const identify_result_t * result)
{
  const mbd_model_t * model = result->model;
  json_out_object(out, "drives");
  for (int j = 0; j < model->nv; j++) {
    const double * three = result->theta + TEN * model->nbody + 3 * j;
    json_out_object(out, model->body[j].joint_name);
    json_out_number(out, "viscous", three[0]);
    json_out_number(out, "coulomb", three[1]);
    json_out_number(out, "reflected_rotor_inertia", three[2]);
    json_out_end(out);
  }
  json_out_end(out);
}

void
identify_write_json(FILE * to, const identify_result_t * result)
{
  const mbd_model_t * model = result->model;
  json_out_t out = json_out_open(to);
  json_out_object(&out, NULL);
  json_out_string(&out, "robot", model->name);
  json_out_integer(&out, "parameters", result->normal->n);
  json_out_bool(&out, "friction_identified", result->terms.friction);
  json_out_bool(&out, "rotors_identified", result->terms.rotors);
  json_out_number(&out, "prior", result->fit->prior);
  json_out_bool(&out, "converged", result->fit->converged);
  json_out_integer(&out, "steps", result->fit->iterations);
  write_base(&out, result);
  write_recording(&out, "data", model, &result->data);
  if (result->validation.source) {
    write_recording(&out, "validation", model, &result->validation);
  }
  json_out_object(&out, "bodies");
  for (int i = 0; i < model->nbody; i++) write_body(&out, result, i);
  json_out_end(&out);
  write_drives(&out, result);
  json_out_end(&out);
}
