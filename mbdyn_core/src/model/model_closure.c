// Closures of a model: kept as they were added, put on the bodies at finalize.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "util/check.h"

//---------- types ----------

typedef struct closure_type {
  const char * name;
  int nrow;
  bool positions;  // rows hold of positions, not of velocities alone
  bool frames;     // lies between frames, not coordinates
} closure_type_t;

static const closure_type_t TYPES[MBD_CLOSURE_TYPES] = {
  [MBD_CLOSURE_WELD] = {"weld", 6, true, true},
  [MBD_CLOSURE_REVOLUTE] = {"revolute", 5, true, true},
  [MBD_CLOSURE_PRISMATIC] = {"prismatic", 5, true, true},
  [MBD_CLOSURE_CYLINDRICAL] = {"cylindrical", 4, true, true},
  [MBD_CLOSURE_UNIVERSAL] = {"universal", 4, true, true},
  [MBD_CLOSURE_SPHERICAL] = {"spherical", 3, true, true},
  [MBD_CLOSURE_PLANAR] = {"planar", 3, true, true},
  [MBD_CLOSURE_ON_LINE] = {"on_line", 2, true, true},
  [MBD_CLOSURE_DISTANCE] = {"distance", 1, true, true},
  [MBD_CLOSURE_ON_PLANE] = {"on_plane", 1, true, true},
  [MBD_CLOSURE_COUPLING] = {"coupling", 1, true, false},
  [MBD_CLOSURE_NO_SLIP] = {"no_slip", 1, false, true},
  [MBD_CLOSURE_ROLLING] = {"rolling", 2, false, true},
  [MBD_CLOSURE_SCREW] = {"screw", 5, true, true},
  [MBD_CLOSURE_ON_SURFACE] = {"on_surface", 1, true, true},
  [MBD_CLOSURE_TOUCH] = {"touch", 1, true, true},
  [MBD_CLOSURE_ROLL] = {"roll", 2, false, true},
};

static const struct {
  const char * name;
  int nsize;
  bool a, b, closed;  // sides that may have it; it has an inside
} SURFACES[MBD_SURFACE_TYPES] = {
  [MBD_SURFACE_POINT] = {"point", 0, false, false, false},
  [MBD_SURFACE_PLANE] = {"plane", 0, true, false, false},
  [MBD_SURFACE_SPHERE] = {"sphere", 1, true, true, true},
  [MBD_SURFACE_ELLIPSOID] = {"ellipsoid", 3, true, true, true},
  [MBD_SURFACE_CYLINDER] = {"cylinder", 1, true, false, true},
  [MBD_SURFACE_PARABOLOID] = {"paraboloid", 2, true, false, false},
  [MBD_SURFACE_DISK] = {"disk", 1, false, true, false},
};

static bool
is_type(mbd_closure_type_t type)
{
  return (int)type >= 0 && (int)type < MBD_CLOSURE_TYPES;
}

const char *
mbd_closure_type_name(mbd_closure_type_t type)
{
  return is_type(type) ? TYPES[type].name : "unknown";
}

int
mbd_closure_rows(mbd_closure_type_t type)
{
  return is_type(type) ? TYPES[type].nrow : 0;
}

static bool
is_surface(mbd_surface_type_t type)
{
  return (int)type >= 0 && (int)type < MBD_SURFACE_TYPES;
}

const char *
mbd_surface_type_name(mbd_surface_type_t type)
{
  return is_surface(type) ? SURFACES[type].name : "unknown";
}

int
mbd_surface_sizes(mbd_surface_type_t type)
{
  return is_surface(type) ? SURFACES[type].nsize : 0;
}

//---------- adding ----------

mbd_closure_spec_t
mbd_closure_spec_default(void)
{
  mbd_closure_spec_t spec = {0};
  spec.frame_a = spec.frame_b = MBD_WORLD_BODY;
  spec.X_a = spec.X_b = mbdu_placement_identity();
  return spec;
}

// a frame of the model or the world
static bool
is_frame(const mbd_model_t * model, int frame)
{
  return frame >= MBD_WORLD_BODY && frame < model->nframe;
}

