// `mbdyn analyze` on recordings of the planar arm, whose dynamics are known in closed form (arm.h).
// The motion is a sum of sines, so that velocities and accelerations are exact too.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arm.h"
#include "bag.h"
#include "cli.h"
#include "close.h"
#include "messages_out.h"
#include "reader.h"
#include "writer.h"

//---------- the motion ----------

// q_i = sum over k of A[i][k] sin(W[k] t + P[i][k])
static const double A[2][2] = {{0.9, 0.4}, {1.3, -0.3}};
static const double W[2] = {1.9, 5.3};
static const double P[2][2] = {{0.2, 1.0}, {-0.5, 2.0}};

typedef struct state {
  double q[2], v[2], a[2];
  double gravity[2], coriolis[2], inertia[2], friction[2], total[2];
  double kinetic, potential;
} state_t;

static state_t
state_at(double t)
{
  state_t s = {0};
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++) {
      const double x = W[k] * t + P[i][k];
      s.q[i] += A[i][k] * sin(x);
      s.v[i] += A[i][k] * W[k] * cos(x);
      s.a[i] -= A[i][k] * W[k] * W[k] * sin(x);
    }
  }
  const arm_t arm = arm_at(s.q, s.v);
  for (int i = 0; i < 2; i++) {
    s.gravity[i] = arm.gravity[i];
    s.coriolis[i] = arm.bias[i] - arm.gravity[i];
    s.inertia[i] = arm.M[2 * i] * s.a[0] + arm.M[2 * i + 1] * s.a[1];
    s.friction[i] = i == 0 ? DAMP1 * s.v[0] : 0;
    s.total[i] = s.gravity[i] + s.coriolis[i] + s.inertia[i] + s.friction[i];
  }
  s.kinetic = arm.kinetic;
  s.potential = arm.potential;
  return s;
}

// torque of the environment on the elbow
static double
push_at(double t)
{
  return t > 4 && t < 5 ? 2.0 : 0.0;
}

//---------- recordings ----------

enum { NO_VELOCITY = 1, NO_EFFORT = 2, PUSHED = 4, NO_ROBOT = 8, GAP = 16, DROPS = 32 };
enum { SAMPLES = 8000 };
static const double STEP = 1e-3;
static const int64_t START = 1700000000000000000;

static void
add_topic(bag_writer_t * w, const char * name, const char * type, uint32_t * index)
{
  bag_error_t error;
  char * text = bag_definition(type);
  const bag_topic_t topic = {name, type, "cdr", "", text, 0};
  assert_true(bag_add_topic(w, &topic, index, &error));
  free(text);
}

static void
write_robot(bag_writer_t * w, uint32_t topic)
{
  bag_error_t error;
  wire_writer_t out = wire_writer_open();
  size_t size;
  wire_put_string(&out, ARM_URDF);
  uint8_t * bytes = wire_writer_close(&out, &size);
  assert_non_null(bytes);
  assert_true(bag_write(w, &(bag_message_t){topic, START, START, bytes, size}, &error));
  free(bytes);
}

// one joint state, the joints in the other order than the model has them
static size_t
fill_state(const state_t * s, double t, int flags, int64_t stamp, uint8_t ** bytes)
{
  wire_writer_t out = wire_writer_open();
  wire_put_u32(&out, (uint32_t)(stamp / 1000000000));
  wire_put_u32(&out, (uint32_t)(stamp % 1000000000));
  wire_put_string(&out, "");
  wire_put_count(&out, 2);
  wire_put_string(&out, "elbow");
  wire_put_string(&out, "shoulder");
  for (int k = 0; k < 3; k++) {
    const bool none = (k == 1 && flags & NO_VELOCITY) || (k == 2 && flags & NO_EFFORT);
    wire_put_count(&out, none ? 0 : 2);
    for (int i = 1; !none && i >= 0; i--) {
      const double push = i == 1 && flags & PUSHED ? push_at(t) : 0;
      wire_put_f64s(&out, k == 0 ? s->q[i] : k == 1 ? s->v[i] : s->total[i] - push, 1);
    }
  }
  size_t size;
  *bytes = wire_writer_close(&out, &size);
  assert_non_null(*bytes);
  return size;
}

