// Links as URDF: what every plug-in reads, so that all of them have the same robot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "robot_parts.h"

// angles of R = Rz Ry Rx, exact where the pitch is a right angle too
static void
roll_pitch_yaw(const double * R, double * rpy)
{
  const double yaw = atan2(R[3], R[0]), c = cos(yaw), s = sin(yaw);
  rpy[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
  rpy[1] = atan2(-R[6], c * R[0] + s * R[3]);
  rpy[2] = yaw;
}

static void
print_link(FILE * to, const bench_link_t * link)
{
  if (!(link->mass > 0)) {
    fprintf(to, "<link name=\"%s\"/>\n", link->name);
    return;
  }
  const double *c = link->com, *I = link->inertia;
  fprintf(to, "<link name=\"%s\">\n<inertial>", link->name);
  fprintf(
    to, "<origin xyz=\"%.17g %.17g %.17g\"/><mass value=\"%.17g\"/>", c[0], c[1], c[2], link->mass);
  fprintf(to, "<inertia ixx=\"%.17g\" ixy=\"%.17g\" ixz=\"%.17g\" ", I[0], I[1], I[2]);
  fprintf(to, "iyy=\"%.17g\" iyz=\"%.17g\" izz=\"%.17g\"/>", I[3], I[4], I[5]);
  fprintf(to, "</inertial>\n</link>\n");
}

// ranges are for the states alone; here they are so wide that no library sees a limit
static void
print_joint(FILE * to, const bench_link_t * link, const char * parent)
{
  double rpy[3];
  roll_pitch_yaw(link->R, rpy);
  const double *p = link->p, *a = link->axis;
  fprintf(
    to, "<joint name=\"%s\" type=\"%s\">\n", link->joint,
    link->prismatic ? "prismatic" : "revolute");
  fprintf(to, "<parent link=\"%s\"/><child link=\"%s\"/>\n", parent, link->name);
  fprintf(to, "<origin xyz=\"%.17g %.17g %.17g\" ", p[0], p[1], p[2]);
  fprintf(to, "rpy=\"%.17g %.17g %.17g\"/>", rpy[0], rpy[1], rpy[2]);
  fprintf(to, "<axis xyz=\"%.17g %.17g %.17g\"/>", a[0], a[1], a[2]);
  fprintf(
    to, "<limit lower=\"-100\" upper=\"100\" effort=\"1000\" velocity=\"1000\"/>\n</joint>\n");
}

char *
bench_urdf_text(const bench_robot_t * robot)
{
  char * text = NULL;
  size_t size = 0;
  FILE * to = open_memstream(&text, &size);
  if (to == NULL) return NULL;
  fprintf(to, "<?xml version=\"1.0\"?>\n<robot name=\"%s\">\n", robot->name);
  for (int i = 0; i < robot->nlink; i++) print_link(to, &robot->link[i]);
  for (int i = 1; i < robot->nlink; i++)
    print_joint(to, &robot->link[i], robot->link[robot->link[i].parent].name);
  fprintf(to, "</robot>\n");
  return fclose(to) == 0 ? text : (free(text), NULL);
}
