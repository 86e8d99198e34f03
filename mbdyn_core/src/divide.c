// Forward dynamics by pieces along the longest branch. A piece has a root hinge, through which it
// hangs on the body `inner` of the piece before, and a body `outer` that carries the piece behind. Its
// inward sweep is that of articulated bodies (Alg 7.2); along the path from the root to `outer` it
// also carries
//   L  (6 x 6)  force at the body for a unit force on `outer`: L_p = phi taubar L
//   Y, e        A_outer = L^T A + Y f + e,  Y = sum r^T D^-1 r,  e = sum r^T nu + L^T a,  r = S^T L
// with which nu of the hinges is nu(f) = nu + D^-1 r f. This is the merging of (10.46) - (10.52) with
// accelerations given at one end and forces at the other: P is not inverted, and the hinge bias a is
// in e, which (10.47) omits.
#include "mbdyn/divide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fast.h"
#include "joint.h"
#include "mbdyn/forward.h"
#include "pool.h"
#include "sweeps.h"

enum { MOST_THREADS = 1024 };

// a body on the path costs this much more than one off it: counted by callgrind
#define PATH_COST 0.65

typedef struct piece {
  int root;              // its first body on the longest branch, -1: hangs on the world as a whole
  int first, cut, next;  // bodies [first, cut) and [next, end): what the piece behind has is out
  int end;               //
  int inner, outer;      // bodies (or the world) at its ends; outer only if there is one behind
  bool last;             // nothing behind
  mbd_placement_t X;     // outer in inner
  mbd_motion_t dV;       // velocity of outer when inner is at rest
  mbd_placement_t X_in;  // inner in the world
  mbd_motion_t V_in, A_in;  // of inner
  mbd_sym6_t P;             // at inner
  mbd_force_t z;            // at inner
  mbd_force_t L[6];         // columns
  mbd_sym6_t Y;
  mbd_motion_t e;
  mbd_sym6_t P_behind;      // of all that is behind, at outer
  mbd_force_t z_behind, f;  // f: on outer
  double W[36];             // A_outer = W (L^T A_in + e - Y z_behind)
  bool failed;
} piece_t;

struct mbd_divide {
  const mbd_model_t * model;
  mbd_pool_t * pool;
  int threads, npiece;
  piece_t * piece;     // [threads]
  bool * on_path;      // [nbody]
  mbd_motion_t * row;  // D^-1 r of degrees of freedom on a path [nv]
};

//---------- cutting ----------

// child of body i (of the world: -1) that carries most, or -1
static int
heaviest_child(const mbd_model_t * model, int i)
{
  const int end = i < 0 ? model->nbody : model->body[i].subtree_end;
  int best = -1, most = 0;
  for (int c = i + 1; c < end; c = model->body[c].subtree_end) {
    const int size = model->body[c].subtree_end - c;
    if (size > most) best = c, most = size;
  }
  return best;
}

static int
longest_branch(const mbd_model_t * model, int * path)
{
  int n = 0;
  for (int i = heaviest_child(model, -1); i >= 0; i = heaviest_child(model, i)) path[n++] = i;
  return n;
}

static double
bodies_from(const mbd_model_t * model, int i)
{
  return model->body[i].subtree_end - i;
}

// cuts at places of the branch, from its tip on, such that no piece costs more than `most`; returns
// how many are needed, at most `limit` are written
static int
cut_at(const mbd_model_t * model, const int * path, int n, double most, int limit, int * cut)
{
  int cuts = 0, last = n;
  double behind = 0;  // bodies from the last cut on
  for (int k = n - 1; k >= 0; k--) {
    const double rest = k > 0 ? bodies_from(model, path[k - 1]) : model->nbody;
    const double path_bodies = last == n ? 0 : last - (k > 0 ? k - 1 : 0);
    // would the piece be too large with the next body towards the base?
    if (rest - behind + PATH_COST * path_bodies <= most) continue;
    if (cuts < limit) cut[cuts] = k;
    cuts++;
    last = k;
    behind = bodies_from(model, path[k]);
  }
  return cuts;
}

