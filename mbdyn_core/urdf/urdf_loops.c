// Closures: <loop_joint> of the file, what each must have, and adding them to the model.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/limits.h"
#include "mbdyn/spatial.h"
#include "urdf_internal.h"

static urdf_place_t
place_of(const urdf_closure_t * c)
{
  urdf_place_t place = {"closure", c->name, c->line};
  return place;
}

urdf_closure_t *
urdf_new_closure(urdf_loader_t * loader, int line)
{
  if (loader->nclosure >= URDF_MAX_CLOSURES) {
    const urdf_place_t place = {"closure", NULL, line};
    urdf_fail(loader, MBD_ERROR_LIMIT, place, NULL, "more than %d closures", URDF_MAX_CLOSURES);
    return NULL;
  }
  if (!urdf_reserve(
        loader, (void **)&loader->closure, loader->nclosure, &loader->closure_capacity,
        sizeof *loader->closure)) {
    return NULL;
  }
  urdf_closure_t * c = &loader->closure[loader->nclosure++];
  memset(c, 0, sizeof *c);
  c->line = line;
  c->in_loops_file = loader->in_loops_file;
  return c;
}

//---------- types ----------

// other names that files have for them
static const struct {
  const char * name;
  mbd_closure_type_t type;
} ALIASES[] = {
  {"fixed", MBD_CLOSURE_WELD},     {"continuous", MBD_CLOSURE_REVOLUTE},
  {"ball", MBD_CLOSURE_SPHERICAL}, {"gear", MBD_CLOSURE_COUPLING},
  {"strut", MBD_CLOSURE_ON_LINE},  {"helical", MBD_CLOSURE_SCREW},
};

bool
urdf_closure_type(
  urdf_loader_t * loader, urdf_place_t place, const char * name, mbd_closure_type_t * type)
{
  for (int k = 0; k < MBD_CLOSURE_TYPES; k++) {
    *type = (mbd_closure_type_t)k;
    if (strcmp(mbd_closure_type_name(*type), name) == 0) return true;
  }
  for (size_t k = 0; k < sizeof ALIASES / sizeof *ALIASES; k++) {
    *type = ALIASES[k].type;
    if (strcmp(ALIASES[k].name, name) == 0) return true;
  }
  urdf_say(
    loader, MBDX_ERROR, place,
    "write weld, revolute, prismatic, cylindrical, universal, spherical, planar, on_line, "
    "distance, "
    "on_plane, coupling, strut, revolute_spherical, screw, on_surface, touch, roll, no_slip or "
    "rolling",
    "type %s is unknown", urdf_value(name).s);
  return false;
}

// the direction of z says all that counts: the others do not matter
static bool
axis_suffices(mbd_closure_type_t type, mbd_surface_type_t surface)
{
  switch (type) {
    case MBD_CLOSURE_ON_SURFACE:
    case MBD_CLOSURE_TOUCH:
    case MBD_CLOSURE_ROLL:
      return surface != MBD_SURFACE_ELLIPSOID && surface != MBD_SURFACE_PARABOLOID;
    case MBD_CLOSURE_REVOLUTE:
    case MBD_CLOSURE_CYLINDRICAL:
    case MBD_CLOSURE_PLANAR:
    case MBD_CLOSURE_ON_LINE:
    case MBD_CLOSURE_ON_PLANE: return true;
    default: return false;
  }
}

//---------- checks ----------

static void
check_end(
  urdf_loader_t * loader, const urdf_closure_t * c, const urdf_end_t * end, const char * key)
{
  const urdf_place_t place = place_of(c);
  if (!end->given) {
    urdf_say(loader, MBDX_ERROR, place, "give the name of a link, or world", "%s is missing", key);
    return;
  }
  if (end->link && urdf_find_link(&loader->robot, end->link) < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "%s: there is no link %s", key,
      urdf_name(end->link).s);
  }
  if (end->has_axis && end->has_rpy) {
    urdf_say(loader, MBDX_ERROR, place, "keep one of them", "%s has both axis and rpy", key);
  } else if (end->has_axis && !axis_suffices(c->type, end->surface.type)) {
    urdf_say(
      loader, MBDX_ERROR, place, "give rpy instead",
      "%s: an axis does not determine x, which a closure of type %s requires", key,
      mbd_closure_type_name(c->type));
  }
  const mbd_vec3_t axis = {end->axis[0], end->axis[1], end->axis[2]};
  if (end->has_axis && !(mbdu_vec3_norm(axis) > 1e-12)) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "%s: axis has zero length", key);
  }
}

