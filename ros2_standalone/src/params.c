// The store of parameters: blocks by node name, values by parameter name.
#include <string.h>

#include "params.h"
#include "rcutils/error_handling.h"
#include "rcutils/strdup.h"

static void
array_free(void * values, void * array, const rcutils_allocator_t * allocator)
{
  allocator->deallocate(values, allocator->state);
  allocator->deallocate(array, allocator->state);
}

void
sa_variant_clear(rcl_variant_t * value, const rcutils_allocator_t * allocator)
{
  allocator->deallocate(value->bool_value, allocator->state);
  allocator->deallocate(value->integer_value, allocator->state);
  allocator->deallocate(value->double_value, allocator->state);
  allocator->deallocate(value->string_value, allocator->state);
  if (value->bool_array_value != NULL) {
    array_free(value->bool_array_value->values, value->bool_array_value, allocator);
  }
  if (value->integer_array_value != NULL) {
    array_free(value->integer_array_value->values, value->integer_array_value, allocator);
  }
  if (value->double_array_value != NULL) {
    array_free(value->double_array_value->values, value->double_array_value, allocator);
  }
  if (value->string_array_value != NULL) {
    if (rcutils_string_array_fini(value->string_array_value) != RCUTILS_RET_OK) {
      rcutils_reset_error();
    }
    allocator->deallocate(value->string_array_value, allocator->state);
  }
  memset(value, 0, sizeof *value);
}

// one more element for an array of names and one of what they stand for
static bool
grow(char *** names, void ** items, size_t item_size, size_t * capacity, rcutils_allocator_t a)
{
  size_t larger = *capacity == 0 ? 8 : *capacity * 2;
  char ** more_names = a.reallocate(*names, larger * sizeof(char *), a.state);
  if (more_names != NULL) *names = more_names;
  void * more_items = a.reallocate(*items, larger * item_size, a.state);
  if (more_items != NULL) *items = more_items;
  if (more_names == NULL || more_items == NULL) return false;
  *capacity = larger;
  return true;
}

static rcl_node_params_t *
find_node(rcl_params_t * params, const char * name)
{
  for (size_t i = 0; i < params->num_nodes; i++) {
    if (strcmp(params->node_names[i], name) == 0) return &params->params[i];
  }
  if (
    params->num_nodes == params->capacity_nodes &&
    !grow(
      &params->node_names, (void **)&params->params, sizeof *params->params,
      &params->capacity_nodes, params->allocator)) {
    return NULL;
  }
  char * copy = rcutils_strdup(name, params->allocator);
  if (copy == NULL) return NULL;
  rcl_node_params_t * node = &params->params[params->num_nodes];
  memset(node, 0, sizeof *node);
  params->node_names[params->num_nodes++] = copy;
  return node;
}

rcl_variant_t *
rcl_yaml_node_struct_get(const char * node_name, const char * param_name, rcl_params_t * params)
{
  rcl_node_params_t * node = find_node(params, node_name);
  if (node == NULL) return NULL;
  for (size_t i = 0; i < node->num_params; i++) {
    if (strcmp(node->parameter_names[i], param_name) == 0) return &node->parameter_values[i];
  }
  if (
    node->num_params == node->capacity_params &&
    !grow(
      &node->parameter_names, (void **)&node->parameter_values, sizeof *node->parameter_values,
      &node->capacity_params, params->allocator)) {
    return NULL;
  }
  char * copy = rcutils_strdup(param_name, params->allocator);
  if (copy == NULL) return NULL;
  rcl_variant_t * value = &node->parameter_values[node->num_params];
  memset(value, 0, sizeof *value);
  node->parameter_names[node->num_params++] = copy;
  return value;
}

rcl_params_t *
rcl_yaml_node_struct_init(const rcutils_allocator_t allocator)
{
  rcl_params_t * params = allocator.zero_allocate(1, sizeof *params, allocator.state);
  if (params != NULL) params->allocator = allocator;
  return params;
}

