// Flexible links, from YAML next to the URDF.
#define _POSIX_C_SOURCE 200809L  // locale_t
#include "mbdyn/flexible/flexible_file.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flexible_file_internal.h"
#include "mbdyn/spatial.h"

enum { MAX_LINKS = 256, MAX_ATTACHMENTS = 256 };

// a link of the file
typedef struct entry {
  int line, frame;
  const char * name;
  modal_t modal;
  int nattachment;
  mbd_flexible_attachment_t attachment[MAX_ATTACHMENTS];
} entry_t;

typedef struct reader {
  urdf_yaml_t yaml;
  const mbd_model_t * model;
  int n;
  entry_t * entry;  // [MAX_LINKS]
} reader_t;

// the yaml part is the first of a reader
static reader_t *
reader_of(urdf_yaml_t * r)
{
  return (reader_t *)(void *)r;
}

static urdf_place_t
place_at(const urdf_yaml_t * r, const yaml_node_t * node)
{
  urdf_place_t place = r->place;
  place.line = yaml_tree_line(node);
  return place;
}

//---------- beams ----------

typedef struct beam {
  mbd_beam_spec_t spec;
  double rpy[3];
} beam_t;

static void
read_count(urdf_yaml_t * r, const char * key, const yaml_node_t * value, int * n)
{
  double x;
  if (!urdf_yaml_number(r, value, key, &x)) return;
  if (x >= 0 && x <= 50 && x == (int)x) {
    *n = (int)x;
  } else {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, value), NULL, "%s is not a whole number from 0 to 50",
      key);
  }
}

static void
read_support(urdf_yaml_t * r, const yaml_node_t * value, mbd_beam_support_t * support)
{
  static const char * const NAMES[] = {"cantilever", "pinned", "free"};
  const char * text = urdf_yaml_text(r, value, "support");
  for (int k = 0; text && k < 3; k++) {
    if (strcmp(text, NAMES[k]) != 0) continue;
    *support = (mbd_beam_support_t)k;
    return;
  }
  if (!text) return;
  urdf_say(
    r->loader, MBDX_ERROR, place_at(r, value), "write cantilever, pinned or free",
    "support %s is unknown", urdf_value(text).s);
}

// a number that is positive, or not negative
static void
read_size(urdf_yaml_t * r, const char * key, const yaml_node_t * value, bool zero, double * x)
{
  if (!urdf_yaml_number(r, value, key, x)) return;
  if (*x > 0 || (zero && *x == 0)) return;
  urdf_say(
    r->loader, MBDX_ERROR, place_at(r, value), NULL, "%s is %s", key,
    zero ? "negative" : "not positive");
}

static void
read_beam_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  beam_t * beam = to;
  mbd_beam_spec_t * spec = &beam->spec;
  if (strcmp(key, "length") == 0) {
    read_size(r, key, value, false, &spec->length);
  } else if (strcmp(key, "mass_per_length") == 0) {
    read_size(r, key, value, false, &spec->mass_per_length);
  } else if (strcmp(key, "polar") == 0) {
    read_size(r, key, value, true, &spec->polar);
  } else if (strcmp(key, "bending_y") == 0) {
    read_size(r, key, value, false, &spec->bending_y);
  } else if (strcmp(key, "bending_z") == 0) {
    read_size(r, key, value, false, &spec->bending_z);
  } else if (strcmp(key, "damping_ratio") == 0) {
    read_size(r, key, value, true, &spec->damping_ratio);
  } else if (strcmp(key, "modes_y") == 0) {
    read_count(r, key, value, &spec->modes_y);
  } else if (strcmp(key, "modes_z") == 0) {
    read_count(r, key, value, &spec->modes_z);
  } else if (strcmp(key, "support") == 0) {
    read_support(r, value, &spec->support);
  } else if (strcmp(key, "rpy") == 0) {
    urdf_yaml_triple(r, value, "rpy", beam->rpy);
  } else {
    urdf_yaml_unknown(
      r, key, value,
      "known keys: length, mass_per_length, polar, bending_y, bending_z, modes_y, modes_z, "
      "support, "
      "damping_ratio and rpy");
  }
}

