/// \file closed_loop.h
/// The control library (mbdyn/control.h) and the simulated robot (plant.h), one driving the other.
///
///   closed_open, closed_free   a robot of config/robots, with its loops
///   closed_strengthen          motors as strong as their limits have digits, before closed_start
///   closed_set                 a parameter, before closed_start or closed_use
///   closed_start               controller and robot, at rest at q
///   closed_scale_friction      of the robot alone: its model has that of the file, before closed_start
///   closed_use                 changed parameters
///   closed_step, closed_run    measure, update, move; for a time
///   closed_ready               the robot waits in brakes until there are commands
///   closed_frame, closed_placement
///   closed_random              a configuration within the limits
///
/// Header only. Motors hold their efforts for a period. Friction and limits of the robot are off until the test turns
/// them on (loop->plant->options).
#ifndef CLOSED_LOOP_H_
#define CLOSED_LOOP_H_

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "close.h"
#include "mbdyn/constraints.h"
#include "mbdyn/control.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/spatial.h"
#include "mbdyn/urdf.h"
#include "plant.h"
#include "random_tree.h"

enum { CLOSED_MAX = 64 };

typedef struct closed {
  char * urdf;
  double friction_scale;  ///< of the robot, against its model
  mbdc_settings_t * settings;
  mbdc_controller_t * control;
  const mbd_model_t * model;  ///< the controller's
  const mbd_model_t * tree;   ///< with all joints
  mbd_data_t * data;          ///< of the model, for the test's own computations
  mbd_model_t * robot;        ///< the plant's, if it is another
  plant_t * plant;
  int n;                      ///< joints
  int64_t period;             ///< [ns]
  mbdc_input_t input;         ///< references are the test's; the rest is measured
  mbdc_result_t result;       ///< of the last update
  double effort[CLOSED_MAX];  ///< of the last update
  double noise[CLOSED_MAX];   ///< of the measured positions
  double seen[CLOSED_MAX];
  double measured[CLOSED_MAX];  ///< efforts that the joints report; NaN: none
} closed_t;

