// Rates of closure rows: dG/dt, and the derivative of gamma with respect to the configuration.
//
// As in closure.c a row is a function of R and p, the placement of B in A. With V_a the motion of
// frame A in its own axes and V_b that of B, w = R w_b - w_a and u = R v_b - v_a - w_a x p, in axes
// of A; d/dt of the numbers of V_a and V_b are those of the accelerations.
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/closure_rows.h"

// motion of frame X of a body, in its axes
static mbd_motion_t
end_motion(const mbd_motion_t * V, int body, const mbd_placement_t * X)
{
  const mbd_motion_t rest = {{0, 0, 0}, {0, 0, 0}};
  return body < 0 ? rest : mbdu_motion_to_child(X, V[body]);
}

// w and u
static mbd_motion_t
relative(const mbd_placement_t * X, mbd_motion_t a, mbd_motion_t b)
{
  const mbd_vec3_t w = mbdu_vec3_sub(mbdu_mat3_vec(&X->R, b.ang), a.ang);
  mbd_vec3_t u = mbdu_vec3_sub(mbdu_mat3_vec(&X->R, b.lin), a.lin);
  u = mbdu_vec3_sub(u, mbdu_vec3_cross(a.ang, X->p));
  return (mbd_motion_t){w, u};
}

//---------- rates of the functionals ----------

// rate of parallel_gradient while n changes by dn
static mbd_vec3_t
gradient_rate(const parallel_t * a, int i, mbd_vec3_t dn)
{
  mbd_vec3_t dg = mbdu_vec3_scale(a->f1 * dn.z, AXIS[i]);
  dg.z += component(dn, i) * a->f1 + component(a->n, i) * a->f2 * dn.z;
  return dg;
}

static int
parallel_rates(const mbd_mat3_t * R, mbd_vec3_t w, mbd_force_t * rate)
{
  const parallel_t a = parallel_of(R);
  const mbd_vec3_t dn = mbdu_vec3_cross(w, a.n);
  for (int i = 0; i < 2; i++) {
    rate[i].ang = mbdu_vec3_add(
      mbdu_vec3_cross(dn, parallel_gradient(&a, i)),
      mbdu_vec3_cross(a.n, gradient_rate(&a, i, dn)));
  }
  return 2;
}

// rate of the vector part of a quaternion: dq/dt = (0, w) q / 2                       (B.36)
static mbd_vec3_t
vector_rate(mbd_quat_t q, mbd_vec3_t w)
{
  const mbd_vec3_t e = mbdu_vec3(q.x, q.y, q.z);
  return mbdu_vec3_scale(0.5, mbdu_vec3_add(mbdu_vec3_scale(q.w, w), mbdu_vec3_cross(w, e)));
}

static int
oriented_rates(const mbd_mat3_t * R, mbd_vec3_t w, mbd_force_t * rate)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(R);
  const double dw = -0.5 * mbdu_vec3_dot(w, mbdu_vec3(q.x, q.y, q.z));
  const mbd_vec3_t de = vector_rate(q, w);
  for (int i = 0; i < 3; i++) {
    rate[i].ang = mbdu_vec3_add(mbdu_vec3_scale(dw, AXIS[i]), mbdu_vec3_cross(de, AXIS[i]));
  }
  return 3;
}

// of direction_of while p changes by u
static mbd_vec3_t
direction_rate(mbd_vec3_t p, mbd_vec3_t u)
{
  const double length = mbdu_vec3_norm(p);
  if (!(length > 1e-150)) return mbdu_vec3(0, 0, 0);
  const mbd_vec3_t along = direction_of(p);
  const mbd_vec3_t across = mbdu_vec3_sub(u, mbdu_vec3_scale(mbdu_vec3_dot(along, u), along));
  return mbdu_vec3_scale(1 / length, across);
}