// x along the beam of a place in the body frame, if it is not known yet
static void
add_station(
  const mbd_placement_t * link, const mbd_mat3_t * R, mbd_vec3_t p, mbd_beam_spec_t * spec,
  double * station)
{
  const mbd_placement_t back = mbdu_placement_inverse(link);
  const mbd_vec3_t in_beam = mbdu_mat3_tvec(R, mbdu_placement_point(&back, p));
  double x = in_beam.x;
  const double slack = 1e-9 * spec->length;
  if (x < -slack || x > spec->length + slack) return;
  x = fmin(fmax(x, 0), spec->length);
  for (int k = 0; k < spec->nstation; k++) {
    if (fabs(station[k] - x) <= slack) return;
  }
  station[spec->nstation++] = x;
}

// places on the beam where frames and joints of its body are: nodes of their own
static void
add_stations(
  const mbd_model_t * model, int frame, const mbd_mat3_t * R, mbd_beam_spec_t * spec,
  double * station, int capacity)
{
  const mbd_placement_t * link = &model->frame[frame].X;
  const int body = model->frame[frame].body;
  for (int f = 0; f < model->nframe && spec->nstation < capacity; f++) {
    if (f == frame || model->frame[f].body != body) continue;
    add_station(link, R, model->frame[f].X.p, spec, station);
  }
  for (int i = 0; i < model->nbody && spec->nstation < capacity; i++) {
    if (model->body[i].parent != body) continue;
    add_station(link, R, model->body[i].X_tree.p, spec, station);
  }
  spec->station = station;
}

static bool
check_beam(urdf_yaml_t * r, const yaml_node_t * node, const mbd_beam_spec_t * spec)
{
  static const char * const NEEDED[] = {"length", "mass_per_length"};
  bool good = true;
  for (int k = 0; k < 2; k++) {
    if (urdf_yaml_value(r, node, NEEDED[k])) continue;
    urdf_say(r->loader, MBDX_ERROR, place_at(r, node), NULL, "beam has no %s", NEEDED[k]);
    good = false;
  }
  const bool y = spec->modes_y > 0 && !(spec->bending_y > 0);
  const bool z = spec->modes_z > 0 && !(spec->bending_z > 0);
  if (y || z) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, node), "give EI in N m^2",
      "beam has modes_%c and no bending_%c", y ? 'y' : 'z', y ? 'y' : 'z');
    good = false;
  } else if (spec->modes_y + spec->modes_z == 0) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, node), "add modes_y or modes_z", "beam has no modes");
    good = false;
  }
  return good;
}

static bool
read_beam(urdf_yaml_t * r, const yaml_node_t * node, int frame, modal_t * modal)
{
  enum { STATIONS = 1000 };
  beam_t beam = {.spec = mbd_beam_spec_default()};
  const mbd_status_t before = r->loader->status;
  r->loader->status = MBD_OK;
  urdf_yaml_mapping(r, node, "beam", read_beam_key, &beam);
  if (r->loader->status != MBD_OK) return false;
  r->loader->status = before;
  if (!check_beam(r, node, &beam.spec)) return false;
  double * station = calloc(STATIONS, sizeof *station);
  beam.spec.X.R = urdf_rotation(beam.rpy);
  if (station) {
    add_stations(reader_of(r)->model, frame, &beam.spec.X.R, &beam.spec, station, STATIONS);
  }
  const mbd_status_t status =
    station ? mbd_beam_create(&beam.spec, &modal->body) : MBD_ERROR_OUT_OF_MEMORY;
  free(station);
  modal->line = yaml_tree_line(node);
  if (status == MBD_ERROR_OUT_OF_MEMORY) r->loader->out_of_memory = true;
  if (status != MBD_OK && status != MBD_ERROR_OUT_OF_MEMORY) {
    urdf_say(r->loader, MBDX_ERROR, place_at(r, node), NULL, "beam: %s", mbd_status_string(status));
  }
  return status == MBD_OK;
}

//---------- files ----------

// a file beside that of the links: to be freed
static char *
path_beside(const char * source, const char * name)
{
  const char * slash = strrchr(source, '/');
  const int folder = slash && name[0] != '/' ? (int)(slash - source + 1) : 0;
  const size_t size = (size_t)folder + strlen(name) + 1;
  char * path = malloc(size);
  if (path) snprintf(path, size, "%.*s%s", folder, source, name);
  return path;
}

static bool
has_ending(const char * name, const char * ending)
{
  const size_t n = strlen(name), m = strlen(ending);
  return n > m && strcmp(name + n - m, ending) == 0;
}

