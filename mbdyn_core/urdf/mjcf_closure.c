// <equality> -> table of closures; <actuator> -> limits of effort.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mjcf_internal.h"

//---------- ends ----------

// a body or a site of the file and where it is in the world at the reference; false with a sentence
typedef struct end {
  const char * link;
  mbd_placement_t X, world;  // in its link, in the world
} end_t;

static bool
find_end(mjcf_t * m, const mjcf_element_t * e, const char * key, bool is_site, end_t * end)
{
  const urdf_loader_t * loader = m->loader;
  const char * name = mjcf_attribute(m, e, key);
  const mjcf_named_t * n = mjcf_find_name(is_site ? &m->sites : &m->bodies, name ? name : "world");
  if (!n || n->index < 0) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "correct the name", "%s: there is no %s %s", key,
      is_site ? "site" : "body", urdf_name(name ? name : "").s);
    return false;
  }
  const int link = is_site ? loader->site[n->index].link : n->index;
  end->X = is_site ? loader->site[n->index].X : mbdu_placement_identity();
  end->link = loader->robot.link[link].name;
  end->world = mbdu_placement_mul(&m->pose[link], &end->X);
  return true;
}

static urdf_end_t
placed(const end_t * end, const mbd_placement_t * in_link)
{
  urdf_end_t x = {.given = true, .link = end->link, .turned = true, .turn = in_link->R};
  x.xyz[0] = in_link->p.x, x.xyz[1] = in_link->p.y, x.xyz[2] = in_link->p.z;
  return x;
}

// both ends, by bodies or by sites; the first body is needed
static bool
find_ends(mjcf_t * m, const mjcf_element_t * e, end_t * a, end_t * b, bool * by_site)
{
  *by_site = urdf_attribute(e->node, "site1") || urdf_attribute(e->node, "site2");
  const bool by_body = urdf_attribute(e->node, "body1") || urdf_attribute(e->node, "body2");
  const char * first = *by_site ? "site1" : "body1";
  const char * wrong = NULL;
  if (*by_site && by_body)
    wrong = "has both bodies and sites";
  else if (!urdf_attribute(e->node, first))
    wrong = *by_site ? "has no site1" : "has no body1";
  else if (*by_site && !urdf_attribute(e->node, "site2"))
    wrong = "has no site2";
  if (wrong) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "give body1 and body2, or site1 and site2", "%s", wrong);
    return false;
  }
  return find_end(m, e, first, *by_site, a) &&
         find_end(m, e, *by_site ? "site2" : "body2", *by_site, b);
}

//---------- types ----------

// one point of both bodies: where it is on the second follows from the reference
static bool
read_connect(mjcf_t * m, const mjcf_element_t * e, urdf_closure_t * c)
{
  end_t a, b;
  bool by_site;
  if (!find_ends(m, e, &a, &b, &by_site)) return false;
  double p[3] = {0, 0, 0};
  const int n = mjcf_numbers(m, e, "anchor", p, 3, 3);
  if (n < 0) return false;
  if ((n == 0) != by_site) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place,
      by_site ? "remove the anchor" : "add anchor=\"X Y Z\", in axes of body1",
      by_site ? "has both sites and an anchor" : "has no anchor");
    return false;
  }
  mbd_placement_t A = a.X, B = b.X;
  if (!by_site) {
    A.p = mbdu_vec3(p[0], p[1], p[2]);
    const mbd_placement_t back = mbdu_placement_inverse(&b.world);
    B.p = mbdu_placement_point(&back, mbdu_placement_point(&a.world, A.p));
  }
  c->type = MBD_CLOSURE_SPHERICAL;
  c->a = placed(&a, &A), c->b = placed(&b, &B);
  return true;
}

// the second body in the first, as relpose says or as they are at the reference
static bool
read_weld(mjcf_t * m, const mjcf_element_t * e, urdf_closure_t * c)
{
  end_t a, b;
  bool by_site;
  double x[7] = {0}, anchor[3];
  if (!find_ends(m, e, &a, &b, &by_site)) return false;
  if (mjcf_numbers(m, e, "relpose", x, 7, 7) < 0 || mjcf_numbers(m, e, "anchor", anchor, 3, 3) < 0)
    return false;
  const mbd_quat_t q = {x[4], x[5], x[6], x[3]};
  const double norm = mbdu_quat_norm(q);
  mbd_placement_t A = a.X;
  if (!by_site && norm > 0) {
    A.p = mbdu_vec3(x[0], x[1], x[2]);
    A.R = mbdu_quat_to_mat3(mbdu_quat_normalize(q));
  } else if (!by_site) {
    const mbd_placement_t back = mbdu_placement_inverse(&a.world);
    A = mbdu_placement_mul(&back, &b.world);
  }
  c->type = MBD_CLOSURE_WELD;
  c->a = placed(&a, &A), c->b = placed(&b, &b.X);
  return true;
}

