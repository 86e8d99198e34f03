// libFuzzer: any bytes as the flexible links of a small robot. The first byte chooses: YAML, or the
// CSV of one link's modes.
//
//   fuzz_flexible CORPUS test/fuzz/corpus_flexible
#define _GNU_SOURCE  // memfd_create
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mbdyn/flexible/flexible_file.h"
#include "mbdyn/mbdyn.h"

int LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size);

#define MASS                                                                                 \
  "<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" " \
  "izz=\"1\"/></inertial>"
static const char ROBOT[] =
  "<robot name=\"r\"><link name=\"base\"/><link name=\"a\">" MASS "</link><link name=\"b\">" MASS
  "</link>"
  "<joint name=\"ja\" type=\"continuous\"><parent link=\"base\"/><child link=\"a\"/>"
  "<axis xyz=\"0 0 1\"/></joint>"
  "<joint name=\"jb\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>"
  "<origin xyz=\"1 0 0\"/><axis xyz=\"0 0 1\"/></joint>"
  "</robot>";

static void
require(bool truth)
{
  if (!truth) abort();
}

static const mbd_model_t *
robot(void)
{
  static mbd_model_t * model;
  if (!model) {
    require(mbdx_urdf_load_string(ROBOT, sizeof ROBOT - 1, NULL, NULL, &model, NULL) == MBD_OK);
  }
  return model;
}

static char folder[] = "/tmp/mbdyn_fuzz_XXXXXX", path[64];

static void
clean(void)
{
  unlink(path);
  rmdir(folder);
}

// a file in memory with a name that ends in .csv
static int
open_csv(void)
{
  const int fd = memfd_create("modes", 0);
  require(fd >= 0 && mkdtemp(folder) != NULL);
  char target[64];
  snprintf(target, sizeof target, "/proc/self/fd/%d", fd);
  snprintf(path, sizeof path, "%s/modes.csv", folder);
  require(symlink(target, path) == 0);
  atexit(clean);
  return fd;
}

// the input as the modes of link a; length of the YAML
static size_t
name_csv(const uint8_t * bytes, size_t size, char * yaml, size_t capacity)
{
  static int fd = -1;
  if (fd < 0) fd = open_csv();
  require(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, size, 0) == (ssize_t)size);
  return (size_t)snprintf(yaml, capacity, "flexible: [{link: a, file: %s}]\n", path);
}

static void
check_numbers(const double * x, int n)
{
  for (int i = 0; i < n; i++) require(isfinite(x[i]));
}

// numbers or a status; never a number that is none
static void
check_dynamics(const mbd_model_t * flexible)
{
  if (flexible->nv > 60) return;
  mbd_data_t * data;
  require(mbd_data_create(flexible, &data) == MBD_OK);
  double * x = calloc((size_t)(flexible->nq + 3 * flexible->nv), sizeof *x);
  require(x != NULL);
  double *q = x, *v = q + flexible->nq, *tau = v + flexible->nv, *qdd = tau + flexible->nv;
  require(mbd_neutral(flexible, q) == MBD_OK);
  for (int i = 0; i < flexible->nv; i++) v[i] = 0.1;
  if (mbd_forward_dynamics(flexible, data, q, v, NULL, NULL, qdd) == MBD_OK) {
    check_numbers(qdd, flexible->nv);
  }
  if (mbd_inverse_dynamics(flexible, data, q, v, v, NULL, tau) == MBD_OK) {
    check_numbers(tau, flexible->nv);
  }
  free(x);
  mbd_data_destroy(data);
}

int
LLVMFuzzerTestOneInput(const uint8_t * bytes, size_t size)
{
  if (size == 0) return 0;
  char yaml[128];
  const char * text = (const char *)bytes + 1;
  size_t length = size - 1;
  if (bytes[0] & 1) {
    length = name_csv(bytes + 1, size - 1, yaml, sizeof yaml);
    text = yaml;
  }
  mbd_model_t * flexible = NULL;
  mbdx_report_t * report = NULL;
  const mbd_status_t status =
    mbdx_flexible_load_string(robot(), text, length, NULL, &flexible, &report);
  require(report != NULL && (status == MBD_OK) == (flexible != NULL));
  require((report->nerror > 0) == (status != MBD_OK));
  if (flexible) check_dynamics(flexible);
  mbd_model_destroy(flexible);
  mbdx_report_free(report);
  return 0;
}
