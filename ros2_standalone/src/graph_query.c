// Questions about the graph.
#include <stdlib.h>
#include <string.h>

#include "impl.h"
#include "rcl/graph.h"
#include "rcutils/strdup.h"
#include "rmw/validate_full_topic_name.h"

//---------- nodes ----------

static bool
put_name(
  rcutils_string_array_t * names, rcutils_string_array_t * spaces, size_t i, const char * name,
  const char * space, rcl_allocator_t allocator)
{
  names->data[i] = rcutils_strdup(name, allocator);
  spaces->data[i] = rcutils_strdup(space, allocator);
  return names->data[i] != NULL && spaces->data[i] != NULL;
}

// called with both locks held; with NULL it only counts
static size_t
list_nodes(
  const rcl_context_impl_t * impl, rcutils_string_array_t * names, rcutils_string_array_t * spaces,
  rcl_allocator_t allocator, bool * good)
{
  size_t count = 0;
  for (const rcl_node_impl_t * node = impl->nodes; node != NULL; node = node->next, count++) {
    if (names == NULL) continue;
    *good = put_name(names, spaces, count, node->name, node->namespace_, allocator) && *good;
  }
  for (const sa_peer_t * peer = impl->peers; peer != NULL; peer = peer->next) {
    const rmw_dds_common__msg__NodeEntitiesInfo__Sequence * nodes =
      &peer->info.node_entities_info_seq;
    for (size_t i = 0; i < nodes->size; i++, count++) {
      if (names == NULL) continue;
      const rmw_dds_common__msg__NodeEntitiesInfo * node = &nodes->data[i];
      *good = put_name(
                names, spaces, count, node->node_name.data, node->node_namespace.data, allocator) &&
              *good;
    }
  }
  return count;
}

rcl_ret_t
rcl_get_node_names(
  const rcl_node_t * node, rcl_allocator_t allocator, rcutils_string_array_t * node_names,
  rcutils_string_array_t * node_namespaces)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(node_names, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(node_namespaces, RCL_RET_INVALID_ARGUMENT);
  if (node_names->size != 0 || node_namespaces->size != 0) return RCL_RET_INVALID_ARGUMENT;
  rcl_context_impl_t * impl = node->context->impl;
  pthread_mutex_lock(&impl->lock);
  pthread_mutex_lock(&impl->peer_lock);
  size_t count = list_nodes(impl, NULL, NULL, allocator, NULL);
  bool good = rcutils_string_array_init(node_names, count, &allocator) == RCUTILS_RET_OK &&
              rcutils_string_array_init(node_namespaces, count, &allocator) == RCUTILS_RET_OK;
  if (good) list_nodes(impl, node_names, node_namespaces, allocator, &good);
  pthread_mutex_unlock(&impl->peer_lock);
  pthread_mutex_unlock(&impl->lock);
  return good ? RCL_RET_OK : RCL_RET_BAD_ALLOC;
}

//---------- topics ----------

rcl_ret_t
sa_for_each_endpoint(dds_entity_t reader, sa_endpoint_fn call, void * arg)
{
  for (size_t capacity = 256;; capacity *= 4) {
    void ** samples = calloc(capacity, sizeof *samples);
    dds_sample_info_t * infos = calloc(capacity, sizeof *infos);
    bool memory = samples != NULL && infos != NULL;
    dds_return_t n = memory
                       ? dds_read_mask(
                           reader, samples, infos, capacity, (uint32_t)capacity,
                           DDS_ANY_SAMPLE_STATE | DDS_ANY_VIEW_STATE | DDS_ALIVE_INSTANCE_STATE)
                       : DDS_RETCODE_OUT_OF_RESOURCES;
    bool all = n < 0 || (size_t)n < capacity;
    for (dds_return_t i = 0; all && i < n; i++) {
      if (infos[i].valid_data) call(samples[i], arg);
    }
    if (n > 0) dds_return_loan(reader, samples, n);
    free(samples);
    free(infos);
    if (n < 0) return memory ? RCL_RET_ERROR : RCL_RET_BAD_ALLOC;
    if (all) return RCL_RET_OK;
  }
}

