// The table of `mbdyn demo` on terminals of every size, as a terminal would read it: an interpreter
// of the few controls that it may use puts the bytes into rows and columns.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "close.h"
#include "demo_table.h"
#include "mbdyn/urdf.h"

enum { MOST_ROWS = 120, MOST_COLUMNS = 320 };

// what stands where; a cell is a character
typedef struct terminal {
  int rows, columns, row, column;
  int last_row;  // that something was written to
  int styles;    // escapes of colour and weight
  bool ascii;    // so far
  wchar_t cell[MOST_ROWS][MOST_COLUMNS];
} terminal_t;

static const char *
read_escape(terminal_t * t, const char * c)
{
  assert_int_equal(*c, '[');
  const char * from = ++c;
  while ((*c >= '0' && *c <= '9') || *c == ';') c++;
  if (*c == 'm') t->styles++;
  if (*c == 'H') {
    assert_ptr_equal(c, from);
    t->row = t->column = 0;
  }
  assert_non_null(strchr("mHKJ", *c));
  return c + 1;
}

static void
read_screen(terminal_t * t, const char * text)
{
  for (const char * c = text; *c;) {
    if (*c == '\033') {
      c = read_escape(t, c + 1);
    } else if (*c == '\r' || *c == '\n') {
      if (*c == '\r') t->column = 0;
      if (*c == '\n') t->row++;
      // one more would scroll
      assert_true(t->row < t->rows);
      c++;
    } else {
      wchar_t character;
      const int n = mbtowc(&character, c, MB_CUR_MAX);
      assert_true(n > 0);
      assert_true(t->row < t->rows && t->column < t->columns);
      if (character > 126 || character < 32) t->ascii = false;
      t->cell[t->row][t->column++] = character;
      t->last_row = t->row;
      c += n;
    }
  }
}

static bool
shows(const terminal_t * t, const char * text)
{
  wchar_t wanted[200];
  assert_true(mbstowcs(wanted, text, 200) < 200);
  for (int row = 0; row < t->rows; row++) {
    if (wcsstr(t->cell[row], wanted)) return true;
  }
  return false;
}

//---------- something to show ----------

static mbd_model_t * model;
static demo_robot_t robot;
static demo_view_t view;

static void
show(const char * name)
{
  static const double zero[DEMO_JOINTS];
  char path[512], reason[200];
  const mbdx_urdf_options_t options = mbdx_urdf_options_default();
  mbd_model_destroy(model);
  demo_robot_fini(&robot);
  snprintf(path, sizeof path, MBDYN_SOURCE_DIR "/config/robots/%s.urdf", name);
  assert_ok(mbdx_urdf_load_file(path, &options, &model, NULL));
  assert_true(demo_robot_init(&robot, model, reason, sizeof reason));
  memset(&view, 0, sizeof view);
  view.scene = (demo_scene_t){
    .robot = name,
    .tip = demo_robot_tip(&robot),
    .mode = "computed_torque",
    .number = 2,
    .count = 3,
    .title = "Tracking",
    .text = "from pose to pose",
    .hint = "look",
    .seconds = 71};
  view.scene.judge = (demo_judge_t){true, true};
  assert_true(demo_measures_init(&view.m, &robot));
  demo_measures_t * m = &view.m;
  demo_motion_t motion;
  demo_motion_plan(&motion, &robot, robot.home, 5);
  demo_take_state(m, 0, 0, robot.home, zero, zero);
  demo_count(m, true);
  demo_probe_drift(m);
  demo_take_state(m, 0, 0, robot.home, zero, zero);
  demo_probe_track(m, &motion, 1000);
  for (int64_t k = 0; k < 50; k++) {
    demo_take_state(m, 2000 + k * 1000000, 0, robot.home, zero, zero);
    demo_take_torques(m, 0, 300000, zero);
    demo_take_command(m, robot.home);
    demo_view_t * v = &view;
    v->recent = demo_latencies_copy(m, DEMO_RECENT, v->latency);
    demo_view_reckon(v, k * 100000000);
  }
  free(m->latency);
  m->latency = NULL;
}

