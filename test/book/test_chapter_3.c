// Haug, chapters 2 and 3: frames and angles; driven mechanisms from config/mechanisms, as trees and in Cartesian
// coordinates, against closed forms; lock-up, bifurcations, implied rows.
#include <stdlib.h>

#include "mechanism_file.h"

static const double PI = 3.14159265358979323846;

// a driven mechanism
typedef struct drive {
  mbdx_mechanism_t * m;
  mbd_data_t * data;
  void * memory;
  mbd_driven_t * driven;
  const mbd_driven_info_t * info;
  mbd_status_t status;  // of the start
} drive_t;

// it owns m
static drive_t
drive_of(mbdx_mechanism_t * m)
{
  drive_t d = {.m = m};
  const size_t size = mbd_driven_size(m->model);
  d.memory = malloc(size);
  assert_ok(mbd_data_create(m->model, &d.data));
  assert_ok(mbd_driven_init(m->model, NULL, d.memory, size, &d.driven));
  d.status = mbd_driven_start(d.driven, d.data, 0, m->q, NULL);
  d.info = mbd_driven_info(d.driven);
  return d;
}

static drive_t
drive_file(const char * name, int coordinates)
{
  drive_t d = drive_of(load_mechanism(name, (mbdx_coordinates_t)coordinates));
  assert_ok(d.status);
  return d;
}

static void
drive_free(drive_t * d)
{
  mbd_data_destroy(d->data);
  mbdx_mechanism_free(d->m);
  free(d->memory);
}

// an output, its rate and its second rate
static void
output(drive_t * d, const char * name, double y[3])
{
  const mbd_model_t * m = d->m->model;
  double * g = calloc((size_t)m->nv, sizeof *g);
  int k = 0;
  while (k < d->m->noutput && strcmp(d->m->output[k].name, name) != 0) k++;
  assert_true(k < d->m->noutput);
  assert_ok(mbd_set_position(m, d->data, d->info->q));
  assert_ok(mbd_set_velocity(m, d->data, d->info->v));
  assert_ok(mbd_measure(m, d->data, &d->m->output[k], &y[0], g, &y[2]));
  y[1] = 0;
  for (int i = 0; i < m->nv; i++) y[1] += g[i] * d->info->v[i], y[2] += g[i] * d->info->qdd[i];
  free(g);
}

// rows of the book's formulas: NAN where there is no figure
typedef struct row {
  const char * output;
  double t, y[3];
} row_t;

static int
compare(const char * file, const row_t * row, int n, const double tolerance[3])
{
  int compared = 0;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    drive_t d = drive_file(file, c);
    for (int i = 0; i < n; i++) {
      double y[3];
      // on the grid of the book's listings, and in one go
      for (double t = d.info->t + 0.01; c == MBDX_COORDINATES_TREE && t < row[i].t; t += 0.01)
        assert_ok(mbd_driven_to(d.driven, d.data, t));
      assert_ok(mbd_driven_to(d.driven, d.data, row[i].t));
      assert_true(d.info->t == row[i].t);
      output(&d, row[i].output, y);
      for (int k = 0; k < 3; k++) {
        char what[96];
        if (isnan(row[i].y[k])) continue;
        snprintf(what, sizeof what, "%s: %s, order %d at %g s", file, row[i].output, k, row[i].t);
        near(y[k], row[i].y[k], tolerance[k] * fmax(1, fabs(row[i].y[k])), what);
        compared++;
      }
    }
    assert_int_equal(d.info->nsingular, 0);
    drive_free(&d);
  }
  return compared;
}

//---------- chapter 2 ----------

