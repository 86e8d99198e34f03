// A model as MJCF. MuJoCo refuses moving bodies without mass, so a link without mass that carries nothing but
// the next one becomes a further joint of that body (mjcf_body.c reads them apart again).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/spatial.h"
#include "mjcf_internal.h"
#include "robot_write_internal.h"

static void
indent(robot_writer_t * w, int depth)
{
  for (int k = 0; k < depth && k < 40; k++) robot_put(w, "  ");
}

static void
put_vec3(robot_writer_t * w, const char * attribute, mbd_vec3_t x)
{
  const double numbers[3] = {x.x, x.y, x.z};
  robot_put_numbers(w, attribute, numbers, 3);
}

static void
put_placement(robot_writer_t * w, const mbd_placement_t * X)
{
  double q[4];
  mjcf_quat(&X->R, q);
  const double wxyz[4] = {q[3], q[0], q[1], q[2]};
  put_vec3(w, "pos", X->p);
  if (q[0] != 0 || q[1] != 0 || q[2] != 0) robot_put_numbers(w, "quat", wxyz, 4);
}

//---------- joints ----------

// a bushing at a ball joint that only turns the link back, alike about all axes: the spring of a ball
static bool
is_ball_spring(const robot_writer_t * w, int body, const mbd_element_spec_t * e)
{
  const mbd_body_t * b = &w->model->body[body];
  const mbd_frame_t * at = e->frame_a >= 0 ? &w->model->frame[e->frame_a] : NULL;
  if (e->type != MBD_ELEMENT_BUSHING || b->type != MBD_JOINT_SPHERICAL) return false;
  if (e->frame_b != b->link_frame || (at ? at->body : -1) != b->parent) return false;
  bool plain = e->stiffness6[0] == e->stiffness6[1] && e->stiffness6[0] == e->stiffness6[2];
  for (int k = 0; k < 6; k++)
    plain = plain && e->damping6[k] == 0 && (k < 3 || e->stiffness6[k] == 0);
  const mbd_placement_t one = mbdu_placement_identity();
  mbd_placement_t A = e->X_a, X = w->link[body];
  if (at) {
    const mbd_placement_t link = robot_frame_in_link(w->model, e->frame_a);
    A = mbdu_placement_mul(&link, &A);
  }
  for (int k = 0; k < 9; k++)
    plain = plain && fabs(A.R.m[k] - X.R.m[k]) < 1e-12 && fabs(e->X_b.R.m[k] - one.R.m[k]) < 1e-12;
  return plain && mbdu_vec3_norm(mbdu_vec3_sub(A.p, X.p)) < 1e-12 &&
         mbdu_vec3_norm(e->X_b.p) < 1e-12;
}

static void
put_ball_spring(robot_writer_t * w, int body)
{
  double stiffness = 0;
  for (int k = 0; k < w->model->nelement; k++)
    if (is_ball_spring(w, body, &w->model->element[k].spec))
      stiffness += w->model->element[k].spec.stiffness6[0];
  if (stiffness != 0) robot_put_numbers(w, "stiffness", &stiffness, 1);
}

static void
put_spring(robot_writer_t * w, int body, double * damping)
{
  double stiffness = 0, moment = 0;
  for (int k = 0; k < w->model->nelement; k++) {
    const mbd_element_spec_t * e = &w->model->element[k].spec;
    if (w->model->element[k].body != body || e->type != MBD_ELEMENT_JOINT) continue;
    if (e->at || e->one_sided != MBD_ONE_SIDED_BOTH) continue;
    stiffness += e->stiffness;
    moment += e->stiffness * e->rest - e->preload;
    *damping += e->damping;
  }
  if (stiffness == 0) return;
  const double rest = moment / stiffness;
  robot_put_numbers(w, "stiffness", &stiffness, 1);
  robot_put_numbers(w, "springref", &rest, 1);
}

