// Forward dynamics by subchains along the longest branch. A subchain has a root hinge, through which it
// hangs on the body `inner` of the subchain before, and a body `outer` that carries the subchain behind. Its
// inward sweep is that of articulated bodies (Alg 7.2); along the path from the root to `outer` it
// also carries
//   L  (6 x 6)  force at the body for a unit force on `outer`: L_p = phi taubar L
//   Y, e        A_outer = L^T A + Y f + e,  Y = sum r^T D^-1 r,  e = sum r^T nu + L^T a,  r = S^T L
// with which nu of the hinges is nu(f) = nu + D^-1 r f. This is the merging of (10.46) - (10.52) with
// accelerations given at one end and forces at the other: P is not inverted, and the hinge bias a is
// in e, which (10.47) omits. All 6-vectors of a subchain are at the origins of their bodies, in the axes of
// `inner`: passing a hinge is a shift, nothing is turned; and no numbers grow with the length of the
// chain.
#include "mbdyn/operators/divide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/forward.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/element.h"
#include "tree/sweeps.h"
#include "util/dense.h"
#include "util/pool.h"

enum { MOST_THREADS = 1024 };

// a body on the path costs this much more than one off it: instructions, counted
#define PATH_COST 0.65

// L fades from body to body. Where its squares are below this nothing is felt of a force behind, and
// the path ends; otherwise long chains would come to numbers that are slow to compute with. LONGEST_PATH
// is what it takes about, for cutting into equal subchains.
#define FAINT        1e-120
#define LONGEST_PATH 800

typedef struct subchain {
  int root;              // its first body on the longest branch, -1: hangs on the world as a whole
  int first, cut, next;  // bodies [first, cut) and [next, end): what the subchain behind has is out
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
  int faded;                // body on the path where L ended, or -1
  mbd_sym6_t Y;
  mbd_motion_t e;
  mbd_sym6_t P_behind;      // of all that is behind, at outer
  mbd_force_t z_behind, f;  // f: on outer
  double W[36];             // A_outer = W (L^T A_in + e - Y z_behind)
  bool failed;
} subchain_t;

// a body, in the axes of its subchain
typedef struct node {
  mbd_mat3_t R;  // the body's axes
  mbd_vec3_t r;  // its origin from that of its parent
  mbd_motion_t V, a;
  mbd_motion_t A;  // minus gravity
  mbd_force_t z;
  mbd_sym6_t P;
} node_t;

// a degree of freedom, in the axes of its subchain
typedef struct dof {
  mbd_motion_t S;
  mbd_force_t G;
  mbd_motion_t row;  // D^-1 r, on a path
} dof_t;

struct mbd_divide {
  const mbd_model_t * model;
  mbdi_pool_t * pool;
  int threads, nsubchain;
  subchain_t * subchain;  // [threads]
  bool * on_path;         // [nbody]
  node_t * node;          // [nbody]
  dof_t * dof;            // [nv]
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

// cuts at places of the branch, from its tip on, such that no subchain costs more than `most`; returns
// how many are needed, at most `limit` are written
static int
cut_at(const mbd_model_t * model, const int * path, int n, double most, int limit, int * cut)
{
  int cuts = 0, last = n;
  double behind = 0;  // bodies from the last cut on
  for (int k = n - 1; k >= 0; k--) {
    const double rest = k > 0 ? bodies_from(model, path[k - 1]) : model->nbody;
    const double path_bodies = last == n ? 0 : last - (k > 0 ? k - 1 : 0);
    // would the subchain be too large with the next body towards the base?
    if (rest - behind + PATH_COST * fmin(path_bodies, LONGEST_PATH) <= most) continue;
    if (cuts < limit) cut[cuts] = k;
    cuts++;
    last = k;
    behind = bodies_from(model, path[k]);
  }
  return cuts;
}

// the smallest largest subchain
static int
choose_cuts(const mbd_model_t * model, const int * path, int n, int subchains, int * cut)
{
  double low = 0, high = (1 + PATH_COST) * model->nbody + 1;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    if (cut_at(model, path, n, middle, 0, NULL) <= subchains - 1)
      high = middle;
    else
      low = middle;
  }
  return cut_at(model, path, n, high, subchains - 1, cut);
}

