// A robot with its states as C source, for count_calls.c on another processor:
//   export_robot fixed|floating ROBOT.urdf > robot.c
#include <stdio.h>
#include <string.h>

#include "robot.h"

static void
print_numbers(const char * name, const double * x, int n)
{
  printf("static const double %s[] = {", name);
  for (int i = 0; i < n; i++) printf("%s%a", i % 4 == 0 ? "\n  " : " ", x[i]), putchar(',');
  printf("};\n");
}

static void
print_names(const char * name, const char * const * text, int n)
{
  printf("static const char * const %s[] = {", name);
  for (int i = 0; i < n; i++) printf("\"%s\", ", text[i]);
  printf("0};\n");
}

static void
print_array(const double * x, int n)
{
  printf(" {");
  for (int i = 0; i < n; i++) printf("%a, ", x[i]);
  printf("},");
}

static void
print_link(const bench_link_t * link)
{
  printf("  {\"%s\", ", link->name);
  printf(link->joint ? "\"%s\"," : "%s", link->joint ? link->joint : "0,");
  printf(" %d, %d,", link->parent, link->prismatic);
  print_array(link->axis, 3);
  printf(" %a, %a,", link->lower, link->upper);
  print_array(link->R, 9);
  print_array(link->p, 3);
  printf(" %a,", link->mass);
  print_array(link->com, 3);
  print_array(link->inertia, 6);
  printf("},\n");
}

int
main(int argc, char ** argv)
{
  const bench_settings_t settings = {.seed = 1, .nstate = 16, .batch = 8};
  char why[BENCH_WHY] = "usage: export_robot fixed|floating ROBOT.urdf";
  bench_case_t * c =
    argc == 3 ? bench_case_file(argv[2], strcmp(argv[1], "floating") == 0, &settings, why) : NULL;
  if (c == NULL) return fprintf(stderr, "export_robot: %s\n", why), 2;
  const bench_robot_t * r = &c->robot;
  printf("#include \"bench_plugin.h\"\n");
  print_numbers("q", r->q, r->nstate * r->nq);
  print_numbers("v", r->v, r->nstate * r->nv);
  print_numbers("a", r->a, r->nstate * r->nv);
  print_numbers("tau", r->tau, r->nstate * r->nv);
  print_names("joint", r->joint, r->njoint);
  print_names("frame", r->frame, r->nframe);
  printf("static const bench_link_t link[] = {\n");
  for (int i = 0; i < r->nlink; i++) print_link(&r->link[i]);
  printf("};\nextern const bench_robot_t robot;\nconst bench_robot_t robot = {\n");
  printf("  .name = \"%s\", .urdf = \"\", .nlink = %d, .link = link,\n", r->name, r->nlink);
  printf("  .floating = %d, .nq = %d, .nv = %d,\n", r->floating, r->nq, r->nv);
  printf("  .njoint = %d, .joint = joint, .nframe = %d,", r->njoint, r->nframe);
  printf(" .frame = frame, .gravity =");
  print_array(r->gravity, 3);
  printf("\n  .dense = 1, .nstate = %d, .batch = %d,", r->nstate, r->batch);
  printf(" .q = q, .v = v, .a = a, .tau = tau};\n");
  bench_case_free(c);
  return 0;
}
