// Modal data: memory, checks, and reading them from YAML.
#include <stdlib.h>
#include <string.h>

#include "flexible_file_internal.h"

//---------- memory and checks ----------

void
modal_free(modal_t * modal)
{
  mbd_modal_body_destroy(modal->body);
  free(modal->node_line);
  free(modal->name);
  memset(modal, 0, sizeof *modal);
}

bool
modal_make(urdf_loader_t * loader, urdf_place_t place, double modes, int nodes, modal_t * modal)
{
  if (!(modes >= 1 && modes <= FLEXIBLE_MAX_MODES && modes == (int)modes)) {
    urdf_say(
      loader, MBDX_ERROR, place, "write e.g. modes: 2", "modes is not a whole number from 1 to %d",
      FLEXIBLE_MAX_MODES);
    return false;
  }
  if (nodes < 1) {
    urdf_say(loader, MBDX_ERROR, place, "give at least one with a mass", "has no nodes");
    return false;
  }
  if (nodes > FLEXIBLE_MAX_NODES) {
    urdf_fail(loader, MBD_ERROR_LIMIT, place, NULL, "more than %d nodes", FLEXIBLE_MAX_NODES);
    return false;
  }
  modal->node_line = calloc((size_t)nodes, sizeof *modal->node_line);
  modal->name = calloc((size_t)nodes, sizeof *modal->name);
  const bool made = modal->node_line && modal->name &&
                    mbd_modal_body_create((int)modes, nodes, &modal->body) == MBD_OK;
  loader->out_of_memory = loader->out_of_memory || !made;
  return made;
}

bool
modal_matrix(int n, const double * x, int count, double * A)
{
  if (count != n && count != n * n) return false;
  for (int i = 0; i < n * n; i++) A[i] = count == n ? (i % (n + 1) ? 0 : x[i / n]) : x[i];
  return true;
}

void
modal_shape(int n, const double * x, mbd_motion_t * shape)
{
  for (int i = 0; i < n; i++, x += 6) {
    shape[i] = (mbd_motion_t){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
}

int
modal_node(const modal_t * modal, const char * name)
{
  for (int k = 0; k < modal->body->nnode; k++) {
    if (modal->name[k][0] && strcmp(modal->name[k], name) == 0) return k;
  }
  return -1;
}

static const char *
hint_for(mbd_modal_fault_t fault)
{
  switch (fault) {
    case MBD_MODAL_NODE_INERTIA: return "mass and moments must not be negative";
    case MBD_MODAL_MASS_NOT_POSITIVE:
      return "give mass to the nodes that it moves, or remove the mode";
    case MBD_MODAL_STIFFNESS_NEGATIVE:
    case MBD_MODAL_DAMPING_NEGATIVE: return "its eigenvalues must be zero or more";
    case MBD_MODAL_MASS_NOT_SYMMETRIC:
    case MBD_MODAL_STIFFNESS_NOT_SYMMETRIC:
    case MBD_MODAL_DAMPING_NOT_SYMMETRIC: return "row i, column j must be row j, column i";
    default: return NULL;
  }
}

bool
modal_check(urdf_loader_t * loader, const char * link, const modal_t * modal)
{
  mbd_modal_fault_t fault;
  int index;
  const mbd_status_t status = mbd_modal_body_check(modal->body, &fault, &index);
  if (status == MBD_OK) return true;
  if (status == MBD_ERROR_OUT_OF_MEMORY) loader->out_of_memory = true;
  urdf_place_t place = {"link", link, modal->line};
  switch (fault) {
    case MBD_MODAL_NODE_INERTIA:
    case MBD_MODAL_BEND_NOT_SYMMETRIC:
      place.line = modal->node_line[index];
      urdf_say(
        loader, MBDX_ERROR, place, hint_for(fault), "node %d: %s", index + 1,
        mbd_modal_fault_text(fault));
      return false;
    case MBD_MODAL_STIFFNESS_NOT_SYMMETRIC:
    case MBD_MODAL_STIFFNESS_NEGATIVE: place.line = modal->stiffness_line; break;
    case MBD_MODAL_DAMPING_NOT_SYMMETRIC:
    case MBD_MODAL_DAMPING_NEGATIVE: place.line = modal->damping_line; break;
    case MBD_MODAL_MASS_NOT_SYMMETRIC:
    case MBD_MODAL_MASS_NOT_POSITIVE:
      if (modal->mass_line) place.line = modal->mass_line;
      break;
    default: break;
  }
  urdf_say(
    loader, MBDX_ERROR, place, hint_for(fault), "%s (mode %d)", mbd_modal_fault_text(fault),
    index + 1);
  return false;
}

//---------- YAML ----------

static urdf_place_t
place_at(const urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  return place;
}

// numbers of a list, of lists in it, and so on, one after the other; how many, or -1 with a sentence
static int
read_numbers(urdf_yaml_t * r, const yaml_node_t * node, const char * what, int capacity, double * x)
{
  if (node->type == YAML_SCALAR_NODE) {
    if (capacity < 1) return 1;
    return urdf_yaml_number(r, node, what, x) ? 1 : -1;
  }
  if (node->type != YAML_SEQUENCE_NODE) {
    urdf_say(r->loader, MBDX_ERROR, place_at(r, node), NULL, "%s is not a list of numbers", what);
    return -1;
  }
  int n = 0;
  const yaml_node_item_t * item = node->data.sequence.items.start;
  for (; item < node->data.sequence.items.top; item++) {
    const int more = read_numbers(
      r, urdf_yaml_node(r, *item), what, capacity > n ? capacity - n : 0, capacity > n ? x + n : x);
    if (more < 0) return -1;
    n += more;
  }
  return n;
}

// exactly n numbers, with sentences
static bool
read_exactly(urdf_yaml_t * r, const yaml_node_t * node, const char * what, int n, double * x)
{
  const int count = read_numbers(r, node, what, n, x);
  if (count == n) return true;
  if (count >= 0) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, node), NULL, "%s has %d numbers instead of %d", what,
      count, n);
  }
  return false;
}

