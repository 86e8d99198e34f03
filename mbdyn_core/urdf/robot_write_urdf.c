// A model as URDF.
#include <math.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/spatial.h"
#include "robot_write_internal.h"

static void
put_origin(robot_writer_t * w, const mbd_placement_t * X)
{
  double rpy[3];
  const double xyz[3] = {X->p.x, X->p.y, X->p.z};
  robot_rpy(&X->R, rpy);
  robot_put_numbers(w, "xyz", xyz, 3);
  robot_put_numbers(w, "rpy", rpy, 3);
}

static void
put_link(robot_writer_t * w, const char * name, int body)
{
  double mass;
  mbd_vec3_t com;
  mbd_sym3_t I;
  robot_put(w, "  <link");
  robot_put_name(w, "name", name, "");
  if (body < 0 || !robot_inertia(w->model, body, &mass, &com, &I)) {
    robot_put(w, "/>\n");
    return;
  }
  const double xyz[3] = {com.x, com.y, com.z};
  robot_put(w, ">\n    <inertial>\n      <origin");
  robot_put_numbers(w, "xyz", xyz, 3);
  robot_put(w, "/>\n      <mass");
  robot_put_numbers(w, "value", &mass, 1);
  robot_put(w, "/>\n      <inertia");
  static const char * const names[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  const double tensor[6] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  for (int k = 0; k < 6; k++) robot_put_numbers(w, names[k], &tensor[k], 1);
  robot_put(w, "/>\n    </inertial>\n  </link>\n");
}

static void
put_ends(robot_writer_t * w, const char * parent, const char * child, const mbd_placement_t * X)
{
  robot_put(w, "    <origin");
  put_origin(w, X);
  robot_put(w, "/>\n    <parent");
  robot_put_name(w, "link", parent, "");
  robot_put(w, "/>\n    <child");
  robot_put_name(w, "link", child, "");
  robot_put(w, "/>\n");
}

//---------- joints ----------

static const char *
type_of(const mbd_body_t * b)
{
  switch (b->type) {
    case MBD_JOINT_REVOLUTE:
      return isfinite(b->limits.lower) || isfinite(b->limits.upper) ? "revolute" : "continuous";
    case MBD_JOINT_CONTINUOUS: return "continuous";
    case MBD_JOINT_PRISMATIC: return "prismatic";
    case MBD_JOINT_PLANAR: return "planar";
    case MBD_JOINT_FREE: return "floating";
    default: return NULL;
  }
}

static bool
has_rates(const mbd_limits_t * l)
{
  return isfinite(l->acceleration) || isfinite(l->deceleration) || isfinite(l->jerk);
}

static void
put_limit(robot_writer_t * w, const mbd_limits_t * l)
{
  const struct {
    const char * name;
    double x;
  } values[] = {
    {"lower", l->lower},
    {"upper", l->upper},
    {"effort", l->effort},
    {"velocity", l->velocity},
    {"acceleration", l->acceleration},
    {"deceleration", l->deceleration},
    {"jerk", l->jerk}};
  bool any = false;
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) any = any || isfinite(values[k].x);
  if (!any) return;
  robot_put(w, "    <limit");
  for (size_t k = 0; k < sizeof values / sizeof *values; k++)
    if (isfinite(values[k].x)) robot_put_numbers(w, values[k].name, &values[k].x, 1);
  robot_put(w, "/>\n");
}

static void
put_mimic(robot_writer_t * w, int body)
{
  for (int k = 0; k < w->model->nclosure; k++) {
    const mbd_closure_t * c = &w->model->closure[k];
    int follower, leader;
    double multiplier, offset;
    if (c->type != MBD_CLOSURE_COUPLING || c->coupled[0] != body) continue;
    if (!robot_coupling(w, c, &follower, &leader, &multiplier, &offset)) continue;
    if (leader < 0 || follower != body) {
      w->coupled[follower] = false;
      continue;
    }
    robot_put(w, "    <mimic");
    robot_put_name(w, "joint", w->model->body[leader].joint_name, "");
    robot_put_numbers(w, "multiplier", &multiplier, 1);
    robot_put_numbers(w, "offset", &offset, 1);
    robot_put(w, "/>\n");
    return;
  }
}

// rotor and gear of a joint, in the elements that have them
static void
put_drive(robot_writer_t * w, const mbd_body_t * b)
{
  if (b->drive.rotor_inertia == 0 && b->drive.gear_ratio == 1) return;
  robot_put(w, "  <transmission");
  robot_put_name(w, "name", b->joint_name, "_transmission");
  robot_put(w, ">\n    <type>SimpleTransmission</type>\n    <joint");
  robot_put_name(w, "name", b->joint_name, "");
  robot_put(w, "/>\n    <actuator");
  robot_put_name(w, "name", b->joint_name, "_motor");
  robot_put(w, ">\n      <drake:gear_ratio");
  robot_put_numbers(w, "value", &b->drive.gear_ratio, 1);
  robot_put(w, "/>\n      <drake:rotor_inertia");
  robot_put_numbers(w, "value", &b->drive.rotor_inertia, 1);
  robot_put(w, "/>\n    </actuator>\n  </transmission>\n");
}

