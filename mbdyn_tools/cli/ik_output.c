#include "ik_output.h"

#include <math.h>
#include <stdio.h>

#include "json_out.h"
#include "mbdyn/spatial.h"

static const char * const FORMS[] = {
  "none", "spherical wrist, axes 2 and 3 parallel", "spherical wrist, axes 1 and 2 intersect",
  "three parallel axes", "spherical shoulder and wrist, swivel angle of the seed"};

static const char * const OUTCOMES[] = {"solved", "unreachable", "at_limit", "iterations"};

// x y z, roll pitch yaw
static void
pose_numbers(const mbd_placement_t * X, double * x)
{
  const double * R = X->R.m;
  x[0] = X->p.x, x[1] = X->p.y, x[2] = X->p.z;
  x[3] = atan2(R[7], R[8]), x[4] = atan2(-R[6], hypot(R[0], R[3])), x[5] = atan2(R[3], R[0]);
}

static const mbd_body_t *
body_of(const mbd_model_t * model, int dof)
{
  return &model->body[model->dof_body[dof]];
}

//---------- text ----------

static void
print_pose(const mbd_placement_t * X)
{
  double x[6];
  pose_numbers(X, x);
  for (int k = 0; k < 6; k++) printf("%s%.6g", k ? "," : "", fabs(x[k]) < 5e-13 ? 0 : x[k]);
}

static void
print_measure(const mbd_model_t * model, const mbd_ik_measure_t * m)
{
  printf("error %.2g m, %.2g rad; condition ", m->position, m->rotation);
  if (isfinite(m->condition)) {
    printf("%.4g", m->condition);
  } else {
    printf("infinite (singular)");
  }
  if (m->sign != 0) printf("; component %c", m->sign > 0 ? '+' : '-');
  if (m->limit < 0) {
    puts("");
  } else if (m->margin < 0) {
    printf("; %s is %.4g beyond its limit\n", body_of(model, m->limit)->joint_name, -m->margin);
  } else {
    printf("; nearest limit: %s, %.4g\n", body_of(model, m->limit)->joint_name, m->margin);
  }
}

static void
print_joints(const mbd_model_t * model, const double * q)
{
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    printf("  %-16s", body->joint_name);
    for (int k = 0; k < body->nq; k++) printf(" %12.9f", q[body->q_index + k]);
    puts("");
  }
}

static void
print_no_solution(const ik_found_t * f)
{
  const mbd_ik_result_t * r = &f->result;
  const mbd_body_t * body = r->limit < 0 ? NULL : body_of(f->model, r->limit);
  printf("no solution: ");
  if (r->outcome == MBD_IK_AT_LIMIT && !f->beyond_limits) {
    puts("out of reach, without position limits too");
  } else if (r->outcome == MBD_IK_AT_LIMIT) {
    printf(
      "joint '%s' is held at its limit; --ignore-limits shows solutions beyond it\n",
      body->joint_name);
  } else if (r->outcome == MBD_IK_UNREACHABLE) {
    puts("out of reach");
  } else {
    puts("iteration limit reached; try another --seed or more --restarts");
  }
  for (int t = 0; t < f->targets->n; t++) {
    printf("nearest pose found of %s: ", f->model->frame[f->targets->t[t].frame].name);
    print_pose(&f->reached[t]);
    puts("");
  }
}

void
ik_text(const ik_found_t * f)
{
  for (int t = 0; t < f->targets->n; t++) {
    printf("%s at ", f->model->frame[f->targets->t[t].frame].name);
    print_pose(&f->targets->t[t].pose);
    puts(f->targets->t[t].axis[0] ? "" : " (position only)");
  }
  if (f->all) printf("closed form: %s\n", FORMS[f->form]);
  if (f->all && f->n > 0) printf("%d solution%s\n", f->n, f->n == 1 ? "" : "s");
  if (f->n == 0) print_no_solution(f);
  for (int k = 0; k < (f->n ? f->n : 1); k++) {
    puts("");
    if (f->all && f->n) printf("solution %d: ", k + 1);
    print_measure(f->model, &f->measure[k]);
    print_joints(f->model, f->q + (size_t)k * (size_t)f->model->nq);
  }
}

//---------- JSON ----------

static void
write_pose(json_out_t * out, const char * key, const mbd_placement_t * X)
{
  double x[6];
  pose_numbers(X, x);
  json_out_vector(out, key, x, 6);
}

static void
write_row(json_out_t * out, const ik_found_t * f, int k)
{
  const mbd_ik_measure_t * m = &f->measure[k];
  json_out_vector(out, "q", f->q + (size_t)k * (size_t)f->model->nq, f->model->nq);
  json_out_number(out, "position_error", m->position);
  json_out_number(out, "rotation_error", m->rotation);
  if (isfinite(m->condition)) {
    json_out_number(out, "condition", m->condition);
  } else {
    json_out_null(out, "condition");
  }
  json_out_integer(out, "sign", m->sign);
  if (m->limit >= 0) {
    json_out_object(out, "nearest_limit");
    json_out_string(out, "joint", body_of(f->model, m->limit)->joint_name);
    json_out_number(out, "margin", m->margin);
    json_out_end(out);
  } else {
    json_out_null(out, "nearest_limit");
  }
}

void
ik_json(const ik_found_t * f)
{
  json_out_t out = json_out_open(stdout);
  json_out_object(&out, NULL);
  json_out_string(&out, "model", f->model->name);
  json_out_list(&out, "joints");
  for (int i = 0; i < f->model->nbody; i++) {
    json_out_string(&out, NULL, f->model->body[i].joint_name);
  }
  json_out_end(&out);
  json_out_list(&out, "targets");
  for (int t = 0; t < f->targets->n; t++) {
    json_out_object(&out, NULL);
    json_out_string(&out, "frame", f->model->frame[f->targets->t[t].frame].name);
    write_pose(&out, "pose", &f->targets->t[t].pose);
    json_out_bool(&out, "position_only", !f->targets->t[t].axis[0]);
    json_out_end(&out);
  }
  json_out_end(&out);
  json_out_bool(&out, "limits", !f->ignore_limits);
  json_out_string(&out, "closed_form", FORMS[f->form]);
  json_out_string(&out, "outcome", OUTCOMES[f->result.outcome]);
  json_out_list(&out, "solutions");
  for (int k = 0; k < f->n; k++) {
    json_out_object(&out, NULL);
    write_row(&out, f, k);
    json_out_end(&out);
  }
  json_out_end(&out);
  if (f->n == 0) {
    json_out_object(&out, "nearest");
    write_row(&out, f, 0);
    if (f->result.limit >= 0) {
      json_out_string(&out, "held_by", body_of(f->model, f->result.limit)->joint_name);
    }
    json_out_list(&out, "poses");
    for (int t = 0; t < f->targets->n; t++) write_pose(&out, NULL, &f->reached[t]);
    json_out_end(&out);
    json_out_end(&out);
  }
  json_out_end(&out);
}
