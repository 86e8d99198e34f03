/// \file demo_measure.h
/// What the demo measures, from messages as they come. Plain numbers, no ROS; not for two threads at
/// a time.
///
///   demo_measures_init, _fini
///   demo_probe_*             what is looked at from now on
///   demo_take_*              a message
///   demo_latencies_copy      the last so many; demo_sort, demo_quantile of them
///   demo_checks              what came out of all rounds, compared with bounds
///
/// Times are stamps: nanoseconds of the machine's clock. A robot whose node had no processor for
/// DEMO_STALL, by the stamps of its torques, is not judged from then until DEMO_SETTLE after.
#ifndef DEMO_MEASURE_H_
#define DEMO_MEASURE_H_

#include <stdint.h>

#include "demo_motion.h"
#include "demo_robot.h"

/// What has to be kept for the demo to be a success.
#define DEMO_MOST_DRIFT    1e-3   ///< [rad, m]
#define DEMO_MOST_TRACKING 0.01   ///< rms [rad, m]
#define DEMO_MOST_PUSH     0.05   ///< of the force
#define DEMO_MOST_LINE     0.005  ///< rms [m]
#define DEMO_MOST_LEFT     0.2    ///< of the kinetic energy after a push
#define DEMO_MOST_CREEP    1e-3   ///< of a base that stands [m]
#define DEMO_MOST_TILT     0.7    ///< [rad]
#define DEMO_MOST_AWAY     0.01   ///< after a push [m]
#define DEMO_LEAST_ANSWERS 0.95   ///< commands per joint state

#define DEMO_STALL  30000000   ///< without a cycle of the node [ns]
#define DEMO_SETTLE 300000000  ///< until the robot is back where it ought to be [ns]

/// Latencies that are kept.
#define DEMO_LATENCIES 65536

typedef enum demo_probe {
  PROBE_NONE,
  PROBE_DRIFT,  ///< joints ought to stay where they are
  PROBE_TRACK,  ///< they follow a motion
  PROBE_PUSH,   ///< something pushes the tip
  PROBE_LINE,   ///< the tip goes along a line
  PROBE_DECAY,  ///< a robot that was pushed comes to rest
  PROBE_STAND,  ///< a base ought to stay where it is
  PROBE_SHOVE   ///< a base that stands is pushed
} demo_probe_t;

/// An error that ought to be small.
typedef struct demo_error {
  double now;  ///< length, or rms over the joints
  double max;  ///< of a single number
  int joint;   ///< that had it
  double sum;  ///< of squares
  uint64_t n;
  uint64_t excluded;  ///< numbers while the node had no processor, and until the robot had settled
} demo_error_t;

/// Rounds of the show that are over.
typedef struct demo_past {
  int rounds;
  int judged;          ///< of them: at least half of the numbers counted
  demo_error_t worst;  ///< of those
} demo_past_t;

/// Kinetic energy after a push.
typedef struct demo_decay {
  int64_t push, from;  ///< when the push begins, and when it has ended
  double floor;        ///< mean before the push: noise of the velocities [J]
  uint64_t nfloor;
  double start, now;  ///< energy then, and last [J]
  double seconds;     ///< from then until `now`
  double worst;       ///< largest now / start of rounds that are over
  int rounds;         ///< in which the robot moved by more than the noise
  uint64_t n;
} demo_decay_t;

typedef struct demo_push {
  mbd_vec3_t force;     ///< applied, world axes [N]
  int64_t from, to;     ///< when the estimate counts
  mbd_vec3_t now;       ///< last estimate, world axes
  mbd_vec3_t estimate;  ///< mean of those that count [N]
  mbd_vec3_t moment;    ///< likewise; none is applied [N m]
  double torque_error;  ///< of the estimated joint torques, as a part of those applied
  uint64_t n, torque_n;
  uint64_t excluded;  ///< estimates, as in demo_error_t
} demo_push_t;

/// A base that stands on its feet.
typedef struct demo_base {
  bool known;        ///< odometry has come
  mbd_vec3_t p;      ///< [m]
  double tilt;       ///< of its z axis [rad]
  double most_tilt;  ///< since the first command
  mbd_vec3_t from;   ///< where it ought to stay
  double creep;      ///< from there, while nothing moves it [m]
  bool begun;        ///< it ought to have stayed somewhere
  uint64_t seen;     ///< odometry while it ought to
  double away;       ///< from there, now [m]
  double impulse;    ///< of the last push [N s]
  double worst;      ///< distance at the end of a push and what comes after it
  double strongest;  ///< impulse of it
  int pushes;        ///< that are over
} demo_base_t;

/// From a place and back, again and again.
typedef struct demo_line {
  mbd_placement_t from;
  mbd_vec3_t displacement;
  double period;  ///< there and back [s]
  int64_t start;
} demo_line_t;

/// Node and simulation, of their own account; times in microseconds.
typedef struct demo_report {
  bool known;
  double age_p50, age_p99, compute_p50, compute_p99;
  double real_time_factor;
  uint64_t saturations;
  char state[32];
} demo_report_t;

