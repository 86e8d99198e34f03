// The inertia of a body: <inertial>, or the shapes of its geoms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mjcf_internal.h"

//---------- principal axes ----------

// one Jacobi rotation that makes element (p, q) of A zero; columns of V are turned along
static void
rotate_to_zero(double A[3][3], double V[3][3], int p, int q)
{
  if (A[p][q] == 0) return;
  const double theta = (A[q][q] - A[p][p]) / (2 * A[p][q]);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + hypot(theta, 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < 3; k++) {
    const double a = A[k][p], b = A[k][q], v = V[k][p], w = V[k][q];
    A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
    V[k][p] = c * v - s * w, V[k][q] = s * v + c * w;
  }
  for (int k = 0; k < 3; k++) {
    const double a = A[p][k], b = A[q][k];
    A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
  }
}

// principal moments changed as <compiler> asks: at least boundinertia, balanced if no body has them
static void
adjust(const mjcf_t * m, urdf_link_t * link)
{
  link->mass = fmax(link->mass, m->bound_mass);
  double * I = link->I;
  double A[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  double V[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, d[3];
  for (int sweep = 0; sweep < 10; sweep++) {
    rotate_to_zero(A, V, 0, 1);
    rotate_to_zero(A, V, 0, 2);
    rotate_to_zero(A, V, 1, 2);
  }
  bool changed = false;
  for (int k = 0; k < 3; k++) {
    // without a bound a negative moment stays, for the check that refuses it
    d[k] = m->bound_inertia > 0 ? fmax(A[k][k], m->bound_inertia) : A[k][k];
    changed = changed || d[k] != A[k][k];
  }
  const double sum = d[0] + d[1] + d[2], most = fmax(d[0], fmax(d[1], d[2]));
  if (m->balance && sum - most < most) {
    for (int k = 0; k < 3; k++) d[k] = sum / 3;
    changed = true;
  }
  if (!changed) return;
  static const int at[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
  for (int k = 0; k < 6; k++) {
    I[k] = 0;
    for (int i = 0; i < 3; i++) I[k] += V[at[k][0]][i] * d[i] * V[at[k][1]][i];
  }
}

//---------- <inertial> ----------

static bool
read_tensor(mjcf_t * m, const mjcf_element_t * e, urdf_link_t * link)
{
  double d[3] = {0, 0, 0}, full[6];
  const int nfull = mjcf_numbers(m, e, "fullinertia", full, 6, 6);
  const int ndiag = mjcf_numbers(m, e, "diaginertia", d, 3, 3);
  if (nfull < 0 || ndiag < 0) return false;
  if (nfull > 0 && ndiag > 0) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "keep one of them", "has both diaginertia and fullinertia");
    return false;
  }
  if (nfull > 0) {
    static const char * const turns[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis", NULL};
    for (int k = 0; turns[k]; k++) {
      if (!urdf_attribute(e->node, turns[k])) continue;
      urdf_say(
        m->loader, MBDX_ERROR, e->place, "remove the orientation: fullinertia is in body axes",
        "has both fullinertia and %s", turns[k]);
      return false;
    }
    // the file's order is xx yy zz xy xz yz
    const double I[6] = {full[0], full[3], full[4], full[1], full[5], full[2]};
    memcpy(link->I, I, sizeof I);
    return true;
  }
  link->I[0] = d[0], link->I[3] = d[1], link->I[5] = d[2];
  link->I[1] = link->I[2] = link->I[4] = 0;
  return true;
}

static bool
read_inertial(mjcf_t * m, const urdf_node_t * node, urdf_link_t * link)
{
  static const char * const known[] = {"pos",    "quat",  "mass",  "diaginertia", "axisangle",
                                       "xyaxes", "zaxis", "euler", "fullinertia", NULL};
  const mjcf_element_t e = {node, 0, MJCF_NO_DEFAULTS, {"body", link->name, node->line}};
  const int errors = m->loader->stored[MBDX_ERROR];
  urdf_refuse_attributes(m->loader, node, e.place, known);
  mbd_placement_t X;
  if (!mjcf_placement(m, &e, &X) || !read_tensor(m, &e, link)) return false;
  const char * const needed[] = {"mass", "pos"};
  for (int k = 0; k < 2; k++) {
    if (urdf_attribute(node, needed[k])) continue;
    urdf_say(m->loader, MBDX_ERROR, e.place, "add it", "<inertial> has no %s", needed[k]);
  }
  if (!mjcf_positive(m, &e, "mass", &link->mass)) return false;
  link->xyz[0] = X.p.x, link->xyz[1] = X.p.y, link->xyz[2] = X.p.z;
  mjcf_quat(&X.R, link->quat);
  if (m->loader->stored[MBDX_ERROR] > errors) return false;
  adjust(m, link);
  urdf_check_inertial(m->loader, link, e.place);
  return true;
}

//---------- shapes ----------

typedef enum shape { SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, PLANE, HFIELD, MESH, SDF } shape_t;
static const char * const SHAPE[] = {"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                     "plane",  "hfield",  "mesh",      "sdf",      NULL};

// pos, orientation and the last size from the two ends of a shape
static bool
place_between(
  mjcf_t * m, const mjcf_element_t * e, shape_t shape, mbd_placement_t * X, double * size)
{
  double p[6];
  const int n = mjcf_numbers(m, e, "fromto", p, 6, 6);
  if (n <= 0) return n == 0 && mjcf_placement(m, e, X);
  const mbd_vec3_t a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]}, d = mbdu_vec3_sub(a, b);
  const double length = mbdu_vec3_norm(d);
  const char * wrong = NULL;
  if (shape == SPHERE)
    wrong = "fromto does not apply to a sphere";
  else if (!(length > 1e-14))
    wrong = "the two points of fromto are the same";
  else if (mjcf_attribute(m, e, "pos"))
    wrong = "has both pos and fromto";
  if (wrong) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "write type, size, pos and an orientation", "%s", wrong);
    return false;
  }
  X->R = mjcf_z_to(d);
  X->p = mbdu_vec3_scale(0.5, mbdu_vec3_add(a, b));
  if (shape == BOX || shape == ELLIPSOID)
    size[1] = size[0], size[2] = length / 2;
  else
    size[1] = length / 2;
  return true;
}

