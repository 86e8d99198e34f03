// From the tables of a mechanism to a model: spanning tree, closures of the other joints, initial state.
//
// A joint lies between frame A of one body and frame B of another, with z as its axis, so that a tree joint
// and the closure of the same type leave the same freedom. The link of a tree joint is where its joint is;
// the body has a frame of its own name.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/assembly.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/mbdyn.h"
#include "mechanism_internal.h"

typedef struct builder {
  urdf_loader_t * loader;
  mechanism_tables_t * tables;
  mbd_model_t * model;
  int * joint_of;   // tree joint that carries a body, -1: a free joint                  [nbody]
  bool * reversed;  // of the tree joint: its parent is on the side of b                  [nbody]
  bool * used;      // joint is in the tree; NULL: all are                               [njoint]
  int * order;      // bodies, carriers first                                            [nbody]
  int * link;       // link frame of a body                                              [nbody]
  int * frame;      // frame of the body itself                                          [nbody]
  bool quiet;       // without notes: for poses alone
  mbd_placement_t * X;  // body in its link                                                  [nbody]
} builder_t;

//---------- spanning tree ----------

// the first of a set of connected bodies (the world is 0, body i is i + 1); shortens the way to it
static int
set_of(int * set, int i)
{
  while (set[i] != i) i = set[i] = set[set[i]];
  return i;
}

// a joint that a driver or a force of type joint acts on, or that is an input or output
static bool
needs_coordinate(const builder_t * b, int k)
{
  const mechanism_tables_t * t = b->tables;
  const char * name = t->joint[k].name;
  for (int i = 0; i < t->ndriver; i++) {
    if (strcmp(t->driver[i].joint, name) == 0) return true;
  }
  for (int i = 0; i < t->nmeasure; i++) {
    if (t->measure[i].joint && strcmp(t->measure[i].joint, name) == 0) return true;
  }
  for (int i = 0; i < b->loader->nforce; i++) {
    const mbd_element_spec_t * spec = &b->loader->force[i].spec;
    if (spec->type == MBD_ELEMENT_JOINT && strcmp(spec->joint, name) == 0) return true;
  }
  return false;
}

// joints of the tree: in the order of the file, those that connect what the ones before do not; with
// cartesian coordinates, those of them whose coordinate something needs
static void
choose_joints(builder_t * b)
{
  const mechanism_tables_t * t = b->tables;
  int * set = b->order;  // [nbody + 1], before the order is made
  for (int i = 0; i <= t->nbody; i++) set[i] = i;
  for (int k = 0; k < t->njoint; k++) {
    if (t->coordinates == MBDX_COORDINATES_CARTESIAN && !needs_coordinate(b, k)) continue;
    const int a = set_of(set, 1 + t->joint[k].body_a);
    const int c = set_of(set, 1 + t->joint[k].body_b);
    b->used[k] = a != c;
    set[a > c ? a : c] = a < c ? a : c;
  }
}

// order of the bodies, and the joint that carries each: breadth first from the world
static void
span(builder_t * b)
{
  const mechanism_tables_t * t = b->tables;
  bool * reached = b->used + t->njoint;  // [nbody], behind `used`
  int n = 0;
  choose_joints(b);
  for (int i = 0; i < t->nbody; i++) b->joint_of[i] = -1;
  for (int next = -1; n < t->nbody; next++) {
    // what no joint connects to what has been reached is free
    if (next == n) {
      int i = 0;
      while (reached[i]) i++;
      reached[i] = true;
      b->order[n++] = i;
    }
    const int from = next < 0 ? -1 : b->order[next];
    for (int k = 0; k < t->njoint; k++) {
      if (!b->used[k]) continue;
      const int a = t->joint[k].body_a, c = t->joint[k].body_b;
      const int to = a == from ? c : c == from ? a : -1;
      if (to < 0 || reached[to]) continue;
      reached[to] = true;
      b->joint_of[to] = k;
      b->reversed[to] = a != from;
      b->order[n++] = to;
    }
  }
}

//---------- joints ----------