static mbd_status_t
check_surface(const mbd_surface_t * surface, bool is_b)
{
  if (!is_surface(surface->type)) return MBD_ERROR_BAD_ARGUMENT;
  if (!(is_b ? SURFACES[surface->type].b : SURFACES[surface->type].a)) return MBD_ERROR_BAD_CLOSURE;
  if (surface->inside && (is_b || !SURFACES[surface->type].closed)) return MBD_ERROR_BAD_CLOSURE;
  for (int k = 0; k < SURFACES[surface->type].nsize; k++) {
    if (!finite_array(&surface->size[k], 1)) return MBD_ERROR_NOT_FINITE;
    // a paraboloid may bend either way
    if (surface->type == MBD_SURFACE_PARABOLOID) continue;
    if (!(surface->size[k] > 0)) return MBD_ERROR_BAD_CLOSURE;
  }
  return MBD_OK;
}

static bool
has_surface(mbd_closure_type_t type)
{
  return type == MBD_CLOSURE_ON_SURFACE || type == MBD_CLOSURE_TOUCH || type == MBD_CLOSURE_ROLL;
}

static mbd_status_t
check_surfaces(const mbd_closure_spec_t * spec)
{
  if (!has_surface(spec->type)) return MBD_OK;
  CHECK(check_surface(&spec->surface_a, false));
  return spec->type == MBD_CLOSURE_ON_SURFACE ? MBD_OK : check_surface(&spec->surface_b, true);
}

static mbd_status_t
check_frames(const mbd_model_t * model, const mbd_closure_spec_t * spec)
{
  if (!is_frame(model, spec->frame_a) || !is_frame(model, spec->frame_b)) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  CHECK(mbdi_check_placement(&spec->X_a));
  CHECK(mbdi_check_placement(&spec->X_b));
  if (spec->type == MBD_CLOSURE_NO_SLIP || spec->type == MBD_CLOSURE_ROLLING) {
    // what slips over the world cannot be the world
    return spec->frame_b == MBD_WORLD_BODY ? MBD_ERROR_BAD_CLOSURE : MBD_OK;
  }
  if (spec->frame_a == spec->frame_b) return MBD_ERROR_BAD_CLOSURE;
  CHECK(check_surfaces(spec));
  if (spec->type == MBD_CLOSURE_SCREW) {
    if (!finite_array(&spec->pitch, 1)) return MBD_ERROR_NOT_FINITE;
    return spec->pitch != 0 ? MBD_OK : MBD_ERROR_BAD_CLOSURE;
  }
  if (spec->type != MBD_CLOSURE_DISTANCE) return MBD_OK;
  if (!finite_array(&spec->distance, 1)) return MBD_ERROR_NOT_FINITE;
  return spec->distance > 0 ? MBD_OK : MBD_ERROR_BAD_CLOSURE;
}

static mbd_status_t
check_coupling(const mbd_closure_spec_t * spec)
{
  if (spec->ncoupled < 1 || spec->ncoupled > MBD_COUPLED_MAX) return MBD_ERROR_BAD_CLOSURE;
  if (!finite_array(&spec->offset, 1)) return MBD_ERROR_NOT_FINITE;
  for (int k = 0; k < spec->ncoupled; k++) {
    if (!spec->joint[k]) return MBD_ERROR_NULL_ARGUMENT;
    if (!finite_array(&spec->coefficient[k], 1)) return MBD_ERROR_NOT_FINITE;
    if (spec->coefficient[k] == 0) return MBD_ERROR_BAD_CLOSURE;
  }
  return MBD_OK;
}

static mbd_status_t
check_closure(const mbd_model_t * model, const mbd_closure_spec_t * spec)
{
  for (int k = 0; k < model->internal->builder->nloop; k++) {
    if (strcmp(model->internal->builder->loop[k].name, spec->name) == 0)
      return MBD_ERROR_DUPLICATE_NAME;
  }
  if (!is_type(spec->type)) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(TYPES[spec->type].frames ? check_frames(model, spec) : check_coupling(spec));
  const mbd_driver_t * driver = &spec->driver;
  if (!finite_array(&driver->value, 1) || !finite_array(&driver->rate, 1)) {
    return MBD_ERROR_NOT_FINITE;
  }
  const bool row = driver->row >= 0 && driver->row < TYPES[spec->type].nrow;
  return row ? MBD_OK : MBD_ERROR_BAD_CLOSURE;
}

