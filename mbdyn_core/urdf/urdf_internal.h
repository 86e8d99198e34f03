// The parts of the URDF loader and what they hand each other.
//
//   urdf_load.c         entry points: bytes in, model and report out
//   urdf_scan.c         looks at the bytes: size, encoding, characters; a copy to parse
//   urdf_xml.c          XML: that copy -> tree of elements
//   urdf_node.c         memory; small helpers on that tree
//   urdf_number.c       text -> numbers, strictly
//   urdf_read.c         tree -> table: robot and links
//   urdf_read_joint.c   tree -> table: joints
//   urdf_read_drive.c   tree -> table: transmissions; drives given by the caller
//   urdf_control.c      <ros2_control> -> interfaces of joints
//   urdf_constraint.c   <constraint> -> table of closures
//   urdf_loops.c        <loop_joint> -> table of closures -> mbd_closure_spec_t
//   urdf_loops_yaml.c   loops in YAML -> table of closures
//   mechanism_forces.c  forces in YAML -> table of force elements -> mbd_element_spec_t
//   urdf_check.c        the table as a whole: names, one root, no loop, mimic joints
//   urdf_mass.c         inertias of rigid bodies, subtrees without mass
//   urdf_shim.cpp       the same bytes -> urdfdom -> plain structs
//   urdf_compare.c      urdfdom's reading against the table, and into it
//   urdf_build.c        table -> mbd_model_t
//   urdf_lock.c         joints that the caller wants locked
//   mjcf_read.c         the same table from an MJCF file; its parts are in mjcf_internal.h
//   urdf_report.c       the sentences
//
// Strings of the table point into the XML tree, which lives as long as the loader.
#ifndef URDF_INTERNAL_H_
#define URDF_INTERNAL_H_

#include <stddef.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/urdf.h"
#include "urdf_shim.h"

enum {
  URDF_MAX_BYTES = 16 * 1024 * 1024,
  URDF_MAX_TAG = 8 * 1024,
  URDF_MAX_DEPTH = 64,
  MJCF_MAX_DEPTH = 256,
  MJCF_MAX_TAG = 1024 * 1024,  // keyframes and meshes are numbers in tags
  URDF_MAX_FILES = 60,
  URDF_LINE = 0xffffff,       // lines of included file k begin at k * (URDF_LINE + 1)
  URDF_MAX_NODES = 500000,    // elements and attributes
  URDF_MAX_ATTRIBUTES = 100,  // of one element: they are compared pairwise
  URDF_MAX_LINKS = 4096,      // and joints
  URDF_MAX_NAME = 256,
  URDF_MAX_ENTRIES = 1000,  // errors, and warnings; further ones are counted
  URDF_MAX_NOTES = 10000,
  URDF_MAX_CLOSURES = 1024,
  URDF_MAX_LOOPS_BYTES = 1024 * 1024,
  URDF_KINDS = 9  // of elements that have no effect on dynamics
};

// nothing on a robot is longer [m], heavier [kg] or of larger inertia [kg m^2]
#define URDF_MAX_SIZE 1e9

// Elements of the file in memory that is freed as a whole. Prefixes of namespaces are part of names.
typedef struct urdf_attribute {
  const char * name;
  const char * value;
  struct urdf_attribute * next;
} urdf_attribute_t;

typedef struct urdf_node {
  const char * name;
  int line;
  urdf_attribute_t * attribute;
  const char * text;  // the first that is not blank between tags; blank if all is; NULL without any
  struct urdf_node *parent, *child, *next;
} urdf_node_t;

typedef struct urdf_link {
  const char * name;
  int line;
  urdf_node_t * node;
  bool duplicate;     // of an earlier link; no joint means this one
  bool has_inertial;  // and it was read without an error
  double mass;
  double xyz[3], quat[4];  // inertial frame in the link frame; x y z w
  double I[6];             // xx xy xz yy yz zz about the centre of mass, in inertial axes
  int parent_joint;
} urdf_link_t;

typedef struct urdf_joint {
  const char * name;  // "" if it has none
  int line;
  urdf_node_t * node;
  urdf_joint_type_t type;
  const char *parent_name, *child_name;  // NULL if missing
  int parent, child;                     // links, -1 if unknown
  double xyz[3], quat[4];                // joint frame in the parent link frame
  double axis[3];                        // of length one
  bool has_limit, has_effort, has_velocity;
  double lower, upper, effort, velocity;
  double acceleration, deceleration, jerk;  // infinite if the file has none
  double damping, friction;
  const char * mimic_name;  // NULL if it follows none
  int mimic, mimic_line;
  double multiplier, offset;
  int transmission_line;  // 0 if it has none
  double gear_ratio, rotor_inertia;
  const mbd_drive_t * drive;  // what the caller says instead, or NULL
} urdf_joint_t;

