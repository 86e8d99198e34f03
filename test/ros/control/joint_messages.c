#include "joint_messages.h"

#include <stdio.h>
#include <string.h>

#include "close.h"
#include "mbdyn/spatial.h"

//---------- CDR ----------

typedef struct writer {
  uint8_t * data;
  size_t at;
  bool big_endian;
  uint8_t padding;
} writer_t;

enum { HEADER = 4 };

static void
align(writer_t * w, size_t to)
{
  while ((w->at - HEADER) % to) w->data[w->at++] = w->padding;
}

static void
put_integer(writer_t * w, uint64_t x, size_t size)
{
  align(w, size);
  assert_true(w->at + size <= MESSAGE_CAPACITY);
  for (size_t i = 0; i < size; i++) {
    const size_t byte = w->big_endian ? size - 1 - i : i;
    w->data[w->at++] = (uint8_t)(x >> (8 * byte));
  }
}

static void
put_double(writer_t * w, double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  put_integer(w, bits, 8);
}

static void
put_string(writer_t * w, const char * text)
{
  const size_t n = strlen(text) + 1;
  put_integer(w, n, 4);
  assert_true(w->at + n <= MESSAGE_CAPACITY);
  memcpy(w->data + w->at, text, n);
  w->at += n;
}

static void
put_doubles(writer_t * w, const double * x, uint32_t n)
{
  put_integer(w, x ? n : 0, 4);
  for (uint32_t i = 0; x && i < n; i++) put_double(w, x[i]);
}

static writer_t
begin(uint8_t * buffer, bool big_endian, uint8_t padding, int64_t stamp, const char * frame_id)
{
  writer_t w = {buffer, HEADER, big_endian, padding};
  memcpy(buffer, (const uint8_t[]){0, big_endian ? 0 : 1, 0, 0}, HEADER);
  put_integer(&w, (uint64_t)(stamp / 1000000000), 4);
  put_integer(&w, (uint64_t)(stamp % 1000000000), 4);
  put_string(&w, frame_id);
  return w;
}

size_t
write_joint_state(const joint_state_t * m, uint8_t * buffer)
{
  writer_t w = begin(buffer, m->big_endian, m->padding, m->stamp, "base");
  put_integer(&w, m->n, 4);
  for (uint32_t i = 0; i < m->n; i++) put_string(&w, m->name[i]);
  put_doubles(&w, m->position, m->n);
  put_doubles(&w, m->velocity, m->n);
  put_doubles(&w, m->effort, m->n);
  return w.at;
}

size_t
write_odometry(int64_t stamp, const double pose[7], const double twist[6], uint8_t * buffer)
{
  writer_t w = begin(buffer, false, 0, stamp, "odom");
  put_string(&w, "base_link");
  for (int i = 0; i < 7; i++) put_double(&w, pose[i]);
  for (int i = 0; i < 36; i++) put_double(&w, i);
  for (int i = 0; i < 6; i++) put_double(&w, twist[i]);
  for (int i = 0; i < 36; i++) put_double(&w, i);
  return w.at;
}

//---------- robots ----------

mbd_model_t *
make_robot(const robot_joint_t * joint, int n)
{
  mbd_model_t * model;
  assert_ok(mbd_model_create("robot", &model));
  int frame = MBD_WORLD_BODY;
  for (int i = 0; i < n; i++) {
    char link[160];
    snprintf(link, sizeof link, "link_of_%s", joint[i].name);
    mbd_body_spec_t spec = mbd_body_spec_default();
    spec.name = link;
    spec.joint_name = joint[i].name;
    spec.parent = frame;
    spec.type = joint[i].type;
    spec.axis = mbdu_vec3(0, 0, 1);
    spec.pitch = 0.1;
    spec.inertia =
      mbdu_inertia_from_com(1, mbdu_vec3(0, 0, 0.1), (mbd_sym3_t){0.1, 0, 0, 0.1, 0, 0.1});
    spec.mimic = (mbd_mimic_t){joint[i].mimic, joint[i].multiplier, joint[i].offset};
    assert_ok(mbd_model_add_body(model, &spec, &frame));
  }
  assert_ok(mbd_model_finalize(model));
  assert_int_equal(model->nbody, n);
  for (int i = 0; i < n; i++) assert_string_equal(model->body[i].joint_name, joint[i].name);
  return model;
}
