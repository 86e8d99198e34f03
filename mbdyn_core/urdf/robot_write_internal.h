// Models -> text. robot_write.c has what both formats need, robot_write_urdf.c and robot_write_mjcf.c one each.
#ifndef ROBOT_WRITE_INTERNAL_H_
#define ROBOT_WRITE_INTERNAL_H_

#include <stdio.h>

#include "mbdyn/robot_write.h"
#include "urdf_internal.h"

typedef struct robot_writer {
  const mbd_model_t * model;  // a tree
  urdf_loader_t * loader;     // its report
  FILE * to;
  mbd_placement_t *
    link;    // of each body's link in its parent's link at q = 0, in the world for roots [nbody]
  int root;  // frame that is the world's link, -1: none
  bool * coupled;  // joints that a mimic or equality of the text moves already [nbody]
} robot_writer_t;

// text of one robot; NULL stops with an error of the report
typedef void (*robot_format_t)(robot_writer_t * w);

mbd_status_t robot_write(
  const mbd_model_t * model, robot_format_t format, char ** text, size_t * size,
  mbdx_report_t ** report);

void robot_put(robot_writer_t * w, const char * format, ...) __attribute__((format(printf, 2, 3)));

// NAME="TEXT", characters of XML escaped
void robot_put_name(
  robot_writer_t * w, const char * attribute, const char * name, const char * ending);

// NAME="X Y ...", the shortest numbers that are read back as they are
void robot_put_numbers(robot_writer_t * w, const char * attribute, const double * x, int n);

void robot_left_out(
  robot_writer_t * w, mbdx_severity_t severity, const char * kind, const char * name,
  const char * hint, const char * what);

// link frame of a body in its body frame, and a frame in the link of its body
mbd_placement_t robot_link_in_body(const mbd_model_t * model, int body);
mbd_placement_t robot_frame_in_link(const mbd_model_t * model, int frame);

// axis of a joint with one, in axes of its link
mbd_vec3_t robot_axis(const mbd_model_t * model, int body);

// mass, centre of mass and inertia about it, in axes of the link; false if there is none
bool robot_inertia(
  const mbd_model_t * model, int body, double * mass, mbd_vec3_t * com, mbd_sym3_t * I);

// roll, pitch, yaw
void robot_rpy(const mbd_mat3_t * R, double rpy[3]);

// closure end: link name (NULL: the world) and the closure frame in it
const char * robot_end(
  const robot_writer_t * w, const mbd_closure_t * c, bool b, mbd_placement_t * X);

// a coupling as q_follower = multiplier q_leader + offset; false if it is none. Without a leader -1
bool robot_coupling(
  const robot_writer_t * w, const mbd_closure_t * c, int * follower, int * leader,
  double * multiplier, double * offset);

#endif  // ROBOT_WRITE_INTERNAL_H_
