// Sections of an MJCF file, and what is refused in them by its name.
#include <stdlib.h>
#include <string.h>

#include "mjcf_internal.h"

//---------- without effect ----------

static const char * const NO_EFFECT[] = {"camera",    "light",   "skin",   "asset",  "visual",
                                         "statistic", "size",    "custom", "sensor", "contact",
                                         "keyframe",  "include", NULL};

bool
mjcf_has_no_effect(mjcf_t * m, const urdf_node_t * node)
{
  int k = 0;
  while (NO_EFFECT[k] && !urdf_is(node, NO_EFFECT[k])) k++;
  if (!NO_EFFECT[k] && !strchr(node->name, ':')) return false;
  // what an included file had is in place of the element
  if (urdf_is(node, "include")) return true;
  if (m->nignored++ == 0) m->ignored_line = node->line;
  return true;
}

//---------- refused ----------

#define COMPILE "MuJoCo's program compile writes it out: compile in.xml out.xml"

static const struct {
  const char *name, *what, *hint;
} REFUSED[] = {
  {"tendon", "tendons are not supported",
   "remove it, or build springs with a .mechanism.yaml file"},
  {"fixed", "tendons are not supported", "remove it, or write <joint> in <equality>"},
  {"spatial", "tendons are not supported",
   "remove it, or build springs with a .mechanism.yaml file"},
  {"composite", "composite bodies are not supported", COMPILE},
  {"flexcomp", "deformable bodies are not supported", "remove it"},
  {"flex", "deformable bodies are not supported", "remove it"},
  {"deformable", "deformable bodies are not supported", "remove it"},
  {"plugin", "plugins are not supported", "remove it"},
  {"extension", "plugins are not supported", "remove it"},
  {"frame", "is an element of MuJoCo 3", COMPILE},
  {"replicate", "is an element of MuJoCo 3", COMPILE},
  {"attach", "is an element of MuJoCo 3", COMPILE},
  {"model", "is an element of MuJoCo 3", COMPILE},
  {"distance", "equalities of distance are not supported", "remove it"},
  {"joint", "the world cannot move", "put the joint into a body"},
  {"freejoint", "the world cannot move", "put the joint into a body"},
  {"inertial", "the world has no inertia", "put it into a body"},
};

void
mjcf_refuse(mjcf_t * m, const urdf_node_t * node, const char * in)
{
  if (urdf_is(node, "include") || strchr(node->name, ':')) return;
  const char * name = urdf_attribute(node, "name");
  const urdf_place_t place = {node->name, name && *name ? name : NULL, node->line};
  const bool in_joint = strcmp(in, "<joint>") == 0 || strcmp(in, "<default>") == 0;
  for (size_t k = 0; k < sizeof REFUSED / sizeof *REFUSED && !in_joint; k++) {
    if (!urdf_is(node, REFUSED[k].name)) continue;
    urdf_say(m->loader, MBDX_ERROR, place, REFUSED[k].hint, "%s", REFUSED[k].what);
    return;
  }
  const urdf_place_t unknown = {"file", NULL, node->line};
  urdf_say(
    m->loader, MBDX_ERROR, unknown, "correct the name, or remove it", "element %s of %s is unknown",
    urdf_tag(node).s, in);
}

//---------- sections ----------

static void
read_sections(mjcf_t * m)
{
  static const char * const read[] = {"compiler", "option",   "default", "worldbody",
                                      "equality", "actuator", NULL};
  for (const urdf_node_t * n = m->loader->root->child; n; n = n->next) {
    int k = 0;
    while (read[k] && !urdf_is(n, read[k])) k++;
    // an empty section asks for nothing
    const bool empty =
      !n->child && !n->attribute &&
      (urdf_is(n, "tendon") || urdf_is(n, "deformable") || urdf_is(n, "extension"));
    if (!read[k] && !empty && !mjcf_has_no_effect(m, n)) {
      const bool group =
        urdf_is(n, "tendon") || urdf_is(n, "deformable") || urdf_is(n, "extension");
      const urdf_node_t * inner = group && n->child ? n->child : n;
      mjcf_refuse(m, inner, "<mujoco>");
    }
    // parts of other models, and inertias that a plugin computes
    for (const urdf_node_t * a = n->child; a && urdf_is(n, "asset"); a = a->next) {
      if (urdf_is(a, "model")) mjcf_refuse(m, a, "<asset>");
    }
  }
}

static void
say_settings(mjcf_t * m)
{
  urdf_loader_t * loader = m->loader;
  const urdf_place_t place = {"robot", loader->robot.name, m->ignored_line};
  const urdf_place_t whole = {"robot", loader->robot.name, 0};
  if (m->nignored > 0)
    urdf_say(
      loader, MBDX_NOTE, place, NULL,
      "%d elements without effect on dynamics are ignored: assets, cameras, contacts, lights, "
      "sensors "
      "and the like",
      m->nignored);
  if (m->nunnamed > 0)
    urdf_say(
      loader, MBDX_NOTE, whole, NULL, "%d bodies and joints have no name; names were made up",
      m->nunnamed);
}

// the base of an MJCF robot is what the file says
static void
check_base(mjcf_t * m)
{
  if (m->loader->options.base == MBDX_BASE_FIXED) return;
  const urdf_place_t place = {"options", NULL, 0};
  urdf_fail(
    m->loader, MBD_ERROR_BAD_ARGUMENT, place, "add <freejoint/> to the body that floats",
    "a floating base is not an option of an MJCF file");
}

void
mjcf_read(urdf_loader_t * loader)
{
  static const char * const known[] = {"model", NULL};
  urdf_node_t * root = loader->root;
  const char * name = urdf_attribute(root, "model");
  mjcf_t m = {
    .loader = loader,
    .autolimits = true,
    .eulerseq = "xyz",
    .inertia_from_geom = 2,
    .group_last = 1000};
  loader->robot.line = root->line;
  loader->robot.name = name && *name && strlen(name) <= URDF_MAX_NAME ? name : "robot";
  const urdf_place_t place = {"robot", loader->robot.name, root->line};
  check_base(&m);
  if (!mjcf_include(loader)) {
    loader->robot.name = NULL;
    return;
  }
  urdf_refuse_attributes(loader, root, place, known);
  urdf_warn_text(loader, root, place);
  mjcf_settings(&m);
  if (m.nclass == 0 && !loader->out_of_memory) {
    // a class without a word, so that there is one
    if (urdf_reserve(loader, (void **)&m.class, 0, &m.class_capacity, sizeof *m.class))
      m.class[m.nclass++] = (mjcf_class_t){.name = "main", .parent = -1};
  }
  if (!loader->out_of_memory) read_sections(&m);
  if (!loader->out_of_memory) mjcf_bodies(&m);
  if (!loader->out_of_memory && loader->status != MBD_ERROR_LIMIT) {
    mjcf_actuators(&m);
    mjcf_closures(&m);
    mjcf_set_total_mass(&m);
    say_settings(&m);
  }
  free(m.class);
  free(m.pose);
  free(m.reference);
  free(m.effort);
  free(m.bodies.slot);
  free(m.joints.slot);
  free(m.sites.slot);
  free(m.links.slot);
}
