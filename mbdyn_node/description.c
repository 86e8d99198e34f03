// What a robot description says: read, and taken only if it is good.
#include <stdio.h>
#include <stdlib.h>

#include "node_internal.h"
#include "robot_load.h"

static uint64_t
fnv1a(const char * text, size_t size)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (uint8_t)text[i]) * 1099511628211u;
  return hash;
}

void
loaded_destroy(loaded_t * loaded)
{
  if (!loaded) return;
  for (int i = 0; i < loaded->nwarning; i++) free(loaded->warning[i]);
  free(loaded->warning);
  mbd_data_destroy(loaded->data);
  if (loaded->robot.model) node_robot_fini(&loaded->robot);
  mbd_model_destroy(loaded->flexible);
  mbd_model_destroy(loaded->model);
  free(loaded);
}

loaded_t *
description_load(
  mbdyn_node_t * node, const description_t * from, bool strict, char * reason, size_t size)
{
  const param_values_t * values = node_values(node);
  robot_load_t load;
  loaded_t * loaded = calloc(1, sizeof *loaded);
  if (!loaded) {
    snprintf(reason, size, "out of memory");
    return NULL;
  }
  const mbd_status_t status =
    robot_load(values, from->text, from->size, from->source, strict, &load, reason, size);
  if (status != MBD_OK) {
    free(loaded);
    return NULL;
  }
  *loaded = (loaded_t){
    .model = load.model,
    .flexible = load.flexible,
    .nwarning = load.nwarning,
    .warning = load.warning,
    .hash = fnv1a(from->text, from->size),
    .version = from->version};
  if (mbd_data_create(loaded->model, &loaded->data) != MBD_OK) {
    snprintf(reason, size, "out of memory");
  } else if (node_robot_init(&loaded->robot, loaded->model, load.control, values, reason, size)) {
    mbdx_ros2_control_free(load.control);
    return loaded;
  }
  mbdx_ros2_control_free(load.control);
  loaded_destroy(loaded);
  return NULL;
}

bool
description_swap(mbdyn_node_t * node, char * reason, size_t size)
{
  if (lifecycle_state(node->lifecycle) == LIFECYCLE_ACTIVE) {
    snprintf(reason, size, "the node is active; deactivate it first");
    return false;
  }
  loaded_t * loaded = description_load(node, &node->description, false, reason, size);
  return loaded && node_loop_start(node, loaded, reason, size);
}
