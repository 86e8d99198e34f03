// A robot to measure: from a URDF file or generated, with its frames and states.
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "mbdyn/urdf.h"
#include "robot_parts.h"

void
bench_case_free(bench_case_t * c)
{
  if (c == NULL) return;
  free(c->name);
  free(c->link);
  free(c->link_names);
  free(c->urdf);
  free(c->joint);
  free(c->frame);
  free(c->states);
  free(c);
}

//---------- what both kinds have in common ----------

// depth first, siblings in the order of the list: the order of q and v
static bool
list_joints(bench_case_t * c)
{
  bench_robot_t * robot = &c->robot;
  robot->njoint = robot->nlink - 1;
  robot->nv = robot->njoint + (robot->floating ? 6 : 0);
  robot->nq = robot->njoint + (robot->floating ? 7 : 0);
  c->joint = calloc((size_t)robot->nlink, sizeof *c->joint);
  if (c->joint == NULL) return false;
  for (int i = 0; i < robot->njoint; i++) c->joint[i] = c->link[i + 1].joint;
  robot->joint = c->joint;
  return true;
}

static bool
is_moving_link(const bench_robot_t * robot, const char * name)
{
  for (int i = robot->floating ? 0 : 1; i < robot->nlink; i++)
    if (strcmp(robot->link[i].name, name) == 0) return true;
  return false;
}

// frames that the user wants
static bool
take_frames(bench_case_t * c, const bench_settings_t * settings, char * why)
{
  for (int i = 0; i < settings->nframe; i++) {
    if (!is_moving_link(&c->robot, settings->frame[i])) {
      snprintf(why, BENCH_WHY, "no joint carries a link '%s'", settings->frame[i]);
      return false;
    }
  }
  c->frame = calloc((size_t)settings->nframe, sizeof *c->frame);
  if (c->frame == NULL) return snprintf(why, BENCH_WHY, "out of memory"), false;
  memcpy(c->frame, settings->frame, (size_t)settings->nframe * sizeof *c->frame);
  c->robot.nframe = settings->nframe;
  return true;
}

// operational-space inertias exist where the frames can be accelerated in all directions
static bool
add_frames(bench_case_t * c, const bench_settings_t * settings, char * why)
{
  c->functions = BENCH_ALL_FUNCTIONS;
  const bool given = settings->nframe > 0;
  if (given && !take_frames(c, settings, why)) return false;
  const int free_frames = given ? bench_free_frames(c) : bench_choose_frames(c);
  if (free_frames < 0) return snprintf(why, BENCH_WHY, "out of memory"), false;
  const bool several = free_frames > 1 && free_frames == c->robot.nframe;
  if (free_frames < 1) c->functions &= ~BENCH_BIT(BENCH_OPERATIONAL_INERTIA);
  if (!several) c->functions &= ~BENCH_BIT(BENCH_OPERATIONAL_INERTIAS);
  c->robot.frame = c->frame;
  if (free_frames < 1 || bench_avoid_singular(c, free_frames, ~settings->seed)) return true;
  return snprintf(why, BENCH_WHY, "out of memory"), false;
}

// everything that follows from the links
static bool
complete_case(bench_case_t * c, const bench_settings_t * settings, char * why)
{
  snprintf(why, BENCH_WHY, "out of memory");
  c->robot.link = c->link;
  c->robot.name = c->name;
  c->robot.gravity[2] = -9.81;
  if (!list_joints(c) || !bench_make_states(c, settings)) return false;
  if (!add_frames(c, settings, why)) return false;
  c->robot.urdf = c->urdf = bench_urdf_text(&c->robot);
  return c->urdf != NULL;
}

//---------- from a file ----------

static char *
name_of(const char * path)
{
  const char * slash = strrchr(path, '/');
  char * name = strdup(slash != NULL ? slash + 1 : path);
  char * dot = name != NULL ? strrchr(name, '.') : NULL;
  if (dot != NULL && dot != name) *dot = 0;
  return name;
}

static mbd_model_t *
read_model(const char * path, bool floating, char * why)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false;  // takes trees
  options.base = floating ? MBDX_BASE_FLOATING : MBDX_BASE_FIXED;
  options.mimic_independent = true;
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status = mbdx_urdf_load_file(path, &options, &model, &report);
  if (status != MBD_OK) snprintf(why, BENCH_WHY, "%s", mbd_status_string(status));
  for (int i = 0; status != MBD_OK && report != NULL && i < report->n; i++) {
    if (report->entry[i].severity != MBDX_ERROR) continue;
    snprintf(why, BENCH_WHY, "%s", report->entry[i].text);
    break;
  }
  mbdx_report_free(report);
  return model;
}

bench_case_t *
bench_case_file(const char * path, bool floating, const bench_settings_t * settings, char * why)
{
  mbd_model_t * model = read_model(path, floating, why);
  if (model == NULL) return NULL;
  bench_case_t * c = calloc(1, sizeof *c);
  bool fine = c != NULL && (c->name = name_of(path)) != NULL;
  if (!fine) snprintf(why, BENCH_WHY, "out of memory");
  if (fine) c->robot.floating = floating;
  fine = fine && bench_links_model(c, model, floating, why) && complete_case(c, settings, why);
  mbd_model_destroy(model);
  if (fine) return c;
  bench_case_free(c);
  return NULL;
}

//---------- generated ----------

bench_case_t *
bench_case_chain(int n, bool floating, const bench_settings_t * settings, char * why)
{
  bench_case_t * c = calloc(1, sizeof *c);
  char name[32];
  snprintf(name, sizeof name, "chain%d", n);
  snprintf(why, BENCH_WHY, "out of memory");
  bool fine = c != NULL && (c->name = strdup(name)) != NULL;
  if (fine) c->robot.floating = floating;
  fine =
    fine && bench_links_chain(c, n, floating, settings->seed) && complete_case(c, settings, why);
  if (fine) return c;
  bench_case_free(c);
  return NULL;
}