// X: the joint's link in the body that is written, at q = 0
static void
put_joint(robot_writer_t * w, int body, const mbd_placement_t * X, int depth)
{
  const mbd_body_t * b = &w->model->body[body];
  const bool turns = b->type == MBD_JOINT_REVOLUTE || b->type == MBD_JOINT_CONTINUOUS;
  const bool slides = b->type == MBD_JOINT_PRISMATIC;
  double damping = b->drive.viscous;
  indent(w, depth);
  if (b->type == MBD_JOINT_FREE) {
    robot_put(w, "<joint type=\"free\"");
    robot_put_name(w, "name", b->joint_name, "");
    if (damping != 0) robot_put_numbers(w, "damping", &damping, 1);
    robot_put(w, "/>\n");
    if (b->drive.rotor_inertia != 0 || b->drive.coulomb != 0)
      robot_left_out(
        w, MBDX_ERROR, "joint", b->joint_name, "remove it",
        "MJCF has no rotor or dry friction of a free joint");
    return;
  }
  if (!turns && !slides && b->type != MBD_JOINT_SPHERICAL) {
    robot_left_out(
      w, MBDX_ERROR, "joint", b->joint_name, "replace it by several joints with one axis each",
      "MJCF has no joint of this type");
    return;
  }
  robot_put(w, "<joint");
  robot_put_name(w, "name", b->joint_name, "");
  robot_put(w, " type=\"%s\"", turns ? "hinge" : slides ? "slide" : "ball");
  if (X->p.x != 0 || X->p.y != 0 || X->p.z != 0) put_vec3(w, "pos", X->p);
  if (b->nv == 1) {
    put_vec3(w, "axis", mbdu_mat3_vec(&X->R, robot_axis(w->model, body)));
    const double range[2] = {b->limits.lower, b->limits.upper};
    if (isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]) {
      robot_put(w, " limited=\"true\"");
      robot_put_numbers(w, "range", range, 2);
    } else {
      robot_put(w, " limited=\"false\"");
      if (isfinite(range[0]) || isfinite(range[1]))
        robot_left_out(
          w, MBDX_WARNING, "joint", b->joint_name, NULL,
          "MJCF has no limit on one side: it is left out");
    }
    put_spring(w, body, &damping);
  }
  if (b->type == MBD_JOINT_SPHERICAL) put_ball_spring(w, body);
  const double armature = b->drive.gear_ratio * b->drive.gear_ratio * b->drive.rotor_inertia;
  if (armature != 0) robot_put_numbers(w, "armature", &armature, 1);
  if (damping != 0) robot_put_numbers(w, "damping", &damping, 1);
  if (b->drive.coulomb != 0) robot_put_numbers(w, "frictionloss", &b->drive.coulomb, 1);
  robot_put(w, "/>\n");
}

//---------- bodies ----------

static void
put_inertial(robot_writer_t * w, int body, int depth)
{
  double mass;
  mbd_vec3_t com;
  mbd_sym3_t I;
  if (!robot_inertia(w->model, body, &mass, &com, &I)) return;
  indent(w, depth);
  robot_put(w, "<inertial");
  put_vec3(w, "pos", com);
  robot_put_numbers(w, "mass", &mass, 1);
  const double diagonal[3] = {I.xx, I.yy, I.zz};
  const double full[6] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  if (I.xy == 0 && I.xz == 0 && I.yz == 0)
    robot_put_numbers(w, "diaginertia", diagonal, 3);
  else
    robot_put_numbers(w, "fullinertia", full, 6);
  robot_put(w, "/>\n");
}

// frames fixed to a body (-1: the world): links as bodies without mass, others as sites
static void
put_frames(robot_writer_t * w, int body, int depth)
{
  for (int k = 0; k < w->model->nframe; k++) {
    const mbd_frame_t * f = &w->model->frame[k];
    if (f->body != body || (body >= 0 && w->model->body[body].link_frame == k)) continue;
    if (body < 0 && strcmp(f->name, "world") == 0) continue;
    const mbd_placement_t X = robot_frame_in_link(w->model, k);
    indent(w, depth);
    robot_put(w, f->is_link ? "<body" : "<site");
    robot_put_name(w, "name", f->name, "");
    put_placement(w, &X);
    robot_put(w, "/>\n");
  }
}

static bool is_closed(const robot_writer_t * w, const mbd_closure_t * c);

// sites of connections that need them
static void
put_closure_sites(robot_writer_t * w, int body, int depth)
{
  for (int k = 0; k < w->model->nclosure; k++) {
    const mbd_closure_t * c = &w->model->closure[k];
    if (c->type != MBD_CLOSURE_SPHERICAL || is_closed(w, c)) continue;
    for (int b = 0; b < 2; b++) {
      if ((b ? c->body_b : c->body_a) != body) continue;
      mbd_placement_t X;
      robot_end(w, c, b, &X);
      indent(w, depth);
      robot_put(w, "<site name=\"closure%d_%c\"", c->row, b ? 'b' : 'a');
      put_placement(w, &X);
      robot_put(w, "/>\n");
    }
  }
}