static inline char *
closed_read(const char * path)
{
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long size = ftell(file);
  assert_true(size > 0);
  rewind(file);
  char * text = calloc((size_t)size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
  fclose(file);
  return text;
}

static inline void
closed_set(closed_t * loop, const char * name, const char * text)
{
  char reason[300] = "";
  if (mbdc_set(loop->settings, name, text, reason, sizeof reason) != MBD_OK) fail_msg("%s", reason);
}

static inline void
closed_open(closed_t * loop, const char * robot)
{
  const char * const folder = MBDYN_SOURCE_DIR "/config/robots";
  char path[512];
  memset(loop, 0, sizeof *loop);
  loop->period = 1000000;
  loop->friction_scale = 1;
  loop->settings = mbdc_settings_create();
  assert_non_null(loop->settings);
  snprintf(path, sizeof path, "%s/%s.urdf", folder, robot);
  loop->urdf = closed_read(path);
  snprintf(path, sizeof path, "%s/%s.loops.yaml", folder, robot);
  FILE * loops = fopen(path, "r");
  if (loops) {
    fclose(loops);
    closed_set(loop, "loops_file", path);
  }
  for (int k = 0; k < CLOSED_MAX; k++) loop->measured[k] = (double)NAN;
}

static inline void
closed_strengthen(closed_t * loop)
{
  static const char word[] = "effort=\"";
  for (char * p = strstr(loop->urdf, word); p; p = strstr(p, word)) {
    for (p += sizeof word - 1; *p != '"'; p++) *p = '9';
  }
}

static inline void
closed_drop(closed_t * loop)
{
  plant_destroy(loop->plant);
  mbd_data_destroy(loop->data);
  mbdc_destroy(loop->control);
  mbd_model_destroy(loop->robot);
  loop->plant = NULL, loop->robot = NULL, loop->data = NULL, loop->control = NULL;
}

static inline void
closed_free(closed_t * loop)
{
  closed_drop(loop);
  mbdc_settings_destroy(loop->settings);
  free(loop->urdf);
}

static inline void
closed_scale_friction(closed_t * loop, double scale)
{
  loop->friction_scale = scale;
}

// the file with other numbers for dry friction; robots without loops
static inline mbd_model_t *
closed_other_robot(const closed_t * loop)
{
  static const char word[] = " friction=\"";
  mbd_model_t * model;
  if (loop->friction_scale == 1 || loop->model->tree) return NULL;
  char * text = calloc(4, strlen(loop->urdf));
  assert_non_null(text);
  char * out = text;
  for (const char * p = loop->urdf; *p;) {
    if (strncmp(p, word, sizeof word - 1) != 0) {
      *out++ = *p++;
      continue;
    }
    char * end;
    const double friction = strtod(p + sizeof word - 1, &end);
    out += sprintf(out, "%s%.6g", word, loop->friction_scale * friction);
    p = end;
  }
  assert_ok(mbdx_urdf_load_string(text, strlen(text), "robot", NULL, &model, NULL));
  free(text);
  return model;
}

/// \param[in] q  of all joints [tree->nq]; NULL: plant_start
static inline void
closed_start(closed_t * loop, const double * q)
{
  char reason[300] = "";
  closed_drop(loop);
  const mbd_status_t status = mbdc_create_from_urdf(
    loop->urdf, strlen(loop->urdf), NULL, loop->settings, &loop->control, reason, sizeof reason);
  if (status != MBD_OK) fail_msg("%s", reason);
  loop->model = mbdc_model(loop->control);
  loop->tree = loop->model->tree ? loop->model->tree : loop->model;
  loop->n = mbdc_joint_count(loop->control);
  // joints of one degree of freedom and no floating base: everything is numbered alike
  assert_true(loop->n == loop->tree->nv && loop->n == loop->tree->nq && loop->n <= CLOSED_MAX);
  assert_ok(mbd_data_create(loop->model, &loop->data));
  loop->robot = closed_other_robot(loop);
  loop->plant = plant_create(loop->robot ? loop->robot : loop->model);
  assert_non_null(loop->plant);
  plant_options_t options = plant_options_default(loop->tree);
  options.friction = options.limits = false;
  plant_set_options(loop->plant, &options);
  assert_ok(plant_reset(loop->plant, q));
  loop->input = (mbdc_input_t){.time = 1000000000};
  mbdc_activate(loop->control);
}

static inline void
closed_use(closed_t * loop)
{
  char reason[300] = "";
  const mbd_status_t status = mbdc_configure(loop->control, loop->settings, reason, sizeof reason);
  if (status != MBD_OK) fail_msg("%s", reason);
}

static inline void
closed_step(closed_t * loop)
{
  for (int k = 0; k < loop->n; k++) loop->seen[k] = loop->plant->q[k] + loop->noise[k];
  loop->input.position = loop->seen;
  loop->input.velocity = loop->plant->v;
  loop->input.effort = loop->measured;
  loop->result = mbdc_update(loop->control, &loop->input, loop->effort);
  assert_ok(plant_step(loop->plant, loop->effort, 1e-9 * (double)loop->period));
  loop->input.time += loop->period;
  loop->input.period = loop->period;
}

static inline void
closed_run(closed_t * loop, double seconds)
{
  const int64_t end = loop->input.time + (int64_t)llround(1e9 * seconds);
  while (loop->input.time < end) closed_step(loop);
}

static inline void
closed_ready(closed_t * loop)
{
  double q[CLOSED_MAX];
  memcpy(q, loop->plant->q, sizeof(double) * (size_t)loop->n);
  for (int i = 0; i < 100; i++) {
    closed_step(loop);
    assert_ok(plant_reset(loop->plant, q));
    if (loop->result == MBDC_COMMANDED) return;
  }
  fail_msg("no command: %d", loop->result);
}

static inline int
closed_frame(const closed_t * loop, const char * name)
{
  int frame;
  assert_ok(mbd_find_frame(loop->model, name, &frame));
  return frame;
}

/// Where a frame is in the robot's present state.
static inline mbd_placement_t
closed_placement(closed_t * loop, int frame)
{
  mbd_placement_t X;
  assert_ok(mbd_set_position(loop->model, loop->data, loop->plant->q));
  assert_ok(mbd_frame_placement(loop->model, loop->data, frame, &X));
  return X;
}

/// Every joint in the middle part of its range, or within a radian of zero.
/// \param[in] part  of half the range
static inline void
closed_random(const closed_t * loop, uint64_t * seed, double part, double * q)
{
  for (int k = 0; k < loop->tree->nv; k++) {
    const mbd_limits_t * limit = &loop->tree->body[loop->tree->dof_body[k]].limits;
    const bool bounded = isfinite(limit->lower) && isfinite(limit->upper);
    const double middle = bounded ? (limit->lower + limit->upper) / 2 : 0;
    const double half = bounded ? fmin((limit->upper - limit->lower) / 2, 1.5) : 1;
    q[k] = middle + part * half * random_signed(seed);
  }
}

#endif  // CLOSED_LOOP_H_
