// From the XML tree to the table: the robot and its links.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "urdf_internal.h"

const char *
urdf_read_name(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place)
{
  const char * name = urdf_attribute(node, "name");
  place.line = node->line;
  if (!name || *name == 0) {
    urdf_say(loader, MBDX_ERROR, place, "add name=\"...\"", "has no name");
    return NULL;
  }
  if (strlen(name) > URDF_MAX_NAME) {
    place.name = NULL;
    urdf_fail(
      loader, MBD_ERROR_LIMIT, place, NULL, "name %s is longer than %d bytes", urdf_value(name).s,
      URDF_MAX_NAME);
    return NULL;
  }
  return name;
}

//---------- origin ----------

bool
urdf_within_size(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const double * x, int n)
{
  for (int k = 0; k < n; k++) {
    if (fabs(x[k]) <= URDF_MAX_SIZE) continue;
    urdf_say(loader, MBDX_ERROR, place, "use SI units", "%s %g is implausible", what, x[k]);
    return false;
  }
  return true;
}

// as urdfdom does, a quaternion of any length but zero is a rotation
static bool
read_quaternion(urdf_loader_t * loader, urdf_place_t place, const char * text, double quat[4])
{
  double x[4], big = 0, sum = 0;
  if (!urdf_vector(loader, place, "origin quat_xyzw", text, x, 4)) return false;
  for (int k = 0; k < 4; k++) big = fmax(big, fabs(x[k]));
  if (big == 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "write e.g. \"0 0 0 1\"", "origin quat_xyzw %s has zero norm",
      urdf_value(text).s);
    return false;
  }
  // by the largest number first: squares of the others neither overflow nor vanish
  for (int k = 0; k < 4; k++) x[k] /= big, sum += x[k] * x[k];
  const double norm = sqrt(sum);
  if (fabs(norm * big - 1) > 1e-6) {
    urdf_say(
      loader, MBDX_NOTE, place, NULL, "origin quat_xyzw %s of norm %g normalised to norm 1",
      urdf_value(text).s, norm * big);
  }
  for (int k = 0; k < 4; k++) quat[k] = x[k] / norm;
  return true;
}

static bool
read_rpy(urdf_loader_t * loader, urdf_place_t place, const char * text, double quat[4])
{
  double rpy[3];
  if (!urdf_vector(loader, place, "origin rpy", text, rpy, 3)) return false;
  const mbd_quat_t roll = {sin(rpy[0] / 2), 0, 0, cos(rpy[0] / 2)};
  const mbd_quat_t pitch = {0, sin(rpy[1] / 2), 0, cos(rpy[1] / 2)};
  const mbd_quat_t yaw = {0, 0, sin(rpy[2] / 2), cos(rpy[2] / 2)};
  const mbd_quat_t q = mbdu_quat_normalize(mbdu_quat_mul(yaw, mbdu_quat_mul(pitch, roll)));
  quat[0] = q.x, quat[1] = q.y, quat[2] = q.z, quat[3] = q.w;
  return true;
}

bool
urdf_read_origin(
  urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, double xyz[3], double quat[4])
{
  static const char * const known[] = {"xyz", "rpy", "quat_xyzw", NULL};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  const char * text = urdf_attribute(node, "xyz");
  bool good = !text || (urdf_vector(loader, place, "origin xyz", text, xyz, 3) &&
                        urdf_within_size(loader, place, "origin xyz", xyz, 3));
  const char * rpy = urdf_attribute(node, "rpy");
  const char * xyzw = urdf_attribute_since(loader, node, place, "quat_xyzw", 1);
  if (rpy && xyzw) {
    urdf_say(loader, MBDX_ERROR, place, "keep one", "origin has both rpy and quat_xyzw");
    return false;
  }
  if (rpy && !read_rpy(loader, place, rpy, quat)) good = false;
  if (xyzw && !read_quaternion(loader, place, xyzw, quat)) good = false;
  return good;
}

//---------- inertial ----------

static bool
read_mass(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, double * mass)
{
  static const char * const known[] = {"value", NULL};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  if (!urdf_number_attribute(loader, node, place, "mass", "value", mass)) return false;
  if (*mass >= 0) return urdf_within_size(loader, place, "mass", mass, 1);
  urdf_say(loader, MBDX_ERROR, place, NULL, "mass %g is negative", *mass);
  return false;
}

static bool
read_tensor(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, double I[6])
{
  static const char * const known[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz", NULL};
  static const char * const what[] = {"inertia ixx", "inertia ixy", "inertia ixz",
                                      "inertia iyy", "inertia iyz", "inertia izz"};
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  bool good = true;
  for (int k = 0; k < 6; k++) {
    if (!urdf_number_attribute(loader, node, place, what[k], known[k], &I[k])) good = false;
  }
  return good && urdf_within_size(loader, place, "inertia", I, 6);
}

// what an <inertial> must have; NULL with a sentence
static urdf_node_t *
needed(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, const char * name)
{
  urdf_node_t * child = urdf_only_child(loader, node, place, name);
  place.line = node->line;
  if (!child) {
    urdf_say(
      loader, MBDX_ERROR, place, "add it, or remove <inertial>", "inertial has no <%s>", name);
  }
  return child;
}

static void
refuse_inertial_children(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place)
{
  for (urdf_node_t * n = node->child; n; n = n->next) {
    if (strchr(n->name, ':')) continue;
    if (urdf_is(n, "origin") || urdf_is(n, "mass") || urdf_is(n, "inertia")) continue;
    place.line = n->line;
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name, or remove it",
      "element %s of <inertial> is unknown", urdf_tag(n).s);
  }
}

