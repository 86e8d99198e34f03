// The parts of the mechanism loader.
//
//   mechanism_load.c     entry points: text in, mechanism and report out
//   mechanism_read.c     YAML -> tables: bodies, joints, initial state, settings
//   mechanism_forces.c   YAML -> table of force elements -> mbd_element_spec_t; also for loops files
//   mechanism_bearings.c YAML -> table of bearings -> mbd_bearing_spec_t
//   mechanism_drivers.c  YAML -> prescribed motions, and their values
//   mechanism_contacts.c YAML -> where links touch the ground -> mbdx_shapes_t
//   mechanism_measures.c YAML -> inputs and outputs -> mbd_measure_t
//   mechanism_places.c   where in the file a part of the model is
//   mechanism_build.c    tables -> spanning tree -> mbd_model_t, initial state
//
// Reports, closures and numbers are those of the URDF loader: bodies and joints are in loader->robot by
// name as well.
#ifndef MECHANISM_INTERNAL_H_
#define MECHANISM_INTERNAL_H_

#include "mbdyn/dynamics/bearing.h"
#include "mbdyn/mechanism.h"
#include "urdf_internal.h"
#include "urdf_yaml.h"

enum { MECHANISM_POLYNOMIAL = 8, MECHANISM_POINTS = 4096 };

// what to do about a file beyond the limits
#define MECHANISM_LARGER \
  "a file has at most 1 MiB, 4096 bodies and 4096 joints; larger models: mbd_model_add_body in C"

typedef struct mechanism_body {
  const char * name;
  int line;
  mbd_inertia_t inertia;  // about the body's origin
  bool has_pose;
  mbd_placement_t pose;            // in the world
  double velocity[3], angular[3];  // of the origin in world axes, in body axes
} mechanism_body_t;

typedef struct mechanism_joint {
  const char * name;
  int line;
  mbd_joint_type_t type;
  urdf_end_t a, b;
  int body_a, body_b;  // -1: the world
  double pitch, lower, upper;
} mechanism_joint_t;

// s(t) = value + rate t + amplitude sin(2 pi frequency t + phase) + polynomial + natural cubic spline + steps
typedef struct mechanism_motion {
  double value, rate, amplitude, frequency, phase;
  int npolynomial;
  double polynomial[MECHANISM_POLYNOMIAL];
  int npoint;
  double *t, *x, *second;  // of the table, in one block at t
  int nstep;
  double *step_t, *step_x;  // of the steps, in one block at step_t
} mechanism_motion_t;

typedef struct mechanism_driver {
  const char *name, *joint;
  int line;
  mechanism_motion_t * motion;
} mechanism_driver_t;

typedef struct mechanism_bearing {
  mbd_bearing_spec_t spec;  // the name points into the YAML document
  int line;
} mechanism_bearing_t;

// an entry of inputs or outputs: one measure, or those of a position, rotation or pose
typedef struct mechanism_measure {
  const char *name, *joint;
  int line;
  bool output;
  mbd_measure_type_t type;  // of the first
  int n;
  urdf_end_t a, b;
} mechanism_measure_t;

typedef struct mechanism_contact {
  int line;
  urdf_end_t at;
  const char * shape;  // its key; NULL: a point
  mbdx_shape_type_t type;
  double size[3];
} mechanism_contact_t;

typedef struct mechanism_initial {
  const char * joint;
  int line, nq, nv;
  double q[8], v[6];
} mechanism_initial_t;

// what a mechanism owns beside its model
struct mbdx_mechanism_parts {
  mechanism_motion_t * motion;  // ctx of drivers [ndriver]
  int ndriver;
  urdf_place_t * place;  // of what has a name in the file, with names of its own      [nplace]
  int nplace;
};