// the smallest largest piece
static int
choose_cuts(const mbd_model_t * model, const int * path, int n, int pieces, int * cut)
{
  double low = 0, high = (1 + PATH_COST) * model->nbody + 1;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (cut_at(model, path, n, middle, 0, NULL) <= pieces - 1)
      high = middle;
    else
      low = middle;
  }
  return cut_at(model, path, n, high, pieces - 1, cut);
}

// piece k of those that `cut` makes, its places tip first
static void
lay_piece(mbd_divide_t * divide, const int * path, const int * cut, int k)
{
  const mbd_model_t * model = divide->model;
  piece_t * p = &divide->piece[k];
  const int cuts = divide->npiece - 1;
  p->root = k == 0 ? -1 : path[cut[cuts - k]];
  p->first = k == 0 ? 0 : p->root;
  p->end = k == 0 ? model->nbody : model->body[p->root].subtree_end;
  p->inner = k == 0 ? MBD_WORLD_BODY : model->body[p->root].parent;
  p->last = k == cuts;
  p->cut = p->last ? p->end : path[cut[cuts - k - 1]];
  p->next = p->last ? p->end : model->body[p->cut].subtree_end;
  p->outer = p->last ? MBD_WORLD_BODY : model->body[p->cut].parent;
  for (int i = p->outer; !p->last && i != p->inner; i = model->body[i].parent)
    divide->on_path[i] = true;
}

static bool
lay_out(mbd_divide_t * divide)
{
  const mbd_model_t * model = divide->model;
  const size_t nbody = (size_t)model->nbody;
  divide->piece = calloc((size_t)divide->threads, sizeof *divide->piece);
  divide->on_path = calloc(nbody + 1, sizeof *divide->on_path);
  divide->row = calloc((size_t)model->nv + 1, sizeof *divide->row);
  int * path = calloc(nbody + 1 + (size_t)divide->threads, sizeof *path);
  const bool good = divide->piece && divide->on_path && divide->row && path;
  if (good) {
    int * cut = path + nbody + 1;
    const int n = longest_branch(model, path);
    divide->npiece = 1 + choose_cuts(model, path, n, divide->threads, cut);
    for (int k = 0; k < divide->npiece; k++) lay_piece(divide, path, cut, k);
  }
  free(path);
  return good;
}

mbd_status_t
mbd_divide_create(const mbd_model_t * model, int threads, mbd_divide_t ** out)
{
  if (!model || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (model->tree) return MBD_ERROR_EMBEDDED;
  if (threads < 1 || threads > MOST_THREADS) return MBD_ERROR_BAD_ARGUMENT;
  mbd_divide_t * divide = calloc(1, sizeof *divide);
  if (!divide) return MBD_ERROR_OUT_OF_MEMORY;
  divide->model = model;
  divide->threads = threads;
  // threads without a piece are not started
  if (lay_out(divide)) divide->pool = mbd_pool_create(divide->npiece);
  if (!divide->pool) {
    mbd_divide_destroy(divide);
    return MBD_ERROR_OUT_OF_MEMORY;
  }
  *out = divide;
  return MBD_OK;
}

void
mbd_divide_destroy(mbd_divide_t * divide)
{
  if (!divide) return;
  mbd_pool_destroy(divide->pool);
  free(divide->piece);
  free(divide->on_path);
  free(divide->row);
  free(divide);
}

int
mbd_divide_pieces(const mbd_divide_t * divide)
{
  return divide ? divide->npiece : 0;
}

//---------- sweeps of a piece ----------

typedef struct job {
  mbd_divide_t * divide;
  mbd_data_t * data;
  bool in_world;  // wrenches need placements in the world
} job_t;

// next body of a piece from base to tip, or from tip to base
static int
body_after(const piece_t * p, int i)
{
  return i + 1 == p->cut ? p->next : i + 1;
}

static int
body_before(const piece_t * p, int i)
{
  return i == p->next ? p->cut - 1 : i - 1;
}

static int
first_body(const piece_t * p)
{
  return p->first == p->cut ? p->next : p->first;
}

static int
last_body(const piece_t * p)
{
  return p->end == p->next ? p->cut - 1 : p->end - 1;
}

// placements of the joints, and how the outer end is placed and moves with respect to the inner one
static void
place(void * context, int part)
{
  const job_t * job = context;
  const mbd_model_t * model = job->divide->model;
  mbd_data_t * data = job->data;
  piece_t * p = &job->divide->piece[part];
  p->X = mbdu_placement_identity();
  memset(&p->dV, 0, sizeof p->dV);
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const mbd_body_t * body = &model->body[i];
    mbd_joint_position(body, data->q + body->q_index, &data->X_parent[i], data->S + body->v_index);
    if (!job->divide->on_path[i]) continue;
    p->X = mbdu_placement_mul(&p->X, &data->X_parent[i]);
    p->dV = mbdu_motion_add(
      mbdu_motion_to_child(&data->X_parent[i], p->dV),
      joint_motion(body, data->S + body->v_index, data->v + body->v_index));
  }
}

