// Mechanisms from files: those of config/mechanisms in two formulations, figures of the book, drivers,
// joints in either direction, massless links, random graphs.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints.h"
#include "mbdyn/dynamics.h"
#include "mbdyn/mechanism.h"
#include "mbdyn/simulate.h"
#include "random_tree.h"
#include "tally.h"
#include "urdf_test.h"

#define FOLDER MBDYN_SOURCE_DIR "/config/mechanisms/"

// a mechanism with its accelerations and multipliers
typedef struct machine {
  mbdx_mechanism_t * m;
  const mbd_model_t * model;
  mbd_data_t * data;
  double *work, *qdd, *lambda;
} machine_t;

static void
machine_free(machine_t * a)
{
  mbd_data_destroy(a->data);
  mbdx_mechanism_free(a->m);
  free(a->work), free(a->qdd), free(a->lambda);
}

// massless bodies that closures alone carry have accelerations in a chart only
static void
accelerate_in_a_chart(machine_t * a)
{
  mbd_simulation_t * sim;
  assert_ok(mbd_simulation_create(a->model, NULL, &sim));
  assert_ok(mbd_set_terms(mbd_simulation_data(sim), MBD_TERM_ELEMENTS));
  assert_ok(mbd_simulation_start(sim, 0, a->m->q, a->m->v, NULL));
  const mbd_simulation_info_t * info = mbd_simulation_info(sim);
  memcpy(a->qdd, info->qdd, (size_t)a->model->nv * sizeof *a->qdd);
  memcpy(a->lambda, info->lambda, (size_t)a->model->nrow * sizeof *a->lambda);
  mbd_simulation_destroy(sim);
  assert_ok(mbd_set_state(a->model, a->data, a->m->q, a->m->v));
  assert_ok(mbd_set_acceleration(a->model, a->data, a->qdd));
}

static void
accelerate(machine_t * a)
{
  const mbd_status_t status = mbd_constrained_forward_dynamics(
    a->model, a->data, a->m->q, a->m->v, NULL, NULL, NULL, a->work, a->qdd, a->lambda, NULL);
  if (status == MBD_ERROR_MASSLESS_SUBTREE)
    accelerate_in_a_chart(a);
  else
    assert_ok(status);
}

static machine_t
machine_of(mbdx_mechanism_t * m)
{
  machine_t a = {.m = m, .model = m->model};
  assert_ok(mbd_data_create(a.model, &a.data));
  assert_ok(mbd_set_terms(a.data, MBD_TERM_ELEMENTS));
  a.work = calloc(mbd_constrained_work(a.model), sizeof *a.work);
  a.qdd = calloc((size_t)a.model->nv + 1, sizeof *a.qdd);
  a.lambda = calloc((size_t)a.model->nrow + 1, sizeof *a.lambda);
  accelerate(&a);
  return a;
}

static machine_t
load(const char * path, mbdx_coordinates_t coordinates)
{
  mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
  mbdx_mechanism_t * m;
  mbdx_report_t * report;
  options.coordinates = coordinates;
  const mbd_status_t status = mbdx_mechanism_load_file(path, &options, &m, &report);
  if (status != MBD_OK) print_report(report);
  assert_ok(status);
  assert_report_sound(report);
  mbdx_report_free(report);
  return machine_of(m);
}

static double
coordinate(const machine_t * a, const char * joint, bool velocity)
{
  int body;
  assert_ok(mbd_find_joint(a->model, joint, &body));
  const mbd_body_t * b = &a->model->body[body];
  return velocity ? a->m->v[b->v_index] : a->m->q[b->q_index];
}

static const double *
multipliers(const machine_t * a, const char * closure)
{
  int k;
  assert_ok(mbd_find_closure(a->model, closure, &k));
  return a->lambda + a->model->closure[k].row;
}

//---------- two formulations ----------

// pose, velocity and acceleration of a link, closures and elements counted
static void
motion_of(machine_t * a, const char * link, double * x)
{
  int frame;
  mbd_placement_t X;
  mbd_motion_t V, A;
  assert_ok(mbd_find_frame(a->model, link, &frame));
  assert_ok(mbd_frame_placement(a->model, a->data, frame, &X));
  assert_ok(mbd_frame_velocity(a->model, a->data, frame, MBD_LOCAL_WORLD_ALIGNED, &V));
  assert_ok(mbd_frame_acceleration(a->model, a->data, frame, MBD_LOCAL_WORLD_ALIGNED, &A));
  memcpy(x, &X.p.x, 3 * sizeof *x);
  memcpy(x + 3, X.R.m, 9 * sizeof *x);
  memcpy(x + 12, &V.ang.x, 6 * sizeof *x);
  memcpy(x + 18, &A.ang.x, 6 * sizeof *x);
}

static int
same_motion(machine_t * tree, machine_t * cartesian, const char * what)
{
  int compared = 0;
  assert_int_equal(tree->m->mobility, cartesian->m->mobility);
  // bodies of the file are the links of the Cartesian model
  for (int i = 0; i < cartesian->model->nbody; i++) {
    const char * link = cartesian->model->body[i].name;
    double x[24], y[24];
    motion_of(tree, link, x);
    motion_of(cartesian, link, y);
    assert_close_(x, y, 12, 1e-8, 1, __FILE__, __LINE__, "pose of %s, %s", link, what);
    assert_close_(x + 12, y + 12, 6, 1e-7, 1, __FILE__, __LINE__, "velocity of %s, %s", link, what);
    assert_close_(
      x + 18, y + 18, 6, 1e-6, 1, __FILE__, __LINE__, "acceleration of %s, %s", link, what);
    compared++;
  }
  return compared;
}

