// Remapping rules: "[node:]match:=replacement", "__node:=name", "__ns:=/name".
#include <string.h>

#include "impl.h"
#include "rcl/expand_topic_name.h"
#include "rcl/remap.h"
#include "rcutils/isalnum_no_locale.h"
#include "rcutils/strdup.h"

//---------- reading a rule ----------

// length of a word at the start of a text: a letter or '_', then letters, digits, '_'
static size_t
word_length(const char * text)
{
  size_t n = 0;
  while (rcutils_isalnum_no_locale(text[n]) || text[n] == '_') n++;
  bool bad = (text[0] >= '0' && text[0] <= '9') || strncmp(text, "__", 2) == 0;
  return bad ? 0 : n;
}

// words with '/' between them, after an optional "/" or "~/"
static bool
is_name(const char * text, size_t length)
{
  const char * end = text + length;
  if (strncmp(text, "~/", 2) == 0) text++;
  if (text < end && *text == '/') text++;
  while (text < end) {
    size_t n = word_length(text);
    if (n == 0) return false;
    text += n;
    if (text == end) return true;
    if (*text++ != '/') return false;
  }
  return false;
}

// "/" and words with '/' between them, perhaps one at the end
static bool
is_namespace(const char * text)
{
  if (*text++ != '/') return false;
  while (*text != '\0') {
    size_t n = word_length(text);
    if (n == 0) return false;
    text += n;
    if (*text == '/') text++;
  }
  return true;
}

// kind of rule by what stands left of ":="; 0 if it is not a rule
static unsigned
rule_kind(const char ** match, size_t * length, const char * replacement)
{
  const char * text = *match;
  size_t n = *length;
  if (n == 6 && (strncmp(text, "__node", n) == 0 || strncmp(text, "__name", n) == 0)) {
    size_t word = word_length(replacement);
    return word > 0 && replacement[word] == '\0' ? REMAP_NODE : 0;
  }
  if (n == 4 && strncmp(text, "__ns", n) == 0) {
    return is_namespace(replacement) ? REMAP_NAMESPACE : 0;
  }
  unsigned kind = REMAP_TOPIC | REMAP_SERVICE;
  if (n > 11 && strncmp(text, "rostopic://", 11) == 0) {
    kind = REMAP_TOPIC;
    *match += 11;
  } else if (n > 13 && strncmp(text, "rosservice://", 13) == 0) {
    kind = REMAP_SERVICE;
    *match += 13;
  }
  *length -= (size_t)(*match - text);
  return is_name(*match, *length) && is_name(replacement, strlen(replacement)) ? kind : 0;
}

bool
sa_remap_parse(const char * text, rcl_allocator_t allocator, sa_remap_t * rule)
{
  memset(rule, 0, sizeof *rule);
  const char * separator = strstr(text, ":=");
  if (separator == NULL) return false;
  const char * match = text;
  size_t prefix = word_length(text);
  bool has_node = prefix > 0 && text[prefix] == ':' && text + prefix < separator &&
                  strncmp(text + prefix, "://", 3) != 0;
  if (has_node) match += prefix + 1;
  size_t length = (size_t)(separator - match);
  rule->kinds = rule_kind(&match, &length, separator + 2);
  if (rule->kinds == 0) return false;

  bool has_match = (rule->kinds & (REMAP_TOPIC | REMAP_SERVICE)) != 0;
  if (has_node) rule->node = rcutils_strndup(text, prefix, allocator);
  if (has_match) rule->match = rcutils_strndup(match, length, allocator);
  rule->replacement = rcutils_strdup(separator + 2, allocator);
  bool complete = (rule->node != NULL || !has_node) && (rule->match != NULL || !has_match);
  if (complete && rule->replacement != NULL) return true;
  sa_remap_free(rule, allocator);
  return false;
}

void
sa_remap_free(sa_remap_t * rule, rcl_allocator_t allocator)
{
  allocator.deallocate(rule->node, allocator.state);
  allocator.deallocate(rule->match, allocator.state);
  allocator.deallocate(rule->replacement, allocator.state);
  memset(rule, 0, sizeof *rule);
}

