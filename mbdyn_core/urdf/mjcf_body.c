// <worldbody>: bodies, joints and sites -> the table of links and joints.
//
// A body stands at `pos` and its orientation in its parent, and moves by its joints one after the other:
// with B from those and T(p) the translation to a joint's anchor, its pose is B T(p1) M1(q1 - ref1) T(-p1)
// T(p2) M2(q2 - ref2) T(-p2) ... (Modeling, "Joint"). A link of the table is at its joint's frame, so link
// k is at T(pk), and its joint's frame is that of the link before it, moved by T(-p) of the joint before
// and M(-ref): coordinates are those of MuJoCo. All but the last have no mass; the last one has the body's
// name if its anchor is the body's origin, and else the body is fixed to it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mjcf_internal.h"

enum { MAX_JOINTS = 6, MAX_BODY_DEPTH = 200, MAX_SITES = 4096 };

typedef enum joint_kind { FREE, BALL, SLIDE, HINGE } joint_kind_t;
static const char * const JOINT[] = {"free", "ball", "slide", "hinge", NULL};

typedef struct joint {
  mjcf_element_t e;
  const char * name;
  joint_kind_t kind;
  mbd_vec3_t pos, axis;
  double reference;
  urdf_joint_t row;  // of the table
} joint_t;

//---------- names ----------

static const char *
checked_name(mjcf_t * m, const urdf_node_t * node, const char * what)
{
  const char * name = urdf_attribute(node, "name");
  const urdf_place_t place = {what, NULL, node->line};
  return name && *name ? urdf_read_name(m->loader, node, place) : NULL;
}

static void
enter(mjcf_t * m, mjcf_names_t * names, const urdf_node_t * node, const char * what)
{
  const char * name = checked_name(m, node, what);
  if (!name) return;
  bool found;
  mjcf_named_t * n = mjcf_add_name(m, names, name, &found);
  if (!n) return;
  if (found) {
    const urdf_place_t place = {what, name, node->line};
    if (n->line == 0)
      urdf_say(m->loader, MBDX_ERROR, place, "rename it", "the name is that of <worldbody>");
    else
      urdf_say(
        m->loader, MBDX_ERROR, place, "rename one of them",
        "the name is taken by the one on line %d", n->line & URDF_LINE);
  }
  if (!found) n->line = node->line;
}

// all names of the file, so that those made up here are none of them
static void
enter_names(mjcf_t * m, const urdf_node_t * body)
{
  for (const urdf_node_t * n = body->child; n && !m->loader->out_of_memory; n = n->next) {
    if (urdf_is(n, "body")) {
      enter(m, &m->bodies, n, "body");
      enter_names(m, n);
    } else if (urdf_is(n, "joint") || urdf_is(n, "freejoint")) {
      enter(m, &m->joints, n, "joint");
    } else if (urdf_is(n, "site")) {
      enter(m, &m->sites, n, "site");
    }
  }
}

// its own name, or one made of another
static const char *
name_or(mjcf_t * m, mjcf_names_t * names, const urdf_node_t * node, const char * a, const char * b)
{
  const char * name = urdf_attribute(node, "name");
  if (name && *name) return name;
  m->nunnamed++;
  return mjcf_make_name(m, names, a, b);
}

//---------- the table ----------

// a link and the joint above it; index of the link, -1 when out of memory or beyond limits
static int
add_link(
  mjcf_t * m, urdf_link_t link, urdf_joint_t joint, const mbd_placement_t * X, mbd_placement_t pose)
{
  urdf_loader_t * loader = m->loader;
  urdf_robot_t * r = &loader->robot;
  if (r->nlink >= URDF_MAX_LINKS) {
    const urdf_place_t place = {"robot", r->name, link.line};
    urdf_fail(loader, MBD_ERROR_LIMIT, place, NULL, "has more than %d links", URDF_MAX_LINKS);
    return -1;
  }
  if (
    !urdf_reserve(loader, (void **)&r->link, r->nlink, &r->link_capacity, sizeof *r->link) ||
    !urdf_reserve(loader, (void **)&r->joint, r->njoint, &r->joint_capacity, sizeof *r->joint) ||
    !urdf_reserve(loader, (void **)&m->pose, r->nlink, &m->pose_capacity, sizeof *m->pose))
    return -1;
  link.parent_joint = -1;
  m->pose[r->nlink] = pose;
  r->link[r->nlink] = link;
  if (X) {
    joint.xyz[0] = X->p.x, joint.xyz[1] = X->p.y, joint.xyz[2] = X->p.z;
    mjcf_quat(&X->R, joint.quat);
    joint.child_name = link.name;
    r->joint[r->njoint++] = joint;
  }
  return r->nlink++;
}

