// Tables as text, YAML and CSV; chains as URDF.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dh_text.h"
#include "mbdyn/operators/dh.h"
#include "mbdyn/spatial.h"

//---------- numbers ----------

const char *
dh_number(double x, char text[32])
{
  if (fabs(x) < 1e-15) x = 0;
  // what else would show is rounding
  snprintf(text, 32, "%.14g", x + 0.0);
  return text;
}

// n numbers with blanks or commas in between
static void
put_numbers(FILE * to, const double * x, int n, const char * between)
{
  char text[32];
  for (int k = 0; k < n; k++) fprintf(to, "%s%s", k ? between : "", dh_number(x[k], text));
}

void
dh_angles(const mbd_mat3_t * R, double rpy[3])
{
  const double * m = R->m;
  const double c = hypot(m[0], m[3]);
  const bool regular = c > 1e-9;
  rpy[1] = atan2(-m[6], c);
  // with the nose up, roll and yaw are the same turn
  rpy[0] = regular ? atan2(m[7], m[8]) : atan2(-m[5], m[4]);
  rpy[2] = regular ? atan2(m[3], m[0]) : 0;
}

static double
unit_of(bool degrees)
{
  return degrees ? 90 / acos(0) : 1;
}

static void
com_of(const mbd_inertia_t * M, double com[3], double I[6])
{
  const double m = M->mass > 0 ? M->mass : 1;
  const mbd_sym3_t about = M->mass > 0 ? mbdu_inertia_about_com(M) : M->I;
  com[0] = M->h.x / m, com[1] = M->h.y / m, com[2] = M->h.z / m;
  I[0] = about.xx, I[1] = about.xy, I[2] = about.xz;
  I[3] = about.yy, I[4] = about.yz, I[5] = about.zz;
}

static const char *
convention_name(const mbd_dh_t * table)
{
  return table->convention == MBD_DH_STANDARD ? "standard" : "modified";
}

//---------- text ----------

static void
put_place(FILE * to, const char * name, const mbd_placement_t * X, bool degrees)
{
  double rpy[3];
  dh_angles(&X->R, rpy);
  for (int k = 0; k < 3; k++) rpy[k] *= unit_of(degrees);
  fprintf(to, "%s: xyz ", name);
  const double xyz[3] = {X->p.x, X->p.y, X->p.z};
  char text[32];
  for (int k = 0; k < 3; k++) {
    snprintf(text, sizeof text, "%.6g", fabs(xyz[k]) < 1e-8 ? 0 : xyz[k]);
    fprintf(to, "%s ", text);
  }
  fprintf(to, "[m], rpy");
  for (int k = 0; k < 3; k++) fprintf(to, " %.6g", fabs(rpy[k]) < 1e-8 ? 0 : rpy[k]);
  fprintf(to, " [%s]\n", degrees ? "deg" : "rad");
}

// a number, and q where it is the joint's own
static void
put_column(FILE * to, double x, bool own)
{
  char text[48];
  // below this it is the rounding of a URDF that writes pi / 2 with nine digits
  if (fabs(x) < 1e-8) x = 0;
  if (own && x == 0) {
    snprintf(text, sizeof text, "q");
  } else if (own) {
    snprintf(text, sizeof text, "q %c %.6g", x < 0 ? '-' : '+', fabs(x));
  } else {
    snprintf(text, sizeof text, "%.6g", x);
  }
  fprintf(to, " %14s", text);
}

static void
write_text(FILE * to, const mbd_dh_t * t, bool degrees)
{
  const char * unit = degrees ? "deg" : "rad";
  int width = 5;
  for (int i = 0; i < t->n; i++) {
    const int length = (int)strlen(t->row[i].joint_name);
    if (length > width) width = length < 40 ? length : 40;
  }
  fprintf(
    to, "%s: %d joint%s, %s convention: ", t->name, t->n, t->n == 1 ? "" : "s", convention_name(t));
  fprintf(
    to, "%s\n",
    t->convention == MBD_DH_STANDARD ? "Rz(theta) Tz(d) Tx(a) Rx(alpha)"
                                     : "Rx(alpha) Tx(a) Rz(theta) Tz(d)");
  put_place(to, "base", &t->base, degrees);
  fprintf(
    to, "%-*s %-10s %14s %8s [%s] %14s %8s [%s]\n", width, "joint", "type", "a [m]", "alpha", unit,
    "d [m]", "theta", unit);
  for (int i = 0; i < t->n; i++) {
    const mbd_dh_row_t * r = &t->row[i];
    const bool slides = r->type == MBD_JOINT_PRISMATIC;
    fprintf(to, "%-*.40s %-10s", width, r->joint_name, mbd_joint_type_name(r->type));
    put_column(to, r->a, false);
    put_column(to, r->alpha * unit_of(degrees), false);
    put_column(to, r->d, slides);
    put_column(to, r->theta * unit_of(degrees), !slides);
    fputc('\n', to);
  }
  put_place(to, t->tool_name ? t->tool_name : "last link", &t->tool, degrees);
}