void
rcl_yaml_node_struct_fini(rcl_params_t * params)
{
  if (params == NULL) return;
  rcutils_allocator_t allocator = params->allocator;
  for (size_t i = 0; i < params->num_nodes; i++) {
    rcl_node_params_t * node = &params->params[i];
    for (size_t k = 0; k < node->num_params; k++) {
      allocator.deallocate(node->parameter_names[k], allocator.state);
      sa_variant_clear(&node->parameter_values[k], &allocator);
    }
    array_free(node->parameter_names, node->parameter_values, &allocator);
    allocator.deallocate(params->node_names[i], allocator.state);
  }
  array_free(params->node_names, params->params, &allocator);
  allocator.deallocate(params, allocator.state);
}

//---------- copies ----------

static void *
copy_bytes(const void * bytes, size_t size, const rcutils_allocator_t * allocator)
{
  void * copy = allocator->allocate(size == 0 ? 1 : size, allocator->state);
  if (copy != NULL && size > 0) memcpy(copy, bytes, size);
  return copy;
}

// all arrays of numbers look alike: a pointer, then a size
static bool
copy_array(void ** to, const void * from, size_t element, const rcutils_allocator_t * allocator)
{
  rcl_byte_array_t source;
  memcpy(&source, from, sizeof source);
  rcl_byte_array_t * copy = allocator->allocate(sizeof *copy, allocator->state);
  if (copy == NULL) return false;
  *to = copy;
  copy->size = source.size;
  copy->values = copy_bytes(source.values, source.size * element, allocator);
  return copy->values != NULL;
}

static bool
copy_strings(
  rcutils_string_array_t ** to, const rcutils_string_array_t * from,
  const rcutils_allocator_t * allocator)
{
  rcutils_string_array_t * copy = allocator->zero_allocate(1, sizeof *copy, allocator->state);
  if (copy == NULL) return false;
  *to = copy;
  if (rcutils_string_array_init(copy, from->size, allocator) != RCUTILS_RET_OK) return false;
  for (size_t i = 0; i < from->size; i++) {
    copy->data[i] = rcutils_strdup(from->data[i], *allocator);
    if (copy->data[i] == NULL) return false;
  }
  return true;
}

static bool
variant_copy(rcl_variant_t * to, const rcl_variant_t * from, const rcutils_allocator_t * a)
{
  bool good = true;
  if (from->bool_value != NULL) {
    to->bool_value = copy_bytes(from->bool_value, sizeof(bool), a);
    good = good && to->bool_value != NULL;
  }
  if (from->integer_value != NULL) {
    to->integer_value = copy_bytes(from->integer_value, sizeof(int64_t), a);
    good = good && to->integer_value != NULL;
  }
  if (from->double_value != NULL) {
    to->double_value = copy_bytes(from->double_value, sizeof(double), a);
    good = good && to->double_value != NULL;
  }
  if (from->string_value != NULL) {
    to->string_value = rcutils_strdup(from->string_value, *a);
    good = good && to->string_value != NULL;
  }
  if (from->bool_array_value != NULL) {
    good =
      good && copy_array((void **)&to->bool_array_value, from->bool_array_value, sizeof(bool), a);
  }
  if (from->integer_array_value != NULL) {
    good =
      good &&
      copy_array((void **)&to->integer_array_value, from->integer_array_value, sizeof(int64_t), a);
  }
  if (from->double_array_value != NULL) {
    good = good && copy_array(
                     (void **)&to->double_array_value, from->double_array_value, sizeof(double), a);
  }
  if (from->string_array_value != NULL) {
    good = good && copy_strings(&to->string_array_value, from->string_array_value, a);
  }
  return good;
}

rcl_params_t *
rcl_yaml_node_struct_copy(const rcl_params_t * params)
{
  rcl_params_t * copy = rcl_yaml_node_struct_init(params->allocator);
  bool good = copy != NULL;
  for (size_t i = 0; good && i < params->num_nodes; i++) {
    const rcl_node_params_t * node = &params->params[i];
    good = find_node(copy, params->node_names[i]) != NULL;
    for (size_t k = 0; good && k < node->num_params; k++) {
      rcl_variant_t * value =
        rcl_yaml_node_struct_get(params->node_names[i], node->parameter_names[k], copy);
      good = value != NULL && variant_copy(value, &node->parameter_values[k], &params->allocator);
    }
  }
  if (good) return copy;
  rcl_yaml_node_struct_fini(copy);
  return NULL;
}