// Example 2.5.2, the listings of codes 2.4 and 2.5
static void
frames_and_angles(void ** state)
{
  (void)state;
  // three points: x along (1, 1, 1)
  mbd_placement_t X;
  const mbd_vec3_t o = {0, 0, 0}, p = {1, 1, 1}, q = {-1, -1, 0};
  assert_true(mbdu_placement_from_points(o, p, q, &X));
  const double a = 1 / sqrt(3), b = 1 / sqrt(6), c = 1 / sqrt(2);
  const double R[9] = {a, -b, c, a, -b, -c, a, 2 * b, 0};
  assert_close_(X.R.m, R, 9, 1e-15, 1, __FILE__, __LINE__, "frame from three points");
  mbd_quat_t e = mbdu_quat_from_mat3(&X.R);
  near(e.w, 0.540625096237, 1e-12, "e0");
  near(e.x, 0.704556342611, 1e-12, "e1");
  near(e.y, 0.060003000647, 1e-12, "e2");
  near(e.z, 0.455768038939, 1e-12, "e3");
  assert_true(mbdu_placement_from_points(p, q, o, &X));
  near(X.p.x, 1, 0, "origin");
  // points on a line
  assert_false(mbdu_placement_from_points(o, p, (mbd_vec3_t){2, 2, 2}, &X));
  assert_false(mbdu_placement_from_points(o, o, p, &X));
  assert_true(X.R.m[0] == 1 && X.p.x == 0);
  // half a turn: symmetric, of trace -1
  const mbd_mat3_t half = {{7. / 25, 24. / 25, 0, 24. / 25, -7. / 25, 0, 0, 0, -1}};
  e = mbdu_quat_from_mat3(&half);
  near(e.w, 0, 1e-12, "e0 of half a turn");
  near(e.x, 0.8, 1e-12, "e1 of half a turn");
  near(e.y, 0.6, 1e-12, "e2 of half a turn");
  near(e.z, 0, 1e-12, "e3 of half a turn");
  // angle about a common axis
  const mbd_mat3_t A = mbdu_rotation_z(cos(2.5), sin(2.5)), B = mbdu_rotation_z(cos(-2), sin(-2));
  const mbd_mat3_t turn = mbdu_mat3_tmul(&A, &B);
  near(mbdu_angle_about_z(&turn), 2 * PI - 4.5, 1e-14, "angle of two frames");
  near(mbdu_angle_between(2.5, -2), 2 * PI - 4.5, 1e-14, "the same by angles");
  const mbd_mat3_t quarter = mbdu_rotation_z(0, 1);
  near(mbdu_angle_about_z(&quarter), PI / 2, 0, "code 2.4");
}

//---------- chapter 3: closed forms ----------

// 3.3.4.1: tan(angle 1) = tan(angle 2) cos(0.3)
static void
universal_joint(void ** state)
{
  (void)state;
  int compared = 0;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    drive_t d = drive_file("universal_joint", c);
    double y[3];
    output(&d, "angle", y);
    near(y[0], 0.722593384546, 1e-12, "angle of the second shaft");
    near(y[1], 1.006770265664, 1e-12, "ratio of the speeds");
    // a whole turn, turns counted
    for (int k = 1; k <= 60; k++, compared++) {
      const double t = 0.1 * k, a = 0.7 + t;
      assert_ok(mbd_driven_to(d.driven, d.data, t));
      output(&d, "angle", y);
      near(sin(y[0]) * cos(0.3) * cos(a) - cos(y[0]) * sin(a), 0, 1e-12, "angles");
      near(y[0], a, 0.05, "turns");
    }
    drive_free(&d);
  }
  assert_int_equal(compared, 120);
}

static void
planar_mechanisms(void ** state)
{
  (void)state;
  const double exact[3] = {1e-9, 1e-9, 1e-9}, differences[3] = {1e-9, 1e-6, 1e-5};
  const row_t crank[] = {
    {"x", 0.25, {1.0988957016, -6.6215523156, -15.7001068317}},
    {"x", 2, {0.0576507965, -1.1230530700, 38.2069687171}}};
  const row_t twice[] = {
    {"x", 0, {2.5, 0.5, -166.6666666667}},
    {"x", 0.1, {1.8319623781, -11.5785819804, -31.3628746822}},
    {"x", 0.5, {1.6768324683, 12.3862531406, 39.3167746403}},
    {"x", 1, {0.9795341400, 2.4448757169, 46.6649661713}},
    {"x", 5, {1.9623787796, 4.4798942446, -156.3951473559}}};
  const row_t bar[] = {
    {"cutter", 0.5, {-3.2586984294, -6.6568530, 4.021830}},
    {"bar", 0.5, {1.7542713488, NAN, NAN}},
    {"cutter", 1, {-5.1367505983, 0.0355844, 14.027806}},
    {"cutter", 3, {0.7112297265, -3.7234086, -31.317165}},
    {"bar", 3, {0.7567012216, NAN, NAN}}};
  const row_t wiper[] = {
    {"left", 0, {0.0080381084, 0.6248048, 0.013201}},
    {"left", 0.5, {0.3140447671, 0.5824913, -0.189354}},
    {"right", 0.5, {0.3140447671, 0.5824913, -0.189354}},
    {"left", 1, {0.5709473101, 0.4217680, -0.468446}},
    {"left", PI / 2, {0.7174958869, 0.0666667, -0.719914}},
    {"left", 3, {0.2362460302, -0.5932402, -0.174603}},
    {"right", 3 * PI / 2, {-0.6279659846, -0.0769231, 0.891898}}};
  int n = compare("driven_slider_crank", crank, 2, exact);
  n += compare("double_slider_crank", twice, 5, exact);
  n += compare("driven_quick_return", bar, 5, differences);
  n += compare("windshield_wiper", wiper, 7, differences);
  assert_int_equal(n, 2 * (6 + 15 + 11 + 21));
}