//---------- YAML and CSV ----------

// limits and drives, where there are any: key and value
typedef struct extra {
  const char * key;
  double value;
  bool there;
} extra_t;

enum { NEXTRA = 11 };

static void
extras_of(const mbd_dh_row_t * r, bool degrees, extra_t extra[NEXTRA])
{
  const double u = r->type == MBD_JOINT_PRISMATIC ? 1 : unit_of(degrees);
  const mbd_limits_t * l = &r->limits;
  const extra_t all[NEXTRA] = {
    {"lower", l->lower * u, isfinite(l->lower)},
    {"upper", l->upper * u, isfinite(l->upper)},
    {"velocity", l->velocity * u, isfinite(l->velocity)},
    {"effort", l->effort, isfinite(l->effort)},
    {"acceleration", l->acceleration * u, isfinite(l->acceleration)},
    {"deceleration", l->deceleration * u, isfinite(l->deceleration)},
    {"jerk", l->jerk * u, isfinite(l->jerk)},
    {"damping", r->drive.viscous, r->drive.viscous != 0},
    {"friction", r->drive.coulomb, r->drive.coulomb != 0},
    {"rotor_inertia", r->drive.rotor_inertia, r->drive.rotor_inertia != 0},
    {"gear_ratio", r->drive.gear_ratio, r->drive.gear_ratio != 1}};
  memcpy(extra, all, sizeof all);
}

// in double quotes, so that any name is a name
static void
put_quoted(FILE * to, const char * s)
{
  fputc('"', to);
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') fputc('\\', to);
    fputc(*s, to);
  }
  fputc('"', to);
}

static void
put_yaml_place(FILE * to, const char * key, const mbd_placement_t * X, const char * name, bool deg)
{
  double rpy[3];
  const double xyz[3] = {X->p.x, X->p.y, X->p.z};
  dh_angles(&X->R, rpy);
  for (int k = 0; k < 3; k++) rpy[k] *= unit_of(deg);
  fprintf(to, "%s: {xyz: [", key);
  put_numbers(to, xyz, 3, ", ");
  fputs("], rpy: [", to);
  put_numbers(to, rpy, 3, ", ");
  fputc(']', to);
  if (name) fputs(", name: ", to), put_quoted(to, name);
  fputs("}\n", to);
}

static void
put_yaml_joint(FILE * to, const mbd_dh_row_t * r, bool degrees)
{
  char text[32];
  double com[3], I[6];
  extra_t extra[NEXTRA];
  fputs("  - joint: ", to);
  put_quoted(to, r->joint_name);
  fputs("\n    link: ", to);
  put_quoted(to, r->name);
  fprintf(to, "\n    type: %s\n", mbd_joint_type_name(r->type));
  fprintf(to, "    a: %s\n", dh_number(r->a, text));
  fprintf(to, "    alpha: %s\n", dh_number(r->alpha * unit_of(degrees), text));
  fprintf(to, "    d: %s\n", dh_number(r->d, text));
  fprintf(to, "    theta: %s\n", dh_number(r->theta * unit_of(degrees), text));
  extras_of(r, degrees, extra);
  for (int k = 0; k < NEXTRA; k++) {
    if (extra[k].there) fprintf(to, "    %s: %s\n", extra[k].key, dh_number(extra[k].value, text));
  }
  com_of(&r->inertia, com, I);
  fprintf(to, "    mass: %s\n    com: [", dh_number(r->inertia.mass, text));
  put_numbers(to, com, 3, ", ");
  fputs("]\n    inertia: [", to);
  put_numbers(to, I, 6, ", ");
  fputs("]\n", to);
}

static void
write_yaml(FILE * to, const mbd_dh_t * t, bool degrees)
{
  fputs("name: ", to);
  put_quoted(to, t->name);
  fprintf(
    to, "\nconvention: %s\nangles: %s\n", convention_name(t), degrees ? "degrees" : "radians");
  put_yaml_place(to, "base", &t->base, NULL, degrees);
  put_yaml_place(to, "tool", &t->tool, t->tool_name, degrees);
  fputs("joints:\n", to);
  for (int i = 0; i < t->n; i++) put_yaml_joint(to, &t->row[i], degrees);
}