// velocities, and what each body is by itself
static void
move(void * context, int part)
{
  const job_t * job = context;
  const mbd_model_t * model = job->divide->model;
  mbd_data_t * data = job->data;
  const piece_t * p = &job->divide->piece[part];
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const int parent = model->body[i].parent;
    mbd_velocity_step(model, data, i, parent == p->inner ? &p->V_in : &data->V[parent]);
    const mbd_force_t momentum = mbdu_inertia_mul(&data->inertia[i], data->V[i]);
    data->z[i] = mbdu_force_cross(data->V[i], momentum);
    data->P[i] = mbdu_sym6_from_inertia(&data->inertia[i]);
    if (!job->in_world) continue;
    const mbd_placement_t * X = parent == p->inner ? &p->X_in : &data->X_world[parent];
    data->X_world[i] = mbdu_placement_mul(X, &data->X_parent[i]);
  }
}

// L, Y and e past the hinge of a body on the path; nu is there already
static void
pass_hinge(const mbd_divide_t * divide, const mbd_data_t * data, int i, piece_t * p)
{
  const mbd_body_t * body = &divide->model->body[i];
  const int first = body->v_index, n = body->nv;
  double r[6][6],
    *e[6] = {&p->e.ang.x, &p->e.ang.y, &p->e.ang.z, &p->e.lin.x, &p->e.lin.y, &p->e.lin.z};
  for (int c = 0; c < 6; c++) {
    joint_project(body, data->S + first, p->L[c], r[c]);
    *e[c] += mbdu_power(p->L[c], data->a[i]);
    for (int k = 0; k < n; k++) *e[c] += r[c][k] * data->nu[first + k];
    p->L[c] = mbdu_force_sub(p->L[c], joint_gain(data, body, r[c]));
    p->L[c] = mbdu_force_to_parent(&data->X_parent[i], p->L[c]);
  }
  double d[6][6];
  for (int c = 0; c < 6; c++) joint_D_inv(data, body, r[c], d[c]);
  for (int k = 0; k < n; k++) {
    const mbd_motion_t row = {{d[0][k], d[1][k], d[2][k]}, {d[3][k], d[4][k], d[5][k]}};
    const mbd_motion_t r_k = {{r[0][k], r[1][k], r[2][k]}, {r[3][k], r[4][k], r[5][k]}};
    mbdu_sym6_add_outer(&p->Y, 0.5, r_k.ang, r_k.lin, row.ang, row.lin);
    divide->row[first + k] = row;
  }
}

