// Locked joints of the loader: the robot with these joints as fixed ones in the file, and what is refused.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/inertia.h"
#include "mbdyn/integrate.h"
#include "mbdyn/inverse.h"
#include "mbdyn/kinematics.h"
#include "mbdyn/payload.h"
#include "mbdyn/spatial.h"
#include "urdf_test.h"

#define ROBOTS MBDYN_SOURCE_DIR "/config/robots/"

static loaded_t
load_file(const char * path, int n, const char * const * lock)
{
  loaded_t l = {0};
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.nlock = n;
  options.lock = lock;
  l.status = mbdx_urdf_load_file(path, &options, &l.model, &l.report);
  return l;
}

// the bytes of a file with `from` replaced by `to` once
static char *
text_with(const char * path, const char * from, const char * to)
{
  static char text[100000];
  FILE * file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = 0;
  char * at = strstr(text, from);
  assert_non_null(at);
  char * all = malloc(n + strlen(to) + 1);
  assert_non_null(all);
  snprintf(all, n + strlen(to) + 1, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return all;
}

// all joints but one of an arm, against the file with that joint fixed
static void
locked_is_fixed(void ** state)
{
  (void)state;
  static const char * const names[] = {"joint1", "joint2", "joint3", "joint5", "joint6", "joint7"};
  int compared = 0;
  for (int k = 0; k < 6; k++) {
    char from[60], to[60];
    snprintf(from, sizeof from, "<joint name=\"%s\" type=\"revolute\"", names[k]);
    snprintf(to, sizeof to, "<joint name=\"%s\" type=\"fixed\"", names[k]);
    char * fixed = text_with(ROBOTS "arm7.urdf", from, to);
    loaded_t a = load_file(ROBOTS "arm7.urdf", 1, &names[k]), b = load_text(fixed, NULL);
    assert_ok(a.status);
    assert_ok(b.status);
    mbd_data_t *data_a, *data_b;
    assert_ok(mbd_data_create(a.model, &data_a));
    assert_ok(mbd_data_create(b.model, &data_b));
    assert_int_equal(a.model->nv, 6);
    assert_int_equal(b.model->nv, 6);
    for (uint64_t seed = 1; seed <= 5; seed++) {
      double q[6], v[6], M_a[36], M_b[36], tau_a[6], tau_b[6];
      assert_ok(mbd_random_configuration(b.model, seed, q));
      for (int i = 0; i < 6; i++) v[i] = sin((double)seed + i);
      assert_ok(mbd_inverse_dynamics(a.model, data_a, q, v, v, NULL, tau_a));
      assert_ok(mbd_inverse_dynamics(b.model, data_b, q, v, v, NULL, tau_b));
      assert_close(tau_a, tau_b, 6, 1e-12, "torques with %s locked", names[k]);
      assert_ok(mbd_mass_matrix(a.model, data_a, M_a));
      assert_ok(mbd_mass_matrix(b.model, data_b, M_b));
      assert_close(M_a, M_b, 36, 1e-12, "mass matrix with %s locked", names[k]);
      compared++;
    }
    mbd_data_destroy(data_a);
    mbd_data_destroy(data_b);
    loaded_free(&a);
    loaded_free(&b);
    free(fixed);
  }
  assert_int_equal(compared, 30);
}

//---------- random trees ----------

enum { TREES = 200, LINKS_MAX = 12 };

typedef struct link {
  int parent;
  double xyz[3], rpy[3], axis[3], com[3], mass, I[6];
  int type;  // revolute, continuous, prismatic, fixed
  bool locked, has_rotor;
  double position, gear, rotor, damping, friction;
} link_t;

typedef struct robot {
  int n;  // links beside the base
  link_t link[LINKS_MAX];
  bool coupled;
  int couple[2];
} robot_t;

// xorshift: the same robots on every machine
static double
uniform(uint64_t * state, double from, double to)
{
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return from + (to - from) * (double)(*state >> 11) * 0x1p-53;
}

static robot_t
random_robot(uint64_t seed)
{
  uint64_t s = seed * 0x9e3779b97f4a7c15u + 1;
  robot_t r = {.n = 4 + (int)uniform(&s, 0, LINKS_MAX - 3)};
  for (int i = 0; i < r.n; i++) {
    link_t * l = &r.link[i];
    l->parent = (int)uniform(&s, i > 4 ? i - 4 : 0, i + 1) - 1;
    l->type = uniform(&s, 0, 1) < 0.15 ? 3 : (int)uniform(&s, 0, 3);
    for (int k = 0; k < 3; k++) {
      l->xyz[k] = uniform(&s, -1, 1), l->rpy[k] = uniform(&s, -1.4, 1.4);
      l->axis[k] = uniform(&s, 0.2, 1), l->com[k] = uniform(&s, -0.3, 0.3);
      l->I[k] = uniform(&s, 0.1, 0.15), l->I[3 + k] = uniform(&s, -0.02, 0.02);
    }
    const double a =
      sqrt(l->axis[0] * l->axis[0] + l->axis[1] * l->axis[1] + l->axis[2] * l->axis[2]);
    for (int k = 0; k < 3; k++) l->axis[k] /= a;
    l->mass = uniform(&s, 0.5, 2);
    l->locked = l->type != 3 && uniform(&s, 0, 1) < 0.4;
    l->position = uniform(&s, -1, 1);
    l->has_rotor = uniform(&s, 0, 1) < 0.5;
    l->gear = uniform(&s, 20, 100), l->rotor = uniform(&s, 1e-5, 1e-4);
    l->damping = uniform(&s, 0, 1), l->friction = uniform(&s, 0, 1);
  }
  // two joints that stay are geared to each other in half of the robots
  int free = 0;
  for (int i = 0; i < r.n; i++) {
    if (r.link[i].type == 3 || r.link[i].locked) continue;
    if (free < 2) r.couple[free] = i;
    free++;
  }
  r.coupled = free > 2 && seed % 2;
  return r;
}

// the origin of a joint that is fixed at its position: rpy of R(rpy) R(axis, position), or further along
static void
fixed_origin(const link_t * l, double xyz[3], double rpy[3])
{
  const double cr = cos(l->rpy[0]), sr = sin(l->rpy[0]), cp = cos(l->rpy[1]), sp = sin(l->rpy[1]);
  const double cy = cos(l->rpy[2]), sy = sin(l->rpy[2]), *u = l->axis;
  const double R[3][3] = {
    {cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
    {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
    {-sp, cp * sr, cp * cr}};
  memcpy(xyz, l->xyz, 3 * sizeof *xyz);
  memcpy(rpy, l->rpy, 3 * sizeof *rpy);
  if (l->type == 2) {
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) xyz[i] += R[i][k] * u[k] * l->position;
    return;
  }
  const double c = cos(l->position), s = sin(l->position);
  const double cross[3][3] = {{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}};
  double T[3][3] = {{0}};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      for (int k = 0; k < 3; k++)
        T[i][j] += R[i][k] * ((k == j) * c + s * cross[k][j] + (1 - c) * u[k] * u[j]);
    }
  }
  rpy[0] = atan2(T[2][1], T[2][2]), rpy[2] = atan2(T[1][0], T[0][0]);
  rpy[1] = atan2(-T[2][0], hypot(T[0][0], T[1][0]));
}

