/// \file self_motion.h
/// Self-motion: the curve of configurations of a redundant robot with the same values of some measures, such as
/// the pose of its tool.
///
///   mbdu_pose_measures              six measures that hold the pose of a frame
///   mbd_self_motion_options_default steps, tolerances, obstacles
///   mbd_self_motion_size            size in bytes
///   mbd_self_motion_init            create in the caller's memory
///   mbd_self_motion_start           begin at a configuration
///   mbd_self_motion_step            move along the curve, up to a limit, an obstacle or a singularity
///   mbd_self_motion_avoid           nearest configuration on the curve with a given clearance
///   mbd_self_motion_trace           the whole curve: closed or not, windings, arcs within limits
///
/// **Method.** The rows are those of the closures of the model and of the measures, F(q) = 0, with one row less
/// than degrees of freedom. From a point of the curve a step goes along its tangent, the null space of F', and
/// Newton steps of least norm lead back to it (Haug 9.15.6, 9.16.6). The determinant of F' with the tangent as
/// its last row keeps its sign on a regular curve; where it changes, the curve meets another branch, and the
/// self-motion ends there.
///
/// **Models.** Trees and cut closures (mbd_model_add_closure), also with mimic joints, whose rows are couplings.
/// Degrees of freedom that move no row stay where they are. The rows must leave one degree of freedom; more
/// can be held by measures of joints. Lengths along the curve are norms of joint displacements, rad and m
/// together.
#ifndef MBDYN__SELF_MOTION_H_
#define MBDYN__SELF_MOTION_H_

#include "mbdyn/clearance.h"
#include "mbdyn/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mbd_self_motion_options {
  double step;         ///< longest step; default 0.05 [rad, m]
  double tolerance;    ///< largest error of measures and closures; default 1e-10 [rad, m]
  double length;       ///< longest curve to trace in each direction; default 1000 [rad, m]
  double t;            ///< time of drivers [s]
  bool ignore_limits;  ///< ignore position limits; default false
  int nshape;          ///< shapes of the robot
  const mbd_shape_t * shape;
  int nobstacle;  ///< obstacles in the world
  const mbd_capsule_t * obstacle;
} mbd_self_motion_options_t;

/// What ends a motion along the curve.
typedef enum mbd_self_motion_end {
  MBD_SELF_MOTION_REGULAR = 0,   ///< nothing
  MBD_SELF_MOTION_LIMIT = 1,     ///< a position limit
  MBD_SELF_MOTION_OBSTACLE = 2,  ///< a shape touches an obstacle
  MBD_SELF_MOTION_SINGULAR = 3,  ///< the curve meets another branch, or does not go on
  MBD_SELF_MOTION_LENGTH = 4     ///< longest curve, most points or most steps
} mbd_self_motion_end_t;

/// A point of the curve.
typedef struct mbd_self_motion_state {
  int freedom;                ///< degrees of freedom that the rows leave: 1
  double s;                   ///< length of the curve since mbd_self_motion_start [rad, m]
  mbd_self_motion_end_t end;  ///< what ended the last step
  double manipulability;      ///< |J J^T|^(1/2) of the independent rows, Haug 9.15
  int limit;                  ///< degree of freedom nearest to a limit, or -1
  double margin;              ///< its distance, negative beyond it; infinite: no limits [rad, m]
  mbd_clearance_t clearance;  ///< from the obstacles
} mbd_self_motion_state_t;

/// An interval of the curve within limits and free of obstacles.
typedef struct mbd_self_motion_arc {
  double begin, end;  ///< [rad, m]; on a closed curve, end may exceed its length
  mbd_self_motion_end_t begin_at, end_at;
  int begin_limit, end_limit;  ///< degree of freedom at its limit there, or -1
} mbd_self_motion_arc_t;

/// A traced curve, in memory of the caller.
typedef struct mbd_self_motion_curve {
  int most, most_arcs;          ///< space
  double * s;                   ///< length at each point                         [most]
  double * q;                   ///< row-major                                    [most nq]
  mbd_self_motion_arc_t * arc;  ///< or NULL: none wanted                         [most_arcs]
  int * winding;                ///< turns of each angle, or NULL                 [nv]
  // results
  int n, narc;
  bool closed;                       ///< the last point is the first one but for whole turns
  double length;                     ///< [rad, m]
  mbd_self_motion_end_t begin, end;  ///< what ends a curve that is not closed
  double least_manipulability, most_manipulability;
} mbd_self_motion_curve_t;

typedef struct mbd_self_motion mbd_self_motion_t;  ///< a self-motion

/// Six measures whose values are zero where the frame has the pose: positions and rotation vector along the
/// axes of the pose. Leave some out to leave components free.
static inline void
mbdu_pose_measures(int frame, mbd_placement_t pose, mbd_measure_t measure[6])
{
  static const mbd_measure_type_t type[6] = {MBD_MEASURE_X,          MBD_MEASURE_Y,
                                             MBD_MEASURE_Z,          MBD_MEASURE_ROTATION_X,
                                             MBD_MEASURE_ROTATION_Y, MBD_MEASURE_ROTATION_Z};
  for (int k = 0; k < 6; k++) {
    measure[k] = mbd_measure_default();
    measure[k].name = mbd_measure_type_name(type[k]);
    measure[k].type = type[k];
    measure[k].X_a = pose;
    measure[k].frame_b = frame;
  }
}

