// Distances of capsules.
#include "mbdyn/clearance.h"

#include <math.h>
#include <string.h>

#include "mbdyn/kinematics.h"
#include "state/state.h"

mbd_shape_t
mbd_shape_default(void)
{
  mbd_shape_t shape;
  memset(&shape, 0, sizeof shape);
  return shape;
}

static double
clamp(double x)
{
  // NaN of a point divided by its length becomes 0
  return x > 0 ? fmin(x, 1) : 0;
}

static mbd_vec3_t
along(const mbd_capsule_t * c, mbd_vec3_t d, double s)
{
  return mbdu_vec3_add(c->a, mbdu_vec3_scale(s, d));
}

// squared distance of the points s and t
static double
square_at(
  const mbd_capsule_t * a, const mbd_capsule_t * b, mbd_vec3_t da, mbd_vec3_t db, double s,
  double t)
{
  const mbd_vec3_t r = mbdu_vec3_sub(along(a, da, s), along(b, db, t));
  return mbdu_vec3_dot(r, r);
}

double
mbd_capsule_distance(const mbd_capsule_t * a, const mbd_capsule_t * b)
{
  if (!a || !b) return (double)NAN;
  const mbd_vec3_t da = mbdu_vec3_sub(a->b, a->a), db = mbdu_vec3_sub(b->b, b->a);
  const mbd_vec3_t r = mbdu_vec3_sub(a->a, b->a);
  const double aa = mbdu_vec3_dot(da, da), bb = mbdu_vec3_dot(db, db), ab = mbdu_vec3_dot(da, db);
  const double ra = mbdu_vec3_dot(r, da), rb = mbdu_vec3_dot(r, db);
  // the four ends against the other segment, and the common normal if it is within both
  double least = square_at(a, b, da, db, 0, clamp(rb / bb));
  least = fmin(least, square_at(a, b, da, db, 1, clamp((rb + ab) / bb)));
  least = fmin(least, square_at(a, b, da, db, clamp(-ra / aa), 0));
  least = fmin(least, square_at(a, b, da, db, clamp((ab - ra) / aa), 1));
  const double det = aa * bb - ab * ab;
  const double s = (ab * rb - bb * ra) / det, t = (aa * rb - ab * ra) / det;
  if (s >= 0 && s <= 1 && t >= 0 && t <= 1) least = fmin(least, square_at(a, b, da, db, s, t));
  return sqrt(least) - a->radius - b->radius;
}

static mbd_status_t
check_capsule(const mbd_capsule_t * c)
{
  if (!finite_vec3(c->a) || !finite_vec3(c->b) || !isfinite(c->radius)) return MBD_ERROR_NOT_FINITE;
  return c->radius >= 0 ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_clearance(
  const mbd_model_t * model, mbd_data_t * data, int nshape, const mbd_shape_t * shape,
  int nobstacle, const mbd_capsule_t * obstacle, mbd_clearance_t * clearance)
{
  if (!clearance) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  if (nshape < 0 || nobstacle < 0) return MBD_ERROR_BAD_ARGUMENT;
  if ((nshape && !shape) || (nobstacle && !obstacle)) return MBD_ERROR_NULL_ARGUMENT;
  mbd_clearance_t r = {HUGE_VAL, -1, -1};
  for (int k = 0; k < nobstacle; k++) CHECK(check_capsule(&obstacle[k]));
  for (int i = 0; i < nshape; i++) {
    CHECK(check_capsule(&shape[i].capsule));
    mbd_placement_t X;
    CHECK(mbd_frame_placement(model, data, shape[i].frame, &X));
    const mbd_capsule_t c = {
      mbdu_placement_point(&X, shape[i].capsule.a), mbdu_placement_point(&X, shape[i].capsule.b),
      shape[i].capsule.radius};
    for (int k = 0; k < nobstacle; k++) {
      const double distance = mbd_capsule_distance(&c, &obstacle[k]);
      if (distance < r.distance) r = (mbd_clearance_t){distance, i, k};
    }
  }
  *clearance = r;
  return MBD_OK;
}