// sizes of a class over those of the classes above; recursion is as deep as classes are nested
static bool
overlay_sizes(mjcf_t * m, int class, double size[3])
{
  if (class < 0) return true;
  const mjcf_class_t * c = &m->class[class];
  const urdf_node_t * n = c->kind[MJCF_GEOM];
  if (!overlay_sizes(m, c->parent, size)) return false;
  if (!n || !urdf_attribute(n, "size")) return true;
  const mjcf_element_t e = {n, 0, MJCF_NO_DEFAULTS, {"default", c->name, n->line}};
  return mjcf_numbers(m, &e, "size", size, 1, 3) >= 0;
}

// MuJoCo overwrites those of the class one by one: "0.1" leaves the second and third
static bool
read_sizes(mjcf_t * m, const mjcf_element_t * e, double size[3])
{
  if (!overlay_sizes(m, e->class, size)) return false;
  return !urdf_attribute(e->node, "size") || mjcf_numbers(m, e, "size", size, 1, 3) >= 0;
}

// volume and moments of inertia of unit mass about the principal axes
static double
solid(shape_t shape, const double s[3], double I[3])
{
  const double r = s[0], r2 = r * r, h = 2 * s[1];
  switch (shape) {
    case SPHERE: I[0] = I[1] = I[2] = 0.4 * r2; return 4 * MJCF_PI / 3 * r * r2;
    case CYLINDER: I[0] = I[1] = (3 * r2 + h * h) / 12, I[2] = r2 / 2; return MJCF_PI * r2 * h;
    case CAPSULE: {
      // a cylinder and two halves of a ball, whose centres of mass are 3/8 r from their plane
      const double ends = 4 * r / (4 * r + 3 * h), middle = 1 - ends;
      I[2] = middle * r2 / 2 + ends * 0.4 * r2;
      I[0] = I[1] = middle * (3 * r2 + h * h) / 12 + ends * (0.4 * r2 + h * (3 * r + 2 * h) / 8);
      return MJCF_PI * r2 * (h + 4 * r / 3);
    }
    case ELLIPSOID:
    case BOX: {
      const double f = shape == BOX ? 1.0 / 3 : 0.2;
      for (int k = 0; k < 3; k++) {
        const double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
        I[k] = f * (a * a + b * b);
      }
      return (shape == BOX ? 8 : 4 * MJCF_PI / 3) * s[0] * s[1] * s[2];
    }
    default: return 0;
  }
}

static bool
check_shape(mjcf_t * m, const mjcf_element_t * e, shape_t shape)
{
  const char * inertia = mjcf_attribute(m, e, "shellinertia");
  if (shape >= MESH || mjcf_attribute(m, e, "mesh")) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place,
      "add <inertial> to the body, or mass=\"0\" to the geom; MuJoCo's program compile writes the "
      "inertia",
      "the inertia of a %s is not computed",
      shape >= MESH ? SHAPE[shape] : "shape fitted to a mesh");
    return false;
  }
  if (shape == PLANE || shape == HFIELD) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "move it to a body that is fixed to the world",
      "a moving body cannot have a %s", SHAPE[shape]);
    return false;
  }
  if (inertia && strcmp(inertia, "false") != 0) {
    urdf_say(
      m->loader, MBDX_ERROR, e->place, "add <inertial> to the body",
      "shellinertia: the inertia of a shell is not computed");
    return false;
  }
  return true;
}

