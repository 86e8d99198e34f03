// A simulation, or a driven mechanism, as a page: page.html with the numbers in it. Nothing is loaded from elsewhere.
#include <stdlib.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "simulate_parts.h"

static const char PAGE[] = {
#include "simulate_page.inc"  // written by embed.cmake
};

enum { KINETIC, POTENTIAL, ENERGY, STEP, ENERGY_ERROR, POSITION_ERROR, COMMON };
static const char * const NAMES[COMMON] = {"kinetic", "potential",    "energy",
                                           "step",    "energy_error", "position_error"};

bool
page_begin(page_t * p, const subject_t * s, int ncurve, long samples, double first, double last)
{
  const mbd_model_t * model = s->model;
  const long budget = 400000 / (7 * (long)model->nbody);
  const long most = budget < 10 ? 10 : budget > 600 ? 600 : budget;
  *p = (page_t){.subject = s, .stride = (samples + most - 1) / most};
  p->pose = calloc((size_t)((most + 1) * 7 * model->nbody), sizeof *p->pose);
  p->time = calloc((size_t)most + 1, sizeof *p->time);
  if (!curves_allocate(&p->curves, ncurve, first, last)) return false;
  // no slice without a sample, which would be a gap
  const long slices = samples * 9 / 10;
  if (slices < p->curves.slices) p->curves.slices = slices > 1 ? (int)slices : 1;
  return p->pose && p->time;
}

bool
page_open(page_t * p, const subject_t * s, const simulate_options_t * o)
{
  const int ncurve = COMMON + s->model->nq + s->model->nv;
  return page_begin(p, s, ncurve, simulate_samples(s, o), 0, s->time);
}

void
page_pose(page_t * p, long index, double t, mbd_data_t * data)
{
  const mbd_model_t * model = p->subject->model;
  if (index % p->stride != 0) return;
  float * to = p->pose + 7 * model->nbody * p->nframe;
  p->time[p->nframe++] = t;
  for (int i = 0; i < model->nbody; i++, to += 7) {
    mbd_placement_t X;
    if (mbd_frame_placement(model, data, model->body[i].link_frame, &X) != MBD_OK) continue;
    const mbd_quat_t q = mbdu_quat_from_mat3(&X.R);
    const double number[7] = {X.p.x, X.p.y, X.p.z, q.x, q.y, q.z, q.w};
    for (int k = 0; k < 7; k++) to[k] = (float)number[k];
  }
}

void
page_take(page_t * p, const sample_t * x)
{
  const mbd_model_t * model = p->subject->model;
  const mbd_simulation_info_t * info = x->info;
  const double common[COMMON] = {
    x->kinetic,
    x->potential,
    x->kinetic + x->potential,
    info->step,
    info->energy - info->energy_start - info->work,
    1e12 * info->error_position};  // labels of plots are not that small
  for (int k = 0; k < COMMON; k++) curves_add(&p->curves, k, x->t, common[k]);
  for (int i = 0; i < model->nq; i++) curves_add(&p->curves, COMMON + i, x->t, x->q[i]);
  for (int i = 0; i < model->nv; i++) curves_add(&p->curves, COMMON + model->nq + i, x->t, x->v[i]);
  page_pose(p, x->index, x->t, x->data);
}

static void
write_point(json_out_t * out, const char * key, int body, mbd_vec3_t p)
{
  const double x[4] = {body, p.x, p.y, p.z};
  json_out_vector(out, key, x, 4);
}

// points where a body is held: body and position in it, -1 for the world; rod: a line joins them, of massless rods, and of
// bodies that slide along each other, such as the halves of a cylinder
static void
write_joints(json_out_t * out, const mbd_model_t * model)
{
  json_out_list(out, "links");
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    if (body->nv > 3) continue;
    json_out_object(out, NULL);
    write_point(out, "a", body->parent, body->X_tree.p);
    write_point(out, "b", i, (mbd_vec3_t){0, 0, 0});
    json_out_bool(out, "rod", body->type == MBD_JOINT_PRISMATIC && body->parent >= 0);
    json_out_end(out);
  }
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * closure = &model->closure[k];
    if (closure->type == MBD_CLOSURE_COUPLING) continue;
    json_out_object(out, NULL);
    write_point(out, "a", closure->body_a, closure->X_a.p);
    write_point(out, "b", closure->body_b, closure->X_b.p);
    const bool slides =
      closure->type == MBD_CLOSURE_PRISMATIC || closure->type == MBD_CLOSURE_CYLINDRICAL;
    const bool moves = closure->body_a >= 0 && closure->body_b >= 0;
    json_out_bool(out, "rod", closure->type == MBD_CLOSURE_DISTANCE || (slides && moves));
    json_out_end(out);
  }
  json_out_end(out);
}

