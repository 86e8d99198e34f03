// Joints that the caller wants locked: the model with them as fixed joints.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/integrate.h"
#include "urdf_internal.h"

// 0, or the limit that is nearest to it
static double
default_position(const mbd_limits_t * limits)
{
  if (limits->lower > 0) return limits->lower;
  return limits->upper < 0 ? limits->upper : 0;
}

// "JOINT" or "JOINT: POSITION"
typedef struct lock {
  char name[URDF_MAX_NAME + 1];
  int body;
  bool given;  // a position
  double position;
} lock_t;

// false with a sentence
static bool
split(urdf_loader_t * loader, const mbd_model_t * tree, const char * text, lock_t * lock)
{
  const urdf_place_t place = {"lock", text, 0};
  const char * colon = text ? strrchr(text, ':') : NULL;
  *lock = (lock_t){.body = -1};
  if (text && mbd_find_joint(tree, text, &lock->body) == MBD_OK) colon = NULL;
  const size_t n = colon ? (size_t)(colon - text) : text ? strlen(text) : 0;
  if (n > 0 && n < sizeof lock->name) memcpy(lock->name, text, n);
  if (lock->body < 0 && mbd_find_joint(tree, lock->name, &lock->body) != MBD_OK) {
    urdf_say(
      loader, MBDX_ERROR, place, "give JOINT or 'JOINT: POSITION'",
      "the robot has no moving joint %s", urdf_name(lock->name).s);
    return false;
  }
  if (!colon) return true;
  char * end = NULL;
  lock->given = true;
  lock->position = strtod(colon + 1, &end);
  const bool number = end > colon + 1 && isfinite(lock->position);
  while (*end == ' ') end++;
  if (number && *end == 0) return true;
  urdf_say(loader, MBDX_ERROR, place, NULL, "%s is not a position", urdf_value(colon + 1).s);
  return false;
}

// a lock with its position in q; false with a sentence
static bool
take_lock(
  urdf_loader_t * loader, const mbd_model_t * tree, const char * text, lock_t * lock, double * q)
{
  if (!split(loader, tree, text, lock)) return false;
  const mbd_body_t * body = &tree->body[lock->body];
  const urdf_place_t place = {"lock", text, 0};
  if (body->nq > 1) {
    if (!lock->given) return true;
    urdf_say(
      loader, MBDX_ERROR, place, "leave the position out: it is locked at rest",
      "a %s joint has no single position", mbd_joint_type_name(body->type));
    return false;
  }
  const double at = lock->given ? lock->position : default_position(&body->limits);
  q[body->q_index] = at;
  if (at < body->limits.lower || at > body->limits.upper) {
    urdf_say(
      loader, MBDX_WARNING, place, NULL, "%g is outside of the limits of the joint, %g to %g", at,
      body->limits.lower, body->limits.upper);
  }
  return true;
}

// followers where their leaders put them; leaders may follow others
static void
place_mimics(const mbd_model_t * tree, double * q)
{
  for (int round = 0; round < tree->nmimic; round++) {
    for (int i = 0; i < tree->nbody; i++) {
      const mbd_body_t * body = &tree->body[i];
      if (body->mimic_body < 0) continue;
      const double leader = q[tree->body[body->mimic_body].q_index];
      q[body->q_index] = body->mimic_multiplier * leader + body->mimic_offset;
    }
  }
}

static void
say_not_locked(urdf_loader_t * loader, mbd_status_t status)
{
  const urdf_place_t place = {"lock", NULL, 0};
  const char * hint = NULL;
  if (status == MBD_ERROR_OUT_OF_MEMORY) {
    loader->out_of_memory = true;
    return;
  }
  if (status == MBD_ERROR_NOT_ASSEMBLED)
    hint = "lock the other joints of the loop too, at positions that close it";
  urdf_say(loader, MBDX_ERROR, place, hint, "%s", mbd_status_string(status));
}

static void
say_locked(
  urdf_loader_t * loader, const mbd_model_t * tree, const lock_t * lock, const double * q,
  const mbd_model_t * model)
{
  const int n = loader->options.nlock;
  for (int i = 0; i < tree->nbody; i++) {
    const mbd_body_t * body = &tree->body[i];
    const urdf_place_t place = {"joint", body->joint_name, 0};
    int left;
    bool named = false;
    for (int k = 0; k < n; k++) named = named || lock[k].body == i;
    if (mbd_find_joint(model, body->joint_name, &left) == MBD_OK) continue;
    if (!named) {
      urdf_say(loader, MBDX_NOTE, place, NULL, "locked too, since it can no longer move");
    } else if (body->nq == 1) {
      const char * unit = body->type == MBD_JOINT_PRISMATIC ? "m" : "rad";
      urdf_say(loader, MBDX_NOTE, place, NULL, "locked at %g %s", q[body->q_index], unit);
    } else {
      urdf_say(loader, MBDX_NOTE, place, NULL, "locked at rest");
    }
  }
}

static mbd_model_t *
lock_joints(
  urdf_loader_t * loader, const mbd_model_t * model, double * q, lock_t * lock, const char ** name)
{
  const mbdx_urdf_options_t * o = &loader->options;
  const mbd_model_t * tree = model->tree ? model->tree : model;
  mbd_model_t * made = NULL;
  mbd_status_t status = mbd_neutral(tree, q);
  bool good = status == MBD_OK;
  for (int k = 0; status == MBD_OK && k < o->nlock; k++) {
    good = take_lock(loader, tree, o->lock[k], &lock[k], q) && good;
    name[k] = lock[k].name;
  }
  if (status == MBD_OK && good && loader->status == MBD_OK) {
    if (!o->mimic_independent) place_mimics(tree, q);
    status = mbd_model_lock(model, o->nlock, name, q, &made);
  }
  if (status != MBD_OK) say_not_locked(loader, status);
  if (made) say_locked(loader, tree, lock, q, made);
  return made;
}

mbd_model_t *
urdf_lock(urdf_loader_t * loader, mbd_model_t * model)
{
  const size_t n = (size_t)loader->options.nlock;
  if (!model || n == 0) return model;
  double * q = calloc((size_t)model->nq + 1, sizeof *q);
  lock_t * lock = calloc(n, sizeof *lock);
  const char ** name = calloc(n, sizeof *name);
  mbd_model_t * made = NULL;
  if (q && lock && name) {
    made = lock_joints(loader, model, q, lock, name);
  } else {
    loader->out_of_memory = true;
  }
  free(q);
  free(lock);
  free(name);
  mbd_model_destroy(model);
  return made;
}
