#include "view_springs.h"

#include "mbdyn/dynamics/element.h"
#include "mbdyn/urdf.h"

static void
put_end(
  json_out_t * text, const char * key, const mbd_model_t * model, int frame,
  const mbd_placement_t * X)
{
  const double xyz[3] = {X->p.x, X->p.y, X->p.z};
  json_out_object(text, key);
  if (frame >= 0)
    json_out_string(text, "link", model->frame[frame].name);
  else
    json_out_null(text, "link");
  json_out_vector(text, "xyz", xyz, 3);
  json_out_end(text);
}

static void
put_springs(json_out_t * text, const mbd_model_t * model)
{
  static const char * const SIDES[] = {"both", "push", "pull"};
  for (int i = 0; i < model->nelement; i++) {
    const mbd_element_spec_t * s = &model->element[i].spec;
    if (s->type != MBD_ELEMENT_SPRING) continue;
    json_out_object(text, NULL);
    json_out_string(text, "name", s->name);
    put_end(text, "a", model, s->frame_a, &s->X_a);
    put_end(text, "b", model, s->frame_b, &s->X_b);
    json_out_number(text, "stiffness", s->stiffness);
    json_out_number(text, "rest", s->rest);
    json_out_number(text, "preload", s->preload);
    json_out_string(text, "side", SIDES[s->one_sided]);
    json_out_end(text);
  }
}

static const char *
first_error(const mbdx_report_t * report, mbd_status_t status)
{
  for (int i = 0; report && i < report->n; i++) {
    if (report->entry[i].severity == MBDX_ERROR) return report->entry[i].text;
  }
  return mbd_status_string(status);
}

void
view_springs(json_out_t * text, const live_robot_t * robot, const char * mechanism)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;
  options.mimic_independent = true;
  options.mechanism = true;
  options.loops_file = mechanism;
  options.base = robot->floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  mbd_status_t status = MBD_OK;
  if (mechanism && robot->urdf) {
    status = mbdx_urdf_load_string(robot->urdf, robot->urdf_size, NULL, &options, &model, &report);
  }
  json_out_list(text, "springs");
  if (model) put_springs(text, model);
  json_out_end(text);
  json_out_string(text, "springs_error", status == MBD_OK ? "" : first_error(report, status));
  mbdx_report_free(report);
  mbd_model_destroy(model);
}
