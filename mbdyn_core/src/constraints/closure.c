// Rows of closures: values, velocities and accelerations, exact at any configuration.
//
// With R, p the placement of B in A, w the angular velocity of B relative to A and u = dp/dt, all in
// axes of A, every row is a function of R and p; dR/dt = w~ R. So a row's rate is a linear functional
// of (w, u), its second rate the same functional of (dw/dt, du/dt) and a quadratic form of (w, u).
#include "mbdyn/constraints/closure.h"

#include <math.h>
#include <string.h>

#include "constraints/closure_internal.h"
#include "constraints/closure_rows.h"
#include "mbdyn/spatial.h"
#include "model/joint.h"
#include "state/state.h"
#include "tree/sweeps.h"

static int
parallel_rows(const mbd_mat3_t * R, double * c, mbd_force_t * functional)
{
  const parallel_t a = parallel_of(R);
  for (int i = 0; i < 2; i++) {
    c[i] = component(a.n, i) * a.f;
    // dn/dt = w x n
    functional[i].ang = mbdu_vec3_cross(a.n, parallel_gradient(&a, i));
  }
  return 2;
}

// twice the vector part of B's quaternion in A: 2 sin(angle / 2) along the axis    (B.34)
static int
oriented_rows(const mbd_mat3_t * R, double * c, mbd_force_t * functional)
{
  const mbd_quat_t q = mbdu_quat_from_mat3(R);
  const mbd_vec3_t e = mbdu_vec3(q.x, q.y, q.z);
  for (int i = 0; i < 3; i++) {
    c[i] = 2 * component(e, i);
    functional[i].ang = mbdu_vec3_add(mbdu_vec3_scale(q.w, AXIS[i]), mbdu_vec3_cross(e, AXIS[i]));
  }
  return 3;
}

static void
form_rows(const mbd_closure_t * closure, mbdi_closure_form_t * form)
{
  const mbd_mat3_t * R = &form->X.R;
  const mbd_vec3_t p = form->X.p;
  const parts_t parts = parts_of(closure->type);
  int r = 0;
  for (int k = 0; k < parts.npoint; k++, r++) {
    form->c[r] = component(p, parts.first_point + k);
    form->functional[r].lin = AXIS[parts.first_point + k];
  }
  if (parts.parallel) r += parallel_rows(R, form->c + r, form->functional + r);
  if (parts.oriented) r += oriented_rows(R, form->c + r, form->functional + r);
  switch (closure->type) {
    case MBD_CLOSURE_UNIVERSAL:
      form->c[r] = R->m[1];
      form->functional[r].ang = mbdu_vec3_cross(column_of(R, 1), AXIS[0]);
      break;
    case MBD_CLOSURE_DISTANCE:
      form->c[r] = mbdu_vec3_norm(p) - closure->distance;
      form->functional[r].lin = direction_of(p);
      break;
    case MBD_CLOSURE_ROLLING: form->functional[1].lin = AXIS[1];  // fall through
    case MBD_CLOSURE_NO_SLIP: form->functional[0].lin = AXIS[0]; break;
    case MBD_CLOSURE_SCREW:
      form->c[r] = p.z - closure->pitch * twist_of(R);
      form->functional[r].lin = AXIS[2];
      form->functional[r].ang = mbdu_vec3_scale(-closure->pitch, twist_gradient(R));
      break;
    case MBD_CLOSURE_ON_SURFACE:
    case MBD_CLOSURE_TOUCH:
    case MBD_CLOSURE_ROLL:
      form->contact = mbdi_contact(&closure->surface_a, &closure->surface_b, &form->X);
      mbdi_contact_rows(closure->type == MBD_CLOSURE_ROLL, &form->contact, form->functional);
      form->c[0] = closure->nposition > 0 ? form->contact.gap : 0;
      break;
    default: break;
  }
}

static mbd_placement_t
in_world(const mbd_data_t * data, int body, const mbd_placement_t * X)
{
  return body < 0 ? *X : mbdu_placement_mul(&data->X_world[body], X);
}