static void
begin_path(piece_t * p)
{
  memset(&p->P, 0, sizeof p->P);
  memset(&p->z, 0, sizeof p->z);
  memset(&p->Y, 0, sizeof p->Y);
  memset(&p->e, 0, sizeof p->e);
  for (int c = 0; c < 6; c++) {
    const mbd_force_t unit = {{c == 0, c == 1, c == 2}, {c == 3, c == 4, c == 5}};
    p->L[c] = unit;
  }
}

// what a body's hinge lets through, to its parent                                     (6.26), (7.27)
static void
hand_on(
  const mbd_body_t * body, mbd_data_t * data, int i, const mbd_force_t * U, const double * eps,
  mbd_sym6_t * P, mbd_force_t * z)
{
  mbd_sym6_t P_plus = data->P[i];
  for (int k = 0; k < body->nv; k++) {
    const mbd_force_t * G = &data->G[body->v_index + k];
    mbdu_sym6_add_outer(&P_plus, -0.5, U[k].ang, U[k].lin, G->ang, G->lin);
  }
  const mbd_sym6_t shifted = mbdu_sym6_to_parent(&data->X_parent[i], &P_plus);
  const mbd_force_t z_plus = mbdu_force_add(data->z[i], joint_gain(data, body, eps));
  *P = mbdu_sym6_add(P, &shifted);
  *z = mbdu_force_add(*z, mbdu_force_to_parent(&data->X_parent[i], z_plus));
}

// tips to base: articulated bodies and residual forces, and along the path what a force behind adds
static void
gather(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  const mbd_model_t * model = divide->model;
  mbd_data_t * data = job->data;
  piece_t * p = &divide->piece[part];
  begin_path(p);
  p->failed = false;
  for (int i = last_body(p); i >= p->first; i = body_before(p, i)) {
    const mbd_body_t * body = &model->body[i];
    mbd_force_t U[6];
    double eps[6];
    if (!mbd_hinge_gain(model, data, i, U)) {
      p->failed = true;
      return;
    }
    data->z[i] = mbdu_force_add(data->z[i], mbdu_sym6_mul_motion(&data->P[i], data->a[i]));
    joint_project(body, data->S + body->v_index, data->z[i], eps);
    for (int k = 0; k < body->nv; k++) eps[k] = data->x[body->v_index + k] - eps[k];
    joint_D_inv(data, body, eps, data->nu + body->v_index);
    if (divide->on_path[i]) pass_hinge(divide, data, i, p);
    if (i == p->root) {
      hand_on(body, data, i, U, eps, &p->P, &p->z);
    } else if (body->parent >= 0) {
      hand_on(body, data, i, U, eps, &data->P[body->parent], &data->z[body->parent]);
    }
  }
}

// base to tips: accelerations, with the force on the outer end                        (7.38)
static void
accelerate(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  mbd_data_t * data = job->data;
  const piece_t * p = &divide->piece[part];
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const mbd_body_t * body = &divide->model->body[i];
    const int first = body->v_index;
    const mbd_motion_t from = body->parent == p->inner ? p->A_in : data->A[body->parent];
    const mbd_motion_t A_plus = mbdu_motion_to_child(&data->X_parent[i], from);
    double * qdd = data->qdd + first;
    for (int k = 0; k < body->nv; k++) {
      qdd[k] = data->nu[first + k] - mbdu_power(data->G[first + k], A_plus);
      if (divide->on_path[i]) qdd[k] += mbdu_power(p->f, divide->row[first + k]);
    }
    const mbd_motion_t relative = joint_motion(body, data->S + first, qdd);
    data->A[i] = mbdu_motion_add(mbdu_motion_add(A_plus, relative), data->a[i]);
  }
}

static void
move_and_gather(void * context, int part)
{
  move(context, part);
  gather(context, part);
}

//---------- between the pieces ----------

