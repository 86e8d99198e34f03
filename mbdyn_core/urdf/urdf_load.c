// Entry points: bytes in, model and report out.
#define _POSIX_C_SOURCE 200809L  // locale_t
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/mjcf.h"
#include "mbdyn/spatial.h"
#include "mechanism_internal.h"
#include "urdf_internal.h"

mbdx_urdf_options_t
mbdx_urdf_options_default(void)
{
  mbdx_urdf_options_t options = {0};
  options.base = MBDX_BASE_FIXED;
  options.gravity = mbdu_vec3(0, 0, -9.81);
  options.embed = true;
  return options;
}

//---------- one load ----------

static bool
check_options(urdf_loader_t * loader)
{
  const mbdx_urdf_options_t * o = &loader->options;
  const urdf_place_t place = {"options", NULL, 0};
  const char * wrong = NULL;
  if (!isfinite(o->gravity.x) || !isfinite(o->gravity.y) || !isfinite(o->gravity.z)) {
    wrong = "gravity is not finite";
  } else if (o->base != MBDX_BASE_FIXED && o->base != MBDX_BASE_FLOATING) {
    wrong = "base is neither fixed nor floating";
  } else if (o->ndrive < 0 || (o->ndrive > 0 && !o->drive)) {
    wrong = "ndrive does not match drive";
  } else if (o->nlock < 0 || (o->nlock > 0 && !o->lock)) {
    wrong = "nlock does not match lock";
  } else if (o->nlock > 0 && loader->mechanism) {
    wrong = "a mechanism to simulate cannot have locked joints; use drivers";
  } else if (o->loops_file && o->loops_text) {
    wrong = "loops_file and loops_text are both given";
  }
  if (wrong) urdf_fail(loader, MBD_ERROR_BAD_ARGUMENT, place, NULL, "%s", wrong);
  return !wrong;
}

static void
refuse_other(urdf_loader_t * loader)
{
  const urdf_place_t place = {"file", NULL, loader->root->line};
  urdf_say(
    loader, MBDX_ERROR, place, "give it to mbdx_urdf_load_file",
    "the outermost element is %s, not <mujoco>", urdf_tag(loader->root).s);
}

// each step only if the one before went well; sentences are collected within a step
static mbd_model_t *
load(urdf_loader_t * loader, const char * xml, size_t size)
{
  // some callers count the zero at the end of a string in; nothing but zeros is no empty text
  size_t end = size;
  while (end > 0 && xml[end - 1] == 0) end--;
  if (end > 0 || size == 1) size = end;
  if (!check_options(loader) || !urdf_parse_xml(loader, xml, size)) return NULL;
  const bool mjcf = urdf_is(loader->root, "mujoco");
  if (mjcf)
    mjcf_read(loader);
  else if (loader->only_mjcf)
    refuse_other(loader);
  else
    urdf_read(loader);
  // a file that is no robot, or not all of it, has no tree to check
  const bool partial = loader->status == MBD_ERROR_LIMIT || loader->out_of_memory;
  if (!loader->robot.name || partial) return NULL;
  const bool tree = urdf_check(loader);
  if (loader->out_of_memory || !loader->robot.joint_by_name) return NULL;
  urdf_read_transmissions(loader);
  urdf_apply_drives(loader);
  urdf_check_control(loader);
  if (tree) urdf_read_loops(loader);
  if (!tree || loader->status != MBD_OK || loader->out_of_memory) return NULL;
  urdf_check_masses(loader);
  if (loader->status != MBD_OK || loader->out_of_memory) return NULL;
  return mjcf || urdf_compare(loader, xml, size) ? urdf_build(loader) : NULL;
}

void
urdf_free_loader(urdf_loader_t * loader)
{
  urdf_robot_t * robot = &loader->robot;
  free(robot->link);
  free(robot->joint);
  free(robot->link_by_name);
  free(robot->joint_by_name);
  free(robot->order);
  free(loader->closure);
  free(loader->force);
  free(loader->site);
  for (int k = 0; k < loader->nmade_name; k++) free(loader->made_name[k]);
  free(loader->made_name);
  free(loader->independent);
  urdf_free_loops_yaml(loader);
  urdf_free_entries(loader);
  urdf_free_tree(loader);
}

// hand model and report over; a report that does not fit into memory is an error of its own
static mbd_status_t
hand_over_model(
  urdf_loader_t * loader, mbd_model_t * built, mbd_model_t ** model, mbdx_report_t ** report)
{
  mbdx_report_t * made = urdf_make_report(loader);
  const bool enough = made && !loader->out_of_memory;
  const mbd_status_t status = enough ? loader->status : MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) {
    *model = built;
  } else {
    mbd_model_destroy(built);
  }
  if (enough && report) {
    *report = made;
  } else {
    mbdx_report_free(made);
  }
  urdf_free_loader(loader);
  return status;
}

static urdf_loader_t
make_loader(const char * source, const mbdx_urdf_options_t * options)
{
  urdf_loader_t loader = {.source = source};
  loader.options = options ? *options : mbdx_urdf_options_default();
  return loader;
}