static bool
read_matrix(urdf_yaml_t * r, const yaml_node_t * node, const char * what, int n, double * A)
{
  double * x = calloc((size_t)(n * n), sizeof *x);
  if (!x) {
    r->loader->out_of_memory = true;
    return false;
  }
  const int count = read_numbers(r, node, what, n * n, x);
  const bool good = count >= 0 && modal_matrix(n, x, count, A);
  if (count >= 0 && !good) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, node),
      "give one number for each mode, or as many rows as modes",
      "%s has %d numbers; %d modes have %d or %d", what, count, n, n, n * n);
  }
  free(x);
  return good;
}

static bool
read_shape(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what, int n, mbd_motion_t * shape)
{
  double * x = calloc((size_t)(6 * n), sizeof *x);
  r->loader->out_of_memory = r->loader->out_of_memory || !x;
  const bool good = x && read_exactly(r, node, what, 6 * n, x);
  if (good) modal_shape(n, x, shape);
  free(x);
  return good;
}

static bool
read_bend(urdf_yaml_t * r, const yaml_node_t * node, int n, mbd_vec3_t * bend)
{
  double * x = calloc((size_t)(3 * n * n), sizeof *x);
  r->loader->out_of_memory = r->loader->out_of_memory || !x;
  const bool good = x && read_exactly(r, node, "bend", 3 * n * n, x);
  for (int k = 0; good && k < n * n; k++) {
    bend[k] = (mbd_vec3_t){x[3 * k], x[3 * k + 1], x[3 * k + 2]};
  }
  free(x);
  return good;
}

typedef struct node_reader {
  modal_t * modal;
  int k;
  bool shaped;
} node_reader_t;