// of the sides of a tree joint: A is on the carrier. Axes are turned so that the coordinates of one-axis
// joints are those of b in a, whichever side carries the other.
static void
tree_ends(const builder_t * b, int i, mbd_placement_t * A, mbd_placement_t * B, int * carrier)
{
  const mechanism_joint_t * j = &b->tables->joint[b->joint_of[i]];
  const urdf_end_t *a = b->reversed[i] ? &j->b : &j->a, *c = b->reversed[i] ? &j->a : &j->b;
  *carrier = b->reversed[i] ? j->body_b : j->body_a;
  urdf_place_end(b->loader, a, b->frame, A);
  urdf_place_end(b->loader, c, b->frame, B);
  if (!b->reversed[i]) return;
  // half a turn about x for axes along z, about x + y for universal joints
  mbd_mat3_t turn = {{1, 0, 0, 0, -1, 0, 0, 0, -1}};
  if (j->type == MBD_JOINT_UNIVERSAL) turn = (mbd_mat3_t){{0, 1, 0, 1, 0, 0, 0, 0, -1}};
  A->R = mbdu_mat3_mul(&A->R, &turn);
  B->R = mbdu_mat3_mul(&B->R, &turn);
}

static bool
is_identity(const mbd_placement_t * X)
{
  const mbd_placement_t one = mbdu_placement_identity();
  return memcmp(&X->p, &one.p, sizeof one.p) == 0 && memcmp(&X->R, &one.R, sizeof one.R) == 0;
}

static bool
say_status(builder_t * b, mbd_status_t status, const char * kind, const char * name, int line)
{
  if (status == MBD_OK) return true;
  const urdf_place_t place = {kind, name, line};
  if (status == MBD_ERROR_OUT_OF_MEMORY)
    b->loader->out_of_memory = true;
  else
    urdf_say(b->loader, MBDX_ERROR, place, NULL, "%s", mbd_status_string(status));
  return false;
}

static bool
add_body(builder_t * b, int i)
{
  const mechanism_body_t * body = &b->tables->body[i];
  mbd_body_spec_t spec = mbd_body_spec_default();
  mbd_placement_t A = mbdu_placement_identity(), B = A;
  char name[2 * URDF_MAX_NAME + 8];
  int carrier = -1;
  spec.name = body->name, spec.joint_name = body->name, spec.type = MBD_JOINT_FREE;
  if (b->joint_of[i] >= 0) {
    const mechanism_joint_t * j = &b->tables->joint[b->joint_of[i]];
    tree_ends(b, i, &A, &B, &carrier);
    spec.joint_name = j->name, spec.type = j->type, spec.pitch = j->pitch;
    spec.axis = mbdu_vec3(0, 0, 1);
    spec.limits.lower = j->lower, spec.limits.upper = j->upper;
  }
  // the link is where its joint is; another name unless the body is there too
  if (!is_identity(&B)) {
    snprintf(name, sizeof name, "%s@%s", body->name, spec.joint_name);
    spec.name = name;
  }
  b->X[i] = mbdu_placement_inverse(&B);
  spec.parent = carrier < 0 ? MBD_WORLD_BODY : b->link[carrier];
  spec.placement = carrier < 0 ? A : mbdu_placement_mul(&b->X[carrier], &A);
  spec.inertia = mbdu_inertia_to_parent(&b->X[i], &body->inertia);
  mbd_status_t status = mbd_model_add_body(b->model, &spec, &b->link[i]);
  b->frame[i] = b->link[i];
  if (status == MBD_OK && spec.name == name)
    status = mbd_model_add_frame(b->model, body->name, b->link[i], &b->X[i], &b->frame[i]);
  return say_status(b, status, "body", body->name, body->line);
}

// closures of joints outside the tree

static mbd_closure_type_t
closure_type(const mechanism_joint_t * j)
{
  switch (j->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS: return MBD_CLOSURE_REVOLUTE;
    case MBD_JOINT_PRISMATIC: return MBD_CLOSURE_PRISMATIC;
    case MBD_JOINT_HELICAL: return j->pitch != 0 ? MBD_CLOSURE_SCREW : MBD_CLOSURE_REVOLUTE;
    case MBD_JOINT_CYLINDRICAL: return MBD_CLOSURE_CYLINDRICAL;
    case MBD_JOINT_UNIVERSAL: return MBD_CLOSURE_UNIVERSAL;
    case MBD_JOINT_SPHERICAL: return MBD_CLOSURE_SPHERICAL;
    case MBD_JOINT_PLANAR: return MBD_CLOSURE_PLANAR;
    default: return MBD_CLOSURE_WELD;
  }
}