static mbd_status_t
load_model(
  urdf_loader_t loader, const char * xml, size_t size, mbd_model_t ** model,
  mbdx_report_t ** report)
{
  loader.no_report = !report;
  mechanism_tables_t tables = {0};
  if (loader.options.mechanism && !loader.tables) loader.tables = &tables;
  // numbers with a point, read and written, whatever the locale of the program; this thread only
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) return MBD_ERROR_OUT_OF_MEMORY;
  const locale_t old = uselocale(c_locale);
  mbd_model_t * built = load(&loader, xml, size);
  const mbd_status_t status = hand_over_model(&loader, built, model, report);
  mechanism_free_tables(&tables);
  uselocale(old);
  freelocale(c_locale);
  return status;
}

mbd_status_t
mbdx_urdf_load_string(
  const char * xml, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbd_model_t ** model, mbdx_report_t ** report)
{
  if (model) *model = NULL;
  if (report) *report = NULL;
  if (!xml || !model) return MBD_ERROR_NULL_ARGUMENT;
  const urdf_loader_t loader = make_loader(source ? source : "robot_description", options);
  return load_model(loader, xml, size, model, report);
}

//---------- files ----------

static char *
read_bytes(FILE * file, size_t most, size_t * size)
{
  size_t capacity = 64 * 1024;
  char * bytes = malloc(capacity);
  *size = 0;
  while (bytes && *size <= most) {
    *size += fread(bytes + *size, 1, capacity - *size, file);
    if (*size < capacity) break;
    capacity *= 2;
    char * grown = realloc(bytes, capacity);
    if (!grown) free(bytes);
    bytes = grown;
  }
  if (!bytes) {
    errno = ENOMEM;
  } else if (ferror(file)) {
    const int error = errno;
    free(bytes);
    bytes = NULL;
    errno = error == 0 ? EIO : error;
  }
  return bytes;
}

char *
urdf_read_file(const char * path, size_t most, size_t * size)
{
  FILE * file = fopen(path, "rb");
  if (!file) return NULL;
  char * bytes = read_bytes(file, most, size);
  const int error = errno;
  fclose(file);
  errno = error;
  return bytes;
}

static mbd_status_t
file_error(const char * path, int error, mbd_model_t ** model, mbdx_report_t ** report)
{
  urdf_loader_t loader = make_loader(path, NULL);
  if (error == ENOMEM) {
    loader.out_of_memory = true;
  } else {
    const urdf_place_t place = {"file", NULL, 0};
    urdf_fail(&loader, MBD_ERROR_FILE, place, NULL, "cannot be read: %s", strerror(error));
  }
  return hand_over_model(&loader, NULL, model, report);
}

static mbd_status_t
load_file(urdf_loader_t loader, mbd_model_t ** model, mbdx_report_t ** report)
{
  const char * path = loader.source;
  size_t size;
  loader.from_file = true;
  char * bytes = urdf_read_file(path, URDF_MAX_BYTES, &size);
  if (!bytes) return file_error(path, errno, model, report);
  const mbd_status_t status = load_model(loader, bytes, size, model, report);
  free(bytes);
  return status;
}

mbd_status_t
mbdx_urdf_load_file(
  const char * path, const mbdx_urdf_options_t * options, mbd_model_t ** model,
  mbdx_report_t ** report)
{
  if (model) *model = NULL;
  if (report) *report = NULL;
  if (!path || !model) return MBD_ERROR_NULL_ARGUMENT;
  return load_file(make_loader(path, options), model, report);
}

mbd_status_t
mbdx_mjcf_load_file(
  const char * path, const mbdx_urdf_options_t * options, mbd_model_t ** model,
  mbdx_report_t ** report)
{
  if (model) *model = NULL;
  if (report) *report = NULL;
  if (!path || !model) return MBD_ERROR_NULL_ARGUMENT;
  urdf_loader_t loader = make_loader(path, options);
  loader.only_mjcf = true;
  return load_file(loader, model, report);
}

mbd_status_t
mbdx_mjcf_load_string(
  const char * xml, size_t size, const char * source, const mbdx_urdf_options_t * options,
  mbd_model_t ** model, mbdx_report_t ** report)
{
  if (model) *model = NULL;
  if (report) *report = NULL;
  if (!xml || !model) return MBD_ERROR_NULL_ARGUMENT;
  urdf_loader_t loader = make_loader(source ? source : "MJCF", options);
  loader.only_mjcf = true;
  return load_model(loader, xml, size, model, report);
}

mbd_status_t
urdf_load_mechanism(
  const char * path, const urdf_text_of_robot_t * text, const mbdx_urdf_options_t * options,
  mechanism_tables_t * tables, mbdx_mechanism_t * mechanism, mbdx_report_t ** report)
{
  urdf_loader_t loader = make_loader(path, options);
  loader.tables = tables, loader.mechanism = mechanism;
  return text ? load_model(loader, text->xml, text->size, &mechanism->model, report)
              : load_file(loader, &mechanism->model, report);
}