static void
write_csv(FILE * to, const mbd_dh_t * t, bool degrees)
{
  char text[32];
  double com[3], I[6];
  extra_t extra[NEXTRA];
  fprintf(to, "# %s convention, %s\n", convention_name(t), degrees ? "degrees" : "radians");
  fputs("joint,link,type,a,alpha,d,theta,lower,upper,velocity,effort,damping,friction,", to);
  fputs("rotor_inertia,gear_ratio,mass,com,inertia\n", to);
  for (int i = 0; i < t->n; i++) {
    const mbd_dh_row_t * r = &t->row[i];
    fprintf(to, "%s,%s,%s", r->joint_name, r->name, mbd_joint_type_name(r->type));
    fprintf(to, ",%s", dh_number(r->a, text));
    fprintf(to, ",%s", dh_number(r->alpha * unit_of(degrees), text));
    fprintf(to, ",%s", dh_number(r->d, text));
    fprintf(to, ",%s", dh_number(r->theta * unit_of(degrees), text));
    extras_of(r, degrees, extra);
    for (int k = 0; k < NEXTRA; k++) {
      fprintf(to, ",%s", extra[k].there ? dh_number(extra[k].value, text) : "");
    }
    com_of(&r->inertia, com, I);
    fprintf(to, ",%s,", dh_number(r->inertia.mass, text));
    put_numbers(to, com, 3, " ");
    fputc(',', to);
    put_numbers(to, I, 6, " ");
    fputc('\n', to);
  }
}

void
dh_write_table(FILE * to, const mbd_dh_t * table, dh_format_t format, bool degrees)
{
  switch (format) {
    case DH_FORMAT_TEXT: write_text(to, table, degrees); break;
    case DH_FORMAT_YAML: write_yaml(to, table, degrees); break;
    case DH_FORMAT_CSV: write_csv(to, table, degrees); break;
  }
}

//---------- URDF ----------

// text of an attribute
static void
put_attribute(FILE * to, const char * s)
{
  for (; *s; s++) {
    switch (*s) {
      case '&': fputs("&amp;", to); break;
      case '<': fputs("&lt;", to); break;
      case '"': fputs("&quot;", to); break;
      default: fputc(*s, to);
    }
  }
}

static void
put_origin(FILE * to, const mbd_placement_t * X)
{
  double rpy[3];
  const double xyz[3] = {X->p.x, X->p.y, X->p.z};
  dh_angles(&X->R, rpy);
  fputs("    <origin xyz=\"", to);
  put_numbers(to, xyz, 3, " ");
  fputs("\" rpy=\"", to);
  put_numbers(to, rpy, 3, " ");
  fputs("\"/>\n", to);
}

static void
put_link(FILE * to, const char * name, const mbd_inertia_t * M)
{
  fputs("  <link name=\"", to);
  put_attribute(to, name);
  if (!M || (M->mass == 0 && M->I.xx == 0 && M->I.yy == 0 && M->I.zz == 0)) {
    fputs("\"/>\n", to);
    return;
  }
  static const char * const axis[6] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  char text[32];
  double com[3], I[6];
  com_of(M, com, I);
  fputs("\">\n    <inertial>\n      <origin xyz=\"", to);
  put_numbers(to, com, 3, " ");
  fprintf(to, "\" rpy=\"0 0 0\"/>\n      <mass value=\"%s\"/>\n", dh_number(M->mass, text));
  fputs("      <inertia", to);
  for (int k = 0; k < 6; k++) fprintf(to, " %s=\"%s\"", axis[k], dh_number(I[k], text));
  fputs("/>\n    </inertial>\n  </link>\n", to);
}

static void
put_ends(FILE * to, const char * joint, const char * type, const char * parent, const char * child)
{
  fputs("  <joint name=\"", to);
  put_attribute(to, joint);
  fprintf(to, "\" type=\"%s\">\n    <parent link=\"", type);
  put_attribute(to, parent);
  fputs("\"/>\n    <child link=\"", to);
  put_attribute(to, child);
  fputs("\"/>\n", to);
}

// limits that URDF wants where the table has none: as far as anybody goes
static double
limit_of(double x, double otherwise)
{
  return isfinite(x) ? x : otherwise;
}