static bool
add_cut_joint(builder_t * b, int k)
{
  const mechanism_joint_t * j = &b->tables->joint[k];
  const urdf_place_t place = {"joint", j->name, j->line};
  if (j->type == MBD_JOINT_FREE) return true;
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = j->name, spec.type = closure_type(j), spec.pitch = j->pitch;
  spec.frame_a = urdf_place_end(b->loader, &j->a, b->frame, &spec.X_a);
  spec.frame_b = urdf_place_end(b->loader, &j->b, b->frame, &spec.X_b);
  const mbd_status_t status = mbd_model_add_closure(b->model, &spec, NULL);
  if (status == MBD_OK && !b->quiet && b->tables->coordinates != MBDX_COORDINATES_CARTESIAN)
    urdf_say(b->loader, MBDX_NOTE, place, NULL, "closes a loop: it is a closure");
  return say_status(b, status, "joint", j->name, j->line);
}

//---------- drivers and forces of joints ----------

// a joint coordinate is needed: the joint must be in the tree
static bool
in_tree(builder_t * b, const char * kind, const char * name, int line, const char * joint)
{
  const int k = urdf_find_joint(&b->loader->robot, joint);
  if (k >= 0 && (!b->used || b->used[k])) return true;
  const urdf_place_t place = {kind, name, line};
  const bool cartesian = b->tables->coordinates == MBDX_COORDINATES_CARTESIAN;
  urdf_say(
    b->loader, MBDX_ERROR, place,
    cartesian && strcmp(kind, "initial") == 0
      ? "write coordinates: tree"
      : "list the joint before the other joints of its loop",
    "joint %s has no coordinate: it is a closure", urdf_name(joint).s);
  return false;
}

static bool
add_driver(builder_t * b, const mechanism_driver_t * d, mechanism_motion_t * motion)
{
  if (!in_tree(b, "driver", d->name, d->line, d->joint)) return false;
  mbd_closure_spec_t spec = mbd_closure_spec_default();
  spec.name = d->name, spec.type = MBD_CLOSURE_COUPLING, spec.ncoupled = 1;
  spec.joint[0] = d->joint, spec.coefficient[0] = 1;
  spec.driver.at = mechanism_motion_at, spec.driver.ctx = motion;
  return say_status(b, mbd_model_add_closure(b->model, &spec, NULL), "driver", d->name, d->line);
}

// the motions belong to the mechanism from here on
static bool
add_drivers(builder_t * b, mbdx_mechanism_t * mechanism)
{
  mechanism_tables_t * t = b->tables;
  struct mbdx_mechanism_parts * parts = calloc(1, sizeof *parts);
  mechanism->parts = parts;
  if (parts) parts->motion = calloc((size_t)t->ndriver + 1, sizeof *parts->motion);
  if (!parts || !parts->motion) {
    b->loader->out_of_memory = true;
    return false;
  }
  for (int k = 0; k < t->ndriver; k++) {
    parts->motion[k] = *t->driver[k].motion;
    // of a mechanism for poses alone, they stay those of the tables
    if (!b->quiet) {
      parts->ndriver++;
      free(t->driver[k].motion);
      t->driver[k].motion = NULL;
    }
    if (!add_driver(b, &t->driver[k], &parts->motion[k])) return false;
  }
  return mechanism_keep_places(b->loader, t, mechanism);
}

static bool
check_joint_forces(builder_t * b)
{
  bool good = true;
  for (int k = 0; k < b->loader->nforce; k++) {
    const urdf_force_t * f = &b->loader->force[k];
    if (f->spec.type != MBD_ELEMENT_JOINT) continue;
    good = in_tree(b, "force", f->spec.name, f->line, f->spec.joint) && good;
  }
  return good;
}

static bool
check_joint_measures(builder_t * b)
{
  bool good = true;
  for (int k = 0; k < b->tables->nmeasure; k++) {
    const mechanism_measure_t * m = &b->tables->measure[k];
    if (m->joint)
      good = in_tree(b, m->output ? "output" : "input", m->name, m->line, m->joint) && good;
  }
  return good;
}

