/// \file keystore.h
/// Keystores of a test, made of the policy that we ship, and who a process is.
///
///   keystore_make     authority, keys and permissions, in a folder of the test's own
///   keystore_remove   the folder and all in it
///   keystore_steal, keystore_revoke    a copy, and what makes it worthless
///   be                who the processes are that are started from here on
#ifndef KEYSTORE_H_
#define KEYSTORE_H_

#include <stddef.h>

typedef struct keystore {
  char path[256];
} keystore_t;

/// With an authority of its own, for the domain of ROS_DOMAIN_ID. The test fails if that fails.
void keystore_make(keystore_t * keystore);
void keystore_remove(keystore_t * keystore);
/// As somebody has it who has read the disk.
void keystore_steal(const keystore_t * from, keystore_t * copy);
/// The enclave's key counts no more; it gets another one.
void keystore_revoke(const keystore_t * keystore, const char * enclave);

/// Path of a file of an enclave.
void keystore_file(
  const keystore_t * keystore, const char * enclave, const char * file, char * path, size_t size);

/// Children are this enclave from now on, with security enforced; keystore NULL: without security.
void be(const keystore_t * keystore, const char * enclave);

#endif  // KEYSTORE_H_