// variation of the functionals for a motion m of B relative to A
static void
functional_rates(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, mbd_motion_t m, mbd_force_t * rate)
{
  const parts_t parts = parts_of(c->type);
  int r = parts.npoint;
  memset(rate, 0, MBD_CLOSURE_ROWS_MAX * sizeof *rate);
  if (parts.parallel) r += parallel_rates(&form->X.R, m.ang, rate + r);
  if (parts.oriented) r += oriented_rates(&form->X.R, m.ang, rate + r);
  if (c->type == MBD_CLOSURE_UNIVERSAL) {
    const mbd_vec3_t dy = mbdu_vec3_cross(m.ang, column_of(&form->X.R, 1));
    rate[r].ang = mbdu_vec3_cross(dy, AXIS[0]);
  }
  if (c->type == MBD_CLOSURE_DISTANCE) rate[r].lin = direction_rate(form->X.p, m.lin);
  if (c->type == MBD_CLOSURE_SCREW) {
    rate[r].ang = mbdu_vec3_scale(-c->pitch, twist_rate(&form->X.R, m.ang));
  }
  if (c->surface_a.type != MBD_SURFACE_POINT) {
    mbdi_contact_rates(c, &form->X, &form->contact, m, rate);
  }
}

//---------- dG/dt ----------

// as in closure.c, of the derivatives; `moves` is the motion of the frame that rows are written in
typedef struct path {
  const mbd_closure_t * c;
  const mbdi_closure_form_t * form;
  const mbd_force_t * rate;
  mbd_motion_t moves;
  const int * column;
  int stride;
} path_t;

static void
fill_path(
  const mbd_model_t * model, const mbd_data_t * data, const path_t * path, int body, int stop,
  double sign, double * dG)
{
  const mbd_placement_t world = mbdu_placement_inverse(&path->form->at);
  for (int i = body; i != stop; i = model->body[i].parent) {
    const mbd_placement_t X = mbdu_placement_mul(&world, &data->X_world[i]);
    const int first = model->body[i].v_index;
    for (int k = first; k < first + model->body[i].nv; k++) {
      const int to = path->column[k];
      if (to < 0) continue;
      const mbd_motion_t S = mbdu_motion_to_parent(&X, data->S[k]);
      mbd_motion_t dS = mbdu_motion_cross(data->V[i], data->S[k]);
      dS = mbdu_motion_to_parent(&X, mbdu_motion_add(dS, data->S_rate[k]));
      dS = mbdu_motion_sub(dS, mbdu_motion_cross(path->moves, S));
      for (int r = 0; r < path->c->nrow; r++) {
        dG[(size_t)r * (size_t)path->stride + (size_t)to] =
          sign * (mbdu_power(path->rate[r], S) + mbdu_power(path->form->functional[r], dS));
      }
    }
  }
}

void
mbdi_closure_fill_rate(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const int * column,
  int stride, double * dG)
{
  memset(dG, 0, (size_t)c->nrow * (size_t)stride * sizeof *dG);
  if (c->type == MBD_CLOSURE_COUPLING) return;
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  const mbd_motion_t a = end_motion(data->V, c->body_a, &c->X_a);
  const mbd_motion_t b = end_motion(data->V, c->body_b, &c->X_b);
  mbd_force_t rate[MBD_CLOSURE_ROWS_MAX];
  functional_rates(c, &form, relative(&form.X, a, b), rate);
  path_t path = {c, &form, rate, a, column, stride};
  if (mbdi_closure_is_over_world(c)) {
    fill_path(model, data, &path, c->body_b, MBD_WORLD_BODY, 1, dG);
    return;
  }
  // axes of A, origin of B
  path.moves.lin = mbdu_mat3_vec(&form.X.R, b.lin);
  fill_path(model, data, &path, c->body_b, c->common, 1, dG);
  fill_path(model, data, &path, c->body_a, c->common, -1, dG);
}

//---------- change of gamma ----------

// A vector of frame B in axes of A, and its change.
typedef struct turned {
  mbd_vec3_t x, dx;
} turned_t;

static turned_t
rotate(const mbd_mat3_t * R, mbd_vec3_t w, mbd_vec3_t x, mbd_vec3_t dx)
{
  const mbd_vec3_t y = mbdu_mat3_vec(R, x);
  return (turned_t){y, mbdu_vec3_add(mbdu_vec3_cross(w, y), mbdu_mat3_vec(R, dx))};
}