static void
check_surface(
  urdf_loader_t * loader, const urdf_closure_t * c, const urdf_end_t * end, const char * key)
{
  const urdf_place_t place = place_of(c);
  const mbd_surface_t * s = &end->surface;
  const bool is_b = end == &c->b, two = c->type == MBD_CLOSURE_TOUCH || c->type == MBD_CLOSURE_ROLL;
  if (!(two || (c->type == MBD_CLOSURE_ON_SURFACE && !is_b))) {
    if (end->has_surface)
      urdf_say(
        loader, MBDX_ERROR, place, "remove it", "%s: a surface does not apply to type %s", key,
        mbd_closure_type_name(c->type));
    return;
  }
  const bool curved = s->type == MBD_SURFACE_SPHERE || s->type == MBD_SURFACE_ELLIPSOID;
  const bool closed = curved || s->type == MBD_SURFACE_CYLINDER;
  if (!end->has_surface) {
    urdf_say(loader, MBDX_ERROR, place, "add surface: ...", "%s has no surface", key);
  } else if (is_b ? !curved && s->type != MBD_SURFACE_DISK : s->type == MBD_SURFACE_DISK) {
    urdf_say(
      loader, MBDX_ERROR, place,
      "a is a plane, sphere, ellipsoid, cylinder or paraboloid, b a sphere, ellipsoid or disk",
      "%s cannot be a %s", key, mbd_surface_type_name(s->type));
  } else if (s->inside && (is_b || !closed)) {
    urdf_say(loader, MBDX_ERROR, place, "remove it", "%s: inside does not apply", key);
  }
  for (int k = 0; k < mbd_surface_sizes(s->type); k++) {
    if (!(s->size[k] > 0) && s->type != MBD_SURFACE_PARABOLOID)
      urdf_say(
        loader, MBDX_ERROR, place, NULL, "%s: size %d of the surface is not positive", key, k);
  }
}

static void
check_pitch(urdf_loader_t * loader, const urdf_closure_t * c)
{
  if (c->type == MBD_CLOSURE_SCREW && c->pitch == 0) {
    urdf_say(
      loader, MBDX_ERROR, place_of(c), "add pitch: ... in m/rad, or write type: revolute",
      "pitch is missing or zero");
  } else if (c->type != MBD_CLOSURE_SCREW && c->pitch != 0) {
    urdf_say(
      loader, MBDX_ERROR, place_of(c), "remove it, or write type: screw",
      "pitch does not apply to type %s", mbd_closure_type_name(c->type));
  }
}

static void
check_frames(urdf_loader_t * loader, const urdf_closure_t * c)
{
  const urdf_place_t place = place_of(c);
  check_end(loader, c, &c->a, "a");
  check_end(loader, c, &c->b, "b");
  check_surface(loader, c, &c->a, "a");
  check_surface(loader, c, &c->b, "b");
  check_pitch(loader, c);
  const bool slips = c->type == MBD_CLOSURE_NO_SLIP || c->type == MBD_CLOSURE_ROLLING;
  const bool same =
    c->a.given && c->b.given &&
    (c->a.link && c->b.link ? !strcmp(c->a.link, c->b.link) : c->a.link == c->b.link);
  if (same && (!slips || !c->b.link)) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "a and b are on the same link");
  }
  if (c->type == MBD_CLOSURE_DISTANCE && !(c->distance > 0)) {
    urdf_say(
      loader, MBDX_ERROR, place, "add distance: ... in metres", "distance is missing or zero");
  } else if (c->type != MBD_CLOSURE_DISTANCE && c->distance != 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "remove it, or write type: distance",
      "distance does not apply to type %s", mbd_closure_type_name(c->type));
  }
  if (c->njoint > 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "write type: coupling", "joints do not apply to type %s",
      mbd_closure_type_name(c->type));
  }
}

