// <compiler>, <option> and <default>: what holds for the whole file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mjcf_internal.h"

static const char * const FALSE_TRUE[] = {"false", "true", NULL};

//---------- <compiler> ----------

static void
read_eulerseq(mjcf_t * m, const mjcf_element_t * e)
{
  const char * text = urdf_attribute(e->node, "eulerseq");
  if (!text) return;
  if (strlen(text) == 3 && strspn(text, "xyzXYZ") == 3) {
    memcpy(m->eulerseq, text, sizeof m->eulerseq);
    return;
  }
  urdf_say(
    m->loader, MBDX_ERROR, e->place, "write three letters out of xyzXYZ",
    "eulerseq %s is not understood", urdf_value(text).s);
}

// attributes that must have one value, because this reader does not do what the others ask for
static void
refuse_value(
  mjcf_t * m, const mjcf_element_t * e, const char * name, const char * allowed, const char * hint)
{
  const char * text = urdf_attribute(e->node, name);
  if (!text || strcmp(text, allowed) == 0) return;
  urdf_say(
    m->loader, MBDX_ERROR, e->place, hint, "%s=%s is not supported", name, urdf_value(text).s);
}

static void
read_compiler(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const known[] = {
    "autolimits",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "balanceinertia",
    "strippath",
    "coordinate",
    "angle",
    "fitaabb",
    "eulerseq",
    "meshdir",
    "texturedir",
    "assetdir",
    "discardvisual",
    "usethread",
    "fusestatic",
    "inertiafromgeom",
    "inertiagrouprange",
    "saveinertial",
    "alignfree",
    "convexhull",
    "exactmeshinertia",
    NULL};
  static const char * const angles[] = {"degree", "radian", NULL};
  static const char * const from_geom[] = {"false", "true", "auto", NULL};
  const mjcf_element_t e = {node, 0, MJCF_NO_DEFAULTS, {"compiler", NULL, node->line}};
  urdf_refuse_attributes(m->loader, node, e.place, known);
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    if (!urdf_is(n, "lengthrange")) mjcf_refuse(m, n, "<compiler>");
  }
  int word = m->radians;
  mjcf_word(m, &e, "angle", angles, &word), m->radians = word;
  word = m->autolimits;
  mjcf_word(m, &e, "autolimits", FALSE_TRUE, &word), m->autolimits = word;
  word = m->balance;
  mjcf_word(m, &e, "balanceinertia", FALSE_TRUE, &word), m->balance = word;
  mjcf_word(m, &e, "inertiafromgeom", from_geom, &m->inertia_from_geom);
  mjcf_positive(m, &e, "boundmass", &m->bound_mass);
  mjcf_positive(m, &e, "boundinertia", &m->bound_inertia);
  mjcf_number(m, &e, "settotalmass", &m->total_mass);
  double group[2];
  if (mjcf_numbers(m, &e, "inertiagrouprange", group, 2, 2) > 0)
    m->group_first = (int)fmin(fmax(group[0], 0), 1000), m->group_last = (int)fmin(group[1], 1000);
  read_eulerseq(m, &e);
  refuse_value(
    m, &e, "coordinate", "local",
    "convert the file: MuJoCo 2.3.3 and older save global coordinates as local ones");
  refuse_value(m, &e, "alignfree", "false", "remove it: it moves the frames of bodies");
}

//---------- <option> ----------

static void
read_gravity(mjcf_t * m, const mjcf_element_t * e)
{
  double g[3];
  if (mjcf_numbers(m, e, "gravity", g, 3, 3) <= 0) return;
  mbd_vec3_t * own = &m->loader->options.gravity;
  const mbd_vec3_t usual = mbdx_urdf_options_default().gravity, d = mbdu_vec3_sub(*own, usual);
  if (mbdu_vec3_norm(d) == 0) {
    *own = mbdu_vec3(g[0], g[1], g[2]);
    return;
  }
  urdf_say(
    m->loader, MBDX_NOTE, e->place, NULL,
    "gravity %g %g %g of the file gives way to that of the options, %g %g %g", g[0], g[1], g[2],
    own->x, own->y, own->z);
}

// what moves through air or water has forces that this reader does not know
static void
refuse_fluid(mjcf_t * m, const mjcf_element_t * e, const char * name)
{
  double x = 0;
  if (!mjcf_number(m, e, name, &x) || x == 0) return;
  urdf_say(
    m->loader, MBDX_ERROR, e->place, "remove it", "%s=%g: forces of a fluid are not supported",
    name, x);
}

static void
read_flag(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const known[] = {
    "constraint", "equality",  "frictionloss", "limit",     "contact", "passive",     "gravity",
    "clampctrl",  "warmstart", "filterparent", "actuation", "refsafe", "sensor",      "midphase",
    "eulerdamp",  "autoreset", "override",     "energy",    "fwdinv",  "invdiscrete", "multiccd",
    "island",     "nativeccd", "sensornoise",  "spring",    "damper",  "sleep",       NULL};
  static const char * const forces[] = {"passive", "spring", "damper", "frictionloss", NULL};
  static const char * const words[] = {"disable", "enable", NULL};
  const mjcf_element_t e = {node, 0, MJCF_NO_DEFAULTS, {"flag", NULL, node->line}};
  urdf_refuse_attributes(m->loader, node, e.place, known);
  int word = 1;
  mjcf_word(m, &e, "gravity", words, &word);
  if (word == 0) m->loader->options.gravity = mbdu_vec3(0, 0, 0);
  int equality = 1, constraint = 1;
  mjcf_word(m, &e, "equality", words, &equality);
  mjcf_word(m, &e, "constraint", words, &constraint);
  m->no_equality = m->no_equality || !equality || !constraint;
  for (int k = 0; forces[k]; k++)
    refuse_value(m, &e, forces[k], "enable", "remove the values from the joints instead");
}

