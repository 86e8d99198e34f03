// What the builder refuses, and that a refusal changes nothing; mimic joints; axes of a plane.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core_test.h"
#include "mbdyn/dynamics/coriolis.h"

// a model with one revolute link "arm" on joint "shoulder"
static mbd_model_t *
one_link(int * frame)
{
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  uint64_t state = 1;
  assert_ok(mbd_model_create("robot", &model));
  spec.name = "arm", spec.joint_name = "shoulder", spec.type = MBD_JOINT_REVOLUTE;
  spec.inertia = random_inertia(&state);
  assert_ok(mbd_model_add_body(model, &spec, frame));
  return model;
}

// a second link that is all right
static mbd_body_spec_t
good_spec(int parent)
{
  mbd_body_spec_t spec = mbd_body_spec_default();
  uint64_t state = 2;
  spec.name = "forearm", spec.joint_name = "elbow", spec.type = MBD_JOINT_REVOLUTE;
  spec.parent = parent;
  spec.inertia = random_inertia(&state);
  return spec;
}

// the spec is refused with this status and name, and the model goes on as if nothing had been
static void
assert_refused(const mbd_body_spec_t * spec, mbd_status_t expected, const char * name, int line)
{
  int arm, frame = 77;
  mbd_model_t * model = one_link(&arm);
  const mbd_status_t status = mbd_model_add_body(model, spec, &frame);
  if (status != expected) {
    print_error("line %d: %s\n", line, mbd_status_name(status));
    fail_msg("expected %s", mbd_status_name(expected));
  }
  assert_int_equal(frame, 77);
  if (name) assert_string_equal(model->error_name, name);
  const mbd_body_spec_t good = good_spec(arm);
  assert_ok(mbd_model_add_body(model, &good, &frame));
  assert_int_equal(frame, arm + 1);
  assert_ok(mbd_model_finalize(model));
  assert_int_equal(model->nbody, 2);
  mbd_model_destroy(model);
}

#define REFUSE(change, status, name)            \
  do {                                          \
    mbd_body_spec_t s = good_spec(0);           \
    change;                                     \
    assert_refused(&s, status, name, __LINE__); \
  } while (0)

static void
names_must_be_new(void ** context)
{
  (void)context;
  REFUSE(s.name = "arm", MBD_ERROR_DUPLICATE_NAME, "arm");
  REFUSE(s.joint_name = "shoulder", MBD_ERROR_DUPLICATE_NAME, "shoulder");
  REFUSE(s.name = NULL, MBD_ERROR_NULL_ARGUMENT, NULL);
  REFUSE(s.joint_name = NULL, MBD_ERROR_NULL_ARGUMENT, NULL);
  // a frame and a link share one list of names; joints have their own
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  const mbd_placement_t X = mbdu_placement_identity();
  assert_status(mbd_model_add_frame(model, "arm", arm, &X, &frame), MBD_ERROR_DUPLICATE_NAME);
  assert_ok(mbd_model_add_frame(model, "tool", arm, &X, &frame));
  assert_status(mbd_model_add_frame(model, "tool", arm, &X, &frame), MBD_ERROR_DUPLICATE_NAME);
  mbd_body_spec_t spec = good_spec(arm);
  spec.name = "tool";
  assert_status(mbd_model_add_body(model, &spec, &frame), MBD_ERROR_DUPLICATE_NAME);
  spec.name = "shoulder", spec.joint_name = "arm";
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  mbd_model_destroy(model);
}

static void
joints_must_make_sense(void ** context)
{
  (void)context;
  REFUSE(s.axis = mbdu_vec3(0, 0, 0), MBD_ERROR_BAD_AXIS, "forearm");
  REFUSE(s.axis.x = nan(""), MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.type = MBD_JOINT_PRISMATIC; s.axis = mbdu_vec3(0, 0, 0), MBD_ERROR_BAD_AXIS, "forearm");
  REFUSE(s.type = MBD_JOINT_PLANAR; s.axis = mbdu_vec3(0, 0, 0), MBD_ERROR_BAD_AXIS, "forearm");
  REFUSE(s.type = MBD_JOINT_HELICAL; s.pitch = HUGE_VAL, MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.type = (mbd_joint_type_t)11, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.type = (mbd_joint_type_t)-1, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.limits.lower = 1; s.limits.upper = 0, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.drive.viscous = nan(""), MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.drive.viscous = -1, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.drive.coulomb = 1; s.drive.coulomb_velocity = 0, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.drive.rotor_inertia = -1, MBD_ERROR_BAD_JOINT, "forearm");
  REFUSE(s.parent = 1, MBD_ERROR_BAD_ARGUMENT, "forearm");
  REFUSE(s.parent = -2, MBD_ERROR_BAD_ARGUMENT, "forearm");
  REFUSE(s.placement.p.y = nan(""), MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.placement.R.m[0] = 2, MBD_ERROR_BAD_ARGUMENT, "forearm");
  REFUSE(s.placement.R.m[8] = -1, MBD_ERROR_BAD_ARGUMENT, "forearm");
  // types without an axis do not look at it
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  mbd_body_spec_t spec = good_spec(arm);
  spec.type = MBD_JOINT_SPHERICAL, spec.axis = mbdu_vec3(0, 0, 0);
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  mbd_model_destroy(model);
}

