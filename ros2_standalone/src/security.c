// DDS Security as ROS 2 sets it up: files of an enclave, given to Cyclone as properties.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "impl.h"
#include "rcutils/filesystem.h"
#include "rcutils/format_string.h"
#include "rcutils/logging_macros.h"
#include "rmw/validate_namespace.h"

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

// One of the two words, or neither because the variable is not set. rcl takes every other word for
// the second one, so that a slip of the pen ("enforce") runs without security.
static rcl_ret_t
read_choice(const char * variable, const char * yes, const char * no, bool * is_yes)
{
  const char * value = getenv(variable);
  if (value == NULL || value[0] == '\0') value = no;
  *is_yes = strcmp(value, yes) == 0;
  if (*is_yes || strcmp(value, no) == 0) return RCL_RET_OK;
  RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
    "%s is '%s': it must be '%s' or '%s' (case-sensitive)", variable, value, yes, no);
  return RCL_RET_ERROR;
}

// the folder of an enclave, or NULL with an error set
static char *
find_root(const char * enclave, rcl_allocator_t allocator)
{
  const char * keystore = getenv("ROS_SECURITY_KEYSTORE");
  if (keystore == NULL || keystore[0] == '\0') {
    RCL_SET_ERROR_MSG("ROS_SECURITY_KEYSTORE is not set");
    return NULL;
  }
  const char * path = strcmp(enclave, "/") == 0 ? "" : enclave;
  char * root = rcutils_format_string(allocator, "%s/enclaves%s", keystore, path);
  if (root == NULL) {
    RCL_SET_ERROR_MSG("out of memory");
  } else if (!rcutils_is_directory(root)) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING("security folder '%s' does not exist", root);
    allocator.deallocate(root, allocator.state);
    root = NULL;
  }
  return root;
}

rcl_ret_t
sa_security_root(const char * enclave, rcl_allocator_t allocator, char ** root, bool * enforced)
{
  bool enabled = false;
  *root = NULL;
  *enforced = false;
  rcl_ret_t ret = read_choice("ROS_SECURITY_ENABLE", "true", "false", &enabled);
  if (ret != RCL_RET_OK || !enabled) return ret;
  ret = read_choice("ROS_SECURITY_STRATEGY", "Enforce", "Permissive", enforced);
  if (ret != RCL_RET_OK) return ret;

  const char * instead = getenv("ROS_SECURITY_ENCLAVE_OVERRIDE");
  if (instead != NULL && instead[0] != '\0') enclave = instead;
  int result = 0;
  if (rmw_validate_namespace(enclave, &result, NULL) != RMW_RET_OK || result != 0) {
    RCL_SET_ERROR_MSG_WITH_FORMAT_STRING(
      "ROS_SECURITY_ENCLAVE_OVERRIDE '%s' is not the name of an enclave, such as /mbdyn", enclave);
    return RCL_RET_ERROR;
  }
  *root = find_root(enclave, allocator);
  if (*root != NULL) {
    RCUTILS_LOG_INFO_NAMED(
      "rcl", "security %s: enclave '%s', keys in '%s'", *enforced ? "enforced" : "permissive",
      enclave, *root);
    return RCL_RET_OK;
  }
  if (*enforced) return RCL_RET_ERROR;
  RCUTILS_LOG_WARN_NAMED(
    "rcl", "running WITHOUT security: %s (an error with ROS_SECURITY_STRATEGY=Enforce)",
    rcl_get_error_string().str);
  rcl_reset_error();
  return RCL_RET_OK;
}