static char *
write_urdf(const robot_t * r, bool fixed)
{
  static const char * const types[] = {"revolute", "continuous", "prismatic", "fixed"};
  enum { SIZE = 40000 };
  char * text = malloc(SIZE);
  assert_non_null(text);
  size_t n = (size_t)snprintf(text, SIZE, "<robot name=\"r\"><link name=\"base\"/>\n");
  for (int i = 0; i < r->n; i++) {
    const link_t * l = &r->link[i];
    const bool is_fixed = l->type == 3 || (fixed && l->locked);
    double xyz[3], rpy[3];
    char parent[20] = "base";
    memcpy(xyz, l->xyz, sizeof xyz), memcpy(rpy, l->rpy, sizeof rpy);
    if (fixed && l->locked) fixed_origin(l, xyz, rpy);
    if (l->parent >= 0) snprintf(parent, sizeof parent, "l%d", l->parent);
    n += (size_t)snprintf(
      text + n, SIZE - n,
      "<link name=\"l%d\"><inertial><origin xyz=\"%.17g %.17g %.17g\"/><mass value=\"%.17g\"/>"
      "<inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" "
      "iyz=\"%.17g\"/></inertial></link>\n"
      "<joint name=\"j%d\" type=\"%s\"><parent link=\"%s\"/><child link=\"l%d\"/>"
      "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>",
      i, l->com[0], l->com[1], l->com[2], l->mass, l->I[0], l->I[1], l->I[2], l->I[3], l->I[4],
      l->I[5], i, types[is_fixed ? 3 : l->type], parent, i, xyz[0], xyz[1], xyz[2], rpy[0], rpy[1],
      rpy[2]);
    if (!is_fixed) {
      n += (size_t)snprintf(
        text + n, SIZE - n,
        "<axis xyz=\"%.17g %.17g %.17g\"/><limit lower=\"-2\" upper=\"2\" effort=\"9\" "
        "velocity=\"9\"/><dynamics damping=\"%.17g\" friction=\"%.17g\"/>",
        l->axis[0], l->axis[1], l->axis[2], l->damping, l->friction);
    }
    n += (size_t)snprintf(text + n, SIZE - n, "</joint>\n");
    if (is_fixed || !l->has_rotor) continue;
    n += (size_t)snprintf(
      text + n, SIZE - n,
      "<transmission name=\"t%d\"><joint name=\"j%d\"/><actuator name=\"m%d\"><mechanicalReduction>"
      "%.17g</mechanicalReduction><drake:rotor_inertia "
      "value=\"%.17g\"/></actuator></transmission>\n",
      i, i, i, l->gear, l->rotor);
  }
  snprintf(text + n, SIZE - n, "</robot>");
  return text;
}