static bool
add_bearings(builder_t * b)
{
  bool good = true;
  for (int k = 0; k < b->tables->nbearing; k++) {
    const mechanism_bearing_t * bearing = &b->tables->bearing[k];
    const int joint = urdf_find_joint(&b->loader->robot, bearing->spec.joint);
    bool reversed = false;
    for (int i = 0; joint >= 0 && i < b->tables->nbody; i++) {
      if (b->joint_of[i] == joint) reversed = b->reversed[i];
    }
    good = mechanism_add_bearing(b->loader, bearing, reversed, b->model) && good;
  }
  return good;
}

//---------- initial state ----------

// coordinates of a joint at a pose of B in A, as near as its type allows
static void
joint_coordinates(const mbd_body_t * body, const mbd_placement_t * X, double * q)
{
  const mbd_mat3_t * R = &X->R;
  const double angle = atan2(R->m[3], R->m[0]);
  const mbd_quat_t r = mbdu_quat_from_mat3(R);
  switch (body->type) {
    case MBD_JOINT_REVOLUTE:
    case MBD_JOINT_CONTINUOUS:
    case MBD_JOINT_HELICAL: q[0] = angle; break;
    case MBD_JOINT_PRISMATIC: q[0] = X->p.z; break;
    case MBD_JOINT_CYLINDRICAL: q[0] = angle, q[1] = X->p.z; break;
    case MBD_JOINT_UNIVERSAL: q[0] = atan2(R->m[7], R->m[4]), q[1] = atan2(R->m[2], R->m[0]); break;
    case MBD_JOINT_SPHERICAL: q[0] = r.x, q[1] = r.y, q[2] = r.z, q[3] = r.w; break;
    case MBD_JOINT_PLANAR: q[0] = X->p.x, q[1] = X->p.y, q[2] = angle; break;
    case MBD_JOINT_FREE:
      q[0] = X->p.x, q[1] = X->p.y, q[2] = X->p.z;
      q[3] = r.x, q[4] = r.y, q[5] = r.z, q[6] = r.w;
      break;
    default: break;
  }
}

// the moving body of the model that the tree joint of body i moves, or NULL
static const mbd_body_t *
moved_body(const builder_t * b, int i)
{
  const char * joint =
    b->joint_of[i] < 0 ? b->tables->body[i].name : b->tables->joint[b->joint_of[i]].name;
  int index;
  return mbd_find_joint(b->model, joint, &index) == MBD_OK ? &b->model->body[index] : NULL;
}

// q of the joint that carries body i if the file has its pose and not its coordinates. The pose of its parent is
// that of the file, or the one that the joints before it give.
static bool
pose_to_q(const builder_t * b, int i, const bool * held, mbd_data_t * data, double * q)
{
  const mechanism_tables_t * t = b->tables;
  const mbd_body_t * moved = moved_body(b, i);
  if (!moved || !t->body[i].has_pose || (moved->nv > 0 && held[moved->v_index])) return true;
  mbd_placement_t A = mbdu_placement_identity(), B = A;
  int carrier = -1;
  if (b->joint_of[i] >= 0) tree_ends(b, i, &A, &B, &carrier);
  if (carrier >= 0) {
    mbd_placement_t parent = t->body[carrier].pose;
    int frame;
    if (
      !t->body[carrier].has_pose &&
      (mbd_find_frame(b->model, t->body[carrier].name, &frame) != MBD_OK ||
       mbd_set_position(b->model, data, q) != MBD_OK ||
       mbd_frame_placement(b->model, data, frame, &parent) != MBD_OK))
      return false;
    A = mbdu_placement_mul(&parent, &A);
  }
  B = mbdu_placement_mul(&t->body[i].pose, &B);
  const mbd_placement_t inverse = mbdu_placement_inverse(&A);
  const mbd_placement_t X = mbdu_placement_mul(&inverse, &B);
  joint_coordinates(moved, &X, q + moved->q_index);
  return true;
}

