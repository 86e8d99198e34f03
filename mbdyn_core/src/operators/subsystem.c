// Subsystems seen from their boundary nodes, and joints between them. With f_b the force on node b and Phi
// carrying it to node a, a joint is (10.47) with its bias a, and the rest of (10.46) - (10.52) is
// solving it for f_b and qdd:
//   [ Lbb + Phi^T Laa Phi   -S    ] [f_b]   [ a + Phi^T b_a0 - b_b0 ]
//   [ S^T                   rotor ] [qdd] = [ tau                   ]
// b_a0, b_b0: accelerations of the nodes without f_b, linear in the forces on the other nodes.
#include <math.h>
#include <string.h>

#include "mbdyn/dynamics/compliance.h"
#include "mbdyn/forward.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/operators/divide.h"
#include "mbdyn/spatial.h"
#include "model/model_internal.h"
#include "state/state.h"
#include "util/dense.h"

enum { UNKNOWNS = 12, COLUMNS = 6 * MBD_SUBSYSTEM_NODES + 1 };

// relative pivot threshold of a dimensionless matrix
#define SMALLEST_PIVOT 1e-12

//---------- making ----------

static mbd_motion_t
unit(int k)
{
  return (mbd_motion_t){{k == 0, k == 1, k == 2}, {k == 3, k == 4, k == 5}};
}

static void
motion_numbers(mbd_motion_t V, double * x)
{
  x[0] = V.ang.x, x[1] = V.ang.y, x[2] = V.ang.z;
  x[3] = V.lin.x, x[4] = V.lin.y, x[5] = V.lin.z;
}

