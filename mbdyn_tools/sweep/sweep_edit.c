// Numbers of a sweep in the text of a URDF or of a mechanism file.
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number_text.h"
#include "sweep.h"
#include "yaml_tree.h"

// "link.NAME.FIELD": names may have dots
static bool
split(const char * set, char * kind, char * name, char * field)
{
  const char *first = strchr(set, '.'), *last = strrchr(set, '.');
  if (!first || last == first) return false;
  snprintf(kind, SWEEP_NAME, "%.*s", (int)(first - set), set);
  snprintf(name, SWEEP_NAME, "%.*s", (int)(last - first - 1), first + 1);
  snprintf(field, SWEEP_NAME, "%s", last + 1);
  return true;
}

//---------- URDF ----------

static xmlNode *
find_child(xmlNode * node, const char * tag, const char * name)
{
  for (xmlNode * child = node ? node->children : NULL; child; child = child->next) {
    if (child->type != XML_ELEMENT_NODE || strcmp((const char *)child->name, tag) != 0) continue;
    if (!name) return child;
    xmlChar * own = xmlGetProp(child, BAD_CAST "name");
    const bool same = own && strcmp((const char *)own, name) == 0;
    xmlFree(own);
    if (same) return child;
  }
  return NULL;
}

static double
get_number(xmlNode * node, const char * attribute)
{
  xmlChar * text = xmlGetProp(node, BAD_CAST attribute);
  const double x = text ? strtod((const char *)text, NULL) : 0;
  xmlFree(text);
  return x;
}

static void
set_number(xmlNode * node, const char * attribute, double x)
{
  char text[NUMBER_TEXT_SIZE];
  number_text(x, text);
  xmlSetProp(node, BAD_CAST attribute, BAD_CAST text);
}