static void
read_inertial(urdf_loader_t * loader, urdf_node_t * node, urdf_link_t * link)
{
  static const char * const known[] = {NULL};
  urdf_place_t place = urdf_link_place(link);
  place.line = node->line;
  urdf_refuse_attributes(loader, node, place, known);
  urdf_warn_text(loader, node, place);
  refuse_inertial_children(loader, node, place);
  urdf_node_t * origin = urdf_only_child(loader, node, place, "origin");
  bool good = !origin || urdf_read_origin(loader, origin, place, link->xyz, link->quat);
  urdf_node_t * mass = needed(loader, node, place, "mass");
  urdf_node_t * inertia = needed(loader, node, place, "inertia");
  if (!mass || !read_mass(loader, mass, place, &link->mass)) good = false;
  if (!inertia || !read_tensor(loader, inertia, place, link->I)) good = false;
  link->has_inertial = good;
  if (!good) return;
  place.line = inertia->line;
  urdf_check_inertial(loader, link, place);
}

//---------- link ----------

// elements that say nothing about dynamics: counted, one note for each kind
static const char * const kind_name[URDF_KINDS] = {
  "visual",  "collision",         "material",    "gazebo",          "sensor",
  "contact", "safety_controller", "calibration", "other namespaces"};

bool
urdf_count_kind(urdf_loader_t * loader, const urdf_node_t * node)
{
  const int last = URDF_KINDS - 1;
  int k = 0;
  while (k < last && !urdf_is(node, kind_name[k])) k++;
  if (k == last && !strchr(node->name, ':')) return false;
  if (loader->kind_count[k]++ == 0) loader->kind_line[k] = node->line;
  return true;
}

static void
say_kinds(urdf_loader_t * loader)
{
  for (int k = 0; k < URDF_KINDS; k++) {
    const int n = loader->kind_count[k];
    if (n == 0) continue;
    const urdf_place_t place = {"robot", loader->robot.name, loader->kind_line[k]};
    urdf_say(
      loader, MBDX_NOTE, place, NULL,
      k < URDF_KINDS - 1 ? "<%s> has no effect on dynamics: %d ignored"
                         : "elements of %s are not supported: %d ignored",
      kind_name[k], n);
  }
}

static char
lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

// equal, or one letter added, left out or replaced; upper and lower case are the same
static bool
one_letter_apart(const char * a, const char * b)
{
  while (*a && lower(*a) == lower(*b)) a++, b++;
  size_t m = strlen(a), n = strlen(b);
  while (m > 0 && n > 0 && lower(a[m - 1]) == lower(b[n - 1])) m--, n--;
  return m <= 1 && n <= 1;
}

void
urdf_warn_element(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known)
{
  place.line = node->line;
  while (*known && !one_letter_apart((const char *)node->name, *known)) known++;
  if (!*known) {
    urdf_say(loader, MBDX_WARNING, place, NULL, "element %s is ignored", urdf_tag(node).s);
    return;
  }
  char hint[40];
  snprintf(hint, sizeof hint, "did you mean <%s>?", *known);
  urdf_say(loader, MBDX_ERROR, place, hint, "element %s is unknown", urdf_tag(node).s);
}

static void
read_link(urdf_loader_t * loader, urdf_node_t * node)
{
  static const char * const known[] = {"name", "type", NULL};
  static const char * const elements[] = {"inertial", NULL};
  urdf_robot_t * robot = &loader->robot;
  urdf_place_t place = {"link", NULL, node->line};
  const char * name = urdf_read_name(loader, node, place);
  if (!urdf_reserve(
        loader, (void **)&robot->link, robot->nlink, &robot->link_capacity, sizeof *robot->link)) {
    return;
  }
  urdf_link_t link = {
    .name = name, .line = node->line, .node = node, .quat = {0, 0, 0, 1}, .parent_joint = -1};
  place.name = name;
  urdf_warn_attributes(loader, node, place, known);
  urdf_warn_text(loader, node, place);
  for (urdf_node_t * n = node->child; n; n = n->next) {
    if (!urdf_is(n, "inertial") && !urdf_count_kind(loader, n)) {
      urdf_warn_element(loader, n, place, elements);
    }
  }
  place.line = link.line;
  urdf_node_t * inertial = urdf_only_child(loader, node, place, "inertial");
  if (inertial) read_inertial(loader, inertial, &link);
  if (name) robot->link[robot->nlink++] = link;
}

//---------- robot ----------

