// Denavit-Hartenberg tables: chain from table, and table from chain.
#include "mbdyn/operators/dh.h"

#include <math.h>
#include <stdio.h>

#include "mbdyn/spatial.h"
#include "state/state.h"

#define HALF_TURN 3.14159265358979323846

// axes closer than this intersect [m]
#define TOUCHING 1e-10

//---------- rows ----------

mbd_dh_options_t
mbd_dh_options_default(void)
{
  const mbd_dh_options_t options = {.convention = MBD_DH_STANDARD, .tip = -1, .parallel = 1e-9};
  return options;
}

mbd_dh_row_t
mbd_dh_row_default(void)
{
  const mbd_body_spec_t spec = mbd_body_spec_default();
  const mbd_dh_row_t row = {
    .type = MBD_JOINT_REVOLUTE, .limits = spec.limits, .drive = spec.drive, .body = -1};
  return row;
}

// Rz(theta) Tz(d)
static mbd_placement_t
about_z(double theta, double d)
{
  const mbd_placement_t X = {mbdu_rotation_z(cos(theta), sin(theta)), {0, 0, d}};
  return X;
}

// Tx(a) Rx(alpha)
static mbd_placement_t
about_x(double alpha, double a)
{
  const double c = cos(alpha), s = sin(alpha);
  const mbd_placement_t X = {{{1, 0, 0, 0, c, -s, 0, s, c}}, {a, 0, 0}};
  return X;
}

mbd_placement_t
mbd_dh_row_transform(const mbd_dh_row_t * row, mbd_dh_convention_t convention, double q)
{
  const bool slides = row->type == MBD_JOINT_PRISMATIC;
  const mbd_placement_t Z = about_z(row->theta + (slides ? 0 : q), row->d + (slides ? q : 0));
  const mbd_placement_t X = about_x(row->alpha, row->a);
  return convention == MBD_DH_STANDARD ? mbdu_placement_mul(&Z, &X) : mbdu_placement_mul(&X, &Z);
}

static bool
turns_or_slides(mbd_joint_type_t type)
{
  return type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS || type == MBD_JOINT_PRISMATIC;
}

// validate the values and types of a table; `bad` is the invalid row
static mbd_status_t
check_table(const mbd_dh_t * table, int * bad)
{
  *bad = -1;
  if (!table || !table->row) return MBD_ERROR_NULL_ARGUMENT;
  if (table->n < 1) return MBD_ERROR_BAD_ARGUMENT;
  if (table->convention != MBD_DH_STANDARD && table->convention != MBD_DH_MODIFIED) {
    return MBD_ERROR_BAD_ARGUMENT;
  }
  for (int i = 0; i < table->n; i++) {
    const mbd_dh_row_t * row = &table->row[i];
    const double numbers[4] = {row->a, row->alpha, row->d, row->theta};
    *bad = i;
    if (!turns_or_slides(row->type)) return MBD_ERROR_BAD_JOINT;
    if (!finite_array(numbers, 4)) return MBD_ERROR_NOT_FINITE;
  }
  *bad = -1;
  return MBD_OK;
}

//---------- conventions ----------

static void
to_modified(mbd_dh_t * table)
{
  mbd_placement_t G = mbdu_placement_identity();
  double a = 0, alpha = 0;
  for (int i = 0; i < table->n; i++) {
    mbd_dh_row_t * row = &table->row[i];
    const double a_next = row->a, alpha_next = row->alpha;
    // the old frame of the link in its new one
    G = about_x(alpha_next, a_next);
    row->inertia = mbdu_inertia_to_parent(&G, &row->inertia);
    row->a = a, row->alpha = alpha;
    a = a_next, alpha = alpha_next;
  }
  table->tool = mbdu_placement_mul(&G, &table->tool);
}

