// Steps with ground, and with joint friction that sticks: contacts, limits and friction as one problem
// (mbdyn/constraints/contact.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/constraints/contact.h"
#include "mbdyn/dynamics/bearing.h"
#include "mbdyn/operators/factors.h"
#include "mbdyn/spatial.h"
#include "plant_internal.h"

// points of a rim: the lowest, and two at a third of the circle from it
enum { RIM_POINTS = 3 };

// iterations of the solver in a step
enum { ITERATIONS = 60 };

// Points nearer than this count even if nothing approaches [m]; penetration is corrected no faster than this [m/s].
static const double NEAR = 1e-3, RECOVERY_SPEED = 0.2;

// slower joints do not run into a limit, they rest there [rad/s, m/s]
static const double ARRIVES = 1e-6;

// joints that are slower have static friction [rad/s, m/s]
static const double REST = 1e-9;

// a point near the ground, and where its force is kept
typedef struct point {
  int contact;  // of plant->contact
  int slot;     // of the point in `mode` and `force`
} point_t;

typedef struct plant_touching {
  int n;  // points near the ground in this step
  point_t point[PLANT_CONTACTS];
  mbd_contact_t row[PLANT_CONTACTS];
  // impulses of the last step                        [RIM_POINTS ncontact]
  mbd_contact_mode_t * mode;
  mbd_vec3_t * impulse;
  bool * used;  // in this step
  // of the last step: limits of independent joints, friction of all joints
  double *limit, *friction;
  bool * sticks;              // [nv]
  double *dry, *v, *x, *tau;  // [nv]
  double * work;
  double * load;  // of bearings                       [nbearing]
} plant_touching_t;

//---------- set-up ----------

void
plant_touching_fini(plant_t * plant)
{
  plant_touching_t * t = plant->touching;
  free(plant->contact);
  free(plant->contact_force);
  if (t == NULL) return;
  free(t->mode);
  free(t->impulse);
  free(t->used);
  free(t->limit);
  free(t->sticks);
  free(t->load);
  free(t);
}

bool
plant_touching_init(plant_t * plant)
{
  const mbd_model_t * model = plant->embedded ? plant->embedded : plant->model;
  const size_t nv = (size_t)plant->model->nv;
  plant_touching_t * t = plant->touching = calloc(1, sizeof *t);
  if (t == NULL) return false;
  const size_t work = model->nbearing > 0
                        ? mbd_bearing_step_work(model, PLANT_CONTACTS, PLANT_PUSHES)
                        : mbd_friction_step_work(model, PLANT_CONTACTS);
  t->limit = calloc(6 * nv + work, sizeof *t->limit);
  t->sticks = calloc(nv, sizeof *t->sticks);
  t->load = calloc((size_t)model->nbearing + 1, sizeof *t->load);
  if (t->limit == NULL || t->sticks == NULL || t->load == NULL) return false;
  t->friction = t->limit + nv, t->dry = t->friction + nv;
  t->v = t->dry + nv, t->x = t->v + nv, t->tau = t->x + nv;
  t->work = t->tau + nv;
  return true;
}

bool
plant_set_contacts(plant_t * plant, int n, const plant_contact_t * contact)
{
  plant_touching_t * t = plant->touching;
  const size_t count = (size_t)n + 1, points = RIM_POINTS * count;
  free(plant->contact), free(plant->contact_force);
  free(t->mode), free(t->impulse), free(t->used);
  plant->ncontact = 0;
  plant->contact = calloc(count, sizeof *plant->contact);
  plant->contact_force = calloc(count, sizeof *plant->contact_force);
  t->mode = calloc(points, sizeof *t->mode);
  t->impulse = calloc(points, sizeof *t->impulse);
  t->used = calloc(points, sizeof *t->used);
  if (!plant->contact || !plant->contact_force || !t->mode || !t->impulse || !t->used) return false;
  if (n > 0) memcpy(plant->contact, contact, (size_t)n * sizeof *contact);
  plant->ncontact = n;
  return true;
}

bool
plant_touches(const plant_t * plant)
{
  const plant_options_t * o = &plant->options;
  if (plant->flexible || plant->chart || o->integrator != PLANT_SEMI_IMPLICIT) return false;
  const bool sticks = o->friction && o->friction_model == PLANT_FRICTION_EXACT;
  return sticks || (o->ground.on && plant->ncontact > 0);
}