// velocities of the joints from those of the bodies, as near as the types allow
static void
velocities_to_v(const builder_t * b, const mbd_data_t * data, double * v)
{
  const mechanism_tables_t * t = b->tables;
  mbd_motion_t * V = calloc((size_t)b->model->nbody + 1, sizeof *V);
  if (!V) {
    b->loader->out_of_memory = true;
    return;
  }
  for (int n = 0; n < t->nbody; n++) {
    const int i = b->order[n];
    const mbd_body_t * moved = moved_body(b, i);
    if (!moved) continue;
    const int index = (int)(moved - b->model->body);
    const mbd_placement_t F =
      mbdu_placement_mul(&data->X_world[index], &b->model->frame[b->frame[i]].X);
    const double *w = t->body[i].angular, *p = t->body[i].velocity;
    const mbd_motion_t own = {
      mbdu_vec3(w[0], w[1], w[2]), mbdu_mat3_tvec(&F.R, mbdu_vec3(p[0], p[1], p[2]))};
    V[index] = mbdu_motion_to_parent(&b->model->frame[b->frame[i]].X, own);
    mbd_motion_t relative = V[index];
    if (moved->parent >= 0)
      relative =
        mbdu_motion_sub(relative, mbdu_motion_to_child(&data->X_parent[index], V[moved->parent]));
    for (int k = moved->v_index; k < moved->v_index + moved->nv; k++) {
      // columns of S are orthogonal
      const mbd_motion_t S = data->S[k];
      const double size = mbdu_vec3_dot(S.ang, S.ang) + mbdu_vec3_dot(S.lin, S.lin);
      v[k] = (mbdu_vec3_dot(S.ang, relative.ang) + mbdu_vec3_dot(S.lin, relative.lin)) / size;
    }
  }
  free(V);
}

// what the section `initial` says of joints: q, or v; held: which of them it is; NULL: checked alone
static bool
set_initial(builder_t * b, double * q, double * v, bool * held)
{
  for (int k = 0; k < b->tables->ninitial; k++) {
    const mechanism_initial_t * i = &b->tables->initial[k];
    const urdf_place_t place = {"initial", i->joint, i->line};
    int index;
    if (!in_tree(b, "initial", i->joint, i->line, i->joint)) return false;
    if (mbd_find_joint(b->model, i->joint, &index) != MBD_OK) {
      urdf_say(b->loader, MBDX_ERROR, place, "remove it", "a fixed joint has no coordinate");
      return false;
    }
    const mbd_body_t * body = &b->model->body[index];
    if ((i->nq != 0 && i->nq != body->nq) || (i->nv != 0 && i->nv != body->nv)) {
      urdf_say(
        b->loader, MBDX_ERROR, place, NULL, "a joint of type %s has %d numbers in q and %d in v",
        mbd_joint_type_name(body->type), body->nq, body->nv);
      return false;
    }
    const int given = q ? i->nq : i->nv;
    for (int n = 0; held && given > 0 && n < body->nv; n++) held[body->v_index + n] = true;
    if (i->nq > 0 && q) memcpy(q + body->q_index, i->q, (size_t)i->nq * sizeof *q);
    if (i->nv > 0 && v) memcpy(v + body->v_index, i->v, (size_t)i->nv * sizeof *v);
  }
  return true;
}

// degrees of freedom that the closures leave to the drivers, at the position stage of data
static int
mobility_without_drivers(const builder_t * b, mbd_data_t * data)
{
  const mbd_model_t * m = b->model;
  const size_t nv = (size_t)m->nv;
  double * G = calloc((size_t)m->nrow * nv + 1, sizeof *G);
  int rank = 0;
  if (!G || mbd_closure_jacobian(m, data, G) != MBD_OK) {
    free(G);
    return m->nv;
  }
  for (int k = 0; k < m->nclosure; k++) {
    const mbd_closure_t * c = &m->closure[k];
    const bool driver =
      strcmp(mechanism_place_of(b->loader, b->tables, c->name).kind, "driver") == 0;
    for (int r = c->row; (driver || c->nposition == 0) && r < c->row + c->nrow; r++)
      memset(G + (size_t)r * nv, 0, nv * sizeof *G);
  }
  // elimination; pivots are the largest numbers that are left
  for (; rank < m->nrow && rank < m->nv; rank++) {
    double * top = G + (size_t)rank * nv;
    size_t best = 0;
    const size_t rest = (size_t)(m->nrow - rank) * nv;
    for (size_t i = 1; i < rest; i++) best = fabs(top[i]) > fabs(top[best]) ? i : best;
    if (!(fabs(top[best]) > 1e-7)) break;
    const size_t column = best % nv;
    double * row = top + (best - column);
    for (size_t i = 0; i < nv; i++) {
      const double swap = top[i];
      top[i] = row[i], row[i] = swap;
    }
    for (double * x = top + nv; x < top + rest; x += nv) {
      const double factor = x[column] / top[column];
      for (size_t i = 0; i < nv; i++) x[i] -= factor * top[i];
      x[column] = 0;
    }
  }
  free(G);
  return m->nv - rank;
}