static void
check_coupling(urdf_loader_t * loader, const urdf_closure_t * c)
{
  const urdf_place_t place = place_of(c);
  if (c->njoint == 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "add joints: {name: coefficient, ...}", "joints are missing");
  }
  if (c->a.given || c->b.given) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "a coupling is between joints, not between a and b");
  }
  for (int k = 0; k < c->njoint; k++) {
    const char * name = c->joint[k];
    const int j = urdf_find_joint(&loader->robot, name);
    if (j < 0) {
      urdf_say(
        loader, MBDX_ERROR, place, "correct the name", "there is no joint %s", urdf_name(name).s);
    } else if (!urdf_one_dof(&loader->robot.joint[j])) {
      urdf_say(
        loader, MBDX_ERROR, place, NULL, "joint %s is not revolute, continuous or prismatic",
        urdf_name(name).s);
    }
    if (c->coefficient[k] == 0) {
      urdf_say(
        loader, MBDX_ERROR, place, "remove the joint", "the coefficient of joint %s is 0",
        urdf_name(name).s);
    }
    for (int i = 0; i < k; i++) {
      if (strcmp(c->joint[i], name) != 0) continue;
      urdf_say(
        loader, MBDX_ERROR, place, "add the coefficients", "duplicate joint %s", urdf_name(name).s);
    }
  }
}

void
urdf_check_closure(urdf_loader_t * loader, const urdf_closure_t * c)
{
  const urdf_place_t place = place_of(c);
  if (!c->name || *c->name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "add a name", "has no name");
    return;
  }
  for (const urdf_closure_t * other = loader->closure; other < c; other++) {
    if (!other->name || strcmp(other->name, c->name) != 0) continue;
    urdf_say(
      loader, MBDX_ERROR, place, "rename one of them",
      "the name is taken by the closure on line %d", other->line);
  }
  if (c->type == MBD_CLOSURE_COUPLING) {
    check_coupling(loader, c);
  } else {
    check_frames(loader, c);
  }
  const int rows = mbd_closure_rows(c->type);
  if (c->driver.row < 0 || c->driver.row >= rows) {
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "driver: row %d is out of range, %d rows from 0",
      c->driver.row, rows);
  }
}

//---------- <loop_joint> ----------

static void
read_end(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_end_t * end)
{
  static const char * const known[] = {"link", "xyz", "rpy", NULL};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  end->given = true;
  end->link = urdf_attribute(node, "link");
  if (end->link && strcmp(end->link, "world") == 0 && urdf_find_link(&loader->robot, "world") < 0) {
    end->link = NULL;
  } else if (!end->link) {
    end->given = false;
  }
  const char * text = urdf_attribute(node, "xyz");
  if (text && urdf_vector(loader, place, "xyz", text, end->xyz, 3)) {
    urdf_within_size(loader, place, "xyz", end->xyz, 3);
  }
  text = urdf_attribute(node, "rpy");
  if (text) urdf_vector(loader, place, "rpy", text, end->rpy, 3);
  for (int k = 0; k < 3; k++) end->has_rpy = end->has_rpy || end->rpy[k] != 0;
}

static void
read_axis(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, urdf_closure_t * c)
{
  static const char * const known[] = {"xyz", NULL};
  const char * text = urdf_attribute(node, "xyz");
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  if (!text) {
    urdf_say(loader, MBDX_ERROR, place, "add xyz=\"...\"", "axis has no xyz");
    return;
  }
  if (!urdf_vector(loader, place, "axis xyz", text, c->a.axis, 3)) return;
  // of both ends, in the axes of each: what is read here is of the first, the second has its rpy
  c->a.has_axis = true;
  memcpy(c->b.axis, c->a.axis, sizeof c->b.axis);
  c->b.has_axis = !c->b.has_rpy;
}

// <loop_joint name type><link1 link xyz rpy/><link2 .../><axis xyz/></loop_joint>; files with two
// <link1> are about
static void
read_loop_joint(urdf_loader_t * loader, urdf_node_t * node)
{
  static const char * const known[] = {"name", "type", NULL};
  static const char * const elements[] = {"link1", "link2", "axis", NULL};
  urdf_closure_t * c = urdf_new_closure(loader, node->line);
  if (!c) return;
  c->name = urdf_attribute(node, "name");
  const urdf_place_t place = place_of(c);
  urdf_warn_attributes(loader, node, place, known);
  const char * type = urdf_attribute(node, "type");
  if (!type) {
    urdf_say(loader, MBDX_ERROR, place, "add type=\"...\"", "has no type");
    return;
  }
  if (!urdf_closure_type(loader, place, type, &c->type)) return;
  urdf_node_t * axis = NULL;
  for (urdf_node_t * n = node->child; n; n = n->next) {
    const bool first = urdf_is(n, "link1") && !c->a.given;
    if (first || urdf_is(n, "link2") || urdf_is(n, "link1")) {
      read_end(loader, n, place, first ? &c->a : &c->b);
    } else if (urdf_is(n, "axis")) {
      axis = n;
    } else {
      urdf_warn_element(loader, n, place, elements);
    }
  }
  if (axis && axis_suffices(c->type, MBD_SURFACE_POINT)) read_axis(loader, axis, place, c);
  urdf_check_closure(loader, c);
}

