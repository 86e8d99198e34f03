// urdfdom reads the same bytes, as robot_state_publisher and ros2_control do, and the robot is
// built from its numbers. Where it reads another number than we do, the file is refused with both.
//
// The two readings may differ, and the file is accepted, in
//   rotations         rounding, up to 1e-12: both make a quaternion of rpy
//   axes              urdfdom keeps their length: both are compared at length one
//   limits            of fixed, floating and planar joints: nobody uses them
//   names             urdfdom does not convert encodings: a name that is ours in Latin-1 is a warning
//   quat_xyzw, limits of acceleration, deceleration and jerk, <transmission>, <loop_joint>
//                     unknown to urdfdom 3.0.1: ours
// urdfdom 3.0.1 refuses files that we accept: then our own reading is the robot, and a note gives
// urdfdom's reason. These are: another version than 1.0; a robot without a name; a revolute or
// prismatic joint without <limit>, and any <limit> without effort or velocity; <dynamics> without an
// attribute; <safety_controller> without k_velocity; two materials of one name; numbers of joints
// with a blank behind them or a tab or line break between them.
// The same spelling within <inertial> does not make it refuse the file: it goes on with zeros from
// there on. That is the difference to refuse.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf_internal.h"

// what is being compared, and with what
typedef struct comparison {
  urdf_loader_t * loader;
  const urdf_shim_robot_t * theirs;
  char hint[320];
  bool latin1_said;
} comparison_t;

//---------- numbers ----------

static void
print_numbers(char * text, size_t size, const double * x, int n, int digits)
{
  size_t at = 0;
  *text = 0;
  for (int k = 0; k < n && at < size; k++) {
    const int more = snprintf(text + at, size - at, "%s%.*g", k ? " " : "", digits, x[k]);
    if (more > 0) at += (size_t)more;
  }
}

static bool
refuse_numbers(
  comparison_t * c, urdf_place_t place, const char * what, const double * ours,
  const double * theirs, int n)
{
  char a[200], b[200];
  // as many digits as it takes to see the difference
  for (int digits = 6; digits <= 17; digits++) {
    print_numbers(a, sizeof a, ours, n, digits);
    print_numbers(b, sizeof b, theirs, n, digits);
    if (strcmp(a, b) != 0) break;
  }
  urdf_say(c->loader, MBDX_ERROR, place, c->hint, "%s is %s, but urdfdom reads %s", what, a, b);
  return false;
}

static bool
same_numbers(
  comparison_t * c, urdf_place_t place, const char * what, const double * ours,
  const double * theirs, int n)
{
  for (int k = 0; k < n; k++) {
    if (ours[k] != theirs[k]) return refuse_numbers(c, place, what, ours, theirs, n);
  }
  return true;
}

// q and -q are one rotation
static bool
same_rotation(
  comparison_t * c, urdf_place_t place, const char * what, const double ours[4],
  const double theirs[4])
{
  double plus = 0, minus = 0;
  for (int k = 0; k < 4; k++) {
    plus = fmax(plus, fabs(ours[k] - theirs[k]));
    minus = fmax(minus, fabs(ours[k] + theirs[k]));
  }
  return fmin(plus, minus) < 1e-12 || refuse_numbers(c, place, what, ours, theirs, 4);
}

//---------- names ----------

// a UTF-8 name in Latin-1; false if it is ASCII or has a character that Latin-1 does not have
static bool
to_latin1(const char * name, char latin1[URDF_MAX_NAME + 1])
{
  size_t n = 0;
  bool ascii = true;
  for (const unsigned char * s = (const unsigned char *)name; *s && n < URDF_MAX_NAME; s++) {
    unsigned code = *s;
    if (code >= 0x80) {
      if ((code != 0xc2 && code != 0xc3) || s[1] == 0) return false;
      code = (code & 3u) << 6 | (*++s & 0x3fu);
      ascii = false;
    }
    latin1[n++] = (char)code;
  }
  latin1[n] = 0;
  return !ascii;
}

static bool
same_name(const char * ours, const char * theirs)
{
  char latin1[URDF_MAX_NAME + 1];
  return !strcmp(ours, theirs) || (to_latin1(ours, latin1) && !strcmp(latin1, theirs));
}

