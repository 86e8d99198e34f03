// Modal data from CSV: a keyword and numbers on each line.
#include <stdlib.h>
#include <string.h>

#include "flexible_file_internal.h"

typedef struct csv {
  urdf_loader_t * loader;
  modal_t * modal;
  int node;    // next
  double * x;  // numbers of a line
  int capacity;
} csv_t;

// the next field of a line without blanks around it; NULL at the end
static char *
next_field(char ** rest)
{
  char * field = *rest;
  if (!field) return NULL;
  char * end = strchr(field, ',');
  *rest = end ? end + 1 : NULL;
  if (!end) end = field + strlen(field);
  while (*field == ' ' || *field == '\t') field++;
  while (end > field && strchr(" \t\r", end[-1])) end--;
  *end = 0;
  return field;
}

// all numbers of a line; how many, or -1 with a sentence
static int
read_numbers(csv_t * csv, urdf_place_t place, const char * what, char * rest)
{
  int n = 0;
  for (char * field; (field = next_field(&rest)); n++) {
    if (!rest && *field == 0) break;  // a comma at the end
    if (n == csv->capacity) {
      urdf_say(csv->loader, MBDX_ERROR, place, NULL, "%s has more than %d numbers", what, n);
      return -1;
    }
    if (
      !urdf_number(csv->loader, place, what, field, &csv->x[n]) ||
      !urdf_within_size(csv->loader, place, what, &csv->x[n], 1)) {
      return -1;
    }
  }
  return n;
}

static void
read_matrix(csv_t * csv, urdf_place_t place, const char * what, char * rest, int * line, double * A)
{
  const int n = csv->modal->body->nmode, count = read_numbers(csv, place, what, rest);
  if (*line) {
    urdf_say(csv->loader, MBDX_ERROR, place, "keep one of them", "duplicate %s", what);
  }
  *line = place.line;
  if (count < 0 || modal_matrix(n, csv->x, count, A)) return;
  urdf_say(
    csv->loader, MBDX_ERROR, place, NULL, "%s has %d numbers; %d modes have %d or %d", what, count,
    n, n, n * n);
}

static void
read_node(csv_t * csv, urdf_place_t place, char * rest)
{
  modal_t * modal = csv->modal;
  mbd_modal_body_t * body = modal->body;
  const int m = body->nmode, k = csv->node, expected = 10 + 6 * m;
  if (k >= body->nnode) return;
  csv->node++;
  const char * name = next_field(&rest);
  modal->node_line[k] = place.line;
  if (name) strncpy(modal->name[k], name, FLEXIBLE_NAME - 1);
  const int n = read_numbers(csv, place, "node", rest);
  if (n < 0) return;
  if (n != expected) {
    urdf_say(
      csv->loader, MBDX_ERROR, place,
      "after its name: x y z, mass, ixx ixy ixz iyy iyz izz, and six for each mode",
      "a node has %d numbers instead of %d", n, expected);
    return;
  }
  const double * x = csv->x;
  body->position[k] = (mbd_vec3_t){x[0], x[1], x[2]};
  body->inertia[k].mass = x[3];
  body->inertia[k].I = (mbd_sym3_t){x[4], x[5], x[6], x[7], x[8], x[9]};
  modal_shape(m, x + 10, body->shape + k * m);
}

static void
read_hinge(csv_t * csv, urdf_place_t place, char * rest)
{
  mbd_modal_body_t * body = csv->modal->body;
  const int n = read_numbers(csv, place, "hinge", rest);
  if (n == 6 * body->nmode) {
    body->has_hinge = true;
    modal_shape(body->nmode, csv->x, body->hinge);
  } else if (n >= 0) {
    urdf_say(
      csv->loader, MBDX_ERROR, place, NULL, "hinge has %d numbers instead of %d", n,
      6 * body->nmode);
  }
}

static void
read_line(csv_t * csv, urdf_place_t place, const char * keyword, char * rest)
{
  modal_t * modal = csv->modal;
  mbd_modal_body_t * body = modal->body;
  if (strcmp(keyword, "node") == 0) {
    read_node(csv, place, rest);
  } else if (strcmp(keyword, "stiffness") == 0) {
    read_matrix(csv, place, keyword, rest, &modal->stiffness_line, body->stiffness);
  } else if (strcmp(keyword, "damping") == 0) {
    read_matrix(csv, place, keyword, rest, &modal->damping_line, body->damping);
  } else if (strcmp(keyword, "mass") == 0) {
    read_matrix(csv, place, keyword, rest, &modal->mass_line, body->mass);
    body->has_mass = true;
  } else if (strcmp(keyword, "hinge") == 0) {
    read_hinge(csv, place, rest);
  } else if (strcmp(keyword, "modes") != 0) {
    urdf_say(
      csv->loader, MBDX_ERROR, place,
      "known line types: modes, mass, stiffness, damping, hinge, node", "unknown line type %s",
      urdf_value(keyword).s);
  }
}

// one line: its keyword, and what follows; false for an empty one or a comment
static bool
split(char * line, char ** keyword, char ** rest)
{
  *rest = line;
  *keyword = next_field(rest);
  return **keyword != 0 && **keyword != '#';
}

// how many nodes, and the number of modes; the text stays as it is
static int
count(csv_t * csv, const char * text, double * modes)
{
  int nodes = 0, line = 1;
  for (const char * s = text; s; line++) {
    while (*s == ' ' || *s == '\t') s++;
    if (strncmp(s, "node", 4) == 0 && strchr(", \t\r\n", s[4])) nodes++;
    if (strncmp(s, "modes", 5) == 0) {
      char number[32] = "";
      const char * comma = strchr(s, ',');
      if (comma) strncpy(number, comma + 1, sizeof number - 1);
      char * begin = number + strspn(number, " \t");
      begin[strcspn(begin, ", \t\r\n")] = 0;
      const urdf_place_t place = {"file", NULL, line};
      if (!urdf_number(csv->loader, place, "modes", begin, modes)) return -1;
    }
    s = strchr(s, '\n');
    if (s) s++;
  }
  return nodes;
}

bool
modal_read_csv(urdf_loader_t * loader, char * text, size_t size, modal_t * modal)
{
  csv_t csv = {.loader = loader, .modal = modal};
  urdf_place_t place = {"file", NULL, 0};
  double modes = 0;
  if (memchr(text, 0, size)) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "contains a zero byte");
    return false;
  }
  const int nodes = count(&csv, text, &modes);
  if (nodes < 0 || !modal_make(loader, place, modes, nodes, modal)) return false;
  modal->line = 1;
  const int n = (int)modes;
  csv.capacity = n * n > 10 + 6 * n ? n * n : 10 + 6 * n;
  csv.x = calloc((size_t)csv.capacity, sizeof *csv.x);
  loader->out_of_memory = loader->out_of_memory || !csv.x;
  const mbd_status_t before = loader->status;
  loader->status = MBD_OK;
  for (char * line = text; line && csv.x;) {
    char *next = strchr(line, '\n'), *keyword, *rest;
    if (next) *next++ = 0;
    place.line++;
    if (split(line, &keyword, &rest)) read_line(&csv, place, keyword, rest);
    line = next;
  }
  free(csv.x);
  const bool good = loader->status == MBD_OK && !loader->out_of_memory;
  if (good) loader->status = before;
  place.line = 0;
  if (good && modal->stiffness_line == 0) {
    urdf_say(loader, MBDX_ERROR, place, "add a line stiffness,...", "has no stiffness");
    return false;
  }
  return good;
}