static void
bundled_files_in_two_formulations(void ** state)
{
  (void)state;
  DIR * folder = opendir(FOLDER);
  assert_non_null(folder);
  int files = 0, bodies = 0;
  for (struct dirent * e; (e = readdir(folder)) != NULL;) {
    if (!strstr(e->d_name, ".mechanism.yaml")) continue;
    if (strcmp(e->d_name, "rolling_ellipsoid.mechanism.yaml") == 0) continue;
    char path[1024];
    snprintf(path, sizeof path, "%s%s", FOLDER, e->d_name);
    machine_t tree = load(path, MBDX_COORDINATES_TREE);
    machine_t cartesian = load(path, MBDX_COORDINATES_CARTESIAN);
    bodies += same_motion(&tree, &cartesian, e->d_name);
    machine_free(&tree);
    machine_free(&cartesian);
    files++;
  }
  closedir(folder);
  assert_true(files >= 17 && bodies >= 60);
}

//---------- figures of the book ----------

// one step of fourth order of a mechanism without closures
static void
runge_kutta(machine_t * a, double h)
{
  enum { N = 2 };
  assert_int_equal(a->model->nv, N);
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double q[N], v[N], k_q[N] = {0}, k_v[N] = {0}, sum_q[N] = {0}, sum_v[N] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < N; i++) {
      q[i] = a->m->q[i] + part[s] * h * k_q[i];
      v[i] = a->m->v[i] + part[s] * h * k_v[i];
    }
    assert_ok(mbd_forward_dynamics(a->model, a->data, q, v, NULL, NULL, k_v));
    for (int i = 0; i < N; i++) {
      k_q[i] = v[i];
      sum_q[i] += weight[s] * k_q[i] / 6, sum_v[i] += weight[s] * k_v[i] / 6;
    }
  }
  for (int i = 0; i < N; i++) a->m->q[i] += h * sum_q[i], a->m->v[i] += h * sum_v[i];
}

// angles and rates at 10 s, reactions of 119.6 N and 109.8 N at the start
static void
double_pendulum_with_springs(void ** state)
{
  (void)state;
  const char * path = FOLDER "double_pendulum_springs.mechanism.yaml";
  machine_t c = load(path, MBDX_COORDINATES_CARTESIAN);
  const double *pivot = multipliers(&c, "pivot"), *elbow = multipliers(&c, "elbow");
  assert_close(
    (const double[]){hypot(pivot[0], pivot[1])}, (const double[]){119.6}, 1, 1e-9, "pivot");
  assert_close(
    (const double[]){hypot(elbow[0], elbow[1])}, (const double[]){109.8}, 1, 1e-9, "elbow");
  machine_free(&c);
  machine_t a = load(path, MBDX_COORDINATES_TREE);
  for (int k = 0; k < 40000; k++) runge_kutta(&a, 2.5e-4);
  const double one = coordinate(&a, "pivot", false), two = one + coordinate(&a, "elbow", false);
  const double d_one = coordinate(&a, "pivot", true), d_two = d_one + coordinate(&a, "elbow", true);
  const double found[4] = {one, two, d_one, d_two};
  const double expected[4] = {-0.891111652, -0.193705451, 0.04992818, -8.00727963};
  for (int k = 0; k < 4; k++) {
    if (fabs(found[k] - expected[k]) > 2e-8) fail_msg("%d: %.10g, %.10g", k, found[k], expected[k]);
  }
  machine_free(&a);
}

static void
rod_between_spheres(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    machine_t a = load(FOLDER "double_pendulum_rod.mechanism.yaml", (mbdx_coordinates_t)c);
    double energy[2];
    assert_int_equal(a.m->mobility, 8);
    assert_true(fabs(fabs(multipliers(&a, "rod")[0]) - 4485) < 1e-6);
    assert_ok(mbd_kinetic_energy(a.model, a.data, &energy[0]));
    assert_ok(mbd_potential_energy(a.model, a.data, &energy[1]));
    assert_true(fabs(energy[0] + energy[1] + 1830) < 1e-9);
    assert_true(a.m->simulate.time == 20 && a.m->simulate.method[0] == 0);
    machine_free(&a);
  }
}

static void
slider_crank_energy(void ** state)
{
  (void)state;
  machine_t a = load(FOLDER "slider_crank.mechanism.yaml", MBDX_COORDINATES_TREE);
  double energy;
  assert_int_equal(a.m->mobility, 1);
  assert_ok(mbd_kinetic_energy(a.model, a.data, &energy));
  assert_true(fabs(energy - 1000) < 1e-9);
  // x = R cos + sqrt(4 - R^2 sin^2): x'' = -(R + R^2 / 2) w^2 at the dead centre
  int body;
  assert_ok(mbd_find_joint(a.model, "guide", &body));
  assert_true(fabs(a.qdd[a.model->body[body].v_index] + 262.5) < 1e-9);
  machine_free(&a);
}

// phi1 = atan2(2 + 1.5 sin phi2, 1.5 cos phi2), x4 = 4 cos phi1 - sqrt(2.5298^2 - (4 - 4 sin phi1)^2)
static void
quick_return_closed_form(void ** state)
{
  (void)state;
  machine_t a = load(FOLDER "quick_return.mechanism.yaml", MBDX_COORDINATES_TREE);
  assert_int_equal(a.m->mobility, 1);
  double x[3];
  const double phi = coordinate(&a, "shaft", false), h = 1e-5;
  for (int k = -1; k <= 1; k++) {
    const double p2 = phi + k * h, p1 = atan2(2 + 1.5 * sin(p2), 1.5 * cos(p2));
    const double up = 4 - 4 * sin(p1);
    x[k + 1] = 4 * cos(p1) - sqrt(2.5298 * 2.5298 - up * up);
    if (k == 0) assert_true(fabs(coordinate(&a, "pivot", false) - p1) < 1e-9);
  }
  assert_true(fabs(coordinate(&a, "guide", false) - x[1]) < 1e-9);
  assert_true(fabs(coordinate(&a, "shaft", true) - 6) < 1e-12);
  assert_true(fabs(coordinate(&a, "guide", true) - 6 * (x[2] - x[0]) / (2 * h)) < 1e-6);
  machine_free(&a);
}