static void
spatial_mechanisms(void ** state)
{
  (void)state;
  const double exact[3] = {1e-9, 1e-8, 1e-6}, angles[3] = {1e-9, 1e-4, 1e-4};
  const row_t bars[] = {
    {"angle", 0.05, {-0.4470529806, NAN, NAN}}, {"angle", 0.1, {-0.6995216443, NAN, NAN}},
    {"angle", 0.2, {-0.7379281193, NAN, NAN}},  {"angle", 0.3, {-0.1401942500, NAN, NAN}},
    {"end.x", 0.3, {NAN, 1.35636, NAN}},        {"end.y", 0.3, {NAN, 9.61138, NAN}},
    {"angle", 0.5, {0.7644327247, NAN, NAN}},   {"angle", 1, {0.4982413071, NAN, NAN}},
    {"end.x", 1, {NAN, -3.09405, NAN}},         {"angle", 2, {-0.7399213119, NAN, NAN}},
    {"angle", 3, {0.7793780221, NAN, NAN}}};
  const row_t slider[] = {
    {"x", 0, {0.2, 0.16, 0.64}},
    {"x", 0.25, {0.2495791087, 0.19874324, -0.257300}},
    {"x", 0.5, {0.2858999442, 0.07555203, -0.650641}},
    {"x", 1, {0.2442153099, -0.20464651, -0.185939}}};
  // z = 0.2 - 0.08 sin(beta)
  const double times[] = {0, 0.05, PI / 20, 0.3, 3 * PI / 20};
  const double beta[] = {0.27209505, 0.17188516, 0.05471480, 0.24315207, 0.47026777};
  row_t ball[10];
  for (int k = 0; k < 10; k++)
    ball[k] = (row_t){
      k % 2 ? "height_2" : "height_1", times[k / 2], {0.2 - 0.08 * sin(beta[k / 2]), NAN, NAN}};
  int n = compare("spatial_four_bar", bars, 11, angles);
  n += compare("driven_spatial_slider_crank", slider, 4, exact);
  n += compare("driven_governor", ball, 10, exact);
  assert_int_equal(n, 2 * (11 + 12 + 10));
}

// 3.12.1: two bars, two drivers, no loop
static void
two_bars(void ** state)
{
  (void)state;
  mbdx_mechanism_t * m = load_mechanism_text(
    "bodies:\n"
    "  - {name: bar_1, mass: 1, inertia: [1, 1, 1]}\n"
    "  - {name: bar_2, mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  - {name: pivot, type: continuous, a: world, b: bar_1}\n"
    "  - {name: hinge, type: continuous, a: {link: bar_1, xyz: [1, 0, 0], axis: [1, 0, 0]}, b: "
    "{link: bar_2, axis: [1, 0, 0]}}\n"
    "drivers:\n  - {name: one, joint: pivot, rate: 10}\n  - {name: two, joint: hinge, rate: 10}\n"
    "outputs:\n  - {name: tip, type: position, b: {link: bar_2, xyz: [0, 0, -1]}}\n",
    MBDX_COORDINATES_FILE);
  drive_t d = drive_of(m);
  const double t[3] = {0.1, 1, 3};
  const double tip[3][3] = {
    {-0.16777111, 1.29611970, -0.54030231},
    {-1.13503050, -0.08754849, 0.83907153},
    {-0.82195504, -1.14043693, -0.15425145}};
  static const char * const names[] = {"tip.x", "tip.y", "tip.z"};
  assert_ok(d.status);
  for (int i = 0; i < 3; i++) {
    assert_ok(mbd_driven_to(d.driven, d.data, t[i]));
    for (int k = 0; k < 3; k++) {
      double y[3];
      output(&d, names[k], y);
      near(y[0], tip[i][k], 1e-8, names[k]);
    }
  }
  assert_int_equal(d.info->mobility, 2);
  assert_int_equal(d.info->ndriver, 2);
  drive_free(&d);
}