static bool
read_modal_text(urdf_yaml_t * r, const char * path, char * text, size_t size, modal_t * modal)
{
  if (has_ending(path, ".csv")) return modal_read_csv(r->loader, text, size, modal);
  yaml_document_t * doc = urdf_yaml_parse(r->loader, text, size);
  if (!doc) return false;
  urdf_yaml_t inner = {r->loader, doc, {"file", NULL, 0}};
  const yaml_node_t * root = yaml_document_get_root_node(doc);
  if (!root) urdf_say(r->loader, MBDX_ERROR, inner.place, NULL, "is empty");
  const bool good = root && modal_read_yaml(&inner, root, modal);
  yaml_tree_free(doc);
  return good;
}

// modal data of another file; sentences are about that one, checks included
static bool
read_modal_file(urdf_yaml_t * r, const yaml_node_t * node, const char * link, modal_t * modal)
{
  const char * name = urdf_yaml_text(r, node, "file");
  if (!name) return false;
  urdf_loader_t * loader = r->loader;
  char * path = path_beside(loader->source, name);
  size_t size = 0;
  char * text = path ? urdf_read_file(path, URDF_MAX_BYTES, &size) : NULL;
  const int error = path ? errno : ENOMEM;
  bool good = false;
  if (!text && error == ENOMEM) {
    loader->out_of_memory = true;
  } else if (!text) {
    urdf_say(
      loader, MBDX_ERROR, place_at(r, node), "the path is relative to this file",
      "file %s cannot be read: %s", urdf_value(name).s, strerror(error));
  } else if (size > URDF_MAX_BYTES) {
    urdf_fail(loader, MBD_ERROR_LIMIT, place_at(r, node), NULL, "file is too large");
  } else {
    char * ended = realloc(text, size + 1);
    if (ended) {
      text = ended, text[size] = 0;
      loader->loops_source = path, loader->in_loops_file = true;
      good = read_modal_text(r, path, text, size, modal) && modal_check(loader, link, modal);
      loader->in_loops_file = false;
    } else {
      loader->out_of_memory = true;
    }
  }
  free(text);
  free(path);
  return good;
}

//---------- links ----------

static void
read_attach_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  entry_t * entry = to;
  int frame, node = -1;
  const char * name = urdf_yaml_text(r, value, "attach");
  if (!name) return;
  if (mbd_find_frame(reader_of(r)->model, key, &frame) != MBD_OK) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, value), "correct the name",
      "attach: there is no link or frame %s", urdf_name(key).s);
    return;
  }
  const bool hinge = strcmp(name, "hinge") == 0;
  if (!hinge && entry->modal.name) node = modal_node(&entry->modal, name);
  if (!hinge && node < 0) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, value), "write the name of a node, or hinge",
      "attach: there is no node %s", urdf_name(name).s);
    return;
  }
  if (entry->nattachment == MAX_ATTACHMENTS) {
    urdf_fail(
      r->loader, MBD_ERROR_LIMIT, place_at(r, value), NULL, "more than %d attachments",
      MAX_ATTACHMENTS);
    return;
  }
  entry->attachment[entry->nattachment++] = (mbd_flexible_attachment_t){frame, node};
}

// `link` and the modes were read already
static void
read_link_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  if (strcmp(key, "attach") == 0) {
    urdf_yaml_mapping(r, value, "attach", read_attach_key, to);
  } else if (
    strcmp(key, "link") != 0 && strcmp(key, "beam") != 0 && strcmp(key, "modal") != 0 &&
    strcmp(key, "file") != 0) {
    urdf_yaml_unknown(r, key, value, "known keys: link, beam, modal, file, attach");
  }
}

static bool
find_link(reader_t * reader, const yaml_node_t * node, entry_t * entry)
{
  urdf_yaml_t * r = &reader->yaml;
  const yaml_node_t * value = urdf_yaml_value(r, node, "link");
  if (!value) {
    urdf_say(r->loader, MBDX_ERROR, place_at(r, node), "add link: NAME", "has no link");
    return false;
  }
  entry->name = urdf_yaml_text(r, value, "link");
  if (!entry->name) return false;
  r->place = (urdf_place_t){"link", entry->name, entry->line};
  const bool found = mbd_find_frame(reader->model, entry->name, &entry->frame) == MBD_OK;
  if (!found || !reader->model->frame[entry->frame].is_link) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, value), "correct the name", "the robot has no such link");
    return false;
  }
  for (const entry_t * other = reader->entry; other < entry; other++) {
    if (other->frame != entry->frame) continue;
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, value), "keep one of them", "is already on line %d",
      other->line);
    return false;
  }
  return true;
}

