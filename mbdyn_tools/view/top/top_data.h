/// \file top_data.h
/// What `mbdyn top` shows, copied out of the listening thread. No terminal.
///
///   top_take      a robot as it is now
///   top_sort      the order of its joints
///   top_used      how much of a limit is used
#ifndef TOP_DATA_H_
#define TOP_DATA_H_

#include "live.h"

enum { TOP_SPARK = 128 };

/// Limits of a joint.
typedef enum top_limit { TOP_NO_LIMIT, TOP_POSITION, TOP_VELOCITY, TOP_TORQUE } top_limit_t;

typedef struct top_joint {
  char name[LIVE_NAME];
  double x[LIVE_COLUMNS];
  double lower, upper, velocity, effort;  ///< limits
  bool saturated;
  top_limit_t nearest;  ///< limit that is used most
  double used;          ///< of it: 1 is the limit; NaN: no limit is known
  int nspark;
  float spark[TOP_SPARK];  ///< one number per 0.2 s, oldest first
} top_joint_t;

typedef struct top_data {
  bool known;
  int robots, robot;  ///< how many, and which
  char node[LIVE_NAME], model[LIVE_NAME], state[64], mode[64];
  bool alive;
  double t, scalar[LIVE_SCALARS];
  double threshold;
  double dynamics_hz, states_hz;
  uint64_t dropped;
  int n, nsaturated;
  top_joint_t joint[LIVE_JOINTS];
} top_data_t;

typedef enum top_key {
  TOP_BY_ORDER,
  TOP_BY_NAME,
  TOP_BY_POSITION,
  TOP_BY_VELOCITY,
  TOP_BY_TOTAL,
  TOP_BY_GRAVITY,
  TOP_BY_RESIDUAL,
  TOP_BY_LIMIT,
  TOP_KEYS
} top_key_t;

/// "order", "name", ...
const char * top_key_name(top_key_t key);

/// \param[in] robot  which; taken modulo their number
/// \param[in] spark  column of the sparklines
void top_take(top_data_t * data, live_t * live, int robot, live_column_t spark);

/// Largest first, by magnitude; names from a to z. What is not known comes last.
void top_sort(const top_data_t * data, top_key_t key, bool reverse, int order[LIVE_JOINTS]);

/// Fills nearest and used.
void top_used(top_joint_t * joint);

#endif  // TOP_DATA_H_