typedef struct {
  const char * topic;
  size_t count;
} count_t;

static void
count_topic(const dds_builtintopic_endpoint_t * endpoint, void * arg)
{
  count_t * count = arg;
  if (strcmp(endpoint->topic_name, count->topic) == 0) count->count++;
}

static rcl_ret_t
count_endpoints(const rcl_node_t * node, const char * topic_name, bool writers, size_t * count)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(topic_name, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(count, RCL_RET_INVALID_ARGUMENT);
  int result = 0;
  rmw_ret_t valid = rmw_validate_full_topic_name(topic_name, &result, NULL);
  if (valid != RMW_RET_OK || result != RMW_TOPIC_VALID) {
    RCL_SET_ERROR_MSG(rmw_full_topic_name_validation_result_string(result));
    return RCL_RET_INVALID_ARGUMENT;
  }
  rcl_allocator_t a = node->impl->options.allocator;
  rmw_qos_profile_t mangled = {0};
  char * topic = sa_dds_name("rt", topic_name, "", &mangled, a);
  if (topic == NULL) return RCL_RET_BAD_ALLOC;
  count_t found = {topic, 0};
  const rcl_context_impl_t * impl = node->context->impl;
  rcl_ret_t ret =
    sa_for_each_endpoint(writers ? impl->publications : impl->subscriptions, count_topic, &found);
  a.deallocate(topic, a.state);
  *count = found.count;
  return ret;
}

rcl_ret_t
rcl_count_publishers(const rcl_node_t * node, const char * topic_name, size_t * count)
{
  return count_endpoints(node, topic_name, true, count);
}

rcl_ret_t
rcl_count_subscribers(const rcl_node_t * node, const char * topic_name, size_t * count)
{
  return count_endpoints(node, topic_name, false, count);
}

//---------- names and types ----------

typedef struct {
  char * name;
  char * type;
} pair_t;

typedef struct {
  enum { ALL_TOPICS, ROS_TOPICS, ROS_SERVICES, ROS_REQUESTS } what;
  pair_t * pairs;
  size_t count, capacity;
  bool good;
  const rmw_dds_common__msg__Gid * only;  // NULL: endpoints of all; else of these
  size_t only_count;
} list_t;

static bool
is_ros_type(const char * dds, const char * suffix)
{
  const char * mark = strstr(dds, "::dds_::");
  size_t n = strlen(dds), s = strlen(suffix);
  return mark != NULL && strstr(dds, "::") < mark && n > s && strcmp(dds + n - s, suffix) == 0;
}

char *
sa_ros_type(const char * dds, const char * suffix, rcl_allocator_t allocator)
{
  if (!is_ros_type(dds, suffix)) return rcutils_strdup(dds, allocator);
  const char * mark = strstr(dds, "::dds_::");
  const char * kind = strstr(dds, "::");
  const char * name = mark + strlen("::dds_::");
  size_t size = strlen(dds);
  char * type = allocator.allocate(size, allocator.state);
  if (type == NULL) return NULL;
  snprintf(
    type, size, "%.*s/%.*s/%.*s", (int)(kind - dds), dds, (int)(mark - kind - 2), kind + 2,
    (int)(strlen(name) - strlen(suffix)), name);
  return type;
}

// "rt/name" and "a::msg::dds_::B_" are "/name" and "a/msg/B"; the suffixes are of services
static bool
demangle(
  const char * topic, const char * type, const char * prefix, const char * suffix,
  const char * type_suffix, pair_t * pair)
{
  size_t n = strlen(topic);
  bool fits = strncmp(topic, prefix, 2) == 0 && topic[2] == '/' && n > 2 + strlen(suffix) &&
              strcmp(topic + n - strlen(suffix), suffix) == 0 && is_ros_type(type, type_suffix);
  if (!fits) return false;
  pair->name = strndup(topic + 2, n - 2 - strlen(suffix));
  pair->type = sa_ros_type(type, type_suffix, rcl_get_default_allocator());
  return true;
}

