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

//---------- positions ----------

static const mbdi_planar_place_t CARRIER = {1, 0, 0, 0};

static inline const mbdi_planar_place_t *
place_at(const mbdi_planar_place_t * place, int s)
{
  return s < 0 ? &CARRIER : &place[s];
}

// a point of a body less its origin, in the plane's axes
static inline void
turn_arm(const mbdi_planar_place_t * p, double x, double y, double * to_x, double * to_y)
{
  *to_x = p->c * x - p->s * y;
  *to_y = p->s * x + p->c * y;
}

static void
place_pin(
  const mbdi_planar_pin_t * pin, const mbdi_planar_place_t * place, mbdi_planar_pin_place_t * at)
{
  const mbdi_planar_place_t *a = place_at(place, pin->a), *b = place_at(place, pin->b);
  turn_arm(a, pin->xa, pin->ya, &at->xa, &at->ya);
  turn_arm(b, pin->xb, pin->yb, &at->xb, &at->yb);
  at->rx = b->x + at->xb - a->x - at->xa;
  at->ry = b->y + at->yb - a->y - at->ya;
  for (int j = 0; j < 2; j++) {
    turn_arm(a, pin->axis[j][0], pin->axis[j][1], &at->ex[j], &at->ey[j]);
  }
}

void
mbdi_planar_place(
  const mbdi_planar_t * planar, const double * q, const double * sine, const double * cosine,
  mbdi_planar_place_t * place, mbdi_planar_pin_place_t * at)
{
  for (int i = 0; i < planar->nbody; i++) {
    const mbdi_planar_body_t * body = &planar->body[i];
    const mbdi_planar_place_t p = *place_at(place, body->parent);
    double x = body->x, y = body->y, c = 1, s = 0;
    if (body->turn != 0) {
      c = cosine[i], s = body->turn * sine[i];
    } else {
      x += body->ux * q[body->q], y += body->uy * q[body->q];
    }
    place[i] = (mbdi_planar_place_t){
      p.c * c - p.s * s, p.s * c + p.c * s, p.x + p.c * x - p.s * y, p.y + p.s * x + p.c * y};
  }
  for (int k = 0; k < planar->npin; k++) place_pin(&planar->pin[k], place, &at[k]);
}

double
mbdi_planar_gaps(const mbdi_planar_t * planar, const mbdi_planar_pin_place_t * at, double * d)
{
  double largest = 0;
  for (int k = 0; k < planar->npin; k++) {
    for (int j = 0; j < 2; j++) {
      d[2 * k + j] = at[k].ex[j] * at[k].rx + at[k].ey[j] * at[k].ry;
      const double size = fabs(d[2 * k + j]);
      // not a number is the largest of all
      if (!(size <= largest)) largest = size;
    }
  }
  return largest;
}

void
mbdi_planar_rows(
  const mbdi_planar_t * planar, const mbdi_planar_place_t * place,
  const mbdi_planar_pin_place_t * at, double * Y)
{
  const int n = planar->nbody;
  for (int k = 0; k < planar->npin; k++, at++) {
    const mbdi_planar_pin_t * pin = &planar->pin[k];
    const mbdi_planar_place_t * b = place_at(place, pin->b);
    double *row0 = Y + pin->row[0] * n, *row1 = Y + pin->row[1] * n;
    const double x = b->x + at->xb, y = b->y + at->yb;
    const double ex0 = at->ex[0], ey0 = at->ey[0], ex1 = at->ex[1], ey1 = at->ey[1];
    for (int i = 0; i < n; i++) {
      const mbdi_planar_body_t * body = &planar->body[i];
      if (pin->sign[i] == 0) continue;
      // velocity of B's point for a unit of the joint's
      double tx, ty;
      if (body->turn != 0) {
        const double sign = pin->sign[i] * body->turn;
        tx = -sign * (y - place[i].y), ty = sign * (x - place[i].x);
      } else {
        turn_arm(place_at(place, body->parent), body->ux, body->uy, &tx, &ty);
        tx *= pin->sign[i], ty *= pin->sign[i];
      }
      row0[i] = ex0 * tx + ey0 * ty;
      row1[i] = ex1 * tx + ey1 * ty;
    }
  }
}

//---------- velocities ----------

// motion of a point of a body at zero joint acceleration; arm: from its origin
static inline mbdi_planar_motion_t
move_point(const mbdi_planar_motion_t * m, double x, double y)
{
  const double square = m->w * m->w;
  return (mbdi_planar_motion_t){
    m->w, m->vx - m->w * y, m->vy + m->w * x, m->ax - square * x, m->ay - square * y};
}

static const mbdi_planar_motion_t REST = {0, 0, 0, 0, 0};

static inline const mbdi_planar_motion_t *
motion_at(const mbdi_planar_motion_t * motion, int s)
{
  return s < 0 ? &REST : &motion[s];
}

void
mbdi_planar_bias(
  const mbdi_planar_t * planar, const double * v, const mbdi_planar_place_t * place,
  const mbdi_planar_pin_place_t * at, mbdi_planar_motion_t * motion, double * gamma)
{
  for (int i = 0; i < planar->nbody; i++) {
    const mbdi_planar_body_t * body = &planar->body[i];
    const double rate = v[body->v];
    mbdi_planar_motion_t m = REST;
    // origins of revolute joints on the carrier are at rest
    if (body->parent >= 0) {
      const mbdi_planar_place_t * p = &place[body->parent];
      m = move_point(&motion[body->parent], place[i].x - p->x, place[i].y - p->y);
    }
    if (body->turn != 0) {
      m.w += body->turn * rate;
    } else {
      // Coriolis
      double ux, uy;
      turn_arm(place_at(place, body->parent), body->ux * rate, body->uy * rate, &ux, &uy);
      m.vx += ux, m.vy += uy;
      m.ax -= 2 * m.w * uy, m.ay += 2 * m.w * ux;
    }
    motion[i] = m;
  }
  for (int k = 0; k < planar->npin; k++, at++) {
    const mbdi_planar_pin_t * pin = &planar->pin[k];
    const mbdi_planar_motion_t A = move_point(motion_at(motion, pin->a), at->xa, at->ya);
    const mbdi_planar_motion_t B = move_point(motion_at(motion, pin->b), at->xb, at->yb);
    // second rate of the point B in axes that turn with A: centripetal and Coriolis terms taken off
    const double ux = B.vx - A.vx + A.w * at->ry, uy = B.vy - A.vy - A.w * at->rx;
    const double sx = B.ax - A.ax + A.w * (A.w * at->rx + 2 * uy);
    const double sy = B.ay - A.ay + A.w * (A.w * at->ry - 2 * ux);
    for (int j = 0; j < 2; j++) gamma[2 * k + j] = -(at->ex[j] * sx + at->ey[j] * sy);
  }
}
