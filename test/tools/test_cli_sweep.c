// `mbdyn sweep`: values of variables, rows against other commands and closed forms, the same bits on every number of
// threads, what a crash leaves, wrong files.
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arm.h"
#include "cli.h"
#include "table.h"

#define MECHANISMS MBDYN_SOURCE_DIR "/config/mechanisms/"
#define ROBOTS     MBDYN_SOURCE_DIR "/config/robots/"

static void
near(double x, double expected, double tolerance)
{
  if (!(fabs(x - expected) <= tolerance)) fail_msg("%.12g, not %.12g", x, expected);
}

static char *
read_file(const char * path, size_t * size)
{
  FILE * file = fopen(path, "rb");
  assert_non_null(file);
  struct stat st;
  assert_int_equal(fstat(fileno(file), &st), 0);
  char * text = calloc((size_t)st.st_size + 1, 1);
  *size = fread(text, 1, (size_t)st.st_size, file);
  fclose(file);
  return text;
}

static void
assert_same_file(const char * a, const char * b)
{
  size_t n, m;
  char *x = read_file(a, &n), *y = read_file(b, &m);
  assert_true(n > 128);
  assert_int_equal(n, m);
  assert_memory_equal(x, y, n);
  free(x);
  free(y);
}

// runs a sweep, gives its results.csv
static table_t
sweep(const char * text, const char * folder, const char * threads)
{
  char path[256];
  size_t n;
  write_file("s.sweep.yaml", text);
  run_t run =
    RUN("", "sweep", "s.sweep.yaml", "--csv", "--restart", "--out", folder, "--threads", threads);
  if (run.code != 0) fail_msg("%s", run.err);
  run_free(&run);
  snprintf(path, sizeof path, "%s/results.csv", folder);
  char * csv = read_file(path, &n);
  return parse_table(csv);
}

// the text begins with the first name
static void
end_sweep(table_t * t)
{
  free(t->name[0]);
  free_table(t);
}

//---------- values ----------

static void
grids_have_every_point_once(void ** state)
{
  (void)state;
  table_t t = sweep(
    "robot: arm.urdf\nvariables:\n  - {name: a, set: q.shoulder, grid: [-1, 1, 5]}\n"
    "  - {name: b, set: v.elbow, values: [3, 1, 2]}\nevaluate: {}\n",
    "grid", "2");
  const double b[] = {3, 1, 2};
  assert_int_equal(t.rows, 15);
  for (int i = 0; i < 15; i++) {
    assert_true(cell(&t, i, "point") == i);
    near(cell(&t, i, "a"), -1 + 0.5 * (i / 3), 1e-15);
    assert_true(cell(&t, i, "b") == b[i % 3]);
    assert_true(cell(&t, i, "status") == 1);
  }
  assert_true(cell(&t, 14, "a") == 1);
  end_sweep(&t);
}

static void
random_numbers_have_their_law(void ** state)
{
  (void)state;
  table_t t = sweep(
    "robot: arm.urdf\nsamples: 20000\nseed: 3\nvariables:\n"
    "  - {name: u, set: q.shoulder, uniform: [2, 6]}\n"
    "  - {name: n, set: v.elbow, normal: [-1, 0.5]}\nevaluate: {outputs: [kinetic_energy]}\n",
    "random", "2");
  assert_int_equal(t.rows, 20000);
  double sum[2] = {0}, square[2] = {0}, product = 0;
  int beyond = 0;
  for (int i = 0; i < t.rows; i++) {
    const double u = cell(&t, i, "u") - 4, n = (cell(&t, i, "n") + 1) / 0.5;
    assert_true(fabs(u) < 2);
    sum[0] += u, square[0] += u * u, sum[1] += n, square[1] += n * n, product += u * n;
    beyond += fabs(n) > 1.959964;
  }
  const double N = t.rows;
  // four standard deviations of each estimate
  near(sum[0] / N, 0, 4 * 2 / sqrt(3 * N));
  near(square[0] / N, 4.0 / 3, 4 * 4 * sqrt(4.0 / 45) / sqrt(N));
  near(sum[1] / N, 0, 4 / sqrt(N));
  near(square[1] / N, 1, 4 * sqrt(2 / N));
  near(product / N, 0, 4 * 2 / sqrt(3 * N));
  near(beyond / N, 0.05, 4 * sqrt(0.05 * 0.95 / N));
  end_sweep(&t);
}