//---------- texts ----------

#define BAR                                                                  \
  "bodies:\n"                                                                \
  "  - {name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"   \
  "  - {name: tip, mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n" \
  "joints:\n"

static machine_t
load_yaml(const char * text)
{
  mbdx_mechanism_t * m;
  mbdx_report_t * report;
  const mbd_status_t status =
    mbdx_mechanism_load_string(text, strlen(text), "text", NULL, &m, &report);
  if (status != MBD_OK) print_report(report);
  assert_ok(status);
  mbdx_report_free(report);
  return machine_of(m);
}

// a joint of each type between bar and tip, written in both directions: the same motion, and for joints
// with axes the same coordinates
static void
joints_in_either_direction(void ** state)
{
  (void)state;
  static const char * const TYPES[] = {"revolute",  "continuous",  "prismatic",
                                       "helical",   "cylindrical", "universal",
                                       "spherical", "planar",      "fixed"};
  int compared = 0;
  for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++) {
    const char * pitch = strcmp(TYPES[k], "helical") == 0 ? ", pitch: 0.2" : "";
    machine_t a[2];
    for (int swapped = 0; swapped < 2; swapped++) {
      char text[2000];
      snprintf(
        text, sizeof text,
        BAR
        "  - {name: base, type: spherical, a: world, b: {link: bar, xyz: [-0.1, 0, 0.2]}}\n"
        "  - {name: joint, type: %s%s, %s: {link: bar, xyz: [1, 0, 0], rpy: [0.3, 0.2, 0.1]},"
        " %s: {link: tip, xyz: [0, 0.1, 0], rpy: [0.1, -0.2, 0.4]}}\n",
        TYPES[k], pitch, swapped ? "b" : "a", swapped ? "a" : "b");
      a[swapped] = load_yaml(text);
      assert_int_equal(a[swapped].model->nclosure, 0);
    }
    int body;
    if (mbd_find_joint(a[0].model, "joint", &body) == MBD_OK) {
      // move it, and say the other way round how
      const mbd_body_t * b = &a[0].model->body[body];
      double *q = a[0].m->q + b->q_index, *r = a[1].m->q + b->q_index;
      double *v = a[0].m->v + b->v_index, *w = a[1].m->v + b->v_index;
      double step[16];
      for (int i = 0; i < b->nv; i++) v[i] = 0.4 + 0.1 * i;
      assert_ok(mbd_integrate(a[0].model, a[0].m->q, a[0].m->v, 1, step));
      memcpy(a[0].m->q, step, (size_t)a[0].model->nq * sizeof *step);
      if (b->nv <= 2 && b->type != MBD_JOINT_UNIVERSAL) {
        // b in a one way is a in b the other way, with both frames turned: coordinates change sign
        for (int i = 0; i < b->nv; i++) r[i] = -q[i], w[i] = -v[i];
        accelerate(&a[0]);
        accelerate(&a[1]);
        double x[24], y[24];
        motion_of(&a[0], "tip", x);
        motion_of(&a[1], "tip", y);
        assert_close_(x, y, 24, 1e-9, 1, __FILE__, __LINE__, "%s", TYPES[k]);
        compared++;
      }
    }
    machine_free(&a[0]);
    machine_free(&a[1]);
  }
  assert_int_equal(compared, 5);
}

// the carrier of a joint may be on the side of b: coordinates stay those of b in a
static void
coordinates_are_of_b_in_a(void ** state)
{
  (void)state;
  static const char * const ONE[] = {"revolute", "prismatic", "helical", "cylindrical"};
  for (size_t k = 0; k < sizeof ONE / sizeof *ONE; k++) {
    char text[2000];
    const char * initial = strcmp(ONE[k], "cylindrical") == 0 ? "[0.3, 0.2]" : "0.3";
    snprintf(
      text, sizeof text,
      BAR
      "  - {name: base, type: fixed, a: world, b: tip}\n"
      "  - {name: joint, type: %s, a: bar, b: {link: tip, xyz: [0.2, 0, 0]}}\n"
      "initial: {joint: %s}\n",
      ONE[k], initial);
    machine_t a = load_yaml(text);
    int bar, tip;
    mbd_placement_t A, B;
    assert_ok(mbd_find_frame(a.model, "bar", &bar));
    assert_ok(mbd_find_frame(a.model, "tip", &tip));
    assert_ok(mbd_frame_placement(a.model, a.data, bar, &A));
    assert_ok(mbd_frame_placement(a.model, a.data, tip, &B));
    const mbd_placement_t inverse = mbdu_placement_inverse(&A);
    const mbd_placement_t X = mbdu_placement_mul(&inverse, &B);
    const mbd_vec3_t p = mbdu_placement_point(&X, mbdu_vec3(0.2, 0, 0));
    const double angle = atan2(X.R.m[3], X.R.m[0]);
    assert_true(fabs(angle - (k == 1 ? 0 : 0.3)) < 1e-12);
    assert_true(fabs(p.z - (k == 1 ? 0.3 : k == 3 ? 0.2 : 0)) < 1e-12);
    assert_true(fabs(p.x) < 1e-12 && fabs(p.y) < 1e-12);
    machine_free(&a);
  }
}