static turned_t
plus(turned_t a, turned_t b)
{
  return (turned_t){mbdu_vec3_add(a.x, b.x), mbdu_vec3_add(a.dx, b.dx)};
}

static turned_t
minus(turned_t a, turned_t b)
{
  return (turned_t){mbdu_vec3_sub(a.x, b.x), mbdu_vec3_sub(a.dx, b.dx)};
}

static turned_t
cross(turned_t a, turned_t b)
{
  return (turned_t){
    mbdu_vec3_cross(a.x, b.x),
    mbdu_vec3_add(mbdu_vec3_cross(a.dx, b.x), mbdu_vec3_cross(a.x, b.dx))};
}

// change of g_i . (w x (w x n)) + 2 n'_i f1 n'_z + n_i f2 n'_z^2, n' = w x n
static int
parallel_change(const mbd_mat3_t * R, mbd_vec3_t moved, turned_t w, double * change)
{
  const parallel_t a = parallel_of(R);
  const turned_t n = {a.n, mbdu_vec3_cross(moved, a.n)};
  const turned_t rate = cross(w, n), second = cross(w, rate);
  for (int i = 0; i < 2; i++) {
    const mbd_vec3_t g = parallel_gradient(&a, i), dg = gradient_rate(&a, i, n.dx);
    const double ri = component(rate.x, i), dri = component(rate.dx, i), rz = rate.x.z;
    const double drz = rate.dx.z, df1 = a.f2 * n.dx.z, df2 = a.f3 * n.dx.z;
    const double ni = component(n.x, i), dni = component(n.dx, i);
    change[i] = mbdu_vec3_dot(dg, second.x) + mbdu_vec3_dot(g, second.dx) +
                2 * (dri * a.f1 * rz + ri * df1 * rz + ri * a.f1 * drz) +
                (dni * a.f2 + ni * df2) * rz * rz + 2 * ni * a.f2 * rz * drz;
  }
  return 2;
}

// of -|w|^2 e / 2, e the vector part of the quaternion
static int
oriented_change(const mbd_mat3_t * R, mbd_vec3_t moved, turned_t w, double * change)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(R);
  const mbd_vec3_t e = mbdu_vec3(q.x, q.y, q.z), de = vector_rate(q, moved);
  const double along = mbdu_vec3_dot(w.x, w.dx), square = mbdu_vec3_dot(w.x, w.x);
  for (int i = 0; i < 3; i++) {
    change[i] = -along * component(e, i) - 0.5 * square * component(de, i);
  }
  return 3;
}

// of (|u|^2 - (d . u)^2) / |p|, d the direction of p
static double
distance_change(mbd_vec3_t p, mbd_vec3_t moved, turned_t u)
{
  const double length = mbdu_vec3_norm(p);
  if (!(length > 1e-150)) return 0;
  const mbd_vec3_t d = direction_of(p), dd = direction_rate(p, moved);
  const double along = mbdu_vec3_dot(d, u.x);
  const double dalong = mbdu_vec3_dot(dd, u.x) + mbdu_vec3_dot(d, u.dx);
  const double value = (mbdu_vec3_dot(u.x, u.x) - along * along) / length;
  return (2 * mbdu_vec3_dot(u.x, u.dx) - 2 * along * dalong - value * mbdu_vec3_dot(d, moved)) /
         length;
}

// terms of the second rates of a closure between frames, with their variations
typedef struct second {
  mbd_motion_t moved;            // displacement of B relative to A
  turned_t p, w, u, dw, du;      // and of the motion: as in closure.c
  turned_t w_b, v_b, dw_b, a_b;  // of B, in axes of A
} second_t;