// subchain k of those that `cut` makes, its places tip first
static void
lay_out_subchain(mbd_divide_t * divide, const int * path, const int * cut, int k)
{
  const mbd_model_t * model = divide->model;
  subchain_t * p = &divide->subchain[k];
  const int cuts = divide->nsubchain - 1;
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
lay_out_divide(mbd_divide_t * divide)
{
  const mbd_model_t * model = divide->model;
  const size_t nbody = (size_t)model->nbody;
  divide->subchain = calloc((size_t)divide->threads, sizeof *divide->subchain);
  divide->on_path = calloc(nbody + 1, sizeof *divide->on_path);
  divide->node = calloc(nbody + 1, sizeof *divide->node);
  divide->dof = calloc((size_t)model->nv + 1, sizeof *divide->dof);
  int * path = calloc(nbody + 1 + (size_t)divide->threads, sizeof *path);
  const bool good = divide->subchain && divide->on_path && divide->node && divide->dof && path;
  if (good) {
    int * cut = path + nbody + 1;
    const int n = longest_branch(model, path);
    divide->nsubchain = 1 + choose_cuts(model, path, n, divide->threads, cut);
    for (int k = 0; k < divide->nsubchain; k++) lay_out_subchain(divide, path, cut, k);
  }
  free(path);
  return good;
}

mbd_status_t
mbd_divide_create(const mbd_model_t * model, int threads, mbd_divide_t ** out)
{
  if (!model || !out) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  if (threads < 1 || threads > MOST_THREADS) return MBD_ERROR_BAD_ARGUMENT;
  mbd_divide_t * divide = calloc(1, sizeof *divide);
  if (!divide) return MBD_ERROR_OUT_OF_MEMORY;
  divide->model = model;
  divide->threads = threads;
  // threads without a subchain are not started
  if (lay_out_divide(divide)) divide->pool = mbdi_pool_create(divide->nsubchain);
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
  mbdi_pool_destroy(divide->pool);
  free(divide->subchain);
  free(divide->on_path);
  free(divide->node);
  free(divide->dof);
  free(divide);
}

int
mbd_divide_subchains(const mbd_divide_t * divide)
{
  return divide ? divide->nsubchain : 0;
}

//---------- sweeps of a subchain ----------

typedef struct job {
  mbd_divide_t * divide;
  mbd_data_t * data;
  bool wrenches;  // there are some, which need placements in the world
} job_t;

// next body of a subchain from base to tip, or from tip to base
static int
body_after(const subchain_t * p, int i)
{
  return i + 1 == p->cut ? p->next : i + 1;
}

static int
body_before(const subchain_t * p, int i)
{
  return i == p->next ? p->cut - 1 : i - 1;
}

static int
first_body(const subchain_t * p)
{
  return p->first == p->cut ? p->next : p->first;
}

static int
last_body(const subchain_t * p)
{
  return p->end == p->next ? p->cut - 1 : p->end - 1;
}

// a motion and a force where r is the way from the first point to the second
static inline mbd_motion_t
motion_outwards(mbd_vec3_t r, mbd_motion_t V)
{
  V.lin = mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, r));
  return V;
}

static inline mbd_force_t
force_inwards(mbd_vec3_t r, mbd_force_t f)
{
  f.ang = mbdu_vec3_add(f.ang, mbdu_vec3_cross(r, f.lin));
  return f;
}

static inline mbd_sym6_t
inertia_inwards(mbd_vec3_t r, const mbd_sym6_t * P)
{
  const mbd_mat3_t M = mbdu_sym3_to_mat3(&P->M), H_t = mbdu_mat3_transpose(&P->H);
  const mbd_mat3_t rM = mbdu_mat3_cross_left(r, &M), rH = mbdu_mat3_cross_left(r, &H_t);
  mbd_sym6_t C = {P->J, mbdu_mat3_add(&P->H, &rM), P->M};
  const mbd_mat3_t Hr = mbdu_mat3_cross_right(&C.H, mbdu_vec3_neg(r));
  const mbd_mat3_t shift = mbdu_mat3_add(&rH, &Hr);
  C.J = mbdu_sym3_add(C.J, mbdu_sym3_from_mat3(&shift));
  return C;
}

static inline mbd_motion_t
turned(const mbd_mat3_t * R, mbd_motion_t V)
{
  return (mbd_motion_t){mbdu_mat3_vec(R, V.ang), mbdu_mat3_vec(R, V.lin)};
}