static bool
same_reference(
  comparison_t * c, urdf_place_t place, const char * what, const char * ours, const char * theirs)
{
  if (!ours && !theirs) return true;
  if (ours && theirs && same_name(ours, theirs)) return true;
  urdf_say(
    c->loader, MBDX_ERROR, place, c->hint, "%s is %s, but urdfdom reads %s", what,
    ours ? urdf_name(ours).s : "missing", theirs ? urdf_name(theirs).s : "none");
  return false;
}

static int
compare_link_names(const void * name, const void * link)
{
  return strcmp(name, ((const urdf_shim_link_t *)link)->name);
}

static int
compare_joint_names(const void * name, const void * joint)
{
  return strcmp(name, ((const urdf_shim_joint_t *)joint)->name);
}

// urdfdom's element of a name, or NULL with a sentence
static const void *
find(
  comparison_t * c, urdf_place_t place, const void * list, int n, size_t size,
  int (*compare)(const void *, const void *))
{
  const void * found = n > 0 ? bsearch(place.name, list, (size_t)n, size, compare) : NULL;
  char latin1[URDF_MAX_NAME + 1];
  if (!found && n > 0 && to_latin1(place.name, latin1)) {
    found = bsearch(latin1, list, (size_t)n, size, compare);
    if (found && !c->latin1_said) {
      c->latin1_said = true;
      urdf_say(
        c->loader, MBDX_WARNING, place, "save the file as UTF-8, and begin it with <?xml ...?>",
        "other programs that use urdfdom see the name %s", urdf_name(latin1).s);
    }
  }
  if (!found) {
    urdf_say(c->loader, MBDX_ERROR, place, c->hint, "is missing in the result of urdfdom");
  }
  return found;
}

//---------- elements ----------

// place of an element within that of a link or joint; its own line if there is one
static urdf_place_t
place_below(urdf_place_t place, const urdf_node_t * node, const char * name)
{
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    if (urdf_is(n, name)) place.line = n->line;
  }
  return place;
}

static const urdf_node_t *
child_of(const urdf_node_t * node, const char * name)
{
  for (const urdf_node_t * n = node->child; n; n = n->next) {
    if (urdf_is(n, name)) return n;
  }
  return node;
}

// compare, then take urdfdom's numbers
static bool
take_link(comparison_t * c, urdf_link_t * a)
{
  const urdf_place_t place = urdf_link_place(a);
  const urdf_shim_link_t * b =
    find(c, place, c->theirs->link, c->theirs->nlink, sizeof *c->theirs->link, compare_link_names);
  if (!b) return false;
  const urdf_node_t * inertial = child_of(a->node, "inertial");
  if (a->has_inertial != b->has_inertial) {
    urdf_say(
      c->loader, MBDX_ERROR, place_below(place, a->node, "inertial"), c->hint,
      "inertial is %s, but urdfdom reads %s", a->has_inertial ? "there" : "missing",
      b->has_inertial ? "one" : "none");
    return false;
  }
  // in the order in which urdfdom reads: the first difference is at what it stumbled over
  const urdf_place_t origin = place_below(place, inertial, "origin");
  const bool same =
    same_numbers(c, origin, "origin xyz", a->xyz, b->xyz, 3) &&
    same_rotation(c, origin, "origin rotation (as a quaternion x y z w)", a->quat, b->quat) &&
    same_numbers(c, place_below(place, inertial, "mass"), "mass", &a->mass, &b->mass, 1) &&
    same_numbers(
      c, place_below(place, inertial, "inertia"), "inertia (ixx ixy ixz iyy iyz izz)", a->I, b->I,
      6);
  a->mass = b->mass;
  memcpy(a->I, b->I, sizeof a->I);
  memcpy(a->xyz, b->xyz, sizeof a->xyz);
  memcpy(a->quat, b->quat, sizeof a->quat);
  return same;
}

static bool
take_axis(comparison_t * c, urdf_place_t place, urdf_joint_t * a, const urdf_shim_joint_t * b)
{
  if (!urdf_has_axis(a)) return true;
  double axis[3];
  memcpy(axis, b->axis, sizeof axis);
  urdf_normalise(axis);
  const bool same = same_numbers(c, place_below(place, a->node, "axis"), "axis", a->axis, axis, 3);
  memcpy(a->axis, axis, sizeof axis);
  return same;
}