static void
make(const char * name, bag_format_t format, int flags)
{
  bag_error_t error;
  const bag_options_t options = {format, format == BAG_MCAP ? BAG_ZSTD : BAG_NONE, 1 << 16};
  bag_writer_t * w = bag_create(name, &options, &error);
  if (!w) fail_msg("%s", error.text);
  uint32_t states, robot;
  add_topic(w, "/arm/joint_states", "sensor_msgs/msg/JointState", &states);
  if (!(flags & NO_ROBOT)) {
    add_topic(w, "/arm/robot_description", "std_msgs/msg/String", &robot);
    write_robot(w, robot);
  }
  for (int i = 0; i < SAMPLES; i++) {
    const double t = i * STEP;
    const int64_t stamp = START + (int64_t)i * 1000000;
    if (flags & GAP && i > 3000 && i < 3500) continue;
    // single ones, and six in a row
    if (flags & DROPS && (i % 29 == 7 || i % 500 / 6 == 40)) continue;
    const state_t s = state_at(t);
    uint8_t * bytes;
    const size_t size = fill_state(&s, t, flags, stamp, &bytes);
    const int64_t log = stamp + 300000;
    assert_true(bag_write(w, &(bag_message_t){states, log, stamp, bytes, size}, &error));
    free(bytes);
  }
  assert_true(bag_close(w, &error));
}

static int
setup(void ** state)
{
  if (cli_setup(state) != 0) return -1;
  make("full", BAG_MCAP, 0);
  make("sqlite", BAG_SQLITE3, NO_VELOCITY | NO_EFFORT | NO_ROBOT);
  make("pushed", BAG_MCAP, PUSHED);
  make("gap", BAG_MCAP, GAP);
  make("drops", BAG_MCAP, DROPS | NO_VELOCITY);
  return 0;
}

static int
teardown(void ** state)
{
  // in the tests' own directory
  if (system("rm -rf full sqlite pushed gap drops out") != 0) return -1;
  return cli_teardown(state);
}

//---------- rows of the CSV ----------

typedef struct rows {
  int n, columns;
  char name[64][32];
  double * x;  // [n][columns]; NaN: empty
} rows_t;

static rows_t
read_csv(const char * path)
{
  rows_t rows = {.x = malloc(sizeof(double) * 64 * (SAMPLES + 1))};
  FILE * in = fopen(path, "r");
  assert_non_null(in);
  static char line[8192];
  while (fgets(line, sizeof line, in)) {
    line[strcspn(line, "\n")] = '\0';
    int c = 0;
    for (char * at = line; at; c++) {
      char * comma = strchr(at, ',');
      if (comma) *comma = '\0';
      if (rows.columns == 0) {
        snprintf(rows.name[c], sizeof rows.name[c], "%.31s", at);
      } else {
        rows.x[rows.n * rows.columns + c] = at[0] ? strtod(at, NULL) : (double)NAN;
      }
      at = comma ? comma + 1 : NULL;
    }
    if (rows.columns == 0) {
      rows.columns = c;
    } else {
      assert_int_equal(c, rows.columns);
      rows.n++;
    }
  }
  fclose(in);
  return rows;
}

static double
cell(const rows_t * rows, int row, const char * name)
{
  for (int c = 0; c < rows->columns; c++) {
    if (strcmp(rows->name[c], name) == 0) return rows->x[row * rows->columns + c];
  }
  fail_msg("no column %s", name);
  return 0;
}

static const char * const JOINTS[2] = {"shoulder", "elbow"};

static double
joint_cell(const rows_t * rows, int row, const char * what, int joint)
{
  char name[64];
  snprintf(name, sizeof name, "%s_%s", what, JOINTS[joint]);
  return cell(rows, row, name);
}

// the largest distance of a column from what is true
static double
worst(const rows_t * rows, const char * what, size_t offset)
{
  double most = 0;
  for (int i = 0; i < rows->n; i++) {
    const state_t s = state_at(cell(rows, i, "t"));
    for (int k = 0; k < 2; k++) {
      const double * truth = (const double *)((const char *)&s + offset);
      most = larger(most, fabs(joint_cell(rows, i, what, k) - truth[k]));
    }
  }
  return most;
}

#define WORST(rows, what, field) worst(rows, what, offsetof(state_t, field))

//---------- tests ----------

static json_t *
analyze(const char * const * args)
{
  return run_json("", args);
}

#define ANALYZE(...) analyze((const char * const[]){"analyze", "--json", __VA_ARGS__, NULL})