static void
read_option(mjcf_t * m, const urdf_node_t * node)
{
  static const char * const known[] = {
    "timestep",
    "apirate",
    "impratio",
    "tolerance",
    "ls_tolerance",
    "noslip_tolerance",
    "ccd_tolerance",
    "gravity",
    "wind",
    "magnetic",
    "density",
    "viscosity",
    "o_margin",
    "o_solref",
    "o_solimp",
    "o_friction",
    "integrator",
    "collision",
    "cone",
    "jacobian",
    "solver",
    "iterations",
    "ls_iterations",
    "noslip_iterations",
    "mpr_iterations",
    "mpr_tolerance",
    "ccd_iterations",
    "sdf_iterations",
    "sdf_initpoints",
    "actuatorgroupdisable",
    "sleep_tolerance",
    NULL};
  const mjcf_element_t e = {node, 0, MJCF_NO_DEFAULTS, {"option", NULL, node->line}};
  urdf_refuse_attributes(m->loader, node, e.place, known);
  read_gravity(m, &e);
  refuse_fluid(m, &e, "density");
  refuse_fluid(m, &e, "viscosity");
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    if (urdf_is(n, "flag"))
      read_flag(m, n);
    else
      mjcf_refuse(m, n, "<option>");
  }
}

//---------- <default> ----------

static const char * const KIND[MJCF_KINDS] = {"joint", "geom", "site", "equality"};
static const char * const ACTUATOR[MJCF_ACTUATORS + 1] = {
  "general", "motor",    "position", "velocity", "intvelocity",
  "damper",  "cylinder", "muscle",   "adhesion", NULL};
static const char * const OTHER[] = {"mesh", "material", "camera", "light", "pair", "tendon", NULL};

static int
word_of(const char * const * words, const char * name)
{
  for (int k = 0; words[k]; k++) {
    if (strcmp(words[k], name) == 0) return k;
  }
  return -1;
}

static void
read_class_child(mjcf_t * m, int at, const urdf_node_t * n)
{
  mjcf_class_t * c = &m->class[at];
  const urdf_place_t place = {"default", c->name, n->line};
  const urdf_node_t * other = NULL;
  int k = 0;
  while (k < MJCF_KINDS && strcmp(KIND[k], n->name) != 0) k++;
  if (k < MJCF_KINDS) {
    other = c->kind[k];
    c->kind[k] = n;
  } else if (word_of(ACTUATOR, n->name) >= 0) {
    for (int i = 0; i < c->nactuator; i++) {
      if (urdf_is(c->actuator[i], n->name)) other = c->actuator[i];
    }
    if (!other) c->actuator[c->nactuator++] = n;
  } else if (word_of(OTHER, n->name) < 0) {
    mjcf_refuse(m, n, "<default>");
  }
  if (!other) return;
  urdf_say(
    m->loader, MBDX_ERROR, place, "merge the two", "has a second %s; the first is on line %d",
    urdf_tag(n).s, other->line & URDF_LINE);
}

// index of a new class; -1 with a sentence
static int
add_class(mjcf_t * m, const urdf_node_t * node, int parent)
{
  const char * name = urdf_attribute(node, "class");
  const urdf_place_t place = {"default", name, node->line};
  if (!name && parent < 0) name = "main";
  if (!name || *name == 0) {
    urdf_say(m->loader, MBDX_ERROR, place, "add class=\"...\"", "has no class");
    return -1;
  }
  for (int c = 0; c < m->nclass; c++) {
    if (strcmp(m->class[c].name, name) != 0) continue;
    // the outermost element may be written in several pieces
    if (c == MJCF_MAIN && parent < 0) return c;
    urdf_say(
      m->loader, MBDX_ERROR, place, "rename one of them",
      "the name is taken by the class on line %d", m->class[c].line & URDF_LINE);
    return -1;
  }
  if (parent < 0 && m->nclass > 0) {
    urdf_say(
      m->loader, MBDX_ERROR, place, "put it into the outermost <default>",
      "the outermost class is %s", urdf_name(m->class[MJCF_MAIN].name).s);
    return -1;
  }
  if (m->nclass >= MJCF_MAX_CLASSES) {
    urdf_fail(
      m->loader, MBD_ERROR_LIMIT, place, NULL, "the file has more than %d default classes",
      MJCF_MAX_CLASSES);
    return -1;
  }
  if (!urdf_reserve(m->loader, (void **)&m->class, m->nclass, &m->class_capacity, sizeof *m->class))
    return -1;
  m->class[m->nclass] = (mjcf_class_t){.name = name, .line = node->line, .parent = parent};
  return m->nclass++;
}

// a class and those in it; recursion is as deep as elements are nested, which urdf_xml.c limits
static void
read_class(mjcf_t * m, const urdf_node_t * node, int parent)
{
  static const char * const known[] = {"class", NULL};
  const urdf_place_t place = {"default", urdf_attribute(node, "class"), node->line};
  urdf_refuse_attributes(m->loader, node, place, known);
  const int at = add_class(m, node, parent);
  if (at < 0) return;
  for (const urdf_node_t * n = node->child; n && !m->loader->out_of_memory; n = n->next) {
    if (urdf_is(n, "default"))
      read_class(m, n, at);
    else
      read_class_child(m, at, n);
  }
}

//---------- all of them ----------

void
mjcf_settings(mjcf_t * m)
{
  const urdf_node_t * root = m->loader->root;
  for (const urdf_node_t * n = root->child; n; n = n->next) {
    if (urdf_is(n, "compiler")) read_compiler(m, n);
    if (urdf_is(n, "option")) read_option(m, n);
    if (urdf_is(n, "default")) read_class(m, n, -1);
  }
}