// more drivers than the closures leave freedom for: the first that is one too many
static bool
say_over_driven(builder_t * b, mbd_data_t * data)
{
  const int n = b->tables->ndriver, mobility = n > 0 ? mobility_without_drivers(b, data) : 0;
  if (n <= mobility) return false;
  const mechanism_driver_t * d = &b->tables->driver[mobility];
  urdf_say(
    b->loader, MBDX_ERROR, (urdf_place_t){"driver", d->name, d->line},
    "keep as many drivers as there are degrees of freedom, or fewer",
    "over-driven: %d driver%s, but the closures leave %d degree%s of freedom", n, n == 1 ? "" : "s",
    mobility, mobility == 1 ? "" : "s");
  return true;
}

static bool
say_not_assembled(
  builder_t * b, mbd_data_t * data, mbd_status_t status, const mbd_assembly_t * found,
  bool velocity)
{
  const int k = found->error_closure;
  const urdf_place_t place =
    mechanism_place_of(b->loader, b->tables, k >= 0 ? b->model->closure[k].name : NULL);
  const bool angle = found->error_angle > found->error_position;
  const double error = angle ? found->error_angle : found->error_position;
  if (status == MBD_ERROR_NOT_ASSEMBLED && say_over_driven(b, data)) return false;
  if (status != MBD_ERROR_NOT_ASSEMBLED)
    urdf_say(
      b->loader, MBDX_ERROR, place, "check the poses of the bodies and the section initial",
      "the initial state cannot be assembled: %s", mbd_status_string(status));
  else if (velocity)
    urdf_say(
      b->loader, MBDX_ERROR, place,
      b->tables->ninitial > 0 ? "omit v of joints in the section initial that depend on others"
                              : "check the rates of the drivers",
      "the initial velocities cannot be reconciled with the closures: %.3g %s remain", error,
      angle ? "rad/s" : "m/s");
  else
    urdf_say(
      b->loader, MBDX_ERROR, place,
      b->tables->ndriver > 0
        ? "check frames, lengths and the drivers at t = 0, and the poses of the bodies or the "
          "section initial"
        : "check frames and lengths, and the poses of the bodies or the section initial",
      "the initial state cannot be assembled: a gap of %.3g %s remains in the best configuration",
      error, angle ? "rad" : "m");
  return false;
}

static bool
initial_state(builder_t * b, mbdx_mechanism_t * mechanism)
{
  const mbd_model_t * m = b->model;
  mbd_data_t * data = NULL;
  const size_t size = mbd_assembly_work(m);
  double * work = calloc(size + 1, sizeof *work);
  mechanism->q = calloc((size_t)m->nq + 1, sizeof *mechanism->q);
  mechanism->v = calloc((size_t)m->nv + 1, sizeof *mechanism->v);
  bool * held = calloc((size_t)m->nv + 1, sizeof *held);
  double * guess = calloc((size_t)m->nq + 1, sizeof *guess);
  bool good =
    work && held && guess && mechanism->q && mechanism->v && mbd_data_create(m, &data) == MBD_OK;
  if (!good) b->loader->out_of_memory = true;
  double *q = mechanism->q, *v = mechanism->v;
  if (good) good = mbd_neutral(m, q) == MBD_OK;
  good = good && set_initial(b, q, NULL, held);
  for (int n = 0; good && n < b->tables->nbody; n++)
    good = pose_to_q(b, b->order[n], held, data, q);
  mbd_assembly_t found = {.error_closure = -1};
  mbd_assembly_options_t options = mbd_assembly_options_default();
  options.held = held;
  // joints that are listed stay where they are, if the closures allow that; at a singular configuration,
  // such as a stretched linkage, the mechanism may start all the same
  mbd_status_t status = MBD_OK;
  if (good) {
    mbd_assembly_t tried;
    status = mbd_assemble(m, data, &options, q, work, guess, &tried);
    if (status == MBD_OK || status == MBD_ERROR_LOCKED) memcpy(q, guess, (size_t)m->nq * sizeof *q);
    // without anything held: the degrees of freedom that are left
    status = mbd_assemble(m, data, NULL, q, work, q, &found);
  }
  if (good && status != MBD_OK && status != MBD_ERROR_LOCKED)
    good = say_not_assembled(b, data, status, &found, false);
  mechanism->mobility = found.mobility, mechanism->nredundant = found.nredundant;
  if (good) good = mbd_complete_stages(m, data) == MBD_OK;
  if (good) {
    velocities_to_v(b, data, v);
    memset(held, 0, (size_t)m->nv * sizeof *held);
    good = set_initial(b, NULL, v, held);
  }
  if (good) {
    mbd_assembly_t kept = {.error_closure = -1};
    status = mbd_project_velocity(m, data, &options, v, work, v, &kept);
    if (status != MBD_OK) good = say_not_assembled(b, data, status, &kept, true);
  }
  mbd_data_destroy(data);
  free(work), free(held), free(guess);
  return good;
}

