// States and transitions of a managed node: ids of lifecycle_msgs, labels of rcl_lifecycle.
#include "lifecycle_table.h"

#include <stddef.h>
#include <string.h>

const lifecycle_label_t LIFECYCLE_STATES[LIFECYCLE_STATE_COUNT] = {
  {0, "unknown"},
  {LIFECYCLE_UNCONFIGURED, "unconfigured"},
  {LIFECYCLE_INACTIVE, "inactive"},
  {LIFECYCLE_ACTIVE, "active"},
  {LIFECYCLE_FINALIZED, "finalized"},
  {LIFECYCLE_CONFIGURING, "configuring"},
  {LIFECYCLE_CLEANINGUP, "cleaningup"},
  {LIFECYCLE_SHUTTINGDOWN, "shuttingdown"},
  {LIFECYCLE_ACTIVATING, "activating"},
  {LIFECYCLE_DEACTIVATING, "deactivating"},
  {LIFECYCLE_ERRORPROCESSING, "errorprocessing"},
};

// short names for the columns
#define DONE    LIFECYCLE_LABEL_DONE
#define REFUSED LIFECYCLE_LABEL_REFUSED
#define BROKEN  LIFECYCLE_LABEL_BROKEN
#define ERROR   LIFECYCLE_ERRORPROCESSING

const lifecycle_transition_t LIFECYCLE_TRANSITIONS[LIFECYCLE_TRANSITION_COUNT] = {
  {1, "configure", LIFECYCLE_UNCONFIGURED, LIFECYCLE_CONFIGURING},
  {10, DONE, LIFECYCLE_CONFIGURING, LIFECYCLE_INACTIVE},
  {11, REFUSED, LIFECYCLE_CONFIGURING, LIFECYCLE_UNCONFIGURED},
  {12, BROKEN, LIFECYCLE_CONFIGURING, ERROR},

  {2, "cleanup", LIFECYCLE_INACTIVE, LIFECYCLE_CLEANINGUP},
  {20, DONE, LIFECYCLE_CLEANINGUP, LIFECYCLE_UNCONFIGURED},
  {21, REFUSED, LIFECYCLE_CLEANINGUP, LIFECYCLE_INACTIVE},
  {22, BROKEN, LIFECYCLE_CLEANINGUP, ERROR},

  {3, "activate", LIFECYCLE_INACTIVE, LIFECYCLE_ACTIVATING},
  {30, DONE, LIFECYCLE_ACTIVATING, LIFECYCLE_ACTIVE},
  {31, REFUSED, LIFECYCLE_ACTIVATING, LIFECYCLE_INACTIVE},
  {32, BROKEN, LIFECYCLE_ACTIVATING, ERROR},

  {4, "deactivate", LIFECYCLE_ACTIVE, LIFECYCLE_DEACTIVATING},
  {40, DONE, LIFECYCLE_DEACTIVATING, LIFECYCLE_INACTIVE},
  {41, REFUSED, LIFECYCLE_DEACTIVATING, LIFECYCLE_ACTIVE},
  {42, BROKEN, LIFECYCLE_DEACTIVATING, ERROR},

  // one request, three ids; there is no way back
  {5, "shutdown", LIFECYCLE_UNCONFIGURED, LIFECYCLE_SHUTTINGDOWN},
  {6, "shutdown", LIFECYCLE_INACTIVE, LIFECYCLE_SHUTTINGDOWN},
  {7, "shutdown", LIFECYCLE_ACTIVE, LIFECYCLE_SHUTTINGDOWN},
  {50, DONE, LIFECYCLE_SHUTTINGDOWN, LIFECYCLE_FINALIZED},
  {51, REFUSED, LIFECYCLE_SHUTTINGDOWN, LIFECYCLE_FINALIZED},
  {52, BROKEN, LIFECYCLE_SHUTTINGDOWN, ERROR},

  {60, DONE, ERROR, LIFECYCLE_UNCONFIGURED},
  {61, REFUSED, ERROR, LIFECYCLE_FINALIZED},
  {62, BROKEN, ERROR, LIFECYCLE_FINALIZED},
};

const char *
lifecycle_state_name(lifecycle_state_t state)
{
  for (int i = 0; i < LIFECYCLE_STATE_COUNT; i++) {
    if (LIFECYCLE_STATES[i].id == (uint8_t)state) return LIFECYCLE_STATES[i].label;
  }
  return LIFECYCLE_STATES[0].label;
}

const lifecycle_transition_t *
lifecycle_by_id(lifecycle_state_t start, uint8_t id)
{
  for (int i = 0; i < LIFECYCLE_TRANSITION_COUNT; i++) {
    const lifecycle_transition_t * t = &LIFECYCLE_TRANSITIONS[i];
    if (t->start == start && t->id == id) return t;
  }
  return NULL;
}

const lifecycle_transition_t *
lifecycle_by_label(lifecycle_state_t start, const char * label)
{
  for (int i = 0; i < LIFECYCLE_TRANSITION_COUNT; i++) {
    const lifecycle_transition_t * t = &LIFECYCLE_TRANSITIONS[i];
    if (t->start == start && strcmp(t->label, label) == 0) return t;
  }
  return NULL;
}