//---------- rows ----------

// torques with a payload are those of `mbdyn eval` on a URDF that has the payload as a link
static void
rows_are_those_of_eval(void ** state)
{
  (void)state;
  size_t size;
  char * urdf = read_file(ROBOTS "arm7.urdf", &size);
  char * end = strstr(urdf, "</robot>");
  assert_non_null(end);
  *end = 0;
  char * with = malloc(size + 1024);
  snprintf(
    with, size + 1024,
    "%s<link name=\"load\"><inertial><origin xyz=\"0.01 -0.02 0.05\"/><mass value=\"1.5\"/>"
    "<inertia ixx=\"0.0054\" iyy=\"0.0054\" izz=\"0.0054\" ixy=\"0\" ixz=\"0\" "
    "iyz=\"0\"/></inertial>"
    "</link><joint name=\"load_mount\" type=\"fixed\"><parent link=\"tool\"/><child link=\"load\"/>"
    "</joint></robot>",
    urdf);
  write_file("with.urdf", with);
  free(with);
  free(urdf);
  table_t t = sweep(
    "robot: " ROBOTS
    "arm7.urdf\nsamples: 40\nfriction: false\ninitial: {joint5: 0.4, joint6: {q: 0.2, v: -0.3}}\n"
    "variables:\n"
    "  - {set: q.joint2, uniform: [-1, 1]}\n  - {set: v.joint3, uniform: [-1, 1]}\n"
    "  - {set: a.joint4, uniform: [-1, 1]}\n  - {set: payload.tool.mass, values: [1.5]}\n"
    "  - {set: payload.tool.x, values: [0.01]}\n  - {set: payload.tool.y, values: [-0.02]}\n"
    "  - {set: payload.tool.z, values: [0.05]}\n  - {set: payload.tool.radius, values: "
    "[0.0948683298050514]}\n"
    "  - {set: gravity.x, values: [0.7]}\n"
    "evaluate: {outputs: [tau, kinetic_energy, position.tool]}\n",
    "eval", "2");
  assert_int_equal(t.rows, 40);
  int compared = 0;
  for (int i = 0; i < t.rows; i++) {
    char input[512], name[32];
    double tau[7];
    snprintf(
      input, sizeof input,
      "{\"states\": [{\"q\": [0, %.17g, 0, 0, 0.4, 0.2, 0], \"v\": [0, 0, %.17g, 0, 0, -0.3, 0], "
      "\"a\": [0, 0, 0, %.17g, 0, 0, 0]}]}",
      cell(&t, i, "q.joint2"), cell(&t, i, "v.joint3"), cell(&t, i, "a.joint4"));
    json_t * out = run_json(
      input, (const char * const[]){"eval", "with.urdf", "--gravity", "0.7,0,-9.81", NULL});
    numbers_at(out, "states/0/tau", tau, 7);
    for (int k = 0; k < 7; k++, compared++) {
      snprintf(name, sizeof name, "tau.joint%d", k + 1);
      near(cell(&t, i, name), tau[k], 1e-10);
    }
    json_decref(out);
  }
  assert_int_equal(compared, 280);
  end_sweep(&t);
}