// S x of a hinge
static inline mbd_motion_t
hinge_motion(const dof_t * dof, int n, const double * x)
{
  mbd_motion_t V = mbdu_motion_scale(x[0], dof[0].S);
  for (int k = 1; k < n; k++) V = mbdu_motion_add(V, mbdu_motion_scale(x[k], dof[k].S));
  return V;
}

// the columns of S: one-axis joints have z as their axis
static inline void
take_axes(const mbd_body_t * body, const mbd_motion_t * S, const mbd_mat3_t * R, dof_t * dof)
{
  const mbd_vec3_t z = {R->m[2], R->m[5], R->m[8]}, none = {0, 0, 0};
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: dof->S = (mbd_motion_t){z, none}; return;
    case MBD_JOINT_PRISMATIC: dof->S = (mbd_motion_t){none, z}; return;
    default: break;
  }
  for (int k = 0; k < body->nv; k++) dof[k].S = turned(R, S[k]);
}

// placements, and how the outer end is placed and moves with respect to the inner one, in its axes
static void
place_subchain(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  mbd_data_t * data = job->data;
  subchain_t * p = &divide->subchain[part];
  p->X = mbdu_placement_identity();
  memset(&p->dV, 0, sizeof p->dV);
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const mbd_body_t * body = &divide->model->body[i];
    node_t * node = &divide->node[i];
    dof_t * dof = divide->dof + body->v_index;
    mbd_placement_t X;
    mbdi_joint_position(body, data->q + body->q_index, &X, data->S + body->v_index);
    if (body->parent == p->inner) {
      node->R = X.R, node->r = X.p;
    } else {
      const mbd_mat3_t * R = &divide->node[body->parent].R;
      node->R = mbdu_mat3_mul(R, &X.R), node->r = mbdu_mat3_vec(R, X.p);
    }
    take_axes(body, data->S + body->v_index, &node->R, dof);
    if (!divide->on_path[i]) continue;
    p->X.p = mbdu_vec3_add(p->X.p, node->r);
    p->dV = mbdu_motion_add(
      motion_outwards(node->r, p->dV), hinge_motion(dof, body->nv, data->v + body->v_index));
  }
  if (p->outer == p->inner || p->last) return;
  p->X.R = divide->node[p->outer].R;
  const mbd_mat3_t back = mbdu_mat3_transpose(&p->X.R);
  p->dV = turned(&back, p->dV);
}

// hinge acceleration of what moves axes in the child: (dS/dt) v                          (5.11)
static mbd_motion_t
axes_acceleration(const mbd_body_t * body, const mbd_data_t * data, const mbd_mat3_t * R)
{
  const double * v = data->v + body->v_index;
  mbd_motion_t dS[6], a = {{0, 0, 0}, {0, 0, 0}};
  if (!mbdi_joint_subspace_rate(body, data->q + body->q_index, v, dS)) return a;
  for (int k = 0; k < body->nv; k++) a = mbdu_motion_add(a, mbdu_motion_scale(v[k], dS[k]));
  return turned(R, a);
}

// velocities, and what each body is by itself
static void
move(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  mbd_data_t * data = job->data;
  const subchain_t * p = &divide->subchain[part];
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const mbd_body_t * body = &divide->model->body[i];
    node_t * node = &divide->node[i];
    const bool first = body->parent == p->inner;
    const mbd_motion_t V_p = first ? p->V_in : divide->node[body->parent].V;
    const mbd_motion_t delta =
      hinge_motion(divide->dof + body->v_index, body->nv, data->v + body->v_index);
    node->V = mbdu_motion_add(motion_outwards(node->r, V_p), delta);
    node->a = mbdu_motion_cross(node->V, delta);
    if (body->type == MBD_JOINT_UNIVERSAL || body->type == MBD_JOINT_USER)
      node->a = mbdu_motion_add(node->a, axes_acceleration(body, data, &node->R));
    const mbd_inertia_t * own = &data->inertia[i];
    const mbd_inertia_t M = {
      own->mass, mbdu_mat3_vec(&node->R, own->h), mbdu_sym3_rotate(&node->R, &own->I)};
    node->z = mbdu_force_cross(node->V, mbdu_inertia_mul(&M, node->V));
    node->P = mbdu_sym6_from_inertia(&M);
    if (!job->wrenches) continue;
    const mbd_vec3_t from = first ? p->X_in.p : data->X_world[body->parent].p;
    data->X_world[i].R = mbdu_mat3_mul(&p->X_in.R, &node->R);
    data->X_world[i].p = mbdu_vec3_add(from, mbdu_mat3_vec(&p->X_in.R, node->r));
  }
}

