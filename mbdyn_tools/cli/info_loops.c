// Loops, gears and rotors, as `mbdyn info` shows them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "info.h"
#include "json_out.h"
#include "mbdyn/constraints.h"
#include "mbdyn/mbdyn.h"
#include "robot_options.h"

//---------- loops ----------

static const char *
body_name(const mbd_model_t * tree, int body)
{
  return body == MBD_WORLD_BODY ? "world" : tree->body[body].name;
}

static void
print_closure(const mbd_model_t * tree, const mbd_closure_t * c)
{
  printf(
    "    %-20s %-12s %d row%s  ", c->name, mbd_closure_type_name(c->type), c->nrow,
    c->nrow == 1 ? "" : "s");
  if (c->type != MBD_CLOSURE_COUPLING) {
    printf("%s - %s\n", body_name(tree, c->body_a), body_name(tree, c->body_b));
    return;
  }
  for (int k = 0; k < c->ncoupled; k++) {
    const double x = c->coefficient[k];
    printf(
      "%s%g %s",
      k == 0  ? ""
      : x < 0 ? " - "
              : " + ",
      k == 0 ? x : fabs(x), tree->body[c->coupled[k]].joint_name);
  }
  printf(" = %g\n", -c->offset);
}

static void
print_aggregate(const mbd_model_t * model, int k)
{
  const mbd_model_t * tree = model->tree;
  mbd_aggregate_t a;
  if (mbd_aggregate_info(model, k, &a) != MBD_OK) return;
  printf("    on %s: ", body_name(tree, a.parent));
  for (int i = 0; i < a.nbody; i++) printf("%s%s", i ? ", " : "", tree->body[a.body[i]].name);
  printf(
    "; %d joint velocities, %d independent%s\n", a.ndof, a.nindependent,
    a.constant ? ", constant ratios" : "");
}

void
info_loops_text(const mbd_model_t * model)
{
  const mbd_model_t * tree = model->tree;
  if (!tree) return;
  printf("\nloops and gears\n");
  for (int k = 0; k < tree->nclosure; k++) print_closure(tree, &tree->closure[k]);
  printf("  groups of bodies\n");
  for (int k = 0; k < mbd_aggregate_count(model); k++) print_aggregate(model, k);
  printf("  mobility %d: of %d joint velocities these are independent:\n   ", model->nv, tree->nv);
  for (int k = 0; k < model->nv; k++) printf(" %s", model->body[model->dof_body[k]].joint_name);
  putchar('\n');
}

static void
write_closure(json_out_t * out, const mbd_model_t * tree, const mbd_closure_t * c)
{
  json_out_object(out, NULL);
  json_out_string(out, "name", c->name);
  json_out_string(out, "type", mbd_closure_type_name(c->type));
  json_out_integer(out, "rows", c->nrow);
  if (c->type == MBD_CLOSURE_COUPLING) {
    json_out_object(out, "joints");
    for (int k = 0; k < c->ncoupled; k++) {
      json_out_number(out, tree->body[c->coupled[k]].joint_name, c->coefficient[k]);
    }
    json_out_end(out);
    json_out_number(out, "offset", c->offset);
  } else {
    json_out_string(out, "a", body_name(tree, c->body_a));
    json_out_string(out, "b", body_name(tree, c->body_b));
  }
  json_out_end(out);
}

void
info_loops_json(json_out_t * out, const mbd_model_t * model)
{
  const mbd_model_t * tree = model->tree;
  if (!tree) return;
  json_out_list(out, "closures");
  for (int k = 0; k < tree->nclosure; k++) write_closure(out, tree, &tree->closure[k]);
  json_out_end(out);
  json_out_list(out, "aggregates");
  for (int k = 0; k < mbd_aggregate_count(model); k++) {
    mbd_aggregate_t a;
    if (mbd_aggregate_info(model, k, &a) != MBD_OK) continue;
    json_out_list(out, NULL);
    for (int i = 0; i < a.nbody; i++) json_out_string(out, NULL, tree->body[a.body[i]].name);
    json_out_end(out);
  }
  json_out_end(out);
  json_out_list(out, "independent");
  for (int k = 0; k < model->nv; k++) {
    json_out_string(out, NULL, model->body[model->dof_body[k]].joint_name);
  }
  json_out_end(out);
}

//---------- rotors ----------

static bool
has_rotors(const mbd_model_t * model)
{
  for (int i = 0; i < model->nbody; i++) {
    if (model->body[i].drive.rotor_inertia > 0) return true;
  }
  return false;
}

// mass matrix at rest, with reflected rotor inertia
static double *
mass_at_rest(const mbd_model_t * model)
{
  const size_t nv = (size_t)model->nv;
  double *q = calloc((size_t)model->nq + 1, sizeof *q), *M = calloc(nv * nv + 1, sizeof *M);
  mbd_data_t * data = NULL;
  bool good = q && M && mbd_data_create(model, &data) == MBD_OK;
  good = good && mbd_set_terms(data, MBD_TERM_ROTORS) == MBD_OK && mbd_neutral(model, q) == MBD_OK;
  good = good && mbd_set_position(model, data, q) == MBD_OK;
  good = good && mbd_mass_matrix(model, data, M) == MBD_OK;
  mbd_data_destroy(data);
  free(q);
  if (good) return M;
  free(M);
  return NULL;
}

bool
info_rotor_error(
  const char * path, const robot_options_t * options, const mbd_model_t * model,
  info_rotors_t * rotors)
{
  // standard input is read already
  if (!has_rotors(model->tree ? model->tree : model) || options->urdf.exact_rotors) return false;
  if (path[0] == '-' && path[1] == 0) return false;
  // geared rotors are loops, which are not re-rooted
  if (options->root) return false;
  robot_options_t how = *options;
  how.urdf.exact_rotors = how.urdf.embed = true;
  how.no_flexible = true, how.flexible = NULL;
  robot_t exact = robot_read(path, &how);
  double *M = NULL, *E = NULL;
  int row, column;
  if (exact.status == MBD_OK && exact.model->nv == model->nv) {
    M = mass_at_rest(model);
    E = mass_at_rest(exact.model);
  }
  const bool known = M && E;
  if (known) {
    rotors->error = mbd_rotor_error(model->nv, E, M, &row, &column);
    rotors->one = model->body[model->dof_body[row]].joint_name;
    rotors->other = model->body[model->dof_body[column]].joint_name;
  }
  free(M);
  free(E);
  robot_free(&exact);
  return known;
}

void
info_rotors_text(const info_rotors_t * rotors)
{
  printf(
    "\nrotors: the reflected-inertia approximation is off by up to %.2g %% of the mass matrix at q "
    "= 0\n"
    "  (%s, %s), which neglects that rotors move with their links; --rotors exact includes it\n",
    100 * rotors->error, rotors->one, rotors->other);
}