mbdi_closure_form_t
mbdi_closure_form(const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c)
{
  (void)model;
  mbdi_closure_form_t form;
  memset(form.functional, 0, (size_t)c->nrow * sizeof *form.functional);
  const mbd_placement_t A = in_world(data, c->body_a, &c->X_a);
  const mbd_placement_t B = in_world(data, c->body_b, &c->X_b);
  const mbd_placement_t A_inverse = mbdu_placement_inverse(&A);
  form.X = mbdu_placement_mul(&A_inverse, &B);
  form.at.R = A.R;
  form.at.p = mbdi_closure_is_over_world(c) ? A.p : B.p;
  form_rows(c, &form);
  return form;
}

//---------- G ----------

// rows += sign * functional . S_k at the form's point, for joints from `body` to below `stop`
static void
fill_path(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_closure_form_t * form, int body, int stop, double sign, const int * column, int stride,
  double * G)
{
  // in axes of the world
  mbd_force_t functional[MBD_CLOSURE_ROWS_MAX];
  for (int r = 0; r < c->nrow; r++) {
    functional[r].ang = mbdu_mat3_vec(&form->at.R, form->functional[r].ang);
    functional[r].lin = mbdu_mat3_vec(&form->at.R, form->functional[r].lin);
  }
  for (int i = body; i != stop; i = model->body[i].parent) {
    const mbd_placement_t * X = &data->X_world[i];
    const mbd_vec3_t arm = mbdu_vec3_sub(form->at.p, X->p);
    const int first = model->body[i].v_index;
    for (int k = first; k < first + model->body[i].nv; k++) {
      const int to = column ? column[k] : k;
      if (to < 0) continue;
      mbd_motion_t S = {mbdu_mat3_vec(&X->R, data->S[k].ang), mbdu_mat3_vec(&X->R, data->S[k].lin)};
      S.lin = mbdu_vec3_add(S.lin, mbdu_vec3_cross(S.ang, arm));
      for (int r = 0; r < c->nrow; r++) {
        G[(size_t)r * (size_t)stride + (size_t)to] = sign * mbdu_power(functional[r], S);
      }
    }
  }
}

// the same by the Jacobians of both frames, where the bodies on the path do not determine them
static void
fill_from_jacobian(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_closure_form_t * form, const int * column, int stride, double * G)
{
  const int end[2] = {c->body_b, mbdi_closure_is_over_world(c) ? MBD_WORLD_BODY : c->body_a},
            nv = model->nv;
  double * J = data->work->E;
  for (int side = 0; side < 2; side++) {
    if (end[side] < 0) continue;
    model->internal->engine->body_jacobian(model, data, end[side], &form->at, J);
    for (int k = 0; k < nv; k++) {
      const int to = column ? column[k] : k;
      const mbd_motion_t V = {
        {J[k], J[nv + k], J[2 * nv + k]}, {J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]}};
      for (int r = 0; to >= 0 && r < c->nrow; r++) {
        G[(size_t)r * (size_t)stride + (size_t)to] +=
          (side ? -1 : 1) * mbdu_power(form->functional[r], V);
      }
    }
  }
}

void
mbdi_closure_form_fill(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c,
  const mbdi_closure_form_t * form, const int * column, int stride, double * G)
{
  memset(G, 0, (size_t)c->nrow * (size_t)stride * sizeof *G);
  if (model->internal->engine->body_jacobian) {
    fill_from_jacobian(model, data, c, form, column, stride, G);
    return;
  }
  if (mbdi_closure_is_over_world(c)) {
    fill_path(model, data, c, form, c->body_b, MBD_WORLD_BODY, 1, column, stride, G);
    return;
  }
  // common ancestors of both frames cause no relative motion
  fill_path(model, data, c, form, c->body_b, c->common, 1, column, stride, G);
  fill_path(model, data, c, form, c->body_a, c->common, -1, column, stride, G);
}

void
mbdi_closure_fill(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const int * column,
  int stride, double * G)
{
  if (c->type == MBD_CLOSURE_COUPLING) {
    memset(G, 0, (size_t)c->nrow * (size_t)stride * sizeof *G);
    for (int k = 0; k < c->ncoupled; k++) {
      const int dof = model->body[c->coupled[k]].v_index;
      const int to = column ? column[dof] : dof;
      if (to >= 0) G[to] = c->coefficient[k];
    }
    return;
  }
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  mbdi_closure_form_fill(model, data, c, &form, column, stride, G);
}