typedef struct urdf_robot {
  const char * name;
  int line;
  int version;  // of the format: 0 for 1.0, 1 for 1.1, 2 for 1.2
  int nlink, njoint;
  int link_capacity, joint_capacity;
  urdf_link_t * link;
  urdf_joint_t * joint;
  int * link_by_name;   // [nlink] sorted by name, then line
  int * joint_by_name;  // [njoint]
  int * order;          // links, parents first, siblings by joint name [nlink]
  int root;
} urdf_robot_t;

// one side of a closure
typedef struct urdf_end {
  bool given;
  const char * link;  // NULL: the world
  double xyz[3], rpy[3];
  bool has_rpy, has_axis;
  double axis[3];  // where z points, instead of rpy
  bool turned;
  mbd_mat3_t turn;  // after rpy
  bool may_have_surface, has_surface;
  mbd_surface_t surface;
} urdf_end_t;

typedef struct urdf_closure {
  const char * name;
  int line;
  mbd_closure_type_t type;
  urdf_end_t a, b;
  double distance, pitch, offset;
  int njoint;
  const char * joint[MBD_COUPLED_MAX];
  double coefficient[MBD_COUPLED_MAX];
  mbd_driver_t driver;
  bool in_loops_file;
} urdf_closure_t;

// a force element (docs/mechanism.md)
typedef struct urdf_force {
  mbd_element_spec_t spec;  // names point into the YAML document; frames are in a and b
  int line;
  int scalar_line, bushing_line,
    wrench_line;  // keys of scalar laws, of bushings, of wrenches; or 0
  urdf_end_t a, b;
  bool in_loops_file;
} urdf_force_t;

// a frame fixed to a link
typedef struct urdf_site {
  const char * name;
  int line, link;
  mbd_placement_t X;
} urdf_site_t;

typedef struct urdf_entry {
  mbdx_report_entry_t entry;
  bool in_loops_file;  // after those of the robot
  int file;            // included ones after the first
  int order;           // among entries of one line
} urdf_entry_t;

typedef struct urdf_loader {
  mbdx_urdf_options_t options;
  const char * source;
  // MJCF
  bool only_mjcf, from_file;  // a robot of another format is refused; source is a path
  int nfile, line_base;  // included files, line_base + 1 is the first line of the one that is read
  const char * file[URDF_MAX_FILES];
  size_t bytes;
  int nsite, site_capacity;
  urdf_site_t * site;
  bool no_report;  // nobody will read notes
  bool out_of_memory;
  mbd_status_t status;  // MBD_OK until the first error
  int nentry, entry_capacity;
  urdf_entry_t * entry;
  int stored[3], dropped[3];  // by severity
  int kind_count[URDF_KINDS], kind_line[URDF_KINDS];
  urdf_node_t * root;
  void * tree_memory;  // of the tree: the last of a list of blocks
  urdf_robot_t robot;
  int nmarkup;              // tags, comments, instructions
  bool asked_urdfdom;       // and it answered
  bool by_urdfdom;          // the robot is urdfdom's reading, which agrees with ours
  char urdfdom_error[256];  // its first error, "" if none or not known
  // loops: strings point into the XML tree or the YAML document
  const char * loops_source;
  bool in_loops_file;  // sentences are about that file
  struct yaml_document_s * yaml;
  int nclosure, closure_capacity;
  urdf_closure_t * closure;
  int nmade_name, made_name_capacity;
  char ** made_name;  // names of closures that are not in the file
  int nforce, force_capacity;
  urdf_force_t * force;
  int nindependent, independent_capacity;
  const char ** independent;  // joints whose velocities are to be independent
  // the loops file is a mechanism file: what it has beside closures and forces, or NULL
  struct mechanism_tables * tables;
  struct mbdx_mechanism * mechanism;  // drivers and initial state
} urdf_loader_t;

// what a sentence is about: "KIND 'NAME'" at a line; name may be NULL
typedef struct urdf_place {
  const char * kind;
  const char * name;
  int line;
} urdf_place_t;

//---------- urdf_report.c ----------

// bytes of the UTF-8 character at s and its code point; 0 bytes if it is malformed
int urdf_decode(const unsigned char * s, unsigned * code);

// text made safe to print; a struct so that it can be used within an expression
typedef struct urdf_text {
  char s[4 * URDF_MAX_NAME + 16];
} urdf_text_t;

// in single quotes for names, in double quotes for values, the latter shortened
urdf_text_t urdf_name(const char * text);
urdf_text_t urdf_value(const char * text);
urdf_text_t urdf_tag(const urdf_node_t * node);

