// Robots as text: URDF -> MJCF -> URDF has the same dynamics, what a format cannot hold is said.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/constraints/closure.h"
#include "mbdyn/dynamics/element.h"
#include "mbdyn/mjcf.h"
#include "mbdyn/robot_write.h"
#include "urdf_test.h"

typedef mbd_status_t (*write_t)(const mbd_model_t *, char **, size_t *, mbdx_report_t **);

static mbd_model_t *
load_robot(const char * path, mbdx_base_t base)
{
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_t * model;
  mbdx_report_t * report;
  options.embed = false, options.base = base, options.mimic_independent = true;
  options.allow_massless = true;
  const mbd_status_t status = mbdx_urdf_load_file(path, &options, &model, &report);
  if (status != MBD_OK) print_report(report);
  assert_ok(status);
  mbdx_report_free(report);
  return model;
}

// the model written and read back; NULL if the format cannot hold it
static mbd_model_t *
through(const mbd_model_t * model, write_t write, mbdx_base_t base)
{
  char * text;
  mbdx_report_t * report;
  size_t size;
  const mbd_status_t status = write(model, &text, &size, &report);
  if (status == MBD_ERROR_UNSUPPORTED) {
    assert_true(report->nerror > 0);
    mbdx_report_free(report);
    return NULL;
  }
  assert_ok(status);
  assert_int_equal(size, strlen(text));
  mbdx_report_free(report);
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.embed = false, options.base = base, options.mimic_independent = true;
  options.allow_massless = true;
  mbd_model_t * read;
  const mbd_status_t again = mbdx_urdf_load_string(text, size, "written", &options, &read, &report);
  if (again != MBD_OK) {
    print_report(report);
    print_message("%s\n", text);
  }
  assert_ok(again);
  mbdx_report_free(report);
  mbdx_robot_text_free(text);
  return read;
}

//---------- comparing ----------

static mbd_data_t *
make_data(const mbd_model_t * model)
{
  mbd_data_t * data;
  assert_ok(mbd_data_create(model, &data));
  assert_ok(mbd_set_terms(data, MBD_TERM_FRICTION | MBD_TERM_ROTORS | MBD_TERM_ELEMENTS));
  return data;
}

static void
compare_frames(
  const char * what, const mbd_model_t * a, mbd_data_t * da, const mbd_model_t * b, mbd_data_t * db)
{
  for (int k = 0; k < a->nframe; k++) {
    int frame;
    // frames and names of links without mass between joints of one body are made up again; the world is one
    const int body = a->frame[k].body;
    if (body < 0 || a->body[body].inertia.mass == 0) continue;
    if (mbd_find_frame(b, a->frame[k].name, &frame) != MBD_OK)
      fail_msg("%s: frame %s is gone", what, a->frame[k].name);
    mbd_placement_t X, Y;
    assert_ok(mbd_frame_placement(a, da, k, &X));
    assert_ok(mbd_frame_placement(b, db, frame, &Y));
    assert_close_(X.R.m, Y.R.m, 9, 1e-12, 1, __FILE__, __LINE__, "%s: %s", what, a->frame[k].name);
    const double p[3] = {X.p.x, X.p.y, X.p.z}, q[3] = {Y.p.x, Y.p.y, Y.p.z};
    assert_close_(p, q, 3, 1e-12, 1, __FILE__, __LINE__, "%s: %s", what, a->frame[k].name);
  }
}

static void
compare_limits(const char * what, const mbd_model_t * a, const mbd_model_t * b)
{
  for (int i = 0; i < a->nbody; i++) {
    assert_string_equal(a->body[i].joint_name, b->body[i].joint_name);
    const mbd_limits_t *l = &a->body[i].limits, *r = &b->body[i].limits;
    if (a->body[i].nv > 1) continue;
    if (isfinite(l->lower) && isfinite(l->upper))
      assert_close(&l->lower, &r->lower, 2, 1e-14, "%s: limits", what);
    if (isfinite(l->effort)) assert_close(&l->effort, &r->effort, 1, 1e-14, "%s: effort", what);
  }
}

