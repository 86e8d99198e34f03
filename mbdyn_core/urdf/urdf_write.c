// The table as minimal URDF: the only text that urdfdom ever sees. Names of the file do not get
// here, and numbers have enough digits to come back the same.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "urdf_internal.h"

typedef struct text {
  char * s;
  size_t size, capacity;
  bool failed;
} text_t;

static void put(text_t * text, const char * format, ...) __attribute__((format(printf, 2, 3)));

static void
put(text_t * text, const char * format, ...)
{
  // one element is well below this
  enum { ROOM = 512 };
  if (text->failed) return;
  if (text->capacity - text->size < ROOM) {
    const size_t capacity = 2 * text->capacity + 4 * ROOM;
    char * grown = realloc(text->s, capacity);
    if (!grown) {
      text->failed = true;
      return;
    }
    text->s = grown;
    text->capacity = capacity;
  }
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(text->s + text->size, ROOM, format, args);
  va_end(args);
  if (n < 0 || n >= ROOM)
    text->failed = true;
  else
    text->size += (size_t)n;
}

static void
put_origin(text_t * text, const double xyz[3], const double rpy[3])
{
  put(
    text, "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>", xyz[0], xyz[1], xyz[2],
    rpy[0], rpy[1], rpy[2]);
}

static void
put_link(text_t * text, const urdf_link_t * link, int i)
{
  put(text, "<link name=\"l%d\">", i);
  if (link->has_inertial) {
    const double * I = link->I;
    put(text, "<inertial>");
    put_origin(text, link->xyz, link->rpy);
    put(text, "<mass value=\"%.17g\"/>", link->mass);
    put(
      text,
      "<inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" iyy=\"%.17g\" iyz=\"%.17g\" "
      "izz=\"%.17g\"/></inertial>",
      I[0], I[1], I[2], I[3], I[4], I[5]);
  }
  put(text, "</link>\n");
}

static void
put_joint(text_t * text, const urdf_joint_t * joint, int j)
{
  static const char * const type[] = {"unknown", "revolute", "continuous", "prismatic",
                                      "fixed",   "floating", "planar"};
  put(text, "<joint name=\"j%d\" type=\"%s\">", j, type[joint->type]);
  put(text, "<parent link=\"l%d\"/><child link=\"l%d\"/>", joint->parent, joint->child);
  put_origin(text, joint->xyz, joint->rpy);
  const double * a = joint->axis;
  if (urdf_has_axis(joint)) put(text, "<axis xyz=\"%.17g %.17g %.17g\"/>", a[0], a[1], a[2]);
  // urdfdom wants limits where dynamics does not: zeros stand for what the file does not say
  if (urdf_one_dof(joint)) {
    put(
      text, "<limit lower=\"%.17g\" upper=\"%.17g\" effort=\"%.17g\" velocity=\"%.17g\"/>",
      joint->lower, joint->upper, joint->effort, joint->velocity);
  }
  put(text, "<dynamics damping=\"%.17g\" friction=\"%.17g\"/>", joint->damping, joint->friction);
  if (joint->mimic >= 0) {
    put(
      text, "<mimic joint=\"j%d\" multiplier=\"%.17g\" offset=\"%.17g\"/>", joint->mimic,
      joint->multiplier, joint->offset);
  }
  put(text, "</joint>\n");
}

char *
urdf_write(const urdf_robot_t * robot, size_t * size)
{
  text_t text = {0};
  put(&text, "<?xml version=\"1.0\"?>\n<robot name=\"robot\">\n");
  for (int i = 0; i < robot->nlink; i++) put_link(&text, &robot->link[i], i);
  for (int j = 0; j < robot->njoint; j++) put_joint(&text, &robot->joint[j], j);
  put(&text, "</robot>\n");
  if (text.failed) {
    free(text.s);
    return NULL;
  }
  *size = text.size;
  return text.s;
}