// exact friction counts those of a tree
static bool
has_bearings(const plant_t * plant)
{
  const plant_options_t * o = &plant->options;
  const bool exact = o->friction && o->friction_model == PLANT_FRICTION_EXACT;
  return exact && !plant->loops && plant->model->nbearing > 0;
}

void
plant_touching_clear(plant_t * plant)
{
  plant_touching_t * t = plant->touching;
  const size_t nv = (size_t)plant->model->nv, n = (size_t)plant->ncontact;
  const plant_touch_t * counts = &plant->touch;
  plant->touch = (plant_touch_t){.unsolved = counts->unsolved, .crowded = counts->crowded};
  memset(t->limit, 0, nv * sizeof *t->limit);
  memset(t->friction, 0, nv * sizeof *t->friction);
  memset(t->load, 0, (size_t)plant->model->nbearing * sizeof *t->load);
  if (n == 0) return;
  memset(t->mode, 0, RIM_POINTS * n * sizeof *t->mode);
  memset(t->impulse, 0, RIM_POINTS * n * sizeof *t->impulse);
  memset(plant->contact_force, 0, n * sizeof *plant->contact_force);
}

//---------- points ----------

// points of a contact in the world; returns how many
static int
points_of(
  const plant_contact_t * c, const mbd_placement_t * X, mbd_vec3_t normal, mbd_vec3_t p[RIM_POINTS])
{
  const mbd_vec3_t centre = mbdu_vec3_add(X->p, mbdu_mat3_vec(&X->R, c->centre));
  if (c->rim == 0) {
    p[0] = mbdu_vec3_sub(centre, mbdu_vec3_scale(c->radius, normal));
    return 1;
  }
  static const double cosine[RIM_POINTS] = {1, -0.5, -0.5};
  static const double sine[RIM_POINTS] = {0, 0.86602540378443864676, -0.86602540378443864676};
  const mbd_vec3_t axis = mbdu_mat3_vec(&X->R, c->axis);
  mbd_vec3_t down = mbdu_vec3_sub(mbdu_vec3_scale(mbdu_vec3_dot(axis, normal), axis), normal);
  // of a disc that lies flat any three points
  if (mbdu_vec3_norm(down) < 1e-4) {
    const mbd_vec3_t e = fabs(c->axis.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
    down = mbdu_vec3_cross(axis, mbdu_mat3_vec(&X->R, e));
  }
  down = mbdu_vec3_scale(c->rim / mbdu_vec3_norm(down), down);
  const mbd_vec3_t side = mbdu_vec3_cross(axis, down);
  for (int k = 0; k < RIM_POINTS; k++) {
    const mbd_vec3_t out =
      mbdu_vec3_add(mbdu_vec3_scale(cosine[k], down), mbdu_vec3_scale(sine[k], side));
    p[k] = mbdu_vec3_add(centre, out);
  }
  return RIM_POINTS;
}

static double
height_of(const plant_ground_t * g, mbd_vec3_t p)
{
  return mbdu_vec3_dot(g->normal, p) - g->height;
}

// keeps a point, or drops the highest of all if there are too many
static void
add_point(plant_t * plant, point_t point, const mbd_contact_t * row)
{
  plant_touching_t * t = plant->touching;
  int to = t->n;
  if (t->n == PLANT_CONTACTS) {
    to = 0;
    for (int k = 1; k < t->n; k++) {
      if (t->row[k].gap > t->row[to].gap) to = k;
    }
    if (!(row->gap < t->row[to].gap)) return;
  } else {
    t->n++;
  }
  t->point[to] = point;
  t->row[to] = *row;
}

// how far a frame's points, up to a distance from its origin, may come in h seconds
static mbd_status_t
reach(mbd_data_t * data, int frame, double distance, double h, double * out)
{
  mbd_motion_t V;
  const mbd_status_t status =
    mbd_frame_velocity(data->model, data, frame, MBD_LOCAL_WORLD_ALIGNED, &V);
  if (status != MBD_OK) return status;
  *out = NEAR + 2 * h * (mbdu_vec3_norm(V.lin) + distance * mbdu_vec3_norm(V.ang));
  return MBD_OK;
}

// points of a contact that are near the ground, as rows of the problem
static mbd_status_t
look_at(plant_t * plant, mbd_data_t * data, int k, double h, bool * crowded)
{
  plant_touching_t * t = plant->touching;
  const plant_contact_t * c = &plant->contact[k];
  const plant_ground_t * g = &plant->options.ground;
  mbd_placement_t X;
  mbd_vec3_t p[RIM_POINTS];
  double near;
  mbd_status_t status = mbd_frame_placement(data->model, data, c->frame, &X);
  if (status == MBD_OK)
    status = reach(data, c->frame, mbdu_vec3_norm(c->centre) + c->radius + c->rim, h, &near);
  if (status != MBD_OK) return status;
  const int n = points_of(c, &X, g->normal, p);
  for (int j = 0; j < n; j++) {
    const int slot = RIM_POINTS * k + j;
    mbd_contact_t row = mbd_contact_default();
    row.gap = height_of(g, p[j]);
    if (!(row.gap <= near)) continue;
    plant->touch.depth = fmax(plant->touch.depth, -row.gap);
    row.frame_b = c->frame;
    row.point = p[j];
    row.normal = g->normal;
    row.friction = g->friction;
    row.restitution = g->restitution;
    row.mode = t->mode[slot];
    row.force = t->impulse[slot];
    *crowded = *crowded || t->n == PLANT_CONTACTS;
    add_point(plant, (point_t){k, slot}, &row);
  }
  return MBD_OK;
}

static mbd_status_t
find_points(plant_t * plant, mbd_data_t * data, double h, double recovery)
{
  plant_touching_t * t = plant->touching;
  bool crowded = false;
  t->n = 0;
  plant->touch.depth = 0;
  if (!plant->options.ground.on) return MBD_OK;
  for (int k = 0; k < plant->ncontact; k++) {
    const mbd_status_t status = look_at(plant, data, k, h, &crowded);
    if (status != MBD_OK) return status;
  }
  // a robot that was put into the ground is not shot out of it
  for (int k = 0; k < t->n; k++)
    t->row[k].gap = fmax(t->row[k].gap, -RECOVERY_SPEED * h / recovery);
  if (crowded) plant->touch.crowded++;
  return MBD_OK;
}

mbd_status_t
plant_place_base(plant_t * plant, double * q)
{
  const plant_ground_t * g = &plant->options.ground;
  const mbd_body_t * base = &plant->model->body[0];
  if (!g->on || !(g->clearance >= 0) || plant->ncontact == 0) return MBD_OK;
  if (base->type != MBD_JOINT_FREE || base->parent != MBD_WORLD_BODY) return MBD_OK;
  mbd_status_t status = mbd_set_position(plant->model, plant->data, q);
  double lowest = HUGE_VAL;
  for (int k = 0; k < plant->ncontact && status == MBD_OK; k++) {
    const plant_contact_t * c = &plant->contact[k];
    mbd_placement_t X;
    mbd_vec3_t p[RIM_POINTS];
    status = mbd_frame_placement(plant->model, plant->data, c->frame, &X);
    if (status != MBD_OK) break;
    const int n = points_of(c, &X, g->normal, p);
    for (int j = 0; j < n; j++) lowest = fmin(lowest, height_of(g, p[j]));
  }
  if (status != MBD_OK) return status;
  // q of a free joint is the position in the world first
  const double up[3] = {g->normal.x, g->normal.y, g->normal.z};
  for (int j = 0; j < 3; j++) q[base->q_index + j] += (g->clearance - lowest) * up[j];
  return MBD_OK;
}

//---------- friction ----------

// what joints can hold, and what they can hold where they slide
static void
set_friction(plant_t * plant, bool braked)
{
  const mbd_model_t * model = plant->model;
  const plant_options_t * o = &plant->options;
  plant_touching_t * t = plant->touching;
  const bool exact = o->friction && o->friction_model == PLANT_FRICTION_EXACT;
  for (int k = 0; k < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    t->sticks[k] = fabs(plant->v[k]) <= REST;
    t->dry[k] = exact ? body->drive.coulomb * (t->sticks[k] ? o->stiction : 1) : 0;
    if (braked && body->type != MBD_JOINT_FREE) t->dry[k] = HUGE_VAL;
  }
}

//---------- a step ----------

// joints beyond their limits, after options have changed, are brought back at once
static void
clamp(const plant_t * plant, double * q)
{
  for (int i = 0; i < plant->work->nlimit && plant->options.limits && !plant->loops; i++) {
    const mbd_limit_t * limit = &plant->work->limit[i];
    // others are no rows of the problem
    if (plant->model->body[limit->body].nv != 1) continue;
    q[limit->q_index] = fmax(limit->lower, fmin(limit->upper, q[limit->q_index]));
  }
}

// The state of the dynamics: of the tree, or in independent velocities.
static mbd_status_t
set_state(plant_t * plant, mbd_data_t * data)
{
  plant_touching_t * t = plant->touching;
  const double * v = plant->v;
  mbd_status_t status = MBD_OK;
  if (plant->loops) {
    status = plant_close(plant, plant->q, NULL);
    plant_reduce(plant, plant->v, t->x);
    v = t->x;
  }
  return status == MBD_OK ? mbd_set_state(data->model, data, plant->q, v) : status;
}

// forces of the step: of each contact, and those of each point for the next
static void
keep_forces(plant_t * plant, mbd_data_t * data, double h)
{
  plant_touching_t * t = plant->touching;
  const size_t points = RIM_POINTS * (size_t)plant->ncontact;
  plant->touch.points = 0;
  plant->touch.normal_force = 0;
  if (plant->ncontact == 0) return;
  memset(t->used, 0, points * sizeof *t->used);
  memset(plant->contact_force, 0, (size_t)plant->ncontact * sizeof *plant->contact_force);
  for (int i = 0; i < t->n; i++) {
    const mbd_contact_t * row = &t->row[i];
    const point_t * point = &t->point[i];
    mbd_placement_t X;
    t->used[point->slot] = true;
    t->mode[point->slot] = row->mode;
    t->impulse[point->slot] = row->force;
    if (row->mode == MBD_CONTACT_OPEN) continue;
    const mbd_vec3_t f = mbdu_vec3_scale(1 / h, row->force);
    plant->touch.points++;
    plant->touch.normal_force += mbdu_vec3_dot(row->normal, f);
    if (mbd_frame_placement(data->model, data, row->frame_b, &X) != MBD_OK) continue;
    mbd_force_t * sum = &plant->contact_force[point->contact];
    const mbd_vec3_t moment = mbdu_vec3_cross(mbdu_vec3_sub(row->point, X.p), f);
    sum->lin = mbdu_vec3_add(sum->lin, mbdu_mat3_tvec(&X.R, f));
    sum->ang = mbdu_vec3_add(sum->ang, mbdu_mat3_tvec(&X.R, moment));
  }
  for (size_t k = 0; k < points; k++) {
    if (!t->used[k]) t->mode[k] = MBD_CONTACT_OPEN;
  }
}

void
plant_contact_wrench(const plant_t * plant, int frame, mbd_force_t * f)
{
  *f = (mbd_force_t){{0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < plant->ncontact; k++) {
    if (plant->contact[k].frame == frame) *f = mbdu_force_add(*f, plant->contact_force[k]);
  }
}

// which joints are at rest, and which at a limit
static void
keep_joints(plant_t * plant, double h, double * v)
{
  plant_touching_t * t = plant->touching;
  for (int k = 0; k < plant->model->nv; k++) {
    // at rest is at rest, whatever rounding says
    const bool held = fabs(t->friction[k]) < h * t->dry[k] * (1 - 1e-9);
    if (held && fabs(v[k]) <= REST && !plant->loops) v[k] = 0;
  }
  for (int j = 0; j < plant->work->nr; j++) {
    const int k = plant->loops ? plant->embedded->dof_tree[j] : j;
    const bool pressed = t->limit[j] != 0, arrives = fabs(plant->v[k]) > ARRIVES;
    bool * at_limit = &plant->at_limit[k];
    if (pressed && arrives && !*at_limit) plant->stops++;
    *at_limit = pressed;
  }
}

//---------- free bases ----------

// Velocities of a free joint are in its axes, which turn in the step; rows of contacts are those of its beginning. So
// the linear velocity after the step is found in the axes of the beginning: its rate there is larger by w x v.

static bool
is_free(const mbd_body_t * body)
{
  return body->type == MBD_JOINT_FREE && body->parent == MBD_WORLD_BODY;
}

// tau += M (w x v)
static mbd_status_t
keep_axes(plant_t * plant, mbd_data_t * data, double * tau)
{
  const mbd_model_t * model = data->model;
  plant_touching_t * t = plant->touching;
  bool any = false;
  memset(t->v, 0, (size_t)model->nv * sizeof *t->v);
  for (int k = 0; k + 5 < model->nv; k++) {
    const mbd_body_t * body = &model->body[model->dof_body[k]];
    if (!is_free(body) || (k > 0 && model->dof_body[k - 1] == model->dof_body[k])) continue;
    const double * v = data->v + k;
    const mbd_vec3_t more =
      mbdu_vec3_cross(mbdu_vec3(v[3], v[4], v[5]), mbdu_vec3(v[0], v[1], v[2]));
    t->v[k] = more.x, t->v[k + 1] = more.y, t->v[k + 2] = more.z;
    any = true;
  }
  if (!any) return MBD_OK;
  const mbd_status_t status = mbd_mass_product(model, data, t->v, t->v);
  for (int k = 0; status == MBD_OK && k < model->nv; k++) tau[k] += t->v[k];
  return status;
}

static mbd_mat3_t
rotation_of(const double * q)
{
  return mbdu_quat_to_mat3((mbd_quat_t){q[3], q[4], q[5], q[6]});
}

// q of free joints moves by v in the axes of the beginning, then v turns into those of the end
static void
turn_axes(const plant_t * plant, double h, double * q_end, double * v)
{
  const mbd_model_t * model = plant->model;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (!is_free(body)) continue;
    const double * q = plant->q + body->q_index;
    double *end = q_end + body->q_index, *lin = v + body->v_index;
    const mbd_mat3_t before = rotation_of(q), after = rotation_of(end);
    const mbd_vec3_t world = mbdu_mat3_vec(&before, mbdu_vec3(lin[0], lin[1], lin[2]));
    const mbd_vec3_t turned = mbdu_mat3_tvec(&after, world);
    end[0] = q[0] + h * world.x, end[1] = q[1] + h * world.y, end[2] = q[2] + h * world.z;
    lin[0] = turned.x, lin[1] = turned.y, lin[2] = turned.z;
  }
}

static mbd_status_t
solve(plant_t * plant, mbd_data_t * data, double h, bool braked)
{
  plant_touching_t * t = plant->touching;
  const mbd_model_t * model = data->model;
  mbd_contact_options_t options = mbd_contact_options_default();
  options.limits = plant->options.limits;
  options.iterations = ITERATIONS;
  options.limit_margin = 1;
  // of the velocities that gravity gives in a step: forces of redundant points have no more digits
  options.tolerance = 1e-7;
  mbd_status_t status = find_points(plant, data, h, options.recovery);
  memcpy(t->tau, plant->effort, (size_t)plant->model->nv * sizeof *t->tau);
  if (status == MBD_OK && plant->loops)
    status = mbd_reduce_torque(model, data, plant->effort, t->tau);
  if (status == MBD_OK) status = keep_axes(plant, data, t->tau);
  if (status != MBD_OK) return status;
  plant_friction_per_velocity(plant, plant->v, plant->work->friction);
  set_friction(plant, braked);
  const mbd_joint_friction_t friction = {
    .n = plant->model->nv, .dry = t->dry, .viscous = plant->work->friction, .impulse = t->friction};
  if (has_bearings(plant) && !braked) {
    mbd_bearing_friction_t bearings = mbd_bearing_friction_default();
    bearings.load = t->load, bearings.sticks = t->sticks;
    status = mbd_bearing_step(
      model, data, t->tau, &plant->work->wrenches, h, t->n, t->row, &friction, &bearings, &options,
      t->work, t->x, t->limit, NULL, NULL);
  } else {
    status = mbd_friction_step(
      model, data, t->tau, &plant->work->wrenches, h, t->n, t->row, &friction, &options, t->work,
      t->x, t->limit, NULL, NULL);
  }
  // forces that are not exact, but in the cones and without energy of their own, are better than none
  if (status != MBD_ERROR_NOT_CONVERGED) return status;
  plant->touch.unsolved++;
  return MBD_OK;
}

mbd_status_t
plant_contact_step(plant_t * plant, double h, bool braked)
{
  const mbd_model_t * model = plant->model;
  plant_touching_t * t = plant->touching;
  plant_work_t * w = plant->work;
  mbd_data_t * data = plant->loops ? plant->loops : plant->data;
  clamp(plant, plant->q);
  mbd_status_t status = set_state(plant, data);
  if (status == MBD_OK) status = solve(plant, data, h, braked);
  if (status != MBD_OK) return status;
  plant_spread(plant, t->x, t->v);
  keep_forces(plant, data, h);
  keep_joints(plant, h, t->v);
  status = mbd_integrate(model, plant->q, t->v, h, w->q0);
  if (status == MBD_OK) turn_axes(plant, h, w->q0, t->v);
  if (status == MBD_OK) status = plant_close(plant, w->q0, t->v);
  if (status != MBD_OK) return status;
  clamp(plant, w->q0);
  memcpy(plant->q, w->q0, (size_t)model->nq * sizeof *w->q0);
  memcpy(plant->v, t->v, (size_t)model->nv * sizeof *t->v);
  return MBD_OK;
}