// dynamics of two models with the same joints at random states; forces: of springs too
static void
compare(const char * what, const mbd_model_t * a, const mbd_model_t * b)
{
  assert_int_equal(a->nv, b->nv);
  assert_int_equal(a->nq, b->nq);
  compare_limits(what, a, b);
  mbd_data_t *da = make_data(a), *db = make_data(b);
  const size_t n = (size_t)a->nv;
  double * q = calloc((size_t)a->nq + 4 * n + 2 * n * n + 1, sizeof *q);
  double *v = q + a->nq, *u = v + n, *x = u + n, *y = x + n, *M = y + n, *N = M + n * n;
  for (uint64_t s = 1; s <= 10; s++) {
    assert_ok(mbd_random_configuration(a, s, q));
    for (size_t i = 0; i < n; i++)
      v[i] = sin((double)(3 * i + 5 * s)), u[i] = 4 * cos((double)(7 * i + s));
    assert_ok(mbd_inverse_dynamics(a, da, q, v, u, NULL, x));
    assert_ok(mbd_inverse_dynamics(b, db, q, v, u, NULL, y));
    assert_close(x, y, n, 1e-12, "%s: inverse dynamics, state %d", what, (int)s);
    assert_ok(mbd_mass_matrix(a, da, M));
    assert_ok(mbd_mass_matrix(b, db, N));
    assert_close(M, N, n * n, 1e-12, "%s: M, state %d", what, (int)s);
    compare_frames(what, a, da, b, db);
    assert_int_equal(a->nrow, b->nrow);
    double d[128], e[128];
    if (a->nrow == 0 || a->nrow > 128) continue;
    assert_ok(mbd_closure_error(a, da, 0, d));
    assert_ok(mbd_closure_error(b, db, 0, e));
    // rows may stand in other axes and order, their length stays
    double D = 0, E = 0;
    for (int i = 0; i < a->nrow; i++) D += d[i] * d[i], E += e[i] * e[i];
    assert_close(&D, &E, 1, 1e-9, "%s: closure error, state %d", what, (int)s);
  }
  free(q);
  mbd_data_destroy(da);
  mbd_data_destroy(db);
}

//---------- tests ----------

static int
round_trip(const char * path, mbdx_base_t base)
{
  mbd_model_t * first = load_robot(path, base);
  mbd_model_t * mjcf = first->nv > 0 ? through(first, mbdx_mjcf_write, MBDX_BASE_FIXED) : NULL;
  if (mjcf) {
    compare(path, first, mjcf);
    mbd_model_t * urdf = through(mjcf, mbdx_urdf_write, MBDX_BASE_FIXED);
    assert_non_null(urdf);
    compare(path, first, urdf);
    mbd_model_destroy(urdf);
  }
  const bool done = mjcf != NULL;
  mbd_model_destroy(mjcf);
  mbd_model_destroy(first);
  return done;
}

// every robot in the repository
static void
urdf_to_mjcf_and_back(void ** state)
{
  static const char * const folders[] = {"/config/robots", "/test/data"};
  (void)state;
  int done = 0, seen = 0;
  for (int f = 0; f < 2; f++) {
    char folder[400], path[800];
    snprintf(folder, sizeof folder, "%s%s", MBDYN_SOURCE_DIR, folders[f]);
    DIR * dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent * e; (e = readdir(dir)) != NULL;) {
      const char * dot = strrchr(e->d_name, '.');
      if (!dot || strcmp(dot, ".urdf") != 0) continue;
      snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
      const int fixed = round_trip(path, MBDX_BASE_FIXED),
                floats = round_trip(path, MBDX_BASE_FLOATING);
      if (!fixed || !floats) print_message("not held by MJCF: %s\n", e->d_name);
      done += fixed + floats, seen += 2;
    }
    closedir(dir);
  }
  print_message("%d of %d robots\n", done, seen);
  assert_true(done >= 20);
}

// models of MJCF through MJCF, and through URDF where it can hold them
static void
mjcf_and_back(void ** state)
{
  (void)state;
  const char * folder = MBDYN_SOURCE_DIR "/test/data/mjcf";
  DIR * dir = opendir(folder);
  int held = 0, seen = 0;
  assert_non_null(dir);
  for (struct dirent * e; (e = readdir(dir)) != NULL;) {
    char path[800];
    const char * dot = strrchr(e->d_name, '.');
    if (!dot || strcmp(dot, ".xml") != 0) continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    mbd_model_t * first = load_robot(path, MBDX_BASE_FIXED);
    mbd_model_t * again = through(first, mbdx_mjcf_write, MBDX_BASE_FIXED);
    assert_non_null(again);
    compare(path, first, again);
    seen++;
    mbd_model_t * urdf =
      first->nelement == 0 ? through(first, mbdx_urdf_write, MBDX_BASE_FIXED) : NULL;
    const mbd_vec3_t g = first->gravity;
    if (urdf && g.x == 0 && g.y == 0 && g.z == -9.81) compare(path, first, urdf), held++;
    mbd_model_destroy(urdf);
    mbd_model_destroy(again);
    mbd_model_destroy(first);
  }
  closedir(dir);
  print_message("%d through MJCF, %d through URDF\n", seen, held);
  assert_true(seen >= 30 && held >= 15);
}

