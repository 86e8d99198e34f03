// Closed forms of inverse kinematics from products of rotations about lines (Murray, Li, Sastry, A Mathematical
// Introduction to Robotic Manipulation, 1994, section 3.3): pose = E_1(t_1) ... E_n(t_n) home. Each step is an equation
// of one angle, a cos t + b sin t = d, or an angle between two directions about an axis.
#include <math.h>
#include <string.h>

#include "mbdyn/ik.h"
#include "mbdyn/operators/dh.h"
#include "mbdyn/spatial.h"
#include "state/state.h"

// axes that are parallel or intersect within this [rad, m]
#define TOLERANCE 2e-5

#define HALF_TURN 3.14159265358979323846

//---------- lines ----------

static mbd_vec3_t
turn_vector(mbd_vec3_t u, double c, double s, mbd_vec3_t x)
{
  const double along = (1 - c) * mbdu_vec3_dot(u, x);
  const mbd_vec3_t y = mbdu_vec3_cross(u, x);
  return mbdu_vec3(
    c * x.x + s * y.x + along * u.x, c * x.y + s * y.y + along * u.y,
    c * x.z + s * y.z + along * u.z);
}

static mbd_mat3_t
turn_matrix(mbd_vec3_t u, double c, double s)
{
  const double k = 1 - c;
  const mbd_mat3_t R = {
    {c + k * u.x * u.x, k * u.x * u.y - s * u.z, k * u.x * u.z + s * u.y, k * u.x * u.y + s * u.z,
     c + k * u.y * u.y, k * u.y * u.z - s * u.x, k * u.x * u.z - s * u.y, k * u.y * u.z + s * u.x,
     c + k * u.z * u.z}};
  return R;
}

// rotation about a line
static mbd_placement_t
turn_line(mbd_vec3_t u, mbd_vec3_t point, double angle)
{
  mbd_placement_t E;
  E.R = turn_matrix(u, cos(angle), sin(angle));
  E.p = mbdu_vec3_sub(point, mbdu_mat3_vec(&E.R, point));
  return E;
}

// part of x that is normal to u
static mbd_vec3_t
normal_part(mbd_vec3_t u, mbd_vec3_t x)
{
  return mbdu_vec3_sub(x, mbdu_vec3_scale(mbdu_vec3_dot(u, x), u));
}

// angle about u that takes x to y, both without their parts along u; 0 where one has no other
static double
angle_about(mbd_vec3_t u, mbd_vec3_t x, mbd_vec3_t y)
{
  const mbd_vec3_t a = normal_part(u, x), b = normal_part(u, y);
  const double s = mbdu_vec3_dot(u, mbdu_vec3_cross(a, b)), c = mbdu_vec3_dot(a, b);
  const double size = 1e-10 * fmax(mbdu_vec3_dot(x, x), mbdu_vec3_dot(y, y));
  return hypot(s, c) <= size ? 0 : atan2(s, c);
}

// roots of a cos t + b sin t = d, in order of size; `size` is that of the numbers they come from
static int
roots(double a, double b, double d, double size, double t[2])
{
  const double h = hypot(a, b), slack = 1e-10 * size;
  if (h <= slack) return fabs(d) <= 1e-7 * size ? t[0] = 0, 1 : 0;
  if (fabs(d) > h + slack + TOLERANCE * h) return 0;
  const double middle = atan2(b, a), ratio = fmin(fmax(d / h, -1), 1), half = acos(ratio);
  t[0] = middle - half, t[1] = middle + half;
  return half > 0 && half < HALF_TURN ? 2 : 1;
}

// angles t of u with w . R(u, t) x = d
static int
roots_along(mbd_vec3_t u, mbd_vec3_t x, mbd_vec3_t w, double d, double t[2])
{
  // R(u, t) x = n cos t + (u x x) sin t + (u . x) u, n normal to u
  const double along = mbdu_vec3_dot(u, x);
  const double size = mbdu_vec3_norm(x) * mbdu_vec3_norm(w) + fabs(d);
  return roots(
    mbdu_vec3_dot(w, normal_part(u, x)), mbdu_vec3_dot(w, mbdu_vec3_cross(u, x)),
    d - along * mbdu_vec3_dot(w, u), size, t);
}