typedef struct mechanism_tables {
  mbdx_coordinates_t coordinates;
  mbd_vec3_t gravity;
  int nbody, body_capacity, njoint, joint_capacity, ndriver, driver_capacity, ninitial,
    initial_capacity, nbearing, bearing_capacity, nmeasure, measure_capacity, ncontact,
    contact_capacity;
  mechanism_body_t * body;
  mechanism_joint_t * joint;
  mechanism_driver_t * driver;
  mechanism_initial_t * initial;
  mechanism_bearing_t * bearing;
  mechanism_measure_t * measure;
  mechanism_contact_t * contact;
  mbdx_simulate_t simulate;
} mechanism_tables_t;

// mechanism_read.c: the document; names are looked up
void mechanism_read(urdf_loader_t * loader, mechanism_tables_t * tables);
// of a file beside a URDF, whose links and joints are in loader->robot already
void mechanism_read_beside(urdf_loader_t * loader);

// [x, ...] of `least` to `most` numbers; returns how many, 0 with a sentence
int mechanism_numbers(
  urdf_yaml_t * r, const yaml_node_t * node, const char * what, int least, int most, double * x);

// mechanism_load.c: what the tables own
void mechanism_free_tables(mechanism_tables_t * tables);

// mechanism_drivers.c
void mechanism_read_driver(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables);
// drivers at the velocities of the section `initial`
void mechanism_drive_initial(urdf_loader_t * loader, mechanism_tables_t * tables);
void mechanism_motion_at(void * motion, double t, double * value, double * rate, double * second);
void mechanism_free_motion(mechanism_motion_t * motion);

// mechanism_bearings.c; reversed: the tree reaches the joint from the side of b
void mechanism_read_bearing(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables);
bool mechanism_add_bearing(
  urdf_loader_t * loader, const mechanism_bearing_t * b, bool reversed, mbd_model_t * model);
// a sentence if a bearing of this joint was refused
bool mechanism_blame_bearing(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const char * joint);

// mechanism_measures.c; the model is finalized
void mechanism_read_measure(
  urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables, bool output);
bool mechanism_add_measures(
  urdf_loader_t * loader, const mechanism_tables_t * tables, const mbd_model_t * model,
  mbdx_mechanism_t * mechanism);
void mechanism_free_measures(mbdx_mechanism_t * mechanism);

// mechanism_contacts.c
void mechanism_read_contact(urdf_yaml_t * r, const yaml_node_t * node, mechanism_tables_t * tables);
bool mechanism_add_contacts(
  urdf_loader_t * loader, const mechanism_tables_t * tables, mbdx_mechanism_t * mechanism);

// mechanism_places.c: of a closure, driver, joint, body or force; line 0 if there is none
urdf_place_t mechanism_place_of(
  const urdf_loader_t * loader, const mechanism_tables_t * tables, const char * name);
// for mbdx_mechanism_place, once the document is gone; parts exist
bool mechanism_keep_places(
  urdf_loader_t * loader, const mechanism_tables_t * tables, mbdx_mechanism_t * mechanism);
void mechanism_free_places(struct mbdx_mechanism_parts * parts);

// mechanism_build.c: a mechanism, or NULL with sentences
mbdx_mechanism_t * mechanism_build(urdf_loader_t * loader, mechanism_tables_t * tables);
// Beside a URDF: drivers and bearings before the model is finalized, initial state after. Without
// loader->mechanism both are checked: drivers are not added, and a warning says so.
bool mechanism_add_beside(urdf_loader_t * loader, mbd_model_t * model);
bool mechanism_start_beside(urdf_loader_t * loader, mbd_model_t * model);

// urdf_load.c: a URDF (file, or text with that name) and the mechanism file of the options, into tables
// and mechanism
typedef struct urdf_text_of_robot {
  const char * xml;
  size_t size;
} urdf_text_of_robot_t;
mbd_status_t urdf_load_mechanism(
  const char * path, const urdf_text_of_robot_t * text, const mbdx_urdf_options_t * options,
  mechanism_tables_t * tables, mbdx_mechanism_t * mechanism, mbdx_report_t ** report);

#endif  // MECHANISM_INTERNAL_H_
