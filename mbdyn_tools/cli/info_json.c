// `mbdyn info --json`: the same for programs.
#include <math.h>
#include <stdio.h>

#include "info.h"
#include "json_out.h"

// infinite limits are null
static void
limit(json_out_t * out, const char * key, double x)
{
  if (isfinite(x)) {
    json_out_number(out, key, x);
  } else {
    json_out_null(out, key);
  }
}

static void
vec3(json_out_t * out, const char * key, bool known, mbd_vec3_t x)
{
  if (known) {
    json_out_vector(out, key, (const double[]){x.x, x.y, x.z}, 3);
  } else {
    json_out_null(out, key);
  }
}

static void
write_drive(json_out_t * out, const mbd_drive_t * drive)
{
  json_out_object(out, "drive");
  json_out_number(out, "viscous", drive->viscous);
  json_out_number(out, "coulomb", drive->coulomb);
  json_out_number(out, "coulomb_velocity", drive->coulomb_velocity);
  json_out_number(out, "rotor_inertia", drive->rotor_inertia);
  json_out_number(out, "gear_ratio", drive->gear_ratio);
  json_out_end(out);
}

static void
write_limits(json_out_t * out, const mbd_limits_t * limits)
{
  json_out_object(out, "limits");
  limit(out, "lower", limits->lower);
  limit(out, "upper", limits->upper);
  limit(out, "velocity", limits->velocity);
  limit(out, "effort", limits->effort);
  limit(out, "acceleration", limits->acceleration);
  limit(out, "deceleration", limits->deceleration);
  limit(out, "jerk", limits->jerk);
  json_out_end(out);
}

static void
write_mimic(json_out_t * out, const mbd_model_t * model, const mbd_body_t * body)
{
  if (body->mimic_body < 0) {
    json_out_null(out, "mimic");
    return;
  }
  json_out_object(out, "mimic");
  json_out_string(out, "joint", model->body[body->mimic_body].joint_name);
  json_out_number(out, "multiplier", body->mimic_multiplier);
  json_out_number(out, "offset", body->mimic_offset);
  json_out_end(out);
}

static void
write_joint(json_out_t * out, const mbd_model_t * model, const mbd_body_t * body)
{
  mbd_vec3_t axis = {0, 0, 0}, com = {0, 0, 0};
  json_out_object(out, NULL);
  json_out_string(out, "name", body->joint_name);
  json_out_string(out, "type", mbd_joint_type_name(body->type));
  json_out_string(out, "link", body->name);
  if (body->parent == MBD_WORLD_BODY) {
    json_out_null(out, "parent_link");
  } else {
    json_out_string(out, "parent_link", model->body[body->parent].name);
  }
  json_out_integer(out, "q_index", body->q_index);
  json_out_integer(out, "nq", body->nq);
  json_out_integer(out, "v_index", body->v_index);
  json_out_integer(out, "nv", body->nv);
  vec3(out, "axis", info_axis(model, body, &axis), axis);
  write_limits(out, &body->limits);
  write_drive(out, &body->drive);
  write_mimic(out, model, body);
  json_out_number(out, "mass", body->inertia.mass);
  vec3(out, "com", info_com(model, body, &com), com);
  json_out_end(out);
}

static void
write_frame(json_out_t * out, const mbd_model_t * model, const mbd_frame_t * frame)
{
  json_out_object(out, NULL);
  json_out_string(out, "name", frame->name);
  if (frame->body == MBD_WORLD_BODY) {
    json_out_null(out, "body");
  } else {
    json_out_string(out, "body", model->body[frame->body].name);
  }
  json_out_bool(out, "is_link", frame->is_link);
  json_out_end(out);
}

static void
write_report(json_out_t * out, const char * key, const mbdx_report_t * report)
{
  json_out_list(out, key);
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * entry = &report->entry[i];
    json_out_object(out, NULL);
    json_out_string(out, "severity", mbdx_severity_name(entry->severity));
    json_out_integer(out, "line", entry->line);
    json_out_string(out, "element", entry->element);
    json_out_string(out, "what", entry->what);
    if (entry->hint) json_out_string(out, "hint", entry->hint);
    json_out_end(out);
  }
  json_out_end(out);
}

void
info_json(const info_t * info)
{
  const mbd_model_t * model = info->model;
  json_out_t out = json_out_open(stdout);
  json_out_object(&out, NULL);
  json_out_string(&out, "name", model->name);
  json_out_string(&out, "base", info->floating ? "floating" : "fixed");
  json_out_integer(&out, "nq", model->nq);
  json_out_integer(&out, "nv", info->embedded->nv);
  if (info->embedded->tree) json_out_integer(&out, "tree_nv", model->nv);
  json_out_number(&out, "mass", model->mass);
  json_out_number(&out, "mass_fixed", model->mass_fixed);
  vec3(&out, "gravity", true, model->gravity);

  json_out_list(&out, "joints");
  for (int i = 0; i < model->nbody; i++) write_joint(&out, model, &model->body[i]);
  json_out_end(&out);
  json_out_list(&out, "frames");
  for (int i = 0; i < model->nframe; i++) write_frame(&out, model, &model->frame[i]);
  json_out_end(&out);

  info_loops_json(&out, info->embedded);
  if (info->rotors) json_out_number(&out, "rotor_approximation_error", info->rotors->error);
  info_flexible_json(&out, info->flexible);
  write_report(&out, "report", info->report);
  if (info->flexible_report) write_report(&out, "flexible_report", info->flexible_report);
  json_out_end(&out);
}
