/// \file demo_rig.h
/// A bundled robot, or one that can do less, and the demo's measures of it, for tests.
///
///   rig_load, rig_drop
#ifndef DEMO_RIG_H_
#define DEMO_RIG_H_

#include <stdio.h>
#include <string.h>

#include "close.h"
#include "demo_measure.h"
#include "mbdyn/mbdyn.h"
#include "mbdyn/urdf.h"

typedef struct rig {
  mbd_model_t * model;
  demo_robot_t robot;
  demo_measures_t m;
} rig_t;

// every occurrence by something as long
static inline void
rig_replace(char * text, const char * from, const char * to)
{
  assert_int_equal(strlen(from), strlen(to));
  assert_non_null(strstr(text, from));
  for (char * c = text; (c = strstr(c, from)) != NULL;) memcpy(c, to, strlen(to));
}

/// \param[in] name  of a file in config/robots; ":weak" after it: one whose shoulder can hardly hold
///   it, ":slow": one whose joints hardly turn
static inline rig_t *
rig_load(const char * name)
{
  enum { MOST = 1 << 20 };
  static rig_t rig;
  static char text[MOST];
  char path[512], reason[200] = "";
  const mbdx_urdf_options_t options = mbdx_urdf_options_default();
  const int length = (int)strcspn(name, ":");
  snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%.*s.urdf", length, name);
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  text[fread(text, 1, MOST - 1, file)] = 0;
  fclose(file);
  if (strcmp(name + length, ":weak") == 0) rig_replace(text, "effort=\"87\"", "effort=\"14\"");
  if (strcmp(name + length, ":slow") == 0) {
    rig_replace(text, "velocity=\"2.175\"", "velocity=\"0.300\"");
  }
  assert_ok(mbdx_urdf_load_string(text, strlen(text), path, &options, &rig.model, NULL));
  if (!demo_robot_init(&rig.robot, rig.model, reason, sizeof reason)) fail_msg("%s", reason);
  assert_true(demo_measures_init(&rig.m, &rig.robot));
  return &rig;
}

static inline void
rig_drop(rig_t * rig)
{
  demo_measures_fini(&rig->m);
  demo_robot_fini(&rig->robot);
  mbd_model_destroy(rig->model);
}

#endif  // DEMO_RIG_H_