//---------- chapter 3: singular configurations ----------

static void
assert_event(const drive_t * d, mbd_driven_type_t type, double t, bool driver, const char * closure)
{
  const mbd_driven_event_t * e = &d->info->event;
  if (e->type != type) print_error("%s at %.12g s\n", mbd_driven_type_name(e->type), e->t);
  assert_int_equal(e->type, type);
  near(e->t, t, 1e-8, mbd_driven_type_name(type));
  assert_int_equal(e->driver, driver);
  assert_true(e->closure >= 0);
  assert_string_equal(d->m->model->closure[e->closure].name, closure);
}

// locking_slider_crank with another rod
static mbdx_mechanism_t *
load_rod(double length, mbdx_coordinates_t coordinates)
{
  char text[4096], changed[4200];
  FILE * file = fopen(FOLDER "locking_slider_crank.mechanism.yaml", "r");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char * at = strstr(text, "distance: 0.23");
  assert_non_null(at);
  snprintf(
    changed, sizeof changed, "%.*sdistance: %.17g%s", (int)(at - text), text, length,
    at + strlen("distance: 0.23"));
  return load_mechanism_text(changed, coordinates);
}

// 3.12.3 with rods below 0.2362050 m: 0.0308 + 0.0192 cos(4 t) - 0.016 sin(4 t) = d^2
static void
lock_up(void ** state)
{
  (void)state;
  int locked = 0;
  const double limit = sqrt(0.0244) + 0.08;
  near(limit, 0.2362050, 5e-8, "longest distance");
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    for (int k = 0; k < 3; k++) {
      const double length[3] = {0.23, limit - 1e-6, limit + 1e-6};
      mbdx_mechanism_t * m = load_rod(length[k], (mbdx_coordinates_t)c);
      drive_t d = drive_of(m);
      assert_ok(d.status);
      mbd_status_t status = MBD_OK;
      double t = 0, y[3];
      while (status == MBD_OK && t < 2) status = mbd_driven_to(d.driven, d.data, t += 0.01);
      if (k == 2) {
        assert_ok(status);
        assert_int_equal(d.info->nsingular, 0);
        drive_free(&d);
        continue;
      }
      assert_int_equal(status, MBD_ERROR_LOCKED);
      const double amplitude = hypot(0.0192, 0.016), phase = atan2(0.016, 0.0192);
      const double angle = acos((length[k] * length[k] - 0.0308) / amplitude);
      const double end = (2 * PI - phase - angle) / 4;
      assert_event(&d, MBD_DRIVEN_LOCK_UP, end, true, "motor");
      if (k == 0) near(end, 1.275637, 1e-6, "lock-up");
      // the last state is kept, and the configuration of the lock-up
      near(d.info->t, 0.01 * floor(end / 0.01), 1e-9, "last time");
      output(&d, "x", y);
      const double a = 4 * d.info->t, h = 0.1 - 0.08 * sin(a), v = 0.12 + 0.08 * cos(a);
      near(y[0], sqrt(length[k] * length[k] - h * h - v * v), 1e-9, "last position");
      assert_ok(mbd_set_position(d.m->model, d.data, d.info->event.q));
      assert_ok(mbd_measure(d.m->model, d.data, &d.m->output[0], &y[0], NULL, NULL));
      near(y[0], 0, 1e-5, "slider where it locks");
      assert_int_equal(mbd_driven_to(d.driven, d.data, 3), MBD_ERROR_STAGE);
      locked++;
      drive_free(&d);
    }
  }
  assert_int_equal(locked, 4);
}