// numbers of the description: the damping of a joint, the mass of a link
static void
numbers_of_the_urdf(void ** state)
{
  (void)state;
  table_t t = sweep(
    "robot: " ROBOTS
    "arm7.urdf\nvariables:\n  - {name: d, set: joint.joint2.damping, values: [0, 2]}\n"
    "  - {name: m, set: link.link3.mass, grid: [1, 3, 3]}\n  - {set: v.joint2, values: [0.5]}\n"
    "evaluate: {}\n",
    "urdf", "2");
  assert_int_equal(t.rows, 6);
  for (int k = 0; k < 3; k++)
    near(cell(&t, 3 + k, "tau.joint2") - cell(&t, k, "tau.joint2"), 2 * 0.5, 1e-12);
  // inverse dynamics is linear in the mass of a link whose inertia grows with it
  const double a = cell(&t, 0, "tau.joint2"), b = cell(&t, 1, "tau.joint2"),
               c = cell(&t, 2, "tau.joint2");
  assert_true(fabs(b - a) > 0.01);
  near(c - b, b - a, 1e-12);
  end_sweep(&t);
  // alone, the second link of arm.h: twice the mass has twice the inertia
  t = sweep(
    "robot: arm.urdf\nvariables:\n  - {set: link.lower.mass, values: [1.75, 3.5]}\n"
    "  - {set: a.elbow, values: [1]}\n  - {set: gravity.z, values: [0]}\nevaluate: {}\n",
    "link", "1");
  near(cell(&t, 0, "tau.elbow"), INERT2 + MASS2 * C2 * C2, 1e-12);
  near(cell(&t, 1, "tau.elbow"), 2 * (INERT2 + MASS2 * C2 * C2), 1e-12);
  end_sweep(&t);
}

// a spring and a mass: the period is in the file of the mechanism and in the closed form
static void
numbers_of_a_mechanism(void ** state)
{
  (void)state;
  write_file(
    "spring.mechanism.yaml",
    "gravity: [0, 0, 0]\nbodies:\n  - {name: mass, mass: 2, inertia: [1, 1, 1]}\n"
    "joints:\n  - {name: guide, type: prismatic, a: {link: world, axis: [1, 0, 0]}, "
    "b: {link: mass, axis: [1, 0, 0]}}\n"
    "forces:\n  - {name: pull, type: joint, joint: guide, stiffness: 8}\n"
    "initial:\n  guide: {q: 0.1, v: 0}\n");
  table_t t = sweep(
    "mechanism: spring.mechanism.yaml\nvariables:\n"
    "  - {name: k, set: forces.pull.stiffness, values: [2, 8, 18]}\n"
    "  - {name: x, set: initial.guide.q, values: [0.1, -0.3]}\n"
    "simulate: {time: 1.25, rtol: 1.0e-11, outputs: [q, v, energy_error, time, peak_v]}\n",
    "spring", "2");
  assert_int_equal(t.rows, 6);
  for (int i = 0; i < 6; i++) {
    const double w = sqrt(cell(&t, i, "k") / 2), x = cell(&t, i, "x");
    near(cell(&t, i, "q.guide"), x * cos(w * 1.25), 1e-8);
    near(cell(&t, i, "v.guide"), -x * w * sin(w * 1.25), 1e-8);
    near(cell(&t, i, "energy_error"), 0, 1e-8);
    assert_true(cell(&t, i, "time") == 1.25);
  }
  end_sweep(&t);
}

// held by a stiff spring at each joint, an unknown payload moves the arm by torque over stiffness
static void
controllers_hold(void ** state)
{
  (void)state;
  table_t t = sweep(
    "robot: " ROBOTS
    "arm7.urdf\nfriction: false\ninitial: {joint2: 0.6, joint4: -1.2}\nvariables:\n"
    "  - {name: load, set: payload.tool.mass, values: [0, 0.5]}\n"
    "  - {name: kp, set: kp, values: [2000, 4000]}\n"
    "simulate: {time: 3, controller: {kd: 100, effort_limits: false}, outputs: [error]}\n",
    "hold", "2");
  assert_int_equal(t.rows, 4);
  for (int i = 0; i < 2; i++) near(cell(&t, i, "error.joint2"), 0, 1e-6);
  const double sag = cell(&t, 2, "error.joint2"), half = cell(&t, 3, "error.joint2");
  assert_true(sag < -3e-4);
  near(half / sag, 0.5, 5e-3);
  end_sweep(&t);
}

//---------- bits ----------

static const char ARM[] = "robot: " ROBOTS
                          "arm7.urdf\nsamples: 3000\nvariables:\n"
                          "  - {set: q.joint2, uniform: [-1, 1]}\n"
                          "  - {set: payload.tool.mass, uniform: [0, 2]}\n"
                          "evaluate: {outputs: [tau, qdd, gravity, center_of_mass]}\n";
