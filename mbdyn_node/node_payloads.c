// Loads of the robot: the one that the parameters payload.* have, and a list behind it. Services set
// the parameters, so that what was attached last can be read there; what was there before goes to the
// list. With the robot go the loads of services, and the parameters get back what they had.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "node_internal.h"

enum { PARAMETERS = NODE_PAYLOAD_PARAMETERS };

static const node_parameter_t INDEX[PARAMETERS] = {
  P_PAYLOAD_FRAME, P_PAYLOAD_MASS, P_PAYLOAD_COM, P_PAYLOAD_INERTIA};

//---------- parameters ----------

static bool
set_parameters(mbdyn_node_t * node, const param_value_t * value, char * reason, size_t size)
{
  const char * name[PARAMETERS];
  for (int k = 0; k < PARAMETERS; k++) name[k] = NODE_PARAMETERS[INDEX[k]].name;
  node->payload.writing = true;
  const bool ok = param_server_set_all(node->parameters, PARAMETERS, name, value, reason, size);
  node->payload.writing = false;
  return ok;
}

// the load, or none, as parameters
static bool
show(mbdyn_node_t * node, const node_load_t * load, char * reason, size_t size)
{
  static const node_load_t none = {0};
  const char * frame = load ? node->loaded->model->frame[load->frame].name : "";
  node_load_t numbers = load ? *load : none;
  const param_value_t value[PARAMETERS] = {
    {.type = PARAM_STRING, .string = (char *)(uintptr_t)frame},
    {.type = PARAM_DOUBLE, .number = numbers.mass},
    {.type = PARAM_DOUBLE_ARRAY, .n = 3, .numbers = numbers.com},
    {.type = PARAM_DOUBLE_ARRAY, .n = 6, .numbers = numbers.inertia}};
  return set_parameters(node, value, reason, size);
}

static void
forget_own(mbdyn_node_t * node)
{
  for (int k = 0; k < PARAMETERS; k++) param_value_fini(&node->payload.own[k]);
  node->payload.lent = false;
}

// what the parameters have before a service changes them for the first time
static bool
keep_own(mbdyn_node_t * node)
{
  if (node->payload.lent) return true;
  for (int k = 0; k < PARAMETERS; k++) {
    if (!param_value_copy(&node_values(node)->value[INDEX[k]], &node->payload.own[k])) {
      forget_own(node);
      return false;
    }
  }
  return node->payload.lent = true;
}

static bool
same_numbers(const param_values_t * a, const param_values_t * b, node_parameter_t index)
{
  size_t na, nb;
  const double *x = param_doubles(a, (int)index, &na), *y = param_doubles(b, (int)index, &nb);
  return na == nb && (na == 0 || memcmp(x, y, na * sizeof *x) == 0);
}

bool
payloads_same(const param_values_t * a, const param_values_t * b)
{
  const char *frame = param_string(a, P_PAYLOAD_FRAME), *other = param_string(b, P_PAYLOAD_FRAME);
  const double mass = param_double(a, P_PAYLOAD_MASS);
  return strcmp(frame, other) == 0 && mass == param_double(b, P_PAYLOAD_MASS) &&
         same_numbers(a, b, P_PAYLOAD_COM) && same_numbers(a, b, P_PAYLOAD_INERTIA);
}

void
payloads_taken_over(mbdyn_node_t * node)
{
  if (!node->payload.writing) forget_own(node);
}

param_values_t *
payloads_own_values(const mbdyn_node_t * node)
{
  param_values_t * values = param_values_copy(node_values(node));
  char reason[REASON_MAX];
  for (int k = 0; values && node->payload.lent && k < PARAMETERS; k++) {
    if (param_values_set(values, (int)INDEX[k], &node->payload.own[k], reason, sizeof reason)) {
      continue;
    }
    param_values_destroy(values);
    return NULL;
  }
  return values;
}