// angles t of u with |A + R(u, t) B| = length
static int
roots_distance(mbd_vec3_t u, mbd_vec3_t A, mbd_vec3_t B, double length, double t[2])
{
  const double d = 0.5 * (length * length - mbdu_vec3_dot(A, A) - mbdu_vec3_dot(B, B));
  return roots_along(u, B, A, d, t);
}

// R = R(u1, t1) R(u2, t2) R(u3, t3): up to two solutions
static int
three_angles(const mbd_vec3_t * u, const mbd_mat3_t * R, double t[2][3])
{
  const mbd_vec3_t last = mbdu_mat3_vec(R, u[2]);
  double second[2];
  const int n = roots_along(u[1], u[2], u[0], mbdu_vec3_dot(u[0], last), second);
  for (int k = 0; k < n; k++) {
    const mbd_mat3_t R2 = turn_matrix(u[1], cos(second[k]), sin(second[k]));
    const double first = angle_about(u[0], mbdu_mat3_vec(&R2, u[2]), last);
    const mbd_mat3_t R1 = turn_matrix(u[0], cos(first), sin(first));
    // what is left turns about the last axis: seen at a vector that is normal to it
    const mbd_vec3_t some = fabs(u[2].x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
    const mbd_vec3_t n3 = mbdu_vec3_cross(u[2], some);
    const mbd_vec3_t to = mbdu_mat3_tvec(&R1, mbdu_mat3_vec(R, n3));
    t[k][0] = first, t[k][1] = second[k];
    t[k][2] = angle_about(u[2], n3, mbdu_mat3_tvec(&R2, to));
  }
  return n;
}

// E_1(t_1) E_2(t_2) takes the parts of x normal to parallel axes to y: two links in a plane
static int
two_links(const mbd_ik_closed_form_t * f, int i, mbd_vec3_t x, mbd_vec3_t y, double t[2][2])
{
  const mbd_vec3_t u = f->axis[i], v = f->axis[i + 1];
  const mbd_vec3_t A = normal_part(u, mbdu_vec3_sub(f->point[i + 1], f->point[i]));
  const mbd_vec3_t B = normal_part(u, mbdu_vec3_sub(x, f->point[i + 1]));
  const mbd_vec3_t to = normal_part(u, mbdu_vec3_sub(y, f->point[i]));
  double second[2];
  const int n = roots_distance(v, A, B, mbdu_vec3_norm(to), second);
  for (int k = 0; k < n; k++) {
    const mbd_vec3_t from = mbdu_vec3_add(A, turn_vector(v, cos(second[k]), sin(second[k]), B));
    t[k][0] = angle_about(u, from, to);
    t[k][1] = second[k];
  }
  return n;
}

//---------- forms ----------

// the branches that were found, in the order of the form
typedef struct branches {
  const mbd_ik_closed_form_t * f;
  mbd_placement_t G;  // E_1 ... E_n
  double reach;
  int n;
  double (*angle)[7];
} branches_t;

// between -pi and pi, from between -3 pi and 3 pi
static double
principal(double t)
{
  if (t > HALF_TURN) return t - 2 * HALF_TURN;
  return t < -HALF_TURN ? t + 2 * HALF_TURN : t;
}

// an equal branch is there already
static bool
is_known(const branches_t * b, const double * t)
{
  for (int k = 0; k < b->n; k++) {
    double apart = 0;
    for (int i = 0; i < b->f->n; i++) {
      const double turn = fabs(t[i] - b->angle[k][i]);
      apart = fmax(apart, fmin(turn, 2 * HALF_TURN - turn));
    }
    if (apart < 1e-7) return true;
  }
  return false;
}

// a branch if it gives the pose, and is none of those there are
static void
add_branch(branches_t * b, const double * t)
{
  const mbd_ik_closed_form_t * f = b->f;
  if (b->n == MBD_IK_BRANCHES) return;
  mbd_placement_t E = turn_line(f->axis[0], f->point[0], t[0]);
  for (int i = 1; i < f->n; i++) {
    const mbd_placement_t next = turn_line(f->axis[i], f->point[i], t[i]);
    E = mbdu_placement_mul(&E, &next);
  }
  double error = mbdu_vec3_norm(mbdu_vec3_sub(E.p, b->G.p)) / b->reach;
  for (int k = 0; k < 9; k++) error = fmax(error, fabs(E.R.m[k] - b->G.R.m[k]));
  // where roots are double, the error is the square root of that of the pose
  if (!(error <= 1e-6 + 100 * f->deviation)) return;
  double turned[7];
  for (int i = 0; i < f->n; i++) turned[f->mirrored ? f->n - 1 - i : i] = principal(t[i]);
  if (is_known(b, turned)) return;
  copy_array(b->angle[b->n++], turned, f->n);
}

// the wrist of the first three angles
static void
add_wrist(branches_t * b, double * t)
{
  const mbd_vec3_t * u = b->f->axis;
  mbd_mat3_t R = b->G.R;
  for (int i = 0; i < 3; i++) {
    const mbd_mat3_t back = turn_matrix(u[i], cos(t[i]), -sin(t[i]));
    R = mbdu_mat3_mul(&back, &R);
  }
  double wrist[2][3];
  const int n = three_angles(u + 3, &R, wrist);
  for (int k = 0; k < n; k++) {
    memcpy(t + 3, wrist[k], sizeof wrist[k]);
    add_branch(b, t);
  }
}

// x of a pose turned back about axis i
static mbd_vec3_t
turned_back(const mbd_ik_closed_form_t * f, int i, double t, mbd_vec3_t x)
{
  const mbd_vec3_t y = mbdu_vec3_sub(x, f->point[i]);
  return mbdu_vec3_add(f->point[i], turn_vector(f->axis[i], cos(t), -sin(t), y));
}

// t_1 that brings x to the plane normal to w that c is in: w . E_1^-1 x = w . c
static int
first_angles(const mbd_ik_closed_form_t * f, mbd_vec3_t w, mbd_vec3_t x, mbd_vec3_t c, double t[2])
{
  const mbd_vec3_t from = mbdu_vec3_sub(x, f->point[0]), to = mbdu_vec3_sub(c, f->point[0]);
  const int n = roots_along(mbdu_vec3_neg(f->axis[0]), from, w, mbdu_vec3_dot(w, to), t);
  return n;
}

// axes 2 and 3 parallel: the height of the wrist above their plane gives t_1
static void
wrist_parallel(branches_t * b)
{
  const mbd_ik_closed_form_t * f = b->f;
  const mbd_vec3_t c = f->point[3], p = mbdu_placement_point(&b->G, c);
  double first[2], t[7], link[2][2];
  const int n = first_angles(f, f->axis[1], p, c, first);
  for (int i = 0; i < n; i++) {
    const mbd_vec3_t back = turned_back(f, 0, first[i], p);
    const int m = two_links(f, 1, c, back, link);
    for (int k = 0; k < m; k++) {
      t[0] = first[i], t[1] = link[k][0], t[2] = link[k][1];
      add_wrist(b, t);
    }
  }
}

// axes 1 and 2 intersect: the distance of the wrist from there gives t_3
static void
wrist_intersect(branches_t * b)
{
  const mbd_ik_closed_form_t * f = b->f;
  const mbd_vec3_t c = f->point[3], o = f->point[0], *u = f->axis;
  const mbd_vec3_t x = mbdu_vec3_sub(mbdu_placement_point(&b->G, c), o);
  const mbd_vec3_t A = mbdu_vec3_sub(f->point[2], o), B = mbdu_vec3_sub(c, f->point[2]);
  double third[2], second[2], t[7];
  const int n = roots_distance(u[2], A, B, mbdu_vec3_norm(x), third);
  for (int i = 0; i < n; i++) {
    const mbd_vec3_t y = mbdu_vec3_add(A, turn_vector(u[2], cos(third[i]), sin(third[i]), B));
    const int m = roots_along(u[1], y, u[0], mbdu_vec3_dot(u[0], x), second);
    for (int k = 0; k < m; k++) {
      t[0] = angle_about(u[0], turn_vector(u[1], cos(second[k]), sin(second[k]), y), x);
      t[1] = second[k], t[2] = third[i];
      add_wrist(b, t);
    }
  }
}

// t_2, t_3, t_4 of parallel axes, when the others are known
static void
add_parallel(branches_t * b, double * t)
{
  const mbd_ik_closed_form_t * f = b->f;
  const mbd_placement_t E1 = turn_line(f->axis[0], f->point[0], -t[0]);
  const mbd_placement_t E5 = turn_line(f->axis[4], f->point[4], -t[4]);
  const mbd_placement_t E6 = turn_line(f->axis[5], f->point[5], -t[5]);
  mbd_placement_t T = mbdu_placement_mul(&E1, &b->G);
  T = mbdu_placement_mul(&T, &E6);
  T = mbdu_placement_mul(&T, &E5);
  double link[2][2];
  const int n = two_links(f, 1, f->point[3], mbdu_placement_point(&T, f->point[3]), link);
  for (int k = 0; k < n; k++) {
    const mbd_vec3_t u = f->axis[3];
    const mbd_vec3_t some = fabs(u.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0);
    const mbd_mat3_t R2 = turn_matrix(f->axis[1], cos(link[k][0]), sin(link[k][0]));
    const mbd_mat3_t R3 = turn_matrix(f->axis[2], cos(link[k][1]), sin(link[k][1]));
    const mbd_vec3_t to = mbdu_mat3_tvec(&R3, mbdu_mat3_tvec(&R2, mbdu_mat3_vec(&T.R, some)));
    t[1] = link[k][0], t[2] = link[k][1], t[3] = angle_about(u, some, to);
    add_branch(b, t);
  }
}

static void
three_parallel(branches_t * b)
{
  const mbd_ik_closed_form_t * f = b->f;
  const mbd_vec3_t c = f->point[4], w = f->axis[1], *u = f->axis;
  double first[2], fifth[2], t[7];
  const int n = first_angles(f, w, mbdu_placement_point(&b->G, c), c, first);
  for (int i = 0; i < n; i++) {
    const mbd_mat3_t back = turn_matrix(u[0], cos(first[i]), -sin(first[i]));
    const mbd_mat3_t R = mbdu_mat3_mul(&back, &b->G.R);
    const int m = roots_along(u[4], u[5], w, mbdu_vec3_dot(w, mbdu_mat3_vec(&R, u[5])), fifth);
    for (int k = 0; k < m; k++) {
      // R^T w = R_6^T R_5^T w
      const mbd_vec3_t from = turn_vector(u[4], cos(fifth[k]), -sin(fifth[k]), w);
      t[0] = first[i], t[4] = fifth[k];
      t[5] = angle_about(u[5], mbdu_mat3_tvec(&R, w), from);
      add_parallel(b, t);
    }
  }
}

// Swivel angles begin where the elbow's axis is normal to the plane of the first axis and the line x from
// shoulder to wrist.
static mbd_vec3_t
swivel_zero(const mbd_ik_closed_form_t * f, mbd_vec3_t x)
{
  mbd_vec3_t n = mbdu_vec3_cross(f->axis[0], x);
  if (mbdu_vec3_norm(n) < 1e-9 * mbdu_vec3_norm(x)) {
    const mbd_vec3_t u = f->axis[0];
    n = normal_part(u, fabs(u.x) < 0.7 ? mbdu_vec3(1, 0, 0) : mbdu_vec3(0, 1, 0));
  }
  return n;
}

static mbd_mat3_t
columns(mbd_vec3_t x, mbd_vec3_t y)
{
  x = mbdu_vec3_scale(1 / mbdu_vec3_norm(x), x);
  y = normal_part(x, y);
  y = mbdu_vec3_scale(1 / mbdu_vec3_norm(y), y);
  const mbd_vec3_t z = mbdu_vec3_cross(x, y);
  const mbd_mat3_t R = {{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}};
  return R;
}

// the wrist as the upper arm sees it: from the shoulder, in axes of the home configuration
static mbd_vec3_t
wrist_from_shoulder(const mbd_ik_closed_form_t * f, double elbow)
{
  const mbd_vec3_t A = mbdu_vec3_sub(f->point[3], f->point[0]);
  const mbd_vec3_t B = mbdu_vec3_sub(f->point[4], f->point[3]);
  return mbdu_vec3_add(A, turn_vector(f->axis[3], cos(elbow), sin(elbow), B));
}

static void
shoulder_and_wrist(branches_t * b, double swivel)
{
  const mbd_ik_closed_form_t * f = b->f;
  const mbd_vec3_t * u = f->axis;
  const mbd_vec3_t A = mbdu_vec3_sub(f->point[3], f->point[0]);
  const mbd_vec3_t B = mbdu_vec3_sub(f->point[4], f->point[3]);
  const mbd_vec3_t x = mbdu_vec3_sub(mbdu_placement_point(&b->G, f->point[4]), f->point[0]);
  const double distance = mbdu_vec3_norm(x);
  if (!(distance > 1e-9 * b->reach)) return;
  const mbd_vec3_t along = mbdu_vec3_scale(1 / distance, x);
  const mbd_vec3_t normal = turn_vector(along, cos(swivel), sin(swivel), swivel_zero(f, along));
  double elbow[2], shoulder[2][3], wrist[2][3], t[7];
  const int n = roots_distance(u[3], A, B, distance, elbow);
  for (int i = 0; i < n; i++) {
    const mbd_mat3_t from = columns(wrist_from_shoulder(f, elbow[i]), u[3]);
    const mbd_mat3_t to = columns(x, normal), back = mbdu_mat3_transpose(&from);
    const mbd_mat3_t R = mbdu_mat3_mul(&to, &back);
    const mbd_mat3_t R4 = turn_matrix(u[3], cos(elbow[i]), sin(elbow[i]));
    const mbd_mat3_t arm = mbdu_mat3_mul(&R, &R4), hand = mbdu_mat3_tmul(&arm, &b->G.R);
    const int n1 = three_angles(u, &R, shoulder), n2 = three_angles(u + 4, &hand, wrist);
    for (int k = 0; k < n1 * n2; k++) {
      memcpy(t, shoulder[k / n2], sizeof shoulder[0]);
      t[3] = elbow[i];
      memcpy(t + 4, wrist[k % n2], sizeof wrist[0]);
      add_branch(b, t);
    }
  }
}

static double
reach_of(const mbd_ik_closed_form_t * f)
{
  double sum = 1e-3;
  for (int i = 1; i < f->n; i++) {
    sum += mbdu_vec3_norm(mbdu_vec3_sub(f->point[i], f->point[i - 1]));
  }
  return sum;
}

mbd_status_t
mbd_ik_closed_form(
  const mbd_ik_closed_form_t * closed, const mbd_placement_t * pose, double swivel,
  double angle[MBD_IK_BRANCHES][7], int * n)
{
  if (!closed || !pose || !angle || !n) return MBD_ERROR_NULL_ARGUMENT;
  if (closed->form == MBD_IK_NO_FORM) return MBD_ERROR_UNSUPPORTED;
  if (!finite_array(pose->R.m, 9) || !finite_vec3(pose->p) || !isfinite(swivel)) {
    return MBD_ERROR_NOT_FINITE;
  }
  const mbd_placement_t home = mbdu_placement_inverse(&closed->home);
  branches_t b = {closed, mbdu_placement_mul(pose, &home), reach_of(closed), 0, angle};
  if (closed->mirrored) b.G = mbdu_placement_inverse(&b.G);
  switch (closed->form) {
    case MBD_IK_WRIST_PARALLEL: wrist_parallel(&b); break;
    case MBD_IK_WRIST_INTERSECT: wrist_intersect(&b); break;
    case MBD_IK_THREE_PARALLEL: three_parallel(&b); break;
    default: shoulder_and_wrist(&b, swivel); break;
  }
  *n = b.n;
  return MBD_OK;
}

mbd_status_t
mbd_ik_swivel(const mbd_ik_closed_form_t * closed, const double * angle, double * swivel)
{
  if (!closed || !angle || !swivel) return MBD_ERROR_NULL_ARGUMENT;
  if (closed->form != MBD_IK_SHOULDER_AND_WRIST) return MBD_ERROR_UNSUPPORTED;
  if (!finite_array(angle, 7)) return MBD_ERROR_NOT_FINITE;
  mbd_vec3_t x = wrist_from_shoulder(closed, angle[3]), n = closed->axis[3];
  for (int i = 2; i >= 0; i--) {
    const double c = cos(angle[i]), s = sin(angle[i]);
    x = turn_vector(closed->axis[i], c, s, x);
    n = turn_vector(closed->axis[i], c, s, n);
  }
  const double distance = mbdu_vec3_norm(x);
  if (!(distance > 1e-9 * reach_of(closed))) return MBD_ERROR_SINGULAR;
  x = mbdu_vec3_scale(1 / distance, x);
  *swivel = angle_about(x, swivel_zero(closed, x), n);
  return MBD_OK;
}

//---------- which form an arm has ----------

// how far two lines are from parallel, and from an intersection, which is `at` (between them, if there is none)
static double
angle_between(const mbd_ik_closed_form_t * f, int i, int j)
{
  return mbdu_vec3_norm(mbdu_vec3_cross(f->axis[i], f->axis[j]));
}

static double
gap_between(const mbd_ik_closed_form_t * f, int i, int j, mbd_vec3_t * at)
{
  const mbd_vec3_t n = mbdu_vec3_cross(f->axis[i], f->axis[j]);
  const mbd_vec3_t d = mbdu_vec3_sub(f->point[j], f->point[i]);
  const double square = mbdu_vec3_dot(n, n);
  if (square < 1e-4) return HUGE_VAL;
  const double s = mbdu_vec3_dot(mbdu_vec3_cross(d, f->axis[j]), n) / square;
  const double t = mbdu_vec3_dot(mbdu_vec3_cross(d, f->axis[i]), n) / square;
  const mbd_vec3_t a = mbdu_vec3_add(f->point[i], mbdu_vec3_scale(s, f->axis[i]));
  const mbd_vec3_t b = mbdu_vec3_add(f->point[j], mbdu_vec3_scale(t, f->axis[j]));
  *at = mbdu_vec3_scale(0.5, mbdu_vec3_add(a, b));
  return mbdu_vec3_norm(mbdu_vec3_sub(a, b));
}

// three axes through one point, which becomes their point
static bool
meet(mbd_ik_closed_form_t * f, int i)
{
  mbd_vec3_t a, b;
  double miss = fmax(gap_between(f, i, i + 1, &a), gap_between(f, i + 1, i + 2, &b));
  if (!(miss <= TOLERANCE)) return false;
  miss = fmax(miss, mbdu_vec3_norm(mbdu_vec3_sub(a, b)));
  if (!(miss <= TOLERANCE)) return false;
  f->point[i] = f->point[i + 1] = f->point[i + 2] = a;
  f->deviation = fmax(f->deviation, miss);
  return true;
}

static bool
parallel(mbd_ik_closed_form_t * f, int i)
{
  const double miss = angle_between(f, i, i + 1);
  if (!(miss <= TOLERANCE)) return false;
  f->deviation = fmax(f->deviation, miss);
  return true;
}

static bool
intersect(mbd_ik_closed_form_t * f, int i)
{
  mbd_vec3_t at;
  const double miss = gap_between(f, i, i + 1, &at);
  if (!(miss <= TOLERANCE)) return false;
  f->point[i] = f->point[i + 1] = at;
  f->deviation = fmax(f->deviation, miss);
  return true;
}

static mbd_ik_form_t
form_of(mbd_ik_closed_form_t * f)
{
  if (f->n == 7) {
    const bool both = meet(f, 0) && meet(f, 4);
    if (!both) return MBD_IK_NO_FORM;
    // the elbow bends: its axis is not along the line to the wrist
    const mbd_vec3_t x = wrist_from_shoulder(f, 0.5);
    const double bend = mbdu_vec3_norm(mbdu_vec3_cross(f->axis[3], x));
    return bend > 1e-3 * mbdu_vec3_norm(x) ? MBD_IK_SHOULDER_AND_WRIST : MBD_IK_NO_FORM;
  }
  if (parallel(f, 1) && parallel(f, 2) && intersect(f, 4)) return MBD_IK_THREE_PARALLEL;
  if (!meet(f, 3)) return MBD_IK_NO_FORM;
  if (parallel(f, 1)) return MBD_IK_WRIST_PARALLEL;
  return intersect(f, 0) ? MBD_IK_WRIST_INTERSECT : MBD_IK_NO_FORM;
}

// lines and pose at q = 0
static void
take_lines(const mbd_dh_t * table, mbd_ik_closed_form_t * f)
{
  mbd_placement_t F = table->base;
  for (int i = 0; i < table->n; i++) {
    f->axis[i] = mbdu_vec3(F.R.m[2], F.R.m[5], F.R.m[8]);
    f->point[i] = F.p;
    const mbd_placement_t A = mbd_dh_row_transform(&table->row[i], MBD_DH_STANDARD, 0);
    F = mbdu_placement_mul(&F, &A);
  }
  f->home = mbdu_placement_mul(&F, &table->tool);
  f->deviation = fmax(table->distance, table->angle);
}

// the same arm, read from its tip
static void
mirror(mbd_ik_closed_form_t * f)
{
  const mbd_ik_closed_form_t g = *f;
  for (int i = 0; i < f->n; i++) {
    f->axis[i] = mbdu_vec3_neg(g.axis[f->n - 1 - i]);
    f->point[i] = g.point[f->n - 1 - i];
  }
  f->mirrored = true;
}

mbd_status_t
mbd_ik_find_closed_form(const mbd_model_t * model, int frame, mbd_ik_closed_form_t * closed)
{
  if (!model || !closed) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (frame < 0 || frame >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  mbd_dh_row_t row[7];
  mbd_dh_t table = {.row = row};
  mbd_dh_options_t options = mbd_dh_options_default();
  options.tip = frame, options.parallel = TOLERANCE;
  memset(closed, 0, sizeof *closed);
  closed->frame = frame;
  // other joints, more of them, or none
  if (mbd_dh_from_model(model, &options, 7, &table, NULL) != MBD_OK) return MBD_OK;
  closed->n = table.n;
  for (int i = 0; i < table.n; i++) {
    if (row[i].type == MBD_JOINT_PRISMATIC) return MBD_OK;
    closed->q_index[i] = model->body[row[i].body].q_index;
  }
  if (table.n < 6) return MBD_OK;
  take_lines(&table, closed);
  mbd_ik_closed_form_t direct = *closed, mirrored = *closed;
  mirror(&mirrored);
  direct.form = form_of(&direct);
  if (direct.form == MBD_IK_NO_FORM && table.n == 6) mirrored.form = form_of(&mirrored);
  *closed = direct.form != MBD_IK_NO_FORM ? direct : mirrored;
  return MBD_OK;
}
