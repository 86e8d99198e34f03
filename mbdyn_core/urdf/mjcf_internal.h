// The parts of the MJCF reader and what they hand each other.
//
//   mjcf_read.c      sections of the file; what is refused, what has no effect
//   mjcf_include.c   <include>: further files in place of the element
//   mjcf_value.c     attributes: the element's own, or those of its default class; numbers, orientations
//   mjcf_settings.c  <compiler>, <option>, <default>
//   mjcf_names.c     names -> elements
//   mjcf_body.c      <worldbody>: bodies, joints, sites -> table
//   mjcf_inertia.c   <inertial>, or the shapes of a body
//   mjcf_closure.c   <equality> -> table of closures; <actuator> -> limits of effort
//
// The table, the report and what follows the reading are those of the URDF loader (urdf_internal.h).
// "Modeling" and "XML reference" are chapters of MuJoCo's documentation.
#ifndef MJCF_INTERNAL_H_
#define MJCF_INTERNAL_H_

#include "urdf_internal.h"

#define MJCF_PI 3.14159265358979323846

enum { MJCF_MAX_CLASSES = 1000, MJCF_ACTUATORS = 9, MJCF_MAIN = 0 };

// kinds of elements that have defaults
typedef enum mjcf_kind {
  MJCF_NO_DEFAULTS = -1,
  MJCF_JOINT,
  MJCF_GEOM,
  MJCF_SITE,
  MJCF_EQUALITY,
  MJCF_KINDS
} mjcf_kind_t;

// <default>: what it says of each kind of element; all actuators share one set of defaults
typedef struct mjcf_class {
  const char * name;
  int line, parent;  // -1: none
  const urdf_node_t * kind[MJCF_KINDS];
  const urdf_node_t * actuator[MJCF_ACTUATORS];  // in the order of the file
  int nactuator;
} mjcf_class_t;

typedef struct mjcf_named {
  const char * name;
  int line, index;
} mjcf_named_t;

// names of one kind, by open addressing
typedef struct mjcf_names {
  mjcf_named_t * slot;  // [size], a power of two
  size_t size, count;
} mjcf_names_t;

// what an actuator may do to a joint
typedef struct mjcf_effort {
  bool driven, unlimited;
  double sum;
} mjcf_effort_t;

typedef struct mjcf {
  urdf_loader_t * loader;
  // <compiler>
  bool radians, autolimits, balance;
  char eulerseq[4];
  double bound_mass, bound_inertia, total_mass;
  int inertia_from_geom;  // 0 never, 1 always, 2 where there is no <inertial>
  int group_first, group_last;
  bool no_equality;
  // <default>
  int nclass, class_capacity;
  mjcf_class_t * class;
  // elements by name; index: link, joint, frame
  mjcf_names_t bodies, joints, sites, links;
  mbd_placement_t *
    pose;  // of each link in the world where all joints are at their reference [link_capacity]
  int pose_capacity;
  double * reference;  // of each joint [joint_capacity]
  int reference_capacity;
  mjcf_effort_t * effort;  // [njoint]
  int nignored, ignored_line;
  int nunnamed;
} mjcf_t;

// an element, its default class and what sentences call it
typedef struct mjcf_element {
  const urdf_node_t * node;
  int class;
  mjcf_kind_t kind;  // MJCF_KINDS: an actuator
  urdf_place_t place;
} mjcf_element_t;

//---------- mjcf_include.c ----------

bool mjcf_include(urdf_loader_t * loader);

//---------- mjcf_value.c ----------

// the element's own attribute, or that of its class or the classes above; NULL if none has it
const char * mjcf_attribute(const mjcf_t * m, const mjcf_element_t * e, const char * name);

// class of an element, or the one given; -1 with a sentence if it is unknown
int mjcf_class_of(mjcf_t * m, const urdf_node_t * node, urdf_place_t place, int otherwise);

// between `least` and `most` numbers of an attribute into x; how many, 0 if there is none, -1 with a sentence
int mjcf_numbers(
  mjcf_t * m, const mjcf_element_t * e, const char * name, double * x, int least, int most);

// one number; false with a sentence. x stays if there is none
bool mjcf_number(mjcf_t * m, const mjcf_element_t * e, const char * name, double * x);

// one that is not negative
bool mjcf_positive(mjcf_t * m, const mjcf_element_t * e, const char * name, double * x);

// index of the attribute's word in a list that ends in NULL; *word stays if there is none
bool mjcf_word(
  mjcf_t * m, const mjcf_element_t * e, const char * name, const char * const * words, int * word);

// quat, axisangle, euler, xyaxes or zaxis; false with a sentence
bool mjcf_rotation(mjcf_t * m, const mjcf_element_t * e, mbd_mat3_t * R);

// pos and orientation
bool mjcf_placement(mjcf_t * m, const mjcf_element_t * e, mbd_placement_t * X);

// the shortest rotation that takes z to an axis
mbd_mat3_t mjcf_z_to(mbd_vec3_t axis);

// a range that is in force: limited, or given and not switched off. False with a sentence
bool mjcf_range(
  mjcf_t * m, const mjcf_element_t * e, const char * range, const char * limited, bool * in_force,
  double x[2]);

// degrees of the file to radians
double mjcf_angle(const mjcf_t * m, double x);

void mjcf_quat(const mbd_mat3_t * R, double quat[4]);

//---------- mjcf_settings.c ----------

void mjcf_settings(mjcf_t * m);

//---------- mjcf_names.c ----------

// NULL when out of memory; if the name is there, *found is true and it is that one
mjcf_named_t * mjcf_add_name(mjcf_t * m, mjcf_names_t * names, const char * name, bool * found);
mjcf_named_t * mjcf_find_name(const mjcf_names_t * names, const char * name);

// a name that is not taken yet, made of two parts, in the tree's memory; NULL when out of memory
const char * mjcf_make_name(mjcf_t * m, mjcf_names_t * names, const char * a, const char * b);

//---------- mjcf_body.c, mjcf_inertia.c, mjcf_closure.c ----------

void mjcf_bodies(mjcf_t * m);

// the inertia of a body into its link
void mjcf_inertia(
  mjcf_t * m, const urdf_node_t * body, int class, bool is_static, urdf_link_t * link);
void mjcf_set_total_mass(mjcf_t * m);

void mjcf_closures(mjcf_t * m);
void mjcf_actuators(mjcf_t * m);

//---------- mjcf_read.c ----------

// an element that is known but has no effect on dynamics; false if it is not one of them
bool mjcf_has_no_effect(mjcf_t * m, const urdf_node_t * node);

// an element that cannot be read: the sentence with its reason and a way out
void mjcf_refuse(mjcf_t * m, const urdf_node_t * node, const char * in);

#endif  // MJCF_INTERNAL_H_