// add a sentence; in strict mode a warning becomes an error
void urdf_say(
  urdf_loader_t * loader, mbdx_severity_t severity, urdf_place_t place, const char * hint,
  const char * format, ...) __attribute__((format(printf, 5, 6)));

// an error of another status than MBD_ERROR_URDF
void urdf_fail(
  urdf_loader_t * loader, mbd_status_t status, urdf_place_t place, const char * hint,
  const char * format, ...) __attribute__((format(printf, 5, 6)));

// the sentences in the order of lines, or NULL when out of memory; the loader's list is empty after
mbdx_report_t * urdf_make_report(urdf_loader_t * loader);

void urdf_free_entries(urdf_loader_t * loader);

//---------- urdf_scan.c ----------

// a copy of the text in UTF-8 with a line feed at the end of each line, which ends in a zero; or NULL,
// with a sentence unless out of memory
char * urdf_scan(urdf_loader_t * loader, const char * xml, size_t size);

static inline bool
urdf_is_blank(char c)
{
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// true if XML allows this code point (2)
bool urdf_is_character(unsigned code);

// the UTF-8 of a code point; the byte behind it
char * urdf_encode(char * to, unsigned code);

int urdf_line_at(const char * xml, const char * at);

// false, with a sentence about the file
bool urdf_refuse(
  urdf_loader_t * loader, mbd_status_t status, int line, const char * hint, const char * what);

//---------- urdf_xml.c ----------

// loader->root, or false with a sentence
bool urdf_parse_xml(urdf_loader_t * loader, const char * xml, size_t size);

//---------- urdf_node.c ----------

// memory that lives as long as the tree, or NULL
void * urdf_allocate_in_tree(urdf_loader_t * loader, size_t size);

void urdf_free_tree(urdf_loader_t * loader);

// memory for one more of `size` bytes; false when out of memory
bool urdf_reserve(urdf_loader_t * loader, void ** array, int count, int * capacity, size_t size);

bool urdf_is(const urdf_node_t * node, const char * name);

// value of an attribute, or NULL
const char * urdf_attribute(const urdf_node_t * node, const char * name);

// attributes without prefix that are not in a list that ends in NULL: a warning, or an error where
// numbers come from attributes; those with a prefix are noted
void urdf_warn_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known);
void urdf_refuse_attributes(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known);

// value of an attribute that URDF 1.`version` introduced, or NULL; an error in an older file
const char * urdf_attribute_since(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name,
  int version);

// warn of text between the elements of a node
void urdf_warn_text(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place);

// the only child of that name, or NULL; an error if there are several
urdf_node_t * urdf_only_child(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * name);

//---------- urdf_number.c ----------

// a decimal number, or false with a sentence; `what` names it
bool urdf_number(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * text, double * x);

// an attribute that must be there
bool urdf_number_attribute(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * what,
  const char * name, double * x);

// n numbers, three or four
bool urdf_vector(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const char * text, double * x,
  int n);

//---------- urdf_read.c, urdf_read_joint.c, urdf_read_drive.c ----------

// loader->robot from loader->root, with sentences
void urdf_read(urdf_loader_t * loader);

void urdf_read_joint(urdf_loader_t * loader, urdf_node_t * node);

// n numbers are not beyond any robot, or false with a sentence
bool urdf_within_size(
  urdf_loader_t * loader, urdf_place_t place, const char * what, const double * x, int n);

// <origin> of a link's inertial or of a joint: false with a sentence
bool urdf_read_origin(
  urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, double xyz[3], double quat[4]);

// an axis to length one; its length before, 0 (and nothing is changed) if it has no direction
double urdf_normalise(double axis[3]);

// the name attribute of a link or joint, or NULL with a sentence
const char * urdf_read_name(urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place);

// true if an element is of a kind without effect on dynamics, which is counted
bool urdf_count_kind(urdf_loader_t * loader, const urdf_node_t * node);

// an element that is not known: a warning, since urdfdom ignores it too; an error if it is a slip of
// one letter from one of a list that ends in NULL
void urdf_warn_element(
  urdf_loader_t * loader, const urdf_node_t * node, urdf_place_t place, const char * const * known);

// gear ratios and rotor inertias; after names were looked up
void urdf_read_transmissions(urdf_loader_t * loader);
void urdf_apply_drives(urdf_loader_t * loader);

//---------- mjcf_read.c ----------

// loader->robot, closures, forces and sites from loader->root, with sentences
void mjcf_read(urdf_loader_t * loader);

//---------- urdf_control.c ----------

// what joints lack in <ros2_control>, with sentences; after names were looked up
void urdf_check_control(urdf_loader_t * loader);

//---------- urdf_loops.c, urdf_loops_yaml.c ----------

// closures of the file and of options->loops_file or loops_text; after names were looked up
void urdf_read_loops(urdf_loader_t * loader);

