#include "constraints/planar_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constraints/closure_rows.h"
#include "constraints/embedding_internal.h"

// directions and offsets that differ by less are the same: below what loops are closed to
#define ALIGNED 1e-13

//---------- what moves in parallel planes ----------

// the plane, and the axes of each body where the joints that turn it are at zero
typedef struct plane {
  mbd_vec3_t n, e1, e2;
  mbd_mat3_t * axes;
} plane_t;

static bool
is_parallel(mbd_vec3_t a, mbd_vec3_t b)
{
  return mbdu_vec3_norm(mbdu_vec3_cross(a, b)) < ALIGNED;
}

static bool
is_revolute(const mbd_body_t * body)
{
  return body->type == MBD_JOINT_REVOLUTE || body->type == MBD_JOINT_CONTINUOUS;
}

// a body that a frame is fixed to, by its place in the group; -1: the one that carries the group
static int
place_of(const mbdi_group_t * group, int body)
{
  for (int s = 0; s < group->nbody; s++) {
    if (group->body[s] == body) return s;
  }
  return -1;
}

// the normal is the axis of the first revolute joint
static bool
find_plane(const mbd_model_t * tree, const mbdi_group_t * group, plane_t * plane)
{
  bool found = false;
  for (int s = 0; s < group->nbody; s++) {
    const mbd_body_t * body = &tree->body[group->body[s]];
    const int p = group->inside[s];
    plane->axes[s] = p < 0 ? body->X_tree.R : mbdu_mat3_mul(&plane->axes[p], &body->X_tree.R);
    if (found || !is_revolute(body)) continue;
    plane->n = column_of(&plane->axes[s], 2);
    found = true;
  }
  if (!found) return false;
  const mbd_vec3_t n = plane->n;
  const mbd_vec3_t other = fabs(n.x) < 0.7 ? AXIS[0] : AXIS[1];
  plane->e1 = mbdu_vec3_cross(n, other);
  plane->e1 = mbdu_vec3_scale(1 / mbdu_vec3_norm(plane->e1), plane->e1);
  plane->e2 = mbdu_vec3_cross(n, plane->e1);
  return true;
}

// a vector of a body's axes in the plane; what is normal to it is returned
static double
in_plane(const plane_t * plane, int s, mbd_vec3_t r, double * x, double * y)
{
  if (s >= 0) r = mbdu_mat3_vec(&plane->axes[s], r);
  *x = mbdu_vec3_dot(plane->e1, r);
  *y = mbdu_vec3_dot(plane->e2, r);
  return mbdu_vec3_dot(plane->n, r);
}

// height[s]: of the body's origin over the plane
static bool
make_body(
  const mbd_model_t * tree, const mbdi_group_t * group, const plane_t * plane, int s,
  double * height, mbdi_planar_body_t * to)
{
  const mbd_body_t * body = &tree->body[group->body[s]];
  const int p = group->inside[s];
  const mbd_vec3_t z = column_of(&plane->axes[s], 2);
  const double along = mbdu_vec3_dot(plane->n, z);
  *to = (mbdi_planar_body_t){.parent = p, .q = body->q_index, .v = body->v_index};
  height[s] = in_plane(plane, p, body->X_tree.p, &to->x, &to->y) + (p < 0 ? 0 : height[p]);
  if (is_revolute(body)) {
    to->turn = along > 0 ? 1 : -1;
    return is_parallel(z, plane->n);
  }
  to->ux = mbdu_vec3_dot(plane->e1, z);
  to->uy = mbdu_vec3_dot(plane->e2, z);
  return body->type == MBD_JOINT_PRISMATIC && fabs(along) < ALIGNED;
}

// axis of A that is normal to the plane, or -1
static int
normal_axis(const mbd_closure_t * c, const plane_t * plane, const mbd_mat3_t * A)
{
  const int first = c->type == MBD_CLOSURE_SPHERICAL ? 0 : 2;
  for (int k = first; k < 3; k++) {
    if (is_parallel(column_of(A, k), plane->n)) return k;
  }
  return -1;
}

static bool
is_pin(const mbd_closure_t * c)
{
  const bool type = c->type == MBD_CLOSURE_REVOLUTE || c->type == MBD_CLOSURE_CYLINDRICAL ||
                    c->type == MBD_CLOSURE_SPHERICAL || c->type == MBD_CLOSURE_ON_LINE;
  return type && !c->driver.at && c->driver.value == 0 && c->driver.rate == 0;
}

