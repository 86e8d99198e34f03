// Entry points of mechanisms: YAML in, mechanism and report out.
#define _POSIX_C_SOURCE 200809L  // locale_t
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "mechanism_internal.h"

mbdx_mechanism_options_t
mbdx_mechanism_options_default(void)
{
  return (mbdx_mechanism_options_t){0};
}

void
mechanism_free_tables(mechanism_tables_t * tables)
{
  for (int k = 0; k < tables->ndriver; k++) {
    // those that a mechanism took over are gone
    if (!tables->driver[k].motion) continue;
    mechanism_free_motion(tables->driver[k].motion);
    free(tables->driver[k].motion);
  }
  free(tables->body);
  free(tables->joint);
  free(tables->driver);
  free(tables->initial);
  free(tables->bearing);
  free(tables->measure);
  free(tables->contact);
}

// at the line where the limit is
static void
say_too_large(urdf_loader_t * loader, const char * text)
{
  urdf_place_t place = {"file", NULL, 1};
  for (size_t i = 0; i < URDF_MAX_LOOPS_BYTES; i++) place.line += text[i] == '\n';
  urdf_fail(loader, MBD_ERROR_LIMIT, place, MECHANISM_LARGER, "is larger than 1 MiB");
}

static mbdx_mechanism_t *
load(
  urdf_loader_t * loader, const char * text, size_t size, const mbdx_mechanism_options_t * options)
{
  mechanism_tables_t tables = {.gravity = mbdu_vec3(0, 0, -9.81)};
  mbdx_mechanism_t * mechanism = NULL;
  if (size > URDF_MAX_LOOPS_BYTES) {
    say_too_large(loader, text);
    return NULL;
  }
  loader->yaml = urdf_yaml_parse(loader, text, size);
  if (!loader->yaml) return NULL;
  mechanism_read(loader, &tables);
  if (options && options->coordinates != MBDX_COORDINATES_FILE)
    tables.coordinates = options->coordinates;
  if (options && options->drive_initial && tables.ndriver == 0)
    mechanism_drive_initial(loader, &tables);
  if (loader->status == MBD_OK && !loader->out_of_memory)
    mechanism = mechanism_build(loader, &tables);
  mechanism_free_tables(&tables);
  return mechanism;
}

// hand mechanism and report over; a report that does not fit into memory is an error of its own
static mbd_status_t
hand_over(
  urdf_loader_t * loader, mbdx_mechanism_t * built, mbdx_mechanism_t ** mechanism,
  mbdx_report_t ** report)
{
  mbdx_report_t * made = urdf_make_report(loader);
  const bool enough = made && !loader->out_of_memory;
  const mbd_status_t status = enough ? loader->status : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK)
    *mechanism = built;
  else
    mbdx_mechanism_free(built);
  if (enough && report)
    *report = made;
  else
    mbdx_report_free(made);
  urdf_free_loader(loader);
  return status;
}

mbd_status_t
mbdx_mechanism_load_string(
  const char * text, size_t size, const char * source, const mbdx_mechanism_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report)
{
  if (mechanism) *mechanism = NULL;
  if (report) *report = NULL;
  if (!text || !mechanism) return MBD_ERROR_NULL_ARGUMENT;
  urdf_loader_t loader = {.source = source ? source : "mechanism"};
  loader.options = mbdx_urdf_options_default();
  loader.options.strict = options && options->strict;
  // numbers with a point, whatever the locale of the program; this thread only
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) return MBD_ERROR_OUT_OF_MEMORY;
  const locale_t old = uselocale(c_locale);
  mbdx_mechanism_t * built = load(&loader, text, size, options);
  const mbd_status_t status = hand_over(&loader, built, mechanism, report);
  uselocale(old);
  freelocale(c_locale);
  return status;
}

mbd_status_t
mbdx_mechanism_load_file(
  const char * path, const mbdx_mechanism_options_t * options, mbdx_mechanism_t ** mechanism,
  mbdx_report_t ** report)
{
  if (mechanism) *mechanism = NULL;
  if (report) *report = NULL;
  if (!path || !mechanism) return MBD_ERROR_NULL_ARGUMENT;
  size_t size;
  char * bytes = urdf_read_file(path, URDF_MAX_LOOPS_BYTES, &size);
  if (!bytes) {
    const int error = errno;
    urdf_loader_t loader = {.source = path, .out_of_memory = error == ENOMEM};
    const urdf_place_t place = {"file", NULL, 0};
    if (error != ENOMEM)
      urdf_fail(&loader, MBD_ERROR_FILE, place, NULL, "cannot be read: %s", strerror(error));
    return hand_over(&loader, NULL, mechanism, report);
  }
  const mbd_status_t status =
    mbdx_mechanism_load_string(bytes, size, path, options, mechanism, report);
  free(bytes);
  return status;
}

// a URDF file, or text and its source
static mbd_status_t
load_urdf(
  const char * path, const urdf_text_of_robot_t * text, const mbdx_urdf_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report)
{
  mechanism_tables_t tables = {0};
  mbdx_mechanism_t * made = calloc(1, sizeof *made);
  if (!made) return MBD_ERROR_OUT_OF_MEMORY;
  mbdx_urdf_options_t o = *options;
  o.embed = false, o.mechanism = true;
  const mbd_status_t status = urdf_load_mechanism(path, text, &o, &tables, made, report);
  made->simulate = tables.simulate;
  mechanism_free_tables(&tables);
  if (status == MBD_OK)
    *mechanism = made;
  else
    mbdx_mechanism_free(made);
  return status;
}

mbd_status_t
mbdx_mechanism_load_urdf(
  const char * urdf, const char * path, const mbdx_urdf_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report)
{
  if (mechanism) *mechanism = NULL;
  if (report) *report = NULL;
  if (!urdf || !path || !mechanism) return MBD_ERROR_NULL_ARGUMENT;
  mbdx_urdf_options_t o = options ? *options : mbdx_urdf_options_default();
  o.loops_file = path, o.loops_text = NULL;
  return load_urdf(urdf, NULL, &o, mechanism, report);
}

mbd_status_t
mbdx_mechanism_load_urdf_string(
  const char * text, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbdx_mechanism_t ** mechanism, mbdx_report_t ** report)
{
  if (mechanism) *mechanism = NULL;
  if (report) *report = NULL;
  if (!text || !mechanism || !options) return MBD_ERROR_NULL_ARGUMENT;
  if (!options->loops_file && !options->loops_text) return MBD_ERROR_BAD_ARGUMENT;
  const urdf_text_of_robot_t robot = {text, size};
  return load_urdf(source ? source : "robot_description", &robot, options, mechanism, report);
}

void
mbdx_mechanism_free(mbdx_mechanism_t * mechanism)
{
  if (!mechanism) return;
  mbd_model_destroy(mechanism->model);
  struct mbdx_mechanism_parts * parts = mechanism->parts;
  for (int k = 0; parts && k < parts->ndriver; k++) mechanism_free_motion(&parts->motion[k]);
  if (parts) {
    free(parts->motion);
    mechanism_free_places(parts);
  }
  free(parts);
  mechanism_free_measures(mechanism);
  mbdx_shapes_free(mechanism->contacts);
  free(mechanism->q);
  free(mechanism->v);
  free(mechanism);
}