static void
to_standard(mbd_dh_t * table)
{
  const mbd_placement_t first = about_x(table->row[0].alpha, table->row[0].a);
  table->base = mbdu_placement_mul(&table->base, &first);
  for (int i = 0; i < table->n; i++) {
    mbd_dh_row_t * row = &table->row[i];
    const bool last = i + 1 == table->n;
    row->a = last ? 0 : row[1].a;
    row->alpha = last ? 0 : row[1].alpha;
    const mbd_placement_t G = about_x(row->alpha, row->a), back = mbdu_placement_inverse(&G);
    row->inertia = mbdu_inertia_to_parent(&back, &row->inertia);
  }
}

mbd_status_t
mbd_dh_convert(mbd_dh_t * table, mbd_dh_convention_t convention)
{
  int bad;
  CHECK(check_table(table, &bad));
  if (convention != MBD_DH_STANDARD && convention != MBD_DH_MODIFIED) return MBD_ERROR_BAD_ARGUMENT;
  if (table->convention == convention) return MBD_OK;
  if (convention == MBD_DH_MODIFIED) {
    to_modified(table);
  } else {
    to_standard(table);
  }
  table->convention = convention;
  return MBD_OK;
}

//---------- table -> model ----------

static mbd_status_t
add_row(mbd_model_t * model, const mbd_dh_row_t * row, int i, mbd_body_spec_t * spec)
{
  char link[32], joint[32];
  snprintf(link, sizeof link, "link%d", i + 1);
  snprintf(joint, sizeof joint, "joint%d", i + 1);
  spec->name = row->name ? row->name : link;
  spec->joint_name = row->joint_name ? row->joint_name : joint;
  spec->type = row->type;
  spec->limits = row->limits;
  spec->drive = row->drive;
  int frame = -1;
  const mbd_status_t status = mbd_model_add_body(model, spec, &frame);
  spec->parent = frame;
  return status;
}

// links, with their frames at their joints; `bad` is the row that an error is about
static mbd_status_t
add_rows(mbd_model_t * model, const mbd_dh_t * table, int * bad)
{
  const bool standard = table->convention == MBD_DH_STANDARD;
  mbd_body_spec_t spec = mbd_body_spec_default();
  // the last table frame in the frame of the last link, which has a joint's freedom less
  mbd_placement_t rest = table->base;
  for (int i = 0; i < table->n; i++) {
    const mbd_dh_row_t * row = &table->row[i];
    const mbd_placement_t A = mbd_dh_row_transform(row, table->convention, 0);
    spec.placement = standard ? rest : mbdu_placement_mul(&rest, &A);
    spec.inertia = standard ? mbdu_inertia_to_parent(&A, &row->inertia) : row->inertia;
    *bad = i;
    CHECK(add_row(model, row, i, &spec));
    rest = standard ? A : mbdu_placement_identity();
  }
  *bad = -1;
  if (!table->tool_name) return MBD_OK;
  const mbd_placement_t tool = mbdu_placement_mul(&rest, &table->tool);
  int frame;
  return mbd_model_add_frame(model, table->tool_name, spec.parent, &tool, &frame);
}

mbd_status_t
mbd_dh_to_model(const mbd_dh_t * table, mbd_model_t ** model, int * bad)
{
  int row = -1;
  if (!bad) bad = &row;
  *bad = -1;
  if (!model) return MBD_ERROR_NULL_ARGUMENT;
  *model = NULL;
  CHECK(check_table(table, bad));
  mbd_model_t * made;
  CHECK(mbd_model_create(table->name ? table->name : "robot", &made));
  mbd_status_t status = mbd_model_set_gravity(made, table->gravity);
  if (status == MBD_OK) status = add_rows(made, table, bad);
  if (status == MBD_OK) status = mbd_model_finalize(made);
  if (status == MBD_OK) {
    *model = made;
  } else {
    mbd_model_destroy(made);
  }
  return status;
}

//---------- model -> table ----------

static mbd_vec3_t
z_of(const mbd_mat3_t * R)
{
  return mbdu_vec3(R->m[2], R->m[5], R->m[8]);
}