// loops are closed iteratively: their bits show whether a point knows the one before
static const char FINGER[] = "robot: " ROBOTS
                             "finger.urdf\nsamples: 3000\nvariables:\n"
                             "  - {set: q.knuckle, uniform: [0.05, 0.7]}\n"
                             "  - {set: v.knuckle, uniform: [-1, 1]}\n"
                             "evaluate: {outputs: [tau, qdd, kinetic_energy]}\n";
static const char CRANK[] = "mechanism: " MECHANISMS
                            "quick_return.mechanism.yaml\nsamples: 40\nvariables:\n"
                            "  - {set: gravity.y, uniform: [-10, 0]}\n"
                            "simulate: {time: 0.2}\n";

static void
bits_do_not_depend_on_threads(void ** state)
{
  (void)state;
  const char * const text[] = {ARM, FINGER, CRANK};
  for (int k = 0; k < 3; k++) {
    table_t a = sweep(text[k], "one", "1"), b = sweep(text[k], "five", "5");
    for (int i = 0; i < a.rows; i++) assert_true(cell(&a, i, "status") == 1);
    assert_same_file("one/results.npy", "five/results.npy");
    end_sweep(&a);
    end_sweep(&b);
  }
}

//---------- crashes ----------

static long
journal_size(const char * folder)
{
  char path[256];
  struct stat st;
  snprintf(path, sizeof path, "%s/journal", folder);
  return stat(path, &st) == 0 ? (long)st.st_size : 0;
}

static void
nothing_is_lost_or_computed_twice(void ** state)
{
  (void)state;
  static const char text[] = "robot: " ROBOTS
                             "arm7.urdf\nsamples: 120\nvariables:\n"
                             "  - {set: q.joint2, uniform: [-1, 1]}\nsimulate: {time: 0.5}\n";
  table_t t = sweep(text, "whole", "2");
  assert_int_equal(t.rows, 120);
  end_sweep(&t);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execl(
      MBDYN_CLI, "mbdyn", "sweep", "s.sweep.yaml", "--out", "killed", "--threads", "2",
      (char *)NULL);
    _exit(127);
  }
  // 40 bytes, then 16 for every point
  for (int k = 0; k < 20000 && journal_size("killed") < 40 + 16 * 20; k++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  kill(child, SIGKILL);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  const long done = (journal_size("killed") - 40) / 16;
  assert_in_range(done, 20, 119);
  // a record that was cut, and one whose row is not what was written
  assert_int_equal(truncate("killed/journal", 40 + 16 * (done - 1) + 7), 0);
  char expected[64];
  snprintf(expected, sizeof expected, "120 of 120 points, %ld of them before", done - 1);
  run_t run = RUN("", "sweep", "s.sweep.yaml", "--out", "killed", "--threads", "1");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, expected);
  run_free(&run);
  assert_same_file("whole/results.npy", "killed/results.npy");
  // power was lost: a row is not what its record says
  FILE * file = fopen("killed/results.npy", "r+b");
  assert_non_null(file);
  fseek(file, -24, SEEK_END);
  fwrite("wrong!!!", 1, 8, file);
  fclose(file);
  run = RUN("", "sweep", "s.sweep.yaml", "--out", "killed");
  assert_contains(run.out, "120 of 120 points, 119 of them before");
  run_free(&run);
  assert_same_file("whole/results.npy", "killed/results.npy");
  // another sweep does not mix with this one
  write_file(
    "s.sweep.yaml", "robot: " ROBOTS
                    "arm7.urdf\nsamples: 121\nvariables:\n"
                    "  - {set: q.joint2, uniform: [-1, 1]}\nsimulate: {time: 0.5}\n");
  run = RUN("", "sweep", "s.sweep.yaml", "--out", "killed");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "'killed' has the results of another sweep");
  assert_contains(run.err, "--restart");
  run_free(&run);
}

static void
failed_points_are_said(void ** state)
{
  (void)state;
  table_t t = sweep(
    "robot: " ROBOTS
    "arm7.urdf\nvariables:\n  - {name: m, set: payload.tool.mass, values: [1, -1, 2]}\n"
    "evaluate: {}\n",
    "failed", "1");
  assert_int_equal(t.rows, 3);
  assert_true(cell(&t, 0, "status") == 1 && cell(&t, 2, "status") == 1);
  assert_true(cell(&t, 1, "status") < 0);
  assert_true(isnan(cell(&t, 1, "tau.joint2")));
  end_sweep(&t);
  run_t run = RUN("", "sweep", "s.sweep.yaml", "--out", "failed");
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "1 failed: ");
  run_free(&run);
}