/// Default options, as above.
MBD_PUBLIC
mbd_self_motion_options_t mbd_self_motion_options_default(void);

/// Size in bytes; 0 for a model that is NULL or not finalized, or a negative number of measures.
MBD_PUBLIC
size_t mbd_self_motion_size(const mbd_model_t * model, int nmeasure);

/// Create a self-motion in memory of the caller, aligned as by malloc.
/// \param[in]  model     finalized; must outlive the self-motion
/// \param[in]  measure   held measures; must outlive the self-motion, as must shapes and obstacles
/// \param[in]  options   NULL: defaults
/// \return MBD_OK; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_NOT_FINALIZED, MBD_ERROR_TOO_SMALL, MBD_ERROR_BAD_ARGUMENT
///   (options, number), MBD_ERROR_UNSUPPORTED (embedded loops, flexible links, nonholonomic closures)
///
/// Allocates no | Thread-safe yes | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_self_motion_init(
  const mbd_model_t * model, int nmeasure, const mbd_measure_t * measure,
  const mbd_self_motion_options_t * options, void * memory, size_t size,
  mbd_self_motion_t ** motion);

/// Begin at a configuration. The positive direction is that of the last start or step if there was one, so that a
/// measure can move between starts; at first that in which the joint that moves most increases.
/// \param[in,out] data   the position stage of q is set
/// \param[in]     value  values to hold, or NULL: those at q; q is corrected to them
/// \param[in,out] q      model->nq, assembled
/// \param[out]    state  or NULL
/// \return MBD_OK; as mbd_set_position and mbd_measure; MBD_ERROR_BAD_ARGUMENT (state->freedom, which is set then,
///   is not 1: no self-motion, or a surface of them); MBD_ERROR_SINGULAR (q is singular); MBD_ERROR_NOT_CONVERGED
///   (closures or values were not reached from q). On error q is unchanged.
///
/// Complexity O(rows^2 nv) | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_self_motion_start(
  mbd_self_motion_t * motion, mbd_data_t * data, const double * value, double * q,
  mbd_self_motion_state_t * state);

/// Move along the curve. Limits and obstacles are not crossed: the motion ends there. Beyond them it goes on as
/// long as it gets no worse.
/// \param[in]  ds     length, of any sign, at most 1000 steps [rad, m]
/// \param[out] q      model->nq; the measures have their values to the tolerance
/// \param[out] state  or NULL
/// \return MBD_OK, also if the motion ended before; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE (not started),
///   MBD_ERROR_NOT_FINITE, MBD_ERROR_BAD_ARGUMENT (ds), MBD_ERROR_MODEL_MISMATCH
///
/// Complexity O(rows^2 nv) per step | Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_self_motion_step(
  mbd_self_motion_t * motion, mbd_data_t * data, double ds, double * q,
  mbd_self_motion_state_t * state);

/// Nearest configuration on the curve, in both directions, that is within limits and has a clearance.
/// \param[in]  clearance  from obstacles [m]
/// \param[in]  reach      longest motion along the curve, at most 1000 steps [rad, m]
/// \param[out] q          model->nq
/// \param[out] state      its s is the motion that was needed; or NULL
/// \return MBD_OK; MBD_ERROR_NO_SOLUTION (none within reach; q is not written, and the self-motion is where it was);
///   as mbd_self_motion_step
///
/// Allocates no | Thread-safe per data | Real-time safe yes
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_self_motion_avoid(
  mbd_self_motion_t * motion, mbd_data_t * data, double clearance, double reach, double * q,
  mbd_self_motion_state_t * state);

/// Trace the curve from the start of the self-motion: around it if it is closed, otherwise to both of its ends;
/// s is zero at the first point. Points are at most a step apart. Limits and obstacles do not end it: arcs between
/// them are found, their ends by bisection. An angle is within its limits if whole turns bring it there, so
/// the arcs are those of the positions of the links. Arcs of less than a step may be missed. The self-motion
/// stays where it was.
/// \return MBD_OK; MBD_ERROR_NULL_ARGUMENT, MBD_ERROR_STAGE, MBD_ERROR_BAD_ARGUMENT (most < 2),
///   MBD_ERROR_TOO_SMALL (more arcs than space: the first ones are there)
///
/// Allocates no | Thread-safe per data | Real-time safe no: O(length / step)
MBD_PUBLIC
MBD_WARN_UNUSED
mbd_status_t mbd_self_motion_trace(
  mbd_self_motion_t * motion, mbd_data_t * data, mbd_self_motion_curve_t * curve);

#ifdef __cplusplus
}
#endif

#endif  // MBDYN__SELF_MOTION_H_