// poses and velocities of bodies become joint coordinates
static void
poses_become_coordinates(void ** state)
{
  (void)state;
  machine_t a = load_yaml(
    "bodies:\n"
    "  - {name: bar, mass: 2, inertia: [1, 1, 1], xyz: [0, 1, 0], rpy: [0, 0, 1.5707963267948966],"
    " velocity: [-2, 0, 0], angular_velocity: [0, 0, 2]}\n"
    "  - {name: ball, mass: 1, inertia: [1, 1, 1], xyz: [1, 2, 3], velocity: [4, 5, 6]}\n"
    "joints:\n"
    "  - {name: hinge, type: revolute, a: world, b: {link: bar, xyz: [-1, 0, 0]}}\n");
  assert_true(fabs(coordinate(&a, "hinge", false) - 1.5707963267948966) < 1e-12);
  assert_true(fabs(coordinate(&a, "hinge", true) - 2) < 1e-12);
  int ball;
  assert_ok(mbd_find_joint(a.model, "ball", &ball));
  const mbd_body_t * b = &a.model->body[ball];
  const double expected[3] = {1, 2, 3}, speed[3] = {4, 5, 6};
  assert_close(a.m->q + b->q_index, expected, 3, 1e-12, "pose of a free body");
  assert_close(a.m->v + b->v_index, speed, 3, 1e-12, "velocity of a free body");
  machine_free(&a);
}

// coordinates of a file, then the poses they give in another file: the same coordinates
static void
poses_of_every_type(void ** state)
{
  (void)state;
  static const struct {
    const char *type, *q;
    int nq;
  } JOINT[] = {
    {"revolute", "0.4", 1},
    {"prismatic", "0.3", 1},
    {"helical, pitch: 0.2", "0.5", 1},
    {"cylindrical", "[0.4, 0.3]", 2},
    {"universal", "[0.4, -0.7]", 2},
    {"spherical",
     "[0.18257418583505536, 0.3651483716701107, 0.5477225575051661, 0.7302967433402214]", 4},
    {"planar", "[0.2, 0.3, 0.4]", 3}};
  int compared = 0;
  for (size_t k = 0; k < sizeof JOINT / sizeof *JOINT; k++) {
    static const char * const FORMAT =
      "bodies:\n"
      "  - {name: bar, mass: 2, com: [0.5, 0.2, 0.3], inertia: [1, 1, 1], xyz: [0, 0, 0]}\n"
      "  - {name: tip, mass: 1, inertia: [1, 1, 1]%s}\n"
      "joints:\n"
      "  - {name: base, type: fixed, a: world, b: bar}\n"
      "  - {name: joint, type: %s, a: {link: bar, xyz: [1, 0, 0], rpy: [0.3, 0.2, 0.1]}, b: {link: "
      "tip, xyz: [0, 0.1, 0], rpy: [0.1, -0.2, 0.4]}}\n%s%s%s\n";
    char text[3000], xyz[500];
    snprintf(text, sizeof text, FORMAT, "", JOINT[k].type, "initial: {joint: ", JOINT[k].q, "}");
    machine_t a = load_yaml(text);
    int frame, body;
    mbd_placement_t X;
    assert_ok(mbd_find_frame(a.model, "tip", &frame));
    assert_ok(mbd_frame_placement(a.model, a.data, frame, &X));
    snprintf(
      xyz, sizeof xyz, ", xyz: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]", X.p.x, X.p.y,
      X.p.z, atan2(X.R.m[7], X.R.m[8]), asin(-X.R.m[6]), atan2(X.R.m[3], X.R.m[0]));
    snprintf(text, sizeof text, FORMAT, xyz, JOINT[k].type, "", "", "");
    machine_t b = load_yaml(text);
    assert_ok(mbd_find_joint(a.model, "joint", &body));
    const int q = a.model->body[body].q_index;
    assert_int_equal(a.model->body[body].nq, JOINT[k].nq);
    assert_close(b.m->q + q, a.m->q + q, JOINT[k].nq, 1e-9, "%s", JOINT[k].type);
    assert_true(fabs(a.m->q[q]) > 0.1);
    compared++;
    machine_free(&a);
    machine_free(&b);
  }
  assert_int_equal(compared, 7);
}