static urdf_joint_t
empty_joint(const char * name, int line)
{
  return (urdf_joint_t){
    .name = name,
    .line = line,
    .type = URDF_FIXED,
    .axis = {0, 0, 1},
    .mimic = -1,
    .multiplier = 1,
    .gear_ratio = 1,
    .lower = -HUGE_VAL,
    .upper = HUGE_VAL,
    .effort = HUGE_VAL,
    .velocity = HUGE_VAL,
    .acceleration = HUGE_VAL,
    .deceleration = HUGE_VAL,
    .jerk = HUGE_VAL};
}

//---------- joints ----------

static bool
read_axis(mjcf_t * m, joint_t * j)
{
  double a[3] = {0, 0, 1}, p[3] = {0, 0, 0};
  if (mjcf_numbers(m, &j->e, "axis", a, 3, 3) < 0 || mjcf_numbers(m, &j->e, "pos", p, 3, 3) < 0)
    return false;
  j->pos = mbdu_vec3(p[0], p[1], p[2]);
  if (j->kind != FREE && j->kind != BALL && !(urdf_normalise(a) > 0)) {
    urdf_say(m->loader, MBDX_ERROR, j->e.place, "write a direction", "axis has zero length");
    return false;
  }
  j->axis = mbdu_vec3(a[0], a[1], a[2]);
  memcpy(j->row.axis, a, sizeof a);
  return true;
}

static bool
read_joint_limits(mjcf_t * m, joint_t * j)
{
  urdf_joint_t * row = &j->row;
  bool limited, effort;
  double range[2], force[2];
  if (!mjcf_range(m, &j->e, "range", "limited", &limited, range)) return false;
  if (!mjcf_range(m, &j->e, "actuatorfrcrange", "actuatorfrclimited", &effort, force)) return false;
  const bool turns = j->kind == HINGE;
  row->type = turns ? URDF_CONTINUOUS : URDF_PRISMATIC;
  if (j->kind == FREE || j->kind == BALL) {
    row->type = j->kind == FREE ? URDF_FLOATING : URDF_SPHERICAL;
    if (limited)
      urdf_say(
        m->loader, MBDX_NOTE, j->e.place, NULL, "the limit of a %s joint is not part of the model",
        JOINT[j->kind]);
    return true;
  }
  row->has_limit = limited || effort;
  if (limited) {
    if (turns) row->type = URDF_REVOLUTE;
    row->lower = turns ? mjcf_angle(m, range[0]) : range[0];
    row->upper = turns ? mjcf_angle(m, range[1]) : range[1];
  }
  row->has_effort = effort;
  if (effort) row->effort = fmax(fabs(force[0]), fabs(force[1]));
  return true;
}

// what a joint may not have
static bool
refuse_joint_values(mjcf_t * m, const joint_t * j)
{
  double x = 0, spring[2] = {0, 0};
  bool good = true;
  if (
    mjcf_numbers(m, &j->e, "springdamper", spring, 2, 2) > 0 &&
    (spring[0] != 0 || spring[1] != 0)) {
    urdf_say(
      m->loader, MBDX_ERROR, j->e.place,
      "write stiffness and damping; MuJoCo's program compile saves them",
      "springdamper is not supported");
    good = false;
  }
  static const char * const names[] = {
    "stiffness", "armature", "frictionloss", "actuatorgravcomp", NULL};
  for (int k = 0; names[k]; k++) {
    if (j->kind != FREE && k < 3) continue;
    if (k == 3) {
      const char * text = mjcf_attribute(m, &j->e, names[k]);
      x = text && strcmp(text, "false") != 0;
    } else if (!mjcf_number(m, &j->e, names[k], &x)) {
      return false;
    }
    if (x == 0) continue;
    urdf_say(
      m->loader, MBDX_ERROR, j->e.place,
      k == 3 ? "remove it" : "remove it, or write <freejoint/>, which takes no defaults",
      "%s of a %s joint is not supported", names[k], JOINT[j->kind]);
    good = false;
  }
  return good;
}