// U = P S, D = S^T U, G = U D^-1; false if nothing resists the hinge                     (6.13)
static bool
take_gain(
  const mbd_body_t * body, const mbd_sym6_t * P, double rotor, double * D_inv, dof_t * dof,
  mbd_force_t * U)
{
  const int n = body->nv;
  double D[36], floor[6] = {0};
  for (int k = 0; k < n; k++) {
    U[k] = mbdu_sym6_mul_motion(P, dof[k].S);
    floor[k] = mbdi_hinge_floor(P, dof[k].S);
    for (int j = 0; j < n; j++) D[j * n + k] = mbdu_power(U[k], dof[j].S) + (j == k ? rotor : 0);
  }
  if (n == 1) {
    if (!(D[0] > floor[0])) return false;
    D_inv[0] = 1 / D[0];
    dof->G = mbdu_force_scale(D_inv[0], U[0]);
    return true;
  }
  if (!mbdi_hinge_inverse(n, D, floor, D_inv)) return false;
  for (int k = 0; k < n; k++) {
    dof[k].G = mbdu_force_scale(D_inv[k], U[0]);
    for (int j = 1; j < n; j++)
      dof[k].G = mbdu_force_add(dof[k].G, mbdu_force_scale(D_inv[j * n + k], U[j]));
  }
  return true;
}

static bool
is_faint(const mbd_force_t * L)
{
  double sum = 0;
  for (int c = 0; c < 6; c++)
    sum += mbdu_vec3_dot(L[c].ang, L[c].ang) + mbdu_vec3_dot(L[c].lin, L[c].lin);
  return sum < FAINT;
}

// L, Y and e past the hinge of a body on the path; nu is there already
static void
pass_hinge(const mbd_divide_t * divide, const mbd_data_t * data, int i, subchain_t * p)
{
  const mbd_body_t * body = &divide->model->body[i];
  const node_t * node = &divide->node[i];
  dof_t * dof = divide->dof + body->v_index;
  const double * nu = data->work->nu + body->v_index;
  double r[6][6], d[6][6], e[6];
  for (int c = 0; c < 6; c++) {
    e[c] = mbdu_power(p->L[c], node->a);
    for (int k = 0; k < body->nv; k++) r[c][k] = mbdu_power(p->L[c], dof[k].S);
    for (int k = 0; k < body->nv; k++) {
      e[c] += r[c][k] * nu[k];
      p->L[c] = mbdu_force_sub(p->L[c], mbdu_force_scale(r[c][k], dof[k].G));
    }
    p->L[c] = force_inwards(node->r, p->L[c]);
    joint_D_inv(data, body, r[c], d[c]);
  }
  p->e = mbdu_motion_add(p->e, (mbd_motion_t){{e[0], e[1], e[2]}, {e[3], e[4], e[5]}});
  for (int k = 0; k < body->nv; k++) {
    const mbd_motion_t row = {{d[0][k], d[1][k], d[2][k]}, {d[3][k], d[4][k], d[5][k]}};
    const mbd_motion_t r_k = {{r[0][k], r[1][k], r[2][k]}, {r[3][k], r[4][k], r[5][k]}};
    mbdu_sym6_add_outer(&p->Y, 0.5, r_k.ang, r_k.lin, row.ang, row.lin);
    dof[k].row = row;
  }
  if (!is_faint(p->L)) return;
  p->faded = i;
  memset(p->L, 0, sizeof p->L);
}

// nothing behind yet: unit forces on the outer end, in its axes
static void
begin_path(subchain_t * p)
{
  memset(&p->P, 0, sizeof p->P);
  memset(&p->z, 0, sizeof p->z);
  memset(&p->Y, 0, sizeof p->Y);
  memset(&p->e, 0, sizeof p->e);
  p->faded = -1;
  const double * R = p->X.R.m;
  for (int c = 0; c < 3; c++) {
    const mbd_vec3_t axis = {R[c], R[3 + c], R[6 + c]}, none = {0, 0, 0};
    p->L[c] = (mbd_force_t){axis, none};
    p->L[3 + c] = (mbd_force_t){none, axis};
  }
}

