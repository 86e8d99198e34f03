// Out of memory at each allocation of a load in turn: the status says so, nothing is half made,
// nothing leaks. This program's malloc fails on demand, by who calls it.
#define _GNU_SOURCE  // dladdr
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mechanism.h"
#include "mbdyn/robot_write.h"
#include "urdf_test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

void * __libc_malloc(size_t size);
void * __libc_calloc(size_t count, size_t size);
void * __libc_realloc(void * memory, size_t size);
void __libc_free(void * memory);

static bool counting;  // within a load
static int countdown;  // allocations until one fails, once
static long live;      // blocks allocated and not freed

// callers whose allocations fail: in our libraries (or in this program, if they are static), or
// in the C++ library, through which all of urdfdom's come
typedef enum { OURS, CPP } failing_t;
static failing_t failing;

static bool
may_fail(void * caller)
{
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return false;
  const bool cpp = strstr(info.dli_fname, "libstdc++") != NULL;
  const bool ours =
    strstr(info.dli_fname, "libmbdyn") || strstr(info.dli_fname, "test_urdf_memory");
  return failing == CPP ? cpp : ours;
}

static bool
fails(void * caller)
{
  if (!counting || !may_fail(caller)) return false;
  if (--countdown != 0) return false;
  errno = ENOMEM;
  return true;
}

static void *
count(void * memory)
{
  if (counting && memory) live++;
  return memory;
}

MBD_PUBLIC
void *
malloc(size_t size)
{
  return fails(__builtin_return_address(0)) ? NULL : count(__libc_malloc(size));
}

MBD_PUBLIC
void *
calloc(size_t n, size_t size)
{
  return fails(__builtin_return_address(0)) ? NULL : count(__libc_calloc(n, size));
}

MBD_PUBLIC
void *
realloc(void * memory, size_t size)
{
  if (fails(__builtin_return_address(0))) return NULL;
  void * grown = __libc_realloc(memory, size);
  return memory ? grown : count(grown);
}

MBD_PUBLIC
void
free(void * memory)
{
  if (counting && memory) live--;
  __libc_free(memory);
}

// of the loads below
static const mbdx_urdf_options_t * options;

// one load in which allocation number n fails; true if there were that many
static bool
load_failing(const char * text, int n, mbd_status_t otherwise)
{
  mbd_model_t * model = NULL;
  mbdx_report_t * report = NULL;
  const size_t size = strlen(text);
  live = 0;
  countdown = n;
  counting = true;
  const mbd_status_t status = mbdx_urdf_load_string(text, size, "x", options, &model, &report);
  const bool failed = countdown <= 0;
  if (status != MBD_OK) assert_null(model);
  if (status == MBD_ERROR_OUT_OF_MEMORY) assert_null(report);
  mbd_model_destroy(model);
  mbdx_report_free(report);
  counting = false;
  if (failing == CPP && failed) {
    // a stream of urdfdom that had no memory reads no number, which is then missed; what urdfdom
    // and TinyXML forget when an exception passes through them is theirs
    assert_true(status == MBD_ERROR_OUT_OF_MEMORY || status == MBD_ERROR_URDF);
    return failed;
  }
  assert_int_equal(status, failed ? MBD_ERROR_OUT_OF_MEMORY : otherwise);
  if (live != 0) print_error("allocation %d: %ld blocks are left\n", n, live);
  assert_int_equal(live, 0);
  return failed;
}

static void
load_failing_everywhere(const char * text, mbd_status_t otherwise)
{
  // what libraries make once and keep
  mbd_model_t * model = NULL;
  assert_int_equal(
    mbdx_urdf_load_string(text, strlen(text), "x", options, &model, NULL), otherwise);
  mbd_model_destroy(model);
  int n = 0;
  while (load_failing(text, n + 1, otherwise)) n++;
  assert_true(n > 10);
}

static const char * const more =
  "</joint><link name=\"tool\"><visual/></link><joint name=\"f\" type=\"fixed\">"
  "<parent link=\"forearm\"/><child link=\"tool\"/></joint>";

static void
good_file(void ** state)
{
  (void)state;
  char * text = arm_with(14, more);
  failing = OURS;
  load_failing_everywhere(text, MBD_OK);
  free(text);
}

static void
good_file_in_urdfdom(void ** state)
{
  (void)state;
  char * text = arm_with(14, more);
  failing = CPP;
  load_failing_everywhere(text, MBD_OK);
  free(text);
}

// allocations of libyaml are its own: it is built apart, and only ours fail here
static void
good_file_with_loops(void ** state)
{
  (void)state;
  char * text = arm_with(14, more);
  mbdx_urdf_options_t with_loops = mbdx_urdf_options_default();
  with_loops.embed = false;
  with_loops.loops_text =
    "closures: [{name: x, type: spherical, a: world, b: tool}, {name: y, type: coupling, "
    "joints: {elbow: 1}}]\nindependent: [elbow]\n";
  options = &with_loops;
  failing = OURS;
  load_failing_everywhere(text, MBD_OK);
  with_loops.loops_text = "closures: [{name: x, type: spherical, a: world, b: nobody}]";
  load_failing_everywhere(text, MBD_ERROR_URDF);
  options = NULL;
  free(text);
}