// Rows that stay what they are while the group moves: they have to be closed from the beginning.
static bool
is_closed_across(const mbd_closure_t * c, const mbd_mat3_t * A, const mbd_mat3_t * B, double height)
{
  const parts_t parts = parts_of(c->type);
  if (parts.npoint == 3 && !(fabs(height) < ALIGNED)) return false;
  const mbd_vec3_t a = column_of(A, 2), b = column_of(B, 2);
  return !parts.parallel || (is_parallel(a, b) && mbdu_vec3_dot(a, b) > 0);
}

static bool
make_pin(
  const mbd_model_t * tree, const mbdi_group_t * group, const plane_t * plane,
  const double * height, const mbd_closure_t * c, int row, double * sign, mbdi_planar_pin_t * pin)
{
  if (!is_pin(c)) return false;
  *pin = (mbdi_planar_pin_t){.a = place_of(group, c->body_a), .b = place_of(group, c->body_b)};
  // a body is the one that carries the group if it is none of it
  if (pin->a < 0 && c->body_a != group->parent) return false;
  if (pin->b < 0 && c->body_b != group->parent) return false;
  const double at_a =
    in_plane(plane, pin->a, c->X_a.p, &pin->xa, &pin->ya) + (pin->a < 0 ? 0 : height[pin->a]);
  const double at_b =
    in_plane(plane, pin->b, c->X_b.p, &pin->xb, &pin->yb) + (pin->b < 0 ? 0 : height[pin->b]);
  const mbd_mat3_t A = pin->a < 0 ? c->X_a.R : mbdu_mat3_mul(&plane->axes[pin->a], &c->X_a.R);
  const mbd_mat3_t B = pin->b < 0 ? c->X_b.R : mbdu_mat3_mul(&plane->axes[pin->b], &c->X_b.R);
  const int normal = normal_axis(c, plane, &A);
  if (normal < 0 || !is_closed_across(c, &A, &B, at_b - at_a)) return false;
  for (int k = 0, j = 0; k < 3; k++) {
    if (k == normal) continue;
    const mbd_vec3_t axis = column_of(&A, k);
    pin->axis[j][0] = mbdu_vec3_dot(plane->e1, axis);
    pin->axis[j][1] = mbdu_vec3_dot(plane->e2, axis);
    pin->row[j++] = row + k;
  }
  for (int i = c->body_b; i != c->common; i = tree->body[i].parent) sign[place_of(group, i)] = 1;
  for (int i = c->body_a; i != c->common; i = tree->body[i].parent) sign[place_of(group, i)] = -1;
  pin->sign = sign;
  return true;
}

static bool
make_planar(
  const mbd_model_t * tree, const mbdi_group_t * group, plane_t * plane, double * height,
  double * sign, mbdi_planar_t * planar)
{
  for (int s = 0; s < group->nbody; s++) {
    if (tree->body[group->body[s]].nv != 1) return false;
  }
  if (!find_plane(tree, group, plane)) return false;
  for (int s = 0; s < group->nbody; s++) {
    if (!make_body(tree, group, plane, s, height, &planar->body[s])) return false;
  }
  for (int k = 0, row = 0; k < group->nclosure; k++) {
    const mbd_closure_t * c = &tree->closure[group->closure[k]];
    double * signs = sign + k * group->nbody;
    if (!make_pin(tree, group, plane, height, c, row, signs, &planar->pin[k])) return false;
    row += c->nrow;
  }
  return true;
}

mbd_status_t
mbdi_planar_create(const mbd_model_t * tree, const mbdi_group_t * group, mbdi_planar_t ** to)
{
  const size_t n = (size_t)group->nbody, pins = (size_t)group->nclosure;
  // pins that depend on each other are left to the general rows, which find that out
  *to = NULL;
  if (pins == 0 || group->ndep != 2 * group->nclosure) return MBD_OK;
  mbdi_planar_t * planar = calloc(
    1, sizeof *planar + pins * sizeof *planar->pin + n * sizeof *planar->body +
         pins * n * sizeof(double));
  plane_t plane = {.axes = calloc(n, sizeof *plane.axes)};
  double * height = calloc(n, sizeof *height);
  const bool memory = planar && plane.axes && height;
  if (memory) {
    planar->kernels = mbdi_planar_kernels(tree);
    planar->nbody = group->nbody;
    planar->npin = group->nclosure;
    planar->pin = (mbdi_planar_pin_t *)(void *)(planar + 1);
    planar->body = (mbdi_planar_body_t *)(void *)(planar->pin + pins);
    double * sign = (double *)(void *)(planar->body + n);
    if (make_planar(tree, group, &plane, height, sign, planar)) *to = planar;
  }
  free(plane.axes);
  free(height);
  if (!*to) free(planar);
  return memory ? MBD_OK : MBD_ERROR_OUT_OF_MEMORY;
}