static bool
read_joint(mjcf_t * m, const urdf_node_t * node, int class, const char * body, joint_t * j)
{
  static const char * const known[] = {
    "name",
    "class",
    "type",
    "group",
    "pos",
    "axis",
    "springdamper",
    "limited",
    "actuatorfrclimited",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "stiffness",
    "range",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "margin",
    "ref",
    "springref",
    "armature",
    "damping",
    "frictionloss",
    "user",
    NULL};
  static const char * const known_free[] = {"name", "group", "align", NULL};
  const bool is_free = urdf_is(node, "freejoint");
  j->e = (mjcf_element_t){
    node, class, is_free ? MJCF_NO_DEFAULTS : MJCF_JOINT, {"joint", NULL, node->line}};
  j->name = name_or(m, &m->joints, node, body, is_free ? "_free" : "_joint");
  if (!j->name) return false;
  j->e.place.name = j->name;
  j->row = empty_joint(j->name, node->line);
  urdf_refuse_attributes(m->loader, node, j->e.place, is_free ? known_free : known);
  for (const urdf_node_t * n = node->child; n; n = n->next) mjcf_refuse(m, n, "<joint>");
  j->kind = is_free ? FREE : HINGE;
  if (is_free) {
    const char * align = urdf_attribute(node, "align");
    j->row.type = URDF_FLOATING;
    if (!align || strcmp(align, "true") != 0) return true;
    urdf_say(
      m->loader, MBDX_ERROR, j->e.place, "remove it: it moves the frame of the body",
      "align=\"true\" is not supported");
    return false;
  }
  const int own = mjcf_class_of(m, node, j->e.place, class);
  if (own < 0) return false;
  j->e.class = own;
  int kind = HINGE;
  if (!mjcf_word(m, &j->e, "type", JOINT, &kind)) return false;
  j->kind = (joint_kind_t)kind;
  bool good = read_axis(m, j);
  good = read_joint_limits(m, j) && good;
  good = refuse_joint_values(m, j) && good;
  good = mjcf_positive(m, &j->e, "damping", &j->row.damping) && good;
  if (j->kind != FREE) {
    good = mjcf_positive(m, &j->e, "armature", &j->row.rotor_inertia) && good;
    good = mjcf_positive(m, &j->e, "frictionloss", &j->row.friction) && good;
  }
  if (j->kind == HINGE || j->kind == SLIDE) {
    good = mjcf_number(m, &j->e, "ref", &j->reference) && good;
    if (j->kind == HINGE) j->reference = mjcf_angle(m, j->reference);
  }
  return good;
}

//---------- springs ----------

// a spring of a hinge or slide acts on its coordinate; that of a ball turns the link back
static void
add_spring(
  mjcf_t * m, const joint_t * j, const char * parent, const char * child, const mbd_placement_t * X)
{
  double stiffness = 0, rest = 0;
  if (!mjcf_positive(m, &j->e, "stiffness", &stiffness)) return;
  if (!mjcf_number(m, &j->e, "springref", &rest) || stiffness == 0) return;
  urdf_loader_t * loader = m->loader;
  if (!urdf_reserve(
        loader, (void **)&loader->force, loader->nforce, &loader->force_capacity,
        sizeof *loader->force))
    return;
  const size_t size = strlen(j->name) + sizeof "_spring";
  char * name = urdf_allocate_in_tree(loader, size);
  if (!name) return;
  snprintf(name, size, "%s_spring", j->name);
  urdf_force_t * f = &loader->force[loader->nforce++];
  *f = (urdf_force_t){.spec = mbd_element_spec_default(), .line = j->e.place.line};
  f->spec.name = name;
  if (j->kind == BALL) {
    f->spec.type = MBD_ELEMENT_BUSHING;
    for (int k = 0; k < 3; k++) f->spec.stiffness6[k] = stiffness;
    f->a = (urdf_end_t){.given = true, .link = parent, .turned = true, .turn = X->R};
    f->a.xyz[0] = X->p.x, f->a.xyz[1] = X->p.y, f->a.xyz[2] = X->p.z;
    f->b = (urdf_end_t){.given = true, .link = child};
  } else {
    f->spec.type = MBD_ELEMENT_JOINT;
    f->spec.joint = j->name;
    f->spec.stiffness = stiffness;
    f->spec.rest = j->kind == HINGE ? mjcf_angle(m, rest) : rest;
  }
}