// what only URDF 1.2 has
static bool
has_rates(const mbd_limits_t * l)
{
  return isfinite(l->acceleration) || isfinite(l->deceleration) || isfinite(l->jerk);
}

static void
put_joint(FILE * to, const mbd_body_t * b, const char * parent)
{
  char text[32];
  const mbd_limits_t * l = &b->limits;
  const bool bounded = isfinite(l->lower) || isfinite(l->upper);
  const bool slides = b->type == MBD_JOINT_PRISMATIC;
  const char * type = slides ? "prismatic" : bounded ? "revolute" : "continuous";
  put_ends(to, b->joint_name, type, parent, b->name);
  put_origin(to, &b->X_tree);
  fputs("    <axis xyz=\"0 0 1\"/>\n", to);
  if (bounded || slides || isfinite(l->velocity) || isfinite(l->effort) || has_rates(l)) {
    fputs("    <limit", to);
    if (bounded || slides) {
      fprintf(to, " lower=\"%s\"", dh_number(limit_of(l->lower, -1000), text));
      fprintf(to, " upper=\"%s\"", dh_number(limit_of(l->upper, 1000), text));
    }
    fprintf(to, " effort=\"%s\"", dh_number(limit_of(l->effort, 1e6), text));
    fprintf(to, " velocity=\"%s\"", dh_number(limit_of(l->velocity, 1000), text));
    if (isfinite(l->acceleration)) {
      fprintf(to, " acceleration=\"%s\"", dh_number(l->acceleration, text));
    }
    if (isfinite(l->deceleration)) {
      fprintf(to, " deceleration=\"%s\"", dh_number(l->deceleration, text));
    }
    if (isfinite(l->jerk)) fprintf(to, " jerk=\"%s\"", dh_number(l->jerk, text));
    fputs("/>\n", to);
  }
  if (b->drive.viscous != 0 || b->drive.coulomb != 0) {
    fprintf(to, "    <dynamics damping=\"%s\"", dh_number(b->drive.viscous, text));
    fprintf(to, " friction=\"%s\"/>\n", dh_number(b->drive.coulomb, text));
  }
  fputs("  </joint>\n", to);
}

// rotor and gear of a joint, in the elements that have them
static void
put_drive(FILE * to, const mbd_body_t * b)
{
  char text[32];
  if (b->drive.rotor_inertia == 0 && b->drive.gear_ratio == 1) return;
  fputs("  <transmission name=\"", to);
  put_attribute(to, b->joint_name);
  fputs("_transmission\">\n    <type>SimpleTransmission</type>\n    <joint name=\"", to);
  put_attribute(to, b->joint_name);
  fputs("\"/>\n    <actuator name=\"", to);
  put_attribute(to, b->joint_name);
  fprintf(
    to, "_motor\">\n      <mechanicalReduction>%s</mechanicalReduction>\n",
    dh_number(b->drive.gear_ratio, text));
  if (b->drive.rotor_inertia != 0) {
    fprintf(
      to, "      <drake:rotor_inertia value=\"%s\"/>\n", dh_number(b->drive.rotor_inertia, text));
  }
  fputs("    </actuator>\n  </transmission>\n", to);
}

void
dh_write_urdf(FILE * to, const mbd_model_t * model, const char * base_name)
{
  fputs("<?xml version=\"1.0\"?>\n<robot name=\"", to);
  put_attribute(to, model->name);
  fputs("\"", to);
  bool rotors = false, rates = false;
  for (int i = 0; i < model->nbody; i++) {
    rotors |= model->body[i].drive.rotor_inertia != 0;
    rates |= has_rates(&model->body[i].limits);
  }
  if (rates) fputs(" version=\"1.2\"", to);
  fputs(rotors ? " xmlns:drake=\"http://drake.mit.edu\">\n" : ">\n", to);
  put_link(to, base_name, NULL);
  const char * parent = base_name;
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    put_joint(to, body, parent);
    put_link(to, body->name, &body->inertia);
    parent = body->name;
  }
  for (int k = 0; k < model->nframe; k++) {
    const mbd_frame_t * frame = &model->frame[k];
    if (frame->is_link) continue;
    char joint[300];
    snprintf(joint, sizeof joint, "%.256s_fixed", frame->name);
    put_ends(to, joint, "fixed", parent, frame->name);
    put_origin(to, &frame->X);
    fputs("  </joint>\n", to);
    put_link(to, frame->name, NULL);
  }
  for (int i = 0; i < model->nbody; i++) put_drive(to, &model->body[i]);
  fputs("</robot>\n", to);
}
