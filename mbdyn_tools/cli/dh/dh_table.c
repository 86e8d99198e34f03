// From keys and values to a table; whatever is wrong is said with its line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dh_text.h"
#include "mbdyn/operators/dh.h"
#include "mbdyn/spatial.h"
#include "text.h"

#define HALF_TURN 3.14159265358979323846

// what is being read
typedef struct reader {
  const dh_text_t * text;
  bool degrees;
} reader_t;

//---------- numbers ----------

// "1.5", "pi", "-pi/2", "2*pi/3"; where it ends, NULL if there is none
static const char *
scan_number(const char * s, double * x)
{
  char * end;
  const double sign = *s == '-' ? -1 : 1;
  if (strncmp(s + (*s == '-'), "pi", 2) == 0) {
    *x = sign * HALF_TURN;
    end = (char *)s + (*s == '-') + 2;
  } else {
    *x = strtod(s, &end);
    if (end == s) return NULL;
    if (strncmp(end, "*pi", 3) == 0) *x *= HALF_TURN, end += 3;
  }
  if (*end == '/') {
    const char * divisor = end + 1;
    const double y = strtod(divisor, &end);
    if (end == divisor || y == 0) return NULL;
    *x /= y;
  }
  return isfinite(*x) ? end : NULL;
}

// exactly n numbers; angles come in the unit of the file
static bool
read_numbers(const reader_t * r, const dh_cell_t * cell, int n, bool angle, double * x)
{
  static const char * const expected[] = {"", "a number", "",           "three numbers",
                                          "", "",         "six numbers"};
  const char * s = cell->value;
  int k = 0;
  for (s += strspn(s, " \t"); *s && k < n; s += strspn(s, " \t"), k++) {
    const char * end = scan_number(s, &x[k]);
    if (!end || (*end && !strchr(" \t", *end))) break;
    if (angle && r->degrees) x[k] *= HALF_TURN / 180;
    s = end;
  }
  if (k == n && !*s) return true;
  return dh_text_refuse(
    r->text, cell->line, "%s: '%.60s' is not %s", cell->key, cell->value, expected[n]);
}

//---------- joints ----------

static bool
read_type(const reader_t * r, const dh_cell_t * cell, mbd_joint_type_t * type)
{
  static const struct {
    const char * name;
    mbd_joint_type_t type;
  } known[] = {
    {"revolute", MBD_JOINT_REVOLUTE},
    {"continuous", MBD_JOINT_CONTINUOUS},
    {"prismatic", MBD_JOINT_PRISMATIC},
    {"R", MBD_JOINT_REVOLUTE},
    {"P", MBD_JOINT_PRISMATIC}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    if (strcmp(cell->value, known[k].name) == 0) return *type = known[k].type, true;
  }
  return dh_text_refuse(
    r->text, cell->line, "type: '%.60s' is unknown; write revolute, continuous or prismatic",
    cell->value);
}

// bytes that may follow the first one of a character in UTF-8; -1 if it is no first one
static int
bytes_after(unsigned char c)
{
  if (c < 0x80) return c < 0x20 || c == 0x7f ? -1 : 0;
  return c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : -1;
}