// motion of a body at the form's point for joint rates x, those of joints up to `stop` left out
static mbd_motion_t
path_motion(
  const mbd_model_t * model, const mbd_data_t * data, const mbdi_closure_form_t * form, int body,
  int stop, const double * x)
{
  mbd_motion_t sum = {{0, 0, 0}, {0, 0, 0}};
  if (model->internal->engine->body_jacobian) {
    const size_t nv = (size_t)model->nv;
    double y[6] = {0};
    model->internal->engine->body_jacobian(model, data, body, &form->at, data->work->E);
    for (size_t k = 0; k < 6 * nv; k++) y[k / nv] += data->work->E[k] * x[k % nv];
    return (mbd_motion_t){{y[0], y[1], y[2]}, {y[3], y[4], y[5]}};
  }
  for (int i = body; i != stop; i = model->body[i].parent) {
    const int first = model->body[i].v_index;
    const mbd_motion_t part = joint_motion(&model->body[i], data->S + first, x + first);
    sum = mbdu_motion_add(sum, mbdu_motion_to_parent(&data->X_world[i], part));
  }
  return mbdu_motion_to_child(&form->at, sum);
}

void
mbdi_closure_product(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, const double * x,
  double * y)
{
  if (c->type == MBD_CLOSURE_COUPLING) {
    y[0] = 0;
    for (int k = 0; k < c->ncoupled; k++) {
      y[0] += c->coefficient[k] * x[model->body[c->coupled[k]].v_index];
    }
    return;
  }
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  const int stop = mbdi_closure_is_over_world(c) ? MBD_WORLD_BODY : c->common;
  mbd_motion_t V = path_motion(model, data, &form, c->body_b, stop, x);
  if (!mbdi_closure_is_over_world(c)) {
    V = mbdu_motion_sub(V, path_motion(model, data, &form, c->body_a, stop, x));
  }
  for (int r = 0; r < c->nrow; r++) y[r] = mbdu_power(form.functional[r], V);
}

mbd_status_t
mbd_closure_jacobian(const mbd_model_t * model, mbd_data_t * data, double * G)
{
  CHECK(check_cut(model, data, MBD_STAGE_POSITION));
  if (!G) return MBD_ERROR_NULL_ARGUMENT;
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    mbdi_closure_fill(model, data, c, NULL, model->nv, G + (size_t)c->row * (size_t)model->nv);
  }
  return MBD_OK;
}

//---------- sizes and units of rows ----------

static double
coupling_scale(const mbd_closure_t * c)
{
  double largest = 0;
  for (int k = 0; k < c->ncoupled; k++) largest = fmax(largest, fabs(c->coefficient[k]));
  return largest;
}

// upper bound of each row for a motion S
static void
compare_scale(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, mbd_motion_t S, double * scale)
{
  const double turn = mbdu_vec3_norm(S.ang), move = mbdu_vec3_norm(S.lin);
  for (int r = 0; r < c->nrow; r++) {
    const mbd_force_t * f = &form->functional[r];
    scale[r] = fmax(scale[r], turn * mbdu_vec3_norm(f->ang) + move * mbdu_vec3_norm(f->lin));
  }
}

void
mbdi_closure_scale(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double * scale)
{
  memset(scale, 0, (size_t)c->nrow * sizeof *scale);
  if (c->type == MBD_CLOSURE_COUPLING) {
    scale[0] = coupling_scale(c);
    return;
  }
  const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
  const mbd_placement_t world = mbdu_placement_inverse(&form.at);
  const int end[2] = {c->body_b, mbdi_closure_is_over_world(c) ? MBD_WORLD_BODY : c->body_a};
  for (int side = 0; side < 2; side++) {
    if (model->internal->engine->body_jacobian) {
      const int nv = model->nv;
      const double * J = data->work->E;
      model->internal->engine->body_jacobian(model, data, end[side], &form.at, data->work->E);
      for (int k = 0; k < nv; k++) {
        const mbd_motion_t S = {
          {J[k], J[nv + k], J[2 * nv + k]}, {J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]}};
        compare_scale(c, &form, S, scale);
      }
      continue;
    }
    const int stop = mbdi_closure_is_over_world(c) ? MBD_WORLD_BODY : c->common;
    for (int i = end[side]; i != stop; i = model->body[i].parent) {
      const mbd_placement_t X = mbdu_placement_mul(&world, &data->X_world[i]);
      for (int k = 0; k < model->body[i].nv; k++) {
        const mbd_motion_t S = mbdu_motion_to_parent(&X, data->S[model->body[i].v_index + k]);
        compare_scale(c, &form, S, scale);
      }
    }
  }
}