//---------- all of it ----------

static bool
build_model(builder_t * b, mbdx_mechanism_t * mechanism)
{
  const mechanism_tables_t * t = b->tables;
  const urdf_place_t place = {"mechanism", b->loader->robot.name, 0};
  span(b);
  if (!say_status(b, mbd_model_set_gravity(b->model, t->gravity), "mechanism", NULL, 0))
    return false;
  for (int n = 0; n < t->nbody; n++) {
    if (!add_body(b, b->order[n])) return false;
  }
  bool good = true;
  for (int k = 0; k < t->njoint; k++) {
    if (!b->used[k]) good = add_cut_joint(b, k) && good;
  }
  if (!good || !check_joint_forces(b) || !check_joint_measures(b)) return false;
  if (!urdf_add_closures(b->loader, b->model, b->frame)) return false;
  if (!urdf_add_forces(b->loader, b->model, b->frame) || !add_drivers(b, mechanism)) return false;
  if (!add_bearings(b)) return false;
  const mbd_status_t status = mbd_model_finalize(b->model);
  if (
    status == MBD_ERROR_BAD_JOINT &&
    mechanism_blame_bearing(b->loader, b->tables, b->model->error_name))
    return false;
  if (!say_status(b, status, "closure or force", b->model->error_name, 0)) return false;
  if (!initial_state(b, mechanism)) return false;
  if (b->quiet) return true;
  if (!mechanism_add_measures(b->loader, t, b->model, mechanism)) return false;
  if (!mechanism_add_contacts(b->loader, t, mechanism)) return false;
  urdf_say(
    b->loader, MBDX_NOTE, place, NULL,
    "%d bodies, %d coordinates, %d closures with %d rows, of which %d are redundant; %d degrees of "
    "freedom",
    t->nbody, b->model->nv, b->model->nclosure, b->model->nrow, mechanism->nredundant,
    mechanism->mobility);
  return b->loader->status == MBD_OK && !b->loader->out_of_memory;
}

static mbdx_mechanism_t *
build(urdf_loader_t * loader, mechanism_tables_t * tables, bool quiet)
{
  const size_t n = (size_t)tables->nbody + 1;
  builder_t b = {.loader = loader, .tables = tables, .quiet = quiet};
  mbdx_mechanism_t * mechanism = calloc(1, sizeof *mechanism);
  b.joint_of = calloc(4 * n, sizeof *b.joint_of);
  b.reversed = calloc(n, sizeof *b.reversed);
  b.used = calloc((size_t)tables->njoint + n, sizeof *b.used);
  b.X = calloc(n, sizeof *b.X);
  const char * name = loader->robot.name ? loader->robot.name : "mechanism";
  bool good = mechanism && b.joint_of && b.reversed && b.used && b.X &&
              mbd_model_create(name, &b.model) == MBD_OK;
  if (!good) loader->out_of_memory = true;
  if (good) {
    b.order = b.joint_of + n, b.link = b.order + n, b.frame = b.link + n;
    mechanism->model = b.model;
    mechanism->simulate = tables->simulate;
    good = build_model(&b, mechanism);
  }
  free(b.joint_of), free(b.reversed), free(b.used), free(b.X);
  if (good) return mechanism;
  mbdx_mechanism_free(mechanism);
  // never without a word
  const urdf_place_t place = {"mechanism", loader->robot.name, 0};
  if (loader->status == MBD_OK && !loader->out_of_memory)
    urdf_say(loader, MBDX_ERROR, place, NULL, "the initial state cannot be computed");
  return NULL;
}

