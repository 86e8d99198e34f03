// Where in the file a part of a mechanism is: kind, name, line.
#define _POSIX_C_SOURCE 200809L  // strdup
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism_internal.h"

// the parts with names, those first that give their name to a closure of the model
static int
count_parts(const urdf_loader_t * loader, const mechanism_tables_t * t)
{
  return loader->nclosure + t->ndriver + t->njoint + t->nbody + loader->nforce + t->nmeasure;
}

static urdf_place_t
part(const urdf_loader_t * loader, const mechanism_tables_t * t, int k)
{
  if (k < loader->nclosure)
    return (urdf_place_t){"closure", loader->closure[k].name, loader->closure[k].line};
  k -= loader->nclosure;
  if (k < t->ndriver) return (urdf_place_t){"driver", t->driver[k].name, t->driver[k].line};
  k -= t->ndriver;
  if (k < t->njoint) return (urdf_place_t){"joint", t->joint[k].name, t->joint[k].line};
  k -= t->njoint;
  if (k < t->nbody) return (urdf_place_t){"body", t->body[k].name, t->body[k].line};
  k -= t->nbody;
  if (k < loader->nforce)
    return (urdf_place_t){"force", loader->force[k].spec.name, loader->force[k].line};
  const mechanism_measure_t * m = &t->measure[k - loader->nforce];
  return (urdf_place_t){m->output ? "output" : "input", m->name, m->line};
}

urdf_place_t
mechanism_place_of(
  const urdf_loader_t * loader, const mechanism_tables_t * tables, const char * name)
{
  const int n = name ? count_parts(loader, tables) : 0;
  for (int k = 0; k < n; k++) {
    const urdf_place_t place = part(loader, tables, k);
    if (place.name && strcmp(place.name, name) == 0) return place;
  }
  return (urdf_place_t){name ? "closure" : "mechanism", name, 0};
}

bool
mechanism_keep_places(
  urdf_loader_t * loader, const mechanism_tables_t * tables, mbdx_mechanism_t * mechanism)
{
  struct mbdx_mechanism_parts * parts = mechanism->parts;
  const int n = count_parts(loader, tables);
  parts->place = calloc((size_t)n + 1, sizeof *parts->place);
  for (int k = 0; parts->place && k < n; k++) {
    urdf_place_t place = part(loader, tables, k);
    place.name = place.name ? strdup(place.name) : NULL;
    if (place.name) parts->place[parts->nplace++] = place;
  }
  if (parts->nplace < n) loader->out_of_memory = true;
  return parts->nplace == n;
}

const char *
mbdx_mechanism_place(const mbdx_mechanism_t * mechanism, const char * name, int * line)
{
  const struct mbdx_mechanism_parts * parts = mechanism ? mechanism->parts : NULL;
  for (int k = 0; parts && name && k < parts->nplace; k++) {
    if (strcmp(parts->place[k].name, name) != 0) continue;
    if (line) *line = parts->place[k].line;
    return parts->place[k].kind;
  }
  return NULL;
}

void
mechanism_free_places(struct mbdx_mechanism_parts * parts)
{
  for (int k = 0; k < parts->nplace; k++) free((char *)(uintptr_t)parts->place[k].name);
  free(parts->place);
}