// a frame on an axis, as near to the world's as can be: origin nearest to its origin, x to its x
static mbd_placement_t
first_frame(const mbd_placement_t * axis)
{
  const mbd_vec3_t z = z_of(&axis->R);
  const mbd_vec3_t p = mbdu_vec3_sub(axis->p, mbdu_vec3_scale(mbdu_vec3_dot(axis->p, z), z));
  mbd_vec3_t x = mbdu_vec3(1, 0, 0);
  if (fabs(z.x) > 0.99) x = mbdu_vec3(0, 1, 0);
  x = mbdu_vec3_sub(x, mbdu_vec3_scale(mbdu_vec3_dot(x, z), z));
  x = mbdu_vec3_scale(1 / mbdu_vec3_norm(x), x);
  const mbd_vec3_t y = mbdu_vec3_cross(z, x);
  const mbd_placement_t X = {{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}}, p};
  return X;
}

// Direction of the common normal from the z axis through the origin to the line (p, z), and the
// signed distance and angle along and about it; it points towards x, if it can.
static mbd_vec3_t
common_normal(mbd_vec3_t p, mbd_vec3_t z, bool parallel, double * a, double * alpha)
{
  mbd_vec3_t n = parallel ? mbdu_vec3(p.x, p.y, 0) : mbdu_vec3(-z.y, z.x, 0);
  const double length = mbdu_vec3_norm(n);
  n = parallel && length < TOUCHING ? mbdu_vec3(1, 0, 0) : mbdu_vec3_scale(1 / length, n);
  *a = mbdu_vec3_dot(n, p);
  *alpha = parallel ? (z.z > 0 ? 0 : HALF_TURN) : atan2(hypot(z.x, z.y), z.z);
  bool turn = n.x < -1e-9;
  // neither side of x: the one on which a is positive
  if (fabs(n.x) <= 1e-9) turn = *a < -TOUCHING;
  if (!turn) return n;
  *a = -*a;
  if (!parallel) *alpha = -*alpha;
  return mbdu_vec3_neg(n);
}

// the four numbers from a frame to an axis; an axis that is parallel is met at `meet` along z
static void
fill_numbers(
  const mbd_placement_t * F, const mbd_placement_t * axis, double least_angle, bool meet,
  mbd_dh_row_t * row)
{
  const mbd_placement_t F_inverse = mbdu_placement_inverse(F);
  const mbd_placement_t X = mbdu_placement_mul(&F_inverse, axis);
  const mbd_vec3_t p = X.p, z = z_of(&X.R);
  const bool parallel = hypot(z.x, z.y) <= sin(least_angle);
  const mbd_vec3_t n = common_normal(p, z, parallel, &row->a, &row->alpha);
  row->theta = atan2(n.y, n.x);
  if (parallel) {
    row->d = meet ? p.z : 0;
    return;
  }
  // along the line to where the common normal meets it
  const mbd_vec3_t side = mbdu_vec3(-n.y, n.x, 0);
  const double t = -mbdu_vec3_dot(p, side) / mbdu_vec3_dot(z, side);
  row->d = p.z + t * z.z;
}

static void
note_deviation(const mbd_placement_t * F, const mbd_placement_t * axis, mbd_dh_t * table)
{
  const mbd_vec3_t z = z_of(&F->R), other = z_of(&axis->R);
  const mbd_vec3_t gap = mbdu_vec3_cross(mbdu_vec3_sub(axis->p, F->p), z);
  const double angle = asin(fmin(1, mbdu_vec3_norm(mbdu_vec3_cross(z, other))));
  table->distance = fmax(table->distance, mbdu_vec3_norm(gap));
  table->angle = fmax(table->angle, angle);
}

// names, limits and drives of the bodies on the path, and which they are
static mbd_status_t
take_path(const mbd_model_t * model, int tip_body, mbd_dh_t * table, int * bad)
{
  int k = table->n;
  for (int i = tip_body; i >= 0; i = model->body[i].parent) {
    const mbd_body_t * body = &model->body[i];
    *bad = i;
    if (!turns_or_slides(body->type)) return MBD_ERROR_BAD_JOINT;
    if (body->mimic_body >= 0 && !model->mimic_independent) return MBD_ERROR_MIMIC;
    mbd_dh_row_t * row = &table->row[--k];
    *row = mbd_dh_row_default();
    row->joint_name = body->joint_name;
    row->name = body->name;
    row->type = body->type;
    row->limits = body->limits;
    row->drive = body->drive;
    row->body = i;
  }
  *bad = -1;
  return MBD_OK;
}

