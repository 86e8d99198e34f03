#include "frame_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval_output.h"
#include "text.h"

const char *
frame_names_take(frame_names_t * names, const char * value)
{
  if (names->n == names->capacity) {
    const int capacity = 2 * names->capacity + 8;
    const char ** larger = realloc(names->name, (size_t)capacity * sizeof *larger);
    if (!larger) return "fewer values (out of memory)";
    names->name = larger;
    names->capacity = capacity;
  }
  // asking twice is asking once
  for (int i = 0; i < names->n; i++) {
    if (strcmp(names->name[i], value) == 0) return NULL;
  }
  names->name[names->n++] = value;
  return NULL;
}

const char *
reference_take(mbd_reference_t * reference, const char * value)
{
  for (int i = MBD_LOCAL; i <= MBD_LOCAL_WORLD_ALIGNED; i++) {
    *reference = (mbd_reference_t)i;
    if (strcmp(value, eval_reference_name(*reference)) == 0) return NULL;
  }
  return "local, world or local_world_aligned";
}

const char *
terms_take(uint32_t * terms, const char * value)
{
  while (true) {
    const size_t length = strcspn(value, ",");
    if (length == 8 && strncmp(value, "friction", length) == 0) {
      *terms |= MBD_TERM_FRICTION;
    } else if (length == 6 && strncmp(value, "rotors", length) == 0) {
      *terms |= MBD_TERM_ROTORS;
    } else if (length == 8 && strncmp(value, "elements", length) == 0) {
      *terms |= MBD_TERM_ELEMENTS;
    } else {
      return "friction, rotors, elements, or several separated by commas";
    }
    if (value[length] == 0) return NULL;
    value += length + 1;
  }
}

bool
frame_names_find(
  const frame_names_t * names, const char * path, const mbd_model_t * model, int * to)
{
  for (int i = 0; i < names->n; i++) {
    const char * name = names->name[i];
    if (mbd_find_frame(model, name, &to[i]) == MBD_OK) continue;
    closest_t closest = closest_to(name);
    for (int k = 0; k < model->nframe; k++) closest_offer(&closest, model->frame[k].name);
    fprintf(
      stderr, "%s: --frame %s: no such link in robot '%s'%s\n", text_source_name(path), name,
      model->name, closest_hint(&closest));
    return false;
  }
  return true;
}