bool
mbdi_closure_is_angle(const mbd_model_t * model, const mbd_closure_t * c, int row)
{
  if (c->type == MBD_CLOSURE_COUPLING) {
    const mbd_joint_type_t type = model->body[c->coupled[0]].type;
    return type != MBD_JOINT_PRISMATIC;
  }
  const parts_t parts = parts_of(c->type);
  const int angles = parts.npoint + 2 * parts.parallel + 3 * parts.oriented;
  return row >= parts.npoint && (row < angles || c->type == MBD_CLOSURE_UNIVERSAL);
}

int
mbdi_closure_of_row(const mbd_model_t * model, int row)
{
  int k = 0;
  while (k + 1 < model->nclosure && model->closure[k + 1].row <= row) k++;
  return k;
}

//---------- drivers and d ----------

mbd_status_t
mbdi_closure_drive(const mbd_closure_t * c, double t, double s[3])
{
  const mbd_driver_t * driver = &c->driver;
  if (driver->at) {
    s[0] = s[1] = s[2] = 0;
    driver->at(driver->ctx, t, &s[0], &s[1], &s[2]);
  } else {
    s[0] = driver->value + driver->rate * t;
    s[1] = driver->rate;
    s[2] = 0;
  }
  return finite_array(s, 3) ? MBD_OK : MBD_ERROR_NOT_FINITE;
}

mbd_status_t
mbd_closure_target(const mbd_model_t * model, double t, double * U)
{
  if (!model || !U) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
  memset(U, 0, (size_t)model->nrow * sizeof *U);
  for (int k = 0; k < model->nclosure; k++) {
    double s[3];
    CHECK(mbdi_closure_drive(&model->closure[k], t, s));
    U[model->closure[k].row + model->closure[k].driver.row] = s[1];
  }
  return MBD_OK;
}

mbd_status_t
mbdi_closure_form_error(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, double t, double * d)
{
  double s[3];
  memset(d, 0, (size_t)c->nrow * sizeof *d);
  if (c->nposition == 0) return MBD_OK;
  CHECK(mbdi_closure_drive(c, t, s));
  memcpy(d, form->c, (size_t)c->nrow * sizeof *d);
  d[c->driver.row] -= s[0];
  // to the nearest turn of the thread
  if (c->type == MBD_CLOSURE_SCREW) d[4] = remainder(d[4], c->pitch * TURN);
  return MBD_OK;
}

mbd_status_t
mbdi_closure_fill_error(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double t, double * d)
{
  double s[3];
  if (c->type != MBD_CLOSURE_COUPLING) {
    const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
    return mbdi_closure_form_error(c, &form, t, d);
  }
  CHECK(mbdi_closure_drive(c, t, s));
  d[0] = c->offset - s[0];
  for (int k = 0; k < c->ncoupled; k++) {
    d[0] += c->coefficient[k] * data->q[model->body[c->coupled[k]].q_index];
  }
  return MBD_OK;
}

mbd_status_t
mbd_closure_error(const mbd_model_t * model, mbd_data_t * data, double t, double * d)
{
  CHECK(check_any(model, data, MBD_STAGE_POSITION));
  model = mbdi_spanning_tree(model);
  data = mbdi_spanning_data(data);
  if (!d) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    CHECK(mbdi_closure_fill_error(model, data, c, t, d + c->row));
  }
  return MBD_OK;
}

//---------- gamma ----------

// motion of a point of a body: world axes
typedef struct point_motion {
  mbd_vec3_t x, w, v;  // position, angular velocity, velocity
  mbd_vec3_t dw, a;    // their derivatives at zero joint acceleration: classical
} point_motion_t;

