#include "contacts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"

// most contacts of a shape: corners of a box
enum { CORNERS = 8 };

static plant_contact_t
point_at(int frame, const mbd_placement_t * X, mbd_vec3_t p, double radius)
{
  return (plant_contact_t){
    .frame = frame, .centre = mbdu_vec3_add(X->p, mbdu_mat3_vec(&X->R, p)), .radius = radius};
}

static int
add_shape(int frame, const mbdx_shape_t * s, plant_contact_t * to)
{
  const mbd_placement_t * X = &s->X;
  int n = 0;
  switch (s->type) {
    case MBDX_SHAPE_SPHERE: to[n++] = point_at(frame, X, mbdu_vec3(0, 0, 0), s->radius); break;
    case MBDX_SHAPE_BOX:
      for (int k = 0; k < CORNERS; k++) {
        const mbd_vec3_t corner = mbdu_vec3(
          (k & 1 ? 0.5 : -0.5) * s->size.x, (k & 2 ? 0.5 : -0.5) * s->size.y,
          (k & 4 ? 0.5 : -0.5) * s->size.z);
        to[n++] = point_at(frame, X, corner, 0);
      }
      break;
    case MBDX_SHAPE_CYLINDER:
    case MBDX_SHAPE_CAPSULE:
      for (int end = -1; end <= 1; end += 2) {
        to[n] = point_at(frame, X, mbdu_vec3(0, 0, end * s->length / 2), 0);
        if (s->type == MBDX_SHAPE_CAPSULE)
          to[n].radius = s->radius;
        else
          to[n].rim = s->radius;
        to[n++].axis = mbdu_mat3_vec(&X->R, mbdu_vec3(0, 0, 1));
      }
      break;
  }
  return n;
}

static bool
is_listed(const char * link, const char * const * name, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    if (strcmp(name[k], link) == 0) return true;
  }
  return n == 0;
}

// frame of a link that moves, or -1
static int
moving_frame(const mbd_model_t * model, const char * name)
{
  int frame;
  if (mbd_find_frame(model, name, &frame) != MBD_OK) return -1;
  return model->frame[frame].body >= 0 ? frame : -1;
}

static bool
has_shape(const mbdx_shapes_t * shapes, const char * name)
{
  for (int k = 0; k < shapes->n; k++) {
    if (strcmp(shapes->shape[k].link, name) == 0) return true;
  }
  return false;
}

int
contacts_create(
  const mbd_model_t * model, const mbdx_shapes_t * shapes, const char * const * name, size_t n,
  plant_contact_t ** contact, char * reason, size_t size)
{
  const mbd_placement_t here = {mbdu_mat3_identity(), {0, 0, 0}};
  int count = 0;
  *contact = calloc((size_t)shapes->n * CORNERS + n + 1, sizeof **contact);
  if (*contact == NULL) {
    snprintf(reason, size, "out of memory");
    return -1;
  }
  for (int k = 0; k < shapes->n; k++) {
    const mbdx_shape_t * shape = &shapes->shape[k];
    const int frame = moving_frame(model, shape->link);
    if (frame < 0 || !is_listed(shape->link, name, n)) continue;
    count += add_shape(frame, shape, *contact + count);
  }
  for (size_t k = 0; k < n; k++) {
    const int frame = moving_frame(model, name[k]);
    if (frame < 0) {
      snprintf(reason, size, "the robot has no moving link or frame '%s'", name[k]);
      free(*contact);
      *contact = NULL;
      return -1;
    }
    if (!has_shape(shapes, name[k]))
      (*contact)[count++] = point_at(frame, &here, mbdu_vec3(0, 0, 0), 0);
  }
  return count;
}