static loaded_t
load_random(const robot_t * r, bool fixed)
{
  static char text[LINKS_MAX][60];
  const char * lock[LINKS_MAX];
  char loops[200];
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  for (int i = 0; i < r->n && !fixed; i++) {
    if (!r->link[i].locked) continue;
    snprintf(text[i], sizeof text[i], "j%d: %.17g", i, r->link[i].position);
    lock[options.nlock++] = text[i];
  }
  options.lock = lock;
  snprintf(
    loops, sizeof loops, "closures: [{name: gear, type: coupling, joints: {j%d: 1.0, j%d: -0.5}}]",
    r->couple[0], r->couple[1]);
  if (r->coupled) options.loops_text = loops;
  char * urdf = write_urdf(r, fixed);
  loaded_t l = load_text(urdf, &options);
  if (l.status != MBD_OK) print_report(l.report);
  assert_ok(l.status);
  free(urdf);
  return l;
}

// torques, mass matrices, frames; with a payload on a frame and forces of friction
static void
compare_loaded(const loaded_t * a, const loaded_t * b, uint64_t seed)
{
  const int n = b->model->nv;
  mbd_data_t *da, *db;
  double q[LINKS_MAX], v[LINKS_MAX], x[LINKS_MAX * LINKS_MAX], y[LINKS_MAX * LINKS_MAX];
  assert_int_equal(a->model->nv, n);
  assert_int_equal(a->model->nframe, b->model->nframe);
  assert_ok(mbd_data_create(a->model, &da));
  assert_ok(mbd_data_create(b->model, &db));
  const mbd_inertia_t load =
    mbdu_inertia_from_com(0.7, mbdu_vec3(0.1, 0.2, 0.3), (mbd_sym3_t){0.01, 0, 0, 0.01, 0, 0.01});
  const int at = (int)(seed % (uint64_t)b->model->nframe);
  int same;
  assert_ok(mbd_find_frame(a->model, b->model->frame[at].name, &same));
  assert_ok(mbd_payload_attach(a->model, da, same, &load));
  assert_ok(mbd_payload_attach(b->model, db, at, &load));
  assert_ok(mbd_set_terms(da, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  assert_ok(mbd_set_terms(db, MBD_TERM_FRICTION | MBD_TERM_ROTORS));
  assert_ok(mbd_random_configuration(b->model, seed, q));
  for (int i = 0; i < n; i++) v[i] = sin((double)seed + i);
  assert_ok(mbd_inverse_dynamics(a->model, da, q, v, v, NULL, x));
  assert_ok(mbd_inverse_dynamics(b->model, db, q, v, v, NULL, y));
  assert_close(x, y, n, 1e-12, "torques, seed %d", (int)seed);
  assert_ok(mbd_mass_matrix(a->model, da, x));
  assert_ok(mbd_mass_matrix(b->model, db, y));
  assert_close(x, y, n * n, 1e-12, "mass matrix, seed %d", (int)seed);
  for (int f = 0; f < b->model->nframe; f++) {
    mbd_placement_t X, Y;
    assert_ok(mbd_find_frame(a->model, b->model->frame[f].name, &same));
    assert_ok(mbd_frame_placement(a->model, da, same, &X));
    assert_ok(mbd_frame_placement(b->model, db, f, &Y));
    assert_close(&X.p.x, &Y.p.x, 3, 1e-12, "frame, seed %d", (int)seed);
    assert_close(X.R.m, Y.R.m, 9, 1e-12, "frame, seed %d", (int)seed);
  }
  mbd_data_destroy(da);
  mbd_data_destroy(db);
}

// random robots with rotors, friction, payloads and gears, against the file with fixed joints in place of
// the locked ones
static void
trees_are_those_of_fixed_joints(void ** state)
{
  (void)state;
  int compared = 0, locked = 0, left = 0, coupled = 0, rotors = 0;
  for (uint64_t seed = 1; compared < TREES; seed++) {
    const robot_t r = random_robot(seed);
    int n = 0, moving = 0;
    for (int i = 0; i < r.n; i++) {
      n += r.link[i].locked, moving += r.link[i].type != 3 && !r.link[i].locked;
      rotors += r.link[i].has_rotor && r.link[i].locked;
    }
    if (n == 0 || moving == 0) continue;
    loaded_t a = load_random(&r, false), b = load_random(&r, true);
    compare_loaded(&a, &b, seed);
    compared++, locked += n, left += moving, coupled += r.coupled;
    loaded_free(&a);
    loaded_free(&b);
  }
  print_message("%d locked, %d left, %d robots with gears\n", locked, left, coupled);
  assert_true(locked > 400 && left > 400 && coupled > 50 && rotors > 200);
}

// the pose of the tool is that of the complete arm with the joints where they are locked
static void
positions_are_those_asked_for(void ** state)
{
  (void)state;
  // joint4 cannot be at 0: its limits are -3.0718 and -0.0698
  static const char * const lock[] = {"joint2: -0.4", "joint4", "joint6:1e0"};
  loaded_t all = load_file(ROBOTS "arm7.urdf", 0, NULL);
  loaded_t l = load_file(ROBOTS "arm7.urdf", 3, lock);
  assert_ok(l.status);
  assert_entry("locked", l.report, MBDX_NOTE, 0, "joint 'joint2': locked at -0.4 rad");
  assert_entry("locked", l.report, MBDX_NOTE, 0, "joint 'joint4': locked at -0.0698 rad");
  mbd_data_t *data, *data_all;
  int tool;
  const double q[4] = {0.1, 0.2, 0.3, 0.4}, q_all[7] = {0.1, -0.4, 0.2, -0.0698, 0.3, 1, 0.4};
  mbd_placement_t X, Y;
  assert_int_equal(l.model->nq, 4);
  assert_ok(mbd_data_create(l.model, &data));
  assert_ok(mbd_data_create(all.model, &data_all));
  assert_ok(mbd_find_frame(all.model, "tool", &tool));
  assert_ok(mbd_set_position(all.model, data_all, q_all));
  assert_ok(mbd_set_position(l.model, data, q));
  assert_ok(mbd_frame_placement(all.model, data_all, tool, &X));
  assert_ok(mbd_find_frame(l.model, "tool", &tool));
  assert_ok(mbd_frame_placement(l.model, data, tool, &Y));
  assert_close(&Y.p.x, &X.p.x, 3, 1e-14, "tool");
  assert_close(Y.R.m, X.R.m, 9, 1e-14, "tool");
  mbd_data_destroy(data);
  mbd_data_destroy(data_all);
  loaded_free(&l);
  loaded_free(&all);
}

// of a four-bar the other joints are locked with one
static void
loops_are_locked_as_a_whole(void ** state)
{
  (void)state;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  static const char * const lock[] = {"knuckle"};
  options.loops_file = ROBOTS "finger.loops.yaml";
  options.nlock = 1;
  options.lock = lock;
  loaded_t l = {0};
  l.status = mbdx_urdf_load_file(ROBOTS "finger.urdf", &options, &l.model, &l.report);
  assert_ok(l.status);
  assert_int_equal(l.model->nv, 0);
  assert_int_equal(l.model->nframe, 4);
  assert_entry(
    "tip", l.report, MBDX_NOTE, 0, "joint 'tip': locked too, since it can no longer move");
  loaded_free(&l);
}

static void
wrong_locks_are_refused(void ** state)
{
  (void)state;
  static const struct {
    const char *lock, *text;
  } CASE[] = {
    {"joint", "lock 'joint': the robot has no moving joint 'joint'; give JOINT or"},
    {"base_mount", "the robot has no moving joint 'base_mount'"},
    {"joint1: ", "lock 'joint1: ': \" \" is not a position"},
    {"joint1: x", "\" x\" is not a position"},
    {"joint1: 1 2", "\" 1 2\" is not a position"},
    {"joint1: nan", "\" nan\" is not a position"},
    {"joint1: 1e999", "\" 1e999\" is not a position"},
    {": 1", "the robot has no moving joint ''"},
    {"", "the robot has no moving joint ''"},
    {NULL, "the robot has no moving joint ''"},
  };
  for (size_t k = 0; k < sizeof CASE / sizeof CASE[0]; k++) {
    loaded_t l = load_file(ROBOTS "arm7.urdf", 1, &CASE[k].lock);
    assert_int_equal(l.status, MBD_ERROR_URDF);
    assert_null(l.model);
    assert_entry("wrong", l.report, MBDX_ERROR, 0, CASE[k].text);
    loaded_free(&l);
  }
  const char * outside = "joint1: 3";
  loaded_t l = load_file(ROBOTS "arm7.urdf", 1, &outside);
  assert_ok(l.status);
  assert_entry(
    "outside", l.report, MBDX_WARNING, 0,
    "lock 'joint1: 3': 3 is outside of the limits of the joint, -2.8973 to 2.8973");
  loaded_free(&l);
  l = load_file(ROBOTS "arm7.urdf", 1, NULL);
  assert_int_equal(l.status, MBD_ERROR_BAD_ARGUMENT);
  loaded_free(&l);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(locked_is_fixed),
    cmocka_unit_test(trees_are_those_of_fixed_joints),
    cmocka_unit_test(positions_are_those_asked_for),
    cmocka_unit_test(loops_are_locked_as_a_whole),
    cmocka_unit_test(wrong_locks_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