// 3.5: crank and rod of equal length; the slider at 2 cos(angle) passes where it could stay
static void
bifurcation(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    drive_t d = drive_file("branching_slider_crank", c);
    double y[3];
    const int sign = d.info->sign;
    for (int k = 1; k <= 100; k++) {
      assert_ok(mbd_driven_to(d.driven, d.data, 0.02 * k));
      const double a = 0.3 + d.info->t;
      output(&d, "x", y);
      near(y[0], 2 * cos(a), 1e-9, "slider");
      near(y[1], -2 * sin(a), 1e-8, "its velocity");
      assert_int_equal(d.info->nsingular, a > PI / 2);
      assert_int_equal(d.info->sign, a > PI / 2 ? -sign : sign);
    }
    assert_event(&d, MBD_DRIVEN_BIFURCATION, PI / 2 - 0.3, false, "rod");
    // on to -pi/2 = 3 pi/2
    assert_ok(mbd_driven_to(d.driven, d.data, 5));
    assert_event(&d, MBD_DRIVEN_BIFURCATION, 3 * PI / 2 - 0.3, false, "rod");
    assert_int_equal(d.info->nsingular, 2);
    output(&d, "x", y);
    near(y[0], 2 * cos(5.3), 1e-9, "slider");
    drive_free(&d);
    // a grid that meets it exactly
    d = drive_file("branching_slider_crank", c);
    for (int k = 1; k <= 20; k++) {
      const double t = 0.1 * k * (PI / 2 - 0.3);
      assert_ok(mbd_driven_to(d.driven, d.data, t));
      output(&d, "x", y);
      near(y[0], 2 * cos(0.3 + t), 1e-7, "slider");
      near(y[1], -2 * sin(0.3 + t), 1e-5, "its velocity");
    }
    assert_int_equal(d.info->nsingular, 1);
    drive_free(&d);
  }
}

// 3.7.1: flat at angle 0 and pi; on as a parallelogram
static void
flat_parallelogram(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    drive_t d = drive_file("parallelogram", c);
    double y[3];
    assert_ok(mbd_driven_to(d.driven, d.data, 1));
    assert_event(&d, MBD_DRIVEN_BIFURCATION, 0.5, false, "rod");
    assert_ok(mbd_driven_to(d.driven, d.data, 4));
    assert_event(&d, MBD_DRIVEN_BIFURCATION, 0.5 + PI, false, "rod");
    output(&d, "angle", y);
    near(y[0], 3.5, 1e-9, "second crank");
    near(y[1], 1, 1e-8, "its speed");
    drive_free(&d);
  }
  // no start where it is flat
  mbdx_mechanism_t * m = load_mechanism("parallelogram", MBDX_COORDINATES_TREE);
  drive_t d = drive_of(m);
  const double flat[2] = {0, 0};
  assert_int_equal(mbd_driven_start(d.driven, d.data, 0.5, flat, NULL), MBD_ERROR_LOCKED);
  assert_event(&d, MBD_DRIVEN_BIFURCATION, 0.5, false, "rod");
  drive_free(&d);
}

// 3.7.4: three rods of which one is implied
static void
implied_rod(void ** state)
{
  (void)state;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    drive_t d = drive_file("three_rods", c);
    double y[3];
    int rod;
    const mbd_model_t * m = d.m->model;
    assert_ok(mbd_find_closure(m, "rod_3", &rod));
    assert_int_equal(d.info->mobility, 1);
    assert_int_equal(d.info->mobility_count, 0);
    assert_int_equal(d.info->nimplied, 1);
    for (int r = 0; r < m->nrow; r++)
      assert_int_equal(d.info->implied[r], r == m->closure[rod].row);
    // rank of the rods: what they take of the bar's three degrees of freedom
    assert_int_equal(3 - d.info->mobility, 2);
    assert_ok(mbd_driven_to(d.driven, d.data, 1));
    output(&d, "y", y);
    near(y[0], sqrt(1 - 0.49), 1e-12, "height");
    near(y[1], -0.7 * 0.5 / sqrt(1 - 0.49), 1e-12, "its rate");
    output(&d, "angle", y);
    near(y[0], 0, 1e-12, "angle");
    drive_free(&d);
  }
}

//---------- drivers ----------

#define CRANK(drivers, rod)                                                                        \
  "bodies:\n"                                                                                      \
  "  - {name: crank, mass: 1, inertia: [1, 1, 1]}\n"                                               \
  "  - {name: slider, mass: 1, inertia: [1, 1, 1], xyz: [2.5, 0, 0]}\n"                            \
  "joints:\n"                                                                                      \
  "  - {name: shaft, type: continuous, a: world, b: crank}\n"                                      \
  "  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, b: {link: slider, axis: " \
  "[1, 0, 0]}}\n"                                                                                  \
  "closures:\n"                                                                                    \
  "  - {name: rod, type: distance, distance: " rod                                                 \
  ", a: {link: crank, xyz: [1, 0, 0]}, b: slider}\n" drivers                                       \
  "outputs:\n  - {name: angle, type: joint, joint: shaft}\n"