// velocities of the inner ends, and their placements in the world
static void
join_velocities(mbd_divide_t * divide)
{
  mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}};
  mbd_placement_t X = mbdu_placement_identity();
  for (int k = 0; k < divide->npiece; k++) {
    piece_t * p = &divide->piece[k];
    p->V_in = V;
    p->X_in = X;
    V = mbdu_motion_add(mbdu_motion_to_child(&p->X, V), p->dV);
    X = mbdu_placement_mul(&X, &p->X);
  }
}

// inverse of a 6 x 6 matrix by Gauss-Jordan with pivots from the columns; false if there is none
static bool
invert6(double * A, double * inverse)
{
  for (int k = 0; k < 36; k++) inverse[k] = k % 7 == 0;
  for (int k = 0; k < 6; k++) {
    int pivot = k;
    for (int i = k + 1; i < 6; i++) {
      if (fabs(A[6 * i + k]) > fabs(A[6 * pivot + k])) pivot = i;
    }
    if (!(fabs(A[6 * pivot + k]) > 0)) return false;
    for (int j = 0; j < 6; j++) {
      const double a = A[6 * k + j], b = inverse[6 * k + j];
      A[6 * k + j] = A[6 * pivot + j], A[6 * pivot + j] = a;
      inverse[6 * k + j] = inverse[6 * pivot + j], inverse[6 * pivot + j] = b;
    }
    for (int i = 0; i < 6; i++) {
      const double factor = i == k ? 1 - 1 / A[6 * k + k] : A[6 * i + k] / A[6 * k + k];
      for (int j = 0; j < 6; j++) {
        A[6 * i + j] -= factor * A[6 * k + j];
        inverse[6 * i + j] -= factor * inverse[6 * k + j];
      }
    }
  }
  return true;
}

static void
multiply6(const double * A, const double * B, double * C)
{
  for (int i = 0; i < 36; i++) {
    C[i] = 0;
    for (int k = 0; k < 6; k++) C[i] += A[i / 6 * 6 + k] * B[6 * k + i % 6];
  }
}

