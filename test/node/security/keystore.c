#include "keystore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

static void
make_folder(keystore_t * keystore)
{
  const char * tmp = getenv("TMPDIR");
  snprintf(keystore->path, sizeof keystore->path, "%s/keys_XXXXXX", tmp == NULL ? "/tmp" : tmp);
  assert_non_null(mkdtemp(keystore->path));
}

void
keystore_make(keystore_t * keystore)
{
  make_folder(keystore);
  const char * const argv[] = {PYTHON, MAKE_KEYSTORE, POLICY, keystore->path, NULL};
  assert_int_equal(process_run(argv, NULL, 0), 0);
}

void
keystore_steal(const keystore_t * from, keystore_t * copy)
{
  make_folder(copy);
  char all[300];
  snprintf(all, sizeof all, "%s/.", from->path);
  const char * const argv[] = {"/bin/cp", "-a", all, copy->path, NULL};
  assert_int_equal(process_run(argv, NULL, 0), 0);
}

void
keystore_revoke(const keystore_t * keystore, const char * enclave)
{
  const char * const argv[] = {PYTHON,     MAKE_KEYSTORE, POLICY, keystore->path,
                               "--revoke", enclave,       NULL};
  assert_int_equal(process_run(argv, NULL, 0), 0);
}

void
keystore_remove(keystore_t * keystore)
{
  const char * const argv[] = {"/bin/rm", "-rf", keystore->path, NULL};
  assert_int_equal(process_run(argv, NULL, 0), 0);
}

void
keystore_file(
  const keystore_t * keystore, const char * enclave, const char * file, char * path, size_t size)
{
  int n = snprintf(path, size, "%s/enclaves%s/%s", keystore->path, enclave, file);
  assert_in_range(n, 1, size - 1);
}

void
be(const keystore_t * keystore, const char * enclave)
{
  static const char * const names[] = {
    "ROS_SECURITY_ENABLE", "ROS_SECURITY_STRATEGY", "ROS_SECURITY_KEYSTORE",
    "ROS_SECURITY_ENCLAVE_OVERRIDE"};
  const char * const values[] = {
    "true", "Enforce", keystore == NULL ? NULL : keystore->path, enclave};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (keystore == NULL) {
      unsetenv(names[i]);
    } else {
      setenv(names[i], values[i], 1);
    }
  }
}