//---------- all of them ----------

static void
read_loops_file(urdf_loader_t * loader)
{
  const mbdx_urdf_options_t * o = &loader->options;
  if (!o->loops_file && !o->loops_text) return;
  size_t size = 0;
  char * bytes = NULL;
  const char * text = o->loops_text;
  loader->loops_source = o->loops_source ? o->loops_source : "loops";
  if (o->loops_file) loader->loops_source = o->loops_file;
  loader->in_loops_file = true;
  if (o->loops_file) {
    text = bytes = urdf_read_file(o->loops_file, URDF_MAX_LOOPS_BYTES, &size);
  } else {
    size = strlen(text);
  }
  if (text) {
    urdf_read_loops_yaml(loader, text, size);
  } else if (errno == ENOMEM) {
    loader->out_of_memory = true;
  } else {
    const urdf_place_t place = {"file", NULL, 0};
    urdf_fail(loader, MBD_ERROR_FILE, place, NULL, "cannot be read: %s", strerror(errno));
  }
  free(bytes);
  loader->in_loops_file = false;
}

void
urdf_read_loops(urdf_loader_t * loader)
{
  urdf_node_t * root = loader->root;
  for (urdf_node_t * n = root->child; n; n = n->next) {
    if (loader->out_of_memory) return;
    if (urdf_is(n, "loop_joint")) read_loop_joint(loader, n);
    if (urdf_is(n, "constraint")) urdf_read_constraint(loader, n);
  }
  read_loops_file(loader);
}

//---------- to the model ----------