//---------- applying rules ----------

typedef struct {
  unsigned kind;
  const char * name;  // absolute, for topics and services
  const char * node;
  const char * namespace_;
  rcl_allocator_t allocator;
} remap_query_t;

// is it the rule's match, once that is made absolute for this node?
static bool
rule_matches(const sa_remap_t * rule, const remap_query_t * query)
{
  if ((rule->kinds & query->kind) == 0) return false;
  if (rule->node != NULL && strcmp(rule->node, query->node) != 0) return false;
  if (rule->match == NULL) return true;
  rcutils_string_map_t none = rcutils_get_zero_initialized_string_map();
  char * absolute = NULL;
  rcl_ret_t ret = rcl_expand_topic_name(
    rule->match, query->node, query->namespace_, &none, query->allocator, &absolute);
  if (ret != RCL_RET_OK) {
    rcl_reset_error();
    return false;
  }
  bool same = strcmp(absolute, query->name) == 0;
  query->allocator.deallocate(absolute, query->allocator.state);
  return same;
}

static const sa_remap_t *
first_match(const rcl_arguments_t * arguments, const remap_query_t * query)
{
  if (arguments == NULL || arguments->impl == NULL) return NULL;
  for (size_t i = 0; i < arguments->impl->remap_count; i++) {
    const sa_remap_t * rule = &arguments->impl->remaps[i];
    if (rule_matches(rule, query)) return rule;
  }
  return NULL;
}

static rcl_ret_t
remap(
  const rcl_arguments_t * local, const rcl_arguments_t * global, const remap_query_t * query,
  char ** output)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(query->node, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(output, RCL_RET_INVALID_ARGUMENT);
  *output = NULL;
  const sa_remap_t * rule = first_match(local, query);
  if (rule == NULL) rule = first_match(global, query);
  if (rule == NULL) return RCL_RET_OK;
  if (rule->match != NULL) {
    rcutils_string_map_t none = rcutils_get_zero_initialized_string_map();
    return rcl_expand_topic_name(
      rule->replacement, query->node, query->namespace_, &none, query->allocator, output);
  }
  *output = rcutils_strdup(rule->replacement, query->allocator);
  return *output == NULL ? RCL_RET_BAD_ALLOC : RCL_RET_OK;
}

rcl_ret_t
rcl_remap_topic_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * topic_name, const char * node_name, const char * node_namespace,
  rcl_allocator_t allocator, char ** output_name)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(topic_name, RCL_RET_INVALID_ARGUMENT);
  remap_query_t query = {REMAP_TOPIC, topic_name, node_name, node_namespace, allocator};
  return remap(local_arguments, global_arguments, &query, output_name);
}

rcl_ret_t
rcl_remap_service_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * service_name, const char * node_name, const char * node_namespace,
  rcl_allocator_t allocator, char ** output_name)
{
  RCL_CHECK_ARGUMENT_FOR_NULL(service_name, RCL_RET_INVALID_ARGUMENT);
  remap_query_t query = {REMAP_SERVICE, service_name, node_name, node_namespace, allocator};
  return remap(local_arguments, global_arguments, &query, output_name);
}

rcl_ret_t
rcl_remap_node_name(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * node_name, rcl_allocator_t allocator, char ** output_name)
{
  remap_query_t query = {REMAP_NODE, NULL, node_name, NULL, allocator};
  return remap(local_arguments, global_arguments, &query, output_name);
}

rcl_ret_t
rcl_remap_node_namespace(
  const rcl_arguments_t * local_arguments, const rcl_arguments_t * global_arguments,
  const char * node_name, rcl_allocator_t allocator, char ** output_namespace)
{
  remap_query_t query = {REMAP_NAMESPACE, NULL, node_name, NULL, allocator};
  return remap(local_arguments, global_arguments, &query, output_namespace);
}
