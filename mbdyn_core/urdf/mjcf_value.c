// Attributes: an element's own, or those of its default class; numbers, words, orientations.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mjcf_internal.h"

//---------- defaults ----------

static const char *
of_class(const mjcf_class_t * c, mjcf_kind_t kind, const char * name)
{
  if (kind < MJCF_KINDS) return c->kind[kind] ? urdf_attribute(c->kind[kind], name) : NULL;
  const char * value = NULL;
  for (int k = c->nactuator - 1; k >= 0 && !value; k--)
    value = urdf_attribute(c->actuator[k], name);
  return value;
}

const char *
mjcf_attribute(const mjcf_t * m, const mjcf_element_t * e, const char * name)
{
  const char * value = urdf_attribute(e->node, name);
  if (value || e->kind == MJCF_NO_DEFAULTS) return value;
  for (int c = e->class; c >= 0 && !value; c = m->class[c].parent)
    value = of_class(&m->class[c], e -> kind, name);
  return value;
}

int
mjcf_class_of(mjcf_t * m, const urdf_node_t * node, urdf_place_t place, int otherwise)
{
  const char * own = urdf_attribute(node, "class");
  const char * name = own ? own : urdf_attribute(node, "childclass");
  if (!name) return otherwise;
  for (int c = 0; c < m->nclass; c++) {
    if (strcmp(m->class[c].name, name) == 0) return c;
  }
  place.line = node->line;
  urdf_say(
    m->loader, MBDX_ERROR, place, "correct the name, or add the class to <default>",
    "there is no default class %s", urdf_name(name).s);
  return -1;
}

//---------- numbers ----------

static urdf_text_t
name_of(const mjcf_element_t * e, const char * name)
{
  urdf_text_t text;
  snprintf(text.s, sizeof text.s, "%s of %.100s", name, urdf_tag(e->node).s);
  return text;
}

// numbers with blanks between them; the first wrong one has a sentence. Count, or -1
static int
split(
  mjcf_t * m, const mjcf_element_t * e, const char * name, const char * text, double * x, int most)
{
  int n = 0;
  for (const char * s = text; *s;) {
    while (urdf_is_blank(*s)) s++;
    const size_t length = strcspn(s, " \t\r\n");
    if (length == 0) break;
    char token[64];
    const bool fits = length < sizeof token;
    if (fits) snprintf(token, sizeof token, "%.*s", (int)length, s);
    double value;
    if (!urdf_number(m->loader, e->place, name_of(e, name).s, fits ? token : text, &value))
      return -1;
    if (n < most) x[n] = value;
    n++;
    s += length;
  }
  return n;
}

int
mjcf_numbers(
  mjcf_t * m, const mjcf_element_t * e, const char * name, double * x, int least, int most)
{
  const char * text = mjcf_attribute(m, e, name);
  if (!text) return 0;
  double value[16];
  const int n = split(m, e, name, text, value, most < 16 ? most : 16);
  if (n < 0) return -1;
  if (n < least || n > most || n == 0) {
    char hint[64];
    if (least == most)
      snprintf(hint, sizeof hint, "write %d number%s", least, least == 1 ? "" : "s");
    else
      snprintf(hint, sizeof hint, "write %d to %d numbers", least > 0 ? least : 1, most);
    urdf_say(
      m->loader, MBDX_ERROR, e->place, hint, "%s %s has %d value%s", name_of(e, name).s,
      urdf_value(text).s, n, n == 1 ? "" : "s");
    return -1;
  }
  if (!urdf_within_size(m->loader, e->place, name_of(e, name).s, value, n)) return -1;
  memcpy(x, value, (size_t)n * sizeof *x);
  return n;
}

bool
mjcf_number(mjcf_t * m, const mjcf_element_t * e, const char * name, double * x)
{
  return mjcf_numbers(m, e, name, x, 1, 1) >= 0;
}

bool
mjcf_positive(mjcf_t * m, const mjcf_element_t * e, const char * name, double * x)
{
  if (!mjcf_number(m, e, name, x)) return false;
  if (*x >= 0) return true;
  urdf_say(
    m->loader, MBDX_ERROR, e->place, "write a number from 0 on", "%s %g is negative",
    name_of(e, name).s, *x);
  return false;
}

bool
mjcf_word(
  mjcf_t * m, const mjcf_element_t * e, const char * name, const char * const * words, int * word)
{
  const char * text = mjcf_attribute(m, e, name);
  if (!text) return true;
  char hint[160] = "write ";
  for (int k = 0; words[k]; k++) {
    if (strcmp(words[k], text) == 0) {
      *word = k;
      return true;
    }
    const size_t n = strlen(hint);
    snprintf(
      hint + n, sizeof hint - n, "%s%s",
      k == 0         ? ""
      : words[k + 1] ? ", "
                     : " or ",
      words[k]);
  }
  urdf_say(
    m->loader, MBDX_ERROR, e->place, hint, "%s %s is unknown", name_of(e, name).s,
    urdf_value(text).s);
  return false;
}

double
mjcf_angle(const mjcf_t * m, double x)
{
  return m->radians ? x : x * (MJCF_PI / 180);
}

