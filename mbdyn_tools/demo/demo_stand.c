#include "demo_stand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/ik.h"
#include "mbdyn/shapes.h"
#include "mbdyn/spatial.h"

//---------- feet ----------

static bool
ends_with(const char * name, const char * end)
{
  const size_t n = strlen(name), m = strlen(end);
  return n >= m && strcmp(name + n - m, end) == 0;
}

static bool
add_foot(demo_stand_t * s, int frame)
{
  if (s->n == DEMO_FEET) return false;
  s->foot[s->n++] = (demo_foot_t){.name = s->model->frame[frame].name, .frame = frame};
  return true;
}

// links at the ends of legs; soles are more than the feet that they are under
static void
guess_feet(demo_stand_t * s)
{
  static const char * const ends[] = {"_sole", "_foot"};
  for (size_t k = 0; k < sizeof ends / sizeof ends[0] && s->n < 2; k++) {
    s->n = 0;
    for (int i = 0; i < s->model->nframe; i++) {
      const mbd_frame_t * frame = &s->model->frame[i];
      if (frame->is_link && frame->body > 0 && ends_with(frame->name, ends[k])) {
        if (!add_foot(s, i)) break;
      }
    }
  }
  if (s->n < 2) s->n = 0;
}

static bool
take_feet(demo_stand_t * s, const char * list, char * reason, size_t size)
{
  char name[256];
  for (const char * at = list; *at;) {
    const size_t n = strcspn(at, ",");
    int frame;
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    if (mbd_find_frame(s->model, name, &frame) != MBD_OK || s->model->frame[frame].body <= 0) {
      snprintf(reason, size, "no moving link or frame '%s' to stand on", name);
      return false;
    }
    if (!add_foot(s, frame)) {
      snprintf(reason, size, "it has more than %d feet", DEMO_FEET);
      return false;
    }
    at += n + (at[n] == ',');
  }
  return true;
}

static int
body_of_link(const mbd_model_t * model, const char * name, mbd_placement_t * X)
{
  int frame;
  if (mbd_find_frame(model, name, &frame) != MBD_OK) return MBD_WORLD_BODY;
  *X = model->frame[frame].X;
  return model->frame[frame].body;
}

// what a shape says of a foot: a ball about its origin, or the underside of a box in its plane
static void
apply_shape(demo_foot_t * foot, const mbdx_shape_t * shape, const mbd_placement_t * in_foot)
{
  const double near = 2e-3;
  if (shape->type == MBDX_SHAPE_SPHERE && mbdu_vec3_norm(in_foot->p) < near) {
    foot->radius = shape->radius;
  }
  if (shape->type != MBDX_SHAPE_BOX) return;
  double from[2] = {HUGE_VAL, HUGE_VAL}, to[2] = {-HUGE_VAL, -HUGE_VAL};
  int n = 0;
  for (int k = 0; k < 8; k++) {
    const mbd_vec3_t corner = mbdu_vec3(
      (k & 1 ? 0.5 : -0.5) * shape->size.x, (k & 2 ? 0.5 : -0.5) * shape->size.y,
      (k & 4 ? 0.5 : -0.5) * shape->size.z);
    const mbd_vec3_t at = mbdu_placement_point(in_foot, corner);
    if (fabs(at.z) > near) continue;
    n++;
    from[0] = fmin(from[0], at.x), to[0] = fmax(to[0], at.x);
    from[1] = fmin(from[1], at.y), to[1] = fmax(to[1], at.y);
  }
  if (n != 4) return;
  foot->sole[0] = from[0], foot->sole[1] = to[0];
  foot->sole[2] = from[1], foot->sole[3] = to[1];
}

static char *
read_file(const char * path, size_t * size)
{
  enum { MOST = 1 << 24 };
  FILE * file = fopen(path, "rb");
  char * text = file ? malloc(MOST) : NULL;
  *size = text ? fread(text, 1, MOST, file) : 0;
  if (file) fclose(file);
  return text;
}

static void
shape_feet(demo_stand_t * s, const char * urdf)
{
  size_t size;
  mbdx_shapes_t * shapes = NULL;
  char * text = read_file(urdf, &size);
  if (text && mbdx_shapes_load_string(text, size, urdf, &shapes, NULL) == MBD_OK) {
    for (int i = 0; i < shapes->n * s->n; i++) {
      const mbdx_shape_t * shape = &shapes->shape[i / s->n];
      demo_foot_t * foot = &s->foot[i % s->n];
      const mbd_frame_t * frame = &s->model->frame[foot->frame];
      mbd_placement_t X;
      if (body_of_link(s->model, shape->link, &X) != frame->body) continue;
      const mbd_placement_t back = mbdu_placement_inverse(&frame->X);
      X = mbdu_placement_mul(&back, &X);
      X = mbdu_placement_mul(&X, &shape->X);
      apply_shape(foot, shape, &X);
    }
  }
  mbdx_shapes_free(shapes);
  free(text);
}

//---------- poses ----------