// of one geom in body axes; massless ones are none. False with a sentence
static bool
read_geom(mjcf_t * m, const urdf_node_t * node, int class, const char * body, urdf_link_t * out)
{
  mjcf_element_t e = {node, class, MJCF_GEOM, {"geom", urdf_attribute(node, "name"), node->line}};
  if (!e.place.name) e.place = (urdf_place_t){"geom of body", body, node->line};
  const int own = mjcf_class_of(m, node, e.place, class);
  if (own < 0) return false;
  e.class = own;
  int shape = SPHERE;
  double mass = -1, density = 1000, group = 0, size[3] = {0, 0, 0}, I[3] = {0, 0, 0};
  bool good = mjcf_word(m, &e, "type", SHAPE, &shape);
  good = mjcf_number(m, &e, "group", &group) && good;
  if (mjcf_attribute(m, &e, "mass")) good = mjcf_positive(m, &e, "mass", &mass) && good;
  good = mjcf_positive(m, &e, "density", &density) && good;
  if (!good) return false;
  out->mass = 0;
  if (mass == 0 || (mass < 0 && density == 0)) return true;
  if (group < m->group_first || group > m->group_last) return true;
  if (!check_shape(m, &e, (shape_t)shape)) return false;
  mbd_placement_t X;
  if (!read_sizes(m, &e, size) || !place_between(m, &e, (shape_t)shape, &X, size)) return false;
  const int n = shape == SPHERE ? 1 : shape == CAPSULE || shape == CYLINDER ? 2 : 3;
  for (int k = 0; k < n; k++) {
    if (size[k] > 0) continue;
    urdf_say(
      m->loader, MBDX_ERROR, e.place,
      "write all sizes; of boxes, cylinders and capsules they are halves",
      "size %d of a %s is missing or not positive", k + 1, SHAPE[shape]);
    return false;
  }
  const double volume = solid((shape_t)shape, size, I);
  out->mass = mass < 0 ? density * volume : mass;
  if (!urdf_within_size(m->loader, e.place, "mass", &out->mass, 1)) return false;
  const mbd_sym3_t d = {out->mass * I[0], 0, 0, out->mass * I[1], 0, out->mass * I[2]};
  const mbd_sym3_t t = mbdu_sym3_rotate(&X.R, &d);
  const double full[6] = {t.xx, t.xy, t.xz, t.yy, t.yz, t.zz};
  memcpy(out->I, full, sizeof full);
  out->xyz[0] = X.p.x, out->xyz[1] = X.p.y, out->xyz[2] = X.p.z;
  return true;
}

static mbd_inertia_t
about_origin(const urdf_link_t * part)
{
  const double * I = part->I;
  const mbd_sym3_t t = {I[0], I[1], I[2], I[3], I[4], I[5]};
  return mbdu_inertia_from_com(part->mass, mbdu_vec3(part->xyz[0], part->xyz[1], part->xyz[2]), t);
}

static bool
from_shapes(mjcf_t * m, const urdf_node_t * body, int class, urdf_link_t * link)
{
  mbd_inertia_t sum = {0};
  bool any = false;
  for (const urdf_node_t * n = body->child; n; n = n->next) {
    if (!urdf_is(n, "geom")) continue;
    urdf_link_t part = {.name = link->name};
    if (!read_geom(m, n, class, link->name, &part)) return false;
    const mbd_inertia_t one = about_origin(&part);
    if (part.mass > 0) sum = mbdu_inertia_add(&sum, &one);
    any = true;
  }
  link->mass = sum.mass;
  if (sum.mass > 0) {
    const mbd_sym3_t t = mbdu_inertia_about_com(&sum);
    const double I[6] = {t.xx, t.xy, t.xz, t.yy, t.yz, t.zz};
    const double s = 1 / sum.mass;
    memcpy(link->I, I, sizeof I);
    link->xyz[0] = s * sum.h.x, link->xyz[1] = s * sum.h.y, link->xyz[2] = s * sum.h.z;
  }
  if (any || m->bound_mass > 0 || m->bound_inertia > 0) adjust(m, link);
  return true;
}

void
mjcf_inertia(mjcf_t * m, const urdf_node_t * body, int class, bool is_static, urdf_link_t * link)
{
  const urdf_place_t place = {"body", link->name, body->line};
  const urdf_node_t * inertial = urdf_only_child(m->loader, body, place, "inertial");
  if (inertial && m->inertia_from_geom != 1)
    link->has_inertial = read_inertial(m, inertial, link);
  else if (!is_static && m->inertia_from_geom != 0)
    link->has_inertial = from_shapes(m, body, class, link);
}

void
mjcf_set_total_mass(mjcf_t * m)
{
  urdf_robot_t * robot = &m->loader->robot;
  double sum = 0;
  for (int i = 0; i < robot->nlink; i++) sum += robot->link[i].mass;
  if (!(m->total_mass > 0) || !(sum > 0)) return;
  for (int i = 0; i < robot->nlink; i++) {
    robot->link[i].mass *= m->total_mass / sum;
    for (int k = 0; k < 6; k++) robot->link[i].I[k] *= m->total_mass / sum;
  }
}