// Poses and velocities of the bodies by way of joint coordinates, where the file has some.
static bool
poses_from_joints(urdf_loader_t * loader, mechanism_tables_t * tables)
{
  mechanism_tables_t tree = *tables;
  mbd_data_t * data = NULL;
  tree.coordinates = MBDX_COORDINATES_TREE;
  tree.nbearing = 0;
  mbdx_mechanism_t * made = build(loader, &tree, true);
  if (!made) return false;
  mbd_model_t * m = made->model;
  bool good =
    mbd_data_create(m, &data) == MBD_OK && mbd_set_state(m, data, made->q, made->v) == MBD_OK;
  for (int i = 0; good && i < tables->nbody; i++) {
    mechanism_body_t * body = &tables->body[i];
    mbd_motion_t local, world;
    int frame;
    good = mbd_find_frame(m, body->name, &frame) == MBD_OK &&
           mbd_frame_placement(m, data, frame, &body->pose) == MBD_OK &&
           mbd_frame_velocity(m, data, frame, MBD_LOCAL, &local) == MBD_OK &&
           mbd_frame_velocity(m, data, frame, MBD_LOCAL_WORLD_ALIGNED, &world) == MBD_OK;
    if (!good) break;
    body->has_pose = true;
    memcpy(body->velocity, &world.lin.x, sizeof body->velocity);
    memcpy(body->angular, &local.ang.x, sizeof body->angular);
  }
  if (!good) loader->out_of_memory = true;
  mbd_data_destroy(data);
  mbdx_mechanism_free(made);
  tables->ninitial = 0;
  return good;
}

mbdx_mechanism_t *
mechanism_build(urdf_loader_t * loader, mechanism_tables_t * tables)
{
  const bool cartesian = tables->coordinates == MBDX_COORDINATES_CARTESIAN;
  if (cartesian && !poses_from_joints(loader, tables)) return NULL;
  return build(loader, tables, false);
}

//---------- beside a URDF ----------

// what only simulations know
static void
warn_unused(builder_t * b)
{
  const mechanism_tables_t * t = b->tables;
  if (t->ndriver > 0) {
    const urdf_place_t place = {"drivers", NULL, t->driver[0].line};
    urdf_say(
      b->loader, MBDX_WARNING, place, NULL,
      "prescribe motions in simulations only: their joints count as free");
  }
  if (t->nbearing > 0) {
    const urdf_place_t place = {"bearings", NULL, t->bearing[0].line};
    urdf_say(
      b->loader, MBDX_WARNING, place, NULL,
      "count in simulations only: their friction is left out");
  }
}

// no bodies and joints but those of the URDF, all of them in the tree
bool
mechanism_add_beside(urdf_loader_t * loader, mbd_model_t * model)
{
  builder_t b = {.loader = loader, .tables = loader->tables, .model = model};
  bool good = true;
  loader->in_loops_file = true;
  if (loader->mechanism) {
    good = add_drivers(&b, loader->mechanism);
  } else {
    for (int k = 0; k < b.tables->ndriver; k++) {
      const mechanism_driver_t * d = &b.tables->driver[k];
      good = in_tree(&b, "driver", d->name, d->line, d->joint) && good;
    }
    warn_unused(&b);
  }
  good = good && add_bearings(&b);
  loader->in_loops_file = false;
  return good;
}

bool
mechanism_start_beside(urdf_loader_t * loader, mbd_model_t * model)
{
  builder_t b = {.loader = loader, .tables = loader->tables, .model = model};
  loader->in_loops_file = true;
  const bool good = loader->mechanism
                      ? mechanism_add_measures(loader, b.tables, model, loader->mechanism) &&
                          mechanism_add_contacts(loader, b.tables, loader->mechanism) &&
                          initial_state(&b, loader->mechanism)
                      : set_initial(&b, NULL, NULL, NULL);
  loader->in_loops_file = false;
  return good;
}
