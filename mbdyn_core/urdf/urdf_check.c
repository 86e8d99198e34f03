// The table as a whole: names are unique, references lead somewhere, the links form one tree.
// Everything here is a loop over arrays: no file can make it recurse or go round in circles.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"

//---------- names ----------

// what qsort compares: a name and where it is in the table
typedef struct named {
  const char * name;
  int index;
} named_t;

static int
compare_names(const void * left, const void * right)
{
  const named_t *a = left, *b = right;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : a->index < b->index ? -1 : a->index > b->index;
}

static named_t *
allocate_named(urdf_loader_t * loader, int n)
{
  named_t * named = calloc((size_t)n + 1, sizeof *named);
  if (!named) loader->out_of_memory = true;
  return named;
}

// indices in the order of names; frees its argument; NULL when out of memory
static int *
sort_names(urdf_loader_t * loader, named_t * named, int n)
{
  if (!named) return NULL;
  int * sorted = calloc((size_t)n + 1, sizeof *sorted);
  if (!sorted) loader->out_of_memory = true;
  qsort(named, (size_t)n, sizeof *named, compare_names);
  for (int i = 0; sorted && i < n; i++) sorted[i] = named[i].index;
  free(named);
  return sorted;
}

bool
urdf_index_names(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  named_t * links = allocate_named(loader, robot->nlink);
  for (int i = 0; links && i < robot->nlink; i++) links[i] = (named_t){robot->link[i].name, i};
  robot->link_by_name = sort_names(loader, links, robot->nlink);
  named_t * joints = allocate_named(loader, robot->njoint);
  for (int j = 0; joints && j < robot->njoint; j++) joints[j] = (named_t){robot->joint[j].name, j};
  robot->joint_by_name = sort_names(loader, joints, robot->njoint);
  return robot->link_by_name && robot->joint_by_name;
}

int
urdf_find_link(const urdf_robot_t * robot, const char * name)
{
  int lo = 0, hi = robot->nlink;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (strcmp(robot->link[robot->link_by_name[mid]].name, name) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  // the first of several with this name
  const bool found = lo < robot->nlink && !strcmp(robot->link[robot->link_by_name[lo]].name, name);
  return found ? robot->link_by_name[lo] : -1;
}

int
urdf_find_joint(const urdf_robot_t * robot, const char * name)
{
  int lo = 0, hi = robot->njoint;
  while (lo < hi) {
    const int mid = lo + (hi - lo) / 2;
    if (strcmp(robot->joint[robot->joint_by_name[mid]].name, name) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  const bool found =
    lo < robot->njoint && !strcmp(robot->joint[robot->joint_by_name[lo]].name, name);
  return found ? robot->joint_by_name[lo] : -1;
}

static void
check_duplicates(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  for (int i = 0; i < robot->nlink; i++) {
    urdf_link_t * link = &robot->link[i];
    const int first = urdf_find_link(robot, link->name);
    link->duplicate = first != i;
    if (!link->duplicate) continue;
    urdf_say(
      loader, MBDX_ERROR, urdf_link_place(link), "rename one of them",
      "the name is taken by the link on line %d", robot->link[first].line);
  }
  for (int j = 0; j < robot->njoint; j++) {
    const urdf_joint_t * joint = &robot->joint[j];
    const int first = urdf_find_joint(robot, joint->name);
    if (first == j || *joint->name == 0) continue;
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(joint), "rename one of them",
      "the name is taken by the joint on line %d", robot->joint[first].line);
  }
}

//---------- parent and child ----------

static int
resolve_end(
  urdf_loader_t * loader, const urdf_joint_t * joint, const char * which, const char * name)
{
  if (!name) return -1;
  const int link = urdf_find_link(&loader->robot, name);
  if (link < 0) {
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(joint), "add the link, or correct the name",
      "%s link %s does not exist", which, urdf_name(name).s);
  }
  return link;
}

static void
resolve_joint(urdf_loader_t * loader, int j)
{
  urdf_robot_t * robot = &loader->robot;
  urdf_joint_t * joint = &robot->joint[j];
  joint->parent = resolve_end(loader, joint, "parent", joint->parent_name);
  joint->child = resolve_end(loader, joint, "child", joint->child_name);
  if (joint->child < 0) return;
  urdf_link_t * child = &robot->link[joint->child];
  if (joint->child == joint->parent) {
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(joint), NULL, "link %s is its own parent",
      urdf_name(child->name).s);
  } else if (child->parent_joint >= 0) {
    const urdf_joint_t * other = &robot->joint[child->parent_joint];
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(joint), "a link can have only one parent joint",
      "link %s is already the child of joint %s on line %d", urdf_name(child->name).s,
      urdf_name(other->name).s, other->line);
    return;
  }
  child->parent_joint = j;
}

