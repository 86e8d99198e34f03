/// \file plant.h
/// A robot in motion: state, motor torques, pushes, loads, and a step in time. Plain C, no ROS; no
/// heap after plant_create. It knows the masses better than whoever controls it: what a controller
/// takes for the robot is its own model.
///
///   plant_start              where a robot is that nobody has put anywhere
///   plant_create, plant_destroy
///   plant_set_flexible       flexible links
///   plant_set_chart          integrators on charts: bearings, drivers
///   plant_set_contacts       where the robot can touch the ground
///   plant_set_options        integrator, terms, gravity
///   plant_reset              to a configuration, at rest
///   plant_set_velocity       velocities after a reset
///   plant_step               motor torques for a time
///   plant_brake              brakes for a time: joints are locked, a floating base falls
///   plant_hold               for a time nothing moves
///   plant_push               a wrench on a frame for a time
///   plant_payload            a load on a frame
///   plant_energy             kinetic and potential
///   plant_contact_wrench     of the ground on a link
///
/// **Integrators.** Semi-implicit Euler takes friction at the end of the step,
///
///   (M + h S) (v' - v) = h (tau - C v - g + J^T f - S v),  q' = q + h v',  S v = friction(v),
///
/// so that dry friction of any strength holds a joint without rattling. Classical Runge-Kutta on the
/// manifold is of fourth order in everything that is smooth, and needs short steps where dry
/// friction is strong.
///
/// **Limits** are inelastic stops: on arrival an impulse in the joint takes the velocity that points
/// out, the others feel it through the mass matrix; then the stop presses as long as something
/// presses against it. It never pulls, never adds energy, and knows no stiffness, so that any step
/// will do. The limit of a motor's torque always counts; the one of a velocity does not.
///
/// **Ground** is a plane with dry friction; contacts of balls and rims with it (plant_set_contacts) are inelastic or
/// rebound. Contacts, position limits and, with exact friction, stiction of the joints are one complementarity problem
/// at the end of each semi-implicit step (mbdyn/constraints/contact.h): feet stick without creep, and no stiffness has
/// to be chosen. At most PLANT_CONTACTS points, the deepest, and a fixed number of iterations bound its work.
///
/// **Friction of joints**, beside viscous friction:
///
///   tanh     c tanh(v / v0), c and v0 of the drive (model.h)
///   smooth   c S(v), S of Brown and McPhee with a peak of `stiction` at v0 (mbd_friction_curve)
///   exact    sticks up to c times `stiction`, slides with c; bearings of a tree count too (mbd_bearing_step)
///
/// **Loops, gears and mimic joints** have no play: a model with closures is embedded, and q, v and
/// effort stay those of all its joints. Motors may be at any of them.
///
/// **Flexible links** are the core's modal bodies, always integrated by a method of fourth order: the step
/// times the highest natural frequency must stay below 2.8. q and v stay those of the joints.
///
/// **Charts** (mbdyn/simulate.h) close loops to rounding and know bearings and drivers. Position limits are springs and
/// dampers there (limit_stops.h), which yield a little. A step of plant_step takes `substeps` steps of the method. One that fails numerically is repeated in halves, up
/// to `max_steps` in all; what then is left of the time is lost, and counted (plant_integration_t). If nothing of it
/// could be simulated, plant_step returns the error.
#ifndef MBDYN_SIM__PLANT_H_
#define MBDYN_SIM__PLANT_H_

#include "mbdyn/flexible/flexible_links.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/simulate.h"

/// Most degrees of freedom of a robot with loops.
#define PLANT_DOFS 4096

/// Pushes at one time, on different frames.
#define PLANT_PUSHES 32

/// Most contact points in a step.
#define PLANT_CONTACTS 48

typedef enum plant_integrator { PLANT_SEMI_IMPLICIT, PLANT_RK4 } plant_integrator_t;

typedef enum plant_friction {
  PLANT_FRICTION_TANH,
  PLANT_FRICTION_SMOOTH,
  PLANT_FRICTION_EXACT  ///< semi-implicit integrator, rigid links
} plant_friction_t;

/// A plane; it counts with the semi-implicit integrator and rigid links.
typedef struct plant_ground {
  bool on;
  mbd_vec3_t normal;   ///< of length 1, upwards
  double height;       ///< of the plane along the normal from the origin of the world [m]
  double friction;     ///< coefficient
  double restitution;  ///< 0 to 1
  /// distance of the lowest contact point after a reset, to which a floating base is moved along the normal [m];
  /// negative: the base stays where q says
  double clearance;
} plant_ground_t;

/// Part of a link that can touch the ground: a ball, or the rim of a disc.
typedef struct plant_contact {
  int frame;
  mbd_vec3_t centre;  ///< in the frame [m]
  double radius;      ///< of the ball, 0: a point [m]
  double rim;         ///< radius of the disc [m]; 0: a ball
  mbd_vec3_t axis;    ///< of the disc, in axes of the frame, of length 1
} plant_contact_t;

typedef struct plant_options {
  plant_integrator_t integrator;
  int substeps;   ///< of each step, 1 or more
  int max_steps;  ///< of a chart integrator in each step, `substeps` or more
  bool friction;  ///< of the drives
  plant_friction_t friction_model;
  double stiction;  ///< static by sliding friction, 1 or more; smooth and exact
  plant_ground_t ground;
  bool rotors;         ///< their reflected inertia
  bool limits;         ///< of positions (limits.h), of dependent joints too
  mbd_vec3_t gravity;  ///< in world axes [m/s^2]
} plant_options_t;