static second_t
second_of(
  const mbd_data_t * data, const mbd_closure_t * c, const mbdi_closure_form_t * form,
  const mbdi_body_changes_t * m)
{
  const mbd_placement_t * X = &form->X;
  const mbd_motion_t a = end_motion(m->V, c->body_a, &c->X_a);
  const mbd_motion_t b = end_motion(m->V, c->body_b, &c->X_b);
  const mbd_motion_t a2 = end_motion(m->A, c->body_a, &c->X_a);
  const mbd_motion_t b2 = end_motion(m->A, c->body_b, &c->X_b);
  const mbd_motion_t da = end_motion(m->dV, c->body_a, &c->X_a);
  const mbd_motion_t db = end_motion(m->dV, c->body_b, &c->X_b);
  const mbd_motion_t da2 = end_motion(m->dA, c->body_a, &c->X_a);
  const mbd_motion_t db2 = end_motion(m->dA, c->body_b, &c->X_b);
  second_t s;
  s.moved =
    relative(X, end_motion(data->V, c->body_a, &c->X_a), end_motion(data->V, c->body_b, &c->X_b));
  const mbd_vec3_t by = s.moved.ang;
  s.p = (turned_t){X->p, s.moved.lin};
  s.w_b = rotate(&X->R, by, b.ang, db.ang), s.v_b = rotate(&X->R, by, b.lin, db.lin);
  s.dw_b = rotate(&X->R, by, b2.ang, db2.ang), s.a_b = rotate(&X->R, by, b2.lin, db2.lin);
  const turned_t w_a = {a.ang, da.ang}, v_a = {a.lin, da.lin};
  const turned_t dw_a = {a2.ang, da2.ang}, a_a = {a2.lin, da2.lin};
  s.w = minus(s.w_b, w_a);
  s.u = minus(minus(s.v_b, v_a), cross(w_a, s.p));
  s.dw = minus(plus(s.dw_b, cross(s.w, s.w_b)), dw_a);
  s.du = minus(plus(s.a_b, cross(s.w, s.v_b)), a_a);
  s.du = minus(minus(s.du, cross(dw_a, s.p)), cross(w_a, s.u));
  return s;
}

void
mbdi_closure_bias_change(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_body_changes_t * changes, double * dgamma)
{
  memset(dgamma, 0, (size_t)c->nrow * sizeof *dgamma);
  if (c->type == MBD_CLOSURE_COUPLING) return;
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  const second_t s = second_of(data, c, &form, changes);
  if (mbdi_closure_is_over_world(c)) {
    // d/dt of the velocity of B's body at A's origin, v_b + p x w_b
    const turned_t arm = plus(cross(s.w, s.w_b), s.dw_b);
    turned_t rate = plus(plus(cross(s.w, s.v_b), s.a_b), cross(s.u, s.w_b));
    rate = plus(rate, cross(s.p, arm));
    for (int r = 0; r < c->nrow; r++) dgamma[r] = -component(rate.dx, r);
    return;
  }
  mbd_force_t rate[MBD_CLOSURE_ROWS_MAX];
  double quadratic[MBD_CLOSURE_ROWS_MAX] = {0};
  functional_rates(c, &form, s.moved, rate);
  const parts_t parts = parts_of(c->type);
  int r = parts.npoint;
  if (parts.parallel) r += parallel_change(&form.X.R, s.moved.ang, s.w, quadratic + r);
  if (parts.oriented) r += oriented_change(&form.X.R, s.moved.ang, s.w, quadratic + r);
  if (c->type == MBD_CLOSURE_UNIVERSAL) {
    const mbd_vec3_t y = column_of(&form.X.R, 1);
    const turned_t n = {y, mbdu_vec3_cross(s.moved.ang, y)};
    quadratic[r] = cross(s.w, cross(s.w, n)).dx.x;
  }
  if (c->type == MBD_CLOSURE_DISTANCE) {
    quadratic[r] = distance_change(form.X.p, s.moved.lin, s.u);
  }
  // for a screw that holds, the axes agree, and no term of its last row is of second order
  if (c->surface_a.type != MBD_SURFACE_POINT) {
    const mbd_motion_t V = {s.w.x, s.u.x}, dV = {s.w.dx, s.u.dx};
    mbdi_contact_quadratic_change(c, &form.X, &form.contact, s.moved, V, dV, quadratic);
  }
  const mbd_motion_t A = {s.dw.x, s.du.x}, dA = {s.dw.dx, s.du.dx};
  for (r = 0; r < c->nrow; r++) {
    dgamma[r] = -mbdu_power(rate[r], A) - mbdu_power(form.functional[r], dA) - quadratic[r];
  }
}
