/// \file loop_rig.h
/// A closed loop in a test: the simulated robot and the node as processes, a peer that listens, and
/// the robot's model to compute with.
///
///   rig_open, rig_close          peer and model; ends the processes, which must end well
///   rig_load, rig_unload         the model alone
///   rig_start, rig_start_node, rig_start_sim    programs with their arguments
///   rig_kill                     of what a failed test left behind; cmocka's teardown
///   rig_track, rig_track_of      all joint states of a topic, by the model's degrees of freedom
///   rig_wait, rig_run, rig_run_to    listening: until samples came, for a time of stamps
///   rig_step                     the test is the robot: one joint state, what the node makes of it
///   rig_at                       the model at a configuration
///   rig_gravity, rig_push_torque     g(q), J^T f
///   assert_driven                no brakes
///   track_drift, track_find      of what was tracked
///   track_stall, rig_attempts    was it the machine?
#ifndef LOOP_RIG_H_
#define LOOP_RIG_H_

#include "close.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"
#include "node_peer.h"

#define ARM7      MBDYN_SOURCE_DIR "/config/robots/arm7.urdf"
#define ARM6      MBDYN_SOURCE_DIR "/config/robots/arm6.urdf"
#define QUADRUPED MBDYN_SOURCE_DIR "/config/robots/quadruped.urdf"

/// Where arm7 starts: away from limits, singularities and symmetries.
#define ARM7_START                       \
  {                                      \
    0.3, -0.6, 0.2, -2.1, -0.3, 1.7, 0.5 \
  }
#define ARM7_START_ARG "-p", "initial_positions:=[0.3, -0.6, 0.2, -2.1, -0.3, 1.7, 0.5]"

/// NULL-terminated list of arguments.
#define ARGS(...) ((const char * const[]){__VA_ARGS__, NULL})
/// A sim whose motors take what the node /mbdyn commands, and a node that forgives a slow machine.
#define SIM_ARG      "-r", "~/commands:=/mbdyn/command"
#define SIM_ARM7_ARG SIM_ARG, "-p", "robot_description_file:=" ARM7, ARM7_START_ARG
#define NODE_ARG     "-p", "timeout:=2.0"
/// Both on the time of the simulation: a machine that does not keep up stops the clock.
#define SIM_CLOCK_ARG  "-p", "publish_clock:=true"
#define NODE_CLOCK_ARG "-p", "use_sim_time:=true"

enum { RIG_DOFS = 24, RIG_TRACKS = 8, RIG_PROCESSES = 6 };

typedef struct sample {
  int64_t stamp;  // [ns]
  double q[RIG_DOFS], v[RIG_DOFS], effort[RIG_DOFS];
} sample_t;

/// Joint states of a topic as they came. A number that a message does not have is NaN.
typedef struct track {
  sensor_msgs__msg__JointState message;  // first: what the listener reads into
  const mbd_model_t * model;
  size_t n, capacity;
  sample_t * sample;
} track_t;

typedef struct rig {
  peer_t peer;
  mbd_model_t * model;
  mbd_data_t * data;
  int nprocess;
  process_t process[RIG_PROCESSES];
  int ntrack;
  track_t track[RIG_TRACKS];
} rig_t;

/// \param[in] urdf  a file; with a free joint at its root if floating
void rig_open(rig_t * rig, const char * urdf, bool floating);
void rig_load(rig_t * rig, const char * urdf, bool floating);
void rig_unload(rig_t * rig);
/// Ends all processes by SIGINT, newest first: their exit codes must be zero.
void rig_close(rig_t * rig);
int rig_kill(void ** state);

/// \param[in] arguments  after --ros-args
void rig_start(rig_t * rig, const char * program, const char * const * arguments);
void rig_start_node(rig_t * rig, const char * const * arguments);
void rig_start_sim(rig_t * rig, const char * const * arguments);

track_t * rig_track(rig_t * rig, const char * topic);
/// Of another robot.
track_t * rig_track_of(rig_t * rig, const mbd_model_t * model, const char * topic);
/// Until a track has so many samples; fails the test if they do not come.
void rig_wait(rig_t * rig, const track_t * track, size_t n);
/// Until stamps of a track have come this much further [s], or to this time [ns].
void rig_run(rig_t * rig, const track_t * track, double seconds);
void rig_run_to(rig_t * rig, const track_t * track, int64_t stamp);
/// Until the node commands and the simulated motors show it.
/// \return index of the last sample before the first torque; 0 if that was over when we came
size_t rig_released(rig_t * rig, const track_t * joint_states);

/// Publishes the peer's joint state until a track has a sample from it; the peer's command is then
/// of this state too.
const sample_t * rig_step(rig_t * rig, const track_t * track);

/// Motors had torque after a sample: nothing but they kept the robot where it is.
void assert_driven(const track_t * track, size_t after);
const sample_t * track_last(const track_t * track);
/// Largest way of a joint from where it was at sample `from`.
double track_drift(const track_t * track, size_t from);
/// Longest time that the efforts of a moving robot stayed as they were: the node had no processor, or
/// the simulated robot none to take its commands [s].
double track_stall(const track_t * track, size_t from);
/// Repeats a run that came out worse than a bound, a few times, if the machine stood still meanwhile.
/// \param[in] run  \return what must be less than bound; stall as track_stall says it
/// \return of the last run
double rig_attempts(double (*run)(double * stall), double bound);
/// The sample with this stamp, or NULL; search begins at the newest.
const sample_t * track_find(const track_t * track, int64_t stamp);
/// The first sample at or after a stamp.
size_t track_after(const track_t * track, int64_t stamp);

/// Position stage, and velocity stage if v is not NULL.
void rig_at(rig_t * rig, const double * q, const double * v);
int rig_frame(const rig_t * rig, const char * name);
mbd_placement_t rig_placement(rig_t * rig, const double * q, const char * frame);
/// g(q) under a gravity, by full matrices and not by the core.
void rig_gravity(const rig_t * rig, const double * q, mbd_vec3_t gravity, double * tau);
/// J^T f of a wrench at a frame's origin.
void rig_push_torque(
  rig_t * rig, const double * q, const char * frame, mbd_reference_t reference, mbd_force_t f,
  double * tau);

#endif  // LOOP_RIG_H_