//---------- sites ----------

static void
read_site(mjcf_t * m, const urdf_node_t * node, int class, int link)
{
  static const char * const known[] = {"name",     "class", "type", "group",  "pos",       "quat",
                                       "material", "rgba",  "size", "fromto", "axisangle", "xyaxes",
                                       "zaxis",    "euler", "user", NULL};
  urdf_loader_t * loader = m->loader;
  const char * name = urdf_attribute(node, "name");
  mjcf_element_t e = {node, class, MJCF_SITE, {"site", name, node->line}};
  urdf_refuse_attributes(loader, node, e.place, known);
  e.class = mjcf_class_of(m, node, e.place, class);
  mbd_placement_t X;
  if (e.class < 0) return;
  double p[6];
  const int n = mjcf_numbers(m, &e, "fromto", p, 6, 6);
  if (n < 0) return;
  if (n > 0) {
    const mbd_vec3_t a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]}, d = mbdu_vec3_sub(a, b);
    if (!(mbdu_vec3_norm(d) > 1e-14)) {
      urdf_say(loader, MBDX_ERROR, e.place, "write pos", "the two points of fromto are the same");
      return;
    }
    X.R = mjcf_z_to(d), X.p = mbdu_vec3_scale(0.5, mbdu_vec3_add(a, b));
  } else if (!mjcf_placement(m, &e, &X)) {
    return;
  }
  // a site without a name cannot be asked for
  if (!name || *name == 0) return;
  if (loader->nsite >= MAX_SITES) {
    urdf_fail(loader, MBD_ERROR_LIMIT, e.place, NULL, "the file has more than %d sites", MAX_SITES);
    return;
  }
  if (!urdf_reserve(
        loader, (void **)&loader->site, loader->nsite, &loader->site_capacity,
        sizeof *loader->site))
    return;
  mjcf_named_t * named = mjcf_find_name(&m->sites, name);
  if (named) named->index = loader->nsite;
  // sites and bodies may share a name, frames may not
  const char * unique = name;
  if (mjcf_find_name(&m->links, name)) {
    unique = mjcf_make_name(m, &m->links, name, "_site");
    if (!unique) return;
    urdf_say(
      loader, MBDX_NOTE, e.place, NULL, "a body has this name; the frame is called %s",
      urdf_name(unique).s);
  } else {
    bool found;
    if (!mjcf_add_name(m, &m->links, name, &found)) return;
  }
  loader->site[loader->nsite++] = (urdf_site_t){unique, node->line, link, X};
}

//---------- bodies ----------

typedef struct above {
  int link;  // of the parent body
  int class, depth;
  bool is_static;
} above_t;

static void read_children(mjcf_t * m, const urdf_node_t * body, above_t at);

// joints of a body in the order of the file; how many, -1 with a sentence
static int
read_joints(mjcf_t * m, const urdf_node_t * body, const char * name, above_t at, joint_t * list)
{
  int n = 0;
  for (const urdf_node_t * node = body->child; node; node = node->next) {
    if (!urdf_is(node, "joint") && !urdf_is(node, "freejoint")) continue;
    const urdf_place_t place = {"body", name, node->line};
    if (n == MAX_JOINTS) {
      urdf_say(
        m->loader, MBDX_ERROR, place, "split the body", "has more than %d joints", MAX_JOINTS);
      return -1;
    }
    list[n] = (joint_t){0};
    if (!read_joint(m, node, at.class, name, &list[n])) return -1;
    n++;
    const bool is_free = list[n - 1].kind == FREE || list[0].kind == FREE;
    if (is_free && (n > 1 || at.depth > 1)) {
      urdf_say(
        m->loader, MBDX_ERROR, place, "move the body to <worldbody>, and keep one joint",
        n > 1 ? "has a free joint and another one" : "has a free joint, but is not in <worldbody>");
      return -1;
    }
  }
  return n;
}

// displacement of a hinge or slide by x
static mbd_placement_t
displacement(const joint_t * j, double x)
{
  mbd_placement_t M = mbdu_placement_identity();
  if (j->kind == HINGE) M.R = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(x, j->axis)));
  if (j->kind == SLIDE) M.p = mbdu_vec3_scale(x, j->axis);
  return M;
}