static void
says_what_is_left_out(void ** state)
{
  static const struct {
    const char * file;
    write_t write;
    mbd_status_t status;
    mbdx_severity_t severity;
    const char * says;
  } cases[] = {
    {"ball.xml", mbdx_urdf_write, MBD_ERROR_UNSUPPORTED, MBDX_ERROR,
     "joint 'shoulder': URDF has no joint of this type; replace"},

    {"reference.xml", mbdx_urdf_write, MBD_OK, MBDX_WARNING,
     "force 'j1_spring': URDF has no springs: it is left out"},
    {"gripper.xml", mbdx_urdf_write, MBD_OK, MBDX_WARNING, "URDF has no gravity: it is left out"},
  };
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char path[800], *text;
    mbdx_report_t * report;
    snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/test/data/mjcf/%s", cases[k].file);
    mbd_model_t * model = load_robot(path, MBDX_BASE_FIXED);
    assert_int_equal(cases[k].write(model, &text, NULL, &report), cases[k].status);
    assert_true((text != NULL) == (cases[k].status == MBD_OK));
    assert_entry(path, report, cases[k].severity, 0, cases[k].says);
    mbdx_robot_text_free(text);
    mbdx_report_free(report);
    mbd_model_destroy(model);
  }
}

// a force of a loops file that MJCF has no element for
static void
says_which_force_is_left_out(void ** state)
{
  (void)state;
  static const char * const text =
    "<mujoco><worldbody><body name='a'><joint name='j' axis='0 1 0'/><geom size='1' pos='1 0 "
    "0'/></body>"
    "</worldbody></mujoco>";
  mbdx_urdf_options_t options = mbdx_urdf_options_default();
  options.loops_text =
    "forces: [{name: f, type: spring, a: {link: world, xyz: [0, 0, 5]}, b: a, stiffness: 1}]";
  options.mechanism = true;
  mbd_model_t * model;
  mbdx_report_t * report;
  const mbd_status_t status =
    mbdx_mjcf_load_string(text, strlen(text), NULL, &options, &model, &report);
  if (status != MBD_OK) print_report(report);
  assert_ok(status);
  mbdx_report_free(report);
  char * written;
  assert_ok(mbdx_mjcf_write(model, &written, NULL, &report));
  assert_entry("force", report, MBDX_WARNING, 0, "force 'f': only springs of joints are written");
  mbdx_robot_text_free(written);
  mbdx_report_free(report);
  mbd_model_destroy(model);
}

// names that XML would take for its own
static void
names_are_escaped(void ** state)
{
  (void)state;
  static const char * const text =
    "<mujoco model='a &amp; &lt;b&gt; &quot;c&quot;'><worldbody><body name='x&lt;y'><joint "
    "name='&quot;j&quot;'/>"
    "<geom size='1'/></body></worldbody></mujoco>";
  mbd_model_t * model;
  assert_ok(mbdx_mjcf_load_string(text, strlen(text), NULL, NULL, &model, NULL));
  mbd_model_t *mjcf = through(model, mbdx_mjcf_write, MBDX_BASE_FIXED),
              *urdf = through(model, mbdx_urdf_write, MBDX_BASE_FIXED);
  assert_string_equal(mjcf->name, "a & <b> \"c\"");
  assert_string_equal(urdf->body[0].joint_name, "\"j\"");
  assert_string_equal(urdf->body[0].name, "x<y");
  mbd_model_destroy(mjcf);
  mbd_model_destroy(urdf);
  mbd_model_destroy(model);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(urdf_to_mjcf_and_back), cmocka_unit_test(mjcf_and_back),
    cmocka_unit_test(says_what_is_left_out), cmocka_unit_test(says_which_force_is_left_out),
    cmocka_unit_test(names_are_escaped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