//---------- wrong files ----------

static void
wrong_files_are_refused(void ** state)
{
  (void)state;
  static const struct {
    const char *rest, *says;
  } WRONG[] = {
    {"variables: [{set: q.jont2, grid: [0, 1, 3]}]\nevaluate: {}\n",
     "w.sweep.yaml:2: set: there is no joint 'jont2'; did you mean 'joint2'?"},
    {"variables: [{set: q.joint2, gird: [0, 1, 3]}]\nevaluate: {}\n", "did you mean 'grid'?"},
    {"variables:\n  - {set: q.joint2}\nevaluate: {}\n",
     "w.sweep.yaml:3: 'q.joint2' needs one of grid, values, uniform and normal"},
    {"variables: [{set: payload.tol.mass, values: [1]}]\nevaluate: {}\n", "did you mean 'tool'?"},
    {"variables: [{set: payload.tool.weight, values: [1]}]\nevaluate: {}\n", "payload.FRAME.mass"},
    {"variables: [{set: link.lynk.mass, values: [1]}]\nevaluate: {}\n", "no such element"},
    {"variables: [{set: link.tool.colour, values: [1]}]\nevaluate: {}\n", "a link has mass"},
    {"variables: [{set: bodies.a.mass, values: [1]}]\nevaluate: {}\n",
     "is of a mechanism file, and the sweep has none"},
    {"variables: [{set: q.joint2, uniform: [0, 1]}]\nevaluate: {}\n", "need 'samples'"},
    {"samples: 5\nvariables: [{set: q.joint2, values: [0]}]\nevaluate: {}\n",
     "'samples' is only for uniform and normal variables"},
    {"variables: [{set: kp, values: [1]}]\nevaluate: {}\n", "is of a controller"},
    {"variables: [{set: a.joint2, values: [1]}]\nsimulate: {}\n", "results of a simulation"},
    {"variables: [{set: q.joint2, values: [.nan]}]\nevaluate: {}\n", "must be a finite number"},
    {"variables: [{set: q.joint2, grid: [0, 1, 1.5]}]\nevaluate: {}\n", "whole number"},
    {"variables: [{set: q.joint2, grid: [0, 1, 1.0e+13]}]\nevaluate: {}\n",
     "more than 2^40 points"},
    {"variables: [{set: q.joint2, uniform: [1, 0]}]\nevaluate: {}\n",
     "the first must be below the second"},
    {"variables: [{set: q.joint2, normal: [1, 0]}]\nevaluate: {}\n", "must be positive"},
    {"variables: [{set: q.joint2, values: [0], grid: [0, 1, 2]}]\nevaluate: {}\n", "one of grid"},
    {"variables: [{set: q.joint2, values: []}]\nevaluate: {}\n", "a list of numbers"},
    {"variables: 3\nevaluate: {}\n", "variables must be a list"},
    {"variables: [{set: q.joint2, values: [0]}, {set: q.joint2, values: [0]}]\nevaluate: {}\n",
     "is there twice"},
    {"variables: [{set: q.joint2, values: [0]}]\n", "one of 'simulate' and 'evaluate'"},
    {"variables: [{set: q.joint2, values: [0]}]\nevaluate: {outputs: [tua]}\n",
     "w.sweep.yaml:3: evaluate has no output 'tua'; did you mean 'tau'?"},
    {"variables: [{set: q.joint2, values: [0]}]\nevaluate: {outputs: [position]}\n",
     "needs a frame: position.FRAME"},
    {"variables: [{set: q.joint2, values: [0]}]\nsimulate: {method: rk5}\n", "did you mean 'rk4'?"},
    {"variables: [{set: q.joint2, values: [0]}]\nsimulate: {time: -1}\n", "time must be positive"},
    {"variables: [{set: q.joint2, values: [0]}]\nevaluate: {}\nseeds: 3\n", "did you mean 'seed'?"},
    {"variables: [{set: q.joint2, values: [0]}\n", "w.sweep.yaml:"},
    {"evaluate: {}\n", "'variables' is missing"},
  };
  const size_t n = sizeof WRONG / sizeof WRONG[0];
  for (size_t k = 0; k < n; k++) {
    char text[1024];
    snprintf(text, sizeof text, "robot: %sarm7.urdf\n%s", ROBOTS, WRONG[k].rest);
    write_file("w.sweep.yaml", text);
    run_t run = RUN("", "sweep", "w.sweep.yaml", "--out", "wrong");
    if (run.code != 2) fail_msg("exit code %d of\n%s", run.code, text);
    assert_contains(run.err, "w.sweep.yaml");
    assert_contains(run.err, WRONG[k].says);
    run_free(&run);
    assert_int_equal(access("wrong", F_OK), -1);
  }
  run_t run = RUN("", "sweep", "nothing.sweep.yaml");
  assert_int_equal(run.code, 2);
  run_free(&run);
  write_file("w.sweep.yaml", "");
  run = RUN("", "sweep", "w.sweep.yaml");
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "the file is empty");
  run_free(&run);
}