static void
free_loop(mbd_closure_spec_t * loop)
{
  free((void *)loop->name);
  for (int k = 0; k < MBD_COUPLED_MAX; k++) free((void *)loop->joint[k]);
}

// copies of everything that a description points to; false when out of memory
static bool
copy_loop(const mbd_closure_spec_t * from, mbd_closure_spec_t * to)
{
  *to = *from;
  to->ncoupled = TYPES[from->type].frames ? 0 : from->ncoupled;
  to->name = mbdi_copy_string(from->name);
  bool good = to->name != NULL;
  for (int k = 0; k < MBD_COUPLED_MAX; k++) {
    to->joint[k] = k < to->ncoupled ? mbdi_copy_string(from->joint[k]) : NULL;
    if (k < to->ncoupled && !to->joint[k]) good = false;
  }
  if (!good) free_loop(to);
  return good;
}

static bool
reserve_loop(struct mbdi_model_builder * b)
{
  if (b->nloop < b->loop_capacity) return true;
  const int capacity = b->loop_capacity == 0 ? 8 : 2 * b->loop_capacity;
  mbd_closure_spec_t * grown = realloc(b->loop, (size_t)capacity * sizeof *grown);
  if (!grown) return false;
  b->loop = grown;
  b->loop_capacity = capacity;
  return true;
}

mbd_status_t
mbd_model_add_closure(mbd_model_t * model, const mbd_closure_spec_t * spec, int * closure)
{
  if (!model || !spec || !spec->name) return MBD_ERROR_NULL_ARGUMENT;
  if (model->finalized) return MBD_ERROR_FINALIZED;
  mbdi_model_blame(model, spec->name);
  CHECK(check_closure(model, spec));
  model->error_name = NULL;
  struct mbdi_model_builder * b = model->internal->builder;
  if (!reserve_loop(b) || !copy_loop(spec, &b->loop[b->nloop])) return MBD_ERROR_OUT_OF_MEMORY;
  if (closure) *closure = b->nloop;
  b->nloop++;
  return MBD_OK;
}

void
mbdi_free_closures(struct mbdi_model_builder * b)
{
  for (int k = 0; k < b->nloop; k++) free_loop(&b->loop[k]);
  free(b->loop);
  free(b->closure);
}

//---------- finalize ----------

// moving body and placement in it of a closure frame
static int
placement_in_body(
  const struct mbdi_model_builder * b, int frame, const mbd_placement_t * X, mbd_placement_t * to)
{
  *to = *X;
  if (frame < 0) return MBD_WORLD_BODY;
  *to = mbdu_placement_mul(&b->frame[frame].X, X);
  return b->frame[frame].body;
}

// the body furthest out that carries both, or the world
static int
common_body(const mbd_body_t * body, int a, int b)
{
  while (a >= 0 && !(a <= b && b < body[a].subtree_end)) a = body[a].parent;
  return a;
}

// a joint whose coordinate is one number, the integral of its velocity
static bool
can_be_coupled(const mbd_body_t * body)
{
  return body->nv == 1 && body->nq == 1 &&
         (body->type != MBD_JOINT_USER || body->user.integrate == NULL);
}

static mbd_status_t
resolve_coupling(
  const struct mbdi_model_builder * b, const mbd_closure_spec_t * spec, mbd_closure_t * c)
{
  for (int k = 0; k < spec->ncoupled; k++) {
    const int item = mbdi_names_find(&b->joints, spec->joint[k]);
    if (item < 0 || b->item[item].spec.type == MBD_JOINT_FIXED) return MBD_ERROR_BAD_CLOSURE;
    c->coupled[k] = b->frame[item].body;
    if (!can_be_coupled(&b->body[c->coupled[k]])) return MBD_ERROR_BAD_CLOSURE;
    for (int j = 0; j < k; j++) {
      if (c->coupled[j] == c->coupled[k]) return MBD_ERROR_BAD_CLOSURE;
    }
    c->coefficient[k] = spec->coefficient[k];
  }
  c->ncoupled = spec->ncoupled;
  c->offset = spec->offset;
  c->body_a = c->body_b = c->common = -1;
  return MBD_OK;
}