static void
read_version(urdf_loader_t * loader, const urdf_node_t * root, urdf_place_t place)
{
  static const char * const known[] = {"1.0", "1.1", "1.2"};
  const char * text = urdf_attribute(root, "version");
  if (!text || strcmp(text, "1") == 0) return;
  for (int k = 0; k < 3; k++) {
    if (strcmp(text, known[k]) != 0) continue;
    loader->robot.version = k;
    return;
  }
  urdf_say(
    loader, MBDX_ERROR, place, "write 1.0, 1.1 or 1.2", "version %s is unknown",
    urdf_value(text).s);
}

static void
read_robot_attributes(urdf_loader_t * loader, const urdf_node_t * root)
{
  static const char * const known[] = {"name", "version", NULL};
  const char * name = urdf_attribute(root, "name");
  const urdf_place_t place = {"robot", name && *name ? name : NULL, root->line};
  loader->robot.line = root->line;
  loader->robot.name = "robot";
  urdf_warn_attributes(loader, root, place, known);
  if (!name || *name == 0) {
    urdf_say(loader, MBDX_WARNING, place, "add name=\"...\"", "has no name; 'robot' is used");
  } else if (strlen(name) > URDF_MAX_NAME) {
    urdf_read_name(loader, root, place);
  } else {
    loader->robot.name = name;
  }
  read_version(loader, root, place);
}

// the next element in document order below root; NULL at the end. No recursion.
static urdf_node_t *
next_element(urdf_node_t * node, const urdf_node_t * root)
{
  urdf_node_t * down = node->child;
  if (down) return down;
  while (node != root) {
    urdf_node_t * side = node->next;
    if (side) return side;
    node = node->parent;
  }
  return NULL;
}

// the prefix that an element declares for xacro, or the one given
static const char *
xacro_prefix(const urdf_node_t * node, const char * prefix)
{
  for (const urdf_attribute_t * a = node->attribute; a; a = a->next) {
    if (strncmp(a->name, "xmlns:", 6) == 0 && strstr(a->value, "/xacro")) prefix = a->name + 6;
  }
  return prefix;
}

// a file with macros still in it is no robot yet
static bool
has_xacro(urdf_loader_t * loader, urdf_node_t * root)
{
  const char * prefix = "xacro";
  for (urdf_node_t * n = root; n; n = next_element(n, root)) {
    prefix = xacro_prefix(n, prefix);
    const char * colon = strchr(n->name, ':');
    const size_t length = colon ? (size_t)(colon - n->name) : 0;
    const bool declared = strlen(prefix) == length && memcmp(n->name, prefix, length) == 0;
    if (!colon || (!declared && strncmp(n->name, "xacro:", 6) != 0)) continue;
    const urdf_place_t place = {"robot", urdf_attribute(root, "name"), n->line};
    urdf_say(
      loader, MBDX_ERROR, place, "run xacro first", "is a xacro file: %s is not expanded",
      urdf_tag(n).s);
    return true;
  }
  return false;
}

static bool
check_root(urdf_loader_t * loader, urdf_node_t * root)
{
  if (has_xacro(loader, root)) return false;
  if (urdf_is(root, "robot")) return true;
  const urdf_place_t place = {"file", NULL, root->line};
  const bool other = urdf_is(root, "sdf") || urdf_is(root, "mujoco");
  urdf_say(
    loader, MBDX_ERROR, place, other ? "convert it to URDF" : NULL,
    "the outermost element is %s, not <robot>", urdf_tag(root).s);
  return false;
}

// false (with a sentence, once) if there are too many links or joints
static bool
within_count(urdf_loader_t * loader, const urdf_node_t * node, int count, const char * what)
{
  if (count < URDF_MAX_LINKS) return true;
  const urdf_place_t place = {"robot", loader->robot.name, node->line};
  urdf_fail(loader, MBD_ERROR_LIMIT, place, NULL, "has more than %d %s", URDF_MAX_LINKS, what);
  return false;
}

static bool
is_one_of(const urdf_node_t * node, const char * const * name)
{
  while (*name && !urdf_is(node, *name)) name++;
  return *name != NULL;
}

void
urdf_read(urdf_loader_t * loader)
{
  static const char * const elements[] = {
    "link", "joint", "transmission", "loop_joint", "ros2_control", "constraint", NULL};
  urdf_node_t * root = loader->root;
  if (!check_root(loader, root)) return;
  read_robot_attributes(loader, root);
  urdf_robot_t * robot = &loader->robot;
  const urdf_place_t place = {"robot", robot->name, root->line};
  urdf_warn_text(loader, root, place);
  for (urdf_node_t * n = root->child; n; n = n->next) {
    if (loader->out_of_memory) return;
    if (urdf_is(n, "link")) {
      if (!within_count(loader, n, robot->nlink, "links")) return;
      read_link(loader, n);
    } else if (urdf_is(n, "joint")) {
      if (!within_count(loader, n, robot->njoint, "joints")) return;
      urdf_read_joint(loader, n);
    } else if (!is_one_of(n, elements) && !urdf_count_kind(loader, n)) {
      urdf_warn_element(loader, n, place, elements);
    }
  }
  say_kinds(loader);
}