static double
number(const json_t * json, const char * path)
{
  double x;
  numbers_at(json, path, &x, 1);
  return x;
}

static char *
slurp(const char * path)
{
  FILE * in = fopen(path, "r");
  assert_non_null(in);
  char * text = calloc(1, 4 << 20);
  assert_true(fread(text, 1, (4 << 20) - 1, in) < (4 << 20) - 1);
  fclose(in);
  return text;
}

static void
test_terms(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--cutoff", "0", "--csv", "full.csv");
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  assert_int_equal(rows.n, SAMPLES - 2);
  // as recorded, but for the digits of the table
  assert_true(WORST(&rows, "q", q) < 1e-11);
  assert_true(WORST(&rows, "v", v) < 1e-10);
  assert_true(WORST(&rows, "gravity", gravity) < 1e-9);
  assert_true(WORST(&rows, "coriolis", coriolis) < 1e-9);
  assert_true(WORST(&rows, "friction", friction) < 1e-9);
  assert_true(WORST(&rows, "tau", total) < 1e-9);
  // central differences: A W^4 h^2 / 6
  assert_true(WORST(&rows, "a", a) < 1e-4);
  assert_true(WORST(&rows, "inertia", inertia) < 3e-4);
  assert_true(WORST(&rows, "total", total) < 3e-4);
  for (int i = 0; i < rows.n; i++) {
    const state_t s = state_at(cell(&rows, i, "t"));
    assert_true(fabs(cell(&rows, i, "kinetic") - s.kinetic) < 1e-9);
    assert_true(fabs(cell(&rows, i, "potential") - s.potential) < 1e-9);
    if (i > 0) assert_true(fabs(joint_cell(&rows, i, "external", 1)) < 5e-3);
  }
  free(rows.x);
}

// the table is the same to the last digit
static void
test_threads(void ** state)
{
  (void)state;
  json_decref(ANALYZE("full", "--threads", "1", "--csv", "one.csv"));
  json_decref(ANALYZE("full", "--threads", "3", "--csv", "three.csv"));
  json_decref(ANALYZE("full", "--csv", "default.csv"));
  char *one = slurp("one.csv"), *three = slurp("three.csv"), *usual = slurp("default.csv");
  assert_true(strlen(one) > 1000 * SAMPLES / 10);
  assert_string_equal(three, one);
  assert_string_equal(usual, one);
  free(one), free(three), free(usual);
}

// torques of a sample are those that `mbdyn eval` has for it alone, but for the digits of the table
static void
test_samples_alone(void ** state)
{
  (void)state;
  static const char * const KEYS[3] = {"gravity", "bias", "tau"};
  json_decref(ANALYZE("full", "--csv", "full.csv"));
  rows_t rows = read_csv("full.csv");
  for (int i = 7; i < rows.n; i += rows.n / 6) {
    double x[3][2], sum[2] = {0};
    char text[512];
    for (int j = 0; j < 2; j++) {
      x[0][j] = joint_cell(&rows, i, "q", j);
      x[1][j] = joint_cell(&rows, i, "v", j);
      x[2][j] = joint_cell(&rows, i, "a", j);
    }
    snprintf(
      text, sizeof text,
      "{\"states\": [{\"q\": [%.17g, %.17g], \"v\": [%.17g, %.17g], \"a\": [%.17g, %.17g]}]}",
      x[0][0], x[0][1], x[1][0], x[1][1], x[2][0], x[2][1]);
    json_t * alone = EVAL(text, "--with", "rotors");
    static const char * const TERMS[3] = {"gravity", "coriolis", "inertia"};
    for (int k = 0; k < 3; k++) {
      double want[2];
      char path[32];
      snprintf(path, sizeof path, "states/0/%s", KEYS[k]);
      numbers_at(alone, path, want, 2);
      for (int j = 0; j < 2; j++) {
        sum[j] += joint_cell(&rows, i, TERMS[k], j);
        assert_true(fabs(sum[j] - want[j]) < 1e-9);
      }
    }
    json_decref(alone);
  }
  free(rows.x);
}

// the low-pass must not change a motion of below 1 Hz
static void
test_smoothed(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--csv", "full.csv");
  assert_true(number(json, "recording/cutoff") == 25);
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  assert_int_equal(rows.n, SAMPLES - 2 * (120 + 2));
  assert_true(WORST(&rows, "v", v) < 1e-4);
  assert_true(WORST(&rows, "a", a) < 1e-3);
  assert_true(WORST(&rows, "total", total) < 3e-3);
  free(rows.x);
}