// the only child of a link that carries nothing else; -1 if it is not such a link
static int
only_child(const robot_writer_t * w, int body)
{
  const mbd_model_t * m = w->model;
  double mass;
  mbd_vec3_t com;
  mbd_sym3_t I;
  int child = -1;
  if (m->body[body].type == MBD_JOINT_FREE || robot_inertia(m, body, &mass, &com, &I)) return -1;
  for (int k = 0; k < m->nframe; k++)
    if (m->frame[k].body == body && m->body[body].link_frame != k) return -1;
  for (int k = 0; k < m->nclosure; k++)
    if (
      m->closure[k].type != MBD_CLOSURE_COUPLING &&
      (m->closure[k].body_a == body || m->closure[k].body_b == body))
      return -1;
  for (int i = body + 1; i < m->body[body].subtree_end; i++) {
    if (m->body[i].parent != body) continue;
    if (child >= 0) return -1;
    child = i;
  }
  return child;
}

static int
first_child(const mbd_model_t * m, int body)
{
  return body + 1 < m->body[body].subtree_end ? body + 1 : -1;
}

// a body and those in it; the recursion is as deep as the tree
static void
put_body(robot_writer_t * w, int first, int depth)
{
  enum { MOST = 6 };
  const mbd_model_t * m = w->model;
  int chain[MOST], n = 0;
  for (int i = first; i >= 0 && n < MOST; i = only_child(w, i)) chain[n++] = i;
  const int last = chain[n - 1];
  if (depth > 150) {
    robot_left_out(
      w, MBDX_ERROR, "link", m->body[last].name, NULL,
      "bodies are nested too deep for an MJCF file");
    return;
  }
  mbd_placement_t X = w->link[first];
  for (int k = 1; k < n; k++) X = mbdu_placement_mul(&X, &w->link[chain[k]]);
  indent(w, depth);
  robot_put(w, "<body");
  robot_put_name(w, "name", m->body[last].name, "");
  put_placement(w, &X);
  robot_put(w, ">\n");
  for (int k = 0; k < n; k++) {
    mbd_placement_t to_last = mbdu_placement_identity();
    for (int i = k + 1; i < n; i++) to_last = mbdu_placement_mul(&to_last, &w->link[chain[i]]);
    const mbd_placement_t in_last = mbdu_placement_inverse(&to_last);
    put_joint(w, chain[k], &in_last, depth + 1);
  }
  put_inertial(w, last, depth + 1);
  put_frames(w, last, depth + 1);
  put_closure_sites(w, last, depth + 1);
  for (int i = first_child(m, last); i >= 0 && i < m->body[last].subtree_end;
       i = m->body[i].subtree_end)
    put_body(w, i, depth + 1);
  indent(w, depth);
  robot_put(w, "</body>\n");
}

//---------- equalities and motors ----------

static void
put_coupling(robot_writer_t * w, const mbd_closure_t * c)
{
  int follower, leader;
  double p[5] = {0, 0, 0, 0, 0};
  if (!robot_coupling(w, c, &follower, &leader, &p[1], &p[0])) {
    robot_left_out(
      w, MBDX_ERROR, "closure", c->name, NULL, "MJCF couples two joints, and each only once");
    return;
  }
  robot_put(w, "    <joint");
  robot_put_name(w, "name", c->name, "");
  robot_put_name(w, "joint1", w->model->body[follower].joint_name, "");
  if (leader >= 0) robot_put_name(w, "joint2", w->model->body[leader].joint_name, "");
  robot_put_numbers(w, "polycoef", p, 5);
  robot_put(w, "/>\n");
}

// a point of a link in the world where all joints are at zero
static mbd_vec3_t
point_at_zero(const robot_writer_t * w, int body, mbd_vec3_t p)
{
  for (; body >= 0; body = w->model->body[body].parent) p = mbdu_placement_point(&w->link[body], p);
  return p;
}

// Connect asks for the point on one body, and finds it on the other where all joints are at zero. Where the loop
// is open there, sites have both points
static bool
is_closed(const robot_writer_t * w, const mbd_closure_t * c)
{
  mbd_placement_t A, B;
  robot_end(w, c, false, &A);
  robot_end(w, c, true, &B);
  const mbd_vec3_t a = point_at_zero(w, c->body_a, A.p), b = point_at_zero(w, c->body_b, B.p);
  return mbdu_vec3_norm(mbdu_vec3_sub(a, b)) <= 1e-12 * (1 + mbdu_vec3_norm(a));
}