// mass, centre of mass and moments of a free body
static void
inertia_of_a_body(void ** state)
{
  (void)state;
  machine_t a = load_yaml(
    "bodies:\n"
    "  - {name: body, mass: 2, com: [0.1, 0.2, 0.3], inertia: [4, 5, 6, 0.1, 0.2, 0.3]}\n");
  const mbd_inertia_t M = a.model->body[0].inertia;
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  const double expected[10] = {2, 0.2, 0.4, 0.6, 4, 0.1, 0.2, 5, 0.3, 6};
  const double found[10] = {M.mass, M.h.x, M.h.y, M.h.z, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  assert_close(found, expected, 10, 1e-14, "inertia");
  machine_free(&a);
}

//---------- drivers ----------

static void
drivers_in_time(void ** state)
{
  (void)state;
  machine_t a = load_yaml(
    BAR
    "  - {name: one, type: continuous, a: world, b: bar}\n"
    "  - {name: two, type: prismatic, a: bar, b: tip}\n"
    "drivers:\n"
    "  - {name: turn, joint: one, value: 0.2, rate: 3, sine: {amplitude: 0.5, frequency: 2, "
    "phase: 0.1}}\n"
    "  - {name: push, joint: two, polynomial: [0.1, -2, 0.5, 0.25], table: [[0, 1], [0.5, 2], "
    "[1.5, -1], [2, 0]]}\n"
    "initial: {one: 0.25}\n");
  int compared = 0;
  for (int k = 0; k < a.model->nclosure; k++) {
    const mbd_driver_t * d = &a.model->closure[k].driver;
    assert_non_null(d->at);
    const double h = 1e-4;
    for (double t = 0.05; t < 1.95; t += 0.1) {
      double s[5], r[5], u, exact[3];
      for (int i = 0; i < 5; i++) d->at(d->ctx, t + (i - 2) * h, &s[i], &r[i], &u);
      d->at(d->ctx, t, &exact[0], &exact[1], &exact[2]);
      const double rate = (8 * (s[3] - s[1]) - (s[4] - s[0])) / (12 * h);
      const double second = (8 * (r[3] - r[1]) - (r[4] - r[0])) / (12 * h);
      assert_true(fabs(rate - exact[1]) < 1e-7 && fabs(second - exact[2]) < 1e-5);
      compared++;
    }
    // smooth where two parts of the table meet
    double before[2], after[2], x, u;
    d->at(d->ctx, 0.5 - 1e-9, &x, &before[0], &before[1]);
    d->at(d->ctx, 0.5 + 1e-9, &x, &after[0], &after[1]);
    assert_true(fabs(after[0] - before[0]) < 1e-6 && fabs(after[1] - before[1]) < 1e-4);
    d->at(d->ctx, 0.5, &x, &u, &u);
    const bool turn = strcmp(a.model->closure[k].name, "turn") == 0;
    const double w = 4 * acos(-1.0);
    const double expected =
      turn ? 0.2 + 1.5 + 0.5 * sin(0.5 * w + 0.1) : 2 + 0.1 - 1 + 0.5 * 0.25 + 0.25 * 0.125;
    assert_true(fabs(x - expected) < 1e-12);
  }
  assert_int_equal(compared, 38);
  // assembled at time 0, and moving as driven
  assert_true(fabs(coordinate(&a, "one", false) - (0.2 + 0.5 * sin(0.1))) < 1e-9);
  assert_true(fabs(coordinate(&a, "one", true) - (3 + 0.5 * 4 * acos(-1.0) * cos(0.1))) < 1e-9);
  assert_int_equal(a.m->mobility, 0);
  machine_free(&a);
}

//---------- forces ----------

static void
forces_of_every_type(void ** state)
{
  (void)state;
  machine_t a = load_yaml(
    BAR
    "  - {name: one, type: continuous, a: world, b: bar}\n"
    "  - {name: two, type: spherical, a: {link: bar, xyz: [1, 0, 0]}, b: tip}\n"
    "forces:\n"
    "  - {name: s, type: TSDA, a: {link: world, xyz: [0, 0, 1]}, b: tip, stiffness: 5, damping: 2,"
    " rest: 0.3, preload: 1, one_sided: pull, ramp: 0.02}\n"
    "  - {name: t, type: RSDA, a: {link: bar, axis: [1, 0, 0]}, b: {link: tip, axis: [1, 0, 0]},"
    " stiffness: 4}\n"
    "  - {name: b, type: bushing, a: world, b: tip, rotation: {stiffness: [1, 2, 3], damping: [4, "
    "5,"
    " 6]}, translation: {stiffness: [7, 8, 9], damping: [10, 11, 12]}}\n"
    "  - {name: j, type: joint, joint: one, stiffness: 6, rest: 0.5}\n"
    "  - {name: w, type: wrench, a: world, b: tip, force: [1, 2, 3], moment: [4, 5, 6]}\n");
  assert_int_equal(a.model->nelement, MBD_ELEMENT_TYPES);
  const mbd_element_spec_t * s = &a.model->element[0].spec;
  assert_true(s->type == MBD_ELEMENT_SPRING && s->stiffness == 5 && s->damping == 2);
  assert_true(s->rest == 0.3 && s->preload == 1 && s->one_sided == MBD_ONE_SIDED_PULL);
  assert_true(s->ramp == 0.02 && s->frame_a == MBD_WORLD_BODY && s->X_a.p.z == 1);
  const mbd_element_spec_t * t = &a.model->element[1].spec;
  assert_true(t->type == MBD_ELEMENT_TORSION && fabs(t->X_a.R.m[2] - 1) < 1e-15);
  const mbd_element_spec_t * b = &a.model->element[2].spec;
  for (int k = 0; k < 3; k++) {
    assert_true(b->stiffness6[k] == 1 + k && b->damping6[k] == 4 + k);
    assert_true(b->stiffness6[3 + k] == 7 + k && b->damping6[3 + k] == 10 + k);
  }
  assert_string_equal(a.model->element[3].spec.joint, "one");
  const mbd_force_t w = a.model->element[4].spec.wrench;
  assert_true(w.lin.x == 1 && w.lin.z == 3 && w.ang.x == 4 && w.ang.z == 6);
  machine_free(&a);
}

// in a loops file beside a URDF
// inputs and outputs of a four-bar, against poses; the joint `rocker` is a closure unless something measures it
static void
inputs_and_outputs(void ** state)
{
  (void)state;
  static const char text[] =
    "bodies:\n"
    "  - {name: crank, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {name: rod, mass: 1, inertia: [1, 1, 1], xyz: [0, 1, 0]}\n"
    "  - {name: rocker, mass: 1, inertia: [1, 1, 1], xyz: [3, 0, 0], rpy: [0, 0, 1.2]}\n"
    "joints:\n"
    "  - {name: shaft, type: continuous, a: world, b: crank}\n"
    "  - {name: pin, type: continuous, a: {link: crank, xyz: [0, 1, 0]}, b: rod}\n"
    "  - {name: pivot, type: continuous, a: {link: world, xyz: [3, 0, 0]}, b: rocker}\n"
    "  - {name: end, type: continuous, a: {link: rod, xyz: [3, 0, 0]}, b: {link: rocker, xyz: [2, "
    "0, 0]}}\n"
    "inputs:\n"
    "  - {name: angle, type: joint, joint: pivot}\n"
    "  - {name: cylinder, type: distance, a: {link: world, xyz: [0, 0, 3]}, b: {link: rod, xyz: "
    "[1, 0, 0]}}\n"
    "outputs:\n"
    "  - {name: tip, type: pose, b: {link: rod, xyz: [1, 2, 0]}}\n"
    "  - {name: turn, type: angle, a: rocker, b: rod}\n";
  static const char * const names[] = {
    "tip.x", "tip.y", "tip.z", "tip.rotation_x", "tip.rotation_y", "tip.rotation_z", "turn"};
  double first[9], rate[9];
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    const mbdx_mechanism_options_t options = {.coordinates = (mbdx_coordinates_t)c};
    mbdx_mechanism_t * m;
    mbdx_report_t * report;
    const mbd_status_t status =
      mbdx_mechanism_load_string(text, strlen(text), NULL, &options, &m, &report);
    if (status != MBD_OK) print_report(report);
    assert_ok(status);
    mbdx_report_free(report);
    assert_int_equal(m->ninput, 2);
    assert_int_equal(m->noutput, 7);
    mbd_data_t * data;
    double * g = calloc((size_t)m->model->nv, sizeof *g);
    assert_ok(mbd_data_create(m->model, &data));
    // a velocity that the loop allows: the crank at 1 rad/s, by the nearest one
    double * work = calloc(mbd_assembly_work(m->model), sizeof *work);
    double v0 = 0;
    assert_ok(mbd_set_position(m->model, data, m->q));
    mbd_measure_t crank = mbd_measure_default();
    crank.type = MBD_MEASURE_ANGLE;
    assert_ok(mbd_find_frame(m->model, "crank", &crank.frame_b));
    assert_ok(mbd_measure(m->model, data, &crank, NULL, g, NULL));
    assert_ok(mbd_project_velocity(m->model, data, NULL, g, work, m->v, NULL));
    for (int k = 0; k < m->model->nv; k++) v0 += g[k] * m->v[k];
    for (int k = 0; k < m->model->nv; k++) m->v[k] /= v0;
    assert_ok(mbd_set_velocity(m->model, data, m->v));
    for (int k = 0; k < 9; k++) {
      const mbd_measure_t * y = k < 2 ? &m->input[k] : &m->output[k - 2];
      double value, bias, r = 0;
      assert_ok(mbd_measure(m->model, data, y, &value, g, &bias));
      for (int i = 0; i < m->model->nv; i++) r += g[i] * m->v[i];
      if (k >= 2) assert_string_equal(y->name, names[k - 2]);
      if (c == MBDX_COORDINATES_TREE) first[k] = value, rate[k] = r;
      assert_close(&value, &first[k], 1, 1e-8, "value of %s", y->name);
      assert_close_(&r, &rate[k], 1, 1e-7, 1, __FILE__, __LINE__, "rate of %s", y->name);
    }
    if (!(fabs(rate[0]) > 0.01)) print_error("%g %g %g\n", rate[0], rate[1], rate[7]);
    assert_true(fabs(rate[0]) > 0.01 && fabs(rate[1]) > 0.01 && fabs(rate[7]) > 0.01);
    // the point of the rod, by its pose
    int rod;
    mbd_placement_t X;
    assert_ok(mbd_find_frame(m->model, "rod", &rod));
    assert_ok(mbd_frame_placement(m->model, data, rod, &X));
    const mbd_vec3_t p = mbdu_placement_point(&X, (mbd_vec3_t){1, 2, 0});
    assert_close(first + 2, &p.x, 3, 1e-12, "tip");
    const double turn = mbdu_angle_about_z(&X.R);
    assert_close(&first[7], &turn, 1, 1e-9, "rotation_z");
    free(g), free(work);
    mbd_data_destroy(data);
    mbdx_mechanism_free(m);
  }
}