// the frames of the table from the axes of the joints at q = 0, base to tip
static void
fill_rows(const mbd_model_t * model, const mbd_placement_t * tip, double parallel, mbd_dh_t * table)
{
  mbd_placement_t W = model->body[table->row[0].body].X_tree;
  mbd_placement_t F = table->base = first_frame(&W);
  for (int i = 0; i < table->n; i++) {
    mbd_dh_row_t * row = &table->row[i];
    const bool last = i + 1 == table->n;
    note_deviation(&F, &W, table);
    // the z axis of the tool stands for that of a further joint
    const mbd_placement_t next =
      mbdu_placement_mul(&W, last ? tip : &model->body[row[1].body].X_tree);
    fill_numbers(&F, &next, parallel, last, row);
    const mbd_placement_t A = mbd_dh_row_transform(row, MBD_DH_STANDARD, 0);
    F = mbdu_placement_mul(&F, &A);
    const mbd_placement_t F_inverse = mbdu_placement_inverse(&F);
    const mbd_placement_t body = mbdu_placement_mul(&F_inverse, &W);
    row->inertia = mbdu_inertia_to_parent(&body, &model->body[row->body].inertia);
    if (last) table->tool = mbdu_placement_mul(&body, tip);
    W = next;
  }
}

// body that the tip is on; its number of joints to the world
static mbd_status_t
find_tip(const mbd_model_t * model, int tip, int * tip_body, int * n, int * bad)
{
  if (tip < -1 || tip >= model->nframe) return MBD_ERROR_BAD_ARGUMENT;
  for (int i = 0; tip < 0 && i < model->nbody; i++) {
    *bad = i;
    if (model->body[i].parent != i - 1) return MBD_ERROR_NOT_SERIAL;
  }
  *bad = -1;
  *tip_body = tip < 0 ? model->nbody - 1 : model->frame[tip].body;
  if (*tip_body < 0) return tip < 0 ? MBD_ERROR_NOT_SERIAL : MBD_ERROR_BAD_ARGUMENT;
  *n = 0;
  for (int i = *tip_body; i >= 0; i = model->body[i].parent) ++*n;
  return MBD_OK;
}

static mbd_status_t
check_model(const mbd_model_t * model, const mbd_dh_options_t * options, const mbd_dh_t * table)
{
  if (!model || !table || !table->row) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  if (!model->internal->engine->rigid_tree) return MBD_ERROR_UNSUPPORTED;
  const bool known =
    options->convention == MBD_DH_STANDARD || options->convention == MBD_DH_MODIFIED;
  // written so that NaN fails
  const bool angle = options->parallel >= 0 && options->parallel < 0.1;
  return known && angle ? MBD_OK : MBD_ERROR_BAD_ARGUMENT;
}

mbd_status_t
mbd_dh_from_model(
  const mbd_model_t * model, const mbd_dh_options_t * options, int capacity, mbd_dh_t * table,
  int * bad)
{
  const mbd_dh_options_t defaults = mbd_dh_options_default();
  int body = -1, tip_body = -1, n = 0;
  if (!options) options = &defaults;
  if (!bad) bad = &body;
  *bad = -1;
  CHECK(check_model(model, options, table));
  CHECK(find_tip(model, options->tip, &tip_body, &n, bad));
  if (n > capacity) return MBD_ERROR_TOO_SMALL;
  *table = (mbd_dh_t){.name = model->name, .n = n, .row = table->row, .gravity = model->gravity};
  table->left_out = model->nbody - n;
  CHECK(take_path(model, tip_body, table, bad));
  const int link = model->body[tip_body].link_frame, tip = options->tip < 0 ? link : options->tip;
  if (tip != link) table->tool_name = model->frame[tip].name;
  fill_rows(model, &model->frame[tip].X, options->parallel, table);
  return mbd_dh_convert(table, options->convention);
}