static drive_t
drive_text(const char * text)
{
  return drive_of(load_mechanism_text(text, MBDX_COORDINATES_FILE));
}

// drivers that do not fit: none, one too many, one that the closures do not let move
static void
drivers_that_do_not_determine_the_motion(void ** state)
{
  (void)state;
  double y[3];
  drive_t d = drive_text(CRANK("initial: {shaft: 0.5}\n", "2"));
  assert_int_equal(d.status, MBD_ERROR_UNDERACTUATED);
  assert_int_equal(d.info->mobility, 1);
  assert_int_equal(d.info->ndriver, 0);
  assert_int_equal(mbd_driven_to(d.driven, d.data, 1), MBD_ERROR_STAGE);
  drive_free(&d);
  // both at rest, and consistent
  d = drive_text(CRANK(
    "drivers:\n  - {name: one, joint: shaft, value: 0}\n  - {name: two, joint: guide, value: 3}\n"
    "initial: {shaft: 0}\n",
    "2"));
  assert_int_equal(d.status, MBD_ERROR_LOCKED);
  assert_event(&d, MBD_DRIVEN_SINGULAR_DRIVER, 0, true, "two");
  drive_free(&d);
  d = drive_text(CRANK(
    "drivers:\n  - {name: one, joint: shaft, value: 1.5707963267948966}\n  - {name: two, joint: "
    "guide, value: 1.7320508075688772}\n",
    "2"));
  assert_int_equal(d.status, MBD_ERROR_LOCKED);
  assert_event(&d, MBD_DRIVEN_SINGULAR_DRIVER, 0, true, "two");
  drive_free(&d);
  // pushed through the dead centre at 3 m: it locks there, since the closures are regular
  d = drive_text(CRANK(
    "drivers:\n  - {name: one, joint: guide, value: 2.5, rate: 1}\ninitial: {shaft: 1}\n", "2"));
  assert_ok(d.status);
  assert_int_equal(mbd_driven_to(d.driven, d.data, 1), MBD_ERROR_LOCKED);
  assert_event(&d, MBD_DRIVEN_LOCK_UP, 0.5, true, "one");
  assert_true(d.info->t == 0);
  drive_free(&d);
  // the slider only just touches the dead centre: the crank may turn back or go on
  d = drive_text(CRANK(
    "drivers:\n  - {name: one, joint: guide, polynomial: [2.75, 0.5, -0.25]}\ninitial: {shaft: "
    "1}\n",
    "2"));
  assert_ok(d.status);
  assert_ok(mbd_driven_to(d.driven, d.data, 1.9));
  assert_event(&d, MBD_DRIVEN_SINGULAR_DRIVER, 1, true, "one");
  assert_int_equal(d.info->nsingular, 1);
  output(&d, "angle", y);
  assert_true(y[0] < -0.1 && y[1] < 0);
  drive_free(&d);
}

// a table is constant after its last point: its rate jumps there
static void
rates_that_jump(void ** state)
{
  (void)state;
  double y[3];
  drive_t d = drive_text(
    CRANK("drivers:\n  - {name: one, joint: shaft, table: [[0, 0], [1, 2], [2, 9]]}\n", "2"));
  assert_ok(d.status);
  for (int k = 1; k <= 30; k++) assert_ok(mbd_driven_to(d.driven, d.data, 0.1 * k));
  output(&d, "angle", y);
  near(y[0], 9, 1e-12, "angle");
  near(y[1], 0, 1e-12, "rate");
  assert_int_equal(d.info->nsingular, 0);
  drive_free(&d);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(frames_and_angles), cmocka_unit_test(universal_joint),
    cmocka_unit_test(planar_mechanisms), cmocka_unit_test(spatial_mechanisms),
    cmocka_unit_test(two_bars),          cmocka_unit_test(lock_up),
    cmocka_unit_test(bifurcation),       cmocka_unit_test(flat_parallelogram),
    cmocka_unit_test(implied_rod),       cmocka_unit_test(drivers_that_do_not_determine_the_motion),
    cmocka_unit_test(rates_that_jump)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