static bool
take_limit(comparison_t * c, urdf_place_t place, urdf_joint_t * a, const urdf_shim_joint_t * b)
{
  if (!urdf_one_dof(a)) return true;
  place = place_below(place, a->node, "limit");
  if (a->has_limit != b->has_limit) {
    urdf_say(
      c->loader, MBDX_ERROR, place, c->hint, "limit is %s, but urdfdom reads %s",
      a->has_limit ? "there" : "missing", b->has_limit ? "one" : "none");
    return false;
  }
  if (!a->has_limit) return true;
  // what is missing is unlimited
  const double ours[4] = {a->lower, a->upper, a->effort, a->velocity};
  const double theirs[4] = {
    b->lower, b->upper, a->has_effort ? b->effort : a->effort,
    a->has_velocity ? b->velocity : a->velocity};
  a->lower = theirs[0], a->upper = theirs[1], a->effort = theirs[2], a->velocity = theirs[3];
  return same_numbers(c, place, "limit (lower upper effort velocity)", ours, theirs, 4);
}

static bool
take_dynamics(comparison_t * c, urdf_place_t place, urdf_joint_t * a, const urdf_shim_joint_t * b)
{
  const double ours[2] = {a->damping, a->friction}, theirs[2] = {b->damping, b->friction};
  a->damping = b->damping, a->friction = b->friction;
  place = place_below(place, a->node, "dynamics");
  return same_numbers(c, place, "dynamics (damping friction)", ours, theirs, 2);
}

static bool
take_mimic(comparison_t * c, urdf_place_t place, urdf_joint_t * a, const urdf_shim_joint_t * b)
{
  place = place_below(place, a->node, "mimic");
  if (!same_reference(c, place, "mimic joint", a->mimic_name, b->mimic)) return false;
  if (!a->mimic_name) return true;
  const double ours[2] = {a->multiplier, a->offset}, theirs[2] = {b->multiplier, b->offset};
  a->multiplier = b->multiplier, a->offset = b->offset;
  return same_numbers(c, place, "mimic (multiplier offset)", ours, theirs, 2);
}

static bool
take_joint(comparison_t * c, urdf_joint_t * a)
{
  static const char * const type[] = {"unknown", "revolute", "continuous", "prismatic",
                                      "fixed",   "floating", "planar"};
  const urdf_place_t place = urdf_joint_place(a);
  const urdf_shim_joint_t * b = find(
    c, place, c->theirs->joint, c->theirs->njoint, sizeof *c->theirs->joint, compare_joint_names);
  if (!b) return false;
  const urdf_place_t origin = place_below(place, a->node, "origin");
  const bool same =
    same_reference(c, place, "type", type[a->type], type[b->type]) &&
    same_reference(c, place_below(place, a->node, "parent"), "parent", a->parent_name, b->parent) &&
    same_reference(c, place_below(place, a->node, "child"), "child", a->child_name, b->child) &&
    same_numbers(c, origin, "origin xyz", a->xyz, b->xyz, 3) &&
    same_rotation(c, origin, "origin rotation (as a quaternion x y z w)", a->quat, b->quat) &&
    take_axis(c, place, a, b) && take_limit(c, place, a, b) && take_dynamics(c, place, a, b) &&
    take_mimic(c, place, a, b);
  memcpy(a->xyz, b->xyz, sizeof a->xyz);
  memcpy(a->quat, b->quat, sizeof a->quat);
  return same;
}

// a link or joint that only urdfdom sees
static void
refuse_extra(comparison_t * c)
{
  const urdf_robot_t * robot = &c->loader->robot;
  const urdf_place_t place = {"robot", robot->name, robot->line};
  for (int k = 0; k < c->theirs->nlink; k++) {
    const char * name = c->theirs->link[k].name;
    if (urdf_find_link(robot, name) >= 0) continue;
    urdf_say(
      c->loader, MBDX_ERROR, place, c->hint, "urdfdom reads a link %s, mbdyn does not",
      urdf_name(name).s);
    return;
  }
  for (int k = 0; k < c->theirs->njoint; k++) {
    const char * name = c->theirs->joint[k].name;
    if (urdf_find_joint(robot, name) >= 0) continue;
    urdf_say(
      c->loader, MBDX_ERROR, place, c->hint, "urdfdom reads a joint %s, mbdyn does not",
      urdf_name(name).s);
    return;
  }
}