// one of beam, modal, file
static bool
read_modes(urdf_yaml_t * r, const yaml_node_t * node, entry_t * entry)
{
  const yaml_node_t * beam = urdf_yaml_value(r, node, "beam");
  const yaml_node_t * modal = urdf_yaml_value(r, node, "modal");
  const yaml_node_t * file = urdf_yaml_value(r, node, "file");
  if ((beam != NULL) + (modal != NULL) + (file != NULL) != 1) {
    urdf_say(
      r->loader, MBDX_ERROR, place_at(r, node), "give one of them", "has %s beam, modal and file",
      beam || modal || file ? "more than one of" : "none of");
    return false;
  }
  if (beam) return read_beam(r, beam, entry->frame, &entry->modal);
  if (file) return read_modal_file(r, file, entry->name, &entry->modal);
  return modal_read_yaml(r, modal, &entry->modal) &&
         modal_check(r->loader, entry->name, &entry->modal);
}

static void
read_link(urdf_yaml_t * r, const yaml_node_t * node)
{
  reader_t * reader = reader_of(r);
  const urdf_place_t outside = r->place;
  if (reader->n == MAX_LINKS) {
    urdf_fail(r->loader, MBD_ERROR_LIMIT, place_at(r, node), NULL, "more than %d links", MAX_LINKS);
    return;
  }
  entry_t * entry = &reader->entry[reader->n++];
  entry->line = yaml_tree_line(node);
  entry->frame = -1;
  r->place = (urdf_place_t){"link", NULL, entry->line};
  if (node->type != YAML_MAPPING_NODE) {
    urdf_say(r->loader, MBDX_ERROR, r->place, "write link: NAME and so on", "has no keys");
  } else if (find_link(reader, node, entry) && read_modes(r, node, entry)) {
    urdf_yaml_mapping(r, node, "a link", read_link_key, entry);
  }
  r->place = outside;
}

static void
read_document_key(urdf_yaml_t * r, const char * key, const yaml_node_t * value, void * to)
{
  (void)to;
  if (strcmp(key, "flexible") == 0) {
    urdf_yaml_list(r, value, "flexible", read_link);
  } else {
    urdf_yaml_unknown(r, key, value, "known key: flexible");
  }
}

//---------- the robot ----------

static void
say_links(reader_t * reader, const mbd_model_t * flexible)
{
  for (int k = 0; k < reader->n; k++) {
    const entry_t * entry = &reader->entry[k];
    const mbd_modal_body_t * body = flexible->flexible->part[k].body;
    const urdf_place_t place = {"link", entry->name, entry->line};
    double mass = 0;
    for (int i = 0; i < body->nnode; i++) mass += entry->modal.body->inertia[i].mass;
    urdf_say(
      reader->yaml.loader, MBDX_NOTE, place, NULL,
      "flexible with %d mode%s; %d nodes of %g kg replace its inertial", body->nmode,
      body->nmode == 1 ? "" : "s", body->nnode, mass);
  }
}

static mbd_model_t *
make_robot(reader_t * reader)
{
  urdf_loader_t * loader = reader->yaml.loader;
  mbd_flexible_link_t * link = calloc((size_t)reader->n + 1, sizeof *link);
  mbd_model_t * flexible = NULL;
  int fault = -1;
  for (int k = 0; link && k < reader->n; k++) {
    const entry_t * e = &reader->entry[k];
    link[k] = (mbd_flexible_link_t){e->frame, e->modal.body, e->nattachment, e->attachment};
  }
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (link)
    status = mbd_model_with_flexible_links(reader->model, reader->n, link, &flexible, &fault);
  free(link);
  if (status == MBD_OK) {
    say_links(reader, flexible);
  } else if (status == MBD_ERROR_OUT_OF_MEMORY) {
    loader->out_of_memory = true;
  } else if (fault >= 0) {
    const entry_t * e = &reader->entry[fault];
    const urdf_place_t place = {"link", e->name, e->line};
    const bool attached = status == MBD_ERROR_BAD_ARGUMENT;
    urdf_say(
      loader, MBDX_ERROR, place,
      attached ? "attach accepts only links and frames directly on this link" : NULL, "%s",
      attached ? "attach names a link or frame that is not on this link"
               : mbd_status_string(status));
  } else {
    const urdf_place_t place = {"robot", reader->model->name, 0};
    const bool loops = status == MBD_ERROR_UNSUPPORTED;
    urdf_fail(
      loader, status, place, loops ? "leave the loops open, or all links rigid" : NULL,
      "flexible links: %s",
      loops ? "not supported for robots with loops, gears or mimic joints"
            : mbd_status_string(status));
  }
  return flexible;
}