// positions alone, another format, the robot from a file
static void
test_from_positions(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("sqlite", "--robot", "arm.urdf", "--csv", "full.csv");
  assert_true(json_is_false(value_at(json, "recording/velocity")));
  assert_true(json_is_false(value_at(json, "recording/effort")));
  assert_true(json_is_null(value_at(json, "joints/0/external")));
  assert_true(json_is_null(value_at(json, "energy/work_measured")));
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  assert_true(WORST(&rows, "v", v) < 1e-4);
  assert_true(WORST(&rows, "a", a) < 1e-3);
  assert_true(WORST(&rows, "total", total) < 3e-3);
  assert_true(isnan(joint_cell(&rows, 5, "tau", 0)));
  free(rows.x);
}

// the first law: work less friction is what kinetic and potential energy gain
static void
test_energy_balance(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--cutoff", "0");
  const state_t first = state_at(STEP), last = state_at((SAMPLES - 2) * STEP);
  const double change = last.kinetic + last.potential - first.kinetic - first.potential;
  const double model = number(json, "energy/work_model");
  const double friction = number(json, "energy/work_friction");
  assert_true(fabs(number(json, "energy/change") - change) < 1e-9);
  assert_true(fabs(change) > 0.5 && friction > 1);
  assert_true(fabs(model - friction - change) < 1e-3);
  assert_true(fabs(number(json, "energy/work_measured") - model) < 1e-3);
  // friction by a sum of its own
  double sum = 0;
  for (int i = 1; i < SAMPLES - 1; i++) {
    const double v = state_at(i * STEP).v[0];
    sum += DAMP1 * v * v * STEP;
  }
  assert_true(fabs(friction - sum) < 1e-2 * sum);
  json_decref(json);

  json = ANALYZE("full", "--cutoff", "0", "--without", "friction");
  assert_true(number(json, "energy/work_friction") == 0);
  assert_true(fabs(number(json, "joints/0/error/max")) > 0.2);
  json_decref(json);
}

// that step through a lag of 1/30 s
static double
lagged(double t)
{
  return t < 4 ? 0 : t < 5 ? 2 * (1 - exp(-30 * (t - 4))) : 2 * exp(-30 * (t - 5));
}

static void
test_push(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("pushed", "--csv", "full.csv");
  assert_true(fabs(number(json, "joints/1/external/max") - 2) < 0.02);
  assert_true(number(json, "joints/0/external/max") < 0.02);
  const double at = number(json, "joints/1/external/peak_time");
  assert_true(at > 4.5 && at <= 5.001);
  double work = 0;
  for (int i = 0; i < SAMPLES; i++) work += lagged(i * STEP) * state_at(i * STEP).v[1] * STEP;
  assert_true(fabs(work) > 0.3);
  assert_true(fabs(number(json, "energy/work_external") - work) < 0.02);
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  for (int i = 2; i < rows.n; i++) {
    const double t = cell(&rows, i, "t"), x = joint_cell(&rows, i, "external", 1);
    const double expected = t < 4   ? 0
                            : t < 5 ? 2 * (1 - exp(-30 * (t - 4)))
                                    : 2 * exp(-30 * (t - 5));
    assert_true(fabs(x - expected) < 0.07);
  }
  free(rows.x);
}

// shoulder: upper 2.5 rad is never reached, velocity 3 rad/s and effort 40 N m are
static void
test_limits(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--cutoff", "0");
  double time[2] = {0, 0};
  int times[2] = {0, 0};
  bool on[2] = {false, false};
  for (int i = 1; i < SAMPLES - 1; i++) {
    const state_t s = state_at(i * STEP);
    const bool now[2] = {fabs(s.v[0]) >= 3 * 0.999, fabs(s.total[0]) >= 40 * 0.999};
    for (int k = 0; k < 2; k++) {
      time[k] += now[k] ? STEP : 0;
      times[k] += now[k] && !on[k];
      on[k] = now[k];
    }
  }
  const json_t * reached = value_at(json, "joints/0/limits_reached");
  const char * names[2] = {"velocity", "effort"};
  size_t at = 0;
  for (int k = 0; k < 2; k++) {
    if (times[k] == 0) continue;
    const json_t * x = json_array_get(reached, at++);
    assert_non_null(x);
    assert_string_equal(json_string_value(json_object_get(x, "which")), names[k]);
    assert_true(fabs(number(x, "times") - times[k]) < 0.5);
    assert_true(fabs(number(x, "total_time") - time[k]) < 2 * times[k] * STEP);
  }
  assert_true(times[0] > 0);
  assert_int_equal(json_array_size(reached), at);
  assert_int_equal(json_array_size(value_at(json, "joints/1/limits_reached")), 0);
  json_decref(json);
}