static bool
is_listed(const list_t * list, const dds_builtintopic_endpoint_t * endpoint)
{
  if (list->only == NULL) return true;
  for (size_t i = 0; i < list->only_count; i++) {
    if (memcmp(list->only[i].data, endpoint->key.v, sizeof endpoint->key.v) == 0) return true;
  }
  return false;
}

static void
list_endpoint(const dds_builtintopic_endpoint_t * endpoint, void * arg)
{
  list_t * list = arg;
  const char * topic = endpoint->topic_name;
  const char * type = endpoint->type_name;
  pair_t pair = {NULL, NULL};
  bool wanted = false;
  if (strncmp(topic, "DCPS", 4) == 0 || !is_listed(list, endpoint)) return;
  if (list->what == ALL_TOPICS) {
    pair = (pair_t){strdup(topic), strdup(type)};
    wanted = true;
  } else if (list->what == ROS_TOPICS) {
    wanted = demangle(topic, type, "rt", "", "_", &pair);
  } else {
    wanted =
      demangle(topic, type, "rq", "Request", "_Request_", &pair) ||
      (list->what == ROS_SERVICES && demangle(topic, type, "rr", "Reply", "_Response_", &pair));
  }
  if (!wanted) return;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity == 0 ? 64 : list->capacity * 2;
    pair_t * more = realloc(list->pairs, capacity * sizeof pair);
    if (more != NULL) {
      list->pairs = more;
      list->capacity = capacity;
    }
  }
  list->good = list->good && pair.name != NULL && pair.type != NULL && list->count < list->capacity;
  if (list->count < list->capacity) list->pairs[list->count++] = pair;
}

static int
compare_pairs(const void * a, const void * b)
{
  const pair_t * x = a;
  const pair_t * y = b;
  int names = strcmp(x->name, y->name);
  return names != 0 ? names : strcmp(x->type, y->type);
}

// types of one name: pairs first .. first + n, equal ones once
static bool
put_types(const pair_t * pairs, size_t n, rcutils_string_array_t * types, rcl_allocator_t a)
{
  size_t distinct = 0;
  for (size_t i = 0; i < n; i++)
    distinct += i == 0 || strcmp(pairs[i].type, pairs[i - 1].type) != 0;
  if (rcutils_string_array_init(types, distinct, &a) != RCUTILS_RET_OK) return false;
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && strcmp(pairs[i].type, pairs[i - 1].type) == 0) continue;
    types->data[k] = rcutils_strdup(pairs[i].type, a);
    if (types->data[k++] == NULL) return false;
  }
  return true;
}

static bool
put_list(const list_t * list, rcl_names_and_types_t * out, rcl_allocator_t * a)
{
  size_t names = 0;
  for (size_t i = 0; i < list->count; i++) {
    names += i == 0 || strcmp(list->pairs[i].name, list->pairs[i - 1].name) != 0;
  }
  if (names == 0) return true;
  if (rmw_names_and_types_init(out, names, a) != RMW_RET_OK) return false;
  size_t first = 0;
  for (size_t k = 0; k < names; k++) {
    size_t n = 1;
    while (first + n < list->count &&
           strcmp(list->pairs[first].name, list->pairs[first + n].name) == 0) {
      n++;
    }
    out->names.data[k] = rcutils_strdup(list->pairs[first].name, *a);
    if (out->names.data[k] == NULL) return false;
    if (!put_types(&list->pairs[first], n, &out->types[k], *a)) return false;
    first += n;
  }
  return true;
}