static void
inertias_must_be_of_bodies(void ** context)
{
  (void)context;
  const mbd_inertia_t none = {0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  REFUSE(s.inertia.mass = -1, MBD_ERROR_BAD_INERTIA, "forearm");
  REFUSE(s.inertia.mass = nan(""), MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.inertia.I.xz = HUGE_VAL, MBD_ERROR_NOT_FINITE, "forearm");
  REFUSE(s.inertia.I.yy = -1, MBD_ERROR_BAD_INERTIA, "forearm");
  REFUSE(s.inertia.I.xy = 100, MBD_ERROR_BAD_INERTIA, "forearm");
  REFUSE(s.inertia = none; s.inertia.h.x = 1, MBD_ERROR_BAD_INERTIA, "forearm");
  // about the origin it looks fine, about the centre of mass it is negative
  REFUSE(s.inertia.h = mbdu_vec3_scale(100, s.inertia.h), MBD_ERROR_BAD_INERTIA, "forearm");
  // limits of what is allowed: nothing, a point off the origin, a thin rod
  const mbd_inertia_t points[] = {
    none, {1, {0, 0, 1}, {1, 0, 0, 1, 0, 0}}, {1, {0, 0, 0}, {1, 0, 0, 1, 0, 0}}};
  for (int k = 0; k < 3; k++) {
    int arm, frame;
    mbd_model_t * model = one_link(&arm);
    mbd_body_spec_t spec = good_spec(arm);
    spec.inertia = points[k];
    assert_ok(mbd_model_add_body(model, &spec, &frame));
    mbd_model_destroy(model);
  }
}

static void
user_joints_must_be_whole(void ** context)
{
  (void)context;
  double parameter[8];
  uint64_t state = 3;
  const mbd_user_joint_t good = user_joint(USER_CIRCLE, &state, parameter);
  REFUSE(s.type = MBD_JOINT_USER, MBD_ERROR_BAD_JOINT, "forearm");
  mbd_user_joint_t bad[9];
  for (int k = 0; k < 9; k++) bad[k] = good;
  bad[0].nq = 0;
  bad[1].nq = 9;
  bad[2].nv = 0;
  bad[3].nv = 7;
  bad[4].transform = NULL;
  bad[5].subspace = NULL;
  bad[6].subspace_rate = NULL;
  bad[7].integrate = NULL;   // nq is not nv
  bad[8].difference = NULL;  // nq is not nv
  for (int k = 0; k < 9; k++) {
    REFUSE(s.type = MBD_JOINT_USER; s.user = &bad[k], MBD_ERROR_BAD_JOINT, "forearm");
  }
  // the description is copied
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  mbd_user_joint_t own = good;
  mbd_body_spec_t spec = good_spec(arm);
  spec.type = MBD_JOINT_USER, spec.user = &own;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  memset(&own, 0, sizeof own);
  assert_ok(mbd_model_finalize(model));
  assert_true(model->body[1].user.transform == good.transform);
  mbd_model_destroy(model);
}

static void
frames_must_make_sense(void ** context)
{
  (void)context;
  int arm, frame = 77;
  mbd_model_t * model = one_link(&arm);
  mbd_placement_t X = mbdu_placement_identity();
  assert_status(mbd_model_add_frame(model, "tool", 5, &X, &frame), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_model_add_frame(model, "tool", -2, &X, &frame), MBD_ERROR_BAD_ARGUMENT);
  assert_status(mbd_model_add_frame(model, NULL, arm, &X, &frame), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_frame(model, "tool", arm, NULL, &frame), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_frame(model, "tool", arm, &X, NULL), MBD_ERROR_NULL_ARGUMENT);
  X.p.x = nan("");
  assert_status(mbd_model_add_frame(model, "tool", arm, &X, &frame), MBD_ERROR_NOT_FINITE);
  assert_string_equal(model->error_name, "tool");
  assert_int_equal(frame, 77);
  mbd_model_destroy(model);
}

static void
a_finalized_model_is_constant(void ** context)
{
  (void)context;
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  const mbd_placement_t X = mbdu_placement_identity();
  const mbd_body_spec_t spec = good_spec(arm);
  mbd_data_t * data = NULL;
  assert_true(mbd_data_size(model) == 0);
  assert_status(mbd_data_create(model, &data), MBD_ERROR_NOT_FINALIZED);
  assert_null(data);
  assert_ok(mbd_model_finalize(model));
  assert_true(model->finalized);
  assert_status(mbd_model_finalize(model), MBD_ERROR_FINALIZED);
  assert_status(mbd_model_add_body(model, &spec, &frame), MBD_ERROR_FINALIZED);
  assert_status(mbd_model_add_frame(model, "tool", arm, &X, &frame), MBD_ERROR_FINALIZED);
  assert_status(mbd_model_set_gravity(model, mbdu_vec3(0, 0, 0)), MBD_ERROR_FINALIZED);
  assert_status(mbd_model_set_mimic_independent(model, true), MBD_ERROR_FINALIZED);
  mbd_model_destroy(model);
}

static void
null_arguments(void ** context)
{
  (void)context;
  mbd_model_t * model = (mbd_model_t *)1;
  int frame;
  const mbd_body_spec_t spec = good_spec(MBD_WORLD_BODY);
  assert_status(mbd_model_create(NULL, &model), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_create("robot", NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_body(NULL, &spec, &frame), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_finalize(NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_set_gravity(NULL, mbdu_vec3(0, 0, 0)), MBD_ERROR_NULL_ARGUMENT);
  assert_ok(mbd_model_create("robot", &model));
  assert_status(mbd_model_add_body(model, NULL, &frame), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_add_body(model, &spec, NULL), MBD_ERROR_NULL_ARGUMENT);
  assert_status(mbd_model_set_gravity(model, mbdu_vec3(nan(""), 0, 0)), MBD_ERROR_NOT_FINITE);
  mbd_model_destroy(model);
  mbd_model_destroy(NULL);
}

// names live on after the caller's are gone
static void
names_are_copied(void ** context)
{
  (void)context;
  char robot[8] = "robot", link[8] = "arm", joint[8] = "turn";
  mbd_model_t * model;
  mbd_body_spec_t spec = mbd_body_spec_default();
  int frame;
  assert_ok(mbd_model_create(robot, &model));
  spec.name = link, spec.joint_name = joint, spec.type = MBD_JOINT_REVOLUTE;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  memset(robot, 'x', 4), memset(link, 'x', 3), memset(joint, 'x', 4);
  assert_string_equal(model->name, "robot");
  assert_string_equal(model->body[0].name, "arm");
  assert_string_equal(model->body[0].joint_name, "turn");
  mbd_model_destroy(model);
}

// nothing at all is a robot too
static void
empty_models_work(void ** context)
{
  (void)context;
  mbd_model_t * model;
  mbd_data_t * data;
  double none[1] = {0};
  assert_ok(mbd_model_create("nothing", &model));
  assert_ok(mbd_model_finalize(model));
  assert_int_equal(model->nbody, 0);
  assert_int_equal(model->nv, 0);
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_position(model, data, none));
  assert_ok(mbd_inverse_dynamics(model, data, none, none, none, NULL, none));
  assert_ok(mbd_forward_dynamics(model, data, none, none, none, NULL, none));
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

//---------- mimic joints ----------

static mbd_model_t *
with_mimic(const char * follows, bool independent, mbd_status_t expected)
{
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  mbd_body_spec_t spec = good_spec(arm);
  spec.mimic.joint = follows, spec.mimic.multiplier = -2, spec.mimic.offset = 0.5;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  spec = mbd_body_spec_default();
  spec.name = "ball", spec.joint_name = "socket", spec.type = MBD_JOINT_SPHERICAL;
  spec.inertia.mass = 1, spec.inertia.I.xx = spec.inertia.I.yy = spec.inertia.I.zz = 1;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_set_mimic_independent(model, independent));
  assert_status(mbd_model_finalize(model), expected);
  return model;
}

static void
mimic_follows_a_joint_that_is_there(void ** context)
{
  (void)context;
  const char * bad[] = {"nobody", "elbow", "socket"};
  for (int k = 0; k < 3; k++) {
    mbd_model_t * model = with_mimic(bad[k], false, MBD_ERROR_BAD_JOINT);
    assert_string_equal(model->error_name, "elbow");
    assert_true(!model->finalized);
    mbd_model_destroy(model);
  }
  mbd_model_t * model = with_mimic("shoulder", false, MBD_OK);
  int body, leader;
  assert_ok(mbd_find_joint(model, "elbow", &body));
  assert_ok(mbd_find_joint(model, "shoulder", &leader));
  assert_int_equal(model->body[body].mimic_body, leader);
  assert_int_equal(model->body[leader].mimic_body, -1);
  assert_near(model->body[body].mimic_multiplier, -2, 0, "multiplier");
  assert_near(model->body[body].mimic_offset, 0.5, 0, "offset");
  assert_int_equal(model->nmimic, 1);
  mbd_model_destroy(model);
}

// a follows b and b follows a
static void
mimic_in_a_circle_is_refused(void ** context)
{
  (void)context;
  int arm, frame;
  mbd_model_t * model = one_link(&arm);
  static const char * const name[3] = {"one", "two", "three"};
  for (int k = 0; k < 3; k++) {
    mbd_body_spec_t spec = good_spec(arm);
    spec.name = spec.joint_name = name[k];
    spec.mimic.joint = name[(k + 1) % 3];
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  assert_status(mbd_model_finalize(model), MBD_ERROR_BAD_JOINT);
  assert_non_null(model->error_name);
  assert_true(!model->finalized);
  mbd_model_destroy(model);
}

// kinematics work, dynamics only when told to
static void
mimic_is_refused_by_dynamics(void ** context)
{
  (void)context;
  for (int independent = 0; independent < 2; independent++) {
    mbd_model_t * m = with_mimic("shoulder", independent, MBD_OK);
    mbd_data_t * d;
    double q[6] = {0.1, 0.2, 0, 0, 0, 1}, v[5] = {1, 2, 3, 4, 5}, x[5] = {7, 7, 7, 7, 7};
    double M[25], J[30], C[36];
    mbd_motion_t V;
    const mbd_status_t expected = independent ? MBD_OK : MBD_ERROR_MIMIC;
    assert_ok(mbd_data_create(m, &d));
    assert_ok(mbd_set_position(m, d, q));
    assert_ok(mbd_set_velocity(m, d, v));
    assert_ok(mbd_set_acceleration(m, d, v));
    assert_ok(mbd_jacobian(m, d, 1, MBD_LOCAL, J));
    assert_ok(mbd_frame_velocity(m, d, 1, MBD_LOCAL, &V));
    assert_status(mbd_inverse_dynamics(m, d, q, v, v, NULL, x), expected);
    assert_status(mbd_forward_dynamics(m, d, q, v, v, NULL, x), expected);
    if (!independent) assert_true(x[0] == 7 && x[4] == 7);
    assert_ok(mbd_set_position(m, d, q));
    assert_ok(mbd_set_velocity(m, d, v));
    assert_status(mbd_bias(m, d, x), expected);
    assert_status(mbd_gravity(m, d, x), expected);
    assert_status(mbd_mass_matrix(m, d, M), expected);
    assert_ok(mbd_set_position(m, d, q));
    assert_ok(mbd_set_velocity(m, d, v));
    assert_status(mbd_mass_matrix_inverse(m, d, M), expected);
    assert_status(mbd_coriolis_matrix(m, d, M), expected);
    assert_status(mbd_articulated_inertia(m, d), expected);
    assert_status(mbd_compliance(m, d), expected);
    assert_status(mbd_operational_space_compliance(m, d, 1, MBD_LOCAL, C), expected);
    assert_status(mbd_operational_space_inertia(m, d, 1, MBD_LOCAL, C, NULL), expected);
    mbd_data_destroy(d);
    mbd_model_destroy(m);
  }
}

//---------- axes of the plane ----------

// X and Y turned by the shortest rotation that takes z to n: Rodrigues about z x n
static void
plane_axes(const long double n[3], double x[3], double y[3])
{
  const long double s = hypotl(n[0], n[1]), c = n[2];
  const long double k[3] = {s > 0 ? -n[1] / s : 1, s > 0 ? n[0] / s : 0, 0};
  for (int e = 0; e < 2; e++) {
    const long double v[3] = {e == 0, e == 1, 0}, dot = k[0] * v[0] + k[1] * v[1];
    const long double cross[3] = {
      k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]};
    for (int i = 0; i < 3; i++) {
      (e ? y : x)[i] = (double)(c * v[i] + s * cross[i] + (1 - c) * dot * k[i]);
    }
  }
}

// where a planar joint of this normal moves its link for q = (1, 0, 0), (0, 1, 0), and how a quarter
// turn leaves it, against the axes that the header promises
static void
check_plane(const double axis[3])
{
  mbd_model_t * model;
  mbd_data_t * data;
  mbd_body_spec_t spec = mbd_body_spec_default();
  uint64_t state = 3;
  spec.name = "puck", spec.joint_name = "table", spec.type = MBD_JOINT_PLANAR;
  spec.axis = mbdu_vec3(axis[0], axis[1], axis[2]);
  spec.inertia = random_inertia(&state);
  assert_ok(mbd_model_create("robot", &model));
  int frame;
  assert_ok(mbd_model_add_body(model, &spec, &frame));
  assert_ok(mbd_model_finalize(model));
  assert_ok(mbd_data_create(model, &data));

  // of length one, in more digits than the library has
  long double n[3], big = 0, norm = 0;
  for (int i = 0; i < 3; i++) big = fmaxl(big, fabsl(axis[i]));
  for (int i = 0; i < 3; i++) n[i] = axis[i] / big, norm += n[i] * n[i];
  for (int i = 0; i < 3; i++) n[i] /= sqrtl(norm);
  double x[3], y[3];
  plane_axes(n, x, y);

  char what[100];
  snprintf(what, sizeof what, "normal %.17g %.17g %.17g", axis[0], axis[1], axis[2]);
  mbd_placement_t X;
  for (int e = 0; e < 2; e++) {
    const double q[3] = {e == 0, e == 1, 0};
    assert_ok(mbd_set_position(model, data, q));
    assert_ok(mbd_frame_placement(model, data, frame, &X));
    assert_close(&X.p.x, e ? y : x, 3, 1e-15, "%s", what);
  }
  // half a turn about n: v -> 2 n (n v) - v
  const double half[3] = {0, 0, 3.14159265358979323846};
  assert_ok(mbd_set_position(model, data, half));
  assert_ok(mbd_frame_placement(model, data, frame, &X));
  double wanted[9];
  for (int i = 0; i < 9; i++) wanted[i] = (double)(2 * n[i / 3] * n[i % 3]) - (i % 4 == 0);
  assert_close(X.R.m, wanted, 9, 4e-15, "%s", what);
  mbd_data_destroy(data);
  mbd_model_destroy(model);
}

static void
plane_has_the_axes_that_the_header_promises(void ** context)
{
  (void)context;
  // the four normals that the header names, by its words and not by a formula
  static const double named[4][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
  static const double promised[4][6] = {
    {1, 0, 0, 0, 1, 0}, {0, 0, -1, 0, 1, 0}, {1, 0, 0, 0, 0, -1}, {1, 0, 0, 0, -1, 0}};
  int checked = 0;
  for (int k = 0; k < 4; k++) {
    const long double n[3] = {named[k][0], named[k][1], named[k][2]};
    double xy[6];
    plane_axes(n, xy, xy + 3);
    assert_close(xy, promised[k], 6, 0, "named normal");
    // of any length
    for (int length = 1; length < 200; length++) {
      const double far = length < 100 ? length : pow(10, 4 * (length - 150));
      const double axis[3] = {far * named[k][0], far * named[k][1], far * named[k][2]};
      if (far > 1e-12) check_plane(axis), checked++;
    }
  }
  // next to z, and next to -z, from 1e-18 to 1
  uint64_t state = 11;
  for (int k = 0; k < 400; k++) {
    const double off = pow(10, -18 * random_between(&state, 0, 1));
    const double angle = random_between(&state, -3.2, 3.2);
    const double axis[3] = {off * cos(angle), off * sin(angle), k % 2 ? 1 : -1};
    check_plane(axis), checked++;
  }
  for (int k = 0; k < 400; k++) {
    double axis[3];
    for (int i = 0; i < 3; i++) axis[i] = random_between(&state, -2, 2);
    check_plane(axis), checked++;
  }
  assert_true(checked > 1300);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_must_be_new),
    cmocka_unit_test(joints_must_make_sense),
    cmocka_unit_test(inertias_must_be_of_bodies),
    cmocka_unit_test(user_joints_must_be_whole),
    cmocka_unit_test(frames_must_make_sense),
    cmocka_unit_test(a_finalized_model_is_constant),
    cmocka_unit_test(null_arguments),
    cmocka_unit_test(names_are_copied),
    cmocka_unit_test(empty_models_work),
    cmocka_unit_test(mimic_follows_a_joint_that_is_there),
    cmocka_unit_test(mimic_in_a_circle_is_refused),
    cmocka_unit_test(mimic_is_refused_by_dynamics),
    cmocka_unit_test(plane_has_the_axes_that_the_header_promises),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