mbd_mat3_t
urdf_rotation_to(const double axis[3])
{
  mbd_vec3_t z = {axis[0], axis[1], axis[2]};
  z = mbdu_vec3_scale(1 / mbdu_vec3_norm(z), z);
  const mbd_vec3_t e = fabs(z.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
  mbd_vec3_t y = mbdu_vec3_cross(z, e);
  y = mbdu_vec3_scale(1 / mbdu_vec3_norm(y), y);
  const mbd_vec3_t x = mbdu_vec3_cross(y, z);
  mbd_mat3_t R = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
  return R;
}

mbd_placement_t
urdf_end_placement(const urdf_end_t * end)
{
  mbd_placement_t X;
  X.R = end->has_axis ? urdf_rotation_to(end->axis) : urdf_rotation(end->rpy);
  if (end->turned) X.R = mbdu_mat3_mul(&X.R, &end->turn);
  X.p = mbdu_vec3(end->xyz[0], end->xyz[1], end->xyz[2]);
  return X;
}

int
urdf_place_end(
  const urdf_loader_t * loader, const urdf_end_t * end, const int * frame, mbd_placement_t * X)
{
  *X = urdf_end_placement(end);
  return end->link ? frame[urdf_find_link(&loader->robot, end->link)] : MBD_WORLD_BODY;
}

bool
urdf_add_closures(urdf_loader_t * loader, mbd_model_t * model, const int * frame)
{
  for (int k = 0; k < loader->nclosure; k++) {
    const urdf_closure_t * c = &loader->closure[k];
    mbd_closure_spec_t spec = mbd_closure_spec_default();
    spec.name = c->name;
    spec.type = c->type;
    spec.distance = c->distance;
    spec.pitch = c->pitch;
    spec.surface_a = c->a.surface, spec.surface_b = c->b.surface;
    spec.driver = c->driver;
    spec.ncoupled = c->njoint;
    spec.offset = c->offset;
    memcpy(spec.joint, c->joint, sizeof spec.joint);
    memcpy(spec.coefficient, c->coefficient, sizeof spec.coefficient);
    if (c->type != MBD_CLOSURE_COUPLING) {
      spec.frame_a = urdf_place_end(loader, &c->a, frame, &spec.X_a);
      spec.frame_b = urdf_place_end(loader, &c->b, frame, &spec.X_b);
    }
    const mbd_status_t status = mbd_model_add_closure(model, &spec, NULL);
    if (status == MBD_OK) continue;
    if (status == MBD_ERROR_OUT_OF_MEMORY) loader->out_of_memory = true;
    loader->in_loops_file = c->in_loops_file;
    urdf_say(loader, MBDX_ERROR, place_of(c), NULL, "%s", mbd_status_string(status));
    loader->in_loops_file = false;
    return false;
  }
  return true;
}

// a closure of the file by its name; NULL for those of mimic joints
static const urdf_closure_t *
find_closure(const urdf_loader_t * loader, const char * name)
{
  for (int k = 0; name && k < loader->nclosure; k++) {
    if (strcmp(loader->closure[k].name, name) == 0) return &loader->closure[k];
  }
  return NULL;
}

static void
say_refused(urdf_loader_t * loader, const char * name, const char * hint, const char * what)
{
  const urdf_closure_t * c = find_closure(loader, name);
  const urdf_place_t joint = {name ? "mimic joint" : "robot", name, 0};
  loader->in_loops_file = c && c->in_loops_file;
  urdf_say(loader, MBDX_ERROR, c ? place_of(c) : joint, hint, "%s", what);
  loader->in_loops_file = false;
}

void
urdf_say_bad_closure(urdf_loader_t * loader, const char * name)
{
  const bool known = find_closure(loader, name) != NULL;
  say_refused(
    loader, name, known ? "a closure must connect two links with relative motion" : NULL,
    known ? "both ends are on the same body: the links are connected by fixed joints"
          : mbd_status_string(MBD_ERROR_BAD_CLOSURE));
}

void
urdf_say_not_embedded(urdf_loader_t * loader, const char * closure, mbd_status_t status)
{
  const char * hint = NULL;
  if (status == MBD_ERROR_NOT_ASSEMBLED)
    hint = "check xyz, rpy and axis: the loop must close at the neutral configuration";
  if (status == MBD_ERROR_LOCKED)
    hint = "change the neutral configuration, or use a closure with fewer rows";
  say_refused(loader, closure, hint, mbd_status_string(status));
}

// limits of joints that the model has no velocity of: what stops them stops the loop
static void
say_dependent_limits(urdf_loader_t * loader, const mbd_model_t * model)
{
  const urdf_robot_t * robot = &loader->robot;
  for (int k = 0; k < mbd_limit_count(model); k++) {
    mbd_limit_t limit;
    if (mbd_limit_info(model, k, &limit) != MBD_OK || limit.v_index >= 0) continue;
    const char * name = model->body[limit.body].joint_name;
    urdf_place_t place = {"joint", name, 0};
    for (int j = 0; j < robot->njoint; j++) {
      if (strcmp(robot->joint[j].name, name) == 0) place.line = robot->joint[j].line;
    }
    urdf_say(
      loader, MBDX_NOTE, place, NULL,
      "is dependent; its limits %g to %g constrain the independent joints", limit.lower,
      limit.upper);
  }
}

void
urdf_say_embedded(urdf_loader_t * loader, const mbd_model_t * model)
{
  const urdf_place_t place = {"robot", loader->robot.name, 0};
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "%d closures with %d rows leave %d of %d degrees of freedom",
    model->tree->nclosure, model->tree->nrow, model->nv, model->tree->nv);
  say_dependent_limits(loader, model);
}

static const char *
link_name(const urdf_end_t * end, urdf_text_t * text)
{
  if (!end->link) return "the world";
  *text = urdf_name(end->link);
  return text->s;
}

void
urdf_say_closures(urdf_loader_t * loader)
{
  for (int k = 0; k < loader->nclosure; k++) {
    const urdf_closure_t * c = &loader->closure[k];
    const int rows = mbd_closure_rows(c->type);
    urdf_text_t a, b;
    loader->in_loops_file = c->in_loops_file;
    if (c->type == MBD_CLOSURE_COUPLING) {
      urdf_say(loader, MBDX_NOTE, place_of(c), NULL, "couples %d joints", c->njoint);
    } else {
      urdf_say(
        loader, MBDX_NOTE, place_of(c), NULL, "%s between %s and %s: %d row%s",
        mbd_closure_type_name(c->type), link_name(&c->a, &a), link_name(&c->b, &b), rows,
        rows == 1 ? "" : "s");
    }
    loader->in_loops_file = false;
  }
}