static rcl_ret_t
get_names_and_types(
  const rcl_node_t * node, rcl_allocator_t * allocator, list_t list, rcl_names_and_types_t * out)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(allocator, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(out, RCL_RET_INVALID_ARGUMENT);
  const rcl_context_impl_t * impl = node->context->impl;
  rcl_ret_t ret = sa_for_each_endpoint(impl->publications, list_endpoint, &list);
  if (ret == RCL_RET_OK) ret = sa_for_each_endpoint(impl->subscriptions, list_endpoint, &list);
  if (ret == RCL_RET_OK && !list.good) ret = RCL_RET_BAD_ALLOC;
  if (ret == RCL_RET_OK && list.count > 0) {
    qsort(list.pairs, list.count, sizeof(pair_t), compare_pairs);
    if (!put_list(&list, out, allocator)) ret = RCL_RET_BAD_ALLOC;
  }
  for (size_t i = 0; i < list.count; i++) {
    free(list.pairs[i].name);
    free(list.pairs[i].type);
  }
  free(list.pairs);
  return ret;
}

rcl_ret_t
rcl_get_topic_names_and_types(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle,
  rcl_names_and_types_t * topic_names_and_types)
{
  list_t list = {.what = no_demangle ? ALL_TOPICS : ROS_TOPICS, .good = true};
  return get_names_and_types(node, allocator, list, topic_names_and_types);
}

rcl_ret_t
rcl_get_service_names_and_types(
  const rcl_node_t * node, rcl_allocator_t * allocator,
  rcl_names_and_types_t * service_names_and_types)
{
  list_t list = {.what = ROS_SERVICES, .good = true};
  return get_names_and_types(node, allocator, list, service_names_and_types);
}

// called with both locks held: readers or writers of a node, copied; false if there is no such node
static bool
copy_gids(
  const rcl_context_impl_t * impl, const char * name, const char * space, bool writers,
  rmw_dds_common__msg__Gid ** gids, size_t * count)
{
  const rmw_dds_common__msg__Gid * from = NULL;
  bool found = false;
  *count = 0;
  for (const rcl_node_impl_t * n = impl->nodes; n != NULL && !found; n = n->next) {
    found = strcmp(n->name, name) == 0 && strcmp(n->namespace_, space) == 0;
    if (!found) continue;
    from = writers ? n->writers : n->readers;
    *count = writers ? n->writer_count : n->reader_count;
  }
  for (const sa_peer_t * peer = impl->peers; peer != NULL && !found; peer = peer->next) {
    const rmw_dds_common__msg__NodeEntitiesInfo__Sequence * nodes =
      &peer->info.node_entities_info_seq;
    for (size_t i = 0; i < nodes->size && !found; i++) {
      const rmw_dds_common__msg__NodeEntitiesInfo * n = &nodes->data[i];
      found = strcmp(n->node_name.data, name) == 0 && strcmp(n->node_namespace.data, space) == 0;
      if (!found) continue;
      from = writers ? n->writer_gid_seq.data : n->reader_gid_seq.data;
      *count = writers ? n->writer_gid_seq.size : n->reader_gid_seq.size;
    }
  }
  *gids = calloc(*count + 1, sizeof **gids);
  if (*gids != NULL && *count > 0) memcpy(*gids, from, *count * sizeof **gids);
  return found;
}