// the same of mechanisms, which have tables of their own
static bool
mechanism_failing(const char * text, const mbdx_mechanism_options_t * how, int n)
{
  mbdx_mechanism_t * mechanism = NULL;
  mbdx_report_t * report = NULL;
  live = 0;
  countdown = n;
  counting = true;
  const mbd_status_t status =
    mbdx_mechanism_load_string(text, strlen(text), "x", how, &mechanism, &report);
  const bool failed = countdown <= 0;
  mbdx_mechanism_free(mechanism);
  mbdx_report_free(report);
  counting = false;
  assert_int_equal(status, failed ? MBD_ERROR_OUT_OF_MEMORY : MBD_OK);
  if (live != 0) print_error("allocation %d: %ld blocks are left\n", n, live);
  assert_int_equal(live, 0);
  return failed;
}

static void
mechanism_file(void ** state)
{
  (void)state;
  static const char text[] =
    "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, 1]}]\n"
    "joints: [{name: j, type: revolute, a: world, b: {link: a, xyz: [1, 0, 0]}},\n"
    "  {name: k, type: spherical, a: {link: a, xyz: [1, 0, 0]}, b: b}, {name: l, type: spherical, "
    "a: world, b: b}]\n"
    "closures: [{name: c, type: on_plane, a: world, b: b}]\n"
    "forces: [{name: f, type: spring, a: world, b: a, stiffness: 1}]\n";
  static const char drivers[] =
    "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}]\n"
    "joints: [{name: j, type: revolute, a: world, b: a}]\n"
    "drivers: [{name: d, joint: j, table: [[0, 1], [1, 2], [2, 3]]}]\ninitial: {j: 0.9}\n";
  mbdx_mechanism_options_t how = mbdx_mechanism_options_default();
  failing = OURS;
  for (int c = MBDX_COORDINATES_TREE; c <= MBDX_COORDINATES_CARTESIAN; c++) {
    how.coordinates = (mbdx_coordinates_t)c;
    int n = 0;
    while (mechanism_failing(text, &how, n + 1)) n++;
    assert_true(n > 30);
  }
  int n = 0;
  while (mechanism_failing(drivers, NULL, n + 1)) n++;
  assert_true(n > 20);
}

// classes, names that are made up, springs, frames, closures and actuators
static const char mjcf[] =
  "<mujoco><default><joint damping='1'/><default class='c'><geom "
  "size='1'/></default></default><worldbody>"
  "<body name='a' childclass='c'><joint name='j' axis='0 1 0' pos='1 0 0' stiffness='2'/><joint/>"
  "<geom/><site name='a'/><body><joint type='ball' stiffness='1'/><geom/></body></body></worldbody>"
  "<equality><connect body1='a' anchor='1 0 0'/><joint joint1='j'/></equality>"
  "<actuator><motor joint='j' ctrlrange='-1 1'/></actuator></mujoco>";

static void
mjcf_file(void ** state)
{
  (void)state;
  mbdx_urdf_options_t tree = mbdx_urdf_options_default();
  tree.embed = false;
  options = &tree;
  failing = OURS;
  load_failing_everywhere(mjcf, MBD_OK);
  load_failing_everywhere(
    "<mujoco><worldbody><body name='a'><joint axis='0 0 0'/></body></worldbody></mujoco>",
    MBD_ERROR_URDF);
  options = NULL;
}

// open_memstream is of libc, and only ours fail here
static void
written_file(void ** state)
{
  (void)state;
  mbdx_urdf_options_t tree = mbdx_urdf_options_default();
  tree.embed = false;
  mbd_model_t * model;
  assert_ok(mbdx_urdf_load_string(mjcf, strlen(mjcf), "x", &tree, &model, NULL));
  failing = OURS;
  for (int n = 1, failed = 1; failed; n++) {
    char * text;
    mbdx_report_t * report;
    live = 0, countdown = n, counting = true;
    const mbd_status_t status = mbdx_mjcf_write(model, &text, NULL, &report);
    failed = countdown <= 0;
    mbdx_robot_text_free(text);
    mbdx_report_free(report);
    counting = false;
    assert_int_equal(status, failed ? MBD_ERROR_OUT_OF_MEMORY : MBD_OK);
    assert_int_equal(live, 0);
    assert_true(failed || n > 3);
  }
  mbd_model_destroy(model);
}

static void
bad_file(void ** state)
{
  (void)state;
  char * text = arm_with(5, "<mass value=\"1,5\"/>");
  failing = OURS;
  load_failing_everywhere(text, MBD_ERROR_URDF);
  free(text);
}

int
main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(good_file),
    cmocka_unit_test(good_file_in_urdfdom),
    cmocka_unit_test(good_file_with_loops),
    cmocka_unit_test(mechanism_file),
    cmocka_unit_test(bad_file),
    cmocka_unit_test(mjcf_file),
    cmocka_unit_test(written_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
  print_message("SKIPPED: needs glibc's malloc and no sanitizer\n");
  return 0;
}

#endif