static int
find_joint(mjcf_t * m, const mjcf_element_t * e, const char * key)
{
  const char * name = mjcf_attribute(m, e, key);
  const mjcf_named_t * n = mjcf_find_name(&m->joints, name);
  const int j = n ? n->index : -1;
  if (j < 0) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "correct the name", "%s: there is no joint %s", key,
      urdf_name(name ? name : "").s);
  } else if (!urdf_one_dof(&m->loader->robot.joint[j])) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "use connect or weld",
      "joint %s is neither a hinge nor a slide", urdf_name(name).s);
    return -1;
  }
  return j;
}

// q1 - ref1 = p0 + p1 (q2 - ref2), XML reference "equality/joint"; powers are refused
static bool
read_joint_equality(mjcf_t * m, const mjcf_element_t * e, urdf_closure_t * c)
{
  double p[5] = {0, 1, 0, 0, 0};
  if (mjcf_numbers(m, e, "polycoef", p, 1, 5) < 0) return false;
  if (p[2] != 0 || p[3] != 0 || p[4] != 0) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "keep the first two numbers of polycoef",
      "polycoef: a relation that is not linear is not supported");
    return false;
  }
  const bool two = mjcf_attribute(m, e, "joint2") != NULL;
  const int j = find_joint(m, e, "joint1");
  const int k = j >= 0 && two ? find_joint(m, e, "joint2") : -1;
  if (j < 0 || (two && k < 0)) return false;
  c->type = MBD_CLOSURE_COUPLING;
  c->joint[0] = m->loader->robot.joint[j].name;
  c->coefficient[0] = 1;
  c->offset = -m->reference[j] - p[0];
  c->njoint = 1;
  if (two && p[1] != 0) {
    c->joint[1] = m->loader->robot.joint[k].name;
    c->coefficient[1] = -p[1];
    c->offset += p[1] * m->reference[k];
    c->njoint = 2;
  }
  return true;
}

static void
read_equality(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const kinds[] = {"connect", "weld", "joint", NULL};
  static const char * const known[3][16] = {
    {"name", "class", "body1", "body2", "anchor", "site1", "site2", "active", "solref", "solimp"},
    {"name", "class", "body1", "body2", "relpose", "anchor", "site1", "site2", "active", "solref",
     "solimp", "torquescale"},
    {"name", "class", "joint1", "joint2", "polycoef", "active", "solref", "solimp"}};
  static const char * const words[] = {"false", "true", NULL};
  urdf_loader_t * loader = m->loader;
  int kind = 0;
  while (kinds[kind] && !urdf_is(node, kinds[kind])) kind++;
  if (!kinds[kind]) {
    mjcf_refuse(m, node, "<equality>");
    return;
  }
  const char * name = urdf_attribute(node, "name");
  mjcf_element_t e = {node, MJCF_MAIN, MJCF_EQUALITY, {kinds[kind], name, node->line}};
  urdf_refuse_attributes(loader, node, e.place, known[kind]);
  e.class = mjcf_class_of(m, node, e.place, MJCF_MAIN);
  int active = 1;
  if (e.class < 0 || !mjcf_word(m, &e, "active", words, &active)) return;
  if (!active || m->no_equality) {
    urdf_say(loader, MBDX_NOTE, e.place, NULL, "is not active, and not part of the model");
    return;
  }
  urdf_closure_t c = {.line = node->line};
  const bool good = kind == 0   ? read_connect(m, &e, &c)
                    : kind == 1 ? read_weld(m, &e, &c)
                                : read_joint_equality(m, &e, &c);
  if (!good) return;
  if (!name || *name == 0) {
    char * made = urdf_allocate_in_tree(loader, 32);
    if (!made) return;
    snprintf(made, 32, "%s_%d", kinds[kind], loader->nclosure + 1);
    name = made;
  }
  urdf_closure_t * row = urdf_new_closure(loader, node->line);
  if (!row) return;
  *row = c;
  row->name = name;
}

void
mjcf_closures(mjcf_t * m)
{
  for (const urdf_node_t * s = m->loader->root->child; s; s = s->next) {
    if (!urdf_is(s, "equality")) continue;
    for (const urdf_node_t * n = s->child; n && !m->loader->out_of_memory; n = n->next) {
      if (!urdf_is(n, "include")) read_equality(m, n);
    }
  }
}

//---------- <actuator> ----------

// what an actuator is at most able to do: its control, if the joint gets that times the gear, and its force
static double
most_effort(mjcf_t * m, const mjcf_element_t * e, bool plain, bool * good)
{
  double range[2], gear[6] = {1}, gain[10] = {1}, most = HUGE_VAL;
  bool in_force;
  *good = mjcf_numbers(m, e, "gear", gear, 1, 6) >= 0 &&
          mjcf_range(m, e, "ctrlrange", "ctrllimited", &in_force, range);
  if (!*good) return most;
  if (urdf_is(e->node, "general") && mjcf_numbers(m, e, "gainprm", gain, 1, 10) < 0) *good = false;
  if (in_force && plain) most = fabs(gain[0]) * fmax(fabs(range[0]), fabs(range[1]));
  if (!mjcf_range(m, e, "forcerange", "forcelimited", &in_force, range)) *good = false;
  if (in_force) most = fmin(most, fmax(fabs(range[0]), fabs(range[1])));
  return most * fabs(gear[0]);
}