typedef struct demo_measures {
  demo_robot_t * robot;  ///< its workspace is used
  demo_probe_t probe;

  // what came last
  int64_t stamp;
  double q[DEMO_JOINTS], v[DEMO_JOINTS], effort[DEMO_JOINTS];
  double gravity[DEMO_JOINTS], coriolis[DEMO_JOINTS], inertia[DEMO_JOINTS], friction[DEMO_JOINTS];
  double command[DEMO_JOINTS], external[DEMO_JOINTS];
  demo_report_t report;
  uint64_t states, commands, torques, terms, wrenches;  ///< messages, in all

  // results: of this round, and of those before
  double drift_from[DEMO_JOINTS];
  demo_error_t drift, track, line;
  demo_past_t past_drift, past_track, past_line;
  bool drift_begun, track_begun, line_begun, push_begun;
  demo_push_t worst_push;
  int past_pushes, judged_pushes;
  demo_motion_t motion;
  int64_t motion_start;
  demo_push_t push;
  demo_decay_t decay;
  demo_base_t base;
  demo_line_t path;
  uint64_t numbers, not_finite;  ///< that came
  int64_t cycle;                 ///< stamp of the node's last cycle; 0: none yet
  int64_t settled;               ///< when the robot has settled after it had no cycle

  // while counting
  bool counting, commanded;
  int64_t since, until;  ///< arrival of the first and last joint state
  uint64_t counted_states, counted_commands, counted_cycles;
  int64_t ran_before, waited_before;  ///< processor times when counting began [ns]
  int64_t ran, waited;                ///< since then, of all threads of all programs
  uint64_t latencies;                 ///< in all
  int64_t latency_max;
  int64_t * latency;              ///< [DEMO_LATENCIES], a ring
  double inside_p50, inside_p99;  ///< worst report of age + compute [us]
} demo_measures_t;

/// False if out of memory.
bool demo_measures_init(demo_measures_t * m, demo_robot_t * robot);
void demo_measures_fini(demo_measures_t * m);

//---------- what to look at ----------

void demo_probe_stop(demo_measures_t * m);
/// Joints ought to stay where they are now.
void demo_probe_drift(demo_measures_t * m);
void demo_probe_track(demo_measures_t * m, const demo_motion_t * motion, int64_t start);
void demo_probe_push(demo_measures_t * m, mbd_vec3_t force, int64_t from, int64_t to);
void demo_probe_line(demo_measures_t * m, const demo_line_t * path);
/// To be called before the push. \param[in] push, from  when it begins, and when it will have ended
void demo_probe_decay(demo_measures_t * m, int64_t push, int64_t from);
/// A base ought to stay where it is now.
void demo_probe_stand(demo_measures_t * m);
/// A push of a base, which ought to be back when the probe stops.
void demo_probe_shove(demo_measures_t * m, double impulse);
/// Messages and latencies count from now on.
/// \param[in] commands  are expected
void demo_count(demo_measures_t * m, bool commands);

/// Where the tip ought to be, and how fast it ought to go.
void demo_line_at(const demo_line_t * path, int64_t stamp, mbd_vec3_t * p, mbd_vec3_t * v);

//---------- messages ----------

/// Arrays have a number per joint, in the model's order.
void demo_take_state(
  demo_measures_t * m, int64_t stamp, int64_t now, const double * q, const double * v,
  const double * effort);
void demo_take_command(demo_measures_t * m, const double * tau);
void demo_take_torques(demo_measures_t * m, int64_t stamp, int64_t now, const double * effort);
/// gravity, coriolis, inertia, friction
void demo_take_terms(demo_measures_t * m, const double * const term[4]);
void demo_take_external(demo_measures_t * m, const double * tau);
/// In the axes of the tip.
void demo_take_wrench(demo_measures_t * m, int64_t stamp, mbd_vec3_t force, mbd_vec3_t moment);
/// Odometry.
void demo_take_base(demo_measures_t * m, int64_t stamp, const mbd_placement_t * X);
void demo_take_report(demo_measures_t * m, const demo_report_t * report);
/// How long all threads of the programs have had a processor, and have waited for one [ns].
void demo_take_processor(demo_measures_t * m, int64_t ran, int64_t waited);

//---------- results ----------

double demo_rms(const demo_error_t * error);

/// Copies the last so many latencies, or as many as there are.
/// \return how many
size_t demo_latencies_copy(const demo_measures_t * m, size_t last, int64_t * to);
/// Of sorted latencies [s]; NaN if there is none.
double demo_quantile(const int64_t * sorted, size_t n, double q);
void demo_sort(int64_t * x, size_t n);

double demo_push_error(const demo_push_t * push);
double demo_answers(const demo_measures_t * m);
/// The machine is too busy: the programs have waited for a processor for longer than they had one.
bool demo_is_busy(const demo_measures_t * m);

typedef struct demo_check {
  const char * name;
  char value[96];
  char bound[48];  ///< "" if it is not judged
  bool good;
  bool busy;  ///< not good, and the machine is the cause
} demo_check_t;

#define DEMO_CHECKS 9

/// What a robot or a mode can be held to.
typedef struct demo_judge {
  bool push;   ///< the tip can be moved in every direction
  bool track;  ///< there is feedback
} demo_judge_t;

/// What has been measured so far; what has not been is left out.
/// \return how many, at most DEMO_CHECKS
int demo_checks(const demo_measures_t * m, demo_judge_t judge, demo_check_t * check);

#endif  // DEMO_MEASURE_H_
