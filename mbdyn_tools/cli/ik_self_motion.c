// `mbdyn ik --self-motion`: the curve of configurations with one pose, as text, JSON or a page.
#include "mbdyn/self_motion.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "curves.h"
#include "ik_options.h"
#include "json_out.h"
#include "mbdyn/mbdyn.h"
#include "text.h"

static const char PAGE[] = {
#include "ik_page.inc"  // written by embed.cmake
};

enum { POINTS = 20000, ARCS = 256, PAGE_POINTS = 720, MOST_SHAPES = 128 };

// everything that is printed
typedef struct traced {
  const char * path;
  const mbd_model_t * model;
  mbd_data_t * data;
  const ik_options_t * options;
  int frame;
  mbd_measure_t measure[6];
  mbd_shape_t shape[MOST_SHAPES];  // links on the path, base to tip
  int nshape;
  mbd_self_motion_t * motion;
  mbd_self_motion_curve_t curve;
} traced_t;

static const char * const ENDS[] = {"", "limit", "obstacle", "singularity", "length"};

//---------- links ----------

// a capsule from each joint on the path to the next one, the last to the frame
static bool
find_shapes(traced_t * t)
{
  const mbd_model_t * model = t->model;
  const mbd_frame_t * frame = &model->frame[t->frame];
  mbd_vec3_t end = frame->X.p;
  int n = 0;
  for (int i = frame->body; i >= 0; i = model->body[i].parent) n++;
  if (n > MOST_SHAPES) return false;
  t->nshape = n;
  for (int i = frame->body; i >= 0; i = model->body[i].parent) {
    mbd_shape_t * shape = &t->shape[--n];
    *shape = mbd_shape_default();
    shape->frame = model->body[i].link_frame;
    shape->capsule.b = end;
    shape->capsule.radius = t->options->radius;
    end = model->body[i].X_tree.p;
  }
  return true;
}

//---------- trace ----------