// <motor>, or <general> with its force proportional to its control
static bool
is_plain(const mjcf_t * m, const mjcf_element_t * e)
{
  static const char * const types[3][2] = {
    {"dyntype", "none"}, {"gaintype", "fixed"}, {"biastype", "none"}};
  if (urdf_is(e->node, "motor")) return true;
  bool plain = urdf_is(e->node, "general");
  for (int k = 0; k < 3 && plain; k++) {
    const char * type = mjcf_attribute(m, e, types[k][0]);
    plain = !type || strcmp(type, types[k][1]) == 0;
  }
  return plain;
}

static void
read_actuator(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const kinds[] = {"motor",  "general",  "position", "velocity", "intvelocity",
                                       "damper", "cylinder", "muscle",   "adhesion", NULL};
  static const char * const known[] = {
    "name",       "class",       "group",      "ctrllimited",  "forcelimited",
    "actlimited", "ctrlrange",   "forcerange", "actrange",     "lengthrange",
    "gear",       "cranklength", "user",       "joint",        "jointinparent",
    "tendon",     "slidersite",  "cranksite",  "site",         "refsite",
    "body",       "actdim",      "dyntype",    "gaintype",     "biastype",
    "dynprm",     "gainprm",     "biasprm",    "actearly",     "kp",
    "kv",         "dampratio",   "timeconst",  "inheritrange", "area",
    "diameter",   "bias",        "range",      "force",        "scale",
    "lmin",       "lmax",        "vmax",       "fpmax",        "fvmax",
    "gain",       NULL};
  urdf_loader_t * loader = m->loader;
  int kind = 0;
  while (kinds[kind] && !urdf_is(node, kinds[kind])) kind++;
  if (!kinds[kind]) {
    mjcf_refuse(m, node, "<actuator>");
    return;
  }
  mjcf_element_t e = {
    node, MJCF_MAIN, MJCF_KINDS, {kinds[kind], urdf_attribute(node, "name"), node->line}};
  urdf_refuse_attributes(loader, node, e.place, known);
  e.class = mjcf_class_of(m, node, e.place, MJCF_MAIN);
  if (e.class < 0) return;
  const char * key = urdf_attribute(node, "joint") ? "joint" : "jointinparent";
  if (!urdf_attribute(node, key)) {
    urdf_say(loader, MBDX_NOTE, e.place, NULL, "drives no joint, and is not part of the model");
    return;
  }
  const char * name = urdf_attribute(node, key);
  const mjcf_named_t * n = mjcf_find_name(&m->joints, name);
  if (!n || n->index < 0) {
    urdf_say(
      loader, MBDX_ERROR, e.place, "correct the name", "%s: there is no joint %s", key,
      urdf_name(name).s);
    return;
  }
  bool good;
  const double most = most_effort(m, &e, is_plain(m, &e), &good);
  if (!good) return;
  mjcf_effort_t * effort = &m->effort[n->index];
  effort->driven = true;
  if (isfinite(most))
    effort->sum += most;
  else
    effort->unlimited = true;
}

void
mjcf_actuators(mjcf_t * m)
{
  urdf_loader_t * loader = m->loader;
  urdf_robot_t * r = &loader->robot;
  m->effort = calloc((size_t)r->njoint + 1, sizeof *m->effort);
  if (!m->effort) {
    loader->out_of_memory = true;
    return;
  }
  int nactuator = 0, line = 0;
  for (const urdf_node_t * s = loader->root->child; s; s = s->next) {
    if (!urdf_is(s, "actuator")) continue;
    if (line == 0) line = s->line;
    for (const urdf_node_t * n = s->child; n; n = n->next) {
      if (urdf_is(n, "include")) continue;
      read_actuator(m, n);
      nactuator++;
    }
  }
  int nlimited = 0;
  for (int j = 0; j < r->njoint; j++) {
    urdf_joint_t * joint = &r->joint[j];
    if (!m->effort[j].driven || m->effort[j].unlimited || !urdf_one_dof(joint)) continue;
    joint->effort = fmin(joint->effort, m->effort[j].sum);
    joint->has_limit = joint->has_effort = true;
    nlimited++;
  }
  if (nactuator == 0) return;
  const urdf_place_t place = {"actuator", NULL, line};
  urdf_say(
    loader, MBDX_NOTE, place, NULL,
    "%d actuators are not part of the model; they limit the effort of %d joints", nactuator,
    nlimited);
}