static void
forces_beside_a_urdf(void ** state)
{
  (void)state;
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  char * text = arm_with(0, "");
  loaded_t plain = load_text(text, &options);
  assert_ok(plain.status);
  char yaml[500];
  const char * joint = plain.model->body[0].joint_name;
  snprintf(
    yaml, sizeof yaml, "forces:\n  - {name: s, type: joint, joint: %s, stiffness: 8, rest: 1}\n",
    joint);
  options.loops_text = yaml;
  loaded_t with = load_text(text, &options);
  if (with.status != MBD_OK) print_report(with.report);
  assert_ok(with.status);
  assert_int_equal(with.model->nelement, 1);
  assert_entry("note", with.report, MBDX_NOTE, 2, "force 's': acts on joint");
  mbd_data_t * data;
  const double q = 0.25;
  double with_spring, without;
  assert_ok(mbd_data_create(with.model, &data));
  assert_ok(mbd_set_position(with.model, data, &q));
  assert_ok(mbd_gravity(with.model, data, &without));
  assert_ok(mbd_set_terms(data, MBD_TERM_ELEMENTS));
  assert_ok(mbd_gravity(with.model, data, &with_spring));
  assert_true(fabs(with_spring - without - 8 * (q - 1)) < 1e-12);
  mbd_data_destroy(data);
  loaded_free(&plain);
  loaded_free(&with);
  free(text);
}