static terminal_t *
draw(int rows, int columns, bool color, bool utf8)
{
  static terminal_t t;
  static char text[65536];
  const demo_screen_t screen = {rows, columns, color, utf8};
  memset(&t, 0, sizeof t);
  t.rows = rows;
  t.columns = columns;
  t.ascii = true;
  const size_t n = demo_table_render(&view, &screen, text, sizeof text);
  assert_int_equal(n, strlen(text));
  assert_true(n < sizeof text - 1000);
  read_screen(&t, text);
  return &t;
}

//---------- tests ----------

static void
arm_fits_a_usual_terminal(void ** state)
{
  (void)state;
  show("arm7");
  const terminal_t * t = draw(24, 80, true, true);
  static const char * const parts[] = {
    "arm7, 7 joints, tip tool",
    "computed_torque  1:11",
    "2 of 3  Tracking: from pose to pose",
    "pose 1 of 4",
    "answered  98.0 %",
    "latency p50  300 p99  300 us",
    "joint1",
    "joint7",
    "gravity",
    "corio",
    "inertia",
    "frict",
    "command",
    "extern",
    "✓ drift",
    "✓ tracking",
    "✓ answers",
    "Ctrl-C: quit   look",
    "█"};
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
    if (!shows(t, parts[k])) fail_msg("'%s' is not there", parts[k]);
  }
  assert_true(t->styles > 10);
}

static void
every_size_is_kept(void ** state)
{
  static const char * const robots[] = {"arm7", "hand", "humanoid"};
  (void)state;
  for (int r = 0; r < 3; r++) {
    show(robots[r]);
    for (int rows = 1; rows <= 100; rows += rows < 50 ? 1 : 7) {
      for (int columns = 1; columns <= 300; columns += columns < 100 ? 3 : 33) {
        draw(rows, columns, true, true);
        draw(rows, columns, false, false);
      }
    }
  }
}

// joints are left out from the end, and counted
static void
joints_that_do_not_fit_are_counted(void ** state)
{
  (void)state;
  show("humanoid");
  const terminal_t * t = draw(24, 80, false, true);
  assert_true(shows(t, "l_hip_yaw"));
  assert_false(shows(t, "r_wrist_pitch"));
  assert_true(shows(t, "… 17 more joints"));
  t = draw(60, 100, false, true);
  assert_true(shows(t, "r_wrist_pitch"));
  assert_false(shows(t, "more joints"));
}

static void
plain_terminals_get_plain_text(void ** state)
{
  (void)state;
  show("arm7");
  assert_int_equal(draw(24, 80, false, true)->styles, 0);
  const terminal_t * t = draw(24, 80, false, false);
  assert_true(t->ascii);
  assert_true(shows(t, "+ drift"));
}

// a finger's torques have more digits; what is no number says so; what failed too
static void
numbers_are_readable(void ** state)
{
  (void)state;
  show("hand");
  view.m.gravity[0] = 0.01234;
  view.m.coriolis[1] = -123456;
  view.m.inertia[2] = (double)NAN;
  view.m.friction[3] = -0.00001;
  view.m.not_finite = 1;
  const terminal_t * t = draw(40, 80, false, true);
  assert_true(shows(t, " 0.0123"));
  assert_true(shows(t, "-123456"));
  assert_true(shows(t, " nan"));
  assert_false(shows(t, "-0.000"));
  assert_true(shows(t, "✗ numbers   1 of"));
}

static int
clean(void ** state)
{
  (void)state;
  mbd_model_destroy(model);
  demo_robot_fini(&robot);
  return 0;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(arm_fits_a_usual_terminal),
    cmocka_unit_test(every_size_is_kept),
    cmocka_unit_test(joints_that_do_not_fit_are_counted),
    cmocka_unit_test(plain_terminals_get_plain_text),
    cmocka_unit_test(numbers_are_readable),
  };
  if (!setlocale(LC_ALL, "C.UTF-8")) return 1;
  return cmocka_run_group_tests(tests, NULL, clean);
}