static point_motion_t
move_point(const mbd_data_t * data, int body, mbd_vec3_t x)
{
  point_motion_t m;
  memset(&m, 0, sizeof m);
  m.x = x;
  if (body < 0) return m;
  const mbd_placement_t * X = &data->X_world[body];
  const mbd_motion_t V = data->V[body], A = data->A_bias[body];
  const mbd_vec3_t arm = mbdu_mat3_tvec(&X->R, mbdu_vec3_sub(x, X->p));
  const mbd_vec3_t v = mbdu_vec3_add(V.lin, mbdu_vec3_cross(V.ang, arm));
  mbd_vec3_t a = mbdu_vec3_add(A.lin, mbdu_vec3_cross(A.ang, arm));
  a = mbdu_vec3_add(a, mbdu_vec3_cross(V.ang, v));
  m.w = mbdu_mat3_vec(&X->R, V.ang);
  m.v = mbdu_mat3_vec(&X->R, v);
  m.dw = mbdu_mat3_vec(&X->R, A.ang);
  m.a = mbdu_mat3_vec(&X->R, a);
  return m;
}

// w, u and their derivatives by component, in axes of A
typedef struct relative {
  mbd_vec3_t w, u, dw, du;
} relative_t;

static relative_t
relative_motion(const mbd_mat3_t * R_a, const point_motion_t * A, const point_motion_t * B)
{
  const mbd_vec3_t r = mbdu_vec3_sub(B->x, A->x);
  const mbd_vec3_t w = mbdu_vec3_sub(B->w, A->w);
  const mbd_vec3_t carried = mbdu_vec3_cross(A->w, r);
  const mbd_vec3_t u = mbdu_vec3_sub(mbdu_vec3_sub(B->v, A->v), carried);
  // d/dt in rotating axes: without Euler, centripetal and Coriolis terms
  const mbd_vec3_t dw = mbdu_vec3_sub(mbdu_vec3_sub(B->dw, A->dw), mbdu_vec3_cross(A->w, w));
  mbd_vec3_t du = mbdu_vec3_sub(B->a, A->a);
  du = mbdu_vec3_sub(du, mbdu_vec3_cross(A->dw, r));
  du = mbdu_vec3_sub(du, mbdu_vec3_cross(A->w, carried));
  du = mbdu_vec3_sub(du, mbdu_vec3_scale(2, mbdu_vec3_cross(A->w, u)));
  relative_t m = {
    mbdu_mat3_tvec(R_a, w), mbdu_mat3_tvec(R_a, u), mbdu_mat3_tvec(R_a, dw),
    mbdu_mat3_tvec(R_a, du)};
  return m;
}

static mbd_vec3_t
turned_twice(mbd_vec3_t w, mbd_vec3_t x)
{
  return mbdu_vec3_cross(w, mbdu_vec3_cross(w, x));
}

static int
parallel_quadratic(const mbd_mat3_t * R, mbd_vec3_t w, double * quadratic)
{
  const parallel_t a = parallel_of(R);
  const mbd_vec3_t rate = mbdu_vec3_cross(w, a.n), second = turned_twice(w, a.n);
  for (int i = 0; i < 2; i++) {
    quadratic[i] = mbdu_vec3_dot(parallel_gradient(&a, i), second) +
                   2 * component(rate, i) * a.f1 * rate.z +
                   component(a.n, i) * a.f2 * rate.z * rate.z;
  }
  return 2;
}

static int
oriented_quadratic(const mbd_mat3_t * R, mbd_vec3_t w, double * quadratic)
{
  // of q_v'' = ...: the products of w with itself add up to -|w|^2 q_v / 4         (B.42)
  const mbd_quat_t q = mbdu_quat_from_mat3(R);
  const double factor = -0.5 * mbdu_vec3_dot(w, w);
  quadratic[0] = factor * q.x;
  quadratic[1] = factor * q.y;
  quadratic[2] = factor * q.z;
  return 3;
}

static double
distance_quadratic(mbd_vec3_t p, mbd_vec3_t u)
{
  const double length = mbdu_vec3_norm(p);
  if (!(length > 1e-150)) return 0;
  const double along = mbdu_vec3_dot(direction_of(p), u);
  return (mbdu_vec3_dot(u, u) - along * along) / length;
}