static void
test_gap(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("gap", "--cutoff", "0", "--csv", "full.csv");
  assert_true(number(json, "recording/gaps") == 1);
  // nothing is said of the gap, and its energy does not count as work
  const double model = number(json, "energy/work_model");
  const double rest = number(json, "energy/work_friction") + number(json, "energy/change");
  assert_true(fabs(model - rest) < 1e-3);
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  assert_int_equal(rows.n, SAMPLES - 499 - 4);
  assert_true(WORST(&rows, "total", total) < 3e-4);
  free(rows.x);
}

// messages that were lost: the low-pass sees steady steps all the same
static void
test_drops(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("drops", "--csv", "full.csv");
  assert_true(number(json, "recording/gaps") == 0);
  json_decref(json);
  rows_t rows = read_csv("full.csv");
  assert_true(rows.n > SAMPLES * 9 / 10 && rows.n < SAMPLES * 96 / 100);
  // a chord of 7 ms is off by a h^2 / 8
  assert_true(WORST(&rows, "v", v) < 5e-3);
  assert_true(WORST(&rows, "a", a) < 0.5);
  free(rows.x);
}

// part of a recording
static void
test_part(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--cutoff", "0", "--start", "2", "--duration", "1");
  assert_true(fabs(number(json, "recording/samples") - 1000) <= 2);
  assert_true(fabs(number(json, "recording/duration") - 1) < 3e-3);
  json_decref(json);
}

//---------- other outputs ----------

// numbers of a sequence in the bytes of a JointTorques, after header and names
static void
check_torques(const bag_message_t * m)
{
  wire_reader_t r = wire_open(m->data, m->size);
  const int32_t sec = wire_i32(&r);
  const uint32_t nanosec = wire_u32(&r);
  wire_string(&r);
  assert_int_equal(wire_u32(&r), 2);
  assert_true(wire_text_is(wire_string(&r), "shoulder"));
  assert_true(wire_text_is(wire_string(&r), "elbow"));
  const int64_t stamp = (int64_t)sec * 1000000000 + nanosec;
  assert_int_equal(m->log_time, stamp + 300000);
  const state_t s = state_at((double)(stamp - START) * 1e-9);
  const double zero[2] = {0, 0};
  const double * truth[6] = {s.total, s.gravity, s.coriolis, s.inertia, s.friction, zero};
  for (int k = 0; k < 6; k++) {
    const wire_numbers_t x = wire_f64_sequence(&r);
    assert_int_equal(x.n, 2);
    for (uint32_t i = 0; i < 2; i++) assert_true(fabs(wire_number(&x, i) - truth[k][i]) < 3e-4);
  }
  assert_true(wire_ok(&r));
}

static void
test_recording(void ** state)
{
  (void)state;
  json_t * json = ANALYZE("full", "--cutoff", "0", "--output", "out");
  json_decref(json);
  bag_error_t error;
  bag_reader_t * r = bag_open("out", &error);
  assert_non_null(r);
  assert_int_equal(bag_info(r)->count, 4 * (SAMPLES - 2));
  const int topic = bag_find_topic(r, "/mbdyn/joint_torques");
  assert_true(topic >= 0);
  assert_non_null(bag_info(r)->topic[topic].definition);
  bag_message_t m;
  int count = 0;
  while (bag_next(r, &m, &error) > 0) {
    if ((int)m.topic != topic) continue;
    check_torques(&m);
    count++;
  }
  assert_int_equal(count, SAMPLES - 2);
  bag_free(r);
}