// the inertia of a link grows with its mass, as if it became denser
static const char *
set_mass(xmlNode * link, double value)
{
  static const char * const MOMENT[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  xmlNode * inertial = find_child(link, "inertial", NULL);
  xmlNode *mass = find_child(inertial, "mass", NULL),
          *inertia = find_child(inertial, "inertia", NULL);
  if (!mass || !inertia) return "the link has no <inertial> with <mass> and <inertia>";
  const double old = get_number(mass, "value");
  if (!(old > 0))
    return "the link has no mass in the file, so that its inertia cannot grow with it";
  for (int k = 0; k < 6; k++) {
    if (xmlHasProp(inertia, BAD_CAST MOMENT[k]))
      set_number(inertia, MOMENT[k], get_number(inertia, MOMENT[k]) * (value / old));
  }
  set_number(mass, "value", value);
  return NULL;
}

static const char *
edit_element(xmlNode * robot, const char * set, double value)
{
  char kind[SWEEP_NAME], name[SWEEP_NAME], field[SWEEP_NAME];
  if (!split(set, kind, name, field)) return "expected link.NAME.FIELD or joint.NAME.FIELD";
  xmlNode * node = find_child(robot, kind, name);
  if (!node) return "the URDF has no such element";
  if (strcmp(kind, "link") == 0) {
    return strcmp(field, "mass") == 0 ? set_mass(node, value) : "a link has mass";
  }
  if (strcmp(field, "damping") != 0 && strcmp(field, "friction") != 0)
    return "a joint has damping and friction";
  xmlNode * dynamics = find_child(node, "dynamics", NULL);
  if (!dynamics) dynamics = xmlNewChild(node, NULL, BAD_CAST "dynamics", NULL);
  if (!dynamics) return "out of memory";
  set_number(dynamics, field, value);
  return NULL;
}

static bool
is_urdf(const sweep_variable_t * x)
{
  return x->target == SWEEP_EDIT &&
         (strncmp(x->set, "link.", 5) == 0 || strncmp(x->set, "joint.", 6) == 0);
}

char *
sweep_edit_urdf(
  const sweep_plan_t * plan, const double * values, size_t * size, const char ** missing)
{
  *missing = NULL;
  xmlDoc * doc = xmlReadMemory(
    plan->robot_text, (int)plan->robot_size, plan->robot, NULL,
    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (!doc) {
    *missing = "the URDF cannot be parsed";
    return NULL;
  }
  for (int k = 0; k < plan->nvariable && !*missing; k++) {
    if (is_urdf(&plan->variable[k]))
      *missing = edit_element(xmlDocGetRootElement(doc), plan->variable[k].set, values[k]);
  }
  xmlChar * text = NULL;
  int n = 0;
  if (!*missing) xmlDocDumpMemory(doc, &text, &n);
  xmlFreeDoc(doc);
  // libxml2's memory is malloc's unless a program says otherwise; ours does not
  *size = (size_t)n;
  return (char *)text;
}

//---------- mechanism files ----------

typedef struct edit {
  size_t start, end;  // bytes of the old number
  double value;
} edit_t;

static const yaml_node_t *
find_key(yaml_document_t * tree, const yaml_node_t * map, const char * name)
{
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (const yaml_node_pair_t * p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top;
       p++) {
    const yaml_node_t * key = yaml_document_get_node(tree, p->key);
    if (key->type == YAML_SCALAR_NODE && strcmp((const char *)key->data.scalar.value, name) == 0)
      return yaml_document_get_node(tree, p->value);
  }
  return NULL;
}

// the entry of a list that has this name, or of a mapping of names
static const yaml_node_t *
find_entry(yaml_document_t * tree, const yaml_node_t * section, const char * name)
{
  if (!section || section->type != YAML_SEQUENCE_NODE) return find_key(tree, section, name);
  for (const yaml_node_item_t * i = section->data.sequence.items.start;
       i < section->data.sequence.items.top; i++) {
    const yaml_node_t * entry = yaml_document_get_node(tree, *i);
    const yaml_node_t * own = find_key(tree, entry, "name");
    if (
      own && own->type == YAML_SCALAR_NODE &&
      strcmp((const char *)own->data.scalar.value, name) == 0)
      return entry;
  }
  return NULL;
}

// SECTION.NAME or SECTION.NAME.KEY
static const char *
find_scalar(yaml_document_t * tree, const char * set, const yaml_node_t ** found)
{
  char kind[SWEEP_NAME], name[SWEEP_NAME], field[SWEEP_NAME];
  const char * dot = strchr(set, '.');
  if (!dot) return "expected SECTION.NAME.KEY";
  snprintf(kind, sizeof kind, "%.*s", (int)(dot - set), set);
  const yaml_node_t * section = find_key(tree, yaml_document_get_root_node(tree), kind);
  if (!section) return "the mechanism file has no such section";
  *found = find_entry(tree, section, dot + 1);
  if (!*found && split(set, kind, name, field)) {
    *found = find_entry(tree, section, name);
    if (!*found) return "the section has no entry of that name";
    *found = find_key(tree, *found, field);
    if (!*found) return "the entry has no such key; a key must be there to be varied";
  }
  if (!*found) return "the section has no entry of that name";
  char * end = NULL;
  if ((*found)->type == YAML_SCALAR_NODE) strtod((const char *)(*found)->data.scalar.value, &end);
  return end && !*end ? NULL : "this is not a number";
}

static int
by_start(const void * a, const void * b)
{
  const size_t x = ((const edit_t *)a)->start, y = ((const edit_t *)b)->start;
  return (x > y) - (x < y);
}

char *
sweep_edit_mechanism(
  const sweep_plan_t * plan, const double * values, size_t * size, const char ** missing)
{
  edit_t edit[SWEEP_MAX_VARIABLES];
  int n = 0;
  yaml_fault_t fault;
  yaml_document_t * tree =
    yaml_tree_read(plan->mechanism_text, plan->mechanism_size, false, &fault);
  *missing = tree ? NULL : "the mechanism file cannot be parsed";
  for (int k = 0; k < plan->nvariable && !*missing; k++) {
    const sweep_variable_t * x = &plan->variable[k];
    const yaml_node_t * found = NULL;
    if (x->target != SWEEP_EDIT || is_urdf(x)) continue;
    *missing = find_scalar(tree, x->set, &found);
    if (!*missing) edit[n++] = (edit_t){found->start_mark.index, found->end_mark.index, values[k]};
  }
  if (tree) yaml_tree_free(tree);
  char * text = *missing ? NULL : malloc(plan->mechanism_size + (size_t)n * NUMBER_TEXT_SIZE + 1);
  if (!text) return NULL;
  qsort(edit, (size_t)n, sizeof edit[0], by_start);
  char * to = text;
  size_t from = 0;
  for (int k = 0; k < n; k++) {
    memcpy(to, plan->mechanism_text + from, edit[k].start - from);
    to = number_text(edit[k].value, to + (edit[k].start - from));
    from = edit[k].end;
  }
  memcpy(to, plan->mechanism_text + from, plan->mechanism_size - from);
  *size = (size_t)(to - text) + plan->mechanism_size - from;
  return text;
}