static bool
take_robot(urdf_loader_t * loader, const urdf_shim_robot_t * theirs)
{
  urdf_robot_t * robot = &loader->robot;
  comparison_t c = {.loader = loader, .theirs = theirs};
  snprintf(
    c.hint, sizeof c.hint, "write it so that both read the same%s%s",
    *loader->urdfdom_error ? "; urdfdom says: " : "", loader->urdfdom_error);
  int differ = 0;
  for (int i = 0; i < robot->nlink; i++) differ += !take_link(&c, &robot->link[i]);
  for (int j = 0; j < robot->njoint; j++) differ += !take_joint(&c, &robot->joint[j]);
  if (theirs->nlink > robot->nlink || theirs->njoint > robot->njoint) {
    differ++;
    refuse_extra(&c);
  }
  return differ == 0;
}

//---------- the reader ----------

// what urdfdom logged quotes the file: made safe as a name is, without the quotes
static void
keep_error(urdf_loader_t * loader, const char * message)
{
  const urdf_text_t safe = urdf_name(message);
  snprintf(
    loader->urdfdom_error, sizeof loader->urdfdom_error, "%.*s", (int)strlen(safe.s) - 2,
    safe.s + 1);
}

bool
urdf_compare(urdf_loader_t * loader, const char * xml, size_t size)
{
  char message[200], again[200];
  urdf_shim_robot_t theirs;
  // TinyXML keeps more than a hundred bytes for each
  if (loader->nmarkup > URDF_MAX_NODES) return true;
  loader->asked_urdfdom = true;
  urdf_shim_result_t result = urdf_shim_parse(xml, size, &theirs, message, sizeof message);
  if (result == URDF_SHIM_REFUSED) {
    // a stream of urdfdom that finds no memory looks like a bad number: a second try tells
    result = urdf_shim_parse(xml, size, &theirs, again, sizeof again);
    if (result != URDF_SHIM_REFUSED || strcmp(message, again) != 0) {
      urdf_shim_free(&theirs);
      result = URDF_SHIM_OUT_OF_MEMORY;
    }
  }
  if (result == URDF_SHIM_OUT_OF_MEMORY) {
    loader->out_of_memory = true;
    return false;
  }
  keep_error(loader, message);
  if (result == URDF_SHIM_REFUSED) return true;
  loader->by_urdfdom = take_robot(loader, &theirs);
  urdf_shim_free(&theirs);
  return loader->by_urdfdom && loader->status == MBD_OK && !loader->out_of_memory;
}

// what this urdfdom has no word for, as a list; "" if the file has none of it
static void
list_unknown(const urdf_loader_t * loader, char * list, size_t size)
{
  bool transmission = false, rate = false, loop = false;
  for (int j = 0; j < loader->robot.njoint; j++) {
    const urdf_joint_t * joint = &loader->robot.joint[j];
    transmission = transmission || joint->transmission_line > 0;
    rate = rate || isfinite(joint->acceleration) || isfinite(joint->deceleration) ||
           isfinite(joint->jerk);
  }
  for (int k = 0; k < loader->nclosure; k++) loop = loop || !loader->closure[k].in_loops_file;
  const char * const name[3] = {
    transmission ? "transmissions" : NULL, loop ? "loop joints" : NULL,
    rate ? "limits of acceleration and jerk" : NULL};
  size_t n = 0;
  *list = 0;
  for (int k = 0; k < 3; k++) {
    if (!name[k]) continue;
    n += (size_t)snprintf(list + n, size - n, "%s%s", n ? ", " : "", name[k]);
  }
}

void
urdf_say_reader(urdf_loader_t * loader)
{
  const urdf_place_t place = {"robot", loader->robot.name, 0};
  char list[120];
  if (!loader->by_urdfdom) {
    const char * why = loader->urdfdom_error;
    if (loader->asked_urdfdom) {
      urdf_say(
        loader, MBDX_NOTE, place, NULL, "parsed only by mbdyn: urdfdom rejects the file%s%s%s",
        *why ? " (" : "", why, *why ? ")" : "");
    } else {
      urdf_say(
        loader, MBDX_NOTE, place, NULL,
        "parsed only by mbdyn: files with more than %d tags and comments are not passed to urdfdom",
        URDF_MAX_NODES);
    }
    return;
  }
  list_unknown(loader, list, sizeof list);
  urdf_say(
    loader, MBDX_NOTE, place, NULL, "parsed by urdfdom and mbdyn with the same result%s%s",
    *list ? "; only by mbdyn: " : "", list);
}