typedef struct planner {
  demo_stand_t * stand;
  const demo_robot_t * robot;
  mbd_data_t * data;
  mbd_placement_t ground[DEMO_FEET];  // of the feet, legs straight and base at the origin
  double * work;
  double * q;   // of the model
  double home;  // below straight legs
} planner_t;

static bool
is_sole(const demo_foot_t * foot)
{
  return foot->sole[0] < foot->sole[1];
}

// joints of the robot within their limits, for feet on the ground but for one that is lifted
static bool
reach(planner_t * p, const mbd_placement_t * base, int lifted, double lift, double * joints)
{
  const demo_stand_t * s = p->stand;
  mbd_ik_target_t target[DEMO_FEET + 1];
  mbd_ik_options_t options = mbd_ik_options_default();
  mbd_ik_result_t result;
  options.restarts = 5;
  target[0] = mbdu_ik_pose(0, *base);
  for (int k = 0; k < s->n; k++) {
    mbd_placement_t X = p->ground[k];
    if (k == lifted) X.p.z += lift;
    target[k + 1] = is_sole(&s->foot[k]) ? mbdu_ik_pose(s->foot[k].frame, X)
                                         : mbdu_ik_position(s->foot[k].frame, X.p);
  }
  const mbd_ik_targets_t targets = {s->n + 1, target};
  if (mbd_neutral(s->model, p->q) != MBD_OK) return false;
  for (int i = 0; i < p->robot->n; i++) {
    const mbd_body_t * body = &s->model->body[i + 1];
    p->q[body->q_index] = fmin(fmax(0, body->limits.lower), body->limits.upper);
  }
  if (
    mbd_ik(s->model, p->data, &targets, &options, p->q, p->work, p->q, &result) != MBD_OK ||
    result.outcome != MBD_IK_SOLVED) {
    return false;
  }
  for (int i = 0; i < p->robot->n; i++) joints[i] = p->q[s->model->body[i + 1].q_index];
  return true;
}

// Middle of the contact points that carry, and a third of the way from there to the outermost, where these are
// corners of a box: above these the centre of mass is safe.
static mbd_vec3_t
middle_of(const planner_t * p, int without, double safe[2])
{
  const demo_stand_t * s = p->stand;
  mbd_vec3_t sum = {0, 0, 0}, from = {HUGE_VAL, HUGE_VAL, 0}, to = {-HUGE_VAL, -HUGE_VAL, 0};
  int n = 0;
  for (int i = 0; i < 4 * s->n; i++) {
    const double * sole = s->foot[i / 4].sole;
    const mbd_vec3_t corner = {sole[i & 1], sole[2 + (i / 2 & 1)], 0};
    if (i / 4 == without) continue;
    const mbd_vec3_t at = mbdu_placement_point(&p->ground[i / 4], corner);
    sum = mbdu_vec3_add(sum, at);
    from = mbdu_vec3(fmin(from.x, at.x), fmin(from.y, at.y), 0);
    to = mbdu_vec3(fmax(to.x, at.x), fmax(to.y, at.y), 0);
    n++;
  }
  const bool box = without < 0 || s->n == 2;
  safe[0] = box ? (to.x - from.x) / 6 : 0;
  safe[1] = box ? (to.y - from.y) / 6 : 0;
  return mbdu_vec3_scale(1.0 / n, sum);
}

static double
beyond(double x, double most)
{
  return x > most ? x - most : x < -most ? x + most : 0;
}

// The base so much below straight legs and so much pitched, the centre of mass above the feet that carry;
// *base is the result.
static bool
balance(
  planner_t * p, double lower, double pitch, int without, mbd_placement_t * base, double * joints)
{
  double safe[2];
  const mbd_vec3_t middle = middle_of(p, without, safe);
  mbd_vec3_t com;
  base->R = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3(0, pitch, 0)));
  // hips go back where the trunk goes forward
  base->p = mbdu_vec3(-0.25 * pitch * p->stand->straight, 0, -lower);
  for (int k = 0; k < 8; k++) {
    if (!reach(p, base, -1, 0, joints)) return false;
    if (mbd_center_of_mass(p->stand->model, p->data, NULL, &com) != MBD_OK) return false;
    base->p.x -= beyond(com.x - middle.x, safe[0]);
    base->p.y -= beyond(com.y - middle.y, safe[1]);
  }
  return reach(p, base, -1, 0, joints);
}

// the lowest pose, with the trunk as upright as it goes
static bool
go_down(planner_t * p, double lower, double * joints)
{
  mbd_placement_t base;
  for (double pitch = 0; pitch < 0.65; pitch += 0.1) {
    if (balance(p, lower, pitch, -1, &base, joints)) return true;
  }
  return false;
}

// upright, half as low as the squat or less
static bool
plan_home(planner_t * p, double lowest, double * home)
{
  mbd_placement_t base;
  for (double part = 0.5; part > 0.05; part -= 0.1) {
    p->home = part * lowest;
    if (balance(p, p->home, 0, -1, &base, home)) return true;
  }
  return false;
}