//---------- one tree ----------

static void
say_roots(urdf_loader_t * loader, int nroot)
{
  const urdf_robot_t * robot = &loader->robot;
  const urdf_place_t place = {"robot", robot->name, robot->line};
  char list[1500] = "";
  size_t n = 0;
  int listed = 0;
  for (int i = 0; i < robot->nlink && listed < 8; i++) {
    const urdf_link_t * link = &robot->link[i];
    if (link->parent_joint >= 0 || link->duplicate) continue;
    const urdf_text_t name = urdf_name(link->name);
    const int more =
      snprintf(list + n, sizeof list - n, "%s%s (line %d)", n ? ", " : "", name.s, link->line);
    // a name that does not fit is not begun
    if (more < 0 || (size_t)more >= sizeof list - n) {
      list[n] = 0;
      break;
    }
    n += (size_t)more;
    listed++;
  }
  urdf_say(
    loader, MBDX_ERROR, place, "connect all but one by joints", "has %d root links: %s%s", nroot,
    list, listed < nroot ? ", ..." : "");
}

// follow the parents of each link; to come back to where one has been is a loop. False if any.
static bool
check_loops(urdf_loader_t * loader, int * seen)
{
  const urdf_robot_t * robot = &loader->robot;
  bool good = true;
  for (int i = 0; i < robot->nlink; i++) {
    int at = i;
    while (at >= 0 && seen[at] == 0) {
      seen[at] = i + 1;
      const int joint = robot->link[at].parent_joint;
      at = joint < 0 ? -1 : robot->joint[joint].parent;
    }
    if (at < 0 || seen[at] != i + 1) continue;
    const urdf_joint_t * joint = &robot->joint[robot->link[at].parent_joint];
    good = false;
    // a joint from a link to itself has its own sentence
    if (joint->parent == at) continue;
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(joint), "a robot is a tree: remove a joint",
      "joints form a loop through links %s and %s", urdf_name(robot->link[joint->parent].name).s,
      urdf_name(robot->link[at].name).s);
  }
  return good;
}

// one root and no loop, unless a broken joint is reason enough for several
static bool
check_shape(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  int * seen = calloc((size_t)robot->nlink + 1, sizeof *seen);
  if (!seen) {
    loader->out_of_memory = true;
    return false;
  }
  bool good = check_loops(loader, seen);
  free(seen);
  int nroot = 0;
  for (int i = 0; i < robot->nlink; i++) {
    if (robot->link[i].parent_joint >= 0 || robot->link[i].duplicate) continue;
    robot->root = i;
    nroot++;
  }
  bool broken = false;
  for (int j = 0; j < robot->njoint; j++) {
    if (robot->joint[j].child < 0 || robot->joint[j].parent < 0) broken = true;
  }
  if (nroot > 1 && !broken) say_roots(loader, nroot);
  return good && nroot == 1 && !broken;
}

//---------- mimic ----------

static void
check_mimic(urdf_loader_t * loader, urdf_joint_t * joint)
{
  urdf_robot_t * robot = &loader->robot;
  const urdf_place_t place = {"joint", joint->name, joint->mimic_line};
  if (!urdf_one_dof(joint)) {
    urdf_say(
      loader, MBDX_ERROR, place, NULL,
      "mimic: only a revolute, continuous or prismatic joint can be a mimic joint");
    return;
  }
  joint->mimic = urdf_find_joint(robot, joint->mimic_name);
  if (joint->mimic < 0) {
    urdf_say(
      loader, MBDX_ERROR, place, "correct the name", "mimic: there is no joint %s",
      urdf_name(joint->mimic_name).s);
  } else if (&robot->joint[joint->mimic] == joint) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "mimic: the joint mimics itself");
    joint->mimic = -1;
  } else if (!urdf_one_dof(&robot->joint[joint->mimic])) {
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "mimic: joint %s is not revolute, continuous or prismatic",
      urdf_name(joint->mimic_name).s);
  } else if (loader->options.mimic_independent) {
    urdf_say(
      loader, MBDX_NOTE, place, NULL, "mimics joint %s; treated as an independent joint",
      urdf_name(joint->mimic_name).s);
  } else if (loader->options.embed) {
    urdf_say(
      loader, MBDX_NOTE, place, NULL, "mimics joint %s; coupled to it",
      urdf_name(joint->mimic_name).s);
  } else {
    urdf_say(
      loader, MBDX_WARNING, place, "set mimic_independent to treat it as an independent joint",
      "mimics joint %s; dynamics does not support this robot", urdf_name(joint->mimic_name).s);
  }
}