// second rates of the rows at zero joint acceleration
static void
second_rates(
  const mbd_closure_t * c, const mbdi_closure_form_t * form, const relative_t * m, double * second)
{
  const mbd_motion_t A = {m->dw, m->du};
  double quadratic[MBD_CLOSURE_ROWS_MAX] = {0};
  const parts_t parts = parts_of(c->type);
  int r = parts.npoint;
  if (parts.parallel) r += parallel_quadratic(&form->X.R, m->w, quadratic + r);
  if (parts.oriented) r += oriented_quadratic(&form->X.R, m->w, quadratic + r);
  if (c->type == MBD_CLOSURE_UNIVERSAL) {
    quadratic[r] = turned_twice(m->w, column_of(&form->X.R, 1)).x;
  }
  if (c->type == MBD_CLOSURE_DISTANCE) quadratic[r] = distance_quadratic(form->X.p, m->u);
  if (c->type == MBD_CLOSURE_SCREW) {
    const mbd_force_t rate = {mbdu_vec3_scale(-c->pitch, twist_rate(&form->X.R, m->w)), {0, 0, 0}};
    quadratic[r] = mbdu_power(rate, (mbd_motion_t){m->w, m->u});
  }
  if (c->surface_a.type != MBD_SURFACE_POINT) {
    const mbd_motion_t V = {m->w, m->u};
    mbd_force_t rate[2];
    mbdi_contact_rates(c, &form->X, &form->contact, V, rate);
    for (int k = 0; k < c->nrow; k++) quadratic[k] = mbdu_power(rate[k], V);
  }
  for (r = 0; r < c->nrow; r++) second[r] = mbdu_power(form->functional[r], A) + quadratic[r];
}

// nonholonomic rows: d/dt of the velocity of B's body at A's origin, in axes of A
static void
slip_rates(
  const mbd_data_t * data, const mbd_closure_t * c, const mbdi_closure_form_t * form,
  double * second)
{
  const point_motion_t A = move_point(data, c->body_a, form->at.p);
  const point_motion_t B = move_point(data, c->body_b, form->at.p);
  // the point is fixed to A, so the material point of B changes
  const mbd_vec3_t passing = mbdu_vec3_cross(B.w, mbdu_vec3_sub(A.v, B.v));
  const mbd_vec3_t turning = mbdu_vec3_cross(A.w, B.v);
  const mbd_vec3_t rate = mbdu_vec3_sub(mbdu_vec3_add(B.a, passing), turning);
  const mbd_vec3_t in_A = mbdu_mat3_tvec(&form->at.R, rate);
  second[0] = in_A.x;
  if (c->nrow > 1) second[1] = in_A.y;
}

mbd_status_t
mbdi_closure_form_bias(
  const mbd_data_t * data, const mbd_closure_t * c, const mbdi_closure_form_t * form, double t,
  double * gamma)
{
  double s[3], second[MBD_CLOSURE_ROWS_MAX] = {0};
  CHECK(mbdi_closure_drive(c, t, s));
  if (!mbdi_closure_is_over_world(c)) {
    const mbd_placement_t X_a = in_world(data, c->body_a, &c->X_a);
    const point_motion_t A = move_point(data, c->body_a, X_a.p);
    const point_motion_t B = move_point(data, c->body_b, form->at.p);
    const relative_t m = relative_motion(&X_a.R, &A, &B);
    second_rates(c, form, &m, second);
  } else {
    slip_rates(data, c, form, second);
  }
  for (int r = 0; r < c->nrow; r++) gamma[r] = -second[r];
  gamma[c->driver.row] += s[2];
  return MBD_OK;
}

mbd_status_t
mbdi_closure_fill_bias(
  const mbd_model_t * model, const mbd_data_t * data, const mbd_closure_t * c, double t,
  double * gamma)
{
  double s[3];
  if (c->type != MBD_CLOSURE_COUPLING) {
    const mbdi_closure_form_t form = mbdi_closure_form(model, data, c);
    return mbdi_closure_form_bias(data, c, &form, t, gamma);
  }
  CHECK(mbdi_closure_drive(c, t, s));
  gamma[0] = s[2];
  return MBD_OK;
}

mbd_status_t
mbd_closure_bias(const mbd_model_t * model, mbd_data_t * data, double t, double * gamma)
{
  CHECK(check_cut(model, data, MBD_STAGE_VELOCITY));
  if (!gamma) return MBD_ERROR_NULL_ARGUMENT;
  if (!finite_array(&t, 1)) return MBD_ERROR_NOT_FINITE;
  model->internal->engine->bias_stage(model, data);
  for (int k = 0; k < model->nclosure; k++) {
    const mbd_closure_t * c = &model->closure[k];
    CHECK(mbdi_closure_fill_bias(model, data, c, t, gamma + c->row));
  }
  return MBD_OK;
}