// the page holds the same numbers, decimated, and asks for nothing from outside
static void
test_page(void ** state)
{
  (void)state;
  run_t run = RUN("", "analyze", "full", "--cutoff", "0", "--html", "page.html");
  assert_int_equal(run.code, 0);
  run_free(&run);
  char * page = slurp("page.html");
  assert_true(strlen(page) < 1000000);
  assert_null(strstr(page, "http:"));
  assert_null(strstr(page, "https:"));
  assert_null(strstr(page, "src="));
  assert_null(strstr(page, "@DATA@"));
  const char * begin = strstr(page, "type=\"application/json\">");
  assert_non_null(begin);
  begin += strlen("type=\"application/json\">");
  const char * end = strstr(begin, "</script>");
  json_t * json = json_loadb(begin, (size_t)(end - begin), 0, NULL);
  assert_non_null(json);
  assert_int_equal(json_array_size(value_at(json, "joints")), 2);
  double least = 1e9, most = -1e9;
  for (int i = 1; i < SAMPLES - 1; i++) {
    const double x = state_at(i * STEP).gravity[0];
    least = fmin(least, x);
    most = fmax(most, x);
  }
  assert_true(fabs(number(json, "joints/0/gravity/min") - least) < 1e-5);
  assert_true(fabs(number(json, "joints/0/gravity/max") - most) < 1e-5);
  const char * data = json_string_value(value_at(json, "joints/0/gravity/data"));
  assert_int_equal(strlen(data), (size_t)(number(json, "slices") * 4 + 2) / 3 * 4);
  json_decref(json);
  free(page);
}

static void
test_text(void ** state)
{
  (void)state;
  run_t run = RUN("", "analyze", "pushed");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "robot      arm (/arm/robot_description), 2 degrees of freedom");
  assert_contains(run.out, "samples    8000 of 8000 messages, 7.999 s, every 0.001 s");
  assert_contains(run.out, "peak |torque|");
  assert_contains(run.out, "limits reached");
  run_free(&run);
}

// cut in the middle: what is whole, and a word about it
static void
test_cut(void ** state)
{
  (void)state;
  assert_int_equal(
    system("head -c $(($(wc -c < full/full_0.mcap) / 2)) full/full_0.mcap > cut.mcap"), 0);
  run_t run = RUN("", "analyze", "cut.mcap", "--json");
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "truncated or damaged at byte");
  json_t * json = json_loads(run.out, 0, NULL);
  const double n = number(json, "recording/samples");
  assert_true(n > 500 && n < SAMPLES);
  json_decref(json);
  run_free(&run);
}

static void
refused(const char * const * args, const char * text)
{
  run_t run = run_cli("", NULL, args);
  if (run.code != 2) fail_msg("exit code %d: %s%s", run.code, run.out, run.err);
  assert_contains(run.err, text);
  run_free(&run);
}

#define REFUSED(text, ...) refused((const char * const[]){"analyze", __VA_ARGS__, NULL}, text)

static void
test_refusals(void ** state)
{
  (void)state;
  REFUSED("No such file", "nothing");
  REFUSED("give --robot FILE", "sqlite");
  REFUSED("did you mean '/arm/joint_states'?", "full", "--topic", "/arm/joint_state");
  REFUSED("expected a folder, a .mcap or a .db3 file", "arm.urdf");
  REFUSED("at most 400 Hz", "full", "--cutoff", "450");
  REFUSED("higher --cutoff", "full", "--cutoff", "0.5");
  REFUSED("expected friction", "full", "--without", "gravity");
  REFUSED("it exists", "full", "--output", "full");
  REFUSED("cannot write", "full", "--csv", "/nonexistent/x.csv");
  REFUSED("too few", "full", "--start", "7.9975");
  // joints that the recording does not have
  write_file(
    "other.urdf",
    "<robot name='o'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' "
    "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='waist' "
    "type='continuous'><parent link='a'/><child link='b'/></joint></robot>");
  REFUSED("'waist' is missing", "full", "--robot", "other.urdf");
  // a disk that is full
  REFUSED("", "full", "--csv", "/dev/full");
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_terms),
    cmocka_unit_test(test_threads),
    cmocka_unit_test(test_samples_alone),
    cmocka_unit_test(test_smoothed),
    cmocka_unit_test(test_from_positions),
    cmocka_unit_test(test_energy_balance),
    cmocka_unit_test(test_push),
    cmocka_unit_test(test_limits),
    cmocka_unit_test(test_gap),
    cmocka_unit_test(test_part),
    cmocka_unit_test(test_drops),
    cmocka_unit_test(test_recording),
    cmocka_unit_test(test_page),
    cmocka_unit_test(test_text),
    cmocka_unit_test(test_cut),
    cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