/// What a chart integrator has done since it was set.
typedef struct plant_integration {
  uint64_t steps;
  uint64_t halved;    ///< steps that failed and were repeated in halves
  uint64_t exceeded;  ///< steps of plant_step that took max_steps and were not at their end
  double lost;        ///< time that they did not simulate [s]
  double error;       ///< largest error of a closure [m, rad]
  double condition;   ///< largest condition number of the bearings' loads; large: jamming
} plant_integration_t;

/// What ground and exact friction have done since plant_create.
typedef struct plant_touch {
  int points;           ///< with a force in the last step
  double normal_force;  ///< sum of the normal forces of the last step [N]
  double depth;         ///< largest penetration in the last step [m]
  uint64_t unsolved;    ///< steps whose forces are only approximate (MBD_ERROR_NOT_CONVERGED)
  uint64_t crowded;     ///< steps with more than PLANT_CONTACTS points near the ground
} plant_touch_t;

typedef struct plant_push {
  int frame;
  mbd_reference_t reference;
  mbd_force_t f;
  double remaining;  ///< [s]; infinite: until replaced
} plant_push_t;

typedef struct plant {
  const mbd_model_t * model;  ///< the spanning tree
  mbd_data_t * data;
  plant_options_t options;
  double time;      ///< [s] since plant_create
  double * q;       ///< [nq]
  double * v;       ///< [nv]
  double * effort;  ///< of the motors in the last step, within their limits [nv]
  bool * at_limit;  ///< [nv]
  uint64_t stops;   ///< times that a joint ran into a limit
  int npush;
  plant_push_t push[PLANT_PUSHES];
  const mbd_model_t * embedded;      ///< in independent velocities; NULL without closures
  mbd_data_t * loops;                ///< its workspace
  struct plant_flexible * flexible;  ///< NULL: all links are rigid
  struct plant_chart * chart;        ///< NULL: integrator of the options
  plant_integration_t integration;   ///< with charts
  int ncontact;
  plant_contact_t * contact;
  mbd_force_t * contact_force;  ///< on each, at its frame's origin in its axes [ncontact]
  plant_touch_t touch;
  struct plant_touching * touching;
  struct plant_work * work;
} plant_t;

/// Semi-implicit, one substep, everything counts, gravity of the model, tanh friction, no ground.
plant_options_t plant_options_default(const mbd_model_t * model);

/// The neutral configuration, moved into the limits.
/// \param[out] q  [nq]
void plant_start(const mbd_model_t * model, double * q);

/// At rest at plant_start.
/// \param[in] model  a tree, or an embedded model; must outlive it
/// \return NULL if out of memory, or the model's dynamics are refused: also if it has closures and is
///   not embedded
plant_t * plant_create(const mbd_model_t * model);
void plant_destroy(plant_t * plant);

/// Links of the robot are flexible from now on; they start undeformed, without loads.
/// \param[in] robot  of the plant's model, which has no closures; must outlive the plant
/// \return false if it is of another model, its dynamics are refused, or memory is short: then
///   nothing is left to do but plant_destroy
bool plant_set_flexible(plant_t * plant, const mbd_model_t * robot);

/// Integrates by a method of ode.h with fixed steps from now on, from the present state; options->integrator does not
/// count any more.
/// \param[in] model  joints of the plant's model, with its closures, drivers, bearings; must outlive the plant
/// \return false if the model is another, its dynamics are refused, or memory is short: then nothing is left
///   to do but plant_destroy
bool plant_set_chart(plant_t * plant, const mbd_model_t * model, mbd_method_t method);

/// \param[in] contact  is copied; those of a link one after another are computed together [n]
/// \return false if memory is short: then there are none
bool plant_set_contacts(plant_t * plant, int n, const plant_contact_t * contact);

void plant_set_options(plant_t * plant, const plant_options_t * options);

/// At rest at q, without pushes; dependent joints go where the loops want them. Time goes on.
/// \param[in] q  [nq], or NULL: plant_start
/// \return MBD_OK, or what is wrong with q; the plant is then as it was
mbd_status_t plant_reset(plant_t * plant, const double * q);

/// Velocities at the present configuration; those that loops and drivers prescribe are theirs.
/// \param[in] v  [nv]
mbd_status_t plant_set_velocity(plant_t * plant, const double * v);

/// \param[in] tau  of the motors [nv]
/// \return MBD_OK; on an error the state is that of the last good substep
mbd_status_t plant_step(plant_t * plant, const double * tau, double dt);

/// Joints are locked; a floating base with ground falls and stands. Otherwise as plant_hold.
/// \return as plant_step
mbd_status_t plant_brake(plant_t * plant, double dt);

void plant_hold(plant_t * plant, double dt);

/// Acts from the next step on, in place of the last push on that frame. The last step of a push is
/// weighted so that the impulse is force times duration.
/// \param[in] push  remaining = 0 takes the frame's push off
/// \return false if there are too many pushes
bool plant_push(plant_t * plant, const plant_push_t * push);

/// \param[in] inertia  about the frame's origin, in its axes; NULL: take the load off
/// \return MBD_OK, or as mbd_payload_attach
mbd_status_t plant_payload(plant_t * plant, int frame, const mbd_inertia_t * inertia);

/// Of the ground on a frame in the last step, at its origin in its axes; zero without contact.
void plant_contact_wrench(const plant_t * plant, int frame, mbd_force_t * f);

mbd_status_t plant_energy(plant_t * plant, double * kinetic, double * potential);

#endif  // MBDYN_SIM__PLANT_H_
