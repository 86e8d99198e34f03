// Placements, rows and bias of planar loops; compiled once per instruction set, its name KERNEL_SET.
#include <math.h>

#include "constraints/planar_loop.h"

#define GLUE_(a, b) a##_##b
#define GLUE(a, b)  GLUE_(a, b)

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

static void
planar_place(
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

static double
planar_gaps(const mbdi_planar_t * planar, const mbdi_planar_pin_place_t * at, double * d)
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

static void
planar_rows(
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

static double
larger(double a, double b)
{
  return a > b ? a : b;
}

// by the determinant
static double
planar_matrix(
  const mbdi_planar_t * planar, const mbdi_planar_place_t * place,
  const mbdi_planar_pin_place_t * at, const int * dep, int nind, const int * ind, double * Y,
  double * inverse, double * X)
{
  const mbdi_planar_pin_t * pin = planar->pin;
  const double *y0 = Y + pin->row[0] * planar->nbody, *y1 = Y + pin->row[1] * planar->nbody;
  planar_rows(planar, place, at, Y);
  const double a = y0[dep[0]], b = y0[dep[1]], c = y1[dep[0]], d = y1[dep[1]];
  const double det = a * d - b * c;
  const double largest = larger(larger(fabs(a), fabs(b)), larger(fabs(c), fabs(d)));
  if (!(fabs(det) > 0)) return 0;
  const double over = 1 / det;
  inverse[0] = d * over, inverse[1] = -b * over, inverse[2] = -c * over, inverse[3] = a * over;
  for (int i = 0; i < nind; i++) {
    const double u = y0[ind[i]], v = y1[ind[i]];
    X[i] = -(inverse[0] * u + inverse[1] * v);
    X[nind + i] = -(inverse[2] * u + inverse[3] * v);
  }
  return fabs(det) / (largest * largest);
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

static void
planar_bias(
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

const mbdi_planar_kernels_t GLUE(mbdi_planar_kernels, KERNEL_SET) = {
  .place = planar_place,
  .gaps = planar_gaps,
  .rows = planar_rows,
  .matrix = planar_matrix,
  .bias = planar_bias};