static mbd_status_t
trace(traced_t * t, double * q, mbd_self_motion_state_t * state)
{
  const mbd_model_t * model = t->model;
  mbd_self_motion_options_t options = mbd_self_motion_options_default();
  mbd_placement_t pose;
  options.ignore_limits = t->options->solve.ignore_limits;
  options.nshape = t->nshape, options.shape = t->shape;
  options.nobstacle = t->options->nobstacle, options.obstacle = t->options->obstacle;
  mbd_status_t status = mbd_set_position(model, t->data, q);
  if (status == MBD_OK) status = mbd_frame_placement(model, t->data, t->frame, &pose);
  if (status != MBD_OK) return status;
  mbdu_pose_measures(t->frame, pose, t->measure);
  const int n = t->options->npose && t->options->numbers[0] == 3 ? 3 : 6;
  const size_t size = mbd_self_motion_size(model, n);
  void * memory = calloc(1, size + 1);
  t->curve.most = POINTS, t->curve.most_arcs = ARCS;
  t->curve.s = calloc(POINTS, sizeof(double));
  t->curve.q = calloc(POINTS * (size_t)model->nq, sizeof(double));
  t->curve.arc = calloc(ARCS, sizeof *t->curve.arc);
  t->curve.winding = calloc((size_t)model->nv, sizeof(int));
  if (!memory || !t->curve.s || !t->curve.q || !t->curve.arc || !t->curve.winding) {
    free(memory);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  t->motion = memory;
  status = mbd_self_motion_init(model, n, t->measure, &options, memory, size, &t->motion);
  if (status == MBD_OK) status = mbd_self_motion_start(t->motion, t->data, NULL, q, state);
  if (status == MBD_OK) status = mbd_self_motion_trace(t->motion, t->data, &t->curve);
  return status;
}

//---------- text ----------

static const char *
joint_name(const traced_t * t, int dof)
{
  return t->model->body[t->model->dof_body[dof]].joint_name;
}

static void
print_end(const traced_t * t, mbd_self_motion_end_t end, int limit)
{
  if (end == MBD_SELF_MOTION_LIMIT) {
    printf(" (limit of %s)", joint_name(t, limit));
  } else if (end != MBD_SELF_MOTION_REGULAR) {
    printf(" (%s)", ENDS[end]);
  }
}

static void
print_text(const traced_t * t)
{
  const mbd_self_motion_curve_t * c = &t->curve;
  printf(
    "self-motion of %s: %s curve, length %.6g, %d points\n", t->model->frame[t->frame].name,
    c->closed ? "closed" : "open", c->length, c->n);
  if (!c->closed) printf("ends: %s, %s\n", ENDS[c->begin], ENDS[c->end]);
  printf("manipulability: %.4g to %.4g\n", c->least_manipulability, c->most_manipulability);
  bool any = false;
  for (int k = 0; k < t->model->nv; k++) {
    if (c->winding[k] == 0) continue;
    printf("%s %s %+d", any ? "," : "turns:", joint_name(t, k), c->winding[k]);
    any = true;
  }
  if (any) puts("");
  const char * free = t->options->nobstacle ? " and free of obstacles" : "";
  if (c->narc == 0) printf("nowhere within limits%s\n", free);
  if (c->narc > 0) printf("%d arc%s within limits%s\n", c->narc, c->narc == 1 ? "" : "s", free);
  for (int k = 0; k < c->narc; k++) {
    printf("  %.6g", c->arc[k].begin);
    print_end(t, c->arc[k].begin_at, c->arc[k].begin_limit);
    printf(" to %.6g", c->arc[k].end);
    print_end(t, c->arc[k].end_at, c->arc[k].end_limit);
    puts("");
  }
}

//---------- JSON and page ----------

static void
write_arcs(json_out_t * out, const traced_t * t)
{
  json_out_list(out, "arcs");
  for (int k = 0; k < t->curve.narc; k++) {
    const mbd_self_motion_arc_t * arc = &t->curve.arc[k];
    const int limit[2] = {arc->begin_limit, arc->end_limit};
    json_out_object(out, NULL);
    json_out_number(out, "begin", arc->begin);
    json_out_number(out, "end", arc->end);
    json_out_string(out, "begin_at", ENDS[arc->begin_at]);
    json_out_string(out, "end_at", ENDS[arc->end_at]);
    for (int i = 0; i < 2; i++) {
      if (limit[i] >= 0)
        json_out_string(out, i ? "end_joint" : "begin_joint", joint_name(t, limit[i]));
    }
    json_out_end(out);
  }
  json_out_end(out);
}

static void
write_facts(json_out_t * out, const traced_t * t)
{
  const mbd_self_motion_curve_t * c = &t->curve;
  json_out_string(out, "frame", t->model->frame[t->frame].name);
  json_out_bool(out, "closed", c->closed);
  json_out_number(out, "length", c->length);
  json_out_number(out, "least_manipulability", c->least_manipulability);
  json_out_number(out, "most_manipulability", c->most_manipulability);
  write_arcs(out, t);
}

static void
print_json(const traced_t * t)
{
  const mbd_self_motion_curve_t * c = &t->curve;
  json_out_t out = json_out_open(stdout);
  json_out_object(&out, NULL);
  write_facts(&out, t);
  json_out_list(&out, "turns");
  for (int k = 0; k < t->model->nv; k++) json_out_integer(&out, NULL, c->winding[k]);
  json_out_end(&out);
  json_out_vector(&out, "s", c->s, c->n);
  json_out_list(&out, "q");
  for (int i = 0; i < c->n; i++) {
    json_out_vector(&out, NULL, c->q + (size_t)i * (size_t)t->model->nq, t->model->nq);
  }
  json_out_end(&out);
  json_out_end(&out);
}

// joints with one coordinate that move along the curve
static void
write_joints(json_out_t * out, const traced_t * t, int stride)
{
  const mbd_model_t * model = t->model;
  json_out_list(out, "joints");
  for (int k = 0; k < t->nshape; k++) {
    const mbd_body_t * body = &model->body[model->frame[t->shape[k].frame].body];
    if (body->nq != 1) continue;
    json_out_object(out, NULL);
    json_out_string(out, "name", body->joint_name);
    json_out_bool(out, "turns", body->type != MBD_JOINT_PRISMATIC);
    const bool limited = body->type != MBD_JOINT_CONTINUOUS && isfinite(body->limits.lower) &&
                         isfinite(body->limits.upper);
    const double limits[2] = {body->limits.lower, body->limits.upper};
    if (limited) json_out_vector(out, "limits", limits, 2);
    json_out_list(out, "x");
    for (int i = 0; i < t->curve.n; i += stride) {
      json_out_digits(out, NULL, t->curve.q[(size_t)(i * model->nq + body->q_index)], 6);
    }
    json_out_end(out);
    json_out_end(out);
  }
  json_out_end(out);
}

// points of the links at each point of the curve, base to tip
static mbd_status_t
write_shapes(json_out_t * out, const traced_t * t, int stride)
{
  mbd_status_t status = MBD_OK;
  json_out_list(out, "links");
  for (int i = 0; i < t->curve.n && status == MBD_OK; i += stride) {
    status = mbd_set_position(t->model, t->data, t->curve.q + (size_t)i * (size_t)t->model->nq);
    json_out_list(out, NULL);
    for (int k = 0; k <= t->nshape && status == MBD_OK; k++) {
      mbd_placement_t X;
      const int frame = k < t->nshape ? t->shape[k].frame : t->frame;
      status = mbd_frame_placement(t->model, t->data, frame, &X);
      json_out_digits(out, NULL, X.p.x, 5);
      json_out_digits(out, NULL, X.p.y, 5);
      json_out_digits(out, NULL, X.p.z, 5);
    }
    json_out_end(out);
  }
  json_out_end(out);
  return status;
}

static int
write_page(const traced_t * t)
{
  FILE * file = fopen(t->options->html, "w");
  if (!file) {
    fprintf(stderr, "mbdyn ik: cannot write '%s': %s\n", t->options->html, strerror(errno));
    return CLI_TROUBLE;
  }
  const int stride = (t->curve.n + PAGE_POINTS - 1) / PAGE_POINTS;
  json_out_t out = {0};
  json_out_clear(&out);
  json_out_object(&out, NULL);
  json_out_string(&out, "name", t->model->name);
  json_out_string(&out, "path", text_source_name(t->path));
  write_facts(&out, t);
  json_out_list(&out, "s");
  for (int i = 0; i < t->curve.n; i += stride) json_out_digits(&out, NULL, t->curve.s[i], 7);
  json_out_end(&out);
  write_joints(&out, t, stride);
  const mbd_status_t status = write_shapes(&out, t, stride);
  json_out_list(&out, "obstacles");
  for (int k = 0; k < t->options->nobstacle; k++) {
    const mbd_capsule_t * c = &t->options->obstacle[k];
    const double x[7] = {c->a.x, c->a.y, c->a.z, c->b.x, c->b.y, c->b.z, c->radius};
    json_out_vector(&out, NULL, x, 7);
  }
  json_out_end(&out);
  json_out_end(&out);
  page_write(file, PAGE, &out);
  json_out_fini(&out);
  return text_close(file, t->options->html) && status == MBD_OK ? CLI_OK : CLI_TROUBLE;
}

//---------- command ----------

static int
print_failure(const traced_t * t, mbd_status_t status, const mbd_self_motion_state_t * state)
{
  const char * path = text_source_name(t->path);
  if (status == MBD_ERROR_BAD_ARGUMENT && state->freedom == 0) {
    fprintf(
      stderr,
      "%s: no self-motion: the pose of %s leaves no degree of freedom; a robot needs one joint "
      "more than "
      "the pose has components\n",
      path, t->model->frame[t->frame].name);
    return CLI_FOUND;
  }
  if (status == MBD_ERROR_BAD_ARGUMENT && state->freedom > 1) {
    fprintf(
      stderr,
      "%s: the pose of %s leaves %d degrees of freedom, a self-motion has one; give all six "
      "components "
      "of the pose, or fix joints\n",
      path, t->model->frame[t->frame].name, state->freedom);
    return CLI_FOUND;
  }
  if (status == MBD_ERROR_SINGULAR) {
    fprintf(stderr, "%s: the start is singular; try another --seed\n", path);
    return CLI_FOUND;
  }
  fprintf(stderr, "%s: %s\n", path, mbd_status_string(status));
  return CLI_TROUBLE;
}

int
ik_self_motion(
  const char * path, const mbd_model_t * model, mbd_data_t * data, const ik_options_t * options,
  int frame, double * q)
{
  traced_t t = {.path = path, .model = model, .data = data, .options = options, .frame = frame};
  mbd_self_motion_state_t state = {.freedom = -1};
  int code = CLI_OK;
  const mbd_status_t status = find_shapes(&t) ? trace(&t, q, &state) : MBD_ERROR_LIMIT;
  if (status != MBD_OK && status != MBD_ERROR_TOO_SMALL) {
    code = print_failure(&t, status, &state);
  } else {
    (options->json ? print_json : print_text)(&t);
    if (options->html) code = write_page(&t);
  }
  free(t.motion);
  free(t.curve.s);
  free(t.curve.q);
  free(t.curve.arc);
  free(t.curve.winding);
  return code;
}