static mbd_model_t *
load(reader_t * reader, const char * text, size_t size)
{
  urdf_loader_t * loader = reader->yaml.loader;
  const urdf_place_t place = {"file", NULL, 0};
  if (size > URDF_MAX_BYTES) {
    urdf_fail(
      loader, MBD_ERROR_LIMIT, place, "use fewer nodes or modes", "is larger than %d bytes",
      (int)URDF_MAX_BYTES);
    return NULL;
  }
  loader->yaml = urdf_yaml_parse(loader, text, size);
  if (!loader->yaml) return NULL;
  reader->yaml.doc = loader->yaml;
  reader->yaml.place = place;
  const yaml_node_t * root = yaml_document_get_root_node(loader->yaml);
  if (root) urdf_yaml_mapping(&reader->yaml, root, "the file", read_document_key, NULL);
  if (loader->status != MBD_OK || loader->out_of_memory) return NULL;
  return make_robot(reader);
}

static mbd_status_t
hand_over_flexible(
  urdf_loader_t * loader, mbd_model_t * made, mbd_model_t ** flexible, mbdx_report_t ** report)
{
  mbdx_report_t * sentences = urdf_make_report(loader);
  mbd_status_t status = loader->status == MBD_ERROR_URDF ? MBD_ERROR_BAD_MODES : loader->status;
  if (!sentences || loader->out_of_memory) status = MBD_ERROR_OUT_OF_MEMORY;
  if (status == MBD_OK) {
    *flexible = made;
  } else {
    mbd_model_destroy(made);
  }
  if (status != MBD_ERROR_OUT_OF_MEMORY && report) {
    *report = sentences;
  } else {
    mbdx_report_free(sentences);
  }
  urdf_free_loops_yaml(loader);
  urdf_free_entries(loader);
  return status;
}

mbd_status_t
mbdx_flexible_load_string(
  const mbd_model_t * model, const char * text, size_t size, const char * source,
  mbd_model_t ** flexible, mbdx_report_t ** report)
{
  if (flexible) *flexible = NULL;
  if (report) *report = NULL;
  if (!model || !text || !flexible) return MBD_ERROR_NULL_ARGUMENT;
  if (!model->finalized) return MBD_ERROR_NOT_FINALIZED;
  urdf_loader_t loader = {.source = source ? source : "flexible"};
  reader_t reader = {.yaml = {.loader = &loader}, .model = model};
  reader.entry = calloc(MAX_LINKS, sizeof *reader.entry);
  // numbers with a point, whatever the locale of the program; this thread only
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (c_locale && reader.entry) {
    const locale_t old = uselocale(c_locale);
    mbd_model_t * made = load(&reader, text, size);
    status = hand_over_flexible(&loader, made, flexible, report);
    uselocale(old);
  }
  if (c_locale) freelocale(c_locale);
  for (int k = 0; reader.entry && k < reader.n; k++) modal_free(&reader.entry[k].modal);
  free(reader.entry);
  return status;
}

mbd_status_t
mbdx_flexible_load_file(
  const mbd_model_t * model, const char * path, mbd_model_t ** flexible, mbdx_report_t ** report)
{
  if (flexible) *flexible = NULL;
  if (report) *report = NULL;
  if (!model || !path || !flexible) return MBD_ERROR_NULL_ARGUMENT;
  size_t size;
  char * bytes = urdf_read_file(path, URDF_MAX_BYTES, &size);
  if (bytes) {
    const mbd_status_t status =
      mbdx_flexible_load_string(model, bytes, size, path, flexible, report);
    free(bytes);
    return status;
  }
  urdf_loader_t loader = {.source = path, .out_of_memory = errno == ENOMEM};
  const urdf_place_t place = {"file", NULL, 0};
  if (!loader.out_of_memory) {
    urdf_fail(&loader, MBD_ERROR_FILE, place, NULL, "cannot be read: %s", strerror(errno));
  }
  return hand_over_flexible(&loader, NULL, flexible, report);
}