void
payloads_restore(mbdyn_node_t * node)
{
  char reason[REASON_MAX];
  if (node->payload.lent && set_parameters(node, node->payload.own, reason, sizeof reason)) {
    forget_own(node);
  }
  // not while another parameter is being set: the next tick does
  node->payload.restore = node->payload.lent;
}

void
payloads_drop(mbdyn_node_t * node)
{
  memset(&node->payloads, 0, sizeof node->payloads);
  payloads_restore(node);
}

void
payloads_fini(mbdyn_node_t * node)
{
  forget_own(node);
}

//---------- services ----------

static void
drop_frame(node_payloads_t * list, int frame)
{
  int kept = 0;
  for (int i = 0; i < list->n; i++) {
    if (list->load[i].frame != frame) list->load[kept++] = list->load[i];
  }
  list->n = kept;
}

// a list, and the load that is to be shown; all of it or nothing
static bool
apply(
  mbdyn_node_t * node, const node_payloads_t * list, const node_load_t * load, char * reason,
  size_t size)
{
  const node_payloads_t old = node->payloads;
  const bool lent = node->payload.lent;
  if (!keep_own(node)) {
    snprintf(reason, size, "out of memory");
    return false;
  }
  node->payloads = *list;
  if (show(node, load, reason, size)) return true;
  node->payloads = old;
  if (!lent) forget_own(node);
  return false;
}

bool
payloads_set(mbdyn_node_t * node, const node_load_t * load, char * reason, size_t size)
{
  node_payloads_t list = node->payloads;
  node_load_t shown;
  if (!(load->mass >= 0)) {
    snprintf(reason, size, "mass must be positive, or zero to remove the payload");
    return false;
  }
  bool other = node_load_of_parameters(node_values(node), node->loaded->model, &shown) &&
               shown.frame != load->frame;
  drop_frame(&list, load->frame);
  if (load->mass > 0) {
    if (other && list.n == CONTROLLER_PAYLOADS) {
      snprintf(reason, size, "at most %d payloads are supported", CONTROLLER_PAYLOADS);
      return false;
    }
    if (other) {
      drop_frame(&list, shown.frame);
      list.load[list.n++] = shown;
    }
    return apply(node, &list, load, reason, size);
  }
  if (!other && list.n > 0) {
    shown = list.load[--list.n];
    other = true;
  }
  return apply(node, &list, other ? &shown : NULL, reason, size);
}

bool
payloads_clear(
  mbdyn_node_t * node, const rosidl_runtime_c__String__Sequence * frames, char * reason,
  size_t size)
{
  node_payloads_t list = node->payloads;
  node_load_t shown;
  if (!node->loaded) {
    snprintf(reason, size, "the node is not configured");
    return false;
  }
  const mbd_model_t * model = node->loaded->model;
  bool has = node_load_of_parameters(node_values(node), model, &shown);
  if (frames->size == 0) list.n = has = 0;
  for (size_t i = 0; i < frames->size; i++) {
    const char * name = frames->data[i].data;
    const int before = list.n + has;
    int frame = -1;
    if (mbd_find_frame(model, name, &frame) == MBD_OK) {
      drop_frame(&list, frame);
      has = has && shown.frame != frame;
    }
    if (list.n + has == before) {
      snprintf(reason, size, "frame '%s' has no payload", name);
      return false;
    }
  }
  if (!has && list.n > 0) {
    shown = list.load[--list.n];
    has = true;
  }
  return apply(node, &list, has ? &shown : NULL, reason, size);
}

int
payloads_count(const mbdyn_node_t * node, double * mass)
{
  node_load_t shown;
  const bool has =
    node->loaded && node_load_of_parameters(node_values(node), node->loaded->model, &shown);
  int n = has;
  *mass = has ? shown.mass : 0;
  for (int i = 0; i < node->payloads.n; i++) {
    // on one frame the parameters' load counts
    if (has && node->payloads.load[i].frame == shown.frame) continue;
    *mass += node->payloads.load[i].mass;
    n++;
  }
  return n;
}
