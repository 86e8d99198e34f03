/// \file joint_input_internal.h
/// What joint_input.c, joint_layout.c and joint_filter.c share.
///
///   joint_layout_t, joint_layout_find     a list of names, and where each goes
///   joint_dof_t, joint_sample_t           a degree of freedom, and what a message says about it
///   joint_filter_take, joint_filter_planar, joint_filter_acceleration    samples to v and
///                                         acceleration
///   joint_clock_t, joint_clock_pass       the stamps of one publisher
///   joint_input_count_missing
#ifndef MBDYN_ROS__JOINT_INPUT_INTERNAL_H_
#define MBDYN_ROS__JOINT_INPUT_INTERNAL_H_

#include "joint_input.h"

/// Stamps of messages that come from one place.
typedef struct joint_clock {
  int64_t stamp;            // newest taken; 0: none
  bool backwards;           // the last ones were older
  int64_t backwards_since;  // arrival of the first of them
} joint_clock_t;

/// The name at `from` in the message is degree of freedom `to`.
typedef struct joint_entry {
  uint32_t from;
  int to;
} joint_entry_t;

typedef struct joint_layout {
  uint64_t used;   // when; 0: never
  uint8_t * copy;  // names.data points here
  wire_names_t names;
  joint_entry_t * entry;  // [nentry], at most nv
  uint32_t nentry;
  bool duplicate;  // a joint of the robot is there twice
  joint_clock_t clock;
} joint_layout_t;

/// What messages call a degree of freedom.
typedef struct joint_name {
  char * text;
  int dof;
} joint_name_t;

typedef struct joint_sample {
  double position;
  double velocity;         // NaN: not given
  int64_t stamp, arrival;  // stamp 0: none
} joint_sample_t;

typedef enum joint_step {
  STEP_FIRST,  // nothing to differentiate from
  STEP_SHORT,  // too soon after the last one to differentiate
  STEP_NEXT
} joint_step_t;

typedef struct joint_dof {
  bool wraps;           // an angle that may come back by 2 pi
  bool seen;            // some message had it
  bool heard;           // since the restart
  bool velocity_seen;   // some message had its velocity as a number
  bool taken;           // the sample of the newest message that has it
  int64_t stamp;        // of the newest sample; 0: none
  int64_t arrival;      // of the newest sample
  joint_sample_t from;  // what is differentiated from
  double from_v;
  bool from_v_known;
  double rate;        // derivative of q: given, or differentiated and low-passed
  joint_step_t step;  // that the newest sample made
  double dt;          // if STEP_NEXT [s]
} joint_dof_t;

/// Exact first-order low-pass; remembers its last coefficient, as joints of a message share dt.
typedef struct joint_lowpass {
  double cutoff;  // [Hz]; 0: none
  double dt, keep;
} joint_lowpass_t;

struct joint_input_private {
  /// All joints, as messages have them; the public arrays are these, or what embedding leaves.
  const mbd_model_t * tree;
  double *q, *v, *a, *effort;
  bool * velocity_given;
  mbd_data_t * loops;  // of an embedded model, else NULL
  bool * dependent;    // follows from the others by loops and gears [nv]
  bool open;           // the loops could not be closed

  int64_t timeout;  // [ns]
  bool check_stamp;
  joint_lowpass_t velocity, acceleration;
  joint_dof_t * dof;  // [nv]
  bool * may_miss;    // optional, or follows another [nbody]
  int * follower;     // bodies that follow another, leaders before followers
  int nfollower;
  joint_name_t * name;  // sorted
  size_t nname;
  bool * met;  // scratch [nv]
  size_t names_capacity;
  uint64_t tick;
  joint_layout_t layout[JOINT_INPUT_LAYOUTS + 1];  // the last is where new ones are made
  joint_clock_t base_clock;
};

/// joint_loops.c: the state of an embedded model from that of all joints.
/// False if out of memory; joint_loops_fini all the same.
bool joint_loops_init(joint_input_t * input);
void joint_loops_fini(joint_input_t * input);
/// Closes the loops at q and fills the public arrays in; nothing to do without loops.
void joint_loops_close(joint_input_t * input);

/// False if out of memory; joint_layouts_fini all the same.
bool joint_layouts_init(joint_input_t * input);
void joint_layouts_fini(joint_input_t * input);
/// Whether the numbers of a joint can be told from names.
bool joint_layout_readable(const mbd_body_t * body);
/// Where the names go: as remembered, or found and remembered.
joint_layout_t * joint_layout_find(joint_input_t * input, const wire_names_t * names);

/// A sample of a degree of freedom: rate, and v but for planar joints.
/// \return false if it is older than what is there, which is fresh
bool joint_filter_take(joint_input_t * input, int k, const joint_sample_t * sample);
/// After the samples of a message: v of planar joints.
void joint_filter_planar(joint_input_t * input);
/// After that, for each degree of freedom that had a sample: its acceleration.
void joint_filter_acceleration(joint_input_t * input, int k);

/// Stamps in order and not off? Counts what is not; a jump of the clock restarts the input.
bool joint_clock_pass(
  joint_input_t * input, joint_clock_t * clock, int64_t stamp, int64_t now, int64_t arrival);

/// Number of joints that must come and never did.
void joint_input_count_missing(joint_input_t * input);

#endif  // MBDYN_ROS__JOINT_INPUT_INTERNAL_H_
