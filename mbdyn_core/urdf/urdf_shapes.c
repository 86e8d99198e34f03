// <collision> of the links -> shapes.
#define _POSIX_C_SOURCE 200809L  // locale_t
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/shapes.h"
#include "mbdyn/spatial.h"
#include "urdf_internal.h"

typedef struct reader {
  urdf_loader_t loader;
  mbdx_shapes_t * shapes;
  int capacity;
} reader_t;

//---------- geometry ----------

static bool
read_length(
  urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, const char * name, double * x)
{
  place.line = node->line;
  if (!urdf_number_attribute(loader, node, place, name, name, x)) return false;
  if (*x > 0) return urdf_within_size(loader, place, name, x, 1);
  urdf_say(loader, MBDX_ERROR, place, NULL, "%s %g of <%s> is not positive", name, *x, node->name);
  return false;
}

static bool
read_box(urdf_loader_t * loader, urdf_node_t * node, urdf_place_t place, mbdx_shape_t * shape)
{
  double size[3];
  place.line = node->line;
  const char * text = urdf_attribute(node, "size");
  if (!text) {
    urdf_say(loader, MBDX_ERROR, place, "add size=\"X Y Z\"", "<box> has no size");
    return false;
  }
  if (
    !urdf_vector(loader, place, "size", text, size, 3) ||
    !urdf_within_size(loader, place, "size", size, 3)) {
    return false;
  }
  if (!(size[0] > 0 && size[1] > 0 && size[2] > 0)) {
    urdf_say(
      loader, MBDX_ERROR, place, NULL, "size %s of <box> is not positive", urdf_value(text).s);
    return false;
  }
  shape->size = mbdu_vec3(size[0], size[1], size[2]);
  return true;
}

// the first element of <geometry>; false if there is no shape, with a sentence
static bool
read_geometry(urdf_loader_t * loader, urdf_node_t * geometry, urdf_place_t place, mbdx_shape_t * s)
{
  static const char * const name[] = {"sphere", "box", "cylinder", "capsule"};
  urdf_node_t * node = geometry->child;
  place.line = geometry->line;
  if (!node) {
    urdf_say(loader, MBDX_WARNING, place, NULL, "<geometry> of <collision> is empty");
    return false;
  }
  place.line = node->line;
  for (int k = 0; k < 4; k++) {
    if (!urdf_is(node, name[k])) continue;
    s->type = (mbdx_shape_type_t)k;
    if (s->type == MBDX_SHAPE_BOX) return read_box(loader, node, place, s);
    const bool good = read_length(loader, node, place, "radius", &s->radius);
    if (s->type == MBDX_SHAPE_SPHERE) return good;
    return read_length(loader, node, place, "length", &s->length) && good;
  }
  urdf_say(
    loader, MBDX_WARNING, place, "use spheres, boxes, cylinders or capsules",
    "%s of <collision> is not supported and makes no contact", urdf_tag(node).s);
  return false;
}

static void
read_collision(reader_t * r, const urdf_link_t * link, urdf_node_t * node)
{
  urdf_loader_t * loader = &r->loader;
  urdf_place_t place = urdf_link_place(link);
  mbdx_shape_t shape = {.line = node->line};
  double xyz[3] = {0}, quat[4] = {0, 0, 0, 1};
  place.line = node->line;
  urdf_node_t * origin = urdf_only_child(loader, node, place, "origin");
  urdf_node_t * geometry = urdf_only_child(loader, node, place, "geometry");
  if (!geometry) {
    urdf_say(loader, MBDX_WARNING, place, NULL, "<collision> has no <geometry>");
    return;
  }
  if (origin && !urdf_read_origin(loader, origin, place, xyz, quat)) return;
  if (!read_geometry(loader, geometry, place, &shape)) return;
  mbdx_shapes_t * all = r->shapes;
  if (!urdf_reserve(loader, (void **)&all->shape, all->n, &r->capacity, sizeof *all->shape)) return;
  shape.X.R = mbdu_quat_to_mat3((mbd_quat_t){quat[0], quat[1], quat[2], quat[3]});
  shape.X.p = mbdu_vec3(xyz[0], xyz[1], xyz[2]);
  shape.link = strdup(link->name);
  if (shape.link)
    all->shape[all->n++] = shape;
  else
    loader->out_of_memory = true;
}

//---------- all together ----------

// sentences about anything but shapes are those of mbdx_urdf_load_string
static void
forget_sentences(urdf_loader_t * loader)
{
  urdf_free_entries(loader);
  loader->entry = NULL;
  loader->nentry = loader->entry_capacity = 0;
  memset(loader->stored, 0, sizeof loader->stored);
  memset(loader->dropped, 0, sizeof loader->dropped);
}

static void
read_shapes(reader_t * r, const char * xml, size_t size)
{
  urdf_loader_t * loader = &r->loader;
  while (size > 0 && xml[size - 1] == 0) size--;
  if (!urdf_parse_xml(loader, xml, size)) return;
  urdf_read(loader);
  if (loader->status != MBD_OK || loader->out_of_memory) return;
  forget_sentences(loader);
  for (int i = 0; i < loader->robot.nlink; i++) {
    const urdf_link_t * link = &loader->robot.link[i];
    for (urdf_node_t * n = link->node->child; n; n = n->next) {
      if (urdf_is(n, "collision")) read_collision(r, link, n);
    }
  }
}

mbd_status_t
mbdx_shapes_load_string(
  const char * xml, size_t size, const char * source, mbdx_shapes_t ** shapes,
  mbdx_report_t ** report)
{
  if (shapes) *shapes = NULL;
  if (report) *report = NULL;
  if (!xml || !shapes) return MBD_ERROR_NULL_ARGUMENT;
  reader_t r = {.loader = {.source = source ? source : "robot_description"}};
  r.loader.options = mbdx_urdf_options_default();
  r.shapes = calloc(1, sizeof *r.shapes);
  const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  mbd_status_t status = MBD_ERROR_OUT_OF_MEMORY;
  if (r.shapes && c_locale) {
    const locale_t old = uselocale(c_locale);
    read_shapes(&r, xml, size);
    mbdx_report_t * made = urdf_make_report(&r.loader);
    if (made && !r.loader.out_of_memory) status = r.loader.status;
    if (status != MBD_ERROR_OUT_OF_MEMORY && report)
      *report = made;
    else
      mbdx_report_free(made);
    urdf_free_loader(&r.loader);
    uselocale(old);
  }
  if (c_locale) freelocale(c_locale);
  if (status == MBD_OK)
    *shapes = r.shapes;
  else
    mbdx_shapes_free(r.shapes);
  return status;
}

void
mbdx_shapes_free(mbdx_shapes_t * shapes)
{
  if (!shapes) return;
  for (int i = 0; i < shapes->n; i++) free(shapes->shape[i].link);
  free(shapes->shape);
  free(shapes);
}