static bool
plan_squat(planner_t * p, double * home)
{
  demo_stand_t * s = p->stand;
  for (double part = 0.48; part > 0.03; part -= 0.02) {
    const double lowest = part * s->straight;
    if (!go_down(p, lowest, s->squat) || !plan_home(p, lowest, home)) continue;
    s->depth = lowest - p->home;
    return true;
  }
  return false;
}

static bool
plan_step(planner_t * p, int foot)
{
  demo_stand_t * s = p->stand;
  mbd_placement_t base;
  for (double part = 1; part > 0.25; part -= 0.1) {
    if (!balance(p, part * p->home, 0, foot, &base, s->swayed[foot])) continue;
    if (reach(p, &base, foot, s->lift, s->lifted[foot])) return true;
  }
  return false;
}

static bool
plan_steps(planner_t * p)
{
  demo_stand_t * s = p->stand;
  s->lift = (s->n > 2 ? 0.1 : 0.03) * s->straight;
  s->sway = 1.6 * sqrt(s->straight);
  for (int k = 0; k < s->n; k++) {
    if (!plan_step(p, k)) return false;
  }
  return true;
}

static bool
plan(planner_t * p, double * home, char * reason, size_t size)
{
  demo_stand_t * s = p->stand;
  mbd_ik_target_t target[DEMO_FEET + 1];
  for (int k = 0; k <= s->n; k++) {
    target[k] = mbdu_ik_pose(k ? s->foot[k - 1].frame : 0, mbdu_placement_identity());
  }
  const mbd_ik_targets_t targets = {s->n + 1, target};
  p->work = calloc(mbd_ik_work(s->model, &targets) + (size_t)s->model->nq, sizeof *p->work);
  p->q = p->work + mbd_ik_work(s->model, &targets);
  if (
    !p->work || mbd_data_create(s->model, &p->data) != MBD_OK ||
    mbd_neutral(s->model, p->q) != MBD_OK || mbd_set_position(s->model, p->data, p->q) != MBD_OK ||
    mbd_center_of_mass(s->model, p->data, &s->mass, &(mbd_vec3_t){0}) != MBD_OK) {
    snprintf(reason, size, "its poses cannot be computed");
    return false;
  }
  for (int k = 0; k < s->n; k++) {
    mbd_placement_t * X = &p->ground[k];
    if (mbd_frame_placement(s->model, p->data, s->foot[k].frame, X) != MBD_OK) return false;
    s->straight = fmax(s->straight, s->foot[k].radius - X->p.z);
  }
  if (!(s->straight > 0) || !plan_squat(p, home)) {
    snprintf(reason, size, "its legs do not reach the ground with bent knees");
    return false;
  }
  s->steps = plan_steps(p);
  return true;
}

//---------- all together ----------

static bool
load(demo_stand_t * s, const demo_robot_t * robot, const char * urdf, char * reason, size_t size)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.base = MBDX_BASE_FLOATING;
  if (mbdx_urdf_load_file(urdf, &options, &s->model, NULL) != MBD_OK) {
    s->model = NULL;
    snprintf(reason, size, "it does not load with a free base");
    return false;
  }
  bool same = s->model->nbody == robot->n + 1 && !robot->model->tree;
  for (int i = 0; same && i < robot->n; i++) {
    same = strcmp(s->model->body[i + 1].joint_name, robot->joint[i].name) == 0;
  }
  if (!same) snprintf(reason, size, "robots with loops cannot stand");
  return same;
}

bool
demo_stand_init(
  demo_stand_t * s, demo_robot_t * robot, const char * urdf, const char * list, char * reason,
  size_t size)
{
  memset(s, 0, sizeof *s);
  if (list && strcmp(list, "none") == 0) return true;
  // robots with loops are bolted, unless they are to stand
  if (!load(s, robot, urdf, reason, size)) return list == NULL;
  if (list && !take_feet(s, list, reason, size)) return false;
  if (!list) guess_feet(s);
  if (s->n == 0) return true;
  shape_feet(s, urdf);
  planner_t p = {.stand = s, .robot = robot};
  double home[DEMO_JOINTS];
  const bool good = plan(&p, home, reason, size);
  mbd_data_destroy(p.data);
  free(p.work);
  if (good) memcpy(robot->home, home, (size_t)robot->n * sizeof *home);
  // feet that it cannot stand on were not asked for
  if (!good && !list) s->n = 0;
  return good || !list;
}

void
demo_stand_fini(demo_stand_t * s)
{
  mbd_model_destroy(s->model);
  s->model = NULL;
}

void
demo_stand_move(
  demo_motion_t * motion, const demo_robot_t * robot, int n, const double * const * pose,
  double seconds)
{
  memset(motion, 0, sizeof *motion);
  motion->n = robot->n;
  motion->nsegment = n - 1;
  motion->segment = DEMO_STEP * fmax(ceil(seconds / DEMO_STEP - 1e-6), 4);
  motion->scale = 1;
  for (int k = 0; k < n; k++) {
    memcpy(motion->pose[k], pose[k], (size_t)robot->n * sizeof *pose[k]);
  }
}
