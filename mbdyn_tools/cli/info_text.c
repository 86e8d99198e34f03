// `mbdyn info` for people: tables and a tree.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "text.h"

//---------- cells ----------

// columns that a UTF-8 text takes, one per code point
static int
width(const char * text)
{
  int n = 0;
  for (const char * c = text; *c; c++) n += ((unsigned char)*c & 0xC0) != 0x80;
  return n;
}

static void
cell_text(const char * text, int columns)
{
  printf("%s%*s", text, columns > width(text) ? columns - width(text) : 0, "");
}

// a number, or a dash where there is none
static void
cell_number(double x)
{
  if (isfinite(x)) {
    printf("  %11.5g", x + 0.0);
  } else {
    printf("  %11s", "-");
  }
}

static void
cell_vec3(bool known, mbd_vec3_t x)
{
  if (known) {
    printf("  %9.4g %9.4g %9.4g", x.x + 0.0, x.y + 0.0, x.z + 0.0);
  } else {
    printf("  %9s %9s %9s", "-", "-", "-");
  }
}

// widest of the names of joints, or of the links they carry
static int
name_width(const mbd_model_t * model, bool joints)
{
  int widest = 5;
  for (int i = 0; i < model->nbody; i++) {
    const int w = width(joints ? model->body[i].joint_name : model->body[i].name);
    if (w > widest) widest = w;
  }
  return widest;
}

//---------- tree ----------

typedef struct tree {
  const mbd_model_t * model;
  char prefix[1024];  // what stands before a line of the current level
} tree_t;

static void draw_children(tree_t * tree, int body);

// what stands before a node
static void
draw_branch(tree_t * tree, bool last)
{
  const char * branch = text_utf8() ? (last ? "└─ " : "├─ ") : (last ? "`- " : "|- ");
  printf("%s%s", tree->prefix, branch);
}

static void
draw_body(tree_t * tree, int i, bool last)
{
  const mbd_body_t * body = &tree->model->body[i];
  draw_branch(tree, last);
  printf(
    "%d %s (%s) %s %s\n", i, body->joint_name, mbd_joint_type_name(body->type),
    text_utf8() ? "→" : "->", body->name);

  const size_t length = strlen(tree->prefix);
  const char * stem = last ? "   " : text_utf8() ? "│  " : "|  ";
  if (length + strlen(stem) < sizeof tree->prefix) strcat(tree->prefix, stem);
  draw_children(tree, i);
  tree->prefix[length] = 0;
}

// a frame that is fixed to a body, apart from the link that its joint carries
static bool
is_merged(const mbd_model_t * model, int frame, int body)
{
  if (model->frame[frame].body != body) return false;
  return body == MBD_WORLD_BODY || model->body[body].link_frame != frame;
}

static void
draw_children(tree_t * tree, int body)
{
  const mbd_model_t * model = tree->model;
  const int end = body == MBD_WORLD_BODY ? model->nbody : model->body[body].subtree_end;
  int last_body = -1, last_frame = -1;
  for (int i = body + 1; i < end; i = model->body[i].subtree_end) last_body = i;
  for (int i = 0; i < model->nframe; i++) last_frame = is_merged(model, i, body) ? i : last_frame;

  // fixed links and frames first, then what moves
  for (int i = 0; i <= last_frame; i++) {
    if (!is_merged(model, i, body)) continue;
    draw_branch(tree, last_body < 0 && i == last_frame);
    printf("%s (%s)\n", model->frame[i].name, model->frame[i].is_link ? "fixed link" : "frame");
  }
  for (int i = body + 1; i < end; i = model->body[i].subtree_end) {
    draw_body(tree, i, i == last_body);
  }
}

//---------- tables ----------

static void
print_joints(const mbd_model_t * model)
{
  const int w = name_width(model, true);
  printf("\njoints\n    # ");
  cell_text("name", w);
  printf(
    "  %-12s%4s %4s  %-29s  %11s  %11s  %11s  %11s\n", "type", "q", "v", "axis (link axes)",
    "lower", "upper", "velocity", "effort");
  for (int i = 0; i < model->nbody; i++) {
    const mbd_body_t * body = &model->body[i];
    mbd_vec3_t axis = {0, 0, 0};
    printf("%5d ", i);
    cell_text(body->joint_name, w);
    printf("  %-12s%4d %4d", mbd_joint_type_name(body->type), body->q_index, body->v_index);
    cell_vec3(info_axis(model, body, &axis), axis);
    cell_number(body->limits.lower);
    cell_number(body->limits.upper);
    cell_number(body->limits.velocity);
    cell_number(body->limits.effort);
    if (body->mimic_body >= 0) {
      printf(
        "  = %g * %s %+g", body->mimic_multiplier, model->body[body->mimic_body].joint_name,
        body->mimic_offset);
    }
    putchar('\n');
  }
}

static bool
has_rates(const mbd_limits_t * l)
{
  return isfinite(l->acceleration) || isfinite(l->deceleration) || isfinite(l->jerk);
}