// a massless link with a hinge and a ball, against the same link with a body of almost no mass
static void
massless_links(void ** state)
{
  (void)state;
  static const char * const ENDS =
    "  - {name: one, type: revolute, a: world, b: bar}\n"
    "  - {name: two, type: free, a: world, b: tip}\n";
  char text[2000];
  snprintf(
    text, sizeof text,
    BAR
    "%sclosures:\n"
    "  - {name: link, type: revolute_spherical, distance: 0.5, a: {link: bar, xyz: [1, 0, 0], "
    "axis: [0, 1, 0]}, b: {link: tip, xyz: [0, 0, 0.1]}}\n"
    "initial: {one: {q: 0.2, v: 1}, two: [1.4, 0.2, 0, 0, 0, 0, 1]}\n",
    ENDS);
  machine_t a = load_yaml(text);
  assert_int_equal(a.model->nclosure, 2);
  assert_int_equal(a.model->nrow, 2);
  assert_int_equal(a.m->mobility, 5);
  int plane;
  assert_ok(mbd_find_closure(a.model, "link_plane", &plane));
  // with a body: hinge at one end, ball at the other
  snprintf(
    text, sizeof text,
    "bodies:\n"
    "  - {name: bar, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}\n"
    "  - {name: tip, mass: 1, com: [0.1, 0.2, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  - {name: rod, mass: 1e-9, inertia: [1e-10, 1e-10, 1e-10]}\n"
    "joints:\n%s"
    "  - {name: hinge, type: revolute, a: {link: bar, xyz: [1, 0, 0], axis: [0, 1, 0]}, b: {link: "
    "rod, axis: [0, 1, 0]}}\n"
    "  - {name: ball, type: spherical, a: {link: rod, xyz: [0.5, 0, 0]}, b: {link: tip, xyz: [0, "
    "0, "
    "0.1]}}\n",
    ENDS);
  machine_t b = load_yaml(text);
  assert_int_equal(b.m->mobility, 5);
  // the same state: that of the first, and the rod where it must be
  mbd_placement_t X;
  int frame, body;
  assert_ok(mbd_find_frame(a.model, "bar", &frame));
  assert_ok(mbd_set_state(a.model, a.data, a.m->q, a.m->v));
  assert_ok(mbd_frame_placement(a.model, a.data, frame, &X));
  const mbd_placement_t inverse = mbdu_placement_inverse(&X);
  assert_ok(mbd_find_frame(a.model, "tip", &frame));
  assert_ok(mbd_frame_placement(a.model, a.data, frame, &X));
  const mbd_placement_t T = mbdu_placement_mul(&inverse, &X);
  const mbd_vec3_t p = mbdu_placement_point(&T, mbdu_vec3(0, 0, 0.1));
  assert_true(fabs(p.y) < 1e-9 && fabs(hypot(p.x - 1, p.z) - 0.5) < 1e-9);
  for (int i = 0; i < a.model->nbody; i++) {
    const mbd_body_t * from = &a.model->body[i];
    assert_ok(mbd_find_joint(b.model, from->joint_name, &body));
    const mbd_body_t * to = &b.model->body[body];
    memcpy(b.m->q + to->q_index, a.m->q + from->q_index, (size_t)to->nq * sizeof(double));
    memcpy(b.m->v + to->v_index, a.m->v + from->v_index, (size_t)to->nv * sizeof(double));
  }
  assert_ok(mbd_find_joint(b.model, "hinge", &body));
  b.m->q[b.model->body[body].q_index] = atan2(-p.z, p.x - 1);
  double * work = calloc(mbd_assembly_work(b.model), sizeof *work);
  mbd_assembly_options_t options = mbd_assembly_options_default();
  bool held[16] = {false};
  for (int k = 0; k < b.model->nv; k++) held[k] = k != b.model->body[body].v_index;
  options.held = held;
  assert_ok(mbd_assemble(b.model, b.data, NULL, b.m->q, work, b.m->q, NULL));
  assert_ok(mbd_project_velocity(b.model, b.data, &options, b.m->v, work, b.m->v, NULL));
  free(work);
  accelerate(&a);
  accelerate(&b);
  static const char * const LINKS[2] = {"bar", "tip"};
  for (int k = 0; k < 2; k++) {
    double x[24], y[24];
    motion_of(&a, LINKS[k], x);
    motion_of(&b, LINKS[k], y);
    assert_close_(x, y, 24, 1e-6, 1, __FILE__, __LINE__, "%s", LINKS[k]);
  }
  machine_free(&a);
  machine_free(&b);
}

//---------- random graphs ----------