static void
bundled_files_can_be_read(void ** state)
{
  (void)state;
  static const char * const path[] = {"payload", "torques"};
  static const char * const says[] = {"21 points, simulations of", "10000 points, evaluations of"};
  for (int k = 0; k < 2; k++) {
    char file[512];
    snprintf(file, sizeof file, "%s/config/sweeps/%s.sweep.yaml", MBDYN_SOURCE_DIR, path[k]);
    run_t run = RUN("", "sweep", file, "--dry-run");
    assert_int_equal(run.code, 0);
    assert_contains(run.out, says[k]);
    assert_contains(run.out, "variable load [kg]");
    run_free(&run);
  }
}

//---------- ranks ----------

#ifdef MBDYN_MPIRUN
static int
mpirun(int n, const char * folder)
{
  char command[1024];
  // under the address sanitizer: Open MPI does not free everything, and sweep_mpi.c allocates nothing
  snprintf(
    command, sizeof command,
    "ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
    "%s --oversubscribe -n %d %s sweep s.sweep.yaml --out %s > ranks.txt 2>&1 < /dev/null",
    MBDYN_MPIRUN, n, MBDYN_CLI, folder);
  return system(command);
}

static void
bits_do_not_depend_on_ranks(void ** state)
{
  (void)state;
  const char * const text[] = {ARM, FINGER, CRANK};
  for (int k = 0; k < 3; k++) {
    table_t t = sweep(text[k], "alone", "1");
    end_sweep(&t);
    for (int n = 1; n <= 3; n++) {
      char folder[32], file[64];
      snprintf(folder, sizeof folder, "ranks_%d_%d", k, n);
      snprintf(file, sizeof file, "%s/results.npy", folder);
      assert_int_equal(mpirun(n, folder), 0);
      assert_same_file("alone/results.npy", file);
    }
  }
  write_file("s.sweep.yaml", "robot: nothing.urdf\nvariables: []\n");
  assert_int_not_equal(mpirun(2, "none"), 0);
  size_t n;
  char * said = read_file("ranks.txt", &n);
  assert_contains(said, "s.sweep.yaml:2: variables: 1 to 64, not 0");
  free(said);
}
#endif

static int
teardown(void ** state)
{
  // folders of results
  return system("rm -rf -- */") == 0 ? cli_teardown(state) : -1;
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(grids_have_every_point_once),
    cmocka_unit_test(random_numbers_have_their_law),
    cmocka_unit_test(rows_are_those_of_eval),
    cmocka_unit_test(numbers_of_the_urdf),
    cmocka_unit_test(numbers_of_a_mechanism),
    cmocka_unit_test(controllers_hold),
    cmocka_unit_test(bits_do_not_depend_on_threads),
    cmocka_unit_test(nothing_is_lost_or_computed_twice),
    cmocka_unit_test(failed_points_are_said),
    cmocka_unit_test(wrong_files_are_refused),
    cmocka_unit_test(bundled_files_can_be_read),
#ifdef MBDYN_MPIRUN
    cmocka_unit_test(bits_do_not_depend_on_ranks),
#endif
  };
  return cmocka_run_group_tests(tests, cli_setup, teardown);
}