// the attribute `limited` is true, false or auto: auto is "if there is a range" with autolimits
bool
mjcf_range(
  mjcf_t * m, const mjcf_element_t * e, const char * range, const char * limited, bool * in_force,
  double x[2])
{
  static const char * const words[] = {"false", "true", "auto", NULL};
  int word = 2;
  *in_force = false;
  if (!mjcf_word(m, e, limited, words, &word)) return false;
  const int n = mjcf_numbers(m, e, range, x, 2, 2);
  if (n < 0) return false;
  if (word == 0) return true;
  if (word == 2 && n == 0) return true;
  char hint[80];
  if (word == 2 && !m->autolimits) {
    snprintf(hint, sizeof hint, "add %s=\"true\" or \"false\"", limited);
    urdf_say(
      m->loader, MBDX_ERROR, e->place, hint, "has a %s, but autolimits is off and %s is not given",
      range, limited);
    return false;
  }
  if (n == 0 || !(x[0] < x[1])) {
    snprintf(hint, sizeof hint, "write %s=\"LOWER UPPER\"", range);
    if (n == 0)
      urdf_say(m->loader, MBDX_ERROR, e->place, hint, "is limited, but has no %s", range);
    else
      urdf_say(
        m->loader, MBDX_ERROR, e->place, hint, "%s: %g is not below %g", name_of(e, range).s, x[0],
        x[1]);
    return false;
  }
  *in_force = true;
  return true;
}

//---------- orientations ----------

void
mjcf_quat(const mbd_mat3_t * R, double quat[4])
{
  const mbd_quat_t q = mbdu_quat_normalize(mbdu_quat_from_mat3(R));
  quat[0] = q.x, quat[1] = q.y, quat[2] = q.z, quat[3] = q.w;
}

mbd_mat3_t
mjcf_z_to(mbd_vec3_t axis)
{
  const mbd_vec3_t z = mbdu_vec3_scale(1 / mbdu_vec3_norm(axis), axis);
  const mbd_vec3_t turn = mbdu_vec3_cross(mbdu_vec3(0, 0, 1), z);
  const double s = mbdu_vec3_norm(turn), angle = atan2(s, z.z);
  // against z any axis will do; MuJoCo takes x
  const mbd_vec3_t r =
    s > 1e-10 ? mbdu_vec3_scale(angle / s, turn) : mbdu_vec3(z.z < 0 ? MJCF_PI : 0, 0, 0);
  return mbdu_quat_to_mat3(mbdu_quat_exp(r));
}

static bool
no_length(mjcf_t * m, const mjcf_element_t * e, const char * name)
{
  urdf_say(
    m->loader, MBDX_ERROR, e->place, "remove it, or write a direction",
    "%s has zero length or no direction", name_of(e, name).s);
  return false;
}

static bool
from_quat(mjcf_t * m, const mjcf_element_t * e, const double x[4], mbd_mat3_t * R)
{
  const mbd_quat_t q = {x[1], x[2], x[3], x[0]};
  const double norm = mbdu_quat_norm(q);
  if (!(norm > 1e-12)) return no_length(m, e, "quat");
  *R = mbdu_quat_to_mat3(mbdu_quat_normalize(q));
  return true;
}

// three turns, about axes that move along (xyz) or stand still (XYZ)
static mbd_mat3_t
from_euler(const mjcf_t * m, const double x[3])
{
  mbd_mat3_t R = mbdu_mat3_identity();
  for (int k = 0; k < 3; k++) {
    double r[3] = {0, 0, 0};
    r[tolower((unsigned char)m->eulerseq[k]) - 'x'] = mjcf_angle(m, x[k]);
    const mbd_mat3_t turn = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3(r[0], r[1], r[2])));
    const bool moves = islower((unsigned char)m->eulerseq[k]) != 0;
    R = moves ? mbdu_mat3_mul(&R, &turn) : mbdu_mat3_mul(&turn, &R);
  }
  return R;
}

static bool
from_axes(mjcf_t * m, const mjcf_element_t * e, const double a[6], mbd_mat3_t * R)
{
  mbd_placement_t X;
  const mbd_vec3_t x = {a[0], a[1], a[2]}, y = {a[3], a[4], a[5]};
  if (!mbdu_placement_from_points(mbdu_vec3(0, 0, 0), x, y, &X)) return no_length(m, e, "xyaxes");
  *R = X.R;
  return true;
}

bool
mjcf_rotation(mjcf_t * m, const mjcf_element_t * e, mbd_mat3_t * R)
{
  static const char * const names[5] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  static const int count[5] = {4, 4, 3, 6, 3};
  int at = -1;
  *R = mbdu_mat3_identity();
  for (int k = 0; k < 5; k++) {
    if (!mjcf_attribute(m, e, names[k])) continue;
    if (at >= 0) {
      urdf_say(
        m->loader, MBDX_ERROR, e->place, "keep one of them, here or in the default class",
        "has two orientations, %s and %s", names[at], names[k]);
      return false;
    }
    at = k;
  }
  if (at < 0) return true;
  double x[6];
  if (mjcf_numbers(m, e, names[at], x, count[at], count[at]) < 0) return false;
  const mbd_vec3_t axis = {x[0], x[1], x[2]};
  const double length = mbdu_vec3_norm(axis);
  switch (at) {
    case 0: return from_quat(m, e, x, R);
    case 1:
      if (!(length > 1e-12)) return no_length(m, e, names[at]);
      *R = mbdu_quat_to_mat3(mbdu_quat_exp(mbdu_vec3_scale(mjcf_angle(m, x[3]) / length, axis)));
      return true;
    case 2: *R = from_euler(m, x); return true;
    case 3: return from_axes(m, e, x, R);
    default:
      if (!(length > 1e-12)) return no_length(m, e, names[at]);
      *R = mjcf_z_to(axis);
      return true;
  }
}

bool
mjcf_placement(mjcf_t * m, const mjcf_element_t * e, mbd_placement_t * X)
{
  double p[3] = {0, 0, 0};
  const bool placed = mjcf_numbers(m, e, "pos", p, 3, 3) >= 0;
  X->p = mbdu_vec3(p[0], p[1], p[2]);
  return mjcf_rotation(m, e, &X->R) && placed;
}