static mbd_motion_t
multiply6_motion(const double * A, mbd_motion_t V)
{
  const double x[6] = {V.ang.x, V.ang.y, V.ang.z, V.lin.x, V.lin.y, V.lin.z};
  double y[6] = {0};
  for (int i = 0; i < 36; i++) y[i / 6] += A[i] * x[i % 6];
  return (mbd_motion_t){{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
}

// L f and L^T A
static mbd_force_t
through(const mbd_force_t * L, mbd_force_t f)
{
  const double x[6] = {f.ang.x, f.ang.y, f.ang.z, f.lin.x, f.lin.y, f.lin.z};
  mbd_force_t sum = {{0, 0, 0}, {0, 0, 0}};
  for (int c = 0; c < 6; c++) sum = mbdu_force_add(sum, mbdu_force_scale(x[c], L[c]));
  return sum;
}

static mbd_motion_t
through_transposed(const mbd_force_t * L, mbd_motion_t A)
{
  return (mbd_motion_t){
    {mbdu_power(L[0], A), mbdu_power(L[1], A), mbdu_power(L[2], A)},
    {mbdu_power(L[3], A), mbdu_power(L[4], A), mbdu_power(L[5], A)}};
}

// A_outer for an acceleration of the inner end
static mbd_motion_t
outer_acceleration(const piece_t * p, mbd_motion_t A_in)
{
  mbd_motion_t A = mbdu_motion_add(through_transposed(p->L, A_in), p->e);
  A = mbdu_motion_sub(A, mbdu_sym6_mul_force(&p->Y, p->z_behind));
  return multiply6_motion(p->W, A);
}

// P += L P_behind W L^T, z += L (z_behind + P_behind W (e - Y z_behind)), W = (1 + Y P_behind)^-1
static bool
close_piece(piece_t * p, const piece_t * behind)
{
  double Y[36], P[36], A[36];
  p->P_behind = behind->P;
  p->z_behind = behind->z;
  mbdu_sym6_full(&p->Y, Y);
  mbdu_sym6_full(&behind->P, P);
  multiply6(Y, P, A);
  for (int k = 0; k < 6; k++) A[7 * k] += 1;
  if (!invert6(A, p->W)) return false;
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  const mbd_motion_t alone = outer_acceleration(p, rest);
  p->z = mbdu_force_add(p->z, through(p->L, behind->z));
  p->z = mbdu_force_add(p->z, through(p->L, mbdu_sym6_mul_motion(&behind->P, alone)));
  for (int c = 0; c < 6; c++) {
    // column c, which as a row is added once more: half of the outer product each time
    const mbd_motion_t unit = {{c == 0, c == 1, c == 2}, {c == 3, c == 4, c == 5}};
    const mbd_motion_t A_outer = multiply6_motion(p->W, through_transposed(p->L, unit));
    const mbd_force_t f = through(p->L, mbdu_sym6_mul_motion(&behind->P, A_outer));
    mbdu_sym6_add_outer(&p->P, 0.5, f.ang, f.lin, unit.ang, unit.lin);
  }
  return true;
}

// tip to base, then base to tip: forces and accelerations of the ends
static bool
join_accelerations(mbd_divide_t * divide, mbd_vec3_t gravity)
{
  for (int k = divide->npiece - 2; k >= 0; k--) {
    if (!close_piece(&divide->piece[k], &divide->piece[k + 1])) return false;
  }
  mbd_motion_t A = {{0, 0, 0}, mbdu_vec3_neg(gravity)};
  for (int k = 0; k < divide->npiece; k++) {
    piece_t * p = &divide->piece[k];
    p->A_in = A;
    memset(&p->f, 0, sizeof p->f);
    if (p->last) break;
    A = outer_acceleration(p, p->A_in);
    p->f = mbdu_force_add(mbdu_sym6_mul_motion(&p->P_behind, A), p->z_behind);
    p->f = mbdu_force_scale(-1, p->f);
  }
  return true;
}

// false: a piece is no robot by itself (a tip without inertia), or a cut has no solution
static bool
divide_and_conquer(job_t * job, const mbd_wrenches_t * f_ext)
{
  mbd_divide_t * divide = job->divide;
  mbd_pool_run(divide->pool, place, job);
  join_velocities(divide);
  if (f_ext) {
    mbd_pool_run(divide->pool, move, job);
    mbd_add_wrenches(divide->model, job->data, f_ext, -1, job->data->z);
    mbd_pool_run(divide->pool, gather, job);
  } else {
    mbd_pool_run(divide->pool, move_and_gather, job);
  }
  for (int k = 0; k < divide->npiece; k++) {
    if (divide->piece[k].failed) return false;
  }
  if (!join_accelerations(divide, job->data->gravity)) return false;
  mbd_pool_run(divide->pool, accelerate, job);
  return finite_array(job->data->qdd, divide->model->nv);
}

mbd_status_t
mbd_divide_forward_dynamics(
  mbd_divide_t * divide, mbd_data_t * data, const double * q, const double * v, const double * tau,
  const mbd_wrenches_t * f_ext, double * qdd)
{
  if (!divide || !q || !v || !qdd) return MBD_ERROR_NULL_ARGUMENT;
  const mbd_model_t * model = divide->model;
  CHECK(check_dynamics(model, data, 0));
  if (tau && !finite_array(tau, model->nv)) return MBD_ERROR_NOT_FINITE;
  CHECK(mbd_check_wrenches(model, f_ext));
  CHECK(mbd_fast_state(model, data, q, v));
  mbd_take_torques(model, data, tau);
  job_t job = {divide, data, f_ext != NULL};
  // the whole robot may be one where a piece of it is not
  if (!divide_and_conquer(&job, f_ext))
    return mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  // stages with these accelerations are for later; those of wrenches cannot be
  data->stage = f_ext ? MBD_STAGE_LATER_VELOCITY : MBD_STAGE_LATER;
  memcpy(qdd, data->qdd, (size_t)model->nv * sizeof *qdd);
  return MBD_OK;
}