static mbd_motion_t
motion_of(const double * x)
{
  return (mbd_motion_t){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

static mbd_force_t
force_of(const double * x)
{
  return (mbd_force_t){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

// A := its inverse, symmetric positive definite, scaled to a unit diagonal; false if it has none
static bool
invert_inertia(double * A)
{
  double w[6], work[72], inverse[36];
  for (int i = 0; i < 6; i++) {
    if (!(A[7 * i] > 0)) return false;
    w[i] = 1 / sqrt(A[7 * i]);
  }
  if (!(mbdi_invert_definite(6, SMALLEST_PIVOT, A, w, work, inverse) > 0)) return false;
  memcpy(A, inverse, sizeof inverse);
  return true;
}

static mbd_motion_t
multiply(const double * A, mbd_force_t f)
{
  const double x[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  double y[6] = {0};
  for (int i = 0; i < 36; i++) y[i / 6] += A[i] * x[i % 6];
  return motion_of(y);
}

static bool
finite_placement(const mbd_placement_t * X)
{
  return finite_array(X->R.m, 9) && finite_vec3(X->p);
}

static bool
finite_motion(mbd_motion_t V)
{
  return finite_vec3(V.ang) && finite_vec3(V.lin);
}

mbd_status_t
mbd_subsystem_body(
  const mbd_inertia_t * inertia, mbd_motion_t V, mbd_force_t f, int n, const mbd_placement_t * X,
  mbd_subsystem_t * out)
{
  if (!inertia || !X || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 1 || n > MBD_SUBSYSTEM_NODES) return MBD_ERROR_BAD_ARGUMENT;
  CHECK(mbdi_check_inertia(inertia));
  bool finite = finite_motion(V) && finite_vec3(f.ang) && finite_vec3(f.lin);
  for (int k = 0; k < n; k++) finite = finite && finite_placement(&X[k]);
  if (!finite) return MBD_ERROR_NOT_FINITE;
  const mbd_sym6_t M = mbdu_sym6_from_inertia(inertia);
  double A[36];
  mbdu_sym6_full(&M, A);
  if (!invert_inertia(A)) return MBD_ERROR_SINGULAR;
  // M A + bar(V) M V = f and what acts on the nodes                               (2.28)
  const mbd_force_t gyroscopic = mbdu_force_cross(V, mbdu_inertia_mul(inertia, V));
  const mbd_motion_t free = multiply(A, mbdu_force_sub(f, gyroscopic));
  memset(out, 0, sizeof *out);
  out->nnode = n;
  for (int j = 0; j < 6 * n; j++) {
    const mbd_motion_t e = unit(j % 6);
    const mbd_force_t push = {e.ang, e.lin};
    const mbd_motion_t answer = multiply(A, mbdu_force_to_parent(&X[j / 6], push));
    for (int h = 0; h < n; h++) {
      double y[6];
      motion_numbers(mbdu_motion_to_child(&X[h], answer), y);
      for (int r = 0; r < 6; r++) out->inverse_inertia[(6 * h + r) * 6 * n + j] = y[r];
    }
  }
  for (int h = 0; h < n; h++) out->bias[h] = mbdu_motion_to_child(&X[h], free);
  return MBD_OK;
}

mbd_status_t
mbd_subsystem_robot(
  const mbd_model_t * model, mbd_data_t * data, const double * tau, const mbd_wrenches_t * f_ext,
  int n, const int * frame, mbd_subsystem_t * out)
{
  CHECK(check_cut(model, data, MBD_STAGE_VELOCITY));
  CHECK(check_mimic(model, data));
  if (!frame || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (n < 1 || n > MBD_SUBSYSTEM_NODES) return MBD_ERROR_BAD_ARGUMENT;
  for (int h = 0; h < n; h++) CHECK(check_frame(model, frame[h], MBD_LOCAL));
  CHECK(mbd_forward_dynamics(model, data, NULL, NULL, tau, f_ext, data->work->qdd));
  memset(out, 0, sizeof *out);
  out->nnode = n;
  for (int h = 0; h < n; h++) {
    CHECK(mbd_frame_acceleration(model, data, frame[h], MBD_LOCAL, &out->bias[h]));
    for (int j = 0; j < n; j++) {
      double C[36];
      CHECK(mbd_compliance_between(model, data, frame[h], MBD_LOCAL, frame[j], MBD_LOCAL, C));
      double * to = out->inverse_inertia + 6 * h * 6 * n + 6 * j;
      for (int k = 0; k < 36; k++) to[k / 6 * 6 * n + k % 6] = C[k];
    }
  }
  return MBD_OK;
}

//---------- joining ----------

// a node of a subsystem (NULL: the world) and the ones beside it
typedef struct side {
  const mbd_subsystem_t * of;
  int node, n;
  int rest[MBD_SUBSYSTEM_NODES];  // the other nodes
} side_t;

static bool
take_side(const mbd_subsystem_t * of, int node, side_t * side)
{
  *side = (side_t){of, node, 0, {0}};
  if (!of) return true;
  if (of->nnode < 1 || of->nnode > MBD_SUBSYSTEM_NODES) return false;
  if (node < 0 || node >= of->nnode) return false;
  for (int h = 0; h < of->nnode; h++) {
    if (h != node) side->rest[side->n++] = h;
  }
  return true;
}

// Lambda of nodes i and j, at (row, column) of its block
static double
entry(const mbd_subsystem_t * s, int i, int row, int j, int column)
{
  return s->inverse_inertia[(6 * i + row) * 6 * s->nnode + 6 * j + column];
}

// acceleration of node i for a force on node j
static mbd_motion_t
answer(const mbd_subsystem_t * s, int i, int j, mbd_force_t f)
{
  const double x[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  double y[6] = {0};
  for (int k = 0; k < 36; k++) y[k / 6] += entry(s, i, k / 6, j, k % 6) * x[k % 6];
  return motion_of(y);
}

// the joint's equations K x = rhs, and their solutions for a unit of each force, and for none (last column)
typedef struct joint {
  side_t a, b;
  const mbd_hinge_t * hinge;
  int n, columns;                 // unknowns; right-hand sides
  double K[UNKNOWNS * UNKNOWNS];  // [n x n]
  double x[UNKNOWNS * COLUMNS];   // right-hand sides, then solutions [n x columns]
} joint_t;

// V to six rows of a column
static void
add_to_column(double * column, int stride, double sign, mbd_motion_t V)
{
  double x[6];
  motion_numbers(V, x);
  for (int r = 0; r < 6; r++) column[r * stride] += sign * x[r];
}

static void
left_side(joint_t * joint)
{
  const mbd_hinge_t * hinge = joint->hinge;
  const int n = joint->n;
  for (int c = 0; c < 6; c++) {
    const mbd_motion_t e = unit(c);
    const mbd_force_t f = {e.ang, e.lin};
    if (joint->b.of)
      add_to_column(joint->K + c, n, 1, answer(joint->b.of, joint->b.node, joint->b.node, f));
    if (!joint->a.of) continue;
    const mbd_force_t on_a = mbdu_force_to_parent(&hinge->X, f);
    const mbd_motion_t V = answer(joint->a.of, joint->a.node, joint->a.node, on_a);
    add_to_column(joint->K + c, n, 1, mbdu_motion_to_child(&hinge->X, V));
  }
  for (int k = 6; k < n; k++) {
    add_to_column(joint->K + k, n, -1, hinge->S[k - 6]);
    motion_numbers(hinge->S[k - 6], joint->K + k * n);
    joint->K[k * (n + 1)] = hinge->rotor;
  }
}

static void
right_side(joint_t * joint)
{
  const mbd_hinge_t * hinge = joint->hinge;
  const side_t *a = &joint->a, *b = &joint->b;
  const int last = joint->columns - 1, stride = joint->columns;
  for (int j = 0; j < last; j++) {
    const mbd_motion_t e = unit(j % 6);
    const mbd_force_t f = {e.ang, e.lin};
    if (j < 6 * a->n) {
      const mbd_motion_t V = answer(a->of, a->node, a->rest[j / 6], f);
      add_to_column(joint->x + j, stride, 1, mbdu_motion_to_child(&hinge->X, V));
    } else {
      add_to_column(joint->x + j, stride, -1, answer(b->of, b->node, b->rest[j / 6 - a->n], f));
    }
  }
  double * column = joint->x + last;
  add_to_column(column, stride, 1, hinge->a);
  if (a->of)
    add_to_column(column, stride, 1, mbdu_motion_to_child(&hinge->X, a->of->bias[a->node]));
  if (b->of) add_to_column(column, stride, -1, b->of->bias[b->node]);
  for (int k = 0; k < hinge->nv; k++) column[(6 + k) * stride] = hinge->tau[k];
}

// factors that take the units out: the compliance to a unit diagonal, axes to unit length
static void
scales(const joint_t * joint, double * s)
{
  const int n = joint->n;
  for (int i = 0; i < 6; i++)
    s[i] = joint->K[i * (n + 1)] > 0 ? 1 / sqrt(joint->K[i * (n + 1)]) : 1;
  for (int k = 6; k < n; k++) {
    double longest = 0;
    for (int i = 0; i < 6; i++) longest = fmax(longest, fabs(joint->K[k * n + i]) * s[i]);
    s[k] = longest > 0 ? 1 / longest : 1;
  }
}

// false if the joint cannot be solved for
static bool
eliminate(joint_t * joint)
{
  const int n = joint->n, columns = joint->columns;
  double s[UNKNOWNS];
  scales(joint, s);
  for (int k = 0; k < n * n; k++) joint->K[k] *= s[k / n] * s[k % n];
  for (int k = 0; k < n * columns; k++) joint->x[k] *= s[k / columns];
  if (!mbdi_solve_above(n, columns, SMALLEST_PIVOT, joint->K, joint->x)) return false;
  for (int k = 0; k < n * columns; k++) joint->x[k] *= s[k / columns];
  return true;
}

static bool
finite_hinge(const mbd_hinge_t * hinge)
{
  bool finite = finite_placement(&hinge->X) && finite_motion(hinge->a);
  finite = finite && finite_array(hinge->tau, hinge->nv) && finite_array(&hinge->rotor, 1);
  for (int k = 0; k < hinge->nv; k++) finite = finite && finite_motion(hinge->S[k]);
  return finite;
}

static mbd_status_t
solve(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  joint_t * joint)
{
  if (!hinge || (!A && !B)) return MBD_ERROR_NULL_ARGUMENT;
  if (hinge->nv < 0 || hinge->nv > 6 || hinge->rotor < 0) return MBD_ERROR_BAD_ARGUMENT;
  memset(joint, 0, sizeof *joint);
  if (!take_side(A, a, &joint->a) || !take_side(B, b, &joint->b)) return MBD_ERROR_BAD_ARGUMENT;
  if (joint->a.n + joint->b.n > MBD_SUBSYSTEM_NODES) return MBD_ERROR_BAD_ARGUMENT;
  if (!finite_hinge(hinge)) return MBD_ERROR_NOT_FINITE;
  joint->hinge = hinge;
  joint->n = 6 + hinge->nv;
  joint->columns = 6 * (joint->a.n + joint->b.n) + 1;
  left_side(joint);
  right_side(joint);
  return eliminate(joint) ? MBD_OK : MBD_ERROR_SINGULAR;
}

// acceleration of node h of the joined system under column c of the solutions, its own share with it
static mbd_motion_t
joined_answer(const joint_t * joint, int h, int c)
{
  const bool on_a = h < joint->a.n;
  const side_t * side = on_a ? &joint->a : &joint->b;
  const int own = side->rest[on_a ? h : h - joint->a.n];
  double x[6];
  for (int r = 0; r < 6; r++) x[r] = joint->x[r * joint->columns + c];
  mbd_force_t f = force_of(x);
  if (on_a) f = mbdu_force_scale(-1, mbdu_force_to_parent(&joint->hinge->X, f));
  mbd_motion_t b = answer(side->of, own, side->node, f);
  if (c == joint->columns - 1) return mbdu_motion_add(b, side->of->bias[own]);
  // direct effect of a force on the same subsystem
  const int from = c / 6;
  if ((from < joint->a.n) != on_a) return b;
  const mbd_motion_t e = unit(c % 6);
  const mbd_force_t push = {e.ang, e.lin};
  return mbdu_motion_add(
    b, answer(side->of, own, side->rest[on_a ? from : from - joint->a.n], push));
}

mbd_status_t
mbd_subsystem_join(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  mbd_subsystem_t * out)
{
  joint_t joint;
  if (!out) return MBD_ERROR_NULL_ARGUMENT;
  CHECK(solve(A, a, B, b, hinge, &joint));
  mbd_subsystem_t C = {.nnode = joint.a.n + joint.b.n};
  const int size = 6 * C.nnode;
  for (int h = 0; h < C.nnode; h++) {
    for (int c = 0; c < size; c++) {
      double y[6];
      motion_numbers(joined_answer(&joint, h, c), y);
      for (int r = 0; r < 6; r++) C.inverse_inertia[(6 * h + r) * size + c] = y[r];
    }
    C.bias[h] = joined_answer(&joint, h, size);
    if (!finite_motion(C.bias[h])) return MBD_ERROR_NOT_FINITE;
  }
  if (!finite_array(C.inverse_inertia, size * size)) return MBD_ERROR_NOT_FINITE;
  *out = C;
  return MBD_OK;
}

mbd_status_t
mbd_subsystem_hinge(
  const mbd_subsystem_t * A, int a, const mbd_subsystem_t * B, int b, const mbd_hinge_t * hinge,
  const mbd_force_t * f, double * qdd, mbd_force_t * f_b)
{
  joint_t joint;
  CHECK(solve(A, a, B, b, hinge, &joint));
  const int loads = joint.columns / 6;
  if ((!f && loads > 0) || (!qdd && hinge->nv > 0) || !f_b) return MBD_ERROR_NULL_ARGUMENT;
  double x[UNKNOWNS];
  for (int i = 0; i < joint.n; i++) x[i] = joint.x[(i + 1) * joint.columns - 1];
  for (int h = 0; h < loads; h++) {
    const double load[6] = {f[h].ang.x, f[h].ang.y, f[h].ang.z, f[h].lin.x, f[h].lin.y, f[h].lin.z};
    for (int i = 0; i < joint.n; i++)
      x[i] += mbdi_dot(6, joint.x + i * joint.columns + 6 * h, load);
  }
  if (!finite_array(x, joint.n)) return MBD_ERROR_NOT_FINITE;
  *f_b = force_of(x);
  for (int k = 0; k < hinge->nv; k++) qdd[k] = x[6 + k];
  return MBD_OK;
}