static void
check_mimic_loops(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  int * seen = calloc((size_t)robot->njoint + 1, sizeof *seen);
  if (!seen) {
    loader->out_of_memory = true;
    return;
  }
  for (int j = 0; j < robot->njoint; j++) {
    int at = j;
    for (; at >= 0 && seen[at] == 0; at = robot->joint[at].mimic) seen[at] = j + 1;
    if (at < 0 || seen[at] != j + 1) continue;
    const urdf_place_t place = {"joint", robot->joint[at].name, robot->joint[at].mimic_line};
    urdf_say(loader, MBDX_ERROR, place, NULL, "mimic: the joints mimic each other in a loop");
  }
  free(seen);
}

//---------- order ----------

// children of each link as lists: the first, and from each one the next; -1 at the end
typedef struct children {
  int *first, *next;  // [nlink]
} children_t;

static void
list_children(const urdf_robot_t * robot, children_t * c)
{
  for (int i = 0; i < robot->nlink; i++) c->first[i] = c->next[i] = -1;
  // put in front from the last name to the first, so that the lists are sorted
  for (int k = robot->njoint - 1; k >= 0; k--) {
    const urdf_joint_t * joint = &robot->joint[robot->joint_by_name[k]];
    c->next[joint->child] = c->first[joint->parent];
    c->first[joint->parent] = joint->child;
  }
}

// the link after this one, depth first: down, or else up until there is a sibling; -1 at the end
static int
next_link(const urdf_robot_t * robot, const children_t * c, int at)
{
  if (c->first[at] >= 0) return c->first[at];
  while (c->next[at] < 0) {
    if (at == robot->root) return -1;
    at = robot->joint[robot->link[at].parent_joint].parent;
  }
  return c->next[at];
}

// links with parents first, siblings by joint name: what the sweeps and the builder walk
static bool
make_order(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  const size_t n = (size_t)robot->nlink + 1;
  robot->order = calloc(n, sizeof(int));
  children_t c = {calloc(n, sizeof(int)), calloc(n, sizeof(int))};
  const bool enough = robot->order && c.first && c.next;
  if (enough) {
    list_children(robot, &c);
    int count = 0;
    for (int at = robot->root; at >= 0; at = next_link(robot, &c, at)) robot->order[count++] = at;
  } else {
    loader->out_of_memory = true;
  }
  free(c.first);
  free(c.next);
  return enough;
}

bool
urdf_check(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  const urdf_place_t place = {"robot", robot->name, robot->line};
  if (robot->nlink == 0) {
    urdf_say(loader, MBDX_ERROR, place, NULL, "has no links");
    return false;
  }
  if (!urdf_index_names(loader)) return false;
  check_duplicates(loader);
  for (int j = 0; j < robot->njoint; j++) resolve_joint(loader, j);
  const bool tree = check_shape(loader);
  for (int j = 0; j < robot->njoint; j++) {
    if (robot->joint[j].mimic_name) check_mimic(loader, &robot->joint[j]);
  }
  check_mimic_loops(loader);
  if (loader->options.base == MBDX_BASE_FLOATING && urdf_find_joint(robot, "root_joint") >= 0) {
    urdf_say(
      loader, MBDX_ERROR, urdf_joint_place(&robot->joint[urdf_find_joint(robot, "root_joint")]),
      "rename it", "the name 'root_joint' is reserved for the joint of a floating base");
  }
  // the order is made for a tree that can be walked, and wanted only if all else is right
  if (!tree || loader->status != MBD_OK || loader->out_of_memory) return false;
  return make_order(loader);
}