// <constraint>
void urdf_read_constraint(urdf_loader_t * loader, urdf_node_t * node);

// a rotation whose z column is the axis
mbd_mat3_t urdf_rotation_to(const double axis[3]);

// those of YAML text, which must live as long as the loader
void urdf_read_loops_yaml(urdf_loader_t * loader, const char * text, size_t size);

void urdf_free_loops_yaml(urdf_loader_t * loader);

// memory for one more closure, at a line; NULL with a sentence or when out of memory
urdf_closure_t * urdf_new_closure(urdf_loader_t * loader, int line);

// type from its name; false with a sentence
bool urdf_closure_type(
  urdf_loader_t * loader, urdf_place_t place, const char * name, mbd_closure_type_t * type);

// what the closure must have, with sentences
void urdf_check_closure(urdf_loader_t * loader, const urdf_closure_t * c);

// to the model, before finalize; frame[i] is that of link i
bool urdf_add_closures(urdf_loader_t * loader, mbd_model_t * model, const int * frame);

// frame and placement of one end; frame[i] is that of link i
int urdf_place_end(
  const urdf_loader_t * loader, const urdf_end_t * end, const int * frame, mbd_placement_t * X);

// placement of one end in its link
mbd_placement_t urdf_end_placement(const urdf_end_t * end);

// force elements to the model, before finalize (mechanism_forces.c)
bool urdf_add_forces(urdf_loader_t * loader, mbd_model_t * model, const int * frame);
void urdf_say_forces(urdf_loader_t * loader);

// sentences about what was added, and about finalize's refusal
void urdf_say_closures(urdf_loader_t * loader);
void urdf_say_embedded(urdf_loader_t * loader, const mbd_model_t * model);
void urdf_say_not_embedded(urdf_loader_t * loader, const char * closure, mbd_status_t status);
void urdf_say_bad_closure(urdf_loader_t * loader, const char * name);

//---------- urdf_check.c, urdf_mass.c ----------

// names, references and the shape of the tree; false if the tree cannot be walked
bool urdf_check(urdf_loader_t * loader);

// link_by_name and joint_by_name; false when out of memory
bool urdf_index_names(urdf_loader_t * loader);

int urdf_find_link(const urdf_robot_t * robot, const char * name);
int urdf_find_joint(const urdf_robot_t * robot, const char * name);

static inline bool
urdf_moves(const urdf_joint_t * joint)
{
  return joint->type != URDF_FIXED;
}

static inline bool
urdf_has_axis(const urdf_joint_t * joint)
{
  return joint->type != URDF_FIXED && joint->type != URDF_FLOATING && joint->type != URDF_SPHERICAL;
}

// revolute, continuous or prismatic
static inline bool
urdf_one_dof(const urdf_joint_t * joint)
{
  return urdf_has_axis(joint) && joint->type != URDF_PLANAR;
}

static inline urdf_place_t
urdf_link_place(const urdf_link_t * link)
{
  urdf_place_t place = {"link", link->name, link->line};
  return place;
}

static inline urdf_place_t
urdf_joint_place(const urdf_joint_t * joint)
{
  urdf_place_t place = {"joint", joint->name, joint->line};
  return place;
}

// an inertia as it was read: that of a rigid body or a sentence
void urdf_check_inertial(urdf_loader_t * loader, const urdf_link_t * link, urdf_place_t place);

// joints that carry nothing; walks the tree
void urdf_check_masses(urdf_loader_t * loader);

// one-axis joints at the end of a branch that carry nothing about their axis
void urdf_check_leaves(urdf_loader_t * loader, const mbd_model_t * model);

// joints that forward dynamics refuses with every joint at rest
void urdf_check_at_rest(urdf_loader_t * loader, const mbd_model_t * model);

//---------- urdf_load.c ----------

void urdf_free_loader(urdf_loader_t * loader);

// all bytes of a file, up to one more than `most`; NULL with errno
char * urdf_read_file(const char * path, size_t most, size_t * size);

//---------- urdf_compare.c ----------

// let urdfdom read the same text and take its numbers; false with sentences where it reads others
bool urdf_compare(urdf_loader_t * loader, const char * xml, size_t size);

// whose reading the robot is
void urdf_say_reader(urdf_loader_t * loader);

//---------- urdf_build.c ----------

// roll about x, then pitch about y, then yaw about z, all of the parent's axes
mbd_mat3_t urdf_rotation(const double rpy[3]);

// a finalized model, or NULL with a sentence
mbd_model_t * urdf_build(urdf_loader_t * loader);

//---------- urdf_lock.c ----------

// the model with options.lock; NULL with a sentence; takes the model
mbd_model_t * urdf_lock(urdf_loader_t * loader, mbd_model_t * model);

#endif  // URDF_INTERNAL_H_
