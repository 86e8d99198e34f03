// A change of parameters: proposed, checked, taken, told.
#include <stdlib.h>
#include <string.h>

#include "parameter_server_internal.h"

bool
param_change_open(param_change_t * change, param_server_t * server, char * reason, size_t size)
{
  *change = (param_change_t){.server = server, .proposed = *server->values};
  if (server->changing) {
    snprintf(reason, size, "a parameter cannot be set while another one is being set");
    return false;
  }
  const size_t n = server->values->n;
  change->proposed.value = calloc(n + 1, sizeof *change->proposed.value);
  change->is_new = calloc(n + 1, sizeof *change->is_new);
  if (change->proposed.value == NULL || change->is_new == NULL) {
    param_change_close(change);
    snprintf(reason, size, "out of memory");
    return false;
  }
  memcpy(change->proposed.value, server->values->value, n * sizeof *change->proposed.value);
  return true;
}

static size_t
text_size(const param_value_t * value)
{
  size_t size = value->type == PARAM_STRING ? strlen(value->string) : 0;
  for (size_t i = 0; value->type == PARAM_STRING_ARRAY && i < value->n; i++) {
    size += strlen(value->strings[i]);
  }
  return size;
}

static bool
check_text(param_server_t * server, const param_value_t * value, char * reason, size_t size)
{
  const size_t limit = server->text_limit;
  if (limit == 0 || text_size(value) <= limit) return true;
  server->refused_texts++;
  snprintf(reason, size, "must have at most %zu bytes, not %zu", limit, text_size(value));
  return false;
}

bool
param_change_add(
  param_change_t * change, const char * name, const param_value_t * value, char * reason,
  size_t size)
{
  const param_values_t * values = &change->proposed;
  const int index = name != NULL ? param_find(values, name) : -1;
  if (index < 0) {
    param_unknown(values, name != NULL ? name : "", reason, size);
    return false;
  }
  const param_spec_t * spec = &values->spec[index];
  char what[PARAM_REASON] = "is read-only: set it on the command line or in a parameter file";
  param_value_t fitted;
  if (
    spec->read_only || !check_text(change->server, value, what, sizeof what) ||
    !param_fit(spec, value, &fitted, what, sizeof what)) {
    snprintf(reason, size, "parameter '%s' %s", spec->name, what);
    return false;
  }
  // twice in a request: the last one counts
  if (change->is_new[index]) param_value_fini(&values->value[index]);
  values->value[index] = fitted;
  change->is_new[index] = true;
  return true;
}

static bool
ask(const param_change_t * change, char * reason, size_t size)
{
  const param_hooks_t * hooks = &change->server->hooks;
  if (hooks->check == NULL) return true;
  char why[PARAM_REASON] = "";
  const bool ok = hooks->check(hooks->context, &change->proposed, why, sizeof why);
  if (!ok) snprintf(reason, size, "%s", why[0] != '\0' ? why : "rejected by the node");
  return ok;
}

// the old value goes, the new one is no longer ours
static void
move_values(param_change_t * change)
{
  const param_values_t * values = change->server->values;
  for (size_t i = 0; i < values->n; i++) {
    if (!change->is_new[i]) continue;
    param_value_fini(&values->value[i]);
    values->value[i] = change->proposed.value[i];
  }
}

bool
param_change_commit(param_change_t * change, char * reason, size_t size)
{
  param_server_t * server = change->server;
  server->changing = true;
  const bool ok = ask(change, reason, size);
  if (ok) {
    move_values(change);
    if (server->hooks.changed != NULL) server->hooks.changed(server->hooks.context, server->values);
    param_server_publish(server, change->is_new, false);
    memset(change->is_new, 0, server->values->n * sizeof *change->is_new);
  }
  server->changing = false;
  return ok;
}

void
param_change_close(param_change_t * change)
{
  for (size_t i = 0; change->is_new != NULL && i < change->proposed.n; i++) {
    if (change->is_new[i]) param_value_fini(&change->proposed.value[i]);
  }
  free(change->proposed.value);
  free(change->is_new);
  *change = (param_change_t){0};
}
