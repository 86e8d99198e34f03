/// \file simulate_parts.h
/// The parts of `mbdyn simulate` and `mbdyn kinematics`.
///
///   simulate.c          options, and the files of one command
///   simulate_load.c     mechanism or robot, and its initial state
///   simulate_run.c      integration on a grid of output times
///   limit_stops.c       position limits
///   simulate_table.c    CSV
///   simulate_page.c     HTML page with curves and an animation
///   simulate_record.c   MCAP
///   simulate_summary.c  text at the end, and messages of errors
///   kinematics.c        `mbdyn kinematics`: driven mechanisms on a grid of times
#ifndef SIMULATE_PARTS_H_
#define SIMULATE_PARTS_H_

#include <stdatomic.h>
#include <stdio.h>

#include "bag.h"
#include "curves.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"
#include "messages_out.h"
#include "robot_options.h"

enum { SIMULATE_MAX_SETTINGS = 64 };

/// A value given for a joint: NAME=X or NAME=X:Y.
typedef struct setting {
  char name[128];
  double x, y;
  bool has_y;
} setting_t;

/// Position limits: passes are said, end the run, or are kept small by stops.
typedef enum limits_kind { LIMITS_REPORT, LIMITS_STOP, LIMITS_SPRING } limits_kind_t;

typedef enum torque_kind { TORQUE_ZERO, TORQUE_GRAVITY, TORQUE_CONSTANT } torque_kind_t;

typedef struct simulate_options {
  robot_options_t robot;
  mbdx_mechanism_options_t mechanism;
  bool gravity_given;
  double time, rtol, atol, step, max_step, rate;  ///< 0: not given
  int method, compare;                            ///< mbd_method_t; -1: not given
  torque_kind_t torque;
  limits_kind_t limits;
  int ninitial, nconstant;
  setting_t initial[SIMULATE_MAX_SETTINGS], constant[SIMULATE_MAX_SETTINGS];
  uint32_t terms;
  const char *csv, *mcap, *plot;
  bool realtime;
} simulate_options_t;

/// What is simulated.
typedef struct subject {
  const char * path;
  bool urdf;                     ///< the path is that of a URDF
  robot_t robot;                 ///< of a URDF without a mechanism file beside it
  mbdx_mechanism_t * mechanism;  ///< of a mechanism file
  char mechanism_path[4096];     ///< of that file, if it is beside a URDF
  mbdx_report_t * report;        ///< of that file
  const mbd_model_t * model;
  double *q, *v;       ///< initial state
  bool * held;         ///< degrees of freedom given by --initial [nv]
  char ** dof;         ///< [nv] names
  char ** coordinate;  ///< [nq] names
  double time, rtol, atol, step, max_step;
  mbd_method_t method;
} subject_t;

/// False after a message; free it all the same.
bool subject_load(subject_t * s, const char * path, const simulate_options_t * options);
void subject_free(subject_t * s);

/// "rkf45" and so on; -1 if there is none.
int simulate_find_method(const char * name);

/// State at an output time.
typedef struct sample {
  long index;
  double t;
  const double *q, *v, *qdd, *tau, *lambda;
  const mbd_force_t *
    joint;  ///< force through each joint of the tree, on its link at its frame, link axes [nbody]
  double kinetic, potential;
  const mbd_simulation_info_t * info;  ///< at the end of the step
  mbd_data_t * data;                   ///< position and velocity stages are those of q and v
} sample_t;

/// Result of a run.
typedef struct outcome {
  mbd_status_t status;
  bool interrupted;
  bool started;
  double t;  ///< reached [s]
  long samples;
  long implicit_steps;         ///< with sdirk54 under auto
  mbd_simulation_info_t info;  ///< at the end; arrays are not valid any more
  int mobility;                ///< degrees of freedom at the start, without nonholonomic rows
  int error_closure;  ///< of the assembly, or the one that is singular where it ends; or -1
  const char *
    error_joint;        ///< without inertia, or with the largest acceleration at the end, or NULL
  double acceleration;  ///< of that joint
  double wall_time;     ///< seconds of computation
  int limit_dof;        ///< first degree of freedom beyond its limits, or -1
  double limit_time;    ///< when it passes [s]
  double limit;         ///< [rad or m]
  bool limit_upper;
  bool limit_ends;         ///< the run ends there
  int limit_beyond_dof;    ///< farthest beyond its limits at an output time, or -1
  double limit_beyond;     ///< by so much [rad or m]
  double limit_stiffness;  ///< of its stop, or 0
} outcome_t;

/// \param[in] take  gets every sample; false stops the run. NULL: none
/// \return false if `take` returned false
bool simulate_run(
  const subject_t * s, const simulate_options_t * options, mbd_method_t method,
  bool (*take)(void * to, const sample_t * sample), void * to, const char * label,
  const atomic_bool * stop, outcome_t * outcome);

/// Number of output times, including 0 and the end; time of one.
long simulate_samples(const subject_t * s, const simulate_options_t * options);
double simulate_sample_time(const subject_t * s, const simulate_options_t * options, long index);
double simulate_rate(const subject_t * s, const simulate_options_t * options);

void simulate_table_open(FILE * out, const subject_t * s);
void simulate_table_take(FILE * out, const subject_t * s, const sample_t * sample);

/// A recording: joint states, transforms, energies, reactions of closures and joints.
typedef struct recorder {
  const subject_t * subject;
  bag_writer_t * writer;
  bag_error_t error;
  out_message_t states, summary, wrench;
  uint32_t states_topic, tf_topic, summary_topic, scalar_topic[3];
  uint32_t * wrench_topic;  ///< of closures, then of joints [nclosure + nbody]; UINT32_MAX: none
  int ndof, *dof;           ///< degrees of freedom in joint states
  int * coordinate;         ///< and their coordinates
  double * packed;          ///< [ndof]
} recorder_t;

/// False with an error in it; close it all the same.
bool recorder_open(recorder_t * r, const char * path, const subject_t * s);
bool recorder_take(recorder_t * r, const sample_t * sample);
bool recorder_close(recorder_t * r);

/// Curves and poses for a page.
typedef struct page {
  const subject_t * subject;
  curves_t curves;
  long stride;   ///< samples between two poses
  long nframe;   ///< poses so far
  float * pose;  ///< [nframe][nbody][7]
  double * time;
} page_t;

/// False if out of memory; free it all the same.
bool page_open(page_t * p, const subject_t * s, const simulate_options_t * options);
void page_take(page_t * p, const sample_t * sample);
/// The parts of these: curves of any meaning, and the pose of every body at a sample.
bool page_begin(
  page_t * p, const subject_t * s, int ncurve, long samples, double first, double last);
void page_pose(page_t * p, long index, double t, mbd_data_t * data);
void page_print(const page_t * p, FILE * out, const char * summary);
void page_free(page_t * p);

/// Curves that share plots, after those of the groups before.
typedef struct curve_group {
  const char *title, *unit;
  char ** name;  ///< [n]
  int n;
} curve_group_t;

/// A page of page_begin.
void page_print_groups(
  const page_t * p, FILE * out, const char * title, const char * summary,
  const curve_group_t * group, int n);

void simulate_summary(
  FILE * out, const subject_t * s, const simulate_options_t * options, const outcome_t * o);
/// Message on stderr: time, cause, remedy.
void simulate_explain(const subject_t * s, mbd_method_t method, const outcome_t * o);

#endif  // SIMULATE_PARTS_H_