static void
put_connect(
  robot_writer_t * w, const mbd_closure_t * c, const char * a, const char * b,
  const mbd_placement_t * A)
{
  robot_put(w, "    <connect");
  robot_put_name(w, "name", c->name, "");
  if (is_closed(w, c)) {
    robot_put_name(w, "body1", a ? a : "world", "");
    robot_put_name(w, "body2", b ? b : "world", "");
    put_vec3(w, "anchor", A->p);
  } else {
    robot_put(w, " site1=\"closure%d_a\" site2=\"closure%d_b\"", c->row, c->row);
    robot_left_out(
      w, MBDX_WARNING, "closure", c->name, "close it at zero for older versions",
      "is open where all joints are at zero: it is written with sites, which MuJoCo 3.2 reads");
  }
  robot_put(w, "/>\n");
}

static void
put_closure(robot_writer_t * w, const mbd_closure_t * c)
{
  if (c->type == MBD_CLOSURE_COUPLING) {
    put_coupling(w, c);
    return;
  }
  mbd_placement_t A, B;
  const char * a = robot_end(w, c, false, &A);
  const char * b = robot_end(w, c, true, &B);
  if (c->type != MBD_CLOSURE_SPHERICAL && c->type != MBD_CLOSURE_WELD) {
    robot_left_out(
      w, MBDX_ERROR, "closure", c->name,
      "use closures of type spherical or weld, or leave loops out",
      "MJCF has no equality of this type");
    return;
  }
  if (c->type == MBD_CLOSURE_SPHERICAL) {
    put_connect(w, c, a, b, &A);
    return;
  }
  const mbd_placement_t back = mbdu_placement_inverse(&B);
  const mbd_placement_t X = mbdu_placement_mul(&A, &back);
  double q[4];
  mjcf_quat(&X.R, q);
  const double pose[7] = {X.p.x, X.p.y, X.p.z, q[3], q[0], q[1], q[2]};
  robot_put(w, "    <weld");
  robot_put_name(w, "name", c->name, "");
  robot_put_name(w, "body1", a ? a : "world", "");
  robot_put_name(w, "body2", b ? b : "world", "");
  robot_put_numbers(w, "relpose", pose, 7);
  robot_put(w, "/>\n");
}

static void
put_motors(robot_writer_t * w)
{
  bool any = false;
  for (int i = 0; i < w->model->nbody; i++) {
    const mbd_body_t * b = &w->model->body[i];
    if (b->nv != 1 || !isfinite(b->limits.effort)) continue;
    const double range[2] = {-b->limits.effort, b->limits.effort};
    if (!(range[0] < range[1])) continue;
    if (!any) robot_put(w, "  <actuator>\n");
    any = true;
    robot_put(w, "    <motor");
    robot_put_name(w, "name", b->joint_name, "");
    robot_put_name(w, "joint", b->joint_name, "");
    robot_put(w, " ctrllimited=\"true\"");
    robot_put_numbers(w, "ctrlrange", range, 2);
    robot_put(w, "/>\n");
  }
  if (any) robot_put(w, "  </actuator>\n");
}

//---------- the whole ----------

static void
check_elements(robot_writer_t * w)
{
  for (int k = 0; k < w->model->nelement; k++) {
    const mbd_element_spec_t * e = &w->model->element[k].spec;
    bool written = e->type == MBD_ELEMENT_JOINT && !e->at && e->one_sided == MBD_ONE_SIDED_BOTH &&
                   (e->preload == 0 || e->stiffness != 0);
    const int body = e->frame_b >= 0 ? w->model->frame[e->frame_b].body : -1;
    if (body >= 0 && body < w->model->nbody) written = written || is_ball_spring(w, body, e);
    if (!written)
      robot_left_out(
        w, MBDX_WARNING, "force", e->name, NULL,
        "only springs of joints are written: it is left out");
  }
}

static void
write_mjcf(robot_writer_t * w)
{
  const mbd_model_t * m = w->model;
  robot_put(w, "<mujoco");
  robot_put_name(w, "model", m->name, "");
  robot_put(w, ">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n  <option");
  put_vec3(w, "gravity", m->gravity);
  robot_put(w, "/>\n  <worldbody>\n");
  put_frames(w, -1, 2);
  put_closure_sites(w, -1, 2);
  for (int i = 0; i < m->nbody; i = m->body[i].subtree_end) put_body(w, i, 2);
  robot_put(w, "  </worldbody>\n");
  if (m->nclosure > 0) robot_put(w, "  <equality>\n");
  for (int k = 0; k < m->nclosure; k++) put_closure(w, &m->closure[k]);
  if (m->nclosure > 0) robot_put(w, "  </equality>\n");
  put_motors(w);
  robot_put(w, "</mujoco>\n");
  check_elements(w);
}

mbd_status_t
mbdx_mjcf_write(const mbd_model_t * model, char ** text, size_t * size, mbdx_report_t ** report)
{
  return robot_write(model, write_mjcf, text, size, report);
}
