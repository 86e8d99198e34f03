// An analysis as a page with plots: page.html with the numbers in it. Nothing is loaded from
// elsewhere.
#include <string.h>

#include "analysis.h"

static const char PAGE[] = {
#include "analyze_page.inc"  // written by embed.cmake
};

static void
write_joint(json_out_t * out, const report_t * r, int dof)
{
  static const char * const NAMES[LIMIT_KINDS] = {"lower", "upper", "velocity", "effort"};
  json_out_object(out, NULL);
  json_out_string(out, "name", r->dof[dof]);
  json_out_string(out, "torque_unit", report_torque_unit(r->model, dof));
  json_out_string(out, "position_unit", report_position_unit(r->model, dof));
  json_out_object(out, "limit");
  for (int k = 0; k < LIMIT_KINDS; k++) {
    json_out_digits(out, NAMES[k], findings_limit(r->model, dof, (limit_kind_t)k), 9);
  }
  json_out_end(out);
  for (int k = 0; k < Q_COUNT; k++) {
    if (k == Q_ACCELERATION || k == Q_ERROR || k == Q_POWER) continue;
    curves_write(out, QUANTITY_NAMES[k], r->curves, curve_of_joint(dof, (quantity_t)k));
  }
  json_out_end(out);
}

static void
write_data(json_out_t * out, const report_t * r)
{
  static const char * const NAMES[CURVE_ROBOT_COUNT] = {
    "kinetic", "potential", "energy", "power_model", "power_measured", "power_friction"};
  json_out_object(out, NULL);
  json_out_digits(out, "first", r->curves->first, 9);
  json_out_digits(out, "last", r->curves->last, 9);
  json_out_integer(out, "slices", r->curves->slices);
  report_write(out, "summary", r);
  json_out_object(out, "robot");
  for (int k = 0; k < CURVE_ROBOT_COUNT; k++) {
    curves_write(out, NAMES[k], r->curves, curve_of_robot(r->curves, (robot_curve_t)k));
  }
  json_out_end(out);
  json_out_list(out, "joints");
  for (int i = 0; i < r->model->nv; i++) write_joint(out, r, i);
  json_out_end(out);
  json_out_end(out);
}

void
report_html(const report_t * r, FILE * out)
{
  json_out_t data = {0};
  json_out_clear(&data);
  write_data(&data, r);
  page_write(out, PAGE, &data);
  json_out_fini(&data);
}