// the links of a body; index of its own, -1 with a sentence
static int
add_body(mjcf_t * m, urdf_link_t link, joint_t * joint, int n, mbd_placement_t B, above_t at)
{
  urdf_robot_t * r = &m->loader->robot;
  const mbd_placement_t pose = mbdu_placement_mul(&m->pose[at.link], &B);
  const char * parent = r->link[at.link].name;
  int index = -1;
  for (int k = 0; k < n; k++) {
    joint_t * j = &joint[k];
    const bool is_free = j->kind == FREE;
    mbd_placement_t T = mbdu_placement_identity(), back;
    // coordinates of a free joint are the pose in the world
    if (is_free) B = T, j->pos = mbdu_vec3(0, 0, 0);
    T.p = j->pos;
    const mbd_placement_t at_anchor = mbdu_placement_mul(&B, &T);
    const mbd_placement_t M = displacement(j, -j->reference);
    const mbd_placement_t X = mbdu_placement_mul(&at_anchor, &M);
    const bool last = k == n - 1, here = j->pos.x == 0 && j->pos.y == 0 && j->pos.z == 0;
    urdf_link_t moved = {.line = j->e.place.line, .quat = {0, 0, 0, 1}};
    if (last && here) {
      moved = link;
    } else {
      const char * stem = mjcf_make_name(m, &m->links, link.name, last ? "_anchor" : "_joint");
      if (!stem) return -1;
      moved.name = stem;
    }
    j->row.parent_name = parent;
    index = add_link(m, moved, j->row, &X, is_free ? pose : mbdu_placement_mul(&pose, &T));
    if (index < 0) return -1;
    if (!is_free) add_spring(m, j, parent, moved.name, &X);
    mjcf_named_t * named = mjcf_find_name(&m->joints, j->name);
    if (named) named->index = r->njoint - 1;
    if (!urdf_reserve(
          m->loader, (void **)&m->reference, r->njoint, &m->reference_capacity, sizeof(double)))
      return -1;
    m->reference[r->njoint - 1] = j->reference;
    parent = moved.name;
    back = mbdu_placement_identity();
    back.p = mbdu_vec3_neg(j->pos);
    B = back;
    if (last && here) return index;
  }
  const char * name = mjcf_make_name(m, &m->joints, link.name, "_fixed");
  if (!name) return -1;
  urdf_joint_t fixed = empty_joint(name, link.line);
  fixed.parent_name = parent;
  index = add_link(m, link, fixed, &B, pose);
  if (
    index >= 0 &&
    !urdf_reserve(
      m->loader, (void **)&m->reference, r->njoint, &m->reference_capacity, sizeof(double)))
    return -1;
  if (index >= 0) m->reference[r->njoint - 1] = 0;
  return index;
}

// attributes that would change the dynamics in a way that the model cannot
static void
check_body(mjcf_t * m, const mjcf_element_t * e)
{
  double gravcomp = 0;
  static const char * const mocap[] = {"false", "true", NULL};
  int is_mocap = 0;
  if (mjcf_number(m, e, "gravcomp", &gravcomp) && gravcomp != 0)
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "remove it: gravity is compensated by the controller",
      "gravcomp is not supported");
  if (mjcf_word(m, e, "mocap", mocap, &is_mocap) && is_mocap)
    urdf_say(m->loader, MBDX_NOTE, e->place, NULL, "is fixed to the world: mocap is not supported");
}

static void
read_body(mjcf_t * m, const urdf_node_t * node, above_t at)
{
  static const char * const known[] = {"name",      "childclass", "pos",   "quat",  "mocap",
                                       "axisangle", "xyaxes",     "zaxis", "euler", "gravcomp",
                                       "user",      "sleep",      NULL};
  urdf_loader_t * loader = m->loader;
  const char * name = urdf_attribute(node, "name");
  if (!name || *name == 0) {
    char number[32];
    snprintf(number, sizeof number, "%d", ++m->nunnamed);
    name = mjcf_make_name(m, &m->links, "body_", number);
  }
  if (!name) return;
  const mjcf_element_t e = {node, at.class, MJCF_NO_DEFAULTS, {"body", name, node->line}};
  urdf_refuse_attributes(loader, node, e.place, known);
  urdf_warn_text(loader, node, e.place);
  check_body(m, &e);
  if (at.depth >= MAX_BODY_DEPTH) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, e.place, NULL, "bodies are nested more than %d deep",
      MAX_BODY_DEPTH);
    return;
  }
  at.depth++;
  at.class = mjcf_class_of(m, node, e.place, at.class);
  mbd_placement_t B;
  joint_t joint[MAX_JOINTS];
  if (at.class < 0 || !mjcf_placement(m, &e, &B)) return;
  const int n = read_joints(m, node, name, at, joint);
  if (n < 0) return;
  at.is_static = at.is_static && n == 0;
  urdf_link_t link = {.name = name, .line = node->line, .quat = {0, 0, 0, 1}};
  mjcf_inertia(m, node, at.class, at.is_static, &link);
  at.link = add_body(m, link, joint, n, B, at);
  if (at.link < 0) return;
  mjcf_named_t * named = mjcf_find_name(&m->bodies, name);
  if (named) named->index = at.link;
  read_children(m, node, at);
}