// what a body's hinge lets through, to its parent                                     (6.26), (7.27)
static void
hand_on(
  const node_t * node, const dof_t * dof, int n, const mbd_force_t * U, const double * eps,
  mbd_sym6_t * P, mbd_force_t * z)
{
  mbd_sym6_t P_plus = node->P;
  mbd_force_t z_plus = node->z;
  for (int k = 0; k < n; k++) {
    const mbd_force_t * G = &dof[k].G;
    mbdu_sym6_add_outer(&P_plus, -0.5, U[k].ang, U[k].lin, G->ang, G->lin);
    z_plus = mbdu_force_add(z_plus, mbdu_force_scale(eps[k], *G));
  }
  const mbd_sym6_t shifted = inertia_inwards(node->r, &P_plus);
  *P = mbdu_sym6_add(P, &shifted);
  *z = mbdu_force_add(*z, force_inwards(node->r, z_plus));
}

// the forces of a body by itself: z has P a and b, less what wrenches bring
static void
complete_force(const job_t * job, int i, node_t * node)
{
  node->z = mbdu_force_add(node->z, mbdu_sym6_mul_motion(&node->P, node->a));
  if (!job->wrenches) return;
  const mbd_force_t w = job->data->work->F[i];
  const mbd_force_t in_subchain = {mbdu_mat3_vec(&node->R, w.ang), mbdu_mat3_vec(&node->R, w.lin)};
  node->z = mbdu_force_sub(node->z, in_subchain);
}

// tips to base: articulated bodies and residual forces, and along the path what a force behind adds
static void
gather(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  mbd_data_t * data = job->data;
  subchain_t * p = &divide->subchain[part];
  begin_path(p);
  p->failed = true;
  for (int i = last_body(p); i >= p->first; i = body_before(p, i)) {
    const mbd_body_t * body = &divide->model->body[i];
    node_t * node = &divide->node[i];
    dof_t * dof = divide->dof + body->v_index;
    mbd_force_t U[6];
    double eps[6], *D_inv = data->D_inv + body->d_index;
    if (!take_gain(body, &node->P, joint_rotor(data, body), D_inv, dof, U)) return;
    complete_force(job, i, node);
    for (int k = 0; k < body->nv; k++)
      eps[k] = data->work->x[body->v_index + k] - mbdu_power(node->z, dof[k].S);
    joint_D_inv(data, body, eps, data->work->nu + body->v_index);
    if (divide->on_path[i] && p->faded < 0) pass_hinge(divide, data, i, p);
    if (i == p->root) {
      hand_on(node, dof, body->nv, U, eps, &p->P, &p->z);
    } else if (body->parent >= 0) {
      node_t * parent = &divide->node[body->parent];
      hand_on(node, dof, body->nv, U, eps, &parent->P, &parent->z);
    }
  }
  p->failed = false;
}

// base to tips: accelerations, with the force on the outer end                        (7.38)
static void
accelerate(void * context, int part)
{
  const job_t * job = context;
  const mbd_divide_t * divide = job->divide;
  mbd_data_t * data = job->data;
  const subchain_t * p = &divide->subchain[part];
  for (int i = first_body(p); i < p->end; i = body_after(p, i)) {
    const mbd_body_t * body = &divide->model->body[i];
    node_t * node = &divide->node[i];
    const dof_t * dof = divide->dof + body->v_index;
    const bool first = body->parent == p->inner, felt = divide->on_path[i] && i >= p->faded;
    const mbd_motion_t from = first ? p->A_in : divide->node[body->parent].A;
    const mbd_motion_t A_plus = motion_outwards(node->r, from);
    double * qdd = data->work->qdd + body->v_index;
    for (int k = 0; k < body->nv; k++) {
      qdd[k] = data->work->nu[body->v_index + k] - mbdu_power(dof[k].G, A_plus);
      if (felt) qdd[k] += mbdu_power(p->f, dof[k].row);
    }
    const mbd_motion_t hinge = mbdu_motion_add(hinge_motion(dof, body->nv, qdd), node->a);
    node->A = mbdu_motion_add(A_plus, hinge);
  }
}

static void
move_and_gather(void * context, int part)
{
  move(context, part);
  gather(context, part);
}

//---------- between the subchains ----------