// bodies on random poses, joints between random ones with frames that meet there: any graph, two formulations
static void
random_graphs_in_two_formulations(void ** state)
{
  (void)state;
  int compared = 0, loops = 0;
  FOR_SEEDS(100)
  {
    static const char * const TYPES[] = {"revolute",           "prismatic", "cylindrical",
                                         "universal",          "spherical", "planar",
                                         "helical, pitch: 0.2"};
    uint64_t s = seed * 7919 + 13;
    const int n = 3 + random_below(&s, 3), joints = n + random_below(&s, 2);
    mbd_placement_t pose[8];
    char text[8000];
    size_t used = (size_t)snprintf(text, sizeof text, "bodies:\n");
    for (int i = 0; i < n; i++) {
      double rpy[3];
      for (int k = 0; k < 3; k++) rpy[k] = random_signed(&s);
      const double cx = cos(rpy[0]), sx = sin(rpy[0]), cy = cos(rpy[1]), sy = sin(rpy[1]),
                   cz = cos(rpy[2]), sz = sin(rpy[2]);
      pose[i].R = (mbd_mat3_t){
        {cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, sz * cy, sz * sy * sx + cz * cx,
         sz * sy * cx - cz * sx, -sy, cy * sx, cy * cx}};
      pose[i].p = random_vec3(&s, 1);
      used += (size_t)snprintf(
        text + used, sizeof text - used,
        "  - {name: b%d, mass: %.17g, com: [0.1, 0, 0.2], inertia: [0.5, 0.6, 0.7], xyz: [%.17g, "
        "%.17g, %.17g], rpy: [%.17g, %.17g, %.17g], velocity: [0.1, 0.2, 0.3], angular_velocity: "
        "[0.3, -0.2, 0.1]}\n",
        i, random_between(&s, 1, 2), pose[i].p.x, pose[i].p.y, pose[i].p.z, rpy[0], rpy[1], rpy[2]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "joints:\n");
    for (int k = 0; k < joints; k++) {
      // every body is connected to one before it or the world, then further ones
      const int b = k < n ? k : random_below(&s, n);
      int a = k < n ? random_below(&s, k + 1) - 1 : random_below(&s, n + 1) - 1;
      if (a == b) a = -1;
      const char * type = TYPES[k < n ? random_below(&s, 7) : 2 + random_below(&s, 5)];
      // the same frame on both sides, in the axes of the world
      const mbd_vec3_t at = random_vec3(&s, 1);
      char side[2][300];
      for (int e = 0; e < 2; e++) {
        const int i = e ? b : a;
        mbd_placement_t inverse = mbdu_placement_identity();
        if (i >= 0) inverse = mbdu_placement_inverse(&pose[i]);
        const mbd_vec3_t p = mbdu_placement_point(&inverse, at);
        const double * R = inverse.R.m;
        const double pitch = asin(-R[6]);
        char name[8] = "world";
        if (i >= 0) snprintf(name, sizeof name, "b%d", i % 100);
        snprintf(
          side[e], sizeof side[e],
          "{link: %s, xyz: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]}", name, p.x, p.y, p.z,
          atan2(R[7], R[8]), pitch, atan2(R[3], R[0]));
      }
      const int swap = random_below(&s, 2);
      used += (size_t)snprintf(
        text + used, sizeof text - used, "  - {name: j%d, type: %s, a: %s, b: %s}\n", k, type,
        side[swap], side[1 - swap]);
    }
    used += (size_t)snprintf(
      text + used, sizeof text - used,
      "forces:\n  - {name: s, type: spring, a: {link: world, xyz: [3, 2, 1]}, b: b%d, stiffness: "
      "9, "
      "damping: 1, rest: 1}\n  - {name: u, type: bushing, a: b0, b: b%d, rotation: {stiffness: [1, "
      "2, 3], damping: [1, 1, 1]}, translation: {stiffness: [4, 5, 6], damping: [1, 2, 3]}}\n",
      n - 1, n - 1);
    assert_true(used < sizeof text);
    mbdx_mechanism_options_t options = mbdx_mechanism_options_default();
    mbdx_mechanism_t * m[2] = {NULL, NULL};
    mbd_status_t status[2];
    for (int c = 0; c < 2; c++) {
      options.coordinates = c ? MBDX_COORDINATES_CARTESIAN : MBDX_COORDINATES_TREE;
      status[c] = mbdx_mechanism_load_string(text, used, "graph", &options, &m[c], NULL);
    }
    if (status[0] == MBD_OK && status[1] == MBD_OK && m[0]->mobility > 0) {
      machine_t a = machine_of(m[0]), b = machine_of(m[1]);
      loops += a.model->nclosure > 0;
      compared += same_motion(&a, &b, "graph") > 0;
      machine_free(&a);
      machine_free(&b);
    } else {
      mbdx_mechanism_free(m[0]);
      mbdx_mechanism_free(m[1]);
    }
  }
  assert_count(compared, 70);
  assert_count(loops, 25);
}

// in the order of the file, with and without a URDF
static void
contacts_are_shapes_of_links(void ** state)
{
  (void)state;
  static const char contacts[] =
    "contacts:\n"
    "  - {name: toe, at: {link: b, xyz: [1, 2, 3]}, sphere: 0.1}\n"
    "  - {at: b}\n"
    "  - {at: {link: b, rpy: [0, 0, 1.5707963267948966]}, box: [1, 2, 3]}\n"
    "  - {at: b, cylinder: [0.2, 3]}\n"
    "  - {at: b, capsule: [0.3, 4]}\n";
  static const char urdf[] =
    "<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
    "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'>"
    "<parent link='a'/><child link='b'/></joint></robot>";
  char text[1000];
  snprintf(text, sizeof text, "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n%s", contacts);
  for (int beside = 0; beside < 2; beside++) {
    mbdx_mechanism_t * m;
    mbdx_urdf_options_t options = mbdx_urdf_options_default();
    options.mechanism = true, options.loops_text = contacts;
    assert_ok(
      beside ? mbdx_mechanism_load_urdf_string(urdf, sizeof urdf - 1, NULL, &options, &m, NULL)
             : mbdx_mechanism_load_string(text, strlen(text), NULL, NULL, &m, NULL));
    assert_non_null(m->contacts);
    assert_int_equal(m->contacts->n, 5);
    const mbdx_shape_t * s = m->contacts->shape;
    for (int k = 0; k < 5; k++) {
      assert_string_equal(s[k].link, "b");
      assert_int_equal(s[k].line, k + (beside ? 2 : 3));
    }
    assert_true(s[0].type == MBDX_SHAPE_SPHERE && s[0].radius == 0.1);
    assert_true(s[0].X.p.x == 1 && s[0].X.p.y == 2 && s[0].X.p.z == 3);
    assert_true(s[1].type == MBDX_SHAPE_SPHERE && s[1].radius == 0 && s[1].X.R.m[0] == 1);
    assert_true(s[2].type == MBDX_SHAPE_BOX && s[2].size.x == 1 && s[2].size.z == 3);
    assert_true(fabs(s[2].X.R.m[1] + 1) < 1e-12);
    assert_true(s[3].type == MBDX_SHAPE_CYLINDER && s[3].radius == 0.2 && s[3].length == 3);
    assert_true(s[4].type == MBDX_SHAPE_CAPSULE && s[4].radius == 0.3 && s[4].length == 4);
    mbdx_mechanism_free(m);
  }
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bundled_files_in_two_formulations),
    cmocka_unit_test(double_pendulum_with_springs),
    cmocka_unit_test(rod_between_spheres),
    cmocka_unit_test(slider_crank_energy),
    cmocka_unit_test(quick_return_closed_form),
    cmocka_unit_test(joints_in_either_direction),
    cmocka_unit_test(coordinates_are_of_b_in_a),
    cmocka_unit_test(poses_become_coordinates),
    cmocka_unit_test(poses_of_every_type),
    cmocka_unit_test(inertia_of_a_body),
    cmocka_unit_test(drivers_in_time),
    cmocka_unit_test(massless_links),
    cmocka_unit_test(forces_of_every_type),
    cmocka_unit_test(forces_beside_a_urdf),
    cmocka_unit_test(inputs_and_outputs),
    cmocka_unit_test(contacts_are_shapes_of_links),
    cmocka_unit_test(random_graphs_in_two_formulations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
