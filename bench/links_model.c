// Links of a model as numbers: fixed joints are merged, since the model has merged them. Without them
// siblings may be others than in the file, so that the links are put in order anew.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbdyn/spatial.h"
#include "robot_parts.h"

// link of a body in the list: a fixed base has the root in front
static int
link_of(int body, bool floating)
{
  return floating ? body : body + 1;
}

// the link frame that belongs to a body; the world's is the root's
static mbd_placement_t
link_in_body(const mbd_model_t * model, int body)
{
  if (body < 0) return mbdu_placement_identity();
  return model->frame[model->body[body].link_frame].X;
}

static const char *
root_name(const mbd_model_t * model)
{
  for (int i = 0; i < model->nframe; i++)
    if (model->frame[i].is_link && model->frame[i].body == MBD_WORLD_BODY)
      return model->frame[i].name;
  return "world";
}

static void
put_inertia(const mbd_placement_t * link, const mbd_inertia_t * inertia, bench_link_t * out)
{
  const mbd_placement_t X = mbdu_placement_inverse(link);
  const mbd_inertia_t M = mbdu_inertia_to_parent(&X, inertia);
  out->mass = M.mass;
  if (!(M.mass > 0)) return;
  const mbd_vec3_t com = mbdu_vec3_scale(1 / M.mass, M.h);
  const mbd_sym3_t I = mbdu_inertia_about_com(&M);
  const double numbers[6] = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
  out->com[0] = com.x, out->com[1] = com.y, out->com[2] = com.z;
  memcpy(out->inertia, numbers, sizeof numbers);
}

// axis, range and place of the joint that carries a body
static void
put_joint(const mbd_model_t * model, int i, bench_link_t * out)
{
  const mbd_body_t * body = &model->body[i];
  const mbd_placement_t link = link_in_body(model, i), parent = link_in_body(model, body->parent);
  const mbd_placement_t up = mbdu_placement_inverse(&parent);
  const mbd_placement_t at_rest = mbdu_placement_mul(&body->X_tree, &link);
  const mbd_placement_t X = mbdu_placement_mul(&up, &at_rest);
  const mbd_vec3_t axis = mbdu_mat3_tvec(&link.R, mbdu_vec3(0, 0, 1));
  memcpy(out->R, X.R.m, sizeof out->R);
  out->p[0] = X.p.x, out->p[1] = X.p.y, out->p[2] = X.p.z;
  out->axis[0] = axis.x, out->axis[1] = axis.y, out->axis[2] = axis.z;
  out->prismatic = body->type == MBD_JOINT_PRISMATIC;
  const double range = out->prismatic ? 1 : 3.141592653589793;
  out->lower = isfinite(body->limits.lower) ? body->limits.lower : -range;
  out->upper = isfinite(body->limits.upper) ? body->limits.upper : range;
}

// a copy of a name in the block of names
static const char *
keep(char ** block, const char * name)
{
  char * copy = *block;
  strcpy(copy, name);
  *block += strlen(name) + 1;
  return copy;
}

static bool
reserve(bench_case_t * c, const mbd_model_t * model)
{
  size_t size = strlen(root_name(model)) + 1;
  for (int i = 0; i < model->nbody; i++)
    size += strlen(model->body[i].name) + strlen(model->body[i].joint_name) + 2;
  c->link_names = malloc(size);
  c->link = calloc((size_t)model->nbody + 1, sizeof *c->link);
  return c->link_names != NULL && c->link != NULL;
}

static bool
has_plain_joints(const mbd_model_t * model, bool floating, char * why)
{
  for (int i = floating ? 1 : 0; i < model->nbody; i++) {
    const mbd_joint_type_t type = model->body[i].type;
    const bool plain =
      type == MBD_JOINT_REVOLUTE || type == MBD_JOINT_CONTINUOUS || type == MBD_JOINT_PRISMATIC;
    if (plain) continue;
    snprintf(
      why, BENCH_WHY, "joint '%s' is %s; only joints of one degree of freedom are compared",
      model->body[i].joint_name, mbd_joint_type_name(type));
    return false;
  }
  if (model->nbody > (floating ? 1 : 0)) return true;
  return snprintf(why, BENCH_WHY, "it has no moving joint"), false;
}

//---------- order: depth first, siblings by the name of their joint ----------

// the child whose joint's name comes next after that of `last`, or -1
static int
next_child(const bench_link_t * link, int n, int parent, int last)
{
  int best = -1;
  for (int i = 1; i < n; i++) {
    if (link[i].parent != parent) continue;
    if (last >= 0 && strcmp(link[i].joint, link[last].joint) <= 0) continue;
    if (best < 0 || strcmp(link[i].joint, link[best].joint) < 0) best = i;
  }
  return best;
}

// a link and all that it carries, from out[at] on; where the next one goes
static int
append(const bench_link_t * in, int n, int link, int parent, bench_link_t * out, int at)
{
  out[at] = in[link];
  out[at].parent = parent;
  int next = at + 1;
  for (int child = -1; (child = next_child(in, n, link, child)) >= 0;)
    next = append(in, n, child, at, out, next);
  return next;
}

static bool
put_in_order(bench_case_t * c)
{
  const int n = c->robot.nlink;
  bench_link_t * ordered = calloc((size_t)n, sizeof *ordered);
  if (ordered == NULL) return false;
  append(c->link, n, 0, -1, ordered, 0);
  free(c->link);
  c->link = ordered;
  return true;
}

//---------- the whole ----------

bool
bench_links_model(bench_case_t * c, const mbd_model_t * model, bool floating, char * why)
{
  if (!has_plain_joints(model, floating, why)) return false;
  if (!reserve(c, model)) return snprintf(why, BENCH_WHY, "out of memory"), false;
  char * names = c->link_names;
  c->robot.nlink = link_of(model->nbody, floating);
  c->link[0] = (bench_link_t){.parent = -1, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  if (!floating) c->link[0].name = keep(&names, root_name(model));
  for (int i = 0; i < model->nbody; i++) {
    const mbd_placement_t link = link_in_body(model, i);
    bench_link_t * out = &c->link[link_of(i, floating)];
    out->name = keep(&names, model->body[i].name);
    put_inertia(&link, &model->body[i].inertia, out);
    if (floating && i == 0) continue;
    out->joint = keep(&names, model->body[i].joint_name);
    out->parent = link_of(model->body[i].parent, floating);
    put_joint(model, i, out);
  }
  return put_in_order(c) || (snprintf(why, BENCH_WHY, "out of memory"), false);
}