// text that XML can have in it
static bool
is_printable(const char * s)
{
  while (*s) {
    const int more = bytes_after((unsigned char)*s++);
    if (more < 0) return false;
    for (int k = 0; k < more; k++, s++) {
      if (((unsigned char)*s & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

static bool
read_name(const reader_t * r, const dh_cell_t * cell, const char ** name)
{
  *name = cell->value;
  if (!is_printable(cell->value)) {
    return dh_text_refuse(
      r->text, cell->line, "%s: contains control characters or invalid UTF-8", cell->key);
  }
  if (cell->value[0] && strlen(cell->value) <= 256) return true;
  return dh_text_refuse(r->text, cell->line, "%s: empty or too long", cell->key);
}

// where the numbers of a joint go
typedef struct joint {
  mbd_dh_row_t * row;
  double mass, com[3], inertia[6];
} joint_t;

#define IN_ROW(field)      1, offsetof(mbd_dh_row_t, field), true, 0
#define IN_JOINT(n, field) n, 0, false, offsetof(joint_t, field)

static const struct {
  const char * name;
  bool angle;
  int n;
  size_t row;
  bool in_row;
  size_t part;
} JOINT_KEYS[] = {
  {"a", false, IN_ROW(a)},
  {"alpha", true, IN_ROW(alpha)},
  {"d", false, IN_ROW(d)},
  {"theta", true, IN_ROW(theta)},
  {"lower", true, IN_ROW(limits.lower)},
  {"upper", true, IN_ROW(limits.upper)},
  {"velocity", true, IN_ROW(limits.velocity)},
  {"effort", false, IN_ROW(limits.effort)},
  {"acceleration", true, IN_ROW(limits.acceleration)},
  {"deceleration", true, IN_ROW(limits.deceleration)},
  {"jerk", true, IN_ROW(limits.jerk)},
  {"damping", false, IN_ROW(drive.viscous)},
  {"friction", false, IN_ROW(drive.coulomb)},
  {"rotor_inertia", false, IN_ROW(drive.rotor_inertia)},
  {"gear_ratio", false, IN_ROW(drive.gear_ratio)},
  {"mass", false, IN_JOINT(1, mass)},
  {"com", false, IN_JOINT(3, com)},
  {"inertia", false, IN_JOINT(6, inertia)}};
enum { NJOINT_KEY = sizeof JOINT_KEYS / sizeof JOINT_KEYS[0] };

static bool
unknown_key(const reader_t * r, const dh_cell_t * cell)
{
  closest_t closest = closest_to(cell->key);
  for (int k = 0; k < NJOINT_KEY; k++) closest_offer(&closest, JOINT_KEYS[k].name);
  closest_offer(&closest, "joint");
  closest_offer(&closest, "link");
  closest_offer(&closest, "type");
  return dh_text_refuse(
    r->text, cell->line, "unknown key '%.60s' of a joint%s", cell->key, closest_hint(&closest));
}

static bool
read_joint_cell(const reader_t * r, const dh_cell_t * cell, joint_t * joint)
{
  if (strcmp(cell->key, "joint") == 0 || strcmp(cell->key, "name") == 0) {
    return read_name(r, cell, &joint->row->joint_name);
  }
  if (strcmp(cell->key, "link") == 0) return read_name(r, cell, &joint->row->name);
  if (strcmp(cell->key, "type") == 0) return true;
  for (int k = 0; k < NJOINT_KEY; k++) {
    if (strcmp(cell->key, JOINT_KEYS[k].name) != 0) continue;
    // limits of a slide are lengths
    const bool limit = strcmp(cell->key, "alpha") != 0 && strcmp(cell->key, "theta") != 0;
    const bool slides = joint->row->type == MBD_JOINT_PRISMATIC;
    char * place = JOINT_KEYS[k].in_row ? (char *)joint->row + JOINT_KEYS[k].row
                                        : (char *)joint + JOINT_KEYS[k].part;
    return read_numbers(
      r, cell, JOINT_KEYS[k].n, JOINT_KEYS[k].angle && !(limit && slides), (double *)(void *)place);
  }
  return unknown_key(r, cell);
}

static const dh_cell_t *
find_cell(const dh_record_t * record, const char * key)
{
  for (int i = 0; i < record->n; i++) {
    if (strcmp(record->cell[i].key, key) == 0) return &record->cell[i];
  }
  return NULL;
}

// the joint's own coordinate may be left out, the rest may not
static bool
check_numbers(const reader_t * r, const dh_record_t * record, bool slides)
{
  static const char * const needed[] = {"a", "alpha", "d", "theta"};
  for (int k = 0; k < 4; k++) {
    if (k == (slides ? 2 : 3) || find_cell(record, needed[k])) continue;
    return dh_text_refuse(
      r->text, record->line, "the joint has no %s; write 0 if it is zero", needed[k]);
  }
  return true;
}

static bool
read_joint(const reader_t * r, const dh_record_t * record, mbd_dh_row_t * row)
{
  joint_t joint = {.row = row};
  *row = mbd_dh_row_default();
  const dh_cell_t * type = find_cell(record, "type");
  if (type && !read_type(r, type, &row->type)) return false;
  for (int i = 0; i < record->n; i++) {
    if (!read_joint_cell(r, &record->cell[i], &joint)) return false;
  }
  if (!check_numbers(r, record, row->type == MBD_JOINT_PRISMATIC)) return false;
  if (row->drive.gear_ratio == 0) {
    return dh_text_refuse(
      r->text, find_cell(record, "gear_ratio")->line,
      "gear_ratio: must not be 0; use 1 for a joint without a gear");
  }
  const double * I = joint.inertia;
  row->inertia = mbdu_inertia_from_com(
    joint.mass, mbdu_vec3(joint.com[0], joint.com[1], joint.com[2]),
    (mbd_sym3_t){I[0], I[1], I[2], I[3], I[4], I[5]});
  return true;
}

//---------- what stands beside the joints ----------

static mbd_mat3_t
rotation_of(const double * rpy)
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]);
  const double cy = cos(rpy[2]), sy = sin(rpy[2]);
  const mbd_mat3_t R = {
    {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr, sy * cp, sy * sp * sr + cy * cr,
     sy * sp * cr - cy * sr, -sp, cp * sr, cp * cr}};
  return R;
}

static bool
read_choice(
  const reader_t * r, const dh_cell_t * cell, const char * zero, const char * one, bool * is_one)
{
  *is_one = strcmp(cell->value, one) == 0;
  if (*is_one || strcmp(cell->value, zero) == 0) return true;
  return dh_text_refuse(
    r->text, cell->line, "%s: '%.60s' is unknown; write %s or %s", cell->key, cell->value, zero,
    one);
}

static bool
read_place(const reader_t * r, const dh_cell_t * cell, mbd_placement_t * X)
{
  double x[3];
  const bool turn = strcmp(strchr(cell->key, '.'), ".rpy") == 0;
  if (!read_numbers(r, cell, 3, turn, x)) return false;
  if (turn) {
    X->R = rotation_of(x);
  } else {
    X->p = mbdu_vec3(x[0], x[1], x[2]);
  }
  return true;
}

static bool
read_head_cell(const reader_t * r, const dh_cell_t * cell, dh_table_t * table)
{
  static const char * const known[] = {"name",      "convention", "angles",   "base.xyz",
                                       "base.rpy",  "base.name",  "tool.xyz", "tool.rpy",
                                       "tool.name", "joints"};
  const char * key = cell->key;
  if (strcmp(key, "name") == 0) return read_name(r, cell, &table->dh.name);
  if (strcmp(key, "base.name") == 0) return read_name(r, cell, &table->base_name);
  if (strcmp(key, "tool.name") == 0) return read_name(r, cell, &table->dh.tool_name);
  if (strcmp(key, "convention") == 0 || strcmp(key, "angles") == 0) return true;
  if (strcmp(key, "base.xyz") == 0 || strcmp(key, "base.rpy") == 0) {
    return read_place(r, cell, &table->dh.base);
  }
  if (strcmp(key, "tool.xyz") == 0 || strcmp(key, "tool.rpy") == 0) {
    return read_place(r, cell, &table->dh.tool);
  }
  closest_t closest = closest_to(key);
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) closest_offer(&closest, known[k]);
  return dh_text_refuse(
    r->text, cell->line, "unknown key '%.60s' of the table%s", key, closest_hint(&closest));
}

// unit and convention first: the rest depends on them
static bool
read_head(reader_t * r, const dh_defaults_t * defaults, dh_table_t * table)
{
  const dh_record_t * head = &r->text->head;
  const dh_cell_t * angles = find_cell(head, "angles");
  const dh_cell_t * convention = find_cell(head, "convention");
  bool modified = defaults->convention == MBD_DH_MODIFIED;
  r->degrees = defaults->degrees;
  if (angles && !read_choice(r, angles, "radians", "degrees", &r->degrees)) return false;
  if (convention && !read_choice(r, convention, "standard", "modified", &modified)) return false;
  table->dh.convention = modified ? MBD_DH_MODIFIED : MBD_DH_STANDARD;
  for (int i = 0; i < head->n; i++) {
    if (!read_head_cell(r, &head->cell[i], table)) return false;
  }
  return true;
}

bool
dh_table_read(const dh_text_t * text, const dh_defaults_t * defaults, dh_table_t * table)
{
  reader_t r = {.text = text};
  *table = (dh_table_t){.base_name = "base_link"};
  table->dh.name = "robot";
  table->dh.base = table->dh.tool = mbdu_placement_identity();
  table->dh.gravity = mbdu_vec3(0, 0, -9.81);
  table->dh.tool_name = "tool";
  table->dh.row = calloc((size_t)text->nrow, sizeof *table->dh.row);
  table->dh.n = text->nrow;
  if (!table->dh.row) return dh_text_refuse(text, 0, "out of memory");
  if (!read_head(&r, defaults, table)) return false;
  for (int i = 0; i < text->nrow; i++) {
    if (!read_joint(&r, &text->row[i], &table->dh.row[i])) return false;
  }
  return true;
}

void
dh_table_free(dh_table_t * table)
{
  free(table->dh.row);
  *table = (dh_table_t){0};
}