// limits of acceleration and jerk, where there are any
static void
print_rates(const mbd_model_t * model)
{
  int n = 0;
  for (int i = 0; i < model->nbody; i++) n += has_rates(&model->body[i].limits) ? 1 : 0;
  if (n == 0) return;
  const int w = name_width(model, true);
  printf("\nacceleration limits\n    # ");
  cell_text("joint", w);
  printf("  %12s  %12s  %11s\n", "acceleration", "deceleration", "jerk");
  for (int i = 0; i < model->nbody; i++) {
    const mbd_limits_t * limits = &model->body[i].limits;
    if (!has_rates(limits)) continue;
    printf("%5d ", i);
    cell_text(model->body[i].joint_name, w);
    putchar(' ');
    cell_number(limits->acceleration);
    putchar(' ');
    cell_number(limits->deceleration);
    cell_number(limits->jerk);
    putchar('\n');
  }
}

static bool
has_drive(const mbd_body_t * body)
{
  return body->drive.viscous != 0 || body->drive.coulomb != 0 || body->drive.rotor_inertia != 0;
}

static void
print_drives(const mbd_model_t * model)
{
  int n = 0;
  for (int i = 0; i < model->nbody; i++) n += has_drive(&model->body[i]) ? 1 : 0;
  if (n == 0) {
    printf("\ndrives: no friction, no rotor inertia\n");
    return;
  }
  const int w = name_width(model, true);
  printf("\ndrives\n    # ");
  cell_text("joint", w);
  printf("  %11s  %11s  %11s  %11s\n", "viscous", "coulomb", "rotor", "gear ratio");
  for (int i = 0; i < model->nbody; i++) {
    const mbd_drive_t * drive = &model->body[i].drive;
    if (!has_drive(&model->body[i])) continue;
    printf("%5d ", i);
    cell_text(model->body[i].joint_name, w);
    cell_number(drive->viscous);
    cell_number(drive->coulomb);
    cell_number(drive->rotor_inertia);
    cell_number(drive->gear_ratio);
    putchar('\n');
  }
}

static void
print_bodies(const mbd_model_t * model)
{
  const int w = name_width(model, false);
  printf("\nbodies\n    # ");
  cell_text("link", w);
  printf("  %11s  %s\n", "mass [kg]", "centre of mass (link frame) [m]");
  for (int i = 0; i < model->nbody; i++) {
    mbd_vec3_t com = {0, 0, 0};
    printf("%5d ", i);
    cell_text(model->body[i].name, w);
    cell_number(model->body[i].inertia.mass);
    cell_vec3(info_com(model, &model->body[i], &com), com);
    putchar('\n');
  }
}

static void
print_entries(const mbdx_report_t * report, mbdx_severity_t severity, int n)
{
  if (n == 0) return;
  printf("  %d %s%s\n", n, mbdx_severity_name(severity), n == 1 ? "" : "s");
  for (int i = 0; i < report->n; i++) {
    const mbdx_report_entry_t * entry = &report->entry[i];
    if (entry->severity != severity) continue;
    printf("    ");
    if (entry->line > 0) printf("line %d: ", entry->line);
    printf("%s: %s", entry->element, entry->what);
    if (entry->hint) printf("; %s", entry->hint);
    putchar('\n');
  }
}

void
info_text(const info_t * info)
{
  const mbd_model_t * model = info->model;
  const int nlink = info_link_count(model);
  printf("robot    %s (%s base)\n", model->name, info->floating ? "floating" : "fixed");
  char tree_nv[40] = "";
  if (info->embedded->tree) {
    snprintf(tree_nv, sizeof tree_nv, " independent of %d in the tree", model->nv);
  }
  printf(
    "size     %d moving joint%s, nq %d, nv %d%s; %d links, %d frames in all\n", model->nbody,
    model->nbody == 1 ? "" : "s", model->nq, info->embedded->nv, tree_nv, nlink, model->nframe);
  printf("mass     %.6g kg moving, %.6g kg fixed\n", model->mass, model->mass_fixed);
  const mbd_vec3_t g = model->gravity;
  printf("gravity  %g %g %g m/s^2\n", g.x, g.y, g.z);

  printf("\nworld\n");
  tree_t tree = {.model = model};
  draw_children(&tree, MBD_WORLD_BODY);
  if (model->nbody > 0) {
    print_joints(model);
    print_rates(model);
    print_drives(model);
    print_bodies(model);
    info_loops_text(info->embedded);
    if (info->rotors) info_rotors_text(info->rotors);
  }
  info_flexible_text(info->flexible);
  printf("\nload report%s\n", info->report->n == 0 ? ": no entries" : "");
  print_entries(info->report, MBDX_WARNING, info->report->nwarning);
  print_entries(info->report, MBDX_NOTE, info->report->nnote);
  if (!info->flexible_report) return;
  printf("\nload report of flexible links\n");
  print_entries(info->flexible_report, MBDX_WARNING, info->flexible_report->nwarning);
  print_entries(info->flexible_report, MBDX_NOTE, info->flexible_report->nnote);
}
