// DDS Security as ROS 2 sets it up: files of an enclave, given to Cyclone as properties.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "impl.h"
#include "rcutils/filesystem.h"
#include "rcutils/format_string.h"

static bool
set_file(dds_qos_t * qos, const char * property, const char * root, const char * file)
{
  char uri[1024];
  int n = snprintf(uri, sizeof uri, "file:%s/%s", root, file);
  if (n < 0 || (size_t)n >= sizeof uri || access(uri + strlen("file:"), R_OK) != 0) return false;
  dds_qset_prop(qos, property, uri);
  return true;
}

static void
set_plugin(dds_qos_t * qos, const char * part, const char * library, const char * functions)
{
  char name[64];
  char value[64];
  snprintf(name, sizeof name, "dds.sec.%s.library.path", part);
  dds_qset_prop(qos, name, library);
  snprintf(name, sizeof name, "dds.sec.%s.library.init", part);
  snprintf(value, sizeof value, "init_%s", functions);
  dds_qset_prop(qos, name, value);
  snprintf(name, sizeof name, "dds.sec.%s.library.finalize", part);
  snprintf(value, sizeof value, "finalize_%s", functions);
  dds_qset_prop(qos, name, value);
}

bool
sa_security_qos(dds_qos_t * qos, const char * root)
{
  bool all = set_file(qos, "dds.sec.auth.identity_ca", root, "identity_ca.cert.pem") &&
             set_file(qos, "dds.sec.auth.identity_certificate", root, "cert.pem") &&
             set_file(qos, "dds.sec.auth.private_key", root, "key.pem") &&
             set_file(qos, "dds.sec.access.permissions_ca", root, "permissions_ca.cert.pem") &&
             set_file(qos, "dds.sec.access.governance", root, "governance.p7s") &&
             set_file(qos, "dds.sec.access.permissions", root, "permissions.p7s");
  if (!all) return false;
  set_plugin(qos, "auth", "dds_security_auth", "authentication");
  set_plugin(qos, "crypto", "dds_security_crypto", "crypto");
  set_plugin(qos, "access", "dds_security_ac", "access_control");
  // a list of revoked certificates may be there
  (void)set_file(qos, "org.eclipse.cyclonedds.sec.auth.crl", root, "crl.pem");
  return true;
}

rcl_ret_t
sa_security_root(const char * enclave, rcl_allocator_t allocator, char ** root, bool * enforced)
{
  *root = NULL;
  *enforced = false;
  const char * enable = getenv("ROS_SECURITY_ENABLE");
  if (enable == NULL || strcmp(enable, "true") != 0) return RCL_RET_OK;
  const char * strategy = getenv("ROS_SECURITY_STRATEGY");
  *enforced = strategy != NULL && strcmp(strategy, "Enforce") == 0;

  const char * keystore = getenv("ROS_SECURITY_KEYSTORE");
  const char * instead = getenv("ROS_SECURITY_ENCLAVE_OVERRIDE");
  if (instead != NULL && instead[0] != '\0') enclave = instead;
  if (keystore != NULL && keystore[0] != '\0') {
    const char * path = strcmp(enclave, "/") == 0 ? "" : enclave;
    *root = rcutils_format_string(allocator, "%s/enclaves%s", keystore, path);
    if (*root == NULL) return RCL_RET_BAD_ALLOC;
    if (rcutils_is_directory(*root)) return RCL_RET_OK;
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("security folder '%s' does not exist", *root);
    allocator.deallocate(*root, allocator.state);
    *root = NULL;
  } else {
    RCL_SET_ERROR_MSG("ROS_SECURITY_KEYSTORE is not set");
  }
  if (*enforced) return RCL_RET_ERROR;
  rcl_reset_error();
  return RCL_RET_OK;
}