static void
check_geom(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const known[] = {
    "name",     "class",     "type",       "contype",   "conaffinity", "condim",  "group",
    "priority", "size",      "material",   "friction",  "mass",        "density", "shellinertia",
    "solmix",   "solref",    "solimp",     "margin",    "gap",         "fromto",  "pos",
    "quat",     "axisangle", "xyaxes",     "zaxis",     "euler",       "hfield",  "mesh",
    "fitscale", "rgba",      "fluidshape", "fluidcoef", "user",        NULL};
  const urdf_place_t place = {"geom", urdf_attribute(node, "name"), node->line};
  urdf_refuse_attributes(m->loader, node, place, known);
  for (const urdf_node_t * n = node->child; n; n = n->next) mjcf_refuse(m, n, "<geom>");
}

static void
read_children(mjcf_t * m, const urdf_node_t * body, above_t at)
{
  const bool world = at.depth == 0;
  for (const urdf_node_t * n = body->child; n; n = n->next) {
    if (m->loader->out_of_memory || m->loader->status == MBD_ERROR_LIMIT) return;
    if (urdf_is(n, "body")) {
      read_body(m, n, at);
    } else if (urdf_is(n, "site")) {
      read_site(m, n, at.class, at.link);
    } else if (urdf_is(n, "geom")) {
      check_geom(m, n);
    } else if (
      !world && (urdf_is(n, "joint") || urdf_is(n, "freejoint") || urdf_is(n, "inertial"))) {
      continue;
    } else if (!mjcf_has_no_effect(m, n)) {
      mjcf_refuse(m, n, world ? "<worldbody>" : "<body>");
    }
  }
}

//---------- all of them ----------

static void
copy_names(mjcf_t * m)
{
  for (size_t k = 0; k < m->bodies.size; k++) {
    bool found;
    if (m->bodies.slot[k].name) mjcf_add_name(m, &m->links, m->bodies.slot[k].name, &found);
    if (m->loader->out_of_memory) return;
  }
}

void
mjcf_bodies(mjcf_t * m)
{
  static const char * const known[] = {"childclass", "pos", "quat", "name", NULL};
  urdf_loader_t * loader = m->loader;
  const urdf_node_t * root = loader->root;
  bool found;
  mjcf_named_t * world = mjcf_add_name(m, &m->bodies, "world", &found);
  if (!world) return;
  const urdf_link_t link = {.name = "world", .line = root->line, .quat = {0, 0, 0, 1}};
  world->index = add_link(m, link, empty_joint("", 0), NULL, mbdu_placement_identity());
  for (const urdf_node_t * n = root->child; n; n = n->next) {
    if (urdf_is(n, "worldbody")) enter_names(m, n);
  }
  copy_names(m);
  if (loader->out_of_memory) return;
  bool any = false;
  for (const urdf_node_t * n = root->child; n && !loader->out_of_memory; n = n->next) {
    if (!urdf_is(n, "worldbody")) continue;
    const urdf_place_t place = {"worldbody", NULL, n->line};
    any = true;
    urdf_refuse_attributes(loader, n, place, known);
    const int class = mjcf_class_of(m, n, place, MJCF_MAIN);
    const above_t at = {0, class, 0, true};
    if (class >= 0) read_children(m, n, at);
  }
  if (any) return;
  const urdf_place_t place = {"file", NULL, root->line};
  urdf_say(loader, MBDX_ERROR, place, "add <worldbody>", "has no <worldbody>");
}