static void
read_node_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  node_reader_t * n = to;
  mbd_modal_body_t * body = n->modal->body;
  const int m = body->nmode;
  double x[6];
  if (strcmp(key, "name") == 0) {
    const char * name = urdf_yaml_text(r, value, "name");
    if (name) strncpy(n->modal->name[n->k], name, FLEXIBLE_NAME - 1);
  } else if (strcmp(key, "xyz") == 0) {
    if (urdf_yaml_triple(r, value, "xyz", x)) body->position[n->k] = (mbd_vec3_t){x[0], x[1], x[2]};
  } else if (strcmp(key, "mass") == 0) {
    urdf_yaml_number(r, value, "mass", &body->inertia[n->k].mass);
  } else if (strcmp(key, "inertia") == 0) {
    if (read_exactly(r, value, "inertia", 6, x)) {
      body->inertia[n->k].I = (mbd_sym3_t){x[0], x[1], x[2], x[3], x[4], x[5]};
    }
  } else if (strcmp(key, "shape") == 0) {
    n->shaped = true;
    read_shape(r, value, "shape", m, body->shape + n->k * m);
  } else if (strcmp(key, "bend") == 0) {
    body->has_bend = true;
    read_bend(r, value, m, body->bend + n->k * m * m);
  } else {
    urdf_yaml_unknown(r, key, value, "known keys: name, xyz, mass, inertia, shape, bend");
  }
}

static void
read_nodes(urdf_yaml_t * r, const yaml_node_t * list, modal_t * modal)
{
  const yaml_node_item_t * item = list->data.sequence.items.start;
  for (int k = 0; k < modal->body->nnode; k++) {
    const yaml_node_t * node = urdf_yaml_node(r, item[k]);
    node_reader_t reader = {modal, k, false};
    modal->node_line[k] = yaml_tree_line(node);
    urdf_yaml_mapping(r, node, "a node", read_node_key, &reader);
    if (!reader.shaped && node->type == YAML_MAPPING_NODE) {
      urdf_say(
        r->loader, MBDX_ERROR, place_at(r, node), "add shape: six numbers for each mode",
        "a node has no shape");
    }
  }
}

static void
read_modal_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  modal_t * modal = to;
  mbd_modal_body_t * body = modal->body;
  const int n = body->nmode;
  if (strcmp(key, "mass") == 0) {
    modal->mass_line = yaml_tree_line(value);
    body->has_mass = read_matrix(r, value, "mass", n, body->mass);
  } else if (strcmp(key, "stiffness") == 0) {
    modal->stiffness_line = yaml_tree_line(value);
    read_matrix(r, value, "stiffness", n, body->stiffness);
  } else if (strcmp(key, "damping") == 0) {
    modal->damping_line = yaml_tree_line(value);
    read_matrix(r, value, "damping", n, body->damping);
  } else if (strcmp(key, "hinge") == 0) {
    body->has_hinge = read_shape(r, value, "hinge", n, body->hinge);
  } else if (strcmp(key, "nodes") == 0) {
    read_nodes(r, value, modal);
  } else if (strcmp(key, "modes") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: modes, mass, stiffness, damping, hinge, nodes");
  }
}

bool
modal_read_yaml(urdf_yaml_t * r, const yaml_node_t * node, modal_t * modal)
{
  const urdf_place_t place = place_at(r, node);
  const yaml_node_t * modes = urdf_yaml_value(r, node, "modes");
  const yaml_node_t * nodes = urdf_yaml_value(r, node, "nodes");
  double count = 0;
  modal->line = place.line;
  if (modes && !urdf_yaml_number(r, modes, "modes", &count)) return false;
  if (nodes && nodes->type != YAML_SEQUENCE_NODE) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, nodes), "begin each with a dash", "nodes is not a list");
    return false;
  }
  long n = 0;
  if (nodes) n = nodes->data.sequence.items.top - nodes->data.sequence.items.start;
  if (n > FLEXIBLE_MAX_NODES) n = FLEXIBLE_MAX_NODES + 1;
  if (!modal_make(r->loader, place, count, (int)n, modal)) return false;
  const mbd_status_t before = r->loader->status;
  r->loader->status = MBD_OK;
  urdf_yaml_mapping(r, node, "modal data", read_modal_key, modal);
  const bool good = r->loader->status == MBD_OK && !r->loader->out_of_memory;
  if (good) r->loader->status = before;
  if (good && modal->stiffness_line == 0) {
    urdf_say(
      r->loader, MBDX_ERROR, place, "add stiffness: one number for each mode", "has no stiffness");
    return false;
  }
  return good;
}