// velocities of the inner ends, and their placements in the world
static void
join_velocities(mbd_divide_t * divide)
{
  mbd_motion_t V = {{0, 0, 0}, {0, 0, 0}};
  mbd_placement_t X = mbdu_placement_identity();
  for (int k = 0; k < divide->nsubchain; k++) {
    subchain_t * p = &divide->subchain[k];
    p->V_in = V;
    p->X_in = X;
    V = mbdu_motion_add(mbdu_motion_to_child(&p->X, V), p->dV);
    X = mbdu_placement_mul(&X, &p->X);
  }
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
outer_acceleration(const subchain_t * p, mbd_motion_t A_in)
{
  mbd_motion_t A = mbdu_motion_add(through_transposed(p->L, A_in), p->e);
  A = mbdu_motion_sub(A, mbdu_sym6_mul_force(&p->Y, p->z_behind));
  return multiply6_motion(p->W, A);
}

// P += L P_behind W L^T, z += L (z_behind + P_behind W (e - Y z_behind)), W = (1 + Y P_behind)^-1
static bool
close_subchain(subchain_t * p, const subchain_t * behind)
{
  double Y[36], P[36], A[36];
  p->P_behind = behind->P;
  p->z_behind = behind->z;
  mbdu_sym6_full(&p->Y, Y);
  mbdu_sym6_full(&behind->P, P);
  multiply6(Y, P, A);
  for (int k = 0; k < 6; k++) A[7 * k] += 1;
  for (int k = 0; k < 36; k++) p->W[k] = k % 7 == 0;
  if (!mbdi_solve(6, 6, A, p->W)) return false;
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
  for (int k = divide->nsubchain - 2; k >= 0; k--) {
    if (!close_subchain(&divide->subchain[k], &divide->subchain[k + 1])) return false;
  }
  mbd_motion_t A = {{0, 0, 0}, mbdu_vec3_neg(gravity)};
  for (int k = 0; k < divide->nsubchain; k++) {
    subchain_t * p = &divide->subchain[k];
    p->A_in = A;
    memset(&p->f, 0, sizeof p->f);
    if (p->last) break;
    A = outer_acceleration(p, p->A_in);
    p->f = mbdu_force_add(mbdu_sym6_mul_motion(&p->P_behind, A), p->z_behind);
    p->f = mbdu_force_scale(-1, p->f);
  }
  return true;
}

// false: a subchain is no robot by itself (a tip without inertia), or a cut has no solution
static bool
divide_and_conquer(job_t * job, const mbd_wrenches_t * f_ext)
{
  mbd_divide_t * divide = job->divide;
  mbdi_pool_run(divide->pool, divide->nsubchain, place_subchain, job);
  join_velocities(divide);
  if (f_ext) {
    mbdi_pool_run(divide->pool, divide->nsubchain, move, job);
    memset(job->data->work->F, 0, (size_t)divide->model->nbody * sizeof *job->data->work->F);
    mbdi_add_wrenches(divide->model, job->data, f_ext, 1, job->data->work->F);
    mbdi_pool_run(divide->pool, divide->nsubchain, gather, job);
  } else {
    mbdi_pool_run(divide->pool, divide->nsubchain, move_and_gather, job);
  }
  for (int k = 0; k < divide->nsubchain; k++) {
    if (divide->subchain[k].failed) return false;
  }
  if (!join_accelerations(divide, job->data->gravity)) return false;
  mbdi_pool_run(divide->pool, divide->nsubchain, accelerate, job);
  return finite_array(job->data->work->qdd, divide->model->nv);
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
  CHECK(mbdi_check_wrenches(model, f_ext));
  if (mbdi_elements_count(model, data))
    return mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  CHECK(model->internal->engine->load_state(
    model, data, q, v, NULL, NULL, MBD_STAGE_DEFERRED_POSITION));
  mbdi_take_torques(model, data, tau);
  job_t job = {divide, data, f_ext != NULL};
  // the whole robot may be one where a subchain of it is not
  if (!divide_and_conquer(&job, f_ext))
    return mbd_forward_dynamics(model, data, q, v, tau, f_ext, qdd);
  // stages with these accelerations are for later; those of wrenches cannot be
  stage_reset(data, f_ext ? MBD_STAGE_DEFERRED_VELOCITY : MBD_STAGE_DEFERRED);
  memcpy(qdd, data->work->qdd, (size_t)model->nv * sizeof *qdd);
  return MBD_OK;
}