// springs between two points; centres of mass, for bodies that nothing else shows
static void
write_springs(json_out_t * out, const mbd_model_t * model)
{
  json_out_list(out, "springs");
  for (int k = 0; k < model->nelement; k++) {
    const mbd_element_spec_t * e = &model->element[k].spec;
    if (e->type != MBD_ELEMENT_SPRING) continue;
    json_out_object(out, NULL);
    for (int side = 0; side < 2; side++) {
      const int frame = side ? e->frame_b : e->frame_a;
      const mbd_vec3_t p = side ? e->X_b.p : e->X_a.p;
      const mbd_frame_t * at = frame >= 0 ? &model->frame[frame] : NULL;
      write_point(
        out, side ? "b" : "a", at ? at->body : -1, at ? mbdu_placement_point(&at->X, p) : p);
    }
    json_out_end(out);
  }
  json_out_end(out);
  json_out_list(out, "centres");
  for (int i = 0; i < model->nbody; i++) {
    const mbd_inertia_t * I = &model->body[i].inertia;
    const mbd_vec3_t c = I->mass > 0 ? mbdu_vec3_scale(1 / I->mass, I->h) : mbdu_vec3(0, 0, 0);
    json_out_vector(out, NULL, (double[4]){i, c.x, c.y, c.z}, 4);
  }
  json_out_end(out);
}

// a surface in the body (-1: the world): type, sizes, columns of its axes and origin
static void
write_surface(json_out_t * out, int body, const mbd_placement_t * X, const mbd_surface_t * surface)
{
  if (surface->type == MBD_SURFACE_POINT) return;
  const double * R = X->R.m;
  json_out_object(out, NULL);
  json_out_string(out, "type", mbd_surface_type_name(surface->type));
  json_out_integer(out, "body", body < 0 ? -1 : body);
  json_out_vector(out, "size", surface->size, 3);
  json_out_vector(out, "x", (double[3]){R[0], R[3], R[6]}, 3);
  json_out_vector(out, "y", (double[3]){R[1], R[4], R[7]}, 3);
  json_out_vector(out, "z", (double[3]){R[2], R[5], R[8]}, 3);
  json_out_vector(out, "origin", (double[3]){X->p.x, X->p.y, X->p.z}, 3);
  json_out_end(out);
}

// those of closures; roll has the surfaces of its touch
static void
write_surfaces(json_out_t * out, const mbd_model_t * model)
{
  json_out_list(out, "surfaces");
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    if (c->type != MBD_CLOSURE_TOUCH && c->type != MBD_CLOSURE_ON_SURFACE) continue;
    write_surface(out, c->body_a, &c->X_a, &c->surface_a);
    write_surface(out, c->body_b, &c->X_b, &c->surface_b);
  }
  json_out_end(out);
}

static void
write_motion(json_out_t * out, const page_t * p)
{
  const int n = 7 * p->subject->model->nbody;
  json_out_list(out, "frames");
  for (long f = 0; f < p->nframe; f++) {
    json_out_list(out, NULL);
    json_out_digits(out, NULL, p->time[f], 6);
    for (int i = 0; i < n; i++) json_out_digits(out, NULL, (double)p->pose[f * n + i], 5);
    json_out_end(out);
  }
  json_out_end(out);
}

static void
write_curves(json_out_t * out, const page_t * p, const char * key, int first, char ** name, int n)
{
  json_out_list(out, key);
  for (int i = 0; i < n; i++) {
    json_out_object(out, NULL);
    json_out_string(out, "name", name[i]);
    curves_write(out, "data", &p->curves, first + i);
    json_out_end(out);
  }
  json_out_end(out);
}

static void
begin_data(json_out_t * out, const page_t * p, const char * title, const char * summary)
{
  json_out_clear(out);
  json_out_object(out, NULL);
  json_out_string(out, "name", p->subject->model->name);
  json_out_string(out, "title", title);
  json_out_string(out, "path", p->subject->path);
  json_out_string(out, "summary", summary);
  json_out_digits(out, "first", p->curves.first, 9);
  json_out_digits(out, "last", p->curves.last, 9);
  json_out_integer(out, "slices", p->curves.slices);
}

static void
end_data(json_out_t * out, const page_t * p, FILE * file)
{
  write_joints(out, p->subject->model);
  write_springs(out, p->subject->model);
  write_surfaces(out, p->subject->model);
  write_motion(out, p);
  json_out_end(out);
  page_write(file, PAGE, out);
  json_out_fini(out);
}

void
page_print(const page_t * p, FILE * file, const char * summary)
{
  const subject_t * s = p->subject;
  const mbd_model_t * model = s->model;
  json_out_t out = {0};
  begin_data(&out, p, "simulation", summary);
  for (int k = 0; k < COMMON; k++) curves_write(&out, NAMES[k], &p->curves, k);
  write_curves(&out, p, "positions", COMMON, s->coordinate, model->nq);
  write_curves(&out, p, "velocities", COMMON + model->nq, s->dof, model->nv);
  end_data(&out, p, file);
}

void
page_print_groups(
  const page_t * p, FILE * file, const char * title, const char * summary,
  const curve_group_t * group, int n)
{
  json_out_t out = {0};
  begin_data(&out, p, title, summary);
  json_out_list(&out, "groups");
  for (int k = 0, first = 0; k < n; first += group[k++].n) {
    json_out_object(&out, NULL);
    json_out_string(&out, "title", group[k].title);
    json_out_string(&out, "unit", group[k].unit);
    write_curves(&out, p, "curves", first, group[k].name, group[k].n);
    json_out_end(&out);
  }
  json_out_end(&out);
  end_data(&out, p, file);
}

void
page_free(page_t * p)
{
  curves_free(&p->curves);
  free(p->pose);
  free(p->time);
}