static void
put_joint(robot_writer_t * w, int body, const char * root)
{
  const mbd_body_t * b = &w->model->body[body];
  const char * type = type_of(b);
  if (!type) {
    robot_left_out(
      w, MBDX_ERROR, "joint", b->joint_name, "replace it by several joints with one axis each",
      "URDF has no joint of this type");
    return;
  }
  robot_put(w, "  <joint");
  robot_put_name(w, "name", b->joint_name, "");
  robot_put(w, " type=\"%s\">\n", type);
  put_ends(w, b->parent < 0 ? root : w->model->body[b->parent].name, b->name, &w->link[body]);
  const mbd_vec3_t z = robot_axis(w->model, body);
  const double axis[3] = {z.x, z.y, z.z};
  if (b->type != MBD_JOINT_FREE) {
    robot_put(w, "    <axis");
    robot_put_numbers(w, "xyz", axis, 3);
    robot_put(w, "/>\n");
  }
  if (b->nv == 1) put_limit(w, &b->limits);
  if (b->drive.viscous != 0 || b->drive.coulomb != 0) {
    robot_put(w, "    <dynamics");
    robot_put_numbers(w, "damping", &b->drive.viscous, 1);
    robot_put_numbers(w, "friction", &b->drive.coulomb, 1);
    robot_put(w, "/>\n");
  }
  put_mimic(w, body);
  robot_put(w, "  </joint>\n");
  put_drive(w, b);
}

//---------- frames and loops ----------

static void
put_frame(robot_writer_t * w, int frame, const char * root)
{
  const mbd_frame_t * f = &w->model->frame[frame];
  const bool own = f->body >= 0 && w->model->body[f->body].link_frame == frame;
  if (own || frame == w->root || f->body >= w->model->nbody) return;
  const mbd_placement_t X = robot_frame_in_link(w->model, frame);
  put_link(w, f->name, -1);
  robot_put(w, "  <joint");
  robot_put_name(w, "name", f->name, "_fixed");
  robot_put(w, " type=\"fixed\">\n");
  put_ends(w, f->body < 0 ? root : w->model->body[f->body].name, f->name, &X);
  robot_put(w, "  </joint>\n");
}

static void
put_closure_end(robot_writer_t * w, const mbd_closure_t * c, bool b, const char * root)
{
  mbd_placement_t X;
  const char * link = robot_end(w, c, b, &X);
  robot_put(w, "    <link%d", b ? 2 : 1);
  robot_put_name(w, "link", link ? link : root, "");
  put_origin(w, &X);
  robot_put(w, "/>\n");
}

static void
put_closure(robot_writer_t * w, const mbd_closure_t * c, const char * root)
{
  if (c->type == MBD_CLOSURE_COUPLING) {
    // those that <mimic> has are done
    for (int i = 0; i < c->ncoupled; i++)
      if (c->ncoupled == 2 && w->coupled[c->coupled[i]] && c->coupled[0] == c->coupled[i]) return;
  }
  const bool plain = c->type <= MBD_CLOSURE_PLANAR || c->type == MBD_CLOSURE_ON_LINE ||
                     c->type == MBD_CLOSURE_ON_PLANE;
  if (!plain || c->driver.at || c->driver.value != 0 || c->driver.rate != 0) {
    robot_left_out(
      w, MBDX_ERROR, "closure", c->name,
      "write it into a .loops.yaml file, and convert with --loops none",
      "URDF cannot hold this closure");
    return;
  }
  robot_put(w, "  <loop_joint");
  robot_put_name(w, "name", c->name, "");
  robot_put(w, " type=\"%s\">\n", mbd_closure_type_name(c->type));
  put_closure_end(w, c, false, root);
  put_closure_end(w, c, true, root);
  robot_put(w, "  </loop_joint>\n");
}

//---------- the whole ----------

// a robot whose only root floats needs no world: it is loaded with a floating base
static bool
is_floating(const robot_writer_t * w)
{
  int roots = 0;
  for (int i = 0; i < w->model->nbody; i++) roots += w->model->body[i].parent < 0;
  for (int k = 0; k < w->model->nframe; k++)
    if (w->model->frame[k].body < 0) return false;
  return roots == 1 && w->model->body[0].type == MBD_JOINT_FREE;
}

static const char *
root_name(const robot_writer_t * w)
{
  return w->root >= 0 ? w->model->frame[w->root].name : "world";
}

static void
write_urdf(robot_writer_t * w)
{
  const mbd_model_t * m = w->model;
  const bool floating = is_floating(w);
  const char * root = root_name(w);
  bool rates = false;
  for (int i = 0; i < m->nbody; i++) rates = rates || has_rates(&m->body[i].limits);
  robot_put(w, "<?xml version=\"1.0\"?>\n<robot");
  robot_put_name(w, "name", m->name, "");
  robot_put(w, "%s xmlns:drake=\"http://drake.mit.edu\">\n", rates ? " version=\"1.2\"" : "");
  if (!floating) put_link(w, root, -1);
  for (int i = 0; i < m->nbody; i++) {
    put_link(w, m->body[i].name, i);
    if (!floating || i > 0) put_joint(w, i, root);
  }
  for (int k = 0; k < m->nframe; k++) put_frame(w, k, root);
  for (int k = 0; k < m->nclosure; k++) put_closure(w, &m->closure[k], root);
  robot_put(w, "</robot>\n");
  if (floating)
    robot_left_out(
      w, MBDX_WARNING, "robot", m->name, "load it with a floating base",
      "URDF does not say that the root floats");
  for (int k = 0; k < m->nelement; k++)
    robot_left_out(
      w, MBDX_WARNING, "force", m->element[k].spec.name, "write it into a .mechanism.yaml file",
      "URDF has no springs: it is left out");
  const mbd_vec3_t g = mbdu_vec3_sub(m->gravity, mbdx_urdf_options_default().gravity);
  if (mbdu_vec3_norm(g) != 0)
    robot_left_out(
      w, MBDX_WARNING, "robot", m->name, "give it when the robot is loaded",
      "URDF has no gravity: it is left out");
}

mbd_status_t
mbdx_urdf_write(const mbd_model_t * model, char ** text, size_t * size, mbdx_report_t ** report)
{
  return robot_write(model, write_urdf, text, size, report);
}