static rcl_ret_t
get_names_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, const char * node_name,
  const char * node_namespace, list_t list, bool writers, rcl_names_and_types_t * out)
{
  if (!rcl_node_is_valid(node)) return RCL_RET_NODE_INVALID;
  RCL_CHECK_ARGUMENT_FOR_NULL(node_name, RCL_RET_INVALID_ARGUMENT);
  RCL_CHECK_ARGUMENT_FOR_NULL(node_namespace, RCL_RET_INVALID_ARGUMENT);
  rcl_context_impl_t * impl = node->context->impl;
  rmw_dds_common__msg__Gid * gids = NULL;
  size_t count = 0;
  pthread_mutex_lock(&impl->lock);
  pthread_mutex_lock(&impl->peer_lock);
  bool found = copy_gids(impl, node_name, node_namespace, writers, &gids, &count);
  pthread_mutex_unlock(&impl->peer_lock);
  pthread_mutex_unlock(&impl->lock);
  if (gids == NULL) return RCL_RET_BAD_ALLOC;
  list.good = true;
  list.only = gids;
  list.only_count = count;
  rcl_ret_t ret =
    found ? get_names_and_types(node, allocator, list, out) : RCL_RET_NODE_NAME_NON_EXISTENT;
  if (!found) RCL_SET_ERROR_MSG("no such node");
  free(gids);
  return ret;
}

rcl_ret_t
rcl_get_subscriber_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * topic_names_and_types)
{
  list_t list = {.what = no_demangle ? ALL_TOPICS : ROS_TOPICS};
  return get_names_by_node(
    node, allocator, node_name, node_namespace, list, false, topic_names_and_types);
}

rcl_ret_t
rcl_get_publisher_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, bool no_demangle, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * topic_names_and_types)
{
  list_t list = {.what = no_demangle ? ALL_TOPICS : ROS_TOPICS};
  return get_names_by_node(
    node, allocator, node_name, node_namespace, list, true, topic_names_and_types);
}

// of a service, the end that has the requests is enough
rcl_ret_t
rcl_get_service_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * service_names_and_types)
{
  list_t list = {.what = ROS_REQUESTS};
  return get_names_by_node(
    node, allocator, node_name, node_namespace, list, false, service_names_and_types);
}

rcl_ret_t
rcl_get_client_names_and_types_by_node(
  const rcl_node_t * node, rcl_allocator_t * allocator, const char * node_name,
  const char * node_namespace, rcl_names_and_types_t * service_names_and_types)
{
  list_t list = {.what = ROS_REQUESTS};
  return get_names_by_node(
    node, allocator, node_name, node_namespace, list, true, service_names_and_types);
}

rmw_names_and_types_t
rmw_get_zero_initialized_names_and_types(void)
{
  return (rmw_names_and_types_t){0};
}

rmw_ret_t
rmw_names_and_types_init(rmw_names_and_types_t * out, size_t size, rcutils_allocator_t * allocator)
{
  if (out == NULL || allocator == NULL) return RMW_RET_INVALID_ARGUMENT;
  if (rcutils_string_array_init(&out->names, size, allocator) != RCUTILS_RET_OK) {
    return RMW_RET_BAD_ALLOC;
  }
  out->types = allocator->zero_allocate(size, sizeof *out->types, allocator->state);
  return out->types == NULL ? RMW_RET_BAD_ALLOC : RMW_RET_OK;
}

rmw_ret_t
rmw_names_and_types_fini(rmw_names_and_types_t * out)
{
  if (out == NULL) return RMW_RET_INVALID_ARGUMENT;
  rcutils_allocator_t allocator = out->names.allocator;
  rcutils_ret_t ret = RCUTILS_RET_OK;
  for (size_t i = 0; out->types != NULL && i < out->names.size; i++) {
    if (rcutils_string_array_fini(&out->types[i]) != RCUTILS_RET_OK) ret = RCUTILS_RET_ERROR;
  }
  if (out->types != NULL) allocator.deallocate(out->types, allocator.state);
  if (rcutils_string_array_fini(&out->names) != RCUTILS_RET_OK) ret = RCUTILS_RET_ERROR;
  *out = rmw_get_zero_initialized_names_and_types();
  return ret == RCUTILS_RET_OK ? RMW_RET_OK : RMW_RET_ERROR;
}

rcl_ret_t
rcl_names_and_types_fini(rcl_names_and_types_t * names_and_types)
{
  return rmw_names_and_types_fini(names_and_types);
}