static mbd_status_t
resolve_closure(
  const struct mbdi_model_builder * b, const mbd_closure_spec_t * spec, mbd_closure_t * c)
{
  c->name = spec->name;
  c->type = spec->type;
  c->driver = spec->driver;
  c->distance = spec->distance;
  c->pitch = spec->pitch;
  if (has_surface(spec->type)) c->surface_a = spec->surface_a;
  if (has_surface(spec->type) && spec->type != MBD_CLOSURE_ON_SURFACE)
    c->surface_b = spec->surface_b;
  c->nrow = TYPES[spec->type].nrow;
  c->nposition = TYPES[spec->type].positions ? c->nrow : 0;
  if (!TYPES[spec->type].frames) return resolve_coupling(b, spec, c);
  c->body_a = placement_in_body(b, spec->frame_a, &spec->X_a, &c->X_a);
  c->body_b = placement_in_body(b, spec->frame_b, &spec->X_b, &c->X_b);
  c->common = common_body(b->body, c->body_a, c->body_b);
  if (c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING)
    return c->body_b < 0 ? MBD_ERROR_BAD_CLOSURE : MBD_OK;
  return c->body_a == c->body_b ? MBD_ERROR_BAD_CLOSURE : MBD_OK;
}

// q - multiplier q_other - offset = 0; a multiplier of zero holds the joint
static mbd_status_t
mimic_closure(const mbd_body_t * all, int i, mbd_closure_t * c)
{
  const mbd_body_t * body = &all[i];
  c->name = body->joint_name;
  c->type = MBD_CLOSURE_COUPLING;
  c->nrow = c->nposition = 1;
  c->body_a = c->body_b = c->common = -1;
  c->from_mimic = true;
  c->coupled[0] = i;
  c->coupled[1] = body->mimic_body;
  c->coefficient[0] = 1;
  c->coefficient[1] = -body->mimic_multiplier;
  c->offset = -body->mimic_offset;
  c->ncoupled = body->mimic_multiplier == 0 ? 1 : 2;
  const bool good = can_be_coupled(body) && can_be_coupled(&all[body->mimic_body]);
  return good ? MBD_OK : MBD_ERROR_BAD_CLOSURE;
}

static mbd_status_t
resolve_mimic_closures(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  for (int i = 0; i < model->nbody; i++) {
    if (b->body[i].mimic_body < 0) continue;
    model->error_name = b->body[i].joint_name;
    for (int k = 0; k < b->nloop; k++) {
      if (strcmp(b->loop[k].name, b->body[i].joint_name) == 0) return MBD_ERROR_DUPLICATE_NAME;
    }
    CHECK(mimic_closure(b->body, i, &b->closure[model->nclosure]));
    model->nclosure++;
  }
  model->error_name = NULL;
  return MBD_OK;
}

mbd_status_t
mbdi_resolve_closures(mbd_model_t * model)
{
  struct mbdi_model_builder * b = model->internal->builder;
  const int n = b->nloop + model->nmimic;
  if (n == 0) return MBD_OK;
  b->closure = calloc((size_t)n, sizeof *b->closure);
  if (!b->closure) return MBD_ERROR_OUT_OF_MEMORY;
  for (int k = 0; k < b->nloop; k++) {
    model->error_name = b->loop[k].name;
    CHECK(resolve_closure(b, &b->loop[k], &b->closure[k]));
  }
  model->nclosure = b->nloop;
  CHECK(resolve_mimic_closures(model));
  for (int k = 0; k < n; k++) {
    b->closure[k].row = model->nrow;
    model->nrow += b->closure[k].nrow;
  }
  model->closure = b->closure;
  return MBD_OK;
}

void
mbdi_forget_closures(mbd_model_t * model)
{
  free(model->internal->builder->closure);
  model->internal->builder->closure = NULL;
  model->closure = NULL;
  model->nclosure = model->nrow = 0;
}

mbd_status_t
mbd_find_closure(const mbd_model_t * model, const char * name, int * closure)
{
  if (!model || !name || !closure) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  for (int k = 0; k < model->nclosure; k++) {
    if (strcmp(model->closure[k].name, name) != 0) continue;
    *closure = k;
    return MBD_OK;
  }
  return MBD_ERROR_NOT_FOUND;
}
